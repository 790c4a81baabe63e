"""The commands `pair` and `status`, and functions that all tournament commands share.

Every command reports what it did and what to do next. With --dry-run, it reports what it would do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click
from msgspec.structs import replace

from generator import games
from generator.cli import console
from generator.cli.contradictions import find_contradictions
from generator.cli.event_folder import (
    current_time,
    is_of_earlier_version,
    open_event,
    round_folder,
    save_event,
)
from generator.cli.help import Verb
from generator.cli.one_writer import writes_event
from generator.cli.other_folders import moved_rounds
from generator.cli.other_results import other_results
from generator.cli.player_lists import ENCODING, encoding_lines
from generator.cli.round_results import (
    frozen_rounds,
    has_lost_results,
    move_packed_rounds,
    move_to_copies,
    record_results,
    remove_outdated,
    results_path,
    round_state,
)
from generator.errors import DataError, Problem, WrongUsageError
from generator.localization import LocalizedStr, joined, lang_option, localize, tr
from generator.model.words import Lang
from generator.notation.text import CommandWord, suggested_command
from generator.store.folders import is_file
from generator.store.manifest import NAME as MANIFEST
from generator.tournament import dutch, event_file, matching, outside
from generator.tournament.csv_files import Table, plain
from generator.tournament.event import MODES
from generator.tournament.event_file import CUTS, EventRecord, Played
from generator.tournament.feasible import too_few_players
from generator.tournament.matching import PairedRound
from generator.tournament.packing import RESULTS
from generator.tournament.pairings import MAX_ROUNDS, Round, words
from generator.tournament.record import RecordedResults, format_result
from generator.tournament.remarks import apart_problem, meetings_of_apart

FOLDER = click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
DRY_RUN = click.option("--dry-run", is_flag=True)
REOPEN = click.option("--reopen", is_flag=True)
PLANNED_ROUNDS = click.option("--rounds", type=click.IntRange(1, MAX_ROUNDS), metavar="N")
REMATCH = click.option("--allow-rematch", "rematch", is_flag=True)


def format_sentence(key: str, lang: Lang, **values: object) -> str:
    """Return a sentence from the tournament's words, with its placeholders filled."""
    return words()["say"][key].fill(**values)[lang]


def print_sentence(key: str, lang: Lang, **values: object) -> None:
    """Print a sentence from the tournament's words, with its placeholders filled."""
    console.print_line(format_sentence(key, lang, **values))


def format_numbers(of: Iterable[int]) -> LocalizedStr:
    """Return the numbers of rounds or tables as text, separated by the commas of each language."""
    return joined(of)


def recording_lines(folder: Path, found: RecordedResults, lang: Lang) -> Iterator[str]:
    """Yield lines on the results that were recorded, corrected or rejected, and on those that are missing."""
    for number, count in sorted(Counter(number for number, _ in found.added).items()):
        yield format_sentence("recorded", lang, n=number, m=count)
    for number, old, new in found.corrected:
        yield format_sentence(
            "corrected",
            lang,
            n=number,
            table=new.table,
            game=new.game,
            old=format_result(old),
            new=format_result(new),
        )
        if later := [one.number for one in found.event_record.round if one.number > number]:
            yield format_sentence("based", lang, n=number, m=format_numbers(later))
    for number, old in found.emptied:
        yield format_sentence("stands", lang, n=number, table=old.table, game=old.game, old=format_result(old))
    yield from kept_lines(folder, found, lang)
    for one in found.missing:
        of = found.event_record.find_round(one.round)
        there = {(game.table, game.game) for game in of.results} if of else set()
        if one.tables:
            recorded_ = any(table in one.tables for table, _ in there)
            sentence = "no_row_table" if recorded_ else "lacks_table"
            yield format_sentence(sentence, lang, n=one.round, file=one.file, tables=format_numbers(one.tables))
        for table, game in one.games:
            sentence = "no_row_game" if (table, game) in there else "lacks_game"
            yield format_sentence(sentence, lang, n=one.round, file=one.file, table=table, game=game)
        if one.byes:
            yield format_sentence("no_row_bye", lang, n=one.round, file=one.file, names=tuple(one.byes))
        for line in one.rows:
            yield format_sentence("put_back", lang, file=one.file, line=line)
    for round_ in found.event_record.round:
        if has_lost_results(folder, round_.number):
            values = {"file": results_path(folder, round_.number), "command": command_of("pack", folder)}
            yield format_sentence("lost_sheet", lang, n=round_.number, **values)
    for file, heads in found.unread:
        yield format_sentence("unread", lang, file=file, heads=tuple(heads))
    for cell in found.unread_cells:
        yield cell.describe(lang)


