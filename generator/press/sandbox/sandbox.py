"""Run prints with user templates in a separate process with limits. This module is the parent's side."""

from __future__ import annotations

import os
import pickle
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, TYPE_CHECKING, Any, TypeVar

import msgspec

from generator.errors import DataError, DoesNotFitError, MusterError, NotInOrderError, Problem, WrongUsageError
from generator.localization import tr
from generator.press import Progress
from generator.press.pdf import fonts
from generator.press.pdf.embedding import NoGlyphError
from generator.press.sandbox.messages import (
    Failed,
    Finished,
    LimitExceeded,
    Limits,
    Message,
    ProgressMade,
    SheetBegun,
    TemplateLoaded,
    receive,
    send,
)
from generator.press.sandbox.templates import template_name
from generator.store.folders import cache_folder, is_file

if TYPE_CHECKING:
    from subprocess import Popen

    from generator.press.layout.print_settings import PrintSettings

# A template is a program, and so is the layout that it requests. It may run forever, use too much memory or crash the
# interpreter. The process therefore has limits, and the parent has a timeout. The input of the process is pickled by
# the parent. Its output is plain data that the parent checks. The process runs `generator.press.sandbox.worker`.

_GRACE_S = 1.0
"""Seconds between a time limit and the killing of a process that has not ended itself."""
_MAX_TRACE = 64 * 1024
"""Maximum length of a traceback that is kept, in bytes."""
_PASSED_VARIABLES = ("SYSTEMROOT", "PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH")
"""Environment variables that an interpreter may need to start. No other variables are passed on."""
_ERRORS: dict[str, type[MusterError]] = {
    kind.__name__: kind for kind in (DataError, DoesNotFitError, NotInOrderError, WrongUsageError, NoGlyphError)
}


