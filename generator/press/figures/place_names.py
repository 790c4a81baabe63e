"""Names of places and notes on a map, with their type, candidate positions, flags and plates."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product

import msgspec

from generator.grid.hexes import Cell, extent
from generator.model.picture import POINTS, XY, Item, Path, Pen, Text, polygon
from generator.model.views import MapView, Note
from generator.model.words import Lang
from generator.press.figures.cell_names import PLATE_ALPHA, text_extent
from generator.press.figures.labels import (
    Candidate,
    overlap,
    points_box,
)
from generator.press.layout.fitting import text_width
from generator.press.pdf.legible import FLOOR, floor
from generator.symbols.counters import counter
from generator.symbols.shapes import Box, Place, Steps, moved, plate
from generator.symbols.theme import Ground as GroundLook
from generator.symbols.theme import look, theme

_NOTE = "#4b473c"
_FLAG_UNITS, _FLAG_LINE = 6.0, 0.5
"""Width of a flag in its own units, which corresponds to a note's size, and the width of its outline in these
units."""
_DESCENT = 0.6
"""Distance from the middle of a note to the bottom of its descenders, relative to the type size."""


FEATURE_REACH, SIDEWAYS = 0.63, 1.2
"""Extent of a full-size feature from its centre in cell sides, and a factor for its horizontal extent."""


_PLACE_PT_PER_MM, _MAX_PLACE_NAME = 0.9, 14.0
"""Type size of place names in points per mm of cell side, and the maximum type size in points."""
_LARGE_SCALE = 1.12
"""Scale of the names of large places."""
_COLOUR = "#303030"
_PLATE_PAD = 0.4
"""Distance by which a plate extends beyond both ends of its name, in line heights."""
_DISTANCE_WEIGHT = 0.3
"""Weight of a distance of one cell side, per area of the name."""
_DRAWN_CELL_WEIGHT = 0.5
"""Weight of a position in a cell with textured terrain or water, per area of the name."""
_EXTRA_DISTANCES = (0.0, 0.12, 0.25, 0.5, 0.8, 1.2)
"""Additional distances from the place at which positions are tried, in cell sides."""
_TURNS = (0, 4, 12, 8, 2, 14, 6, 10, 1, 15, 3, 13, 5, 11, 7, 9)
"""Directions in sixteenths of a turn: below, right, left, above, then the directions between them."""
_DIRECTIONS = tuple((math.sin(math.pi * turn / 8), -math.cos(math.pi * turn / 8)) for turn in _TURNS)
"""Horizontal and vertical component of each direction."""


class Outline(msgspec.Struct, frozen=True):
    """A convex outline in anticlockwise order, represented by its bounding box and sides."""

    box: Box
    sides: tuple[tuple[float, float, float], ...]
    """Outward normal of each side, and the distance of the side in that direction."""

    @classmethod
    def of(cls, ring: Sequence[XY]) -> Outline:
        """Return the outline with these corners."""
        sides = (((by - ay, ax - bx), (ax, ay)) for (ax, ay), (bx, by) in pairwise((*ring, ring[0])))
        return cls(points_box(ring), tuple((nx, ny, ax * nx + ay * ny - 1e-6) for (nx, ny), (ax, ay) in sides))

    def touches(self, box: Box) -> bool:
        """Return whether a box shares more than an edge with the inside of the outline."""
        left, bottom, right, top = box
        return overlap(self.box, box) and all(
            (left if nx > 0 else right) * nx + (bottom if ny > 0 else top) * ny < far for nx, ny, far in self.sides
        )


class OtherCells(msgspec.Struct, frozen=True):
    """Cells that names of other cells must not cover because of their content, and cells with textured terrain."""

    taken: Mapping[Cell, Outline]
    drawn: Sequence[Outline]


def find_other_cells(view: MapView, place: Place, grounds: Mapping[Cell, GroundLook]) -> OtherCells:
    """Return the cells that names of other cells must not, or should not, cover."""
    owned = dict.fromkeys((*view.features, *view.places, *(cell for cell, _ in view.tokens)))
    drawn = [cell for cell, of in grounds.items() if cell not in owned and (of.water or of.letter)]
    return OtherCells(
        {cell: Outline.of(place.ring(cell)) for cell in owned},
        [Outline.of(place.ring(cell)) for cell in drawn],
    )


def styled_name(text: str, feature: str, place: Place, lang: Lang) -> Text:
    """Return a place's name in the type of its feature. Japanese letters are never slanted."""
    style = look("feature", theme().feature, feature).name_style if feature else ""
    size = max(FLOOR, min(_PLACE_PT_PER_MM * place.side, _MAX_PLACE_NAME)) * (_LARGE_SCALE if style == "large" else 1)
    slanted = style == "slanted" and lang != "ja"
    return Text(0, 0, text, size, "middle", style != "plain", _COLOUR, slanted)


