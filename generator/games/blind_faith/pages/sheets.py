"""The printed kit of a scenario, and everything that can be printed without a scenario."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TypedDict

import msgspec
from msgspec.structs import replace

from generator.common.catalogue import Boards, Make, printable, user_path
from generator.common.fairness import graded_line
from generator.common.game import Printable
from generator.common.interpretations import all_impacts, interpretations_with_effects
from generator.common.pages import audit_sheet, kit_with_cover
from generator.common.scenario_file import Step, checklist
from generator.games.blind_faith.fairness import FAIRNESS
from generator.games.blind_faith.fairness import RULING_IMPACTS as FIGHT_IMPACTS
from generator.games.blind_faith.ground import (
    MAPS,
    RANDOM,
    DrawnMap,
    OpMap,
    format_hex,
    format_units,
    side_name,
    sound,
    words,
)
from generator.games.blind_faith.maker import make_map
from generator.games.blind_faith.maps import (
    MEETINGS,
    format_step,
    initials,
    legate_token,
    map_name,
    map_view,
    op_map_view,
    part_name,
    unit_token,
)
from generator.games.blind_faith.maps import sheet as intercept_sheet
from generator.games.blind_faith.model import Scenario, Stack, account, marker_legates, numbers, people
from generator.games.blind_faith.pages.cover import and_, cover, describe_crusade
from generator.games.blind_faith.pages.display import (
    blank_battle,
    blank_siege,
    reference_sheet,
)
from generator.games.blind_faith.pages.fight_display import battle_display, siege_display
from generator.games.blind_faith.pages.layout import counters, room
from generator.games.blind_faith.pages.odds_page import chances_sheet, odds_sheet
from generator.games.blind_faith.pages.records import (
    blank_records,
    blank_worksheet,
    record_sheet,
    tables_sheet,
    worksheet,
)
from generator.games.blind_faith.rules import rules
from generator.games.blind_faith.tables import SIDES, Legate, Pack, Side, UnitLine, load_pack, switches
from generator.model.views import Back, Figure, Kit, Later, Piece, Poster, Run, Sheet, Token
from generator.model.words import Words, joined, same
from generator.rules import Report
from generator.seeds import RngStreams
from generator.symbols.pictograms import number


def story(scenario: Scenario) -> list[Words]:
    """Return a summary of the scenario in a few lines."""
    texts, kind = words()["story"], words()["kind"][scenario.kind]
    values = {"kind": kind, "turn": scenario.turn, "map": map_name(scenario)}
    lines = [texts["head"].fill(title=scenario.title, **values)]
    for side in SIDES:
        count = sum(stack.side == side for stack in scenario.stacks)
        lines.append(texts["side"].fill(side=side_name(side), army=describe_army(scenario, side), n=count))
    return [*lines, *_action(scenario), describe_crusade(scenario)]


def describe_army(scenario: Scenario, side: Side) -> Words:
    """Return the name of a side's army and its points."""
    army = numbers().armies[scenario.armies[side]]
    return words()["cover"]["army"].fill(army=army.name, points=scenario.pack.points(scenario.units_of(side)))


def describe_stack(scenario: Scenario, stack: Stack) -> Words:
    """Return a description of a stack with its hex, its units, its leader and its legate."""
    texts = words()["stack"]
    who = people(scenario, stack)
    line = texts["line"].fill(
        stack=stack.label, hex=format_hex(scenario.op_map, stack.hex), units=format_units(scenario.pack, stack.units)
    )
    return texts["led"].fill(line=line, who=joined(who)) if who else line


def list_places(scenario: Scenario) -> Words:
    """Return the places on the map with their hexes."""
    op_map, at = scenario.op_map, words()["map"]["place"]
    return joined([at.fill(hex=op_map.name(cell), place=place.name) for cell, place in op_map.places.items()])


def _action(scenario: Scenario) -> list[Words]:
    """Return lines that describe the battle or siege."""
    texts, op_map = words()["story"], scenario.op_map
    if battle := scenario.battle:
        counts = {
            key: len(force.front) + len(force.reserve)
            for key, force in (("attack", battle.attack), ("defence", battle.defence))
        }
        defender, attacker = scenario.stack(battle.defender).label, scenario.active.label
        values = {"defender": defender, "attacker": attacker, "hex": format_hex(op_map, battle.hex)}
        return [texts["battle"].fill(**values, **counts)]
    if siege := scenario.siege:
        besieger, garrison = scenario.active.label, scenario.stack(siege.garrison)
        where = format_hex(op_map, garrison.hex)
        counts = {"bombard": len(siege.bombard), "storm": len(siege.storm)}
        key = "siege" if siege.placed else "siege_unplaced"
        return [texts[key].fill(besieger=besieger, garrison=garrison.label, hex=where, **counts)]
    return []


