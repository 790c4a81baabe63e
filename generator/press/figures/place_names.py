"""The writing on a map: names of cells and places, and notes, none over what must be seen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, product

import msgspec

from generator.grid.hexes import Cell
from generator.model.picture import POINTS, XY, Item, Path, Pen, Text, polygon
from generator.model.views import MapView, Note
from generator.model.words import Lang
from generator.press.figures.labels import (
    Candidate,
    Obstacles,
    allowed_candidates,
    bounding_box,
    choose_candidates,
    overlap,
)
from generator.press.figures.tokens import feature_spot, hit_point_strips, label_plates, placed_flags, token_boxes
from generator.press.layout.fitting import text_width
from generator.press.pdf.legible import FLOOR, NUMBER_FLOOR, floor
from generator.symbols.counters import counter
from generator.symbols.features import covers, mark_radius, ringed, walked
from generator.symbols.overlays import flight, ring_label
from generator.symbols.shapes import Box, Place, Steps, closed, extent, moved, plate, rim
from generator.symbols.theme import Ground as GroundLook
from generator.symbols.theme import look, theme

# Each cell's name stands in its cell, its ground's letter behind it; a small map has small ones. The names of what
# lies on a map's cells stand in each or beside it, in cells where nothing else lies. Where all of them stand is one
# search (labels.py): tokens and their labels, outlines of buildings and ways are in the way of all.

_NAME_PT_PER_MM, _MAX_GROWN_NAME = 0.36, 11.0
"""In very large cells names have so many points for each mm of their sides, up to the last size."""
_NOTE = "#4b473c"
_PLATE_ALPHA, _HALO_ALPHA = 0.75, 0.7
"""How much a pale plate hides of what lies below it, and one in the colour of the ground."""
_FLAG_UNITS, _FLAG_LINE = 6.0, 0.5
"""A flag's shape has that many units for a note's size, and its line is so wide, in such units."""
_DESCENT = 0.6
"""From a note's middle to the foot of its letters that reach below the line, in sizes."""
_ASCENT, _DESCENDER_DEPTH = 0.72, 0.21
"""From the line to the top of a cell's name, and to the foot of letters that reach below it, in sizes."""
_DESCENDERS = frozenset("gjpqy,;()[]")
_CLEARANCE = 0.35
"""How far cells' names keep from outlines, tokens and cells' sides, in mm."""
_MIN_CLEARANCE = 0.1
"""The same where there is little room."""
_INTO_HEXES, _INTO_SQUARES = (
    tuple((math.cos(math.radians(turn)), math.sin(math.radians(turn))) for turn in turns)
    for turns in ((90, 60, 120, 270, 240, 300, 30, 150, 0, 180, 210, 330), (135, 90, 45, 225, 270, 315, 180, 0))
)
"""In which directions of its cell a name is looked a place for, one after the other."""
_DISTANCES = (1.0, 0.6)
"""How far from the middle, in shares of the way to the side."""
_NAME_CHOICES, _WIDE_NAME_CHOICES = 3, 24
"""Of so many free places the best is taken: in its own cell, and of those that lie anywhere the lightest."""


class Lettering(msgspec.Struct, frozen=True):
    """What is written on a map."""

    names: tuple[Item, ...]
    """The cells' names."""
    above: tuple[Item, ...]
    """Notes, and the names of places: they lie over everything."""
    gaps: tuple[XY, ...]
    """Where lines are broken for a cell's name."""
    unnamed: tuple[str, ...] = ()
    """The names of the cells that have no room for them."""
    letterless: tuple[str, ...] = ()
    """Names that stand without their ground's letter, with it."""
    unplaced: tuple[str, ...] = ()
    """Of places and notes those that found no room, each with its cell."""


class _LabelRequest(msgspec.Struct, frozen=True):
    """A label that is looked a place for: where it may stand, and what it is told as if there is none."""

    candidates: Sequence[Candidate[Text]]
    fallback: str


