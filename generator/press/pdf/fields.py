"""Fields of a fillable print: an empty one over everything that is ticked or written in."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from typing import Any, Literal

import msgspec
from msgspec import Struct
from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFObject, PDFString

from generator.press.pdf.canvas import Canvas
from generator.press.pdf.glyphs import advances, measures
from generator.press.pdf.typecase import typecase
from generator.press.pdf.units import MM

# They are not ReportLab's, which bring a Helvetica and a ZapfDingbats that are not embedded: a tick is drawn, and
# what is typed is set in our own Latin font. If Japanese is typed, the viewer takes a font of its own.


class Spot(msgspec.Struct, frozen=True):
    """A rectangle to tick (box, step) or to write in (line, room, cell), on its picture."""

    kind: Literal["box", "step", "line", "room", "cell"]
    x: float
    y: float
    width: float
    height: float


FONT = "MusterForm"
"""Our Latin font, whole: a viewer may set any text in it."""
_ON, _OFF = "On", "Off"
_PRINTED = 4
"""An annotation's flag: it is printed too."""
_MULTILINE = 1 << 12
_MIN_SIZE, _NOTES_SIZE, _MAX_SIZE = 7.0, 9.0, 11.0
"""The sizes of type that are written in, in points: in cells of two lines, in rooms and other cells, on lines."""
_SHARE = 0.55
"""The size of type as a share of a line's height."""
_LEADING = 1.25
_STROKE, _REACH = 0.12, 0.3
"""A cross's width, and how far it reaches from the middle, as shares of its box."""


class FieldRow(Struct, frozen=True, eq=False):
    """What belongs together, and what it is called: a row of a table."""

    label: str = ""


class FieldInfo(Struct, frozen=True):
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

    def __init__(self, canvas: Canvas) -> None:
        self.canvas, self.document = canvas, canvas.file.document
        self.sheets: list[_Group] = []
        self.numbers: Counter[str] = Counter()
        self.appearances: dict[tuple[int, int, bool], Any] = {}
        self.page_has_fields = False
        """Whether the page in the making bears fields."""

    def begin_sheet(self, part: str, title: str, tail: str = "") -> None:
        """Begin the next sheet: the part it belongs to, and what it is called; a tail parts two languages."""
        self.numbers[part + tail] += 1
        self.sheet = _Group(self.document, re.sub("[^A-Za-z0-9]", "", part) + f"{self.numbers[part + tail]}{tail}")
        self.title, self.row = title, FieldRow()
        self.names: Counter[str] = Counter()

    def add(self, spots: tuple[Spot, ...], x: float, y: float, info: FieldInfo) -> None:
        """Lay fields over the spots of a picture whose lower left corner is at (x, y), in points of the page.

        Spots that stand in no row are a row of their own.
        """
        if not spots:
            return
        if info.row is None or info.row is not self.row:
            self.row = info.row or FieldRow()
            self.names = Counter({"row": self.names["row"] + 1})
            if not self.sheet.kids.sequence:
                self.sheets.append(self.sheet)
            self.group = _Group(self.document, f"row{self.names['row']}", self.sheet)
        description = " · ".join(text for text in (self.row.label, info.label) if text) or self.title
        for number, spot in enumerate(spots, info.first):
            self.names[spot.kind] += 1
            name = f"{spot.kind}{self.names[spot.kind]}"
            if info.name:
                name = info.name if number == info.first else f"{info.name}/{number}"
            self._field(spot, x, y, name, f"{description} · {number}" if len(spots) > 1 else description)
        self.page_has_fields = True

    def end_page(self) -> None:
        """The page is made: where it bears fields, they are tabbed through in their order."""
        if self.page_has_fields:
            page = self.document.Pages.pages[-1]
            page.__Defaults__ = {**page.__Defaults__, "Tabs": PDFName("S")}
            self.page_has_fields = False

    def close(self) -> None:
        """Enter the fields into the document."""
        if not self.sheets:
            return
        fonts = PDFDictionary({FONT: self._font()})
        self.document.Catalog.AcroForm = PDFDictionary(
            {
                "Fields": PDFArray([sheet.reference for sheet in self.sheets]),
                "DA": PDFString(_default_appearance(_MAX_SIZE)),
                "DR": PDFDictionary({"Font": fonts}),
            }
        )

    def _field(self, spot: Spot, x: float, y: float, name: str, description: str) -> None:
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
            "TU": PDFString(description),
            "Parent": self.group.reference,
        }
        if spot.kind in ("box", "step"):
            states = {
                _ON: self._appearance(wide, high, ticked=True),
                _OFF: self._appearance(wide, high, ticked=False),
            }
            entries |= {
                "FT": PDFName("Btn"),
                "AS": PDFName(_OFF),
                "V": PDFName(_OFF),
                "AP": PDFDictionary({"N": PDFDictionary(states)}),
            }
        else:
            size, flags = _type_size(spot.kind, high)
            entries |= {"FT": PDFName("Tx"), "DA": PDFString(_default_appearance(size)), "Ff": flags}
        annotation = self.canvas.annotate(f"{self.group.path}.{name}", PDFDictionary(entries))
        self.group.kids.sequence.append(annotation)

    def _appearance(self, wide: float, high: float, ticked: bool) -> Any:
        """A box of that size as a form of its own, crossed or empty; equal ones are one."""
        key = (round(wide * 100), round(high * 100), ticked)
        if key not in self.appearances:
            body = b""
            if ticked:
                x, y, r = wide / 2, high / 2, _REACH * min(wide, high)
                strokes = "".join(f"{x - r:.2f} {y - s * r:.2f} m {x + r:.2f} {y + s * r:.2f} l " for s in (1, -1))
                body = f"0 G 1 J {_STROKE * min(wide, high):.2f} w {strokes}S".encode()
            head = f"/Type /XObject /Subtype /Form /BBox [0 0 {wide:.2f} {high:.2f}]"
            self.appearances[key] = self.document.Reference(_Stream(head, body))
        return self.appearances[key]

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


def _type_size(kind: str, high: float) -> tuple[float, int]:
    """The size of type in a field of that height, and whether there may be more than one line of it."""
    if kind == "room":
        return _NOTES_SIZE, _MULTILINE
    if kind == "cell":
        return (_MIN_SIZE, _MULTILINE) if high >= 2 * _LEADING * _MIN_SIZE else (min(_NOTES_SIZE, _SHARE * high), 0)
    return min(_MAX_SIZE, _SHARE * high), 0


def _default_appearance(size: float) -> str:
    """How a text is set."""
    return f"/{FONT} {size:.3g} Tf 0 g"
