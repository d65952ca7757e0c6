"""Reads settings from a TOML file."""

from __future__ import annotations

import tomllib
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from hastilude.core.errors import OptionError, nearest
from hastilude.server.settings import Rate, Settings

MAY_BE_0 = {"port", "listed", "watchers", "bot_wait_seconds", "champion_wait_seconds"}


def read_settings(path: Path, settings: Settings) -> Settings:
    """The settings, with those from a TOML file; OptionError names an invalid one."""
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise OptionError.of("settings_unreadable", path=str(path), problem=str(error)) from None
    known = {field.name: field.type for field in fields(Settings)}
    changes: dict[str, Any] = {}
    for name, value in content.items():
        if name not in known:
            near = nearest(name, list(known))
            key = "settings_unknown_near" if near else "settings_unknown"
            raise OptionError.of(key, setting=name, near=near)
        changes[name] = _read(name, value, known[name])
    return replace(settings, **changes)


def _read(name: str, value: Any, kind: Any) -> Any:
    least = 0 if name in MAY_BE_0 else 1e-9
    if kind in (str, bool) and type(value) is kind:
        return value
    if kind is int and type(value) is int and value >= least:
        return value
    if kind is float and _is_number(value) and value >= least:
        return value
    if kind is Rate and isinstance(value, list) and [*map(_is_number, value)] == [True, True]:
        return Rate(*value)
    if kind == tuple[str, ...] and isinstance(value, list) and {*map(type, value)} <= {str}:
        return tuple(value)
    if kind == Path | None and isinstance(value, str):
        return Path(value)
    raise OptionError.of("settings_form", setting=name, value=str(value))


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and value >= 0