HEADS: Mapping[str, tuple[str, ...]] = {
    "legates": (),
    "stack": ("stack", "hex"),
    "routed": (),
    "path": ("stack",),
    "front": (),
    "reserve": (),
    "bombard": (),
    "storm": (),
}
"""The values that precede the list in the result of a step, by the kind of the step."""


def audit(scenario: Scenario, report: Report) -> Sheet:
    """Return the log of how the scenario was generated. Without a log, the steps are derived from the scenario."""
    log = scenario.log or tuple(Step(what, who, "", result) for what, who, result in account(scenario))
    groups = checklist([step for step in log if step.result], lambda step: _describe_step(scenario, step), side_name)
    return audit_sheet(report, groups, bool(scenario.log), [graded_line(FAIRNESS, scenario, report)])


def setup_sheet(scenario: Scenario) -> Sheet:
    """Return the set-up sheet with the steps in order, the map, and the pieces needed from the box."""
    texts, setup, pack = words()["packing"], words()["setup"], scenario.pack
    figures: dict[str, Figure] = {"map": replace(map_view(scenario), tracks=(), legend=())}
    for side in SIDES:
        figures |= counters(pack, side, scenario.units_of(side))
    steps = [*(_stack_step(scenario, stack) for stack in scenario.stacks), *_last_steps(scenario)]
    for step in steps:
        for unit in step["units"]:
            figures[f"n{unit['n']}"] = number(str(unit["n"]), 3.6)
    for routed in scenario.routed:
        figures |= counters(pack, routed.side, routed.units)
    return Sheet(
        part="setup",
        title=words()["part"]["setup"],
        template="blind_faith/setup.xml",
        view={
            "first": 1,
            "heading": setup["lay"],
            "map_name": map_name(scenario),
            "steps": [{"n": n, **step} for n, step in enumerate(steps, 2)],
            "groups": [_army(scenario, side) for side in SIDES],
            "other": [*_legate_lines(scenario), texts["die"]],
        },
        figures=figures,
        pages=6,
    )


class _SetupStep(TypedDict):
    """A step of the set-up with its heading, additional lines in small type, and counters with their numbers."""

    camp: Words
    name: Words
    lines: list[Words]
    units: list[dict[str, object]]


def _stack_step(scenario: Scenario, stack: Stack) -> _SetupStep:
    lines = [words()["record"]["leader"].fill(name=numbers().leaders[stack.leader].name)] if stack.leader else []
    names = [one.name for one in scenario.pack.legates if one.id == stack.legate and one.unit not in stack.units]
    lines += [words()["setup"]["with_legate"].fill(name=name) for name in names]
    lines.append(words()["cover"]["units"].fill(n=len(stack.units)))
    at = words()["record"]["stack"].fill(stack=stack.label, hex=format_hex(scenario.op_map, stack.hex))
    return {
        "camp": side_name(stack.side),
        "name": at,
        "lines": lines,
        "units": _unit_rows(scenario, stack.side, stack.units),
    }


def _unit_rows(scenario: Scenario, side: Side, units: UnitLine) -> list[dict[str, object]]:
    return [
        {"figure": f"{side}.{unit}", "n": n, "name": scenario.pack.units[unit].name}
        for unit, n in Counter(units).items()
    ]


def _last_steps(scenario: Scenario) -> Iterator[_SetupStep]:
    """Yield the last steps of the set-up: the turn, returning units, and the marching stack."""
    texts, empty = words()["setup"], same("")
    for routed in scenario.routed:
        name = texts["back_on"].fill(turn=routed.back)
        yield {
            "camp": side_name(routed.side),
            "name": name,
            "lines": [texts["beside_track"]],
            "units": _unit_rows(scenario, routed.side, scenario.pack.line(routed.units)),
        }
    lines = [describe_crusade(scenario)]
    if scenario.legates:
        rest = joined([scenario.pack.legate_names.get(one, same(one)) for one in scenario.legates])
        lines.append(texts["legates"].fill(rest=rest))
    yield {"camp": empty, "name": texts["turn"].fill(turn=scenario.turn), "lines": lines, "units": []}
    if march := scenario.march:
        name = texts["marches"].fill(stack=scenario.stack(march.stack).label)
        hexes = joined([same(scenario.op_map.name(cell)) for cell in march.path], " → ", "→")
        yield {"camp": empty, "name": name, "lines": [hexes], "units": []}
    other = scenario.battle.defender if scenario.battle else scenario.siege.garrison if scenario.siege else ""
    if other:
        who = texts["display"].fill(stacks=and_((scenario.active.label, scenario.stack(other).label)))
        yield {"camp": empty, "name": who, "lines": [texts["on_display"]], "units": []}


