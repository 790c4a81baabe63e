"""Tests for the example of docs/scaling.md, which prints kits on a Dask cluster, even if workers are killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pypdfium2
import pytest

from tests.cli.run import SPAWN_TIMEOUT_S, muster
from tests.prove.parts import executor

pytest.importorskip("distributed")
EXAMPLE = Path(__file__).parents[1] / "docs" / "make_kits.py"
KITS = 4


def command(folder: Path, address: str) -> list[str]:
    """Return the command that prints the kits of the table in a folder on a cluster."""
    return [
        sys.executable,
        str(EXAMPLE),
        str(folder / "many" / "scenarios.csv"),
        "battling",
        str(folder / "kits"),
        address,
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a table of drawn scenarios."""
    drawn = muster("draw", "battling", "--count", str(KITS), "--seed", "K7Q2M-9FHN5", "-o", tmp_path / "many")
    assert drawn.code == 0, drawn.err
    return tmp_path


def complete(folder: Path) -> list[Path]:
    """Return the kits that are complete."""
    return sorted(file.parent for file in folder.glob("kits/*/manifest.json"))


def test_the_example_prints_all_kits_even_if_a_worker_is_killed_and_repeats_none(folder: Path) -> None:
    with executor.local_cluster() as cluster:
        run = command(folder, cluster.scheduler_address)
        first = subprocess.Popen(run, stdout=subprocess.PIPE, encoding="utf-8")
        until = time.monotonic() + SPAWN_TIMEOUT_S
        while not complete(folder) and time.monotonic() < until:
            time.sleep(0.1)
        os.kill(executor.likely_busy(cluster), signal.SIGKILL)
        out, _ = first.communicate(timeout=SPAWN_TIMEOUT_S)
        assert first.returncode == 0 and out.startswith(f"kits printed: {KITS} in ")
        kits = complete(folder)
        assert len(kits) == KITS
        assert all(len(pypdfium2.PdfDocument(kit / "kit.pdf")) for kit in kits)
        # Only the missing kit is printed again.
        (kits[1] / "manifest.json").unlink()
        before = (kits[0] / "kit.pdf").stat().st_mtime_ns
        again = subprocess.run(run, capture_output=True, encoding="utf-8", timeout=SPAWN_TIMEOUT_S)
        assert again.returncode == 0 and again.stdout.startswith("kits printed: 1 in ")
        assert (kits[0] / "kit.pdf").stat().st_mtime_ns == before
        assert complete(folder) == kits
    # All bytes are those that a single process writes.
    assert muster("kit", "battling", "--seed", kits[0].name, "-o", folder / "alone").code == 0
    assert (folder / "alone" / "kit.pdf").read_bytes() == (kits[0] / "kit.pdf").read_bytes()
