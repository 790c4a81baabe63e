"""Read numbers, terrain, combat tables and switches from data/travel_battle/."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import product
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from generator.common.interpretations import rulings
from generator.common.tables import Explained, Listed, by_id
from generator.common.tables import words as words_of
from generator.model.words import Words
from generator.notation import toml

words = partial(words_of, "travel_battle")
"""The words that code needs; those of the templates lie in the same file."""

Marker = Literal["turned", "held", "runs"]
"""What a marker tells of the unit beside it: it faces about, may not move in its next turn, or runs for an edge."""


class Numbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """play.toml as it stands; see its head."""

    rows: int
    brigades: int
    lost: int
    turned: int
    guns_see: int
    tables: tuple[str, ...]
    turns: tuple[int, ...]
    armies: int
    gathers: int
    markers: dict[Marker, int]
    places: tuple[Words, ...]

    def armies_on(self, columns: int, rows: int) -> int:
        """How many armies a side has on so many boards: one for every two, as far as its edge has room for them."""
        return max(1, min(columns * rows // 2, columns, self.armies))


numbers = toml.shipped_table("travel_battle/play.toml", Numbers)
"""The shipped numbers."""


Arm = Literal["infantry", "cavalry", "artillery", "brigadier"]
ARMS: tuple[Arm, ...] = ("infantry", "cavalry", "artillery", "brigadier")


class Terrain(Listed, frozen=True, forbid_unknown_fields=True):
    """A kind of ground; see the head of terrain.toml."""

    symbol: str
    effect: Words
    source: Literal["seed", "house"]
    house: tuple[str, ...] = ()
    height: int = 0
    enter: tuple[Arm, ...] = ARMS
    open: bool = False
    road: bool = False
    blocks: bool = False
    cover: int = 0
    defence: int = 0


_terrains = toml.shipped_table("travel_battle/terrain.toml", dict[str, tuple[Terrain, ...]])
terrains = by_id(lambda: _terrains()["terrain"])
"""Every terrain by its id."""


@cache
def by_symbol() -> Mapping[str, Terrain]:
    """Every terrain by its letter in a drawn board."""
    return {terrain.symbol: terrain for terrain in terrains().values()}


FireEffect = Literal["none", "turned", "runs", "removed"]
MeleeResult = Literal["on", "back", "runs", "removed"]
DIE_FACES = 6


class Artillery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How guns fire; see tables.toml."""

    near: int
    range: int
    massed: int
    effects: tuple[FireEffect, ...]
    source: str


