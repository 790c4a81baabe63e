"""Every rule has a tier and a source that can be said in both languages, and docs/rules.md has them all."""

from __future__ import annotations

import re

import pytest

from generator import games
from generator.common.pages import whence
from tests import rules_page

SOURCES = sorted(
    {
        source
        for name in games.names()
        for rule in games.load(name).rules
        for source in (rule.text.source, *rule.text.sources.values())
    }
)


@pytest.mark.parametrize("source", SOURCES)
def test_a_source_is_said_in_japanese(source: str) -> None:
    """But for the games' own words that are written in Latin letters, and the numbers of paragraphs."""
    assert not re.search("[A-Za-z]{3}", re.sub("Specialist|Call to Arms", "", whence(source).ja))
    assert not re.search("decision|_", whence(source).en)


def test_what_is_only_ours_is_no_more_than_a_remark_where_no_seed_demands_it() -> None:
    """Limits of draws are remarks."""
    tiers = {rule.id: rule.text.tier for name in games.names() for rule in games.load(name).rules}
    soft = "squad.points army.points army.size army.rows army.banners play.hand play.banners map.reach map.place"
    soft += " terrain.river terrain.crossing terrain.cliff board.roads board.network board.hills board.exits"
    soft += " field.types field.roads place.facing arena.room arena.opening arena.cover arena.reachable arena.streets"
    assert {tiers[name] for name in soft.split()} == {"remark"}


def test_the_page_of_rules_is_up_to_date() -> None:
    assert rules_page.PAGE.read_text("utf-8") == rules_page.page(), "python -m tests.rules_page"
