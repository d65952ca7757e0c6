"""Observations and score rewards, for the Gymnasium and PettingZoo environments."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from hastilude.adapters.learning import look
from hastilude.core.game import Game
from hastilude.core.match import Match

Observation = dict[str, npt.NDArray[Any]]


def observation_space(game: Game, actions: int = 0) -> spaces.Dict:
    """The space of observations. `actions` is the size of the mask, by default the number of the
    game's actions."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 255, (game.layout.size,), np.uint8),
            "action_mask": spaces.Box(0, 1, (actions or game.num_actions,), np.int8),
        }
    )


def observation(match: Match, seat: int, actions: int = 0) -> Observation:
    """What a seat may know, and its legal actions if it is pending."""
    encoding = np.empty(match.game.layout.size, np.uint8)
    mask = np.zeros(actions or match.game.num_actions, np.int8)
    look(match.redacted(seat), seat, match.game.num_actions, encoding, mask.view(np.uint8))
    return {"observation": encoding, "action_mask": mask}


def leads(scores: Sequence[int]) -> list[float]:
    """Each seat's score minus the mean of the others' scores."""
    total, others = sum(scores), len(scores) - 1
    return [score - (total - score) / others for score in scores]
