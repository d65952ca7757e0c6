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


def test_values_of_a_choice_are_declared():
    for language in LANGUAGES:
        for key, entry in catalogue(language).items():
            if not isinstance(entry, str):
                *inputs, form = entry[0]["declarations"]
                declared = {line.removeprefix("input ") for line in inputs}
                assert values(entry) <= declared, key
                assert re.fullmatch(r"local form = \w+: plural", form), key
                assert entry[0]["selectors"] == ["form"]


def is_event(name, kind):
    own = isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
    return own and not name.startswith("_")  # those only share fields


@pytest.mark.parametrize("game", hastilude.games())
def test_every_event_has_a_sentence(game):
    module = import_module(f"hastilude.games.{game}.events")
    kinds_of_event = [kind for name, kind in vars(module).items() if is_event(name, kind)]
    assert kinds_of_event
    for kind in kinds_of_event:
        assert values(catalogue("en")[kind.key]) <= set(kind.__dataclass_fields__), kind


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
    for kind in set(kinds().values()) - {"seat"}:
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


def test_braces_in_a_name_are_harmless():
    assert render(Message("tornei_won", {"seat": 0, "card": "W1"}), names=["{card}"]) == (
        "{card} wins the trick with W1, the strongest card."
    )


@pytest.mark.parametrize("game", hastilude.games())
def test_the_page_credits_whom_the_game_credits(game):
    assert catalogue("en")[f"{game}_credits"] == hastilude.load(game).credits
