"""Convert pictures to PDF operators, without ReportLab's drawing functions."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from math import cos, radians, sin
from typing import NamedTuple

from generator.model.picture import SLANT, Colour, Item, Path, Pen, Picture, Still, Symbol, Text
from generator.press.pdf import fonts
from generator.press.pdf.file import File
from generator.press.pdf.forms import SymbolForm
from generator.press.pdf.legible import legible
from generator.press.pdf.typography import typeset
from generator.press.pdf.units import MM

# A map has thousands of operators, and ReportLab's own functions take several times as long to write them. Each
# symbol becomes a form that is written once per document.

_POINT = "%.3f %.3f "
_CACHED_STEPS = 40
"""Maximum number of steps of a path whose format string is cached. Longer paths rarely repeat."""
_STEPS = {"M": f"%.0s{_POINT}m", "L": f"%.0s{_POINT}l", "C": f"%.0s{3 * _POINT}c", "Z": "%.0sh"}
"""Format string for each kind of step. `%.0s` skips the letter that precedes the coordinates."""


_ANCHOR_SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""Fraction of a text's width that is before the anchor."""
_MAX_INLINE_STEPS = 40
"""Maximum number of steps of a path that is written inline. Longer paths become forms."""
_STILLS_KEPT = 8
"""Number of recently drawn parts that a new part is compared with. A print may have thousands of parts."""


_MAX_CACHED_TEXTS = 4096
"""Maximum number of encoded texts that are cached per document."""


class DrawnStill(NamedTuple):
    """A part of pictures that has been drawn. `form` is empty until the part is drawn a second time."""

    part: tuple[Item, ...]
    stream: Stream
    form: str


class Stream:
    """A sequence of PDF operators in mm, with the forms and transparencies that they use."""

    def __init__(self, file: File) -> None:
        self.file = file
        self.code: list[str] = []
        self.forms: dict[str, str] = {}
        """Forms keyed by form name, with their names in the resources of the page."""
        self.alphas: dict[str, tuple[str, float]] = {}
        self.fill = self.pen = ""

    def picture(self, picture: Picture) -> None:
        """Write a complete picture."""
        for still in picture.still:
            self.still(still, picture)
        self.items(legible(picture.upon))

    def items(self, items: tuple[Item, ...]) -> None:
        """Write the items of a picture."""
        for item in items:
            if isinstance(item, Path):
                self._path(item)
            elif isinstance(item, Text):
                self._text(item)
            else:
                self._use(item.symbol, item.x, item.y, item.scale, item.turn)

    def still(self, still: Still, of: Picture) -> None:
        """Write a part that other pictures may share.

        The part is written inline the first time. If it appears again, it becomes a form.
        """
        part, known = still.part, self.file.stills
        # Parts are usually the same object, but an equal copy must produce the same bytes.
        at = next((at for at, one in enumerate(known) if one.part is part or one.part == part), None)
        found = None if at is None else known.pop(at)
        moved = f"{still.scale:.6f} 0 0 {still.scale:.6f} {still.x:.3f} {still.y:.3f} cm"
        if found is None:
            stream = Stream(self.file)
            stream.items(legible(part))
            self.code += ["q", moved, *stream.code, "Q"]
            self.forms |= stream.forms
            self.alphas |= stream.alphas
            stream.code = ["\n".join(stream.code)]
            found = DrawnStill(part, stream, "")
        else:
            if not found.form:
                found = found._replace(form=f"still{len(self.file.document.idToObject)}")
                self.file.add_form(found.form, found.stream.form((of.width + of.height) / still.scale))
            self.forms[found.form] = name = self.file.form_resource_name(found.form)
            # Clip to the picture, because viewers extend a form's bounds to the control points of its curves.
            self.code.append(f"q 0 0 {of.width:.3f} {of.height:.3f} re W n {moved} /{name} Do Q")
        known.append(found)
        del known[:-_STILLS_KEPT]

    def _path(self, path: Path) -> None:
        if path.fill is None and path.pen is None:
            return
        if path.alpha < 1:
            self.code.append("q")
            for kind in ("ca", "CA"):
                name = f"{kind}{round(path.alpha * 100)}"
                self.alphas[name] = (kind, round(path.alpha, 2))
                self.code.append(f"/{name} gs")
        self._set_ink(path)
        self.code.append(_path_operators(path))
        if path.alpha < 1:
            self.code.append("Q")
            self.fill = self.pen = ""

    def _set_ink(self, path: Path) -> None:
        if path.fill:
            self._fill(path.fill)
        if path.pen:
            self._pen(path.pen)

    def _fill(self, colour: Colour) -> None:
        if colour != self.fill:
            self.fill = colour
            self.code.append(f"{_rgb(colour)} rg")

    def _pen(self, pen: Pen) -> None:
        operators = _pen_operators(pen)
        if operators != self.pen:
            self.pen = operators
            self.code.append(operators)

    def _text(self, text: Text) -> None:
        size = text.size / MM
        share = _ANCHOR_SHARE[text.anchor]
        words = typeset(text.text)
        before = share * (fonts.width(words, size, text.bold) + text.extra_width) if share else 0.0
        self._fill(text.colour)
        if text.turn:
            across, up = cos(radians(text.turn)), sin(radians(text.turn))
            lean = SLANT if text.slanted else 0.0
            matrix = f"{across:.5f} {up:.5f} {lean * across - up:.5f} {lean * up + across:.5f}"
            self.code.append(f"BT {matrix} {text.x - before * across:.3f} {text.y - before * up:.3f} Tm")
        else:
            slant = f"{SLANT:g}" if text.slanted else "0"
            self.code.append(f"BT 1 0 {slant} 1 {text.x - before:.3f} {text.y:.3f} Tm")
        if text.spacing:
            self.code.append(f"{text.spacing * size:.4f} Tc")
        for inner, codes in self._spelled(words, text.bold):
            self.code.append(f"{inner} {size:.4f} Tf ({codes}) Tj")
        if text.spacing:
            self.code.append("0 Tc")
        self.code.append("ET")

    def _spelled(self, text: str, bold: bool) -> list[tuple[str, str]]:
        """Return a text as encoded by `fonts.encode_text`.

        The result is cached because the names of cells, units and pieces repeat.
        """
        known = self.file.encoded_texts
        found = known.get((bold, text))
        if found is None:
            found = fonts.encode_text(self.file, text, bold)
            if len(known) < _MAX_CACHED_TEXTS:
                known[bold, text] = found
        return found

    def _use(self, symbol: Symbol, x: float, y: float, scale: float, turn: float) -> None:
        if not symbol.items:
            return
        if len(symbol.items) == 1 and isinstance(only := symbol.items[0], Path) and _is_short(only):
            # Viewers draw a form more slowly than a short path, and open terrain has hundreds of tufts.
            known = self.file.single_paths
            if (drawn := known.get(symbol.name)) is None:
                drawn = known[symbol.name] = _path_operators(only)
            self._set_ink(only)
            self.code.append(f"q {_matrix(x, y, scale, turn)} {drawn} Q")
            return
        if symbol.name not in self.forms and not self.file.has_form(symbol.name):
            self._write_form(symbol.name, symbol)
        self._show_form(symbol.name, x, y, scale, turn)

    def _show_form(self, form: str, x: float, y: float, scale: float, turn: float) -> None:
        name = self.forms.get(form)
        if name is None:
            name = self.forms[form] = self.file.form_resource_name(form)
        self.code.append(f"q {_matrix(x, y, scale, turn)} /{name} Do Q")

    def _write_form(self, form: str, symbol: Symbol) -> None:
        """Write a symbol as a form.

        Raises:
            ValueError: If the name contains a character that has a special meaning in PDF names.
        """
        if "#" in form:
            raise ValueError(f"{form!r} is not a valid name for a form: # begins an escape")
        inner = Stream(self.file)
        inner.items(symbol.items)
        self.file.add_form(form, inner.form(symbol.reach))

    def form(self, reach: float) -> SymbolForm:
        """Return the operators as a form that extends `reach` mm from the origin, and clear this stream."""
        form = SymbolForm(self.code, [*self.forms], self.alphas, reach)
        self.code.clear()
        return form


