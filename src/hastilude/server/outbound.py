"""Everything that leaves the server about a match is made here, from what its viewer may know.

A viewer is a seat, or None for a spectator. What is read of a match is `view`, `events` and `legal`
of that viewer, which pass through the game's `redact`, and `complete`, which depends on nothing
hidden from the viewer; a record, and a replay or a review from any seat, only once the match is
over. The same goes for a puzzle, whose viewer is the seat that has to choose; what its choices are
worth is sent to whoever has chosen.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from hastilude.bots.hints import Hints
from hastilude.core.game import Game, Suit
from hastilude.core.match import Match, Rehearsal
from hastilude.core.record import Record
from hastilude.games.registry import load
from hastilude.messages import Message
from hastilude.puzzles import Puzzle, PuzzleChoice
from hastilude.server.reviews import Progress
from hastilude.server.table import Table

PONG = orjson.dumps({"type": "pong"})


def welcome(table: Table, viewer: int | None) -> bytes:
    opened = table.opened
    return orjson.dumps(
        {
            "type": "welcome",
            "code": table.code,
            "game": opened.game,
            "options": table.game.stated_options,
            "clock": opened.clock.model_dump(),
            "away": opened.away,
            "practice": opened.practice,
            "tracker": allows_tracker(table),
            "watch": opened.watch,
            "scripted": table.is_scripted,
            "seat": viewer,
        }
    )


def common(
    table: Table,
    here: Container[int],
    takeovers: Mapping[int, int],
    queue: Sequence[str],
    now: int,
) -> bytes:
    """The part of an update that is the same for all viewers: see `update`."""
    match = table.match
    return orjson.dumps(
        {
            "type": "update",
            "version": table.version,
            "phase": table.phase,
            "paused": table.paused,
            "match": table.number,
            "seats": seats(table, here, takeovers, now),
            "queue": queue,
            "pausing": sorted(table.pausing),
            "rematch": sorted(table.rematch),
            "scores": match and match.scores,
            "winners": match.winners if match and match.over else None,
            "commitment": commitment(table),
            "seeds": [None] * len(table.seats) if table.is_scripted else table.seeds,
        }
    )


def update(table: Table, viewer: int | None, since: int, common: bytes) -> bytes:
    """How the table stands, and what happened after version `since`."""
    legal, complete = choices(table, viewer)
    own = orjson.dumps(
        {
            "view": view(table, viewer),
            "tracker": tracker(table, viewer),
            "legal": legal,
            "complete": complete,
            "events": event_frames(table.match, viewer, table.told_before(since, viewer)),
            "said": [
                {"seat": said.seat, "phrase": said.phrase, "version": version}
                for version, said in table.said_since(since)
            ],
            "news": news(table, viewer, since),
            "missed": missed_count(table, viewer),
        }
    )
    return b"%b,%b" % (common[:-1], own[1:])  # two objects as one


def tracker(table: Table, viewer: int | None) -> tuple[Suit, ...] | None:
    """The cards that the viewer has seen, only where the host allows it."""
    match = table.match
    return match.tracker(viewer) if match and allows_tracker(table) else None


def allows_tracker(table: Table) -> bool | None:
    """None: the game has no card tracker."""
    return table.opened.tracker if table.game.has_tracker else None


def view(table: Table, viewer: int | None) -> Any:
    if table.match is None:
        return None
    seen = table.match.view(viewer)
    return replace(seen, pending=()) if table.is_abandoned else seen


def news(table: Table, viewer: int | None, since: int) -> list[dict[str, Any]]:
    """What happened to the players of the match after a version."""
    match = table.match
    if match is None:
        return []
    return [
        {
            "kind": news.kind,
            "seat": news.seat,
            "name": news.name,
            "version": news.version,
            "after": match.told(news.step, viewer),
        }
        for news in table.news_since(since)
    ]


def missed_count(table: Table, viewer: int | None) -> dict[str, int] | None:
    seat = None if viewer is None else table.seats[viewer]
    if seat is None or not seat.missed:
        return None
    return {"count": len(seat.missed), "version": seat.missed_at}


def choices(table: Table, viewer: int | None) -> tuple[list[str], list[str]]:
    """What the viewer may do now, and what of it is a whole choice."""
    match, texts = table.match, table.game.texts
    if match is None or viewer is None or viewer not in table.pending():
        return [], []
    return (
        [texts[action] for action in match.legal(viewer)],
        [texts[action] for action in match.complete(viewer)],
    )


def commitment(table: Table) -> str | None:
    """None where the deals are written: a commitment would promise that they are fair."""
    return None if table.is_scripted else table.current_commitment


def seats(
    table: Table, here: Container[int], takeovers: Mapping[int, int], now: int
) -> list[dict[str, Any]]:
    pending, decider = table.pending(), table.decider
    has_clock = table.opened.clock.kind != "none"
    return [
        {
            "kind": seat.kind,
            "name": seat.name,
            "level": seat.level,
            "here": number in here or seat.is_automatic,
            "stand_in": seat.stand_in,
            "left": table.left(number, now),
            "running": has_clock and number in pending and seat.thinks_itself,
            "takeover": takeovers.get(number),
            "offered": seat.offered,
            "host": number == decider,
        }
        for number, seat in enumerate(table.seats)
    ]


def event_frames(match: Match | None, viewer: int | None, first: int) -> list[dict[str, Any]]:
    """A viewer's events from one on."""
    if match is None:
        return []
    return [
        {
            "event": event.key,
            "clause": event.clause,
            "values": event,  # its fields
            "ends": event.ends,
            "index": index,
            "story": match.story(index, viewer),
        }
        for index, event in enumerate(match.events(viewer, first), first)
    ]


