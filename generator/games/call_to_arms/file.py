"""A scenario's form as TOML.

A scenario as TOML that a person reads, edits and checks again (docs/formats/scenario.md).

One camp's table in a scenario file; what a person left out of a unit's row is found on the cards.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
from msgspec.structs import asdict

from generator.common.interpretations import defaults
from generator.common.scenario_file import Body, Count, Short, beside, log_lines, steps
from generator.errors import near
from generator.games.battlelore.forces import Kind, Placed, Unit, council_tables, load_pool
from generator.games.battlelore.ground import SECTIONS, SIDES, Board, Section, Side, load_inventory
from generator.games.battlelore.mirror import evened
from generator.games.battlelore.model import (
    OFF_BOARD,
    PREFIX,
    UNIT_LIMIT,
    BattleReading,
    BoardTable,
    board_lines,
    kind_text,
)
from generator.games.battlelore.tables import lore
from generator.games.battlelore.wishes import BY_HAND
from generator.games.call_to_arms.cards import Deck, cell_name, load_deck, read_cell_name
from generator.games.call_to_arms.mirror import twinned
from generator.games.call_to_arms.model import AGES, MEDIEVAL, Force, Scenario
from generator.games.call_to_arms.specialists import Exchange, Play, specialists
from generator.games.call_to_arms.tables import switches
from generator.games.call_to_arms.wishes import IMPROMPTU, MODES
from generator.grid.hexes import Hex
from generator.model.scenario import Origin
from generator.model.words import Words
from generator.notation import text
from generator.notation.toml import Source
from generator.notation.validation import KeyPath

NOWHERE = (-1, -1)


class UnitRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A unit; only its hex and what it is must be there."""

    hex: Short
    """Where it stands; `-` off the board."""
    unit: Short
    """Its banner, weapon and race: `"blue short_sword dwarf"`; a human goes without saying."""
    id: Short = ""
    """Its name; `P1`, `P2` … and `S1`, `S2` … where it is left out."""
    card: Short = ""
    """The card it came on."""
    cell: Short = ""
    """Its cell of that card, from the owner's left and his baseline: `b2`."""
    placed: Placed | None = None
    """How it came to its hex."""
    levy: bool = False
    """Whether a levy token stands in for its banner."""


class ForceTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A camp: its four cards and its units as they were deployed."""

    left: Short
    """The card of the left."""
    centre: Short
    """The card of the centre."""
    right: Short
    """The card of the right."""
    reserve: Short
    """The card of the reserve."""
    units: Annotated[tuple[UnitRow, ...], msgspec.Meta(max_length=UNIT_LIMIT)]
    """Its units as they were deployed."""
    set: Short = ""
    """The sets that its cards come from."""
    council: dict[str, Annotated[int, msgspec.Meta(ge=0, le=99)]] = {}
    """The level of each seat of its war council."""
    specialists: Annotated[tuple[Short, ...], msgspec.Meta(max_length=UNIT_LIMIT)] = ()
    """Its Specialist cards, by id."""


class _Berth(NamedTuple):
    """A place on a card that a unit may have come from; the least rank fits best."""

    rank: int
    card: str
    cell: tuple[int, int]
    placed: Placed


class ForceReader:
    """Reads one camp; faults go to the reading."""

    def __init__(self, reading: BattleReading, board: Board, deck: Deck, camp: Side, table: ForceTable) -> None:
        self.reading, self.board, self.deck, self.camp, self.table = reading, board, deck, camp, table
        self.cards: dict[Section, str] = {"left": table.left, "centre": table.centre, "right": table.right}
        self.used: set[tuple[str, tuple[int, int]]] = set()

    def force(self) -> Force | None:
        """The camp's force; None where its cards make no sense."""
        known = [c.key if c.camp == self.camp else f"{c.key}/{c.camp}" for c in self.deck.cards]
        keys = (*self.cards.items(), ("reserve", self.table.reserve))
        for place, key in keys:
            if key not in known:
                self.fault((place,), f"no card {key!r}", near(key, known))
        for seat in self.table.council:
            self.reading.one_of((self.camp, "council", seat), seat, council_tables().seats)
        for i, name in enumerate(self.table.specialists):
            self.reading.one_of((self.camp, "specialists", i), name, specialists())
        if any(key not in known for _, key in keys):
            return None
        units = [self.unit(i, row) for i, row in enumerate(self.table.units)]
        self.reading.ids((self.camp, "units"), [unit.id for unit in units if unit is not None])
        return Force(
            camp=self.camp,
            sets=tuple(self.table.set.split()) or tuple(dict.fromkeys(_set_of(key) for _, key in keys)),
            cards={section: self.cards[section] for section in SECTIONS},
            reserve=self.table.reserve,
            units=tuple(u for u in units if u),
            council=self.table.council,
            specialists=self.table.specialists,
        )

    def fault(self, keys: KeyPath, message: str, hint: str = "") -> None:
        """Note a fault of this camp."""
        self.reading.fault((self.camp, *keys), message, hint)

    def unit(self, index: int, row: UnitRow) -> Unit | None:
        """A unit's row."""
        at = ("units", index)
        before = len(self.reading.problems)
        cell = self.reading.hex((self.camp, *at, "hex"), row.hex, self.board)
        kind = self.reading.kind((self.camp, *at, "unit"), row.unit)
        in_play = (*self.cards.values(), self.table.reserve)
        if row.card and row.card not in in_play:
            self.fault((*at, "card"), f"card {row.card!r} is not in play", near(row.card, in_play))
        on_card = read_cell_name(row.cell) if row.cell else None
        if row.cell and on_card is None:
            self.fault((*at, "cell"), f"no cell {row.cell!r} on a card", "a1 to d1, a2 to c2, a3 to d3, a4 to c4")
        if len(self.reading.problems) > before or kind is None:
            return None
        berth = self.berth(kind, cell, row, on_card)
        self.used.add((berth.card, berth.cell))
        name = row.id or f"{PREFIX[self.camp]}{index + 1}"
        return Unit(name, kind, berth.card, berth.cell, row.placed or berth.placed, cell, row.levy)

    def berth(self, kind: Kind, at: Hex | None, row: UnitRow, on_card: tuple[int, int] | None) -> _Berth:
        """Where on the cards a unit came from: its own hex, else displaced from an impassable one, else reserve."""
        open_ = [
            berth
            for berth in self._berths(kind, at)
            if row.card in ("", berth.card)
            and on_card in (None, berth.cell)
            and row.placed in (None, berth.placed)
            and (berth.card, berth.cell) not in self.used
        ]
        return min(open_, default=_Berth(0, row.card, on_card or NOWHERE, "lost" if at is None else "card"))

    def _berths(self, kind: Kind, at: Hex | None) -> list[_Berth]:
        plan, found = self.board.plan, list[_Berth]()
        for section, key in self.cards.items():
            for of in self.deck.card(self.camp, key).units:
                if of.kind == kind:
                    own = plan.card_hex(self.camp, section, of.column, of.row)
                    cell = (of.column, of.row)
                    if at is None:
                        found.append(_Berth(int(self.board.passable(own)), key, cell, "lost"))
                    elif own == at:
                        found.append(_Berth(0, key, cell, "card"))
                    else:
                        # A unit whose own hex is impassable was displaced in its section before any reserve came.
                        forced = not self.board.passable(own) and at in plan.section_cells(section, self.camp)
                        found.append(_Berth(1 if forced else 3, key, cell, "displaced"))
        for of in self.deck.card(self.camp, self.table.reserve).units:
            if of.kind == kind:
                rank = 2 if at is None or at in plan.baseline(self.camp) else 4
                placed: Placed = "lost" if at is None else "reserve"
                found.append(_Berth(rank, self.table.reserve, (of.column, of.row), placed))
        return found


def _set_of(key: str) -> str:
    name, _, other = key.partition("/")
    return f"{name[0]}/{other}" if other else name[0]


