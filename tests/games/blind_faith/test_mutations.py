"""Tests that break legal scenarios in every way that a rule forbids.

Each change breaks exactly the rules it names.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from msgspec.structs import replace

from generator.common.scenario_file import Step
from generator.games.blind_faith.file import read, write
from generator.games.blind_faith.ground import Place
from generator.games.blind_faith.model import Routed, Scenario
from generator.games.blind_faith.rules import rules
from generator.model.scenario import Origin
from generator.model.words import same
from generator.notation import envelope, text
from generator.notation.toml import Source
from generator.rules import Finding, check
from tests.games.blind_faith.scenes import (
    TEXTS,
    Edit,
    Row,
    battle,
    both,
    changed,
    fired,
    ground,
    hex_of,
    line,
    path,
    report,
    scene,
    siege,
    stack,
)


def place(at: str, terrain: str) -> Edit:
    """Return an edit that sets the terrain of a hex and puts a town on the hex."""

    def edit(of: Scenario) -> Scenario:
        cell = hex_of(of, at)
        op_map = replace(of.op_map, places={**of.op_map.places, cell: Place("town", same("Brod"))})
        return ground(**{at: terrain})(replace(of, op_map=op_map))

    return edit


def castle(of: Scenario) -> Scenario:
    """Return the siege with a castle instead of the town."""
    cell = of.active.hex
    places = {**of.op_map.places, cell: Place("castle", same("Rabi"))}
    return siege(wall="castle")(replace(of, op_map=replace(of.op_map, places=places)))


def pack(unit: str, **changes: int | bool) -> Edit:
    """Return an edit that changes a unit class of the pack."""

    def edit(of: Scenario) -> Scenario:
        units = dict(of.pack.units)
        units[unit] = structs.replace(units[unit], **changes)
        return replace(of, pack=replace(of.pack, units=units))

    return edit


def routed(units: str, back: int) -> Edit:
    return lambda of: replace(of, routed=(Routed("hussite", line(of, units), back),))


def points(more: int) -> Edit:
    """Return an edit that sets the points to `more` above the cost of the more expensive side."""
    return lambda of: replace(of, points=max(of.pack.points(of.units_of(s.side)) for s in of.stacks) + more)


def equal_costs(of: Scenario) -> Scenario:
    """Give both sides equal costs with units of one class."""
    return both(
        stack("H1", units="6 gun"), stack("H2", units="gun"), stack("C1", units="6 gun"), stack("C2", units="gun")
    )(of)


def log_step(what: str, who: str | None, *result: str) -> Edit:
    return changed(log=(Step(what, who, "", result),))


def with_rulings(**rulings: str) -> Edit:
    """Return an edit that changes the given rulings."""
    return lambda of: replace(of, rulings={**of.rulings, **rulings})


TOO_STRONG = stack("H1", units="2 tabor, 4 hussite_foot, hussite_horse")
"""A stack with one unit more than the army has."""
TO_D1 = path("A1", "B1", "C1", "D1")
"""A march that ends at the interception, because the stacks beyond could block the rest of the path."""
NARROW = stack("H2", hex="D2")
"""C1 can reach D1 in time only through D2, which a Hussite stack occupies."""
CARDINAL = both(
    stack("C2", legate="winchester", units="cardinal, crusader_foot"),
    changed(legates=("lucena", "castiglione", "orsini", "cesarini")),
)
"""The crusade of the legate who is also a unit."""
OTHERS = ("lucena", "castiglione", "winchester", "cesarini")
"""Legate pile of the scenes."""
NO_CRUSADE = both(stack("C2", legate=""), changed(legates=(*OTHERS, "orsini"), crusade=False))

TABLE = [
    *(Row(f"{name}, as it stands", name, changed(), "") for name in TEXTS),
    Row("a corner behind water", "march", ground(I1="river", I2="river", J2="river"), "map.reach"),
    Row("a strip behind water", "march", ground(**{f"{column}6": "river" for column in "ABCDEFGHIJ"}), "map.reach"),
    Row("a town in a river", "siege", place("J1", "river"), "map.place"),
    Row("a stack in a river", "siege", both(stack("H2", hex="J1"), ground(J1="river")), "stack.hex"),
    Row("enemies side by side", "march", stack("H2", hex="J7"), "stack.enemy"),
    Row("an empty stack", "march", stack("H2", units=""), "stack.units"),
    Row("the enemy's units", "march", stack("H2", units="hussite_foot, knights"), "stack.units"),
    Row("the enemy's leader", "march", stack("H2", leader="albert"), "stack.leader"),
    Row("a leader twice", "march", stack("H2", leader="zizka"), "stack.leader"),
    Row("too few points", "march", points(-1), "army.points"),
    Row("points for more", "march", points(20), "army.points"),
    Row(
        "the points of both", "siege", both(equal_costs, siege(bombard="6 gun", storm="", reserve=""), points(0)), ""
    ),
    Row("two emperors", "march", stack("C2", units="2 sigismund"), "army.most"),
    Row("the emperor once", "march", stack("C2", units="sigismund"), ""),
    Row("the cardinal", "march", CARDINAL, ""),
    Row("a path that leads nowhere", "march", path("A1"), "march.path"),
    Row("a path from elsewhere", "march", path("B1", "C1"), "march.path"),
    Row("a path with a gap", "march", path("A1", "C1"), "march.path"),
    Row("a path through water", "march", both(path("A1", "B1", "C1"), ground(C1="river")), "march.path"),
    Row("a path that stands still", "march", path("A1", "A1", "B1", "C1"), "march.path"),
    Row("a path too long", "march", path("A1", "B1", "C1", "D1", "E1", "F1"), "march.movement"),
    Row("a path too dear", "march", ground(E1="woods"), "march.movement"),
    Row("a path through enemies", "march", stack("C2", hex="C1"), "march.held"),
    Row("a path to enemies", "march", both(stack("C2", hex="C1"), path("A1", "B1", "C1")), ""),
    Row("a path that may pass enemies", "march", both(stack("C2", hex="C1"), with_rulings(enemy_hexes="pass")), ""),
    Row("met off the path", "battle", battle(hex="D2"), "intercept.point"),
    Row("met where it set out", "battle", battle(hex="A1"), "intercept.point"),
    Row(
        "met by a friend",
        "battle",
        battle(defender="H2", defence=("", "")),
        "intercept.point intercept.units",
    ),
    Row("met by foot alone", "battle", battle(defender="C2", defence=("", "")), "intercept.units"),
    Row(
        "met at the same time", "battle", ground(D2="rough", E2="rough", D1="rough"), "intercept.first march.movement"
    ),
    Row("a tie", "battle", stack("C1", hex="E4"), "intercept.first"),
    Row("met too late", "battle", battle(hex="B1"), "intercept.first"),
    Row(
        "met by foot on its own hex",
        "battle",
        both(TO_D1, stack("C2", hex="D1"), battle(defender="C2", defence=("crusader_foot", ""))),
        "battle.even",
    ),
    Row("met through enemies", "battle", NARROW, "intercept.held"),
    Row("met through enemies, as ruled", "battle", both(NARROW, with_rulings(enemy_hexes="pass")), ""),
    Row("met around enemies, too late", "battle", both(NARROW, ground(D2="rough")), "intercept.first"),
    Row("met through enemies, too late", "battle", both(NARROW, battle(hex="C1")), "intercept.first"),
    Row("met from too far", "battle", pack("knights", movement=1), "intercept.reach"),
    Row(
        "crusaders without a crusade", "march", both(NO_CRUSADE, pack("crusader_foot", crusade=True)), "army.crusade"
    ),
    Row(
        "an attacker short of a unit",
        "battle",
        battle(attack=("2 tabor, hussite_foot, hussite_horse", "hussite_foot")),
        "battle.units",
    ),
    Row(
        "an attacker with a unit too many",
        "battle",
        battle(attack=("2 tabor, hussite_foot, hussite_horse", "3 hussite_foot")),
        "battle.units",
    ),
    Row(
        "infantry that came along",
        "battle",
        battle(defence=("3 knights", "youth_horse, crusader_foot")),
        "battle.units",
    ),
    Row(
        "another stack's units",
        "battle",
        both(stack("C2", units="2 knights, crusader_foot"), battle(defence=("knights", "knights"))),
        "battle.units",
    ),
    Row("a stack counted too strong", "battle", both(points(0), TOO_STRONG), "battle.units army.points"),
    Row("three front boxes", "battle", battle(attack=("2 tabor, hussite_horse", "3 hussite_foot")), "battle.front"),
    Row(
        "five front boxes",
        "battle",
        battle(attack=("2 tabor, hussite_horse, 2 hussite_foot", "hussite_foot")),
        "battle.front",
    ),
    Row(
        "three units, three boxes",
        "battle",
        both(stack("H1", units="2 tabor, gun"), battle(attack=("2 tabor, gun", ""))),
        "march.movement",
    ),
    Row(
        "two to one", "battle", both(stack("C1", units="3 knights"), battle(defence=("3 knights", ""))), "battle.even"
    ),
    Row("nobody in the line", "battle", battle(defence=("", "3 knights, youth_horse")), "battle.line"),
    Row(
        "met on its own hex",
        "battle",
        both(TO_D1, stack("C1", hex="D1"), battle(defence=("3 knights, youth_horse, 4 crusader_foot", ""))),
        "",
    ),
    Row("a siege of open ground", "siege", both(stack("H1", hex="D3"), stack("C1", hex="D3")), "siege.place"),
    Row("a siege from afar", "siege", stack("H1", hex="D3"), "siege.place"),
    Row("a siege of friends", "siege", both(stack("H2", hex="C3"), siege(garrison="H2")), "siege.place"),
    Row(
        "a town behind castle walls",
        "siege",
        siege(wall="castle", bombard="", storm="2 tabor, 3 hussite_foot"),
        "siege.wall",
    ),
    Row("guns before walls that they cannot breach", "siege", castle, "siege.useless"),
    Row("boxes yet to be chosen", "siege", siege(bombard="", storm="", reserve=""), ""),
    Row("a unit in two boxes", "siege", siege(reserve="2 hussite_horse"), "siege.units"),
    Row("a unit in no box", "siege", siege(reserve=""), "siege.units"),
    Row("horse that bombards", "siege", siege(bombard="2 tabor, hussite_horse", reserve=""), "siege.bombard"),
    Row(
        "nobody does anything",
        "siege",
        siege(bombard="", storm="", reserve="2 tabor, 3 hussite_foot, hussite_horse"),
        "siege.boxes",
    ),
    Row(
        "a legate of the Hussites",
        "march",
        both(stack("C2", legate=""), stack("H2", legate="orsini")),
        "legate.stack",
    ),
    Row("two legates", "march", both(stack("C1", legate="lucena"), changed(legates=OTHERS[1:])), "legate.stack"),
    Row("a legate without a crusade", "march", changed(crusade=False), "legate.crusade"),
    Row(
        "a crusade without a legate",
        "march",
        both(stack("C2", legate=""), changed(legates=(*OTHERS, "orsini"))),
        "legate.crusade",
    ),
    Row("no crusade, no legate", "march", NO_CRUSADE, ""),
    Row("the cardinal's unit is missing", "march", both(CARDINAL, stack("C2", units="crusader_foot")), "legate.unit"),
    Row("the cardinal's unit strays", "march", stack("C2", units="cardinal"), "legate.unit"),
    Row("a legate twice in the pile", "march", changed(legates=(*OTHERS, "lucena")), "legate.pile"),
    Row("a legate missing", "march", changed(legates=OTHERS[1:]), "legate.pile"),
    Row("a legate in both places", "march", changed(legates=(*OTHERS, "orsini")), "legate.pile"),
    Row("back this turn", "march", routed("hussite_foot", 3), "rout.turn"),
    Row("back too late", "march", routed("hussite_foot", 5), "rout.turn"),
    Row("the enemy's routed units", "march", routed("knights", 4), "rout.units"),
    Row("a step unheard of", "march", log_step("mop", None), "log.told"),
    Row("another turn told", "march", log_step("turn", None, "4"), "log.told"),
    Row("the turn told", "march", log_step("turn", None, "3"), ""),
]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.id)
def test_a_change_fires_just_these_rules(row: Row) -> None:
    assert fired(row.edit(scene(row.scene))) == set(row.fires.split())


def test_every_rule_can_be_broken_alone() -> None:
    alone = {row.fires for row in TABLE}
    never = {rule.id for rule in rules()} - alone
    assert not never, f"add a row to TABLE that breaks only this rule: {sorted(never)}"


def test_every_reason_is_given_by_some_change() -> None:
    known = {(rule.id, reason) for rule in rules() for reason in rule.text.why}
    given = {
        (rule.id, fault.reason)
        for after in [row.edit(scene(row.scene)) for row in TABLE]
        for rule in rules()
        for fault in rule.test(after)
    }
    assert not given - known
    assert not known - given, f"no row of TABLE gives these reasons of rules.toml: {sorted(known - given)}"


def test_every_finding_speaks_both_languages() -> None:
    for row in TABLE:
        for finding in report(row.edit(scene(row.scene))).findings:
            for reason in (finding.why.en, finding.why.ja):
                assert reason.strip()
                assert "{" not in reason
            assert finding.why.en != finding.why.ja
            assert finding.where


def written(of: Scenario) -> str:
    """Return the text of the scenario's file."""
    return envelope.compose(of.origin, write(of))


