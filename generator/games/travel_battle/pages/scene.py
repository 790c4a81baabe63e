"""Print the scenario sheet, which shows the field with all units and explains the battle in the margin."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from generator.common.ownership import Part, cover_credits, is_user_content
from generator.common.pages import Cover
from generator.games.travel_battle.ground import SIZE
from generator.games.travel_battle.maps import (
    board_lying,
    coordinates,
    map_view,
    patch,
    seam_patch,
    seams,
    seats,
    terrains_used,
    token,
)
from generator.games.travel_battle.model import (
    FORWARD,
    OTHER,
    SIDES,
    Scenario,
    Side,
    brigade_id,
    is_house_board,
    placed_title,
)
from generator.games.travel_battle.objectives import brigades_to_win, kinds, victory_lines
from generator.games.travel_battle.pages.story import cover_text
from generator.games.travel_battle.play import march
from generator.games.travel_battle.tables import numbers, terrains, words
from generator.model.views import Figure, Legend, MapView, Shade
from generator.model.words import Words, joined
from generator.rules import Report
from generator.symbols.pictograms import rings
from generator.symbols.theme import theme

ZONE = "reserve"
"""The shade of an objective's squares."""
CROWDED = 2 * SIZE
"""The size of the field, in squares, above which texts do not fit on the map: names if either dimension is greater,
and labels if both are.
"""
MAX_ROW_UNITS = 17
"""The maximum number of a side's units in the row below the map."""
MAX_BOARDS_SHOWN = 2
"""The maximum number of boards in the margin. If there are more, edge numbers are shown only on the map."""
_RING, _WIDE = 3.5, 56.0
"""The size of a turn's circle and the width of the margin, in mm."""
_MAX_RINGS = 24
"""The maximum number of turns for which the cover has circles, in two rows. Record sheets always have a track."""


def scene(scenario: Scenario, report: Report) -> Cover:
    """Return the scenario sheet.

    If the sheet lists findings, it shows the field in the same way as the map's own page.
    """
    figures: dict[str, Figure] = {}
    field = scenario.battlefield.terrain_map.field
    margin: dict[str, object] = {
        "aspect": field.columns / field.rows,
        "lead": cover_text(scenario).view,
        "sides": [_side(scenario, player, figures) for player in reversed(SIDES)],
        "victory": _victory(scenario, figures),
        "boards": list(_boards(scenario, figures)),
        "rules": list(_rules(scenario)),
        "legend": list(_legend(scenario, figures)),
        "roster": list(_roster(scenario, figures)),
        "listed": list(_listed(scenario)),
        "kinds": list(_kinds(scenario, figures)),
    }
    view = whole_view(scenario) if report.illegal else sheet_view(scenario)
    high = SIZE < field.rows >= field.columns and not report.illegal
    template = "travel_battle/high.xml" if high else "travel_battle/cover.xml"
    return Cover(template, view, (), _content(scenario), margin, figures)


def sheet_view(scenario: Scenario) -> MapView:
    """Return the map for the scenario sheet. On a field of usual size, the players' seats are at its edges."""
    view, field = whole_view(scenario), scenario.battlefield.terrain_map.field
    if field.columns == 2 * SIZE and field.rows == SIZE:
        return replace(view, edges=None, notes=seats(scenario.battlefield))
    if field.rows > SIZE:
        # The squares are too small for names and labels. Both are on the larger map on a separate page.
        tokens = tuple((cell, msgspec.structs.replace(counter, label="")) for cell, counter in view.tokens)
        notes = (*view.notes, *(coordinates(field, field.cells) if view.names else ()))
        return replace(view, names=False, tokens=tokens, notes=notes, compact=True)
    return view


def whole_view(scenario: Scenario) -> MapView:
    """Return a map of the field with its objective.

    If the squares are too small for their names, the edges show coordinates.
    """
    field, zone = scenario.battlefield.terrain_map.field, scenario.objective.cells
    shades = (Shade(ZONE, zone),) if zone else ()
    view = map_view(scenario.battlefield, scenario.armies, shades=shades)
    if zone:
        view = replace(view, legend=(*view.legend, Legend(ZONE, words()["map"]["zone"])))
    if max(field.columns, field.rows) > CROWDED:
        view = replace(view, names=False, notes=(*view.notes, *coordinates(field, field.cells)))
    if min(field.columns, field.rows) > CROWDED:
        tokens = tuple((cell, msgspec.structs.replace(counter, label="")) for cell, counter in view.tokens)
        view = replace(view, tokens=tokens)
    return view


