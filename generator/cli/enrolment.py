"""The commands that start an event and change its players: `new`, `join` and `drop`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from msgspec.structs import replace

from generator.cli import console, request, safe_write
from generator.cli.event_folder import event_name, is_edited, open_event
from generator.cli.fonts_in_use import check_fonts
from generator.cli.help import Verb
from generator.cli.one_writer import has_event, lock_event, writes_event, writes_event_itself
from generator.cli.output import out_folder
from generator.cli.player_lists import ABSENT, ENCODING, read_players
from generator.cli.round_results import frozen_rounds, remove_outdated, results_path, round_state
from generator.cli.tournament_cli import (
    DRY_RUN,
    FOLDER,
    PLANNED_ROUNDS,
    REOPEN,
    apart_lines,
    check_round_is_planned,
    command_of,
    few_left_lines,
    few_players_lines,
    final_size,
    format_sentence,
    save_and_report,
    with_planned_rounds,
)
from generator.common.game import Game
from generator.errors import Problem, WrongUsageError
from generator.localization import localize, tr
from generator.model.words import Lang
from generator.notation.envelope import file_hash
from generator.notation.text import NAME_LIMIT, clean_name
from generator.tournament import event_file, takeover
from generator.tournament.csv_files import plain
from generator.tournament.event import MODES, Mode
from generator.tournament.event_file import BIDS, BYES, CUTS, SYSTEMS, EventRecord, Player, find_near_name
from generator.tournament.odd_lines import is_gone, line_fault
from generator.tournament.pairings import BYE_VALUES, MAX_PLAYERS, MAX_ROUNDS, MAX_TABLE, ByeValue, Entrant, words
from generator.tournament.player_list import ABSENT as ABSENT_ANSWERS
from generator.tournament.player_list import Absent
from generator.tournament.remarks import minutes_of_day
from generator.tournament.takeover import TakenOver

_SEPARATORS = ",;\t|、，；"
"""The characters between names that are not part of a name."""


@click.command(cls=request.GameCommand)
@request.game_argument
@request.seed_option
@click.option("--players", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--from", "from_", metavar="FILE.trf", type=click.Path(path_type=Path))
@ENCODING
@ABSENT
@click.option("--rounds", type=click.IntRange(1, MAX_ROUNDS), metavar="N")
@click.option("--event", default="", metavar="NAME")
@click.option("--system", type=click.Choice(SYSTEMS), default=SYSTEMS[0])
@click.option("--games", "games_", type=click.IntRange(1, 2), metavar="N", default=2)
@click.option("--byes", type=click.Choice(BYES), default=BYES[0])
@click.option("--bye", type=click.Choice(BYE_VALUES), default=BYE_VALUES[0])
@click.option("--bid", type=click.Choice(BIDS))
@click.option("--apart", multiple=True, metavar="A,B")
@click.option("--cut", type=click.Choice([str(cut) for cut in CUTS]))
@click.option("--clock", metavar="H:MM-H:MM,…", default="")
@click.option("--notice", "notices", metavar="TEXT", multiple=True)
@click.option("--scenarios", type=click.Choice(MODES), default=MODES[0])
@click.option("--sealed", is_flag=True)
@DRY_RUN
@out_folder()
@console.answer_options
@writes_event_itself
def new(
    game: Game[Any],
    seed: str | None,
    players: Path | None,
    from_: Path | None,
    encoding: str | None,
    absent: Absent | None,
    rounds: int | None,
    event: str,
    system: event_file.System,
    games_: int,
    byes: event_file.Byes,
    bye: ByeValue,
    bid: event_file.Bid | None,
    apart: tuple[str, ...],
    cut: str | None,
    clock: str,
    notices: tuple[str, ...],
    scenarios: Mode,
    sealed: bool,
    dry_run: bool,
    out: Path | None,
    lang: Lang,
    as_json: bool,
    **game_options: Any,
) -> None:
    """Start an event: write its file, with the players of a list, or take over an event that another program ran."""
    order = request.make_request(game, seed, game_options)
    _check_start(players, from_, system)
    folder = out or Path("output") / f"{game.name}-tournament{'' if sealed else f'-{order.code}'}"
    _check_no_event(folder)
    listed_, read_lines = read_players(players, encoding, absent, lang, as_json) if players else ([], [])
    title = takeover.event_title(from_, encoding) if from_ and not event else event
    shortened = bool(from_ and not event and len(title) > NAME_LIMIT)
    name = (
        event_name(title[:NAME_LIMIT] if shortened else title) or words()["at"]["event"].fill(game=game.title)[lang]
    )
    files = {path.name: path for path in order.files.values()}
    event_record = EventRecord(
        name, game.name, order.code, scenarios, system, rounds or 0, 1 if games_ == 1 else 2, byes, bye, bid or ""
    )
    enrolled, hashes = event_file.enroll(order.code, listed_), {name: file_hash(path) for name, path in files.items()}
    event_record = replace(
        event_record, sealed=sealed, options=dict(order.options), players=tuple(enrolled), files=hashes
    )
    event_record = replace(
        event_record, cut=final_size(cut), clock=_parse_clock(clock), notices=_parse_notices(notices)
    )
    if from_:
        given = click.get_current_context().get_parameter_source("games_") is ParameterSource.COMMANDLINE
        taken = _take_over(from_, encoding, event_record, games_ if given else None, absent, lang, as_json)
        event_record, read_lines = taken.event_record, _taken_lines(folder, from_, taken, lang)
        if shortened:
            message = tr("the event's name is shortened to {limit} characters, “{name}”; --event gives another name",
                         limit=NAME_LIMIT, name=name)  # fmt: skip
            read_lines.append(Problem(message, str(from_), remark=True).describe(lang))
        check_fonts(player.name for player in event_record.players)
    check_fonts((event_record.name, *event_record.notices))
    for pair in apart:
        event_record = _keep_apart(event_record, *_parse_pair(pair))
    values = {"folder": folder, "game": game.title, "code": order.code, "n": len(event_record.players)}
    few = [] if event_record.round else few_players_lines(folder, event_record, lang)
    lines = [*read_lines, format_sentence("would_begin" if dry_run else "begun", lang, **values), *few]
    if dry_run:
        save_and_report(folder, event_record, dry_run, as_json, lang, lines)
        return
    with lock_event(folder, new=True):
        _check_no_event(folder)  # Another command may have started the event in the meantime.
        safe_write.write_files({folder / name: path.read_bytes() for name, path in files.items()})
        save_and_report(folder, event_record, dry_run, as_json, lang, lines)


def _check_start(players: Path | None, from_: Path | None, system: event_file.System) -> None:
    """Check that the players of a new event are given in one way, and that its system can continue their rounds.

    Raises:
        WrongUsageError: If they are given in two ways, or a rotation should continue an event.
    """
    if players and from_:
        hint = tr("--from also takes the players of the file, so omit --players")
        raise WrongUsageError(tr("choose one way to give the players"), hint=hint)
    if from_ and system == "rotation":
        hint = tr("omit --system, or use --system dutch")
        raise WrongUsageError(tr("a rotation cannot continue an event that another program paired"), hint=hint)


def _take_over(
    file: Path,
    encoding: str | None,
    begun: EventRecord,
    games: int | None,
    absent: Absent | None,
    lang: Lang,
    as_json: bool,
) -> TakenOver:
    """Return an event with the players, rounds and results of a report.

    If players missed the last round, the command asks on the terminal whether to pair them again.
    """  # fmt: skip
    taken = takeover.take_over(file, encoding, begun, games, absent)
    if taken.left and absent is None and not as_json and console.can_ask():
        question = format_sentence("left_ask", lang, names=tuple(taken.left))
        answer = click.prompt(question, type=click.Choice(ABSENT_ANSWERS), default=ABSENT_ANSWERS[0], err=True)
        if answer == "seat":
            return takeover.take_over(file, encoding, begun, games, "seat")
    return taken


def _taken_lines(folder: Path, file: Path, taken: TakenOver, lang: Lang) -> list[str]:
    """Return lines that report what was taken over from a report and what was not."""
    record = taken.event_record
    worth = 2 * record.games
    lines = [
        remark.describe(lang) if isinstance(remark, Problem) else localize(remark, lang) for remark in taken.remarks
    ]
    lines.append(
        format_sentence("taken_over", lang, file=file, n=len(record.players), m=taken.rounds, games=record.games)
    )
    if not taken.scored and taken.rounds:
        lines.append(format_sentence("taken_points", lang, points=worth))
    if taken.left:
        join_ = command_of("join", folder, taken.left[0])
        lines.append(format_sentence("taken_left", lang, names=tuple(taken.left), command=join_))
    return lines


def _check_no_event(folder: Path) -> None:
    """Check that a folder does not contain an event.

    Raises:
        WrongUsageError: If the folder contains an event.
    """
    if (folder / event_file.NAME).exists() or has_event(folder):
        hint = tr("continue that event, or give another folder with -o")
        raise WrongUsageError(tr("{folder} already has an event", folder=folder), hint=hint)


def _parse_clock(raw: str) -> tuple[str, ...]:
    """Return the times of the rounds, which are separated by commas.

    Raises:
        WrongUsageError: If a time span is malformed.
    """
    spans = tuple(span.strip() for span in re.split("[,、]", unicodedata.normalize("NFKC", raw)) if span.strip())
    if wrong := [span for span in spans if not re.fullmatch(event_file.SPAN, span)]:
        raise WrongUsageError(
            tr("--clock: {typed!r} is not a valid span of time", typed=wrong[0][:40]),
            hint=tr("give a start and an end, such as 9:30-11:10"),
        )
    for span in spans:
        begins, ends = minutes_of_day(span)
        if ends <= begins:
            message = tr("--clock {typed!r}: the end is before the start", typed=span)
            raise WrongUsageError(message, hint=tr("give a start and an end, such as 9:30-11:10"))
    if len(spans) > MAX_ROUNDS:
        message = tr("--clock has {count} times; an event can have at most {most} rounds",
                     count=len(spans), most=MAX_ROUNDS)  # fmt: skip
        raise WrongUsageError(message, hint=tr("give one time for each round"))
    return spans


def _parse_notices(raw: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of the notices.

    Raises:
        WrongUsageError: If there are too many lines, or a line cannot be printed.
    """
    if len(raw) > event_file.MAX_NOTICES:
        maximum = event_file.MAX_NOTICES
        raise WrongUsageError(
            f"--notice {len(raw)}", hint=tr("give a number from {least} to {most}", least=0, most=maximum)
        )
    return tuple(clean_name(line, "--notice") for line in raw)


