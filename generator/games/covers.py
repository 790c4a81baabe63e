"""What the covers of all games tell alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from generator.games.words import shared_words
from generator.model.scenario import Scenario
from generator.model.views import Sheet
from generator.model.words import Words
from generator.rules.rule import Report


def verdict(report: Report, say: Mapping[str, Words]) -> Words:
    """What a check came to, in the words `legal`, `illegal` and `unproved`: {n} rules, {m} such findings."""
    n = len(report.rules)
    if report.illegal:
        return say["illegal"].fill(n=n, m=len(report.illegal))
    if report.unproved:
        return say["unproved"].fill(n=n, m=len(report.unproved))
    return say["legal"].fill(n=n)


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
    }
