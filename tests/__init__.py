"""Tests share the cores among themselves: what one of them runs has a process, unless it says otherwise."""

import os

os.environ.setdefault("MUSTER_JOBS", "1")
