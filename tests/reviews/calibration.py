"""Measures whether forecasts come true: of positions with a chance p, about p are won.

`python -m tests.reviews.calibration RESULTS` plays matches by the policy and forecasts one position
of each: a random one of its decisions, as the seat to act knew it. It adds to the file RESULTS and
may be stopped at any time. With `--plot PATH` it only draws what is there.
"""

import argparse
import csv
from collections import defaultdict
from pathlib import Path

import numpy as np

import hastilude
from hastilude.arena.plot import FORMS, SETTINGS
from hastilude.bots.forecast import forecast
from hastilude.bots.knowledge import load_bots, reference
from hastilude.core import rules
from hastilude.core.bits import count
from hastilude.core.calls import redact_at
from hastilude.core.kernel import kernel
from hastilude.core.playout import deal_due
from hastilude.core.random import below, generator
from hastilude.core.rules import WORK
from hastilude.core.states import blank
from hastilude.reviews.estimate import BLOCK
from hastilude.reviews.review import FORECAST

BINS = 10
LONGEST = 220  # decisions; what comes after them in a match is never looked at
NOW, KEPT = range(2)
FORECASTS, RESULTS, ROUND, SEED = range(4)  # the columns of the results


def forecast_one(game, seed: int) -> tuple[float, float, int] | None:
    """The chance of the seat to act at some decision of a match, the share of the victory that it
    got, and the number of the round or game; None if the match has not so many decisions.

    The number of the decision is drawn first: any of those that there are would be more likely in
    short matches, which are those that the leader wins.
    """
    load_bots(game)
    states, redacted = blank(game.state, 2), blank(game.state)
    options = np.array(game.option_numbers, np.int64)
    winners, seat = play_match(states, options, generator(seed), np.zeros(WORK, np.int8))
    if seat < 0:
        return None
    redact_at(states, KEPT, seat, redacted, 0)
    shares = forecast(game, redacted, seed, FORECAST, BLOCK)
    won = 1 / winners.bit_count() if winners >> seat & 1 else 0.0
    part = "game" if game.name == "kings_tournament" else "round"
    return float(shares[:, seat].mean()), won, int(redacted[0][part])


@kernel
def play_match(states, options, rng, work):
    """Play a match by the policy and keep the position of a decision with a random number. Returns
    the winners and the seat to act in that position, -1 if there is none."""
    rules.start(states[NOW], options)
    left, kept = below(rng, LONGEST), -1
    while True:
        if rules.chance_due(states[NOW]):
            deal_due(states[NOW], rng, work)
        seat = rules.turn(states[NOW])
        if seat < 0:
            return rules.winners(states[NOW]), kept
        action = reference(states[NOW], seat, rng, work)
        if count(rules.legal(states[NOW], seat)) > 1:
            if left == 0:
                states[KEPT], kept = states[NOW], seat
            left -= 1
        rules.apply(states[NOW], seat, action)


# --- what the results say -------------------------------------------------------------------------


def calibration_error(predicted, won) -> float:
    """The mean difference of forecasts and results in bins of equal numbers of positions."""
    return sum(abs(p - w) * n for p, w, _, n in in_bins(predicted, won)) / len(predicted)


def errors_by_chance(predicted):
    """Calibration errors of so many positions if the forecasts were perfect."""
    rng = np.random.default_rng(1)
    results = ((rng.random(len(predicted)) < predicted).astype(float) for _ in range(1000))
    return np.array([calibration_error(predicted, won) for won in results])


def slope(predicted, won) -> str:
    """By how much the result rises with the forecast: more than 1 if forecasts are too cautious,
    less if they are too bold. With its 95 % interval."""
    away = predicted - predicted.mean()
    rise = away @ won / (away @ away)
    rest = won - won.mean() - rise * away
    error = np.sqrt(away**2 @ rest**2) / (away @ away)
    return f"{rise:.2f} ± {1.96 * error:.2f}"


