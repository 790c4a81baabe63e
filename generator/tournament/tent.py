"""The half of a table card that is folded back: what is read of it from across the hall."""

from __future__ import annotations

from generator.model.picture import Path, Pen, Picture, Symbol, Text, Use
from generator.tournament.pairings import Pairing
from generator.tournament.words import short

WIDTH, HEIGHT = 170.0, 121.0
"""In mm: half of a sheet, but for its head."""
_POINT = 25.4 / 72
_NUMBER, _NAME = 190.0, 44.0
"""The largest type, in points."""
_WIDEST = 1.08
"""How wide the widest letter of our fonts is, in the height of its type."""
_FOLD = Pen("#8a8a8a", 0.3, (2.0, 1.5))


def tent(pairing: Pairing) -> Picture:
    """The table's number and the names, upside down above the line of the fold."""
    names = short(pairing.a), short(pairing.b)
    number = str(pairing.table)
    size = min(_NAME, *(_fit(name) for name in names))
    items = (
        Text(0.0, 2.0, number, min(_NUMBER, _fit(number)), "middle", bold=True),
        Text(0.0, -24.0, names[0], size, "middle", bold=True),
        Text(0.0, -45.0, names[1], size, "middle", bold=True),
    )
    seen = Symbol(f"tent{number}", items, reach=WIDTH)
    return Picture(WIDTH, HEIGHT, (*fold_line().items, Use(seen, WIDTH / 2, HEIGHT / 2, turn=180.0)))


def _fit(text: str) -> float:
    """A size of type in which a text is no wider than the picture, whatever its letters."""
    return WIDTH / _POINT / _WIDEST / len(text)


def fold_line() -> Picture:
    """The line along which a sheet is folded or torn."""
    return Picture(WIDTH, 0.4, (Path((("M", 0.0, 0.2), ("L", WIDTH, 0.2)), pen=_FOLD),))
