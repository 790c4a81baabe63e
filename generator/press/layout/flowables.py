"""Flowables other than paragraphs and tables, such as pictures, panels, rules and space."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from generator.errors import DoesNotFitError
from generator.localization import tr
from generator.model.picture import Picture
from generator.press.layout.folding import shift_from_fold
from generator.press.layout.marks import Mark, shrink_picture
from generator.press.layout.styles import BLACK, HEAVY, LIGHT, QUIET, RULE, Align
from generator.press.pdf.canvas import Canvas
from generator.press.pdf.fields import FieldInfo, Spot
from generator.press.pdf.tags import Place
from generator.press.pdf.units import MM

_BIT = 0.01
"""Tolerance in mm for the width of a picture, because of rounding."""
HEAVY_FRAME, THIN_FRAME = 3.0, 0.5
"""Line widths of frames of panels, in points."""
_SHARE = {"left": 0.0, "centre": 0.5, "right": 1.0}
"""Fraction of the free width that is left of a flowable, by alignment."""


class Flowable:
    """A piece of content in a column, which is measured, split if necessary, and then drawn.

    Lengths are in points.
    """

    before = after = 0.0
    """Minimum space above and below, in points. Between two flowables the larger value applies."""
    keep_with_next = False
    """Whether the flowable stays on the same page as the next one."""
    role = ""
    """Type of the flowable's element in a tagged PDF. If it is empty, the element around it has the content."""
    place: Place | None = None
    """The shared elements to which the flowable belongs, instead of an element with its role."""

    @contextmanager
    def tagged(self, canvas: Canvas, put_bullet: Callable[[], None] | None = None) -> Iterator[None]:
        """Open the element of the flowable around everything drawn in the `with` block.

        `put_bullet` draws the bullet of a list item, which has its own element before that of the text.
        """
        tags, place = canvas.tags, self.place
        if place:
            tags.enter_place(place, put_bullet)
        else:
            if self.role:
                tags.enter(self.role)
            if put_bullet:
                put_bullet()
        yield
        if place:
            tags.leave_place(place)
        elif self.role:
            tags.leave()

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Compute the layout for the available width and height, and return the width and height needed."""
        raise NotImplementedError

    def split(self, width: float, height: float) -> list[Flowable]:
        """Split the flowable so that the first part fits the available size, or return an empty list."""
        return []

    def draw_on(self, canvas: Canvas, x: float, y: float) -> None:
        """Draw the flowable with its lower left corner at (x, y)."""
        canvas.draw_at(x, y, self.draw)

    def draw(self, canvas: Canvas) -> None:
        """Draw the flowable with its lower left corner at the origin."""


class Spacer(Flowable):
    """Empty vertical space of a given height in points."""

    def __init__(self, height: float) -> None:
        self.height = height

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Return the available width and the height of the space."""
        return width, self.height


class PageBreak(Flowable):
    """A page break, after which content continues on the next page."""


class Placed(Flowable):
    """A picture that `make` creates for an available width and height in mm.

    With `fits_height`, the picture is created again for each available height. An elastic picture fills the page but
    leaves room for the content after it. `per_copy` is the name of a figure that differs between copies. Such a
    figure is not drawn if `canvas.per_copy` records its position. `alt` returns the alternative text of the picture.
    Without it the picture is an artifact. With `shrinks`, a picture that is too wide is scaled down. With
    `avoids_fold`, the picture is near the middle of the column, where the sheet is folded.
    """

    _made_for: tuple[float, float] | None = None

    def __init__(
        self,
        make: Callable[[float, float], Picture],
        align: Align = "left",
        fits_height: bool = False,
        elastic: bool = False,
        per_copy: str = "",
        alt: Callable[[], str] | None = None,
        shrinks: bool = False,
        avoids_fold: bool = False,
    ) -> None:
        self.make, self.align, self.fits_height, self.elastic = make, align, fits_height, elastic
        self.per_copy, self.shrinks, self.avoids_fold = per_copy, shrinks, avoids_fold
        self.alt = alt
        self.after = 3.0

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Create the picture for the available size, and return the picture's width and height."""
        room = width, height if self.fits_height else 0.0
        if self._made_for != room:
            self.picture, self._made_for = self.make(width / MM, height / MM), room
            if self.shrinks and 0 < width / MM < self.picture.width:
                self.picture = shrink_picture(self.picture, width / MM / self.picture.width)
        if self.picture.width > width / MM + _BIT:
            raise DoesNotFitError(
                tr(
                    "a figure {width:.1f} mm wide does not fit in {room:.1f} mm",
                    width=self.picture.width,
                    room=width / MM,
                )
            )
        self.shift = _SHARE[self.align] * max(0.0, width / MM - self.picture.width)
        if self.avoids_fold:
            self.shift = (width / MM - self.picture.width) / 2 + shift_from_fold(self.picture, width / MM)
        return self.picture.width * MM, self.picture.height * MM

    def draw(self, canvas: Canvas) -> None:
        """Draw the picture, or record its position if the picture differs between copies."""
        if self.per_copy and canvas.per_copy is not None:
            canvas.per_copy.append((self.per_copy, *canvas.position(self.shift * MM, 0)))
        else:
            alt = self.alt() if self.alt and canvas.tags.active else ""
            canvas.draw(self.picture, self.shift, 0, alt=alt)


