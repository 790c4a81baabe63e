"""Tests that the captain makes legal decisions with the best computed odds, and beats random moves."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from generator.common.playing import SEATS, Policy, Seated, play_game
from generator.games.blind_faith.battle import Force
from generator.games.blind_faith.captain import HOPELESS, best_policy, win_chance
from generator.games.blind_faith.players import PLAYING
from generator.games.blind_faith.playing import RETREAT, STAY, Engine, State
from generator.games.blind_faith.rounds import policies
from generator.games.blind_faith.tables import Role
from generator.model.words import LANGS, Words
from generator.seeds import Rng
from tests.games.blind_faith.scenes import scene

CAPTAIN = PLAYING.strong["captain"]
RANDOM = Policy("random", Words("", ""), Words("", ""), lambda engine, state, rng: rng.choice(engine.moves(state)))
DUPLICATES = 4
RNG = Rng("0", "captain")


def rate(engine: Engine, opponent: Policy) -> float:
    """Return the captain's score in duplicates, in which the players swap seats and keep their dice."""
    score = 0.0
    for number in range(DUPLICATES):
        for seat in SEATS:
            players = [
                Seated(player, Rng("5", f"{number}/mind-{who}"), Rng("5", f"{number}/luck-{who}"))
                for player, who in zip((CAPTAIN, opponent), "AB", strict=True)
            ]
            order = (players[1], players[0]) if seat else (players[0], players[1])
            winner = play_game(engine, engine.firsts[0], order).winner
            score += 0.5 if winner is None else float(winner == seat)
    return score / (len(SEATS) * DUPLICATES)


@pytest.mark.parametrize("name", ["battle", "siege"])
def test_every_decision_is_legal(name: str) -> None:
    engine = Engine(scene(name))

    def check(state: State, move: str | int, by_dice: bool) -> None:
        assert by_dice or move in engine.moves(state)

    for number in range(1):
        players = [Seated(CAPTAIN, RNG, Rng("6", f"{number}/luck-{seat}")) for seat in SEATS]
        assert play_game(engine, engine.firsts[0], (players[0], players[1]), check).length >= 1


def test_it_beats_random_moves() -> None:
    assert rate(Engine(scene("battle")), RANDOM) >= 0.8


@pytest.mark.parametrize("role", ["attack", "defence"])
def test_its_policy_has_the_best_computed_odds(role: Role) -> None:
    engine = Engine(scene("battle"))
    state = engine.begin(0)
    chosen = win_chance(engine, role, best_policy(engine, state, role), state.forces)
    assert 0 < chosen < 1
    for name in ("half", "careful"):
        assert chosen >= win_chance(engine, role, replace(policies()[name], lost=""), state.forces)


def test_it_stays_while_it_can_win_and_retreats_from_a_hopeless_fight() -> None:
    engine = Engine(scene("battle"))
    state = engine.begin(0)._replace(steps=("leave",))
    assert CAPTAIN.pick(engine, state, RNG) == STAY
    hopeless = state._replace(forces=(Force(("hussite_foot",)), Force(("knights",) * 12)))
    policy = best_policy(engine, hopeless, "attack")
    assert win_chance(engine, "attack", policy, hopeless.forces) < HOPELESS
    assert CAPTAIN.pick(engine, hopeless, RNG) == RETREAT


def test_the_raider_expects_that_the_enemy_does_not_retreat() -> None:
    """An enemy that retreats at half its losses loses more often, so the raider sees a lower chance."""
    engine = Engine(scene("battle"))
    state = engine.begin(0)
    policy = best_policy(engine, state, "attack", enemy_retreats=False)
    stays = win_chance(engine, "attack", policy, state.forces, enemy_retreats=False)
    assert 0 < stays < win_chance(engine, "attack", policy, state.forces)
    raider, players = (
        PLAYING.strong["raider"],
        [Seated(PLAYING.strong["raider"], RNG, Rng("7", f"{n}")) for n in SEATS],
    )

    def check(state: State, move: str | int, by_dice: bool) -> None:
        assert by_dice or move in engine.moves(state)

    assert play_game(engine, engine.firsts[0], (players[0], players[1]), check).length >= 1
    assert raider.by_state


def test_they_have_names_and_texts_in_both_languages() -> None:
    for player in PLAYING.strong.values():
        assert all(player.name[lang] and player.text[lang] for lang in LANGS)
    assert list(PLAYING.all_policies)[-2:] == ["captain", "raider"]
    assert not PLAYING.strong.keys() & PLAYING.policies.keys()
