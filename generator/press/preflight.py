"""What a printer would complain of, read back from the finished PDF.

Only pdfium reads it, through its plain C interface: a whole kit is looked over in a fraction of the time that
it took to print.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from math import hypot

import pypdfium2.raw as pdfium

from generator.errors import Problem
from generator.model.words import Lang
from generator.press.canvas import MM
from generator.press.pages import paper_named
from generator.press.styles import LEAST

UNPRINTED = 6.35 * MM
"""What many printers leave white along every edge."""

_BIT = 0.01
_LETTERS = {"ja": ("\u3041", "\u9fff"), "en": ("A", "z")}
Box = tuple[float, float, float, float]


def preflight(pdf: bytes, paper: str, lang: Lang) -> list[Problem]:
    """Everything that is not in order: sizes, edges, fonts, characters, texts that overlap, the language."""
    document = pdfium.FPDF_LoadMemDocument64(pdf, len(pdf), None)
    if not document:
        return [Problem("cannot be read as a PDF", "kit.pdf")]
    try:
        sizes = {paper_named(paper).size(landscape) for landscape in (False, True)}
        problems: list[Problem] = []
        letters = 0
        for number in range(pdfium.FPDF_GetPageCount(document)):
            page = pdfium.FPDF_LoadPage(document, number)
            try:
                text = _text(page)
                letters += sum(_LETTERS[lang][0] <= c <= _LETTERS[lang][1] for c in text)
                faults = [*_size(page, sizes), *_characters(text), *_objects(page)]
            finally:
                pdfium.FPDF_ClosePage(page)
            problems += [Problem(f"page {number + 1}: {fault}", "kit.pdf") for fault in faults]
        problems += [
            Problem(f"the font {name.decode()} is not embedded", "kit.pdf")
            for name in sorted(set(re.findall(rb"/BaseFont\s*/([^\s/<>\[\]]+)", pdf)))
            if not re.match(rb"[A-Z]{6}\+", name)
        ]
        if not letters:
            problems.append(Problem(f"no text in the language it is said to be in ({lang})", "kit.pdf"))
        return problems
    finally:
        pdfium.FPDF_CloseDocument(document)


def _size(page: object, sizes: set[tuple[float, float]]) -> Iterator[str]:
    width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    if not any(abs(width - w) < 0.002 and abs(height - h) < 0.002 for w, h in sizes):
        yield f"is {width:.3f} × {height:.3f} pt large"


def _text(page: object) -> str:
    textpage = pdfium.FPDFText_LoadPage(page)
    try:
        count = pdfium.FPDFText_CountChars(textpage)
        buffer = (ctypes.c_ushort * (count + 1))()
        pdfium.FPDFText_GetText(textpage, 0, count, buffer)
        return bytes(buffer)[: 2 * count].decode("utf-16-le", "replace")
    finally:
        pdfium.FPDFText_ClosePage(textpage)


def _characters(text: str) -> Iterator[str]:
    strange = sorted({c for c in text if c in "\ufffd\ufffe\uffff" or (c < " " and c not in "\r\n\t\0\2")})
    if strange:
        yield "unreadable characters " + ", ".join(f"U+{ord(c):04X}" for c in strange)


def _objects(page: object) -> Iterator[str]:
    """Faults of what is drawn on the page: beyond the edge, in a font not embedded, in type too small."""
    width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    bounds = [ctypes.byref(side) for side in (left, bottom, right, top)]
    fonts: dict[int, bool] = {}
    texts: list[Box] = []
    outside = small = 0
    for index in range(pdfium.FPDFPage_CountObjects(page)):
        item = pdfium.FPDFPage_GetObject(page, index)
        pdfium.FPDFPageObj_GetBounds(item, *bounds)
        kind = pdfium.FPDFPageObj_GetType(item)
        # pdfium widens a stroke's bounds on every side, even beyond ends that are cut off square.
        slack = _half_stroke(item) if kind == pdfium.FPDF_PAGEOBJ_PATH else 0.0
        box = (left.value + slack, bottom.value + slack, right.value - slack, top.value - slack)
        if box[0] < UNPRINTED or box[1] < UNPRINTED or box[2] > width - UNPRINTED or box[3] > height - UNPRINTED:
            outside += 1
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            texts.append(box)
            small += _type_size(item) < LEAST - _BIT
            font = pdfium.FPDFTextObj_GetFont(item)
            fonts[ctypes.addressof(font.contents)] = bool(pdfium.FPDFFont_GetIsEmbedded(font))
    if outside:
        yield f"{outside} things reach into the outer {UNPRINTED / MM} mm, which many printers leave white"
    if small:
        yield f"{small} texts are set smaller than {LEAST:g} pt"
    if not all(fonts.values()):
        yield "a font is not embedded"
    if clashes := _overlaps(texts):
        yield f"{clashes} texts lie over one another"


def _type_size(item: object) -> float:
    """The size of a text as it stands on the page, in points."""
    size, matrix = ctypes.c_float(), pdfium.FS_MATRIX()
    pdfium.FPDFTextObj_GetFontSize(item, ctypes.byref(size))
    pdfium.FPDFPageObj_GetMatrix(item, ctypes.byref(matrix))
    return size.value * hypot(matrix.c, matrix.d)


def _half_stroke(item: object) -> float:
    """Half the width of a path's stroke in points."""
    width = ctypes.c_float()
    return width.value / 2 if pdfium.FPDFPageObj_GetStrokeWidth(item, ctypes.byref(width)) else 0.0


def _overlaps(boxes: list[Box]) -> int:
    """How many texts cover at least a quarter of another's smaller box; boxes sorted by their left sides."""
    found = 0
    open_: list[Box] = []
    for box in sorted(boxes):
        open_ = [other for other in open_ if other[2] > box[0]]
        for other in open_:
            if box[1] >= other[3] or box[3] <= other[1]:
                continue
            wide = min(box[2], other[2]) - box[0]
            high = min(box[3], other[3]) - max(box[1], other[1])
            smaller = min((b[2] - b[0]) * (b[3] - b[1]) for b in (box, other))
            if 0 < 0.25 * smaller <= wide * high:
                found += 1
        open_.append(box)
    return found
