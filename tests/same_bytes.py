"""Compare the bytes printed by this checkout with those of another checkout: `python -m tests.same_bytes TREE`.

    python -m tests.same_bytes ../before              # a quick sample, a minute or two
    python -m tests.same_bytes ../before --codes 20   # before merging a change that must not alter any page

TREE is a checkout with its own `.venv`. Its hashes are stored by commit in a temporary folder, so each commit is
printed only once.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

GAMES = ("call_to_arms", "battlelore", "travel_battle", "battling", "blind_faith")
WAYS: dict[str, tuple[str, ...]] = {
    "plain": (),
    "fillable": ("--fillable",),
    "evening": ("--evening",),
    "printer": ("--printer", "crooked"),
}
PRINTER = ("printer", "set", "crooked", "--dx", "1.2", "--dy", "-0.4", "--scale", "99.6", "--rotate", "0.3")
PLAYERS = "Ann\nBob\nChie\nDai\nEve\nFumi\nGo\nHanna\n"


def commands(codes: int) -> Iterator[tuple[str, ...]]:
    """Yield the prints to compare, as command lines without the output option."""
    from generator.common.selftest import codes as some

    for lang in ("en", "ja"):
        for game in GAMES:
            for code in some(codes):
                for way in WAYS.values():
                    yield ("kit", game, "--seed", code, "--lang", lang, *way)
            yield ("kit", game, "--seed", some(1)[0], "--lang", lang, "--parts", every(game), "--ink", "saver")
            for number, code in enumerate(some(max(1, codes // 4))):
                yield ("boards", game, "--seed", code, "--lang", lang, *(("--hex", "40mm") if number % 2 else ()))
            yield ("tokens", game, "--lang", lang)
            yield ("reference", game, "--lang", lang)
            yield ("sheets", game, "--lang", lang)
            for kind in ("svg", "pdf"):
                yield ("kit", game, "--seed", some(1)[0], "--lang", lang, "--format", kind)
        yield ("cards", "call_to_arms", "--lang", lang)
        yield ("reference", "battling", "--lang", "en+ja")
        yield ("printer", "calibrate", "--printer", "crooked", "--lang", lang)
        yield ("event", lang)


def every(game: str) -> str:
    """Return all parts of a game's kit, as listed by an error message."""
    from generator.common.selftest import codes

    return muster(("kit", game, "--seed", codes(1)[0], "--parts", "?")).rpartition("(accepted: ")[2].rstrip(")\n")


def printed(codes: int, only: str) -> dict[str, str]:
    """Return the hash of every file that this interpreter's `generator` prints, keyed by command line and name."""
    found: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as scratch:
        os.environ.update(MUSTER_CONFIG=f"{scratch}/config", LC_ALL="C.UTF-8")
        muster(PRINTER)
        for number, command in enumerate(line for line in commands(codes) if " ".join(line).startswith(only)):
            out = Path(scratch, str(number))
            out.mkdir()
            if command[0] == "event":
                event(out, command[1])
            else:
                single = command[0] in ("kit",)
                message = muster((*command, "-o", str(out / "kit") if single else str(out / "one.pdf"), "--force"))
                if message:
                    found[" ".join(command)] = message
            for file in sorted(out.rglob("*")):
                if file.is_file() and file.suffix in (".pdf", ".svg", ".png"):
                    name = f"{' '.join(command)}: {file.relative_to(out)}"
                    found[name] = hashlib.sha256(file.read_bytes()).hexdigest()
    return found


def event(out: Path, lang: str) -> None:
    """Print the rounds of an event with pages that share forms."""
    (out / "players.txt").write_text(PLAYERS, encoding="utf-8")
    given = ("--players", str(out / "players.txt"), "--rounds", "1", "--seed", "K7Q2M-9FHN5", "--lang", lang)
    for name, way in (("plain", ()), ("crooked", ("--printer", "crooked"))):
        muster(("tournament", "pack", "call_to_arms", *given, *way, "-o", str(out / name)))


def muster(words: tuple[str, ...]) -> str:
    """Run a command in this process and return its message if it fails."""
    from generator.cli import main

    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            main(list(words))
        except SystemExit as end:
            if end.code:
                return f"exit {end.code}: {output.getvalue()[-300:]}"
    return ""


def hashes_of(tree: Path, codes: int, only: str, again: bool) -> dict[str, str]:
    """Return the hashes of a checkout's prints, computed by its interpreter.

    Hashes are stored and reused unless `again` is set.
    """
    git = ("git", "-C", str(tree))
    commit = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    kept = Path(tempfile.gettempdir(), f"muster-same-bytes-{commit}-{codes}{only}.json")
    if kept.is_file() and not again:
        loaded: dict[str, str] = json.loads(kept.read_text(encoding="utf-8"))
        return loaded
    python, here = tree / ".venv" / "bin" / "python", Path(__file__).resolve()
    command = [str(python), "-P", str(here), "--print", str(codes), "--only", only]
    run = subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, text=True, check=True)
    made: dict[str, str] = json.loads(run.stdout)
    if not again:
        kept.write_text(run.stdout, encoding="utf-8")
    return made


def main() -> int:
    """Compare two checkouts and return the exit code, which is 1 if anything differs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("tree", nargs="?", type=Path)
    parser.add_argument("--codes", type=int, default=2, help="codes of each game")
    parser.add_argument("--print", type=int, metavar="CODES", help="print the hashes of this interpreter's prints")
    parser.add_argument("--only", default="", help="commands that begin so")
    given = parser.parse_args()
    if given.print is not None:
        out = sys.stdout
        json.dump(printed(given.print, given.only), out)
        return 0
    before = hashes_of(given.tree.resolve(), given.codes, given.only, again=False)
    after = hashes_of(Path(__file__).resolve().parent.parent, given.codes, given.only, again=True)
    differ = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    for name in differ:
        what = "differs" if name in before and name in after else "missing"
        sys.stdout.write(f"{what}: {name} {after.get(name, '')[:200]}\n")
    failed = [name for name, message in after.items() if message.startswith("exit ")]
    counts = f"{len(before)} files before, {len(after)} after, {len(differ)} differ; {len(failed)} commands refused"
    sys.stdout.write(f"{counts}\n")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
