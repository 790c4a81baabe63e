"""Read the numbers and charts of the game from data/battling/."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Literal

import msgspec

from generator.common.interpretations import Source, rulings
from generator.common.tables import Range, UsualRange
from generator.common.tables import words as words_of
from generator.model.words import Words
from generator.notation import toml

words = partial(words_of, "battling")
"""The words that code needs; those of the templates lie in the same file."""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """ground.toml as it stands; the file tells what each is."""

    source: Source
    columns: UsualRange
    rows: UsualRange
    fine: UsualRange
    buildings: int
    corners: int
    room: int
    uneven: int
    opening: int
    cover: int
    dash: int
    streets: int


limits = toml.shipped_table("battling/ground.toml", Limits)
"""The shipped limits."""


class Numbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """play.toml as it stands; see its head."""

    turns: UsualRange
    machines: UsualRange
    sizes: tuple[int, ...]
    points: UsualRange
    title: Words
    places: tuple[Words, ...]


numbers = toml.shipped_table("battling/play.toml", Numbers)
"""The shipped numbers of setting up."""


Result = Literal["-", "D", "A", "EX"]
Roll = Literal["hit", "damage", "battling"]


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A result of battling, and the hit points that it costs either side."""

    id: Result
    name: Words
    own: int
    enemy: int
    source: str


class Modifier(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the target's own last action adds to a die."""

    id: str
    roll: Roll
    last: str
    die: int
    text: Words
    source: str


class Armour(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a machine's armour is told."""

    text: Words
    source: str


class Dice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """charts.toml as it stands."""

    die: int
    symbols: tuple[str, ...]
    number: Range
    difference: Range
    result: tuple[Effect, ...]
    modifier: tuple[Modifier, ...]
    armour: Armour

    @property
    def faces(self) -> range:
        """What a die may show."""
        return range(1, self.die + 1)

    @property
    def effects(self) -> Mapping[Result, Effect]:
        """The results of battling by id, in the order of the file."""
        return {effect.id: effect for effect in self.result}

    def change(self, roll: Roll, last: str) -> int:
        """What a target whose last action was that adds to a die; no action is an empty text."""
        return sum(m.die for m in self.modifier if (m.roll, m.last) == (roll, last))


dice = toml.shipped_table("battling/charts.toml", Dice)
"""How dice are read in Battling."""


class Shot(msgspec.Struct, frozen=True):
    """A shot as it is rolled for: two numbers to roll at most, and what is added to either die, never clamped."""

    number: int
    power: int
    change: int = 0
    armour: int = 0

    def hit(self, die: int) -> bool:
        """Whether the first die hits."""
        return die + self.change <= self.number

    def hurt(self, die: int) -> bool:
        """Whether the second die costs a hit point."""
        return die + self.armour <= self.power

    @property
    def hits(self) -> Fraction:
        """The chance of a hit."""
        return Fraction(sum(map(self.hit, dice().faces)), dice().die)

    @property
    def hurts(self) -> Fraction:
        """The chance that it costs a hit point, both dice together."""
        return self.hits * Fraction(sum(map(self.hurt, dice().faces)), dice().die)


class Clash(msgspec.Struct, frozen=True):
    """Battling as the attacked rolls for it: the results of the die's faces, and what is added to the die."""

    row: tuple[Result, ...]
    change: int = 0

    def result(self, die: int) -> Result:
        """What the die brings; with its change it never counts as less or more than a die can show (ruling)."""
        return self.row[min(max(die + self.change, 1), len(self.row)) - 1]

    @property
    def odds(self) -> Mapping[Result, Fraction]:
        """The chance of each result."""
        odds: dict[Result, Fraction] = dict.fromkeys(dice().effects, Fraction())
        for die in dice().faces:
            odds[self.result(die)] += Fraction(1, dice().die)
        return odds

    @property
    def hurts(self) -> Fraction:
        """The chance that the attacked loses a hit point."""
        return sum((p for result, p in self.odds.items() if dice().effects[result].own), Fraction())

    @property
    def costs(self) -> Fraction:
        """The chance that the attacker loses one."""
        return sum((p for result, p in self.odds.items() if dice().effects[result].enemy), Fraction())


switches = partial(rulings, "battling")
"""The rulings that a scenario names."""
