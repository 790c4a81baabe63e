"""The folders Muster reads from: in a wheel they lie inside the package, in a clone beside it."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from generator.errors import Problem, nearest

_PACKAGE = Path(__file__).resolve().parent.parent


@lru_cache(2)  # data and templates
def shipped(name: str) -> Path:
    """A folder that ships with Muster: `data` or `templates`."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


@cache
def cached() -> Path:
    """The user's cache folder (made on first use); MUSTER_CACHE names another."""
    import os

    import platformdirs

    return Path(os.environ.get("MUSTER_CACHE") or platformdirs.user_cache_dir("muster", appauthor=False))


def config() -> Path:
    """The user's folder of settings (made on first use); MUSTER_CONFIG names another."""
    import os

    import platformdirs

    return Path(os.environ.get("MUSTER_CONFIG") or platformdirs.user_config_dir("muster", appauthor=False))


def is_file(path: Path) -> bool:
    """Whether a file lies there; a path that cannot be one (too long, through a file) leads to none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Whether a folder lies there; a path that cannot be one leads to none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def missing(path: Path, ending: str, name: str = "") -> Problem:
    """Why no file can be read there, and which other files with that ending may be meant."""
    if is_folder(path):
        inside = ", ".join(str(path / file) for file in _files(path, ending)[:3])
        return Problem("is a folder", name or str(path), hint="name a file in it" + (f": {inside}" if inside else ""))
    if kind := _kind(path):
        return Problem(kind, name or str(path), hint="a file is meant")
    files = {Path(file).stem: file for file in _files(path.parent, ending) if file != path.name}
    meant = nearest(path.stem, files)
    hint = f"did you mean {path.parent / files[meant]}?" if meant else ""
    return Problem("no such file", name or str(path), hint=hint)


def _kind(path: Path) -> str:
    """What lies there that is neither file nor folder; empty where nothing does."""
    kinds = ((Path.is_fifo, "a pipe"), (Path.is_socket, "a socket"))
    devices = ((Path.is_char_device, "a device"), (Path.is_block_device, "a device"))
    try:
        found = next((f"is {what}" for is_, what in (*kinds, *devices) if is_(path)), "")
        return found or ("is a link that leads nowhere" if path.is_symlink() else "")
    except (OSError, ValueError):
        return ""


def _files(folder: Path, ending: str) -> list[str]:
    """The files with that ending which lie in a folder; none where it cannot be read."""
    try:
        return sorted(file.name for file in folder.iterdir() if file.suffix == ending)
    except (OSError, ValueError):
        return []
