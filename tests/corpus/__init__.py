"""Five hundred scenario files written by Muster 0.1, a hundred of each game."""

from __future__ import annotations

import tarfile
from pathlib import Path

from generator.cli.scenario import load
from generator.errors import MusterError

HERE = Path(__file__).parent


def unpacked(game: str, folder: Path) -> list[Path]:
    """Write the files of a game into a folder and return their paths."""
    with tarfile.open(HERE / f"{game}.tar.xz") as packed:
        packed.extractall(folder, filter="data")
    return sorted(folder.glob("*.toml"))


def fault(file: Path) -> str:
    """Describe the fault of a file that does not read, is not legal any more, or is written differently; else ""."""
    try:
        loaded = load(file)
    except MusterError as error:
        return f"{file.name}: {error.lines()[0]}"
    # Some scenes drawn by 0.1 break rules of taste that were added later.
    if found := loaded.report.of("illegal", "unproved", "remark"):
        return f"{file.name}: {found[0].why.en}"
    return "" if loaded.text == file.read_text("utf-8") else f"{file.name}: is written otherwise"
