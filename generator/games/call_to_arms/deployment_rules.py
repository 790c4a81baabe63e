"""Rules that check that units are on the hexes of their cards, and the placing of reserves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from typing import Literal, NamedTuple

from generator.common.tables import RuleBook
from generator.games.battlelore import ground_rules
from generator.games.battlelore.forces import Kind, Unit
from generator.games.battlelore.ground import SECTIONS, Section, Side, section_name, side_name
from generator.games.battlelore.ground_rules import misplaced
from generator.games.battlelore.model import OTHER, corrected, row_keys
from generator.games.call_to_arms.cards import CardUnit, cell_name
from generator.games.call_to_arms.model import Force, Scenario
from generator.games.call_to_arms.tables import numbers, words
from generator.grid.hexes import Hex, distance
from generator.model.words import joined, same
from generator.rules import Fault

rule = RuleBook("call_to_arms/rules.toml")
rule.bind_shared(
    {
        "deploy.impassable": ground_rules.passable,
        "deploy.stack": ground_rules.alone,
        "deploy.shared": ground_rules.off_shared,
    }
)


class _Printed(NamedTuple):
    """A unit that a section card shows, with the units of the file that match it."""

    section: Section
    key: str
    of: CardUnit
    card_hex: Hex
    units: tuple[Unit, ...]


def _printed(scenario: Scenario, camp: Side) -> Iterator[_Printed]:
    """Yield the units that a camp's three section cards show, in card order."""
    force, plan = scenario.forces[camp], scenario.board.plan
    deployed = force.deployed
    for section in SECTIONS:
        key = force.cards[section]
        if key == force.reserve:
            continue  # The rule cards.twice reports this.
        for of in scenario.card(camp, key).units:
            units = tuple(u for u in deployed if u.cell == of.cell and u.card == key)
            yield _Printed(section, key, of, plan.card_hex(camp, section, *of.cell), units)


def _misnamed(scenario: Scenario, force: Force, place: Section | Literal["reserve"]) -> Fault:
    """Return the fault of a place for which the file names a different card than the units there require."""
    values: dict[str, object] = {"camp": side_name(force.camp), "card": force.typos[place]}
    if place == "reserve":
        values |= {
            "place": words()["cards"]["reserve"].low,
            "other": joined(map(same, _fitting(scenario, force, force.reserves)), " / ", "／"),
        }
    else:
        values |= {"place": section_name(place).low, "other": force.cards[place]}
    units = force.reserves if place == "reserve" else [u for u in force.units if u.card == force.cards[place]]
    cells = _cells(scenario, units)
    return Fault(force.camp, "card", values, at=(force.camp, place), cells=cells, suggested_fix=force.meant(place))


def _fitting(scenario: Scenario, force: Force, units: Iterable[Unit]) -> list[str]:
    """Return the cards that contain all these reserves but are not named in the file.

    The reserve card used for checking comes first.
    """
    came = Counter(unit.kind for unit in units)
    every = [force.reserve, *(ref for of in force.sets for ref in scenario.deck.refs(force.camp, of))]
    out = {force.head["reserve"], *force.cards.values()}
    fits = [ref for ref in every if came <= Counter(of.kind for of in scenario.card(force.camp, ref).units)]
    return [ref for ref in dict.fromkeys(fits) if ref not in out]


def _values_of(scenario: Scenario, printed: _Printed) -> dict[str, object]:
    """Return the values that messages use to describe a unit on a card."""
    name = scenario.board.field.name
    cell = cell_name(printed.of.cell)
    return {"card": printed.key, "cell": cell, "kind": printed.of.kind.name.low, "own": name(printed.card_hex)}


