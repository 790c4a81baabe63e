"""The scenario file in TOML (docs/formats/scenario.md). Entries that a user omits are derived from the cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec.structs import asdict, replace

from generator.common.scenario_file import (
    Body,
    Count,
    Number,
    PlayTexts,
    Short,
    Step,
    accompanying_file,
    find_cell,
    log_lines,
    steps,
    text_lines,
)
from generator.errors import near
from generator.games.battlelore import model as battle
from generator.games.battlelore.forces import ByCamp, Placed, Unit, load_pool, one_if_alike
from generator.games.battlelore.ground import SECTIONS, SIDES, Board, Section, Side, load_inventory
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
    figures_row,
    kind_text,
    map_name,
    named_row,
    number_in_file,
)
from generator.games.battlelore.own_pieces import Pieces, piece_lines, read_pieces
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
from generator.notation.text import find_word, half_width
from generator.notation.toml import Source
from generator.notation.validation import KeyPath

LATER = ("vantage", "any")
_Cell = tuple[str, tuple[int, int]]
"""The name of a card in play, and a cell on the card."""


class UnitRow(battle.UnitRow, frozen=True, forbid_unknown_fields=True):
    """A unit; only its hex and its kind are required."""

    card: Short = ""
    """The card that brought the unit."""
    cell: Short = ""
    """The unit's cell on its card, from the owner's left and the owner's baseline, such as `b2`."""
    placed: Placed | None = None
    """How the unit reached its hex."""
    levy: bool = False
    """Whether a Feudal levy token represents the unit."""


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
"""The form of a cell with its card and hex, such as `A5 a4>B1`. The name of the reserve card may be omitted."""


class ForceReader:
    """Reader for the table of a camp. It reports faults to `reading`."""

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
        self.known = card_keys(on.deck, self.camp)

    def force(self) -> Force | None:
        """Return the camp's force, or None if its cards are invalid."""
        keys: tuple[tuple[Place, str], ...] = (*self.on.places.items(), ("reserve", self.table.reserve))
        for place, key in keys:
            if key not in self.known:
                self.fault((place,), tr("there is no card named {key!r}", key=key), near(key, self.known))
        council = self.reading.council(self.camp, self.table.council)
        cards = tuple(
            self.reading.one_of((self.camp, "specialists", i), name, specialists())
            for i, name in enumerate(self.table.specialists)
        )
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
            council=council,
            specialists=cards,
            derived=self.table.units is None,
            typos=slips,
        )

    def fault(self, keys: KeyPath, message: str, hint: str = "") -> None:
        """Report a fault in this camp's table."""
        self.reading.fault((self.camp, *keys), message, hint)

    def derived(self) -> list[Unit]:
        """Return the units that the cards deploy. The file may give hexes for reserves and displaced units."""
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
        """Return the entries of a list of cells in their order. Each cell has its hex, or None if no hex is given."""
        found: dict[_Cell, Hex | None] = {}
        for i, entry in enumerate(self.table.reserves if key == "reserves" else self.table.displaced):
            match = _SENT.fullmatch(entry.strip())
            cell = read_cell_name(match[2]) if match else None
            of = (match[1] or self.table.reserve, cell) if match and cell else None
            if match is None or of is None or of not in cells:
                form = "a3>B1" if key == "reserves" else "A5 a4>B1"
                self.fault(
                    (key, i),
                    tr("{entry!r} does not match a unit of the card", entry=entry),
                    tr("write a cell of the card and a hex, such as {form}", form=form),
                )
                continue
            if of in found:
                self.fault((key, i), tr("the unit of cell {cell} is placed twice", cell=match[2]))
            hex_ = find_cell(self.on.board.field, match[3]) if match[3] else None
            if match[3] and hex_ is None:
                self.reading.hex((self.camp, key, i), match[3], self.on.board)
            found[of] = hex_
        return found

    def read_units(self, rows: _Rows, given: dict[Place, str]) -> tuple[list[Unit], dict[Place, str]]:
        """Return the units in the file, each matched with the card that deployed it, and the four cards."""
        for key in ("reserves", "displaced"):
            if getattr(self.table, key):
                self.fault(
                    (key,),
                    tr("cannot be combined with `units`"),
                    tr("omit `units`, or write these units under `units`"),
                )
        read = [self.row(i, row) for i, row in enumerate(rows)]
        labels = [self.label(i, row) for i, row in enumerate(rows)]
        self.reading.ids((self.camp, "units"), [name for name, _ in labels])
        there = [unit for unit in read if unit]
        # No card brings a piece of the owner.
        brought = [unit for unit in there if not unit.kind.piece]
        played = (
            likely_cards(self.on, given, self.likely(given.values()), brought) if len(there) == len(rows) else given
        )
        in_play = list(dict.fromkeys(played.values()))
        for i, row in enumerate(rows):
            if row.card and row.card not in in_play:
                message = tr("card {card!r} is not used in this battle", card=row.card)
                self.fault(("units", i, "card"), message, near(row.card, in_play))
        if len(there) < len(rows):
            return [], given
        match = Matching(
            self.on.board, self.on.rulings, self.camp, card_slots(self.on.deck, self.on.board, self.camp, played)
        )
        found = iter(match.of(brought))
        slots = [None if unit.kind.piece else next(found) for unit in there]
        return [self.unit(*of) for of in zip(labels, rows, there, slots, strict=True)], played

    def likely(self, given: Iterable[str]) -> list[str]:
        """Return the cards that may be meant by a wrong name: those dealt, those of the sets, then those of the camp.

        If the file does not name sets, the sets of the cards in `given` are used, the most frequent set first.
        """
        hands = [key for step in self.log if (step.what, step.who) == ("hand", self.camp) for key in step.result]
        known = [key for letter in self.on.deck.sets for key in self.on.deck.refs(self.camp, letter)]
        sets = self.table.set.split() or [of for of, _ in Counter(map(set_of, given)).most_common()]
        set_cards = [key for letter in sets for key in self.on.deck.refs(self.camp, letter)]
        return [*(key for key in (*hands, *set_cards) if key in self.known), *known]

    def label(self, index: int, row: UnitRow) -> tuple[str, Words]:
        """Return the id of a unit and its owner's name for it."""
        return self.reading.unit_id((self.camp, "units", index), row.id, f"{PREFIX[self.camp]}{index + 1}", row.name)

    def row(self, index: int, row: UnitRow) -> EnteredUnit | None:
        """Return the unit described by a row, or None if the row has a fault."""
        at = ("units", index)
        before = len(self.reading.problems)
        cell = self.reading.hex((self.camp, *at, "hex"), row.hex, self.on.board)
        kind = self.reading.kind((self.camp, *at, "unit"), row.unit)
        on_card = read_cell_name(row.cell) if row.cell else None
        if row.cell and on_card is None:
            self.fault(
                (*at, "cell"),
                tr("there is no cell {cell!r} on a card", cell=row.cell),
                tr("the cells are a1 to d1, a2 to c2, a3 to d3 and a4 to c4"),
            )
        if len(self.reading.problems) > before or kind is None:
            return None
        return EnteredUnit(kind, cell, row.card, on_card, row.placed)

    def unit(
        self, label: tuple[str, Words], row: UnitRow, entered: EnteredUnit, berth: tuple[CardSlot, Placed] | None
    ) -> Unit:
        """Return the deployed unit for a row.

        If it matches no cell, its card is the one named in the row, or empty.
        """
        lost: Placed = "card" if entered.hex else "lost"
        card, cell = (berth[0].card, berth[0].cell) if berth else (row.card, entered.cell or NO_CELL)
        placed = row.placed or (berth[1] if berth else lost)
        extra = row.extra(entered.kind)
        return Unit(label[0], entered.kind, card, cell, placed, entered.hex, row.levy, extra, label[1])


