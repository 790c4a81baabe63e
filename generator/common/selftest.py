"""What codes draw and kits print, as a table that ships with each game: data/<game>/selftest.toml.

A scenario is held against the table by the hash of its body, a printed kit by the hash of its content.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from generator.common.game import Game
from generator.errors import DataError, Problem
from generator.localization import tr
from generator.model.scenario import Request
from generator.model.words import Lang
from generator.notation import toml
from generator.notation.envelope import content_hash
from generator.seeds import BITS, GENERATION, code_for
from generator.store.folders import shipped_path

_STRIDE = 34_000_003
"""From code to code of the table: they are spread over all there are."""


class Drawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the first codes draw with these wishes: a hash each, twelve hexadecimal digits, in their order."""

    hashes: str
    options: Mapping[str, str] = msgspec.field(default_factory=dict, name="wishes")

    def expected(self) -> dict[str, str]:
        """The hash of each code, as it stands on scenarios."""
        hashes = self.hashes.split()
        return {code: f"{h[:4]}-{h[4:8]}-{h[8:]}" for code, h in zip(codes(len(hashes)), hashes, strict=True)}


class Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a code's kit holds in a language: the SHA-256 of its content."""

    code: str
    lang: Lang
    content: str


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game's table, made by codes of one generation."""

    generation: int
    drawn: tuple[Drawn, ...]
    printed: tuple[Printed, ...]


def codes(count: int) -> list[str]:
    """The table's first codes."""
    return [code_for(number * _STRIDE % (1 << BITS)) for number in range(count)]


def path(game: str) -> Path:
    """Where a game's table lies."""
    return shipped_path("data") / game / "selftest.toml"


def table(game: str) -> Table:
    """The table that ships with the game; DataError where none does, or one of another generation."""
    file = path(game)
    if not file.is_file():
        raise DataError(Problem(tr("is missing"), str(file), hint=tr("install Muster again")))
    found = toml.read(file, Table)
    if found.generation != GENERATION:
        message = tr(
            "has generation {generation}, but codes have generation {current}",
            generation=found.generation,
            current=GENERATION,
        )
        raise DataError(Problem(message, str(file), hint=tr("install Muster again")))
    return found


def drawn(game: Game[Any], code: str, options: Mapping[str, str]) -> str:
    """The hash of what the code draws here."""
    return content_hash(game.write(game.draw(Request(code, options, {}))))
