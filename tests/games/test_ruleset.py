"""Tests for the decorator that binds a rule's test to its text. Mismatches are reported on import."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from generator import games
from generator.common.tables import RuleBook, ruleset
from generator.rules import Fault
from generator.store.folders import shipped_path


def nothing(_: object) -> Iterator[Fault]:
    yield from ()


def test_a_test_without_a_text_fails_where_it_is_written() -> None:
    with pytest.raises(KeyError, match=r"squad\.pionts"):
        RuleBook("battling/rules.toml")("squad.pionts")


def test_a_rule_has_one_test() -> None:
    rule, other = RuleBook("battling/rules.toml"), RuleBook("battling/rules.toml")
    rule("squad.points")(nothing)
    other("squad.points")(nothing)
    with pytest.raises(KeyError, match="two tests"):
        rule("squad.points")
    with pytest.raises(KeyError, match="two tests"):
        ruleset(rule, other)


def test_a_text_without_a_test_is_reported() -> None:
    rule = RuleBook("battling/rules.toml")
    rule("squad.points")(nothing)
    with pytest.raises(KeyError, match=r"squad\.size"):
        ruleset(rule)


@pytest.mark.parametrize("name", games.names())
def test_a_rules_test_says_the_rules_sentence(name: str) -> None:
    for rule in games.load(name).rules:
        docstring = rule.test.__doc__ or ""
        if "_of_arena" not in rule.test.__qualname__:  # a rule of arenas that is applied to the arena of a battle
            assert (
                rule.text.text.en in docstring and rule.text.text.ja in docstring and rule.text.source in docstring
            ), rule.id


@pytest.mark.parametrize("name", games.names())
def test_a_rule_text_occurs_once_in_the_data_of_its_game(name: str) -> None:
    """Findings, `muster rules` and pages read the sentence from the game's data."""
    texts = {path: path.read_text("utf-8") for path in shipped_path("data").rglob("*.toml")}
    texts_of_game = [text for path, text in texts.items() if "[[rule]]" not in text or path.parent.name == name]
    for rule in games.load(name).rules:
        sentence = f'{{ en = "{rule.text.text.en}", ja = "{rule.text.text.ja}" }}'
        among = sum(text.count(sentence) for text in texts_of_game)
        assert among == 1 or (among == 0 and sum(text.count(sentence) for text in texts.values()) == 1), rule.id
