"""The solved joust against brute force, and what is known of good jousting."""

import doctest
from functools import cache
from itertools import combinations, permutations

import numpy as np
import pytest
from scipy.optimize import linprog

import hastilude
from hastilude.core.random import generator
from hastilude.games.kings_tournament import joust
from hastilude.games.kings_tournament.cards import MARGIN
from hastilude.games.kings_tournament.joust import (
    FRESH,
    Draw,
    Solution,
    choose_line,
    fresh,
    solve,
    stored_prices,
)
from hastilude.games.kings_tournament.joust_solver import OFTEN, Prices
from hastilude.games.kings_tournament.notation import CARD_TEXTS
from tests.kings_tournament.tables import joust as run_joust
from tests.kings_tournament.tables import table

DOUBLE, BLOCK = 10, 11


def cards(text):
    return tuple(CARD_TEXTS.index(card) for card in text.split())


def pile(text):
    return tuple(cards(text).count(card) for card in range(12))


@cache
def outcome(own, facing):
    """K7, written down once more: the third cards, then the second, then the first."""
    for card, other in zip(reversed(own), reversed(facing), strict=True):
        if abs(MARGIN[card, other]) >= 3:
            return "win" if MARGIN[card, other] > 0 else "lose"
    return "repeat"


def next_cards(draw, hand):
    """How many of each kind a player draws next on average, without the hand, with K13."""
    whole, left = np.array(draw.whole), np.array(draw.deck) + draw.kept
    for card in hand:
        left[card] -= 1
    if left.sum() >= 5:
        return 5 * left / left.sum()
    discards = whole - left
    return left + (5 - left.sum()) * discards / discards.sum()


def chances_after(draws, hands, prices):
    """Seat 0's chance to win the game after each outcome."""
    own, other = map(next_cards, draws, hands)
    return {
        "win": prices.base + prices.first @ own + prices.other @ other,
        "lose": 1 - (prices.base + prices.first @ other + prices.other @ own),
        "repeat": 0.5 + prices.again @ (own - other),
    }


def made_up_prices():
    rng = np.random.default_rng(3)
    return Prices(0.6, *(0.05 * rng.normal(size=12) for _ in range(3)))


def hands(deck, kept=""):
    """Every hand with its chance, card by card."""
    drawn = list(combinations(cards(deck), 5 - len(cards(kept))))
    chances = {}
    for rest in drawn:
        hand = tuple(sorted(rest + cards(kept)))
        chances[hand] = chances.get(hand, 0) + 1 / len(drawn)
    return chances


def uniform(solution):
    mixes = tuple(np.ones_like(mix) for mix in solution.mixes)
    return Solution(solution.hands, mixes)


@pytest.fixture(scope="module")
def fresh_hands():
    """Each hand of a whole deck: its cards, its chance, its strategy."""
    solution = fresh()
    known = solution.hands[0]
    return [
        (hand, known.chance[place], solution.strategy(0, hand))
        for hand, place in known.place.items()
    ]


# --- small decks --------------------------------------------------------------------------------


def test_a_line_that_always_wins_is_found():
    a, b = Draw(pile("1 1 1 1 10")), Draw(pile("1 1 2 2 2"))
    solution = solve(a, b, iterations=100)
    known = cards("1 1 1 1 10"), cards("1 1 2 2 2")
    won = chances_after((a, b), known, stored_prices())["win"]
    assert won > 0.5
    assert solution.value == pytest.approx(won)
    lines = solution.strategy(0, cards("1 1 1 1 10"))
    assert sum(likely for line, likely in lines.items() if 9 in line) == pytest.approx(1, abs=1e-3)


def test_a_card_that_is_sure_to_lose_does_not_go_third():
    a, b = Draw(pile("1 7 7 7 7")), Draw(pile("4 5 8 9 10"))
    lines = solve(a, b, iterations=500).strategy(0, cards("1 7 7 7 7"))
    assert lines[cards("7 7 1")] < 1e-4


