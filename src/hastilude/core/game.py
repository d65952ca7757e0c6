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
from hastilude.core.frozen import frozen
from hastilude.core.match import Match
from hastilude.core.options import Option
from hastilude.core.states import Fields, Reader
from hastilude.messages import Message, catalogue, seat_name


@frozen
class Suit:
    """The cards of a suit for the card tracker: the rest of each card's text, and where the viewer
    knows it to be: in the own `hand`, `seen` (played, discarded or shown) or `unseen`."""

    suit: str
    cards: tuple[tuple[str, str], ...]


class Game(ABC):
    """What a game provides besides its kernels, as a subclass in its `game.py`."""

    name: ClassVar[str]
    title: ClassVar[str]
    credits: ClassVar[str]
    rules_version: ClassVar[int]  # increases with any change of behaviour
    state: ClassVar[np.dtype[np.void]]
    facts: ClassVar[np.dtype[np.void]]  # what follows from a redacted state: see `facts_type`
    fields: ClassVar[type[Fields]]  # both of them for Python; below, `r` is one of these
    texts: ClassVar[tuple[str, ...]]  # the text of each action
    layout: ClassVar[Layout]
    known_options: ClassVar[tuple[Option, ...]]
    has_tracker: ClassVar[bool] = False  # whether there is a card tracker: see `tracker_of`

    def __init__(self, /, **given: Any) -> None:
        self.options = option_rules.complete(self.name, self.known_options, given)

    @property
    def stated_options(self) -> option_rules.Options:
        """The options as records and tables list them: without variants that are not played."""
        return {
            option.name: self.options[option.name]
            for option in self.known_options
            if not option.variant or self.options[option.name] != option.default
        }

    # --- what each game provides ----------------------------------------------------------------

    @property
    @abstractmethod
    def seats(self) -> int:
        """The number of players that make decisions."""

    @property
    @abstractmethod
    def option_numbers(self) -> Sequence[int]:
        """The options as the kernel `start` takes them."""

    @property
    @abstractmethod
    def most_plays(self) -> int:
        """The maximum number of plays in a match."""

    @abstractmethod
    def view_of(self, r: Any) -> Any:
        """A redacted state as a frozen dataclass of texts and numbers."""

    def tracker_of(self, r: Any) -> tuple[Suit, ...]:
        """All cards of the round, suit by suit, with what the viewer knows of each."""
        return ()

    @abstractmethod
    def tell(self, before: Any, after: Any) -> Iterator[Event]:
        """The events between two states one step apart, redacted for the same viewer."""

    @abstractmethod
    def refuse(self, r: Any, seat: int, action: int) -> Message:
        """Why the action is not legal, from what the seat knows."""

    @abstractmethod
    def chance_kind(self, due: int) -> str:
        """The name of a chance event in a record."""

    @abstractmethod
    def chance_values(self, due: int, order: Sequence[int]) -> dict[str, Any]:
        """A chance event as a record lists it."""

    @abstractmethod
    def chance_order(self, due: int, values: dict[str, Any]) -> list[int]:
        """The inverse of `chance_values`; ChanceError if the values have the wrong form."""

    def chance_text(self, due: int, card: int) -> str:
        """The text of a shuffled item: a card, unless the game overrides this."""
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
        """The action with this text; IllegalAction if there is none."""
        try:
            return self.texts.index(text)
        except ValueError:
            near = nearest(text, self.texts)
            key = "unknown_action_near" if near else "unknown_action"
            raise IllegalAction.of(key, text=text, near=near) from None

    def number(self, action: int | str) -> int:
        """The number of an action given as number or text; IllegalAction if it does not exist."""
        if isinstance(action, str):
            return self.parse(action)
        if not (isinstance(action, (int, np.integer)) and 0 <= action < self.num_actions):
            raise IllegalAction.of("action_range", value=action, last=self.num_actions - 1)
        return int(action)

    def cards(self, texts: Any) -> list[int]:
        """The numbers of the cards in a chance event's list; ChanceError if it is no such list."""
        if not isinstance(texts, (list, tuple)):
            raise ChanceError.of("chance_not_cards", value=texts)
        for text in texts:
            if text not in self.texts:
                raise ChanceError.of("chance_not_a_card", value=text)
        return [self.texts.index(text) for text in texts]

    def chance_texts(self, due: int, order: Sequence[int]) -> list[str]:
        """The order of a chance event as texts, for a proof."""
        return [self.chance_text(due, card) for card in order]

    def order_of_deal(
        self, values: dict[str, Any], hands: Sequence[int], **parts: int
    ) -> list[int]:
        """The order of a deal that a record lists as `hands` and other `parts`, given the size of
        each; ChanceError if it is listed differently."""
        if set(values) != {"hands", *parts}:
            raise ChanceError.of("chance_fields", fields=("hands", *parts))
        if not isinstance(values["hands"], (list, tuple)) or len(values["hands"]) != len(hands):
            raise ChanceError.of("chance_hands", count=len(hands))
        listed = [*zip(values["hands"], hands, strict=True)]
        listed += [(values[name], size) for name, size in parts.items()]
        order: list[int] = []
        for texts, size in listed:
            cards = self.cards(texts)
            if len(cards) != size:
                raise ChanceError.of("chance_size", size=size, count=len(cards))
            order += cards
        return order

    def new(self, seed: int | None = None, chance: Iterable[Any] | Chance | None = None) -> Match:
        """A new match, its first cards dealt.

        Chance comes from a seed, from explicit events as in a record, or from a driver; by default
        from a random seed.
        """
        if chance is None:
            return Match(self, SeededChance(secrets.randbelow(SEEDS) if seed is None else seed))
        if isinstance(chance, Iterable):
            return Match(self, ExplicitChance(self, chance))
        return Match(self, chance)

    def names(self, language: str = "en", given: Sequence[str] = ()) -> tuple[str, ...]:
        """The names of the seats: as given, otherwise the game's own names, otherwise by number."""
        own = catalogue(language)
        defaults = [
            own.get(f"{self.name}_seat_{seat}") or seat_name(seat, language)
            for seat in range(self.seats)
        ]
        return (*given[: self.seats], *defaults[len(given) :])

    def __repr__(self) -> str:
        chosen = ", ".join(f"{name}={value!r}" for name, value in self.stated_options.items())
        return f"hastilude.load({self.name!r}, {chosen})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))
