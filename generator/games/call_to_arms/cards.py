"""Deployment cards and decks, twin cards for mirrored set-ups, and Specialists with their effects on the table."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from itertools import count, product
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from generator.common.scenario_file import FileReader, OwnersFile
from generator.common.search import MIRROR, mirrors
from generator.common.tables import Listed, by_id, marked
from generator.errors import WrongUsageError, accepted_words
from generator.games.battlelore.forces import Council, Kind, Unit
from generator.games.battlelore.ground import CARD_ROWS, SIDES, Board, Side
from generator.games.battlelore.model import PREFIX, CampUnit, as_one
from generator.games.battlelore.tables import Banner, Race, Weapon, Whence, lore
from generator.games.call_to_arms.tables import numbers
from generator.grid.hexes import Hex
from generator.model.scenario import Request
from generator.model.words import Words, in_words, joined, same
from generator.notation import toml
from generator.notation.toml import Source
from generator.notation.validation import Slip, TextLine, checked, named, spelt
from generator.said import say, theirs

SETS = ("A", "B", "C")
SET_SIZE = 7
KEYS = tuple(f"{letter}{number}" for letter in SETS for number in range(1, SET_SIZE + 1))


class CardUnit(msgspec.Struct, frozen=True):
    """A unit on a card; column and row are 0-based, from the owner's left and the owner's baseline."""

    column: int
    row: int
    kind: Kind

    @property
    def cell(self) -> tuple[int, int]:
        """Its column and row."""
        return self.column, self.row


class Card(msgspec.Struct, frozen=True):
    """A card; `units` are in card order: the far row first, each row from the owner's left."""

    camp: Side
    key: str
    name: Words
    units: tuple[CardUnit, ...]

    @property
    def set(self) -> str:
        """The set, A, B or C."""
        return self.key[0]

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of its units, in card order."""
        return tuple(unit.kind for unit in self.units)


class Flavour(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a set is like: a short title and a sentence."""

    title: Annotated[Words, named(40)]
    """What the set is called."""
    text: Annotated[Words, named(200)]
    """What the set is like, in a sentence."""


class Deck(msgspec.Struct, frozen=True):
    """All 42 cards, by camp, from A1 to C7: two camps with sets A, B and C of seven cards each (seed, 2a)."""

    name: Words
    source: Literal["house", "owner"]
    """The origin of the deck: `house` for Muster's, `owner` for one entered by its owner."""
    flavour: Mapping[Side, Mapping[str, Flavour]]
    """By camp and set; an owner's deck may leave it out."""
    cards: tuple[Card, ...]

    @property
    def sets(self) -> tuple[str, ...]:
        """The letters of its sets."""
        return SETS

    def flavour_of(self, camp: Side, of: str) -> Flavour:
        """Return the character of a set, named `A` or `A/standard`; with an empty text if its owner gave none."""
        letter, _, other = of.partition("/")
        camp = next((c for c in SIDES if c == other), camp)
        return self.flavour.get(camp, {}).get(letter) or Flavour(same(letter), same(""))

    def card(self, camp: Side, ref: str) -> Card:
        """Return the card that a camp calls `A3`, or `A3/standard` if it is the other's; KeyError if unknown."""
        key, _, other = ref.partition("/")
        for card in self.cards:
            if (card.camp, card.key) == (other or camp, key):
                return card
        raise KeyError((camp, ref))

    def refs(self, camp: Side, of: str) -> tuple[str, ...]:
        """Return a camp's names for the cards of a set named `A` or `A/standard`; empty for an unknown set."""
        letter, _, other = of.partition("/")
        tail = f"/{other}" if other else ""
        return tuple(card.key + tail for card in self.cards if (card.camp, card.set) == (other or camp, letter))

    def set(self, camp: Side, of: str) -> tuple[Card, ...]:
        """Return the seven cards of a set in the order of their keys; empty for an unknown set."""
        return tuple(self.card(camp, ref) for ref in self.refs(camp, of))


EMPTY = "---"
CELL = say("{empty}, or the letters of a banner, a weapon and perhaps a race, such as BC, GSG", empty=EMPTY)


FEWEST = 3
"""Minimum number of units on a card: a second player picks two from the reserve card."""


