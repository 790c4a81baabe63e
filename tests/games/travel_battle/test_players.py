"""Tests for computer players of Travel Battle: printed tables, legal decisions, symmetry of sides, and reports."""

from __future__ import annotations

import random
from itertools import combinations, product
from typing import Any

import pytest
from msgspec.structs import replace as changed

from generator.common.playing import DICE, STRENGTHS, Outcome, Policy, Seated, Strength, at_strength, play_game
from generator.games.travel_battle.draw import draw
from generator.games.travel_battle.objectives import kinds
from generator.games.travel_battle.play import SightQuery, moves, screens
from generator.games.travel_battle.players import PLAYING
from generator.games.travel_battle.playfield import GONE, MOVE, State, bits
from generator.games.travel_battle.playing import Battle
from generator.games.travel_battle.prospects import batteries, fight
from generator.model.scenario import Request
from generator.model.words import LANGS, Words
from generator.seeds import Rng, code_for
from tests.games.travel_battle.prospects_cases import random_scenario

POLICIES = PLAYING.policies


@pytest.mark.parametrize("number", range(6))
def test_moves_and_links_agree_with_the_query(number: int) -> None:
    of = random_scenario(number)
    battle = Battle(of)
    index = battle.field.grid.index
    for seat in (0, 1):
        state = battle.begin(seat)
        for u in bits(battle.field.side[seat]):
            found = moves(of, battle.field.units[u])
            assert (found.held is None) == bool(state.ready >> u & 1)
            if not found.held:
                assert set(bits(battle.reach(state, u))) == {index[move.cell] for move in found.reached}


@pytest.mark.parametrize("number", range(6))
def test_shots_and_sight_agree_with_the_query(number: int) -> None:
    of = random_scenario(number)
    battle = Battle(of)
    field, index = battle.field, battle.field.grid.index
    fires = {(index[b.cell], index[aim.at]) for b in batteries(of) for aim in b.shots if aim.targets}
    fighters = {index[unit.cell] for unit in field.units if unit.cell and unit.kind.fights}
    found = set()
    for seat in (0, 1):
        state = battle.begin(seat)
        found |= {(state.cells[gun], cell) for gun, cells in battle.shots(state) for cell in bits(cells)}
    assert found == {(gun, at) for gun, at in fires if at in fighters}
    taken = sum({1 << cell for cell in field.at if cell >= 0})
    query = SightQuery(of)
    assert query.screens == screens(field.terrain_map, of.units_on_board)
    for name, look in query.guns():
        start, end = index[look.start], index[look.end]
        assert bool(field.in_sight(start, 1 << end, taken)) == look.clear, name


def test_dice_are_those_of_the_odds_and_every_enemy_must_be_such_a_one() -> None:
    field = Battle(draw(Request(code_for(3), {}, {}))).field
    units = [field.kind.index(kind) for kind, of in enumerate(field.kinds) if of.fights]
    for unit, other, squares, ground in product(units, units, range(4), range(2)):
        if unit == other:
            continue
        mask = (squares & 1) << unit | (squares >> 1) << other
        one, two = (changed(field.units[u], square=bool(mask >> u & 1)) for u in (unit, other))
        assert field.dice(unit, (other,), mask, ground) == fight(two, one, ground).defender.dice
    for unit, pair in product(units, combinations(units, 2)):
        assert field.dice(unit, pair, 0) == min(field.dice(unit, (other,), 0) for other in pair)


