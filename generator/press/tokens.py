"""Tokens: shape, colour and symbol say camp, quality and weapon; what has room for it bears its caption and label."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from generator.model.picture import POINTS, Item, Path, Pen, Symbol, Text, Use, circle, polygon
from generator.model.views import Token
from generator.press.text import fitted, wide
from generator.symbols.banners import BADGES, rods
from generator.symbols.counters import Design, counter, figure
from generator.symbols.shapes import moved, round_box
from generator.symbols.theme import Badge, Palette, look, theme

_CAPTION, _SMALLEST, _NUMBER = 2.2, 1.2, 3.9
_PLATE = 4.3
_UP = 90.0


def token_symbol(token: Token, ink: str) -> Symbol:
    """The drawing of a token, turned as it faces; without its label, unless that is `inside` it.

    Tokens that look alike share one.
    """
    of = counter(token.shape)
    faces = token.facing if of.turns and token.mark != "square" else None
    drawn = _drawn(token.shape, token.colour, token.symbol, token.badge, token.mark, faces is not None, ink)
    if inside(token) and (token.caption or token.label):
        drawn = _lettered(drawn, token, of.room, theme().shape[token.shape].ink(ink))
    if faces is None or faces == _UP:
        return drawn
    return Symbol(f"{drawn.name}.{faces:g}", (Use(drawn, 0, 0, 1, faces - _UP),))


def inside(token: Token) -> bool:
    """Whether a token's label is part of its drawing."""
    return counter(token.shape).room > 0


def emblem(shape: str, ink: str, tint: str, pen: Pen) -> tuple[Path, ...]:
    """A bare counter of that shape, with what it hangs on."""
    return (*rods(theme().shape[shape].outline, ink, 0.0), polygon(counter(shape).ring, tint, pen))


@lru_cache(1024)  # the counters of a long print
def _drawn(shape: str, colour: str, symbol: str, badge: str, mark: str, front: bool, ink: str) -> Symbol:
    t = theme()
    camp = look("token shape", t.shape, shape)
    quality = look("token colour", t.colour, colour)
    items = counter(shape).paint(Design(camp.outline, camp.ink(ink), quality, figure(symbol), mark, front, ink))
    for key in badge.split():
        items += _badge(look("badge", t.badge, key), ink)
    name = ".".join(("token", shape, colour, symbol, badge.replace(" ", "+"), mark, *["front"] * front, ink))
    return Symbol(name, tuple(items))


def _lettered(symbol: Symbol, token: Token, room: float, camp: Palette) -> Symbol:
    """The token with its texts; DoesNotFitError for a caption too long to be read."""
    items = list(symbol.items)
    if token.caption:
        colour = camp.line if token.mark else camp.light
        size = fitted(token.caption, room, _CAPTION * POINTS, _SMALLEST * POINTS, bold=True)
        items.append(Text(0, 3.55, token.caption, size, "middle", True, colour))
    if token.label:
        half = max(wide(token.label, _NUMBER * POINTS, bold=True) / 2 + 0.6, _PLATE / 2)
        x, y = 6.4 - half, -6.5
        plate = round_box(x - half, y, 2 * half, _PLATE, _PLATE / 2)
        number = Text(x, y + 0.8, token.label, _NUMBER * POINTS, "middle", True, "#1c1c1c")
        drawn = Path(plate, "#ffffff", Pen(camp.line, 0.3)), number
        name = f"plate.{camp.line[1:]}.{token.label.encode().hex()}"
        items.append(Use(Symbol(name, drawn, symbol.reach, plate=True), 0, 0))
    text = f"{token.caption}\0{token.label}".encode().hex()
    return Symbol(f"{symbol.name}.{text}", tuple(items))


def _badge(badge: Badge, ink: str) -> Iterator[Item]:
    if not badge.drawing:
        return
    x, y = (-5.1, -5.2) if badge.side == "left" else (5.1, -5.2)
    yield circle(x, y, 1.95, "#ffffff", Pen("#303030", 0.28))
    yield from (moved(p, x, y) for p in look("badge drawing", BADGES.figures, badge.drawing)("#202020"))
