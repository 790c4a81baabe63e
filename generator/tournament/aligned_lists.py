"""Split lists whose columns are aligned with spaces into cells."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

import msgspec

from generator.errors import DataError, Problem
from generator.localization import tr
from generator.tournament.csv_files import MAX_TITLE_LINES, cell_words, columns, headings, means, plain

_GAP = re.compile(r"\s{2,}")
_WIDE_GAP = re.compile(r"\s{2,}|\u3000")
"""Matches a gap between cells, which may be a single full-width space."""
_SPACE = re.compile(r"\s+")
_SIGN = re.compile(r"\s*[/／|｜・:：+＋&＆–—→]\s*|\s+-\s+|\s+")
"""Matches a sign between two headings, as in `Name / Club`."""
_MAX_UNCLEAN = 0.2
"""The maximum share of rows that are not below the headings in a list that is split at the headings' positions."""


class AlignedList(msgspec.Struct, frozen=True):
    """The lines of a list with their cells, and the problems of rows that cannot be split."""

    rows: Sequence[tuple[int, list[str]]]
    problems: Sequence[Problem] = ()


def split_aligned(lines: Sequence[str], file: str, is_name: Callable[[str], bool]) -> AlignedList | None:
    """Return the cells of a list below headings that are separated by spaces, or None if there are no such headings.

    The cells begin below their headings, or have the same gaps between them as the headings. `is_name` returns
    whether a heading is one for names.

    Raises:
        DataError: If there are headings, but the cells below them are not separated.
    """
    filled = [(at, line.rstrip()) for at, line in enumerate(lines, 1) if line.strip("-:=+_─━ \t\r\n\u3000")]
    for index, (at, line) in enumerate(filled[:MAX_TITLE_LINES]):
        body = filled[index + 1 :]
        # Single spaces separate headings only in the first line, because a title may contain them.
        for gap in (_GAP, _WIDE_GAP, *([] if index else [_SPACE])):
            heads = gap.split(line.strip())
            if len(heads) > 1 and any(map(is_name, heads)) and _are_headings(heads, gap, body, is_name):
                rows, problems = _split_body(body, line, heads, gap, file)
                if body and not rows:
                    raise DataError(_not_separated(line, file, at))
                above = [(n, [text.strip()]) for n, text in filled[:index]]
                return AlignedList([*above, (at, heads), *rows], problems)
    return None


def joined_headings(text: str, is_name: Callable[[str], bool]) -> bool:
    """Return whether a line has headings with signs or spaces between them, as in `Name / Club` or `氏名・所属`."""
    heads = [head for head in _SIGN.split(text.strip()) if head]
    return len(heads) > 1 and any(map(is_name, heads)) and all(is_name(head) or is_heading(head) for head in heads)


def is_heading(text: str) -> bool:
    """Return whether a text is the heading of a column that is often in a list of players."""
    text = text.strip(" *#\"':：?？")
    return not text or plain(text) in headings(columns()) or means(text, cell_words().other_headings)


def _are_headings(
    heads: Sequence[str], gap: re.Pattern[str], body: Sequence[tuple[int, str]], is_name: Callable[[str], bool]
) -> bool:
    """Return whether the parts of a line are headings.

    An unknown heading is accepted only if it is separated by a wide gap and most rows below also have several cells.
    """
    if all(is_name(head) or is_heading(head) for head in heads):
        return gap is not _SPACE or not any(head.endswith((":", "：")) for head in heads)
    several = sum(len(_WIDE_GAP.split(line.strip())) > 1 for _, line in body)
    return gap is _GAP and several > 1 and 2 * several > len(body)


def _split_body(
    body: Sequence[tuple[int, str]], line: str, heads: Sequence[str], gap: re.Pattern[str], file: str
) -> tuple[list[tuple[int, list[str]]], list[Problem]]:
    """Return the rows below the headings in `line`, and the problems of rows that cannot be split."""
    starts = _starts(line, heads)
    cut = [_cut(text, starts) for _, text in body]
    unclean = sum(cells is None for cells in cut)
    by_position = (
        bool(_GAP.search(line.strip()))  # Otherwise, the positions do not distinguish a gap from a space in a name.
        and unclean <= _MAX_UNCLEAN * len(body)
        and any(cells and any(cells[1:]) for cells in cut)
        and not any("\t" in text for _, text in [(0, line), *body])
    )
    if gap is _GAP and not any(_GAP.search(text.strip()) for _, text in body):
        gap = _WIDE_GAP
    if gap is _SPACE:
        same = (one for one in (_GAP, _WIDE_GAP, _SPACE) if _fits(body, one, len(heads)))
        gap = next(same, _GAP)
    rows, problems = [], []
    for (at, text), below in zip(body, cut, strict=True):
        cells = below if by_position else None
        if cells is None and len(parts := gap.split(text.strip())) == len(heads):
            cells = parts
        if cells is None and not by_position and _is_short(text, starts[1]):
            cells = [text.strip()]
        if cells is None:
            message = tr("the cells of this row are not below the headings")
            problems.append(Problem(message, file, at, tr("separate the columns with commas or tabs")))
        else:
            rows.append((at, cells))
    if not any(len(row) > 1 for _, row in rows):
        return [], []
    return rows, problems


def _fits(body: Sequence[tuple[int, str]], gap: re.Pattern[str], count: int) -> bool:
    return all(len(gap.split(text.strip())) == count for _, text in body)


def _is_short(text: str, end: int) -> bool:
    """Return whether a line is a single cell that ends before the second heading."""
    return not _WIDE_GAP.search(text.strip()) and _width(text.rstrip()) < end


def _starts(line: str, heads: Sequence[str]) -> list[int]:
    """Return the position at which each heading starts, in half-width letters. The first is always 0."""
    starts, at = [], 0
    for head in heads:
        at = line.index(head, at)
        starts.append(_width(line[:at]))
        at += len(head)
    return [0, *starts[1:]]


def _cut(text: str, starts: Sequence[int]) -> list[str] | None:
    """Return the cells of a line that start at these positions, or None if other cells are in the line."""
    ends: list[int] = []
    position = index = 0
    for start in starts[1:]:
        while index < len(text) and position < start:
            position += _width(text[index])
            index += 1
        if index < len(text) and (position != start or not text[index - 1].isspace()):
            return None
        ends.append(index)
    cells = [text[a:b].strip() for a, b in zip([0, *ends], [*ends, len(text)], strict=True)]
    return None if any(map(_GAP.search, cells)) else cells


def _width(text: str) -> int:
    """Return the width of a text in half-width letters."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _not_separated(line: str, file: str, at: int) -> Problem:
    return Problem(headings_message(line), file, at, tr("separate the columns with commas or tabs"))


def headings_message(text: str) -> str:
    """Return a message about a line of headings that do not separate columns."""
    return tr("“{text}” looks like column headings, but the columns are not separated", text=text.strip()[:60])
