"""What options and their values are called."""

from typing import Any

from hastilude.core.game import Game
from hastilude.terminal.voice import Voice


def option_name(game: str, option: str, voice: Voice) -> str:
    shared = word(f"option_{option}", option, voice)
    return word(f"{game}_option_{option}", shared, voice)


def value_name(game: str, value: Any, voice: Voice) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return word(f"{game}_value_{value}", str(value), voice)


def word(key: str, otherwise: str, voice: Voice) -> str:
    return voice(key) if voice.knows(key) else otherwise


def variants_at(game: Game, voice: Voice) -> str:
    """The variants that are played, as Markdown; nothing if it is the game as in its rules."""
    variants = {option.name for option in game.known_options if option.variant}
    played = [
        voice(
            "option_value",
            option=option_name(game.name, option, voice),
            value=value_name(game.name, value, voice),
        )
        for option, value in game.stated_options.items()
        if option in variants
    ]
    return "\n\n".join([f"**{voice('option_variants_played')}**", *played]) if played else ""
