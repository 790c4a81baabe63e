"""What the covers of all games tell alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from generator.games.words import shared_words
from generator.model.scenario import Scenario
from generator.model.views import Sheet
from generator.model.words import Words, same
from generator.rules.rule import Finding, Report

SHOWN = 6
"""So many findings stand on a cover; `muster check` lists them all."""


def verdict(report: Report, say: Mapping[str, Words]) -> Words:
    """What a check came to, in the words `legal`, `illegal` and `unproved`: {n} rules, {m} such findings."""
    n = len(report.rules)
    if report.illegal:
        return say["illegal"].fill(n=n, m=len(report.illegal))
    if report.unproved:
        return say["unproved"].fill(n=n, m=len(report.unproved))
    return say["legal"].fill(n=n)


def warning(report: Report) -> Words | None:
    """What stands at the foot of every page of a kit that is not legal."""
    return shared_words()["cover"]["warning"] if report.illegal else None


def _illegal(report: Report) -> dict[str, object]:
    """What a cover cries out: that the kit is not legal, the first findings, and where to read them all."""
    say, found = shared_words()["cover"], report.illegal
    if not found:
        return {}
    return {
        "head": say["warning"],
        "findings": [_told(finding) for finding in found[:SHOWN]],
        "see": verdict(report, say),
    }


def _told(finding: Finding) -> Words:
    return shared_words()["cover"]["finding"].fill(where=same(finding.where), why=finding.why)


def stamped(scenario: Scenario, stamp: str) -> tuple[Words, Words]:
    """The fact that says by what the kit is known: its code, or the hash of what a person wrote."""
    say = shared_words()["cover"]
    return say["code" if scenario.origin.code else "content"], same(stamp)


def cover_view(
    scenario: Scenario, report: Report, command: str, sheets: Iterable[Sheet], facts: Iterable[tuple[Words, Words]]
) -> dict[str, object]:
    """A cover's facts, each with its name, what the kit holds, how it is made again, and whether it is legal."""
    return {
        "facts": [{"name": name, "value": value} for name, value in facts],
        "inside": list(dict.fromkeys(sheet.title for sheet in sheets)),
        "command": command,
        "files": [f"{f.name}  sha256 {f.sha256}" for f in scenario.origin.files.values()],
        "verdict": verdict(report, shared_words()["cover"]),
        "illegal": _illegal(report),
    }
