"""Fields of fillable sheets, and where things lie that are filled in.

Things to tick, count on, write on and measure with, as pictures; lengths in mm, type in points.

The fields of a fillable edition: an empty one over everything that is ticked or written in.

Written by hand rather than with ReportLab's, whose fields bring a Helvetica and a ZapfDingbats that are not
embedded: a tick is drawn, and what is typed is set in our own Latin font. Where Japanese is typed, the viewer takes
a font of its own.
"""

from __future__ import annotations

import itertools
import re
import zlib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct
from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFObject, PDFString

from generator.model.picture import XY, Item, Path, Pen, Picture, Still, Symbol, Text, Use, circle, line, rectangle
from generator.model.views import Code
from generator.press import fonts
from generator.press.canvas import MM
from generator.press.fonts import advances, measures, typecase
from generator.press.text import BLACK, DARK, FLOOR
from generator.symbols.shapes import strokes

_OUTLINE = Pen(DARK, 0.25, round=False)
_GREY = Pen("#8c8678", 0.22, round=False)
_SPARE = Pen(DARK, 0.2, (0.8, 0.8))
_HAIR = Pen(DARK, 0.15, round=False)
_FAINT = "#6b675f"
_TALL = 7.0
"""A line is written on with letters of its own height: more white above it is no part of its field."""
_MIDDLE = 0.37
"""From the baseline to the middle of a digit, in type sizes."""


class Spot(msgspec.Struct, frozen=True):
    """A rectangle to tick (box, step) or to write in (line, room, cell), on its picture."""

    kind: Literal["box", "step", "line", "room", "cell"]
    x: float
    y: float
    width: float
    height: float


class Mark(NamedTuple):
    """What is drawn, and where it is ticked or written on, in reading order."""

    picture: Picture
    spots: tuple[Spot, ...]


def boxes(count: int, size: float, group: int, width: float, quiet: bool = False) -> Mark:
    """Boxes to tick, in groups that people count at a glance; in as many rows as the width asks, grey if quiet."""
    gap, between = 0.22 * size, 0.75 * size
    places: list[tuple[float, int]] = []
    x, row = 0.0, 0
    for i in range(count):
        opens = i % group == 0
        if i:
            x += size + (between if opens else gap)
        run = min(group, count - i) if opens else 1
        if x and x + run * (size + gap) - gap > width:
            x, row = 0.0, row + 1
        places.append((x, row))
    step, side = size + gap, size - 0.26
    spots = tuple(Spot("box", x + 0.13, (row - r) * step + 0.13, side, side) for x, r in places)
    pen = _GREY if quiet else _OUTLINE
    drawn = _together([rectangle(spot.x, spot.y, side, side) for spot in spots], pen)
    return Mark(Picture(max((x for x, _ in places), default=0.0) + size, row * step + size, drawn), spots)


def _together(outlines: Sequence[Path], pen: Pen) -> tuple[Path, ...]:
    """White shapes that do not touch as one path; nothing where there are none."""
    steps = tuple([step for one in outlines for step in one.steps])
    return (Path(steps, "#ffffff", pen),) if steps else ()


_APART, _SMALLER = 0.18, 0.84
"""Between two circles of a track, in their sizes; how small one is to save a row, in what is asked for."""


