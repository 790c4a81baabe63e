"""A unit on the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from generator.games.battlelore.lore import Arm, lore
from generator.grid.hexes import Hex
from generator.model.words import Words

Placed = Literal["card", "displaced", "reserve", "lost", "special"]


@dataclass(frozen=True)
class Kind:
    """What a unit is: its banner, its weapon and its race, each by id."""

    banner: str
    weapon: str
    race: str

    @property
    def arm(self) -> Arm:
        """Foot or mounted."""
        return lore().weapons[self.weapon].arm

    @property
    def figures(self) -> int:
        """Figures of a full unit, the bearer among them."""
        return lore().figures[self.arm]

    @property
    def bow(self) -> bool:
        """Whether it can shoot."""
        return lore().weapons[self.weapon].bow

    @property
    def plain_name(self) -> Words:
        """`Long sword`, `Dwarf crossbow`; humans go without saying."""
        weapon, race = lore().weapons[self.weapon].name, lore().races[self.race]
        if race.id == "human":
            return weapon
        return Words(f"{race.name.en} {weapon.en.lower()}", f"{race.name.ja} {weapon.ja}")

    @property
    def name(self) -> Words:
        """`Red long sword`, `Blue dwarf crossbow`."""
        banner, plain = lore().banners[self.banner].name, self.plain_name
        return Words(f"{banner.en} {plain.en.lower()}", f"{banner.ja} {plain.ja}")


@dataclass(frozen=True)
class Unit:
    """A unit of one camp, deployed or not."""

    id: str
    kind: Kind
    card: str
    """The key of the card that brings it."""
    cell: tuple[int, int]
    """Its place on that card: 0-based column and row from the owner's left and baseline."""
    placed: Placed
    """How it came to its hex; `lost` means it is not deployed."""
    hex: Hex | None
    levy: bool = False
    """A Feudal levy token stands in for it."""
    extra: int = 0
    """Figures beyond those of a full unit."""

    @property
    def figures(self) -> int:
        """Figures it starts with."""
        return self.kind.figures + self.extra
