"""What BattleLore prints without a scenario, and what its expansions build on: reference and blank sheets."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from generator.games.battlelore.blanks import campaign_sheet, council_sheet, side_sheet
from generator.games.battlelore.oddsheet import odds_sheet
from generator.games.battlelore.quick import battle_sheet, council_page
from generator.games.battlelore.rulings import rulings
from generator.games.battlelore.words import words
from generator.games.capability import Printable
from generator.model.views import Kit, Sheet
from generator.model.words import Words

Make = Callable[[], Sheet]


def reference(game: Words, own: tuple[str, Words, Make]) -> Printable:
    """The quick reference: the battle, a page of the game's own (its word, title and maker), the odds."""
    say = words()
    word, title, make = own
    kinds = {"battle": say["quick"]["battle_page"], word: title, "odds": say["odds"]["title"]}
    makers: dict[str, Make] = {"battle": battle_sheet, word: make, "odds": odds_sheet}
    return Printable("reference", kinds, lambda options: _kit(game, say["quick"]["title"], makers, options))


def sheets(game: Words, *, cards: bool = False, needed: Callable[[], Mapping[str, Words]] = dict) -> Printable:
    """The blank record sheets; `cards` and `needed` as campaign_sheet and council_sheet take them."""
    say = words()["blank"]

    def make(options: Mapping[str, str]) -> Kit:
        makers: dict[str, Make] = {
            "side": lambda: side_sheet(half="half" in options),
            "campaign": lambda: campaign_sheet(cards=cards),
            "council": lambda: council_sheet(needed()),
        }
        return _kit(game, say["kit"], makers, options)

    return Printable("sheets", {word: say[word] for word in ("side", "campaign", "council")}, make)


def _kit(game: Words, title: Words, makers: Mapping[str, Make], options: Mapping[str, str]) -> Kit:
    only = options.get("only", ",".join(makers)).split(",")
    return Kit(game, title, "", tuple(make() for word, make in makers.items() if word in only))


def printables(game: Words) -> tuple[Printable, ...]:
    """BattleLore's own reference and sheets; `game` is its title."""
    title = words()["quick"]["council_page"]
    own = ("council", title, lambda: council_page(rulings("battlelore")))
    return reference(game, own), sheets(game)
