"""The house orders of battle, from orders.toml."""

from __future__ import annotations

from functools import cache

import msgspec

from generator.games.battlelore.forces.units import Kind
from generator.games.battlelore.ground.board import Camp, Section
from generator.games.battlelore.lore import Source
from generator.games.ranges import Range
from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a camp's points are shared out over its sections, in percent."""

    id: str
    name: Words
    left: int
    centre: int
    right: int

    def share(self, section: Section) -> int:
        """A section's percent."""
        return {"left": self.left, "centre": self.centre, "right": self.right}[section]


class Recruit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of unit, how often it comes, and the own row it likes to stand in."""

    unit: str
    weight: int
    row: int

    @property
    def kind(self) -> Kind:
        """What it is."""
        return Kind(*self.unit.split())


class Muster(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one camp draws from."""

    units: tuple[Recruit, ...]


class Orders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """orders.toml as it stands."""

    source: Source
    points: Range
    rows: int
    most_in_section: int
    plan: tuple[Plan, ...]
    pennant: Muster
    standard: Muster

    def recruits(self, camp: Camp) -> tuple[Recruit, ...]:
        """A camp's units to draw from."""
        return (self.pennant if camp == "pennant" else self.standard).units

    @property
    def shared(self) -> tuple[Recruit, ...]:
        """The units that either camp may draw, as the first one has them."""
        theirs = {recruit.unit for recruit in self.standard.units}
        return tuple(recruit for recruit in self.pennant.units if recruit.unit in theirs)


@cache
def orders() -> Orders:
    """The shipped orders of battle."""
    return toml.read(shipped("data") / "battlelore" / "orders.toml", Orders)
