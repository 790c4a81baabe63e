"""What a printer does to backs and scale, and the sheet that shows it.

Pages that make up for what a printer does to them; lengths in mm.

A sheet with scales on its front and lines on its back, to read off what a printer does; lengths in mm.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import ceil, cos, hypot, pi, radians, sin
from typing import Any

from generator.model.picture import POINTS, XY, Item, Pen, Picture, Text, line
from generator.notation.printers import Printer
from generator.notation.words import words
from generator.press import Progress, silent
from generator.press.layout.edition import Edition
from generator.press.layout.fitting import broken, wrapped
from generator.press.layout.furniture import furniture
from generator.press.layout.imposition import Box, Flip
from generator.press.layout.paper import EDGE, Paper
from generator.press.pdf import fonts
from generator.press.pdf.canvas import Canvas, Matrix
from generator.press.pdf.legible import FLOOR
from generator.press.pdf.units import MM
from generator.symbols.shapes import strokes, turned

STAYS: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def correction(printer: Printer, page: XY, back: Flip | None = None) -> Matrix:
    """What undoes the printer's doings on an upright page; on its back, if the sheet is turned over that edge.

    The back, seen from itself, lies the other way round from how it is seen through the front.
    """
    grow = 100.0 / printer.scale
    middle = page[0] / 2, page[1] / 2
    if back is None:
        return _about(middle, grow, 0.0, (0.0, 0.0))
    shift = (printer.dx, -printer.dy) if back == "long" else (-printer.dx, printer.dy)
    return _about(middle, grow, radians(printer.rotate), shift)


def _about(middle: XY, grow: float, turn: float, shift: XY) -> Matrix:
    """Shifted, then grown and turned about the middle."""
    c, s = grow * cos(turn), grow * sin(turn)
    x, y = shift[0] - middle[0], shift[1] - middle[1]
    return c, s, -s, c, middle[0] + c * x - s * y, middle[1] + s * x + c * y


def edge(printer: Printer, paper: Paper) -> float:
    """How far from the paper's edge everything must stay, lest it is pushed into what is not printed."""
    width, height = paper.width, paper.height
    swing = hypot(width, height) / 2 * sin(radians(abs(printer.rotate)))
    grown = max(0.0, 100.0 / printer.scale - 1.0) * max(width, height) / 2
    return EDGE + ceil(100 * (max(abs(printer.dx), abs(printer.dy)) + swing + grown)) / 100


def begin(canvas: Canvas, page: XY, printer: Printer, back: Flip | None = None, paired: bool = False) -> Matrix:
    """Begin a page of that size for that printer, and tell where its points come to lie.

    A page of two sides that must meet is always printed upright, what lies on its long side turned a quarter: a
    driver might turn it either way, and with it the way to make up for what it does.
    """
    matrix = STAYS
    if paired and printer.moves and page[0] > page[1]:
        matrix = (0.0, 1.0, -1.0, 0.0, page[1], 0.0)
        page = page[1], page[0]
    matrix = _then(matrix, correction(printer, page, back))
    canvas.set_page_size((round(page[0] * MM, 3), round(page[1] * MM, 3)))
    if matrix != STAYS:
        canvas.transform((*matrix[:4], matrix[4] * MM, matrix[5] * MM))
    return matrix


