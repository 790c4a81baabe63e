"""Read a pasted list of players line by line, and report each line as taken or refused."""

from __future__ import annotations

from pathlib import Path

from generator.cli.event_folder import read_event
from generator.cli.studio_events import problem_text
from generator.errors import DataError, Problem
from generator.localization import localize, tr
from generator.model.words import Lang
from generator.store.write import temporary_folder
from generator.tournament import player_list
from generator.tournament.csv_files import Row, plain
from generator.tournament.event_file import EventRecord, find_near_name

_NAME = "players.txt"
MAX_LIST_CHARS = 200_000
"""The maximum length of a pasted list, which is that of 1000 long names."""
_MAX_TRIES = 6
"""The number of times that a list is read again without its faulty lines."""


def preview_list(text: str, folder: Path | None, lang: Lang) -> list[dict[str, object]]:
    """Return a row for each line with its number, and the player and team, or the reason that it is refused.

    Lines that are empty have no row. If the players join an event, a row also states whether the name is already on
    its list, or resembles another name (`near`).
    """
    if len(text) > MAX_LIST_CHARS:
        raise DataError(Problem(tr("has more than {limit} characters", limit=MAX_LIST_CHARS)))
    lines = text.splitlines()
    record = read_event(folder) if folder else None
    refused: dict[int, str] = {}
    rows: tuple[Row, ...] = ()
    away: dict[int, str] = {}
    for _ in range(_MAX_TRIES):
        kept = ["" if at in refused else line for at, line in enumerate(lines, 1)]
        if not any(line.strip() for line in kept):
            break
        try:
            with temporary_folder({_NAME: "\n".join(kept).encode("utf-8", "replace")}) as place:
                listed = player_list.read(place / _NAME, "utf-8")
        except DataError as error:
            found = {one.line: problem_text(one.but(file="", line=0), lang) for one in error.problems if one.line}
            if not found.keys() - refused.keys():
                whole = "; ".join(problem_text(one.but(file=""), lang) for one in error.problems)
                refused |= {at: whole for at, line in enumerate(kept, 1) if line.strip()}
                break
            refused |= found
            continue
        rows, away = listed.rows, {row.line: cell for row, cell in listed.away}
        break
    made: dict[int, dict[str, object]] = {}
    seen: dict[str, int] = {}
    for row in rows:
        made[row.line] = _row_values(row, away.get(row.line, ""), seen, record, lang)
    for at, why in refused.items():
        made[at] = {"line": at, "text": lines[at - 1][:120], "taken": False, "why": why}
    for at, line in enumerate(lines, 1):
        if line.strip() and at not in made:
            made[at] = {"line": at, "text": line[:120], "taken": False, "heading": True,
                        "why": localize(tr("not a player: a heading or a title"), lang)}  # fmt: skip
    return [made[at] for at in sorted(made)]


def _row_values(
    row: Row, away: str, seen: dict[str, int], record: EventRecord | None, lang: Lang
) -> dict[str, object]:
    """Return the values of a line that could be read."""
    values: dict[str, object] = {"line": row.line, "text": row["name"][:120], "taken": True, "away": away}
    name, team = row.name("name"), row.name("team")
    for fault in (name, team):
        if isinstance(fault, Problem):
            return values | {"taken": False, "why": problem_text(fault.but(file="", line=0), lang)}
    assert isinstance(name, str) and isinstance(team, str)
    if not name:
        return values | {"taken": False, "why": localize(tr("the name is missing"), lang)}
    if (before := seen.setdefault(plain(name), row.line)) != row.line:
        why = tr("{name} is already in line {line}", name=name, line=before)
        return values | {"taken": False, "why": localize(why, lang)}
    values |= {"name": name, "team": team}
    if record:
        known = record.find_player(name)
        values["known"] = known is not None
        values["left"] = bool(known and known.left)
        values["near"] = "" if known else find_near_name(record, name)
    return values
