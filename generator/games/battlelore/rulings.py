"""Named switches for the readings that the seeds leave open."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

from generator.games.battlelore.lore import Source
from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped


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