class _Play(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How it is played."""

    title: Words | str
    """What the battle is called, in both languages or in one text for both."""
    first: Side
    """The camp that moves first."""
    mode: Short = IMPROMPTU
    """`impromptu` or `organized`."""
    age: Short = MEDIEVAL
    """`medieval` or `lore`."""
    owner: Side | None = None
    """The camp that owns the expansion."""
    twins: bool = False
    """Whether both camps have like cards and figures, as `--mirror` draws them."""
    banners: Count = lore().play.banners.usual
    """Victory banners that win."""
    hand: Count = lore().play.hand.usual
    """Cards of a command hand."""


class _Exchange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Levies given back for a better unit."""

    camp: Side
    """Whose it is."""
    unit: Short
    """The unit, by its id."""
    to: Short
    """What it became: banner, weapon and race."""


class _Special(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Specialist card as it was played."""

    camp: Side
    """Whose it is."""
    card: Short
    """The card, by its id."""
    choices: Annotated[tuple[Short, ...], msgspec.Meta(max_length=UNIT_LIMIT)] = ()
    """What was chosen with it."""


class ScenarioFile(Body, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A scenario as its file has it."""

    board: BoardTable
    """The field."""
    pennant: ForceTable
    """The Pennant camp."""
    standard: ForceTable
    """The Standard camp."""
    play: _Play
    """How it is played."""
    exchange: Annotated[tuple[_Exchange, ...], msgspec.Meta(max_length=UNIT_LIMIT)] = ()
    """Levies given back."""
    special: Annotated[tuple[_Special, ...], msgspec.Meta(max_length=UNIT_LIMIT)] = ()
    """Specialist cards as they were played."""


def write(scenario: Scenario) -> str:
    """The body of the scenario's file."""
    play: dict[str, object] = {"title": asdict(scenario.title), "mode": scenario.mode}
    play |= {"age": scenario.age, "owner": scenario.owner} if scenario.owner else {"age": scenario.age}
    play |= {"twins": True} if scenario.twins else {}
    play |= {"first": scenario.first, "banners": scenario.banners, "hand": scenario.hand}
    lines = ["[play]", *text.lines(play), *board_lines(scenario.map, scenario.board)]
    lines += ["", "[rulings]", *text.lines(scenario.rulings)]
    for force in scenario.forces.values():
        lines += _force_lines(scenario, force)
    for exchange in scenario.exchanges:
        row = {"camp": exchange.camp, "unit": exchange.unit, "to": kind_text(exchange.kind)}
        lines += ["", "[[exchange]]", *text.lines(row)]
    for special in scenario.plays:
        lines += ["", "[[special]]", *text.lines({"camp": special.camp, "card": special.card})]
        lines += text.lines({"choices": special.choices})
    return "\n".join([*lines, *log_lines(scenario.log)]) + "\n"


def _force_lines(scenario: Scenario, force: Force) -> list[str]:
    cards: dict[str, str] = {section: force.cards[section] for section in SECTIONS}
    head: dict[str, object] = {"set": force.set, **cards, "reserve": force.reserve}
    head |= {"council": force.council} if force.council else {}
    head |= {"specialists": force.specialists} if force.specialists else {}
    lines = ["", f"[{force.camp}]", *text.lines(head), "units = ["]
    return [*lines, *(f"  {text.value(_unit_row(scenario, unit))}," for unit in force.units), "]"]


def _unit_row(scenario: Scenario, unit: Unit) -> dict[str, object]:
    at = scenario.board.field.name(unit.hex) if unit.hex else OFF_BOARD
    row: dict[str, object] = {"id": unit.id, "hex": at, "unit": kind_text(unit.kind), "card": unit.card}
    row |= {"cell": cell_name(unit.cell), "placed": unit.placed}
    return row | ({"levy": True} if unit.levy else {})


def read(source: Source, origin: Origin, folder: Path) -> Scenario:
    """The scenario of a file; DataError names every fault with its line."""
    body = source.read(ScenarioFile)
    reading = BattleReading(source)
    board = reading.board(body.board)
    deck = load_deck(beside("deck", origin, folder, source))
    pool = load_pool(beside("pool", origin, folder, source))
    if body.play.twins:
        deck, pool = twinned(deck), evened(pool)
    title = reading.title(body.play.title)
    reading.rulings(body.rulings, switches())
    mode = reading.one_of(("play", "mode"), body.play.mode, MODES)
    age = reading.one_of(("play", "age"), body.play.age, AGES)
    for i, special in enumerate(body.special):
        reading.one_of(("special", i, "card"), special.card, specialists())
    exchanges = [
        Exchange(row.camp, row.unit, kind)
        for i, row in enumerate(body.exchange)
        if (kind := reading.kind(("exchange", i, "to"), row.to))
    ]
    forces = {
        camp: ForceReader(reading, board, deck, camp, table).force()
        for camp, table in zip(SIDES, (body.pennant, body.standard), strict=True)
    }
    log = steps(reading, body.log, SIDES)
    reading.done()
    return Scenario(
        origin=origin,
        title=title,
        mode=mode,
        map=body.board.map or BY_HAND,
        board=board,
        inventory=load_inventory(beside("inventory", origin, folder, source)),
        deck=deck,
        pool=pool,
        rulings=defaults(switches()) | body.rulings,
        forces={camp: force for camp, force in forces.items() if force},
        first=body.play.first,
        banners=body.play.banners,
        hand=body.play.hand,
        log=log,
        age=age,
        owner=body.play.owner,
        exchanges=tuple(exchanges),
        plays=tuple(Play(row.camp, row.card, row.choices) for row in body.special),
        twins=body.play.twins,
    )
