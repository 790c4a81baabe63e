"""Fill the sheets of a kit, from the cover to the checklist."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from generator.common import scenario_file
from generator.common.fairness import graded_line
from generator.common.interpretations import all_impacts, interpretations_with_effects
from generator.common.ownership import is_user_content
from generator.common.pages import audit_sheet, kit_with_cover
from generator.common.scenario_file import NAMELESS, Step, unit_label
from generator.common.search import fair_names, fair_steps
from generator.games.travel_battle.fairness import FAIRNESS, TABLES
from generator.games.travel_battle.forces import Kind, Roster
from generator.games.travel_battle.ground import SIZE
from generator.games.travel_battle.maps import board_lying, flags, marker, marker_name, token, unit_number
from generator.games.travel_battle.model import (
    FORWARD,
    OTHER,
    SIDES,
    WHOLE,
    Army,
    Brigade,
    Scenario,
    Side,
    board_at,
    board_title,
    brigade_id,
    placed_title,
    placing_step,
    unit_and_square,
)
from generator.games.travel_battle.objectives import kinds as objectives
from generator.games.travel_battle.objectives import victory_lines
from generator.games.travel_battle.pages.gunfields import fire_sheet, odds_cards
from generator.games.travel_battle.pages.posters import (
    battle_posters,
    battle_tokens,
    marker_tokens,
    record_sheets,
    room,
)
from generator.games.travel_battle.pages.reference import odds_sheet, reference_sheet, setup_readings
from generator.games.travel_battle.pages.scene import boards_words, scene, whole_view
from generator.games.travel_battle.play import ruling_stakes
from generator.games.travel_battle.rules import rules
from generator.games.travel_battle.tables import melee, numbers, switches, words
from generator.grid.squares import DIRECTIONS, Square
from generator.model.views import Figure, Kit, Later, Sheet
from generator.model.words import Words, joined, same
from generator.rules import Report
from generator.symbols.pictograms import face, number


def story(scenario: Scenario) -> list[Words]:
    """Return a summary of the scenario in a few lines."""
    texts, players = words()["story"], words()["player"]
    lines = [texts["field"].fill(title=scenario.title, boards=boards_words(scenario))]
    lines += [texts["army"].fill(player=players[p], brigades=army_words(army)) for p, army in scenario.armies.items()]
    lines.append(texts["placer"].fill(player=players[scenario.first_placer]))
    lines.append(texts["mover"].fill(player=players[scenario.first_mover]))
    return [*lines, *victory_lines(scenario)]


def army_words(army: Army) -> Words:
    """Describe an army's brigades and their units, or only the total if there is more than one army."""
    texts = words()["story"]
    if len(army.brigades) > numbers().brigades:
        kinds = [unit.kind for unit in army.units if unit.kind.fights]
        return texts["sum"].fill(n=len(army.brigades), units=units_words(kinds))
    parts = [
        texts["brigade"].fill(id=brigade_name(brigade), units=units_words([unit.kind for unit in brigade.fighters]))
        for brigade in army.brigades
    ]
    return joined(parts, "; ", "／")


def units_words(kinds: Sequence[Kind]) -> Words:
    """Describe the number of units of each kind."""
    texts = words()["unit"]["many"]
    counts = Counter(kind.id for kind in kinds)
    names = {kind.id: kind.name for kind in kinds}
    return joined([texts.fill(n=n, kind=names[i].low) for i, n in counts.items()])


def step_words(scenario: Scenario, step: Step) -> Words:
    """Describe a step of the set-up."""
    texts = words()["step"] | fair_steps()
    if step.what == "split":
        shares = [_share(scenario.roster, part) for part in step.result]
        return texts["split"].fill(result=joined(shares, "; ", "／"))
    return scenario_file.step_words(step, texts, lambda part: _part(scenario, step, part))


def _part(scenario: Scenario, step: Step, part: str) -> Words:
    """Describe a part of a step's result, such as a board, a side or a brigade's units."""
    presets = scenario.roster.presets
    if step.what in ("turn", "turn_free", "edge") and part == step.result[0]:
        return board_at(scenario, part)
    if step.what == "board":
        return board_title(part)
    if step.what == "side":
        return words()["side"].get(part, same(part))
    if step.what == "preset" and part in presets:
        return presets[part].name
    if step.what == "objective" and part in objectives():
        return objectives()[part].name
    return fair_names(TABLES).get(part, same(part)) if step.what in fair_steps() else same(part)


