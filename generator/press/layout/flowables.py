"""Flowables besides paragraphs and tables: pictures, panels, rules, room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from generator.errors import DoesNotFitError
from generator.localization import tr
from generator.model.picture import Picture
from generator.press.layout.marks import Mark
from generator.press.layout.styles import BLACK, HEAVY, LIGHT, RULE, Align
from generator.press.pdf.canvas import Canvas
from generator.press.pdf.fields import FieldInfo, Spot
from generator.press.pdf.units import MM

_BIT = 0.01
_HEAVY = 3.0
"""The line round a framed panel, in points."""
_SHARE = {"left": 0.0, "centre": 0.5, "right": 1.0}


class Flowable:
    """Something in a column, all in points: asked for its size, perhaps split, then drawn."""

    before = after = 0.0
    """White above it and below it, where something else stands there."""
    keep_with_next = False
    """It stays with what follows it."""

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """How wide and how high it is in that room."""
        raise NotImplementedError

    def split(self, width: float, height: float) -> list[Flowable]:
        """Parts of which the first fits that room; none where it stays whole."""
        return []

    def draw_on(self, canvas: Canvas, x: float, y: float) -> None:
        """Draw it with its lower left corner there."""
        canvas.draw_at(x, y, self.draw)

    def draw(self, canvas: Canvas) -> None:
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
        fits_height: bool = False,
        elastic: bool = False,
        per_copy: str = "",
    ) -> None:
        self.make, self.align, self.fits_height, self.elastic, self.per_copy = (
            make,
            align,
            fits_height,
            elastic,
            per_copy,
        )
        self.after = 3.0

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """The picture's size, made to the room there is."""
        room = width, height if self.fits_height else 0.0
        if self._made_for != room:
            self.picture, self._made_for = self.make(width / MM, height / MM), room
        if self.picture.width > width / MM + _BIT:
            raise DoesNotFitError(
                tr(
                    "a figure {width:.1f} mm wide does not fit in {room:.1f} mm",
                    width=self.picture.width,
                    room=width / MM,
                )
            )
        self.shift = _SHARE[self.align] * max(0.0, width / MM - self.picture.width)
        return self.picture.width * MM, self.picture.height * MM

    def draw(self, canvas: Canvas) -> None:
        """The picture, or word of where one that is a copy's own stands."""
        if self.per_copy and canvas.per_copy is not None:
            canvas.per_copy.append((self.per_copy, *canvas.position(self.shift * MM, 0)))
        else:
            canvas.draw(self.picture, self.shift, 0)


class Fillable(Placed):
    """A mark made to the width there is, in mm; in a fillable edition fields lie over its spots."""

    def __init__(self, make: Callable[[float], Mark], align: Align, field_info: FieldInfo) -> None:
        spots: list[Spot] = []

        def picture(width: float, _height: float) -> Picture:
            # A method of its own would keep it alive for ever: nobody looks for what holds itself.
            made, spots[:] = make(width)
            return made

        super().__init__(picture, align)
        self.spots, self.field_info = spots, field_info

    def draw(self, canvas: Canvas) -> None:
        """The mark, and the fields over it."""
        super().draw(canvas)
        if self.field_info.form:
            x, y = canvas.position(self.shift * MM, 0)
            self.field_info.form.add(tuple(self.spots), x, y, self.field_info)


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
        self.elastic = any(is_elastic(flowable) for _, flowables in columns for flowable in flowables)
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

    def draw(self, canvas: Canvas) -> None:
        """The ground, the lines between columns, and what stands in them."""
        if self.tint:
            canvas.fill(self.tint)
            canvas.rectangle(0, 0, self.width, self.height, filled=True)
        if self.framed:
            canvas.stroke(BLACK, _HEAVY)
            canvas.rectangle(_HEAVY / 2, _HEAVY / 2, self.width - _HEAVY, self.height - _HEAVY)
        if self.ruled:
            canvas.stroke(LIGHT, 0.4)
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
    last = max((i for i, flowable in enumerate(flowables) if is_elastic(flowable)), default=-1)
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

    def draw(self, canvas: Canvas) -> None:
        """The line."""
        canvas.stroke(self.colour, self.weight)
        canvas.line(0, self.weight / 2, self.width, self.weight / 2)


class Spring(Flowable):
    """Room that pushes what follows it, up to the next page, down to the foot of its page."""

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """It needs nothing."""
        return width, 0.0


def is_elastic(flowable: Any) -> bool:
    """Whether it takes what room there is."""
    return isinstance(flowable, Placed | Panel) and flowable.elastic
