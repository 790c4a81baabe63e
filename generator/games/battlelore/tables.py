"""The tables of terrain, units, dice and numbers from data/battlelore/."""

from __future__ import annotations

from functools import cache, cached_property, partial
from typing import Literal

import msgspec

from generator.common.interpretations import rulings
from generator.common.tables import Listed, Range, ReferenceRow, UsualRange
from generator.model.words import Words
from generator.notation import toml
from generator.seeds import Rng
from generator.store.folders import shipped_path

Morale = Literal["steady", "bold", "frightened"]
Whence = Literal["seed", "house"]
Arm = Literal["foot", "mounted"]
Entry = Literal["all", "none", "foot_bows"]


class Terrain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of terrain, or of a feature on terrain, and its effects, as described at the head of terrain.toml."""

    id: str
    name: Words
    """The name used in sentences."""
    move: Literal["free", "stop", "none"]
    effect: Words
    source: Whence
    symbol: str = ""
    battle: Entry = "all"
    pursuit: bool = True
    dice_in: int = 0
    dice_in_from: dict[str, int] = {}
    dice_out: int = 0
    blocks: bool = False
    open_from: tuple[str, ...] = ()
    height: int = 0
    bold: bool = False
    bold_for: Literal["", "foot_bows"] = ""
    strikes_ignored: int = 0
    water: bool = False
    crossing: bool = False
    sides: bool = False
    on: tuple[str, ...] = ()
    tiles: tuple[str, ...] = ()
    printed: Words | None = None
    """The name on the card or tile, if it is longer than `name`."""

    @property
    def label(self) -> Words:
        """The name used in lists of pieces and in headings."""
        return self.printed or self.name

    @property
    def has_text(self) -> bool:
        """Whether the terrain appears in legends and charts."""
        return bool(self.tiles)

    @property
    def passable(self) -> bool:
        """Whether units can enter the terrain."""
        return self.move != "none"


class ByArm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number for foot units and one for mounted units."""

    foot: int
    mounted: int

    def __getitem__(self, arm: Arm) -> int:
        return self.foot if arm == "foot" else self.mounted


class Banner(Listed, frozen=True, forbid_unknown_fields=True):
    """A quality of units, with its dice and moves."""

    grade: Words
    letter: str
    dice: int
    move: ByArm
    run: ByArm


class Strike(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a bonus strike hits, for each kind of attack."""

    melee: bool
    ranged: bool


class Weapon(Listed, frozen=True, forbid_unknown_fields=True):
    """A weapon, as defined in units.toml."""

    letter: str
    arm: Arm = msgspec.field(name="for")
    range: int
    strike: Strike
    carrier: Words
    """The name of a unit with this weapon."""
    effect: Words
    source: Whence
    bow: bool = False
    moved: int = 0
    ignored_by_mounted: int = 0
    lore: bool = True
    stands: str = ""
    expansion: bool = False
    """Whether the weapon is from an expansion."""


class Race(Listed, frozen=True, forbid_unknown_fields=True):
    """A race and its natural morale."""

    letter: str
    morale: Morale


class Points(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The points of units, a house measure of strength."""

    banner: dict[str, int]
    mounted: int
    bow: int
    morale: dict[str, int]
    source: Whence


class _TerrainFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    terrain: tuple[Terrain, ...]
    feature: tuple[Terrain, ...]


class UnitTables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of units.toml."""

    figures: ByArm
    banner: tuple[Banner, ...]
    weapon: tuple[Weapon, ...]
    race: tuple[Race, ...]
    points: Points


class Face(Listed, frozen=True, forbid_unknown_fields=True):
    """A face of the battle die. Each face occurs once on the die."""

    effect: Words


class Nerve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The effect of a morale on a unit that must retreat, as defined in play.toml."""

    name: Words
    hexes: int
    ignored: int = 0
    dice: int = 0
    also: Words | None = None
    """Races with this natural morale that are not in these tables."""


class Numbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of play.toml."""

    battle_dice: int
    hand: UsualRange
    banners: UsualRange
    objective: Range
    """The number of banners that a victory hex may be worth."""
    support: int
    morale: dict[Morale, Nerve]
    face: tuple[Face, ...]
    phase: tuple[ReferenceRow, ...]
    battle: tuple[ReferenceRow, ...]
    action: tuple[ReferenceRow, ...]


class Lore:
    """The terrain, units and numbers of the game, with look-up by id."""

    def __init__(self, terrain: _TerrainFile, units: UnitTables, play: Numbers) -> None:
        self.terrain = {t.id: t for t in terrain.terrain}
        self.features = {t.id: t for t in terrain.feature}
        self.banners = {b.id: b for b in units.banner}
        self.weapons = {w.id: w for w in units.weapon}
        self.races = {r.id: r for r in units.race}
        self.figures = units.figures
        self.points = units.points
        self.play = play

    def kind(self, name: str) -> Terrain:
        """Return the terrain or feature with this id."""
        return self.terrain.get(name) or self.features[name]

    @cached_property
    def by_symbol(self) -> dict[str, Terrain]:
        """The terrain keyed by its symbol in a drawn map."""
        return {t.symbol: t for t in self.terrain.values()}


@cache
def lore() -> Lore:
    """Return the shipped tables. They are read only once."""
    folder = shipped_path("data") / "battlelore"
    return Lore(
        toml.read(folder / "terrain.toml", _TerrainFile),
        toml.read(folder / "units.toml", UnitTables),
        toml.read(folder / "play.toml", Numbers),
    )


class _Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    field: tuple[Words, ...]
    battle: tuple[Words, ...]


def battle_name(stream: Rng) -> Words:
    """Return a random name for a battle on a map that has no name."""
    names = toml.read(shipped_path("data") / "battlelore" / "names.toml", _Names)
    return stream.choice(names.battle).fill(field=stream.choice(names.field))


switches = partial(rulings, "battlelore")
"""Returns the rulings that a scenario of this game can select."""
