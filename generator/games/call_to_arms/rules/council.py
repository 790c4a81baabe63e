"""Levies given back, and war councils."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from generator.games.battlelore.lore import lore
from generator.games.battlelore.rules import common
from generator.games.battlelore.words import camp_name
from generator.games.call_to_arms.rules.cards import rule
from generator.games.call_to_arms.scenario import LORE, Scenario
from generator.games.call_to_arms.wishes import ORGANIZED
from generator.rules.rule import Fault


@rule("levy.exchange")
def exchanges(scenario: Scenario) -> Iterator[Fault]:
    banners = list(lore().banners)
    seen: Counter[tuple[str, str]] = Counter()
    for exchange in scenario.exchanges:
        values = {"unit": exchange.unit, "kind": exchange.kind.name}
        unit = next((u for u in scenario.forces[exchange.camp].standing if u.id == exchange.unit), None)
        seen[exchange.camp, exchange.unit] += 1
        if scenario.mode != ORGANIZED:
            yield Fault(exchange.unit, "mode")
        if unit is None or not unit.levy or seen[exchange.camp, exchange.unit] > 1:
            yield Fault(exchange.unit, "no_levy", values)
            continue
        fall = banners.index(unit.kind.banner) - banners.index(exchange.kind.banner)
        upgraded = bool(lore().weapons[exchange.kind.weapon].stands)
        rises = unit.kind.arm == "foot" and exchange.kind.arm == "mounted"
        if upgraded or fall < 0 or (rises and fall == 0 and scenario.rulings["levy_horse"] == "lower"):
            yield Fault(exchange.unit, "level", values)


@rule("levy.pool")
def exchanges_fit(scenario: Scenario) -> Iterator[Fault]:
    for camp, force in scenario.forces.items():
        kinds = [u.kind for u in force.standing if not u.levy]
        tokens = {u.id for u in force.standing if u.levy}
        if not scenario.pool.fits(camp, kinds):
            continue  # pool.figures tells of it
        kinds += {e.unit: e.kind for e in scenario.exchanges if e.camp == camp and e.unit in tokens}.values()
        for short in scenario.pool.shortages(camp, kinds):
            yield Fault(camp, "short", {"camp": camp_name(camp), "what": short.what, "kinds": short.of})


@rule("council.levels")
def council(scenario: Scenario) -> Iterator[Fault]:
    return common.councils({c: f.council for c, f in scenario.forces.items()}, scenario.age == LORE)
