"""The organiser's desk: an event's book in its folder, and the verbs that write in it between two rounds.

Each says what it did and what comes next; with --dry-run only what it would do.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from generator import games
from generator.cli import console, put, request
from generator.cli.event import (
    earlier,
    event_name,
    folders,
    frozen,
    keep,
    now,
    opened,
    put_aside,
    recorded,
    round_folder,
    state,
)
from generator.cli.help import Verb
from generator.cli.lists import ABSENT, ENCODING, encoding_lines, listed_players
from generator.cli.output import out_folder
from generator.common.game import Game
from generator.errors import DataError, Problem, WrongUsageError
from generator.model.words import Lang
from generator.notation.envelope import file_hash
from generator.notation.text import clean_name, command
from generator.said import say
from generator.store.folders import read_within
from generator.tournament import dutch, ledger, matching, outside
from generator.tournament.csv_files import Table, plain
from generator.tournament.event import MODES, Mode
from generator.tournament.ledger import BIDS, BYES, CUTS, SYSTEMS, Book, Played
from generator.tournament.matching import Next
from generator.tournament.pairings import MOST_ROUNDS, MOST_TABLE, Entrant, Round, words
from generator.tournament.player_list import Absent
from generator.tournament.record import Taken, shown
from generator.tournament.slips import read_slip

FOLDER = click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
DRY = click.option("--dry-run", "dry", is_flag=True)
REOPEN = click.option("--reopen", is_flag=True)
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


def tell_taken(found: Taken, lang: Lang) -> None:
    """What became of results."""
    for number, count in sorted(Counter(number for number, _ in found.fresh).items()):
        tell("recorded", lang, n=number, m=count)
    for number, old, new in found.corrected:
        tell("corrected", lang, n=number, table=new.table, game=new.game, old=shown(old), new=shown(new))
        if later := [one.number for one in found.book.round if one.number > number]:
            tell("based", lang, n=number, m=numbers(later))
    for number, old in found.emptied:
        tell("stands", lang, n=number, table=old.table, game=old.game, old=shown(old))


def unless_mistyped(book: Book, given: Sequence[Round], table: Table, folder: Path) -> None:
    """DataError for each new name that is near to one who is missing from its round: it may be the same."""
    problems = []
    for number, name, meant in ledger.mistyped(book, given):
        line = next(r for r in table.rows if plain(name) in (plain(r["player_a"]), plain(r["player_b"])))
        hint = say("{meant} is not in round {n}; who is new joins first: {command}",
                   meant=meant, n=number, command=command_of("join", folder, name))  # fmt: skip
        problems.append(line.problem(say("no player {name!r}", name=name[:40]), hint))
    DataError.if_any(problems)


def follows(folder: Path, book: Book) -> tuple[str, str]:
    """What comes next: which sentence tells it, and the command."""
    here = [player for player in book.players if player.here(book.next)]
    for one in book.round:
        now_ = state(folder, book, one)
        if now_ == "paired":
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
    return "next_pair", command_of("pair", folder)


def tell_next(sentence: str, typed: str, lang: Lang) -> None:
    """Say what comes next."""
    tell(sentence, lang, command=typed)


def command_of(verb: str, folder: Path, *words: str) -> str:
    """A command of a tournament, as it is typed."""
    return command(["muster", "tournament", verb, str(folder), *words], {})


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
    for number in past if not dry else ():
        put_aside(folder, book, number, reopened=True)
    if as_json:
        console.as_json(row(folder, book, wrote and not dry, lines))
        return
    for line in lines:
        console.line(line)
    if dry and wrote:
        tell("would_write", lang, file=folder / ledger.NAME)
    tell_next(*follows(folder, book), lang)


@click.command(cls=request.GameCommand)
@request.game_argument
@request.seed_option
@click.option("--players", metavar="FILE", type=click.Path(path_type=Path))
@ENCODING
@ABSENT
@click.option("--rounds", type=click.IntRange(1, MOST_ROUNDS), metavar="N")
@click.option("--event", default="", metavar="NAME")
@click.option("--system", type=click.Choice(SYSTEMS), default=SYSTEMS[0])
@click.option("--games", "games_", type=click.IntRange(1, 2), metavar="N", default=2)
@click.option("--byes", type=click.Choice(BYES), default=BYES[0])
@click.option("--bid", type=click.Choice(BIDS))
@click.option("--apart", multiple=True, metavar="A,B")
@click.option("--cut", type=click.Choice([str(cut) for cut in CUTS]))
@click.option("--clock", metavar="H:MM-H:MM,…", default="")
@click.option("--notice", "notices", metavar="TEXT", multiple=True)
@click.option("--scenarios", type=click.Choice(MODES), default=MODES[0])
@click.option("--sealed", is_flag=True)
@DRY
@out_folder()
@console.answer_options
def new(
    game: Game[Any],
    seed: str | None,
    players: Path | None,
    encoding: str | None,
    absent: Absent | None,
    rounds: int | None,
    event: str,
    system: ledger.System,
    games_: int,
    byes: ledger.Byes,
    bid: ledger.Bid | None,
    apart: tuple[str, ...],
    cut: str | None,
    clock: str,
    notices: tuple[str, ...],
    scenarios: Mode,
    sealed: bool,
    dry: bool,
    out: Path | None,
    lang: Lang,
    as_json: bool,
    **wishes: Any,
) -> None:
    """Begin an event: its book, with the players of a list."""
    order = request.requested(game, seed, wishes)
    folder = out or Path("output") / f"{game.name}-tournament{'' if sealed else f'-{order.code}'}"
    if (folder / ledger.NAME).exists() or folders(folder):
        hint = say("go on with it, or name another folder (-o)")
        raise WrongUsageError(say("{folder} holds an event", folder=folder), hint=hint)
    listed_, lines = listed_players(players, encoding, absent, lang, as_json) if players else ([], [])
    name = event_name(event) or words()["at"]["event"].fill(game=game.title)[lang]
    files = {path.name: path for path in order.files.values()}
    book = Book(name, game.name, order.code, scenarios, system, rounds or 0, 1 if games_ == 1 else 2, byes, bid or "")
    enrolled, hashes = ledger.enrolled(order.code, listed_), {name: file_hash(path) for name, path in files.items()}
    book = replace(book, sealed=sealed, wishes=dict(order.wishes), players=tuple(enrolled), files=hashes)
    book = replace(book, cut=_cut(cut), clock=_clock(clock), notices=_lines(notices))
    for pair in apart:
        book = _kept_apart(book, *_two(pair))
    if not dry:
        put.files({folder / name: path.read_bytes() for name, path in files.items()})
    begun = said("begun", lang, folder=folder, code=order.code, n=len(book.players))
    finish(folder, book, dry, as_json, lang, [*lines, begun])


def _cut(typed: str | None) -> ledger.Cut:
    """How many play a final; 0 where nobody says."""
    return next((cut for cut in CUTS if str(cut) == typed), 0)


def _clock(typed: str) -> tuple[str, ...]:
    """From when to when rounds are played, by comma; WrongUsageError where one is none."""
    spans = tuple(span.strip() for span in re.split("[,、]", unicodedata.normalize("NFKC", typed)) if span.strip())
    if wrong := [span for span in spans if not re.fullmatch(ledger.SPAN, span)]:
        raise WrongUsageError(
            say("--clock {typed!r}", typed=wrong[0][:40]), hint=say("from when to when, such as 9:30-11:10")
        )
    return spans[:MOST_ROUNDS]


def _lines(typed: Sequence[str]) -> tuple[str, ...]:
    """Lines of notices; WrongUsageError for too many, or one that cannot be printed."""
    if len(typed) > ledger.MOST_NOTICES:
        most = ledger.MOST_NOTICES
        raise WrongUsageError(f"--notice {len(typed)}", hint=say("from {least} to {most}", least=0, most=most))
    return tuple(clean_name(line, "--notice") for line in typed)


def _two(typed: str) -> tuple[str, str]:
    """Two names typed by comma; WrongUsageError where they are not two."""
    names = [name.strip() for name in typed.replace("、", ",").split(",")]
    if len(names) != 2 or not all(names):
        raise WrongUsageError(say("--apart {typed!r}", typed=typed[:80]), hint=say("two names by comma"))
    return names[0], names[1]


def _kept_apart(book: Book, a: str, b: str) -> Book:
    """With two who never meet; WrongUsageError where one is on no list, or both are one."""
    one, other = book.known(a), book.known(b)
    if one == other:
        raise WrongUsageError(say("{a} meets himself", a=one.name))
    pairs = {frozenset(map(plain, pair)) for pair in book.apart}
    if frozenset((plain(one.name), plain(other.name))) in pairs:
        return book
    return replace(book, apart=(*book.apart, (one.name, other.name)))


@click.command(cls=Verb)
@FOLDER
@click.argument("names", nargs=-1, metavar="NAME…")
@click.option("--players", metavar="FILE", type=click.Path(path_type=Path))
@ENCODING
@ABSENT
@click.option("--team", metavar="NAME", default=None)
@click.option("--table", "table_", type=click.IntRange(0, MOST_TABLE), metavar="N")
@click.option("--no-bye", "no_bye", is_flag=True)
@click.option("--rest", type=click.IntRange(1, MOST_ROUNDS), multiple=True, metavar="N")
@click.option("--apart", multiple=True, metavar="NAME")
@click.option("--round", "from_", type=click.IntRange(1, MOST_ROUNDS), metavar="N")
@DRY
@console.answer_options
def join(
    folder: Path,
    names: tuple[str, ...],
    players: Path | None,
    encoding: str | None,
    absent: Absent | None,
    team: str | None,
    table_: int | None,
    no_bye: bool,
    rest: tuple[int, ...],
    apart: tuple[str, ...],
    from_: int | None,
    dry: bool,
    lang: Lang,
    as_json: bool,
) -> None:
    """Put players on the list, take back who had left, or change what a player needs."""
    book = opened(folder)
    first = _from(book, from_, *rest)
    wanted = [Entrant(clean_name(name, "NAME"), clean_name(team, "--team") if team else "") for name in names]
    of_list, lines = listed_players(players, encoding, absent, lang, as_json) if players else ([], [])
    wanted += of_list
    if not wanted:
        raise WrongUsageError(say("names nobody"), hint=say("a name, or --players FILE"))
    for one in wanted:
        old = book.player(one.name)
        if old is None:
            (made,) = ledger.enrolled(book.code, [one], first, [player.lot for player in book.players])
        else:
            made = ledger.back(old, first) if old.left else old
        sentence = "joined" if old is None else "back" if old.left else "changed"
        lines.append(said(sentence, lang, name=made.name, lot=made.lot, n=first))
        made = replace(
            made,
            team=one.team or made.team,
            table=made.table if table_ is None else table_,
            no_bye=no_bye or made.no_bye,
            rests=tuple(sorted({*made.rests, *rest})),
        )
        book = book.with_player(made)
        for other in apart:
            book = _kept_apart(book, made.name, other)
    finish(folder, book, dry, as_json, lang, lines)


def _from(book: ledger.Book, typed: int | None, *rests: int) -> int:
    """The round typed, or the next; WrongUsageError where it or another of these rounds is paired already."""
    first = book.next if typed is None else typed
    if (least := min((first, *rests))) < book.next:
        raise WrongUsageError(say("round {n} is paired already", n=least), hint=say("from {n}", n=book.next))
    return first


@click.command(cls=Verb)
@FOLDER
@click.argument("names", nargs=-1, required=True, metavar="NAME…")
@click.option("--round", "from_", type=click.IntRange(1, MOST_ROUNDS), metavar="N")
@DRY
@console.answer_options
def drop(folder: Path, names: tuple[str, ...], from_: int | None, dry: bool, lang: Lang, as_json: bool) -> None:
    """Take players off the list from the next round on: what they played stays."""
    book = opened(folder)
    first = _from(book, from_)
    lines = []
    for name in names:
        player = book.known(name)
        book = book.with_player(replace(player, left=first))
        lines.append(said("dropped", lang, name=player.name, n=first))
    finish(folder, book, dry, as_json, lang, lines)


@click.command(cls=Verb)
@FOLDER
@click.option("--pairings", metavar="FILE", type=click.Path(path_type=Path))
@ENCODING
@click.option("--round", "number", type=click.IntRange(1, MOST_ROUNDS), metavar="N")
@click.option("--cut", type=click.Choice([str(cut) for cut in CUTS]))
@REMATCH
@REOPEN
@DRY
@console.answer_options
def pair(
    folder: Path,
    pairings: Path | None,
    encoding: str | None,
    number: int | None,
    cut: str | None,
    rematch: bool,
    reopen: bool,
    dry: bool,
    lang: Lang,
    as_json: bool,
) -> None:
    """Pair the next round, from the results of those before it or as a file of another tool has it."""
    book = opened(folder)
    found = recorded(folder, book)
    book, at = found.book, number or book.next
    lines: list[str] = []
    past = [n for n in frozen(folder, book) if n >= at]
    if at < book.next:
        book = reopened(folder, book, at, reopen, lines, lang)
    elif at > book.next:
        hint = say("rounds: {known}", known=[book.next])
        raise WrongUsageError(say("--round: there is no round {n}", n=at), hint=hint)
    # A rotation hangs on no result.
    for one in book.round if book.system != "rotation" and not pairings else ():
        if one.number < at and (waiting := one.waiting(book.games)):
            problem = say("round {n} lacks results: tables {tables}", n=one.number, tables=waiting)
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
            book = replace(book, cut=_cut(cut))
        made = _next(book, at, bool(cut))
        book = book.with_round(made.round)
        hint = say("--allow-rematch takes it as it is")
        WrongUsageError.if_any(
            Problem(say("round {n}: {a} – {b} met before, and nothing else is left", n=at, a=a, b=b), hint=hint)
            for a, b in made.again
            if book.system != "rotation" and not made.round.final and not rematch
        )
    lines += [_meeting(one, lang) for one in made.round.meetings]
    lines += [said("again_met", lang, a=a, b=b) for a, b in made.again]
    lines += [said("second_bye", lang, name=name) for name in made.second]
    lines += [said("mates", lang, a=a, b=b) for a, b in made.mates]
    lines += [said("moved", lang, name=name) for name in made.moved]
    if not as_json:
        tell_taken(found, lang)
    finish(folder, book, dry, as_json, lang, lines, past)


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
            say("round {n} was played after it: reopen that first", n=past[-1]), hint=f"--round {past[-1]}"
        )
    results = sum(len(one.results) for one in later)
    undoes = words()["say"]["undoes"].fill(n=numbers(one.number for one in later), m=results)
    if played and not allowed:
        hint = say("--reopen does it, and undoes {undoes}", undoes=undoes)
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
        return say("round {n} was packed by an earlier version of Muster", n=number)
    return say("round {n} has been played", n=number)


@click.command(cls=Verb)
@FOLDER
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="FILE.csv…")
@click.option("--from", "slips", multiple=True, type=click.Path(path_type=Path), metavar="FILE.pdf|DIR")
@ENCODING
@DRY
@console.answer_options
def results(
    folder: Path,
    files: tuple[Path, ...],
    slips: tuple[Path, ...],
    encoding: str | None,
    dry: bool,
    lang: Lang,
    as_json: bool,
) -> None:
    """Take the results that were filled in into the book: of its rounds' folders, of these files, or of slips."""
    book = opened(folder)
    found = recorded(folder, book, files, [*_slips(book, slips)], encoding)
    if not as_json:
        tell_taken(found, lang)
    finish(folder, found.book, dry, as_json, lang, [*_waiting(found.book, found.book.round, lang)])


