"""King's Tournament: what a seat may know (K15), and how the hidden cards are dealt at random."""

from hastilude.core.dealing import ALLOWED, DEALT
from hastilude.core.dealing import CARDS as UNSEEN
from hastilude.core.dealing import SUITS as SUIT_OF
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, below, shuffle
from hastilude.core.rules import EVERYTHING, Cards, Facts, State
from hastilude.games.kings_tournament.cards import (
    BLANK,
    EMPTY,
    Pile,
    copies,
    single,
    size,
    spread,
)
from hastilude.games.kings_tournament.rules import (
    ASIDE,
    BEAT,
    DECK,
    DISCARD,
    HAND,
    JOUST,
    NEW_GAME,
    SEATS,
    among,
    hits_by,
    turn_is_last,
    unhorsed,
    wanted,
)

# The parts of the scratch memory.
_UNSEEN, _HAND = 0, 64


@kernel
def redact(s: State, seat: int, r: State) -> None:
    """K15: everything except hands, the order of decks, and cards chosen but not yet revealed."""
    _copy_public(s, r)
    r["viewer"] = seat
    r["deck"][:] = BLANK
    r["choice"][:] = BLANK
    for player in range(SEATS):
        if player == seat:
            _copy_own(s, player, r)
        else:
            r["hand"][player] = EMPTY
            # Others see only that a choice is finished, not what it is, and nothing before that.
            r["chosen"][player] = wanted(s) if has_chosen(s, player) else 0


@kernel
def _copy_public(s: State, r: State) -> None:
    r["total"] = s["total"]
    r["seen"][:] = s["seen"]
    r["kept"][:] = s["kept"]  # the other cards follow from the discard pile
    r["line"][:] = s["line"]
    r["aside"][:] = s["aside"]
    r["melee"][:] = s["melee"]
    r["led"][:] = s["led"]
    r["last_line"][:] = s["last_line"]
    r["last_aside"][:] = s["last_aside"]
    r["last_turn"][:] = s["last_turn"]
    r["last_led"] = s["last_led"]
    r["held"][:] = s["held"]
    r["top"][:] = s["top"]
    r["jousts"] = s["jousts"]
    r["reveals"] = s["reveals"]
    r["game"] = s["game"]
    r["won"][:] = s["won"]
    r["drawn"] = s["drawn"]
    r["mounted"] = s["mounted"]
    r["fallen"] = s["fallen"]
    r["leader"] = s["leader"]
    r["waiting"] = s["waiting"]
    r["due"] = s["due"]
    r["phase"] = s["phase"]
    r["best_of"] = s["best_of"]
    r["stepwise"] = s["stepwise"]
    r["joust_margin"] = s["joust_margin"]
    r["melee_margin"] = s["melee_margin"]


@kernel
def _copy_own(s: State, seat: int, r: State) -> None:
    r["hand"][seat] = s["hand"][seat]
    r["chosen"][seat] = s["chosen"][seat]
    for place in range(int(s["chosen"][seat])):
        r["choice"][seat, place] = s["choice"][seat, place]


@kernel
def has_chosen(s: State, seat: int) -> bool:
    """Whether the seat has finished its choice and the other player has not."""
    phase = s["phase"]
    choosing = phase in (JOUST, DISCARD, BEAT)
    return choosing and s["waiting"] != 0 and not among(s["waiting"], seat)


@kernel
def infer(r: State, facts: Facts) -> None:
    facts["turn_is_last"] = turn_is_last(r)
    facts["unhorsed"] = unhorsed(r)
    for seat in range(SEATS):
        facts["hits"][seat] = hits_by(r, seat)
        facts["sure"][seat] = surely_held(r, seat)
        facts["unseen"][seat] = unseen_cards(r, seat)


@kernel
def determinize(r: State, rng: Rng, work: Cards) -> None:
    for seat in range(SEATS):
        if seat == r["viewer"]:
            _shuffle_own_deck(r, seat, rng, work)
        else:
            _deal_unseen(r, seat, rng, work)
    r["viewer"] = EVERYTHING


@kernel
def _shuffle_own_deck(r: State, seat: int, rng: Rng, work: Cards) -> None:
    shuffle(rng, work, spread(unseen_cards(r, seat), work))
    _lay_deck(r, seat, work)


@kernel
def _deal_unseen(r: State, seat: int, rng: Rng, work: Cards) -> None:
    """Fill the other player's hand, choice and deck."""
    unseen, hand = work[_UNSEEN:], work[_HAND:]
    certain = _certainly_held(r, seat, rng)
    held = int(r["held"][seat])
    known = spread(certain, hand)
    shuffle(rng, unseen, spread(r["total"] - r["seen"][seat] - certain, unseen))
    for place in range(known, held):
        hand[place] = unseen[place - known]
    _lay_deck(r, seat, unseen[held - known :])
    # The hand is in random order now, so its first cards are a random choice in random order.
    if known:
        shuffle(rng, hand, held)
    chosen = int(r["chosen"][seat])
    for place in range(chosen):
        r["choice"][seat, place] = hand[place]
    for place in range(chosen, held):
        r["hand"][seat] += single(hand[place])


@kernel
def _lay_deck(r: State, seat: int, cards: Cards) -> None:
    top = int(r["top"][seat])
    for place in range(top, DECK):
        r["deck"][seat, place] = cards[place - top]


# --- a reshuffle in the middle of a draw (K13) --------------------------------------------------


