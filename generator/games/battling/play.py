"""The position of all machines, and the legality of orders."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property

import msgspec
from msgspec.structs import replace

from generator.games.battling.forces import Pack
from generator.games.battling.ground import Arena
from generator.games.battling.model import Action, Letter, Scenario, Side, order_words
from generator.games.battling.notation import Order
from generator.grid.columns import DIRECTIONS, Numbered, distance, step


@cache
def actions() -> Mapping[Letter, Action]:
    """Return the actions of an AT by letter, in the order of the file."""
    return {action.id: action for action in order_words().action}


STRICT = "strict"
"""The choice of the ruling `dash` that forbids turns in a roller dash."""


class Standing(msgspec.Struct, frozen=True):
    """The state of a machine at one moment."""

    id: str
    side: Side
    kind: str
    cell: Numbered
    hp: int
    """The remaining hit points. A machine with 0 hit points is destroyed and off the arena."""
    last: str = ""
    """The letter of the machine's action in its own latest phase, or an empty string if it did not act."""

    @property
    def number(self) -> str:
        """The number on the machine's counter, which an order may state."""
        return self.id[1:]


class Position(msgspec.Struct, frozen=True, dict=True):
    """The state of all machines at one moment, and the charts and rulings for their orders."""

    arena: Arena
    pack: Pack
    strict: bool
    """Whether turns in a roller dash are forbidden."""
    machines: Mapping[str, Standing]

    @cached_property
    def at(self) -> Mapping[Numbered, Standing]:
        """The machines that are not destroyed, by hex."""
        return {machine.cell: machine for machine in self.machines.values() if machine.hp > 0}

    def side(self, side: Side) -> tuple[Standing, ...]:
        """Return a side's machines that are not destroyed."""
        return tuple(machine for machine in self.machines.values() if machine.side == side and machine.hp > 0)

    def after(self, unit: str, order: Order) -> Position:
        """Return the position after a machine has executed a legal order, without the effects of dice."""
        machine = self.machines[unit]
        cell = self.arena.field.find(order.to) if order.to else machine.cell
        assert cell is not None, "a legal order keeps to the arena"
        moved = msgspec.structs.replace(machine, cell=cell, last=order.action)
        return replace(self, machines={**self.machines, unit: moved})


def opening(scenario: Scenario) -> Position:
    """Return the position at the start of a battle."""
    machines = {m.id: Standing(m.id, side, m.kind, m.cell, m.hp) for side, m in scenario.machines}
    return Position(scenario.arena, scenario.pack, scenario.rulings.get("dash") == STRICT, machines)


class Act(msgspec.Struct, frozen=True):
    """The details of a legal order."""

    path: tuple[Numbered, ...]
    """The hexes from the start to the end of the move, both included."""
    target: Standing | None = None


class Refusal(msgspec.Struct, frozen=True):
    """The reason why an order is illegal, as a key of orders.toml, with the values for its text."""

    reason: str
    values: Mapping[str, object] = {}


def act(position: Position, unit: Standing, order: Order) -> Act | Refusal:
    """Return the details of a machine's order, or the reason why the order is illegal."""
    path = _path(position, unit, order)
    # This function shares no code with `orders`, which lists the legal orders. Tests compare the two.
    if isinstance(path, Refusal) or not actions()[order.action].attack:
        return path if isinstance(path, Refusal) else Act(path)
    target = _target(position, unit, path[-1], order)
    return target if isinstance(target, Refusal) else Act(path, target)


def _path(position: Position, unit: Standing, order: Order) -> tuple[Numbered, ...] | Refusal:
    action, count, field = actions()[order.action], sum(order.legs), position.arena.field
    if count > action.max_hexes:
        return Refusal("move.far", {"count": count, "most": action.max_hexes})
    if count < action.min_hexes or (len(order.legs) > 1 and 0 in order.legs):
        return Refusal("move.none")
    if not order.to:
        return (unit.cell,)
    end = field.find(order.to)
    if end is None:
        return Refusal("move.hex", {"hex": order.to})
    path = _dash(position, unit, order, end) if order.action == "R" else _walk(position, unit, count, end)
    if isinstance(path, Refusal):
        return path
    there = position.at.get(end)
    if there and there.id != unit.id:
        return Refusal("move.stack", {"unit": there.id, "hex": order.to})
    return path


