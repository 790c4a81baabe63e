"""What stands on a page besides paragraphs and tables: single lines, pictures, panels, rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus.flowables import Flowable

from generator.errors import DoesNotFitError
from generator.model.picture import Picture
from generator.press.canvas import MM, draw
from generator.press.pieces.marks import Mark
from generator.press.sheets.forms import Asked
from generator.press.type.styles import BLACK, LIGHT, Align, ink

_BIT = 0.01
_HEAVY = 3.0
"""The line round a framed panel, in points."""
_SHARE = {"left": 0.0, "centre": 0.5, "right": 1.0}


class Line(Flowable):
    """A text that is known to fit on one line: what a paragraph looks like, at a tenth of the cost."""

    def __init__(self, text: str, style: ParagraphStyle) -> None:
        super().__init__()
        self.text, self.style = text, style
        self.spaceBefore, self.spaceAfter = style.spaceBefore, style.spaceAfter
        self.keepWithNext = style.keepWithNext

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """As platypus asks; points."""
        self.width, self.height = width, self.style.leading
        return width, self.height

    def draw(self) -> None:
        """As platypus asks."""
        style = self.style
        self.canv.setFillColor(style.textColor)
        self.canv.setFont(style.fontName, style.fontSize)
        y = style.leading - style.fontSize
        if style.alignment == 2:
            self.canv.drawRightString(self.width, y, self.text)
        elif style.alignment == 1:
            self.canv.drawCentredString(self.width / 2, y, self.text)
        else:
            self.canv.drawString(style.leftIndent, y, self.text)


class Drawn(Flowable):
    """A picture made to measure: `make` gets the width and height there are, in mm.

    An elastic one takes what room there is, and leaves some on its page for what follows it.
    """

    def __init__(self, make: Callable[[float, float], Picture], align: Align = "left", elastic: bool = False) -> None:
        super().__init__()
        self.make, self.align, self.elastic = make, align, elastic
        self.spaceAfter = 3.0

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """As platypus asks; points."""
        self.picture = self.make(width / MM, height / MM)
        if self.picture.width > width / MM + _BIT:
            raise DoesNotFitError(f"a figure {self.picture.width:.1f} mm wide stands in {width / MM:.1f} mm")
        self.shift = _SHARE[self.align] * max(0.0, width / MM - self.picture.width)
        return self.picture.width * MM, self.picture.height * MM

    def draw(self) -> None:
        """As platypus asks."""
        draw(self.canv, self.picture, self.shift, 0)


class Fillable(Drawn):
    """A mark made to the width there is, in mm; in a fillable edition fields lie over its spots."""

    def __init__(self, make: Callable[[float], Mark], align: Align, asked: Asked) -> None:
        super().__init__(self._picture, align)
        self.mark, self.asked = make, asked

    def _picture(self, width: float, _height: float) -> Picture:
        picture, self.spots = self.mark(width)
        return picture

    def draw(self) -> None:
        """As platypus asks."""
        super().draw()
        if self.asked.form:
            x, y = self.canv.absolutePosition(self.shift * MM, 0)
            self.asked.form.add(self.spots, x, y, self.asked)


class Panel(Flowable):
    """Columns of flowables side by side, each (width, flowables) in points, that stay on one page.

    `pad` is the room around them all, filled with `tint` or, where they are framed, within a heavy line.
    """

    def __init__(
        self,
        columns: Sequence[tuple[float, list[Any]]],
        gap: float = 0.0,
        pad: float = 0.0,
        tint: str = "",
        ruled: bool = False,
        framed: bool = False,
    ) -> None:
        super().__init__()
        self.columns, self.gap, self.pad, self.tint, self.ruled = columns, gap, pad, tint, ruled
        self.framed = framed
        heads = [flowables[0] for _, flowables in columns if flowables]
        self.spaceBefore = max((4.0 if tint or framed else 0.0, *(f.getSpaceBefore() for f in heads)))
        self.spaceAfter = 5.0

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """As platypus asks; points."""
        self.places: list[tuple[Any, float, float]] = []
        x, tallest = self.pad, 0.0
        for column, flowables in self.columns:
            placed, depth = stack(self.canv, flowables, column, height - 2 * self.pad)
            self.places += [(f, x, y) for f, y in placed]
            tallest = max(tallest, depth)
            x += column + self.gap
        self.width, self.height = width, tallest + 2 * self.pad
        return self.width, self.height

    def draw(self) -> None:
        """As platypus asks."""
        if self.tint:
            self.canv.setFillColor(ink(self.tint))
            self.canv.rect(0, 0, self.width, self.height, stroke=0, fill=1)
        if self.framed:
            self.canv.setStrokeColor(ink(BLACK))
            self.canv.setLineWidth(_HEAVY)
            self.canv.rect(_HEAVY / 2, _HEAVY / 2, self.width - _HEAVY, self.height - _HEAVY, stroke=1, fill=0)
        if self.ruled:
            self.canv.setStrokeColor(ink(LIGHT))
            self.canv.setLineWidth(0.4)
            x = self.pad - self.gap / 2
            for column, _ in self.columns[:-1]:
                x += column + self.gap
                self.canv.line(x, 0, x, self.height)
        for flowable, x, y in self.places:
            flowable.drawOn(self.canv, x, self.height - self.pad - y)


def stack(canvas: Any, flowables: list[Any], width: float, height: float) -> tuple[list[tuple[Any, float]], float]:
    """Flowables one below the other: each with the depth of its foot, and the depth of all, in points."""
    placed: list[tuple[Any, float]] = []
    y = after = 0.0
    for flowable in flowables:
        if placed:
            y += max(after, flowable.getSpaceBefore())
        y += flowable.wrapOn(canvas, width, max(0.0, height - y))[1]
        placed.append((flowable, y))
        after = flowable.getSpaceAfter()
    return placed, y


class Rule(Flowable):
    """A light line across the column."""

    spaceBefore = spaceAfter = 4.0  # noqa: N815 - ReportLab reads these names

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """As platypus asks; points."""
        self.width = width
        return width, 0.4

    def draw(self) -> None:
        """As platypus asks."""
        self.canv.setStrokeColor(ink(LIGHT))
        self.canv.setLineWidth(0.4)
        self.canv.line(0, 0.2, self.width, 0.2)
