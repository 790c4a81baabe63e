"""What the log of a draw may tell: every fact of a scenario that is drawn or wished for, in its order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from generator.games.blind_faith.forces.units import SIDES
from generator.games.blind_faith.scenario import OTHER, Scenario

Told = tuple[str, str | None, tuple[str, ...]]
"""The kind of step, the side, and what came."""


def counted(units: Iterable[str]) -> tuple[str, ...]:
    """Units as the log has them: `3 tabor`."""
    return tuple(f"{count} {unit}" for unit, count in Counter(units).items())


def account(scenario: Scenario) -> Iterator[Told]:
    """The steps of a scenario's log."""
    active = scenario.active.side
    yield "map", None, (scenario.map,)
    yield "kind", None, (scenario.kind,)
    yield "turn", None, (str(scenario.turn),)
    yield "points", None, (str(scenario.points),)
    yield "mover", active, ()
    yield "crusade", None, ("on" if scenario.crusade else "off",)
    yield "legates", None, scenario.legates
    for side in SIDES:
        yield "army", side, (scenario.armies[side],)
        for stack in scenario.stacks:
            if stack.side == side:
                yield "stack", side, (stack.id, scenario.land.name(stack.hex), *counted(stack.units))
                if stack.leader:
                    yield "leader", side, (stack.id, stack.leader)
                if stack.legate:
                    yield "legate", side, (stack.id, stack.legate)
    for routed in scenario.routed:
        yield "routed", routed.side, counted(routed.units)
    yield from _action(scenario)


def _action(scenario: Scenario) -> Iterator[Told]:
    side, name = scenario.active.side, scenario.land.name
    if march := scenario.march:
        yield "path", side, (march.stack, *map(name, march.path))
    if battle := scenario.battle:
        yield "meeting", OTHER[side], (battle.defender, name(battle.hex))
        for who, force in ((side, battle.attack), (OTHER[side], battle.defence)):
            yield "front", who, counted(force.front)
            yield "reserve", who, counted(force.reserve)
    if siege := scenario.siege:
        yield "siege", side, (siege.besieger, siege.garrison, siege.wall)
        yield "bombard", side, counted(siege.bombard)
        yield "storm", side, counted(siege.storm)
        yield "reserve", side, counted(siege.reserve)
