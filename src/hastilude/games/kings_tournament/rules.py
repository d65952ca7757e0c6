"""The rules of King's Tournament: what is legal and what follows. Clauses K1 to K16: RULES.md."""

from typing import TypeAlias

import numpy as np

from hastilude.core import states
from hastilude.core.bits import NONE, Bits
from hastilude.core.kernel import kernel
from hastilude.core.rules import EVERYTHING, Cards, Numbers, State
from hastilude.games.kings_tournament.cards import (
    BLANK,
    BLOCK,
    DOUBLE,
    EMPTY,
    MARGIN,
    VALUES,
    kinds,
    lowest_card,
    single,
    spread,
)

Rows: TypeAlias = tuple[tuple[int, ...], ...]  # cards by seat

SEATS = 2
BOTH = 3  # the set of both seats
DECK = 33  # K1
STRIKES = BLOCKS = 3  # K1
USUAL_DECK = (3, 3, 3, 3, 3, 3, 3, 2, 2, 2, STRIKES, BLOCKS)  # K1: the number of each kind
HAND = 5  # K4, K9
LINE = 3  # K5
ASIDE = HAND - LINE  # K5: the cards of a joust that are not played
UNHORSING = 3  # K7: the margin that decides a joust, as printed
HIT = 7  # K12: the margin that hits in the melee, as printed
JOUST_MARGINS = (1, 2, 3, 4, 5, 6)  # K17
MELEE_MARGINS = (3, 4, 5, 6, 7, 8, 9)  # K18
ENDLESS_REVEALS = 1000  # K16
ENDLESS_GAMES = 100  # K16

# What the pending seats must choose; while chance is due, what they must choose next.
NEW_GAME = 0  # nothing: both decks are shuffled (K3)
JOUST = 1  # both at once: three cards, the line in its order (K5)
DISCARD = 2  # stepwise, both at once: the two cards that are not played (K6)
BEAT = 3  # stepwise, both at once: the next card of the line (K6)
LEAD = 4  # one seat: the card it reveals first (K10)
ANSWER = 5  # the other: the card it answers with (K10)
OVER = 6  # nothing: the match is over (K14)

STATE = np.dtype(
    [
        ("total", np.uint64),  # the pile of all cards of a player (K1)
        # Piles, by seat. Deck, hand, unrevealed choice and `seen` always make up the total.
        ("hand", np.uint64, SEATS),  # without what is already chosen
        ("seen", np.uint64, SEATS),  # the discard pile with what lies on the table
        ("kept", np.uint64, SEATS),  # the part of this draw that came before a reshuffle (K13)
        # Revealed cards stay here until the next joust or melee replaces them.
        ("line", np.int8, (SEATS, LINE)),  # the current joust, or the last of this game
        ("aside", np.int8, (SEATS, ASIDE)),  # its discards, in the order of the actions
        ("melee", np.int8, (SEATS, HAND)),  # the melee turns since the draw, or of the last hand
        ("led", np.int8, HAND),  # who revealed first in each of them
        # The last joust and the last melee turn that were scored, maybe in the game before.
        ("last_line", np.int8, (SEATS, LINE)),
        ("last_aside", np.int8, (SEATS, ASIDE)),
        ("last_turn", np.int8, SEATS),
        ("last_led", np.int8),
        # Choices made at the same time as the other player's, not yet revealed.
        ("choice", np.int8, (SEATS, LINE)),  # only the first `chosen` count
        ("chosen", np.int8, SEATS),
        ("held", np.int8, SEATS),  # number of cards drawn and not revealed, chosen or not
        ("deck", np.int8, (SEATS, DECK)),  # in the order of drawing, from `top` to the end
        ("top", np.int8, SEATS),
        ("jousts", np.int16),  # in this game
        ("reveals", np.int16),  # in this game (K16)
        ("game", np.int8),  # the number of this game, from 1; 0 before the first shuffle
        ("won", np.int8, SEATS),  # games
        ("drawn", np.int8),  # games that nobody won (K16)
        ("mounted", np.int8),  # the set of seats whose knight is mounted
        ("fallen", np.int8),  # the seat whose knight was defeated, as the game's end (K12)
        ("leader", np.int8),  # who reveals first in the melee (K11)
        ("waiting", np.int8),  # the set of seats that have to act
        ("due", np.int8),  # 1 + the seat whose deck must be shuffled, or 0
        ("phase", np.int8),
        ("best_of", np.int8),  # K14
        ("stepwise", np.int8),  # K6
        ("joust_margin", np.int8),  # K7
        ("melee_margin", np.int8),  # K12
        ("viewer", np.int8),  # the seat that may know this; see core.rules
    ],
    align=True,
)

