"""Counters: a shape, a colour, a symbol.

Tokens: shape, colour and symbol say camp, quality and weapon; a banner here, other counters in their modules.

Walking machines: a frame, a silhouette, a type number above it and the machine's own at its lower right.

Units of the wagon-fort wars: a chalice or a knight's shield, and what fights under it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from math import cos, pi, sin

from generator.errors import DataError, Problem
from generator.model.picture import XY, Colour, Item, Path, Pen, Symbol, Text, Use, circle, line, polygon, rectangle
from generator.model.views import Token
from generator.press.text import POINTS, fitted, wide
from generator.symbols.shapes import hatching, inset, moved, round_box, strokes, turned
from generator.symbols.soldiers import (
    ARMS,
    BADGES,
    BASES,
    HALO,
    WEAPONS,
    Design,
    Painter,
    body,
    both,
    box,
    cut_out,
    edge,
    horse_head,
    mirrored,
    troop,
)
from generator.symbols.theme import Badge, Palette, Quality, look, theme

FRAMES: dict[str, tuple[XY, ...]] = {
    "plate": both(((5.4, -6.1), (6.1, -5.4), (6.1, 5.4), (5.4, 6.1))),
    "hexagon": both(((3.6, -6.24), (7.2, 0.0), (3.6, 6.24))),
}
"""What a frame looks like, by the theme's word for it."""
_ROOM = {"plate": 10.8, "hexagon": 8.0}
"""How long a caption may be."""
_CAPTION, _SMALLEST, _NUMBER = 2.2, 1.2, 3.9
_PLATE = 4.3
_WRECK = "#808080"


def machine(design: Design) -> list[Item]:
    """A frame with its silhouette; a wreck is pale and crossed out. DataError for a mark other than `wrecked`."""
    if design.mark not in ("", "wrecked"):
        raise DataError(Problem(f'machines bear no mark "{design.mark}"', hint="accepted: wrecked"))
    outline, camp = FRAMES[design.outline], design.camp
    if not design.mark:
        figure = [moved(path, -0.8, -1.1, 0.92) for path in design.drawing(camp.light)]
        return [*body(outline, design), edge(outline, design), *figure]
    items = body(outline, design)[:1]
    items.append(polygon(outline, camp.tint, Pen(camp.line, 0.45, (1.1, 0.8))))
    items += [moved(path, -0.8, -1.1, 0.88, 12) for path in design.drawing(_WRECK)]
    arm, foot, head = 4.2, -5.0, 3.0
    cross = ((-arm, foot), (arm, head)), ((-arm, head), (arm, foot))
    items += [line(bar, Pen("#ffffff", 1.2)) for bar in cross]
    return items + [line(bar, Pen(camp.line, 0.6)) for bar in cross]


def lettered(symbol: Symbol, token: Token, outline: str, camp: Palette) -> Symbol:
    """The machine with its texts; DoesNotFitError for a caption too long to be read."""
    items = list(symbol.items)
    if token.caption:
        colour = camp.line if token.mark else camp.light
        size = fitted(token.caption, _ROOM[outline], _CAPTION * POINTS, _SMALLEST * POINTS, bold=True)
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


def _pair(colour: Colour, *shapes: tuple[XY, ...]) -> tuple[Path, ...]:
    """Shapes on the right, and the same on the left."""
    return tuple(polygon(points, colour) for shape in shapes for points in (shape, mirrored(shape)))


def walker(colour: Colour) -> tuple[Path, ...]:
    """A plain machine: a box for a head, two arms, two legs, a rifle."""
    torso = both(((1.5, -0.5), (2.0, 2.1)))
    return (
        cut_out(colour, box(-1.15, 2.4, 2.3, 1.7), box(-0.8, 3.0, 1.6, 0.5)),
        cut_out(colour, torso, box(-0.9, 0.5, 1.8, 0.7)),
        *_pair(
            colour,
            box(2.3, 1.0, 1.3, 1.4),
            box(2.45, -1.7, 1.0, 2.4),
            ((0.3, -0.8), (1.6, -0.8), (1.9, -3.9), (0.6, -3.9)),
            box(0.4, -5.0, 2.0, 0.8),
        ),
        polygon(box(3.75, -2.6, 0.7, 5.4), colour),
    )


