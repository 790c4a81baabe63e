"""Writing CSV that opens in any spreadsheet, and in which none finds a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from generator.model.words import Lang
from generator.tournament.columns import columns

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A cell that begins so is a formula to some spreadsheet."""


def write(lang: Lang, keys: Sequence[str], rows: Iterable[Mapping[str, object]]) -> bytes:
    """Rows under the headings of those columns; a column that a row lacks stays empty."""
    return written([columns()[key].name[lang] for key in keys], ([row.get(key, "") for key in keys] for row in rows))


def written(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Rows under headings of one's own: UTF-8 with its mark, texts made harmless, numbers as they are."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(heads)
    writer.writerows([_harmless(cell) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def _harmless(cell: object) -> object:
    """A text that would be a formula, with an apostrophe before it."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
