"""What a view says of the consequences, against the clauses in other words."""

import random
from collections import Counter

import pytest

import hastilude

OPTIONS = [
    {},
    {"joust": "stepwise"},
    {"best_of": 5, "values": (5, 0, 5, 0, 5, 0, 0, 6, 0, 6)},
    {"values": (0, 0, 0, 0, 9, 9, 9, 0, 0, 0), "best_of": 1},
]
every_option = pytest.mark.parametrize("options", OPTIONS)


def positions(options, seeds):
    for seed in seeds:
        match = hastilude.load("kings_tournament", **options).new(seed=seed)
        choose = random.Random(seed)
        yield match
        for _ in range(600):
            if match.over:
                break
            seat = choose.choice(match.pending)
            match.play(seat, choose.choice(match.legal(seat)))
            yield match


def ahead(first, second):
    """K2: by how much the first card is worth more."""
    if "B" in (first, second) or first == second:
        return 0
    if first == "D":
        return int(second)
    return -int(first) if second == "D" else int(first) - int(second)


def pairs(view):
    turns = [*view.turns, *([view.last_turn] if view.last_turn else [])]
    return [turn.pair for turn in turns] + list(view.last_joust.pairs if view.last_joust else ())


@every_option
def test_K2_K12_a_pair_says_who_is_ahead_and_whether_it_hits(options):
    for match in positions(options, range(3)):
        for pair in pairs(match.view()):
            margin = ahead(*pair.cards)
            assert pair.margin == abs(margin)
            assert pair.winner == (None if margin == 0 else 0 if margin > 0 else 1)
            assert pair.hit == (abs(margin) >= 7)
            if margin:
                assert pair.tie is None
            elif "B" in pair.cards:
                assert pair.tie == "block"
            else:
                assert pair.tie == ("doubles" if "D" in pair.cards else "equal")


@every_option
def test_K7_a_joust_says_what_became_of_each_pair(options):
    for match in positions(options, range(3)):
        joust = match.view().last_joust
        if joust is None:
            continue
        fates, decided = [], False
        for pair in reversed(joust.pairs):
            decides = not decided and abs(ahead(*pair.cards)) >= 3
            fates.append("ignored" if decided else "decides" if decides else "close")
            decided = decided or decides
        assert joust.fates == tuple(reversed(fates))
        assert decided == (joust.winner is not None)


@every_option
def test_K5_K6_chosen_and_wanted_follow_the_choices(options):
    for match in positions(options, range(3)):
        view = match.view()
        simultaneous = view.phase in ("joust", "discard", "beat")
        waiting = tuple(simultaneous and seat not in match.pending for seat in (0, 1))
        assert view.chosen == waiting
        assert view.wanted == {"joust": 3, "discard": 2, "over": 0}.get(view.phase, 1)


@every_option
def test_K12_K14_the_fallen_knight_and_the_winners(options):
    for match in positions(options, range(3)):
        view = match.view()
        assert view.winners == match.winners
        assert view.to_win == len(range(0, view.best_of, 2))
        assert (view.fallen is not None) == match.over
        if match.over:
            assert view.winners == (1 - view.fallen,)
            assert view.scores[view.winners[0]] == view.to_win


@every_option
def test_last_is_what_the_last_story_told(options):
    for match in positions(options, range(2)):
        ends = [event.ends for event in match.events() if event.ends in ("joust", "turn")]
        assert match.view().last == (ends[-1] if ends else None)


@every_option
def test_K13_K15_sure_cards_are_held_and_unseen_ones_are_the_rest(options):
    for match in positions(options, range(2)):
        for seat in (0, 1):
            own, view = match.view(seat), match.view(1 - seat)
            held = Counter(own.hand) + Counter(own.choice)
            assert Counter(view.sure[seat]) <= held <= Counter(view.unseen[seat])
            assert Counter(view.unseen[seat]) - held == Counter(own.unseen[seat])
            assert len(own.unseen[seat]) == own.deck_sizes[seat]
