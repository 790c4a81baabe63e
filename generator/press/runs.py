"""Print runs of pieces on sheets of paper, first the fronts and then the backs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from generator.errors import DataError, DoesNotFitError
from generator.localization import tr
from generator.model.picture import XY, Pen, Picture, polygon, rectangle
from generator.model.views import Piece, Printed, Run
from generator.model.words import Lang, Words
from generator.press.alternative_texts import describe_face
from generator.press.correction import begin_page, safe_edge, transformed_box
from generator.press.figures.cards import draw_face, hexagon
from generator.press.layout.imposition import (
    FOOT,
    GAPS,
    Flip,
    Imposition,
    Layout,
    Segment,
    lay_out,
    lay_out_on_die,
    trimmed_size,
)
from generator.press.layout.print_settings import PrintSettings
from generator.press.layout.styles import BLACK
from generator.press.pdf import fonts
from generator.press.pdf.canvas import JOINT, Canvas, Matrix, PageBox
from generator.press.pdf.counting import CountedWriter
from generator.press.pdf.legible import FLOOR
from generator.press.pdf.units import MM
from generator.symbols.shapes import strokes

MARK_WIDTH = 0.12
"""Width of crop marks and cut lines in mm, which is 0.34 pt."""
TILE_BLEED = 1.0
"""Bleed in mm of a rectangular tile among hexes. With a larger bleed, its corners would overlap the neighbouring
hexes."""
FOLD_PEN = Pen("#606060", MARK_WIDTH, (3.0, 1.5), round=False)


class FootMarks(Struct, frozen=True):
    """The operators that begin the marks of the line at the bottom of a page: its left text, notes and notices.

    Texts with an empty operator are not read aloud.
    """

    heading: str = ""
    notes: str = ""
    notices: str = ""


class SheetSide(Struct, frozen=True):
    """Whether one side of a sheet shows fronts or backs, and in which language."""

    back: bool
    lang: Lang


class FootLine(Struct, frozen=True):
    """The texts of the line at the bottom of a page of pieces or of a poster, without the page count."""

    names: tuple[str, ...]
    """The code if there is one, the game and the sheet, for the left."""
    notes: tuple[str, ...]
    """Notes on the sheet for the middle."""
    notices: tuple[str, ...]
    """Notices on the kit for the middle, behind the notes. The most important is last."""

    def choices(self) -> Iterator[tuple[str, str, str]]:
        """Yield the left text, the notes with the joint behind them, and the notices, the longest first."""
        *code, _, name = self.names
        short = JOINT.join((*code, name))
        yield JOINT.join(self.names), *self._middle(0)
        for first in range(len(self.notes) + len(self.notices) + 1):
            yield short, *self._middle(first)

    def _middle(self, first: int) -> tuple[str, str]:
        """Return the notes with the joint behind them, and the notices, without the first ones."""
        notes, notices = self.notes[first:], self.notices[max(0, first - len(self.notes)) :]
        return JOINT.join(notes) + (JOINT if notes and notices else ""), JOINT.join(notices)


class RunPage(Struct, frozen=True):
    """A printed page of pieces, which shows fronts, backs, or both on either side of a fold."""

    layout: Layout
    pieces: tuple[Piece, ...]
    sides: tuple[SheetSide, ...]
    paired: bool
    """Whether the page must align with the page on the other side of the paper."""
    tile: XY
    """Size in mm of a rectangular tile that is placed on a hex."""

    @property
    def lang(self) -> Lang:
        """The language of the line at the bottom."""
        return self.sides[0].lang

    @property
    def back(self) -> bool:
        """Whether the page is printed on the back of the paper."""
        return self.sides[0].back


def merge_runs(sheets: Iterable[Printed], settings: PrintSettings) -> tuple[Printed, ...]:
    """Return the sheets in order. A run is merged with the previous run if it fits on that run's last sheet."""
    found: list[Printed] = []
    for sheet in sheets:
        before = found[-1] if found else None
        if isinstance(before, Run) and isinstance(sheet, Run) and _can_share(before, sheet, settings):
            both = _join_runs(before, sheet)
            if _sheet_count(both, settings) == _sheet_count(before, settings):
                found[-1] = both
                continue
        found.append(sheet)
    return tuple(found)


def _can_share(one: Run, other: Run, settings: PrintSettings) -> bool:
    """Return whether two runs may share a sheet.

    This requires pieces of the same size, or hexes followed by tiles with sufficient gaps between the hexes.
    """
    alike = ((run.part, run.note, run.hex, run.gap, _has_backs(run)) for run in (one, other))
    if next(alike) != next(alike):
        return False
    gap = settings.imposition.gap
    roomy = gap is None or gap >= GAPS["hex"]
    return (one.cut, one.share) == (other.cut, other.share) or (one.cut == "hex" and other.cut == "tile" and roomy)


