"""What is printed for a person to type again: codes and commands."""

from __future__ import annotations

import shlex
from collections.abc import Mapping


def stamp(code: str, wishes: Mapping[str, str]) -> str:
    """A code as it stands on every page: with + where wishes belong to it."""
    return f"{code}+" if wishes else code


def command(words: list[str], options: Mapping[str, str]) -> str:
    """Words and options as a shell reads them."""
    return shlex.join([*words, *(word for name, value in options.items() for word in (f"--{name}", value))])


def kit_command(game: str, code: str, options: Mapping[str, str]) -> str:
    """The command that draws a kit."""
    return command(["muster", "kit", game, "--seed", code], options)
