"""The scenario file in TOML (docs/formats/scenario.md); entries that users omit follow from the cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec.structs import asdict

from generator.common.interpretations import defaults
from generator.common.scenario_file import Body, Count, Number, Short, Step, accompanying_file, log_lines, steps
from generator.errors import near
from generator.games.battlelore import model as battle
from generator.games.battlelore.forces import Placed, Unit, council_tables, load_pool
from generator.games.battlelore.ground import SECTIONS, SIDES, Section, Side, load_inventory
from generator.games.battlelore.model import (
    AGES,
    LORE,
    MEDIEVAL,
    OFF_BOARD,
    PREFIX,
    UNIT_LIMIT,
    BattleReading,
    BoardTable,
    board_lines,
    evened,
    kind_text,
    named_row,
)
from generator.games.battlelore.options import BY_HAND
from generator.games.battlelore.tables import lore
from generator.games.call_to_arms.cards import NO_CELL, CardUnit, Deck, cell_name, read_cell_name, set_of
from generator.games.call_to_arms.decks import load_deck
from generator.games.call_to_arms.deploying import (
    CardSlot,
    Choose,
    Deployment,
    EnteredUnit,
    Matching,
    Place,
    card_slots,
    likely_cards,
)
from generator.games.call_to_arms.model import Force, Scenario, green
from generator.games.call_to_arms.options import IMPROMPTU, MODES
from generator.games.call_to_arms.specialists import Exchange, Play, specialists
from generator.games.call_to_arms.tables import numbers, switches
from generator.games.call_to_arms.twins import twinned
from generator.grid.hexes import Hex
from generator.localization import tr
from generator.model.scenario import Origin
from generator.model.words import Words
from generator.notation import text
from generator.notation.toml import Source
from generator.notation.validation import KeyPath

LATER = ("vantage", "any")
_Cell = tuple[str, tuple[int, int]]
"""A card in play and a cell of it."""


class UnitRow(battle.UnitRow, frozen=True, forbid_unknown_fields=True):
    """A unit; only its hex and its kind are required."""

    card: Short = ""
    """The card that brought the unit."""
    cell: Short = ""
    """The unit's cell on its card, from the owner's left and the owner's baseline, such as `b2`."""
    placed: Placed | None = None
    """How the unit reached its hex."""
    levy: bool = False
    """Whether a Feudal levy token replaces the unit."""


_Rows = Annotated[tuple[UnitRow, ...], msgspec.Meta(max_length=UNIT_LIMIT)]
_Cells = Annotated[tuple[Short, ...], msgspec.Meta(max_length=UNIT_LIMIT)]


class ForceTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A camp: its four cards, and its units as deployed."""

    left: Short
    """The card of the left section."""
    centre: Short
    """The card of the centre section."""
    right: Short
    """The card of the right section."""
    reserve: Short
    """The card in reserve."""
    units: _Rows | None = None
    """The units as deployed. Without `units`, they follow from the cards, `reserves` and `displaced`."""
    reserves: _Cells = ()
    """Without `units`: the reserve units in the order of placement, such as `"a3>B1"` (cell, hex)."""
    displaced: _Cells = ()
    """Without `units`: hexes of units whose own hex is impassable, such as `"A5 a4>B1"` (card, cell, hex)."""
    set: Short = ""
    """The sets of the camp's cards."""
    council: dict[str, Number] = {}
    """The level of each member of the war council."""
    specialists: Annotated[tuple[Short, ...], msgspec.Meta(max_length=UNIT_LIMIT)] = ()
    """The ids of the camp's Specialist cards."""


_SENT = re.compile(r"(?:(\S+)\s+)?([A-Za-z]\d)\s*(?:>\s*(\S+))?")
"""A card, a cell of it and a hex: `A5 a4>B1`; the reserve card may be left out."""


