"""The fields of a fillable edition: an empty one over everything that is ticked or written in.

Written by hand rather than with ReportLab's, whose fields bring Helvetica and ZapfDingbats, not embedded: ticks are
drawn, and what is typed is set in our own Latin font. Japanese that is typed is shown in a font of the viewer's.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from dataclasses import dataclass
from typing import Any

from reportlab.pdfbase import pdfdoc
from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFString

from generator.model.words import Lang
from generator.press.canvas import MM
from generator.press.fonts import NoGlyphError
from generator.press.glyphs import Descriptor, descriptor, glyph
from generator.press.marks import Spot
from generator.press.typefounding import font_file

FONT = "MusterLatin-Regular"
_KEY = "Muster"
_TICKED = "On"
_PRINTED = 4
"""An annotation's flag: it is printed too."""
_MULTILINE = 1 << 12
_LEAST, _MOST = 7.0, 11.0
"""The sizes of type in which is written, in points."""
_SHARE = 0.55
"""The size of type as a share of a line's height."""
_STROKE = 0.13
"""The width of a cross's strokes as a share of its box."""


@dataclass(frozen=True, eq=False)
class Row:
    """What belongs together, and what it is called: a row of a table."""

    label: str = ""


class Form:
    """The fields of a document, in the order in which they are drawn: that of reading."""

    def __init__(self, canvas: Any) -> None:
        self.canvas, self.document = canvas, canvas._doc
        self.sheets: list[Any] = []
        self.pages: set[int] = set()
        self.looks: dict[tuple[int, int], tuple[Any, Any]] = {}
        self.counts: Counter[str] = Counter()
        self.title = ""
        self.row: Row | None = None

    def open(self, part: str, title: str, also: Lang | None = None) -> None:
        """Begin the next sheet; its name is its part's with its number, and the language where there are two."""
        tail = f"-{also}" if also else ""
        name = re.sub("[^A-Za-z0-9]", "", part) or "sheet"
        self.counts[name + tail] += 1
        self.sheet = self._group(f"{name}{self.counts[name + tail]}{tail}", None)
        self.title, self.row = title, None
        self.rows = 0

    def add(self, spots: tuple[Spot, ...], x: float, y: float, row: Row | None, label: str) -> None:
        """Lay fields over the spots of a picture whose lower left corner is at (x, y), in points of the page.

        Spots without a row are a row of their own.
        """
        if row is None or row is not self.row:
            self.rows += 1
            self.group = self._group(f"row{self.rows}", self.sheet)
            self.names: Counter[str] = Counter()
            self.row = row
        told = " · ".join(text for text in (row.label if row else "", label) if text) or self.title
        for number, spot in enumerate(spots, 1):
            self.names[spot.kind] += 1
            name = f"{spot.kind}{self.names[spot.kind]}"
            self._field(spot, x, y, name, f"{told} {number}" if len(spots) > 1 else told)

    def close(self) -> None:
        """Enter the fields into the document; the pages that bear some are tabbed through in their order."""
        if not self.sheets:
            return
        form = {
            "Fields": PDFArray([reference for reference, kids in self.sheets if kids]),
            "DA": PDFString(f"/{_KEY} {_LEAST:g} Tf 0 g"),
            "DR": PDFDictionary({"Font": PDFDictionary({_KEY: self._font()})}),
        }
        self.document.Catalog.AcroForm = PDFDictionary(form)
        for number, page in enumerate(self.document.Pages.pages, 1):
            if number in self.pages:
                page.__Defaults__ = {**page.__Defaults__, "Tabs": PDFName("S")}
