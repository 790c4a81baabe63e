"""Courses for a random river: chains of hexes from one edge of the map to another.

A course turns by a sixth at a time at most and never runs back, so it never touches itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from generator.draw.streams import Stream
from generator.games.battlelore.ground.board import Profile, Section
from generator.grid.hexes import DIRECTIONS, STEPS, Hex

E, NE, NW, W, _, SE = range(6)
ACROSS = {E: 3, NE: 2, SE: 2}
"""How likely a river across the field takes each direction; one down a wing goes sideways now and then."""
UP = {NE: 4, NW: 4}
SIDEWAYS = {E: 1, W: 1}
TRIES = 60
SKEW = 3
"""Rows by which a river across the field may lie nearer to one camp, summed over its hexes."""


def across(plan: Profile, stream: Stream) -> Sequence[Hex]:
    """A course from the left edge to the right one through the middle rows, as near to either camp."""
    field, middle = plan.field, len(plan.rows) // 2
    banks = range(middle - 1, middle + 2)
    for _try in range(TRIES):
        course = [field.at(0, stream.choice(banks))]
        way = E
        while course[-1].r in banks and course[-1] + STEPS[E] in field:
            way = _turn(way, ACROSS, stream)
            course.append(course[-1] + STEPS[way])
        inside = all(cell in field and cell.r in banks for cell in course)
        if inside and abs(sum(cell.r - middle for cell in course)) <= SKEW:
            return course
    return field.row(middle)


def through_the_middle(plan: Profile, stream: Stream) -> Sequence[Hex]:
    """The right half of a course across that is its own image under the half turn, from the board's middle on."""
    field, middle = plan.field, len(plan.rows) // 2
    banks = range(middle - 1, middle + 2)
    first = field.at(plan.rows[middle] // 2, middle)
    for _try in range(TRIES):
        course, way = [first], E
        while course[-1].r in banks and course[-1] + STEPS[E] in field:
            way = _turn(way, ACROSS, stream)
            course.append(course[-1] + STEPS[way])
        if all(cell in field and cell.r in banks for cell in course):
            return course
    return [field.at(column, middle) for column in range(plan.rows[middle] // 2, plan.rows[middle])]


def down_a_wing(plan: Profile, stream: Stream) -> Sequence[Hex]:
    """A course from the near baseline to the far one through a wing, clear of the board's side."""
    field = plan.field
    sides: tuple[Section, Section] = ("left", "right")
    wing = plan.sections[stream.choice(sides)].columns(0)
    columns = [c for c in wing if c not in (0, plan.rows[0] - 1)]
    for _try in range(TRIES):
        course = [field.at(stream.choice(columns), 0)]
        way = stream.choice(list(UP))
        course.append(course[-1] + STEPS[way])
        while course[-1].r < len(plan.rows) - 1:
            way = _turn(way, UP if way in SIDEWAYS else UP | SIDEWAYS, stream)
            course.append(course[-1] + STEPS[way])
        if all(field.column(cell) in columns for cell in course):
            return course
    return [field.at(columns[1], row) for row in range(len(plan.rows))]


def _turn(way: int, weights: Mapping[int, int], stream: Stream) -> int:
    """The next direction, a sixth of a turn away at most."""
    ways = [d for d in weights if (d - way + 1) % len(DIRECTIONS) <= 2]
    return stream.weighted(ways, [weights[d] for d in ways])


def spread(course: Sequence[Hex], count: int, stream: Stream) -> list[Hex]:
    """Hexes for crossings, one in each of `count` stretches, none at the ends and none side by side."""
    inner = course[1:-1]
    cuts = [len(inner) * i // count for i in range(count + 1)]
    return [stream.choice(inner[a : b - 1]) for a, b in pairwise(cuts)]
