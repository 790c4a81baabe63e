"""Check the options that an event stores for every scenario, and the files of these options."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from generator.common.game import Game, GameOption
from generator.errors import near
from generator.localization import tr
from generator.notation.text import NAME_LIMIT, file_name_fault

Fault = tuple[tuple[str, str], str, str]
"""The keys of a fault in event.toml, a message, and a hint."""


def option_faults(game: Game[Any], options: Mapping[str, str], files: Mapping[str, str]) -> Iterator[Fault]:
    """Yield a fault for each option value that the game does not support, and for each file that no option uses."""
    known = {option.name: option for option in game.options}
    for name, text in options.items():
        option = known.get(name)
        found = _option_fault(game, option, text, files) if option is not None else None
        if found:
            yield ("wishes", name), *found
    used = {text for name, text in options.items() if name in known and known[name].file}
    for name in files:
        if fault := file_name_fault(name):
            yield ("files", name), fault, ""
        elif name not in used:
            yield ("files", name), tr("no recorded option uses this file"), near(name[:NAME_LIMIT], used)


def _option_fault(game: Game[Any], option: GameOption, text: str, files: Mapping[str, str]) -> tuple[str, str] | None:
    """Return a message and a hint for the value of an option, or None if the game supports the value."""
    if text in option.choices or (option.pattern and re.fullmatch(option.pattern, text)):
        return None
    if option.file and text in files:
        return None
    if option.file and (not option.choices or text.endswith(".toml") or "/" in text):
        hint = tr("put the file in the event's folder, and list its name and hash in [files]")
        return tr("this event has no file named {name!r}", name=text), near(text, files) if files else hint
    if option.choices or option.pattern:
        return tr("{value!r} is not valid; {hint}", value=text, hint=game.near_choice(option, text)), ""
    return None
