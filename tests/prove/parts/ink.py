"""The stated ink of pages agrees with their pictures, and pages with small maps need little of it to save ink."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from operator import add
from typing import NamedTuple

import pypdfium2
from PIL import Image

from generator import games
from generator.model.scenario import Request
from generator.model.views import Kit
from generator.model.words import LANGS, Lang
from generator.press.book import print_kit
from generator.press.check.ink import Ink, InkMeter
from generator.press.check.preflight import preflight
from generator.press.layout.paper import papers
from generator.press.layout.print_settings import PrintSettings
from generator.rules import check
from generator.seeds import code_for
from generator.symbols.theme import INKS
from tests.prove.figure import SEED, Figure, spread

MAX_DEVIATION = 0.03
"""Maximum relative deviation of a manifest's value from the value in a picture with `DPI` dots per inch."""
SMALL_MAPS = ("setup", "fire", "sight", "odds", "intercept")
MAX_SAVER = 0.075
"""The parts with small maps, and the maximum dark ink of their pages in an ink-saving print. A page of fields of fire
that fills hexes seen by no archer with grey needs 0.10.
"""
DPI, FINER = 600, 1200
CODES = 4
CHANNELS = "BGR"
"""The channels of a rendering, in the order of its bytes."""
STRIP = 256
"""Rows of a rendering that are counted at once. A copy of a whole A3 page would take longer than its rendering."""
EVERY = 16
"""One kit in EVERY is also rendered at a finer resolution."""


class Case(NamedTuple):
    """A kit, given as game, number of its code, and print options."""

    game: str
    number: int
    lang: Lang
    ink: str
    paper: str
    dpi: int = DPI


class Departure(NamedTuple):
    """The relative excess of a page's stated ink over its rendering, and of a coarse rendering over a fine one."""

    page: str
    deviation: float
    """Largest relative deviation among the four inks."""
    finer: float
    """Excess of the coarser rendering over the finer one, or 0 if there is no finer rendering."""


def prove() -> Iterator[Figure]:
    """Print kits of every game, in both languages and inks, on all papers."""
    kinds = list(product(games.names(), range(CODES), LANGS, INKS, papers()))
    whole = [Case(*kind) for kind in kinds]
    finer = [case._replace(dpi=FINER) for case in whole[::EVERY]]
    yield from figures([page for found in spread(departures, [*whole, *finer], "kits") for page in found])
    savers = [Case(game, number, "en", "saver", "a4") for game in games.names() for number in range(CODES)]
    yield saver_figure([page for found in spread(small_maps, savers, "small maps") for page in found])


def figures(pages: list[Departure]) -> Iterator[Figure]:
    """Yield the figures of the pages."""
    faults = [f"{page}: {100 * maximum:+.1f} %" for page, maximum, _ in pages if abs(maximum) > MAX_DEVIATION]
    minimum, maximum = min(page.deviation for page in pages), max(page.deviation for page in pages)
    mean = sum(page.deviation for page in pages) / len(pages)
    text = (
        f"{100 * minimum:+.1f} % to {100 * maximum:+.1f} %, {100 * mean:+.1f} % on average, on {len(pages):,} pages"
    )
    wanted = f"within {100 * MAX_DEVIATION:g} % of the picture with {DPI} dots per inch"
    yield Figure("ink values in manifests", text, wanted, not faults, tuple(faults))
    if finer := [abs(page.finer) for page in pages if page.finer]:
        text = f"{100 * max(finer):.2f} % at most, on {len(finer):,} pages"
        yield Figure(f"{DPI} dots per inch compared with {FINER}", text, "within 0.5 %", max(finer) <= 0.005)


def departures(case: Case, step: int = 1) -> list[Departure]:
    """Compare stated and rendered ink for each page of a kit, or for one page in `step`."""
    pdf = printed(case)
    measuring = InkMeter()
    preflight(pdf, case.paper, case.lang, ink_meter=measuring)
    document = pypdfium2.PdfDocument(pdf)
    try:
        found = []
        for number, (page, stated) in enumerate(zip(document, measuring.inks, strict=True), 1):
            if number % step != 1 % step:
                continue
            seen = pictured(page, case.dpi)
            off = [stated[name] / seen[name] - 1 for name in seen]
            finer = pictured(page, DPI)["dark"] / seen["dark"] - 1 if case.dpi != DPI else 0.0
            where = f"{case.game} {case.number} {case.lang} {case.ink} {case.paper}, page {number}"
            found.append(Departure(where, max(off, key=abs), finer))
        return found
    finally:
        document.close()


class PageInk(NamedTuple):
    """A page and its stated dark ink."""

    page: str
    dark: float


def small_maps(case: Case) -> list[PageInk]:
    """Return the ink of all pages of a kit that contain small maps."""
    kit = _kit(case)
    found = []
    for part in SMALL_MAPS:
        if part in kit.parts:
            measuring = InkMeter()
            pdf = print_kit(kit.only((part,)), PrintSettings(case.lang, case.paper, case.ink))
            preflight(pdf, case.paper, case.lang, ink_meter=measuring)
            found += [PageInk(f"{case.game} {case.number} {part}", ink["dark"]) for ink in measuring.inks]
    return found


def saver_figure(pages: list[PageInk]) -> Figure:
    """Return the figure of the pages with small maps in an ink-saving print."""
    faults = tuple(f"{of.page}: {100 * of.dark:.1f} %" for of in pages if of.dark > MAX_SAVER)
    found = f"{100 * max(of.dark for of in pages):.1f} % at most, on {len(pages):,} pages"
    return Figure(
        "dark ink of small maps in an ink-saving print", found, f"≤ {100 * MAX_SAVER:g} %", not faults, faults
    )


def printed(case: Case) -> bytes:
    """Return the PDF of the kit."""
    return print_kit(_kit(case), PrintSettings(case.lang, case.paper, case.ink))


def _kit(case: Case) -> Kit:
    game, code = games.load(case.game), code_for(SEED + case.number)
    scenario = game.draw(Request(code, {}, {}))
    return game.kit(scenario, check(game.rules, scenario), code, f"muster kit {case.game} --seed {code}")


def pictured(page: pypdfium2.PdfPage, dpi: int) -> Ink:
    """Return the ink of a page as a viewer renders it, counted by pixel."""
    scale = dpi / 72
    wide, high = (side * scale for side in page.get_size())
    pixels = page.render(scale=scale).to_numpy()
    counts = [0] * (len(CHANNELS) << 8)
    for row in range(0, len(pixels), STRIP):
        counts = list(map(add, counts, Image.fromarray(pixels[row : row + STRIP]).histogram()))
    # The last pixels of the image may extend beyond the page, where they are white.
    full = 255 * wide * high
    by_level = [counts[256 * CHANNELS.index(channel) :][:256] for channel in "RGB"]
    shares = [sum((255 - level) * n for level, n in enumerate(of)) / full for of in by_level]
    dark = 0.299 * shares[0] + 0.587 * shares[1] + 0.114 * shares[2]
    return dict(zip(("dark", "cyan", "magenta", "yellow"), (dark, *shares), strict=True))
