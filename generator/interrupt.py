"""Handle the signals that end the process, from its start and even if other code suppresses the KeyboardInterrupt.

This module imports very little, because it is loaded before anything slow.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from types import FrameType, TracebackType

RAISE_AGAIN_S = 0.02
"""The number of seconds after which a suppressed interrupt is raised again."""
MESSAGE = "interrupted; nothing half-written is left"
MESSAGE_JA = "中断しました。書きかけのファイルは残っていません"
INTERRUPTED = 130
SHIFT = INTERRUPTED - signal.SIGINT
"""The number that a shell adds to a signal's number for the exit code: 130 for SIGINT, 143 for SIGTERM, 129 for
SIGHUP.
"""

_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
TIDY_UP_S = 0.3
"""The number of seconds during which further signals do not interrupt the cleanup. After that, it may be hanging."""

_signals_received: list[int] = []
_last_interrupt = -TIDY_UP_S
"""The time of the last interrupt, from the monotonic clock."""


def is_requested() -> bool:
    """Return whether this process has received a signal to end."""
    return bool(_signals_received)


def code() -> int:
    """Return the exit code of a process that received a signal to end, or whose user left a prompt."""
    return SHIFT + _signals_received[0] if _signals_received else INTERRUPTED


def leave_at_once() -> None:
    """Make signals end this process immediately.

    Call this in Muster's own processes, before the first work starts.
    """
    _handle_signals(leave)


def tidy_up_first() -> None:
    """Make signals raise a KeyboardInterrupt, so that the process cleans up before it ends.

    Call this only in Muster's own processes.
    """
    sys.excepthook = _uncaught
    sys.unraisablehook = _swallowed
    _handle_signals(_stop)


def ignore_signals() -> None:
    """Ignore further signals, because the process is already ending."""
    _handle_signals(signal.SIG_IGN)


def _handle_signals(handler: signal._HANDLER) -> None:
    """Install a handler for the signals that end the process.

    Signals that the parent process made it ignore stay ignored.
    """
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def leave(number: int = signal.SIGINT, _frame: FrameType | None = None) -> None:
    """Print the message of an interrupt, and end this process with the exit code for this signal."""
    ignore_signals()  # A second signal must not print the message again.
    os.write(2, f"{MESSAGE_JA if _in_japanese() else MESSAGE}\n".encode())
    os._exit(SHIFT + number)


def _in_japanese() -> bool:
    """Return whether the command line, or otherwise the locale, selects Japanese.

    The module `localization` cannot be used here, because it is not imported yet.
    """
    asked_for = " ".join(sys.argv).replace("--lang=", "--lang ").casefold().split("--lang ")[1:]
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return (asked_for[-1] if asked_for else locale).startswith("ja")


def _stop(number: int, _frame: FrameType | None) -> None:
    global _last_interrupt
    _signals_received.append(number)
    if (now := time.monotonic()) - _last_interrupt >= TIDY_UP_S:
        _last_interrupt = now
        raise KeyboardInterrupt


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Suppress the traceback of a KeyboardInterrupt.

    During its import, numpy passes one here before its own error.
    """
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)


def _swallowed(unraisable: sys.UnraisableHookArgs) -> None:
    """Raise a KeyboardInterrupt again if it occurred in a finalizer, which cannot propagate it.

    If a signal arrives during `ignore_signals`, Python reports a race condition. That report is suppressed.
    """
    if issubclass(unraisable.exc_type, OSError) and "race condition" in str(unraisable.exc_value):
        return
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
        return
    import _thread
    import threading

    global _last_interrupt
    _last_interrupt = -TIDY_UP_S
    again = threading.Timer(RAISE_AGAIN_S, _thread.interrupt_main, _signals_received[:1])
    again.daemon = True
    again.start()
