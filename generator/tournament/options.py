"""The options that an event keeps for every scenario, and the files they name, checked as they stand in its file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from generator.common.game import Game, GameOption
from generator.errors import near
from generator.localization import tr
from generator.notation.text import NAME_LIMIT, file_name_fault

Fault = tuple[tuple[str, str], str, str]
"""Where a fault stands, what is wrong, and a hint."""


def option_faults(game: Game[Any], wishes: Mapping[str, str], files: Mapping[str, str]) -> Iterator[Fault]:
    """Find every option whose value its game does not know, and every file that no option uses."""
    known = {wish.name: wish for wish in game.options}
    for name, text in wishes.items():
        wish = known.get(name)
        found = _fault(game, wish, text, files) if wish is not None else None
        if found:
            yield ("wishes", name), *found
    used = {text for name, text in wishes.items() if name in known and known[name].file}
    for name in files:
        if fault := file_name_fault(name):
            yield ("files", name), fault, ""
        elif name not in used:
            yield ("files", name), tr("no option under [wishes] uses this file"), near(name[:NAME_LIMIT], used)


def _fault(game: Game[Any], wish: GameOption, text: str, files: Mapping[str, str]) -> tuple[str, str] | None:
    """What is wrong with an option's value, and a hint; None if its game knows it."""
    if text in wish.choices or (wish.pattern and re.fullmatch(wish.pattern, text)):
        return None
    if wish.file and text in files:
        return None
    if wish.file and (not wish.choices or text.endswith(".toml") or "/" in text):
        hint = tr("put the file in the event's folder, and list its name and hash in [files]")
        return tr("this event has no file named {name!r}", name=text), near(text, files) if files else hint
    if wish.choices or wish.pattern:
        return tr("{value!r} is not valid; {hint}", value=text, hint=game.near_choice(wish, text)), ""
    return None
