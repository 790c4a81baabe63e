"""`muster tournament`."""

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
from generator.cli import console, desk, enrolment, output, put, request
from generator.cli.changed_list import asked_rounds, outdated, outdated_lines, relisted
from generator.cli.contradictions import report_contradictions
from generator.cli.desk import DRY, REMATCH, REOPEN
from generator.cli.event import (
    BESIDE,
    INDEX,
    Begun,
    Written,
    begun_in,
    earlier,
    event_name,
    goes_on,
    index,
    keep,
    kept,
    listing,
    noted,
    now,
    opened,
    printed_rounds,
    round_folder,
    secret,
    write_round,
)
from generator.cli.event_update import EventUpdate
from generator.cli.fonts_in_use import unless_fonts_lack, unless_fonts_lack_rows
from generator.cli.help import VerbGroup
from generator.cli.lists import ABSENT, ENCODING, listed_players, reading_lines
from generator.cli.one_writer import LATE_WAIT_S, writes_event, writes_event_itself, writes_if_event, writing
from generator.cli.output import out_file, out_folder
from generator.cli.pack_command import PackCommand
from generator.cli.print_options import ONE_SHEET, PACKS, How, how_options
from generator.cli.round_results import (
    files_named,
    filled_file,
    frozen,
    lost_sheet,
    misfit,
    recorded,
    remove_outdated,
    set_aside,
    sheet,
    write_sheet,
)
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
from generator.store.manifest import joined as listed_with
from generator.tournament import ledger, matching, sealing
from generator.tournament.csv_files import Table
from generator.tournament.csv_files import read as listed
from generator.tournament.day_files import ALL, day_file
from generator.tournament.event import MODES, Event, Mode, Scenarios
from generator.tournament.ledger import SYSTEMS, Book
from generator.tournament.packing import OPENING, RESULTS
from generator.tournament.pages import own_kit, player_day
from generator.tournament.pairings import NEEDED as PAIRED
from generator.tournament.pairings import (
    Entrant,
    Round,
    left_out,
    numbered,
    read_pairings,
    words,
)
from generator.tournament.player_list import Absent
from generator.workers import Workers

_OUT = out_folder()


@click.group(cls=VerbGroup)
@console.lang_accepted
def tournament_verb() -> None:
    """Run a tournament: from a list of players to everything on the tables, and from results to standings."""


