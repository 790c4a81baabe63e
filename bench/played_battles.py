"""BattleLore by computer players: beside what it is to take, beside a slow player that follows, by two processes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product

from bench.clock import alternate, calling
from bench.figure import Figure
from bench.played import by_two
from generator.common.playing import DICE, Seated, played
from generator.games.battlelore.draw import draw
from generator.games.battlelore.players import lore_policies
from generator.games.battlelore.playing import State, Told
from generator.model.scenario import Request
from generator.seeds import Stream, code_for
from tests.games.battlelore import play_reference as slow
from tests.games.battlelore.play_cases import book, spot

SECOND = 300
"""Games that a core is to play in a second."""
GAMES, CODES = 90, range(50, 54)
"""Games of each battle, ten for each ordered pair of players; the battles' codes."""


def figures(times: int) -> Iterator[Figure]:
    """Battles of BattleLore, warmed up as in the hundreds of games of a grade."""
    engines = [Told(draw(Request(code_for(number), {}, {})), (0, 1)) for number in CODES]
    (whole,) = alternate(times, calling(lambda: _games(engines)))
    one, rest = whole / (GAMES * len(engines)), 1 / SECOND
    yield Figure("a game of BattleLore by players of full strength", one, f"1/{SECOND} s", rest, "times as fast", 1)
    engine, runners = engines[0], (_game, _followed)
    fast, followed = alternate(times, *(calling(partial(run, engine)) for run in runners))
    yield Figure("one such game", fast, "followed by the slow reference", followed, "times as fast")
    yield from by_two("battlelore", SECOND, times)


def _games(engines: list[Told]) -> None:
    for engine in engines:
        for number in range(GAMES):
            played(engine, number % 2, _seated(number))


def _seated(number: int) -> tuple[Seated, Seated]:
    pairs = list(product(lore_policies().values(), repeat=2))
    first, second = (
        Seated(policy, Stream(f"bench {number}", f"mind {seat}"), Stream(f"bench {number}", f"luck {seat}"))
        for seat, policy in enumerate(pairs[number % len(pairs)])
    )
    return first, second


def _game(engine: Told) -> list[tuple[State, int, bool]]:
    told: list[tuple[State, int, bool]] = []
    played(engine, 0, _seated(0), lambda state, what, fell: told.append((state, what, fell)))
    return told


def _followed(engine: Told) -> None:
    """The reference makes each decision of a game, and of every roll finds where it leads."""
    of = book(engine.field.battle, engine)
    for state, what, fell in _game(engine):
        here = spot(engine, state)
        assert fell == (engine.awaits(state) >= DICE)
        if fell:
            assert spot(engine, engine.fall(state, what)) in slow.fallen(of, here)
        else:
            slow.act(of, here, engine.write(state, what))