def _matrix(x: float, y: float, scale: float, turn: float) -> str:
    """Return the operator that moves, scales and rotates the coordinate system."""
    if turn:
        a, b = scale * cos(radians(turn)), scale * sin(radians(turn))
        return f"{a:.4f} {b:.4f} {-b:.4f} {a:.4f} {x:.3f} {y:.3f} cm"
    return f"{scale:.4f} 0.0000 -0.0000 {scale:.4f} {x:.3f} {y:.3f} cm"


def _is_short(path: Path) -> bool:
    """Return whether a path is short enough to be written inline. QR codes, for example, have thousands of steps."""
    return path.alpha == 1 and len(path.steps) <= _MAX_INLINE_STEPS


def _path_operators(path: Path) -> str:
    """Return the operators of a path, including its painting operator."""
    parts = tuple(chain.from_iterable(path.steps))
    written = _step_format("".join([step[0] for step in path.steps]))  # type: ignore[misc] # a letter stands first
    steps = written % parts
    if "-0.000" in steps:
        # 0.0 and -0.0 are equal as cache keys, so either may be in a cached part. Both are written as 0.
        steps = written % tuple([part or 0.0 for part in parts])
    how = "f" if path.pen is None else "B" if path.fill else "S"
    return f"{steps}\n{how}{'*' if path.even_odd and path.fill else ''}"


def _step_format(kinds: str) -> str:
    """Return the format string for a sequence of step kinds."""
    return _cached_step_format(kinds) if len(kinds) < _CACHED_STEPS else "\n".join([_STEPS[kind] for kind in kinds])


@lru_cache(256)  # Enough for shapes that repeat, such as hexes, squares and figures.
def _cached_step_format(kinds: str) -> str:
    return "\n".join([_STEPS[kind] for kind in kinds])


@lru_cache(256)  # Enough for the pens of a print.
def _pen_operators(pen: Pen) -> str:
    """Return the operators that select a pen."""
    ends = 1 if pen.round else 0
    dash = " ".join(f"{n:.3f}" for n in pen.dash)
    return f"{_rgb(pen.colour)} RG {pen.width:.3f} w {ends} J {ends} j [{dash}] 0 d"


@lru_cache(256)  # Enough for the colours of the theme.
def _rgb(colour: Colour) -> str:
    number = int(colour[1:], 16)
    return " ".join(f"{(number >> shift & 255) / 255:.3g}" for shift in (16, 8, 0))
