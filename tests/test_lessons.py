"""The walk-throughs: played on the engine, and what their sentences claim held to what happens."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

import hastilude
from hastilude.core.errors import IllegalAction, OptionError
from hastilude.core.events import Event
from hastilude.core.match import Match
from hastilude.games import lessons
from hastilude.games.kings_tournament import events as king
from hastilude.games.kings_tournament import rules as king_rules
from hastilude.games.kings_tournament.notation import CARD_TEXTS
from hastilude.games.lessons import Lesson, LessonStep, lesson
from hastilude.games.rulebook import clauses
from hastilude.games.tornei import events as tornei
from hastilude.games.tornei import rules as tornei_rules
from hastilude.games.triatri import events as triatri
from hastilude.games.triatri import rules as triatri_rules
from hastilude.messages import LANGUAGES, Message, catalogue, kinds, render

GAMES = hastilude.games()
MOST_STEPS = 14
MOST_GUIDED = 10  # steps before the first free choice
MOST_WORDS = 35  # of an English sentence
MOST_WORDS_WHY = 22
MOST_CHARACTERS = 90  # of a Japanese one
CARD = re.compile(r"\b[A-Z]\d+", re.ASCII)  # no blanks around a card in Japanese


@dataclass
class Walk:
    """A lesson played as its client plays it; what there was to see when the learner had made
    0, 1, 2 … choices."""

    lesson: Lesson
    match: Match
    waiting: dict[int, list[list[str]]]  # what is written, by seat, and was not played yet
    views: list[Any] = field(default_factory=list)
    events: list[list[Event]] = field(default_factory=list)  # since the learner's choice before

    def look(self) -> None:
        seat, told = self.lesson.seat, sum(len(events) for events in self.events)
        self.views.append(self.match.view(seat))
        self.events.append(self.match.events(seat, told))

    def ended(self, chapter: str) -> int:
        """How many chapters of a kind have ended."""
        return sum(event.ends == chapter for event in self.match.events(self.lesson.seat))


def walk(name: str, *free: str, upto: int | None = None) -> Walk:
    """Every seat plays what is written for it as soon as it is asked, the learner last. After
    that, or after `upto` choices, the learner makes `free` choices."""
    told = lesson(name)
    match = hastilude.load(name, **told.options).new(chance=told.chance)
    waiting = {
        seat: [actions for one, actions in told.plays if one == seat]
        for seat in range(match.game.seats)
    }
    own = [*waiting[told.seat][:upto], *([action] for action in free)]
    walked = Walk(told, match, waiting)
    while not match.over:
        others = [seat for seat in match.pending if seat != told.seat]
        if others and not waiting[others[0]]:
            break  # from here on a bot plays
        if others:
            choose(match, others[0], waiting[others[0]].pop(0))
            continue
        walked.look()
        if not own:
            break
        choose(match, told.seat, own.pop(0))
    else:
        walked.look()
    assert not own  # the learner could make all these choices
    return walked


def choose(match: Match, seat: int, actions: list[str]) -> None:
    """One whole choice, which the match must allow."""
    rehearsal = match.rehearse(seat)
    for action in actions:
        rehearsal.play(action)
    assert rehearsal.whole
    for action in actions:
        match.play(seat, action)


def ways(name: str, *chosen: str) -> Iterator[Walk]:
    """The lesson with everything that the learner may choose in the free step."""
    walked = walk(name, *chosen)
    free = next(step.free for step in walked.lesson.steps if step.free)
    seat, match = walked.lesson.seat, walked.match
    if match.over or walked.ended(free.until) >= free.number:
        yield walked
        return
    assert match.pending == (seat,)
    for action in match.legal(seat):
        yield from ways(name, *chosen, match.game.text(action))


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_can_be_played_whatever_the_learner_chooses(game: str):
    for walked in ways(game):  # the others may always play what is written for them
        assert walked.match.over or not any(
            plays for seat, plays in walked.waiting.items() if seat != walked.lesson.seat
        )


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_begins_with_the_aim_and_soon_leaves_the_learner_free(game: str):
    steps = lesson(game).steps
    assert steps[0].say == f"{game}_lesson_aim"
    assert re.match(r"(Win|Score)\b.* by\b|Win more\b", catalogue("en")[steps[0].say])
    free = next(number for number, step in enumerate(steps) if step.free)
    assert free <= MOST_GUIDED
    assert free < len(steps) - 1


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_is_short(game: str):
    steps = lesson(game).steps
    assert len(steps) <= MOST_STEPS
    for step in steps:
        assert len(catalogue("en")[step.say].split()) <= MOST_WORDS, step.say
        assert len(catalogue("ja")[step.say]) <= MOST_CHARACTERS, step.say
        if step.play:
            assert len(catalogue("en")[f"{step.say}_why"].split()) <= MOST_WORDS_WHY, step.say


@pytest.mark.parametrize("game", GAMES)
def test_every_sentence_is_there_and_cites_clauses_that_there_are(game: str):
    told = lesson(game)
    for step in told.steps:
        assert step.say.startswith(f"{game}_lesson_")
        for language in LANGUAGES:
            text = catalogue(language)[step.say]
            assert {*re.findall(r"{(\w+)}", text)} == set(step.values), step.say
            assert render(Message(step.say, step.values), language)
            if step.picture:
                values = set(re.findall(r"{(\w+)}", alternative(game, step, language)))
                assert values <= set(step.picture.values), step.say
        assert all(kinds()[name] == "seat" for name in step.values)
        assert all(0 <= seat < len(told.seats) for seat in step.values.values())
        assert set(step.clauses) <= set(clauses(game))


def alternative(game: str, step: LessonStep, language: str) -> str:
    """The text alternative of a step's picture."""
    assert step.picture
    text: str = catalogue(language)[f"{game}_picture_{step.picture.name}"]
    return text


