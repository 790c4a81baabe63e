"""Everything that is printed for one Call to Arms scenario, as sheets ready for the press."""

from __future__ import annotations

from collections import Counter

from generator.games.battlelore import sheets as shared
from generator.games.battlelore.board import CAMPS, SECTIONS, Camp
from generator.games.battlelore.lore import lore
from generator.games.battlelore.units import Unit
from generator.games.battlelore.words import camp_name, section_name
from generator.games.battlelore.words import words as battlelore
from generator.games.call_to_arms.cardsheet import card_view
from generator.games.call_to_arms.scenario import Force, Scenario
from generator.games.call_to_arms.wishes import switches
from generator.games.call_to_arms.words import setup_steps, words
from generator.model.views import Kit, Sheet
from generator.model.words import Words, joined, same
from generator.rules.rule import Report


def kit(scenario: Scenario, report: Report, stamp: str, command: str) -> Kit:
    """The kit: cover, map, packing and set-up, each side's cards and records, fields of fire, reference."""
    sheets = [
        shared.map_sheet(scenario),
        shared.setup_sheet(scenario, [_levies(scenario)], words()["step"]),
    ]
    for camp in CAMPS:
        sheets += [_cards(scenario, camp), _record(scenario, camp), *shared.fire_sheets(scenario, camp)]
    sheets.append(shared.reference_sheet(scenario, switches()))
    files = scenario.origin.files
    say = words()["cover"]
    cover = shared.cover(
        scenario,
        report,
        stamp,
        command,
        sheets,
        mode=say[scenario.mode],
        armies={camp: _army(scenario, force) for camp, force in scenario.forces.items()},
        steps=setup_steps(),
        content=say["owner"].fill(name=files["deck"].name) if "deck" in files else say["house"],
    )
    return Kit(words()["game"]["title"], scenario.title, stamp, (cover, *sheets))


def _army(scenario: Scenario, force: Force) -> Words:
    flavour = scenario.deck.flavour_of(force.camp, force.set).title
    return words()["cover"]["set"].fill(set=force.set, flavour=flavour)


def _levies(scenario: Scenario) -> Words:
    say = words()["packing"]
    levies = Counter(lore().banners[u.kind.banner].name for _, u in scenario.units if u.levy)
    tokens = [Words(f"{n} {name.en.lower()}", f"{name.ja}{n}") for name, n in levies.items()]
    return say["levies"].fill(list=joined(tokens)) if tokens else say["no_levies"]


def _cards(scenario: Scenario, camp: Camp) -> Sheet:
    force = scenario.forces[camp]
    places = [*(section_name(s) for s in SECTIONS), words()["cards"]["reserve"]]
    flavour = scenario.deck.flavour_of(camp, force.set)
    return Sheet(
        part="cards",
        title=words()["cards"]["title"],
        template="call_to_arms/cards.xml",
        view={"intro": words()["cards"]["intro"].fill(set=force.set, title=flavour.title, text=flavour.text)},
        figures={
            f"card{i}": card_view(scenario.deck, scenario.card(camp, key), place)
            for i, (key, place) in enumerate(zip(force.keys, places, strict=True))
        },
        side=camp_name(camp),
    )


def _record(scenario: Scenario, camp: Camp) -> Sheet:
    force = scenario.forces[camp]
    return shared.record_sheet(scenario, camp, force.units, {u.id: _remark(force, u) for u in force.units})


def _remark(force: Force, unit: Unit) -> Words:
    """The card a unit came with, and whatever was out of the ordinary."""
    say = battlelore()["record"]
    marks = {
        "reserve": unit.card == force.reserve,
        "displaced": unit.placed == "displaced",
        "lost": unit.placed == "lost",
        "levy": unit.levy,
    }
    return joined([same(unit.card), *(say[name] for name, holds in marks.items() if holds)])
