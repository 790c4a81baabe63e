"""Prove claims, write docs/proof.md, and fail if a figure falls short: `python -m tests.prove [PART …]`."""

from __future__ import annotations

import argparse
import datetime
import importlib
import inspect
import platform
import re
import sys
import time
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

from generator import __version__
from generator.workers import Workers, processes_available
from tests import hear_ctrl_c
from tests.prove.figure import WORKERS, Figure

PAGE = Path(__file__).resolve().parents[2] / "docs" / "proof.md"
PARTS = sorted(path.stem for path in (Path(__file__).parent / "parts").glob("[!_]*.py"))
LIBRARIES = ("click", "shapely", "numpy", "reportlab", "jinja2", "msgspec")
HEAD = """# What was proved

`make prove` runs all parts and writes this page. To run a single part again, name it, as in
`make prove ARGS=hostile`. Each part uses a fixed random seed, so every machine tests the same cases. `make test` runs
a sample of each part.
"""


def main() -> int:
    """Run the parts and return the exit code, which is 1 if a figure falls short."""
    hear_ctrl_c()
    options = argparse.ArgumentParser(prog="python -m tests.prove", description=__doc__)
    options.add_argument("part", nargs="*", help=f"of: {', '.join(PARTS)} (default: all)")
    options.add_argument("--no-write", action="store_true", help="leave docs/proof.md as it is")
    options.add_argument(
        "--jobs", type=int, default=processes_available(), metavar="N", help="processes (default: the cores)"
    )
    options.add_argument("--cluster", default="", metavar="ADDRESS", help="a Dask scheduler in place of processes")
    chosen = options.parse_args()
    WORKERS.append(Workers(chosen.jobs, chosen.cluster))
    if strange := set(chosen.part) - set(PARTS):
        options.error(f"no part {', '.join(sorted(strange))}; there are: {', '.join(PARTS)}")
    held = True
    for part in chosen.part or PARTS:
        module = importlib.import_module(f"tests.prove.parts.{part}")
        claim = (inspect.getdoc(module) or part).splitlines()[0]
        print(f"{part}: {claim}", file=sys.stderr, flush=True)
        began = time.monotonic()
        figures = []
        for figure in module.prove():
            figures.append(figure)
            print(f"{figure.mark} {figure.what}: {figure.found} (wanted: {figure.wanted})", flush=True)
            print(*(f"    {fault}" for fault in figure.faults[:20]), sep="\n", end="\n" if figure.faults else "")
        held &= bool(figures) and all(figure.holds for figure in figures)
        if not chosen.no_write:
            write(part, section(part, claim, figures, time.monotonic() - began))
    return 0 if held else 1


def section(part: str, claim: str, figures: Iterable[Figure], seconds: float) -> str:
    """Return the section of the page for a part."""
    rows = (f"| {f.mark} | {f.what} | {f.found} | {f.wanted} |" for f in figures)
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    when = f"{datetime.date.today():%Y-%m-%d}, {seconds / 60:.1f} min, Muster {__version__}"
    made = f"{when}, Python {platform.python_version()}, {libraries}."
    return "\n".join((f"## {part}", "", claim, "", "| | what | found | wanted |", "|-|-|-|-|", *rows, "", made, ""))


def write(part: str, text: str) -> None:
    """Write a part's section to the page, in the order of the parts, and keep the other sections."""
    page = PAGE.read_text("utf-8") if PAGE.is_file() else HEAD
    there = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    there[part] = text.partition("\n")[2]
    sections = (f"## {name}\n{there[name].rstrip()}\n" for name in PARTS if name in there)
    PAGE.write_text("\n".join((HEAD, *sections)), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
