"""Paper, and what stands above and below on every page."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from generator.errors import DoesNotFitError, Problem, WrongUsageError, near
from generator.model.words import Words
from generator.notation.toml import read
from generator.press import BOLD, REGULAR
from generator.press.canvas import MM
from generator.press.type import fonts
from generator.press.type.styles import BLACK, FLOOR, LIGHT, ink
from generator.store.folders import shipped

_STRIP = 6.0 * MM
"""Height of the running header and of the footer, with the white towards the text."""
_SIZE = 7.5


class Paper(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sheet of paper and its margin, in mm."""

    name: Words
    width: float
    height: float
    margin: float

    def sides(self, landscape: bool = False) -> tuple[float, float]:
        """Width and height in mm."""
        return (self.height, self.width) if landscape else (self.width, self.height)

    def size(self, landscape: bool = False) -> tuple[float, float]:
        """Width and height in points, to the thousandth."""
        width, height = self.sides(landscape)
        return round(width * MM, 3), round(height * MM, 3)

    def column(self, landscape: bool = False) -> tuple[float, float]:
        """Width and height, in points, of what a page has for its text."""
        width, height = self.size(landscape)
        return width - 2 * self.margin * MM, height - 2 * (self.margin * MM + _STRIP)

    def corner(self, landscape: bool = False) -> tuple[float, float]:
        """The upper left corner of that column, in points from the page's lower left."""
        return self.margin * MM, self.size(landscape)[1] - self.margin * MM - _STRIP


@cache
def papers() -> dict[str, Paper]:
    """The papers of data/papers.toml by name."""
    return read(shipped("data") / "papers.toml", dict[str, Paper], "data/papers.toml")


def paper_named(name: str) -> Paper:
    """The paper of that name; WrongUsageError where there is none."""
    try:
        return papers()[name]
    except KeyError:
        raise WrongUsageError(Problem(f'no paper "{name}"', hint=near(name, papers()))) from None


def furnish(canvas: Any, paper: Paper, landscape: bool, above: tuple[str, str], below: tuple[str, ...]) -> None:
    """The running header (left, right) and the footer (left, middle, right) of the current page.

    A header without words has no line below it.
    """
    width, height = paper.size(landscape)
    margin = paper.margin * MM
    top, foot = height - margin - _SIZE, margin + 1.5
    size = _fitting(above, width - 2 * margin, "header")
    canvas.setFillColor(ink(BLACK))
    canvas.setFont(BOLD, size)
    canvas.drawString(margin, top, above[0])
    canvas.setFont(REGULAR, size)
    canvas.drawRightString(width - margin, top, above[1])
    size = _fitting(below, width - 2 * margin, "footer")
    left, middle, right = below
    canvas.setFont(BOLD, size)
    canvas.drawString(margin, foot, left)
    canvas.setFont(REGULAR, size)
    canvas.drawCentredString(width / 2, foot, middle)
    canvas.drawRightString(width - margin, foot, right)
    canvas.setStrokeColor(ink(LIGHT))
    canvas.setLineWidth(0.4)
    for y in (*([top - 3.2] if any(above) else []), foot + _SIZE + 1.5):
        canvas.line(margin, y, width - margin, y)


def _fitting(texts: tuple[str, ...], width: float, place: str) -> float:
    """The type size at which the texts stand side by side; DoesNotFitError where none does."""
    for size in (_SIZE, FLOOR):
        widths = [fonts.width(text, size, bold=True) for text in texts]
        needed = sum(widths) + 6 * MM if len(texts) == 2 else 2 * max(widths[0], widths[-1]) + widths[1] + 8 * MM
        if needed <= width:
            return size
    raise DoesNotFitError(
        Problem(f"the {place} does not fit on one line: {' | '.join(texts)}", hint="shorten the title")
    )
