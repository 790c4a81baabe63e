"""The faces of pieces: drawn to the trim and on into the bleed."""

from __future__ import annotations

import dataclasses

from msgspec import structs

from generator.grid.field import field
from generator.grid.hexes import Hex
from generator.grid.squares import Square, squares
from generator.model.picture import XY, Item, Path, Pen, Symbol, Text, Use, line, polygon, rectangle
from generator.model.views import Back, CardView, Face, MapView, TextCard, Tile, Token
from generator.model.words import Lang
from generator.press.maps.layers import draw_field
from generator.press.pieces.cards import draw_card
from generator.press.pieces.imposition import TALL, Cut
from generator.press.pieces.textcards import draw_text_card
from generator.press.symbols.lettering import fitted
from generator.press.symbols.machines import FRAMES
from generator.press.symbols.place import Place
from generator.press.symbols.shapes import HALF, HEXAGON, SIDE, inset, moved, round_box
from generator.press.symbols.stacks import SHIELDS
from generator.press.symbols.strips import STRIPS
from generator.press.symbols.tokens import OUTLINES, banner, token_symbol
from generator.press.symbols.troops import BASES
from generator.press.symbols.water import crossing
from generator.press.symbols.weapons import star
from generator.press.theme import look, theme

Bleeds = tuple[float, float, float, float]
"""To the left, below, to the right, above, in mm."""

RULE = 1.9
"""The thin rule inside a card's trim."""
CORNER = 2.6
BAND = 0.045
"""The coloured band along a token's edge, as a share of its width."""
_TOKEN = 0.059
"""A token's scale on a cell 1 mm wide: its banner reaches close to the band."""
_EMBLEM = 0.056
_OUTLINES = OUTLINES | BASES | FRAMES | SHIELDS


def draw_face(face: Face, cut: Cut, lang: Lang, ink: str, size: XY, bleeds: Bleeds) -> list[Item]:
    """A face with its trim's lower left corner at (0, 0); DataError where a text does not fit."""
    if cut == "hex":
        return _hex(face, lang, ink, size[0], bleeds[0])
    if cut == "square":
        return _square(face, ink, size[0], bleeds)
    if isinstance(face, Tile):
        return _tile(face, ink, size, bleeds)
    if isinstance(face, Back):
        return _back(face, lang, ink, size, bleeds)
    if isinstance(face, CardView | TextCard):
        if isinstance(face, CardView):
            picture = draw_card(face, lang, ink, *size)
        else:
            picture = draw_text_card(face, lang, ink, *size)
        c = look("token shape", theme().shape, face.shape).ink(ink)
        frame = round_box(RULE, RULE, size[0] - 2 * RULE, size[1] - 2 * RULE, CORNER)
        return [_ground(c.tint, size, bleeds), Path(frame, None, Pen(c.line, 0.25)), *picture.items]
    raise TypeError(f"no {cut} shows a {type(face).__name__}")


def _ground(colour: str, size: XY, bleeds: Bleeds) -> Path:
    """The whole face with its bleed."""
    left, below, right, above = bleeds
    return rectangle(-left, -below, size[0] + left + right, size[1] + below + above, colour)


