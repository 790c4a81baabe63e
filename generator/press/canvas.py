"""Pictures as PDF operators on a ReportLab canvas; a symbol becomes a Form XObject, written once a document.

The operators are written straight into the page's stream: a map has thousands of them, and ReportLab's own
calls take several times as long.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain, count
from math import cos, radians, sin
from typing import Any, NamedTuple

from reportlab.lib.rl_accel import fp_str
from reportlab.pdfbase import pdfdoc, pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from generator import __version__
from generator.model.picture import SLANT, XY, Colour, Item, Path, Pen, Picture, Still, Symbol, Text
from generator.model.words import Lang
from generator.press import BOLD, REGULAR, fonts
from generator.press.text import legible
from generator.store.manifest import seal_at_end
from generator.store.write import Draft

MM = 72 / 25.4
"""Points in a millimetre."""

_LEVEL = 4
"""How hard operators are packed: zlib's usual 6 makes files a twentieth smaller and takes more than twice as long."""
_POINT = "%.3f %.3f "
_MANY = 40
"""A path of so many steps is hardly drawn in the same steps again."""
_STEPS = {"M": f"%.0s{_POINT}m", "L": f"%.0s{_POINT}l", "C": f"%.0s{3 * _POINT}c", "Z": "%.0sh"}
"""How each kind of step is written; its letter, which comes first, is passed over."""


def draw(canvas: Any, picture: Picture, x: float = 0.0, y: float = 0.0, turned: bool = False) -> None:
    """Draw a picture with its lower left corner at (x, y) mm of the canvas's current origin.

    A turned one stands on its head in the same place.
    """
    stream = _Stream(canvas)
    for still in picture.still:
        stream.still(still, picture)
    stream.items(legible(picture.upon))
    scale = MM
    if turned:
        x, y, scale = x + picture.width, y + picture.height, -MM
    canvas._code.append(f"q {scale:.6f} 0 0 {scale:.6f} {x * MM:.3f} {y * MM:.3f} cm")
    canvas._code.extend(stream.code)
    canvas._code.append("Q")
    canvas._formsinuse.extend(stream.forms)
    canvas._extgstate._c.update(((kind, alpha), name) for name, (kind, alpha) in stream.alphas.items())


def alone(picture: Picture, lang: Lang, title: str = "", packed: bool = True) -> bytes:
    """A PDF of one page, just as large as the picture on it; unpacked it is there sooner, and larger."""
    return fonts.enough(lang, lambda: _alone(picture, lang, title, packed))


def _alone(picture: Picture, lang: Lang, title: str, packed: bool) -> bytes:
    size = picture.width * MM, picture.height * MM
    canvas = begun(size, lang, packed)
    describe(canvas, title, "")
    draw(canvas, picture)
    return bytes(finished(canvas))


def begun(size: XY, lang: Lang, packed: bool = True) -> Any:
    """A canvas for a file of pages of that size, in points, which is written while they are made.

    What is written is let go: where it stands in the file is all that is known of a page then, or of a form.
    """
    out = Draft()
    # With a font of its own from the start: ReportLab's default is a Helvetica that is not embedded.
    given: dict[str, Any] = {"pageCompression": int(packed), "invariant": 1, "lang": lang}
    canvas = Canvas(out, size, initialFontName=REGULAR, **given)
    canvas._doc.out = out
    canvas._doc.places = {}
    return canvas


def finished(canvas: Any) -> Draft:
    """All that was drawn on such a canvas, as a file."""
    document = canvas._doc
    document.format = partial(_file, document)
    canvas.save()
    file: Draft = document.out
    seal_at_end(file)
    return file


def page_done(canvas: Any, streams: Sequence[int] = ()) -> None:
    """Write down the page that was made last, so that it need not be held.

    `streams` are the numbers of those that make it up, where they are written down on their own.
    """
    document = canvas._doc
    pages = document.Pages.pages
    page = pages[-1]
    told = [b"%d 0 R" % number for number in streams or (stream(canvas, page.stream),)]
    page.Contents = told[0] if len(told) == 1 else b"[ %b ]" % b" ".join(told)
    page.stream = None
    name: str = page.__InternalName__
    pages[-1] = pdfdoc.PDFObjectReference(name)
    _lay(document, name)


