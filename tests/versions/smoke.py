"""Run every verb for every game, and record the results: `python -W error -m tests.versions.smoke FILE`.

The module runs in the environments that `python -m tests.versions` creates, which contain only Muster's
dependencies.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path

from generator import games
from generator.press.check.content import content_hash
from tests.cli.run import muster
from tests.prove.figure import SEED
from tests.prove.parts.verbs import CODE, Case, product, working_folder

WHOLE = (
    ("--lang", "en"),
    ("--lang", "ja", "--paper", "letter", "--ink", "saver"),
    ("--lang", "en", "--fillable", "--parts", "records"),
    ("--lang", "en", "--parts", "map", "--format", "svg"),
)
"""Additional kits that are printed for each game."""
SECRET = 16
"""Number of bytes in the secret of a sealed round."""
MACHINES_OWN = ("selftest", "manifest.json", "gallery.html", ".png", ".gif", ".schema.json")
"""Outputs that depend on the machine, contain pixels, or quote a library. Only their existence is compared."""


def runs() -> Iterator[tuple[str, int, str, dict[str, bytes]]]:
    """Yield the arguments, exit code, output and written files of each command."""
    for case in product():
        if is_selected(case):
            with working_folder(case) as before:
                done = muster(*case.args)
                written = {path: content for path, content in files().items() if before.get(path) != content}
            yield str(case), done.code, done.out + done.err, written
    for game in games.names():
        for options in WHOLE:
            user_input = ["kit", game, "--seed", CODE, *options, "-o", "kit"]
            with working_folder() as before:
                done = muster(*user_input)
                written = files()
            yield " ".join(user_input), done.code, done.out + done.err, written


def is_selected(case: Case) -> bool:
    """Return whether a case is run.

    Cases are in Japanese or in English with JSON, and slow cases alternate between games.
    """
    if not (case.game or case.of.of_none) or case.as_json != (case.lang == "en"):
        return False
    return not (case.of.dear and case.game) or (games.names().index(case.game) + case.row) % 2 == (case.lang == "en")


def files() -> dict[str, bytes]:
    """Return the content of the files in the current folder, keyed by path."""
    return {path.as_posix(): path.read_bytes() for path in sorted(Path().rglob("*")) if path.is_file()}


def main(out: Path) -> None:
    """Write the content and the bytes of each result that may differ."""
    fix_random_values()
    rows: dict[str, tuple[str, str]] = {}
    for user_input, code, output, written in runs():
        rows[f"{user_input}: exit code"] = (str(code), "")
        if not user_input.startswith(MACHINES_OWN):
            rows[f"{user_input}: what it says"] = (digest(comparable_output(output).encode()), "")
        for path, content in written.items():
            rows[f"{user_input}: {path}"] = (content_digest(path, content), digest(content))
    out.write_text(json.dumps(rows), "utf-8")


def fix_random_values() -> None:
    """Make random codes and the secrets of sealed rounds constant, but not temporary names."""
    name = secrets.token_hex
    setattr(secrets, "randbits", lambda bits: SEED % (1 << bits))  # noqa: B010 - mypy minds a plain assignment
    setattr(secrets, "token_hex", lambda size=32: "5a" * size if size == SECRET else name(size))  # noqa: B010


def comparable_output(output: str) -> str:
    """Return a command's output without hashes of compressed bytes and without the name of its folder."""
    return re.sub(r"[0-9a-f]{64}|/[^\s\"]*/tmp\w+|\"bytes\": \d+", "", output)


def content_digest(path: str, content: bytes) -> str:
    """Return a hash of a file's content that does not depend on compression."""
    if path.endswith(".pdf"):
        return content_hash(content)
    return "" if path.endswith(MACHINES_OWN) else digest(content)


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
