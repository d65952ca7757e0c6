"""The responder: what it believes, that it sees nothing hidden, and that it finds weaknesses."""

from itertools import islice, pairwise

import numpy as np
import pytest

import hastilude
from hastilude.bots.knowledge import load_bots
from hastilude.core.random import generator
from hastilude.games.kings_tournament.best_response import (
    HELD,
    believe,
    best_card,
    new_memory,
    thin_out,
)
from hastilude.games.kings_tournament.blueprint import blueprint
from hastilude.games.kings_tournament.cards import KINDS, MARGIN, copies, single, size
from hastilude.games.kings_tournament.hands import hand_number
from hastilude.games.kings_tournament.notation import CARD_TEXTS
from hastilude.games.kings_tournament.responder import (
    Mind,
    Victim,
    first_prices,
    new_scratch,
    play_games,
    train,
)
from hastilude.games.kings_tournament.rules import ANSWER, LEAD
from tests.kings_tournament.tables import both_on_foot, melee, play

GAME = hastilude.load("kings_tournament", best_of=1)
load_bots(GAME)


@pytest.fixture(scope="module")
def memory():
    return new_memory(blueprint().shares)


def card(text):
    return CARD_TEXTS.index(text)


def highest_cards():
    """The strategy that always plays its highest number, double strike or block."""
    shares = np.zeros_like(blueprint().shares)
    for one in new_memory(shares).numbered:
        held = [kind for kind in range(KINDS) if copies(one["pile"], kind)]
        shares[:, hand_number(one["pile"]), held[-1]] = 1
    return shares


def beliefs(match, seat, memory, doubt=0.0):
    """The hands that the other may have, as piles, with their probabilities."""
    found = believe(match.redacted(seat)[0], seat, doubt, memory)
    return {
        int(memory.numbered[one["hand"]]["pile"]): float(one["weight"])
        for one in memory.hands[:found]
    }


# --- beliefs --------------------------------------------------------------------------------------


def test_beliefs_are_probabilities_of_possible_hands(memory):
    match = both_on_foot("D 5 6 7", "10 4 4 5")
    seat = match.turn
    redacted = match.redacted(seat)[0]
    unseen = redacted["total"] - redacted["seen"][1 - seat]
    found = beliefs(match, seat, memory)
    assert sum(found.values()) == pytest.approx(1.0)
    for pile in map(np.uint64, found):
        assert size(pile) == redacted["held"][1 - seat]
        assert all(copies(pile, kind) <= copies(unseen, kind) for kind in range(KINDS))


def test_before_anything_is_revealed_all_draws_are_equally_likely(memory):
    match = melee("4 5 6 7 8", "4 5 6 7 8")
    redacted = match.redacted(0)[0]
    unseen = redacted["total"] - redacted["seen"][1]
    found = beliefs(match, 0, memory)
    for kind in range(KINDS):
        expected = sum(copies(np.uint64(pile), kind) * likely for pile, likely in found.items())
        assert expected == pytest.approx(5 * copies(unseen, kind) / size(unseen))


def test_a_revealed_card_excludes_hands_that_would_not_have_played_it():
    memory = new_memory(highest_cards())
    match = melee("4 5 6 7 8", "4 5 6 7 8", mounted=1)
    play(match, "1:7")
    for pile in map(np.uint64, beliefs(match, 0, memory)):
        assert not any(copies(pile, kind) for kind in range(card("8"), KINDS))
    doubtful = beliefs(match, 0, memory, doubt=0.3)
    assert any(copies(np.uint64(pile), card("8")) for pile in doubtful)


def test_K13_kept_cards_are_known(memory):
    match = GAME.new(seed=3)
    state = match.redacted(0).copy()
    tens = np.uint64(2 * int(single(card("10"))))
    state["phase"], state["held"] = LEAD, 5
    state["kept"][0, 1] = tens
    found = believe(state[0], 0, 0.0, memory)
    assert found > 0
    for one in memory.hands[:found]:
        assert copies(memory.numbered[one["hand"]]["pile"], card("10")) == 2


def test_fewer_hands_have_the_same_mean(memory):
    match = melee("4 5 6 7 8", "4 5 6 7 8")
    blocks = []
    for seed in range(40):
        found = believe(match.redacted(0)[0], 0, 0.0, memory)
        kept = thin_out(found, 60, generator(seed), memory)
        assert kept <= 60
        listed = memory.hands[:kept]
        assert listed["weight"].sum() == pytest.approx(1.0)
        counts = [copies(memory.numbered[hand]["pile"], card("B")) for hand in listed["hand"]]
        blocks.append(np.dot(counts, listed["weight"]))
    assert np.mean(blocks) == pytest.approx(5 * 3 / 28, abs=0.05)


# --- the best card --------------------------------------------------------------------------------


def put(memory, hand):
    """The other certainly has this hand."""
    number = hand_number(np.uint64(sum(int(single(card(one))) for one in hand.split())))
    memory.hands[0] = np.array((number, number, 1.0), HELD)
    memory.ends[number] = 0.5


def test_a_hit_that_is_certain_is_played(memory):
    match = both_on_foot("9 3 4 5", "2 6 7 8")
    match.play(match.turn, "2")
    seat = match.turn
    put(memory, "6 7 8")
    assert CARD_TEXTS[best_card(match.redacted(seat)[0], seat, 1, memory)] == "9"
    assert memory.worths[card("9")] == 1.0


