"""A person's own folder of templates: what lies in it is read, and nothing that a name or a link leads out to."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from itertools import islice
from pathlib import Path, PurePosixPath
from stat import S_ISREG
from typing import Any

import jinja2

from generator.errors import DataError, Problem, why
from generator.said import say

MOST_BYTES = 1024 * 1024
"""Of a template's file; ours have some 5,000."""
_MOST_LISTED = 2000
"""Files and folders that are looked through for a near match."""


class Owned(jinja2.BaseLoader):
    """Finds templates by their names below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get_source(self, environment: Any, template: str) -> tuple[str, str, Callable[[], bool]]:
        """As Jinja2 asks; DataError where there is something that is no text of a bearable size."""
        if any(part in ("", ".", "..") or set(part) & set("\\:\0") for part in template.split("/")):
            raise jinja2.TemplateNotFound(template)
        path = self.folder / PurePosixPath(template)
        if not os.path.lexists(path):
            raise jinja2.TemplateNotFound(template)
        return _text(path, self.folder), str(path), lambda: True

    def list_templates(self) -> list[str]:
        """As Jinja2 asks: some of them, where there are very many."""
        return sorted(listed(self.folder))


def listed(folder: Path) -> list[str]:
    """The names of templates in a folder, of which no more is looked through than takes a moment."""
    found, ahead, left = [], deque([folder]), _MOST_LISTED
    while ahead and left > 0:
        try:
            with os.scandir(ahead.popleft()) as entries:
                some = list(islice(entries, left))
        except OSError:
            continue
        left -= len(some)
        paths = [Path(entry) for entry in some]
        found += [path.relative_to(folder).as_posix() for path in paths if path.suffix == ".xml"]
        ahead += (path for path, entry in zip(paths, some, strict=True) if entry.is_dir(follow_symlinks=False))
    return found


def _text(path: Path, folder: Path) -> str:
    """A template's text."""
    try:
        if not S_ISREG(path.stat().st_mode):
            raise DataError(Problem(say("is no file that could be a template"), str(path)))
        if not path.resolve().is_relative_to(folder.resolve()):
            raise DataError(
                Problem(say("is a link out of the folder"), str(path), hint=say("copy the file into the folder"))
            )
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except (OSError, RuntimeError) as error:
        raise DataError(Problem(say("cannot be read: {reason}", reason=why(error)), str(path))) from error
    if len(content) > MOST_BYTES:
        raise DataError(Problem(say("is larger than {most_bytes:,} KiB", most_bytes=MOST_BYTES // 1024), str(path)))
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError(Problem(say("is no text in UTF-8"), str(path), line, say("save it as UTF-8"))) from error
