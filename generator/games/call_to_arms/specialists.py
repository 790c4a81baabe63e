"""Specialist cards, their plays, and the position after each play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count
from typing import Literal

import msgspec
from msgspec.structs import replace

from generator.common.tables import Listed, by_id, mark_house_content
from generator.games.battlelore.forces import Council, Kind, Unit
from generator.games.battlelore.ground import Board, Side
from generator.games.battlelore.model import PREFIX, CampUnit
from generator.games.battlelore.tables import Whence, lore
from generator.games.call_to_arms.cards import NO_CELL, read_cell_name
from generator.games.call_to_arms.tables import numbers
from generator.grid.hexes import Hex
from generator.model.words import Words, joined
from generator.notation import toml

Effect = Literal["stakes", "upgrade", "enroll", "move", "reinforce", "copy", "lore", "hire", "hire_pair", "vantage"]


class Specialist(Listed, frozen=True, forbid_unknown_fields=True):
    """A Specialist card, as described at the head of specialists.toml."""

    effect: Effect
    source: Whence
    text: Words
    needs: str = msgspec.field(name="class", default="")
    lore_only: bool = False
    max_choices: int = msgspec.field(name="most", default=0)
    rows: int = 0
    race: str = ""
    to: str = ""
    per_level: int = 0
    above: int = 0
    mounted_from: int = 0
    banners: tuple[str, ...] = ()

    @property
    def label(self) -> Words:
        """The name in lists. In Japanese it includes the English name, which is printed on the original card."""
        return Words(self.name.en, f"{self.name.en}（{self.name.ja}）")

    @property
    def chooses(self) -> bool:
        """Whether the card has no effect unless the player makes a choice."""
        return self.effect not in ("upgrade", "lore")

    @property
    def full_text(self) -> Words:
        """The text of the card with its numbers filled in."""
        fields = ("rows", "per_level", "above", "mounted_from")
        names = [lore().banners[banner].name for banner in self.banners]
        levels = joined([Words(f"{name.en.lower()} {n}", f"{name.ja}{n}") for n, name in enumerate(names, 1)])
        return self.text.fill(
            **{name: getattr(self, name) for name in fields},
            most=self.max_choices,
            second_reserves=numbers().second_reserves,
            levels=levels,
        )

    def level(self, council: Council) -> int:
        """Return the level of the Lore Master that the card needs, or 1 if it needs none."""
        return council.get(self.needs, 0) if self.needs else 1

    def limit(self, council: Council) -> int:
        """Return the maximum number of choices when the card is played."""
        if self.effect == "move":
            return self.per_level * self.level(council)
        if self.effect in ("reinforce", "lore"):
            return max(0, self.level(council) - self.above)
        if self.effect in ("copy", "hire_pair"):
            return min(1, self.level(council))
        return self.max_choices


class _Specialists(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    specialist: tuple[Specialist, ...]
    lore_only_source: Whence


_specialists = toml.shipped_table("call_to_arms/specialists.toml", _Specialists)
specialists = by_id(lambda: _specialists().specialist)
"""Returns all Specialists keyed by id, in the order of the file."""


def lore_only(text: Words) -> Words:
    """Return a card's text about Lore games, marked as house content if the list of these cards is ours."""
    return mark_house_content(text, _specialists().lore_only_source)


class Play(msgspec.Struct, frozen=True):
    """A play of a Specialist by a camp, with choices such as `P3`, `C4` or `P3>D5` (docs/formats)."""

    camp: Side
    card: str
    choices: tuple[str, ...] = ()


class Exchange(msgspec.Struct, frozen=True):
    """The exchange of a Feudal levy token for a unit of soldiers."""

    camp: Side
    unit: str
    kind: Kind


class Table(msgspec.Struct, frozen=True):
    """The position of a battle: units, terrain, features and Lore tokens.

    A scenario does not store tables. They are derived from the deployed units and the plays.
    """

    board: Board
    units: tuple[CampUnit, ...]
    lore: Mapping[Side, int] = msgspec.field(default_factory=dict)

    def find(self, camp: Side, name: str) -> Unit | None:
        """Return the camp's unit with this id, even if it is not on the board, or None."""
        return next((u for of, u in self.units if of == camp and u.id == name), None)

    def of(self, camp: Side) -> tuple[Unit, ...]:
        """Return the units of a camp that are on the board."""
        return tuple(u for c, u in self.units if c == camp and u.hex)

    def taken(self) -> set[Hex]:
        """Return the hexes that are occupied by units."""
        return {u.hex for _, u in self.units if u.hex}

    def changed(self, camp: Side, unit: Unit) -> Table:
        """Return a table in which `unit` replaces the camp's unit with the same id."""
        units = ((c, unit if c == camp and u.id == unit.id else u) for c, u in self.units)
        return replace(self, units=tuple(units))

    def joined(self, camp: Side, unit: Unit) -> Table:
        """Return a table with one more unit, which is assigned a new id."""
        ids = {u.id for _, u in self.units}
        names = (f"{PREFIX[camp]}{n}" for n in count(1 + sum(c == camp for c, _ in self.units)))
        unit = replace(unit, id=next(name for name in names if name not in ids), placed="special")
        return replace(self, units=(*self.units, (camp, unit)))


