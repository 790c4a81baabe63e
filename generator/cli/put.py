"""Where a verb's files go: all of them pass here, and what is not Muster's to replace stays as it is.

A file is Muster's while it is as Muster made it: as a manifest beside it lists it, or as its own mark or seal says.
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
from generator.notation.envelope import as_composed
from generator.store.folders import STREAM, is_file
from generator.store.manifest import as_listed, is_manifest, sealed
from generator.store.write import Content, write, write_all

LIMIT = 1 << 28
"""Muster writes no larger file."""
HINT = tr("give another place with -o, or replace it with --force")

_FORCE, _STREAM = "generator.force", "generator.stream"
"""Where a command's context keeps whether everything may be replaced, and the stream that takes what is written."""


@contextmanager
def asked(force: bool, out: Path | None) -> Iterator[None]:
    """Write as it was asked for; while the standard output takes a file, all else is said on the standard error."""
    meta = click.get_current_context().meta
    meta[_FORCE] = force
    if out != STREAM:
        yield
        return
    meta[_STREAM] = sys.stdout
    with redirect_stdout(sys.stderr):
        yield


def file(path: Path, content: bytes, private: bool = False) -> None:
    """Write a file, or to the standard output.

    WrongUsageError where another than Muster's would be replaced, CannotWriteError where it cannot be written.
    """
    if path == STREAM:
        stream: TextIO | None = click.get_current_context().meta[_STREAM]
        if stream is None:
            raise CannotWriteError(tr("the standard output is closed"))
        stream.flush()
        stream.buffer.write(content)
        stream.buffer.flush()
        return
    _spare({path: content})
    write(path, content, private)


def files(made: Mapping[Path, bytes], added_to: Collection[Path] = ()) -> None:
    """Write files into several folders; errors as `file` has them, and what would be replaced is told before.

    Files that are but added to may be anybody's.
    """
    _spare({path: content for path, content in made.items() if path not in added_to})
    for path, content in made.items():
        write(path, content)


def folder(place: Path, files: Mapping[str, Content]) -> None:
    """Write files into a folder; errors as `file` has them, and then none is written."""
    _spare({place / name: content for name, content in files.items()})
    write_all(place, files)


def spare(path: Path) -> None:
    """WrongUsageError, before any work is done, where a file that is not Muster's would be replaced."""
    _spare({path: None})


def _spare(files: Mapping[Path, Content | None] | Mapping[Path, Content]) -> None:
    """WrongUsageError for each file that must stay; one that would be as it is may be written."""
    if click.get_current_context().meta.get(_FORCE):
        return
    WrongUsageError.raise_if_any(Problem(told, hint=HINT) for at, of in files.items() if (told := _fault(at, of)))


def _fault(path: Path, fresh: Content | None) -> str:
    """Why a file must stay; empty where it need not."""
    if not is_file(path):
        return ""
    try:
        state = path.stat()
        old = path.read_bytes() if state.st_size <= LIMIT else b""
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
        or any(known(old) for known in _KNOWN)
    ):
        return ""
    return tr("{path} would be replaced, but Muster did not write it, or it was changed since", path=path)


def _of_event(content: bytes) -> bool:
    if content.startswith(b"{"):
        from generator.tournament.sealing import is_commitment

        return is_commitment(content)
    if _CODE.search(content, 0, _HEAD):
        from generator.tournament.ledger import is_book

        return is_book(content)
    return False


_CODE, _HEAD = re.compile(rb"^\s*code\s*=", re.MULTILINE), 1 << 16
"""What an event's file has near its beginning, however it was edited; other files are not parsed."""


_KNOWN: tuple[Callable[[bytes], bool], ...] = (sealed, as_composed, is_manifest, _of_event)
"""What tells of a file's content that Muster made it so."""
