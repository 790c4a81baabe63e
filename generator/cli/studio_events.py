"""Find the events that the studio can open, and describe an event for its pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from generator import games
from generator.cli.contradictions import find_contradictions
from generator.cli.event_folder import is_edited, open_event, result_limits, round_folder
from generator.cli.event_version import event_version
from generator.cli.other_results import other_results
from generator.cli.page_words import in_page_words
from generator.cli.round_results import record_results, results_path, round_state
from generator.cli.studio_phones import of_game, read_phones
from generator.cli.tournament_cli import disputed_lines, next_step
from generator.errors import MusterError, Problem
from generator.localization import localize
from generator.model.words import Lang
from generator.notation.text import marked_commands
from generator.store.folders import is_file
from generator.store.write import is_plain_name
from generator.tournament import ranking
from generator.tournament.event_file import NAME, EventRecord, Game, Played
from generator.tournament.pairings import words
from generator.tournament.record import Limits
from generator.tournament.scores import ranking_columns, standings_note, standings_rows, standings_title

OUTPUT = "output"
"""The folder in which commands without `-o` write."""
MAX_EVENTS = 200
"""The number of events that the studio lists at most."""


def event_folders(root: Path) -> dict[str, Path]:
    """Return the events below a folder, keyed by the name that the pages use: those in it and in its `output`.

    A page names an event by a key of this table, and never by a path.
    """
    found: dict[str, Path] = {}
    for prefix, place in (("", root), (f"{OUTPUT}/", root / OUTPUT)):
        if not place.is_dir():
            continue
        for folder in sorted(place.iterdir()):
            if len(found) < MAX_EVENTS and not folder.name.startswith(".") and is_file(folder / NAME):
                found[f"{prefix}{folder.name}"] = folder
    return found


def latest_event(folders: Mapping[str, Path]) -> Path | None:
    """Return the event that was changed last, or None if there is no event."""
    return max(folders.values(), key=lambda folder: (folder / NAME).stat().st_mtime, default=None)


def folder_name(event: str, taken: Sequence[str]) -> str:
    """Return the name of an unused folder for a new event: the letters and digits of its name, joined by hyphens."""
    parts = "".join(sign if sign.isalnum() else " " for sign in event).split()
    name = "-".join(parts)[:60] or "event"
    assert is_plain_name(name)
    used = {one.casefold() for one in taken}
    every = (name if number == 1 else f"{name}-{number}" for number in range(1, len(used) + 2))
    return next(one for one in every if one.casefold() not in used)


def event_rows(root: Path) -> Iterator[dict[str, object]]:
    """Yield the events of the list, each with its name, game and progress. A damaged event has no game."""
    for key, folder in event_folders(root).items():
        try:
            record = open_event(folder)
        except MusterError:
            yield {"id": key, "name": key, "game": "", "players": 0, "round": 0, "rounds": 0}
            continue
        title = games.load(record.game).title
        yield {
            "id": key,
            "name": record.name,
            "game": {"en": title.en, "ja": title.ja},
            "players": len(record.players),
            "round": record.next_number - 1,
            "rounds": record.rounds,
        }


def event_state(key: str, folder: Path, lang: Lang) -> dict[str, object]:
    """Return an event as the page of the desk shows it.

    Raises:
        MusterError: If the event cannot be read.
    """
    with marked_commands():
        version = event_version(folder)
        record = open_event(folder)
        found = find_contradictions(folder)
        step, _ = next_step(folder, record)
        remarks = [problem_text(one, lang, folder) for one in (*found.faults, *found.remarks)]
        remarks += [in_page_words(line, lang, str(folder)) for line in disputed_lines(record, lang)]
        game = games.load(record.game)
        score = game.score
        return {
            "id": key,
            "version": version,
            "name": record.name,
            "game": game.name,
            "title": game.title[lang],
            "system": record.system,
            "rounds": record.rounds,
            "games": record.games,
            "cut": record.cut,
            "bid": record.bid,
            "sealed": record.sealed,
            "clock": list(record.clock),
            "notices": list(record.notices),
            "apart": [list(pair) for pair in record.apart],
            "counted": score.counted[lang] if score else "",
            "lost": score.lost[lang] if score else "",
            "players": [_player(record, player) for player in record.players],
            "round": _rounds(folder, record, lang),
            "undone": [past.round.number for past in record.undone],
            "next": record.next_number,
            "step": step.removeprefix("next_"),
            "remarks": remarks,
            "unrecorded": _unrecorded(folder, record),
            "standings": standings_values(record, lang),
        }


def wall_state(folder: Path, lang: Lang) -> dict[str, object]:
    """Return what the second screen shows of an event: pairings, results, byes and standings, and no more.

    Raises:
        MusterError: If the event cannot be read.
    """
    version = event_version(folder)
    record = open_event(folder)
    last = record.round[-1] if record.round else None
    rows: list[dict[str, object]] = []
    for one in last.meetings if last else ():
        scores = [list(game.score) for game in last.results if one.b and game.table == one.table] if last else []
        done = len(scores) >= record.games
        rows.append({"table": one.table, "a": one.a, "b": one.b, "half": one.half, "scores": scores, "done": done})
    number = last.number if last else 0
    clock = record.clock[number - 1] if 0 < number <= len(record.clock) else ""
    return {
        "version": version,
        "name": record.name,
        "round": number,
        "rounds": record.rounds,
        "clock": clock,
        "tables": rows,
        "notices": list(record.notices),
        "standings": standings_values(record, lang),
    }


def standings_values(record: EventRecord, lang: Lang) -> dict[str, object]:
    """Return the standings with their headings and their note."""
    lines = ranking.ranks(record)
    results = (*ranking.results(record), *ranking.results(record, finals=True))
    texts = words()["standings"]
    columns = ["rank", "player", "points", "wins", "draws", "losses", *ranking_columns(lines)]
    keys = list(dict.fromkeys(column for column in columns if column in texts))
    return {
        "columns": [{"key": column, "label": texts[column][lang]} for column in keys],
        "rows": standings_rows(lines),
        "title": standings_title(results)[lang] if results else texts["title_before"][lang],
        "note": standings_note(lines, results, record.games)[lang],
    }


def problem_text(problem: Problem, lang: Lang, folder: Path | str = "") -> str:
    """Return a problem in the words of the page, with its line."""
    line = f"{problem.line}: " if problem.line else ""
    hint = localize(problem.hint, lang)
    text = line + localize(problem.message, lang) + (f" ({hint})" if hint else "")
    return in_page_words(text, lang, str(folder))


def _player(record: EventRecord, player: Any) -> dict[str, object]:
    here = player.is_present(record.next_number)
    return {
        "name": player.name,
        "team": player.team,
        "since": player.since,
        "left": player.left,
        "here": here,
        "table": player.table,
        "no_bye": player.no_bye,
        "rests": list(player.rests),
        "played": any(player.name in (m.a, m.b) for one in record.round for m in one.meetings),
    }


def _rounds(folder: Path, record: EventRecord, lang: Lang) -> list[dict[str, object]]:
    limits = result_limits(folder)
    phones = read_phones(folder)
    made: list[dict[str, object]] = []
    for one in record.round:
        place = folder / round_folder(one.number)
        received = {(of.table, of.game): of.at for of in phones.received if of.round == one.number}
        games_: list[dict[str, object]] = [
            {
                "table": m.table,
                "a": m.a,
                "b": m.b,
                "half": m.half,
                "against": m.against,
                "games": [
                    _game(one, m.table, number, limits(one.number, m.table), received, lang)
                    for number in range(1, record.games + 1)
                    if m.b
                ],
            }
            for m in one.meetings
        ]
        changes = [
            {
                "table": change.was.table,
                "game": change.was.game,
                "at": change.at,
                "was": score_text(change.was),
                "now": next((score_text(of) for of in one.results if _place(of) == _place(change.was)), ""),
            }
            for change in one.corrected
        ]
        made.append(
            {
                "round": one.number,
                "state": round_state(folder, record, one),
                "final": one.final,
                "tables": games_,
                "waiting": one.tables_without_results(record.games),
                "corrected": changes,
                "files": [name for name in round_files(one.number) if is_file(place / name)],
            }
        )
    return made


def score_text(game: Game) -> str:
    """Return a result as the page shows it: the scores, with a tick at the winner."""
    a, b = game.score
    return {"a": f"✓{a} : {b}", "b": f"{a} : {b}✓", "draw": f"{a} : {b}"}[game.won]


def _place(game: Game) -> tuple[int, int]:
    return game.table, game.game


def _game(
    one: Played, table: int, number: int, limits: Limits, received: Mapping[tuple[int, int], str], lang: Lang
) -> dict[str, object]:
    """Return a game with its sides, its limits and its result, if there is one."""
    found = next((game for game in one.results if _place(game) == (table, number)), None)
    sides, most = of_game(limits, number)
    values: dict[str, object] = {
        "game": number,
        "sides": [side[lang] for side in sides] or ["", ""],
        "most": most or None,
        "over": limits.winning_score,
        "phone": received.get((table, number), ""),
        "changes": sum(_place(change.was) == (table, number) for change in one.corrected),
    }
    if found:
        values |= {"won": found.won, "score": list(found.score), "lost": list(found.lost), "bid": list(found.bid)}
    return values


def round_files(number: int) -> tuple[str, ...]:
    """Return the names of the PDFs of a round that the page can show."""
    return f"round-{number}.pdf", f"organiser-{number}.pdf", f"slips-{number}.pdf"


def _unrecorded(folder: Path, record: EventRecord) -> dict[str, object]:
    """Return how many results of results.csv are not recorded yet, and which rows and files are at fault."""
    files = [file.relative_to(folder).as_posix() for _, file, _ in other_results(folder, record)]
    if not any(is_edited(results_path(folder, one.number)) for one in record.round):
        return {"count": 0, "problems": 0, "files": files}
    found = record_results(folder, record)
    return {
        "count": len(found.added) + len(found.corrected),
        "problems": len(found.refused),
        "files": files,
    }
