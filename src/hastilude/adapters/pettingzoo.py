"""The games as environments of PettingZoo.

>>> from hastilude.adapters import pettingzoo
>>> env = pettingzoo.env("tornei", players=3)
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     env.step(None if termination else int(observation["action_mask"].argmax()))
>>> env.unwrapped.match.winners
(1,)

They are also registered: `pettingzoo.make("aec", "hastilude/tornei-v1", players=3)`.
"""

import secrets
from typing import Any

import hastilude
from hastilude.adapters import REWARDS, check_choice, missing, results
from hastilude.core.chance import SEEDS
from hastilude.core.errors import IllegalAction
from hastilude.core.match import Match
from hastilude.core.random import draw, generator
from hastilude.messages import Message

try:
    import gymnasium
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv, register
    from pettingzoo.utils import wrappers
    from pettingzoo.utils.env_logger import EnvLogger

    from hastilude.adapters.spaces import (
        Observation,
        leads,
        observation,
        observation_space,
    )
except ImportError as error:
    raise missing(error) from error

RENDER_MODES = ("ansi", "human")
ILLEGAL_REWARD = -1.0


def env(game: str, **parameters: Any) -> AECEnv[str, Observation, int]:
    """`raw_env` in PettingZoo's usual wrappers: an illegal action gives a warning and loses."""
    wrapped = WarnOfIllegal(raw_env(game, **parameters), illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class _Seated:
    """What both kinds of environment share. Agents are seats, named player_0, player_1 …"""

    extra_actions = 0

    def __init__(
        self, game: str, *, render_mode: str | None = None, reward: str = "match", **options: Any
    ) -> None:
        self.game = hastilude.load(game, **options)
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        check_choice("reward", reward, REWARDS)
        self.render_mode = render_mode
        self.reward = reward
        self.metadata = {
            "name": f"hastilude_{game}_v{self.game.rules_version}",
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.seats)]
        self.agents = list(self.possible_agents)
        self.actions = self.game.num_actions + self.extra_actions
        self.action_spaces = {
            agent: spaces.Discrete(self.actions) for agent in self.possible_agents
        }
        self.observation_spaces = {
            agent: observation_space(self.game, self.actions) for agent in self.possible_agents
        }
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._seeds = generator(secrets.randbelow(SEEDS))
        self._rendered_events = 0
        self._paid = [0.0] * self.game.seats
        self.match: Match

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def begin(self, seed: int | None) -> None:
        """Start a match with that seed; without a seed, the next match that follows from the last
        seed."""
        self.match = self.game.new(seed=int(draw(self._seeds)) if seed is None else seed)
        if seed is not None:
            self._seeds = generator(seed)
        self.agents = list(self.possible_agents)
        self._rendered_events = 0
        self._paid = [0.0] * self.game.seats

    def earnings(self) -> list[float]:
        """The reward of each seat since the last call."""
        before = self._paid
        self._paid = (
            leads(self.match.scores)
            if self.reward == "score"
            else results(self.match.winners, self.game.seats)
        )
        return [now - then for now, then in zip(self._paid, before, strict=True)]

    def render(self) -> str | None:
        """What everybody saw happen since the last call, and the scores."""
        if self.render_mode is None:
            gymnasium.logger.warn(str(Message("research_render")))
            return None
        text = "\n".join([*self._story(), self._standing()])
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def _story(self) -> list[str]:
        events = self.match.events(None, self._rendered_events)
        self._rendered_events += len(events)
        return [str(event) for event in events]

    def _standing(self) -> str:
        key = "research_standing_end" if self.match.over else "research_standing"
        return str(Message(key, {"seats": self.match.pending, "scores": self.match.scores}))

    def close(self) -> None:
        pass


