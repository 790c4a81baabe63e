"""Being told to end, and ending: foreign code may swallow the KeyboardInterrupt, or make another error of it."""

from __future__ import annotations

import signal
import sys
from types import FrameType, TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

SOON = 0.02
"""After so many seconds an interrupt that was swallowed comes again."""

_asked: list[int] = []


def asked() -> bool:
    """Whether this process was told to end."""
    return bool(_asked)


def listen() -> None:
    """Take the signals that tell a process of our own to end, but for those that its parent has it ignore."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)
    sys.excepthook = _uncaught
    sys.unraisablehook = _swallowed


def _stop(number: int, _frame: FrameType | None) -> None:
    _asked.append(number)
    raise KeyboardInterrupt


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Numpy prints here what interrupts its import, before it raises an error of its own."""
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)


def _swallowed(unraisable: UnraisableHookArgs) -> None:
    """Python cannot raise what interrupts a finalizer, such as those that close a PDF: it is raised once more."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
        return
    import _thread
    import threading

    again = threading.Timer(SOON, _thread.interrupt_main)
    again.daemon = True
    again.start()