def kept_lines(folder: Path, found: RecordedResults, lang: Lang) -> Iterator[str]:
    """Yield a line for each row or slip that Muster has read before and that differs from the later record."""
    for kept in found.superseded:
        sheet_file = results_path(folder, kept.round)
        values = {
            "n": kept.round,
            "table": kept.read.table,
            "game": kept.read.game,
            "read": format_result(kept.read),
            "file": kept.file,
            "line": kept.line,
            "sheet": sheet_file,
            "old": format_result(kept.recorded) if kept.recorded else "",
            "command": command_of("results", folder, Path(sheet_file)),
        }
        sentence = "superseded" if kept.recorded else "deleted"
        yield format_sentence(f"{sentence}_slip" if kept.read.elsewhere else sentence, lang, **values)


def disputed_lines(event_record: EventRecord, lang: Lang) -> Iterator[str]:
    """Yield a line for each recorded game whose winner is not the player with the higher score."""
    for one in event_record.round:
        at = {m.table: m for m in one.tables}
        for game in one.results:
            if event_file.is_disputed(game, event_record.bid):
                m = at[game.table]
                yield format_sentence("disputed", lang, n=one.number, table=m.table, game=game.game, a=m.a, b=m.b)


def print_recording(folder: Path, found: RecordedResults, lang: Lang) -> None:
    """Print the lines of `recording_lines`."""
    for line in recording_lines(folder, found, lang):
        console.print_line(line)


def stop_if_refused(
    folder: Path,
    found: RecordedResults,
    not_done: Problem,
    dry_run: bool,
    as_json: bool,
    lang: Lang,
    reopened: Iterable[int] = (),
) -> None:
    """Stop the command if rows were rejected, after recording the other rows.

    Rejected rows of rounds that are reopened are ignored, because a copy of them is kept.

    Raises:
        DataError: If rows were rejected. The first problem is `not_done`, which states what the command did not do.
    """
    spared = {str(results_path(folder, number)) for number in reopened}
    if refused := [problem for problem in found.refused if problem.file not in spared]:
        save_event(folder, found.event_record, dry_run)
        if not as_json:
            print_recording(folder, found, lang)
        raise DataError(not_done, *refused)


def correct_first(command: str) -> str:
    """Return the hint to correct rejected results, which are listed below it, before this command is run again."""
    return tr("correct what is listed below, then run {command}", command=command)


def rejected_lines(folder: Path, found: RecordedResults, lang: Lang) -> Iterator[str]:
    """Yield a line for each results.csv with rows that cannot be recorded."""
    by_file: dict[str, set[int]] = {}
    for problem in found.refused:
        by_file.setdefault(problem.file, set()).add(problem.line)
    for file, lines in by_file.items():
        kind = "rejected_file" if 0 in lines else "rejected"
        values = {"file": file, "lines": format_numbers(sorted(lines)), "command": command_of("results", folder)}
        yield format_sentence(kind, lang, **values)


def unrecorded_lines(folder: Path, refused: Iterable[Problem], numbers_: Iterable[int], lang: Lang) -> Iterator[str]:
    """Yield a line for each results.csv of a reopened round that contains unrecorded rows."""
    by_file: dict[str, set[int]] = {}
    for problem in refused:
        by_file.setdefault(problem.file, set()).add(problem.line)
    for number in numbers_:
        file = results_path(folder, number)
        if at := by_file.get(str(file)):
            yield format_sentence("unrecorded", lang, file=file, lines=format_numbers(sorted(at)))


def other_lines(folder: Path, event_record: EventRecord, lang: Lang) -> Iterator[str]:
    """Yield a line for each file other than results.csv that contains unrecorded results."""
    for sentence, file, rows in other_results(folder, event_record):
        option = ("--from",) if sentence == "slips_unread" else ()
        command = command_of("results", folder, *option, file)
        yield format_sentence(sentence, lang, file=file, m=rows, sheet=RESULTS, command=command)