def shoulder_gun(colour: Colour) -> tuple[Path, ...]:
    """A machine for the attack: a long gun on one shoulder, a great claw for the other hand."""
    gun = both(((0.7, -1.9), (0.5, 3.1), (0.85, 3.1), (0.85, 3.9)))
    claw = (
        (-4.2, 0.3), (-2.8, 0.3), (-2.8, -1.2), (-2.2, -2.8), (-3.1, -2.0), (-3.5, -1.4), (-3.9, -2.0), (-4.8, -2.8),
        (-4.2, -1.2),
    )  # fmt: skip
    return (
        moved(polygon(gun, colour), 1.3, 2.9, 1, -78),
        cut_out(colour, ((-1.9, -0.6), (1.6, -0.6), (2.1, 1.7), (0.2, 2.2), (-2.3, 2.2)), box(-1.4, 1.0, 1.5, 0.5)),
        polygon(((-4.5, 0.6), (-2.6, 0.6), (-2.6, 2.9), (-3.6, 3.6), (-4.5, 2.9)), colour),
        polygon(claw, colour),
        polygon(box(2.3, -1.5, 1.0, 2.4), colour),
        *_pair(
            colour,
            ((0.3, -0.9), (1.6, -0.9), (2.3, -3.9), (0.9, -3.9)),
            ((0.6, -5.0), (2.9, -5.0), (2.4, -4.2), (0.7, -4.2)),
        ),
    )


def fortress(colour: Colour) -> tuple[Path, ...]:
    """A heavy machine: a broad hull without a head on short legs, a barrel on each side."""
    hull = both(((2.9, -2.2), (4.0, -0.4), (3.9, 1.4), (2.4, 2.9)))
    return (
        cut_out(colour, hull, box(-2.2, 1.1, 4.4, 0.65), box(-2.9, -0.9, 5.8, 0.35)),
        *_pair(
            colour,
            box(2.9, 2.75, 1.1, 1.9),
            ((0.5, -2.5), (2.9, -2.5), (3.3, -4.0), (0.5, -4.0)),
            box(0.4, -5.1, 3.4, 0.9),
        ),
        polygon(both(((1.0, 3.1), (0.7, 3.8))), colour),
    )


def strider(colour: Colour) -> tuple[Path, ...]:
    """A scout: a small body on long bent legs, an aerial, no arms."""
    leg = line(((0.8, 0.0), (2.2, -1.4), (0.9, -3.0), (1.5, -4.6)), Pen(colour, 0.72))
    far = line(((-0.8, 0.0), (-1.4, -1.7), (-3.1, -2.9), (-2.7, -4.6)), Pen(colour, 0.72))
    return (
        cut_out(
            colour,
            ((-1.5, -0.3), (1.2, -0.3), (2.3, 0.6), (2.0, 1.7), (0.6, 2.4), (-1.6, 2.1), (-2.1, 0.9)),
            box(0.5, 0.85, 1.2, 0.6),
        ),
        leg,
        far,
        line(((0.8, -4.75), (2.7, -4.75)), Pen(colour, 0.6)),
        line(((-3.4, -4.75), (-1.5, -4.75)), Pen(colour, 0.6)),
        line(((-1.2, 2.0), (-2.0, 3.8)), Pen(colour, 0.4)),
        circle(-2.0, 3.8, 0.45, colour),
    )


MACHINES: dict[str, Painter] = {
    "walker": walker,
    "shoulder_gun": shoulder_gun,
    "fortress": fortress,
    "strider": strider,
}


_BOWL = tuple((6.2 * cos(a), 1.6 + 5.4 * sin(a)) for a in (-pi * i / 32 for i in range(13, -1, -1)))

SHIELDS: dict[str, tuple[XY, ...]] = {
    "chalice": both(((3.8, -6.6), (3.4, -5.8), (1.5, -4.9), *_BOWL, (6.2, 5.9))),
    "heater": both(((0.0, -6.9), (2.0, -5.6), (3.9, -3.5), (5.2, -1.0), (5.8, 1.8), (5.9, 5.9)))[1:],
}
"""What a shield looks like, by the theme's word for it."""


