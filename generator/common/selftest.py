"""The table of a game's expected draws and prints, which ships as data/<game>/selftest.toml.

Scenarios are compared by the hash of their body, printed kits by the hash of their content.
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
"""The distance between the numbers of two codes in the table, so that the codes are spread over all possible ones."""


class Drawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hashes of what the first codes draw with these options: twelve hexadecimal digits each, in order."""

    hashes: str
    options: Mapping[str, str] = msgspec.field(default_factory=dict, name="wishes")

    def expected(self) -> dict[str, str]:
        """Return the expected hash of each code, as printed on scenarios."""
        hashes = self.hashes.split()
        return {code: f"{h[:4]}-{h[4:8]}-{h[8:]}" for code, h in zip(codes(len(hashes)), hashes, strict=True)}


class Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The expected SHA-256 of the content of a code's kit in one language."""

    code: str
    lang: Lang
    content: str


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game's table, made with codes of one generation."""

    generation: int
    drawn: tuple[Drawn, ...]
    printed: tuple[Printed, ...]


def codes(count: int) -> list[str]:
    """Return the table's first codes."""
    return [code_for(number * _STRIDE % (1 << BITS)) for number in range(count)]


def path(game: str) -> Path:
    """Return the path of a game's table."""
    return shipped_path("data") / game / "selftest.toml"


def table(game: str) -> Table:
    """Return the table that ships with the game; raises DataError if it is missing or of another generation."""
    file = path(game)
    if not file.is_file():
        raise DataError(Problem(tr("is missing"), str(file), hint=tr("install Muster again")))
    found = toml.read(file, Table)
    if found.generation != GENERATION:
        message = tr(
            "is for generation {generation}, but this version of Muster draws codes of generation {current}",
            generation=found.generation,
            current=GENERATION,
        )
        raise DataError(Problem(message, str(file), hint=tr("install Muster again")))
    return found


def drawn(game: Game[Any], code: str, options: Mapping[str, str]) -> str:
    """Return the hash of what the code draws with this version."""
    return content_hash(game.write(game.draw(Request(code, options, {}))))
