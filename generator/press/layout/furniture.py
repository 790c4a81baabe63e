"""Headers and footers of pages, and the page labels shown by viewers."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from generator.errors import DoesNotFitError
from generator.localization import tr
from generator.press.layout.paper import EDGE, Paper
from generator.press.layout.styles import BLACK, LIGHT, QUIET, RULE
from generator.press.pdf import fonts
from generator.press.pdf.canvas import Canvas
from generator.press.pdf.legible import FLOOR
from generator.press.pdf.units import MM


def label_pages(canvas: Canvas, before: int, name: str, first: int, total: int) -> None:
    """Label `total` pages after the first `before` pages with a name and numbers starting at `first`.

    A single page is labelled with the name alone.
    """
    canvas.label_pages(before, name, first if total > 1 else 0)


_HEAD, _HEAD_RULE, _FOOT, _FOOT_RULE = 9.6 * MM, 12.4 * MM, 7.6 * MM, 10.9 * MM
"""Distances in points of header, header rule, footer and footer rule from the paper's edge, unless the printer needs
more."""
_ASCENT, _DESCENT, _APART = 2.8 * MM, 0.9 * MM, 1.8 * MM
"""Ascent of the header's type, descent of the footer's type, and distance between text and rules, in points."""
_LINE, _LAST, _NEAR = 2.45 * MM, 14.3 * MM, 0.8 * MM
"""Line height of a header with several lines, maximum distance of its last line from the paper's edge, and distance
of that line from the rule, in points."""
_BESIDE = 6
"""The right text stays on the first line only if the left text gets more than 1/6 of the line's width."""
_SIZE = 7.5
"""Preferred type size of header and footer, in points."""


class Furniture(msgspec.Struct, frozen=True):
    """The texts, type sizes and positions of a page's header and footer, in points."""

    lines: tuple[str, ...]
    """Lines on the left of the header, from top to bottom. The first baseline is at `head`."""
    right: str
    below: tuple[str, ...]
    """Left, middle and right text of the footer."""
    sizes: tuple[float, float]
    """Type sizes of the header and the footer."""
    head: float
    foot: float
    rules: tuple[float, ...]
    left: float
    width: float
    """Left end and width of header and footer."""

    @property
    def has_notices(self) -> bool:
        """Whether the middle of the footer has text."""
        return bool(self.below[1])

    def write(self, canvas: Canvas) -> None:
        """Write the header and the footer as lines that are not read aloud."""
        self.write_header(canvas)
        self.write_footer(canvas)

    def write_header(self, canvas: Canvas, heading: str = "") -> None:
        """Write the header and the rules.

        `heading` begins the mark of the right part, which names the sheet. If it is empty, that part is an artifact.
        """
        with canvas.artifact("Header"):
            canvas.stroke(LIGHT, RULE)
            for y in self.rules:
                canvas.line(self.left, y, self.left + self.width, y)
        if any(self.lines):
            # A right part that is too long for the first line is the end of the left part.
            with canvas.marked("" if self.right else heading, "Header"):
                self.write_header_left(canvas)
        if self.right:
            with canvas.marked(heading, "Header"):
                canvas.fill(QUIET)
                canvas.text(self.left + self.width, self.head, self.right, self.sizes[0], share=1.0)

    def write_header_left(self, canvas: Canvas) -> None:
        """Write the left part of the header."""
        canvas.fill(BLACK)
        for at, line in enumerate(self.lines):
            canvas.text(self.left, self.head - at * _LINE, line, self.sizes[0], bold=True)

    def write_footer(self, canvas: Canvas, notice: str = "") -> None:
        """Write the footer.

        `notice` begins the mark of the middle part, which has notices. If it is empty, that part is an artifact.
        """
        (left, middle, right), size = self.below, self.sizes[1]
        with canvas.artifact("Footer"):
            canvas.fill(BLACK)
            canvas.text(self.left, self.foot, left, size, bold=True)
            canvas.fill(QUIET)
            canvas.text(self.left + self.width, self.foot, right, size, share=1.0)
        if middle:
            with canvas.marked(notice, "Footer"):
                canvas.fill(QUIET)
                canvas.text(self.left + self.width / 2, self.foot, middle, size, share=0.5)


