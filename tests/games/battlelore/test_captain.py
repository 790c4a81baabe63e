"""Tests for the strong players of BattleLore: their odds, their priorities, and the count of blunders."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from generator.common.playing import DICE
from generator.games.battlelore.game import GAME
from generator.games.battlelore.odds import attack
from generator.games.battlelore.outlook import MAX_RETREAT, Outlook, Scale, Weights, read_weights
from generator.games.battlelore.playfield import OFF, bits, roll_of
from generator.games.battlelore.playing import BATTLE, DONE, MOVE, ROLL, State
from generator.games.battlelore.told_playing import PlayReporter
from generator.seeds import Rng
from tests.games.battlelore.blunders import STAYS, Blunders, expected_loss
from tests.games.battlelore.prospects_cases import random_scenario

WEIGHTS = read_weights(dict.fromkeys(Weights.__struct_fields__, 10))


@pytest.mark.parametrize("figures", [1, 2, 3, 4])
@pytest.mark.parametrize("morale", ["steady", "bold", "frightened"])
def test_a_blow_has_the_odds_that_are_printed(figures: int, morale: str) -> None:
    of = attack("red", "long_sword", "green", "foot")
    nerve = {"steady": (0, 1, 0), "bold": (1, 1, 0), "frightened": (0, 2, 1)}[morale]
    blow = Scale(WEIGHTS).blow(roll_of(of), figures, nerve, MAX_RETREAT)
    assert blow.falls == pytest.approx(float(of.falls(figures, morale)))  # type: ignore[arg-type]
    assert blow.falls + blow.leaves == pytest.approx(float(of.empties(figures, morale)))  # type: ignore[arg-type]


def test_a_unit_without_room_is_lost_to_a_retreat() -> None:
    of = attack("red", "long_sword", "green", "foot")
    blow = Scale(WEIGHTS).blow(roll_of(of), 1, (0, 1, 0), 0)
    assert blow.leaves == 0
    assert blow.falls == pytest.approx(float(of.empties(1)))


def positions(count: int) -> list[tuple[PlayReporter, State]]:
    """Return positions before a battle phase from random games."""
    found, dice = [], random.Random("captain")
    for number in range(count):
        engine = PlayReporter(random_scenario(number), (0, 1))
        state = engine.begin(0)
        while not engine.ended(state):
            if engine.to_move(state) >= DICE:
                weights = list(engine.chances(state))
                state = engine.fall(state, dice.choices(range(len(weights)), weights)[0])
            else:
                state = engine.act(state, dice.choice(engine.moves(state)))
            if state.phase in (MOVE, BATTLE) and state.turn > 4:
                found.append((engine, state))
                break
    return found


def test_the_outlook_finds_the_attacks_that_the_engine_allows() -> None:
    compared = 0
    for engine, state in positions(12):
        outlook = Outlook(Scale(WEIGHTS), engine, state, state.side)
        for unit in outlook.units:
            moved = state.moved >> unit & 1
            found = sorted(target for _, target, _ in outlook.attacks(unit, state.at[unit], moved))
            assert found == engine.attacks(state, unit)
            compared += len(found)
    assert compared


def test_enemies_that_can_attack_are_found() -> None:
    """Every enemy that the independent count of losses finds for a hex next to it is among the outlook's losses."""
    compared = 0
    for engine, state in positions(12):
        outlook = Outlook(Scale(WEIGHTS), engine, state, state.side)
        for unit in outlook.units:
            loss = expected_loss(engine, state, unit, state.at[unit])
            assert bool(outlook.losses(unit, state.at[unit])) <= (loss > 0)
            compared += loss > 0
    assert compared


@pytest.mark.parametrize("player", ["captain", "raider"])
def test_a_strong_player_takes_the_winning_attack(player: str) -> None:
    """With one banner missing, a player attacks a unit that it may destroy rather than end its battles."""
    assert GAME.playing
    pick, tried = GAME.playing.all_policies[player].pick, 0
    for engine, state in positions(20):
        goal = engine.goals[state.side]
        won = (goal - 1, 0) if state.side == 0 else (0, goal - 1)
        # All enemies have one figure left.
        figures = bytes(f if engine.field.seat[u] == state.side else min(f, 1) for u, f in enumerate(state.figures))
        state = state._replace(
            phase=BATTLE,
            ordered=sum(
                1 << u for u in range(len(state.at)) if state.at[u] != OFF and engine.field.seat[u] == state.side
            ),
            spent=0,
            won=won,
            figures=figures,
        )
        if any(engine.attacks(state, unit) for unit in bits(state.ordered)):
            tried += 1
            move = pick(engine, state, Rng("A", "b"))
            assert move != DONE
            assert engine.act(state, move).phase == ROLL
    assert tried


def test_a_unit_with_one_figure_that_stays_in_contact_is_counted() -> None:
    """The counter reports a player that never moves."""
    total = 0
    for engine, state in positions(30):
        one = bytes(min(f, 1) for f in state.figures)
        units = sum(1 << u for u, c in enumerate(state.at) if c != OFF and engine.field.seat[u] == state.side)
        state = state._replace(phase=MOVE, figures=one, ordered=units, moved=0)
        counter = Blunders(engine)
        counter(state, DONE, False)
        bad, possible = counter.counts(state.side)[STAYS]
        assert bad <= possible
        assert counter.counts(1 - state.side)[STAYS] == (0, 0)
        total += bad
    assert total


def test_victory_hexes_attract() -> None:
    engine = PlayReporter(random_scenario(3), (0, 1))
    state = engine.begin(0)
    outlook = Outlook(Scale(WEIGHTS), engine, state, 0)
    unit = outlook.units[0]
    cell = next(c for c in range(engine.field.count) if not outlook.taken >> c & 1)
    before = outlook.place(unit, cell)
    outlook.prizes[1 << cell] = 1
    assert outlook.place(unit, cell) == pytest.approx(before + WEIGHTS.prize)
    outlook.missing = 1
    assert outlook.place(unit, cell) > before + 1


def test_weights_are_read_in_hundredths() -> None:
    assert WEIGHTS.one == 0.1
    assert replace(WEIGHTS, one=0.5).one == 0.5