@rule("deploy.units")
def as_printed(scenario: Scenario) -> Iterator[Fault]:
    board, name = scenario.board, scenario.board.field.name
    for camp, force in scenario.forces.items():
        known: set[tuple[str, tuple[int, int]]] = set()
        baseline = board.plan.baseline(camp)
        yield from (_misnamed(scenario, force, place) for place in SECTIONS if place in force.typos)
        for printed in _printed(scenario, camp):
            known.add((printed.key, printed.of.cell))
            printed_values, hex_name = _values_of(scenario, printed), name(printed.card_hex)
            if not printed.units:
                open_ = board.passable(printed.card_hex)
                row = Unit("", printed.of.kind, "", printed.of.cell, "card", printed.card_hex)
                yield Fault(
                    hex_name,
                    "missing" if open_ else "homeless",
                    printed_values,
                    at=(camp, "units"),
                    lawful=(hex_name,) if open_ else (),
                    suggested_fix=corrected(board, row, printed.card_hex) if open_ else "",
                )
            for unit in printed.units[:1]:
                if unit.kind != printed.of.kind:
                    values = printed_values | {
                        "unit": unit.label,
                        "kind": unit.kind.name.low,
                        "printed": printed_values["kind"],
                    }
                    at = name(unit.hex) if unit.hex else ""
                    suggested_fix = corrected(board, unit, unit.hex, printed.of.kind)
                    keys = row_keys(scenario, camp, unit, "unit")
                    yield Fault(
                        at or unit.id, "kind", values, at=keys, cells=(at,) if at else (), suggested_fix=suggested_fix
                    )
            if len(printed.units) > 1:
                values = printed_values | {"units": joined([u.label for u in printed.units])}
                cells = tuple(name(u.hex) for u in printed.units if u.hex)
                keys = row_keys(scenario, camp, printed.units[-1])
                yield Fault(printed.units[-1].id, "twice", values, at=keys, cells=cells)
        for unit in force.deployed:
            if (unit.card, unit.cell) not in known and not unit.kind.piece:
                at = name(unit.hex) if unit.hex else ""
                # Either the unit is an extra reserve, or the file misnames the card that all reserves came from.
                others = _fitting(scenario, force, (*force.reserves, unit)) if force.reserves else []
                values = {"unit": unit.label, "kind": unit.kind.name.low}
                values["other"] = joined(map(same, others), " / ", "／")
                keys = row_keys(scenario, camp, unit)
                reason = "reserve" if others and unit.hex in baseline else "extra"
                yield Fault(at or unit.id, reason, values, at=keys, cells=(at,) if at else ())


def _card_units(scenario: Scenario) -> Iterator[tuple[Side, _Printed, Unit]]:
    """Yield each unit that was deployed from a section card, with its camp and the unit that the card shows."""
    for camp in scenario.forces:
        for printed in _printed(scenario, camp):
            for unit in printed.units:
                yield camp, printed, unit


@rule("deploy.hex")
def on_its_hex(scenario: Scenario) -> Iterator[Fault]:
    for camp, printed, unit in _card_units(scenario):
        if unit.hex and unit.placed != "displaced" and unit.hex != printed.card_hex:
            values = _values_of(scenario, printed)
            if scenario.board.passable(printed.card_hex):
                yield misplaced(scenario, camp, unit, "elsewhere", [printed.card_hex], **values)
            else:
                yield misplaced(scenario, camp, unit, "unsaid", [unit.hex], **values)


@rule("deploy.displaced")
def displaced_if_forced(scenario: Scenario) -> Iterator[Fault]:
    for camp, printed, unit in _card_units(scenario):
        if unit.placed == "displaced" and unit.hex and scenario.board.passable(printed.card_hex):
            yield misplaced(scenario, camp, unit, "unforced", [printed.card_hex], **_values_of(scenario, printed))


def _refuges(scenario: Scenario, camp: Side, section: Section, card_hex: Hex, taken: Container[Hex]) -> list[Hex]:
    """Return the hexes permitted for a displaced unit. Shared hexes and units of other sections are not excluded."""
    board = scenario.board
    if scenario.rulings["displaced"] == "baseline":
        cells = board.plan.baseline(camp, section)
    else:
        cells = tuple(c for c in board.plan.section_cells(section, camp) if not board.plan.shared(c))
    free = [c for c in cells if board.passable(c) and c not in taken]
    if scenario.rulings["displaced"] == "nearest":
        nearest = min((distance(c, card_hex) for c in free), default=0)
        free = [c for c in free if distance(c, card_hex) == nearest]
    return free