def exchanged(table: Table, exchanges: Iterable[Exchange]) -> Table:
    """Return the table after the exchange of levy tokens."""
    for exchange in exchanges:
        if unit := table.find(exchange.camp, exchange.unit):
            table = table.changed(exchange.camp, replace(unit, kind=exchange.kind, levy=False))
    return table


class Choice(msgspec.Struct, frozen=True):
    """A choice, split into the name before the arrow and the hex after the arrow."""

    name: str
    at: Hex | None

    @classmethod
    def of(cls, text: str, board: Board) -> Choice:
        """Parse a choice such as `P3`, `C4` or `P3>D5`. `at` is None if the board does not have the hex."""
        name, _, where = text.partition(">")
        return cls(name.strip(), board.field.find((where or name).strip()))


class Reserve(msgspec.Struct, frozen=True):
    """A camp's reserve card, with the kinds of units on the card keyed by cell name."""

    key: str
    kinds: Mapping[str, Kind]


def opened(table: Table, play: Play, council: Council) -> Table:
    """Return the table after those effects of a Specialist that need no choice."""
    card, camp = specialists()[play.card], play.camp
    if card.effect == "upgrade":
        for unit in table.of(camp):
            if unit.kind.bow and unit.kind.race == card.race:
                table = table.changed(camp, replace(unit, kind=replace(unit.kind, weapon=card.to)))
    elif card.effect == "lore":
        tokens = card.per_level * card.limit(council)
        table = replace(table, lore={**table.lore, camp: table.lore.get(camp, 0) + tokens})
    return table


def chosen(table: Table, play: Play, text: str, reserve: Reserve) -> Table:
    """Return the table after one choice. An invalid choice, which the rules report, changes nothing."""
    return _chosen(table, specialists()[play.card], play.camp, Choice.of(text, table.board), reserve)


def _chosen(table: Table, card: Specialist, camp: Side, choice: Choice, reserve: Reserve) -> Table:
    if card.effect == "stakes":
        if choice.at is None:
            return table
        features = {**table.board.features, choice.at: "stakes"}
        return replace(table, board=replace(table.board, features=features))
    if card.effect in ("enroll", "vantage"):
        return _from_reserve(table, card, camp, choice, reserve)
    unit = table.find(camp, choice.name)
    if unit is None or unit.hex is None:
        return table
    if card.effect == "reinforce":
        return table.changed(camp, replace(unit, extra=unit.extra + 1))
    if card.effect == "hire":
        return table.changed(camp, _hired(unit, card))
    if choice.at is None:
        return table
    if card.effect == "move":
        return table.changed(camp, replace(unit, hex=choice.at))
    if card.effect == "hire_pair":
        hired = _hired(unit, card)
        return table.changed(camp, hired).joined(camp, replace(hired, card="", cell=NO_CELL, hex=choice.at, extra=0))
    if card.effect == "copy":
        return table.joined(camp, replace(unit, card="", cell=NO_CELL, hex=choice.at, levy=False))
    return table


def _hired(unit: Unit, card: Specialist) -> Unit:
    """Return the unit with the race of the Specialist. Figures replace a levy token."""
    return replace(unit, kind=replace(unit.kind, race=card.race), levy=False)


def _from_reserve(table: Table, card: Specialist, camp: Side, choice: Choice, reserve: Reserve) -> Table:
    """Place a unit of the reserve card. Vantage Point can also move a placed reserve or return a lost reserve."""
    cell = read_cell_name(choice.name)
    if choice.at is None or cell is None or choice.name not in reserve.kinds:
        return table
    came = from_reserve(table, camp, reserve.key, cell)
    if came:
        return (
            table.changed(camp, replace(came, hex=choice.at, placed="special")) if card.effect == "vantage" else table
        )
    return table.joined(camp, Unit("", reserve.kinds[choice.name], reserve.key, cell, "special", choice.at))


def from_reserve(table: Table, camp: Side, key: str, cell: tuple[int, int]) -> Unit | None:
    """Return the unit that was placed from a cell of the reserve card, even if it is lost, or None."""
    return next((u for c, u in table.units if c == camp and (u.card, u.cell) == (key, cell)), None)
