"""Tests that break a legal battle in every way that a rule forbids. Each change breaks exactly the rules it names."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from generator.common.scenario_file import Step
from generator.games.battling.ground import Arena, Edge
from generator.games.battling.model import Machine, Scenario
from generator.games.battling.rules import rules
from generator.grid.columns import columns_field
from generator.sight.silhouettes import Polygon
from tests.games.battling.scenes import (
    Edit,
    at,
    battle,
    both,
    dice,
    edges,
    fired,
    house,
    hut,
    log_step,
    logged,
    machine,
    machines,
    report,
    setting,
    squad,
    with_silhouettes,
    without,
)

CROSSROADS = house("crossroads")
FIELD, FINE = columns_field(14, 12), 6
WIDE = -2 * FINE, 3 * 13 * FINE + 2 * FINE
"""Left and right end of the board on the finer lattice."""


def walled(*names: str) -> Edit:
    return with_silhouettes(*(hut(CROSSROADS, name) for name in names))


def screen(left: int, right: int, high: int) -> Polygon:
    """Return the thinnest possible wall. Half a step above an even row of the lattice it covers no centre."""
    return ((left, high), (right, high), (right, high - 1), (left, high - 1))


ACROSS = screen(*WIDE, -12 * FINE - 3)
"""A wall that blocks all lines of sight between the top and bottom edges, while every hex stays open."""


def partitions() -> tuple[Polygon, ...]:
    """Return walls along every column, so that each top hex sees only the bottom hex of the same column."""
    return tuple(((x, 0), (x + 1, 0), (x + 1, -26 * FINE), (x, -26 * FINE)) for x in range(9, WIDE[1] - 18, 3 * FINE))


def nooks() -> tuple[Polygon, ...]:
    """Return walls around the first five hexes of the top edge and of the bottom edge."""
    side = 3 * 4 * FINE + 9
    top, bottom = -3 * FINE - 3, -24 * FINE + 4
    upright = [((side, a), (side, b), (side + 1, b), (side + 1, a)) for a, b in ((0, top), (bottom, bottom - 12))]
    return (screen(WIDE[0], side, top), screen(WIDE[0], side, bottom), *upright)


def honeycomb() -> tuple[Polygon, ...]:
    """Return huts on every third hex in each of the three directions, except on the top and bottom edges."""
    inner = [cell for cell in FIELD.cells if 1 < cell.r < FIELD.rows]
    third = [cell for cell in inner if (FIELD.centre(cell)[1] - FIELD.centre(cell)[0]) // 2 % 3 == 1]
    return tuple(hut(CROSSROADS, FIELD.name(cell)) for cell in third)


def ground(*shapes: Polygon, edges: tuple[Edge, ...] = ("N", "S")) -> Edit:
    """Return an edit that replaces the arena by one with exactly the given silhouettes."""
    return logged(setting(arena=Arena(FIELD, shapes, FINE, edges), arena_name=""))


def crowd(scenario: Scenario) -> Scenario:
    """Replace each player's squad by seven machines."""
    for side, row in (("first", 12), ("second", 1)):
        of = tuple(Machine(f"{side[0].upper()}{c}", "scopedog", at(f"{c:02}{row:02}"), 4) for c in range(1, 8))
        scenario = machines("first" if side == "first" else "second", *of)(scenario)
    return replace(scenario, points=70)


