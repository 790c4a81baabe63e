"""The terrain pieces a player owns, and whether they suffice for a board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from generator.errors import DataError, near
from generator.games.battlelore.ground.board import Board
from generator.games.battlelore.lore import lore
from generator.games.whose import owned
from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped


class Tiles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Equal pieces: their faces, one of which lies up, and how many there are."""

    faces: Annotated[tuple[str, ...], msgspec.Meta(min_length=1, max_length=2)]
    count: Annotated[int, msgspec.Meta(ge=0, le=999)]


class Inventory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A box of terrain pieces; see docs/formats/inventory.md."""

    name: Words
    source: Literal["house", "own"]
    tiles: tuple[Tiles, ...]


class Shortage(msgspec.Struct, frozen=True):
    """Faces of which a board needs more than there are pieces that show one of them."""

    faces: tuple[str, ...]
    needed: int
    pieces: int


def load_inventory(path: Path | None = None, name: str | None = None) -> Inventory:
    """An inventory file, or the house inventory; DataError names every fault with its line."""
    return read_inventory(toml.Source.open(path, name)) if path else house_inventory()


def read_inventory(source: toml.Source) -> Inventory:
    """The inventory of a TOML text."""
    return owned(_read(source), source, [house_inventory()], "own")


def _read(source: toml.Source) -> Inventory:
    inventory = source.read(Inventory)
    known = list(dict.fromkeys(_faces_in_use()))
    problems = [
        source.problem(("tiles", i, "faces"), f"no piece has a face {face!r}", near(face, known))
        for i, tiles in enumerate(inventory.tiles)
        for face in tiles.faces
        if face not in known
    ]
    if problems:
        raise DataError(*problems)
    return inventory


@cache
def house_inventory() -> Inventory:
    """The shipped inventory."""
    return _read(toml.Source.open(shipped("data") / "battlelore" / "inventory.toml", "inventory.toml"))


def needs(board: Board) -> Counter[str]:
    """How many of each face the board shows."""
    count: Counter[str] = Counter()
    for cell in board.field.cells:
        count.update(board.terrain(cell).tiles)
        if feature := board.feature(cell):
            count.update(feature.tiles)
    return count


def shortage(needed: Mapping[str, int], inventory: Inventory) -> Shortage | None:
    """The first set of faces that the pieces cannot all show, the smallest sets first.

    A piece shows one face at a time, so counting each face by itself is not enough: by Hall's theorem the
    pieces suffice exactly if every set of faces is needed no more often than pieces bear one of them.
    """
    for faces, pieces in _supply(inventory):
        wanted = sum(needed.get(face, 0) for face in faces)
        if wanted > pieces:
            return Shortage(faces, wanted, pieces)
    return None


@cache
def _supply(inventory: Inventory) -> tuple[tuple[tuple[str, ...], int], ...]:
    """Sets of faces with the number of pieces that bear one; sets that share no piece need no test."""
    groups = [{face} for face in dict.fromkeys(_faces_in_use())]
    for tiles in inventory.tiles:
        touched = [g for g in groups if g & set(tiles.faces)]
        groups = [*(g for g in groups if g not in touched), set().union(*touched)]
    sets = [c for g in groups for k in range(1, len(g) + 1) for c in combinations(sorted(g), k)]
    return tuple(
        (faces, sum(t.count for t in inventory.tiles if set(faces) & set(t.faces)))
        for faces in sorted(sets, key=lambda faces: (len(faces), faces))
    )


def _faces_in_use() -> list[str]:
    kinds = (*lore().terrain.values(), *lore().features.values())
    return [face for kind in kinds for face in kind.tiles]