@pytest.mark.parametrize("game", GAMES)
def test_no_sentence_of_a_lesson_is_left_over(game: str):
    steps = lesson(game).steps
    said = [key for step in steps for key in (step.say, *([f"{step.say}_why"] * bool(step.play)))]
    written = [key for key in catalogue("en") if key.startswith(f"{game}_lesson_")]
    assert said == written


@pytest.mark.parametrize("game", GAMES)
def test_both_languages_speak_of_the_same_cards_and_ask_for_the_play(game: str):
    for step in lesson(game).steps:
        for key in (step.say, *([f"{step.say}_why"] * bool(step.play))):
            english, japanese = (set(CARD.findall(catalogue(la)[key])) for la in LANGUAGES)
            assert english == japanese, key
            for action in step.play or ():
                for language in LANGUAGES:
                    assert is_asked_for(action, catalogue(language)[key]), key


def is_asked_for(action: str, sentence: str) -> bool:
    spoken = {"supply:G": "name green|緑を指定"}.get(action, rf"\b{action}\b")
    return bool(re.search(spoken, sentence, re.ASCII))


# --- what the sentences claim ---------------------------------------------------------------------


def happened(events: list[Event], kind: type[Event], **facts: Any) -> bool:
    """Whether there was an event of this kind with these facts."""
    return any(isinstance(event, kind) and facts.items() <= vars(event).items() for event in events)


def test_tornei_ranks_by_suit_then_aims_then_makes_a_void():
    walked = walk("tornei")
    hands = [view.hand for view in walked.views]
    first, second = walked.events[2], walked.events[4]
    # The learner leads, and C1 and W1 are theirs.
    assert walked.match.game.options["first_dealer"] == 3
    assert {"C1", "W1"} <= set(hands[0])
    # After the first trick: Cross was led, the 2 of Wyvern wins; one is right, one is wrong.
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
    # Three cards lie there, and only S9 finishes second.
    assert [card for card in walked.views[3].jousts if card] == ["S12", "S5", "S3"]
    for card in ("S14", "S9", "S4", "S2"):
        right = tornei.PredictedRight(0, "F6", 2, 3) in walk("tornei", card, upto=3).events[4]
        assert right == (card == "S9")
    assert tornei.Won(0, "S14") in walk("tornei", "S14", upto=3).events[4]
    # The prediction has made a void: any card may joust, and every one is offered.
    assert tornei.PredictedRight(0, "F6", 2, 3) in second
    assert tornei.Led(1, "F13", "F") in second
    assert not [card for card in hands[4] if card[0] == "F"]
    played = walk("tornei", "C3")
    assert len(played.match.legal(0)) == len(played.match.view(0).hand)


def test_tornei_W6_and_W1_would_win_the_free_trick():
    walked = walk("tornei", "W6", "W1")
    events = walked.match.events(0)
    assert tornei.PredictedRight(0, "W6", 1, 2) in events
    assert tornei.Won(0, "W1") in events
    others = [e.card for e in events if isinstance(e, tornei.Ranked) and e.seat != 0]
    assert not [card for card in others[-3:] if card[0] == "W"]