def in_bins(predicted, won):
    """For each bin the mean forecast, the mean result, its standard error, and the number."""
    order = np.argsort(predicted, kind="stable")
    for part in np.array_split(order, BINS):
        error = won[part].std(ddof=1) / np.sqrt(len(part))
        yield predicted[part].mean(), won[part].mean(), error, len(part)


def read(path: Path):
    found = defaultdict(list)
    with path.open() as file:
        for game, *numbers in csv.reader(file):
            found[game].append([float(number) for number in numbers])
    return {game: np.array(rows) for game, rows in found.items()}


def table(results) -> str:
    heads = ("Game", "Positions", "Calibration error", "By chance alone", "Slope")
    lines = [f"| {' | '.join(heads)} |", "|---|" + "--:|" * (len(heads) - 1)]
    for name, rows in results.items():
        title = hastilude.load(name).title
        lines.append(row_of(title, rows))
        if name == "tornei":
            parts = [(part, rows[rows[:, ROUND] == part]) for part in np.unique(rows[:, ROUND])]
            lines += [row_of(f"{title}, round {part + 1:.0f}", some) for part, some in parts]
    return "\n".join(lines)


def row_of(name: str, rows) -> str:
    predicted, won = rows[:, FORECASTS], rows[:, RESULTS]
    errors = errors_by_chance(predicted)
    cells = (
        name,
        f"{len(rows):,}",
        f"{calibration_error(predicted, won):.3f}",
        f"{errors.mean():.3f}, up to {np.percentile(errors, 95):.3f}",
        slope(predicted, won),
    )
    return f"| {' | '.join(cells)} |"


# --- the picture ----------------------------------------------------------------------------------

LINE, GREY = "#2F8FD8", "#808080"  # readable on white and on black


def plot(results, path: Path) -> None:
    import matplotlib  # noqa: PLC0415  # a heavy library that only the picture needs
    from matplotlib.figure import Figure  # noqa: PLC0415

    with matplotlib.rc_context({**SETTINGS, "text.color": GREY, "axes.labelcolor": GREY}):
        figure = Figure(figsize=(9, 3.4), layout="constrained")
        figure.patch.set_alpha(0)
        for axes, (name, rows) in zip(figure.subplots(1, 3), results.items(), strict=True):
            draw(axes, rows)
            axes.set_title(f"{hastilude.load(name).title}\n{len(rows):,} positions", fontsize=10)
        figure.savefig(path, format="svg", metadata=FORMS[".svg"])


def draw(axes, rows) -> None:
    predicted, won, errors, _ = np.array([*in_bins(rows[:, FORECASTS], rows[:, RESULTS])]).T
    axes.patch.set_alpha(0)
    axes.plot([0, 1], [0, 1], color=GREY, linestyle="--", linewidth=1)
    axes.errorbar(predicted, won, yerr=1.96 * errors, fmt="o-", color=LINE, capsize=3, markersize=4)
    for setter in (axes.xaxis, axes.yaxis):
        setter.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    axes.set_xlabel("forecast")
    axes.set_ylabel("won")
    axes.tick_params(colors=GREY)
    axes.grid(alpha=0.25, color=GREY)
    for side in axes.spines.values():
        side.set_color(GREY)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path)
    parser.add_argument("--games", nargs="*", default=hastilude.games())
    parser.add_argument("--positions", type=int, default=5000, help="per game")
    parser.add_argument("--plot", type=Path)
    wanted = parser.parse_args()
    if wanted.plot:
        plot(read(wanted.results), wanted.plot)
    else:
        measure(wanted.results, wanted.games, wanted.positions)
    print(table(read(wanted.results)))


def measure(path: Path, games, positions: int) -> None:
    known = read(path) if path.exists() else {}
    with path.open("a", newline="", buffering=1) as file:
        for name in games:
            rows = known.get(name, np.zeros((0, 4)))
            found, seed = len(rows), int(rows[-1, SEED]) + 1 if len(rows) else 0
            while found < positions:
                if result := forecast_one(hastilude.load(name), seed):
                    csv.writer(file).writerow([name, *result, seed])
                    found += 1
                seed += 1


if __name__ == "__main__":
    main()