def letter_map(
    view: MapView, place: Place, grounds: Mapping[Cell, GroundLook], ink: str, colour: str, lang: Lang | None
) -> Lettering:
    """All that is written on a map, in a language or, without one, the cells' names alone."""
    cells = _named_cells(view, place)
    notes = view.notes if lang else ()
    fixed = [_note(note, place, lang, ink) for note in notes if lang and not note.roam]
    roaming = [note for note in notes if note.roam]
    places = view.places if lang and view.names and place.side >= place.anatomy.free else {}
    if not cells and not notes and not places:
        return Lettering((), (), ())
    ground = _find_obstacles(view, place)
    for note, text in zip((n for n in notes if not n.roam), fixed, strict=True):
        ground.forbid(_flag_box(note, text, place) if note.flag else text_extent(text))
    texts = {cell: _cell_text(view, grounds, cell) for cell in cells}
    roofs = [_Roof.of(tuple(tuple(place.at(p) for p in ring) for ring in shape.rings)) for shape in view.areas]
    sizes, positions = _name_sizes(place), _name_positions(place)
    requests, free = list[_LabelRequest](), list[_LabelRequest]()
    if lang and (roaming or places):
        over = ground.copy()
        _add_wide_name_obstacles(view, place, over, grounds)
        free += [
            _LabelRequest(
                allowed_candidates(over, _note_candidates(n, place, lang, ink))[:_WIDE_NAME_CHOICES], n.text[lang]
            )
            for n in roaming
        ]
        edge = [side for ring in rim(place) for side in zip((ring[-1], *ring), ring, strict=False)]
        other_cells = _find_other_cells(view, place, grounds)
        for cell, name in places.items():
            like = _styled_name(name[lang], view.features.get(cell, ""), place, lang)
            candidates = _name_candidates(like, place, cell, feature_spot(view, place, cell), edge, other_cells)
            free.append(
                _LabelRequest(
                    allowed_candidates(over, candidates)[:_WIDE_NAME_CHOICES], f"{view.grid.name(cell)} {name[lang]}"
                )
            )
    others = [bounding_box([one.box for one in of.candidates]) for of in free if of.candidates]
    for cell in cells:
        around = _cell_box(cell, place)
        near = [roof.rings for roof in roofs if overlap(roof.box, around)]
        found = positions.candidates(cell, texts[cell], sizes, colour, near)
        # It stays in its cell: other things' names alone can be in its way, and without them it takes its best place.
        alone = not any(overlap(around, other) for other in others)
        requests.append(_LabelRequest(allowed_candidates(ground, found, _NAME_CHOICES, alone), view.grid.name(cell)))
    requests += free
    labels = [of.candidates for of in requests]
    chosen = choose_candidates(labels) if free else [next(iter(of), None) for of in labels]
    count = len(cells)
    names = {cell: one.item for cell, one in zip(cells, chosen, strict=False) if one}
    apart = [one.item for one in chosen[count:] if one]
    shaded = {cell for shade in view.shades for cell in shade.cells}
    halos = _halos(names, shaded, grounds, ink)
    still = list(zip((n for n in notes if not n.roam), fixed, strict=True))
    plated = [text for note, text in still if note.plate]
    flown = [item for note, text in still if note.flag for item in _flag(note, text, place, ink)]
    plain = [text for note, text in still if not note.flag]
    return Lettering(
        (*halos, *names.values()),
        (*_plates(plated), *plain, *flown, *_plates(apart, 0.8), *apart),
        tuple(_centre(text_extent(text)) for text in names.values()) if view.borders else (),
        tuple(of.fallback for of, one in zip(requests[:count], chosen, strict=False) if not one),
        tuple(texts[cell] for cell, text in names.items() if text.text != texts[cell]),
        tuple(of.fallback for of, one in zip(requests[count:], chosen[count:], strict=True) if not one),
    )


def _centre(box: Box) -> XY:
    return box[0] / 2 + box[2] / 2, box[1] / 2 + box[3] / 2


def _named_cells(view: MapView, place: Place) -> Sequence[Cell]:
    """The cells whose names are written."""
    return view.grid.cells if view.names and place.side >= place.anatomy.free else ()


def _cell_text(view: MapView, grounds: Mapping[Cell, GroundLook], cell: Cell) -> str:
    """A cell's name, its ground's letter behind it; water speaks by its shape."""
    ground = grounds.get(cell)
    letter = ground.letter if ground and not ground.water else ""
    return f"{view.grid.name(cell)} {letter}".rstrip()


