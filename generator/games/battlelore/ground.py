"""Boards of hexes with their sections, words, terrain pieces and maps.

Hexes are numbered from the Pennant player's seat. Row 0 is that player's baseline, and columns run from that
player's left. The Standard player sits opposite and sees the same board turned by 180°, with left and right
exchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache, partial
from itertools import combinations
from typing import Annotated, Any, Literal

import msgspec

from generator.common.game import Brush
from generator.common.scenario_file import FileReader, GroundFiles, MapHead, NamedGround, OwnersFile, drawn_lines
from generator.common.tables import words as words_of
from generator.errors import DataError, WrongUsageError, near
from generator.games.battlelore.tables import Terrain, Whence, lore
from generator.grid.hexes import DIRECTIONS, Hex, HexField, Point, direction, opposite
from generator.grid.hexes import field as field_of
from generator.localization import tr
from generator.model.words import Words
from generator.notation import toml
from generator.notation.text import find_word
from generator.notation.toml import Source
from generator.notation.validation import KeyPath, known

Side = Literal["pennant", "standard"]
Section = Literal["left", "centre", "right"]
SIDES: tuple[Side, ...] = ("pennant", "standard")
SECTIONS: tuple[Section, ...] = ("left", "centre", "right")
CARD_ROWS = (4, 3, 4, 3)
"""Number of cells in each row of a deployment card, from its owner's baseline."""
BASELINE_ROOM = 3
"""Number of hexes in each section's baseline that must stay free for displaced units and reserves (house rule)."""


