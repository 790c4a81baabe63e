"""Write maps, boards and arenas as files."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from generator.common.scenario_file import NamedGround
from generator.notation import text


def file_text(of: NamedGround[Any], lines: list[str]) -> str:
    """Return the text of the file for a map, with its name, source and note above the given lines."""
    head = {"name": asdict(of.name), "source": of.source, "note": asdict(of.note)}
    return "\n".join([*text.lines(head), *lines]) + "\n"
