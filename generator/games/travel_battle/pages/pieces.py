"""What Travel Battle prints to be cut out: a counter for every unit that a brigade may have, with its front shown."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from generator.games.travel_battle.forces.army import Kind, Roster
from generator.games.travel_battle.numbers import play
from generator.games.travel_battle.pages.mapsheet import token
from generator.games.travel_battle.pages.posters import INCH
from generator.games.travel_battle.scenario import AHEAD, Player, Scenario
from generator.games.words import words
from generator.model.views import Back, Piece, Run

NORTH = AHEAD["blue"]
"""Every counter is cut out with its front up."""


def army_tokens(player: Player, roster: Roster) -> Run:
    """For each brigade as many counters of every kind as an army has: enough for every split there is."""
    say = words("travel_battle")["pieces"]
    made = tuple(_pieces(player, roster))
    return Run("tokens", say["army"].fill(player=words("travel_battle")["player"][player]), made, "square", INCH)


def battle_tokens(scenario: Scenario) -> Run:
    """The counters of one battle."""
    made = tuple(_piece(player, unit.kind, brigade.number) for player, brigade, unit in scenario.units.values())
    return Run("tokens", words("travel_battle")["pieces"]["battle"], made, "square", INCH)


def _pieces(player: Player, roster: Roster) -> Iterator[Piece]:
    for brigade in range(1, play().brigades + 1):
        for kind in roster.kinds.values():
            for _ in range(kind.count if kind.fights else 1):
                yield _piece(player, kind, brigade)


def _piece(player: Player, kind: Kind, brigade: int) -> Piece:
    """A counter; infantry is in square on its other side, others show whose they are."""
    front = token(player, kind, brigade, facing=NORTH)
    back = (
        replace(front, mark="square")
        if kind.arm == "infantry"
        else Back(player, words("travel_battle")["player"][player])
    )
    return Piece(kind.name, front, back)