@tournament_verb.command(cls=PackCommand)
@request.game_argument
@request.seed_option
@how_options(PACKS)
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
@DRY
@_OUT
@console.json_option
@writes_event_itself
def pack(
    game: Game[Any],
    seed: str | None,
    how: How,
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
    dry: bool,
    out: Path | None,
    as_json: bool,
    **wishes: Any,
) -> None:
    """Draw and print every round: the list for the wall, and for each table its card, scenario and result slip.

    Each scenario is played twice with sides swapped. The organiser's sheet has every code and answer. In the folder
    of an existing event, its game, code, name, options and seal are kept, and played rounds stay unchanged.
    """
    lang, usual = how.first, Path("output") / f"{game.name}-tournament"
    seed = request.code(seed) if seed else None
    place = out or (usual if sealed else _of(usual, seed) if seed else None)
    if tables:
        with contextlib.nullcontext() if dry else writing(place or usual):
            _again(place or usual, tables, round_, dry, lang, as_json)
        return
    if place:
        report_contradictions(place, "pack", lang)
    before = begun_in(place) if place else Begun()
    order, mode = goes_on(before, game, request.requested(game, seed or before.code, wishes), scenarios, sealed)
    folder = place or _of(usual, order.code)
    sealed = sealed or before.sealed
    old = kept(folder)
    book = _book(folder, old, game, order, mode, sealed, rotates=players is not None)
    name = event_name(event) or before.name or words()["at"]["event"].fill(game=game.title)[lang]
    unless_fonts_lack([name])
    given, table, listed_, notes = _paired(pairings, encoding, players, absent, rounds, book, lang, as_json)
    changes: list[str] = []
    stale: list[int] = []
    """Rounds whose results.csv has other pairs from now on."""
    if table and pairings:
        desk.unless_mistyped(book, given, table, folder)
        given, changes = asked_rounds(book, given, round_, pairings, lang)
    if listed_ and rounds:
        book, given, told = relisted(folder, book, listed_, rounds, round_, frozen(folder, book))
        stale = outdated(folder, book, given, round_)
        changes = [change(lang) for change in told] + outdated_lines(folder, stale, lang)
    chosen = _Chosen(folder, book, given, round_, reopen)
    again = matching.unless_again(chosen.book, given, allowed=rematch or not pairings)
    book = ledger.with_rounds(chosen.book, given)
    book = replace(book, name=name, rounds=max([book.rounds, rounds or 0, *(r.number for r in given)]))
    misfits = _misfits(folder, book, chosen, reopen)
    for number in misfits:
        book = _from_copies(book, number)
    every = tuple(one.of() for one in book.round)
    asked = Event(game, order, name, mode, secret(folder) if sealed else "", book.games, book.bid)
    asked = replace(asked, clock=book.clock, notices=book.notices)
    notes += reading_lines(table, lang) if table else []
    if not as_json:
        if before.code == order.code:
            options = "".join(f"--{wish} {value} " for wish, value in order.options.items())
            desk.tell("goes_on", lang, code=order.code, folder=folder, options=f"{options}--scenarios {mode}")
        _tell(given, notes, lang)
        for line in changes:
            console.line(line)
        _tell_chosen(chosen, again, lang)
        for line in desk.unrecorded_lines(folder, chosen.refused, [*chosen.undone, *misfits], lang):
            console.line(line)
    if dry:
        _would(every, chosen.numbers, folder, lang, as_json)
        if not as_json:
            desk.tell_next(*desk.follows(folder, book), lang)
        return
    made: list[Written] = []
    copies: list[Path] = []
    update = EventUpdate(folder, old, book)
    todo = printed_rounds(asked, every, chosen.numbers, how, workers.spread) if chosen.numbers else ()
    for printed in todo:
        with writing(folder, LATE_WAIT_S, new=True):
            book = update.for_round(printed.written.number, every)
            copies += (fresh := set_aside(folder, () if made else [*chosen.undone, *misfits]))
            made.append(one := write_round(asked, printed, folder))
            book = noted(folder, _anew(book, one.number))
            keep(folder, book)
        update.wrote(book)
        for copy in fresh if not as_json else ():
            desk.tell("copied", lang, file=copy)
        if not as_json:
            _tell_round(one, lang)
    with writing(folder, LATE_WAIT_S, new=True):
        if not made:
            book = update.current()
            keep(folder, book)
        remove_outdated(folder, stale)
        book, restored = _with_sheets(asked, folder, book, chosen.lost, lang)
        target = index(asked, how, folder) if made else folder / INDEX
    if as_json:
        about: dict[str, object] = {"folder": str(folder), "event": name, "game": game.name, "code": order.code}
        about |= {"wishes": dict(order.options), "scenarios": mode, "sealed": sealed}
        about |= {"index": str(target), "rounds": [one.row() for one in made], "frozen": chosen.frozen}
        about |= {"restored": [str(file) for file in restored]}
        about |= {"copies": [str(copy) for copy in copies], "told": notes}
        console.as_json(about | {"next": desk.follows(folder, book)[1]})
    else:
        for file in restored:
            desk.tell("restored", lang, file=file)
        click.echo(f"{target}")
        desk.tell_next(*desk.follows(folder, book), lang)


def _with_sheets(
    event: Event, folder: Path, book: Book, numbers: Sequence[int], lang: Lang
) -> tuple[Book, list[Path]]:
    """Write the results.csv of these rounds again; return the book, which keeps no result of the lost files."""
    files: list[Path] = []
    for number in numbers:
        one = book.at(number)
        if one and lost_sheet(folder, number):
            files.append(write_sheet(event, folder, [of.of() for of in book.round], one, lang))
            book = book.with_round(replace(one, superseded=()))
    if files:
        keep(folder, book)
    return book, files


