"""One sheet of a kit: its pages laid out, printed, and found by their bookmarks."""

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
from generator.press.correction import begin, edge
from generator.press.layout.edition import Edition
from generator.press.layout.furniture import furniture
from generator.press.layout.pages import Page, TooLargeError, fill, first_text
from generator.press.layout.styles import LITTLE, SCALES
from generator.press.pdf.canvas import Canvas
from generator.press.pdf.counting import Counting
from generator.press.pdf.fields import Form
from generator.press.pdf.units import MM
from generator.press.posters import PosterPage, poster_pages, print_poster
from generator.press.reader import Setting, blocks
from generator.press.runs import RunPage, print_page, run_pages
from generator.press.sandbox.templates import read_sheet

if TYPE_CHECKING:
    from collections.abc import Iterator


AnySheet = Sheet | Run | Poster
AnyPage = Page | RunPage | PosterPage
COVER = "cover"
MAP = "map"
BLANK: Page = []
"""A page with nothing on it but its header and footer."""


def links_of(rows: Sequence[tuple[AnySheet, Press, str]]) -> dict[str, str]:
    """The texts that lead somewhere, and the bookmark of each: names of sheets, units and cells of the first map.

    `rows` are sheets, who prints them, and their bookmarks.
    """
    links: dict[str, str] = {}
    maps = [(sheet.part, view, key) for sheet, _, key in rows for view in _maps(sheet)]
    for _, view, key in sorted(maps, key=lambda found: found[0] != MAP)[:1]:
        cells = [view.grid.name(cell) for cell in view.grid.cells] if view.names else []
        links |= dict.fromkeys((*cells, *(token.label for _, token in view.tokens if token.label)), key)
    for sheet, press, key in rows:
        for name in (sheet.title[press.lang], press.name(sheet)):
            links.setdefault(name, key)
    return links


def _maps(sheet: AnySheet) -> list[MapView]:
    """The maps on a sheet that show where units stand."""
    figures = sheet.figures.values() if isinstance(sheet, Sheet) else ()
    return [figure for figure in figures if isinstance(figure, MapView) and figure.tokens]


