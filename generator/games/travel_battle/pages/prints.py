"""What Travel Battle prints without a scenario: reference, blank sheets, tokens, boards, a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from generator.games.capability import Printable
from generator.games.parts import Make, printable
from generator.games.travel_battle.forces.army import Roster, load_roster
from generator.games.travel_battle.pages.blanks import army_sheet
from generator.games.travel_battle.pages.campaign import campaign_print
from generator.games.travel_battle.pages.pieces import army_tokens
from generator.games.travel_battle.pages.posters import boards_print
from generator.games.travel_battle.pages.reference import reference_sheet
from generator.games.travel_battle.scenario import PLAYERS, Player
from generator.games.words import words
from generator.model.views import Run, Sheet
from generator.model.words import Words


def printables() -> tuple[Printable, ...]:
    """What each verb prints that needs no scenario."""
    say = words("travel_battle")
    game, players = say["game"]["title"], say["player"]
    reference: dict[str, tuple[Words, Make]] = {"page": (say["reference"]["title"], _reference)}
    sheets: dict[str, tuple[Words, Make]] = {"army": (say["blank"]["army"], _army)}
    tokens: dict[str, tuple[Words, Make]] = {p: (players[p], partial(_tokens, p)) for p in PLAYERS}
    return (
        printable("reference", game, say["reference"]["title"], reference, ("army",)),
        printable("sheets", game, say["blank"]["kit"], sheets, ("half", "army")),
        printable("tokens", game, say["pieces"]["tokens"], tokens, ("army",)),
        boards_print(),
        campaign_print(),
    )


def _reference(options: Mapping[str, str]) -> Sheet:
    return reference_sheet(_roster(options))


def _army(options: Mapping[str, str]) -> Sheet:
    return army_sheet(_roster(options), half="half" in options)


def _tokens(player: Player, options: Mapping[str, str]) -> Run:
    return army_tokens(player, _roster(options))


def _roster(options: Mapping[str, str]) -> Roster:
    """The user's army, or the one that ships."""
    return load_roster(Path(options["army"]) if "army" in options else None)
