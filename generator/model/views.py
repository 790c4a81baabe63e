"""Descriptions of maps, cards and sheets from which the press prints without further decisions.

A view contains the names of *looks* (keys of data/theme.toml) and Words for every text, so that a kit can be
printed in any language, on any paper and with any ink.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from typing import Literal

import msgspec
from msgspec.structs import replace

from generator.grid.hexes import Cell, Grid, Point
from generator.model.picture import Picture
from generator.model.words import Words

Spot = tuple[float, float]
"""A point in lattice steps, which need not be a point of the lattice."""


Mark = Literal["", "levy", "reserve", "own", "square", "wrecked", "struck"]
"""The kind of a counter that is not a normal unit: levy, reserve, piece of the owner, square, wreck, struck face."""


class Token(msgspec.Struct, frozen=True):
    """A unit's counter, with a shape for the camp, a colour for the quality and a symbol for the weapon."""

    shape: str
    colour: str
    symbol: str
    label: str = ""
    badge: str = ""
    """The keys of small symbols next to the large one, separated by a space, such as a race and a mount."""
    mark: Mark = ""
    facing: float | None = None
    """The direction of the unit's front, in degrees anticlockwise from east, or None for a unit without a front."""
    caption: str = ""
    """A short text above the symbol, such as a type number."""
    numbers: tuple[str, str] = ("", "")
    """Two texts at the bottom of a counter, one at the left and one in a box at the right."""
    hp: tuple[int, int] = (0, 0)
    """The hit points left and in total, shown as pips below the token on a map. If the total is 0, nothing is shown.
    """
    name: Words | None = None
    """A name for readers who cannot see the token."""


class Ray(msgspec.Struct, frozen=True):
    """A line from one cell to another.

    `stop` is the cell that blocks it, and `stop_at` the lattice point where it ends.
    """

    start: Cell
    end: Cell
    stop: Cell | None = None
    stop_at: Spot | None = None
    shot: bool = False
    """Whether the line is a shot that is possible now, which is drawn as a strong line."""
    bend: float = 0.0
    """The distance to the left by which the middle of the line is bent around an obstacle, in cell sides. Blocked
    lines are not bent.
    """
    arrow: bool = False
    """Whether the line ends in an arrowhead, next to the contents of its last cell."""

    @property
    def blow(self) -> bool:
        """Whether the line is a strong arrow over the contents of its first and last cells."""
        return self.shot and self.arrow


class Ring(msgspec.Struct, frozen=True):
    """A ring around a cell and its contents, with a short label."""

    cell: Cell
    label: str


class Flag(msgspec.Struct, frozen=True):
    """A small flag with a number, in a camp's shape. Below the number are the pips of its colour.

    Several flags of one cell are drawn side by side, in their order, or above each other beside a token.
    """

    cell: Cell
    shape: str
    colour: str
    text: str


class Shade(msgspec.Struct, frozen=True):
    """Cells that are covered with a translucent look."""

    look: str
    cells: tuple[Cell, ...]


class Area(msgspec.Struct, frozen=True):
    """A filled shape that does not depend on cells, such as a building's silhouette.

    The first ring is its outline, and the others are holes.
    """

    look: str
    rings: tuple[tuple[Spot, ...], ...]


class Track(msgspec.Struct, frozen=True):
    """A path from cell to cell, which is drawn with an arrowhead at its end."""

    look: str
    cells: tuple[Cell, ...]
    marks: tuple[str, ...] = ()
    """The labels of rings on all cells except the first one. An empty label means no ring."""
    aside: Spot = (0.0, 0.0)
    """The offset of the line from the centres of its cells, to the right and upwards, in cell sides."""


class Note(msgspec.Struct, frozen=True):
    """A short text at a lattice point, which may be outside the map. `size` is in cell sides."""

    at: Spot
    text: Words
    size: float
    plate: bool = False
    """Whether the note is on a pale plate, which makes it legible on any background."""
    roam: float = 0.0
    """The maximum distance by which the note is moved to cover less, in cell sides. If it is above 0, the note is on
    a pale plate.
    """
    look: str = ""
    """The look of the track whose colour the note has. By default, the note has the colour of all notes."""
    flag: str = ""
    """The shape of a counter under the note, in its camp's colours, such as a numbered flag or a coin."""


class LandName(msgspec.Struct, frozen=True):
    """The name of a hill, a wood, water or open ground. It is scenery, and printed only where there is room."""

    name: Words
    cells: tuple[Cell, ...]
    water: bool = False


class Legend(msgspec.Struct, frozen=True):
    """A line of a map's legend, with its text.

    The sample is a token, a flag, or looks separated by spaces, and may be empty.
    """

    sample: str | Token | Flag
    text: Words


