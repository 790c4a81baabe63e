"""Whether an engine and a slow reference that shares no code with it say the same of a position of play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NamedTuple

from generator.common.playing import DICE, Engine


class Reference(NamedTuple):
    """A slow reference: positions are of its own kind, decisions are words as they are typed."""

    moves: Callable[[Any], Collection[str]]
    """What is lawful in a position."""
    act: Callable[[Any, str], Any]
    """Where a decision leads."""
    fallen: Callable[[Any], Mapping[Any, int]]
    """Where the dice lead, and in how many ways."""


def apart(
    engine: Engine[Any, Any],
    state: Any,
    spot: Callable[[Any], Any],
    reference: Reference,
    told: Callable[[Any, Any], object] = lambda before, after: after,
) -> Iterator[str]:
    """Where both differ in a position that is not the end: what is lawful, what each decision and roll leads to.

    `spot` makes a position of the reference's kind, `told` says what one has that another lacks.
    """
    here = spot(state)
    if engine.awaits(state) >= DICE:
        found: Counter[Any] = Counter()
        for outcome, weight in enumerate(engine.chances(state)):
            if weight:
                found[spot(engine.fall(state, outcome))] += weight
        due = Counter(reference.fallen(here))
        if found != due:
            extra, missing = ([told(here, one) for one in of] for of in (found - due, due - found))
            strange = (found - due).total()
            yield f"{here}: dice lead to {extra}, and should to {missing}; {strange} ways lead to something else"
        return
    typed = {engine.write(state, move): move for move in engine.moves(state)}
    lawful = reference.moves(here)
    if sorted(typed) != sorted(lawful) or len(typed) != len(engine.moves(state)):
        yield f"{here}: {sorted(set(typed) - set(lawful))} not lawful, {sorted(set(lawful) - set(typed))} left out"
        return
    for text, move in typed.items():
        after, wanted = spot(engine.act(state, move)), reference.act(here, text)
        if after != wanted:
            yield f"{here}: {text} leads to {told(wanted, after)}, and should to {told(after, wanted)}"
