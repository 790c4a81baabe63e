"""The small type of a map: each cell's name, its ground's letter, and notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from generator.grid.grid import Cell
from generator.model.picture import XY, Item, Path, Text
from generator.model.views import MapView, Token
from generator.model.words import Lang
from generator.press.symbols.areas import covers
from generator.press.symbols.lettering import POINTS, wide
from generator.press.symbols.place import Box, Place, extent
from generator.press.symbols.shapes import Steps, plate
from generator.press.theme import Ground, look, theme
from generator.press.type.styles import LEAST

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
