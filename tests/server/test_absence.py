"""Players who are absent or leave: what the host may do, who may take their place, what is told."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hastilude.core.record import Record
from hastilude.core.shuffles import verify_shuffles
from hastilude.games.registry import replay
from hastilude.server import log
from hastilude.server.errors import Refusal
from tests.server.conftest import Timed
from tests.server.folding import Folded
from tests.server.running import (
    GENEROUS,
    SEED,
    Address,
    Client,
    in_thread,
    limited,
    play_out,
)

SHORT = {"options": {"players": 3}}
AWAY = 60


def refused(key: str) -> Any:
    return pytest.raises(Refusal, check=lambda refusal: refusal.message.key == key)


def three(server: Address, **wanted: Any) -> tuple[str, list[str], list[Client]]:
    """A match of Anna, who is the host, Ben and Cleo."""
    table = server.open_table("triatri", **{**SHORT, "away": AWAY, **wanted})
    code = table["code"]
    tokens = [
        server.sit(code, name, **({"host": table["host"]} if name == "Anna" else {}))["token"]
        for name in ("Anna", "Ben", "Cleo")
    ]
    clients = [server.client(code, token, since=0) for token in tokens]
    for client in clients:
        client.wait_for(lambda u: u["match"] == 1 and all(seat["here"] for seat in u["seats"]))
    return code, tokens, clients


def gone(client: Client, seat: int) -> Any:
    return client.wait_for(lambda u: not u["seats"][seat]["here"])


def told(client: Client, kind: str) -> Any:
    return client.wait_for(lambda u: kind in [news["kind"] for news in u["news"]])


# --- the host's choices ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folded() -> Folded:
    """A match of three that no test changes."""
    return Folded("triatri", seats=[None] * 3, **SHORT)


@pytest.mark.parametrize(
    ("what", "values", "why"),
    [
        ("extend", (1, 2, {2}), "only_host"),
        ("replace", (1, 2, {2}), "only_host"),
        ("end", (1, {2}), "only_host"),
        ("offer", (1, 2, True), "only_host"),
        ("extend", (0, 2, set()), "not_absent"),
        ("replace", (0, 2, {1}), "not_absent"),
        ("replace", (0, 7, {7}), "not_absent"),
        ("end", (0, set()), "everybody_here"),
        ("end", (0, {0}), "everybody_here"),
        ("offer", (0, 1, True), "offer_nobody"),
        ("offer", (0, 7, True), "offer_nobody"),
    ],
)
def test_who_may_decide_about_whom(folded: Folded, what: str, values: Any, why: str) -> None:
    with refused(why):
        getattr(folded.table, what)(*values)


@pytest.mark.parametrize("over", [False, True])
def test_before_and_after_a_match_there_is_nothing_to_decide(over: bool) -> None:
    table = Folded("triatri", people=None if over else 2, seats=[None] * 3, **SHORT)
    if over:
        table.plays_out()
    for what, values in {"extend": (0, 1, {1}), "replace": (0, 1, {1}), "end": (0, {1})}.items():
        with refused("not_playing"):
            getattr(table.table, what)(*values)


def test_no_time_is_extended_where_no_bot_takes_over() -> None:
    table = Folded("triatri", seats=[None] * 3, away=None, **SHORT)
    with refused("takeover_never"):
        table.table.extend(0, 1, {1})
    assert isinstance(table.table.replace(0, 1, {1}), log.StoodIn)


def test_the_host_waits_longer_then_lets_a_bot_play(timed: Timed) -> None:
    _, _, (anna, ben, _) = three(timed)
    ben.close()
    assert gone(anna, 1)["seats"][1]["takeover"] == AWAY * 1000
    timed.time.passes(AWAY - 10)
    anna.send("extend", seat=1)
    extended = anna.wait_for(lambda u: u["version"] == 6)
    assert extended["seats"][1]["takeover"] == AWAY * 1000
    timed.time.passes(20)  # longer than the time before
    anna.send("replace", seat=1)
    assert told(anna, "stood_in")["seats"][1]["stand_in"]
    anna.send("replace", seat=1)
    assert anna.expect("refused")["reason"]["key"] == "not_absent"


def test_nobody_is_replaced_who_is_there_and_nobody_but_the_host_decides(hall: Address) -> None:
    code, _, (anna, ben, cleo) = three(hall)
    watcher = hall.client(code)
    anna.send("replace", seat=1)
    assert anna.expect("refused")["reason"]["key"] == "not_absent"
    anna.send("end")
    assert anna.expect("refused")["reason"]["key"] == "everybody_here"
    ben.close()
    gone(anna, 1)
    for frame in ({"type": "replace", "seat": 1}, {"type": "extend", "seat": 1}, {"type": "end"}):
        cleo.send(**frame)
        assert cleo.expect("refused")["reason"]["key"] == "only_host"
        watcher.send(**frame)
        assert watcher.expect("refused")["reason"]["key"] == "spectator"


def test_while_the_host_is_offline_the_next_person_decides() -> None:
    table = Folded("triatri", seats=[None] * 3, **SHORT)
    table.does("note_offline", 0)
    assert isinstance(table.table.replace(1, 0, {0}), log.StoodIn)
    with refused("only_host"):
        table.table.replace(2, 0, {0})
    with refused("only_host"):
        table.table.kick(1, 0)  # the host comes back to their own table
    table.does("note_offline", 1)
    assert isinstance(table.table.end(2, {0, 1}), log.Ended)
    table.does("note_back", 0)
    with refused("only_host"):
        table.table.replace(2, 1, {1})
    assert isinstance(table.table.replace(0, 1, {1}), log.StoodIn)


def test_the_host_ends_a_match_that_nobody_wins(hall: Address) -> None:
    code, _, (anna, ben, cleo) = three(hall)
    while anna.update["version"] < 7:
        mover = next(client for client in (anna, cleo, ben) if client.update["legal"])
        version = mover.play(*mover.first_choice())["version"]
        for client in (anna, ben, cleo):
            client.reach(version)
    ben.close()
    gone(anna, 1)
    anna.send("end")
    over = told(cleo, "ended")
    assert (over["phase"], over["winners"], over["legal"]) == ("over", None, [])
    assert over["view"]["pending"] == []
    record = hall.get(f"/api/tables/{code}/matches/1/record")
    assert record["end"] == {"reason": "abandoned"}
    assert "winners" not in record
    text = hall.request("GET", f"/api/tables/{code}/matches/1/record").text
    verify_shuffles(replay(Record.from_json(text)), Record.from_json(text).proof)
    assert hall.get(f"/api/tables/{code}/matches/1/replay", params={"seat": 2})
    anna.send("end")
    assert anna.expect("refused")["reason"]["key"] == "not_playing"
    for client in (anna, cleo):  # the bot does not decide about another match
        client.send("rematch", seed=SEED)
    assert hall.client(code).wait_for(lambda u: u["rematch"] == [0, 2])["phase"] == "over"


# --- leaving for good, and newcomers --------------------------------------------------------------


def test_a_newcomer_takes_the_seat_of_somebody_who_left(hall: Address) -> None:
    code, tokens, (anna, ben, cleo) = three(hall, away=None)
    seeds, commitment = anna.update["seeds"], anna.update["commitment"]
    hand = ben.update["view"]["hand"]
    newcomer = hall.client(code, since=0)
    body = {"name": "Dora", "seed": "cd" * 16}
    path = f"/api/tables/{code}/seats"

    def refusal(**wanted: Any) -> str:
        answer = hall.request("POST", path, json=body | wanted)
        assert answer.status_code == 409
        return str(answer.json()["reason"]["key"])

    assert refusal() == refusal(seat=1) == "table_full"
    cleo.send("leave")  # Cleo's seat is not offered
    ben.send("leave")
    left = anna.wait_for(lambda u: [seat["kind"] for seat in u["seats"]][1:] == ["bot", "bot"])
    assert [seat["name"] for seat in left["seats"]] == ["Anna", "Ben", "Cleo"]
    assert refusal(seat=1) == "table_full"
    anna.send("offer", seat=1, on=True)
    anna.wait_for(lambda u: u["seats"][1]["offered"])
    assert [seat["offered"] for seat in hall.get(f"/api/tables/{code}")["seats"]] == [
        False,
        True,
        False,
    ]
    assert refusal(seat=2) == "seat_taken"
    assert refusal(name="Anna") == "name_taken"
    anna.send("offer", seat=1, on=False)
    anna.wait_for(lambda u: not u["seats"][1]["offered"])
    assert refusal(seat=1) == "table_full"
    # Nothing of a hand was shown to the newcomer so far.
    newcomer.send("ping")
    newcomer.expect("pong")
    for frame in newcomer.frames:
        assert frame["type"] != "update" or frame["view"]["hand"] == []
        assert "own_bid" not in str(frame)
    anna.send("offer", seat=1, on=True)
    anna.wait_for(lambda u: u["seats"][1]["offered"])
    sitting = hall.post(path, body | {"seat": 1})
    assert sitting["seat"] == 1
    dora = hall.client(code, sitting["token"], since=0)
    now = dora.wait_for(lambda u: u["match"] == 1)
    assert set(now["view"]["hand"]) <= set(hand)
    assert now["view"]["viewer"] == 1
    assert now["missed"] is None
    assert (now["seeds"], now["commitment"]) == (seeds, commitment)
    assert [(one["kind"], one["name"]) for one in now["news"]] == [
        ("left", "Cleo"),
        ("left", "Ben"),
        ("took_seat", "Dora"),
    ]
    assert hall.client(code, tokens[1]).closed() == 4401  # Ben's link stays dead
    assert refusal() == "table_full"
    play_out([anna, dora])
    text = hall.request("GET", f"/api/tables/{code}/matches/1/record").text
    assert Record.from_json(text).names == ["Anna", "Ben", "Cleo"]
    verify_shuffles(replay(Record.from_json(text)), Record.from_json(text).proof)


def test_a_newcomer_may_use_the_ids_and_the_name_of_the_player_before(hall: Address) -> None:
    code, _, (anna, ben, cleo) = three(hall)
    ben.wait_for(lambda u: u["legal"])
    assert ben.play(*ben.first_choice(), id="1")["type"] == "done"
    ben.send("leave")
    anna.wait_for(lambda u: u["seats"][1]["kind"] == "bot")
    anna.send("offer", seat=1, on=True)
    anna.wait_for(lambda u: u["seats"][1]["offered"])
    again = hall.client(code, hall.sit(code, "Ben", seat=1)["token"])
    clients = [anna, again, cleo]
    version = 0
    while not (again.update and again.update["legal"]):
        mover = next((one for one in (anna, cleo) if one.update and one.update["legal"]), None)
        if mover:
            version = mover.play(*mover.first_choice())["version"]
        for client in clients:
            client.reach(version)
    before = again.update["version"]
    assert again.play(*again.first_choice(), id="1")["version"] > before


def test_a_seat_is_offered_between_matches_too() -> None:
    table = Folded("triatri", seats=[None, None, "page"], **SHORT)
    table.plays_out_with_bots()
    table.does("offer", 0, 2, True)
    table.sits("Dora")
    assert [seat.name for seat in table.table.seats] == ["Player 0", "Player 1", "Dora"]
    assert table.table.seats[2].kind == "person"
    assert not table.table.ready  # Dora has not agreed


def test_an_offer_ends_when_a_match_begins() -> None:
    table = Folded("triatri", seats=[None, None, "page"], **SHORT)
    table.plays_out_with_bots()
    table.does("offer", 0, 2, True)
    for seat in (0, 1):
        table.does("want_rematch", seat, SEED)
    table.begins()
    with refused("table_full"):
        table.sits("Dora")


def test_no_seat_of_a_written_match_is_offered() -> None:
    table = Folded("triatri", seats=[None, "page", "page"], script=log.Script(chance=[], plays=[]),
                   **SHORT)  # fmt: skip
    with refused("script_taken"):
        table.table.offer(0, 1, True)


def test_a_newcomer_has_time_on_the_clock() -> None:
    clock = {"kind": "move", "seconds": 30, "increment": 0}
    table = Folded("triatri", seats=[None] * 3, clock=clock, **SHORT)
    table.does("leave", 1)
    table.passes(100)
    table.does("offer", 0, 1, True)
    table.sits("Dora")
    assert table.left(1) == 30


# --- what was missed ------------------------------------------------------------------------------


def test_a_player_who_comes_back_sees_what_a_bot_played(hall: Address) -> None:
    code, tokens, clients = three(hall)
    anna, ben, cleo = clients
    ben.wait_for(lambda u: u["legal"])
    before = ben.update
    ben.send("missed", id="m")
    assert ben.expect("refused", id="m")["reason"]["key"] == "nothing_missed"
    ben.close()
    gone(anna, 1)
    anna.send("replace", seat=1)
    told(anna, "stood_in")
    while not any(event["event"] == "triatri_won" for event in anna.update["events"]):
        mover = next((one for one in (anna, cleo) if one.update["legal"]), None)
        if mover:
            version = mover.play(*mover.first_choice())["version"]
            for one in (anna, cleo):
                one.reach(version)
        elif anna.update["version"] < cleo.update["version"]:
            anna.receive()
        else:
            cleo.receive()
        if anna.update["view"]["trick"] > 1:
            break
    back = hall.client(code, tokens[1], since=before["version"])
    missed = back.wait_for(lambda u: u["missed"])["missed"]
    assert not back.update["seats"][1]["stand_in"]
    back.send("missed", id="m")
    answer = back.expect("missed", id="m")
    assert len(answer["choices"]) == missed["count"] > 0
    assert answer["view"]["hand"] == before["view"]["hand"]
    played = {card for choice in answer["choices"] for card in choice}
    assert played - set(back.update["view"]["hand"]) == played
    for other in (anna, cleo):
        assert other.update["missed"] is None
    anna.send("missed", id="m")
    assert anna.expect("refused", id="m")["reason"]["key"] == "nothing_missed"
    watcher = hall.client(code)
    assert watcher.wait_for(lambda u: u["view"])["missed"] is None
    watcher.send("missed", id="m")
    assert watcher.expect("refused", id="m")["reason"]["key"] == "spectator"


def test_what_was_missed_outlives_the_server(tmp_path: Path) -> None:
    with limited(tmp_path) as server:
        code, tokens, (anna, ben, cleo) = three(server)
        hand = ben.wait_for(lambda u: u["legal"])["view"]["hand"]
        ben.close()
        gone(anna, 1)
        anna.send("replace", seat=1)
        anna.wait_for(lambda u: u["view"]["has_bid"][1])
        for client in (anna, cleo):
            client.close()
    with limited(tmp_path) as server:
        back = server.client(code, tokens[1])
        assert back.wait_for(lambda u: u["missed"])["missed"]["count"] == 1
        back.send("missed", id="m")
        answer = back.expect("missed", id="m")
        assert answer["view"]["hand"] == hand
        assert answer["choices"] == [[back.update["view"]["bid"]]]
        back.close()


def test_what_was_missed_is_about_the_last_absence_of_this_match() -> None:
    table = Folded(options={"best_of": 3})
    seat = table.table.seats[1]

    def everybody_plays(by_bot: bool) -> None:
        table.plays(0)
        (table.bot_plays if by_bot else table.plays)(1)

    table.does("stand_in", 1)
    everybody_plays(by_bot=True)
    first = len(seat.missed)
    assert first == 1
    table.does("give_back", 1)
    while table.table.match and 1 not in table.table.pending():
        table.plays(0)
    table.plays(1)
    assert len(seat.missed) == 1  # it can still be looked at
    table.does("stand_in", 1)
    while 1 not in table.table.pending():
        table.plays(0)
    steps = len(table.table.match.steps) if table.table.match else 0
    table.bot_plays(1)
    assert (len(seat.missed), seat.missed_from) == (1, steps)


# --- the queue ------------------------------------------------------------------------------------


def queue(server: Address, code: str, name: str) -> Client:
    client = server.client(code)
    client.expect("update")
    client.send("queue", name=name, seed=SEED)
    return client


def test_who_waits_gets_the_first_seat_that_is_free(hall: Address) -> None:
    code, _, clients = three(hall)
    anna = clients[0]
    dora, emil, _fred = (queue(hall, code, name) for name in ("Dora", "Emil", "Fred"))
    assert anna.wait_for(lambda u: len(u["queue"]) == 3)["queue"] == ["Dora", "Emil", "Fred"]
    emil.close()
    assert anna.wait_for(lambda u: len(u["queue"]) == 2)["queue"] == ["Dora", "Fred"]
    clients[1].send("leave")
    anna.wait_for(lambda u: u["seats"][1]["kind"] == "bot")
    anna.send("offer", seat=1, on=True)
    play_out([anna, clients[2]])
    seated = dora.expect("seated")
    assert seated["seat"] == 1
    assert anna.wait_for(lambda u: u["seats"][1]["name"] == "Dora")["queue"] == ["Fred"]
    assert anna.wait_for(lambda u: u["rematch"])["rematch"] == [1]
    new = hall.client(code, seated["token"])
    for client in (anna, clients[2]):
        client.send("rematch", seed=SEED)
    assert new.wait_for(lambda u: u["match"] == 2)["seeds"][1] == SEED
    assert new.update["queue"] == ["Fred"]


def test_a_place_in_the_queue_is_refused(tmp_path: Path) -> None:
    with limited(tmp_path, queue=1) as server:
        code, _, (anna, _, _) = three(server)
        dora = queue(server, code, "Dora")
        dora.wait_for(lambda u: u["queue"] == ["Dora"])

        def refusal(client: Client) -> str:
            return str(client.expect("refused")["reason"]["key"])

        for name, why in {"Anna": "queue_full", "Dora": "queue_full", "Emil": "queue_full"}.items():
            assert refusal(queue(server, code, name)) == why
        dora.send("queue", name="Emil", seed=SEED)
        assert refusal(dora) == "queue_once"
        anna.send("queue", name="Emil", seed=SEED)
        assert refusal(anna) == "queue_once"
        dora.close()
        anna.wait_for(lambda u: not u["queue"])
        assert refusal(queue(server, code, "Anna")) == "name_taken"
        assert refusal(queue(server, code, "\u200b")) == "name_empty"
        empty = server.open_table("triatri", **SHORT)["code"]
        assert refusal(queue(server, empty, "Emil")) == "queue_seat_open"


# --- news -----------------------------------------------------------------------------------------


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Address]:
    """A server that soon says who is offline."""
    database = str(tmp_path / "tables.db")
    with in_thread(replace(GENEROUS, database=database, offline_seconds=0.05)) as server:
        yield server


def test_the_log_says_who_is_offline_and_back(quick: Address) -> None:
    code, tokens, (anna, ben, cleo) = three(quick)
    anna.wait_for(lambda u: u["legal"])
    version = anna.play(*anna.first_choice())["version"]
    cleo.reach(version)
    ben.close()
    told(anna, "went_offline")
    told(cleo, "went_offline")
    quick.client(code, tokens[1])
    told(anna, "came_back")
    late = quick.client(code, tokens[2], since=0)
    news = late.wait_for(lambda u: u["news"])["news"]
    assert [(one["kind"], one["seat"], one["name"]) for one in news[-2:]] == [
        ("went_offline", 1, "Ben"),
        ("came_back", 1, "Ben"),
    ]
    assert {one["after"] for one in news[-2:]} == {len(late.update["events"])}


def test_nobody_is_noted_as_offline_at_a_table_with_one_person(quick: Address) -> None:
    table = quick.open_table("triatri", seats=[None, "page", "page"], **SHORT)
    token = quick.sit(table["code"], "Anna")["token"]
    anna = quick.client(table["code"], token)
    version = anna.wait_for(lambda u: u["legal"])["version"]
    anna.close()
    for _ in range(3):
        assert quick.get(f"/api/tables/{table['code']}")["phase"] == "playing"
    again = quick.client(table["code"], token, since=0)
    assert again.wait_for(lambda u: u["match"])["news"] == []
    assert again.update["version"] == version


def test_news_is_limited() -> None:
    table = Folded("triatri", seats=[None] * 3, **SHORT)
    for _ in range(60):
        table.does("note_offline", 1)
        table.does("note_back", 1)
    news = table.table.news_since(0)
    assert len(news) == 40
    assert news[-1].version == table.table.version