@kernel
def _certainly_held(r: State, seat: int, rng: Rng) -> Pile:
    """The cards drawn before the reshuffle that are still held.

    All cards drawn before it are known. A card revealed since may be one of them, or one of the
    same kind drawn after it: one of the possible origins is chosen at random, in proportion to the
    number of physical cards.
    """
    kept: Pile = r["kept"][seat]
    if kept == EMPTY or r["held"][seat] == 0:
        return EMPTY
    revealed = _revealed(r, seat)
    origins, total = 0, 0
    for attempt in range(1 << revealed):
        ways = _ways(r, seat, revealed, attempt)
        total += ways
        if ways and below(rng, total) < ways:
            origins = attempt
    for place in range(revealed):
        if _from_kept(origins, place):
            kept -= single(_revealed_card(r, seat, place))
    return kept


@kernel
def _ways(r: State, seat: int, revealed: int, origins: int) -> int:
    """The number of ways in which physical cards agree with what is known, given the origins.

    `origins` is the set of revealed cards that were drawn before the reshuffle. The others came
    from the new deck, like the rest of the hand, which may be any of the cards left in it.
    """
    kept = r["kept"][seat]
    deck = r["total"] - kept
    drawn = HAND - size(kept)  # from the new deck
    ways = 1
    for place in range(revealed):
        card = _revealed_card(r, seat, place)
        ways *= copies(kept if _from_kept(origins, place) else deck, card)
        if ways == 0:
            return 0
        if _from_kept(origins, place):
            kept -= single(card)
        else:
            deck -= single(card)
            drawn -= 1
    return ways * _combinations(size(deck), drawn)


@kernel
def _from_kept(origins: int, place: int) -> bool:
    return (origins >> place) & 1 == 1


@kernel
def _combinations(cards: int, drawn: int) -> int:
    ways = 1 if drawn >= 0 else 0
    for k in range(drawn):
        ways = ways * (cards - k) // (k + 1)
    return ways


@kernel
def surely_held(r: State, seat: int) -> Pile:
    """The cards that everybody knows to be in a hand: drawn before the reshuffle and not revealed
    since, whichever of equal cards were revealed."""
    sure: Pile = r["kept"][seat]
    if sure == EMPTY or r["held"][seat] == 0:
        return EMPTY
    for place in range(_revealed(r, seat)):
        card = _revealed_card(r, seat, place)
        if copies(sure, card):
            sure -= single(card)
    return sure


@kernel
def _revealed(r: State, seat: int) -> int:
    """How many cards have been revealed since the draw, even if the draw is not finished."""
    drawing = r["due"] != 0 and r["phase"] != NEW_GAME
    return 0 if drawing else HAND - int(r["held"][seat])


@kernel
def _revealed_card(r: State, seat: int, place: int) -> int:
    if r["phase"] != BEAT:
        return int(r["melee"][seat, place])
    return int(r["aside"][seat, place] if place < ASIDE else r["line"][seat, place - ASIDE])


# --- the same in the form of core/dealing.py: a player's cards are a suit -------------------------


@kernel
def hidden_places(r: State, work: Cards) -> int:
    """Choices and hands of the others, then all decks; -1 after a reshuffle in the middle of a
    draw, because then some cards are definitely in the hand."""
    size, place = 0, 0
    for seat in range(SEATS):
        if seat != r["viewer"] and r["kept"][seat] != EMPTY and r["held"][seat] > 0:
            return -1
        begin = size
        size += spread(unseen_cards(r, seat), work[UNSEEN + size :])
        for card in range(begin, size):
            work[SUIT_OF + card] = seat
        if seat != r["viewer"]:
            for _ in range(int(r["held"][seat])):
                work[ALLOWED + place] = 1 << seat
                place += 1
    for seat in range(SEATS):
        for _ in range(DECK - int(r["top"][seat])):
            work[ALLOWED + place] = 1 << seat
            place += 1
    return size


@kernel
def unseen_cards(r: State, seat: int) -> Pile:
    """The cards of a player of which the viewer does not know where they are."""
    unseen: Pile = r["total"] - r["seen"][seat] - r["hand"][seat]
    if seat == r["viewer"]:
        for place in range(int(r["chosen"][seat])):
            unseen -= single(r["choice"][seat, place])
    return unseen


@kernel
def fill_hidden(r: State, work: Cards) -> None:
    place = DEALT
    for seat in range(SEATS):
        if seat != r["viewer"]:
            for card in range(int(r["held"][seat])):
                if card < r["chosen"][seat]:
                    r["choice"][seat, card] = work[place]
                else:
                    r["hand"][seat] += single(work[place])
                place += 1
    for seat in range(SEATS):
        _lay_deck(r, seat, work[place:])
        place += DECK - int(r["top"][seat])


# --- the decks, the only cards that nobody has seen -----------------------------------------------


@kernel
def shown_at_once(s: State, due: int) -> int:
    """How many of the shuffled cards are drawn; in a new game once both decks are shuffled (K3)."""
    if s["phase"] == NEW_GAME:
        return HAND if due == SEATS else 0
    return HAND - int(s["held"][due - 1])


@kernel
def face_down(s: State, pile: int, cards: Cards) -> int:
    top = int(s["top"][pile])
    for place in range(top, DECK):
        cards[place - top] = s["deck"][pile, place]
    return DECK - top


@kernel
def lay_face_down(s: State, pile: int, cards: Cards) -> None:
    _lay_deck(s, pile, cards)
