"""What a printer would complain of, read back from the finished PDF.

Only pdfium reads it, through its plain C interface: a whole kit is looked over in a fraction of the time that
it took to print.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import hypot
from typing import Any

import pypdfium2.raw as pdfium

from generator.errors import Problem
from generator.model.words import Lang
from generator.press.canvas import MM
from generator.press.paper.pages import paper_named, papers
from generator.press.type.styles import LEAST

UNPRINTED = 6.35 * MM
"""What many printers leave white along every edge."""
CLIPPED = 0.5
"""By how much, in points, a text may reach beyond what its clipping shows."""

_BIT = 0.01
_TOLD, _LONG = 3, 40
"""How many texts a fault names, and how many characters of each."""
_LETTERS = {"ja": ("\u3041", "\u9fff"), "en": ("A", "z")}
Box = tuple[float, float, float, float]
"""Left, bottom, right, top, in points."""


def preflight(
    pdf: bytes, paper: str | None, lang: Lang | None, name: str = "kit.pdf", grown: float = 1.0
) -> list[Problem]:
    """Everything that is not in order, by page and text: sizes, boxes, edges, fonts, characters, type, overlaps.

    Without a paper every page may have the size of any paper; without a language none is looked for. Pages that
    make up for a printer have `grown` so many times: their smallest type too.
    """
    document = pdfium.FPDF_LoadMemDocument64(pdf, len(pdf), None)
    if not document:
        return [Problem("cannot be read as a PDF", name)]
    try:
        known = [paper_named(paper)] if paper else papers().values()
        sizes = {of.size(landscape) for of in known for landscape in (False, True)}
        problems: list[Problem] = []
        letters = 0
        for number in range(pdfium.FPDF_GetPageCount(document)):
            page = pdfium.FPDF_LoadPage(document, number)
            textpage = pdfium.FPDFText_LoadPage(page)
            try:
                text = _text(textpage)
                letters += lang is not None and sum(_LETTERS[lang][0] <= c <= _LETTERS[lang][1] for c in text)
                faults = [
                    *_size(page, sizes),
                    *_boxes(page),
                    *_characters(text),
                    *_objects(page, textpage, LEAST * grown),
                ]
            finally:
                pdfium.FPDFText_ClosePage(textpage)
                pdfium.FPDF_ClosePage(page)
            problems += [Problem(f"page {number + 1}: {fault}", name) for fault in faults]
        # Fonts that are embedded whole, for fields to be filled in, bear no tag of six letters.
        descriptors = re.finditer(rb"<<[^<>]*/FontName\s*/([^\s/<>\[\]]+)[^<>]*>>", pdf)
        whole = {found[1] for found in descriptors if b"/FontFile" in found[0]}
        problems += [
            Problem(f"the font {font.decode()} is not embedded", name)
            for font in sorted(set(re.findall(rb"/BaseFont\s*/([^\s/<>\[\]]+)", pdf)) - whole)
            if not re.match(rb"[A-Z]{6}\+", font)
        ]
        if lang and not letters:
            problems.append(Problem(f"no text in the language it is said to be in ({lang})", name))
        return problems
    finally:
        pdfium.FPDF_CloseDocument(document)


def _size(page: Any, sizes: set[tuple[float, float]]) -> Iterator[str]:
    width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    if not any(abs(width - w) < 0.002 and abs(height - h) < 0.002 for w, h in sizes):
        yield f"is {width:.3f} × {height:.3f} pt large"


def _boxes(page: Any) -> Iterator[str]:
    """The trim must lie inside the bleed, and this inside the paper."""
    outer = _box(page, pdfium.FPDFPage_GetMediaBox)
    if not outer:
        return
    for of, name in ((pdfium.FPDFPage_GetBleedBox, "bleed"), (pdfium.FPDFPage_GetTrimBox, "trim")):
        inner = _box(page, of)
        if inner and not _inside(inner, outer):
            yield f"its {name} box lies outside the box around it"
        outer = inner or outer


def _box(page: Any, of: Callable[..., int]) -> Box | None:
    sides = [ctypes.c_float() for _ in range(4)]
    if not of(page, *(ctypes.byref(side) for side in sides)):
        return None
    left, bottom, right, top = (side.value for side in sides)
    return left, bottom, right, top


def _inside(box: Box, other: Box, slack: float = _BIT) -> bool:
    return (
        box[0] >= other[0] - slack
        and box[1] >= other[1] - slack
        and box[2] <= other[2] + slack
        and box[3] <= other[3] + slack
    )


def _text(textpage: Any) -> str:
    count = pdfium.FPDFText_CountChars(textpage)
    buffer = (ctypes.c_ushort * (count + 1))()
    pdfium.FPDFText_GetText(textpage, 0, count, buffer)
    return bytes(buffer)[: 2 * count].decode("utf-16-le", "replace")


def _characters(text: str) -> Iterator[str]:
    # PDFium tells a hyphen at the end of a line as U+0002, or as U+FFFE where the next line goes on with a word.
    strange = sorted({c for c in text if c in "\ufffd\uffff" or (c < " " and c not in "\r\n\t\0\2")})
    if strange:
        yield "unreadable characters " + ", ".join(f"U+{ord(c):04X}" for c in strange)


@dataclass(frozen=True)
class _Written:
    """A text on the page."""

    box: Box
    item: Any


def _objects(page: Any, textpage: Any, least: float) -> Iterator[str]:
    """Faults of what is drawn: beyond the edge, in a font not embedded, too small, clipped, over one another."""
    width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    paper = (UNPRINTED, UNPRINTED, width - UNPRINTED, height - UNPRINTED)
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    bounds = [ctypes.byref(side) for side in (left, bottom, right, top)]
    fonts: dict[int, bool] = {}
    texts: list[_Written] = []
    outside: list[Any] = []
    small: list[Any] = []
    clipped: list[Any] = []
    for item in _drawn(page):
        pdfium.FPDFPageObj_GetBounds(item, *bounds)
        kind = pdfium.FPDFPageObj_GetType(item)
        # pdfium widens a stroke's bounds on every side, even beyond ends that are cut off square.
        slack = _half_stroke(item) if kind == pdfium.FPDF_PAGEOBJ_PATH else 0.0
        box = (left.value + slack, bottom.value + slack, right.value - slack, top.value - slack)
        if not _inside(box, paper, 0.0) and _beyond(item, kind, paper):
            outside.append(item)
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            texts.append(_Written(box, item))
            if _type_size(item) < least - _BIT:
                small.append(item)
            if (shown := _clip(item)) and not _inside(box, shown, CLIPPED):
                clipped.append(item)
        _note_fonts(item, kind, fonts)

    def told(items: list[Any]) -> str:
        """The first few of them by their text."""
        found = [text for item in items if (text := _item_text(item, textpage))]
        return "".join(f" “{text}”" for text in dict.fromkeys(found[:_TOLD]))

    if outside:
        edge = f"the outer {UNPRINTED / MM} mm, which many printers leave white"
        yield f"{len(outside)} things reach into {edge}{_colon(told(outside))}"
    if small:
        yield f"{len(small)} texts are set smaller than {least:g} pt{_colon(told(small))}"
    if clipped:
        yield f"{len(clipped)} texts are clipped{_colon(told(clipped))}"
    if not all(fonts.values()):
        yield "a font is not embedded"
    if clashes := _overlaps(texts):
        both = [item for pair in clashes for item in pair]
        yield f"{len(clashes)} texts lie over one another{_colon(told(both))}"


def _drawn(page: Any) -> Iterator[Any]:
    """What is drawn on the page, and in a form that stands on it as it is: the body of a page that comes again."""
    for index in range(pdfium.FPDFPage_CountObjects(page)):
        item = pdfium.FPDFPage_GetObject(page, index)
        if pdfium.FPDFPageObj_GetType(item) == pdfium.FPDF_PAGEOBJ_FORM and _stays(item):
            for inner in range(pdfium.FPDFFormObj_CountObjects(item)):
                yield pdfium.FPDFFormObj_GetObject(item, inner)
        else:
            yield item


def _stays(item: Any) -> bool:
    """Whether an object is neither moved nor scaled nor turned."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(item, ctypes.byref(matrix))
    return (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f) == (1, 0, 0, 1, 0, 0)


