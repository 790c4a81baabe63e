"""Find the event that was probably meant by a mistyped folder."""

from __future__ import annotations

import contextlib
from pathlib import Path

from generator.errors import nearest
from generator.localization import tr
from generator.store.folders import is_file
from generator.tournament.event_file import NAME


def similar_event_hint(folder: Path) -> str:
    """Return a hint with the most similar event folder in the same place, or an empty string if none is similar."""
    with contextlib.suppress(OSError, ValueError):
        neighbours = {
            path.name for path in folder.parent.iterdir() if is_file(path / NAME) and path.name != folder.name
        }
        if found := nearest(folder.name, neighbours):
            return tr("did you mean {word}?", word=folder.parent / found)
    return ""
