"""Place all texts on a map, such as cell names, place names and notes, without covering other content."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import msgspec

from generator.grid.hexes import Cell
from generator.model.picture import XY, Item, Text
from generator.model.views import MapView, Track
from generator.model.words import Lang
from generator.press.figures.cell_names import (
    Roof,
    cell_box,
    cell_text,
    draw_halos,
    name_positions,
    name_sizes,
    named_cells,
    text_extent,
)
from generator.press.figures.labels import (
    Candidate,
    Obstacles,
    allowed_candidates,
    bounding_box,
    choose_candidates,
    overlap,
    points_box,
)
from generator.press.figures.land_names import draw_land_names
from generator.press.figures.place_names import (
    FEATURE_REACH,
    SIDEWAYS,
    draw_note_flag,
    draw_plates,
    find_other_cells,
    name_candidates,
    note_candidates,
    note_flag_box,
    place_note,
    styled_name,
)
from generator.press.figures.tokens import feature_spot, hit_point_strips, label_plates, placed_flags, token_boxes
from generator.symbols.features import mark_radius, ringed, walked
from generator.symbols.overlays import flight, ring_label
from generator.symbols.shapes import Box, Place, rim
from generator.symbols.theme import Ground as GroundLook
from generator.symbols.theme import look, theme

# Each cell's name is placed in the cell and followed by the letter of its terrain. Names of places are inside or next
# to their cell, and only in cells without other content. A single search places all of them (labels.py). Tokens,
# token labels, outlines of buildings and tracks are obstacles for every name.

_NAME_CHOICES, _WIDE_NAME_CHOICES = 3, 24
"""Number of free positions considered for a name inside its own cell, and for a name that may be placed elsewhere."""


class Lettering(msgspec.Struct, frozen=True):
    """The texts on a map, and the names that could not be placed."""

    names: tuple[Item, ...]
    """The names of cells."""
    above: tuple[Item, ...]
    """Notes and names of places, which are drawn above everything else."""
    gaps: tuple[XY, ...]
    """Positions at which lines are interrupted for cell names."""
    unnamed: tuple[str, ...] = ()
    """Names of cells that have no room for their name."""
    letterless: tuple[str, ...] = ()
    """Names that are drawn without the letter of their terrain, listed here with the letter."""
    unplaced: tuple[str, ...] = ()
    """Places and notes that could not be placed, each with its cell."""


class _LabelRequest(msgspec.Struct, frozen=True):
    """A label to place: its candidates, and the text to list below the map if there is no room."""

    candidates: Sequence[Candidate[Text]]
    fallback: str


def letter_map(
    view: MapView, place: Place, grounds: Mapping[Cell, GroundLook], ink: str, colour: str, lang: Lang | None
) -> Lettering:
    """Return the lettering of a map, or only its cell names if `lang` is None."""
    cells = named_cells(view, place)
    notes = view.notes if lang else ()
    fixed = [place_note(note, place, lang, ink) for note in notes if lang and not note.roam]
    roaming = [note for note in notes if note.roam]
    places = view.places if lang and view.names and place.side >= place.anatomy.free else {}
    if not cells and not notes and not places and not view.land_names:
        return Lettering((), (), ())
    ground = _find_obstacles(view, place)
    for note, text in zip((n for n in notes if not n.roam), fixed, strict=True):
        ground.forbid(note_flag_box(note, text, place) if note.flag else text_extent(text))
    texts = {cell: cell_text(view, grounds, cell) for cell in cells}
    roofs = [Roof.of(tuple(tuple(place.at(p) for p in ring) for ring in shape.rings)) for shape in view.areas]
    sizes, positions = name_sizes(place), name_positions(place)
    requests, free = list[_LabelRequest](), list[_LabelRequest]()
    if lang and (roaming or places):
        over = ground.copy()
        _add_wide_name_obstacles(view, place, over, grounds)
        free += [
            _LabelRequest(
                allowed_candidates(over, note_candidates(n, place, lang, ink))[:_WIDE_NAME_CHOICES], n.text[lang]
            )
            for n in roaming
        ]
        edge = [side for ring in rim(place) for side in zip((ring[-1], *ring), ring, strict=False)]
        other_cells = find_other_cells(view, place, grounds)
        for cell, name in places.items():
            like = styled_name(name[lang], view.features.get(cell, ""), place, lang)
            candidates = name_candidates(like, place, cell, feature_spot(view, place, cell), edge, other_cells)
            free.append(
                _LabelRequest(
                    allowed_candidates(over, candidates)[:_WIDE_NAME_CHOICES], f"{view.grid.name(cell)} {name[lang]}"
                )
            )
    others = [bounding_box([one.box for one in of.candidates]) for of in free if of.candidates]
    for cell in cells:
        around = cell_box(cell, place)
        near = [roof.rings for roof in roofs if overlap(roof.box, around)]
        found = positions.candidates(cell, texts[cell], sizes, colour, near)
        # A cell's name always stays in its cell, so it can only conflict with names of places and notes.
        alone = not any(overlap(around, other) for other in others)
        requests.append(_LabelRequest(allowed_candidates(ground, found, _NAME_CHOICES, alone), view.grid.name(cell)))
    requests += free
    labels = [of.candidates for of in requests]
    chosen = choose_candidates(labels) if free else [next(iter(of), None) for of in labels]
    count = len(cells)
    names = {cell: one.item for cell, one in zip(cells, chosen, strict=False) if one}
    apart = [one.item for one in chosen[count:] if one]
    shaded = {cell for shade in view.shades for cell in shade.cells}
    halos = draw_halos(names, shaded, grounds, ink)
    still = list(zip((n for n in notes if not n.roam), fixed, strict=True))
    plated = [text for note, text in still if note.plate]
    flown = [item for note, text in still if note.flag for item in draw_note_flag(note, text, place, ink)]
    plain = [text for note, text in still if not note.flag]
    scenic = _land_names(view, place, ground, [*names.values(), *apart], lang, ink) if lang else ()
    return Lettering(
        (*scenic, *halos, *names.values()),
        (*draw_plates(plated), *plain, *flown, *draw_plates(apart, 0.8), *apart),
        tuple(_centre(text_extent(text)) for text in names.values()) if view.borders else (),
        tuple(of.fallback for of, one in zip(requests[:count], chosen, strict=False) if not one),
        tuple(texts[cell] for cell, text in names.items() if text.text != texts[cell]),
        tuple(of.fallback for of, one in zip(requests[count:], chosen[count:], strict=True) if not one),
    )


def _land_names(
    view: MapView, place: Place, ground: Obstacles, texts: Iterable[Text], lang: Lang, ink: str
) -> tuple[Item, ...]:
    """Return the names of the land. They cover no other text, track, river, road or section line."""
    if not view.land_names:
        return ()
    borders = ((place.at(a), place.at(b)) for points in view.borders for a, b in pairwise(points))
    flows = (_exit(place, cell, d) for cell, exits in (*view.flows.items(), *view.roads.items()) for d in exits)
    courses = (pair for way in view.tracks for pair in pairwise(walked(place, way)))
    lines, r = [*_boxes_along(flows, place), *_boxes_along(courses, place)], _BANK * place.side
    banks = [(left - r, low - r, right + r, high + r) for left, low, right, high in lines]
    others = [*map(text_extent, texts), *(pill.box for pill in label_plates(view, place))]
    return tuple(draw_land_names(view, place, ground, others, [*_boxes_along(borders, place), *banks], lang, ink))


_BANK = 0.22
"""Additional distance of the names of the land from the middle of rivers, roads and tracks, in cell sides."""


def _centre(box: Box) -> XY:
    return box[0] / 2 + box[2] / 2, box[1] / 2 + box[3] / 2


_PLATE_CLEARANCE = 0.25
"""Additional distance of names from the plates of units' labels, in mm, so that the two are not read as one."""
_LINE_CLEARANCE = 0.16
"""Minimum distance of names from the centre line of a track or line of sight, in cell sides."""
_LINE_STEP = 0.4
"""Distance between the boxes that represent a track, in cell sides."""
_TRACK_WEIGHT, _FEATURE_WEIGHT, _RIVER_WEIGHT, _TEXTURE_WEIGHT = 1.5, 0.6, 0.4, 0.05
"""Weights per square millimetre of a track, of a feature, of a river or road, and of textured terrain."""
_BUILDING_PATTERNS = frozenset(("building", "roof", "houses", "walled", "keep"))
"""Terrain patterns that represent buildings."""


