"""A table: the state that results from replaying its log. It has no side effects.

`apply` adds an entry to the table. Each thing that somebody may want to do is a method that returns
the entry, or raises `Refusal` with the reason. The caller (`live.py`) first stores the entry, then
applies it.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import hastilude
from hastilude.core.chance import Chance, ScriptedChance
from hastilude.core.errors import ChanceError
from hastilude.core.match import Match
from hastilude.core.record import Record
from hastilude.core.shuffles import VerifiableChance, proof
from hastilude.games.registry import load
from hastilude.protocol import MAX_ACTIONS, NewsKind, Phase, SeatKind, Watch
from hastilude.server import log
from hastilude.server.errors import AlreadyPlayed, Refusal

SAYINGS = 20  # how many earlier phrases a newcomer sees
SCRIPTED: Final = "script"
NEWS = 40  # how much news about the players of a match is kept
GRACE = 10_000  # milliseconds for somebody who returns with an empty clock


@dataclass
class Seat:
    kind: SeatKind = "empty"
    name: str = ""
    level: str | None = None
    key: str | None = None
    seed: str | None = None
    host: bool = False
    stand_in: bool = False
    returning: bool = False  # the person is back, but the bot still makes the late decision
    late: int = 0  # the late decision, identified by its `asked`
    asked: int = 0  # the version at which the current decision arose
    since: int = 0  # the time at which it arose
    played: int = 0  # the version of its last play
    bank: int = 0
    sat: int = 0  # the version at which the person sat down
    offered: bool = False  # a newcomer may sit down in place of the bot
    offline: bool = False  # the log says that the person is offline
    extended: int = 0  # the time since which the host waits longer for the person
    missed: list[list[str]] = field(default_factory=list)  # the last choices of a stand-in
    missed_from: int = 0  # the number of the match's steps before them
    missed_at: int = 0  # the version of the last of them

    @property
    def thinks_itself(self) -> bool:
        return self.kind == "person" and not self.stand_in

    @property
    def has_left(self) -> bool:
        """Whether a bot plays on for a person who has left for good."""
        return self.kind == "bot" and bool(self.name)

    @property
    def is_automatic(self) -> bool:
        """Whether the seat plays without a connected person."""
        return self.kind in ("bot", SCRIPTED)


@dataclass(frozen=True)
class News:
    """Something about a player, who may have another seat or none by now."""

    version: int
    step: int  # the number of the match's steps before it
    kind: NewsKind
    seat: int
    name: str


@dataclass
class Table:
    """A table. `master` returns the master seed of a match, by its number from 1; it is called when
    a match begins and when its proof is published."""

    code: str
    master: Callable[[int], bytes]
    version: int = 0
    phase: Phase = "gathering"
    paused_at: int | None = None
    number: int = 0
    match: Match | None = None
    seats: list[Seat] = field(default_factory=list)
    pausing: set[int] = field(default_factory=set)
    rematch: dict[int, str] = field(default_factory=dict)
    said: list[log.Said] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._kept: dict[tuple[int, str], int] = {}  # plays of this match by seat and id
        self._marks: list[int] = []  # the versions that changed the match
        self._steps: list[int] = []  # the number of steps it had before each of them
        self._said_at: list[int] = []
        self._news: list[News] = []
        self._seeds: list[str] = []
        self._names: list[str] = []  # of the players at the start of the match
        self._decisions: list[int] = []  # how many each seat has made, at a scripted table
        self._off_script = False
        self._visited = False  # whether anybody has ever sat down

    # --- the replay -----------------------------------------------------------------------------

    def apply(self, entry: log.AnyEntry, at: int) -> None:
        self.version += 1
        getattr(self, f"_{entry.kind}")(entry, at)

    def _opened(self, entry: log.Opened, at: int) -> None:
        self.opened = entry
        self.game = game_with(entry.game, entry.options)
        self.commitment = entry.commitment
        for level in entry.seats:
            if level is None:
                self.seats.append(Seat())
            else:
                self.seats.append(Seat(SCRIPTED if level == SCRIPTED else "bot", level=level))

    def _sat(self, entry: log.Sat, at: int) -> None:
        self._visited = True
        bot = self.seats[entry.seat]
        person = Seat(
            "person",
            entry.name,
            key=entry.key,
            seed=entry.seed,
            host=entry.host,
            sat=self.version,
        )
        self.seats[entry.seat] = person
        if self.phase == "playing":
            person.asked, person.played, person.bank = bot.asked, bot.played, bot.bank
            self._take_back(person, at)
            person.since = at if self.paused_at is None else self.paused_at
            # The newcomer's ids are not those of the player before.
            self._kept = {key: at for key, at in self._kept.items() if key[0] != entry.seat}
            self._note("took_seat", entry.seat)

    def _left(self, entry: log.Left, at: int) -> None:
        self._note("left", entry.seat)
        seat = self.seats[entry.seat]
        was_host, seat.host = seat.host, False
        seat.key, seat.stand_in, seat.returning, seat.offline = None, False, False, False
        if self.phase == "playing":
            seat.kind, seat.level = "bot", self.stand_in_level
        else:  # the result still shows who played
            self.seats[entry.seat] = Seat(name=seat.name if self.phase == "over" else "")
        self.pausing.discard(entry.seat)
        if not self.people():
            self._resume(at)  # nobody is left to end the pause
        self.rematch.pop(entry.seat, None)
        if was_host:
            for heir in self.people():
                self.seats[heir].host = True
                break

    def _started(self, entry: log.Started, at: int) -> None:
        for number, level in entry.bots.items():
            self.seats[number] = Seat("bot", level=level)
        for seat, seed in zip(self.seats, entry.seeds, strict=True):
            seat.seed, seat.bank, seat.asked = seed, 1000 * self.opened.clock.seconds, 0
            seat.late = seat.played = seat.missed_at = 0
            seat.offered, seat.missed = False, []
            if seat.kind == "bot":
                seat.name = ""  # it may have replaced a person who left
        self.number += 1
        self.phase = "playing"
        self.playing_commitment, self.commitment = self.commitment, entry.next_commitment
        self._seeds = entry.seeds
        self._names = [seat.name or seat.level or "" for seat in self.seats]
        self._kept.clear()
        self._news.clear()
        self.rematch.clear()
        self._decisions, self._off_script = [0] * len(self.seats), False
        self.match = Match(self.game, self._chance())
        self._marks, self._steps = [self.version], [0]
        self._ask(at, ())

    def _played(self, entry: log.Played, at: int) -> None:
        assert self.match is not None
        seat = self.seats[entry.seat]
        before = self.match.pending
        self._marks.append(self.version)
        self._steps.append(len(self.match.steps))
        if seat.stand_in and entry.id is None:
            self._miss(seat, entry.actions)
        for action in entry.actions:
            self.match.play(entry.seat, action)
        seat.played = self.version
        if entry.id is not None:
            self._kept[entry.seat, entry.id] = self.version
        if self.is_scripted:
            self._follow_script(entry)
        clock = self.opened.clock
        if clock.kind == "bank" and seat.thinks_itself:
            seat.bank = max(0, seat.bank - max(0, at - seat.since)) + 1000 * clock.increment
        if seat.returning or (seat.stand_in and entry.id is not None):
            if not seat.returning:
                self._note("came_back", entry.seat)
            self._take_back(seat, at)
        self._ask(at, [other for other in before if other != entry.seat])
        if self.match.over:
            self.phase = "over"
            self.pausing.clear()

    def _stood_in(self, entry: log.StoodIn, at: int) -> None:
        seat, left = self.seats[entry.seat], self.left(entry.seat, at)
        if left == 0:
            seat.late = seat.asked
        if left is not None and self.opened.clock.kind == "bank":
            seat.bank = left
        seat.stand_in = True
        self.pausing.discard(entry.seat)
        self._note("stood_in", entry.seat)

    def _miss(self, seat: Seat, actions: list[str]) -> None:
        """Remember what a stand-in plays, until the person has played again and is replaced
        again."""
        assert self.match is not None
        if seat.missed_at != seat.played:
            seat.missed = []
        if not seat.missed:
            seat.missed_from = len(self.match.steps)
        seat.missed = [*seat.missed, actions]
        seat.missed_at = self.version

    def _returned(self, entry: log.Returned, at: int) -> None:
        """The bot still makes a late decision: otherwise returning would gain time."""
        self._note("came_back", entry.seat)
        seat = self.seats[entry.seat]
        if entry.seat in self.asked() and seat.late == seat.asked:
            seat.returning = True
        else:
            self._take_back(seat, at)

    def _take_back(self, seat: Seat, at: int) -> None:
        seat.stand_in, seat.returning, seat.offline = False, False, False
        if self.opened.clock.kind == "bank":
            seat.bank = max(seat.bank, GRACE)
            seat.since = at if self.paused_at is None else self.paused_at

    def _went_offline(self, entry: log.WentOffline, at: int) -> None:
        self.seats[entry.seat].offline = True
        self._note("went_offline", entry.seat)

    def _came_back(self, entry: log.CameBack, at: int) -> None:
        self.seats[entry.seat].offline = False
        self._note("came_back", entry.seat)

    def _extended(self, entry: log.Extended, at: int) -> None:
        self.seats[entry.seat].extended = at

    def _ended(self, entry: log.Ended, at: int) -> None:
        self._note("ended", entry.seat)
        self._resume(at)
        self.phase = "over"

    def _offered(self, entry: log.Offered, at: int) -> None:
        self.seats[entry.seat].offered = entry.on

    def _note(self, kind: NewsKind, seat: int) -> None:
        """News for the log of the match, if one is played."""
        if self.phase == "playing" and self.match is not None:
            step, name = len(self.match.steps), self.seats[seat].name
            self._news = [*self._news[1 - NEWS :], News(self.version, step, kind, seat, name)]

    def _said(self, entry: log.Said, at: int) -> None:
        self.said = [*self.said[1 - SAYINGS :], entry]
        self._said_at = [*self._said_at[1 - SAYINGS :], self.version]

    def _pause_wanted(self, entry: log.PauseWanted, at: int) -> None:
        self.pausing.add(entry.seat)
        if entry.begins:
            self.paused_at = at

    def _resumed(self, entry: log.Resumed, at: int) -> None:
        self._resume(at)

    def _resume(self, at: int) -> None:
        self.pausing.clear()
        if self.paused_at is not None:
            for seat in self.seats:
                seat.since += at - self.paused_at
            self.paused_at = None

    def _rematch_wanted(self, entry: log.RematchWanted, at: int) -> None:
        self.rematch[entry.seat] = entry.seed
        self._take_back(self.seats[entry.seat], at)  # the person is obviously back

    def _closed(self, entry: log.Closed, at: int) -> None:
        self.phase = "closed"

    def _ask(self, at: int, still: Sequence[int]) -> None:
        """Note when the decisions of the pending seats arose; those of `still` are not new."""
        assert self.match is not None
        for number in self.match.pending:
            if number not in still:
                self.seats[number].asked, self.seats[number].since = self.version, at

    def _chance(self) -> Chance:
        verifiable = VerifiableChance(
            self.master(self.number), self.match_name, [bytes.fromhex(s) for s in self._seeds]
        )
        script = self.opened.script
        return (
            verifiable if script is None else ScriptedChance(self.game, script.chance, verifiable)
        )

    # --- who is here ----------------------------------------------------------------------------

    @property
    def is_scripted(self) -> bool:
        """Whether its deals, including those of rematches, were written in advance."""
        return self.opened.script is not None

    @property
    def stand_in_level(self) -> str:
        return next((s.level for s in self.seats if s.kind == "bot" and s.level), "squire")

    @property
    def decider(self) -> int | None:
        """The seat that decides about absent players: the host's, or the next person's while the
        host is offline."""
        host = next((number for number, seat in enumerate(self.seats) if seat.host), None)
        if host is None or not self.seats[host].offline:
            return host
        return next((number for number in self.people() if not self.seats[number].offline), host)

    @property
    def match_name(self) -> str:
        """The name that the shuffles of this match depend on."""
        return f"{self.code}/{self.number}"

    @property
    def current_commitment(self) -> str:
        """The commitment of the current or next match."""
        return self.playing_commitment if self.phase == "playing" else self.commitment

    @property
    def seeds(self) -> list[str | None]:
        """The seats' own seeds for the current or next match."""
        if self.phase == "gathering":
            return [seat.seed for seat in self.seats]
        if self.phase == "over":
            return [self.rematch.get(number) for number in range(len(self.seats))]
        return [*self._seeds]

    @property
    def paused(self) -> bool:
        return self.paused_at is not None

    def people(self) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.kind == "person"]

    def seat_of(self, key: str) -> int | None:
        """The seat of a token, given its hash."""
        return next((n for n, seat in enumerate(self.seats) if seat.key == key), None)

    def pending(self) -> tuple[int, ...]:
        """The seats that may play now."""
        return () if self.paused else self.asked()

    def asked(self) -> tuple[int, ...]:
        """The seats that have something to decide, even during a pause."""
        if self.phase != "playing" or self.match is None:
            return ()
        return self.match.pending

    # --- requests: each returns an entry or raises Refusal --------------------------------------

    def sit(self, seat: int | None, name: str, key: str, seed: str, host: str | None) -> log.Sat:
        if self.phase == "closed":
            raise Refusal.of("table_closed")
        if self.is_scripted and self._visited:  # others might take written deals for fair ones
            raise Refusal.of("script_taken")
        open_seats = self.open_seats()
        if not open_seats:
            raise Refusal.of("table_full")
        if seat is not None and seat not in open_seats:
            raise Refusal.of("seat_taken", number=seat + 1)
        chosen = open_seats[0] if seat is None else seat
        self.check_name(name, chosen)
        hosted = any(state.host for state in self.seats)
        return log.Sat(
            seat=chosen,
            name=name,
            key=key,
            seed=seed,
            host=not hosted and host == self.opened.host,
        )

    def open_seats(self) -> list[int]:
        """Where a newcomer may sit down. During a match no seat is empty."""
        return [n for n, seat in enumerate(self.seats) if seat.kind == "empty" or seat.offered]

    def check_name(self, name: str, chosen: int | None = None) -> None:
        """Refuse a name that somebody has, except in the seat that is chosen."""
        for number, seat in enumerate(self.seats):
            if seat.name == name and seat.kind != "empty" and number != chosen:
                raise Refusal.of("name_taken", name=name)

    def leave(self, seat: int) -> log.Left:
        return log.Left(seat=seat)

    def kick(self, host: int, seat: int) -> log.Left:
        self._only_host(host)
        if self.is_scripted:
            raise Refusal.of("script_kick")
        if seat >= len(self.seats) or self.seats[seat].kind in ("empty", SCRIPTED) or seat == host:
            raise Refusal.of("kick_nobody", number=seat + 1)
        if self.seats[seat].kind == "bot" and self.phase == "playing":
            raise Refusal.of("kick_bot")
        return log.Left(seat=seat, kicked=True)

    # `absent` are the seats whose people are not connected.

    def extend(self, host: int, seat: int, absent: Container[int]) -> log.Extended:
        """Wait longer for an absent player."""
        self._decides(host)
        self._only_absent(seat, absent)
        if self.opened.away is None:
            raise Refusal.of("takeover_never")
        return log.Extended(seat=seat)

    def replace(self, host: int, seat: int, absent: Container[int]) -> log.StoodIn:
        """Let a bot play at once for an absent player."""
        self._decides(host)
        self._only_absent(seat, absent)
        return self.stand_in(seat)

    def end(self, host: int, absent: Container[int]) -> log.Ended:
        """End a match that cannot go on as it began."""
        self._decides(host)
        if self.phase != "playing":
            raise Refusal.of("not_playing")
        if not any(
            number in absent or seat.stand_in or seat.has_left
            for number, seat in enumerate(self.seats)
            if number != host
        ):
            raise Refusal.of("everybody_here")
        return log.Ended(seat=host)

    def offer(self, host: int, seat: int, on: bool) -> log.Offered:
        """Offer a bot's seat to a newcomer, during a match or after it."""
        self._decides(host)
        if self.is_scripted:
            raise Refusal.of("script_taken")
        if self.phase == "gathering":
            raise Refusal.of("not_playing")
        if seat >= len(self.seats) or self.seats[seat].kind != "bot":
            raise Refusal.of("offer_nobody", number=seat + 1)
        if self.seats[seat].offered == on:
            raise Refusal.of("stale", version=self.version)
        return log.Offered(seat=seat, on=on)

    def note_offline(self, seat: int) -> log.WentOffline:
        state = self.seats[seat]
        if self.phase != "playing" or not state.thinks_itself or state.offline:
            raise Refusal.of("stale", version=self.version)
        return log.WentOffline(seat=seat)

    def note_back(self, seat: int) -> log.CameBack:
        if not self.seats[seat].offline or self.seats[seat].stand_in:
            raise Refusal.of("stale", version=self.version)
        return log.CameBack(seat=seat)

    def start(self, host: int, level: str, next_commitment: str) -> log.Started:
        """Begin with bots in the empty seats."""
        self._only_host(host)
        if self.phase != "gathering":
            raise Refusal.of("already_started")
        return self.begin(level, next_commitment)

    def begin(self, level: str, next_commitment: str) -> log.Started:
        seeds = self.seeds
        empty = [number for number, seat in enumerate(self.seats) if seat.kind == "empty"]
        return log.Started(
            bots=dict.fromkeys(empty, level),
            seeds=[seeds[number] or "" for number in range(len(self.seats))],
            next_commitment=next_commitment,
        )

    @property
    def ready(self) -> bool:
        """Whether a match can begin automatically: all seats are taken and all people agree."""
        if self.phase == "gathering":
            return bool(self.people()) and all(seat.kind != "empty" for seat in self.seats)
        if self.phase == "over":
            wanting = [n for n in self.people() if not self.seats[n].stand_in]
            return bool(self.rematch) and all(n in self.rematch for n in wanting)
        return False

    def play(self, seat: int, version: int, actions: Sequence[str], id: str) -> log.Played:
        if (seat, id) in self._kept:
            raise AlreadyPlayed(self._kept[seat, id])
        match = self._playing()
        state = self.seats[seat]
        if not max(state.asked, state.played) <= version <= self.version:
            raise Refusal.of("stale", version=self.version)
        return self._rehearsed(match, seat, actions, id)

    def play_for(self, seat: int, actions: Sequence[str]) -> log.Played:
        """A play by a bot or a script."""
        return self._rehearsed(self._playing(), seat, actions, None)

    def _playing(self) -> Match:
        if self.phase != "playing" or self.match is None:
            raise Refusal.of("not_playing")
        if self.paused:
            raise Refusal.of("table_paused")
        return self.match

    def _rehearsed(
        self, match: Match, seat: int, actions: Sequence[str], id: str | None
    ) -> log.Played:
        rehearsal = match.rehearse(seat)
        for action in actions:
            rehearsal.play(action)
        if not rehearsal.whole:
            raise Refusal.of("choice_not_whole", count=len(actions))
        return log.Played(seat=seat, actions=list(actions), id=id, ends=rehearsal.ends)

    def say(self, seat: int, phrase: str) -> log.Said:
        return log.Said(seat=seat, phrase=phrase)

    def want_pause(self, seat: int) -> log.PauseWanted:
        if self.phase != "playing":
            raise Refusal.of("not_playing")
        if self.paused:
            raise Refusal.of("table_paused")
        wanting = {*self.pausing, seat}
        present = {n for n in self.people() if not self.seats[n].stand_in}
        return log.PauseWanted(seat=seat, begins=present <= wanting)

    def resume(self, seat: int) -> log.Resumed:
        if not self.paused and not self.pausing:
            raise Refusal.of("not_paused")
        return log.Resumed(seat=seat)

    def want_rematch(self, seat: int, seed: str, most: int | None = None) -> log.RematchWanted:
        """Agree to a rematch. `most` is the maximum number of matches per table; a further one is
        refused at once, so that nobody agrees to a match that cannot begin."""
        if self.phase != "over":
            raise Refusal.of("match_not_over")
        if most is not None and self.number >= most:
            raise Refusal.of("too_many_matches", most=most)
        return log.RematchWanted(seat=seat, seed=seed)

    def stand_in(self, seat: int) -> log.StoodIn:
        if not self.seats[seat].thinks_itself:
            raise Refusal.of("stale", version=self.version)
        return log.StoodIn(seat=seat)

    def give_back(self, seat: int) -> log.Returned:
        if not self.seats[seat].stand_in:
            raise Refusal.of("not_stood_in")
        return log.Returned(seat=seat)

    def close(self) -> log.Closed:
        if self.phase == "closed" or self.people():
            raise Refusal.of("table_closed")
        return log.Closed()

    def _only_host(self, seat: int) -> None:
        if not self.seats[seat].host:
            raise Refusal.of("only_host")

    def _decides(self, seat: int) -> None:
        if seat != self.decider:
            raise Refusal.of("only_host")

    def _only_absent(self, seat: int, absent: Container[int]) -> None:
        if self.phase != "playing":
            raise Refusal.of("not_playing")
        if seat >= len(self.seats) or seat not in absent or not self.seats[seat].thinks_itself:
            raise Refusal.of("not_absent", number=seat + 1)

    # --- time -----------------------------------------------------------------------------------

    def left(self, seat: int, now: int) -> int | None:
        """The milliseconds on a seat's clock; None if it has no clock."""
        clock, state = self.opened.clock, self.seats[seat]
        if clock.kind == "none" or state.kind != "person":
            return None
        full = state.bank if clock.kind == "bank" else 1000 * clock.seconds
        if seat not in self.asked() or state.stand_in:
            return full
        # After a crash, time continues from the last heartbeat, which may be before `since`.
        return max(0, full - max(0, (self.paused_at or now) - state.since))

    # --- scripts --------------------------------------------------------------------------------

    def scripted(self, seat: int) -> list[str] | None:
        """The script's actions for a seat's next decision, if the script is still followed."""
        script = self.opened.script
        if script is None or self._off_script:
            return None
        plays = [actions for player, actions in script.plays if player == seat]
        made = self._decisions[seat]
        return plays[made] if made < len(plays) else None

    def _follow_script(self, entry: log.Played) -> None:
        """Leave the script as soon as somebody plays something else."""
        expected = self.scripted(entry.seat)
        self._off_script = self._off_script or expected not in (None, entry.actions)
        self._decisions[entry.seat] += 1

    # --- what happened --------------------------------------------------------------------------

    def told_before(self, version: int, seat: int | None) -> int:
        """How many of the match's events a viewer was told up to a version."""
        if self.match is None:
            return 0
        mark = bisect_right(self._marks, version)
        steps = self._steps[mark] if mark < len(self._steps) else len(self.match.steps)
        return self.match.told(steps, seat)

    def said_since(self, version: int) -> list[tuple[int, log.Said]]:
        if not self.said:
            return []
        marked = zip(self._said_at, self.said, strict=True)
        return [(mark, said) for mark, said in marked if mark > version]

    def news_since(self, version: int) -> list[News]:
        return [news for news in self._news if news.version > version]

    @property
    def is_abandoned(self) -> bool:
        """Whether the last match ended before its end."""
        return self.phase in ("over", "closed") and bool(self.match and not self.match.over)

    def record(self) -> Record:
        """The record of the match with its proof; Refusal while the match is played."""
        if self.phase == "playing" or self.match is None:
            raise Refusal.of("match_not_over")
        record = self.match.record(self._names)
        if not self.match.over:
            record.end = {"reason": "abandoned"}
        if not self.is_scripted:
            seeds = [bytes.fromhex(seed) for seed in self._seeds]
            record.proof = proof(self.match, self.master(self.number), self.match_name, seeds)
        return record


def game_with(name: str, options: Mapping[str, Any]) -> hastilude.Game:
    """The game with these options, which all tables share that play it."""
    return _game_with(name, json.dumps(options))


@lru_cache(maxsize=64)
def _game_with(name: str, options: str) -> hastilude.Game:
    return load(name, **json.loads(options))


def check_script(
    script: log.Script, game: hastilude.Game, seats: Sequence[str | None], watch: Watch
) -> None:
    """Refuse a script, before its table is opened, if more than one person could sit there or the
    public could see it, or if its first deal does not fit the game."""
    if seats.count(None) != 1:
        raise Refusal.of("script_one_person")
    if watch == "anyone":
        raise Refusal.of("script_public")
    if not all(0 <= seat < game.seats for seat, _ in script.plays):
        raise Refusal.of("script_seat", last=game.seats)
    if any(not 0 < len(actions) <= MAX_ACTIONS for _, actions in script.plays):
        raise Refusal.of("script_actions", most=MAX_ACTIONS)
    try:
        game.new(chance=script.chance)
    except ChanceError as error:
        raise Refusal(error.message) from None
