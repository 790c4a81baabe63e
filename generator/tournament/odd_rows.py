"""Find rows of a table that are not players: totals, comments, titles of groups, and a second table."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from generator.errors import Problem
from generator.localization import tr
from generator.tournament.csv_files import cell_words, means, number, plain
from generator.tournament.odd_lines import (
    begins_with_note_sign,
    has_note_label,
    is_labelled_group,
    is_section_title,
    is_sentence,
    is_vacancy,
    says_gone,
)

NAMES = ("name", "first_name", "last_name")
"""The columns of names."""
_COMMENT = re.compile(r"#{1,6}\s")
_TOTAL = re.compile(
    r"(?:合計|総計|小計|総数|総額|人数|参加者数)額?$|^total\s+(?:fees?|paid|due|players|entries|participants|amount)\b"
    r"|\s(?:sub)?totals?$|^number\s+of\b",
    re.IGNORECASE,
)
"""Matches the label of a total next to a number, such as 参加費合計."""
_AROUND = " \t:：【】[]［］()（）<>＜＞"
"""Characters around a title."""


class OddRows:
    """The rows below the headings of a list of players, with the column of each cell."""

    def __init__(
        self, file: str, heads: Sequence[str], keys: Sequence[str], known: Mapping[str, str],
        rows: Sequence[tuple[int, Sequence[str]]],
    ) -> None:  # fmt: skip
        self.file, self.heads, self.keys, self.known, self.rows = file, heads, keys, known, rows
        self._named = [at for at, key in enumerate(keys) if key in NAMES]
        self._team = keys.index("team") if "team" in keys else None

    def stops(self) -> list[Problem]:
        """Return problems for rows with which a second list begins, whose players may not play."""
        return [problem for at, row in self.rows if (problem := self._stop(at, row))]

    def faults(self) -> list[Problem]:
        """Return problems for other rows that are not players."""
        found = []
        for index, (at, row) in enumerate(self.rows):
            text = self._text(row)
            if self._is_total(index, row):
                message, hint = tr("this row is a total, not a player"), tr("delete this row")
            elif any(_COMMENT.match(row[n]) for n in self._named if n < len(row)):
                message = tr("“{text}” looks like a title, not a name", text=" ".join(filter(None, row))[:60])
                hint = tr("delete this row")
            elif is_vacancy(text):
                message = tr("“{text}” is not a name", text=text[:60])
                hint = tr("delete this line, or write the player's name")
            elif self._is_note(row, text):
                message = tr("“{text}” looks like a note, not a name", text=text[:60])
                hint = tr("delete this row; if it is a player, write only their name in the row")
            elif self._is_group(index, row):
                message = tr("“{text}” looks like the title of a group, not a player", text="".join(row)[:60])
                hint = tr("delete this row; if it is a player, fill in another cell of the row")
                if self._team is not None:
                    hint = tr("delete this row; if it is a player, fill in their team")
            else:
                continue
            found.append(Problem(message, self.file, at, hint))
        return found

    def _stop(self, at: int, row: Sequence[str]) -> Problem | None:
        filled = [cell for cell in row if cell]
        keys = [self.known.get(plain(cell.strip(_AROUND)), "") for cell in filled]
        same = [plain(cell) == plain(head) for cell, head in zip(row, self.heads, strict=False) if cell]
        if (len(keys) > 1 and all(keys) and {*keys} & {*NAMES}) or (
            filled and len(same) == len(filled) and all(same)
        ):
            message = tr("“{text}” looks like the headings of a second table", text=", ".join(filled)[:60])
            return Problem(message, self.file, at, tr("keep only one table in the file"))
        title = filled[0].strip(_AROUND) if filled and all(map(_is_count, filled[1:])) else ""
        comment = title.lstrip("# ") if _COMMENT.match(title) else ""
        if is_section_title(title) or (comment and says_gone(comment)):
            message = tr("“{text}” looks like a title, not a name", text=filled[0][:60])
            return Problem(message, self.file, at, tr("delete this row, and the names below it that do not play"))
        return None

    def _text(self, row: Sequence[str]) -> str:
        """Return the text of the name in a row."""
        return " ".join(row[n] for n in self._named if n < len(row) and row[n])

    def _is_note(self, row: Sequence[str], text: str) -> bool:
        """Return whether a row without other cells is a note below the table, such as `※ …` or a sentence.

        A sign before every name is a bullet. A row with the label of a note may have other cells.
        """
        if has_note_label(text):
            return True
        others = [cell for n, cell in enumerate(row) if cell and n not in self._named]
        if not text or not all(map(_is_count, others)):
            return False
        bullets = all(begins_with_note_sign(self._text(other)) for _, other in self.rows if self._text(other))
        return (begins_with_note_sign(text) and not bullets) or is_sentence(text)

    def _is_total(self, index: int, row: Sequence[str]) -> bool:
        """Return whether a row counts or adds up the rows above.

        A name such as “Total” is accepted above the last row if the row has no number.
        """
        names = [row[n] for n in self._named if n < len(row) and row[n]]
        others = [cell for n, cell in enumerate(row) if cell and n not in self._named]
        if any(map(_means_total, names)):
            return index == len(self.rows) - 1 or any(number(cell) is not None for cell in others)
        counts = others and all(number(cell) is not None for cell in others)
        if counts and any(_TOTAL.search(unicodedata.normalize("NFKC", name)) for name in names):
            return True
        return any(map(_means_total, others)) and all(number(name) is not None for name in names)

    def _is_group(self, index: int, row: Sequence[str]) -> bool:
        """Return whether a row contains only the title of a group, or the name of the team of the player below."""
        filled = [n for n, cell in enumerate(row) if cell]
        if len(filled) != 1 or filled[0] not in self._named or index + 1 == len(self.rows):
            return False
        below = self.rows[index + 1][1]
        if is_labelled_group(row[filled[0]].strip(_AROUND)) and sum(map(bool, below)) > 1:
            return True
        team = below[self._team] if self._team is not None and self._team < len(below) else ""
        words = plain(row[filled[0]].strip(_AROUND))
        for word in map(plain, cell_words().groups):
            words = words.removeprefix(word).removesuffix(word)
        return bool(team) and plain(team) in (words, plain(row[filled[0]].strip(_AROUND)))


def _is_count(cell: str) -> bool:
    """Return whether a cell next to a title contains only the number of players."""
    return bool(re.fullmatch(r"[0-9０-９]{1,3}\s*(?:名|人|件)?", cell))


def _means_total(cell: str) -> bool:
    return means(cell.strip(_AROUND), cell_words().totals)
