"""If a legal scenario file is changed in one place, the check reports exactly the rules that the change breaks."""

from __future__ import annotations

from collections.abc import Iterator

from generator import games
from tests.mutations import mutations, wrong
from tests.prove.figure import Figure, spread

ENOUGH = 300


def prove() -> Iterator[Figure]:
    """Try every change of every game."""
    results = list(zip(mutations(), spread(wrong, range(len(mutations())), "changes"), strict=True))
    for game in games.names():
        faults = [fault for of, fault in results if of.game == game]
        yield _exact(game, faults, 1)
        rules = {rule.id for rule in games.load(game).rules}
        broken = set().union(*(of.fires for of, _ in results if of.game == game)) & rules
        missing = tuple(sorted(rules - broken))
        found = f"{len(broken)} of {len(rules)}"
        yield Figure(f"{game}: rules broken by at least one changed file", found, "all", not missing, missing)
    yield _exact("all games", [fault for _, fault in results], ENOUGH)


def _exact(what: str, results: list[str], minimum: int) -> Figure:
    """Return the figure for changes with exactly the expected findings."""
    faults = tuple(fault for fault in results if fault)
    exact = f"{len(results) - len(faults):,} of {len(results):,}"
    wanted = f"all of {minimum:,} or more" if minimum > 1 else "all"
    return Figure(f"{what}: changes reported exactly", exact, wanted, not faults and len(results) >= minimum, faults)
