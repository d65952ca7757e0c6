"""The conformance suite: what must hold for every game, for anyone who adds one.

A game's test calls `check_all` with a `Subject`: the game, and what only the game itself knows. A
failed check is an AssertionError that names the match and the step.

    from hastilude.testing import Subject, check_all

    def test_conformance():
        check_all(Subject(hastilude.load("my_game"), census, secrets))
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, get_type_hints

import numpy as np

import hastilude
from hastilude.batch import Batch
from hastilude.core import rules
from hastilude.core.bits import numbers
from hastilude.core.calls import complete_at, determinize_at, encode_at, legal_at, redact_at
from hastilude.core.chance import SeededChance
from hastilude.core.dealing import SUITS, deal_unseen
from hastilude.core.errors import IllegalAction
from hastilude.core.game import Game
from hastilude.core.match import Dealt, Match, Play, room
from hastilude.core.playout import play_many
from hastilude.core.random import generator
from hastilude.core.record import Record
from hastilude.core.rules import EVERYTHING, PILES, SPECTATOR, WORK, Cards
from hastilude.core.states import blank
from hastilude.messages import LANGUAGES, render

MOST_STATE_BYTES = 512


@dataclass(frozen=True)
class Secrets:
    """Indices into the order of a chance event, for one viewer."""

    unseen: Sequence[int]  # cards that the viewer does not see when it happens
    lasting: Sequence[int]  # those that stay unseen until another player chooses to show them


@dataclass(frozen=True)
class Subject:
    """A game under test.

    `census(fields)` lists every card of a true state, sorted; it stays the same between chance
    events. `secrets(game, due, viewer)` says what a viewer (or SPECTATOR) does not see.
    `shown(fields)` lists the face-up cards, if the rules turn up cards that nobody chose to show.
    """

    game: Game
    census: Callable[[Any], list[Any]]
    secrets: Callable[[Game, int, int], Secrets]
    shown: Callable[[Any], Any] = lambda fields: None
    matches: int = 3
    seed: int = 1


def check_all(subject: Subject) -> None:
    for check in CHECKS:
        check(subject)


def played(subject: Subject, most: int = 400) -> Iterator[tuple[Match, random.Random]]:
    """Matches of random play, yielded after every step; at most `most` steps each."""
    for number in range(subject.matches):
        choose = random.Random(f"{subject.seed} {number}")
        match = subject.game.new(seed=choose.getrandbits(64))
        yield match, choose
        for _ in range(most):
            if match.over:
                break
            seat = choose.choice(match.pending)
            match.play(seat, choose.choice(match.legal(seat)))
            yield match, choose


def viewers(game: Game) -> tuple[int | None, ...]:
    return (*range(game.seats), None)


def check_interface(subject: Subject) -> None:
    """Names, texts and sizes are valid: the rest of the software relies on them."""
    game = subject.game
    assert game.state.itemsize <= MOST_STATE_BYTES, f"a state takes {game.state.itemsize} bytes"
    assert "viewer" in (game.state.names or ()), "a state knows its viewer"
    assert len(set(game.texts)) == game.num_actions <= 64  # noqa: PLR2004  # a word of bits
    assert [game.parse(game.text(action)) for action in range(game.num_actions)] == list(
        range(game.num_actions)
    )
    assert len(game.names()) >= game.seats
    again = hastilude.load(game.name, **game.options)
    assert again == game
    assert again.seats == game.seats


def check_fields(subject: Subject) -> None:
    """The class for a state's fields has all that STATE and FACTS have, with the right types."""
    game, types = subject.game, get_type_hints(subject.game.fields)
    dimensions = {
        name: record.fields[name][0].ndim
        for record in (game.facts, game.state)
        for name in record.names or ()
        if record.fields
    }
    kinds = [int, tuple[int, ...], tuple[tuple[int, ...], ...]]
    expected = {name: kinds[count] for name, count in dimensions.items()}
    assert types == expected | dict.fromkeys(("pending", "winners"), tuple[int, ...])


def check_legal(subject: Subject) -> None:
    """`legal` is empty exactly when a seat is not pending, and matches end with winners."""
    for match, _ in played(subject):
        for seat in range(subject.game.seats):
            assert bool(match.legal(seat)) == (seat in match.pending)
        assert match.over == (not match.pending) == bool(match.winners) == (match.turn is None)
        assert match.over or match.turn in match.pending
        assert len(match.scores) == subject.game.seats
        assert sum(isinstance(step, Play) for step in match.steps) <= subject.game.most_plays


