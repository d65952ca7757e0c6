"""The walk-throughs: played on the engine, and what their sentences claim held to what happens."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic import ValidationError

import hastilude
from hastilude.core.errors import IllegalAction, OptionError
from hastilude.core.events import Event
from hastilude.core.match import Match
from hastilude.games import lessons
from hastilude.games.kings_tournament import events as king
from hastilude.games.lessons import Lesson, LessonStep, lesson
from hastilude.games.rulebook import clauses
from hastilude.games.tornei import events as tornei
from hastilude.games.triatri import events as triatri
from hastilude.messages import LANGUAGES, Message, catalogue, kinds, render

GAMES = hastilude.games()
MOST_STEPS = 20
MOST_CHARACTERS = 220  # of an English sentence
CARD = re.compile(r"\b[A-Z]\d+", re.ASCII)  # no blanks around a card in Japanese


@dataclass
class Walk:
    """A lesson played as its client plays it; what there was to see when the learner had made
    0, 1, 2 … choices."""

    lesson: Lesson
    match: Match
    views: list[Any] = field(default_factory=list)
    events: list[list[Event]] = field(default_factory=list)  # since the learner's choice before

    def look(self) -> None:
        seat, told = self.lesson.seat, sum(len(events) for events in self.events)
        self.views.append(self.match.view(seat))
        self.events.append(self.match.events(seat, told))


def walk(name: str) -> Walk:
    """Every seat plays what is written for it as soon as it is asked, the learner last."""
    told = lesson(name)
    match = hastilude.load(name, **told.options).new(chance=told.chance)
    walked = Walk(told, match)
    waiting = {
        seat: [actions for one, actions in told.plays if one == seat]
        for seat in range(match.game.seats)
    }
    while not match.over:
        others = [seat for seat in match.pending if seat != told.seat]
        if others:
            choose(match, others[0], waiting[others[0]].pop(0))
            continue
        walked.look()
        if not waiting[told.seat]:
            break
        choose(match, told.seat, waiting[told.seat].pop(0))
    else:
        walked.look()
    assert not any(waiting.values())  # all that is written was played
    return walked


def choose(match: Match, seat: int, actions: list[str]) -> None:
    """One whole choice, which the match must allow."""
    rehearsal = match.rehearse(seat)
    for action in actions:
        rehearsal.play(action)
    assert rehearsal.whole
    for action in actions:
        match.play(seat, action)


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_can_be_played_to_its_last_step(game: str):
    walked = walk(game)
    assert len(walked.views) == walked.lesson.steps[-1].at + 1


@pytest.mark.parametrize("game", GAMES)
def test_the_plays_are_written_in_an_order_in_which_they_can_be_made(game: str):
    told = lesson(game)
    match = hastilude.load(game, **told.options).new(chance=told.chance)
    for seat, actions in told.plays:
        choose(match, seat, actions)
    assert match.over or match.pending == (told.seat,)  # nothing moves while the end is read


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_is_short(game: str):
    steps = lesson(game).steps
    assert len(steps) <= MOST_STEPS
    for step in steps:
        assert len(catalogue("en")[step.say]) <= MOST_CHARACTERS, step.say


@pytest.mark.parametrize("game", GAMES)
def test_every_sentence_is_there_and_cites_clauses_that_there_are(game: str):
    told = lesson(game)
    for step in told.steps:
        assert step.say.startswith(f"{game}_lesson_")
        for language in LANGUAGES:
            text = catalogue(language)[step.say]
            assert {*re.findall(r"{(\w+)}", text)} == set(step.values), step.say
            assert render(Message(step.say, step.values), language)
        assert all(kinds()[name] == "seat" for name in step.values)
        assert all(0 <= seat < len(told.seats) for seat in step.values.values())
        assert set(step.clauses) <= set(clauses(game))


@pytest.mark.parametrize("game", GAMES)
def test_no_sentence_of_a_lesson_is_left_over(game: str):
    said = [step.say for step in lesson(game).steps]
    written = [key for key in catalogue("en") if key.startswith(f"{game}_lesson_")]
    assert said == written


@pytest.mark.parametrize("game", GAMES)
def test_both_languages_speak_of_the_same_cards_and_ask_for_the_play(game: str):
    for step in lesson(game).steps:
        english, japanese = (set(CARD.findall(catalogue(la)[step.say])) for la in LANGUAGES)
        assert english == japanese, step.say
        for action in step.play or ():
            for language in LANGUAGES:
                assert is_asked_for(action, catalogue(language)[step.say]), step.say


def is_asked_for(action: str, sentence: str) -> bool:
    spoken = {"supply:G": "name green|緑を指定"}.get(action, rf"\b{action}\b")
    return bool(re.search(spoken, sentence, re.ASCII))


# --- what the sentences claim ---------------------------------------------------------------------


def test_tornei_ranks_by_suit_then_aims_then_makes_a_void():
    walked = walk("tornei")
    hands = [view.hand for view in walked.views]
    first, second, third = walked.events[2], walked.events[4], walked.events[6]
    # at 0: the learner leads, and C1 and W1 are theirs.
    assert walked.match.game.options["first_dealer"] == 3
    assert {"C1", "W1"} <= set(hands[0])
    # at 2: Cross was led, the 2 of Wyvern wins; one is right and one is wrong about it.
    for place, seat, card in ((1, 1, "W2"), (2, 3, "F14"), (3, 2, "C14"), (4, 0, "C1")):
        assert tornei.Ranked(seat, card, place) in first
    assert tornei.PredictedRight(0, "C8", 4, 2) in first
    assert tornei.PredictedWrong(2, "W8", 1, 3) in first
    assert walked.views[2].boards[0].right == ("C8",)
    assert walked.views[2].boards[2].wrong == ("W8",)
    assert tornei.Won(1, "W2") in first
    # … S12 is led; F6 is the only Fleur-de-lis.
    assert tornei.Led(1, "S12", "S") in first
    assert [card for card in hands[2] if card[0] in "FS"] == ["F6", "S14", "S9", "S4", "S2"]
    # at 3: three cards lie there, and S14 would have come first.
    assert [card for card in walked.views[3].jousts if card] == ["S12", "S5", "S3"]
    assert "S14" in hands[3]
    # at 4: second, as predicted; the prediction has made a void.
    assert tornei.PredictedRight(0, "F6", 2, 3) in second
    assert tornei.Led(1, "F13", "F") in second
    assert not [card for card in hands[4] if card[0] == "F"]
    assert [card for card in hands[4] if card[0] == "W"] == ["W10", "W6", "W1"]
    # at 5: no other Wyvern lies there.
    assert [card for card in walked.views[5].jousts if card] == ["F13", "F4", "F9"]
    # at 6: the smallest Wyvern has won.
    assert tornei.Discarded(0, "W1", "F") in third
    assert tornei.PredictedRight(0, "W6", 1, 2) in third
    assert tornei.PredictedWrong(1, "W7", 1, 2) in third
    assert tornei.Won(0, "W1") in third
    right = [e.points for e in all_events(walked) if at_seat(e, tornei.PredictedRight)]
    assert right == [2, 3, 2]
    assert sum(at_seat(e, tornei.Won) for e in all_events(walked)) == 1


def test_king_is_unhorsed_by_the_third_pair_and_defeated_by_patience():
    walked = walk("kings_tournament")
    joust, hit, missed, tie, blow = walked.events[1:]
    hands = [view.hand for view in walked.views]
    assert hands[0] == ("1", "2", "3", "5", "D")
    # at 1: the third pair decides; the others, which were lost, are ignored.
    decided, second, first = (
        e for e in joust if isinstance(e, (king.PairDecided, king.PairIgnored))
    )
    assert decided == king.PairDecided(0, "D", 14, 1, "7", 7, 7, 3)
    assert (second.seat, second.card, second.other_card) == (1, "9", "5")
    assert (first.seat, first.card, first.other_card) == (1, "10", "3")
    assert king.Unhorsed(loser=1, winner=0) in joust
    assert king.MountedFirst(0) in joust
    assert hands[1] == ("1", "3", "9", "10", "B")
    # at 2: the horse is lost; the stronger card has to reveal first.
    assert king.Hit(1, "D", 20, 0, "10", 10, 10) in hit
    assert king.Dismounted(0) in hit
    assert king.StrongerFirst(1) in hit
    assert walked.views[2].led == "6"
    # at 3: no hit, and the other reveals again.
    assert king.Missed(1, "6", 6, 0, "1", 1, 5) in missed
    assert king.StrongerFirst(1) in missed
    assert walked.views[3].led == "10"
    assert set(hands[3]) == {"3", "9", "B"}
    # at 4: the block ties, and the same reveals first.
    assert any(isinstance(e, king.Blocked) for e in tie)
    assert king.SameFirst(1) in tie
    assert walked.views[4].led == "2"
    # at 5: defeated.
    assert king.Hit(0, "9", 9, 1, "2", 2, 7) in blow
    assert king.Defeated(1) in blow
    assert walked.match.winners == (0,)


def test_triatri_doubles_counts_four_times_and_exchanges():
    walked = walk("triatri")
    started, won, named, lost, swapped = walked.events[1:]
    hands = [view.hand for view in walked.views]
    assert hands[0] == ("R3", "B7", "G2", "G5", "G6", "X")
    # at 1: another starts, without green; B4 is doubled.
    assert triatri.StartByNumber(1, "G7", 7) in started
    assert triatri.GemFromSupply(1, "G", 5) in started
    assert triatri.PlayedFreely(1, "R5", 5, "G") in started
    assert triatri.PlayedFreely(2, "B4", 4, "G") in started
    assert triatri.Doubled(2, "B4", 4, 8, "B", "R", 1, "R5") in started
    # at 2: G2 counts four times, and wins by colour.
    assert triatri.Quadrupled(0, "G2", 2, 8, "G", "B", 2, "B4") in won
    assert triatri.WonByColour(0, "G2", 8, "G", "B", "G") in won
    assert triatri.StartsNext(0) in won
    # at 3: the learner's gem; G6 is the highest green card.
    assert triatri.GemFromSupply(0, "G", 4) in named
    assert [card for card in hands[3] if card[0] == "G"] == ["G5", "G6"]
    # at 4: fire after wood wins; then a gem of one's own, and B6 doubled.
    assert triatri.PlayedFreely(1, "R7", 7, "G") in lost
    assert triatri.Doubled(1, "R7", 7, 14, "R", "G", 0, "G6") in lost
    assert triatri.WonByWorth(1, "R7", 14, "G") in lost
    assert triatri.GemOfOwn(1, "G", 0) in lost
    assert triatri.Doubled(2, "B6", 6, 12, "B", "R", 1, "R6") in lost
    assert hands[4] == ("B7", "G5", "X")
    # at 5: B6 with its worth for the exchange card.
    assert triatri.Swapped(0, 2, "B6", 12) in swapped
    assert triatri.WonByWorth(0, "B6", 12, "G") in swapped
    last = walked.views[5]
    assert last.last_trick.lies[2].card == "X"
    assert (last.gems[0], last.supply["G"], last.scores[0]) == ({"R": 0, "B": 0, "G": 2}, 4, 8)


# The sentences also say what another card would have come to.


def instead(game: str, made: int, *actions: str) -> list[Event]:
    """What the learner sees who plays something else after `made` choices of the lesson."""
    told = lesson(game)
    match = hastilude.load(game, **told.options).new(chance=told.chance)
    own = [n for n, (seat, _) in enumerate(told.plays) if seat == told.seat]
    for seat, written in told.plays[: own[made]]:
        choose(match, seat, written)
    since = len(match.events(told.seat))
    choose(match, told.seat, list(actions))
    return match.events(told.seat, since)


def test_tornei_S14_would_win_and_be_predicted_wrong():
    events = instead("tornei", 3, "S14")
    assert tornei.Won(0, "S14") in events
    assert tornei.PredictedWrong(0, "F6", 2, 1) in events


def test_king_9_would_have_to_reveal_first_and_3_would_lose():
    events = instead("kings_tournament", 2, "9")
    assert king.Missed(0, "9", 9, 1, "6", 6, 3) in events
    assert king.StrongerFirst(0) in events
    assert king.Defeated(0) in instead("kings_tournament", 3, "3")


def test_triatri_G5_would_be_doubled_in_vain_and_nothing_else_could_be_played():
    events = instead("triatri", 4, "G5")
    assert triatri.Doubled(0, "G5", 5, 10, "G", "B", 2, "B6") in events
    assert triatri.WonByWorth(2, "B6", 12, "G") in events
    with pytest.raises(IllegalAction):
        instead("triatri", 4, "B7")


def all_events(walked: Walk) -> list[Any]:
    return [event for events in walked.events for event in events]


def at_seat(event: Any, kind: type[Event]) -> bool:
    """Whether it is the learner's."""
    return isinstance(event, kind) and getattr(event, "seat", None) == 0


