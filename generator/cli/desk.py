"""The organiser's desk: an event's book in its folder, and the verbs that write in it between two rounds.

Each says what it did and what comes next; with --dry-run only what it would do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click
from msgspec.structs import replace

from generator import games
from generator.cli import console
from generator.cli.contradictions import contradictions
from generator.cli.event import (
    earlier,
    keep,
    now,
    opened,
    round_folder,
)
from generator.cli.help import Verb
from generator.cli.lists import ENCODING, encoding_lines
from generator.cli.one_writer import writes_event
from generator.cli.other_results import other_results
from generator.cli.round_results import frozen, lost_sheet, recorded, remove_outdated, set_aside, sheet, state
from generator.errors import DataError, Problem, WrongUsageError
from generator.localization import lang_option, tr
from generator.model.words import Lang
from generator.notation.text import command
from generator.tournament import dutch, ledger, matching, outside
from generator.tournament.csv_files import Table, plain
from generator.tournament.feasible import warning
from generator.tournament.ledger import CUTS, Book, Played
from generator.tournament.matching import Next
from generator.tournament.packing import RESULTS
from generator.tournament.pairings import MOST_ROUNDS, Round, words
from generator.tournament.record import Taken, shown
from generator.tournament.remarks import apart_problem, meetings_of_apart

FOLDER = click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
DRY = click.option("--dry-run", "dry", is_flag=True)
REOPEN = click.option("--reopen", is_flag=True)
PLANNED = click.option("--rounds", type=click.IntRange(1, MOST_ROUNDS), metavar="N")
REMATCH = click.option("--allow-rematch", "rematch", is_flag=True)


def said(sentence: str, lang: Lang, **values: object) -> str:
    """One of the sentences of a tournament."""
    return words()["say"][sentence].fill(**values)[lang]


def tell(sentence: str, lang: Lang, **values: object) -> None:
    """Say one of them."""
    console.line(said(sentence, lang, **values))


def numbers(of: Iterable[int]) -> str:
    """Numbers of rounds or tables in a row."""
    return ", ".join(map(str, of))


def taken_lines(folder: Path, found: Taken, lang: Lang) -> Iterator[str]:
    """Report what became of results, a line each."""
    for number, count in sorted(Counter(number for number, _ in found.fresh).items()):
        yield said("recorded", lang, n=number, m=count)
    for number, old, new in found.corrected:
        yield said("corrected", lang, n=number, table=new.table, game=new.game, old=shown(old), new=shown(new))
        if later := [one.number for one in found.book.round if one.number > number]:
            yield said("based", lang, n=number, m=numbers(later))
    for number, old in found.emptied:
        yield said("stands", lang, n=number, table=old.table, game=old.game, old=shown(old))
    for number, old, read, file in found.superseded:
        own = sheet(folder, number)
        values = {"n": number, "table": old.table, "game": old.game, "old": shown(old), "read": shown(read)}
        again = command_of("results", folder, str(own))
        kind = "superseded_slip" if read.elsewhere else "superseded"
        yield said(kind, lang, **values, file=file, sheet=own, command=again)
    for one in found.missing:
        of = found.book.at(one.round)
        there = {(game.table, game.game) for game in of.results} if of else set()
        if one.tables:
            recorded_ = any(table in one.tables for table, _ in there)
            sentence = "no_row_table" if recorded_ else "lacks_table"
            yield said(sentence, lang, n=one.round, file=one.file, tables=numbers(one.tables))
        for table, game in one.games:
            sentence = "no_row_game" if (table, game) in there else "lacks_game"
            yield said(sentence, lang, n=one.round, file=one.file, table=table, game=game)
        if one.byes:
            yield said("no_row_bye", lang, n=one.round, file=one.file, names=", ".join(one.byes))
        for line in one.rows:
            yield said("put_back", lang, file=one.file, line=line)
    for round_ in found.book.round:
        if lost_sheet(folder, round_.number):
            values = {"file": sheet(folder, round_.number), "command": command_of("pack", folder)}
            yield said("lost_sheet", lang, n=round_.number, **values)
    for file, heads in found.unread:
        yield said("unread", lang, file=file, heads=", ".join(heads))
    for cell in found.unread_cells:
        yield cell.describe(lang)


def disputed_lines(event_record: Book, lang: Lang) -> Iterator[str]:
    """Name each recorded game whose winner is not the one with the higher score."""
    for one in event_record.round:
        at = {m.table: m for m in one.tables}
        for game in one.results:
            if ledger.disputed(game, event_record.bid):
                m = at[game.table]
                yield said("disputed", lang, n=one.number, table=m.table, game=game.game, a=m.a, b=m.b)


def tell_taken(folder: Path, found: Taken, lang: Lang) -> None:
    """Print what became of results."""
    for line in taken_lines(folder, found, lang):
        console.line(line)


def stop_if_refused(
    folder: Path, found: Taken, dry: bool, as_json: bool, lang: Lang, reopened: Iterable[int] = ()
) -> None:
    """Stop with DataError if rows were refused, once the others are in the book.

    Rows of rounds that are reopened do not matter: a copy of them is kept.
    """
    spared = {str(sheet(folder, number)) for number in reopened}
    if refused := [problem for problem in found.refused if problem.file not in spared]:
        keep(folder, found.book, dry)
        if not as_json:
            tell_taken(folder, found, lang)
        raise DataError(*refused)


def unrecorded_lines(folder: Path, refused: Iterable[Problem], numbers_: Iterable[int], lang: Lang) -> Iterator[str]:
    """Report which lines of reopened rounds' results.csv were not recorded, a line for each file."""
    by_file: dict[str, set[int]] = {}
    for problem in refused:
        by_file.setdefault(problem.file, set()).add(problem.line)
    for number in numbers_:
        file = sheet(folder, number)
        if at := by_file.get(str(file)):
            yield said("unrecorded", lang, file=file, lines=numbers(sorted(at)))