def check_complete(subject: Subject) -> None:
    """`complete` are the actions that make a choice whole; with any of the cards that the seat does
    not know, they would be the same."""
    work, rng = np.zeros(WORK, np.int8), generator(subject.seed)
    for match, _ in played(subject):
        for seat in range(subject.game.seats):
            assert match.complete(seat) == _whole_choices(match, seat)
        if (turn := match.turn) is not None:
            sample = match.redacted(turn)
            determinize_at(sample, 0, rng, work)
            found = complete_at(sample, turn, blank(sample.dtype, 2), *room(subject.game))
            assert numbers(found) == match.complete(turn)


def _whole_choices(match: Match, seat: int) -> list[int]:
    whole = []
    for action in match.legal(seat):
        rehearsal = match.rehearse(seat)
        rehearsal.play(action)
        whole += [action] * rehearsal.whole
    return whole


def check_why(subject: Subject) -> None:
    """`why` is None exactly for legal actions, otherwise a sentence with a clause."""
    for match, choose in played(subject):
        seat = choose.randrange(subject.game.seats)
        legal = match.legal(seat)
        before = match.state
        for action in range(subject.game.num_actions):
            refusal = match.why(seat, action)
            assert (refusal is None) == (action in legal), subject.game.text(action)
            if refusal is not None:
                assert refusal.clause or match.over
                for language in LANGUAGES:
                    assert render(refusal, language, subject.game.names(language))
                _check_refused(match, seat, action)
        assert match.state == before


def _check_refused(match: Match, seat: int, action: int) -> None:
    steps = len(match.steps)
    refusal = None
    try:
        match.play(seat, action)
    except IllegalAction as error:
        refusal = error.message
    assert refusal == match.why(seat, action)
    assert len(match.steps) == steps


def check_records(subject: Subject) -> None:
    """A record survives JSON and replays to the same state, whether finished or not."""
    for match, choose in played(subject):
        if match.over or choose.random() < 0.05:  # noqa: PLR2004  # now and then
            record = match.record()
            read = Record.from_json(record.to_json())
            assert read.to_json() == record.to_json()
            again = hastilude.replay(read)
            assert again.state == match.state
            assert again.record().to_json() == record.to_json()
            for viewer in viewers(subject.game):
                assert again.events(viewer) == match.events(viewer)


def check_copies(subject: Subject) -> None:
    """Results that a match returned earlier do not change when it continues."""
    taken: list[tuple[Any, str]] = []
    for match, _ in played(subject):
        seat = match.turn
        things = (match.view(seat), match.redacted(seat), match.record(), match.events(seat))
        taken = [*taken, *((thing, repr(thing)) for thing in things)][-200:]
        for thing, before in taken[::37]:
            assert repr(thing) == before


def check_cards(subject: Subject) -> None:
    """No card is lost or duplicated."""
    full: list[Any] = []
    for match, _ in played(subject):
        cards = subject.census(true_fields(match))
        full = full or cards
        assert cards == full


def true_fields(match: Match) -> Any:
    """The whole state of a match, hidden cards included."""
    return match.game.read(np.frombuffer(match.state, match.game.state).copy())


def check_determinize(subject: Subject) -> None:
    """Every sample looks the same to its viewer, has all cards, and can be played to the end."""
    game = subject.game
    work, rng = np.zeros(WORK, np.int8), generator(subject.seed)
    for match, choose in played(subject):
        viewer = choose.choice(viewers(game))
        redacted = match.redacted(viewer)
        samples = np.zeros(2, game.state)
        samples[0] = redacted[0]
        determinize_at(samples, 0, rng, work)
        assert samples["viewer"][0] == EVERYTHING
        again = np.zeros(1, game.state)
        redact_at(samples, 0, SPECTATOR if viewer is None else viewer, again, 0)
        assert again.tobytes() == redacted.tobytes(), f"another view for {viewer}"
        full = subject.census(true_fields(match))
        assert subject.census(game.read(samples)) == full
        play_many(samples, rng, work, 1)
        assert subject.census(game.read(samples, 1)) == full


