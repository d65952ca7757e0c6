"""The games as Python games of OpenSpiel.

>>> import pyspiel, hastilude.adapters.open_spiel
>>> game = pyspiel.load_game("hastilude_tornei", {"players": 3})
>>> state = game.new_initial_state()
>>> state.is_chance_node(), len(state.legal_actions())  # the first card of the deal
(True, 56)

Chance decides one card at a time, and only cards that somebody sees: a card of a face-down pile is
decided when the rules draw it. Seats that choose simultaneously do so in turn, without seeing each
other's choice. `load_position` makes a game that starts from a position of a record.
"""

import base64
import binascii
import json
import zlib
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

import hastilude
from hastilude.adapters import missing
from hastilude.adapters.world import World, new_world, next_card, world_from
from hastilude.core.calls import encode_at
from hastilude.core.errors import HastiludeError, IllegalAction
from hastilude.core.match import Match
from hastilude.core.options import Option
from hastilude.core.random import generator
from hastilude.core.record import Record
from hastilude.core.rules import SPECTATOR
from hastilude.games.registry import player_counts
from hastilude.messages import Message

try:
    import pyspiel
except ImportError as error:
    raise missing(error) from error

PREFIX = "hastilude_"
START = "start"  # the parameter with the events of a record, compressed
SEEDS = 2**63


class Game(pyspiel.Game):  # type: ignore[misc]  # pyspiel is untyped
    """A game with its options; `rules` is our own `Game`. Each game has a subclass of its name."""

    name: ClassVar[str]

    def __init__(self, params: Any = None) -> None:
        given = dict(params or {})
        start = given.pop(START, "")
        try:
            self.rules = hastilude.load(self.name, **read_options(self.name, given))
            self.root = root_of(self.rules, start)
        except HastiludeError as error:
            raise pyspiel.SpielError(str(error)) from None
        super().__init__(game_type(self.name), game_info(self.rules), params or {})

    def new_initial_state(self) -> "State":
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        if params:
            raise pyspiel.SpielError(str(Message("research_observer", {"value": params})))
        return Observer(self.rules, iig_obs_type)


