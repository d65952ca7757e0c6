"""Playthroughs: a seeded match of each variant, printed step by step, in the files of this folder.

`python -m tests.golden` writes them again. A change in them is a change of rules, events or
sentences, and must be intended.
"""

import random
from pathlib import Path

import hastilude
from hastilude.core.match import Play
from hastilude.messages import LANGUAGES, render
from tests.variants import VARIANTS, label

FOLDER = Path(__file__).parent
MOST_PLAYS = 400


def path(name, options):
    return FOLDER / f"{label(name, options).replace(' ', '_')}.txt"


def moves(match, seed=2026):
    """Play a match at random; yields each seat, its legal actions and its choice, before the
    choice is played."""
    choose = random.Random(seed)
    for _ in range(MOST_PLAYS):
        if match.over:
            break
        seat = choose.choice(match.pending)
        legal = match.legal(seat)
        action = choose.choice(legal)
        yield seat, legal, action
        match.play(seat, action)


def playthrough(name, options, seed=2026):
    """Everything that happens, in each language, as a spectator sees it, with the legal actions."""
    game = hastilude.load(name, **options)
    match = game.new(seed=seed)
    lines = [f"# {game!r}.new(seed={seed})", ""]
    told = 0
    for seat, legal, action in moves(match, seed):
        lines += sentences(match, told)
        told = len(match.events())
        choices = " ".join(game.text(action) for action in legal)
        lines += ["", f"> {seat} {game.text(action)}   ({choices})"]
    lines += sentences(match, told)
    lines += ["", f"plays {sum(isinstance(step, Play) for step in match.steps)}"]
    lines += [f"scores {match.scores} winners {match.winners}", repr(match.view())]
    return "\n".join(lines) + "\n"


def sentences(match, since):
    return [
        render(event.message, language, match.game.names(language))
        for event in match.events(since=since)
        for language in LANGUAGES
    ]


def main():
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name, options in VARIANTS:
        path(name, options).write_text(playthrough(name, options), encoding="utf-8")
