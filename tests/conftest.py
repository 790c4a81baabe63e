from __future__ import annotations

import gc
import signal

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """A shell has what it starts behind the scenes ignore Ctrl-C, and so would every command that is tried here."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish(session: pytest.Session) -> None:
    """What lives as long as the tests, fonts and tables, is not looked through for garbage over and over."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
