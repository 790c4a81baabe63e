"""`muster tournament standings`: compute the standings of an event, or of files of results, and print them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from generator.cli import console, desk, output, put
from generator.cli.desk import DRY
from generator.cli.event import BESIDE, content, event_name, keep, kept
from generator.cli.help import Verb
from generator.cli.lists import ENCODING, report_reading
from generator.cli.one_writer import writes_if_event
from generator.cli.output import out_folder
from generator.cli.print_options import ONE_SHEET, How, how_options
from generator.cli.round_results import files_named, recorded
from generator.cli.verb_results import as_values
from generator.errors import DataError, Problem
from generator.localization import display_width, tr
from generator.model.words import Lang
from generator.notation.text import name_fault
from generator.store.manifest import NAME as MANIFEST
from generator.store.manifest import joined as listed_with
from generator.tournament import ranking, trf
from generator.tournament.csv_files import read as listed
from generator.tournament.packing import RESULTS
from generator.tournament.pairings import words
from generator.tournament.record import Taken
from generator.tournament.scores import (
    NEEDED,
    USUAL,
    as_csv,
    merits,
    note,
    of_played_rounds,
    progress,
    read_results,
    rows,
    standings_kit,
)
from generator.tournament.scores import standings as reckoned


@click.command(cls=Verb)
@click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE.csv|DIR…")
@how_options(ONE_SHEET)
@ENCODING
@click.option("--event", default="", metavar="NAME")
@DRY
@out_folder()
@console.json_option
@writes_if_event
def standings(
    results: tuple[Path, ...], how: How, encoding: str | None, event: str, dry: bool, out: Path | None, as_json: bool
) -> None:
    """Compute the standings of results that were filled in: printed, as CSV, or --json.

    An event's folder means the results of all its rounds, which are recorded first; files go there unless -o names
    another folder.
    """
    lang = how.first
    found_ = _recorded(results, encoding, dry, as_json, lang) if len(results) == 1 else None
    event_record = found_.book if found_ else None
    folder = out or (results[0] if event_record else Path("output") / "standings")
    if event_record:
        found, lines = (
            (*ranking.results(event_record), *ranking.results(event_record, finals=True)),
            ranking.ranks(event_record),
        )
    else:
        files = {file.resolve(): file for path in results for file in files_named(path, RESULTS)}
        tables = [listed(file, NEEDED, encoding) for file in files.values()]
        for table in tables:
            report_reading(table, lang)
        found = read_results(tables)
        players = dict.fromkeys(name for game in found for name in (game.a, game.b) if name)
        lines = reckoned(of_played_rounds(found), players=players)
    follows = desk.follows(results[0], event_record) if event_record else None
    if follows and follows[0] == "next_over":
        follows = "next_hung", ""
    name = event_name(event) or (event_record.name if event_record else _event_of(results))
    final = any(one.final and one.results for one in event_record.round) if event_record else False
    games = event_record.games if event_record else USUAL
    kit = standings_kit(lines, found, name, event_record.cut if event_record else 0, final, games)
    made = {"standings.pdf": b"" if dry else output.kit_pdf(kit, how.edition()), "standings.csv": as_csv(lines, lang)}
    made |= {"standings.trf": trf.write(event_record)} if event_record else {}
    if not dry:
        put.folder(folder, made | {MANIFEST: listed_with(folder, {"event": name, "beside": BESIDE}, made)})
    if as_json:
        waiting = sum(bool(r.b) and r.outcome == "open" for r in found)
        disputed = [{"round": r.round, "table": r.table, "game": r.game} for r in found if r.disputed]
        about = {"standings": rows(lines), "open": waiting, "disputed": disputed}
        about |= {"files": [] if dry else [str(folder / file) for file in made]}
        about |= {"taken": as_values(found_)} if found_ else {}
        console.as_json(about | {"next": follows[1] if follows else ""})
        return
    texts = words()
    heads = [texts["standings"][column][lang] for column in ("rank", *merits(lines))]
    click.echo("  ".join([*heads, texts["standings"]["player"][lang]]))
    for line in lines:
        counted = (getattr(line, column) for column in ("rank", *merits(lines)))
        console.line(
            "  ".join([*(f"{n:>{display_width(head)}}" for n, head in zip(counted, heads, strict=True)), line.player])
        )
    click.echo(progress(found)[lang])
    click.echo(note(lines, found, games)[lang])
    for game in found:
        if game.disputed:
            desk.tell("disputed", lang, n=game.round, table=game.table, game=game.game, a=game.a, b=game.b)
    for file in () if dry else made:
        click.echo(f"{folder / file}")
    if follows:
        desk.tell_next(*follows, lang)


def _recorded(results: Sequence[Path], encoding: str | None, dry: bool, as_json: bool, lang: Lang) -> Taken | None:
    """Record the results of the event in the one folder that was named; None if there is no event.

    DataError if a row was refused: the standings would lack its game.
    """
    (folder,) = results
    event_record = kept(folder) if folder.is_dir() else None
    if event_record is None:
        return None
    if not event_record.round:
        raise DataError(Problem(tr("no round is paired yet"), str(folder), hint=desk.command_of("pair", folder)))
    found = recorded(folder, event_record, encoding=encoding)
    desk.stop_if_refused(folder, found, dry, as_json, lang)
    keep(folder, found.book, dry)
    if not as_json:
        desk.tell_taken(folder, found, lang)
    return found


def _event_of(results: Iterable[Path]) -> str:
    """The name of the event that one of these folders holds, or of which it is a round; empty where none does."""
    names = (content(path).get("event") for path in results if path.is_dir())
    return next((name for name in names if isinstance(name, str) and not name_fault(name)), "")
