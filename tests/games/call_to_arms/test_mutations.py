"""Tests that break legal scenarios in every way that a rule forbids.

Each change breaks exactly the rules it names.
"""

from __future__ import annotations

from functools import cache

import pytest

from generator.games.call_to_arms.model import Scenario
from generator.rules import Report
from tests.games.call_to_arms.deployment_rows import DEPLOYMENT
from tests.games.call_to_arms.organized import organized
from tests.games.call_to_arms.organized_rows import ORGANIZED
from tests.games.call_to_arms.scenes import GAME, Row, fired, report, scene

UNPROVED = {"no word of the hand", "no word of the dice", "no word of anything", "no word of Specialists"}
TABLE = [*DEPLOYMENT, *ORGANIZED]


def legal_scenario(name: str, which: str = "battlelore") -> Scenario:
    """Return the legal scenario with the given name."""
    return organized(which) if name == "organized" else scene(name, which)


def at(row: Row, which: str = "battlelore") -> Scenario:
    """Return the scenario that a row breaks."""
    return legal_scenario(row.scene, which)


@cache
def broken(row: Row, which: str = "battlelore") -> tuple[Scenario, Report]:
    """Return the changed scenario of a row with its report."""
    after = row.edit(at(row, which))
    return after, report(after)


@cache
def unbroken(name: str, which: str) -> set[str]:
    """Return the rules that are broken without a change."""
    return fired(legal_scenario(name, which))


@pytest.mark.parametrize("which", ["battlelore", "memoir"])
@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.id)
def test_a_change_fires_just_these_rules(row: Row, which: str) -> None:
    findings = broken(row, which)[1].findings
    assert {finding.rule.id for finding in findings} == set(row.fires.split())
    assert unbroken(row.scene, which) == set()
    for finding in findings:
        assert finding.level == ("unproved" if row.id in UNPROVED else finding.rule.tier)


def test_every_rule_can_be_broken_alone() -> None:
    alone = {row.fires for row in TABLE}
    never = {rule.id for rule in GAME.rules} - alone
    assert not never, f"add a row to TABLE that breaks only this rule: {sorted(never)}"


def test_every_reason_is_given_by_some_change() -> None:
    known = {(rule.id, reason) for rule in GAME.rules for reason in rule.text.why}
    given = {(rule.id, fault.reason) for row in TABLE for rule in GAME.rules for fault in rule.test(broken(row)[0])}
    assert not given - known
    assert not known - given, f"no row of TABLE gives these reasons of rules.toml: {sorted(known - given)}"


def test_every_finding_speaks_both_languages() -> None:
    for row in TABLE:
        for finding in broken(row)[1].findings:
            for text in (finding.why.en, finding.why.ja):
                assert text.strip()
                assert "{" not in text
            assert finding.why.en != finding.why.ja
            assert finding.where


def test_findings_refer_to_keys_of_the_file() -> None:
    """Every illegal finding refers to keys of the file, except findings on the log or on missing Specialists."""
    for row in TABLE:
        for finding in broken(row)[1].illegal:
            assert finding.at or finding.rule.id in ("cards.drawn", "first.dice", "special.picks", "special.order"), (
                row
            )
