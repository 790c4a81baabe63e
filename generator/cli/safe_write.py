"""Write the files of all commands, and never replace a file that Muster did not write.

A file counts as written by Muster while a manifest in its folder lists its content, or while the mark or seal in it
is valid.
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
from generator.store.manifest import as_listed, is_manifest, sealed
from generator.store.write import Content, write, write_all

MAX_FILE_BYTES = 1 << 28
"""The largest file that is read for its mark, in bytes. Muster writes no larger ones."""
REPLACE_HINT = tr("give another path with -o, or add --force to replace the existing file")

_FORCE, _STREAM = "generator.force", "generator.stream"
"""Keys of a command's context: whether all files may be replaced, and the stream for what is written."""


@contextmanager
def output_to(force: bool, out: Path | None) -> Iterator[None]:
    """Write as --force and -o say. While a file goes to the standard output, all messages go to standard error."""
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
        WrongUsageError: it would replace a file that Muster did not write.
        CannotWriteError: it cannot be written.
    """
    if path == STREAM:
        stream: TextIO | None = click.get_current_context().meta[_STREAM]
        if stream is None:
            raise CannotWriteError(tr("the standard output is closed"))
        stream.flush()
        stream.buffer.write(content)
        stream.buffer.flush()
        return
    _check_replaceable({path: content})
    write(path, content, private)


def write_files(made: Mapping[Path, bytes], added_to: Collection[Path] = ()) -> None:
    """Write files into several folders; raises the same errors as `write_file`, before the first file is written.

    Files in `added_to` only get additions, so they need not be Muster's.
    """
    _check_replaceable({path: content for path, content in made.items() if path not in added_to})
    for path, content in made.items():
        write(path, content)


def write_folder(place: Path, files: Mapping[str, Content]) -> None:
    """Write files into a folder, all or none; raises the same errors as `write_file`."""
    _check_replaceable({place / name: content for name, content in files.items()})
    write_all(place, files)


def check_replaceable(path: Path) -> None:
    """Check, before any work is done, that a file may be replaced; WrongUsageError if Muster did not write it."""
    _check_replaceable({path: None})


def _check_replaceable(files: Mapping[Path, Content | None] | Mapping[Path, Content]) -> None:
    """Check that files may be replaced, with a problem for each one that must stay. Equal content is allowed."""
    if click.get_current_context().meta.get(_FORCE):
        return
    WrongUsageError.raise_if_any(
        Problem(fault, hint=REPLACE_HINT) for at, of in files.items() if (fault := _fault(at, of))
    )


def _fault(path: Path, fresh: Content | None) -> str:
    """Return the reason why a file must stay; empty if it may be replaced."""
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
"""A pattern that every event's file has in this number of first bytes. Other files are not parsed."""


_MADE_BY_MUSTER: tuple[Callable[[bytes], bool], ...] = (sealed, is_as_written, is_manifest, _is_event_file)
"""Tests that recognise content as written by Muster."""
