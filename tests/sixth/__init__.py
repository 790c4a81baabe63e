"""Add Tablut as a sixth game by copying three folders over those of Muster, and run commands in the copy.

`python -m tests.sixth` checks the types of the game, as `make types` does.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.cli.run import Run

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FOLDERS = ("generator", "data", "templates")
PLAYED = HERE / "playthrough.txt"
"""Recorded session of Tablut, which `python -m tests.playthroughs` regenerates."""


def planted(tree: Path) -> Path:
    """Copy Muster and the game's folders into a folder, as the game's author would do in a clone."""
    for name in FOLDERS:
        for source in (ROOT / name, HERE / name):
            half_written = shutil.ignore_patterns("*.pyc.*")  # other compiled files are valid in the copy
            shutil.copytree(source, tree / name, ignore=half_written, dirs_exist_ok=True)
    return tree


class Terminal:
    """A process that uses the copied Muster and runs commands in a folder."""

    def __init__(self, tree: Path, folder: Path) -> None:
        path = os.pathsep.join(map(str, (tree, ROOT)))
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.sixth", "serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": path, "LC_ALL": "C.UTF-8"},
            encoding="utf-8",
        )

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()

    def _asked(self, what: str, words: list[str]) -> list[object]:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps([what, words]) + "\n")
        self.process.stdin.flush()
        answer: list[object] = json.loads(self.process.stdout.readline())
        return answer

    def muster(self, *words: str | Path) -> Run:
        """Run a command and return its result."""
        code, out, err = self._asked("muster", [str(word) for word in words])
        assert isinstance(code, int)
        return Run(code, str(out), str(err))

    def replayed(self, commands: list[str]) -> list[str]:
        """Return the lines that a terminal shows when the given commands are run."""
        return [str(line) for line in self._asked("replay", commands)]
