"""The rules of a legal scenario of Tablut. They use the rules of play, but not the code that generates scenarios."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from generator.games.tablut.ground import BOARD, CASTLE, SIDE, start
from generator.games.tablut.model import MOVE, Scenario, side_name
from generator.games.tablut.play import Position, after, king_of, opening, reached, winner

from generator.common.search import fair_steps
from generator.common.tables import RuleBook, ruleset
from generator.grid.squares import Square
from generator.rules import Fault, Rule

BOOK = RuleBook("tablut/rules.toml")
rule = BOOK


def rules() -> tuple[Rule[Any], ...]:
    """Return every rule of Tablut."""
    return ruleset(BOOK)


@rule("men.count")
def count(scenario: Scenario) -> Iterator[Fault]:
    have, maximum = Counter(scenario.position.men.values()), Counter(start().values())
    for man in SIDE:
        if have[man] > maximum[man]:
            yield Fault("men", "many", {"man": man, "n": have[man], "most": maximum[man]})


@rule("men.castle")
def castle(scenario: Scenario) -> Iterator[Fault]:
    if scenario.position.men.get(CASTLE, "K") != "K":
        yield Fault(BOARD.name(CASTLE), "taken")


@rule("king.playing")
def playing(scenario: Scenario) -> Iterator[Fault]:
    men = scenario.position.men
    if king_of(men) is None:
        yield Fault("men", "gone")
    elif winner(men):
        yield Fault("men", "away")


@rule("log.moves")
def lawful(scenario: Scenario) -> Iterator[Fault]:
    yield from (found for found in _replayed(scenario) if isinstance(found, Fault))


@rule("log.position")
def position(scenario: Scenario) -> Iterator[Fault]:
    *_, last = _replayed(scenario)
    if isinstance(last, Fault) or last == scenario.position:
        return
    if not scenario.log:
        yield Fault("log", "unproved", unproved=True)
    elif last.mover != scenario.position.mover:
        yield Fault("play", "turn", {"side": side_name(last.mover)})
    else:
        yield Fault("play", "other")


def _replayed(scenario: Scenario) -> Iterator[Position | Fault]:
    """Yield the position after each step of the log, until a step is not possible, and then a fault."""
    yield (now := opening())
    for number, step in enumerate(scenario.log, 1):
        if step.what in fair_steps():
            continue
        where = f"log {number}"
        cells = [BOARD.find(name) for name in step.result]
        if step.what != MOVE or len(cells) != 2:
            yield Fault(where, "unknown", {"step": step.what})
            return
        match cells:
            case [Square() as a, Square() as b] if a in now.men and SIDE[now.men[a]] == step.who == now.mover:
                if b not in reached(now.men, a):
                    yield Fault(where, "way", {"start": step.result[0], "end": step.result[1]})
                    return
                yield (now := after(now, (a, b)))
            case _:
                yield Fault(where, "nobody", {"start": step.result[0], "side": side_name(now.mover)})
                return
