"""A Call to Arms scenario with its forces, log steps and JSON form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from generator.common.scenario_file import Step, exported, head
from generator.games.battlelore import model as shared
from generator.games.battlelore.forces import (
    ByCamp,
    Council,
    Kind,
    Pool,
    Unit,
    by_camp,
    hand_of,
    lore_tokens,
    seat_names,
)
from generator.games.battlelore.ground import SECTIONS, SIDES, Board, Inventory, Section, Side
from generator.games.battlelore.model import MEDIEVAL, OFF_BOARD, OTHER, kind_text
from generator.games.call_to_arms.cards import Card, Deck, cell_name
from generator.games.call_to_arms.specialists import (
    Exchange,
    Play,
    Reserve,
    Table,
    chosen,
    exchanged,
    opened,
    specialists,
)
from generator.games.call_to_arms.tables import numbers, ref_words, words
from generator.grid.hexes import Hex
from generator.model.scenario import AdventureTexts, Origin
from generator.model.words import Words, joined, same
from generator.notation import text

PLACES = (*SECTIONS, "reserve")
"""The names of the places of cards in a scenario file."""


class Force(Struct, frozen=True):
    """A camp's four cards and its units, in the order of deployment."""

    camp: Side
    sets: tuple[str, ...]
    """The sets of the cards: `A`, or `A/standard` if the set belongs to the other camp."""
    cards: Mapping[Section, str]
    reserve: str
    units: tuple[Unit, ...]
    council: Council = field(default_factory=dict)
    """The war council; empty in a medieval game."""
    specialists: tuple[str, ...] = ()
    """The Specialists that the player picked, in order."""
    derived: bool = False
    """Whether the file left out the units, which are then derived from the cards."""
    typos: Mapping[str, str] = field(default_factory=dict)
    """Wrong entries of the file, keyed by place (`set`, `left`, …, `reserve`)."""

    @property
    def set(self) -> str:
        """The sets as one text, such as `A` or `A C/standard`."""
        return " ".join(self.sets)

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of the four cards: left, centre, right, reserve."""
        return (*(self.cards[s] for s in SECTIONS), self.reserve)

    @property
    def head(self) -> dict[str, str]:
        """The set and cards as named in the file, including wrong entries."""
        return {"set": self.set, **dict(zip(PLACES, self.keys, strict=True)), **self.typos}

    def meant(self, place: str) -> str:
        """Return the corrected line of the file for the set or a card; empty if the line is correct."""
        right = {"set": self.set, **dict(zip(PLACES, self.keys, strict=True))}
        return text.lines({place: right[place]})[0] if place in self.typos else ""

    @property
    def units_on_board(self) -> tuple[Unit, ...]:
        """The units on the board."""
        return tuple(u for u in self.units if u.hex)

    @property
    def deployed(self) -> tuple[Unit, ...]:
        """The units of the section cards, including lost units."""
        return tuple(u for u in self.units if u.card != self.reserve)

    @property
    def reserves(self) -> tuple[Unit, ...]:
        """The units of the reserve card, including lost units."""
        return tuple(u for u in self.units if u.card == self.reserve)


class Turn(Struct, frozen=True):
    """One choice in the play of a Specialist, and the position before the choice."""

    play: Play
    number: int
    """The 0-based index of the choice in the play."""
    choice: str
    before: Table


class Scenario(Struct, frozen=True, dict=True):
    """A complete Call to Arms battle.

    `units` are in their positions after deployment. `final` is the scenario after `exchanges` and `plays`.
    """

    origin: Origin
    title: Words
    mode: str
    map: str
    """The name of the house map or of the user's file, or `random` for a generated map."""
    board: Board
    inventory: Inventory
    deck: Deck
    pool: Pool
    rulings: Mapping[str, str]
    forces: Mapping[Side, Force]
    first: Side
    banners: int | ByCamp
    hand: int | ByCamp | None
    """The number of cards in a command hand. None in Lore games, in which the war council of each camp determines it.
    """
    log: tuple[Step, ...]
    age: str = MEDIEVAL
    """The age of the battle: `medieval` or `lore`."""
    owner: Side | None = None
    """The player who owns the expansion, or None if it does not matter."""
    exchanges: tuple[Exchange, ...] = ()
    plays: tuple[Play, ...] = ()
    twins: bool = False
    """Whether `deck` and `pool` are the same for the two camps, as in a mirrored scenario."""
    texts: AdventureTexts = AdventureTexts()
    """The written briefing and special rules."""
    pieces: tuple[Kind, ...] = ()
    """The pieces that the owner of the scenario added."""

    def steps(self, what: str, camp: Side | None = None) -> tuple[Step, ...]:
        """Return the log steps of this kind for this camp."""
        return tuple(s for s in self.log if s.what == what and s.who == camp)

    def card(self, camp: Side, ref: str) -> Card:
        """Return the card with this name, as the camp names it."""
        return self.deck.card(camp, ref)

    def green(self, camp: Side) -> int:
        """Return the number of a camp's green banners, which decides who moves first."""
        return green(self.deck, self.forces[camp])

    def hand_of(self, camp: Side) -> int:
        """Return the number of cards in a camp's command hand. In a Lore game the commander's level determines it."""
        return hand_of(self.hand, self.forces[camp].council, camp)

    def banners_of(self, camp: Side) -> int:
        """Return the number of victory banners with which a camp wins."""
        return by_camp(self.banners, camp)

    @property
    def units(self) -> tuple[tuple[Side, Unit], ...]:
        """All units on the board, each with its camp."""
        return tuple((camp, unit) for camp, force in self.forces.items() for unit in force.units_on_board)

    def reserve(self, camp: Side) -> Reserve:
        """Return a camp's reserve card in the form that the functions for Specialists use."""
        key = self.forces[camp].reserve
        return Reserve(key, {cell_name((u.column, u.row)): u.kind for u in self.card(camp, key).units})

    @cached_property
    def table(self) -> Table:
        """The position after the exchange of levy tokens and before any Specialist."""
        units = tuple((camp, unit) for camp, force in self.forces.items() for unit in force.units)
        lore = {camp: lore_tokens(force.council) for camp, force in self.forces.items() if force.council}
        return exchanged(Table(self.board, units, lore), self.exchanges)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All choices of all plays, in order."""
        return self._played[0]

    @property
    def tables(self) -> tuple[Table, ...]:
        """The positions before the first Specialist and after each play."""
        return self._played[1]

    @property
    def end(self) -> Table:
        """The position at the end of the set-up."""
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
        """The scenario after exchanges and Specialists. Its units are in the positions in which the battle begins."""
        end = self.end
        forces = {
            camp: replace(force, units=tuple(u for c, u in end.units if c == camp))
            for camp, force in self.forces.items()
        }
        return replace(self, board=end.board, forces=forces, exchanges=(), plays=())


def green(deck: Deck, force: Force) -> int:
    """Return the number of green banners that a camp's section cards deploy, including levies but not lost units.

    The cards are counted, so extra or missing units in the file do not matter.
    """
    lost = {(u.card, u.cell) for u in force.deployed if u.hex is None}
    cards = ((key, of) for key in force.cards.values() for of in deck.card(force.camp, key).units)
    return len({(key, of.cell) for key, of in cards if of.kind.banner == "green"} - lost)


def account(scenario: Scenario) -> list[Step]:
    """Return the steps that the scenario implies, in the players' order. Each unit's result appears only once."""
    fates = {step.result[0] for step in true_steps(scenario) if step.what in ("lost", "reserve")}
    return [step for step in true_steps(scenario) if step.what != "short" or step.result[0] not in fates]


def true_steps(scenario: Scenario) -> Iterator[Step]:
    """Yield every step that the scenario implies, in the players' order. A lost unit may appear for two reasons."""
    yield Step("map", None, "", (scenario.map,))
    if scenario.owner:
        yield Step("owner", scenario.owner, "", ())
    for camp, force in scenario.forces.items():
        yield Step("set", camp, "", force.sets)
        yield Step("places", camp, "", force.keys)
        yield from _deployed(scenario, camp)
    yield Step("green", None, "", tuple(str(scenario.green(camp)) for camp in SIDES))
    yield Step("first", scenario.first, "", ())
    for camp in (OTHER[scenario.first], scenario.first):
        yield from _reserves(scenario, camp)
        for exchange in scenario.exchanges:
            if exchange.camp == camp:
                yield Step("exchange", camp, "", (exchange.unit, kind_text(exchange.kind)))
    for camp, force in scenario.forces.items():
        if force.council:
            yield Step("council", camp, "", tuple(f"{seat} {level}" for seat, level in force.council.items()))
    yield from _picks(scenario)
    for play in scenario.plays:
        yield Step("play", play.camp, "", (play.card, *play.choices))


