"""The folders Muster reads from, what ships, the user's cache and settings, and reading what a user names.

That is a file, a pipe, a device, or the standard input, which is called `-`.
"""

from __future__ import annotations

import stat
import sys
from functools import cache
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from generator.errors import DataError, Problem, describe_error, nearest
from generator.localization import shipped_path as shipped_path
from generator.localization import tr


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
            tr("is a folder"),
            name or str(path),
            hint=tr("give a file in it: {files}", files=inside) if inside else tr("give a file in it"),
        )
    if kind := _kind(path):
        return Problem(kind, name or str(path), hint=tr("expected a file"))
    files = {Path(file).stem: file for file in _files(path.parent, ending) if file != path.name}
    meant = nearest(path.stem, files)
    hint = tr("did you mean {word}?", word=path.parent / files[meant]) if meant else ""
    return Problem(tr("no such file"), name or str(path), hint=hint)


def _kind(path: Path) -> str:
    """What lies there that is neither file nor folder; empty where nothing does."""
    kinds = ((Path.is_fifo, tr("is a pipe")), (Path.is_socket, tr("is a socket")))
    devices = ((Path.is_char_device, tr("is a device")), (Path.is_block_device, tr("is a device")))
    try:
        found = next((what for is_, what in (*kinds, *devices) if is_(path)), "")
        return found or (tr("is a broken link") if path.is_symlink() else "")
    except (OSError, ValueError):
        return ""


def _files(folder: Path, ending: str) -> list[str]:
    """The files with that ending which lie in a folder; none where it cannot be read."""
    try:
        return sorted(file.name for file in folder.iterdir() if file.suffix == ending)
    except (OSError, ValueError):
        return []


STREAM = Path("-")
"""The standard stream, to read from or to write to."""

_INPUT = {str(STREAM), "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}
_OPEN = (Path("/dev/fd"), Path("/proc"))
"""Where the system lists what is open."""

_typed: WeakKeyDictionary[Any, bytearray] = WeakKeyDictionary()
_piped: dict[tuple[str, int, int], bytes] = {}
"""What came through a stream, which comes only once: whoever asks again gets the same."""


def is_there(path: Path) -> bool:
    """Whether something that can be read is called so."""
    try:
        return str(path) in _INPUT or (path.exists() and not path.is_dir())
    except (OSError, ValueError):
        return False


def is_stream(path: Path) -> bool:
    """Whether it is no file that lies in a folder with others: a pipe, a device, `-`."""
    if str(path) in _INPUT:
        return True
    return is_there(path) and (not is_file(path) or any(root in path.parents for root in _OPEN))


def folder_of(path: Path) -> Path:
    """The folder where what belongs to a file lies: its own, or the current one for a stream."""
    return Path() if is_stream(path) else path.parent


def read(path: Path, limit: int) -> bytes:
    """At most `limit` bytes and one, by which one sees that there are more; OSError where it cannot be read."""
    if str(path) in _INPUT:
        return _standard(limit)
    at = path.stat()
    if not stat.S_ISFIFO(at.st_mode):
        return _opened(path, limit)
    key = (str(path), at.st_dev, at.st_ino)
    if key not in _piped:
        _piped[key] = _opened(path, limit)
    return _piped[key]


def read_within(path: Path, limit: int, too_large: str) -> bytes:
    """A file's bytes; DataError where it cannot be read, or with that sentence where it has more than `limit`."""
    try:
        found = read(path, limit)
    except (OSError, ValueError) as error:
        raise DataError(Problem(tr("cannot be read: {reason}", reason=describe_error(error)), str(path))) from error
    if len(found) > limit:
        raise DataError(Problem(too_large, str(path)))
    return found


def decoded(raw: bytes, *encodings: str) -> tuple[str, str]:
    """The text, and the first of these encodings that reads it whole.

    Where none does, the UnicodeDecodeError of the one that came farthest; `line_of` tells its line.
    """
    failed = []
    for encoding in encodings:
        try:
            return raw.decode(encoding), encoding
        except UnicodeDecodeError as error:
            failed.append(error)
    raise max(failed, key=lambda error: error.start)


def line_of(error: UnicodeDecodeError) -> int:
    """The 1-based line of the first byte that could not be read."""
    return error.object[: error.start].count(b"\n") + 1


def _opened(path: Path, limit: int) -> bytes:
    with path.open("rb") as file:
        return file.read(limit + 1)


def _standard(limit: int) -> bytes:
    """As much of the standard input."""
    stream = sys.stdin
    if stream is None:
        raise OSError(None, tr("the standard input is closed"))
    found = _typed.get(stream)
    if found is None:
        file = getattr(stream, "buffer", None)
        found = _typed[stream] = bytearray(file.read(limit + 1) if file else stream.read().encode())
    return bytes(found[: limit + 1])