def _name_sizes(place: Place) -> tuple[float, ...]:
    """The size of cells' names, and the one that is tried where there is no room for it."""
    at, side = place.anatomy, place.side
    size = max(NUMBER_FLOOR, min(at.type_size * side, at.largest), min(_NAME_PT_PER_MM * side, _MAX_GROWN_NAME))
    return (size, NUMBER_FLOOR) if size > NUMBER_FLOOR else (NUMBER_FLOOR,)


def text_extent(text: Text) -> Box:
    """What the letters of a line cover, no more."""
    width, high = text_width(text.text, text.size, text.bold), text.size / POINTS
    x = text.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * width
    low = _DESCENDER_DEPTH if _DESCENDERS & set(text.text) else 0.0
    return x, text.y - low * high, x + width, text.y + _ASCENT * high


class _NamePositions:
    """Where a box finds room in a cell: at its corners and sides, the preferred first, then nearer the middle."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._known: dict[tuple[float, float, float], tuple[list[XY], Iterator[XY]]] = {}
        cell = place.grid.cells[0]
        x, y = place.centre(cell)
        ring = [(a - x, b - y) for a, b in place.ring(cell)]
        # Outward normals with how far each side lies from the middle; all cells are alike, if turned half round.
        self._sides: list[tuple[float, float, float]] = []
        for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
            long = math.dist((ax, ay), (bx, by))
            nx, ny = (by - ay) / long, (ax - bx) / long
            self._sides.append((nx, ny, ax * nx + ay * ny))

    def candidates(
        self, cell: Cell, name: str, sizes: Sequence[float], colour: str, roofs: Sequence[_Rings]
    ) -> Iterator[Candidate[Text]]:
        """The places of a cell's name, at the first size and then at the others; none has its middle below a roof."""
        x, y = self._place.centre(cell)
        rank = -1
        # Where there is no room even for small type, it is lighter; and then the name goes without the letter.
        name_only, min_size = name.partition(" ")[0], sizes[-1]
        tries = [*((name, size, True) for size in sizes), (name, min_size, False)]
        for text, size, bold in (*tries, *([(name_only, min_size, False)] if name_only != name else [])):
            low = _DESCENDER_DEPTH if _DESCENDERS & set(text) else 0.0
            high, half = (low + _ASCENT) * size / POINTS, text_width(text, size, bold) / 2
            for clear in (_CLEARANCE, _MIN_CLEARANCE):
                for dx, dy in self._offsets(half, high / 2, clear):
                    rank += 1
                    if roofs and any(covers(rings, (x + dx, y + dy)) for rings in roofs):
                        continue
                    left, foot = x + dx, y + dy - high / 2
                    line = Text(left, foot + low * size / POINTS, text, size, "middle", bold, colour)
                    box = left - half - clear, foot - clear, left + half + clear, foot + high + clear
                    yield Candidate(box, 0.01 * rank, line)

    def _offsets(self, half: float, up: float, clear: float) -> Iterator[XY]:
        """From the middle of the cell; worked out no farther than somebody asks."""
        key = round(half, 3), round(up, 3), clear
        if key not in self._known:
            self._known[key] = [], self._found(half + clear, up + clear)
        found, more = self._known[key]
        yield from found
        for offset in more:
            found.append(offset)
            yield offset

    def _found(self, half: float, up: float) -> Iterator[XY]:
        rooms = [far - half * abs(nx) - up * abs(ny) for nx, ny, far in self._sides]
        if min(rooms) < 0:
            return
        square = self._place.anatomy.squares
        for share, (across, rise) in product(_DISTANCES, _INTO_SQUARES if square else _INTO_HEXES):
            at = self._slid((0.0, 0.0), (across, rise), rooms)
            if square:
                # Into the corner: a box is no square.
                at = self._slid(at, (_sign(across), 0.0), rooms)
                at = self._slid(at, (0.0, _sign(rise)), rooms)
            yield share * at[0], share * at[1]
        yield 0.0, 0.0

    def _slid(self, at: XY, way: XY, rooms: Sequence[float]) -> XY:
        """As far that way as the cell's sides allow, from which so far is room in the middle."""
        (x, y), (across, rise) = at, way
        found = math.inf
        for (nx, ny, _), room in zip(self._sides, rooms, strict=True):
            speed = nx * across + ny * rise
            if speed > 1e-9:
                found = min(found, (room - nx * x - ny * y) / speed)
        return at if found == math.inf else (x + max(0.0, found) * across, y + max(0.0, found) * rise)


