"""The half turn: boards and forces held against their image, and orders that set up both sides alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from msgspec.structs import replace

from generator.common.search import MIRROR, mirrors
from generator.errors import WrongUsageError
from generator.games.battlelore.forces import Pool, Stock, Unit
from generator.games.battlelore.ground import SECTIONS, SIDES, Board, Section, Side, profile, side_name, words
from generator.games.battlelore.model import OTHER, CampUnit
from generator.grid.hexes import Hex, direction, opposite
from generator.model.scenario import Request
from generator.model.words import Words
from generator.said import say

FACING: Mapping[Section, Section] = dict(zip(SECTIONS, reversed(SECTIONS), strict=True))
"""The section of the other camp that lies opposite, each counted from its own seat."""
SHOWN = 8
"""Hexes or units that a finding names."""


def as_one(order: Request, but: Iterable[str] = ()) -> Request:
    """A mirrored order whose wishes for the Pennant camp hold for the other too; any other order as it is.

    WrongUsageError where the Standard camp wishes for something else. `but` are wishes that each camp has for itself.
    """
    if not mirrors(order):
        return order
    wishes = dict(order.wishes)
    first, second = SIDES
    for name in order.wishes:
        what, _, camp = name.rpartition("-")
        if camp not in SIDES or what in but:
            continue
        own, other = f"{what}-{first}", f"{what}-{second}"
        if wishes.get(own) != wishes.get(other, wishes.get(own)):
            hint = say("wish with --{own} for both, or leave out --{mirror}", own=own, mirror=MIRROR)
            raise WrongUsageError(say("--{other}: both sides are set up alike", other=other), hint=hint)
        wishes |= {own: wishes[own], other: wishes[own]}
    return replace(order, wishes=wishes)


def drawer(camp: Side, *, mirrored: bool) -> Side:
    """The camp whose streams draw for a camp: in a mirrored order one camp's for both."""
    return SIDES[0] if mirrored else camp


def evened(pool: Pool) -> Pool:
    """What both camps have of a pool: each camp's share is the lesser one."""
    ours, theirs = pool.pennant, pool.standard
    both = Stock(
        _least(ours.figures, theirs.figures),
        _least(ours.banners, theirs.banners),
        {name: min(n, theirs.levies.get(name, 0)) for name, n in ours.levies.items()},
    )
    return Pool(pool.name, both, both, pool.source)


def _least(ours: Mapping[str, dict[str, int]], theirs: Mapping[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    return {
        name: {what: min(n, theirs.get(name, {}).get(what, 0)) for what, n in counts.items()}
        for name, counts in ours.items()
    }


def turned(board: Board) -> Board:
    """The board as the player opposite sees it."""
    turn = board.field.turned
    return Board(
        board.profile,
        {turn(cell): board.ground[cell] for cell in board.field.cells},
        {turn(cell): feature for cell, feature in board.features.items()},
        {turn(cell): tuple(sorted(opposite(d) for d in sides)) for cell, sides in board.walls.items()},
    )


def asymmetries(board: Board) -> tuple[Words, ...]:
    """Whatever keeps a board from mapping onto itself under the half turn: its hexes, sections, ground, cliffs."""
    say = words()["mirror"]
    other = turned(board)
    found = [] if _turns(board.profile) else [say["profile"].fill(profile=board.plan.name)]
    cells = board.field.cells
    ground = [c for c in cells if board.ground[c] != other.ground[c]]
    features = [c for c in cells if board.features.get(c) != other.features.get(c)]
    walls = [c for c in cells if set(board.walls.get(c, ())) != set(other.walls.get(c, ()))]
    for what, where in (("ground", ground), ("features", features), ("cliffs", walls)):
        if where:
            found.append(say[what].fill(hexes=_shown([board.field.name(cell) for cell in where]), n=len(where)))
    return tuple(found)


def symmetric(board: Board) -> bool:
    """Whether a board maps onto itself under the half turn."""
    return not asymmetries(board)


@lru_cache(64)  # the house maps
def _turns(name: str) -> bool:
    """Whether the hexes and section lines of a board profile map onto themselves under the half turn."""
    plan = profile(name)
    field = plan.field
    if any(field.turned(cell) not in field for cell in field.cells):
        return False
    for cell in field.cells:
        for beside in field.neighbours(cell):
            way, back = direction(cell, beside), direction(field.turned(cell), field.turned(beside))
            if way is None or back != opposite(way):
                return False
    return all(
        set(plan.section_cells(section, "pennant")) == set(plan.section_cells(facing, "standard"))
        for section, facing in FACING.items()
    )


def uneven(board: Board, units: Iterable[CampUnit]) -> tuple[Words, ...]:
    """Whatever keeps units from mapping onto the other camp's under the half turn, undeployed ones too."""
    units = tuple(units)
    stand = {camp: Counter(_seen(board, camp, unit) for of, unit in units if of == camp) for camp in SIDES}
    say = words()["mirror"]["units"]
    return tuple(
        say.fill(camp=side_name(camp), units=_shown(_lone(units, board, camp, more)), n=more.total())
        for camp in SIDES
        if (more := stand[camp] - stand[OTHER[camp]])
    )


_Seen = tuple[Hex | None, object, bool, int]


def _seen(board: Board, camp: Side, unit: Unit) -> _Seen:
    """A unit as its own camp sees it."""
    return board.plan.seen(unit.hex, camp) if unit.hex else None, unit.kind, unit.levy, unit.extra


def _lone(units: tuple[CampUnit, ...], board: Board, camp: Side, more: Counter[_Seen]) -> list[str]:
    return [unit.id for of, unit in units if of == camp and more[_seen(board, camp, unit)]]


def _shown(names: list[str]) -> str:
    """The first few names."""
    return " ".join(names[:SHOWN]) + (" …" if len(names) > SHOWN else "")


def different(camps: Mapping[Side, object], what: str) -> Iterator[Words]:
    """A finding of [mirror] where the camps have not the same."""
    ours, theirs = (camps[camp] for camp in SIDES)
    if ours != theirs:
        yield words()["mirror"][what]
