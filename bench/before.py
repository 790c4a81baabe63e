"""Version 0.1 as it was, beside what it has become: commands of an early commit, taken from the history.

They are run by the same Python with the same libraries, each in a process of its own.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.beside import ROOT

BEFORE = "c1cecc9"
"""The commit that is held against; packs, galleries and fonts as they were first made."""
CODE = "K7Q2M-9FJXT"
"""A code of its own: it knows no codes of today."""
RUN = "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); runpy.run_module('generator', run_name='__main__')"
"""Runs the Muster of a folder."""


@contextmanager
def before() -> Iterator[Path | None]:
    """The folder of that commit, as long as it is asked for; None where its history is not there."""
    archive = subprocess.run(["git", "archive", BEFORE], cwd=ROOT, capture_output=True)
    if archive.returncode:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
            files.extractall(folder, filter="data")
        yield Path(folder)


def muster(tree: Path, *words: str) -> list[str]:
    """The command of the Muster of a folder."""
    return [sys.executable, "-c", RUN, str(tree), *words]