def _parse_pair(raw: str) -> tuple[str, str]:
    """Return two names that are separated by a comma.

    Raises:
        WrongUsageError: If there are not exactly two names.
    """
    names = [name.strip() for name in raw.replace("、", ",").split(",")]
    if len(names) != 2 or not all(names):
        raise WrongUsageError(
            tr("--apart {typed!r} is not valid", typed=raw[:80]), hint=tr("give two names, separated by a comma")
        )
    return names[0], names[1]


def _keep_apart(event_record: EventRecord, a: str, b: str) -> EventRecord:
    """Return the event with two players who must never meet.

    Raises:
        WrongUsageError: If a player is not listed, or both names are of the same player.
    """
    one, other = event_record.require_player(a), event_record.require_player(b)
    if one == other:
        raise WrongUsageError(tr("{a} cannot be paired with themselves", a=one.name))
    pairs = {frozenset(map(plain, pair)) for pair in event_record.apart}
    if frozenset((plain(one.name), plain(other.name))) in pairs:
        return event_record
    return replace(event_record, apart=(*event_record.apart, (one.name, other.name)))


@click.command(cls=Verb)
@FOLDER
@click.argument("names", nargs=-1, metavar="[NAME]…")
@click.option("--players", metavar="FILE", type=click.Path(path_type=Path))
@ENCODING
@ABSENT
@click.option("--team", metavar="NAME", default=None)
@click.option("--table", "table_", type=click.IntRange(0, MAX_TABLE), metavar="N")
@click.option("--no-bye", "no_bye", is_flag=True)
@click.option("--rest", type=click.IntRange(1, MAX_ROUNDS), multiple=True, metavar="N")
@click.option("--apart", multiple=True, metavar="NAME")
@click.option("--round", "from_", type=click.IntRange(1, MAX_ROUNDS), metavar="N")
@PLANNED_ROUNDS
@REOPEN
@DRY_RUN
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
    dry_run: bool,
    lang: Lang,
    as_json: bool,
) -> None:
    """Add players to the list, readmit players who left, or change what a player needs."""
    before = event_record = with_planned_rounds(open_event(folder), rounds)
    first = event_record.next_number if from_ is None else from_
    _check_planned(event_record, first, *rest)
    event_record, undone = _undo_pairings(folder, event_record, min((first, *rest)), reopen)
    wanted = [Entrant(clean_name(name, "NAME"), clean_name(team, "--team") if team else "") for name in names]
    _check_are_names([one.name for one in wanted if not event_record.find_player(one.name)])
    check_fonts(text for one in wanted for text in (one.name, one.team))
    of_list, lines = read_players(players, encoding, absent, lang, as_json, 1) if players else ([], list[str]())
    wanted += of_list
    few = not wanted
    near_ = {
        one.name: of
        for one in wanted
        if not event_record.find_player(one.name) and (of := find_near_name(event_record, one.name))
    }
    if not as_json and console.can_ask():
        refused = {name for name, of in near_.items() if not _is_new(name, of, lang)}
        wanted = [one for one in wanted if one.name not in refused]
        lines += [format_sentence("not_joined", lang, name=name) for name in refused]
        near_ = {}
    if few:
        raise WrongUsageError(tr("no player is given"), hint=tr("give a player's name, or use --players FILE"))
    if not all((old := event_record.find_player(one.name)) and not old.left for one in wanted):
        given = (*names, *(("--players", str(players)) if players else ()))
        check_round_is_planned(event_record, first, command_of("join", folder, *given, "--rounds", str(first)))
    for one in wanted:
        old = event_record.find_player(one.name)
        if old is None:
            (made,) = event_file.enroll(
                event_record.code, [one], first, [player.lot for player in event_record.players]
            )
        elif old.left:
            made = event_file.rejoin(old, first)
        else:
            made = old if from_ is None else _from_round(folder, event_record, old, first)
        sentence = "joined" if old is None else "back" if old.left else "changed"
        lines.append(format_sentence(sentence, lang, name=made.name, lot=made.lot, n=first))
        if one.name in near_:
            undo = command_of("drop", folder, made.name)
            lines.append(format_sentence("near_joined", lang, name=made.name, near=near_[one.name], command=undo))
        if early := [number for number in rest if number < made.since]:
            message = tr(
                "{name} does not join until round {since}, so --rest {n} is too early",
                name=made.name,
                since=made.since,
                n=early[0],
            )
            raise WrongUsageError(message, hint=tr("omit the option"))
        made = replace(
            made,
            team=one.team or made.team,
            table=made.table if table_ is None else table_,
            no_bye=no_bye or made.no_bye,
            rests=tuple(sorted({*made.rests, *rest})),
        )
        event_record = event_record.with_player(made)
        for other in apart:
            event_record = _keep_apart(event_record, made.name, other)
    _check_not_too_many(event_record, first)
    lines += [format_sentence("unpaired", lang, n=n) for n in undone]
    lines += apart_lines(folder, before, event_record, lang)
    lines += few_left_lines(folder, event_record, sorted({event_record.next_number, *rest}), lang)
    if not dry_run:
        remove_outdated(folder, undone)
    save_and_report(folder, event_record, dry_run, as_json, lang, lines)


