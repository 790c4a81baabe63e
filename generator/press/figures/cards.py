"""Draw the faces of cards and other pieces, including their bleed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from math import ceil

import msgspec
from msgspec import structs
from msgspec.structs import replace

from generator.errors import DoesNotFitError
from generator.grid.hexes import Hex, field
from generator.grid.squares import Square, squares
from generator.localization import tr
from generator.model.picture import (
    POINTS,
    XY,
    Item,
    Path,
    Pen,
    Picture,
    Symbol,
    Text,
    Use,
    circle,
    line,
    polygon,
    rectangle,
)
from generator.model.views import ArmyCard, Back, CardView, Face, MapView, TextCard, Tile, Token
from generator.model.words import Lang
from generator.press.figures.maps import draw_field
from generator.press.figures.text_cards import draw_text_card
from generator.press.figures.tokens import emblem_paths, token_symbol
from generator.press.layout.fitting import fit_title, fitting_size, text_width, wrap_text
from generator.press.layout.imposition import HEX_HEIGHT, Cut
from generator.press.pdf import fonts
from generator.press.pdf.legible import FLOOR, NUMBER_FLOOR
from generator.symbols.counters import counter, drawn, painted
from generator.symbols.shapes import HALF, HEXAGON, SIDE, Place, inset, moved, round_box
from generator.symbols.terrain import crossing
from generator.symbols.theme import Palette, look, theme

MAX_FRAME, MIN_FRAME = 4.2, 3.2
"""Distance in mm from the cut edge to the frame of a card, for cards at least 63.5 mm wide, and its minimum."""
_POKER_INNER = 55.1, 80.5
"""Width and height in mm inside the frame of a poker card. The sizes below are for poker cards and scale with the
card."""
HEAD, STRIP, FOOT, NOTE, PAD = 11.0, 5.2, 8.4, 3.2, 2.35
"""Heights in mm of the heading, the strip of places, the icons and the note, followed by the padding inside the
frame."""
KEY, NAME, PLACE, COUNT = 15.0, 12.5, 8.0, 1.6
"""Type sizes in points of the key, the name and the places, followed by the type size of a count per mm of its
icon."""
MIN_ICON = 3.6
"""Minimum size of an icon in mm, so that it can be recognised."""
LINE = 0.4
"""Line height in mm per point of type size."""
BLACK, QUIET = "#23211c", "#6b665a"
_SIDE_NAME_HEIGHT, _TOKENS_PER_ROW = 7.6, 4
"""Height in mm of a side's name on an army card, and number of tokens in a row."""
Units = Sequence[tuple[Token, int]]


def frame_inset(width: float) -> float:
    """Return the distance in mm from the cut edge to the frame.

    The distance is large enough that an uneven cut is not noticeable.
    """
    return max(MIN_FRAME, min(MAX_FRAME, MAX_FRAME * width / 63.5))


def draw_card(view: CardView, lang: Lang, ink: str, width: float, height: float, margin: float = 0.2) -> Picture:
    """Return the face of a card with the given size in mm, with its frame `margin` mm inside the cut edge.

    The board has the same size on all cards of the same size.

    Raises:
        DoesNotFitError: If a text does not fit.
    """
    fonts.ensure_registered(lang)
    c = look("token shape", theme().shape, view.shape).ink(ink)
    inner, high = width - 2 * margin, height - 2 * margin
    k = min(inner / _POKER_INNER[0], high / _POKER_INNER[1])
    pad, top, foot = k * PAD, height - margin, margin
    items: list[Item] = [Path(round_box(margin, margin, inner, high, 1.9 * k), "#ffffff")]
    top -= k * HEAD
    items += _head(view, lang, ink, c, (margin, top, inner), k)
    items.append(Path(round_box(margin, margin, inner, high, 1.9 * k), None, Pen(c.line, 0.4 * k)))
    if view.places:
        top -= k * (STRIP + 0.9)
        items += _strip(view, lang, ink, (margin + pad, top, inner - 2 * pad), k)
    if view.note[lang] and text_width(view.note[lang], FLOOR) <= inner - 2 * pad:
        items.append(Text(width / 2, foot + 1.1 * k, view.note[lang], FLOOR, "middle", False, QUIET))
        foot += 0.7 * k + NOTE
    items += _counts(view, ink, (margin + pad, foot, inner - 2 * pad), k)
    foot += k * FOOT
    items.append(line(((margin + pad, foot), (margin + inner - pad, foot)), Pen("#c9c4b6", 0.18)))
    items += _board(view, lang, ink, (margin + pad, foot + 0.7 * k, inner - 2 * pad, top - 0.7 * k))
    return Picture(width, height, tuple(items))


