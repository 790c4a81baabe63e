"""Tests that generated scenario files read back, that typed files are accepted, and that faults name their line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.errors import DataError
from generator.games.travel_battle.draw import draw
from generator.games.travel_battle.file import read, write
from generator.games.travel_battle.forces import read_roster
from generator.games.travel_battle.model import Scenario
from generator.games.travel_battle.rules import rules
from generator.model.scenario import Origin, Request
from generator.notation.envelope import compose
from generator.notation.toml import Source
from generator.rules import check
from tests.games.travel_battle.test_draw import CODES

FORMATS = Path(__file__).parents[3] / "docs" / "formats"
PAGE = re.findall(r"```toml\n(.*?)```", (FORMATS / "travel_scenario.md").read_text("utf-8"), re.S)[0]
ARMY = re.findall(r"```toml\n(.*?)```", (FORMATS / "travel_army.md").read_text("utf-8"), re.S)[0]


def read_text(text: str) -> Scenario:
    return read(Source("s.toml", text), Origin("travel_battle"), Path())


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"boards": "2x2", "sizes": "any"},
        {"objective": "hold", "turns": "8"},
        {"objective": "protect", "sight": "corners"},
        {"mirror": "on"},
    ],
    ids=str,
)
def test_what_is_drawn_reads_back(options: dict[str, str]) -> None:
    scenario = draw(Request(CODES[3], options, {}))
    text = compose(scenario.origin, write(scenario))
    assert read(Source("s.toml", text), scenario.origin, Path()) == scenario


def test_a_users_army_is_stored_next_to_the_scenario(tmp_path: Path) -> None:
    path = tmp_path / "guard.toml"
    path.write_text(ARMY, "utf-8")
    scenario = draw(Request(CODES[3], {"army": path.name, "sizes": "any", "split-red": "thirds"}, {"army": path}))
    assert scenario.roster == read_roster(Source("a.toml", ARMY))
    source = Source("s.toml", compose(scenario.origin, write(scenario)))
    assert read(source, scenario.origin, tmp_path) == scenario
    assert check(rules(), scenario).findings == ()
    path.unlink()
    with pytest.raises(DataError, match=r"guard\.toml is missing from this folder"):
        read(source, scenario.origin, tmp_path)


def test_the_documented_scenario_is_legal_but_for_its_evidence() -> None:
    scenario = read_text(PAGE)
    report = check(rules(), scenario)
    assert report.illegal == ()
    assert report.unproved
    assert [unit.id for unit in scenario.armies["blue"].brigades[0].units] == [
        "B1",
        "B1a",
        "B1b",
        "B1c",
        "B1d",
        "B1e",
    ]
    assert scenario.units["B3a"][2].square
    assert read_text(compose(scenario.origin, write(scenario))) == scenario


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ('at = "c1"', 'at = "c11"', "there is no square 'c11' (a1 to t10)"),
        (
            'unit = "line", at = "b2"',
            'unit = "lime", at = "b2"',
            "there is no unit named 'lime' in this army (did you mean line?)",
        ),
        ('facing = "NE"', 'facing = "up"', "'up' is not a valid value for facing (accepted: E, NE, N"),
        ('{ unit = "gun", at = "b1" }', '{ unit = "gun", at = "b1", id = "B2a" }', "the id B2a is used twice"),
        (
            '{ unit = "gun", at = "b1" }',
            '{ unit = "gun", at = "b1", id = "f5" }',
            "the id f5 is also the name of a square",
        ),
        ('type = "B"', 'type = "C"', "board[2].type: there is no type named 'C' (accepted: A, B, half)"),
        (
            'title = "Two Twins"',
            'title = "Two Twins"\nboards = "2x2"',
            "the number of boards is 2, but a field of 2x2 needs 4",
        ),
        ('title = "Two Twins"', 'title = "Two Twins"\nboards = "3x1"', "'3x1' is not a valid value for boards"),
        ('title = "Two Twins"', 'title = "Two Twins"\nturns = -1', "-1 is too small"),
        ("edge = 3", "edge = 5", "'5' is not valid"),
        ('owner = "red"', 'owner = "green"', "'green' is not valid"),
        (". p p .", ". p q .", "no terrain has the symbol 'q'"),
        ("[[red.brigade]]", '[rulings]\nsight = "half"\n\n[[red.brigade]]', "this ruling has no choice 'half'"),
        (
            "[[red.brigade]]",
            '[objective]\nkind = "hold"\nsquares = ["z1"]\n\n[[red.brigade]]',
            "there is no square 'z1'",
        ),
    ],
)
def test_faults_name_their_line(old: str, new: str, wanted: str) -> None:
    with pytest.raises(DataError) as caught:
        read_text(PAGE.replace(old, new, 1))
    assert re.match(r"s\.toml:\d+: ", caught.value.lines()[0])
    assert wanted in caught.value.lines()[0]
