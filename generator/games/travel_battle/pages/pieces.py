"""Tokens, and what is printed without a scenario.

What Travel Battle prints to be cut out: a counter for every unit that a brigade may have, with its front shown.

What Travel Battle prints without a scenario: reference, blank sheets, tokens, boards, a campaign.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from generator.common.catalogue import Make, brought, printable
from generator.common.game import Printable
from generator.common.tables import words
from generator.games.travel_battle.forces import Kind, Roster, load_roster
from generator.games.travel_battle.maps import marker, marker_name, token
from generator.games.travel_battle.model import AHEAD, SIDES, Scenario, Side
from generator.games.travel_battle.pages.posters import INCH, boards_print, campaign_print
from generator.games.travel_battle.pages.records import army_sheet
from generator.games.travel_battle.pages.reference import odds_sheet, reference_sheet
from generator.games.travel_battle.tables import numbers
from generator.model.views import Back, Piece, Run
from generator.model.words import Words

MARKED = 0.55
"""How wide a marker is, in widths of a square."""
NORTH = AHEAD["blue"]
"""Every counter is cut out with its front up."""


def army_tokens(player: Side, roster: Roster) -> Run:
    """For each brigade as many counters of every kind as an army has: enough for every split there is."""
    say = words("travel_battle")["pieces"]
    made = tuple(_pieces(player, roster))
    return Run("tokens", say["army"].fill(player=words("travel_battle")["player"][player]), made, "square", INCH)


def battle_tokens(scenario: Scenario) -> Run:
    """The counters of one battle."""
    made = tuple(_piece(player, unit.kind, brigade.number) for player, brigade, unit in scenario.units.values())
    return Run("tokens", words("travel_battle")["pieces"]["battle"], made, "square", INCH)


def marker_tokens() -> Run:
    """As many of each marker as a battle may need, small enough to lie on a counter; both sides are alike."""
    pieces = tuple(
        Piece(marker_name(what), marker(what), marker(what))
        for what, count in numbers().markers.items()
        for _ in range(count)
    )
    return Run("tokens", words("travel_battle")["pieces"]["markers"], pieces, "square", INCH, MARKED)


def _pieces(player: Side, roster: Roster) -> Iterator[Piece]:
    for brigade in range(1, numbers().brigades + 1):
        for kind in roster.kinds.values():
            for _ in range(kind.count if kind.fights else 1):
                yield _piece(player, kind, brigade)


def _piece(player: Side, kind: Kind, brigade: int) -> Piece:
    """A counter; infantry is in square on its other side, others show whose they are."""
    front = token(player, kind, brigade, facing=NORTH)
    back = (
        replace(front, mark="square")
        if kind.arm == "infantry"
        else Back(player, words("travel_battle")["player"][player])
    )
    return Piece(kind.name, front, back)


def printables() -> tuple[Printable, ...]:
    """What each verb prints that needs no scenario."""
    say = words("travel_battle")
    game, title, page, army = say["game"]["title"], say["pieces"]["tokens"], say["reference"]["title"], say["blank"]

    def roster(options: Mapping[str, str]) -> Roster:
        return load_roster(brought(options, "army"))

    def tokens(player: Side) -> tuple[Words, Make]:
        return say["player"][player], lambda options: army_tokens(player, roster(options))

    runs: dict[str, tuple[Words, Make]] = {player: tokens(player) for player in SIDES}
    runs["markers"] = (say["pieces"]["markers"], lambda options: marker_tokens())
    return (
        printable(
            "reference",
            game,
            page,
            {
                "page": (page, lambda options: reference_sheet(roster(options))),
                "odds": (say["odds"]["melee"], lambda options: odds_sheet()),
            },
            ("army",),
        ),
        printable(
            "sheets",
            game,
            army["kit"],
            {"army": (army["army"], lambda options: army_sheet(roster(options), half="half" in options))},
            ("half", "army"),
        ),
        printable("tokens", game, title, runs, ("army",)),
        boards_print(),
        campaign_print(),
    )
