"""What every battle of the family has, and its parts of TOML and JSON.

What every battle on a BattleLore board has in common, whichever game raised its armies.

The parts of a scenario file that every battle on a BattleLore board shares (docs/formats/scenario.md).

The parts of the JSON form that every battle on a BattleLore board shares (docs/json.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import msgspec
from msgspec.structs import asdict, replace

from generator.common.scenario_file import (
    NAMELESS,
    FileReader,
    Short,
    Step,
    beside,
    drawn_lines,
    near_cell,
    stated,
    typed_name,
)
from generator.errors import near
from generator.games.battlelore.forces import Kind, Unit
from generator.games.battlelore.ground import (
    Board,
    Inventory,
    MapForm,
    Side,
    drawing,
    house_maps,
    load_map,
    profiles,
    read_board,
    words,
)
from generator.games.battlelore.tables import lore
from generator.grid.hexes import DIRECTIONS, Hex
from generator.model.scenario import Origin, Scenario
from generator.model.words import Words, joined, same
from generator.notation import text
from generator.notation.validation import KeyPath
from generator.said import say

OTHER: Mapping[Side, Side] = {"pennant": "standard", "standard": "pennant"}
PREFIX: Mapping[Side, str] = {"pennant": "P", "standard": "S"}
"""What a camp's unit ids begin with."""
MEDIEVAL, LORE = AGES = ("medieval", "lore")
COMMON_RACE = "human"
"""What goes without saying in a unit's row."""
OFF_BOARD = "-"
"""What stands in place of a hex for a unit that is not deployed."""
RANDOM = "random"
"""What stands in place of a map's name where it was drawn."""

CampUnit = tuple[Side, Unit]


class Raised(Protocol):
    """A camp's units."""

    @property
    def units(self) -> tuple[Unit, ...]:
        """All of them, those off the board too."""

    @property
    def derived(self) -> bool:
        """Whether the file left them out."""


class Battle(Scenario, Protocol):
    """A frozen scenario on a BattleLore board."""

    @property
    def map(self) -> str:
        """The name of the house map, of the user's file, or `random`."""

    @property
    def board(self) -> Board:
        """The field."""

    @property
    def inventory(self) -> Inventory:
        """The terrain pieces at hand."""

    @property
    def rulings(self) -> Mapping[str, str]:
        """Every switch's choice."""

    @property
    def units(self) -> tuple[CampUnit, ...]:
        """Every unit on the board with its camp."""

    @property
    def forces(self) -> Mapping[Side, Raised]:
        """Both camps' units, in the order of the file."""

    @property
    def first(self) -> Side:
        """Who moves first."""

    @property
    def banners(self) -> int:
        """Victory banners to win."""

    @property
    def hand(self) -> int | None:
        """Command cards in a hand, where the councils do not say it."""

    @property
    def age(self) -> str:
        """`medieval` or `lore`."""

    def hand_of(self, camp: Side) -> int:
        """Command cards in a camp's hand."""

    @property
    def log(self) -> tuple[Step, ...]:
        """How it was drawn."""


UNIT_LIMIT = 100
"""A runaway file gets its answer at once: four cards hold 56 units."""


def row_keys(battle: Battle, camp: Side, unit: Unit, *more: str) -> KeyPath:
    """The keys of a unit's row in the scenario file; its camp's where the file left the units out."""
    force = battle.forces[camp]
    where = next((i for i, of in enumerate(force.units) if of is unit), None)
    return (camp,) if where is None or force.derived else (camp, "units", where, *more)


def corrected(board: Board, unit: Unit, at: Hex | None, kind: Kind | None = None) -> str:
    """A unit's row as it should be, ready to paste; its card is found again."""
    row: dict[str, object] = ({"id": unit.id} if unit.id else {}) | named_row(unit)
    words = kind_text(kind or unit.kind).removesuffix(f" {COMMON_RACE}")
    row |= {"hex": board.field.name(at) if at else OFF_BOARD, "unit": words}
    return text.value(row | ({"levy": True} if unit.levy else {})) + ","


def step_told(step: Step, told_by: Mapping[str, Words], names: Mapping[str, Words]) -> Words:
    """A step of a log in words: `told_by` has each kind of step, `names` what the ids in their results are called."""
    return stated(step, told_by, lambda part: names.get(part) or _word(step.what, part), OFF_BOARD)


def camps_step(step: Step, told_by: Mapping[str, Words], names: Mapping[str, Words]) -> Words:
    """As `step_told`, and whose step it was: as a finding tells it."""
    told, camp = step_told(step, told_by, names), words()["camp"].get(step.who or "")
    return words()["log"]["of"].fill(camp=camp, step=told) if camp else told


def _word(what: str, part: str) -> Words:
    if what == "map":
        if part == RANDOM:
            return words()["cover"][RANDOM]
        return house_maps()[part].name if part in house_maps() else same(part)
    names = {face.id: face.name for face in lore().play.face}
    if what == "dice":
        return joined([names.get(face, same(face)) for face in part.split()])
    if part in lore().banners:
        return lore().banners[part].name.low
    return same(part)