class _Displaced(NamedTuple):
    """A unit whose card hex is impassable, and the hexes open to the unit."""

    camp: Side
    printed: _Printed
    unit: Unit
    open: list[Hex]


def _displaced(scenario: Scenario) -> Iterator[_Displaced]:
    """Yield each unit whose card hex is impassable, in an order in which as many as possible are on a permitted hex.

    Displaced units choose one after another among the hexes that are left by units on their card hexes and by
    earlier displaced units. A unit that is on a permitted hex is yielded at once, because its choice does not
    reduce the number of other units on permitted hexes. Units that remain at the end are faults.
    """
    board = scenario.board
    for camp in scenario.forces:
        every = list(_printed(scenario, camp))
        for section in SECTIONS:
            came = [(p, u) for p in every if p.section == section for u in p.units]
            taken = {u.hex for p, u in came if board.passable(p.card_hex) and u.hex}
            left = [(p, u) for p, u in came if not board.passable(p.card_hex)]

            def open_to(of: _Printed, camp: Side = camp, taken: set[Hex] = taken) -> list[Hex]:
                return _refuges(scenario, camp, of.section, of.card_hex, taken)

            while left:
                good = next((i for i, (p, u) in enumerate(left) if u.hex in open_to(p)), None)
                # Units that are not on the board come last, after all other units have their hexes.
                last = next((i for i, (_, u) in enumerate(left) if u.hex), 0)
                printed, unit = left.pop(last if good is None else good)
                yield _Displaced(camp, printed, unit, open_to(printed))
                taken |= {unit.hex} if unit.hex else set()


@rule("deploy.refuge")
def in_a_refuge(scenario: Scenario) -> Iterator[Fault]:
    # Other rules report hexes that are shared, impassable or occupied twice.
    board = scenario.board
    holders = Counter(unit.hex for _, unit in scenario.units)
    for camp, printed, unit, open_to in _displaced(scenario):
        at = unit.hex
        if at is None or unit.placed != "displaced" or at in open_to:
            continue
        if board.passable(at) and not board.plan.shared(at) and holders[at] == 1:
            free = [cell for cell in open_to if not holders[cell]]
            reason = "elsewhere" if free else "nowhere"
            yield misplaced(scenario, camp, unit, reason, free, **_values_of(scenario, printed))


@rule("deploy.lost")
def lost_if_forced(scenario: Scenario) -> Iterator[Fault]:
    refuges = {id(of.unit): of.open for of in _displaced(scenario)}
    for camp, printed, unit in _card_units(scenario):
        if unit.hex or _spent(scenario, camp, unit.kind):
            continue
        open_ = refuges.get(id(unit), [printed.card_hex])
        if open_:
            yield misplaced(scenario, camp, unit, "unforced", open_)


def _spent(scenario: Scenario, camp: Side, kind: Kind) -> bool:
    """Return whether no figures, banners or levy tokens are left for one more unit of this kind."""
    units = scenario.forces[camp].units_on_board
    if scenario.pool.fits(camp, [*(u.kind for u in units if not u.levy), kind]):
        return False
    tokens = sum(u.levy and u.kind.banner == kind.banner for u in units)
    return tokens >= scenario.pool.levies(camp, kind.banner)


@rule("reserve.units")
def from_the_card(scenario: Scenario) -> Iterator[Fault]:
    for camp, force in scenario.forces.items():
        printed = {of.cell: of.kind for of in scenario.card(camp, force.reserve).units}
        if "reserve" in force.typos:
            yield _misnamed(scenario, force, "reserve")
        for unit in force.reserves:
            if printed.get(unit.cell) != unit.kind:
                values = {"unit": unit.label, "kind": unit.kind.name.low, "card": force.reserve}
                keys = row_keys(scenario, camp, unit)
                yield Fault(unit.id, "foreign", values, at=keys, cells=_cells(scenario, [unit]))
        for cell, kind in printed.items():
            units = [u for u in force.reserves if u.cell == cell]
            if len(units) > 1:
                values = {"cell": cell_name(cell), "card": force.reserve, "kind": kind.name.low}
                values |= {"units": joined([u.label for u in units])}
                keys = row_keys(scenario, camp, units[-1])
                yield Fault(units[-1].id, "twice", values, at=keys, cells=_cells(scenario, units))


