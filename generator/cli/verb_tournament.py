"""`muster tournament`: run a tournament, from the list of players to the standings."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from generator import games
from generator.cli import console, enrolment, output, request, safe_write, tournament_cli
from generator.cli.changed_list import outdated, outdated_lines, pair_changed_list, requested_rounds
from generator.cli.contradictions import report_contradictions
from generator.cli.event_folder import (
    EXTRA_FILES,
    INDEX_FILE,
    ExistingEvent,
    WrittenRound,
    continue_event,
    current_time,
    event_name,
    existing_event,
    is_of_earlier_version,
    open_event,
    print_rounds,
    read_event,
    read_listing,
    read_secret,
    round_folder,
    save_event,
    with_page_hashes,
    write_index,
    write_round,
)
from generator.cli.event_update import EventUpdate
from generator.cli.fonts_in_use import check_fonts, check_fonts_of_rows
from generator.cli.help import VerbGroup
from generator.cli.one_writer import LATE_WAIT_S, lock_event, writes_event, writes_event_itself, writes_if_event
from generator.cli.options_in_use import refuse_others
from generator.cli.output import out_file, out_folder
from generator.cli.pack_command import PackCommand
from generator.cli.player_lists import ABSENT, ENCODING, read_players, reading_lines
from generator.cli.print_options import ONE_SHEET, PACKS, PrintOptions, add_print_options
from generator.cli.round_results import (
    filled_file,
    find_files,
    frozen_rounds,
    has_lost_results,
    is_unfit,
    move_to_copies,
    record_results,
    remove_outdated,
    results_path,
    write_results_file,
)
from generator.cli.tournament_cli import DRY_RUN, REMATCH, REOPEN
from generator.cli.verb_rename import rename
from generator.cli.verb_results import results as results_verb
from generator.cli.verb_standings import standings
from generator.common.game import Game
from generator.errors import DataError, Problem, WrongUsageError
from generator.localization import tr
from generator.model.scenario import Request
from generator.model.words import Lang, joined
from generator.notation.envelope import file_hash
from generator.store.folders import is_file, is_there
from generator.store.manifest import NAME as MANIFEST
from generator.store.manifest import as_listed, seal
from generator.store.manifest import extended_manifest as listed_with
from generator.tournament import event_file, matching, sealing
from generator.tournament.csv_files import Table
from generator.tournament.csv_files import read as listed
from generator.tournament.day_files import ALL, day_file
from generator.tournament.event import MODES, Event, Mode, Scenarios
from generator.tournament.event_file import SYSTEMS, EventRecord
from generator.tournament.packing import OPENING, RESULTS
from generator.tournament.pages import event_kit, player_day
from generator.tournament.pairings import COLUMNS as PAIRING_COLUMNS
from generator.tournament.pairings import NEEDED as PAIRED
from generator.tournament.pairings import (
    Entrant,
    Round,
    missing_players,
    numbered_players,
    read_pairings,
    words,
)
from generator.tournament.player_list import Absent
from generator.workers import Workers

_out_option = out_folder()
_WITH_TABLE = ("tables", "round_", "seed", "sealed", "out", "force", "dry_run", "lang", "as_json", "jobs", "cluster")
"""The parameters of `pack` that reprinting tables uses, or that cannot change the pages."""


@click.group(cls=VerbGroup)
@console.lang_accepted
def tournament_verb() -> None:
    """Run a tournament, from the list of players to printed rounds, and from results to standings."""


@tournament_verb.command(cls=PackCommand)
@request.game_argument
@request.seed_option
@add_print_options(PACKS)
@click.option("--pairings", metavar="FILE.csv", type=click.Path(path_type=Path))
@ENCODING
@click.option("--players", metavar="N|FILE")
@ABSENT
@click.option("--rounds", type=int, metavar="N")
@click.option("--round", "round_", type=int, multiple=True, metavar="N")
@click.option("--table", "tables", default="", metavar="N,…")
@click.option("--event", default="", metavar="NAME")
@click.option("--scenarios", type=click.Choice(MODES))
@click.option("--sealed", is_flag=True)
@request.workers_options
@REMATCH
@REOPEN
@DRY_RUN
@_out_option
@console.json_option
@writes_event_itself
def pack(
    game: Game[Any],
    seed: str | None,
    print_options: PrintOptions,
    pairings: Path | None,
    encoding: str | None,
    players: str | None,
    absent: Absent | None,
    rounds: int | None,
    round_: tuple[int, ...],
    tables: str,
    event: str,
    scenarios: Mode | None,
    sealed: bool,
    workers: Workers,
    rematch: bool,
    reopen: bool,
    dry_run: bool,
    out: Path | None,
    as_json: bool,
    **game_options: Any,
) -> None:
    """Generate and print every round: the list for the wall and, for each table, its card, scenario and result slip.

    Each scenario is played twice with swapped sides. The organiser's sheet lists every code and answer. In the
    folder of an existing event, its game, code, name, options and seal are kept, and played rounds stay unchanged.
    """
    lang, default_folder = print_options.main_lang, Path("output") / f"{game.name}-tournament"
    seed = request.parse_seed(seed) if seed else None
    place = out or (default_folder if sealed else _open_event_folder(default_folder, seed) if seed else None)
    if tables:
        refuse_others(_WITH_TABLE, tr("--table prints pages again exactly as they were"))
        with contextlib.nullcontext() if dry_run else lock_event(place or default_folder):
            _reprint_tables(place or default_folder, tables, round_, dry_run, lang, as_json)
        return
    if place:
        report_contradictions(place, "pack", lang)
    before = existing_event(place) if place else ExistingEvent()
    order, mode = continue_event(
        before, game, request.make_request(game, seed or before.code, game_options), scenarios, sealed
    )
    folder = place or _open_event_folder(default_folder, order.code)
    sealed = sealed or before.sealed
    old = read_event(folder)
    event_record = _continued_or_new(folder, old, game, order, mode, sealed, rotates=players is not None)
    name = event_name(event) or before.name or words()["at"]["event"].fill(game=game.title)[lang]
    check_fonts([name])
    given, table, listed_, notes = _read_players(
        pairings, encoding, players, absent, rounds, event_record, lang, as_json
    )
    changes: list[str] = []
    stale: list[int] = []
    """Rounds whose results.csv no longer has the pairs of the event."""
    if table and pairings:
        tournament_cli.check_for_typos(event_record, given, table, folder)
        given, changes = requested_rounds(event_record, given, round_, pairings, lang)
    if listed_ and rounds:
        event_record, given, updates = pair_changed_list(
            folder, event_record, listed_, rounds, round_, frozen_rounds(folder, event_record)
        )
        stale = outdated(folder, event_record, given, round_)
        changes = [change(lang) for change in updates] + outdated_lines(folder, stale, lang)
    chosen = _ChosenRounds(folder, event_record, given, round_, reopen)
    again = matching.check_rematches(chosen.event_record, given, allowed=rematch or not pairings)
    event_record = event_file.with_rounds(chosen.event_record, given)
    event_record = replace(
        event_record, name=name, rounds=max([event_record.rounds, rounds or 0, *(r.number for r in given)])
    )
    misfits = _unfit_results(folder, event_record, chosen, reopen)
    for number in misfits:
        event_record = _with_results_from_elsewhere(event_record, number)
    every = tuple(one.as_round() for one in event_record.round)
    printed_event = Event(
        game, order, name, mode, read_secret(folder) if sealed else "", event_record.games, event_record.bid
    )
    printed_event = replace(
        printed_event, clock=event_record.clock, notices=event_record.notices, bye=event_record.bye
    )
    notes += reading_lines(table, lang, PAIRING_COLUMNS) if table else []
    if not as_json:
        if before.code == order.code and (players or pairings):
            options = "".join(f"--{option_id} {value} " for option_id, value in order.options.items())
            tournament_cli.print_sentence(
                "goes_on", lang, code=order.code, folder=folder, options=f"{options}--scenarios {mode}"
            )
        _print_notes(given, notes, lang)
        for line in changes:
            console.print_line(line)
        _print_chosen(chosen, again, lang)
        for line in tournament_cli.unrecorded_lines(folder, chosen.refused, [*chosen.undone, *misfits], lang):
            console.print_line(line)
    if dry_run:
        _print_dry_run(every, chosen.numbers, folder, lang, as_json)
        if not as_json:
            tournament_cli.print_next_step(*tournament_cli.next_step(folder, event_record), lang)
        return
    made: list[WrittenRound] = []
    copies: list[Path] = []
    update = EventUpdate(folder, old, event_record)
    todo = print_rounds(printed_event, every, chosen.numbers, print_options, workers.spread) if chosen.numbers else ()
    for printed in todo:
        with lock_event(folder, LATE_WAIT_S, new=True):
            event_record = update.for_round(printed.written.number, every)
            copies += (fresh := move_to_copies(folder, () if made else [*chosen.undone, *misfits]))
            made.append(one := write_round(printed_event, printed, folder))
            event_record = with_page_hashes(folder, _without_page_hash(event_record, one.number))
            save_event(folder, event_record)
        update.note_written(event_record)
        for copy in fresh if not as_json else ():
            tournament_cli.print_sentence("copied", lang, file=copy)
        if not as_json:
            _print_round_written(one, lang)
    with lock_event(folder, LATE_WAIT_S, new=True):
        if not made:
            event_record = update.current()
            save_event(folder, event_record)
        remove_outdated(folder, stale)
        event_record, restored = _restore_results_files(printed_event, folder, event_record, chosen.lost, lang)
        target = write_index(printed_event, print_options, folder) if made else folder / INDEX_FILE
    if as_json:
        about: dict[str, object] = {"folder": str(folder), "event": name, "game": game.name, "code": order.code}
        about |= {"wishes": dict(order.options), "scenarios": mode, "sealed": sealed}
        about |= {"index": str(target), "rounds": [one.row() for one in made], "frozen": chosen.frozen}
        about |= {"restored": [str(file) for file in restored]}
        about |= {"copies": [str(copy) for copy in copies], "told": notes}
        console.print_json(about | {"next": tournament_cli.next_step(folder, event_record)[1]})
    else:
        for file in restored:
            tournament_cli.print_sentence("restored", lang, file=file)
        click.echo(f"{target}")
        tournament_cli.print_next_step(*tournament_cli.next_step(folder, event_record), lang)


def _restore_results_files(
    event: Event, folder: Path, event_record: EventRecord, numbers: Sequence[int], lang: Lang
) -> tuple[EventRecord, list[Path]]:
    """Write lost results.csv files again. Return the record without notes on these files, and their paths."""
    files: list[Path] = []
    for number in numbers:
        one = event_record.find_round(number)
        if one and has_lost_results(folder, number):
            files.append(write_results_file(event, folder, [of.as_round() for of in event_record.round], one, lang))
            event_record = event_record.with_round(one.with_written_file(one.results))
    if files:
        save_event(folder, event_record)
    return event_record, files


def _unfit_results(folder: Path, event_record: EventRecord, chosen: _ChosenRounds, reopen: bool) -> list[int]:
    """Return the rounds to be packed whose results.csv a person changed so that it lists other pairs.

    Raises:
        WrongUsageError: If there are such rounds and `reopen` is false.
    """
    rounds = [one for one in event_record.round if one.number in chosen.numbers and one.number not in chosen.undone]
    found = [one.number for one in rounds if is_unfit(folder, one, reopen)]
    WrongUsageError.raise_if_any(
        Problem(
            tr("{file} was changed, and its pairings differ from those of round {n}",
                file=results_path(folder, number), n=number),
            hint=tr("correct the file, or keep a copy and write the file again with {command}",
                     command=tournament_cli.command_of("pack", folder, "--round", str(number), "--reopen")),
        )
        for number in found
        if not reopen
    )  # fmt: skip
    return found


def _with_results_from_elsewhere(event_record: EventRecord, number: int) -> EventRecord:
    """Return the record with a round's results marked as coming from elsewhere.

    The reason is that the round's results.csv is written again.
    """
    one = event_record.find_round(number)
    assert one is not None
    results = tuple(replace(game, elsewhere=True) for game in one.results)
    return event_record.with_round(replace(one.with_written_file(()), results=results))


def _without_page_hash(event_record: EventRecord, number: int) -> EventRecord:
    """Return the record without the hash of a round's pages, because the pages were printed again."""
    one = event_record.find_round(number)
    return event_record.with_round(replace(one, printed="")) if one else event_record