def track(first: int, last: int, goal: int, size: float, label: str, type_size: float, width: float) -> Mark:
    """Numbered circles from `first` to `last`, after a label; `goal` stands out where some follow it.

    They are a little smaller where that saves a row, and rows are of one length but for the last.
    """
    items, spots, rings = list[Item](), list[Spot](), list[Path]()
    start = fonts.width(label, type_size, bold=True) / MM + 2 if label else 0.0
    count = last - first + 1
    whole = (width - start) / (count * (1 + _APART) - _APART)
    size = whole if _SMALLER * size < whole < size else size
    gap = _APART * size
    across = min(count, max(1, int((width - start + gap + 1e-6) // (size + gap))))
    rows = -(-count // across)
    across = -(-count // rows)
    height = rows * (size + gap) - gap
    if label:
        y = height - size / 2 - _MIDDLE * type_size / MM
        items.append(Text(0, y, label, type_size, bold=True))
    number = max(FLOOR, min(type_size, 0.45 * size * MM))
    for i in range(count):
        x = start + i % across * (size + gap) + size / 2
        y = height - i // across * (size + gap) - size / 2
        r = size / 2 - 0.13
        spots.append(Spot("step", x - r, y - r, 2 * r, 2 * r))
        rings.append(circle(x, y, r))
        if first + i == goal < last:
            items.append(circle(x, y, size / 2 - 0.75, None, _OUTLINE))
        items.append(Text(x, y - _MIDDLE * number / MM, str(first + i), number, "middle", colour=_FAINT))
    steps = max(0, goal + 1 - first)
    drawn = (*_together(rings[:steps], _OUTLINE), *_together(rings[steps:], _SPARE), *items)
    return Mark(Picture(start + across * (size + gap) - gap, height, drawn), tuple(spots))


def lines(label: str, count: int, height: float, type_size: float, width: float) -> Mark:
    """Lines to write on, `height` apart, the first after a label."""
    start = fonts.width(label, type_size, bold=True) / MM + 1.5 if label else 0.0
    items: list[Item] = []
    if label:
        items.append(Text(0, (count - 1) * height + 0.8, label, type_size, bold=True))
    spots: list[Spot] = []
    for i in range(count):
        x, y = 0.0 if i else start, (count - 1 - i) * height + 0.1
        items.append(line(((x, y), (width, y)), _HAIR))
        spots.append(Spot("line", x, y + 0.2, width - x, min(height - 0.4, _TALL)))
    return Mark(Picture(max(width, start + height), count * height, tuple(items)), tuple(spots))


def room(label: str, height: float, type_size: float, width: float) -> Mark:
    """An empty box to write in, under its label."""
    items: list[Item] = [rectangle(0.1, 0.1, width - 0.2, height - 0.2, "#ffffff", _HAIR)]
    spots = (Spot("room", 0.5, 0.5, width - 1, height - 1),)
    if not label:
        return Mark(Picture(width, height, tuple(items)), spots)
    items.append(Text(0, height + 0.4 * type_size / MM, label, type_size, bold=True))
    wide = max(width, fonts.width(label, type_size, bold=True) / MM)
    return Mark(Picture(wide, height + 1.35 * type_size / MM, tuple(items)), spots)


def blank(height: float, width: float) -> Mark:
    """A cell of a table that is written in: nothing is drawn."""
    return Mark(Picture(width, height, ()), (Spot("cell", 0.0, 0.0, width, height),))


def row(shown: Sequence[Picture], size: float, gap: float, width: float) -> Picture:
    """Pictures in a row, each as large as a square of `size` mm takes it, in as many rows as `width` mm ask."""
    step = size + gap
    across = max(1, min(len(shown), int((width + gap + 1e-6) // step)))
    rows = -(-len(shown) // across) if shown else 0
    items: list[Item] = []
    for i, picture in enumerate(shown):
        down, right = divmod(i, across)
        share = size / max(picture.width, picture.height)
        x, y = right * step + size / 2, (rows - down - 1) * step + size / 2
        items += moved(picture, x, y, share)
    return Picture(max(0.0, min(across, len(shown)) * step - gap), max(0.0, rows * step - gap), tuple(items))


def moved(picture: Picture, x: float, y: float, share: float) -> tuple[Item, ...]:
    """What is on a picture, its middle at (x, y) and `share` times as large."""
    left, low = x - share * picture.width / 2, y - share * picture.height / 2

    return Still(picture.items, left, low, share).items


_MASK = 1
"""Of the eight masks of a QR code the one that serves the marks of slips best on average.

To weigh all eight takes four times as long as all the rest, and readers take any.
"""


def coded(code: Code) -> Picture:
    """A QR code of which there are many, drawn once for all its places."""
    name = f"qr{blake2b(repr(code).encode(), digest_size=8).hexdigest()}"
    return Picture(code.size, code.size, (Use(_modules(name, code), 0.0, 0.0),))


@lru_cache(maxsize=256)  # a table's card and both halves of its slip bear the same
def _modules(name: str, code: Code) -> Symbol:
    return Symbol(name, qr(code.text, code.size).items, reach=code.size)


@lru_cache(2)  # a page asks for its own more than once
def qr(words: str, size: float) -> Picture:
    """A QR code of that side in mm: its modules as one path, so that no viewer draws seams; two modules of white.

    Error correction M: a tenth of it may be under a thumb or a stain of coffee.
    """
    import segno  # used by one page of a kit

    rows = [list(line) for line in segno.make(words, error="m", micro=False, boost_error=False, mask=_MASK).matrix]
    module = size / len(rows)
    steps: list[tuple[str | float, ...]] = []
    for down, cells in enumerate(rows):
        top = size - down * module
        for across, run in itertools.groupby(range(len(cells)), key=cells.__getitem__):
            if across:
                dark = list(run)
                left, right = dark[0] * module, (dark[-1] + 1) * module
                steps += [("M", left, top), ("L", right, top), ("L", right, top - module), ("L", left, top - module)]
                steps.append(("Z",))
    return Picture(size, size, (Path(tuple(steps), BLACK),))


def ruler() -> Picture:
    """A scale of 100 mm above one of 4 inches."""
    left, upper, lower = 2.0, 7.2, 6.2
    items: list[Item] = [
        line(((left, upper), (left + 100, upper)), _OUTLINE),
        line(((left, lower), (left + 4 * 25.4, lower)), _OUTLINE),
    ]
    ticks: list[tuple[XY, XY]] = []
    for mm in range(101):
        x, length = left + mm, 3.0 if mm % 10 == 0 else 2.2 if mm % 5 == 0 else 1.4
        ticks.append(((x, upper), (x, upper + length)))
        if mm % 10 == 0:
            items.append(Text(x, upper + 3.6, f"{mm} mm" if mm == 100 else str(mm), FLOOR, "middle"))
    for eighth in range(33):
        x, length = left + eighth * 25.4 / 8, 3.0 if eighth % 8 == 0 else 2.2 if eighth % 4 == 0 else 1.4
        ticks.append(((x, lower), (x, lower - length)))
        if eighth % 8 == 0:
            inches = f"{eighth // 8} in" if eighth == 32 else str(eighth // 8)
            items.append(Text(x, 0.8, inches, FLOOR, "middle"))
    return Picture(110, 13.6, (*items, strokes(ticks, _HAIR)))


FONT = "MusterForm"
"""Our Latin font, whole: a viewer may set any text in it."""
_TICKED, _CLEAR = "On", "Off"
_PRINTED = 4
"""An annotation's flag: it is printed too."""
_MULTILINE = 1 << 12
_LEAST, _NOTES, _MOST = 7.0, 9.0, 11.0
"""The sizes of type that are written in, in points: in cells of two lines, in rooms and other cells, on lines."""
_SHARE = 0.55
"""The size of type as a share of a line's height."""
_LEADING = 1.25
_STROKE, _REACH = 0.12, 0.3
"""A cross's width, and how far it reaches from the middle, as shares of its box."""


class FieldRow(Struct, frozen=True, eq=False):
    """What belongs together, and what it is called: a row of a table."""

    label: str = ""


class Asked(Struct, frozen=True):
    """What a mark is filled in for: its row, what it is called, the number of its first spot, its own name."""

    form: Form | None = None
    row: FieldRow | None = None
    label: str = ""
    first: int = 1
    name: str = ""
    """What it is read back by; empty where it takes its kind and number."""


class Form:
    """The fields of a document, in the order in which they are drawn: that of reading.

    A field's name is made of its sheet, row and kind, each with its number: `records1.row3.box2`. A name that the
    template gives takes the place of the kind; of several spots the others have their number behind it.
    """

    def __init__(self, canvas: Any) -> None:
        self.canvas, self.document = canvas, canvas._doc
        self.sheets: list[_Group] = []
        self.numbers: Counter[str] = Counter()
        self.looks: dict[tuple[int, int, bool], Any] = {}
        self.borne = False
        """Whether the page in the making bears fields."""

    def open(self, part: str, title: str, tail: str = "") -> None:
        """Begin the next sheet: the part it belongs to, and what it is called; a tail parts two languages."""
        self.numbers[part + tail] += 1
        self.sheet = _Group(self.document, re.sub("[^A-Za-z0-9]", "", part) + f"{self.numbers[part + tail]}{tail}")
        self.title, self.row = title, FieldRow()
        self.names: Counter[str] = Counter()

    def add(self, spots: tuple[Spot, ...], x: float, y: float, asked: Asked) -> None:
        """Lay fields over the spots of a picture whose lower left corner is at (x, y), in points of the page.

        Spots that stand in no row are a row of their own.
        """
        if not spots:
            return
        if asked.row is None or asked.row is not self.row:
            self.row = asked.row or FieldRow()
            self.names = Counter({"row": self.names["row"] + 1})
            if not self.sheet.kids.sequence:
                self.sheets.append(self.sheet)
            self.group = _Group(self.document, f"row{self.names['row']}", self.sheet)
        told = " · ".join(text for text in (self.row.label, asked.label) if text) or self.title
        for number, spot in enumerate(spots, asked.first):
            self.names[spot.kind] += 1
            name = f"{spot.kind}{self.names[spot.kind]}"
            if asked.name:
                name = asked.name if number == asked.first else f"{asked.name}/{number}"
            self._field(spot, x, y, name, f"{told} · {number}" if len(spots) > 1 else told)
        self.borne = True

    def turn(self) -> None:
        """The page is made: where it bears fields, they are tabbed through in their order."""
        if self.borne:
            page = self.document.Pages.pages[-1]
            page.__Defaults__ = {**page.__Defaults__, "Tabs": PDFName("S")}
            self.borne = False

    def close(self) -> None:
        """Enter the fields into the document."""
        if not self.sheets:
            return
        fonts = PDFDictionary({FONT: self._font()})
        self.document.Catalog.AcroForm = PDFDictionary(
            {
                "Fields": PDFArray([sheet.reference for sheet in self.sheets]),
                "DA": PDFString(_written(_MOST)),
                "DR": PDFDictionary({"Font": fonts}),
            }
        )

    def _field(self, spot: Spot, x: float, y: float, name: str, told: str) -> None:
        left, bottom = x + spot.x * MM, y + spot.y * MM
        wide, high = spot.width * MM, spot.height * MM
        corners = (left, bottom, left + wide, bottom + high)
        entries = {
            "Type": PDFName("Annot"),
            "Subtype": PDFName("Widget"),
            "Rect": PDFArray([round(side, 2) for side in corners]),
            "P": self.document.thisPageRef(),
            "F": _PRINTED,
            "T": PDFString(name),
            "TU": PDFString(told),
            "Parent": self.group.reference,
        }
        if spot.kind in ("box", "step"):
            states = {_TICKED: self._look(wide, high, ticked=True), _CLEAR: self._look(wide, high, ticked=False)}
            entries |= {
                "FT": PDFName("Btn"),
                "AS": PDFName(_CLEAR),
                "V": PDFName(_CLEAR),
                "AP": PDFDictionary({"N": PDFDictionary(states)}),
            }
        else:
            size, flags = _type(spot.kind, high)
            entries |= {"FT": PDFName("Tx"), "DA": PDFString(_written(size)), "Ff": flags}
        self.canvas._addAnnotation(PDFDictionary(entries), f"{self.group.path}.{name}")
        self.group.kids.sequence.append(self.document.refAnnotation(f"{self.group.path}.{name}"))

    def _look(self, wide: float, high: float, ticked: bool) -> Any:
        """A box of that size as a form of its own, crossed or empty; equal ones are one."""
        key = (round(wide * 100), round(high * 100), ticked)
        if key not in self.looks:
            body = b""
            if ticked:
                x, y, r = wide / 2, high / 2, _REACH * min(wide, high)
                strokes = "".join(f"{x - r:.2f} {y - s * r:.2f} m {x + r:.2f} {y + s * r:.2f} l " for s in (1, -1))
                body = f"0 G 1 J {_STROKE * min(wide, high):.2f} w {strokes}S".encode()
            head = f"/Type /XObject /Subtype /Form /BBox [0 0 {wide:.2f} {high:.2f}]"
            self.looks[key] = self.document.Reference(_Stream(head, body))
        return self.looks[key]

    def _font(self) -> Any:
        content = typecase("latin", "regular").font
        found = measures("regular")
        file = self.document.Reference(_Stream(f"/Length1 {len(content)}", content))
        descriptor = {
            "Type": PDFName("FontDescriptor"),
            "FontName": PDFName(FONT),
            "Flags": 32,
            "FontBBox": PDFArray(list(found.box)),
            "ItalicAngle": 0,
            "Ascent": found.ascent,
            "Descent": found.descent,
            "CapHeight": found.capital,
            "StemV": 80,
            "FontFile2": file,
        }
        letters = [bytes([code]).decode("cp1252", "ignore") for code in range(32, 256)]
        font = {
            "Type": PDFName("Font"),
            "Subtype": PDFName("TrueType"),
            "BaseFont": PDFName(FONT),
            "Encoding": PDFName("WinAnsiEncoding"),
            "FirstChar": 32,
            "LastChar": 255,
            "Widths": PDFArray(advances(letters, "regular")),
            "FontDescriptor": self.document.Reference(PDFDictionary(descriptor)),
        }
        return self.document.Reference(PDFDictionary(font))


class _Group:
    """A field that only holds others."""

    def __init__(self, document: Any, name: str, parent: _Group | None = None) -> None:
        self.kids = PDFArray([])
        self.path: str = f"{parent.path}.{name}" if parent else name
        entries = {"T": PDFString(name), "Kids": self.kids}
        if parent:
            entries["Parent"] = parent.reference
        self.reference: Any = document.Reference(PDFDictionary(entries))
        if parent:
            parent.kids.sequence.append(self.reference)


class _Stream(PDFObject):
    """A compressed stream with further entries in its head."""

    def __init__(self, head: str, body: bytes) -> None:
        self.head, self.body = head, body

    def format(self, document: Any) -> bytes:
        """The object as it stands in the file."""
        body = zlib.compress(self.body)
        head = f"{self.head} /Filter /FlateDecode /Length {len(body)}".encode()
        return b"<< %b >>\nstream\n%b\nendstream" % (head, body)


def _type(kind: str, high: float) -> tuple[float, int]:
    """The size of type in a field of that height, and whether there may be more than one line of it."""
    if kind == "room":
        return _NOTES, _MULTILINE
    if kind == "cell":
        return (_LEAST, _MULTILINE) if high >= 2 * _LEADING * _LEAST else (min(_NOTES, _SHARE * high), 0)
    return min(_MOST, _SHARE * high), 0


def _written(size: float) -> str:
    """How a text is set."""
    return f"/{FONT} {size:.3g} Tf 0 g"