class Press(Struct, frozen=True):
    """A kit on its way onto a canvas."""

    canvas: Canvas
    kit: Kit
    edition: Edition
    lang: Lang
    form: Form | None = None
    bundled: bool = False
    """Its pages bear the bundle's title at their head, the cover too."""

    def bare(self, sheet: AnySheet) -> bool:
        """Whether a sheet's pages have no running header: a cover bears game and scenario as its title."""
        return isinstance(sheet, Sheet) and sheet.part == COVER and not self.bundled

    def lay(self, sheet: AnySheet) -> list[SpokenPage]:
        """The pages of whatever is printed."""
        edition, lang = self.edition, self.lang
        pages: Sequence[AnyPage]
        if isinstance(sheet, Run):
            pages = run_pages(sheet, edition, lang)
        elif isinstance(sheet, Poster):
            pages = poster_pages(sheet, edition, lang)
        else:
            pages = self.pages(sheet)
        return [(self, page) for page in pages]

    def pages(self, sheet: Sheet) -> list[Page]:
        """A sheet's pages, in the largest type that keeps them to the number it may take."""
        edition, lang = self.edition, self.lang
        with blaming(sheet):
            width, height = edition.sheet.column(sheet.landscape, bare=self.bare(sheet))
            told = edition.told(lang, any(isinstance(each, Run) for each in self.kit.sheets))
            figures = {**sheet.figures, **sheet.own}
            root = read_sheet(self.kit, sheet, lang, edition.templates, told, (width / MM, height / MM))
            over, drawn = "", dict[tuple[int, float, float], Picture]()
            shrinking = [(sheet.rather, scale) for scale in SCALES if sheet.rather and scale >= LITTLE]
            for most, scale in (*shrinking, *((sheet.pages, scale) for scale in SCALES)):
                ink, own = edition.ink, sheet.own
                setting = Setting(
                    lang, ink, width, scale, figures, edition.turned, form=self.form, own=own, drawn=drawn
                )
                try:
                    pages = fill(blocks(root, setting), width, height)
                except TooLargeError as error:
                    over = error.text
                    continue
                if not pages:
                    raise DataError(tr("there is nothing to print"), hint=tr("choose fewer parts with `--parts`"))
                if len(pages) <= most:
                    return pages
                over = first_text(flowable for flowable, _ in pages[most])
            room = tr("one page") if sheet.pages == 1 else tr("{pages} pages", pages=sheet.pages)
            where = tr("; it overflows at {over!r}", over=over) if over else ""
            raise DoesNotFitError(
                tr('the sheet "{name}" does not fit on {room}{where}', name=self.name(sheet), room=room, where=where)
            )

    def print(self, sheet: AnySheet, page: AnyPage, number: int, counting: Counting) -> None:
        """One page, with header and footer; the pieces of a run leave room for a single line."""
        canvas, edition, lang = self.canvas, self.edition, self.lang

        told = self.word("press", "page")

        def counted(write: Callable[[str], None]) -> None:
            counting.line(lambda total: write(told.format(n=number, m=total)))

        unofficial = self.foot()
        if isinstance(page, RunPage | PosterPage):
            notes = [sheet.note[lang]] if isinstance(sheet, Run | Poster) and sheet.note else []
            notes += [self.word("press", "fold")] if isinstance(page, RunPage) and page.layout.fold else []
            line = f"{self.kit.game[lang]} · {self.name(sheet)}", " · ".join([*notes, unofficial])
            if isinstance(page, RunPage):
                print_page(canvas, page, edition, line, counted)
            else:
                print_poster(canvas, page, edition, lang, line, counted, partial(self.word, "press"))
            return
        landscape = isinstance(sheet, Sheet) and sheet.landscape
        paper = edition.sheet
        begin(canvas, paper.sides(landscape), edition.printer)
        bare = self.bare(sheet)
        above = ("", "") if bare else (f"{self.kit.game[lang]} · {self.kit.title[lang]}", self.name(sheet))
        below = self.kit.stamp, unofficial if page else self.word("press", "blank")
        keep = edge(edition.printer, paper)
        counted(lambda count: furniture(paper, landscape, above, (*below, count), keep).write(canvas))
        left, top = paper.corner(landscape, bare=bare)
        for flowable, depth in page:
            flowable.draw_on(canvas, left, top - depth)
        canvas.show_page()

    def foot(self) -> str:
        """What stands in the middle of every page's foot: a warning, what is an owner's, that it is unofficial."""
        told = [text[self.lang] for text in (self.kit.warning, self.kit.credit) if text]
        return " · ".join([*told, self.word("press", "unofficial")])

    def bookmark(self, key: str, title: str, level: int) -> None:
        """A bookmark for the page that comes next."""
        self.canvas.bookmark(key, title, level)

    def name(self, sheet: AnySheet) -> str:
        """The sheet's title, and whose it is."""
        side = sheet.side if isinstance(sheet, Sheet) else None
        return sheet.title[self.lang] + (f" · {side[self.lang]}" if side else "")

    def word(self, table: str, key: str) -> str:
        """One of the words that all games share."""
        return str(words("", self.lang)[table].get(key, key))


SpokenPage = tuple[Press, AnyPage]
"""A page, and the press that prints it."""


@contextmanager
def blaming(sheet: AnySheet) -> Iterator[None]:
    """Name the sheet's template in every problem that names no file."""
    try:
        yield
    except (DataError, DoesNotFitError) as error:
        file = sheet.template if isinstance(sheet, Sheet) else ""
        problems: list[Problem] = [p if p.file else p.but(file=file) for p in error.problems]
        raise type(error)(*problems) from error
