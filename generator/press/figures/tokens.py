"""Draw tokens and flags on a map, with their labels and positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from generator.grid.hexes import Cell
from generator.model.picture import POINTS, Item, Path, Pen, Symbol, Text, Use, circle, polygon
from generator.model.views import Flag, MapView, Token
from generator.model.words import Lang
from generator.press.layout.fitting import fitting_size, text_width
from generator.press.pdf.legible import NUMBER_FLOOR
from generator.symbols.counters import ROD_BOXES, Design, counter, drawn, rods
from generator.symbols.shapes import HALF, SIDE, Box, Place, moved, plate, round_box, turned
from generator.symbols.theme import Badge, Palette, look, theme

# The shape, colour and symbol of a token show its camp, quality and weapon. If the shape has enough room, caption and
# label are inside.

_MAX_LABEL = 8.0
"""Maximum type size of labels, in points."""
_SHARED_SCALE = 0.76
"""Scale of tokens that share a cell."""
_PAD, _SQUARE_PAD = 0.3, 0.18
"""Distance of a label's text from the ends of its plate, relative to the plate's height. In squares, names of cells
are beside the plates and need the room."""
_CORNER, _LONE_CORNER = 0.03, 0.085
"""Distance of several labels in the corner of a square from the square's sides, and of a single label from the side
beyond which the next square has its name, in cell sides."""
_ROD = 0.9
"""Extent of a token's rod to the left of its outline, in the token's units."""
_BADGE_AT, _BADGE_RADIUS = {"left": (-5.1, -5.2), "right": (5.1, -5.2)}, 1.95
"""Centres of badges on each side of a token, and their radius, in the token's units."""
_EDGE = 0.3
"""Extent of a token's edge and rod beyond its outline, in the token's units."""

_COMPACT_SCALE, _COMPACT_SHARE = 0.6, 0.113
"""Scale at which the letter on a token has 5 points, and the maximum scale per mm of a hex's side at which tokens and
their labels do not touch the next row, for tokens on small maps."""
_COMPACT_DROP, _COMPACT_LABEL = 0.5, 3.8
"""Distance of a token's centre below the centre of its cell on small maps, and of the upper edge of its label below
the token's centre, in the token's units."""
_COMPACT_SQUARE = 0.7
"""Scale of tokens on the squares of small maps, which have no names or labels, relative to symbols drawn on a hex."""
_LONE_LABEL = 1.15
"""Type size of labels on small maps without names of cells, in points for a side of 1 mm."""
_COMPACT_GAP = 0.04
"""Distance between a token and the flags beside it, in cell sides."""
_UNIT_FLAG, _COUNT_FLAG = (0.98, 0.68), (0.46, 0.58)
"""Minimum width and height of a flag with pips and of a flag without them, in cell sides."""
_LETTERS, _MAX_FLAG_TEXT, _MIDDLE = 0.58, 10.0, 0.36
"""Type size of a flag relative to its height, maximum type size in points, and height of the middle of letters
relative to the type size."""
_FLAG_PIP, _FLAG_PIP_ROW = 0.16, 0.46
"""Radius of the pips on a flag and height of their row, relative to the type size."""
_TAIL = 0.2
"""Depth of a swallowtail relative to the height of the flag."""

Spot = tuple[float, float, float]
"""The centre of a drawing relative to its cell, and the scale of the drawing. At scale 1 it fills the cell."""
_TOKEN_ASIDE, _FEATURE_ASIDE = (0.43, -0.04, 0.62), (-0.32, 0.0, 0.74)
"""Positions of a token beside the feature in its cell, and of that feature."""
_FRONT, _LOW, _OVER = 0.5, -0.3, (0.0, 0.36, 0.74)
"""For two or more tokens beside a feature: distance of the outer tokens from the middle, height of the tokens, and
position of the feature."""
_TWO_SCALE, _MORE_SCALE = 0.42, 0.4
"""Scale of two tokens beside a feature, and of three or more."""


