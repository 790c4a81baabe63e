"""Legal scenario files in another style are accepted, and a typo is reported with its line and place."""

from __future__ import annotations

from collections.abc import Iterator

from generator import games
from tests.prove.figure import Figure, counted, spread
from tests.strangers import cases, missed, refusal

LAWFUL, SLIPS = 2_000, 1_000
"""Number of legal files and of typos for each game."""
ENOUGH = 95
"""Percentage of a game's typos that must be reported correctly."""


def prove() -> Iterator[Figure]:
    """Try 2,000 legal files and 1,000 typos of each game."""
    lawful = list(cases(LAWFUL))
    refused = [fault for fault in spread(refusal, lawful, "lawful files") if fault]
    yield counted("legal files in other styles", len(lawful), refused)
    slips = list(cases(SLIPS))
    wrong = dict(zip(slips, spread(missed, slips, "slips"), strict=True))
    for game in games.names():
        faults = tuple(fault for (of, _), fault in wrong.items() if of == game and fault)
        share = 100 * (SLIPS - len(faults)) / SLIPS
        what = f"{game}: typos reported with their unit, line and place"
        yield Figure(what, f"{share:.1f} % of {SLIPS:,}", f"≥ {ENOUGH} %", share >= ENOUGH, faults)
