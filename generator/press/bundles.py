"""Print bundles of kits in one PDF, such as the material for each table of a tournament, with bookmarks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from generator.model.picture import Picture
from generator.model.views import Bundle, Code, Kit, Sheet
from generator.model.words import Words
from generator.press import Progress, silent
from generator.press.alternative_texts import describe
from generator.press.correction import begin_page, inverse_point, safe_edge
from generator.press.free_space import fill_last_page
from generator.press.layout.furniture import furniture, label_pages
from generator.press.layout.pages import Page
from generator.press.layout.print_settings import PrintSettings
from generator.press.layout.qr import shared_qr_picture
from generator.press.pdf import fonts
from generator.press.pdf.canvas import Canvas, Matrix, SharedContent
from generator.press.pdf.tags import title_entry
from generator.press.pdf.units import MM, rectangle
from generator.press.sandbox import sandbox
from generator.store.write import Draft

if TYPE_CHECKING:
    from collections.abc import Mapping
from generator.press.sheets import Press, link_targets, naming_template


class BundlesPdf(msgspec.Struct, frozen=True):
    """A PDF of bundles.

    `starts` are the first pages of the bundles, counted from 1. `bodies` are the numbers of the streams that draw the
    body of each page.
    """

    pdf: Draft
    starts: tuple[int, ...]
    bodies: tuple[int, ...]

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
    canvas = Canvas(settings.sheet.size(), settings.lang, tagged=True)
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
    """A page without its header and footer, which the pages of several tables show."""

    sheet: Sheet
    name: str
    content: SharedContent
    owned: tuple[tuple[str, float, float], ...]
    """Names of the figures that differ between copies of the sheet, and their positions in mm."""


_DrawnPage = tuple[SharedContent, tuple[tuple[str, float, float], ...]]
"""The content of a page, and its figures that differ between copies."""


def _size(figure: Picture | Code) -> tuple[float, float]:
    return (figure.size, figure.size) if isinstance(figure, Code) else (figure.width, figure.height)


class _Binder:
    """The printing of bundles on one canvas, with the kits laid out so far.

    A kit that several tables use is laid out and drawn only once. The body of each page is a stream. The pages of all
    tables show this stream, each with its own elements of the structure tree, header and footer. It is not a form,
    because PDF/UA does not allow marks in a form that several pages show.
    """

    def __init__(self, canvas: Canvas, settings: PrintSettings) -> None:
        self.canvas, self.settings = canvas, settings
        self.laid_out: dict[int, tuple[Kit, list[_Body]]] = {}
        """Page bodies keyed by the identity of their kit, because two equal kits may be separate objects."""
        self.page_bodies: list[int] = []
        """For each page, the number of the stream that is its body."""
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
        tags = self.canvas.tags
        with tags.element("Sect", bundle.title[lang]):
            for number, (kit, body) in enumerate(bodies, 1):
                press = Press(self.canvas, kit, self.settings, lang, bundled=True)
                key = f"page{self.canvas.page_number}"
                begins = number == 1 or body.sheet is not bodies[number - 2][1].sheet
                if number == 1:
                    press.bookmark(f"bundle{key}", bundle.title[lang], 0)
                if begins:
                    press.bookmark(key, body.name, 1)
                    tags.enter("Sect", title_entry(body.name))
                page_links = {
                    text: there for text, there in links[id(kit)].items() if there != starts[id(body.sheet)]
                }
                self.print_page(press, body, bundle.title[lang], (number, len(bodies)), page_links, begins)
                if number == len(bodies) or body.sheet is not bodies[number][1].sheet:
                    tags.leave()
                self.canvas.show_page()
                self.canvas.file.write_page(body.content.stream)

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
        """Return the pages of a sheet, reusing the content of another copy of the same sheet."""
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
        """Draw the body of a page, corrected for the printer, and return it with the figures that differ."""
        canvas, paper = self.canvas, self.settings.sheet
        moved: list[Matrix] = []

        def draw() -> None:
            moved.append(begin_page(canvas, paper.sides(sheet.landscape), self.settings.printer))
            left, top = paper.corner(sheet.landscape)
            with naming_template(sheet):
                for flowable, depth in page:
                    flowable.draw_on(canvas, left, top - depth)

        content = canvas.share(draw)
        owned = tuple((name, *inverse_point((x / MM, y / MM), moved[0])) for name, x, y in content.owned)
        return content, owned

    def print_page(
        self,
        press: Press,
        body: _Body,
        heading: str,
        count: tuple[int, int],
        links: Mapping[str, str],
        begins: bool,
    ) -> None:
        """Print a page of a bundle.

        `count` is the number of the page and the number of pages in the bundle. `begins` is true on the first page of
        a sheet.
        """
        canvas, paper, landscape, (number, total) = self.canvas, self.settings.sheet, body.sheet.landscape, count
        above = heading, f"{press.kit.title[press.lang]} · {body.name}"
        below = press.kit.stamp, press.foot_text(), press.word("press", "page").format(n=number, m=total)
        around = furniture(paper, landscape, above, below, safe_edge(self.settings.printer, paper))
        canvas.set_page_size(paper.size(landscape))

        def link(at: int) -> Callable[[], None] | None:
            text, area = body.content.links[at]
            there = links.get(text)
            return partial(canvas.link, rectangle(*area), there, text) if there else None

        canvas.show_shared(body.content, link)
        self.page_bodies.append(body.content.stream)
        begin_page(canvas, paper.sides(landscape), self.settings.printer)
        title = ""
        if begins:
            title = canvas.tags.reserve("H1")
            canvas.tags.move_to_front()
        around.write_header(canvas, title)
        for name, x, y in body.owned:
            figure = body.sheet.extra_figures[name]
            picture = shared_qr_picture(figure) if isinstance(figure, Code) else figure
            canvas.draw(picture, x, y, alt=describe(figure, press.lang))
        around.write_footer(canvas, canvas.tags.reserve("P") if number == 1 else "")
