"""Tests for TRF16: forfeits are not meetings, H counts half, absences are kept, and written files read back."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from generator import games
from generator.errors import DataError, WrongUsageError
from generator.tournament import event_file, matching, outside, ranking, trf
from generator.tournament.event_file import EventRecord
from generator.tournament.pairings import Entrant
from generator.tournament.player_list import entrants, read
from tests.tournament.reports import Report, report

REPORTS = 60
CODE = "K7Q2M-9FHN5"
HEAD = "012 Club\nXXR 3\n"


def line(n: int, name: str, rounds: str) -> str:
    return f"001 {n:>4} {'':4} {name:<33} {'':31} {0:4.1f} {n:>4}{rounds}\n"


def begun(file: Path) -> EventRecord:
    """Return an event with the players of a report."""
    record = EventRecord("Club", games.names()[0], CODE)
    return replace(record, players=tuple(event_file.enroll(CODE, entrants(read(file)))))


def paired(record: EventRecord, file: Path, number: int) -> EventRecord:
    """Return the record with a round of a report, read like `pair --pairings` without --allow-rematch."""
    given, _, _ = outside.read_rounds(file, None, record, number)
    assert matching.check_rematches(record, given, False) == []
    return event_file.with_rounds(record, given)


def all_paired(file: Path, rounds: int) -> EventRecord:
    record = begun(file)
    for number in range(1, rounds + 1):
        record = paired(record, file, number)
    return record


@pytest.mark.parametrize("seed", range(REPORTS))
def test_every_round_of_a_long_report_is_paired_as_it_was_played(tmp_path: Path, seed: int) -> None:
    made: Report = report(seed)
    file = tmp_path / "event.trf"
    file.write_bytes(made.text.encode())
    record = all_paired(file, len(made.meetings))
    assert [player.name for player in record.players] == made.names
    for one, meetings, full, half, forfeits in zip(
        record.round, made.meetings, made.full, made.half, made.forfeits, strict=True
    ):
        assert {frozenset((m.a, m.b)) for m in one.tables} == meetings
        assert {m.a for m in one.meetings if not m.b and not m.half} == full
        assert {m.a for m in one.meetings if m.half} == half
        assert {(m.a, m.against) for m in one.meetings if m.against} == forfeits


@pytest.mark.parametrize("seed", range(REPORTS))
def test_what_is_written_reads_back(tmp_path: Path, seed: int) -> None:
    made = report(seed)
    file, again = tmp_path / "event.trf", tmp_path / "standings.trf"
    file.write_bytes(made.text.encode())
    record = all_paired(file, len(made.meetings))
    again.write_bytes(trf.write(record))
    other = all_paired(again, len(made.meetings))
    assert other.round == record.round
    assert trf.write(other) == again.read_bytes()


def test_a_forfeit_is_not_a_meeting_and_scores_as_a_bye(tmp_path: Path) -> None:
    file = tmp_path / "event.trf"
    file.write_text(HEAD + line(1, "Ann", "     2 w +     2 b 1") + line(2, "Bob", "     1 b -     1 w 0"))
    record = all_paired(file, 2)
    assert [[(m.a, m.b, m.against) for m in one.meetings] for one in record.round] == [
        [("Ann", "", "Bob")],
        [("Bob", "Ann", "")],
    ]
    assert {rank.player: rank.points for rank in ranking.ranks(record)} == {"Ann": 4, "Bob": 0}
    lines = trf.write(record).decode().splitlines()
    assert [text[91:] for text in lines if text.startswith("001")] == ["0002 w +  0002 b  ", "0001 b -  0001 w  "]
    with pytest.raises(WrongUsageError, match="met in round 2"):
        matching.check_rematches(record, [replace(record.round[1].as_round(), number=3)], False)


def test_a_player_who_never_came_has_lost_by_forfeit(tmp_path: Path) -> None:
    record = EventRecord("Club", games.names()[0], CODE)
    record = replace(
        record, players=tuple(event_file.enroll(CODE, [Entrant(name) for name in ("Ann", "Bob", "Cy", "Dee")]))
    )
    meetings = (event_file.Meeting("Ann", "Bob", 1), event_file.Meeting("Cy", "Dee", 2))
    lost = [event_file.Game(1, game, "b") for game in (1, 2)]
    fought = [event_file.Game(2, game, "a", (0, 0), (1, 2)) for game in (1, 2)]
    record = record.with_round(event_file.Played(1, meetings, (*lost, *fought)))
    lines = [text[91:] for text in trf.write(record).decode().splitlines() if text.startswith("001")]
    assert lines == ["0002 w -", "0001 b +", "0004 w 1", "0003 b 0"]
    file = tmp_path / "standings.trf"
    file.write_bytes(trf.write(record))
    again = all_paired(file, 1)
    assert [(m.a, m.b, m.against) for m in again.round[0].meetings] == [("Cy", "Dee", ""), ("Bob", "", "Ann")]


def test_a_half_point_bye_is_half(tmp_path: Path) -> None:
    file = tmp_path / "event.trf"
    rows = ("  0000 - H", "  0000 - U", "  0000 - F", "  0000 - Z", "")
    file.write_text(HEAD + "".join(line(n, f"P{n}", of) for n, of in enumerate(rows, 1)))
    record = all_paired(file, 1)
    assert [(m.a, m.half) for m in record.round[0].meetings] == [("P1", True), ("P2", False), ("P3", False)]
    points = {rank.player: rank.points for rank in ranking.ranks(record)}
    assert points == {"P1": 2, "P2": 4, "P3": 4, "P4": 0, "P5": 0}


def test_columns_that_were_counted_in_bytes_are_read(tmp_path: Path) -> None:
    shifted = line(1, "Jörg Müller", "     2 w 1").encode().replace(b"r  ", b"r", 1)
    file = tmp_path / "event.trf"
    file.write_bytes(HEAD.encode() + shifted + line(2, "Bob", "     1 b 0").encode())
    record = all_paired(file, 1)
    assert [(m.a, m.b) for m in record.round[0].meetings] == [("Jörg Müller", "Bob")]


def test_names_longer_than_their_columns_come_back(tmp_path: Path) -> None:
    names = [f"{'Bartholomew Featherstonehaugh-Cholmondeley'} {n}" for n in (1, 2)]
    record = replace(EventRecord("Club", games.names()[0], CODE), players=tuple(
        event_file.enroll(CODE, [Entrant(name) for name in names])
    ))  # fmt: skip
    file = tmp_path / "standings.trf"
    file.write_bytes(trf.write(record))
    assert [one.name for one in entrants(read(file))] == names


@pytest.mark.parametrize(
    ("rounds", "expected"),
    [
        (("     9 w 1", "     1 b 0"), "3: there is no player named '9'"),
        (("     2 w 1", "     2 b 0"), "4: there is no player named '2'"),
        (("     2 w 1", "  0000 - Z"), "3: Bob does not play against Ann in round 1"),
        (("     2 w 1", "     1 w 0"), "3: both players have the same colour"),
        (("     2 x 1", "     1 b 0"), "3: '   2 x 1' is not a valid TRF16 round entry"),
        (("", ""), " has no round 1"),
    ],
)
def test_faults_are_named_with_their_line(tmp_path: Path, rounds: tuple[str, str], expected: str) -> None:
    file = tmp_path / "event.trf"
    file.write_text(HEAD + line(1, "Ann", rounds[0]) + line(2, "Bob", rounds[1]))
    with pytest.raises(DataError) as caught:
        paired(begun(file), file, 1)
    assert str(caught.value).removeprefix(f"{file}:").startswith(expected)


def test_a_starting_number_in_two_lines_is_named(tmp_path: Path) -> None:
    file = tmp_path / "event.trf"
    file.write_text(HEAD + line(1, "Ann", "") + line(1, "Bob", ""))
    with pytest.raises(DataError, match="the starting number 1 is already in line 3"):
        read(file)
