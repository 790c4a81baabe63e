"""Names on a map: of cells, of units that stand there, of places.

The small type of a map: each cell's name, its ground's letter, and notes.

The tokens on a map and their labels, and what makes room for them.

The names of what lies on a map's cells: each beside its cell, where it hides least.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product

import msgspec

from generator.grid.field import Cell
from generator.model.picture import POINTS, XY, Item, Path, Pen, Text, Use
from generator.model.views import MapView, Token
from generator.model.words import Lang
from generator.press.text import FLOOR, LEAST, text_box, wide
from generator.press.tokens import inside, token_symbol
from generator.symbols.features import covers
from generator.symbols.shapes import ROWS, Box, Place, Steps, extent, loops, plate
from generator.symbols.theme import Ground, look, theme

_GROWING, _GROWN = 0.36, 11.0
"""In very large cells names have so many points for each mm of their sides, up to the last size."""
_SHORT = 2
"""Longer names are never bold: side by side in small cells they would run into one another."""
_NOTE = "#4b473c"
_PALE = 0.75
"""How much a pale plate hides of what lies below it."""
_DEEP = 0.6
"""From a note's middle to the foot of its letters that reach below the line, in sizes."""


def named(view: MapView, place: Place) -> list[XY]:
    """Where every cell's name stands on a map that has room for all of them."""
    at = place.anatomy
    if not view.names or place.side < at.named:
        return []
    dx, dy = at.name
    return [(x + dx * place.side, y + dy * place.side) for x, y in map(place.centre, view.grid.cells)]


def letters(view: MapView, place: Place, grounds: Mapping[Cell, Ground], colour: str) -> list[Item]:
    """Each cell's name, its ground's letter in a corner, or beside its token, on pale plates where need be.

    A small map names the cells that no token stands on, in their middles.
    """
    texts = _texts(view, place, grounds, colour)
    if view.shades:
        plated = texts
    else:
        shapes = [tuple(tuple(place.at(p) for p in ring) for ring in shape.rings) for shape in view.areas]
        plated = [text for text in texts if any(covers(rings, p) for rings in shapes for p in _points(text))]
    return [*_plates(plated), *texts]


def _texts(view: MapView, place: Place, grounds: Mapping[Cell, Ground], colour: str) -> list[Text]:
    at, side = place.anatomy, place.side
    if not view.names or side < at.free:
        return []
    taken = dict(view.tokens)
    if side < at.named:
        free = [(cell, *place.centre(cell)) for cell in view.grid.cells if cell not in taken]
        drop = 0.35 * LEAST / POINTS
        marked = [(view.grid.name(cell), x, y - drop) for cell, x, y in free]
        return [Text(x, y, name, LEAST, "middle", len(name) <= _SHORT, colour) for name, x, y in marked]
    size = max(LEAST, min(at.type_size * side, at.largest), min(_GROWING * side, _GROWN))
    drop = 0.35 * size / POINTS
    items: list[Text] = []
    for cell, (x, y) in zip(view.grid.cells, named(view, place), strict=True):
        items.append(Text(x, y - drop, view.grid.name(cell), size, at.anchor, False, colour))
        if cell in grounds and grounds[cell].letter:
            x, y = place.centre(cell)
            dx, dy = at.beside if cell in taken and (at.squares or _hides(taken[cell])) else at.letter
            letter = max(LEAST, 0.9 * size)
            items.append(Text(x + dx * side, y + dy * side, grounds[cell].letter, letter, "middle", True, colour))
    return items


def notes(view: MapView, place: Place, lang: Lang) -> list[Item]:
    """A few letters at lattice points, in the middle of each; those that ask for it on pale plates."""
    found: list[Text] = []
    plated: list[Text] = []
    for note in view.notes:
        x, y = place.at(note.at)
        size = max(LEAST, note.size * place.side * POINTS)
        text = Text(x, y - 0.35 * size / POINTS, note.text[lang], size, "middle", True, _NOTE)
        found.append(text)
        plated += [text] if note.plate else []
    return [*_plates(plated), *found]


def _plates(texts: Iterable[Text]) -> list[Path]:
    """Pale plates behind these texts, as one path."""
    steps = tuple(step for text in texts for step in behind(text))
    return [Path(steps, "#ffffff", None, _PALE)] if steps else []


def beyond(view: MapView, lang: Lang, turned: bool = False) -> Box:
    """How far notes stand outside the field: to the left, below, to the right and above, in sides of a cell."""
    left, bottom, right, top = extent(view.grid)
    (px, py), box = view.grid.pitch, [0.0, 0.0, 0.0, 0.0]
    for note in view.notes:
        x, y = note.at
        w, h = wide(note.text[lang], note.size * POINTS, True) / 2, _DEEP * note.size
        outside = ((left - x) * px + w, (bottom - y) * py + h, (x - right) * px + w, (y - top) * py + h)
        box = [max(pair) for pair in zip(box, outside, strict=True)]
    west, south, east, north = box
    return (east, north, west, south) if turned else (west, south, east, north)


def _points(text: Text) -> tuple[XY, ...]:
    """The corners and the middle of a line of text."""
    width, high = wide(text.text, text.size, text.bold), 0.7 * text.size / POINTS
    x = text.x if text.anchor == "start" else text.x - width / 2
    ends = ((x, text.y), (x + width, text.y), (x, text.y + high), (x + width, text.y + high))
    return (*ends, (x + width / 2, text.y + high / 2))


def behind(text: Text) -> Steps:
    """A pale plate behind a name."""
    high, width = 1.1 * text.size / POINTS, wide(text.text, text.size, text.bold)
    middle = text.x + width / 2 if text.anchor == "start" else text.x
    return plate(middle, text.y - 0.2 * high, width / 2 + 0.35 * high, high)