class LabelPlate(msgspec.Struct, frozen=True):
    """The label of a token on its plate: the middle of the bottom edge, half the width and the height, in mm."""

    text: str
    x: float
    foot: float
    half: float
    high: float

    @property
    def box(self) -> Box:
        """The bounding box of the plate, in mm."""
        return self.x - self.half, self.foot, self.x + self.half, self.foot + self.high


def draw_tokens(view: MapView, place: Place, ink: str, lang: Lang | None) -> list[Item]:
    """Return all tokens, followed by their labels on pale plates, which form a single path.

    Tokens that share a cell overlap, with the first token at the back.
    """
    items: list[Item] = []
    for cell, crowd in _tokens_by_cell(view).items():
        spots = _token_spots(view, place, cell, len(crowd))
        items += [
            Use(
                token_symbol(_turn_token(token, place), ink),
                x,
                y,
                scale,
                data=_token_data(token, view.grid.name(cell), lang),
            )
            for token, (x, y, scale) in zip(_hide_covered_labels(crowd), spots, strict=True)
        ]
    items += [item for one in hit_point_strips(view, place) for item in _strip_items(one, place.side)]
    if found := list(label_plates(view, place)):
        size = _label_size(view, place)
        steps = tuple(step for one in found for step in plate(one.x, one.foot, one.half, one.high))
        items.append(Path(steps, "#ffffff", Pen("#5a5a5a", 0.018 * place.side)))
        items += [Text(one.x, one.foot + 0.2 * one.high, one.text, size, "middle", True, "#1c1c1c") for one in found]
    return items


_PIP, _STRIP, _FOOT, _MAX_PIPS = 0.17, 0.21, 6.6, 7
"""Distance between pips and height of their plate in cell sides, distance of the plate below the token's centre in
the token's units, and maximum number of pips. A larger number of hit points is written as a number."""
_DARK = "#1c1c1c"


class HitPointStrip(msgspec.Struct, frozen=True):
    """The hit points below a token: the number left, the total, and the box of their plate in mm."""

    left: int
    whole: int
    box: Box


def hit_point_strips(view: MapView, place: Place) -> Iterator[HitPointStrip]:
    """Yield the strip of every token that has hit points."""
    if not any(token.hp[1] for _, token in view.tokens):
        return
    for cell, crowd in _tokens_by_cell(view).items():
        for token, (x, y, scale) in zip(crowd, _token_spots(view, place, cell, len(crowd)), strict=True):
            left, whole = token.hp
            if whole:
                top = y - _FOOT * scale
                if _is_compact(view, place):
                    top = y - _COMPACT_LABEL * scale - 1.06 * _label_size(view, place) / POINTS
                half = ((whole if whole <= _MAX_PIPS else 3) * _PIP + 0.1) * place.side / 2
                yield HitPointStrip(left, whole, (x - half, top - _STRIP * place.side, x + half, top))


def _strip_items(of: HitPointStrip, side: float) -> Iterator[Item]:
    """Yield full pips for the remaining hit points and empty pips for the others, or the remaining number."""
    left, bottom, right, top = of.box
    level, high = (bottom + top) / 2, top - bottom
    yield Path(round_box(left, bottom, right - left, high, high / 2), "#ffffff", Pen(_DARK, 0.018 * side))
    if of.whole > _MAX_PIPS:
        size = max(NUMBER_FLOOR, 0.92 * high * POINTS)
        yield Text((left + right) / 2, level - _MIDDLE * size / POINTS, str(of.left), size, "middle", True, _DARK)
        return
    r = 0.36 * _PIP * side
    for i in range(of.whole):
        x = left + (0.05 + (i + 0.5) * _PIP) * side
        yield (
            circle(x, level, r, _DARK) if i < of.left else circle(x, level, 0.85 * r, "#ffffff", Pen(_DARK, 0.3 * r))
        )


def _token_data(token: Token, cell: str, lang: Lang | None) -> tuple[tuple[str, str], ...]:
    """Return a token's unit, name, cell, side and kind for the data attributes of a picture, in the theme's words."""
    kind = " ".join(word for word in (token.colour, token.symbol, token.badge, token.mark) if word)
    unit = (("unit", token.label),) if token.label else ()
    name = (("name", token.name[lang]),) if token.name and lang else ()
    return (*unit, *name, ("cell", cell), ("side", token.shape), ("kind", kind))