def _back(back: Back, lang: Lang, ink: str, size: XY, bleeds: Bleeds) -> list[Item]:
    """A field of lozenges in the camp's colours, its banner in the middle, and the deck's name."""
    c = look("token shape", theme().shape, back.shape).ink(ink)
    (w, h), full = size, ink == "full"
    items: list[Item] = [_ground(c.fill if full else "#ffffff", size, bleeds)]
    pale = Pen(c.tint if full else "#9a9a9a", 0.16)
    inside = (RULE + 1.2, RULE + 1.2, w - RULE - 1.2, h - RULE - 1.2)
    items += [structs.replace(line(cut, pale), alpha=0.55 if full else 1.0) for cut in _lattice(inside)]
    items.append(Path(round_box(RULE, RULE, w - 2 * RULE, h - 2 * RULE, CORNER), None, Pen(c.light, 0.3)))
    items.append(
        rectangle(inside[0], inside[1], inside[2] - inside[0], inside[3] - inside[1], None, Pen(c.light, 0.2))
    )
    plate = min(w * 0.66, 46.0)
    foot = h / 2 - plate * 0.62
    items.append(Path(round_box((w - plate) / 2, foot, plate, plate * 1.24, 2.4), c.tint, Pen(c.line, 0.35)))
    edge = Pen(c.line, 0.15)
    items.append(Path(round_box((w - plate) / 2 + 0.9, foot + 0.9, plate - 1.8, plate * 1.24 - 1.8, 1.7), None, edge))
    items += _emblem(back.shape, ink, w / 2, h / 2 + plate * 0.13, plate / 20)
    room = plate - 4.5
    size_ = fitted(back.name[lang], room, 12.0, 5.5, bold=True)
    items.append(Text(w / 2, foot + plate * 0.21, back.name[lang], size_, "middle", True, c.dark))
    if back.line and back.line[lang]:
        size_ = fitted(back.line[lang], room, 7.5, 5.5)
        items.append(Text(w / 2, foot + plate * 0.105, back.line[lang], size_, "middle", False, c.dark))
    return items


def _lattice(box: tuple[float, float, float, float]) -> list[tuple[XY, XY]]:
    """Lines aslant both ways across a box: lozenges."""
    left, bottom, right, top = box
    w, h = right - left, top - bottom
    across, up = w / round(w / 5.5), h / round(h / 8.0)
    columns, rows = round(w / across), round(h / up)
    found = []
    for sign in (1, -1):
        for k in range(-rows, columns + 1):
            a, b = max(0, -k), min(rows, columns - k)
            if a < b:
                ends = [(k + t, t) for t in (a, b)]
                points = [(x * across if sign > 0 else w - x * across, y * up) for x, y in ends]
                found.append(
                    ((left + points[0][0], bottom + points[0][1]), (left + points[1][0], bottom + points[1][1]))
                )
    return found


def _emblem(shape: str, ink: str, x: float, y: float, scale: float) -> list[Item]:
    """The camp's banner, base, frame or shield with a star on it."""
    camp = look("token shape", theme().shape, shape)
    c, edge = camp.ink(ink), Pen(camp.ink(ink).line, 0.3)
    outline = look("token shape", _OUTLINES, camp.outline)
    cloth = polygon(tuple(inset(outline, 0.55)), None, Pen(c.light, 0.16))
    whole = banner(shape, ink, c.fill, edge) if camp.outline in OUTLINES else (polygon(outline, c.fill, edge),)
    found: list[Item] = []
    for path in (
        *whole,
        cloth,
        *(moved(p, 0, 0.45, 0.8) for p in star(c.light)),
    ):
        pen = structs.replace(path.pen, width=path.pen.width * scale) if path.pen else None
        found.append(structs.replace(moved(path, x, y, scale), pen=pen))
    return found


def _hex(face: Face, lang: Lang, ink: str, width: float, bleed: float) -> list[Item]:
    """A hex with a face of its own: ground, a unit's token, or a camp's banner."""
    t, middle = theme(), (width / 2, width * TALL / 2)
    cell = Hex(0, 0)
    if isinstance(face, Tile):
        ground = look("ground", t.ground, face.look)
        place = Place(field((1,)), width / 2 / HALF * SIDE, *_origin(middle, width))
        view = MapView(
            place.grid,
            {cell: face.look},
            flows={cell: (0, 3)} if ground.water else {},
            walls={cell: face.walls} if face.walls else {},
            names=False,
        )
        low = middle[1] - 0.8 * place.side
        name = Text(middle[0], low, ground.letter, 7.0, "middle", True, t.map.ink(ink).dark)
        return [_grown(width, bleed, ground.ink(ink).tint), *draw_field(view, place, ink), name]
    full = ink == "full"
    if isinstance(face, Token):
        c, quality = look("token shape", t.shape, face.shape).ink(ink), look("token colour", t.colour, face.colour)
        band, inner = quality.ink(ink).fill, _grown(width, -BAND * width, c.tint)
        return [
            _grown(width, bleed, band),
            structs.replace(inner, pen=None if full else Pen("#505050", 0.15)),
            Use(token_symbol(face, ink), *middle, width * _TOKEN),
        ]
    if isinstance(face, Back):
        c = look("token shape", t.shape, face.shape).ink(ink)
        inner = structs.replace(_grown(width, -BAND * width, c.tint), pen=None if full else Pen("#505050", 0.15))
        return [_grown(width, bleed, c.fill), inner, *_emblem(face.shape, ink, *middle, width * _EMBLEM)]
    raise TypeError(f"no hex shows a {type(face).__name__}")


