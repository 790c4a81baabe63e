"""Pages of every game's default kit: how much of their type is small, and how much of them is empty at the foot."""

from __future__ import annotations

import ctypes
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
from generator.press.book import print_kit
from generator.press.edition import Edition
from generator.press.paper import paper_named
from generator.press.preflight import _drawn as drawn
from generator.press.preflight import _type_size as type_size
from generator.press.templates import words
from generator.press.text import FLOOR, floor
from generator.rules import check
from generator.seeds import code_for
from tests.prove.figure import SEED, Figure, spread

CODES = 5
SMALL = 8.5
"""Type smaller than this is small, in points."""
BAND = 0.3
"""A larger share of the text frame is a blank band."""
DPI = 36


class Case(NamedTuple):
    """A default kit and its language."""

    game: str
    number: int
    lang: Lang


class Page(NamedTuple):
    """What was counted on a page."""

    case: Case
    name: str
    letters: int
    small: int
    """Letters of words in type below SMALL."""
    below: int
    """Letters below their floor."""
    band: float
    """The blank band at the foot, as a share of the text frame."""
    reference: bool
    """Whether it is the game's reference."""


def prove() -> Iterator[Figure]:
    """Default kits of every game, in both languages."""
    cases = [Case(*kind) for kind in product(games.names(), range(CODES), LANGS)]
    pages = [page for found in spread(measured, cases, "kits") for page in found]
    yield from figures(pages)


def figures(pages: list[Page]) -> Iterator[Figure]:
    """What the pages show: of the floors, which must be kept, and of each game as it stands."""
    below = [page for page in pages if page.below]
    yield Figure(
        "letters below their floor, words 7 pt and coordinates 5 pt",
        f"{sum(page.below for page in pages)} on {len(pages)} pages",
        "none",
        bool(pages) and not below,
        tuple(f"{page.case.game} {page.case.lang} {page.name}" for page in below),
    )
    for game, lang in dict.fromkeys((page.case.game, page.case.lang) for page in pages):
        of = [page for page in pages if (page.case.game, page.case.lang) == (game, lang)]
        looked_up = _share([page for page in of if page.reference])
        bare = [page for page in of if page.band > BAND]
        kits = len({page.case for page in of})
        told = (
            f"{len(of) / kits:.1f} pages; {_share(of)} of letters below {SMALL:g} pt, {looked_up} on the reference; "
            f"{len(bare)} of {len(of)} pages with more than {100 * BAND:g} % blank at the foot{_worst(bare)}"
        )
        yield Figure(f"{game}, {lang}", told, "told", True)


def _share(pages: list[Page]) -> str:
    return f"{100 * sum(page.small for page in pages) / max(1, sum(page.letters for page in pages)):.0f} %"


def _worst(pages: Iterable[Page]) -> str:
    """The barest page of each name, from the barest."""
    bands: dict[str, float] = {}
    for page in pages:
        bands[page.name] = max(page.band, bands.get(page.name, 0.0))
    told = ", ".join(f"{name} {100 * band:.0f} %" for name, band in sorted(bands.items(), key=lambda b: -b[1]))
    return f" ({told})" if told else ""


def measured(case: Case) -> list[Page]:
    """The pages of a kit, each by its label."""
    game, code = games.load(case.game), code_for(SEED + case.number)
    scenario = game.draw(Request(code, {}, {}))
    kit = game.kit(scenario, check(game.rules, scenario), code, f"muster kit {case.game} --seed {code}")
    sheets = {sheet.part for sheet in kit.sheets if isinstance(sheet, Sheet)}
    document = pypdfium2.PdfDocument(print_kit(kit.only(sheets), Edition(case.lang)))
    try:
        reference = words("", case.lang)["part"]["reference"]
        labels = [document.get_page_label(n) for n in range(len(document))]
        return [
            Page(case, label, *letters(page), band(page), label.startswith(reference))
            for label, page in zip(labels, document, strict=True)
        ]
    finally:
        document.close()


def letters(page: pypdfium2.PdfPage) -> tuple[int, int, int]:
    """The letters of a page, those that are small, and those below their floor; labels in drawings apart."""
    text = page.get_textpage()
    count = small = below = 0
    for item, kind, placed, _ in drawn(page.raw):
        if kind != pdfium.FPDF_PAGEOBJ_TEXT:
            continue
        size, said = type_size(item, placed), written(item, text.raw)
        here = sum(c.isalpha() for c in said)
        below += here * (size < floor(said) - 0.01)
        if floor(said) == FLOOR or size >= FLOOR - 0.01:
            count += here
            small += here * (size < SMALL - 0.01)
    return count, small, below


def written(item: Any, text: Any) -> str:
    """What a text says, whole."""
    length = pdfium.FPDFTextObj_GetText(item, text, None, 0)
    buffer = (ctypes.c_ushort * (length // 2 + 1))()
    pdfium.FPDFTextObj_GetText(item, text, buffer, length)
    return bytes(buffer)[:length].decode("utf-16-le", "replace").strip("\0\r\n ")


def band(page: pypdfium2.PdfPage) -> float:
    """The share of the text frame that is blank at its foot."""
    wide, high = page.get_size()
    paper, landscape, scale = paper_named("a4"), wide > high, DPI / 72
    (left, top), (width, depth) = paper.corner(landscape), paper.column(landscape)
    picture = page.render(scale=scale).to_pil().convert("L")
    frame = [scale * side for side in (left, high - top, left + width, high - top + depth)]
    # A dot in from the edges, where the lines of head and foot are.
    inked = ImageOps.invert(picture.crop([round(frame[0]), ceil(frame[1]), round(frame[2]), int(frame[3]) - 1]))
    box = inked.point(lambda dark: 255 * (dark > 12)).getbbox()
    return 1 - box[3] / inked.height if box else 1.0