def _reprint_tables(folder: Path, raw: str, rounds: Sequence[int], dry_run: bool, lang: Lang, as_json: bool) -> None:
    """Write a PDF with the pages of some tables, copied unchanged from the PDF of the round."""
    from generator.press.check.content import excerpt, page_count

    event_record = open_event(folder)
    packed = [one.number for one in event_record.round if is_file(folder / round_folder(one.number) / MANIFEST)]
    _check_rounds_exist(packed, rounds)
    if len(rounds) > 1 or not packed:
        raise WrongUsageError(
            tr("--table {typed}: you can print tables of only one round at a time", typed=raw[:40]),
            hint=tr("give one packed round with --round"),
        )
    number = rounds[0] if rounds else packed[-1]
    place = folder / round_folder(number)
    pdf, rows = place / f"{place.name}.pdf", read_listing(place).pages
    if not as_listed(pdf):
        raise DataError(Problem(tr("was changed after it was printed"), str(pdf), hint=tr("pack this round again")))
    there = {row.table: at for at, row in enumerate(rows) if row.table}
    tables = _parse_numbers(raw)
    hint = tr("tables: {tables}", tables=[*there]) if there else tr("pack this round again")
    wrong = (table for table in tables if table not in there)
    faults = (tr("there is no table {table} in round {n}", table=table, n=number) for table in wrong)
    WrongUsageError.raise_if_any(Problem(message, hint=hint) for message in faults)
    content = pdf.read_bytes()
    ends = [*(row.page for row in rows[1:]), page_count(content) + 1]
    runs = [range(rows[at].page, ends[at]) for at in sorted(there[table] for table in tables)]
    target = folder / f"{place.name}-tables-{'-'.join(map(str, tables))}.pdf"
    if not dry_run:
        _write_with_manifest(folder, {target.name: seal(excerpt(content, runs))})
    pages, made = sum(map(len, runs)), [] if dry_run else [str(target)]
    sentence = "would_again" if dry_run else "again"
    line = tournament_cli.format_sentence(
        sentence, lang, n=number, tables=tournament_cli.format_numbers(tables), pages=pages, file=target
    )
    row: dict[str, object] = {"round": number, "tables": tables, "pages": pages, "files": made}
    _print_answer(folder, event_record, as_json, lang, row, line)


