"""Legal scenario files with one change each: exactly the broken rules are reported, tier and paragraph right."""

from __future__ import annotations

from collections.abc import Iterator

from generator import games
from tests.mutations import mutations, wrong
from tests.prove.figure import Figure, spread

ENOUGH = 300


def prove() -> Iterator[Figure]:
    """Try every change of every game."""
    told = list(zip(mutations(), spread(wrong, range(len(mutations())), "changes"), strict=True))
    for game in games.names():
        faults = [fault for of, fault in told if of.game == game]
        yield _exact(game, faults, 1)
        rules = {rule.id for rule in games.load(game).rules}
        broken = set().union(*(of.fires for of, _ in told if of.game == game)) & rules
        missing = tuple(sorted(rules - broken))
        found = f"{len(broken)} of {len(rules)}"
        yield Figure(f"{game}: rules that one of its files breaks", found, "all", not missing, missing)
    yield _exact("all games", [fault for _, fault in told], ENOUGH)


def _exact(what: str, told: list[str], least: int) -> Figure:
    """Return the figure of changes whose findings are exactly the expected ones."""
    faults = tuple(fault for fault in told if fault)
    exact = f"{len(told) - len(faults):,} of {len(told):,}"
    wanted = f"all of {least:,} or more" if least > 1 else "all"
    return Figure(f"{what}: changes told exactly", exact, wanted, not faults and len(told) >= least, faults)