def check_face_down(subject: Subject) -> None:
    """The order of an unseen pile makes no difference to anybody, and the cards that a chance event
    does not show at once go to such piles."""
    game = subject.game
    cards = np.zeros(WORK, np.int8)
    for match, choose in played(subject):
        states = np.frombuffer(match.state, game.state).copy()
        for pile in range(PILES):
            size = rules.face_down(states[0], pile, cards)
            lying = cards[:size].tolist()
            cards[:size] = choose.sample(lying, size)
            rules.lay_face_down(states[0], pile, cards)
            again = np.zeros(WORK, np.int8)
            assert rules.face_down(states[0], pile, again) == size
            assert sorted(again[:size].tolist()) == sorted(lying)
        looked = np.zeros(1, game.state)
        for viewer in viewers(game):
            redact_at(states, 0, SPECTATOR if viewer is None else viewer, looked, 0)
            assert looked.tobytes() == match.redacted(viewer).tobytes(), "a face-down card shows"


def check_hidden_places(subject: Subject) -> None:
    """The hidden cards fill the hidden places, and a spectator's view does not change."""
    game = subject.game
    work, rng = np.zeros(WORK, np.int8), generator(subject.seed)
    for match, _ in played(subject):
        filled = match.redacted(None)
        size = rules.hidden_places(filled[0], work)
        if size > 0:
            deal_unseen(rng, work, size, int(work[SUITS : SUITS + size].max()) + 1)
            rules.fill_hidden(filled[0], work)
            filled["viewer"][0] = EVERYTHING
            again = np.zeros(1, game.state)
            redact_at(filled, 0, SPECTATOR, again, 0)
            assert again.tobytes() == match.redacted(None).tobytes()
            assert subject.census(game.read(filled)) == subject.census(true_fields(match))


def check_redacted_is_enough(subject: Subject) -> None:
    """A seat's legal actions follow from its redacted state, which has nobody else's hand."""
    for match, _ in played(subject):
        for seat in range(subject.game.seats):
            redacted = match.redacted(seat)
            assert numbers(legal_at(redacted, 0, seat)) == match.legal(seat)
            assert subject.game.read(redacted).pending == match.pending


def check_encoding(subject: Subject) -> None:
    """Every byte of an encoding is written, whatever the memory contained before."""
    size = subject.game.layout.size
    clean, dirty = np.zeros(size, np.uint8), np.full(size, 170, np.uint8)
    for match, _ in played(subject):
        for viewer in viewers(subject.game):
            redacted = match.redacted(viewer)
            encode_at(redacted, 0, clean)
            encode_at(redacted, 0, dirty)
            assert clean.tobytes() == dirty.tobytes()


def check_batch(subject: Subject) -> None:
    """A batch of one behaves like a match with the same seed and plays."""
    game = subject.game
    choose = random.Random(subject.seed)
    batch, match = Batch(game, 1, subject.seed), game.new(seed=subject.seed)
    encoding = np.zeros(game.layout.size, np.uint8)
    while (seat := match.turn) is not None:
        assert seat == batch.turn[0]
        assert numbers(batch.legal[0]) == match.legal(seat)
        assert np.flatnonzero(batch.masks()[0]).tolist() == match.legal(seat)
        encode_at(match.redacted(seat), 0, encoding)
        assert batch.encodings[0].tobytes() == encoding.tobytes()
        action = choose.choice(match.legal(seat))
        batch.step([action])
        match.play(seat, action)
        assert batch.done[0] == match.over
    assert tuple(batch.scores[0]) == match.scores
    assert tuple(np.flatnonzero(batch.wins[0])) == match.winners


def check_sentences(subject: Subject) -> None:
    """Every event has a sentence in every language."""
    for match, _ in played(subject):
        if match.over:
            for viewer in viewers(subject.game):
                for event in match.events(viewer):
                    assert event.clause
                    for language in LANGUAGES:
                        assert render(event.message, language, subject.game.names(language))


def check_secrets(subject: Subject) -> None:
    """Nothing that a viewer gets depends on what the viewer may not know.

    Two worlds that differ only in cards hidden from the viewer are played side by side, for as long
    as the others can make the same plays in both. At every step, everything that the viewer can get
    must be identical. While a choice is hidden, all its alternatives must look the same.
    """
    for viewer in viewers(subject.game):
        for number in range(2 * subject.matches):
            _compare_worlds(subject, viewer, random.Random(f"{subject.seed} {viewer} {number}"))


def _compare_worlds(subject: Subject, viewer: int | None, choose: random.Random) -> None:
    first, second = deal_twice(subject, viewer, choose)
    _same_for(viewer, first, second)
    while not first.over:
        seat = choose.choice(first.pending)
        common = sorted(set(first.legal(seat)) & set(second.legal(seat)))
        if not common:
            return  # the worlds diverge: what comes next is no longer hidden
        if seat != viewer:
            _check_hidden_choice(first, seat, viewer)
        action = choose.choice(common)
        first.play(seat, action)
        second.play(seat, action)
        if subject.shown(true_fields(first)) != subject.shown(true_fields(second)):
            return  # they diverge without anybody's choice
        _same_for(viewer, first, second)


