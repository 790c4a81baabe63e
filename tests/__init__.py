"""Tests of Muster. They run in parallel, so each command uses one process unless a test sets another number."""

import os
import signal

os.environ.setdefault("MUSTER_JOBS", "1")


def hear_ctrl_c() -> None:
    """Restore the default handling of Ctrl-C, which a shell disables for background processes and their children."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