def check_for_typos(event_record: EventRecord, given: Sequence[Round], table: Table, folder: Path) -> None:
    """Check the names in a file for typos.

    Raises:
        DataError: If a new name resembles that of a player who is missing from the round, because it may be a
            typo.
    """
    problems = []
    for number, name, meant in event_file.likely_typos(event_record, given):
        more = ("--rounds", str(number)) if event_record.rounds and number > event_record.rounds else ()
        line = next(r for r in table.rows if plain(name) in (plain(r["player_a"]), plain(r["player_b"])))
        hint = (
            tr(
                "did you mean {meant}? To add a new player, run {command}",
                meant=meant,
                command=command_of("join", folder, name, *more),
            )
            if is_file(folder / event_file.NAME)
            else tr(
                "did you mean {meant}? If these are two players, run {new}, then {join}, and then this command again "
                "with -o {folder}",
                meant=meant,
                new=_start_command(folder, event_record),
                join=command_of("join", folder, meant, name),
                folder=folder,
            )
        )
        problems.append(line.problem(tr("there is no player named {name!r}", name=name[:40]), hint))
    DataError.raise_if_any(problems)


def _start_command(folder: Path, event_record: EventRecord) -> str:
    """Return the command that starts an event with the settings of a record in a folder without an event."""
    words_: list[CommandWord] = ["muster", "tournament", "new", event_record.game, "--seed", event_record.code]
    for name, option in event_record.options.items():
        words_ += [f"--{name}", option]
    words_ += ["--scenarios", event_record.scenarios] if event_record.scenarios != MODES[0] else []
    words_ += ["--sealed"] if event_record.sealed else []
    return suggested_command([*words_, "-o", folder, *lang_option()])


def next_step(folder: Path, event_record: EventRecord) -> tuple[str, str]:
    """Return the next step of an event, as the key of its sentence and its command."""
    here = [player for player in event_record.players if player.is_present(event_record.next_number)]
    moved = moved_rounds(folder, event_record)
    for one in event_record.round:
        now_ = round_state(folder, event_record, one)
        if one.number in moved and now_ != "played":
            return "next_moved", command_of("status", folder)
        if now_ == "paired" or (now_ == "open" and has_lost_results(folder, one.number)):
            return "next_pack", command_of("pack", folder)
        if now_ == "open" and not is_file(folder / round_folder(one.number) / MANIFEST):
            # The round was written into event.toml, or another program paired it, so it has no results.csv.
            return "next_pack", command_of("pack", folder, "--round", str(one.number), "--reopen")
        if now_ != "played" and one.tables:
            return "next_results", command_of("results", folder)
    last = event_record.round[-1] if event_record.round else None
    over = (
        last
        and not last.final
        and not event_record.cut
        and event_record.rounds
        and last.number >= event_record.rounds
    )
    done = over or (last and last.final == CUTS[0])
    if done:
        return "next_over", command_of("standings", folder)
    if len(here) < CUTS[0]:
        return "next_join", command_of("join", folder, "NAME")
    resting = [player for player in here if event_record.next_number in player.rests]
    if len(here) - len(resting) < CUTS[0]:
        return "next_join", command_of("join", folder, resting[0].name, "--round", str(event_record.next_number))
    return "next_pair", command_of("pair", folder)


def print_next_step(key: str, next_command: str, lang: Lang) -> None:
    """Print the next step of an event."""
    print_sentence(key, lang, command=next_command)


def command_of(verb: str, folder: Path, *words: CommandWord) -> str:
    """Return a tournament command for the user to enter. It has --lang if the running command needs it."""
    return suggested_command(["muster", "tournament", verb, folder, *words, *lang_option()])


def event_values(
    folder: Path, event_record: EventRecord, wrote: bool, lines: Sequence[str] = ()
) -> dict[str, object]:
    """Return an event as plain values for JSON (docs/json.md)."""
    return {
        "folder": str(folder),
        "event": event_record.name,
        "game": event_record.game,
        "code": event_record.code,
        "system": event_record.system,
        "rounds": event_record.rounds,
        "games": event_record.games,
        "players": [
            {"name": p.name, "team": p.team, "lot": p.lot, "here": p.is_present(event_record.next_number)}
            for p in event_record.players
        ],
        "round": [
            {
                "round": one.number,
                "state": round_state(folder, event_record, one),
                "earlier": is_of_earlier_version(folder / round_folder(one.number)),
                "final": one.final,
                "tables": [{"table": m.table, "a": m.a, "b": m.b, "half": m.half} for m in one.meetings],
                "waiting": one.tables_without_results(event_record.games),
                "corrected": len(one.corrected),
            }
            for one in event_record.round
        ],
        "contradictions": [],
        "told": list(lines),
        "written": wrote,
        "next": next_step(folder, event_record)[1],
    }


