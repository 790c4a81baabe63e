"""The calibration sheet: scales and lines from which one reads off what a printer does; lengths in mm."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import pi
from typing import Any

from generator.model.picture import POINTS, XY, Item, Pen, Picture, Text, line
from generator.notation.words import words
from generator.press import Progress, silent
from generator.press.correction import begin, edge
from generator.press.layout.edition import Edition
from generator.press.layout.fitting import broken, wrapped
from generator.press.layout.furniture import furniture
from generator.press.pdf import fonts
from generator.press.pdf.canvas import Canvas
from generator.press.pdf.legible import FLOOR
from generator.symbols.shapes import strokes, turned

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
