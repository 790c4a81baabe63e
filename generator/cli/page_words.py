"""Reword messages of the command line for a page, with the page's controls in place of commands and options."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from generator.localization import Lang
from generator.model.words import Words
from generator.notation import toml
from generator.notation.text import COMMAND_MARKS
from generator.store.folders import shipped_path

_MARKED = re.compile(f"{COMMAND_MARKS[0]}([^{COMMAND_MARKS}]*){COMMAND_MARKS[1]}")
_COMMAND = re.compile(r"`?\bmuster(?: tournament)? ([a-z]+)(?: --[a-z-]+ \w+)?`?")
"""Matches a command that a sentence names without a folder, such as `muster tournament join`."""
_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*)")
_QUOTES: Mapping[Lang, str] = {"en": "“{}”", "ja": "「{}」"}


class Offer(msgspec.Struct, frozen=True):
    """The further options with which the user can repeat an action."""

    reopen: bool = False
    rematch: bool = False
    rounds: int = 0


@cache
def controls() -> dict[str, Words]:
    """Return the names of the page's controls, keyed by command or option, from data/studio_tournament.toml."""
    return {key[8:]: of for key, of in room_words().items() if key.startswith("control_")}


@cache
def room_words() -> dict[str, Words]:
    """Return the texts of the tournament room."""
    return toml.read(shipped_path("data") / "studio_tournament.toml", dict[str, Words])


def in_page_words(text: str, lang: Lang, folder: str = "") -> str:
    """Return a message with the page's controls in place of commands and options, and paths within the event."""

    def name(key: str) -> str:
        control = controls().get(key)
        return _QUOTES[lang].format(control[lang] if control else key.replace("-", " "))

    def of_marked(found: re.Match[str]) -> str:
        words = shlex.split(found[1])
        for option in ("--reopen", "--remove", "--rounds"):
            if option in words:
                return name(option[2:])
        return name(words[2] if len(words) > 2 else "command")

    text = _MARKED.sub(of_marked, text)
    if folder:
        text = text.replace(f"{folder}{os.sep}", "").replace(folder, Path(folder).name)
    text = _COMMAND.sub(lambda found: name(found[1]), text)
    return _OPTION.sub(lambda found: name(found[1]), text)


def offer_of(hint: str) -> Offer:
    """Return what the user can confirm, from the options that a hint suggests."""
    marked = [shlex.split(found) for found in _MARKED.findall(hint)]
    rounds = [words[words.index("--rounds") + 1] for words in marked if "--rounds" in words[:-1]]
    options = set(_OPTION.findall(hint)) | {word[2:] for words in marked for word in words if word.startswith("--")}
    return Offer("reopen" in options, "allow-rematch" in options, int(rounds[0]) if rounds else 0)
