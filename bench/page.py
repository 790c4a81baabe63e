"""Compare the time for map pages with that of protograf, the most similar public tool."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import count, islice, repeat

from msgspec.structs import replace

from bench.battle import full_map, plain_map
from bench.beside import drawing
from bench.clock import Runner, alternate, cpu
from bench.figure import Figure
from generator.grid.hexes import HexField
from generator.model.picture import Text
from generator.model.views import MapView
from generator.press.figures.maps import draw_map
from generator.press.layout.paper import find_paper
from generator.press.pdf import fonts
from generator.press.pdf.canvas import Canvas

WIDTH, HEIGHT = 262.0, 170.0
"""Width and height available for the map on a landscape A4 page, in mm."""
MORE = 30
"""Number of pages that a long document has after its first page."""
FASTER = 100.0
"""Target: Muster makes an additional map page at least this many times as fast as protograf."""


def figures(rounds: int) -> Iterator[Figure]:
    """Yield the figures for an additional page in an open document and for a document of one page.

    Fonts and caches are loaded before the measurement.
    """
    plain, full = plain_map(), full_map()
    fonts.register("en")
    with drawing("protograf_map.py", plan(plain)) as ask:

        def protograf(pages: int) -> Runner:
            return lambda: ask(pages)

        def ours(view: MapView, pages: int) -> Runner:
            return lambda: document(repeat(view), pages)

        page, moved_page, full_page, their_page, one, their_one = alternate(
            rounds,
            further(ours(plain, 1), ours(plain, 1 + MORE)),
            further(ours(plain, 1), lambda: document(marched(plain), 1 + MORE)),
            further(ours(full, 1), ours(full, 1 + MORE)),
            further(protograf(1), protograf(1 + MORE)),
            ours(plain, 1),
            protograf(1),
        )
    cells, tokens = len(plain.grid.cells), len(plain.tokens)
    what = f"a plain map page, one more: {cells} hexes, {labels(plain)} labels, {tokens} tokens"
    same = "protograf, the same map"
    yield Figure(what, page, same, their_page, "times as fast", FASTER)
    yield Figure("the same with moved units", moved_page, same, their_page, "times as fast")
    yield Figure("a PDF of this page alone", one, same, their_one, "times as fast")
    what = f"the kit's map page, one more: terrain, {labels(full)} labels"
    yield Figure(what, full_page, "protograf, the plain map", their_page, "times as fast", FASTER)


def further(short: Runner, long: Runner) -> Runner:
    """Return a runner for one additional page, computed from the times of a long and a short document."""
    return lambda: (long() - short()) / MORE


def marched(view: MapView) -> Iterator[MapView]:
    """Yield the view repeatedly, each time with every token moved by one cell."""
    cells, tokens = view.grid.cells, view.tokens
    for step in count():
        places = [cells[(cells.index(cell) + step) % len(cells)] for cell, _ in tokens]
        yield replace(view, tokens=tuple((cell, token) for cell, (_, token) in zip(places, tokens, strict=True)))


def document(views: Iterator[MapView], pages: int) -> float:
    """Return the seconds needed to make a PDF on disk with the given number of pages and embedded fonts."""
    with tempfile.TemporaryFile() as target:
        start = cpu()
        canvas = Canvas(find_paper("a4").size(True), "en")
        for view in islice(views, pages):
            canvas.draw(draw_map(view, "en", "full", WIDTH, HEIGHT), 15, 15)
            canvas.show_page()
            canvas.file.write_page()
        target.writelines(canvas.finish().blocks())
        return cpu() - start


def labels(view: MapView) -> int:
    """Return the number of texts on a map."""
    return sum(isinstance(item, Text) for item in draw_map(view, "en", "full", WIDTH, HEIGHT).items)


def plan(view: MapView) -> dict[str, list[object]]:
    """Return the map for protograf: the lengths of its rows, and for each token the name of its hex and its label."""
    assert labels(view) == len(view.grid.cells) + len(view.tokens)
    assert isinstance(view.grid, HexField)
    return {
        "rows": list(view.grid.rows),
        "tokens": [(view.grid.name(cell), token.label) for cell, token in view.tokens],
    }