def _head(
    view: CardView, lang: Lang, ink: str, c: Palette, at: tuple[float, float, float], k: float
) -> Iterator[Item]:
    """Yield the key, the name and the emblem of the camp on the heading strip.

    `at` is the left, the bottom and the width of the strip in mm.
    """
    x, y, width = at
    yield Path(round_box(x, y, width, k * HEAD, 1.9 * k, below=False), c.fill, Pen(c.line, 0.3 * k))
    middle = y + k * HEAD / 2
    for path in emblem_paths(view.shape, ink, "#ffffff", Pen(c.line, 0.25)):
        pen = Pen(path.pen.colour, path.pen.width * 0.46 * k) if path.pen else None
        banner = moved(path, x + width - 5.6 * k, middle - 0.2 * k, 0.46 * k)
        yield Path(banner.steps, "#ffffff" if path.fill else None, pen)
    size = fitting_size(view.key, 12 * k, KEY * k, FLOOR, bold=True)
    yield Text(x + 2.6 * k, middle - 0.125 * size, view.key, size, "start", True, c.light)
    left = 2.6 * k + text_width(view.key, size, bold=True) + 2.6 * k
    size, lines = fit_title(view.name[lang], width - left - 10 * k, NAME * k)
    for row, text in enumerate(lines):
        level = middle - 0.125 * size + ((len(lines) - 1) / 2 - row) * LINE * size
        yield Text(x + left, level, text, size, "start", True, c.light)


def _strip(view: CardView, lang: Lang, ink: str, at: tuple[float, float, float], k: float) -> Iterator[Item]:
    """Yield the possible places, with the actual place on a dark background.

    If there is not enough room for all places, only the actual place is shown.
    """
    (x, y, width), high = at, k * STRIP
    texts = [place[lang] for place in view.places]
    chosen = [view.place] if view.place is not None else []
    each = width / len(texts)
    size = min(PLACE * k, *(PLACE * k * (each - 1.2) / text_width(text, PLACE * k, bold=True) for text in texts))
    slots = list(enumerate(texts))
    if size < FLOOR:
        slots, each = [(n, texts[n]) for n in chosen], width
        size = min(
            (fitting_size(text, width, max(PLACE * k, FLOOR), FLOOR, bold=True) for _, text in slots), default=FLOOR
        )
    for slot, (number, text) in enumerate(slots):
        left, played = x + slot * each, number in chosen
        if played:
            yield Path(round_box(left, y, each, high, 0.7 * k), "#23211c" if ink == "full" else "#000000")
        colour = "#ffffff" if played else QUIET
        yield Text(left + each / 2, y + high / 2 - 0.125 * size, text, size, "middle", played, colour)


def _counts(view: CardView, ink: str, at: tuple[float, float, float], k: float) -> Iterator[Item]:
    """Yield each kind of token with its count, in as few rows as possible."""
    (x, y, width), high = at, k * FOOT
    for rows in (1, 2, 3):
        across = max(1, ceil(len(view.units) / rows))
        slot = min(width / across, 11.5 * k)
        icon = min(0.92 * high / rows, 7.4 * k, slot / 1.5)
        if icon >= MIN_ICON:
            break
    else:
        raise DoesNotFitError(
            tr("card {key}: {count} kinds of unit do not fit on the card", key=view.key, count=len(view.units))
        )
    for row in range(rows):
        row_units = view.units[row * across : (row + 1) * across]
        middle = y + high * (1 - (row + 0.5) / rows)
        yield from _icons(row_units, ink, (x + (width - len(row_units) * slot) / 2, middle), slot, icon)


