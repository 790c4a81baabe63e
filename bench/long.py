"""A print of hundreds of pages, beside protograf's pages with the same marks on them; and what memory it takes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from statistics import median
from typing import Any

from bench import marks
from bench.beside import ROOT, drawing
from bench.clock import alternate
from bench.figure import Figure
from bench.long_print import EDITION, Kits
from generator.press.book import print_kits

ROOM = 250.0
"""The most memory that it may take, in MB."""
CODES, FEW, MANY = 4, 1, 10
"""So many codes of every game make the print; those of a hundred pages and of a thousand."""
FLAT = 1.2
"""How much more memory ten times the pages may take."""


def figures(rounds: int) -> Iterator[Figure]:
    """The whole print once a round, in a process of its own; protograf's pages beside it."""
    sample = marks.pages(bytes(print_kits(Kits(1), EDITION)))
    told: list[dict[str, Any]] = []

    def ours() -> float:
        told.append(printed(CODES))
        return float(told[-1]["seconds"] / told[-1]["pages"])

    with drawing("protograf_pages.py", sample) as ask:
        page, their_page = alternate(rounds, ours, lambda: ask("") / len(sample))
    what = f"a print of {told[0]['pages']} pages"
    beside = f"protograf, a page of {len(sample)} of them"
    yield Figure(f"{what}, each page", page, beside, their_page, "times as fast", 120)
    most = median(run["megabytes"] for run in told)
    yield Figure(f"{what}, the most memory", most, f"{ROOM:.0f} MB", ROOM, "times the memory", 1)
    many, few = printed(MANY), printed(FEW)
    what, beside = (f"a print of {of['pages']:,} pages" for of in (many, few))
    yield Figure(f"{what}, the most memory", many["megabytes"], beside, few["megabytes"], "times the memory", FLAT)


def printed(codes: int) -> dict[str, Any]:
    """What a process that prints so many codes of every game tells of it."""
    command = [sys.executable, "-m", "bench.long_print", str(codes)]
    told: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True, cwd=ROOT).stdout)
    return told