SLIPS = [
    row
    for row in TABLE
    if row.fires and not row.id.startswith("met from too far") and "crusaders without" not in row.id
]
"""Changes that appear only in the file. All other changes affect the shipped pack."""


@pytest.mark.parametrize("row", SLIPS, ids=lambda row: row.id)
def test_findings_name_their_line_and_hexes_on_the_map(row: Row) -> None:
    """The file gives the same findings as the scenario, and each finding refers to a line about its subject."""
    of = row.edit(scene(row.scene))
    source = Source("s.toml", written(of))
    found = check(rules(), read(source, Origin("blind_faith"), Path())).placed(source.line)
    assert {finding.rule.id for finding in found.findings} == set(row.fires.split())
    lines, names = source.text.splitlines(), set(map(of.op_map.name, of.op_map.field.cells))
    for finding in found.findings:
        assert finding.line > 1, finding
        assert {*finding.cells, *finding.lawful} <= names
        key = next(
            key for key in reversed(finding.at) if isinstance(key, str) and key not in ("hussite_foot", "knights")
        )
        assert key in lines[finding.line - 1] or key in lines[finding.line - 2], (key, lines[finding.line - 1])


def with_fix(of: Scenario, finding: Finding) -> Scenario:
    """Return the scenario with the faulty line of its file replaced by the finding's suggested line."""
    data = tomllib.loads(written(of))
    (key, value), *more = tomllib.loads(finding.suggested_fix).items()
    assert not more
    table: Any = data
    for step in finding.at[:-1]:
        table = table[step]
    if isinstance(finding.at[-1], int):  # the fault is in a whole table of a list
        assert key == finding.at[-2], finding
        (table[finding.at[-1]],) = value
    else:
        assert key == finding.at[-1], finding
        table[key] = value
    return read(Source("s.toml", "\n".join(text.lines(data))), Origin("blind_faith"), Path())


