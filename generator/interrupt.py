"""Being told to end, and ending: from the first moment on, and though foreign code swallows the KeyboardInterrupt.

It imports next to nothing, for it comes before all that takes time.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from types import FrameType, TracebackType

SOON = 0.02
"""After so many seconds an interrupt that was swallowed comes again."""
TOLD = "interrupted; nothing half-written is left"
TOLD_JA = "中断しました。書きかけのファイルは残っていません"
INTERRUPTED = 130
SHIFT = INTERRUPTED - signal.SIGINT
"""What a shell adds to a signal's number: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP."""

_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
PATIENCE = 0.3
"""For so many seconds no further signal interrupts the tidying up; after that it may be what is stuck."""

_asked: list[int] = []
_heard = -PATIENCE
"""When the process was last interrupted."""


def asked() -> bool:
    """Whether this process was told to end."""
    return bool(_asked)


def code() -> int:
    """The exit code of a process that was told to end, or whose user left a prompt."""
    return SHIFT + _asked[0] if _asked else INTERRUPTED


def leave_at_once() -> None:
    """Have a process of our own end where it stands when it is told to: it has begun nothing yet."""
    _hear(_leave)


def listen() -> None:
    """Have a process of our own tidy up and end when it is told to, by a KeyboardInterrupt."""
    sys.excepthook = _uncaught
    sys.unraisablehook = _swallowed
    _hear(_stop)


def deafen() -> None:
    """Hear no more: the process is ending."""
    _hear(signal.SIG_IGN)


def _hear(handler: signal._HANDLER) -> None:
    """Take the signals that tell a process to end, but for those that its parent has it ignore."""
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _leave(number: int, _frame: FrameType | None) -> None:
    deafen()  # who is told twice says it once
    os.write(2, f"{TOLD_JA if _in_japanese() else TOLD}\n".encode())
    os._exit(SHIFT + number)


def _in_japanese() -> bool:
    """Return whether the command line or else the locale asks for Japanese; `localization` is not imported yet."""
    asked_for = " ".join(sys.argv).replace("--lang=", "--lang ").casefold().split("--lang ")[1:]
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return (asked_for[-1] if asked_for else locale).startswith("ja")


def _stop(number: int, _frame: FrameType | None) -> None:
    global _heard
    _asked.append(number)
    if (now := time.monotonic()) - _heard >= PATIENCE:
        _heard = now
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

    global _heard
    _heard = -PATIENCE
    again = threading.Timer(SOON, _thread.interrupt_main, _asked[:1])
    again.daemon = True
    again.start()
