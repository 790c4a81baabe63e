"""What stands in a text column.

What stands on a page besides paragraphs and tables: single lines, pictures, panels, rules.

Filling pages with flowables, from the top down.

Lines that tell how many pages there are in all, which is known only when the last one is made.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from sys import intern
from typing import Any

from reportlab.lib.rl_accel import fp_str
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics

from generator.errors import DoesNotFitError
from generator.model.picture import Picture
from generator.press import BOLD, fonts, soon
from generator.press.canvas import MM, draw, lead, page_done, promised, stream
from generator.press.forms import Asked, Mark, Spot
from generator.press.text import BLACK, HEAVY, LIGHT, RULE, Align, ink
from generator.said import say

with soon():
    from reportlab.platypus.flowables import Flowable, PageBreak
    from reportlab.platypus.paragraph import Paragraph

_BIT = 0.01
_HEAVY = 3.0
"""The line round a framed panel, in points."""
_SHARE = {"left": 0.0, "centre": 0.5, "right": 1.0}


class OneLine(Flowable):
    """A text that is known to fit on one line: what a paragraph looks like, at a tenth of the cost.

    Its letters stand `spaced` points apart from one another.
    """

    def __init__(self, text: str, style: ParagraphStyle, spaced: float = 0.0) -> None:
        super().__init__()
        self.text, self.style, self.spaced = text, style, spaced
        self.spaceBefore, self.spaceAfter = style.spaceBefore, style.spaceAfter
        self.keepWithNext = style.keepWithNext

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """As platypus asks; points."""
        self.width, self.height = width, self.style.leading
        return width, self.height

    def drawOn(self, canvas: Any, x: float, y: float, _sW: float = 0) -> None:  # noqa: N802, N803 - as ReportLab calls it
        """As platypus asks: what ReportLab's calls would write, at once, for a print has thousands of such lines."""
        style, document = self.style, canvas._doc
        size, colour, bold = style.fontSize, style.textColor, style.fontName == BOLD
        right, up = style.leftIndent, style.leading - size
        if style.alignment:
            # Half of what is free lies before a line in the middle, all of it before one at the right.
            wide = fonts.width(self.text, size, bold) + self.spaced * (len(self.text) - 1)
            right = (self.width - wide) * style.alignment / 2
        font, told, last = pdfmetrics.getFont(style.fontName), [], -1
        sizes = f"{fp_str(size)} Tf {fp_str(size * 1.2)} TL"
        for subset, codes in font.splitString(self.text, document):
            if subset != last:
                told.append(f"{font.getSubsetInternalName(subset, document)} {sizes}")
                last = subset
            told.append(f"({canvas._escape(codes)}) Tj")
        before, after = (f" {fp_str(self.spaced)} Tc", " 0 Tc") if self.spaced else ("", "")
        canvas._code += [
            "q",
            f"1 0 0 1 {fp_str(x, y)} cm",
            f"{fp_str(colour.red, colour.green, colour.blue)} rg",
            f"BT 1 0 0 1 {fp_str(right, up)} Tm{before} {' '.join(told)} T*{after} ET",
            "Q",
        ]
        lead(canvas, self.text, x + right, y + up, size, bold)


class Prose(Paragraph):
    """A paragraph of ReportLab's, whose lines may lead somewhere; it is broken once for a width."""

    _known: tuple[float, tuple[float, float]] | None = None

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """As platypus asks; points."""
        if self._known is None or self._known[0] != width:
            self._known = width, super().wrap(width, height)
        return self._known[1]

    def draw(self) -> None:
        """As platypus asks."""
        super().draw()
        if self.blPara.kind or self.style.alignment or not getattr(self.canv, "links", None):
            return
        size, bold = self.blPara.fontSize, self.blPara.fontName == BOLD
        for number, (_, said) in enumerate(self.blPara.lines):
            y = self.height - size - number * self.style.leading
            lead(self.canv, " ".join(said), self.style.leftIndent, y, size, bold)


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
        super().__init__()
        self.make, self.align, self.heeds, self.elastic, self.own = make, align, heeds, elastic, own
        self.spaceAfter = 3.0

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """As platypus asks; points."""
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

    def draw(self) -> None:
        """As platypus asks."""
        owned = getattr(self.canv, "owned", None)
        if self.own and owned is not None:
            owned.append((self.own, *self.canv.absolutePosition(self.shift * MM, 0)))
        else:
            draw(self.canv, self.picture, self.shift, 0)


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

    def draw(self) -> None:
        """As platypus asks."""
        super().draw()
        if self.asked.form:
            x, y = self.canv.absolutePosition(self.shift * MM, 0)
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
        super().__init__()
        self.columns, self.gap, self.pad, self.tint, self.ruled = columns, gap, pad, tint, ruled
        self.framed = framed
        self.elastic = any(_elastic(flowable) for _, flowables in columns for flowable in flowables)
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
    """Flowables one below the other: each with the depth of its foot, and the depth of all, in points.

    The last elastic one leaves room for what follows it.
    """
    placed: list[tuple[Any, float]] = []
    last = max((i for i, flowable in enumerate(flowables) if _elastic(flowable)), default=-1)
    y = after = 0.0
    for i, flowable in enumerate(flowables):
        if placed:
            y += max(after, flowable.getSpaceBefore())
        below = 0.0
        if i == last and (rest := flowables[i + 1 :]):
            below = max(flowable.getSpaceAfter(), rest[0].getSpaceBefore()) + stack(canvas, rest, width, height)[1]
        y += flowable.wrapOn(canvas, width, max(0.0, height - y - below))[1]
        placed.append((flowable, y))
        after = flowable.getSpaceAfter()
    return placed, y


