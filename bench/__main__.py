"""`python -m bench`: measure, print the table, and fail where a target is missed."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from bench import (
    long,
    page,
    played,
    played_battles,
    report,
    rounds,
    shares,
    sight,
    silhouettes,
    startup,
    studio,
    thread,
)
from bench.figure import Figure, table


def main() -> int:
    """The exit code: 1 where a target is missed."""
    options = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    options.add_argument("--quick", action="store_true", help="fewer rounds")
    options.add_argument("--json", action="store_true", help="print the figures as JSON")
    options.add_argument("--write", metavar="FILE", type=Path, help="write the ratios as Markdown")
    chosen = options.parse_args()
    few = 3 if chosen.quick else 1
    figures: list[Figure] = [
        startup.help_text(30 // few),
        *sight.figures(9 // few),
        startup.whole_kit(15 // few),
        *page.figures(9 // few),
        *long.figures(3 // few),
        *shares.figures(9 // few),
        *silhouettes.figures(3 // few),
        *thread.figures(9 // few),
        *rounds.figures(3 // few),
        studio.choice(9 // few),
        *played.figures(3 // few),
        *played_battles.figures(3 // few),
    ]
    heavy = startup.heavy_imports()
    if chosen.json:
        plain = {"figures": [f.plain() for f in figures], "help_imports": heavy}
        print(json.dumps(plain, indent=2, ensure_ascii=False))
    else:
        print(*table(figures), sep="\n")
        print(f"\nmuster --help imports {', '.join(heavy) or 'none'} of {', '.join(startup.HEAVY)}.")
    if chosen.write:
        chosen.write.write_text(report.page(figures, heavy), "utf-8")
    return 0 if all(figure.met for figure in figures) and not heavy else 1


if __name__ == "__main__":
    sys.exit(main())
