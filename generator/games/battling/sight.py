"""Sight as a query: one line told in full, or every pair of hexes that may be entered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from generator.common.game import SightTool
from generator.common.tables import words
from generator.errors import WrongUsageError
from generator.games.battling.ground import Arena
from generator.games.battling.model import Scenario
from generator.grid.columns import Numbered, distance
from generator.model.words import LANGS, Words, joined, same
from generator.said import say
from generator.sight.crossings import crossing


def pairs(arena: Arena) -> Iterator[dict[str, object]]:
    """Every unordered pair of open hexes, in the field's order."""
    cells = arena.open_cells
    for i, a in enumerate(cells):
        for b in cells[i + 1 :]:
            yield row(arena, a, b)


def row(arena: Arena, a: Numbered, b: Numbered) -> dict[str, object]:
    """A line as plain values (docs/json.md)."""
    name, line, met = arena.field.name, arena.sight(a, b), crossing(arena.field, a, b)
    return {
        "from": name(a),
        "to": name(b),
        "distance": distance(a, b),
        "clear": line.clear,
        "through": [name(cell) for cell in met.through],
        "along": [name(cell) for cell in met.along],
        "blocked_at": [float(part) for part in line.blocked_at] if line.blocked_at else None,
        "blocked_in": [name(cell) for cell in arena.field.holding(*line.blocked_at)] if line.blocked_at else [],
    }


def ends(battle: Scenario, start: str, end: str) -> tuple[Numbered, Numbered]:
    """Two different hexes, by their names or by their machines'; WrongUsageError where there is none."""
    field = battle.arena.field
    standing = {machine.id: machine.cell for squad in battle.squads.values() for machine in squad.machines}
    a, b = (field.find(name) or standing.get(name.upper()) for name in (start, end))
    last = field.name(field.cells[-1])
    for name, cell in ((start, a), (end, b)):
        if cell is None:
            raise WrongUsageError(
                say("no hex {name!r} in this arena and no machine: hexes are 0101 to {last}", name=name, last=last)
            )
    if a is None or b is None or a == b:
        raise WrongUsageError(say("name two different hexes"))
    return a, b


def explain(arena: Arena, a: Numbered, b: Numbered) -> Words:
    """A line in sentences."""
    say, name, met = words("battling")["sight"], arena.field.name, crossing(arena.field, a, b)
    parts = [say["ends"].fill(start=name(a), end=name(b), n=distance(a, b))]
    if met.through:
        parts.append(say["passes"].fill(cells=joined([same(name(cell)) for cell in met.through])))
    if met.along:
        parts.append(say["along"].fill(cells=joined([same(name(cell)) for cell in met.along])))
    line = arena.sight(a, b)
    if line.blocked_at is None:
        parts.append(say["clear"])
    else:
        hexes = joined([same(name(cell)) for cell in arena.field.holding(*line.blocked_at)])
        parts.append(say["blocked"].fill(hex=hexes, percent=_percent(arena, a, b, line.blocked_at)))
    return joined(parts, "\n", "\n")


def _percent(arena: Arena, a: Numbered, b: Numbered, at: tuple[Fraction, Fraction]) -> int:
    """How far along the line a point of it lies."""
    start, end = arena.field.centre(a), arena.field.centre(b)
    axis = 0 if start[0] != end[0] else 1
    return round(100 * (at[axis] - start[axis]) / (end[axis] - start[axis]))


def in_words(of: Mapping[str, Any]) -> Words:
    """A row of the list of all pairs."""
    say = words("battling")["sight"]
    verdict = (
        say["is_clear"] if of["clear"] else say["is_blocked"].fill(hex=joined(list(map(same, of["blocked_in"]))))
    )
    return Words(*(f"{of['from']} {of['to']} {of['distance']} {verdict[lang]}" for lang in LANGS))


def sight_tool() -> SightTool[Scenario]:
    """Sight as a query on a battle; machines block nothing."""
    return SightTool(
        pairs=lambda battle: pairs(battle.arena),
        pair=lambda battle, a, b: row(battle.arena, *ends(battle, a, b)),
        explain=lambda battle, a, b: explain(battle.arena, *ends(battle, a, b)),
        line=in_words,
    )
