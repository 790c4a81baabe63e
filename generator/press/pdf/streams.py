"""Pictures as PDF operators, written straight into a stream."""

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
from generator.press.pdf.units import MM

# A map has thousands of operators, and ReportLab's own calls take several times as long. A symbol becomes a form,
# which is written once in a document.

_POINT = "%.3f %.3f "
_CACHED_STEPS = 40
"""A path of so many steps is hardly drawn in the same steps again."""
_STEPS = {"M": f"%.0s{_POINT}m", "L": f"%.0s{_POINT}l", "C": f"%.0s{3 * _POINT}c", "Z": "%.0sh"}
"""How each kind of step is written; its letter, which comes first, is passed over."""


_ANCHOR_SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""How much of a text's width lies before its anchor."""
_MAX_INLINE_STEPS = 40
"""Steps of a path that is written down rather than kept as a form."""
_STILLS_KEPT = 8
"""So many parts are looked for again, the last ones: a print may have thousands."""


_MAX_CACHED_TEXTS = 4096
"""The most texts of a document that are kept as they are spelled."""


class DrawnStill(NamedTuple):
    """A part of pictures as it was drawn, and the name of its form, empty as long as it came once."""

    part: tuple[Item, ...]
    stream: Stream
    form: str


class Stream:
    """Operators in the making, in mm, with the forms and transparencies they refer to."""

    def __init__(self, file: File) -> None:
        self.file = file
        self.code: list[str] = []
        self.forms: dict[str, str] = {}
        """What each form is called here."""
        self.alphas: dict[str, tuple[str, float]] = {}
        self.fill = self.pen = ""

    def picture(self, picture: Picture) -> None:
        """All that is on a picture."""
        for still in picture.still:
            self.still(still, picture)
        self.items(legible(picture.upon))

    def items(self, items: tuple[Item, ...]) -> None:
        """Items of a picture, as they are."""
        for item in items:
            if isinstance(item, Path):
                self._path(item)
            elif isinstance(item, Text):
                self._text(item)
            else:
                self._use(item.symbol, item.x, item.y, item.scale, item.turn)

    def still(self, still: Still, of: Picture) -> None:
        """What other pictures of the document begin with too: as it is where it comes first, then as one form."""
        part, known = still.part, self.file.stills
        # Mostly it is the same object; where it was made again the file must not tell.
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
            # A reader takes the bends of what a form holds for spikes: its picture is where it ends.
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
        x = text.x - share * fonts.width(text.text, size, text.bold) if share else text.x
        self._fill(text.colour)
        lean = f"{SLANT:g}" if text.slanted else "0"
        self.code.append(f"BT 1 0 {lean} 1 {x:.3f} {text.y:.3f} Tm")
        for inner, codes in self._spelled(text.text, text.bold):
            self.code.append(f"{inner} {size:.4f} Tf ({codes}) Tj")
        self.code.append("ET")

    def _spelled(self, text: str, bold: bool) -> list[tuple[str, str]]:
        """A text as `fonts.spelled` has it: names of cells, units and pieces come again and again."""
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
            # A form takes readers longer than such a path, and these come by the hundred: the tufts of open ground.
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
        """Write the symbol's form; ValueError for a name that a PDF would read otherwise."""
        if "#" in form:
            raise ValueError(f"{form!r} is no name for a form: # begins an escape")
        inner = Stream(self.file)
        inner.items(symbol.items)
        self.file.add_form(form, inner.form(symbol.reach))

    def form(self, reach: float) -> SymbolForm:
        """Return the drawing as a form that reaches `reach` mm from the origin; the stream is empty then."""
        form = SymbolForm(self.code, [*self.forms], self.alphas, reach)
        self.code.clear()
        return form


def _matrix(x: float, y: float, scale: float, turn: float) -> str:
    """What moves a drawing there."""
    if turn:
        a, b = scale * cos(radians(turn)), scale * sin(radians(turn))
        return f"{a:.4f} {b:.4f} {-b:.4f} {a:.4f} {x:.3f} {y:.3f} cm"
    return f"{scale:.4f} 0.0000 -0.0000 {scale:.4f} {x:.3f} {y:.3f} cm"


def _is_short(path: Path) -> bool:
    """Whether a path is soon written down wherever it is wanted: a code of thousands of modules is not."""
    return path.alpha == 1 and len(path.steps) <= _MAX_INLINE_STEPS


def _path_operators(path: Path) -> str:
    """The operators of a path: its steps, and what paints it."""
    parts = tuple(chain.from_iterable(path.steps))
    written = _step_format("".join([step[0] for step in path.steps]))  # type: ignore[misc] # a letter stands first
    steps = written % parts
    if "-0.000" in steps:
        # Nought and its opposite are one to whoever remembers a part, so they are written as one.
        steps = written % tuple([part or 0.0 for part in parts])
    how = "f" if path.pen is None else "B" if path.fill else "S"
    return f"{steps}\n{how}{'*' if path.even_odd and path.fill else ''}"


def _step_format(kinds: str) -> str:
    """How steps of these kinds are written, but for their numbers."""
    return _cached_step_format(kinds) if len(kinds) < _CACHED_STEPS else "\n".join([_STEPS[kind] for kind in kinds])


@lru_cache(256)  # the shapes of what is drawn: hexes, squares, figures
def _cached_step_format(kinds: str) -> str:
    return "\n".join([_STEPS[kind] for kind in kinds])


@lru_cache(256)  # the pens of a print, each taken up again and again
def _pen_operators(pen: Pen) -> str:
    """The operators that take a pen up."""
    ends = 1 if pen.round else 0
    dash = " ".join(f"{n:.3f}" for n in pen.dash)
    return f"{_rgb(pen.colour)} RG {pen.width:.3f} w {ends} J {ends} j [{dash}] 0 d"


@lru_cache(256)  # the theme's colours
def _rgb(colour: Colour) -> str:
    number = int(colour[1:], 16)
    return " ".join(f"{(number >> shift & 255) / 255:.3g}" for shift in (16, 8, 0))
