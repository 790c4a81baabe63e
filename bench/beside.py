"""Run protograf scripts in their own environment; the scripts receive a plan and time themselves."""

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
    """Yield a function that sends the script a line and returns its seconds; RuntimeError if the script fails."""
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
