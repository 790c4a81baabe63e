"""Detect that an event has changed since a page of the studio showed it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from generator.cli.event_folder import round_folders
from generator.errors import CannotWriteError
from generator.localization import tr
from generator.store.folders import is_file
from generator.store.manifest import NAME as MANIFEST
from generator.tournament.event_file import NAME
from generator.tournament.packing import RESULTS

_MAX_BYTES = 1 << 26
"""The number of bytes of a file that count for the version, which is more than any readable file has."""


class EventChangedError(CannotWriteError):
    """Raised if an event is no longer in the state that the user saw."""


_expected: dict[Path, str] = {}
"""The version in which the running command must find an event, keyed by folder."""


def event_version(folder: Path) -> str:
    """Return a hash of the files that people and commands change: event.toml, results.csv and manifest.json."""
    digest = hashlib.sha256()
    of_rounds = (place / name for place in round_folders(folder) for name in (RESULTS, MANIFEST))
    for file in (folder / NAME, *of_rounds):
        content = b"-"
        if is_file(file):
            with file.open("rb") as opened:
                content = b"+" + opened.read(_MAX_BYTES)
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()[:32]


@contextmanager
def expecting(folder: Path, version: str) -> Iterator[None]:
    """Let the next command that locks an event fail if it finds the event in another version than `version`.

    An empty version is not checked.
    """
    if version:
        _expected[folder.resolve()] = version
    try:
        yield
    finally:
        _expected.pop(folder.resolve(), None)


def check_expected(folder: Path) -> None:
    """Check that a locked event is still in the expected version. Each expectation is checked only once.

    Raises:
        EventChangedError: If the event has changed.
    """
    expected = _expected.pop(folder.resolve(), "")
    if expected and event_version(folder) != expected:
        raise EventChangedError(
            tr("the event has changed since the page showed it"),
            hint=tr("nothing was written; check the new state and try again"),
        )
