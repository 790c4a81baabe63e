"""List the legal orders of a machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from generator.common.game import RulingImpact
from generator.common.tables import reachable
from generator.games.battling.model import OTHER, Letter, Scenario
from generator.games.battling.notation import Order, write_line
from generator.games.battling.play import Position, Standing, actions, opening
from generator.games.battling.tables import words
from generator.grid.columns import DIRECTIONS, Numbered, distance, step
from generator.model.words import LANGS, Words


def _ordered(scenario: Scenario) -> dict[Words, Words]:
    """Return the legal orders of each machine at the start."""
    texts, position = words()["stake_orders"], opening(scenario)
    labels = {machine.id: machine.label for _side, machine in scenario.machines}
    every = ((labels[unit], order) for unit in position.machines for order in orders(position, unit))
    return {
        Words(*(f"{unit[lang]}: {write_line(order, lang)}" for lang in LANGS)): texts["holds"]
        for unit, order in every
    }


def ruling_stakes() -> tuple[RulingImpact[Scenario], ...]:
    """Return the effects of the ruling on roller dashes, which are changes in the legal orders."""
    return (RulingImpact("orders", _ordered, ("dash",), words()["stake_orders"]),)


def orders(position: Position, unit: str) -> tuple[Order, ...]:
    """Return the legal orders of a machine, sorted by action and then by hexes. A destroyed machine has no orders.

    A walk to a hex is listed only with its smallest number of hexes. A dash with two legs of equal length states
    the hex in which it turns.
    """
    machine = position.machines[unit]
    if machine.hp <= 0:
        return ()
    dashes = (order for order, _ in _dashes(position, machine))
    of = (_walks(position, machine), dashes, _shots(position, machine), _battling_orders(position, machine))
    return tuple(order for found in (*of, _guards(position, machine)) for order in sorted(found, key=_key))


def dashes(position: Position, unit: str) -> list[tuple[Order, tuple[Numbered, ...]]]:
    """Return the legal roller dashes of a machine in the order of `orders`, each with the hexes of its path."""
    return sorted(_dashes(position, position.machines[unit]), key=lambda found: _key(found[0]))


def _key(order: Order) -> tuple[object, ...]:
    return sum(order.legs), order.legs, order.to, order.turn, order.target


def _walks(position: Position, machine: Standing) -> Iterator[Order]:
    for cell, count in _reach(position, machine, "W").items():
        if count >= actions()["W"].min_hexes and cell not in position.at:
            yield Order("W", (count,), position.arena.field.name(cell))


def _dashes(position: Position, machine: Standing) -> Iterator[tuple[Order, tuple[Numbered, ...]]]:
    max_hexes, name = actions()["R"].max_hexes, position.arena.field.name
    for direction in range(len(DIRECTIONS)):
        straight = _free_ahead(position, machine, machine.cell, direction, max_hexes)
        for first, bend in enumerate(straight, 1):
            if bend not in position.at:
                yield Order("R", (first,), name(bend)), tuple(straight[:first])
            if position.strict:
                continue
            for turned in (direction + 1, direction - 1):
                ahead = _free_ahead(position, machine, bend, turned % len(DIRECTIONS), max_hexes - first)
                for second, end in enumerate(ahead, 1):
                    if end not in position.at:
                        turn = name(bend) if first == second else ""
                        path = (*straight[:first], *ahead[:second])
                        yield Order("R", (first, second), name(end), turn=turn), path


def _shots(position: Position, machine: Standing) -> Iterator[Order]:
    for enemy in position.side(OTHER[machine.side]):
        in_range = position.pack.number(machine.kind, distance(machine.cell, enemy.cell)) > 0
        if in_range and position.arena.in_sight(machine.cell, enemy.cell):
            yield Order("F", target=position.arena.field.name(enemy.cell))


def _battling_orders(position: Position, machine: Standing) -> Iterator[Order]:
    name = position.arena.field.name
    for enemy in position.side(OTHER[machine.side]):
        for cell, count in _end_hexes(position, machine, "B"):
            if distance(cell, enemy.cell) == 1:
                yield Order("B", (count,) if count else (), name(cell) if count else "", name(enemy.cell))


def _guards(position: Position, machine: Standing) -> Iterator[Order]:
    for cell, count in _end_hexes(position, machine, "D"):
        yield Order("D", (count,) if count else (), position.arena.field.name(cell) if count else "")


def _end_hexes(position: Position, machine: Standing, letter: Letter) -> Iterator[tuple[Numbered, int]]:
    """Yield each hex where a machine may end its move, its own hex first, with the number of hexes moved."""
    for cell, count in _reach(position, machine, letter).items():
        if count == 0 or cell not in position.at:
            yield cell, count


def _reach(position: Position, machine: Standing, letter: Letter) -> dict[Numbered, int]:
    """Return the number of hexes to each hex that a machine can pass, which includes hexes of friends."""

    def ways(cell: Numbered) -> Iterable[Numbered]:
        return (n for n in position.arena.field.neighbours(cell) if _open(position, machine, n))

    return dict(reachable([machine.cell], ways, actions()[letter].max_hexes))


def _free_ahead(
    position: Position, machine: Standing, cell: Numbered, direction: int, max_hexes: int
) -> list[Numbered]:
    """Return the hexes straight ahead up to the first obstacle."""
    run: list[Numbered] = []
    while len(run) < max_hexes and _open(position, machine, cell := step(cell, direction)):
        run.append(cell)
    return run


def _open(position: Position, machine: Standing, cell: Numbered) -> bool:
    if cell not in position.arena.field or position.arena.closed(cell):
        return False
    there = position.at.get(cell)
    return there is None or there.side == machine.side
