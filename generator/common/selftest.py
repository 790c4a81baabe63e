"""Read a game's table of expected scenarios and prints, which ships as data/<game>/selftest.toml.

Scenarios are compared by the hash of their body, and printed kits by the hash of their content.
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
"""The distance between the numbers of successive codes in the table. It spreads the codes over all possible numbers.
"""


class Drawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The expected hashes of the first codes' scenarios with these options, as twelve hexadecimal digits each."""

    hashes: str
    options: Mapping[str, str] = msgspec.field(default_factory=dict, name="wishes")

    def expected(self) -> dict[str, str]:
        """Return the expected hash for each code, in the format printed on scenarios."""
        hashes = self.hashes.split()
        return {code: f"{h[:4]}-{h[4:8]}-{h[8:]}" for code, h in zip(codes(len(hashes)), hashes, strict=True)}


class Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The expected SHA-256 of the content of a kit in one language."""

    code: str
    lang: Lang
    content: str


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table of a game for one generation of codes."""

    generation: int
    drawn: tuple[Drawn, ...]
    printed: tuple[Printed, ...]


def codes(count: int) -> list[str]:
    """Return the first `count` codes of the table."""
    return [code_for(number * _STRIDE % (1 << BITS)) for number in range(count)]


def path(game: str) -> Path:
    """Return the path of the game's table."""
    return shipped_path("data") / game / "selftest.toml"


def table(game: str) -> Table:
    """Return the table that ships with the game.

    Raises:
        DataError: If the table is missing or is for another generation of codes.
    """
    file = path(game)
    if not file.is_file():
        raise DataError(Problem(tr("is missing"), str(file), hint=tr("install Muster again")))
    found = toml.read(file, Table)
    if found.generation != GENERATION:
        message = tr(
            "is for generation {generation}, but the codes of this version of Muster belong to generation {current}",
            generation=found.generation,
            current=GENERATION,
        )
        raise DataError(Problem(message, str(file), hint=tr("install Muster again")))
    return found


def drawn(game: Game[Any], code: str, options: Mapping[str, str]) -> str:
    """Return the hash of the scenario that this version generates from the code."""
    return content_hash(game.write(game.draw(Request(code, options, {}))))
