"""Change an English sentence in every file that contains it: code, data, templates, tests and docs.

    python -m tests.reword "no player {name!r}" "no player has the name {name!r}"
    python -m tests.reword --part "could not be found" "is missing"
    python -m tests.reword --dry-run OLD NEW

Each change is printed with its line and the Japanese text, because a sentence that changes in one language usually
changes in the other. Quotations in tests and docs contain values instead of `{placeholders}`. They are also
changed, and their values are kept. Tests that quote only a part of the sentence are listed for review.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("generator", "data", "templates", "tests", "docs", "bench")
SUFFIXES = {".py", ".toml", ".md", ".xml", ".html", ".js", ".css", ".txt"}
QUOTING = ("tests", "docs")
"""Folders that quote a sentence with its placeholders filled in. The top-level pages do the same."""
MAX_COLUMNS = 118
"""Maximum line length that ruff allows in Python."""

_GAP = r"""(?:[ ]|\s*\n\s*(?:\#:?[ ]?|>[ ])?|[ ]?"\s*\n\s*f?"[ ]?)"""
"""A gap between two words: a space, or a line break in prose, in a comment, or between two Python literals."""
_BEFORE = r"""(?:(?<=["'`(“>|])|(?<=[:.;][ ])|(?<=["]{3})|(?<=\\n)|(?<=[-*#][ ])|^|(?<=\n)|(?<=\n[ ]{4}))"""
_AFTER = r"""(?:(?=["'`)”<|.:;\n]|[ ][(]|\\n|$)|(?<=[.!?])(?=[ ]))"""
"""The end of a sentence: the end of a string, or the start of another sentence."""
_FIELD = re.compile(r"\{(\w+)(?:![rsa])?(?::[^{}]*)?\}")
_FILLED = r"""(?:'[^'\n]{0,80}'|[^\n"]{1,80}?)"""
_PART_OF_A_TEST = 12
"""Minimum number of characters that a test must quote from a sentence to be listed. Shorter quotations match
everywhere.
"""


class Place(NamedTuple):
    """A place at which a sentence was changed."""

    path: Path
    line: int
    japanese: str
    """Japanese text of the sentence, or "" if there is none."""
    columns: int
    """Width of the longest changed line."""


def files(root: Path = ROOT) -> Iterator[Path]:
    """Yield every text file that may contain a sentence."""
    yield from sorted(root.glob("*.md"))
    for folder in FOLDERS:
        yield from sorted(
            p for p in (root / folder).rglob("*") if p.suffix in SUFFIXES and "__pycache__" not in p.parts
        )


def pattern(old: str, *, part: bool, quoted: bool) -> re.Pattern[str]:
    """Return a pattern for the sentence.

    With `part`, it also matches inside longer strings. With `quoted`, placeholders may have any value.
    """
    pieces, at, seen = [], 0, set[str]()
    for field in _FIELD.finditer(old):
        pieces.append(_words(old[at : field.start()]))
        name = field[1]
        value = rf"\{{{name}[^{{}}]*\}}|{_FILLED}" if quoted else rf"\{{{name}[^{{}}]*\}}"
        pieces.append(f"(?P={name})" if name in seen else f"(?P<{name}>{value})")
        seen.add(name)
        at = field.end()
    pieces.append(_words(old[at:]))
    before, after = (r"(?<!\w)", r"(?!\w)") if part else (_BEFORE, _AFTER)
    return re.compile(before + "".join(pieces) + after, re.MULTILINE | re.VERBOSE)


def _words(text: str) -> str:
    """Return plain text as a pattern that allows any gap between words, and quotation marks escaped or not."""
    words = re.split(r"(\s+)", text)
    return "".join(_GAP if not word.strip() and word else _escaped(word) for word in words)


def _escaped(word: str) -> str:
    return re.escape(word).replace('"', r'\\?"').replace("\\'", r"\\?'").replace("'", r"\\?'")


def reworded(text: str, old: str, new: str, *, suffix: str, part: bool, quoted: bool) -> tuple[str, list[int]]:
    """Return the text with the sentence changed, and the line numbers of the changes, starting at 1."""
    lines: list[int] = []

    def changed(found: re.Match[str]) -> str:
        lines.append(text.count("\n", 0, found.start()) + 1)
        values = found.groupdict()
        made = _FIELD.sub(lambda field: values.get(field[1]) or field[0], new)
        return made.replace("\\", "\\\\").replace('"', '\\"') if suffix in (".toml", ".py") else made

    return pattern(old, part=part, quoted=quoted).sub(changed, text), lines


def japanese_beside(lines: Sequence[str], at: int, path: Path) -> str:
    """Return the Japanese text for the sentence in a line of a TOML file, or "" in other files.

    `at` is the line number, starting at 1.
    """
    if path.suffix != ".toml":
        return ""
    if path.name == "messages.toml":
        return lines[at - 1].rpartition('" = "')[2].rstrip().removesuffix('"')
    for line in lines[at - 1 : at + 3]:
        if found := re.search(r'\bja = "((?:[^"\\]|\\.)*)"', line):
            return found[1]
    return ""


def reword(old: str, new: str, *, part: bool = False, write: bool = True, root: Path = ROOT) -> list[Place]:
    """Change the sentence in every file and return the places. Without `write` no file is changed."""
    places: list[Place] = []
    for path in files(root):
        before = path.read_text("utf-8")
        top = path.relative_to(root).parts[0]
        quoted = top in QUOTING or path.suffix == ".md"
        after, at = reworded(before, old, new, suffix=path.suffix, part=part, quoted=quoted)
        if not at or path == Path(__file__):
            continue
        then = after.splitlines()
        for line in at:
            adjacent = japanese_beside(before.splitlines(), line, path)
            widest = max(map(len, then[line - 1 : line + 1]), default=0) if path.suffix == ".py" else 0
            places.append(Place(path.relative_to(root), line, adjacent, widest))
        if write:
            path.write_text(after, "utf-8", newline="")
    return places


def quoted_in_part(old: str, root: Path = ROOT) -> Iterator[tuple[Path, int, str]]:
    """Yield file, line and text of each quotation in tests that contains a part of the sentence."""
    plain = [piece for piece in _FIELD.split(old)[::2] if piece]
    for path in sorted((root / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            text = node.value.strip()
            if len(text) >= _PART_OF_A_TEST and text != old and any(text in piece for piece in plain):
                yield path.relative_to(root), node.lineno, text


def main(given: Sequence[str] | None = None) -> int:
    """Change a sentence as requested by the command line. Return 1 if it is not found."""
    parser = argparse.ArgumentParser(prog="python -m tests.reword", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("old", metavar="OLD")
    parser.add_argument("new", metavar="NEW")
    parser.add_argument("--part", action="store_true", help="change it within longer sentences too")
    parser.add_argument("--dry-run", action="store_true", help="show the places and change nothing")
    args = parser.parse_args(given)
    places = reword(args.old, args.new, part=args.part, write=not args.dry_run)
    for place in places:
        adjacent = f"   ja: {place.japanese}" if place.japanese else ""
        wide = f"   {place.columns} columns: break the line" if place.columns > MAX_COLUMNS else ""
        print(f"{place.path}:{place.line}{adjacent}{wide}")  # noqa: T201
    for path, line, text in quoted_in_part(args.old):
        print(f"{path}:{line}   quotes a part: {text!r}")  # noqa: T201
    if not places:
        print("That sentence stands nowhere; try --part, or copy it from the code.", file=sys.stderr)  # noqa: T201
    return 0 if places else 1


if __name__ == "__main__":
    sys.exit(main())
