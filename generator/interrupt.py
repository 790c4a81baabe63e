"""Signals that end the process, from its first moment on, even if other code swallows the KeyboardInterrupt.

This module imports very little, since it runs before everything that takes time.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from types import FrameType, TracebackType

RAISE_AGAIN_S = 0.02
"""Seconds after which a swallowed interrupt is raised again."""
MESSAGE = "interrupted; nothing half-written is left"
MESSAGE_JA = "中断しました。書きかけのファイルは残っていません"
INTERRUPTED = 130
SHIFT = INTERRUPTED - signal.SIGINT
"""A shell adds this to a signal's number to form the exit code: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP."""

_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
TIDY_UP_S = 0.3
"""Seconds during which no further signal interrupts the cleanup; after that, the cleanup itself may hang."""

_signals_received: list[int] = []
_last_interrupt = -TIDY_UP_S
"""The time of the last interrupt, by the monotonic clock."""


def is_requested() -> bool:
    """Return whether this process has received a signal to end."""
    return bool(_signals_received)


def code() -> int:
    """Return the exit code of a process that received a signal to end, or whose user left a prompt."""
    return SHIFT + _signals_received[0] if _signals_received else INTERRUPTED


def leave_at_once() -> None:
    """Make signals end this process immediately, before it has started anything; for processes of our own."""
    _handle_signals(_leave)


def tidy_up_first() -> None:
    """Make signals raise a KeyboardInterrupt, so that this process cleans up and ends; for processes of our own."""
    sys.excepthook = _uncaught
    sys.unraisablehook = _swallowed
    _handle_signals(_stop)


def ignore_signals() -> None:
    """Ignore further signals: the process is ending."""
    _handle_signals(signal.SIG_IGN)


def _handle_signals(handler: signal._HANDLER) -> None:
    """Install a handler for the signals to end, except those that the parent process has this one ignore."""
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _leave(number: int, _frame: FrameType | None) -> None:
    ignore_signals()  # a second signal does not repeat the message
    os.write(2, f"{MESSAGE_JA if _in_japanese() else MESSAGE}\n".encode())
    os._exit(SHIFT + number)


def _in_japanese() -> bool:
    """Return whether the command line or else the locale asks for Japanese; `localization` is not imported yet."""
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
    """Do not print a KeyboardInterrupt: numpy shows one here during its import, before it raises its own error."""
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)


def _swallowed(unraisable: sys.UnraisableHookArgs) -> None:
    """Raise a KeyboardInterrupt again that came in a finalizer, such as that of a PDF, which cannot raise it.

    Python reports a signal that arrives exactly during `ignore_signals` as a race condition; it is ignored too.
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
