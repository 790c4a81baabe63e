"""Texts of adventures with and without cards, to which tests add keys."""

from __future__ import annotations

import re
from pathlib import Path

from pypdfium2 import PdfDocument

from generator.cli.scenario import Loaded, load
from generator.model.words import Lang
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings

MUD = """\
[muster]
game = "battlelore"

[play]
title = "Mud and Longbows"
first = "standard"

[board]
profile = "battlelore"
rows = '''
. . . . . . . . . . . .
 f f . . . . . . . f f
f f . . . . . . . . f f
 f . . . . . . . . . f
f f . . . . . . . . f f
 f . . . . . . . . . f
f f . . . . . . . . f f
 . f . . . . . . . f .
. . . . . . . . . . . .
'''
features = { C3 = "stakes", D3 = "stakes" }

[pennant]
units = [
  { hex = "B3", unit = "green common_bow" },
  { hex = "C3", unit = "green common_bow" },
  { hex = "I3", unit = "green common_bow" },
  { hex = "E2", unit = "blue short_sword" },
  { hex = "F2", unit = "red short_sword" },
]

[standard]
units = [
  { hex = "C8", unit = "blue short_sword" },
  { hex = "E8", unit = "blue short_sword" },
  { hex = "F9", unit = "green common_bow" },
  { hex = "E7", unit = "blue long_sword" },
  { hex = "I7", unit = "red long_sword" },
]
"""
_BLOCKS = (Path(__file__).parents[3] / "docs" / "formats" / "scenario.md").read_text("utf-8")
CARDS: str = next(block for block in re.findall(r"```toml\n(.*?)```", _BLOCKS, re.S) if "units = [" in block)
"""A battle of Call to Arms, written by hand."""
TEXTS = {"battlelore": MUD, "call_to_arms": CARDS}


def adventure_text(game: str, play: str = "", board: str = "", replaced: tuple[str, str] = ("", "")) -> str:
    """Return an adventure with additional lines in [play] and [board], and with one text replaced."""
    text = TEXTS[game].replace("[play]\n", f"[play]\n{play}", 1).replace("[board]\n", f"[board]\n{board}", 1)
    assert replaced[0] in text
    return text.replace(*replaced, 1) if replaced[0] else text


def loaded(folder: Path, text: str) -> Loaded:
    """Return the scenario of a text, as `muster check` reads it."""
    path = folder / "adventure.toml"
    path.write_text(text, "utf-8")
    return load(path)


def printed(of: Loaded, lang: Lang, *parts: str) -> str:
    """Return the text of these parts of the kit, after checking the print."""
    kit = of.game.kit(of.scenario, of.report, of.stamp, "")
    pdf = print_kit(kit.only(parts), PrintSettings(lang), packed=False)
    assert preflight(pdf, "a4", lang) == []
    pages: list[str] = [page.get_textpage().get_text_range() for page in PdfDocument(pdf)]
    return "\n".join(pages).replace("\r\n", "\n")


def fired(of: Loaded) -> dict[str, str]:
    """Return the texts of the findings, keyed by rule."""
    return {finding.rule.id: finding.why.en for finding in of.report.findings}
