from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import DataError
from generator.games.battlelore import ground_rules
from generator.games.battlelore.ground import Board, DrawnMap, drawing, house_inventory, house_maps, picture, read_map
from generator.model.words import LANGS
from generator.notation import text
from generator.notation.toml import Source

MAP = '''name = { en = "Test", ja = "試し" }
profile = "battlelore"
rows = """
. . . . . . . . . . . .
 . . . . . . . . . . .
. . . . . . . . . . . .
 . . . . . . . . . . .
. . c . . . . . . . . .
 . . . . . . . . . . .
. f . . . . . . . . . .
 . . . . . . . . . . .
. . . . . . . . . . . .
"""
features = { C3 = "stakes" }
[cliffs]
C5 = ["E", "NE"]
'''


def faults(text: str) -> list[str]:
    with pytest.raises(DataError) as caught:
        read_map(Source("m.toml", text))
    return caught.value.lines()


def map_text(of: DrawnMap) -> str:
    """Return the text of a map file for a map."""
    words = {"name": of.name, "note": of.note}
    head = {key: {lang: text[lang] for lang in LANGS} for key, text in words.items()}
    return "\n".join(text.lines({**head, "source": of.source, **drawing(of.ground)})) + "\n"


def test_a_map_reads_and_prints_back() -> None:
    read = read_map(Source("m.toml", MAP))
    field = read.ground.field
    assert {field.name(c): t for c, t in read.ground.ground.items() if t != "countryside"} == {
        "B3": "forest",
        "C5": "cliff",
    }
    assert {field.name(c): f for c, f in read.ground.features.items()} == {"C3": "stakes"}
    assert {field.name(c): w for c, w in read.ground.walls.items()} == {"C5": (0, 1)}
    assert picture(read.ground) in MAP
    assert read_map(Source("again.toml", map_text(read))) == read


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        (". f .", ". F .", "m.toml:10: rows: B3: no terrain has the symbol 'F' (did you mean f?)"),
        (". f .", ". ｆ .", "m.toml:10: rows: B3: no terrain has the symbol 'ｆ' (did you mean f?)"),
        (". f .", ". x .", "m.toml:10: rows: B3: no terrain has the symbol 'x' (accepted: . countryside, f forest"),
        (". f .", "f .", "m.toml:10: rows: row 3 has 11 hexes, but needs 12"),
        (" . . . . . . . . . . .\n. f", ". f", "m.toml:3: rows: the number of rows is 8, but the board has 9"),
        ("C3", "L2", "m.toml:14: features.L2: there is no hex 'L2' (A1 to L9)"),
        ("stakes", "steaks", "m.toml:14: features.C3: there is no feature named 'steaks' (did you mean stakes?)"),
        ('"NE"', '"E"', "m.toml:16: cliffs.C5: direction E is listed twice"),
        (
            '"battlelore"',
            '"battelore"',
            "m.toml:2: profile: there is no board profile named 'battelore' (did you mean battlelore?)",
        ),
        ("Test", "T" * 81, "m.toml:1: name: has more than 80 characters"),
        ("profile", "profil", "m.toml:"),
    ],
)
def test_faults_name_their_line(old: str, new: str, wanted: str) -> None:
    assert faults(MAP.replace(old, new, 1))[0].startswith(wanted)


def test_every_fault_is_named_at_once() -> None:
    assert len(faults(MAP.replace(". f .", "x y .").replace("C3", "Z9").replace('"NE"', '"?"'))) == 4


def test_rows_that_begin_beside_the_quotes_keep_their_lines() -> None:
    text = MAP.replace('rows = """\n', 'rows = """').replace(". f .", ". F .")
    assert faults(text)[0].startswith("m.toml:9: rows: B3")


def assert_lawful(board: Board) -> None:
    tests = (
        ground_rules.rivers,
        ground_rules.crossings,
        ground_rules.cliffs,
        ground_rules.features,
        ground_rules.reachable,
        ground_rules.baseline_room,
    )
    assert [fault for test in tests for fault in test(board)] == []
    assert not list(ground_rules.tiles(board, house_inventory()))


def test_the_documented_map_is_lawful() -> None:
    page = (Path(__file__).parents[3] / "docs" / "formats" / "map.md").read_text("utf-8")
    assert_lawful(read_map(Source("map.md", page.split("```")[1].removeprefix("toml"))).ground)


@pytest.mark.parametrize("slug", sorted(house_maps()))
def test_house_maps_are_lawful_and_round_trip(slug: str) -> None:
    of = house_maps()[slug]
    assert_lawful(of.ground)
    assert of.source == "house"
    assert of.note.en
    assert of.note.ja
    assert read_map(Source(slug, map_text(of))) == of


def test_there_are_house_maps_for_every_board() -> None:
    boards = [m.ground.profile for m in house_maps().values()]
    assert boards.count("battlelore") >= 8
    assert boards.count("memoir") >= 1
    assert len({m.name.en for m in house_maps().values()}) == len(boards)
