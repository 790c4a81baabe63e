"""The tokens on a map and their labels."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from generator.grid.grid import Cell
from generator.model.picture import Item, Path, Pen, Text, Use
from generator.model.views import MapView, Token
from generator.press.styles import LEAST
from generator.press.symbols.lettering import POINTS, wide
from generator.press.symbols.place import Place
from generator.press.symbols.shapes import Steps, plate
from generator.press.symbols.tokens import inside, token_symbol

_LARGEST = 8.0
"""No label is larger, in points."""
_SHARED = 0.76
"""How large tokens are that share a cell."""
_CORNER = 0.03
"""From a label in a square's corner to the square's side, in sides."""


def tokens(view: MapView, place: Place, ink: str) -> list[Item]:
    """The tokens, then their labels on one path of pale plates.

    Tokens that share a cell stand one behind the other, the first at the back, their labels side by side: below
    them, on squares in the lower corner that keeps clear of their rear's near end, where a brigade's pips are.
    """
    items: list[Item] = []
    labels: list[Item] = []
    plates: list[Steps] = []
    at, side = place.anatomy, place.side
    size = max(LEAST, min(at.label_size * side, _LARGEST))
    high = 1.06 * size / POINTS
    crowds: dict[Cell, list[Token]] = {}
    for cell, token in view.tokens:
        crowds.setdefault(cell, []).append(token)
    for cell, crowd in crowds.items():
        x, y = place.centre(cell)
        scale = place.scale * at.token * (_SHARED if len(crowd) > 1 else 1.0)
        for i, token in enumerate(crowd):
            back = i / (len(crowd) - 1) - 0.5 if len(crowd) > 1 else 0.0
            spot = x + back * at.spread[0] * side, y + (back * at.spread[1] - at.drop) * side
            items.append(Use(token_symbol(_seen(token, place), ink), *spot, scale))
        foot, row = y - at.label * side - high, _row(crowd, size, high)
        if at.squares and row:
            foot = max(foot, y - at.inner * side)
            x += _corner(_seen(crowd[-1], place)) * max(0.0, (at.inner - _CORNER) * side - _wide(row))
        for token, middle, half in row:
            plates.append(plate(x + middle, foot, half, high))
            labels.append(Text(x + middle, foot + 0.2 * high, token.label, size, "middle", True, "#1c1c1c"))
    if plates:
        steps = tuple(step for one in plates for step in one)
        items.append(Path(steps, "#ffffff", Pen("#5a5a5a", 0.018 * side)))
    return items + labels


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
