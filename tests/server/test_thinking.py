"""Bots that think: in fair turns, only where somebody is, and for a time that tells nothing."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import mannwhitneyu

from hastilude.bots import levels
from hastilude.bots.search import SearchBot
from hastilude.server.settings import Settings
from hastilude.server.thinking import Thinkers, choose
from tests.server.running import PATIENCE, Address, Client, limited

SECONDS = 0.05  # that a champion thinks in these tests


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    champion = replace(levels.LEVELS["champion"], milliseconds=1000 * SECONDS)
    monkeypatch.setitem(levels.LEVELS, "champion", champion)


# --- fair turns -----------------------------------------------------------------------------------


def noted(names: list[str]) -> list[str]:
    """The order in which thoughts get their turn, in one thread, if they are asked for in this one.
    A name is an address, a table and a number."""
    order: list[str] = []
    begin = threading.Event()

    async def think() -> None:
        thinkers = Thinkers(1)
        first = asyncio.create_task(thinkers.think("", "", begin.wait))
        await asyncio.sleep(0)
        rest = [
            asyncio.create_task(
                thinkers.think(name[0], name[1], lambda name=name: order.append(name))
            )
            for name in names
        ]
        await asyncio.sleep(0)
        begin.set()
        await asyncio.gather(first, *rest)
        thinkers.close()

    asyncio.run(think())
    return order


def test_turns_go_around_the_addresses_and_their_tables() -> None:
    assert noted(["Aa1", "Aa2", "Ab1", "Ac1", "Bd1", "Aa3", "Bd2"]) == [
        "Aa1",
        "Bd1",
        "Ab1",
        "Bd2",
        "Ac1",
        "Aa2",
        "Aa3",
    ]


def test_what_is_cancelled_before_its_turn_is_never_thought() -> None:
    async def think() -> None:
        thinkers, begin, thought = Thinkers(1), threading.Event(), []
        first = asyncio.create_task(thinkers.think("A", "a", begin.wait))
        second = asyncio.create_task(thinkers.think("A", "a", lambda: thought.append(2)))
        await asyncio.sleep(0)
        second.cancel()
        begin.set()
        await first
        await thinkers.think("A", "a", lambda: thought.append(3))
        assert thought == [3]
        with pytest.raises(ZeroDivisionError):
            await thinkers.think("A", "a", lambda: 1 // 0)
        thinkers.close()

    asyncio.run(think())


def test_strangers_do_not_wait_for_somebody_with_many_champions(
    tmp_path: Path, hasty: None
) -> None:
    """One thread, and an address with so many champions that they would keep it busy for long."""
    count = 40
    with limited(tmp_path, bot_threads=1, behind_proxy=True) as server:
        crowd = [joined(server, "192.0.2.1", "champion") for _ in range(count)]
        stranger = joined(server, "192.0.2.2", "squire")
        for client in crowd:
            client.play(*client.choice)
        begun = time.monotonic()
        stranger.play(*stranger.choice)
        stranger.wait_for(lambda update: update["view"]["last_joust"] is not None)
        assert time.monotonic() - begun < count * SECONDS / 2


class Joined(Client):
    choice: list[str]


def joined(server: Address, address: str, level: str) -> Joined:
    """A person at a new table who has made up their mind, and a bot."""
    here = {"x-forwarded-for": address}
    body = {"game": "kings_tournament", "seats": [None, level]}
    code = server.post("/api/tables", body, headers=here)["code"]
    seat = {"name": "Ada", "seed": "ab" * 16}
    token = server.post(f"/api/tables/{code}/seats", seat, headers=here)["token"]
    client = Joined(server.url, code, token, None, additional_headers=here)
    client.wait_for(lambda update: update["legal"])
    client.choice = client.first_choice()
    return client


# --- where nobody is ------------------------------------------------------------------------------


def at_table(server: Address, **wanted: Any) -> tuple[str, str, Client]:
    code = server.open_table(**{"seats": [None, "page"], **wanted})["code"]
    token = server.sit(code, "Ada")["token"]
    return code, token, server.client(code, token)


class Watched:
    """The choice of a bot, which a test can see and hold up."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls = threading.Semaphore(0)
        self.free = threading.Event()
        self.free.set()
        monkeypatch.setattr("hastilude.server.bot_seats.choose", self)

    def __call__(self, *asked: Any) -> list[str]:
        self.calls.release()
        self.free.wait(PATIENCE)
        return choose(*asked)

    def begins(self, timeout: float = PATIENCE) -> bool:
        return self.calls.acquire(timeout=timeout)


@pytest.fixture
def bot(monkeypatch: pytest.MonkeyPatch) -> Watched:
    return Watched(monkeypatch)


