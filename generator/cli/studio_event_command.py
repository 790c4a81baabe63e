"""Run a command of the tournament room in a process of the studio."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from generator.cli.studio_answer import Answer
from generator.cli.studio_runners import run_command


def run_event_command(
    folder: str,
    version: str,
    words: Sequence[str],
    files: Mapping[str, bytes],
    on_progress: Callable[[str, float | None], None],
) -> Answer:
    """Run a command that writes the event in a folder, if the event is still in the version that the page showed.

    Suggested commands in messages have marks, so that the page can show its own controls.
    """
    from generator.cli.event_version import expecting  # Only the process of the runner needs these.
    from generator.notation.text import marked_commands

    with expecting(Path(folder), version), marked_commands():
        return run_command(words, files, on_progress)
