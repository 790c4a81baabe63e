"""Types shared by every battle on a BattleLore board, their parts of TOML and JSON files, and mirrored set-ups.

The parts of the scenario file are documented in docs/formats/scenario.md, those of the JSON form in docs/json.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

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
    name_in_file,
    near_cell,
    step_words,
)
from generator.common.search import MIRROR, mirrors
from generator.errors import WrongUsageError, near
from generator.games.battlelore.forces import Kind, Pool, Stock, Unit
from generator.games.battlelore.ground import (
    SECTIONS,
    SIDES,
    Board,
    Inventory,
    MapForm,
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
from generator.notation.validation import KeyPath

OTHER: Mapping[Side, Side] = {"pennant": "standard", "standard": "pennant"}
PREFIX: Mapping[Side, str] = {"pennant": "P", "standard": "S"}
"""The first letter of a camp's unit ids."""
MEDIEVAL, LORE = AGES = ("medieval", "lore")
COMMON_RACE = "human"
"""The race that a unit's row may leave out."""
OFF_BOARD = "-"
"""Replaces the hex of a unit that is not deployed."""
RANDOM = "random"
"""Replaces the name of a map that was drawn."""

CampUnit = tuple[Side, Unit]


class CampUnits(Protocol):
    """The units of a camp."""

    @property
    def units(self) -> tuple[Unit, ...]:
        """All units, including those off the board."""

    @property
    def derived(self) -> bool:
        """Whether the file left out the units."""


class Battle(Scenario, Protocol):
    """A frozen scenario on a BattleLore board."""

    @property
    def map(self) -> str:
        """The name of the house map or of the user's file, or `random`."""

    @property
    def board(self) -> Board:
        """The board."""

    @property
    def inventory(self) -> Inventory:
        """The available terrain pieces."""

    @property
    def rulings(self) -> Mapping[str, str]:
        """The choice for every ruling."""

    @property
    def units(self) -> tuple[CampUnit, ...]:
        """Every unit on the board with its camp."""

    @property
    def forces(self) -> Mapping[Side, CampUnits]:
        """The units of both camps, in the order of the file."""

    @property
    def first(self) -> Side:
        """The camp that moves first."""

    @property
    def banners(self) -> int:
        """The number of victory banners to win."""

    @property
    def hand(self) -> int | None:
        """The number of cards in a command hand; None if the war councils determine it."""

    @property
    def age(self) -> str:
        """The age, `medieval` or `lore`."""

    def hand_of(self, camp: Side) -> int:
        """Return the number of cards in a camp's command hand."""

    @property
    def log(self) -> tuple[Step, ...]:
        """The log of the draw."""


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


UNIT_LIMIT = 100
"""The largest number of units in a file, so that a huge file is refused at once; four cards hold 56 units."""


def row_keys(battle: Battle, camp: Side, unit: Unit, *more: str) -> KeyPath:
    """Return the keys of a unit's row in the scenario file; those of its camp if the file left out the units."""
    force = battle.forces[camp]
    where = next((i for i, of in enumerate(force.units) if of is unit), None)
    return (camp,) if where is None or force.derived else (camp, "units", where, *more)


def corrected(board: Board, unit: Unit, at: Hex | None, kind: Kind | None = None) -> str:
    """Return the corrected row of a unit, ready to paste; its card is derived again."""
    row: dict[str, object] = ({"id": unit.id} if unit.id else {}) | named_row(unit)
    words = kind_text(kind or unit.kind).removesuffix(f" {COMMON_RACE}")
    row |= {"hex": board.field.name(at) if at else OFF_BOARD, "unit": words}
    return text.value(row | ({"levy": True} if unit.levy else {})) + ","


def log_step_words(step: Step, texts: Mapping[str, Words], names: Mapping[str, Words]) -> Words:
    """Return a step of a log in words.

    `texts` has the text for each kind of step, `names` the names of the ids in results.
    """
    return step_words(step, texts, lambda part: names.get(part) or _word(step.what, part), OFF_BOARD)


