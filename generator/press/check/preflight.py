"""Check PDFs for print problems."""

from __future__ import annotations

import ctypes
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from io import BytesIO
from itertools import product, takewhile
from typing import Any

import msgspec
import pypdfium2_raw as pdfium

from generator.errors import Problem
from generator.localization import tr
from generator.model.words import Lang
from generator.press.check.ink import InkMeter, OpenPdf, fast_pdfium
from generator.press.check.page_objects import (
    TOLERANCE,
    Box,
    bounding_box,
    clip_box,
    is_inside,
    is_within,
    item_text,
    opaque_areas,
    page_objects,
    page_text,
    reaches_beyond,
    readable_text,
    transformed_box,
    type_size,
)
from generator.press.layout.paper import find_paper, printed_papers
from generator.press.pdf.legible import FLOOR, floor
from generator.press.pdf.units import MM
from generator.store.write import Content

# Pages are read only through PDFium's C interface, so that checking a kit takes a fraction of the time for printing
# it.

UNPRINTABLE_EDGE = 6.35 * MM
"""Width of the edge that many printers leave white, in points."""
CLIP_TOLERANCE = 0.5
"""Distance in points by which a text may extend beyond its clipping path."""

_MAX_MARK_NAME = 32
"""Maximum length of the name of marked content that is read, in characters."""
_MAX_QUOTED = 3
"""Maximum number of texts quoted in a problem."""
_LETTERS = {"ja": ("\u3041", "\u9fff"), "en": ("A", "z")}


