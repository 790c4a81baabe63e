"""Movement and lines of sight in a battle, and the results of `muster sight`."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, TypeVar

from generator.common.game import RulingImpact, SightClaims, SightTool
from generator.common.interpretations import choice_texts
from generator.common.interpretations import rulings as switches
from generator.common.tables import connected, reachable
from generator.errors import WrongUsageError
from generator.games.battlelore.forces import Kind, Unit
from generator.games.battlelore.ground import Board, words
from generator.games.battlelore.model import Battle
from generator.games.battlelore.tables import lore
from generator.grid.hexes import Hex
from generator.localization import tr
from generator.model.words import LANGS, Words, joined, same
from generator.sight.trace import Lines, Ruled, Screens, Sight, Traced, judge, lines


def run(kind: Kind) -> int:
    """Return the maximum number of hexes a unit of this kind moves without a battle."""
    return kind.run


def reach(board: Board, taken: Container[Hex], at: Hex, steps: int) -> dict[Hex, int]:
    """Return the hexes that a unit can reach from `at`, each with its number of steps. `taken` are occupied hexes.

    A unit cannot enter an occupied hex and must end its move in terrain that stops it (seed).
    """

    def ways(here: Hex) -> list[Hex]:
        adjacent = board.field.neighbours(here) if here == at or not stops(board, here) else ()
        return [cell for cell in adjacent if cell not in taken and board.step(here, cell)]

    return {cell: count for cell, count in reachable([at], ways, steps) if count}


def stops(board: Board, cell: Hex) -> bool:
    """Return whether a unit must end its move in a hex because of its terrain or feature."""
    feature = board.feature(cell)
    return board.terrain(cell).move == "stop" or (feature is not None and feature.move == "stop")


def may_battle(board: Board, kind: Kind, end: Hex) -> bool:
    """Return whether a unit of this kind may battle in the turn in which it has moved to the hex `end`."""
    grounds = (board.terrain(end), board.feature(end))
    return all(g is None or g.battle == "all" or (g.battle == "foot_bows" and kind.bow) for g in grounds)


def screens(board: Board, units: Iterable[Hex], rulings: Mapping[str, str]) -> Screens:
    """Return the hexes that block lines of sight under the rulings: units, blocking terrain and the board's edge.

    The ruling `hill` determines which lines pass over hills. With `adjacent`, a hill next to either end of a line
    does not block the line. The seed states this only for shots from a hill; the ruling makes it symmetric. With
    `plateau`, a hill does not block if both ends are in its connected group of hills. Under either choice a cliff
    does not block a line with an end on an adjacent hill or cliff (seed).
    """
    grid = board.field
    of = lines(grid)
    always = of.mask(units) | (of.off if rulings["edge"] == "blocks" else 0)
    groups = _groups(board, of) if rulings["hill"] == "plateau" else {}
    grouped = of.mask(groups)
    kinds = {name: lore().terrain[name] for name in set(board.ground.values())}
    solid = {name for name, kind in kinds.items() if kind.blocks and not kind.open_from}
    raised = {name for name, kind in kinds.items() if kind.open_from}
    always |= of.mask(cell for cell, name in board.ground.items() if name in solid)
    high = {cell: kinds[name] for cell, name in board.ground.items() if name in raised}
    liftable = of.mask(high) & ~grouped
    lifted = [0] * len(grid.cells)
    for cell, kind in high.items():
        for neighbour in grid.neighbours(cell):
            if board.ground[neighbour] in kind.open_from:
                lifted[grid.index[neighbour]] |= of.mask([cell])
    either = tuple(always | liftable & ~open_here for open_here in lifted)
    both = tuple(grouped & ~groups.get(cell, 0) for cell in grid.cells)
    return Screens(of, either, both, rulings["hexside"] == "cumulative")


SWITCHES = ("hill", "hexside", "edge")
"""The rulings that `screens` depends on."""


def _groups(board: Board, of: Lines) -> dict[Hex, int]:
    """Return, for each hill, a mask of the hills that are connected to it."""
    hills = (
        c for c in board.field.cells if board.ground[c] in board.terrain(c).open_from and not board.terrain(c).sides
    )
    return {cell: of.mask(group) for group in connected(hills, board.field.neighbours) for cell in group}


B = TypeVar("B", bound=Battle)


class Query:
    """Lines of sight on one board with given units and rulings."""

    def __init__(
        self,
        board: Board,
        units: frozenset[Hex],
        rulings: Mapping[str, str],
        known: Sequence[Unit] = (),
    ) -> None:
        """Create a query. `known` contains the units whose ids are accepted in queries and shown in results."""
        self.board, self.units, self.rulings = board, units, rulings
        self.named = {unit.id.upper(): unit.hex for unit in known}
        self.standing = {unit.hex: unit for unit in known}
        self.over: Screens = screens(board, units, rulings)

    def pairs(self) -> Iterator[dict[str, object]]:
        """Yield every unordered pair of hexes, in the field's order."""
        cells = self.board.field.cells
        for i, a in enumerate(cells):
            for b in cells[i + 1 :]:
                yield self.row(judge(self.over, a, b))

    def traced(self) -> Traced:
        """Return every line of sight on the board as claims to verify."""
        return Traced(tuple(combinations(self.board.field.cells, 2)), self.board.field.name)

    def proof(self) -> Iterator[tuple[dict[str, str], tuple[Traced | Ruled, ...]]]:
        """Yield every line of sight under each combination of the rulings that it depends on."""
        known = [switches("battlelore")[name] for name in SWITCHES]
        for choices in product(*(switch.choice for switch in known)):
            made = {switch.id: choice.id for switch, choice in zip(known, choices, strict=True)}
            yield made, (self.traced(), Ruled(screens(self.board, self.units, made)))

    def line(self, start: str, end: str) -> Sight:
        """Return the line between two hexes, each given by its name or by the id of its unit.

        Raises WrongUsageError if a hex or unit does not exist.
        """
        a, b = (self._hex(name.upper()) for name in (start, end))
        if a == b:
            raise WrongUsageError(tr("give two different hexes"))
        return judge(self.over, a, b)

    def lines_from(self, start: str) -> Iterator[dict[str, object]]:
        """Yield the lines from a hex, given by its name or by the id of its unit, to all other hexes.

        Raises WrongUsageError if the hex or unit does not exist.
        """
        a = self._hex(start.upper())
        return (self.row(judge(self.over, a, b)) for b in self.board.field.cells if b != a)

    def _hex(self, name: str) -> Hex:
        if found := self.board.field.find(name) or self.named.get(name):
            return found
        if name in self.named:
            raise WrongUsageError(tr("{name} is a unit that is not on the board", name=name))
        last = self.board.field.name(self.board.field.cells[-1])
        raise WrongUsageError(
            tr("there is no hex or unit {name!r} on this board; its hexes are A1 to {last}", name=name, last=last)
        )

    def row(self, line: Sight) -> dict[str, object]:
        """Return a line of sight as values for JSON (docs/json.md)."""
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
            "left": [name(c) for c in line.left],
            "right": [name(c) for c in line.right],
            "edge": len(line.left) != len(line.right),
            "blocked_by": [name(c) for c in line.blocked_by],
            "blockers": [self._blocker(c) for c in line.blocked_by],
            "off_board": line.off_board,
            "rule": self.rule(line),
            "rulings": {ruling: self.rulings[ruling] for ruling in self._in_force(line)},
        }

    def rule(self, line: Sight) -> str:
        """Return the rule that decides a line: `adjacent`, `cliff_side`, `clear`, `hex` or `hexside`."""
        if line.distance == 1:
            return "cliff_side" if self.board.wall_between(line.start, line.end) else "adjacent"
        if line.clear:
            return "clear"
        return "hex" if any(c in line.through for c in line.blocked_by) else "hexside"

    def explain(self, line: Sight) -> Words:
        """Return an explanation of a line of sight."""
        texts, name = words()["sight"], self.board.field.name

        def cells(of: tuple[Hex, ...]) -> Words:
            return joined([same(name(c)) for c in of]) if of else texts["nothing"]

        def side_words(hexes: tuple[Hex, ...], other: tuple[Hex, ...]) -> Words:
            # Every hexside has a hex on either side. If fewer hexes are on one side, the others are off the board.
            off = [texts["off_board"]] * (len(hexes) < len(other))
            return joined([*(same(name(c)) for c in hexes), *off])

        ends = texts["ends_near" if line.distance == 1 else "ends"]
        parts = [ends.fill(start=name(line.start), end=name(line.end), n=line.distance)]
        if line.distance > 1:
            parts.append(texts["through"].fill(cells=cells(line.through)))
        if line.distance > 1 and (line.left or line.right):
            left, right = side_words(line.left, line.right), side_words(line.right, line.left)
            parts.append(texts["along"].fill(left=left, right=right))
        if line.blocked_by or line.off_board:
            what = [self._what(c) for c in line.blocked_by] + ([texts["off_board"]] if line.off_board else [])
            parts.append(texts["blocked"].fill(what=joined(what)))
        parts.append(texts[f"rule_{self.rule(line)}"])
        if in_force := self._in_force(line):
            known = switches("battlelore")
            chosen = ((known[name], known[name][self.rulings[name]]) for name in in_force)
            parts.append(
                texts["rulings"].fill(list=joined(texts["ruling"].fill(name=r.name, as_=c.label) for r, c in chosen))
            )
        return joined(parts, "\n", "\n")

    def _in_force(self, line: Sight) -> list[str]:
        """Return the rulings that can affect this line: over hills, along hexsides or along the board's edge."""
        if line.distance == 1:
            return []
        obstacles = (*line.through, *line.left, *line.right)
        says = {
            "hill": any(self.board.terrain(c).open_from and not self.board.terrain(c).sides for c in obstacles),
            "hexside": bool(line.left or line.right),
            "edge": len(line.left) != len(line.right),
        }
        return [ruling for ruling, holds in says.items() if holds]

    def _blocker(self, cell: Hex) -> dict[str, object]:
        """Return a blocking hex and its contents as values for JSON."""
        what = "unit" if cell in self.units else self.board.ground[cell]
        row: dict[str, object] = {"hex": self.board.field.name(cell), "what": what}
        return row | ({"unit": self.standing[cell].id} if cell in self.standing else {})

    def _what(self, cell: Hex) -> Words:
        """Return a description of a blocking hex with its unit or, if there is no unit, its terrain."""
        texts = words()["sight"]
        if cell in self.standing:
            unit = self.standing[cell]
            what = texts["named"].fill(unit=unit.label, kind=unit.kind.name.low)
        else:
            what = (texts["unit"] if cell in self.units else self.board.terrain(cell).name).low
        return texts["stop"].fill(hex=self.board.field.name(cell), what=what)


