"""What a printer would complain of."""

from __future__ import annotations

import ctypes
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from io import BytesIO
from itertools import product
from math import hypot
from struct import Struct
from typing import Any

import msgspec
import pypdfium2_raw as pdfium

from generator.errors import Problem
from generator.localization import tr
from generator.model.words import Lang
from generator.press.check.ink import InkMeter, OpenPdf, addresses, fast_pdfium
from generator.press.layout.paper import find_paper, papers
from generator.press.pdf.legible import FLOOR, floor
from generator.press.pdf.units import MM
from generator.store.write import Content

# Only PDFium reads the pages, through its plain C interface: a kit is checked in a fraction of the time it took to
# print.

UNPRINTABLE_EDGE = 6.35 * MM
"""What many printers leave white along every edge."""
CLIP_TOLERANCE = 0.5
"""By how much, in points, a text may reach beyond what its clipping shows."""

_TOLERANCE = 0.01
_MAX_QUOTED, _MAX_QUOTED_LENGTH = 3, 40
"""How many texts a fault names, and how many characters of each."""
_LETTERS = {"ja": ("\u3041", "\u9fff"), "en": ("A", "z")}
Box = tuple[float, float, float, float]
"""Left, bottom, right, top, in points."""
Matrix = tuple[float, float, float, float, float, float]
"""As in the PDF: (x, y) goes to (ax + cy + e, bx + dy + f)."""
_IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_FOUND, _SIDES = (ctypes.c_float * 6)(), (ctypes.c_float * 4)()
"""What PDFium fills in, made once: it reads thousands of objects, one at a time."""
_FOUND_AT, _SIDES_AT = ctypes.addressof(_FOUND), addresses(_SIDES)
_SIX, _FOUR = Struct("6f"), Struct("4f")
_INVISIBLE_MODES = (pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP)


def preflight(
    pdf: Content,
    paper: str | None,
    lang: Lang | None,
    name: str = "kit.pdf",
    enlargement: float = 1.0,
    ink_meter: InkMeter | None = None,
    labels: bool = True,
    bodies: Sequence[str] = (),
) -> list[Problem]:
    """Everything that is not in order, by page and text: sizes, boxes, edges, fonts, characters, type, overlaps.

    Without a paper every page may have the size of any paper; without a language none is looked for. Pages that
    make up for a printer have `grown` so many times: their smallest type too. `measuring` measures the ink of each
    page along the way, as reading the pages once more would take long. `labels` has what covers a label told too,
    which a print may be spared: it takes half as long again, and a replay's pills stand over cells' names. `bodies`
    name the form that each page begins with: one that comes again is looked over where it comes first, and again only
    beside what else stands on its pages.
    """
    opened = OpenPdf(BytesIO(pdf) if isinstance(pdf, bytes) else pdf, bodies)
    if opened.pages < 0:
        return [Problem(tr("cannot be read as a PDF"), name)]
    try:
        known = [find_paper(paper)] if paper else papers().values()
        sizes = {of.size(landscape) for of in known for landscape in (False, True)}
        problems: list[Problem] = []
        letters = False
        shared = {body for body, times in Counter(bodies).items() if body and times > 1}
        seen_bodies: dict[str, list[_PageText]] = {}
        for number in range(opened.pages):
            body = bodies[number] if bodies else ""
            page = _load_page(opened.document_for_page(number), number, opened.may_have_annotations)
            if not page:
                problems.append(Problem(tr("page {number}: cannot be read", number=number + 1), name))
                continue
            textpage = fast_pdfium.FPDFText_LoadPage(page)
            try:
                text = _page_text(textpage)
                seen_texts = seen_bodies.get(body, ())
                texts: list[_PageText] = []
                if lang and not letters:
                    letters = any(_LETTERS[lang][0] <= c <= _LETTERS[lang][1] for c in text)
                faults = [
                    *_size(page, sizes),
                    *_boxes(page),
                    *_unreadable_characters(text),
                    *_object_faults(page, textpage, enlargement, ink_meter, labels, texts, seen_texts),
                ]
                if body in shared and body not in seen_bodies:
                    seen_bodies[body] = sorted(
                        (text.with_text(textpage) for text in texts[: _count_leading_texts(page)]), key=_top
                    )
                if ink_meter:
                    ink_meter.measure_page(page)
            finally:
                fast_pdfium.FPDFText_ClosePage(textpage)
                fast_pdfium.FPDF_ClosePage(page)
            problems += [
                Problem(tr("page {number}: {fault}", number=number + 1, fault=fault), name) for fault in faults
            ]
        problems += [
            Problem(tr("the font {font} is not embedded", font=font.decode("utf-8", "replace")), name)
            for font in sorted(opened.missing_fonts)
        ]
        if lang and not letters:
            problems.append(Problem(tr("there is no text in the declared language ({lang})", lang=lang), name))
        return problems
    finally:
        opened.close()


