"""K15: `redact` shows what is public and no more; `determinize` weighs what could lie behind it.

The oracle enumerates physical cards: every way in which labelled cards could have been drawn,
revealed and chosen unseen, each counted once, in plain Python.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from hastilude.core import rules as core
from hastilude.core.bits import numbers
from hastilude.core.random import generator, pick, shuffle
from hastilude.games.kings_tournament import game, hidden, rules  # noqa: F401  # registers
from hastilude.games.kings_tournament.cards import BLOCK, DOUBLE, KINDS, copies, single, size

VALUES = (3, 3, 3, 3, 3, 3, 3, 2, 2, 2)
# Few kinds, so that every hand is met often.
NARROW = (14, 0, 0, 0, 0, 0, 13, 0, 0, 0)
ONE, SEVEN = 0, 6

SAMPLES = 4000
LIKELY = 1e-4  # below this p the sampling is called wrong
OFTEN = 5  # expected less often than this, chi-square says nothing

Cards = tuple[int, ...]


def states(number: int) -> Any:
    return np.zeros(number, rules.STATE)


def options(stepwise: bool = False, values: Sequence[int] = VALUES, best_of: int = 3) -> Any:
    return np.array([best_of, stepwise, rules.UNHORSING, rules.HIT, *values], dtype=np.int64)


def new(stepwise: bool = False, values: Sequence[int] = VALUES) -> Any:
    s = states(1)[0]
    rules.start(s, options(stepwise, values))
    return s


def work() -> Any:
    return np.zeros(core.WORK, np.int8)


def cards_of(pile: np.uint64) -> Cards:
    return tuple(card for card in range(KINDS) for _ in range(copies(pile, card)))


def shuffle_as(s: Any, first: Sequence[int]) -> None:
    """The chance event that is due, with these cards on top and the others in order."""
    due = rules.chance_due(s)
    cards = work()
    rest = cards[: rules.undealt(s, due, cards)].tolist()
    for card in first:
        rest.remove(card)
    cards[: len(first) + len(rest)] = [*first, *rest]
    rules.deal(s, due, cards)


def begin(s: Any, first: Sequence[int], second: Sequence[int]) -> None:
    shuffle_as(s, first)
    shuffle_as(s, second)


def play(s: Any, seat: int, *cards: int) -> None:
    for card in cards:
        assert card in numbers(rules.legal(s, seat))
        rules.apply(s, seat, card)


def redacted(s: Any, seat: int) -> Any:
    r = states(1)[0]
    hidden.redact(s, seat, r)
    return r


def sampled(r: Any, rng: Any) -> Any:
    sample = states(1)
    sample[0] = r
    hidden.determinize(sample[0], rng, work())
    return sample[0]


def choice_of(s: Any, seat: int) -> Cards:
    return tuple(int(card) for card in s["choice"][seat, : s["chosen"][seat]])


def deck_of(s: Any, seat: int) -> Cards:
    return tuple(int(card) for card in s["deck"][seat, s["top"][seat] :])


# --- the oracle ---------------------------------------------------------------------------------


def possible(
    kept: Cards, deck: Cards, revealed: Cards, chosen: int
) -> Iterator[tuple[Cards, Cards]]:
    """Every hand and hidden choice, once for each way in which physical cards make it up.

    A hand is the `kept` cards and as many of the `deck` as fill it up to five. The `revealed`
    cards were taken from it in that order, then `chosen` more were chosen in some order.
    """
    for drawn in combinations(range(len(deck)), rules.HAND - len(kept)):
        hand = [*kept, *(deck[place] for place in drawn)]
        for taken in permutations(range(rules.HAND), len(revealed) + chosen):
            shown, unseen = taken[: len(revealed)], taken[len(revealed) :]
            if tuple(hand[place] for place in shown) == revealed:
                rest = (hand[place] for place in range(rules.HAND) if place not in taken)
                yield tuple(sorted(rest)), tuple(hand[place] for place in unseen)


def assert_in_proportion(found: Counter[Any], expected: Counter[Any]) -> None:
    """Chi-square, with what is rarely expected thrown together."""
    assert set(found) <= set(expected)
    scale = found.total() / expected.total()
    often = [what for what in expected if expected[what] * scale >= OFTEN]
    observed = [found[what] for what in often]
    wanted = [expected[what] * scale for what in often]
    rare = sum(expected[what] * scale for what in expected if what not in often)
    if rare:
        observed.append(found.total() - sum(observed))
        wanted.append(rare)
    assert len(wanted) > 1
    assert chisquare(observed, wanted).pvalue > LIKELY


def assert_sampled_like(s: Any, viewer: int, kept: Cards, revealed: Cards, chosen: int) -> None:
    """The hand and choice of the viewer's opponent, against the oracle."""
    other = 1 - viewer if viewer >= 0 else 0
    deck = Counter(cards_of(s["total"] - s["seen"][other])) + Counter(revealed) - Counter(kept)
    expected = Counter(possible(kept, tuple(deck.elements()), revealed, chosen))
    r, rng = redacted(s, viewer), generator(1)
    found: Counter[Any] = Counter()
    for _ in range(SAMPLES):
        sample = sampled(r, rng)
        found[cards_of(sample["hand"][other]), choice_of(sample, other)] += 1
    assert_in_proportion(found, expected)