class MapView(msgspec.Struct, frozen=True):
    """A map of cells that is ready to draw."""

    grid: Grid
    ground: Mapping[Cell, str]
    """The look of every cell's terrain."""
    features: Mapping[Cell, str] = msgspec.field(default_factory=dict)
    """The look of the feature on a cell's terrain, such as a bridge or stakes."""
    flows: Mapping[Cell, tuple[int, ...]] = msgspec.field(default_factory=dict)
    """The directions in which water flows out of a hex, to a neighbour or off the map."""
    roads: Mapping[Cell, tuple[int, ...]] = msgspec.field(default_factory=dict)
    """The directions in which a road leaves a cell, to a neighbour or off the map."""
    walls: Mapping[Cell, tuple[int, ...]] = msgspec.field(default_factory=dict)
    """The impassable hexsides, which are drawn with hachures inside the hex."""
    borders: tuple[tuple[Point, ...], ...] = ()
    """The lines between sections, as polylines of lattice points."""
    areas: tuple[Area, ...] = ()
    tracks: tuple[Track, ...] = ()
    notes: tuple[Note, ...] = ()
    tokens: tuple[tuple[Cell, Token], ...] = ()
    """The tokens on cells. Two tokens on one cell are drawn one behind the other."""
    flags: tuple[Flag, ...] = ()
    compact: bool = False
    """Whether the map is small, so that tokens are as large as their cells allow and have their labels on their lower
    edge. Flags on the cell of a token are at its right.
    """
    aside: bool = False
    """Whether tokens are small and at the side of their cells, so that the terrain is visible."""
    places: Mapping[Cell, Words] = msgspec.field(default_factory=dict)
    """The names of places on cells, which are printed next to them if there is room."""
    land_names: tuple[LandName, ...] = ()
    shades: tuple[Shade, ...] = ()
    rays: tuple[Ray, ...] = ()
    rings: tuple[Ring, ...] = ()
    names: bool = True
    """Whether each cell's name is printed."""
    ruled: bool = False
    """Whether notes next to the map number its columns and rows, which identify cells that have no room for a name.
    """
    detail: bool = False
    """Whether the view shows a part of a larger map on the same page. Texts that do not fit there are legible here.
    """
    legend: tuple[Legend, ...] = ()
    edges: tuple[Words, Words] | None = None
    """The labels of the far and the near edge, which name the players at these edges."""
    sections: tuple[tuple[float, Words, Words], ...] = ()
    """The sections with their middles in lattice steps and their names, as the players at the far and the near edge
    call them. They are printed beside the labels of the edges."""


class CardView(msgspec.Struct, frozen=True):
    """A card face, with a key (`A3`), a name, a small board, and the number of each token."""

    key: str
    name: Words
    shape: str
    board: MapView
    units: tuple[tuple[Token, int], ...]
    note: Words
    places: tuple[Words, ...] = ()
    """The places at which such a card may be played, shown side by side. If places do not matter, the tuple is empty.
    """
    place: int | None = None
    """The index of the place at which the card was played."""


class Code(msgspec.Struct, frozen=True):
    """A text as a QR code. `size` is the length of its side, in mm."""

    text: str
    size: float


Figure = MapView | CardView | Token | Picture | Code


class Sheet(msgspec.Struct, frozen=True):
    """A printed sheet, which consists of a template and its contents."""

    part: str
    """The part of the kit (cover, map, setup, cards, sheets, reference …), which becomes a bookmark."""
    title: Words
    template: str
    """A file below templates/, such as `<game>/record.xml`."""
    view: Mapping[str, object]
    """Plain values, lists, mappings and Words for the template. The template receives Words in the printed language.
    """
    figures: Mapping[str, Figure] = msgspec.field(default_factory=dict)
    landscape: bool = False
    side: Words | None = None
    pages: int = 1
    """The maximum number of pages. The press reduces the type size before it reports an error."""
    rather: int = 0
    """The preferred number of pages if slightly smaller type achieves it, or 0 for no preference."""
    filled: bool = True
    """Whether a page that is mostly blank has lines to write on."""
    extra_figures: Mapping[str, Picture | Code] = msgspec.field(default_factory=dict)
    """Figures of this copy alone. Sheets of a bundle that are otherwise equal are laid out and drawn only once."""


class CardTable(msgspec.Struct, frozen=True):
    """A table of numbers on a card, with headings. Its first column contains the names of the rows."""

    heads: tuple[Words, ...]
    rows: tuple[tuple[Words, ...], ...]


