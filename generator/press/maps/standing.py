"""The tokens on a map and their labels, and what makes room for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from generator.grid.grid import Cell
from generator.model.picture import Item, Path, Pen, Text, Use
from generator.model.views import MapView, Token
from generator.press.symbols.anatomy import ROWS
from generator.press.symbols.lettering import POINTS, wide
from generator.press.symbols.place import Place
from generator.press.symbols.shapes import Steps, plate
from generator.press.symbols.tokens import inside, token_symbol
from generator.press.type.styles import LEAST

_LARGEST = 8.0
"""No label is larger, in points."""
_SHARED = 0.76
"""How large tokens are that share a cell."""
_CORNER = 0.03
"""From a label in a square's corner to the square's side, in sides."""

Spot = tuple[float, float, float]
"""Where the middle of a drawing stands in its cell, and how large it is, in shares of one that fills it."""
_ALONE, _BESIDE = (0.43, -0.04, 0.62), (-0.32, 0.0, 0.74)
"""Where a token that stands aside does, and what lies in its cell."""
_FRONT, _LOW, _OVER = 0.5, -0.3, (0.0, 0.36, 0.74)
"""Where several do: from the middle to the first and last of them, how low, and what lies in their cell."""
_TWO, _MORE = 0.42, 0.4
"""How large two of them are, and more."""


def tokens(view: MapView, place: Place, ink: str) -> list[Item]:
    """The tokens, then their labels on one path of pale plates.

    Tokens that share a cell stand one behind the other, the first at the back, their labels side by side: below
    them, on squares in the lower corner that keeps clear of their rear's near end, where a brigade's pips are. Those
    that stand aside have their labels below each.
    """
    items: list[Item] = []
    labels: list[Item] = []
    plates: list[Steps] = []
    at, side = place.anatomy, place.side
    size = max(LEAST, min(at.label_size * side, _LARGEST))
    high = 1.06 * size / POINTS
    for cell, crowd in _crowds(view).items():
        cx, cy = place.centre(cell)
        spots = list(_spots(view, place, cell, len(crowd)))
        items += [
            Use(token_symbol(_seen(token, place), ink), x, y, scale)
            for token, (x, y, scale) in zip(_bared(crowd), spots, strict=True)
        ]
        rows = [([token], x) for token, (x, _, _) in zip(crowd, spots, strict=True)] if view.aside else [(crowd, cx)]
        for group, x in rows:
            foot, row = cy - at.label * side - high, _row(group, size, high)
            if at.squares and row:
                foot = max(foot, cy - at.inner * side)
                if not view.aside:
                    x += _corner(_seen(group[-1], place)) * max(0.0, (at.inner - _CORNER) * side - _wide(row))
            for token, middle, half in row:
                plates.append(plate(x + middle, foot, half, high))
                labels.append(Text(x + middle, foot + 0.2 * high, token.label, size, "middle", True, "#1c1c1c"))
    if plates:
        steps = tuple(step for one in plates for step in one)
        items.append(Path(steps, "#ffffff", Pen("#5a5a5a", 0.018 * side)))
    return items + labels


def lying(view: MapView, place: Place, cell: Cell) -> Spot:
    """Where what lies on a cell is drawn, and its scale: tokens that stand aside share the cell with it."""
    count = sum(taken == cell for taken, _ in view.tokens) if view.aside else 0
    return _placed(place, cell, ((0.0, 0.0, 1.0), _BESIDE, _OVER)[min(count, 2)])


def standing(view: MapView, place: Place) -> Iterator[Spot]:
    """Where every token stands, and its scale."""
    for cell, crowd in _crowds(view).items():
        yield from _spots(view, place, cell, len(crowd))


def _crowds(view: MapView) -> dict[Cell, list[Token]]:
    crowds: dict[Cell, list[Token]] = {}
    for cell, token in view.tokens:
        crowds.setdefault(cell, []).append(token)
    return crowds


def _spots(view: MapView, place: Place, cell: Cell, count: int) -> Iterator[Spot]:
    """Where so many tokens stand on a cell, and their scales."""
    at, (x, y) = place.anatomy, place.centre(cell)
    for i in range(count):
        back = i / (count - 1) - 0.5 if count > 1 else 0.0
        if view.aside:
            spot = (2 * back * _FRONT, _LOW, _TWO if count == 2 else _MORE) if count > 1 else _ALONE
            left, level, scale = _placed(place, cell, spot)
            yield left, level, scale * at.token
            continue
        scale = place.scale * at.token * (_SHARED if count > 1 else 1.0)
        yield x + back * at.spread[0] * place.side, y + (back * at.spread[1] - at.drop) * place.side, scale


def _placed(place: Place, cell: Cell, spot: Spot) -> Spot:
    """A spot of a cell on the map."""
    (x, y), (dx, dy, share) = place.centre(cell), spot
    room = place.anatomy.inner / ROWS.inner
    return x + dx * room * place.side, y + dy * room * place.side, place.scale * share


def _bared(crowd: Sequence[Token]) -> Iterator[Token]:
    """The tokens, those behind without what is written on them where more than two stand close upon one another."""
    for at, token in enumerate(crowd, 1):
        hidden = len(crowd) > 2 and at < len(crowd) and inside(token)
        yield msgspec.structs.replace(token, label="", caption="") if hidden else token


def _seen(token: Token, place: Place) -> Token:
    """The token as it looks from where the map is seen."""
    if token.facing is None or not place.turned:
        return token
    return msgspec.structs.replace(token, facing=(token.facing + 180) % 360)


def _corner(token: Token) -> int:
    """Whether a label stands in the lower right corner (1) or the left one (-1)."""
    return -1 if token.facing is not None and 180 <= token.facing < 270 else 1


def _wide(row: Sequence[tuple[Token, float, float]]) -> float:
    """Half the width of a row of plates."""
    return row[-1][1] + row[-1][2]


def _row(crowd: Sequence[Token], size: float, high: float) -> list[tuple[Token, float, float]]:
    """The tokens labelled from outside, each with the middle and half the width of its plate, the front one first."""
    marked = [token for token in reversed(crowd) if token.label and not inside(token)]
    halves = [wide(token.label, size, True) / 2 + 0.3 * high for token in marked]
    gap = 0.12 * high
    x = -sum(halves) - gap * (len(halves) - 1) / 2
    found = []
    for token, half in zip(marked, halves, strict=True):
        found.append((token, x + half, half))
        x += 2 * half + gap
    return found
