"""Prints of every kind, game and language are tagged without faults by our own check, `pdfua` and `outloud`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import venv
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pdfua

from generator import games
from generator.model.scenario import Request
from generator.model.words import LANGS
from generator.rules import check
from generator.seeds import code_for
from tests.press.read_aloud import read_aloud
from tests.prove.figure import SEED, Figure, counted, spread

OUTLOUD = "outloud==0.2.1"
"""The checker needs PyMuPDF, whose licence (AGPL) keeps it out of Muster's own environment."""
KNOWN_WARNINGS = {
    "FIG-012": "alternative texts of maps consist mostly of the names of hexes",
    "HDG-010": "outloud takes a Japanese heading with a digit and without spaces, such as A1とB1の境, for a number",
    "HDG-012": "prints for card services have only pictures of cards, and no text that could be a heading",
    "PAG-001": "the event's name or a row of numbers at the edge of several pages is taken for a header",
    "ORD-001": "outloud reads a paragraph's own text before its links; the own check follows the order of the tree",
    "TBL-012": "record sheets have empty cells to write in, and pictograms beside numbers are not read",
    "TBL-014": "record sheets have drawn grids of boxes",
    "TAG-030": "the scales of the calibration sheet are a figure as large as the page",
}
"""Warnings that are expected, with the reason."""
KNOWN_ERRORS = {
    "TAG-002": "long footers and repeated heads of tables, which outloud takes for prose unless on three pages",
}
"""Errors that are expected, with the reason. TAG-002 is accepted only for lines that are read on another page."""
OPTIONS: dict[str, tuple[str, ...]] = {
    "plain": (),
    "fillable": ("--fillable",),
    "saver": ("--ink", "saver"),
    "letter": ("--paper", "letter"),
    "pictures": ("--format", "pdf"),
    "booklet": ("--evening",),
    "booklet letter": ("--evening", "--paper", "letter", "--ink", "saver"),
    "booklet a3": ("--evening", "--paper", "a3"),
}
"""Options of `muster kit`, by name."""
CARD_OPTIONS: tuple[tuple[str, ...], ...] = (
    ("--lang", "en+ja"),
    ("--fold",),
    ("--lang", "ja", "--backs-only"),
    ("--format", "pdf", "--lang", "ja"),
    ("--format", "service"),
)
"""Options of `muster cards` beyond the language."""
PLAYERS = "Ann\nBob\nChie\nDai\n"
SCENARIO, LOG = "scenario.toml", "game.txt"


def cases() -> list[tuple[str, ...]]:
    """Return the command lines that make every kind of print of every game in both languages."""
    code, found = code_for(SEED), list[tuple[str, ...]]()
    for game, lang in product(games.names(), LANGS):
        for options in OPTIONS.values():
            found.append(("kit", game, "--seed", code, "--lang", lang, *options))
        found.append(("kit", game, "--seed", code, "--lang", lang, "--parts", every_part(game)))
        found.append(("tournament", "pack", game, "--rounds", "1", "--seed", code, "--lang", lang))
        verbs = dict.fromkeys(each.verb for each in games.load(game).prints)
        found += [(verb, game, "--lang", lang) for verb in verbs]
        found.append(("fairness", game, "--lang", lang))
        if games.load(game).logbook:
            found.append(("replay", game, "--lang", lang))
        if "cards" in verbs and lang == LANGS[0]:
            found += [("cards", game, *options) for options in CARD_OPTIONS]
    found += [("campaign", "travel_battle", "--seed", code, "--lang", lang) for lang in LANGS]
    found += [("kit", "call_to_arms", "--seed", code, "--lang", lang, "--until", "hand") for lang in LANGS]
    found += [("printer", "calibrate", "--lang", lang) for lang in LANGS]
    return found


def every_part(game: str) -> str:
    """Return the names of all parts of a game's kit."""
    loaded, code = games.load(game), code_for(SEED)
    scenario = loaded.draw(Request(code, {}, {}))
    return ",".join(loaded.kit(scenario, check(loaded.rules, scenario), code, "muster kit").whole.parts)


