"""The canvas: a document drawn page by page."""

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
from generator.press.pdf.units import MM, colour_of, numbers, rectangle
from generator.store.write import Draft

Matrix = tuple[float, float, float, float, float, float]
"""(x, y) becomes (a x + c y + e, b x + d y + f)."""
NotedLink = tuple[str, tuple[float, float, float, float]]
"""A text that is a link, and its area on the page in points."""
PageBox = Literal["trim", "bleed"]
"""The page after cutting, and the same with its bleed."""
JOINT = " · "
"""Separator between the sheets in a line that lists them."""


class Canvas:
    """A document that is drawn page by page, in points from the lower left corner.

    Methods that draw take a `role`, the element of a tagged PDF that the drawing belongs to, `alt`, the
    alternative text of a picture, and `lang`, the language of its text. Pages are not tagged yet: all three are
    ignored.
    """

    def __init__(self, size: XY, lang: Lang, packed: bool = True) -> None:
        # ReportLab's default initial font is Helvetica, which is not embedded.
        given: dict[str, Any] = {"pageCompression": int(packed), "invariant": 1, "lang": lang}
        self._canvas = ReportLabCanvas(None, size, initialFontName=REGULAR, **given)
        self.file = File(self._canvas._doc, packed)
        self.links: Mapping[str, str] = {}
        """Texts that are links, with the bookmarks they lead to."""
        self.noted_links: list[NotedLink] | None = None
        """Collects the links of a form that several pages show; None if links go to the page."""
        self.per_copy: list[tuple[str, float, float]] | None = None
        """Collects names and positions in points of figures that differ between copies; None if they are drawn."""

    # The document.

    def describe(self, title: str, subject: str) -> None:
        """Set the document's title and subject, and turn off scaling in the print dialog."""
        canvas = self._canvas
        canvas.setTitle(title)
        canvas.setAuthor("Muster")
        canvas.setSubject(subject or title)
        canvas.setCreator(f"Muster {__version__}")
        canvas.setViewerPreference("PrintScaling", "None")

    def finish(self) -> Draft:
        """End the page in progress, if any, and return the file."""
        if self._canvas._code:
            self.show_page()
        document = self._canvas._doc
        document.format = lambda: b""  # our own file is written after ReportLab has made its last objects
        document.GetPDFData(self._canvas)
        return self.file.finish()

    def show_outline(self) -> None:
        """Let viewers open the list of bookmarks."""
        self._canvas.showOutline()

    def bookmark(self, key: str, title: str, level: int) -> None:
        """Set a bookmark at the current page."""
        self._canvas.bookmarkPage(key)
        self._canvas.addOutlineEntry(title, key, level)

    def label_pages(self, before: int, name: str, first: int = 0) -> None:
        """Label the pages after the first `before` by name and number from `first`; without numbers if it is 0."""
        if first:
            self._canvas.addPageLabel(before, "ARABIC", first, f"{name} ")
        else:
            self._canvas.addPageLabel(before, prefix=name)

    # Pages and forms.

    @property
    def page_number(self) -> int:
        """The number of the current page, from 1."""
        number: int = self._canvas.getPageNumber()
        return number

    def set_page_size(self, size: XY) -> None:
        """Set the size of this page and the next ones."""
        self._canvas.setPageSize(size)

    def set_box(self, name: PageBox, sides: tuple[float, ...] | None) -> None:
        """Set the TrimBox or BleedBox of this page and the next ones; None removes it."""
        self._canvas.setCropBox(sides and list(sides), name)

    def show_page(self) -> None:
        """End the current page. `file.write_page` writes it to the file."""
        self._canvas.showPage()

    def begin_form(self, name: str, size: XY) -> None:
        """Draw on a form of that size from now on."""
        self._canvas.beginForm(name, 0, 0, *size)

    def end_form(self) -> None:
        """End the current form and write it to the file."""
        self.file.write_form(end_form(self._canvas, self.file.packed))

    def form(self, name: str, *, role: str = "", alt: str = "", lang: Lang | None = None) -> None:
        """Show a form."""
        self._canvas.doForm(name)

    # The current state.

    def translate(self, x: float, y: float) -> None:
        """Move the origin."""
        self._canvas.translate(x, y)

    def rotate(self, degrees: float) -> None:
        """Turn the axes anticlockwise."""
        self._canvas.rotate(degrees)

    def transform(self, matrix: Matrix) -> None:
        """Transform the axes."""
        self._canvas.transform(*matrix)

    def position(self, x: float, y: float) -> XY:
        """Return the position of a point on the page or form."""
        found: XY = self._canvas.absolutePosition(x, y)
        return found

    def fill(self, colour: Colour) -> None:
        """Set the colour of fills and text."""
        self._canvas.setFillColor(colour_of(colour))

    def stroke(self, colour: Colour, width: float) -> None:
        """Set colour and width of lines."""
        self._canvas.setStrokeColor(colour_of(colour))
        self._canvas.setLineWidth(width)

    def round_lines(self) -> None:
        """Use round line ends and corners."""
        self._canvas.setLineCap(1)
        self._canvas.setLineJoin(1)

    # Drawing.

    def draw_at(self, x: float, y: float, draw: Callable[[Canvas], None]) -> None:
        """Call `draw` with its origin at (x, y)."""
        canvas = self._canvas
        matrix = canvas._currentMatrix
        # ReportLab's saveState() would save two dozen more settings that are not used here.
        canvas._code.append("q")
        canvas.translate(x, y)
        draw(self)
        canvas._code.append("Q")
        canvas._currentMatrix = matrix

    @contextmanager
    def clipped(self, box: tuple[float, float, float, float]) -> Iterator[None]:
        """Clip drawing to left, bottom, right and top, in mm."""
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

        A `turned` picture is rotated by 180° in the same place.
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
        """Draw a line."""
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
        """Fill a rectangle, or draw its outline."""
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
        """Draw a line of text, with `share` of its width to the left of x."""
        place = numbers(x - share * fonts.width(text, size, bold) if share else x, y)
        self._canvas._code.append(f"BT 1 0 0 1 {place} Tm {fonts.text_operators(self.file, text, size, bold)} T* ET")

    def write(self, code: str, *, role: str = "", alt: str = "", lang: Lang | None = None) -> None:
        """Write operators on the page or form."""
        self._canvas._code.append(code)

    def recorded(self, draw: Callable[[], None]) -> str:
        """Return the operators that `draw` writes, without adding them to the page."""
        page, self._canvas._code = self._canvas._code, []
        draw()
        code, self._canvas._code = "\n".join(self._canvas._code), page
        return code

    def link(self, area: bytes, key: str, *, role: str = "", alt: str = "", lang: Lang | None = None) -> None:
        """Link an area of the current page to a bookmark."""
        document, number = self.file.document, self.file.reserve_number()
        # The target is an object of its own, written once it is known.
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

        `links` lists these texts. In a form, the texts and their areas are added to `noted_links`.
        """
        if not self.links:
            return
        start, text = 0, text.replace("\u00a0", " ")
        for part in text.split(JOINT):
            # A line may end before or after a separator.
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
    """Return the name of a form's object in the file."""
    found: str = xObjectName(name)
    return found


def picture_pdf(picture: Picture, lang: Lang, title: str = "", packed: bool = True) -> bytes:
    """Return a PDF with a picture on a page of its size; without compression it is made faster.

    It uses the fonts that the picture's texts need.
    """
    return fonts.with_enough_glyphs(lang, lambda: _picture_pdf(picture, lang, title, packed))


def _picture_pdf(picture: Picture, lang: Lang, title: str, packed: bool) -> bytes:
    canvas = Canvas((picture.width * MM, picture.height * MM), lang, packed)
    canvas.describe(title, "")
    canvas.draw(picture)
    return bytes(canvas.finish())