def read_cells(text: str) -> tuple[tuple[CardUnit, ...], list[Slip]]:
    """Return the units of a card in card order, and every error of the text with its line number.

    The text has four rows of cells as the owner sees them, the far row first.
    """
    lines = [(number, line.split()) for number, line in enumerate(text.splitlines()) if line.strip()]
    if len(lines) != len(CARD_ROWS):
        message = say("{count} rows of cells, a card has {needed}", count=len(lines), needed=len(CARD_ROWS))
        return (), [
            Slip((TextLine(lines[0][0] if lines else 0),), message, say("the far row first, the baseline last"))
        ]
    units: list[CardUnit] = []
    faults: list[Slip] = []
    for row, (number, cells) in zip(reversed(range(len(CARD_ROWS))), lines, strict=True):
        if len(cells) != CARD_ROWS[row]:
            shape = ", ".join(str(n) for n in reversed(CARD_ROWS))
            message = say("{count} cells in a row of {needed}", count=len(cells), needed=CARD_ROWS[row])
            faults.append(
                Slip(
                    (TextLine(number),),
                    message,
                    say("from the far row: {shape} cells; {empty} for an empty one", shape=shape, empty=EMPTY),
                )
            )
            continue
        for column, cell in enumerate(cells):
            kind, wrong = _kind(cell)
            units += [CardUnit(column, row, kind)] if kind else []
            faults += [Slip((TextLine(number),), message, hint) for message, hint in wrong]
    if not faults and len(units) < FEWEST:
        few = say("brings {count} units", count=len(units)) if units else say("is empty")
        faults.append(Slip((), few, say("a card brings at least {fewest}", fewest=FEWEST)))
    return tuple(units), faults


def _kind(cell: str) -> tuple[Kind | None, list[tuple[str, str]]]:
    """Return the kind of unit in a cell, and (message, hint) for each error; an empty cell has neither."""
    if set(cell) == {"-"}:
        return None, []
    tables = lore()
    letters = unicodedata.normalize("NFKC", cell).upper()
    if len(letters) not in (2, 3):
        return None, [(say("{cell!r} is no cell", cell=cell[:12]), CELL)]
    letters = letters if len(letters) == 3 else letters + tables.races["human"].letter
    wrong: list[tuple[str, str]] = []

    def named(letter: str, what: str, kinds: Iterable[Banner | Weapon | Race]) -> str:
        by_letter = {kind.letter: kind for kind in kinds}
        if letter in by_letter:
            return by_letter[letter].id
        accepted = [say("{symbol} {name}", symbol=kind.letter, name=kind.name.low) for kind in by_letter.values()]
        wrong.append(
            (
                say("{cell!r}: {letter!r} is no {what}", cell=cell, letter=letter, what=theirs(what)),
                accepted_words(accepted),
            )
        )
        return ""

    kind = Kind(
        named(letters[0], "banner", tables.banners.values()),
        named(letters[1], "weapon", tables.weapons.values()),
        named(letters[2], "race", tables.races.values()),
    )
    return None if wrong else kind, wrong


def cell_name(cell: tuple[int, int]) -> str:
    """Return the name of a card's cell: `b2` is the second from the owner's left, in the owner's second row."""
    column, row = cell
    return f"{chr(ord('a') + column)}{row + 1}" if column >= 0 else "-"


def read_cell_name(name: str) -> tuple[int, int] | None:
    """Return the column and row of the cell with that name; None if cards do not have it."""
    cells = {cell_name((c, r)): (c, r) for r, length in enumerate(CARD_ROWS) for c in range(length)}
    return cells.get(name.lower())


def set_of(card: str) -> str:
    """Return the set of a card, by its camp's name for the card.

    >>> set_of("A3"), set_of("A3/standard")
    ('A', 'A/standard')
    """
    name, _, other = card.partition("/")
    return f"{name[0]}/{other}" if other else name[0]


CARD_LIMIT = 100
"""Maximum number of cards that are read, so that a huge file is refused quickly."""

_Name = Annotated[Words | str, named(40)]
_Set = Annotated[str, spelt("[ABC]", "A, B or C")]
_Key = Annotated[str, spelt("[ABC][1-7]", "a set A, B or C and a number from 1 to 7")]
_Cells = Annotated[str, checked(lambda text: read_cells(text)[1])]


class _Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card as it is typed."""

    camp: Side
    """Whose card it is."""
    key: _Key
    """Its set and number, `A1` to `C7`."""
    name: _Name
    """What it is called, in both languages or in one text for both."""
    cells: _Cells
    """Four rows of cells as its owner sees them, the far row first."""


class DeckFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deck as it is typed."""

    name: _Name
    """What the deck is called, in both languages or in one text for both."""
    card: Annotated[tuple[_Card, ...], msgspec.Meta(max_length=CARD_LIMIT)]
    """The cards, 42 of them."""
    source: Literal["house", "owner"] = "owner"
    """Whose it is; `"house"` holds only while the values equal ours."""
    flavour: dict[Side, dict[_Set, Flavour]] = {}
    """What a set is like, by camp and set."""


