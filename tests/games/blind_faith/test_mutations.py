"""Legal scenarios broken in every way a rule forbids: each change fires exactly the rules it names."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from generator.common.scenario_file import Step
from generator.games.blind_faith.ground import Place
from generator.games.blind_faith.model import Routed, Scenario
from generator.games.blind_faith.rules import rules
from generator.model.words import same
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
    """A town on that ground."""

    def edit(of: Scenario) -> Scenario:
        cell = hex_of(of, at)
        land = replace(of.land, places={**of.land.places, cell: Place("town", same("Brod"))})
        return ground(**{at: terrain})(replace(of, land=land))

    return edit


def pack(unit: str, **changes: int | bool) -> Edit:
    """With another unit class in the pack."""

    def edit(of: Scenario) -> Scenario:
        units = dict(of.pack.units)
        units[unit] = structs.replace(units[unit], **changes)
        return replace(of, pack=replace(of.pack, units=units))

    return edit


def routed(units: str, back: int) -> Edit:
    return lambda of: replace(of, routed=(Routed("hussite", line(of, units), back),))


def points(more: int) -> Edit:
    """With points so many above what the dearer side costs."""
    return lambda of: replace(of, points=max(of.pack.points(of.units_of(s.side)) for s in of.stacks) + more)


def even(of: Scenario) -> Scenario:
    """With as many points as each side costs: of one class alike."""
    return both(
        stack("H1", units="6 gun"), stack("H2", units="gun"), stack("C1", units="6 gun"), stack("C2", units="gun")
    )(of)


def told(what: str, who: str | None, *result: str) -> Edit:
    return changed(log=(Step(what, who, "", result),))


CARDINAL = both(
    stack("C2", legate="winchester", units="cardinal, crusader_foot"),
    changed(legates=("lucena", "castiglione", "orsini", "cesarini")),
)
"""The crusade of the legate who is a unit."""
OTHERS = ("lucena", "castiglione", "winchester", "cesarini")
"""The pile of the scenes."""
NO_CRUSADE = both(stack("C2", legate=""), changed(legates=(*OTHERS, "orsini"), crusade=False))

TABLE = [
    *(Row(f"{name}, as it stands", name, changed(), "") for name in TEXTS),
    Row("a corner behind water", "march", ground(I1="river", I2="river", J2="river"), "map.reach"),
    Row("a town in a river", "siege", place("J1", "river"), "map.place"),
    Row("a stack in a river", "siege", both(stack("H2", hex="J1"), ground(J1="river")), "stack.hex"),
    Row("enemies side by side", "march", stack("H2", hex="J7"), "stack.enemy"),
    Row("an empty stack", "march", stack("H2", units=""), "stack.units"),
    Row("the enemy's units", "march", stack("H2", units="hussite_foot, knights"), "stack.units"),
    Row("the enemy's leader", "march", stack("H2", leader="albert"), "stack.leader"),
    Row("a leader twice", "march", stack("H2", leader="zizka"), "stack.leader"),
    Row("too few points", "march", points(-1), "army.points"),
    Row("points for more", "march", points(20), "army.points"),
    Row("the points of both", "siege", both(even, siege(bombard="6 gun", storm="", reserve=""), points(0)), ""),
    Row("two emperors", "march", stack("C2", units="2 sigismund"), "army.most"),
    Row("the emperor once", "march", stack("C2", units="sigismund"), ""),
    Row("the cardinal", "march", CARDINAL, ""),
    Row("a path that leads nowhere", "march", path("A1"), "march.path"),
    Row("a path from elsewhere", "march", path("B1", "C1"), "march.path"),
    Row("a path with a gap", "march", path("A1", "C1"), "march.path"),
    Row("a path through water", "march", both(path("A1", "B1", "C1"), ground(C1="river")), "march.path"),
    Row("a path too long", "march", path("A1", "B1", "C1", "D1", "E1", "F1"), "march.movement"),
    Row("a path too dear", "march", ground(E1="woods"), "march.movement"),
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
        both(stack("C2", hex="D1"), battle(defender="C2", defence=("crusader_foot", ""))),
        "",
    ),
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
        "infantry that came along",
        "battle",
        battle(defence=("3 knights", "youth_horse, crusader_foot")),
        "battle.units",
    ),
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
    Row("nobody in the line", "battle", battle(defence=("", "3 knights, youth_horse")), "battle.line"),
    Row(
        "met on its own hex",
        "battle",
        both(stack("C1", hex="D1"), battle(defence=("3 knights, youth_horse, 4 crusader_foot", ""))),
        "",
    ),
    Row("a siege of open ground", "siege", both(stack("H1", hex="D3"), stack("C1", hex="D3")), "siege.place"),
    Row("a siege from afar", "siege", stack("H1", hex="D3"), "siege.place"),
    Row("a siege of friends", "siege", both(stack("H2", hex="C3"), siege(garrison="H2")), "siege.place"),
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
    Row("a step unheard of", "march", told("mop", None), "log.told"),
    Row("another turn told", "march", told("turn", None, "4"), "log.told"),
    Row("the turn told", "march", told("turn", None, "3"), ""),
]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.id)
def test_a_change_fires_just_these_rules(row: Row) -> None:
    assert fired(row.edit(scene(row.scene))) == set(row.fires.split())


def test_every_rule_fires_alone() -> None:
    alone = {row.fires for row in TABLE}
    assert {rule.id for rule in rules()} - alone == set()


def test_every_reason_is_given_by_some_change() -> None:
    known = {(rule.id, reason) for rule in rules() for reason in rule.text.why}
    given = {
        (rule.id, fault.reason)
        for after in [row.edit(scene(row.scene)) for row in TABLE]
        for rule in rules()
        for fault in rule.test(after)
    }
    assert given == known


def test_every_finding_speaks_both_languages() -> None:
    for row in TABLE:
        for finding in report(row.edit(scene(row.scene))).findings:
            for text in (finding.why.en, finding.why.ja):
                assert text.strip()
                assert "{" not in text
            assert finding.why.en != finding.why.ja
            assert finding.where
