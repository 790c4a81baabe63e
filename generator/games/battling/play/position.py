"""Where every machine stands at one moment, and what an order does to it before the dice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import msgspec

from generator.games.battling.forces.machines import Pack
from generator.games.battling.ground.arena import Arena
from generator.games.battling.play.orders import Order
from generator.games.battling.scenario import Scenario, Side
from generator.grid.columns import Numbered

STRICT = "strict"
"""The choice of the ruling `dash` by which a roller dash never turns."""


class Standing(msgspec.Struct, frozen=True):
    """A machine at one moment."""

    id: str
    side: Side
    kind: str
    cell: Numbered
    hp: int
    """None left: it is destroyed and off the arena."""
    last: str = ""
    """The letter of what it did in its own latest phase; empty where that was nothing."""

    @property
    def number(self) -> str:
        """What its counter shows, as an order may name it."""
        return self.id[1:]


@dataclass(frozen=True)
class Position:
    """All machines at one moment, and what they are judged by."""

    arena: Arena
    pack: Pack
    strict: bool
    """Whether a roller dash may not turn."""
    machines: Mapping[str, Standing]

    @cached_property
    def at(self) -> Mapping[Numbered, Standing]:
        """The machines that are not destroyed, by hex."""
        return {machine.cell: machine for machine in self.machines.values() if machine.hp > 0}

    def side(self, side: Side) -> tuple[Standing, ...]:
        """A side's machines that are not destroyed."""
        return tuple(machine for machine in self.machines.values() if machine.side == side and machine.hp > 0)

    def after(self, unit: str, order: Order) -> Position:
        """The position when a machine has carried out a legal order, without its dice."""
        machine = self.machines[unit]
        cell = self.arena.field.find(order.to) if order.to else machine.cell
        assert cell is not None, "a legal order keeps to the arena"
        moved = msgspec.structs.replace(machine, cell=cell, last=order.action)
        return replace(self, machines={**self.machines, unit: moved})


def opening(scenario: Scenario) -> Position:
    """The position that a battle begins with."""
    machines = {m.id: Standing(m.id, side, m.kind, m.cell, m.hp) for side, m in scenario.machines}
    return Position(scenario.arena, scenario.pack, scenario.rulings.get("dash") == STRICT, machines)
