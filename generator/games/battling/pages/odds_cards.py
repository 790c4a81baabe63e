"""Print a card for each commander, with the possible actions of each machine and its risks."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from generator.games.battling.maps import (
    arena_view,
    large,
    section_around,
    sheet_file,
    token,
)
from generator.games.battling.model import (
    SIDES,
    Scenario,
    side_name,
)
from generator.games.battling.play import Standing, opening
from generator.games.battling.prospects import Duel, machine_lines
from generator.games.battling.tables import words
from generator.grid.columns import Numbered
from generator.model.legends import keep_drawn
from generator.model.views import Figure, Legend, MapView, Shade, Sheet

VALUES = (-1, 0, 1)
"""The values, in sixths of a hit point, at which a hex is drawn differently, the worst first."""
WORTH = ("danger3", "danger2", "gain1", "gain2")
HIGH, MIDDLE, FEW = 84, 62, 4
"""The height of a map, in mm, for up to `FEW` machines and for more machines."""


def odds_cards(scenario: Scenario) -> Iterator[Sheet]:
    """Yield a card for each player with the values of hexes to each machine, and the machines' possible actions."""
    texts, duel = words()["prospects"], Duel(opening(scenario))
    key = (texts["worse"], texts["bad"], texts["even"], texts["good"])
    for side in SIDES:
        machines = duel.position.side(side)
        figures: dict[str, Figure] = {machine.id: _worth_view(scenario, duel, machine) for machine in machines}
        maps = [view for view in figures.values() if isinstance(view, MapView)]
        legend = keep_drawn((Legend(look, text) for look, text in zip(WORTH, key, strict=True)), *maps)
        figures["key"] = replace(arena_view(scenario.arena), names=False, legend=legend)
        yield Sheet(
            part="odds",
            title=texts["title"],
            template="battling/prospects.xml",
            view={
                "rows": [
                    {"id": machine.id, "lines": list(machine_lines(scenario, duel, machine))} for machine in machines
                ],
                "tall": HIGH if len(machines) <= FEW else MIDDLE,
            },
            figures=figures,
            side=side_name(side),
            pages=max(1, len(machines)),
        )


def _worth_view(scenario: Scenario, duel: Duel, machine: Standing) -> MapView:
    """Return a map of the arena with the value of each hex to a machine.

    For a large arena, the map shows only the machine's surroundings.
    """
    field, kinds = scenario.arena.field, scenario.pack.machines
    tints: dict[str, list[Numbered]] = {}
    span = section_around(field, machine.cell, sheet_file().around) if large(field) else None
    for worth in duel.all_hex_values(machine):
        if (worth.deals or worth.takes) and (span is None or worth.cell in span):
            tints.setdefault(WORTH[sum(6 * worth.value >= step for step in VALUES)], []).append(worth.cell)
    tokens = tuple((m.cell, token(m.side, kinds[m.kind], m.number)) for m in duel.machines)
    shades = tuple(Shade(look, tuple(tints[look])) for look in WORTH if look in tints)
    return replace(arena_view(scenario.arena, tokens, span), names=False, shades=shades)