def other_lines(folder: Path, event_record: Book, lang: Lang) -> Iterator[str]:
    """Name the files whose results are not recorded, because they have another name than results.csv."""
    for sentence, file in other_results(folder, event_record):
        yield said(sentence, lang, file=file, sheet=RESULTS, command=command_of("results", folder, str(file)))


def unless_mistyped(book: Book, given: Sequence[Round], table: Table, folder: Path) -> None:
    """DataError for each new name that is near to one who is missing from its round: it may be the same."""
    problems = []
    for number, name, meant in ledger.mistyped(book, given):
        more = ("--rounds", str(number)) if book.rounds and number > book.rounds else ()
        line = next(r for r in table.rows if plain(name) in (plain(r["player_a"]), plain(r["player_b"])))
        hint = tr("did you mean {meant}? A new player joins first: {command}",
                   meant=meant, command=command_of("join", folder, name, *more))  # fmt: skip
        problems.append(line.problem(tr("no player {name!r}", name=name[:40]), hint))
    DataError.raise_if_any(problems)


def follows(folder: Path, book: Book) -> tuple[str, str]:
    """What comes next: which sentence tells it, and the command."""
    here = [player for player in book.players if player.here(book.next)]
    for one in book.round:
        now_ = state(folder, book, one)
        if now_ == "paired" or (now_ == "open" and lost_sheet(folder, one.number)):
            return "next_pack", command_of("pack", folder)
        if now_ != "played" and one.tables:
            return "next_results", command_of("results", folder)
    last = book.round[-1] if book.round else None
    over = last and not last.final and not book.cut and book.rounds and last.number >= book.rounds
    done = over or (last and last.final == CUTS[0])
    if done:
        return "next_over", command_of("standings", folder)
    if len(here) < CUTS[0]:
        return "next_join", command_of("join", folder, "NAME")
    resting = [player for player in here if book.next in player.rests]
    if len(here) - len(resting) < CUTS[0]:
        return "next_join", command_of("join", folder, resting[0].name, "--round", str(book.next))
    return "next_pair", command_of("pair", folder)


def tell_next(sentence: str, typed: str, lang: Lang) -> None:
    """Say what comes next."""
    tell(sentence, lang, command=typed)


def command_of(verb: str, folder: Path, *words: str) -> str:
    """A command of a tournament, as it is typed, in the language that this one was given explicitly."""
    return command(["muster", "tournament", verb, str(folder), *words, *lang_option()], {})


