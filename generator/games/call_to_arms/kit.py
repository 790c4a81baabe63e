"""Everything that is printed for one Call to Arms scenario, as sheets ready for the press."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from generator.games.battlelore.board import CAMPS, SECTIONS, Camp
from generator.games.battlelore.fire import fields_of_fire, fire_key, fire_map, fire_row
from generator.games.battlelore.lore import lore
from generator.games.battlelore.mapsheet import hex_name, map_view, unit_token
from generator.games.battlelore.reference import moves, reach, reference
from generator.games.battlelore.tiles import needs
from generator.games.battlelore.units import Kind, Unit
from generator.games.battlelore.words import camp_name, section_name
from generator.games.battlelore.words import words as shared
from generator.games.call_to_arms.cardsheet import card_view
from generator.games.call_to_arms.checklist import checklist
from generator.games.call_to_arms.evenness import points
from generator.games.call_to_arms.scenario import OTHER, Force, Scenario
from generator.games.call_to_arms.wishes import RANDOM, switches
from generator.games.call_to_arms.words import words
from generator.model.views import Figure, Kit, Sheet
from generator.model.words import Words, joined, same
from generator.rules.rule import Report


def kit(scenario: Scenario, report: Report, stamp: str, command: str) -> Kit:
    """The kit: cover, map, packing and set-up, each side's cards and records, fields of fire, reference."""
    sheets = [_map(scenario), _setup(scenario)]
    for camp in CAMPS:
        sheets += [_cards(scenario, camp), _record(scenario, camp), *_fire(scenario, camp)]
    sheets.append(_reference(scenario))
    cover = _cover(scenario, report, stamp, command, sheets)
    return Kit(words()["game"]["title"], scenario.title, stamp, (cover, *sheets))


def _cover(scenario: Scenario, report: Report, stamp: str, command: str, sheets: list[Sheet]) -> Sheet:
    say = words()["cover"]
    first, second = camp_name(scenario.first), camp_name(OTHER[scenario.first])
    if report.illegal:
        verdict = say["illegal"].fill(n=len(report.illegal))
    elif report.unproved:
        verdict = say["unproved"].fill(n=len(report.rules), m=len(report.unproved))
    else:
        verdict = say["legal"].fill(n=len(report.rules))
    facts: list[tuple[Words, Words]] = [
        (say["map"], say[RANDOM] if scenario.map == RANDOM else same(scenario.map)),
        *((camp_name(camp), _army(scenario, force)) for camp, force in scenario.forces.items()),
        (say["first"], first),
        (say["win"], same(scenario.banners)),
        (say["hand"], same(scenario.hand)),
        (say["code"] if scenario.origin.code else say["content"], same(stamp)),
    ]
    files = scenario.origin.files
    deck = say["owner"].fill(name=files["deck"].name) if "deck" in files else say["house"]
    return Sheet(
        part="cover",
        title=scenario.title,
        template="call_to_arms/cover.xml",
        view={
            "facts": [{"name": name, "value": value} for name, value in facts],
            "mode": scenario.mode,
            "inside": list(dict.fromkeys(s.title for s in sheets)),
            "values": {
                "first": first,
                "second": second,
                "hand": same(scenario.hand),
                "banners": same(scenario.banners),
            },
            "command": command,
            "files": [f"{f.name}  sha256 {f.sha256}" for f in files.values()],
            "verdict": verdict,
            "content": deck,
        },
        figures={"map": map_view(scenario.board, scenario.units, small=True)},
    )


def _army(scenario: Scenario, force: Force) -> Words:
    say = words()["cover"]
    flavour = scenario.deck.flavour_of(force.camp, force.set).title
    total = sum(points(unit.kind) for unit in force.standing)
    army = say["set"].fill(set=force.set, flavour=flavour), say["units"].fill(n=len(force.standing), points=total)
    return joined(list(army))


def _map(scenario: Scenario) -> Sheet:
    return Sheet(
        part="map",
        title=shared()["part"]["map"],
        template="battlelore/map.xml",
        view={},
        figures={"map": map_view(scenario.board, scenario.units)},
        landscape=True,
    )


