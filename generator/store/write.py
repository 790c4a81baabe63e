"""Writing that is whole or not at all: a temporary file in the same folder, then one rename."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from generator.errors import CannotWriteError

_PART = ".muster-part"
_STALE = 3600.0


def is_bare(name: str) -> bool:
    """Whether a name is that of a file in the folder itself, no path out of it."""
    return bool(name) and name not in (".", "..") and not set(name) & set("/\\\0")


def write(path: Path, content: bytes) -> None:
    """Write a file whole; the old one stays as it was when anything goes wrong (CannotWriteError)."""
    write_all(path.parent, {path.name: content})


def write_all(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder, in their order, each whole; nothing is renamed before all are on disk."""
    if paths := [name for name in files if not is_bare(name)]:
        raise CannotWriteError(f"cannot write a file called {paths[0]!r}")
    ready: list[tuple[Path, Path]] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _sweep(folder)
        for name, content in files.items():
            target = folder / name
            if target.is_dir():
                raise IsADirectoryError(None, f"{name} is a folder there")
            part = folder / f".{secrets.token_hex(8)}{_PART}"
            ready.append((part, target))
            with part.open("xb") as out:
                out.write(content)
                out.flush()
                os.fsync(out.fileno())
        for part, target in ready:
            part.replace(target)
    except OSError as error:
        raise CannotWriteError(f"cannot write to {folder}: {error.strerror or error}") from error
    finally:
        for part, _ in ready:
            with contextlib.suppress(OSError):
                part.unlink()


def remove(folder: Path, names: Iterable[str]) -> None:
    """Remove files of a folder; CannotWriteError where one cannot be."""
    try:
        for name in names:
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise CannotWriteError(f"cannot write to {folder}: {error.strerror or error}") from error


def _sweep(folder: Path) -> None:
    """Remove what an earlier run that was killed left behind; another that runs now may do the same."""
    for stale in folder.glob(f".*{_PART}"):
        with contextlib.suppress(OSError):
            if time.time() - stale.stat().st_mtime > _STALE:
                stale.unlink()
