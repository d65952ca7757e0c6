"""A game: the rules with their options chosen."""

import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from hastilude.core import options as option_rules
from hastilude.core.calls import infer_at
from hastilude.core.chance import SEEDS, Chance, ExplicitChance, SeededChance
from hastilude.core.encoding import Layout
from hastilude.core.errors import ChanceError, IllegalAction, nearest
from hastilude.core.events import Event
from hastilude.core.match import Match
from hastilude.core.options import Option
from hastilude.core.states import Fields, Reader
from hastilude.messages import Message, catalogue, seat_name


class Game(ABC):
    """What a game adds to its kernels. Each game's `game.py` has the one subclass."""

    name: ClassVar[str]
    title: ClassVar[str]
    credits: ClassVar[str]
    rules_version: ClassVar[int]  # goes up with any change of behaviour
    state: ClassVar[np.dtype[np.void]]
    facts: ClassVar[np.dtype[np.void]]  # what follows from a redacted state: see `facts_type`
    fields: ClassVar[type[Fields]]  # both of them for Python; below, `r` is one of these
    texts: ClassVar[tuple[str, ...]]  # the text of each action
    layout: ClassVar[Layout]
    known_options: ClassVar[tuple[Option, ...]]

    def __init__(self, /, **given: Any) -> None:
        self.options = option_rules.settle(self.name, self.known_options, given)

    # --- what each game provides ----------------------------------------------------------------

    @property
    @abstractmethod
    def seats(self) -> int:
        """The number of players that decide."""

    @property
    @abstractmethod
    def option_numbers(self) -> Sequence[int]:
        """The options as the kernel `start` takes them."""

    @property
    @abstractmethod
    def most_plays(self) -> int:
        """No match has more plays than this."""

    @abstractmethod
    def view_of(self, r: Any) -> Any:
        """A redacted state as a frozen dataclass of texts and numbers."""

    @abstractmethod
    def tell(self, before: Any, after: Any) -> Iterator[Event]:
        """What happened between two states redacted for the same viewer, one step apart."""

    @abstractmethod
    def refuse(self, r: Any, seat: int, action: int) -> Message:
        """Why the action is not legal, from what the seat knows."""

    @abstractmethod
    def chance_kind(self, due: int) -> str:
        """The name of a chance event in a record."""

    @abstractmethod
    def chance_values(self, due: int, order: Sequence[int]) -> dict[str, Any]:
        """A chance event as a record tells it."""

    @abstractmethod
    def chance_order(self, due: int, values: dict[str, Any]) -> list[int]:
        """The reverse; ChanceError if the values have another form."""

    def chance_text(self, due: int, card: int) -> str:
        """One of what a chance event shuffles: a card, unless the game says otherwise."""
        return self.text(card)

    # --- what all games share -------------------------------------------------------------------

    @property
    def num_actions(self) -> int:
        return len(self.texts)

    def read(self, states: Any, i: int = 0) -> Any:
        """A redacted state, one of an array, as the game's `fields`."""
        reader = self.reader()
        reader.redacted.view(np.uint8)[:] = states[i : i + 1].view(np.uint8)
        infer_at(reader.redacted, reader.facts)
        return reader.fields()

    def reader(self) -> Reader[Any]:
        return Reader(self.fields, self.state, self.facts)

    def text(self, action: int) -> str:
        return self.texts[action]

    def parse(self, text: str) -> int:
        """The action of a text; IllegalAction if no action is written so."""
        try:
            return self.texts.index(text)
        except ValueError:
            near = nearest(text, self.texts)
            key = "unknown_action_near" if near else "unknown_action"
            raise IllegalAction.of(key, text=text, near=near) from None

    def number(self, action: int | str) -> int:
        """An action given as number or text, as a number; IllegalAction if there is none such."""
        if isinstance(action, str):
            return self.parse(action)
        if not (isinstance(action, (int, np.integer)) and 0 <= action < self.num_actions):
            raise IllegalAction.of("action_range", value=action, last=self.num_actions - 1)
        return int(action)

    def cards(self, texts: Any) -> list[int]:
        """The numbers of a list of cards in a chance event; ChanceError if it is not one."""
        if not isinstance(texts, (list, tuple)):
            raise ChanceError.of("chance_not_cards", value=texts)
        for text in texts:
            if text not in self.texts:
                raise ChanceError.of("chance_not_a_card", value=text)
        return [self.texts.index(text) for text in texts]

    def chance_texts(self, due: int, order: Sequence[int]) -> list[str]:
        """What a chance event puts in order, as a proof lists it."""
        return [self.chance_text(due, card) for card in order]

    def order_of_deal(
        self, values: dict[str, Any], hands: Sequence[int], **parts: int
    ) -> list[int]:
        """The order of a deal told as `hands` and other `parts`, given the size of each;
        ChanceError if it is told otherwise."""
        if set(values) != {"hands", *parts}:
            raise ChanceError.of("chance_fields", fields=("hands", *parts))
        if not isinstance(values["hands"], (list, tuple)) or len(values["hands"]) != len(hands):
            raise ChanceError.of("chance_hands", count=len(hands))
        told = [*zip(values["hands"], hands, strict=True)]
        told += [(values[name], size) for name, size in parts.items()]
        order: list[int] = []
        for texts, size in told:
            cards = self.cards(texts)
            if len(cards) != size:
                raise ChanceError.of("chance_size", size=size, count=len(cards))
            order += cards
        return order

    def new(self, seed: int | None = None, chance: Iterable[Any] | Chance | None = None) -> Match:
        """A new match, its first cards dealt.

        Chance comes from a seed, from explicit events as in a record, or from a driver; with
        neither from a seed that the system draws.
        """
        if chance is None:
            return Match(self, SeededChance(secrets.randbelow(SEEDS) if seed is None else seed))
        if isinstance(chance, Iterable):
            return Match(self, ExplicitChance(self, chance))
        return Match(self, chance)

    def names(self, language: str = "en", given: Sequence[str] = ()) -> tuple[str, ...]:
        """What the seats are called: as given, else as the game calls them, else by number."""
        own = catalogue(language)
        defaults = [
            own.get(f"{self.name}_seat_{seat}") or seat_name(seat, language)
            for seat in range(self.seats)
        ]
        return (*given[: self.seats], *defaults[len(given) :])

    def __repr__(self) -> str:
        chosen = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return f"hastilude.load({self.name!r}, {chosen})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))
