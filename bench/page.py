"""A map page beside the nearest public tool, protograf, which lives in an environment of its own."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from bench.battle import map_page
from bench.clock import alternate, calling
from bench.figure import Figure
from generator.model.picture import Text
from generator.model.views import MapView
from generator.press.canvas import alone
from generator.press.maps import draw_map

ROOT = Path(__file__).parents[1]
PYTHON = ROOT / ".bench" / "venv" / "bin" / "python"
WIDTH, HEIGHT = 262.0, 170.0
"""Room for the map on a landscape A4 page, in mm."""


def figure(rounds: int) -> Figure:
    """Both draw the same hexes with as many labels and tokens, into a PDF; both are warm."""
    view = map_page()
    picture = draw_map(view, "en", "full", WIDTH, HEIGHT)
    labels = sum(isinstance(item, Text) for item in picture.items)
    asked = plan(view)
    assert labels == len(view.grid.cells) + sum(len(asked[key]) for key in ("letters", "tokens", "edges"))
    with (
        tempfile.TemporaryFile("w+") as told,
        subprocess.Popen(
            [str(PYTHON), str(Path(__file__).parent / "protograf_map.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=told,
            text=True,
        ) as other,
    ):
        assert other.stdin and other.stdout
        tell, answers = other.stdin, other.stdout

        def protograf() -> float:
            tell.write("draw\n")
            tell.flush()
            if answer := answers.readline():
                return float(answer)
            told.seek(0)
            raise RuntimeError(f"protograf gave up: {told.read()}")

        tell.write(json.dumps(asked) + "\n")
        ours, theirs = alternate(
            rounds, calling(lambda: alone(draw_map(view, "en", "full", WIDTH, HEIGHT), "en")), protograf
        )
        tell.close()
    what = f"a map page: {len(view.grid.cells)} hexes, {labels} labels, {len(view.tokens)} tokens"
    return Figure(what, ours, "protograf, the same map", theirs, "times as fast", 40)


def plan(view: MapView) -> dict[str, list[object]]:
    """What protograf is to draw: row lengths, letters of the ground and labels of tokens by hex name, edges."""
    name = view.grid.name
    plain = Counter(view.ground.values()).most_common(1)[0][0]
    assert view.edges
    return {
        "rows": list(view.grid.rows),
        "letters": [(name(c), look[0].upper()) for c, look in view.ground.items() if look != plain],
        "tokens": [(name(c), token.label) for c, token in view.tokens],
        "edges": [words.en for words in view.edges],
    }
