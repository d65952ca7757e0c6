"""Scripted tables: fixed chance, fixed plays of the others, for walk-throughs."""

from typing import Any

import pytest

import hastilude
from hastilude.server.errors import Refusal
from tests.server.folding import Folded
from tests.server.running import Address, play_out

GAMES = {"tornei": 4, "kings_tournament": 2, "triatri": 3}
OPTIONS: dict[str, dict[str, Any]] = {"tornei": {"players": 4}, "kings_tournament": {"best_of": 1}}


def script_of(game: str, pick=max) -> tuple[dict[str, Any], list[tuple[int, list[str]]]]:
    """A short script: the deal of a match, and its first choices in the order they were made."""
    match = hastilude.load(game, **OPTIONS.get(game, {})).new(seed=3)
    plays = []
    for _ in range(4 * match.game.seats):
        seat = match.pending[-1]
        rehearsal, actions = match.rehearse(seat), []
        while not rehearsal.whole:
            action = pick(rehearsal.legal())
            rehearsal.play(action)
            actions.append(match.game.text(action))
        for text in actions:
            match.play(seat, text)
        plays.append((seat, actions))
    chance = [event for event in match.record().events if event[0] != "play"]
    return {"chance": chance, "plays": plays}, plays


def learner_at(hall: Address, game: str, script):
    options = OPTIONS.get(game, {})
    seats = hastilude.load(game, **options).seats
    others = ["script"] * (seats - 1)
    code = hall.open_table(game, options=options, seats=[None, *others], script=script)["code"]
    client = hall.client(code, hall.sit(code, "Anna")["token"], since=0)
    return code, client


def kept(hall: Address, code: str) -> list[Any]:
    record = hall.get(f"/api/tables/{code}/matches/1/record")
    return [event for event in record["events"] if event[0] == "play"]


def play_on(client, own: list[list[str]]) -> None:
    """The learner's choices as told, then first choices to the end of the match."""
    client.wait_for(lambda u: u["match"] > 0)
    while client.update["phase"] == "playing":
        if client.update["legal"]:
            actions = own.pop(0) if own else client.first_choice()
            done = client.play(*actions)
            assert done["type"] == "done", done
            client.reach(done["version"])
        else:
            client.receive()


@pytest.mark.parametrize("game", GAMES)
def test_a_script_is_played_as_it_is_written_also_where_seats_choose_together(
    hall: Address, game: str
):
    script, plays = script_of(game)
    code, client = learner_at(hall, game, script)
    play_on(client, [actions for seat, actions in plays if seat == 0])
    for seat in range(hastilude.load(game, **OPTIONS.get(game, {})).seats):
        wanted = [text for one, actions in plays if one == seat for text in actions]
        played = [text for _, one, text in kept(hall, code) if one == seat]
        assert played[: len(wanted)] == wanted
    record = hall.get(f"/api/tables/{code}/matches/1/record")
    dealt = [event for event in record["events"] if event[0] != "play"]
    assert dealt[: len(script["chance"])] == script["chance"]
    assert "proof" not in record  # nobody could have chosen these cards but the script


@pytest.mark.parametrize("game", GAMES)
def test_a_learner_who_leaves_the_script_gets_bots_and_the_match_goes_on(hall: Address, game: str):
    script, plays = script_of(game)
    code, client = learner_at(hall, game, script)
    play_on(client, [])  # first choices, where the script has the last
    assert client.update["winners"]
    own = [text for _, seat, text in kept(hall, code) if seat == 0]
    assert own[0] != next(actions for seat, actions in plays if seat == 0)[0]


@pytest.mark.parametrize("game", GAMES)
def test_a_script_may_leave_the_learner_free(hall: Address, game: str):
    script, plays = script_of(game)
    others = [play for play in plays if play[0] != 0]
    code, client = learner_at(hall, game, {**script, "plays": others})
    play_on(client, [])
    for seat in {seat for seat, _ in others}:
        first = next(actions for one, actions in others if one == seat)
        played = [text for _, one, text in kept(hall, code) if one == seat]
        assert played[: len(first)] == first


def test_what_comes_after_a_deviation_is_no_longer_the_scripts():
    table = Folded(
        seats=[None, "script"],
        script={"chance": [], "plays": [(0, ["D", "D", "D"]), (1, ["4", "5", "6"])]},
    )
    assert table.table.scripted(1) == ["4", "5", "6"]
    table.plays(0)  # low cards
    assert table.table.scripted(1) is None