def boards_words(scenario: Scenario) -> Words:
    """Return the boards from the left with their owners, or a text for a double board."""
    texts, players = words()["story"], words()["player"]
    if scenario.battlefield.whole:
        return texts["whole"]
    return joined(
        [
            texts["board"].fill(name=placed_title(placed), player=players[placed.owner])
            for placed in scenario.placed.values()
        ]
    )


def _content(scenario: Scenario) -> list[Words]:
    """Return the credits of the boards and the army.

    Splits of the shipped army, rulings and readings are credited as house.
    """
    texts, files = words()["cover"], scenario.origin.files
    foreign = [placed.name for placed in scenario.placed.values() if not is_house_board(placed)]
    names = [file.name for option, file in files.items() if option.startswith("board-") and file.name in foreign]
    army = is_user_content(scenario.roster)
    parts = [
        Part(texts["boards_part"], bool(foreign), ", ".join(dict.fromkeys(names))),
        Part(texts["army_part" if army else "splits_part"], army, scenario.origin.user_file_name("army")),
        Part(texts["marked_part"], user_made=False),
    ]
    return cover_credits(parts, texts["house"])


def _side(scenario: Scenario, player: Side, figures: dict[str, Figure]) -> dict[str, object]:
    """Return an army's summary with its counter, its number of units and its dice."""
    texts, army = words()["scene"], scenario.armies[player]
    kind = next((unit.kind for unit in army.units), scenario.roster.brigadier)
    figures[f"side_{player}"] = token(player, kind, 1, facing=FORWARD[player])
    return {
        "figure": f"side_{player}",
        "name": words()["player"][player],
        "units": texts["units"].fill(n=sum(unit.kind.fights for unit in army.units)),
        "first": list(_first(scenario, player)),
    }


def _victory(scenario: Scenario, figures: dict[str, Figure]) -> dict[str, object]:
    """Return the victory conditions: the brigades to destroy, the sentences, and a track of turns."""
    struck: list[list[str]] = []
    brigades = {len(army.brigades) for army in scenario.armies.values()}
    if brigades == {numbers().brigades}:
        lost, leader = brigades_to_win(numbers().brigades), scenario.roster.brigadier
        for player in reversed(SIDES):
            row = []
            for n in range(1, numbers().brigades + 1):
                figure = token(player, leader, n, facing=FORWARD[player])
                figures[name := f"lost_{player}_{n}"] = (
                    msgspec.structs.replace(figure, mark="wrecked") if n <= lost else figure
                )
                row.append(name)
            struck.append(row)
    turns = scenario.turns
    if has_rings := 0 < turns <= _MAX_RINGS:
        figures["turns"] = rings(1, turns, _RING, _WIDE)
    lines = list(victory_lines(scenario))
    if struck and scenario.objective.kind not in kinds():
        texts = words()["scene"]
        values = {"n": brigades_to_win(numbers().brigades), "of": numbers().brigades, "turns": turns}
        lines = [texts["win" if turns else "win_never"].fill(**values)]
    return {"struck": struck, "lines": lines, "turns": turns if has_rings else 0}


def _first(scenario: Scenario, player: Side) -> Iterator[dict[str, object]]:
    """Yield a line if a player moves or places first, with the dice that decided it."""
    texts = words()["scene"]
    for what, first in (("mover", scenario.first_mover), ("placer", scenario.first_placer)):
        if first != player:
            continue
        dice = [
            step.result for step in scenario.log if step.what == f"{what}_dice" and len(step.result) == len(SIDES)
        ]
        dice_line = None
        if dice:
            thrown = dict(zip(SIDES, dice[-1], strict=True))
            dice_line = texts["dice"].fill(n=thrown[player], m=thrown[OTHER[player]])
        yield {"name": texts[what], "dice": dice_line}


