"""Print bundles of kits in one PDF, such as the material for each table of a tournament, with bookmarks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from generator.model.picture import Picture
from generator.model.views import Bundle, Code, Kit, Sheet
from generator.model.words import Words
from generator.press import Progress, silent
from generator.press.correction import begin_page, inverse_point, safe_edge
from generator.press.free_space import fill_last_page
from generator.press.layout.furniture import Furniture, furniture, label_pages
from generator.press.layout.pages import Page
from generator.press.layout.print_settings import PrintSettings
from generator.press.layout.qr import shared_qr_picture
from generator.press.pdf import fonts
from generator.press.pdf.canvas import Canvas, form_object_name
from generator.press.pdf.units import MM, rectangle
from generator.press.sandbox import sandbox
from generator.store.write import Draft

if TYPE_CHECKING:
    from collections.abc import Mapping
from generator.press.sheets import Press, link_targets, naming_template


class BundlesPdf(msgspec.Struct, frozen=True):
    """A PDF of bundles.

    `starts` are the first pages of the bundles, counted from 1. `bodies` are the names of the forms that draw the
    body of each page.
    """

    pdf: Draft
    starts: tuple[int, ...]
    bodies: tuple[str, ...]

    @property
    def pages(self) -> int:
        """The number of pages."""
        return len(self.bodies)


def print_bundles(
    bundles: Sequence[Bundle], title: Words, settings: PrintSettings, progress: Progress = silent
) -> BundlesPdf:
    """Return the PDF of bundles of sheets, with pages numbered within each bundle.

    Errors are the same as for `print_kit`.
    """
    make = partial(
        sandbox.run_confined, settings, BundlesPdf, _print_bundles, bundles, title, settings, progress=progress
    )
    return fonts.with_enough_glyphs(settings.lang, make, progress)


def _print_bundles(
    bundles: Sequence[Bundle], title: Words, settings: PrintSettings, progress: Progress
) -> BundlesPdf:
    canvas = Canvas(settings.sheet.size(), settings.lang)
    canvas.describe(title[settings.lang], bundles[0].kits[0].game[settings.lang] if bundles else "")
    canvas.show_outline()
    binder = _Binder(canvas, settings)
    starts = []
    for done, bundle in enumerate(bundles):
        progress(bundle.title[settings.lang], done / len(bundles))
        starts.append(canvas.page_number)
        binder.bind(bundle)
    progress(title[settings.lang], 1.0)
    return BundlesPdf(canvas.finish(), tuple(starts), tuple(binder.page_bodies))


class _Body(msgspec.Struct, frozen=True):
    """A page without its header and footer, drawn as a form."""

    sheet: Sheet
    name: str
    form: str
    links: tuple[tuple[str, bytes], ...]
    """Texts that are links to sheets, units or cells of the kit, and their areas on the page as PDF arrays."""
    per_copy: tuple[tuple[str, float, float], ...]
    """Names of the figures that differ between copies of the sheet, and their positions in mm."""


_DrawnPage = tuple[str, tuple[tuple[str, bytes], ...], tuple[tuple[str, float, float], ...]]
"""A form, its links, and its figures that differ between copies."""


def _size(figure: Picture | Code) -> tuple[float, float]:
    return (figure.size, figure.size) if isinstance(figure, Code) else (figure.width, figure.height)


class _Binder:
    """The printing of bundles on one canvas, with the kits laid out so far.

    A kit that several tables use is laid out and drawn only once. The body of each page is a form. The pages of
    all tables show this form with their own headers and footers.
    """

    def __init__(self, canvas: Canvas, settings: PrintSettings) -> None:
        self.canvas, self.settings = canvas, settings
        self.laid_out: dict[int, tuple[Kit, list[_Body]]] = {}
        """Page bodies keyed by the identity of their kit, because two equal kits may be separate objects."""
        self.forms = 0
        self.page_bodies: list[str] = []
        """For each page, the name in the PDF of the form that is its body."""
        self.framed_forms: dict[tuple[str, Furniture], str] = {}
        """Forms that contain a body and those parts of header and footer that many pages share."""
        self.copies: dict[str, list[_DrawnPage]] = {}
        """Pages of sheets with figures that differ between copies, keyed by all other content of the sheet."""

    def bind(self, bundle: Bundle) -> None:
        """Print the pages of a bundle, one kit after another."""
        lang = self.settings.lang
        bodies = [(kit, body) for kit in bundle.kits for body in self.bodies(kit)]
        before = self.canvas.page_number - 1
        label_pages(self.canvas, before, bundle.title[lang], 1, len(bodies))
        starts: dict[int, str] = {}
        for number, (_, body) in enumerate(bodies, 1):
            starts.setdefault(id(body.sheet), f"page{before + number}")
        links = {id(kit): self.link_targets(kit, starts) for kit in bundle.kits}
        for number, (kit, body) in enumerate(bodies, 1):
            press = Press(self.canvas, kit, self.settings, lang, bundled=True)
            key = f"page{self.canvas.page_number}"
            if number == 1:
                press.bookmark(f"bundle{key}", bundle.title[lang], 0)
            if number == 1 or body.sheet is not bodies[number - 2][1].sheet:
                press.bookmark(key, body.name, 1)
            self.print_page(press, body, bundle.title[lang], number, len(bodies))
            for text, area in body.links:
                if (there := links[id(kit)][text]) != starts[id(body.sheet)]:
                    self.canvas.link(area, there, text)
            self.canvas.show_page()
            self.canvas.file.write_page()

    def link_targets(self, kit: Kit, keys: Mapping[int, str]) -> dict[str, str]:
        """Return the texts on a kit's pages that are links, with the bookmarks they lead to."""
        press = Press(self.canvas, kit, self.settings, self.settings.lang)
        sheets = [sheet for sheet in kit.sheets if isinstance(sheet, Sheet)]
        return link_targets([(sheet, press, keys.get(id(sheet), "somewhere")) for sheet in sheets])

    def bodies(self, kit: Kit) -> list[_Body]:
        """Return the pages of a kit. The first call draws them as forms."""
        if id(kit) not in self.laid_out:
            press = Press(self.canvas, kit, self.settings, self.settings.lang, bundled=True)
            sheets = [sheet for sheet in kit.sheets if isinstance(sheet, Sheet)]
            self.canvas.links = self.link_targets(kit, {})
            made = [
                _Body(sheet, press.name(sheet), *drawn) for sheet in sheets for drawn in self.draw_sheet(press, sheet)
            ]
            self.laid_out[id(kit)] = kit, made
        return self.laid_out[id(kit)][1]

    def draw_sheet(self, press: Press, sheet: Sheet) -> list[_DrawnPage]:
        """Return the pages of a sheet as forms, reusing the forms of another copy of the same sheet."""
        if not sheet.extra_figures:
            return [self.draw_page(sheet, page) for page in self.pages(press, sheet)]
        sizes = {name: _size(figure) for name, figure in sheet.extra_figures.items()}
        kit = replace(press.kit, usual=(), more=())
        key = repr((kit, replace(sheet, extra_figures={}), sizes))
        if key not in self.copies:
            self.copies[key] = [self.draw_page(sheet, page) for page in self.pages(press, sheet)]
        return self.copies[key]

    def pages(self, press: Press, sheet: Sheet) -> list[Page]:
        """Return the pages of a sheet, with lines to write on if the last page would be mostly blank."""
        return fill_last_page(press, sheet, press.pages(sheet))

    def draw_page(self, sheet: Sheet, page: Page) -> _DrawnPage:
        """Draw the body of a page as a form, corrected for the printer.

        Return the form's name, its links, and its figures that differ between copies.
        """
        canvas, paper = self.canvas, self.settings.sheet
        self.forms += 1
        canvas.noted_links, canvas.per_copy = [], []
        name = f"body{self.forms}"
        canvas.begin_form(name, paper.size(sheet.landscape))
        moved = begin_page(canvas, paper.sides(sheet.landscape), self.settings.printer)
        left, top = paper.corner(sheet.landscape)
        with naming_template(sheet):
            for flowable, depth in page:
                flowable.draw_on(canvas, left, top - depth)
        canvas.end_form()
        links = tuple((text, rectangle(*area)) for text, area in canvas.noted_links)
        owned = tuple((own, *inverse_point((x / MM, y / MM), moved)) for own, x, y in canvas.per_copy)
        canvas.noted_links = canvas.per_copy = None
        return name, links, owned

    def print_page(self, press: Press, body: _Body, heading: str, number: int, total: int) -> None:
        """Print a page of a bundle without its links."""
        canvas, paper, landscape = self.canvas, self.settings.sheet, body.sheet.landscape
        above = heading, f"{press.kit.title[press.lang]} · {body.name}"
        below = press.kit.stamp, press.foot_text(), press.word("press", "page").format(n=number, m=total)
        around = furniture(paper, landscape, above, below, safe_edge(self.settings.printer, paper))
        form = self.with_furniture(body, around)
        canvas.set_page_size(paper.size(landscape))
        canvas.form(form)
        self.page_bodies.append(form_object_name(form))
        begin_page(canvas, paper.sides(landscape), self.settings.printer)
        for name, x, y in body.per_copy:
            figure = body.sheet.extra_figures[name]
            canvas.draw(shared_qr_picture(figure) if isinstance(figure, Code) else figure, x, y)
        around.write_header_left(canvas)

    def with_furniture(self, body: _Body, around: Furniture) -> str:
        """Return a form with the body and those parts of header and footer that are the same on all tables."""
        canvas, sheet = self.canvas, self.settings.sheet
        key = body.form, replace(around, lines=())
        if key not in self.framed_forms:
            name = self.framed_forms[key] = f"{body.form}.{len(self.framed_forms)}"
            canvas.begin_form(name, sheet.size(body.sheet.landscape))
            canvas.form(body.form)
            begin_page(canvas, sheet.sides(body.sheet.landscape), self.settings.printer)
            replace(around, lines=()).write(canvas)
            canvas.end_form()
        return self.framed_forms[key]