def save_and_report(
    folder: Path,
    event_record: EventRecord,
    dry_run: bool,
    as_json: bool,
    lang: Lang,
    lines: Sequence[str] = (),
    past: Sequence[int] = (),
    removed: Sequence[int] = (),
) -> None:
    """Write the event, move files of undone rounds to copies, and report the changes and the next step.

    The results of the rounds in `past` are moved, and the folders of packed rounds in `removed`, which are no longer
    paired.
    """
    wrote = save_event(folder, event_record, dry_run)
    if not dry_run:
        lines = [*lines, *(format_sentence("copied", lang, file=copy) for copy in move_to_copies(folder, past))]
        moved = move_packed_rounds(folder, removed)
        lines += [format_sentence("pages_moved", lang, n=number, folder=copy) for number, copy in moved]
    if as_json:
        console.print_json(event_values(folder, event_record, wrote and not dry_run, lines))
        return
    for line in lines:
        console.print_line(line)
    if dry_run and wrote:
        print_sentence("would_write", lang, file=folder / event_file.NAME)
    if not dry_run or is_file(folder / event_file.NAME):
        print_next_step(*next_step(folder, event_record), lang)


def few_players_lines(folder: Path, event_record: EventRecord, lang: Lang) -> list[str]:
    """Return a warning if there are too few players for the number of rounds, or an empty list."""
    found = too_few_players(event_record, sum(player.is_present(1) for player in event_record.players))
    return [format_sentence(found[0], lang, file=folder / event_file.NAME, **found[1])] if found else []


def few_left_lines(folder: Path, event_record: EventRecord, numbers: Iterable[int], lang: Lang) -> list[str]:
    """Return a line for each of these rounds that has fewer than two players because others rest."""
    lines = []
    for number in numbers:
        resting = [
            player.name for player in event_record.players if player.is_present(number) and number in player.rests
        ]
        if resting and sum(player.is_paired(number) for player in event_record.players) < 2:
            back = command_of("join", folder, resting[0], "--round", str(number))
            lines.append(format_sentence("few_left", lang, n=number, names=resting, command=back))
    return lines


def apart_lines(folder: Path, before: EventRecord, event_record: EventRecord, lang: Lang) -> list[str]:
    """Return a line for each meeting of players who must be kept apart, except meetings already in `before`."""
    known_ = {(number, meeting.table) for number, meeting, _ in meetings_of_apart(before)}
    return [
        Problem(message, hint=hint).describe(lang)
        for number, meeting, _ in meetings_of_apart(event_record)
        if (number, meeting.table) not in known_
        for message, hint in [apart_problem(number, meeting, folder)]
    ]


def with_planned_rounds(event_record: EventRecord, rounds: int | None) -> EventRecord:
    """Return the event with another number of planned rounds.

    Raises:
        WrongUsageError: If more rounds are already paired.
    """
    if rounds is None:
        return event_record
    if rounds < event_record.next_number - 1:
        raise WrongUsageError(
            tr("--rounds {rounds}: round {n} is already paired", rounds=rounds, n=event_record.next_number - 1),
            hint=tr("rounds: {known}", known=[*range(event_record.next_number - 1, event_record.next_number + 1)]),
        )
    return replace(event_record, rounds=rounds)


def check_round_is_planned(event_record: EventRecord, number: int, command_: str) -> None:
    """Check that a round is one of the planned rounds.

    Raises:
        WrongUsageError: If the round is not planned. The hint is the command that adds it.
    """
    if event_record.rounds and number > event_record.rounds:
        message = tr(
            "round {n}: the last planned round of the event, round {rounds}, is paired",
            n=number,
            rounds=event_record.rounds,
        )
        raise WrongUsageError(message, hint=tr("to play another round: {command}", command=command_))


def final_size(raw: str | None) -> event_file.Cut:
    """Return the number of players in the final from the value of an option, or 0 if the option is not given."""
    return next((cut for cut in CUTS if str(cut) == raw), 0)


