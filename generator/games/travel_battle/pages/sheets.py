"""The kit, from the cover to the checklist.

A Travel Battle in words: boards, brigades, and every step of its draw.

The draw as a checklist: what happened, in the order the players do it.

Cover, map, packing list and set-up: what a battle's kit opens with.

Everything that is printed for a Travel Battle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import msgspec

from generator.common import scenario_file
from generator.common.fairness import graded_line
from generator.common.pages import Cover, covered
from generator.common.scenario_file import NAMELESS, Step, called
from generator.common.search import fair_names, fair_steps
from generator.common.stakes import stakes, weighed
from generator.common.tables import words
from generator.common.whose import Part, credits_of, is_owners
from generator.games.travel_battle.fairness import FAIRNESS, TABLES
from generator.games.travel_battle.forces import Kind, Roster
from generator.games.travel_battle.ground import SIZE
from generator.games.travel_battle.maps import map_view, marker, marker_name, token
from generator.games.travel_battle.model import (
    AHEAD,
    OTHER,
    SIDES,
    WHOLE,
    Army,
    Brigade,
    Scenario,
    board_at,
    board_title,
    is_ours,
    placed_title,
    unit_and_square,
)
from generator.games.travel_battle.objectives import kinds as objectives
from generator.games.travel_battle.objectives import victory_lines
from generator.games.travel_battle.pages.gunfields import coordinates, fire_sheet
from generator.games.travel_battle.pages.pieces import battle_tokens, marker_tokens
from generator.games.travel_battle.pages.posters import battle_posters
from generator.games.travel_battle.pages.records import record_sheets
from generator.games.travel_battle.pages.reference import reference_sheet, setup_readings
from generator.games.travel_battle.play import own_stakes
from generator.games.travel_battle.rules import rules
from generator.games.travel_battle.tables import melee, numbers, switches
from generator.grid.squares import Square
from generator.model.views import Figure, Kit, Legend, MapView, Printed, Shade, Sheet
from generator.model.words import Words, joined, same
from generator.rules import Report


def story(scenario: Scenario) -> list[Words]:
    """What was drawn, in a few lines."""
    say, players = words("travel_battle")["story"], words("travel_battle")["player"]
    lines = [say["field"].fill(title=scenario.title, boards=boards_words(scenario))]
    lines += [say["army"].fill(player=players[p], brigades=army_words(army)) for p, army in scenario.armies.items()]
    lines.append(say["placer"].fill(player=players[scenario.first_placer]))
    lines.append(say["mover"].fill(player=players[scenario.first_mover]))
    return [*lines, *victory_lines(scenario)]


def boards_words(scenario: Scenario) -> Words:
    """The boards from the left, with whose each is; a whole by itself."""
    say, players = words("travel_battle")["story"], words("travel_battle")["player"]
    if scenario.battlefield.whole:
        return say["whole"]
    return joined(
        [
            say["board"].fill(name=placed_title(placed), player=players[placed.owner])
            for row in scenario.boards
            for placed in row
        ]
    )


def army_words(army: Army) -> Words:
    """Its brigades with what each is made of; of more than one army's worth the sum."""
    say = words("travel_battle")["story"]
    if len(army.brigades) > numbers().brigades:
        kinds = [unit.kind for unit in army.units if unit.kind.fights]
        return say["sum"].fill(n=len(army.brigades), units=units_words(kinds))
    parts = [
        say["brigade"].fill(id=brigade_name(brigade), units=units_words([unit.kind for unit in brigade.fighters]))
        for brigade in army.brigades
    ]
    return joined(parts, "; ", "；")


def units_words(kinds: Sequence[Kind]) -> Words:
    """So many of each kind."""
    say = words("travel_battle")["unit"]["many"]
    counts = Counter(kind.id for kind in kinds)
    names = {kind.id: kind.name for kind in kinds}
    return joined([say.fill(n=n, kind=names[i].low) for i, n in counts.items()])


def step_words(scenario: Scenario, step: Step) -> Words:
    """A step of the draw in words."""
    say = words("travel_battle")["step"] | fair_steps()
    if step.what == "split":
        shares = [_share(scenario.roster, part) for part in step.result]
        return say["split"].fill(result=joined(shares, "; ", "；"))
    return scenario_file.stated(step, say, lambda part: _part(scenario, step, part))


