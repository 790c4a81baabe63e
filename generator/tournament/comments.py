"""Keep a user's comments in event.toml when a command writes the file again."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generator.notation.toml_positions import comments

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"' + r"|'[^'\n]*'")
_KEY = re.compile(r"([\w-]+)\s*=")


class Place(NamedTuple):
    """The identity of a line in event.toml, which does not depend on the line's values."""

    section: str
    """The header above the line, with a number that distinguishes equal headers."""
    of_list: str
    """The list that contains the line. Empty for lines outside lists."""
    what: str
    """The key of the line, the first text of a row (usually a name), or the header itself."""


class _Note(NamedTuple):
    text: str
    above: bool
    """Whether the comment is on a separate line above the place."""


def carry_over(old: str, fresh: str, head: str) -> str:
    """Return the new text with the comments of the old text, each at the line with the same place.

    Comments whose line no longer exists move to the end of the file. The lines in `head` are Muster's own comments
    and are not carried over.
    """
    notes, homeless = _comments_by_place(old, set(head.splitlines()))
    if not notes and not homeless:
        return fresh
    lines, code = [], fresh.removesuffix("\n").split("\n")
    for line, place in zip(code, _places(code), strict=True):
        found = notes.pop(place, []) if line.strip() else []
        lines += [note.text for note in found if note.above]
        lines.append("  ".join([line, *(note.text for note in found if not note.above)]))
    left = [note.text for found in notes.values() for note in found] + homeless
    return "\n".join([*lines, *left]) + "\n"


def _comments_by_place(text: str, ignored: set[str]) -> tuple[dict[Place, list[_Note]], list[str]]:
    """Return the comments of a text, keyed by the place of their line, and the comments below its last line."""
    found: dict[int, list[str]] = defaultdict(list)
    code = text.removesuffix("\n").split("\n")
    for at, column, comment in comments(text):
        code[at] = code[at][:column]
        if comment not in ignored:
            found[at].append(comment)
    notes: dict[Place, list[_Note]] = defaultdict(list)
    above: list[str] = []
    for number, (line, place) in enumerate(zip(code, _places(code), strict=True)):
        if not line.strip():
            above += found[number]
            continue
        notes[place] += [_Note(comment, True) for comment in above]
        notes[place] += [_Note(comment, False) for comment in found[number]]
        above = []
    return {place: of for place, of in notes.items() if of}, above


def _places(lines: Sequence[str]) -> Iterator[Place]:
    """Yield the place of each line."""
    headers: dict[str, int] = defaultdict(int)
    section = of_list = ""
    for line in lines:
        plain = line.strip()
        key = _KEY.match(plain)
        if plain.startswith("[") and not of_list:
            headers[plain] += 1
            section = f"{plain} {headers[plain]}"
            yield Place(section, "", plain)
        elif of_list:
            text = _STRING.search(plain)
            yield Place(section, of_list, text[0] if text else plain)
            of_list = "" if plain.startswith("]") else of_list
        else:
            yield Place(section, "", key[1] if key else plain)
            of_list = key[1] if key and plain.endswith("[") else ""
