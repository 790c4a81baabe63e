"""Read the objects of a page with PDFium: their texts, boxes, clipping paths and opaque areas."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from math import hypot
from struct import Struct
from typing import Any

import pypdfium2_raw as pdfium

from generator.press.check.ink import addresses, fast_pdfium

TOLERANCE = 0.01
"""Differences up to this length in points are ignored."""
_MAX_TEXT_LENGTH = 40
"""Maximum number of characters of a text that problems quote."""
Box = tuple[float, float, float, float]
"""Left, bottom, right and top in points."""
Matrix = tuple[float, float, float, float, float, float]
"""The six numbers of a PDF matrix, which maps (x, y) to (ax + cy + e, bx + dy + f)."""
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_FOUND, _SIDES = (ctypes.c_float * 6)(), (ctypes.c_float * 4)()
"""Buffers that PDFium fills. They are shared, because thousands of objects are read one at a time."""
_FOUND_AT, _SIDES_AT = ctypes.addressof(_FOUND), addresses(_SIDES)
_SIX, _FOUR = Struct("6f"), Struct("4f")
_INVISIBLE_MODES = (pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP)
"""Rendering modes of text that is not visible."""


def is_inside(box: Box, other: Box, slack: float = TOLERANCE) -> bool:
    """Return whether a box is inside another box or extends beyond it by at most `slack` points."""
    return (
        box[0] >= other[0] - slack
        and box[1] >= other[1] - slack
        and box[2] <= other[2] + slack
        and box[3] <= other[3] + slack
    )


def page_text(textpage: Any) -> str:
    """Return all characters on a page."""
    count = max(0, fast_pdfium.FPDFText_CountChars(textpage))
    buffer = _buffer((2 * count + 2).bit_length())
    fast_pdfium.FPDFText_GetText(textpage, 0, count, buffer)
    return str(buffer[: 2 * count], "utf-16-le", "replace")


_OPAQUE_ALPHA = 200
"""Alpha value, out of 255, from which a shape counts as covering a text."""
_Ring = list[tuple[float, float]]


def opaque_areas(item: Any, kind: int) -> Iterator[list[_Ring]]:
    """Yield the rings of each opaque area of an object. The object is a filled path or a form that contains paths."""
    if kind == pdfium.FPDF_PAGEOBJ_PATH:
        parts: Iterable[PageObject] = [(item, kind, IDENTITY, False)]
    else:
        parts = form_objects(item, IDENTITY, False) if kind == pdfium.FPDF_PAGEOBJ_FORM else ()
    filled, stroked = ctypes.c_int(), ctypes.c_int()
    colour = [ctypes.c_uint() for _ in range(4)]
    colour_at = [ctypes.byref(part) for part in colour]
    for path, what, placed, _ in parts:
        if what == pdfium.FPDF_PAGEOBJ_PATH:
            fast_pdfium.FPDFPath_GetDrawMode(path, ctypes.byref(filled), ctypes.byref(stroked))
            if (
                filled.value
                and fast_pdfium.FPDFPageObj_GetFillColor(path, *colour_at)
                and colour[3].value >= _OPAQUE_ALPHA
            ):
                yield _rings(path, placed)


def _rings(path: Any, placed: Matrix) -> list[_Ring]:
    """Return the rings of a path on the page, with curves replaced by straight lines between their points."""
    a, b, c, d, e, f = _combined(_matrix(path), placed)
    rings: list[_Ring] = []
    x, y = ctypes.c_float(), ctypes.c_float()
    at = ctypes.byref(x), ctypes.byref(y)
    for index in range(fast_pdfium.FPDFPath_CountSegments(path)):
        segment = fast_pdfium.FPDFPath_GetPathSegment(path, index)
        if not rings or fast_pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_MOVETO:
            rings.append([])
        fast_pdfium.FPDFPathSegment_GetPoint(segment, *at)
        p, q = x.value, y.value
        rings[-1].append((a * p + c * q + e, b * p + d * q + f))
    return rings


def is_within(rings: list[_Ring], x: float, y: float) -> bool:
    """Return whether a point is inside an odd number of rings."""
    inside = False
    for ring in rings:
        for (px, py), (qx, qy) in zip(ring, [*ring[1:], *ring[:1]], strict=True):
            if (py > y) != (qy > y) and x < px + (y - py) * (qx - px) / (qy - py):
                inside = not inside
    return inside


PageObject = tuple[Any, int, Matrix, bool]
"""An object, its kind, the matrix that places it on the page, and whether this matrix moves the object."""


def page_objects(page: Any) -> Iterator[PageObject]:
    """Yield the objects of a page, including those inside forms. A form that is moved comes before its content."""
    for index in range(fast_pdfium.FPDFPage_CountObjects(page)):
        item = fast_pdfium.FPDFPage_GetObject(page, index)
        kind = fast_pdfium.FPDFPageObj_GetType(item)
        if kind == pdfium.FPDF_PAGEOBJ_FORM:
            yield from form_objects(item, IDENTITY, False)
        else:
            yield item, kind, IDENTITY, False


def form_objects(form: Any, placed: Matrix, moved: bool) -> Iterator[PageObject]:
    """Yield the objects of a form, preceded by the form itself if its matrix moves it."""
    matrix = _matrix(form)
    if matrix != IDENTITY:
        # A repeated page body is not moved, so its objects count as objects of the page.
        yield form, pdfium.FPDF_PAGEOBJ_FORM, placed, moved
        placed, moved = _combined(matrix, placed), True
    for index in range(fast_pdfium.FPDFFormObj_CountObjects(form)):
        item = fast_pdfium.FPDFFormObj_GetObject(form, index)
        kind = fast_pdfium.FPDFPageObj_GetType(item)
        if kind == pdfium.FPDF_PAGEOBJ_FORM:
            yield from form_objects(item, placed, moved)
        else:
            yield item, kind, placed, moved


def _matrix(item: Any) -> Matrix:
    if not fast_pdfium.FPDFPageObj_GetMatrix(item, _FOUND_AT):
        return IDENTITY
    return _SIX.unpack(_FOUND)


def _combined(first: Matrix, then: Matrix) -> Matrix:
    """Return the matrix that applies one transformation after another."""
    if then is IDENTITY:
        return first
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u


def bounding_box(item: Any) -> Box:
    """Return the bounding box of an object on its page or form."""
    fast_pdfium.FPDFPageObj_GetBounds(item, *_SIDES_AT)
    return _FOUR.unpack(_SIDES)


def transformed_box(box: Box, placed: Matrix) -> Box:
    """Return the bounding box of a box after a transformation."""
    a, b, c, d, e, f = placed
    corners = [(x, y) for x in (box[0], box[2]) for y in (box[1], box[3])]
    xs, ys = [a * x + c * y + e for x, y in corners], [b * x + d * y + f for x, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def reaches_beyond(item: Any, kind: int, box: Box, paper: Box) -> bool:
    """Return whether the visible part of an object extends beyond the printable area.

    The object's bounding box may be larger, because it includes clipped parts and control points. The box of a
    rotated form includes the corners of the box of its content.
    """
    if (clip := clip_box(item)) and is_inside(clip, paper, 0.0):
        return False
    if kind == pdfium.FPDF_PAGEOBJ_FORM:
        parts = form_objects(item, IDENTITY, False)
        return not all(
            is_inside(_visible_box(part, what, placed), paper, 0.0)
            for part, what, placed, _ in parts
            if what != pdfium.FPDF_PAGEOBJ_FORM
        )
    if kind != pdfium.FPDF_PAGEOBJ_PATH:
        return True
    half = _half_stroke(item)
    left, bottom, right, top = box
    # PDFium enlarges the bounds of a stroke on every side, even at butt ends.
    if is_inside((left + half, bottom + half, right - half, top - half), paper, 0.0):
        return False
    return not is_inside(_visible_box(item, kind, IDENTITY), paper, 0.0)


def _visible_box(item: Any, kind: int, placed: Matrix) -> Box:
    """Return the bounding box on the page of an object other than a form, with half the width of its stroke."""
    if kind != pdfium.FPDF_PAGEOBJ_PATH:
        return transformed_box(bounding_box(item), placed)
    a, b, c, d, e, f = _combined(_matrix(item), placed)
    half = _half_stroke(item) * hypot(placed[2], placed[3])
    points = _points(fast_pdfium.FPDFPath_GetPathSegment, fast_pdfium.FPDFPath_CountSegments(item), item)
    if not points:
        return transformed_box(bounding_box(item), placed)
    xs, ys = [a * x + c * y + e for x, y in points], [b * x + d * y + f for x, y in points]
    return min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half


def item_text(item: Any, textpage: Any) -> str:
    """Return the characters of a text object, or an empty string for other objects."""
    if isinstance(item, str):
        return item
    if fast_pdfium.FPDFPageObj_GetType(item) != pdfium.FPDF_PAGEOBJ_TEXT:
        return ""
    # PDFium searches all letters of the page on each call, so a second call is avoided. Most texts fit in this
    # buffer.
    buffer = _buffer(9)
    length = fast_pdfium.FPDFTextObj_GetText(item, textpage, buffer, len(buffer))
    if length > len(buffer):
        buffer = _buffer(length.bit_length())
        fast_pdfium.FPDFTextObj_GetText(item, textpage, buffer, length)
    return str(buffer[:length], "utf-16-le", "replace").strip("\0\r\n ")[:_MAX_TEXT_LENGTH]


@lru_cache(32)  # Sizes are powers of two, because ctypes creates an array type for each length.
def _buffer(power: int) -> Any:
    """Return a buffer of 2^power bytes for PDFium."""
    return (ctypes.c_char * (1 << power))()


def readable_text(item: Any, textpage: Any) -> str:
    """Return the characters of a text, or an empty string if it is hidden, such as the text behind a scanned page."""
    if fast_pdfium.FPDFTextObj_GetTextRenderMode(item) in _INVISIBLE_MODES:
        return ""
    return item_text(item, textpage).replace("\u3000", " ").strip()


def type_size(item: Any, placed: Matrix) -> float:
    """Return the type size of a text on the page in points, measured at right angles to its line."""
    fast_pdfium.FPDFTextObj_GetFontSize(item, _SIDES_AT[0])
    size = float(_SIDES[0])
    a, b, c, d, _, _ = _combined(_matrix(item), placed)
    along = hypot(a, b)
    return abs(size * (a * d - b * c)) / along if along else 0.0


def _half_stroke(item: Any) -> float:
    """Return half the width of a path's stroke on the page, in points."""
    width, filled, stroked = ctypes.c_float(), ctypes.c_int(), ctypes.c_int()
    fast_pdfium.FPDFPath_GetDrawMode(item, ctypes.byref(filled), ctypes.byref(stroked))
    if not stroked.value or not fast_pdfium.FPDFPageObj_GetStrokeWidth(item, ctypes.byref(width)):
        return 0.0
    _, _, c, d, _, _ = _matrix(item)
    return width.value * hypot(c, d) / 2


def clip_box(item: Any) -> Box | None:
    """Return the clipping box of an object, or None if the object is not clipped."""
    clip = fast_pdfium.FPDFPageObj_GetClipPath(item)
    count = fast_pdfium.FPDFClipPath_CountPaths(clip) if clip else 0
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
        fast_pdfium.FPDFClipPath_GetPathSegment, fast_pdfium.FPDFClipPath_CountPathSegments(clip, path), clip, path
    )
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (min(xs), min(ys), max(xs), max(ys)) if points else None


def _points(segment: Callable[..., Any], count: int, *of: Any) -> list[tuple[float, float]]:
    """Return the points of a path, including the control points of curves."""
    found = []
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(count):
        if fast_pdfium.FPDFPathSegment_GetPoint(segment(*of, index), ctypes.byref(x), ctypes.byref(y)):
            found.append((x.value, y.value))
    return found
