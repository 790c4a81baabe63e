"""Rules with their tests, and the check of a scenario against them.

A check raises no errors. It returns all violations, each with its rule, its place and its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, Literal, TypeVar

import msgspec

from generator.model.words import Words

S = TypeVar("S")

Tier = Literal["illegal", "remark", "advice"]
"""The weight of a rule.

- Illegal: the scenario contradicts the rules of the game, the tables, cards or map in use, or itself, or it cannot
  be
  set up on the table.
- Remark: the scenario exceeds a limit of the scenarios that Muster generates.
- Advice: a matter of taste.
"""
Level = Literal["illegal", "unproved", "remark", "advice"]
LEVELS: tuple[Level, ...] = ("illegal", "unproved", "remark", "advice")
"""The levels of findings, in the order in which a report lists them."""


class RuleText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule as defined in its game's rules.toml."""

    id: str
    tier: Tier
    text: Words
    source: str
    why: dict[str, Words]
    """The possible reasons of a fault, keyed by name. They may contain `{placeholders}`."""
    sources: dict[str, str] = {}
    """The sources for modes of play that have their own paragraph, keyed by mode."""

    def within(self, mode: str) -> RuleText:
        """Return the rule with the source that applies in a mode of play."""
        return msgspec.structs.replace(self, source=self.sources.get(mode, self.source), sources={})


class Fault(msgspec.Struct, frozen=True):
    """A violation of a rule at one place in a scenario.

    `reason` is the name of one of the rule's reasons, and `values` fill its placeholders.
    """

    where: str
    reason: str
    values: Mapping[str, object] = {}
    unproved: bool = False
    """Whether the scenario only lacks the evidence that the rule is satisfied."""
    at: tuple[str | int, ...] = ()
    """The keys of the affected value in the scenario file, such as `("units", 3, "hex")`. Tables in a list count from
    0.
    """
    cells: tuple[str, ...] = ()
    """The cells to mark with a ring on the map."""
    lawful: tuple[str, ...] = ()
    """The legal alternatives to the faulty value."""
    suggested_fix: str = ""
    """A correction in TOML that can be pasted into the file. Empty if there is none."""


def _always(_: object) -> bool:
    return True


class Rule(msgspec.Struct, Generic[S], frozen=True):
    """A rule, which consists of a text and a test that yields faults."""

    text: RuleText
    test: Callable[[S], Iterable[Fault]]
    concerns: Callable[[S], bool] = _always
    """Whether a scenario has anything that the rule is about; if not, the rule is neither checked nor counted."""

    @property
    def id(self) -> str:
        """The id of the rule, such as `deploy.hex`."""
        return self.text.id


class Finding(msgspec.Struct, frozen=True):
    """A fault together with the rule that it violates."""

    rule: RuleText
    where: str
    why: Words
    level: Level
    at: tuple[str | int, ...] = ()
    line: int = 0
    """The line of the affected value in the scenario file, counted from 1, or 0 if there is none."""
    cells: tuple[str, ...] = ()
    lawful: tuple[str, ...] = ()
    suggested_fix: str = ""


class Report(msgspec.Struct, frozen=True):
    """The findings of a check, with the most serious first."""

    findings: tuple[Finding, ...]
    rules: tuple[RuleText, ...]
    """The rules against which the scenario was checked."""
    follows: tuple[Words, ...] = ()
    """A sentence for each value that the file omits, on how it follows from the others."""

    def of(self, *levels: Level) -> tuple[Finding, ...]:
        """Return the findings of these levels."""
        return tuple(f for f in self.findings if f.level in levels)

    @property
    def illegal(self) -> tuple[Finding, ...]:
        """The findings that make the scenario illegal."""
        return self.of("illegal")

    @property
    def unproved(self) -> tuple[Finding, ...]:
        """The findings for which only evidence is missing."""
        return self.of("unproved")

    @property
    def remarks(self) -> tuple[Finding, ...]:
        """The findings that exceed the limits of the scenarios that Muster generates."""
        return self.of("remark")

    def placed(self, line: Callable[[tuple[str | int, ...]], int]) -> Report:
        """Return the report with a line number for each finding about keys of a file.

        `line` returns the line of given keys.
        """
        findings = tuple(msgspec.structs.replace(f, line=line(f.at)) if f.at else f for f in self.findings)
        return msgspec.structs.replace(self, findings=findings)


def check(rules: Iterable[Rule[S]], scenario: S, mode: str = "") -> Report:
    """Check a scenario against the rules that concern it, with sources for a mode of play. This raises no errors."""
    cited = tuple((rule.text.within(mode), rule.test) for rule in rules if rule.concerns(scenario))
    findings = [_finding(text, fault) for text, test in cited for fault in test(scenario)]
    findings.sort(key=lambda finding: LEVELS.index(finding.level))
    return Report(tuple(findings), tuple(text for text, _ in cited))


def _finding(text: RuleText, fault: Fault) -> Finding:
    return Finding(
        rule=text,
        where=fault.where,
        why=text.why[fault.reason].fill(**fault.values),
        level="unproved" if fault.unproved else text.tier,
        at=fault.at,
        cells=fault.cells,
        lawful=fault.lawful,
        suggested_fix=fault.suggested_fix,
    )


def bind(
    texts: Iterable[RuleText],
    tests: Mapping[str, Callable[[S], Iterable[Fault]]],
    concerns: Mapping[str, Callable[[S], bool]] = {},
) -> tuple[Rule[S], ...]:
    """Combine texts and tests into rules, in the order of the texts.

    `concerns` has, by the names of rules, the test of whether a rule concerns a scenario; other rules always do.

    Raises:
        KeyError: If a text has no test, or a test has no text.
    """
    texts = tuple(texts)
    if extra := tests.keys() - {text.id for text in texts}:
        raise KeyError(f"tests without a text: {sorted(extra)}")
    return tuple(Rule(text, tests[text.id], concerns.get(text.id, _always)) for text in texts)
