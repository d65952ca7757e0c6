"""A walk-through at a table of the server, followed step by step as a client does."""

from typing import Any

import pytest

from hastilude.games.registry import GAMES
from tests.server.running import Address


def open_table(hall: Address, game: str, told: Any) -> str:
    """The code of a lesson's table."""
    code: str = hall.open_table(
        game,
        options=told["options"],
        seats=told["seats"],
        script={"chance": told["chance"], "plays": told["plays"]},
        away=None,
        watch="nobody",
    )["code"]
    return code


def is_asked(update: Any) -> bool:
    return bool(update["legal"]) or update["phase"] == "over"


@pytest.mark.parametrize("game", GAMES)
def test_a_learner_follows_the_steps_and_the_others_their_script_even_after_a_free_choice(
    hall: Address, game: str
):
    told = hall.get(f"/api/games/{game}/lesson")
    code = open_table(hall, game, told)
    sitting = hall.sit(code, "Anna")
    assert sitting["seat"] == told["seat"]
    learner = hall.client(code, sitting["token"], since=0)
    for step in told["steps"]:
        learner.wait_for(is_asked)
        if step["play"] is not None:
            assert step["play"][0] in learner.update["legal"]
            done = learner.play(*step["play"])
            assert done["type"] == "done", done
            learner.reach(done["version"])
        if step["free"] is not None:
            break
    while learner.wait_for(is_asked)["phase"] == "playing":
        learner.reach(learner.play(*learner.first_choice())["version"])
    assert learner.update["winners"]
    own = {"authorization": f"Bearer {sitting['token']}"}
    events = hall.get(f"/api/tables/{code}/matches/1/record", headers=own)["events"]
    for seat in range(len(told["seats"])):
        written = [action for one, actions in told["plays"] for action in actions if one == seat]
        played = [event[2] for event in events if event[:2] == ["play", seat]]
        assert played[: len(written)] == written[: len(played)]
