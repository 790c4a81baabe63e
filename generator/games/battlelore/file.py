"""The parts of a scenario file that every battle on a BattleLore board shares (docs/formats/scenario.md)."""

from __future__ import annotations

from collections.abc import Mapping

from generator.errors import near
from generator.games.battlelore.battle import OFF_BOARD
from generator.games.battlelore.forces.units import Kind
from generator.games.battlelore.ground.board import Board
from generator.games.battlelore.ground.maps import Drawing, drawing, read_board
from generator.games.battlelore.lore import lore
from generator.games.filing import Reading, Short, near_cell
from generator.grid.hexes import Hex
from generator.notation import emit
from generator.notation.toml import KeyPath

UNIT_LIMIT = 100
"""A runaway file gets its answer at once: four cards hold 56 units."""


class BoardTable(Drawing, frozen=True, forbid_unknown_fields=True):
    """The field, drawn, and the name of the map it comes from."""

    map: Short = ""


def board_lines(name: str, board: Board) -> list[str]:
    """The table [board]."""
    return ["", "[board]", *emit.lines({"map": name} | drawing(board))]


def kind_text(kind: Kind) -> str:
    """`green common_bow human`."""
    return f"{kind.banner} {kind.weapon} {kind.race}"


class BattleReading(Reading):
    """A battle's file while it is read."""

    def board(self, table: BoardTable) -> Board:
        """The field; its faults end the reading, for nothing else makes sense without it."""
        drawn = Drawing(table.profile, table.rows, table.features, table.cliffs)
        return read_board(drawn, self.source, ("board",))

    def hex(self, at: KeyPath, name: str, board: Board) -> Hex | None:
        """A hex by name; None for a unit that is not deployed."""
        cell = board.field.find(name)
        if cell is None and name != OFF_BOARD:
            self.fault(
                at,
                f"no hex {name!r} on this board",
                near_cell(name, board.field.find, f"{OFF_BOARD} means not deployed"),
            )
        return cell

    def kind(self, at: KeyPath, text: str) -> Kind | None:
        """`green common_bow dwarf`; the race may be left out."""
        tables = lore()
        parts = text.split()
        accepted: tuple[Mapping[str, object], ...] = (tables.banners, tables.weapons, tables.races)
        if len(parts) == 2:
            parts.append("human")
        if len(parts) != len(accepted):
            self.fault(at, f"{text!r} is no unit", "banner, weapon and perhaps race, such as green common_bow")
            return None
        wrong = [(part, known) for part, known in zip(parts, accepted, strict=True) if part not in known]
        for part, known in wrong:
            self.fault(at, f"{part!r} is not known", near(part, known))
        return None if wrong else Kind(*parts)
