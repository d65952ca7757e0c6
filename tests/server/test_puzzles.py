"""Puzzles over HTTP: what is sent before the answer, what an answer brings, and what is refused."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import orjson
import pytest

from hastilude import puzzles
from hastilude.core.record import Record
from hastilude.games.registry import GAMES
from hastilude.messages import Message
from hastilude.puzzles.puzzle import Puzzle
from hastilude.server import outbound
from hastilude.server.puzzle_api import MOST_DONE
from hastilude.server.settings import Rate
from tests.server.puzzle_by_hand import joust
from tests.server.running import GENEROUS, Address, in_thread

SHOWN = {
    "id", "game", "options", "seat", "seats", "view", "events", "legal", "complete", "themes",
    "rating",
}  # fmt: skip
TORNEI = "/api/games/tornei/puzzles"


def plain(content: Any) -> Any:
    """As a client reads it."""
    return json.loads(orjson.dumps(content))


@pytest.fixture
def joust_puzzle(monkeypatch: pytest.MonkeyPatch) -> Puzzle:
    puzzle = joust()
    found = puzzles.find
    monkeypatch.setattr(
        puzzles, "find", lambda game, id: puzzle if id == puzzle.id else found(game, id)
    )
    return puzzle


@pytest.mark.parametrize("game", GAMES)
def test_every_puzzle_can_be_sent_and_answered(game: str):
    for puzzle in puzzles.puzzles(game):
        sent = orjson.loads(outbound.puzzle_position(puzzle, puzzle.match()))
        assert set(sent) == SHOWN
        assert set(sent["complete"]) <= set(sent["legal"])
        for choice in puzzle.choices:
            assert choice.texts[0] in sent["legal"]
        right = orjson.loads(outbound.puzzle_verdict(puzzle, puzzle.answer))
        assert right["right"]
        assert len(right["choices"]) == len(puzzle.choices)


@pytest.mark.parametrize("game", GAMES)
def test_before_the_answer_a_seat_sees_what_it_saw_at_the_table(hall: Address, game: str):
    puzzle = puzzles.next(game, 1200)
    assert puzzle is not None
    sent = hall.get(f"/api/games/{game}/puzzles/{puzzle.id}")
    match = puzzle.match()
    assert set(sent) == SHOWN
    assert sent["view"] == plain(match.view(puzzle.seat))
    assert sent["events"] == plain(outbound.event_frames(match, puzzle.seat, 0))
    assert sent["legal"] == [match.game.text(action) for action in match.legal(puzzle.seat)]


@pytest.mark.parametrize("game", GAMES)
def test_the_puzzle_of_the_day_and_the_themes(hall: Address, game: str):
    day = date(2026, 11, 18)
    sent = hall.get(f"/api/games/{game}/puzzles/daily?day={day}")
    assert sent["id"] == puzzles.daily(game, day).id
    told = hall.get(f"/api/games/{game}/puzzles")
    assert told["count"] == len(puzzles.puzzles(game))
    assert [theme["name"] for theme in told["themes"]] == list(puzzles.themes(game))
    assert all(theme["count"] for theme in told["themes"])


def test_the_next_puzzle_suits_the_rating_and_is_new(hall: Address):
    first = hall.post(f"{TORNEI}/next", {"rating": 1500})
    second = hall.post(f"{TORNEI}/next", {"rating": 1500, "done": [first["id"]], "theme": "void"})
    wanted = puzzles.next("tornei", 1500, {first["id"]}, "void")
    assert wanted is not None
    assert second["id"] == wanted.id != first["id"]
    assert "void" in second["themes"]


def test_nothing_is_left_when_all_are_done(hall: Address):
    theme = min(puzzles.themes("triatri"), key=lambda theme: len(with_theme("triatri", theme)))
    done = [puzzle.id for puzzle in with_theme("triatri", theme)]
    answer = hall.request(
        "POST",
        "/api/games/triatri/puzzles/next",
        json={"rating": 1200, "done": done, "theme": theme},
    )
    assert answer.status_code == 404
    assert answer.json()["reason"]["key"] == "puzzle_none_left"


def with_theme(game: str, theme: str) -> list[Puzzle]:
    return [puzzle for puzzle in puzzles.puzzles(game) if theme in puzzle.themes]


@pytest.mark.parametrize("game", GAMES)
def test_an_answer_brings_the_chances_of_all_choices_and_why(hall: Address, game: str):
    puzzle = next(puzzle for puzzle in puzzles.puzzles(game) if puzzle.choices[-1].reasons)
    path = f"/api/games/{game}/puzzles/{puzzle.id}/answer"
    right = hall.post(path, {"actions": puzzle.answer.texts})
    assert (right["right"], right["chosen"], right["tempting"]) == (True, 0, puzzle.tempting)
    wrong = hall.post(path, {"actions": puzzle.choices[-1].texts})
    assert (wrong["right"], wrong["chosen"]) == (False, len(puzzle.choices) - 1)
    assert wrong["choices"] == right["choices"]
    for sent, choice in zip(wrong["choices"], puzzle.choices, strict=True):
        assert (sent["texts"], sent["win"]) == (list(choice.texts), list(choice.win))
        assert sent["loss"] == list(choice.loss)
        assert [Message(**reason) for reason in sent["reasons"]] == list(choice.reasons)


def test_a_choice_of_several_actions_is_put_together(hall: Address, joust_puzzle: Puzzle):
    path = f"/api/games/kings_tournament/puzzles/{joust_puzzle.id}"
    sent = hall.get(path)
    assert sent["complete"] == []
    first, second, third = joust_puzzle.answer.texts
    begun = hall.post(f"{path}/ask", {"actions": [first]})
    assert (begun["refused"], begun["whole"]) == (None, False)
    assert second in begun["legal"]
    done = hall.post(f"{path}/ask", {"actions": [first, second, third]})
    assert done == {"refused": None, "whole": True, "legal": []}
    assert hall.post(f"{path}/answer", {"actions": [first, second, third]})["right"]
    part = hall.request("POST", f"{path}/answer", json={"actions": [first]})
    assert (part.status_code, part.json()["reason"]["key"]) == (400, "puzzle_choice_unknown")


def test_an_illegal_action_is_explained_with_its_clause(hall: Address):
    puzzle = next(
        puzzle
        for puzzle in puzzles.puzzles("tornei")
        if set(held(puzzle)) - {text for choice in puzzle.choices for text in choice.texts}
    )
    legal = {text for choice in puzzle.choices for text in choice.texts}
    other = next(text for text in held(puzzle) if text not in legal)
    told = hall.post(f"{TORNEI}/{puzzle.id}/ask", {"actions": [other]})
    assert told["refused"]["clause"]
    assert not told["whole"]


def held(puzzle: Puzzle) -> tuple[str, ...]:
    hand: tuple[str, ...] = puzzle.match().view(puzzle.seat).hand
    return hand


DAILY = f"{TORNEI}/daily"
REFUSED = [
    ("GET", "/api/games/chess/puzzles", None, 400, "game_unknown"),
    ("GET", "/api/games/chess/puzzles/daily", None, 400, "game_unknown"),
    ("GET", f"{DAILY}?day=tomorrow", None, 422, "request_form"),
    ("GET", f"{TORNEI}/0000000000", None, 404, "puzzle_unknown"),
    ("POST", f"{TORNEI}/0000000000/ask", {"actions": ["W1"]}, 404, "puzzle_unknown"),
    ("POST", f"{TORNEI}/0000000000/answer", {"actions": ["W1"]}, 404, "puzzle_unknown"),
    ("POST", f"{TORNEI}/{{id}}/answer", {"actions": ["nonsense"]}, 400, "puzzle_choice_unknown"),
    ("POST", f"{TORNEI}/{{id}}/answer", {"actions": []}, 422, "request_form"),
    ("POST", f"{TORNEI}/{{id}}/answer", {"actions": ["W1"] * 9}, 422, "request_form"),
    ("POST", f"{TORNEI}/{{id}}/answer", {}, 422, "request_form"),
    ("POST", f"{TORNEI}/{{id}}/answer", {"actions": "W1"}, 422, "request_form"),
    ("POST", f"{TORNEI}/next", {}, 422, "request_form"),
    ("POST", f"{TORNEI}/next", {"rating": "high"}, 422, "request_form"),
    ("POST", f"{TORNEI}/next", {"rating": 1200, "seat": 1}, 422, "request_form"),
    ("POST", f"{TORNEI}/next", {"rating": 0, "theme": "voids"}, 400, "puzzle_theme_unknown_near"),
    ("POST", f"{TORNEI}/next", {"rating": 1200, "done": [""] * 1001}, 422, "request_form"),
    ("POST", f"{TORNEI}/next", {"rating": 1200, "done": ["x" * 16] * 1000}, 413, "body_large"),
    ("DELETE", DAILY, None, 405, "request_http"),
    ("GET", f"{TORNEI}/{{id}}/answer", None, 405, "request_http"),
    ("PUT", f"{TORNEI}/next", {"rating": 1200}, 405, "request_http"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path", "body", "status", "key"), REFUSED)
def test_refusals(hall: Address, method: str, path: str, body: Any, status: int, key: str):
    id = puzzles.puzzles("tornei")[0].id
    answer = hall.request(method, path.format(id=id), json=body)
    assert (answer.status_code, answer.json()["reason"]["key"]) == (status, key)


def test_all_answered_puzzles_fit_into_a_request():
    """A client that has answered every puzzle of a game can still ask for the next."""
    for game in GAMES:
        done = [puzzle.id for puzzle in puzzles.puzzles(game)]
        assert len(done) <= MOST_DONE
    body = {"rating": 9999, "theme": "x" * 32, "done": [done[0]] * MOST_DONE}
    assert len(orjson.dumps(body)) <= GENEROUS.frame_bytes


def test_too_many_requests_are_refused(tmp_path: Path):
    settings = replace(GENEROUS, database=str(tmp_path / "t.db"), request_rate=Rate(3, 0))
    with in_thread(settings) as server:
        assert [server.request("GET", DAILY).status_code for _ in range(4)] == [200] * 3 + [429]


def test_a_record_is_never_sent(hall: Address):
    """Neither before the answer nor after it: it would contain all cards."""
    puzzle = puzzles.puzzles("tornei")[0]
    path = f"{TORNEI}/{puzzle.id}"
    deals = [
        event for event in Record.from_json(puzzle.record.to_json()).events if event[0] != "play"
    ]
    for sent in (hall.get(path), hall.post(f"{path}/answer", {"actions": puzzle.answer.texts})):
        text = json.dumps(sent)
        for deal in deals:
            assert json.dumps(plain(deal)) not in text
        assert "record" not in sent
