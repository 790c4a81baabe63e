"""Lock an event while a command reads and writes it, so that commands run one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import wraps
from pathlib import Path
from typing import ParamSpec

import click

from generator.cli.contradictions import report_contradictions
from generator.cli.event_folder import open_event, round_folders
from generator.store.folders import is_file
from generator.store.lock import one_writer
from generator.tournament.event_file import NAME

P = ParamSpec("P")
WRITERS: set[str] = set()
"""The functions of all commands that lock an event while they write it. A test compares them with the commands."""
LATE_WAIT_S = 120.0
"""The seconds for which a command that has worked for minutes waits for the lock, rather than discard its work."""


def writes_event(command: Callable[P, None]) -> Callable[P, None]:
    """Lock the event in a command's `folder` while it runs; refuse a folder without an event.

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
    """Lock the event for a command that also accepts other folders and files."""
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
    """Report hand edits of an event that contradict packed or played rounds."""
    lang = options.get("lang", getattr(options.get("print_options"), "main_lang", None))
    if isinstance(folder, Path):
        report_contradictions(folder, command, "ja" if lang == "ja" else "en")


def writes_event_itself(command: Callable[P, None]) -> Callable[P, None]:
    """Note that a command locks the event by itself, with `lock_event`, as it creates or packs it."""
    WRITERS.add(command.__name__)
    return command


@contextmanager
def lock_event(folder: Path, wait: float | None = None, new: bool = False) -> Iterator[None]:
    """Lock an event while it is read and written; DataError if there is none, unless `new`."""
    while not (new or has_event(folder)):
        open_event(folder)  # raises, unless an event was begun just now
    with one_writer(folder, _running_command(folder), wait):
        yield


def has_event(folder: Path) -> bool:
    """Whether a folder has an event's file, or rounds of an event without one."""
    return is_file(folder / NAME) or bool(round_folders(folder))


def _running_command(folder: Path) -> str:
    """Return the running command, as messages name it."""
    context = click.get_current_context(silent=True)
    return f"{context.command_path if context else 'muster'} {folder}"
