"""Draw the diagrams of the reference: a linked brigade, a half-hidden target, and contact at a corner."""

from __future__ import annotations

from math import hypot

from generator.games.travel_battle.forces import Kind, Roster
from generator.games.travel_battle.maps import token
from generator.games.travel_battle.model import FORWARD, Side
from generator.games.travel_battle.tables import terrains
from generator.grid.squares import Square, squares
from generator.model.picture import XY, Item, Pen, Picture, line, polygon, rectangle, spared
from generator.model.views import Figure, MapView, Ray, Token
from generator.symbols.theme import theme

LINKED = (Square(1, 1), Square(2, 1), Square(0, 0), Square(3, 0))
"""The squares of a linked brigade: the brigadier, a unit at its side, and units at corners of these two."""
UNLINKED = Square(5, 1)
"""The square of a unit that touches no other unit."""
GUN, TARGET = Square(0, 0), Square(4, 2)
SCREENS = {"enough": Square(2, 2), "too_little": Square(3, 1)}
"""The squares of a building that hides less or more than half of the target from the gun."""
GROUND = "open"
_SIDE = 5.0
"""Side of a square in the diagrams of sight, in mm."""
_SEEN = "#f3dd9a"
_EDGE = Pen("#23211c", 0.25)


def diagrams(roster: Roster) -> dict[str, Figure]:
    """Return the diagrams by name."""
    kinds = [kind for kind in roster.fighters if kind.arm != "artillery"] or list(roster.fighters)
    sights = {f"sight_{name}": _sight(screen) for name, screen in SCREENS.items()}
    return {"linked": _linked(roster, kinds), **sights, "corner": _corner(kinds[0])}


def _linked(roster: Roster, kinds: list[Kind]) -> MapView:
    """Return a brigade whose units are joined to the brigadier by lines, and a unit that is not."""
    brigadier = next((kind for kind in roster.kinds.values() if not kind.fights), kinds[0])
    units = [brigadier, *(kinds[n % len(kinds)] for n in range(len(LINKED)))]
    cells = (*LINKED, UNLINKED)
    tokens = tuple((cell, _counter("blue", kind)) for cell, kind in zip(cells, units, strict=True))
    lines = tuple(Ray(LINKED[a], LINKED[b]) for a, b in ((0, 1), (0, 2), (1, 3)))
    field = squares(6, 2)
    return MapView(field, dict.fromkeys(field.cells, GROUND), tokens=tokens, rays=lines, names=False)


def _corner(kind: Kind) -> MapView:
    """Return two enemies that touch each other at a corner."""
    field = squares(2, 2)
    cells = Square(0, 0), Square(1, 1)
    tokens = (cells[0], _counter("blue", kind)), (cells[1], _counter("red", kind))
    return MapView(field, dict.fromkeys(field.cells, GROUND), tokens=tokens, names=False)


def _counter(player: Side, kind: Kind) -> Token:
    return token(player, kind, 1, facing=FORWARD[player])


def visible_segment(screen: Square) -> tuple[XY, XY]:
    """Return the ends of the visible part of the target, in squares from the middle of the gun's square.

    They are on the line through the target's middle at right angles to the line of sight, as the ruling measures.
    """
    far = hypot(*TARGET)
    along = TARGET.c / far, TARGET.r / far

    def level(x: float, y: float) -> float:
        """Return where the ray through a point crosses the measuring line."""
        return (along[0] * y - along[1] * x) * far / (along[0] * x + along[1] * y)

    def span(square: Square) -> tuple[float, float]:
        levels = [level(square.c + dx, square.r + dy) for dx in (-0.5, 0.5) for dy in (-0.5, 0.5)]
        return min(levels), max(levels)

    (low, high), (hidden_low, hidden_high) = span(TARGET), span(screen)
    start, end = (low, hidden_low) if hidden_low > low else (hidden_high, high)
    first, second = ((TARGET.c - along[1] * at, TARGET.r + along[0] * at) for at in (max(start, low), min(end, high)))
    return first, second


def _sight(screen: Square) -> Picture:
    """Return a gun, a building and a target, with the part of the target that the gun sees."""
    field = squares(TARGET.c + 1, TARGET.r + 1)
    wide, high = _SIDE * (TARGET.c + 1), _SIDE * (TARGET.r + 1)

    def at(x: float, y: float) -> XY:
        return (x + 0.5) * _SIDE + 0.3, (y + 0.5) * _SIDE + 0.3

    def box(cell: Square, fill: str | None, share: float, pen: Pen | None) -> Item:
        x, y = at(*cell)
        side = share * _SIDE
        return rectangle(x - side / 2, y - side / 2, side, side, fill, pen)

    shapes = theme().shape
    roof = theme().ground[next(ground.id for ground in terrains().values() if ground.cover and ground.defence)]
    ends = visible_segment(screen)
    grid = Pen("#c9c4b6", 0.18)
    items: list[Item] = [box(cell, "#f6f5ea", 1.0, grid) for cell in field.cells]
    items += [
        polygon((at(*GUN), *(at(*end) for end in ends)), _SEEN),
        box(screen, roof.ink("full").fill, 1.0, _EDGE),
        box(TARGET, None, 1.0, Pen(shapes["red"].ink("full").fill, 0.5)),
        line((at(*ends[0]), at(*ends[1])), Pen(shapes["red"].ink("full").fill, 0.9)),
        *(line((at(*GUN), at(*end)), Pen("#23211c", 0.2)) for end in ends),
        box(GUN, shapes["blue"].ink("full").fill, 0.5, _EDGE),
    ]
    return Picture(wide + 0.6, high + 0.6, tuple(items), saver=spared(items, (shapes["blue"].ink("full").fill,)))
