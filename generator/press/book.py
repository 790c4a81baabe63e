"""The whole kit as one PDF: every sheet is laid out first, then printed with the number of all pages."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportlab.pdfgen.canvas import Canvas

from generator import __version__
from generator.errors import DataError, DoesNotFitError, Problem
from generator.model.views import Kit, Poster, Run, Sheet
from generator.model.words import Lang
from generator.press import fonts
from generator.press.filling import Page, TooLargeError, fill, first_text
from generator.press.imposition import PLAIN, Imposing
from generator.press.pages import Paper, furnish, paper_named
from generator.press.posters import PosterPage, poster_pages, print_poster
from generator.press.reader import Setting, blocks
from generator.press.runs import RunPage, both_sides, print_page, run_pages
from generator.press.styles import SCALES
from generator.press.templates import read_sheet, words

if TYPE_CHECKING:
    from collections.abc import Iterator

AnySheet = Sheet | Run | Poster
AnyPage = Page | RunPage | PosterPage


def print_kit(
    kit: Kit,
    lang: Lang,
    paper: str,
    ink: str = "full",
    progress: Callable[[str], None] | None = None,
    templates: tuple[Path, ...] = (),
    imposing: Imposing = PLAIN,
    also: Lang | None = None,
) -> bytes:
    """The PDF of a kit; `templates` are folders looked through before the shipped one.

    With `also`, every sheet is printed in that language too, behind its own pages in the first one.
    Cards have their face in that language on the back instead, unless only fronts are printed. DoesNotFitError
    names a sheet that does not fit and the text at which it ran over, DataError a tag that is unknown or a
    character that has no glyph. Where a person's own words need it, an English kit takes the larger fonts of a
    Japanese one.
    """
    langs = (lang, also) if also else (lang,)
    make = partial(_printed, kit, langs, paper, ink, templates, imposing)
    return fonts.enough("ja" if "ja" in langs else lang, make, progress)


def _printed(
    kit: Kit, langs: tuple[Lang, ...], paper: str, ink: str, templates: tuple[Path, ...], imposing: Imposing
) -> bytes:
    sheet_paper = paper_named(paper)
    out = io.BytesIO()
    canvas = Canvas(out, sheet_paper.size(), pageCompression=1, invariant=1, lang=langs[0])
    _describe(canvas, kit, langs[0])
    presses = [_Press(canvas, kit, lang, sheet_paper, ink, templates, imposing) for lang in langs]
    laid = [row for sheet in kit.sheets for row in _laid(sheet, presses, imposing)]
    total = sum(len(pages) for _, _, pages in laid)
    number = 0
    for part, group in groupby(laid, key=lambda row: row[0].part):
        sheets = list(group)
        if len(sheets) > 1:
            presses[0].bookmark(f"part{number}", presses[0].word("part", part), 0)
        for sheet, press, pages in sheets:
            press.bookmark(f"sheet{number}", press.name(sheet), int(len(sheets) > 1))
            for speaker, page in pages:
                number += 1
                with _blaming(sheet):
                    speaker.print(sheet, page, number, total)
    canvas.save()
    return out.getvalue()


def _laid(
    sheet: AnySheet, presses: list[_Press], imposing: Imposing
) -> list[tuple[AnySheet, _Press, list[tuple[_Press, AnyPage]]]]:
    """A sheet's pages, each with the press that prints it: one language after the other, or back to back."""
    first, *others = presses
    if isinstance(sheet, Run):
        if sheet.cut != "card":
            # Tokens and tiles bear no words.
            others = []
        elif others and not imposing.single:
            pages = first.lay(both_sides(sheet))
            return [(sheet, first, [(presses[isinstance(p, RunPage) and p.back], p) for p in pages])]
    return [(sheet, press, [(press, page) for page in press.lay(sheet)]) for press in (first, *others)]


