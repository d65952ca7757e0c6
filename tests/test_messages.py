"""The catalogue: complete in every language, and of a form that the browser's compiler reads."""

import json
import re
from importlib import import_module
from pathlib import Path

import pytest

import hastilude
from hastilude.core.events import Event
from hastilude.messages import LANGUAGES, Message, catalogue, kinds, render, seat_name

PACKAGE = Path(hastilude.__file__).parent
GAMES = PACKAGE / "games"
VALUE = re.compile(r"{(\w+)}")
YOU = {"en": re.compile(r"\b[Yy]ou(r|rs)?\b"), "ja": re.compile("あなた|分け合いました")}


def texts(entry):
    return [entry] if isinstance(entry, str) else list(entry[0]["match"].values())


def values(entry):
    return {name for text in texts(entry) for name in VALUE.findall(text)}


def test_every_sentence_is_there_in_every_language():
    assert set(catalogue("en")) == set(catalogue("ja"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_value_is_a_name_in_braces_and_nothing_else_is(language):
    """Escapes and format specifications mean other things to the browser's compiler."""
    for key, entry in catalogue(language).items():
        for text in texts(entry):
            assert not re.search(r"[{}]", VALUE.sub("", text)), key


def test_both_languages_speak_of_the_same_values():
    for key, entry in catalogue("en").items():
        assert values(catalogue("ja")[key]) <= values(entry), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_choice_declares_what_it_uses(language):
    for key, choice in choices(language):
        inputs = declared(choice, r"input (\w+)")
        plurals = declared(choice, r"local (\w+) = \w+: plural")
        counted = declared(choice, r"local \w+ = (\w+): plural")
        assert len(choice["declarations"]) == len(inputs) + len(plurals), key
        assert values([choice]) | counted <= inputs, key
        assert set(choice["selectors"]) <= inputs | plurals, key
        assert plurals <= set(choice["selectors"]), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_variant_has_all_conditions_and_the_last_always_applies(language):
    """The browser's compiler, too, takes the first that applies."""
    for key, choice in choices(language):
        conditions = [
            [condition.split("=") for condition in variant.split(", ")]
            for variant in choice["match"]
        ]
        for variant in conditions:
            assert [name for name, _ in variant] == choice["selectors"], key
        assert {wanted for _, wanted in conditions[-1]} <= {"*", "other"}, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_depends_on_the_reader_depends_on_a_seat(language):
    for key, choice in choices(language):
        for name in declared(choice, r"input (\w+)_(?:is|others)"):
            assert kinds()[name] == "seat", key


def choices(language):
    return [
        (key, entry[0]) for key, entry in catalogue(language).items() if not isinstance(entry, str)
    ]


def declared(choice, form):
    found = [re.fullmatch(form, line) for line in choice["declarations"]]
    return {line[1] for line in found if line}


def is_event(name, kind):
    own = isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
    return own and not name.startswith("_")  # those only share fields


def events_of(module):
    kinds_of_event = [
        kind for name, kind in vars(import_module(module)).items() if is_event(name, kind)
    ]
    assert kinds_of_event
    return kinds_of_event


EVENTS = [
    pytest.param(kind, id=kind.key)
    for module in (
        *(f"hastilude.games.{game}.events" for game in hastilude.games()),
        "hastilude.terminal.connection",
    )
    for kind in events_of(module)
]


@pytest.mark.parametrize("kind", EVENTS)
def test_every_event_has_a_sentence(kind):
    said = {name.removesuffix("_others") for name in values(catalogue("en")[kind.key])}
    assert said <= set(kind.__dataclass_fields__)


@pytest.mark.parametrize("game", hastilude.games())
def test_every_chapter_has_a_name_in_the_log(game):
    *chapters, last = import_module(f"hastilude.games.{game}.events").CHAPTERS
    assert last == "match"  # `web_log_match`
    assert all(f"{game}_chapter_{chapter}" in catalogue("en") for chapter in chapters)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", EVENTS)
def test_every_event_addresses_its_player_as_you(kind, language):
    """Whoever an event names may be its reader."""
    entry = catalogue(language)[kind.key]
    named = {name for name in values(entry) if kinds().get(name) == "seat"}
    for name in named:
        assert not isinstance(entry, str), name
        addressed = [
            text
            for variant, text in entry[0]["match"].items()
            if {f"{name}_is=you", f"{name}_is=among"} & set(variant.split(", "))
        ]
        assert addressed, name
        assert all(YOU[language].search(text) for text in addressed), addressed
        assert not any(f"{{{name}}}" in text for text in addressed), addressed


@pytest.mark.parametrize("game", hastilude.games())
@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_of_a_game_are_in_its_folder_and_named_after_it(game, language):
    """So no file can change what another says."""
    own = json.loads((GAMES / game / f"messages.{language}.json").read_text("utf-8"))
    assert [key for key in own if not key.startswith((f"{game}_", "$"))] == []
    assert {key for key in catalogue(language) if key.startswith(f"{game}_")} == own.keys() - {
        "$schema"
    }


def test_no_two_files_say_how_a_value_is_spoken():
    files = [*PACKAGE.glob("messages/kinds.json"), *GAMES.glob("[!_]*/kinds.json")]
    names = [name for file in files for name in json.loads(file.read_text("utf-8"))]
    assert sorted(names) == sorted(kinds())


def test_terms_of_every_kind_are_there():
    for kind in set(kinds().values()) - {"seat", "score", "words"}:
        assert any(key.startswith(f"{kind}_") for key in catalogue("en")), kind


def test_plural_forms():
    message = Message(
        "tornei_scored",
        {"seat": 0, "predictions": 2, "tricks": 1, "trick_points": 1, "points": 3, "total": 3},
    )
    assert "for taking 1 trick;" in render(message)
    assert "トリック1回で" in render(message, "ja")
    assert seat_name(1, "ja") == "プレイヤー2"
    assert seat_name(1, "ja", ["Anna", "Ben"]) == "Ben"


SCORED = {"seat": 0, "predictions": 2, "trick_points": 3, "points": 5, "total": 9}


@pytest.mark.parametrize(
    ("message", "reader", "expected"),
    [
        (Message("tornei_led", {"seat": 0, "card": "W1"}), 0, "You lead W1."),
        (Message("tornei_led", {"seat": 0, "card": "W1"}), 1, "Anna leads W1."),
        (Message("tornei_led", {"seat": 0, "card": "W1"}), None, "Anna leads W1."),
        (
            Message("tornei_predicted_right", {"seat": 2, "card": "F6", "place": 2, "points": 3}),
            2,
            "You predicted 2nd with F6: right, 3 points.",
        ),
        (
            Message("tornei_scored", {**SCORED, "tricks": 0}),
            1,
            "Anna scores 5: 2 for predictions and a 3-point bonus for taking no tricks; total 9.",
        ),
        (
            Message("kings_tournament_unhorsed", {"loser": 1, "winner": 0}),
            1,
            "You are unhorsed and now on foot; Anna has won the joust.",
        ),
        (
            Message("kings_tournament_unhorsed", {"loser": 1, "winner": 0}),
            0,
            "You have won the joust: Ben is unhorsed and now on foot.",
        ),
    ],
)
def test_the_reader_is_addressed_and_everyone_else_is_named(message, reader, expected):
    assert render(message, names=["Anna", "Ben", "Cleo"], reader=reader) == expected


@pytest.mark.parametrize(
    ("winners", "reader", "expected"),
    [
        ([0], 0, "You win! Scores: you (9), Ben (4), Cleo (9)."),
        ([0], 1, "Anna wins the match. Scores: Anna (9), you (4), Cleo (9)."),
        ([0, 2], 2, "You share the victory with Anna! Scores: Anna (9), Ben (4), you (9)."),
        (
            [0, 1, 2],
            1,
            "You share the victory with Anna and Cleo! Scores: Anna (9), you (4), Cleo (9).",
        ),
        ([0, 2], 1, "Anna and Cleo share the victory. Scores: Anna (9), you (4), Cleo (9)."),
        ([0, 2], None, "Anna and Cleo share the victory. Scores: Anna (9), Ben (4), Cleo (9)."),
    ],
)
def test_a_victory_alone_and_together(winners, reader, expected):
    ended = Message("tornei_ended", {"winners": winners, "scores": [9, 4, 9]})
    assert render(ended, names=["Anna", "Ben", "Cleo"], reader=reader) == expected


def test_braces_in_a_name_are_harmless():
    assert render(Message("tornei_won", {"seat": 0, "card": "W1"}), names=["{card}"]) == (
        "{card} wins the trick with W1, the strongest card."
    )


@pytest.mark.parametrize("game", hastilude.games())
def test_the_page_credits_whom_the_game_credits(game):
    assert catalogue("en")[f"{game}_credits"] == hastilude.load(game).credits