def stream(canvas: Any, code: str, number: int = 0) -> int:
    """Write operators down as a stream, and tell its number: one that was promised, or the next."""
    number = number or promised(canvas)
    body, head = encoded(code), b""
    if canvas._pageCompression:
        body, head = zlib.compress(body, _LEVEL), b"/Filter /FlateDecode "
    _write(canvas._doc, number, b"<< %b/Length %d >>\nstream\n%b\nendstream" % (head, len(body), body))
    return number


def promised(canvas: Any) -> int:
    """The number of something that is to be written down."""
    canvas._doc.objectcounter += 1
    number: int = canvas._doc.objectcounter
    return number


def link(canvas: Any, area: bytes, key: str) -> None:
    """Have an area of the page in the making lead to a bookmark. A round has thousands of them."""
    document, number = canvas._doc, promised(canvas)
    # Where it leads is written down once for all, as soon as that is known.
    there: bytes = document.Reference(canvas._bookmarkReference(key)).format(document)
    told = b"<< /Border [ 0 0 0 ] /Contents () /Dest %b /Rect %b /Subtype /Link /Type /Annot >>" % (there, area)
    _write(document, number, told)
    canvas._annotationrefs.append(b"%d 0 R" % number)


def rectangle(*sides: float) -> bytes:
    """Left, bottom, right and top, in points, as the PDF has them."""
    return b"[ %b ]" % fp_str(*sides).encode()


def encoded(code: str) -> bytes:
    """Operators as bytes. ReportLab's codec looks up every letter; those of ASCII stay as they are."""
    return code.encode() if code.isascii() else bytes(pdfdoc.pdfdocEnc(code))


def end_form(canvas: Any, resources: Any) -> None:
    """End the form that `beginForm` began, and write it down packed as pages are."""
    name = canvas._formData[0]
    code, canvas._code = "\n".join([canvas._preamble, *canvas._code]), []
    canvas.endForm(Resources=resources)
    form = canvas._doc.idToObject[pdfdoc.xObjectName(name)]
    # Packed here: ReportLab would write it as text as well, in base 85, a quarter longer.
    packing = [pdfdoc.PDFZCompress] if canvas._pageCompression else None
    form.compression, form.Contents = 0, pdfdoc.PDFStream(content=encoded(code), filters=packing)
    form_done(canvas, name)


def add_form(canvas: Any, name: str, form: Any) -> None:
    """Give the document a form, and write it down."""
    canvas._doc.addForm(name, form)
    form_done(canvas, name)


def form_done(canvas: Any, name: str) -> None:
    """Write down the form of that name, so that it need not be held."""
    _lay(canvas._doc, pdfdoc.xObjectName(name))


def _lay(document: Any, name: str) -> None:
    """Write an object down now, where the document's file is open: others know its number, and nothing more."""
    if hasattr(document, "out"):
        _write(
            document, document.idToObjectNumberAndVersion[name][0], _formatted(document.idToObject[name], document)
        )
        document.idToObject[name] = None


def _formatted(value: Any, document: Any) -> bytes:
    """An object as it stands in the file behind its number."""
    formatted: bytes = pdfdoc.format(value, document, toplevel=1)
    return formatted


def _write(document: Any, number: int, told: bytes) -> None:
    """Write down what has a number of its own, and keep its place."""
    out = document.out
    document.places[number] = out.tell() or out.write(_head(document))
    out.write(b"%d 0 obj\n%b%bendobj\n" % (number, told, b"" if told.endswith(b"\n") else b"\n"))


def _head(document: Any) -> bytes:
    """How the file begins, as long for every version."""
    head: bytes = pdfdoc.PDFFile(document._pdfVersion).strings[0]
    return head


