"""Tests that the results of played fights match the computed chances exactly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import sqrt
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from generator.common.playing import DICE, SEATS, Outcome, Seated, at_strength, play_game
from generator.errors import WrongUsageError
from generator.games.blind_faith.battle import NO_TOLLS
from generator.games.blind_faith.exact_odds import Odds, battle_odds, siege_odds
from generator.games.blind_faith.fairness import FAIRNESS
from generator.games.blind_faith.game import GAME
from generator.games.blind_faith.model import Scenario
from generator.games.blind_faith.odds import fight_odds, fight_of
from generator.games.blind_faith.players import PLAYING
from generator.games.blind_faith.playing import DONE, Engine, State, unit_names
from generator.games.blind_faith.rounds import ENDINGS, Limits, Loss, odds_settings, policies
from generator.games.blind_faith.tables import DIE, ROLES
from generator.model.words import LANGS
from generator.seeds import Rng
from tests.games.blind_faith.scenes import scene

ROUNDS = 2
LARGE = Limits(20_000, 400_000)
RULINGS: dict[str, tuple[dict[str, str], ...]] = {
    "battle": (
        {},
        {"response_count": "before", "defender_refill": "never", "pursuit": "table", "pursuit_front": "as_is"},
        {"defender_refill": "never", "pursuit": "table"},
    ),
    "siege": ({}, {"storm_losses": "table", "response_count": "before"}, {"storm_response": "none"}),
}


def with_rulings(name: str, chosen: Mapping[str, str]) -> Scenario:
    """Return a scene under different rulings."""
    of = scene(name)
    return replace(of, rulings={**of.rulings, **chosen})


class Played(NamedTuple):
    """The results up to the end of a round."""

    endings: Mapping[str, Fraction]
    """Chance of each ending so far. The key "" is for undecided fights."""
    lost: Mapping[Loss, Fraction]
    """Mean number of units of each class that a side has lost so far."""


PARTS = DIE**80
"""Denominator of all chances. It is large enough, because no two rounds have more than 80 dice."""


def round_results(engine: Engine, plays: tuple[str, str]) -> list[Played]:
    """Return the results of each round under two policies, of which the first is the attacker's.

    States that differ only in their losses are merged.
    """
    picks, stream = [PLAYING.policies[name].pick for name in plays], Rng("0", "nobody asks")
    rounds, mass, lost = list[Played](), {engine.begin(0): PARTS}, defaultdict[Loss, int](int)

    def further(state: State, p: int) -> list[tuple[State, int]]:
        if (who := engine.to_move(state)) >= DICE:
            part, rest = divmod(p, DIE)
            assert not rest
            return [(engine.fall(state, outcome), part) for outcome in range(DIE)]
        move = picks[engine.seats.index(who)](engine, state, stream)
        assert move in engine.moves(state)
        return [(engine.act(state, move), p)]

    for number in range(1, ROUNDS + 1):
        done: defaultdict[State, int] = defaultdict(int)
        endings: defaultdict[str, int] = defaultdict(int)
        while mass:
            after: defaultdict[State, int] = defaultdict(int)
            for state, p in mass.items():
                if engine.ended(state) or state.round > number:
                    done[state] += p
                    endings[state.ending] += p
                    continue
                for new, part in further(state, p):
                    for role, toll in zip(ROLES, new.lost, strict=True):
                        for unit in toll.routed:
                            lost[role, "rout", unit] += part
                        for unit in toll.eliminated:
                            lost[role, "eliminate", unit] += part
                    after[new._replace(lost=NO_TOLLS)] += part
            mass = after
        ended = {ending: Fraction(p, PARTS) for ending, p in endings.items()}
        rounds.append(Played(ended, {loss: Fraction(p, PARTS) for loss, p in lost.items()}))
        mass = done
    return rounds


def computed_odds(scenario: Scenario, plays: tuple[str, str], rounds: int) -> Odds:
    """Return the exact odds up to the end of the given round."""
    fight = fight_of(scenario)
    assert fight
    one, other = (policies()[name] for name in plays)
    if fight.wall:
        lines = fight.attack.front, fight.defence.front
        return siege_odds(
            fight.pack,
            *lines,
            fight.wall,
            one,
            fight.rulings,
            rounds=rounds,
            began=fight.began[0],
            boxes=fight.boxes,
            limits=LARGE,
        )
    return battle_odds(
        *(fight.pack, fight.attack, fight.defence, (one, other), fight.rulings),
        no_way=fight.no_way,
        rounds=rounds,
        began=fight.began,
        width=fight.width,
    )


@pytest.mark.parametrize(
    ("name", "at", "plays"),
    [
        *(("battle", at, plays) for at in range(3) for plays in (("half", "careful"), ("careful", "half"))),
        ("battle", 0, ("last", "careful")),
        *(("siege", at, ("half", "half")) for at in range(3)),
        ("siege", 0, ("careful", "half")),
        ("siege", 0, ("storming", "half")),
        ("siege", 0, ("shooting", "half")),
    ],
)
def test_played_games_have_the_computed_chances(name: str, at: int, plays: tuple[str, str]) -> None:
    scenario = with_rulings(name, RULINGS[name][at])
    for number, round_ in enumerate(round_results(Engine(scenario), plays), 1):
        odds = computed_odds(scenario, plays, number)
        assert {ending: round_.endings.get(ending, 0) for ending in ENDINGS} == dict(odds.endings)
        assert round_.endings.get("", 0) == odds.undecided
        assert {loss: mean for loss, mean in odds.lost.items() if mean} == round_.lost


def play_games(scenario: Scenario, plays: tuple[str, str], count: int, strength: Any = "full") -> list[Outcome]:
    """Play `count` seeded games and return their outcomes. The first policy is the attacker's."""
    engine, found = Engine(scenario), list[Outcome]()
    for number in range(count):
        seated = [
            Seated(at_strength(PLAYING.policies[name], strength), Rng(f"{number}", name), Rng(f"{number}", role))
            for name, role in zip(plays, ROLES, strict=True)
        ]
        first, second = (seated[engine.seats.index(seat)] for seat in SEATS)
        found.append(play_game(engine, engine.firsts[0], (first, second)))
    return found


