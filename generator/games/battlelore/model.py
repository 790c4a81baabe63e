"""Types for all battles on a BattleLore board, their TOML and JSON parts, and mirrored set-ups.

The parts of the scenario file are documented in docs/formats/scenario.md, and the JSON parts in docs/json.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, Protocol

import msgspec
from msgspec.structs import asdict, replace

from generator.common.scenario_file import (
    NAMELESS,
    FileReader,
    Short,
    Step,
    UnitName,
    accompanying_file,
    drawn_lines,
    find_cell,
    name_in_file,
    step_words,
)
from generator.common.search import MIRROR, mirrors
from generator.errors import WrongUsageError, near
from generator.games.battlelore.forces import ByCamp, Kind, Pool, Stock, Unit, council_tables
from generator.games.battlelore.ground import (
    SECTIONS,
    SIDES,
    Board,
    Inventory,
    MapForm,
    Objective,
    Section,
    Side,
    drawing,
    house_maps,
    load_map,
    profile,
    profiles,
    read_board,
    side_name,
    words,
)
from generator.games.battlelore.tables import lore
from generator.grid.hexes import DIRECTIONS, Hex, direction, opposite
from generator.localization import tr
from generator.model.scenario import Origin, Request, Scenario
from generator.model.words import Words, joined, same
from generator.notation import text
from generator.notation.text import find_word, half_width
from generator.notation.validation import KeyPath

OTHER: Mapping[Side, Side] = {"pennant": "standard", "standard": "pennant"}
PREFIX: Mapping[Side, str] = {"pennant": "P", "standard": "S"}
"""The first letter of the unit ids of each camp."""
MEDIEVAL, LORE = AGES = ("medieval", "lore")
COMMON_RACE = "human"
"""The race of a unit whose row in a file omits the race."""
OFF_BOARD = "-"
"""The text for the hex of a unit that is not on the board."""
BY_HAND = "hand"
"""The text for the name of a map that was drawn by hand in the scenario."""
RANDOM = "random"
"""The text for the name of a randomly generated map."""

CampUnit = tuple[Side, Unit]


class CampUnits(Protocol):
    """The units of a camp."""

    @property
    def units(self) -> tuple[Unit, ...]:
        """All units of the camp, including units that are not on the board."""

    @property
    def derived(self) -> bool:
        """Whether the file left out the units of the camp."""


class Battle(Scenario, Protocol):
    """The properties that every scenario on a BattleLore board has."""

    @property
    def map(self) -> str:
        """The name of the house map or of the user's file, or `random` for a generated map."""

    @property
    def board(self) -> Board:
        """The board."""

    @property
    def inventory(self) -> Inventory:
        """The available terrain pieces."""

    @property
    def rulings(self) -> Mapping[str, str]:
        """The selected choice of each ruling."""

    @property
    def units(self) -> tuple[CampUnit, ...]:
        """All units on the board, each with its camp."""

    @property
    def forces(self) -> Mapping[Side, CampUnits]:
        """The camps with their units, in the order of the file."""

    @property
    def first(self) -> Side:
        """The camp that moves first."""

    @property
    def banners(self) -> int | ByCamp:
        """The number of victory banners that wins the battle."""

    @property
    def hand(self) -> int | ByCamp | None:
        """The number of cards in a command hand; None if the war councils determine it."""

    @property
    def age(self) -> str:
        """The age, `medieval` or `lore`."""

    def hand_of(self, camp: Side) -> int:
        """Return the number of cards in the command hand of a camp."""

    def banners_of(self, camp: Side) -> int:
        """Return the number of victory banners with which a camp wins."""

    @property
    def log(self) -> tuple[Step, ...]:
        """The log of how the scenario was generated."""


class UnitRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A unit, given by its banner, its weapon and its race."""

    hex: Short
    """The unit's hex; `-` if the unit is off the board."""
    unit: Short
    """The unit's banner, weapon and race, such as `"blue short_sword dwarf"`; `human` may be left out."""
    id: Short = ""
    """The unit's id; the default is `P1`, `P2` … or `S1`, `S2` …, in order."""
    name: UnitName = ""
    """Your name for the unit, which is shown next to its id."""
    figures: Annotated[int, msgspec.Meta(ge=1, le=12)] | None = None
    """The number of the unit's figures at the start, if the unit is not at full strength."""

    def extra(self, kind: Kind) -> int:
        """Return the number of figures added to those of a full unit of this kind, negative if some are missing."""
        return self.figures - kind.figures if self.figures else 0