def _picks(scenario: Scenario) -> Iterator[Step]:
    """Yield the picks of Specialists in order. Picks in excess of the permitted number come last."""
    left = {camp: list(force.specialists) for camp, force in scenario.forces.items()}
    owner = scenario.owner or scenario.first
    turns = [owner if turn == "owner" else OTHER[owner] for turn in numbers().picks]
    for camp in (*turns, *(c for c in SIDES for _ in left[c])):
        if left[camp]:
            yield Step("pick", camp, "", (left[camp].pop(0),))


def _deployed(scenario: Scenario, camp: Side) -> Iterator[Step]:
    force, board = scenario.forces[camp], scenario.board
    section_of = {force.cards[section]: section for section in SECTIONS}
    for unit in force.deployed:
        if unit.levy:
            yield Step("levy", camp, "", (unit.id, unit.kind.banner))
        if not unit.hex:
            yield Step("short", camp, "", (unit.id,))
        if unit.card in section_of and unit.cell[0] >= 0:
            card_hex = board.plan.card_hex(camp, section_of[unit.card], *unit.cell)
            if unit.hex and unit.placed == "displaced":
                yield Step("displaced", camp, "", (unit.id, _name(scenario, card_hex), _name(scenario, unit.hex)))
            elif not unit.hex and not board.passable(card_hex):
                yield Step("lost", camp, "", (unit.id, _name(scenario, card_hex)))


