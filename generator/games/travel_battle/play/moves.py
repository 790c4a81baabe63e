"""Movement as a query: the squares a unit may reach when its player's move begins, and why no others.

A turn's numbers are data (army.toml, terrain.toml, moves.toml). Nobody passes through a square that is taken;
infantry may end its move with other infantry (house). Two that share a square may go together or part (house), so
each has moves of its own. A move may end in the square of an enemy brigadier, who then steps aside (seed). Contact
with enemies ends no move: no rule says so.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import cache
from typing import Literal

import msgspec

from generator.errors import Problem, WrongUsageError, near
from generator.games.travel_battle.play.linking import linked
from generator.games.travel_battle.scenario import Player, Scenario, Unit
from generator.grid.squares import Square, distance
from generator.model.views import Shade
from generator.model.words import Words, joined, same
from generator.notation import toml
from generator.store.folders import shipped

Held = Literal["unlinked", "square"]
Bar = Literal["ground", "enemy", "full", "way"]


class March(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What moves.toml holds."""

    road: int
    held: dict[Held, Words]
    barred: dict[Bar, Words]
    told: dict[str, Words]


class Move(msgspec.Struct, frozen=True):
    """A square that a unit may move to."""

    cell: Square
    steps: int
    """How many squares the shortest lawful way there has."""
    road: bool
    """Whether it takes the road bonus to get there."""
    joins: str = ""
    """The infantry that it would share the square with."""
    drives: str = ""
    """The enemy brigadier who would step aside for it."""
    contacts: tuple[str, ...] = ()
    """The enemies it would touch, at a corner even; brigadiers, who do not fight, left out."""


class Moves(msgspec.Struct, frozen=True):
    """All that a unit may do by moving."""

    unit: Unit
    held: Held | None
    """Why it may not move at all."""
    reached: tuple[Move, ...]
    barred: Mapping[Square, Bar]
    """The squares that are near enough and out of reach all the same, and why; both lists in the field's order."""


@cache
def march() -> March:
    """The numbers and words of movement."""
    return toml.read(shipped("data") / "travel_battle" / "moves.toml", March)


def moves(scenario: Scenario, unit: Unit) -> Moves:
    """The moves of a unit on the battlefield; ValueError for one that is not on it."""
    if unit.cell is None:
        raise ValueError(f"{unit.id} is not on the battlefield")
    held = held_by(scenario, unit)
    if held:
        return Moves(unit, held, (), {})
    steps = _steps(scenario, unit, unit.cell)
    near = [cell for cell in scenario.battlefield.land.field.cells if _near(scenario, unit, unit.cell, cell)]
    reached = tuple(_move(scenario, unit, cell, steps[cell]) for cell in near if cell in steps)
    barred: dict[Square, Bar] = {cell: _barred(scenario, unit, cell) or "way" for cell in near if cell not in steps}
    return Moves(unit, None, reached, barred)


def named(scenario: Scenario, name: str) -> Moves:
    """The moves of the unit of that id, in any case; WrongUsageError where no such unit is on the battlefield."""
    on = {id_: unit for id_, (_player, _brigade, unit) in scenario.units.items() if unit.cell is not None}
    unit = next((unit for id_, unit in on.items() if id_.casefold() == name.casefold()), None)
    if unit is None:
        raise WrongUsageError(Problem(f"no unit {name!r} is on the battlefield", hint=near(name, on)))
    return moves(scenario, unit)


def held_by(scenario: Scenario, unit: Unit) -> Held | None:
    """Why a unit may not move at all: it is in square, or no chain of its brigade leads to its brigadier."""
    if unit.square:
        return "square"
    _player, brigade, _unit = scenario.units[unit.id]
    leader = brigade.brigadier
    if leader is None or leader.cell is None:
        return "unlinked"
    chain = linked(leader.cell, (other.cell for other in brigade.units if other.cell is not None))
    return None if unit.cell in chain else "unlinked"


def row(scenario: Scenario, found: Moves) -> dict[str, object]:
    """What a unit may do as plain values (docs/json.md)."""
    name = scenario.battlefield.land.field.name
    assert found.unit.cell is not None
    return {
        "unit": found.unit.id,
        "from": name(found.unit.cell),
        "held": found.held,
        "moves": [
            {
                "to": name(move.cell),
                "steps": move.steps,
                "road": move.road,
                "joins": move.joins or None,
                "drives": move.drives or None,
                "contacts": list(move.contacts),
            }
            for move in found.reached
        ],
        "barred": [{"square": name(cell), "why": why} for cell, why in found.barred.items()],
    }


