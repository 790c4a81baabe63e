"""Print a kit as a booklet to fold, with two pages on each side of a sheet and the map across the middle."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from msgspec.structs import replace

from generator.errors import DataError, DoesNotFitError
from generator.model.views import Kit, Sheet
from generator.model.words import LANGS, Words
from generator.notation.words import words
from generator.press import Progress, silent
from generator.press.correction import begin_page, safe_edge
from generator.press.free_space import (
    MAX_BLANK,
    MAX_BLANK_BETWEEN,
    fill_last_page,
    join_pages,
    may_share_page,
    with_joint_name,
)
from generator.press.layout.furniture import Furniture, furniture
from generator.press.layout.imposition import Flip
from generator.press.layout.pages import Page, page_depth
from generator.press.layout.paper import EDGE, booklet_paper, find_paper
from generator.press.layout.print_settings import PrintSettings
from generator.press.layout.styles import QUIET, RULE, SCALES
from generator.press.pdf import fonts
from generator.press.pdf.canvas import JOINT, Canvas
from generator.press.pdf.units import MM
from generator.press.sandbox import sandbox
from generator.press.sheets import COVER, MAP, Press, link_targets, naming_template
from generator.store.folders import is_file, shipped_path
from generator.store.write import Draft

# The pages of a booklet have half the size of a sheet and are laid out for this size. Both pages on a side of a sheet
# are drawn next to each other, so that each side is a single page of the PDF.

PAGES_PER_SHEET = 4
"""Number of booklet pages on the two sides of one sheet of paper."""
FIRST, LAST = "reference", "records"
"""The parts that players need most during a game. They are on the outer pages."""
MIN_SCALE = 0.85
"""Minimum scale of the type, unless smaller type saves a sheet of paper."""
_MAX_GROWTH = 5
"""Maximum number of pages of a sheet in a booklet, as a multiple of its usual number of pages."""
_MIN_FILLED = 0.3
"""Minimum fraction of the last page of a sheet that is used, unless the type would become too small."""
_SPREAD = "spread.xml"
"""The template for the two pages in the middle. Its values are those of the cover."""
_NOTES = "base/notes.xml"
"""The template of a page to write on, which takes the place of a blank page."""
_FOLD_MARK = 3.0
"""Length in mm of the marks for the fold at the upper and lower edge of a sheet."""


class SheetSide(NamedTuple):
    """The numbers of the left and right page on one side of a sheet, counted from 0."""

    left: int
    right: int


def sheet_sides(count: int) -> list[SheetSide]:
    """Return the sides of the sheets in printing order, for turning over the short edge.

    `count` is the number of pages, which is a multiple of four.
    """
    pairs = [(count - 1 - number, number) for number in range(count // 2)]
    return [SheetSide(*(reversed(pair) if side % 2 else pair)) for side, pair in enumerate(pairs)]


def print_booklet(kit: Kit, fillers: Sequence[str], settings: PrintSettings, progress: Progress = silent) -> bytes:
    """Return the PDF of a booklet on the paper of the settings. Its pages have half the size of this paper.

    The booklet contains the sheets that the kit prints by default. Sheets of the parts `fillers` are added, in this
    order, to pages that would otherwise be empty.

    Raises:
        DoesNotFitError: If a sheet does not fit. The error quotes the text at which the sheet overflows.
        DataError: If a tag is unknown or a character has no glyph.
    """
    lang = "ja" if "ja" in settings.langs else settings.lang
    settings = replace(settings, paper=booklet_paper(settings.paper))
    if settings.templates:
        # The sandbox receives only sheets that have already been made.
        kit = replace(kit, usual=kit.sheets, more=kit.only(fillers).sheets)
    make = partial(sandbox.run_confined, settings, Draft, _print, kit, tuple(fillers), settings, progress=progress)
    return bytes(fonts.with_enough_glyphs(lang, make, progress))


def _print(kit: Kit, fillers: Sequence[str], settings: PrintSettings, progress: Progress) -> Draft:
    canvas = Canvas(settings.sheet.size(landscape=True), settings.lang)
    canvas.describe(f"{kit.game[settings.lang]}{JOINT}{kit.title[settings.lang]}", kit.stamp)
    canvas.print_on_both_sides("short")
    canvas.show_outline()
    booklet = _Booklet(canvas, kit, settings, progress)
    booklet.print(booklet.pages(fillers))
    progress(kit.title[settings.lang], 1.0)
    return canvas.finish()


class _BookletPage(NamedTuple):
    """A page of the booklet, with the press that prints it.

    `sheet` determines the header, and `begins` are the sheets that begin on the page.
    """

    press: Press
    sheet: Sheet
    begins: tuple[Sheet, ...]
    content: Page


class _Booklet:
    """A booklet that is printed on a canvas."""

    def __init__(self, canvas: Canvas, kit: Kit, settings: PrintSettings, progress: Progress) -> None:
        self.canvas, self.kit, self.settings, self.progress = canvas, kit, settings, progress
        self.paper, self.half = settings.sheet, find_paper(settings.sheet.half)
        halved = replace(settings, paper=settings.sheet.half)
        self.presses = [Press(canvas, kit, halved, lang) for lang in settings.langs]
        covers = [sheet for sheet in kit.sheets if isinstance(sheet, Sheet) and sheet.part == COVER]
        self.spread = _spread(covers[0]) if covers else None
        self.spread_press = Press(canvas, kit, settings, settings.lang)
        self.laid_out: dict[tuple[str, int, float], tuple[Sheet, list[Page]]] = {}
        """Sheets in the format of their pages, with these pages, by language, sheet identity and minimum scale."""

    def pages(self, fillers: Sequence[str]) -> list[_BookletPage]:
        """Return the pages in reading order, without the map in the middle."""
        sheets = sorted((s for s in self.kit.sheets if isinstance(s, Sheet) and s.part != COVER), key=_place)
        candidates = [self.pages_of(sheets, scale) for scale in (MIN_SCALE, SCALES[-1])]
        pages = min(candidates, key=self.sheets_of_paper)
        for part in fillers:
            added = [sheet for sheet in self.kit.only((part,)).sheets if isinstance(sheet, Sheet)]
            # The sheets of a part are added together, because each may be for one of the players.
            more = sorted([*sheets, *added], key=_place)
            longer = self.pages_of(more, MIN_SCALE)
            if self.sheets_of_paper(longer) == self.sheets_of_paper(pages):
                sheets, pages = more, longer
        missing = PAGES_PER_SHEET * self.sheets_of_paper(pages) - len(pages) - self.middle
        records = sum(page.sheet.part == LAST for page in pages)
        before, after = pages[: len(pages) - records], pages[len(pages) - records :]
        return [*before, *self.pages_of([_notes_page()], 1.0)[:1] * missing, *after]

    @property
    def middle(self) -> int:
        """The number of pages that the map in the middle takes."""
        return 2 if self.spread else 0

    def sheets_of_paper(self, pages: Sequence[_BookletPage]) -> int:
        """Return the number of sheets of paper for these pages and the map in the middle."""
        return ceil((len(pages) + self.middle) / PAGES_PER_SHEET)

    def pages_of(self, sheets: Sequence[Sheet], min_scale: float) -> list[_BookletPage]:
        """Return the pages of sheets in each language. Short sheets are below each other on one page."""
        found: list[_BookletPage] = []
        for press in self.presses:
            for at, given in enumerate(sheets):
                sheet, (first, *rest) = self.lay_out(press, given, min_scale)
                joint = None
                if at and not rest and may_share_page(found[-1].sheet, sheet):
                    joint = join_pages(press, found[-1].content, sheet, first)
                if joint:
                    last = found.pop()
                    names = with_joint_name(last.sheet, sheet)
                    found.append(_BookletPage(press, names, (*last.begins, sheet), joint))
                else:
                    found.append(_BookletPage(press, sheet, (sheet,), first))
                    found += [_BookletPage(press, sheet, (), page) for page in rest]
        return self.with_notes(found)

    def with_notes(self, pages: Sequence[_BookletPage]) -> list[_BookletPage]:
        """Return the pages, with lines to write on where a sheet would leave most of its last page blank."""
        found: list[_BookletPage] = []
        for page, following in pairwise([*pages, None]):
            assert page
            max_blank = MAX_BLANK if following is None or following.begins else MAX_BLANK_BETWEEN
            (content,) = fill_last_page(page.press, page.sheet, [page.content], max_blank)
            found.append(page._replace(content=content))
        return found

    def lay_out(self, press: Press, sheet: Sheet, min_scale: float) -> tuple[Sheet, list[Page]]:
        """Return as few pages as possible for a sheet, in type that is as large as possible on these pages.

        The sheet that is returned is landscape if its pages must be turned.
        """
        key = press.lang, id(sheet), min_scale
        if key not in self.laid_out:
            self.progress(press.name(sheet), 0.0)
            if sheet.landscape and self.half.unit == 1:
                self.laid_out[key] = sheet, press.pages(sheet)
            else:
                self.laid_out[key] = self.lay_out_upright(press, sheet, min_scale)
        return self.laid_out[key]

    def lay_out_upright(self, press: Press, sheet: Sheet, min_scale: float) -> tuple[Sheet, list[Page]]:
        """Return the pages of a sheet in portrait format, or in landscape format if the template needs it."""
        upright = replace(sheet, landscape=False)
        few = range(1, _MAX_GROWTH * sheet.pages + 1)
        attempts = [(count, scale) for count in few for scale in SCALES if scale >= min_scale]
        attempts += [(few[-1], scale) for scale in SCALES]
        try:
            pages = press.pages(upright, attempts)
        except (DataError, DoesNotFitError):
            if sheet.landscape:
                return sheet, press.pages(sheet, attempts)
            raise
        if len(pages) > 1 and page_depth(pages[-1]) < _MIN_FILLED * self.half.column()[1]:
            fewer = [(len(pages) - 1, scale) for scale in SCALES if scale < min_scale]
            pages = press.pages(upright, [*fewer, *attempts])
        return upright, pages

    def print(self, pages: Sequence[_BookletPage]) -> None:
        """Print the pages on the sides of the sheets, with bookmarks and page labels."""
        canvas, half = self.canvas, len(pages) // 2
        numbered: list[_BookletPage | None] = [*pages[:half], *[None] * self.middle, *pages[half:]]
        self.set_bookmarks(numbered)
        for index, side in enumerate(sheet_sides(len(numbered))):
            flip: Flip | None = "short" if index % 2 else None
            begin_page(canvas, self.paper.sides(landscape=True), self.settings.printer, flip, paired=True)
            if self.spread and numbered[side.left] is None:
                self.draw_spread(self.spread, side.left)
            for number, left in zip(side, (0.0, self.paper.size(landscape=True)[0] / 2), strict=True):
                canvas.draw_at(left, 0.0, partial(self.draw_half, numbered[number], number))
            self.draw_fold_marks()
            canvas.label_pages(index, f"{side.left + 1}, {side.right + 1}")
            canvas.show_page()
            canvas.file.write_page()

    def set_bookmarks(self, numbered: Sequence[_BookletPage | None]) -> None:
        """List the bookmarks in reading order, and turn names of sheets, units and cells into links to them."""
        rows: list[tuple[Sheet, Press, str]] = []
        for number, page in enumerate(numbered):
            if page:
                rows += [(sheet, page.press, _key(number, at)) for at, sheet in enumerate(page.begins)]
            elif self.spread and numbered[number - 1] is not None:
                rows.append((self.spread, self.spread_press, _key(number)))
        for sheet, press, key in rows:
            name = press.word("part", MAP) if sheet is self.spread else press.name(sheet)
            self.canvas.list_bookmark(key, name)
        self.canvas.links = link_targets(rows)

    def draw_half(self, page: _BookletPage | None, number: int, canvas: Canvas) -> None:
        """Draw the page with this number, or the footer of a page of the spread. Set the targets of bookmarks."""
        for at in range(len(page.begins) if page else 1):
            canvas.mark_place(_key(number, at), self.half.size())
        landscape = bool(page and page.sheet.landscape)
        if landscape:
            canvas.translate(self.half.size()[0], 0.0)
            canvas.rotate(90)
        self.furniture(page.press if page else self.spread_press, page and page.sheet, number).write(canvas)
        if page:
            left, top = self.half.corner(landscape)
            for flowable, depth in page.content:
                flowable.draw_on(canvas, left, top - depth)

    def furniture(self, press: Press, sheet: Sheet | None, number: int) -> Furniture:
        """Return the header and footer of a page. The page number is on the outer side.

        If the notices do not fit in the footer, they are in the header.
        """
        above = (
            (f"{self.kit.game[press.lang]}{JOINT}{self.kit.title[press.lang]}", press.name(sheet))
            if sheet
            else ("", "")
        )
        outer, inner = str(number + 1), self.kit.stamp
        keep = safe_edge(self.settings.printer, self.paper)
        notices = press.foot_text()

        def with_notices(header: tuple[str, str], middle: str) -> Furniture:
            below = (inner, middle, outer) if number % 2 == 0 else (outer, middle, inner)
            return furniture(self.half, bool(sheet and sheet.landscape), header, below, keep)

        try:
            return with_notices(above, notices)
        except DoesNotFitError:
            return with_notices((JOINT.join(filter(None, (above[0], notices))), above[1]), "")

    def draw_spread(self, spread: Sheet, number: int) -> None:
        """Draw the two pages in the middle, the left of which has this number."""
        press, without_header = self.spread_press, self.spread_press.has_no_header(spread)
        with naming_template(spread):
            (content,) = press.pages(spread)
        left, top = self.paper.corner(landscape=True, without_header=without_header)
        for flowable, depth in content:
            flowable.draw_on(self.canvas, left, top - depth)

    def draw_fold_marks(self) -> None:
        """Draw marks at the ends of the fold."""
        canvas, (width, height) = self.canvas, self.paper.size(landscape=True)
        canvas.stroke(QUIET, RULE)
        for end in (EDGE * MM, height - (EDGE + _FOLD_MARK) * MM):
            canvas.line(width / 2, end, width / 2, end + _FOLD_MARK * MM)


def _key(number: int, at: int = 0) -> str:
    """Return the key of the bookmark for a sheet that begins on a page."""
    return f"page{number}.{at}"


def _place(sheet: Sheet) -> int:
    """Return the place of a sheet in the booklet: the reference is first, and the records are last."""
    return {FIRST: 0, LAST: 2}.get(sheet.part, 1)


def _spread(cover: Sheet) -> Sheet:
    """Return the sheet for the two pages in the middle. It is the cover if the game has no template for them."""
    template = f"{cover.template.rpartition('/')[0]}/{_SPREAD}"
    return replace(cover, template=template) if is_file(shipped_path("templates") / template) else cover


def _notes_page() -> Sheet:
    """Return a page to write on."""
    title = Words(*(str(words("", lang)["press"]["notes"]) for lang in LANGS))
    return Sheet("notes", title, _NOTES, {"label": title})