def _misfits(folder: Path, book: Book, chosen: _Chosen, reopen: bool) -> list[int]:
    """Return the rounds to be packed whose results.csv a person changed so that it lists other pairs.

    WrongUsageError unless they are reopened.
    """
    rounds = [one for one in book.round if one.number in chosen.numbers and one.number not in chosen.undone]
    found = [one.number for one in rounds if misfit(folder, one, reopen)]
    WrongUsageError.raise_if_any(
        Problem(
            tr("{file} was changed, and lists other pairs than round {n}", file=sheet(folder, number), n=number),
            hint=tr("correct it, or write it anew and keep a copy: {command}",
                     command=desk.command_of("pack", folder, "--round", str(number), "--reopen")),
        )
        for number in found
        if not reopen
    )  # fmt: skip
    return found


def _from_copies(book: Book, number: int) -> Book:
    """Return the book with a round's results noted as coming from elsewhere, since its file is written anew."""
    one = book.at(number)
    assert one is not None
    return book.with_round(
        replace(one, results=tuple(replace(game, elsewhere=True) for game in one.results), superseded=())
    )


def _anew(book: Book, number: int) -> Book:
    """The book without the hash of a round's pages, which were made anew."""
    one = book.at(number)
    return book.with_round(replace(one, printed="")) if one else book


def _again(folder: Path, typed: str, rounds: Sequence[int], dry: bool, lang: Lang, as_json: bool) -> None:
    """The pages of some tables once more, as they stand in their round's print; no round is made again."""
    from generator.press.check.content import excerpt, page_count

    book = opened(folder)
    packed = [one.number for one in book.round if is_file(folder / round_folder(one.number) / MANIFEST)]
    _known(packed, rounds)
    if len(rounds) > 1 or not packed:
        raise WrongUsageError(tr("--table {typed}", typed=typed[:40]), hint=tr("of one round that is packed"))
    number = rounds[0] if rounds else packed[-1]
    place = folder / round_folder(number)
    pdf, rows = place / f"{place.name}.pdf", listing(place).pages
    if not as_listed(pdf):
        raise DataError(Problem(tr("has been changed since it was made"), str(pdf), hint=tr("pack this round again")))
    there = {row.table: at for at, row in enumerate(rows) if row.table}
    tables = _numbers(typed)
    hint = tr("tables: {tables}", tables=[*there]) if there else tr("pack this round again")
    wrong = (table for table in tables if table not in there)
    faults = (tr("there is no table {table} in round {n}", table=table, n=number) for table in wrong)
    WrongUsageError.raise_if_any(Problem(message, hint=hint) for message in faults)
    content = pdf.read_bytes()
    ends = [*(row.page for row in rows[1:]), page_count(content) + 1]
    runs = [range(rows[at].page, ends[at]) for at in sorted(there[table] for table in tables)]
    target = folder / f"{place.name}-tables-{'-'.join(map(str, tables))}.pdf"
    if not dry:
        _beside(folder, {target.name: seal(excerpt(content, runs))})
    pages, made = sum(map(len, runs)), [] if dry else [str(target)]
    sentence = "would_again" if dry else "again"
    told = desk.said(sentence, lang, n=number, tables=desk.numbers(tables), pages=pages, file=target)
    row: dict[str, object] = {"round": number, "tables": tables, "pages": pages, "files": made}
    _answer(folder, book, as_json, lang, row, told)


def _answer(folder: Path, book: Book, as_json: bool, lang: Lang, row: dict[str, object], *lines: str) -> None:
    """Print what was done, as plain values or in lines, and what comes next."""
    sentence, typed = desk.follows(folder, book)
    console.answer(as_json, row | {"next": typed}, lines)
    if not as_json:
        desk.tell_next(sentence, typed, lang)


def _numbers(typed: str) -> list[int]:
    """Numbers by comma, in their order; WrongUsageError where one is none."""
    parts = [part for part in re.split("[,、 ]+", unicodedata.normalize("NFKC", typed)) if part]
    if not parts or not all(re.fullmatch("[0-9]{1,4}", part) for part in parts):
        raise WrongUsageError(tr("--table {typed}", typed=typed[:40]), hint=tr("numbers by comma, such as 3,7"))
    return sorted({int(part) for part in parts})


