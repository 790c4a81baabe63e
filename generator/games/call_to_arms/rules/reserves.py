"""The reserves: which, how many, where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from generator.games.battlelore.words import camp_name
from generator.games.call_to_arms.forces.cells import cell_name
from generator.games.call_to_arms.rules.deployment import rule
from generator.games.call_to_arms.scenario import Scenario
from generator.games.call_to_arms.words import numbers
from generator.rules.rule import Fault


@rule("reserve.units")
def from_the_card(scenario: Scenario) -> Iterator[Fault]:
    for camp, force in scenario.forces.items():
        printed = {(of.column, of.row): of.kind for of in scenario.card(camp, force.reserve).units}
        for unit in force.reserves:
            if printed.get(unit.cell) != unit.kind:
                yield Fault(unit.id, "foreign", {"unit": unit.id, "kind": unit.kind.name, "card": force.reserve})
        for cell, count in Counter(u.cell for u in force.reserves).items():
            if count > 1:
                yield Fault(camp, "twice", {"cell": cell_name(cell), "card": force.reserve})


@rule("reserve.count")
def as_many(scenario: Scenario) -> Iterator[Fault]:
    # Those without room count as brought, deploy.lost says whether there was none.
    for camp, force in scenario.forces.items():
        whole = len(scenario.card(camp, force.reserve).units)
        want = whole if camp == scenario.first else min(numbers().second_reserves, whole)
        if len(force.reserves) != want:
            have = len(force.reserves)
            yield Fault(camp, "count", {"camp": camp_name(camp), "have": have, "want": want})


@rule("reserve.place")
def on_the_baseline(scenario: Scenario) -> Iterator[Fault]:
    for camp, force in scenario.forces.items():
        baseline = scenario.board.plan.baseline(camp)
        for unit in force.reserves:
            if unit.hex and unit.hex not in baseline:
                yield Fault(
                    unit.id,
                    "elsewhere",
                    {"unit": unit.id, "hex": scenario.board.field.name(unit.hex)},
                )