@lru_cache(8)  # the maps of some pages
def _name_positions(place: Place) -> _NamePositions:
    return _NamePositions(place)


def _sign(value: float) -> float:
    return 0.0 if abs(value) < 1e-9 else math.copysign(1.0, value)


_Rings = tuple[tuple[XY, ...], ...]


class _Roof(msgspec.Struct, frozen=True):
    """A building on the map: its outlines, and what is around it."""

    rings: _Rings
    box: Box

    @classmethod
    def of(cls, rings: _Rings) -> _Roof:
        """The building with these outlines."""
        return cls(rings, _bounds(rings[0]))


def _cell_box(cell: Cell, place: Place) -> Box:
    """A box that holds whatever stands in a cell."""
    (x, y), reach = place.centre(cell), place.side
    return x - reach, y - reach, x + reach, y + reach


_LINE_CLEARANCE = 0.16
"""How far names keep from the middle of a way or a line of sight, in sides."""
_LINE_STEP = 0.4
"""Between the boxes along a way, in sides."""
_TRACK_WEIGHT, _FEATURE_WEIGHT, _RIVER_WEIGHT, _TEXTURE_WEIGHT = 1.5, 0.6, 0.4, 0.05
"""What a square millimetre weighs of a way, of what lies on a cell, of a river or road, of ground that is drawn."""
_BUILDING_PATTERNS = frozenset(("building", "roof", "houses", "walled", "keep"))
"""Patterns that are buildings."""
_FEATURE_REACH, _SIDEWAYS = 0.63, 1.2
"""How far from its middle what lies on a cell reaches, drawn at full size, in sides; so many times sideways."""


def _find_obstacles(view: MapView, place: Place) -> Obstacles:
    """What is in the way of every label, and what weighs for cells' names."""
    ground = Obstacles(max(place.side, 1.0))
    for shape in view.areas:
        for ring in shape.rings:
            points = [place.at(p) for p in ring]
            for a, b in pairwise((*points, points[0])):
                ground.forbid_crossing(a, b)
    labels = (*(pill.box for pill in label_plates(view, place)), *(flag.box for flag in placed_flags(view, place)))
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
    """What is in the way of larger names too: ways, buildings, what lies on cells; rivers and drawn ground weigh."""
    for cell, of in grounds.items():
        if of.pattern in _BUILDING_PATTERNS:
            ground.forbid(_bounds(place.ring(cell)))
        elif of.letter:
            ground.add_weight(_bounds(place.ring(cell)), _TEXTURE_WEIGHT)
    roads = (_exit(place, cell, d) for cell, exits in view.roads.items() for d in exits)
    for box in _boxes_along(roads, place):
        ground.add_weight(box, _RIVER_WEIGHT)
    for box in _track_boxes(view, place):
        ground.forbid(box)
    for cell in view.features:
        ground.forbid(_feature_box(view, place, cell, _SIDEWAYS))
    rivers = (_exit(place, cell, d) for cell, exits in view.flows.items() for d in exits)
    for box in _boxes_along(rivers, place):
        ground.add_weight(box, _RIVER_WEIGHT)


def _track_boxes(view: MapView, place: Place) -> Iterator[Box]:
    """Along all ways that were walked and lines of sight."""
    yield from _boxes_along((pair for way in view.tracks for pair in pairwise(walked(place, way))), place)
    yield from _boxes_along((pair for ray in view.rays for pair in pairwise(flight(place, ray))), place)


def _feature_box(view: MapView, place: Place, cell: Cell, aside: float = 1.0) -> Box:
    """Around what lies on a cell, so many times as far to either side."""
    x, y, scale = feature_spot(view, place, cell)
    r = _FEATURE_REACH * place.side * scale / place.scale
    return x - aside * r, y - r, x + aside * r, y + r


def _boxes_along(lines: Iterable[tuple[XY, XY]], place: Place) -> Iterator[Box]:
    """Small boxes along straight lines."""
    r = _LINE_CLEARANCE * place.side
    for (ax, ay), (bx, by) in lines:
        count = max(1, round(math.dist((ax, ay), (bx, by)) / (_LINE_STEP * place.side)))
        for i in range(count):
            x, y = ax + (i + 0.5) / count * (bx - ax), ay + (i + 0.5) / count * (by - ay)
            yield x - r, y - r, x + r, y + r