def camps_step(step: Step, texts: Mapping[str, Words], names: Mapping[str, Words]) -> Words:
    """Return a step of a log in words, with the camp it belongs to, for a finding."""
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


class BoardTable(MapForm, frozen=True, forbid_unknown_fields=True):
    """The board: drawn in the file, or the name of a map whose terrain is used."""

    profile: str = ""
    """The type of board: `battlelore` or `memoir`; the default follows from the map or the rows."""
    rows: str = ""
    """One symbol for each hex, separated by spaces, the far row first. The default is the rows of the named map."""
    map: Short = ""
    """The name of a shipped map, or the file named in `[muster.files]`; with `rows`, the name is only a label."""


def _profile(rows: str) -> str:
    """Return the kind of board whose longest row is as long as the longest one drawn, or else the usual one."""
    longest = max((len(symbols) for _, symbols in drawn_lines(rows)), default=0)
    usual, *_ = known = profiles()
    return next((name for name in known if max(known[name].field.rows) == longest), usual)


def board_lines(name: str, board: Board) -> list[str]:
    """Return the lines of the table [board]."""
    return ["", "[board]", *text.lines({"map": name} | drawing(board))]


def named_row(unit: Unit) -> dict[str, object]:
    """Return a unit's name as an entry of its row; empty without a name."""
    return {"name": name_in_file(unit.name)} if unit.name != NAMELESS else {}


def kind_text(kind: Kind) -> str:
    """Return a kind of unit as text, such as `green common_bow human`."""
    return f"{kind.banner} {kind.weapon} {kind.race}"


class BattleReading(FileReader):
    """Reads the file of a battle."""

    def board(self, table: BoardTable, origin: Origin, folder: Path) -> Board:
        """Return the board; its faults end the reading, because everything else depends on it."""
        if table.rows:
            of_rows = table if table.profile else replace(table, profile=_profile(table.rows))
            return read_board(of_rows, self.source, ("board",))
        user_map = accompanying_file("map", origin, folder, self.source)
        known = {name: of.ground for name, of in house_maps().items()}
        if user_map is not None and table.map in ("", user_map.name):
            known[table.map] = load_map(user_map).ground
        if table.map not in known:
            self.fault(
                ("board", "map"),
                tr("there is no map named {map!r}, and `rows` is missing", map=table.map),
                near(table.map, known),
            )
            self.done()
        of = drawing(known[table.map])
        if table.profile not in ("", of["profile"]):
            self.fault(
                ("board", "profile"),
                tr("the map {map} is made for another board than {profile}", map=table.map, profile=table.profile),
            )
            self.done()
        form = msgspec.convert(of, MapForm)
        merged = {"features": form.features | table.features, "cliffs": form.cliffs | table.cliffs}
        return read_board(replace(form, **merged), self.source, ("board",))

    def hex(self, at: KeyPath, name: str, board: Board) -> Hex | None:
        """Return a hex by name; None for a unit that is not deployed."""
        cell = board.field.find(name)
        if cell is None and name != OFF_BOARD:
            self.fault(
                at,
                tr("no hex {name!r} on this board", name=name),
                near_cell(
                    name,
                    board.field.find,
                    tr("{off_board} means that the unit is not deployed", off_board=OFF_BOARD),
                ),
            )
        return cell

    def kind(self, at: KeyPath, text: str) -> Kind | None:
        """Return a kind of unit from text such as `green common_bow dwarf`; the race may be left out."""
        tables = lore()
        parts = text.split()
        accepted: tuple[Mapping[str, object], ...] = (tables.banners, tables.weapons, tables.races)
        if len(parts) == 2:
            parts.append(COMMON_RACE)
        if len(parts) != len(accepted):
            self.fault(
                at,
                tr("{text!r} is not a unit", text=text),
                tr("write banner, weapon and, if needed, race, such as green common_bow"),
            )
            return None
        wrong = [(part, known) for part, known in zip(parts, accepted, strict=True) if part not in known]
        for part, known in wrong:
            self.fault(at, tr("{part!r} is not valid", part=part), near(part, known))
        return None if wrong else Kind(*parts)