def _describe_step(scenario: Scenario, step: Step) -> Words:
    """Return a description of a log step with its units and hexes as a list."""
    texts, pack = words()["setup"], scenario.pack
    heads = HEADS.get(step.what)
    if heads is None or len(step.result) <= len(heads):
        return format_step(scenario, step)
    rest = [_counted(pack, part) or pack.legate_names.get(part, same(part)) for part in step.result[len(heads) :]]
    values = [part_name(scenario, part) for part in step.result[: len(heads)]]
    return texts[step.what].fill(**dict(zip(heads, values, strict=True)), rest=joined(rest))


def _counted(pack: Pack, part: str) -> Words | None:
    """Return a description of units in the form of the log, such as `3 tabor`, or None for any other text."""
    count, _, unit = part.partition(" ")
    return words()["units"]["some"].fill(unit=pack.units[unit].name, n=count) if unit in pack.units else None


def _army(scenario: Scenario, side: Side) -> dict[str, object]:
    """Return a side's counters for the packing list, including units that were routed earlier."""
    texts, pack = words()["packing"], scenario.pack
    back = [unit for routed in scenario.routed if routed.side == side for unit in routed.units]
    units = pack.line([*scenario.units_of(side), *back])
    rows = [
        {"figure": f"{side}.{unit}", "name": pack.units[unit].name, "counts": [n]}
        for unit, n in Counter(units).items()
    ]
    return {
        "title": side_name(side),
        "heads": [texts["count"]],
        "rows": rows,
        "together": texts["total"],
        "total": [len(units)],
    }


def _legate_lines(scenario: Scenario) -> list[Words]:
    """Return a line about the legates' markers, and the counter of a legate that is a unit."""
    texts = words()["packing"]
    legate_texts = {True: texts["legate_unit"], False: texts["legate_marker"]}
    legates = [
        legate_texts[bool(one.unit)].fill(name=one.name, initials=initials(one)) for one in marker_legates(scenario)
    ]
    return [texts["markers"].fill(legates=joined(legates))] if legates else []


RULING_IMPACTS = (*all_impacts([MEETINGS], rules(), None), *FIGHT_IMPACTS)
"""The results that can depend on rulings."""


def kit(scenario: Scenario, report: Report, stamp: str, command: str) -> Kit:
    """Return the printed kit with all its default and optional sheets."""
    pack, sheets, more = scenario.pack, list[Sheet | Later]([setup_sheet(scenario)]), list[Later]()
    if march := scenario.march:
        walked = len(march.path) > 1 and sound(scenario.op_map, march.path)
        # If there is a battle already, the other chances to intercept are printed only on request.
        intercept = worksheet if walked else intercept_sheet
        if scenario.battle:
            more.append(Later("intercept", lambda: [intercept(scenario)]))
        else:
            sheets.append(intercept(scenario))
    if scenario.kind == "position":
        sheets.insert(0, map_sheet(scenario, report))
    else:
        sheets.append(siege_display(scenario) if scenario.siege else battle_display(scenario))
    sheets.append(record_sheet(scenario))
    if scenario.fought:
        sheets.append(Later("odds", lambda: [odds_sheet(scenario)]))
    chosen, title = scenario.rulings, words()["blind_faith"]["title"]
    sheets.append(
        Later(
            "reference",
            lambda: [
                reference_sheet(pack, chosen, interpretations_with_effects(scenario, switches(), RULING_IMPACTS))
            ],
        )
    )
    more = [
        *([] if scenario.kind == "position" else [Later("map", lambda: [map_sheet(scenario, report)])]),
        Later("audit", lambda: [audit(scenario, report)]),
        *more,
        Later("tokens", lambda: [drawn_run(scenario)]),
        Later("board", lambda: [battle_board(scenario)]),
    ]
    return kit_with_cover(title, scenario, report, stamp, command, lambda: cover(scenario, report), sheets, more)


def map_sheet(scenario: Scenario, report: Report | None = None) -> Sheet:
    """Return the operational map on a page in its own orientation, with stacks and places listed below."""
    lines = [describe_stack(scenario, stack) for stack in scenario.stacks]
    lines += [list_places(scenario)] if scenario.op_map.places else []
    wide = scenario.op_map.columns >= scenario.op_map.rows
    # The grade of a fight depends on its odds, which take longer to compute than the map. The cover states the grade.
    graded = graded_line(FAIRNESS, scenario, report) if not scenario.fought else same("")
    lines += [graded] if graded != same("") else []
    return Sheet(
        part="map",
        title=words()["part"]["map"],
        template="blind_faith/map.xml",
        view={"lines": lines, "wide": wide},
        figures={"map": map_view(scenario)},
        landscape=wide,
    )