def _exit(place: Place, cell: Cell, direction: int) -> tuple[XY, XY]:
    """From the middle of a cell to where it is left."""
    (x, y), (dx, dy) = place.centre(cell), place.way(cell, direction)
    return (x, y), (x + dx * place.side, y + dy * place.side)


_PLACE_PT_PER_MM, _MAX_PLACE_NAME = 0.9, 14.0
"""Names of places have so many points for each mm of a cell's side, up to the last size."""
_LARGE_SCALE = 1.12
"""How much larger those of large places are."""
_COLOUR = "#303030"
_PLATE_PAD = 0.4
"""How far a plate reaches beyond its name's ends, in heights of a line."""
_DISTANCE_WEIGHT = 0.3
"""What each side of distance weighs, in shares of a name's area."""
_DRAWN_CELL_WEIGHT = 0.5
"""What it weighs to lie in a cell where something is drawn on the ground, in shares of a name's area."""
_EXTRA_DISTANCES = (0.0, 0.12, 0.25, 0.5, 0.8, 1.2)
"""How much farther off room is looked for, in sides."""
_TURNS = (0, 4, 12, 8, 2, 14, 6, 10, 1, 15, 3, 13, 5, 11, 7, 9)
"""In which directions, in sixteenths of a turn: below, to the right, to the left, above, then between them."""
_DIRECTIONS = tuple((math.sin(math.pi * turn / 8), -math.cos(math.pi * turn / 8)) for turn in _TURNS)
"""How far aside and how far up each leads."""


class Outline(msgspec.Struct, frozen=True):
    """A convex outline that runs anticlockwise: what is around it, and its sides."""

    box: Box
    sides: tuple[tuple[float, float, float], ...]
    """Outward normals, with how far each side lies that way."""

    @classmethod
    def of(cls, ring: Sequence[XY]) -> Outline:
        """The outline through these corners."""
        sides = (((by - ay, ax - bx), (ax, ay)) for (ax, ay), (bx, by) in pairwise((*ring, ring[0])))
        return cls(_bounds(ring), tuple((nx, ny, ax * nx + ay * ny - 1e-6) for (nx, ny), (ax, ay) in sides))

    def touches(self, box: Box) -> bool:
        """Whether a box has more in common with what lies inside than an edge."""
        left, bottom, right, top = box
        return overlap(self.box, box) and all(
            (left if nx > 0 else right) * nx + (bottom if ny > 0 else top) * ny < far for nx, ny, far in self.sides
        )


class _OtherCells(msgspec.Struct, frozen=True):
    """Cells that belong to somebody or something, where nobody else's name stands, and those where more is drawn."""

    taken: Mapping[Cell, Outline]
    drawn: Sequence[Outline]


def _find_other_cells(view: MapView, place: Place, grounds: Mapping[Cell, GroundLook]) -> _OtherCells:
    owned = dict.fromkeys((*view.features, *view.places, *(cell for cell, _ in view.tokens)))
    drawn = [cell for cell, of in grounds.items() if cell not in owned and (of.water or of.letter)]
    return _OtherCells(
        {cell: Outline.of(place.ring(cell)) for cell in owned},
        [Outline.of(place.ring(cell)) for cell in drawn],
    )


def _styled_name(text: str, feature: str, place: Place, lang: Lang) -> Text:
    """A place's name in the type of its kind; Japanese letters stand upright."""
    style = look("feature", theme().feature, feature).name_style if feature else ""
    size = max(FLOOR, min(_PLACE_PT_PER_MM * place.side, _MAX_PLACE_NAME)) * (_LARGE_SCALE if style == "large" else 1)
    slanted = style == "slanted" and lang != "ja"
    return Text(0, 0, text, size, "middle", style != "plain", _COLOUR, slanted)


