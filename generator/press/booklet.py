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
NOTES = "notes"
"""The part of the pages to write on. Their title is a common word, which is not a link."""
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

    With a second language, a booklet in this language follows, on sheets of its own.

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
    canvas = Canvas(settings.sheet.size(landscape=True), settings.lang, tagged=True)
    canvas.describe(f"{kit.game[settings.lang]}{JOINT}{kit.title[settings.lang]}", kit.stamp)
    canvas.print_on_both_sides("short")
    canvas.show_outline()
    for lang in settings.langs:
        title = kit.title[lang] if settings.second_lang else ""
        booklet = _Booklet(canvas, kit, replace(settings, lang=lang, second_lang=None), progress, title)
        booklet.print(booklet.pages(fillers))
    progress(kit.title[settings.lang], 1.0)
    return canvas.finish()


class _BookletPage(NamedTuple):
    """A page of the booklet. `sheet` determines the header, and `begins` are the sheets that begin on the page."""

    sheet: Sheet
    begins: tuple[Sheet, ...]
    content: Page


class _Section(NamedTuple):
    """Pages with consecutive numbers, from `first`, and the sheets on them. The two pages of the spread are None.

    `sheet` is the sheet that names the section.
    """

    sheet: Sheet
    sheets: tuple[Sheet, ...]
    first: int
    pages: list[_BookletPage | None]