def shield(design: Design) -> list[Item]:
    """A shield with its drawing; DataError for any mark."""
    if design.mark:
        raise DataError(Problem(f'shields bear no mark "{design.mark}"'))
    outline = SHIELDS[design.outline]
    figure = [moved(path, 0, 1.15, 1.04) for path in design.drawing(design.camp.light)]
    return [*body(outline, design), edge(outline, design), *figure]


def _wheel(x: float, y: float, r: float, colour: Colour) -> tuple[Path, ...]:
    spokes = ((x + r * cos(pi * i / 4), y + r * sin(pi * i / 4)) for i in range(4))
    return (
        circle(x, y, r, None, Pen(colour, 0.5)),
        *(line((p, (2 * x - p[0], 2 * y - p[1])), Pen(colour, 0.24)) for p in spokes),
        circle(x, y, 0.4, colour),
    )


def war_wagon(colour: Colour) -> tuple[Path, ...]:
    """A wagon with boarded sides and loopholes."""
    side = both(((3.7, 0.1), (4.5, 3.3)))
    holes = tuple(((x - 0.5, 1.2), (x + 0.5, 1.2), (x, 2.3)) for x in (-2.3, 0.0, 2.3))
    return (
        cut_out(colour, side, *holes),
        rectangle(-1.1, -1.6, 2.2, 1.1, colour),
        *_wheel(-2.7, -1.6, 1.5, colour),
        *_wheel(2.7, -1.6, 1.5, colour),
    )


def horse_and_lance(colour: Colour) -> tuple[Path, ...]:
    """A horse's head and a lance with its pennon: cavalry."""
    return (
        horse_head(colour, 1.1, -0.2, 1.0),
        line(((-3.3, -3.5), (-3.3, 4.2)), Pen(colour, 0.55)),
        polygon(((-3.3, 4.4), (-3.3, 2.0), (0.1, 2.5), (-1.0, 3.3), (0.1, 4.1)), colour),
    )


def horse_and_handgun(colour: Colour) -> tuple[Path, ...]:
    """A horse's head below a handgun that goes off: mounted shooters."""
    tube = (
        (-4.6, 2.6), (-1.4, 2.6), (-1.4, 2.2), (1.9, 2.2), (1.9, 3.6), (-1.4, 3.6), (-1.4, 3.2), (-4.6, 3.2),
    )  # fmt: skip
    flash = tuple(turned((1.75 if i % 2 else 0.75, 0), 30 * i) for i in range(12))
    return (
        horse_head(colour, -0.5, -1.3, 0.92),
        polygon(tube, colour),
        moved(polygon(flash, colour), 3.2, 2.9),
    )


def halberd_and_flail(colour: Colour) -> tuple[Path, ...]:
    """A halberd and a flail crossed: men on foot."""
    halberd = (
        line(((0, -4.4), (0, 4.3)), Pen(colour, 0.7)),
        polygon(((-0.4, 2.9), (0.4, 2.9), (0, 5.3)), colour),
        polygon(((0.2, 0.7), (2.0, 0.2), (2.5, 1.8), (2.0, 3.3), (0.2, 2.8)), colour),
        polygon(((-0.2, 2.7), (-1.9, 1.9), (-0.2, 1.2)), colour),
    )
    flail = (
        line(((0, -4.4), (0, 3.4)), Pen(colour, 0.7)),
        line(((0, 3.5), (-2.1, 3.1)), Pen(colour, 0.4)),
        line(((-2.2, 2.9), (-2.2, 0.3)), Pen(colour, 1.5)),
    )
    return tuple(moved(p, 0.3, -0.2, 0.97, -36) for p in halberd) + tuple(
        moved(p, -0.3, -0.2, 0.97, 36) for p in flail
    )


def crown(colour: Colour) -> tuple[Path, ...]:
    """A crown on a closed helm: who leads them."""
    rim = ((2.9, 0.5), (3.6, 3.3), (2.0, 2.0), (1.2, 3.5))
    helm = both(((0.0, -3.9), (1.7, -3.1), (2.1, -1.6), (2.2, -0.2)))[1:]
    return (
        polygon((*rim, (0.0, 2.0), *mirrored(rim)), colour),
        *(circle(x, y, 0.45, colour) for x, y in ((-3.6, 3.5), (-1.2, 3.7), (1.2, 3.7), (3.6, 3.5))),
        cut_out(colour, helm, box(-1.6, -1.3, 3.2, 0.42), box(-0.2, -3.2, 0.4, 1.5)),
    )