def furniture(
    paper: Paper, landscape: bool, above: tuple[str, str], below: tuple[str, ...], keep: float = EDGE
) -> Furniture:
    """Compute the header (left, right) and footer (left, middle, right) of a page.

    Both stay `keep` mm away from the paper's edge. A header without text has no rule, and a long header continues on
    further lines.

    Raises:
        DoesNotFitError: If the footer does not fit on one line.
    """
    page, height = paper.size(landscape)
    margin = paper.margin * MM
    width = page - 2 * margin
    min_head, foot = keep * MM + _ASCENT, max(_FOOT, keep * MM + _DESCENT)
    lines, right = _header_lines(above, width, 1 + max(0, int((_LAST - min_head) / _LINE)))
    head = max(_HEAD if len(lines) == 1 else 0.0, min_head)
    last = head + _LINE * (len(lines) - 1)
    rules = max(_HEAD_RULE, last + (_APART if len(lines) == 1 else _NEAR)), max(_FOOT_RULE, foot + _ASCENT)
    size = _fitting_size((lines[0], right), width, tr("header")) if len(lines) == 1 else FLOOR
    return Furniture(
        tuple(lines),
        right,
        below,
        (size, _fitting_size(below, width, tr("footer"))),
        height - head,
        foot,
        (*([height - rules[0]] if any(above) else []), rules[1]),
        margin,
        width,
    )


def shorten_text(text: str, width: float, bold: bool = False) -> str:
    """Cut a text so that it fits the width in points at the smallest type size, with an ellipsis if it was cut."""
    if fonts.width(text, FLOOR, bold=bold) <= width:
        return text
    end = len(text)
    while end and fonts.width(f"{text[:end].rstrip()}…", FLOOR, bold=bold) > width:
        end -= 1
    return f"{text[:end].rstrip()}…"


def _header_lines(above: tuple[str, str], width: float, max_lines: int) -> tuple[list[str], str]:
    """Return the header's left text in at most `max_lines` lines of the smallest type size, and its right text.

    If the two texts do not fit side by side, the right text is appended to the left text. If the result is still too
    long, lines are broken within words, and an ellipsis replaces the remainder.
    """
    left, right = above
    both = " · ".join(filter(None, above))
    for text, right_text, between in ((left, right, True), (both, "", True), (left, right, False), (both, "", False)):
        rooms = [width - fonts.width(right_text, FLOOR, bold=True) - 6 * MM, *[width] * (max_lines - 1)]
        *lines, last = _break_lines(text, rooms, between)
        kept = shorten_text(last, rooms[len(lines)], bold=True)
        if kept == last and rooms[0] > width / _BESIDE:
            break
    return [*lines, kept], right_text


def _break_lines(text: str, rooms: Sequence[float], between: bool) -> list[str]:
    """Break a text into lines of the given widths in points. The last line gets the rest of the text.

    With `between`, lines are broken at a space if the line would be more than half full.
    """
    lines, rest = list[str](), text
    for room in rooms[:-1]:
        if fonts.width(rest, FLOOR, bold=True) <= room:
            break
        fits = max((n for n in range(len(rest) + 1) if fonts.width(rest[:n], FLOOR, bold=True) <= room), default=0)
        space = rest.rfind(" ", 1, fits + 1) if between else 0
        cut = space if space > fits / 2 else fits
        lines.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    return [*lines, rest]


def _fitting_size(texts: tuple[str, ...], width: float, place: str) -> float:
    """Return the type size in points at which the texts fit side by side.

    Raises:
        DoesNotFitError: If the texts do not fit at any size.
    """
    for size in (_SIZE, FLOOR):
        widths = [fonts.width(text, size, bold=True) for text in texts]
        needed = sum(widths) + 6 * MM if len(texts) == 2 else 2 * max(widths[0], widths[-1]) + widths[1] + 8 * MM
        if needed <= width:
            return size
    raise DoesNotFitError(
        tr("the {place} does not fit on one line: {texts}", place=place, texts=" | ".join(texts)),
        hint=tr("shorten the title"),
    )
