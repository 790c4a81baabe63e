"""Tests for BattleLore without cards. Any code generates a legal battle, and every violation of a rule is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest
from msgspec.structs import replace

from generator import games
from generator.cli.scenario import Loaded, examine, load
from generator.common.scenario_file import Step
from generator.errors import DataError, WrongUsageError
from generator.games.battlelore.base import Scenario, orders
from generator.games.battlelore.draw import draw
from generator.games.battlelore.forces import ByCamp, Kind, Unit, points
from generator.games.battlelore.ground import SECTIONS, SIDES, Inventory, Objective, Side, house_maps, profiles
from generator.games.battlelore.rules import rules
from generator.model.scenario import Request
from generator.model.words import same
from generator.rules import check
from generator.seeds import code_for
from tests.games.call_to_arms import scenes

CODE = code_for(4711)


def battle(**options: str) -> Scenario:
    """Return a generated battle without its log, which a change to the battle would contradict."""
    return replace(draw(Request(CODE, {"map": "long_ridge", "points": "50"} | options, {})), log=())


def fired(scenario: Scenario) -> set[str]:
    return {finding.rule.id for finding in check(rules(), scenario).findings}


def army(scenario: Scenario, camp: Side, change: Callable[[tuple[Unit, ...]], tuple[Unit, ...]]) -> Scenario:
    force = scenario.forces[camp]
    return replace(scenario, forces={**scenario.forces, camp: replace(force, units=change(force.units))})


def first_unit(**to: object) -> Callable[[Scenario], Scenario]:
    """Return a function that changes the first Pennant unit."""
    return lambda s: army(s, "pennant", lambda units: (replace(units[0], **to), *units[1:]))


def at(name: str) -> Callable[[Scenario], Scenario]:
    """Return a function that moves the first Pennant unit to another hex."""
    return lambda s: first_unit(hex=s.board.field.find(name))(s)


def to_the_right(scenario: Scenario) -> Scenario:
    """Remove the plan of the Pennant army, and move its units on the left to free hexes on the right."""
    board, force = scenario.board, scenario.forces["pennant"]
    left, right = (board.plan.section_cells(section, "pennant") for section in ("left", "right"))
    free = iter(
        [
            c
            for c in right
            if c not in {u.hex for u in force.units}
            and board.passable(c)
            and not board.plan.shared(c)
            and board.plan.seen(c, "pennant").r < 3
        ]
    )
    units = tuple(replace(u, hex=next(free)) if u.hex in left else u for u in force.units)
    return plan_of(army(scenario, "pennant", lambda _: units), "")


def flooded(scenario: Scenario) -> Scenario:
    """Put a river on the hex of a unit."""
    unit = scenario.forces["pennant"].units[0]
    assert unit.hex
    return replace(scenario, board=replace(scenario.board, ground={**scenario.board.ground, unit.hex: "river"}))


def same_kinds(scenario: Scenario) -> Scenario:
    """Replace every unit by dwarves with crossbows, which exceed the box, and adjust the points of the battle."""
    kind = Kind("blue", "crossbow", "dwarf")
    units = scenario.forces["pennant"].units
    want = points(kind) * len(units)
    crowd = army(scenario, "pennant", lambda units: tuple(replace(u, kind=kind) for u in units))
    return replace(crowd, points=want)


def ground(changes: dict[str, str], **board: dict[str, str]) -> Callable[[Scenario], Scenario]:
    """Return a function that changes terrain and features. It also accepts boards of Call to Arms."""
    return cast("Callable[[Scenario], Scenario]", scenes.ground(changes, **board))


def council(**levels: int) -> Callable[[Scenario], Scenario]:
    return lambda s: replace(
        s,
        forces={**s.forces, "pennant": replace(s.forces["pennant"], council={k: v for k, v in levels.items() if v})},
    )


def plan_of(scenario: Scenario, plan: str) -> Scenario:
    return replace(scenario, forces={**scenario.forces, "pennant": replace(scenario.forces["pennant"], plan=plan)})


def other_plan(scenario: Scenario) -> Scenario:
    """Record the plan "strong right" for an army that is strong on the left."""
    drawn = battle(**{"plan-pennant": "strong_left"})
    scenario = replace(scenario, forces={**scenario.forces, "pennant": drawn.forces["pennant"]})
    return plan_of(scenario, "strong_right")


def twice_held(scenario: Scenario) -> Scenario:
    """Make the hexes of the first two Pennant units victory hexes for three banners each."""
    cells = [unit.hex for unit in scenario.forces["pennant"].units[:2] if unit.hex]
    return replace(scenario, board=replace(scenario.board, objectives=dict.fromkeys(cells, Objective(3))))


def prize(banners: int, name: str = "") -> Callable[[Scenario], Scenario]:
    """Return a function that makes a hex a victory hex. The default is the hex of the first Pennant unit."""

    def change(s: Scenario) -> Scenario:
        cell = s.board.field.find(name) if name else s.forces["pennant"].units[0].hex
        assert cell
        return replace(s, board=replace(s.board, objectives={cell: Objective(banners)}))

    return change


@dataclass(frozen=True)
class Row:
    """A change to a battle, with exactly the rules that it breaks."""

    name: str
    change: Callable[[Scenario], Scenario]
    rules: str
    age: str = "medieval"


ROWS = (
    Row("as drawn", lambda s: s, ""),
    Row("as drawn, Lore", lambda s: s, "", "lore"),
    Row("a unit fewer", lambda s: army(s, "pennant", lambda units: units[1:]), "army.points"),
    Row("other points", lambda s: replace(s, points=51), "army.points"),
    Row("nobody on the left", to_the_right, "army.sections"),
    Row("across the field", at("A5"), "army.rows"),
    Row("on a shared hex", at("D2"), "army.rows"),
    Row("two on a hex", lambda s: first_unit(hex=s.forces["pennant"].units[1].hex)(s), "army.stack"),
    Row("under water", flooded, "army.impassable terrain.river"),
    Row("too many crossbows", same_kinds, "army.pool army.points"),
    Row("three banners", lambda s: replace(s, banners=3), "army.banners"),
    Row("eight banners", lambda s: replace(s, banners=8), "army.banners"),
    Row("three banners for one camp", lambda s: replace(s, banners=ByCamp(3, 6)), "army.banners"),
    Row("seven cards for one camp", lambda s: replace(s, hand=ByCamp(5, 7)), "army.hand"),
    Row("a hand of three", lambda s: replace(s, hand=3), "army.hand"),
    Row("a council in medieval times", council(commander=3, warrior=3), "army.age"),
    Row("no council", council(), "army.council", "lore"),
    Row("seven levels", council(commander=3, warrior=3, rogue=1), "army.council", "lore"),
    Row("a commander of four", council(commander=4, warrior=2), "army.council", "lore"),
    Row("planned otherwise", other_plan, "army.plan"),
    Row("no plan", lambda s: plan_of(s, ""), ""),
    Row("no banners", lambda s: replace(s, banners=0), "army.goal"),
    Row("a pond", ground({"F5": "river"}), "terrain.river"),
    Row("a ford on dry land", ground({"F5": "ford"}), "terrain.river terrain.crossing"),
    Row("a river without a ford", ground({f"{column}5": "river" for column in "ABCDEFGHIJKL"}), "map.reach"),
    Row("a cliff without sides", ground({"F5": "cliff"}), "terrain.cliff"),
    Row("stakes in a wood", ground({"F5": "forest"}, features={"F5": "stakes"}), "terrain.feature"),
    Row("a rampart in a wood", ground({"F5": "forest"}, features={"F5": "rampart"}), "terrain.rampart"),
    Row("no tiles", lambda s: replace(s, inventory=Inventory(same("none"), "own", ())), "terrain.tiles"),
    Row("a victory hex in a river", lambda s: prize(1)(flooded(s)), "map.objective terrain.river army.impassable"),
    Row("a victory hex for four banners", prize(4, "F5"), "map.objective_worth"),
    Row(
        "a victory hex that decides",
        lambda s: prize(3, "F5")(replace(s, banners=3)),
        "map.objective_worth army.banners",
    ),
    Row("a battle that is won", twice_held, "map.objective_start"),
    Row("five figures", first_unit(extra=1), "unit.figures"),
    Row("a step unheard of", lambda s: replace(s, log=(Step("mop", None, "", ()),)), "army.log"),
    Row("another first player", lambda s: replace(s, log=(Step("first", _other(s), "", ()),)), "army.log"),
    Row("other points told", lambda s: replace(s, log=(Step("points", None, "", ("1",)),)), "army.log"),
)
TOGETHER = {
    "map.objective": "river is the only impassable ground, and a lone river hex is ill formed",
    "terrain.crossing": "a ford that lies in no river is an ill-formed river by itself",
    "army.impassable": "river is the only impassable ground, and a lone river hex is ill formed",
    "army.pool": "units of one kind have other points than those drawn on the other side",
}
"""Rules that cannot be broken alone, with the reason."""


def _other(scenario: Scenario) -> Side:
    return "standard" if scenario.first == "pennant" else "pennant"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_change_fires_just_these_rules(row: Row) -> None:
    assert fired(row.change(battle(age=row.age))) == set(row.rules.split())


def test_every_rule_can_be_broken_alone() -> None:
    alone = {row.rules for row in ROWS} | TOGETHER.keys()
    never = {rule.id for rule in rules()} - alone
    assert not never, f"add a row to ROWS that breaks only this rule, or a reason to TOGETHER: {sorted(never)}"


@pytest.mark.parametrize("part", range(6))
def test_any_code_draws_a_legal_battle(part: int) -> None:
    for i in range(part * 25, part * 25 + 25):
        options = {"age": ("medieval", "lore")[i % 2]} | ({"board": "memoir"} if i % 3 == 0 else {})
        scenario = draw(Request(code_for(i * 7919 + 3), options, {}))
        assert not fired(scenario)
        totals = {sum(points(u.kind) for u in f.units) for f in scenario.forces.values()}
        assert totals == {scenario.points}


def test_an_army_whose_first_try_is_off_its_plan_is_drawn_again() -> None:
    # This code used to fill the centre with small units before the centre had its share of points.
    assert not check(rules(), draw(Request("T203K-8SV8M", {}, {}))).findings


@pytest.mark.parametrize("plan", [plan.id for plan in orders().plan if plan.id != "even"])
def test_a_strong_section_is_strong(plan: str) -> None:
    scenario = battle(**{"plan-pennant": plan})
    weight = dict.fromkeys(SECTIONS, 0)
    for unit in scenario.forces["pennant"].units:
        assert unit.hex
        (section,) = scenario.board.plan.sections_of(unit.hex, "pennant")
        weight[section] += points(unit.kind)
    assert max(weight, key=lambda s: weight[s]) == plan.removeprefix("strong_")


@pytest.mark.parametrize("age", ["medieval", "lore"])
def test_the_file_gives_the_scenario_back(tmp_path: Path, age: str) -> None:
    game = games.load("battlelore")
    scenario = draw(Request(CODE, {"age": age}, {}))
    path = tmp_path / "scenario.toml"
    path.write_text(examine(game, scenario).text, encoding="utf-8")
    loaded = load(path)
    assert loaded.scenario == scenario
    assert not loaded.report.findings


def test_export_names_every_unit() -> None:
    scenario = battle(age="lore")
    exported = games.load("battlelore").export(scenario)
    assert [len(f["units"]) for f in exported["forces"]] == [len(scenario.forces[c].units) for c in SIDES]  # type: ignore[attr-defined]
    assert set(exported) >= {"game", "code", "version", "board", "forces", "first", "log", "points", "age"}


LORE = """[muster]
game = "battlelore"

