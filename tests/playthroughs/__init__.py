"""A playthrough of each game and kind as a terminal shows it: `$ ` and a command, then Muster's answer.

`python -m tests.playthroughs` runs all commands again and writes the answers; `test_playthroughs.py` compares them
line by line. A game without a playthrough fails.
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
    """Return the commands of a playthrough, in order."""
    return [line.removeprefix(PROMPT) for line in text.splitlines() if line.startswith(PROMPT)]


def replayed(typed_commands: list[str], folder: Path) -> Iterator[str]:
    """Yield the lines that a terminal shows when these commands are run in that folder."""
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
