"""Sight as a query: one line told in full, or every pair of a board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from generator.errors import WrongUsageError
from generator.games.battlelore.board import Board
from generator.games.battlelore.sight import screens
from generator.games.battlelore.words import words
from generator.grid.hexes import Hex
from generator.model.words import Words, joined, same
from generator.sight.lines import Screens, Sight, judge


class Query:
    """Lines of sight on one board with these units and rulings."""

    def __init__(self, board: Board, units: frozenset[Hex], rulings: Mapping[str, str]) -> None:
        self.board, self.units, self.rulings = board, units, rulings
        self.over: Screens = screens(board, units, rulings)

    def pairs(self) -> Iterator[dict[str, object]]:
        """Every unordered pair of hexes, in the field's order."""
        cells = self.board.field.cells
        for i, a in enumerate(cells):
            for b in cells[i + 1 :]:
                yield self.row(judge(self.over, a, b))

    def line(self, start: str, end: str) -> Sight:
        """The line between two hexes by name; WrongUsageError where there is no such hex."""
        ends = [self.board.field.find(name) for name in (start, end)]
        for name, cell in zip((start, end), ends, strict=True):
            if cell is None:
                raise WrongUsageError(f"no hex {name!r} on this board: hexes are A1 to {self._last()}")
        if start == end:
            raise WrongUsageError("name two different hexes")
        a, b = ends
        assert a and b
        return judge(self.over, a, b)

    def row(self, line: Sight) -> dict[str, object]:
        """A line as plain values (docs/json.md)."""
        name = self.board.field.name
        return {
            "from": name(line.start),
            "to": name(line.end),
            "distance": line.distance,
            "clear": line.clear,
            "melee": line.distance == 1,
            "cliff": self.board.wall_between(line.start, line.end),
            "through": [name(c) for c in line.through],
            "along": [name(c) for c in (*line.left, *line.right)],
            "blocked_by": [name(c) for c in line.blocked_by],
            "off_board": line.off_board,
            "rule": self.rule(line),
        }

    def rule(self, line: Sight) -> str:
        """By which rule the line is clear or blocked: adjacent, cliff_side, clear, hex, hexside."""
        if line.distance == 1:
            return "cliff_side" if self.board.wall_between(line.start, line.end) else "adjacent"
        if line.clear:
            return "clear"
        return "hex" if any(c in line.through for c in line.blocked_by) else "hexside"

    def explain(self, line: Sight) -> Words:
        """The line in sentences."""
        say, name = words("battlelore")["sight"], self.board.field.name

        def cells(of: tuple[Hex, ...]) -> Words:
            return joined([same(name(c)) for c in of]) if of else say["nothing"]

        parts = [
            say["ends"].fill(start=name(line.start), end=name(line.end), n=line.distance),
            say["through"].fill(cells=cells(line.through)),
        ]
        if line.left or line.right:
            parts.append(say["along"].fill(left=cells(line.left), right=cells(line.right)))
        if line.blocked_by or line.off_board:
            what = [self._what(c) for c in line.blocked_by] + ([say["off_board"]] if line.off_board else [])
            parts.append(say["blocked"].fill(what=joined(what)))
        parts.append(say[f"rule_{self.rule(line)}"])
        return Words("\n".join(p.en for p in parts), "\n".join(p.ja for p in parts))

    def _what(self, cell: Hex) -> Words:
        say = words("battlelore")["sight"]
        what = say["unit"] if cell in self.units else self.board.terrain(cell).name
        return say["stop"].fill(hex=self.board.field.name(cell), what=Words(what.en.lower(), what.ja))

    def _last(self) -> str:
        return self.board.field.name(self.board.field.cells[-1])
