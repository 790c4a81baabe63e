"""Descriptions of maps, cards and sheets that leave the press nothing to decide.

A view names *looks* (keys of data/theme.toml) and holds Words for every text, so that one kit prints in any language,
on any paper and with any ink.
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
"""A point in lattice steps; it need not be a lattice point."""


class Token(msgspec.Struct, frozen=True):
    """A unit's counter: its shape shows the camp, its colour the quality, its symbol the weapon."""

    shape: str
    colour: str
    symbol: str
    label: str = ""
    badge: str = ""
    """Keys of small symbols beside the large one, separated by a space: a race, a mount."""
    mark: Literal["", "levy", "reserve", "square", "wrecked", "struck"] = ""
    facing: float | None = None
    """The direction of its front in degrees anticlockwise from east; None for a unit without a front."""
    caption: str = ""
    """A short text above the symbol: a type number."""
    numbers: tuple[str, str] = ("", "")
    """Texts at the foot of a counter to cut out: one at the left, and one in a box at the right."""
    hp: tuple[int, int] = (0, 0)
    """Hit points left and in total, shown as pips below the token on a map; nothing is shown if the total is 0."""
    name: Words | None = None
    """A name for readers who cannot see the token."""


class Ray(msgspec.Struct, frozen=True):
    """A line from cell to cell; `stop` is the cell that blocks it, `stop_at` the lattice point at which it ends."""

    start: Cell
    end: Cell
    stop: Cell | None = None
    stop_at: Spot | None = None
    shot: bool = False
    """Whether it is a shot that is possible now; it is drawn as a strong line."""
    bend: float = 0.0
    """The distance of a line's middle to its left, in cell sides, to bend it round something else; not for blocked
    lines."""
    arrow: bool = False
    """Whether it ends in an arrowhead, next to the contents of its last cell."""

    @property
    def blow(self) -> bool:
        """Whether it is a strong arrow over the contents of its first and last cells."""
        return self.shot and self.arrow


class Ring(msgspec.Struct, frozen=True):
    """A ring around a cell and its contents, with a few letters on it."""

    cell: Cell
    label: str


class Flag(msgspec.Struct, frozen=True):
    """A small flag with a number, in a camp's shape; the flags of one cell are side by side, in their order."""

    cell: Cell
    shape: str
    colour: str
    text: str
    count: bool = False
    """Whether it shows a count instead of a unit's number; it is smaller then."""


class Shade(msgspec.Struct, frozen=True):
    """Cells covered with a translucent look."""

    look: str
    cells: tuple[Cell, ...]


class Area(msgspec.Struct, frozen=True):
    """A filled shape independent of cells: a building's silhouette. The first ring is its outline, others holes."""

    look: str
    rings: tuple[tuple[Spot, ...], ...]


class Track(msgspec.Struct, frozen=True):
    """A path from cell to cell, drawn with an arrowhead at its end."""

    look: str
    cells: tuple[Cell, ...]
    marks: tuple[str, ...] = ()
    """A few letters in a ring on each of its cells but the first; empty for no ring."""
    aside: Spot = (0.0, 0.0)
    """The offset of the line from the centres of its cells, to the right and up, in cell sides."""


class Note(msgspec.Struct, frozen=True):
    """A few letters at a lattice point, on the map or just off it; `size` is in cell sides."""

    at: Spot
    text: Words
    size: float
    plate: bool = False
    """Whether it is on a pale plate, so that it is legible over anything."""
    roam: float = 0.0
    """The distance it may move to hide less, in cell sides; if it is above 0, the note is on a pale plate."""
    look: str = ""
    """The look of the track whose colour the note has; empty for the colour of all notes."""
    flag: str = ""
    """The shape of a counter under the note, in its camp's colours: a numbered flag, a coin."""


class Legend(msgspec.Struct, frozen=True):
    """A line of a map's legend: looks separated by spaces (or empty), a token or a flag; and its text."""

    sample: str | Token | Flag
    text: Words
    ink: Literal["", "full", "saver"] = ""
    """The kind of ink in which the line is printed; empty for both."""


