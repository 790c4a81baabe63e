"""Cover, map, packing list and set-up: what a battle's kit opens with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import msgspec

from generator.games.covers import cover_view, stamped
from generator.games.fairness import graded_line
from generator.games.travel_battle.fairness import FAIRNESS
from generator.games.travel_battle.ground.board import SIZE
from generator.games.travel_battle.objectives import told
from generator.games.travel_battle.pages.checklist import checklist
from generator.games.travel_battle.pages.gunfields import coordinates
from generator.games.travel_battle.pages.mapsheet import map_view, token
from generator.games.travel_battle.pages.reference import setup_readings
from generator.games.travel_battle.pages.telling import army_words, boards_words, is_ours, placed_title
from generator.games.travel_battle.play.tables import melee
from generator.games.travel_battle.scenario import AHEAD, PLAYERS, Scenario
from generator.games.whose import Part, credits_of, is_owners
from generator.games.words import words
from generator.grid.squares import Square
from generator.model.views import Figure, Legend, MapView, Shade, Sheet
from generator.model.words import Words
from generator.rules.rule import Report

ZONE = "reserve"
"""How the squares of an objective are shaded."""
CROWDED = 2 * SIZE
"""A field with more squares one way has none that are large enough for names, one with more both ways for labels."""


def cover(scenario: Scenario, report: Report, stamp: str, command: str, sheets: Iterable[Sheet]) -> Sheet:
    """The cover: the field, the battle at a glance, and the command that makes the kit again."""
    say, players = words("travel_battle")["cover"], words("travel_battle")["player"]
    facts = [
        (say["boards"], boards_words(scenario)),
        *((say["armies"].fill(player=players[p]), army_words(army)) for p, army in scenario.armies.items()),
        (say["placer"], players[scenario.first_placer]),
        (say["first"], players[scenario.first_mover]),
        (say["win"], _lines(told(scenario))),
        stamped(scenario, stamp),
    ]
    return Sheet(
        part="cover",
        title=scenario.title,
        template="travel_battle/cover.xml",
        view={
            **cover_view(scenario, report, command, sheets, facts),
            "wide": _wide(scenario),
            "content": _content(scenario),
        },
        figures={"map": map_view(scenario.battlefield, scenario.armies, small=True)},
    )


def _content(scenario: Scenario) -> list[Words]:
    """Whose boards and army are; splits of the army of the box, rulings and readings are ours."""
    say, files = words("travel_battle")["cover"], scenario.origin.files
    foreign = [placed.name for row in scenario.boards for placed in row if not is_ours(placed)]
    names = [file.name for wish, file in files.items() if wish.startswith("board-") and file.name in foreign]
    army = is_owners(scenario.roster)
    parts = [
        Part(say["boards_part"], bool(foreign), ", ".join(dict.fromkeys(names))),
        Part(say["army_part" if army else "splits_part"], army, files["army"].name if "army" in files else ""),
        Part(say["marked_part"], own=False),
    ]
    return credits_of(parts, say["house"])


def map_sheet(scenario: Scenario, report: Report | None = None) -> Sheet:
    """The field on a page of its own, with everybody on it; one whole is marked as such."""
    say, field = words("travel_battle")["map"], scenario.battlefield.land.field
    whole = say["whole"].fill(columns=field.columns, rows=field.rows) if scenario.battlefield.whole else None
    return Sheet(
        part="map",
        title=say["title"],
        template="travel_battle/map.xml",
        view={"whole": whole, "graded": graded_line(FAIRNESS, scenario, report)},
        figures={"map": _whole(scenario)},
        landscape=_wide(scenario),
    )


def _whole(scenario: Scenario) -> MapView:
    """The field with its objective marked; where squares are too small for names, these stand at its edges."""
    field, zone = scenario.battlefield.land.field, scenario.objective.cells
    shades = (Shade(ZONE, zone),) if zone else ()
    view = map_view(scenario.battlefield, scenario.armies, shades=shades)
    if zone:
        view = replace(view, legend=(*view.legend, Legend(ZONE, words("travel_battle")["map"]["zone"])))
    if max(field.columns, field.rows) > CROWDED:
        view = replace(view, names=False, notes=(*view.notes, *coordinates(field, field.cells)))
    if min(field.columns, field.rows) > CROWDED:
        tokens = tuple((cell, msgspec.structs.replace(counter, label="")) for cell, counter in view.tokens)
        view = replace(view, tokens=tokens)
    return view


def setup_sheet(scenario: Scenario) -> Sheet:
    """What to fetch from the box, the boards as they lie, and everything in the order in which it is set up."""
    say, setup = words("travel_battle")["packing"], words("travel_battle")["setup"]
    left, right = (scenario.battlefield.land.field.name(Square(column, 0)) for column in (0, SIZE))
    whole = say["whole"].fill(left=left, right=right) if scenario.battlefield.whole else None
    tokens: dict[str, Figure] = {
        f"{player}_{kind.id}": token(player, kind, 1, facing=AHEAD[PLAYERS[0]])
        for player in PLAYERS
        for kind in scenario.roster.kinds.values()
    }
    return Sheet(
        part="setup",
        title=words("travel_battle")["part"]["setup"],
        template="travel_battle/setup.xml",
        view={
            "players": [words("travel_battle")["player"][player] for player in PLAYERS],
            "units": _units(scenario),
            "totals": [len(scenario.armies[player].units) for player in PLAYERS],
            "boards": () if whole else _boards(scenario),
            "whole": whole,
            "also": [
                say["dice"].fill(n=melee().most_dice),
                say["markers"],
                say["print"],
            ],
            "heading": setup["title" if scenario.log else "by_hand"],
            "intro": setup["intro" if scenario.log else "read"],
            "groups": checklist(scenario),
            "rulings": setup_readings(whole=bool(whole)),
            "notes": [setup["facing"], *([setup["streams"]] if scenario.origin.code else [])],
        },
        figures=tokens,
        pages=3,
    )


def _units(scenario: Scenario) -> list[dict[str, object]]:
    """How many units of each kind each player fetches."""
    counts = {player: Counter(unit.kind.id for unit in scenario.armies[player].units) for player in PLAYERS}
    return [
        {
            "id": kind.id,
            "name": kind.name,
            "counts": [{"token": f"{p}_{kind.id}", "n": counts[p][kind.id]} for p in PLAYERS],
        }
        for kind in scenario.roster.kinds.values()
        if any(counts[player][kind.id] for player in PLAYERS)
    ]


def _boards(scenario: Scenario) -> list[dict[str, object]]:
    """Every board with the square of its near left corner and the edges that lie towards Blue and towards Red."""
    say, name = words("travel_battle")["packing"]["type"], scenario.battlefield.land.field.name
    return [
        {
            "at": name(Square(SIZE * c, SIZE * r)),
            "name": say.fill(name=placed_title(placed), type=placed.laid.board.type),
            "edges": f"{placed.laid.edge} / {placed.laid.far}",
            "whose": words("travel_battle")["player"][placed.owner],
        }
        for r, row in enumerate(scenario.boards)
        for c, placed in enumerate(row)
    ]


def _wide(scenario: Scenario) -> bool:
    """Whether the field is wider than deep."""
    field = scenario.battlefield.land.field
    return field.columns > field.rows


def _lines(texts: Iterable[Words]) -> Words:
    """Sentences one after the other."""
    texts = tuple(texts)
    return Words(" ".join(text.en for text in texts), "".join(text.ja for text in texts))
