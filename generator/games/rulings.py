"""Named switches for the readings that the seeds leave open."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

import msgspec

from generator.games.capability import Wish
from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped

Source = Literal["seed", "house"]
"""Whose a number, a text or a reading is: the game's own, or ours."""


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to read a rule."""

    id: str
    text: Words


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A switch; its first choice is the default."""

    id: str
    name: Words
    source: Source
    choice: tuple[Choice, ...]

    def __getitem__(self, choice: str) -> Choice:
        return next(c for c in self.choice if c.id == choice)


class _RulingFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    ruling: tuple[Ruling, ...]


@cache
def rulings(*games: str) -> Mapping[str, Ruling]:
    """The switches of these games by id, in the order of their files."""
    files = [toml.read(shipped("data") / game / "rulings.toml", _RulingFile) for game in games]
    return {ruling.id: ruling for file in files for ruling in file.ruling}


def defaults(switches: Mapping[str, Ruling]) -> dict[str, str]:
    """Every switch at its default."""
    return {ruling.id: ruling.choice[0].id for ruling in switches.values()}


def ruling_wishes(switches: Mapping[str, Ruling]) -> tuple[Wish, ...]:
    """A wish for each switch, named like it."""
    return tuple(
        Wish(_option(ruling.id), f"Ruling: {ruling.name.en.lower()}.", tuple(choice.id for choice in ruling.choice))
        for ruling in switches.values()
    )


def chosen(switches: Mapping[str, Ruling], wishes: Mapping[str, str]) -> dict[str, str]:
    """Every switch as wished for, or else at its default."""
    return defaults(switches) | {name: wishes[_option(name)] for name in switches if _option(name) in wishes}


def _option(ruling: str) -> str:
    """The name of a switch as an option has it."""
    return ruling.replace("_", "-")
