"""Measures whether better bots lose less by their choices, according to reviews.

`python -m tests.reviews.skill RESULTS` plays matches by the policy and asks a bot of each level
what it would choose in some of their positions. All of them see the same positions, so they can be
compared after few matches. It adds to the file RESULTS and may be stopped at any time.
"""

import argparse
import csv
import random
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

import hastilude
from hastilude.bots.knowledge import Choice, load_bots
from hastilude.bots.levels import LEVELS, level_bot
from hastilude.bots.search import SearchBot
from hastilude.core.calls import NOW, apply_at
from hastilude.core.states import copied
from hastilude.reviews.judging import judge_decision
from hastilude.reviews.review import CHOOSING, MEASURING, seed_for
from hastilude.reviews.timeline import Made, timeline
from tests.reviews.matches import SHORT, played

# The champion gets simulations instead of 400 ms: then a busy machine changes nothing.
CHAMPION = replace(LEVELS["champion"], milliseconds=None, simulations=2000)
PER_MATCH = 4  # positions
SIZES = {"below 1": 1.0, "1 to 3": 3.0, "3 to 10": 10.0, "10 and more": np.inf}  # of losses


def measure(file, name: str, matches: range) -> None:
    """Write the losses of all levels in some positions of each match."""
    writer = csv.writer(file)
    for seed in matches:
        match = hastilude.replay(played.__wrapped__(name, seed=seed))
        seat = seed % match.game.seats
        decisions = [*timeline(match, seat).decisions]
        for made in random.Random(seed).sample(decisions, min(PER_MATCH, len(decisions))):
            writer.writerow([name, seed, made.step, *losses(match.game, seat, made, seed)])


def losses(game, seat: int, made: Made, seed: int) -> list[float]:
    """What each level loses in a position, the weakest first."""
    seeds = seed_for(seed, made.step, CHOOSING), seed_for(seed, made.step, MEASURING)
    known: dict[tuple[str, ...], float] = {}
    found = []
    for level in LEVELS:
        choice = choose(make(level, game, seed), made, seat)
        texts = tuple(map(game.text, choice))
        if texts not in known:
            decision = judge_decision(game, seat, replace(made, actions=choice), seeds)
            known |= {one.texts: one.loss.value for one in decision.alternatives}
        found.append(known[texts])
    return found


def make(level: str, game, seed: int) -> SearchBot:
    if level != "champion":
        return level_bot(level, game, seed)
    load_bots(game)
    return SearchBot(game, seed, CHAMPION)


def choose(bot: SearchBot, made: Made, seat: int) -> Choice:
    """The whole choice of a bot; nobody sees its parts, so nothing hidden matters between them."""
    states, actions = copied(made.redacted), list[int]()
    while tuple(actions) not in made.choices:
        if actions:
            apply_at(states, NOW, seat, actions[-1])
        actions.append(bot.choose(states, seat))
    return tuple(actions)


def table(path: Path) -> str:
    """The loss per choice, in points of winning chance, with 95 % intervals over matches; then how
    much less each level loses than the one before, and how many losses are small and large."""
    rows = defaultdict(lambda: defaultdict(list))
    with path.open() as file:
        for name, seed, _, *numbers in csv.reader(file):
            rows[name][seed].append([100 * float(number) for number in numbers])
    lines = ["| Game | Matches | Choices | " + " | ".join(LEVELS) + " |", "|---|" + "--:|" * 6]
    steps = ["| Game | " + " | ".join(f"{a} − {b}" for a, b in pairwise(LEVELS)) + " |"]
    steps.append("|---|" + "--:|" * 3)
    sizes = ["| Game | Level | " + " | ".join(SIZES) + " |", "|---|---|" + "--:|" * len(SIZES)]
    for name, by_match in rows.items():
        means = np.array([np.mean(losses, axis=0) for losses in by_match.values()])
        choices = sum(map(len, by_match.values()))
        title = hastilude.load(name).title
        levels = " | ".join(interval(means[:, k]) for k in range(len(LEVELS)))
        lines.append(f"| {title} | {len(means)} | {choices} | {levels} |")
        gains = " | ".join(interval(means[:, k] - means[:, k + 1]) for k in range(len(LEVELS) - 1))
        steps.append(f"| {title} | {gains} |")
        every = np.array([losses for match in by_match.values() for losses in match])
        for level, lost in zip(LEVELS, every.T, strict=True):
            edges = [-np.inf, *SIZES.values()]
            shares = " | ".join(f"{share:.0%}" for share in np.histogram(lost, edges)[0] / choices)
            sizes.append(f"| {title} | {level} | {shares} |")
    return "\n".join([*lines, "", *steps, "", *sizes])


def interval(values) -> str:
    margin = 1.96 * values.std(ddof=1) / np.sqrt(len(values))
    return f"{values.mean():.2f} ± {margin:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path)
    parser.add_argument("--games", nargs="*", default=list(SHORT))
    parser.add_argument("--seeds", nargs=2, type=int, default=(0, 80), help="of the matches")
    wanted = parser.parse_args()
    with wanted.results.open("a", newline="", buffering=1) as file:
        for name in wanted.games:
            measure(file, name, range(*wanted.seeds))
    print(table(wanted.results))


if __name__ == "__main__":
    main()