def _label_size(view: MapView, place: Place) -> float:
    """Return the type size of labels in points. On small maps without names of cells, labels are larger."""
    share = _LONE_LABEL if _is_compact(view, place) and not view.names else place.anatomy.label_size
    return max(NUMBER_FLOOR, min(share * place.side, _MAX_LABEL))


def label_plates(view: MapView, place: Place) -> Iterator[LabelPlate]:
    """Yield the labels of all tokens whose label is outside the token.

    The label is below the token, or in an upper corner of a square. Labels of tokens that share a cell are side by
    side. Each token beside a feature has its label below it.
    """
    at, side, size = place.anatomy, place.side, _label_size(view, place)
    high = 1.06 * size / POINTS
    for cell, crowd in _tokens_by_cell(view).items():
        cx, cy = place.centre(cell)
        rows = [(crowd, cx)]
        pad = _SQUARE_PAD if at.squares else _PAD
        if _is_compact(view, place) and len(crowd) == 1:
            ((token, (x, y, scale)),) = zip(crowd, _token_spots(view, place, cell, 1), strict=True)
            half = text_width(token.label, size, True) / 2 + pad * high
            if token.label:
                yield LabelPlate(token.label, x, y - _COMPACT_LABEL * scale - high, half, high)
            continue
        if view.aside:
            spots = _token_spots(view, place, cell, len(crowd))
            rows = [([token], x) for token, (x, _, _) in zip(crowd, spots, strict=True)]
        for group, x in rows:
            foot, row = cy - at.label * side - high, _label_row(group, size, high, pad)
            if at.squares and row:
                if view.aside:
                    foot = max(foot, cy - at.inner * side)
                else:
                    foot = cy + (at.inner - _CORNER) * side - high
                    corner = _LONE_CORNER if len(row) == 1 else _CORNER
                    x += max(0.0, (at.inner - corner) * side - _row_half_width(row))
            for token, middle, half in row:
                yield LabelPlate(token.label, x + middle, foot, half, high)


def token_boxes(view: MapView, place: Place) -> Iterator[Box]:
    """Yield the bounding box of every token, in mm. On small maps, also yield the boxes of its rod and badges."""
    for cell, crowd in _tokens_by_cell(view).items():
        for token, (x, y, scale) in zip(crowd, _token_spots(view, place, cell, len(crowd)), strict=True):
            of = counter(token.shape)
            facing = _turn_token(token, place).facing
            ring = of.ring if facing is None or not of.turns else [turned(p, facing - 90) for p in of.ring]
            xs, ys = zip(*ring, strict=True)
            left, bottom, right, top = min(xs), min(ys), max(xs), max(ys)
            edge = _EDGE * scale
            yield (
                x + left * scale - edge,
                y + bottom * scale - edge,
                x + right * scale + edge,
                y + top * scale + edge,
            )
            if _is_compact(view, place):
                for left, bottom, right, top in _outer_boxes(token):
                    yield x + left * scale, y + bottom * scale, x + right * scale, y + top * scale


def _outer_boxes(token: Token) -> Iterator[Box]:
    """Yield the boxes of a token's rod and badges, in the token's units."""
    outline = theme().shape[token.shape].outline
    if outline in ROD_BOXES:
        yield ROD_BOXES[outline]
    for key in token.badge.split():
        badge = look("badge", theme().badge, key)
        if badge.drawing:
            x, y = _BADGE_AT[badge.side]
            yield x - _BADGE_RADIUS, y - _BADGE_RADIUS, x + _BADGE_RADIUS, y + _BADGE_RADIUS


class PlacedFlag(msgspec.Struct, frozen=True):
    """A flag on the map with its centre, width and height in mm, and its type size in points."""

    flag: Flag
    x: float
    y: float
    wide: float
    high: float
    size: float

    @property
    def box(self) -> Box:
        """The bounding box of the flag, in mm."""
        return self.x - self.wide / 2, self.y - self.high / 2, self.x + self.wide / 2, self.y + self.high / 2


