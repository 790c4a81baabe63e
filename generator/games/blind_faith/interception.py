"""Interception: the stacks that reach hexes of a declared path before the marching stack.

Only units that may intercept go; the rest of a stack stays on its hex as a separate stack (decision B15) and fights
only if the march is intercepted there. A stack intercepts if its cheapest path costs strictly less than the march up
to and including that hex, and at most its movement points (decisions B2, B3); a tie is not an interception. The
ruling `enemy_hexes` decides whether paths may pass through enemy-held hexes.
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
    """The possibility for one stack to intercept on one hex of a path."""

    step: int
    """The index of the hex in the path, from 1; the starting hex has no index."""
    hex: Hex
    mover: int
    """The cost of the march up to the hex."""
    stack: str
    cost: int | None
    """The cost of the stack's path to the hex; None if it has no unit to send, or no path."""
    movement: int
    """The movement points of the units that would go."""
    verdict: Verdict


def going(pack: Pack, units: UnitLine) -> UnitLine:
    """Return the units of a stack that go when it intercepts."""
    return tuple(unit for unit in units if pack.units[unit].intercepts)


def defenders(pack: Pack, stack: Stack, at: Hex) -> UnitLine:
    """Return the units that fight if a stack intercepts on that hex: all on its own hex, else those that go."""
    return stack.units if at == stack.hex else going(pack, stack.units)


def staying(pack: Pack, stack: Stack, at: Hex) -> UnitLine:
    """Return the units of a stack that stay behind when it intercepts on that hex."""
    gone = Counter(defenders(pack, stack, at))
    return pack.line((Counter(stack.units) - gone).elements())


def judge(cost: int | None, mover: int, allowance: int) -> Verdict:
    """Return the verdict on a path of that cost against a march that has cost `mover`."""
    if cost is None:
        return "far"
    if cost >= mover:
        return "tie" if cost == mover else "late"
    return "intercepts" if cost <= allowance else "far"


def barred(rulings: Mapping[str, str], stacks: Iterable[Stack], side: Side, marching: str = "") -> frozenset[Hex]:
    """Return the hexes at which a side's path must end: those held by enemies, unless it may pass through them.

    A marching stack does not hold a hex.
    """
    if rulings["enemy_hexes"] == "pass":
        return frozenset()
    return frozenset(stack.hex for stack in stacks if stack.side != side and stack.id != marching)


def shut(scenario: Scenario) -> frozenset[Hex]:
    """Return the hexes that interceptors of the scenario's march cannot pass; empty without a march."""
    if not (march := scenario.march):
        return frozenset()
    return barred(scenario.rulings, scenario.stacks, OTHER[scenario.stack(march.stack).side], march.stack)


def chances(
    on: OpMap, pack: Pack, side: Side, path: Route, stacks: Iterable[Stack], barred: Collection[Hex] = ()
) -> Iterator[Chance]:
    """Yield every hex that a side's march enters with every enemy stack, which cannot pass barred hexes."""
    others = []
    for stack in stacks:
        if stack.side != side:
            open_ = reach(on, stack.hex)
            least = reach(on, stack.hex, barred) if barred else open_
            others.append((stack, movement(pack, going(pack, stack.units)), least, open_))
    for step, (cell, mover) in enumerate(zip(path, costs(on, path), strict=True)):
        for stack, allowance, least, open_ in others if step else ():
            able = bool(going(pack, stack.units))
            cost = least.get(cell) if able else None
            verdict: Verdict = judge(cost, mover, allowance) if able else "unable"
            verdict = "barred" if able and cost is None and cell in open_ else verdict
            yield Chance(step, cell, mover, stack.id, cost, allowance, verdict)


def retreats(scenario: Scenario, side: Side) -> tuple[Hex, ...]:
    """Return the hexes to which a side may retreat from the battle: adjacent ones without enemies.

    If there is none, the side must stay (decision B11).
    """
    if not (battle := scenario.battle):
        return ()
    # Fighting units are on the battle's hex, but units left behind are still on their original hex.
    met = scenario.stack(battle.defender)
    gone = {scenario.active.id, *([] if staying(scenario.pack, met, battle.hex) else [met.id])}
    enemies = {stack.hex for stack in scenario.stacks if stack.side != side and stack.id not in gone}
    return tuple(cell for cell in scenario.land.beside(battle.hex) if cell not in enemies)


def all_chances(scenario: Scenario) -> tuple[Chance, ...]:
    """Return the possibilities against the scenario's march; empty without a march or enemy stacks."""
    march = scenario.march
    if not march or not sound(scenario.land, march.path):
        return ()
    side = scenario.stack(march.stack).side
    return tuple(chances(scenario.land, scenario.pack, side, march.path, scenario.stacks, shut(scenario)))


def rows(scenario: Scenario) -> list[dict[str, object]]:
    """Return the possibilities as plain values (docs/json.md)."""
    return [
        {
            "step": chance.step,
            "hex": scenario.land.name(chance.hex),
            "mover_cost": chance.mover,
            "stack": chance.stack,
            "cost": chance.cost,
            "movement": chance.movement,
            "left_behind": list(staying(scenario.pack, scenario.stack(chance.stack), chance.hex)),
            "verdict": chance.verdict,
        }
        for chance in all_chances(scenario)
    ]