@click.command(cls=Verb)
@FOLDER
@click.option("--pairings", metavar="FILE", type=click.Path(path_type=Path))
@ENCODING
@click.option("--round", "number", type=click.IntRange(1, MAX_ROUNDS), metavar="N")
@click.option("--cut", type=click.Choice([str(cut) for cut in CUTS]))
@PLANNED_ROUNDS
@REMATCH
@REOPEN
@DRY_RUN
@console.answer_options
@writes_event
def pair(
    folder: Path,
    pairings: Path | None,
    encoding: str | None,
    number: int | None,
    cut: str | None,
    rounds: int | None,
    rematch: bool,
    reopen: bool,
    dry_run: bool,
    lang: Lang,
    as_json: bool,
) -> None:
    """Pair the next round, based on the results of earlier rounds or on a file of another program."""
    event_record = open_event(folder)
    found = record_results(folder, event_record)
    at = number or (event_record.next_number if rounds is None else min(event_record.next_number, rounds + 1))
    undone = [one.number for one in event_record.round if one.number >= at] if reopen else []
    if reopen and not undone and event_record.round:
        raise WrongUsageError(_nothing_to_reopen(folder, event_record, at))
    same_options = (*(("--round", str(number)) if number else ()), *(("--reopen",) if reopen else ()))
    not_paired = Problem(
        tr("round {n} was not paired, because some results cannot be recorded", n=at),
        str(folder),
        hint=correct_first(command_of("pair", folder, *same_options)),
    )
    stop_if_refused(folder, found, not_paired, dry_run, as_json, lang, undone)
    event_record, lines = found.event_record, list[str]()
    past = [n for n in frozen_rounds(folder, event_record) if n >= at]
    if rounds is not None and at > rounds:
        _end_earlier(folder, event_record, rounds, reopen, dry_run, as_json, lang)
        return
    if at == event_record.next_number and not (
        cut or event_record.cut or any(one.final for one in event_record.round)
    ):
        given_file = ("--pairings", str(pairings)) if pairings else ()
        check_round_is_planned(
            with_planned_rounds(event_record, rounds),
            at,
            command_of("pair", folder, *given_file, "--rounds", str(at)),
        )
    if at < event_record.next_number:
        event_record = reopen_rounds(folder, event_record, at, reopen, lines, lang)
    elif at > event_record.next_number:
        hint = tr("rounds: {known}", known=[event_record.next_number])
        raise WrongUsageError(tr("--round: there is no round {n}", n=at), hint=hint)
    event_record = with_planned_rounds(event_record, rounds)
    # The pairings of a rotation do not depend on results.
    for one in event_record.round if event_record.system != "rotation" and not pairings else ():
        if one.number < at and (tables := one.tables_without_results(event_record.games)):
            problem = tr(
                "the results of these tables in round {n} are missing: {tables}", n=one.number, tables=tables
            )
            raise WrongUsageError(problem, hint=command_of("results", folder))
    if pairings:
        read, used, remarks = outside.read_rounds(pairings, encoding, event_record, at)
        lines += encoding_lines(str(pairings), used, lang)
        lines += [one.describe(lang) if isinstance(one, Problem) else localize(one, lang) for one in remarks]
        given = [Round(at, of.pairings) for of in read]
        again = matching.check_rematches(event_record, given, rematch)
        event_record = event_file.with_rounds(event_record, given)
        made = PairedRound(event_record.find_round(at) or Played(at), tuple((a, b) for _, a, b, _ in again))
        there = {plain(name) for m in made.round.meetings for name in (m.a, m.b)}
        if out := [p.name for p in event_record.players if p.is_present(at) and plain(p.name) not in there]:
            lines.append(format_sentence("missing", lang, n=at, names=out))
    else:
        if cut:
            event_record = replace(event_record, cut=final_size(cut))
        if not event_record.round:
            lines += few_players_lines(folder, event_record, lang)
        _check_enough_players(folder, event_record, at)
        made = _next_round(event_record, at, bool(cut))
        event_record = event_record.with_round(made.round)
        hint = tr(
            "--allow-rematch allows rematches; with few players, start the event with muster tournament new --system "
            "rotation, which lets all players meet once before any pair meets again"
        )
        WrongUsageError.raise_if_any(
            Problem(
                tr("round {n}: {a} and {b} have already met, but no other pairing is possible", n=at, a=a, b=b),
                hint=hint,
            )
            for a, b in made.rematches
            if event_record.system != "rotation" and not made.round.final and not rematch
        )
    lines += [_format_meeting(one, lang) for one in made.round.meetings]
    lines += [format_sentence("again_met", lang, a=a, b=b) for a, b in made.rematches]
    lines += [format_sentence("second_bye", lang, name=name) for name in made.second_byes]
    lines += [format_sentence("mates", lang, a=a, b=b) for a, b in made.teammates]
    lines += [format_sentence("moved", lang, name=name) for name in made.without_needed_table]
    lines += apart_lines(folder, found.event_record, event_record, lang)
    lines += unrecorded_lines(folder, found.refused, past, lang)
    lines = [*recording_lines(folder, found, lang), *lines]
    if not dry_run:
        remove_outdated(folder, [one.number for one in found.event_record.round if one.number >= at])
    removed = [one.number for one in found.event_record.round if one.number > at and one.number not in past]
    save_and_report(folder, event_record, dry_run, as_json, lang, lines, past, removed)


