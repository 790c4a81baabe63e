"""Every archived scenario file of version 0.1 can still be read, is legal, and is written unchanged."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from generator import games
from tests.corpus import fault, unpacked
from tests.prove.figure import Figure, counted, spread


def prove() -> Iterator[Figure]:
    """Check all 500 files."""
    for name in games.names():
        with tempfile.TemporaryDirectory() as folder:
            files = unpacked(name, Path(folder))
            faults = [message for message in spread(fault, files, name) if message]
            yield counted(f"files of {name}", len(files), faults)