@pytest.mark.parametrize(("goal", "strength"), [*product(("brigades", *kinds()), STRENGTHS)])
def test_what_a_policy_chooses_is_lawful_and_hangs_on_the_state_alone(goal: str, strength: Strength) -> None:
    of = draw(Request(code_for(7), {"objective": goal}, {}))
    seen = set()
    for number, (one, other) in enumerate([*product(POLICIES.values(), repeat=2)][:: 2 if strength == "full" else 4]):
        battle, fresh = Battle(of), Battle(of)
        policies = at_strength(one, strength), at_strength(other, strength)
        state, dice, mind = battle.begin(number % 2), random.Random(f"{goal} {number}"), Rng("A", str(number))
        while not battle.ended(state):
            seen.add(state.stage)
            if (who := battle.to_move(state)) >= DICE:
                chances = list(battle.chances(state))
                state = battle.fall(state, dice.choices(range(len(chances)), chances)[0])
                continue
            move = policies[who].pick(battle, state, mind)
            assert move in battle.moves(state)
            if strength == "full" and dice.random() < 0.05:
                assert policies[who].pick(fresh, state, mind) == move
            state = battle.act(state, move)
            assert _masks(battle, state) == (state.men, state.chiefs, state.double)
    assert len(seen) >= 7


def _masks(battle: Battle, state: State) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Return bit masks of the squares with fighters, with brigadiers, and with two fighters."""
    field = battle.field
    there = [(u, cell) for u, cell in enumerate(state.cells) if cell >= 0]

    def of(seat: int, fights: bool) -> int:
        return sum({1 << c for u, c in there if field.seat[u] == seat and bool(field.fighters >> u & 1) == fights})

    # an enemy may share a square with a brigadier for a moment
    cells = [cell for u, cell in there if field.fighters >> u & 1]
    double = sum(1 << cell for cell in set(cells) if cells.count(cell) == 2)
    return (of(0, True), of(1, True)), (of(0, False), of(1, False)), double


@pytest.mark.parametrize("number", range(3))
def test_a_whole_turned_half_round_is_played_alike(number: int) -> None:
    battle = Battle(draw(Request(code_for(number), {"mirror": "on"}, {})))
    for one, other in product(POLICIES.values(), repeat=2):
        end, image = (_played(battle, first, one, other, first)[0] for first in (0, 1))
        assert (end.counted, end.length) == (image.counted[::-1], image.length)
        assert end.winner == (None if image.winner is None else 1 - image.winner)


def _played(battle: Battle, first: int, one: Policy, other: Policy, swapped: int) -> tuple[Outcome, list[Words]]:
    """Play a game and return its outcome and report. With `swapped`, the first player is Red instead of Blue."""
    seated = [Seated(p, Rng("A", f"mind {n}"), Rng("A", f"luck {n}")) for n, p in enumerate((one, other))]
    lines: list[Words] = []
    narrator = battle.narrator()
    pair = (seated[1], seated[0]) if swapped else (seated[0], seated[1])
    return play_game(battle, first, pair, lambda *of: lines.extend(narrator(*of))), lines


@pytest.mark.parametrize("number", range(4))
def test_a_game_is_reported_to_its_end_in_both_languages(number: int) -> None:
    options: dict[str, Any] = [{}, {"objective": "break"}, {"mirror": "on"}, {"objective": "destroy"}][number]
    battle = Battle(draw(Request(code_for(40 + number), options, {})))
    end, lines = _played(battle, 0, POLICIES["marcher"], POLICIES["gunner"], 0)
    for lang in LANGS:
        text = "\n".join(line[lang] for line in lines)
        assert "{" not in text
        assert text.count({"en": "brigades destroyed)", "ja": "壊滅）"}[lang]) in (2 * end.length, 2 * end.length - 1)


def test_the_position_is_described_and_all_units_are_shown() -> None:
    battle = Battle(random_scenario(2))
    state = battle.begin(0)
    view = battle.view(state)
    field = battle.field
    assert len(view.tokens) == sum(cell >= 0 for cell in state.cells)
    lost = next(u for u in bits(field.fighters) if state.cells[u] >= 0)
    gone = state._replace(cells=(*state.cells[:lost], GONE, *state.cells[lost + 1 :]))
    assert len(battle.view(gone).tokens) == len(view.tokens) - 1
    assert [battle.left(state)[seat] - battle.left(gone)[seat] for seat in (0, 1)] == [1, 0]
    assert battle.describe(state) != battle.describe(gone)
    assert state.stage == MOVE
