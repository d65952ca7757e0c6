"""The solved joust against brute force, and what is known of good jousting."""

import doctest
from itertools import combinations, permutations

import numpy as np
import pytest
from scipy.optimize import linprog

import hastilude
from hastilude.core.random import generator
from hastilude.games.kings_tournament import joust
from hastilude.games.kings_tournament.cards import MARGIN
from hastilude.games.kings_tournament.joust import (
    EVEN,
    FRESH,
    Draw,
    Solution,
    Values,
    choose_line,
    fresh,
    solve,
)
from hastilude.games.kings_tournament.notation import CARD_TEXTS
from tests.kings_tournament.tables import joust as run_joust
from tests.kings_tournament.tables import table

DOUBLE, BLOCK = 10, 11


def cards(text):
    return tuple(CARD_TEXTS.index(card) for card in text.split())


def pile(text):
    return tuple(cards(text).count(card) for card in range(12))


def outcome(own, facing, values=EVEN):
    """K7, written down once more: the third cards, then the second, then the first."""
    for card, other in zip(reversed(own), reversed(facing), strict=True):
        if MARGIN[card, other] >= 3:
            return values.win
        if MARGIN[card, other] <= -3:
            return values.lose
    return values.repeat


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
    return Solution(solution.hands, mixes, solution.values)


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
    assert solution.value == pytest.approx(1)
    lines = solution.strategy(0, cards("1 1 1 1 10"))
    assert sum(likely for line, likely in lines.items() if 9 in line) == pytest.approx(1, abs=1e-3)


def test_a_card_that_is_sure_to_lose_does_not_go_third():
    a, b = Draw(pile("1 7 7 7 7")), Draw(pile("4 5 8 9 10"))
    lines = solve(a, b, iterations=500).strategy(0, cards("1 7 7 7 7"))
    assert lines[cards("7 7 1")] < 1e-4


@pytest.mark.parametrize(
    ("a", "b", "values"),
    [
        ("2 5 8 10 D", "2 5 8 10 D", EVEN),
        ("1 4 7 10 D", "3 6 9 B D", EVEN),
        ("1 4 7 10 D", "3 6 9 B D", Values(0.7, -0.4, 0.2)),
    ],
)
def test_where_both_hands_are_known_it_is_a_matrix_game(a, b, values):
    rows, columns = (sorted(set(permutations(cards(hand), 3))) for hand in (a, b))
    matrix = np.array([[outcome(own, facing, values) for facing in columns] for own in rows])
    solution = solve(Draw(pile(a)), Draw(pile(b)), values, tolerance=1e-5)
    assert solution.exploitability <= 1e-5
    assert solution.value == pytest.approx(game_value(matrix), abs=5e-5)


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


@pytest.mark.parametrize(
    ("a", "b", "kept"),
    [("1 5 6 9 10 D B", "2 2 4 7 10 D B", ""), ("1 5 5 9 10 D", "4 7 10 D B", "B 8 2")],
)
@pytest.mark.parametrize("values", [EVEN, Values(0.7, -0.4, 0.2)])
def test_the_exploitability_is_that_of_the_best_answers(a, b, kept, values):
    draws = Draw(pile(a)), Draw(pile(b), pile(kept))
    solution = solve(*draws, values, iterations=20)
    chances = hands(a), hands(b, kept)
    for known, expected in zip(solution.hands, chances, strict=True):
        assert set(known.place) == set(expected)
        assert [known.chance[known.place[hand]] for hand in expected] == pytest.approx(
            list(expected.values())
        )
    swapped = Values(-values.lose, -values.win, -values.repeat)
    best = [
        best_answer(chances[seat], chances[1 - seat], solution, seat, own)
        for seat, own in enumerate((values, swapped))
    ]
    assert solution.exploitability == pytest.approx(sum(best) / 2)
    assert -best[1] <= solution.value <= best[0]


def best_answer(own_hands, their_hands, solution, seat, values):
    met = {}
    for hand, chance in their_hands.items():
        for line, likely in solution.strategy(1 - seat, hand).items():
            met[line] = met.get(line, 0) + chance * likely

    def worth(line):
        return sum(often * outcome(line, facing, values) for facing, often in met.items())

    for line in permutations(next(iter(own_hands)), 3):
        assert solution.worth(seat, line) == pytest.approx(worth(line))
    return sum(
        chance * max(worth(line) for line in set(permutations(hand, 3)))
        for hand, chance in own_hands.items()
    )


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
    assert solve(draw, draw).exploitability <= 1e-4
    assert solve(draw, draw, tolerance=1e-3).exploitability <= 1e-3
    assert solve(draw, draw, seconds=0.0).exploitability < 0.1  # a few rounds are always played


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
    assert fresh().exploitability <= 1e-4
    assert abs(fresh().value) <= fresh().exploitability  # the game is the same for both
    assert joust.STORE.stat().st_size < 1_000_000


def test_solving_again_finds_no_other_value():
    solution = solve(FRESH, FRESH, iterations=150)
    assert solution.exploitability < 3e-3
    assert solution.value == pytest.approx(0, abs=solution.exploitability)
    mixed = Solution(solution.hands, (solution.mixes[0], fresh().mixes[1]), EVEN)
    assert -2 * solution.exploitability <= mixed.value <= fresh().exploitability * 2


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
    for line, often in enumerate(joust._met(solution.hands[0], solution.mixes[0])):
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
