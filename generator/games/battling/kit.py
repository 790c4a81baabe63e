"""Everything that is printed for a battle."""

from __future__ import annotations

from collections.abc import Iterable

from generator.games.battling.ground import edge_name
from generator.games.battling.mapsheet import map_view
from generator.games.battling.scenario import SIDES, Scenario, Side
from generator.games.battling.telling import arena_words, opening_words, squad_words
from generator.games.words import words
from generator.model.views import Kit, Sheet
from generator.model.words import Words, same
from generator.rules.rule import Report


def kit(scenario: Scenario, report: Report, stamp: str, command: str) -> Kit:
    """The kit: cover and arena."""
    sheets = (map_sheet(scenario),)
    front = cover(scenario, report, stamp, command, sheets)
    return Kit(words("battling")["title"]["game"], scenario.title, stamp, (front, *sheets))


def cover(scenario: Scenario, report: Report, stamp: str, command: str, sheets: Iterable[Sheet]) -> Sheet:
    """The cover: the arena, the battle at a glance, and the command that makes the kit again."""
    say = words("battling")["cover"]
    facts = [
        (say["arena"], arena_words(scenario)),
        *((say[side], _squad(scenario, side)) for side in SIDES),
        (say["points"], same(scenario.points)),
        (say["turns"], same(scenario.turns)),
        (say["opening"], opening_words(scenario)),
        (say["win"], say["victory"]),
        (say["code"] if scenario.origin.code else say["content"], same(stamp)),
    ]
    return Sheet(
        part="cover",
        title=scenario.title,
        template="battling/cover.xml",
        view={
            "facts": [{"name": name, "value": value} for name, value in facts],
            "inside": [sheet.title for sheet in sheets],
            "command": command,
            "files": [f"{f.name}  sha256 {f.sha256}" for f in scenario.origin.files.values()],
            "verdict": _verdict(report),
        },
        figures={"map": map_view(scenario, small=True)},
    )


def map_sheet(scenario: Scenario) -> Sheet:
    """The arena on a page of its own, with both squads on it."""
    return Sheet(
        part="map",
        title=words("battling")["map"]["title"],
        template="battling/map.xml",
        view={},
        figures={"map": map_view(scenario)},
    )


def _squad(scenario: Scenario, side: Side) -> Words:
    squad = scenario.squads[side]
    values = {"edge": edge_name(squad.edge), "machines": squad_words(scenario, squad)}
    return words("battling")["cover"]["machines"].fill(player=squad.player, **values)


def _verdict(report: Report) -> Words:
    say = words("battling")["cover"]
    if report.illegal:
        return say["illegal"].fill(n=len(report.illegal))
    if report.unproved:
        return say["unproved"].fill(n=len(report.rules), m=len(report.unproved))
    return say["legal"].fill(n=len(report.rules))