# --- positions ----------------------------------------------------------------------------------

TIED = (ONE, ONE, ONE, SEVEN, SEVEN)  # a hand of which both play the three ones
KEPT = (ONE, SEVEN, DOUBLE)  # what the seventh draw finds in a narrow deck


def tie(s: Any, stepwise: bool) -> None:
    for seat in range(2):
        play(s, seat, *((SEVEN, SEVEN) if stepwise else (ONE, ONE, ONE)))
    for _ in range(2 * stepwise):
        play(s, 0, ONE)
        play(s, 1, ONE)


def after_ties(number: int, stepwise: bool = False) -> Any:
    """A narrow deck after so many jousts that decided nothing; four at most."""
    s = new(stepwise, NARROW)
    stack = TIED * 4 + (SEVEN, SEVEN, BLOCK, BLOCK, BLOCK) + (SEVEN,) * 2 + (ONE,) + (DOUBLE,) * 2
    begin(s, stack + KEPT, stack + KEPT)
    for _ in range(number):
        tie(s, stepwise)
    return s


def after_reshuffle(stepwise: bool = False, won: bool = False) -> Any:
    """After six jousts: three cards drawn before the reshuffle and two after it, for both seats.

    The sixth is won by seat 0 or, like the others, by nobody.
    """
    s = after_ties(4, stepwise)
    for line in ((BLOCK, BLOCK, BLOCK), (DOUBLE, DOUBLE, ONE)):
        for seat in range(2):
            if stepwise:
                play(s, seat, SEVEN, SEVEN)
            else:
                last = SEVEN if won and seat == 0 and line[2] == ONE else line[2]
                play(s, seat, *line[:2], last)
        for beat in range(2 * stepwise):
            play(s, 0, line[beat])
            play(s, 1, line[beat])
    assert [cards_of(pile) for pile in s["kept"]] == [KEPT, KEPT]
    begin(s, (ONE, SEVEN), (ONE, ONE))
    return s


# --- determinize against the oracle -------------------------------------------------------------


@pytest.mark.parametrize("viewer", [0, 1, core.SPECTATOR])
def test_first_draw_is_any_five_of_the_deck(viewer: int) -> None:
    s = new(values=NARROW)
    begin(s, TIED, TIED)
    assert_sampled_like(s, viewer, kept=(), revealed=(), chosen=0)


def test_finished_line_is_any_three_of_the_hand_in_any_order() -> None:
    s = after_ties(4)
    play(s, 0, BLOCK, BLOCK, BLOCK)
    play(s, 1, BLOCK, BLOCK, BLOCK)
    play(s, 1, DOUBLE, SEVEN, ONE)
    assert_sampled_like(s, viewer=0, kept=(), revealed=(), chosen=3)


def test_own_deck_is_in_any_order() -> None:
    s = after_ties(4)
    play(s, 0, BLOCK, BLOCK, BLOCK)
    play(s, 1, BLOCK, BLOCK, BLOCK)
    play(s, 1, DOUBLE, SEVEN, ONE)
    r, rng = redacted(s, 1), generator(2)
    found = Counter(deck_of(sampled(r, rng), 1) for _ in range(SAMPLES))
    assert_in_proportion(found, Counter(permutations(KEPT)))


def test_other_deck_is_what_the_hand_leaves_in_any_order() -> None:
    s = after_ties(4)
    play(s, 0, BLOCK, BLOCK, BLOCK)
    play(s, 1, BLOCK, BLOCK, BLOCK)
    unseen = cards_of(s["total"] - s["seen"][1])
    r, rng = redacted(s, 0), generator(3)
    found = Counter(deck_of(sampled(r, rng), 1) for _ in range(SAMPLES))
    assert_in_proportion(found, Counter(permutations(unseen, 3)))


@pytest.mark.parametrize("viewer", [0, core.SPECTATOR])
def test_K13_cards_drawn_before_the_reshuffle_are_held(viewer: int) -> None:
    assert_sampled_like(after_reshuffle(), viewer, kept=KEPT, revealed=(), chosen=0)


def test_K13_finished_line_after_the_reshuffle() -> None:
    s = after_reshuffle()
    play(s, 1, ONE, DOUBLE, ONE)
    assert_sampled_like(s, viewer=0, kept=KEPT, revealed=(), chosen=3)