def preflight(
    pdf: Content,
    paper: str | None,
    lang: Lang | None,
    name: str = "kit.pdf",
    enlargement: float = 1.0,
    ink_meter: InkMeter | None = None,
    labels: bool = True,
    bodies: Sequence[int] = (),
    page_sizes: Collection[tuple[float, float]] = (),
) -> list[Problem]:
    """Check a PDF for print problems, and return them page by page.

    The problems concern sizes, boxes, edges, fonts, characters, type sizes and overlaps. If `paper` is None, pages
    may have the size of any paper. If `lang` is None, the language is not checked. `enlargement` is the scale by
    which pages compensate for a printer, and minimum type sizes grow with it. `ink_meter` measures the ink of each
    page, which saves a second reading of the PDF. `labels` also checks for covered texts, which takes 50 % longer.
    In a replay this check is not useful, because plates may cover cell names. `bodies` are the numbers of the first
    streams of the pages. A stream that repeats is checked completely once, and after that only together with the rest
    of its page. `page_sizes` are the sizes in points of pages for print services, which have no unprintable edge. If
    neither is given, nor `paper`, a page with a bleed is a page for a print service and may have any size.
    """
    opened = OpenPdf(BytesIO(pdf) if isinstance(pdf, bytes) else pdf, bodies)
    if opened.pages < 0:
        return [Problem(tr("cannot be read as a PDF"), name)]
    try:
        known = [find_paper(paper)] if paper else printed_papers()
        sizes = {of.size(landscape) for of in known for landscape in (False, True)}
        if page_sizes:
            sizes = set(page_sizes)
        problems: list[Problem] = []
        letters = False
        shared = {body for body, times in Counter(bodies).items() if body and times > 1}
        seen_bodies: dict[int, list[_PageText]] = {}
        for number in range(opened.pages):
            body = bodies[number] if bodies else 0
            page = _load_page(opened.document_for_page(number), number, opened.may_have_annotations)
            if not page:
                problems.append(Problem(tr("page {number}: cannot be read", number=number + 1), name))
                continue
            textpage = fast_pdfium.FPDFText_LoadPage(page)
            try:
                text = page_text(textpage)
                seen_texts = seen_bodies.get(body, ())
                texts: list[_PageText] = []
                if lang and not letters:
                    letters = any(_LETTERS[lang][0] <= c <= _LETTERS[lang][1] for c in text)
                has_bleed = not paper and not page_sizes and _has_bleed(page)
                edge = 0.0 if page_sizes or has_bleed else UNPRINTABLE_EDGE
                faults = [
                    *([] if has_bleed else _size(page, sizes)),
                    *_boxes(page),
                    *_unreadable_characters(text),
                    *_object_faults(page, textpage, enlargement, ink_meter, labels, texts, seen_texts, edge),
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
    """Return the number of texts before the header of a page."""
    items = takewhile(lambda found: not _is_pagination(found[0]), page_objects(page))
    return sum(kind == pdfium.FPDF_PAGEOBJ_TEXT for _, kind, _, _ in items)


def _is_pagination(item: Any) -> bool:
    """Return whether an object is marked as part of a header or footer. Other artifacts have no parameters."""
    marks = (fast_pdfium.FPDFPageObj_GetMark(item, at) for at in range(fast_pdfium.FPDFPageObj_CountMarks(item)))
    return any(
        fast_pdfium.FPDFPageObjMark_CountParams(mark) and _mark_name(mark) == "Artifact" for mark in marks if mark
    )


def _mark_name(mark: Any) -> str:
    buffer, needed = (ctypes.c_ushort * _MAX_MARK_NAME)(), ctypes.c_ulong()
    fast_pdfium.FPDFPageObjMark_GetName(mark, buffer, ctypes.sizeof(buffer), ctypes.byref(needed))
    return bytes(buffer)[: max(0, needed.value - 2)].decode("utf-16-le", "replace")


def _load_page(document: Any, number: int, noted: bool) -> Any:
    """Return a page with its visible annotations and form fields merged into its content."""
    page = fast_pdfium.FPDF_LoadPage(document, number)
    if page and noted and _has_annotations(page):
        drawn = fast_pdfium.FPDFPage_Flatten(page, pdfium.FLAT_PRINT) == pdfium.FLATTEN_SUCCESS
        if drawn:
            fast_pdfium.FPDF_ClosePage(page)
            page = fast_pdfium.FPDF_LoadPage(document, number)
    return page


def _has_annotations(page: Any) -> bool:
    """Return whether a page has a visible annotation. Links are not visible."""
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
    """Yield a problem if the trim box is not inside the bleed box, or the bleed box is not inside the page."""
    outer = _box(page, fast_pdfium.FPDFPage_GetMediaBox)
    if not outer:
        return
    for of, name in ((fast_pdfium.FPDFPage_GetBleedBox, "bleed"), (fast_pdfium.FPDFPage_GetTrimBox, "trim")):
        inner = _box(page, of)
        if inner and not is_inside(inner, outer):
            yield tr("the {name} box of the page extends beyond the enclosing box", name=name)
        outer = inner or outer


def _has_bleed(page: Any) -> bool:
    """Return whether a page is cut on all four sides, so that everything outside its trim box is bleed.

    On a sheet with several pieces, the bleed box is smaller than the sheet.
    """
    whole = _box(page, fast_pdfium.FPDFPage_GetMediaBox)
    bleed = _box(page, fast_pdfium.FPDFPage_GetBleedBox)
    trim = _box(page, fast_pdfium.FPDFPage_GetTrimBox)
    if not whole or not trim or bleed != whole:
        return False
    return trim[0] > whole[0] and trim[1] > whole[1] and trim[2] < whole[2] and trim[3] < whole[3]


def _box(page: Any, of: Callable[..., int]) -> Box | None:
    sides = [ctypes.c_float() for _ in range(4)]
    if not of(page, *(ctypes.byref(side) for side in sides)):
        return None
    left, bottom, right, top = (side.value for side in sides)
    return left, bottom, right, top


def _unreadable_characters(text: str) -> Iterator[str]:
    # PDFium returns a hyphen at the end of a line as U+0002, or as U+FFFE if a word continues on the next line.
    strange = sorted({c for c in text if c in "\ufffd\uffff" or (c < " " and c not in "\r\n\t\0\2")})
    if strange:
        yield tr("the page contains unreadable characters: {codes}", codes=[f"U+{ord(c):04X}" for c in strange])


class _PageText(msgspec.Struct, frozen=True):
    """A text on a page: its box, and its object or, after the page has been closed, its characters."""

    box: Box
    item: Any

    def with_text(self, textpage: Any) -> _PageText:
        """Return a copy with the characters instead of the object, for use after the page has been closed."""
        return _PageText(self.box, item_text(self.item, textpage))


def _object_faults(
    page: Any,
    textpage: Any,
    enlargement: float,
    ink_meter: InkMeter | None,
    labels: bool,
    texts: list[_PageText],
    seen_texts: Sequence[_PageText],
    edge_width: float = UNPRINTABLE_EDGE,
) -> Iterator[str]:
    """Yield problems of the objects on a page: beyond the edge, not embedded, too small, clipped or overlapping.

    The texts of the page are appended to `texts`. `seen_texts` are texts of a repeated body that have already been
    checked.
    """
    # Positions ignore the rotation of the page, and the page box may begin at any coordinates.
    whole = pdfium.FS_RECTF()
    fast_pdfium.FPDF_GetPageBoundingBox(page, ctypes.byref(whole))
    paper = (
        whole.left + edge_width,
        whole.bottom + edge_width,
        whole.right - edge_width,
        whole.top - edge_width,
    )
    fonts: dict[int, bool] = {}
    outside: list[Any] = []
    small: dict[float, list[tuple[float, Any]]] = {}
    clipped: list[Any] = []
    covered = _CoveredTexts()
    empty = True
    for item, kind, placed, moved in page_objects(page):
        empty = False
        if ink_meter and kind == pdfium.FPDF_PAGEOBJ_PATH:
            ink_meter.lighten_path(item, placed)
        if moved and kind != pdfium.FPDF_PAGEOBJ_TEXT:
            # The form that contains the object is checked as a whole.
            continue
        box = bounding_box(item)
        if edge_width and not moved and not is_inside(box, paper, 0.0) and reaches_beyond(item, kind, box, paper):
            outside.append(item)
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            texts.append(_PageText(transformed_box(box, placed) if moved else box, item))
            covered.add_text(texts[-1])
            size = type_size(item, placed)
            if size < FLOOR * enlargement - TOLERANCE and (read := readable_text(item, textpage)):
                min_size = floor(read) * enlargement
                if size < min_size - TOLERANCE:
                    small.setdefault(min_size, []).append((size, item))
            if (clip := clip_box(item)) and not is_inside(box, clip, CLIP_TOLERANCE):
                clipped.append(item)
            _check_font(item, fonts)
            if ink_meter:
                ink_meter.lighten_text(item)
        elif labels and not moved:
            covered.cover(item, kind, box)

    def quoted(items: list[Any]) -> str:
        """Return quotations of the first few texts among `items`."""
        found = [text for item in items if (text := item_text(item, textpage))]
        return "".join(f" “{text}”" for text in dict.fromkeys(found[:_MAX_QUOTED]))

    if empty:
        yield tr("the page is blank")
    if outside:
        edge = tr("the outer {width} mm, which many printers cannot print", width=UNPRINTABLE_EDGE / MM)
        them = _colon(quoted(outside))
        yield tr("content extends into {edge} (items: {count}){colon}", count=len(outside), edge=edge, colon=them)
    for min_size, found in sorted(small.items()):
        found.sort(key=lambda pair: pair[0])
        yield tr(
            "text is smaller than {least:g} pt (pieces: {count}, smallest: {small:.1f} pt){them}",
            count=len(found),
            least=min_size,
            small=found[0][0],
            them=_colon(quoted([item for _, item in found])),
        )
    if clipped:
        yield tr("text is clipped (pieces: {count}){colon}", count=len(clipped), colon=_colon(quoted(clipped)))
    if hid := [text.item for text in covered.hidden if readable_text(text.item, textpage)]:
        yield tr("text is covered (pieces: {count}){colon}", count=len(hid), colon=_colon(quoted(hid)))
    if not all(fonts.values()):
        yield tr("a font is not embedded")
    if clashes := _overlaps([*_texts_beside(seen_texts, texts), *texts]):
        both = [item for pair in clashes for item in pair]
        yield tr("text overlaps (pairs: {count}){colon}", count=len(clashes), colon=_colon(quoted(both)))


_CELL_PT = 40.0
"""Side in points of the squares by which texts are indexed."""


class _CoveredTexts:
    """An index of the texts drawn so far, which records texts that are covered by objects drawn later."""

    def __init__(self) -> None:
        self._there: dict[tuple[int, int], list[tuple[float, float, _PageText]]] = {}
        self.hidden: list[_PageText] = []

    def add_text(self, text: _PageText) -> None:
        left, bottom, right, top = text.box
        x, y = (left + right) / 2, (bottom + top) / 2
        self._there.setdefault((int(x // _CELL_PT), int(y // _CELL_PT)), []).append((x, y, text))

    def cover(self, item: Any, kind: int, box: Box) -> None:
        """Record the texts that an object covers."""
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
            areas = list(opaque_areas(item, kind))
            hidden = {id(text) for x, y, text in under if any(is_within(area, x, y) for area in areas)}
            self.hidden += [text for _, _, text in under if id(text) in hidden]
            for cell in cells:
                cell[:] = [found for found in cell if id(found[2]) not in hidden]


def _colon(quoted: str) -> str:
    return f":{quoted}" if quoted else ""


def _check_font(item: Any, fonts: dict[int, bool]) -> None:
    """Record whether the font of a text is embedded."""
    font = fast_pdfium.FPDFTextObj_GetFont(item)
    if font not in fonts:
        fonts[font] = bool(fast_pdfium.FPDFFont_GetIsEmbedded(font))


def _texts_beside(seen_texts: Sequence[_PageText], texts: Sequence[_PageText]) -> list[_PageText]:
    """Return the checked texts at the same height as an unchecked text, sorted by their top edges."""
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
    """Return the pairs of texts whose overlap is at least a quarter of the smaller box."""
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
