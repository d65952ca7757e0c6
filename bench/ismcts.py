"""Measures a bot against OpenSpiel's own ISMCTS, at equal time per choice.

    python bench/ismcts.py GAME [--bot search:50ms] [--milliseconds 50] [--matches 20] [--players N]

Their search is written in Python and plays our games through the adapter, so it makes far fewer
simulations; but it is not ours. The bot under test sits in each seat in turn, and their search in
all others. Prints the share of matches that the bot wins, and how many simulations theirs made.
"""

from __future__ import annotations

import argparse
import statistics
import time
from contextlib import suppress
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import hastilude
from hastilude import bots
from hastilude.adapters import open_spiel
from hastilude.bots import Bot

CURIOSITY = 1.0  # results go from -1 to 1
MOST_SIMULATIONS = 1_000_000
FEWEST_SIMULATIONS = 2  # the first one tries no action


class OutOfTimeError(Exception):
    pass


class Search(ismcts.ISMCTSBot):  # type: ignore[misc]  # OpenSpiel is untyped
    """Their search until the time is over: it has no time limit of its own."""

    deadline = 0.0
    made = 0

    def sample_root_state(self, state: Any) -> Any:
        if self.made >= FEWEST_SIMULATIONS and time.perf_counter() > self.deadline:
            raise OutOfTimeError
        self.made += 1
        return super().sample_root_state(state)


class Outsider:
    """Their search as a player."""

    def __init__(self, game: Any, seed: int, milliseconds: float) -> None:
        drawn = np.random.RandomState(seed)
        rollouts = mcts.RandomRolloutEvaluator(1, drawn)
        self._seconds = milliseconds / 1000
        self._search = Search(game, rollouts, CURIOSITY, MOST_SIMULATIONS, random_state=drawn)
        self.simulations: list[int] = []

    def choose(self, state: Any) -> int:
        if len(state.legal_actions()) == 1:
            return int(state.legal_actions()[0])
        self._search.made = 0
        self._search.deadline = time.perf_counter() + self._seconds
        with suppress(OutOfTimeError):
            self._search.run_search(state)
        self.simulations.append(self._search.made)
        tried = self._search._root_node.child_info
        return int(max(tried, key=lambda action: tried[action].visits))


def play(game: Any, bot: Bot, seat: int, outsider: Outsider, luck: np.random.RandomState) -> float:
    """One match; returns the bot's share of the victory."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            action = luck.choice(outcomes, p=np.array(chances) / sum(chances))
        elif state.current_player() == seat:
            action = bot.choose(state.world.redacted(seat), seat)
        else:
            action = outsider.choose(state)
        state.apply_action(int(action))
    best = max(state.returns())
    winners = [winner for winner, got in enumerate(state.returns()) if got == best]
    return (seat in winners) / len(winners)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=hastilude.games())
    parser.add_argument("--bot", default="search:50ms")
    parser.add_argument("--milliseconds", type=float, default=50.0)
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--players", type=int)
    wanted = parser.parse_args()
    options = {"players": wanted.players} if wanted.players else {}
    game = pyspiel.load_game(open_spiel.PREFIX + wanted.game, options)
    seats = game.num_players()
    outsider = Outsider(game, 1, wanted.milliseconds)
    shares = []
    for match in range(wanted.matches):
        bot = bots.make(wanted.bot, game.rules, match)
        luck = np.random.RandomState(match // seats)
        shares.append(play(game, bot, match % seats, outsider, luck))
    share, error = statistics.fmean(shares), 1.96 * statistics.stdev(shares) / len(shares) ** 0.5
    print(
        f"{wanted.bot} wins {share:.0%} ± {error:.0%} of {wanted.matches} matches "
        f"(equal: {1 / seats:.0%}); simulations per choice of OpenSpiel's search, median: "
        f"{statistics.median(outsider.simulations):.0f}"
    )


if __name__ == "__main__":
    main()