def _then(first: Matrix, then: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return p * a + r * b, q * a + s * b, p * c + r * d, q * c + s * d, p * e + r * f + t, q * e + s * f + u


def back(point: XY, by: Matrix) -> XY:
    """What comes to lie there."""
    (x, y), (a, b, c, d, e, f) = point, by
    det = a * d - b * c
    return (d * (x - e) - c * (y - f)) / det, (a * (y - f) - b * (x - e)) / det


def moved(point: XY, by: Matrix) -> XY:
    """Where a point comes to lie."""
    (x, y), (a, b, c, d, e, f) = point, by
    return a * x + c * y + e, b * x + d * y + f


def moved_box(box: Box, by: Matrix) -> Box:
    """The upright box round one that is moved."""
    left, bottom, right, top = box
    corners = [moved((x, y), by) for x in (left, right) for y in (bottom, top)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


PER_DEGREE = 4
"""By how many mm the lower and the upper scale differ for each degree of turn."""
ARM = PER_DEGREE * 180 / pi / 2
"""How far those two lie from the middle of the page."""
LENGTH = 200.0
"""The line whose length is measured."""
REACH = 10
"""How far a scale goes, both ways."""

_LINE = Pen("#000000", 0.2, round=False)
_HAIR = Pen("#000000", 0.12, round=False)
_MEASURE, _TEXT, _GAP = 30.0, 122.0, 6.0
"""Where the measured line stands, where the steps begin, and what parts them from the margin."""
_HIGH = 96.0
"""How far above the middle the steps begin."""
_BODY, _LEADING = 9.0, 4.4


def calibration(edition: Edition, progress: Progress = silent) -> bytes:
    """The PDF of the sheet's two pages: with the edition's printer all scales should read nought."""
    return fonts.enough(edition.lang, partial(_printed, edition), progress)


def _printed(edition: Edition) -> bytes:
    paper, flip, lang = edition.sheet, edition.imposing.flip, edition.lang
    say = words("", lang)
    told, title = say["calibration"], say["calibration"]["title"]
    canvas = Canvas(paper.size(), lang)
    canvas.describe(f"Muster · {title}", str(edition.printer))
    middle = paper.width / 2, paper.height / 2
    for number, side in enumerate(("front", "back"), 1):
        back = side == "back"
        begin(canvas, paper.sides(), edition.printer, flip if back else None)
        if back and flip == "short":
            canvas.translate(*paper.size())
            canvas.rotate(180)
        count = say["press"]["page"].format(n=number, m=2)
        above, below = (f"Muster · {title}", told[side]), (str(edition.printer), told[flip], count)
        furniture(paper, False, above, below, edge(edition.printer, paper)).write(canvas)
        items = (
            [*_pointers(middle)] if back else [*_scales(middle, told), *_measure(middle, told), *_steps(edition, say)]
        )
        canvas.draw(Picture(*paper.sides(), tuple(items)))
        canvas.show_page()
        canvas.file.page_done()
    return bytes(canvas.finish())


def _scales(middle: XY, told: Any) -> Iterator[Item]:
    """Two level scales far apart, and an upright one between them."""
    x, y = middle
    for up, name in ((ARM, "upper"), (-ARM, "lower")):
        yield from _scale((x, y + up), 0.0)
        yield Text(x + REACH + 4, y + up + 1, told[name], _BODY, bold=True)
    yield from _scale(middle, 90.0)
    yield Text(x + 4, y - 1, told["middle"], _BODY, bold=True)


def _scale(at: XY, turn: float) -> Iterator[Item]:
    """A scale in half millimetres with its nought in the middle, turned anticlockwise."""
    marks: list[tuple[XY, XY]] = [((-REACH, 0.0), (REACH, 0.0))]
    for half in range(-2 * REACH, 2 * REACH + 1):
        long = 4.0 if half % 10 == 0 else 2.6 if half % 2 == 0 else 1.5
        marks.append(((half / 2, 0.0), (half / 2, long)))
    moved = [(_there(a, at, turn), _there(b, at, turn)) for a, b in marks]
    yield strokes(moved, _HAIR)
    for number in (-10, -5, 0, 5, 10):
        x, y = _there((number, 5.2), at, turn)
        drop = 0.35 * FLOOR / POINTS if turn else 0.0
        text = f"{number:+d}".replace("-", "−") if number else "0"
        yield Text(x, y - drop, text, FLOOR, "end" if turn else "middle")


def _there(point: XY, at: XY, turn: float) -> XY:
    x, y = turned(point, turn)
    return at[0] + x, at[1] + y


def _measure(middle: XY, told: Any) -> Iterator[Item]:
    """The upright line to be measured."""
    low, high = middle[1] - LENGTH / 2, middle[1] + LENGTH / 2
    yield line(((_MEASURE, low), (_MEASURE, high)), _LINE)
    for end in (low, high):
        yield line(((_MEASURE - 4, end), (_MEASURE + 4, end)), _LINE)
    yield Text(_MEASURE + 6, middle[1] - 1, told["length"].format(mm=f"{LENGTH:g}"), _BODY, bold=True)


def _steps(edition: Edition, say: Any) -> Iterator[Item]:
    """What to do, step by step."""
    paper = edition.sheet
    room = paper.width - paper.margin - _TEXT - _GAP
    y = paper.height / 2 + _HIGH
    edge = say["calibration"][edition.imposing.flip]
    steps = (step.format(edge=edge, part=PER_DEGREE) for step in say["calibration_steps"].values())
    for number, step in enumerate(steps, 1):
        yield Text(_TEXT, y, f"{number}.", _BODY, bold=True)
        for part in wrapped(step, room, _BODY) or broken(step, room, _BODY):
            yield Text(_TEXT + _GAP, y, part, _BODY)
            y -= _LEADING
        y -= _LEADING / 2


def _pointers(middle: XY) -> Iterator[Item]:
    """On the back: the lines that are seen through the paper."""
    x, y = middle
    for up in (ARM, -ARM):
        yield line(((x, y + up - 8), (x, y + up + 8)), _LINE)
    yield line(((x - 12, y), (x + 12, y)), _LINE)