def _hides(token: Token) -> bool:
    """Whether a token's badge lies over the letter of its cell."""
    badges = [look("badge", theme().badge, key) for key in token.badge.split()]
    return any(badge.side == "left" and badge.drawing for badge in badges)


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


_NAME_GROWTH, _LARGEST_NAME = 0.9, 14.0
"""Names have so many points for each mm of a cell's side, up to the last size."""
_COLOUR = "#303030"
_REACH = 0.74
"""How far from its middle a token or what lies on a cell reaches, drawn at full size, in sides."""
_PAD = 0.4
"""How far a plate reaches beyond its name's ends, in heights of a line."""
_STEP = 0.45
"""Between the points of a way or a river that names keep clear of, in sides."""
_HEAVY, _LIGHT = 4.0, 1.0
"""What it weighs to hide a token, what lies on a cell or a way, and a river; a text is never hidden."""
_FAR = 0.3
"""What each side of distance weighs, in shares of a name's area."""
_MOST = 0.5
"""A name that would weigh more finds no room, in shares of its area."""
_OUT = (0.0, 0.25, 0.5, 0.8)
"""How much farther off room is looked for, in sides."""
_TURNS = (0, 4, 12, 8, 2, 14, 6, 10, 1, 15, 3, 13, 5, 11, 7, 9)
"""In which directions, in sixteenths of a turn: below, to the right, to the left, above, then between them."""


def place_names(view: MapView, place: Place, lang: Lang, drawn: Iterable[Item]) -> list[Item]:
    """The names of a map's places on pale plates, clear of one another and of the texts that are drawn already.

    A name that finds no room is left out, as all are where cells are too small to have names of their own.
    """
    if not view.places or not view.names or place.side < place.anatomy.free:
        return []
    size = max(FLOOR, min(_NAME_GROWTH * place.side, _LARGEST_NAME))
    rim = [[place.at(p) for p in ring] for ring in loops(place.grid, place.grid.cells)]
    taken = [(text_box(item), math.inf) for item in drawn if isinstance(item, Text)]
    ways = (way for track in view.tracks for way in pairwise(place.centre(cell) for cell in track.cells))
    taken += [(box, _HEAVY) for box in (*_drawings(view, place), *_along(ways, place))]
    rivers = (_exit(place, cell, d) for cell, exits in view.flows.items() for d in exits)
    taken += [(box, _LIGHT) for box in _along(rivers, place)]
    names: list[Text] = []
    for cell, name in view.places.items():
        found = _best(name[lang], size, place, lying(view, place, cell), taken, rim)
        if found:
            names.append(found)
            taken.append((_plate(found), math.inf))
    plates = tuple(step for name in names for step in behind(name))
    return [Path(plates, "#ffffff", None, 0.8), *names] if names else []


def _best(
    text: str,
    size: float,
    place: Place,
    spot: tuple[float, float, float],
    taken: Sequence[tuple[Box, float]],
    rim: Sequence[Sequence[XY]],
) -> Text | None:
    """The name where it weighs least; None where it weighs too much everywhere."""
    x, y, scale = spot
    half, high = wide(text, size, True) / 2, size / POINTS
    pad = _PAD * high
    body = _REACH * place.side * scale / place.scale
    far = 2 * half + 3 * place.side
    about = x - far, y - far, x + far, y + far
    near = [(box, weight) for box, weight in taken if _shared(box, about)]
    least, found = _MOST * 2 * half * high, None
    for extra, turn in product(_OUT, _TURNS):
        angle = math.pi * (turn / 8 - 0.5)
        reach, rise = body + extra * place.side, 0.9 * body + extra * place.side + 0.5 * high
        left, level = x + (reach + half + pad) * math.cos(angle), y + rise * math.sin(angle)
        name = Text(left, level - 0.3 * high, text, size, "middle", True, _COLOUR)
        box = _plate(name)
        if not all(covers(rim, p) for p in _edge(box)):
            continue
        weight = sum(_shared(box, other) * heavy for other, heavy in near if _shared(box, other))
        weight += _FAR * 2 * half * high * extra
        if weight < least:
            least, found = weight, name
    return found


def _plate(name: Text) -> Box:
    """What a name and its plate cover."""
    left, bottom, right, top = text_box(name)
    pad = _PAD * name.size / POINTS
    return left - pad, bottom, right + pad, top


def _edge(box: Box) -> Iterator[XY]:
    """The corners of a box and the middles between them."""
    left, bottom, right, top = box
    for x in (left, (left + right) / 2, right):
        yield from ((x, bottom), (x, top))


def _shared(a: Box, b: Box) -> float:
    """The area that two boxes share."""
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def _drawings(view: MapView, place: Place) -> Iterator[Box]:
    """Around every token, and around what lies on cells."""
    lain = (lying(view, place, cell) for cell in view.features)
    for x, y, scale in (*standing(view, place), *lain):
        r = 0.85 * _REACH * place.side * scale / place.scale
        yield x - r, y - r, x + r, y + r


def _along(lines: Iterable[tuple[XY, XY]], place: Place) -> Iterator[Box]:
    """Small boxes along straight lines."""
    r = 0.5 * _STEP * place.side
    for (ax, ay), (bx, by) in lines:
        count = max(1, round(math.dist((ax, ay), (bx, by)) / (2 * r)))
        for i in range(count):
            x, y = ax + (i + 0.5) / count * (bx - ax), ay + (i + 0.5) / count * (by - ay)
            yield x - r, y - r, x + r, y + r


def _exit(place: Place, cell: Cell, direction: int) -> tuple[XY, XY]:
    """From the middle of a cell to where it is left."""
    (x, y), (dx, dy) = place.centre(cell), place.way(cell, direction)
    return (x, y), (x + dx * place.side, y + dy * place.side)
