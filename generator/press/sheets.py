"""Lay out, print and bookmark the sheets of a kit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from generator.errors import DataError, DoesNotFitError, Problem
from generator.localization import tr
from generator.model.picture import Picture
from generator.model.views import Kit, MapView, Poster, Run, Sheet
from generator.model.words import Lang
from generator.notation.words import words
from generator.press.correction import begin_page, safe_edge
from generator.press.layout.furniture import furniture
from generator.press.layout.pages import Page, TooLargeError, fill_pages, first_text
from generator.press.layout.print_settings import PrintSettings
from generator.press.layout.styles import MIN_PREFERRED_SCALE, SCALES
from generator.press.layout_context import LayoutContext
from generator.press.pdf.canvas import Canvas
from generator.press.pdf.counting import PageCounter
from generator.press.pdf.fields import Form
from generator.press.pdf.units import MM
from generator.press.posters import PosterPage, poster_pages, print_poster
from generator.press.reader import build_blocks
from generator.press.runs import FootLine, FootMarks, RunPage, print_run_page, run_pages
from generator.press.sandbox.templates import read_sheet

if TYPE_CHECKING:
    from collections.abc import Iterator


AnySheet = Sheet | Run | Poster
AnyPage = Page | RunPage | PosterPage
COVER = "cover"
MAP = "map"
BLANK: Page = []
"""A page that has only a header and a footer."""


def link_targets(rows: Sequence[tuple[AnySheet, Press, str]]) -> dict[str, str]:
    """Return the texts that are links, with the bookmarks they lead to.

    These texts are the names of sheets, and the units and cells of the map, or else of the first map that shows
    units. A label that is a number is not a link, because other numbers look the same. `rows` are the sheets with the
    presses that print them and their bookmarks.
    """
    links: dict[str, str] = {}
    maps = [(sheet.part, view, key) for sheet, _, key in rows for view in _unit_maps(sheet)]
    for _, view, key in sorted(maps, key=lambda found: found[0] not in (MAP, COVER))[:1]:
        cells = [view.grid.name(cell) for cell in view.grid.cells] if view.names else []
        labels = [token.label for _, token in view.tokens if token.label and not token.label.isdecimal()]
        links |= dict.fromkeys((*cells, *labels), key)
    for sheet, press, key in rows:
        for name in (sheet.title[press.lang], press.name(sheet)):
            links.setdefault(name, key)
    return links


def _unit_maps(sheet: AnySheet) -> list[MapView]:
    """Return the maps on a sheet that show units."""
    figures = sheet.figures.values() if isinstance(sheet, Sheet) else ()
    return [figure for figure in figures if isinstance(figure, MapView) and figure.tokens]


class Press(Struct, frozen=True):
    """The printing of a kit on a canvas in one language."""

    canvas: Canvas
    kit: Kit
    settings: PrintSettings
    lang: Lang
    form: Form | None = None
    bundled: bool = False
    """Whether every page, including covers, has the title of the bundle in its header."""

    def has_no_header(self, sheet: AnySheet) -> bool:
        """Return whether the pages of a sheet have no running header.

        On a cover, the title already names game and scenario.
        """
        return isinstance(sheet, Sheet) and sheet.part == COVER and not self.bundled

    def lay_out(self, sheet: AnySheet) -> list[PagePrint]:
        """Return the pages of a sheet, a run or a poster."""
        settings, lang = self.settings, self.lang
        pages: Sequence[AnyPage]
        if isinstance(sheet, Run):
            pages = run_pages(sheet, settings, lang)
        elif isinstance(sheet, Poster):
            pages = poster_pages(sheet, settings, lang, self.kit.stamp)
        else:
            pages = self.pages(sheet)
        return [(self, page) for page in pages]

    def pages(self, sheet: Sheet, attempts: Sequence[tuple[int, float]] = ()) -> list[Page]:
        """Return the pages of a sheet in the first of several layouts that fits.

        `attempts` are the layouts in the order of preference, each given as its maximum number of pages and the scale
        of its type. By default, the sheet is printed in the largest type that fits on its maximum number of pages.

        Raises:
            DoesNotFitError: If the sheet does not fit in any of the layouts.
        """
        settings, lang = self.settings, self.lang
        with naming_template(sheet):
            width, height = settings.sheet.column(sheet.landscape, without_header=self.has_no_header(sheet))
            instructions = settings.instructions(lang, any(isinstance(each, Run) for each in self.kit.sheets))
            figures = {**sheet.figures, **sheet.extra_figures}
            unit = settings.sheet.unit * MM
            small = settings.sheet.unit < 1
            in_units = width / unit, height / unit
            root = read_sheet(self.kit, sheet, lang, settings.templates, instructions, in_units, small)
            overflow_text, drawn = "", dict[tuple[int, float, float], Picture]()
            pages_by_scale: dict[float, list[Page] | None] = {}
            for max_pages, scale in attempts or _default_attempts(sheet, settings.sheet.type_scale):
                if scale not in pages_by_scale:
                    context = LayoutContext(
                        lang,
                        settings.ink,
                        width,
                        scale,
                        figures,
                        settings.turned,
                        self.kit.stamp,
                        form=self.form,
                        per_copy=sheet.extra_figures,
                        drawn=drawn,
                        unit=settings.sheet.unit,
                    )
                    try:
                        pages_by_scale[scale] = fill_pages(build_blocks(root, context), width, height)
                    except TooLargeError as error:
                        overflow_text, pages_by_scale[scale] = error.text, None
                pages = pages_by_scale[scale]
                if pages is None:
                    continue
                if not pages:
                    raise DataError(tr("there is nothing to print"), hint=tr("choose fewer parts with `--parts`"))
                if len(pages) <= max_pages:
                    return pages
                overflow_text = first_text(flowable for flowable, _ in pages[max_pages])
            room = tr("one page") if sheet.pages == 1 else tr("{pages} pages", pages=sheet.pages)
            where = tr("; the text overflows at {over!r}", over=overflow_text) if overflow_text else ""
            raise DoesNotFitError(
                tr('the sheet "{name}" does not fit on {room}{where}', name=self.name(sheet), room=room, where=where)
            )

    def print(
        self,
        sheet: AnySheet,
        page: AnyPage,
        number: int,
        counting: PageCounter,
        page_of_sheet: int = 1,
        reads_notices: bool = True,
    ) -> None:
        """Print a page with header and footer. Pages of pieces and posters have only a single line at the bottom.

        On the first page of a sheet, the sheet's name is a heading, and the notes on the sheet are read aloud. With
        `reads_notices`, the notices on the kit are read aloud too.
        """
        canvas, settings, lang = self.canvas, self.settings, self.lang
        tags = canvas.tags

        page_text = self.word("press", "page")

        def counted(write: Callable[[str], None]) -> None:
            counting.write_line(lambda total: write(page_text.format(n=number, m=total)))

        unofficial = self.foot_text()
        if isinstance(page, RunPage | PosterPage):
            notes = [sheet.note[lang]] if isinstance(sheet, Run | Poster) and sheet.note else []
            notes += [self.word("press", "fold")] if isinstance(page, RunPage) and page.layout.fold else []
            names = filter(None, (self.kit.stamp, self.kit.game[lang], self.name(sheet)))
            line = FootLine(tuple(names), tuple(notes), tuple(self.notices()))
            first = page_of_sheet == 1
            foot = FootMarks(
                tags.reserve("H1") if first else "",
                tags.reserve("P") if first and notes else "",
                tags.reserve("P") if reads_notices else "",
            )
            if isinstance(page, RunPage):
                print_run_page(canvas, page, settings, line, counted, foot)
            else:
                print_poster(canvas, page, settings, lang, line, counted, partial(self.word, "press"), foot)
            return
        landscape = isinstance(sheet, Sheet) and sheet.landscape
        paper = settings.sheet
        begin_page(canvas, paper.sides(landscape), settings.printer)
        without_header = self.has_no_header(sheet)
        above = ("", "") if without_header else (f"{self.kit.game[lang]} · {self.kit.title[lang]}", self.name(sheet))
        below = self.kit.stamp, unofficial if page else self.word("press", "blank")
        keep = safe_edge(settings.printer, paper)
        heading = tags.reserve("H1") if page_of_sheet == 1 and any(above) else ""
        furniture(paper, landscape, above, (*below, ""), keep).write_header(canvas, heading)
        left, top = paper.corner(landscape, without_header=without_header)
        for flowable, depth in page:
            flowable.draw_on(canvas, left, top - depth)
        notice = tags.reserve("P") if reads_notices or not page else ""
        counted(lambda count: furniture(paper, landscape, above, (*below, count), keep).write_footer(canvas, notice))
        canvas.show_page()

    def foot_text(self) -> str:
        """Return the middle text of every footer."""
        return " · ".join(self.notices())

    def notices(self) -> list[str]:
        """Return a warning, credits, and a note that the print is unofficial."""
        notices = [text[self.lang] for text in (self.kit.warning, self.kit.credit) if text]
        return [*notices, self.word("press", "unofficial")]

    def bookmark(self, key: str, title: str, level: int) -> None:
        """Set a bookmark on the next page."""
        self.canvas.bookmark(key, title, level)

    def name(self, sheet: AnySheet) -> str:
        """Return the title of a sheet, followed by the side that it is for."""
        side = sheet.side if isinstance(sheet, Sheet) else None
        return sheet.title[self.lang] + (f" · {side[self.lang]}" if side else "")

    def word(self, table: str, key: str) -> str:
        """Return a text from data/words.toml, which all games share."""
        return str(words("", self.lang)[table].get(key, key))


def _default_attempts(sheet: Sheet, type_scale: float = 1.0) -> list[tuple[int, float]]:
    """Return the layouts in which a sheet may be printed, in the order of preference.

    `type_scale` is the factor by which type is larger on the paper.
    """
    shrinking = [(sheet.rather, scale) for scale in SCALES if sheet.rather and scale >= MIN_PREFERRED_SCALE]
    attempts = shrinking + [(sheet.pages, scale) for scale in SCALES]
    return [(pages, scale * type_scale) for pages, scale in attempts] if type_scale > 1 else attempts


PagePrint = tuple[Press, AnyPage]
"""A page and the press that prints it."""


@contextmanager
def naming_template(sheet: AnySheet) -> Iterator[None]:
    """Add the sheet's template to every problem that names no file."""
    try:
        yield
    except (DataError, DoesNotFitError) as error:
        file = sheet.template if isinstance(sheet, Sheet) else ""
        problems: list[Problem] = [p if p.file else p.but(file=file) for p in error.problems]
        raise type(error)(*problems) from error