def _describe(canvas: Any, kit: Kit, lang: Lang) -> None:
    canvas.setTitle(f"{kit.game[lang]} · {kit.title[lang]}")
    canvas.setAuthor("Muster")
    canvas.setSubject(kit.stamp)
    canvas.setCreator(f"Muster {__version__}")
    canvas.setViewerPreference("PrintScaling", "None")


@dataclass(frozen=True)
class _Press:
    """A kit on its way onto a canvas."""

    canvas: Any
    kit: Kit
    lang: Lang
    paper: Paper
    ink: str
    templates: tuple[Path, ...]
    imposing: Imposing

    def lay(self, sheet: AnySheet) -> Sequence[AnyPage]:
        """The sheet's pages, in the largest type that keeps them to the number it may take."""
        if isinstance(sheet, Run):
            return run_pages(sheet, self.paper, self.imposing)
        if isinstance(sheet, Poster):
            return poster_pages(sheet, self.paper, self.imposing, self.lang, self.ink)
        with _blaming(sheet):
            root = read_sheet(self.kit, sheet, self.lang, self.templates)
            width, height = self.paper.column(sheet.landscape)
            over = ""
            for scale in SCALES:
                setting = Setting(self.lang, self.ink, width, scale, sheet.figures)
                try:
                    pages = fill(self.canvas, blocks(root, setting), width, height)
                except TooLargeError as error:
                    over = error.text
                    continue
                if len(pages) <= sheet.pages:
                    return pages
                over = first_text(flowable for flowable, _ in pages[sheet.pages])
            room = "one page" if sheet.pages == 1 else f"{sheet.pages} pages"
            where = f"; it runs over at {over!r}" if over else ""
            raise DoesNotFitError(f'the sheet "{self.name(sheet)}" does not fit on {room}{where}')

    def print(self, sheet: AnySheet, page: AnyPage, number: int, total: int) -> None:
        """One page, with header and footer; the pieces of a run leave room for a single line."""
        canvas, lang = self.canvas, self.lang
        count = self.word("press", "page").format(n=number, m=total)
        if isinstance(page, RunPage | PosterPage):
            note = f"{sheet.note[lang]} · " if isinstance(sheet, Run | Poster) and sheet.note else ""
            side = f"{self.kit.game[lang]} · {self.name(sheet)}"
            line = side, note + self.word("press", "unofficial"), count
            if isinstance(page, RunPage):
                print_page(canvas, page, self.imposing, lang, self.ink, line)
            else:
                print_poster(canvas, page, self.imposing, lang, self.ink, line, partial(self.word, "press"))
            return
        assert isinstance(sheet, Sheet)
        size = self.paper.size(sheet.landscape)
        canvas.setPageSize(size)
        above = f"{self.kit.game[lang]} · {self.kit.title[lang]}", self.name(sheet)
        below = self.kit.stamp, self.word("press", "unofficial"), count
        furnish(canvas, self.paper, sheet.landscape, above, below)
        left, top = self.paper.corner(sheet.landscape)
        for flowable, depth in page:
            flowable.drawOn(canvas, left, top - depth)
        canvas.showPage()

    def bookmark(self, key: str, title: str, level: int) -> None:
        """A bookmark for the page that comes next."""
        self.canvas.bookmarkPage(key)
        self.canvas.addOutlineEntry(title, key, level)

    def name(self, sheet: AnySheet) -> str:
        """The sheet's title, and whose it is."""
        side = sheet.side if isinstance(sheet, Sheet) else None
        return sheet.title[self.lang] + (f" · {side[self.lang]}" if side else "")

    def word(self, table: str, key: str) -> str:
        """One of the words that all games share."""
        return str(words("", self.lang)[table].get(key, key))


@contextmanager
def _blaming(sheet: AnySheet) -> Iterator[None]:
    """Name the sheet's template in every problem that names no file."""
    try:
        yield
    except (DataError, DoesNotFitError) as error:
        file = sheet.template if isinstance(sheet, Sheet) else ""
        problems: list[Problem] = [p if p.file else replace(p, file=file) for p in error.problems]
        raise type(error)(*problems) from error