class ForceReader:
    """Reads the table of one camp and reports its faults to `reading`."""

    def __init__(
        self,
        reading: BattleReading,
        on: Deployment,
        reveal: Iterable[Section],
        table: ForceTable,
        log: Iterable[Step],
    ) -> None:
        self.reading, self.on, self.reveal, self.table, self.log = reading, on, reveal, table, log
        self.camp = on.camp
        self.known = [c.key if c.camp == self.camp else f"{c.key}/{c.camp}" for c in on.deck.cards]

    def force(self) -> Force | None:
        """Return the camp's force; None if its cards are invalid."""
        keys: tuple[tuple[Place, str], ...] = (*self.on.places.items(), ("reserve", self.table.reserve))
        for place, key in keys:
            if key not in self.known:
                self.fault((place,), tr("no card {key!r}", key=key), near(key, self.known))
        for seat in self.table.council:
            self.reading.one_of((self.camp, "council", seat), seat, council_tables().seats)
        for i, name in enumerate(self.table.specialists):
            self.reading.one_of((self.camp, "specialists", i), name, specialists())
        if any(key not in self.known for _, key in keys):
            return None
        given = dict(keys)
        units, played = (
            (self.derived(), given) if self.table.units is None else self.read_units(self.table.units, given)
        )
        sets, drawn = tuple(self.table.set.split()), tuple(dict.fromkeys(map(set_of, played.values())))
        slips: dict[str, str] = {place: key for place, key in given.items() if key != played[place]}
        if not sets or (len(sets) == len(drawn) and not {*sets} & {*drawn}):
            slips |= {"set": self.table.set} if sets else {}
            sets = drawn
        return Force(
            camp=self.camp,
            sets=sets,
            cards={section: played[section] for section in SECTIONS},
            reserve=played["reserve"],
            units=tuple(units),
            council=self.table.council,
            specialists=self.table.specialists,
            derived=self.table.units is None,
            typos=slips,
        )

    def fault(self, keys: KeyPath, message: str, hint: str = "") -> None:
        """Report a fault of this camp."""
        self.reading.fault((self.camp, *keys), message, hint)

    def derived(self) -> list[Unit]:
        """Return the units that the cards bring, on their required hexes or on those that the file gives."""
        reserves = {of.cell: of for of in self.on.card(self.table.reserve).units}
        sent = self.sent("reserves", {(self.table.reserve, cell) for cell in reserves})
        out = {(key, of.cell) for key in self.on.places.values() for of in self.on.card(key).units}
        aside = self.sent("displaced", out)
        if self.reading.problems:
            return []
        spoken = {at for at in (*sent.values(), *aside.values()) if at}
        for section in self.reveal:
            hexes = {cell: at for (key, cell), at in aside.items() if key == self.on.places[section]}
            self.on.deploy(section, _to(hexes, spoken))
        self.on.bring([reserves[cell] for _, cell in sent], _to({cell: at for (_, cell), at in sent.items()}, spoken))
        return self.on.units

    def sent(self, key: str, cells: Container[_Cell]) -> dict[_Cell, Hex | None]:
        """Return a list of cells in its order, with the hexes of their units; None for a cell without a hex."""
        found: dict[_Cell, Hex | None] = {}
        for i, entry in enumerate(self.table.reserves if key == "reserves" else self.table.displaced):
            match = _SENT.fullmatch(entry.strip())
            cell = read_cell_name(match[2]) if match else None
            of = (match[1] or self.table.reserve, cell) if match and cell else None
            if match is None or of is None or of not in cells:
                form = "a3>B1" if key == "reserves" else "A5 a4>B1"
                self.fault(
                    (key, i),
                    tr("there is no unit at {entry!r}", entry=entry),
                    tr("write a cell of the card and a hex, such as {form}", form=form),
                )
                continue
            if of in found:
                self.fault((key, i), tr("the unit of {cell} is placed twice", cell=match[2]))
            hex_ = self.on.board.field.find(match[3]) if match[3] else None
            if match[3] and hex_ is None:
                self.reading.hex((self.camp, key, i), match[3], self.on.board)
            found[of] = hex_
        return found

    def read_units(self, rows: _Rows, given: dict[Place, str]) -> tuple[list[Unit], dict[Place, str]]:
        """Return the units of the file, each with the card that brought it, and the four cards."""
        for key in ("reserves", "displaced"):
            if getattr(self.table, key):
                self.fault((key,), tr("cannot be combined with `units`"), tr("omit `units`, or write it there"))
        read = [self.row(i, row) for i, row in enumerate(rows)]
        labels = [self.label(i, row) for i, row in enumerate(rows)]
        self.reading.ids((self.camp, "units"), [name for name, _ in labels])
        there = [unit for unit in read if unit]
        played = (
            likely_cards(self.on, given, self.likely(given.values()), there) if len(there) == len(rows) else given
        )
        in_play = list(dict.fromkeys(played.values()))
        for i, row in enumerate(rows):
            if row.card and row.card not in in_play:
                message = tr("card {card!r} is not in play", card=row.card)
                self.fault(("units", i, "card"), message, near(row.card, in_play))
        if len(there) < len(rows):
            return [], given
        match = Matching(
            self.on.board, self.on.rulings, self.camp, card_slots(self.on.deck, self.on.board, self.camp, played)
        )
        return [self.unit(*of) for of in zip(labels, rows, there, match.of(there), strict=True)], played

    def likely(self, given: Iterable[str]) -> list[str]:
        """Return the cards that a wrong name may stand for: those drawn, those of the sets, those of this camp.

        If no set is given, the sets of the `named` cards are used, the most frequent first.
        """
        hands = [key for step in self.log if (step.what, step.who) == ("hand", self.camp) for key in step.result]
        known = [key for letter in self.on.deck.sets for key in self.on.deck.refs(self.camp, letter)]
        sets = self.table.set.split() or [of for of, _ in Counter(map(set_of, given)).most_common()]
        set_cards = [key for letter in sets for key in self.on.deck.refs(self.camp, letter)]
        return [*(key for key in (*hands, *set_cards) if key in self.known), *known]

    def label(self, index: int, row: UnitRow) -> tuple[str, Words]:
        """Return a unit's id, and its owner's name for it."""
        return self.reading.unit_id((self.camp, "units", index), row.id, f"{PREFIX[self.camp]}{index + 1}", row.name)

    def row(self, index: int, row: UnitRow) -> EnteredUnit | None:
        """Return a unit's row; None if it has a fault."""
        at = ("units", index)
        before = len(self.reading.problems)
        cell = self.reading.hex((self.camp, *at, "hex"), row.hex, self.on.board)
        kind = self.reading.kind((self.camp, *at, "unit"), row.unit)
        on_card = read_cell_name(row.cell) if row.cell else None
        if row.cell and on_card is None:
            self.fault(
                (*at, "cell"),
                tr("no cell {cell!r} on a card", cell=row.cell),
                tr("a1 to d1, a2 to c2, a3 to d3, a4 to c4"),
            )
        if len(self.reading.problems) > before or kind is None:
            return None
        return EnteredUnit(kind, cell, row.card, on_card, row.placed)

    def unit(
        self, label: tuple[str, Words], row: UnitRow, entered: EnteredUnit, berth: tuple[CardSlot, Placed] | None
    ) -> Unit:
        """Return a unit as deployed; one that no card brings has no card, or the one named in its row."""
        lost: Placed = "card" if entered.hex else "lost"
        card, cell = (berth[0].card, berth[0].cell) if berth else (row.card, entered.cell or NO_CELL)
        placed = row.placed or (berth[1] if berth else lost)
        return Unit(label[0], entered.kind, card, cell, placed, entered.hex, row.levy, name=label[1])