def _icons(units: Units, ink: str, at: XY, slot: float, icon: float) -> Iterator[Item]:
    """Yield a row of tokens with their counts, each centred in its slot. `at` is the left end of the row."""
    size, gap = max(FLOOR, COUNT * icon), 0.08 * icon
    for i, (token, count) in enumerate(units):
        number = str(count)
        left = at[0] + i * slot + (slot - icon - gap - text_width(number, size, bold=True)) / 2
        yield Use(token_symbol(token, ink), left + icon / 2, at[1], icon / 14.5)
        yield Text(left + icon + gap, at[1] - 0.125 * size, number, size, "start", True, BLACK)


def draw_army_card(view: ArmyCard, lang: Lang, ink: str, width: float, height: float, margin: float = 0.2) -> Picture:
    """Return the face of an army card with the given size in mm, with its frame `margin` mm inside the cut edge.

    Raises:
        DoesNotFitError: If the content does not fit.
    """
    fonts.ensure_registered(lang)
    c = look("token shape", theme().shape, view.shape).ink(ink)
    inner, high = width - 2 * margin, height - 2 * margin
    k = min(inner / _POKER_INNER[0], high / _POKER_INNER[1])
    pad, top, foot = k * PAD, height - margin - k * HEAD, margin
    x, room = margin + pad, inner - 2 * pad
    size, lines = fit_title(view.name[lang], room, NAME * k)
    items: list[Item] = [
        Path(round_box(margin, margin, inner, high, 1.9 * k), "#ffffff"),
        Path(round_box(margin, top, inner, k * HEAD, 1.9 * k, below=False), c.fill, Pen(c.line, 0.3 * k)),
        Path(round_box(margin, margin, inner, high, 1.9 * k), None, Pen(c.line, 0.4 * k)),
    ]
    for row, text in enumerate(lines):
        level = top + k * HEAD / 2 - 0.125 * size + ((len(lines) - 1) / 2 - row) * LINE * size
        items.append(Text(x, level, text, size, "start", True, c.light))
    for text in reversed(wrap_text(view.note[lang], room, FLOOR) or ()):
        items.append(Text(width / 2, foot + 1.1 * k, text, FLOOR, "middle", False, QUIET))
        foot += LINE * FLOOR
    rows = sum(ceil(len(units) / _TOKENS_PER_ROW) for _, _, units in view.sides)
    deep = min(10.0 * k, (top - foot - 2.0 * k - len(view.sides) * _SIDE_NAME_HEIGHT * k) / max(rows, 1))
    icon = min(0.74 * deep, 0.6 * room / _TOKENS_PER_ROW)
    if icon < MIN_ICON * min(k, 1.0):
        kinds = sum(len(units) for _, _, units in view.sides)
        raise DoesNotFitError(
            tr("card {key}: {count} kinds of unit do not fit on the card", key=lines[0], count=kinds)
        )
    for name, summary, units in view.sides:
        top -= _SIDE_NAME_HEIGHT * k
        label = max(FLOOR, 9.0 * k)
        items.append(Text(x, top + 1.2 * k, name[lang], label, "start", True, BLACK))
        items.append(Text(x + room, top + 1.2 * k, summary[lang], max(FLOOR, 8.0 * k), "end", False, QUIET))
        items.append(line(((x, top), (x + room, top)), Pen(BLACK, 0.25)))
        for row in range(ceil(len(units) / _TOKENS_PER_ROW)):
            row_units = units[row * _TOKENS_PER_ROW : (row + 1) * _TOKENS_PER_ROW]
            items += _icons(row_units, ink, (x, top - (row + 0.5) * deep - 0.4 * k), room / _TOKENS_PER_ROW, icon)
        top -= deep * ceil(len(units) / _TOKENS_PER_ROW)
    return Picture(width, height, tuple(items))