def _file(document: Any) -> bytes:
    """Write down what is left, where each is to be found, and the end of the file; nothing is left to be written."""
    out, names, places = document.out, document.numberToId, document.places
    for always in (document.Catalog, document.info):
        document.Reference(always)
    # What is written may refer to more that is to be written.
    for number in count(1):
        if number > document.objectcounter:
            break
        if number not in places:
            _write(document, number, _formatted(document.idToObject[names[number]], document))
    end, size = out.tell(), document.objectcounter + 1
    # Something drawn late may have asked for a later version.
    out.seek(0)
    out.write(_head(document))
    out.seek(end)
    trailer = pdfdoc.PDFTrailer(
        startxref=end,
        Size=size,
        Root=document.Reference(document.Catalog),
        Info=document.Reference(document.info),
        ID=document.ID(),
    )
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % size)
    out.writelines(b"%010d 00000 n \n" % places[number] for number in range(1, size))
    out.write(trailer.format(document))
    return b""


def describe(canvas: Any, title: str, subject: str) -> None:
    """What a viewer tells of the file, and that it prints it as large as it is."""
    canvas.setTitle(title)
    canvas.setAuthor("Muster")
    canvas.setSubject(subject or title)
    canvas.setCreator(f"Muster {__version__}")
    canvas.setViewerPreference("PrintScaling", "None")


JOINT = " · "
"""What parts the sheets where they are listed."""


Led = tuple[str, tuple[float, float, float, float]]
"""A text that leads somewhere, and where on the page it lies, in points."""


def lead(canvas: Any, text: str, x: float, y: float, size: float, bold: bool) -> None:
    """Lay links over a line of text whose parts say where they lead: sheets by name, units, cells.

    `canvas.links` tells which texts do, and the bookmark of each; where it is not there nothing does. In points.
    In a form, which lies on many pages, `canvas.led` is handed the texts and where on those pages they lie.
    """
    links: Mapping[str, str] = getattr(canvas, "links", {})
    noted: list[Led] | None = getattr(canvas, "led", None)
    if not links:
        return
    start, text = 0, text.replace("\u00a0", " ")
    for part in text.split(JOINT):
        # A line may end before what parts the sheets or behind it.
        name = part.strip(" ·")
        if key := links.get(name):
            left = x + fonts.width(text[: text.index(name, start)], size, bold)
            right = left + fonts.width(name, size, bold)
            area = left, y - 0.25 * size, right, y + 0.9 * size
            if noted is None:
                link(canvas, rectangle(*canvas._absRect(area, 1)), key)
            else:
                noted.append((name, (*canvas.absolutePosition(*area[:2]), *canvas.absolutePosition(*area[2:]))))
        start += len(part) + len(JOINT)


_BEFORE = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""How much of a text's width lies before its anchor."""
_FEW = 40
"""Steps of a path that is written down rather than kept as a form."""
_KEPT = 8
"""So many parts are looked for again, the last ones: a print may have thousands."""


_SPELT = 4096
"""So many texts of a document are kept as they are spelt: names of cells, units and pieces come again and again."""


class _Still(NamedTuple):
    """A part of pictures as it was drawn, and the name of its form, empty as long as it came once."""

    part: tuple[Item, ...]
    stream: _Stream
    form: str


