"""Shuffles that anyone can check, from a committed master seed and the seats' own seeds.

Before anyone sits down, a table publishes `commitment(master)`. Each seat's client adds its own
seed. Then `VerifiableChance` shuffles. When the match is over, its record gets a `proof`, which
reveals the master. docs/shuffles.md defines every byte and says who could still cheat, and how.

Until then the master is secret: nothing here writes it anywhere except into the proof.
"""

import hmac
import re
from collections.abc import Iterator, Sequence
from functools import partial
from hashlib import sha256
from itertools import chain, count
from struct import pack, unpack
from typing import Any, NamedTuple

from hastilude.core.errors import OptionError, ProofError
from hastilude.core.match import Dealt, Match
from hastilude.core.rules import Cards

SCHEME = "hastilude-hmac-sha256-1"
MASTER_BYTES = 32
WORDS = 2**32  # how many values a word of the stream can have


def commitment(master: bytes) -> str:
    """What a table publishes before anyone sits down: it binds the host and reveals nothing.

    >>> commitment(bytes(32))
    '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925'
    """
    if len(master) != MASTER_BYTES:
        raise OptionError.of("master_size", size=MASTER_BYTES, count=len(master))
    return sha256(master).hexdigest()


class Stream:
    """The random words of one chance event of a match; events are counted from 0."""

    def __init__(self, master: bytes, table: str, seeds: Sequence[bytes], event: int) -> None:
        self.message = b"".join(
            [_sized(table.encode()), _number(event), _number(len(seeds)), *map(_sized, seeds)]
        )
        self.block = partial(_block, master, self.message)
        self._words = self.words()

    def words(self) -> Iterator[int]:
        return chain.from_iterable(unpack(">8I", block) for block in map(self.block, count()))

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1, all equally likely. Words from the last, incomplete round
        of remainders would favour small numbers, so they are skipped."""
        fair = WORDS - WORDS % limit
        while (word := next(self._words)) >= fair:
            pass
        return word % limit

    def shuffle(self, items: list[Any]) -> None:
        """Fisher-Yates, from the last place down to the second."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


def _block(master: bytes, message: bytes, counter: int) -> bytes:
    return hmac.digest(master, message + _number(counter), "sha256")


def _number(value: int) -> bytes:
    return pack(">I", value)


def _sized(content: bytes) -> bytes:
    """The content with its length before it, so that different parts never give the same bytes."""
    return _number(len(content)) + content


class VerifiableChance:
    """The chance driver of a table. `seeds` are the clients' seeds by seat, empty where missing.

    `event` is the number of the first chance event, for a match that continues from a record.
    """

    def __init__(self, master: bytes, table: str, seeds: Sequence[bytes], event: int = 0) -> None:
        commitment(master)  # refuses an invalid master
        self._master = master
        self._table = table
        self._seeds = tuple(seeds)
        self._event = event

    def order(self, due: int, cards: Cards) -> None:
        cards[:] = self.next_order(cards.tolist())

    def next_order(self, cards: Sequence[int]) -> list[int]:
        order = sorted(cards)  # the order in which the state stores them must not matter
        Stream(self._master, self._table, self._seeds, self._event).shuffle(order)
        self._event += 1
        return order


# --- the proof ----------------------------------------------------------------------------------


def proof(match: Match, master: bytes, table: str, seeds: Sequence[bytes]) -> dict[str, Any]:
    """The value of `Record.proof`. It reveals the master, so only once the match has ended."""
    shuffles = _shuffles(match, VerifiableChance(master, table, seeds))
    return {
        "scheme": SCHEME,
        "table": table,
        "commitment": commitment(master),
        "master": master.hex(),
        "seeds": [seed.hex() for seed in seeds],
        "events": [shuffle.listed for shuffle in shuffles],
    }


def verify_shuffles(match: Match, proof: Any) -> None:
    """Check the chance events of a replayed match against its record's proof; ProofError names the
    first thing that is wrong."""
    _check_form(proof)
    master = bytes.fromhex(proof["master"])
    if commitment(master) != proof["commitment"]:
        raise ProofError.of(
            "proof_commitment", found=commitment(master), commitment=proof["commitment"]
        )
    seeds = [bytes.fromhex(seed) for seed in proof["seeds"]]
    if len(seeds) != match.game.seats:
        raise ProofError.of("proof_seeds", count=len(seeds), wanted=match.game.seats)
    shuffles = list(_shuffles(match, VerifiableChance(master, proof["table"], seeds)))
    if len(shuffles) != len(proof["events"]):
        raise ProofError.of("proof_count", count=len(proof["events"]), wanted=len(shuffles))
    for shuffle, given in zip(shuffles, proof["events"], strict=True):
        place, kind = shuffle.place, shuffle.listed["kind"]
        for part in ("kind", "from", "to"):
            if given[part] != shuffle.listed[part]:
                raise ProofError.of(f"proof_{part}", index=place, kind=kind)
        if not shuffle.happened:
            raise ProofError.of("proof_result", index=place, kind=kind)


class _Shuffle(NamedTuple):
    place: int  # among the events of the record
    listed: dict[str, Any]  # computed from the seeds, in the form of a proof
    happened: bool  # whether the match had this result


def _shuffles(match: Match, chance: VerifiableChance) -> Iterator[_Shuffle]:
    game = match.game
    for place, step in enumerate(match.steps):
        if isinstance(step, Dealt):
            due, order = step.due, chance.next_order(step.order)
            listed = {
                "kind": game.chance_kind(due),
                "from": game.chance_texts(due, sorted(order)),
                "to": game.chance_texts(due, order),
            }
            happened = game.chance_values(due, order) == game.chance_values(due, step.order)
            yield _Shuffle(place, listed, happened)


def _check_form(proof: Any) -> None:
    if not isinstance(proof, dict) or proof.get("scheme") != SCHEME:
        raise ProofError.of("proof_scheme", scheme=SCHEME)
    if set(proof) != {"scheme", *_FORMS}:
        raise ProofError.of("proof_fields", fields=("scheme", *_FORMS))
    for field, has_form in _FORMS.items():
        if not has_form(proof[field]):
            raise ProofError.of("proof_form", field=field)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable()  # lone surrogates are not


def _is_hex(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch("([0-9a-f]{2})*", value) is not None


def _is_hash(value: Any) -> bool:
    return _is_hex(value) and len(value) == 2 * MASTER_BYTES


def _is_event(value: Any) -> bool:
    return isinstance(value, dict) and set(value) == {"kind", "from", "to"}


_FORMS: dict[str, Any] = {
    "table": _is_text,
    "commitment": _is_hash,
    "master": _is_hash,
    "seeds": lambda value: isinstance(value, list) and all(map(_is_hex, value)),
    "events": lambda value: isinstance(value, list) and all(map(_is_event, value)),
}
