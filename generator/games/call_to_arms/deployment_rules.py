"""What makes a battle legal: units on their cards' hexes, and reserves.

Where the units of the three cards on the map may stand.

The reserves: which, how many, where.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from generator.common.tables import RuleBook
from generator.games.battlelore import ground_rules
from generator.games.battlelore.forces import Unit
from generator.games.battlelore.ground import SECTIONS, Section, Side, side_name
from generator.games.call_to_arms.cards import cell_name
from generator.games.call_to_arms.model import Force, Scenario
from generator.games.call_to_arms.tables import numbers
from generator.grid.hexes import Hex, distance
from generator.rules import Fault

rule = RuleBook("call_to_arms/rules.toml")


@rule("deploy.units")
def as_printed(scenario: Scenario) -> Iterator[Fault]:
    for camp, force in scenario.forces.items():
        deployed = Counter((u.card, u.cell) for u in force.deployed)
        printed = {
            (key, (of.column, of.row)): of.kind
            for key in force.cards.values()
            for of in scenario.card(camp, key).units
        }
        for (key, cell), kind in printed.items():
            if key != force.reserve and not deployed[key, cell]:
                yield Fault(camp, "missing", {"kind": kind.name, "card": key, "cell": cell_name(cell)})
        for (key, cell), count in deployed.items():
            if count > 1 and (key, cell) in printed:
                yield Fault(camp, "twice", {"card": key, "cell": cell_name(cell)})
        for unit in force.deployed:
            want = printed.get((unit.card, unit.cell))
            if want is None:
                yield Fault(camp, "extra", {"unit": unit.id, "kind": unit.kind.name})
            elif want != unit.kind:
                yield Fault(camp, "kind", {"unit": unit.id, "kind": unit.kind.name, "printed": want.name})


def _own(scenario: Scenario, force: Force) -> Iterator[tuple[Section, Unit, Hex]]:
    """Each unit printed on the three cards with its section and the hex its card names."""
    for section in SECTIONS:
        printed = {(of.column, of.row) for of in scenario.card(force.camp, force.cards[section]).units}
        for unit in force.deployed:
            if unit.card == force.cards[section] and unit.cell in printed:
                yield section, unit, scenario.board.plan.card_hex(force.camp, section, *unit.cell)


@rule("deploy.hex")
def on_its_hex(scenario: Scenario) -> Iterator[Fault]:
    name = scenario.board.field.name
    for force in scenario.forces.values():
        for _, unit, own in _own(scenario, force):
            if unit.hex and unit.placed != "displaced" and unit.hex != own:
                yield Fault(unit.id, "elsewhere", {"unit": unit.id, "hex": name(unit.hex), "own": name(own)})


@rule("deploy.displaced")
def displaced_if_forced(scenario: Scenario) -> Iterator[Fault]:
    name = scenario.board.field.name
    for force in scenario.forces.values():
        for _, unit, own in _own(scenario, force):
            if unit.placed == "displaced" and unit.hex and scenario.board.passable(own):
                yield Fault(unit.id, "unforced", {"unit": unit.id, "hex": name(unit.hex), "own": name(own)})


def _refuges(scenario: Scenario, camp: Side, section: Section, own: Hex, taken: set[Hex]) -> set[Hex]:
    """The lawful hexes for a displaced unit, before anything is said of shared hexes and other units."""
    board = scenario.board
    if scenario.rulings["displaced"] == "baseline":
        cells = board.plan.baseline(camp, section)
    else:
        cells = tuple(c for c in board.plan.section_cells(section, camp) if not board.plan.shared(c))
    free = {c for c in cells if board.passable(c)} - taken
    if scenario.rulings["displaced"] == "nearest":
        nearest = min((distance(c, own) for c in free), default=0)
        free = {c for c in free if distance(c, own) == nearest}
    return free


def _displaced(scenario: Scenario) -> Iterator[tuple[Unit, set[Hex]]]:
    """Each unit whose own hex is impassable, in card order, with the hexes that were open to it.

    Units on their own hexes stand first; each displaced unit then takes its hex from those after it.
    """
    board = scenario.board
    for camp, force in scenario.forces.items():
        taken: dict[Section, set[Hex]] = defaultdict(set)
        forced: list[tuple[Section, Unit, Hex]] = []
        for section, unit, own in _own(scenario, force):
            if board.passable(own):
                taken[section] |= {unit.hex} if unit.hex else set()
            else:
                forced.append((section, unit, own))
        order = {(of.column, of.row): i for key in force.keys for i, of in enumerate(scenario.card(camp, key).units)}
        forced.sort(key=lambda f: (SECTIONS.index(f[0]), order.get(f[1].cell, 0)))
        for section, unit, own in forced:
            yield unit, _refuges(scenario, camp, section, own, taken[section])
            taken[section] |= {unit.hex} if unit.hex else set()


@rule("deploy.refuge")
def in_a_refuge(scenario: Scenario) -> Iterator[Fault]:
    # A shared, impassable or doubly used hex is for the rules of those names.
    board = scenario.board
    holders = Counter(unit.hex for _, unit in scenario.units)
    for unit, open_to in _displaced(scenario):
        at = unit.hex
        if at is None or unit.placed != "displaced" or at in open_to:
            continue
        if board.passable(at) and not board.plan.shared(at) and holders[at] == 1:
            yield Fault(unit.id, "elsewhere", {"unit": unit.id, "hex": board.field.name(at)})


@rule("deploy.lost")
def lost_if_forced(scenario: Scenario) -> Iterator[Fault]:
    homeless = {unit.id for unit, open_to in _displaced(scenario) if not open_to}
    for camp, force in scenario.forces.items():
        real = [u.kind for u in force.standing if not u.levy]
        tokens = Counter(u.kind.banner for u in force.standing if u.levy)
        room = [
            c
            for c in scenario.board.plan.baseline(camp)
            if scenario.board.passable(c) and c not in {u.hex for u in force.standing}
        ]
        for unit in force.units:
            if unit.hex or unit.id in homeless:
                continue
            short = not scenario.pool.fits(camp, [*real, unit.kind])
            spent = tokens[unit.kind.banner] >= scenario.pool.levies(camp, unit.kind.banner)
            full = unit.card == force.reserve and not room
            if not (full or (short and spent)):
                yield Fault(unit.id, "unforced", {"unit": unit.id})


@rule("deploy.impassable")
def impassable(scenario: Scenario) -> Iterator[Fault]:
    return ground_rules.passable(scenario)


@rule("deploy.stack")
def alone(scenario: Scenario) -> Iterator[Fault]:
    return ground_rules.alone(scenario)


@rule("deploy.shared")
def shared(scenario: Scenario) -> Iterator[Fault]:
    return ground_rules.off_shared(scenario)


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
            yield Fault(camp, "count", {"camp": side_name(camp), "have": have, "want": want})


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