class State(pyspiel.State):  # type: ignore[misc]
    """A position; `world` has everything about it."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.world: World = game.root.copy()

    def current_player(self) -> int:
        if self.world.draws:
            return int(pyspiel.PlayerId.CHANCE)
        return self.world.turn if not self.is_terminal() else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        return not self.world.draws and self.world.turn < 0

    def _legal_actions(self, player: int) -> list[int]:
        return self.world.legal(player) if player == self.world.turn else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.world.outcomes()

    def _apply_action(self, action: int) -> None:
        """Apply an action; SpielError if it is not legal, and then nothing changes."""
        if self.world.draws:
            if action not in dict(self.world.outcomes()):
                raise pyspiel.SpielError(str(Message("research_outcome", {"value": action})))
            self.world.choose(action)
            return
        seat = self.world.turn
        if action not in self.world.legal(seat):
            raise pyspiel.SpielError(str(self._refusal(seat, action)))
        self.world.play(seat, action)

    def _refusal(self, seat: int, action: int) -> Message:
        game = self.world.game
        if seat < 0:
            return Message("match_over")
        if not 0 <= action < game.num_actions:
            return Message("action_range", {"value": action, "last": game.num_actions - 1})
        return game.refuse(game.read(self.world.redacted(seat)), seat, action)

    def _action_to_string(self, player: int, action: int) -> str:
        game, step = self.world.game, self.world.step
        if player == pyspiel.PlayerId.CHANCE and type(step) is int and step:
            return game.chance_text(step, action)
        return game.text(action)

    def returns(self) -> list[float]:
        return self.world.results()

    def resample_from_infostate(self, player: int, sampler: Any) -> "State":
        """A state that looks the same to the player, with hidden cards dealt at random.

        `sampler` returns random numbers from 0 to 1. The history is still that of this state.
        """
        state = self.clone()
        state.world = self.world.resampled(player, generator(int(sampler() * SEEDS)))
        return state

    def __str__(self) -> str:
        game = self.world.game
        views = [game.view_of(game.read(self.world.redacted(seat))) for seat in range(game.seats)]
        return "\n".join(map(repr, views))


class Observer:
    """What a player sees: the encoding as a tensor with named parts, the view as a string.

    The information state adds to the string a digest of everything the player ever saw. As a tensor
    it is also the encoding, which holds what was seen in this round or game.
    """

    def __init__(self, game: hastilude.Game, iig_obs_type: Any) -> None:
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS or not kind.public_info:
            raise pyspiel.SpielError(str(Message("research_observer", {"value": kind})))
        self._single = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recall = kind.perfect_recall
        self._encoding = np.zeros(game.layout.size, np.uint8)
        self.tensor: npt.NDArray[np.float32] = np.zeros(game.seats + game.layout.size, np.float32)
        self.dict = {"player": self.tensor[: game.seats]}
        for part in game.layout.parts:
            self.dict[part.name] = self.tensor[game.seats :][game.layout[part.name]]

    def set_from(self, state: State, player: int) -> None:
        encode_at(state.world.redacted(self._viewer(player)), 0, self._encoding)
        self.dict["player"][:] = 0
        self.dict["player"][player] = 1
        self.tensor[len(self.dict["player"]) :] = self._encoding

    def string_from(self, state: State, player: int) -> str:
        world = state.world
        text = text_of(world.game, world.redacted(self._viewer(player)).tobytes())
        return f"{text} {world.memory[player].hex()}" if self._recall and self._single else text

    def _viewer(self, player: int) -> int:
        return player if self._single else SPECTATOR


@lru_cache(maxsize=4096)  # algorithms ask for the same state many times
def text_of(game: hastilude.Game, redacted: bytes) -> str:
    return repr(game.view_of(game.read(np.frombuffer(redacted, game.state))))


# --- positions ----------------------------------------------------------------------------------


def load_position(record: Record | str | Path, upto: int | None = None) -> Any:
    """A game that starts from a record's position after its first `upto` events (None: all).

    It starts from what everybody has seen by then: chance deals the other cards, all possible deals
    equally likely.
    """
    if not isinstance(record, Record):
        record = Record.load(record)
    match = hastilude.replay(record, upto)
    if match.over:
        raise pyspiel.SpielError(str(Message("research_start")))
    start = {START: condensed(record.events[:upto])}
    return pyspiel.load_game(f"{PREFIX}{record.game}", parameters(match.game) | start)


def state_of(match: Match) -> Any:
    """The state of a match, with its whole history."""
    game = match.game
    state = pyspiel.load_game(f"{PREFIX}{game.name}", parameters(game)).new_initial_state()
    while state.world.steps < len(match.steps):
        if state.is_chance_node():
            state.apply_action(next_card(state.world, match))
        else:
            state.apply_action(match.steps[state.world.steps].action)
    return state


def root_of(game: hastilude.Game, start: str) -> World:
    if not start:
        return new_world(game)
    events = expanded(start)
    record = Record(game.name, game.rules_version, game.stated_options, events)
    world = world_from(hastilude.replay(record))
    if world is None:
        raise IllegalAction.of("research_start")
    return world


def condensed(events: list[list[Any]]) -> str:
    """Events as text for a parameter, in which OpenSpiel allows no commas."""
    packed = zlib.compress(json.dumps(events, separators=(",", ":")).encode(), 9)
    return "r" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def expanded(text: str) -> list[list[Any]]:
    try:
        packed = base64.urlsafe_b64decode(text[1:] + "=" * (-len(text[1:]) % 4))
        record = Record.from_json(
            json.dumps(
                {"hastilude": 1, "game": "", "rules": 0, "options": {}}
                | {"events": json.loads(zlib.decompress(packed))}
            )
        )
    except (binascii.Error, zlib.error, ValueError):
        raise IllegalAction.of("research_start_form") from None
    return record.events


# --- parameters ---------------------------------------------------------------------------------


def parameters(game: hastilude.Game) -> dict[str, Any]:
    return {name: written(value) for name, value in game.options.items()}


def written(value: Any) -> Any:
    """An option as a parameter; a list of numbers is separated by spaces."""
    return " ".join(map(str, value)) if isinstance(value, tuple) else value


def read_options(name: str, given: dict[str, Any]) -> dict[str, Any]:
    known: dict[str, Option] = {
        option.name: option for option in hastilude.load(name).known_options
    }
    return {
        option: known[option].read(value.replace(" ", ","))
        if isinstance(known[option].default, tuple)
        else value
        for option, value in given.items()
    }


def game_type(name: str) -> Any:
    game = hastilude.load(name)
    kind = pyspiel.GameType
    counts = player_counts(name)
    return kind(
        short_name=f"{PREFIX}{name}",
        long_name=game.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=max(counts),
        min_num_players=min(counts),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            option.name: written(option.default) for option in game.known_options
        }
        | {START: ""},
    )


def game_info(game: hastilude.Game) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=game.num_actions,
        max_chance_outcomes=game.num_actions,
        num_players=game.seats,
        min_utility=-1 / (game.seats - 1),
        max_utility=1,
        utility_sum=0,
        max_game_length=game.most_plays,
    )


for _name in hastilude.games():
    _class = type(f"{PREFIX}{_name}", (Game,), {"name": _name})
    globals()[_class.__name__] = _class  # so that pickle finds it
    pyspiel.register_game(game_type(_name), _class)