def _beside(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into an event's folder, and into the manifest of what lies there."""
    put.folder(folder, {**files, MANIFEST: listed_with(folder, {"beside": BESIDE}, files)})


def _book(
    folder: Path, old: Book | None, game: Game[Any], order: Request, mode: Mode, sealed: bool, rotates: bool
) -> Book:
    """The event's book, or a new one; WrongUsageError where another event that was played lies there."""
    if old and old.code == order.code:
        return old
    if old and (played := frozen(folder, old)):
        told = tr("{folder} holds an event of code {code} of which rounds were played", folder=folder, code=old.code)
        raise WrongUsageError(told, hint=tr("rounds: {known}", known=played))
    files = {path.name: file_hash(path) for path in order.files.values()}
    system = SYSTEMS[1] if rotates else SYSTEMS[0]
    made = Book(order.code, game.name, order.code, mode, system, sealed=sealed)
    return replace(made, wishes=dict(order.options), files=files)


class _Chosen:
    """Which rounds are packed: those asked for, or all but the ones that were played."""

    def __init__(self, folder: Path, book: Book, given: Sequence[Round], only: Sequence[int], reopen: bool) -> None:
        """WrongUsageError for a round that is not there, or was played and is not to be reopened."""
        every = sorted({one.number for one in book.round} | {one.number for one in given})
        _known(every, only)
        played = frozen(folder, book)
        wanted = [n for n in every if n in only] if only else [one.number for one in given] or every
        other = [one.number for one in given if one.number in played and not ledger.still(book, one.number, one)]
        refused = [n for n in played if n in only or n in other]
        WrongUsageError.raise_if_any(_refused(folder, book, n, n in other) for n in refused if not reopen)
        self.undone = other
        self.frozen = [n for n in played if n in wanted and n not in refused]
        self.numbers = [n for n in wanted if n not in self.frozen]
        self.lost = [n for n in self.frozen if lost_sheet(folder, n) and not earlier(folder / round_folder(n))]
        self.remade = [one.number for one in book.round if one.results and one.number in {*self.numbers} - {*other}]
        time = now()
        self.refused: list[Problem] = []
        if reopen:  # what was filled in right is kept, whatever becomes of the file
            found = recorded(folder, book)
            book, self.refused = found.book, found.refused
        for number in other:
            book = ledger.opened(book, number, time)
        self.book, self.folder = book, folder


def _refused(folder: Path, book: Book, number: int, other: bool) -> Problem:
    """What to say of a round that was played, or packed by an earlier version, and would be made again."""
    one = book.at(number)
    undoes = tr("{n} of its results are undone", n=len(one.results)) if other and one else tr("its results stay")
    told = (
        tr("round {n} has been played, but would be paired differently", n=number)
        if other
        else desk.closed(folder, book, number)
    )
    hint = tr("use --reopen to do it anyway: {undoes}", undoes=undoes)
    return Problem(told, hint=hint)


def _tell_chosen(chosen: _Chosen, again: Sequence[tuple[int, str, str, int]], lang: Lang) -> None:
    """What stays as it is, what was undone, who meet again."""
    for number in chosen.frozen:
        one, filled = chosen.book.at(number), filled_file(chosen.folder, number)
        file = filled or sheet(chosen.folder, number)
        if earlier(file.parent):
            desk.tell("lies", lang, n=number)
        elif filled is None or number in chosen.lost:
            desk.tell("frozen_recorded", lang, n=number)
        elif one and not one.results and filled.name == RESULTS and not _can_record(chosen, number):
            reset = desk.command_of("pack", chosen.folder, "--round", str(number), "--reopen")
            list_ = desk.command_of("results", chosen.folder)
            desk.tell("frozen_unread", lang, n=number, file=file, command=list_, reset=reset)
        else:
            desk.tell("frozen", lang, n=number, file=file)
    for number in chosen.undone:
        desk.tell("undone", lang, n=number, undoes=chosen.folder / ledger.NAME)
    for number in chosen.remade:
        desk.tell("remade", lang, n=number)
    for number, a, b, first in again:
        desk.tell("met", lang, n=number, a=a, b=b, before=first)


def _can_record(chosen: _Chosen, number: int) -> bool:
    """Whether a round's results.csv has a result that `results` would record."""
    found = recorded(chosen.folder, chosen.book, [sheet(chosen.folder, number)])
    return any(n == number for n, _ in found.fresh)


def _would(every: Sequence[Round], numbers: Sequence[int], folder: Path, lang: Lang, as_json: bool) -> None:
    """What would be written."""
    rows = [(one.number, len(one.tables), folder / f"round-{one.number}") for one in every if one.number in numbers]
    would = [{"round": n, "tables": tables, "folder": str(at)} for n, tables, at in rows]
    lines = (desk.said("would_pack", lang, n=n, tables=tables, folder=at) for n, tables, at in rows)
    console.answer(as_json, {"would": would}, lines)


@tournament_verb.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.argument("names", nargs=-1, metavar="NAME…")
@how_options(ONE_SHEET)
@DRY
@console.json_option
@writes_event
def day(folder: Path, names: tuple[str, ...], how: How, dry: bool, as_json: bool) -> None:
    """Print a day sheet for each of these players, or for all: time, table, opponent and sides of each round.

    Rounds that are not paired yet have blanks to fill in.
    """
    book, lang = opened(folder), how.first
    players = list(dict.fromkeys(book.known(name).name for name in names)) or [
        p.name for p in book.players if p.here(book.next)
    ]
    if not players:
        raise WrongUsageError(tr("has no name"), hint=tr("a name, or --players FILE"))
    began = begun_in(folder)
    game = games.load(book.game)
    order, mode = goes_on(began, game, request.requested(game, book.code, {}), None, book.sealed)
    sealed = secret(folder) if book.sealed else ""
    asked = Event(game, order, book.name, mode, sealed, book.games, book.bid, book.clock, book.notices)
    every = [one.of() for one in book.round]
    scenarios = Scenarios(asked, every)
    ours = [one for one in every if one.tables and not earlier(folder / round_folder(one.number))]
    deals = {one.number: scenarios.deal(one.number) for one in ours}
    rounds = [*every, *(Round(n, ()) for n in range(book.next, book.rounds + 1))]
    sheets = {name: player_day(asked, name, rounds, deals) for name in players}
    files = {ALL: players}
    if names:  # a file for each, so that none replaces another player's
        files = {day_file(book.known(name), book.players): [name] for name in players}
    if not dry:
        kits = {file: own_kit(asked, "", *(sheets[name] for name in of)) for file, of in files.items()}
        _beside(folder, {file: output.kit_pdf(kit, how.edition(game)) for file, kit in kits.items()})
    sentence = "would_write" if dry else "days"
    lines = [desk.said(sentence, lang, n=len(of), file=folder / file) for file, of in files.items()]
    written = [] if dry else [str(folder / file) for file in files]
    _answer(folder, book, as_json, lang, {"players": players, "rounds": len(rounds), "files": written}, *lines)


@tournament_verb.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@out_file(".json")
@DRY
@console.answer_options
@writes_if_event
def commit(folder: Path, out: Path | None, dry: bool, lang: Lang, as_json: bool) -> None:
    """Write the commitment to publish before play: a hash of event, codes and data for every sealed round in DIR."""
    made = sealing.commitment(files_named(folder, OPENING))
    target = out or folder / sealing.COMMITMENT
    if not dry:
        put.file(target, made)
    if as_json:
        click.echo(made.decode(), nl=False)
        return
    click.echo(sealing.whole(made))
    desk.tell("would_write" if dry else "committed", lang, file=target)


@tournament_verb.command()
@click.argument("published", type=click.Path(path_type=Path), metavar="COMMITMENT")
@click.argument("openings", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="OPENING|DIR…")
@console.answer_options
def reveal(published: Path, openings: tuple[Path, ...], lang: Lang, as_json: bool) -> None:
    """Check opened rounds against the published commitment: hashes, kit ids, and every code drawn again."""
    found = sealing.revealed(published, [file for path in openings for file in files_named(path, OPENING)])
    follows = _after_opening(published, found)
    if as_json:
        rows = [
            {"round": of.round, "kits": [kit.kit for kit in of.kits], "findings": [fault[lang] for fault in faults]}
            for of, faults in found.rounds
        ]
        console.as_json({"whole": found.whole, "rounds": rows, "closed": list(found.closed), "next": follows[1]})
    else:
        desk.tell("whole", lang, hash=found.whole)
        for of, faults in found.rounds:
            for fault in faults or [words()["say"]["opened"].fill(n=of.round, m=len(of.kits))]:
                console.line(fault[lang])
        if found.closed:
            desk.tell("closed", lang, names=joined(words()["at"]["round"].fill(n=n) for n in found.closed))
        desk.tell_next(*follows, lang)
    console.end_if(any(faults for _, faults in found.rounds))


def _after_opening(published: Path, found: sealing.Revealed) -> tuple[str, str]:
    """What comes next once rounds were opened: which sentence tells it, and the command, if there is one."""
    if any(faults for _, faults in found.rounds):
        return "next_version" if found.other else "next_asked", ""
    place = published.parent
    if found.closed:
        return "next_reveal", desk.command_of("reveal", published, str(place / round_folder(found.closed[0])))
    with contextlib.suppress(DataError):  # whoever checks may have anything beside it
        if book := ledger.read(place):
            return desk.follows(place, book)
    return "next_none", ""


_VERBS = (enrolment.new, enrolment.join, enrolment.drop, desk.pair, results_verb, desk.status, standings, rename)
for _verb in _VERBS:
    tournament_verb.add_command(_verb)


def _of(usual: Path, code: str) -> Path:
    """Where an open event of that code lies unless told otherwise."""
    return usual.with_name(f"{usual.name}-{code}")


def _paired(
    file: Path | None,
    encoding: str | None,
    players: str | None,
    absent: Absent | None,
    count: int | None,
    book: Book,
    lang: Lang,
    as_json: bool,
) -> tuple[Sequence[Round], Table | None, Sequence[Entrant], list[str]]:
    """Return the rounds of a file or none, or the players of a list for a rotation, and how that list was read.

    WrongUsageError for several ways at once.
    """
    if not file and players is None and count is None and book.round:
        return (), None, (), []
    if file and players is None and count is None:
        table = listed(file, PAIRED, encoding, [player.name for player in book.players])
        made = read_pairings(table)
        unless_fonts_lack_rows(table.rows, ("player_a", "player_b", "team"))
        return made, table, (), []
    if file or players is None or count is None:
        hint = tr("--pairings FILE.csv, or --players N or FILE and --rounds N, or first muster tournament pair")
        raise WrongUsageError(tr("choose one way to give the players"), hint=hint)
    if re.fullmatch("[+-]?[0-9]{1,9}", players):
        return (), None, numbered(int(players)), []
    if not Path(players).suffix and not is_there(Path(players)):
        hint = tr("give a number, or a file with one name in each line")
        raise WrongUsageError(
            tr("--players {players!r} is neither a number nor a file", players=players[:40]), hint=hint
        )
    entrants, notes = listed_players(Path(players), encoding, absent, lang, as_json)
    return (), None, entrants, notes


def _known(there: Sequence[int], only: Sequence[int]) -> None:
    """WrongUsageError where one of these rounds is not there."""
    hint = tr("rounds: {known}", known=", ".join(map(str, there)))
    wrong = (tr("--round: there is no round {n}", n=n) for n in only if n not in there)
    WrongUsageError.raise_if_any(Problem(message, hint=hint) for message in wrong)


def _tell(every: Sequence[Round], notes: Sequence[str], lang: Lang) -> None:
    """Report how the file was read, and who is missing from a round."""
    for line in notes:
        console.line(line)
    for number, names in left_out(every).items():
        desk.tell("missing", lang, n=number, names=", ".join(names))


def _tell_round(one: Written, lang: Lang) -> None:
    """That a round is written, and what became of its results."""
    desk.tell("packed", lang, n=one.number, tables=one.tables, pages=one.pages, file=one.pdf)
    console.verified(one.held, lang)
    for name in one.kept:
        desk.tell("kept", lang, file=one.folder / name)
    if one.again:
        desk.tell("alike", lang, n=one.number, names=", ".join(one.again))
