"""Lawful Call to Arms files of a writer in tests are not refused; single slips in them are told of the right unit."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from generator.cli.scenario import load
from generator.errors import DataError
from generator.rules import Finding
from tests.games.call_to_arms.typist import slip, typed
from tests.prove.figure import Figure, counted, spread

LAWFUL, SLIPS = 2000, 1000
SHARE = 95
"""Percent of slips of which the right unit, line or hex must be named."""


def _illegal(text: str) -> tuple[Finding, ...]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "typed.toml"
        path.write_text(text, "utf-8")
        return load(path).report.illegal


def refused(seed: int) -> str:
    """What is told against a lawful file; empty where nothing is."""
    return "; ".join(f"{seed}: {f.rule.id} {f.why.en}" for f in _illegal(typed(seed)))


def judged(seed: int) -> tuple[bool, bool]:
    """Whether a slip makes a file illegal, and whether a finding names it."""
    of = slip(seed)
    try:
        found = _illegal(of.text)
    except DataError:  # without the unit green banners tie, and the file does not say who moves first
        return True, False
    return bool(found), any(of.named(f) for f in found)


def prove() -> Iterator[Figure]:
    """Two thousand files with shuffled rows, and a thousand with one slip each."""
    faults = [told for told in spread(refused, range(LAWFUL), "lawful files") if told]
    yield counted("lawful files with shuffled rows", LAWFUL, faults)
    results = [right for wrong, right in spread(judged, range(LAWFUL, LAWFUL + SLIPS), "slips") if wrong]
    share = 100 * sum(results) / len(results)
    found = f"{SLIPS:,} tried, {len(results):,} against the rules; named in {share:.1f} %"
    yield Figure("single slips of which the right unit, line or hex is named", found, f"{SHARE} %", share >= SHARE)