def _board(view: CardView, lang: Lang, ink: str, at: tuple[float, float, float, float]) -> list[Item]:
    """Return the small board, centred in the remaining area. `at` is left, bottom, width and top in mm."""
    x, y, width, top = at
    place = Place.fit(view.board.grid, width, top - y)
    w, h = place.size()
    place = replace(place, x=place.x + x + (width - w) / 2, y=place.y + y + (top - y - h) / 2)
    return draw_field(view.board, place, ink, lang)


Bleeds = tuple[float, float, float, float]
"""Bleed to the left, below, to the right and above, in mm."""

CORNER = 2.6
"""Radius of the round corners on the back of a card, in mm."""
TOKEN_BAND = 0.045
"""Width of the coloured band along a token's edge, relative to the token's width."""
_TOKEN_SCALE = 0.059
"""Scale of a token's drawing on a cell 1 mm wide. At this scale the emblem almost touches the band."""
_EMBLEM_SCALE = 0.056
"""Scale of the emblem on the back of a token 1 mm wide."""
NUMBERED_BAND, _RAISED_HEIGHT, _RAISED_SCALE = 0.094, 0.622, 0.04
"""For a counter with numbers at the bottom: width of the band, height of the token's centre, and scale of the token,
relative to the counter's width."""
CAPTION_BAND, _CAPTION_SIZE, _CAPTION_ROOM, _CAPTION_FOOT = 0.062, 0.372, 0.8, 0.79
"""For a counter with a caption at the top: width of the band, maximum type size in points per mm of the counter's
width, maximum length of the caption, and height of its baseline, relative to the width."""
_CAPTIONED_CENTRE, _CAPTIONED_SCALE = (0.48, 0.425), 0.0525
"""Centre and scale of the token on a counter with a caption, relative to the counter's width."""
_TINY = 12.0
"""Width of a counter in mm below which a caption that would be too small to read is left out."""
_DISC, _DISC_CENTRE, _DISC_SIZE = 0.125, (0.81, 0.19), 0.61
"""Radius and centre of the disc with the label of a counter with a caption, relative to the counter's width, and type
size of the label in points per mm of width."""
_NUMBER = 0.59
"""Type size of the numbers on a counter, in points per mm of the counter's width."""


def draw_face(face: Face, cut: Cut, lang: Lang, ink: str, size: XY, bleeds: Bleeds) -> list[Item]:
    """Return the items of a piece's face, with the lower left corner of the trim box at (0, 0).

    Raises:
        DataError: If a text does not fit.
    """
    if cut == "hex":
        return _hex(face, lang, ink, size[0], bleeds[0])
    if cut == "square":
        return _square(face, ink, size[0], bleeds)
    if isinstance(face, Tile):
        return _tile(face, ink, size, bleeds)
    if isinstance(face, Back):
        return _back(face, lang, ink, size, bleeds)
    if isinstance(face, CardView | TextCard | ArmyCard):
        edge = frame_inset(size[0])
        if isinstance(face, CardView):
            picture = draw_card(face, lang, ink, *size, edge)
        elif isinstance(face, ArmyCard):
            picture = draw_army_card(face, lang, ink, *size, edge)
        else:
            picture = draw_text_card(face, lang, ink, *size, edge)
        tint = look("token shape", theme().shape, face.shape).ink(ink).tint
        return [_background(tint, size, bleeds), *picture.items]
    raise TypeError(f"no {cut} shows a {type(face).__name__}")