class SandboxProcess:
    """The sandbox process, with the messages that it sends and its timeout."""

    def __init__(self, folders: tuple[Path, ...], limits: Limits, progress: Progress) -> None:
        self.folders, self.limits, self.progress = folders, limits, progress
        self.process: Popen[bytes] | None = None
        self.received: SimpleQueue[bytes | None] = SimpleQueue()
        self.threads: list[Thread] = []
        self.trace = b""
        """The traceback that the process writes when it is killed."""
        self.template = ""
        self.lines: dict[str, list[tuple[int, int]]] = {}

    def start(self) -> IO[bytes]:
        """Start the process, and return its standard input."""
        from subprocess import PIPE, Popen  # Imported here because only user templates need it.

        path = [str(Path(entry).absolute()) for entry in sys.path]
        begin = f"import sys; sys.path[:] = {path!r}; from generator.process import take_over; take_over()"
        inside = f"{begin}; from generator.press.sandbox.worker import main; main()"
        command = [sys.executable, "-I", "-X", "utf8", "-c", inside]
        self.process = process = Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=_environ())
        if not (process.stdin and process.stdout and process.stderr):
            raise RuntimeError("the process for templates has no pipes")
        for read, source in ((self.listen, process.stdout), (self.read_trace, process.stderr)):
            self.threads.append(Thread(target=read, args=(source,), daemon=True))
            self.threads[-1].start()
        return process.stdin

    def result_of(self, request: bytes) -> Any:
        """Send a request to the process, and return the result.

        The process's standard input stays open, because the process would take its end to mean that the parent is
        gone.

        Raises:
            DataError: If the print fails, exceeds a limit or crashes.
        """
        source = self.start()
        with suppress(OSError):
            send(source, request)
        seconds = self.limits.shipped
        while True:
            try:
                content = self.received.get(timeout=seconds + _GRACE_S)
            except Empty:
                raise self.limit_error("time") from None
            if content is None:
                raise self.crash_error()
            match msgspec.msgpack.decode(content, type=Message):
                case ProgressMade(message, share):
                    seconds = self.limits.shipped
                    self.progress(message, share)
                case SheetBegun(template):
                    seconds, self.template = self.limits.wall, template
                case TemplateLoaded(file, lines):
                    self.lines[file] = lines
                case LimitExceeded(what, file, line):
                    raise self.limit_error(what, file, line)
                case Failed(kind, problems):
                    raise _ERRORS.get(kind, DataError)(*(self.with_user_file(sent.problem) for sent in problems))
                case Finished(result):
                    return result

    def stop(self) -> None:
        """Kill the process, and close its pipes."""
        if not self.process:
            return
        self.process.kill()
        self.process.wait()
        for thread in self.threads:
            thread.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with suppress(OSError):
                pipe.close()  # type: ignore[union-attr] # all three are pipes

    def crash_error(self) -> DataError:
        """Return the error for a process that ended without sending a result.

        Raises:
            RuntimeError: If no template was in use that could be the cause.
        """
        code = self.process.wait() if self.process else 0
        for thread in self.threads:
            thread.join(_GRACE_S)
        if not self.template:
            raise RuntimeError(f"the process for templates did not start ({code}): {self.trace[-500:]!r}")
        timed = b"Timeout (" in self.trace or -code == getattr(signal, "SIGXCPU", 0)
        memory = b"MemoryError" in self.trace or b"Cannot allocate memory" in self.trace
        file, line = next(self.template_lines(), ("", 0))
        return self.limit_error("time" if timed else "memory" if memory else "life", file, line)

    def template_lines(self) -> Iterator[tuple[str, int]]:
        """Yield the files and lines of templates in the traceback of the process, innermost first."""
        known = {file.encode("ascii", "backslashreplace"): file for file in self.lines}
        for name, number in re.findall(rb'File "(.*)", line (\d+) in', self.trace):
            if file := known.get(name):
                pairs = [template_line for template_line, code in self.lines[file] if code <= int(number)]
                yield template_name(file), pairs[-1] if pairs else 1

    def limit_error(self, what: str, file: str = "", line: int = 0) -> DataError:
        """Return the error for a limit that was exceeded."""
        limit = {
            "time": tr("takes longer than {seconds:g} seconds", seconds=self.limits.seconds),
            "memory": tr("takes more than {memory} MB of memory", memory=self.limits.memory),
            "life": tr("crashed the printing process"),
        }[what]
        folders = ", ".join(map(str, self.folders))
        hint = tr(
            "check the templates for endless loops, and for text or tables that keep growing; "
            "to use the shipped templates, omit --templates {folders}",
            folders=folders,
        )
        return DataError(self.with_user_file(Problem(limit, file or self.template or folders, line, hint)))

    def with_user_file(self, problem: Problem) -> Problem:
        """Return the problem with the path of the user's template file, if the template is the user's."""
        for folder in self.folders:
            if problem.file and is_file(user_file := folder / problem.file):
                return problem.but(file=str(user_file))
        return problem

    def listen(self, source: IO[bytes]) -> None:
        """Queue the messages from the process, followed by None when the process closes its output."""
        with suppress(OSError, ValueError):
            while content := receive(source):
                self.received.put(content)
        self.received.put(None)

    def read_trace(self, source: IO[bytes]) -> None:
        """Read all error output, and keep the beginning for error messages."""
        with suppress(OSError, ValueError):
            while line := source.readline(_MAX_TRACE):
                self.trace = (self.trace + line)[:_MAX_TRACE]


def _environ() -> dict[str, str]:
    kept = {name: os.environ[name] for name in _PASSED_VARIABLES if name in os.environ}
    return {**kept, "MUSTER_CACHE": str(cache_folder().absolute()), "MALLOC_ARENA_MAX": "1"}


T = TypeVar("T")
LIMITS = Limits()


def run_confined(
    settings: PrintSettings, kind: type[T], work: Callable[..., T], *given: Any, progress: Progress
) -> T:
    """Return the result of `work(*given, progress)`. If there are user templates, call `work` in the sandbox.

    `work` must be a module-level function, and its result must be of the type `kind`, which msgspec can read.

    Raises:
        DataError: If the template exceeded a limit or crashed the process. The error names the template.
        MusterError: If `work` raised this error.
    """
    if not settings.templates:
        return work(*given, progress)

    guard = SandboxProcess(settings.templates, LIMITS, progress)
    try:
        made = guard.result_of(pickle.dumps((LIMITS, fonts.current_family(), work, given)))
        return msgspec.convert(made, kind, dec_hook=lambda kind, made: kind(msgspec.convert(made, bytes)))
    finally:
        guard.stop()
