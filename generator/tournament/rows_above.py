"""Recognise players above the headings of a list, which are not titles and would be lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from generator.tournament.csv_files import cell_words, plain
from generator.tournament.odd_lines import is_section_title
from generator.tournament.odd_rows import NAMES

TITLE = re.compile(r"^\s*(?:#{1,6}\s|={2,}|-{3,})|[:：]\s*$|[0-9]{1,2}[./][0-9]{1,2}[./]|[0-9]月[0-9]")
"""Matches titles: Markdown headings, lines with a colon at the end, and dates."""
YEAR = re.compile(r"\b(?:19|20)[0-9]{2}\b")
_MIN_SORTED_ROWS = 4
"""The number of rows, including the headings, that are hardly in alphabetical order by chance."""
_Line = tuple[int, list[str]]


def rows_above(
    above: Sequence[_Line], table: Sequence[_Line], keys: Sequence[str], key_of: Callable[[str], str]
) -> list[_Line]:
    """Return the lines above the headings that are rows of a list of players.

    `table` begins with the line of headings, whose columns are `keys`. `key_of` returns the column of a heading. A
    line is a row if it has a name and another cell. If only the name is filled in, the line is a row if the whole
    list is in alphabetical order, because the headings were then sorted with the rows.
    """
    at = next(n for n, key in enumerate(keys) if key in NAMES)
    found = [
        (line, cells)
        for line, cells in above
        if cells[at : at + 1] not in ([], [""])
        and not any(map(key_of, cells))
        and not any(map(_is_title, filter(None, cells)))
    ]
    sorted_names = [plain(cells[at]) for _, cells in (*found, *table) if at < len(cells)]
    is_sorted = len(sorted_names) >= _MIN_SORTED_ROWS and sorted_names in (
        sorted(sorted_names),
        sorted(sorted_names, reverse=True),
    )
    return [(line, cells) for line, cells in found if is_sorted or sum(map(bool, cells)) > 1]


def has_title_word(text: str) -> bool:
    """Return whether a text contains a word of titles, such as “cup” or 大会."""
    words = " ".join(text.casefold().split())
    return any(
        re.search(rf"(?:^|\W){re.escape(word)}(?:\W|$)" if word.isascii() else re.escape(word), words)
        for word in cell_words().titles
    )


def _is_title(text: str) -> bool:
    """Return whether the text of a cell occurs in a title, but not in a row of players."""
    return bool(TITLE.search(text) or YEAR.search(text)) or has_title_word(text) or is_section_title(text)