def _background(colour: str, size: XY, bleeds: Bleeds) -> Path:
    """Return the coloured background of a face, including its bleed."""
    left, below, right, above = bleeds
    return rectangle(-left, -below, size[0] + left + right, size[1] + below + above, colour)


def _back(back: Back, lang: Lang, ink: str, size: XY, bleeds: Bleeds) -> list[Item]:
    fill = look("token shape", theme().shape, back.shape).ink(ink).fill
    return [_background(fill if ink == "full" else "#ffffff", size, bleeds), *_pattern(back, lang, ink, size)]


@lru_cache(64)  # All cards of a deck have the same back.
def _pattern(back: Back, lang: Lang, ink: str, size: XY) -> tuple[Item, ...]:
    """Return the back of a card: lozenges in the camp's colours, with the emblem and the name of the deck."""
    c = look("token shape", theme().shape, back.shape).ink(ink)
    (w, h), full = size, ink == "full"
    items: list[Item] = []
    pale = Pen(c.tint if full else "#9a9a9a", 0.16)
    rule = frame_inset(w)
    inside = (rule + 1.2, rule + 1.2, w - rule - 1.2, h - rule - 1.2)
    items += [structs.replace(line(cut, pale), alpha=0.55 if full else 1.0) for cut in _lattice(inside)]
    items.append(Path(round_box(rule, rule, w - 2 * rule, h - 2 * rule, CORNER), None, Pen(c.light, 0.3)))
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
    size_, lines = fit_title(back.name[lang], room, 12.0)
    for k, text in enumerate(lines):
        level = foot + plate * 0.21 + (len(lines) - 1 - k) * LINE * size_
        items.append(Text(w / 2, level, text, size_, "middle", True, c.dark))
    # The back of a small card shows only the name. The front has the other information.
    if back.line and back.line[lang] and text_width(back.line[lang], FLOOR) <= room:
        size_ = fitting_size(back.line[lang], room, 7.5, FLOOR)
        items.append(Text(w / 2, foot + plate * 0.105, back.line[lang], size_, "middle", False, c.dark))
    return tuple(items)


def _lattice(box: tuple[float, float, float, float]) -> list[tuple[XY, XY]]:
    """Return diagonal lines in both directions that fill a box with lozenges."""
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


@lru_cache(64)  # The tokens of a page have the same back.
def _emblem(shape: str, ink: str, x: float, y: float, scale: float) -> tuple[Item, ...]:
    """Return the camp's emblem with a star on it."""
    camp = look("token shape", theme().shape, shape)
    c, edge = camp.ink(ink), Pen(camp.ink(ink).line, 0.3)
    cloth = polygon(tuple(inset(counter(shape).ring, 0.55)), None, Pen(c.light, 0.16))
    found: list[Item] = []
    for path in (
        *emblem_paths(shape, ink, c.fill, edge),
        cloth,
        *(moved(p, 0, 0.45, 0.8) for p in drawn("star", c.light)),
    ):
        pen = structs.replace(path.pen, width=path.pen.width * scale) if path.pen else None
        found.append(structs.replace(moved(path, x, y, scale), pen=pen))
    return tuple(found)


def _hex(face: Face, lang: Lang, ink: str, width: float, bleed: float) -> list[Item]:
    """Return the face of a hex piece, which shows terrain, a unit's token or a camp's emblem."""
    t, middle = theme(), (width / 2, width * HEX_HEIGHT / 2)
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
        return [_grown_hexagon(width, bleed, ground.ink(ink).tint), *draw_field(view, place, ink), name]
    if not isinstance(face, Token | Back):
        raise TypeError(f"no hex shows a {type(face).__name__}")
    c, pen = look("token shape", t.shape, face.shape).ink(ink), None if ink == "full" else Pen("#505050", 0.15)
    inner = structs.replace(_grown_hexagon(width, -TOKEN_BAND * width, c.tint), pen=pen)
    if isinstance(face, Back):
        return [
            _grown_hexagon(width, bleed, c.fill),
            inner,
            *_emblem(face.shape, ink, *middle, width * _EMBLEM_SCALE),
        ]
    band = look("token colour", t.colour, face.colour).ink(ink).fill
    return [_grown_hexagon(width, bleed, band), inner, Use(token_symbol(face, ink), *middle, width * _TOKEN_SCALE)]