def _nothing_to_reopen(folder: Path, event_record: EventRecord, number: int) -> Problem:
    """Return the problem that --reopen is given for a round that is not paired yet, with a command for the last one.

    A round is reopened with --reopen only if it was played or packed by an earlier version.
    """
    last = event_record.round[-1].number
    closed = ("--reopen",) if last in frozen_rounds(folder, event_record) else ()
    return Problem(
        tr("--reopen: round {n} is not paired yet, so it cannot be reopened", n=number),
        hint=tr(
            "to pair round {n} again: {command}",
            n=last,
            command=command_of("pair", folder, "--round", str(last), *closed),
        ),
    )


def _end_earlier(
    folder: Path, event_record: EventRecord, rounds: int, reopen: bool, dry_run: bool, as_json: bool, lang: Lang
) -> None:
    """Plan fewer rounds, and remove the pairings of later rounds."""
    lines: list[str] = []
    later = [one.number for one in event_record.round if one.number > rounds]
    past = [n for n in frozen_rounds(folder, event_record) if n > rounds]
    if later:
        event_record = reopen_rounds(folder, event_record, rounds + 1, reopen, lines, lang)
        lines += [format_sentence("taken_back", lang, n=n) for n in later if n not in past]
    if not dry_run:
        remove_outdated(folder, later)
    lines.append(format_sentence("rounds_now", lang, n=rounds))
    removed = [n for n in later if n not in past]
    save_and_report(folder, with_planned_rounds(event_record, rounds), dry_run, as_json, lang, lines, past, removed)


def _check_enough_players(folder: Path, event_record: EventRecord, number: int) -> None:
    """Check that a round has at least two players to pair.

    Raises:
        WrongUsageError: If there are fewer. The message lists the players who rest, and the hint shows how they
            can play.
    """
    here = [player for player in event_record.players if player.is_present(number)]
    resting = [player.name for player in here if number in player.rests]
    if len(here) - len(resting) >= CUTS[0]:
        return
    message = tr(
        "round {n} needs at least 2 players to pair, but has only {count}", n=number, count=len(here) - len(resting)
    )
    if resting:
        message = tr("{fault}; players who rest: {names}", fault=message, names=resting)
    back = command_of("join", folder, resting[0], "--round", str(number)) if resting else ""
    raise WrongUsageError(message, hint=back or command_of("join", folder, "NAME"))


def _next_round(event_record: EventRecord, number: int, now_: bool) -> PairedRound:
    """Pair the next round with the event's system.

    The round is the final if `now_` is true, if the last round was a final, or if all planned rounds are paired
    and there is a cut.
    """
    last = event_record.round[-1] if event_record.round else None
    if now_ or (last and last.final) or (event_record.cut and event_record.rounds and number > event_record.rounds):
        return matching.pair_final(event_record, number, event_record.cut)
    if event_record.system == "dutch":
        return dutch.pair_dutch(event_record, number)
    return matching.pair_round(event_record, number)


def _format_meeting(one: event_file.Meeting, lang: Lang) -> str:
    """Return a line with the table and the players of a meeting."""
    at = words()["at"]
    if one.b:
        where, who = at["table"].fill(n=one.table), at["pair"].fill(a=one.a, b=one.b)[lang]
    else:
        where, who = at["half" if one.half else "bye"], one.a
    return at["place"].fill(where=where, who=who)[lang]