def outcome(card, led, mounted):
    """K11, K12, for the player who answers: the result or None, who leads next, who is mounted."""
    margin = MARGIN[card, led]
    if margin <= -7 or (margin >= 7 and not mounted):
        return float(margin > 0), None, None
    if mounted and margin < 7:
        return None, False, 1
    return None, margin > 0, 0


def played_by(shares, hand, led, mounted):
    """The cards that a strategy plays from a hand, with their probabilities."""
    pile = np.uint64(sum(int(single(card)) for card in hand))
    mix = shares[2 * (led + 1) + mounted, hand_number(pile)].astype(float)
    if not mix.any():
        mix = np.bincount(hand, minlength=KINDS).astype(float)
    return {card: mix[card] / mix.sum() for card in sorted(set(hand)) if mix[card]}


def best_sum(own, hands, leads, led, mounted, shares, ends):
    """What the best play wins against (hand, its place in `ends`, weight), in plain Python."""
    if not own and led < 0:
        return sum(weight * ends[at][2 * mounted + leads] for _, at, weight in hands)
    if leads == (led < 0):  # the responder leads or answers
        return max(sum_with(card, own, hands, led, mounted, shares, ends) for card in own)
    total, groups = 0.0, {}
    for hand, at, weight in hands:
        for card, share in played_by(shares, hand, led, mounted).items():
            left = list(hand)
            left.remove(card)
            groups.setdefault(card, []).append((left, at, weight * share))
    for card, group in groups.items():
        if led < 0:
            total += best_sum(own, group, False, card, mounted, shares, ends)
            continue
        result, again, rides = outcome(card, led, mounted)
        if result is None:
            total += best_sum(own, group, not again, -1, rides, shares, ends)
        else:
            total += (1 - result) * sum(weight for *_, weight in group)
    return total


def sum_with(card, own, hands, led, mounted, shares, ends):
    left = list(own)
    left.remove(card)
    if led < 0:
        return best_sum(left, hands, True, card, mounted, shares, ends)
    result, again, rides = outcome(card, led, mounted)
    if result is None:
        return best_sum(left, hands, again, -1, rides, shares, ends)
    return result * sum(weight for *_, weight in hands)


@pytest.mark.parametrize("leads", [True, False])
@pytest.mark.parametrize("mounted", [0, 1])
def test_the_worths_are_those_of_the_best_play(memory, leads, mounted):
    rng = np.random.default_rng(5)
    deck = np.repeat(np.arange(KINDS), 3)
    for _ in range(4):
        own = rng.choice(deck, 4, replace=False).tolist()
        led = -1 if leads else int(rng.integers(KINDS))
        held = 4 if leads else 3
        hands = [(rng.choice(deck, held, replace=False).tolist(), at, 0.2) for at in range(5)]
        ends = rng.random((5, 4))
        for hand, at, weight in hands:
            number = hand_number(np.uint64(sum(int(single(card)) for card in hand)))
            memory.hands[at] = np.array((number, number, weight), HELD)
            memory.ends[number] = ends[at]
        state = GAME.new(seed=3).redacted(0).copy()
        state["phase"], state["held"] = LEAD if leads else ANSWER, (4, held)
        state["hand"][0, 0] = sum(int(single(card)) for card in own)
        state["mounted"], state["melee"][0, 1, 1] = mounted, led
        best_card(state[0], 0, 5, memory)
        shares = blueprint().shares
        for card in set(own):
            expected = sum_with(card, own, hands, led, mounted, shares, ends)
            assert memory.worths[card] == pytest.approx(expected, abs=1e-6)


# --- K15 ------------------------------------------------------------------------------------------


def test_K15_hidden_cards_do_not_change_its_choice():
    """Both times Blue answers with a 6; the rest of its hand and its deck differ."""
    mind = Mind(next(train(GAME, 1)))
    chosen = []
    for blue in ("6 4 5 7 8", "6 10 10 D B"):
        match = melee("2 5 6 9 D", blue)
        bot = mind(GAME, 7)
        cards = [bot.choose(match.redacted(0), 0)]
        play(match, "0:6 1:6")
        cards.append(bot.choose(match.redacted(0), 0))
        chosen.append(cards)
    assert chosen[0] == chosen[1]


# --- training -------------------------------------------------------------------------------------


def won(shares, games=300, seed=1):
    """The share that an untrained responder wins against a strategy."""
    scratch = new_scratch()
    scratch.states[0] = np.frombuffer(GAME.new(seed=0).state, scratch.states.dtype)[0]
    prices = first_prices(blueprint().prices)
    memory = new_memory(shares)
    return play_games(games, shares, prices, 20, memory, scratch, generator(seed)) / games


def test_a_bad_strategy_is_exploited_more_than_the_blueprint():
    assert won(highest_cards()) > won(blueprint().shares) + 0.1


def test_training_is_repeatable_and_changes_the_prices():
    first, second = (list(islice(train(GAME, seed=5), 3)) for _ in range(2))
    assert [one.digest for one in first] == [one.digest for one in second]
    assert first[2].games == 500
    assert all(a.digest != b.digest for a, b in pairwise(first))
    other = list(islice(train(GAME, seed=6), 2))
    assert other[1].digest != first[1].digest


@pytest.mark.parametrize("joust", ["committed", "stepwise"])
def test_it_plays_whole_matches(joust):
    game = hastilude.load("kings_tournament", joust=joust)
    players = Mind(next(train(game, 1)))(game, 1), Victim(game, 2)
    match = game.new(seed=4)
    while not match.over:
        seat = match.turn
        match.play(seat, players[seat].choose(match.redacted(seat), seat))
    assert match.winners
