"""No paragraph has a very short last line, a loose line, a forbidden first or last character, or a split word."""

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
from generator.model.words import LANGS, Lang
from generator.press.layout.english import EnglishParagraph, TextLine
from generator.press.layout.japanese import JapaneseLine, JapaneseParagraph, line_width
from generator.press.layout.paper import papers
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf import fonts
from generator.press.pdf.canvas import Canvas
from generator.press.pdf.typography import typeset
from generator.press.sheets import Press
from generator.rules import check
from generator.seeds import code_for
from tests.prove.figure import SEED, Figure, counted, spread

CODES = 12
FULL = 0.84
"""Minimum fraction of its column that a line fills. Lines are broken at 0.85, with widths rounded per letter."""
SCRAP, SHORT = 2, 6
"""A last line of at most SCRAP letters is a fault if the paragraph has at least SHORT letters."""
BRACKETED = re.compile("[（「][^（「]*[）」]")
"""A whole remark in brackets, which is not a remainder of the line above it."""
OPENING = "([{（［｛「『【〔〈《“"
HEADS = "、。，．・·：；！？）」』】ー々ゃゅょっぁぃぅぇぉャュョッァィゥェォ"
KINDS = {
    "scrap": "last lines of one or two characters (paragraphs of at least six)",
    "loose": "lines less than 85 % full before a katakana word that could have been divided",
    "head": "lines that begin with a forbidden character",
    "space": "spaces after the end of a sentence",
    "torn": "headings broken inside a word",
    "wide": "lines wider than their column",
    "open": "a line that ends with an opening bracket",
    "order": "a line broken inside an order that would fit on a line",
    "parted": "a word in katakana that was parted although it follows a space",
    "cut": "a broken English word",
    "keyboard": "an apostrophe, a minus or an ellipsis of a keyboard",
}


class Case(NamedTuple):
    """A default kit, given as game, number of its code, paper, and language."""

    game: str
    number: int
    paper: str = "a4"
    lang: Lang = "ja"


class Found(NamedTuple):
    """The findings on a kit's paragraphs."""

    paragraphs: int
    """Number of paragraphs with more than one line."""
    faults: tuple[tuple[str, str], ...]
    """Kind and place of each fault."""


def prove() -> Iterator[Figure]:
    """Check default kits of every game, on all papers, in both languages."""
    cases = [Case(*kind) for kind in product(games.names(), range(CODES), papers(), LANGS)]
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
    fonts.register(case.lang)
    print_options = PrintSettings(case.lang, case.paper)
    press = Press(Canvas(print_options.sheet.size(), case.lang), kit, print_options, case.lang)
    faults: list[tuple[str, str]] = []
    count = Counter[str]()
    for sheet in kit.sheets:
        if isinstance(sheet, Sheet):
            for page in press.pages(sheet):
                for paragraph in paragraphs(flowable for flowable, _ in page):
                    count["all"] += len(paragraph.lines) > 1
                    where = f"{case.game} {case.number} {case.paper} {case.lang} {sheet.template}"
                    found = wrong(paragraph) if isinstance(paragraph, JapaneseParagraph) else cut(paragraph)
                    faults += [(kind, f"{where}: {text}") for kind, text in found]
                    faults += [("keyboard", f"{where}: {text}") for text in keyboard_marks(paragraph)]
    return Found(count["all"], tuple(faults))


def paragraphs(things: Iterable[Any]) -> Iterator[JapaneseParagraph | EnglishParagraph]:
    """Yield the paragraphs in flowables, including those in panels and tables."""
    for thing in things:
        if isinstance(thing, JapaneseParagraph | EnglishParagraph):
            yield thing
        elif isinstance(thing, list | tuple):
            yield from paragraphs(thing)
        else:
            for part in ("rows", "cells", "flowables"):
                yield from paragraphs(getattr(thing, part, ()))
            yield from paragraphs(column for _, column in getattr(thing, "columns", ()))


def cut(paragraph: EnglishParagraph) -> Iterator[tuple[str, str]]:
    """Yield the broken words and the broken orders of a laid-out English paragraph."""
    for line, then in pairwise(paragraph.lines):
        text, rest = (line_text(of) for of in (line, then))
        if line.words and line.words[-1].split and "\u00a0" not in text:
            yield "cut", f"{text} | {rest}"
        if text.endswith("/") or rest.startswith("/"):
            yield "order", f"{text} | {rest}"


def keyboard_marks(paragraph: JapaneseParagraph | EnglishParagraph) -> Iterator[str]:
    """Yield the lines with characters of a keyboard, except commands."""
    for line in paragraph.lines:
        text = line.text if isinstance(line, JapaneseLine) else line_text(line)
        if typeset(text) != text and "muster" not in text and " --" not in f" {text}":
            yield text


def line_text(line: TextLine) -> str:
    """Return the text of a line of an English paragraph."""
    return "".join(run for run, _, _ in line.runs)


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
        if line.text[-1] in OPENING:
            yield "open", both
        if line.text.endswith(" /") or then.text.startswith("/ "):
            yield "order", both
        if re.search("[^ァ-ヶー]* [ァ-ヶー]+$", line.text) and re.match("[ァ-ヶー]", then.text) and not line.spaced:
            yield "parted", both
        if (
            then.last
            and letters(then.text) <= SCRAP
            and letters(whole) >= SHORT
            and not BRACKETED.fullmatch(then.text)
        ):
            yield "scrap", both
        minimum = SCRAP + 1 if then.last and letters(whole) >= SHORT else 2
        loose = line_width(line.letters, style.size) < FULL * room and not line.spaced
        if loose and parted(line, then, style.size, room, minimum):
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