def _check_are_names(names: Sequence[str]) -> None:
    """Check that each new name is the name of one player, as in a list of players without headings.

    Raises:
        WrongUsageError: If a text has several names, or a name and a remark.
    """
    problems = []
    for name in names:
        if any(sign in name for sign in _SEPARATORS):
            message = tr("“{text}” looks like more than one player", text=name[:60])
            hint = tr("give each name as a separate word, in quotation marks if it contains a space")
            problems.append(Problem(message, hint=hint))
        elif is_gone(name):
            message = tr("“{text}” looks like two names, or a name and a remark", text=name[:60])
            hint = tr("give only the name; --round N lets a player join later")
            problems.append(Problem(message, hint=hint))
        elif fault := line_fault(name, headed=False):
            hint = tr("keep only the name; if the whole text is a name, list it below the heading {named} in a "
                      "file for --players", named="name")  # fmt: skip
            problems.append(Problem(fault[0], hint=hint))
    WrongUsageError.raise_if_any(problems)


def _check_not_too_many(event_record: EventRecord, number: int) -> None:
    """Check that a round does not have more players than an event can have.

    Raises:
        WrongUsageError: If it has.
    """
    count = sum(player.is_present(number) for player in event_record.players)
    if count > MAX_PLAYERS:
        hint = tr("an event needs 2 to {most_players} players", most_players=MAX_PLAYERS)
        raise WrongUsageError(tr("number of players: {count}", count=count), hint=hint)


