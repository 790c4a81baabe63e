"""In kits and booklets of every game and mode, pages, small type and blank space stay within limits."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from math import ceil
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image, ImageOps

from generator import games
from generator.model.scenario import Request
from generator.model.views import Sheet
from generator.model.words import LANGS, Lang
from generator.notation.words import words
from generator.press.book import print_kit
from generator.press.booklet import print_booklet
from generator.press.check.ink import fast_pdfium
from generator.press.check.page_objects import page_objects as drawn
from generator.press.check.page_objects import type_size as type_size
from generator.press.layout.paper import find_paper
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf.legible import FLOOR, floor
from generator.rules import check
from generator.seeds import code_for
from generator.symbols.theme import INKS
from generator.tournament.event import Event, Scenarios
from generator.tournament.pages import event_kit, index_kit, notices, organiser_kit, table_card, wall_list
from generator.tournament.pairings import Pairing, Round
from generator.tournament.slips import slips_kit
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
"""Fraction of the text frame above which blank space at the bottom counts as a blank band, in a default kit."""
MAX_BLANK = 0.4
"""Maximum fraction of the text frame that is a blank rectangle, in any print."""
EVENING, WHOLE, EVENT = "booklet", "other parts", "event pages"
"""Prints besides the default kit: a booklet on half a sheet, the sheets that are printed only on request, and the
sheets of a round of an event. Cards for players with a bye are excepted, because they are a few lines."""
PLAYERS = 7, 24
"""The numbers of players of an event with a wall list of few and of many rows."""
DPI = 36
COARSE = 2
"""Width in pixels of the cells in which a blank rectangle is measured."""


class Case(NamedTuple):
    """A kit of a game mode, with its print options."""

    game: str
    number: int
    lang: Lang
    mode: str = ""
    paper: str = "a4"
    ink: str = "full"
    print: str = ""
    """EVENING, WHOLE or EVENT, or empty for the default kit. `number` is the number of players of an event."""


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
    blank: float = 0.0
    """The largest blank rectangle, as a fraction of the text frame."""


def prove() -> Iterator[Figure]:
    """Measure kits of every game and mode, in both languages, on every paper and with every ink."""
    of = [(game, mode) for game in games.names() for mode in MODES[game]]
    prints = product(of, range(CODES), LANGS, ("a4", "letter"), INKS)
    cases = [Case(game, number, lang, mode, paper, ink) for (game, mode), number, lang, paper, ink in prints]
    cases += [
        case._replace(print=other)
        for case in cases
        for other in (EVENING, WHOLE)
        if other == WHOLE or not case.number
    ]
    pages = [page for found in spread(measured, cases, "kits") for page in found]
    rounds = product(games.names(), PLAYERS, LANGS, ("a4", "letter"))
    events = [Case(game, players, lang, "", paper, "full", EVENT) for game, players, lang, paper in rounds]
    pages += [page for found in spread(measured_round, events, "rounds") for page in found]
    yield from figures(pages)


def figures(pages: list[Page]) -> Iterator[Figure]:
    """Yield the figures of the pages: required minimum sizes, and the state of each game."""
    below = [page for page in pages if page.below]
    yield Figure(
        "letters below the minimum size (words 7 pt, coordinates 5 pt)",
        f"{sum(page.below for page in pages)} on {len(pages)} pages",
        "none",
        bool(pages) and not below,
        tuple(f"{page.case.game} {page.case.lang} {page.name}" for page in below),
    )
    for print_name in dict.fromkeys(page.case.print for page in pages):
        of = [page for page in pages if page.case.print == print_name]
        white = [page for page in of if max(page.band, page.blank) > MAX_BLANK]
        worst = max(of, key=lambda page: max(page.band, page.blank))
        yield Figure(
            f"blank space on a page, {print_name or 'default kits'}",
            f"at most {100 * max(worst.band, worst.blank):.0f} % ({worst.case.game} {worst.name}) on {len(of)} pages",
            f"≤ {100 * MAX_BLANK:g} % of the frame",
            not white,
            tuple(f"{page.name} {100 * max(page.band, page.blank):.0f} %: {page.case}" for page in white),
        )
    kits_only = [page for page in pages if not page.case.print]
    for game, mode in dict.fromkeys((page.case.game, page.case.mode) for page in kits_only):
        of = [page for page in kits_only if (page.case.game, page.case.mode) == (game, mode)]
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
    settings = PrintSettings(case.lang, case.paper, case.ink)
    usual = {sheet.part for sheet in kit.sheets if isinstance(sheet, Sheet)}
    if case.print == WHOLE:
        usual = {sheet.part for sheet in kit.whole.sheets if isinstance(sheet, Sheet)} - usual
        # Each part is printed on its own, so that no sheet fills the space that another one leaves.
        prints = [print_kit(kit.only((part,)), settings) for part in kit.parts if part in usual]
    elif case.print == EVENING:
        prints = [print_booklet(kit.only(usual), (), settings)]
    else:
        prints = [print_kit(kit.only(usual), settings)]
    reference = words("", case.lang)["part"]["reference"]
    found: list[Page] = []
    for pdf in prints:
        document = pypdfium2.PdfDocument(pdf)
        try:
            for number, page in enumerate(document):
                label = document.get_page_label(number)
                counts, is_reference = letters(page), label.startswith(reference)
                # The spread in the middle of a booklet is the side that is printed last.
                sides = FRAMES[1:] if case.print == EVENING and number < len(document) - 1 else FRAMES[:1]
                found += [
                    Page(
                        case,
                        label,
                        *counts,
                        band(page, case.paper, side),
                        is_reference,
                        blank(page, case.paper, side),
                    )
                    for side in sides
                ]
        finally:
            document.close()
    return found


def measured_round(case: Case) -> list[Page]:
    """Measure the sheets of an event's first round: for the wall, the organiser and the tables, and the index."""
    names = [f"Player {number}" for number in range(1, case.number + 1)]
    of = Event(games.load(case.game), Request(code_for(SEED), {}, {}), "Autumn tournament")
    pairs = tuple(Pairing(1 + i // 2, names[i], names[i + 1]) for i in range(0, case.number - 1, 2))
    round_ = Round(1, (*pairs, Pairing(0, names[-1], "")) if case.number % 2 else pairs)
    deal = Scenarios(of, (round_,)).deal(1)
    table = deal.kit_by_table[1]
    rows = [{"file": "round-1.pdf", "page": n, "what": name, "kit": table.stamp} for n, name in enumerate(names, 1)]
    kits = [
        event_kit(of, "", wall_list(of, round_), notices(of, 1)),
        event_kit(of, "", table_card(of, 1, pairs[0], table, ())),
        organiser_kit(of, round_, deal, {}),
        index_kit(of, [(1, rows)]),
        slips_kit(of, round_, deal),
    ]
    found: list[Page] = []
    for kit in kits:
        document = pypdfium2.PdfDocument(print_kit(kit, PrintSettings(case.lang, case.paper, case.ink), packed=False))
        for number, page in enumerate(document):
            shares = band(page, case.paper), blank(page, case.paper)
            found.append(Page(case, document.get_page_label(number), *letters(page), shares[0], False, shares[1]))
        document.close()
    return found


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


FRAMES = ("page", "left half", "right half")


def band(page: pypdfium2.PdfPage, sheet: str = "a4", side: str = FRAMES[0]) -> float:
    """Return the fraction of the text frame that is blank at the bottom."""
    inked = _inked(page, sheet, side)
    box = inked.getbbox()
    return 1 - box[3] / inked.height if box else 1.0


def blank(page: pypdfium2.PdfPage, sheet: str = "a4", side: str = FRAMES[0]) -> float:
    """Return the fraction of the text frame that the largest blank rectangle takes."""
    inked = _inked(page, sheet, side)
    coarse = inked.reduce(COARSE).point(lambda dark: 255 * (dark > 0))
    width, height = coarse.size
    dots = coarse.tobytes()
    largest, depths = 0, [0] * width
    for row in range(height):
        depths = [0 if dots[row * width + x] else depths[x] + 1 for x in range(width)]
        largest = max(largest, _largest_rectangle(depths))
    return largest / (width * height)


def _largest_rectangle(depths: list[int]) -> int:
    """Return the area of the largest rectangle under a histogram."""
    largest = 0
    open_bars: list[tuple[int, int]] = []
    for x, depth in enumerate([*depths, 0]):
        start = x
        while open_bars and open_bars[-1][1] >= depth:
            start, high = open_bars.pop()
            largest = max(largest, high * (x - start))
        open_bars.append((start, depth))
    return largest


def _inked(page: pypdfium2.PdfPage, sheet: str, side: str) -> Image.Image:
    """Return the text frame of a page, or of a half of a booklet's sheet, in which ink is white."""
    wide, high = page.get_size()
    paper, landscape, scale, shift = find_paper(sheet), wide > high, DPI / 72, 0.0
    if side != FRAMES[0]:
        paper, landscape, shift = find_paper(paper.half), False, wide / 2 if side == FRAMES[2] else 0.0
    (left, top), (width, depth) = paper.corner(landscape), paper.column(landscape)
    picture = page.render(scale=scale).to_pil().convert("L")
    frame = [scale * edge for edge in (shift + left, high - top, shift + left + width, high - top + depth)]
    # Crop by one pixel, because the lines of header and footer are on the edges.
    inked = ImageOps.invert(picture.crop((round(frame[0]), ceil(frame[1]), round(frame[2]), int(frame[3]) - 1)))
    return inked.point(lambda dark: 255 * (dark > 12))
