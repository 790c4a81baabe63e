"""The inside of the sandbox: limits first, then the work, then what came of it."""

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
_SHOWN = 500
"""As much of a message, in characters, as is passed on."""


def main() -> None:
    """Do what is asked on the standard input, and say on the standard output what came of it."""
    for number in (signal.SIGINT, signal.SIGTERM):
        # The parent hears them too, and ends this process.
        signal.signal(number, signal.SIG_IGN)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    faulthandler.enable(all_threads=False)
    if hasattr(signal, "SIGXCPU"):
        faulthandler.register(signal.SIGXCPU, all_threads=False, chain=True)
    request = messages.receive(sys.stdin.buffer)
    if request is None:
        return
    limits, *asked = pickle.loads(request)
    _limit("AS", limits.memory * _MIB, (limits.memory + limits.reserve) * _MIB)
    _limit("CORE", 0, 0)
    _limit("NOFILE", 64, 64)
    Thread(target=_end_with_parent, daemon=True).start()
    cell = Cell(out, limits)
    cell.say(cell.come_to(*asked))
    # Nothing is left to do but to free memory, piece by piece.
    os._exit(0)


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


def _limit(what: str, soft: float, hard: float) -> None:
    """Set a limit, where the system has it."""
    with suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        number = getattr(resource, f"RLIMIT_{what}")
        allowed = resource.getrlimit(number)[1]
        most = math.inf if allowed == resource.RLIM_INFINITY else allowed
        top = min(hard, most)
        resource.setrlimit(number, (int(min(soft, top)), resource.RLIM_INFINITY if top == math.inf else int(top)))


class Cell:
    """What is said to the parent, and how much time is left; a `Watch` of the templates."""

    def __init__(self, out: IO[bytes], limits: messages.Limits) -> None:
        self.out, self.limits = out, limits
        self.left = limits.seconds
        self.since: float | None = None
        """When the sheet began that is being made; None while no template has a part."""
        self.template = ""

    def come_to(self, founts: fonts.Founts, work: Callable[..., Any], given: tuple[Any, ...]) -> messages.Message:
        """What becomes of the work; whatever goes wrong is a template's doing."""
        limits = self.limits
        try:
            fonts.take(founts)
            templates.watch(self)
            process.collect_rarely()
            return messages.Made(work(*given, self.progress))
        except MusterError as error:
            return messages.Failed(type(error).__name__, [_sent(problem) for problem in error.problems[:100]])
        except MemoryError as error:
            _limit("AS", (limits.memory + limits.reserve) * _MIB, math.inf)
            place = templates.problem("", error, self.template)
            return messages.TooMuch("memory", place.file, place.line)
        except OutOfTimeError:
            return messages.TooMuch("time", self.template)
        except Exception as error:
            said = templates.problem(
                tr("cannot be printed: {kind}: {error}", kind=type(error).__name__, error=error),
                error,
                self.template,
            )
            return messages.Failed("DataError", [_sent(said)])

    def progress(self, message: str, share: float | None = None) -> None:
        """Pass it on. What comes now is ours, until a sheet begins."""
        self.pause()
        self.clock(self.limits.ours, self.limits.ours)
        self.say(messages.Told(message, share))

    def begun(self, template: str) -> None:
        """As watches are told."""
        self.pause()
        self.template = template
        self.left = min(self.limits.seconds, self.left + self.limits.share)
        if self.left <= 0:
            raise OutOfTimeError
        self.since = time.process_time()
        self.clock(self.left, self.limits.wall)
        self.say(messages.Begun(template))

    def loaded(self, file: str, lines: list[tuple[int, int]]) -> None:
        """As watches are told."""
        self.say(messages.Loaded(file, lines))

    def pause(self) -> None:
        """Reckon up what the sheet before took."""
        if self.since is not None:
            self.left -= time.process_time() - self.since
            self.since = None

    def clock(self, processor: float, wall: float) -> None:
        """Let the process end itself after so many seconds, whatever it is at."""
        now = time.process_time()
        _limit("CPU", max(now + 1, now + processor), math.inf)
        faulthandler.dump_traceback_later(wall, exit=True)

    def say(self, message: messages.Message) -> None:
        """Tell the parent; where it has gone, there is nothing left to do."""
        try:
            messages.send(self.out, msgspec.msgpack.encode(message, enc_hook=bytes))
        except BrokenPipeError:
            os._exit(1)


class OutOfTimeError(BaseException):
    """The sheets so far took all the time there was; no handler of errors is to mind it."""


def _sent(problem: Problem) -> messages.Sent:
    """A problem with its texts cut short."""
    message, hint = (
        (localize(text, "en")[:_SHOWN], localize(text, "ja")[:_SHOWN]) for text in (problem.message, problem.hint)
    )
    return messages.Sent(message, problem.file[:_SHOWN], problem.line, hint)