def _to(sent: Mapping[tuple[int, int], Hex | None], spoken: Container[Hex]) -> Choose:
    """Return a function that sends units to their given hexes, and others to the first open hex given to none."""

    def choose(of: CardUnit, open_: Sequence[Hex]) -> tuple[Hex | None, str]:
        return sent.get(of.cell) or next((at for at in (*[at for at in open_ if at not in spoken], *open_)), None), ""

    return choose


class _Play(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The conditions of play."""

    title: Words | str
    """The title of the battle, in both languages or as one text for both."""
    first: Side | None = None
    """The camp that moves first; the default is the camp with more green banners."""
    mode: Short = IMPROMPTU
    """How the armies are raised: `impromptu` or `organized`."""
    age: Short = MEDIEVAL
    """The age of the battle: `medieval` or `lore`."""
    owner: Side | None = None
    """The camp that owns the expansion."""
    twins: bool = False
    """Whether both camps have equal cards and figures, as drawn with `--mirror`."""
    banners: Number = lore().play.banners.usual
    """The number of victory banners needed to win."""
    hand: Count | None = None
    """The number of command cards in a hand; default: 5. In Lore games, the war councils determine it."""


class _Exchange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Feudal levy token exchanged for a better unit."""

    camp: Side
    """The camp that makes the exchange or plays the card."""
    unit: Short
    """The id of the unit."""
    to: Short
    """The unit after the exchange: banner, weapon and race."""


class _Special(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Specialist card that was played."""

    camp: Side
    """The camp that makes the exchange or plays the card."""
    card: Short
    """The id of the Specialist card."""
    choices: Annotated[tuple[Short, ...], msgspec.Meta(max_length=UNIT_LIMIT)] = ()
    """The choices made for the Specialist."""


class ScenarioFile(Body, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The content of a scenario file."""

    board: BoardTable
    """The board."""
    pennant: ForceTable
    """The Pennant camp."""
    standard: ForceTable
    """The Standard camp."""
    play: _Play
    """The conditions of play."""
    exchange: Annotated[tuple[_Exchange, ...], msgspec.Meta(max_length=UNIT_LIMIT)] = ()
    """The Feudal levy tokens that were exchanged."""
    special: Annotated[tuple[_Special, ...], msgspec.Meta(max_length=UNIT_LIMIT)] = ()
    """The Specialist cards that were played."""


def write(scenario: Scenario) -> str:
    """Return the body of the scenario's file."""
    play: dict[str, object] = {"title": asdict(scenario.title), "mode": scenario.mode}
    play |= {"age": scenario.age, "owner": scenario.owner} if scenario.owner else {"age": scenario.age}
    play |= {"twins": True} if scenario.twins else {}
    play |= {"first": scenario.first, "banners": scenario.banners}
    play |= {"hand": scenario.hand} if scenario.hand else {}
    lines = ["[play]", *text.lines(play), *board_lines(scenario.map, scenario.board)]
    # A switch that format 1 did not have is written only if it differs from the meaning at that time.
    rulings = {name: choice for name, choice in scenario.rulings.items() if (name, choice) != LATER}
    lines += ["", "[rulings]", *text.lines(rulings)]
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
    head: dict[str, object] = {**force.head}
    head |= {"council": force.council} if force.council else {}
    head |= {"specialists": force.specialists} if force.specialists else {}
    lines = ["", f"[{force.camp}]", *text.lines(head), "units = ["]
    return [*lines, *(f"  {text.value(_unit_row(scenario, unit))}," for unit in force.units), "]"]


def _unit_row(scenario: Scenario, unit: Unit) -> dict[str, object]:
    at = scenario.board.field.name(unit.hex) if unit.hex else OFF_BOARD
    row: dict[str, object] = {"id": unit.id, **named_row(unit)}
    row |= {"hex": at, "unit": kind_text(unit.kind), "card": unit.card}
    row |= {"cell": cell_name(unit.cell), "placed": unit.placed}
    return row | ({"levy": True} if unit.levy else {})


def read(source: Source, origin: Origin, folder: Path) -> Scenario:
    """Return the scenario of a file; raises DataError with every fault and its line."""
    body = source.read(ScenarioFile)
    reading = BattleReading(source)
    board = reading.board(body.board, origin, folder)
    deck = load_deck(accompanying_file("deck", origin, folder, source))
    pool = load_pool(accompanying_file("pool", origin, folder, source))
    if body.play.twins:
        deck, pool = twinned(deck), evened(pool)
    title = reading.title(body.play.title)
    reading.rulings(body.rulings, switches())
    mode = reading.one_of(("play", "mode"), body.play.mode, MODES)
    age = reading.one_of(("play", "age"), body.play.age, AGES)
    for i, special in enumerate(body.special):
        reading.one_of(("special", i, "card"), special.card, specialists())
    rulings = defaults(switches()) | body.rulings
    reveal = numbers().mode[mode if mode in MODES else IMPROMPTU].reveal
    forces: dict[Side, Force] = {}
    log = steps(reading, body.log, SIDES)
    for camp, table in zip(SIDES, (body.pennant, body.standard), strict=True):
        places: dict[Section, str] = {"left": table.left, "centre": table.centre, "right": table.right}
        on = Deployment(deck, pool, rulings, camp, board, places, table.reserve)
        if force := ForceReader(reading, on, reveal, table, log).force():
            forces[camp] = force
    exchanges = [
        Exchange(row.camp, reading.by_id(row.unit), kind)
        for i, row in enumerate(body.exchange)
        if (kind := reading.kind(("exchange", i, "to"), row.to))
    ]
    first = body.play.first or _first(reading, deck, forces)
    reading.done()
    return Scenario(
        origin=origin,
        title=title,
        mode=mode,
        map=body.board.map or BY_HAND,
        board=board,
        inventory=load_inventory(accompanying_file("inventory", origin, folder, source)),
        deck=deck,
        pool=pool,
        rulings=rulings,
        forces=forces,
        first=first,
        banners=body.play.banners,
        hand=body.play.hand or (None if age == LORE else lore().play.hand.usual),
        log=log,
        age=age,
        owner=body.play.owner,
        exchanges=tuple(exchanges),
        plays=tuple(Play(row.camp, row.card, tuple(map(reading.by_id, row.choices))) for row in body.special),
        twins=body.play.twins,
    )


def _first(reading: BattleReading, deck: Deck, forces: Mapping[Side, Force]) -> Side:
    """Return the first player by green banners; a tie is a fault, because dice decide it."""
    greens = [green(deck, forces[camp]) if camp in forces else 0 for camp in SIDES]
    if len(set(greens)) == 1 and not reading.problems:
        hint = tr('write first = "pennant" or first = "standard", as the dice decided')
        reading.fault(
            ("play",), tr("`first` is missing, and both sides have {greens} green banners", greens=greens[0]), hint
        )
    return SIDES[greens.index(max(greens))]
