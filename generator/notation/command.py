"""What is printed for a person to type again: codes and commands."""

from __future__ import annotations

import shlex
from collections.abc import Mapping


def stamp(code: str, wishes: Mapping[str, str]) -> str:
    """A code as it stands on every page: with + where wishes belong to it."""
    return f"{code}+" if wishes else code


Options = Mapping[str, str | bool]
"""What was typed, by the option's name; True for a flag."""


def command(words: list[str], options: Options) -> str:
    """Words and options as a shell reads them."""
    typed = [(f"--{name}",) if value is True else (f"--{name}", str(value)) for name, value in options.items()]
    return shlex.join([*words, *(word for option in typed for word in option)])


def kit_command(game: str, code: str, options: Options) -> str:
    """The command that draws a kit."""
    return command(["muster", "kit", game, "--seed", code], options)