def card_keys(deck: Deck, camp: Side) -> list[str]:
    """Return a camp's names for the cards of a deck: the key, with the other camp's name for its cards."""
    return [card.key if card.camp == camp else f"{card.key}/{card.camp}" for card in deck.cards]


def _standard_words(table: ForceTable, cards: Sequence[str]) -> ForceTable:
    """Return a camp's table with card names and cells in their standard case and width; unknown words unchanged."""

    def card(raw: str) -> str:
        return find_word(raw, cards) or raw

    def entry(raw: str) -> str:
        match = _SENT.fullmatch(plain := half_width(raw))
        return f"{card(match[1])} {plain[match.end(1) :].strip()}" if match and match[1] else plain

    sets = list(dict.fromkeys(map(set_of, cards)))
    rows = table.units and tuple(replace(row, card=row.card and card(row.card)) for row in table.units)
    return replace(
        table,
        left=card(table.left),
        centre=card(table.centre),
        right=card(table.right),
        reserve=card(table.reserve),
        set=" ".join(find_word(name, sets) or name for name in half_width(table.set).split()),
        reserves=tuple(map(entry, table.reserves)),
        displaced=tuple(map(entry, table.displaced)),
        units=rows,
    )


def _standard_choice(reading: BattleReading, board: Board, ids: Sequence[str], raw: str) -> str:
    """Return a choice made with a Specialist card in standard form: a unit or cell, and the hex after the arrow."""
    name, arrow, where = half_width(reading.by_id(raw)).partition(">")
    cell = find_cell(board.field, where) if arrow else None
    at = board.field.name(cell) if cell else where.strip()
    return (find_word(name, ids) or name.strip()) + arrow + at


def _to(sent: Mapping[tuple[int, int], Hex | None], spoken: Container[Hex]) -> Choose:
    """Return a function that places each unit on its given hex, or else on a free hex that no other unit is given."""

    def choose(of: CardUnit, open_: Sequence[Hex]) -> tuple[Hex | None, str]:
        return sent.get(of.cell) or next((at for at in (*[at for at in open_ if at not in spoken], *open_)), None), ""

    return choose


