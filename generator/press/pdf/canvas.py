"""The canvas on which documents are drawn page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple

from reportlab.pdfbase.pdfdoc import PDFName
from reportlab.pdfgen.canvas import Canvas as ReportLabCanvas
from reportlab.pdfgen.canvas import ExtGState

from generator import __version__
from generator.model.picture import XY, Colour, Picture
from generator.model.words import Lang
from generator.press.pdf import archive, fonts
from generator.press.pdf.file import File, text_string
from generator.press.pdf.fonts import REGULAR
from generator.press.pdf.languages import has_japanese
from generator.press.pdf.streams import Stream
from generator.press.pdf.tags import END, Element, Tags
from generator.press.pdf.typography import typeset
from generator.press.pdf.units import MM, colour_of, numbers, rectangle
from generator.store.write import Draft

Matrix = tuple[float, float, float, float, float, float]
"""The six numbers of a transformation that maps (x, y) to (a x + c y + e, b x + d y + f)."""
NotedLink = tuple[str, tuple[float, float, float, float]]
"""The text of a link, and its area on the page in points: left, bottom, right, top."""
PageBox = Literal["trim", "bleed"]
"""The trim box is the page after cutting. The bleed box also includes the bleed."""
_PAGE_STATE = ("_code", "_formsinuse", "_annotationrefs", "_extgstate", "_currentMatrix")
"""The attributes of a ReportLab canvas that belong to the current page."""
JOINT = " · "
"""Separator between the names in a line that lists several sheets."""


class SharedContent(NamedTuple):
    """Content that several pages show: the number of its stream, its elements, links and resources.

    `owned` are the names and positions in points of figures that differ between copies.
    """

    stream: int
    elements: Element
    links: tuple[NotedLink, ...]
    owned: tuple[tuple[str, float, float], ...]
    forms: tuple[str, ...]
    states: dict[Any, Any]


class Canvas:
    """A document that is drawn page by page, with coordinates in points from the lower left corner.

    With `tagged`, the document has a structure tree (`tags`). Everything that is drawn must then be marked as content
    of an element or as an artifact. `draw` marks pictures itself. Its arguments are `alt`, the alternative text, and
    `lang`, the language of that text if it differs from the document's. Callers mark everything else.
    """

    def __init__(self, size: XY, lang: Lang, packed: bool = True, tagged: bool = False) -> None:
        # ReportLab's default initial font is Helvetica, which is not embedded.
        given: dict[str, Any] = {"pageCompression": int(packed), "invariant": 1, "lang": lang}
        self._canvas = ReportLabCanvas(None, size, initialFontName=REGULAR, **given)
        self.file = File(self._canvas._doc, packed, object_streams=tagged)
        self.lang: Lang = lang
        self.tags = Tags(self.file, lang, tagged)
        self.links: Mapping[str, str] = {}
        """Maps the text of each link to the bookmark it leads to."""
        self.link_words: Mapping[str, str] = {}
        """Maps bookmarks to the names of the sheets there, which describe the links."""
        self.noted_links: list[NotedLink] | None = None
        """Links collected while a form is drawn that several pages show. None if links are written to the page."""
        self.per_copy: list[tuple[str, float, float]] | None = None
        """Names and positions in points of figures that differ between copies. None if such figures are drawn."""
        self._is_marked = False
        """Whether the current text is content of an element that `marked` began."""
        self._description = "", ""
        self._page_index = 0
        self._unfinished: dict[int, dict[str, Any]] = {}
        """The states of other pages on which something is drawn, by index."""

    def describe(self, title: str, subject: str) -> None:
        """Set the document's title and subject, and turn off scaling in the print dialog."""
        canvas = self._canvas
        self._description = title, subject or title
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
        if self.tags.active:
            self._finish_tags()
        return self.file.finish()

    def _finish_tags(self) -> None:
        """Write the structure tree, the metadata and the output intent."""
        file, catalog = self.file, self._canvas._doc.Catalog
        root, metadata, profile = self.tags.finish(), file.reserve_number(), file.reserve_number()
        packet = archive.xmp_metadata(*self._description, self.lang)
        head = b"/Type /Metadata /Subtype /XML /Length %d" % len(packet)
        file.write(metadata, b"<< %b >>\nstream\n%b\nendstream" % (head, packet))
        file.write(profile, archive.profile_stream())
        self._canvas.setViewerPreference("DisplayDocTitle", "true")
        # ReportLab's catalog does not know output intents.
        catalog.__Defaults__ = {
            **catalog.__Defaults__,
            "MarkInfo": b"<< /Marked true >>",
            "StructTreeRoot": b"%d 0 R" % root,
            "Metadata": b"%d 0 R" % metadata,
            "OutputIntents": b"[ %b ]" % archive.output_intent(profile),
        }

    def show_outline(self) -> None:
        """Make viewers show the list of bookmarks when the file is opened."""
        self._canvas.showOutline()

    def bookmark(self, key: str, title: str, level: int) -> None:
        """Set a bookmark on the current page."""
        self._canvas.bookmarkPage(key)
        self._canvas.addOutlineEntry(title, key, level)

    def list_bookmark(self, key: str, title: str, level: int) -> None:
        """Add a bookmark whose place on a page is set by `mark_place`."""
        self._canvas.addOutlineEntry(title, key, level)

    def mark_place(self, key: str, corner: XY, size: XY) -> None:
        """Make a bookmark lead to an area of the current page, given as lower left corner and size in points."""
        left, bottom = self.position(*corner)
        right, top = self.position(corner[0] + size[0], corner[1] + size[1])
        self._canvas.bookmarkPage(key, fit="FitR", left=left, bottom=bottom, right=right, top=top)

    def print_on_both_sides(self, flip: Literal["long", "short"]) -> None:
        """Make the print dialog print on both sides of the paper, which is turned over its long or short edge."""
        self._canvas.setViewerPreference("Duplex", f"DuplexFlip{flip.capitalize()}Edge")

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

    def turn_to(self, index: int) -> None:
        """Draw on the page with this index, counted from 0.

        Pages may be drawn in any order, but are ended in the order of the file (`show_page`). The structure tree
        follows the order in which they are drawn.
        """
        if index != self._page_index:
            self._unfinished[self._page_index] = {name: getattr(self._canvas, name) for name in _PAGE_STATE}
            self._begin_page(index)
            self.tags.turn_to(index)

    def _begin_page(self, index: int) -> None:
        """Restore the state of a page, or begin the page."""
        self._page_index = index
        self._canvas._restartAccumulators()
        self._canvas.init_graphics_state()
        for name, value in self._unfinished.pop(index, {}).items():
            setattr(self._canvas, name, value)

    def show_page(self) -> None:
        """End the current page. `File.write_page` writes it to the file."""
        self._canvas.showPage()
        if self.tags.active:
            page = self._canvas._doc.Pages.pages[-1]
            key = self.tags.end_page(self.file.object_number(page))
            # Fields and links are visited in the order of the structure tree.
            page.__Defaults__ = {**page.__Defaults__, "Tabs": PDFName("S")}
            if key >= 0:
                page.__Defaults__["StructParents"] = key
        self._begin_page(self._page_index + 1)

    def share(self, draw: Callable[[], None]) -> SharedContent:
        """Write the content that `draw` draws as a stream that several pages show.

        Links are noted, and figures that differ between copies are left out. Both are added to each page.
        """
        canvas = self._canvas
        outside = canvas._formsinuse, canvas._extgstate, canvas._currentMatrix
        canvas._formsinuse, canvas._extgstate = [], ExtGState()
        self.noted_links, self.per_copy = [], []
        found: list[str] = []
        elements = self.tags.record(lambda: found.append(self.recorded(draw)))
        links, owned = tuple(self.noted_links), tuple(self.per_copy)
        forms, states = tuple(canvas._formsinuse), dict(canvas._extgstate._c)
        self.noted_links = self.per_copy = None
        canvas._formsinuse, canvas._extgstate, canvas._currentMatrix = outside
        return SharedContent(self.file.stream(f"q\n{found[0]}\nQ"), elements, links, owned, forms, states)

    def show_shared(self, content: SharedContent, link: Callable[[int], Callable[[], None] | None]) -> None:
        """Show shared content on the current page, on which nothing is marked yet.

        `link` returns the function that adds the link with this index to the page, or None if the link is left out.
        `File.write_page` must be given the number of the content's stream.
        """
        canvas = self._canvas
        self.tags.repeat(content.elements, link)
        canvas._formsinuse.extend(name for name in content.forms if name not in canvas._formsinuse)
        canvas._extgstate._c.update(content.states)

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

    @contextmanager
    def artifact(self, kind: str = "") -> Iterator[None]:
        """Mark everything that the `with` block draws as content that is not read aloud.

        `kind` is `Header` or `Footer` for lines that pages repeat.
        """
        code = self._canvas._code
        if begin := self.tags.begin_artifact(kind):
            code.append(begin)
        yield
        if end := self.tags.end_artifact():
            code.append(end)

    @contextmanager
    def marked(self, begin: str, kind: str) -> Iterator[None]:
        """Mark everything that the `with` block draws as content of an element, or as an artifact of this kind.

        `begin` is the operator that `Tags.reserve` returned. If it is empty, the content is an artifact.
        """
        if not begin:
            with self.artifact(kind):
                yield
            return
        self.write(begin)
        self._is_marked = True
        yield
        self._is_marked = False
        self.write(END)

    def draw(
        self,
        picture: Picture,
        x: float = 0.0,
        y: float = 0.0,
        turned: bool = False,
        *,
        alt: str = "",
        lang: Lang | None = None,
    ) -> None:
        """Draw a picture with its lower left corner at (x, y) mm from the current origin.

        If `turned` is true, the picture is rotated by 180° about its own centre. `alt` is the alternative text of the
        picture. Without it the picture is an artifact.
        """
        canvas, stream, tags = self._canvas, Stream(self.file), self.tags
        stream.picture(picture)
        begin, is_figure = "", bool(alt) and not tags.muted
        if tags.active:
            if is_figure:
                corners = (x, y), (x + picture.width, y + picture.height)
                sides = [side for corner in corners for side in self.position(*(MM * n for n in corner))]
                begin = tags.begin_figure(alt, _box(sides), lang)
            else:
                begin = tags.begin_artifact()
        scale = MM
        if turned:
            x, y, scale = x + picture.width, y + picture.height, -MM
        if begin:
            canvas._code.append(begin)
        canvas._code.append(f"q {scale:.6f} 0 0 {scale:.6f} {x * MM:.3f} {y * MM:.3f} cm")
        canvas._code.extend(stream.code)
        canvas._code.append("Q")
        if tags.active:
            end = tags.end_figure() if is_figure else tags.end_artifact()
            if end:
                canvas._code.append(end)
        canvas._formsinuse.extend(name for name in stream.forms if name not in canvas._formsinuse)
        canvas._extgstate._c.update(((kind, alpha), name) for name, (kind, alpha) in stream.alphas.items())

    def line(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """Draw a line from (x, y) to (to_x, to_y)."""
        self._canvas.line(x, y, to_x, to_y)

    def rectangle(self, x: float, y: float, width: float, height: float, *, filled: bool = False) -> None:
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
    ) -> None:
        """Draw a line of text at (x, y). `share` is the fraction of the text's width that is left of x."""
        text = typeset(text)
        place = numbers(x - share * fonts.width(text, size, bold) if share else x, y)
        operators = list[str]()
        lang: Lang = "ja" if has_japanese(text) else self.lang
        for part, span in self.tags.split_languages(text, lang) if self._is_marked else ((text, ""),):
            shown = fonts.text_operators(self.file, part, size, bold)
            operators += [span, shown, END] if span else [shown]
        self._canvas._code.append(f"BT 1 0 0 1 {place} Tm {' '.join(operators)} T* ET")

    def write(self, code: str) -> None:
        """Append PDF operators to the current page or form."""
        self._canvas._code.append(code)

    def recorded(self, draw: Callable[[], None]) -> str:
        """Return the operators that `draw` writes, without adding them to the page."""
        page, self._canvas._code = self._canvas._code, []
        draw()
        code, self._canvas._code = "\n".join(self._canvas._code), page
        return code

    def link(self, area: bytes, key: str, text: str) -> None:
        """Link an area of the current page to the bookmark `key`. `text` is the text there."""
        document, number = self.file.document, self.file.reserve_number()
        # The link's target is a separate object, which is written later when its page is known.
        there: bytes = document.Reference(self._canvas._bookmarkReference(key)).format(document)
        owner = self.tags.annotation(number)
        where = self.link_words.get(key, text)
        words = text_string(text if where == text else f"{text}{JOINT}{where}") if owner >= 0 else b"()"
        parent = b" /StructParent %d" % owner if owner >= 0 else b""
        note = b"<< /Border [ 0 0 0 ] /Contents %b /Dest %b /F 4 /Rect %b%b /Subtype /Link /Type /Annot >>"
        self.file.write(number, note % (words, there, area, parent))
        self._canvas._annotationrefs.append(b"%d 0 R" % number)

    def split_links(self, text: str) -> list[tuple[str, str]]:
        """Split a line of text into parts, each with the bookmark that it leads to or an empty string.

        `self.links` defines which texts between two separators are links.
        """
        if not self.links:
            return [(text, "")]
        found: list[tuple[str, str]] = []
        start = done = 0
        plain = text.replace("\u00a0", " ")
        for part in plain.split(JOINT):
            # The line may begin or end with a separator.
            name = part.strip(" ·")
            if key := self.links.get(name):
                at = plain.index(name, start)
                if at > done:
                    found.append((text[done:at], ""))
                done = at + len(name)
                found.append((text[at:done], key))
            start += len(part) + len(JOINT)
        return [*found, (text[done:], "")] if done < len(text) or not found else found

    def link_part(self, part: str, before: str, key: str, x: float, y: float, size: float, bold: bool) -> None:
        """Link a part of a line of text that begins at (x, y). `before` is the text of the line before the part.

        While a form is drawn, the link is added to `self.noted_links` instead of the page. In an artifact, such as
        the repeated head of a table, there is no link.
        """
        if self.tags.active and self.tags.muted:
            return
        left = x + fonts.width(before, size, bold)
        area = left, y - 0.25 * size, left + fonts.width(part, size, bold), y + 0.9 * size
        if self.noted_links is None:
            self.link(rectangle(*self._canvas._absRect(area, 1)), key, part)
        else:
            self.tags.annotation(len(self.noted_links))
            self.noted_links.append((part, (*self.position(*area[:2]), *self.position(*area[2:]))))

    def annotate(self, name: str, annotation: Any) -> Any:
        """Add an annotation to the current page and return a reference to it."""
        self._canvas._addAnnotation(annotation, name)
        owner = self.tags.annotation(self.file.object_number(annotation))
        if owner >= 0:
            annotation["StructParent"] = owner
        return self.file.document.refAnnotation(name)


def _box(points: list[float]) -> tuple[float, float, float, float]:
    """Return the left, bottom, right and top of points given as x, y, x, y …"""
    xs, ys = points[::2], points[1::2]
    return min(xs), min(ys), max(xs), max(ys)


def picture_pdf(picture: Picture, lang: Lang, title: str = "", packed: bool = True, alt: str = "") -> bytes:
    """Return a PDF with one page that has the size of the picture.

    The PDF uses the fonts that the picture's texts need. Without compression it is created faster. With an
    alternative text (`alt`), it is tagged.
    """
    return fonts.with_enough_glyphs(lang, lambda: _picture_pdf(picture, lang, title, packed, alt))


def _picture_pdf(picture: Picture, lang: Lang, title: str, packed: bool, alt: str) -> bytes:
    canvas = Canvas((picture.width * MM, picture.height * MM), lang, packed, tagged=bool(alt))
    canvas.describe(title, "")
    canvas.draw(picture, alt=alt)
    return bytes(canvas.finish())