def test_a_player_with_better_cards_to_come_avoids_a_decision():
    """The other has fives only. Blocks make sure of another joust, and a 10 wins."""
    prices = Prices(0.6, np.zeros(12), np.zeros(12), 0.3 * np.eye(12)[DOUBLE])
    a, b = Draw(pile("10 10 B B B D")), Draw(pile("5 5 5 5 5"))
    solution = solve(a, b, prices, iterations=100)
    to_come = solution.strategy(0, cards("10 10 B B B"))
    spent = solution.strategy(0, cards("10 B B B D"))
    assert to_come[cards("B B B")] > 0.99
    assert spent[cards("B B B")] < 0.01


@pytest.mark.parametrize(("a", "b"), [("2 5 8 10 D", "2 5 8 10 D"), ("1 4 7 10 D", "3 6 9 B D")])
@pytest.mark.parametrize("prices", [stored_prices(), made_up_prices()])
def test_where_both_hands_are_known_it_is_a_matrix_game(a, b, prices):
    rows, columns = (sorted(set(permutations(cards(hand), 3))) for hand in (a, b))
    draws = Draw(pile(a)), Draw(pile(b))
    after = chances_after(draws, (cards(a), cards(b)), prices)
    matrix = np.array([[after[outcome(own, facing)] for facing in columns] for own in rows])
    solution = solve(*draws, prices, tolerance=1e-6)
    assert solution.exploitability <= 1e-6
    assert solution.value == pytest.approx(game_value(matrix), abs=2e-6)


