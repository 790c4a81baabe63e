"""Tests share the cores among themselves: what one of them runs has a process, unless it says otherwise."""

import os
import signal

os.environ.setdefault("MUSTER_JOBS", "1")


def hear_ctrl_c() -> None:
    """A shell has what it starts behind the scenes ignore Ctrl-C, and so would every command that is tried here."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