class _Play(PlayTexts, frozen=True, forbid_unknown_fields=True):
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
    banners: Number | ByCamp = lore().play.banners.usual
    """The number of victory banners needed to win, for both camps or for each."""
    hand: Count | ByCamp | None = None
    """The number of command cards in a hand, for both camps or for each; default: 5. In Lore games, the war councils
    determine it."""


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
    piece: Pieces = ()
    """Pieces of the owner's, with numbers of their own."""


def write(scenario: Scenario) -> str:
    """Return the text of the scenario file, without its head."""
    play: dict[str, object] = {"title": asdict(scenario.title), "mode": scenario.mode}
    play |= {"age": scenario.age, "owner": scenario.owner} if scenario.owner else {"age": scenario.age}
    play |= {"twins": True} if scenario.twins else {}
    play |= {"first": scenario.first, "banners": number_in_file(scenario.banners)}
    play |= {"hand": number_in_file(scenario.hand)} if scenario.hand else {}
    lines = ["[play]", *text.lines(play), *text_lines(scenario.texts), *board_lines(scenario.map, scenario.board)]
    # A ruling that did not exist in format 1 is written only if its choice differs from the behaviour of that format.
    rulings = {name: choice for name, choice in scenario.rulings.items() if (name, choice) != LATER}
    lines += [*piece_lines(scenario.pieces), "", "[rulings]", *text.lines(rulings)]
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
    row |= {"cell": cell_name(unit.cell)} if unit.cell != NO_CELL else {}
    row |= {"placed": unit.placed, **figures_row(unit)}
    return row | ({"levy": True} if unit.levy else {})


def read(source: Source, origin: Origin, folder: Path) -> Scenario:
    """Read a scenario file.

    Raises DataError with every fault and its line.
    """
    body = source.read(ScenarioFile)
    reading = BattleReading(source)
    board = reading.board(body.board, origin, folder)
    deck = load_deck(accompanying_file("deck", origin, folder, source))
    pool = load_pool(accompanying_file("pool", origin, folder, source))
    if body.play.twins:
        deck, pool = twinned(deck), evened(pool)
    title = reading.title(body.play.title)
    pieces = read_pieces(reading, body.piece)
    rulings = reading.rulings(body.rulings, switches())
    mode = reading.one_of(("play", "mode"), body.play.mode, MODES)
    age = reading.one_of(("play", "age"), body.play.age, AGES)
    cards = [
        reading.one_of(("special", i, "card"), special.card, specialists()) for i, special in enumerate(body.special)
    ]
    reveal = numbers().mode[mode if mode in MODES else IMPROMPTU].reveal
    forces: dict[Side, Force] = {}
    log = steps(reading, body.log, SIDES)
    for camp, raw in zip(SIDES, (body.pennant, body.standard), strict=True):
        table = _standard_words(raw, card_keys(deck, camp))
        places: dict[Section, str] = {"left": table.left, "centre": table.centre, "right": table.right}
        on = Deployment(deck, pool, rulings, camp, board, places, table.reserve)
        if force := ForceReader(reading, on, reveal, table, log).force():
            forces[camp] = force
    ids = {camp: [unit.id for unit in forces[camp].units] if camp in forces else [] for camp in SIDES}
    exchanges = [
        Exchange(row.camp, reading.named_unit(row.unit, ids[row.camp]), kind)
        for i, row in enumerate(body.exchange)
        if (kind := reading.kind(("exchange", i, "to"), row.to))
    ]
    first = body.play.first or _first(reading, deck, forces)
    reading.done()
    return Scenario(
        origin=origin,
        title=title,
        mode=mode,
        map=map_name(body.board.map),
        board=board,
        inventory=load_inventory(accompanying_file("inventory", origin, folder, source)),
        deck=deck,
        pool=pool,
        rulings=rulings,
        forces=forces,
        first=first,
        banners=one_if_alike(body.play.banners),
        hand=one_if_alike(body.play.hand) if body.play.hand else None if age == LORE else lore().play.hand.usual,
        log=log,
        age=age,
        owner=body.play.owner,
        exchanges=tuple(exchanges),
        plays=tuple(
            Play(row.camp, card, tuple(_standard_choice(reading, board, ids[row.camp], raw) for raw in row.choices))
            for row, card in zip(body.special, cards, strict=True)
        ),
        twins=body.play.twins,
        texts=body.play.texts,
        pieces=pieces,
    )


def _first(reading: BattleReading, deck: Deck, forces: Mapping[Side, Force]) -> Side:
    """Return the camp with more green banners, which moves first.

    A tie is a fault, because only dice can decide it.
    """
    greens = [green(deck, forces[camp]) if camp in forces else 0 for camp in SIDES]
    if len(set(greens)) == 1 and not reading.problems:
        hint = tr('write first = "pennant" or first = "standard", as the dice decided')
        reading.fault(
            ("play",),
            tr(
                "`first` is missing, but both sides have {greens} green banners, so the dice decide who moves first",
                greens=greens[0],
            ),
            hint,
        )
    return SIDES[greens.index(max(greens))]
