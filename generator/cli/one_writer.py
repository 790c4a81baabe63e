"""Commands that write an event: one at a time, each from its first look at the book to its last file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import wraps
from pathlib import Path
from typing import ParamSpec

import click

from generator.cli.contradictions import report_contradictions
from generator.cli.event import folders, opened
from generator.store.folders import is_file
from generator.store.lock import one_writer
from generator.tournament.event_file import NAME

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
        with nullcontext() if options.get("dry") or not isinstance(folder, Path) else writing(folder):
            _check(folder, command.__name__, options)
            command(*args, **options)

    return held


def writes_if_event(command: Callable[P, None]) -> Callable[P, None]:
    """Hold the event in the folder of a command that takes other folders and files too."""
    WRITERS.add(command.__name__)

    @wraps(command)
    def held(*args: P.args, **options: P.kwargs) -> None:
        given = options.get("folder", options.get("results"))
        places = given if isinstance(given, tuple) else (given,)
        events = [place for place in places if isinstance(place, Path) and holds_event(place)]
        one = len(events) == len(places) == 1
        with writing(events[0]) if one and not options.get("dry") else nullcontext():
            _check(events[0] if one else None, command.__name__, options)
            command(*args, **options)

    return held


def _check(folder: object, command: str, options: dict[str, object]) -> None:
    """Report hand edits of an event that contradict what was packed or played."""
    lang = options.get("lang", getattr(options.get("how"), "first", None))
    if isinstance(folder, Path):
        report_contradictions(folder, command, "ja" if lang == "ja" else "en")


def writes_event_itself(command: Callable[P, None]) -> Callable[P, None]:
    """Note that a command holds the event it makes or packs by itself, with `writing`."""
    WRITERS.add(command.__name__)
    return command


@contextmanager
def writing(folder: Path, wait: float | None = None, new: bool = False) -> Iterator[None]:
    """Hold an event while it is read and written; DataError if there is none, unless a new one is made."""
    while not (new or holds_event(folder)):
        opened(folder)  # refuses; an event that was begun just now is locked
    with one_writer(folder, _typed(folder), wait):
        yield


def holds_event(folder: Path) -> bool:
    """Whether a folder has an event's book, or rounds of an event that has none."""
    return is_file(folder / NAME) or bool(folders(folder))


def _typed(folder: Path) -> str:
    """The running command, as a message names it."""
    context = click.get_current_context(silent=True)
    return f"{context.command_path if context else 'muster'} {folder}"
