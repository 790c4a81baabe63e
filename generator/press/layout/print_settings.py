"""The settings of a print in one value."""

from __future__ import annotations

from pathlib import Path

import msgspec

from generator.model.words import Lang
from generator.notation.printers import TRUE, Printer
from generator.notation.words import words
from generator.press.layout.imposition import BLEEDS, DEFAULT_IMPOSITION, Imposition
from generator.press.layout.paper import Paper, find_paper


class PrintSettings(msgspec.Struct, frozen=True):
    """Settings of a print; all but the language have defaults."""

    lang: Lang
    paper: str = "a4"
    ink: str = "full"
    second_lang: Lang | None = None
    """A second language: each sheet appears in it after its pages in the first one; cards have it on their back,
    unless only fronts are printed."""
    imposition: Imposition = DEFAULT_IMPOSITION
    templates: tuple[Path, ...] = ()
    """Folders searched before the shipped one."""
    fillable: bool = False
    """Whether record sheets have form fields."""
    turned: bool = False
    """Whether maps are seen from the far edge."""
    printer: Printer = TRUE
    """The printer whose errors the pages compensate for."""

    @property
    def langs(self) -> tuple[Lang, ...]:
        """One language or both."""
        return (self.lang, self.second_lang) if self.second_lang else (self.lang,)

    @property
    def sheet(self) -> Paper:
        """The paper.

        Raises: WrongUsageError for an unknown name.
        """
        return find_paper(self.paper)

    def instructions(self, lang: Lang, cut: bool = True) -> str:
        """Return printing instructions in a few sentences: paper and scale.

        With `cut`, they include the edge over which to turn the sheet and the bleed.
        """
        texts, imposition = words("", lang)["printing"], self.imposition
        sides = "fold" if imposition.fold else "single" if imposition.single else imposition.flip
        bleed = texts["bleed"].format(cards=f"{BLEEDS['card']:g}", tokens=f"{BLEEDS['square']:g}")
        sentences = [texts["paper"].format(paper=self.sheet.name[lang]), *([texts[sides], bleed] if cut else [])]
        if self.printer != TRUE:
            sentences.append(texts["printer"].format(values=self.printer))
        return ("" if lang == "ja" else " ").join(sentences)
