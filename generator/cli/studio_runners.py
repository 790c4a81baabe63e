"""Run the commands of the studio in processes with limited memory and time. Each command has its own folder."""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from multiprocessing.connection import Connection
from typing import Any

from generator import process
from generator.cli.studio_answer import Answer, Task
from generator.store.write import temporary_folder
from generator.workers import apart

MAX_MEMORY_BYTES = 3 << 30
"""The maximum address space of a runner in bytes, on systems that can limit it."""
MAX_COMMAND_S = 120.0
"""The maximum time for a command, in seconds."""
POLL_INTERVAL_S = 0.1
"""The number of seconds between two checks of whether the client is still waiting."""
GRACE_S = 1.0
"""The number of seconds that a command may still take after its client has disconnected.

Ending a command costs the start of a new process, which takes about as long as most commands.
"""
RUNNERS = 2
"""The number of processes. One of them is kept for the foreground."""


class OverLimitError(Exception):
    """Raised if a command used more time or memory than the studio allows."""


class ClientGoneError(Exception):
    """Raised if the client is no longer waiting for the command."""


class Client:
    """The client of a command, with the last progress report for it."""

    def __init__(self, background: bool = False) -> None:
        self.background = background
        """Whether the command is less urgent than what the user has just asked for."""
        self.last_progress: tuple[str, float | None] | None = None
        """The last message, and the part of the work that is done, from 0 to 1, if it is known."""
        self.disconnected = False


class Runners:
    """A few processes that wait for commands. A process that ends is replaced."""

    def __init__(self, count: int = RUNNERS, seconds: float = MAX_COMMAND_S, memory: int = MAX_MEMORY_BYTES) -> None:
        self.seconds, self.memory = seconds, memory
        # The last runner to answer is used first, because its caches already contain most of the data.
        self._idle: queue.LifoQueue[_Runner] = queue.LifoQueue()
        self._every = [_Runner(memory) for _ in range(count)]
        for runner in self._every:
            self._idle.put(runner)
        self._background = threading.Semaphore(max(1, count - 1))
        """The runners that commands in the background may use at the same time."""

    def run(
        self,
        words: Sequence[str],
        files: Mapping[str, bytes],
        client: Client | None = None,
        task: Task | None = None,
    ) -> Answer:
        """Run `muster` with these words in a folder with these files. Return its output and the files that it wrote.

        If a task is given, the runner calls it instead of `muster`.

        A command in the background leaves one runner to the other commands.

        Raises:
            OverLimitError: If the command used too much time or memory.
            ClientGoneError: If the client disconnected before its turn, or the command then took too long.
        """
        client = client or Client()
        with self._place_in_background(client) if client.background else contextlib.nullcontext():
            runner = self._next_runner(client)
            try:
                return runner.run(words, files, self.seconds, client, task or run_command)
            finally:
                self._idle.put(runner)

    @contextlib.contextmanager
    def _place_in_background(self, client: Client) -> Iterator[None]:
        """Wait until a command may run in the background. Raises ClientGoneError if the client disconnects first."""
        while not self._background.acquire(timeout=POLL_INTERVAL_S):
            if client.disconnected:
                raise ClientGoneError
        try:
            yield
        finally:
            self._background.release()

    def _next_runner(self, client: Client) -> _Runner:
        """Wait for an idle runner. Raises ClientGoneError if the client disconnects first."""
        while not client.disconnected:
            with contextlib.suppress(queue.Empty):
                return self._idle.get(timeout=POLL_INTERVAL_S)
        raise ClientGoneError

    def start_idle(self) -> None:
        """Start the processes of idle runners, so that the first commands need not wait for them."""
        with contextlib.ExitStack() as idle, contextlib.suppress(queue.Empty):
            for _ in self._every:
                runner = self._idle.get_nowait()
                idle.callback(self._idle.put, runner)
                runner.begin()

    def close(self) -> None:
        """End all processes."""
        for runner in self._every:
            runner.end()


class _Runner:
    """A process that runs commands. It is started when it is first needed."""

    def __init__(self, memory: int) -> None:
        self.memory = memory
        self.process: Any = None
        self.pipe: Connection | None = None

    def run(
        self, words: Sequence[str], files: Mapping[str, bytes], seconds: float, client: Client, task: Task
    ) -> Answer:
        """Run a command like `Runners.run`, with a time limit in seconds."""
        self.begin()
        assert self.pipe
        end = time.monotonic() + seconds
        with contextlib.suppress(EOFError, OSError):
            self.pipe.send((task, list(words), dict(files)))
            while time.monotonic() < end:
                if client.disconnected:
                    end = min(end, time.monotonic() + GRACE_S)
                if not self.pipe.poll(min(POLL_INTERVAL_S, max(0.0, end - time.monotonic()))):
                    continue
                received = self.pipe.recv()
                if isinstance(received, Answer):
                    return received
                client.last_progress = received
        self.end()
        self.begin()
        raise ClientGoneError if client.disconnected else OverLimitError

    def begin(self) -> None:
        """Start the process unless it is already running."""
        if self.process is not None and self.process.is_alive():
            return
        # Spawn a new interpreter, because a forked server with threads may hang.
        context = multiprocessing.get_context("spawn")
        self.pipe, child_pipe = context.Pipe()
        self.process = context.Process(target=serve, args=(child_pipe, self.memory), daemon=True)
        with apart():
            self.process.start()
        child_pipe.close()

    def end(self) -> None:
        """Kill the process. Its work leaves no traces outside its folder."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process = None


def serve(pipe: Connection, memory: int) -> None:
    """Run commands one by one until the studio ends."""
    process.take_over()
    import signal

    with contextlib.suppress(ImportError, ValueError, OSError):  # The system may not support limits on memory.
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    # Ctrl-C ends the studio, which then ends its runners.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    process.collect_rarely()
    while True:
        try:
            task, words, files = pipe.recv()
        except (EOFError, OSError):
            return
        pipe.send(task(words, files, lambda *heard: pipe.send(heard)))
        with contextlib.suppress(EOFError, OSError):
            if process.needs_collection() and not pipe.poll(POLL_INTERVAL_S):
                process.collect_now()


def run_command(
    words: Sequence[str], files: Mapping[str, bytes], on_progress: Callable[[str, float | None], None]
) -> Answer:
    """Run `muster` with these words in a folder with these files."""
    from generator.cli import console, main

    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), console.ProgressStderr(on_progress)
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


def run_play(words: Sequence[str], files: Mapping[str, bytes], on_progress: object) -> Answer:
    """Answer a request about a game in play."""
    from generator.cli.studio_play import run

    return run(words, files, on_progress)
