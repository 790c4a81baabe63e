"""Blank tables: the forms of a pack, for the values of one's own copy of the game."""

from __future__ import annotations

from generator.games.blind_faith.forces.pack import Pack
from generator.games.blind_faith.forces.units import SIDES
from generator.games.blind_faith.pages.sheetfile import room
from generator.games.blind_faith.pages.tableview import finder, span
from generator.games.blind_faith.scenario import PREFIX
from generator.games.blind_faith.words import side_name, words
from generator.model.views import Sheet
from generator.model.words import joined


def tables_sheet(pack: Pack) -> Sheet:
    """Every table with its heads, and room to write."""
    plan = room().blank
    return Sheet(
        part="sheets",
        title=words()["blank"]["tables"],
        template="blind_faith/tables.xml",
        view={
            "types": [kind.name for kind in pack.types],
            "walls": [wall.name for wall in pack.walls],
            "columns": [span(*bounds) for bounds in pack.response.bounds()],
            "finder": list(finder(pack)),
            "sides": "  ".join(PREFIX[side] for side in SIDES),
            "sides_key": joined(
                [words()["blank"]["letter"].fill(letter=PREFIX[s], side=side_name(s)) for s in SIDES]
            ),
            "units": plan.units,
            "charge": plan.charge,
            "response": list(range(1, plan.response + 1)),
        },
    )
