"""Reading what a user names: a file, a pipe, a device, or the standard input, which is called `-`."""

from __future__ import annotations

import stat
import sys
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from generator.said import say
from generator.store.folders import is_file

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


def beside(path: Path) -> Path:
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
        raise OSError(None, say("the standard input is closed"))
    found = _typed.get(stream)
    if found is None:
        file = getattr(stream, "buffer", None)
        found = _typed[stream] = bytearray(file.read(limit + 1) if file else stream.read().encode())
    return bytes(found[: limit + 1])