def done(id: str, version: int) -> bytes:
    return orjson.dumps({"type": "done", "id": id, "version": version})


def refused(reason: Message, version: int, id: str | None = None) -> bytes:
    return orjson.dumps(
        {"type": "refused", "id": id, "reason": sentence(reason), "version": version}
    )


def notice(key: str) -> bytes:
    return orjson.dumps({"type": "notice", "reason": sentence(Message(key))})


def answer(table: Table, id: str, rehearsal: Rehearsal, reason: Message | None) -> bytes:
    return orjson.dumps(
        {
            "type": "answer",
            "id": id,
            **_rehearsed(table.game, rehearsal, reason),
        }
    )


def rehearsed(game: Game, rehearsal: Rehearsal, reason: Message | None) -> bytes:
    return orjson.dumps(_rehearsed(game, rehearsal, reason))


def _rehearsed(game: Game, rehearsal: Rehearsal, reason: Message | None) -> dict[str, Any]:
    return {
        "refused": reason and sentence(reason),
        "legal": [game.text(action) for action in rehearsal.legal()],
        "whole": rehearsal.whole,
    }


def missed(id: str, choices: list[list[str]], view: Any) -> bytes:
    return orjson.dumps({"type": "missed", "id": id, "choices": choices, "view": view})


def seated(seat: int, token: str) -> bytes:
    return orjson.dumps({"type": "seated", "seat": seat, "token": token})


def hints(id: str, found: Hints) -> bytes:
    reason = found.reason and sentence(found.reason)
    return orjson.dumps({"type": "hints", "id": id, "groups": found.groups, "reason": reason})


def sentence(message: Message) -> dict[str, Any]:
    return {
        "key": message.key,
        "values": {
            name: sentence(value) if isinstance(value, Message) else value
            for name, value in message.values.items()
        },
        "clause": message.clause,
    }


def replay_steps(text: str, viewer: int | None) -> bytes:
    """A finished match, from its record, step by step as a viewer saw it."""
    record = Record.from_json(text)
    chance = [event for event in record.events if event[0] != "play"]
    match = load(record.game, **record.options).new(chance=chance)
    steps = [{"view": match.view(viewer), "events": event_frames(match, viewer, 0)}]
    for event in record.events:
        if event[0] == "play":
            first = match.told(len(match.steps), viewer)
            match.play(event[1], event[2])
            steps.append({"view": match.view(viewer), "events": event_frames(match, viewer, first)})
    return orjson.dumps(steps)


def review(found: Progress, points: int, decisions: int) -> bytes:
    """A review of a finished match, without the points and decisions that the client has."""
    return orjson.dumps(
        {
            "state": found.state,
            "done": found.done,
            "total": found.total,
            "points": found.points[points:],
            "decisions": found.decisions[decisions:],
            "balance": found.balance,
            "open": found.open,
        }
    )


def puzzle_position(puzzle: Puzzle, match: Match) -> bytes:
    """A puzzle before the answer; `match` stands where it begins."""
    seat, text = puzzle.seat, match.game.text
    return orjson.dumps(
        {
            "id": puzzle.id,
            "game": puzzle.game,
            "options": match.game.stated_options,
            "seat": seat,
            "seats": match.game.seats,
            "view": match.view(seat),
            "events": event_frames(match, seat, 0),
            "legal": [text(action) for action in match.legal(seat)],
            "complete": [text(action) for action in match.complete(seat)],
            "themes": puzzle.themes,
            "rating": puzzle.rating,
        }
    )


def puzzle_verdict(puzzle: Puzzle, made: PuzzleChoice) -> bytes:
    """What a choice was worth, and all others."""
    return orjson.dumps(
        {
            "right": made is puzzle.answer,
            "chosen": puzzle.choices.index(made),
            "tempting": puzzle.tempting,
            "choices": [
                {
                    "texts": choice.texts,
                    "win": list(choice.win),
                    "loss": list(choice.loss),
                    "reasons": [sentence(reason) for reason in choice.reasons],
                }
                for choice in puzzle.choices
            ],
        }
    )


def table_facts(table: Table, here: Container[int]) -> dict[str, Any]:
    """What anyone may know who has the table's code."""
    return {
        "code": table.code,
        "game": table.opened.game,
        "options": table.game.stated_options,
        "phase": table.phase,
        "matches": table.number,
        "seats": [
            {
                "kind": seat.kind,
                "name": seat.name,
                "level": seat.level,
                "here": number in here or seat.is_automatic,
                "offered": seat.offered,
            }
            for number, seat in enumerate(table.seats)
        ],
        "pending": table.pending(),
        "clock": table.opened.clock.model_dump(),
        "away": table.opened.away,
        "watch": table.opened.watch,
        "practice": table.opened.practice,
        "tracker": allows_tracker(table),
        "scripted": table.is_scripted,
        "commitment": commitment(table),
    }
