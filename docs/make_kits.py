"""Print many kits on a Dask cluster: python make_kits.py scenarios.csv GAME FOLDER ADDRESS (docs/scaling.md)."""

from __future__ import annotations

import contextlib
import csv
import io
import math
import os
import resource
import sys
import time
from concurrent.futures import CancelledError, as_completed
from functools import partial
from pathlib import Path
from typing import NamedTuple


class Kit(NamedTuple):
    """A printed kit: its code, Muster's exit code, processor seconds, bytes, and the worker with its memory in MB."""

    code: str
    exit_code: object
    cpu_s: float
    size: int
    worker: int
    memory_mb: int


def print_kit(game: str, folder: str, code: str) -> Kit:
    """Print the kit of a code into a folder of its own, in this process. A worker of the cluster runs this function.

    A worker prints many kits, so that fonts and templates are read only once.
    """
    from generator.cli import main

    target, begun, exit_code = Path(folder) / code, time.process_time(), None
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            main(["kit", game, "--seed", code, "-o", str(target)])
    except SystemExit as end:
        exit_code = end.code
    size = sum(file.stat().st_size for file in target.iterdir()) if target.is_dir() else 0
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return Kit(code, exit_code, time.process_time() - begun, size, os.getpid(), memory)


def codes_left(table: Path, folder: Path) -> list[str]:
    """Return the codes in the table of `muster draw --count` whose kits are not complete.

    The manifest is the last file of a kit that Muster writes.
    """
    with table.open(encoding="utf-8-sig", newline="") as file:
        codes = [row[0] for row in csv.reader(file)][1:]
    return [code for code in codes if not (folder / code / "manifest.json").is_file()]


def main(table: str, game: str, folder: str, address: str) -> int:
    """Print the kits that are missing, report what they cost, and return the exit code of the command."""
    from distributed import Client, KilledWorker

    codes, start, kits = codes_left(Path(table), Path(folder)), time.monotonic(), list[Kit]()
    client = Client(address)
    pool = client.get_executor(pure=False)
    work = partial(print_kit, game, str(Path(folder).absolute()))
    lost = ""
    try:
        for future in as_completed([pool.submit(work, code) for code in codes]):
            kits.append(future.result())
            if kits[-1].exit_code:
                sys.stderr.write(f"{kits[-1].code}: exit code {kits[-1].exit_code}\n")
    except CancelledError:
        lost = "the scheduler no longer answers"
    except KilledWorker:
        lost = "a kit ended several workers"
    cpu_s, size_mb = math.fsum(kit.cpu_s for kit in kits), sum(kit.size for kit in kits) / 1e6
    memory = {kit.worker: kit.memory_mb for kit in kits}
    sys.stdout.write(
        f"kits printed: {len(kits)} in {time.monotonic() - start:.0f} s\n"
        f"processor time: {cpu_s:.0f} s; size: {size_mb:.1f} MB\n"
        f"memory of the workers in MB: {', '.join(map(str, memory.values()))}\n"
    )
    if lost:
        sys.stderr.write(f"{lost}; run the same command again for the missing kits\n")
        sys.stdout.flush()
        os._exit(2)  # Without a scheduler, Dask would wait when Python ends.
    pool.shutdown()
    client.close()
    return int(any(kit.exit_code for kit in kits))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
