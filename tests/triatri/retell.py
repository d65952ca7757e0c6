"""Rebuilds a view of TriATri from its events alone."""

from dataclasses import dataclass, field

from hastilude.games.triatri.view import Lying, Tally, Trick, View
from tests.triatri.tables import points

ORDER = [colour + number for colour in "RBG" for number in "2345678"] + ["X"]


@dataclass
class Listener:
    """Keeps a View up to date from events alone; contains no rule but what a view means."""

    viewer: int | None
    players: int
    round: int = 0
    last_trick: Trick | None = None
    ending: str | None = None
    over: bool = False
    winners: tuple = ()
    points: int = 0  # of the steps by which a seat is being scored
    gems: list = field(default_factory=list)

    def __post_init__(self):
        self.gems = [dict.fromkeys("RBG", 0) for _ in range(self.players)]
        self.supply = dict.fromkeys("RBG", 6)

    def hear(self, event):
        getattr(self, "hear_" + event.key.removeprefix("triatri_"))(event)

    # --- the bid --------------------------------------------------------------------------------

    def hear_round_began(self, event):
        self.round, self.aside = event.round, event.aside
        self.hand, self.cards_left = [], [event.size] * self.players
        self.bids, self.decided, self.tricks = [], None, []
        self.known = [[] for _ in range(self.players)]
        self.start = None
        self.clear_bid()

    def clear_bid(self):
        self.has_bid, self.bid, self.shown = [False] * self.players, None, []

    def hear_dealt(self, event):
        self.hand = list(event.cards)

    def hear_bid_made(self, event):
        self.has_bid[event.seat] = True

    def hear_own_bid(self, event):
        self.has_bid[event.seat], self.bid = True, event.card

    def hear_bid_revealed(self, event):
        self.shown.append(event.card)

    def hear_taken_back(self, event):
        for seat, card in enumerate(self.shown):
            self.known[seat] = sorted({*self.known[seat], card}, key=ORDER.index)
        self.bids.append(tuple(self.shown))
        self.clear_bid()

    def hear_never_decided(self, event):
        self.discard_bids()

    def discard_bids(self):
        for seat, card in enumerate(self.shown):
            self.leave_hand(seat, card)
        self.bids.append(tuple(self.shown))
        self.clear_bid()

    def leave_hand(self, seat, card):
        self.cards_left[seat] -= 1
        if seat == self.viewer:
            self.hand.remove(card)
        if card in self.known[seat]:
            self.known[seat].remove(card)

    def hear_start_by_number(self, event):
        self.decide(event.seat, "number")

    def hear_start_by_colour(self, event):
        self.decide(event.seat, "circle")

    def hear_start_by_fourth(self, event):
        self.decide(event.seat, "fourth")

    def decide(self, seat, why):
        self.discard_bids()
        self.decided = why
        self.begin_trick(seat)

    def hear_start_drawn(self, event):
        self.decided = "draw"
        self.begin_trick(event.seat)

    # --- a trick --------------------------------------------------------------------------------

    def begin_trick(self, start):
        self.start, self.gem, self.source = start, None, None
        self.played, self.lies = [None] * self.players, [None] * self.players

    def hear_gem_from_supply(self, event):
        self.gem, self.source = event.gem, "supply"
        self.supply[event.gem] = event.left

    def hear_gem_of_own(self, event):
        self.gem, self.source = event.gem, "own"
        self.gems[event.seat][event.gem] = event.left

    def hear_followed(self, event):
        self.put(event.seat, event.card, (event.card, event.number, 1))

    hear_played_freely = hear_followed

    def hear_exchange_played(self, event):
        self.put(event.seat, event.card, (event.card, 0, 1))

    def put(self, seat, card, lying):
        self.leave_hand(seat, card)
        self.played[seat], self.lies[seat] = card, lying

    def hear_doubled(self, event):
        self.lies[event.seat] = (event.card, event.worth, 2)

    def hear_quadrupled(self, event):
        self.lies[event.seat] = (event.card, event.worth, 4)

    hear_redoubled = hear_quadrupled

    def hear_exchange_first(self, event):
        pass  # nothing that can be seen follows from it

    hear_swapped_nothing = hear_no_gems = hear_exchange_first

    def hear_swapped(self, event):
        lies, seat, owner = self.lies, event.seat, event.owner
        assert lies[owner][:2] == (event.card, event.worth)
        lies[seat], lies[owner] = lies[owner], lies[seat]

    def trick(self, winner=None):
        most = max((lying[1] for lying in self.lies if lying), default=0)
        lies = tuple(lying and Lying(*lying, lying[1] == most) for lying in self.lies)
        when = self.round, len(self.tricks) + 1
        return Trick(self.start, self.gem, self.source, tuple(self.played), lies, winner, *when)

    def hear_won_by_worth(self, event):
        self.last_trick = self.trick(event.seat)
        self.tricks.append(self.last_trick)
        self.gems[event.seat][event.gem] += 1
        self.start = None

    hear_won_by_colour = hear_won_by_colour_later = hear_won_by_worth
    hear_won_later_one_colour = hear_won_later_three_colours = hear_won_by_worth
    hear_won_later_exchange = hear_won_later = hear_won_earlier = hear_won_by_worth

    def hear_starts_next(self, event):
        self.begin_trick(event.seat)

    # --- the end --------------------------------------------------------------------------------

    def hear_round_over(self, event):
        self.ending = "last_round" if event.round == 3 else None

    def hear_instant_win(self, event):
        self.ending = "instant_win"

    def hear_early_end(self, event):
        self.ending = "early_end"

    def hear_scored_sets(self, event):
        self.points += event.points

    hear_scored_pairs = hear_scored_left = hear_scored_sets

    def hear_scored(self, event):
        assert self.points == event.points == self.view().scores[event.seat]
        assert sum(self.gems[event.seat].values()) == event.gems
        self.points = 0

    def hear_ended_by_points(self, event):
        self.over, self.winners = True, (event.winner,)

    hear_ended_at_once = hear_ended_by_gems = hear_ended_by_points

    def hear_ended_shared(self, event):
        self.over, self.winners = True, event.winners

    @property
    def phase(self):
        if self.over:
            return "over"
        if self.start is None:
            return "bid"
        return "play" if self.gem else "name"

    @property
    def pending(self):
        if self.phase == "over":
            return ()
        if self.phase == "bid":
            return tuple(seat for seat, done in enumerate(self.has_bid) if not done)
        order = [(self.start + k) % self.players for k in range(self.players)]
        return (next(seat for seat in order if self.played[seat] is None),)

    def tally(self, gems):
        fewest, middle, most = sorted(gems.values())
        left = next(colour for colour in "RBG" if gems[colour] == most)
        each, pairs, rest = self.supply[left], middle - fewest, most - middle
        gem = left if rest else None
        return Tally(
            fewest, fewest, pairs, -2 * pairs, rest, gem, each, rest * each, sum(gems.values())
        )

    @property
    def ahead(self):
        standings = [(points(gems, self.supply), sum(gems.values())) for gems in self.gems]
        best = tuple(seat for seat, one in enumerate(standings) if one == max(standings))
        return best if len(best) < self.players else ()

    def view(self):
        return View(
            viewer=self.viewer,
            players=self.players,
            phase=self.phase,
            pending=self.pending,
            round=self.round,
            trick=min(len(self.tricks) + 1, 5),
            hand=tuple(self.hand),
            hand_sizes=tuple(self.cards_left),
            aside=self.aside,
            has_bid=tuple(self.has_bid),
            bid=self.bid,
            bids=tuple(self.bids),
            decided=self.decided,
            known=tuple(map(tuple, self.known)),
            gems=tuple(map(dict, self.gems)),
            supply=dict(self.supply),
            table=self.trick() if self.phase in ("name", "play") else None,
            tricks=tuple(self.tricks),
            last_trick=self.last_trick,
            scores=tuple(points(gems, self.supply) for gems in self.gems),
            ending=self.ending,
            tallies=tuple(map(self.tally, self.gems)),
            ahead=self.ahead,
            winners=self.winners,
            beats={"R": "G", "B": "R", "G": "B"},
        )


def listener(game, viewer):
    return Listener(viewer, game.seats)
