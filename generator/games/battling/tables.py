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
"""Return the texts that the code needs. The texts of templates are in the same file."""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of ground.toml, which describes them."""

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
"""Return the shipped limits."""


class Numbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of play.toml, which describes them."""

    turns: UsualRange
    machines: Range
    sizes: tuple[int, ...]
    points: Range
    title: Words
    places: tuple[Words, ...]


numbers = toml.shipped_table("battling/play.toml", Numbers)
"""Return the shipped numbers for the set-up."""


Result = Literal["-", "D", "A", "EX"]
Roll = Literal["hit", "damage", "battling"]


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A result of battling, and the hit points that it costs each side."""

    id: Result
    name: Words
    target_loss: int = msgspec.field(name="own")
    attacker_loss: int = msgspec.field(name="enemy")
    source: str


class Modifier(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number that the target's last action adds to a die."""

    id: str
    roll: Roll
    last: str
    die: int
    text: Words
    source: str


class Armour(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts about armour."""

    text: Words
    source: str


class Dice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of charts.toml."""

    die: int
    symbols: tuple[str, ...]
    number: Range
    difference: Range
    result: tuple[Effect, ...]
    modifier: tuple[Modifier, ...]
    armour: Armour

    @property
    def faces(self) -> range:
        """The faces of a die."""
        return range(1, self.die + 1)

    @property
    def effects(self) -> Mapping[Result, Effect]:
        """The results of battling by id, in the order of the file."""
        return {effect.id: effect for effect in self.result}

    def change(self, roll: Roll, last: str) -> int:
        """Return the number that a target's last action adds to a die. An empty string means no action."""
        return sum(m.die for m in self.modifier if (m.roll, m.last) == (roll, last))


dice = toml.shipped_table("battling/charts.toml", Dice)
"""Return the dice of Battling and their results."""


class Shot(msgspec.Struct, frozen=True):
    """The numbers of a shot: the maximum rolls to hit and to cost a hit point, and the modifiers of both dice.

    Modified dice may be less than 1 or more than 6.
    """

    number: int
    power: int
    change: int = 0
    armour: int = 0

    def hit(self, die: int) -> bool:
        """Return whether the first die hits."""
        return die + self.change <= self.number

    def hurt(self, die: int) -> bool:
        """Return whether the second die costs a hit point."""
        return die + self.armour <= self.power

    @property
    def hits(self) -> Fraction:
        """The chance of a hit."""
        return Fraction(sum(map(self.hit, dice().faces)), dice().die)

    @property
    def hurts(self) -> Fraction:
        """The chance that the shot costs a hit point, with both dice."""
        return self.hits * Fraction(sum(map(self.hurt, dice().faces)), dice().die)


class BattlingRoll(msgspec.Struct, frozen=True):
    """The numbers of battling, which are the results for the attacked side by the die's faces, and the modifier."""

    row: tuple[Result, ...]
    change: int = 0

    def result(self, die: int) -> Result:
        """Return the result of the die. The modified die is at least 1 and at most 6 (ruling)."""
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
        """The chance that the attacked machine loses a hit point."""
        return sum((p for result, p in self.odds.items() if dice().effects[result].target_loss), Fraction())

    @property
    def costs(self) -> Fraction:
        """The chance that the attacker loses a hit point."""
        return sum((p for result, p in self.odds.items() if dice().effects[result].attacker_loss), Fraction())


switches = partial(rulings, "battling")
"""Return the rulings of the game."""