def _beyond(item: Any, kind: int, paper: Box) -> bool:
    """Whether what has such bounds does reach beyond the box: it may be clipped, or its bends taken for spikes."""
    if (shown := _clip(item)) and _inside(shown, paper, 0.0):
        return False
    if kind != pdfium.FPDF_PAGEOBJ_PATH:
        return True
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(item, ctypes.byref(matrix))
    ways = ((matrix.a, matrix.c, matrix.e), (matrix.b, matrix.d, matrix.f))
    points = _points(pdfium.FPDFPath_GetPathSegment, pdfium.FPDFPath_CountSegments(item), item)
    xs, ys = ([p * x + q * y + r for x, y in points] for p, q, r in ways)
    half = _half_stroke(item)
    return not _inside((min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half), paper, 0.0)


def _colon(told: str) -> str:
    return f":{told}" if told else ""


def _item_text(item: Any, textpage: Any) -> str:
    """What a text says; empty for anything else."""
    if pdfium.FPDFPageObj_GetType(item) != pdfium.FPDF_PAGEOBJ_TEXT:
        return ""
    length = pdfium.FPDFTextObj_GetText(item, textpage, None, 0)
    buffer = (ctypes.c_ushort * (length // 2 + 1))()
    pdfium.FPDFTextObj_GetText(item, textpage, buffer, length)
    return bytes(buffer)[:length].decode("utf-16-le", "replace").strip("\0\r\n ")[:_LONG]


def _note_fonts(item: Any, kind: int, fonts: dict[int, bool]) -> None:
    """Whether each font is embedded, those inside repeated drawings too."""
    if kind == pdfium.FPDF_PAGEOBJ_TEXT:
        font = pdfium.FPDFTextObj_GetFont(item)
        address = ctypes.addressof(font.contents)
        if address not in fonts:
            fonts[address] = bool(pdfium.FPDFFont_GetIsEmbedded(font))
    elif kind == pdfium.FPDF_PAGEOBJ_FORM:
        for index in range(pdfium.FPDFFormObj_CountObjects(item)):
            inner = pdfium.FPDFFormObj_GetObject(item, index)
            _note_fonts(inner, pdfium.FPDFPageObj_GetType(inner), fonts)


def _type_size(item: Any) -> float:
    """The size of a text as it stands on the page, in points."""
    size = ctypes.c_float()
    pdfium.FPDFTextObj_GetFontSize(item, ctypes.byref(size))
    return size.value * _scale(item)


def _half_stroke(item: Any) -> float:
    """Half the width of a path's stroke as it stands on the page, in points."""
    width = ctypes.c_float()
    if not pdfium.FPDFPageObj_GetStrokeWidth(item, ctypes.byref(width)):
        return 0.0
    return width.value * _scale(item) / 2


def _scale(item: Any) -> float:
    """By how much an upright length grows on the page."""
    matrix = pdfium.FS_MATRIX()
    return hypot(matrix.c, matrix.d) if pdfium.FPDFPageObj_GetMatrix(item, ctypes.byref(matrix)) else 1.0


def _clip(item: Any) -> Box | None:
    """The box to which an object is clipped; None where it is not."""
    clip = pdfium.FPDFPageObj_GetClipPath(item)
    count = pdfium.FPDFClipPath_CountPaths(clip) if clip else 0
    boxes = [box for path in range(max(count, 0)) if (box := _path_box(clip, path))]
    if not boxes:
        return None
    return (
        max(box[0] for box in boxes),
        max(box[1] for box in boxes),
        min(box[2] for box in boxes),
        min(box[3] for box in boxes),
    )


def _path_box(clip: Any, path: int) -> Box | None:
    points = _points(
        pdfium.FPDFClipPath_GetPathSegment, pdfium.FPDFClipPath_CountPathSegments(clip, path), clip, path
    )
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (min(xs), min(ys), max(xs), max(ys)) if points else None


def _points(segment: Callable[..., Any], count: int, *of: Any) -> list[tuple[float, float]]:
    """The points of a path, those that steer its curves too."""
    found = []
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(count):
        if pdfium.FPDFPathSegment_GetPoint(segment(*of, index), ctypes.byref(x), ctypes.byref(y)):
            found.append((x.value, y.value))
    return found


def _overlaps(texts: list[_Written]) -> list[tuple[Any, Any]]:
    """The pairs of texts that cover at least a quarter of the smaller one's box."""
    found = []
    open_: list[_Written] = []
    for text in sorted(texts, key=lambda text: text.box):
        box = text.box
        open_ = [other for other in open_ if other.box[2] > box[0]]
        for other in open_:
            there = other.box
            if box[1] >= there[3] or box[3] <= there[1]:
                continue
            wide = min(box[2], there[2]) - box[0]
            high = min(box[3], there[3]) - max(box[1], there[1])
            smaller = min((b[2] - b[0]) * (b[3] - b[1]) for b in (box, there))
            if 0 < 0.25 * smaller <= wide * high:
                found.append((other.item, text.item))
        open_.append(text)
    return found
