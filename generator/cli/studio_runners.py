"""Processes in which verbs run for the studio: bounded in memory and time, each command in a folder of its own."""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import queue
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from generator.store.write import for_now

MEMORY = 3 << 30
"""Bytes of address space that a runner may take, where the system can bound it."""
SECONDS = 120.0
"""How long a command may take."""


class Answer(NamedTuple):
    """What a command left."""

    exit: int
    out: str
    err: str
    files: dict[str, bytes]
    """What it wrote, by path within its folder."""


class OverBoundError(Exception):
    """A command took more time or memory than the studio gives it."""


class Runners:
    """A few processes that wait for commands; one that is lost is replaced."""

    def __init__(self, count: int = 2, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        self.seconds, self.memory = seconds, memory
        self._idle: queue.Queue[_Runner] = queue.Queue()
        self._every = [_Runner(memory) for _ in range(count)]
        for runner in self._every:
            self._idle.put(runner)

    def run(self, words: Sequence[str], files: Mapping[str, bytes]) -> Answer:
        """What `muster` with these words leaves in a folder with these files; OverBoundError."""
        runner = self._idle.get()
        try:
            return runner.run(words, files, self.seconds)
        finally:
            self._idle.put(runner)

    def close(self) -> None:
        """End them all."""
        for runner in self._every:
            runner.end()


class _Runner:
    """A process, begun when it is first needed."""

    def __init__(self, memory: int) -> None:
        self.memory = memory
        self.process: Any = None
        self.pipe: Connection | None = None

    def run(self, words: Sequence[str], files: Mapping[str, bytes], seconds: float) -> Answer:
        """As `Runners.run` has it."""
        if self.process is None or not self.process.is_alive():
            self._begin()
        assert self.pipe
        try:
            self.pipe.send((list(words), dict(files)))
            if self.pipe.poll(seconds):
                answer: Answer = self.pipe.recv()
                return answer
        except (EOFError, OSError):
            pass
        self.end()
        raise OverBoundError

    def _begin(self) -> None:
        # A fresh interpreter: a fork of a server with threads may hang.
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, self.memory), daemon=True)
        self.process.start()
        theirs.close()

    def end(self) -> None:
        """End the process at once; what it was doing leaves nothing outside its folder."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process = None


def serve(pipe: Connection, memory: int) -> None:
    """Run command after command until the studio goes."""
    import signal

    with contextlib.suppress(ImportError, ValueError, OSError):  # where the system has no such bound
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    # Ctrl-C ends the studio, which ends its runners.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            words, files = pipe.recv()
        except (EOFError, OSError):
            return
        pipe.send(_ran(words, files))


def _ran(words: Sequence[str], files: Mapping[str, bytes]) -> Answer:
    from generator.cli import main

    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    code: Any = 0
    with for_now(files) as folder, contextlib.chdir(folder):
        sys.stdin = io.StringIO()
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                main(list(words))
        except SystemExit as stop:
            code = stop.code
        out.seek(0)
        err.seek(0)
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        made = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    fresh = {name: content for name, content in made.items() if files.get(name) != content}
    return Answer(code if isinstance(code, int) else 0, out.read(), err.read(), fresh)
