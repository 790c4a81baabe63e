"""What the press is handed: maps, cards and sheets whose every question is already answered.

A view names *looks* (keys of data/theme.toml) and holds Words for every text, so that one kit prints in
any language, on any paper and with any ink.
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
"""A point in lattice steps, between lattice points too."""


class Token(msgspec.Struct, frozen=True):
    """A unit's counter: shape tells the camp, colour the quality, symbol the weapon."""

    shape: str
    colour: str
    symbol: str
    label: str = ""
    badge: str = ""
    """Small symbols beside the great one, their keys parted by a space: a race, a mount."""
    mark: Literal["", "levy", "reserve", "square", "wrecked", "struck"] = ""
    facing: float | None = None
    """Degrees anticlockwise from east that its front looks to, where a front is part of it."""
    caption: str = ""
    """A short text above the symbol: a type number."""
    numbers: tuple[str, str] = ("", "")
    """What a counter to cut out bears at its foot: at its left, and in a box at its right."""
    hp: tuple[int, int] = (0, 0)
    """On a map the hit points that are left, and all it had, as pips below it; none where it had none."""
    name: Words | None = None
    """What it is, told to whoever does not see it."""


class Ray(msgspec.Struct, frozen=True):
    """A line drawn from cell to cell; `stop` is the cell that blocks it, or the lattice point where it ends."""

    start: Cell
    end: Cell
    stop: Cell | None = None
    stop_at: Spot | None = None
    shot: bool = False
    """It is a shot that can be made now: a strong line."""
    bend: float = 0.0
    """How far to its left the middle of a line lies that would run over something else, in cell sides; not where it
    is blocked."""
    arrow: bool = False
    """It ends in an arrowhead beside whatever stands in its last cell."""

    @property
    def blow(self) -> bool:
        """Whether it is a strong arrow over what stands in its first cell and in its last."""
        return self.shot and self.arrow


class Ring(msgspec.Struct, frozen=True):
    """A ring around a cell and whatever stands there, and a few letters on it."""

    cell: Cell
    label: str


class Flag(msgspec.Struct, frozen=True):
    """A small flag with a number, in a camp's shape; those of one cell stand side by side, in their order."""

    cell: Cell
    shape: str
    colour: str
    text: str
    count: bool = False
    """It counts something, and names no unit: it is smaller."""


class Shade(msgspec.Struct, frozen=True):
    """Cells laid over with a translucent look."""

    look: str
    cells: tuple[Cell, ...]


class Area(msgspec.Struct, frozen=True):
    """A filled shape that keeps to no cell: a building's silhouette. The first ring is its outline, others holes."""

    look: str
    rings: tuple[tuple[Spot, ...], ...]


class Track(msgspec.Struct, frozen=True):
    """A way that was walked from cell to cell, drawn with an arrowhead at its end."""

    look: str
    cells: tuple[Cell, ...]
    marks: tuple[str, ...] = ()
    """A few letters in a ring on each of its cells but the first; empty where there is none."""
    aside: Spot = (0.0, 0.0)
    """How far it lies beside the middles of its cells, to the right and up, in cell sides."""


class Note(msgspec.Struct, frozen=True):
    """A few letters at a lattice point, on the map or just off it; `size` in cell sides."""

    at: Spot
    text: Words
    size: float
    plate: bool = False
    """It stands on a pale plate, so that it is read over whatever lies there."""
    roam: float = 0.0
    """How far it may move to where it hides nothing, in cell sides; it stands on a pale plate then."""
    look: str = ""
    """The way whose colour it has; empty for that of all notes."""
    flag: str = ""
    """The shape of a counter that it stands on, in its camp's colours: a numbered flag, a coin."""


class Legend(msgspec.Struct, frozen=True):
    """A line of a map's legend: looks parted by spaces (none: words alone), a token or a flag; what it is."""

    sample: str | Token | Flag
    text: Words
    ink: Literal["", "full", "saver"] = ""
    """It is told only in prints of that ink."""


