"""Lists of players in their usual encodings, and random reports in the format TRF16, are read correctly."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from generator.errors import MusterError
from tests.prove.figure import Figure, counted, spread
from tests.tournament.reports import report
from tests.tournament.test_encoding import CASES, Verdict, verdict
from tests.tournament.test_trf import all_paired

LISTS, REPORTS = 400, 2_000
LEAST = 0.95
"""Minimum fraction of lists that must be read without a question. All others are refused with likely readings."""


def read(case: tuple[str, str, int]) -> Verdict:
    """Return the outcome for a list of names in a language and an encoding."""
    return verdict(*case)


def paired(seed: int) -> list[str]:
    """Return the faults of pairing the next rounds of a TRF16 report."""
    made = report(seed)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "event.trf"
        file.write_bytes(made.text.encode())
        try:
            record = all_paired(file, len(made.meetings))
        except MusterError as error:
            return [f"report {seed}: {error}"]
    meetings = [{frozenset((m.a, m.b)) for m in one.tables} for one in record.round]
    half = [{m.a for m in one.meetings if m.half} for one in record.round]
    return [] if (meetings, half) == (made.meetings, made.half) else [f"report {seed}: paired otherwise"]


def prove() -> Iterator[Figure]:
    """Try 400 lists of each language and encoding, and 2,000 reports."""
    cases = [(language, encoding, seed) for language, encoding in CASES for seed in range(LISTS)]
    found = list(spread(read, cases, "lists"))
    yield counted(
        "lists of names, none of them read wrongly", len(found), [one.why for one in found if one.kind == "wrong"]
    )
    share = sum(one.kind == "read" for one in found) / len(found)
    wanted = f"at least {LEAST:.0%}, the others refused with the likeliest readings"
    yield Figure("lists of names read without a question", f"{share:.1%}", wanted, share >= LEAST)
    faults = [fault for of in spread(paired, range(REPORTS), "reports") for fault in of]
    yield counted("reports of TRF16 paired round by round", REPORTS, faults)
