"""Print the calibration sheet, which shows how a printer shifts, scales and rotates pages. Lengths are in mm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import pi
from typing import Any

from generator.model.picture import POINTS, XY, Item, Pen, Picture, Text, line
from generator.model.words import Lang
from generator.notation.words import words
from generator.press import Progress, silent
from generator.press.alternative_texts import sentence
from generator.press.correction import begin_page, safe_edge
from generator.press.layout.fitting import break_text, wrap_text
from generator.press.layout.furniture import furniture
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf import fonts
from generator.press.pdf.canvas import Canvas
from generator.press.pdf.legible import FLOOR
from generator.press.pdf.units import MM
from generator.symbols.shapes import strokes, turned

MM_PER_DEGREE = 4
"""Difference in mm between the readings of the upper and the lower scale per degree of rotation."""
SCALE_OFFSET = MM_PER_DEGREE * 180 / pi / 2
"""Distance of the upper and lower scales from the centre of the page, in mm."""
MEASURED_LENGTH = 200.0
"""Length of the line that the user measures, in mm."""
SCALE_REACH = 10
"""Length of a scale on each side of its zero, in mm."""

_LINE = Pen("#000000", 0.2, round=False)
_HAIR = Pen("#000000", 0.12, round=False)
_MEASURE_X, _STEPS_X, _NUMBER_GAP = 30.0, 122.0, 6.0
"""Horizontal positions of the measured line and of the steps, and distance of the steps from their numbers, in mm."""
_STEPS_TOP = 96.0
"""Height above the centre of the page at which the steps begin, in mm."""
_BODY, _LEADING = 9.0, 4.4
"""Type size of the instructions in points, and their line height in mm."""


def calibration_sheet(settings: PrintSettings, progress: Progress = silent) -> bytes:
    """Return the PDF of the calibration sheet, which has two pages.

    If it is printed with the right correction, every scale reads zero.
    """
    return fonts.with_enough_glyphs(settings.lang, partial(_print_sheet, settings), progress)


def _print_sheet(settings: PrintSettings) -> bytes:
    paper, flip, lang = settings.sheet, settings.imposition.flip, settings.lang
    texts = words("", lang)
    labels, title = texts["calibration"], texts["calibration"]["title"]
    canvas = Canvas(paper.size(), lang, tagged=True)
    canvas.describe(f"Muster · {title}", str(settings.printer))
    canvas.print_on_both_sides(flip)
    middle = paper.width / 2, paper.height / 2
    for number, side in enumerate(("front", "back"), 1):
        back = side == "back"
        begin_page(canvas, paper.sides(), settings.printer, flip if back else None)
        if back and flip == "short":
            canvas.translate(*paper.size())
            canvas.rotate(180)
        count = texts["press"]["page"].format(n=number, m=2)
        above, below = (f"Muster · {title}", labels[side]), (str(settings.printer), labels[flip], count)
        around = furniture(paper, False, above, below, safe_edge(settings.printer, paper))
        with canvas.tags.element("Sect", labels[side]):
            around.write_header(canvas, canvas.tags.reserve("H1"))
            items = _pointers(middle) if back else (*_scales(middle, labels), *_measure(middle, labels))
            alt = sentence(f"calibration_{side}", lang, mm=f"{MEASURED_LENGTH:g}", reach=SCALE_REACH)
            canvas.draw(Picture(*paper.sides(), tuple(items)), alt=alt)
            if not back:
                _write_steps(canvas, settings, texts)
            around.write_footer(canvas)
        canvas.show_page()
        canvas.file.write_page()
    return bytes(canvas.finish())


def _scales(middle: XY, labels: Any) -> Iterator[Item]:
    """Yield two horizontal scales far apart, and a vertical scale between them."""
    x, y = middle
    for up, name in ((SCALE_OFFSET, "upper"), (-SCALE_OFFSET, "lower")):
        yield from _scale((x, y + up), 0.0)
        yield Text(x + SCALE_REACH + 4, y + up + 1, labels[name], _BODY, bold=True)
    yield from _scale(middle, 90.0)
    yield Text(x + 4, y - 1, labels["middle"], _BODY, bold=True)


def _scale(at: XY, turn: float) -> Iterator[Item]:
    """Yield a scale in half millimetres with zero in the middle, rotated anticlockwise by `turn` degrees."""
    marks: list[tuple[XY, XY]] = [((-SCALE_REACH, 0.0), (SCALE_REACH, 0.0))]
    for half in range(-2 * SCALE_REACH, 2 * SCALE_REACH + 1):
        long = 4.0 if half % 10 == 0 else 2.6 if half % 2 == 0 else 1.5
        marks.append(((half / 2, 0.0), (half / 2, long)))
    moved = [(_placed_point(a, at, turn), _placed_point(b, at, turn)) for a, b in marks]
    yield strokes(moved, _HAIR)
    for number in (-10, -5, 0, 5, 10):
        x, y = _placed_point((number, 5.2), at, turn)
        drop = 0.35 * FLOOR / POINTS if turn else 0.0
        text = f"{number:+d}".replace("-", "−") if number else "0"
        yield Text(x, y - drop, text, FLOOR, "end" if turn else "middle")


def _placed_point(point: XY, at: XY, turn: float) -> XY:
    x, y = turned(point, turn)
    return at[0] + x, at[1] + y


def _measure(middle: XY, labels: Any) -> Iterator[Item]:
    """Yield the vertical line that the user measures."""
    low, high = middle[1] - MEASURED_LENGTH / 2, middle[1] + MEASURED_LENGTH / 2
    yield line(((_MEASURE_X, low), (_MEASURE_X, high)), _LINE)
    for end in (low, high):
        yield line(((_MEASURE_X - 4, end), (_MEASURE_X + 4, end)), _LINE)
    yield Text(_MEASURE_X + 6, middle[1] - 1, labels["length"].format(mm=f"{MEASURED_LENGTH:g}"), _BODY, bold=True)


def _write_steps(canvas: Canvas, settings: PrintSettings, texts: Any) -> None:
    """Write the numbered instructions as a list."""
    tags = canvas.tags
    with tags.element("L"):
        for number, text in _steps(settings, texts):
            with tags.element("LI"):
                with tags.element("Lbl"):
                    _write_texts(canvas, [number], settings.lang)
                with tags.element("LBody"):
                    _write_texts(canvas, text, settings.lang)


def _write_texts(canvas: Canvas, texts: Sequence[Text], lang: Lang) -> None:
    """Write lines of text as the content of the current element.

    An English line ends with a space, so that its last word is read apart from the next line.
    """
    end = " " if lang == "en" else ""
    with canvas.marked(canvas.tags.mark(), ""):
        for text in texts:
            canvas.fill(text.colour)
            canvas.text(text.x * MM, text.y * MM, text.text + end, text.size, bold=text.bold)


def _steps(settings: PrintSettings, texts: Any) -> Iterator[tuple[Text, list[Text]]]:
    """Yield the number and the lines of each instruction."""
    paper = settings.sheet
    room = paper.width - paper.margin - _STEPS_X - _NUMBER_GAP
    y = paper.height / 2 + _STEPS_TOP
    edge = texts["calibration"][settings.imposition.flip]
    steps = (step.format(edge=edge, part=MM_PER_DEGREE) for step in texts["calibration_steps"].values())
    for number, step in enumerate(steps, 1):
        parts = wrap_text(step, room, _BODY) or break_text(step, room, _BODY)
        lines = [Text(_STEPS_X + _NUMBER_GAP, y - at * _LEADING, part, _BODY) for at, part in enumerate(parts)]
        yield Text(_STEPS_X, y, f"{number}.", _BODY, bold=True), lines
        y -= _LEADING * (len(parts) + 0.5)


def _pointers(middle: XY) -> Iterator[Item]:
    """Yield the lines on the back of the sheet, which the user reads through the paper."""
    x, y = middle
    for up in (SCALE_OFFSET, -SCALE_OFFSET):
        yield line(((x, y + up - 8), (x, y + up + 8)), _LINE)
    yield line(((x - 12, y), (x + 12, y)), _LINE)
