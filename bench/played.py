"""Battling by computer players: beside the slow player of the tests, by two processes, and how many a second."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from random import Random

from bench.clock import alternate
from bench.figure import Figure
from generator import games
from generator.common.playing import DICE
from generator.common.trials import Case, pairs, play
from generator.games.battling.players import PLAYING
from generator.games.battling.playing import Battle
from generator.model.scenario import Request
from generator.seeds import code_for
from generator.workers import Workers
from tests.games.battling.duels import board, duel

PACE = 400
"""Battles a second that one core is to play."""
GAMES = 60
SCENARIOS, EACH = 40, 120
"""Scenarios that are played by two processes and by one, and games of each."""


def figures(rounds: int) -> Iterator[Figure]:
    """A battle played at random by both codes, a battle of two policies, grade C by one process and by two."""
    battle = Battle(duel(0))
    _policies(battle)  # what is made once for a scenario is there
    ours, theirs = alternate(rounds, lambda: _random(battle), _slow)
    yield Figure("a battle of random orders", ours, "the slow player of the tests", theirs, "times as fast", 20)
    pace, limit = alternate(rounds, lambda: _policies(battle), lambda: 1 / PACE)
    yield Figure("a battle of two policies", pace, f"{PACE} a second", limit, "times as fast", 1)
    yield from by_two("battling", rounds)


def by_two(name: str, rounds: int) -> Iterator[Figure]:
    """Games of many scenarios, as a search for a fair one plays them, by two processes and by one."""
    shared, alone = alternate(max(1, rounds // 3), *(partial(_spread, name, jobs) for jobs in (2, 1)))
    what = f"{SCENARIOS * EACH:,} games of {name}, two processes"
    yield Figure(what, shared, "one process", alone, "times as fast", 1.8)


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


def _policies(battle: Battle) -> float:
    """A battle of each pair in turn, on average."""
    began, every = time.perf_counter(), pairs(PLAYING)
    for number in range(GAMES):
        play(battle, PLAYING, "bench", Case("full", every[number % len(every)], number, False))
    return (time.perf_counter() - began) / GAMES


def _spread(name: str, jobs: int) -> float:
    began = time.perf_counter()
    assert sum(Workers(jobs).spread(partial(_some, name), range(SCENARIOS))) == SCENARIOS * EACH
    return time.perf_counter() - began


def _some(name: str, number: int) -> int:
    """Games of a scenario, each pair of policies in turn; how many."""
    game = games.load(name)
    assert game.playing
    engine, every = game.playing.engine(game.draw(Request(code_for(number), {}, {}))), pairs(game.playing)
    cases = [Case("full", every[n % len(every)], n, bool(n % 2)) for n in range(EACH)]
    return len([play(engine, game.playing, "bench", of) for of in cases])