class Bonus(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Dice that a unit rolls more in melee, and when."""

    id: str
    dice: int
    arms: tuple[Arm, ...] = msgspec.field(name="for")
    text: Words
    source: str


class Melee(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How units in contact fight; see tables.toml."""

    most_dice: int
    results: tuple[MeleeResult, ...]
    bonus: tuple[Bonus, ...]
    source: str

    def result(self, difference: int) -> MeleeResult:
        """What befalls the side whose highest die is lower by so much."""
        return self.results[min(difference, len(self.results) - 1)]


class _Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    artillery: Artillery
    melee: Melee
    effect: tuple[Explained, ...]


def artillery() -> Artillery:
    """The table of guns."""
    return _file().artillery


def melee() -> Melee:
    """The table of melee."""
    return _file().melee


_file = toml.shipped_table("travel_battle/tables.toml", _Tables)
effects = by_id(lambda: _file().effect)
"""Every effect of fire and melee, as it is told, by its id."""


switches = partial(rulings, "travel_battle")
"""The rulings that a scenario names."""


def side_name(who: str | None) -> Words | str:
    """A player as he is called; somebody else by what the log calls him."""
    return words()["player"].get(who or "", who or "?")


K = TypeVar("K")

MassedOn = Literal["effect", "hit"]
"""Which die gains from a massed target: the seed says the die and not the range; the ruling, which die."""

_FACES = range(1, DIE_FACES + 1)


def at_least(face: int) -> Fraction:
    """The chance of a die of at least so much: that a unit rallies, or a gun hits so far off."""
    return Fraction(sum(die >= face for die in _FACES), DIE_FACES)


class Shot(Struct, frozen=True):
    """One shot of a gun; two units in one square suffer its one result both. ValueError where it is out of range."""

    distance: int
    """In squares."""
    cover: int = 0
    """What the target's ground takes from the die of the effect."""
    massed: bool = False
    """The target is in square, or two units in one square."""
    massed_on: MassedOn = "effect"

    def __post_init__(self) -> None:
        if not artillery().near <= self.distance <= artillery().range:
            raise ValueError(f"no gun fires {self.distance} squares far")

    @property
    def hits(self) -> Fraction:
        """The chance that it hits at all."""
        return at_least(self.distance - self._gain("hit"))

    @property
    def effects(self) -> Mapping[FireEffect, Fraction]:
        """The chance of each effect once it has hit; a die never counts as less than 1 or more than 6 (ruling)."""
        change = self._gain("effect") - self.cover
        effects = artillery().effects
        odds = dict.fromkeys(effects, Fraction())
        for die in _FACES:
            odds[effects[min(max(die + change, 1), DIE_FACES) - 1]] += Fraction(1, DIE_FACES)
        return odds

    @property
    def odds(self) -> Mapping[FireEffect, Fraction]:
        """The chance of each effect of the shot as a whole; a miss has no effect."""
        odds = {effect: self.hits * p for effect, p in self.effects.items()}
        odds["none"] += 1 - self.hits
        return odds

    def removes(self, rally: int) -> Fraction:
        """The chance that a unit is lost that rallies on that die."""
        return _lost(self.odds, rally)

    def _gain(self, die: MassedOn) -> int:
        return artillery().massed if self.massed and self.massed_on == die else 0


class Fighters(Struct, frozen=True):
    """One side of a melee, whatever units it has there."""

    dice: int
    rerolls: bool = False
    """One of its units may re-roll a die of the side."""


class Fight(Struct, frozen=True):
    """One melee. The highest dice are compared.

    Who may re-roll does so when he is behind, his lowest die, and takes what comes; the defender decides
    first and is not asked again (ruling).
    """

    attacker: Fighters
    defender: Fighters

    @property
    def odds(self) -> Mapping[int, Fraction]:
        """The chance of each difference, the attacker's highest die less the defender's."""
        return _differences(self)

    @property
    def befalls_defender(self) -> Mapping[MeleeResult, Fraction]:
        """The chance of each thing that may befall the defender by losing, and that the fight goes on."""
        return _results(self.odds)

    @property
    def befalls_attacker(self) -> Mapping[MeleeResult, Fraction]:
        """The chance of each thing that may befall the attacker by losing, and that the fight goes on."""
        return _results({-difference: p for difference, p in self.odds.items()})

    def defender_lost(self, rally: int) -> Fraction:
        """The chance that the defender loses a unit that rallies on that die."""
        return _lost(self.befalls_defender, rally)

    def attacker_lost(self, rally: int) -> Fraction:
        """The chance that the attacker loses a unit that rallies on that die."""
        return _lost(self.befalls_attacker, rally)


def _lost(odds: Mapping[K, Fraction], rally: int) -> Fraction:
    """Removed at once, or run and not rallied."""
    removed, runs = (sum((p for effect, p in odds.items() if effect == name), Fraction()) for name in _FATAL)
    return removed + runs * (1 - at_least(rally))


_FATAL = ("removed", "runs")


def _results(odds: Mapping[int, Fraction]) -> Mapping[MeleeResult, Fraction]:
    results = dict.fromkeys(melee().results, Fraction())
    for difference, p in odds.items():
        if difference >= 0:
            results[melee().result(difference)] += p
    return results


@lru_cache(4096)  # the fights of a reference page
def _differences(fight: Fight) -> Mapping[int, Fraction]:
    rolled = {
        (a, d): p * q
        for a, p in _highest(fight.attacker.dice).items()
        for d, q in _highest(fight.defender.dice).items()
    }
    if fight.defender.rerolls:
        rolled = _rerolled(rolled, fight.defender.dice, attacker=False)
    if fight.attacker.rerolls:
        rolled = _rerolled(rolled, fight.attacker.dice, attacker=True)
    odds = dict.fromkeys(range(1 - DIE_FACES, DIE_FACES), Fraction())
    for (a, d), p in rolled.items():
        odds[a - d] += p
    return odds


def _highest(dice: int) -> dict[int, Fraction]:
    """The chances of the highest of so many dice."""
    return {face: Fraction(face**dice - (face - 1) ** dice, DIE_FACES**dice) for face in _FACES}


def _rerolled(
    rolled: dict[tuple[int, int], Fraction], dice: int, *, attacker: bool
) -> dict[tuple[int, int], Fraction]:
    """What stands after one side, where it is behind, has rolled its lowest die again: of several the best stays."""
    odds = dict.fromkeys(product(_FACES, _FACES), Fraction())
    for (a, d), p in rolled.items():
        highest, other = (a, d) if attacker else (d, a)
        if highest >= other:
            odds[a, d] += p
            continue
        for die in _FACES:
            best = max(highest, die) if dice > 1 else die
            odds[(best, d) if attacker else (a, best)] += p / DIE_FACES
    return odds
