"""Count the continuations of ten BattleLore set-ups with the engine and with the reference.

perft.json contains the set-ups. Each has a code, which determines the board and the armies, and the positions of
the units in the middle of a turn. `python -m tests.games.battlelore.perft` generates the set-ups and counts again.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import msgspec

from generator.common.playing import DICE, Engine, roll_outcome
from generator.games.battlelore.draw import draw
from generator.games.battlelore.game import GAME
from generator.games.battlelore.playfield import OFF
from generator.games.battlelore.playing import MOVE, State
from generator.games.battlelore.told_playing import PlayReporter
from generator.model.scenario import Request
from generator.seeds import Rng, code_for
from tests.games.battlelore import play_reference as slow
from tests.games.battlelore.play_cases import battle_data, reference_spot
from tests.games.battlelore.play_reference import BattleData, Spot
from tests.games.perft import perft

FILE = Path(__file__).parent / "perft.json"
NUMBERS = range(2_100, 2_110)
"""Numbers of the codes of the set-ups."""
DEEP = 4
MAX_COUNT = 2_500
"""Maximum count at the last depth but one. The reference is too slow for larger counts."""


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A set-up in the middle of a turn, before any unit has moved."""

    code: str
    turn: int
    side: int
    won: tuple[int, int]
    units: str
    """Units with hex and number of figures, separated by commas, such as `P1 C4 4`."""
    cards: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]
    """Number of cards of each kind in both hands, in the deck and among the played cards, in the order of
    commands.toml.
    """
    card: str
    ordered: tuple[str, ...]
    counts: tuple[int, ...]
    """Number of sequences of 1, 2, 3 … decisions and rolls."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    setup: tuple[Setup, ...]


@cache
def setups() -> tuple[Setup, ...]:
    """Return the ten set-ups of perft.json."""
    return msgspec.json.decode(FILE.read_bytes(), type=_File).setup


def engine_of(setup: Setup) -> PlayReporter:
    """Return the engine for a set-up."""
    return PlayReporter(draw(Request(setup.code, {}, {})), (0, 1))


def state_of(engine: PlayReporter, setup: Setup) -> State:
    """Convert a set-up to a state of the engine."""
    field = engine.field
    stands = {row.split()[0]: row.split()[1:] for row in setup.units.split(", ")}
    number = {unit.id: i for i, (_, unit) in enumerate(field.units)}
    index = {engine.hex(cell): cell for cell in range(field.count)}
    at, figures = bytearray([OFF] * len(number)), bytearray(len(number))
    for name, (hex_, left) in stands.items():
        at[number[name]], figures[number[name]] = index[hex_], int(left)
    occupied = [sum(1 << c for u, c in enumerate(at) if c != OFF and field.seat[u] == seat) for seat in (0, 1)]
    card = [of.id for of in engine.deck].index(setup.card)
    ordered = [number[name] for name in setup.ordered]
    section = field.section[setup.side]
    tally = sum(engine.one_more[section[at[unit]]] for unit in ordered)
    mask = sum(1 << unit for unit in ordered)
    cards = bytes(n for part in setup.cards for n in part)
    return engine.begin(0)._replace(
        phase=MOVE,
        side=setup.side,
        at=bytes(at),
        figures=bytes(figures),
        occupied=(occupied[0], occupied[1]),
        cards=cards,
        won=setup.won,
        turn=setup.turn,
        card=card,
        tally=tally,
        ordered=mask,
    )


def by_engine(engine: Engine[State, int], state: State, depth: int) -> int:
    """Return the number of continuations that the engine finds."""
    return perft(engine, state, depth)


def by_reference(setup: Setup, depth: int) -> int:
    """Return the number of continuations that the reference finds."""
    engine = engine_of(setup)
    return _slowly(battle_data(engine.field.battle, engine), reference_spot(engine, state_of(engine, setup)), depth)


def _slowly(of: BattleData, here: Spot, depth: int) -> int:
    if here.waits == "over":
        return 0
    dice = here.waits in ("roll", "draw", "fright")
    if depth == 1:
        return len(slow.outcomes(of, here) if dice else slow.moves(of, here))
    after = slow.outcomes(of, here) if dice else [slow.act(of, here, decision) for decision in slow.moves(of, here)]
    return sum(_slowly(of, one, depth - 1) for one in after)


def find_setup(number: int) -> Setup:
    """Return the first turn of a computer game in which enemies are adjacent and few units can move."""
    assert GAME.playing
    code = code_for(number)
    engine = PlayReporter(draw(Request(code, {}, {})), (0, 1))
    state, luck = engine.begin(0), Rng(code, "perft")
    picks = [policy.pick for policy in GAME.playing.policies.values()]
    while True:
        close = any(
            engine.field.step[c] & state.occupied[1] for c in state.at[: engine.field.first_of[1]] if c != OFF
        )
        if close and state.phase == MOVE and not state.moved and by_engine(engine, state, DEEP - 1) <= MAX_COUNT:
            return _written(engine, state, code)
        who = engine.to_move(state)
        if who >= DICE:
            state = engine.fall(state, roll_outcome(engine.chances(state), luck))
        else:
            state = engine.act(state, picks[who](engine, state, luck))
        assert not engine.ended(state), code


def _written(engine: PlayReporter, state: State, code: str) -> Setup:
    kinds = len(engine.deck)
    units = ", ".join(
        f"{engine.id(u)} {engine.hex(cell)} {state.figures[u]}" for u, cell in enumerate(state.at) if cell != OFF
    )
    parts = [tuple(state.cards[i * kinds : (i + 1) * kinds]) for i in range(4)]
    ordered = tuple(engine.id(u) for u in range(len(state.at)) if state.ordered >> u & 1)
    counts = tuple(by_engine(engine, state, depth) for depth in range(1, DEEP + 1))
    cards = (parts[0], parts[1], parts[2], parts[3])
    card = engine.deck[state.card].id
    return Setup(code, state.turn, state.side, state.won, units, cards, card, ordered, counts)


if __name__ == "__main__":
    made = [find_setup(number) for number in NUMBERS]
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(_File(tuple(made)))) + b"\n")
    for one in made:
        sys.stdout.write(f"| {one.code} | {' | '.join(f'{n:,}' for n in one.counts)} |\n")
