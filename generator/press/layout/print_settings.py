"""How a kit is printed: all that is asked of the press, in one value."""

from __future__ import annotations

from pathlib import Path

import msgspec

from generator.model.words import Lang
from generator.notation.printers import TRUE, Printer
from generator.notation.words import words
from generator.press.layout.imposition import BLEEDS, DEFAULT_IMPOSITION, Imposition
from generator.press.layout.paper import Paper, find_paper


class PrintSettings(msgspec.Struct, frozen=True):
    """What was asked for; everything but the language has a default."""

    lang: Lang
    paper: str = "a4"
    ink: str = "full"
    second_lang: Lang | None = None
    """A second language: every sheet in it too, behind its own pages in the first one; cards have their face in it
    on the back instead, unless only fronts are printed."""
    imposition: Imposition = DEFAULT_IMPOSITION
    templates: tuple[Path, ...] = ()
    """Folders looked through before the shipped one."""
    fillable: bool = False
    """Record sheets have fields to fill in on a screen."""
    turned: bool = False
    """Maps are seen from the far edge."""
    printer: Printer = TRUE
    """What the printer will do to the pages, which they make up for."""

    @property
    def langs(self) -> tuple[Lang, ...]:
        """The language, or both."""
        return (self.lang, self.second_lang) if self.second_lang else (self.lang,)

    @property
    def sheet(self) -> Paper:
        """The paper; WrongUsageError where there is none of that name."""
        return find_paper(self.paper)

    def instructions(self, lang: Lang, cut: bool = True) -> str:
        """What whoever prints it must know, in a few sentences: paper, scale; which edge and bleed of what is cut."""
        texts, imposition = words("", lang)["printing"], self.imposition
        sides = "fold" if imposition.fold else "single" if imposition.single else imposition.flip
        bleed = texts["bleed"].format(cards=f"{BLEEDS['card']:g}", tokens=f"{BLEEDS['square']:g}")
        sentences = [texts["paper"].format(paper=self.sheet.name[lang]), *([texts[sides], bleed] if cut else [])]
        if self.printer != TRUE:
            sentences.append(texts["printer"].format(values=self.printer))
        return ("" if lang == "ja" else " ").join(sentences)
