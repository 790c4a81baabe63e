"""Lock an event while a command reads and writes it, so that only one command runs at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import wraps
from pathlib import Path
from typing import ParamSpec

import click

from generator.cli.contradictions import report_contradictions
from generator.cli.event_folder import open_event, round_folders
from generator.cli.event_version import check_expected
from generator.store.folders import is_file
from generator.store.lock import one_writer
from generator.tournament.event_file import NAME

P = ParamSpec("P")
WRITERS: set[str] = set()
"""The names of all commands that lock an event while they write it. A test compares them with the existing commands.
"""
LATE_WAIT_S = 120.0
"""The number of seconds that a command waits for the lock after working for minutes, to avoid losing its work."""


def writes_event(command: Callable[P, None]) -> Callable[P, None]:
    """Decorate a command to lock the event in its `folder` while it runs. A folder without an event is rejected.

    A dry run does not wait for the lock.
    """
    WRITERS.add(command.__name__)

    @wraps(command)
    def held(*args: P.args, **options: P.kwargs) -> None:
        folder = options["folder"]
        with nullcontext() if options.get("dry_run") or not isinstance(folder, Path) else lock_event(folder):
            _report_contradictions(folder, command.__name__, options)
            command(*args, **options)

    return held


def writes_if_event(command: Callable[P, None]) -> Callable[P, None]:
    """Decorate a command that also accepts other folders and files to lock the event if there is one."""
    WRITERS.add(command.__name__)

    @wraps(command)
    def held(*args: P.args, **options: P.kwargs) -> None:
        given = options.get("folder", options.get("results"))
        places = given if isinstance(given, tuple) else (given,)
        events = [place for place in places if isinstance(place, Path) and has_event(place)]
        one = len(events) == len(places) == 1
        with lock_event(events[0]) if one and not options.get("dry_run") else nullcontext():
            _report_contradictions(events[0] if one else None, command.__name__, options)
            command(*args, **options)

    return held


def _report_contradictions(folder: object, command: str, options: dict[str, object]) -> None:
    """Report manual edits of an event that contradict packed or played rounds."""
    lang = options.get("lang", getattr(options.get("print_options"), "main_lang", None))
    if isinstance(folder, Path):
        report_contradictions(folder, command, "ja" if lang == "ja" else "en")


def writes_event_itself(command: Callable[P, None]) -> Callable[P, None]:
    """Register a command that creates or packs an event and calls `lock_event` itself."""
    WRITERS.add(command.__name__)
    return command


@contextmanager
def lock_event(folder: Path, wait: float | None = None, new: bool = False) -> Iterator[None]:
    """Lock an event while it is read and written. With `new`, the event need not exist yet.

    Raises:
        DataError: If there is no event and `new` is false.
        EventChangedError: If the event is no longer in the state that `expecting` names.
    """
    while not (new or has_event(folder)):
        open_event(folder)  # This raises an error, unless an event was started just now.
    with one_writer(folder, _running_command(folder), wait):
        check_expected(folder)
        yield


def has_event(folder: Path) -> bool:
    """Return whether a folder contains an event's file, or rounds of an event that has no file."""
    return is_file(folder / NAME) or bool(round_folders(folder))


def _running_command(folder: Path) -> str:
    """Return the running command as it is named in messages."""
    context = click.get_current_context(silent=True)
    return f"{context.command_path if context else 'muster'} {folder}"