def row(folder: Path, book: Book, wrote: bool, lines: Sequence[str] = ()) -> dict[str, object]:
    """An event as plain values (docs/json.md)."""
    return {
        "folder": str(folder),
        "event": book.name,
        "game": book.game,
        "code": book.code,
        "system": book.system,
        "rounds": book.rounds,
        "games": book.games,
        "players": [{"name": p.name, "team": p.team, "lot": p.lot, "here": p.here(book.next)} for p in book.players],
        "round": [
            {
                "round": one.number,
                "state": state(folder, book, one),
                "earlier": earlier(folder / round_folder(one.number)),
                "final": one.final,
                "tables": [{"table": m.table, "a": m.a, "b": m.b, "half": m.half} for m in one.meetings],
                "waiting": one.waiting(book.games),
                "corrected": len(one.corrected),
            }
            for one in book.round
        ],
        "contradictions": [],
        "told": list(lines),
        "written": wrote,
        "next": follows(folder, book)[1],
    }


def finish(
    folder: Path,
    book: Book,
    dry: bool,
    as_json: bool,
    lang: Lang,
    lines: Sequence[str] = (),
    past: Sequence[int] = (),
) -> None:
    """Write the book, put aside what rounds held that were reopened, and say what was done and what comes next."""
    wrote = keep(folder, book, dry)
    copies = set_aside(folder, past) if not dry else ()
    lines = [*lines, *(said("copied", lang, file=copy) for copy in copies)]
    if as_json:
        console.as_json(row(folder, book, wrote and not dry, lines))
        return
    for line in lines:
        console.line(line)
    if dry and wrote:
        tell("would_write", lang, file=folder / ledger.NAME)
    tell_next(*follows(folder, book), lang)


def few_players(folder: Path, book: Book, lang: Lang) -> list[str]:
    """A warning, if there is one, that players are too few for the rounds."""
    found = warning(book, sum(player.here(1) for player in book.players))
    return [said(found[0], lang, file=folder / ledger.NAME, **found[1])] if found else []


def few_left(folder: Path, book: Book, numbers: Iterable[int], lang: Lang) -> list[str]:
    """A line for each of these rounds that has fewer than two players left to pair, because others rest in it."""
    lines = []
    for number in numbers:
        resting = [player.name for player in book.players if player.here(number) and number in player.rests]
        if resting and sum(player.plays(number) for player in book.players) < 2:
            back = command_of("join", folder, resting[0], "--round", str(number))
            lines.append(said("few_left", lang, n=number, names=", ".join(resting), command=back))
    return lines


def apart_lines(folder: Path, before: Book, book: Book, lang: Lang) -> list[str]:
    """Report players who are kept apart and are now to meet, but were not before."""
    known_ = {(number, meeting.table) for number, meeting, _ in meetings_of_apart(before)}
    return [
        Problem(message, hint=hint).describe(lang)
        for number, meeting, _ in meetings_of_apart(book)
        if (number, meeting.table) not in known_
        for message, hint in [apart_problem(number, meeting, folder)]
    ]


def planned(book: Book, rounds: int | None) -> Book:
    """Return the event with another number of planned rounds, or as it is; WrongUsageError if more are paired."""
    if rounds is None:
        return book
    if rounds < book.next - 1:
        raise WrongUsageError(
            tr("--rounds {rounds}: round {n} is paired already", rounds=rounds, n=book.next - 1),
            hint=tr("rounds: {known}", known=[*range(book.next - 1, book.next + 1)]),
        )
    return replace(book, rounds=rounds)


def unless_over(book: Book, number: int, command_: str) -> None:
    """WrongUsageError if a round is beyond the planned ones; the hint is the command that adds it."""
    if book.rounds and number > book.rounds:
        message = tr("round {n}: all {rounds} rounds of the event are paired", n=number, rounds=book.rounds)
        raise WrongUsageError(message, hint=tr("to play another round: {command}", command=command_))


def final_size(typed: str | None) -> ledger.Cut:
    """How many play a final; 0 where nobody says."""
    return next((cut for cut in CUTS if str(cut) == typed), 0)


