"""Helpers for tests that play any game."""


def finish(match, most=10_000):
    """Play the match to the end; everybody plays their first legal action."""
    for _ in range(most):
        if match.over:
            break
        match.play(match.turn, match.legal(match.turn)[0])
    return match


def finish_trick(match):
    done = match.view().trick, match.view().round
    while not match.over and (match.view().trick, match.view().round) == done:
        match.play(match.turn, match.legal(match.turn)[0])
    return match


def kinds(events):
    """The kinds of these events: `won`, `scored` …"""
    return [event.key.removeprefix(event.__module__.split(".")[-2] + "_") for event in events]