def _share(roster: Roster, part: str) -> Words:
    """Describe a brigade's units in the log's form, such as `2 line, 1 gun`."""
    counts = [text.partition(" ") for text in part.split(", ")]
    if not all(number.isdecimal() and kind in roster.kinds for number, _, kind in counts):
        return same(part)
    return units_words([roster.kinds[kind] for number, _, kind in counts for _ in range(min(int(number), 99))])


def brigade_name(brigade: Brigade) -> Words:
    """Return a brigade's label, which consists of its brigadier's id and the name of the brigade or its brigadier."""
    leader = brigade.brigadier
    if leader is None:
        return unit_label(str(brigade.number), brigade.name)
    return unit_label(leader.id, leader.name if brigade.name == NAMELESS else brigade.name)


LIES, PLACE = "lies", "place"


def checklist(scenario: Scenario) -> list[dict[str, object]]:
    """Return the steps of the set-up, with consecutive steps of a player grouped.

    If there is no log, the steps are derived from the scenario.
    """

    def describe(step: Step) -> Words:
        if step.what == PLACE:
            return placed(scenario, step.result)
        if step.what == LIES:
            call = {board: board_title(board) for board in step.result[:1]}
            return scenario_file.step_words(step, words()["setup"], lambda part: call.get(part) or same(part))
        return step_words(scenario, step)

    players = words()["player"]
    return scenario_file.checklist(
        scenario.log or account(scenario), describe, lambda who: players.get(who) or same(who)
    )


def account(scenario: Scenario) -> Iterator[Step]:
    """Yield the steps of a scenario without a log: first the boards, then the players' brigades alternately."""
    if scenario.battlefield.whole:
        yield Step(WHOLE, None, "", ())
    else:
        for at, board in scenario.placed.items():
            yield Step(LIES, board.owner, "", (board.name, at, str(board.oriented.edge)))
    order = scenario.first_placer, OTHER[scenario.first_placer]
    for turn in range(max(len(army.brigades) for army in scenario.armies.values())):
        for player in order:
            for brigade in scenario.armies[player].brigades[turn : turn + 1]:
                yield placing_step(scenario, player, brigade)


def placed(scenario: Scenario, posts: tuple[str, ...]) -> Words:
    """Describe a brigade's set-up, with its units by kind and their squares.

    `posts` are such as `B1a c2`.
    """
    texts = words()["setup"]
    cells: dict[str, list[Words]] = {}
    names: dict[str, Words] = {}
    for post in posts:
        unit, cell = unit_and_square(post)
        known = scenario.units.get(unit)
        kind = known[2].kind.id if known else unit
        names[kind] = known[2].kind.name if known else same(unit)
        cells.setdefault(kind, []).append(unit_label(cell, known[2].name if known else NAMELESS))
    kinds = [texts["posts"].fill(kind=names[kind].low, cells=_cells(at)) for kind, at in cells.items()]
    units = joined(kinds, "; ", "、")
    first = unit_and_square(posts[0])[0] if posts else ""
    brigade = scenario.units[first][1] if first in scenario.units else None
    return texts["brigade"].fill(id=unit_label(first, brigade.name) if brigade else first, units=units)


def _cells(at: list[Words]) -> Words:
    """Return the squares of a kind of units, each only once."""
    texts = words()["setup"]["pair"]
    squares = [texts.fill(cell=cell) if count > 1 else cell for cell, count in Counter(at).items()]
    return Words(joined(squares).en, "・".join(t.ja for t in squares))


def map_sheet(scenario: Scenario, graded: Words) -> Sheet:
    """Return the page with the map of all units and the battle's grade. A double board has a note."""
    texts, field = words()["map"], scenario.battlefield.terrain_map.field
    whole = texts["whole"].fill(columns=field.columns, rows=field.rows) if scenario.battlefield.whole else None
    return Sheet(
        part="map",
        title=texts["title"],
        template="travel_battle/map.xml",
        view={"whole": whole, "graded": graded},
        figures={"map": whole_view(scenario)},
        landscape=_wide(scenario),
    )