def test_king_is_unhorsed_by_the_third_pair():
    walked = walk("kings_tournament")
    joust, hit, missed = walked.events[1:]
    hands = [view.hand for view in walked.views]
    assert hands[0] == ("1", "2", "3", "5", "D")
    # The third pair decides; the others, which were lost, are ignored.
    decided, second, first = (
        e for e in joust if isinstance(e, (king.PairDecided, king.PairIgnored))
    )
    assert decided == king.PairDecided(0, "D", 14, 1, "7", 7, 7, 3, 3)
    assert (second.seat, second.card, second.other_card) == (1, "9", "5")
    assert (first.seat, first.card, first.other_card) == (1, "10", "3")
    assert king.Unhorsed(loser=1, winner=0) in joust
    # The only rider reveals first; of their cards 10 hits most values.
    assert king.MountedFirst(0) in joust
    assert hands[1] == ("1", "3", "9", "10", "B")
    hurt = [low for low in range(1, 11) if king_rules.hits(10 - low, king_rules.HIT)]
    assert hurt == [1, 2, 3]
    # The horse is lost; the stronger card has to reveal first.
    assert king.Hit(1, "D", 20, 0, "10", 10, 10) in hit
    assert king.Dismounted(0) in hit
    assert king.StrongerFirst(1) in hit
    assert walked.views[2].led == "6"
    # No answer is a hit, and 9 would have to reveal first.
    for card in hands[2]:
        other = walk("kings_tournament", card, upto=2).match.events(0)
        assert [e for e in other if isinstance(e, king.Hit)] == [
            e for e in hit if isinstance(e, king.Hit)
        ]
    nine = walk("kings_tournament", "9", upto=2).match.events(0)
    assert king.Missed(0, "9", 9, 1, "6", 6, 3) in nine
    assert king.StrongerFirst(0) in nine
    # After the 1 the other reveals again.
    assert king.Missed(1, "6", 6, 0, "1", 1, 5) in missed
    assert king.StrongerFirst(1) in missed
    assert walked.views[3].led == "10"
    assert set(hands[3]) == {"3", "9", "B"}


def test_king_wins_with_B_and_9_and_loses_with_3():
    walked = walk("kings_tournament", "B", "9")
    tie, blow = walked.events[4:]
    assert any(isinstance(e, king.Blocked) for e in tie)
    assert king.SameFirst(1) in tie
    assert walked.views[4].led == "2"
    assert king.Hit(0, "9", 9, 1, "2", 2, 7) in blow
    assert walked.match.winners == (0,)
    assert king.Defeated(0) in walk("kings_tournament", "3").match.events(0)


def test_triatri_doubles_and_counts_four_times():
    walked = walk("triatri")
    started, won = walked.events[1:3]
    hands = [view.hand for view in walked.views]
    assert hands[0] == ("R3", "B7", "G2", "G5", "G6", "X")
    # Another starts, without green; B4 is doubled.
    assert triatri.StartByNumber(1, "G7", 7) in started
    assert happened(started, triatri.GemFromSupply, seat=1, gem="G", left=5)
    assert triatri.PlayedFreely(1, "R5", 5, "G") in started
    assert triatri.Doubled(2, "B4", 4, 8, "B", "R", 1, "R5") in started
    # G2 counts four times, and wins by colour; the other green cards and X would win too.
    assert triatri.Quadrupled(0, "G2", 2, 8, "G", "B", 2, "B4") in won
    assert happened(won, triatri.WonByColour, seat=0, card="G2", worth=8, beaten="B")
    assert triatri.StartsNext(0) in won
    for card in ("G5", "G6", "X"):
        assert triatri.StartsNext(0) in walk("triatri", card, upto=1).match.events(0)
    with pytest.raises(IllegalAction):
        walk("triatri", "B7", upto=1)


def test_triatri_scores_what_is_left_in_the_supply_and_less_when_it_shrinks():
    before, after = walk("triatri").views[2:4]
    for view, step in ((before, "score"), (after, "fall")):
        values = picture("triatri", step)
        tally = view.tallies[0]
        assert (tally.left, tally.left_gem) == (values["left"], values["gem"])
        assert (view.supply["G"], tally.left_points) == (values["supply"], values["points"])
        assert view.scores[0] == values["points"]
    assert picture("triatri", "fall")["before"] == before.scores[0] > after.scores[0]
    spoken = {step: catalogue("en")[f"triatri_lesson_{step}"] for step in ("score", "fall")}
    assert f"now {before.scores[0]}" in spoken["score"]
    assert f"only {after.scores[0]}" in spoken["fall"]
    values = picture("triatri", "mixed")
    assert values["pair_points"] == triatri_rules.points(*triatri_rules.sort_gems(1, 0, 1)[:3], 6)
    assert values["set_points"] == triatri_rules.points(*triatri_rules.sort_gems(1, 1, 1)[:3], 6)


def test_triatri_playing_first_is_hard_and_playing_last_is_strong():
    # Whatever starts the trick, the next player's R7 wins it.
    assert [text for text in walk("triatri").match.view(0).hand if text != "B7"] == [
        "G5",
        "G6",
        "X",
    ]
    for card in ("G5", "G6", "X"):
        assert triatri.StartsNext(1) in walk("triatri", card).events[4]
    lost = walk("triatri", "G6").events[4]
    assert triatri.Doubled(1, "R7", 7, 14, "R", "G", 0, "G6") in lost
    assert triatri.Doubled(2, "B6", 6, 12, "B", "R", 1, "R6") in lost
    swapped = walk("triatri", "G6", "X").match.events(0)
    assert triatri.Swapped(0, 2, "B6", 12) in swapped
    assert happened(swapped, triatri.WonByWorth, seat=0, card="B6", worth=12)
    tied = walk("triatri", "G5", "G6").match.events(0)
    assert triatri.Doubled(0, "G6", 6, 12, "G", "B", 2, "B6") in tied
    assert happened(tied, triatri.WonByColour, seat=0, card="G6", worth=12, beaten="B")