[play]
title = "Two bands"
first = "pennant"
age = "lore"

[board]
map = "alder_fords"
features = { A1 = "stakes" }

[pennant]
council = { commander = 3, warrior = 3 }
units = [{ hex = "B1", unit = "blue short_sword", name = { en = "Wolves", ja = "狼" } }]

[standard]
council = { commander = 1, warrior = 3, rogue = 2 }
units = [{ hex = "B9", unit = "blue short_sword" }]
"""


def load_text(tmp_path: Path, text: str) -> Loaded:
    path = tmp_path / "typed.toml"
    path.write_text(text, "utf-8")
    return load(path)


@pytest.mark.parametrize("board", ["battlelore", "memoir"])
def test_the_length_of_the_rows_tells_the_board(tmp_path: Path, board: str) -> None:
    rows = "\n".join(" ".join("." * count) for count in reversed(profiles()[board].field.rows))
    text = LORE.replace('map = "alder_fords"', f"rows = '''\n{rows}\n'''")
    assert load_text(tmp_path, text).scenario.board.profile == board
    with pytest.raises(DataError, match=r"board\.rows"):
        load_text(tmp_path, text.replace(". .", ".", 1))


def test_a_maps_name_brings_its_ground(tmp_path: Path) -> None:
    loaded = load_text(tmp_path, LORE)
    assert loaded.report.findings == ()
    house = house_maps()["alder_fords"].ground
    assert (loaded.scenario.board.ground, loaded.scenario.board.walls) == (house.ground, house.walls)
    assert [loaded.scenario.board.field.name(c) for c in loaded.scenario.board.features] == ["A1"]
    assert load_text(tmp_path, loaded.text).scenario == loaded.scenario


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            '"alder_fords"',
            '"alder_ford"',
            "there is no map named 'alder_ford', and `rows` is missing (did you mean alder_fords?)",
        ),
        ('"alder_fords"', '"alder_fords"\nprofile = "memoir"', "is for a different board, not for memoir"),
        ('{ A1 = "stakes" }', '{ A1 = "stake" }', "there is no feature named 'stake' (did you mean stakes?)"),
    ],
)
def test_an_invalid_map_is_reported(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        load_text(tmp_path, LORE.replace(old, new))
    assert [message in str(problem) for problem in caught.value.problems] == [True]


def test_each_war_council_has_its_hand_in_lore_games(tmp_path: Path) -> None:
    """File, terminal output and JSON contain the hands.

    A hand in the file is ignored, and a hand as an option is refused.
    """
    game = games.load("battlelore")
    for text in (LORE, LORE.replace('age = "lore"', 'age = "lore"\nhand = 9')):
        loaded = load_text(tmp_path, text)
        assert loaded.report.findings == ()
        assert ("hand = 9" in loaded.text) == ("hand = 9" in text)
        exported = game.export(loaded.scenario)
        assert (exported["hand"], exported["hands"]) == (None, {"pennant": 6, "standard": 4})
        assert game.story(loaded.scenario)[-1].en.endswith("command hands by the councils: Pennant 6, Standard 4")
    assert "hand" not in examine(game, draw(Request(CODE, {"age": "lore"}, {}))).text
    with pytest.raises(WrongUsageError, match="--hand cannot be used in Lore games"):
        draw(Request(CODE, {"age": "lore", "hand": "5"}, {}))
    assert draw(Request(CODE, {"hand": "4"}, {})).hand_of("pennant") == 4


def test_a_units_name_stands_beside_its_id(tmp_path: Path) -> None:
    loaded = load_text(tmp_path, LORE.replace('hex = "B1"', 'hex = "E5"'))
    [finding] = loaded.report.remarks
    assert (finding.why.en, finding.why.ja) == (
        "P1 “Wolves” is on E5, outside the 3 rows nearest its own camp",
        "P1「狼」のいるE5は、自陣営の手前3列の外です",
    )
    assert finding.line == LORE[: LORE.index("units")].count("\n") + 1
    views = str(loaded.game.kit(loaded.scenario, loaded.report, "stamp", "muster"))
    assert "Blue short sword “Wolves”" in views
