"""Tasks that test_workers.py sends to worker processes. The module imports only what these tasks need."""

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
                tr("--cluster {typed}: this is not a valid address of a scheduler", typed=number),
                hint=tr("the cluster has no workers"),
            )
        )
    return number


def fatal(number: int) -> int:
    if number == 2:
        os._exit(9)
    return number


def killed_while_sending(of: tuple[str, int]) -> bytes:
    """Kill the process once, while it sends its result."""
    flag, number = Path(of[0]), of[1]
    if number == 1 and not flag.exists():
        flag.touch()
        threading.Timer(0.1, os._exit, (9,)).start()
        return bytes(1 << 28)
    return bytes([number])


def where(_: int) -> int:
    return os.getpid()


def slow_number(number: int) -> tuple[int, int]:
    """Sleep for 0.25 s, then return the number and the id of this process."""
    time.sleep(0.25)
    return number, os.getpid()


def killed_once(spared: int, flag: str) -> bytes:
    """Kill the first process that runs this task, unless it is the process `spared`."""
    if os.getpid() == spared:
        time.sleep(0.25)
    elif not Path(flag).exists():
        Path(flag).touch()
        os._exit(9)
    return b"done"


def wrong(number: int) -> int:
    raise ValueError("of ours")


def killed_half_sent(of: tuple[str, int]) -> int:
    """Kill the process once, after it has sent half of its result."""
    flag, number = Path(of[0]), of[1]
    if number == 1 and not flag.exists():
        flag.touch()
        from multiprocessing.connection import Connection

        def half(self: Connection, message: bytes) -> None:
            os.write(self.fileno(), bytes(message)[: len(message) // 2])
            os._exit(9)

        Connection._send = half  # type: ignore[attr-defined]
    return number
