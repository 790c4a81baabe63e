"""Run `muster` as a user does, and return its output."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.cli import main

MUSTER = (sys.executable, "-m", "generator")

SPAWN_TIMEOUT_S = 300
"""Maximum duration of a command in seconds. On a busy machine a command of two seconds can take over a minute."""


@dataclass(frozen=True)
class Run:
    """The exit code, standard output and standard error of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def muster(*args: str | Path, user_input: str | bytes = "") -> Run:
    """Run a command in this process, with `user_input` as its standard input."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    code: Any = None
    piped = (
        io.TextIOWrapper(io.BytesIO(user_input), encoding="utf-8")
        if isinstance(user_input, bytes)
        else io.StringIO(user_input)
    )
    stdin, sys.stdin = sys.stdin, piped
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main([str(arg) for arg in args])
    except SystemExit as stop:
        code = stop.code
    finally:
        sys.stdin = stdin
    prompts = []
    for stream in (out, err):
        stream.seek(0)
        prompts.append(stream.read())
    assert "Traceback" not in "".join(prompts), prompts[1]
    return Run(code, *prompts)


def spawn(*args: str | Path, cwd: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a new process."""
    return subprocess.run(
        [*MUSTER, *map(str, args)],
        cwd=cwd,
        env={**os.environ, "LC_ALL": "C.UTF-8", **environ},
        capture_output=True,
        encoding="utf-8",
        timeout=SPAWN_TIMEOUT_S,
    )


@contextlib.contextmanager
def studio(*args: str, cwd: Path | None = None, **environ: str) -> Iterator[Any]:
    """Start `muster studio --json`, yield its first message, and interrupt it at the end."""
    command = [*MUSTER, "studio", "--no-open", "--json", *args]
    variables = {**os.environ, **environ}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=cwd, env=variables) as made:
        assert made.stdout
        try:
            text = ""
            while not text.rstrip().endswith("}") and (line := made.stdout.readline()):
                text += line
            yield json.loads(text)
        finally:
            made.send_signal(signal.SIGINT)
            assert made.wait(20) == 0


def contents(folder: Path) -> dict[str, bytes]:
    """Return the content of every file in a folder, keyed by file name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}
