"""Squads of machines: all that come to some points, of which one is drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement
from math import factorial, prod

from generator.draw.streams import Stream
from generator.errors import NothingLegalError, Problem, WrongUsageError, near
from generator.games.battling.forces.machines import Pack
from generator.games.battling.numbers import play

Kinds = tuple[str, ...]
"""A squad's machines by their kinds, in the order of the pack."""


def cost(pack: Pack, kinds: Iterable[str]) -> int:
    """What machines come to."""
    return sum(pack.machines[kind].points for kind in kinds)


def squads(pack: Pack, sizes: Iterable[int], points: int | None = None) -> list[Kinds]:
    """Every squad of so many machines, and of so many points where these are given; never none."""
    found = [squad for size in sizes for squad in combinations_with_replacement(pack.machines, size)]
    fit = [squad for squad in found if points is None or cost(pack, squad) == points]
    if not fit:
        sums = sorted({cost(pack, squad) for squad in found}, key=lambda total: (abs(total - (points or 0)), total))
        hint = f"nearest: {', '.join(map(str, sorted(sums[:4])))}" if sums else ""
        raise NothingLegalError(Problem(f"no squad of these machines comes to {points} points", hint=hint))
    return fit


def drawn(stream: Stream, among: Sequence[Kinds]) -> Kinds:
    """One of the squads, as likely as if each machine were drawn by itself, but none of one kind if others may be.

    So a squad of three kinds is six times as likely as one of a single kind would be; that there are more squads of a
    size makes it no likelier.
    """
    varied = [squad for squad in among if len(set(squad)) > 1] or among
    kinds, longest = len({kind for squad in varied for kind in squad}), max(map(len, varied))
    return stream.weighted(varied, [_orders(squad) * kinds ** (longest - len(squad)) for squad in varied])


def _orders(squad: Kinds) -> int:
    """In how many orders its machines can be drawn."""
    return factorial(len(squad)) // prod(map(factorial, Counter(squad).values()))


def wished(pack: Pack, player: str, text: str) -> Kinds:
    """The machines typed for a player; WrongUsageError for one that the pack does not know."""
    kinds = tuple(text.replace(",", " ").split())
    for kind in kinds:
        if kind not in pack.machines:
            raise WrongUsageError(Problem(f"no machine {kind!r} for player {player}", hint=near(kind, pack.machines)))
    if len(kinds) not in play().machines:
        least, most = play().machines.least, play().machines.most
        raise WrongUsageError(f"player {player} has {len(kinds)} machines, {least} to {most} make a squad")
    return kinds


def sizes(machines: str | None) -> Sequence[int]:
    """How many machines a squad may have: as wished for, or as many as may be."""
    if machines:
        return (int(machines),)
    return range(play().machines.least, play().machines.most + 1)