UNIT_LIMIT = 100
"""Maximum number of units of a camp in a file, which refuses a huge file at once. Four cards deploy at most 56 units.
"""


def row_keys(battle: Battle, camp: Side, unit: Unit, *more: str) -> KeyPath:
    """Return the keys of a unit's row in the scenario file, or of its camp if the file left out the units."""
    force = battle.forces[camp]
    where = next((i for i, of in enumerate(force.units) if of is unit), None)
    return (camp,) if where is None or force.derived else (camp, "units", where, *more)


def corrected(board: Board, unit: Unit, at: Hex | None, kind: Kind | None = None) -> str:
    """Return the corrected row of a unit in the scenario file.

    The row omits the card, which is derived from the hex.
    """
    row: dict[str, object] = ({"id": unit.id} if unit.id else {}) | named_row(unit)
    words = kind_text(kind or unit.kind).removesuffix(f" {COMMON_RACE}")
    row |= {"hex": board.field.name(at) if at else OFF_BOARD, "unit": words}
    row |= figures_row(unit) if kind is None else {}
    return text.value(row | ({"levy": True} if unit.levy else {})) + ","


def log_step_words(step: Step, texts: Mapping[str, Words], names: Mapping[str, Words]) -> Words:
    """Return a description of a log step.

    `texts` contains the text for each kind of step, and `names` contains the names of ids in results.
    """
    return step_words(step, texts, lambda part: names.get(part) or _word(step.what, part), OFF_BOARD)


def camps_step(step: Step, texts: Mapping[str, Words], names: Mapping[str, Words]) -> Words:
    """Return a description of a log step that includes its camp."""
    text, camp = log_step_words(step, texts, names), words()["camp"].get(step.who or "")
    return words()["log"]["of"].fill(camp=camp, step=text) if camp else text


def _word(what: str, part: str) -> Words:
    if what == "map":
        if part == RANDOM:
            return words()["cover"][RANDOM]
        return house_maps()[part].name if part in house_maps() else same(part)
    names = {face.id: face.name for face in lore().play.face}
    if what == "dice":
        return joined([names.get(face, same(face)) for face in part.split()])
    if part in lore().banners:
        return lore().banners[part].name.low
    return same(part)


class ObjectiveTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A victory hex: the number of banners and the camp that it counts for."""

    banners: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1
    """The number of victory banners that the hex is worth while a unit is on it."""
    camp: Side | None = None
    """The camp that the victory hex counts for; the default is either camp."""


class BoardTable(MapForm, frozen=True, forbid_unknown_fields=True):
    """The board: drawn in the file, or the name of a map whose terrain is used."""

    profile: str = ""
    """The type of board: `battlelore` or `memoir`; the default follows from the map or the rows."""
    rows: str = ""
    """One symbol for each hex, separated by spaces, the far row first. The default is the rows of the named map."""
    map: Short = ""
    """The name of a shipped map, or the file named in `[muster.files]`; with `rows`, the name is only a label."""
    objectives: dict[str, Literal["banner"] | ObjectiveTable] = msgspec.field(default_factory=dict)
    """Victory hexes by their names: `"banner"` for one banner for either camp, or a table."""


def _profile(rows: str) -> str:
    """Return the board profile with the same maximum row length, or the default profile if there is none."""
    longest = max((len(symbols) for _, symbols in drawn_lines(rows)), default=0)
    usual, *_ = known = profiles()
    return next((name for name in known if max(known[name].field.rows) == longest), usual)


def board_lines(name: str, board: Board) -> list[str]:
    """Return the lines of the table [board] in a scenario file."""
    return ["", "[board]", *text.lines({"map": name} | drawing(board) | _objectives_in_file(board))]


def _objectives_in_file(board: Board) -> dict[str, object]:
    """Return the victory hexes as an entry of the table [board]; empty if there are none."""

    def row(of: Objective) -> object:
        if of == Objective(1):
            return "banner"
        return {"banners": of.banners} | ({"camp": of.camp} if of.camp else {})

    rows = {board.field.name(cell): row(of) for cell, of in board.objectives.items()}
    return {"objectives": rows} if rows else {}


def named_row(unit: Unit) -> dict[str, object]:
    """Return the `name` entry of a unit's row, or no entry if the unit has no name."""
    return {"name": name_in_file(unit.name)} if unit.name != NAMELESS else {}


