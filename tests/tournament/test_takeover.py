"""Tests for taking over a running event from TRF16: the same points, the same standings, and the next round pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import DataError
from generator.tournament import matching, ranking, takeover
from generator.tournament.event_file import EventRecord
from tests.cli.run import muster
from tests.prove.parts.takeover import fault, report_fault
from tests.tournament.test_trf import CODE, HEAD, line

SAMPLE = 25


def taken(file: Path, *lines: str, **options: object) -> takeover.TakenOver:
    file.write_text(HEAD + "".join(lines))
    begun = EventRecord("Club", "battling", CODE)
    return takeover.take_over(file, None, begun, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(SAMPLE))
def test_an_event_comes_back_with_the_same_standings(seed: int) -> None:
    assert fault(seed) == ""


@pytest.mark.parametrize("seed", range(SAMPLE))
def test_points_equal_those_of_a_report(seed: int) -> None:
    assert report_fault(seed) == ""


def test_the_marks_of_every_kind_of_bye_and_forfeit(tmp_path: Path) -> None:
    marks = (
        "  0000 - H",
        "  0000 - U",
        "  0000 - F",
        "  0000 - Z",
        "",
        "     7 w +",
        "     6 b -",
        "     9 w W",
        "     8 b L",
    )
    of = taken(tmp_path / "e.trf", *(line(n, f"P{n}", mark) for n, mark in enumerate(marks, 1)))
    points = {rank.player: rank.points for rank in ranking.ranks(of.event_record)}
    assert points == {"P1": 1, "P2": 2, "P3": 2, "P4": 0, "P5": 0, "P6": 2, "P7": 0, "P8": 2, "P9": 0}
    assert of.left == ("P4", "P5")
    assert [player.name for player in of.event_record.players if player.left] == ["P4", "P5"]


def test_two_games_at_a_table_double_every_point(tmp_path: Path) -> None:
    rows = (
        line(1, "Ann", "     2 w 1"),
        line(2, "Bob", "     1 b 0"),
        line(3, "Cy", "     4 w ="),
        line(4, "Dee", "     3 b ="),
    )
    one, two = (taken(tmp_path / "e.trf", *rows, games=games) for games in (1, 2))
    first, second = ({rank.player: rank.points for rank in ranking.ranks(of.event_record)} for of in (one, two))
    assert second == {name: 2 * points for name, points in first.items()}
    assert first == {"Ann": 2, "Bob": 0, "Cy": 1, "Dee": 1}


def test_requests_for_the_next_round_are_kept(tmp_path: Path) -> None:
    rows = [
        line(1, "Ann", "     2 w 1  0000 - H"),
        line(2, "Bob", "     1 b 0  0000 - Z"),
        line(3, "Cy", "     4 w 1  0000 - F"),
    ]
    of = taken(tmp_path / "e.trf", *rows, line(4, "Dee", "     3 b 0"), line(5, "Eve", "  0000 - U"), "XXP 4 5\n")
    record = of.event_record
    assert [(p.name, p.rests, p.away) for p in record.players[:3]] == [
        ("Ann", (2,), ()),
        ("Bob", (), (2,)),
        ("Cy", (), ()),
    ]
    assert record.apart == (("Dee", "Eve"),)
    assert [str(remark).partition("e.trf:")[2][:30] for remark in of.remarks[:1]] == [
        "5: Cy has a bye that counts in"
    ]
    made = matching.pair_round(record, 2)
    assert {frozenset((m.a, m.b)) for m in made.round.tables} in ({frozenset(("Cy", "Eve"))},)


def test_the_next_round_pairs_and_nobody_meets_again(tmp_path: Path) -> None:
    file, event = tmp_path / "half.trf", tmp_path / "ev"
    rows = [
        line(1, "Ann", "     2 w 1"),
        line(2, "Bob", "     1 b 0"),
        line(3, "Cy", "     4 w ="),
        line(4, "Dee", "     3 b ="),
    ]
    file.write_text(HEAD + "".join(rows) + line(5, "Eve", "  0000 - H"))
    made = muster("tournament", "new", "battling", "--from", file, "-o", event)
    assert made.code == 0 and "Players: 5; rounds: 1" in made.out
    assert muster("tournament", "pair", event).code == 0
    points = muster("tournament", "standings", event, "--json").json
    assert {row["player"]: row["points"] for row in points["standings"]} == {
        "Ann": 2,
        "Cy": 1,
        "Dee": 1,
        "Eve": 1,
        "Bob": 0,
    }


def test_players_who_missed_the_last_round_can_be_seated(tmp_path: Path) -> None:
    rows = [
        line(1, "Ann", "     2 w 1     3 w 1"),
        line(2, "Bob", "     1 b 0"),
        line(3, "Cy", "  0000 - U     1 b 0"),
    ]
    assert taken(tmp_path / "e.trf", *rows).left == ("Bob",)
    seated = taken(tmp_path / "e.trf", *rows, absent="seat")
    assert seated.left == () and all(player.is_present(3) for player in seated.event_record.players)
    assert not seated.event_record.players[1].is_present(2)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((line(1, "Ann", "     2 w 1"), line(2, "Bob", "     1 b 1")), "3: round 1: the results “1” of Ann and “1”"),
        ((line(1, "Ann", "     2 w 1"), line(2, "Ann", "     1 b 0")), "4: Ann appears twice"),
        ((line(1, "Ann", ""),), "number of players: 1"),
        ((line(1, "Ann", "     2 w 1" * 60), line(2, "Bob", "     1 b 0" * 60)), "3: number of rounds: 60"),
    ],
)  # fmt: skip
def test_faults_have_their_line(tmp_path: Path, rows: tuple[str, ...], expected: str) -> None:
    with pytest.raises(DataError) as caught:
        taken(tmp_path / "e.trf", *rows)
    assert expected in str(caught.value)


def test_other_points_in_the_file_are_reported(tmp_path: Path) -> None:
    row = line(1, "Ann", "     2 w 1").replace(" 0.0 ", " 3.0 ")
    of = taken(tmp_path / "e.trf", row, line(2, "Bob", "     1 b 0"))
    assert [str(remark).partition(":")[2] for remark in of.remarks] == [
        "3: Ann has 3.0 points in the file, but the player's rounds give 1.0"
    ]


def test_a_long_name_of_an_event_is_shortened_and_reported(tmp_path: Path) -> None:
    file = tmp_path / "e.trf"
    file.write_text(f"012 {'Cup ' * 30}\n" + line(1, "Ann", "") + line(2, "Bob", ""))
    done = muster("tournament", "new", "battling", "--from", file, "-o", tmp_path / "ev")
    assert done.code == 0 and "the event's name is shortened to 80 characters, “Cup Cup" in done.out
    assert (
        "shortened"
        not in muster("tournament", "new", "battling", "--from", file, "--event", "Cup", "-o", tmp_path / "b").out
    )


def test_a_rotation_cannot_continue_an_event(tmp_path: Path) -> None:
    file = tmp_path / "e.trf"
    file.write_text(HEAD + line(1, "Ann", "     2 w 1") + line(2, "Bob", "     1 b 0"))
    made = muster("tournament", "new", "battling", "--from", file, "--system", "rotation", "-o", tmp_path / "ev")
    assert made.code == 2 and not (tmp_path / "ev").exists()


def test_lines_that_change_points_or_pairings_are_reported(tmp_path: Path) -> None:
    """JaVaFo's points and accelerations, and teams, are not taken over. Lines that describe the event are ignored."""
    players = [line(n, f"P{n}", mark) for n, mark in enumerate(("     2 w 1", "     1 b 0"), 1)]
    others = ("022 Brno\n", "XXS W=3\n", "XXA    1  1.0\n", "310   x\n", "XXR 4\n", "P2 left\n", "002    3 P3\n")
    found = taken(tmp_path / "e.trf", *players, *others)
    assert [str(remark) for remark in found.remarks if "cannot be imported" in str(remark)] == [
        f"{tmp_path / 'e.trf'}:{at}: “{text}” cannot be imported"
        for at, text in (
            (HEAD.count("\n") + 4, "XXS W=3"),
            (HEAD.count("\n") + 5, "XXA    1  1.0"),
            (HEAD.count("\n") + 6, "310   x"),
            (HEAD.count("\n") + 8, "P2 left"),
            (HEAD.count("\n") + 9, "002    3 P3"),
        )
    ]
