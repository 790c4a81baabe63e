"""Tests on a seeded sample of `make prove ARGS=mutations`, and for the reasons that every rule reports."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest

from generator import games
from generator.common.pages import source_words
from generator.common.tables import place_words
from generator.rules import Finding, check
from tests.mutations import CITED, NO_FILE, every, fault, mutations, wrong
from tests.prove.figure import SEED

SAMPLE = 12
"""Number of changes tested for each game."""


ROWS_OF = {"battlelore": "ROWS of tests/games/battlelore/test_alone.py"}
"""The tables of changes that are not in tests/games/<game>/test_mutations.py."""


@cache
def findings(game: str) -> tuple[Finding, ...]:
    """Return the findings on all changes of a game."""
    rules = games.load(game).rules
    return tuple(
        found for change in mutations() if change.game == game for found in check(rules, change.after).findings
    )


@pytest.mark.parametrize("game", games.names())
def test_a_changed_file_breaks_exactly_its_rules(game: str) -> None:
    numbers = [number for number, of in enumerate(mutations()) if of.game == game]
    assert not [fault_found for number in Random(SEED).sample(numbers, SAMPLE) if (fault_found := wrong(number))]


@pytest.mark.parametrize("game", games.names())
def test_a_file_can_break_every_rule(game: str) -> None:
    broken = set().union(*(of.fires for of in mutations() if of.game == game))
    unbroken = {rule.id for rule in games.load(game).rules} - broken
    table = ROWS_OF.get(game, f"TABLE of tests/games/{game}/test_mutations.py")
    assert not unbroken, f"no change of a file breaks {sorted(unbroken)}: add a row to {table}"


@pytest.mark.parametrize("game", games.names())
def test_every_rule_has_its_tier_and_its_paragraph(game: str) -> None:
    citations = {}
    for rule in games.load(game).rules:
        sources = {mode: source_words(rule.text.within(mode).source).en for mode in ("", "organized")}
        citations[rule.id] = [rule.text.tier, *dict.fromkeys(sources.values())]
    other = {rule: cited for rule, cited in citations.items() if CITED[game].get(rule) != cited}
    assert not other, f"compare with the rule text, then list under [{game}] of tests/cited.toml: {other}"
    assert citations.keys() == CITED[game].keys()


def test_there_are_changes_enough() -> None:
    assert len(mutations()) >= 300
    assert len({(of.game, of.name) for of in mutations()}) == len(mutations())


def test_what_no_file_can_say_is_refused_or_cannot_be_written() -> None:
    faults = {of.name: fault(of) for of in every() if of.name in NO_FILE}
    assert set(faults) == NO_FILE
    assert all(": refused: " in message or ": the file is the same" in message for message in faults.values()), faults


@pytest.mark.parametrize("game", games.names())
def test_places_of_findings_have_no_english_words_in_japanese(game: str) -> None:
    """Ids, hexes and the printed names of cards do not count as words."""
    places = {finding.where for finding in findings(game)}
    assert places
    for where in places:
        words = place_words(where)
        assert not re.search("[a-z]{3}", words.ja.replace("Specialist", "")), where
        assert bool(re.search("[ぁ-んァ-ヶー一-龥]", words.ja)) == (words.ja != words.en) or "Specialist" in words.en


@pytest.mark.parametrize("game", games.names())
def test_findings_are_polite_in_japanese(game: str) -> None:
    """Findings are polite like other messages (です・ます, docs/wording.md)."""
    reasons = {finding.why.ja for finding in findings(game)}
    assert reasons
    assert not [why for why in reasons if not re.search("(です|ます|ません|ました|ください)", why)]
