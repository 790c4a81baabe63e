"""Measure the memory needed to print a thousand pages."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from bench.beside import ROOT
from bench.figure import Figure

MAX_MEGABYTES = 300.0
"""Limit of the peak memory, in MB."""
CODES = 10
"""Number of seed codes. The kits of all games for these codes have a thousand pages."""


def figures(_: int) -> Iterator[Figure]:
    """Yield the peak memory of a process that draws, checks, prints and preflights all these kits as one file."""
    command = [sys.executable, "-m", "bench.long_print", str(CODES)]
    content: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True, cwd=ROOT).stdout)
    what = f"peak memory of a print of {content['pages']:,} pages"
    adjacent = f"{MAX_MEGABYTES:.0f} MB"
    yield Figure(what, float(content["megabytes"]), adjacent, MAX_MEGABYTES, "times the memory", 1)