def sight_tool(placed: Callable[[B], Battle] = lambda battle: battle) -> SightTool[B]:
    """Return the tool for `muster sight`. `placed` returns the battle with its units set up."""

    def verifiable(battle: B, rows: Iterable[Mapping[str, Any]]) -> tuple[Traced]:
        field = placed(battle).board.field
        ends = ((field.find(row["from"]), field.find(row["to"])) for row in rows)
        return (Traced(tuple((a, b) for a, b in ends if a and b), field.name),)

    return SightTool(
        pairs=lambda battle: _query(placed(battle)).pairs(),
        pair=lambda battle, a, b: (query := _query(placed(battle))).row(query.line(a, b)),
        lines_from=lambda battle, a: _query(placed(battle)).lines_from(a),
        explain=lambda battle, a, b: (query := _query(placed(battle))).explain(query.line(a, b)),
        line=lambda row: Words(
            *(f"{row['from']} {row['to']} {row['distance']} {_verdict(row)[lang]}" for lang in LANGS)
        ),
        claims=SightClaims(
            rows=verifiable,
            # Printed pages show fields of fire, firing positions, and the effects of rulings on every line.
            printed=lambda battle: (_query(placed(battle)).traced(),),
            proof=lambda battle: _query(placed(battle)).proof(),
            rulings=lambda battle: battle.rulings,
            readings=choice_texts([switches("battlelore")[name] for name in SWITCHES]),
        ),
    )


def sight_stake(placed: Callable[[B], Battle] = lambda battle: battle) -> RulingImpact[B]:
    """Return a measure of how the rulings for hills, hexsides and the board's edge affect lines of sight."""

    def clear(battle: B) -> dict[Words, Words]:
        over, texts = _query(on := placed(battle)).over, words()["sight"]
        names = [on.board.field.name(cell) for cell in on.board.field.cells]
        return {same(f"{names[a]}–{names[b]}"): texts["is_clear"] for a, b in over.all_clear()}

    return RulingImpact("sight", clear, SWITCHES)


def _query(on: Battle) -> Query:
    """Return the lines of sight in a battle."""
    units = [unit for _, unit in on.units]
    return Query(on.board, frozenset(unit.hex for unit in units if unit.hex), on.rulings, units)


def _verdict(row: Mapping[str, Any]) -> Words:
    texts = words()["sight"]
    if row["melee"]:
        return texts["is_barred" if row["cliff"] else "is_melee"]
    if row["clear"]:
        return texts["is_clear"]
    what = [same(cell) for cell in row["blocked_by"]] + [texts["edge"]] * row["off_board"]
    return texts["is_blocked"].fill(what=joined(what))
