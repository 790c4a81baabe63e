"""Print one or more kits as a single PDF. It is written sheet by sheet, with only one sheet in memory at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec.structs import replace

from generator import process
from generator.model.views import Kit, Run
from generator.press import Progress, silent
from generator.press.free_space import Row, lay_out_rows
from generator.press.layout.furniture import label_pages
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf import fonts
from generator.press.pdf.canvas import Canvas
from generator.press.pdf.counting import PageCounter
from generator.press.pdf.fields import Form
from generator.press.posters import PosterPage
from generator.press.runs import RunPage, merge_runs, run_pages, with_fronts_on_backs
from generator.press.sandbox import sandbox
from generator.store.write import Draft

if TYPE_CHECKING:
    from collections.abc import Iterable
from generator.press.sheets import BLANK, AnySheet, PagePrint, Press, link_targets, naming_template

_LONG_PRINT_PAGES = 50
"""Number of pages from which garbage collection slows down a print noticeably."""


def print_kit(kit: Kit, settings: PrintSettings, progress: Progress = silent, packed: bool = True) -> bytes:
    """Return the PDF of a kit.

    `packed=False` omits compression and tags, which saves time if the PDF is only viewed once. An English kit is
    printed with the larger Japanese fonts if a user's text needs them. A kit with user templates is printed in the
    sandbox.

    Raises:
        DoesNotFitError: If a sheet does not fit. The error quotes the text at which the sheet overflows.
        DataError: If a tag is unknown or a character has no glyph.
    """
    return bytes(print_kits((kit,), settings, progress, packed))


def print_kits(
    kits: Collection[Kit], settings: PrintSettings, progress: Progress = silent, packed: bool = True
) -> Draft:
    """Return the PDF of several kits, one after another, each with its own bookmark.

    Each kit is requested when the previous kit has been printed, and released afterwards, so `kits` may create
    kits lazily. Arguments and errors are the same as for `print_kit`.
    """
    lang = "ja" if "ja" in settings.langs else settings.lang
    given = tuple(_without_other_sheets(kit) for kit in kits) if settings.templates else kits
    make = partial(sandbox.run_confined, settings, Draft, _print_all, given, settings, packed, progress=progress)
    return fonts.with_enough_glyphs(lang, make, progress)


def _without_other_sheets(kit: Kit) -> Kit:
    return replace(kit, usual=kit.sheets, more=())


def _print_all(kits: Collection[Kit], settings: PrintSettings, packed: bool, progress: Progress) -> Draft:
    canvas = Canvas(settings.sheet.size(), settings.lang, packed, tagged=packed)
    canvas.show_outline()
    run = _KitPrinter(canvas, settings, progress, len(kits))
    for kit in kits:
        run.print_kit(kit)
        # Release the kit before its generator creates the next one.
        del kit
    progress(run.title, 1.0)
    run.close()
    return canvas.finish()


class _KitPrinter:
    """The printing of kits on one canvas, with the page counts and labels needed after the last kit."""

    def __init__(self, canvas: Canvas, settings: PrintSettings, progress: Progress, kits: int) -> None:
        self.canvas, self.settings, self.progress, self.kits = canvas, settings, progress, kits
        self.form = Form(canvas) if settings.fillable else None
        self.counting = PageCounter(canvas)
        self.labels: list[tuple[int, str, str, int]] = []
        """For each part, the number of pages before it, its key, its name and the number of its first page."""
        self.pages_by_part = Counter[str]()
        self.kits_printed = self.rows_printed = 0
        self.title = ""
        self.notices_read = False
        """Whether the notices in the footers of the current kit have been read aloud on a page."""

    def print_kit(self, kit: Kit) -> None:
        """Print all sheets of a kit."""
        canvas, settings, form, counting = self.canvas, self.settings, self.form, self.counting
        self.title, self.notices_read = kit.title[settings.lang], False
        if not self.kits_printed:
            canvas.describe(f"{kit.game[settings.lang]} · {self.title}", kit.stamp)
        presses = [Press(canvas, kit, settings, lang, form) for lang in settings.langs]
        first, deep = presses[0], int(self.kits > 1)
        rows = [row for sheet in merge_runs(kit.sheets, settings) for row in _rows(sheet, presses)]
        links = link_targets(
            [(sheet, press, _bookmark_key(self.rows_printed + at)) for at, (sheet, press, _) in enumerate(rows)]
        )
        canvas.link_words = {
            _bookmark_key(self.rows_printed + at): press.name(sheet) for at, (sheet, press, _) in enumerate(rows)
        }
        if deep:
            first.bookmark(f"kit{self.rows_printed}", f"{kit.game[settings.lang]} · {self.title}", 0)
        parts = [sheet.part for sheet, _, _ in rows]
        sizes = [size for _, group in groupby(parts) for size in [len(list(group))] for _ in range(size)]
        for laid_out in lay_out_rows(rows):
            (at, *joined), sheet, press, pages = laid_out
            part = sheet.part
            if at == 0 or parts[at - 1] != part:
                name = first.word("part", part)
                if sizes[at] > 1:
                    first.bookmark(f"part{counting.pages}", name, deep)
                self.labels.append((counting.pages, part, name, self.pages_by_part[part] + 1))
            self.progress(press.name(sheet), (self.kits_printed + at / len(rows)) / self.kits)
            key = _bookmark_key(self.rows_printed + at)
            canvas.links = {text: there for text, there in links.items() if there != key}
            pages = _with_blank_pages(pages, press, counting.pages)
            press.bookmark(key, press.name(rows[at][0]), deep + (sizes[at] > 1))
            if form:
                form.begin_sheet(part, press.name(sheet), "" if press is first else f"-{press.lang}")
            self.pages_by_part[part] += len(pages)
            with canvas.tags.element("Sect", press.name(sheet), press.lang):
                self.print_pages(sheet, pages[:-1])
                for row in joined:
                    title = press.name(rows[row][0])
                    press.bookmark(_bookmark_key(self.rows_printed + row), title, deep + (sizes[row] > 1))
                self.print_pages(sheet, pages[-1:], len(pages))
        self.rows_printed += len(rows)
        self.kits_printed += 1

    def print_pages(self, sheet: AnySheet, pages: Iterable[PagePrint], first: int = 1) -> None:
        """Print pages of a sheet, which are numbered within the sheet from `first`."""
        for page_of_sheet, (speaker, page) in enumerate(pages, first):
            if isinstance(page, RunPage | PosterPage) and page.paired:
                self.canvas.print_on_both_sides(self.settings.imposition.flip)
            with naming_template(sheet):
                number = self.counting.pages + 1
                speaker.print(sheet, page, number, self.counting, page_of_sheet, not self.notices_read)
            self.notices_read = True
            self.counting.end_page()
            if self.counting.pages == _LONG_PRINT_PAGES:
                process.collect_rarely()

    def close(self) -> None:
        """Write the page labels, the page totals and the form after the last kit."""
        for before, part, name, first in self.labels:
            label_pages(self.canvas, before, name, first, self.pages_by_part[part])
        self.counting.close()
        if self.form:
            self.form.close()


def _bookmark_key(row: int) -> str:
    """Return the bookmark key of a printed row, counted from 0."""
    return f"sheet{row}"


def _rows(sheet: AnySheet, presses: list[Press]) -> list[Row]:
    """Return a sheet once per language, with functions that lay out its pages.

    Cards in two languages form a single row, with the second language on the back of the first.
    """
    first, *others = presses
    settings = first.settings
    if isinstance(sheet, Run):
        if sheet.cut != "card":
            # Tokens and tiles contain no text to translate.
            others = []
        elif others and not settings.imposition.single:
            speakers = {press.lang: press for press in presses}
            back_to_back = partial(run_pages, with_fronts_on_backs(sheet), settings, *settings.langs)
            return [(sheet, first, lambda: [(speakers[page.lang], page) for page in back_to_back()])]
    return [(sheet, press, partial(press.lay_out, sheet)) for press in (first, *others)]


def _with_blank_pages(pages: list[PagePrint], press: Press, number: int) -> list[PagePrint]:
    """Insert blank pages so that fronts are on odd pages. `number` pages have already been printed.

    The whole PDF can then be printed on both sides of the paper.
    """
    found: list[PagePrint] = []
    for speaker, page in pages:
        if isinstance(page, RunPage | PosterPage) and page.paired and not page.back and (number + len(found)) % 2:
            found.append((press, BLANK))
        found.append((speaker, page))
    return found
