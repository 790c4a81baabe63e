"""Compare an engine with a slow reference that shares no code with it, on one position of play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NamedTuple

from generator.common.playing import DICE, Engine


class Reference(NamedTuple):
    """A slow reference with its own kind of positions; decisions are words as a user types them."""

    moves: Callable[[Any], Collection[str]]
    """Returns the legal decisions in a position."""
    act: Callable[[Any, str], Any]
    """Returns the position after a decision."""
    fallen: Callable[[Any], Mapping[Any, int]]
    """Returns the positions after rolling the dice, with the number of rolls that lead to each."""


def apart(
    engine: Engine[Any, Any],
    state: Any,
    spot: Callable[[Any], Any],
    reference: Reference,
    describe: Callable[[Any, Any], object] = lambda before, after: after,
) -> Iterator[str]:
    """Yield the differences between both in a position before the end: legal decisions, and the results of each.

    `spot` converts a position to the reference's kind; `describe` describes the differences between two positions.
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
