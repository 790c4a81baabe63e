"""The program that runs in the sandbox process: set limits, do the work and send the result."""

from __future__ import annotations

import faulthandler
import math
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import IO, Any

import msgspec

from generator import process
from generator.errors import MusterError, Problem
from generator.localization import localize, tr
from generator.press.pdf import fonts
from generator.press.sandbox import messages, templates

_MIB = 1024 * 1024
_MAX_TEXT = 500
"""Maximum length of a text that is sent, in characters."""


def main() -> None:
    """Do the work requested on standard input, and send messages to standard output."""
    for number in (signal.SIGINT, signal.SIGTERM):
        # The parent process receives these signals too, and ends this process.
        signal.signal(number, signal.SIG_IGN)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    faulthandler.enable(all_threads=False)
    if hasattr(signal, "SIGXCPU"):
        faulthandler.register(signal.SIGXCPU, all_threads=False, chain=True)
    request = messages.receive(sys.stdin.buffer)
    if request is None:
        return
    limits, *work = pickle.loads(request)
    _set_limit("AS", limits.memory * _MIB, (limits.memory + limits.reserve) * _MIB)
    _set_limit("CORE", 0, 0)
    _set_limit("NOFILE", 64, 64)
    Thread(target=_end_with_parent, daemon=True).start()
    worker = SandboxWorker(out, limits)
    worker.send(worker.run(*work))
    # Skip Python's slow clean-up of memory.
    os._exit(0)


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


def _set_limit(what: str, soft: float, hard: float) -> None:
    """Set a resource limit if the operating system supports it."""
    with suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        number = getattr(resource, f"RLIMIT_{what}")
        allowed = resource.getrlimit(number)[1]
        available = math.inf if allowed == resource.RLIM_INFINITY else allowed
        top = min(hard, available)
        resource.setrlimit(number, (int(min(soft, top)), resource.RLIM_INFINITY if top == math.inf else int(top)))


class SandboxWorker:
    """A worker that sends messages to the parent and keeps track of the remaining time. It implements `Watch`."""

    def __init__(self, out: IO[bytes], limits: messages.Limits) -> None:
        self.out, self.limits = out, limits
        self.seconds_left = limits.seconds
        self.sheet_start: float | None = None
        """Processor time at which the current sheet began, or None outside templates."""
        self.template = ""

    def run(self, founts: fonts.FontFamily, work: Callable[..., Any], given: tuple[Any, ...]) -> messages.Message:
        """Do the work, and return a message with the result or the error. Errors are attributed to a template."""
        limits = self.limits
        try:
            fonts.use_family(founts)
            templates.watch(self)
            process.collect_rarely()
            return messages.Finished(work(*given, self.progress))
        except MusterError as error:
            return messages.Failed(
                type(error).__name__, [_short_problem(problem) for problem in error.problems[:100]]
            )
        except MemoryError as error:
            _set_limit("AS", (limits.memory + limits.reserve) * _MIB, math.inf)
            place = templates.problem_at("", error, self.template)
            return messages.LimitExceeded("memory", place.file, place.line)
        except OutOfTimeError:
            return messages.LimitExceeded("time", self.template)
        except Exception as error:
            problem = templates.problem_at(
                tr("cannot be printed: {kind}: {error}", kind=type(error).__name__, error=error),
                error,
                self.template,
            )
            return messages.Failed("DataError", [_short_problem(problem)])

    def progress(self, message: str, share: float | None = None) -> None:
        """Report progress, and apply the limits for work outside templates until the next sheet begins."""
        self.pause()
        self.set_clock(self.limits.shipped, self.limits.shipped)
        self.send(messages.ProgressMade(message, share))

    def begun(self, template: str) -> None:
        """Start the time limit of a sheet."""
        self.pause()
        self.template = template
        self.seconds_left = min(self.limits.seconds, self.seconds_left + self.limits.share)
        if self.seconds_left <= 0:
            raise OutOfTimeError
        self.sheet_start = time.process_time()
        self.set_clock(self.seconds_left, self.limits.wall)
        self.send(messages.SheetBegun(template))

    def loaded(self, file: str, lines: list[tuple[int, int]]) -> None:
        """Send the line numbers of a template to the parent."""
        self.send(messages.TemplateLoaded(file, lines))

    def pause(self) -> None:
        """Subtract the time used for the last sheet from the remaining time."""
        if self.sheet_start is not None:
            self.seconds_left -= time.process_time() - self.sheet_start
            self.sheet_start = None

    def set_clock(self, processor: float, wall: float) -> None:
        """Make the process end itself after the given seconds of processor or wall-clock time."""
        now = time.process_time()
        _set_limit("CPU", max(now + 1, now + processor), math.inf)
        faulthandler.dump_traceback_later(wall, exit=True)

    def send(self, message: messages.Message) -> None:
        """Send a message to the parent. If the parent is gone, exit."""
        try:
            messages.send(self.out, msgspec.msgpack.encode(message, enc_hook=bytes))
        except BrokenPipeError:
            os._exit(1)


class OutOfTimeError(BaseException):
    """Raised if there is no time left. It is a BaseException so that error handlers do not catch it."""


def _short_problem(problem: Problem) -> messages.SentProblem:
    """Return a problem with texts of limited length."""
    message, hint = (
        (localize(text, "en")[:_MAX_TEXT], localize(text, "ja")[:_MAX_TEXT])
        for text in (problem.message, problem.hint)
    )
    return messages.SentProblem(message, problem.file[:_MAX_TEXT], problem.line, hint)
