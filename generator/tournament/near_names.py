"""Find names in tables of results that may be typos of other names. Without an event, there is no list of players."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from generator.errors import Problem, nearest
from generator.localization import tr
from generator.tournament.csv_files import Row, Table, number, plain
from generator.tournament.event_file import is_near
from generator.tournament.opponents import opponent

_MIN_SIMILARITY = 0.75
"""The minimum ratio of `difflib`. Lower values report different players: Anna Berg and Anne Burger have 0.7."""


def near_name_remarks(tables: Sequence[Table]) -> Iterator[Problem]:
    """Yield a remark for each name that resembles a name in an earlier row, unless the two players meet.

    A name resembles another one if they differ by one letter, or if it is similar and new in a round in which the
    other player is missing.
    """
    rows = sorted((row for table in tables for row in table.rows), key=lambda row: number(row["round"]) or 0)
    in_round: defaultdict[int, set[str]] = defaultdict(set)
    opponents: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        names = [plain(name) for name in _names(row)]
        in_round[number(row["round"]) or 0].update(names)
        for name in names:
            opponents[name].update(names)
    seen: dict[str, str] = {}
    for row in rows:
        here = in_round[number(row["round"]) or 0]
        for name in _names(row):
            key = plain(name)
            if key in seen:
                continue
            others = {key_: other for key_, other in seen.items() if key_ not in opponents[key]}
            near = next((other for key_, other in others.items() if is_near(key, key_)), "")
            absent = [other for key_, other in others.items() if key_ not in here and _letters(key) != _letters(key_)]
            near = near or nearest(name, absent, _MIN_SIMILARITY)
            if near:
                message = tr("{name} and {other} count as two players", name=name, other=near)
                yield row.problem(message, tr("if one of the names is a typo, correct it")).but(remark=True)
            seen[key] = name


def _letters(name: str) -> str:
    """Return a name without digits. Names such as `Guest 1` and `Guest 2` belong to different players."""
    return re.sub(r"\d", "", name)


def _names(row: Row) -> list[str]:
    """Return the names of the players in a row."""
    return [row[seat] for seat in ("player_a", "player_b") if opponent(row[seat], ()) == "player"]
