"""The folders Muster reads from: what ships, the user's cache and settings."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from generator.errors import Problem, nearest
from generator.said import say
from generator.said import shipped as shipped


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
        return Problem(
            say("is a folder"),
            name or str(path),
            hint=say("name a file in it: {files}", files=inside) if inside else say("name a file in it"),
        )
    if kind := _kind(path):
        return Problem(kind, name or str(path), hint=say("a file is meant"))
    files = {Path(file).stem: file for file in _files(path.parent, ending) if file != path.name}
    meant = nearest(path.stem, files)
    hint = say("did you mean {word}?", word=path.parent / files[meant]) if meant else ""
    return Problem(say("no such file"), name or str(path), hint=hint)


def _kind(path: Path) -> str:
    """What lies there that is neither file nor folder; empty where nothing does."""
    kinds = ((Path.is_fifo, say("is a pipe")), (Path.is_socket, say("is a socket")))
    devices = ((Path.is_char_device, say("is a device")), (Path.is_block_device, say("is a device")))
    try:
        found = next((what for is_, what in (*kinds, *devices) if is_(path)), "")
        return found or (say("is a link that leads nowhere") if path.is_symlink() else "")
    except (OSError, ValueError):
        return ""


def _files(folder: Path, ending: str) -> list[str]:
    """The files with that ending which lie in a folder; none where it cannot be read."""
    try:
        return sorted(file.name for file in folder.iterdir() if file.suffix == ending)
    except (OSError, ValueError):
        return []
