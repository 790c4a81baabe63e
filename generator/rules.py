"""Rules with their tests, and the check of a scenario by them.

A check raises nothing: it returns every violation at once, each with its rule, its place and its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, Literal, TypeVar

import msgspec

from generator.model.words import Words

S = TypeVar("S")

Tier = Literal["illegal", "remark", "advice"]
"""The weight of a rule. Illegal: the scenario contradicts the seed, the tables, cards or map in use, or itself, or is
impossible on the table. Remark: it exceeds a limit of what Muster draws. Advice: a matter of taste."""
Level = Literal["illegal", "unproved", "remark", "advice"]
LEVELS: tuple[Level, ...] = ("illegal", "unproved", "remark", "advice")
"""The levels in the order of a report."""


class RuleText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule as stated in its game's rules.toml: its text, its source, and the possible reasons of its faults."""

    id: str
    tier: Tier
    text: Words
    source: str
    why: dict[str, Words]
    """The possible reasons of a fault, by name, with `{placeholders}`."""
    sources: dict[str, str] = {}
    """The source for each mode of play that has a paragraph of its own, by the mode's name."""

    def within(self, mode: str) -> RuleText:
        """Return the rule as it is cited in a mode of play."""
        return msgspec.structs.replace(self, source=self.sources.get(mode, self.source), sources={})


class Fault(msgspec.Struct, frozen=True):
    """A place at which a scenario breaks a rule, and which of the rule's reasons applies; `values` fill its text."""

    where: str
    reason: str
    values: Mapping[str, object] = {}
    unproved: bool = False
    """Whether only the evidence is missing."""
    at: tuple[str | int, ...] = ()
    """The keys of the scenario file that it concerns: `("units", 3, "hex")`; tables in a list count from 0."""
    cells: tuple[str, ...] = ()
    """The cells to ring on the map."""
    lawful: tuple[str, ...] = ()
    """The legal alternatives."""
    suggested_fix: str = ""
    """A correction ready to paste, in TOML; empty if there is none."""


def _always(_: object) -> bool:
    return True


class Rule(msgspec.Struct, Generic[S], frozen=True):
    """The text of a rule, and the test that yields its faults."""

    text: RuleText
    test: Callable[[S], Iterable[Fault]]
    concerns: Callable[[S], bool] = _always
    """Whether a scenario has anything that the rule is about; if not, the rule is neither checked nor counted."""

    @property
    def id(self) -> str:
        """The name of the rule, such as `deploy.hex`."""
        return self.text.id


class Finding(msgspec.Struct, frozen=True):
    """A fault with the rule that it breaks."""

    rule: RuleText
    where: str
    why: Words
    level: Level
    at: tuple[str | int, ...] = ()
    line: int = 0
    """The 1-based line of the scenario file that it concerns, 0 if there is none."""
    cells: tuple[str, ...] = ()
    lawful: tuple[str, ...] = ()
    suggested_fix: str = ""


class Report(msgspec.Struct, frozen=True):
    """The findings of a check, the gravest first."""

    findings: tuple[Finding, ...]
    rules: tuple[RuleText, ...]
    """The rules that the scenario was checked against."""
    follows: tuple[Words, ...] = ()
    """Values that the file left out and how they follow from the rest: one sentence each."""

    def of(self, *levels: Level) -> tuple[Finding, ...]:
        """Return the findings of these levels."""
        return tuple(f for f in self.findings if f.level in levels)

    @property
    def illegal(self) -> tuple[Finding, ...]:
        """The violations."""
        return self.of("illegal")

    @property
    def unproved(self) -> tuple[Finding, ...]:
        """The findings for which evidence is missing."""
        return self.of("unproved")

    @property
    def remarks(self) -> tuple[Finding, ...]:
        """The findings that exceed the limits of Muster's draws."""
        return self.of("remark")

    def placed(self, line: Callable[[tuple[str | int, ...]], int]) -> Report:
        """Return the report with the line of each finding that concerns keys of a file; `line` finds it."""
        findings = tuple(msgspec.structs.replace(f, line=line(f.at)) if f.at else f for f in self.findings)
        return msgspec.structs.replace(self, findings=findings)


def check(rules: Iterable[Rule[S]], scenario: S, mode: str = "") -> Report:
    """Check a scenario against every rule that concerns it, each cited as in the mode of play; raises nothing."""
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
    """Return rules made from texts and tests, in the order of the texts; raises KeyError if either is missing.

    `concerns` has, by the names of rules, the test of whether a rule concerns a scenario; other rules always do.
    """
    texts = tuple(texts)
    if extra := tests.keys() - {text.id for text in texts}:
        raise KeyError(f"tests without a text: {sorted(extra)}")
    return tuple(Rule(text, tests[text.id], concerns.get(text.id, _always)) for text in texts)
