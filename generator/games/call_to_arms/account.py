"""The steps of a game that its scenario bears out by itself, whether or not a log tells them."""

from __future__ import annotations

from collections.abc import Iterator

from generator.games.battlelore.battle import OFF_BOARD, OTHER
from generator.games.battlelore.file import kind_text
from generator.games.battlelore.ground.board import CAMPS, SECTIONS, Camp
from generator.games.call_to_arms.scenario import Scenario
from generator.games.call_to_arms.words import numbers
from generator.games.logs import Step
from generator.grid.hexes import Hex


def account(scenario: Scenario) -> list[Step]:
    """What happened as far as the scenario shows it, in the players' order, each unit's fate told once."""
    fates = {step.result[0] for step in shown(scenario) if step.what in ("lost", "reserve")}
    return [step for step in shown(scenario) if step.what != "short" or step.result[0] not in fates]


def shown(scenario: Scenario) -> Iterator[Step]:
    """Every step that the scenario bears out, in the players' order; a unit may be lost for either of two reasons."""
    yield Step("map", None, "", (scenario.map,))
    if scenario.owner:
        yield Step("owner", scenario.owner, "", ())
    for camp, force in scenario.forces.items():
        yield Step("set", camp, "", force.sets)
        yield Step("places", camp, "", force.keys)
        yield from _deployed(scenario, camp)
    green = {
        camp: sum(u.kind.banner == "green" and bool(u.hex) for u in f.deployed) for camp, f in scenario.forces.items()
    }
    yield Step("green", None, "", tuple(str(green[camp]) for camp in CAMPS))
    yield Step("first", scenario.first, "", ())
    for camp in (OTHER[scenario.first], scenario.first):
        yield from _reserves(scenario, camp)
        for exchange in scenario.exchanges:
            if exchange.camp == camp:
                yield Step("exchange", camp, "", (exchange.unit, kind_text(exchange.kind)))
    for camp, force in scenario.forces.items():
        if force.council:
            yield Step("council", camp, "", tuple(f"{seat} {level}" for seat, level in force.council.items()))
    yield from _picks(scenario)
    for play in scenario.plays:
        yield Step("play", play.camp, "", (play.card, *play.choices))


def _picks(scenario: Scenario) -> Iterator[Step]:
    """Specialists in the order of picking; more than the turns allow come last."""
    left = {camp: list(force.specialists) for camp, force in scenario.forces.items()}
    owner = scenario.owner or scenario.first
    turns = [owner if turn == "owner" else OTHER[owner] for turn in numbers().picks]
    for camp in (*turns, *(c for c in CAMPS for _ in left[c])):
        if left[camp]:
            yield Step("pick", camp, "", (left[camp].pop(0),))


def _deployed(scenario: Scenario, camp: Camp) -> Iterator[Step]:
    force, board = scenario.forces[camp], scenario.board
    section_of = {force.cards[section]: section for section in SECTIONS}
    for unit in force.deployed:
        if unit.levy:
            yield Step("levy", camp, "", (unit.id, unit.kind.banner))
        if not unit.hex:
            yield Step("short", camp, "", (unit.id,))
        if unit.card in section_of and unit.cell[0] >= 0:
            own = board.plan.card_hex(camp, section_of[unit.card], *unit.cell)
            if unit.hex and unit.placed == "displaced":
                yield Step("displaced", camp, "", (unit.id, _name(scenario, own), _name(scenario, unit.hex)))
            elif not unit.hex and not board.passable(own):
                yield Step("lost", camp, "", (unit.id, _name(scenario, own)))


def _reserves(scenario: Scenario, camp: Camp) -> Iterator[Step]:
    board, force = scenario.board, scenario.forces[camp]
    taken = {unit.hex for unit in force.units}
    room = any(board.passable(cell) and cell not in taken for cell in board.plan.baseline(camp))
    for unit in force.reserves:
        if unit.levy:
            yield Step("levy", camp, "", (unit.id, unit.kind.banner))
        if not unit.hex:
            yield Step("short", camp, "", (unit.id,))
        if unit.hex or not room:
            yield Step("reserve", camp, "", (unit.id, _name(scenario, unit.hex)))


def _name(scenario: Scenario, cell: Hex | None) -> str:
    return scenario.board.field.name(cell) if cell else OFF_BOARD
