"""Weapons and badges: one colour each, in a box of about ±3.3 mm (weapons) or ±1.5 mm (badges)."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

from generator.model.picture import XY, Colour, Path, Pen, circle, line, polygon, rectangle
from generator.press.symbols.shapes import moved

Drawing = Callable[[Colour], tuple[Path, ...]]


def _turned(paths: tuple[Path, ...], degrees: float) -> tuple[Path, ...]:
    return tuple(moved(path, turn=degrees) for path in paths)


def _curve(start: XY, *curves: tuple[XY, XY, XY], pen: Pen) -> Path:
    steps = tuple(("C", *a, *b, *c) for a, b, c in curves)
    return Path((("M", *start), *steps), None, pen)


def short_sword(colour: Colour) -> tuple[Path, ...]:
    """A broad leaf-shaped blade, upright."""
    return (
        polygon(((-0.7, -1.3), (-0.9, 1.0), (-0.75, 1.9), (0, 3.4), (0.75, 1.9), (0.9, 1.0), (0.7, -1.3)), colour),
        rectangle(-1.9, -2.0, 3.8, 0.7, colour),
        rectangle(-0.38, -3.0, 0.76, 1.1, colour),
        circle(0, -3.1, 0.65, colour),
    )


def long_sword(colour: Colour) -> tuple[Path, ...]:
    """A long slender blade, raised aslant."""
    upright = (
        polygon(((-0.48, -1.9), (-0.48, 3.7), (0, 4.7), (0.48, 3.7), (0.48, -1.9)), colour),
        rectangle(-2.0, -2.5, 4.0, 0.62, colour),
        rectangle(-0.32, -3.8, 0.64, 1.4, colour),
        circle(0, -4.0, 0.62, colour),
    )
    return _turned(upright, -40)


def _arrow(colour: Colour, tail: float, head: float) -> tuple[Path, ...]:
    return (
        line(((tail, 0), (head - 1, 0)), Pen(colour, 0.42)),
        polygon(((head, 0), (head - 1.35, 0.75), (head - 1.35, -0.75)), colour),
        line(((tail - 0.5, 0.7), (tail + 0.25, 0), (tail - 0.5, -0.7)), Pen(colour, 0.38)),
    )


def recurve_bow(colour: Colour) -> tuple[Path, ...]:
    """A short bow with its ends bent forward, an arrow on the string."""
    bow = _curve(
        (-0.6, 3.1),
        ((-1.3, 2.6), (-0.2, 2.4), (0.5, 1.7)),
        ((1.3, 0.9), (1.3, -0.9), (0.5, -1.7)),
        ((-0.2, -2.4), (-1.3, -2.6), (-0.6, -3.1)),
        pen=Pen(colour, 0.72),
    )
    string = line(((-0.85, 2.7), (-2.1, 0), (-0.85, -2.7)), Pen(colour, 0.26))
    return (bow, string, *_arrow(colour, -2.1, 3.3))


def tall_bow(colour: Colour) -> tuple[Path, ...]:
    """A bow of a man's height with an even curve, drawn and raised aslant."""
    bow = _curve((-1.3, 3.8), ((1.7, 2.4), (1.7, -2.4), (-1.3, -3.8)), pen=Pen(colour, 0.7))
    string = line(((-1.3, 3.8), (-2.3, 0), (-1.3, -3.8)), Pen(colour, 0.26))
    drawn = (bow, string, *_arrow(colour, -2.3, 3.6))
    return tuple(moved(path, 0.45, -0.3, 0.9, 42) for path in drawn)


def crossbow(colour: Colour) -> tuple[Path, ...]:
    """A crossbow from above, a bolt on the stock."""
    return (
        _curve((-3.1, 0.6), ((-2.0, 2.6), (2.0, 2.6), (3.1, 0.6)), pen=Pen(colour, 0.7)),
        line(((-3.1, 0.6), (0, -1.1), (3.1, 0.6)), Pen(colour, 0.26)),
        polygon(((-0.42, 2.3), (0.42, 2.3), (0.42, -1.6), (0.7, -3.2), (-0.7, -3.2), (-0.42, -1.6)), colour),
        polygon(((0, 3.5), (0.7, 2.2), (-0.7, 2.2)), colour),
    )