class Hairline(Flowable):
    """A line across the column: a light one, or the heavy one that parts what differs."""

    spaceBefore = spaceAfter = 4.0  # noqa: N815 - ReportLab reads these names

    def __init__(self, heavy: bool = False) -> None:
        super().__init__()
        self.colour, self.weight = (BLACK, HEAVY) if heavy else (LIGHT, RULE)

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """As platypus asks; points."""
        self.width = width
        return width, self.weight

    def draw(self) -> None:
        """As platypus asks."""
        self.canv.setStrokeColor(ink(self.colour))
        self.canv.setLineWidth(self.weight)
        self.canv.line(0, self.weight / 2, self.width, self.weight / 2)


class Spring(Flowable):
    """Room that pushes what follows it, up to the next page, down to the foot of its page."""

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """As platypus asks; it needs nothing."""
        return width, 0.0

    def draw(self) -> None:
        """As platypus asks; there is nothing to see."""


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
        if isinstance(thing, str):
            text = thing
        elif hasattr(thing, "getPlainText"):
            text = thing.getPlainText()
        elif isinstance(thing, list | tuple):
            text = first_text(thing)
        else:
            text = getattr(thing, "text", "") or first_text(getattr(thing, "_cellvalues", ()))
        if text.strip():
            return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
    return ""


def fill(canvas: Any, story: list[Any], width: float, height: float) -> list[Page]:
    """Pages of columns that size, in points; TooLargeError where something fits on none."""
    column = _Column(canvas, width, height, deque(story))
    while column.rest:
        column.place(column.rest.popleft())
    return [page for page in column.pages if page]


class _Column:
    """The pages so far, how deep the last one is filled, and what is still to be placed."""

    def __init__(self, canvas: Any, width: float, height: float, rest: deque[Any]) -> None:
        self.canvas, self.width, self.height, self.rest = canvas, width, height, rest
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
        top = self.depth + max(self.after, flowable.getSpaceBefore()) if page else 0.0
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
            self.depth, self.after = top + high, flowable.getSpaceAfter()
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
        wide, high = flowable.wrapOn(self.canvas, self.width, room)
        if wide > self.width + _BIT:
            raise TooLargeError(flowable)
        return float(high)

    def parts(self, flowable: Any, room: float) -> list[Any]:
        """The flowable split so that its first part fits the room; empty where it cannot be."""
        if flowable.getKeepWithNext() or room < _LEAST:
            return []
        parts = list(flowable.splitOn(self.canvas, self.width, room))
        return parts if len(parts) > 1 and self.wrap(parts[0], room) <= room + _BIT else []

    def follows(self, flowable: Any) -> float:
        """The height that must be left under a heading."""
        if not flowable.getKeepWithNext() or not self.rest:
            return 0.0
        after = self.rest[0]
        gap = float(max(flowable.getSpaceAfter(), after.getSpaceBefore()))
        if _elastic(after) or after.getKeepWithNext():
            return gap + _LEAST
        return gap + min(_LEAST, self.wrap(after, self.height))

    def below(self, figure: Any) -> float:
        """The height of what an elastic figure shares its page with: all up to the next page or such figure."""
        below = list(takewhile(lambda f: not isinstance(f, PageBreak) and not _elastic(f), self.rest))
        if not below:
            return 0.0
        gap = max(figure.getSpaceAfter(), below[0].getSpaceBefore())
        depth = float(gap + stack(self.canvas, below, self.width, self.height)[1])
        return depth if depth < self.height / 2 else 0.0

    def squeezed(self, figure: Any, room: float, whole: float) -> bool:
        """Whether the figure would be much larger on a page of its own."""
        if room < _LEAST:
            return True
        if room > _SQUEEZE * whole:
            return False
        here, alone = (figure.wrapOn(self.canvas, self.width, high)[0] for high in (room, whole))
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
