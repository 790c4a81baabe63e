"""Compare an engine with a slow reference implementation, which shares no code with the engine, in one position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NamedTuple

from generator.common.playing import DICE, Engine


class Reference(NamedTuple):
    """A slow reference implementation with a separate type of position.

    Decisions are the words that a user types.
    """

    moves: Callable[[Any], Collection[str]]
    """Return the legal decisions in a position."""
    act: Callable[[Any, str], Any]
    """Return the position after a decision."""
    fallen: Callable[[Any], Mapping[Any, int]]
    """Return the positions after rolling the dice, with the number of rolls that lead to each."""


def find_differences(
    engine: Engine[Any, Any],
    state: Any,
    spot: Callable[[Any], Any],
    reference: Reference,
    describe: Callable[[Any, Any], object] = lambda before, after: after,
) -> Iterator[str]:
    """Yield the differences between engine and reference in the legal decisions of a position, and in their results.

    The game must not be over. `spot` converts an engine state to the reference's type. `describe` describes how
    two positions differ.
    """
    here = spot(state)
    if engine.to_move(state) >= DICE:
        found: Counter[Any] = Counter()
        for outcome, weight in enumerate(engine.chances(state)):
            if weight:
                found[spot(engine.fall(state, outcome))] += weight
        due = Counter(reference.fallen(here))
        if found != due:
            extra, missing = ([describe(here, one) for one in of] for of in (found - due, due - found))
            strange = (found - due).total()
            yield f"{here}: dice lead to {extra}, and should to {missing}; {strange} ways lead to something else"
        return
    by_text = {engine.write(state, move): move for move in engine.moves(state)}
    lawful = reference.moves(here)
    if sorted(by_text) != sorted(lawful) or len(by_text) != len(engine.moves(state)):
        surplus, lacking = sorted(set(by_text) - set(lawful)), sorted(set(lawful) - set(by_text))
        yield f"{here}: {surplus} not lawful, {lacking} left out"
        return
    for text, move in by_text.items():
        after, wanted = spot(engine.act(state, move)), reference.act(here, text)
        if after != wanted:
            yield f"{here}: {text} leads to {describe(wanted, after)}, and should to {describe(after, wanted)}"
