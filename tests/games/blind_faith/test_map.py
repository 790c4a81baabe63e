"""Tests for operational maps. House maps satisfy all rules, text forms round-trip, and each fault names its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.errors import DataError
from generator.games.blind_faith.game import SHELVES
from generator.games.blind_faith.ground import DrawnMap, house_maps, load_map, map_lines, picture, read_file
from generator.games.blind_faith.tables import by_symbol, place_kinds, terrains
from generator.model.words import LANGS
from generator.notation.toml import Source
from generator.store.folders import shipped_path
from tests.games.drawn import file_text

ROOT = Path(__file__).resolve().parents[3]
HOUSE = house_maps()
PLAIN = """name = { en = "Mill", ja = "水車" }
rows = \"\"\"
. . . . .
 . f r ^ .
~ o ~ = ~
 . . . . .
\"\"\"

[places]
A1 = { kind = "town", name = "Brod" }
"""


def read(text: str) -> DrawnMap:
    return read_file(Source("mine.toml", text))


def problems(text: str) -> list[str]:
    with pytest.raises(DataError) as caught:
        read(text)
    return [str(problem) for problem in caught.value.problems]


def checked(text: str) -> list[str]:
    """Return the lines that `muster data check` prints about a map."""
    check = next(content_type for content_type in SHELVES if content_type.kind == "map").check
    assert check
    return [str(problem) for problem in check(Source("mine.toml", text))]


def test_there_are_house_maps() -> None:
    assert len(HOUSE) >= 4
    assert {found.source for found in HOUSE.values()} == {"house"}


@pytest.mark.parametrize("name", HOUSE)
def test_a_house_map_is_a_good_one(name: str) -> None:
    found = HOUSE[name]
    text = (shipped_path("data") / "blind_faith" / "maps" / f"{name}.toml").read_text("utf-8")
    assert checked(text) == []
    assert file_text(found, map_lines(found.ground)) == text
    op_map = found.ground
    assert {place.kind for place in op_map.places.values()} == set(place_kinds())
    assert {len(ways) for ways in op_map.flows().values()} <= {2}
    assert all(found.note[lang] for lang in LANGS)
    names = [place.name.en for place in op_map.places.values()]
    assert len(set(names)) == len(names)


def test_symbols_and_costs() -> None:
    assert {t.symbol: t.move for t in by_symbol().values()} == {
        ".": 1, "r": 2, "f": 2, "^": 3, "~": None, "o": 2, "=": 1,
    }  # fmt: skip


def test_a_map_reads_as_it_is_drawn() -> None:
    op_map = read(PLAIN).ground
    assert (op_map.columns, op_map.rows) == (5, 4)
    assert {op_map.name(c): op_map.ground[c] for c in op_map.field.row(1)} == {
        "A2": "river", "B2": "ford", "C2": "river", "D2": "bridge", "E2": "river",
    }  # fmt: skip
    assert picture(op_map).split() == PLAIN.split('"""')[1].split()
    assert read(file_text(read(PLAIN), map_lines(read(PLAIN).ground))) == read(PLAIN)
    assert [op_map.name(cell) for cell in op_map.places] == ["A1"]
    assert op_map.passable(op_map.field.row(0)[0])
    assert not op_map.passable(op_map.field.row(1)[0])
    assert len(terrains()) == len(by_symbol())


def test_a_map_that_can_be_read_may_still_be_poor() -> None:
    assert checked(PLAIN) == []
    cut = PLAIN.replace("~ o ~ = ~", "~ ~ ~ ~ ~")
    assert len(checked(cut)) == 1
    assert "cannot be reached" in checked(cut)[0]
    wet = PLAIN.replace("A1 =", "A2 =")
    assert checked(wet) == ["mine.toml:10: places.A2: no unit can enter the hex of this place"]
    assert read(wet).ground.besiegeable == ()
    drowned = re.sub(r"[.fr^o=](?= |$)", "~", PLAIN.split('"""')[1], flags=re.M)
    assert "the map has no hex that units can enter" in checked(PLAIN.replace(PLAIN.split('"""')[1], drowned))[0]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("f r ^", "f x ^", "mine.toml:4: rows: C3: no terrain has the symbol 'x' (accepted: . clear, r rough"),
        (" . f r ^ .", " . f r ^", "mine.toml:4: rows: row 3 has 4 hexes, but needs 5"),
        ("~ o ~ = ~\n . . . . .\n", "", "mine.toml:2: rows: the map has 2 rows (the number must be 4 to 30)"),
        (". . . . .\n .", ". . .\n .", "mine.toml:2: rows: the map has 3 columns (the number must be 4 to 26)"),
        ("A1 =", "Z9 =", "mine.toml:10: places.Z9: there is no hex 'Z9' (A1 to E4)"),
        (
            '"town"',
            '"twon"',
            "mine.toml:10: places.A1.kind: there is no kind of place named 'twon' (did you mean town?)",
        ),
        ('"Brod"', '" "', "mine.toml:10: places.A1.name: is empty"),
        ('en = "Mill"', f'en = "{"x" * 81}"', "mine.toml:1: name: has more than 80 characters"),
        ("rows =", "row =", "mine.toml:"),
    ],
)
def test_faults_are_named_with_their_lines(old: str, new: str, expected: str) -> None:
    assert any(problem.startswith(expected) for problem in problems(PLAIN.replace(old, new, 1)))


def test_a_map_may_have_no_places() -> None:
    without_places = PLAIN.replace('A1 = { kind = "town", name = "Brod" }', "")
    assert read(without_places).ground.places == {}
    assert read(file_text(read(without_places), map_lines(read(without_places).ground))) == read(without_places)


def test_every_fault_at_once() -> None:
    text = PLAIN.replace("f r ^", "x y ^").replace("A1 =", "Q9 =").replace('"town"', '"tower"')
    assert len(problems(text)) == 4


def test_the_map_in_the_document_is_good(tmp_path: Path) -> None:
    (example,) = re.findall(
        r"```toml\n(.*?)```", (ROOT / "docs" / "formats" / "operational_map.md").read_text("utf-8"), re.S
    )
    path = tmp_path / "mill.toml"
    path.write_text(example, "utf-8")
    assert checked(example) == []
    assert load_map(path).source == "own"