class MapView(msgspec.Struct, frozen=True):
    """A map of cells, ready to draw."""

    grid: Grid
    ground: Mapping[Cell, str]
    """The look of every cell's ground."""
    features: Mapping[Cell, str] = msgspec.field(default_factory=dict)
    """The look of what lies on the ground: a bridge, stakes."""
    flows: Mapping[Cell, tuple[int, ...]] = msgspec.field(default_factory=dict)
    """Where water leaves a hex: the directions it flows through, to a neighbour or off the map."""
    roads: Mapping[Cell, tuple[int, ...]] = msgspec.field(default_factory=dict)
    """Where road leaves a cell: the directions it runs through, to a neighbour or off the map."""
    walls: Mapping[Cell, tuple[int, ...]] = msgspec.field(default_factory=dict)
    """Impassable hexsides, drawn with hachures inside the hex."""
    borders: tuple[tuple[Point, ...], ...] = ()
    """Section lines as lattice polylines."""
    areas: tuple[Area, ...] = ()
    tracks: tuple[Track, ...] = ()
    notes: tuple[Note, ...] = ()
    tokens: tuple[tuple[Cell, Token], ...] = ()
    """Two tokens on one cell stand one behind the other."""
    flags: tuple[Flag, ...] = ()
    """Beside a token they stand on both sides of it, and tokens are smaller then."""
    aside: bool = False
    """Tokens are small and stand aside in their cells, side by side, so that one sees what lies there."""
    places: Mapping[Cell, Words] = msgspec.field(default_factory=dict)
    """What lies on a cell by its name, printed beside it where there is room."""
    shades: tuple[Shade, ...] = ()
    rays: tuple[Ray, ...] = ()
    rings: tuple[Ring, ...] = ()
    names: bool = True
    """Print each hex's name."""
    ruled: bool = False
    """Notes beside it number its columns and rows: a cell that has no room for its name is named all the same."""
    detail: bool = False
    """It shows a part of a larger map on its page again: what has no room is read there."""
    legend: tuple[Legend, ...] = ()
    edges: tuple[Words, Words] | None = None
    """What stands along the far and the near edge: whose baseline it is."""


class CardView(msgspec.Struct, frozen=True):
    """A card face: a key (`A3`), a name, where it is played, its little board, and how many of each token."""

    key: str
    name: Words
    shape: str
    board: MapView
    units: tuple[tuple[Token, int], ...]
    note: Words
    places: tuple[Words, ...] = ()
    """Where such a card may be played, side by side; none where nobody asks."""
    place: int | None = None
    """Which of them it was played as."""


class Code(msgspec.Struct, frozen=True):
    """A text as a QR code of that side, in mm."""

    text: str
    size: float


Figure = MapView | CardView | Token | Picture | Code


class Sheet(msgspec.Struct, frozen=True):
    """One printed sheet: a template and what it is filled with."""

    part: str
    """cover, map, setup, cards, sheets, reference …: becomes a bookmark."""
    title: Words
    template: str
    """A file below templates/, such as `<game>/record.xml`."""
    view: Mapping[str, object]
    """Plain values, lists, mappings and Words for the template; Words arrive in the printed language."""
    figures: Mapping[str, Figure] = msgspec.field(default_factory=dict)
    landscape: bool = False
    side: Words | None = None
    pages: int = 1
    """How many pages it may take at most; the press makes the type smaller before it gives up."""
    rather: int = 0
    """How many it takes where type that is a little smaller does it; 0 asks for none of that."""
    own: Mapping[str, Picture | Code] = msgspec.field(default_factory=dict)
    """Figures of this copy alone: in a bundle, sheets that differ in nothing else are laid out and drawn once."""


class CardTable(msgspec.Struct, frozen=True):
    """Numbers on a card under their heads; what stands in the first column says what they are."""

    heads: tuple[Words, ...]
    rows: tuple[tuple[Words, ...], ...]


class TextCard(msgspec.Struct, frozen=True):
    """A card of words: a heading strip, emblems, facts a line each, tables, then paragraphs."""

    name: Words
    shape: str
    """Whose colours it wears: a key of the theme's shapes."""
    kind: Words
    """What kind of card it is; it stands in the band below the name."""
    emblems: tuple[Token | str, ...] = ()
    """Tokens, or looks of ground and features, side by side."""
    facts: tuple[tuple[Words, Words], ...] = ()
    """What, and how much."""
    tables: tuple[CardTable, ...] = ()
    texts: tuple[Words, ...] = ()
    note: Words | None = None
    brief: Words | None = None
    """Where its paragraphs, and then its longer tables, are found on a card too small for them."""


