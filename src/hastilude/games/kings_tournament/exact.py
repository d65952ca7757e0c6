"""What the solved joust says (see `joust`): the lab shows it without playing a deal.

It is an equilibrium of the joust between two whole decks, with lines chosen at once. Hands that are
alike are taken together, each as often as it is dealt.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from math import comb, prod
from typing import NamedTuple

from hastilude.games.kings_tournament.cards import BLOCK, DOUBLE
from hastilude.games.kings_tournament.course import CLASSES, USES, class_of
from hastilude.games.kings_tournament.joust import Line, Solution, fresh
from hastilude.games.kings_tournament.rules import DECK, HAND, LINE, USUAL_DECK
from hastilude.lab.measures.measure import SHARE, Label
from hastilude.messages import Message

PLACES = (*USES[:LINE], "discarded")
HIGH_CARDS = ("no 8 to 10", "one 8 to 10", "two or more 8 to 10")


class Dealt(NamedTuple):
    """A hand of a fresh deck: how probable it is, and its lines."""

    hand: tuple[int, ...]
    chance: float
    lines: dict[Line, float]
    worth: float  # the chance to win the game


def figures() -> list[tuple[Label, float]]:
    return [*_hands(), *_places(), *_lines(), *_certainty()]


@cache
def dealt() -> tuple[Dealt, ...]:
    solution = fresh()
    return tuple(_dealt(solution, hand) for hand in solution.hands[0].place)


def _dealt(solution: Solution, hand: tuple[int, ...]) -> Dealt:
    counts = Counter(hand)
    chance = prod(comb(USUAL_DECK[card], many) for card, many in counts.items()) / comb(DECK, HAND)
    lines = solution.strategy(0, hand)
    worth = sum(likely * solution.worth(0, hand, line) for line, likely in lines.items() if likely)
    return Dealt(hand, chance, lines, worth)


def kind_of(hand: tuple[int, ...]) -> str:
    """The special cards of a hand and how many high ones it has."""
    special = [name for card, name in ((DOUBLE, "D"), (BLOCK, "B")) if card in hand]
    high = min(sum(class_of(card) == CLASSES.index("8 to 10") for card in hand), 2)
    return f"{' and '.join(special) or 'neither D nor B'}, {HIGH_CARDS[high]}"


def pattern_of(line: Line) -> str:
    return ", ".join(CLASSES[class_of(card)] for card in line)


def _hands() -> Iterator[tuple[Label, float]]:
    """How often each kind of hand is dealt, and what it is worth."""
    chances, worths = Counter[str](), Counter[str]()
    for one in dealt():
        kind = kind_of(one.hand)
        chances[kind] += one.chance  # type: ignore[assignment]  # a Counter adds any numbers
        worths[kind] += one.chance * one.worth  # type: ignore[assignment]
    kinds = sorted(chances, key=lambda kind: -worths[kind] / chances[kind])
    for kind in kinds:
        yield Label("how often the hand is dealt", kind, SHARE), chances[kind]
    for kind in kinds:
        yield Label("chance to win the game with it", kind, SHARE), worths[kind] / chances[kind]


def _places() -> Iterator[tuple[Label, float]]:
    """Where a card of each class goes, if one is in the hand."""
    played: dict[int, list[float]] = defaultdict(lambda: [0.0] * len(PLACES))
    for one in dealt():
        counts = Counter(map(class_of, one.hand))
        for line, likely in one.lines.items():
            used = Counter(map(class_of, line))
            for place, card in enumerate(line):
                played[class_of(card)][place] += one.chance * likely
            for card_class, many in counts.items():
                played[card_class][LINE] += one.chance * likely * (many - used[card_class])
    for card_class, name in enumerate(CLASSES):
        total = sum(played[card_class])
        for use, share in zip(PLACES, played[card_class], strict=True):
            yield Label(f"where a card goes: {name}", use, SHARE), share / total


def _lines() -> Iterator[tuple[Label, float]]:
    """The most frequent line for each kind of hand, and how often it is chosen."""
    lines: dict[str, Counter[str]] = defaultdict(Counter)
    for one in dealt():
        for line, likely in one.lines.items():
            lines[kind_of(one.hand)][pattern_of(line)] += one.chance * likely  # type: ignore[assignment]
    for kind, _ in _hands_in_order():
        (pattern, often) = lines[kind].most_common(1)[0]
        row = f"{kind}: {pattern}"
        yield Label("the most frequent line", row, SHARE), often / lines[kind].total()


def _hands_in_order() -> list[tuple[str, float]]:
    return [(label.row, value) for label, value in _hands() if label.part.startswith("chance")]


def _certainty() -> Iterator[tuple[Label, float]]:
    """How far the solution is from an equilibrium."""
    yield (
        Label("what the best answer would gain", "chance to win the game", "tiny"),
        (fresh().exploitability),
    )


def answer() -> Message:
    values = {(label.part, label.row): value for label, value in figures()}
    (best, best_value), *_, (worst, worst_value) = _hands_in_order()
    shares = {
        "best_value": best_value,
        "worst_value": worst_value,
        "double_third": values["where a card goes: D", "third"],
        "double_second": values["where a card goes: D", "second"],
        "block_third": values["where a card goes: B", "third"],
        "low_discarded": values["where a card goes: 1 to 3", "discarded"],
    }
    written = {name: f"{share:.0%}" for name, share in shares.items()}
    return Message("kings_tournament_exact_answer", written | {"best": best, "worst": worst})
