"""The HTTP API: what it says of itself, and what it says when something is wrong."""

import json
from typing import Any, get_args

import jsonschema_rs
import pytest

from hastilude import protocol
from hastilude.bots.levels import LEVELS
from hastilude.core.record import Record
from hastilude.games.registry import GAMES, load
from hastilude.games.rulebook import clauses
from hastilude.messages import LANGUAGES, Message, catalogue, render
from hastilude.server.reasons import REASONS
from tests.server.running import SEED, Address, play_out


def test_every_route_is_described(hall: Address):
    description = hall.get("/api/openapi.json")
    assert description["openapi"].startswith("3.1")
    assert len(description["paths"]) >= 9
    for path, operations in description["paths"].items():
        for operation in operations.values():
            assert operation["summary"], path
            for status, answer in operation["responses"].items():
                assert answer["description"] not in ("", "Successful Response"), (path, status)
                if status == "200" and path != "/metrics":
                    assert answer["content"]["application/json"]["schema"], path
    for schema in description["components"]["schemas"].values():
        jsonschema_rs.meta.validate(schema)
    assert "HTTPValidationError" not in str(description)  # refusals have one form everywhere


def test_answers_are_what_the_description_promises(hall: Address):
    code = hall.open_table(seats=[None, "page"], options={"best_of": 1}, watch="anyone")["code"]
    anna = hall.client(code, hall.sit(code, "Anna")["token"])
    play_out([anna])
    promised = hall.get("/api/openapi.json")
    match = f"/api/tables/{code}/matches/1"
    puzzle = hall.get("/api/games/tornei/puzzles/daily")["id"]
    asked = {
        "/api/games": "/api/games",
        "/api/games/{game}/rules": "/api/games/tornei/rules?language=ja",
        "/api/games/{game}/lesson": "/api/games/tornei/lesson",
        "/api/games/{game}/puzzles": "/api/games/tornei/puzzles",
        "/api/games/{game}/puzzles/daily": "/api/games/tornei/puzzles/daily",
        "/api/games/{game}/puzzles/{id}": f"/api/games/tornei/puzzles/{puzzle}",
        "/api/tables": "/api/tables",
        "/api/tables/{code}": f"/api/tables/{code}",
        "/api/tables/{code}/matches/{number}/record": f"{match}/record",
        "/api/tables/{code}/matches/{number}/replay": f"{match}/replay?seat=1",
        "/api/tables/{code}/matches/{number}/reviews/{seat}": f"{match}/reviews/1",
        "/health": "/health",
    }
    readable = {path for path, how in promised["paths"].items() if "get" in how}
    assert readable - {"/metrics"} == set(asked)
    for path, url in asked.items():
        schema = promised["paths"][path]["get"]["responses"]["200"]["content"]
        whole = {**schema["application/json"]["schema"], "components": promised["components"]}
        jsonschema_rs.validator_for(whole).validate(hall.get(url))


def test_games_are_told_with_everything_a_person_can_choose(hall: Address):
    games = {game["name"]: game for game in hall.get("/api/games")}
    assert list(games) == list(GAMES)
    assert games["tornei"]["players"] == [3, 4]
    assert games["triatri"]["credits"]
    for name, game in games.items():
        load(name, **{option["name"]: option["default"] for option in game["options"]})
        for option in game["options"]:
            for value in option["allowed"]:
                load(name, **{option["name"]: value})


def test_a_table_lists_a_variant_only_if_it_is_played(hall: Address):
    played = {"players": 3, "first_dealer": 0, "place_points": [1, 2, 2, 1]}
    for asked, listed in (
        ({**played, "no_trick_points": 3}, played),
        ({"place_points": [2, 3, 3, 2]}, {"players": 4, "first_dealer": 0}),
    ):
        made = hall.post("/api/tables", {"game": "tornei", "options": asked})
        assert hall.get(f"/api/tables/{made['code']}")["options"] == listed


