"""Run protograf scripts in their own environment. Each script receives a plan and measures its own time."""

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
    """Start a script, and yield a function that sends a line to the script and returns the seconds that it took.

    Raises:
        RuntimeError: If the script fails.
    """
    with (
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(
            [str(PYTHON), str(Path(__file__).parent / script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as other,
    ):
        assert other.stdin and other.stdout
        requests, answers = other.stdin, other.stdout

        def ask(text: object) -> float:
            requests.write(f"{text}\n")
            requests.flush()
            if answer := answers.readline():
                return float(answer)
            errors.seek(0)
            raise RuntimeError(f"protograf gave up: {errors.read()}")

        requests.write(json.dumps(plan) + "\n")
        yield ask
        requests.close()