def _part(scenario: Scenario, step: Step, part: str) -> Words:
    """A part of a step's result: a board, a side, a brigade's units, an objective."""
    presets = scenario.roster.presets
    if step.what in ("turn", "turn_free", "edge") and part == step.result[0]:
        return board_at(scenario, part)
    if step.what == "board":
        return board_title(part)
    if step.what == "side":
        return words("travel_battle")["side"].get(part, same(part))
    if step.what == "preset" and part in presets:
        return presets[part].name
    if step.what == "objective" and part in objectives():
        return objectives()[part].name
    return fair_names(TABLES).get(part, same(part)) if step.what in fair_steps() else same(part)


def _share(roster: Roster, part: str) -> Words:
    """`2 line, 1 gun` in words."""
    counts = [text.partition(" ") for text in part.split(", ")]
    if not all(number.isdecimal() and kind in roster.kinds for number, _, kind in counts):
        return same(part)
    return units_words([roster.kinds[kind] for number, _, kind in counts for _ in range(min(int(number), 99))])


def brigade_name(brigade: Brigade) -> Words:
    """A brigade by its brigadier's id, with the name that either has."""
    leader = brigade.brigadier
    if leader is None:
        return called(str(brigade.number), brigade.name)
    return called(leader.id, leader.name if brigade.name == NAMELESS else brigade.name)


LIES, PLACE = "lies", "place"


def checklist(scenario: Scenario) -> list[dict[str, object]]:
    """Groups of steps, consecutive ones of a player together; without a log, what the scenario shows by itself."""

    def tell(step: Step) -> Words:
        if step.what == PLACE:
            return placed(scenario, step.result)
        if step.what == LIES:
            call = {board: board_title(board) for board in step.result[:1]}
            return scenario_file.stated(
                step, words("travel_battle")["setup"], lambda part: call.get(part) or same(part)
            )
        return step_words(scenario, step)

    players = words("travel_battle")["player"]
    return scenario_file.checklist(scenario.log or account(scenario), tell, lambda who: _named(players.get(who), who))


def account(scenario: Scenario) -> Iterator[Step]:
    """What a scenario without a log shows: boards as they lie, brigades by turns."""
    name = scenario.battlefield.land.field.name
    if scenario.battlefield.whole:
        yield Step(WHOLE, None, "", ())
    else:
        for r, row in enumerate(scenario.boards):
            for c, board in enumerate(row):
                at = name(Square(SIZE * c, SIZE * r))
                yield Step(LIES, board.owner, "", (board.name, at, str(board.laid.edge)))
    order = scenario.first_placer, OTHER[scenario.first_placer]
    for turn in range(max(len(army.brigades) for army in scenario.armies.values())):
        for player in order:
            for brigade in scenario.armies[player].brigades[turn : turn + 1]:
                yield Step(PLACE, player, "", _posts(scenario, brigade))


def _posts(scenario: Scenario, brigade: Brigade) -> tuple[str, ...]:
    name = scenario.battlefield.land.field.name
    return tuple(f"{unit.id} {name(unit.cell)}" for unit in brigade.units if unit.cell)


def placed(scenario: Scenario, posts: tuple[str, ...]) -> Words:
    """A brigade's set-up: its units kind by kind with their squares; `posts` are such as `B1a c2`."""
    say = words("travel_battle")["setup"]
    cells: dict[str, list[Words]] = {}
    names: dict[str, Words] = {}
    for post in posts:
        unit, cell = unit_and_square(post)
        known = scenario.units.get(unit)
        kind = known[2].kind.id if known else unit
        names[kind] = known[2].kind.name if known else same(unit)
        cells.setdefault(kind, []).append(called(cell, known[2].name if known else NAMELESS))
    told = [say["posts"].fill(kind=names[kind].low, cells=_cells(at)) for kind, at in cells.items()]
    units = joined(told, "; ", "、")
    first = unit_and_square(posts[0])[0] if posts else ""
    brigade = scenario.units[first][1] if first in scenario.units else None
    return say["brigade"].fill(id=called(first, brigade.name) if brigade else first, units=units)


def _cells(at: list[Words]) -> Words:
    """Squares, each once."""
    say = words("travel_battle")["setup"]["pair"]
    told = [say.fill(cell=cell) if count > 1 else cell for cell, count in Counter(at).items()]
    return Words(joined(told).en, "・".join(t.ja for t in told))


def _named(name: Words | None, who: str) -> Words:
    return name or same(who)


