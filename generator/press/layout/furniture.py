"""Page furniture: the header and footer of every page, and the page labels that viewers show."""

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
    """Label `total` pages after the first `before` by name and number from `first`, or a single page by name."""
    canvas.label_pages(before, name, first if total > 1 else 0)


_HEAD, _HEAD_RULE, _FOOT, _FOOT_RULE = 9.6 * MM, 12.4 * MM, 7.6 * MM, 10.9 * MM
"""Distances of the baselines and rules of header and footer from the paper's edge, unless the printer needs more."""
_ASCENT, _DESCENT, _APART = 2.8 * MM, 0.9 * MM, 1.8 * MM
"""Ascent of the header's type, descent of the footer's type, and distance to the rules."""
_LINE, _LAST, _NEAR = 2.45 * MM, 14.3 * MM, 0.8 * MM
"""Line height of a long header, maximum distance of its last line from the edge, and its distance to the rule."""
_BESIDE = 6
"""The left text gets more than one in this many parts of the first line; otherwise the right text moves."""
_SIZE = 7.5


class Furniture(msgspec.Struct, frozen=True):
    """The texts, type sizes and positions of a page's header and footer, in points."""

    lines: tuple[str, ...]
    """Left of the header, downwards from `head` above the paper's lower edge."""
    right: str
    below: tuple[str, ...]
    """Footer: left, middle, right."""
    sizes: tuple[float, float]
    """Type sizes of the header and the footer."""
    head: float
    foot: float
    rules: tuple[float, ...]
    left: float
    width: float
    """Left end and width of both."""

    def write(self, canvas: Canvas) -> None:
        """Write header and footer."""
        self.write_header_left(canvas)
        self.write_rest(canvas)

    def write_header_left(self, canvas: Canvas) -> None:
        """Write the left of the header."""
        canvas.fill(BLACK)
        for at, line in enumerate(self.lines):
            canvas.text(self.left, self.head - at * _LINE, line, self.sizes[0], bold=True)

    def write_rest(self, canvas: Canvas) -> None:
        """Write everything except the left of the header."""
        head, foot = self.sizes
        left, middle, right = self.below
        canvas.fill(QUIET)
        canvas.text(self.left + self.width, self.head, self.right, head, share=1.0)
        canvas.fill(BLACK)
        canvas.text(self.left, self.foot, left, foot, bold=True)
        canvas.fill(QUIET)
        canvas.text(self.left + self.width / 2, self.foot, middle, foot, share=0.5)
        canvas.text(self.left + self.width, self.foot, right, foot, share=1.0)
        canvas.stroke(LIGHT, RULE)
        for y in self.rules:
            canvas.line(self.left, y, self.left + self.width, y)


def furniture(
    paper: Paper, landscape: bool, above: tuple[str, str], below: tuple[str, ...], keep: float = EDGE
) -> Furniture:
    """Return the header (left, right) and footer (left, middle, right) of a page.

    They stay `keep` mm from the paper's edge. A header without text has no rule; a long one continues on further
    lines. Raises: DoesNotFitError if the footer does not fit on its line.
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
    """Return a text that fits the width in the smallest type, with an ellipsis if it was cut."""
    if fonts.width(text, FLOOR, bold=bold) <= width:
        return text
    end = len(text)
    while end and fonts.width(f"{text[:end].rstrip()}…", FLOOR, bold=bold) > width:
        end -= 1
    return f"{text[:end].rstrip()}…"


def _header_lines(above: tuple[str, str], width: float, max_lines: int) -> tuple[list[str], str]:
    """Return the header's left text in at most `max_lines` lines of the smallest type, and its right text.

    If they do not fit side by side, the right text follows the left one; if that is too long, lines break within
    words. The remainder is replaced by an ellipsis.
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
    """Return a text in lines of these widths, broken at spaces in lines over half full; the last takes the rest."""
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
    """Return the type size at which the texts fit side by side.

    Raises: DoesNotFitError if none does.
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
