"""Tests for a single typo in a battle file. The rule, machine, line and hexes are reported with a suggested fix."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.games.battling.file import read
from generator.games.battling.model import Scenario
from generator.games.battling.post.judge import judge
from generator.games.battling.rules import rules
from generator.grid.columns import columns_field
from generator.model.scenario import Origin
from generator.notation.toml import Source
from generator.rules import Report, check

TYPED = """
[muster]
game = "battling"

[play]
title = "Two on the Plaza"
turns = 10

[arena]
name = "plaza"

[first]
player = "A"
edge = "N"
machines = [
  { id = "F1", hex = "0101", machine = "scopedog", name = "キリコ" },
  { id = "F2", hex = "0401", machine = "brutishdog" },
]

[second]
player = "B"
edge = "S"
machines = [
  { id = "S1", hex = "0112", machine = "scopedog" },
  { id = "S2", hex = "0412", machine = "brutishdog" },
]

[[log]]
step = "dice"
result = ["5", "2"]

[[log]]
step = "deploy"
who = "second"
result = ["S1 0112", "S2 0412"]

[[log]]
step = "deploy"
who = "first"
result = ["F1 0101", "F2 0401"]
"""

PAGE = Path(__file__).parents[3] / "docs" / "formats" / "battling_scenario.md"
TOLD = TYPED[TYPED.index("\n[[log]]") :]


def judged(text: str) -> tuple[Scenario, Report]:
    source = Source("typed.toml", text)
    scenario = read(source, Origin("battling"), Path())
    return scenario, check(rules(), scenario).placed(source.line)


def test_the_battle_is_legal() -> None:
    assert judged(TYPED)[1].findings == ()


SLIPS = [
    ('hex = "0101"', 'hex = "0102"', "deploy.edge", "F1", 'id = "F1"', "0102", "0101"),
    ('hex = "0401"', 'hex = "1412"', "deploy.edge", "F2", 'id = "F2"', "1412", "0401"),
    ('hex = "0401"', 'hex = "0101"', "deploy.stack", "F2", 'id = "F2"', "0101", "0401"),
    ('hex = "0412"', 'hex = "0909"', "deploy.edge", "S2", 'id = "S2"', "0909", "0412"),
    ('hex = "0412"', 'hex = "0612"', "draw.log", "S2", 'id = "S2"', "0612", "0412"),
    ('player = "A"', 'player = "B"', "squad.players", "second", 'player = "B"', "", 'player = "A"'),
    ('edge = "S"', 'edge = "E"', "deploy.opposite", "first", 'edge = "N"', "", 'edge = "W"'),
    ('["5", "2"]', '["2", "5"]', "first.dice", "first", 'player = "A"', "", 'player = "B"'),
    ('["5", "2"]', '["7", "2"]', "first.dice", "log 1", '["7", "2"]', "", ""),
    ('["5", "2"]', '["2", "2"]', "first.dice", "log 1", '["2", "2"]', "", ""),
    ('"S2 0412"]', '"S2 0512"]', "draw.log", "S2", 'id = "S2"', "0412", "0512"),
    ('"S2 0412"]', '"S3 0412"]', "draw.log", "log 2", '"second"', "", '"S2 0412"]'),
    ('step = "dice"', 'step = "dise"', "draw.log", "log 1", 'step = "dise"', "", 'step = "dice"'),
    ("turns = 10", "turns = 40", "play.longest", "play", "turns = 40", "", "turns = 30"),
    ("turns = 10", "points = 20", "squad.points", "first", "points = 20", "", "points = 21"),
]


@pytest.mark.parametrize(
    ("old", "new", "rule", "where", "on", "cell", "suggested_fix"), SLIPS, ids=lambda of: str(of)[:24]
)
def test_a_typo_is_reported_with_its_place_and_a_fix(
    old: str, new: str, rule: str, where: str, on: str, cell: str, suggested_fix: str
) -> None:
    """The reported line contains `on`, or is two lines above if the whole step is at fault."""
    text = TYPED.replace(old, new, 1)
    found = next(finding for finding in judged(text)[1].findings if finding.rule.id == rule)
    step = 2 if on == '"second"' else 0
    lines = [number for number, row in enumerate(text.splitlines(), 1) if on in row]
    assert found.line in [number - step for number in lines], found
    assert found.where == where
    assert found.cells == ((cell,) if cell else ())
    assert suggested_fix in found.suggested_fix
    for lang in ("en", "ja"):
        assert "{" not in found.why[lang]
    if cell:
        assert found.lawful[0] == suggested_fix
        rows = text.splitlines()
        rows[found.line - 1] = f"  {found.suggested_fix}"
        assert not [f for f in judged("\n".join(rows))[1].findings if f.rule.id.startswith("deploy")]


@pytest.mark.parametrize(("cell", "near"), [("0402", "0401"), ("1412", "1401"), ("0101", "0201"), ("0403", "0401")])
def test_without_a_log_the_nearest_hex_is_proposed(cell: str, near: str) -> None:
    text = TYPED.replace(TOLD, "").replace('hex = "0401"', f'hex = "{cell}"')
    (found,) = judged(text)[1].illegal
    assert (found.where, found.lawful[0]) == ("F2", near)


def test_a_machine_is_reported_by_the_users_name_too() -> None:
    (found,) = judged(TYPED.replace('hex = "0101"', 'hex = "0102"').replace(TOLD, ""))[1].illegal
    assert "F1 “キリコ”" in found.why.en
    assert "F1「キリコ」" in found.why.ja
    assert 'name = "キリコ"' in found.suggested_fix


def test_missing_evidence_is_reported_once_with_the_lines_to_add() -> None:
    text = TYPED.replace(TOLD, "")
    found = {finding.rule.id: finding for finding in judged(text)[1].findings}
    assert set(found) == {"deploy.order", "first.dice"}
    with_log = text + "\n" + "\n\n".join(finding.suggested_fix for finding in found.values())
    assert judged(with_log)[1].findings == ()


@pytest.mark.parametrize(("expected", "reason"), [("", "0402"), ('who = "first"', "0402")])
def test_a_faulty_set_up_is_not_suggested_for_the_log(expected: str, reason: str) -> None:
    text = TYPED.replace('hex = "0401"', f'hex = "{reason}"')
    steps = TOLD.strip().split("\n\n")
    text = text.replace(TOLD, "\n\n".join(step for step in steps if expected and expected in step))
    found = {finding.rule.id: finding for finding in judged(text)[1].findings}
    assert found["deploy.edge"].suggested_fix
    assert found["deploy.order"].suggested_fix == ""


@pytest.mark.parametrize("text", re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.S))
def test_the_files_that_are_shown_are_legal_as_far_as_can_be_proved(text: str) -> None:
    scenario, found = judged(text)
    assert not found.illegal
    assert {finding.rule.id for finding in found.remarks} <= {"arena.streets"}
    fixed = {"first.dice"} if scenario.fixed else {"first.dice", "deploy.order"}
    assert {finding.rule.id for finding in found.unproved} == fixed


def test_the_examples_of_the_rules_are_seen_as_they_say() -> None:
    scenario = judged(re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.S)[0])[0]
    arena, at = scenario.arena, columns_field(14, 12).find
    seen = {name: arena.in_sight(at("0707"), at(name)) for name in ("0805", "0609", "1108", "0908")}  # type: ignore[arg-type]
    assert seen == {"0805": False, "0609": False, "1108": True, "0908": True}
    assert [arena.field.name(cell) for cell in arena.field.cells if arena.closed(cell)] == ["0708"]
    posted = "[turn 1] [first]\nF / 1108\n[turn 1] [second]\n1108 / 5 / F\nF / 0707\n[turn 2] [first]\n"
    assert judge(posted + "0707 / 1 / H / 2 / HP3\nR / 1 / 4 / 1205\n", scenario).findings == ()


def test_edges_without_squads_have_no_arena_rules() -> None:
    without_name = TYPED.replace('name = "plaza"', "buildings = ''")
    edges = {f.where for f in judged(without_name)[1].remarks if f.rule.id == "arena.cover"}
    assert edges == {"N", "S"}
    fixed = without_name.replace("turns = 10", 'setup = "fixed"')
    assert judged(fixed)[1].findings == ()
