"""Generate set-ups of Battling, and play games with the engine and the slow reference at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from generator.games.battling.draw import draw
from generator.games.battling.file import write
from generator.games.battling.model import Scenario
from generator.games.battling.playing import LETTERS, OVER, THROW, Battle, State
from generator.model.scenario import Request
from generator.seeds import code_for
from tests.games.battling.fields import plaza
from tests.games.battling.slow import Board

CHARTS = Path(__file__).resolve().parents[3] / "data" / "battling" / "machines.toml"
WISHES: tuple[dict[str, str], ...] = (
    {},
    {"arena": "random"},
    {"dash": "strict"},
    {"tie": "hit_points"},
    {"mirror": "on"},
)


@cache
def duel(number: int) -> Scenario:
    """Return the set-up with the given number.

    The options are used cyclically. Every fifth set-up starts at close range.
    """
    if number % 5 == 4:
        rulings = {"dash": "strict", "tie": "hit_points"} if number % 2 else {"dash": "one_turn", "tie": "draw"}
        return replace(plaza(), turns=6, rulings=rulings)
    return draw(Request(code_for(1_000_003 * number), WISHES[number % len(WISHES)], {}))


def board(of: Scenario) -> Board:
    """Convert a set-up to the board of the slow reference."""
    return Board(write(of), CHARTS.read_text("utf-8"))


def visible_state(battle: Battle, state: State) -> tuple[Any, ...]:
    """Return the visible content of a state, in the form of `Board.seen`."""
    of = zip(battle.units, state.cells, state.hps, state.lasts, strict=True)
    units = tuple((m.id, battle.names[cell], hp, LETTERS[last]) for m, cell, hp, last in of if hp)
    ids = [m.id for m in battle.units]
    waits = tuple((ids[a], ids[t], LETTERS[action]) for a, t, action in state.attacks)
    if state.stage == OVER:
        return True, units, waits
    throwing = state.stage >= THROW
    hit = state.stage - THROW if throwing else 0
    return (battle.turn(state), state.seat, throwing, hit), units, waits if throwing else ()


def compare_games(number: int, games: int, seed: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of compared positions and the list of differences for each random game."""
    of = duel(number)
    battle = Battle(of)
    for game in range(games):
        random, slow, state = Random(f"{seed}/{number}/{game}"), board(of), battle.begin(0)
        compared, wrong = 0, list[str]()
        while not wrong:
            compared += 1
            here, there = visible_state(battle, state), slow.seen()
            if here[:2] != there[:2] or (here[2] and here[2] != there[2]):
                wrong.append(f"{number}/{game}: {here} is not {there}")
            if (end := battle.ended(state)) or slow.over:
                if not (end and slow.over and end.winner == slow.winner()):
                    wrong.append(f"{number}/{game}: {end} is not {slow.winner()}")
                break
            if state.stage >= THROW:
                wrong += _rolls(battle, state, slow)
                face = random.randrange(6)
                state = battle.fall(state, face)
                slow.throw(face + 1)
                continue
            listed = {battle.write(state, move): move for move in battle.moves(state)}
            if (orders := slow.orders()) != listed.keys() or len(listed) != len(battle.moves(state)):
                wrong.append(f"{number}/{game}: {sorted(orders ^ listed.keys())[:6]}")
                break
            attacks = [name for name in listed if (" F " in f"{name} " and ": F" in name) or ": B" in name]
            name = random.choice(sorted(attacks) if attacks and random.random() < 0.6 else sorted(listed))
            state = battle.act(state, listed[name])
            slow.give(name)
        yield compared, wrong


def _rolls(battle: Battle, state: State, slow: Board) -> list[str]:
    """Return the dice results for which engine and slow reference differ."""
    saved, wrong = slow.saved(), []
    for face in range(6):
        slow.throw(face + 1)
        here, there = visible_state(battle, battle.fall(state, face)), slow.seen()
        if here[:2] != there[:2]:
            wrong.append(f"die {face + 1}: {here} is not {there}")
        slow.back(saved)
    return wrong