def side_run(pack: Pack, side: Side) -> Run:
    """Return counters of every class that a side has: the number in the game, or the number in sheets.toml."""
    units = [unit.id for unit in pack.of_side(side) for _ in range(unit.max_count or room().counters.each)]
    return _run(words()["pieces"]["side"].fill(side=side_name(side)), _pieces(pack, side, units))


def legate_run(pack: Pack) -> Run:
    """Return a marker for each legate that is not a unit."""
    return _run(words()["pieces"]["legates"], _markers(pack, [one for one in pack.legates if not one.unit]))


def drawn_run(scenario: Scenario) -> Run:
    """Return the counters of a scenario."""
    pieces = [piece for side in SIDES for piece in _pieces(scenario.pack, side, scenario.units_of(side))]
    return _run(words()["pieces"]["drawn"], [*pieces, *_markers(scenario.pack, marker_legates(scenario))])


def _run(title: Words, pieces: Iterable[Piece]) -> Run:
    counters = room().counters
    note = words()["pieces"]["note"]
    return Run("tokens", title, tuple(pieces), "square", counters.hex, counters.width / counters.hex, note)


def _pieces(pack: Pack, side: Side, units: Iterable[str]) -> list[Piece]:
    back = Back(side, side_name(side))
    return [Piece(pack.units[unit].name, _counter(pack, side, unit), back) for unit in units]


def _counter(pack: Pack, side: Side, unit: str) -> Token:
    """Return a unit's counter with its movement points and its die modifier."""
    of = pack.units[unit]
    drm = f"{of.drm:+}".replace("-", "−") if of.drm else "±0"
    return msgspec.structs.replace(unit_token(pack, side, unit), numbers=(str(of.movement), drm))


def _markers(pack: Pack, legates: Iterable[Legate]) -> list[Piece]:
    """Return a marker for each of these legates, or a counter for a legate that is a unit."""
    found: list[Piece] = []
    for legate in legates:
        sides = pack.units[legate.unit].sides if legate.unit else ()
        found += [piece for side in sides for piece in _pieces(pack, side, [legate.unit])]
        found += [] if sides else [Piece(legate.name, legate_token(legate), legate_token(legate))]
    return found


STREAMS = "v1/blind_faith/poster"


def boards() -> Boards[OpMap]:
    """Return the content of `muster boards`."""
    texts = words()
    return Boards(texts["blind_faith"]["title"], texts["boards"]["title"], MAPS, _random, _poster, ("map",))


def battle_board(scenario: Scenario) -> Poster:
    """Return the map of a scenario without stacks."""
    return Poster("board", words()["boards"]["battle"], op_map_view(scenario.op_map), room().counters.hex)


def _random(options: Mapping[str, str]) -> DrawnMap:
    return DrawnMap(words()["boards"][RANDOM], Words("", ""), "house", make_map(RngStreams(options["seed"], STREAMS)))


def _poster(of: DrawnMap, note: Words, options: Mapping[str, str]) -> Poster:
    return Poster("boards", of.name, op_map_view(of.ground), room().counters.hex, note=note)


def printables() -> tuple[Printable, ...]:
    """Return everything that can be printed without a scenario."""
    texts = words()
    game, blank, page, counters = (
        texts["blind_faith"]["title"],
        texts["blank"],
        texts["reference"]["title"],
        texts["pieces"],
    )

    def pack(options: Mapping[str, str]) -> Pack:
        return load_pack(user_path(options, "pack"))

    def tokens(side: Side) -> tuple[Words, Make]:
        return side_name(side), lambda options: side_run(pack(options), side)

    reference: dict[str, tuple[Words, Make]] = {
        "page": (page, lambda options: reference_sheet(pack(options))),
        "odds": (texts["odds"]["title"], lambda options: chances_sheet(pack(options))),
    }
    sheets: dict[str, tuple[Words, Make]] = {
        "battle": (blank["battle"], lambda options: blank_battle(pack(options))),
        "siege": (blank["siege"], lambda options: blank_siege(pack(options))),
        "intercept": (blank["intercept"], lambda options: blank_worksheet(half="half" in options)),
        "stacks": (blank["records"], lambda options: blank_records(pack(options), half="half" in options)),
        "tables": (blank["tables"], lambda options: tables_sheet(pack(options))),
    }
    runs: dict[str, tuple[Words, Make]] = {side: tokens(side) for side in SIDES}
    runs["legates"] = (counters["legates"], lambda options: legate_run(pack(options)))
    return (
        printable("reference", game, page, reference, ("pack",)),
        printable("sheets", game, blank["kit"], sheets, ("half", "pack")),
        printable("tokens", game, counters["tokens"], runs, ("pack",)),
        boards().printable(),
    )
