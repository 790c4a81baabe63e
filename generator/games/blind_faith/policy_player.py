"""Decisions in play by the policies for computing odds."""

from __future__ import annotations

from collections import Counter

from generator.games.blind_faith.battle import shots
from generator.games.blind_faith.playing import (
    AT,
    BOMBARD,
    DONE,
    ELIMINATE,
    FRONT,
    LOSE,
    NAMING,
    OF,
    RETREAT,
    STAY,
    Engine,
    Pair,
    State,
    unit_names,
)
from generator.games.blind_faith.rounds import Policy, aimed, charging, cheapest, in_order
from generator.games.blind_faith.siege import breached, placed, storming
from generator.games.blind_faith.tables import ROLES
from generator.seeds import Rng


def pick(policy: Policy, engine: Engine, state: State, rng: Rng) -> str:
    """Return the decision of a policy in a state. It is the decision assumed in the odds."""
    step, pack = state.steps[0], engine.pack
    role = ROLES[OF[step]]
    force, enemies = state.forces[OF[step]], state.forces[1 - OF[step]].front
    if step in NAMING:
        names, others, free = unit_names(force.front), unit_names(enemies), engine.free(state)
        pairs = (pair for pair in _wanted(policy, engine, state) if pair[0] in free)
        return next((f"{names[unit]}{AT}{others[target]}" for unit, target in pairs), DONE)
    if step in ("leave", "yield"):
        began = engine.fight.began[OF[step]]
        return RETREAT if force.left < policy.min_units(began) else STAY
    if step in ("fill", "refill"):
        return FRONT + in_order(pack, role, force.reserve)[0] if engine.room(state) else DONE
    if step == "place":
        guns, _ = placed(pack, policy, engine.fight.wall, force.front)
        return next((BOMBARD + unit for unit in (Counter(guns) - Counter(state.guns)).elements()), DONE)
    if step == "breach":
        toll = breached(pack, force.front, state.pending.eliminate)
    else:
        toll = cheapest(pack, state.first, state.others, state.pending)
    all_chosen = engine.all_losses_chosen(state)
    word, wanted, done = (ELIMINATE, toll.eliminated, state.gone) if all_chosen else (LOSE, toll.lost, state.given)
    still, pool = Counter(wanted) - Counter(done), engine.pool(state)
    return word + next((unit for unit in pool if still[unit]), pool[0])


def _wanted(policy: Policy, engine: Engine, state: State) -> list[Pair]:
    """Return the targets of a front's fire or charges under a policy, as pairs of indices."""
    step, pack = state.steps[0], engine.pack
    front, enemies = state.forces[OF[step]].front, state.forces[1 - OF[step]].front
    # At the start of the step this equals the results of `aimed` and `charging`.
    whole = engine.free(state._replace(plan=()))
    if step == "charge":
        boxes = engine.fight.boxes if state.round == 1 else None
        charges = charging(pack, storming(policy, boxes), tuple(front[i] for i in whole), enemies)
        return [(whole[charge.charger], charge.target) for charge in charges]
    role = ROLES[OF[step]]
    firing = [i for i, unit in enumerate(front) if role in pack.units[unit].fires]
    times = [n for _, n in shots(pack, front, role, len(enemies))]
    places = [place for place, n in zip(firing, times, strict=True) for _ in range(n)]
    return [(at, shot.target) for at, shot in zip(places, aimed(pack, policy, role, front, enemies), strict=True)]