def _print_answer(
    folder: Path, event_record: EventRecord, as_json: bool, lang: Lang, row: dict[str, object], *lines: str
) -> None:
    """Print the answer of a command as JSON or as lines, followed by the next step."""
    sentence, next_command = tournament_cli.next_step(folder, event_record)
    console.print_answer(as_json, row | {"next": next_command}, lines)
    if not as_json:
        tournament_cli.print_next_step(sentence, next_command, lang)


def _parse_numbers(raw: str) -> list[int]:
    """Return numbers that are separated by commas, in ascending order.

    Raises:
        WrongUsageError: If a part is not a number.
    """
    parts = [part for part in re.split("[,、 ]+", unicodedata.normalize("NFKC", raw)) if part]
    if not parts or not all(re.fullmatch("[0-9]{1,4}", part) for part in parts):
        raise WrongUsageError(
            tr("--table {typed}: these are not numbers of tables", typed=raw[:40]),
            hint=tr("give numbers separated by commas, such as 3,7"),
        )
    return sorted({int(part) for part in parts})


def _write_with_manifest(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files to the folder of an event, and list them in its manifest."""
    safe_write.write_folder(folder, {**files, MANIFEST: listed_with(folder, {"beside": EXTRA_FILES}, files)})


def _continued_or_new(
    folder: Path, old: EventRecord | None, game: Game[Any], order: Request, mode: Mode, sealed: bool, rotates: bool
) -> EventRecord:
    """Return the record of the event in a folder, or a new record.

    Raises:
        WrongUsageError: If the folder contains another event with played rounds.
    """
    if old and old.code == order.code:
        return old
    if old and (played := frozen_rounds(folder, old)):
        message = tr(
            "{folder} has an event with code {code}, and some of its rounds have been played",
            folder=folder,
            code=old.code,
        )
        raise WrongUsageError(message, hint=tr("rounds: {known}", known=played))
    files = {path.name: file_hash(path) for path in order.files.values()}
    system = SYSTEMS[1] if rotates else SYSTEMS[0]
    made = EventRecord(order.code, game.name, order.code, mode, system, sealed=sealed)
    return replace(made, options=dict(order.options), files=files)


class _ChosenRounds:
    """The rounds to pack, which are the requested rounds, or all rounds that have not been played."""

    def __init__(
        self, folder: Path, event_record: EventRecord, given: Sequence[Round], only: Sequence[int], reopen: bool
    ) -> None:
        """Select the rounds to pack.

        Raises:
            WrongUsageError: If a requested round does not exist, or was played and is not reopened, or if `reopen` is
                true but does not apply to any of the rounds that were played.
        """
        every = sorted({one.number for one in event_record.round} | {one.number for one in given})
        _check_rounds_exist(every, only)
        played = frozen_rounds(folder, event_record)
        wanted = [n for n in every if n in only] if only else [one.number for one in given] or every
        other = [
            one.number
            for one in given
            if one.number in played and not event_file.is_unchanged(event_record, one.number, one)
        ]
        refused = [n for n in played if n in only or n in other]
        WrongUsageError.raise_if_any(_refusal(folder, event_record, n, n in other) for n in refused if not reopen)
        self.undone = other
        self.frozen = [n for n in played if n in wanted and n not in refused]
        self.not_reopened = self.frozen if reopen else []
        if self.not_reopened and not other:
            raise WrongUsageError(_no_round_to_reopen(folder, self.not_reopened))
        self.numbers = [n for n in wanted if n not in self.frozen]
        self.lost = [
            n
            for n in self.frozen
            if has_lost_results(folder, n) and not is_of_earlier_version(folder / round_folder(n))
        ]
        self.remade = [
            one.number for one in event_record.round if one.results and one.number in {*self.numbers} - {*other}
        ]
        time = current_time()
        self.refused: list[Problem] = []
        if reopen:  # Correct results are kept even if their file is replaced.
            found = record_results(folder, event_record)
            event_record, self.refused = found.event_record, found.refused
        for number in other:
            event_record = event_file.reopen_round(event_record, number, time)
        self.event_record, self.folder = event_record, folder


def _refusal(folder: Path, event_record: EventRecord, number: int, other: bool) -> Problem:
    """Return the problem for a round that was played, or packed by an earlier version, and would be packed again."""
    one = event_record.find_round(number)
    undoes = (
        tr("results that this undoes: {n}", n=len(one.results))
        if other and one
        else tr("the results of the round are kept")
    )
    message = (
        tr("round {n} has been played, but would be paired differently", n=number)
        if other
        else tournament_cli.closed_reason(folder, event_record, number)
    )
    hint = tr("use --reopen to make the round again anyway; {undoes}", undoes=undoes)
    return Problem(message, hint=hint)


def _no_round_to_reopen(folder: Path, played: Sequence[int]) -> Problem:
    """Return the problem that --reopen is given without the round to make again, with a command for the last one."""
    again = tournament_cli.command_of("pack", folder, "--round", str(played[-1]), "--reopen")
    return Problem(
        tr("--reopen: choose the round to make again; rounds that have been played: {rounds}", rounds=[*played]),
        hint=tr("to pack round {n} again: {command}", n=played[-1], command=again),
    )


def _print_chosen(chosen: _ChosenRounds, again: Sequence[tuple[int, str, str, int]], lang: Lang) -> None:
    """Print which rounds stay unchanged, are undone or are printed again, and which players meet again."""
    for number in chosen.frozen:
        one, filled = chosen.event_record.find_round(number), filled_file(chosen.folder, number)
        file = filled or results_path(chosen.folder, number)
        if is_of_earlier_version(file.parent):
            tournament_cli.print_sentence("lies", lang, n=number)
        elif filled is None or number in chosen.lost:
            tournament_cli.print_sentence("frozen_recorded", lang, n=number)
        elif one and not one.results and filled.name == RESULTS and not _can_record(chosen, number):
            reset = tournament_cli.command_of("pack", chosen.folder, "--round", str(number), "--reopen")
            list_ = tournament_cli.command_of("results", chosen.folder)
            tournament_cli.print_sentence("frozen_unread", lang, n=number, file=file, command=list_, reset=reset)
        else:
            tournament_cli.print_sentence("frozen", lang, n=number, file=file)
    for number in chosen.not_reopened:
        command = tournament_cli.command_of("pack", chosen.folder, "--round", str(number), "--reopen")
        tournament_cli.print_sentence("not_reopened", lang, n=number, command=command)
    for number in chosen.undone:
        tournament_cli.print_sentence("undone", lang, n=number, undoes=chosen.folder / event_file.NAME)
    for number in chosen.remade:
        tournament_cli.print_sentence("remade", lang, n=number)
    for number, a, b, first in again:
        tournament_cli.print_sentence("met", lang, n=number, a=a, b=b, before=first)


def _can_record(chosen: _ChosenRounds, number: int) -> bool:
    """Return whether the results.csv of a round has a result that `results` would record."""
    found = record_results(chosen.folder, chosen.event_record, [results_path(chosen.folder, number)])
    return any(n == number for n, _ in found.added)


def _print_dry_run(every: Sequence[Round], numbers: Sequence[int], folder: Path, lang: Lang, as_json: bool) -> None:
    """Print what the command would write."""
    rows = [(one.number, len(one.tables), folder / f"round-{one.number}") for one in every if one.number in numbers]
    would = [{"round": n, "tables": tables, "folder": str(at)} for n, tables, at in rows]
    lines = (
        tournament_cli.format_sentence("would_pack", lang, n=n, tables=tables, folder=at) for n, tables, at in rows
    )
    console.print_answer(as_json, {"would": would}, lines)


@tournament_verb.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.argument("names", nargs=-1, metavar="[NAME]…")
@add_print_options(ONE_SHEET)
@DRY_RUN
@console.json_option
@writes_event
def day(folder: Path, names: tuple[str, ...], print_options: PrintOptions, dry_run: bool, as_json: bool) -> None:
    """Print a day sheet for the given players or for all players.

    The sheet lists the time, table, opponent and sides of each round.

    Rounds that are not paired yet have blank fields.
    """
    event_record, lang = open_event(folder), print_options.main_lang
    players = list(dict.fromkeys(event_record.require_player(name).name for name in names)) or [
        p.name for p in event_record.players if p.is_present(event_record.next_number)
    ]
    if not players:
        raise WrongUsageError(tr("no player is given"), hint=tr("give a player's name, or use --players FILE"))
    began = existing_event(folder)
    game = games.load(event_record.game)
    order, mode = continue_event(
        began, game, request.make_request(game, event_record.code, {}), None, event_record.sealed
    )
    sealed = read_secret(folder) if event_record.sealed else ""
    event = Event(
        game,
        order,
        event_record.name,
        mode,
        sealed,
        event_record.games,
        event_record.bid,
        event_record.clock,
        event_record.notices,
        event_record.bye,
    )
    every = [one.as_round() for one in event_record.round]
    scenarios = Scenarios(event, every)
    ours = [one for one in every if one.tables and not is_of_earlier_version(folder / round_folder(one.number))]
    deals = {one.number: scenarios.deal(one.number) for one in ours}
    rounds = [*every, *(Round(n, ()) for n in range(event_record.next_number, event_record.rounds + 1))]
    sheets = {name: player_day(event, name, rounds, deals) for name in players}
    files = {ALL: players}
    if names:  # A separate file for each player prevents one player's file from replacing another's.
        files = {day_file(event_record.require_player(name), event_record.players): [name] for name in players}
    if not dry_run:
        kits = {file: event_kit(event, "", *(sheets[name] for name in of)) for file, of in files.items()}
        _write_with_manifest(
            folder, {file: output.kit_pdf(kit, print_options.press_options(game)) for file, kit in kits.items()}
        )
    sentence = "would_write" if dry_run else "days"
    lines = [
        tournament_cli.format_sentence(sentence, lang, n=len(of), file=folder / file) for file, of in files.items()
    ]
    written = [] if dry_run else [str(folder / file) for file in files]
    _print_answer(
        folder, event_record, as_json, lang, {"players": players, "rounds": len(rounds), "files": written}, *lines
    )


@tournament_verb.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@out_file(".json")
@DRY_RUN
@console.answer_options
@writes_if_event
def commit(folder: Path, out: Path | None, dry_run: bool, lang: Lang, as_json: bool) -> None:
    """Write the commitment to publish before play, which contains a hash for every sealed round in the folder."""
    made = sealing.commitment(find_files(folder, OPENING))
    target = out or folder / sealing.COMMITMENT
    if not dry_run:
        safe_write.write_file(target, made)
    if as_json:
        click.echo(made.decode(), nl=False)
        return
    click.echo(sealing.commitment_hash(made))
    tournament_cli.print_sentence("would_write" if dry_run else "committed", lang, file=target)


@tournament_verb.command()
@click.argument("published", type=click.Path(path_type=Path), metavar="COMMITMENT")
@click.argument("openings", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="OPENING|DIR…")
@console.answer_options
def reveal(published: Path, openings: tuple[Path, ...], lang: Lang, as_json: bool) -> None:
    """Check opened rounds against the published commitment: hashes, kit ids, and the scenario of every code."""
    found = sealing.verify_openings(published, [file for path in openings for file in find_files(path, OPENING)])
    follows = _step_after_opening(published, found)
    if as_json:
        rows = [
            {"round": of.round, "kits": [kit.kit for kit in of.kits], "findings": [fault[lang] for fault in faults]}
            for of, faults in found.rounds
        ]
        console.print_json(
            {"whole": found.commitment_hash, "rounds": rows, "closed": list(found.unopened), "next": follows[1]}
        )
    else:
        tournament_cli.print_sentence("whole", lang, hash=found.commitment_hash)
        for of, faults in found.rounds:
            for fault in faults or [words()["say"]["opened"].fill(n=of.round, m=len(of.kits))]:
                console.print_line(fault[lang])
        if found.unopened:
            tournament_cli.print_sentence(
                "closed", lang, names=joined(words()["at"]["round"].fill(n=n) for n in found.unopened)
            )
        tournament_cli.print_next_step(*follows, lang)
    console.exit_if(any(faults for _, faults in found.rounds))


def _step_after_opening(published: Path, found: sealing.VerifiedOpenings) -> tuple[str, str]:
    """Return the next step after rounds were opened, as the key of its sentence and its command (may be empty)."""
    if any(faults for _, faults in found.rounds):
        return "next_version" if found.version_differs else "next_asked", ""
    place = published.parent
    if found.unopened:
        return "next_reveal", tournament_cli.command_of(
            "reveal", published, str(place / round_folder(found.unopened[0]))
        )
    with contextlib.suppress(DataError):  # The folder may contain anything.
        if event_record := event_file.read(place):
            return tournament_cli.next_step(place, event_record)
    return "next_none", ""


_VERBS = (
    enrolment.new,
    enrolment.join,
    enrolment.drop,
    tournament_cli.pair,
    results_verb,
    tournament_cli.status,
    standings,
    rename,
)
for _verb in _VERBS:
    tournament_verb.add_command(_verb)


def _open_event_folder(default_folder: Path, code: str) -> Path:
    """Return the default folder for an open event with this code."""
    return default_folder.with_name(f"{default_folder.name}-{code}")


def _read_players(
    file: Path | None,
    encoding: str | None,
    players: str | None,
    absent: Absent | None,
    count: int | None,
    event_record: EventRecord,
    lang: Lang,
    as_json: bool,
) -> tuple[Sequence[Round], Table | None, Sequence[Entrant], list[str]]:
    """Return the rounds of a file and its table, or the players of a list and notes on how the list was read.

    Raises:
        WrongUsageError: If players are given in several ways or incompletely.
    """
    if not file and players is None and count is None and event_record.round:
        return (), None, (), []
    if file and players is None and count is None:
        names = [player.name for player in event_record.players]
        table = listed(file, PAIRED, encoding, names)
        made = read_pairings(table, names)
        check_fonts_of_rows(table.rows, ("player_a", "player_b", "team"))
        return made, table, (), []
    if file or players is None or count is None:
        hint = tr(
            "give --pairings FILE.csv, or both --players (N or FILE) and "
            "--rounds N, or run muster tournament pair first"
        )
        raise WrongUsageError(tr("choose one way to give the players"), hint=hint)
    if re.fullmatch("[+-]?[0-9]{1,9}", players):
        return (), None, numbered_players(int(players)), []
    if not Path(players).suffix and not is_there(Path(players)):
        hint = tr("give the number of players, or a file with one name on each line")
        raise WrongUsageError(
            tr("--players {players!r} is neither a number nor a file", players=players[:40]), hint=hint
        )
    entrants, notes = read_players(Path(players), encoding, absent, lang, as_json)
    return (), None, entrants, notes


def _check_rounds_exist(there: Sequence[int], only: Sequence[int]) -> None:
    """Check that these rounds exist.

    Raises:
        WrongUsageError: If a round does not exist.
    """
    hint = tr("rounds: {known}", known=[*map(str, there)])
    wrong = (tr("--round: there is no round {n}", n=n) for n in only if n not in there)
    WrongUsageError.raise_if_any(Problem(message, hint=hint) for message in wrong)


def _print_notes(every: Sequence[Round], notes: Sequence[str], lang: Lang) -> None:
    """Print notes on how the file was read, and the players who are missing from each round."""
    for line in notes:
        console.print_line(line)
    for number, names in missing_players(every).items():
        tournament_cli.print_sentence("missing", lang, n=number, names=tuple(names))


def _print_round_written(one: WrittenRound, lang: Lang) -> None:
    """Print that a round was written, and which of its existing files were kept."""
    tournament_cli.print_sentence("packed", lang, n=one.number, tables=one.tables, pages=one.pages, file=one.pdf)
    console.report_verified(one.held, lang)
    for name in one.kept:
        tournament_cli.print_sentence("kept", lang, file=one.folder / name)
    if one.again:
        tournament_cli.print_sentence("alike", lang, n=one.number, names=tuple(one.again))
