"""Run commands of version 0.1, taken from the history, for comparison with today's version.

Both versions run under the same Python with the same libraries, each in its own process.
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
"""The commit with which today's version is compared: the first that has packs, galleries and our own fonts."""
CODE = "K7Q2M-9FJXT"
"""A code that version 0.1 reads; it does not read the codes of today."""
RUN = "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); runpy.run_module('generator', run_name='__main__')"
"""A program that runs the Muster in the folder given as its first argument."""


@contextmanager
def before() -> Iterator[Path | None]:
    """Yield the folder of that commit, which exists until the context ends; None if the history is missing."""
    archive = subprocess.run(["git", "archive", BEFORE], cwd=ROOT, capture_output=True)
    if archive.returncode:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
            files.extractall(folder, filter="data")
        yield Path(folder)


def muster(tree: Path, *words: str) -> list[str]:
    """Return the command that runs the Muster in a folder."""
    return [sys.executable, "-c", RUN, str(tree), *words]
