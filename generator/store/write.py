"""Writing that is whole or not at all: a temporary file in the same folder, then one rename."""

from __future__ import annotations

import os
import re
import time
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from generator.errors import CannotWriteError

_STALE = 3600.0
_RESERVED = {"con", "prn", "aux", "nul", *(f"{p}{n}" for p in ("com", "lpt") for n in range(1, 10))}


def slug(name: str) -> str:
    """A file name made of a title: ASCII letters, digits, `-` and `_`, at most 60 characters."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    text = re.sub(r"[^A-Za-z0-9_]+", "-", plain).strip("-")[:60].lower()
    return f"{text}-" if text in _RESERVED else text or "scenario"


def write(path: Path, content: bytes) -> None:
    """Write a file whole; the old one stays as it was when anything goes wrong (CannotWriteError)."""
    write_all(path.parent, {path.name: content})


def write_all(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder, in their order, each whole; nothing is renamed before all are on disk."""
    ready: list[tuple[Path, Path]] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _sweep(folder)
        for name, content in files.items():
            part = folder / f".{name}.{os.getpid()}.muster-part"
            ready.append((part, folder / name))
            with part.open("wb") as out:
                out.write(content)
                out.flush()
                os.fsync(out.fileno())
        for part, target in ready:
            part.replace(target)
    except OSError as error:
        raise CannotWriteError(f"cannot write to {folder}: {error.strerror or error}") from error
    finally:
        for part, _ in ready:
            part.unlink(missing_ok=True)


def _sweep(folder: Path) -> None:
    """Remove what an earlier run that was killed left behind."""
    for stale in folder.glob(".*.muster-part"):
        if time.time() - stale.stat().st_mtime > _STALE:
            stale.unlink(missing_ok=True)
