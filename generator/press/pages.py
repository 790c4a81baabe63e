"""Paper, the filling of pages with flowables, and what stands above and below on every page."""

from __future__ import annotations

from collections import deque
from functools import cache
from itertools import takewhile
from typing import Any

import msgspec
from reportlab.platypus.flowables import PageBreak

from generator.errors import DataError, Problem, WrongUsageError, near
from generator.model.words import Words
from generator.notation.toml import read
from generator.press import BOLD, REGULAR, fonts
from generator.press.canvas import MM
from generator.press.flowables import Drawn, stack
from generator.press.styles import BLACK, FLOOR, LIGHT, ink
from generator.store.folders import shipped

_STRIP = 6.0 * MM
"""Height of the running header and of the footer, with the white towards the text."""
_SIZE = 7.5
_BIT = 0.01
_ORPHAN = 40.0
"""A heading stays with at least so much of what follows it, in points."""


class Paper(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sheet of paper and its margin, in mm."""

    name: Words
    width: float
    height: float
    margin: float

    def size(self, landscape: bool = False) -> tuple[float, float]:
        """Width and height in points, to the thousandth."""
        width, height = round(self.width * MM, 3), round(self.height * MM, 3)
        return (height, width) if landscape else (width, height)

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


class TooTallError(Exception):
    """Something is taller or wider than a whole page."""


Page = list[tuple[Any, float]]
"""Flowables, each with the depth of its foot below the top of the column, in points."""


def fill(canvas: Any, story: list[Any], width: float, height: float) -> list[Page]:
    """Pages of a column that size; headings stay with what follows them. TooTallError."""
    pages: list[Page] = [[]]
    rest = deque(story)
    y = after = 0.0
    while rest:
        flowable = rest.popleft()
        if isinstance(flowable, PageBreak):
            if pages[-1]:
                pages.append([])
                y = after = 0.0
            continue
        top = y + max(after, flowable.getSpaceBefore()) if pages[-1] else 0.0
        room = height - top
        if _elastic(flowable):
            below = _below(canvas, flowable, rest, width, height)
            room -= below
            if pages[-1] and _squeezed(canvas, flowable, width, room, height - below):
                rest.appendleft(flowable)
                pages.append([])
                y = after = 0.0
                continue
        wide, high = flowable.wrapOn(canvas, width, room)
        if wide > width + _BIT:
            raise TooTallError
        if top + high + _follows(canvas, flowable, rest, width) <= height + _BIT or (
            not pages[-1] and high <= height + _BIT
        ):
            y, after = top + high, flowable.getSpaceAfter()
            pages[-1].append((flowable, y))
        elif parts := _parts(canvas, flowable, width, height - top):
            first, *others = parts
            pages[-1].append((first, top + first.wrapOn(canvas, width, height - top)[1]))
            rest.extendleft(reversed(others))
            pages.append([])
            y = after = 0.0
        elif pages[-1]:
            rest.appendleft(flowable)
            pages.append([])
            y = after = 0.0
        else:
            raise TooTallError
    return pages if pages[-1] else pages[:-1]


def _elastic(flowable: Any) -> bool:
    return isinstance(flowable, Drawn) and flowable.elastic


def _below(canvas: Any, figure: Any, rest: deque[Any], width: float, height: float) -> float:
    """The height of what an elastic figure shares its page with: all up to the next page or such figure."""
    below = list(takewhile(lambda f: not isinstance(f, PageBreak) and not _elastic(f), rest))
    if not below:
        return 0.0
    gap = max(figure.getSpaceAfter(), below[0].getSpaceBefore())
    depth = gap + stack(canvas, below, width, height)[1]
    return depth if depth < height / 2 else 0.0


def _squeezed(canvas: Any, figure: Any, width: float, room: float, height: float) -> bool:
    """Whether the figure would be much larger on a page of its own."""
    if room < _ORPHAN:
        return True
    here, alone = (figure.wrapOn(canvas, width, high)[0] for high in (room, height))
    return bool(here < 0.75 * alone)


def _follows(canvas: Any, flowable: Any, rest: deque[Any], width: float) -> float:
    """The height that must be left under a heading."""
    if not flowable.getKeepWithNext() or not rest:
        return 0.0
    after = rest[0]
    if after.getKeepWithNext():
        return float(_ORPHAN)
    return float(max(flowable.getSpaceAfter(), after.getSpaceBefore()) + _least(canvas, after, width))


def _least(canvas: Any, flowable: Any, width: float) -> float:
    if isinstance(flowable, Drawn):
        return _ORPHAN
    return float(min(_ORPHAN, flowable.wrapOn(canvas, width, 1e6)[1]))


def _parts(canvas: Any, flowable: Any, width: float, room: float) -> list[Any]:
    """The flowable split so that its first part fits the room; empty where it cannot be."""
    if flowable.getKeepWithNext() or room < _ORPHAN:
        return []
    parts = flowable.splitOn(canvas, width, room)
    if len(parts) < 2 or parts[0].wrapOn(canvas, width, room)[1] > room + _BIT:
        return []
    return list(parts)


def furnish(canvas: Any, paper: Paper, landscape: bool, above: tuple[str, str], below: tuple[str, ...]) -> None:
    """The running header (left, right) and the footer (left, middle, right) of the current page."""
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
    for y in (top - 3.2, foot + _SIZE + 1.5):
        canvas.line(margin, y, width - margin, y)


def _fitting(texts: tuple[str, ...], width: float, place: str) -> float:
    """The type size at which the texts stand side by side; DataError where none does."""
    for size in (_SIZE, FLOOR):
        widths = [fonts.width(text, size, bold=True) for text in texts]
        needed = sum(widths) + 6 * MM if len(texts) == 2 else 2 * max(widths[0], widths[-1]) + widths[1] + 8 * MM
        if needed <= width:
            return size
    raise DataError(Problem(f"the {place} does not fit on one line: {' | '.join(texts)}", hint="shorten the title"))
