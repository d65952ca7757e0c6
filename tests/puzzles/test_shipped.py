"""The puzzles that come with the package."""

from contextlib import closing
from datetime import date, timedelta
from importlib.resources import files
from itertools import islice

import pytest

import hastilude
from hastilude import puzzles
from hastilude.bots.analyse import Trials, list_choices
from hastilude.bots.knowledge import VICTORY, load_advice
from hastilude.messages import LANGUAGES, catalogue, render
from hastilude.puzzles.difficulty import BUDGETS, DOUBLING, EASIEST
from hastilude.puzzles.making import likeness, mined
from hastilude.puzzles.mining import DEMANDS, Measured
from hastilude.puzzles.puzzle import Puzzle
from hastilude.reviews.estimate import BLOCK

GAMES = hastilude.games()
MANY = 120  # for each number of players
COUNTS = {"tornei": {3, 4}, "kings_tournament": {2}, "triatri": {2, 3, 4}}
MOST_BYTES = 1_000_000
SAMPLE = 3  # puzzles of each game that are verified
DEALS = 1600


@pytest.fixture(scope="module", params=GAMES)
def shipped(request):
    """The puzzles of a game, with their matches."""
    return [(puzzle, puzzle.match()) for puzzle in puzzles.puzzles(request.param)]


def test_there_are_many_for_every_number_of_players(shipped):
    game = shipped[0][0].game
    counts = [match.game.seats for _, match in shipped]
    assert {seats: counts.count(seats) >= MANY for seats in counts} == dict.fromkeys(
        COUNTS[game], True
    )


def test_together_they_are_small():
    data = files("hastilude.puzzles") / "data"
    assert sum(len(file.read_bytes()) for file in data.iterdir()) <= MOST_BYTES


def test_the_seat_has_exactly_these_choices(shipped):
    for puzzle, match in shipped:
        assert puzzle.seat in match.pending
        possible = list_choices(match.game, match.redacted(puzzle.seat), puzzle.seat)
        texts = {tuple(sorted(map(match.game.text, choice))) for choice in possible}
        assert {tuple(sorted(choice.texts)) for choice in puzzle.choices} == texts
        assert len({choice.texts for choice in puzzle.choices}) == len(puzzle.choices) > 1


def test_the_answer_leads_and_is_not_what_a_quick_player_chooses(shipped):
    for puzzle, _ in shipped:
        assert puzzle.answer.loss == (0, 0)
        assert puzzle.tempting > 0
        for choice in puzzle.choices[1:]:
            assert choice.loss.value >= DEMANDS.lead
            assert choice.loss.value - choice.loss.margin > DEMANDS.least_lead


def test_none_is_like_another(shipped):
    assert len({puzzle.id for puzzle, _ in shipped}) == len(shipped)
    assert len({(match.game, puzzle.source) for puzzle, match in shipped}) == len(shipped)
    assert len({(match.game, likeness(puzzle)) for puzzle, match in shipped}) == len(shipped)


def test_every_puzzle_has_themes_with_names(shipped):
    for puzzle, _ in shipped:
        assert puzzle.themes
        for theme in puzzle.themes:
            assert theme in puzzles.themes(puzzle.game)
            assert all(f"{puzzle.game}_theme_{theme}" in catalogue(one) for one in LANGUAGES)


def test_ratings_are_on_the_scale(shipped):
    scale = {EASIEST + DOUBLING * k for k in range(len(BUDGETS))}
    ratings = {puzzle.rating for puzzle, _ in shipped}
    assert ratings <= scale
    assert len(ratings) > len(scale) / 2  # easy and difficult ones


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_wrong_choice_is_explained(shipped, language):
    for puzzle, match in shipped:
        for choice in puzzle.choices[1:]:
            assert choice.reasons
            for reason in choice.reasons:
                assert render(reason, language, match.game.names(language), puzzle.seat)


