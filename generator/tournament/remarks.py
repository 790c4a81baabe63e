"""Entries of an event that contradict what was played, or each other: reported, and left to the organiser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from generator.errors import Problem
from generator.localization import lang_option, tr
from generator.notation.text import command
from generator.notation.toml import Source
from generator.tournament.csv_files import plain
from generator.tournament.ledger import Book, Meeting, Played, Player

Topic = Literal["players", "apart", "clock", "final"]
TOPICS: tuple[Topic, ...] = ("players", "apart", "clock", "final")


def remarks(book: Book, source: Source, topics: Sequence[Topic] = TOPICS) -> list[Problem]:
    """Find those of these topics in the event's file, by line."""
    found = [problem for topic in topics for problem in _BY_TOPIC[topic](book, source)]
    return sorted(found, key=lambda problem: problem.line)


def _players(book: Book, source: Source) -> Iterator[Problem]:
    """Players who meet somebody in a round that they do not play."""
    at = {plain(player.name): (index, player) for index, player in enumerate(book.players)}
    for one in book.round:
        for name in (name for m in one.tables for name in (m.a, m.b)):
            index, player = at[plain(name)]
            if fault := _absence(player, one):
                hint = tr("correct the player's entry, or the pairings of that round")
                yield source.problem(("players", index), fault, hint, remark=True)


def _absence(player: Player, one: Played) -> str:
    """Why a player does not play a round that they are paired in; empty if nothing says so."""
    name, n = player.name, one.number
    if one.number < player.since:
        return tr("{name} plays in round {n}, but joins only in round {since}", name=name, n=n, since=player.since)
    if 0 < player.left <= one.number:
        return tr("{name} plays in round {n}, but left before round {left}", name=name, n=n, left=player.left)
    if one.number in player.away:
        return tr("{name} plays in round {n}, but is listed as away", name=name, n=n)
    if one.number in player.rests:
        return tr("{name} plays in round {n}, but is listed as resting", name=name, n=n)
    return ""


def meetings_of_apart(book: Book) -> Iterator[tuple[int, Meeting, int]]:
    """Find the meetings without a result, in rounds to be played, of players who are kept apart.

    Yields the number of the round, the meeting, and the place of the two in `apart`. Two who have played may be kept
    apart from then on.
    """
    apart = {frozenset(map(plain, pair)): at for at, pair in enumerate(book.apart)}
    for one in book.round:
        done = {game.table for game in one.results}
        for meeting in one.tables:
            at = apart.get(frozenset((plain(meeting.a), plain(meeting.b))))
            if at is not None and meeting.table not in done:
                yield one.number, meeting, at


def apart_problem(number: int, meeting: Meeting, folder: Path) -> tuple[str, str]:
    """Return what to say of two who are kept apart and meet, and what to do."""
    message = tr("{a} and {b} are kept apart, but meet in round {n}, table {table}", a=meeting.a, b=meeting.b,
                  n=number, table=meeting.table)  # fmt: skip
    again = command(["muster", "tournament", "pair", str(folder), "--round", str(number), *lang_option()], {})
    return message, tr("to pair that round again: {command}", command=again)


def _apart(book: Book, source: Source) -> Iterator[Problem]:
    """Players who are kept apart and are to meet."""
    for number, meeting, at in meetings_of_apart(book):
        yield source.problem(("apart", at), *apart_problem(number, meeting, Path(source.name).parent), remark=True)


def _clock(book: Book, source: Source) -> Iterator[Problem]:
    """Rounds that end before they begin, or begin before the one before them ends."""
    before = -1
    for at, span in enumerate(book.clock):
        begins, ends = minutes(span)
        if ends <= begins:
            told = tr("round {n} ends before it starts: {span}", n=at + 1, span=span)
            yield source.problem(("clock", at), told, remark=True)
        elif begins < before:
            told = tr("round {n} starts before round {before} ends: {span}", n=at + 1, before=at, span=span)
            yield source.problem(
                ("clock", at), told, tr("ignore this if the rounds are on different days"), remark=True
            )
        before = ends


def minutes(span: str) -> tuple[int, int]:
    """When a round begins and ends, in minutes of the day."""
    begins, ends = (60 * int(hour) + int(minute) for hour, minute in re.findall("([0-9]+):([0-9]+)", span))
    return begins, ends


def _final(book: Book, source: Source) -> Iterator[Problem]:
    """A final for more players than there are."""
    here = sum(player.here(book.next) for player in book.players)
    if book.cut > here > 0 and not any(one.final for one in book.round):
        told = tr("the final is for {cut} players, but the event has only {count}", cut=book.cut, count=here)
        yield source.problem(("cut",), told, tr("set `cut` to a smaller number, or add players"), remark=True)


_BY_TOPIC: Mapping[Topic, Callable[[Book, Source], Iterator[Problem]]] = {
    "players": _players,
    "apart": _apart,
    "clock": _clock,
    "final": _final,
}
