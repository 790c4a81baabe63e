"""Record a terminal session for each game and kind, in which `$ ` precedes each command and its output follows.

`python -m tests.playthroughs` runs all commands again and writes the output. `test_playthroughs.py` compares the
output line by line, and fails for a game without a session.
"""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterator
from pathlib import Path

from tests.cli.run import muster

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.txt"))
PROMPT = "$ "


def commands(text: str) -> list[str]:
    """Return the commands of a session, in order."""
    return [line.removeprefix(PROMPT) for line in text.splitlines() if line.startswith(PROMPT)]


def replayed(typed_commands: list[str], folder: Path) -> Iterator[str]:
    """Run the commands in a folder and yield the lines that a terminal shows."""
    with contextlib.chdir(folder):
        for command in typed_commands:
            yield f"{PROMPT}{command}"
            name, *words = shlex.split(command)
            if name == "cat":
                yield from Path(words[0]).read_text("utf-8").splitlines()
                continue
            done = muster(*words)
            yield from (done.out + done.err).splitlines()
            if done.code:
                yield f"exit code {done.code}"
