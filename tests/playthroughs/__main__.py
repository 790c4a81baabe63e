"""`python -m tests.playthroughs`: make every playthrough again."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.playthroughs import FILES, commands, replayed

for file in FILES:
    with tempfile.TemporaryDirectory() as folder:
        lines = replayed(commands(file.read_text("utf-8")), Path(folder))
        file.write_text("\n".join(lines) + "\n", "utf-8")
