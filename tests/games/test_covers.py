"""Tests for the statements on every cover about the check and about the fixed rulings of the game."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from generator.common.interpretations import interpretation_rows, readings
from generator.common.pages import verdict
from generator.model.words import same
from generator.rules import Finding, Level, Report, RuleText

RULE = RuleText("toss.fair", "illegal", same("A toss is fair."), "house", {})
SAY = {word: same(f"{word}, rules {{n}}, findings {{m}}") for word in ("illegal", "unproved", "remarked")}
SAY |= {"legal": same("legal, rules {n}")}
ROOT = Path(__file__).parents[2] / "data"
FILES = sorted(ROOT.glob("*/readings.toml"))


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ((), "legal, rules 3"),
        (("unproved", "unproved"), "unproved, rules 3, findings 2"),
        (("remark", "advice"), "remarked, rules 3, findings 1"),
        (("remark", "unproved"), "unproved, rules 3, findings 1"),
        (("unproved", "illegal"), "illegal, rules 3, findings 1"),
    ],
)
def test_a_verdict_counts_rules_and_the_worst_findings(levels: tuple[Level, ...], expected: str) -> None:
    found = tuple(Finding(RULE, "here", same("why"), level) for level in levels)
    assert verdict(Report(found, (RULE,) * 3), SAY) == same(expected)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_readings_have_ids_of_their_own_and_hold_under_choices_that_there_are(path: Path) -> None:
    found = readings(path.parent.name)
    assert len({reading.id for reading in found}) == len(found)
    switches = tomllib.loads((path.parent / "rulings.toml").read_text(encoding="utf-8"))["ruling"]
    choices = {(of["id"], choice["id"]) for of in switches for choice in of["choice"]}
    assert {under for reading in found for under in reading.under.items()} <= choices
    assert [row["house"] for row in interpretation_rows(found)] == [reading.source == "house" for reading in found]


def test_there_is_something_to_test() -> None:
    assert FILES
