"""Every legal order of a machine, each in the one form in which it is listed."""

from __future__ import annotations

from collections.abc import Iterator

from generator.games.battling.play.orders import Letter, Order, actions
from generator.games.battling.play.position import Position, Standing
from generator.games.battling.scenario import OTHER, Side
from generator.grid.columns import DIRECTIONS, Numbered, distance, step


def orders(position: Position, unit: str) -> tuple[Order, ...]:
    """The legal orders of a machine, none for a destroyed one: W, R, F, B, D, each by its hexes in order.

    A walk is listed by the fewest hexes that lead to its end, a dash of equal legs by the hex in which it turns.
    """
    machine = position.machines[unit]
    if machine.hp <= 0:
        return ()
    of = (_walks, _dashes, _shots, _clashes, _guards)
    return tuple(order for make in of for order in sorted(make(position, machine), key=_key))


def perft(position: Position, side: Side, depth: int) -> int:
    """How many series of so many orders there are when the sides take turns, one machine each, without dice."""
    if depth == 0:
        return 1
    listed = [(m.id, order) for m in position.side(side) for order in orders(position, m.id)]
    if depth == 1:
        return len(listed)
    return sum(perft(position.after(unit, order), OTHER[side], depth - 1) for unit, order in listed)


def _key(order: Order) -> tuple[object, ...]:
    return sum(order.legs), order.legs, order.to, order.turn, order.target


def _walks(position: Position, machine: Standing) -> Iterator[Order]:
    for cell, count in _reach(position, machine, "W").items():
        if count >= actions()["W"].least and cell not in position.at:
            yield Order("W", (count,), position.arena.field.name(cell))


def _dashes(position: Position, machine: Standing) -> Iterator[Order]:
    most, name = actions()["R"].most, position.arena.field.name
    for direction in range(len(DIRECTIONS)):
        for first, bend in enumerate(_run(position, machine, machine.cell, direction, most), 1):
            if bend not in position.at:
                yield Order("R", (first,), name(bend))
            if position.strict:
                continue
            for turned in (direction + 1, direction - 1):
                ahead = _run(position, machine, bend, turned % len(DIRECTIONS), most - first)
                for second, end in enumerate(ahead, 1):
                    if end not in position.at:
                        turn = name(bend) if first == second else ""
                        yield Order("R", (first, second), name(end), turn=turn)


def _shots(position: Position, machine: Standing) -> Iterator[Order]:
    for enemy in position.side(OTHER[machine.side]):
        in_range = position.pack.number(machine.kind, distance(machine.cell, enemy.cell)) > 0
        if in_range and position.arena.in_sight(machine.cell, enemy.cell):
            yield Order("F", target=position.arena.field.name(enemy.cell))


def _clashes(position: Position, machine: Standing) -> Iterator[Order]:
    name = position.arena.field.name
    for enemy in position.side(OTHER[machine.side]):
        for cell, count in _stands(position, machine, "B"):
            if distance(cell, enemy.cell) == 1:
                yield Order("B", (count,) if count else (), name(cell) if count else "", name(enemy.cell))


def _guards(position: Position, machine: Standing) -> Iterator[Order]:
    for cell, count in _stands(position, machine, "D"):
        yield Order("D", (count,) if count else (), position.arena.field.name(cell) if count else "")


def _stands(position: Position, machine: Standing, letter: Letter) -> Iterator[tuple[Numbered, int]]:
    """Where a machine may end up, its own hex first, and the hexes that it moves."""
    for cell, count in _reach(position, machine, letter).items():
        if count == 0 or cell not in position.at:
            yield cell, count


def _reach(position: Position, machine: Standing, letter: Letter) -> dict[Numbered, int]:
    """The fewest hexes to each hex that a machine can come through; friends may stand there."""
    found = {machine.cell: 0}
    edge = [machine.cell]
    for count in range(1, actions()[letter].most + 1):
        ahead = [n for cell in edge for n in position.arena.field.neighbours(cell) if _open(position, machine, n)]
        edge = [cell for cell in dict.fromkeys(ahead) if cell not in found]
        found |= dict.fromkeys(edge, count)
    return found


def _run(position: Position, machine: Standing, cell: Numbered, direction: int, most: int) -> list[Numbered]:
    """The hexes straight ahead as far as nothing bars them."""
    run: list[Numbered] = []
    while len(run) < most and _open(position, machine, cell := step(cell, direction)):
        run.append(cell)
    return run


def _open(position: Position, machine: Standing, cell: Numbered) -> bool:
    if cell not in position.arena.field or position.arena.closed(cell):
        return False
    there = position.at.get(cell)
    return there is None or there.side == machine.side