def size_flag(flag: Flag, x: float, y: float, side: float) -> PlacedFlag:
    """Return a flag centred at (x, y) for cells with sides of `side` mm."""
    pips = look("token colour", theme().colour, flag.colour).pips
    least, share = _UNIT_FLAG if pips else _COUNT_FLAG
    size = max(NUMBER_FLOOR, min(_LETTERS * share * side * POINTS, _MAX_FLAG_TEXT))
    high = max(share * side, 1.15 * size / POINTS)
    wide = max(least * side, text_width(flag.text, size, True) + 0.3 * high)
    return PlacedFlag(flag, x, y, wide, high + (_FLAG_PIP_ROW * size / POINTS if pips else 0.0), size)


def placed_flags(view: MapView, place: Place) -> Iterator[PlacedFlag]:
    """Yield the flags of a map.

    The flags of a cell form a row. If there is a token on the cell, they form a column at the right of the token.
    """
    rows: dict[Cell, list[PlacedFlag]] = {}
    for flag in view.flags:
        rows.setdefault(flag.cell, []).append(size_flag(flag, *place.centre(flag.cell), place.side))
    tokens, gap = _tokens_by_cell(view), 0.05 * place.side
    for cell, row in rows.items():
        x, y = place.centre(cell)
        if cell in tokens:
            (middle, _, scale), *_ = _token_spots(view, place, cell, len(tokens[cell]))
            right = middle + _token_ends(tokens[cell][0].shape, scale)[1] + _COMPACT_GAP * place.side
            level = y + sum(one.high for one in row) / 2
            for one in row:
                yield replace(one, x=right + one.wide / 2, y=level - one.high / 2)
                level -= one.high
            continue
        left = x - (sum(one.wide + gap for one in row) - gap) / 2
        for one in row:
            yield replace(one, x=left + one.wide / 2)
            left += one.wide + gap


def draw_flags(found: Iterable[PlacedFlag], ink: str) -> list[Item]:
    """Return the items of flags, each in the shape of its camp."""
    items: list[Item] = []
    for one in found:
        c = look("token colour", theme().colour, one.flag.colour).ink(ink)
        pips = look("token colour", theme().colour, one.flag.colour).pips
        left, foot, right, top = one.box
        tail = _TAIL * one.high if theme().shape[one.flag.shape].outline == "swallowtail" else 0.0
        cloth = (left, top), (left, foot), (one.x, foot + tail), (right, foot), (right, top)
        line = 0.035 * one.high + 0.12
        if pips:
            items.append(polygon(cloth, "#ffffff", Pen("#ffffff", 3.5 * line)))
            line = 1.4 * line if ink == "saver" else line
        items.append(polygon(cloth, c.fill, Pen(c.line, line, round=False)))
        em = one.size / POINTS
        level = one.y + 0.3 * tail - _MIDDLE * em + (_FLAG_PIP_ROW * em / 2 if pips else 0.0)
        items.append(Text(one.x, level, one.flag.text, one.size, "middle", True, c.light))
        apart = 2.5 * _FLAG_PIP * em
        items += [
            circle(one.x + (i - (pips - 1) / 2) * apart, level - 1.7 * _FLAG_PIP * em, _FLAG_PIP * em, c.light)
            for i in range(pips)
        ]
    return items


def _token_ends(shape: str, scale: float) -> tuple[float, float]:
    """Return the distances of the left and right ends of a token and its rod from its centre, in mm."""
    xs = [x for x, _ in counter(shape).ring]
    return (_ROD - min(xs)) * scale, (max(xs) + _EDGE) * scale


def _compact_spot(view: MapView, place: Place, cell: Cell, shape: str) -> Spot:
    """Return the centre and scale of a token on a small map. Flags beside the token move it to the left."""
    (x, y), side = place.centre(cell), place.side
    scale = max(place.scale * place.anatomy.token, min(_COMPACT_SCALE, _COMPACT_SHARE * side))
    left, right = _token_ends(shape, scale)
    flags = [size_flag(flag, x, y, side).wide for flag in view.flags if flag.cell == cell]
    flags_width = max(flags) + _COMPACT_GAP * side if flags else 0.0
    return (x + (left - right - flags_width) / 2 if flags else x), y - _COMPACT_DROP * scale, scale


