"""The canvas on which documents are drawn page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

from reportlab.pdfbase.pdfdoc import xObjectName
from reportlab.pdfgen.canvas import Canvas as ReportLabCanvas

from generator import __version__
from generator.model.picture import XY, Colour, Picture
from generator.model.words import Lang
from generator.press.pdf import fonts
from generator.press.pdf.file import File
from generator.press.pdf.fonts import REGULAR
from generator.press.pdf.forms import end_form
from generator.press.pdf.streams import Stream
from generator.press.pdf.typography import typeset
from generator.press.pdf.units import MM, colour_of, numbers, rectangle
from generator.store.write import Draft

Matrix = tuple[float, float, float, float, float, float]
"""The six numbers of a transformation that maps (x, y) to (a x + c y + e, b x + d y + f)."""
NotedLink = tuple[str, tuple[float, float, float, float]]
"""The text of a link, and its area on the page in points: left, bottom, right, top."""
PageBox = Literal["trim", "bleed"]
"""The trim box is the page after cutting. The bleed box also includes the bleed."""
JOINT = " · "
"""Separator between the names in a line that lists several sheets."""


class Canvas:
    """A document that is drawn page by page, with coordinates in points from the lower left corner.

    The drawing methods accept `role` (the type of the structure element in a tagged PDF), `alt` (the alternative
    text of a picture) and `lang` (the language of the text). Pages are not tagged yet, so all three arguments are
    ignored.
    """

    def __init__(self, size: XY, lang: Lang, packed: bool = True) -> None:
        # ReportLab's default initial font is Helvetica, which is not embedded.
        given: dict[str, Any] = {"pageCompression": int(packed), "invariant": 1, "lang": lang}
        self._canvas = ReportLabCanvas(None, size, initialFontName=REGULAR, **given)
        self.file = File(self._canvas._doc, packed)
        self.links: Mapping[str, str] = {}
        """Maps the text of each link to the bookmark it leads to."""
        self.noted_links: list[NotedLink] | None = None
        """Links collected while a form is drawn that several pages show. None if links are written to the page."""
        self.per_copy: list[tuple[str, float, float]] | None = None
        """Names and positions in points of figures that differ between copies. None if such figures are drawn."""

    def describe(self, title: str, subject: str) -> None:
        """Set the document's title and subject, and turn off scaling in the print dialog."""
        canvas = self._canvas
        canvas.setTitle(title)
        canvas.setAuthor("Muster")
        canvas.setSubject(subject or title)
        canvas.setCreator(f"Muster {__version__}")
        canvas.setViewerPreference("PrintScaling", "None")

    def finish(self) -> Draft:
        """End the current page if it has content, and return the file."""
        if self._canvas._code:
            self.show_page()
        document = self._canvas._doc
        document.format = lambda: b""  # Muster writes the file after ReportLab has created its last objects.
        document.GetPDFData(self._canvas)
        return self.file.finish()

    def show_outline(self) -> None:
        """Make viewers show the list of bookmarks when the file is opened."""
        self._canvas.showOutline()

    def bookmark(self, key: str, title: str, level: int) -> None:
        """Set a bookmark on the current page."""
        self._canvas.bookmarkPage(key)
        self._canvas.addOutlineEntry(title, key, level)

    def label_pages(self, before: int, name: str, first: int = 0) -> None:
        """Label the pages after the first `before` pages with a name and numbers starting at `first`.

        If `first` is 0, the label is the name alone.
        """
        if first:
            self._canvas.addPageLabel(before, "ARABIC", first, f"{name} ")
        else:
            self._canvas.addPageLabel(before, prefix=name)

    @property
    def page_number(self) -> int:
        """The number of the current page, counting from 1."""
        number: int = self._canvas.getPageNumber()
        return number

    def set_page_size(self, size: XY) -> None:
        """Set the size of the current and all following pages, in points."""
        self._canvas.setPageSize(size)

    def set_box(self, name: PageBox, sides: tuple[float, ...] | None) -> None:
        """Set the TrimBox or BleedBox of the current and all following pages, or remove it if `sides` is None."""
        self._canvas.setCropBox(sides and list(sides), name)

    def show_page(self) -> None:
        """End the current page. `File.write_page` writes it to the file."""
        self._canvas.showPage()

    def begin_form(self, name: str, size: XY) -> None:
        """Begin a form of the given size in points. Everything is drawn on the form until `end_form` is called."""
        self._canvas.beginForm(name, 0, 0, *size)

    def end_form(self) -> None:
        """End the current form and write it to the file."""
        self.file.write_form(end_form(self._canvas, self.file.packed))

    def form(self, name: str, *, role: str = "", alt: str = "", lang: Lang | None = None) -> None:
        """Draw the form with this name."""
        self._canvas.doForm(name)

    def translate(self, x: float, y: float) -> None:
        """Move the origin by (x, y) points."""
        self._canvas.translate(x, y)

    def rotate(self, degrees: float) -> None:
        """Rotate the axes anticlockwise."""
        self._canvas.rotate(degrees)

    def transform(self, matrix: Matrix) -> None:
        """Apply a transformation to the axes."""
        self._canvas.transform(*matrix)

    def position(self, x: float, y: float) -> XY:
        """Convert a point from the current coordinates to those of the page or form, in points."""
        found: XY = self._canvas.absolutePosition(x, y)
        return found

    def fill(self, colour: Colour) -> None:
        """Set the colour of filled areas and text."""
        self._canvas.setFillColor(colour_of(colour))

    def stroke(self, colour: Colour, width: float) -> None:
        """Set the colour of lines, and their width in points."""
        self._canvas.setStrokeColor(colour_of(colour))
        self._canvas.setLineWidth(width)

    def round_lines(self) -> None:
        """Draw lines with round ends and corners from now on."""
        self._canvas.setLineCap(1)
        self._canvas.setLineJoin(1)

    def draw_at(self, x: float, y: float, draw: Callable[[Canvas], None]) -> None:
        """Call `draw` with the origin moved to (x, y), then restore the origin."""
        canvas = self._canvas
        matrix = canvas._currentMatrix
        # ReportLab's saveState() saves about two dozen settings that are not used here.
        canvas._code.append("q")
        canvas.translate(x, y)
        draw(self)
        canvas._code.append("Q")
        canvas._currentMatrix = matrix

    @contextmanager
    def clipped(self, box: tuple[float, float, float, float]) -> Iterator[None]:
        """Clip all drawings inside the `with` block to a box, given as left, bottom, right and top in mm."""
        left, bottom, right, top = box
        sides = " ".join(f"{side * MM:.3f}" for side in (left, bottom, right - left, top - bottom))
        self._canvas._code.append(f"q {sides} re W n")
        yield
        self._canvas._code.append("Q")

    def draw(
        self,
        picture: Picture,
        x: float = 0.0,
        y: float = 0.0,
        turned: bool = False,
        *,
        role: str = "",
        alt: str = "",
        lang: Lang | None = None,
    ) -> None:
        """Draw a picture with its lower left corner at (x, y) mm from the current origin.

        If `turned` is true, the picture is rotated by 180° about its own centre.
        """
        canvas, stream = self._canvas, Stream(self.file)
        stream.picture(picture)
        scale = MM
        if turned:
            x, y, scale = x + picture.width, y + picture.height, -MM
        canvas._code.append(f"q {scale:.6f} 0 0 {scale:.6f} {x * MM:.3f} {y * MM:.3f} cm")
        canvas._code.extend(stream.code)
        canvas._code.append("Q")
        canvas._formsinuse.extend(stream.forms)
        canvas._extgstate._c.update(((kind, alpha), name) for name, (kind, alpha) in stream.alphas.items())

    def line(
        self, x: float, y: float, to_x: float, to_y: float, *, role: str = "", alt: str = "", lang: Lang | None = None
    ) -> None:
        """Draw a line from (x, y) to (to_x, to_y)."""
        self._canvas.line(x, y, to_x, to_y)

    def rectangle(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        filled: bool = False,
        role: str = "",
        alt: str = "",
        lang: Lang | None = None,
    ) -> None:
        """Draw the outline of a rectangle, or fill the rectangle if `filled` is true."""
        self._canvas.rect(x, y, width, height, stroke=not filled, fill=filled)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        bold: bool = False,
        share: float = 0.0,
        *,
        role: str = "",
        alt: str = "",
        lang: Lang | None = None,
    ) -> None:
        """Draw a line of text at (x, y). `share` is the fraction of the text's width that is left of x."""
        text = typeset(text)
        place = numbers(x - share * fonts.width(text, size, bold) if share else x, y)
        self._canvas._code.append(f"BT 1 0 0 1 {place} Tm {fonts.text_operators(self.file, text, size, bold)} T* ET")

    def write(self, code: str, *, role: str = "", alt: str = "", lang: Lang | None = None) -> None:
        """Append PDF operators to the current page or form."""
        self._canvas._code.append(code)

    def recorded(self, draw: Callable[[], None]) -> str:
        """Return the operators that `draw` writes, without adding them to the page."""
        page, self._canvas._code = self._canvas._code, []
        draw()
        code, self._canvas._code = "\n".join(self._canvas._code), page
        return code

    def link(self, area: bytes, key: str, *, role: str = "", alt: str = "", lang: Lang | None = None) -> None:
        """Link an area of the current page to the bookmark `key`."""
        document, number = self.file.document, self.file.reserve_number()
        # The link's target is a separate object, which is written later when its page is known.
        there: bytes = document.Reference(self._canvas._bookmarkReference(key)).format(document)
        note = b"<< /Border [ 0 0 0 ] /Contents () /Dest %b /Rect %b /Subtype /Link /Type /Annot >>" % (there, area)
        self.file.write(number, note)
        self._canvas._annotationrefs.append(b"%d 0 R" % number)

    def link_text(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        bold: bool,
        *,
        role: str = "",
        alt: str = "",
        lang: Lang | None = None,
    ) -> None:
        """Add links to the parts of a line of text that name sheets, units or cells.

        `self.links` defines which texts are links. While a form is drawn, the links are added to `self.noted_links`
        instead of the page.
        """
        if not self.links:
            return
        start, text = 0, text.replace("\u00a0", " ")
        for part in text.split(JOINT):
            # The line may begin or end with a separator.
            name = part.strip(" ·")
            if key := self.links.get(name):
                left = x + fonts.width(text[: text.index(name, start)], size, bold)
                right = left + fonts.width(name, size, bold)
                area = left, y - 0.25 * size, right, y + 0.9 * size
                if self.noted_links is None:
                    self.link(rectangle(*self._canvas._absRect(area, 1)), key)
                else:
                    self.noted_links.append((name, (*self.position(*area[:2]), *self.position(*area[2:]))))
            start += len(part) + len(JOINT)

    def annotate(self, name: str, annotation: Any, *, role: str = "", alt: str = "", lang: Lang | None = None) -> Any:
        """Add an annotation to the current page and return a reference to it."""
        self._canvas._addAnnotation(annotation, name)
        return self.file.document.refAnnotation(name)


def form_object_name(name: str) -> str:
    """Return the name under which the file stores a form."""
    found: str = xObjectName(name)
    return found


def picture_pdf(picture: Picture, lang: Lang, title: str = "", packed: bool = True) -> bytes:
    """Return a PDF with one page that has the size of the picture.

    The PDF uses the fonts that the picture's texts need. Without compression it is created faster.
    """
    return fonts.with_enough_glyphs(lang, lambda: _picture_pdf(picture, lang, title, packed))


def _picture_pdf(picture: Picture, lang: Lang, title: str, packed: bool) -> bytes:
    canvas = Canvas((picture.width * MM, picture.height * MM), lang, packed)
    canvas.describe(title, "")
    canvas.draw(picture)
    return bytes(canvas.finish())