def _read(source: Source) -> Deck:
    file, reading = source.read(DeckFile), FileReader(source)
    found: dict[tuple[Side, str], int] = {}
    for i, card in enumerate(file.card):
        first = found.setdefault((card.camp, card.key), i)
        if first != i:
            hint = say("the first is on line {line}", line=source.line(("card", first, "key")))
            reading.fault(
                ("card", i, "key"),
                say('a second card "{key}" of the {camp} camp', key=card.key, camp=theirs(card.camp)),
                hint,
            )
    for camp, letter in product(SIDES, SETS):
        keys = [key for key in KEYS if key[0] == letter]
        there = [found[camp, key] for key in keys if (camp, key) in found]
        if gone := [key for key in keys if (camp, key) not in found]:
            message = say(
                "the {camp} camp's set {letter} has {count} of {needed} cards",
                camp=theirs(camp),
                letter=letter,
                count=len(there),
                needed=len(keys),
            )
            reading.fault(("card", there[0]) if there else (), message, say("missing: {gone}", gone=[*gone]))
    reading.done()
    ordered = [(camp, key, file.card[found[camp, key]]) for camp in SIDES for key in KEYS]
    cards = tuple(Card(camp, key, in_words(of.name), read_cells(of.cells)[0]) for camp, key, of in ordered)
    return Deck(in_words(file.name), file.source, file.flavour, cards)


DECK = OwnersFile("call_to_arms/deck.toml", _read)
load_deck, read_deck = DECK.load, DECK.read


OWN = ("reserves",)
"""The options that camps do not share: reserves depend on the first player, and are not mirrored."""


class _Twin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    camp: Side
    title: Words
    text: Words


class Twins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of twins.toml."""

    source: Whence
    name: Words
    race: str
    weapon: dict[str, str]
    set: dict[str, _Twin]

    def kind(self, kind: Kind) -> Kind:
        """Return the kind of a unit on a twin card."""
        return Kind(kind.banner, self.weapon.get(kind.weapon, kind.weapon), self.race)


twins = toml.shipped_table("call_to_arms/twins.toml", Twins)
"""Returns the shipped table."""


def twinned(deck: Deck) -> Deck:
    """Return the deck with equal contents for both camps, so that a set-up by cards can be mirrored."""
    table = twins()
    cards = []
    for card in deck.cards:
        of, number = table.set[card.set], card.key[1:]
        units = tuple(replace(unit, kind=table.kind(unit.kind)) for unit in deck.card(of.camp, card.key).units)
        # The cards' own names refer to races that are not on twin cards.
        name = Words(f"{of.title.en} {number}", f"{of.title.ja} {number}")
        cards.append(Card(card.camp, card.key, name, units))
    flavour = {camp: {letter: Flavour(s.title, s.text) for letter, s in table.set.items()} for camp in SIDES}
    return Deck(table.name.fill(deck=deck.name), deck.source, flavour, tuple(cards))


def alike(order: Request, organized: bool) -> Request:
    """Return a mirrored request with equal options for both camps; any other request unchanged.

    Raises WrongUsageError for a mirrored request for an Organized game.
    """
    if organized and mirrors(order):
        hint = say("draw an Impromptu game")
        raise WrongUsageError(say("--{mirror}: each Specialist serves one camp alone", mirror=MIRROR), hint=hint)
    return as_one(order, OWN)


NO_CELL = (-1, -1)
"""The cell of a unit that did not come from a card."""

Effect = Literal["stakes", "upgrade", "enroll", "move", "reinforce", "copy", "lore", "hire", "hire_pair", "vantage"]


class Specialist(Listed, frozen=True, forbid_unknown_fields=True):
    """A Specialist card; see the head of specialists.toml."""

    effect: Effect
    source: Whence
    text: Words
    needs: str = msgspec.field(name="class", default="")
    lore_only: bool = False
    most: int = 0
    rows: int = 0
    race: str = ""
    to: str = ""
    per_level: int = 0
    above: int = 0
    mounted_from: int = 0
    banners: tuple[str, ...] = ()

    @property
    def label(self) -> Words:
        """Its name in a list; in Japanese with the English name printed on the card."""
        return Words(self.name.en, f"{self.name.en}（{self.name.ja}）")

    @property
    def chooses(self) -> bool:
        """Whether it has no effect without a choice."""
        return self.effect not in ("upgrade", "lore")

    @property
    def told(self) -> Words:
        """Its text with its numbers filled in."""
        own = ("most", "rows", "per_level", "above", "mounted_from")
        names = [lore().banners[banner].name for banner in self.banners]
        levels = joined([Words(f"{name.en.lower()} {n}", f"{name.ja}{n}") for n, name in enumerate(names, 1)])
        return self.text.fill(
            **{name: getattr(self, name) for name in own},
            second_reserves=numbers().second_reserves,
            levels=levels,
        )

    def level(self, council: Council) -> int:
        """Return the level of the Lore Master it needs; 1 if it does not need one."""
        return council.get(self.needs, 0) if self.needs else 1

    def limit(self, council: Council) -> int:
        """Return the number of choices it allows."""
        if self.effect == "move":
            return self.per_level * self.level(council)
        if self.effect in ("reinforce", "lore"):
            return max(0, self.level(council) - self.above)
        if self.effect in ("copy", "hire_pair"):
            return min(1, self.level(council))
        return self.most


class _Specialists(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    specialist: tuple[Specialist, ...]
    lore_only_source: Whence


_specialists = toml.shipped_table("call_to_arms/specialists.toml", _Specialists)
specialists = by_id(lambda: _specialists().specialist)
"""Returns every Specialist by id, in the file's order."""


