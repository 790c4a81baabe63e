"""Being told to end, and ending: from the first moment on, and though foreign code swallows the KeyboardInterrupt.

It imports next to nothing, for it comes before all that takes time.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from types import FrameType, TracebackType

RAISE_AGAIN_S = 0.02
"""After so many seconds an interrupt that was swallowed comes again."""
MESSAGE = "interrupted; nothing half-written is left"
MESSAGE_JA = "中断しました。書きかけのファイルは残っていません"
INTERRUPTED = 130
SHIFT = INTERRUPTED - signal.SIGINT
"""What a shell adds to a signal's number: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP."""

_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
TIDY_UP_S = 0.3
"""For so many seconds no further signal interrupts the tidying up; after that it may be what is stuck."""

_signals_received: list[int] = []
_last_interrupt = -TIDY_UP_S
"""When the process was last interrupted."""


def is_requested() -> bool:
    """Whether this process was told to end."""
    return bool(_signals_received)


def code() -> int:
    """The exit code of a process that was told to end, or whose user left a prompt."""
    return SHIFT + _signals_received[0] if _signals_received else INTERRUPTED


def leave_at_once() -> None:
    """Have a process of our own end where it stands when it is told to: it has begun nothing yet."""
    _handle_signals(_leave)


def tidy_up_first() -> None:
    """Have a process of our own tidy up and end when it is told to, by a KeyboardInterrupt."""
    sys.excepthook = _uncaught
    sys.unraisablehook = _swallowed
    _handle_signals(_stop)


def ignore_signals() -> None:
    """Hear no more: the process is ending."""
    _handle_signals(signal.SIG_IGN)


def _handle_signals(handler: signal._HANDLER) -> None:
    """Take the signals that tell a process to end, but for those that its parent has it ignore."""
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _leave(number: int, _frame: FrameType | None) -> None:
    ignore_signals()  # who is told twice says it once
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
    """Numpy prints here what interrupts its import, before it raises an error of its own."""
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)


def _swallowed(unraisable: sys.UnraisableHookArgs) -> None:
    """Python cannot raise what interrupts a finalizer, such as those that close a PDF: it is raised once more.

    A signal that comes at the very moment of `deafen` is one of those that are heard no more, and Python says so.
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
