"""Template: what a seat may know, for people and their clients."""

from hastilude.core.bits import numbers
from hastilude.core.frozen import frozen
from hastilude.core.rules import SPECTATOR
from hastilude.games._template.notation import CARD_TEXTS, card_text
from hastilude.games._template.rules import CHOOSE, NO_CARD, SEATS, Fields

PHASES = ("deal", "choose", "over")


@frozen
class View:
    """What one seat (None: a spectator) may know. Seats are numbers, cards their texts.

    `trick_winners` are the winners of the `tricks`; `winners` is empty until the match is over.
    """

    viewer: int | None
    phase: str
    pending: tuple[int, ...]
    hand: tuple[str, ...]
    chosen: tuple[bool, ...]
    choice: str | None
    tricks: tuple[tuple[str, ...], ...]
    trick_winners: tuple[int, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]


def view_of(r: Fields) -> View:
    viewer = None if r.viewer == SPECTATOR else r.viewer
    on_table = r.played[r.trick] if r.phase == CHOOSE else (NO_CARD,) * SEATS
    return View(
        viewer=viewer,
        phase=PHASES[r.phase],
        pending=r.pending,
        hand=() if viewer is None else hand_texts(r.hand[viewer]),
        chosen=tuple(card != NO_CARD for card in on_table),
        choice=None if viewer is None else card_text(on_table[viewer]),
        tricks=tuple(
            tuple(CARD_TEXTS[card] for card in r.played[trick]) for trick in range(r.trick)
        ),
        trick_winners=r.winner[: r.trick],
        scores=r.scores,
        winners=r.winners,
    )


def hand_texts(hand: int) -> tuple[str, ...]:
    return tuple(CARD_TEXTS[card] for card in numbers(hand))
