"""Tests for pairings in the files of other programs: no pairing and no line is left out without a message."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import DataError
from generator.localization import localize
from generator.tournament import event_file
from generator.tournament.event_file import EventRecord
from generator.tournament.outside import read_rounds
from generator.tournament.pairings import Entrant

CODE = "K7Q2M-9FHN5"
NAMES = ("Ann Alder", "Bob Birch", "Carl Cole", "Dora Dale", "Eve Elm", "Fred Fir")


def event(*names: str) -> EventRecord:
    players = event_file.enroll(CODE, [Entrant(name) for name in names or NAMES])
    return EventRecord("Cup", "battling", CODE, players=tuple(players))


def read(file: Path, text: str, *names: str) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the pairs of round 1 in a file, and the remarks on the file."""
    file.write_text(text, "utf-8")
    (one,), _, remarks = read_rounds(file, None, event(*names), 1)
    return [(p.a, p.b) for p in one.pairings], [
        remark if isinstance(remark, str) else localize(remark, "en") if isinstance(remark, tuple) else str(remark)
        for remark in remarks
    ]


TWO_HALVES = {
    "equal headings": "Table,Player A,Player B,Table,Player A,Player B\n{}",
    "names": "Table,Name,Name,Table,Name,Name\n{}",
    "numbered headings": "Table,Player A,Player B,Table 2,Player A 2,Player B 2\n{}",
    "no headings": "Table,Player A,Player B,,,\n{}",
}


@pytest.mark.parametrize("form", TWO_HALVES)
def test_tables_in_two_halves_are_refused(tmp_path: Path, form: str) -> None:
    rows = "1,Ann Alder,Bob Birch,2,Carl Cole,Dora Dale\n3,Eve Elm,Fred Fir,,,\n"
    with pytest.raises(DataError) as caught:
        read(tmp_path / "p.csv", TWO_HALVES[form].format(rows))
    assert {problem.line for problem in caught.value.problems} <= {1, 2}
    assert "write each pairing on a separate line" in caught.value.problems[0].hint


def test_other_columns_with_names_are_not_pairings(tmp_path: Path) -> None:
    text = (
        "Table,Name,Team,Name,Team,Winner\n1,Ann Alder,Oak,Bob Birch,Elm,Ann Alder\n2,Carl Cole,Oak,Dora Dale,Elm,\n"
    )
    pairs, _ = read(tmp_path / "p.csv", text)
    assert pairs == [("Ann Alder", "Bob Birch"), ("Carl Cole", "Dora Dale")]


def test_headings_for_the_order_of_play_and_wide_dashes_are_read(tmp_path: Path) -> None:
    text = "卓,先手,後手\n1,佐藤太郎,鈴木次郎\n,高橋三郎,－\n"
    assert read(tmp_path / "p.csv", text, "佐藤太郎", "鈴木次郎", "高橋三郎")[0] == [
        ("佐藤太郎", "鈴木次郎"),
        ("高橋三郎", ""),
    ]


def test_lines_of_a_report_without_a_tag_are_reported(tmp_path: Path) -> None:
    rows = [f"001 {n:>4} {'':4} {name:<33} {'':31}  0.0 {n:>4}{cell}" for n, name, cell in
            ((1, "Ann Alder", "     2 w 1"), (2, "Bob Birch", "     1 b 0"))]  # fmt: skip
    file = tmp_path / "p.trf"
    pairs, remarks = read(file, "\n".join(["012 Cup", rows[0], "Bob left after round 1", rows[1], ""]))
    assert pairs == [("Ann Alder", "Bob Birch")]
    assert remarks == [f"{file}:3: this line is not part of the table and is left out"]


@pytest.mark.parametrize("row", ["1,Ann Alder,Bob Birch", "Carl Cole plays Dora Dale", "Eve Elm,,"])
def test_pairings_above_the_headings_are_refused(tmp_path: Path, row: str) -> None:
    text = f"Round 1\n{row}\ntable,player_a,player_b\n2,Eve Elm,Fred Fir\n"
    with pytest.raises(DataError) as caught:
        read(tmp_path / "p.csv", text)
    assert [problem.line for problem in caught.value.problems] == [2]


def test_titles_above_the_headings_are_reported(tmp_path: Path) -> None:
    file = tmp_path / "p.csv"
    _, remarks = read(file, "Spring Cup\nRound 1,,\n\nTable,Player A,Player B\n1,Ann Alder,Bob Birch\n")
    assert remarks == [f"{file}:4: these are the headings; the lines above were ignored: Spring Cup, Round 1"]