def _square(face: Face, ink: str, width: float, bleeds: Bleeds) -> list[Item]:
    """A square with a face of its own: ground, a unit's token, or a camp's banner."""
    t, size, middle = theme(), (width, width), width / 2
    if isinstance(face, Tile):
        view = MapView(squares(1, 1), {Square(0, 0): face.look}, names=False)
        if look("ground", t.ground, face.look).road:
            view = dataclasses.replace(view, roads={Square(0, 0): (0, 4)})
        tint = t.ground[face.look].ink(ink).tint
        return [_ground(tint, size, bleeds), *draw_field(view, Place(view.grid, width, middle, middle), ink)]
    if not isinstance(face, Token | Back):
        raise TypeError(f"no square shows a {type(face).__name__}")
    c, band = look("token shape", t.shape, face.shape).ink(ink), BAND * width
    inner = rectangle(band, band, width - 2 * band, width - 2 * band, c.tint)
    items = [
        _ground(c.fill, size, bleeds),
        inner if ink == "full" else structs.replace(inner, pen=Pen("#505050", 0.15)),
    ]
    if isinstance(face, Back):
        return [*items, *_emblem(face.shape, ink, middle, middle, width * _EMBLEM)]
    return [*items, Use(token_symbol(face, ink), middle, middle, width * _TOKEN)]


def _origin(middle: XY, width: float) -> XY:
    """Where a one-hex field must stand so that its hex has that middle."""
    at = Place(field((1,)), width / 2 / HALF * SIDE, 0.0, 0.0).centre(Hex(0, 0))
    return middle[0] - at[0], middle[1] - at[1]


def hexagon(width: float, by: float = 0.0) -> tuple[XY, ...]:
    """The corners of a hex of that width grown by so much on every side, its box at (0, 0)."""
    scale = (width + 2 * by) / 2 / HALF
    return tuple((width / 2 + x * scale, width * TALL / 2 + y * scale) for x, y in HEXAGON)


def _grown(width: float, by: float, fill: str | None) -> Path:
    return polygon(hexagon(width, by), fill)


def _tile(tile: Tile, ink: str, size: XY, bleeds: Bleeds) -> list[Item]:
    """The rectangle that is laid on a hex: a work of wood or stone, or a bridge with the water below it."""
    t, (w, h), (left, _, right, _) = theme(), size, bleeds
    if tile.look in t.feature:
        palette, scale = t.feature[tile.look].ink(ink), min(w / 16.2, h / 11.2)
        strip = look("strip", STRIPS, t.feature[tile.look].pattern)(palette)
        symbol = Symbol(f"strip.{tile.look}.{ink}", tuple(strip))
        return [_ground(palette.tint, size, bleeds), Use(symbol, w / 2, h / 2, scale)]
    ground = look("ground", t.ground, tile.look)
    c, river = ground.ink(ink), next(g for g in t.ground.values() if g.water).ink(ink)
    place = Place(field((1,)), h / 1.4, w / 2, h / 2)
    items: list[Item] = [_ground(c.tint, size, bleeds)]
    for colour, width in ((river.line, 0.51), (river.dark, 0.46), (river.fill, 0.37)):
        high = width * place.side
        items.append(rectangle(-left, (h - high) / 2, w + left + right, high, colour))
    bridge = crossing(place, tile.look, ground.pattern, Hex(0, 0), (0, 3), c, ink)
    return [*items, structs.replace(bridge, x=w / 2, y=h / 2)]