def deal_twice(subject: Subject, viewer: int | None, choose: random.Random) -> tuple[Match, Match]:
    """A match in two worlds; in the second, some or many cards that the viewer does not see are
    swapped. A chance event must happen in the first world before it does in the second."""
    remembered = _Remembered(SeededChance(choose.getrandbits(64)))
    permuted = _Permuted(subject, viewer, remembered, choose)
    return subject.game.new(chance=remembered), subject.game.new(chance=permuted)


def _same_for(viewer: int | None, first: Match, second: Match) -> None:
    redacted = first.redacted(viewer)
    assert redacted.tobytes() == second.redacted(viewer).tobytes(), "redact shows a hidden card"
    assert repr(first.view(viewer)) == repr(second.view(viewer)), "view shows a hidden card"
    assert first.tracker(viewer) == second.tracker(viewer), "the tracker shows a hidden card"
    assert first.events(viewer) == second.events(viewer), "an event shows a hidden card"
    if viewer is not None:
        assert first.complete(viewer) == second.complete(viewer), "a choice shows a hidden card"
    encodings = np.zeros((2, first.game.layout.size), np.uint8)
    encode_at(redacted, 0, encodings[0])
    encode_at(second.redacted(viewer), 0, encodings[1])
    assert encodings[0].tobytes() == encodings[1].tobytes(), "encode shows a hidden card"


def _check_hidden_choice(match: Match, seat: int, viewer: int | None) -> None:
    """While others still have to choose, all choices of `seat` look the same."""
    others = set(match.pending) - {seat}
    looks = set()
    for action in match.legal(seat):
        states = np.frombuffer(match.state, match.game.state).copy()
        after = np.zeros(1, match.game.state)
        rules.apply(states[0], seat, action)
        redact_at(states, 0, SPECTATOR if viewer is None else viewer, after, 0)
        if others and others <= set(match.game.read(after).pending):
            looks.add(after.tobytes())
    assert len(looks) <= 1, "a hidden choice shows"


class _Remembered:
    """A chance driver that remembers the orders it gave."""

    def __init__(self, chance: SeededChance) -> None:
        self._chance = chance
        self.orders: list[list[int]] = []

    def order(self, due: int, cards: Cards) -> None:
        self._chance.order(due, cards)
        self.orders.append(cards.tolist())


class _Permuted:
    """The same orders, with some or many cards swapped that the viewer does not see."""

    def __init__(
        self, subject: Subject, viewer: int | None, source: _Remembered, choose: random.Random
    ) -> None:
        self._subject = subject
        self._viewer = SPECTATOR if viewer is None else viewer
        self._source = source
        self._choose = choose
        self._given = 0
        self._exchanges = choose.choice((1, 2, 4, 40))

    def order(self, due: int, cards: Cards) -> None:
        order = list(self._source.orders[self._given])
        self._given += 1
        lasting = self._subject.secrets(self._subject.game, due, self._viewer).lasting
        for _ in range(self._exchanges if len(lasting) > 1 else 0):
            first, second = self._choose.sample(lasting, 2)
            order[first], order[second] = order[second], order[first]
        cards[:] = order


def check_unseen_deal(subject: Subject) -> None:
    """Right after the first chance events, unseen cards may be permuted freely."""
    game = subject.game
    for viewer in viewers(game):
        place = SPECTATOR if viewer is None else viewer
        choose = random.Random(f"{subject.seed} {viewer}")
        remembered = _Remembered(SeededChance(subject.seed))
        match = game.new(chance=remembered)
        orders = []
        for step in match.steps:
            assert isinstance(step, Dealt)
            order = list(step.order)
            unseen = list(subject.secrets(game, step.due, place).unseen)
            for index, other in zip(unseen, choose.sample(unseen, len(unseen)), strict=True):
                order[index] = step.order[other]
            orders.append([game.chance_kind(step.due), game.chance_values(step.due, order)])
        _same_for(viewer, match, game.new(chance=orders))


CHECKS = (
    check_interface,
    check_fields,
    check_legal,
    check_complete,
    check_why,
    check_records,
    check_copies,
    check_cards,
    check_determinize,
    check_face_down,
    check_hidden_places,
    check_redacted_is_enough,
    check_encoding,
    check_batch,
    check_sentences,
    check_secrets,
    check_unseen_deal,
)