# --- what the pictures show -----------------------------------------------------------------------


def step_of(game: str, name: str) -> LessonStep:
    (found,) = [step for step in lesson(game).steps if step.say == f"{game}_lesson_{name}"]
    return found


def picture(game: str, step: str) -> dict[str, Any]:
    """The facts that the picture of a step shows."""
    found = step_of(game, step).picture
    assert found
    return dict(found.values)


def test_pictures_of_tornei():
    view = walk("tornei").views[0]
    places = sorted(view.suit_places, key=view.suit_places.__getitem__)
    for step in ("suits", "prediction", "points"):
        assert picture("tornei", step)["suits"] == places
    first = [e for e in walk("tornei").events[2] if isinstance(e, tornei.Ranked)]
    assert [e.card[0] for e in sorted(first, key=lambda e: e.place)][:2] == places[:2]
    assert picture("tornei", "points")["points"] == [
        int(tornei_rules.PLACE_POINTS[place]) for place in range(4)
    ]


@pytest.mark.parametrize("step", ["worth", "third", "melee"])
def test_pictures_of_kings_tournament(step: str):
    values = picture("kings_tournament", step)
    number = CARD_TEXTS.index
    pairs = list(zip(values["cards"], values["against"], strict=True))
    margins = [int(king_rules.MARGIN[number(card), number(other)]) for card, other in pairs]
    assert margins == values["margins"]
    if step == "third":  # from the back
        line = np.array([[number(pair[seat]) for pair in pairs] for seat in (0, 1)], np.int8)
        assert values["decides"] == king_rules.deciding_beat(line, king_rules.UNHORSING) + 1
    if step == "melee":
        hit = [bool(king_rules.hits(margin, king_rules.HIT)) for margin in margins]
        assert hit == [True, False]
        assert values["decides"] == 1
    text = alternative("kings_tournament", step_of("kings_tournament", step), "en")
    assert sorted(re.findall(r"\b(\w+) against (\w+)", text)) == sorted(pairs)


def test_the_picture_of_the_circle_shows_what_beats_what():
    beats = walk("triatri").views[0].beats
    circle = picture("triatri", "circle")["circle"]
    assert beats == dict(zip(circle, [*circle[1:], circle[0]], strict=True))
    names = {"R": "fire", "G": "wood", "B": "water"}
    around = " > ".join(names[colour] for colour in [*circle, circle[0]])
    assert around in catalogue("en")["triatri_picture_circle"]


# --- reading --------------------------------------------------------------------------------------


FREE = {"until": "trick", "number": 2}


def content(**changed: Any) -> str:
    """A small lesson, and what is changed in it."""
    step = {"say": "a", "clauses": ["K1"]}
    whole = {
        "options": {},
        "seat": 0,
        "seats": [None, "script"],
        "chance": [],
        "plays": [[0, ["1"]], [1, ["2"]]],
        "steps": [{"play": ["1"], **step}, {"free": FREE, **step}, step],
    }
    return json.dumps(whole | changed)


def test_a_lesson_is_read():
    told = Lesson.model_validate_json(content())
    assert told.steps[0] == LessonStep(say="a", play=["1"], clauses=["K1"])


SAID = {"say": "a", "clauses": ["K1"]}
WRONG: list[dict[str, Any]] = [
    {"seat": 1},
    {"seats": [None, None]},
    {"seats": ["script", "page"]},
    {"plays": [[0, ["2"]]]},
    {"plays": []},
    {"steps": []},
    {"steps": [{"play": ["1"], **SAID}]},  # an end is missing
    {"steps": [{"play": ["1"], **SAID}, {"free": FREE, **SAID}]},
    {"steps": [{"free": FREE, **SAID}, {"play": ["1"], **SAID}, SAID]},  # not for certain
    {"steps": [{"play": ["1"], "free": FREE, **SAID}, SAID]},
    {"steps": [{"play": ["1"], **SAID}, {"free": FREE | {"number": 0}, **SAID}, SAID]},
    {"steps": [{"play": ["1"], "point": "the sky", **SAID}, SAID]},
    {"steps": [{"play": ["1"], "picture": {"name": "A sky"}, **SAID}, SAID]},
    {"steps": [{"play": ["1"], "say": "a", "clauses": []}, SAID]},
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
