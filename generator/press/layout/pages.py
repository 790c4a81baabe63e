"""Fill pages with flowables from top to bottom."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import takewhile
from typing import Any

from generator.press.layout.flowables import PageBreak, Spring, is_elastic, stack

_TOLERANCE = 0.01
"""Tolerance for rounding errors, in points."""
Page = list[tuple[Any, float]]
"""Flowables with the depth of their bottom edges below the top of the column, in points."""
MAX_EXCERPT = 60
"""Maximum length of a text quoted in a message, in characters."""
_MIN_ROOM = 40.0
"""Minimum height in points of a figure after a heading, and of the room for a part that is split off."""
_MIN_FIGURE_SHARE = 0.75
"""If a figure would shrink to less than this fraction of its size, it moves to the next page instead."""


class TooLargeError(Exception):
    """Raised if content is taller or wider than a whole page. `text` is the first text in the content."""

    def __init__(self, flowable: Any) -> None:
        super().__init__()
        self.text = first_text([flowable])


def first_text(things: Iterable[Any]) -> str:
    """Return the first text in flowables or table cells, shortened if necessary, or an empty string."""
    for thing in things:
        if isinstance(thing, list | tuple):
            text = first_text(thing)
        else:
            text = getattr(thing, "text", "") or first_text(getattr(thing, "rows", ()))
        if text.strip():
            return text if len(text) <= MAX_EXCERPT else f"{text[:MAX_EXCERPT]}…"
    return ""


def page_depth(page: Page) -> float:
    """Return the depth in points of the lowest content on a page."""
    return max((depth for _, depth in page), default=0.0)


def fill_pages(story: list[Any], width: float, height: float) -> list[Page]:
    """Distribute flowables over pages that have a column of this width and height in points.

    Raises:
        TooLargeError: If a flowable does not fit on any page.
    """
    column = _Column(width, height, deque(story))
    while column.rest:
        column.place(column.rest.popleft())
    return [page for page in column.pages if page]


class _Column:
    """A column that continues from page to page, with the pages filled so far and the remaining content."""

    def __init__(self, width: float, height: float, rest: deque[Any]) -> None:
        self.width, self.height, self.rest = width, height, rest
        self.pages: list[Page] = [[]]
        self.depth = self.after = 0.0

    def place(self, flowable: Any) -> None:
        page = self.pages[-1]
        if isinstance(flowable, PageBreak):
            self.turn_page()
            return
        if isinstance(flowable, Spring):
            self.depth, self.after = max(self.depth, self.height - self.height_below(flowable)), 0.0
            return
        top = self.depth + max(self.after, flowable.before) if page else 0.0
        room = self.height - top
        if is_elastic(flowable):
            below = self.height_below(flowable)
            if page and self.is_squeezed(flowable, room - below, self.height - below):
                self.turn_page(flowable)
                return
            room -= below
        high = self.wrap(flowable, room)
        if high <= room + _TOLERANCE and (not page or self.is_followed(flowable, room - high)):
            page.append((flowable, top + high))
            self.depth, self.after = top + high, flowable.after
        elif parts := self.split(flowable, room):
            page.append((parts[0], top + self.wrap(parts[0], room)))
            self.turn_page(*parts[1:])
        elif page:
            self.turn_page(flowable)
        else:
            raise TooLargeError(flowable)

    def turn_page(self, *flowables: Any) -> None:
        """Begin a new page, and insert these flowables before the remaining content."""
        self.rest.extendleft(reversed(flowables))
        self.pages.append([])
        self.depth = self.after = 0.0

    def wrap(self, flowable: Any, room: float) -> float:
        """Return the flowable's height in this column, in points.

        Raises:
            TooLargeError: If the flowable is wider than the column.
        """
        wide, high = flowable.wrap(self.width, room)
        if wide > self.width + _TOLERANCE:
            raise TooLargeError(flowable)
        return float(high)

    def split(self, flowable: Any, room: float) -> list[Any]:
        """Split the flowable so that its first part fits the room, or return an empty list if that is impossible."""
        if flowable.keep_with_next or room < _MIN_ROOM:
            return []
        parts = list(flowable.split(self.width, room))
        return parts if len(parts) > 1 and self.wrap(parts[0], room) <= room + _TOLERANCE else []

    def is_followed(self, flowable: Any, room: float, index: int = 0) -> bool:
        """Return whether the content after a heading, or its first part, fits in the room below the heading.

        `index` is the index of this content in the remaining content. Other flowables need no content below them.
        """
        if not flowable.keep_with_next or index >= len(self.rest):
            return True
        after = self.rest[index]
        if isinstance(after, PageBreak | Spring):
            return True
        room -= max(flowable.after, after.before)
        if is_elastic(after):
            return bool(room >= _MIN_ROOM - _TOLERANCE)
        high = self.wrap(after, room)
        if high <= room + _TOLERANCE:
            return self.is_followed(after, room - high, index + 1)
        return bool(self.split(after, room))

    def height_below(self, figure: Any) -> float:
        """Return the height of the content below an elastic figure, up to the next page break or elastic figure.

        The height is 0 if this content would take half a page or more.
        """
        below = list(takewhile(lambda f: not isinstance(f, PageBreak) and not is_elastic(f), self.rest))
        if not below:
            return 0.0
        gap = max(figure.after, below[0].before)
        depth = float(gap + stack(below, self.width, self.height)[1])
        return depth if depth < self.height / 2 else 0.0

    def is_squeezed(self, figure: Any, room: float, whole: float) -> bool:
        """Return whether a figure would be much larger at the top of a new page."""
        if room < _MIN_ROOM:
            return True
        if room > _MIN_FIGURE_SHARE * whole:
            return False
        here, alone = (figure.wrap(self.width, high)[0] for high in (room, whole))
        return bool(here < _MIN_FIGURE_SHARE * alone)
