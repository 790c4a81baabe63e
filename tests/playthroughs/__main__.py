"""Regenerate every recorded session: `python -m tests.playthroughs`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.playthroughs import FILES, commands, replayed
from tests.sixth import PLAYED, Terminal, planted

for file in FILES:
    with tempfile.TemporaryDirectory() as folder:
        lines = replayed(commands(file.read_text("utf-8")), Path(folder))
        file.write_text("\n".join(lines) + "\n", "utf-8")

with tempfile.TemporaryDirectory() as tree, tempfile.TemporaryDirectory() as here:
    with Terminal(planted(Path(tree)), Path(here)) as terminal:
        answers = terminal.replayed(commands(PLAYED.read_text("utf-8")))
    PLAYED.write_text("\n".join(answers) + "\n", "utf-8")
