"""Add form fields to fillable prints: an empty field for every box to tick and every line to write on."""

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

# ReportLab's own form fields use Helvetica and ZapfDingbats, which are not embedded. The fields made here draw ticks
# as lines and use the embedded Latin font for text. Viewers use their own fonts for Japanese text.


class Spot(msgspec.Struct, frozen=True):
    """A rectangle on a picture, in mm, in which to tick (`box`, `step`) or write (`line`, `room`, `cell`)."""

    kind: Literal["box", "step", "line", "room", "cell"]
    x: float
    y: float
    width: float
    height: float


FONT = "MusterForm"
"""Name of the complete Latin font in the file. The font is complete because users may type any letter."""
_ON, _OFF = "On", "Off"
_PRINTED = 4
"""Annotation flag that makes a field appear in print."""
_MULTILINE = 1 << 12
"""Flag of a text field with several lines."""
_MIN_SIZE, _NOTES_SIZE, _MAX_SIZE = 7.0, 9.0, 11.0
"""Type sizes in points: in cells with two lines, in writing boxes and other cells, and the maximum on lines."""
_SHARE = 0.55
"""Type size as a fraction of a line's height."""
_LEADING = 1.25
"""Distance between baselines as a multiple of the type size."""
_STROKE, _REACH = 0.12, 0.3
"""Line width of the cross in a ticked box, and half the extent of the cross, as fractions of the box's side."""


class FieldRow(Struct, frozen=True, eq=False):
    """Fields that belong together, such as those of a table row, with a common label."""

    label: str = ""


class FieldInfo(Struct, frozen=True):
    """Properties of the fields on one mark, such as their form, row, label and name."""

    form: Form | None = None
    row: FieldRow | None = None
    label: str = ""
    first: int = 1
    name: str = ""
    """Name under which the value of the field is read back. If empty, the name consists of the kind and a number."""


class Form:
    """The form fields of a document in reading order.

    The name of a field consists of sheet, row and kind, each with a number, for example `records1.row3.box2`. A name
    given in the template replaces the kind. If that name applies to several spots, all except the first have a
    number after it.
    """

    def __init__(self, canvas: Canvas) -> None:
        self.canvas, self.document = canvas, canvas.file.document
        self.sheets: list[_Group] = []
        self.numbers: Counter[str] = Counter()
        self.appearances: dict[tuple[int, int, bool], Any] = {}

    def begin_sheet(self, part: str, title: str, tail: str = "") -> None:
        """Begin the next sheet of a part. `tail` is appended to field names to distinguish the two languages."""
        self.numbers[part + tail] += 1
        self.sheet = _Group(self.document, re.sub("[^A-Za-z0-9]", "", part) + f"{self.numbers[part + tail]}{tail}")
        self.title, self.row = title, FieldRow()
        self.names: Counter[str] = Counter()

    def add(self, spots: tuple[Spot, ...], x: float, y: float, info: FieldInfo) -> None:
        """Add fields for the spots of a picture whose lower left corner is at (x, y) points on the page.

        Spots without a row get their own row.
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

    def close(self) -> None:
        """Add the form to the document, unless the form has no fields."""
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
        with self.canvas.tags.element("Form"):
            annotation = self.canvas.annotate(f"{self.group.path}.{name}", PDFDictionary(entries))
        self.group.kids.sequence.append(annotation)

    def _appearance(self, wide: float, high: float, ticked: bool) -> Any:
        """Return the form XObject that draws a box of this size, either ticked or empty.

        Equal boxes share one object.
        """
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
    """A form field that only groups other fields."""

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
    """A compressed PDF stream with additional dictionary entries."""

    def __init__(self, head: str, body: bytes) -> None:
        self.head, self.body = head, body

    def format(self, document: Any) -> bytes:
        """Return the object as bytes for the file."""
        body = zlib.compress(self.body)
        head = f"{self.head} /Filter /FlateDecode /Length {len(body)}".encode()
        return b"<< %b >>\nstream\n%b\nendstream" % (head, body)


def _type_size(kind: str, high: float) -> tuple[float, int]:
    """Return the type size in points for a field of this kind and height, and the flag for multi-line text or 0."""
    if kind == "room":
        return _NOTES_SIZE, _MULTILINE
    if kind == "cell":
        return (_MIN_SIZE, _MULTILINE) if high >= 2 * _LEADING * _MIN_SIZE else (min(_NOTES_SIZE, _SHARE * high), 0)
    return min(_MAX_SIZE, _SHARE * high), 0


def _default_appearance(size: float) -> str:
    """Return the default appearance string of a field for this type size."""
    return f"/{FONT} {size:.3g} Tf 0 g"
