"""The exports for Tabletop Simulator are read by another program, which finds every picture."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generator import games
from generator.model.views import Kit
from generator.model.words import LANGS, Lang
from generator.press import silent
from generator.press.layout.print_settings import PrintSettings
from generator.press.tabletop import SAVED_OBJECT, tabletop_files
from generator.seeds import code_for
from tests.prove.figure import SEED, Figure, counted

READER = "tabletop-simulator-cli==0.1.1"
"""The reader states that it needs Python 3.12, but it also runs on 3.11."""
URL = "https://example.org/muster/"
"""The address of the pictures. The reader ignores files of this machine."""
VERBS = ("cards", "boards")


def exports() -> Iterator[tuple[str, dict[str, bytes]]]:
    """Yield the export of the cards and of the boards of every game in both languages, with its label."""
    for name in games.names():
        for printable in games.load(name).prints:
            for lang in LANGS:
                if printable.verb in VERBS:
                    kit: Kit = printable.make({"paper": "a4", "seed": code_for(SEED)})
                    yield f"{name} {printable.verb} {lang}", _files(kit, lang)


def _files(kit: Kit, lang: Lang) -> dict[str, bytes]:
    return tabletop_files(kit, PrintSettings(lang), 50, URL, silent)


def prove() -> Iterator[Figure]:
    """Read every export with the reader, which is installed in an environment of its own."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        program = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin")
        pip = (program / "python", "-m", "pip", "install", "-q", "--ignore-requires-python", READER)
        subprocess.run(pip, check=True)
        found = [fault for label, files in exports() for fault in audit_faults(program / "tts", label, files)]
        cases = sum(1 for name in games.names() for p in games.load(name).prints if p.verb in VERBS) * len(LANGS)
    yield counted("exports read by tabletop-simulator-cli, with every picture found", cases, found)


def audit_faults(program: Path, label: str, files: dict[str, bytes]) -> Iterator[str]:
    """Yield what the reader finds wrong with an export, and what it read differently from what was written."""
    with tempfile.TemporaryDirectory() as folder:
        images = Path(folder) / "Mods" / "Images"
        images.mkdir(parents=True)
        for name, content in files.items():
            if name != SAVED_OBJECT:
                # The reader compares names with addresses by their letters and digits.
                (images / (re.sub("[^A-Za-z0-9]", "", URL + Path(name).stem) + ".png")).write_bytes(content)
        saved = Path(folder) / SAVED_OBJECT
        saved.write_bytes(files[SAVED_OBJECT])
        audit = ("assets", "audit", saved, "--mods-dir", images.parent, "--json")
        done = subprocess.run([program, *audit], capture_output=True, encoding="utf-8")
        if done.returncode:
            yield f"{label}: exit code {done.returncode} {done.stderr}{done.stdout[:500]}"
            return
        report = json.loads(done.stdout)
        read = {asset["url"].removeprefix(URL) for asset in report["assets"]}
        if read != files.keys() - {SAVED_OBJECT}:
            yield f"{label}: pictures {sorted(read ^ (files.keys() - {SAVED_OBJECT}))}"
        objects = sum(1 for _ in _objects(json.loads(files[SAVED_OBJECT])["ObjectStates"]))
        if report["summary"]["objects"] != objects:
            yield f"{label}: {report['summary']['objects']} of {objects} objects"


def _objects(states: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield all objects, including those in decks."""
    for state in states:
        yield state
        yield from _objects(state.get("ContainedObjects", []))