class _Stream:
    """Operators in the making, in mm, with the forms and transparencies they refer to."""

    def __init__(self, canvas: Any) -> None:
        self.canvas = canvas
        self.code: list[str] = []
        self.forms: dict[str, str] = {}
        """What each form is called here."""
        self.alphas: dict[str, tuple[str, float]] = {}
        self.fill = self.pen = ""

    def items(self, items: tuple[Item, ...]) -> None:
        for item in items:
            if isinstance(item, Path):
                self._path(item)
            elif isinstance(item, Text):
                self._text(item)
            else:
                self._use(item.symbol, item.x, item.y, item.scale, item.turn)

    def still(self, still: Still, of: Picture) -> None:
        """What other pictures of the document begin with too: as it is where it comes first, then as one form."""
        document, part = self.canvas._doc, still.part
        known: list[_Still] = document.__dict__.setdefault("still", [])
        # Mostly it is the same object; where it was made again the file must not tell.
        at = next((at for at, one in enumerate(known) if one.part is part or one.part == part), None)
        found = None if at is None else known.pop(at)
        moved = f"{still.scale:.6f} 0 0 {still.scale:.6f} {still.x:.3f} {still.y:.3f} cm"
        if found is None:
            stream = _Stream(self.canvas)
            stream.items(legible(part))
            self.code += ["q", moved, *stream.code, "Q"]
            self.forms |= stream.forms
            self.alphas |= stream.alphas
            stream.code = ["\n".join(stream.code)]
            found = _Still(part, stream, "")
        else:
            if not found.form:
                found = found._replace(form=f"still{len(document.idToObject)}")
                add_form(self.canvas, found.form, _Form(found.stream, (of.width + of.height) / still.scale))
            self.forms[found.form] = name = document.getXObjectName(found.form)
            # A reader takes the bends of what a form holds for spikes: its picture is where it ends.
            self.code.append(f"q 0 0 {of.width:.3f} {of.height:.3f} re W n {moved} /{name} Do Q")
        known.append(found)
        del known[:-_KEPT]

    def _path(self, path: Path) -> None:
        if path.fill is None and path.pen is None:
            return
        if path.alpha < 1:
            self.code.append("q")
            for kind in ("ca", "CA"):
                name = f"{kind}{round(path.alpha * 100)}"
                self.alphas[name] = (kind, round(path.alpha, 2))
                self.code.append(f"/{name} gs")
        self._inked(path)
        self.code.append(_drawn(path))
        if path.alpha < 1:
            self.code.append("Q")
            self.fill = self.pen = ""

    def _inked(self, path: Path) -> None:
        if path.fill:
            self._fill(path.fill)
        if path.pen:
            self._pen(path.pen)

    def _fill(self, colour: Colour) -> None:
        if colour != self.fill:
            self.fill = colour
            self.code.append(f"{_rgb(colour)} rg")

    def _pen(self, pen: Pen) -> None:
        operators = _drawing(pen)
        if operators != self.pen:
            self.pen = operators
            self.code.append(operators)

    def _text(self, text: Text) -> None:
        name = BOLD if text.bold else REGULAR
        size = text.size / MM
        share = _BEFORE[text.anchor]
        x = text.x - share * fonts.width(text.text, size, text.bold) if share else text.x
        self._fill(text.colour)
        lean = f"{SLANT:g}" if text.slanted else "0"
        self.code.append(f"BT 1 0 {lean} 1 {x:.3f} {text.y:.3f} Tm")
        for inner, codes in self._spelt(name, text.text):
            self.code.append(f"{inner} {size:.4f} Tf ({codes}) Tj")
        self.code.append("ET")

    def _spelt(self, name: str, text: str) -> list[tuple[str, str]]:
        """A text by the fonts of the document that have its letters, and their codes there."""
        document = self.canvas._doc
        known: dict[tuple[str, str], list[tuple[str, str]]] = document.__dict__.setdefault("spelt", {})
        found = known.get((name, text))
        if found is None:
            font, escape = pdfmetrics.getFont(name), self.canvas._escape
            parts = font.splitString(text, document)
            found = [(font.getSubsetInternalName(subset, document), escape(codes)) for subset, codes in parts]
            if len(known) < _SPELT:
                known[name, text] = found
        return found

    def _use(self, symbol: Symbol, x: float, y: float, scale: float, turn: float) -> None:
        if not symbol.items:
            return
        if len(symbol.items) == 1 and isinstance(only := symbol.items[0], Path) and _short(only):
            # A form takes readers longer than such a path, and these come by the hundred: the tufts of open ground.
            known: dict[str, str] = self.canvas._doc.__dict__.setdefault("lone", {})
            if (drawn := known.get(symbol.name)) is None:
                drawn = known[symbol.name] = _drawn(only)
            self._inked(only)
            self.code.append(f"q {_matrix(x, y, scale, turn)} {drawn} Q")
            return
        if symbol.name not in self.forms and not self.canvas._doc.hasForm(symbol.name):
            self._found(symbol.name, symbol)
        self._placed(symbol.name, x, y, scale, turn)

    def _placed(self, form: str, x: float, y: float, scale: float, turn: float) -> None:
        name = self.forms.get(form)
        if name is None:
            name = self.forms[form] = self.canvas._doc.getXObjectName(form)
        self.code.append(f"q {_matrix(x, y, scale, turn)} /{name} Do Q")

    def _found(self, form: str, symbol: Symbol) -> None:
        """Write the symbol's form; ValueError for a name that a PDF would read otherwise."""
        if "#" in form:
            raise ValueError(f"{form!r} is no name for a form: # begins an escape")
        inner = _Stream(self.canvas)
        inner.items(symbol.items)
        add_form(self.canvas, form, _Form(inner, symbol.reach))


