"""What stands in a text column.

What stands on a page besides paragraphs: tables, pictures, panels, rules.

Filling pages with flowables, from the top down.

Lines that tell how many pages there are in all, which is known only when the last one is made.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, groupby, takewhile
from sys import intern
from typing import Any, Literal

import msgspec

from generator.errors import DoesNotFitError
from generator.model.picture import Picture
from generator.press.canvas import MM, draw, page_done, promised, stream
from generator.press.forms import Asked, Mark, Spot
from generator.press.text import BLACK, DARK, HEAVY, LIGHT, RULE, TINT, Align, ink
from generator.said import say

_BIT = 0.01
_DEEP = 72_000.0
"""Deeper than any cell of a table, in points."""
_ACROSS = 12.0
"""The least height of what stands across several columns of a table, in points: small type has some air there."""
_HEAVY = 3.0
"""The line round a framed panel, in points."""
_SHARE = {"left": 0.0, "centre": 0.5, "right": 1.0}


class Flowable:
    """Something in a column, all in points: asked for its size, perhaps split, then drawn."""

    before = after = 0.0
    """White above it and below it, where something else stands there."""
    heads = False
    """It stays with what follows it."""

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """How wide and how high it is in that room."""
        raise NotImplementedError

    def split(self, width: float, height: float) -> list[Flowable]:
        """Parts of which the first fits that room; none where it stays whole."""
        return []

    def draw_on(self, canvas: Any, x: float, y: float) -> None:
        """Draw it with its lower left corner there."""
        matrix = canvas._currentMatrix
        # ReportLab would keep two dozen settings more, of which nothing here asks.
        canvas._code.append("q")
        canvas.translate(x, y)
        self.draw(canvas)
        canvas._code.append("Q")
        canvas._currentMatrix = matrix

    def draw(self, canvas: Any) -> None:
        """Draw it with its lower left corner in the origin; nothing where there is nothing to see."""


class Spacer(Flowable):
    """So much room and nothing in it, in points."""

    def __init__(self, height: float) -> None:
        self.height = height

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Its height wherever it stands."""
        return width, self.height


class PageBreak(Flowable):
    """What follows it stands on the next page."""


Stand = Literal["top", "middle", "bottom"]
Rules = Literal["light", "none", "grid", "lines"]


class Cell(msgspec.Struct, frozen=True):
    """What stands in a cell of a table, across so many columns, and where in the height that its row has."""

    flowables: list[Any]
    across: int
    stand: Stand


class Row(msgspec.Struct, frozen=True):
    """A row of a table; it is at least so high, in points."""

    cells: Sequence[Cell]
    low: float
    tinted: bool