def figures_row(unit: Unit) -> dict[str, object]:
    """Return the `figures` entry of a unit's row, or no entry if the unit is full."""
    return {"figures": unit.figures} if unit.extra else {}


def kind_text(kind: Kind) -> str:
    """Return the text for a kind of unit in a file, such as `green common_bow human` or an own piece's id."""
    if kind.piece:
        return kind.piece.id
    return f"{kind.banner} {kind.weapon} {kind.race}"


def map_name(raw: str) -> str:
    """Return the name of a house map in its standard form, another name unchanged, and `BY_HAND` for none."""
    return find_word(raw, (*house_maps(), RANDOM, BY_HAND)) or raw or BY_HAND


class BattleReading(FileReader):
    """Reader of a scenario file with a BattleLore board."""

    author_pieces: Mapping[str, Kind] = MappingProxyType({})
    """The pieces of the owner by id, after `read_pieces` (own_pieces.py) has read them."""

    def board(self, table: BoardTable, origin: Origin, folder: Path) -> Board:
        """Return the board.

        Raises DataError with all faults of the board, because the rest of the file cannot be read without a valid
        board.
        """
        board = self._board(table, origin, folder)
        return replace(board, objectives=self._objectives(table, board)) if table.objectives else board

    def _objectives(self, table: BoardTable, board: Board) -> dict[Hex, Objective]:
        """Return the victory hexes. Report hexes that are not on the board and hexes that are given twice."""
        found: dict[Hex, Objective] = {}
        for name, of in table.objectives.items():
            at = ("board", "objectives", name)
            cell = self.cell(at, name, board.field, tr("hex"))
            if cell in found:
                self.fault(at, tr("the victory hex {name} is given twice", name=name))
            elif cell:
                found[cell] = Objective(1) if isinstance(of, str) else Objective(of.banners, of.camp)
        return found

    def _board(self, table: BoardTable, origin: Origin, folder: Path) -> Board:
        if table.rows:
            of_rows = table if table.profile else replace(table, profile=_profile(table.rows))
            return read_board(of_rows, self.source, ("board",))
        user_map = accompanying_file("map", origin, folder, self.source)
        known = {name: of.ground for name, of in house_maps().items()}
        if user_map is not None and table.map in ("", user_map.name):
            known[table.map] = load_map(user_map).ground
        name = find_word(table.map, known)
        if name is None:
            self.fault(
                ("board", "map"),
                tr("there is no map named {map!r}, and `rows` is missing", map=table.map),
                near(table.map, known),
            )
            self.done()
            raise AssertionError("a fault was noted")
        of = drawing(known[name])
        if find_word(table.profile, ("", str(of["profile"]))) is None:
            self.fault(
                ("board", "profile"),
                tr("the map {map} is for a different board, not for {profile}", map=table.map, profile=table.profile),
            )
            self.done()
        form = msgspec.convert(of, MapForm)
        merged = {"features": form.features | table.features, "cliffs": form.cliffs | table.cliffs}
        return read_board(replace(form, **merged), self.source, ("board",))

    def hex(self, at: KeyPath, name: str, board: Board) -> Hex | None:
        """Return the hex with this name, or None for a unit that is not on the board. Report an unknown name."""
        cell = find_cell(board.field, name)
        if cell is None and half_width(name) != OFF_BOARD:
            cells = board.field.cells
            hint = tr(
                "{first} to {last}; for a unit that is not deployed, write {off_board}",
                first=board.field.name(cells[0]),
                last=board.field.name(cells[-1]),
                off_board=OFF_BOARD,
            )
            self.fault(at, tr("there is no hex {name!r} on this board", name=name), hint)
        return cell

    def council(self, camp: Side, levels: Mapping[str, int]) -> dict[str, int]:
        """Return the levels of a war council by seat."""
        seats = {raw: self.one_of((camp, "council", raw), raw, council_tables().seats) for raw in levels}
        for raw, seat in seats.items():
            if list(seats.values()).count(seat) > 1:
                self.fault((camp, "council", raw), tr("{name} appears twice", name=seat))
        return {seat: levels[raw] for raw, seat in seats.items()}

    def kind(self, at: KeyPath, text: str) -> Kind | None:
        """Return the kind of unit for a text such as `green common_bow dwarf`. The race may be omitted."""
        tables = lore()
        parts = half_width(text).split()
        if len(parts) == 1 and (known_id := find_word(parts[0], self.author_pieces)):
            return self.author_pieces[known_id]
        accepted: tuple[Mapping[str, object], ...] = (tables.banners, tables.weapons, tables.races)
        if len(parts) == 2:
            parts.append(COMMON_RACE)
        if len(parts) != len(accepted):
            form = tr("write the banner, the weapon and, if needed, the race, such as green common_bow")
            hint = near(parts[0], self.author_pieces) if len(parts) == 1 and self.author_pieces else form
            self.fault(at, tr("{text!r} is not a valid unit", text=text), hint)
            return None
        words = [find_word(part, known) for part, known in zip(parts, accepted, strict=True)]
        for part, known, word in zip(parts, accepted, words, strict=True):
            if word is None:
                self.fault(at, tr("{part!r} is not valid", part=part), near(part, known))
        banner, weapon, race = words
        return Kind(banner, weapon, race) if banner and weapon and race else None


