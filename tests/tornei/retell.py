"""Rebuilds a view of Tornei from its events alone."""

from dataclasses import dataclass, field

from hastilude.games.tornei.view import Board, Dummy, Trick, View

SUITS = "WFSC"


@dataclass
class Listener:
    """Keeps a View up to date from events alone; contains no rule but what a view means."""

    viewer: int | None
    players: int
    no_trick_points: int
    round: int = 0
    dealer: int = 0
    scores: list = field(default_factory=list)
    rounds: list = field(default_factory=list)
    last_trick: Trick | None = None
    over: bool = False
    winners: tuple = ()

    def __post_init__(self):
        self.scores = [0] * self.players

    def hear(self, event):
        getattr(self, "hear_" + event.key.removeprefix("tornei_"))(event)

    def hear_round_began(self, event):
        self.round, self.dealer = event.round, event.dealer
        self.hand, self.tricks, self.pile, self.columns = [], [], [], {s: [] for s in SUITS}
        self.boards = [([], [], 0, 0) for _ in range(self.players)]
        self.cards_left, self.dummy_tricks = [14] * self.players, 0
        self.leader = (event.dealer + 1) % 4
        self.clear_table()

    def clear_table(self):
        self.jousts, self.predicted = [None] * 4, [False] * self.players
        self.places, self.shown, self.prediction = [0] * 4, [None] * self.players, None
        self.said, self.right, self.gained = ([None] * self.players for _ in range(3))

    def hear_dealt(self, event):
        self.hand = list(event.cards)

    def hear_dummy_dealt(self, event):
        for card in event.cards:
            self.columns[card[0]].append(card)

    def hear_led(self, event):
        self.put(event.seat, event.card)

    hear_followed = hear_discarded = hear_led

    def put(self, seat, card):
        self.jousts[seat] = card
        self.cards_left[seat] -= 1
        if seat == self.viewer:
            self.hand.remove(card)

    def hear_dummy_led(self, event):
        self.jousts[3] = event.card
        self.columns[event.card[0]].remove(event.card)

    hear_dummy_played = hear_dummy_led

    def hear_predicted(self, event):
        self.predicted[event.seat] = True
        self.cards_left[event.seat] -= 1

    def hear_chosen(self, event):
        self.hear_predicted(event)
        self.prediction = event.card
        self.hand.remove(event.card)

    def hear_ranked(self, event):
        self.places[event.seat] = event.place

    def hear_predicted_right(self, event):
        right, wrong, tricks, points = self.boards[event.seat]
        self.boards[event.seat] = ([*right, event.card], wrong, tricks, points + event.points)
        self.turn_up(event, event.place, True, event.points)

    def hear_predicted_wrong(self, event):
        right, wrong, tricks, points = self.boards[event.seat]
        self.boards[event.seat] = (right, [*wrong, event.card], tricks, points)
        self.turn_up(event, event.predicted, False, 0)

    def turn_up(self, event, said, right, points):
        self.shown[event.seat], self.said[event.seat] = event.card, said
        self.right[event.seat], self.gained[event.seat] = right, points

    def hear_won(self, event):
        if event.seat == self.players:
            self.dummy_tricks += 1
        else:
            right, wrong, tricks, points = self.boards[event.seat]
            self.boards[event.seat] = (right, wrong, tricks + 1, points)
        self.last_trick = Trick(
            self.leader,
            tuple(self.jousts),
            tuple(self.shown),
            tuple(self.places),
            event.seat,
            tuple(self.said),
            tuple(self.right),
            tuple(self.gained),
            self.round,
            len(self.tricks) + 1,
        )
        self.tricks.append(self.last_trick)
        if len(self.tricks) < 7:
            self.leader = event.seat
        self.clear_table()

    def hear_turned_up(self, event):
        self.pile.append(event.card)

    def hear_scored(self, event):
        if event.seat == 0:
            self.rounds.append(())
        self.rounds[-1] += (event.points,)
        self.scores[event.seat] = event.total

    def hear_ended(self, event):
        self.over, self.winners = True, event.winners

    @property
    def phase(self):
        if self.over:
            return "over"
        if self.jousts[self.leader] is None:
            return "lead"
        return "play" if all(self.predicted) else "predict"

    @property
    def pending(self):
        if self.phase == "over":
            return ()
        if self.phase == "lead":
            return (self.leader,)
        if self.phase == "predict":
            return tuple(seat for seat, done in enumerate(self.predicted) if not done)
        order = [(self.leader + k) % 4 for k in range(4)]
        return (next(seat for seat in order if self.jousts[seat] is None),)

    @property
    def ahead(self):
        earned = [0 if self.over else board[3] for board in self.boards]
        totals = [score + points for score, points in zip(self.scores, earned, strict=True)]
        return tuple(seat for seat, total in enumerate(totals) if total == max(totals) > 0)

    def board(self, seat):
        right, wrong, tricks, points = self.boards[seat]
        for_tricks = tricks or self.no_trick_points
        total = self.scores[seat] + (0 if self.over else points + for_tricks)
        return Board(tuple(right), tuple(wrong), tricks, points, for_tricks, total)

    def view(self):
        return View(
            viewer=self.viewer,
            players=self.players,
            phase=self.phase,
            pending=self.pending,
            round=self.round,
            dealer=self.dealer,
            trick=min(len(self.tricks) + 1, 7),
            leader=self.leader,
            hand=tuple(self.hand),
            hand_sizes=tuple(self.cards_left),
            jousts=tuple(self.jousts),
            predicted=tuple(self.predicted),
            prediction=self.prediction,
            boards=tuple(self.board(seat) for seat in range(self.players)),
            tricks=tuple(self.tricks),
            last_trick=self.last_trick,
            rounds=tuple(self.rounds),
            scores=tuple(self.scores),
            dummy=Dummy(
                {s: tuple(self.columns[s]) for s in SUITS},
                tuple(self.pile),
                7 - len(self.pile),
                self.dummy_tricks,
            )
            if self.players == 3
            else None,
            ahead=self.ahead,
            winners=self.winners,
            suit_places={"W": 1, "F": 2, "S": 3, "C": 4},
        )


def listener(game, viewer):
    return Listener(viewer, game.seats, game.options["no_trick_points"])
