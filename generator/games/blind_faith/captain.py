"""The strong players, captain and raider, which make the decision with the best computed odds."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from generator.games.blind_faith.battle import Force, without
from generator.games.blind_faith.odds import computed
from generator.games.blind_faith.playing import (
    DEFENCE,
    DONE,
    FRONT,
    LOSE,
    NAMING,
    OF,
    RETREAT,
    STAY,
    Engine,
    State,
)
from generator.games.blind_faith.policy_player import pick as pick_by_policy
from generator.games.blind_faith.rounds import Policy, drawn_up, odds_settings, policies
from generator.games.blind_faith.tables import ROLES, Role
from generator.seeds import Rng

HOPELESS = 1 / 200
"""Chance of winning below which the captain retreats, because more losses would almost certainly be in vain."""
REMEMBERED = 1 << 14
"""Number of chances that are kept, enough for several games of a large battle."""


def pick(engine: Engine, state: State, rng: Rng, *, enemy_retreats: bool = True) -> str:
    """Return the decision of the side to move after which its computed chance of winning is highest.

    The odds assume that the opponent follows the first policy of `muster odds`, for the raider without retreating
    (`enemy_retreats`), and that the player follows its best policy without retreating. Choices that do not affect the
    odds, such as which of the lost units are eliminated, are made as by that policy: the cheapest first.
    """
    step = state.steps[0]
    role = ROLES[OF[step]]

    def chance(forces: tuple[Force, Force]) -> float:
        return win_chance(engine, role, policy, forces, enemy_retreats=enemy_retreats)

    policy = best_policy(engine, state, role, enemy_retreats=enemy_retreats)
    if step in NAMING or step == "place":
        return pick_by_policy(policy, engine, state, rng)
    if step in ("leave", "yield"):
        return RETREAT if chance(state.forces) < HOPELESS else STAY
    usual = pick_by_policy(policy, engine, state, rng)
    moves = engine.moves(state)
    if len(moves) == 1 or not moves[0].startswith((FRONT, LOSE)):
        return usual
    # `max` returns the first of several best moves, so the policy decides between equal ones.
    ordered = [usual, *(move for move in moves if move != usual)]
    return max(ordered, key=lambda move: chance(_after(engine, state, move)))


def _after(engine: Engine, state: State, move: str) -> tuple[Force, Force]:
    """Return the forces after a unit is lost or moves to the front, with the earlier losses of this step removed."""
    index, pack = OF[state.steps[0]], engine.pack
    force = state.forces[index]
    front, reserve = without(force.front, state.given), force.reserve
    if move != DONE:
        unit = (move.removeprefix(LOSE).removeprefix(FRONT),)
        if move.startswith(LOSE):
            front = without(front, unit)
        else:
            front, reserve = pack.line((*front, *unit)), without(reserve, unit)
    new = Force(front, reserve)
    return (state.forces[0], new) if index == DEFENCE else (new, state.forces[1])


def best_policy(engine: Engine, state: State, role: Role, *, enemy_retreats: bool = True) -> Policy:
    """Return the policy with the highest chance of winning for a side from a state, as if a round began."""
    fitting = odds_settings().advised.siege if engine.fight.wall else odds_settings().advised[role]
    if engine.fight.wall and role == "defence":
        fitting = fitting[:1]  # A garrison makes no decisions that depend on a policy.
    brave = [_brave(name) for name in fitting]
    if len(brave) == 1:
        return brave[0]

    def chance(policy: Policy) -> float:
        return win_chance(engine, role, policy, state.forces, enemy_retreats=enemy_retreats)

    return max(brave, key=chance)


@lru_cache(16)  # One entry for each policy.
def _brave(name: str) -> Policy:
    """Return a policy without its limit for a retreat."""
    return replace(policies()[name], lost="")


def win_chance(
    engine: Engine, role: Role, policy: Policy, forces: tuple[Force, Force], *, enemy_retreats: bool = True
) -> float:
    """Return the chance that a side wins with a policy, if a round begins with these forces.

    Reserves move to the front as in the odds. If the chance is only known within bounds, return their middle.
    """
    fight, pack = engine.fight, engine.pack
    attack, defence = forces
    if not fight.wall:
        attack = drawn_up(pack, "attack", attack.reserve, 0, attack.front)
        if fight.rulings["defender_refill"] != "never":
            defence = drawn_up(pack, "defence", defence.reserve, fight.width, defence.front)
    if not attack.left or not defence.front:
        return float(bool((attack if role == "attack" else defence).left))
    return _computed_chance(engine, role, policy, attack, defence, enemy_retreats)


@lru_cache(REMEMBERED)  # The cache covers several games.
def _computed_chance(
    engine: Engine, role: Role, policy: Policy, attack: Force, defence: Force, enemy_retreats: bool
) -> float:
    name = odds_settings().advised["defence" if role == "attack" else "attack"][0]
    usual = policies()[name] if enemy_retreats else _brave(name)
    plays = (policy, usual) if role == "attack" else (usual, policy)
    fight = replace(engine.fight, attack=attack, defence=defence, boxes=None)
    odds = computed(fight, plays, odds_settings().captain)
    return float((odds.attacker if role == "attack" else odds.defender) + odds.missing / 2)
