"""Interception: which stacks come first to which hexes of a declared path.

Only units that may intercept go; the rest of a stack stays on its hex as a stack of its own (decision B15), where
it fights only if the march is met there.
A stack intercepts where its cheapest way costs strictly less than the march has cost up to that hex, that hex
included, and no more than it has movement points (decisions B2, B3); a tie is no interception. Whether ways pass
through hexes that enemies hold is a ruling, `enemy_hexes`.
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
    """What one stack can do about one hex of a path."""

    step: int
    """The place of the hex in the path, from 1; the hex that the march sets out from has none."""
    hex: Hex
    mover: int
    """What the march has cost up to it."""
    stack: str
    cost: int | None
    """What the way there costs the stack; None where it has nobody to send, or no way."""
    movement: int
    """The movement points of those who would go."""
    verdict: Verdict


def going(pack: Pack, units: UnitLine) -> UnitLine:
    """The units of a stack that go when it intercepts."""
    return tuple(unit for unit in units if pack.units[unit].intercepts)


def defenders(pack: Pack, stack: Stack, at: Hex) -> UnitLine:
    """The units that fight where a stack meets a march: all of it on its own hex, elsewhere those that go."""
    return stack.units if at == stack.hex else going(pack, stack.units)


def staying(pack: Pack, stack: Stack, at: Hex) -> UnitLine:
    """The units of a stack that are left behind when it intercepts on that hex."""
    gone = Counter(defenders(pack, stack, at))
    return pack.line((Counter(stack.units) - gone).elements())


def judge(cost: int | None, mover: int, allowance: int) -> Verdict:
    """Whether a way of that cost comes before a march that has cost `mover`."""
    if cost is None:
        return "far"
    if cost >= mover:
        return "tie" if cost == mover else "late"
    return "intercepts" if cost <= allowance else "far"


def barred(rulings: Mapping[str, str], stacks: Iterable[Stack], side: Side, marching: str = "") -> frozenset[Hex]:
    """The hexes where a way of that side ends if it leads there: those that enemies hold, unless it may pass them.

    A stack holds no hex while it marches.
    """
    if rulings["enemy_hexes"] == "pass":
        return frozenset()
    return frozenset(stack.hex for stack in stacks if stack.side != side and stack.id != marching)


def shut(scenario: Scenario) -> frozenset[Hex]:
    """The hexes that nobody passes who intercepts the scenario's march; none where nobody marches."""
    if not (march := scenario.march):
        return frozenset()
    return barred(scenario.rulings, scenario.stacks, OTHER[scenario.stack(march.stack).side], march.stack)


def chances(
    on: OpMap, pack: Pack, side: Side, path: Route, stacks: Iterable[Stack], barred: Collection[Hex] = ()
) -> Iterator[Chance]:
    """Every hex that a march of that side enters, with every stack of the other side, which passes no barred hex."""
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
    """Where a side may retreat to from the battle: the next hexes without an enemy. None: it must stay (B11)."""
    if not (battle := scenario.battle):
        return ()
    # Whoever fights stands on the battle's hex, but whoever he left behind still stands where he came from.
    met = scenario.stack(battle.defender)
    gone = {scenario.active.id, *([] if staying(scenario.pack, met, battle.hex) else [met.id])}
    enemies = {stack.hex for stack in scenario.stacks if stack.side != side and stack.id not in gone}
    return tuple(cell for cell in scenario.land.beside(battle.hex) if cell not in enemies)


def all_chances(scenario: Scenario) -> tuple[Chance, ...]:
    """The chances against the scenario's march; none where nobody marches, or nobody could."""
    march = scenario.march
    if not march or not sound(scenario.land, march.path):
        return ()
    side = scenario.stack(march.stack).side
    return tuple(chances(scenario.land, scenario.pack, side, march.path, scenario.stacks, shut(scenario)))


def rows(scenario: Scenario) -> list[dict[str, object]]:
    """The chances as plain values (docs/json.md)."""
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