def _is_compact(view: MapView, place: Place) -> bool:
    """Return whether tokens on hexes are as large as their cells allow, with their labels on their lower edge."""
    return view.compact and not place.anatomy.squares


def feature_spot(view: MapView, place: Place, cell: Cell) -> Spot:
    """Return the centre and scale of a feature in a cell. Tokens beside the feature share the cell with it."""
    count = sum(taken == cell for taken, _ in view.tokens) if view.aside else 0
    return _spot_on_map(place, cell, ((0.0, 0.0, 1.0), _FEATURE_ASIDE, _OVER)[min(count, 2)])


def _tokens_by_cell(view: MapView) -> dict[Cell, list[Token]]:
    crowds: dict[Cell, list[Token]] = {}
    for cell, token in view.tokens:
        crowds.setdefault(cell, []).append(token)
    return crowds


def _token_spots(view: MapView, place: Place, cell: Cell, count: int) -> list[Spot]:
    """Return the centres and scales of `count` tokens in a cell."""
    at, (x, y) = place.anatomy, place.centre(cell)
    found: list[Spot] = []
    if _is_compact(view, place) and count == 1:
        (shape,) = (token.shape for taken, token in view.tokens if taken == cell)
        return [_compact_spot(view, place, cell, shape)]
    for i in range(count):
        back = i / (count - 1) - 0.5 if count > 1 else 0.0
        if view.aside:
            spot = (2 * back * _FRONT, _LOW, _TWO_SCALE if count == 2 else _MORE_SCALE) if count > 1 else _TOKEN_ASIDE
            left, level, scale = _spot_on_map(place, cell, spot)
            found.append((left, level, scale * at.token))
            continue
        size, drop = (_COMPACT_SQUARE, 0.0) if view.compact and at.squares else (at.token, at.drop)
        scale = place.scale * size * (_SHARED_SCALE if count > 1 else 1.0)
        spread, up = at.spread
        found.append((x + back * spread * place.side, y + (back * up - drop) * place.side, scale))
    return found


def _spot_on_map(place: Place, cell: Cell, spot: Spot) -> Spot:
    """Convert a position in a cell to map coordinates in mm."""
    (x, y), (dx, dy, share) = place.centre(cell), spot
    room = place.anatomy.inner / (HALF / SIDE)
    return x + dx * room * place.side, y + dy * room * place.side, place.scale * share


def _hide_covered_labels(crowd: Sequence[Token]) -> Iterator[Token]:
    """Yield the tokens of a cell. If more than two overlap, those behind have no label and no caption."""
    for at, token in enumerate(crowd, 1):
        hidden = len(crowd) > 2 and at < len(crowd) and has_inner_label(token)
        yield msgspec.structs.replace(token, label="", caption="") if hidden else token


def _turn_token(token: Token, place: Place) -> Token:
    """Return a token with its facing as seen from the viewer's side of the map."""
    if token.facing is None or not place.turned:
        return token
    return msgspec.structs.replace(token, facing=(token.facing + 180) % 360)


def _row_half_width(row: Sequence[tuple[Token, float, float]]) -> float:
    """Return half the width of a row of plates, in mm."""
    return row[-1][1] + row[-1][2]


def _label_row(crowd: Sequence[Token], size: float, high: float, pad: float) -> list[tuple[Token, float, float]]:
    """Return the tokens with outside labels, front token first, with the centre and half width of each plate."""
    marked = [token for token in reversed(crowd) if token.label and not has_inner_label(token)]
    halves = [text_width(token.label, size, True) / 2 + pad * high for token in marked]
    gap = 0.12 * high
    x = -sum(halves) - gap * (len(halves) - 1) / 2
    found = []
    for token, half in zip(marked, halves, strict=True):
        found.append((token, x + half, half))
        x += 2 * half + gap
    return found


