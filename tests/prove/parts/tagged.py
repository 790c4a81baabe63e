"""Kits and other prints of every game are tagged without faults by three checks: our own, `pdfua` and `outloud`."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pdfua

from generator import games
from generator.model.scenario import Request
from generator.model.views import Kit
from generator.model.words import LANGS, Lang
from generator.press.book import print_kit
from generator.press.layout.print_settings import PrintSettings
from generator.rules import check
from generator.seeds import code_for
from tests.press.read_aloud import read_aloud
from tests.prove.figure import SEED, Figure, counted, spread

OUTLOUD = "outloud==0.2.1"
"""The checker needs PyMuPDF, whose licence (AGPL) keeps it out of Muster's own environment."""
KNOWN_WARNINGS = {
    "FIG-012": "alternative texts of maps consist mostly of the names of hexes",
    "TBL-012": "record sheets have empty cells to write in",
    "TBL-014": "record sheets have drawn grids of boxes",
}
"""Warnings that are expected, with the reason."""


class Case(NamedTuple):
    """A print of a game: its kit with all parts, or one of the prints that need no scenario."""

    game: str
    lang: Lang
    fillable: bool
    number: int
    """Number of the print that needs no scenario, or -1 for the kit."""


def printed(case: Case) -> bytes:
    """Return the PDF of a case."""
    game, code = games.load(case.game), code_for(SEED)
    kit: Kit
    if case.number < 0:
        scenario = game.draw(Request(code, {}, {}))
        kit = game.kit(scenario, check(game.rules, scenario, game.mode(scenario)), code, "muster kit").whole
    else:
        kit = game.prints[case.number].make({"paper": "a4", "seed": code})
    return print_kit(kit, PrintSettings(case.lang, fillable=case.fillable))


def cases() -> list[Case]:
    """Return the kits of every game in both languages, empty and fillable, and all prints without a scenario."""
    kits = [Case(name, lang, fill, -1) for name in games.names() for lang in LANGS for fill in (False, True)]
    others = [
        Case(name, lang, False, number)
        for name in games.names()
        for number in range(len(games.load(name).prints))
        for lang in LANGS
    ]
    return kits + others


def faults(case: Case) -> list[str]:
    """Return the faults that our own check and `pdfua` find in a print."""
    pdf = printed(case)
    return [f"{case}: {fault}" for fault in (*read_aloud(pdf).faults, *pdfua_findings(pdf))]


def pdfua_findings(pdf: bytes) -> list[str]:
    """Return what `pdfua` finds in a PDF."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "print.pdf"
        file.write_bytes(pdf)
        return [f"{finding.rule_id}: {finding.message}" for finding in pdfua.validate(str(file)).findings]


def prove() -> Iterator[Figure]:
    """Check every kind of print, first with our own check and `pdfua`, then with `outloud`."""
    all_cases = cases()
    found = [fault for of in spread(faults, all_cases, "tagged") for fault in of]
    yield counted("prints without faults by the own check and pdfua", len(all_cases), found)
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        program = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin")
        subprocess.run([program / "python", "-m", "pip", "install", "-q", OUTLOUD], check=True)
        kits = [case for case in all_cases if case.number < 0]
        errors = [fault for case in kits for fault in outloud_findings(program / "outloud", case)]
    yield counted("kits without errors and unknown warnings by outloud", len(kits), errors)


def outloud_findings(program: Path, case: Case) -> Iterator[str]:
    """Yield the errors that `outloud` finds in a print, and its warnings except known ones."""
    with tempfile.TemporaryDirectory() as folder:
        file, report = Path(folder) / "print.pdf", Path(folder) / "report.json"
        file.write_bytes(printed(case))
        subprocess.run([program, file, "--json", report, "--fail-on", "never"], check=True, capture_output=True)
        for result in json.loads(report.read_text(encoding="utf-8"))["results"]:
            for finding in result["findings"]:
                known = finding["severity"] == "warning" and finding["rule"] in KNOWN_WARNINGS
                if finding["severity"] != "info" and not known:
                    yield f"{case}: {finding['rule']} {finding['message']}"
