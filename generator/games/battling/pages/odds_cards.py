"""Print the commander's card: what each machine can do and has to fear."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from generator.games.battling.maps import (
    arena_view,
    large,
    round_about,
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
from generator.model.views import Figure, Legend, MapView, Shade, Sheet

VALUES = (-1, 0, 1)
"""At how many sixths of a hit point a hex is drawn another way: what it is worth, the worst first."""
WORTH = ("danger3", "danger2", "gain1", "gain2")
HIGH, MIDDLE, FEW = 84, 62, 4
"""How tall such a map is, in mm, for so many machines and for more."""


def odds_cards(scenario: Scenario) -> Iterator[Sheet]:
    """A card for each player: what each of his machines deals and takes by hex, and what it can do now."""
    texts, duel = words()["prospects"], Duel(opening(scenario))
    key = (texts["worse"], texts["bad"], texts["even"], texts["good"])
    for side in SIDES:
        machines = duel.position.side(side)
        figures: dict[str, Figure] = {machine.id: _worth_view(scenario, duel, machine) for machine in machines}
        legend = tuple(Legend(look, text) for look, text in zip(WORTH, key, strict=True))
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
    """The arena, each hex by what it is worth to a machine, if anything; of a large one what is around."""
    field, kinds = scenario.arena.field, scenario.pack.machines
    tints: dict[str, list[Numbered]] = {}
    span = round_about(field, machine.cell, sheet_file().around) if large(field) else None
    for worth in duel.everywhere(machine):
        if (worth.deals or worth.takes) and (span is None or worth.cell in span):
            tints.setdefault(WORTH[sum(6 * worth.value >= step for step in VALUES)], []).append(worth.cell)
    tokens = tuple((m.cell, token(m.side, kinds[m.kind], m.number)) for m in duel.machines)
    shades = tuple(Shade(look, tuple(tints[look])) for look in WORTH if look in tints)
    return replace(arena_view(scenario.arena, tokens, span), names=False, shades=shades)