def _cells(scenario: Scenario, units: Iterable[Unit]) -> tuple[str, ...]:
    return tuple(scenario.board.field.name(u.hex) for u in units if u.hex)


def _empty_sections(scenario: Scenario, camp: Side) -> list[Hex]:
    """Return the unoccupied passable hexes of the camp's baseline."""
    taken = {unit.hex for _, unit in scenario.units}
    return [c for c in scenario.board.plan.baseline(camp) if scenario.board.passable(c) and c not in taken]


@rule("reserve.count")
def no_more(scenario: Scenario) -> Iterator[Fault]:
    camp = OTHER[scenario.first]
    reserves, max_reserves = scenario.forces[camp].reserves, numbers().second_reserves
    if len(reserves) > max_reserves:
        values = {"camp": side_name(camp), "have": len(reserves), "want": max_reserves}
        keys = row_keys(scenario, camp, reserves[-1])
        yield Fault(camp, "count", values, at=keys, cells=_cells(scenario, reserves))


@rule("reserve.few")
def no_fewer(scenario: Scenario) -> Iterator[Fault]:
    camp = OTHER[scenario.first]
    force, empty = scenario.forces[camp], _empty_sections(scenario, camp)
    units = scenario.card(camp, force.reserve).units
    # A chosen unit for which no figures are left counts as placed.
    came = {u.cell for u in force.reserves if u.hex or _spent(scenario, camp, u.kind)}
    want = min(numbers().second_reserves, len(units))
    could = [of for of in units if of.cell not in came and not _spent(scenario, camp, of.kind)]
    if len(came) < want and empty and could:
        yield _lacking(scenario, force, "few", could[0], empty, have=len(came), want=want)


@rule("reserve.rest")
def all_of_them(scenario: Scenario) -> Iterator[Fault]:
    camp = scenario.first
    force, empty = scenario.forces[camp], _empty_sections(scenario, camp)
    came = {unit.cell for unit in force.reserves if unit.hex}
    units = scenario.card(camp, force.reserve).units
    left = [of for of in units if of.cell not in came and not _spent(scenario, camp, of.kind)][: len(empty)]
    # More serious rules report a wrong first player, faults of the deployment and missing figures.
    due = any(unit.hex is None and not _spent(scenario, camp, unit.kind) for unit in force.deployed)
    short = not scenario.pool.fits(camp, [unit.kind for unit in force.units_on_board if not unit.levy])
    twice = len(came) < sum(unit.hex is not None for unit in force.reserves)
    first = scenario.green(camp) >= scenario.green(OTHER[camp])
    if left and first and not due and not short and not twice:
        cell_text = joined([same(cell_name(of.cell)) for of in left])
        yield _lacking(scenario, force, "left", left[0], empty, card=force.reserve, units=cell_text)


def _lacking(
    scenario: Scenario, force: Force, reason: str, of: CardUnit, empty: list[Hex], **values: object
) -> Fault:
    """Return the fault of missing reserves. It suggests a row for the first missing unit on the first free hex."""
    camp, lawful = force.camp, tuple(map(scenario.board.field.name, empty))
    row = Unit("", of.kind, "", of.cell, "reserve", empty[0])
    suggested_fix = "" if force.derived else corrected(scenario.board, row, empty[0])
    keys = (camp, "reserves" if force.derived else "reserve")
    values |= {"camp": side_name(camp), "lawful": joined(map(same, lawful))}
    return Fault(camp, reason, values, at=keys, lawful=lawful, suggested_fix=suggested_fix)


@rule("reserve.place")
def on_the_baseline(scenario: Scenario) -> Iterator[Fault]:
    for camp, force in scenario.forces.items():
        baseline = scenario.board.plan.baseline(camp)
        for unit in force.reserves:
            if unit.hex and unit.hex not in baseline:
                yield misplaced(scenario, camp, unit, "elsewhere", _empty_sections(scenario, camp))
