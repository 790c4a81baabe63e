"""Raising armies: units of a side up to its points, and how they are shared out over stacks."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from generator.draw.streams import Stream
from generator.games.blind_faith.forces.pack import Pack
from generator.games.blind_faith.forces.units import Line
from generator.games.ranges import Range


def raised(
    pack: Pack, recruits: Mapping[str, int], points: int, stream: Stream, *, riders: bool = False, given: Line = ()
) -> Line:
    """Units until no other can be paid for, those given among them; with `riders` the first one may intercept."""
    units = list(given)
    left = points - pack.points(given)
    while open_ := [u for u in recruits if pack.units[u].points <= left and _another(pack, u, units)]:
        able = [unit for unit in open_ if pack.units[unit].intercepts]
        pool = able if riders and able else open_
        riders = False
        units.append(stream.weighted(pool, [recruits[unit] for unit in pool]))
        left -= pack.units[units[-1]].points
    return pack.line(units)


def shared_out(pack: Pack, units: Line, strengths: Collection[int], stream: Stream) -> list[Line] | None:
    """The units over as many stacks as there are strengths, more to the strong; None where one stays empty."""
    order = range(len(strengths))
    stacks: list[list[str]] = [[] for _ in order]
    for unit in units:
        stacks[stream.weighted(order, tuple(strengths))].append(unit)
    return [pack.line(stack) for stack in stacks] if all(stacks) else None


def some(pack: Pack, units: Line, count: int, stream: Stream) -> tuple[Line, Line]:
    """So many of the units, and the rest."""
    mixed = stream.shuffle(units)
    return pack.line(mixed[:count]), pack.line(mixed[count:])


def between(bounds: Range, stream: Stream) -> int:
    """A number between bounds, both included."""
    return stream.choice(bounds.numbers)


def _another(pack: Pack, unit: str, have: Collection[str]) -> bool:
    most = pack.units[unit].most
    return not most or list(have).count(unit) < most
