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
"""Return the texts that the code needs. The texts of templates are in the same file."""

Marker = Literal["turned", "held", "runs"]
"""The state of a unit that a marker next to it shows. The unit turns about, may not move in its next turn, or runs.
"""


class Numbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of play.toml, which describes them."""

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
        """Return the number of armies of a side, one for every two boards, limited by the length of its edge."""
        return max(1, min(columns * rows // 2, columns, self.armies))


numbers = toml.shipped_table("travel_battle/play.toml", Numbers)
"""Return the shipped numbers."""


Arm = Literal["infantry", "cavalry", "artillery", "brigadier"]
ARMS: tuple[Arm, ...] = ("infantry", "cavalry", "artillery", "brigadier")


class Terrain(Listed, frozen=True, forbid_unknown_fields=True):
    """A kind of terrain, as described at the head of terrain.toml."""

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
"""Return the kinds of terrain by id."""


@cache
def by_symbol() -> Mapping[str, Terrain]:
    """Return the kinds of terrain by their symbols in a drawn board."""
    return {terrain.symbol: terrain for terrain in terrains().values()}


FireEffect = Literal["none", "turned", "runs", "removed"]
MeleeResult = Literal["on", "back", "runs", "removed"]
DIE_FACES = 6


class Artillery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers and effects of fire, as in tables.toml."""

    near: int
    range: int
    massed: int
    effects: tuple[FireEffect, ...]
    source: str


class Bonus(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Additional dice of a unit in melee, and the condition for them."""

    id: str
    dice: int
    arms: tuple[Arm, ...] = msgspec.field(name="for")
    text: Words
    source: str


class Melee(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The dice and results of melee, as in tables.toml."""

    most_dice: int
    results: tuple[MeleeResult, ...]
    bonus: tuple[Bonus, ...]
    source: str

    def result(self, difference: int) -> MeleeResult:
        """Return the result for the side whose highest die is lower by this difference."""
        return self.results[min(difference, len(self.results) - 1)]


class _Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    artillery: Artillery
    melee: Melee
    effect: tuple[Explained, ...]


def artillery() -> Artillery:
    """Return the table of fire."""
    return _file().artillery


def melee() -> Melee:
    """Return the table of melee."""
    return _file().melee


_file = toml.shipped_table("travel_battle/tables.toml", _Tables)
effects = by_id(lambda: _file().effect)
"""Return the effects of fire and melee by id, with their texts."""


switches = partial(rulings, "travel_battle")
"""Return the rulings of the game."""


def side_name(who: str | None) -> Words | str:
    """Return the name of a player, or the given name if it is not a player's."""
    return words()["player"].get(who or "", who or "?")


K = TypeVar("K")

MassedOn = Literal["effect", "hit"]
"""The die to which a massed target gives a bonus. The seed does not state which of the two dice it is, so a ruling
decides.
"""

_FACES = range(1, DIE_FACES + 1)


def at_least(face: int) -> Fraction:
    """Return the chance that a die shows at least this face."""
    return Fraction(sum(die >= face for die in _FACES), DIE_FACES)


class Shot(Struct, frozen=True):
    """A shot of a gun, whose result applies to all units on the target square.

    Raises:
        ValueError: If the distance is out of range.
    """

    distance: int
    """The distance in squares."""
    cover: int = 0
    """The number that the target's terrain subtracts from the effect die."""
    massed: bool = False
    """Whether the target is in square, or shares its square with another unit."""
    massed_on: MassedOn = "effect"

    def __post_init__(self) -> None:
        if not artillery().near <= self.distance <= artillery().range:
            raise ValueError(f"no gun fires {self.distance} squares far")

    @property
    def hits(self) -> Fraction:
        """The chance of a hit."""
        return at_least(self.distance - self._gain("hit"))

    @property
    def effects(self) -> Mapping[FireEffect, Fraction]:
        """The chance of each effect after a hit. The modified die is at least 1 and at most 6 (ruling)."""
        change = self._gain("effect") - self.cover
        effects = artillery().effects
        odds = dict.fromkeys(effects, Fraction())
        for die in _FACES:
            odds[effects[min(max(die + change, 1), DIE_FACES) - 1]] += Fraction(1, DIE_FACES)
        return odds

    @property
    def odds(self) -> Mapping[FireEffect, Fraction]:
        """The chance of each effect of the whole shot. A miss has the effect `none`."""
        odds = {effect: self.hits * p for effect, p in self.effects.items()}
        odds["none"] += 1 - self.hits
        return odds

    def removes(self, rally: int) -> Fraction:
        """Return the chance that a unit is lost. `rally` is the lowest die that rallies it."""
        return _lost(self.odds, rally)

    def _gain(self, die: MassedOn) -> int:
        return artillery().massed if self.massed and self.massed_on == die else 0


class Fighters(Struct, frozen=True):
    """One side of a melee, with any number of units."""

    dice: int
    rerolls: bool = False
    """Whether one of the units may re-roll a die of the side."""


class Fight(Struct, frozen=True):
    """A melee, which is decided by the highest dice.

    A side that may re-roll and is behind re-rolls its lowest die and keeps the result. The defender decides first
    and cannot reconsider (ruling).
    """

    attacker: Fighters
    defender: Fighters

    @property
    def odds(self) -> Mapping[int, Fraction]:
        """The chance of each difference between the attacker's and the defender's highest die."""
        return _differences(self)

    @property
    def defender_results(self) -> Mapping[MeleeResult, Fraction]:
        """The chance of each result for a defender that loses or ties."""
        return _results(self.odds)

    @property
    def attacker_results(self) -> Mapping[MeleeResult, Fraction]:
        """The chance of each result for an attacker that loses or ties."""
        return _results({-difference: p for difference, p in self.odds.items()})

    def defender_lost(self, rally: int) -> Fraction:
        """Return the chance that the defender loses a unit. `rally` is the lowest die that rallies it."""
        return _lost(self.defender_results, rally)

    def attacker_lost(self, rally: int) -> Fraction:
        """Return the chance that the attacker loses a unit. `rally` is the lowest die that rallies it."""
        return _lost(self.attacker_results, rally)


def _lost(odds: Mapping[K, Fraction], rally: int) -> Fraction:
    """Return the chance that a unit is removed at once, or runs and does not rally."""
    removed, runs = (sum((p for effect, p in odds.items() if effect == name), Fraction()) for name in _FATAL)
    return removed + runs * (1 - at_least(rally))


_FATAL = ("removed", "runs")


def _results(odds: Mapping[int, Fraction]) -> Mapping[MeleeResult, Fraction]:
    results = dict.fromkeys(melee().results, Fraction())
    for difference, p in odds.items():
        if difference >= 0:
            results[melee().result(difference)] += p
    return results


@lru_cache(4096)  # enough for the melees of a reference page
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
    """Return the chance of each face to be the highest of a number of dice."""
    return {face: Fraction(face**dice - (face - 1) ** dice, DIE_FACES**dice) for face in _FACES}


def _rerolled(
    rolled: dict[tuple[int, int], Fraction], dice: int, *, attacker: bool
) -> dict[tuple[int, int], Fraction]:
    """Return the chances after a side that is behind has re-rolled its lowest die and the best of its dice counts."""
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