def _grown(box: Box, by: float) -> Box:
    """Return a box whose sides are moved outward."""
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _find_obstacles(view: MapView, place: Place) -> Obstacles:
    """Return the obstacles of all labels, and the areas that add weight to cell names."""
    ground = Obstacles(max(place.side, 1.0))
    for shape in view.areas:
        for ring in shape.rings:
            points = [place.at(p) for p in ring]
            for a, b in pairwise((*points, points[0])):
                ground.forbid_crossing(a, b)
    labels = (
        *(_grown(pill.box, _PLATE_CLEARANCE) for pill in label_plates(view, place)),
        *(flag.box for flag in placed_flags(view, place)),
    )
    for box in (*token_boxes(view, place), *labels, *(strip.box for strip in hit_point_strips(view, place))):
        ground.forbid(box)
    for marked in view.rings:
        if marked.label:
            x, y, half, size = ring_label(place, marked)
            ground.forbid((x - half, y - size / 2, x + half, y + size / 2))
    r = 1.15 * mark_radius(place)
    for cell, _ in (spot for way in view.tracks for spot in ringed(way)):
        x, y = place.centre(cell)
        ground.forbid((x - r, y - r, x + r, y + r))
    for box in _track_boxes(view, place):
        ground.add_weight(box, _TRACK_WEIGHT)
    for cell in view.features:
        ground.add_weight(_feature_box(view, place, cell), _FEATURE_WEIGHT)
    return ground


