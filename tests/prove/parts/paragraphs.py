"""No Japanese paragraph has a very short last line, a loose line, or a line with a forbidden first character."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise, product
from typing import Any, NamedTuple

from generator import games
from generator.model.scenario import Request
from generator.model.views import Kit, Sheet
from generator.press.layout.japanese import JapaneseLine, JapaneseParagraph, line_width
from generator.press.layout.paper import papers
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf import fonts
from generator.press.pdf.canvas import Canvas
from generator.press.sheets import Press
from generator.rules import check
from generator.seeds import code_for
from tests.prove.figure import SEED, Figure, counted, spread

CODES = 12
FULL = 0.85
SCRAP, SHORT = 2, 6
"""A last line of at most SCRAP letters is a fault if the paragraph has at least SHORT letters."""
HEADS = "、。，．・·：；！？）」』】ー々ゃゅょっぁぃぅぇぉャュョッァィゥェォ"
KINDS = {
    "scrap": "a last line of one or two letters, of at least six",
    "loose": "a line under 85 % before a word in katakana that could have been parted",
    "head": "a line that begins with what begins no line",
    "space": "a space behind what ends a sentence",
    "torn": "a heading broken inside a word",
    "wide": "a line wider than its column",
}


class Case(NamedTuple):
    """A default kit, given as game, number of its code, and paper."""

    game: str
    number: int
    paper: str = "a4"


class Found(NamedTuple):
    """The findings on a kit's paragraphs."""

    paragraphs: int
    """Number of paragraphs with more than one line."""
    faults: tuple[tuple[str, str], ...]
    """Kind and place of each fault."""


def prove() -> Iterator[Figure]:
    """Check default kits of every game, on all papers."""
    cases = [Case(*kind) for kind in product(games.names(), range(CODES), papers())]
    yield from figures(list(spread(judged, cases, "kits")))


def figures(found: Iterable[Found]) -> Iterator[Figure]:
    """Yield one figure for each kind of fault."""
    kits = list(found)
    paragraphs = sum(kit.paragraphs for kit in kits)
    for kind, claim in KINDS.items():
        yield counted(claim, paragraphs, (where for kit in kits for k, where in kit.faults if k == kind))


@lru_cache(maxsize=1)  # the papers of a kit follow one another
def drawn(name: str, number: int) -> Kit:
    """Return a kit of the game."""
    game, code = games.load(name), code_for(SEED + number)
    scenario = game.draw(Request(code, {}, {}))
    return game.kit(scenario, check(game.rules, scenario), code, "")


def judged(case: Case) -> Found:
    """Return the findings on the paragraphs of a kit."""
    kit = drawn(case.game, case.number)
    fonts.register("ja")
    print_options = PrintSettings("ja", case.paper)
    press = Press(Canvas(print_options.sheet.size(), "ja"), kit, print_options, "ja")
    faults: list[tuple[str, str]] = []
    count = Counter[str]()
    for sheet in kit.sheets:
        if isinstance(sheet, Sheet):
            for page in press.pages(sheet):
                for paragraph in paragraphs(flowable for flowable, _ in page):
                    count["all"] += len(paragraph.lines) > 1
                    where = f"{case.game} {case.number} {case.paper} {sheet.template}"
                    faults += [(kind, f"{where}: {text}") for kind, text in wrong(paragraph)]
    return Found(count["all"], tuple(faults))


def paragraphs(things: Iterable[Any]) -> Iterator[JapaneseParagraph]:
    """Yield the paragraphs in flowables, including those in panels and tables."""
    for thing in things:
        if isinstance(thing, JapaneseParagraph):
            yield thing
        elif isinstance(thing, list | tuple):
            yield from paragraphs(thing)
        else:
            yield from paragraphs(getattr(thing, "rows", ()))
            yield from paragraphs(column for _, column in getattr(thing, "columns", ()))


def wrong(paragraph: JapaneseParagraph) -> Iterator[tuple[str, str]]:
    """Yield the faults of a laid-out paragraph."""
    style = paragraph.style
    room = paragraph.width - style.indent
    for line in paragraph.lines:
        if line_width(line.letters, style.size) > room + 0.01:
            yield "wide", line.text
        if re.search("[。、！？」）] ", line.text):
            yield "space", line.text
    whole = ""
    for line, then in pairwise(paragraph.lines):
        if line.last:
            whole = ""
            continue
        whole = (whole or line.text) + then.text
        both = f"{line.text} | {then.text}"
        if then.text[0] in HEADS:
            yield "head", both
        if then.last and letters(then.text) <= SCRAP and letters(whole) >= SHORT:
            yield "scrap", both
        minimum = SCRAP + 1 if then.last and letters(whole) >= SHORT else 2
        if line_width(line.letters, style.size) < FULL * room and parted(line, then, style.size, room, minimum):
            yield "loose", both
        if style.bold and torn(line, then, style.size, room):
            yield "torn", both


def parted(line: JapaneseLine, then: JapaneseLine, size: float, room: float, minimum: int = 2) -> bool:
    """Return whether a katakana word at the start of a line could have been split to fill the previous line.

    At least two letters must fit on the previous line, and at least `minimum` letters must remain on the line,
    because a very short line is as bad as a loose line.
    """
    word = re.match("[ァ-ヶー]*", then.text)
    assert word
    rest = letters(then.text) - len(word[0])
    ends = [k for k in range(2, len(word[0]) - 1) if word[0][k] not in HEADS and len(word[0]) - k + rest >= minimum]
    return any(line_width([*line.letters, *then.letters[:k]], size) <= room for k in ends)


def torn(line: JapaneseLine, then: JapaneseLine, size: float, room: float) -> bool:
    """Return whether a line breaks inside a compound that would fit on one line, with its quotation marks."""
    head = re.search("[（「]?[一-鿿ァ-ヶー]+$", line.text)
    tail = re.match("[一-鿿ァ-ヶー]+[）」、。]?", then.text)
    return head is not None and tail is not None and fonts.width(head[0] + tail[0], size, True) <= 0.97 * room


def letters(text: str) -> int:
    """Return the number of letters and digits in a text."""
    return sum(c.isalnum() for c in text)
