"""Card faces, and the faces of other pieces.

From a card view to a card's face: its camp and key, its board, its units.

The faces of pieces: drawn to the trim and on into the bleed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import ceil

from msgspec import structs

from generator.errors import DoesNotFitError
from generator.grid.field import field
from generator.grid.hexes import Hex
from generator.grid.squares import Square, squares
from generator.model.picture import XY, Item, Path, Pen, Picture, Symbol, Text, Use, line, polygon, rectangle
from generator.model.views import Back, CardView, Face, MapView, TextCard, Tile, Token
from generator.model.words import Lang
from generator.press import fonts
from generator.press.maps import draw_field
from generator.press.paper import TALL, Cut
from generator.press.text import FLOOR, broken, fitted, titled, wide
from generator.press.text_cards import draw_text_card
from generator.press.tokens import emblem, token_symbol
from generator.said import say
from generator.symbols.banners import star
from generator.symbols.counters import counter
from generator.symbols.features import STRIPS
from generator.symbols.shapes import HALF, HEXAGON, SIDE, Place, inset, moved, round_box
from generator.symbols.theme import Palette, look, theme
from generator.symbols.water import crossing

PAD = 3.5
"""Nothing is printed nearer to the trim, in mm."""
HEAD, BAND, NOTE, GAP = 10.5, 4.8, 3.2, 1.5
"""Heights of the heading strip, the band below it, the note at the foot, and of the gaps, in mm."""
ROW, LOWEST_ROW = 6.4, 4.0
SIZES = (7.5, 7.25, FLOOR)
LINE = 0.4
"""From line to line, in mm for each point of size."""


def draw_card(
    view: CardView, lang: Lang, ink: str, width: float, height: float, beside: Iterable[CardView] = ()
) -> Picture:
    """A card's face of exactly that size in mm; DoesNotFitError where a text or the list does not fit.

    Its board is drawn at the scale that all the cards `beside` it have room for.
    """
    fonts.ensure(lang)
    palette = look("token shape", theme().shape, view.shape).ink(ink)
    inner, top = width - 2 * PAD, height - PAD
    items: list[Item] = list(_head(view, lang, ink, palette, PAD, top - HEAD, inner))
    top -= HEAD
    if view.heading[lang]:
        top -= BAND
        items += _band(view.heading[lang], palette, PAD, top, inner)
    foot = PAD
    if view.note[lang]:
        size = fitted(view.note[lang], inner, FLOOR, FLOOR)
        items.append(Text(width / 2, foot + 0.4, view.note[lang], size, "middle", False, palette.dark))
        foot += NOTE
    listed = _set(view, lang, inner)
    rows = max([listed.rows, *(_set(other, lang, inner).rows for other in beside)])
    row = min(ROW, (top - foot) * 0.5 / max(rows, 1))
    if row < LOWEST_ROW:
        raise DoesNotFitError(
            say("card {key}: {count} kinds of unit do not fit on it", key=view.key, count=len(view.units))
        )
    row = max(row, listed.depth)
    items += _units(view, listed, ink, row, PAD, foot + (rows - listed.rows) * row, inner)
    items += _board(view, ink, PAD, foot + rows * row + GAP, inner, top - GAP)
    return Picture(width, height, tuple(items))


def _head(view: CardView, lang: Lang, ink: str, c: Palette, x: float, y: float, width: float) -> Iterator[Item]:
    """The strip with the camp's banner, the key on it, and the name."""
    yield Path(round_box(x, y, width, HEAD, 1.6, below=not view.heading[lang]), c.fill, Pen(c.line, 0.3))
    scale, middle = 0.78, x + 6.2
    for path in emblem(view.shape, ink, "#ffffff", Pen(c.line, 0.25)):
        pen = Pen(path.pen.colour, path.pen.width * scale) if path.pen else None
        yield Path(moved(path, middle, y + 5.2, scale).steps, "#ffffff" if path.fill else None, pen)
    size = fitted(view.key, 6.6, 12.0, FLOOR, bold=True)
    yield Text(middle, y + 5.6 - 0.12 * size, view.key, size, "middle", True, "#1c1c1c")
    name = view.name[lang]
    size, lines = titled(name, width - 14.2, 11.5)
    for k, text in enumerate(lines):
        level = y + HEAD / 2 - 0.125 * size + ((len(lines) - 1) / 2 - k) * LINE * size
        yield Text(x + 12.4, level, text, size, "start", True, c.light)