def test_the_rating_of_a_level_is_higher_than_that_of_the_level_below(hall: Address):
    for game in hall.get("/api/games"):
        ratings = [game["ratings"][level] for level in ("page", "squire", "knight", "champion")]
        assert ratings == sorted(set(ratings))


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_can_be_read_by_clause_in_both_languages(hall: Address, game: str):
    english, japanese = (
        hall.get(f"/api/games/{game}/rules", params={"language": language})
        for language in LANGUAGES
    )
    for chapter, other in zip(english, japanese, strict=True):
        items, others = chapter["items"], other["items"]
        assert [item["clause"] for item in items] == [item["clause"] for item in others]
        for item in items:
            assert item["text"].startswith(f"**{item['clause']} " if item["clause"] else "")
    assert english[0]["title"] == "In short"
    assert len(english[0]["items"]) >= 3
    found = [item["clause"] for chapter in english for item in chapter["items"] if item["clause"]]
    assert found == list(clauses(game))


def test_a_record_is_a_file_that_other_commands_read(hall: Address):
    code = hall.open_table(seats=[None, "page"], options={"best_of": 1})["code"]
    play_out([hall.client(code, hall.sit(code, "Anna")["token"])])
    record = Record.from_json(hall.request("GET", f"/api/tables/{code}/matches/1/record").text)
    assert record.names == ["Anna", "page"]


# --- when something is wrong --------------------------------------------------------------------

WRONG: list[tuple[str, str, Any, int, str]] = [
    ("POST", "/api/tables", {"game": "torney"}, 400, "game_unknown_near"),
    ("POST", "/api/tables", {"game": "tornei", "options": {"players": 9}}, 400, "option_choice"),
    ("POST", "/api/tables", {"game": "tornei", "seats": [None]}, 400, "seats_form"),
    ("POST", "/api/tables", {"game": "tornei", "clock": {"kind": "move"}}, 400, "clock_form"),
    ("POST", "/api/tables", {"game": "tornei", "colour": "red"}, 422, "request_form"),
    ("POST", "/api/tables", {}, 422, "request_form"),
    ("POST", "/api/tables/nowhere2/seats", {"name": "A", "seed": SEED}, 404, "table_unknown"),
    ("GET", "/api/tables/nowhere2", None, 404, "table_unknown"),
    ("GET", "/api/tables/nowhere2/matches/1/record", None, 404, "table_unknown"),
    ("GET", "/api/games/chess/rules", None, 400, "game_unknown"),
    ("GET", "/api/games/torney/lesson", None, 400, "game_unknown_near"),
    ("GET", "/api/nothing", None, 404, "page_unknown"),
    ("DELETE", "/api/tables", None, 405, "request_http"),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "key"), WRONG)
def test_a_refusal_has_a_status_and_a_sentence(hall: Address, method, path, body, status, key):
    answer = hall.request(method, path, json=body)
    assert answer.status_code == status
    reason = answer.json()["reason"]
    assert reason["key"] == key
    message = Message(reason["key"], reason["values"], reason["clause"])
    sentences = [render(message, language) for language in LANGUAGES]
    assert len(set(sentences)) == len(LANGUAGES)


def test_a_name_and_a_seed_must_be_good(hall: Address):
    code = hall.open_table()["code"]
    for name, seed, key in (
        ("", SEED, "request_form"),
        (" \u200b ", SEED, "name_empty"),
        ("A" * 25, SEED, "name_long"),
        ("Anna", "short", "request_form"),
    ):
        body = {"name": name, "seed": seed}
        answer = hall.request("POST", f"/api/tables/{code}/seats", json=body)
        assert answer.json()["reason"]["key"] == key


USUAL = {"content-type": "application/json"}
UNUSUAL = {"content-type": "application/json; charset=utf-8"}  # gets no shortcut


@pytest.mark.parametrize("body", [{"game": "tornei"}, {"game": "chess"}, {"game": 1}, {}, [], None])
def test_a_shortcut_answers_like_fastapi(hall: Address, body: Any):
    content = json.dumps(body)
    answers = [
        hall.request("POST", "/api/tables", content=content, headers=headers)
        for headers in (USUAL, UNUSUAL)
    ]
    assert len({answer.status_code for answer in answers}) == 1
    assert len({tuple(answer.headers) for answer in answers}) == 1
    assert len({tuple(answer.json()) for answer in answers}) == 1
    if answers[0].is_error:
        assert answers[0].content == answers[1].content


def test_every_reason_has_a_sentence_in_every_language():
    for language in LANGUAGES:
        known = catalogue(language)
        for key in REASONS:
            assert key in known


def test_the_levels_that_can_be_asked_for_are_those_there_are():
    assert set(get_args(protocol.Level)) == set(LEVELS)