def _walk(position: Position, unit: Standing, count: int, end: Numbered) -> tuple[Numbered, ...] | Refusal:
    """Return a path of exactly this number of hexes, or the obstacle on the shortest path."""
    ways: dict[Numbered, tuple[Numbered, ...]] = {unit.cell: (unit.cell,)}
    barred: dict[Numbered, Refusal] = {}
    for _ in range(count):
        ahead: dict[Numbered, tuple[Numbered, ...]] = {}
        for cell, way in ways.items():
            for n in position.arena.field.neighbours(cell):
                if bar := _obstacle(position, unit, n):
                    barred.setdefault(n, bar)
                else:
                    ahead.setdefault(n, (*way, n))
        ways = ahead
    if end in ways:
        return ways[end]
    # An obstacle is reported only if the number of hexes would be right on open ground.
    near = [n for n in barred if distance(unit.cell, n) + distance(n, end) <= count]
    if near:
        return barred[end if end in near else near[0]]
    values = {"start": position.arena.field.name(unit.cell), "hex": position.arena.field.name(end), "count": count}
    return Refusal("move.reach", values)


def _dash(position: Position, unit: Standing, order: Order, end: Numbered) -> tuple[Numbered, ...] | Refusal:
    """Return the straight path of a dash, or its path with a single turn of 60°."""
    field, start = position.arena.field, unit.cell
    if position.strict and len(order.legs) > 1:
        return Refusal("dash.strict")
    paths = [path for path in _courses(start, order.legs) if path[-1] == end]
    if not paths:
        legs = " + ".join(map(str, order.legs))
        return Refusal("dash.straight", {"legs": legs, "start": field.name(start), "hex": order.to})
    bends = {field.name(path[order.legs[0]]): path for path in paths}
    if order.turn and order.turn not in bends:
        return Refusal("dash.turn", {"hex": order.turn})
    if len(paths) > 1 and not order.turn:
        return Refusal("dash.where", {"example": f"{order.legs[0]} @{next(iter(bends))}"})
    path = bends[order.turn] if order.turn else paths[0]
    return next((bar for cell in path[1:] if (bar := _obstacle(position, unit, cell))), path)


def _courses(start: Numbered, legs: tuple[int, ...]) -> list[tuple[Numbered, ...]]:
    """Return all paths with these straight legs, including paths that leave the field."""
    courses = []
    for direction in range(len(DIRECTIONS)):
        straight = _straight((start,), direction, legs[0])
        turns = (direction - 1, direction + 1)
        courses += [_straight(straight, d % len(DIRECTIONS), legs[1]) for d in turns] if legs[1:] else [straight]
    return courses


def _straight(path: tuple[Numbered, ...], direction: int, count: int) -> tuple[Numbered, ...]:
    for _ in range(count):
        path = (*path, step(path[-1], direction))
    return path


def _obstacle(position: Position, unit: Standing, cell: Numbered) -> Refusal | None:
    """Return the reason why a machine cannot enter a hex, or None if it can. Friends do not block movement."""
    name = position.arena.field.name(cell)
    if cell not in position.arena.field:
        return Refusal("move.hex", {"hex": name})
    if position.arena.closed(cell):
        return Refusal("move.closed", {"hex": name})
    there = position.at.get(cell)
    return Refusal("move.enemy", {"hex": name}) if there and there.side != unit.side else None


def _target(position: Position, unit: Standing, start: Numbered, order: Order) -> Standing | Refusal:
    arena = position.arena
    cell = arena.field.find(order.target)
    if cell is None:
        return Refusal("move.hex", {"hex": order.target})
    values = {"start": arena.field.name(start), "hex": order.target, "distance": distance(start, cell)}
    target = position.at.get(cell)
    if target and target.side == unit.side:
        return Refusal("target.own", {"unit": target.id, **values})
    if not target:
        return Refusal("target.none", values)
    if actions()[order.action].attack == "next":
        return target if distance(start, cell) == 1 else Refusal("target.next", values)
    if not position.pack.number(unit.kind, distance(start, cell)):
        return Refusal("target.range", values)
    return target if arena.in_sight(start, cell) else Refusal("target.sight", values)