@pytest.mark.parametrize("clock", ["none", "move"])
def test_bots_wait_where_nobody_is_unless_a_clock_runs(
    server: Address, bot: Watched, clock: str
) -> None:
    wanted = {"seats": [None, "page"], "clock": {"kind": clock, "seconds": 600}}
    code = server.open_table(**wanted)["code"]
    token = server.sit(code, "Ada")["token"]
    while not server.get(f"/api/tables/{code}")["matches"]:
        time.sleep(0.01)
    if clock == "none":
        assert not bot.begins(0.5)
        server.client(code, token).expect("update")
    assert bot.begins()


def test_a_bot_whose_people_have_gone_thinks_again_when_they_are_back(
    server: Address, bot: Watched
) -> None:
    bot.free.clear()
    code, token, ada = at_table(server)
    assert bot.begins()
    ada.close()
    gone(server, code)
    bot.free.set()
    assert not bot.begins(0.3)
    ada = server.client(code, token)
    assert bot.begins()
    ada.wait_for(lambda update: update["view"]["chosen"][1])


def gone(server: Address, code: str) -> None:
    """Wait until the server has noticed that nobody is there."""
    while server.get(f"/api/tables/{code}")["seats"][0]["here"]:
        time.sleep(0.01)


# --- champions ------------------------------------------------------------------------------------


def test_an_address_has_so_many_champions(tmp_path: Path) -> None:
    with limited(tmp_path, champions_per_address=4, champion_wait_seconds=60) as server:
        code, _, ada = at_table(server, game="tornei", seats=[None, *["champion"] * 3])
        ada.expect("update")
        body = {"game": "tornei", "seats": [None, None, "champion", "champion"]}
        refused = server.request("POST", "/api/tables", json=body)
        assert (refused.status_code, refused.json()["reason"]["key"]) == (429, "too_many_champions")
        assert server.open_table(seats=[None, "knight"])
        table = server.open_table("tornei")
        token = server.sit(table["code"], "Ben", host=table["host"])["token"]
        ben = server.client(table["code"], token)
        ben.send("start", level="champion")
        assert ben.expect("refused")["reason"]["key"] == "too_many_champions"
        ada.close()
        gone(server, code)
        ben.send("start", level="champion")
        ben.wait_for(lambda update: update["match"] == 1)


def test_a_search_leaves_no_memory_behind(tmp_path: Path, hasty: None) -> None:
    with limited(tmp_path) as server:
        _, _, ada = at_table(server, seats=[None, "champion"])
        ada.wait_for(lambda update: update["legal"])
        ada.play(*ada.first_choice())
        ada.wait_for(lambda update: update["view"]["last_joust"] is not None and update["legal"])
        deadline = time.monotonic() + PATIENCE  # a bot may still be thinking
        while searches():
            assert time.monotonic() < deadline
            time.sleep(0.01)


def searches() -> int:
    gc.collect()
    return sum(isinstance(one, SearchBot) for one in gc.get_objects())


def test_the_time_of_a_champion_does_not_tell_whether_its_card_was_forced(
    tmp_path: Path, hasty: None
) -> None:
    """With no wait that would hide it, as under load, and with other tables thinking."""
    with limited(tmp_path) as server:
        rivals = [threading.Thread(target=melee_times, args=(server,)) for _ in range(2)]
        for rival in rivals:
            rival.start()
        free, forced = melee_times(server)
        for rival in rivals:
            rival.join()
    assert min(free + forced) >= SECONDS
    assert mannwhitneyu(free, forced).pvalue > 0.001
    # A busy machine adds to some of the times; the shortest tell what a champion needs by itself.
    assert abs(min(free) - min(forced)) < SECONDS / 2


def melee_times(server: Address, enough: int = 12) -> tuple[list[float], list[float]]:
    """How long a champion took for a card of the melee, while it had at least three cards and when
    it had only one."""
    _, _, ada = at_table(server, seats=[None, "champion"])
    free: list[float] = []
    forced: list[float] = []
    asked = 0.0
    while min(len(free), len(forced)) < enough:
        before, update = ada.update, ada.expect("update")
        if before and asked and update["view"]["pending"] != [1]:
            played = len(before["view"]["turns"])
            if played <= 2:
                free.append(time.monotonic() - asked)
            elif played == 4:
                forced.append(time.monotonic() - asked)
        asked = 0.0
        if update["phase"] == "over":
            if not update["rematch"]:
                ada.send("rematch", seed="ab" * 16)
        elif update["legal"]:
            ada.play(*ada.first_choice())
        elif update["view"] and update["view"]["phase"] in ("lead", "answer"):
            asked = time.monotonic()
    ada.close()
    return free, forced


def test_champions_think_as_long_as_documented() -> None:
    """The wait that hides a champion's thinking must be longer than the thinking."""
    assert Settings().champion_wait_seconds > levels.budget_seconds("champion")
