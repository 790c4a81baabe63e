from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import DataError
from generator.games.travel_battle import ground
from generator.games.travel_battle.ground import (
    TYPES,
    Board,
    BoardForm,
    drawing,
    house_boards,
    picture,
    read_board,
    read_file,
)
from generator.games.travel_battle.tables import terrains
from generator.notation import text
from generator.notation.toml import Source
from tests.games.drawn import file_text

PAGE = (Path(__file__).parents[3] / "docs" / "formats" / "travel_board.md").read_text("utf-8")
FILE = PAGE.split("```")[1].removeprefix("toml\n")


def faults(text: str) -> list[str]:
    with pytest.raises(DataError) as caught:
        read_file(Source("b.toml", text))
    return caught.value.lines()


def assert_lawful(board: Board) -> None:
    terrain = board.terrain_map
    assert ground.exits(board) + ground.ribbons(terrain) + ground.network(terrain) + ground.hills(terrain) == []


def test_the_documented_board_reads_and_prints_back() -> None:
    read = read_file(Source("b.toml", FILE))
    field = read.ground.terrain_map.field
    assert (read.ground.type, read.source) == ("A", "own")
    assert {field.name(c) for c, t in read.ground.terrain_map.ground.items() if t == "wood"} == {"e6", "e7"}
    assert picture(read.ground.terrain_map) in FILE
    assert read_file(Source("again.toml", file_text(read, text.lines(drawing(read.ground))))) == read
    assert_lawful(read.ground)


def test_the_page_names_every_symbol() -> None:
    symbols_text = PAGE.split("## Symbols\n")[1].split(".\n")[0]
    assert symbols_text == " · ".join(f"`{t.symbol}` {t.name.en.lower()}" for t in terrains().values())


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("= b .\n=", "= B .\n=", "b.toml:7: rows: i9: no terrain has the symbol 'B' (did you mean b?)"),
        (
            "= b .\n=",
            "= q .\n=",
            "b.toml:7: rows: i9: no terrain has the symbol 'q' (accepted: . open ground, = road, 1 hill",
        ),
        (
            "= b .\n=",
            "=b.\n=",
            "b.toml:7: rows: row 9 has 8 squares, but needs 10 (separate the symbols with spaces)",
        ),
        ("= b .\n=", "= b\n=", "b.toml:7: rows: row 9 has 9 squares, but needs 10"),
        ("= b .\n=", "= b . .\n=", "b.toml:7: rows: row 9 has 11 squares, but needs 10"),
        (". . . . . . . = . .\n", "", "b.toml:5: rows: the number of rows is 9, but a board has 10"),
        ('"A"', '"C"', "b.toml:4: type: there is no type named 'C' (accepted: A, B)"),
        (
            '"A"',
            '"half"',
            "b.toml:4: type: there is no type named 'half' "
            "(half of a double board can be used only in a scenario file)",
        ),
        ("Hare", "H" * 81, "b.toml:1: name: has more than 80 characters"),
        ("A field", "A" * 2001, "b.toml:3: note: has more than 2000 characters"),
    ],
)
def test_faults_name_their_line(old: str, new: str, wanted: str) -> None:
    assert faults(FILE.replace(old, new, 1))[0].startswith(wanted)


def test_every_fault_is_named_at_once() -> None:
    wrong = FILE.replace(". w = .", ". x y .").replace("= b .\n=", "= b\n=")
    assert len(faults(wrong)) == 5
    assert faults(wrong.replace('"A"', '"C"'))[1:] == faults(wrong)
    assert len(faults(FILE.replace('"A"', '"C"').replace(". . . . . . . = . .\n", "", 1))) == 2


@pytest.mark.parametrize("slug", sorted(house_boards()))
def test_house_boards_are_lawful_and_round_trip(slug: str) -> None:
    of = house_boards()[slug]
    assert_lawful(of.ground)
    assert of.source == "house"
    assert of.note.en
    assert of.note.ja
    assert read_file(Source(slug, file_text(of, text.lines(drawing(of.ground))))) == of


def test_a_drawing_inside_another_file_reads_back() -> None:
    board = next(iter(house_boards().values())).ground
    table = drawing(board)
    assert read_board(BoardForm(board.type, str(table["rows"])), Source("s.toml", ""), ("near",)) == board


def test_there_are_house_boards_of_both_types() -> None:
    boards = [of.ground for of in house_boards().values()]
    assert all(sum(board.type == of for board in boards) >= 4 for of in TYPES)
    assert len({of.name.en for of in house_boards().values()}) == len(boards) >= 8
    # No board is a turned copy of another board.
    turned = [board.facing(edge).terrain_map.ground for board in boards for edge in (1, 2, 3, 4)]
    assert len({tuple(g.values()) for g in turned}) == 4 * len(boards)
