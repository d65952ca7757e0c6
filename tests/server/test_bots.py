"""Bots at tables: filling seats, hints, and programs that join like people."""

import asyncio
import runpy
import threading
from pathlib import Path
from typing import Any

import pytest

from hastilude.games.registry import GAMES, load
from tests.server.running import Address, play_out

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


@pytest.mark.parametrize("game", GAMES)
def test_hints_at_a_practice_table_are_for_what_may_be_played(hall: Address, game: str):
    seats = [None, *["page"] * (load(game).seats - 1)]
    code = hall.open_table(game, seats=seats, practice=True)["code"]
    anna = hall.client(code, hall.sit(code, "Anna")["token"])
    assert anna.expect("welcome")["practice"]
    update = anna.wait_for(lambda u: u["legal"])
    anna.send("hint", id="h")
    hints = anna.expect("hints", id="h")["candidates"]
    assert {hint["action"] for hint in hints} == set(update["legal"])
    assert [hint["win"] for hint in hints] == sorted((h["win"] for h in hints), reverse=True)
    assert anna.play(*anna.first_choice())["type"] == "done"  # nothing was played by asking


def test_hints_go_on_through_a_choice_of_several_cards(hall: Address):
    code = hall.open_table(seats=[None, "page"], practice=True)["code"]
    anna = hall.client(code, hall.sit(code, "Anna")["token"])
    anna.wait_for(lambda u: u["legal"])
    actions: list[str] = []
    whole = anna.first_choice()
    while len(actions) < len(whole):
        anna.send("hint", id="h", actions=actions)
        actions.append(anna.expect("hints", id="h")["candidates"][0]["action"])
    anna.send("hint", id="h", actions=actions)
    assert anna.expect("refused", id="h")["reason"]["key"] == "hints_whole"
    assert anna.play(*actions)["type"] == "done"


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