class Grid(Flowable):
    """A table whose columns are so wide, in points; its first rows are a head, which stands on every page it reaches.

    `pad` is the room above and below what is in a cell, `side` the room beside it. One that goes on from another
    page is `cut`. Each row is measured once.
    """

    def __init__(
        self,
        rows: Sequence[Row],
        widths: Sequence[float],
        head: int,
        room: tuple[float, float],
        rules: Rules,
        heights: Sequence[float] = (),
        cut: bool = False,
    ) -> None:
        self.rows, self.widths, self.head, self.rules, self.cut = rows, widths, head, rules, cut
        self.pad, self.side = room
        self.edges = list(accumulate(widths, initial=0.0))
        self.heights = heights

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """As wide as its columns, as high as its rows."""
        self.heights = self.heights or [self._high(row) for row in self.rows]
        return self.edges[-1], self._tops()[0]

    def split(self, width: float, height: float) -> list[Flowable]:
        """Between two rows, below the head."""
        depths = accumulate(self.heights)
        fit = sum(1 for _ in takewhile(lambda depth: depth <= height, depths))
        if fit <= self.head:
            return []
        if fit == len(self.rows):
            return [self]
        rows, heights = ((*of[: self.head], *of[fit:]) for of in (self.rows, self.heights))
        parts = (self.rows[:fit], self.heights[:fit], self.cut), (rows, heights, True)
        made = [Grid(r, self.widths, self.head, (self.pad, self.side), self.rules, h, cut) for r, h, cut in parts]
        made[0].before, made[1].after = self.before, self.after
        return [*made]

    def draw(self, canvas: Any) -> None:
        """Tints, then what stands in the cells, then the rules."""
        tops, wide = self._tops(), self.edges[-1]
        for row, top, bottom in zip(self.rows, tops, tops[1:], strict=False):
            if row.tinted:
                canvas.setFillColor(ink(TINT))
                canvas.rect(0, top, wide, bottom - top, stroke=0, fill=1)
        for row, top, bottom in zip(self.rows, tops, tops[1:], strict=False):
            column = 0
            for cell in row.cells:
                self._put(canvas, cell, column, bottom, top - bottom)
                column += cell.across
        if self.rules != "none":
            canvas.setLineCap(1)
            canvas.setLineJoin(1)
            (self._framed if self.rules == "grid" else self._ruled)(canvas, tops)

    def _tops(self) -> list[float]:
        """How high above its foot each row begins, and nought: added up from there, with no digit lost."""
        found, height, lost = [0.0], 0.0, 0.0
        for high in reversed(self.heights):
            more = high - lost
            total = height + more
            height, lost = total, (total - height) - more
            found.append(height)
        return found[::-1]

    def _high(self, row: Row) -> float:
        column, high = 0, row.low
        for cell in row.cells:
            least = _ACROSS if cell.across > 1 else 0.0
            high = max(high, max(least, self._sizes(cell, column, _DEEP)[1]) + (self.pad + self.pad))
            column += cell.across
        return high

    def _sizes(self, cell: Cell, column: int, height: float) -> tuple[list[float], float]:
        """The heights of what stands in a cell that is so high, and of all of it with the white between."""
        edges, end = self.edges, column + cell.across
        room = (self.widths[column] if cell.across == 1 else edges[end] - edges[column]) - self.side - self.side
        highs, whole = list[float](), 0.0
        for each in cell.flowables:
            high = float(each.wrap(room, height - self.pad - self.pad)[1])
            highs.append(high)
            whole += high + each.after + each.before
        return highs, whole - cell.flowables[0].before - cell.flowables[-1].after if highs else 0.0

    def _put(self, canvas: Any, cell: Cell, column: int, bottom: float, height: float) -> None:
        highs, whole = self._sizes(cell, column, height)
        if cell.stand == "top":
            y = bottom + height - self.pad
        elif cell.stand == "bottom":
            y = bottom + self.pad + whole
        else:
            y = bottom + (height + self.pad - self.pad + whole) / 2
        y += cell.flowables[0].before if highs else 0.0
        for each, high in zip(cell.flowables, highs, strict=True):
            y = y - each.before - high
            each.draw_on(canvas, self.edges[column] + self.side, y)
            y -= each.after

    def _ruled(self, canvas: Any, tops: list[float]) -> None:
        """A light line under each row, and between columns where they are wanted; a heavy one under the head."""
        canvas.setStrokeColor(ink(LIGHT))
        canvas.setLineWidth(RULE)
        if self.rules == "lines":
            self._upright(canvas, tops, self.head)
        # Where a table goes on, the line under the last row is over its next one, too.
        for y in (*([tops[self.head]] if self.cut else []), *tops[1:]):
            canvas.line(0, y, self.edges[-1], y)
        if self.head:
            canvas.setStrokeColor(ink(BLACK))
            canvas.setLineWidth(HEAVY)
            canvas.line(0, tops[self.head], self.edges[-1], tops[self.head])

    def _framed(self, canvas: Any, tops: list[float]) -> None:
        """A line round every cell."""
        wide, high = self.edges[-1], tops[0]
        canvas.setStrokeColor(ink(DARK))
        canvas.setLineWidth(0.5)
        for y in (high, 0.0):
            canvas.line(0, y, wide, y)
        for x in (0.0, wide):
            canvas.line(x, 0, x, high)
        for y in tops[1:-1]:
            canvas.line(0, y, wide, y)
        self._upright(canvas, tops, 0)

    def _upright(self, canvas: Any, tops: list[float], first: int) -> None:
        """Lines between columns from that row down, but for cells that stand across them."""
        begins = [set(accumulate((cell.across for cell in row.cells), initial=0)) for row in self.rows]
        for column, x in enumerate(self.edges[1:-1], start=1):
            rows = range(len(self.rows) - 1, first - 1, -1)
            for parted, run in groupby(rows, key=lambda row: column in begins[row]):
                between = list(run)
                if parted:
                    canvas.line(x, tops[between[0] + 1], x, tops[between[-1]])


