"""Matches of mixed bots, decision by decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from hastilude import bots
from hastilude.bots.analyse import list_choices
from hastilude.bots.knowledge import Choice
from hastilude.core.calls import NOW, determinize_at
from hastilude.core.game import Game
from hastilude.core.match import Match, Rehearsal
from hastilude.core.random import Rng, below, draw, generator
from hastilude.core.record import Record
from hastilude.core.rules import WORK
from hastilude.core.states import blank

PLAYERS = ("page", "squire", "knight", "reference")
POLICY = "reference"


@dataclass(frozen=True)
class Decision:
    """A seat has to choose, after `step` steps of a match; `redacted` is what it knows."""

    match: Match
    step: int
    seat: int
    redacted: Any

    @property
    def choices(self) -> list[Choice]:
        return list_choices(self.match.game, self.redacted, self.seat)

    @property
    def record(self) -> Record:
        """The match until here."""
        whole = self.match.record()
        return Record(whole.game, whole.rules, whole.options, whole.events[: self.step])

    def choice_of(self, bot: bots.Bot) -> Choice:
        """The whole choice that a bot makes here."""
        states = blank(self.match.game.state, 2)
        states[NOW] = self.redacted[0]
        # What a seat may choose depends on nothing hidden.
        determinize_at(states, NOW, generator(0), np.zeros(WORK, np.int8))
        rehearsal, actions = Rehearsal(self.match.game, states, self.seat), list[int]()
        while not rehearsal.whole:
            actions.append(int(bot.choose(rehearsal.redacted(), self.seat)))
            rehearsal.play(actions[-1])
        return tuple(actions)


def decisions(game: Game, rng: Rng) -> Iterator[Decision]:
    """The decisions of a match from a random one to the last, then those before it.

    So they come from all parts of a match, and the match is played only as far as they are wanted.
    The length of a match of policies says where its middle is.
    """
    deals = int(draw(rng))
    begin = below(rng, sum(1 for _ in played(game, deals, [POLICY] * game.seats, rng)))
    levels = [PLAYERS[below(rng, len(PLAYERS))] for _ in range(game.seats)]
    coming = played(game, deals, levels, rng)
    earlier = [decision for _, decision in zip(range(begin), coming, strict=False)]
    return chain(coming, earlier)


def played(game: Game, deals: int, players: Sequence[str], rng: Rng) -> Iterator[Decision]:
    """The decisions of a match between these bots, while it is played."""
    match = game.new(seed=deals)
    seated = [bots.make(name, game, int(draw(rng))) for name in players]
    begun: dict[int, Rehearsal] = {}  # choices of several actions, by seat
    while (seat := match.turn) is not None:
        redacted = match.redacted(seat)
        if seat not in begun:
            begun[seat] = match.rehearse(seat)
            if len(match.legal(seat)) > 1:
                yield Decision(match, len(match.steps), seat, redacted)
        action = seated[seat].choose(redacted, seat)
        begun[seat].play(action)
        if begun[seat].whole:
            del begun[seat]
        match.play(seat, action)