class _Booklet:
    """A booklet in one language, which is printed on a canvas after other booklets.

    Its pages are drawn in reading order, which the structure tree follows, on sides that are not in this order.
    """

    def __init__(
        self, canvas: Canvas, kit: Kit, settings: PrintSettings, progress: Progress, title: str = ""
    ) -> None:
        self.canvas, self.kit, self.settings, self.progress = canvas, kit, settings, progress
        self.title = title
        """Title of the bookmark above those of this booklet, or empty if there is only one booklet."""
        self.paper, self.half = settings.sheet, find_paper(settings.sheet.half)
        halved = replace(settings, paper=settings.sheet.half)
        self.press = Press(canvas, kit, halved, settings.lang)
        covers = [sheet for sheet in kit.sheets if isinstance(sheet, Sheet) and sheet.part == COVER]
        self.spread = _spread(covers[0]) if covers else None
        self.laid_out: dict[tuple[int, float], tuple[Sheet, list[Page]]] = {}
        """Sheets in the format of their pages, with these pages, by sheet identity and minimum scale."""
        self.sides_before = canvas.page_number - 1
        """The number of sides of earlier booklets."""
        self.key = f"side{self.sides_before}"
        """Key of the bookmark for this booklet."""
        self.sides: list[SheetSide] = []
        """The sides of this booklet in printing order."""

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
        """Return the pages of sheets. Short sheets are below each other on one page."""
        found: list[_BookletPage] = []
        for at, given in enumerate(sheets):
            sheet, (first, *rest) = self.lay_out(given, min_scale)
            joint = None
            if at and not rest and may_share_page(found[-1].sheet, sheet):
                joint = join_pages(self.press, found[-1].sheet, found[-1].content, sheet, first)
            if joint:
                last = found.pop()
                names = with_joint_name(last.sheet, sheet)
                found.append(_BookletPage(names, (*last.begins, sheet), joint))
            else:
                found.append(_BookletPage(sheet, (sheet,), first))
                found += [_BookletPage(sheet, (), page) for page in rest]
        return self.with_notes(found)

    def with_notes(self, pages: Sequence[_BookletPage]) -> list[_BookletPage]:
        """Return the pages, with lines to write on where a sheet would leave most of its last page blank."""
        found: list[_BookletPage] = []
        for page, following in pairwise([*pages, None]):
            assert page
            max_blank = MAX_BLANK if following is None or following.begins else MAX_BLANK_BETWEEN
            (content,) = fill_last_page(self.press, page.sheet, [page.content], max_blank)
            found.append(page._replace(content=content))
        return found

    def lay_out(self, sheet: Sheet, min_scale: float) -> tuple[Sheet, list[Page]]:
        """Return as few pages as possible for a sheet, in type that is as large as possible on these pages.

        The sheet that is returned is landscape if its pages must be turned.
        """
        key = id(sheet), min_scale
        if key not in self.laid_out:
            self.progress(self.press.name(sheet), 0.0)
            if sheet.landscape and self.half.unit == 1:
                self.laid_out[key] = sheet, self.press.pages(sheet)
            else:
                self.laid_out[key] = self.lay_out_upright(sheet, min_scale)
        return self.laid_out[key]

    def lay_out_upright(self, sheet: Sheet, min_scale: float) -> tuple[Sheet, list[Page]]:
        """Return the pages of a sheet in portrait format, or in landscape format if the template needs it."""
        upright = replace(sheet, landscape=False)
        press = self.press
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
        half = len(pages) // 2
        numbered: list[_BookletPage | None] = [*pages[:half], *[None] * self.middle, *pages[half:]]
        self.sides = sheet_sides(len(numbered))
        for index in range(len(self.sides)):
            flip: Flip | None = "short" if index % 2 else None
            self.canvas.turn_to(self.sides_before + index)
            begin_page(self.canvas, self.paper.sides(landscape=True), self.settings.printer, flip, paired=True)
        sections = self.sections(numbered)
        links = self.list_bookmarks(sections)
        for section in sections:
            self.canvas.links = {text: key for text, key in links.items() if key not in self.keys(section)}
            with self.canvas.tags.element("Sect", self.name(section.sheet), self.settings.lang):
                for number, page in enumerate(section.pages, section.first):
                    self.print_page(page, number)
        self.finish_sides(sections)

    def sections(self, numbered: Sequence[_BookletPage | None]) -> list[_Section]:
        """Return the pages by the sheets that are on them."""
        found: list[_Section] = []
        for number, page in enumerate(numbered):
            if page and page.begins:
                found.append(_Section(page.sheet, page.begins, number, []))
            elif self.spread and not page and numbered[number - 1]:
                found.append(_Section(self.spread, (self.spread,), number, []))
            found[-1].pages.append(page)
        return found

    def name(self, sheet: Sheet) -> str:
        """Return the name of a sheet. The cover is the map in the middle."""
        return self.press.word("part", MAP) if sheet is self.spread else self.press.name(sheet)

    def keys(self, section: _Section) -> list[str]:
        """Return the keys of the bookmarks of a section, one for each sheet."""
        return [f"{self.key}page{section.first}.{at}" for at in range(len(section.sheets))]

    def list_bookmarks(self, sections: Sequence[_Section]) -> dict[str, str]:
        """List the bookmarks in reading order, and return the texts that are links, with their bookmarks."""
        if self.title:
            self.canvas.list_bookmark(self.key, self.title, 0)
        rows = [row for section in sections for row in zip(section.sheets, self.keys(section), strict=True)]
        targets = [(sheet, self.press, key) for sheet, key in rows if sheet.part != NOTES]
        for sheet, key in rows:
            self.canvas.list_bookmark(key, self.name(sheet), int(bool(self.title)))
        self.canvas.link_words = {key: self.name(sheet) for sheet, key in rows}
        return link_targets(targets)

    def print_page(self, page: _BookletPage | None, number: int) -> None:
        """Print the page with this number, or one of the two pages of the spread."""
        canvas, on_left = self.canvas, number in {side.left for side in self.sides}
        canvas.turn_to(self.side_of(number))
        if self.spread and not page and on_left:
            self.draw_spread(self.spread)
        canvas.draw_at(self.left_of(number), 0.0, partial(self.draw_half, page, number))

    def side_of(self, number: int) -> int:
        """Return the index of the side on which a page is, among the sides of all booklets."""
        return self.sides_before + next(index for index, side in enumerate(self.sides) if number in side)

    def left_of(self, number: int) -> float:
        """Return the position of a page on its side, in points from the left."""
        return 0.0 if any(number == side.left for side in self.sides) else self.paper.size(landscape=True)[0] / 2

    def draw_half(self, page: _BookletPage | None, number: int, canvas: Canvas) -> None:
        """Draw a page from its header to its footer, or only the footer on a page of the spread.

        The notices in the footer are read aloud on the first page.
        """
        tags, landscape = canvas.tags, bool(page and page.sheet.landscape)
        if landscape:
            canvas.translate(self.half.size()[0], 0.0)
            canvas.rotate(90)
        around = self.furniture(page and page.sheet, number)
        around.write_header(canvas, tags.reserve("H1") if page and page.begins else "")
        if page:
            left, top = self.half.corner(landscape)
            for flowable, depth in page.content:
                flowable.draw_on(canvas, left, top - depth)
        around.write_footer(canvas, tags.reserve("P") if around.has_notices and number == 0 else "")

    def furniture(self, sheet: Sheet | None, number: int) -> Furniture:
        """Return the header and footer of a page. The page number is on the outer side.

        If the notices do not fit in the footer, they are in the header.
        """
        press = self.press
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

    def draw_spread(self, spread: Sheet) -> None:
        """Draw the content of the two pages in the middle."""
        press = Press(self.canvas, self.kit, self.settings, self.settings.lang)
        with naming_template(spread):
            (content,) = press.pages(spread)
        left, top = self.paper.corner(landscape=True, without_header=press.has_no_header(spread))
        for flowable, depth in content:
            flowable.draw_on(self.canvas, left, top - depth)

    def finish_sides(self, sections: Sequence[_Section]) -> None:
        """End the sides in the order of the file, with fold marks, page labels and the places of the bookmarks."""
        canvas = self.canvas
        places = [(key, section.first) for section in sections for key in self.keys(section)]
        places += [(self.key, 0)] if self.title else []
        for index, side in enumerate(self.sides, self.sides_before):
            canvas.turn_to(index)
            for key, number in places:
                if number in side:
                    canvas.mark_place(key, (self.left_of(number), 0.0), self.half.size())
            self.draw_fold_marks()
            canvas.label_pages(index, f"{side.left + 1}, {side.right + 1}")
            canvas.show_page()
            canvas.file.write_page()

    def draw_fold_marks(self) -> None:
        """Draw marks at the ends of the fold."""
        canvas, (width, height) = self.canvas, self.paper.size(landscape=True)
        with canvas.artifact():
            canvas.stroke(QUIET, RULE)
            for end in (EDGE * MM, height - (EDGE + _FOLD_MARK) * MM):
                canvas.line(width / 2, end, width / 2, end + _FOLD_MARK * MM)


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
    return Sheet(NOTES, title, _NOTES, {"label": title})
