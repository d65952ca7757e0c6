"""Everything that leaves the server about a match is made here, from what its viewer may know.

A viewer is a seat, or None for a spectator. What of a match is read here is `view`, `events` and
`legal` of that viewer, all of which pass through the game's `redact`; a record, and a replay from
any seat, only once the match is over.
"""

from collections.abc import Container
from typing import Any

from pydantic_core import to_json

from hastilude.bots.analyse import Candidate
from hastilude.core.match import Rehearsal
from hastilude.core.record import Record
from hastilude.games.registry import load
from hastilude.messages import Message
from hastilude.server.table import Seat, Table

PONG = to_json({"type": "pong"})


def welcome(table: Table, viewer: int | None) -> bytes:
    opened = table.opened
    return to_json(
        {
            "type": "welcome",
            "code": table.code,
            "game": opened.game,
            "options": table.game.options,
            "clock": opened.clock,
            "away": opened.away,
            "practice": opened.practice,
            "watch": opened.watch,
            "seat": viewer,
        }
    )


def update(table: Table, viewer: int | None, since: int, here: Container[int], now: int) -> bytes:
    """How the table stands, and what happened after version `since`."""
    match = table.match
    texts = table.game.texts
    pending = table.pending()
    return to_json(
        {
            "type": "update",
            "version": table.version,
            "phase": table.phase,
            "paused": table.paused,
            "match": table.number,
            "seats": [
                _seat(table, number, seat, number in here, number in pending, now)
                for number, seat in enumerate(table.seats)
            ],
            "view": match and match.view(viewer),
            "legal": [texts[action] for action in match.legal(viewer)]
            if match and viewer in pending
            else [],
            "events": [event.to_json() for event in table.events_since(since, viewer)],
            "said": [
                {"seat": said.seat, "phrase": said.phrase, "version": version}
                for version, said in table.said_since(since)
            ],
            "pausing": sorted(table.pausing),
            "rematch": sorted(table.rematch),
            "scores": match and match.scores,
            "winners": match.winners if match and match.over else None,
            "commitment": table.current_commitment,
            "seeds": table.seeds,
        }
    )


def _seat(
    table: Table, number: int, seat: Seat, here: bool, pending: bool, now: int
) -> dict[str, Any]:
    return {
        "kind": seat.kind,
        "name": seat.name,
        "level": seat.level,
        "here": here or seat.kind in ("bot", "script"),
        "host": seat.host,
        "stand_in": seat.stand_in,
        "left": table.left(number, now),
        "running": pending and seat.thinks_itself and table.opened.clock.kind != "none",
    }


def done(id: str, version: int) -> bytes:
    return to_json({"type": "done", "id": id, "version": version})


def refused(reason: Message, version: int, id: str | None = None) -> bytes:
    return to_json({"type": "refused", "id": id, "reason": sentence(reason), "version": version})


def notice(key: str) -> bytes:
    return to_json({"type": "notice", "reason": sentence(Message(key))})


def answer(table: Table, id: str, rehearsal: Rehearsal, reason: Message | None) -> bytes:
    return to_json(
        {
            "type": "answer",
            "id": id,
            "refused": reason and sentence(reason),
            "legal": [table.game.text(action) for action in rehearsal.legal()],
            "whole": rehearsal.whole,
        }
    )


def hints(id: str, candidates: list[Candidate]) -> bytes:
    return to_json(
        {
            "type": "hints",
            "id": id,
            "candidates": [
                {"action": one.text, "win": one.win, "margin": one.margin, "score": one.score}
                for one in candidates
            ],
        }
    )


def sentence(message: Message) -> dict[str, Any]:
    return {
        "key": message.key,
        "values": {
            name: sentence(value) if isinstance(value, Message) else value
            for name, value in message.values.items()
        },
        "clause": message.clause,
    }


def replay_steps(record: Record, viewer: int | None) -> list[dict[str, Any]]:
    """A finished match step by step, as a viewer saw it."""
    chance = [event for event in record.events if event[0] != "play"]
    match = load(record.game, **record.options).new(chance=chance)
    steps = [{"view": match.view(viewer), "events": [e.to_json() for e in match.events(viewer)]}]
    for event in record.events:
        if event[0] == "play":
            told = len(match.steps)
            match.play(event[1], event[2])
            events = [one.to_json() for one in match.events_after(told, viewer)]
            steps.append({"view": match.view(viewer), "events": events})
    return steps


def table_facts(table: Table, here: Container[int]) -> dict[str, Any]:
    """What anyone may know who has the table's code."""
    return {
        "code": table.code,
        "game": table.opened.game,
        "options": table.game.options,
        "phase": table.phase,
        "matches": table.number,
        "seats": [
            {"kind": seat.kind, "name": seat.name, "level": seat.level, "here": number in here}
            for number, seat in enumerate(table.seats)
        ],
        "clock": table.opened.clock,
        "watch": table.opened.watch,
        "practice": table.opened.practice,
        "commitment": table.current_commitment,
    }
