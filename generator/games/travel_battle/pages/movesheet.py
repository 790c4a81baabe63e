"""`muster moves` for Travel Battle: a unit's moves as rows, in words, and laid over the map."""

from __future__ import annotations

from generator.games.capability import Query
from generator.games.travel_battle.pages.mapsheet import map_view
from generator.games.travel_battle.play.moves import named, row, shades, told
from generator.games.travel_battle.scenario import Scenario
from generator.games.words import words
from generator.model.views import Sheet


def sheet(scenario: Scenario, unit: str) -> Sheet:
    """A unit's moves over the map; WrongUsageError where no such unit is on the battlefield."""
    found = named(scenario, unit)
    field = scenario.battlefield.land.field
    head, *lines = told(scenario, found)
    return Sheet(
        part="moves",
        title=words("travel_battle")["moves"]["title"].fill(unit=found.unit.id),
        template="travel_battle/moves.xml",
        view={"high": 118 if field.columns > field.rows else 190, "head": head, "lines": lines},
        figures={"map": map_view(scenario.battlefield, scenario.armies, shades=shades(found))},
        landscape=field.columns > field.rows,
        pages=2,
    )


MOVES: Query[Scenario] = Query(
    verb="moves",
    rows=lambda scenario, asked: [row(scenario, named(scenario, asked[0]))],
    lines=lambda scenario, asked: told(scenario, named(scenario, asked[0])),
    sheet=lambda scenario, asked: sheet(scenario, asked[0]),
)
