"""An event that is taken over from standings.trf, or from the report of another tool, has the same standings."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from generator.tournament import ranking, takeover, trf
from generator.tournament.event_file import EventRecord, Game, Meeting, Played
from generator.tournament.pairings import BYE_VALUES
from tests.prove.figure import SEED, Figure, counted, spread
from tests.tournament.reports import report
from tests.tournament.simulated import CODE, simulated

EVENTS = 2000
MAX_PLAYERS = 24
HALVES = {"1": 2, "W": 2, "+": 2, "U": 2, "F": 2, "=": 1, "H": 1}
"""The half points of each mark, as FIDE's Handbook (C.04.A.1) lists them."""


def event(seed: int) -> EventRecord:
    """Return a random event with byes, forfeits, games without scores, missing results and late entries."""
    rng = random.Random(seed)
    record = simulated(rng, MAX_PLAYERS).event
    rounds = []
    for one in record.round:
        meetings, results = list(one.meetings), list(one.results)
        for m in one.tables:
            kind = rng.random()
            if kind < 0.1:
                meetings[meetings.index(m)] = Meeting(m.a, against=m.b)
                results = [game for game in results if game.table != m.table]
            elif kind < 0.2:
                won = rng.choice(("a", "b"))
                results = [
                    Game(game.table, game.game, won) if game.table == m.table else game  # type: ignore[arg-type]
                    for game in results
                ]
        meetings = [replace(m, half=rng.random() < 0.3) if not (m.b or m.against) else m for m in meetings]
        if one is record.round[-1] and rng.random() < 0.5:
            results = results[: rng.randrange(len(results) + 1)]
        rounds.append(replace(one, meetings=tuple(meetings), results=tuple(results)))
    names = [player.name for player in record.players]
    apart = ((names[0], names[-1]),) if rng.random() < 0.5 else ()
    return replace(record, round=tuple(rounds), apart=apart, bye=rng.choice(BYE_VALUES))


def fault(seed: int) -> str:
    """Return what differs after an event was written as standings.trf and taken over, or an empty string."""
    record = event(seed)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "standings.trf"
        file.write_bytes(trf.write(record))
        taken = takeover.take_over(file, None, EventRecord("Cup", "battling", CODE))
    if taken.remarks:
        return f"{seed}: remarks: {[str(remark) for remark in taken.remarks]}"
    if ranking.ranks(taken.event_record) != ranking.ranks(record):
        return f"{seed}: other standings"
    here = {player.name for player in record.players if player.is_present(record.next_number)}
    there = {player.name for player in taken.event_record.players if player.is_present(record.next_number)}
    if here != there:
        return f"{seed}: other players in the next round: {sorted(here ^ there)}"
    return "" if _games(taken.event_record) == _games(record) else f"{seed}: other pairings or results"


def _games(record: EventRecord) -> list[tuple[int, set[Meeting], set[Game]]]:
    return [(one.number, {replace(m, team="") for m in one.meetings}, _results(one)) for one in record.round]


def _results(one: Played) -> set[Game]:
    return {replace(game, elsewhere=False) for game in one.results}


def report_fault(seed: int) -> str:
    """Return a player whose points differ from those in a report of another tool, or an empty string."""
    made = report(seed)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "event.trf"
        file.write_bytes(made.text.encode())
        record = takeover.take_over(file, None, EventRecord("Cup", "battling", CODE)).event_record
    lines = [line for line in made.text.splitlines() if line.startswith("001")]
    wanted = Counter[str]()
    for name, line in zip(made.names, lines, strict=True):
        rounds = line[91:]
        wanted[name] = sum(HALVES.get(rounds[10 * n + 7 : 10 * n + 8], 0) for n in _counted(lines, len(record.round)))
    points = {rank.player: rank.points for rank in ranking.ranks(record)}
    wrong = [name for name in made.names if points.get(name, 0) != wanted[name]]
    return f"{seed}: other points: {wrong}" if wrong else ""


def _counted(lines: list[str], paired: int) -> list[int]:
    """Return the indices of the paired rounds that count.

    The byes of a round count as soon as a game of the round, or of a later round, has a result.
    """
    cells = [[f"{line[91 + 10 * n : 99 + 10 * n]:8}" for line in lines] for n in range(paired)]
    games = [[of[7] for of in cell if of[:4].strip("0 ") and of[7] not in "+-"] for cell in cells]
    played = max((n for n, of in enumerate(games) if any(mark != " " for mark in of)), default=-1)
    return [n for n in range(paired) if n <= played or not games[n]]


def prove() -> Iterator[Figure]:
    """Write and take over 2,000 events of Muster, and take over 2,000 random reports."""
    seeds = range(SEED, SEED + EVENTS)
    yield counted("events restored unchanged", EVENTS, filter(None, spread(fault, seeds, "takeover")))
    yield counted("reports that give the same points", EVENTS, filter(None, spread(report_fault, seeds, "reports")))