def name_candidates(
    like: Text,
    place: Place,
    cell: Cell,
    spot: tuple[float, float, float],
    edge: Sequence[tuple[XY, XY]],
    other_cells: OtherCells,
) -> Iterator[Candidate[Text]]:
    """Yield positions for a place's name that are inside the map's rim and not in a cell with other content."""
    x, y, scale = spot
    # Slanted letters extend slightly farther to the right.
    half, high = text_width(like.text, like.size, like.bold) / 2 + (0.2 if like.slanted else 0), like.size / POINTS
    body = FEATURE_REACH * place.side * scale / place.scale
    far = 2 * half + 4 * place.side
    about = x - far, y - far, x + far, y + far
    # A box this far inside the bounds of the field is certainly inside the rim.
    left, bottom, right, top = points_box([point for side in edge for point in side])
    inner = left + place.side, bottom + place.side, right - place.side, top - place.side
    others = [ring for owner, ring in other_cells.taken.items() if overlap(ring.box, about) and owner != cell]
    drawn = [ring for ring in other_cells.drawn if overlap(ring.box, about)]
    rank, plate = 0, _plate(like)
    for extra, (across, up) in product(_EXTRA_DISTANCES, _DIRECTIONS):
        reach, rise = SIDEWAYS * body + extra * place.side, body + extra * place.side + 0.6 * high
        middle, level = x + (reach + half + _PLATE_PAD * high) * across, y + rise * up - 0.3 * high
        box = plate[0] + middle, plate[1] + level, plate[2] + middle, plate[3] + level
        if box[0] < left or box[1] < bottom or box[2] > right or box[3] > top:
            continue
        safe = box[0] > inner[0] and box[1] > inner[1] and box[2] < inner[2] and box[3] < inner[3]
        # The rim is checked last because it may have hundreds of corners.
        if _count_touched(others, box) or not (safe or lies_within(edge, box)):
            continue
        rank += 1
        weight = extra * _DISTANCE_WEIGHT + 0.001 * rank + _DRAWN_CELL_WEIGHT * _count_touched(drawn, box)
        yield Candidate(box, weight * 2 * half * high, msgspec.structs.replace(like, x=middle, y=level))


def _count_touched(outlines: Sequence[Outline], box: Box) -> int:
    """Return the number of outlines that a box touches."""
    left, bottom, right, top = box
    # Fast check first, because most outlines are far away.
    near = [one for one in outlines if one.box[0] < right and left < one.box[2]]
    return sum([one.touches(box) for one in near if one.box[1] < top and bottom < one.box[3]])


def place_note(note: Note, place: Place, lang: Lang, ink: str) -> Text:
    """Return the text of a note at the note's own position."""
    x, y = place.at(note.at)
    size = max(floor(note.text[lang]), note.size * place.side * POINTS)
    colour = look("track", theme().track, note.look).ink(ink).line if note.look else _NOTE
    return Text(x, y - 0.35 * size / POINTS, note.text[lang], size, "middle", True, colour)


def draw_note_flag(note: Note, text: Text, place: Place, ink: str) -> Iterator[Item]:
    """Yield a note on its flag: a halo, the flag in its camp's colours, and the text in a contrasting colour."""
    x, y = place.at(note.at)
    camp = look("token shape", theme().shape, note.flag).ink(ink)
    scale = note.size * place.side / _FLAG_UNITS
    ring = moved(polygon(counter(note.flag).ring, camp.fill, Pen(camp.line, _FLAG_LINE * scale)), x, y, scale)
    yield msgspec.structs.replace(ring, fill=None, pen=Pen("#ffffff", 3 * _FLAG_LINE * scale))
    yield ring
    yield msgspec.structs.replace(text, colour=camp.light)


