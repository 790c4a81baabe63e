"""The layers of a map, from the ground up."""

from __future__ import annotations

from collections.abc import Mapping

from generator.grid.hexes import Hex
from generator.model.picture import XY, Item, Path, Pen, Text, Use
from generator.model.views import MapView, Token
from generator.press.styles import LEAST
from generator.press.symbols import overlays, relief, water
from generator.press.symbols.lettering import POINTS, wide
from generator.press.symbols.place import Place, frame, hexsides
from generator.press.symbols.shapes import Steps, chance
from generator.press.symbols.terrain import VARIANTS, ground_symbol
from generator.press.symbols.tokens import token_symbol
from generator.press.theme import Ground, look, theme

SMALLEST_NAMED, SMALLEST_FREE = 5.2, 3.0
"""Hexes with sides shorter than the first, in mm, have room for their names only where no token stands;
those shorter than the second have none."""
NAME_UP = 0.78
"""How far above the middle of its hex a name stands, in hexsides."""


def draw_field(view: MapView, place: Place, ink: str) -> list[Item]:
    """Everything inside the frame, from the ground up."""
    t = theme()
    grounds = {cell: look("ground", t.ground, key) for cell, key in view.ground.items()}
    items = _tints(view, place, grounds, ink)
    items += _relief(place, grounds, ink)
    items += _water(view, place, grounds, ink)
    items += _standing(view, place, grounds, ink)
    paper = t.map.ink(ink)
    items.append(Path(hexsides(place), None, Pen(paper.line, max(0.018 * place.side, 0.1))))
    items += overlays.walls(place, view.walls, t.wall.ink(ink))
    items += overlays.borders(place, view.borders, t.section.ink(ink), _named(view, place))
    items.append(Path(frame(place), None, Pen(paper.dark, max(0.04 * place.side, 0.2))))
    for shade in view.shades:
        shading = look("shade", t.shade, shade.look)
        items += overlays.shade(place, shade.cells, shading, shading.ink(ink))
    letters = _letters(view, place, grounds, paper.dark)
    if view.shades and letters:
        items.append(Path(tuple(step for text in letters for step in _behind(text)), "#ffffff", None, 0.75))
    items += letters
    items += overlays.rays(place, view.rays, t.ray.ink(ink))
    items += _tokens(view, place, ink)
    items += overlays.stops(place, view.rays, t.ray.ink(ink))
    return items


def _tints(view: MapView, place: Place, grounds: Mapping[Hex, Ground], ink: str) -> list[Item]:
    """One path for each tint."""
    cells: dict[str, list[Hex]] = {}
    for cell in view.grid.cells:
        if cell in grounds:
            cells.setdefault(grounds[cell].ink(ink).tint, []).append(cell)
    return [Path(place.area(group), tint) for tint, group in cells.items()]


def _relief(place: Place, grounds: Mapping[Hex, Ground], ink: str) -> list[Item]:
    high = [cell for cell in place.grid.cells if cell in grounds and grounds[cell].relief]
    if not high:
        return []
    palette = next(g for g in theme().ground.values() if g.relief and g in grounds.values()).ink(ink)
    return relief.ridge(place, high, palette)


def _water(view: MapView, place: Place, grounds: Mapping[Hex, Ground], ink: str) -> list[Item]:
    flows = {cell: view.flows.get(cell, ()) for cell, ground in grounds.items() if ground.water}
    if not flows:
        return []
    river = next(g for g in theme().ground.values() if g.water).ink(ink)
    crossed = {cell for cell in flows if grounds[cell].pattern in water.CROSSINGS}
    items = water.river(place, flows, crossed, river)
    fords = {cell: exits for cell, exits in flows.items() if grounds[cell].pattern == "stones"}
    if fords:
        items += water.shallows(place, fords, grounds[next(iter(fords))].ink(ink))
    for cell, exits in flows.items():
        ground = grounds[cell]
        if cell in crossed:
            key = view.ground[cell]
            items.append(water.crossing(place, key, ground.pattern, cell, exits, ground.ink(ink), ink))
    return items


