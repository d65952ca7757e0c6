"""The search: sound with hidden choices, never illegal, deterministic, and it finds what is won."""

import random
from threading import Thread

import numpy as np
import pytest

import hastilude
from hastilude import OptionError, bots
from hastilude.bots import knowledge
from hastilude.bots.knowledge import MATCH
from hastilude.bots.search import (
    CURIOSITY,
    RANDOM,
    How,
    SearchBot,
    Settings,
    new_memory,
    new_path,
    read_settings,
    simulate,
)
from hastilude.bots.tree import new_tree
from hastilude.core.calls import determinize_at, redact_at
from hastilude.core.chance import SeededChance
from hastilude.core.random import generator
from hastilude.core.rules import WORK
from hastilude.testing import played
from tests.bots import duel
from tests.kings_tournament.tables import both_on_foot
from tests.variants import every_variant, subject

QUICK = Settings(simulations=60, nodes=500)


class Duel:
    """As much of a game as the search wants."""

    num_actions = 3
    state = duel.STATE


def duel_shares(mixing, simulations=200_000):
    """How often a search of the first seat chose stone, paper and scissors."""
    redacted = np.zeros(1, duel.STATE)
    redacted["chosen"], redacted["dealt"], redacted["viewer"] = duel.NOTHING, 1, 0
    visits = np.zeros(3, np.int64)
    tree, path, memory = new_tree(100, 3), new_path(), new_memory(Duel)
    how = How(MATCH, RANDOM, mixing, exploration=0.7, trust=0.0)
    simulate(redacted, 0, simulations, tree, path, memory, how, visits, generator(1))
    return visits / visits.sum()


def test_mixed_choices_come_near_the_known_equilibrium():
    shares = (duel_shares(mixing=True) - CURIOSITY / 3) / (1 - CURIOSITY)
    assert np.allclose(shares, duel.EQUILIBRIUM, atol=0.06)


def test_no_node_answers_a_choice_that_is_hidden_from_its_seat():
    """If the second seat's node knew the first seat's choice, everything would lose alike and
    nothing would be preferred; as it is, paper is the best of the three for both."""
    shares = duel_shares(mixing=False)
    assert shares.argmax() == duel.PAPER


@every_variant
def test_a_search_never_chooses_what_is_not_legal(name, options):
    tested = subject(name, options, matches=1)
    bot = SearchBot(tested.game, 1, Settings(simulations=20, nodes=200, carelessness=1.0))
    for match, _ in played(tested, most=150):
        for seat in match.pending:
            assert bot.choose(match.redacted(seat), seat) in match.legal(seat)


def positions(name, options):
    """Some positions from the middle of a match."""
    for count, (match, choose) in enumerate(played(subject(name, options, matches=1), most=60)):
        if count % 10 == 5 and not match.over:
            yield match, choose.choice(match.pending)


@every_variant
def test_the_same_seed_and_budget_give_the_same_choice(name, options):
    for match, seat in positions(name, options):
        first, second = (
            SearchBot(match.game, 5, QUICK).think(match.redacted(seat), seat) for _ in range(2)
        )
        assert first.tolist() == second.tolist()
        assert first.sum() in (1, QUICK.simulations)  # 1: there was no choice


@every_variant
def test_what_is_hidden_does_not_change_the_choice(name, options):
    """A bot that was handed the true cards by mistake, in another deal that its seat cannot tell
    from this one, would choose otherwise."""
    for match, seat in positions(name, options):
        world = match.redacted(seat)
        determinize_at(world, 0, generator(9), np.zeros(WORK, np.int8))
        again = np.zeros(1, match.game.state)
        redact_at(world, 0, seat, again, 0)
        first, second = (
            SearchBot(match.game, 5, QUICK).choose(known, seat)
            for known in (match.redacted(seat), again)
        )
        assert first == second


def test_the_pool_of_nodes_never_grows_past_its_limit():
    match = hastilude.load("tornei").new(seed=1)
    bot = SearchBot(match.game, 1, Settings(simulations=3000, nodes=50, rollout="random"))
    visits = bot.think(match.redacted(1), 1)
    assert bot._tree.used[0] == 50
    assert visits.sum() == 3000


def chosen(match, simulations=3000, **settings):
    seat = match.turn
    bot = SearchBot(match.game, 3, Settings(simulations=simulations, **settings))
    return match.game.text(bot.choose(match.redacted(seat), seat))


def test_tornei_a_sure_first_place_is_found():
    """Before the last lead with the strongest card left and another Wyvern: leading the strongest
    and predicting with the other is 3 points for sure; the reverse loses to any Wyvern between."""
    match, strongest = before_a_sure_lead()
    assert chosen(match, aim="score") == strongest