# --- reading --------------------------------------------------------------------------------------


def content(**changed: Any) -> str:
    """A small lesson, and what is changed in it."""
    step = {"say": "a", "clauses": ["K1"]}
    whole = {
        "options": {},
        "seat": 0,
        "seats": [None, "script"],
        "chance": [],
        "plays": [[0, ["1"]], [1, ["2"]]],
        "steps": [{"at": 0, "play": ["1"], **step}, {"at": 1, **step}],
    }
    return json.dumps(whole | changed)


def test_a_lesson_is_read():
    told = Lesson.model_validate_json(content())
    assert told.steps[0] == LessonStep(at=0, say="a", play=["1"], clauses=["K1"])


SAID = {"say": "a", "clauses": ["K1"]}
WRONG: list[dict[str, Any]] = [
    {"seat": 1},
    {"seats": [None, None]},
    {"seats": ["script", "page"]},
    {"plays": [[0, ["2"]]]},
    {"plays": []},
    {"steps": [{"at": 0, "play": ["1"], **SAID}]},  # an end is missing
    {"steps": [{"at": 0, "play": ["1"], **SAID}, {"at": 2, **SAID}]},
    {"steps": [{"at": 0, "play": ["1"], **SAID}, {"at": 0, **SAID}, {"at": 1, **SAID}]},
    {"steps": [{"at": 0, "play": ["1"], "point": "the sky", **SAID}, {"at": 1, **SAID}]},
    {"steps": [{"at": 0, "play": ["1"], "say": "a", "clauses": []}, {"at": 1, **SAID}]},
    {"title": "First game"},
]


@pytest.mark.parametrize("changed", WRONG, ids=str)
def test_what_does_not_fit_together_is_not_read(changed: dict[str, Any]):
    with pytest.raises(ValidationError):
        Lesson.model_validate_json(content(**changed))


def test_a_game_without_a_lesson_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lessons, "game_class", lambda name: None)
    with pytest.raises(OptionError, match="no lesson for unwritten"):
        lesson("unwritten")