def _count_leading_texts(page: Any) -> int:
    """How many texts the form holds that the page begins with."""
    return sum(
        kind == pdfium.FPDF_PAGEOBJ_TEXT
        for _, kind, _, _ in _form_objects(fast_pdfium.FPDFPage_GetObject(page, 0), _IDENTITY, False)
    )


def _load_page(document: Any, number: int, noted: bool) -> Any:
    """A page; what its notes and fields show is part of what is drawn on it, where there are any."""
    page = fast_pdfium.FPDF_LoadPage(document, number)
    if page and noted and _has_annotations(page):
        drawn = fast_pdfium.FPDFPage_Flatten(page, pdfium.FLAT_PRINT) == pdfium.FLATTEN_SUCCESS
        if drawn:
            fast_pdfium.FPDF_ClosePage(page)
            page = fast_pdfium.FPDF_LoadPage(document, number)
    return page


def _has_annotations(page: Any) -> bool:
    """Whether there is a note on the page that shows anything: links do not."""
    kinds = []
    for index in range(fast_pdfium.FPDFPage_GetAnnotCount(page)):
        note = fast_pdfium.FPDFPage_GetAnnot(page, index)
        kinds.append(fast_pdfium.FPDFAnnot_GetSubtype(note))
        fast_pdfium.FPDFPage_CloseAnnot(note)
    return any(kind != pdfium.FPDF_ANNOT_LINK for kind in kinds)


def _size(page: Any, sizes: set[tuple[float, float]]) -> Iterator[str]:
    width, height = fast_pdfium.FPDF_GetPageWidthF(page), fast_pdfium.FPDF_GetPageHeightF(page)
    if not any(abs(width - w) < 0.002 and abs(height - h) < 0.002 for w, h in sizes):
        yield tr("is {width:.3f} × {height:.3f} pt in size", width=width, height=height)


def _boxes(page: Any) -> Iterator[str]:
    """The trim must lie inside the bleed, and this inside the paper."""
    outer = _box(page, fast_pdfium.FPDFPage_GetMediaBox)
    if not outer:
        return
    for of, name in ((fast_pdfium.FPDFPage_GetBleedBox, "bleed"), (fast_pdfium.FPDFPage_GetTrimBox, "trim")):
        inner = _box(page, of)
        if inner and not _inside(inner, outer):
            yield tr("its {name} box lies outside the box around it", name=name)
        outer = inner or outer


def _box(page: Any, of: Callable[..., int]) -> Box | None:
    sides = [ctypes.c_float() for _ in range(4)]
    if not of(page, *(ctypes.byref(side) for side in sides)):
        return None
    left, bottom, right, top = (side.value for side in sides)
    return left, bottom, right, top


def _inside(box: Box, other: Box, slack: float = _TOLERANCE) -> bool:
    return (
        box[0] >= other[0] - slack
        and box[1] >= other[1] - slack
        and box[2] <= other[2] + slack
        and box[3] <= other[3] + slack
    )


def _page_text(textpage: Any) -> str:
    count = max(0, fast_pdfium.FPDFText_CountChars(textpage))
    buffer = _buffer((2 * count + 2).bit_length())
    fast_pdfium.FPDFText_GetText(textpage, 0, count, buffer)
    return str(buffer[: 2 * count], "utf-16-le", "replace")


def _unreadable_characters(text: str) -> Iterator[str]:
    # PDFium tells a hyphen at the end of a line as U+0002, or as U+FFFE where the next line goes on with a word.
    strange = sorted({c for c in text if c in "\ufffd\uffff" or (c < " " and c not in "\r\n\t\0\2")})
    if strange:
        yield tr("unreadable characters {codes}", codes=[f"U+{ord(c):04X}" for c in strange])


class _PageText(msgspec.Struct, frozen=True):
    """A text on the page: the object, or what it says where its page is closed."""

    box: Box
    item: Any

    def with_text(self, textpage: Any) -> _PageText:
        """The text as it is known once its page is closed."""
        return _PageText(self.box, _item_text(self.item, textpage))


