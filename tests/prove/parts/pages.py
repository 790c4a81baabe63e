"""In kits of every game and mode, the number of pages, the small type and the blank space stay within limits."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from math import ceil
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import ImageOps

from generator import games
from generator.model.scenario import Request
from generator.model.views import Sheet
from generator.model.words import LANGS, Lang
from generator.notation.words import words
from generator.press.book import print_kit
from generator.press.check.ink import fast_pdfium
from generator.press.check.page_objects import page_objects as drawn
from generator.press.check.page_objects import type_size as type_size
from generator.press.layout.paper import find_paper
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf.legible import FLOOR, floor
from generator.rules import check
from generator.seeds import code_for
from generator.symbols.theme import INKS
from tests.prove.figure import SEED, Figure, spread

CODES = 3
MODES: dict[str, dict[str, dict[str, str]]] = {
    "battlelore": {"medieval": {}, "lore": {"age": "lore"}},
    "call_to_arms": {
        "impromptu": {},
        "impromptu, lore": {"age": "lore"},
        "organized": {"mode": "organized"},
        "organized, lore": {"mode": "organized", "age": "lore"},
    },
    "travel_battle": {"any": {}},
    "blind_faith": {kind: {"kind": kind} for kind in ("march", "battle", "siege")},
    "battling": {"any": {}, "four a side": {"machines": "4", "points": "52"}, "a town": {"arena": "random"}},
}
"""The options for each mode of a game."""
MAX_PAGES: dict[str, dict[str, int]] = {
    "battlelore": {"medieval": 7, "lore": 7},
    "call_to_arms": {"impromptu": 8, "impromptu, lore": 8, "organized": 9, "organized, lore": 9},
}
"""Maximum number of pages of a default kit. USUAL applies to other modes."""
USUAL = 7
SMALL = 8.5
"""Font size in points below which type counts as small."""
BAND = 0.3
"""Fraction of the text frame above which blank space at the bottom counts as a blank band."""
DPI = 36


class Case(NamedTuple):
    """A kit of a game mode, with its print options."""

    game: str
    number: int
    lang: Lang
    mode: str = ""
    paper: str = "a4"
    ink: str = "full"


class Page(NamedTuple):
    """The counts for a page."""

    case: Case
    name: str
    letters: int
    small: int
    """Number of letters in words with a font size below SMALL."""
    below: int
    """Number of letters below their minimum size."""
    band: float
    """Blank band at the bottom, as a fraction of the text frame."""
    reference: bool
    """Whether the page is the game's reference."""


def prove() -> Iterator[Figure]:
    """Measure kits of every game and mode, in both languages, on every paper and with every ink."""
    of = [(game, mode) for game in games.names() for mode in MODES[game]]
    prints = product(of, range(CODES), LANGS, ("a4", "letter"), INKS)
    cases = [Case(game, number, lang, mode, paper, ink) for (game, mode), number, lang, paper, ink in prints]
    pages = [page for found in spread(measured, cases, "kits") for page in found]
    yield from figures(pages)


def figures(pages: list[Page]) -> Iterator[Figure]:
    """Yield the figures of the pages: required minimum sizes, and the state of each game."""
    below = [page for page in pages if page.below]
    yield Figure(
        "letters below their floor, words 7 pt and coordinates 5 pt",
        f"{sum(page.below for page in pages)} on {len(pages)} pages",
        "none",
        bool(pages) and not below,
        tuple(f"{page.case.game} {page.case.lang} {page.name}" for page in below),
    )
    for game, mode in dict.fromkeys((page.case.game, page.case.mode) for page in pages):
        of = [page for page in pages if (page.case.game, page.case.mode) == (game, mode)]
        maximum = MAX_PAGES.get(game, {}).get(mode, USUAL)
        long = {case: n for case, n in Counter(page.case for page in of).items() if n > maximum}
        plain = [page for page in of if page.band > BAND]
        kits, looked_up = len({page.case for page in of}), _share([page for page in of if page.reference])
        yield Figure(
            f"{game} ({mode}): pages of {kits} kits",
            f"{len(of) / kits:.1f}; {_share(of)} of letters below {SMALL:g} pt, {looked_up} on the reference; "
            f"{len(plain)} of {len(of)} with more than {100 * BAND:g} % blank at the foot{_worst(plain)}",
            f"≤ {maximum}, no blank foot",
            bool(of) and not long and not plain,
            tuple(f"{n} pages: {case}" for case, n in long.items()),
        )


