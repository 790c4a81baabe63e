"""Tests for each rule of the board, broken by one small change to a legal board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from generator.errors import DataError
from generator.games.battlelore import ground_rules
from generator.games.battlelore.ground import (
    Board,
    Inventory,
    MapForm,
    Shortage,
    Tiles,
    house_inventory,
    load_inventory,
    read_board,
    shortage,
)
from generator.games.battlelore.tables import lore
from generator.model.words import same
from generator.notation.toml import Source

OPEN = """
. . . . . . . . . . . .
 . . . . . . . . . . .
. . . . . . . . . . . .
 . . . . . . . . . . .
~ ~ o ~ ~ = ~ ~ ~ o ~ ~
 . . . . . . . . . . .
. . . . . . . . . . . .
 . . . . . . . . . . .
. . . . . . . . . . . .
"""

TESTS: dict[str, Callable[[Board], Iterator[ground_rules.Flaw]]] = {
    "rivers": ground_rules.rivers,
    "crossings": ground_rules.crossings,
    "cliffs": ground_rules.cliffs,
    "features": ground_rules.features,
    "reachable": ground_rules.reachable,
    "baseline_room": ground_rules.baseline_room,
    "tiles": lambda board: ground_rules.tiles(board, house_inventory()),
}


def drawn(
    changes: dict[str, str],
    features: dict[str, str] | None = None,
    cliffs: dict[str, tuple[str, ...]] | None = None,
) -> Board:
    source = Source("test.toml", "")
    rows = [line.split() for line in OPEN.strip().splitlines()]
    for name, symbol in changes.items():
        rows[9 - int(name[1:])][ord(name[0]) - ord("A")] = symbol
    text = "\n".join(" ".join(row) for row in rows)
    return read_board(MapForm("battlelore", text, features or {}, cliffs or {}), source)


def broken(board: Board) -> dict[str, str]:
    found = {}
    for name, test in TESTS.items():
        for cells, reason in test(board):
            assert reason.en != reason.ja
            found[name] = " ".join(board.field.name(c) for c in cells)
    return found


def test_the_board_itself_is_lawful() -> None:
    assert broken(drawn({})) == {}


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"H6": "~"}, {"rivers": "H5 I5 H6"}),
        ({"L5": "."}, {"rivers": "K5"}),
        ({"F2": "~"}, {"rivers": "F2"}),
        ({"B8": "o"}, {"rivers": "B8", "crossings": "B8"}),
        ({"C5": "~", "F5": "~", "J5": "~"}, {"reachable": "A9 B9 C9 D9 E9 F9 G9 H9 I9 J9 K9 L9"}),
        ({"E2": "~", "F2": "~", "G3": "~", "E3": "~"}, {"rivers": "E2 G3"}),
        ({"D1": "~", "C2": "~", "B3": "~"}, {"rivers": "B3"}),
        (dict.fromkeys(("A1", "B1", "C1", "D1", "E1"), "L"), {"tiles": "A1 B1 C1 D1 E1"}),
        ({"D3": "s", "D2": "~", "D1": "~", "D4": "~"}, {"rivers": "D4"}),
    ],
)
def test_what_breaks_water(changes: dict[str, str], wanted: dict[str, str]) -> None:
    found = broken(drawn(changes))
    assert set(found) == set(wanted)
    assert {k: found[k] for k in found if k != "rivers"} == {k: wanted[k] for k in wanted if k != "rivers"}


def test_a_ring_is_not_a_river() -> None:
    ring = dict.fromkeys(("E2", "F2", "F3", "E1", "F1"), ".") | dict.fromkeys(
        ("D2", "E3", "F3", "F2", "F1", "E1"), "~"
    )
    assert "rivers" in broken(drawn(ring))


def test_a_bridge_needs_both_banks() -> None:
    walled = drawn({"E6": "c", "F6": "c"}, cliffs={"E6": ("SW", "SE"), "F6": ("SW", "SE")})
    assert broken(walled) == {"crossings": "F5"}


@pytest.mark.parametrize(
    ("sides", "lawful"),
    [
        ((), False),
        (("E",), True),
        (("SE", "E", "NE"), True),
        (("E", "NE", "NW", "W", "SW"), True),
        (("E", "W"), False),
        (("E", "NE", "NW", "W", "SW", "SE"), False),
    ],
)
def test_cliff_sides(sides: tuple[str, ...], lawful: bool) -> None:
    board = drawn({"D3": "c"}, cliffs={"D3": sides} if sides else {})
    assert broken(board) == ({} if lawful else {"cliffs": "D3"})


def test_cliff_sides_need_a_cliff() -> None:
    assert broken(drawn({"D3": "h"}, cliffs={"D3": ("E",)})) == {"cliffs": "D3"}


def test_stakes_lie_on_dry_open_ground() -> None:
    assert broken(drawn({"D3": "h"}, {"D3": "stakes", "E3": "stakes"})) == {}
    assert broken(drawn({"D3": "f"}, {"D3": "stakes"})) == {"features": "D3"}
    assert broken(drawn({}, {"A5": "rampart"})) == {"features": "A5"}


def test_stakes_run_out() -> None:
    stake_hexes = dict.fromkeys(("B3", "D3", "F3", "H3"), "stakes")
    assert broken(drawn({}, stake_hexes)) == {"tiles": "B3 D3 F3 H3"}


def test_a_piece_shows_one_face() -> None:
    box = Inventory(same("box"), "own", (Tiles(("forest", "hill"), 3), Tiles(("hill", "river"), 2)))
    assert shortage({"forest": 3, "hill": 2}, box) is None
    assert shortage({"forest": 3, "hill": 2, "river": 0}, box) is None
    assert shortage({"forest": 1, "hill": 5}, box) == Shortage(("forest", "hill"), 6, 5)
    assert shortage({"forest": 3, "hill": 1, "river": 2}, box) == Shortage(("forest", "hill", "river"), 6, 5)
    assert shortage({"marsh": 1}, box) == Shortage(("marsh",), 1, 0)


def test_stakes_crowd_a_baseline() -> None:
    assert broken(drawn({}, {"A1": "stakes", "B1": "stakes"})) == {"baseline_room": "A1 B1 C1 D1"}


def test_an_inventory_file_names_its_faults(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    head = 'name = { en = "Box", ja = "箱" }\nsource = "own"\n[[tiles]]\n'
    path.write_text(head + 'faces = ["forest", "hil"]\ncount = 3\n', "utf-8")
    with pytest.raises(DataError, match=r"box.toml:4: tiles\[1\].faces\[2\]: 'hil' is not valid \(did you mean hill"):
        load_inventory(path)
    path.write_text(head + 'faces = ["forest"]\ncount = -3\n', "utf-8")
    with pytest.raises(DataError, match=r"box.toml:5"):
        load_inventory(path)


def test_every_terrain_has_a_tile_face_of_its_own() -> None:
    """The set-up sheet counts the tiles of a terrain by its last face."""
    last = [kind.tiles[-1] for kind in (*lore().terrain.values(), *lore().features.values()) if kind.tiles]
    twice = {face for face in last if last.count(face) > 1}
    assert not twice, f"two terrains of data/battlelore/terrain.toml have {twice} as their last face in `tiles`"


def test_the_house_inventory_holds_what_the_boxes_hold() -> None:
    tiles = house_inventory().tiles
    assert sum(t.count for t in tiles if {"forest", "hill", "landmark"} & set(t.faces)) == 46
    assert sum(t.count for t in tiles if "marsh" in t.faces) == 8
    assert sum(t.count for t in tiles if "stakes" in t.faces) == 3