def windlass_crossbow(colour: Colour) -> tuple[Path, ...]:
    """A heavy crossbow: a steel bow, a stirrup before it, a windlass behind."""
    return (
        polygon(
            ((-3.4, 0.2), (-2.6, 1.7), (2.6, 1.7), (3.4, 0.2), (2.7, 0.3), (2.1, 0.9), (-2.1, 0.9), (-2.7, 0.3)),
            colour,
        ),
        line(((-3.1, 0.35), (0, -1.0), (3.1, 0.35)), Pen(colour, 0.26)),
        rectangle(-0.55, -3.1, 1.1, 4.6, colour),
        line(((-0.75, 1.7), (-0.75, 3.2), (0.75, 3.2), (0.75, 1.7)), Pen(colour, 0.5)),
        line(((-2.3, -2.1), (-2.3, -2.7), (2.3, -2.7), (2.3, -3.3)), Pen(colour, 0.5)),
    )


def hammer(colour: Colour) -> tuple[Path, ...]:
    """A war hammer."""
    upright = (
        rectangle(-0.2, -1.45, 0.4, 2.0, colour),
        polygon(
            ((-1.0, 0.25), (0.55, 0.25), (1.25, 0.7), (0.55, 1.2), (-1.0, 1.2)),
            colour,
        ),
    )
    return _turned(upright, -20)


def long_ears(colour: Colour) -> tuple[Path, ...]:
    """A narrow face between long ears."""
    return (
        polygon(
            (
                (-1.65, 0.9), (-0.75, 0.55), (-0.45, 0.95), (0.45, 0.95), (0.75, 0.55), (1.65, 0.9),
                (0.85, -0.25), (0.45, -0.95), (0, -1.3), (-0.45, -0.95), (-0.85, -0.25),
            ),
            colour,
        ),
        polygon(((-0.55, 0.35), (-0.1, 0.1), (-0.5, -0.05)), "#ffffff"),
        polygon(((0.55, 0.35), (0.1, 0.1), (0.5, -0.05)), "#ffffff"),
    )  # fmt: skip


def horse(colour: Colour) -> tuple[Path, ...]:
    """A horse's head."""
    return (
        polygon(
            (
                (-1.05, -1.4), (-1.1, -0.3), (-0.75, 0.6), (-0.15, 1.05), (-0.1, 1.55), (0.25, 1.1), (0.7, 0.7),
                (1.35, -0.15), (1.2, -0.55), (0.8, -0.6), (0.35, -0.2), (0.1, -0.25), (0.2, -0.7), (0.65, -1.4),
            ),
            colour,
        ),
        circle(0.3, 0.5, 0.13, "#ffffff"),
    )  # fmt: skip


def pitchfork(colour: Colour) -> tuple[Path, ...]:
    """A fork and a flail crossed: peasants in arms."""
    fork = (
        line(((0, -3.9), (0, 1.4)), Pen(colour, 0.6)),
        line(((-1.3, 3.6), (-1.3, 1.9), (-0.7, 1.3), (0.7, 1.3), (1.3, 1.9), (1.3, 3.6)), Pen(colour, 0.5)),
        line(((0, 1.3), (0, 3.7)), Pen(colour, 0.5)),
    )
    flail = (
        line(((0, -3.9), (0, 2.2)), Pen(colour, 0.6)),
        line(((0, 2.4), (1.9, 1.0)), Pen(colour, 0.95)),
        circle(0, 2.4, 0.5, colour),
    )
    return _turned(fork, 32) + _turned(flail, -32)


def star(colour: Colour) -> tuple[Path, ...]:
    """A star of eight rays, four of them long."""
    rays = (4.0, 1.7, 2.6, 1.7)
    points = tuple((rays[i % 4] * sin(pi * i / 8), rays[i % 4] * cos(pi * i / 8)) for i in range(16))
    return (polygon(points, colour),)


WEAPONS: dict[str, Drawing] = {
    "short_sword": short_sword,
    "long_sword": long_sword,
    "recurve_bow": recurve_bow,
    "tall_bow": tall_bow,
    "crossbow": crossbow,
    "windlass_crossbow": windlass_crossbow,
    "pitchfork": pitchfork,
    "star": star,
}
BADGES: dict[str, Drawing] = {
    "hammer": hammer,
    "long_ears": long_ears,
    "horse": horse,
}
