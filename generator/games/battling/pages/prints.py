"""What Battling prints without a scenario: reference, blank sheets, counters, cards, arenas."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from generator.games.battling.forces.machines import Pack, load_pack
from generator.games.battling.pages.cards import machine_cards
from generator.games.battling.pages.posters import boards
from generator.games.battling.pages.records import blank_sheet
from generator.games.battling.pages.reference import reference_sheet
from generator.games.battling.pages.tokens import side_tokens
from generator.games.battling.play.orders import side_name
from generator.games.battling.scenario import SIDES, Side
from generator.games.capability import Printable
from generator.games.parts import Make, printable
from generator.games.words import words
from generator.model.views import Run, Sheet
from generator.model.words import Words


def printables() -> tuple[Printable, ...]:
    """What each verb prints that needs no scenario."""
    say = words("battling")
    game = say["title"]["game"]
    reference: dict[str, tuple[Words, Make]] = {
        "page": (say["reference"]["title"], lambda options: reference_sheet(_pack(options)))
    }
    sheets: dict[str, tuple[Words, Make]] = {"squad": (say["blank"]["squad"], _squad)}
    tokens: dict[str, tuple[Words, Make]] = {side: (side_name(side), partial(_tokens, side)) for side in SIDES}
    cards: dict[str, tuple[Words, Make]] = {"machines": (say["cards"]["title"], _cards)}
    return (
        printable("reference", game, say["reference"]["title"], reference, ("charts",)),
        printable("sheets", game, say["blank"]["kit"], sheets, ("half",)),
        printable("tokens", game, say["tokens"]["title"], tokens, ("charts",)),
        printable("cards", game, say["cards"]["title"], cards, ("charts",)),
        boards().printable(),
    )


def _squad(options: Mapping[str, str]) -> Sheet:
    return blank_sheet(half="half" in options)


def _cards(options: Mapping[str, str]) -> Run:
    return machine_cards(_pack(options))


def _tokens(side: Side, options: Mapping[str, str]) -> Run:
    return side_tokens(side, _pack(options))


def _pack(options: Mapping[str, str]) -> Pack:
    """The user's charts, or those that ship."""
    return load_pack(Path(options["charts"]) if "charts" in options else None)