def setup_sheet(scenario: Scenario) -> Sheet:
    """Return the set-up sheet with the boards, the brigades in the order of placing, and the pieces needed."""
    texts = words()["packing"]
    left, right = (scenario.battlefield.terrain_map.field.name(Square(column, 0)) for column in (0, SIZE))
    whole = texts["whole"].fill(left=left, right=right) if scenario.battlefield.whole else None
    figures: dict[str, Figure] = {
        f"{player}_{kind.id}": token(player, kind, 1, facing=FORWARD[player])
        for player in SIDES
        for kind in scenario.roster.kinds.values()
    }
    figures |= {f"marker_{what}": marker(what) for what in numbers().markers} | {"die": face(5)}
    figures["map"] = flags(scenario.battlefield, scenario.armies)
    boards = [] if whole else list(_laid(scenario, figures))
    rows = list(_laying(scenario, len(boards) or 1, figures))
    return Sheet(
        part="setup",
        title=words()["part"]["setup"],
        template="travel_battle/setup.xml",
        view={
            "fetch_rows": list(_fetched(scenario)),
            "laid": boards,
            "whole": whole,
            "rows": rows,
            "max_units": max(
                (len(brigade.units) for army in scenario.armies.values() for brigade in army.brigades), default=1
            ),
            "last": (len(boards) or 1) + len(rows) + 1,
            "closing": words()["laid"]["closing"].fill(player=words()["player"][scenario.first_mover]),
            "facing": words()["setup"]["facing"],
            "listed": len(boards) <= 2 * len(SIDES),
            "dice": melee().most_dice,
            "markers": [{"figure": f"marker_{what}", "name": marker_name(what)} for what in numbers().markers],
            "rulings": setup_readings(
                whole=bool(whole),
                clubs=len(scenario.placed) > len(SIDES),
                goal=scenario.objective.player is not None,
            ),
        },
        figures=figures,
        pages=1 if len(rows) <= len(SIDES) * numbers().brigades else 4,
    )


def _laid(scenario: Scenario, figures: dict[str, Figure]) -> Iterator[dict[str, object]]:
    """Yield each board with its owner, the edge towards the owner, and the dice that decided both."""
    texts, players = words()["laid"], words()["player"]
    usual = len(scenario.placed) == len(SIDES)
    for i, (at, placed) in enumerate(scenario.placed.items()):
        figures[f"laid_{at}"] = drawn = board_lying(placed.oriented, placed.owner_edge)
        figures[f"laid_{at}_bare"] = replace(drawn, notes=())
        where = words()["side"]["right" if i else "left"] if usual else same(at)
        yield {
            "figure": f"laid_{at}",
            "whose": texts["whose"].fill(player=players[placed.owner], where=where),
            "name": texts["board"].fill(name=placed_title(placed), type=placed.oriented.board.type),
            "edge": texts["edge"].fill(edge=placed.owner_edge, player=players[placed.owner]),
            "remarks": list(_thrown(scenario, placed.owner, at, where)) if usual else [],
        }


def _thrown(scenario: Scenario, owner: Side, at: str, where: Words) -> Iterator[Words]:
    """Yield the dice for a board's side and orientation, if the log contains them."""
    texts, sides = words()["laid"], [step.result for step in scenario.log if step.what == "side_dice"]
    if sides and len(sides[-1]) == len(SIDES) and any(s.what == "side" and s.who == owner for s in scenario.log):
        thrown = dict(zip(SIDES, sides[-1], strict=True))
        yield texts["side"].fill(n=thrown[owner], m=thrown[OTHER[owner]], where=where)
    for step in scenario.log:
        if step.what in ("turn", "turn_free") and step.result[:1] == (at,) and len(step.result) > 1:
            yield texts[step.what].fill(n=step.result[1])


def _laying(scenario: Scenario, before: int, figures: dict[str, Figure]) -> Iterator[dict[str, object]]:
    """Yield the brigades in the order of placing, as rows for `base/laying.xml`."""
    texts, players = words()["laid"], words()["player"]
    name, crews = scenario.battlefield.terrain_map.field.name, _crews(scenario)
    for n, (player, brigade) in enumerate(laid_order(scenario), before + 1):
        units = []
        for unit in brigade.units:
            figures[unit.id] = token(player, unit.kind, brigade.number, facing=FORWARD[player])
            figures[f"plate_{unit.id}"] = number(unit_number(player, unit.id), 3.4)
            at = name(unit.cell) if unit.cell else words()["record"]["nowhere"]
            units.append({"figure": unit.id, "plate": f"plate_{unit.id}", "at": at})
        lines = [texts["size"].fill(n=len(brigade.fighters))]
        if crews:
            lines = [texts["figures"].fill(n=len(brigade.fighters), m=sum(crews[u.kind.id] for u in brigade.units))]
        if n == before + 1:
            lines.append(texts["first"])
        notes = [
            texts["square" if unit.square else "looks"].fill(
                unit=unit.label, way=words()["direction"][DIRECTIONS[unit.facing]]
            )
            for unit in brigade.units
            if unit.square or unit.facing != FORWARD[player]
        ]
        yield {
            "n": n,
            "camp": players[player],
            "name": unit_label(words()["record"]["brigade"].fill(n=brigade.number), brigade.name),
            "lines": lines,
            "remarks": notes,
            "units": units,
        }


