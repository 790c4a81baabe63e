"""The ways of conducting a siege that are compared: policies, the boxes in the file, and the best mix of boxes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import NamedTuple

from msgspec.structs import replace

from generator.games.blind_faith.ground import format_units, words
from generator.games.blind_faith.odds import Fight, computed
from generator.games.blind_faith.rounds import Budget, Policy, falls, odds_settings, policies
from generator.games.blind_faith.siege import Boxes, breach_chance
from generator.games.blind_faith.tables import Pack, Role, UnitLine
from generator.model.words import Words, joined

BOXES = ("bombard", "storm", "reserve")
Split = tuple[tuple[str, str, int], ...]
"""The numbers of units as triples of class, box and number."""
FEW = 48
"""Maximum number of splits for which all are compared. If there are more, the best split is found by a search."""


class Plays(NamedTuple):
    """A pair of policies or, in a siege, a way of conducting it."""

    attacker: Policy
    defender: Policy
    """The defender's policy. In a siege it equals the besieger's policy, because a garrison makes no decisions."""
    boxes: Boxes | None = None
    """The boxes for the first round or, if they are kept, for every round."""
    label: Words | None = None
    """The name of a way of conducting a siege; None if it has the name of its policy."""

    def by(self, role: Role) -> Policy:
        """Return the policy of a side."""
        return self.attacker if role == "attack" else self.defender

    @property
    def name(self) -> Words:
        """The name of the besieger's choice."""
        return self.label or self.attacker.name

    def text(self, pack: Pack) -> Words:
        """Return a description of the besieger's choice."""
        if not self.boxes:
            return self.attacker.text
        texts = words()["siege_choice"]
        there = [(box, units) for box in BOXES if (units := getattr(self.boxes, box))]
        placed = joined([texts[box].fill(units=format_units(pack, units)) for box, units in there], "; ", "、")
        return texts["kept" if self.boxes.keep else "first"].fill(boxes=placed, policy=self.attacker.text)


def siege_choices(fight: Fight, search: Budget) -> list[Plays]:
    """Return the ways of conducting a siege. Those with the boxes of the file come first.

    `search` is the budget for each split that is tried in the search for the best mix.
    """
    pack, wall = fight.pack, fight.wall
    able = any(breach_chance(pack, unit, wall) for unit in fight.attack.front)
    found: list[Plays] = []
    for name in odds_settings().advised.siege:
        policy = policies()[name]
        if policy.siege == "bombard":
            # If no unit can breach the wall, this row shows the result of bombarding in vain.
            if any(pack.units[unit].bombards for unit in fight.attack.front):
                found.append(Plays(policy, policy, label=words()["siege_choice"]["bombard_only"]))
        elif fight.boxes and policy.siege == "mix":
            label = words()["siege_choice"]["placed"].fill(policy=policy.name)
            found.append(Plays(policy, policy, fight.boxes, label))
        elif policy.siege == "storm" or policy.charge == "even" or able:
            # If no unit can breach the wall, a mix is the same as the policy in which all units storm.
            found.append(Plays(policy, policy))
    mixing = policies()[odds_settings().advised.siege[0]]
    if mix := best_mix(fight, mixing, search):
        found.append(Plays(mixing, mixing, mix, words()["siege_choice"]["mix"]))
    return found


def best_mix(fight: Fight, policy: Policy, search: Budget) -> Boxes | None:
    """Return the boxes with the highest chance of taking the place if they are kept in every round, or None.

    In a mix some units storm while others bombard or wait. The result is None if there is no mix. For a small
    stack all mixes are compared. For a large stack, whole classes are placed first. Then halves of classes and
    single units are moved.
    """
    counts = Counter(fight.attack.front)
    if not counts or not fight.defence.front:
        return None
    options = {unit: _options(fight, unit) for unit in counts}
    values: dict[Split, tuple[float, float]] = {}

    def value(split: Split) -> tuple[float, float]:
        if split not in values:
            values[split] = _value(fight, policy, split, search)
        return values[split]

    if prod(comb(n + len(options[unit]) - 1, n) for unit, n in counts.items()) <= FEW:
        every = [split for split in _splits(counts, options) if _mixed(split)]
        return _boxes(fight.pack, max(every, key=value)) if every else None
    best = max(filter(_mixed, _by_class(fight, counts, options)), key=value, default=None)
    if best is None:
        return None
    for unit, n in counts.items():
        for size in sorted({max(1, n // 2), 1}, reverse=True):
            moved = [split for split in _moved(best, unit, options[unit], size) if _mixed(split)]
            best = max([best, *moved], key=value)
    return _boxes(fight.pack, best)


def _options(fight: Fight, unit: str) -> tuple[str, ...]:
    """Return the boxes in which a class of unit is useful."""
    return BOXES if breach_chance(fight.pack, unit, fight.wall) else BOXES[1:]


def _mixed(split: Split) -> bool:
    """Return whether some units storm while others do not."""
    return len({box == "storm" for _, box, _ in split}) == 2


def _splits(counts: Counter[str], options: dict[str, tuple[str, ...]]) -> Iterator[Split]:
    """Yield every way to place the units in the boxes."""
    ways = []
    for unit, n in counts.items():
        shares = product(range(n + 1), repeat=len(options[unit]))
        ways.append(
            [
                tuple((unit, box, k) for box, k in zip(options[unit], share, strict=True) if k)
                for share in shares
                if sum(share) == n
            ]
        )
    for parts in product(*ways):
        yield tuple(row for part in parts for row in part)


def _by_class(fight: Fight, counts: Counter[str], options: dict[str, tuple[str, ...]]) -> Iterator[Split]:
    """Yield splits in which each class is in one box.

    The classes that are best at storming are the first to storm.
    """
    pack, enemies = fight.pack, set(fight.defence.front)

    def use(unit: str) -> Fraction:
        return max(falls(pack, unit, enemy)[0] - falls(pack, unit, enemy)[1] for enemy in enemies)

    breaching = [unit for unit in counts if "bombard" in options[unit]]
    others = sorted((unit for unit in counts if unit not in breaching), key=use, reverse=True)
    for chosen in product(("bombard", "storm"), repeat=len(breaching)):
        for storming in range(len(others) + 1):
            boxes = dict(zip(breaching, chosen, strict=True))
            boxes |= {unit: "storm" if i < storming else "reserve" for i, unit in enumerate(others)}
            yield tuple((unit, boxes[unit], n) for unit, n in counts.items())


def _moved(split: Split, unit: str, options: tuple[str, ...], size: int) -> Iterator[Split]:
    """Yield the splits that result from moving `size` units of a class to another box."""
    there = {(of, box): n for of, box, n in split}
    for start, end in product(options, repeat=2):
        if start != end and there.get((unit, start), 0) >= size:
            new = Counter(there)
            new[unit, start] -= size
            new[unit, end] += size
            yield tuple((of, box, n) for (of, box), n in sorted(new.items()) if n)


def _boxes(pack: Pack, split: Split) -> Boxes:
    def line(name: str) -> UnitLine:
        return pack.line(unit for unit, box, n in split for _ in range(n) if box == name)

    return Boxes(line("bombard"), line("storm"), line("reserve"), keep=True)


def _value(fight: Fight, policy: Policy, split: Split, search: Budget) -> tuple[float, float]:
    """Return the value of a split, as its chance in whole percent and the negative number of its mean losses."""
    odds = computed(replace(fight, boxes=_boxes(fight.pack, split)), (policy, policy), search)
    lost = sum(odds.losses("attack", fate) for fate in ("rout", "eliminate"))
    return round(float(odds.attacker), 2), -float(lost)