def _reserves(scenario: Scenario, camp: Side) -> Iterator[Step]:
    board, force = scenario.board, scenario.forces[camp]
    taken = {unit.hex for unit in force.units}
    room = any(board.passable(cell) and cell not in taken for cell in board.plan.baseline(camp))
    for unit in force.reserves:
        if unit.levy:
            yield Step("levy", camp, "", (unit.id, unit.kind.banner))
        if not unit.hex:
            yield Step("short", camp, "", (unit.id,))
        if unit.hex or not room:
            yield Step("reserve", camp, "", (unit.id, _name(scenario, unit.hex)))


def _name(scenario: Scenario, cell: Hex | None) -> str:
    return scenario.board.field.name(cell) if cell else OFF_BOARD


def part_names(scenario: Scenario) -> dict[str, Words]:
    """Return the names of ids in the log: Specialists, plays, cards of the other camp, council seats and soldiers."""
    sets = [(camp, of, force.sets) for camp, force in scenario.forces.items() for of in force.sets]
    cards = {ref: ref_words(ref, every) for camp, of, every in sets for ref in scenario.deck.refs(camp, of)}
    logged = [(camp, step.result) for camp in SIDES for step in scenario.steps("play", camp) if step.result]
    logged_plays = (Play(camp, card, tuple(choices)) for camp, (card, *choices) in logged)
    plays = [play for play in (*scenario.plays, *logged_plays) if play.choices and play.card in specialists()]
    return (
        {card.id: card.label for card in specialists().values()}
        | {" ".join((p.card, *p.choices)): played_words(scenario, p) for p in plays}
        | {of: ref_words(of) for _, of, _ in sets}
        | cards
        | {kind_text(e.kind): e.kind.name for e in scenario.exchanges}
        | seat_names(force.council for force in scenario.forces.values())
    )


def plain(step: Step) -> Step:
    """Return a log step in which a Specialist and its choices form one result."""
    return replace(step, result=(" ".join(step.result),)) if step.what == "play" else step


def played_words(scenario: Scenario, play: Play) -> Words:
    """Return a description of a play with the Specialist and the choices."""
    card, kinds = specialists()[play.card], scenario.reserve(play.camp).kinds
    texts = words()["choice"].get(card.effect, same("{unit}"))
    choices = []
    for name, _, where in (choice.partition(">") for choice in play.choices):
        unit = kinds[name].name.low if name in kinds else same(name)
        choices.append(texts.fill(unit=unit, hex=where or name))
    return words()["record"]["special"].fill(card=card.label, choices=joined(choices))


def export(scenario: Scenario) -> dict[str, Any]:
    """Return the scenario as values for JSON (docs/json.md)."""
    table = scenario.final
    return {
        **head(scenario),
        "mode": scenario.mode,
        "age": scenario.age,
        "owner": scenario.owner,
        "twins": scenario.twins,
        "board": shared.field(scenario.map, scenario.board),
        "rulings": dict(scenario.rulings),
        "forces": [_force(scenario, scenario.forces[camp]) for camp in SIDES],
        "exchanges": [
            {"camp": e.camp, "unit": e.unit, "banner": e.kind.banner, "weapon": e.kind.weapon, "race": e.kind.race}
            for e in scenario.exchanges
        ],
        "specials": [{"camp": p.camp, "card": p.card, "choices": list(p.choices)} for p in scenario.plays],
        "final": {
            "features": shared.features(table.board),
            "units": {camp: [_unit(table, unit) for unit in table.forces[camp].units_on_board] for camp in SIDES},
            "lore": dict(scenario.end.lore),
        },
        "first": scenario.first,
        **shared.aims(scenario),
        "log": exported(scenario.log),
    }


def _force(scenario: Scenario, force: Force) -> dict[str, Any]:
    return {
        "camp": force.camp,
        "set": force.head["set"],
        "cards": {place: key for place, key in force.head.items() if place != "set"},
        "council": dict(force.council),
        "specialists": list(force.specialists),
        "units": [_unit(scenario, unit) for unit in force.deployed],
        "reserves": [_unit(scenario, unit) for unit in force.reserves],
    }


def _unit(scenario: Scenario, unit: Unit) -> dict[str, Any]:
    return shared.unit(scenario.board, unit) | {
        "card": unit.card,
        "cell": cell_name(unit.cell),
        "placed": unit.placed,
        "levy": unit.levy,
    }
