"""The commands that begin an event and change who plays: `new`, `join` and `drop`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from generator.cli import console, put, request
from generator.cli.desk import (
    DRY,
    FOLDER,
    PLANNED,
    REOPEN,
    apart_lines,
    command_of,
    few_left,
    few_players,
    final_size,
    finish,
    planned,
    said,
    unless_over,
)
from generator.cli.event import edited, event_name, opened
from generator.cli.fonts_in_use import unless_fonts_lack
from generator.cli.help import Verb
from generator.cli.lists import ABSENT, ENCODING, listed_players
from generator.cli.one_writer import holds_event, writes_event, writes_event_itself, writing
from generator.cli.output import out_folder
from generator.cli.round_results import frozen, remove_outdated, sheet, state
from generator.common.game import Game
from generator.errors import WrongUsageError
from generator.localization import tr
from generator.model.words import Lang
from generator.notation.envelope import file_hash
from generator.notation.text import clean_name
from generator.tournament import ledger
from generator.tournament.csv_files import plain
from generator.tournament.event import MODES, Mode
from generator.tournament.ledger import BIDS, BYES, CUTS, SYSTEMS, Book, Player, one_letter_apart
from generator.tournament.pairings import MOST_ROUNDS, MOST_TABLE, Entrant, words
from generator.tournament.player_list import Absent
from generator.tournament.remarks import minutes


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
@writes_event_itself
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
    _unless_begun(folder)
    listed_, read_lines = listed_players(players, encoding, absent, lang, as_json) if players else ([], [])
    name = event_name(event) or words()["at"]["event"].fill(game=game.title)[lang]
    files = {path.name: path for path in order.files.values()}
    book = Book(name, game.name, order.code, scenarios, system, rounds or 0, 1 if games_ == 1 else 2, byes, bid or "")
    enrolled, hashes = ledger.enrolled(order.code, listed_), {name: file_hash(path) for name, path in files.items()}
    book = replace(book, sealed=sealed, wishes=dict(order.options), players=tuple(enrolled), files=hashes)
    book = replace(book, cut=final_size(cut), clock=_clock(clock), notices=_lines(notices))
    unless_fonts_lack((book.name, *book.notices))
    for pair in apart:
        book = _kept_apart(book, *_two(pair))
    values = {"folder": folder, "game": game.title, "code": order.code, "n": len(book.players)}
    lines = [*read_lines, said("begun", lang, **values), *few_players(folder, book, lang)]
    if dry:
        finish(folder, book, dry, as_json, lang, lines)
        return
    with writing(folder, new=True):
        _unless_begun(folder)  # by a command that ran at the same time
        put.files({folder / name: path.read_bytes() for name, path in files.items()})
        finish(folder, book, dry, as_json, lang, lines)


def _unless_begun(folder: Path) -> None:
    """WrongUsageError if a folder holds an event."""
    if (folder / ledger.NAME).exists() or holds_event(folder):
        hint = tr("go on with it, or name another folder (-o)")
        raise WrongUsageError(tr("{folder} already has an event", folder=folder), hint=hint)


def _clock(typed: str) -> tuple[str, ...]:
    """From when to when rounds are played, by comma; WrongUsageError where one is none."""
    spans = tuple(span.strip() for span in re.split("[,、]", unicodedata.normalize("NFKC", typed)) if span.strip())
    if wrong := [span for span in spans if not re.fullmatch(ledger.SPAN, span)]:
        raise WrongUsageError(
            tr("--clock {typed!r}", typed=wrong[0][:40]), hint=tr("a start and an end, such as 9:30-11:10")
        )
    for span in spans:
        begins, ends = minutes(span)
        if ends <= begins:
            told = tr("--clock {typed!r} ends before it begins", typed=span)
            raise WrongUsageError(told, hint=tr("a start and an end, such as 9:30-11:10"))
    return spans[:MOST_ROUNDS]


def _lines(typed: Sequence[str]) -> tuple[str, ...]:
    """Lines of notices; WrongUsageError for too many, or one that cannot be printed."""
    if len(typed) > ledger.MOST_NOTICES:
        most = ledger.MOST_NOTICES
        raise WrongUsageError(f"--notice {len(typed)}", hint=tr("from {least} to {most}", least=0, most=most))
    return tuple(clean_name(line, "--notice") for line in typed)


def _two(typed: str) -> tuple[str, str]:
    """Two names typed by comma; WrongUsageError where they are not two."""
    names = [name.strip() for name in typed.replace("、", ",").split(",")]
    if len(names) != 2 or not all(names):
        raise WrongUsageError(tr("--apart {typed!r}", typed=typed[:80]), hint=tr("two names, separated by a comma"))
    return names[0], names[1]


def _kept_apart(book: Book, a: str, b: str) -> Book:
    """With two who never meet; WrongUsageError where one is on no list, or both are one."""
    one, other = book.known(a), book.known(b)
    if one == other:
        raise WrongUsageError(tr("{a} plays against themselves", a=one.name))
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
@PLANNED
@REOPEN
@DRY
@console.answer_options
@writes_event
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
    rounds: int | None,
    reopen: bool,
    dry: bool,
    lang: Lang,
    as_json: bool,
) -> None:
    """Put players on the list, take back who had left, or change what a player needs."""
    before = book = planned(opened(folder), rounds)
    first = book.next if from_ is None else from_
    _check_planned(book, first, *rest)
    book, undone = _unpaired(folder, book, min((first, *rest)), reopen)
    wanted = [Entrant(clean_name(name, "NAME"), clean_name(team, "--team") if team else "") for name in names]
    unless_fonts_lack(text for one in wanted for text in (one.name, one.team))
    of_list, lines = listed_players(players, encoding, absent, lang, as_json) if players else ([], list[str]())
    wanted += of_list
    few = not wanted
    near_ = {one.name: of for one in wanted if not book.player(one.name) and (of := one_letter_apart(book, one.name))}
    if not as_json and console.can_ask():
        refused = {name for name, of in near_.items() if not _is_new(name, of, lang)}
        wanted = [one for one in wanted if one.name not in refused]
        lines += [said("not_joined", lang, name=name) for name in refused]
        near_ = {}
    if few:
        raise WrongUsageError(tr("has no name"), hint=tr("a name, or --players FILE"))
    if not all((old := book.player(one.name)) and not old.left for one in wanted):
        given = (*names, *(("--players", str(players)) if players else ()))
        unless_over(book, first, command_of("join", folder, *given, "--rounds", str(first)))
    for one in wanted:
        old = book.player(one.name)
        if old is None:
            (made,) = ledger.enrolled(book.code, [one], first, [player.lot for player in book.players])
        elif old.left:
            made = ledger.back(old, first)
        else:
            made = old if from_ is None else _from_round(folder, book, old, first)
        sentence = "joined" if old is None else "back" if old.left else "changed"
        lines.append(said(sentence, lang, name=made.name, lot=made.lot, n=first))
        if one.name in near_:
            undo = command_of("drop", folder, made.name)
            lines.append(said("near_joined", lang, name=made.name, near=near_[one.name], command=undo))
        if early := [number for number in rest if number < made.since]:
            told = tr("{name} joins in round {since}: --rest {n} is before it", name=made.name, since=made.since,
                       n=early[0])  # fmt: skip
            raise WrongUsageError(told, hint=tr("leave it out"))
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
    lines += [said("unpaired", lang, n=n) for n in undone]
    lines += apart_lines(folder, before, book, lang)
    lines += few_left(folder, book, sorted({book.next, *rest}), lang)
    if not dry:
        remove_outdated(folder, undone)
    finish(folder, book, dry, as_json, lang, lines)


def _is_new(name: str, near_: str, lang: Lang) -> bool:
    """Ask whether a player is another one than the player on the list with almost the same name."""
    return click.confirm(said("near_ask", lang, name=name, near=near_), default=False, err=True)


def _from_round(folder: Path, book: Book, player: Player, first: int) -> Player:
    """A player who is on the list and is to play from a round on: one who joins later, or rests in it.

    WrongUsageError if they play before it: what they play is not taken from them.
    """
    if first in player.rests:
        return replace(player, rests=tuple(number for number in player.rests if number < first))
    if player.since >= book.next:
        return replace(player, since=first, rests=tuple(number for number in player.rests if number > first))
    if first == book.next:
        return player
    hint = tr(
        "{rest} lets them rest in round {n}, {drop} takes them off the list",
        rest=command_of("join", folder, player.name, "--rest", str(book.next)),
        n=book.next,
        drop=command_of("drop", folder, player.name),
    )
    told = tr("--round {n}: {name} plays since round {since}", n=first, name=player.name, since=player.since)
    raise WrongUsageError(told, hint=hint)


def _check_planned(book: Book, *numbers: int) -> None:
    """WrongUsageError if one of these rounds is beyond those that the event plans."""
    if book.rounds and (latest := max(numbers)) > max(book.rounds, book.next):
        hint = tr("set `rounds` in {file} to a larger number if there will be more", file=ledger.NAME)
        raise WrongUsageError(tr("round {n}: the event has {rounds} rounds", n=latest, rounds=book.rounds), hint=hint)


def _unpaired(folder: Path, book: Book, least: int, reopen: bool) -> tuple[Book, list[int]]:
    """Return the event without the pairings of that round and later ones, and their numbers: none if it is unpaired.

    Raises:
        WrongUsageError: one of them was played, or is printed and not reopened.
    """
    later = [one.number for one in book.round if one.number >= least]
    held = [n for n in later if n in frozen(folder, book) or edited(sheet(folder, n))]
    if held:
        raise WrongUsageError(tr("round {n} is paired already", n=least), hint=tr("from {n}", n=held[-1] + 1))
    if not reopen and "packed" in [state(folder, book, one) for one in book.round if one.number in later]:
        hint = tr(
            "from {n}; the same command with --reopen takes back the printed pairings of round {least}",
            n=book.next,
            least=least,
        )
        raise WrongUsageError(tr("round {n} is paired already", n=least), hint=hint)
    return replace(book, round=tuple(one for one in book.round if one.number < least)), later


@click.command(cls=Verb)
@FOLDER
@click.argument("names", nargs=-1, required=True, metavar="NAME…")
@click.option("--round", "from_", type=click.IntRange(1, MOST_ROUNDS), metavar="N")
@click.option("--remove", is_flag=True)
@REOPEN
@DRY
@console.answer_options
@writes_event
def drop(
    folder: Path,
    names: tuple[str, ...],
    from_: int | None,
    remove: bool,
    reopen: bool,
    dry: bool,
    lang: Lang,
    as_json: bool,
) -> None:
    """Take players off the list from the next round on: what they played stays.

    With `remove`, players who never played are taken off the list as if they had not joined.
    """
    book = opened(folder)
    first = book.next if from_ is None else from_
    _check_planned(book, first)
    book, undone = _unpaired(folder, book, first, reopen)
    lines = []
    for name in names:
        player = book.known(name)
        if remove:
            book = _removed(folder, book, player)
            lines.append(said("removed", lang, name=player.name))
            continue
        if 0 < player.left < book.next:
            told = tr("{name} left before round {left}", name=player.name, left=player.left)
            raise WrongUsageError(told, hint=command_of("join", folder, player.name))
        book = book.with_player(replace(player, left=first))
        lines.append(said("dropped", lang, name=player.name, n=first))
        if not ledger.has_played(book, player):
            undo = command_of("drop", folder, player.name, "--remove")
            lines.append(said("never_played", lang, name=player.name, command=undo))
    lines += [said("unpaired", lang, n=n) for n in undone]
    lines += few_left(folder, book, [book.next], lang)
    if not dry:
        remove_outdated(folder, undone)
    finish(folder, book, dry, as_json, lang, lines)


def _removed(folder: Path, book: Book, player: Player) -> Book:
    """Return the event without a player; WrongUsageError if they are in a round."""
    if ledger.has_played(book, player):
        hint = tr("they stay in the standings; {drop} lets them play no more, {rename} corrects the name",
                  drop=command_of("drop", folder, player.name),
                  rename=command_of("rename", folder, player.name, "NEW"))  # fmt: skip
        raise WrongUsageError(tr("{name} is in a round, and cannot be removed", name=player.name), hint=hint)
    apart = tuple(pair for pair in book.apart if plain(player.name) not in map(plain, pair))
    others = tuple(one for one in book.players if one is not player)
    return replace(book, players=others, apart=apart)