class Reach(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The columns of a section on long (even) and short (odd) rows, as in boards.toml."""

    long: tuple[int, int]
    short: tuple[int, int]
    card: int

    def columns(self, row: int) -> range:
        """Return the columns of the section in a 0-based row."""
        first, last = self.short if row % 2 else self.long
        return range(first, last + 1)


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A kind of board, as defined in boards.toml."""

    name: Words
    rows: tuple[int, ...]
    source: Whence
    note: Words
    sections: dict[Section, Reach]

    @cached_property
    def field(self) -> HexField:
        """The hexes of the board."""
        return field_of(self.rows)

    def seen(self, cell: Hex, camp: Side) -> Hex:
        """Convert a hex between the board's numbering and a camp's view from its own seat.

        The conversion is its own inverse.
        """
        return cell if camp == "pennant" else self.field.turned(cell)

    def sections_of(self, cell: Hex, camp: Side) -> tuple[Section, ...]:
        """Return the sections of a hex as the camp names them. A hex that a dotted line cuts belongs to two."""
        seen = self.seen(cell, camp)
        column = self.field.column(seen)
        return tuple(s for s in SECTIONS if column in self.sections[s].columns(seen.r))

    @cached_property
    def _sections(self) -> Mapping[tuple[Section, Side], tuple[Hex, ...]]:
        rows, at = range(len(self.rows)), self.field.at
        cells = {of: [at(c, r) for r in rows for c in reach.columns(r)] for of, reach in self.sections.items()}
        return {(of, camp): tuple(self.seen(cell, camp) for cell in cells[of]) for of in cells for camp in SIDES}

    def section_cells(self, section: Section, camp: Side) -> tuple[Hex, ...]:
        """Return all hexes of a section, row by row from the camp's own baseline and from its left."""
        return self._sections[section, camp]

    def shared(self, cell: Hex) -> bool:
        """Return whether the hex belongs to two sections. Deployment cards do not cover these hexes."""
        return len(self.sections_of(cell, "pennant")) > 1

    def card_hex(self, camp: Side, section: Section, column: int, row: int) -> Hex:
        """Return the hex under a cell of a deployment card.

        Raises:
            ValueError: If the card has no cell in this column and row.
        """
        try:
            return self._cards[camp, section, column, row]
        except KeyError:
            raise ValueError(tr("row {row} of a card has no column {column}", column=column, row=row)) from None

    @cached_property
    def _cards(self) -> Mapping[tuple[Side, Section, int, int], Hex]:
        return {
            (camp, section, column, row): self.seen(self.field.at(reach.card + column, row), camp)
            for camp in SIDES
            for section, reach in self.sections.items()
            for row, columns in enumerate(CARD_ROWS)
            for column in range(columns)
        }

    def baseline(self, camp: Side, section: Section | None = None) -> tuple[Hex, ...]:
        """Return the camp's baseline, or the part of it in one section, from the camp's left."""
        columns = range(self.rows[0]) if section is None else self.sections[section].columns(0)
        return tuple(self.seen(self.field.at(column, 0), camp) for column in columns)

    def borders(self) -> tuple[tuple[Point, ...], ...]:
        """Return the dotted lines between sections in lattice coordinates.

        They follow hexsides and cross shared hexes.
        """
        top = 3 * (len(self.rows) - 1) + 1
        ends = (2 * self.sections[s].long[1] + 1 for s in SECTIONS[:-1])
        return tuple(((x, -1), (x, top)) for x in ends)


class Objective(msgspec.Struct, frozen=True):
    """A victory hex: it counts for a camp while one of its units is on it (house)."""

    banners: int
    """The number of victory banners that it is worth."""
    camp: Side | None = None
    """The camp that it counts for; None for either camp."""


class Board(msgspec.Struct, frozen=True):
    """A battlefield.

    `walls` maps a hex to the directions of its cliff sides. A cliff side is a wall for the hexes on either side of
    it.
    """

    profile: str
    ground: Mapping[Hex, str]
    features: Mapping[Hex, str] = msgspec.field(default_factory=dict)
    walls: Mapping[Hex, tuple[int, ...]] = msgspec.field(default_factory=dict)
    objectives: Mapping[Hex, Objective] = msgspec.field(default_factory=dict)
    """The victory hexes of a written adventure."""

    @property
    def plan(self) -> Profile:
        """The profile of the board."""
        return profile(self.profile)

    @property
    def field(self) -> HexField:
        """The hexes of the board."""
        return self.plan.field

    def terrain(self, cell: Hex) -> Terrain:
        """Return the terrain of a hex."""
        return lore().terrain[self.ground[cell]]

    def feature(self, cell: Hex) -> Terrain | None:
        """Return the feature on a hex, or None."""
        name = self.features.get(cell)
        return lore().features[name] if name else None

    def passable(self, cell: Hex) -> bool:
        """Return whether units can enter the hex."""
        return self.terrain(cell).passable

    def wall_between(self, a: Hex, b: Hex) -> bool:
        """Return whether a cliff side of either hex separates two neighbours."""
        way = direction(a, b) if self.walls else None
        return way is not None and (way in self.walls.get(a, ()) or opposite(way) in self.walls.get(b, ()))

    def step(self, a: Hex, b: Hex) -> bool:
        """Return whether a unit on `a` can move to `b` if `b` is empty.

        The hexes must be adjacent without a cliff side between them, and `b` must be passable.
        """
        return direction(a, b) is not None and self.passable(b) and not self.wall_between(a, b)

    def prizes(self, camp: Side) -> dict[Hex, int]:
        """Return the victory hexes that count for a camp, with their banners."""
        return {cell: of.banners for cell, of in self.objectives.items() if of.camp in (None, camp)}

    def water(self) -> tuple[Hex, ...]:
        """Return the river hexes, including fords and bridges."""
        return tuple(cell for cell in self.field.cells if self.terrain(cell).water)


profiles = toml.shipped_table("battlelore/boards.toml", dict[str, Profile])
"""Returns the board profiles of boards.toml."""


def profile(name: str) -> Profile:
    """Return the board profile with this name.

    Raises:
        WrongUsageError: If there is no such profile. Its hint suggests a similar name.
    """
    try:
        return profiles()[name]
    except KeyError:
        raise WrongUsageError(
            tr("there is no board profile named {name!r}", name=name), hint=near(name, profiles())
        ) from None


def plain(name: str) -> dict[Hex, str]:
    """Return the terrain of a board that is countryside everywhere."""
    return dict.fromkeys(profile(name).field.cells, "countryside")


words = partial(words_of, "battlelore")
"""Returns BattleLore's words from data/battlelore/words.toml."""


def side_name(camp: Side) -> Words:
    """Return the name of a camp."""
    return words()["camp"][camp]


def section_name(section: Section) -> Words:
    """Return the name of a section."""
    return words()["section"][section]


_Face = Annotated[str, known(lambda: dict.fromkeys(_faces_in_use()))]


class Tiles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Pieces with the same faces, and their number."""

    faces: Annotated[tuple[_Face, ...], msgspec.Meta(min_length=1, max_length=2)]
    """One or two faces: `forest`, `hill`, `river`, `landmark`, `marsh`, `cliff`, `ford`, `bridge`, `stone_bridge`,
    `stakes`, `rampart`.
    """
    count: Annotated[int, msgspec.Meta(ge=0, le=999)]
    """The number of these pieces."""


class Inventory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The terrain pieces you own; see docs/formats/inventory.md."""

    name: Words
    """The name of the collection."""
    source: Literal["house", "own"]
    """Who made the list; `"house"` applies only while all values equal the shipped inventory's."""
    tiles: tuple[Tiles, ...]
    """The terrain pieces."""


class Shortage(msgspec.Struct, frozen=True):
    """Faces that a board needs more often than there are pieces with one of them."""

    faces: tuple[str, ...]
    needed: int
    pieces: int


INVENTORY = OwnersFile("battlelore/inventory.toml", lambda source: source.read(Inventory), "own")
load_inventory, house_inventory = INVENTORY.load, INVENTORY.house


def needs(board: Board) -> Counter[str]:
    """Return how many pieces the board needs for each face."""
    count: Counter[str] = Counter()
    for cell in board.field.cells:
        for of in (board.terrain(cell), board.feature(cell)):
            for face in of.tiles if of else ():
                count[face] += 1
    return count


def shortage(needed: Mapping[str, int], inventory: Inventory) -> Shortage | None:
    """Return the smallest set of faces for which there are too few pieces, or None.

    A piece shows one face at a time, so counting each face separately is not enough. By Hall's theorem the pieces
    suffice exactly if no set of faces is needed more often than there are pieces with a face in the set.
    """
    for faces, pieces in _supply(inventory):
        wanted = sum([needed.get(face, 0) for face in faces])
        if wanted > pieces:
            return Shortage(faces, wanted, pieces)
    return None


@lru_cache(16)  # A run uses few inventories.
def _supply(inventory: Inventory) -> tuple[tuple[tuple[str, ...], int], ...]:
    """Return sets of faces, each with the number of pieces that have a face in the set.

    Sets of faces that share no piece are left out, because they need no test.
    """
    groups = [{face} for face in dict.fromkeys(_faces_in_use())]
    for tiles in inventory.tiles:
        touched = [g for g in groups if g & set(tiles.faces)]
        groups = [*(g for g in groups if g not in touched), set().union(*touched)]
    sets = [c for g in groups for k in range(1, len(g) + 1) for c in combinations(sorted(g), k)]
    return tuple(
        (faces, sum(t.count for t in inventory.tiles if set(faces) & set(t.faces)))
        for faces in sorted(sets, key=lambda faces: (len(faces), faces))
    )


def _faces_in_use() -> list[str]:
    kinds = (*lore().terrain.values(), *lore().features.values())
    return [face for kind in kinds for face in kind.tiles]


class MapForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board as entered by hand: rows of symbols from the far row to the near one, features and cliff sides."""

    profile: str
    """The type of board, which sets the number and length of rows: `battlelore` or `memoir`."""
    rows: str
    """One symbol for each hex, separated by spaces, the far row first."""
    features: dict[str, str] = {}
    """The pieces on hexes, by the name of the hex: `stakes` or `rampart`."""
    cliffs: dict[str, tuple[str, ...]] = {}
    """The cliff sides of each cliff hex."""


class MapFile(MapHead, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A map of hexes."""

    profile: str
    """The type of board, which sets the number and length of rows: `battlelore` or `memoir`."""
    rows: str
    """One symbol for each hex, separated by spaces, the far row first."""
    features: dict[str, str] = msgspec.field(default_factory=dict)
    """The pieces on hexes, by the name of the hex: `stakes` or `rampart`."""
    cliffs: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """The cliff sides of each cliff hex."""


DrawnMap = NamedGround[Board]


def brushes() -> dict[str, Brush]:
    """Return the editor tools that add features and cliff sides to a map."""
    ways = {way: words()["direction"][way] for way in DIRECTIONS}
    features = {name: Brush(feature.name, partial(_lay, name)) for name, feature in lore().features.items()}
    return {**features, "cliff": Brush(words()["direction"]["sheer"], _cut, ways)}


def _lay(feature: str, values: dict[str, Any], cells: Sequence[str], _way: str, on: bool) -> None:
    """Add a feature to hexes, replacing any other feature, or remove it."""
    there = values.setdefault("features", {})
    for cell in cells:
        if on:
            there[cell] = feature
        elif there.get(cell) == feature:
            del there[cell]


def _cut(values: dict[str, Any], cells: Sequence[str], way: str, on: bool) -> None:
    sheer = values.setdefault("cliffs", {})
    for cell in cells:
        kept = {*sheer.pop(cell, ())} - {way} | ({way} if on else set())
        if kept:
            sheer[cell] = [side for side in DIRECTIONS if side in kept]


def read_board(of: MapForm | MapFile, source: Source, at: KeyPath = ()) -> Board:
    """Return the board described at a key of a TOML text.

    Raises DataError with every fault.
    """
    profile = find_word(of.profile, profiles())
    if profile is None:
        hint = near(of.profile, profiles())
        raise DataError(
            source.problem((*at, "profile"), tr("there is no board profile named {name!r}", name=of.profile), hint)
        )
    field, reading = profiles()[profile].field, FileReader(source, at)
    if len(lines := drawn_lines(of.rows)) != len(field.rows):
        reading.fault(
            ("rows",),
            tr("the number of rows is {count}, but the board has {needed}", count=len(lines), needed=len(field.rows)),
        )
    ground = {} if reading.problems else reading.ground(of.rows, field, lore().by_symbol, tr("hexes"))
    board = Board(profile, ground, _features(of.features, field, reading), _walls(of.cliffs, field, reading))
    reading.done()
    return board


MAPS = GroundFiles("battlelore", "maps", MapFile, read_board)
load_map, read_map, house_maps = MAPS.load, MAPS.read, MAPS.house


def drawing(board: Board) -> dict[str, object]:
    """Return the board as the entries of a TOML table, in the form that `read_board` reads."""
    field = board.field
    table: dict[str, object] = {"profile": board.profile, "rows": picture(board)}
    if board.features:
        table["features"] = {field.name(c): board.features[c] for c in field.cells if c in board.features}
    if board.walls:
        table["cliffs"] = {
            field.name(c): [DIRECTIONS[d] for d in board.walls[c]] for c in field.cells if c in board.walls
        }
    return table


def picture(board: Board) -> str:
    """Return the terrain as lines of symbols, with the far row first."""
    rows = []
    for row in reversed(range(len(board.field.rows))):
        symbols = (board.terrain(cell).symbol for cell in board.field.row(row))
        rows.append(" " * (row % 2) + " ".join(symbols))
    return "\n".join(rows)


def _features(table: Mapping[str, str], field: HexField, reading: FileReader) -> dict[Hex, str]:
    known = lore().features
    found: dict[Hex, str] = {}
    for cell, name, feature in reading.by_cell("features", table, field, tr("hex")):
        if cell is not None:
            found[cell] = find_word(feature, known) or feature
        if find_word(feature, known) is None:
            reading.fault(
                ("features", name), tr("there is no feature named {feature!r}", feature=feature), near(feature, known)
            )
    return found


def _walls(table: Mapping[str, tuple[str, ...]], field: HexField, reading: FileReader) -> dict[Hex, tuple[int, ...]]:
    found: dict[Hex, tuple[int, ...]] = {}
    for cell, name, raw_sides in reading.by_cell("cliffs", table, field, tr("hex")):
        sides = [find_word(side, DIRECTIONS) or side for side in raw_sides]
        for side in dict.fromkeys(sides):
            if side not in DIRECTIONS:
                reading.fault(
                    ("cliffs", name), tr("there is no direction named {side!r}", side=side), near(side, DIRECTIONS)
                )
            elif sides.count(side) > 1:
                reading.fault(("cliffs", name), tr("direction {side} is listed twice", side=side))
        if cell is not None:
            found[cell] = tuple(DIRECTIONS.index(side) for side in sides if side in DIRECTIONS)
    return found
