"""Run `python -m bench`: measure the figures, print a table, and fail if a target is missed."""

from __future__ import annotations

import argparse
import gc
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from bench import long, page, report, rounds, shares, sight, silhouettes, since, startup
from bench.figure import Figure, table

PARTS: dict[str, tuple[Callable[[int], Iterable[Figure]], int]] = {
    "help": (startup.help_text, 30),
    "kits": (startup.kits, 40),
    "verbs": (startup.verbs, 9),
    "page": (page.figures, 9),
    "sight": (sight.figures, 9),
    "rounds": (rounds.figures, 1),
    "long": (long.figures, 1),
    "shares": (shares.figures, 9),
    "silhouettes": (silhouettes.figures, 3),
    "since": (since.figures, 3),
}
"""The function that measures each part, and its number of rounds. For `kits` it is the number of seed codes."""
FEW = 3
"""With --quick, the number of rounds is divided by this."""


def main() -> int:
    """Run the command, and return its exit code, which is 1 if a target is missed."""
    options = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    options.add_argument("parts", nargs="*", metavar="PART", help=f"all, or some of: {', '.join(PARTS)}")
    options.add_argument("--quick", action="store_true", help="fewer rounds")
    options.add_argument("--json", action="store_true", help="print the figures as JSON")
    options.add_argument("--write", metavar="FILE", type=Path, help="write the ratios as Markdown; of all parts only")
    chosen = options.parse_args()
    if unknown := sorted(set(chosen.parts) - set(PARTS)):
        options.error(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}")
    if chosen.parts and chosen.write:
        options.error("a page of some figures would lose the others: leave out --write, or the parts")
    parts = chosen.parts or [*PARTS]
    figures = list(measured(parts, FEW if chosen.quick else 1))
    heavy = startup.heavy_imports()
    if chosen.json:
        plain = {"figures": [f.plain() for f in figures], "help_imports": heavy}
        print(json.dumps(plain, indent=2, ensure_ascii=False))
    else:
        print(*table(figures), sep="\n")
        missed = [figure.what for figure in figures if not figure.target_met]
        held = sum(figure.target is not None for figure in figures)
        print(
            f"\n{held - len(missed)} of {held} targets are met.", *(f"Missed: {what}." for what in missed), sep="\n"
        )
        print(f"\nmuster --help imports {', '.join(heavy) or 'none'} of {', '.join(startup.HEAVY)}.")
    if chosen.write:
        chosen.write.write_text(report.page(figures, heavy), "utf-8")
    return 0 if all(figure.target_met for figure in figures) and not heavy else 1


def measured(parts: Sequence[str], few: int) -> Iterator[Figure]:
    """Yield the figures of some parts.

    Each figure is also reported immediately, because all parts take most of an hour.
    """
    for part in parts:
        figures, times = PARTS[part]
        # Freeze the objects created by earlier parts and imports, so that the garbage collector does not scan them
        # during this part.
        gc.collect()
        gc.freeze()
        print(f"{part} …", file=sys.stderr, flush=True)
        for figure in figures(max(1, times // few)):
            print(f"  {' · '.join(figure.row())}", file=sys.stderr, flush=True)
            yield figure
