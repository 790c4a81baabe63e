"""Print kits of all games for several seed codes as one file: `python -m bench.long_print CODES`."""

from __future__ import annotations

import gc
import json
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

from pypdfium2 import PdfDocument

from generator import games
from generator.model.scenario import Request
from generator.model.views import Kit
from generator.press.book import print_kits
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings
from generator.rules import check
from generator.seeds import code_for

PAGES = 100
"""Minimum number of pages of the kits of all games for one seed code."""
STRIDE = 34_000_003
"""Distance between the seed codes in the sequence of all codes. Codes this far apart have nothing in common."""
EDITION = PrintSettings("en")


class Kits:
    """The kits of all games for several seed codes, with tokens and boards. Each kit is created when it is needed."""

    def __init__(self, codes: int) -> None:
        self.asked = [(name, code_for(i * STRIDE)) for i in range(codes) for name in games.names()]

    def __len__(self) -> int:
        return len(self.asked)

    def __contains__(self, kit: object) -> bool:
        return any(kit == each for each in self)

    def __iter__(self) -> Iterator[Kit]:
        return (_kit(name, code) for name, code in self.asked)


def _kit(name: str, code: str) -> Kit:
    game = games.load(name)
    scenario = game.draw(Request(code, {}, {}))
    return game.kit(scenario, check(game.rules, scenario), code, f"muster kit {name} --seed {code}").whole


def most_memory() -> float:
    """Return the peak memory of this process in MB (1 MB = 1,000,000 bytes).

    On Linux, the `ru_maxrss` of a new process starts with the peak of its parent, so the value is read from
    /proc/self/status.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        line = next(line for line in status.read_text("ascii").splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024 / 1e6
    scale = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale / 1e6


def main() -> None:
    """Draw, check, print and preflight the kits, and write the number of pages and the peak memory in MB as JSON."""
    gc.disable()  # The `muster` command does the same.
    codes = int(sys.argv[1])
    pdf = print_kits(Kits(codes), EDITION)
    assert not preflight(pdf, EDITION.paper, EDITION.lang)
    pages = len(PdfDocument(pdf))
    assert pages >= PAGES * codes, f"{pages} pages are too few"
    print(json.dumps({"pages": pages, "megabytes": most_memory()}))


if __name__ == "__main__":
    main()
