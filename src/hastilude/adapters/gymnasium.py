"""Many matches with one learning seat in each, as a vector environment of Gymnasium.

>>> import gymnasium, hastilude.adapters.gymnasium
>>> envs = gymnasium.make_vec("hastilude/tornei-v1", num_envs=4, players=3, seat=1)
>>> observations, infos = envs.reset(seed=7)
>>> observations["observation"].shape, observations["action_mask"].sum(axis=1)
((4, 293), array([14, 14, 14, 14]))
"""

from typing import Any

import numpy as np
import numpy.typing as npt

import hastilude
from hastilude.adapters import REWARDS, check_choice, learning, missing
from hastilude.bots.knowledge import load_bots
from hastilude.core.calls import redact_at, start_at
from hastilude.core.chance import SeededChance
from hastilude.core.errors import OptionError
from hastilude.core.rules import WORK
from hastilude.messages import Message

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.error import InvalidAction, ResetNeeded
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space

    from hastilude.adapters.spaces import observation_space
except ImportError as error:
    raise missing(error) from error

OTHERS = ("random", "reference")
Observations = dict[str, npt.NDArray[Any]]
Flags = npt.NDArray[np.bool_]


class VectorEnv(gymnasium.vector.VectorEnv[Observations, Any, npt.NDArray[Any]]):
    """`num_envs` matches of a game; in each, the learner plays one seat and `others` the rest.

    `seat` is the learner's seat in every match; with None, in match i it is i modulo the number of
    seats. `others` is "random" or "reference". `reward` is "match" (at the end: 1 for winning,
    divided if shared; the sum over all seats is 0) or "score" (changes of the lead over the mean of
    the others, as they happen). All autoreset modes are supported. With SAME_STEP, the last
    observations are in `infos["final_obs"]`, as arrays like the observations; they are valid where
    `infos["_final_obs"]` is true.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        seat: int | None = 0,
        others: str = "random",
        reward: str = "match",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: None = None,
        **options: Any,
    ) -> None:
        self.game = hastilude.load(game, **options)
        check_choice("reward", reward, REWARDS)
        check_choice("others", others, OTHERS)
        check_choice("render_mode", render_mode, (None,))
        check_choice("seat", seat, (*range(self.game.seats), None))
        if type(num_envs) is not int or num_envs < 1:
            raise OptionError.of("batch_size", value=num_envs)
        self.mode = autoreset_mode_of(autoreset_mode)
        self.metadata = {"autoreset_mode": self.mode, "render_modes": []}
        self.num_envs = num_envs
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        self.single_observation_space = observation_space(self.game)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        if others == "reference":
            load_bots(self.game)
        self._others = others
        self._reward = reward
        seats = np.arange(num_envs) % self.game.seats if seat is None else seat
        self._seats = np.full(num_envs, seats, np.int8)
        self._states = np.zeros(num_envs, self.game.state)
        self._start = np.zeros(1, self.game.state)
        start_at(self._start, np.array(self.game.option_numbers, dtype=np.int64))
        self._scratch = np.zeros(1, self.game.state)
        self._work = np.zeros(WORK, np.int8)
        self._rng = SeededChance(0).rng
        self._leads = np.zeros(num_envs, np.float32)
        self._over = np.ones(num_envs, np.bool_)  # matches that must be reset
        self._begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Start all matches again; with `options={"reset_mask": flags}` only the flagged ones."""
        fresh = self._np_random is None
        super().reset(seed=seed)
        if seed is not None or fresh:
            drawn = int(self.np_random.integers(2**63)) if seed is None else seed
            self._rng = SeededChance(drawn).rng
        which = np.asarray((options or {}).get("reset_mask", np.ones(self.num_envs, np.bool_)))
        if which.shape != (self.num_envs,) or which.dtype != np.bool_:
            raise OptionError.of("research_reset_mask", size=self.num_envs)
        self._begin(which)
        self._begun = True
        return self._observe(), {}

    def step(
        self, actions: Any
    ) -> tuple[Observations, npt.NDArray[Any], Flags, Flags, dict[str, Any]]:
        chosen, idle = self._checked(actions)
        if self.mode == AutoresetMode.NEXT_STEP and idle.any():
            self._begin(idle)
        learning.play_learners(self._states, self._seats, chosen, idle)
        self._play_others()
        rewards, done = np.empty(self.num_envs, np.float32), np.empty(self.num_envs, np.bool_)
        self._judge(idle, rewards, done)
        infos: dict[str, Any] = {}
        if self.mode == AutoresetMode.SAME_STEP:
            if done.any():
                infos = {"final_obs": self._observe(), "_final_obs": done}
                self._begin(done)
        else:
            self._over = done.copy()
        return self._observe(), rewards, done, np.zeros(self.num_envs, np.bool_), infos

    def random_actions(self) -> npt.NDArray[np.int64]:
        """A legal action for every match, from the environment's own random generator; 0 in a match
        that is over."""
        actions = np.empty(self.num_envs, np.int64)
        learning.pick_all(self._states, self._seats, self._rng, actions)
        return actions

    def _checked(self, actions: Any) -> tuple[npt.NDArray[np.int64], Flags]:
        """The actions, and which matches ignore theirs because this step starts them again."""
        if not self._begun:
            raise ResetNeeded(str(Message("research_not_reset")))
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or not np.issubdtype(chosen.dtype, np.integer):
            raise InvalidAction(str(Message("batch_actions", {"size": self.num_envs})))
        if self.mode == AutoresetMode.DISABLED and self._over.any():
            values = {"match": int(self._over.argmax())}
            raise ResetNeeded(str(Message("research_match_over", values)))
        chosen = chosen.astype(np.int64, copy=False)
        wrong = learning.first_illegal(self._states, self._seats, chosen, self._over)
        if wrong >= 0:
            raise InvalidAction(str(self._refusal(wrong, int(chosen[wrong]))))
        return chosen, self._over

    def _refusal(self, match: int, action: int) -> Message:
        if not 0 <= action < self.game.num_actions:
            problem = Message("action_range", {"value": action, "last": self.game.num_actions - 1})
        else:
            seat = int(self._seats[match])
            redact_at(self._states, match, seat, self._scratch, 0)
            problem = self.game.refuse(self.game.read(self._scratch), seat, action)
        return Message("research_illegal", {"match": match, "problem": problem})

    def _begin(self, which: Flags) -> None:
        learning.begin(self._states, self._start, which)
        self._over = self._over & ~which
        self._leads[which] = 0.0
        self._play_others()

    def _play_others(self) -> None:
        play = (
            learning.play_others_at_random
            if self._others == "random"
            else learning.play_others_by_policy
        )
        play(self._states, self._seats, self._rng, self._work)

    def _judge(self, idle: Flags, rewards: npt.NDArray[np.float32], done: Flags) -> None:
        players = self.game.seats
        if self._reward == "match":
            learning.reward_results(self._states, self._seats, players, idle, rewards, done)
        else:
            learning.reward_scores(
                self._states, self._seats, players, idle, self._leads, rewards, done
            )

    def _observe(self) -> Observations:
        encodings = np.empty((self.num_envs, self.game.layout.size), np.uint8)
        masks = np.empty((self.num_envs, self.game.num_actions), np.int8)
        learning.observe(
            self._states, self._scratch, self._seats, self.game.num_actions,
            encodings, masks.view(np.uint8),
        )  # fmt: skip
        return {"observation": encodings, "action_mask": masks}


def autoreset_mode_of(mode: AutoresetMode | str) -> AutoresetMode:
    known = tuple(mode.value for mode in AutoresetMode)
    if not isinstance(mode, AutoresetMode):
        check_choice("autoreset_mode", mode, known)
    return AutoresetMode(mode)


for _name in hastilude.games():
    _version = hastilude.load(_name).rules_version
    gymnasium.register(
        f"hastilude/{_name}-v{_version}",
        vector_entry_point=f"{__name__}:VectorEnv",
        kwargs={"game": _name},
    )
