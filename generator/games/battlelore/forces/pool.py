"""The figures, banners and Feudal levy tokens that a camp can put on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from generator.errors import DataError, Problem, near
from generator.games.battlelore.forces.units import Kind
from generator.games.battlelore.ground.board import CAMPS, Camp
from generator.games.battlelore.lore import Banner, Race, lore
from generator.games.whose import owned
from generator.model.words import Words
from generator.notation.text import name_fault
from generator.notation.toml import KeyPath, Source
from generator.store.folders import shipped

FIGURES = Words("figures", "フィギュア")
BANNERS = Words("banners", "旗")


class Stock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One camp's share of the box."""

    figures: dict[str, dict[str, int]]
    """By race and weapon; banner bearers are counted."""
    banners: dict[str, dict[str, int]]
    """By colour and weapon."""
    levies: dict[str, int]
    """Tokens by colour."""


@dataclass(frozen=True)
class Shortage:
    """What units ask for beyond what the pool holds."""

    what: Words
    """Figures or banners."""
    of: Words
    """`Dwarf crossbow`, `Green short sword`."""
    asked: int
    held: int


class Pool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pool file; see docs/formats/deck.md."""

    name: Words
    pennant: Stock
    standard: Stock
    source: Literal["house", "owner"] = "owner"

    def stock(self, camp: Camp) -> Stock:
        """A camp's share."""
        return self.pennant if camp == "pennant" else self.standard

    def levies(self, camp: Camp, banner: str) -> int:
        """How many levy tokens of that colour the camp has."""
        return self.stock(camp).levies.get(banner, 0)

    def shortages(self, camp: Camp, kinds: Iterable[Kind], extra: Iterable[Kind] = ()) -> tuple[Shortage, ...]:
        """All that runs short when these units stand on the board together; order is no matter.

        `extra` has a kind for each figure added to a unit of that kind.
        """
        stock, tables = self.stock(camp), lore()
        figures: Counter[tuple[str, str]] = Counter()
        banners: Counter[tuple[str, str]] = Counter()
        for kind in kinds:
            weapon = tables.weapons[kind.weapon].stands or kind.weapon
            figures[kind.race, weapon] += kind.figures
            banners[kind.banner, weapon] += 1
        for kind in extra:
            figures[kind.race, tables.weapons[kind.weapon].stands or kind.weapon] += 1
        return (
            *_short(FIGURES, figures, stock.figures, tables.races),
            *_short(BANNERS, banners, stock.banners, tables.banners),
        )

    def fits(self, camp: Camp, kinds: Iterable[Kind], extra: Iterable[Kind] = ()) -> bool:
        """Whether figures and banners suffice for all these units."""
        return not self.shortages(camp, kinds, extra)


def load_pool(path: Path | None = None) -> Pool:
    """A pool file, or the house pool; DataError with every fault."""
    return read_pool(Source.open(path)) if path else house_pool()


@cache
def house_pool() -> Pool:
    """The pool that ships."""
    return _read(Source.open(shipped("data") / "battlelore" / "pool.toml"))


def read_pool(source: Source) -> Pool:
    """The pool of a TOML text; DataError with every fault."""
    return owned(_read(source), source, [house_pool()])


def _read(source: Source) -> Pool:
    miscounted = [p for camp in CAMPS for p in _miscounted(source, (camp,), source.data.get(camp, {}))]
    if miscounted:
        raise DataError(*miscounted)
    pool = source.read(Pool)
    problems = [problem for camp in CAMPS for problem in _unknown(source, camp, pool.stock(camp))]
    for part in dict.fromkeys((pool.name.en, pool.name.ja)):
        if fault := name_fault(part):
            problems.insert(0, Problem(f"the pool's name {fault}", source.name, source.line(("name",))))
    if problems:
        raise DataError(*problems)
    return pool


def _miscounted(source: Source, at: KeyPath, value: object) -> Iterator[Problem]:
    """All that a camp states is a count."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _miscounted(source, (*at, key), inner)
    elif type(value) is not int or value < 0:
        yield source.problem(at, f"{str(value)[:40]} is no count", "a whole number, 0 or more")


def _unknown(source: Source, camp: Camp, stock: Stock) -> Iterator[Problem]:
    tables = lore()
    parts = (("figures", stock.figures, tables.races), ("banners", stock.banners, tables.banners))
    words: list[tuple[KeyPath, str, list[str]]] = []
    for part, table, names in parts:
        for name, counts in table.items():
            words.append(((camp, part, name), name, list(names)))
            words += [((camp, part, name), weapon, list(tables.weapons)) for weapon in counts]
    words += [((camp, "levies"), colour, list(tables.banners)) for colour in stock.levies]
    for at, word, accepted in words:
        if word not in accepted:
            yield source.problem(at, f"unknown word {word!r}", near(word[:40], accepted))


def _short(
    what: Words,
    asked: Mapping[tuple[str, str], int],
    held: Mapping[str, Mapping[str, int]],
    names: Mapping[str, Race] | Mapping[str, Banner],
) -> Iterator[Shortage]:
    for (name, weapon), count in asked.items():
        there = held.get(name, {}).get(weapon, 0)
        if count > there:
            first, second = names[name].name, lore().weapons[weapon].name
            of = Words(f"{first.en} {second.en.lower()}", f"{first.ja} {second.ja}")
            yield Shortage(what, of, count, there)
