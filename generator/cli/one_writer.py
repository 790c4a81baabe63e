"""Commands that write an event: one at a time, each from its first look at the book to its last file."""

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
from generator.tournament.ledger import NAME

P = ParamSpec("P")
WRITERS: set[str] = set()
"""The functions of all commands that hold an event while they write it; a test compares them with the commands."""
LATE_WAIT_S = 120.0
"""Work of minutes is not thrown away because another command holds the event: it waits longer, in seconds."""


def writes_event(command: Callable[P, None]) -> Callable[P, None]:
    """Hold the event in the `folder` of a command, which is refused if there is none; a dry run does not wait."""
    WRITERS.add(command.__name__)

    @wraps(command)
    def held(*args: P.args, **options: P.kwargs) -> None:
        folder = options["folder"]
        with nullcontext() if options.get("dry_run") or not isinstance(folder, Path) else lock_event(folder):
            _report_contradictions(folder, command.__name__, options)
            command(*args, **options)

    return held


def writes_if_event(command: Callable[P, None]) -> Callable[P, None]:
    """Hold the event in the folder of a command that takes other folders and files too."""
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
    """Report hand edits of an event that contradict what was packed or played."""
    lang = options.get("lang", getattr(options.get("print_options"), "main_lang", None))
    if isinstance(folder, Path):
        report_contradictions(folder, command, "ja" if lang == "ja" else "en")


def writes_event_itself(command: Callable[P, None]) -> Callable[P, None]:
    """Note that a command holds the event it makes or packs by itself, with `writing`."""
    WRITERS.add(command.__name__)
    return command


@contextmanager
def lock_event(folder: Path, wait: float | None = None, new: bool = False) -> Iterator[None]:
    """Hold an event while it is read and written; DataError if there is none, unless a new one is made."""
    while not (new or has_event(folder)):
        open_event(folder)  # refuses; an event that was begun just now is locked
    with one_writer(folder, _running_command(folder), wait):
        yield


def has_event(folder: Path) -> bool:
    """Whether a folder has an event's book, or rounds of an event that has none."""
    return is_file(folder / NAME) or bool(round_folders(folder))


def _running_command(folder: Path) -> str:
    """The running command, as a message names it."""
    context = click.get_current_context(silent=True)
    return f"{context.command_path if context else 'muster'} {folder}"
