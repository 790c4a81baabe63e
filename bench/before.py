"""Run commands of version 0.1, taken from the git history, for comparison with the current version.

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
"""The commit that is compared with the current version. It is the first with packs, galleries and embedded fonts."""
CODE = "K7Q2M-9FJXT"
"""A seed code that version 0.1 can read. It cannot read current codes."""
RUN = "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); runpy.run_module('generator', run_name='__main__')"
"""A program that runs the version of Muster in the folder given as its first argument."""


@contextmanager
def before() -> Iterator[Path | None]:
    """Yield a temporary folder with the files of the commit, or None if the git history is not available."""
    archive = subprocess.run(["git", "archive", BEFORE], cwd=ROOT, capture_output=True)
    if archive.returncode:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
            files.extractall(folder, filter="data")
        yield Path(folder)


def muster(tree: Path, *words: str) -> list[str]:
    """Return the command that runs the version of Muster in a folder."""
    return [sys.executable, "-c", RUN, str(tree), *words]
