"""Runs of pieces on their sheets of paper: fronts, then the backs that lie behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from generator.errors import DataError, DoesNotFitError, Problem
from generator.model.picture import XY, Pen, Picture, polygon
from generator.model.views import Piece, Run
from generator.model.words import Lang
from generator.press import BOLD, REGULAR, fonts
from generator.press.canvas import MM, draw
from generator.press.faces import draw_face, hexagon
from generator.press.imposition import BLEED, EDGE, Flip, Imposing, Layout, Segment, lay_out, trim
from generator.press.pages import Paper
from generator.press.styles import BLACK, FLOOR
from generator.press.styles import ink as ink_of
from generator.press.symbols.shapes import strokes

MARK = 0.12
"""The width of crop marks and cutting lines in mm: 0.34 pt."""


@dataclass(frozen=True)
class RunPage:
    """One side of a sheet: its slots filled with pieces, fronts or backs."""

    layout: Layout
    pieces: tuple[Piece, ...]
    back: bool


def run_pages(run: Run, paper: Paper, how: Imposing) -> list[RunPage]:
    """Every side to be printed in the order of printing: each page of fronts, then its backs."""
    layout = lay_out(paper, run.cut, trim(run.cut, run.hex, how), len(run.pieces), how.gap)
    pages: list[RunPage] = []
    room = len(layout.slots)
    for first in range(0, len(run.pieces), room):
        pieces = run.pieces[first : first + room]
        pages.append(RunPage(layout, pieces, False))
        if not how.single and any(piece.back for piece in run.pieces):
            pages.append(RunPage(layout, pieces, True))
    return pages


def both_sides(run: Run) -> Run:
    """The run with each piece's own face on its back, to be printed there in another language."""
    return replace(run, pieces=tuple(replace(piece, back=piece.front) for piece in run.pieces))


def print_page(canvas: Any, page: RunPage, how: Imposing, lang: Lang, ink: str, line: tuple[str, str, str]) -> None:
    """Draw one side; `line` is what stands at the foot: left, middle, right."""
    layout = page.layout
    turned = page.back and not layout.upright(how.flip)
    slots = [layout.behind(slot, how.flip) if page.back else slot for slot in layout.slots[: len(page.pieces)]]
    canvas.setPageSize(tuple(round(side * MM, 3) for side in layout.page))
    _state_boxes(canvas, layout, slots)
    for index, (piece, slot) in enumerate(zip(page.pieces, slots, strict=True)):
        face = piece.back if page.back else piece.front
        if face is None:
            continue
        left, below, right, above = layout.bleeds(index)
        bleeds = (right, below, left, above) if page.back else (left, below, right, above)
        try:
            items = draw_face(face, layout.cut, lang, ink, layout.piece, bleeds)
        except (DataError, DoesNotFitError) as error:
            raise type(error)(
                *(replace(p, message=f"{piece.name[lang]}: {p.message}") for p in error.problems)
            ) from error
        if layout.cut == "hex" and not page.back:
            items.append(polygon(hexagon(layout.piece[0]), None, Pen("#404040", MARK)))
        draw(canvas, Picture(*layout.piece, tuple(items)), *slot, turned=turned)
    marks = [_behind(mark, layout, how.flip) if page.back else mark for mark in layout.marks(len(page.pieces))]
    if marks:
        draw(canvas, Picture(*layout.page, (strokes(marks, Pen("#000000", MARK, round=False)),)))
    write_line(canvas, layout.page, line, above=turned)
    canvas.showPage()
    for box in ("trim", "bleed"):
        canvas.setCropBox(None, box)


def _behind(mark: Segment, layout: Layout, flip: Flip) -> Segment:
    """A mark as it lies on the back of the sheet."""
    width, height = layout.page
    if layout.upright(flip):
        return (width - mark[0][0], mark[0][1]), (width - mark[1][0], mark[1][1])
    return (mark[0][0], height - mark[0][1]), (mark[1][0], height - mark[1][1])


def _state_boxes(canvas: Any, layout: Layout, slots: Sequence[XY]) -> None:
    """TrimBox: round all pieces of the page; BleedBox: with their bleed."""
    (w, h), bleed = layout.piece, layout.inner if layout.cut == "hex" else BLEED
    left, bottom = min(x for x, _ in slots), min(y for _, y in slots)
    right, top = max(x for x, _ in slots) + w, max(y for _, y in slots) + h
    for name, by in (("trim", 0.0), ("bleed", bleed)):
        box = (left - by, bottom - by, right + by, top + by)
        canvas.setCropBox([round(side * MM, 3) for side in box], name)


def write_line(canvas: Any, page: XY, line: tuple[str, str, str], above: bool) -> None:
    """What the page is, in one line at its foot; above, where the sheet was turned head over heels."""
    width, height = (side * MM for side in page)
    margin, size = EDGE * MM, FLOOR
    y = height - margin - size if above else margin + 0.24 * size
    left, middle, right = line
    room = width - 2 * margin
    wide = [fonts.width(left, size, bold=True), fonts.width(middle, size), fonts.width(right, size)]
    if sum(wide) + 6 * MM > room:
        raise DoesNotFitError(
            Problem(f"the line at the foot does not fit: {' | '.join(line)}", hint="shorten the title")
        )
    canvas.setFillColor(ink_of(BLACK))
    canvas.setFont(BOLD, size)
    canvas.drawString(margin, y, left)
    canvas.setFont(REGULAR, size)
    # In the middle of what is left between the two ends.
    canvas.drawCentredString(margin + (wide[0] + room - wide[2]) / 2, y, middle)
    canvas.drawRightString(width - margin, y, right)