class BoardTable(MapForm, frozen=True, forbid_unknown_fields=True):
    """The field: drawn, or by the name of a map alone, which brings its ground."""

    profile: str = ""
    """The board: how many rows, and how long; `battlelore` or `memoir`. Left out, the map's, or that of the rows."""
    rows: str = ""
    """One symbol for each hex, apart by spaces, the far row first. Left out, those of the map."""
    map: Short = ""
    """The map that it comes from. Where `rows` stand, for the reader alone; else a house map, or the file that
    `[muster.files]` names."""


def _profile(rows: str) -> str:
    """The board whose rows are as long as those drawn, or else the usual one."""
    longest = max((len(symbols) for _, symbols in drawn_lines(rows)), default=0)
    usual, *_ = known = profiles()
    return next((name for name in known if max(known[name].field.rows) == longest), usual)


def board_lines(name: str, board: Board) -> list[str]:
    """The table [board]."""
    return ["", "[board]", *text.lines({"map": name} | drawing(board))]


def named_row(unit: Unit) -> dict[str, object]:
    """A unit's own name as an entry of its row; nothing where it has none."""
    return {"name": typed_name(unit.name)} if unit.name != NAMELESS else {}


def kind_text(kind: Kind) -> str:
    """`green common_bow human`."""
    return f"{kind.banner} {kind.weapon} {kind.race}"


class BattleReading(FileReader):
    """A battle's file while it is read."""

    def board(self, table: BoardTable, origin: Origin, folder: Path) -> Board:
        """The field; its faults end the reading, for nothing else makes sense without it."""
        if table.rows:
            of_rows = table if table.profile else replace(table, profile=_profile(table.rows))
            return read_board(of_rows, self.source, ("board",))
        own = beside("map", origin, folder, self.source)
        known = {name: of.ground for name, of in house_maps().items()}
        if own is not None and table.map in ("", own.name):
            known[table.map] = load_map(own).ground
        if table.map not in known:
            self.fault(
                ("board", "map"), say("no map {map!r}, and no `rows` either", map=table.map), near(table.map, known)
            )
            self.done()
        of = drawing(known[table.map])
        if table.profile not in ("", of["profile"]):
            self.fault(
                ("board", "profile"),
                say("the map {map} is drawn for another board than {profile}", map=table.map, profile=table.profile),
            )
            self.done()
        form = msgspec.convert(of, MapForm)
        laid = {"features": form.features | table.features, "cliffs": form.cliffs | table.cliffs}
        return read_board(replace(form, **laid), self.source, ("board",))

    def hex(self, at: KeyPath, name: str, board: Board) -> Hex | None:
        """A hex by name; None for a unit that is not deployed."""
        cell = board.field.find(name)
        if cell is None and name != OFF_BOARD:
            self.fault(
                at,
                say("no hex {name!r} on this board", name=name),
                near_cell(name, board.field.find, say("{off_board} means not deployed", off_board=OFF_BOARD)),
            )
        return cell

    def kind(self, at: KeyPath, text: str) -> Kind | None:
        """`green common_bow dwarf`; the race may be left out."""
        tables = lore()
        parts = text.split()
        accepted: tuple[Mapping[str, object], ...] = (tables.banners, tables.weapons, tables.races)
        if len(parts) == 2:
            parts.append(COMMON_RACE)
        if len(parts) != len(accepted):
            self.fault(
                at,
                say("{text!r} is no unit", text=text),
                say("banner, weapon and perhaps race, such as green common_bow"),
            )
            return None
        wrong = [(part, known) for part, known in zip(parts, accepted, strict=True) if part not in known]
        for part, known in wrong:
            self.fault(at, say("{part!r} is not known", part=part), near(part, known))
        return None if wrong else Kind(*parts)


def field(map_name: str, board: Board) -> dict[str, Any]:
    """The board: terrain by hex, features by hex, cliff sides by hex and direction."""
    name, cells = board.field.name, board.field.cells
    return {
        "profile": board.profile,
        "map": map_name,
        "terrain": {name(c): board.ground[c] for c in cells},
        "features": features(board),
        "hexsides": {name(c): {DIRECTIONS[d]: "cliff" for d in board.walls[c]} for c in cells if c in board.walls},
    }


def hands(battle: Battle) -> dict[str, Any]:
    """The command hand, null in Lore games, and each camp's."""
    medieval = battle.age == MEDIEVAL
    return {"hand": battle.hand if medieval else None, "hands": {camp: battle.hand_of(camp) for camp in OTHER}}


def features(board: Board) -> dict[str, str]:
    """What lies on hexes, by their names."""
    return {board.field.name(c): board.features[c] for c in board.field.cells if c in board.features}


def unit(board: Board, of: Unit) -> dict[str, Any]:
    """A unit."""
    return {
        "id": of.id,
        "name": asdict(of.name) if of.name.en else None,
        "hex": board.field.name(of.hex) if of.hex else None,
        "banner": of.kind.banner,
        "weapon": of.kind.weapon,
        "race": of.kind.race,
        "mounted": of.kind.arm == "mounted",
        "figures": of.figures,
    }