def field(map_name: str, board: Board) -> dict[str, Any]:
    """Return the board as values for JSON: terrain, features and cliff sides, keyed by hex name."""
    name, cells = board.field.name, board.field.cells
    return {
        "profile": board.profile,
        "map": map_name,
        "terrain": {name(c): board.ground[c] for c in cells},
        "features": features(board),
        "hexsides": {name(c): {DIRECTIONS[d]: "cliff" for d in board.walls[c]} for c in cells if c in board.walls},
    }


def aims(battle: Battle) -> dict[str, Any]:
    """Return the banners to win and the size of the command hand, and the hand of each camp.

    The first two are None if the camps differ; the size of the hand is None in Lore games too.
    """
    hand = battle.hand if battle.age == MEDIEVAL and isinstance(battle.hand, int) else None
    return {
        "banners": battle.banners if isinstance(battle.banners, int) else None,
        "hand": hand,
        "hands": {camp: battle.hand_of(camp) for camp in OTHER},
    }


def number_in_file(number: int | ByCamp) -> object:
    """Return a number in the form of the file, which is a table if the camps have different numbers."""
    return number if isinstance(number, int) else asdict(number)


def uneven_aims(battle: Battle) -> Iterator[Words]:
    """Yield the reasons why the conditions of play are not the same for both camps."""
    yield from different({camp: battle.banners_of(camp) for camp in SIDES}, "banners")
    if battle.age == MEDIEVAL:
        yield from different({camp: battle.hand_of(camp) for camp in SIDES}, "hands")


def features(board: Board) -> dict[str, str]:
    """Return the features on the board, keyed by hex name."""
    return {board.field.name(c): board.features[c] for c in board.field.cells if c in board.features}


def unit(board: Board, of: Unit) -> dict[str, Any]:
    """Return a unit as values for JSON."""
    return {
        "id": of.id,
        "name": asdict(of.name) if of.name.en else None,
        "hex": board.field.name(of.hex) if of.hex else None,
        "banner": of.kind.banner,
        "weapon": of.kind.weapon,
        "race": of.kind.race,
        "mounted": of.kind.arm == "mounted",
        "figures": of.figures,
    }


FACING: Mapping[Section, Section] = dict(zip(SECTIONS, reversed(SECTIONS), strict=True))
"""The section of the other camp that is opposite each section, with sections named from their own player's seat."""
SHOWN = 8
"""Maximum number of hexes or units listed in a reason."""


def as_one(request: Request, but: Iterable[str] = ()) -> Request:
    """Return the request, with the Pennant camp's options applied to both camps if it is mirrored.

    `but` lists the options that may differ between the camps.

    Raises WrongUsageError if any other option differs.
    """
    if not mirrors(request):
        return request
    options = dict(request.options)
    first, second = SIDES
    for name in request.options:
        what, _, camp = name.rpartition("-")
        if camp not in SIDES or what in but:
            continue
        first_option, second_option = f"{what}-{first}", f"{what}-{second}"
        if options.get(first_option) != options.get(second_option, options.get(first_option)):
            hint = tr("use --{own} for both sides, or omit --{mirror}", own=first_option, mirror=MIRROR)
            raise WrongUsageError(
                tr("--{other} cannot be used, because both sides have the same set-up", other=second_option),
                hint=hint,
            )
        options |= {first_option: options[first_option], second_option: options[first_option]}
    return replace(request, options=options)


def drawer(camp: Side, *, mirrored: bool) -> Side:
    """Return the camp whose random streams a camp uses. In a mirrored scenario both camps use the same streams."""
    return SIDES[0] if mirrored else camp