def _boards(scenario: Scenario, figures: dict[str, Figure]) -> Iterator[dict[str, object]]:
    """Yield the boards in their positions, each with the number of its owner's edge inked.

    If there are more than `MAX_BOARDS_SHOWN` boards, nothing is yielded.
    """
    texts = words()["scene"]
    if len(scenario.placed) > MAX_BOARDS_SHOWN or scenario.battlefield.whole:
        return
    for i, of in enumerate(scenario.placed.values()):
        player = words()["player"][of.owner]
        figures[f"board_{i}"] = board_lying(of.oriented, of.owner_edge)
        yield {
            "figure": f"board_{i}",
            "name": placed_title(of),
            "type": of.oriented.board.type,
            "whose": texts["whose"].fill(player=player, edge=of.owner_edge),
        }


def _rules(scenario: Scenario) -> Iterator[dict[str, object]]:
    """Yield a line with the effects of each terrain of this field."""
    texts, there = words()["on"], terrains_used(scenario.battlefield.terrain_map)
    for ground in (terrains()[id_] for id_ in there):
        key = f"road_{scenario.rulings['road_strict']}" if ground.road else ground.id
        if key in texts:
            values = {"n": march().road, "cover": ground.cover, "defence": ground.defence}
            yield {"name": ground.name, "text": texts[key].fill(**values)}


def _legend(scenario: Scenario, figures: dict[str, Figure]) -> Iterator[dict[str, object]]:
    """Yield each terrain as it looks on this field, with its letter, then lines between boards and the objective."""
    terrain_map, texts = scenario.battlefield.terrain_map, words()["map"]
    there = terrains_used(terrain_map)
    for id_ in there:
        cell = next(cell for cell in terrain_map.field.cells if terrain_map.ground[cell] == id_)
        figures[f"ground_{id_}"] = patch(terrain_map, cell)
        yield {
            "figure": f"ground_{id_}",
            "name": terrains()[id_].name,
            "letter": theme().ground[id_].letter,
        }
    if seams(scenario.battlefield):
        figures["seam"] = seam_patch(terrain_map, there[0])
        yield {"figure": "seam", "name": texts["seam_whole" if scenario.battlefield.whole else "seam"], "letter": ""}
    if zone := scenario.objective.cells:
        figures["zone"] = replace(patch(terrain_map, zone[0]), shades=(Shade(ZONE, zone[:1]),))
        yield {"figure": "zone", "name": texts["zone"], "letter": ""}


def _roster(scenario: Scenario, figures: dict[str, Figure]) -> Iterator[dict[str, object]]:
    """Yield a row for each army, the far army first, which lists the letter and square of each unit."""
    name = scenario.battlefield.terrain_map.field.name
    if max(len(army.units) for army in scenario.armies.values()) > MAX_ROW_UNITS:
        return
    for player in reversed(SIDES):
        brigades = []
        for brigade in scenario.armies[player].brigades:
            units = []
            for i, unit in enumerate(brigade.units):
                figures[unit.id] = token(player, unit.kind, brigade.number, facing=FORWARD[player])
                at = name(unit.cell) if unit.cell else words()["record"]["nowhere"]
                letter = unit.id.removeprefix(brigade_id(player, brigade.number)) if i else unit.id
                units.append({"figure": unit.id, "letter": letter, "at": at})
            brigades.append({"units": units})
        yield {"brigades": brigades}


def _listed(scenario: Scenario) -> Iterator[dict[str, object]]:
    """Yield the brigades in short form if the armies are too large for the row and there is room for a list."""
    field = scenario.battlefield.terrain_map.field
    if field.rows > SIZE or max(len(army.units) for army in scenario.armies.values()) <= MAX_ROW_UNITS:
        return
    for player in reversed(SIDES):
        for brigade in scenario.armies[player].brigades:
            head = brigade_id(player, brigade.number)
            units = (unit for unit in brigade.units if unit.cell)
            parts = [f"{unit.id.removeprefix(head)} {field.name(unit.cell)}".strip() for unit in units if unit.cell]
            yield {"id": head, "units": ", ".join(parts)}


def _kinds(scenario: Scenario, figures: dict[str, Figure]) -> Iterator[dict[str, object]]:
    """Yield the kinds of units on the field, with their drawings."""
    there = {unit.kind.id: unit.kind for _, _, unit in scenario.units.values()}
    for kind in scenario.roster.kinds.values():
        if kind.id in there:
            figures[f"kind_{kind.id}"] = token(SIDES[0], kind, 1, facing=FORWARD[SIDES[0]])
            yield {"figure": f"kind_{kind.id}", "name": kind.name}