class TextCard(msgspec.Struct, frozen=True):
    """A card of text, with a heading, emblems, one fact on each line, tables, and paragraphs."""

    name: Words
    shape: str
    """The camp's colours, as a key of the theme's shapes."""
    kind: Words
    """The kind of card, which is printed in the band below its name."""
    emblems: tuple[Token | str, ...] = ()
    """Tokens, or looks of terrain and features, which are printed side by side."""
    facts: tuple[tuple[Words, Words], ...] = ()
    """Names and their values."""
    tables: tuple[CardTable, ...] = ()
    texts: tuple[Words, ...] = ()
    note: Words | None = None
    brief: Words | None = None
    """A reference that replaces the paragraphs, and then the longer tables, if the card is too small for them."""


class ArmyCard(msgspec.Struct, frozen=True):
    """A card that lists the units on the table. For each side, it has a name, a comment, and tokens with numbers."""

    name: Words
    shape: str
    sides: tuple[tuple[Words, Words, tuple[tuple[Token, int], ...]], ...]
    note: Words


class Back(msgspec.Struct, frozen=True):
    """The back of a card or token in Muster's own design, with a camp's banner or a token."""

    shape: str
    name: Words
    line: Words | None = None


class Tile(msgspec.Struct, frozen=True):
    """A face of a terrain piece, with the look of a terrain or feature, and its impassable hexsides."""

    look: str
    walls: tuple[int, ...] = ()


Face = CardView | TextCard | ArmyCard | Back | Tile | Token


class Piece(msgspec.Struct, frozen=True):
    """A piece that players cut out."""

    name: Words
    front: Face
    back: Face | None = None
    placed: bool = False
    """Whether the piece is a rectangle that is placed on a hex, in a run of hexes."""


class Run(msgspec.Struct, frozen=True):
    """Pieces of one size with their fronts and backs, which are printed on as few sheets as possible."""

    part: str
    title: Words
    pieces: tuple[Piece, ...]
    cut: Literal["card", "hex", "tile", "square"]
    """The shape of the pieces: a card, a hex, a rectangle that is placed on a hex, or a square."""
    hex: float = 0.0
    """The width of a map's cell from side to side, in mm, or 0 for cards."""
    share: float = 1.0
    """The width of the hexes or squares in widths of the map's cell."""
    note: Words | None = None
    """The credit printed on every page."""
    gap: float | None = None
    """The default gap between pieces, in mm. If it is 0, neighbouring pieces share a cut."""


class Poster(msgspec.Struct, frozen=True):
    """A map or board at true size, on as many pages as needed, with marks for joining them."""

    part: str
    title: Words
    view: MapView
    cell: float
    """The width of a cell from side to side, in mm."""
    back: MapView | None = None
    """The map printed on the back of the pages, aligned with the front. None leaves the backs blank."""
    note: Words | None = None


Printed = Sheet | Run | Poster


class Later(msgspec.Struct, frozen=True, dict=True):
    """A part of a kit that is made only when it is requested, and only once."""

    part: str
    make: Callable[[], Iterable[Printed]]

    @cached_property
    def made(self) -> tuple[Printed, ...]:
        """All sheets of the part."""
        return tuple(self.make())


class Kit(msgspec.Struct, frozen=True):
    """All the sheets and pieces of one print."""

    game: Words
    title: Words
    stamp: str
    """The code or content hash printed on every page, or an empty string if nothing was generated."""
    usual: tuple[Printed | Later, ...]
    """The sheets printed by default."""
    more: tuple[Printed | Later, ...] = ()
    """The sheets printed only if their part is requested, such as tokens or the board at true size."""
    warning: Words | None = None
    """A warning at the foot of every page."""
    credit: Words | None = None
    """A credit for material of other owners, which is also at the foot of every page."""

    @property
    def sheets(self) -> tuple[Printed, ...]:
        """The sheets printed by default."""
        return _made(self.usual)

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that can be requested, in the order of printing."""
        return tuple(dict.fromkeys(sheet.part for sheet in (*self.usual, *self.more)))

    def only(self, parts: Collection[str]) -> Kit:
        """Return the kit with only these parts. No other part is made."""
        found = [sheet for sheet in (*self.usual, *self.more) if sheet.part in parts]
        return replace(self, usual=_made(found), more=())

    @property
    def whole(self) -> Kit:
        """The kit with every part."""
        return self.only(self.parts)


def _made(sheets: Iterable[Printed | Later]) -> tuple[Printed, ...]:
    return tuple(one for sheet in sheets for one in (sheet.made if isinstance(sheet, Later) else (sheet,)))


class Bundle(msgspec.Struct, frozen=True):
    """The kits for one table, which are printed in one file with those for other tables."""

    title: Words
    """The title of the bundle's bookmark, which is also at the head of each of its pages."""
    kits: tuple[Kit, ...]
    """The kits. A kit that is printed for several tables is laid out only once."""
