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
_TRIES, _SOON = 50, 0.01
"""How often to ask for a folder that is being swept, and after how many seconds again."""


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
    held: dict[Path, int] = {}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _sweep(folder, held)
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
        for handle in held.values():
            os.close(handle)


def remove(folder: Path, names: Iterable[str]) -> None:
    """Remove files of a folder; CannotWriteError where one cannot be."""
    try:
        for name in names:
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise CannotWriteError(f"cannot write to {folder}: {error.strerror or error}") from error


def _sweep(folder: Path, held: dict[Path, int]) -> None:
    """Remove what an earlier run that was killed left behind, and hold the folder, lest another run sweep ours.

    Where nothing can be held, or somebody else writes there now, what is an hour old was left behind.
    """
    if folder in held:
        return
    alone = _hold(folder, held)
    for stale in folder.glob(f".*{_PART}"):
        with contextlib.suppress(OSError):
            if alone or time.time() - stale.stat().st_mtime > _STALE:
                stale.unlink()
    if alone:
        _share(held[folder])


def _hold(folder: Path, held: dict[Path, int]) -> bool:
    """Hold a folder open until its handle is closed; whether nobody else does."""
    try:
        import fcntl

        held[folder] = os.open(folder, os.O_RDONLY)
        fcntl.flock(held[folder], fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        _share(held[folder])
        return False
    except (ImportError, OSError):
        return False
    return True


def _share(handle: int) -> None:
    """Hold together with others who write, as soon as nobody sweeps."""
    import fcntl

    for _ in range(_TRIES):
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            time.sleep(_SOON)
        else:
            return
