"""Figures, banners and Feudal levy tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from generator.games.battlelore.lore import lore
from generator.games.battlelore.words import camp_name
from generator.games.call_to_arms.rules.cards import rule
from generator.games.call_to_arms.scenario import Scenario
from generator.rules.rule import Fault


@rule("pool.figures")
def within(scenario: Scenario) -> Iterator[Fault]:
    for camp, force in scenario.forces.items():
        for short in scenario.pool.shortages(camp, [u.kind for u in force.standing if not u.levy]):
            yield Fault(camp, "short", {"camp": camp_name(camp), "what": short.what, "kinds": short.of})


@rule("pool.levy")
def levies(scenario: Scenario) -> Iterator[Fault]:
    pool = scenario.pool
    for camp, force in scenario.forces.items():
        real = [u.kind for u in force.standing if not u.levy]
        tokens = [u for u in force.standing if u.levy]
        for unit in tokens:
            if pool.fits(camp, [*real, unit.kind]):
                yield Fault(unit.id, "needless", {"unit": unit.id, "kind": unit.kind.name})
        for banner, have in Counter(u.kind.banner for u in tokens).items():
            most = pool.levies(camp, banner)
            if have > most:
                colour = lore().banners[banner].name
                values = {"camp": camp_name(camp), "have": have, "most": most, "colour": colour}
                yield Fault(camp, "tokens", values)
