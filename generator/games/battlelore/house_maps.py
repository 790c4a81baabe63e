"""Drawn maps: a board as text that a person can read in a diff, one symbol a hex.

See docs/formats/map.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from generator.common.game import Brush
from generator.common.scenario_file import FileReader, GroundFiles, MapHead, NamedGround, drawn_lines
from generator.errors import DataError, near
from generator.games.battlelore.ground import Board, profiles, words
from generator.games.battlelore.tables import lore
from generator.grid.hexes import DIRECTIONS, Hex, HexField
from generator.notation.toml import Source
from generator.notation.validation import KeyPath
from generator.said import say


class MapForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board as it is typed: rows of symbols from the far row to the near one, features, cliff sides."""

    profile: str
    """The board: how many rows, and how long; `battlelore` or `memoir`."""
    rows: str
    """One symbol for each hex, apart by spaces, the far row first."""
    features: dict[str, str] = {}
    """What lies on a hex, by the hex: `stakes`, `rampart`."""
    cliffs: dict[str, tuple[str, ...]] = {}
    """The sheer sides of each cliff hex."""


class MapFile(MapHead, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A drawn map as its file has it."""

    profile: str
    """The board: how many rows, and how long; `battlelore` or `memoir`."""
    rows: str
    """One symbol for each hex, apart by spaces, the far row first."""
    features: dict[str, str] = msgspec.field(default_factory=dict)
    """What lies on a hex, by the hex: `stakes`, `rampart`."""
    cliffs: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """The sheer sides of each cliff hex."""


DrawnMap = NamedGround[Board]


def brushes() -> dict[str, Brush]:
    """What a drawn map has besides its rows: what lies on a hex, and sheer sides."""
    ways = {way: words()["direction"][way] for way in DIRECTIONS}
    laid = {name: Brush(feature.name, partial(_lay, name)) for name, feature in lore().features.items()}
    return {**laid, "cliff": Brush(words()["direction"]["sheer"], _cut, ways)}


def _lay(feature: str, values: dict[str, Any], cells: Sequence[str], _way: str, on: bool) -> None:
    """One feature lies on a hex at most."""
    there = values.setdefault("features", {})
    for cell in cells:
        if on:
            there[cell] = feature
        elif there.get(cell) == feature:
            del there[cell]


def _cut(values: dict[str, Any], cells: Sequence[str], way: str, on: bool) -> None:
    sheer = values.setdefault("cliffs", {})
    for cell in cells:
        kept = {*sheer.pop(cell, ())} - {way} | ({way} if on else set())
        if kept:
            sheer[cell] = [side for side in DIRECTIONS if side in kept]


def read_board(of: MapForm | MapFile, source: Source, at: KeyPath = ()) -> Board:
    """The board of a drawing that stands at a key of a TOML text; DataError names every fault."""
    if of.profile not in profiles():
        hint = near(of.profile, profiles())
        raise DataError(source.problem((*at, "profile"), say("no board profile {name!r}", name=of.profile), hint))
    field, reading = profiles()[of.profile].field, FileReader(source, at)
    if len(lines := drawn_lines(of.rows)) != len(field.rows):
        reading.fault(
            ("rows",), say("the map has {count} rows, the board {needed}", count=len(lines), needed=len(field.rows))
        )
    ground = {} if reading.problems else reading.ground(of.rows, field, lore().by_symbol, say("hexes"))
    board = Board(of.profile, ground, _features(of.features, field, reading), _walls(of.cliffs, field, reading))
    reading.done()
    return board


MAPS = GroundFiles("battlelore", "maps", MapFile, read_board)
load_map, read_map, house_maps = MAPS.load, MAPS.read, MAPS.house


def drawing(board: Board) -> dict[str, object]:
    """The board as the entries of a TOML table, which `read_board` reads back."""
    field = board.field
    table: dict[str, object] = {"profile": board.profile, "rows": picture(board)}
    if board.features:
        table["features"] = {field.name(c): board.features[c] for c in field.cells if c in board.features}
    if board.walls:
        table["cliffs"] = {
            field.name(c): [DIRECTIONS[d] for d in board.walls[c]] for c in field.cells if c in board.walls
        }
    return table


def picture(board: Board) -> str:
    """The ground as text, the far row first."""
    rows = []
    for row in reversed(range(len(board.field.rows))):
        symbols = (board.terrain(cell).symbol for cell in board.field.row(row))
        rows.append(" " * (row % 2) + " ".join(symbols))
    return "\n".join(rows)


def _features(table: Mapping[str, str], field: HexField, reading: FileReader) -> dict[Hex, str]:
    found: dict[Hex, str] = {}
    for name, feature in table.items():
        cell = reading.cell(("features", name), name, field, say("hex"))
        if feature not in lore().features:
            reading.fault(
                ("features", name), say("no feature {feature!r}", feature=feature), near(feature, lore().features)
            )
        if cell:
            found[cell] = feature
    return found


def _walls(table: Mapping[str, tuple[str, ...]], field: HexField, reading: FileReader) -> dict[Hex, tuple[int, ...]]:
    found: dict[Hex, tuple[int, ...]] = {}
    for name, sides in table.items():
        cell = reading.cell(("cliffs", name), name, field, say("hex"))
        for side in dict.fromkeys(sides):
            if side not in DIRECTIONS:
                reading.fault(("cliffs", name), say("no direction {side!r}", side=side), near(side, DIRECTIONS))
            elif sides.count(side) > 1:
                reading.fault(("cliffs", name), say("direction {side} stands there twice", side=side))
        if cell:
            found[cell] = tuple(DIRECTIONS.index(side) for side in sides if side in DIRECTIONS)
    return found