@click.command(cls=Verb)
@FOLDER
@click.option("--pairings", metavar="FILE", type=click.Path(path_type=Path))
@ENCODING
@click.option("--round", "number", type=click.IntRange(1, MOST_ROUNDS), metavar="N")
@click.option("--cut", type=click.Choice([str(cut) for cut in CUTS]))
@PLANNED
@REMATCH
@REOPEN
@DRY
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
    dry: bool,
    lang: Lang,
    as_json: bool,
) -> None:
    """Pair the next round, from the results of those before it or as a file of another tool has it."""
    book = opened(folder)
    found = recorded(folder, book)
    at = number or (book.next if rounds is None else min(book.next, rounds + 1))
    undone = [one.number for one in book.round if one.number >= at] if reopen else []
    stop_if_refused(folder, found, dry, as_json, lang, undone)
    book, lines = found.book, list[str]()
    past = [n for n in frozen(folder, book) if n >= at]
    if rounds is not None and at > rounds:
        _end_earlier(folder, book, rounds, reopen, dry, as_json, lang)
        return
    if at == book.next and not (cut or book.cut or any(one.final for one in book.round)):
        given_file = ("--pairings", str(pairings)) if pairings else ()
        unless_over(planned(book, rounds), at, command_of("pair", folder, *given_file, "--rounds", str(at)))
    if at < book.next:
        book = reopened(folder, book, at, reopen, lines, lang)
    elif at > book.next:
        hint = tr("rounds: {known}", known=[book.next])
        raise WrongUsageError(tr("--round: there is no round {n}", n=at), hint=hint)
    book = planned(book, rounds)
    # A rotation hangs on no result.
    for one in book.round if book.system != "rotation" and not pairings else ():
        if one.number < at and (tables := one.waiting(book.games)):
            problem = tr("round {n} lacks results: tables {tables}", n=one.number, tables=tables)
            raise WrongUsageError(problem, hint=command_of("results", folder))
    if pairings:
        read, used = outside.rounds(pairings, encoding, book, at)
        lines += encoding_lines(str(pairings), used, lang)
        given = [Round(at, of.pairings) for of in read]
        again = matching.unless_again(book, given, rematch)
        book = ledger.with_rounds(book, given)
        made = Next(book.at(at) or Played(at), tuple((a, b) for _, a, b, _ in again))
        there = {plain(name) for m in made.round.meetings for name in (m.a, m.b)}
        if out := [p.name for p in book.players if p.here(at) and plain(p.name) not in there]:
            lines.append(said("missing", lang, n=at, names=", ".join(out)))
    else:
        if cut:
            book = replace(book, cut=final_size(cut))
        if not book.round:
            lines += few_players(folder, book, lang)
        _unless_too_few(folder, book, at)
        made = _next(book, at, bool(cut))
        book = book.with_round(made.round)
        hint = tr(
            "--allow-rematch accepts it as it is; begin an event of so few players with muster tournament new "
            "--system rotation: all meet once before anyone meets again"
        )
        WrongUsageError.raise_if_any(
            Problem(tr("round {n}: {a} – {b} met before, and nothing else is left", n=at, a=a, b=b), hint=hint)
            for a, b in made.again
            if book.system != "rotation" and not made.round.final and not rematch
        )
    lines += [_meeting(one, lang) for one in made.round.meetings]
    lines += [said("again_met", lang, a=a, b=b) for a, b in made.again]
    lines += [said("second_bye", lang, name=name) for name in made.second]
    lines += [said("mates", lang, a=a, b=b) for a, b in made.mates]
    lines += [said("moved", lang, name=name) for name in made.moved]
    lines += apart_lines(folder, found.book, book, lang)
    lines += unrecorded_lines(folder, found.refused, past, lang)
    if not dry:
        remove_outdated(folder, [one.number for one in found.book.round if one.number >= at])
    finish(folder, book, dry, as_json, lang, [*taken_lines(folder, found, lang), *lines], past)


def _end_earlier(folder: Path, book: Book, rounds: int, reopen: bool, dry: bool, as_json: bool, lang: Lang) -> None:
    """End an event after fewer rounds than are planned or paired: the rounds after these are taken back."""
    lines: list[str] = []
    later = [one.number for one in book.round if one.number > rounds]
    past = [n for n in frozen(folder, book) if n > rounds]
    if later:
        book = reopened(folder, book, rounds + 1, reopen, lines, lang)
        lines += [said("taken_back", lang, n=n) for n in later if n not in past]
    if not dry:
        remove_outdated(folder, later)
    lines.append(said("rounds_now", lang, n=rounds))
    finish(folder, planned(book, rounds), dry, as_json, lang, lines, past)


def _unless_too_few(folder: Path, book: Book, number: int) -> None:
    """WrongUsageError if a round has fewer than two players to pair: who rests in it, and how they can play."""
    here = [player for player in book.players if player.here(number)]
    resting = [player.name for player in here if number in player.rests]
    if len(here) - len(resting) >= CUTS[0]:
        return
    told = tr("round {n} needs two players to pair, and has {count}", n=number, count=len(here) - len(resting))
    if resting:
        told = tr("{fault}; resting: {names}", fault=told, names=resting)
    back = command_of("join", folder, resting[0], "--round", str(number)) if resting else ""
    raise WrongUsageError(told, hint=back or command_of("join", folder, "NAME"))