_CAPTION, _SMALLEST, _NUMBER = 2.2, 1.2, 3.9
"""Maximum and minimum type size of a caption, and type size of a label inside a token, in the token's units."""
_PLATE = 4.3
"""Height of the plate of a label inside a token, in the token's units."""
_UP = 90.0
"""Facing of token drawings, in degrees anticlockwise from the right."""


def token_symbol(token: Token, ink: str) -> Symbol:
    """Return the drawing of a token, turned to its facing. The label is included only if it belongs inside.

    Tokens that look the same share a symbol.
    """
    of = counter(token.shape)
    faces = token.facing if of.turns and token.mark != "square" else None
    drawn = _token_drawing(token.shape, token.colour, token.symbol, token.badge, token.mark, faces is not None, ink)
    if has_inner_label(token) and (token.caption or token.label):
        drawn = _with_texts(drawn, token, of.room, theme().shape[token.shape].ink(ink))
    if faces is None or faces == _UP:
        return drawn
    return Symbol(f"{drawn.name}.{faces:g}", (Use(drawn, 0, 0, 1, faces - _UP),))


def has_inner_label(token: Token) -> bool:
    """Return whether a token's label is part of its drawing."""
    return counter(token.shape).label_inside


def emblem_paths(shape: str, ink: str, tint: str, pen: Pen) -> tuple[Path, ...]:
    """Return a counter of the given shape without symbols, with its rod."""
    return (*rods(theme().shape[shape].outline, ink, 0.0), polygon(counter(shape).ring, tint, pen))


@lru_cache(1024)  # Enough for the tokens of a long print.
def _token_drawing(shape: str, colour: str, symbol: str, badge: str, mark: str, front: bool, ink: str) -> Symbol:
    items = [*_plain_items(shape, colour, symbol, mark, front, ink)]
    for key in badge.split():
        items += _badge_items(look("badge", theme().badge, key), ink)
    name = ".".join(("token", shape, colour, symbol, badge.replace(" ", "+"), mark, *["front"] * front, ink))
    return Symbol(name, tuple(items))


@lru_cache(1024)  # The same tokens without badges.
def _plain_items(shape: str, colour: str, symbol: str, mark: str, front: bool, ink: str) -> tuple[Item, ...]:
    t = theme()
    camp = look("token shape", t.shape, shape)
    quality = look("token colour", t.colour, colour)
    figure = look("token symbol", t.symbol, symbol)
    return tuple(counter(shape).paint(Design(camp.outline, camp.ink(ink), quality, figure, mark, front, ink)))


def _with_texts(symbol: Symbol, token: Token, room: float, camp: Palette) -> Symbol:
    """Return a token's drawing with its label, and with its caption if there is room for one inside the outline.

    Raises:
        DoesNotFitError: If the caption would be too small to read.
    """
    items = list(symbol.items)
    if token.caption and room:
        colour = camp.line if token.mark else camp.light
        size = fitting_size(token.caption, room, _CAPTION * POINTS, _SMALLEST * POINTS, bold=True)
        items.append(Text(0, 3.55, token.caption, size, "middle", True, colour))
    if token.label:
        half = max(text_width(token.label, _NUMBER * POINTS, bold=True) / 2 + 0.6, _PLATE / 2)
        x, y = 6.4 - half, -6.5
        plate = round_box(x - half, y, 2 * half, _PLATE, _PLATE / 2)
        number = Text(x, y + 0.8, token.label, _NUMBER * POINTS, "middle", True, "#1c1c1c")
        drawn = Path(plate, "#ffffff", Pen(camp.line, 0.3)), number
        name = f"plate.{camp.line[1:]}.{token.label.encode().hex()}"
        items.append(Use(Symbol(name, drawn, symbol.reach, plate=True), 0, 0))
    text = f"{token.caption if room else ''}\0{token.label}".encode().hex()
    return Symbol(f"{symbol.name}.{text}", tuple(items))


def _badge_items(badge: Badge, ink: str) -> Iterator[Item]:
    if not badge.drawing:
        return
    x, y = _BADGE_AT[badge.side]
    yield circle(x, y, _BADGE_RADIUS, "#ffffff", Pen("#303030", 0.28))
    yield from (moved(p, x, y) for p in drawn(badge.drawing, "#202020"))