def note_flag_box(note: Note, text: Text, place: Place) -> Box:
    """Return the box covered by a note's flag and its halo, in mm."""
    left, bottom, right, top = points_box(counter(note.flag).ring)
    x, y, scale = text.x, text.y + 0.35 * text.size / POINTS, note.size * place.side / _FLAG_UNITS
    left, bottom, right, top = left - _FLAG_LINE, bottom - _FLAG_LINE, right + _FLAG_LINE, top + _FLAG_LINE
    return x + left * scale, y + bottom * scale, x + right * scale, y + top * scale


def note_candidates(note: Note, place: Place, lang: Lang, ink: str) -> Iterator[Candidate[Text]]:
    """Yield positions of a note that may move by up to `roam` cell sides."""
    text = place_note(note, place, lang, ink)
    rim = points_box([place.at((x, y)) for x in extent(place.grid)[::2] for y in extent(place.grid)[1::2]])
    for share in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        for turn in _TURNS if share else (0,):
            angle = math.pi * (turn / 8 - 0.5)
            far = share * note.roam * place.side
            moved = msgspec.structs.replace(text, x=text.x + far * math.cos(angle), y=text.y + far * math.sin(angle))
            box = _plate(moved)
            # A note about a track must stay on the map.
            if not note.look or (rim[0] <= box[0] and rim[1] <= box[1] and box[2] <= rim[2] and box[3] <= rim[3]):
                yield Candidate(box, far + 0.001 * turn, moved)


def _plate(name: Text) -> Box:
    """Return the bounding box of a name and its plate, in mm."""
    left, bottom, right, top = text_extent(name)
    high = name.size / POINTS
    return (
        left - _PLATE_PAD * high,
        min(bottom, name.y - 0.22 * high),
        right + _PLATE_PAD * high,
        max(top, name.y + 0.88 * high),
    )


def lies_within(sides: Sequence[tuple[XY, XY]], box: Box) -> bool:
    """Return whether the corners of a box and the midpoints of its horizontal sides are inside an outline.

    A point is inside if a horizontal ray from it crosses the sides an odd number of times.
    """
    left, bottom, right, top = box
    for y in (bottom, top):
        crossed = [(a, b) for a, b in sides if (a[1] <= y) != (b[1] <= y)]
        cuts = [ax + (bx - ax) * (y - ay) / (by - ay) for (ax, ay), (bx, by) in crossed]
        if not all(sum([x < cut for cut in cuts]) % 2 for x in (left, (left + right) / 2, right)):
            return False
    return True


def draw_plates(texts: Sequence[Text], alpha: float = PLATE_ALPHA) -> list[Path]:
    """Return pale plates behind texts as a single path."""
    steps = tuple(step for text in texts for step in plate_behind(text))
    return [Path(steps, "#ffffff", None, alpha)] if steps else []


def notes_overhang(view: MapView, lang: Lang, turned: bool = False) -> Box:
    """Return how far notes extend beyond the field to the left, below, to the right and above, in cell sides."""
    left, bottom, right, top = extent(view.grid)
    (px, py), box = view.grid.pitch, [0.0, 0.0, 0.0, 0.0]
    for note in view.notes:
        x, y = note.at
        w, h = text_width(note.text[lang], note.size * POINTS, True) / 2, _DESCENT * note.size
        if note.flag:
            ring = [
                (abs(a) * note.size / _FLAG_UNITS, abs(b) * note.size / _FLAG_UNITS)
                for a, b in counter(note.flag).ring
            ]
            w, h = (max(sides) for sides in zip(*ring, strict=True))
        outside = ((left - x) * px + w, (bottom - y) * py + h, (x - right) * px + w, (y - top) * py + h)
        box = [max(pair) for pair in zip(box, outside, strict=True)]
    west, south, east, north = box
    return (east, north, west, south) if turned else (west, south, east, north)


def plate_behind(text: Text) -> Steps:
    """Return the outline of a pale plate behind a name."""
    high, width = 1.1 * text.size / POINTS, text_width(text.text, text.size, text.bold) + text.extra_width
    middle = text.x + width / 2 if text.anchor == "start" else text.x
    return plate(middle, text.y - 0.2 * high, width / 2 + 0.35 * high, high)