def field(map_name: str, board: Board) -> dict[str, Any]:
    """Return the board: terrain by hex, features by hex, cliff sides by hex and direction."""
    name, cells = board.field.name, board.field.cells
    return {
        "profile": board.profile,
        "map": map_name,
        "terrain": {name(c): board.ground[c] for c in cells},
        "features": features(board),
        "hexsides": {name(c): {DIRECTIONS[d]: "cliff" for d in board.walls[c]} for c in cells if c in board.walls},
    }


def hands(battle: Battle) -> dict[str, Any]:
    """Return the general size of the command hand (None in Lore games), and that of each camp."""
    medieval = battle.age == MEDIEVAL
    return {"hand": battle.hand if medieval else None, "hands": {camp: battle.hand_of(camp) for camp in OTHER}}


def features(board: Board) -> dict[str, str]:
    """Return the features on hexes, by the hexes' names."""
    return {board.field.name(c): board.features[c] for c in board.field.cells if c in board.features}


def unit(board: Board, of: Unit) -> dict[str, Any]:
    """Return a unit as plain values."""
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
"""The opposite section of the other camp, each named from its own player's seat."""
SHOWN = 8
"""Maximum number of hexes or units that a finding names."""


def as_one(request: Request, but: Iterable[str] = ()) -> Request:
    """Return a mirrored request with the options of the Pennant camp applied to both; any other request unchanged.

    `but` lists the options that may differ between the camps. Raises WrongUsageError if another option differs.
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
            raise WrongUsageError(tr("--{other}: both sides have the same set-up", other=second_option), hint=hint)
        options |= {first_option: options[first_option], second_option: options[first_option]}
    return replace(request, options=options)


def drawer(camp: Side, *, mirrored: bool) -> Side:
    """Return the camp whose random streams are used for a camp: in a mirrored request the same one for both."""
    return SIDES[0] if mirrored else camp


def evened(pool: Pool) -> Pool:
    """Return a pool in which both camps have the smaller of their shares."""
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
    """Return the board as the player opposite sees it."""
    turn = board.field.turned
    return Board(
        board.profile,
        {turn(cell): board.ground[cell] for cell in board.field.cells},
        {turn(cell): feature for cell, feature in board.features.items()},
        {turn(cell): tuple(sorted(opposite(d) for d in sides)) for cell, sides in board.walls.items()},
    )


def asymmetries(board: Board) -> tuple[Words, ...]:
    """Return the reasons why a board is not symmetric under a 180° turn: its hexes, sections, terrain, cliffs."""
    texts = words()["mirror"]
    other = turned(board)
    found = [] if _turns(board.profile) else [texts["profile"].fill(profile=board.plan.name)]
    cells = board.field.cells
    ground = [c for c in cells if board.ground[c] != other.ground[c]]
    features = [c for c in cells if board.features.get(c) != other.features.get(c)]
    walls = [c for c in cells if set(board.walls.get(c, ())) != set(other.walls.get(c, ()))]
    for what, where in (("ground", ground), ("features", features), ("cliffs", walls)):
        if where:
            found.append(texts[what].fill(hexes=_shown([board.field.name(cell) for cell in where]), n=len(where)))
    return tuple(found)


def symmetric(board: Board) -> bool:
    """Return whether a board is symmetric under a 180° turn."""
    return not asymmetries(board)


@lru_cache(64)  # Enough for the house maps.
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
    """Return the reasons why the camps' units are not images of each other under a 180° turn, deployed or not."""
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
    """Return the properties of a unit as its own camp sees them."""
    return board.plan.seen(unit.hex, camp) if unit.hex else None, unit.kind, unit.levy, unit.extra


def _shown(names: list[str]) -> str:
    """Return the first few names."""
    return " ".join(names[:SHOWN]) + (" …" if len(names) > SHOWN else "")


def different(camps: Mapping[Side, object], what: str) -> Iterator[Words]:
    """Yield the text `what` of [mirror] if the camps differ."""
    one, other = (camps[camp] for camp in SIDES)
    if one != other:
        yield words()["mirror"][what]