FACTS = states.facts_type(
    SEATS,
    ("sure", np.uint64, SEATS),  # the pile of cards that everybody knows to be in a hand (K13)
    ("unseen", np.uint64, SEATS),  # the pile of a player's cards that the viewer cannot locate
    ("turn_is_last", np.int8),  # see the function
    ("hits", np.int8, SEATS),  # struck by each player in this game (K12)
    ("unhorsed", np.int8),  # the seat that lost this game's joust (K8), or BLANK
)


class Fields(states.Fields):
    total: int
    hand: tuple[int, ...]
    seen: tuple[int, ...]
    kept: tuple[int, ...]
    line: Rows
    aside: Rows
    melee: Rows
    led: tuple[int, ...]
    last_line: Rows
    last_aside: Rows
    last_turn: tuple[int, ...]
    last_led: int
    choice: Rows
    chosen: tuple[int, ...]
    held: tuple[int, ...]
    deck: Rows
    top: tuple[int, ...]
    jousts: int
    reveals: int
    game: int
    won: tuple[int, ...]
    drawn: int
    mounted: int
    fallen: int
    leader: int
    waiting: int
    due: int
    phase: int
    best_of: int
    stepwise: int
    joust_margin: int
    melee_margin: int
    sure: tuple[int, ...]
    unseen: tuple[int, ...]
    turn_is_last: int
    hits: tuple[int, ...]
    unhorsed: int


WANTED = (0, LINE, ASIDE, 1, 1, 1, 0)  # cards that a seat must choose, by phase
_TURN = (-1, 0, 1, 0)  # the first of a set of seats


@kernel
def start(s: State, options: Numbers) -> None:
    """Options: best_of, stepwise (0 or 1), the margins that decide a joust and that hit, then how
    many of each value from 1 to 10."""
    s["best_of"] = options[0]
    s["stepwise"] = options[1]
    s["joust_margin"] = options[2]
    s["melee_margin"] = options[3]
    total = np.uint64(STRIKES) * single(DOUBLE) + np.uint64(BLOCKS) * single(BLOCK)
    for card in range(VALUES):
        total += np.uint64(options[4 + card]) * single(card)
    s["total"] = total
    s["game"] = 0
    s["drawn"] = 0
    s["won"][:] = 0
    s["last_line"][:] = BLANK
    s["last_aside"][:] = BLANK
    s["last_turn"][:] = BLANK
    s["last_led"] = BLANK
    s["choice"][:] = BLANK
    s["deck"][:] = BLANK
    s["waiting"] = 0
    s["viewer"] = EVERYTHING
    s["phase"] = NEW_GAME
    s["due"] = 1
    set_out(s)


@kernel
def among(seats: int, seat: int) -> bool:
    """Whether a set of seats contains a seat."""
    return (int(seats) >> seat) & 1 == 1