def _matrix(x: float, y: float, scale: float, turn: float) -> str:
    """What moves a drawing there."""
    if turn:
        a, b = scale * cos(radians(turn)), scale * sin(radians(turn))
        return f"{a:.4f} {b:.4f} {-b:.4f} {a:.4f} {x:.3f} {y:.3f} cm"
    return f"{scale:.4f} 0.0000 -0.0000 {scale:.4f} {x:.3f} {y:.3f} cm"


def _short(path: Path) -> bool:
    """Whether a path is soon written down wherever it is wanted: a code of thousands of modules is not."""
    return path.alpha == 1 and len(path.steps) <= _FEW


def _drawn(path: Path) -> str:
    """The operators of a path: its steps, and what paints it."""
    parts = tuple(chain.from_iterable(path.steps))
    written = _steps("".join([step[0] for step in path.steps]))  # type: ignore[misc] # a letter stands first
    steps = written % parts
    if "-0.000" in steps:
        # Nought and its opposite are one to whoever remembers a part, so they are written as one.
        steps = written % tuple([part or 0.0 for part in parts])
    how = "f" if path.pen is None else "B" if path.fill else "S"
    return f"{steps}\n{how}{'*' if path.even_odd and path.fill else ''}"


def _steps(kinds: str) -> str:
    """How steps of these kinds are written, but for their numbers."""
    return _few_steps(kinds) if len(kinds) < _MANY else "\n".join([_STEPS[kind] for kind in kinds])


@lru_cache(256)  # the shapes of what is drawn: hexes, squares, figures
def _few_steps(kinds: str) -> str:
    return "\n".join([_STEPS[kind] for kind in kinds])


class _Form(pdfdoc.PDFObject):
    """A symbol's Form XObject, written in one go: ReportLab's own is built of a dozen objects a form."""

    def __init__(self, inner: _Stream, reach: float) -> None:
        self.inner, self.reach = inner, reach
        # A print has hundreds, of thousands of lines each: they are kept as they will be written.
        self.body = zlib.compress(encoded("\n".join(inner.code)), _LEVEL)
        inner.code.clear()

    def format(self, document: Any) -> bytes:
        """The object as it stands in the file."""
        fonts = pdfdoc.format(pdfdoc.PDFObjectReference(pdfdoc.BasicFonts), document).decode()
        resources = f"/Font {fonts}"
        if self.inner.forms:
            resources += f" /XObject {pdfdoc.format(document.xobjDict(self.inner.forms), document).decode()}"
        if alphas := self.inner.alphas.items():
            states = " ".join(f"/{name} << /{kind} {alpha} >>" for name, (kind, alpha) in alphas)
            resources += f" /ExtGState << {states} >>"
        body = self.body
        box = f"[{-self.reach:g} {-self.reach:g} {self.reach:g} {self.reach:g}]"
        head = f"/Type /XObject /Subtype /Form /BBox {box} /Filter /FlateDecode /Length {len(body)}"
        return b"<< %b /Resources << %b >> >>\nstream\n%b\nendstream" % (head.encode(), resources.encode(), body)


@lru_cache(256)  # the pens of a print, each taken up again and again
def _drawing(pen: Pen) -> str:
    """The operators that take a pen up."""
    ends = 1 if pen.round else 0
    dash = " ".join(f"{n:.3f}" for n in pen.dash)
    return f"{_rgb(pen.colour)} RG {pen.width:.3f} w {ends} J {ends} j [{dash}] 0 d"


@lru_cache(256)  # the theme's colours
def _rgb(colour: Colour) -> str:
    number = int(colour[1:], 16)
    return " ".join(f"{(number >> shift & 255) / 255:.3g}" for shift in (16, 8, 0))
