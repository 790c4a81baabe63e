"""Fill the free space of pages: with a short sheet that follows, or with lines to write on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, cast

from msgspec.structs import replace

from generator.model.views import Sheet
from generator.model.words import LANGS, Words
from generator.press.layout import marks
from generator.press.layout.flowables import Fillable, Flowable, Hairline, stack
from generator.press.layout.lines import OneLine
from generator.press.layout.pages import Page, first_text, page_depth
from generator.press.layout.styles import style
from generator.press.pdf.canvas import JOINT
from generator.press.pdf.fields import FieldInfo
from generator.press.pdf.units import MM
from generator.press.sheets import COVER, AnySheet, PagePrint, Press

_GAP = 8.0
"""Minimum space between the sheets on a page, in points."""
MAX_BLANK = 0.3
"""Maximum fraction of a page that stays blank at the bottom."""
MAX_BLANK_BETWEEN = 0.37
"""Maximum fraction of a page that stays blank if its sheet continues on the next page. The space below the last line
of a table is not printed, so that up to 40 % looks blank."""
_LINE = 8.0
"""Distance between the lines to write on, in mm."""


def may_share_page(sheet: AnySheet, following: AnySheet) -> bool:
    """Return whether two sheets may be on the same page: both are portrait, for the same side, and not covers."""
    return (
        isinstance(sheet, Sheet)
        and isinstance(following, Sheet)
        and not (sheet.landscape or following.landscape)
        and COVER not in (sheet.part, following.part)
        and sheet.side == following.side
    )


def join_pages(press: Press, sheet: Sheet, page: Page, following: Sheet, next_page: Page) -> Page | None:
    """Return a page with the content of two pages below each other, or None if it does not fit.

    The content of the second sheet begins with a line and the name of the sheet. Sheets with the same name are for
    different people, so there is a line to cut along between them.
    """
    width, height = press.settings.sheet.column(without_header=False)
    name, same_name = press.name(following), has_name_of(sheet, following)
    heading: list[Flowable] = [Hairline(heavy=not same_name, dashed=same_name)]
    if not same_name and first_text(flowable for flowable, _ in next_page) != name:
        title = OneLine(name, style("h2", press.lang))
        title.role = "H2"
        heading.append(title)
    placed, heading_height = stack(heading, width, height)
    top = page_depth(page) + _GAP
    below = top + heading_height + heading[-1].after
    if below + page_depth(next_page) > height:
        return None
    return [
        *page,
        *((flowable, top + depth) for flowable, depth in placed),
        *((flowable, below + depth) for flowable, depth in next_page),
    ]


def has_name_of(sheet: Sheet, following: Sheet) -> bool:
    """Return whether the last sheet on a page has the same title as the sheet below it."""
    return all(sheet.title[lang].split(JOINT)[-1] == following.title[lang] for lang in LANGS)


def with_joint_name(sheet: Sheet, following: Sheet) -> Sheet:
    """Return a sheet whose title also contains the title of the sheet below it, unless it is the same."""
    if has_name_of(sheet, following):
        return sheet
    return replace(
        sheet,
        title=Words(*(JOINT.join((sheet.title[lang], following.title[lang])) for lang in LANGS)),
    )


def fill_last_page(press: Press, sheet: Sheet, pages: list[Page], max_blank: float = MAX_BLANK) -> list[Page]:
    """Return the pages of a sheet, with lines to write on if more than `max_blank` of the last page is blank."""
    if not sheet.filled or sheet.part == COVER:
        return pages
    *before, last = pages
    width, height = press.settings.sheet.column(sheet.landscape)
    top = page_depth(last) + _GAP
    if not last or height - top < max_blank * height:
        return pages
    label = press.word("press", "notes")
    heading = OneLine(label, style("h3", press.lang))
    heading.role = "H2"
    high = heading.wrap(width, height)[1]
    count = int((height - top - high) / (_LINE * MM))

    def lines(room: float) -> marks.Mark:
        return marks.draw_lines("", count, _LINE, heading.style.size, room)

    field = Fillable(lines, "left", FieldInfo(press.form, None, label))
    below = top + high + field.wrap(width, height)[1]
    return [*before, [*last, (heading, top + high), (field, below)]]


Row = tuple[AnySheet, Press, Callable[[], list[PagePrint]]]
"""A sheet, the press that sets its bookmark, and the function that lays out its pages."""


class LaidOutRow(NamedTuple):
    """A sheet with its pages, and the indices of its row and of the rows of short sheets on its last page.

    The title of the sheet contains the titles of these short sheets.
    """

    indices: tuple[int, ...]
    sheet: AnySheet
    press: Press
    pages: list[PagePrint]


def lay_out_rows(rows: Sequence[Row]) -> Iterator[LaidOutRow]:
    """Lay out the sheets of a kit, and fill the free space at the end of each.

    At most one sheet is laid out before the previous one has been printed.
    """
    parts = Counter(sheet.part for sheet, _, _ in rows)
    at, laid_out = 0, None
    while at < len(rows):
        sheet, press, lay_out = rows[at]
        pages, laid_out = laid_out or lay_out(), None
        end = at + 1
        while end < len(rows):
            following, following_press, lay_out_following = rows[end]
            whole_part = parts[following.part] == 1 or following.part == sheet.part
            if following_press is not press or not whole_part or not may_share_page(sheet, following):
                break
            laid_out = lay_out_following()
            joint = None
            if len(laid_out) == 1:
                joint = join_pages(
                    press,
                    cast(Sheet, sheet),
                    cast(Page, pages[-1][1]),
                    cast(Sheet, following),
                    cast(Page, laid_out[0][1]),
                )
            if not joint:
                break
            pages[-1], laid_out = (press, joint), None
            sheet = with_joint_name(cast(Sheet, sheet), cast(Sheet, following))
            end += 1
        if isinstance(sheet, Sheet):
            content = fill_last_page(press, sheet, [cast(Page, page) for _, page in pages])
            pages = [(press, page) for page in content]
        yield LaidOutRow(tuple(range(at, end)), sheet, press, pages)
        at = end
