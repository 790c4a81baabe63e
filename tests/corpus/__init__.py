"""Five hundred scenario files that Muster 0.1 wrote, a hundred of each game."""

from __future__ import annotations

import tarfile
from pathlib import Path

from generator.cli.scenario import load
from generator.errors import MusterError

HERE = Path(__file__).parent


def unpacked(game: str, folder: Path) -> list[Path]:
    """A game's files, laid out in a folder."""
    with tarfile.open(HERE / f"{game}.tar.xz") as packed:
        packed.extractall(folder, filter="data")
    return sorted(folder.glob("*.toml"))


def fault(file: Path) -> str:
    """What is wrong with a file, where it does not read, is no longer legal, or would be written otherwise."""
    try:
        loaded = load(file)
    except MusterError as error:
        return f"{file.name}: {error.lines()[0]}"
    # Some scenes that 0.1 drew are not to our taste any more.
    if found := loaded.report.of("illegal", "unproved", "remark"):
        return f"{file.name}: {found[0].why.en}"
    return "" if loaded.text == file.read_text("utf-8") else f"{file.name}: is written otherwise"