ZONE = "reserve"
"""How the squares of an objective are shaded."""
CROWDED = 2 * SIZE
"""A field with more squares one way has none that are large enough for names, one with more both ways for labels."""


def cover(scenario: Scenario) -> Cover:
    """The cover: the field, and the battle at a glance."""
    say, players = words("travel_battle")["cover"], words("travel_battle")["player"]
    facts = [
        (say["boards"], boards_words(scenario)),
        *((say["armies"].fill(player=players[p]), army_words(army)) for p, army in scenario.armies.items()),
        (say["placer"], players[scenario.first_placer]),
        (say["first"], players[scenario.first_mover]),
        (say["win"], joined(victory_lines(scenario), " ", "")),
    ]
    field = map_view(scenario.battlefield, scenario.armies, small=True)
    return Cover("travel_battle/cover.xml", field, facts, _content(scenario), {"wide": _wide(scenario)})


def _content(scenario: Scenario) -> list[Words]:
    """Whose boards and army are; splits of the army of the box, rulings and readings are ours."""
    say, files = words("travel_battle")["cover"], scenario.origin.files
    foreign = [placed.name for row in scenario.boards for placed in row if not is_ours(placed)]
    names = [file.name for wish, file in files.items() if wish.startswith("board-") and file.name in foreign]
    army = is_owners(scenario.roster)
    parts = [
        Part(say["boards_part"], bool(foreign), ", ".join(dict.fromkeys(names))),
        Part(say["army_part" if army else "splits_part"], army, scenario.origin.brought("army")),
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
        f"{player}_{kind.id}": token(player, kind, 1, facing=AHEAD[SIDES[0]])
        for player in SIDES
        for kind in scenario.roster.kinds.values()
    }
    tokens |= {f"marker_{what}": marker(what) for what in numbers().markers}
    return Sheet(
        part="setup",
        title=words("travel_battle")["part"]["setup"],
        template="travel_battle/setup.xml",
        view={
            "players": [words("travel_battle")["player"][player] for player in SIDES],
            "units": _units(scenario),
            "totals": [len(scenario.armies[player].units) for player in SIDES],
            "boards": () if whole else _boards(scenario),
            "whole": whole,
            "also": [
                say["dice"].fill(n=melee().most_dice),
                say["markers"],
                say["print"],
            ],
            "named": any(unit.name != NAMELESS for _, _, unit in scenario.units.values()),
            "markers": [{"figure": f"marker_{what}", "name": marker_name(what)} for what in numbers().markers],
            "heading": setup["title" if scenario.log else "by_hand"],
            "intro": setup["intro" if scenario.log else "read"],
            "groups": checklist(scenario),
            "rulings": setup_readings(
                whole=bool(whole),
                clubs=sum(map(len, scenario.boards)) > len(SIDES),
                goal=scenario.objective.player is not None,
            ),
            "notes": [setup["facing"], *([setup["streams"]] if scenario.origin.code else [])],
        },
        figures=tokens,
        pages=3,
    )


def _units(scenario: Scenario) -> list[dict[str, object]]:
    """How many units of each kind each player fetches."""
    counts = {player: Counter(unit.kind.id for unit in scenario.armies[player].units) for player in SIDES}
    return [
        {
            "id": kind.id,
            "name": kind.name,
            "counts": [{"token": f"{p}_{kind.id}", "n": counts[p][kind.id]} for p in SIDES],
        }
        for kind in scenario.roster.kinds.values()
        if any(counts[player][kind.id] for player in SIDES)
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


STAKES = stakes(own_stakes(), rules(), FAIRNESS)
"""What may hang on the rulings."""


def kit(scenario: Scenario, report: Report, stamp: str, command: str) -> Kit:
    """Cover, field, set-up, each side's records, fields of fire, reference; where asked for, tokens and boards."""
    sheets = [map_sheet(scenario, report), setup_sheet(scenario)]
    for player in SIDES:
        sheets += record_sheets(scenario, player)
    brigades = max(len(army.brigades) for army in scenario.armies.values())
    told = weighed(scenario, switches(), STAKES)
    sheets += [fire_sheet(scenario), reference_sheet(scenario.roster, scenario.rulings, brigades, told)]
    title = words("travel_battle")["game"]["title"]
    more: list[Printed] = [battle_tokens(scenario), marker_tokens(), *battle_posters(scenario)]
    return covered(title, scenario, report, stamp, command, cover(scenario), sheets, more)