def refusal(hall: Address, **wanted: Any) -> Any:
    body = {"game": "kings_tournament", **wanted}
    answer = hall.request("POST", "/api/tables", json=body)
    assert answer.status_code == 400
    return answer.json()["reason"]


def test_a_script_that_cannot_be_is_refused_with_the_reason(hall: Address):
    script, _ = script_of("kings_tournament")
    seats = [None, "script"]
    assert refusal(hall, seats=seats)["key"] == "script_missing"
    wrong = {**script, "plays": [[2, ["7"]]]}
    assert refusal(hall, seats=seats, script=wrong)["key"] == "script_seat"
    wrong = {**script, "plays": [[1, []]]}
    assert refusal(hall, seats=seats, script=wrong)["key"] == "script_actions"
    wrong = {"chance": [["deal", {"hands": []}]]}
    assert refusal(hall, seats=seats, script=wrong)["values"]


@pytest.mark.parametrize("seats", [[None, None], None])
def test_a_script_is_only_for_one_person(hall: Address, seats: Any):
    script, _ = script_of("kings_tournament")
    assert refusal(hall, seats=seats, script=script)["key"] == "script_one_person"


def test_a_scripted_table_is_never_public(hall: Address):
    script, _ = script_of("kings_tournament")
    wanted = {"seats": [None, "script"], "script": script}
    assert refusal(hall, watch="anyone", **wanted)["key"] == "script_public"


@pytest.mark.parametrize("scripted", [True, False])
def test_everybody_can_tell_a_scripted_table_from_a_fair_one(hall: Address, scripted: bool):
    """From the facts and the first frame on, in its rematches too: it promises nothing."""
    script, _ = script_of("kings_tournament")
    wanted = {"script": script} if scripted else {}
    table = hall.open_table(options={"best_of": 1}, seats=[None, "page"], **wanted)
    code = table["code"]
    facts = [hall.get(f"/api/tables/{code}")]
    player = hall.client(code, hall.sit(code, "Anna")["token"], since=0)
    for client in (player, hall.client(code)):
        assert client.expect("welcome")["scripted"] == scripted
    play_out([player])
    player.send("rematch", seed="cd" * 16)
    player.wait_for(lambda update: update["match"] == 2)
    play_out([player])
    facts.append(hall.get(f"/api/tables/{code}"))
    assert [told["scripted"] for told in facts] == [scripted] * 2
    updates = [frame for frame in player.frames if frame["type"] == "update"]
    for told in (table, *facts, *updates):
        assert (told["commitment"] is None) == scripted
    seeds = {seed for update in updates for seed in update["seeds"]}
    assert (seeds == {None}) == scripted
    assert (deal_of(hall, code, 1) == deal_of(hall, code, 2)) == scripted  # by the script again


def deal_of(hall: Address, code: str, match: int) -> list[Any]:
    """How both decks lay at first."""
    record = hall.get(f"/api/tables/{code}/matches/{match}/record")
    return [event for event in record["events"] if event[0] == "shuffle"][:2]


def test_no_second_person_gets_to_a_scripted_table(hall: Address):
    """Not beside the first one, not in the place of a bot, not after the first one has left."""
    script, _ = script_of("kings_tournament")
    table = hall.open_table(seats=[None, "page"], options={"best_of": 1}, script=script)
    code = table["code"]
    host = hall.client(code, hall.sit(code, "Anna", host=table["host"])["token"])
    cannot_sit(hall, code)
    play_out([host])
    cannot_sit(hall, code)
    host.send("kick", seat=1)
    assert host.expect("refused")["reason"]["key"] == "script_kick"
    host.send("start", level="page")
    assert host.expect("refused")["reason"]["key"] == "already_started"
    host.send("leave")
    host.closed()
    cannot_sit(hall, code)


def cannot_sit(hall: Address, code: str) -> None:
    for seat in (None, 0, 1):
        body = {"name": "Ben", "seed": "ab" * 16, "seat": seat}
        answer = hall.request("POST", f"/api/tables/{code}/seats", json=body)
        assert answer.status_code == 409
        assert answer.json()["reason"]["key"] in ("script_taken", "table_closed")


def test_who_left_before_the_match_leaves_no_seat_to_another():
    table = Folded(seats=[None, "page"], people=0, script={"chance": [], "plays": []})
    table.sits("Anna")
    with pytest.raises(Refusal, match="removed from a scripted table"):
        table.does("kick", 0, 1)
    table.does("leave", 0)
    with pytest.raises(Refusal, match="Only one person"):
        table.sits("Ben")