def laid_order(scenario: Scenario) -> list[tuple[Side, Brigade]]:
    """Return the brigades in the order of the log.

    Brigades that the log lacks follow alternately, as the rules require.
    """
    brigades = {
        brigade_id(player, brigade.number): (player, brigade)
        for player, army in scenario.armies.items()
        for brigade in army.brigades
    }
    posted = [step.result[0] for step in scenario.log if step.what == PLACE and step.result]
    first = [scenario.units[unit] for unit, _ in map(unit_and_square, posted) if unit in scenario.units]
    order = dict.fromkeys(brigade_id(player, brigade.number) for player, brigade, _ in first)
    players = scenario.first_placer, OTHER[scenario.first_placer]
    for turn in range(max(len(army.brigades) for army in scenario.armies.values())):
        for player in players:
            for brigade in scenario.armies[player].brigades[turn : turn + 1]:
                order[brigade_id(player, brigade.number)] = None
    return [brigades[id_] for id_ in order]


def _crews(scenario: Scenario) -> Mapping[str, int]:
    """Return the number of figures on a piece of each kind, or an empty mapping for a user's army.

    The numbers for a user's army are unknown.
    """
    figures = room().figures
    known = not is_user_content(scenario.roster) and all(kind in figures for kind in scenario.roster.kinds)
    return figures if known else {}


def _fetched(scenario: Scenario) -> Iterator[dict[str, object]]:
    """Yield a table of the pieces that each player needs, for `base/laying.xml`."""
    texts, crews = words()["laid"], _crews(scenario)
    for player in SIDES:
        counts = Counter(unit.kind.id for unit in scenario.armies[player].units)
        rows = [
            {
                "figure": f"{player}_{kind.id}",
                "name": kind.name,
                "counts": [counts[kind.id], *([crews[kind.id] * counts[kind.id]] if crews else [])],
            }
            for kind in scenario.roster.kinds.values()
            if counts[kind.id]
        ]
        together = [counts.total(), *([sum(crews[id_] * n for id_, n in counts.items())] if crews else [])]
        yield {
            "title": words()["player"][player],
            "heads": [texts["pieces"], *([texts["crew"]] if crews else [])],
            "rows": rows,
            "total": together,
            "together": words()["packing"]["total"],
        }


def _wide(scenario: Scenario) -> bool:
    """Return whether the field has more columns than rows."""
    field = scenario.battlefield.terrain_map.field
    return field.columns > field.rows


STAKES = all_impacts(ruling_stakes(), rules(), FAIRNESS)
"""The possible effects of the rulings on a scenario."""


def kit(scenario: Scenario, report: Report, stamp: str, command: str) -> Kit:
    """Return the kit: scenario sheet, set-up, records, fields of fire, reference, and other parts on request."""
    sheets: list[Sheet | Later] = [setup_sheet(scenario)]
    graded = graded_line(FAIRNESS, scenario, report)
    large = scenario.battlefield.terrain_map.field.rows > SIZE
    if large:
        sheets.insert(0, map_sheet(scenario, graded))
    for player in SIDES:
        sheets += record_sheets(scenario, player)
    brigades, title = max(len(army.brigades) for army in scenario.armies.values()), words()["game"]["title"]
    facts = scenario.roster, scenario.rulings, brigades
    sheets += [
        fire_sheet(scenario),
        Later(
            "reference", lambda: [reference_sheet(*facts, interpretations_with_effects(scenario, switches(), STAKES))]
        ),
    ]
    more = (
        *([] if large else [Later("map", lambda: [map_sheet(scenario, graded)])]),
        Later("audit", lambda: [audit_sheet(report, checklist(scenario), bool(scenario.log), [graded])]),
        Later("odds", lambda: [*odds_cards(scenario), odds_sheet(scenario.roster, scenario.rulings)]),
        Later("tokens", lambda: [battle_tokens(scenario), marker_tokens()]),
        Later("board", lambda: battle_posters(scenario)),
    )
    return kit_with_cover(title, scenario, report, stamp, command, scene(scenario, report), sheets, more)
