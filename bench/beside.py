"""protograf, driven side by side: scripts in an environment of its own, told what to draw, that time themselves."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHON = ROOT / ".bench" / "venv" / "bin" / "python"


@contextmanager
def drawing(script: str, plan: object) -> Iterator[Callable[[object], float]]:
    """The script, told its plan; each further line asked is answered in seconds (RuntimeError where it gives up)."""
    with (
        tempfile.TemporaryFile("w+") as told,
        subprocess.Popen(
            [str(PYTHON), str(Path(__file__).parent / script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=told,
            text=True,
        ) as other,
    ):
        assert other.stdin and other.stdout
        tell, answers = other.stdin, other.stdout

        def ask(text: object) -> float:
            tell.write(f"{text}\n")
            tell.flush()
            if answer := answers.readline():
                return float(answer)
            told.seek(0)
            raise RuntimeError(f"protograf gave up: {told.read()}")

        tell.write(json.dumps(plan) + "\n")
        yield ask
        tell.close()
