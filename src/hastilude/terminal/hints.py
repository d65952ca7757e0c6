"""Hints as sentences: one per group of choices, then the reason."""

from collections.abc import Callable, Sequence

from hastilude.bots.hints import HintGroup, Hints
from hastilude.messages import Message
from hastilude.terminal.voice import Voice


def hint_lines(hints: Hints, voice: Voice, name: Callable[[str], str]) -> list[str]:
    """`name` says how an action is called."""
    lines = [
        voice("hint_line", verdict=verdict(hints, group), choices=choice_names(group, voice, name))
        for group in hints.groups
    ]
    return [*lines, voice.say(hints.reason)] if hints.reason else lines


def verdict(hints: Hints, group: HintGroup) -> Message:
    win, behind = round(100 * group.win), round(100 * group.behind)
    if group is not hints.groups[0]:
        return Message("hint_behind", {"win": win, "behind": behind})
    if len(group.choices) > 1:
        return Message("hint_mixed" if group.shares else "hint_equal", {"win": win})
    return Message(
        "hint_best" if group.shares or len(hints.groups) > 1 else "hint_only", {"win": win}
    )


def choice_names(group: HintGroup, voice: Voice, name: Callable[[str], str]) -> list[str]:
    names = [joined(choice, voice, name) for choice in group.choices]
    if group.shares is None or len(names) == 1:
        return names
    return [
        voice("hint_share", choice=text, share=round(100 * share))
        for text, share in zip(names, group.shares, strict=True)
    ]


def joined(choice: Sequence[str], voice: Voice, name: Callable[[str], str]) -> str:
    return voice("hint_then").join(map(name, choice))
