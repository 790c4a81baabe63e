"""Processes in which verbs run for the studio: bounded in memory and time, each command in a folder of its own."""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import queue
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from generator import process
from generator.store.write import temporary_folder
from generator.workers import apart

MEMORY = 3 << 30
"""Bytes of address space that a runner may take, where the system can bound it."""
SECONDS = 120.0
"""How long a command may take."""
LOOK = 0.1
"""After so many seconds a runner looks whether its asker still waits."""


class Answer(NamedTuple):
    """What a command left."""

    exit: int
    out: str
    err: str
    files: dict[str, bytes]
    """What it wrote, by path within its folder."""


class OverBoundError(Exception):
    """A command took more time or memory than the studio gives it."""


class GoneError(Exception):
    """Nobody waits for a command any more."""


class Asker:
    """Who waits for a command: what he heard last of how far it is, and whether he still waits."""

    def __init__(self) -> None:
        self.heard: tuple[str, float | None] | None = None
        """What the command is at, and its share of the whole from 0 to 1, where it knows."""
        self.gone = False


class Runners:
    """A few processes that wait for commands; one that is lost is replaced."""

    def __init__(self, count: int = 2, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        self.seconds, self.memory = seconds, memory
        # Who answered last knows most of what is asked next.
        self._idle: queue.LifoQueue[_Runner] = queue.LifoQueue()
        self._every = [_Runner(memory) for _ in range(count)]
        for runner in self._every:
            self._idle.put(runner)

    def run(self, words: Sequence[str], files: Mapping[str, bytes], asker: Asker | None = None) -> Answer:
        """What `muster` with these words leaves in a folder with these files.

        OverBoundError where it takes too much, GoneError where its asker went.
        """
        runner = self._idle.get()
        try:
            return runner.run(words, files, self.seconds, asker or Asker())
        finally:
            self._idle.put(runner)

    def ready(self) -> None:
        """Have those that are idle begun, so that the first commands need not wait for it."""
        with contextlib.ExitStack() as idle, contextlib.suppress(queue.Empty):
            for _ in self._every:
                runner = self._idle.get_nowait()
                idle.callback(self._idle.put, runner)
                runner.begin()

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

    def run(self, words: Sequence[str], files: Mapping[str, bytes], seconds: float, asker: Asker) -> Answer:
        """As `Runners.run` has it."""
        self.begin()
        assert self.pipe
        end = time.monotonic() + seconds
        with contextlib.suppress(EOFError, OSError):
            self.pipe.send((list(words), dict(files)))
            while not asker.gone and time.monotonic() < end:
                if not self.pipe.poll(min(LOOK, max(0.0, end - time.monotonic()))):
                    continue
                told = self.pipe.recv()
                if isinstance(told, Answer):
                    return told
                asker.heard = told
        self.end()
        self.begin()
        raise GoneError if asker.gone else OverBoundError

    def begin(self) -> None:
        """Have the process there."""
        if self.process is not None and self.process.is_alive():
            return
        # A fresh interpreter: a fork of a server with threads may hang.
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, self.memory), daemon=True)
        with apart():
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
    process.take_over()
    import signal

    with contextlib.suppress(ImportError, ValueError, OSError):  # where the system has no such bound
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    # Ctrl-C ends the studio, which ends its runners.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    process.collect_rarely()
    while True:
        try:
            words, files = pipe.recv()
        except (EOFError, OSError):
            return
        pipe.send(_ran(words, files, lambda *heard: pipe.send(heard)))
        with contextlib.suppress(EOFError, OSError):
            if process.needs_collection() and not pipe.poll(LOOK):
                process.collect_now()


def _ran(words: Sequence[str], files: Mapping[str, bytes], hear: Callable[[str, float | None], None]) -> Answer:
    from generator.cli import console, main

    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), console.Heard(hear)
    code: Any = 0
    with temporary_folder(files) as folder, contextlib.chdir(folder):
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