class Placed(Flowable):
    """A picture made to measure: `make` gets the width and height there are, in mm.

    One that `heeds` the height is made anew for each. An elastic one takes what room there is, and leaves some on
    its page for what follows it. What is a copy's own, by that name, is not drawn where `canvas.owned` is to hear
    where it stands.
    """

    _made_for: tuple[float, float] | None = None

    def __init__(
        self,
        make: Callable[[float, float], Picture],
        align: Align = "left",
        heeds: bool = False,
        elastic: bool = False,
        own: str = "",
    ) -> None:
        self.make, self.align, self.heeds, self.elastic, self.own = make, align, heeds, elastic, own
        self.after = 3.0

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """The picture's size, made to the room there is."""
        room = width, height if self.heeds else 0.0
        if self._made_for != room:
            self.picture, self._made_for = self.make(width / MM, height / MM), room
        if self.picture.width > width / MM + _BIT:
            raise DoesNotFitError(
                say(
                    "a figure {width:.1f} mm wide stands in {room:.1f} mm",
                    width=self.picture.width,
                    room=width / MM,
                )
            )
        self.shift = _SHARE[self.align] * max(0.0, width / MM - self.picture.width)
        return self.picture.width * MM, self.picture.height * MM

    def draw(self, canvas: Any) -> None:
        """The picture, or word of where one that is a copy's own stands."""
        owned = getattr(canvas, "owned", None)
        if self.own and owned is not None:
            owned.append((self.own, *canvas.absolutePosition(self.shift * MM, 0)))
        else:
            draw(canvas, self.picture, self.shift, 0)


class Fillable(Placed):
    """A mark made to the width there is, in mm; in a fillable edition fields lie over its spots."""

    def __init__(self, make: Callable[[float], Mark], align: Align, asked: Asked) -> None:
        spots: list[Spot] = []

        def picture(width: float, _height: float) -> Picture:
            # A method of its own would keep it alive for ever: nobody looks for what holds itself.
            made, spots[:] = make(width)
            return made

        super().__init__(picture, align)
        self.spots, self.asked = spots, asked

    def draw(self, canvas: Any) -> None:
        """The mark, and the fields over it."""
        super().draw(canvas)
        if self.asked.form:
            x, y = canvas.absolutePosition(self.shift * MM, 0)
            self.asked.form.add(tuple(self.spots), x, y, self.asked)