class Fillable(Placed):
    """A mark that fits the available width. In a fillable print, form fields are placed over its spots."""

    def __init__(
        self,
        make: Callable[[float], Mark],
        align: Align,
        field_info: FieldInfo,
        alt: Callable[[], str] | None = None,
        shrinks: bool = False,
    ) -> None:
        spots: list[Spot] = []

        def picture(width: float, _height: float) -> Picture:
            # This is not a method, because a bound method would create a reference cycle that is never freed while
            # garbage collection is off.
            made, spots[:] = make(width)
            return made

        super().__init__(picture, align, alt=alt, shrinks=shrinks)
        self.spots, self.field_info = spots, field_info

    def draw(self, canvas: Canvas) -> None:
        """Draw the mark and its form fields."""
        super().draw(canvas)
        if self.field_info.form:
            x, y = canvas.position(self.shift * MM, 0)
            self.field_info.form.add(tuple(self.spots), x, y, self.field_info)


class Panel(Flowable):
    """Columns of flowables, each given as width in points and flowables, that stay on one page.

    `pad` is the padding in points around the columns. The background is filled with `tint`, and `frame` is the
    line width of a frame in points, or 0. A panel that contains an elastic figure is elastic. `read_first` is the
    index of the column that is drawn and read aloud before the others.
    """

    def __init__(
        self,
        columns: Sequence[tuple[float, list[Any]]],
        gap: float = 0.0,
        pad: float = 0.0,
        tint: str = "",
        ruled: bool = False,
        frame: float = 0.0,
        read_first: int = 0,
    ) -> None:
        self.read_first = read_first
        self.columns, self.gap, self.pad, self.tint, self.ruled = columns, gap, pad, tint, ruled
        self.frame = frame
        self.elastic = any(is_elastic(flowable) for _, flowables in columns for flowable in flowables)
        heads = [flowables[0] for _, flowables in columns if flowables]
        self.before = max((4.0 if tint or frame else 0.0, *(f.before for f in heads)))
        self.after = 5.0

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Return the available width and the height of the tallest column, with padding."""
        self.places: list[tuple[Any, float, float]] = []
        x, tallest = self.pad, 0.0
        for number, (column, flowables) in enumerate(self.columns):
            placed, depth = stack(flowables, column, height - 2 * self.pad)
            places = [(f, x, y) for f, y in placed]
            self.places = [*places, *self.places] if number == self.read_first else [*self.places, *places]
            tallest = max(tallest, depth)
            x += column + self.gap
        self.width, self.height = width, tallest + 2 * self.pad
        return self.width, self.height

    def draw(self, canvas: Canvas) -> None:
        """Draw the background, the lines between the columns, and the content."""
        if self.tint or self.frame or self.ruled:
            with canvas.artifact():
                self._draw_background(canvas)
        for flowable, x, y in self.places:
            flowable.draw_on(canvas, x, self.height - self.pad - y)

    def _draw_background(self, canvas: Canvas) -> None:
        """Draw the tint, the frame and the lines between the columns."""
        if self.tint:
            canvas.fill(self.tint)
            canvas.rectangle(0, 0, self.width, self.height, filled=True)
        if self.frame:
            canvas.stroke(BLACK, self.frame)
            canvas.rectangle(self.frame / 2, self.frame / 2, self.width - self.frame, self.height - self.frame)
        if self.ruled:
            canvas.stroke(LIGHT, 0.4)
            x = self.pad - self.gap / 2
            for column, _ in self.columns[:-1]:
                x += column + self.gap
                canvas.line(x, 0, x, self.height)


def stack(flowables: list[Any], width: float, height: float) -> tuple[list[tuple[Any, float]], float]:
    """Stack flowables from top to bottom.

    Return each flowable with the depth of its bottom edge, and the total depth, in points. The last elastic flowable
    leaves room for those after it.
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


_DASH, _DASH_GAP = 4.0, 3.0
"""Length of the dashes of a line to cut along, and of the gaps between them, in points."""


class Hairline(Flowable):
    """A thin or heavy horizontal line across the column, or a dashed line to cut along."""

    before = after = 4.0

    def __init__(self, heavy: bool = False, dashed: bool = False) -> None:
        self.colour, self.weight = (BLACK, HEAVY) if heavy else (LIGHT, RULE)
        self.dashed = dashed
        if dashed:
            self.colour = QUIET

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Return the available width and the width of the line."""
        self.width = width
        return width, self.weight

    def draw(self, canvas: Canvas) -> None:
        """Draw the line."""
        with canvas.artifact():
            canvas.stroke(self.colour, self.weight)
            step, level = _DASH + _DASH_GAP, self.weight / 2
            dashes = [(i * step, i * step + _DASH) for i in range(int((self.width + _DASH_GAP) / step))]
            for start, end in dashes if self.dashed else [(0.0, self.width)]:
                canvas.line(start, level, end, level)


class Spring(Flowable):
    """A spring that pushes the following content, up to the next page break, to the bottom of the page."""

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Return the available width and a height of zero."""
        return width, 0.0


def is_elastic(flowable: Any) -> bool:
    """Return whether a flowable fills the available height."""
    return isinstance(flowable, Placed | Panel) and flowable.elastic
