"""Tests run in parallel, so that a command in a test uses one process unless the test sets another number."""

import os
import signal

os.environ.setdefault("MUSTER_JOBS", "1")


def hear_ctrl_c() -> None:
    """Handle Ctrl-C again, which a shell's background processes ignore, and the commands that they start too."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