def told(scenario: Scenario, found: Moves) -> list[Words]:
    """What a unit may do in words, a line for each square."""
    say, name, unit = march().told, scenario.battlefield.land.field.name, found.unit
    assert unit.cell is not None
    lines = [say["head"].fill(unit=unit.id, kind=_lower(unit.kind.name), cell=name(unit.cell))]
    if found.held:
        return [*lines, march().held[found.held].fill(unit=unit.id)]
    beside = [same(other.id) for _player, other in scenario.standing[unit.cell] if other != unit]
    lines += [say["pair"].fill(units=joined(beside))] if beside else []
    for move in found.reached:
        contacts = joined([same(other) for other in move.contacts])
        parts = [say["near" if move.steps == 1 else "far"].fill(cell=name(move.cell), n=move.steps)]
        parts += [say["road"]] if move.road else []
        parts += [say["joins"].fill(unit=move.joins)] if move.joins else []
        parts += [say["drives"].fill(unit=move.drives)] if move.drives else []
        parts += [say["contacts"].fill(units=contacts)] if move.contacts else []
        lines.append(joined(parts))
    lines += [] if found.reached else [say["none"]]
    return lines + [say["barred"].fill(cell=name(c), why=_why(scenario, found, c)) for c in found.barred]


def _why(scenario: Scenario, found: Moves, cell: Square) -> Words:
    """Why a unit may not move to a square that is near enough."""
    assert found.unit.cell is not None
    return (
        march()
        .barred[found.barred[cell]]
        .fill(
            kind=_lower(found.unit.kind.name),
            ground=_lower(scenario.battlefield.land.terrain(cell).name),
            n=_allowance(scenario, found.unit, found.unit.cell, cell),
        )
    )


def _lower(name: Words) -> Words:
    return Words(name.en.lower(), name.ja)


def shades(found: Moves) -> tuple[Shade, ...]:
    """An overlay for a map: where a unit may go, where it would be in contact, and what is barred."""
    return (
        Shade("seen", tuple(move.cell for move in found.reached if not move.contacts)),
        Shade("melee", tuple(move.cell for move in found.reached if move.contacts)),
        Shade("blocked", tuple(found.barred)),
    )


def _allowance(scenario: Scenario, unit: Unit, start: Square, end: Square) -> int:
    """How many squares a unit may go from one square to another."""
    land = scenario.battlefield.land
    return unit.kind.move + (march().road if land.terrain(start).road and land.terrain(end).road else 0)


def _near(scenario: Scenario, unit: Unit, start: Square, end: Square) -> bool:
    """Whether a square is near enough were nothing in the way."""
    return 0 < distance(start, end) <= _allowance(scenario, unit, start, end)


def _steps(scenario: Scenario, unit: Unit, start: Square) -> dict[Square, int]:
    """The steps to each square that a unit may reach."""
    land = scenario.battlefield.land
    ways = _spread(scenario, unit, start, land.field.index)
    by_road = _spread(scenario, unit, start, frozenset(land.roads()))
    found = {cell: n for cell, n in ways.items() if n <= unit.kind.move}
    longer = by_road if scenario.rulings["road_strict"] == "yes" else ways
    return found | {
        cell: n
        for cell, n in longer.items()
        if unit.kind.move < n <= _allowance(scenario, unit, start, cell) and cell not in found
    }


def _spread(scenario: Scenario, unit: Unit, start: Square, along: Container[Square]) -> dict[Square, int]:
    """The steps to each square as far as the road bonus goes, over some squares only."""
    field = scenario.battlefield.land.field
    found: dict[Square, int] = {}
    edge = [start]
    for count in range(1, unit.kind.move + march().road + 1):
        ahead: list[Square] = []
        for here in edge:
            for cell in field.neighbours(here):
                if cell == start or cell in found or cell not in along or _barred(scenario, unit, cell):
                    continue
                found[cell] = count
                if cell not in scenario.standing:
                    ahead.append(cell)
        edge = ahead
    return found


def _move(scenario: Scenario, unit: Unit, cell: Square, steps: int) -> Move:
    player, _brigade, _unit = scenario.units[unit.id]
    there = scenario.standing.get(cell, ())
    return Move(
        cell,
        steps,
        steps > unit.kind.move,
        joins=next((other.id for owner, other in there if owner == player), ""),
        drives=next((other.id for owner, other in there if owner != player), ""),
        contacts=tuple(
            other.id
            for around in scenario.battlefield.land.field.neighbours(cell)
            for other in _enemies(scenario, player, around)
            if other.kind.fights
        ),
    )


def _barred(scenario: Scenario, unit: Unit, cell: Square) -> Bar | None:
    """Why a unit may not stand on a square after its move, however near it is."""
    player, _brigade, _unit = scenario.units[unit.id]
    land = scenario.battlefield.land
    there = scenario.standing.get(cell, ())
    if not land.admits(cell, unit.kind.arm):
        return "ground"
    if any(other.kind.fights for other in _enemies(scenario, player, cell)):
        return "enemy"
    own = [other for owner, other in there if owner == player]
    if own and not (land.terrain(cell).open and may_share((unit, *own))):
        return "full"
    return None


def may_share(units: tuple[Unit, ...]) -> bool:
    """Whether these units of one player may stand together on open ground (seed): two infantry, neither in square."""
    return len(units) <= 2 and all(unit.kind.arm == "infantry" and not unit.square for unit in units)


def _enemies(scenario: Scenario, player: Player, cell: Square) -> tuple[Unit, ...]:
    return tuple(other for owner, other in scenario.standing.get(cell, ()) if owner != player)
