from __future__ import annotations

import pytest

from generator.grid.columns import columns_field
from generator.sight.crossings import crossing

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
    met = crossing(FIELD, a, b)
    assert " ".join(map(FIELD.name, met.through)) == through
    assert " ".join(sorted(map(FIELD.name, met.along))) == along
    back = crossing(FIELD, b, a)
    assert back.through == met.through[::-1]
    assert sorted(back.along) == sorted(met.along)
