"""What BattleLore prints without a scenario, and what its expansions build on: reference and blank sheets."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from generator.games.battlelore.pages.blanks import campaign_sheet, council_sheet, side_sheet
from generator.games.battlelore.pages.oddsheet import odds_sheet
from generator.games.battlelore.pages.posters import boards_print
from generator.games.battlelore.pages.quick import battle_sheet, council_page
from generator.games.battlelore.words import words
from generator.games.capability import Printable
from generator.games.parts import Make, printable
from generator.games.rulings import rulings
from generator.model.views import Sheet
from generator.model.words import Words


def reference(game: Words, own: tuple[str, Words, Callable[[], Sheet]]) -> Printable:
    """The quick reference: the battle, a page of the game's own (its word, title and maker), the odds."""
    say = words()
    word, title, make = own
    parts: dict[str, tuple[Words, Make]] = {
        "battle": (say["quick"]["battle_page"], lambda options: battle_sheet()),
        word: (title, lambda options: make()),
        "odds": (say["odds"]["title"], lambda options: odds_sheet()),
    }
    return printable("reference", game, say["quick"]["title"], parts)


def sheets(game: Words, *, cards: bool = False, needed: Callable[[], Mapping[str, Words]] = dict) -> Printable:
    """The blank record sheets; `cards` and `needed` as campaign_sheet and council_sheet take them."""
    say = words()["blank"]
    parts: dict[str, tuple[Words, Make]] = {
        "side": (say["side"], lambda options: side_sheet(half="half" in options)),
        "campaign": (say["campaign"], lambda options: campaign_sheet(cards=cards)),
        "council": (say["council"], lambda options: council_sheet(needed())),
    }
    return printable("sheets", game, say["kit"], parts, ("half",))


def printables(game: Words) -> tuple[Printable, ...]:
    """BattleLore's own reference and sheets, and its boards; `game` is its title."""
    title = words()["quick"]["council_page"]
    own = ("council", title, lambda: council_page(rulings("battlelore")))
    return reference(game, own), sheets(game), boards_print(game)
