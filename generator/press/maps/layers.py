"""The layers of a map, from the ground up."""

from __future__ import annotations

from collections.abc import Mapping

from generator.grid.grid import Cell
from generator.model.picture import Item, Path, Pen, Use
from generator.model.views import MapView
from generator.press.maps.names import letters, named
from generator.press.maps.standing import lying, tokens
from generator.press.symbols import areas, overlays, relief, roads, water
from generator.press.symbols.patterns import VARIANTS, ground_symbol, growth
from generator.press.symbols.place import Place, frame, seed, sides
from generator.press.symbols.shapes import chance
from generator.press.theme import Ground, look, theme


def draw_field(view: MapView, place: Place, ink: str) -> list[Item]:
    """Everything inside the frame, from the ground up."""
    t = theme()
    grounds = {cell: look("ground", t.ground, key) for cell, key in view.ground.items()}
    items = _tints(view, place, grounds, ink)
    items += _relief(place, grounds, ink)
    items += _water(view, place, grounds, ink)
    if view.roads:
        items += roads.roads(place, view.roads, t.road.ink(ink))
    items += _standing(view, place, grounds, ink)
    paper = t.map.ink(ink)
    items.append(Path(sides(place), None, Pen(paper.line, max(0.018 * place.side, 0.1))))
    for shape in view.areas:
        filling = look("area", t.area, shape.look)
        items += areas.area(place, shape, filling, filling.ink(ink))
    items += overlays.walls(place, view.walls, t.wall.ink(ink))
    items += overlays.borders(place, view.borders, t.section.ink(ink), named(view, place))
    items.append(Path(frame(place), None, Pen(paper.dark, max(0.04 * place.side, 0.2))))
    for shade in view.shades:
        shading = look("shade", t.shade, shade.look)
        items += overlays.shade(place, shade.cells, shading, shading.ink(ink))
    items += letters(view, place, grounds, paper.dark)
    for way in view.tracks:
        walked = look("track", t.track, way.look)
        items += areas.track(place, way, walked, walked.ink(ink))
    items += overlays.rays(place, view.rays, t.ray.ink(ink))
    items += tokens(view, place, ink)
    items += overlays.stops(place, view.rays, t.ray.ink(ink))
    return items


def _tints(view: MapView, place: Place, grounds: Mapping[Cell, Ground], ink: str) -> list[Item]:
    """One path for each tint."""
    cells: dict[str, list[Cell]] = {}
    for cell in view.grid.cells:
        if cell in grounds:
            cells.setdefault(grounds[cell].ink(ink).tint, []).append(cell)
    return [Path(place.area(group), tint) for tint, group in cells.items()]


def _relief(place: Place, grounds: Mapping[Cell, Ground], ink: str) -> list[Item]:
    """Level upon level of high ground, each in the colours of the first look that is as high."""
    items: list[Item] = []
    looks = {ground.relief: ground for ground in reversed(theme().ground.values()) if ground in grounds.values()}
    for level in sorted(level for level in looks if level):
        high = [cell for cell in place.grid.cells if cell in grounds and grounds[cell].relief >= level]
        items += relief.ridge(place, high, looks[level].ink(ink), level)
    return items


def _water(view: MapView, place: Place, grounds: Mapping[Cell, Ground], ink: str) -> list[Item]:
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


def _standing(view: MapView, place: Place, grounds: Mapping[Cell, Ground], ink: str) -> list[Item]:
    """Trees, tufts, houses; then what is laid on the ground."""
    items: list[Item] = []
    for cell in view.grid.cells if place.turned else reversed(view.grid.cells):
        ground = grounds.get(cell)
        if ground and ground.pattern and ground.pattern not in water.CROSSINGS:
            variant = chance(*seed(cell)) % VARIANTS
            symbol = ground_symbol(view.ground[cell], ground.pattern, ground.ink(ink), variant, ink)
            items.append(Use(symbol, *place.centre(cell), place.scale * growth(ground.pattern, place.anatomy)))
    for cell, key in view.features.items():
        feature = look("feature", theme().feature, key)
        symbol = ground_symbol(key, feature.pattern, feature.ink(ink), 0, ink)
        x, y, scale = lying(view, place, cell)
        items.append(Use(symbol, x, y, scale * growth(feature.pattern, place.anatomy)))
    return items
