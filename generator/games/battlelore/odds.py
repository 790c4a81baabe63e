"""The exact odds of an attack, from the tables that rules and cards use: fractions, nothing sampled.

An attack comes down to three facts: how many dice are rolled, whether bonus strikes hit, and how many of them
the target ignores. Beside them one face is the target's helmet and one the flag, whoever fights whom.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb

from msgspec import Struct

from generator.games.battlelore.tables import Arm, Morale, lore

Odds = Mapping[tuple[int, int], Fraction]
"""The chance of so many hits together with so many flags."""


class Attack(Struct, frozen=True):
    """What is rolled and what of it hits; attacks that are equal have the same odds."""

    dice: int
    strikes: bool
    """Whether bonus strikes hit at all."""
    ignored: int = 0
    """Bonus strikes that the target ignores."""

    @property
    def odds(self) -> Odds:
        """The joint chances of hits and flags."""
        return _odds(self)

    def hits(self, count: int) -> Fraction:
        """The chance of exactly so many hits."""
        return sum((p for (hits, _), p in self.odds.items() if hits == count), Fraction())

    def at_least(self, count: int) -> Fraction:
        """The chance of so many hits or more."""
        return sum((p for (hits, _), p in self.odds.items() if hits >= count), Fraction())

    @property
    def mean(self) -> Fraction:
        """The hits on average."""
        return sum((p * hits for (hits, _), p in self.odds.items()), Fraction())

    def flags(self, count: int) -> Fraction:
        """The chance of exactly so many flags."""
        return sum((p for (_, flags), p in self.odds.items() if flags == count), Fraction())

    def falls(self, figures: int, morale: Morale = "steady") -> Fraction:
        """The chance that a unit with so many figures left is eliminated, its way back being free."""
        lost = (p * retreat_costs(morale, flags, max(figures - hits, 0)) for (hits, flags), p in self.odds.items())
        return sum(lost, Fraction())

    def retreats(self, morale: Morale = "steady") -> Fraction:
        """The chance that at least one flag is left to obey."""
        return sum((p for (_, flags), p in self.odds.items() if obeyed(morale, flags)), Fraction())

    def empties(self, figures: int, morale: Morale = "steady") -> Fraction:
        """The chance that a unit with so many figures left falls or retreats, so that its hex is empty."""
        won = (p for (hits, flags), p in self.odds.items() if hits >= figures or obeyed(morale, flags))
        return sum(won, Fraction())

    def losses(self, morale: Morale = "frightened") -> Fraction:
        """The figures that the retreat itself costs on average, beyond the hits, where figures enough are left."""
        each = _own_colour() * lore().play.morale[morale].dice
        return sum((p * hexes(morale, flags) * each for (_, flags), p in self.odds.items()), Fraction())


def attack(
    banner: str,
    weapon: str,
    target: str,
    arm: Arm,
    *,
    ranged: bool = False,
    moved: bool = False,
    cap: int = 0,
    stakes: bool = False,
) -> Attack:
    """The attack of a unit on one of that banner and arm; `stakes`: on a foot bow that stands in stakes.

    `cap` is the most dice that the ground lets it roll (0: no limit), counted after the die a bow loses by
    moving. ValueError for a shot with a weapon that cannot shoot, and for a target that is no banner.
    """
    tables = lore()
    if target not in tables.banners:
        raise ValueError(f"no banner {target!r}")
    hand = tables.weapons[weapon]
    if ranged and not hand.bow:
        raise ValueError(f"a {hand.name.en.lower()} cannot shoot")
    strikes = hand.strike.ranged if ranged else hand.strike.melee
    ignored = hand.ignored_by_mounted if arm == "mounted" else 0
    if stakes and arm == "foot" and not ranged:
        ignored += tables.features["stakes"].strikes_ignored
    return Attack(dice(banner, weapon, moved=moved, cap=cap), strikes, ignored if strikes else 0)


def dice(banner: str, weapon: str, *, moved: bool = False, cap: int = 0) -> int:
    """How many dice a unit rolls; none where it may not battle after its move."""
    tables = lore()
    own = max(0, tables.banners[banner].dice - (tables.weapons[weapon].moved if moved else 0))
    return min(own, cap) if cap else own


def obeyed(morale: Morale, flags: int) -> int:
    """The flags that a unit must obey."""
    return max(0, flags - lore().play.morale[morale].ignored)


def hexes(morale: Morale, flags: int) -> int:
    """The hexes that a unit must retreat."""
    return lore().play.morale[morale].hexes * obeyed(morale, flags)


def retreat_costs(morale: Morale, flags: int, figures: int) -> Fraction:
    """The chance that a retreat before so many flags costs that many figures or more."""
    rolled = hexes(morale, flags) * lore().play.morale[morale].dice
    p = _own_colour()
    return sum((comb(rolled, k) * p**k * (1 - p) ** (rolled - k) for k in range(figures, rolled + 1)), Fraction())


def _own_colour() -> Fraction:
    return Fraction(1, len(lore().play.face))


@lru_cache(1024)  # kinds of attacks
def _odds(attack: Attack) -> Odds:
    """One die after another: counts of helmets, strikes and flags, each face as likely as the others."""
    face = Fraction(1, len(lore().play.face))
    counts: Counter[tuple[int, int, int]] = Counter({(0, 0, 0): 1})
    rest = len(lore().play.face) - 3
    for _ in range(attack.dice):
        rolled: Counter[tuple[int, int, int]] = Counter()
        for (helmets, strikes, flags), ways in counts.items():
            rolled[helmets + 1, strikes, flags] += ways
            rolled[helmets, strikes + 1, flags] += ways
            rolled[helmets, strikes, flags + 1] += ways
            rolled[helmets, strikes, flags] += ways * rest
        counts = rolled
    odds: dict[tuple[int, int], Fraction] = {}
    for (helmets, strikes, flags), ways in counts.items():
        hits = helmets + (max(0, strikes - attack.ignored) if attack.strikes else 0)
        odds[hits, flags] = odds.get((hits, flags), Fraction()) + ways * face**attack.dice
    return odds
