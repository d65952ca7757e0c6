"""Rebuilds a view of the game from its events alone."""

from hastilude.games._template.view import View


class Listener:
    def __init__(self, viewer):
        self.viewer = viewer
        self.hand, self.tricks, self.scores, self.winners = [], [], [0, 0], ()
        self.trick_winners = []
        self.clear_table()

    def clear_table(self):
        self.chosen, self.choice, self.shown = [False, False], None, []

    def hear(self, event):
        getattr(self, f"hear_{type(event).__name__}")(event)

    def hear_Dealt(self, event):
        self.hand = list(event.cards)

    def hear_Chosen(self, event):
        self.chosen[event.seat] = True

    def hear_OwnChoice(self, event):
        self.chosen[event.seat] = True
        self.choice = event.card
        self.hand.remove(event.card)

    def hear_Revealed(self, event):
        self.shown.append(event.card)

    def hear_Won(self, event):
        self.tricks.append(tuple(self.shown))
        self.trick_winners.append(event.seat)
        self.scores[event.seat] += 1
        self.clear_table()

    def hear_Ended(self, event):
        self.winners = event.winners

    def view(self):
        waiting = tuple(seat for seat in range(2) if not self.chosen[seat])
        return View(
            viewer=self.viewer,
            phase="over" if self.winners else "choose",
            pending=() if self.winners else waiting,
            hand=tuple(self.hand),
            chosen=tuple(self.chosen),
            choice=self.choice,
            tricks=tuple(self.tricks),
            trick_winners=tuple(self.trick_winners),
            scores=tuple(self.scores),
            winners=self.winners,
        )


def listener(game, viewer):
    return Listener(viewer)