def before_a_sure_lead():
    for seed in range(3000):
        match = hastilude.load("tornei").new(seed=seed)
        choose = random.Random(seed)
        for _ in range(6 * 8):
            match.play(match.turn, choose.choice(match.legal(match.turn)))
        strongest, other = sorted(match.legal(match.turn), reverse=True)
        left = [card for seat in range(4) for card in match.view(seat).hand]
        cards = [match.game.parse(card) for card in left]
        between = any(other < card < strongest for card in cards)
        if match.game.text(other)[0] == "W" and strongest == max(cards) and between:
            return match, match.game.text(strongest)
    raise AssertionError("no such position was found")


def test_tornei_few_simulations_with_instinct_beat_many_with_rollouts():
    """Points of one seat minus the mean of the others', who make four times as many simulations."""
    game, leads = hastilude.load("tornei"), []
    for seed in range(12):
        match, own = game.new(seed=seed), seed % 4
        seated = [bots.make("search:80:reference", game, seat) for seat in range(4)]
        seated[own] = bots.make("search:20", game, own)
        while not match.over:
            seat = match.turn
            match.play(seat, seated[seat].choose(match.redacted(seat), seat))
        leads.append((4 * match.scores[own] - sum(match.scores)) / 3)
    assert np.mean(leads) > 0


def test_kings_tournament_a_defeating_answer_is_found():
    """Both stand; Blue has revealed a 2 and Red's 9 alone beats it by 7."""
    match = both_on_foot("9 3 4 5", "2 6 7 8", best_of=1)
    match.play(match.turn, "2")
    assert chosen(match) == "9"


def test_triatri_a_card_that_wins_the_match_at_once_is_found():
    match, winning = before_an_instant_win()
    assert chosen(match) == winning


def before_an_instant_win():
    """A position in which the last to play can win at once (A12) with one card alone."""
    for seed in range(3000):
        match = hastilude.load("triatri", players=2).new(seed=seed)
        choose = random.Random(seed)
        while not match.over:
            view, seat = match.view(), match.turn
            legal = match.legal(seat)
            if view.phase == "play" and len(legal) > 1 and view.table.start != seat:
                winning = [action for action in legal if wins_at_once(match, seat, action)]
                if len(winning) == 1:
                    return match, match.game.text(winning[0])
            match.play(seat, choose.choice(legal))
    raise AssertionError("no such position was found")


def wins_at_once(match, seat, action):
    again = hastilude.replay(match.record(), then=SeededChance(1))
    again.play(seat, action)
    return again.winners == (seat,) and again.view().ending == "instant_win"


def test_a_search_leaves_the_interpreter_to_others():
    """Two searches can run on two cores."""
    match = hastilude.load("tornei").new(seed=1)
    bot = SearchBot(match.game, 1, Settings(simulations=100_000, rollout="random"))
    thread = Thread(target=bot.think, args=(match.redacted(1), 1))
    thread.start()
    counted = 0
    while thread.is_alive():
        counted += 1
    assert counted > 1000


@pytest.mark.parametrize(
    "name",
    [
        "search:0",
        "search:-5",
        "search:fast",
        "search:5m",
        "page:3",
        "nobody",
        "search:1e3",
        "baseline:0",
        "baseline:random",
        "ceiling:50ms",
    ],
)
def test_a_bot_that_does_not_exist_is_refused(name):
    with pytest.raises(OptionError):
        bots.make(name, hastilude.load("tornei"), 1)


def test_a_game_without_bots_of_its_own_is_told_so(monkeypatch):
    from hastilude.games._template.game import Template  # noqa: PLC0415  # only here

    monkeypatch.setattr(knowledge, "part_of", lambda game, name: None)
    assert bots.make("random", Template(), 1)
    for name in ("reference", "search:10", "page"):
        with pytest.raises(OptionError, match="The only bot for Template so far is random"):
            bots.make(name, Template(), 1)


def test_settings_are_read_from_the_name():
    assert read_settings(["50ms", "score"]) == Settings(milliseconds=50, aim="score")
    assert read_settings(["400", "random", "mixing", "blind"]) == Settings(
        simulations=400, rollout="random", mixing=True, blind=True
    )


@pytest.mark.parametrize("name", hastilude.games())
def test_every_bot_plays_a_match(name):
    game = hastilude.load(name)
    for bot in (
        "random",
        "reference",
        "heuristic",
        "baseline:20",
        "baseline:2ms",
        "search:20",
        "search:20:reference",
        "search:20:mixing",
        "search:2ms",
        "page",
    ):
        match = game.new(seed=1)
        seated = [bots.make(bot, game, seat) for seat in range(game.seats)]
        while not match.over and len(match.steps) < 120:
            match.play(
                match.turn, seated[match.turn].choose(match.redacted(match.turn), match.turn)
            )
        assert len(match.steps) > 20
