"""Set up a process that belongs to Muster alone: the command, its workers, the sandbox."""

from __future__ import annotations

import gc
import os
import sys

# Importing this module changes nothing, since another program may have imported our package.

_COLLECT_AFTER = 50_000, 5, 20
"""Thresholds of the collector during long work; with Python's own ones our processes are 10 % slower."""
_MIN_NEW_OBJECTS = 20_000
"""Number of new objects (some megabytes) that justify a collection while the process is idle."""

_owned = False
"""Whether this process belongs to Muster alone."""


def take_over() -> None:
    """Set up this process for Muster alone, before anything large is imported.

    Without the collector a kit is printed 5 to 11 % faster: the process ends before garbage matters.
    """
    global _owned
    _owned = True
    gc.disable()
    _shut_out_reportlab_settings()


def collect_rarely() -> None:
    """Enable infrequent garbage collection for long work; objects that exist already are left alone."""
    if _owned:
        gc.freeze()
        gc.set_threshold(*_COLLECT_AFTER)
        gc.enable()


def needs_collection() -> bool:
    """Return whether enough new objects exist since the last collection to justify another."""
    young, rounds, _ = gc.get_count()
    return bool(rounds) or young > _MIN_NEW_OBJECTS


def collect_now() -> None:
    """Collect all garbage between two commands; the remaining objects are left alone until the next call."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def _shut_out_reportlab_settings() -> None:
    """Keep ReportLab from executing and obeying settings that it finds in folders and in the environment.

    At its first import it executes `reportlab_mods.py` and `reportlab_settings.py` from the import path,
    `~/.reportlab_mods` and `~/.reportlab_settings`, and obeys variables whose names start with RL_. It looks into the
    home folder only if it finds no such module, so that an empty module of each name prevents both.
    """
    module = type(sys)
    for name in ("reportlab_mods", "reportlab_settings"):
        sys.modules.setdefault(name, module(name))  # only in a process of our own, see above
    for name in [name for name in os.environ if name.startswith("RL_")]:
        del os.environ[name]