def reopen_rounds(
    folder: Path, event_record: EventRecord, number: int, allowed: bool, lines: list[str], lang: Lang
) -> EventRecord:
    """Return the event without this round and later rounds. A report of what is undone is added to `lines`.

    Raises:
        WrongUsageError: If a later round was played, or if this round was played and `allowed` is false.
    """
    later = [one for one in event_record.round if one.number >= number]
    played = [one.number for one in later if one.number in frozen_rounds(folder, event_record)]
    if past := [n for n in played if n > number]:
        raise WrongUsageError(
            tr("the later round {n} has already been played; reopen that round first", n=past[-1]),
            hint=f"--round {past[-1]}",
        )
    results = sum(len(one.results) for one in later)
    undoes = words()["say"]["undoes"].fill(n=format_numbers(one.number for one in later), m=results)
    if played and not allowed:
        hint = tr("add --reopen to make the round again; this undoes {undoes}", undoes=undoes)
        raise WrongUsageError(closed_reason(folder, event_record, number), hint=hint)
    if played:
        lines.append(format_sentence("reopened", lang, n=number, undoes=undoes, file=folder / event_file.NAME))
    time = current_time()
    for one in reversed(later):
        event_record = event_file.reopen_round(event_record, one.number, time) if one.number in played else replace(
            event_record, round=tuple(of for of in event_record.round if of.number != one.number)
        )  # fmt: skip
    return event_record


def closed_reason(folder: Path, event_record: EventRecord, number: int) -> str:
    """Return the reason that a round is not paired or packed again without --reopen."""
    one = event_record.find_round(number)
    if one and not one.results and is_of_earlier_version(folder / round_folder(number)):
        return tr("round {n} was packed by an earlier version of Muster", n=number)
    return tr("round {n} has been played", n=number)


def waiting_lines(event_record: EventRecord, rounds: Iterable[Played], lang: Lang) -> Iterator[str]:
    """Yield a line for each round with some results that lacks others."""
    for one in rounds:
        if one.results and (tables := one.tables_without_results(event_record.games)):
            yield format_sentence("waiting", lang, n=one.number, tables=format_numbers(tables))


@click.command(cls=Verb)
@FOLDER
@console.answer_options
def status(folder: Path, lang: Lang, as_json: bool) -> None:
    """Show the progress of an event and the next step without writing anything."""
    event_record, found = open_event(folder), find_contradictions(folder)
    problems = [*found.faults, *found.remarks]
    read = record_results(folder, event_record)
    others = [*rejected_lines(folder, read, lang), *kept_lines(folder, read, lang)]
    others += other_lines(folder, event_record, lang)
    if as_json:
        console.print_json(
            event_values(folder, event_record, False, others)
            | {"contradictions": [*map(console.problem_values, problems)]}
        )
        console.exit_if(bool(found.of_packed_rounds))
        return
    for problem in problems:
        console.print_line(problem.describe(lang), err=True)
    here = [player for player in event_record.players if player.is_present(event_record.next_number)]
    print_sentence(
        "status",
        lang,
        event=event_record.name,
        game=games.load(event_record.game).title,
        n=len(here),
        m=len(event_record.players),
    )
    if gone := [player.name for player in event_record.players if player not in here]:
        print_sentence("gone", lang, names=gone)
    if old := [one.number for one in event_record.round if is_of_earlier_version(folder / round_folder(one.number))]:
        print_sentence("earlier", lang, n=format_numbers(old))
    for one in event_record.round:
        of = words()["say"][f"is_{round_state(folder, event_record, one)}"]
        print_sentence("round", lang, n=one.number, tables=len(one.tables), state=of)
        for line in waiting_lines(event_record, [one], lang):
            console.print_line(line)
    resting = [one.number for one in event_record.round if round_state(folder, event_record, one) != "played"]
    for number in [*resting, event_record.next_number]:
        for sentence, names in zip(("rests", "rests_half"), event_record.byes_in_round(number), strict=True):
            if names:
                print_sentence(sentence, lang, n=number, names=tuple(names))
    for line in others:
        console.print_line(line)
    print_next_step(*next_step(folder, event_record), lang)
    console.exit_if(bool(found.of_packed_rounds))