def game_value(matrix):
    """The value of a matrix game by linear programming."""
    rows, columns = matrix.shape
    result = linprog(
        c=[0] * rows + [-1],
        A_ub=np.hstack([-matrix.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[1] * rows + [0]],
        b_eq=[1],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return result.x[-1]


OTHER_DECK = (0, 0, 0, 0, 9, 9, 9, 0, 0, 0, 3, 3)


@pytest.mark.parametrize(
    ("a", "b", "kept", "whole"),
    [
        ("1 5 6 9 10 D", "2 2 4 7 D B", "", FRESH.deck),
        ("1 5 5 9 10 D", "4 7 10 D B", "B 8 2", FRESH.deck),
        ("5 6 6 7 D B", "5 5 6 7 7 D", "", OTHER_DECK),
        ("1 1 1 5 5 5 9 9 D D", "2 2 2 2 6 6 6 6 B B B", "", FRESH.deck),
    ],
)
@pytest.mark.parametrize("prices", [stored_prices(), made_up_prices()])
def test_the_exploitability_is_that_of_the_best_answers(a, b, kept, whole, prices):
    draws = Draw(pile(a), whole=whole), Draw(pile(b), pile(kept), whole)
    solution = solve(*draws, prices, iterations=20)
    chances = hands(a), hands(b, kept)
    for known, expected in zip(solution.hands, chances, strict=True):
        assert set(known.place) == set(expected)
        assert [known.chance[known.place[hand]] for hand in expected] == pytest.approx(
            list(expected.values())
        )
    best = [best_answer(seat, draws, chances, solution, prices) for seat in (0, 1)]
    assert solution.exploitability == pytest.approx((best[0] + best[1] - 1) / 2, abs=1e-12)
    assert 1 - best[1] <= solution.value <= best[0]


def best_answer(seat, draws, chances, solution, prices):
    """The chance of a seat that always plays the line that is best on average: every hand and line
    of it against every hand and line of the other."""
    draws, chances = ((both[seat], both[1 - seat]) for both in (draws, chances))
    best = 0.0
    for hand, chance in chances[0].items():
        worth = dict.fromkeys(permutations(hand, 3), 0.0)
        for their_hand, likely in chances[1].items():
            after = chances_after(draws, (hand, their_hand), prices)
            for facing, often in solution.strategy(1 - seat, their_hand).items():
                for line in worth:
                    worth[line] += likely * often * after[outcome(line, facing)]
        for line in worth:
            assert solution.worth(seat, hand, line) == pytest.approx(worth[line])
        best += chance * max(worth.values())
    return best


def test_equal_decks_are_even():
    draw = Draw(pile("1 1 2 3 5 6 7 9 10 D B"))
    solution = solve(draw, draw, tolerance=1e-5)
    assert solution.value == pytest.approx(0.5, abs=2e-5)


def test_solving_helps_and_more_of_it_helps_more():
    draws = Draw(pile("1 2 3 5 6 7 9 10 D B")), Draw(pile("1 2 4 5 7 8 9 10 D B"))
    few, many = (solve(*draws, iterations=rounds) for rounds in (20, 200))
    assert uniform(few).exploitability > 10 * few.exploitability > 20 * many.exploitability


def test_a_solution_has_every_line_once_and_probabilities():
    draw = Draw(pile("1 1 2 3 5 5 5"))
    solution = solve(draw, draw, iterations=10)
    for hand in hands("1 1 2 3 5 5 5"):
        lines = solution.strategy(1, hand)
        assert set(lines) == set(permutations(hand, 3))
        assert sum(lines.values()) == pytest.approx(1)


def test_solving_is_deterministic():
    draws = Draw(pile("1 2 3 5 6 7 9 10 D B")), Draw(pile("1 4 5 7 8 9 10 D B"), pile("2 2"))
    one, other = (solve(*draws, iterations=30) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(one.mixes, other.mixes, strict=True))


def test_the_limits_of_time_and_tolerance():
    draw = Draw(pile("1 2 3 5 6 7 9 10 D B"))
    assert solve(draw, draw).exploitability <= 1e-5
    assert solve(draw, draw, tolerance=1e-4).exploitability <= 1e-4
    assert solve(draw, draw, seconds=0.0).exploitability < 0.01  # a few rounds are always played


def test_without_rare_lines_the_likely_ones_are_left():
    draw = Draw(pile("1 2 3 5 6 7 9 10 D B"))
    solution = solve(draw, draw, iterations=30)
    for hand in hands("1 2 3 5 6 7 9 10 D B"):
        lines = solution.strategy(0, hand)
        likely = {line for line in lines if lines[line] >= min(0.3, max(lines.values()))}
        left = solution.without(rare=0.3).strategy(0, hand)
        assert {line for line in left if left[line] > 0} == likely
        assert sum(left.values()) == pytest.approx(1)


# --- fresh decks --------------------------------------------------------------------------------


def test_the_stored_solution_is_an_equilibrium():
    assert len(fresh().hands[0].chance) == 4026
    assert len(set(fresh().hands[0].line.tolist())) == 1725
    assert fresh().exploitability <= 1e-5
    assert abs(fresh().value - 0.5) <= fresh().exploitability  # the game is the same for both
    assert joust.STORE.stat().st_size < 100_000


def test_solving_again_finds_no_other_value():
    solution = solve(FRESH, FRESH, iterations=150)
    assert solution.exploitability < 4e-4
    assert solution.value == pytest.approx(0.5, abs=solution.exploitability)
    mixed = Solution(solution.hands, (solution.mixes[0], fresh().mixes[1]))
    assert -2 * solution.exploitability <= mixed.value - 0.5 <= fresh().exploitability * 2


def test_another_joust_is_priced_like_what_solving_it_finds():
    rng = np.random.default_rng(1)
    whole = np.repeat(np.arange(12), FRESH.deck)
    found, priced = [], []
    for _ in range(6):
        spent = [tuple(rng.choice(whole, 5, replace=False).tolist()) for _ in range(2)]
        decks = [np.array(FRESH.deck) - np.bincount(hand, minlength=12) for hand in spent]
        draws = [Draw(tuple(deck.tolist())) for deck in decks]
        found.append(solve(*draws, iterations=100).value)
        priced.append(chances_after((FRESH, FRESH), spent, stored_prices())["repeat"])
    errors = np.array(found) - priced
    assert np.std(errors) < np.std(found) / 5


def test_double_strikes_are_kept_and_go_late(fresh_hands):
    places = np.zeros(4)  # first, second, third, discarded
    for hand, chance, lines in fresh_hands:
        for line, likely in lines.items():
            for place in range(3):
                places[place] += chance * likely * (line[place] == DOUBLE)
            places[3] += chance * likely * (hand.count(DOUBLE) - line.count(DOUBLE))
    places /= places.sum()
    assert places[3] < 1e-3
    assert places[2] == pytest.approx(0.54, abs=0.05)
    assert places[1] == pytest.approx(0.42, abs=0.05)


def test_a_block_goes_third_in_most_hands(fresh_hands):
    third = held = 0.0
    for hand, chance, lines in fresh_hands:
        if BLOCK in hand:
            held += chance
            third += chance * sum(p for line, p in lines.items() if line[2] == BLOCK)
    assert third / held == pytest.approx(0.79, abs=0.05)


def test_a_three_is_hardly_ever_played(fresh_hands):
    played = held = 0.0
    for hand, chance, lines in fresh_hands:
        held += chance * hand.count(2)
        played += chance * sum(p * line.count(2) for line, p in lines.items())
    assert played / held < 0.05


def test_a_fifth_of_jousts_decide_nothing():
    solution = fresh()
    met = {}
    for line, often in enumerate(joust._sums(solution.hands[0], solution.mixes[0])[OFTEN]):
        if often > 0:
            met[joust.line_cards(line)] = often
    frequent = sorted(met, key=met.get, reverse=True)
    lines = np.array(frequent)
    often = np.array([met[line] for line in frequent])
    is_open = (abs(MARGIN[lines[:, None], lines[None, :]]) < 3).all(axis=2)
    assert often @ is_open @ often == pytest.approx(0.224, abs=0.01)


# --- choosing -----------------------------------------------------------------------------------


def test_a_line_of_fresh_decks_is_drawn_from_the_stored_solution():
    match = table("1 3 6 9 D", "1 1 1 2 2")
    redacted = match.redacted(0)
    lines = [choose_line(redacted, 0, generator(seed)) for seed in range(2000)]
    for line, likely in fresh().strategy(0, cards("1 3 6 9 D")).items():
        assert lines.count(line) / 2000 == pytest.approx(likely, abs=0.04)


def test_a_line_that_was_begun_is_finished():
    for begun in permutations(cards("1 3 6 9 D"), 2):
        match = table("1 3 6 9 D", "1 1 1 2 2")
        for done, card in enumerate(begun, start=1):
            match.play(0, card)
            line = choose_line(match.redacted(0), 0, generator(4))
            assert line[:done] == begun[:done]
            assert line in set(permutations(cards("1 3 6 9 D"), 3))


@pytest.mark.parametrize("options", [{}, {"values": [0, 0, 0, 0, 9, 9, 9, 0, 0, 0]}])
def test_lines_are_chosen_in_every_joust_of_a_game_reshuffles_included(options):
    """Equal lines decide nothing, so there are seven jousts; the hands of the last are drawn
    across a reshuffle (K13)."""
    decks = ["5 5 5 6 6 6 7 7 7 B B B D D D", "5 5 6 6 6"]
    match = table(decks, decks, **options)
    for number in range(7):
        for seat in (0, 1):
            redacted = match.redacted(seat)
            line, again = (
                choose_line(redacted, seat, generator(number), budget=3) for _ in range(2)
            )
            assert line == again
            assert line in set(permutations(cards(" ".join(match.view(seat).hand)), 3))
        assert (match.redacted(0)["kept"] != 0).all() == (number == 6)
        run_joust(match, *(" ".join(match.view(seat).hand[:3]) for seat in (0, 1)))


def test_the_page_about_the_module_is_true():
    assert doctest.testmod(joust).failed == 0


def test_fresh_is_the_usual_deck():
    game = hastilude.load("kings_tournament")
    assert FRESH.deck == (*game.options["values"], 3, 3)
