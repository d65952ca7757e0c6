"""Finished matches to review."""

import copy
import random
from functools import cache

import hastilude
from hastilude import bots

NAMES = ["Ada <i>", "Ben & Co"]
SHORT = {
    "tornei": {"players": 3},
    "kings_tournament": {"best_of": 1},
    "triatri": {"players": 2},
}


@cache
def played(name, seed=3, bot="reference", **options):
    """The record of a match between bots."""
    match = hastilude.load(name, **{**SHORT[name], **options}).new(seed=seed)
    players = [bots.make(bot, match.game, seed + seat) for seat in range(match.game.seats)]
    while not match.over:
        seat = match.pending[0]
        match.play(seat, players[seat].choose(match.redacted(seat), seat))
    return match.record()


def with_mistakes(seed=3):
    """The record of a short match between random players."""
    record = copy.deepcopy(played("triatri", seed=seed, bot="random"))
    record.names = NAMES
    return record


def with_unseen_cards_exchanged(record, seat):
    """A record in which the seat sees the same match, although two hidden cards were exchanged."""
    seen = hastilude.replay(record).events(seat)
    choose = random.Random(1)
    for _ in range(3000):
        events = [[*event] for event in record.events]
        chance = choose.choice([event for event in events if event[0] != "play"])
        chance[1] = exchanged(chance[1], choose)
        other = hastilude.Record(**{**vars(record), "events": events})
        try:
            match = hastilude.replay(other)
        except hastilude.RecordError:
            continue
        if other.to_json() != record.to_json() and match.events(seat) == seen:
            return other
    raise AssertionError("nothing hidden was found")


def exchanged(content, choose):
    """A chance event with two of its cards exchanged."""
    content = {**content}
    places = [(content, name) for name in content]
    cards = []
    while places:
        holder, place = places.pop()
        inside = holder[place]
        if isinstance(inside, list):
            holder[place] = inside = [*inside]
            places += [(inside, index) for index in range(len(inside))]
        elif isinstance(inside, str):
            cards.append((holder, place))
    (one, first), (other, second) = choose.sample(cards, 2)
    one[first], other[second] = other[second], one[first]
    return content
