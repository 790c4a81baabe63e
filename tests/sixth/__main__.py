from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.cli.run import muster
from tests.playthroughs import replayed
from tests.sixth import ROOT, planted


def serve() -> None:
    """Run the commands on standard input, one JSON line for each, and write one line for each answer."""
    for line in sys.stdin:
        what, words = json.loads(line)
        if what == "replay":
            answer: object = list(replayed(words, Path()))
        else:
            done = muster(*words)
            answer = [done.code, done.out, done.err]
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def types() -> int:
    """Check the types of the game in a copy that contains the game."""
    cache = ROOT / ".mypy_cache" / "sixth"
    with TemporaryDirectory() as folder:
        tree, settings = planted(Path(folder)), ROOT / "pyproject.toml"
        args = ("--strict", "--config-file", settings, "--cache-dir", cache, "-p", "generator.games.tablut")
        return subprocess.run([sys.executable, "-m", "mypy", *map(str, args)], cwd=tree).returncode


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    else:
        sys.exit(types())
