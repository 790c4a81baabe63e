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

Tier = Literal["illegal", "remark", "advice"]
"""How much a rule weighs. Illegal: against the seed, against the tables, cards or map in use, impossible on the
table, or the file contradicts itself. Remark: beyond a limit on what a draw offers, which is ours. Advice: taste."""
Level = Literal["illegal", "unproved", "remark", "advice"]
LEVELS: tuple[Level, ...] = ("illegal", "unproved", "remark", "advice")
"""In the order in which they are told."""


class RuleText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule as its game's rules.toml states it: our words, its source, and what a fault may be."""

    id: str
    tier: Tier
    text: Words
    source: str
    why: dict[str, Words]
    """The reasons a fault may have, by name, with `{placeholders}`."""
    sources: dict[str, str] = {}
    """Where a mode of play has a paragraph of its own, by the mode's name."""

    def within(self, mode: str) -> RuleText:
        """The rule as it is cited in a mode of play."""
        return msgspec.structs.replace(self, source=self.sources.get(mode, self.source), sources={})


class Fault(msgspec.Struct, frozen=True):
    """Where a scenario departs from a rule, by which of the rule's reasons; `values` fill its words."""

    where: str
    reason: str
    values: Mapping[str, object] = {}
    unproved: bool = False
    """Whether only the evidence is lacking."""
    at: tuple[str | int, ...] = ()
    """The keys of the scenario file that it is about: `("units", 3, "hex")`; tables of a list count from 0."""
    cells: tuple[str, ...] = ()
    """The cells to ring on the map."""
    lawful: tuple[str, ...] = ()
    """Where it might stand instead."""
    mend: str = ""
    """A correction ready to paste, in TOML; empty for none."""


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
    at: tuple[str | int, ...] = ()
    line: int = 0
    """The 1-based line of the scenario file that it is about, 0 where there is none."""
    cells: tuple[str, ...] = ()
    lawful: tuple[str, ...] = ()
    mend: str = ""


class Report(msgspec.Struct, frozen=True):
    """What a check found, the gravest first."""

    findings: tuple[Finding, ...]
    rules: tuple[RuleText, ...]
    """The rules that were held against the scenario."""
    follows: tuple[Words, ...] = ()
    """What the file left out, and how it follows from the rest: a sentence each."""

    def of(self, *levels: Level) -> tuple[Finding, ...]:
        """The findings of these levels."""
        return tuple(f for f in self.findings if f.level in levels)

    @property
    def illegal(self) -> tuple[Finding, ...]:
        """The violations."""
        return self.of("illegal")

    @property
    def unproved(self) -> tuple[Finding, ...]:
        """What could not be proved for want of evidence."""
        return self.of("unproved")

    @property
    def remarks(self) -> tuple[Finding, ...]:
        """What goes beyond the limits of our draws."""
        return self.of("remark")

    def placed(self, line: Callable[[tuple[str | int, ...]], int]) -> Report:
        """The report with the line of each finding that is about certain keys of a file; `line` finds it."""
        findings = tuple(msgspec.structs.replace(f, line=line(f.at)) if f.at else f for f in self.findings)
        return msgspec.structs.replace(self, findings=findings)


def check(rules: Iterable[Rule[S]], scenario: S, mode: str = "") -> Report:
    """Hold a scenario against every rule, each cited as in its mode of play; raises nothing."""
    cited = tuple((rule.text.within(mode), rule.test) for rule in rules)
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
        mend=fault.mend,
    )


def bind(texts: Iterable[RuleText], tests: Mapping[str, Callable[[S], Iterable[Fault]]]) -> tuple[Rule[S], ...]:
    """Rules from their texts and tests, in the order of the texts; KeyError where one lacks the other."""
    texts = tuple(texts)
    if extra := tests.keys() - {text.id for text in texts}:
        raise KeyError(f"tests without a text: {sorted(extra)}")
    return tuple(Rule(text, tests[text.id]) for text in texts)