def _is_new(name: str, near_: str, lang: Lang) -> bool:
    """Ask whether a new player is different from a listed player with almost the same name."""
    return click.confirm(format_sentence("near_ask", lang, name=name, near=near_), default=False, err=True)


def _from_round(folder: Path, event_record: EventRecord, player: Player, first: int) -> Player:
    """Return a listed player who plays from round `first` on, after a later start or a rest in that round.

    Raises:
        WrongUsageError: If the player already plays in earlier rounds, because these games are kept.
    """
    if first in player.rests:
        return replace(player, rests=tuple(number for number in player.rests if number < first))
    if player.since >= event_record.next_number:
        return replace(player, since=first, rests=tuple(number for number in player.rests if number > first))
    if first == event_record.next_number:
        return player
    hint = tr(
        "{rest} lets the player rest in round {n}, and {drop} removes the player from the event",
        rest=command_of("join", folder, player.name, "--rest", str(event_record.next_number)),
        n=event_record.next_number,
        drop=command_of("drop", folder, player.name),
    )
    message = tr("--round {n}: {name} has played since round {since}", n=first, name=player.name, since=player.since)
    raise WrongUsageError(message, hint=hint)


def _check_planned(event_record: EventRecord, *numbers: int) -> None:
    """Check that the event has these rounds planned.

    Raises:
        WrongUsageError: If a number is greater than that of the last round.
    """
    if event_record.rounds and (latest := max(numbers)) > max(event_record.rounds, event_record.next_number):
        hint = tr("to add rounds, set `rounds` in {file} to a larger number", file=event_file.NAME)
        raise WrongUsageError(
            tr(
                "there is no round {n}; the number of rounds of this event is {rounds}",
                n=latest,
                rounds=event_record.rounds,
            ),
            hint=hint,
        )


