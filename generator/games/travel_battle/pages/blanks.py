"""Blank record sheets, to be filled in by hand."""

from __future__ import annotations

from functools import cache

import msgspec

from generator.games.travel_battle.forces.army import Roster
from generator.games.travel_battle.numbers import play
from generator.games.travel_battle.objectives import fatal
from generator.games.travel_battle.pages.records import BOXES, usual_turns
from generator.games.travel_battle.scenario import PLAYERS
from generator.games.words import words
from generator.model.views import Sheet
from generator.model.words import Words, joined
from generator.notation import toml
from generator.store.folders import shipped


class Room(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """sheets.toml as it stands."""

    units: int
    notes: int
    half_boxes: int


@cache
def room() -> Room:
    """How much room the sheets give."""
    return toml.read(shipped("data") / "travel_battle" / "sheets.toml", Room)


def army_sheet(roster: Roster, *, half: bool = False) -> Sheet:
    """A row for each unit of an army, brigade by brigade; `half` puts two shorter ones on a page."""
    say = words("travel_battle")["blank"]
    letters = joined([Words(f"{k.letter} {k.name.en.lower()}", f"{k.letter} {k.name.ja}") for k in roster.fighters])
    return Sheet(
        part="sheets",
        title=say["army"],
        template=f"travel_battle/{'half' if half else 'army'}.xml",
        view={
            "players": [words("travel_battle")["player"][player] for player in PLAYERS],
            "brigades": list(range(1, play().brigades + 1)),
            "rows": sum(roster.counts) if half else room().units,
            "letters": "  ".join(kind.letter for kind in roster.fighters),
            "key": say["half_key" if half else "key"].fill(letters=letters),
            "boxes": {what: min(count, room().half_boxes) for what, count in BOXES.items()} if half else BOXES,
            "turns": usual_turns(),
            "fatal": fatal(play().brigades),
            "notes": room().notes,
        },
    )
