"""A long print: kits of every game, code after code, in one file.

Run as a module, with how many codes, it is a process of its own, which prints as JSON how many pages it made, the
seconds from the kits to the PDF, and the most memory that it held, in MB: drawn, checked, printed, looked over. It
collects no garbage but what the print does, as `muster` does not.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

from pypdfium2 import PdfDocument

from bench.clock import own
from generator import games
from generator.model.scenario import Request
from generator.model.views import Kit
from generator.press.book import print_kits
from generator.press.check.preflight import preflight
from generator.press.layout.edition import Edition
from generator.rules import check
from generator.seeds import code_for

PAGES = 100
"""A code of every game makes so many pages at least."""
STRIDE = 34_000_003
EDITION = Edition("en")


class Kits:
    """Everything that is printed for so many codes of every game, tokens and boards at true size too, kit by kit.

    Each is drawn when it is asked for; `seconds` of a processor's time were spent on that.
    """

    def __init__(self, codes: int) -> None:
        self.asked = [(name, code_for(i * STRIDE)) for i in range(codes) for name in games.names()]
        self.seconds = 0.0

    def __len__(self) -> int:
        return len(self.asked)

    def __contains__(self, kit: object) -> bool:
        return any(kit == each for each in self)

    def __iter__(self) -> Iterator[Kit]:
        for name, code in self.asked:
            start = own()
            kit = _kit(name, code)
            self.seconds += own() - start
            yield kit
            del kit


def _kit(name: str, code: str) -> Kit:
    game = games.load(name)
    scenario = game.draw(Request(code, {}, {}))
    return game.kit(scenario, check(game.rules, scenario), code, f"muster kit {name} --seed {code}").whole


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
    kits = Kits(codes)
    start = own()
    pdf = print_kits(kits, EDITION)
    seconds = own() - start - kits.seconds
    assert not preflight(pdf, EDITION.paper, EDITION.lang)
    pages = len(PdfDocument(pdf))
    assert pages >= PAGES * codes, f"{pages} pages are too few"
    print(json.dumps({"pages": pages, "seconds": seconds, "megabytes": most_memory()}))


if __name__ == "__main__":
    main()
