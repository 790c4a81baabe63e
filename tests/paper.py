"""Extract the printed text of every product of every game, page by page, in either language."""

from __future__ import annotations

from functools import cache

import pypdfium2

from generator import games
from generator.model.scenario import Request
from generator.model.views import Kit
from generator.model.words import Lang
from generator.press.book import print_kit
from generator.press.layout.print_settings import PrintSettings
from generator.rules import check

KITS: dict[str, tuple[tuple[str, dict[str, str]], ...]] = {
    "battlelore": (
        ("SW4PP-4PH5B", {"age": "lore", "map": "fenwater"}),
        ("Q8XA6-5D4S1", {"map": "eagle_crags"}),
    ),
    "call_to_arms": (
        ("SW4PP-4PH5B", {"mode": "organized", "age": "lore"}),
        ("Q8XA6-5D4S1", {"map": "fenwater"}),
        ("Q8XA6-5D4S1", {"map": "eagle_crags"}),
    ),
    "travel_battle": (("SVKP6-4KM5V", {}),),
    "blind_faith": (
        ("A4P09-F0WMQ", {"kind": "march"}),
        ("QSWZQ-XBE22", {"kind": "battle"}),
        ("8DSYH-ZRP7A", {"kind": "siege"}),
    ),
    "battling": (("HWAXQ-3C0Q2", {}),),
}
"""Codes and options of kits that together contain everything a game's kits can contain."""
_VERBS = {"reference", "sheets", "cards", "tokens"}
PRODUCTS = {name: ("kit", "audit", *sorted({of.verb for of in games.load(name).prints} & _VERBS)) for name in KITS}


@cache
def made(name: str, product: str) -> tuple[Kit, ...]:
    """Return the kits of a product. "kit" has several kits, and their audit pages are a separate product."""
    game = games.load(name)
    if product == "audit":
        return tuple(kit.only(["audit"]) for kit in made(name, "kit") if "audit" in kit.parts)
    if product != "kit":
        return tuple(of.make({"paper": "a4"}) for of in game.prints if of.verb == product)
    drawn = [(code, game.draw(Request(code, options, {}))) for code, options in KITS[name]]
    return tuple(
        game.kit(scenario, check(game.rules, scenario), code, f"muster kit {name} --seed {code}")
        for code, scenario in drawn
    )


@cache
def pages(name: str, product: str, lang: Lang) -> tuple[str, ...]:
    """Return the text of each page."""
    found: list[str] = []
    for kit in made(name, product):
        document = pypdfium2.PdfDocument(print_kit(kit, PrintSettings(lang), packed=False))
        found += [document[i].get_textpage().get_text_bounded() for i in range(len(document))]
        document.close()
    return tuple(found)