def bombard(colour: Colour) -> tuple[Path, ...]:
    """A great siege gun on its bed, with its stones."""
    tube = (
        (-4.0, -0.8), (-1.7, -0.8), (-1.7, -1.35), (2.6, -1.35), (2.6, -1.8), (3.6, -1.8), (3.6, 1.8), (2.6, 1.8),
        (2.6, 1.35), (-1.7, 1.35), (-1.7, 0.8), (-4.0, 0.8),
    )  # fmt: skip
    bed = ((-4.2, -2.9), (1.6, -2.9), (1.6, -1.3), (0.2, -1.3), (-2.6, -1.9), (-3.4, -1.0), (-4.2, -1.0))
    return (
        moved(polygon(tube, colour), 0.1, 1.3, 1.0, 14),
        polygon(bed, colour),
        *(circle(x, y, 0.72, colour) for x, y in ((2.6, -2.2), (4.1, -2.2), (3.35, -0.9))),
    )


def galero(colour: Colour) -> tuple[Path, ...]:
    """A cardinal's broad hat with its tassels."""
    brim = (
        ("M", -4.3, 1.6), ("C", -4.3, 0.7, 4.3, 0.7, 4.3, 1.6), ("C", 4.3, 2.5, -4.3, 2.5, -4.3, 1.6), ("Z",),
    )  # fmt: skip
    dome = (("M", -1.8, 2.2), ("C", -1.8, 4.2, 1.8, 4.2, 1.8, 2.2), ("Z",))
    tassels = tuple((s * x, y) for s in (-1, 1) for x, y in ((2.9, -0.9), (2.2, -2.4), (3.6, -2.4)))
    cords = tuple(((s * 3.0, 1.2), (s * 2.9, -0.7)) for s in (-1, 1))
    return (
        Path(brim, colour),
        Path(dome, colour),
        *(line(cord, Pen(colour, 0.4)) for cord in cords),
        *(polygon(((x, y + 0.9), (x - 0.62, y - 0.6), (x + 0.62, y - 0.6)), colour) for x, y in tassels),
        line(((0, -3.1), (0, 0.3)), Pen(colour, 0.7)),
        line(((-1.1, -0.8), (1.1, -0.8)), Pen(colour, 0.7)),
    )


def double_cross(colour: Colour) -> tuple[Path, ...]:
    """A cross with two bars: who speaks for the Pope."""
    return (
        rectangle(-0.5, -4.0, 1.0, 8.0, colour),
        rectangle(-1.7, 1.7, 3.4, 0.95, colour),
        rectangle(-2.8, -0.3, 5.6, 0.95, colour),
        rectangle(-1.3, -4.2, 2.6, 0.8, colour),
    )


HOSTS: dict[str, Painter] = {
    "war_wagon": war_wagon,
    "horse_and_lance": horse_and_lance,
    "horse_and_handgun": horse_and_handgun,
    "halberd_and_flail": halberd_and_flail,
    "crown": crown,
    "bombard": bombard,
    "galero": galero,
    "double_cross": double_cross,
}


FOLD = 4.0
_WOOD = {"full": "#4a3826", "saver": "#000000"}

OUTLINES: dict[str, tuple[XY, ...]] = {
    "swallowtail": ((-4.9, 5.0), (-4.9, -5.6), (0, -3.3), (4.9, -5.6), (4.9, 5.0)),
    "flag": ((-4.7, 5.3), (-4.7, -4.6), (5.3, -4.6), (5.3, 5.3)),
    "disc": tuple((5.4 * cos(pi * i / 24), 5.4 * sin(pi * i / 24) + 0.3) for i in range(48)),
}
"""What a banner's cloth looks like, by the theme's word for it."""


DRAWINGS: Mapping[str, Painter] = WEAPONS | ARMS | MACHINES | HOSTS
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


@lru_cache(1024)  # the counters of a long print
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


def _index(quality: Quality, ink: str, x: float) -> Iterator[Item]:
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