def _join_runs(one: Run, other: Run) -> Run:
    title = Words(f"{one.title.en} · {other.title.en}", f"{one.title.ja}・{other.title.ja}")
    more = (replace(piece, placed=one.cut != other.cut) for piece in other.pieces)
    return replace(one, title=title, pieces=(*one.pieces, *more))


def _sheet_count(run: Run, settings: PrintSettings) -> int:
    """Return the number of sheets that the fronts of a run need."""
    return ceil(len(run.pieces) / len(_run_layout(run, settings).slots))


def _has_backs(run: Run) -> bool:
    return any(piece.back for piece in run.pieces)


def _run_layout(run: Run, settings: PrintSettings) -> Layout:
    imposition = settings.imposition
    if imposition.die:
        return lay_out_on_die(imposition.die, run.cut)
    piece, folded = (
        trimmed_size(run.cut, run.hex, imposition, run.share),
        imposition.fold and not imposition.single and _has_backs(run),
    )
    room = safe_edge(settings.printer, settings.sheet)
    gap = run.gap if imposition.gap is None else imposition.gap
    return lay_out(settings.sheet, run.cut, piece, len(run.pieces), gap, room, folded, imposition.crop_marks)


def run_pages(run: Run, settings: PrintSettings, lang: Lang, behind: Lang | None = None) -> list[RunPage]:
    """Return the pages of a run in printing order. Each page of fronts is followed by its backs.

    The backs are in the language `behind`, if it is given.
    """
    imposition, layout = settings.imposition, _run_layout(run, settings)
    backs = not imposition.single and _has_backs(run)
    sides = (SheetSide(False, lang), SheetSide(True, behind or lang))
    together = [sides] if layout.fold else [(side,) for side in sides[: 1 + backs]]
    if imposition.backs_only:
        together = [(sides[1],)]
    slots = len(layout.slots)
    return [
        RunPage(
            layout,
            run.pieces[first : first + slots],
            page,
            backs and not layout.fold and not imposition.backs_only,
            trimmed_size("tile", run.hex, imposition),
        )
        for first in range(0, len(run.pieces), slots)
        for page in together
    ]


def with_fronts_on_backs(run: Run) -> Run:
    """Return a run in which each piece's front is also its back, to be printed there in another language."""
    return replace(run, pieces=tuple(replace(piece, back=piece.front) for piece in run.pieces))


def print_run_page(
    canvas: Canvas,
    page: RunPage,
    settings: PrintSettings,
    line: FootLine,
    counted: CountedWriter,
    foot: FootMarks,
) -> None:
    """Draw a page of pieces, with a line at the bottom, which is read first."""
    layout, imposition = page.layout, settings.imposition
    by = begin_page(canvas, layout.page, settings.printer, imposition.flip if page.back else None, page.paired)
    above = page.back and not layout.upright(imposition.flip)
    size, keep = layout.page, layout.edge  # Keep only these two values in memory until the page total is known.
    if layout.has_foot:
        counted(lambda count: write_foot_line(canvas, size, line, count, above, keep, foot))
    else:
        counted(lambda _: _write_no_foot_line(canvas, foot))
    used: list[XY] = []
    marks: list[Segment] = []
    for side in page.sides:
        slots = _slots(page, side, imposition)
        for index, slot in enumerate(slots):
            _print_piece(canvas, page, side, settings, index, slot)
        used += slots
        found = layout.marks(len(page.pieces))
        marks += [_mirrored_mark(mark, layout, imposition.flip) for mark in found] if side.back else found
    _set_page_boxes(canvas, layout, used, by)
    lines = [strokes(marks, Pen("#000000", MARK_WIDTH, round=False))] if marks else []
    if layout.fold:
        lines.append(strokes([_fold_line(layout)], FOLD_PEN))
    if lines:
        canvas.draw(Picture(*layout.page, tuple(lines)))
    canvas.show_page()
    canvas.set_box("trim", None)
    canvas.set_box("bleed", None)


def _slots(page: RunPage, side: SheetSide, imposition: Imposition) -> list[XY]:
    """Return the positions of the pieces on one side."""
    layout = page.layout
    fronts = layout.slots[: len(page.pieces)]
    return [layout.behind(slot, imposition.flip) for slot in fronts] if side.back else list(fronts)


