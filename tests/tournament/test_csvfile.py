from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import DataError, Problem
from generator.tournament.csv_files import FILE_LIMIT, FORMULA, columns, csv_bytes, headings, number, read, write

NEEDED = ("round", "player_a", "player_b")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "pairings.csv"


def complaints(path: Path, content: bytes) -> list[str]:
    path.write_bytes(content)
    with pytest.raises(DataError) as caught:
        read(path, NEEDED)
    return [str(problem).replace(str(path), "F") for problem in caught.value.problems]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize(
    "heads", [("round", "table", "player_a", "Player-B"), ("ラウンド", "卓", "選手Ａ", "対戦相手")]
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_spreadsheets_of_any_country(
    file: Path, encoding: str, delimiter: str, heads: tuple[str, ...], end: str
) -> None:
    rows = [heads, ("１", "3", "佐藤　太郎", '"高橋 ""鬼"""')]
    file.write_bytes(end.join(delimiter.join(row) for row in rows).encode(encoding))
    (row,) = read(file, NEEDED).rows
    assert (row.number("round", 1, 9), row.number("table", 1, 9)) == (1, 3)
    assert (row.name("player_a"), row.name("player_b"), row.line) == ("佐藤 太郎", '高橋 "鬼"', 2)


def test_blank_lines_are_skipped_and_lines_keep_their_numbers(file: Path) -> None:
    file.write_text('sep=;\n\n;;\nround;player_a;player_b\n\n1;A;"B\n"\n;;\n2;C;D\n', "utf-8")
    assert [row.line for row in read(file, NEEDED).rows] == [6, 9]


def test_unreadable_files_are_reported_with_their_line(file: Path) -> None:
    head = b"round,player_a,player_b\n"
    assert complaints(file, b"") == ["F: is empty (this file needs the columns round, player_a, player_b)"]
    assert complaints(file, b"round,plyer_a,player_b\n1,a,b") == [
        "F:1: the column player_a is missing (did you mean plyer_a?)"
    ]
    assert "accepted headings: player_b, 選手B" in complaints(file, b"round,a\n1,a")[0]
    (complaint,) = complaints(file, "\n1,1,佐藤,鈴木\n".encode())
    assert complaint.startswith("F:2: this line contains no known column heading (begin the file with a line of colu")
    assert complaints(file, head + b"1,a,b\n1,a") == [
        "F:3: the number of cells in this row is 2, but the number of columns is 3 "
        "(keep the separators around empty cells)"
    ]
    assert complaints(file, "round,a,b\n1,a,b".encode("utf-16")[:-1])[0].startswith("F:2: is not text in utf-16")
    assert complaints(file, b"round,a,b,A\n1,a,b,c") == [
        "F:1: the column player_a appears twice (these headings have the same meaning: a, A; keep only one of these "
        "columns)"
    ]
    assert complaints(file, head + b"1,a,b\n1,Doe, Jane,b") == [
        "F:3: the number of cells in this row is 4, but the number of columns is 3 "
        "(put quotation marks around a cell that contains the separator)"
    ]
    assert complaints(file, head + b'1,"a,b\n2,c,d\n')[0].startswith("F:2: a quotation mark is not closed")
    assert complaints(file, head + b"1,a,b\n1,a\0,b") == [
        "F:3: contains the invisible character U+0000 (type the text of this line again)"
    ]
    (message,) = complaints(file, head + b"1,a,b\n1,\x81\x20,b")
    assert (
        message.startswith("F:3: the encoding is uncertain: the text reads “")
        and "give its encoding with --encoding" in message
    )
    assert complaints(file, head * (1 + FILE_LIMIT // len(head))) == ["F: is larger than 1 MiB"]
    assert complaints(file, head + b"1,a,b\n" * 10_001)[0].startswith("F:10002: has more than 10000 rows")


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    for path, expected in (
        (tmp_path, "is a folder"),
        (tmp_path / "none.csv", "no such file"),
        (tmp_path / "x\0", "no such file"),
    ):
        with pytest.raises(DataError, match=expected):
            read(path, NEEDED)


def test_an_encoding_that_was_named_is_the_only_one(file: Path) -> None:
    file.write_bytes("round,a,b\n1,佐藤,鈴木".encode("cp932"))
    assert read(file, NEEDED).encoding == "cp932"
    with pytest.raises(DataError, match="not text in utf-8"):
        read(file, NEEDED, "utf-8")


def test_no_heading_means_two_columns() -> None:
    spelt = [text for column in columns().values() for text in (column.name.en, column.name.ja, *column.also)]
    assert len(headings(columns())) >= len(spelt) - len(columns())


@pytest.mark.parametrize(("text", "value"), [("３", 3), ("Round 12", 12), ("第2ラウンド", 2), ("7卓", 7), ("T04", 4)])
def test_numbers_with_words_round_them(text: str, value: int) -> None:
    assert number(text) == value


@pytest.mark.parametrize("text", ["", "-1", "1.5", "٣", "1e3", "one", "1234567"])
def test_invalid_numbers_are_refused(text: str) -> None:
    assert number(text) is None


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8), min_size=1, max_size=4))
def test_no_cell_that_is_written_is_a_formula(cells: list[str]) -> None:
    content = csv_bytes(["head"] * len(cells), [cells])
    (_, row) = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    assert not any(cell.startswith(FORMULA) for cell in row)
    assert [cell[1:] if was.startswith(FORMULA) else cell for cell, was in zip(row, cells, strict=True)] == cells