MUTATIONS: dict[str, tuple[Edit, set[str]]] = {
    "nothing": (setting(), set()),
    "told anew": (logged(setting()), set()),
    "a dearer squad": (logged(machine("F1", kind="strikedog")), {"squad.points"}),
    "other points": (logged(setting(points=20)), {"squad.points"}),
    "two against one": (logged(machines("second", Machine("S1", "scopedog", at("0201"), 4))), {"squad.points"}),
    "too many machines": (logged(crowd), {"squad.most"}),
    "no machines": (logged(both(machines("first"), machines("second"), setting(points=0))), {"squad.size"}),
    "one player's squads": (squad("second", player="A"), {"squad.players", "draw.log"}),
    "one player's squads, told so": (logged(squad("second", player="A")), {"squad.players"}),
    "the other player first": (
        logged(both(squad("first", player="B"), squad("second", player="A"))),
        {"first.dice"},
    ),
    "two on a hex": (logged(machine("F2", cell=at("0212"))), {"deploy.stack"}),
    "a friend and an enemy on a hex": (logged(machine("F2", cell=at("0201"))), {"deploy.stack", "deploy.edge"}),
    "off the edge": (logged(machine("S1", cell=at("0102"))), {"deploy.edge"}),
    "in a building": (logged(both(walled("0401"), machine("S1", cell=at("0401")))), {"deploy.open"}),
    "in a building off the edge": (logged(machine("S1", cell=at("0202"))), {"deploy.open", "deploy.edge"}),
    "the same edge": (
        logged(both(edges("N", "N"), machine("F1", cell=at("0801")), machine("F2", cell=at("1001")))),
        {"deploy.opposite"},
    ),
    "an edge that is not offered": (
        logged(lambda s: replace(s, arena=replace(s.arena, edges=("E", "W")), arena_name="")),
        {"deploy.offered"},
    ),
    "one edge that is not offered, and another": (
        logged(
            both(
                lambda s: replace(s, arena=replace(s.arena, edges=("N", "S")), arena_name=""),
                squad("first", edge="E"),
                machine("F1", cell=at("1401")),
                machine("F2", cell=at("1405")),
            )
        ),
        {"deploy.opposite", "deploy.offered"},
    ),
    "off the edge, as was decided in advance": (
        logged(both(setting(fixed=True), machine("S1", cell=at("0707")))),
        set(),
    ),
    "in a building, as was decided in advance": (
        logged(both(setting(fixed=True), machine("S1", cell=at("0202")))),
        {"deploy.open"},
    ),
    "two on a hex, as was decided in advance": (
        logged(both(setting(fixed=True), machine("S1", cell=at("0212")))),
        {"deploy.stack"},
    ),
    "decided in advance, and no word of the set-up": (both(setting(fixed=True), without("deploy")), set()),
    "decided in advance in the open": (lambda s: setting(fixed=True)(ground()(s)), set()),
    "the first player set up first": (lambda s: replace(s, log=s.log[:-2] + s.log[:-3:-1]), {"deploy.order"}),
    "no word of the set-up": (without("deploy"), {"deploy.order"}),
    "lower dice": (dice("2 5"), {"first.dice"}),
    "a tie last": (dice("3 3"), {"first.dice"}),
    "rolled again without a tie": (dice("2 5", "5 2"), {"first.dice"}),
    "rolled again for ties": (dice("3 3", "1 1", "5 2"), set()),
    "a face too high": (dice("7 2"), {"first.dice"}),
    "one die only": (dice("7"), {"first.dice"}),
    "no dice and no choice": (both(without("dice"), without("first")), {"first.dice"}),
    "a choice in place of dice": (without("dice"), set()),
    "no turn": (setting(turns=0), {"play.turns"}),
    "too many turns": (setting(turns=31), {"play.longest"}),
    "a step that nobody knows": (
        lambda s: replace(s, log=(*s.log, Step("bribe", "A", "", ("1",)))),
        {"draw.log"},
    ),
    "false points told": (log_step("points", None, "22"), {"draw.log"}),
    "a false place told": (log_step("deploy", "first", "F1 0212", "F2 0712"), {"draw.log"}),
    "another edge told": (log_step("edge", "second", "S"), {"draw.log"}),
    "another arena told": (log_step("arena", None, "plaza"), {"draw.log"}),
    "a house arena changed": (
        lambda s: replace(s, arena=replace(s.arena, silhouettes=s.arena.silhouettes[1:])),
        {"draw.log"},
    ),
    "a hex shut in": (
        logged(walled("0606", "0607", "0706", "0806", "0807", "0808", "0709", "0609", "0608")),
        {"arena.reachable"},
    ),
    "a wall across": (ground(ACROSS), set()),
    "room for five": (
        ground(ACROSS, *(hut(CROSSROADS, f"{c:02}{r:02}") for c in (1, 3, 4, 5, 7, 8, 9, 10, 11) for r in (1, 12))),
        {"arena.room"},
    ),
    "much more room at the other edge, and so more cover": (
        ground(ACROSS, *(hut(CROSSROADS, f"{c:02}12") for c in (1, 3, 4, 5, 7))),
        {"arena.room", "arena.cover"},
    ),
    "nooks without a wall across": (ground(*nooks()), {"arena.opening"}),
    "alleys from edge to edge": (ground(*partitions()), {"arena.cover"}),
    "huts in every way": (ground(ACROSS, *honeycomb()), {"arena.streets"}),
    "no buildings": (ground(), {"arena.opening", "arena.cover"}),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_change_fires_exactly_the_rules_it_names(name: str) -> None:
    edit, expected = MUTATIONS[name]
    assert fired(edit(battle())) == expected, report(edit(battle())).findings


UNPROVED = {"no word of the set-up", "no dice and no choice"}


def test_every_rule_fires_alone_somewhere() -> None:
    alone = {next(iter(broken_rules)) for _, broken_rules in MUTATIONS.values() if len(broken_rules) == 1}
    assert alone == {rule.id for rule in rules()}


def test_missing_evidence_is_unproved_and_not_illegal() -> None:
    for edit in (without("deploy"), both(without("dice"), without("first"))):
        found = report(edit(battle()))
        assert found.unproved
        assert not found.illegal


@pytest.mark.parametrize("name", ["no buildings", "huts in every way", "room for five"])
def test_a_users_arena_may_exceed_house_limits(name: str) -> None:
    """The limits in ground.toml are house limits that the rules do not require, so a user's arena may exceed them."""
    edit, expected = MUTATIONS[name]
    found = report(edit(battle()))
    assert {finding.rule.id for finding in found.remarks} == expected
    assert not found.illegal
