"""Settings of a print."""

from __future__ import annotations

from pathlib import Path

import msgspec

from generator.model.words import Lang
from generator.notation.printers import TRUE, Printer
from generator.notation.words import words
from generator.press.layout.imposition import BLEEDS, DEFAULT_IMPOSITION, Imposition
from generator.press.layout.paper import Paper, find_paper


class PrintSettings(msgspec.Struct, frozen=True):
    """The settings of a print. Only the language must be specified."""

    lang: Lang
    paper: str = "a4"
    ink: str = "full"
    second_lang: Lang | None = None
    """A second language. Each sheet is printed in it after the pages in the first language. Cards have it on the
    back, unless only fronts are printed."""
    imposition: Imposition = DEFAULT_IMPOSITION
    templates: tuple[Path, ...] = ()
    """Folders that are searched for templates before the shipped folder."""
    fillable: bool = False
    """Whether record sheets have form fields."""
    turned: bool = False
    """Whether maps are shown as seen from the far edge."""
    printer: Printer = TRUE
    """The printer whose errors in scale the pages compensate for."""

    @property
    def langs(self) -> tuple[Lang, ...]:
        """The language of the print, followed by the second language if there is one."""
        return (self.lang, self.second_lang) if self.second_lang else (self.lang,)

    @property
    def sheet(self) -> Paper:
        """The paper of the print.

        Raises:
            WrongUsageError: If the paper's name is unknown.
        """
        return find_paper(self.paper)

    def instructions(self, lang: Lang, cut: bool = True) -> str:
        """Return printing instructions about paper and scale, in a few sentences.

        If `cut` is true, they also mention the bleed and the edge over which to turn the sheet.
        """
        texts, imposition = words("", lang)["printing"], self.imposition
        sides = "fold" if imposition.fold else "single" if imposition.single else imposition.flip
        bleed = texts["bleed"].format(cards=f"{BLEEDS['card']:g}", tokens=f"{BLEEDS['square']:g}")
        sentences = [texts["paper"].format(paper=self.sheet.name[lang]), *([texts[sides], bleed] if cut else [])]
        if self.printer != TRUE:
            sentences.append(texts["printer"].format(values=self.printer))
        return ("" if lang == "ja" else " ").join(sentences)
