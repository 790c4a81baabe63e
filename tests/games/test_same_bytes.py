"""Tests that a code gives the same bytes for every game, in both inks, with any hash seed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from generator import games

DIGESTS = """
import hashlib, json
from generator import games
from generator.seeds import parse_code
from generator.model.scenario import Request
from generator.press.book import print_kit
from generator.press.check.ink import InkMeter
from generator.press.layout.print_settings import PrintSettings
from generator.press.check.preflight import preflight
from generator.rules import check

found = {}
for name in games.names():
    game = games.load(name)
    scenario = game.draw(Request(parse_code("K7Q2M-9FHN5"), {}, {}))
    kit = game.kit(scenario, check(game.rules, scenario), "K7Q2M-9FHN5", "muster kit")
    found[f"{name} scenario"] = game.write(scenario)
    for ink, sheets in (("full", kit), ("saver", kit.only(["cover", "map"]))):
        pdf = print_kit(sheets, PrintSettings("en", ink=ink))
        found[f"{name} {ink}"] = hashlib.sha256(pdf).hexdigest()
    ink_meter = InkMeter()
    assert not preflight(pdf, None, None, ink_meter=ink_meter)
    found[f"{name} coverage"] = ink_meter.inks
print(json.dumps(found))
"""


def test_the_bytes_of_every_game_in_both_inks() -> None:
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", DIGESTS],
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone},
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    ]
    first, second = (json.loads(run.communicate(timeout=120)[0]) for run in runs)
    assert first == second
    assert len(first) == 4 * len(games.names())
