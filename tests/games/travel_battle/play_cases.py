"""Compare the engine of Travel Battle with the reference in random positions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial

from msgspec.structs import replace
from msgspec.structs import replace as changed

from generator.common.playing import DICE
from generator.games.travel_battle import playfield
from generator.games.travel_battle.file import write
from generator.games.travel_battle.model import OTHER, SIDES, Objective, Scenario
from generator.games.travel_battle.playfield import FIRE, MOVE, OFF, State, bits
from generator.games.travel_battle.playing import Battle
from generator.grid.squares import distance, squares
from tests.games.agreement import Reference, find_differences
from tests.games.travel_battle import play_reference as slow
from tests.games.travel_battle.play_reference import BattleData, Place, Spot
from tests.games.travel_battle.prospects_cases import random_scenario

BATTLES, POSITIONS = 150, 100
"""Number of random battles in a proof, and of random positions from each battle."""
KINDS = ("brigades", "hold", "survive", "break", "protect", "destroy")
WAITS = ("move", "fire", "melee", "aside", "again", "lose", "hit", "effect", "rally", "roll", "rethrow", "over")
STAGES = {getattr(playfield, "FIGHT" if name == "melee" else name.upper()): name for name in WAITS}


def random_battle(number: int) -> Scenario:
    """Return a random battle with an objective and few rounds, in some cases with losses."""
    dice = random.Random(f"battle {number}")
    kind = KINDS[number % len(KINDS)]
    middle, wide = dice.choice((1, 6, 10, 18)), dice.choice((2, 2, 3, 5))
    # The fronts are ordered in a crowd, or have passed each other for a breakthrough, or are in random order.
    ranks = -1 if kind == "break" else dice.choice((0, 1))
    order = sorted(squares(20, 10).cells, key=lambda c: (abs(c.c - middle) > wide, dice.random() * 3 + ranks * c.r))
    of = random_scenario(number, order)
    of = thinned(of, dice, 0.8) if dice.random() < 0.4 else of
    player = dice.choice(SIDES)
    able = [unit for unit in of.armies[player].units if unit.cell and unit.kind.fights]
    few, here = dice.choice((1, 2, 3)), dice.choice(able)
    zone = tuple(cell for cell in order if here.cell and distance(here.cell, cell) <= 1)
    lost = sum(unit.cell is None for unit in of.armies[OTHER[player]].units)
    goals = (
        Objective(),
        Objective("hold", player, zone, (), few),
        Objective("survive", player, (), (), few),
        Objective("break", player, (), (), few),
        Objective("protect", player, (), (here.id,), 1),
        Objective("destroy", player, (), (), few + lost),
    )
    goal = next(goal for goal in goals if goal.kind == kind)
    return replace(of, objective=goal, turns=dice.choice((1, 2, 3, 12)), first_mover=dice.choice(SIDES))


def thinned(of: Scenario, dice: random.Random, led: float) -> Scenario:
    """Return a battle with one to three units per brigade. Each brigadier remains with probability `led`."""
    armies = {}
    for player, army in of.armies.items():
        brigades = []
        for brigade in army.brigades:
            able = [unit.id for unit in brigade.fighters if unit.cell]
            stay = set(dice.sample(able, min(dice.choice((1, 2, 3)), len(able))))
            stay |= {brigade.brigadier.id} if brigade.brigadier and dice.random() < led else set()
            units = (unit if unit.id in stay else changed(unit, cell=None, square=False) for unit in brigade.units)
            brigades.append(changed(brigade, units=tuple(units)))
        armies[player] = changed(army, brigades=tuple(brigades))
    return replace(of, armies=armies)


def reference_spot(engine: Battle, state: State) -> Spot:
    """Convert a state of the engine to the reference's type."""
    field = engine.field
    stage, seat = STAGES[state.stage], state.seat
    there = {u: cell for u, cell in enumerate(state.cells) if cell >= 0}

    def those(units: int) -> frozenset[str]:
        return frozenset(engine.name(u) for u in bits(units) if u in there)

    def at(cell: int) -> Place:
        square = field.grid.cells[cell]
        return square.c, square.r

    def unit_names(units: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(map(engine.name, units))

    men = tuple((engine.name(u), at(cell)) for u, cell in there.items())
    off = frozenset(engine.name(u) for u, cell in enumerate(state.cells) if cell == OFF)
    if stage == "over":
        end = engine.ended(state)
        assert end
        return Spot(stage, seat, state.clock, men, off, winner=end.winner)
    about: tuple[object, ...] = state.pending
    if stage in ("aside", "hit", "effect"):
        about = (engine.name(state.pending[0]), *map(at, state.pending[1:]))
    elif stage in ("rally", "lose"):
        units, what = state.pending
        about = (
            (unit_names(units), {MOVE: "move", FIRE: "fire"}.get(what, "melee"))
            if stage == "rally"
            else (what, unit_names(units))
        )
    elif stage in ("roll", "again", "rethrow"):
        about = (
            unit_names(state.pending[0]),
            unit_names(state.pending[1]),
            *state.pending[2 : 3 if stage == "roll" else 4],
        )
    guns, foot, user_units = field.guns, field.foot, field.side[seat]
    melee = stage in ("melee", "lose", "roll", "again", "rethrow") or (stage == "rally" and about[1] == "melee")
    moving, rest = stage in ("move", "aside"), ~state.done
    return Spot(
        stage,
        seat,
        state.clock,
        men,
        off,
        those(state.squares),
        those(state.held),
        those(state.ready & rest if moving else 0),
        those(user_units & foot & rest & ~state.held if moving else 0),
        those(0 if melee else user_units & guns & rest),
        those(state.done if melee else 0),
        about,
        state.task,
    )


def play_differences(scenario: Scenario, seed: object, positions: int) -> Iterator[str]:
    """Yield the differences from the reference in `positions` positions of random play.

    Movement usually ends early and all dice results are equally likely, which makes shots, melees and routs
    frequent.
    """
    dice = random.Random(f"play {seed}")
    engine, of = Battle(scenario), slow.read(write(scenario))
    state = engine.begin(dice.choice((0, 1)))
    for number in range(positions):
        yield from (f"{seed}, position {number}: {fault}" for fault in position_differences(engine, of, state))
        if engine.ended(state):
            state = engine.begin(dice.choice((0, 1)))
        elif engine.to_move(state) >= DICE:
            state = engine.fall(state, dice.choice([i for i, n in enumerate(engine.chances(state)) if n]))
        else:
            moves = list(engine.moves(state))
            ends = state.stage == MOVE and dice.random() < 0.3
            state = engine.act(state, moves[-1] if ends else dice.choice(moves))


def position_differences(engine: Battle, of: BattleData, state: State) -> Iterator[str]:
    """Yield the differences in one position: legal decisions, and the result of each decision and roll."""
    here = reference_spot(engine, state)
    if end := engine.ended(state):
        counted = tuple(len(slow.destroyed(of, here, 1 - seat)) for seat in (0, 1))
        if (end.counted, end.length) != (counted, slow.rounds(here)):
            yield f"{here}: {end}, and should be {counted}, {slow.rounds(here)}"
        return
    if (camp := slow.to_move(of, here)) != engine.to_move(state):
        yield f"{here}: {engine.to_move(state)} is awaited, and should be {camp}"
        return
    reference = Reference(partial(slow.moves, of), partial(slow.act, of), partial(slow.results_of_roll, of))
    yield from find_differences(engine, state, partial(reference_spot, engine), reference, changed_fields)


def changed_fields(before: Spot, after: Spot) -> dict[str, object]:
    """Return the fields in which two positions differ, with their new values."""
    old, new = asdict(before), asdict(after)
    return {key: set(new[key]) - set(old[key]) if key == "at" else new[key] for key in new if new[key] != old[key]}