def _object_faults(
    page: Any,
    textpage: Any,
    enlargement: float,
    ink_meter: InkMeter | None,
    labels: bool,
    texts: list[_PageText],
    seen_texts: Sequence[_PageText],
) -> Iterator[str]:
    """Faults of what is drawn: beyond the edge, in a font not embedded, too small, clipped, over one another.

    `texts` takes what is written there; `before` is what stands there too and was looked at.
    """
    # Where things stand is told as if the page were not turned, and the paper need not begin at nought.
    whole = pdfium.FS_RECTF()
    fast_pdfium.FPDF_GetPageBoundingBox(page, ctypes.byref(whole))
    paper = (
        whole.left + UNPRINTABLE_EDGE,
        whole.bottom + UNPRINTABLE_EDGE,
        whole.right - UNPRINTABLE_EDGE,
        whole.top - UNPRINTABLE_EDGE,
    )
    fonts: dict[int, bool] = {}
    outside: list[Any] = []
    small: dict[float, list[tuple[float, Any]]] = {}
    clipped: list[Any] = []
    covered = _CoveredTexts()
    empty = True
    for item, kind, placed, moved in _page_objects(page):
        empty = False
        if ink_meter and kind == pdfium.FPDF_PAGEOBJ_PATH:
            ink_meter.lighten_path(item, placed)
        if moved and kind != pdfium.FPDF_PAGEOBJ_TEXT:
            # The form it stands in is looked at as a whole.
            continue
        box = _bounds(item)
        if not moved and not _inside(box, paper, 0.0) and _reaches_beyond(item, kind, box, paper):
            outside.append(item)
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            texts.append(_PageText(_transformed_box(box, placed) if moved else box, item))
            covered.add_text(texts[-1])
            size = _type_size(item, placed)
            if size < FLOOR * enlargement - _TOLERANCE and (read := _readable_text(item, textpage)):
                min_size = floor(read) * enlargement
                if size < min_size - _TOLERANCE:
                    small.setdefault(min_size, []).append((size, item))
            if (clip := _clip(item)) and not _inside(box, clip, CLIP_TOLERANCE):
                clipped.append(item)
            _check_font(item, fonts)
            if ink_meter:
                ink_meter.lighten_text(item)
        elif labels and not moved:
            covered.cover(item, kind, box)

    def quoted(items: list[Any]) -> str:
        """The first few of them by their text."""
        found = [text for item in items if (text := _item_text(item, textpage))]
        return "".join(f" “{text}”" for text in dict.fromkeys(found[:_MAX_QUOTED]))

    if empty:
        yield tr("it is blank")
    if outside:
        edge = tr("the outer {width} mm, which many printers cannot print", width=UNPRINTABLE_EDGE / MM)
        them = _colon(quoted(outside))
        yield tr("{count} things reach into {edge}{colon}", count=len(outside), edge=edge, colon=them)
    for min_size, found in sorted(small.items()):
        found.sort(key=lambda pair: pair[0])
        yield tr(
            "{count} texts are set smaller than {least:g} pt, down to {small:.1f} pt{them}",
            count=len(found),
            least=min_size,
            small=found[0][0],
            them=_colon(quoted([item for _, item in found])),
        )
    if clipped:
        yield tr("{count} texts are clipped{colon}", count=len(clipped), colon=_colon(quoted(clipped)))
    if hid := [text.item for text in covered.hidden if _readable_text(text.item, textpage)]:
        yield tr("{count} texts are covered{colon}", count=len(hid), colon=_colon(quoted(hid)))
    if not all(fonts.values()):
        yield tr("a font is not embedded")
    if clashes := _overlaps([*_texts_beside(seen_texts, texts), *texts]):
        both = [item for pair in clashes for item in pair]
        yield tr("{count} texts overlap{colon}", count=len(clashes), colon=_colon(quoted(both)))


_CELL_PT = 40.0
"""Texts are looked up by squares of the page so wide, in points."""
_OPAQUE_ALPHA = 200
"""What covers a text, of 255."""