class MapView(msgspec.Struct, frozen=True):
    """A map of cells, ready to draw."""

    grid: Grid
    ground: Mapping[Cell, str]
    """The look of every cell's terrain."""
    features: Mapping[Cell, str] = msgspec.field(default_factory=dict)
    """The look of a feature on the terrain: a bridge, stakes."""
    flows: Mapping[Cell, tuple[int, ...]] = msgspec.field(default_factory=dict)
    """The directions in which water flows out of a hex, to a neighbour or off the map."""
    roads: Mapping[Cell, tuple[int, ...]] = msgspec.field(default_factory=dict)
    """The directions in which a road leaves a cell, to a neighbour or off the map."""
    walls: Mapping[Cell, tuple[int, ...]] = msgspec.field(default_factory=dict)
    """Impassable hexsides, drawn with hachures inside the hex."""
    borders: tuple[tuple[Point, ...], ...] = ()
    """Section lines, as polylines of lattice points."""
    areas: tuple[Area, ...] = ()
    tracks: tuple[Track, ...] = ()
    notes: tuple[Note, ...] = ()
    tokens: tuple[tuple[Cell, Token], ...] = ()
    """Two tokens on one cell are drawn one behind the other."""
    flags: tuple[Flag, ...] = ()
    """Beside a token they are drawn on both sides of it, and tokens are smaller."""
    aside: bool = False
    """Whether tokens are small and at the side of their cells, so that the terrain is visible."""
    places: Mapping[Cell, Words] = msgspec.field(default_factory=dict)
    """Names of places on cells, printed beside them if there is room."""
    shades: tuple[Shade, ...] = ()
    rays: tuple[Ray, ...] = ()
    rings: tuple[Ring, ...] = ()
    names: bool = True
    """Whether each cell's name is printed."""
    ruled: bool = False
    """Whether notes beside the map number its columns and rows, so that cells without room for a name are
    identified."""
    detail: bool = False
    """Whether it shows a part of a larger map on the same page; texts without room on the map are legible here."""
    legend: tuple[Legend, ...] = ()
    edges: tuple[Words, Words] | None = None
    """The labels of the far and the near edge: the player whose baseline it is."""


class CardView(msgspec.Struct, frozen=True):
    """A card face: a key (`A3`), a name, its place, its small board, and the number of each token."""

    key: str
    name: Words
    shape: str
    board: MapView
    units: tuple[tuple[Token, int], ...]
    note: Words
    places: tuple[Words, ...] = ()
    """The places at which such a card may be played, side by side; empty if they do not matter."""
    place: int | None = None
    """The index of the place at which it was played."""


class Code(msgspec.Struct, frozen=True):
    """A text as a QR code; `size` is its side in mm."""

    text: str
    size: float


Figure = MapView | CardView | Token | Picture | Code


class Sheet(msgspec.Struct, frozen=True):
    """One printed sheet: a template and its contents."""

    part: str
    """The part of the kit (cover, map, setup, cards, sheets, reference …), which becomes a bookmark."""
    title: Words
    template: str
    """A file below templates/, such as `<game>/record.xml`."""
    view: Mapping[str, object]
    """Plain values, lists, mappings and Words for the template; Words arrive there in the printed language."""
    figures: Mapping[str, Figure] = msgspec.field(default_factory=dict)
    landscape: bool = False
    side: Words | None = None
    pages: int = 1
    """The largest number of pages; the press makes the type smaller before it fails."""
    rather: int = 0
    """The preferred number of pages, if slightly smaller type achieves it; 0 for no preference."""
    extra_figures: Mapping[str, Picture | Code] = msgspec.field(default_factory=dict)
    """Figures of this copy alone. In a bundle, sheets that are otherwise equal are laid out and drawn once."""


class CardTable(msgspec.Struct, frozen=True):
    """A table of numbers on a card, under headings; its first column names the rows."""

    heads: tuple[Words, ...]
    rows: tuple[tuple[Words, ...], ...]


