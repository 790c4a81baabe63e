"""Find folders of an event that no command reads, such as a renamed or copied folder of a round."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from generator.cli.event_folder import COPIES_FOLDER, read_manifest, round_folder, round_folders
from generator.errors import WrongUsageError
from generator.seeds import renewed
from generator.store.folders import is_file, is_folder
from generator.store.manifest import NAME as MANIFEST
from generator.tournament.event_file import NAME, EventRecord

_MAX_DEPTH = 3
"""The depth of folders below the folder of an event. A backup of the event has its rounds in `backup/cup/round-1`."""
_MAX_FOLDERS = 200
"""The maximum number of folders, because a person may have put an event into a folder with many other files."""


def other_folders(folder: Path, event_record: EventRecord) -> list[Path]:
    """Return the folders below an event that are not its rounds, except copies by Muster and other events."""
    found: list[Path] = []
    level = [folder, *round_folders(folder)]
    known = set(level)
    for _ in range(_MAX_DEPTH):
        level = [place for parent in level for place in _inside(parent, event_record) if place not in known]
        found += level
        if len(found) > _MAX_FOLDERS:
            break
    return found[:_MAX_FOLDERS]


def moved_rounds(folder: Path, event_record: EventRecord) -> dict[int, Path]:
    """Return the folders with packed rounds whose own folder is missing, by the number of the round."""
    lost = {one.number for one in event_record.round if not is_file(folder / round_folder(one.number) / MANIFEST)}
    moved: dict[int, Path] = {}
    for place in other_folders(folder, event_record) if lost else ():
        packed = read_manifest(place)
        number = packed.get("round")
        if number in lost and _is_same_code(packed.get("code"), event_record.code):
            moved.setdefault(number, place)
    return moved


def _inside(parent: Path, event_record: EventRecord) -> Iterator[Path]:
    """Yield the folders in a folder that may have files of the event."""
    try:
        inside = sorted(parent.iterdir())
    except OSError:
        return
    for place in inside:
        hidden = place.name.startswith(".") or place.name == COPIES_FOLDER
        if not hidden and not place.is_symlink() and is_folder(place) and not _is_other_event(place, event_record):
            yield place


def _is_other_event(place: Path, event_record: EventRecord) -> bool:
    """Return whether a folder has an event with another code."""
    try:
        code = tomllib.loads((place / NAME).read_text("utf-8-sig")).get("code") if is_file(place / NAME) else ""
    except (OSError, ValueError, RecursionError):
        return False
    return bool(code) and not _is_same_code(code, event_record.code)


def _is_same_code(one: object, other: str) -> bool:
    try:
        return isinstance(one, str) and renewed(one) == renewed(other)
    except WrongUsageError:
        return False