def test_a_text_that_would_be_a_formula_is_made_harmless(file: Path) -> None:
    file.write_bytes(write("ja", NEEDED, [{"round": -1, "player_a": "@neko", "player_b": "＋1"}]))
    assert file.read_text("utf-8-sig").splitlines() == ["ラウンド,選手A,選手B", "-1,'@neko,'＋1"]


@pytest.mark.parametrize("head", ["Runde;Tisch;Spieler 1;Spieler 2", "ronde;table;Joueur A;Joueur B"])
def test_headings_of_other_languages(file: Path, head: str) -> None:
    file.write_text(f"{head}\nRunde 2;Tisch 3;A;B\n", "utf-8")
    (row,) = read(file, NEEDED).rows
    assert (row.number("round", 1, 9), row.number("table", 1, 9), row["player_b"]) == (2, 3, "B")


def test_a_quoted_line_break_is_not_an_open_quotation_mark(file: Path) -> None:
    """A cell with a line break was called “not closed” on both lines."""
    problems: list[Problem] = []
    file.write_text('round,player_a,player_b,note\n1,"Ann\nAlder",Bob,x\n2,Cy,Dee,\n3,"Eve,Flo,y\n4,Gil,Hal,\n')
    rows = read(file, NEEDED, refused=problems).rows
    assert [(row.line, row.name("player_a")) for row in rows] == [(2, "Ann Alder"), (4, "Cy"), (6, "Gil")]
    assert [(one.line, str(one.message)) for one in problems] == [(5, "a quotation mark is not closed")]


@pytest.mark.parametrize(
    "row",
    ["1,1,Ann,Bob", "1,,ann,", "1,1,Cy,Dee", "Note: Ann and Bob must replay", "1;1;Cy;Dee;3;1", "Bob"],
)
def test_a_row_above_the_headings_is_refused(file: Path, row: str) -> None:
    """A sheet that is sorted together with its headings has rows above them, which were ignored."""
    (fault,) = complaints(file, f"Spring Cup\n{row}\nround,table,player_a,player_b\n1,1,Ann,Bob\n".encode())
    assert fault.startswith("F:2: the row “") and "above the headings" in fault


def test_known_players_above_the_headings_are_refused_without_rows_below(file: Path) -> None:
    file.write_text("1,1,Ann,\nround,table,player_a,player_b\n")
    problems: list[Problem] = []
    read(file, NEEDED, names=["Ann", "Bob"], refused=problems)
    assert [problem.line for problem in problems] == [1]


def test_titles_above_the_headings_are_kept_as_titles(file: Path) -> None:
    file.write_text(
        "Spring Cup,3 May\nRound 1,Referee: Ann\n2026,,,Hall 1\nround,table,player_a,player_b\n1,1,Ann,Bob\n"
    )
    table = read(file, NEEDED)
    assert (table.titles, table.first_line) == (("Spring Cup, 3 May", "Round 1, Referee: Ann", "2026, Hall 1"), 4)
