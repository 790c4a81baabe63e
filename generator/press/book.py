"""The whole kit as one PDF: sheet after sheet is laid out and printed, so that none but its pages is held."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from reportlab.pdfgen.canvas import Canvas

from generator.errors import DataError, DoesNotFitError, Problem
from generator.model.views import Kit, Poster, Run, Sheet
from generator.model.words import Lang
from generator.press import jail
from generator.press.canvas import describe
from generator.press.edition import Edition
from generator.press.paper.correction import begin
from generator.press.paper.labels import label_pages
from generator.press.paper.pages import furnish
from generator.press.paper.posters import PosterPage, poster_pages, print_poster
from generator.press.pieces.runs import RunPage, both_sides, print_page, run_pages, sharing
from generator.press.progress import Progress, silent
from generator.press.sheets.counting import Counting
from generator.press.sheets.filling import Page, TooLargeError, fill, first_text
from generator.press.sheets.forms import Form
from generator.press.sheets.reader import Setting, blocks
from generator.press.sheets.templates import read_sheet, words
from generator.press.type import fonts
from generator.press.type.styles import SCALES
from generator.store.seal import seal

if TYPE_CHECKING:
    from collections.abc import Iterator

AnySheet = Sheet | Run | Poster
AnyPage = Page | RunPage | PosterPage
COVER = "cover"
BLANK: Page = []
"""A page with nothing on it but its header and footer."""


def print_kit(kit: Kit, edition: Edition, progress: Progress = silent) -> bytes:
    """The PDF of a kit.

    DoesNotFitError names a sheet that does not fit and the text at which it ran over, DataError a tag that is
    unknown or a character that has no glyph. Where a person's own words need it, an English kit takes the larger
    fonts of a Japanese one. With templates of a person's own it is made in the jail.
    """
    lang = "ja" if "ja" in edition.langs else edition.lang
    make = partial(jail.confined, edition, bytes, _printed, kit, edition, progress=progress)
    return fonts.enough(lang, make, progress)


def _printed(kit: Kit, edition: Edition, progress: Progress) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, edition.sheet.size(), pageCompression=1, invariant=1, lang=edition.lang)
    describe(canvas, f"{kit.game[edition.lang]} · {kit.title[edition.lang]}", kit.stamp)
    canvas.showOutline()
    form = Form(canvas) if edition.fillable else None
    counting = Counting(canvas)
    presses = [Press(canvas, kit, edition, lang, form) for lang in edition.langs]
    rows = [row for sheet in sharing(kit.sheets, edition) for row in _rows(sheet, presses)]
    labels: list[tuple[int, str, int]] = []
    numbered = Counter[str]()
    number = done = 0
    for part, group in groupby(rows, key=lambda row: row[0].part):
        sheets = list(group)
        if len(sheets) > 1:
            presses[0].bookmark(f"part{number}", presses[0].word("part", part), 0)
        labels.append((number, part, numbered[part] + 1))
        for sheet, press, lay in sheets:
            progress(press.name(sheet), done / len(rows))
            done += 1
            pages = _paired(lay(), press, number)
            press.bookmark(f"sheet{number}", press.name(sheet), int(len(sheets) > 1))
            if form:
                form.open(sheet.part, press.name(sheet), "" if press is presses[0] else f"-{press.lang}")
            for speaker, page in pages:
                number += 1
                with blaming(sheet):
                    speaker.print(sheet, page, number, counting)
            numbered[part] += len(pages)
    progress(kit.title[edition.lang], 1.0)
    for page_before, part, first in labels:
        label_pages(canvas, page_before, presses[0].word("part", part), first, numbered[part])
    counting.close()
    if form:
        form.close()
    canvas.save()
    return seal(out.getvalue())


def _rows(sheet: AnySheet, presses: list[Press]) -> list[_Row]:
    """A sheet in one language after the other, or back to back, and how to lay out its pages."""
    first, *others = presses
    edition = first.edition
    if isinstance(sheet, Run):
        if sheet.cut != "card":
            # Tokens and tiles bear no words.
            others = []
        elif others and not edition.imposing.single:
            speakers = {press.lang: press for press in presses}
            back_to_back = partial(run_pages, both_sides(sheet), edition, *edition.langs)
            return [(sheet, first, lambda: [(speakers[page.lang], page) for page in back_to_back()])]
    return [(sheet, press, partial(press.lay, sheet)) for press in (first, *others)]


def _paired(pages: list[_Spoken], press: Press, number: int) -> list[_Spoken]:
    """Pages that follow so many, with blank ones put in so that fronts stand on odd pages.

    The whole may be printed on both sides.
    """
    found: list[_Spoken] = []
    for speaker, page in pages:
        if isinstance(page, RunPage | PosterPage) and page.paired and not page.back and (number + len(found)) % 2:
            found.append((press, BLANK))
        found.append((speaker, page))
    return found


@dataclass(frozen=True)
class Press:
    """A kit on its way onto a canvas."""

    canvas: Any
    kit: Kit
    edition: Edition
    lang: Lang
    form: Form | None = None

    def lay(self, sheet: AnySheet) -> list[_Spoken]:
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
            root = read_sheet(self.kit, sheet, lang, edition.templates, edition.told(lang))
            width, height = edition.sheet.column(sheet.landscape)
            over = ""
            for scale in SCALES:
                setting = Setting(lang, edition.ink, width, scale, sheet.figures, edition.turned, form=self.form)
                try:
                    pages = fill(self.canvas, blocks(root, setting), width, height)
                except TooLargeError as error:
                    over = error.text
                    continue
                if not pages:
                    raise DataError(Problem("prints nothing", hint="`--parts` leaves out what is not wanted"))
                if len(pages) <= sheet.pages:
                    return pages
                over = first_text(flowable for flowable, _ in pages[sheet.pages])
            room = "one page" if sheet.pages == 1 else f"{sheet.pages} pages"
            where = f"; it runs over at {over!r}" if over else ""
            raise DoesNotFitError(f'the sheet "{self.name(sheet)}" does not fit on {room}{where}')

    def print(self, sheet: AnySheet, page: AnyPage, number: int, counting: Counting) -> None:
        """One page, with header and footer; the pieces of a run leave room for a single line."""
        canvas, edition, lang = self.canvas, self.edition, self.lang

        def counted(write: Callable[[str], None]) -> None:
            counting.line(lambda total: write(self.word("press", "page").format(n=number, m=total)))

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
        above = f"{self.kit.game[lang]} · {self.kit.title[lang]}", self.name(sheet)
        if sheet.part == COVER:
            # It bears both as its title.
            above = "", ""
        below = self.kit.stamp, unofficial if page else self.word("press", "blank")
        counted(lambda count: furnish(canvas, paper, landscape, above, (*below, count)))
        left, top = paper.corner(landscape)
        for flowable, depth in page:
            flowable.drawOn(canvas, left, top - depth)
        canvas.showPage()

    def foot(self) -> str:
        """What stands in the middle of every page's foot: a warning, what is an owner's, that it is unofficial."""
        told = [text[self.lang] for text in (self.kit.warning, self.kit.credit) if text]
        return " · ".join([*told, self.word("press", "unofficial")])

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


_Spoken = tuple[Press, AnyPage]
"""A page, and the press that prints it."""
_Row = tuple[AnySheet, Press, Callable[[], list[_Spoken]]]
"""A sheet, whose bookmark it gets, and what lays out its pages."""


@contextmanager
def blaming(sheet: AnySheet) -> Iterator[None]:
    """Name the sheet's template in every problem that names no file."""
    try:
        yield
    except (DataError, DoesNotFitError) as error:
        file = sheet.template if isinstance(sheet, Sheet) else ""
        problems: list[Problem] = [p if p.file else replace(p, file=file) for p in error.problems]
        raise type(error)(*problems) from error
