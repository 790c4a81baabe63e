"""Count the continuations of a game with its engine."""

from __future__ import annotations

from typing import Any

from generator.common.playing import DICE, Engine


def perft(engine: Engine[Any, Any], state: Any, depth: int) -> int:
    """Return the number of sequences of `depth` decisions and dice. Each outcome of the dice counts once."""
    if depth == 0:
        return 1
    if engine.ended(state) is not None:
        return 0
    if engine.to_move(state) >= DICE:
        after = (engine.fall(state, outcome) for outcome, n in enumerate(engine.chances(state)) if n)
    else:
        moves = engine.moves(state)
        if depth == 1:
            return len(moves)
        after = (engine.act(state, move) for move in moves)
    return sum(perft(engine, one, depth - 1) for one in after)