def _undo_pairings(
    folder: Path, event_record: EventRecord, first: int, reopen: bool
) -> tuple[EventRecord, list[int]]:
    """Return the event without the pairings of round `first` and later rounds, and the numbers of these rounds.

    Raises:
        WrongUsageError: If one of these rounds was played, or was packed and is not reopened.
    """
    later = [one.number for one in event_record.round if one.number >= first]
    held = [n for n in later if n in frozen_rounds(folder, event_record) or is_edited(results_path(folder, n))]
    if held:
        raise WrongUsageError(
            tr("round {n} is already paired", n=first),
            hint=tr("this change is possible only from round {n} on", n=held[-1] + 1),
        )
    if not reopen and "packed" in [
        round_state(folder, event_record, one) for one in event_record.round if one.number in later
    ]:
        hint = tr(
            "this change is possible only from round {n} on; with --reopen, the same "
            "command undoes the packed pairings of round {least}",
            n=event_record.next_number,
            least=first,
        )
        raise WrongUsageError(tr("round {n} is already paired", n=first), hint=hint)
    return replace(event_record, round=tuple(one for one in event_record.round if one.number < first)), later


@click.command(cls=Verb)
@FOLDER
@click.argument("names", nargs=-1, required=True, metavar="NAME…")
@click.option("--round", "from_", type=click.IntRange(1, MAX_ROUNDS), metavar="N")
@click.option("--remove", is_flag=True)
@REOPEN
@DRY_RUN
@console.answer_options
@writes_event
def drop(
    folder: Path,
    names: tuple[str, ...],
    from_: int | None,
    remove: bool,
    reopen: bool,
    dry_run: bool,
    lang: Lang,
    as_json: bool,
) -> None:
    """Remove players from the next round on. Games that they have played are kept.

    With `remove`, players who have not played are removed as if they had not joined.
    """
    event_record = open_event(folder)
    first = event_record.next_number if from_ is None else from_
    _check_planned(event_record, first)
    event_record, undone = _undo_pairings(folder, event_record, first, reopen)
    lines = []
    for name in names:
        player = event_record.require_player(name)
        if remove:
            event_record = _removed(folder, event_record, player)
            lines.append(format_sentence("removed", lang, name=player.name))
            continue
        if 0 < player.left < event_record.next_number:
            message = tr("{name} left before round {left}", name=player.name, left=player.left)
            raise WrongUsageError(message, hint=command_of("join", folder, player.name))
        event_record = event_record.with_player(replace(player, left=first))
        lines.append(format_sentence("dropped", lang, name=player.name, n=first))
        if not event_file.has_played(event_record, player):
            undo = command_of("drop", folder, player.name, "--remove")
            lines.append(format_sentence("never_played", lang, name=player.name, command=undo))
    lines += [format_sentence("unpaired", lang, n=n) for n in undone]
    lines += few_left_lines(folder, event_record, [event_record.next_number], lang)
    if not dry_run:
        remove_outdated(folder, undone)
    save_and_report(folder, event_record, dry_run, as_json, lang, lines)


def _removed(folder: Path, event_record: EventRecord, player: Player) -> EventRecord:
    """Return the event without a player.

    Raises:
        WrongUsageError: If the player is in a round.
    """
    if event_file.has_played(event_record, player):
        hint = tr("{drop} withdraws the player from later rounds, and {rename} corrects the name; the "
"player stays in the standings",
                  drop=command_of("drop", folder, player.name),
                  rename=command_of("rename", folder, player.name, "NEW"))  # fmt: skip
        raise WrongUsageError(
            tr("{name} has been paired in a round and cannot be removed", name=player.name), hint=hint
        )
    apart = tuple(pair for pair in event_record.apart if plain(player.name) not in map(plain, pair))
    others = tuple(one for one in event_record.players if one is not player)
    return replace(event_record, players=others, apart=apart)