class Panel(Flowable):
    """Columns of flowables side by side, each (width, flowables) in points, that stay on one page.

    `pad` is the room around them all, filled with `tint` or, where they are framed, within a heavy line. With an
    elastic figure in a column it is elastic itself.
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
        self.columns, self.gap, self.pad, self.tint, self.ruled = columns, gap, pad, tint, ruled
        self.framed = framed
        self.elastic = any(_elastic(flowable) for _, flowables in columns for flowable in flowables)
        heads = [flowables[0] for _, flowables in columns if flowables]
        self.before = max((4.0 if tint or framed else 0.0, *(f.before for f in heads)))
        self.after = 5.0

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """As high as its highest column."""
        self.places: list[tuple[Any, float, float]] = []
        x, tallest = self.pad, 0.0
        for column, flowables in self.columns:
            placed, depth = stack(flowables, column, height - 2 * self.pad)
            self.places += [(f, x, y) for f, y in placed]
            tallest = max(tallest, depth)
            x += column + self.gap
        self.width, self.height = width, tallest + 2 * self.pad
        return self.width, self.height

    def draw(self, canvas: Any) -> None:
        """The ground, the lines between columns, and what stands in them."""
        if self.tint:
            canvas.setFillColor(ink(self.tint))
            canvas.rect(0, 0, self.width, self.height, stroke=0, fill=1)
        if self.framed:
            canvas.setStrokeColor(ink(BLACK))
            canvas.setLineWidth(_HEAVY)
            canvas.rect(_HEAVY / 2, _HEAVY / 2, self.width - _HEAVY, self.height - _HEAVY, stroke=1, fill=0)
        if self.ruled:
            canvas.setStrokeColor(ink(LIGHT))
            canvas.setLineWidth(0.4)
            x = self.pad - self.gap / 2
            for column, _ in self.columns[:-1]:
                x += column + self.gap
                canvas.line(x, 0, x, self.height)
        for flowable, x, y in self.places:
            flowable.draw_on(canvas, x, self.height - self.pad - y)


def stack(flowables: list[Any], width: float, height: float) -> tuple[list[tuple[Any, float]], float]:
    """Flowables one below the other: each with the depth of its foot, and the depth of all, in points.

    The last elastic one leaves room for what follows it.
    """
    placed: list[tuple[Any, float]] = []
    last = max((i for i, flowable in enumerate(flowables) if _elastic(flowable)), default=-1)
    y = after = 0.0
    for i, flowable in enumerate(flowables):
        if placed:
            y += max(after, flowable.before)
        below = 0.0
        if i == last and (rest := flowables[i + 1 :]):
            below = max(flowable.after, rest[0].before) + stack(rest, width, height)[1]
        y += flowable.wrap(width, max(0.0, height - y - below))[1]
        placed.append((flowable, y))
        after = flowable.after
    return placed, y


class Hairline(Flowable):
    """A line across the column: a light one, or the heavy one that parts what differs."""

    before = after = 4.0

    def __init__(self, heavy: bool = False) -> None:
        self.colour, self.weight = (BLACK, HEAVY) if heavy else (LIGHT, RULE)

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """As wide as the column."""
        self.width = width
        return width, self.weight

    def draw(self, canvas: Any) -> None:
        """The line."""
        canvas.setStrokeColor(ink(self.colour))
        canvas.setLineWidth(self.weight)
        canvas.line(0, self.weight / 2, self.width, self.weight / 2)


class Spring(Flowable):
    """Room that pushes what follows it, up to the next page, down to the foot of its page."""

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """It needs nothing."""
        return width, 0.0


Page = list[tuple[Any, float]]
"""Flowables, each with the depth of its foot below the top of the column, in points."""

SHOWN = 60
"""As much of a text, in characters, as a message shows."""

_LEAST = 40.0
"""A heading stays with at least so much of what follows it, and no smaller part is split off, in points."""
_SQUEEZE = 0.75
"""A figure that would shrink below this share of its size moves to the next page instead."""


class TooLargeError(Exception):
    """Something is taller or wider than a whole page; `text` is the first text in it."""

    def __init__(self, flowable: Any) -> None:
        super().__init__()
        self.text = first_text([flowable])


def first_text(things: Iterable[Any]) -> str:
    """The first text, cut short, in flowables or in the cells of tables; empty where there is none."""
    for thing in things:
        if isinstance(thing, list | tuple):
            text = first_text(thing)
        else:
            text = getattr(thing, "text", "") or first_text(getattr(thing, "rows", ()))
        if text.strip():
            return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
    return ""


def fill(story: list[Any], width: float, height: float) -> list[Page]:
    """Pages of columns that size, in points; TooLargeError where something fits on none."""
    column = _Column(width, height, deque(story))
    while column.rest:
        column.place(column.rest.popleft())
    return [page for page in column.pages if page]


class _Column:
    """The pages so far, how deep the last one is filled, and what is still to be placed."""

    def __init__(self, width: float, height: float, rest: deque[Any]) -> None:
        self.width, self.height, self.rest = width, height, rest
        self.pages: list[Page] = [[]]
        self.depth = self.after = 0.0

    def place(self, flowable: Any) -> None:
        page = self.pages[-1]
        if isinstance(flowable, PageBreak):
            self.turn()
            return
        if isinstance(flowable, Spring):
            self.depth, self.after = max(self.depth, self.height - self.below(flowable)), 0.0
            return
        top = self.depth + max(self.after, flowable.before) if page else 0.0
        room = self.height - top
        if _elastic(flowable):
            below = self.below(flowable)
            if page and self.squeezed(flowable, room - below, self.height - below):
                self.turn(flowable)
                return
            room -= below
        high = self.wrap(flowable, room)
        if high <= room + _BIT and (not page or high + self.follows(flowable) <= room + _BIT):
            page.append((flowable, top + high))
            self.depth, self.after = top + high, flowable.after
        elif parts := self.parts(flowable, room):
            page.append((parts[0], top + self.wrap(parts[0], room)))
            self.turn(*parts[1:])
        elif page:
            self.turn(flowable)
        else:
            raise TooLargeError(flowable)

    def turn(self, *flowables: Any) -> None:
        """Go on with these on the next page."""
        self.rest.extendleft(reversed(flowables))
        self.pages.append([])
        self.depth = self.after = 0.0

    def wrap(self, flowable: Any, room: float) -> float:
        """The flowable's height in this column."""
        wide, high = flowable.wrap(self.width, room)
        if wide > self.width + _BIT:
            raise TooLargeError(flowable)
        return float(high)

    def parts(self, flowable: Any, room: float) -> list[Any]:
        """The flowable split so that its first part fits the room; empty where it cannot be."""
        if flowable.heads or room < _LEAST:
            return []
        parts = list(flowable.split(self.width, room))
        return parts if len(parts) > 1 and self.wrap(parts[0], room) <= room + _BIT else []

    def follows(self, flowable: Any) -> float:
        """The height that must be left under a heading."""
        if not flowable.heads or not self.rest:
            return 0.0
        after = self.rest[0]
        gap = float(max(flowable.after, after.before))
        if _elastic(after) or after.heads:
            return gap + _LEAST
        return gap + min(_LEAST, self.wrap(after, self.height))

    def below(self, figure: Any) -> float:
        """The height of what an elastic figure shares its page with: all up to the next page or such figure."""
        below = list(takewhile(lambda f: not isinstance(f, PageBreak) and not _elastic(f), self.rest))
        if not below:
            return 0.0
        gap = max(figure.after, below[0].before)
        depth = float(gap + stack(below, self.width, self.height)[1])
        return depth if depth < self.height / 2 else 0.0

    def squeezed(self, figure: Any, room: float, whole: float) -> bool:
        """Whether the figure would be much larger on a page of its own."""
        if room < _LEAST:
            return True
        if room > _SQUEEZE * whole:
            return False
        here, alone = (figure.wrap(self.width, high)[0] for high in (room, whole))
        return bool(here < _SQUEEZE * alone)


