"""Tests for how a process that runs only Muster collects garbage."""

from __future__ import annotations

import subprocess
import sys

LEAK = """
import gc
from generator import process

process.take_over()
process.collect_rarely()
frozen = gc.get_freeze_count()
for _ in range(20):
    rings = [[] for _ in range(1000)]
    for ring in rings:
        ring.append(ring)
    del ring, rings
    process.collect_rarely()
print(gc.get_freeze_count() - frozen, gc.collect() >= 20_000)
"""
"""A script that makes 20,000 objects of garbage between calls for long work."""


def test_garbage_between_two_long_works_is_collected() -> None:
    done = subprocess.run([sys.executable, "-c", LEAK], capture_output=True, encoding="utf-8")
    frozen, is_collected = done.stdout.split()
    assert int(frozen) <= 0 and is_collected == "True", done
