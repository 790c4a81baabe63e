"""What stands on finished pages, as a list of simple marks that any tool can draw again."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from math import sqrt
from typing import Any

import pypdfium2.raw as pdfium
from pypdfium2 import PdfDocument, PdfMatrix, PdfObject, PdfPage, PdfTextPage

Mark = dict[str, Any]
XY = tuple[float, float]
SYMBOL = 100.0
"""Forms and paths of many parts are symbols up to this size, in points: no sign is larger, and hardly a part of a map
as small."""
ASIS = PdfMatrix()


def pages(pdf: bytes) -> list[dict[str, Any]]:
    """For each page whether it lies on its long side, and its marks, in points from its upper left corner.

    A text has a place and a size; a line its points; a box and a shape are closed, with a fill or none. A curve is
    no more than its two ends. A drawn symbol, of however many parts, is one dot, as a form and as a path; what is
    larger, as the ground of a map that several pages share, is taken apart. Grids, hatchings and the like, which are
    large and many strokes in one, are left out, and so is what lies beside the page.
    """
    found = []
    with PdfDocument(pdf) as document:
        for page in document:
            width, height = page.get_size()
            marks = [mark for mark in _inside(page, page.get_textpage()) if _is_on(mark, width, height)]
            found.append({"landscape": width > height, "marks": marks})
    return found


def _inside(
    page: PdfPage, words: PdfTextPage, form: PdfObject | None = None, onto: PdfMatrix = ASIS
) -> Iterator[Mark]:
    """The marks of a page, or of the parts of a form, which `onto` puts where they stand on the page."""
    for item in page.get_objects(max_depth=1, form=form, textpage=words):
        matrix = item.get_matrix().multiply(onto)
        left, low, right, high = item.get_bounds()
        symbol = max(right - left, high - low) * sqrt(abs(onto.a * onto.d - onto.b * onto.c)) <= SYMBOL
        if item.type == pdfium.FPDF_PAGEOBJ_FORM and not symbol:
            yield from _inside(page, words, item, matrix)
        else:
            yield from _marks(item, matrix, page.get_height(), symbol)


def _is_on(mark: Mark, width: float, height: float) -> bool:
    """Whether some of it may lie on the page."""
    points: list[XY] = mark.get("points") or [mark["at"]]
    xs, ys = zip(*points, strict=True)
    return bool(max(xs) >= 0 and min(xs) <= width and max(ys) >= 0 and min(ys) <= height)


def _marks(item: PdfObject, matrix: PdfMatrix, height: float, symbol: bool) -> Iterator[Mark]:
    def there(x: float, y: float) -> XY:
        at = matrix.on_point(x, y)
        return round(at[0], 2), round(height - at[1], 2)

    if item.type == pdfium.FPDF_PAGEOBJ_TEXT:
        if text := item.extract().strip():
            yield {"kind": "text", "at": there(0, 0), "size": item.get_font_size() * abs(matrix.d), "text": text}
    elif item.type == pdfium.FPDF_PAGEOBJ_FORM:
        yield {"kind": "dot", "at": there(0, 0)}
    elif item.type == pdfium.FPDF_PAGEOBJ_PATH:
        ways, fill = _ways(item), _fill(item)
        if len(ways) == 1:
            way = [there(*point) for point in ways[0]]
            closed = fill is not None or way[0] == way[-1]
            kind = "line" if not closed else "box" if _upright(way) else "shape"
            yield {"kind": kind, "points": way, "fill": fill}
        elif ways and symbol:
            yield {"kind": "dot", "at": there(*ways[0][0])}


def _fill(item: Any) -> str | None:
    """The colour a path is filled with, as `#rrggbb`."""
    mode, stroked = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(item, ctypes.byref(mode), ctypes.byref(stroked))
    if mode.value == pdfium.FPDF_FILLMODE_NONE:
        return None
    parts = [ctypes.c_uint() for _ in range(4)]
    pdfium.FPDFPageObj_GetFillColor(item, *(ctypes.byref(part) for part in parts))
    return "#" + "".join(f"{part.value:02x}" for part in parts[:3])


def _ways(item: Any) -> list[list[XY]]:
    """The points of each way of a path, the first one again where it is closed; ways of one point are none."""
    ways: list[list[XY]] = []
    x, y = ctypes.c_float(), ctypes.c_float()
    bends = 0
    for number in range(pdfium.FPDFPath_CountSegments(item)):
        segment = pdfium.FPDFPath_GetPathSegment(item, number)
        pdfium.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            ways.append([])
        # A curve is two points that steer it, then its end.
        bends = (bends + 1) % 3 if kind == pdfium.FPDF_SEGMENT_BEZIERTO else 0
        if not bends:
            ways[-1].append((x.value, y.value))
        if pdfium.FPDFPathSegment_GetClose(segment):
            ways[-1].append(ways[-1][0])
    return [way for way in ways if len(way) > 1]


def _upright(way: list[XY]) -> bool:
    """Whether it is a rectangle with upright sides."""
    xs, ys = ({point[axis] for point in way} for axis in (0, 1))
    return len(set(way)) == 4 and len(xs) == len(ys) == 2