class raw_env(_Seated, AECEnv[str, Observation, int]):  # type: ignore[misc]  # noqa: N801
    """A match in which seats act one by one. Where several choose simultaneously, they do so in
    turn, without seeing each other's choice. `match` is the current match.

    `reward` is "match" (at the end: 1 for winning, divided if shared; the sum over all seats is 0)
    or "score" (changes of each seat's lead over the mean of the others, as they happen).
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._select()

    def step(self, action: int | None) -> None:
        """Play an action; IllegalAction (a ValueError) says why not, and then nothing changes."""
        if not self.agents:
            raise IllegalAction.of("match_over")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise IllegalAction.of("research_dead", agent=agent)
            self._was_dead_step(action)
            return
        self.match.play(self._seats[agent], action)  # type: ignore[arg-type]  # refuses None
        self._cumulative_rewards[agent] = 0.0
        self._pay()
        self._select()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        seen = observation(self.match, self._seats[agent])
        if agent != self.agent_selection:
            seen["action_mask"][:] = 0  # even if it is pending, its turn comes later
        return seen

    def _pay(self) -> None:
        over = self.match.over
        if over or self.reward == "score":
            self.rewards = dict(zip(self.agents, self.earnings(), strict=True))
            self._accumulate_rewards()
        if over:
            self.terminations = dict.fromkeys(self.agents, True)

    def _select(self) -> None:
        turn = self.match.turn
        self.agent_selection = self.possible_agents[0 if turn is None else turn]


class WarnOfIllegal(wrappers.TerminateIllegalWrapper[str, Observation, int]):  # type: ignore[misc]
    """Adds to PettingZoo's wrapper a warning that says why the action is illegal."""

    def step(self, action: Any) -> None:
        raw: Any = self.unwrapped
        agent = raw.agent_selection
        if action is not None and not (raw.terminations[agent] or raw.truncations[agent]):
            refusal = raw.match.why(raw.possible_agents.index(agent), action)
            if refusal is not None:
                EnvLogger._generic_warning(f"[WARNING]: {refusal}")
        super().step(action)


class parallel_env(_Seated, ParallelEnv[str, Observation, int]):  # type: ignore[misc]  # noqa: N801
    """A match in which all agents act in every step; useful for simultaneous choices.

    An agent that has nothing to choose has only the last action: to wait.
    """

    extra_actions = 1

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self.begin(seed)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        """Play actions; IllegalAction (a ValueError) says why not, and then nothing changes."""
        if not self.agents:
            raise IllegalAction.of("match_over")
        pending = self.match.pending
        for agent, seat in self._seats.items():
            self._check(agent, actions.get(agent), seat in pending)
        for seat in pending:
            self.match.play(seat, actions[self.possible_agents[seat]])
        over = self.match.over
        returned: tuple[dict[str, Any], ...] = (
            self._observations(),
            dict(zip(self.agents, self.earnings(), strict=True)),
            dict.fromkeys(self.agents, over),
            dict.fromkeys(self.agents, False),
            {agent: {} for agent in self.agents},
        )
        if over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return returned

    def _check(self, agent: str, action: int | None, pending: bool) -> None:
        if action is None:
            raise IllegalAction.of("research_no_action", agent=agent)
        if pending:
            refusal = self.match.why(self._seats[agent], action)
            if refusal is not None:
                raise IllegalAction(refusal)
        elif action != self.game.num_actions:
            raise IllegalAction.of("research_wait", agent=agent, value=self.game.num_actions)

    def _observations(self) -> dict[str, Observation]:
        seen = {}
        for agent in self.agents:
            seen[agent] = observation(self.match, self._seats[agent], self.actions)
            if not seen[agent]["action_mask"].any():
                seen[agent]["action_mask"][self.game.num_actions] = 1
        return seen


for _name in hastilude.games():
    _id = f"hastilude/{_name}-v{hastilude.load(_name).rules_version}"
    register("aec", _id, f"{__name__}:env", kwargs={"game": _name})
    register("parallel", _id, f"{__name__}:parallel_env", kwargs={"game": _name})
