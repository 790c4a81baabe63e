"""Write the files of all commands without replacing files that Muster did not write.

A file counts as written by Muster if a manifest in its folder lists its content, or if it contains a valid mark or
seal.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TextIO

import click

from generator.errors import CannotWriteError, Problem, WrongUsageError, describe_error
from generator.localization import tr
from generator.notation.envelope import is_as_written
from generator.store.folders import STREAM, is_file
from generator.store.manifest import as_listed, is_listed, is_manifest, sealed
from generator.store.write import Content, write, write_all

MAX_FILE_BYTES = 1 << 28
"""The maximum size in bytes of a file that is searched for a mark. Muster writes no larger files."""
REPLACE_HINT = tr("give another path with -o, or add --force to replace the existing file")

_FORCE, _STREAM = "generator.force", "generator.stream"
"""Keys in the context of a command: whether any file may be replaced, and the stream for output."""


@contextmanager
def output_to(force: bool, out: Path | None) -> Iterator[None]:
    """Apply --force and -o while a command runs.

    If a file goes to the standard output, messages go to standard error.
    """
    meta = click.get_current_context().meta
    meta[_FORCE] = force
    if out != STREAM:
        yield
        return
    meta[_STREAM] = sys.stdout
    with redirect_stdout(sys.stderr):
        yield


def write_file(path: Path, content: bytes, private: bool = False) -> None:
    """Write a file, or write to the standard output.

    Raises:
        WrongUsageError: If a file would be replaced that Muster did not write.
        CannotWriteError: If the file cannot be written.
    """
    if path == STREAM:
        stream: TextIO | None = click.get_current_context().meta[_STREAM]
        if stream is None:
            raise CannotWriteError(tr("standard output is closed"))
        stream.flush()
        stream.buffer.write(content)
        stream.buffer.flush()
        return
    _check_replaceable({path: content})
    write(path, content, private)


def write_files(made: Mapping[Path, bytes], added_to: Collection[Path] = ()) -> None:
    """Write files to several folders. The files in `added_to` are only extended, so they may belong to a person.

    Raises:
        WrongUsageError: If a file would be replaced that Muster did not write. In this case, no file is written.
        CannotWriteError: If a file cannot be written.
    """
    _check_replaceable({path: content for path, content in made.items() if path not in added_to})
    for path, content in made.items():
        write(path, content)


def write_folder(place: Path, files: Mapping[str, Content]) -> None:
    """Write all files to a folder, or none if there is an error.

    Raises:
        WrongUsageError: If a file would be replaced that Muster did not write.
        CannotWriteError: If a file cannot be written.
    """
    _check_replaceable({place / name: content for name, content in files.items()})
    write_all(place, files)


def check_replaceable(path: Path) -> None:
    """Check that a file may be replaced. Commands call this before they start to work.

    Raises:
        WrongUsageError: If Muster did not write the file.
    """
    _check_replaceable({path: None})


def _check_replaceable(files: Mapping[Path, Content | None] | Mapping[Path, Content]) -> None:
    """Check that files may be replaced. A file may always be replaced by equal content.

    Raises:
        WrongUsageError: If a file must be kept. The error lists every such file.
    """
    if click.get_current_context().meta.get(_FORCE):
        return
    WrongUsageError.raise_if_any(
        Problem(fault, hint=REPLACE_HINT) for at, of in files.items() if (fault := _fault(at, of))
    )


def _fault(path: Path, fresh: Content | None) -> str:
    """Return the reason that a file must be kept, or an empty string if it may be replaced."""
    if not is_file(path):
        return ""
    try:
        state = path.stat()
        old = path.read_bytes() if state.st_size <= MAX_FILE_BYTES else b""
    except OSError as error:
        return tr(
            "{path} would be replaced, but it cannot be read: {reason}", path=path, reason=describe_error(error)
        )
    if not state.st_mode & 0o222:
        return tr("{path} would be replaced, but it is write-protected", path=path)
    if (
        (fresh is not None and old == bytes(fresh))
        or not state.st_size
        or as_listed(path)
        or any(known(old) for known in _MADE_BY_MUSTER)
    ):
        return ""
    if path.suffix == ".csv" and not is_listed(path):
        return tr("{path} would be replaced, but a CSV file does not show whether Muster wrote it", path=path)
    return tr("{path} would be replaced, but Muster did not write it, or it was changed afterwards", path=path)


def _is_event_file(content: bytes) -> bool:
    if content.startswith(b"{"):
        from generator.tournament.sealing import is_commitment

        return is_commitment(content)
    if _CODE.search(content, 0, _HEAD):
        from generator.tournament.event_file import is_event_file

        return is_event_file(content)
    return False


_CODE, _HEAD = re.compile(rb"^\s*code\s*=", re.MULTILINE), 1 << 16
"""A pattern that occurs in every event's file, and the number of first bytes that are searched for it.

Files without a match are not parsed.
"""


_MADE_BY_MUSTER: tuple[Callable[[bytes], bool], ...] = (sealed, is_as_written, is_manifest, _is_event_file)
"""Functions that return whether content was written by Muster."""
