"""A long print: kits of every game, code after code, in one file.

Run as a module, with how many codes, it is a process of its own, which prints as JSON how many pages it made, the
seconds from the kits to the PDF, and the most memory that it held, in MB: drawn, checked, printed, looked over. It
collects no garbage, as `muster` does not.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import time
from itertools import chain
from pathlib import Path

from msgspec.structs import replace
from pypdfium2 import PdfDocument

from generator import games
from generator.model.scenario import Request
from generator.model.views import Kit
from generator.press.book import print_kit
from generator.press.paper import Edition
from generator.press.preflight import preflight
from generator.rules import check
from generator.seeds import code_for

PAGES = 100
"""A code of every game makes so many pages at least."""
STRIDE = 34_000_003
EDITION = Edition("en")


def kits(codes: int) -> Kit:
    """Everything that is printed for so many codes of every game, tokens and boards at true size too, as one kit."""
    drawn = [_kit(name, code_for(i * STRIDE)) for i in range(codes) for name in games.names()]
    sheets = chain.from_iterable(kit.whole.sheets for kit in drawn)
    return replace(drawn[0], sheets=tuple(sheets), more=())


def _kit(name: str, code: str) -> Kit:
    game = games.load(name)
    scenario = game.draw(Request(code, {}, {}))
    return game.kit(scenario, check(game.rules, scenario), code, f"muster kit {name} --seed {code}")


def most_memory() -> float:
    """The most memory that this process held, in MB of a million bytes.

    Linux hands a new process its parent's mark as well, so there the kernel's own account of this one is read.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        line = next(line for line in status.read_text("ascii").splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024 / 1e6
    scale = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale / 1e6


def main() -> None:
    """Print it, and say what it took."""
    gc.disable()
    codes = int(sys.argv[1])
    kit = kits(codes)
    start = time.process_time()
    pdf = print_kit(kit, EDITION)
    seconds = time.process_time() - start
    assert not preflight(pdf, EDITION.paper, EDITION.lang)
    pages = len(PdfDocument(pdf))
    assert pages >= PAGES * codes, f"{pages} pages are too few"
    print(json.dumps({"pages": pages, "seconds": seconds, "megabytes": most_memory()}))


if __name__ == "__main__":
    main()
