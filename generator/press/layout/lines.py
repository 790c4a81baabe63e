"""Base class of paragraphs, and texts that consist of a single line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from generator.press.layout.flowables import Flowable
from generator.press.layout.markup import Node, collapse_spaces
from generator.press.layout.styles import Align, Style
from generator.press.pdf import fonts
from generator.press.pdf.canvas import Canvas
from generator.press.pdf.tags import END, Level, Place
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
    role = "P"

    def split(self, width: float, height: float) -> list[Flowable]:
        """Split the paragraph between two lines if at least two lines fit."""
        fit = int(height / self.style.leading)
        if fit >= len(self.lines):
            return [self]
        if fit < 2:
            return []
        first, rest = self.split_lines(fit, width)
        place = self.place or Place((Level(self.role),), 1)
        first.place, rest.place = place.before_split, place
        return [first, rest]

    def split_lines(self, fit: int, width: float) -> list[Flowable]:
        """Return a paragraph with the first `fit` lines, at least two, and a paragraph with the rest."""
        raise NotImplementedError


class OneLine(Flowable):
    """A text that is known to fit on one line. It looks the same as a paragraph but is created faster.

    `letter_spacing` is the additional space between letters in points.
    """

    role = "P"

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
        before, after = (f" {numbers(self.letter_spacing)} Tc", " 0 Tc") if self.letter_spacing else ("", "")
        with self.tagged(canvas):
            marked = MarkedText(canvas)
            for part, key, ahead in marked.parts(self.text):
                marked.begin(key)
                for piece, span in canvas.tags.split_languages(part, style.lang):
                    shown = fonts.text_operators(canvas.file, piece, size, bold)
                    marked.operators += [span, shown, END] if span else [shown]
                if key:
                    canvas.link_part(part, ahead, key, x + right, y + up, size, bold)
            canvas.write(
                f"q\n1 0 0 1 {numbers(x, y)} cm\n{rgb(style.colour)} rg\n"
                f"BT 1 0 0 1 {numbers(right, up)} Tm{before} {' '.join(marked.finish())} T*{after} ET\nQ"
            )


class MarkedText:
    """The operators of a text object, which are marked as the text of the current element and of its links.

    Marks begin only when text comes, so that no mark is empty.
    """

    def __init__(self, canvas: Canvas) -> None:
        self.canvas, self.tags = canvas, canvas.tags
        self.operators: list[str] = []
        self._key: str | None = None
        """Bookmark of the current link, an empty string in other text, or None before the first text."""

    def parts(self, text: str) -> Iterator[tuple[str, str, str]]:
        """Yield the parts of a line of text, each with its link's bookmark and the text before the part."""
        ahead = ""
        for part, key in self.canvas.split_links(text):
            yield part, key, ahead
            ahead += part

    def begin(self, key: str = "") -> None:
        """Begin text that leads to this bookmark, or text without a link."""
        if key == self._key and not key:
            return
        self._end()
        if key:
            self.tags.enter("Link")
        self._key = key
        self._append(self.tags.mark())

    def finish(self) -> list[str]:
        """End the last mark, and return all operators."""
        self._end()
        self._key = None
        return self.operators

    def _end(self) -> None:
        if self._key is not None:
            self._append(self.tags.end())
            if self._key:
                self.tags.leave()

    def _append(self, operator: str) -> None:
        if operator:
            self.operators.append(operator)


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
