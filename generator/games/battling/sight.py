"""Answer queries about lines of sight between hexes, and list the lines that pages and rules use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from generator.common.game import SightClaims, SightTool
from generator.errors import WrongUsageError
from generator.games.battling.ground import ACROSS, Arena
from generator.games.battling.model import Scenario
from generator.games.battling.tables import words
from generator.grid.columns import Numbered, distance
from generator.localization import tr
from generator.model.words import LANGS, Words, joined, same
from generator.sight.silhouettes import Past, SightLine, Stopped
from generator.sight.trace import Traced, crossing, traced

AT_ONCE = 100_000
"""The number of lines that are verified together. A large arena has millions of pairs."""

Ends = tuple[Numbered, Numbered, bool]
"""Two hexes, and whether the line between them is clear."""
Stop = tuple[Numbered, Numbered, tuple[float, float]]
"""The ends of a blocked line, and the point where it is blocked, on the lattice of hexes."""
Claims = Iterator[Past | Stopped]


def pairs(arena: Arena) -> Iterator[dict[str, object]]:
    """Yield the line between each unordered pair of open hexes, in the field's order."""
    return (row(arena, a, b) for a, b in combinations(arena.open_cells, 2))


def row(arena: Arena, a: Numbered, b: Numbered) -> dict[str, object]:
    """Return a line as JSON-compatible values (docs/json.md)."""
    name, line, crossed = arena.field.name, arena.sight(a, b), crossing(arena.field, a, b)
    left, right = ([name(cell) for cell in cells] for cells in (crossed.left, crossed.right))
    return {
        "from": name(a),
        "to": name(b),
        "distance": distance(a, b),
        "clear": line.clear,
        "through": [name(cell) for cell in crossed.through],
        "along": [*left, *right],
        "left": left,
        "right": right,
        "edge": len(left) != len(right),
        "blocked_at": list(_in_floats(line.blocked_at)) if line.blocked_at else None,
        "blocked_in": [name(cell) for cell in arena.stopped_in(a, b, line)],
        "blocked_percent": _percent(arena, a, b, line),
    }


def ends(battle: Scenario, start: str, end: str) -> tuple[Numbered, Numbered]:
    """Return two different hexes, given by their own names or those of machines.

    Raises:
        WrongUsageError: If a name is unknown or both ends are the same hex.
    """
    a, b = _hex(battle, start), _hex(battle, end)
    if a == b:
        raise WrongUsageError(tr("give two different hexes"))
    return a, b


def lines_from(battle: Scenario, start: str) -> Iterator[dict[str, object]]:
    """Yield the lines from a hex to all open hexes. The hex is given by its own name or a machine's.

    Raises:
        WrongUsageError: If the name is unknown.
    """
    a, arena = _hex(battle, start), battle.arena
    return (row(arena, a, b) for b in arena.open_cells if b != a)


def _hex(battle: Scenario, name: str) -> Numbered:
    field = battle.arena.field
    hexes = {machine.id: machine.cell for squad in battle.squads.values() for machine in squad.machines}
    if cell := field.find(name) or hexes.get(name.upper()):
        return cell
    last = field.name(field.cells[-1])
    raise WrongUsageError(
        tr("there is no hex or machine {name!r} in this arena; its hexes are 0101 to {last}", name=name, last=last)
    )


def explain(arena: Arena, a: Numbered, b: Numbered) -> Words:
    """Explain a line in sentences."""
    texts, name, crossed = words()["sight"], arena.field.name, crossing(arena.field, a, b)

    def cells(of: Iterable[Numbered]) -> Words:
        return joined([same(name(cell)) for cell in of])

    parts = [texts["ends"].fill(start=name(a), end=name(b), n=distance(a, b))]
    if crossed.through:
        parts.append(texts["passes"].fill(cells=cells(crossed.through)))
    if crossed.left or crossed.right:
        sides = {
            side: cells(of) if of else texts["off"] for side, of in (("left", crossed.left), ("right", crossed.right))
        }
        parts.append(texts["along"].fill(**sides))
    line = arena.sight(a, b)
    if line.clear:
        parts.append(texts["clear"])
    else:
        values = {"hex": cells(arena.stopped_in(a, b, line)), "percent": _percent(arena, a, b, line)}
        parts.append(texts["blocked"].fill(**values))
    return joined(parts, "\n", "\n")


def _in_floats(at: tuple[Fraction, Fraction]) -> tuple[float, float]:
    """Return a point as floats."""
    return float(at[0]), float(at[1])


def _percent(arena: Arena, a: Numbered, b: Numbered, line: SightLine) -> int | None:
    """Return the percentage of a line's length at which it is blocked, or None if it is clear."""
    if line.blocked_at is None:
        return None
    start, end = arena.field.centre(a), arena.field.centre(b)
    axis = 0 if start[0] != end[0] else 1
    return round(100 * (line.blocked_at[axis] - start[axis]) / (end[axis] - start[axis]))


def in_words(of: Mapping[str, Any]) -> Words:
    """Return a text for a row of the list of all pairs."""
    texts = words()["sight"]
    verdict = (
        texts["is_clear"] if of["clear"] else texts["is_blocked"].fill(hex=joined(list(map(same, of["blocked_in"]))))
    )
    return Words(*(f"{of['from']} {of['to']} {of['distance']} {verdict[lang]}" for lang in LANGS))


