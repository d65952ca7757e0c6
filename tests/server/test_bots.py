"""Bots at tables: filling seats, hints, and programs that join like people."""

import asyncio
import runpy
import threading
from pathlib import Path
from typing import Any

import pytest

from hastilude.bots import analyse
from hastilude.games.registry import GAMES, load
from hastilude.server.settings import Rate
from tests.server.running import Address, Client, limited, play_out

EXAMPLE = Path(__file__).parents[2] / "examples" / "bot.py"


def test_bots_fill_the_empty_seats_when_the_host_starts(hall: Address):
    table = hall.open_table("tornei", seats=["squire", None, None, None])
    anna = hall.client(table["code"], hall.sit(table["code"], "Anna", host=table["host"])["token"])
    ben = hall.client(table["code"], hall.sit(table["code"], "Ben")["token"])
    assert ben.reach(3)["phase"] == "gathering"
    ben.send("start", level="page")
    assert ben.expect("refused")["reason"]["key"] == "only_host"
    anna.send("start", level="page")
    update = ben.wait_for(lambda u: u["match"] == 1)
    kinds = [(seat["kind"], seat["level"]) for seat in update["seats"]]
    assert kinds == [("bot", "squire"), ("person", None), ("person", None), ("bot", "page")]
    anna.send("start", level="page")
    assert anna.expect("refused")["reason"]["key"] == "already_started"
    anna.wait_for(lambda u: u["legal"])
    anna.play(*anna.first_choice())
    ben.wait_for(lambda u: u["view"]["predicted"][0] and u["view"]["predicted"][3])  # the bots


@pytest.mark.parametrize("level", ["page", "squire", "knight", "champion"])
def test_a_bot_of_every_level_answers(hall: Address, level: str):
    code = hall.open_table(seats=[None, level])["code"]
    anna = hall.client(code, hall.sit(code, "Anna")["token"])
    anna.wait_for(lambda u: u["legal"])
    anna.play(*anna.first_choice())
    anna.wait_for(lambda u: u["view"]["last_joust"] is not None)


def test_a_table_without_a_person_is_refused(hall: Address):
    for seats in (["page", "page"], [None], [None, None, None]):
        body = {"game": "kings_tournament", "seats": seats}
        answer = hall.request("POST", "/api/tables", json=body)
        assert answer.status_code == 400
        assert answer.json()["reason"]["key"] == "seats_form"


# --- hints --------------------------------------------------------------------------------------


def practising(hall: Address, game: str = "kings_tournament") -> Client:
    """Anna at a practice table with bots, on her turn."""
    seats = [None, *["page"] * (load(game).seats - 1)]
    code = hall.open_table(game, seats=seats, practice=True)["code"]
    anna = hall.client(code, hall.sit(code, "Anna")["token"])
    assert anna.expect("welcome")["practice"]
    anna.wait_for(lambda update: update["legal"])
    return anna


def hinted(anna: Client, **asked: Any) -> Any:
    anna.send("hint", id="h", **asked)
    return anna.expect("hints", id="h")


@pytest.mark.parametrize("game", GAMES)
def test_hints_at_a_practice_table_are_for_what_may_be_played(hall: Address, game: str):
    anna = practising(hall, game)
    hints = hinted(anna)
    groups = hints["groups"]
    choices = [choice for group in groups for choice in group["choices"]]
    assert choices
    assert {choice[0] for choice in choices} <= set(anna.update["legal"])
    assert [group["win"] for group in groups] == sorted((g["win"] for g in groups), reverse=True)
    assert groups[0]["behind"] == 0
    assert hints["reason"]["key"].startswith(f"{game}_hint_")
    assert anna.play(*choices[0])["type"] == "done"  # nothing was played by asking


def test_a_hint_is_a_whole_line_and_completes_one_that_was_begun(hall: Address):
    anna = practising(hall)
    line = hinted(anna)["groups"][0]["choices"][0]
    assert len(line) == len(anna.first_choice())
    rest = hinted(anna, actions=line[:1])["groups"][0]["choices"][0]
    assert len(rest) == len(line) - 1
    anna.send("hint", id="h", actions=line)
    assert anna.expect("refused", id="h")["reason"]["key"] == "hints_whole"
    assert anna.play(*line)["type"] == "done"


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """No hint is ever sure enough."""
    monkeypatch.setattr(analyse, "EQUAL", -1.0)
    monkeypatch.setattr(analyse, "CLEAR", 1e9)
    monkeypatch.setattr(analyse, "MOST_SAMPLES", 1 << 40)


def test_a_hint_keeps_nobody_waiting(tmp_path: Path, endless: None):
    """There is one thread to think in, and a hint that would take an hour."""
    with limited(tmp_path, bot_threads=1, hint_seconds=3600.0) as server:
        anna, ben = practising(server, "triatri"), practising(server, "triatri")
        anna.send("hint", id="first")
        ben.play(*ben.first_choice())
        ben.wait_for(lambda update: update["view"]["bids"])  # the bots have bid too
        anna.send("hint", id="second")  # a newer question counts
        assert anna.expect("refused", id="first")["reason"]["key"] == "stale"
        assert anna.play(*anna.first_choice())["type"] == "done"
        assert anna.expect("refused", id="second")["reason"]["key"] == "stale"


def test_a_hint_takes_at_most_its_time(tmp_path: Path, endless: None):
    with limited(tmp_path, hint_seconds=0.1) as server:
        assert hinted(practising(server, "tornei"))["groups"]


def test_hints_are_limited_by_rate(tmp_path: Path):
    with limited(tmp_path, hint_rate=Rate(1, 0.01)) as server:
        anna = practising(server, "triatri")
        hinted(anna)
        anna.send("hint", id="h")
        assert anna.expect("refused", id="h")["reason"]["key"] == "too_many_hints"


def test_hints_are_only_given_in_practice_and_in_turn(hall: Address):
    code = hall.open_table()["code"]
    anna = hall.client(code, hall.sit(code, "Anna")["token"])
    anna.send("hint", id="h")
    assert anna.expect("refused", id="h")["reason"]["key"] == "hints_practice_only"
    code = hall.open_table(practice=True)["code"]
    anna = hall.client(code, hall.sit(code, "Anna")["token"])
    anna.send("hint", id="h")
    assert anna.expect("refused", id="h")["reason"]["key"] == "hints_not_now"


# --- programs that join -------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_the_example_bot_plays_a_whole_match(hall: Address, game: str):
    seats = [None, *["page"] * (load(game).seats - 1)]
    code = hall.open_table(game, seats=seats)["code"]
    bot = runpy.run_path(str(EXAMPLE))
    ended = asyncio.run(bot["play"](hall.url, code, bot["sit_down"](hall.url, code, "Lance")))
    assert ended.phase == "over"
    assert ended.winners
    assert hall.get(f"/api/tables/{code}/matches/1/record")["names"][0] == "Lance"


def test_the_example_bot_plays_against_a_person(hall: Address):
    code = hall.open_table(options={"best_of": 1})["code"]
    anna = hall.client(code, hall.sit(code, "Anna")["token"])
    bot = runpy.run_path(str(EXAMPLE))
    ended: list[Any] = []

    def play() -> None:
        token = bot["sit_down"](hall.url, code, "Lance")
        ended.append(asyncio.run(bot["play"](hall.url, code, token)))

    thread = threading.Thread(target=play)
    thread.start()
    update = play_out([anna])
    thread.join()
    assert ended[0].winners == update["winners"]
