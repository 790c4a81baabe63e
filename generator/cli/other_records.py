"""Find other records of an event in its folder, such as “event (1).toml” of a program that synchronises folders."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from generator.errors import DataError, Problem, WrongUsageError
from generator.localization import tr
from generator.notation.toml import Source
from generator.seeds import renewed
from generator.store.folders import is_file, read_within
from generator.tournament.csv_files import FILE_LIMIT
from generator.tournament.event_file import NAME

_MAX_FILES = 200
"""The maximum number of files that may be records, because every command reads them."""
_CODE = re.compile(r"""^\s*code\s*=\s*["']([\w-]{1,40})["']""", re.MULTILINE)
"""Matches the code in a record, also in one that is not valid TOML."""
_KINDS = (".toml", ".bak", ".old", ".orig", ".txt", "")
"""The endings of files that may be copies of a record, besides endings that contain `.toml`."""


def other_records(folder: Path, code: str, source: Source) -> Iterator[Problem]:
    """Yield a remark for each file in a folder that is a different record of the event with this code and source."""
    candidates = (file for file in sorted(folder.iterdir()) if _may_be_record(file.name))
    for file in islice(candidates, _MAX_FILES):
        if not is_file(file) or (text := _read(file)) is None or not _has_code(text, code):
            continue
        keys = _different_keys(source.text, text)
        if keys == []:
            continue
        message = tr("is another record of this event, and is not read")
        if keys:
            message = tr("is another record of this event, and is not read; it differs in: {keys}", keys=keys)
        hint = tr("copy into {file} what only this file contains, then delete this file or move it to another folder",
                  file=NAME)  # fmt: skip
        yield Problem(message, str(file), hint=hint, remark=True)


def _may_be_record(name: str) -> bool:
    """Return whether the name of a file allows that it is another record of the event."""
    return name != NAME and (Path(name).suffix.lower() in _KINDS or ".toml" in name.lower())


def _read(file: Path) -> str | None:
    """Return the text of a file, or None if it is too large or is not text."""
    try:
        content = read_within(file, FILE_LIMIT, tr("is larger than 1 MiB"))
        return content.decode("utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig")
    except (DataError, UnicodeError):
        return None


def _has_code(text: str, code: str) -> bool:
    """Return whether a text is the record of an event with this code."""
    found = _CODE.search(text)
    try:
        return found is not None and renewed(found[1]) == renewed(code)
    except WrongUsageError:
        return False


def _different_keys(text: str, other: str) -> list[str] | None:
    """Return the keys of the values that differ between two records, or None if the other is not valid TOML."""
    try:
        ours, theirs = _values(text), _values(other)
    except (ValueError, RecursionError):
        return None
    return [key for key in dict.fromkeys((*ours, *theirs)) if ours.get(key) != theirs.get(key)]


def _values(text: str) -> dict[str, Any]:
    return tomllib.loads(unicodedata.normalize("NFC", text))