def _waiting(book: Book, rounds: Iterable[Played], lang: Lang) -> Iterator[str]:
    """Which results are still to come of rounds that have some."""
    for one in rounds:
        if one.results and (waiting := one.waiting(book.games)):
            yield said("waiting", lang, n=one.number, tables=numbers(waiting))


_MOST_SLIP = 1 << 26
"""A PDF of filled slips is no larger, in bytes."""


def _slips(book: Book, places: Sequence[Path]) -> list[Table]:
    """The filled slips in these folders and files; DataError with every fault."""
    found: list[Table] = []
    problems: list[Problem] = []
    for file in [pdf for place in places for pdf in _pdfs(place)]:
        try:
            found.append(read_slip(str(file), _filled(file), book.seated))
        except DataError as error:
            problems += error.problems
    DataError.if_any(problems)
    return found


def _pdfs(place: Path) -> list[Path]:
    """The PDFs in a folder, or the one that was named; DataError where there is none."""
    if not place.is_dir():
        return [place]
    inside = sorted(file for file in place.iterdir() if file.suffix.lower() == ".pdf")
    if not inside:
        raise DataError(Problem(say("holds no PDF"), str(place)))
    return inside


def _filled(file: Path) -> Sequence[Mapping[str, str]]:
    """What was filled in on each page of a PDF; DataError where it cannot be read."""
    from generator.press.content import filled

    content = read_within(file, _MOST_SLIP, say("larger than {limit} MiB", limit=_MOST_SLIP >> 20))
    try:
        return filled(content)
    except ValueError as error:
        raise DataError(Problem(say("cannot be read as a PDF"), str(file))) from error


@click.command(cls=Verb)
@FOLDER
@console.answer_options
def status(folder: Path, lang: Lang, as_json: bool) -> None:
    """Tell how far an event has come, and what comes next. Writes nothing."""
    book = opened(folder)
    if as_json:
        console.as_json(row(folder, book, False))
        return
    here = [player for player in book.players if player.here(book.next)]
    tell("status", lang, event=book.name, game=games.load(book.game).title, n=len(here), m=len(book.players))
    if gone := [player.name for player in book.players if player not in here]:
        tell("gone", lang, names=", ".join(gone))
    if old := [one.number for one in book.round if earlier(folder / round_folder(one.number))]:
        tell("earlier", lang, n=numbers(old))
    for one in book.round:
        of = words()["say"][f"is_{state(folder, book, one)}"]
        tell("round", lang, n=one.number, tables=len(one.tables), state=of)
        for line in _waiting(book, [one], lang):
            console.line(line)
    resting = [one.number for one in book.round if state(folder, book, one) != "played"]
    for number in [*resting, book.next]:
        for sentence, names in zip(("rests", "rests_half"), book.resting(number), strict=True):
            if names:
                tell(sentence, lang, n=number, names=", ".join(names))
    tell_next(*follows(folder, book), lang)