def _name_candidates(
    like: Text,
    place: Place,
    cell: Cell,
    spot: tuple[float, float, float],
    edge: Sequence[tuple[XY, XY]],
    other_cells: _OtherCells,
) -> Iterator[Candidate[Text]]:
    """Where the name of what lies on a cell may stand: inside the rim, and in no cell that is another's."""
    x, y, scale = spot
    # Slanted letters reach a little farther.
    half, high = text_width(like.text, like.size, like.bold) / 2 + (0.2 if like.slanted else 0), like.size / POINTS
    body = _FEATURE_REACH * place.side * scale / place.scale
    far = 2 * half + 4 * place.side
    about = x - far, y - far, x + far, y + far
    # What lies so far inside the field's bounds lies inside its rim.
    left, bottom, right, top = _bounds([point for side in edge for point in side])
    inner = left + place.side, bottom + place.side, right - place.side, top - place.side
    others = [ring for owner, ring in other_cells.taken.items() if overlap(ring.box, about) and owner != cell]
    drawn = [ring for ring in other_cells.drawn if overlap(ring.box, about)]
    rank, plate = 0, _plate(like)
    for extra, (across, up) in product(_EXTRA_DISTANCES, _DIRECTIONS):
        reach, rise = _SIDEWAYS * body + extra * place.side, body + extra * place.side + 0.6 * high
        middle, level = x + (reach + half + _PLATE_PAD * high) * across, y + rise * up - 0.3 * high
        box = plate[0] + middle, plate[1] + level, plate[2] + middle, plate[3] + level
        if box[0] < left or box[1] < bottom or box[2] > right or box[3] > top:
            continue
        safe = box[0] > inner[0] and box[1] > inner[1] and box[2] < inner[2] and box[3] < inner[3]
        # The rim is looked at last: it may have hundreds of corners.
        if _count_touched(others, box) or not (safe or _within(edge, box)):
            continue
        rank += 1
        weight = extra * _DISTANCE_WEIGHT + 0.001 * rank + _DRAWN_CELL_WEIGHT * _count_touched(drawn, box)
        yield Candidate(box, weight * 2 * half * high, msgspec.structs.replace(like, x=middle, y=level))


def _count_touched(outlines: Sequence[Outline], box: Box) -> int:
    """How many of them a box touches."""
    left, bottom, right, top = box
    # Most lie elsewhere, which is told sooner here.
    near = [one for one in outlines if one.box[0] < right and left < one.box[2]]
    return sum([one.touches(box) for one in near if one.box[1] < top and bottom < one.box[3]])


def _note(note: Note, place: Place, lang: Lang, ink: str) -> Text:
    """A note where it belongs."""
    x, y = place.at(note.at)
    size = max(floor(note.text[lang]), note.size * place.side * POINTS)
    colour = look("track", theme().track, note.look).ink(ink).line if note.look else _NOTE
    return Text(x, y - 0.35 * size / POINTS, note.text[lang], size, "middle", True, colour)


def _flag(note: Note, text: Text, place: Place, ink: str) -> Iterator[Item]:
    """A note on its flag: a halo, the flag in its camp's colours, and the note in those that stand out from it."""
    x, y = place.at(note.at)
    camp = look("token shape", theme().shape, note.flag).ink(ink)
    scale = note.size * place.side / _FLAG_UNITS
    ring = moved(polygon(counter(note.flag).ring, camp.fill, Pen(camp.line, _FLAG_LINE * scale)), x, y, scale)
    yield msgspec.structs.replace(ring, fill=None, pen=Pen("#ffffff", 3 * _FLAG_LINE * scale))
    yield ring
    yield msgspec.structs.replace(text, colour=camp.light)


def _flag_box(note: Note, text: Text, place: Place) -> Box:
    """What a note on its flag covers, with its halo."""
    left, bottom, right, top = _bounds(counter(note.flag).ring)
    x, y, scale = text.x, text.y + 0.35 * text.size / POINTS, note.size * place.side / _FLAG_UNITS
    left, bottom, right, top = left - _FLAG_LINE, bottom - _FLAG_LINE, right + _FLAG_LINE, top + _FLAG_LINE
    return x + left * scale, y + bottom * scale, x + right * scale, y + top * scale


def _note_candidates(note: Note, place: Place, lang: Lang, ink: str) -> Iterator[Candidate[Text]]:
    """Where a note may stand that may leave its place, so many sides of a cell far."""
    text = _note(note, place, lang, ink)
    rim = _bounds([place.at((x, y)) for x in extent(place.grid)[::2] for y in extent(place.grid)[1::2]])
    for share in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        for turn in _TURNS if share else (0,):
            angle = math.pi * (turn / 8 - 0.5)
            far = share * note.roam * place.side
            moved = msgspec.structs.replace(text, x=text.x + far * math.cos(angle), y=text.y + far * math.sin(angle))
            box = _plate(moved)
            # What is told of a way stands on the map, not below it among other things.
            if not note.look or (rim[0] <= box[0] and rim[1] <= box[1] and box[2] <= rim[2] and box[3] <= rim[3]):
                yield Candidate(box, far + 0.001 * turn, moved)