def test_taking_a_trick_alone_explains_nothing():
    for puzzle in puzzles.puzzles("tornei"):
        for choice in puzzle.choices[1:]:
            assert choice.reasons[-1].key != "tornei_review_taken"


def test_answers_that_do_the_same_have_the_same_result():
    for puzzle in puzzles.puzzles("kings_tournament"):
        if puzzle.match().view(puzzle.seat).phase == "answer":
            for choice in puzzle.choices[1:]:
                same = choice.reasons[0].key == "kings_tournament_review_keep"
                assert same == (turn_after(puzzle, choice) == turn_after(puzzle, puzzle.answer))


def turn_after(puzzle, choice):
    """Who hits in this turn, and who reveals first in the next."""
    match = puzzle.match()
    match.play(puzzle.seat, choice.texts[0])
    view = match.view(puzzle.seat)
    return view.last_turn.pair.hit and view.last_turn.pair.winner, view.leader


def test_a_puzzle_is_the_same_after_writing_and_reading(shipped):
    for puzzle, _ in shipped[:5]:
        assert Puzzle.from_json(puzzle.to_json()) == puzzle
        assert Puzzle.from_json(puzzle.to_json()).to_json() == puzzle.to_json()


def test_other_deals_confirm_the_answer_and_good_play_does_not_mix(shipped):
    for puzzle, match in shipped[:: len(shipped) // SAMPLE]:
        game, seat = match.game, puzzle.seat
        choices = [tuple(map(game.number, choice.texts)) for choice in puzzle.choices]
        mix = load_advice(game).mix
        assert not mix or mix(match.redacted(seat), seat) in (None, {choices[0]: 1.0})
        trials = Trials(game, match.redacted(seat), seat, 987654321, VICTORY, BLOCK)
        measured = Measured.of(trials, choices, DEALS)
        assert measured.best == choices[0], puzzle.id
        assert measured.lead >= DEMANDS.least_lead, puzzle.id


def test_matches_of_bots_still_have_puzzles():
    game = hastilude.load("kings_tournament", best_of=1)
    with closing(mined(game, seed=1)) as found:
        assert any(islice(found, 20))


# --- which comes next -----------------------------------------------------------------------------


def test_the_puzzle_of_the_day_repeats_only_after_all_others():
    today = date(2026, 11, 18)
    many = len(puzzles.puzzles("triatri"))
    days = [puzzles.daily("triatri", today + timedelta(day)).id for day in range(many)]
    assert len(set(days)) == many
    assert puzzles.daily("triatri", today + timedelta(many)).id == days[0]


def test_the_next_puzzle_suits_the_rating_and_is_new():
    first = puzzles.next("triatri", 1400)
    others = [puzzle.rating for puzzle in puzzles.puzzles("triatri")]
    assert abs(first.rating - 1400) == min(abs(rating - 1400) for rating in others)
    assert puzzles.next("triatri", 1400, {first.id}).id != first.id
    everything = {puzzle.id for puzzle in puzzles.puzzles("triatri")}
    assert puzzles.next("triatri", 1400, everything) is None


@pytest.mark.parametrize("game", GAMES)
def test_the_next_puzzle_of_a_theme(game):
    assert puzzles.themes(game)
    for theme in puzzles.themes(game):
        assert theme in puzzles.next(game, 1200, theme=theme).themes


def test_an_unknown_theme_is_refused():
    with pytest.raises(hastilude.OptionError, match="Did you mean exchange"):
        puzzles.next("triatri", 1200, theme="exchnge")


def test_an_unknown_game_is_refused():
    with pytest.raises(hastilude.OptionError, match="There is no game named chess"):
        puzzles.daily("chess", date(2026, 1, 1))


def test_a_puzzle_is_found_by_its_id():
    puzzle = puzzles.puzzles("triatri")[5]
    assert puzzles.find("triatri", puzzle.id) is puzzle
    assert puzzles.find("triatri", "nothing") is None
