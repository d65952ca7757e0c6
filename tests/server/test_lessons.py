"""A walk-through at a table of the server, followed step by step as a client does."""

from typing import Any

import pytest

from hastilude.games.registry import GAMES
from tests.server.running import Address, Client

BEGUN = 3  # the version of a table that was opened, sat down at and begun


def opened(hall: Address, game: str) -> tuple[Any, Client]:
    """The lesson as the server tells it, and the learner at its table."""
    told = hall.get(f"/api/games/{game}/lesson")
    code = hall.open_table(
        game,
        options=told["options"],
        seats=told["seats"],
        script={"chance": told["chance"], "plays": told["plays"]},
        away=None,
        watch="nobody",
    )["code"]
    sitting = hall.sit(code, "Anna")
    assert sitting["seat"] == told["seat"]
    return told, hall.client(code, sitting["token"], since=0)


def is_asked(update: Any) -> bool:
    return bool(update["legal"]) or update["phase"] == "over"


@pytest.mark.parametrize("game", GAMES)
def test_a_learner_follows_the_steps_to_the_end(hall: Address, game: str):
    told, learner = opened(hall, game)
    made = 0
    for step in told["steps"]:
        assert step["at"] == made
        learner.wait_for(is_asked)
        if step["play"] is not None:
            assert step["play"][0] in learner.update["legal"]
            done = learner.play(*step["play"])
            assert done["type"] == "done", done
            learner.reach(done["version"])
            made += 1
    learner.wait_for(is_asked)
    assert learner.update["version"] == BEGUN + len(told["plays"])  # all of them, and no other


def test_the_match_goes_on_with_bots_after_the_last_step(hall: Address):
    told, learner = opened(hall, "triatri")
    for step in told["steps"]:
        if step["play"] is not None:
            learner.wait_for(is_asked)
            learner.reach(learner.play(*step["play"])["version"])
    while learner.wait_for(is_asked)["phase"] == "playing":
        learner.reach(learner.play(*learner.first_choice())["version"])
    assert learner.update["winners"]