def _share(pages: list[Page]) -> str:
    return f"{100 * sum(page.small for page in pages) / max(1, sum(page.letters for page in pages)):.0f} %"


def _worst(pages: Iterable[Page]) -> str:
    """Return a description of the emptiest page of each name, sorted by blank space."""
    bands: dict[str, float] = {}
    for page in pages:
        bands[page.name] = max(page.band, bands.get(page.name, 0.0))
    text = ", ".join(f"{name} {100 * band:.0f} %" for name, band in sorted(bands.items(), key=lambda b: -b[1]))
    return f" ({text})" if text else ""


def measured(case: Case) -> list[Page]:
    """Measure the pages of a kit, each with its label."""
    game, code = games.load(case.game), code_for(SEED + case.number)
    scenario = game.draw(Request(code, MODES[case.game].get(case.mode, {}), {}))
    kit = game.kit(scenario, check(game.rules, scenario), code, f"muster kit {case.game} --seed {code}")
    sheets = {sheet.part for sheet in kit.sheets if isinstance(sheet, Sheet)}
    document = pypdfium2.PdfDocument(print_kit(kit.only(sheets), PrintSettings(case.lang, case.paper, case.ink)))
    try:
        reference = words("", case.lang)["part"]["reference"]
        labels = [document.get_page_label(n) for n in range(len(document))]
        return [
            Page(case, label, *letters(page), band(page, case.paper), label.startswith(reference))
            for label, page in zip(labels, document, strict=True)
        ]
    finally:
        document.close()


def letters(page: pypdfium2.PdfPage) -> tuple[int, int, int]:
    """Return the number of letters, of small letters, and of letters below the minimum size.

    Labels in drawings are not counted.
    """
    text = page.get_textpage()
    count = small = below = 0
    for item, kind, placed, _ in drawn(page.raw):
        if kind != pdfium.FPDF_PAGEOBJ_TEXT:
            continue
        size, content = type_size(item, placed), written(item, text.raw)
        here = sum(c.isalpha() for c in content)
        below += here * (size < floor(content) - 0.01)
        if floor(content) == FLOOR or size >= FLOOR - 0.01:
            count += here
            small += here * (size < SMALL - 0.01)
    return count, small, below


def written(item: Any, text: Any) -> str:
    """Return the whole text of a text object."""
    length = fast_pdfium.FPDFTextObj_GetText(item, text, None, 0)
    buffer = (ctypes.c_ushort * (length // 2 + 1))()
    fast_pdfium.FPDFTextObj_GetText(item, text, buffer, length)
    return bytes(buffer)[:length].decode("utf-16-le", "replace").strip("\0\r\n ")


def band(page: pypdfium2.PdfPage, sheet: str = "a4") -> float:
    """Return the fraction of the text frame that is blank at the bottom."""
    wide, high = page.get_size()
    paper, landscape, scale = find_paper(sheet), wide > high, DPI / 72
    (left, top), (width, depth) = paper.corner(landscape), paper.column(landscape)
    picture = page.render(scale=scale).to_pil().convert("L")
    frame = [scale * side for side in (left, high - top, left + width, high - top + depth)]
    # Crop by one pixel, because the lines of header and footer are on the edges.
    inked = ImageOps.invert(picture.crop([round(frame[0]), ceil(frame[1]), round(frame[2]), int(frame[3]) - 1]))
    box = inked.point(lambda dark: 255 * (dark > 12)).getbbox()
    return 1 - box[3] / inked.height if box else 1.0
