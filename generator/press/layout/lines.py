"""Base class of paragraphs, and texts that consist of a single line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from generator.press.layout.flowables import Flowable
from generator.press.layout.markup import Node, collapse_spaces
from generator.press.layout.styles import Align, Style
from generator.press.pdf import fonts
from generator.press.pdf.canvas import Canvas
from generator.press.pdf.units import numbers, rgb

Letter = tuple[str, bool, str]
"""One or more characters of the same style, whether they are bold, and their colour. An empty colour selects the
colour of the paragraph."""
BREAK = "\n"
"""Represents an explicit line break in a sequence of letters."""
SHARE: Mapping[Align, float] = {"left": 0.0, "centre": 0.5, "right": 1.0}
"""Fraction of a line's free width that is left of the text, by alignment."""


class LinedParagraph(Flowable):
    """A paragraph that consists of lines of one style."""

    lines: list[Any]
    style: Style

    def split(self, width: float, height: float) -> list[Flowable]:
        """Split the paragraph between two lines if at least two lines fit."""
        fit = int(height / self.style.leading)
        if fit >= len(self.lines):
            return [self]
        return self.split_lines(fit, width) if fit > 1 else []

    def split_lines(self, fit: int, width: float) -> list[Flowable]:
        """Return a paragraph with the first `fit` lines, at least two, and a paragraph with the rest."""
        raise NotImplementedError


class OneLine(Flowable):
    """A text that is known to fit on one line. It looks the same as a paragraph but is created faster.

    `letter_spacing` is the additional space between letters in points.
    """

    def __init__(self, text: str, style: Style, letter_spacing: float = 0.0) -> None:
        self.text, self.style, self.letter_spacing = text, style, letter_spacing
        self.before, self.after, self.keep_with_next = style.before, style.after, style.keep_with_next

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Return the available width and the line height."""
        self.width = width
        return width, self.style.leading

    def draw_on(self, canvas: Canvas, x: float, y: float) -> None:
        """Write the operators directly, because a print has thousands of such lines."""
        if not self.text:
            # A record sheet has hundreds of empty cells.
            return
        style = self.style
        size, bold = style.size, style.bold
        right, up = style.indent, style.leading - size
        if style.align != "left":
            # Half of the free width is left of a centred line, and all of it is left of a right-aligned line.
            wide = fonts.width(self.text, size, bold) + self.letter_spacing * (len(self.text) - 1)
            right = SHARE[style.align] * (self.width - wide)
        operators = fonts.text_operators(canvas.file, self.text, size, bold)
        before, after = (f" {numbers(self.letter_spacing)} Tc", " 0 Tc") if self.letter_spacing else ("", "")
        canvas.write(
            f"q\n1 0 0 1 {numbers(x, y)} cm\n{rgb(style.colour)} rg\n"
            f"BT 1 0 0 1 {numbers(right, up)} Tm{before} {operators} T*{after} ET\nQ"
        )
        canvas.link_text(self.text, x + right, y + up, size, bold)


def letters_text(letters: Iterable[Letter]) -> str:
    """Return the text of a sequence of letters."""
    return "".join([c for c, _, _ in letters])


def text_runs(parts: Sequence[Node | str], bold: bool, colour: str, verbatim: bool = False) -> Iterator[Letter]:
    """Yield inline content as runs of letters of one style, and line breaks.

    Text that is `verbatim`, such as a command, keeps the characters of a keyboard.
    """
    for part in parts:
        if isinstance(part, str):
            yield collapse_spaces(part, verbatim=verbatim), bold, colour
        elif part.tag == "br":
            yield BREAK, bold, colour
        else:
            inner_colour = part.colour() if part.tag == "c" else colour
            yield from text_runs(part.children, bold or part.tag == "b", inner_colour, verbatim or part.tag == "code")
