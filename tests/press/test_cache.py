"""A cache that cannot be used costs time, never the print."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = "from generator.press import fonts; fonts.register('en'); print(fonts.width('Muster', 10) > 0)"


@pytest.mark.parametrize("state", ["damaged", "no folder"])
def test_a_useless_cache(tmp_path: Path, state: str) -> None:
    cache = tmp_path / "cache"
    environment = os.environ | {"MUSTER_CACHE": str(cache)}
    if state == "damaged":
        subprocess.run([sys.executable, "-c", SCRIPT], env=environment, check=True)
        for font in cache.rglob("*.type"):
            font.write_bytes(font.read_bytes()[:1000])
    else:
        cache.write_text("a file where the folder should be")
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == "True", done.stderr
