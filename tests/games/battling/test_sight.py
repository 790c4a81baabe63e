"""Tests for sight in arenas, with the examples of the rules, and for the sight query."""

from __future__ import annotations

from typing import Any

import pytest

from generator import games
from generator.errors import WrongUsageError
from generator.games.battling.ground import Arena
from generator.games.battling.sight import pairs
from generator.grid.columns import columns_field
from tests.games.battling.scenes import at, drawn, house, hut

TOOL: Any = games.load("battling").sight
FIELD = columns_field(14, 12)
EXAMPLES = (
    # The buildings of the two examples in the rules, in units of a lattice five times as fine as that of the board.
    ((100, -60), (105, -60), (105, -57), (99, -57)),
    ((85, -78), (95, -78), (95, -82), (85, -82)),
)
SHED, BLOCK = (Arena(FIELD, (shape,), 5) for shape in EXAMPLES)


def test_a_building_beside_the_centre_bars_the_line_but_not_the_hex() -> None:
    line = SHED.sight(at("0707"), at("0805"))
    assert not line.clear
    assert not SHED.in_sight(at("0805"), at("0707"))
    assert not SHED.closed(at("0805"))


def test_a_building_on_the_centre_bars_both() -> None:
    assert not BLOCK.sight(at("0707"), at("0609")).clear
    assert BLOCK.closed(at("0708"))
    assert BLOCK.in_sight(at("0707"), at("1108"))


@pytest.mark.parametrize(
    ("end", "blocked_in"),
    [("0805", ["0805"]), ("0609", ["0708"]), ("1108", []), ("0908", []), ("0807", [])],
)
def test_the_examples_of_the_rules_on_the_crossroads(end: str, blocked_in: list[str]) -> None:
    row: Any = TOOL.pair(drawn(arena="crossroads"), "0707", end)
    assert row["blocked_in"] == blocked_in
    assert row["clear"] == (not blocked_in)


def test_the_hexes_of_the_examples_are_open_on_the_crossroads() -> None:
    arena = house("crossroads")
    open_ = ["0707", "0806", "0807", "0907", "0908", "1205", "1108", "0609", "0805"]
    assert [arena.closed(at(name)) for name in open_] == [False] * len(open_)
    assert arena.closed(at("0708"))


def test_machines_block_nothing() -> None:
    scenario = drawn(arena="ring", machines="2", place_second="0101 0102", place_first="1401 1402")
    assert TOOL.pair(scenario, "0101", "0103")["clear"]


def test_a_line_is_described_in_both_languages() -> None:
    explanation = TOOL.explain(drawn(arena="crossroads"), "0707", "0609")
    assert explanation.en.splitlines() == [
        "0707 to 0609: distance 3",
        "passes through: 0708, 0608",
        "Blocked: in 0708 the line runs into a silhouette, 30 % of the way along.",
    ]
    assert "0707から0609まで：距離3" in explanation.ja
    along = TOOL.explain(drawn(arena="crossroads"), "0707", "0907")
    assert "runs along hexsides of: 0806 on its left, 0807 on its right" in along.en
    edge = TOOL.explain(drawn(arena="crossroads"), "0101", "0301")
    assert "runs along hexsides of: nothing of the arena on its left, 0201 on its right" in edge.en
    assert "左にアリーナの外、右に0201" in edge.ja


def test_only_hexes_of_the_building_are_named() -> None:
    """The shed is only in 0805, with a corner where three hexes meet. The row and the explanation agree."""
    explanation, row = (
        TOOL.explain(crossroads := drawn(arena="crossroads"), "0707", "0805"),
        TOOL.pair(crossroads, "0707", "0805"),
    )
    assert "Blocked: in 0805 the line runs into a silhouette, 67 % of the way along." in explanation.en
    assert (row["blocked_in"], row["blocked_percent"], row["blocked_at"]) == (["0805"], 67, [20.0, -12.0])
    assert (row["left"], row["right"]) == (["0706"], ["0806"])
    a, b = at("0707"), at("0907")
    between = Arena(FIELD, (((101, -72), (104, -72), (104, -68), (101, -68)),), 5)
    assert [FIELD.name(cell) for cell in between.stopped_in(a, b, between.sight(a, b))] == ["0806", "0807"]
    assert between.stopped_in(a, at("0708"), between.sight(a, at("0708"))) == ()


def test_all_pairs_of_open_hexes() -> None:
    arena = Arena(columns_field(8, 8), tuple(hut(SHED, name) for name in ("0303", "0505", "0506", "0607")), 5)
    rows: list[Any] = list(pairs(arena))
    count = len(arena.open_cells)
    assert len(rows) == count * (count - 1) // 2
    clear = {(row["from"], row["to"]) for row in rows if row["clear"]}
    name = arena.field.name
    ordered = [(a, b) for a in arena.open_cells for b in arena.open_cells if a < b]
    assert [(name(a), name(b)) in clear for a, b in ordered] == [arena.in_sight(a, b) for a, b in ordered]
    assert TOOL.line(rows[0]).en == "0101 0102 1 clear"


ENDS = [("0101", "9999", "there is no hex or machine '9999'"), ("0101", "0101", "two different")]


@pytest.mark.parametrize(("a", "b", "message"), ENDS)
def test_wrong_ends_are_reported(a: str, b: str, message: str) -> None:
    with pytest.raises(WrongUsageError, match=message):
        TOOL.pair(drawn(arena="ring"), a, b)