def _setup(scenario: Scenario) -> Sheet:
    say, tables = words()["packing"], lore()
    faces = needs(scenario.board)
    kinds = (*tables.features.values(), *tables.terrain.values())
    named = {face: kind.name for kind in kinds for face in kind.tiles[-1:]}
    levies = Counter(tables.banners[u.kind.banner].name for _, u in scenario.units if u.levy)
    tokens = joined([Words(f"{n} {name.en.lower()}", f"{name.ja}{n}") for name, n in levies.items()])
    return Sheet(
        part="setup",
        title=shared()["part"]["setup"],
        template="call_to_arms/setup.xml",
        view={
            "terrain": [{"name": named[face], "count": count} for face, count in sorted(faces.items()) if count],
            "armies": [_packed(scenario.forces[camp]) for camp in CAMPS],
            "also": [
                say["command"].fill(n=scenario.hand),
                say["dice"],
                say["banners"].fill(n=scenario.banners),
                say["levies"].fill(list=tokens) if levies else say["no_levies"],
            ],
            "groups": checklist(scenario),
        },
    )


def _packed(force: Force) -> dict[str, object]:
    """What a camp fetches from the box, by kind of unit."""
    kinds = Counter(u.kind for u in force.standing if not u.levy)
    order = [list(t) for t in (lore().weapons, lore().races, lore().banners)]

    def place(kind: Kind) -> tuple[int, ...]:
        names = (kind.weapon, kind.race, kind.banner)
        return tuple(ids.index(name) for ids, name in zip(order, names, strict=True))

    rows = [{"name": k.name, "units": kinds[k], "figures": kinds[k] * k.figures} for k in sorted(kinds, key=place)]
    return {
        "camp": camp_name(force.camp),
        "rows": rows,
        "units": kinds.total(),
        "figures": sum(n * k.figures for k, n in kinds.items()),
    }


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
    force, say = scenario.forces[camp], shared()["record"]
    figures: Mapping[str, Figure] = {unit.id: unit_token(camp, unit) for unit in force.units}
    return Sheet(
        part="records",
        title=say["title"],
        template="battlelore/record.xml",
        view={
            "rows": [_record_row(scenario, force, unit) for unit in force.units],
            "order": say["first" if scenario.first == camp else "second"],
            "hand": say["hand"].fill(n=scenario.hand),
            "track": say["track"].fill(n=scenario.banners),
            "banners": scenario.banners,
        },
        figures=figures,
        side=camp_name(camp),
    )


def _record_row(scenario: Scenario, force: Force, unit: Unit) -> dict[str, object]:
    say, tables, kind = shared()["record"], lore(), unit.kind
    banner = tables.banners[kind.banner]
    remarks = [same(unit.card)]
    if unit.card == force.reserve:
        remarks.append(say["reserve"])
    if unit.placed in ("displaced", "lost"):
        remarks.append(say[unit.placed])
    if unit.levy:
        remarks.append(say["levy"])
    return {
        "id": unit.id,
        "kind": kind.name,
        "hex": hex_name(scenario.board, unit.hex),
        "dice": banner.dice,
        "move": moves(banner.move, banner.run, kind.arm),
        "range": reach(tables.weapons[kind.weapon].range),
        "figures": kind.figures if unit.hex else 0,
        "remark": joined(remarks),
    }


def _fire(scenario: Scenario, camp: Camp) -> Iterator[Sheet]:
    """The camp's fields of fire; no sheet where it has no bows."""
    fields = [f for f in fields_of_fire(scenario.board, scenario.units, scenario.rulings) if f.camp == camp]
    if not fields:
        return
    yield Sheet(
        part="fire",
        title=shared()["fire"]["title"],
        template="battlelore/fire.xml",
        view={"rows": [fire_row(scenario.board, field) for field in fields]},
        figures={field.unit.id: fire_map(scenario.board, field, scenario.units) for field in fields}
        | {"key": replace(map_view(scenario.board, small=True), legend=fire_key())},
        side=camp_name(camp),
        pages=3,
    )


def _reference(scenario: Scenario) -> Sheet:
    return Sheet(
        part="reference",
        title=shared()["reference"]["title"],
        template="battlelore/reference.xml",
        view=reference(scenario.board, (u.kind for _, u in scenario.units), switches(), scenario.rulings),
    )
