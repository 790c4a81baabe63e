"""Tokens: shape, colour and symbol say camp, quality and weapon; a banner here, other counters in their modules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from math import cos, pi, sin

from generator.model.picture import XY, Item, Path, Pen, Symbol, Text, Use, circle, line, polygon, rectangle
from generator.model.views import Token
from generator.press.symbols.counters import HALO, Design
from generator.press.symbols.lettering import POINTS
from generator.press.symbols.machines import FRAMES, MACHINES, lettered, machine
from generator.press.symbols.shapes import hatching, inset, moved, strokes
from generator.press.symbols.stacks import HOSTS, SHIELDS, shield
from generator.press.symbols.troops import ARMS, BASES, troop
from generator.press.symbols.weapons import BADGES, WEAPONS, Drawing
from generator.press.theme import Badge, Colour, look, theme

FOLD = 4.0
_WOOD = {"full": "#4a3826", "saver": "#000000"}

OUTLINES: dict[str, tuple[XY, ...]] = {
    "swallowtail": ((-4.9, 5.0), (-4.9, -5.6), (0, -3.3), (4.9, -5.6), (4.9, 5.0)),
    "flag": ((-4.7, 5.3), (-4.7, -4.6), (5.3, -4.6), (5.3, 5.3)),
    "disc": tuple((5.4 * cos(pi * i / 24), 5.4 * sin(pi * i / 24) + 0.3) for i in range(48)),
}
"""What a banner's cloth looks like, by the theme's word for it."""


DRAWINGS: Mapping[str, Drawing] = WEAPONS | ARMS | MACHINES | HOSTS
_UP = 90.0


def token_symbol(token: Token, ink: str) -> Symbol:
    """The drawing of a token, turned as it faces; without its label, unless that is `inside` it.

    Tokens that look alike share one.
    """
    outline = look("token shape", theme().shape, token.shape).outline
    faces = token.facing if outline in BASES and token.mark != "square" else None
    drawn = _drawn(token.shape, token.colour, token.symbol, token.badge, token.mark, faces is not None, ink)
    if inside(token) and (token.caption or token.label):
        drawn = lettered(drawn, token, outline, theme().shape[token.shape].ink(ink))
    if faces is None or faces == _UP:
        return drawn
    return Symbol(f"{drawn.name}.{faces:g}", (Use(drawn, 0, 0, 1, faces - _UP),))


def inside(token: Token) -> bool:
    """Whether a token's label is part of its drawing."""
    return look("token shape", theme().shape, token.shape).outline in FRAMES


def banner(shape: str, ink: str, tint: str, pen: Pen) -> tuple[Path, ...]:
    """A bare banner of that shape, as a card's emblem."""
    outline = look("token shape", OUTLINES, look("token shape", theme().shape, shape).outline)
    rods = _rods(theme().shape[shape].outline, ink, 0.0)
    return (*rods, polygon(outline, tint, pen))


@cache
def _drawn(shape: str, colour: str, symbol: str, badge: str, mark: str, front: bool, ink: str) -> Symbol:
    t = theme()
    camp = look("token shape", t.shape, shape)
    paint = look("token shape", _PAINTERS, camp.outline)
    quality = look("token colour", t.colour, colour)
    drawing = look("symbol drawing", DRAWINGS, look("token symbol", t.symbol, symbol))
    items = paint(Design(camp.outline, camp.ink(ink), quality, drawing, mark, front, ink))
    for key in badge.split():
        items += _badge(look("badge", t.badge, key), ink)
    name = ".".join(("token", shape, colour, symbol, badge.replace(" ", "+"), mark, *["front"] * front, ink))
    return Symbol(name, tuple(items))