def _next(book: Book, number: int, now_: bool) -> Next:
    """The next round as the event's system has it; `now_` begins the final, as the last of the rounds does."""
    last = book.round[-1] if book.round else None
    if now_ or (last and last.final) or (book.cut and book.rounds and number > book.rounds):
        return matching.final(book, number, book.cut)
    if book.system == "dutch":
        return dutch.dutch(book, number)
    return matching.paired(book, number)


def _meeting(one: ledger.Meeting, lang: Lang) -> str:
    """Who meets whom where, in a line."""
    at = words()["at"]
    if one.b:
        where, who = at["table"].fill(n=one.table), at["pair"].fill(a=one.a, b=one.b)[lang]
    else:
        where, who = at["half" if one.half else "bye"], one.a
    return at["place"].fill(where=where, who=who)[lang]


def reopened(folder: Path, book: Book, number: int, allowed: bool, lines: list[str], lang: Lang) -> Book:
    """The book without that round and those after it; WrongUsageError says what that would undo.

    A later round that was played is never undone on the way.
    """
    later = [one for one in book.round if one.number >= number]
    played = [one.number for one in later if one.number in frozen(folder, book)]
    if past := [n for n in played if n > number]:
        raise WrongUsageError(
            tr("round {n} was played after it: reopen that first", n=past[-1]), hint=f"--round {past[-1]}"
        )
    results = sum(len(one.results) for one in later)
    undoes = words()["say"]["undoes"].fill(n=numbers(one.number for one in later), m=results)
    if played and not allowed:
        hint = tr("--reopen does it, and undoes {undoes}", undoes=undoes)
        raise WrongUsageError(closed(folder, book, number), hint=hint)
    if played:
        lines.append(said("reopened", lang, n=number, undoes=undoes, file=folder / ledger.NAME))
    time = now()
    for one in reversed(later):
        book = ledger.opened(book, one.number, time) if one.number in played else replace(
            book, round=tuple(of for of in book.round if of.number != one.number)
        )  # fmt: skip
    return book


def closed(folder: Path, book: Book, number: int) -> str:
    """Why a round is not made again unasked."""
    one = book.at(number)
    if one and not one.results and earlier(folder / round_folder(number)):
        return tr("round {n} was packed by an earlier version of Muster", n=number)
    return tr("round {n} has been played", n=number)


def waiting(book: Book, rounds: Iterable[Played], lang: Lang) -> Iterator[str]:
    """Which results are still to come of rounds that have some."""
    for one in rounds:
        if one.results and (tables := one.waiting(book.games)):
            yield said("waiting", lang, n=one.number, tables=numbers(tables))


@click.command(cls=Verb)
@FOLDER
@console.answer_options
def status(folder: Path, lang: Lang, as_json: bool) -> None:
    """Show the progress of an event and the next step. Nothing is written."""
    book, found = opened(folder), contradictions(folder)
    problems = [*found.faults, *found.remarks]
    others = [*other_lines(folder, book, lang)]
    if as_json:
        console.as_json(row(folder, book, False, others) | {"contradictions": [*map(console.problem_row, problems)]})
        console.end_if(bool(found.of_packed_rounds))
        return
    for problem in problems:
        console.line(problem.describe(lang), err=True)
    here = [player for player in book.players if player.here(book.next)]
    tell("status", lang, event=book.name, game=games.load(book.game).title, n=len(here), m=len(book.players))
    if gone := [player.name for player in book.players if player not in here]:
        tell("gone", lang, names=", ".join(gone))
    if old := [one.number for one in book.round if earlier(folder / round_folder(one.number))]:
        tell("earlier", lang, n=numbers(old))
    for one in book.round:
        of = words()["say"][f"is_{state(folder, book, one)}"]
        tell("round", lang, n=one.number, tables=len(one.tables), state=of)
        for line in waiting(book, [one], lang):
            console.line(line)
    resting = [one.number for one in book.round if state(folder, book, one) != "played"]
    for number in [*resting, book.next]:
        for sentence, names in zip(("rests", "rests_half"), book.resting(number), strict=True):
            if names:
                tell(sentence, lang, n=number, names=", ".join(names))
    for line in others:
        console.line(line)
    tell_next(*follows(folder, book), lang)
    console.end_if(bool(found.of_packed_rounds))