@pytest.mark.parametrize(
    "revealed", [(ONE,), (DOUBLE,), (ONE, SEVEN), (ONE, ONE), (SEVEN, ONE, ONE)]
)
def test_K13_revealed_cards_came_from_before_or_after_the_reshuffle(revealed: Cards) -> None:
    s = after_reshuffle(won=True)
    for answer, lead in zip(revealed, (ONE, ONE, SEVEN), strict=False):
        play(s, 0, lead)
        play(s, 1, answer)
    assert_sampled_like(s, viewer=0, kept=KEPT, revealed=revealed, chosen=0)


def test_K6_hidden_discards_after_the_reshuffle() -> None:
    s = after_reshuffle(stepwise=True)
    play(s, 1, ONE, SEVEN)
    assert_sampled_like(s, viewer=0, kept=KEPT, revealed=(), chosen=2)


@pytest.mark.parametrize("beats", [0, 1])
def test_K6_hidden_beat_after_seen_discards(beats: int) -> None:
    s = after_reshuffle(stepwise=True)
    play(s, 0, SEVEN, DOUBLE)
    play(s, 1, SEVEN, ONE)
    for _ in range(beats):
        play(s, 0, ONE)
        play(s, 1, ONE)
    play(s, 1, DOUBLE)
    revealed = (ONE, SEVEN) + (ONE,) * beats
    assert_sampled_like(s, viewer=0, kept=KEPT, revealed=revealed, chosen=1)


# --- what shows ---------------------------------------------------------------------------------


def test_K5_choice_under_way_looks_like_none() -> None:
    s = new()
    begin(s, (0, 1, 2, 3, 4), (0, 1, 2, 3, 4))
    before = redacted(s, 0).tobytes()
    play(s, 1, 4, 0)
    assert redacted(s, 0).tobytes() == before
    play(s, 1, 2)
    after = redacted(s, 0)
    assert rules.pending(after) == 0b01
    assert after["held"][1] == rules.HAND
    assert (after["choice"][1] == -1).all()
    assert after["hand"][1] == 0


def test_K6_finished_choices_all_look_alike() -> None:
    shown = set()
    for line in permutations(range(5), 3):
        s = new()
        begin(s, (0, 1, 2, 3, 4), (0, 1, 2, 3, 4))
        play(s, 1, *line)
        shown.add(redacted(s, 0).tobytes())
    assert len(shown) == 1


def test_K15_seat_sees_its_own_hand_and_choice() -> None:
    s = new()
    begin(s, (0, 1, 2, 3, 4), (5, 6, 7, 8, 9))
    play(s, 0, 3, 1)
    r = redacted(s, 0)
    assert cards_of(r["hand"][0]) == (0, 2, 4)
    assert choice_of(r, 0) == (3, 1)
    assert (r["deck"] == -1).all()


# --- every position of whole matches ------------------------------------------------------------


def positions(s: Any, seed: int) -> Iterator[Any]:
    """A match at random, its states at every action and every shuffle."""
    rng, cards = generator(seed), work()
    while True:
        yield s
        if rules.chance_due(s):
            one_shuffle(s, rng, cards)
        elif rules.pending(s):
            # Not always the seat that `turn` names: both may act in any order.
            seat = pick(rng, np.uint64(rules.pending(s)))
            rules.apply(s, seat, pick(rng, rules.legal(s, seat)))
        else:
            return


def one_shuffle(s: Any, rng: Any, cards: Any) -> None:
    due = rules.chance_due(s)
    shuffle(rng, cards, rules.undealt(s, due, cards))
    rules.deal(s, due, cards)


def pile_of(cards: Sequence[int]) -> int:
    return sum(int(single(card)) for card in cards)


def assert_conserved(s: Any) -> None:
    for seat in range(2):
        chosen = choice_of(s, seat)
        placed = pile_of(chosen) + pile_of(deck_of(s, seat))
        assert placed + int(s["hand"][seat]) + int(s["seen"][seat]) == int(s["total"])
        assert size(s["hand"][seat]) + len(chosen) == s["held"][seat]


@pytest.mark.parametrize("stepwise", [False, True])
@pytest.mark.parametrize("values", [VALUES, NARROW])
def test_samples_are_true_states_that_look_the_same(stepwise: bool, values: Cards) -> None:
    rng = generator(4)
    for s in positions(new(stepwise, values), seed=5):
        assert_conserved(s)
        for viewer in (0, 1, core.SPECTATOR):
            r = redacted(s, viewer)
            assert rules.pending(r) == rules.pending(s)
            if viewer >= 0:
                assert rules.legal(r, viewer) == rules.legal(s, viewer)
            sample = sampled(r, rng)
            assert sample["viewer"] == core.EVERYTHING
            assert_conserved(sample)
            assert redacted(sample, viewer).tobytes() == r.tobytes()


def test_samples_can_be_played_to_the_end() -> None:
    rng = generator(6)
    for s in positions(new(), seed=7):
        sample = sampled(redacted(s, 0), rng)
        for end in positions(sample, seed=8):
            last = end
        assert rules.winners(last)
