"""Find the folders that Muster uses (shipped files, cache, settings), and read files that a user names.

A user may also name a pipe, a device, or `-` for the standard input.
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
def cache_folder() -> Path:
    """Return the user's cache folder, which may not exist yet. The variable MUSTER_CACHE overrides it."""
    import os

    import platformdirs

    return Path(os.environ.get("MUSTER_CACHE") or platformdirs.user_cache_dir("muster", appauthor=False))


def config_folder() -> Path:
    """Return the user's settings folder, which may not exist yet. The variable MUSTER_CONFIG overrides it."""
    import os

    import platformdirs

    return Path(os.environ.get("MUSTER_CONFIG") or platformdirs.user_config_dir("muster", appauthor=False))


def is_file(path: Path) -> bool:
    """Return whether a file exists. The result is False for an impossible path, such as one that is too long."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Return whether a folder exists. The result is False for an impossible path."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def missing_file_problem(path: Path, ending: str, name: str = "") -> Problem:
    """Return the reason why no file can be read at a path, with a hint at files with this ending."""
    if is_folder(path):
        inside = [str(path / file) for file in _files(path, ending)[:3]]
        return Problem(
            tr("is a folder"),
            name or str(path),
            hint=tr("give a file in this folder: {files}", files=inside)
            if inside
            else tr("give a file in this folder"),
        )
    if kind := _special_kind(path):
        return Problem(kind, name or str(path), hint=tr("give a regular file"))
    files = {Path(file).stem: file for file in _files(path.parent, ending) if file != path.name}
    meant = nearest(path.stem, files)
    hint = tr("did you mean {word}?", word=path.parent / files[meant]) if meant else ""
    return Problem(tr("no such file"), name or str(path), hint=hint)


def _special_kind(path: Path) -> str:
    """Return a message about a path that is neither a file nor a folder, or an empty string if it does not exist."""
    kinds = ((Path.is_fifo, tr("is a pipe")), (Path.is_socket, tr("is a socket")))
    devices = ((Path.is_char_device, tr("is a device")), (Path.is_block_device, tr("is a device")))
    try:
        found = next((what for is_, what in (*kinds, *devices) if is_(path)), "")
        return found or (tr("is a broken link") if path.is_symlink() else "")
    except (OSError, ValueError):
        return ""


def _files(folder: Path, ending: str) -> list[str]:
    """Return the names of files in a folder with this ending, or an empty list if the folder cannot be read."""
    try:
        return sorted(file.name for file in folder.iterdir() if file.suffix == ending)
    except (OSError, ValueError):
        return []


STREAM = Path("-")
"""The path that means the standard input or output."""

_INPUT_NAMES = {str(STREAM), "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}
_OPEN_FILE_FOLDERS = (Path("/dev/fd"), Path("/proc"))
"""The folders in which the system lists open files."""

_standard_input: WeakKeyDictionary[Any, bytearray] = WeakKeyDictionary()
_pipe_contents: dict[tuple[str, int, int], bytes] = {}
"""The contents of streams that have been read. Streams can be read only once, so later readers get this content."""


def is_there(path: Path) -> bool:
    """Return whether a readable file or stream with this name exists."""
    try:
        return str(path) in _INPUT_NAMES or (path.exists() and not path.is_dir())
    except (OSError, ValueError):
        return False


def is_stream(path: Path) -> bool:
    """Return whether a path is a pipe, a device or `-`, and not a file in a folder with other files."""
    if str(path) in _INPUT_NAMES:
        return True
    return is_there(path) and (not is_file(path) or any(root in path.parents for root in _OPEN_FILE_FOLDERS))


def folder_of(path: Path) -> Path:
    """Return the folder for files that belong to a file, which is its own folder, or the current one for a stream."""
    return Path() if is_stream(path) else path.parent


def read(path: Path, limit: int) -> bytes:
    """Read at most `limit` bytes and one more byte, which shows that the file is longer.

    Raises:
        OSError: If the file cannot be read.
    """
    if str(path) in _INPUT_NAMES:
        return _read_standard_input(limit)
    at = path.stat()
    if not stat.S_ISFIFO(at.st_mode):
        return _read_opened(path, limit)
    key = (str(path), at.st_dev, at.st_ino)
    if key not in _pipe_contents:
        _pipe_contents[key] = _read_opened(path, limit)
    return _pipe_contents[key]


def read_within(path: Path, limit: int, too_large: str) -> bytes:
    """Read a file of at most `limit` bytes.

    Raises:
        DataError: If the file cannot be read, or, with the message `too_large`, if it is longer.
    """
    try:
        found = read(path, limit)
    except (OSError, ValueError) as error:
        raise DataError(Problem(tr("cannot be read: {reason}", reason=describe_error(error)), str(path))) from error
    if len(found) > limit:
        raise DataError(Problem(too_large, str(path)))
    return found


def decode_first(raw: bytes, *encodings: str) -> tuple[str, str]:
    """Return the text, and the first of these encodings that can decode all of it.

    Raises:
        UnicodeDecodeError: If none of them can. It is the error of the encoding that decoded most. `line_of`
            returns its line.
    """
    failed = []
    for encoding in encodings:
        try:
            return raw.decode(encoding), encoding
        except UnicodeDecodeError as error:
            failed.append(error)
    raise max(failed, key=lambda error: error.start)


def line_of(error: UnicodeDecodeError) -> int:
    """Return the 1-based line of the first byte that could not be decoded."""
    return error.object[: error.start].count(b"\n") + 1


def _read_opened(path: Path, limit: int) -> bytes:
    with path.open("rb") as file:
        return file.read(limit + 1)


def _read_standard_input(limit: int) -> bytes:
    """Read the standard input up to the limit and one more byte."""
    stream = sys.stdin
    if stream is None:
        raise OSError(None, tr("standard input is closed"))
    found = _standard_input.get(stream)
    if found is None:
        file = getattr(stream, "buffer", None)
        found = _standard_input[stream] = bytearray(file.read(limit + 1) if file else stream.read().encode())
    return bytes(found[: limit + 1])
