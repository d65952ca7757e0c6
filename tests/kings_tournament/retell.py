"""Rebuilds a view of King's Tournament from its events alone."""

from collections import Counter

from hastilude.games.kings_tournament.view import Joust, Pair, Turn, View

CARDS = (*map(str, range(1, 11)), "D", "B")


def in_order(cards):
    return tuple(sorted(cards, key=CARDS.index))


class Listener:
    """Keeps a View up to date from events alone; contains no rule but what a view means."""

    def __init__(self, game, viewer):
        self.viewer, self.options = viewer, game.options
        counts = (*game.options["values"], 3, 3)
        self.all_cards = Counter(dict(zip(CARDS, counts, strict=True)))
        self.scores, self.drawn, self.over = [0, 0], 0, False
        self.last_joust = self.last_turn = self.last = None
        self.winners = ()

    def hear(self, event):
        getattr(self, "hear_" + event.key.removeprefix("kings_tournament_"))(event)

    # --- decks and draws ---

    def hear_game_began(self, event):
        self.game = event.game
        self.mounted, self.jousts, self.reveals = [True, True], 0, 0
        self.hits, self.unhorsed = [0, 0], None
        self.hand, self.choice, self.ready = [], [], set()
        self.hand_sizes, self.deck_sizes = [0, 0], [0, 0]
        self.discards, self.sure = [[], []], [[], []]
        self.leader, self.led, self.turns, self.fallen = None, None, [], None
        self.clear_joust()

    def clear_joust(self):
        self.aside, self.line, self.pairs, self.deciding = [(), ()], [[], []], {}, None
        self.fates = {}

    def hear_shuffled(self, event):
        self.deck_sizes[event.seat] = event.count

    def hear_reshuffled(self, event):
        held = self.all_cards - Counter(self.discards[event.seat])
        self.sure[event.seat] = list(held.elements())
        self.discards[event.seat] = []
        self.deck_sizes[event.seat] = event.count

    def hear_drew_for_joust(self, event):
        self.hand_sizes[event.seat] += event.count
        self.deck_sizes[event.seat] = event.left
        self.turns = []

    hear_drew_for_melee = hear_drew_for_joust

    def hear_drawn(self, event):
        self.hand += event.cards

    # --- the joust ---

    def hear_placed(self, event):
        self.hand.remove(event.card)
        self.choice.append(event.card)

    hear_put_aside = hear_placed

    def hear_ready(self, event):
        self.ready.add(event.seat)

    def show(self, seat, card):
        self.hand_sizes[seat] -= 1
        if seat == self.viewer:
            (self.choice if card in self.choice else self.hand).remove(card)
        if card in self.sure[seat]:
            self.sure[seat].remove(card)

    def hear_discarded(self, event):
        if self.options["joust"] == "committed" and event.seat == self.viewer:
            self.hand, self.choice = [*self.hand, *self.choice], []
        for card in event.cards:
            self.show(event.seat, card)
        self.aside[event.seat] = event.cards
        self.discards[event.seat] += event.cards
        self.ready = set()

    def hear_revealed(self, event):
        for seat, card in (event.seat, event.card), (event.other, event.other_card):
            self.show(seat, card)
            self.line[seat].append(card)
        self.ready = set()

    def pair(self, event):
        by_seat = sorted(
            [
                (event.seat, event.card, event.worth),
                (event.other, event.other_card, event.other_worth),
            ]
        )
        _, cards, worths = zip(*by_seat, strict=True)
        winner = event.seat if event.margin else None
        tie = "block" if "B" in cards else "doubles" if cards == ("D", "D") else "equal"
        hit = event.margin >= self.options["melee_margin"]
        return Pair(cards, worths, event.margin, winner, hit, tie if winner is None else None)

    def compare(self, event, fate):
        self.pairs[event.beat], self.fates[event.beat] = self.pair(event), fate

    def hear_pair_close(self, event):
        self.compare(event, "close")

    hear_pair_blocked = hear_pair_of_doubles = hear_pair_close

    def hear_pair_ignored(self, event):
        self.compare(event, "ignored")

    def hear_pair_decided(self, event):
        self.compare(event, "decides")
        self.deciding = event.beat

    def hear_unhorsed(self, event):
        self.mounted[event.loser] = False
        self.unhorsed = event.loser
        self.end_joust(event.winner)

    def hear_undecided(self, event):
        self.end_joust(None)
        assert event.number == self.jousts

    def end_joust(self, winner):
        self.jousts += 1
        self.reveals += 3
        pairs, fates = (tuple(of[beat] for beat in (1, 2, 3)) for of in (self.pairs, self.fates))
        self.last_joust = Joust(tuple(self.aside), pairs, self.deciding, winner, fates)
        self.last = "joust"
        for seat in range(2):
            self.discards[seat] += self.line[seat]
        self.clear_joust()

    # --- the melee ---

    def hear_led(self, event):
        self.show(event.seat, event.card)
        self.led = event.card

    def hear_answered(self, event):
        self.show(event.seat, event.card)

    def hear_missed(self, event):
        self.last_turn = Turn(self.leader, self.pair(event))
        self.turns.append(self.last_turn)
        self.last = "turn"
        self.led = None
        self.reveals += 1
        for seat, card in enumerate(self.last_turn.pair.cards):
            self.discards[seat].append(card)

    hear_blocked = hear_doubles = hear_missed

    def hear_hit(self, event):
        self.hear_missed(event)
        self.hits[event.seat] += 1

    def hear_dismounted(self, event):
        self.mounted[event.loser] = False

    def hear_defeated(self, event):
        self.fallen = event.loser

    def hear_mounted_first(self, event):
        self.leader = event.leader

    hear_stronger_first = hear_same_first = hear_mounted_first

    # --- games ---

    def hear_game_won(self, event):
        self.scores[event.winner] = event.won
        self.end_game(event)

    def hear_game_drawn(self, event):
        self.drawn += 1
        self.end_game(event)

    def end_game(self, event):
        assert event.game == self.game
        assert event.jousts == self.jousts
        assert event.unhorsed == self.unhorsed
        assert event.hits == tuple(self.hits)

    def hear_ended(self, event):
        self.over, self.winners = True, event.winners

    hear_ended_drawn = hear_ended

    # --- the view ---

    @property
    def phase(self):
        if self.over:
            return "over"
        if self.leader is not None:
            return "answer" if self.led else "lead"
        if self.options["joust"] == "committed":
            return "joust"
        return "beat" if self.aside[0] else "discard"

    @property
    def pending(self):
        waiting = {"over": (), "lead": (self.leader,), "answer": (1 - (self.leader or 0),)}
        choosing = tuple(seat for seat in range(2) if seat not in self.ready)
        return waiting.get(self.phase, choosing)

    def unseen(self, seat):
        unseen = self.all_cards - Counter(self.discards[seat]) - Counter(self.line[seat])
        if self.led and seat == self.leader:
            unseen -= Counter([self.led])
        if seat == self.viewer:
            unseen -= Counter(self.hand) + Counter(self.choice)
        return in_order(unseen.elements())

    def view(self):
        return View(
            viewer=self.viewer,
            phase=self.phase,
            pending=self.pending,
            best_of=self.options["best_of"],
            joust=self.options["joust"],
            game=self.game,
            scores=tuple(self.scores),
            drawn=self.drawn,
            mounted=tuple(self.mounted),
            jousts=self.jousts,
            reveals=self.reveals,
            hand=in_order(self.hand),
            choice=tuple(self.choice),
            chosen=tuple(seat in self.ready for seat in range(2)),
            hand_sizes=tuple(self.hand_sizes),
            deck_sizes=tuple(self.deck_sizes),
            discards=tuple(map(in_order, self.discards)),
            unseen=tuple(self.unseen(seat) for seat in range(2)),
            sure=tuple(map(in_order, self.sure)),
            aside=tuple(self.aside),
            line=tuple(map(tuple, self.line)),
            leader=self.leader,
            led=self.led,
            turns=tuple(self.turns),
            last_joust=self.last_joust,
            last_turn=self.last_turn,
            wanted={"over": 0, "joust": 3, "discard": 2}.get(self.phase, 1),
            to_win={1: 1, 3: 2, 5: 3, 7: 4}[self.options["best_of"]],
            hits=tuple(self.hits),
            unhorsed=self.unhorsed,
            last=self.last,
            fallen=self.fallen,
            winners=self.winners,
            joust_margin=self.options["joust_margin"],
            melee_margin=self.options["melee_margin"],
        )


def listener(game, viewer):
    return Listener(game, viewer)
