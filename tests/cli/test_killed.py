"""`muster kit`, killed at any moment, leaves no partial file: each is the old one, the new one, or missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.cli.conftest import CODE
from tests.cli.run import contents, muster

MOMENTS = int(os.environ.get("MUSTER_KILLS", "20"))
"""MUSTER_KILLS=200 kills more often."""

KILLER = """
import os, random, signal, sys, time
from generator.cli import main

def run(folder, lang):
    try:
        main(["kit", "--seed", sys.argv[1], "--parts", "cover", "--lang", lang, "-o", folder])
    except SystemExit:
        pass

sys.stdout = open(os.devnull, "w")
start = time.perf_counter()
for _ in range(2):  # the second is as quick as those that are killed
    start = time.perf_counter()
    run("warm", "en")
whole = time.perf_counter() - start
chosen = random.Random(20261121)
for number in range(int(sys.argv[2])):
    folder = ("new", "old")[number % 2] + str(number)
    child = os.fork()
    if not child:
        run(folder, "en")
        os._exit(0)
    # Every other one while its files are being written, at the end.
    share = chosen.uniform(0, 1.1) if number % 4 < 2 else chosen.uniform(0.9, 1.1)
    time.sleep(share * whole)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
"""


def test_no_file_is_partial(here: Path) -> None:
    for name, lang in (("good", "en"), ("old", "ja")):
        assert muster("kit", "--seed", CODE, "--parts", "cover", "--lang", lang, "-o", name).code == 0
    new, old = contents(here / "good"), contents(here / "old")
    for number in range(1, MOMENTS, 2):
        (here / f"old{number}").mkdir()
        for name, content in old.items():
            (here / f"old{number}" / name).write_bytes(content)
    subprocess.run([sys.executable, "-c", KILLER, CODE, str(MOMENTS)], cwd=here, check=True, timeout=600)
    killed = 0
    for number in range(MOMENTS):
        folder = here / (("new", "old")[number % 2] + str(number))
        left = (
            {name: data for name, data in contents(folder).items() if not name.startswith(".")}
            if folder.is_dir()
            else {}
        )
        before = old if number % 2 else {}
        for name, data in left.items():
            assert data in (new[name], before.get(name)), f"{folder.name}/{name} is partial"
        assert set(before) <= set(left)
        if left.get("manifest.json") == new["manifest.json"]:
            # It is written last: whoever has it has all.
            assert left == new
        else:
            killed += 1
    assert killed, "no kill came before the end: the test has lost its point"