def evened(pool: Pool) -> Pool:
    """Return a pool in which each camp has the smaller number of every piece."""
    one, other = pool.pennant, pool.standard
    both = Stock(
        _smaller_counts(one.figures, other.figures),
        _smaller_counts(one.banners, other.banners),
        {name: min(n, other.levies.get(name, 0)) for name, n in one.levies.items()},
    )
    return Pool(pool.name, both, both, pool.source)


def _smaller_counts(
    one: Mapping[str, dict[str, int]], other: Mapping[str, dict[str, int]]
) -> dict[str, dict[str, int]]:
    return {
        name: {what: min(n, other.get(name, {}).get(what, 0)) for what, n in counts.items()}
        for name, counts in one.items()
    }


def turned(board: Board) -> Board:
    """Return the board turned by 180°."""
    turn = board.field.turned
    return Board(
        board.profile,
        {turn(cell): board.ground[cell] for cell in board.field.cells},
        {turn(cell): feature for cell, feature in board.features.items()},
        {turn(cell): tuple(sorted(opposite(d) for d in sides)) for cell, sides in board.walls.items()},
        {turn(cell): Objective(of.banners, of.camp and OTHER[of.camp]) for cell, of in board.objectives.items()},
    )


def asymmetries(board: Board) -> tuple[Words, ...]:
    """Return the reasons why a board is not symmetric under a 180° turn."""
    texts = words()["mirror"]
    other = turned(board)
    found = [] if _turns(board.profile) else [texts["profile"].fill(profile=board.plan.name)]
    cells = board.field.cells
    ground = [c for c in cells if board.ground[c] != other.ground[c]]
    features = [c for c in cells if board.features.get(c) != other.features.get(c)]
    walls = [c for c in cells if set(board.walls.get(c, ())) != set(other.walls.get(c, ()))]
    prizes = [c for c in cells if board.objectives.get(c) != other.objectives.get(c)]
    compared = (("ground", ground), ("features", features), ("cliffs", walls), ("objectives", prizes))
    for what, where in compared:
        if where:
            found.append(texts[what].fill(hexes=_shown([board.field.name(cell) for cell in where]), n=len(where)))
    return tuple(found)


def symmetric(board: Board) -> bool:
    """Return whether a board is symmetric under a 180° turn."""
    return not asymmetries(board)


@lru_cache(64)  # A run uses few board profiles.
def _turns(name: str) -> bool:
    """Return whether the hexes and section lines of a board profile are symmetric under a 180° turn."""
    plan = profile(name)
    field = plan.field
    if any(field.turned(cell) not in field for cell in field.cells):
        return False
    for cell in field.cells:
        for near_by in field.neighbours(cell):
            way, back = direction(cell, near_by), direction(field.turned(cell), field.turned(near_by))
            if way is None or back != opposite(way):
                return False
    return all(
        set(plan.section_cells(section, "pennant")) == set(plan.section_cells(facing, "standard"))
        for section, facing in FACING.items()
    )


def uneven(board: Board, units: Sequence[CampUnit]) -> tuple[Words, ...]:
    """Return the reasons why the armies are not images of each other under a 180° turn.

    Units off the board count too.
    """
    seen = {camp: [(unit.id, _seen(board, camp, unit)) for of, unit in units if of == camp] for camp in SIDES}
    stand = {camp: Counter(how for _, how in entries) for camp, entries in seen.items()}
    texts = words()["mirror"]["units"]
    return tuple(
        texts.fill(camp=side_name(camp), units=_shown([id_ for id_, how in seen[camp] if more[how]]), n=more.total())
        for camp in SIDES
        if (more := stand[camp] - stand[OTHER[camp]])
    )


_Seen = tuple[Hex | None, object, bool, int]


def _seen(board: Board, camp: Side, unit: Unit) -> _Seen:
    """Return the properties of a unit that must match those of its image."""
    return board.plan.seen(unit.hex, camp) if unit.hex else None, unit.kind, unit.levy, unit.extra


def _shown(names: list[str]) -> str:
    """Return the first `SHOWN` names as one text."""
    return " ".join(names[:SHOWN]) + (" …" if len(names) > SHOWN else "")


def different(camps: Mapping[Side, object], what: str) -> Iterator[Words]:
    """Yield the text with the key `what` from [mirror] if the values of the camps differ."""
    one, other = (camps[camp] for camp in SIDES)
    if one != other:
        yield words()["mirror"][what]
