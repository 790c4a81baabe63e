"""Report entries of an event that contradict each other or past rounds. The organiser decides what to change."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from generator.errors import Problem
from generator.localization import lang_option, tr
from generator.notation.text import suggested_command
from generator.notation.toml import Source
from generator.tournament.csv_files import plain
from generator.tournament.event_file import EventRecord, Meeting, Played, Player

Topic = Literal["players", "apart", "clock", "final", "missing"]
TOPICS: tuple[Topic, ...] = ("players", "apart", "clock", "final", "missing")


def remarks(event_record: EventRecord, source: Source, topics: Sequence[Topic] = TOPICS) -> list[Problem]:
    """Return the contradictions in the event's file that belong to these topics, in the order of the lines."""
    found = [problem for topic in topics for problem in _BY_TOPIC[topic](event_record, source)]
    return sorted(found, key=lambda problem: problem.line)


def _players(event_record: EventRecord, source: Source) -> Iterator[Problem]:
    """Yield a problem for each player who is paired in a round that the player does not play."""
    at = {plain(player.name): (index, player) for index, player in enumerate(event_record.players)}
    for one in event_record.round:
        for name in (name for m in one.tables for name in (m.a, m.b)):
            index, player = at[plain(name)]
            if fault := _absence(player, one):
                hint = tr("correct the player's entry, or the pairings of this round")
                yield source.problem(("players", index), fault, hint, remark=True)


def _absence(player: Player, one: Played) -> str:
    """Return the reason that a player should not be paired in a round, or an empty string if there is none."""
    name, n = player.name, one.number
    if one.number < player.since:
        return tr(
            "{name} plays in round {n}, but does not join until round {since}", name=name, n=n, since=player.since
        )
    if 0 < player.left <= one.number:
        return tr("{name} plays in round {n}, but left before round {left}", name=name, n=n, left=player.left)
    if one.number in player.away:
        return tr("{name} plays in round {n}, but is listed as away", name=name, n=n)
    if one.number in player.rests:
        return tr("{name} plays in round {n}, but is listed as resting", name=name, n=n)
    return ""


def meetings_of_apart(event_record: EventRecord) -> Iterator[tuple[int, Meeting, int]]:
    """Yield the meetings without a result of players who must be kept apart.

    Each has the number of the round, the meeting, and the index of the pair in `apart`. Meetings with a result are
    allowed, because players may be kept apart only from then on.
    """
    apart = {frozenset(map(plain, pair)): at for at, pair in enumerate(event_record.apart)}
    for one in event_record.round:
        done = {game.table for game in one.results}
        for meeting in one.tables:
            at = apart.get(frozenset((plain(meeting.a), plain(meeting.b))))
            if at is not None and meeting.table not in done:
                yield one.number, meeting, at


def apart_problem(number: int, meeting: Meeting, folder: Path) -> tuple[str, str]:
    """Return a message and a hint about two players who are paired although they must be kept apart."""
    message = tr("{a} and {b} must not be paired, but they meet in round {n}, table {table}",
                 a=meeting.a, b=meeting.b, n=number, table=meeting.table)  # fmt: skip
    again = suggested_command(["muster", "tournament", "pair", folder, "--round", str(number), *lang_option()])
    return message, tr("to pair that round again: {command}", command=again)


def _apart(event_record: EventRecord, source: Source) -> Iterator[Problem]:
    """Yield a problem for each pair of players who must be kept apart but are paired."""
    for number, meeting, at in meetings_of_apart(event_record):
        yield source.problem(("apart", at), *apart_problem(number, meeting, Path(source.name).parent), remark=True)


def _clock(event_record: EventRecord, source: Source) -> Iterator[Problem]:
    """Yield a problem for each round that ends before it begins, or begins before the previous round ends."""
    before = -1
    for at, span in enumerate(event_record.clock):
        begins, ends = minutes_of_day(span)
        if ends <= begins:
            message = tr("round {n} ends before it starts: {span}", n=at + 1, span=span)
            yield source.problem(("clock", at), message, remark=True)
        elif begins < before:
            message = tr("round {n} starts before round {before} ends: {span}", n=at + 1, before=at, span=span)
            yield source.problem(
                ("clock", at), message, tr("ignore this if the two rounds are on different days"), remark=True
            )
        before = ends


def minutes_of_day(span: str) -> tuple[int, int]:
    """Return the times at which a round begins and ends, in minutes after midnight."""
    begins, ends = (60 * int(hour) + int(minute) for hour, minute in re.findall("([0-9]+):([0-9]+)", span))
    return begins, ends


def _final(event_record: EventRecord, source: Source) -> Iterator[Problem]:
    """Yield a problem if the final is for more players than there are."""
    here = sum(player.is_present(event_record.next_number) for player in event_record.players)
    if event_record.cut > here > 0 and not any(one.final for one in event_record.round):
        message = tr(
            "the final is for {cut} players, but the event has only {count}", cut=event_record.cut, count=here
        )
        yield source.problem(("cut",), message, tr("set `cut` to a smaller number, or add players"), remark=True)


def _missing(event_record: EventRecord, source: Source) -> Iterator[Problem]:
    """Yield a problem for each round, except rounds of the final, that lacks players who take part in it."""
    for at, one in enumerate(event_record.round):
        there = {plain(name) for m in one.meetings for name in (m.a, m.b, m.against) if name}
        gone = [p.name for p in event_record.players if p.is_present(one.number) and plain(p.name) not in there]
        if gone and not one.final:
            message = tr("players who are not in round {n}: {names}", n=one.number, names=gone)
            hint = tr(
                "add a pair or a bye for each of them, or write away = [{n}] in the player's entry", n=one.number
            )
            yield source.problem(("round", at, "meetings"), message, hint, remark=True)


_BY_TOPIC: Mapping[Topic, Callable[[EventRecord, Source], Iterator[Problem]]] = {
    "players": _players,
    "apart": _apart,
    "clock": _clock,
    "final": _final,
    "missing": _missing,
}