def _standing(view: MapView, place: Place, grounds: Mapping[Hex, Ground], ink: str) -> list[Item]:
    """Trees, tufts, houses; then what is laid on the ground."""
    items: list[Item] = []
    for cell in reversed(view.grid.cells):
        ground = grounds.get(cell)
        if ground and ground.pattern and ground.pattern not in water.CROSSINGS:
            variant = chance(cell.q, cell.r) % VARIANTS
            symbol = ground_symbol(view.ground[cell], ground.pattern, ground.ink(ink), variant, ink)
            items.append(Use(symbol, *place.centre(cell), place.scale))
    for cell, key in view.features.items():
        feature = look("feature", theme().feature, key)
        symbol = ground_symbol(key, feature.pattern, feature.ink(ink), 0, ink)
        items.append(Use(symbol, *place.centre(cell), place.scale))
    return items


def _named(view: MapView, place: Place) -> list[XY]:
    """The middle of every hex name on a map that has room for them."""
    if not view.names or place.side < SMALLEST_NAMED:
        return []
    return [(x, y + NAME_UP * place.side) for x, y in map(place.centre, view.grid.cells)]


def _letters(view: MapView, place: Place, grounds: Mapping[Hex, Ground], colour: str) -> list[Text]:
    """Each hex's name below its far corner, its ground's letter at its lower left, or beside its token.

    A small map names the hexes that no token stands on, in their middles.
    """
    if not view.names or place.side < SMALLEST_FREE:
        return []
    taken = dict(view.tokens)
    if place.side < SMALLEST_NAMED:
        free = [(cell, *place.centre(cell)) for cell in view.grid.cells if cell not in taken]
        drop = 0.35 * LEAST / POINTS
        return [Text(x, y - drop, view.grid.name(c), LEAST, "middle", True, colour) for c, x, y in free]
    size = max(LEAST, min(0.55 * place.side, 7.0))
    drop = 0.35 * size / POINTS
    items: list[Text] = []
    for cell, (x, y) in zip(view.grid.cells, _named(view, place), strict=True):
        items.append(Text(x, y - drop, view.grid.name(cell), size, "middle", False, colour))
        if cell in grounds and grounds[cell].letter:
            x, y = place.centre(cell)
            x, y = (
                (x + 0.74 * place.side, y)
                if _hides(taken.get(cell))
                else (x - 0.735 * place.side, y - 0.515 * place.side)
            )
            items.append(Text(x, y, grounds[cell].letter, max(LEAST, 0.9 * size), "middle", True, colour))
    return items


def _behind(text: Text) -> Steps:
    """A pale plate behind a name that stands on a shaded hex."""
    high = 1.1 * text.size / POINTS
    return _plate(text.x, text.y - 0.2 * high, wide(text.text, text.size, text.bold) / 2 + 0.35 * high, high)


def _hides(token: Token | None) -> bool:
    """Whether a token's badge lies over the letter of its hex."""
    badges = [look("badge", theme().badge, key) for key in token.badge.split()] if token else []
    return any(badge.side == "left" and badge.drawing for badge in badges)


def _tokens(view: MapView, place: Place, ink: str) -> list[Item]:
    """The tokens, then their labels on one path of pale plates."""
    items: list[Item] = []
    labels: list[Item] = []
    plates: list[Steps] = []
    size = max(LEAST, min(0.54 * place.side, 8.0))
    high = 1.06 * size / POINTS
    for cell, token in view.tokens:
        x, y = place.centre(cell)
        items.append(Use(token_symbol(token, ink), x, y, place.scale))
        if token.label:
            half = wide(token.label, size, True) / 2 + 0.3 * high
            foot = y - 0.5 * place.side - high
            plates.append(_plate(x, foot, half, high))
            labels.append(Text(x, foot + 0.2 * high, token.label, size, "middle", True, "#1c1c1c"))
    if plates:
        steps = tuple(step for plate in plates for step in plate)
        items.append(Path(steps, "#ffffff", Pen("#5a5a5a", 0.018 * place.side)))
    return items + labels


def _plate(x: float, y: float, half: float, high: float) -> Steps:
    """A plate with round ends, from the middle of its foot."""
    r = high / 2
    k, left, right = 0.5523 * r, x - half + r, x + half - r
    return (
        ("M", left, y),
        ("L", right, y),
        ("C", right + k, y, right + r, y + r - k, right + r, y + r),
        ("C", right + r, y + r + k, right + k, y + high, right, y + high),
        ("L", left, y + high),
        ("C", left - k, y + high, left - r, y + r + k, left - r, y + r),
        ("C", left - r, y + r - k, left - k, y, left, y),
        ("Z",),
    )
