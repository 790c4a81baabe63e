"""Tests that every rule has a tier and a source in both languages, and that docs/rules.md lists all rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator import games
from generator.common.pages import source_words
from tests import rules_page
from tests.cli.run import muster
from tests.games.blind_faith import scenes as hussites

SOURCES = sorted(
    {
        source
        for name in games.names()
        for rule in games.load(name).rules
        for source in (rule.text.source, *rule.text.sources.values())
    }
)


@pytest.mark.parametrize("source", SOURCES)
def test_sources_are_described_in_japanese(source: str) -> None:
    """Terms of the games in Latin letters and paragraph numbers are exceptions."""
    assert not re.search("[A-Za-z]{3}", re.sub("Specialist|Call to Arms", "", source_words(source).ja))
    assert not re.search("decision|_", source_words(source).en)


def test_house_limits_are_only_remarks() -> None:
    """Limits of generated scenarios are remarks."""
    tiers = {rule.id: rule.text.tier for name in games.names() for rule in games.load(name).rules}
    soft = "squad.points army.points army.size army.rows army.banners play.hand play.banners map.reach map.place"
    soft += " terrain.river terrain.crossing terrain.cliff board.roads board.network board.hills board.exits"
    soft += " field.types field.roads place.facing arena.room arena.opening arena.cover arena.reachable arena.streets"
    assert {tiers[name] for name in soft.split()} == {"remark"}


def test_advice_is_a_preference_or_from_a_table() -> None:
    """Rules of taste are only a preference. A useless bombardment is advised against because of the pack's table."""
    found = {
        rule.id: rule.text.source
        for name in games.names()
        for rule in games.load(name).rules
        if rule.text.tier == "advice"
    }
    taste = {"army.sections": "house", "battle.even": "house", "reserve.rest": "house"}
    assert found == taste | {"siege.useless": "the pack"}, "list each rule with the tier advice in `taste`"


def test_advice_stands_apart_and_counts_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    battle = hussites.TEXTS["battle"].replace(
        "knights = 3, youth_horse = 1, crusader_foot = 4", "knights = 3, crusader_foot = 4"
    )
    battle = battle.replace(
        "{ front = { knights = 3 }, reserve = { youth_horse = 1 } }", "{ front = { knights = 3 } }"
    )
    Path("s.toml").write_text(battle, "utf-8")
    done, japanese = muster("check", "s.toml"), muster("check", "s.toml", "--lang", "ja")
    expected = "独自の助言（好みの問題です）：\ns.toml:41: · battle.even 野戦: 6ユニットが3ユニットを攻撃します\n"
    assert "advice (a matter of taste):\ns.toml:41: · battle.even battle: 6 units attack 3 units\n" in done.out
    assert done.out.endswith("s.toml: legal by 32 rules\n")
    assert expected in japanese.out
    assert done.code == japanese.code == muster("check", "s.toml", "--strict").code == 0
    [row] = muster("check", "s.toml", "--json").json
    assert (row["legal"], row["findings"][0]["tier"], row["findings"][0]["level"]) == (True, "advice", "advice")


def test_the_page_of_rules_is_up_to_date() -> None:
    assert rules_page.PAGE.read_text("utf-8") == rules_page.page(), "python -m tests.rules_page"