def _bounds(ring: Sequence[XY]) -> Box:
    xs, ys = zip(*ring, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _plate(name: Text) -> Box:
    """What a name and its plate cover."""
    left, bottom, right, top = text_extent(name)
    high = name.size / POINTS
    return (
        left - _PLATE_PAD * high,
        min(bottom, name.y - 0.22 * high),
        right + _PLATE_PAD * high,
        max(top, name.y + 0.88 * high),
    )


def _within(sides: Sequence[tuple[XY, XY]], box: Box) -> bool:
    """Whether the corners of a box and the middles between them lie inside, as `covers` has it."""
    left, bottom, right, top = box
    for y in (bottom, top):
        crossed = [(a, b) for a, b in sides if (a[1] <= y) != (b[1] <= y)]
        cuts = [ax + (bx - ax) * (y - ay) / (by - ay) for (ax, ay), (bx, by) in crossed]
        if not all(sum([x < cut for cut in cuts]) % 2 for x in (left, (left + right) / 2, right)):
            return False
    return True


def _halos(
    names: Mapping[Cell, Text], shaded: set[Cell], grounds: Mapping[Cell, GroundLook], ink: str
) -> Iterator[Path]:
    """Plates below cells' names in the colour of their ground, where more is drawn on it; white ones on shades."""
    steps: dict[str, list[tuple[str | float, ...]]] = {}
    for cell, text in names.items():
        ground = grounds.get(cell)
        tint = "#ffffff" if cell in shaded else ground.ink(ink).tint if ground and ground.pattern else ""
        if tint:
            left, bottom, right, top = text_extent(text)
            steps.setdefault(tint, []).extend(
                _cut_corners(
                    left - _MIN_CLEARANCE, bottom - _MIN_CLEARANCE, right + _MIN_CLEARANCE, top + _MIN_CLEARANCE
                )
            )
    return (
        Path(tuple(of), tint, None, _PLATE_ALPHA if tint == "#ffffff" else _HALO_ALPHA) for tint, of in steps.items()
    )


_HALO_CUT = 0.12
"""So much is cut off the corners of a halo, in mm."""


def _cut_corners(left: float, bottom: float, right: float, top: float) -> Steps:
    """A box with its corners cut off: so small that nobody tells them from round ones."""
    west, south, east, north = left + _HALO_CUT, bottom + _HALO_CUT, right - _HALO_CUT, top - _HALO_CUT
    below, above = ((west, bottom), (east, bottom)), ((east, top), (west, top))
    return closed((*below, (right, south), (right, north), *above, (left, north), (left, south)))


def _plates(texts: Sequence[Text], alpha: float = _PLATE_ALPHA) -> list[Path]:
    """Pale plates behind these texts, as one path."""
    steps = tuple(step for text in texts for step in plate_behind(text))
    return [Path(steps, "#ffffff", None, alpha)] if steps else []


def unplaced_names(view: MapView, lettering: Lettering) -> list[str]:
    """What is told beside the map because it found no room on it: each name with what is there, for want of it."""
    if view.detail or not (lettering.unnamed or lettering.letterless or lettering.unplaced):
        return []
    there: dict[str, list[str]] = {}
    for cell, token in view.tokens:
        there.setdefault(view.grid.name(cell), []).append(token.label)
    cells = () if view.ruled else lettering.unnamed
    # Who stands in front is named first, and drawn last.
    who = {name: "+".join(label for label in reversed(labels) if label) for name, labels in there.items()}
    return [*(f"{who.get(name, '')} {name}".lstrip() for name in cells), *lettering.letterless, *lettering.unplaced]


def notes_overhang(view: MapView, lang: Lang, turned: bool = False) -> Box:
    """How far notes stand outside the field: to the left, below, to the right and above, in sides of a cell."""
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
    """A pale plate behind a name."""
    high, width = 1.1 * text.size / POINTS, text_width(text.text, text.size, text.bold)
    middle = text.x + width / 2 if text.anchor == "start" else text.x
    return plate(middle, text.y - 0.2 * high, width / 2 + 0.35 * high, high)
