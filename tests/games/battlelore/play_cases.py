"""Compare the engine of BattleLore with the reference in random positions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from generator.common.playing import DICE
from generator.games.battlelore.base import Scenario as Alone
from generator.games.battlelore.forces import ByCamp
from generator.games.battlelore.ground import SIDES, Objective
from generator.games.battlelore.model import Battle
from generator.games.battlelore.playfield import OFF
from generator.games.battlelore.playing import NO_FIGHT, State
from generator.games.battlelore.told_playing import PlayReporter
from generator.games.call_to_arms.model import Scenario as Cards
from tests.games.agreement import Reference, find_differences
from tests.games.battlelore import play_reference as slow
from tests.games.battlelore.play_reference import BattleData, Fight, Man, Spot
from tests.games.battlelore.prospects_cases import place, table
from tests.sight.oracle import Place

BATTLES, POSITIONS = 100, 100
"""Number of random battles in a proof, and of random positions from each battle."""
WAITS = (
    "card",
    "order",
    "move",
    "battle",
    "gain",
    "pursue",
    "bonus",
    "retreat",
    "back",
    "ignore",
    "draw",
    "roll",
    "fright",
    "over",
)
WHAT = ("attack", "bonus", "answer")


def battle_data(battle: Battle, engine: PlayReporter) -> BattleData:
    """Convert a battle to the reference's type."""
    of = table(battle)
    men = {man.id: Man(man.id, man.camp, man.banner, man.weapon, man.race, man.mounted, man.own) for man in of.men}
    walls = frozenset(of.walls)
    first, second = SIDES
    hands = battle.hand_of(first), battle.hand_of(second)
    goals = battle.banners_of(first), battle.banners_of(second)
    prizes: tuple[dict[Place, int], dict[Place, int]] = {}, {}
    for cell, objective in battle.board.objectives.items():
        for side, camp in enumerate(SIDES):
            if objective.camp in (None, camp):
                prizes[side][place(battle, cell)] = objective.banners
    rounds = engine.turns // 2
    return BattleData(of.rows, of.ground, of.features, walls, men, battle.rulings, goals, prizes, hands, rounds)


def reference_spot(engine: PlayReporter, state: State) -> Spot:
    """Convert a state of the engine to the reference's type."""
    kinds = len(engine.deck)

    def held(part: int) -> tuple[str, ...]:
        counts = state.cards[part * kinds : (part + 1) * kinds]
        return tuple(sorted(card.id for card, n in zip(engine.deck, counts, strict=True) for _ in range(n)))

    def those(mask: int) -> frozenset[str]:
        return frozenset(engine.id(u) for u in range(len(state.at)) if mask >> u & 1)

    battle, cells = engine.field.battle, engine.field.cells
    waits = WAITS[state.phase]
    of = state.fight
    fight = None
    if waits != "over" and of != NO_FIGHT:
        stood = place(battle, cells[of.hex])
        fight = Fight(engine.id(of.by), engine.id(of.on), WHAT[of.mode], of.left, stood, bool(of.dice))
    men = tuple(
        (engine.id(u), place(battle, cells[cell]), state.figures[u]) for u, cell in enumerate(state.at) if cell != OFF
    )
    card = engine.deck[state.card].id if waits != "card" and state.turn else ""
    end = engine.ended(state)
    parts = (those(state.ordered), those(state.moved), those(state.spent), those(state.halted))
    return Spot(
        waits,
        state.side,
        men,
        (held(0), held(1)),
        held(2),
        held(3),
        state.won,
        state.turn,
        card,
        *parts,
        fight,
        end.winner if end else None,
    )


def with_prizes(battle: Alone | Cards, dice: random.Random) -> Alone | Cards:
    """Return the battle with random victory hexes next to units, unless a side would win at once."""
    grid = battle.board.field
    near = sorted({cell for _, unit in battle.units if unit.hex for cell in grid.neighbours(unit.hex)}, key=grid.name)
    cells = dice.sample(near, min(len(near), dice.choice((0, 4, 12))))
    prizes = {cell: Objective(dice.choice((1, 1, 2)), dice.choice((None, *SIDES))) for cell in cells}
    board = replace(battle.board, objectives=prizes)
    held = dict.fromkeys(SIDES, 0)
    for camp, unit in battle.units:
        held[camp] += board.prizes(camp).get(unit.hex, 0) if unit.hex else 0
    return battle if any(held[camp] >= battle.banners_of(camp) for camp in SIDES) else replace(battle, board=board)


def play_differences(battle: Alone | Cards, seed: object, positions: int) -> Iterator[str]:
    """Yield the differences from the reference in `positions` positions of random play.

    Play is aggressive. Units that can attack usually do, and all dice results are equally likely, which makes
    retreats, pursuits and bonus melees frequent.
    """
    dice = random.Random(f"play {seed}")
    # Few banners and few rounds make games end in every possible way.
    battle = with_prizes(replace(battle, banners=dice.choice((1, 2, 3, 6, ByCamp(1, 4), ByCamp(3, 2)))), dice)
    engine = PlayReporter(battle, (0, 1))
    engine.turns = 2 * dice.choice((1, 2, 3, 30))
    of = battle_data(battle, engine)
    state = engine.begin(dice.choice((0, 1)))
    for number in range(positions):
        if engine.ended(state):
            state = engine.begin(dice.choice((0, 1)))
        yield from (f"{seed}, position {number}: {fault}" for fault in position_differences(engine, of, state))
        if engine.to_move(state) >= DICE:
            state = engine.fall(state, dice.choice([i for i, n in enumerate(engine.chances(state)) if n]))
        else:
            moves = list(engine.moves(state))
            pressed = len(moves) > 1 and dice.random() < 0.8
            state = engine.act(state, dice.choice(moves[:-1] if pressed else moves))


def position_differences(engine: PlayReporter, of: BattleData, state: State) -> Iterator[str]:
    """Yield the differences in one position: legal decisions, and the result of each decision and roll."""
    reference = Reference(partial(slow.moves, of), partial(slow.act, of), partial(slow.results_of_roll, of))
    return find_differences(engine, state, partial(reference_spot, engine), reference)