@pytest.mark.parametrize("row", SLIPS, ids=lambda row: row.id)
def test_a_suggested_fix_removes_its_finding(row: Row) -> None:
    of = row.edit(scene(row.scene))
    for finding in report(of).findings:
        if finding.suggested_fix:
            after = report(with_fix(of, finding)).findings
            assert (finding.rule.id, finding.why) not in [(f.rule.id, f.why) for f in after], finding


def test_most_typos_are_fixed_by_their_suggested_fix_alone() -> None:
    cured = [
        row.id
        for row in SLIPS
        if len(found := report(of := row.edit(scene(row.scene))).findings) == 1
        and found[0].suggested_fix
        and not report(with_fix(of, found[0])).illegal
    ]
    assert len(cured) >= 25, cured


def test_a_stack_that_its_points_call_too_strong_is_blamed_for_its_count() -> None:
    of = both(points(0), TOO_STRONG)(scene("battle"))
    (found,) = [finding for finding in report(of).findings if finding.rule.id == "battle.units"]
    assert found.at == ("hussite", "stacks", 0, "units")
    assert fired(with_fix(of, found)) == {"army.points"}  # the opponent is short of points
    (alone,) = report(TOO_STRONG(scene("battle"))).findings
    assert alone.at == ("battle", "attack")