class _Witness(Arena, frozen=True):
    """An arena that records the lines that are queried."""

    @cached_property
    def lines(self) -> set[Ends]:
        """The recorded lines, and whether each is clear."""
        return set()

    @cached_property
    def stopped(self) -> set[Stop]:
        """The points where recorded lines are blocked."""
        return set()

    def sight(self, a: Numbered, b: Numbered) -> SightLine:
        line = super().sight(a, b)
        self.lines.add((a, b, line.clear))
        if line.blocked_at:
            self.stopped.add((a, b, _in_floats(line.blocked_at)))
        return line

    def in_sight(self, a: Numbered, b: Numbered) -> bool:
        clear = super().in_sight(a, b)
        self.lines.add((a, b, clear))
        return clear

    def clear(self, a: Numbered, b: Numbered) -> bool:
        clear = super().clear(a, b)
        self.lines.add((a, b, clear))
        return clear


Observer = Callable[[Scenario], object]
"""A function that queries lines of sight, such as one for a page or a measure of fairness."""


def _checked(scenario: Scenario) -> set[Ends]:
    """Return the lines that the rules use, which are those between opposite edges."""
    arena, sides = scenario.arena, [squad.edge for squad in scenario.squads.values()]
    ends = {(a, b) for edge in (*arena.edges, *sides) for a in arena.edge(edge) for b in arena.edge(ACROSS[edge])}
    return {(a, b, arena.clear(a, b)) for a, b in ends if a < b}


def _watched(scenario: Scenario, *observers: Observer, besides: Iterable[Ends] = ()) -> Claims:
    """Yield the lines that the given functions query, and the points where they are blocked.

    The functions are called again with an arena that records their queries.
    """
    arena = scenario.arena
    witness = _Witness(arena.field, arena.silhouettes, arena.fine, arena.edges)
    # The recording arena and the real one share their cached results.
    vars(witness).update(vars(arena))
    watched = replace(scenario, arena=witness)
    for observe in observers:
        observe(watched)
    vars(arena).update((name, found) for name, found in vars(witness).items() if name not in ("lines", "stopped"))
    lines = {(min(a, b), max(a, b), clear) for a, b, clear in witness.lines if a != b}
    yield from _past(arena, sorted(lines.union(besides)))
    yield from _stops(arena, sorted(witness.stopped))


def _stops(arena: Arena, stops: Iterable[Stop]) -> Iterator[Stopped]:
    """Yield the points where lines are blocked, in the form that can be verified."""
    points = [(a, b, (arena.fine * x, arena.fine * y)) for a, b, (x, y) in stops]
    for first in range(0, len(points), AT_ONCE):
        yield Stopped(arena.silhouettes, tuple(points[first : first + AT_ONCE]), arena.point, arena.field.name)


def _past(arena: Arena, lines: Iterable[Ends]) -> Iterator[Past]:
    """Yield lines in the form that can be verified."""
    some: list[Ends] = []
    for line in lines:
        some.append(line)
        if len(some) == AT_ONCE:
            yield Past(arena.silhouettes, tuple(some), arena.point, arena.field.name)
            some = []
    if some:
        yield Past(arena.silhouettes, tuple(some), arena.point, arena.field.name)


def _enemies(scenario: Scenario) -> None:
    """Query the lines between all pairs of enemies, as the tables of distances do."""
    first, second = (squad.machines for squad in scenario.squads.values())
    for machine in first:
        for enemy in second:
            if machine.cell != enemy.cell:
                scenario.arena.sight(machine.cell, enemy.cell)
                scenario.arena.sight(enemy.cell, machine.cell)


def _row_claims(arena: Arena, rows: Iterable[Mapping[str, Any]]) -> Iterator[Past | Stopped | Traced]:
    """Yield the facts of rows to verify: hexes on each line, whether it is clear, and where it is blocked."""
    cells, rows = {arena.field.name(cell): cell for cell in arena.field.cells}, list(rows)
    lines = [(cells[row["from"]], cells[row["to"]], row["clear"]) for row in rows]
    yield traced(arena.field, ((a, b) for a, b, _ in lines))
    yield from _past(arena, lines)
    stops = [row["blocked_at"] for row in rows]
    yield from _stops(arena, ((a, b, at) for (a, b, _), at in zip(lines, stops, strict=True) if at))


def _proof(arena: Arena) -> Iterator[tuple[dict[str, str], Iterable[Past]]]:
    """Yield all pairs of open hexes. No ruling of this game affects sight."""
    yield {}, _past(arena, ((a, b, arena.in_sight(a, b)) for a, b in combinations(arena.open_cells, 2)))


def sight_tool(*observers: Observer) -> SightTool[Scenario]:
    """Return the sight queries of a battle. Machines do not block sight.

    `observers` are the functions whose lines of sight are printed in the kit.
    """
    return SightTool(
        pairs=lambda battle: pairs(battle.arena),
        pair=lambda battle, a, b: row(battle.arena, *ends(battle, a, b)),
        lines_from=lines_from,
        explain=lambda battle, a, b: explain(battle.arena, *ends(battle, a, b)),
        line=in_words,
        claims=SightClaims(
            rows=lambda battle, rows: _row_claims(battle.arena, rows),
            printed=lambda battle: _watched(battle, _enemies, *observers, besides=_checked(battle)),
            proof=lambda battle: _proof(battle.arena),
            checked=lambda battle: _past(battle.arena, sorted(_checked(battle))),
            watched=_watched,
        ),
    )