@pytest.mark.parametrize(
    ("name", "plays"), [("battle", ("half", "careful")), ("battle", ("careful", "half")), ("siege", ("half", "half"))]
)
def test_seeded_games_come_out_as_often_as_they_should(name: str, plays: tuple[str, str]) -> None:
    scenario, count = scene(name), 400
    fight = fight_of(scenario)
    assert fight
    odds = fight_odds(fight, (policies()[plays[0]], policies()[plays[1]]))
    engine = Engine(scenario)
    outcomes = play_games(scenario, plays, count)
    for role, chance in enumerate((odds.attacker, odds.defender)):
        won = sum(of.winner == engine.seats[role] for of in outcomes)
        p, room = float(chance), float(odds.missing)
        wide = 3.3 * sqrt(count * p * (1 - p)) + 1  # one of a thousand fixed sets of games is outside this range
        assert count * p - wide <= won <= count * (p + room) + wide
    assert outcomes == play_games(scenario, plays, count)


@pytest.mark.parametrize(("name", "at"), [*product(("battle", "siege"), range(3))])
def test_random_games_end_and_no_unit_is_lost_twice(name: str, at: int) -> None:
    engine, began = Engine(with_rulings(name, RULINGS[name][at])), (0, 0)
    for number in range(20):
        stream, state = Rng(f"{number}", name), engine.begin(0)
        began = began if any(began) else (state.forces[0].left, state.forces[1].left)
        while not (end := engine.ended(state)):
            if engine.to_move(state) >= DICE:
                assert engine.moves(state) == []
                state = engine.fall(state, stream.below(DIE))
            else:
                moves = engine.moves(state)
                assert len(set(moves)) == len(moves) > 1
                state = engine.act(state, stream.choice(moves))
            for force, toll, of in zip(state.forces, state.lost, began, strict=True):
                assert force.left + len(toll.lost) == of
        assert 1 <= end.length <= odds_settings().rounds
        assert {seat: len(state.lost[role].eliminated) for role, seat in enumerate(engine.seats)} == {
            seat: end.counted[1 - seat] for seat in SEATS
        }


def test_sides_that_never_charge_or_retreat_fight_until_the_last_round() -> None:
    engine = Engine(scene("battle"))
    state = engine.begin(0)
    while not (end := engine.ended(state)):
        if engine.to_move(state) >= DICE:
            state = engine.fall(state, 0)  # in the house tables, a 1 for fire or response removes no unit
        else:
            moves = engine.moves(state)
            state = engine.act(state, "stay" if "stay" in moves else DONE)
    assert (end.winner, end.length, state.lost) == (None, odds_settings().rounds, NO_TOLLS)


def test_units_of_a_class_are_distinguished() -> None:
    assert unit_names(("tabor", "knights", "tabor")) == ("tabor-1", "knights", "tabor-2")


def test_a_march_without_an_interception_is_not_played() -> None:
    with pytest.raises(WrongUsageError, match="this scenario has no fight yet"):
        Engine(scene("march"))


def test_grade_c_is_computed_although_fights_can_be_played() -> None:
    assert GAME.playing
    assert FAIRNESS.paired
    assert not GAME.tried


@pytest.mark.parametrize("name", ["battle", "siege"])
def test_every_step_is_described_and_drawn_in_both_languages(name: str) -> None:
    engine = Engine(scene(name))
    narrator, state, stream = engine.narrator(), engine.begin(0), Rng("3", name)
    lines, players = [], [PLAYING.policies[name].pick for name in ("half", "careful")]
    while not engine.ended(state):
        assert len(engine.view(state).tokens) == sum(force.left for force in state.forces)
        lines.append(engine.describe(state))
        if (who := engine.to_move(state)) >= DICE:
            die = stream.below(DIE)
            lines += narrator(state, die, True)
            state = engine.fall(state, die)
        else:
            move = players[engine.seats.index(who)](engine, state, stream)
            lines += narrator(state, move, False)
            state = engine.act(state, move)
    lines.append(engine.describe(state))
    assert all(line[lang] and "{" not in line[lang] for line in lines for lang in LANGS)
    assert any("Round 2" in line.en and "第2ラウンド" in line.ja for line in lines)
