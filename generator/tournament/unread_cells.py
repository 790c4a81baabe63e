"""Find changed cells of results.csv that are not part of a result."""

from __future__ import annotations

from collections.abc import Iterator

from generator.errors import Problem
from generator.localization import tr
from generator.model.words import LANGS, Words
from generator.tournament.csv_files import Row, cell_words, column_name, means, plain
from generator.tournament.event_file import Meeting

Sides = tuple[Words, Words]
"""The sides of a table's first and second player in the first game."""
_OF_GAMES = ("table", "game", "side_a", "side_b", "kit")
"""The columns that are empty in the row of a bye."""


def unread_cells(row: Row, meeting: Meeting, game: int, sides: Sides | None) -> Iterator[Problem]:
    """Yield a problem for each changed cell of a row. `sides` is None if they are unknown.

    Empty cells are ignored.
    """
    if not meeting.b:
        for column in _OF_GAMES:
            if row[column] and not means(row[column], cell_words().bye):
                yield _unread(row, column, "")
    elif sides:
        turned = plain(row["player_a"]) != plain(meeting.a)
        first = sides if (game == 1) != turned else sides[::-1]
        for column, side in zip(("side_a", "side_b"), first, strict=True):
            if row[column] and plain(row[column]) not in {plain(side[lang]) for lang in LANGS}:
                yield _unread(row, column, side)
    if row["team"] and plain(row["team"]) != plain(meeting.team):
        yield _unread(row, "team", meeting.team)


def _unread(row: Row, column: str, printed: str | Words) -> Problem:
    message = tr("changes to the column {column} are not read: Muster wrote {printed!r}, but the cell now "
"contains {value!r}", column=column_name(column),
               value=row[column][:40], printed=printed)  # fmt: skip
    hint = tr(
        "restore the original value; the pairings determine the sides and teams, and a result "
        "counts for the two players of the row"
    )
    return row.problem(message, hint).but(remark=True)
