"""`python -m bench`: measure, print the table, and fail where a target is missed."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from bench import (
    fresh,
    long,
    page,
    played,
    played_battles,
    report,
    rounds,
    shares,
    sight,
    silhouettes,
    since,
    startup,
    studio,
    thread,
)
from bench.figure import Figure, table


def main() -> int:
    """The exit code: 1 where a target is missed."""
    options = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    options.add_argument("--quick", action="store_true", help="fewer rounds, without tests and a fresh clone")
    options.add_argument("--json", action="store_true", help="print the figures as JSON")
    options.add_argument("--write", metavar="FILE", type=Path, help="write the ratios as Markdown")
    chosen = options.parse_args()
    few = 3 if chosen.quick else 1
    figures: list[Figure] = [
        startup.help_text(30 // few),
        *sight.figures(9 // few),
        *startup.verbs(9 // few),
        *page.figures(9 // few),
        *long.figures(3 // few),
        *shares.figures(9 // few),
        *silhouettes.figures(3 // few),
        *thread.figures(9 // few),
        *rounds.figures(3 // few),
        studio.choice(9 // few),
        *played.figures(3 // few),
        *played_battles.figures(3 // few),
        *since.figures(3 // few),
    ]
    if not chosen.quick:
        figures += [*since.tests(), fresh.first_kit()]
    heavy = startup.heavy_imports()
    if chosen.json:
        plain = {"figures": [f.plain() for f in figures], "help_imports": heavy}
        print(json.dumps(plain, indent=2, ensure_ascii=False))
    else:
        print(*table(figures), sep="\n")
        missed = [figure.what for figure in figures if not figure.met]
        held = sum(figure.target is not None for figure in figures)
        print(
            f"\n{held - len(missed)} of {held} targets are met.", *(f"Missed: {what}." for what in missed), sep="\n"
        )
        print(f"\nmuster --help imports {', '.join(heavy) or 'none'} of {', '.join(startup.HEAVY)}.")
    if chosen.write:
        chosen.write.write_text(report.page(figures, heavy), "utf-8")
    return 0 if all(figure.met for figure in figures) and not heavy else 1


if __name__ == "__main__":
    sys.exit(main())