@kernel
def set_out(s: State) -> None:
    """K3: put all of each player's cards in one pile to be shuffled; both knights are mounted."""
    s["hand"][:] = EMPTY
    s["kept"][:] = EMPTY
    s["seen"][:] = s["total"]
    s["top"][:] = DECK
    s["held"][:] = 0
    s["chosen"][:] = 0
    s["line"][:] = BLANK
    s["aside"][:] = BLANK
    s["melee"][:] = BLANK
    s["led"][:] = BLANK
    s["jousts"] = 0
    s["reveals"] = 0
    s["mounted"] = BOTH
    s["fallen"] = BLANK
    s["leader"] = BLANK


@kernel
def pending(s: State) -> int:
    return int(s["waiting"])


@kernel
def turn(s: State) -> int:
    return _TURN[s["waiting"]]


@kernel
def legal(s: State, seat: int) -> Bits:
    return kinds(s["hand"][seat]) if among(s["waiting"], seat) else NONE


@kernel
def score(s: State, seat: int) -> int:
    """The games the seat has won (K14)."""
    return int(s["won"][seat])


@kernel
def winners(s: State) -> int:
    if s["phase"] != OVER:
        return 0
    for seat in range(SEATS):
        if _has_majority(s, seat):
            return 1 << seat
    return BOTH  # K16


@kernel
def wanted(s: State) -> int:
    """How many cards each pending seat chooses before anything is revealed."""
    return WANTED[s["phase"]]


@kernel
def apply(s: State, seat: int, action: int) -> None:
    s["hand"][seat] -= single(action)
    phase = s["phase"]
    if phase == LEAD:
        _lead(s, seat, action)
    elif phase == ANSWER:
        _answer(s, seat, action)
    else:
        _choose(s, seat, action)


@kernel
def _choose(s: State, seat: int, card: int) -> None:
    """K5, K6: a choice is hidden until both players have chosen all their cards."""
    chosen = int(s["chosen"][seat])
    s["choice"][seat, chosen] = card
    s["chosen"][seat] = chosen + 1
    if chosen + 1 == wanted(s):
        waiting = int(s["waiting"]) ^ (1 << seat)
        s["waiting"] = waiting
        if not waiting:
            _reveal(s)


@kernel
def _reveal(s: State) -> None:
    s["chosen"][:] = 0
    phase = s["phase"]
    if phase == JOUST:
        _run(s)
    elif phase == DISCARD:
        _discard(s)
    else:
        _beat(s)


# --- the joust ----------------------------------------------------------------------------------


@kernel
def _run(s: State) -> None:
    """K6: reveal the discards, then the lines, card by card."""
    for seat in range(SEATS):
        for place in range(ASIDE):
            _set_aside(s, seat, place, _take_lowest(s, seat))
        for beat in range(LINE):
            _play(s, seat, beat, s["choice"][seat, beat])
    _score_joust(s)


@kernel
def _discard(s: State) -> None:
    """K6, stepwise: reveal the discards; the first beat is chosen next."""
    for seat in range(SEATS):
        one_card, other = s["choice"][seat, 0], s["choice"][seat, 1]
        _set_aside(s, seat, 0, min(one_card, other))
        _set_aside(s, seat, 1, max(one_card, other))
        s["line"][seat, :] = BLANK
    s["phase"] = BEAT
    s["waiting"] = BOTH


@kernel
def _beat(s: State) -> None:
    """K6, stepwise: reveal a beat; after the second also the third, where there is no choice."""
    beat = LINE - int(s["held"][0])
    for seat in range(SEATS):
        _play(s, seat, beat, s["choice"][seat, 0])
    if beat + 2 < LINE:
        s["waiting"] = BOTH
        return
    for seat in range(SEATS):
        _play(s, seat, beat + 1, _take_lowest(s, seat))
    _score_joust(s)


@kernel
def _take_lowest(s: State, seat: int) -> int:
    card = lowest_card(s["hand"][seat])
    s["hand"][seat] -= single(card)
    return card


@kernel
def _set_aside(s: State, seat: int, place: int, card: int) -> None:
    s["aside"][seat, place] = card
    _show(s, seat, card)


