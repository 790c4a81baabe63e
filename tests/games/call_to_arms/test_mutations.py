"""Legal scenarios broken in every way a rule forbids: each change fires exactly the rules it names."""

from __future__ import annotations

import pytest

from generator.games.call_to_arms.model import Scenario
from generator.rules import check
from tests.games.call_to_arms.deployment_rows import DEPLOYMENT
from tests.games.call_to_arms.organized import organized
from tests.games.call_to_arms.organized_rows import ORGANIZED
from tests.games.call_to_arms.scenes import GAME, Row, fired, report, scene

UNPROVED = {"no word of the hand", "no word of the dice", "no word of anything", "no word of Specialists"}
TABLE = [*DEPLOYMENT, *ORGANIZED]


def at(row: Row, which: str = "battlelore") -> Scenario:
    """The scenario that a row breaks."""
    return organized(which) if row.scene == "organized" else scene(row.scene, which)


@pytest.mark.parametrize("which", ["battlelore", "memoir"])
@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.id)
def test_a_change_fires_just_these_rules(row: Row, which: str) -> None:
    before = at(row, which)
    after = row.edit(before)
    assert fired(after) == set(row.fires.split())
    assert fired(before) == set()
    for finding in report(after).findings:
        assert finding.level == ("unproved" if row.id in UNPROVED else finding.rule.tier)


def test_every_rule_fires_alone() -> None:
    alone = {row.fires for row in TABLE}
    assert {rule.id for rule in GAME.rules} - alone == set()


def test_every_reason_is_given_by_some_change() -> None:
    known = {(rule.id, reason) for rule in GAME.rules for reason in rule.text.why}
    given = {
        (rule.id, fault.reason)
        for after in [row.edit(at(row)) for row in TABLE]
        for rule in GAME.rules
        for fault in rule.test(after)
    }
    assert given == known


def test_every_finding_speaks_both_languages() -> None:
    for row in TABLE:
        for finding in report(row.edit(at(row))).findings:
            for text in (finding.why.en, finding.why.ja):
                assert text.strip()
                assert "{" not in text
            assert finding.why.en != finding.why.ja
            assert finding.where


PARAGRAPHS = {
    "cards.set": ("3a-2", "3b-1"),
    "cards.twice": ("3a-2", "3b-1"),
    "cards.drawn": ("3a-2", "3b-1"),
    "cards.sets": ("3a-2", "3b-1"),
    "deploy.units": ("3a-3", "3b-2"),
    "deploy.hex": ("3a-3", "3b-2"),
    "deploy.displaced": ("3a-3", "3b-2"),
    "deploy.refuge": ("3a-3", "3b-2"),
    "deploy.lost": ("3a-3", "3b-2"),
    "deploy.impassable": ("3a-3", "3b-2"),
    "first.green": ("3a-4", "3b-3"),
    "first.dice": ("3a-4", "3b-3"),
    "reserve.units": ("3a-5", "3b-4"),
    "reserve.count": ("3a-5", "3b-4"),
    "reserve.few": ("3a-5", "3b-4"),
    "reserve.place": ("3a-5", "3b-4"),
    "council.age": ("3a-6", "3b-5"),
}
"""The paragraph of each mode; the other rules have one for both, or are of one mode alone."""
REMARKS = "terrain.river terrain.crossing terrain.cliff terrain.rampart map.reach play.banners play.hand"
REMARKS += " reserve.few council.levels"


def test_each_mode_cites_its_own_paragraph() -> None:
    for mode, place in (("impromptu", 0), ("organized", 1)):
        for rule in GAME.rules:
            cited = rule.text.within(mode).source
            if rule.id in PARAGRAPHS:
                assert cited.startswith(f"seed: call_to_arms {PARAGRAPHS[rule.id][place]}"), rule.id
            elif mode == "organized":
                assert "3a-" not in cited, rule.id


def test_a_finding_in_an_organized_game_cites_organized_paragraphs() -> None:
    for row in ORGANIZED:
        after = row.edit(at(row))
        if after.mode == "organized":
            for finding in check(GAME.rules, after, GAME.mode(after)).findings:
                assert "3a-" not in finding.rule.source, row.id


def test_what_no_seed_demands_is_a_remark() -> None:
    assert {rule.id for rule in GAME.rules if rule.text.tier == "remark"} == set(REMARKS.split())


def test_a_fault_of_a_place_says_where_it_stands_in_the_file() -> None:
    """Every illegal finding but that of a log or a camp without its Specialists leads to keys of the file."""
    for row in TABLE:
        for finding in report(row.edit(at(row))).illegal:
            assert finding.at or finding.rule.id in ("cards.drawn", "first.dice", "special.picks", "special.order"), (
                row
            )
