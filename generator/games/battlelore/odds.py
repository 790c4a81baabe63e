"""Exact odds of an attack as fractions, from the tables that also define rules and cards.

The odds depend on the number of dice, on whether bonus strikes hit, and on how many strikes the target ignores. One
face of the die is the target's helmet and one face is the flag.
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
"""Probabilities keyed by the number of hits and the number of flags."""


class Attack(Struct, frozen=True):
    """The dice of an attack and the faces that hit. Attacks with equal values have the same odds."""

    dice: int
    strikes: bool
    """Whether bonus strikes hit."""
    ignored: int = 0
    """Number of bonus strikes that the target ignores."""

    @property
    def odds(self) -> Odds:
        """The joint probabilities of the numbers of hits and flags."""
        return _odds(self)

    def hits(self, count: int) -> Fraction:
        """Return the probability of exactly `count` hits."""
        return sum((p for (hits, _), p in self.odds.items() if hits == count), Fraction())

    def at_least(self, count: int) -> Fraction:
        """Return the probability of at least `count` hits."""
        return sum((p for (hits, _), p in self.odds.items() if hits >= count), Fraction())

    @property
    def mean(self) -> Fraction:
        """The mean number of hits."""
        return sum((p * hits for (hits, _), p in self.odds.items()), Fraction())

    def flags(self, count: int) -> Fraction:
        """Return the probability of exactly `count` flags."""
        return sum((p for (_, flags), p in self.odds.items() if flags == count), Fraction())

    def falls(self, figures: int, morale: Morale = "steady") -> Fraction:
        """Return the probability that a unit with this number of figures is eliminated if it can retreat freely."""
        lost = (p * retreat_costs(morale, flags, max(figures - hits, 0)) for (hits, flags), p in self.odds.items())
        return sum(lost, Fraction())

    def retreats(self, morale: Morale = "steady") -> Fraction:
        """Return the probability that the target must obey at least one flag."""
        return sum((p for (_, flags), p in self.odds.items() if obeyed(morale, flags)), Fraction())

    def empties(self, figures: int, morale: Morale = "steady") -> Fraction:
        """Return the probability that a unit with this number of figures is eliminated or retreats."""
        won = (p for (hits, flags), p in self.odds.items() if hits >= figures or obeyed(morale, flags))
        return sum(won, Fraction())

    def losses(self, morale: Morale = "frightened") -> Fraction:
        """Return the mean number of figures that the retreat costs a target with enough figures."""
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
    behind_stakes: bool = False,
    own_dice: int | None = None,
) -> Attack:
    """Return the attack of a unit with this banner and weapon on a unit with the banner `target` and the arm `arm`.

    `behind_stakes` applies to a foot unit with a bow in stakes. `cap` is the maximum number of dice that the terrain
    allows, or 0 for no limit. It applies after the loss of dice that a moved bow unit suffers.

    `own_dice` replaces the dice of the banner.

    Raises:
        ValueError: If the weapon cannot shoot but `ranged` is True, or if there is no banner `target`.
    """
    tables = lore()
    if target not in tables.banners:
        raise ValueError(f"no banner {target!r}")
    hand = tables.weapons[weapon]
    if ranged and not hand.bow:
        raise ValueError(f"a {hand.name.en.lower()} cannot shoot")
    strikes = hand.strike.ranged if ranged else hand.strike.melee
    ignored = hand.ignored_by_mounted if arm == "mounted" else 0
    if behind_stakes and arm == "foot" and not ranged:
        ignored += tables.features["stakes"].strikes_ignored
    rolled = dice(banner, weapon, moved=moved, cap=cap, own_dice=own_dice)
    return Attack(rolled, strikes, ignored if strikes else 0)


def dice(banner: str, weapon: str, *, moved: bool = False, cap: int = 0, own_dice: int | None = None) -> int:
    """Return the number of dice a unit rolls, which is 0 if the unit may not battle after its move.

    `own_dice` replaces the dice of the banner.
    """
    tables = lore()
    before = tables.banners[banner].dice if own_dice is None else own_dice
    full = max(0, before - (tables.weapons[weapon].moved if moved else 0))
    return min(full, cap) if cap else full


def obeyed(morale: Morale, flags: int) -> int:
    """Return the number of flags that a unit must obey."""
    return max(0, flags - lore().play.morale[morale].ignored)


def hexes(morale: Morale, flags: int) -> int:
    """Return the number of hexes that a unit must retreat."""
    return lore().play.morale[morale].hexes * obeyed(morale, flags)


def retreat_costs(morale: Morale, flags: int, figures: int) -> Fraction:
    """Return the probability that a retreat caused by `flags` flags costs at least `figures` figures."""
    rolled = hexes(morale, flags) * lore().play.morale[morale].dice
    p = _own_colour()
    return sum((comb(rolled, k) * p**k * (1 - p) ** (rolled - k) for k in range(figures, rolled + 1)), Fraction())


def _own_colour() -> Fraction:
    return Fraction(1, len(lore().play.face))


@lru_cache(1024)  # A run uses few different attacks.
def _odds(attack: Attack) -> Odds:
    """Return the joint probabilities of hits and flags, computed die by die. All faces are equally likely."""
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