@kernel
def _play(s: State, seat: int, beat: int, card: int) -> None:
    s["line"][seat, beat] = card
    _show(s, seat, card)


@kernel
def _show(s: State, seat: int, card: int) -> None:
    s["seen"][seat] += single(card)
    s["held"][seat] -= 1


@kernel
def deciding_beat(line: Cards, least: int) -> int:
    """K7: the pair that decides a joust, the last with at least this margin; BLANK if none has."""
    for beat in range(LINE - 1, -1, -1):
        if abs(MARGIN[line[0, beat], line[1, beat]]) >= least:
            return beat
    return BLANK


@kernel
def _score_joust(s: State) -> None:
    """K8: the loser is unhorsed and the melee begins, or the joust is repeated."""
    s["last_line"][:] = s["line"]
    s["last_aside"][:] = s["aside"]
    s["jousts"] += 1
    s["reveals"] += LINE
    beat = deciding_beat(s["line"], s["joust_margin"])
    if beat != BLANK:
        winner = 0 if MARGIN[s["line"][0, beat], s["line"][1, beat]] > 0 else 1
        s["mounted"] = 1 << winner
        s["leader"] = winner  # K11
        s["phase"] = LEAD
    else:
        s["phase"] = DISCARD if s["stepwise"] else JOUST
    if s["reveals"] >= ENDLESS_REVEALS:
        _draw_game(s)
    else:
        draw_hands(s)


# --- the melee ----------------------------------------------------------------------------------


@kernel
def _lead(s: State, seat: int, card: int) -> None:
    place = HAND - int(s["held"][seat])
    if place == 0:
        s["melee"][:] = BLANK
        s["led"][:] = BLANK
    s["led"][place] = seat
    s["melee"][seat, place] = card
    _show(s, seat, card)
    s["phase"] = ANSWER
    s["waiting"] = 1 << (1 - seat)


@kernel
def _answer(s: State, seat: int, card: int) -> None:
    place = HAND - int(s["held"][seat])
    facing = s["melee"][1 - seat, place]
    s["melee"][seat, place] = card
    _show(s, seat, card)
    s["last_turn"][seat] = card
    s["last_turn"][1 - seat] = facing
    s["last_led"] = 1 - seat
    s["reveals"] += 1
    margin = MARGIN[card, facing]
    winner = seat if margin > 0 else 1 - seat  # of the pair, unless it is a tie
    if hits(margin, s["melee_margin"]):
        if not among(s["mounted"], 1 - winner):  # K12: a knight on foot is defeated
            _win_game(s, winner)
            return
        s["mounted"] = 0  # K12: a mounted knight is now on foot, as the other was
    if margin and not s["mounted"]:
        s["leader"] = winner  # K11
    _next_turn(s)


@kernel
def hits(margin: int, least: int) -> bool:
    """K12: whether the margin of two cards is a hit in the melee, which takes at least so much."""
    return abs(margin) >= least


@kernel
def _next_turn(s: State) -> None:
    """K9, K10: another turn with the same hands, or with new hands if both are empty."""
    s["phase"] = LEAD
    if s["reveals"] >= ENDLESS_REVEALS:
        _draw_game(s)
    elif s["held"][0] == 0:
        draw_hands(s)
    else:
        s["waiting"] = 1 << s["leader"]


# --- games --------------------------------------------------------------------------------------


@kernel
def _win_game(s: State, winner: int) -> None:
    s["fallen"] = 1 - winner
    s["won"][winner] += 1
    _end_game(s, _has_majority(s, winner))


@kernel
def _draw_game(s: State) -> None:
    """K16: an endless game is a game played that scores for nobody."""
    s["drawn"] += 1
    _end_game(s, False)


@kernel
def _end_game(s: State, decided: bool) -> None:
    """K14. The state keeps what happened until the first shuffle of the next game."""
    s["waiting"] = 0
    if decided or s["game"] == ENDLESS_GAMES:
        s["phase"] = OVER
    else:
        s["phase"] = NEW_GAME
        s["due"] = 1