def _square(face: Face, ink: str, width: float, bleeds: Bleeds) -> list[Item]:
    """Return the face of a square piece, which shows terrain, a unit's token or a camp's emblem."""
    t, size, middle = theme(), (width, width), width / 2
    if isinstance(face, Tile):
        view = MapView(squares(1, 1), {Square(0, 0): face.look}, names=False)
        if look("ground", t.ground, face.look).road:
            view = msgspec.structs.replace(view, roads={Square(0, 0): (0, 4)})
        tint = t.ground[face.look].ink(ink).tint
        return [_background(tint, size, bleeds), *draw_field(view, Place(view.grid, width, middle, middle), ink)]
    if not isinstance(face, Token | Back):
        raise TypeError(f"no square shows a {type(face).__name__}")
    numbered = isinstance(face, Token) and any(face.numbers)
    captioned = isinstance(face, Token) and bool(face.caption) and not counter(face.shape).room
    c = look("token shape", t.shape, face.shape).ink(ink)
    band = (NUMBERED_BAND if numbered else CAPTION_BAND if captioned else TOKEN_BAND) * width
    inner = rectangle(band, band, width - 2 * band, width - 2 * band, c.tint)
    items = [
        _background(c.fill, size, bleeds),
        inner if ink == "full" else structs.replace(inner, pen=Pen("#505050", 0.15)),
    ]
    if isinstance(face, Back):
        return [*items, *_emblem(face.shape, ink, middle, middle, width * _EMBLEM_SCALE)]
    if captioned:
        return [*items, *_captioned(face, c, ink, width)]
    if numbered:
        raised = Use(token_symbol(face, ink), middle, _RAISED_HEIGHT * width, width * _RAISED_SCALE)
        return [*items, raised, *_numbers(face.numbers, c, width)]
    return [*items, Use(token_symbol(face, ink), middle, middle, width * _TOKEN_SCALE)]


def _captioned(face: Token, c: Palette, ink: str, width: float) -> Iterator[Item]:
    """Yield a token below its caption, and its label in a disc at the lower right."""
    x, y = _CAPTIONED_CENTRE
    size, lines = _caption_lines(face.caption, width)
    # Each line after the first takes its height from the token.
    lower = max(0, len(lines) - 1) * size / POINTS / width
    share = 1 - lower / (2 * y)
    plain = structs.replace(face, label="")
    yield Use(token_symbol(plain, ink), x * width, (y - lower / 2) * width, share * width * _CAPTIONED_SCALE)
    # A shrunken caption keeps the middle of its letters.
    top = _CAPTION_FOOT * width + 0.36 * (_CAPTION_SIZE * width - size) / POINTS
    for row, text in enumerate(lines):
        yield Text(width / 2, top - row * size / POINTS, text, size, "middle", True, c.dark)
    yield from _disc(face.label, c, width)


def _caption_lines(text: str, width: float) -> tuple[float, list[str]]:
    """Return the type size in points and the lines of the caption at the top of a counter `width` mm wide.

    A caption that is too long for one line is broken before its last hyphen. A caption that would be too small to
    read is left out on a tiny counter.

    Raises:
        DoesNotFitError: If the caption does not fit on another counter.
    """
    room, size = _CAPTION_ROOM * width, max(NUMBER_FLOOR, _CAPTION_SIZE * width)
    head, hyphen, tail = text.rpartition("-")
    for lines in ([text], [head, hyphen + tail] if head else [text]):
        with suppress(DoesNotFitError):
            return min(fitting_size(part, room, size, NUMBER_FLOOR, bold=True) for part in lines), lines
    if width < _TINY:
        return size, []
    return fitting_size(text, room, size, NUMBER_FLOOR, bold=True), [text]