def lore_only(text: Words) -> Words:
    """Return the text printed on cards for Lore games only, marked if that restriction is a house rule."""
    return marked(text, _specialists().lore_only_source)


class Play(msgspec.Struct, frozen=True):
    """A Specialist that was played: the camp, the card, and the choices, such as `P3`, `C4` or `P3>D5`."""

    camp: Side
    card: str
    choices: tuple[str, ...] = ()


class Exchange(msgspec.Struct, frozen=True):
    """A Feudal levy token that was exchanged for a unit of soldiers."""

    camp: Side
    unit: str
    kind: Kind


class Table(msgspec.Struct, frozen=True):
    """A position: units on and off the board, features on the terrain, Lore tokens.

    A scenario stores the units as deployed and the plays; the final position is derived from them.
    """

    board: Board
    units: tuple[CampUnit, ...]
    lore: Mapping[Side, int] = msgspec.field(default_factory=dict)

    def find(self, camp: Side, name: str) -> Unit | None:
        """Return a unit of that camp by its id, on the board or not."""
        return next((u for of, u in self.units if of == camp and u.id == name), None)

    def of(self, camp: Side) -> tuple[Unit, ...]:
        """Return the camp's units on the board."""
        return tuple(u for c, u in self.units if c == camp and u.hex)

    def taken(self) -> set[Hex]:
        """Return every hex with a unit."""
        return {u.hex for _, u in self.units if u.hex}

    def changed(self, camp: Side, unit: Unit) -> Table:
        """Return the table with the unit of the same id replaced by this one."""
        units = ((c, unit if c == camp and u.id == unit.id else u) for c, u in self.units)
        return replace(self, units=tuple(units))

    def joined(self, camp: Side, unit: Unit) -> Table:
        """Return the table with one more unit, which gets a new id."""
        ids = {u.id for _, u in self.units}
        names = (f"{PREFIX[camp]}{n}" for n in count(1 + sum(c == camp for c, _ in self.units)))
        unit = replace(unit, id=next(name for name in names if name not in ids), placed="special")
        return replace(self, units=(*self.units, (camp, unit)))


def exchanged(table: Table, exchanges: Iterable[Exchange]) -> Table:
    """Return the table after levy tokens were exchanged."""
    for exchange in exchanges:
        if unit := table.find(exchange.camp, exchange.unit):
            table = table.changed(exchange.camp, replace(unit, kind=exchange.kind, levy=False))
    return table


class Choice(msgspec.Struct, frozen=True):
    """A parsed choice: the name before the arrow, and the hex after it."""

    name: str
    at: Hex | None

    @classmethod
    def of(cls, text: str, board: Board) -> Choice:
        """Parse `P3`, `C4` or `P3>D5`; the hex is None if the board does not have it."""
        name, _, where = text.partition(">")
        return cls(name.strip(), board.field.find((where or name).strip()))


class Reserve(msgspec.Struct, frozen=True):
    """The reserve card a camp may still use: its key, and its kinds by cell name."""

    key: str
    kinds: Mapping[str, Kind]


def opened(table: Table, play: Play, council: Council) -> Table:
    """Return the table after the effects of a Specialist that need no choice."""
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
    """Return the table after one choice; an invalid choice changes nothing, and the rules report it."""
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
    """Return the unit with another race; figures replace a levy token."""
    return replace(unit, kind=replace(unit.kind, race=card.race), levy=False)


def _from_reserve(table: Table, card: Specialist, camp: Side, choice: Choice, reserve: Reserve) -> Table:
    """Return the table with a unit of the reserve card added; Vantage Point may place a unit again."""
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
    """Return the unit that came from that cell of the reserve card, on the board or lost."""
    return next((u for c, u in table.units if c == camp and (u.card, u.cell) == (key, cell)), None)
