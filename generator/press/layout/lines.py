"""Lines of text in a column, and a text that stands on one line."""

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
"""A character, or several alike, whether it is bold, and its colour (empty: the paragraph's own)."""
BREAK = "\n"
SHARE: Mapping[Align, float] = {"left": 0.0, "centre": 0.5, "right": 1.0}
"""How much of what a line leaves free lies before it."""


class LinedParagraph(Flowable):
    """Lines one below the other, all of one style."""

    lines: list[Any]
    style: Style

    def split(self, width: float, height: float) -> list[Flowable]:
        """Between two lines; no single line stays behind."""
        fit = int(height / self.style.leading)
        if fit >= len(self.lines):
            return [self]
        return self.split_lines(fit, width) if fit > 1 else []

    def split_lines(self, fit: int, width: float) -> list[Flowable]:
        """So many lines of it, two at least, and the rest, in a column of that width."""
        raise NotImplementedError


class OneLine(Flowable):
    """A text that is known to fit on one line: what a paragraph looks like, at a part of the cost.

    Its letters stand `spaced` points apart from one another.
    """

    def __init__(self, text: str, style: Style, letter_spacing: float = 0.0) -> None:
        self.text, self.style, self.letter_spacing = text, style, letter_spacing
        self.before, self.after, self.keep_with_next = style.before, style.after, style.keep_with_next

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """A line's height wherever it stands."""
        self.width = width
        return width, self.style.leading

    def draw_on(self, canvas: Canvas, x: float, y: float) -> None:
        """What ReportLab's calls would write, at once, for a print has thousands of such lines."""
        if not self.text:
            # A record has hundreds of cells to write in.
            return
        style = self.style
        size, bold = style.size, style.bold
        right, up = style.indent, style.leading - size
        if style.align != "left":
            # Half of what is free lies before a line in the middle, all of it before one at the right.
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
    """The text of so many letters."""
    return "".join([c for c, _, _ in letters])


def text_runs(parts: Sequence[Node | str], bold: bool, colour: str) -> Iterator[Letter]:
    """Inline content as texts that look alike, and breaks."""
    for part in parts:
        if isinstance(part, str):
            yield collapse_spaces(part), bold, colour
        elif part.tag == "br":
            yield BREAK, bold, colour
        else:
            inner_colour = colour if part.tag == "b" else part.colour()
            yield from text_runs(part.children, bold or part.tag == "b", inner_colour)