class _CoveredTexts:
    """The texts so far by where they stand, and those that something was laid over."""

    def __init__(self) -> None:
        self._there: dict[tuple[int, int], list[tuple[float, float, _PageText]]] = {}
        self.hidden: list[_PageText] = []

    def add_text(self, text: _PageText) -> None:
        left, bottom, right, top = text.box
        x, y = (left + right) / 2, (bottom + top) / 2
        self._there.setdefault((int(x // _CELL_PT), int(y // _CELL_PT)), []).append((x, y, text))

    def cover(self, item: Any, kind: int, box: Box) -> None:
        """Something is drawn there; most often where no text stands yet."""
        if not self._there:
            return
        left, bottom, right, top = box
        columns = range(int(left // _CELL_PT), int(right // _CELL_PT) + 1)
        rows = range(int(bottom // _CELL_PT), int(top // _CELL_PT) + 1)
        if len(columns) * len(rows) < len(self._there):
            cells = [self._there[at] for at in product(columns, rows) if at in self._there]
        else:
            cells = list(self._there.values())
        under = [found for cell in cells for found in cell if left < found[0] < right and bottom < found[1] < top]
        if under:
            areas = list(_opaque(item, kind))
            hidden = {id(text) for x, y, text in under if any(_within(area, x, y) for area in areas)}
            self.hidden += [text for _, _, text in under if id(text) in hidden]
            for cell in cells:
                cell[:] = [found for found in cell if id(found[2]) not in hidden]


_Ring = list[tuple[float, float]]


def _opaque(item: Any, kind: int) -> Iterator[list[_Ring]]:
    """The rings of what is opaque of a thing: of a path that is filled, or of those that a form holds."""
    if kind == pdfium.FPDF_PAGEOBJ_PATH:
        parts: Iterable[_PageObject] = [(item, kind, _IDENTITY, False)]
    else:
        parts = _form_objects(item, _IDENTITY, False) if kind == pdfium.FPDF_PAGEOBJ_FORM else ()
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
    """A path's rings on the page, taken for straight from each of its points to the next."""
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


def _within(rings: list[_Ring], x: float, y: float) -> bool:
    """Whether a point lies within an odd number of rings, by the edges to its right."""
    inside = False
    for ring in rings:
        for (px, py), (qx, qy) in zip(ring, [*ring[1:], *ring[:1]], strict=True):
            if (py > y) != (qy > y) and x < px + (y - py) * (qx - px) / (qy - py):
                inside = not inside
    return inside


_PageObject = tuple[Any, int, Matrix, bool]
"""An object, its kind, what places it on the page, and whether that moves it."""


def _page_objects(page: Any) -> Iterator[_PageObject]:
    """What is drawn on the page, in forms too, however deep: each form that is moved before what it holds."""
    for index in range(fast_pdfium.FPDFPage_CountObjects(page)):
        item = fast_pdfium.FPDFPage_GetObject(page, index)
        kind = fast_pdfium.FPDFPageObj_GetType(item)
        if kind == pdfium.FPDF_PAGEOBJ_FORM:
            yield from _form_objects(item, _IDENTITY, False)
        else:
            yield item, kind, _IDENTITY, False


def _form_objects(form: Any, placed: Matrix, moved: bool) -> Iterator[_PageObject]:
    matrix = _matrix(form)
    if matrix != _IDENTITY:
        # The body of a page that comes again stands on it as it is, and is looked at as if it stood there.
        yield form, pdfium.FPDF_PAGEOBJ_FORM, placed, moved
        placed, moved = _combined(matrix, placed), True
    for index in range(fast_pdfium.FPDFFormObj_CountObjects(form)):
        item = fast_pdfium.FPDFFormObj_GetObject(form, index)
        kind = fast_pdfium.FPDFPageObj_GetType(item)
        if kind == pdfium.FPDF_PAGEOBJ_FORM:
            yield from _form_objects(item, placed, moved)
        else:
            yield item, kind, placed, moved


def _matrix(item: Any) -> Matrix:
    if not fast_pdfium.FPDFPageObj_GetMatrix(item, _FOUND_AT):
        return _IDENTITY
    return _SIX.unpack(_FOUND)


def _combined(first: Matrix, then: Matrix) -> Matrix:
    """Both, one after the other."""
    if then is _IDENTITY:
        return first
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u


def _bounds(item: Any) -> Box:
    fast_pdfium.FPDFPageObj_GetBounds(item, *_SIDES_AT)
    return _FOUR.unpack(_SIDES)


def _transformed_box(box: Box, placed: Matrix) -> Box:
    """The box around a box, where it is placed."""
    a, b, c, d, e, f = placed
    corners = [(x, y) for x in (box[0], box[2]) for y in (box[1], box[3])]
    xs, ys = [a * x + c * y + e for x, y in corners], [b * x + d * y + f for x, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def _reaches_beyond(item: Any, kind: int, box: Box, paper: Box) -> bool:
    """Whether what has such a box does reach beyond the paper: it may be clipped, or its bends taken for spikes."""
    if (clip := _clip(item)) and _inside(clip, paper, 0.0):
        return False
    if kind != pdfium.FPDF_PAGEOBJ_PATH:
        return True
    half = _half_stroke(item)
    left, bottom, right, top = box
    # pdfium widens a stroke's bounds on every side, even beyond ends that are cut off square.
    if _inside((left + half, bottom + half, right - half, top - half), paper, 0.0):
        return False
    a, b, c, d, e, f = _matrix(item)
    ways = ((a, c, e), (b, d, f))
    points = _points(fast_pdfium.FPDFPath_GetPathSegment, fast_pdfium.FPDFPath_CountSegments(item), item)
    xs, ys = ([p * x + q * y + r for x, y in points] for p, q, r in ways)
    return not _inside((min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half), paper, 0.0)


def _colon(quoted: str) -> str:
    return f":{quoted}" if quoted else ""


def _item_text(item: Any, textpage: Any) -> str:
    """What a text says; empty for anything else."""
    if isinstance(item, str):
        return item
    if fast_pdfium.FPDFPageObj_GetType(item) != pdfium.FPDF_PAGEOBJ_TEXT:
        return ""
    # PDFium looks for it among all letters of the page each time, and most texts are no longer than this.
    buffer = _buffer(9)
    length = fast_pdfium.FPDFTextObj_GetText(item, textpage, buffer, len(buffer))
    if length > len(buffer):
        buffer = _buffer(length.bit_length())
        fast_pdfium.FPDFTextObj_GetText(item, textpage, buffer, length)
    return str(buffer[:length], "utf-16-le", "replace").strip("\0\r\n ")[:_MAX_QUOTED_LENGTH]


@lru_cache(32)  # by doublings: an array of another length is of another type, which is not soon let go
def _buffer(power: int) -> Any:
    """Where PDFium writes a text of so many bytes at most, by the power of two."""
    return (ctypes.c_char * (1 << power))()


def _readable_text(item: Any, textpage: Any) -> str:
    """What a text says that is there to be read: not one unseen, as is what lies under a scanned page."""
    if fast_pdfium.FPDFTextObj_GetTextRenderMode(item) in _INVISIBLE_MODES:
        return ""
    return _item_text(item, textpage).replace("\u3000", " ").strip()


def _check_font(item: Any, fonts: dict[int, bool]) -> None:
    """Whether a text's font is embedded."""
    font = fast_pdfium.FPDFTextObj_GetFont(item)
    if font not in fonts:
        fonts[font] = bool(fast_pdfium.FPDFFont_GetIsEmbedded(font))


def _type_size(item: Any, placed: Matrix) -> float:
    """The size of a text as it stands on the page, in points: how high it is above its line, however that slopes."""
    fast_pdfium.FPDFTextObj_GetFontSize(item, _SIDES_AT[0])
    size = float(_SIDES[0])
    a, b, c, d, _, _ = _combined(_matrix(item), placed)
    along = hypot(a, b)
    return abs(size * (a * d - b * c)) / along if along else 0.0


def _half_stroke(item: Any) -> float:
    """Half the width of a path's stroke as it stands on the page, in points."""
    width, filled, stroked = ctypes.c_float(), ctypes.c_int(), ctypes.c_int()
    fast_pdfium.FPDFPath_GetDrawMode(item, ctypes.byref(filled), ctypes.byref(stroked))
    if not stroked.value or not fast_pdfium.FPDFPageObj_GetStrokeWidth(item, ctypes.byref(width)):
        return 0.0
    _, _, c, d, _, _ = _matrix(item)
    return width.value * hypot(c, d) / 2


def _clip(item: Any) -> Box | None:
    """The box to which an object is clipped; None where it is not."""
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
    """The points of a path, those that steer its curves too."""
    found = []
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(count):
        if fast_pdfium.FPDFPathSegment_GetPoint(segment(*of, index), ctypes.byref(x), ctypes.byref(y)):
            found.append((x.value, y.value))
    return found


def _texts_beside(seen_texts: Sequence[_PageText], texts: Sequence[_PageText]) -> list[_PageText]:
    """Those of what was looked at, told by their tops, that stand as high on the page as something that was not."""
    spans = sorted({(round(text.box[1], 1) - 0.1, round(text.box[3], 1) + 0.1) for text in texts})
    bands: list[tuple[float, float]] = []
    for low, high in spans:
        if bands and low <= bands[-1][1]:
            bands[-1] = bands[-1][0], max(high, bands[-1][1])
        else:
            bands.append((low, high))
    found: dict[int, _PageText] = {}
    for low, high in bands:
        above = seen_texts[bisect_right(seen_texts, low, key=_top) :]
        found |= {id(old): old for old in above if old.box[1] < high}
    return list(found.values())


def _top(text: _PageText) -> float:
    return text.box[3]


def _overlaps(texts: list[_PageText]) -> list[tuple[Any, Any]]:
    """The pairs of texts that cover at least a quarter of the smaller one's box."""
    found = []
    open_: list[_PageText] = []
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
