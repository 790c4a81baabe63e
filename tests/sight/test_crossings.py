from __future__ import annotations

import pytest

from generator.grid.columns import columns_field
from generator.sight.trace import crossing

FIELD = columns_field(14, 12)


@pytest.mark.parametrize(
    ("start", "end", "through", "along"),
    [
        ("0707", "0805", "", "0706 0806"),
        ("0707", "0609", "0708 0608", ""),
        ("0707", "1108", "0807 0907 0908 1007", ""),
        ("0707", "1205", "0806 0906 1006 1106", ""),
        ("0707", "0908", "0807", ""),
        ("0707", "0907", "", "0806 0807"),
        ("0101", "0301", "", "0201"),
    ],
)
def test_hexes_that_a_line_meets(start: str, end: str, through: str, along: str) -> None:
    a, b = FIELD.find(start), FIELD.find(end)
    assert a and b
    crossed = crossing(FIELD, a, b)
    assert " ".join(map(FIELD.name, crossed.through)) == through
    assert " ".join(sorted(map(FIELD.name, (*crossed.left, *crossed.right)))) == along
    back = crossing(FIELD, b, a)
    assert back.through == crossed.through[::-1]
    assert (back.left, back.right) == (crossed.right[::-1], crossed.left[::-1])


def test_left_of_a_line_is_left_on_the_map() -> None:
    """From 0707 two columns to the east, the line runs between 0806 above and 0807 below."""
    a, b = FIELD.find("0707"), FIELD.find("0907")
    assert a and b
    crossed = crossing(FIELD, a, b)
    assert [FIELD.name(cell) for cell in (*crossed.left, *crossed.right)] == ["0806", "0807"]
