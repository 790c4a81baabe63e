"""Tests that Muster reads everything it writes, with events of every size up to the limits and beyond."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from generator.errors import CannotWriteError
from generator.notation.toml import FILE_LIMIT, LINE_LIMIT, Source
from generator.tournament import event_file
from generator.tournament.event_file import MAX_NOTICES, Change, EventRecord, Game, Meeting, Played, Player, Undone
from generator.tournament.pairings import MAX_PLAYERS, MAX_ROUNDS

CODE = "K7Q2M-9FHN5"
FILE = Path("event.toml")
SIGNS = 'aÉ"\\千é\u3000 ’{}[]=#,'


def unique_name(number: int, length: int, sign: str) -> str:
    """Return a name of the given length that is unique to the number."""
    return (f"n{number} " + (sign * length).strip())[:length].strip() or f"n{number}"


def sized(
    players: int, rounds: int, length: int, sign: str, apart: int, notices: int, undone: int, tidy: bool = True
) -> EventRecord:
    """Return an event of the given size, with every entry at its maximum length."""
    rng = random.Random(players * 1000 + rounds)
    number = tuple(range(1, MAX_ROUNDS + 1))
    names = [unique_name(n, length, sign) for n in range(players)]
    listed = tuple(
        Player(name, lot, unique_name(lot % 9, length, sign), table=9999, no_bye=True, rests=() if tidy else number)
        for lot, name in enumerate(names, 1)
    )
    made = []
    for at in range(1, rounds + 1):
        order = rng.sample(names, players)
        tables = tuple(
            Meeting(a, b, n, unique_name(n, length, sign))
            for n, (a, b) in enumerate(zip(order[::2], order[1::2], strict=False), 1)
        )
        byes = (Meeting(order[-1]),) if players % 2 else ()
        games = tuple(Game(m.table, g, "a", (9, 9), (9, 9), (9, 9)) for m in tables for g in (1, 2))
        changes = tuple(Change("2026-11-28T02:00Z", game) for game in games)
        made.append(Played(at, tables + byes, games, changes, printed="0" * 64))
    pairs = [(a, b) for at, a in enumerate(names) for b in names[at + 1 :]][:apart]
    lines = tuple(unique_name(n, 80, sign) for n in range(notices))
    gone = tuple(Undone("2026-11-28T02:00Z", one) for one in made[:undone])
    clock = tuple(f"{n % 24}:00-{n % 24}:59" for n in range(MAX_ROUNDS))
    return EventRecord(
        unique_name(0, length, sign), "battling", CODE, rounds=rounds, clock=clock, notices=lines, players=listed,
        apart=tuple(pairs), options={"title": "x"}, round=tuple(made), undone=gone,
    )  # fmt: skip


def reads_back(record: EventRecord) -> None:
    """Check that the event reads back as written, or is refused before it is written."""
    content = event_file.write(record)
    try:
        event_file.check_readable(content, FILE)
    except CannotWriteError as error:
        assert len(content) > FILE_LIMIT, error
        assert "1 MiB" in str(error)
        return
    assert event_file.parse(Source.of(content, str(FILE))) == record


@settings(max_examples=25, deadline=None)
@given(
    players=st.integers(2, 40),
    rounds=st.integers(0, 6),
    length=st.sampled_from((8, 30, 80)),
    sign=st.sampled_from(SIGNS),
    apart=st.integers(0, 120),
    notices=st.integers(0, MAX_NOTICES),
    undone=st.integers(0, 3),
)
def test_an_event_of_any_size_reads_as_it_was_written(
    players: int, rounds: int, length: int, sign: str, apart: int, notices: int, undone: int
) -> None:
    reads_back(sized(players, rounds, length, sign, apart, notices, undone))


@pytest.mark.parametrize(
    ("players", "rounds", "length"), [(MAX_PLAYERS, 2, 20), (6, MAX_ROUNDS, 80), (MAX_PLAYERS, 4, 80)]
)
def test_an_event_at_its_limits_reads_or_is_refused(players: int, rounds: int, length: int) -> None:
    reads_back(sized(players, rounds, length, "千", 1000, MAX_NOTICES, 1, tidy=False))


def test_two_large_teams_that_never_meet_are_read() -> None:
    """The line is 4,369 bytes long, which the reader used to refuse."""
    names = [f"{team} {'Longname' * 2} {n}" for team in ("North", "South") for n in range(10)]
    players = tuple(Player(name, lot) for lot, name in enumerate(names, 1))
    record = EventRecord(
        "Cup", "battling", CODE, players=players, apart=tuple((a, b) for a in names[:10] for b in names[10:])
    )
    content = event_file.write(record)
    assert max(map(len, content.decode().splitlines())) < LINE_LIMIT
    assert len("".join(str(pair) for pair in record.apart)) > LINE_LIMIT
    assert event_file.parse(Source.of(content, "event.toml")) == record


@pytest.mark.parametrize(
    "change",
    [
        {"apart": tuple((f"p{n % 40}", f"p{n % 40 + 1}") for n in range(1001))},
        {"players": tuple(Player(f"q{n}", n + 1000) for n in range(10 * MAX_PLAYERS + 1))},
        {"notices": tuple("x" for _ in range(MAX_NOTICES + 1))},
        {"players": (Player("late", 7, since=MAX_ROUNDS + 1),)},
    ],
    ids=["apart", "players", "notices", "rounds"],
)
def test_what_passes_a_limit_is_refused_before_it_is_written(change: dict[str, object]) -> None:
    players = tuple(Player(f"p{n}", n + 1) for n in range(42))
    record = replace(EventRecord("Cup", "battling", CODE, players=players), **change)
    with pytest.raises(CannotWriteError, match="would not be readable"):
        event_file.check_readable(event_file.write(record), FILE)
