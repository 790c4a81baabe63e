"""What test_workers.py has done by others: a process that begins to work reads this and no more than it needs."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from generator.errors import NothingLegalError, Problem
from generator.localization import tr


def squared(number: int) -> int:
    return number * number


def refusing(number: int) -> int:
    if number == 3:
        raise NothingLegalError(
            Problem(
                tr("--cluster {typed}: not the address of a scheduler", typed=number), hint=tr("it has no workers")
            )
        )
    return number


def fatal(number: int) -> int:
    if number == 2:
        os._exit(9)
    return number


def cut_short(of: tuple[str, int]) -> bytes:
    """Dies once, in the middle of telling its result."""
    flag, number = Path(of[0]), of[1]
    if number == 1 and not flag.exists():
        flag.touch()
        threading.Timer(0.1, os._exit, (9,)).start()
        return bytes(1 << 28)
    return bytes([number])


def where(_: int) -> int:
    return os.getpid()


def lingered(number: int) -> tuple[int, int]:
    """The number, and which process took a quarter of a second over it."""
    time.sleep(0.25)
    return number, os.getpid()


def ended_once(spared: int, flag: str) -> bytes:
    """Ends the first worker that comes to it, and never the process that is spared."""
    if os.getpid() == spared:
        time.sleep(0.25)
    elif not Path(flag).exists():
        Path(flag).touch()
        os._exit(9)
    return b"done"


def wrong(number: int) -> int:
    raise ValueError("of ours")


def cut_within(of: tuple[str, int]) -> int:
    """Dies once when half of its result is sent."""
    flag, number = Path(of[0]), of[1]
    if number == 1 and not flag.exists():
        flag.touch()
        from multiprocessing.connection import Connection

        def half(self: Connection, message: bytes) -> None:
            os.write(self.fileno(), bytes(message)[: len(message) // 2])
            os._exit(9)

        Connection._send = half  # type: ignore[attr-defined]
    return number
