"""Find the stacks that reach a hex of a declared march before the marching stack.

Only units that can intercept take part. The rest of the stack remains on its hex as a separate stack (decision
B15). It fights only if the march is intercepted on that hex. A stack intercepts on a hex if its cheapest path
costs strictly less than the march up to and including that hex, and at most its movement points (decisions B2,
B3). At equal cost there is no interception. The ruling `enemy_hexes` decides whether paths may pass through hexes
that enemies hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Literal

from msgspec import Struct

from generator.games.blind_faith.ground import OpMap, Route, costs, movement, reach, sound
from generator.games.blind_faith.model import OTHER, Scenario, Stack
from generator.games.blind_faith.tables import Pack, Side, UnitLine
from generator.grid.hexes import Hex

Verdict = Literal["intercepts", "tie", "late", "far", "barred", "unable"]


class Chance(Struct, frozen=True):
    """A stack and a hex of the march on which the stack may intercept, with the costs of their paths."""

    step: int
    """The index of the hex in the path of the march. The hex where the march starts has index 0."""
    hex: Hex
    mover: int
    """The cost of the march up to and including the hex."""
    stack: str
    cost: int | None
    """The cost of the stack's path to the hex. None if the stack has no path, or no units that can intercept."""
    movement: int
    """The movement points of the units that would intercept."""
    verdict: Verdict


def going(pack: Pack, units: UnitLine) -> UnitLine:
    """Return the units that can intercept."""
    return tuple(unit for unit in units if pack.units[unit].intercepts)


def defenders(pack: Pack, stack: Stack, at: Hex) -> UnitLine:
    """Return the units that fight if a stack intercepts on a hex. On its own hex all units fight."""
    return stack.units if at == stack.hex else going(pack, stack.units)


def staying(pack: Pack, stack: Stack, at: Hex) -> UnitLine:
    """Return the units that remain on the stack's own hex when the stack intercepts on another."""
    gone = Counter(defenders(pack, stack, at))
    return pack.line((Counter(stack.units) - gone).elements())


def judge(cost: int | None, mover: int, allowance: int) -> Verdict:
    """Return the verdict on an interception whose path has this cost, when the march has cost `mover`."""
    if cost is None:
        return "far"
    if cost >= mover:
        return "tie" if cost == mover else "late"
    return "intercepts" if cost <= allowance else "far"


def barred(rulings: Mapping[str, str], stacks: Iterable[Stack], side: Side, marching: str = "") -> frozenset[Hex]:
    """Return the hexes held by enemies, at which a path must end; empty if the ruling permits passing.

    The marching stack does not hold its hex.
    """
    if rulings["enemy_hexes"] == "pass":
        return frozenset()
    return frozenset(stack.hex for stack in stacks if stack.side != side and stack.id != marching)


def shut(scenario: Scenario) -> frozenset[Hex]:
    """Return the hexes at which paths of interceptors must end; empty if the scenario has no march."""
    if not (march := scenario.march):
        return frozenset()
    return barred(scenario.rulings, scenario.stacks, OTHER[scenario.stack(march.stack).side], march.stack)


def chances(
    on: OpMap, pack: Pack, side: Side, path: Route, stacks: Iterable[Stack], barred: Collection[Hex] = ()
) -> Iterator[Chance]:
    """Yield a chance for every hex that a side's march enters and every enemy stack.

    Paths of enemy stacks must end at the `barred` hexes.
    """
    others = []
    for stack in stacks:
        if stack.side != side:
            open_ = reach(on, stack.hex)
            min_costs = reach(on, stack.hex, barred) if barred else open_
            others.append((stack, movement(pack, going(pack, stack.units)), min_costs, open_))
    for step, (cell, mover) in enumerate(zip(path, costs(on, path), strict=True)):
        for stack, allowance, min_costs, open_ in others if step else ():
            able = bool(going(pack, stack.units))
            cost = min_costs.get(cell) if able else None
            verdict: Verdict = judge(cost, mover, allowance) if able else "unable"
            verdict = "barred" if able and cost is None and cell in open_ else verdict
            yield Chance(step, cell, mover, stack.id, cost, allowance, verdict)


def retreats(scenario: Scenario, side: Side) -> tuple[Hex, ...]:
    """Return the hexes to which a side can retreat from the battle: adjacent hexes that no enemies hold.

    If there are none, the side cannot retreat (decision B11).
    """
    if not (battle := scenario.battle):
        return ()
    # The fighting units are on the hex of the battle. Units that did not join the interception are still on their own
    # hex.
    interceptor = scenario.stack(battle.defender)
    gone = {scenario.active.id, *([] if staying(scenario.pack, interceptor, battle.hex) else [interceptor.id])}
    enemies = {stack.hex for stack in scenario.stacks if stack.side != side and stack.id not in gone}
    return tuple(cell for cell in scenario.op_map.passable_neighbours(battle.hex) if cell not in enemies)


def all_chances(scenario: Scenario) -> tuple[Chance, ...]:
    """Return all chances to intercept the scenario's march; empty if there is no march or no enemy stack."""
    march = scenario.march
    if not march or not sound(scenario.op_map, march.path):
        return ()
    side = scenario.stack(march.stack).side
    return tuple(chances(scenario.op_map, scenario.pack, side, march.path, scenario.stacks, shut(scenario)))


def rows(scenario: Scenario) -> list[dict[str, object]]:
    """Return the chances to intercept as values for JSON (docs/json.md)."""
    return [
        {
            "step": chance.step,
            "hex": scenario.op_map.name(chance.hex),
            "mover_cost": chance.mover,
            "stack": chance.stack,
            "cost": chance.cost,
            "movement": chance.movement,
            "left_behind": list(staying(scenario.pack, scenario.stack(chance.stack), chance.hex)),
            "verdict": chance.verdict,
        }
        for chance in all_chances(scenario)
    ]