def _print_piece(
    canvas: Canvas, page: RunPage, side: SheetSide, settings: PrintSettings, index: int, slot: XY
) -> None:
    """Draw a piece in its slot."""
    layout, piece = page.layout, page.pieces[index]
    face = piece.back if side.back else piece.front
    if face is None:
        return
    left, below, right, above = layout.bleeds(index)
    bleeds = (right, below, left, above) if side.back else (left, below, right, above)
    cut, size = layout.cut, layout.piece
    if piece.placed:
        cut, size, bleeds = "tile", page.tile, (TILE_BLEED,) * 4
        slot = slot[0] + (layout.piece[0] - size[0]) / 2, slot[1] + (layout.piece[1] - size[1]) / 2
    try:
        items = draw_face(face, cut, side.lang, settings.ink, size, bleeds)
    except (DataError, DoesNotFitError) as error:
        problems = (
            p.but(message=tr("{place}: {message}", place=piece.name, message=p.message)) for p in error.problems
        )
        raise type(error)(*problems) from error
    if layout.cut == "hex" and not side.back and not layout.hex_marks and not layout.precut:
        line = Pen("#404040", MARK_WIDTH)
        items.append(rectangle(0, 0, *size, None, line) if piece.placed else polygon(hexagon(size[0]), None, line))
    turned = side.back and not layout.upright(settings.imposition.flip)
    alt = describe_face(face, side.lang) if canvas.tags.active else ""
    canvas.draw(Picture(*size, tuple(items)), *slot, turned=turned, alt=alt, lang=side.lang)


def _fold_line(layout: Layout) -> Segment:
    """Return the line along which the sheet is folded."""
    (width, height), edge = layout.page, layout.edge
    if layout.fold == "upright":
        return (width / 2, edge + FOOT), (width / 2, height - edge)
    return (edge, height / 2), (width - edge, height / 2)


def _mirrored_mark(mark: Segment, layout: Layout, flip: Flip) -> Segment:
    """Return the position of a crop mark on the back of the sheet."""
    width, height = layout.page
    if layout.upright(flip):
        return (width - mark[0][0], mark[0][1]), (width - mark[1][0], mark[1][1])
    return (mark[0][0], height - mark[0][1]), (mark[1][0], height - mark[1][1])


def _set_page_boxes(canvas: Canvas, layout: Layout, slots: Sequence[XY], by: Matrix) -> None:
    """Set the TrimBox around all pieces of the page, and the BleedBox around their bleed."""
    (w, h), bleed = layout.piece, layout.outer
    left, bottom = min(x for x, _ in slots), min(y for _, y in slots)
    right, top = max(x for x, _ in slots) + w, max(y for _, y in slots) + h
    boxes: tuple[tuple[PageBox, float], ...] = (("trim", 0.0), ("bleed", bleed))
    for name, out in boxes:
        box = transformed_box((left - out, bottom - out, right + out, top + out), by)
        canvas.set_box(name, tuple(round(side * MM, 3) for side in box))


def _write_no_foot_line(canvas: Canvas, marks: FootMarks) -> None:
    """Use the marks of a line at the bottom for which a sheet with cut places has no room."""
    for mark in (marks.heading, marks.notes, marks.notices):
        with canvas.marked(mark, "Footer"):
            pass


def write_foot_line(
    canvas: Canvas,
    page: XY,
    line: FootLine,
    count: str,
    above: bool,
    edge: float,
    marks: FootMarks,
) -> None:
    """Write the line that identifies the page at the bottom of the page, or at the top if `above` is true.

    No text is cut. If the line is too long, the name of the game is left out, and then notes from the first on.
    Texts without a mark are artifacts.

    Raises:
        DoesNotFitError: If even the name of the sheet and the last note are too long.
    """
    width, height = (side * MM for side in page)
    margin, size = edge * MM, FLOOR
    y = height - margin - size if above else margin + 0.24 * size
    room = width - 2 * margin
    for left, notes, notices in line.choices():
        middle = notes + notices
        wide = [fonts.width(left, size, bold=True), fonts.width(middle, size), fonts.width(count, size)]
        if sum(wide) + 8 * MM <= room:
            break
    else:
        raise DoesNotFitError(
            tr("the line at the foot of the page does not fit: {line}", line=" | ".join((left, middle, count))),
            hint=tr("shorten the title"),
        )
    canvas.fill(BLACK)
    with canvas.marked(marks.heading, "Footer"):
        canvas.text(margin, y, left, size, bold=True)
    # The middle text is centred between the texts at both ends.
    begin = margin + (wide[0] + room - wide[2] - wide[1]) / 2
    for text, mark, x in ((notes, marks.notes, begin), (notices, marks.notices, begin + fonts.width(notes, size))):
        if text or mark:
            with canvas.marked(mark, "Footer"):
                canvas.text(x, y, text, size)
    with canvas.artifact("Footer"):
        canvas.text(width - margin, y, count, size, share=1.0)
