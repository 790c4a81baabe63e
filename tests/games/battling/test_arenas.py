"""Tests for reading and writing arenas, for the house arenas, and for the rules of a good arena."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import DataError
from generator.games.battling.game import SHELVES
from generator.games.battling.ground import (
    ACROSS,
    Arena,
    arena_rules,
    drawing,
    house_arenas,
    opening_of,
    read_file,
)
from generator.games.battling.maker import make_arena
from generator.games.battling.tables import limits
from generator.grid.columns import columns_field
from generator.notation import text
from generator.notation import text as emit
from generator.notation.toml import Source
from generator.rules import check
from generator.seeds import RngStreams
from tests.games.battling.scenes import CODE, at, house
from tests.games.drawn import file_text

NAME = 'name = { en = "Mine", ja = "私の街" }'
ARENA = f"""
{NAME}
size = {{ columns = 10, rows = 9 }}
fine = 4
buildings = \"\"\"
# a shed, drawn hex by hex
0303 0303:NE 0404+2-1   # its third corner lies right of 0404's centre and above it

0505:W 0505:E 0506:SE+0+1
\"\"\"
"""


def test_an_arena_as_it_is_typed() -> None:
    found = read_file(Source("mine", ARENA))
    arena = found.ground
    assert (arena.field.columns, arena.field.rows, arena.fine, found.source) == (10, 9, 4, "own")
    (x, y), (u, v), (a, b) = (arena.point(at(name)) for name in ("0303", "0404", "0506"))
    assert arena.silhouettes[0] == ((x, y), (x + 4, y + 4), (u + 2, v + 1))
    assert arena.silhouettes[1][2] == (a + 4, b - 4 - 1)
    assert arena.closed(at("0303"))
    assert not arena.closed(at("0404"))
    assert arena.closed(at("0505"))


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("0303:NE", "0303:N", 7, "'0303:N' is not a corner"),
        ("0303:NE", "303", 7, "'303' is not a corner"),
        ("0404+2-1", "0404+2", 7, "'0404+2' is not a corner"),
        ("0404+2-1", "1404", 7, "the corner 1404 is outside the arena"),
        (" 0404+2-1", "", 7, "the building has fewer than three corners"),
        ("0404+2-1", "0303+8-8", 7, "the building has no area"),
        ("0506:SE+0+1", "0506:SE 0401", 9, "the building crosses or touches itself"),
        ("fine = 4", "fine = 13", 4, "fine: the value is 13, but it must be 1 to 12"),
        ("rows = 9", "rows = 7", 3, "size.rows: the value is 7"),
        ("fine = 4", 'edges = ["N"]', 4, "an edge is listed without the opposite edge"),
        ("fine = 4", 'edges = ["X", "N"]', 4, "edges[1]: 'X' is not valid"),
        ("fine = 4", "tall = 4", 4, "tall: unknown field"),
        ("name = { en", 'note = { en = "", ja = "" }\nname = { em', 3, "unknown field"),
    ],
)
def test_every_fault_is_named_with_its_line(old: str, new: str, line: int, message: str) -> None:
    with pytest.raises(DataError) as raised:
        read_file(Source("mine", ARENA.replace(old, new)))
    *_, problem = raised.value.problems
    assert message in problem.message
    assert problem.line in (line, 1)


def test_all_faults_are_named_at_once() -> None:
    with pytest.raises(DataError) as raised:
        read_file(Source("mine", ARENA.replace("0303:NE", "x").replace("0505:E", "y")))
    assert [problem.line for problem in raised.value.problems] == [7, 9]


def test_too_much_of_anything_is_refused() -> None:
    many = "0303 0404 0305\n" * (limits().buildings + 1)
    with pytest.raises(DataError, match="the number of buildings is 901"):
        read_file(Source("mine", f'{NAME}\nbuildings = """\n{many}"""'))
    with pytest.raises(DataError, match="the number of corners of the building is 61"):
        read_file(Source("mine", ARENA.replace("0303:NE", "0303 " * 59)))


@pytest.mark.parametrize("name", house_arenas())
def test_a_house_arena_is_a_good_one(name: str) -> None:
    found = house_arenas()[name]
    assert not check(arena_rules(), found.ground).findings
    assert found.source == "house"
    assert found.note.en
    assert read_file(Source("again", file_text(found, text.lines(drawing(found.ground))))) == found


def test_the_example_in_the_document_holds() -> None:
    text = (Path(__file__).parents[3] / "docs" / "formats" / "arena.md").read_text("utf-8")
    (arena,) = re.findall(r"```toml\n(.*?)```", text, re.S)
    found = read_file(Source("arena.md", arena)).ground
    assert len(found.silhouettes) == 3
    assert [found.closed(at(name)) for name in ("0805", "0907", "0302")] == [False, True, True]


def test_there_are_arenas_enough() -> None:
    assert len(house_arenas()) >= 6


@given(st.integers(1, 12), st.data())
def test_any_corner_is_written_and_read_back(fine: int, data: st.DataObject) -> None:
    x, y = data.draw(st.integers(-2 * fine, 40 * fine)), data.draw(st.integers(-26 * fine, 0))
    arena = Arena(columns_field(14, 12), (((x, y), (x + 1, y), (x, y + 1)),), fine)
    text = "\n".join(emit.lines(drawing(arena)))
    assert read_file(Source("again", f"{NAME}\n{text}")).ground == arena


@pytest.mark.parametrize("size", [(14, 12), (8, 8), (9, 40), (60, 8)])
def test_made_arenas_are_good_ones(size: tuple[int, int]) -> None:
    for i in range(4):
        arena = make_arena(RngStreams(CODE, f"v1/test/{i}"), *size)
        assert (arena.field.columns, arena.field.rows) == size
        assert not check(arena_rules(), arena).findings
        text = "\n".join(emit.lines(drawing(arena)))
        assert read_file(Source("again", f"{NAME}\n{text}")).ground == arena


def test_the_same_streams_make_the_same_arena() -> None:
    first, again, other = (make_arena(RngStreams(CODE, path), 14, 12) for path in ("v1/a", "v1/a", "v1/b"))
    assert first == again != other


def test_opening_sight_is_counted_line_by_line() -> None:
    arena = house("plaza")
    for edge in arena.edges:
        cells, across = arena.edge(edge), arena.edge(ACROSS[edge])
        clear = [(a, b) for a in cells for b in across if arena.sight(a, b).clear]
        found = opening_of(arena, edge)
        assert (found.seen, found.pairs) == (len(clear), len(cells) * len(across))
        assert found.covered == tuple(a for a in cells if a not in {a for a, _ in clear})
        assert found.percent == opening_of(arena, ACROSS[edge]).percent


def test_the_shelf_tells_what_makes_an_arena_a_poor_one() -> None:
    (content_type,) = (s for s in SHELVES if s.kind == "arena")
    assert content_type.check
    problems = [str(problem) for problem in content_type.check(Source("mine", ARENA))]
    assert any("mine:5: buildings: arena.opening" in line for line in problems)
    assert any("arena.cover" in line for line in problems)
    assert content_type.check(Source("mine", ARENA.replace("0303 ", "nowhere ")))[0].line == 7
    assert content_type.show("plaza", "ja")[0] == ["噴水広場 [house]"]
