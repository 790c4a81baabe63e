"""Games of computer players: beside the slow players of the tests, how many a second, and by two processes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

from bench.clock import alternate, own, wall
from bench.figure import Figure
from generator import games
from generator.common.playing import DICE, Engine, Playing
from generator.common.trials import Case, pairs, play
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

PACES = {"battling": 400, "travel_battle": 120}
"""Games a second that one core is to play; those of BattleLore are in `played_battles`."""
GAMES = 60
SCENARIOS, TENTHS = 40, 3
"""Scenarios that two processes play and one, and of each as many games as fill so many tenths of a second."""


def figures(rounds: int) -> Iterator[Figure]:
    """A battle played at random by both codes, a battle of two policies, grade C by one process and by two."""
    battle = Battle(duel(0))
    ours, theirs = alternate(rounds, lambda: _random(battle), _slow)
    yield Figure("a battle of random orders", ours, "the slow player of the tests", theirs, "times as fast", 20)
    field = SquaresBattle(draw_squares(Request(code_for(0), {}, {})))
    ours, theirs = alternate(rounds, lambda: _game(field)[0], lambda: _followed(field))
    yield Figure("such a game of travel_battle", ours, "followed by its slow player", theirs, "times as fast")
    for name, least in PACES.items():
        if playing := games.load(name).playing:
            engine = playing.engine(games.load(name).draw(Request(code_for(0), {}, {})))
            pace, limit = alternate(rounds, partial(_policies, engine, playing), partial(_second, least))
            yield Figure(f"a game of {name} by two policies", pace, f"{least} a second", limit, "times as fast", 1)
            yield from by_two(name, least, rounds)


def by_two(name: str, pace: int, rounds: int) -> Iterator[Figure]:
    """Games of many scenarios, as a search for a fair one plays them, by two processes and by one."""
    each = pace * TENTHS // 10
    shared, alone = alternate(rounds, *(partial(_spread, name, each, jobs) for jobs in (2, 1)))
    what = f"{SCENARIOS * each:,} games of {name}, two processes"
    yield Figure(what, shared, "one process", alone, "times as fast", 1.8)


def _random(battle: Battle) -> float:
    began, chance, state = own(), Random(1), battle.begin(0)
    while battle.ended(state) is None:
        if battle.awaits(state) >= DICE:
            state = battle.fall(state, chance.randrange(6))
        else:
            state = battle.act(state, chance.choice(battle.moves(state)))
    return own() - began


def _slow() -> float:
    began, chance, slow = own(), Random(1), board(duel(0))
    while not slow.over:
        if slow.throwing:
            slow.throw(chance.randrange(1, 7))
        else:
            slow.give(chance.choice(sorted(slow.orders())))
    return own() - began


def _policies(engine: Engine[Any, Any], playing: Playing[Any]) -> float:
    """A game of each pair in turn, on average; what is made once for a scenario is there after the first round."""
    began, every = own(), pairs(playing)
    for number in range(GAMES):
        play(engine, playing, "bench", Case("full", every[number % len(every)], number, False))
    return (own() - began) / GAMES


def _game(field: SquaresBattle) -> tuple[float, list[tuple[State, Any, bool]]]:
    """A game of Travel Battle, step by step."""
    told: list[tuple[State, Any, bool]] = []
    began, every = own(), pairs(squares.PLAYING)
    of = Case("full", every[1], 0, False)
    play(field, squares.PLAYING, "bench", of, lambda state, what, fell: told.append((state, what, fell)))
    return own() - began, told


def _followed(field: SquaresBattle) -> float:
    """The slow player makes each decision of that game, and of every roll finds where it leads."""
    told, of = _game(field)[1], slow.read(write(field.scenario))
    began = own()
    for state, what, fell in told:
        here = spot(field, state)
        if fell:
            assert spot(field, field.fall(state, what)) in slow.fallen(of, here)
        else:
            slow.act(of, here, field.write(state, what))
    return own() - began


def _second(least: int) -> float:
    """What each of so many games a second may take."""
    return 1 / least


def _spread(name: str, each: int, jobs: int) -> float:
    began = wall()
    assert sum(Workers(jobs).spread(partial(_some, name, each), range(SCENARIOS))) == SCENARIOS * each
    return wall() - began


def _some(name: str, each: int, number: int) -> int:
    """Games of a scenario, each pair of policies in turn; how many."""
    game = games.load(name)
    assert game.playing
    engine, every = game.playing.engine(game.draw(Request(code_for(number), {}, {}))), pairs(game.playing)
    cases = [Case("full", every[n % len(every)], n, bool(n % 2)) for n in range(each)]
    return len([play(engine, game.playing, "bench", of) for of in cases])