def _banner(design: Design) -> list[Item]:
    """A banner's cloth in its quality's colour, and what it hangs on."""
    quality, mark, ink = design.quality, design.mark, design.ink
    outline = OUTLINES[design.outline]
    if mark:
        outline = _cut(outline)
    ink_of = quality.ink(ink)
    items: list[Item] = [
        *_rods(design.outline, "halo", HALO),
        polygon(outline, "#ffffff", Pen("#ffffff", 2 * HALO)),
    ]
    items += _rods(design.outline, ink, 0.0)
    items.append(polygon(outline, ink_of.fill, None))
    left = min(p[0] for p in outline)
    index = left + 1.55
    x, y, size = (left + 5.6, -0.75, 0.9) if mark else (left + 5.95, 0.3, 1.0)
    if not (quality.letter or quality.pips or mark):
        x = 0.0
    drawing = [moved(path, x, y, size) for path in design.drawing(ink_of.light)]
    if ink == "saver":
        items.append(strokes(hatching(outline, quality.hatch, 0.95), Pen(ink_of.dark, 0.16)))
        if quality.letter or quality.pips:
            items.append(rectangle(index - 1.0, -3.3, 2.0, 8.0, "#ffffff"))
        items += [_haloed(path) for path in drawing]
    else:
        items.append(polygon(tuple(inset(outline, 0.5)), None, Pen(ink_of.tint, 0.13)))
    items.append(polygon(outline, None, Pen(ink_of.line, 0.35)))
    items += drawing
    items += _index(quality, ink, index)
    if mark:
        items += _fold(outline, look("mark", theme().mark, mark), ink)
    return items


_PAINTERS: Mapping[str, Callable[[Design], list[Item]]] = {
    **dict.fromkeys(OUTLINES, _banner),
    **dict.fromkeys(BASES, troop),
    **dict.fromkeys(FRAMES, machine),
    **dict.fromkeys(SHIELDS, shield),
}
"""Who draws a token of that outline."""


def _rods(outline: str, ink: str, halo: float) -> tuple[Path, ...]:
    """The wood that the cloth hangs on: a crossbar, a pole, or nothing."""
    wood = _WOOD.get(ink, "#ffffff")
    match outline:
        case "swallowtail":
            return (
                line(((-5.7, 5.3), (5.7, 5.3)), Pen(wood, 0.8 + 2 * halo)),
                line(((0, 5.3), (0, 5.85)), Pen(wood, 0.7 + 2 * halo)),
                circle(-5.7, 5.3, 0.6 + halo, wood),
                circle(5.7, 5.3, 0.6 + halo, wood),
            )
        case "flag":
            return (
                line(((-5.0, -6.3), (-5.0, 5.8)), Pen(wood, 0.75 + 2 * halo)),
                circle(-5.0, 6.0, 0.65 + halo, wood),
            )
        case _:
            return ()


def _haloed(path: Path) -> Path:
    width = path.pen.width if path.pen else 0.0
    return Path(path.steps, "#ffffff" if path.fill else None, Pen("#ffffff", width + 1.1))


def _index(quality: Colour, ink: str, x: float) -> Iterator[Item]:
    """The letter and the pips in the corner, as on a playing card."""
    light = quality.ink(ink).light
    if quality.letter:
        yield Text(x, 2.3, quality.letter, 3.0 * POINTS, "middle", True, light)
    for pip in range(quality.pips):
        yield circle(x, 1.2 - 1.35 * pip, 0.48, light)


def _cut(outline: tuple[XY, ...]) -> tuple[XY, ...]:
    """The cloth without the corner that is folded over."""
    x, y = max(p[0] for p in outline), max(p[1] for p in outline)
    corner = ((x, y - FOLD), (x - FOLD, y))
    return tuple(q for p in outline for q in (corner if p == (x, y) else (p,)))


def _fold(outline: tuple[XY, ...], letter: str, ink: str) -> Iterator[Item]:
    """A folded upper right corner with a letter: a stand-in, not the unit itself."""
    x, y = max(p[0] for p in outline), max(p[1] for p in outline)
    flap = ((x - FOLD, y), (x - FOLD, y - FOLD), (x, y - FOLD))
    yield polygon(flap, "#f6e7b4" if ink == "full" else "#ffffff", Pen("#3a3a3a", 0.28))
    yield Text(x - FOLD * 0.66, y - FOLD * 0.9, letter, 2.5 * POINTS, "middle", True, "#202020")


def _badge(badge: Badge, ink: str) -> Iterator[Item]:
    if not badge.drawing:
        return
    x, y = (-5.1, -5.2) if badge.side == "left" else (5.1, -5.2)
    yield circle(x, y, 1.95, "#ffffff", Pen("#303030", 0.28))
    yield from (moved(p, x, y) for p in look("badge drawing", BADGES, badge.drawing)("#202020"))