def _disc(label: str, c: Palette, width: float) -> Iterator[Item]:
    """Yield the label of a counter in a disc at the lower right."""
    if not label:
        return
    x, y = _DISC_CENTRE[0] * width, _DISC_CENTRE[1] * width
    size = max(NUMBER_FLOOR, _DISC_SIZE * width)
    yield circle(x, y, size * _DISC / _DISC_SIZE, "#ffffff", Pen(c.line, 0.02 * width))
    yield Text(x, y - 0.36 * size / POINTS, label, size, "middle", True, "#1c1c1c")


def _numbers(numbers: tuple[str, str], c: Palette, width: float) -> Iterator[Item]:
    """Yield the two numbers at the bottom of a counter. The second number is in a box."""
    left, boxed = numbers
    size, foot, side, high = _NUMBER * width, 0.122 * width, 0.14 * width, 0.22 * width
    yield Text(side, foot + high / 2 - 0.125 * size, left, size, "start", True, "#1c1c1c")
    wide_ = max(text_width(boxed, size, bold=True) + 0.06 * width, high)
    x = width - 0.122 * width - wide_
    if boxed:
        yield Path(round_box(x, foot, wide_, high, 0.035 * width), "#ffffff", Pen(c.line, 0.016 * width))
        yield Text(x + wide_ / 2, foot + high / 2 - 0.125 * size, boxed, size, "middle", True, "#1c1c1c")


def _origin(middle: XY, width: float) -> XY:
    """Return the position of a field with a single hex whose centre is at `middle`."""
    at = Place(field((1,)), width / 2 / HALF * SIDE, 0.0, 0.0).centre(Hex(0, 0))
    return middle[0] - at[0], middle[1] - at[1]


def hexagon(width: float, by: float = 0.0) -> tuple[XY, ...]:
    """Return the corners of a hex of the given width, enlarged by `by` on every side.

    The box of the hex before enlargement has its lower left corner at (0, 0).
    """
    scale = (width + 2 * by) / 2 / HALF
    return tuple((width / 2 + x * scale, width * HEX_HEIGHT / 2 + y * scale) for x, y in HEXAGON)


def _grown_hexagon(width: float, by: float, fill: str | None) -> Path:
    return polygon(hexagon(width, by), fill)


def _tile(tile: Tile, ink: str, size: XY, bleeds: Bleeds) -> list[Item]:
    """Return the face of a rectangular tile that is placed on a hex, such as an earthwork or a bridge over water."""
    t, (w, h), (left, _, right, _) = theme(), size, bleeds
    if tile.look in t.feature:
        tint, scale = t.feature[tile.look].ink(ink).tint, min(w / 16.2, h / 11.2)
        return [_background(tint, size, bleeds), Use(_strip_symbol(tile.look, ink), w / 2, h / 2, scale)]
    ground = look("ground", t.ground, tile.look)
    c, river = ground.ink(ink), next(g for g in t.ground.values() if g.water).ink(ink)
    place = Place(field((1,)), h / 1.4, w / 2, h / 2)
    items: list[Item] = [_background(c.tint, size, bleeds)]
    for colour, width in ((river.line, 0.51), (river.dark, 0.46), (river.fill, 0.37)):
        high = width * place.side
        items.append(rectangle(-left, (h - high) / 2, w + left + right, high, colour))
    bridge = crossing(place, tile.look, ground.pattern, Hex(0, 0), (0, 3), c, ink)
    return [*items, structs.replace(bridge, x=w / 2, y=h / 2)]


@lru_cache(64)  # A page has only a few kinds of strips.
def _strip_symbol(look: str, ink: str) -> Symbol:
    feature = theme().feature[look]
    return Symbol(f"strip.{look}.{ink}", painted(f"{feature.pattern}_strip", feature.ink(ink)))