def printed(case: tuple[str, ...], folder: Path) -> list[Path]:
    """Run a command in a folder and return the PDFs that it writes."""
    (folder / "players.txt").write_text(PLAYERS, encoding="utf-8")
    verb, game, *options = case
    given = list(case)
    if verb == "tournament":
        given += ["--players", "players.txt"]
    if verb in ("fairness", "replay"):
        run(folder, "draw", game, "--seed", code_for(SEED), "-o", SCENARIO)
        given = [verb, SCENARIO, *options]
    if verb == "replay":
        run(folder, "play", SCENARIO, "--seed", code_for(SEED), "-o", LOG)
        given = [verb, LOG, "--scenario", SCENARIO, "--dpi", "30", *options]
    is_folder = verb in ("kit", "tournament", "replay") or ("--format" in case and "service" not in case)
    run(folder, *given, "-o", "out" if is_folder else "out.pdf")
    found = sorted(folder.rglob("*.pdf"))
    assert found, " ".join(case)
    return found


def run(folder: Path, *given: str) -> None:
    """Run a command of Muster in a folder."""
    command = [sys.executable, "-m", "generator", *given]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise AssertionError(f"{' '.join(given)}: {ran.stderr[-500:]}")


def pdfua_findings(pdf: bytes) -> list[str]:
    """Return what `pdfua` finds in a PDF."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "print.pdf"
        file.write_bytes(pdf)
        return [f"{finding.rule_id}: {finding.message}" for finding in pdfua.validate(str(file)).findings]


def prove() -> Iterator[Figure]:
    """Check every kind of print with our own check, `pdfua` and `outloud`."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        program = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin")
        subprocess.run([program / "python", "-m", "pip", "install", "-q", OUTLOUD], check=True)
        found = list(spread(partial(judged, program / "outloud"), cases(), "tagged"))
    prints = sum(one.prints for one in found)
    yield counted(
        "prints without faults by the own check and pdfua", prints, [fault for one in found for fault in one.faults]
    )
    errors = [error for one in found for error in one.errors]
    yield counted("prints without errors and unknown warnings by outloud", prints, errors)
    known = Counter(rule for one in found for rule in one.known)
    for rule, reason in (KNOWN_ERRORS | KNOWN_WARNINGS).items():
        yield Figure(f"{rule}, known: {reason}", f"{known[rule]:,} findings", "any number", True)


class Judged(NamedTuple):
    """The number of prints of a command, and what our own check and `pdfua`, and `outloud`, find in them."""

    prints: int
    faults: list[str]
    errors: list[str]
    known: list[str]
    """The rules of known findings of `outloud`."""


def judged(program: Path, case: tuple[str, ...]) -> Judged:
    """Return what the checks find in the prints of a command. `program` is `outloud`."""
    with tempfile.TemporaryDirectory() as folder:
        files, report = printed(case, Path(folder)), Path(folder) / "report.json"
        subprocess.run([program, *files, "--json", report, "--fail-on", "never"], check=True, capture_output=True)
        results = json.loads(report.read_text(encoding="utf-8"))["results"]
        pdfs = [file.read_bytes() for file in files]
    readings = [read_aloud(pdf) for pdf in pdfs]
    faults = [fault for pdf, one in zip(pdfs, readings, strict=True) for fault in (*one.faults, *pdfua_findings(pdf))]
    read = "\n".join(one.text for one in readings)
    errors, known = list[str](), list[str]()
    for finding in (finding for result in results for finding in result["findings"]):
        if finding["severity"] == "info":
            continue
        if is_known(finding, read):
            known.append(finding["rule"])
        else:
            errors.append(f"{' '.join(case)}: {finding['rule']} {finding['message']}")
    return Judged(len(files), [f"{' '.join(case)}: {fault}" for fault in faults], errors, known)


def is_known(finding: Mapping[str, Any], read: str) -> bool:
    """Return whether a finding of `outloud` is expected. `read` is everything that the prints read aloud."""
    rule, evidence = finding["rule"], str(finding.get("evidence"))
    if rule == "HDG-010":
        return re.search("[\u3040-\u9fff]", evidence) is not None
    if finding["severity"] == "warning":
        return rule in KNOWN_WARNINGS
    # The last word may be cut. Covers name the game in capitals.
    *words, _ = re.findall(r"[^\W\d_]{3,}", evidence.casefold()) or [""]
    return rule in KNOWN_ERRORS and all(word in read.casefold() for word in words)