class ArmyCard(msgspec.Struct, frozen=True):
    """A card that counts what stands on the table: for each side its name, a word on it, and its tokens."""

    name: Words
    shape: str
    sides: tuple[tuple[Words, Words, tuple[tuple[Token, int], ...]], ...]
    note: Words


class Back(msgspec.Struct, frozen=True):
    """The back of a card or token: a camp's banner, or a token, on the camp's colours; our own design."""

    shape: str
    name: Words
    line: Words | None = None


class Tile(msgspec.Struct, frozen=True):
    """A face of a terrain piece: the look of a ground or feature, and the hexsides that nobody crosses."""

    look: str
    walls: tuple[int, ...] = ()


Face = CardView | TextCard | ArmyCard | Back | Tile | Token


class Piece(msgspec.Struct, frozen=True):
    """One thing to cut out."""

    name: Words
    front: Face
    back: Face | None = None
    laid: bool = False
    """It is the rectangle that lies on a hex, in a run of hexes."""


class Run(msgspec.Struct, frozen=True):
    """Pieces of one size, laid out on as few sheets as they fit on, fronts and backs."""

    part: str
    title: Words
    pieces: tuple[Piece, ...]
    cut: Literal["card", "hex", "tile", "square"]
    """The shape that is cut out: a card, a hex, the rectangle that lies on a hex, or a square."""
    hex: float = 0.0
    """The width of a map's cell from side to side, in mm; cards take none."""
    share: float = 1.0
    """The width of a hex or square that is cut out, in widths of the cell it lies on."""
    note: Words | None = None
    """Whose work it is, printed on every page."""
    gap: float | None = None
    """From piece to piece, in mm, where nobody says otherwise; 0 lets one cut serve two."""


class Poster(msgspec.Struct, frozen=True):
    """A map or board at true size, over as many pages as it takes, with what is needed to join them."""

    part: str
    title: Words
    view: MapView
    cell: float
    """The width of a cell from side to side, in mm."""
    back: MapView | None = None
    """What is printed on the back of the pages, in register; None leaves them blank."""
    note: Words | None = None


Printed = Sheet | Run | Poster


class Later(msgspec.Struct, frozen=True, dict=True):
    """What is printed of a part, made only where somebody asks for it, and once."""

    part: str
    make: Callable[[], Iterable[Printed]]

    @cached_property
    def made(self) -> tuple[Printed, ...]:
        """All of it."""
        return tuple(self.make())


class Kit(msgspec.Struct, frozen=True):
    """Everything that is printed together."""

    game: Words
    title: Words
    stamp: str
    """The code or content hash that stands on every page; empty where nothing was drawn."""
    usual: tuple[Printed | Later, ...]
    """What is printed where no part is asked for."""
    more: tuple[Printed | Later, ...] = ()
    """What is printed only where its part is asked for: tokens to cut out, the board at true size."""
    warning: Words | None = None
    """What nobody shall overlook: it stands at the foot of every page."""
    credit: Words | None = None
    """What of it is its owner's and not ours; it stands there too."""

    @property
    def sheets(self) -> tuple[Printed, ...]:
        """What is printed of it."""
        return _made(self.usual)

    @property
    def parts(self) -> tuple[str, ...]:
        """Every part there is to ask for, in the order of printing."""
        return tuple(dict.fromkeys(sheet.part for sheet in (*self.usual, *self.more)))

    def only(self, parts: Collection[str]) -> Kit:
        """The kit with these parts alone; no other is made."""
        found = [sheet for sheet in (*self.usual, *self.more) if sheet.part in parts]
        return replace(self, usual=_made(found), more=())

    @property
    def whole(self) -> Kit:
        """The kit with everything that may be asked for."""
        return self.only(self.parts)


def _made(sheets: Iterable[Printed | Later]) -> tuple[Printed, ...]:
    return tuple(one for sheet in sheets for one in (sheet.made if isinstance(sheet, Later) else (sheet,)))


class Bundle(msgspec.Struct, frozen=True):
    """Kits of sheets that lie together on one table, printed in one file with those of other tables."""

    title: Words
    """Its bookmark, and what stands at the head of each of its pages."""
    kits: tuple[Kit, ...]
    """A kit that lies on several tables is laid out once."""