def _band(text: str, c: Palette, x: float, y: float, width: float) -> Iterator[Item]:
    """What the card was played as."""
    yield Path(round_box(x, y, width, BAND, 1.6, above=False), c.tint, Pen(c.line, 0.3))
    size = fitted(text, width - 3, 8.5, FLOOR, bold=True)
    yield Text(x + width / 2, y + BAND / 2 - 0.125 * size, text, size, "middle", True, c.dark)


@dataclass(frozen=True)
class _List:
    """How the units' texts are set: in how many columns, at what size, in which lines."""

    columns: int
    size: float
    texts: tuple[tuple[str, ...], ...]

    @property
    def rows(self) -> int:
        return ceil(len(self.texts) / self.columns)

    @property
    def depth(self) -> float:
        """What the longest text takes with its lines one below the other, in mm."""
        return LINE * self.size * max(map(len, self.texts), default=1)


def _set(view: CardView, lang: Lang, width: float) -> _List:
    """The largest type at which every text takes two lines at most; two columns where the list is long."""
    texts = [text[lang] for _, text in view.units]
    for columns in (2, 1) if len(texts) > 3 else (1,):
        room = width / columns - ROW * 1.15 - 1
        for size in SIZES:
            lines = tuple(broken(text, room, size) for text in texts)
            if all(len(parts) <= 2 for parts in lines):
                return _List(columns, size, lines)
    longest = max(texts, key=lambda text: wide(text, FLOOR))
    raise DoesNotFitError(
        say(
            "card {key}: the text {text!r} does not fit, not even at {floor:g} pt",
            key=view.key,
            text=longest[:60],
            floor=FLOOR,
        )
    )


def _units(view: CardView, listed: _List, ink: str, row: float, x: float, y: float, width: float) -> Iterator[Item]:
    """A token and its text for each kind of unit, read down each column."""
    size, rows = listed.size, listed.rows
    for i, ((token, _), lines) in enumerate(zip(view.units, listed.texts, strict=True)):
        left, middle = x + i // rows * width / listed.columns, y + (rows - i % rows - 0.5) * row
        yield Use(token_symbol(token, ink), left + row / 2, middle, row / 14.5)
        for k, text in enumerate(lines):
            level = middle - 0.125 * size + ((len(lines) - 1) / 2 - k) * LINE * size
            yield Text(left + row * 1.15, level, text, size)


def _board(view: CardView, ink: str, x: float, y: float, width: float, top: float) -> list[Item]:
    """The little board in the middle of the room that is left."""
    place = Place.fit(view.board.grid, width, top - y, 0.3)
    w, h = place.size()
    place = replace(place, x=place.x + x + (width - w) / 2 - 0.3, y=place.y + y + (top - y - h) / 2 - 0.3)
    return draw_field(view.board, place, ink)


Bleeds = tuple[float, float, float, float]
"""To the left, below, to the right, above, in mm."""

RULE = 1.9
"""The thin rule inside a card's trim."""
CORNER = 2.6
TOKEN_BAND = 0.045
"""The coloured band along a token's edge, as a share of its width."""
_TOKEN = 0.059
"""A token's scale on a cell 1 mm wide: its banner reaches close to the band."""
_EMBLEM = 0.056


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
    size_, lines = titled(back.name[lang], room, 12.0)
    for k, text in enumerate(lines):
        level = foot + plate * 0.21 + (len(lines) - 1 - k) * LINE * size_
        items.append(Text(w / 2, level, text, size_, "middle", True, c.dark))
    if back.line and back.line[lang]:
        size_ = fitted(back.line[lang], room, 7.5, FLOOR)
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
    cloth = polygon(tuple(inset(counter(shape).ring, 0.55)), None, Pen(c.light, 0.16))
    found: list[Item] = []
    for path in (
        *emblem(shape, ink, c.fill, edge),
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
        c, quality = (
            look("token shape", t.shape, face.shape).ink(ink),
            look("token colour", t.colour, face.colour),
        )
        band, inner = quality.ink(ink).fill, _grown(width, -TOKEN_BAND * width, c.tint)
        return [
            _grown(width, bleed, band),
            structs.replace(inner, pen=None if full else Pen("#505050", 0.15)),
            Use(token_symbol(face, ink), *middle, width * _TOKEN),
        ]
    if isinstance(face, Back):
        c = look("token shape", t.shape, face.shape).ink(ink)
        inner = structs.replace(
            _grown(width, -TOKEN_BAND * width, c.tint), pen=None if full else Pen("#505050", 0.15)
        )
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
    c, band = look("token shape", t.shape, face.shape).ink(ink), TOKEN_BAND * width
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