def _add_wide_name_obstacles(
    view: MapView, place: Place, ground: Obstacles, grounds: Mapping[Cell, GroundLook]
) -> None:
    """Add the obstacles of place names and notes.

    Tracks, buildings and features must not be covered. Rivers, roads and textured terrain add weight.
    """
    for cell, of in grounds.items():
        if of.pattern in _BUILDING_PATTERNS:
            ground.forbid(points_box(place.ring(cell)))
        elif of.letter:
            ground.add_weight(points_box(place.ring(cell)), _TEXTURE_WEIGHT)
    roads = (_exit(place, cell, d) for cell, exits in view.roads.items() for d in exits)
    for box in _boxes_along(roads, place):
        ground.add_weight(box, _RIVER_WEIGHT)
    for box in _track_boxes(view, place):
        ground.forbid(box)
    for cell in view.features:
        ground.forbid(_feature_box(view, place, cell, SIDEWAYS))
    rivers = (_exit(place, cell, d) for cell, exits in view.flows.items() for d in exits)
    for box in _boxes_along(rivers, place):
        ground.add_weight(box, _RIVER_WEIGHT)


def _track_boxes(view: MapView, place: Place) -> Iterator[Box]:
    """Yield boxes along all tracks and lines of sight."""
    yield from _boxes_along((pair for way in view.tracks for pair in pairwise(_visible_course(place, way))), place)
    yield from _boxes_along((pair for ray in view.rays for pair in pairwise(flight(place, ray))), place)


def _visible_course(place: Place, way: Track) -> list[XY]:
    """Return the points of a track in mm. A broad arrow is not visible at the centres of its first and last cells."""
    points = walked(place, way)
    if len(points) > 2 and look("track", theme().track, way.look).ribbon:
        return points[1:-1]
    return points


def _feature_box(view: MapView, place: Place, cell: Cell, aside: float = 1.0) -> Box:
    """Return the box around a feature on a cell, in mm. `aside` is a factor for its width."""
    x, y, scale = feature_spot(view, place, cell)
    r = FEATURE_REACH * place.side * scale / place.scale
    return x - aside * r, y - r, x + aside * r, y + r


def _boxes_along(lines: Iterable[tuple[XY, XY]], place: Place) -> Iterator[Box]:
    """Yield small boxes along straight lines."""
    r = _LINE_CLEARANCE * place.side
    for (ax, ay), (bx, by) in lines:
        count = max(1, round(math.dist((ax, ay), (bx, by)) / (_LINE_STEP * place.side)))
        for i in range(count):
            x, y = ax + (i + 0.5) / count * (bx - ax), ay + (i + 0.5) / count * (by - ay)
            yield x - r, y - r, x + r, y + r


def _exit(place: Place, cell: Cell, direction: int) -> tuple[XY, XY]:
    """Return the line from the centre of a cell to one of its exits."""
    (x, y), (dx, dy) = place.centre(cell), place.way(cell, direction)
    return (x, y), (x + dx * place.side, y + dy * place.side)


def unplaced_names(view: MapView, lettering: Lettering) -> list[str]:
    """Return the texts that are listed below the map because they do not fit on it.

    Names of cells are listed with the units in the cell.
    """
    if view.detail or not (lettering.unnamed or lettering.letterless or lettering.unplaced):
        return []
    there: dict[str, list[str]] = {}
    for cell, token in view.tokens:
        there.setdefault(view.grid.name(cell), []).append(token.label)
    cells = () if view.ruled else lettering.unnamed
    # The unit in front is drawn last but named first.
    who = {name: "+".join(label for label in reversed(labels) if label) for name, labels in there.items()}
    return [*(f"{who.get(name, '')} {name}".lstrip() for name in cells), *lettering.letterless, *lettering.unplaced]
