"""Rules with their tests, and what a check finds.

Rules, and the check that holds a scenario against them.

Illegal is a value: every violation at once, each with its rule, its place and its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, Literal, TypeVar

import msgspec

from generator.model.words import Words

S = TypeVar("S")

Level = Literal["illegal", "unproved"]


class RuleText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule as its game's rules.toml states it: our words, its source, and what a fault may be."""

    id: str
    text: Words
    source: str
    why: dict[str, Words]
    """The reasons a fault may have, by name, with `{placeholders}`."""


class Fault(msgspec.Struct, frozen=True):
    """Where a scenario departs from a rule, by which of the rule's reasons; `values` fill its words."""

    where: str
    reason: str
    values: Mapping[str, object] = {}
    level: Level = "illegal"


class Rule(msgspec.Struct, Generic[S], frozen=True):
    """A rule's text and the test that yields its faults."""

    text: RuleText
    test: Callable[[S], Iterable[Fault]]

    @property
    def id(self) -> str:
        """Its name, such as `deploy.hex`."""
        return self.text.id


class Finding(msgspec.Struct, frozen=True):
    """A fault with the rule it departs from."""

    rule: RuleText
    where: str
    why: Words
    level: Level


class Report(msgspec.Struct, frozen=True):
    """What a check found."""

    findings: tuple[Finding, ...]
    rules: tuple[RuleText, ...]
    """The rules that were held against the scenario."""

    @property
    def illegal(self) -> tuple[Finding, ...]:
        """The violations."""
        return tuple(f for f in self.findings if f.level == "illegal")

    @property
    def unproved(self) -> tuple[Finding, ...]:
        """What could not be proved for want of evidence."""
        return tuple(f for f in self.findings if f.level == "unproved")


def check(rules: Iterable[Rule[S]], scenario: S) -> Report:
    """Hold a scenario against every rule; raises nothing."""
    rules = tuple(rules)
    findings = tuple(
        Finding(rule.text, fault.where, rule.text.why[fault.reason].fill(**fault.values), fault.level)
        for rule in rules
        for fault in rule.test(scenario)
    )
    return Report(findings, tuple(rule.text for rule in rules))


def bind(texts: Iterable[RuleText], tests: Mapping[str, Callable[[S], Iterable[Fault]]]) -> tuple[Rule[S], ...]:
    """Rules from their texts and tests, in the order of the texts; KeyError where one lacks the other."""
    texts = tuple(texts)
    if extra := tests.keys() - {text.id for text in texts}:
        raise KeyError(f"tests without a text: {sorted(extra)}")
    return tuple(Rule(text, tests[text.id]) for text in texts)
