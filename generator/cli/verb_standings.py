"""`muster tournament standings`: compute and print the standings of an event or of files with results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from generator.cli import console, output, safe_write, tournament_cli
from generator.cli.event_folder import EXTRA_FILES, event_name, read_event, read_manifest, save_event
from generator.cli.help import Verb
from generator.cli.one_writer import writes_if_event
from generator.cli.output import out_folder
from generator.cli.player_lists import ENCODING, report_reading
from generator.cli.print_options import ONE_SHEET, PrintOptions, add_print_options
from generator.cli.round_results import find_files, record_results
from generator.cli.tournament_cli import DRY_RUN
from generator.cli.verb_results import recording_values
from generator.errors import DataError, Problem
from generator.localization import display_width, lang_option, tr
from generator.model.words import Lang
from generator.notation.text import CommandWord, name_fault, suggested_command
from generator.store.folders import is_folder
from generator.store.manifest import NAME as MANIFEST
from generator.store.manifest import extended_manifest as listed_with
from generator.tournament import ranking, trf
from generator.tournament.csv_files import read as listed
from generator.tournament.near_names import near_name_remarks
from generator.tournament.packing import RESULTS
from generator.tournament.pairings import BYE_VALUES, words
from generator.tournament.record import RecordedResults
from generator.tournament.scores import (
    DEFAULT_GAMES,
    NEEDED_COLUMNS,
    of_played_rounds,
    ranking_columns,
    read_results,
    standings_csv,
    standings_kit,
    standings_note,
    standings_rows,
    standings_title,
)
from generator.tournament.scores import standings as computed_standings


@click.command(cls=Verb)
@click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE.csv|DIR…")
@add_print_options(ONE_SHEET)
@ENCODING
@click.option("--event", default="", metavar="NAME")
@DRY_RUN
@out_folder()
@console.json_option
@writes_if_event
def standings(
    results: tuple[Path, ...],
    print_options: PrintOptions,
    encoding: str | None,
    event: str,
    dry_run: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Compute standings from results, and print them as pages, as CSV files or, with --json, as JSON.

    For the folder of an event, the results of all its rounds are recorded first. Files are written to this folder
    unless -o names another folder.
    """
    lang = print_options.main_lang
    found_ = _record_event(results, encoding, dry_run, as_json, lang) if len(results) == 1 else None
    event_record = found_.event_record if found_ else None
    folder = out or (results[0] if event_record else Path("output") / "standings")
    if event_record:
        found, lines = (
            (*ranking.results(event_record), *ranking.results(event_record, finals=True)),
            ranking.ranks(event_record),
        )
    else:
        files = {file.resolve(): file for path in results for file in find_files(path, RESULTS)}
        tables = [listed(file, NEEDED_COLUMNS, encoding) for file in files.values()]
        for table in tables:
            report_reading(table, lang)
        try:
            found = read_results(tables)
        except DataError as error:
            command: list[CommandWord] = ["muster", "tournament", "standings", *results, *lang_option()]
            raise DataError(_not_computed("", suggested_command(command)), *error.problems) from None
        for remark in near_name_remarks(tables):
            console.print_line(remark.describe(lang), err=True)
        players = dict.fromkeys(name for game in found for name in (game.a, game.b) if name)
        lines = computed_standings(of_played_rounds(found), players=players)
    step = tournament_cli.next_step(results[0], event_record) if event_record else None
    if step and step[0] == "next_over":
        step = "next_hung", ""
    name = event_name(event) or (event_record.name if event_record else _event_name_of(results))
    final = any(one.final and one.results for one in event_record.round) if event_record else False
    games = event_record.games if event_record else DEFAULT_GAMES
    bye = event_record.bye if event_record else BYE_VALUES[0]
    kit = standings_kit(lines, found, name, event_record.cut if event_record else 0, final, games, bye)
    made = {
        "standings.pdf": b"" if dry_run else output.kit_pdf(kit, print_options.press_options()),
        "standings.csv": standings_csv(lines, lang),
    }
    made |= {"standings.trf": trf.write(event_record)} if event_record else {}
    if not dry_run:
        safe_write.write_folder(
            folder, made | {MANIFEST: listed_with(folder, {"event": name, "beside": EXTRA_FILES}, made)}
        )
    if as_json:
        waiting = sum(bool(r.b) and r.outcome == "open" for r in found)
        disputed = [{"round": r.round, "table": r.table, "game": r.game} for r in found if r.disputed]
        about = {"standings": standings_rows(lines), "open": waiting, "disputed": disputed}
        about |= {"files": [] if dry_run else [str(folder / file) for file in made]}
        about |= {"taken": recording_values(found_)} if found_ else {}
        console.print_json(about | {"next": step[1] if step else ""})
        return
    texts = words()
    heads = [texts["standings"][column][lang] for column in ("rank", *ranking_columns(lines))]
    click.echo("  ".join([*heads, texts["standings"]["player"][lang]]))
    for line in lines:
        counted = (getattr(line, column) for column in ("rank", *ranking_columns(lines)))
        console.print_line(
            "  ".join([*(f"{n:>{display_width(head)}}" for n, head in zip(counted, heads, strict=True)), line.player])
        )
    click.echo(standings_title(found)[lang])
    click.echo(standings_note(lines, found, games, bye)[lang])
    for game in found:
        if game.disputed:
            tournament_cli.print_sentence(
                "disputed", lang, n=game.round, table=game.table, game=game.game, a=game.a, b=game.b
            )
    for file in () if dry_run else made:
        click.echo(f"{folder / file}")
    if step:
        tournament_cli.print_next_step(*step, lang)


def _record_event(
    results: Sequence[Path], encoding: str | None, dry_run: bool, as_json: bool, lang: Lang
) -> RecordedResults | None:
    """Record the results of the event in the only given folder. Return None if the folder does not contain an event.

    Raises:
        DataError: If a row was rejected, because its game would be missing from the standings, or if no round is
            paired yet.
    """
    (folder,) = results
    event_record = read_event(folder) if is_folder(folder) else None
    if event_record is None:
        return None
    if not event_record.round:
        raise DataError(
            Problem(tr("no round has been paired yet"), str(folder), hint=tournament_cli.command_of("pair", folder))
        )
    found = record_results(folder, event_record, encoding=encoding)
    not_computed = _not_computed(str(folder), tournament_cli.command_of("standings", folder))
    tournament_cli.stop_if_refused(folder, found, not_computed, dry_run, as_json, lang)
    save_event(folder, found.event_record, dry_run)
    if not as_json:
        tournament_cli.print_recording(folder, found, lang)
    return found


def _not_computed(file: str, command: str) -> Problem:
    """Return the problem that no standings were computed, with the command to run after the results are corrected."""
    return Problem(
        tr("no standings were computed, because some results cannot be used"),
        file,
        hint=tournament_cli.correct_first(command),
    )


def _event_name_of(results: Iterable[Path]) -> str:
    """Return the event name in the first of these folders that has one, or an empty string if none has."""
    names = (read_manifest(path).get("event") for path in results if is_folder(path))
    return next((name for name in names if isinstance(name, str) and not name_fault(name)), "")