class TextCard(msgspec.Struct, frozen=True):
    """A card of words: a heading strip, emblems, one fact a line, tables, then paragraphs."""

    name: Words
    shape: str
    """The camp's colours: a key of the theme's shapes."""
    kind: Words
    """The kind of card, printed in the band below its name."""
    emblems: tuple[Token | str, ...] = ()
    """Tokens, or looks of terrain and features, side by side."""
    facts: tuple[tuple[Words, Words], ...] = ()
    """Names with their values."""
    tables: tuple[CardTable, ...] = ()
    texts: tuple[Words, ...] = ()
    note: Words | None = None
    brief: Words | None = None
    """A reference to its paragraphs, and then to its longer tables, for a card too small for them."""


class ArmyCard(msgspec.Struct, frozen=True):
    """A card that lists the units on the table: for each side its name, a comment, and its tokens with numbers."""

    name: Words
    shape: str
    sides: tuple[tuple[Words, Words, tuple[tuple[Token, int], ...]], ...]
    note: Words


class Back(msgspec.Struct, frozen=True):
    """The back of a card or token: a camp's banner, or a token, on the camp's colours; Muster's own design."""

    shape: str
    name: Words
    line: Words | None = None


class Tile(msgspec.Struct, frozen=True):
    """A face of a terrain piece: the look of a terrain or feature, and its impassable hexsides."""

    look: str
    walls: tuple[int, ...] = ()


Face = CardView | TextCard | ArmyCard | Back | Tile | Token


class Piece(msgspec.Struct, frozen=True):
    """One piece to cut out."""

    name: Words
    front: Face
    back: Face | None = None
    placed: bool = False
    """Whether it is a rectangle to be put on a hex, in a run of hexes."""


class Run(msgspec.Struct, frozen=True):
    """Pieces of one size, front and back, on as few sheets as possible."""

    part: str
    title: Words
    pieces: tuple[Piece, ...]
    cut: Literal["card", "hex", "tile", "square"]
    """The shape to cut out: a card, a hex, the rectangle that is put on a hex, or a square."""
    hex: float = 0.0
    """The width of a map's cell from side to side, in mm; 0 for cards."""
    share: float = 1.0
    """The width of a hex or square to cut out, in widths of the map's cell."""
    note: Words | None = None
    """The credit printed on every page."""
    gap: float | None = None
    """The default gap between pieces, in mm; at 0 one cut serves two pieces."""


class Poster(msgspec.Struct, frozen=True):
    """A map or board at true size, over as many pages as needed, with marks for joining them."""

    part: str
    title: Words
    view: MapView
    cell: float
    """The width of a cell from side to side, in mm."""
    back: MapView | None = None
    """The map printed on the back of the pages, in register; None leaves them blank."""
    note: Words | None = None


Printed = Sheet | Run | Poster


class Later(msgspec.Struct, frozen=True, dict=True):
    """A part of a kit that is made only when requested, and only once."""

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
    """The code or content hash printed on every page; empty if nothing was drawn."""
    usual: tuple[Printed | Later, ...]
    """The sheets printed by default."""
    more: tuple[Printed | Later, ...] = ()
    """The sheets printed only if their part is requested: tokens to cut out, the board at true size."""
    warning: Words | None = None
    """A warning at the foot of every page."""
    credit: Words | None = None
    """A credit for material of other owners, also at the foot of every page."""

    @property
    def sheets(self) -> tuple[Printed, ...]:
        """The sheets printed by default."""
        return _made(self.usual)

    @property
    def parts(self) -> tuple[str, ...]:
        """Every part that can be requested, in the order of printing."""
        return tuple(dict.fromkeys(sheet.part for sheet in (*self.usual, *self.more)))

    def only(self, parts: Collection[str]) -> Kit:
        """Return the kit with only these parts; no other part is made."""
        found = [sheet for sheet in (*self.usual, *self.more) if sheet.part in parts]
        return replace(self, usual=_made(found), more=())

    @property
    def whole(self) -> Kit:
        """The kit with every part."""
        return self.only(self.parts)


def _made(sheets: Iterable[Printed | Later]) -> tuple[Printed, ...]:
    return tuple(one for sheet in sheets for one in (sheet.made if isinstance(sheet, Later) else (sheet,)))


class Bundle(msgspec.Struct, frozen=True):
    """Kits of sheets for one table, printed in one file with those of other tables."""

    title: Words
    """The title of its bookmark and at the head of each of its pages."""
    kits: tuple[Kit, ...]
    """The kits; a kit for several tables is laid out once."""
