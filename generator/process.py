"""Set up processes that run only Muster: the command, its workers and the sandbox."""

from __future__ import annotations

import gc
import os
import sys

# Importing this module must change nothing, because another program may import the package.

_COLLECT_AFTER = 50_000, 5, 20
"""The collector's thresholds for long work. Python's default thresholds make Muster 10 % slower."""
_MIN_NEW_OBJECTS = 20_000
"""The number of new objects (a few megabytes) that justify a collection while the process is idle."""

_owned = False
"""Whether this process runs only Muster."""


def take_over() -> None:
    """Set up this process for Muster alone, before any large import.

    Disabling garbage collection makes printing a kit 5 to 11 % faster. The process ends before garbage
    accumulates.
    """
    global _owned
    _owned = True
    gc.disable()
    _shut_out_reportlab_settings()


def collect_rarely() -> None:
    """Enable infrequent garbage collection for long work. Objects that already exist are excluded.

    Later calls do nothing, because objects that became garbage since the first one would be excluded for good.
    """
    if _owned and not gc.isenabled():
        gc.freeze()
        gc.set_threshold(*_COLLECT_AFTER)
        gc.enable()


def needs_collection() -> bool:
    """Return whether enough objects were created since the last collection to justify another one."""
    young, rounds, _ = gc.get_count()
    return bool(rounds) or young > _MIN_NEW_OBJECTS


def collect_now() -> None:
    """Collect all garbage between two commands.

    The remaining objects are excluded from collection until the next call.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def _shut_out_reportlab_settings() -> None:
    """Prevent ReportLab from executing and using settings from folders and from the environment.

    When it is first imported, ReportLab executes `reportlab_mods.py` and `reportlab_settings.py` from the import
    path and `~/.reportlab_mods` and `~/.reportlab_settings`, and it reads variables whose names start with RL_. It
    reads the files in the home folder only if there is no module of that name. Empty modules with these names
    therefore prevent all four.
    """
    module = type(sys)
    for name in ("reportlab_mods", "reportlab_settings"):
        sys.modules.setdefault(name, module(name))  # Changes only processes that run Muster alone; see `take_over`.
    for name in [name for name in os.environ if name.startswith("RL_")]:
        del os.environ[name]
