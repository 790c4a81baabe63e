"""Describe a battle in two words, one for its terrain and one for its forces, such as "wooded, close".

The words follow from the map of the battle alone. Each game's battle_words.toml lists the words with the average and
the standard deviation of what they count, measured on battles that were drawn without options
(docs/measure_battle_words.py). The word that a battle exceeds by the most standard deviations describes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import fsum, hypot
from typing import Literal

import msgspec

from generator.grid.hexes import Point
from generator.model.views import MapView
from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped_path

Count = Literal["cells", "units", "gap", "difference", "wing"]
"""The count of a word: cells of some looks, units, the mean distance from a unit to the nearest enemy in cell sides,
the difference between the sides' numbers of units, or the distance from the middle of all units to the middle of the
map in cell sides.
"""


class BattleWord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word that may describe a battle, with what it counts."""

    name: Words
    counts: Count
    mean: float
    """The average of the count."""
    deviation: float
    """The standard deviation of the count."""
    looks: tuple[str, ...] = ()
    """The looks of the terrain or features that the word counts."""
    low: bool = False
    """Whether the word describes small counts rather than large ones."""

    def excess(self, view: MapView) -> float:
        """Return the number of standard deviations by which a map exceeds the average, in the word's direction."""
        above = (count(self.counts, self.looks, view) - self.mean) / self.deviation
        return -above if self.low else above


class WordTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of data/<game>/battle_words.toml."""

    source: Literal["house"]
    battles: int
    """The number of battles that were measured."""
    terrain: Mapping[str, BattleWord]
    forces: Mapping[str, BattleWord]


@lru_cache(16)  # One entry per game.
def word_table(game: str) -> WordTable | None:
    """Return the words of a game, or None if the game has no file of words."""
    path = shipped_path("data") / game / "battle_words.toml"
    return toml.read(path, WordTable) if path.is_file() else None


def battle_words(game: str, view: MapView) -> tuple[Words, ...]:
    """Return the word for the terrain and the word for the forces of a battle. Empty if its game has no words."""
    table = word_table(game)
    if table is None:
        return ()
    return tuple(
        max(words.values(), key=lambda word: word.excess(view)).name for words in (table.terrain, table.forces)
    )


def count(counts: Count, looks: Iterable[str], view: MapView) -> float:
    """Return a count of a map."""
    if counts == "cells":
        wanted = set(looks)
        return sum(look in wanted for look in (*view.ground.values(), *view.features.values()))
    sides = _places(view)
    if counts == "units":
        return sum(map(len, sides))
    if counts == "difference":
        return abs(len(sides[0]) - len(sides[1]))
    if not all(sides):
        return 0.0
    if counts == "gap":
        first, second = sides
        nearest = [min(hypot(ax - bx, ay - by) for bx, by in second) for ax, ay in first]
        nearest += [min(hypot(ax - bx, ay - by) for bx, by in first) for ax, ay in second]
        return fsum(nearest) / len(nearest)
    cells = [_at(view, view.grid.centre(cell)) for cell in view.ground]
    units = [at for side in sides for at in side]
    middle = [fsum(at[axis] for at in cells) / len(cells) for axis in (0, 1)]
    return hypot(*(fsum(at[axis] for at in units) / len(units) - middle[axis] for axis in (0, 1)))


def _places(view: MapView) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Return the places of the units of each of the two sides, in cell sides.

    The side of the first unit is the first side. Counters of other shapes than a side's belong to the second side.
    """
    sides: tuple[list[tuple[float, float]], list[tuple[float, float]]] = ([], [])
    for cell, token in view.tokens:
        side = sides[token.shape != view.tokens[0][1].shape]
        side.append(_at(view, view.grid.centre(cell)))
    return sides


def _at(view: MapView, point: Point) -> tuple[float, float]:
    """Return a lattice point in cell sides."""
    wide, high = view.grid.pitch
    return point[0] * wide, point[1] * high