def _elastic(flowable: Any) -> bool:
    return isinstance(flowable, Placed | Panel) and flowable.elastic


Write = Callable[[int], None]
"""Writes lines on the canvas, given the number of all pages."""
Counted = Callable[[Callable[[str], None]], None]
"""Takes what writes a line that ends in such a text as "page 3 of 12", to be written when that is known."""


_FEW = 500
"""So many letters of operators at most wait with a page's line."""


class Counting:
    """The pages made so far, of which each goes to the file at once: only its line waits, a stream of its own."""

    def __init__(self, canvas: Any) -> None:
        self.canvas = canvas
        self.pages = 0
        self.waiting: list[tuple[int, str, Write, str]] = []
        """By page the stream of its line, and what that holds: what stands before it, what writes it, the rest."""
        self._line: tuple[Write, str] | None = None

    def line(self, write: Write) -> None:
        """Write it on the page in the making, for now as though that were the last one."""
        code = self._code(write, self.canvas.getPageNumber())
        self.canvas._code.append(code)
        self._line = write, code

    def turn(self) -> None:
        """The page with the last line is made: all but its line is written down."""
        if self._line is None:
            raise ValueError("a page without a line")
        (write, code), self._line = self._line, None
        before, behind = self.canvas._doc.Pages.pages[-1].stream.split(code, 1)
        # A stream for a few operators would take more room than they do.
        sides = [stream(self.canvas, side) if len(side) > _FEW else 0 for side in (before, behind)]
        line = promised(self.canvas)
        self.waiting.append((line, "" if sides[0] else intern(before), write, "" if sides[1] else intern(behind)))
        page_done(self.canvas, [number for number in (sides[0], line, sides[1]) if number])
        self.pages += 1

    def close(self) -> None:
        """Every page is made: write all lines as they must be."""
        for line, before, write, behind in self.waiting:
            stream(self.canvas, f"{before}{self._code(write, self.pages)}{behind}", line)

    def _code(self, write: Write, total: int) -> str:
        """The operators that write it, which do not go to the page."""
        page, self.canvas._code = self.canvas._code, []
        write(total)
        code, self.canvas._code = "\n".join(self.canvas._code), page
        return code
