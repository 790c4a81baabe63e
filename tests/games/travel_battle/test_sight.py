"""Tests for the sight of guns on terrain drawn as text.

`G` is the gun, `u` is a unit on open terrain, and other characters are the symbols of boards.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from generator.games.travel_battle.ground import TerrainMap
from generator.games.travel_battle.play import READINGS, field_of_fire, screens
from generator.games.travel_battle.tables import by_symbol
from generator.grid.squares import Square, distance, squares
from generator.sight.squares import judge


def drawn(text: str) -> tuple[TerrainMap, list[Square], Square]:
    """Return the terrain, the squares of the units, and the square of the gun."""
    lines = text.split()[::-1]
    field = squares(len(lines[0]), len(lines))
    marks = {cell: lines[cell.r][cell.c] for cell in field.cells}
    ground = {cell: by_symbol()["." if mark in "Gu" else mark].id for cell, mark in marks.items()}
    units = [cell for cell, mark in marks.items() if mark in "Gu"]
    return TerrainMap(field, ground), units, next(cell for cell, mark in marks.items() if mark == "G")


@pytest.mark.parametrize(
    ("row", "seen"),
    [
        ("G......", "cdefg"),
        ("G=p====", "cdefg"),
        ("G..u...", "cd"),
        ("G..b...", "cd"),
        ("G..w...", "cd"),
        ("G..1...", "cd"),
        ("G..1.1.", "cdf"),
        ("G..1.2.", "cdf"),
        ("G.u..1.", "cf"),
        ("G.b..1.", "c"),
        ("G.2..1.", "c"),
        ("Gu.....", ""),
    ],
)
def test_along_a_row(row: str, seen: str) -> None:
    terrain, units, gun = drawn(row)
    assert "".join(terrain.field.name(cell)[0] for cell in field_of_fire(terrain, units, gun)) == seen


def test_a_field_of_fire_on_open_ground_is_all_in_range_but_what_is_next_to_the_gun() -> None:
    field = squares(20, 10)
    terrain, gun = TerrainMap(field, dict.fromkeys(field.cells, "open")), Square(9, 1)
    seen = field_of_fire(terrain, [gun], gun)
    assert seen == tuple(cell for cell in field.cells if 2 <= distance(gun, cell) <= 6)


def test_a_sight_line_is_described() -> None:
    terrain, units, gun = drawn("..... G.u..")
    look = judge(terrain.field, screens(terrain, units), READINGS["share"], gun, Square(4, 1))
    assert (look.share, look.clear, look.hidden_by) == (Fraction(37, 130), False, (Square(2, 0),))
    assert judge(terrain.field, screens(terrain, units), READINGS["corners"], gun, Square(4, 1)).clear
    assert Square(4, 1) not in field_of_fire(terrain, units, gun)
    assert Square(4, 1) in field_of_fire(terrain, units, gun, "corners")