@kernel
def _has_majority(s: State, seat: int) -> bool:
    return int(s["won"][seat]) >= games_to_win(int(s["best_of"]))


@kernel
def games_to_win(best_of: int) -> int:
    """K14: the majority of the games."""
    return best_of // 2 + 1


@kernel
def turn_is_last(s: State) -> bool:
    """Whether what was scored last is a melee turn, perhaps of the game before, and not a joust."""
    fought = s["jousts"] == 0 or s["reveals"] > LINE * s["jousts"]
    return bool(s["last_led"] != BLANK and fought)


@kernel
def unhorsed(s: State) -> int:
    """K8: the seat that lost the joust of this game; BLANK while none is decided."""
    beat = deciding_beat(s["last_line"], s["joust_margin"]) if s["jousts"] else BLANK
    if beat == BLANK:
        return BLANK
    return 1 if MARGIN[s["last_line"][0, beat], s["last_line"][1, beat]] > 0 else 0


@kernel
def hits_by(s: State, seat: int) -> int:
    """K12: the hits of a seat in this game. A mounted knight can only be hit by the one that it
    unhorsed; a further hit defeats."""
    dismounted = s["mounted"] == 0 and unhorsed(s) == seat
    defeated = s["fallen"] == 1 - seat
    return int(dismounted) + int(defeated)


# --- decks and draws ----------------------------------------------------------------------------


@kernel
def chance_due(s: State) -> int:
    """1 + the seat whose deck must be shuffled: all its cards, or its discard pile (K3, K13)."""
    return int(s["due"])


@kernel
def undealt(s: State, due: int, cards: Cards) -> int:
    return spread(s["total"] if s["phase"] == NEW_GAME else s["seen"][due - 1], cards)


@kernel
def deal(s: State, due: int, order: Cards) -> None:
    """`order` is the order of drawing."""
    seat = due - 1
    if s["phase"] != NEW_GAME:
        _lay_deck(s, seat, order)
        _draw(s, seat)
        _await_reshuffles(s)
    elif seat == 0:
        set_out(s)
        s["game"] += 1
        _lay_deck(s, seat, order)
        s["due"] = 2
    else:
        _lay_deck(s, seat, order)
        s["phase"] = DISCARD if s["stepwise"] else JOUST
        draw_hands(s)


@kernel
def _lay_deck(s: State, seat: int, order: Cards) -> None:
    """The shuffled cards become the deck: all that the player does not hold."""
    top = int(s["held"][seat])
    for place in range(top, DECK):
        s["deck"][seat, place] = order[place - top]
    s["top"][seat] = top
    s["seen"][seat] = EMPTY


@kernel
def draw_hands(s: State) -> None:
    """K4, K9: both draw five; both hands are empty."""
    for seat in range(SEATS):
        _draw(s, seat)
        s["kept"][seat] = s["hand"][seat] if s["held"][seat] < HAND else EMPTY
    _await_reshuffles(s)


@kernel
def _draw(s: State, seat: int) -> None:
    """Draw up to five cards, or as many as the deck has (K13)."""
    top = int(s["top"][seat])
    number = min(HAND - int(s["held"][seat]), DECK - top)
    hand = s["hand"][seat]
    for place in range(top, top + number):
        hand += single(s["deck"][seat, place])
    s["hand"][seat] = hand
    s["held"][seat] += number
    s["top"][seat] = top + number


@kernel
def _await_reshuffles(s: State) -> None:
    """K13: a player who could not draw five reshuffles, seat 0 first; then the players choose."""
    s["due"] = 0
    s["waiting"] = 0
    for seat in range(SEATS):
        if s["held"][seat] < HAND:
            s["due"] = seat + 1
            return
    s["waiting"] = 1 << s["leader"] if s["phase"] == LEAD else BOTH
