"""Finding the event that a mistyped folder means."""

from __future__ import annotations

import contextlib
from pathlib import Path

from generator.errors import nearest
from generator.localization import tr
from generator.store.folders import is_file
from generator.tournament.ledger import NAME


def near_event(folder: Path) -> str:
    """A hint at the event whose folder, beside that one, has a similar name; empty if none has."""
    with contextlib.suppress(OSError, ValueError):
        beside = {path.name for path in folder.parent.iterdir() if is_file(path / NAME) and path.name != folder.name}
        if found := nearest(folder.name, beside):
            return tr("did you mean {word}?", word=folder.parent / found)
    return ""
