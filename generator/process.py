"""Set up a process that belongs to Muster alone: the command, its workers, the sandbox."""

from __future__ import annotations

import gc
import os
import sys

# Nothing here happens when another program imports our package: its process is left as it is.

_COLLECT_AFTER = 50_000, 5, 20
"""Thresholds of the collector during long work: with Python's own a process of ours is slower by a tenth."""
_MIN_NEW_OBJECTS = 20_000
"""New objects, some megabytes of them, that are worth a collection while nothing else is to be done."""

_owned = False
"""Whether this process belongs to Muster alone."""


def take_over() -> None:
    """Set this process up for Muster alone, before anything large is imported.

    Without the collector a kit is printed 5 to 11 % faster: the process ends before its garbage matters.
    """
    global _owned
    _owned = True
    gc.disable()
    _shut_out_reportlab_settings()


def collect_rarely() -> None:
    """Collect garbage from now on, but seldom, and leave alone what is there already: long work begins."""
    if _owned:
        gc.freeze()
        gc.set_threshold(*_COLLECT_AFTER)
        gc.enable()


def needs_collection() -> bool:
    """Return whether enough objects were made since the last collection to be worth another."""
    young, rounds, _ = gc.get_count()
    return bool(rounds) or young > _MIN_NEW_OBJECTS


def collect_now() -> None:
    """Collect all garbage between two commands, and leave the rest alone until the next time."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def _shut_out_reportlab_settings() -> None:
    """Keep ReportLab from running and obeying what it finds in folders and in the environment.

    At its first import it executes `reportlab_mods.py` and `reportlab_settings.py` from the import path,
    `~/.reportlab_mods` and `~/.reportlab_settings`, and obeys variables that begin with RL_. It looks into the home
    folder only if it finds no such module, so that an empty module of each name shuts out both.
    """
    module = type(sys)
    for name in ("reportlab_mods", "reportlab_settings"):
        sys.modules.setdefault(name, module(name))  # in a process of our own only, see above
    for name in [name for name in os.environ if name.startswith("RL_")]:
        del os.environ[name]
