"""The studio beside the command: the picture after a choice, everything warm, and a cold `muster kit --parts map`."""

from __future__ import annotations

import json
import tempfile
import urllib.request
from itertools import product

from bench.battle import CODE
from bench.clock import alternate, process, wall
from bench.figure import Figure
from bench.startup import MUSTER
from tests.cli.run import studio

GAME = "call_to_arms"
CHOICES = tuple(product(("en", "ja"), ("full", "saver"), ("random", "strong"), "4567"))
"""Each is made once: what it answered already the studio remembers."""
WARM = 3
"""So many pictures are asked for beforehand by each of the studio's processes."""


def choice(rounds: int) -> Figure:
    """A wish is changed: what the page asks, from the click to the picture."""
    choices = iter(CHOICES)
    with studio() as told, tempfile.TemporaryDirectory() as folder:

        def picture() -> float:
            start = wall()
            lang, ink, place, banners = next(choices)
            wishes = f"--lang={lang}", f"--ink={ink}", f"--place={place}", f"--banners={banners}"
            words = ["kit", GAME, "--seed", CODE, *wishes, "--parts", "map", "--format", "svg"]
            body = json.dumps({"words": [*words, "-o", "kit"]}).encode()
            sent = urllib.request.Request(f"{told['address']}ask", body, {"Content-Type": "application/json"})
            with urllib.request.urlopen(sent, timeout=60) as answer:
                assert "<svg" in json.load(answer)["files"]["kit/map.svg"]
            return wall() - start

        for _ in range(2 * WARM):
            picture()
        cold = [MUSTER, "kit", GAME, "--seed", CODE, "--parts", "map", "-o", folder]
        ours, theirs = alternate(rounds, picture, process(cold, wall))
    return Figure(
        "the studio's picture after a choice", ours, "muster kit --parts map, cold", theirs, "times the time", 0.25
    )
