"""Battles by computer players: beside the slow player of the tests, by two processes, and how many a second."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random
from typing import Any

from bench.clock import alternate
from bench.figure import Figure
from generator import games
from generator.common.playing import DICE, Engine, Playing
from generator.common.trials import Case, pairs, play, trial
from generator.games.battling.players import PLAYING
from generator.games.battling.playing import Battle
from generator.games.travel_battle import players as squares
from generator.games.travel_battle.draw import draw as draw_squares
from generator.games.travel_battle.model import write
from generator.games.travel_battle.playfield import State
from generator.games.travel_battle.playing import Battle as SquaresBattle
from generator.model.scenario import Request
from generator.seeds import code_for
from generator.workers import Workers
from tests.games.battling.duels import board, duel
from tests.games.travel_battle import play_reference as slow
from tests.games.travel_battle.play_cases import spot

PACE = 400
"""Battles a second that one core is to play."""
PACE_SQUARES = 120
"""The same of Travel Battle."""
GAMES = 60


def figures(rounds: int) -> Iterator[Figure]:
    """A battle played at random by both codes, a battle of two policies, grade C by one process and by two."""
    battle = Battle(duel(0))
    _policies(battle, PLAYING)  # what is made once for a scenario is there
    ours, theirs = alternate(rounds, lambda: _random(battle), _slow)
    yield Figure("a battle of random orders", ours, "the slow player of the tests", theirs, "times as fast", 20)
    pace, limit = alternate(rounds, lambda: _policies(battle, PLAYING), lambda: 1 / PACE)
    yield Figure("a battle of two policies", pace, f"{PACE} a second", limit, "times as fast", 1)
    field = SquaresBattle(draw_squares(Request(code_for(0), {}, {})))
    _policies(field, squares.PLAYING)
    pace, limit = alternate(rounds, lambda: _policies(field, squares.PLAYING), lambda: 1 / PACE_SQUARES)
    name = "a game of Travel Battle of two policies"
    yield Figure(name, pace, f"{PACE_SQUARES} a second", limit, "times as fast", 1)
    fast, followed = alternate(rounds, lambda: _game(field)[0], lambda: _followed(field))
    yield Figure("one such game", fast, "followed by the slow player of the tests", followed, "times as fast")
    shared, alone = alternate(max(1, rounds // 3), lambda: _trial(2), lambda: _trial(1))
    yield Figure("grade C of a battle, two processes", shared, "one process", alone, "times as fast", 1.8)


def _random(battle: Battle) -> float:
    began, chance, state = time.perf_counter(), Random(1), battle.begin(0)
    while battle.ended(state) is None:
        if battle.awaits(state) >= DICE:
            state = battle.fall(state, chance.randrange(6))
        else:
            state = battle.act(state, chance.choice(battle.moves(state)))
    return time.perf_counter() - began


def _slow() -> float:
    began, chance, slow = time.perf_counter(), Random(1), board(duel(0))
    while not slow.over:
        if slow.throwing:
            slow.throw(chance.randrange(1, 7))
        else:
            slow.give(chance.choice(sorted(slow.orders())))
    return time.perf_counter() - began


def _policies(engine: Engine[Any, Any], playing: Playing[Any]) -> float:
    """A battle of each pair in turn, on average."""
    began, every = time.perf_counter(), pairs(playing)
    for number in range(GAMES):
        play(engine, playing, "bench", Case("full", every[number % len(every)], number, False))
    return (time.perf_counter() - began) / GAMES


def _game(field: SquaresBattle) -> tuple[float, list[tuple[State, Any, bool]]]:
    """A game of Travel Battle, step by step."""
    told: list[tuple[State, Any, bool]] = []
    began, every = time.perf_counter(), pairs(squares.PLAYING)
    of = Case("full", every[1], 0, False)
    play(field, squares.PLAYING, "bench", of, lambda state, what, fell: told.append((state, what, fell)))
    return time.perf_counter() - began, told


def _followed(field: SquaresBattle) -> float:
    """The slow player makes each decision of that game, and of every roll finds where it leads."""
    told, of = _game(field)[1], slow.read(write(field.scenario))
    began = time.perf_counter()
    for state, what, fell in told:
        here = spot(field, state)
        if fell:
            assert spot(field, field.fall(state, what)) in slow.fallen(of, here)
        else:
            slow.act(of, here, field.write(state, what))
    return time.perf_counter() - began


def _trial(jobs: int) -> float:
    began = time.perf_counter()
    trial(games.load("battling"), duel(0), Workers(jobs).spread)
    return time.perf_counter() - began
