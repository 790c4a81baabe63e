"""A Call to Arms scenario: a board, two forces raised by card, and how it was drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from generator.games.battlelore.forces.council import Council, command_hand, lore_tokens
from generator.games.battlelore.forces.pool import Pool
from generator.games.battlelore.forces.units import Unit
from generator.games.battlelore.ground.board import SECTIONS, Board, Camp, Section
from generator.games.battlelore.ground.tiles import Inventory
from generator.games.call_to_arms.forces.cells import cell_name
from generator.games.call_to_arms.forces.deck import Card, Deck
from generator.games.call_to_arms.forces.specialists import Card as Reserve
from generator.games.call_to_arms.forces.specialists import Exchange, Play, Table, chosen, exchanged, opened
from generator.games.logs import Step
from generator.model.scenario import Origin
from generator.model.words import Words

MEDIEVAL, LORE = AGES = ("medieval", "lore")


@dataclass(frozen=True)
class Force:
    """One camp's four cards and its units in the order they were deployed."""

    camp: Camp
    sets: tuple[str, ...]
    """The sets its cards were drawn from: `A`, or `A/standard` where it is the other camp's."""
    cards: Mapping[Section, str]
    reserve: str
    units: tuple[Unit, ...]
    council: Council = field(default_factory=dict)
    """Its war council; empty in a medieval game."""
    specialists: tuple[str, ...] = ()
    """The Specialists it chose, in the order it chose them."""

    @property
    def set(self) -> str:
        """Its sets in one text: `A`, or `A C/standard`."""
        return " ".join(self.sets)

    @property
    def keys(self) -> tuple[str, ...]:
        """The four card keys: left, centre, right, reserve."""
        return (*(self.cards[s] for s in SECTIONS), self.reserve)

    @property
    def standing(self) -> tuple[Unit, ...]:
        """The units on the board."""
        return tuple(u for u in self.units if u.hex)

    @property
    def deployed(self) -> tuple[Unit, ...]:
        """The units of the three cards on the map, lost ones too."""
        return tuple(u for u in self.units if u.card != self.reserve)

    @property
    def reserves(self) -> tuple[Unit, ...]:
        """The units of the reserve card, lost ones too."""
        return tuple(u for u in self.units if u.card == self.reserve)


@dataclass(frozen=True)
class Turn:
    """A choice of a Specialist's play, with the table as it lay before it."""

    play: Play
    number: int
    """The choice's place among those of its play, from 0."""
    choice: str
    before: Table


@dataclass(frozen=True)
class Scenario:
    """A whole scenario, frozen; the one thing that is checked, printed and written down.

    Its units stand as they were deployed. `exchanges` and `plays` come after; `final` is the scenario with
    both carried out.
    """

    origin: Origin
    title: Words
    mode: str
    map: str
    """The name of the house map, of the user's file, or `random`."""
    board: Board
    inventory: Inventory
    deck: Deck
    pool: Pool
    rulings: Mapping[str, str]
    forces: Mapping[Camp, Force]
    first: Camp
    banners: int
    hand: int
    log: tuple[Step, ...]
    age: str = MEDIEVAL
    """`medieval` or `lore`."""
    owner: Camp | None = None
    """Who owns the expansion, where that matters."""
    exchanges: tuple[Exchange, ...] = ()
    plays: tuple[Play, ...] = ()
    twins: bool = False
    """Whether both camps play equal cards with what both have of the pool; `deck` and `pool` are those."""

    def steps(self, what: str, camp: Camp | None = None) -> tuple[Step, ...]:
        """The steps of that kind, for that camp."""
        return tuple(s for s in self.log if s.what == what and s.who == camp)

    def card(self, camp: Camp, ref: str) -> Card:
        """A card of the deck in play, by what the camp calls it."""
        return self.deck.card(camp, ref)

    def hand_of(self, camp: Camp) -> int:
        """A camp's command hand: its commander's in a Lore game."""
        council = self.forces[camp].council
        return command_hand(council) if council else self.hand

    @property
    def units(self) -> tuple[tuple[Camp, Unit], ...]:
        """Every unit on the board with its camp."""
        return tuple((camp, unit) for camp, force in self.forces.items() for unit in force.standing)

    def reserve(self, camp: Camp) -> Reserve:
        """The camp's reserve card as Specialists draw on it."""
        key = self.forces[camp].reserve
        return Reserve(key, {cell_name((u.column, u.row)): u.kind for u in self.card(camp, key).units})

    @cached_property
    def table(self) -> Table:
        """The table after levy tokens were exchanged, before any Specialist."""
        units = tuple((camp, unit) for camp, force in self.forces.items() for unit in force.units)
        lore = {camp: lore_tokens(force.council) for camp, force in self.forces.items() if force.council}
        return exchanged(Table(self.board, units, lore), self.exchanges)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Every choice of every play, in order."""
        return self._played[0]

    @property
    def tables(self) -> tuple[Table, ...]:
        """The table before any Specialist, then after each play."""
        return self._played[1]

    @property
    def end(self) -> Table:
        """The table when all is set up."""
        return self.tables[-1]

    @cached_property
    def _played(self) -> tuple[tuple[Turn, ...], tuple[Table, ...]]:
        tables, turns = [self.table], []
        for play in self.plays:
            table = opened(tables[-1], play, self.forces[play.camp].council)
            for number, choice in enumerate(play.choices):
                turns.append(Turn(play, number, choice, table))
                table = chosen(table, play, choice, self.reserve(play.camp))
            tables.append(table)
        return tuple(turns), tuple(tables)

    @cached_property
    def final(self) -> Scenario:
        """The scenario with exchanges and Specialists carried out: what stands on the table."""
        end = self.end
        forces = {
            camp: replace(force, units=tuple(u for c, u in end.units if c == camp))
            for camp, force in self.forces.items()
        }
        return replace(self, board=end.board, forces=forces, exchanges=(), plays=())
