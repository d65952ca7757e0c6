"""Says what is in a review, to the seat that it is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from hastilude.core.match import Match, Play
from hastilude.messages import Message, render
from hastilude.reviews.balance import Balance
from hastilude.reviews.estimate import Estimate
from hastilude.reviews.judging import MARKED, Alternative, Decision, Label
from hastilude.reviews.review import Review

MINUS = "\N{MINUS SIGN}"
START, OUTCOME = "start", "outcome"


class Part(NamedTuple):
    """A part of the result: its name in the catalogue, and its worth in points."""

    name: str
    points: float
    margin: float

    @property
    def is_change(self) -> bool:
        return self.name not in (START, OUTCOME)

    @property
    def shown(self) -> str:
        return signed(self.points) if self.is_change else f"{self.points:.1f}"


@dataclass(frozen=True)
class Words:
    """`name` says how an action is called, and `place` where in the match a number of steps is."""

    match: Match
    seat: int
    language: str
    names: Sequence[str]
    name: Callable[[str], str]
    place: Callable[[int], str]

    def say(self, message: Message) -> str:
        return render(message, self.language, self.names, self.seat)

    def __call__(self, key: str, **values: Any) -> str:
        """The sentence with that key."""
        return self.say(Message(key, values))

    def title(self) -> str:
        """Whose review it is; a name, because there may be reviews of several seats."""
        return render(Message("review_for", {"seat": self.seat}), self.language, self.names)

    def counts(self, review: Review) -> str:
        """How many decisions have each label."""
        found = Counter(decision.label for decision in review.decisions)
        return self(
            "review_counts",
            total=len(review.decisions),
            best=found[Label.BEST],
            good=found[Label.GOOD],
            inaccuracies=found[Label.INACCURACY],
            mistakes=found[Label.MISTAKE],
            blunders=found[Label.BLUNDER],
        )

    def part(self, part: Part) -> str:
        name, points = self(f"review_part_{part.name}"), part.shown
        if not part.margin:
            return self("score_part", part=name, points=points)
        return self("review_estimate", part=name, points=points, margin=f"{part.margin:.1f}")

    def where(self, decision: Decision) -> str:
        """The number of the move, and where in the match that is."""
        plays = [isinstance(step, Play) for step in self.match.steps]
        move = self("web_replay_turn", turn=sum(plays[: decision.step]) + 1, count=sum(plays))
        heading = self.place(decision.step)
        return self("review_where", move=move, heading=heading) if heading else move

    def mark(self, decision: Decision) -> str:
        """The label of a marked decision, and what it lost."""
        loss = decision.choice.loss
        points, margin = signed(-100 * loss.value), f"{100 * loss.margin:.1f}"
        return self("review_mark", label=self.label(decision), points=points, margin=margin)

    def label(self, decision: Decision) -> str:
        return self(f"review_label_{decision.label}")

    def played(self, decision: Decision) -> str:
        chosen = decision.choice
        return self("review_played", choice=self.choice(chosen), win=percent(chosen.win))

    def better(self, decision: Decision) -> str:
        """What would have been better than the choice that was made."""
        mixed = [one for one in decision.alternatives if one.share]
        if len(mixed) > 1:
            return self("review_mixed", choices=list(map(self.shared, mixed)))
        best = decision.alternatives[0]
        return self("review_better", choice=self.choice(best), win=percent(best.win))

    def comment(self, decision: Decision) -> list[str]:
        """What there is to say about a marked decision to somebody who sees the table."""
        verdict = self("review_verdict", mark=self.mark(decision), better=self.better(decision))
        return [verdict, *map(self.say, decision.reasons)]

    def explanation(self, decision: Decision) -> list[str]:
        """The same to somebody who does not see what was played."""
        verdict = [self.mark(decision), self.played(decision), self.better(decision)]
        return [*verdict, *map(self.say, decision.reasons)]

    def choice(self, alternative: Alternative) -> str:
        return self("hint_then").join(map(self.name, alternative.texts))

    def shared(self, alternative: Alternative) -> str:
        """A choice, and how often good play makes it if that is mixed."""
        choice = self.choice(alternative)
        if alternative.share is None:
            return choice
        return self("hint_share", choice=choice, share=round(100 * alternative.share))


def marked(review: Review) -> list[Decision]:
    return [decision for decision in review.decisions if decision.label in MARKED]


def made_at(decision: Decision, seat: int, match: Match) -> int:
    """How many steps there are with the choice: it may have several actions, and others may act
    between them."""
    own = (
        number
        for number, step in enumerate(match.steps)
        if number >= decision.step and isinstance(step, Play) and step.seat == seat
    )
    *_, last = islice(own, len(decision.choice.texts))
    return last + 1


def parts(balance: Balance) -> list[Part]:
    """What the result is made of, in tenths of a point that add up to it: a remainder goes where
    rounding changed most."""
    given_away = Estimate(-balance.given_away.value, balance.given_away.margin)
    found = {
        START: balance.start,
        "deal": balance.deal,
        "others": balance.others,
        "offered": balance.offered,
        "given_away": given_away,
    }
    exact = {name: 1000 * estimate.value for name, estimate in found.items()}
    tenths = {name: round(value) for name, value in exact.items()}
    missing = round(1000 * balance.outcome) - sum(tenths.values())
    sign = 1 if missing > 0 else -1
    for name in sorted(exact, key=lambda name: sign * (tenths[name] - exact[name]))[: abs(missing)]:
        tenths[name] += sign
    return [
        Part(name, tenths[name] / 10, 100 * estimate.margin) for name, estimate in found.items()
    ] + [Part(OUTCOME, round(1000 * balance.outcome) / 10, 0.0)]


def signed(points: float) -> str:
    """With a sign, and a minus as wide as a plus."""
    return f"{points:+.1f}".replace("-", MINUS)


def percent(estimate: Estimate) -> int:
    return round(100 * estimate.value)
