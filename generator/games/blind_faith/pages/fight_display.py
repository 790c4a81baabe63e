"""Displays of a battle or siege with its units, the tables for these units, and one worked round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from generator.games.blind_faith.battle import Force, Toll
from generator.games.blind_faith.ground import format_hex, format_units, side_name, sound, words
from generator.games.blind_faith.interception import all_chances, defenders, going, retreats
from generator.games.blind_faith.model import Scenario, Stack, people
from generator.games.blind_faith.pages.battle_tables import (
    DIE_GAP,
    DIE_SIZE,
    bombard_table,
    charge_table,
    die_figures,
    fire_table,
    loss_name,
    pictures,
    pointer,
    response_table,
    result_name,
    routed_losses,
)
from generator.games.blind_faith.pages.display import battle_line, blank_battle, side_steps
from generator.games.blind_faith.pages.layout import SIDE_TINTS, counters, room, signed
from generator.games.blind_faith.rounds import drawn_up, policies
from generator.games.blind_faith.siege import breach_chance, placed
from generator.games.blind_faith.tables import ROLES, Pack, Role, Side, UnitLine, switches
from generator.games.blind_faith.worked_round import (
    Answer,
    ChargeRoll,
    Volley,
    WorkedRound,
    worked_battle,
    worked_siege,
)
from generator.model.views import Figure, Sheet
from generator.model.words import Words, joined

LETTERS: Mapping[str, tuple[str, ...]] = {"battle": ("A", "A", "B", "C"), "siege": ("", "A", "B", "C")}
"""The letter of the table that each step uses; empty for a step without a table."""


class _Fight(NamedTuple):
    """Two stacks that fight, or that serve as an example, with their units in front and in reserve."""

    attacker: Stack
    defender: Stack
    attack: Force
    defence: Force
    drawn: bool
    """Whether the units are in their boxes already. Otherwise the fight is an example."""


def _fight(scenario: Scenario) -> _Fight | None:
    """Return the scenario's battle.

    Before a battle, return an example with the strongest stack that can intercept, or else with the largest enemy
    stack.
    """
    pack = scenario.pack
    if battle := scenario.battle:
        other = scenario.stack(battle.defender)
        return _Fight(scenario.active, other, battle.attack, battle.defence, drawn=True)
    attacker = scenario.active
    enemies = [stack for stack in scenario.stacks if stack.side != attacker.side]
    if not enemies:
        return None
    walked = scenario.march and sound(scenario.op_map, scenario.march.path)
    meeting = [chance for chance in all_chances(scenario) if chance.verdict == "intercepts"] if walked else []
    first = max(meeting, key=lambda chance: len(going(pack, scenario.stack(chance.stack).units)), default=None)
    other = scenario.stack(first.stack) if first else max(enemies, key=lambda stack: len(stack.units))
    at = first.hex if first else other.hex
    attack = drawn_up(pack, "attack", attacker.units)
    defence = drawn_up(pack, "defence", tuple(defenders(pack, other, at)))
    return _Fight(attacker, other, attack, defence, drawn=False) if attack.front and defence.front else None


def battle_display(scenario: Scenario) -> Sheet:
    """Return the display of the scenario's battle, or a blank display if there are no two sides.

    Before a battle, the boxes are empty. The tables are for all classes that may meet, and the example is a battle
    against the strongest stack that can intercept.
    """
    fight = _fight(scenario)
    if not fight:
        return blank_battle(scenario.pack, scenario.rulings, part="display")
    pack, texts = scenario.pack, words()["display"]
    attacker, other, drawn = fight.attacker, fight.defender, fight.drawn
    battle = scenario.battle
    there: dict[Role, UnitLine] = {"attack": attacker.units, "defence": fight.defence.front + fight.defence.reserve}
    if not drawn:
        there = {role: scenario.units_of(side) for role, side in _sides(fight).items()}
    figure_of, figures = _figures(pack, there, _sides(fight))
    boxes = [*(fight.attack.front if drawn else ()), *[""] * pack.boxes][: pack.boxes]
    front = fight.defence.front if drawn else ()
    worked = worked_battle(pack, fight.attack, fight.defence, scenario.rulings, scenario.origin.code)
    line = battle_line(pack, other.side, front)
    notes = [
        texts["stays"].fill(role=words()["role"][role], hex=format_hex(scenario.op_map, battle.hex))
        for role, side in _sides(fight).items()
        if battle and not retreats(scenario, side)
    ]
    view: dict[str, Any] = {
        "heading": _battle_heading(scenario, fight),
        "attacker": _side_head(scenario, attacker, "attack", len(fight.attack.front) if drawn else 0),
        "defender": _side_head(scenario, other, "defence", len(front)),
        "tints": _tints(fight),
        "boxes": [_slot(pack, figure_of, unit) for unit in boxes],
        "reserves": [
            _groups(pack, figure_of, force.reserve if drawn else ()) for force in (fight.attack, fight.defence)
        ],
        **line,
        "here": _column_of_boxes(len(front)),
        "steps": _steps("battle", pack, scenario, there),
        "after": _after_steps(scenario),
        "notes": notes,
        "back": texts["back"].fill(turn=scenario.turn + 1),
        "rounds": room().rounds,
        "shooting": fire_table(pack, there["attack"], there["defence"], figure_of),
        "charges": charge_table(pack, there["attack"], there["defence"], figure_of),
        "response": response_table(pack, len(front), len(there["defence"])),
        "worked": _worked_battle(scenario, worked, figure_of) if worked else [],
        "worked_note": texts["worked_note" if drawn else "worked_other"].fill(
            attacker=attacker.label, defender=other.label
        ),
    }
    figures |= pictures(pack) | _pointers(_sides(fight))
    return Sheet(
        "display", texts["battle"], "blind_faith/battle.xml", _fit(view), figures, landscape=True, pages=2, rather=1
    )


def siege_display(scenario: Scenario) -> Sheet:
    """Return the display of the scenario's siege with the units in their boxes.

    If the file does not place the besieger's units, the example places them by the first policy.
    """
    siege = scenario.siege
    assert siege, "only a siege has a siege display"
    pack, active, other, texts = scenario.pack, scenario.active, scenario.stack(siege.garrison), words()["display"]
    sides: dict[Role, Side] = {"attack": active.side, "defence": other.side}
    there: dict[Role, UnitLine] = {"attack": active.units, "defence": other.units}
    figure_of, figures = _figures(pack, there, sides)
    boxes = siege.bombard, siege.storm, siege.reserve
    if not siege.placed:
        guns, stormers = placed(pack, next(iter(policies().values())), siege.wall, active.units)
        rest = Counter(active.units) - Counter(guns) - Counter(stormers)
        boxes = guns, stormers, pack.line(rest.elements())
    worked = worked_siege(pack, *boxes, other.units, siege.wall, scenario.rulings, scenario.origin.code)
    worst = scenario.rulings["storm_losses"] == "rout"
    wall = next(wall.name for wall in pack.walls if wall.id == siege.wall)
    place = format_hex(scenario.op_map, other.hex)
    view: dict[str, Any] = {
        "heading": texts["besieges"].fill(attacker=active.label, defender=other.label, hex=place),
        "attacker": _side_head(scenario, active, "besieger", 0),
        "defender": _side_head(scenario, other, "garrison", len(other.units)),
        "tints": {role: SIDE_TINTS[side] for role, side in sides.items()},
        "boxes": [
            {"name": texts[name], "units": _groups(pack, figure_of, units) if siege.placed else []}
            for name, units in zip(("bombard", "storm", "reserve"), boxes, strict=True)
        ],
        **battle_line(pack, other.side, other.units),
        "here": _column_of_boxes(len(other.units)),
        "steps": _steps("siege", pack, scenario, there),
        "back": texts["back"].fill(turn=scenario.turn + 1),
        "rounds": room().rounds,
        "shooting": bombard_table(pack, active.units, siege.wall, figure_of),
        "wall": texts["wall"].fill(wall=wall),
        "charges": charge_table(
            pack, _stormers(pack, active.units, boxes[1], siege.wall), other.units, figure_of, routed_at_worst=worst
        ),
        "responds": int(scenario.rulings["storm_response"] == "field"),
        "response": response_table(pack, len(other.units), len(other.units), routed_at_worst=worst),
        "worked": _worked_siege(scenario, worked, figure_of) if worked else [],
        "worked_note": texts["worked_note" if siege.placed else "worked_unplaced"].fill(
            attacker=active.label, defender=other.label
        ),
    }
    figures |= pictures(pack) | _pointers(sides) | dict(routed_losses(pack) if worst else ())
    return Sheet(
        "display", texts["siege"], "blind_faith/siege.xml", _fit(view), figures, landscape=True, pages=2, rather=1
    )


_HEADS, _FIRE_ROW, _CHARGE_ROW, _RESPONSE_ROW = 42.0, 7.5, 13.0, 4.6
"""Height in mm of the headings of the three tables, and of a row of each."""
_ROOM, _WHOLE = 126.0, 172.0
"""Height in mm above a worked round that takes the whole width of the page, and height of the page."""


def _fit(view: dict[str, Any]) -> dict[str, Any]:
    """Return the contents of a display with the flag `tall`.

    If the tables are so long that a worked round does not fit below them, it stands beside them. If they are longer
    than the page, as those of a user's file can be, the longest are left out, because the reference has them.
    """
    rows = {"response": _RESPONSE_ROW * len(view["response"]["rows"])}
    rows |= {"shooting": _FIRE_ROW * len(view["shooting"]), "charges": _CHARGE_ROW * len(view["charges"])}
    view = {**view, "cut": []}
    while _HEADS + sum(rows.values()) > _WHOLE:
        longest = max(("shooting", "charges"), key=rows.__getitem__)
        rows[longest] = 0.0
        view = {**view, longest: [], "cut": [*view["cut"], longest]}
    return {**view, "tall": int(_HEADS + sum(rows.values()) > _ROOM)}


def _stormers(pack: Pack, besiegers: UnitLine, storming: UnitLine, wall: str) -> UnitLine:
    """Return the classes that storm, and those that cannot breach the wall or are as good as one that cannot."""
    drms = {pack.units[unit].drm for unit in besiegers if not breach_chance(pack, unit, wall)}
    return tuple(unit for unit in besiegers if unit in storming or pack.units[unit].drm in drms)


def _sides(fight: _Fight) -> dict[Role, Side]:
    return {"attack": fight.attacker.side, "defence": fight.defender.side}


def _tints(fight: _Fight) -> dict[Role, str]:
    return {role: SIDE_TINTS[side] for role, side in _sides(fight).items()}


def _pointers(sides: Mapping[Role, Side]) -> dict[str, Figure]:
    """Return the tips of the tabs: the attacker's steps point down at the defender, and the defender's point up."""
    return {f"tip.{role}": pointer(SIDE_TINTS[side], down=role == "attack") for role, side in sides.items()}


def _figures(
    pack: Pack, there: Mapping[Role, UnitLine], sides: Mapping[Role, Side]
) -> tuple[dict[str, str], dict[str, Figure]]:
    """Return the name of the counter of each class, and the counters."""
    figures: dict[str, Figure] = {}
    names: dict[str, str] = {}
    for role in ROLES:
        figures |= counters(pack, sides[role], dict.fromkeys(there[role]))
        names |= {unit: f"{sides[role]}.{unit}" for unit in there[role]}
    return names, figures


def _battle_heading(scenario: Scenario, fight: _Fight) -> Words:
    texts, labels = words()["display"], {"attacker": fight.attacker.label, "defender": fight.defender.label}
    if battle := scenario.battle:
        return texts["attacks"].fill(**labels, hex=format_hex(scenario.op_map, battle.hex))
    return texts["before"]


def _side_head(scenario: Scenario, stack: Stack, role: str, front: int) -> dict[str, Words]:
    """Return the name of a side with its stack, and its leaders and numbers of units."""
    texts = words()["display"]
    who = texts["who"].fill(role=words()["role"][role], stack=stack.label, side=side_name(stack.side))
    facts = [*people(scenario, stack), words()["cover"]["units"].fill(n=len(stack.units))]
    facts += [texts["in_front"].fill(n=front)] if front and role in ("attack", "defence") else []
    return {"name": who, "facts": joined(facts, " · ", "・")}


def _slot(pack: Pack, figure_of: Mapping[str, str], unit: str) -> dict[str, object]:
    """Return a box with a unit, or an empty box."""
    if not unit:
        return {"figure": "", "name": "", "drm": ""}
    return {"figure": figure_of[unit], "name": pack.units[unit].name, "drm": signed(pack.units[unit].drm)}


def _groups(pack: Pack, figure_of: Mapping[str, str], units: UnitLine) -> list[dict[str, object]]:
    """Return units grouped by class, with their numbers."""
    return [{**_slot(pack, figure_of, unit), "count": f"×{n}"} for unit, n in Counter(units).items()]


def _column_of_boxes(units: int) -> int:
    """Return the index of the column of boxes in which a front of this size ends, or -1 if it is empty."""
    return (units - 1) // room().line.deep


def _steps(part: str, pack: Pack, scenario: Scenario, there: Mapping[Role, UnitLine]) -> list[dict[str, object]]:
    """Return the steps of a side, each with its number and the letter of its table."""
    rows = side_steps("battle" if part == "battle" else "siege", pack, scenario.rulings, there)
    return [
        {"n": n, "letter": letter, **row} for n, (row, letter) in enumerate(zip(rows, LETTERS[part], strict=True), 1)
    ]


def _after_steps(scenario: Scenario) -> list[dict[str, object]]:
    """Return the steps at the end of a round, which concern both sides."""
    rows = side_steps("battle", scenario.pack, scenario.rulings, None, by_both=True)
    refill = switches()["defender_refill"][scenario.rulings["defender_refill"]].text
    first = len(LETTERS["battle"]) + 1
    return [
        {"n": n, **row, "more": refill if n == first + len(rows) - 1 else ""} for n, row in enumerate(rows, first)
    ]


def _worked_battle(scenario: Scenario, of: WorkedRound, figure_of: Mapping[str, str]) -> list[dict[str, object]]:
    """Return the cells of a worked round of a battle."""
    pack, texts = scenario.pack, words()["worked"]
    names = [row["name"] for row in side_steps("battle", pack, scenario.rulings, None)]
    cells = [
        _volley_cell(pack, of.fire, of.fire_others, figure_of),
        _volley_cell(pack, of.fire_back, of.fire_back_others, figure_of),
        _charge_cell(pack, of.charges, figure_of),
        _response_cell(pack, of.response),
    ]
    stay = len(of.attacker_left.reserve)
    more = texts["filled"].fill(n=stay) if of.attacker_left.left else texts["ruined"]
    end = _losses_cell(pack, of, more)
    end["icons"] = " ".join(figure_of[unit] for unit in of.attacker_left.front)
    numbered = [{"n": n, "name": name, **cell} for n, (name, cell) in enumerate(zip(names, cells, strict=True), 1)]
    return [*numbered, {"n": len(numbered) + 2, "name": _after_steps(scenario)[-1]["name"], **end}]


def _worked_siege(scenario: Scenario, of: WorkedRound, figure_of: Mapping[str, str]) -> list[dict[str, object]]:
    """Return the cells of a worked round of a siege."""
    pack, texts = scenario.pack, words()["worked"]
    names = [row["name"] for row in side_steps("siege", pack, scenario.rulings, None)][1:]
    cells = [
        _volley_cell(pack, of.fire, of.fire_others, figure_of),
        _charge_cell(pack, of.charges, figure_of),
        _response_cell(pack, of.response),
    ]
    left = texts["holds"].fill(n=of.defender_left) if of.defender_left else texts["taken"]
    end = _losses_cell(pack, of, left)
    numbered = [{"n": n, "name": name, **cell} for n, (name, cell) in enumerate(zip(names, cells, strict=True), 2)]
    return [*numbered, {"n": "", "name": texts["after"], **end}]


def _cell(rows: Sequence[Mapping[str, object]], captions: Iterable[Words], kind: str = "rows") -> dict[str, object]:
    return {"kind": kind, "rows": list(rows), "captions": [*captions], "icons": ""}


def _volley_cell(
    pack: Pack, volleys: Sequence[Volley], others: int, figure_of: Mapping[str, str]
) -> dict[str, object]:
    """Return the dice of fire or bombardment, with a row for each target."""
    texts = words()["worked"]
    rows = [
        {
            "box": volley.box or "",
            "shooter": figure_of[volley.shooter],
            "target": figure_of[volley.target] if volley.target else "",
            "dice": die_figures(volley.faces, volley.deciding),
            "wide": round(len(volley.faces) * (DIE_SIZE + DIE_GAP) + DIE_GAP, 1),
            "result": "" if volley.result == "none" else result_name(volley.result),
            "breaches": sum(hit == "breach" for hit in volley.results),
        }
        for volley in volleys
    ]
    if not volleys:
        return _cell([], [texts["no_fire"]])
    if all(volley.box and pack.units[volley.shooter].each_box for volley in volleys):
        captions = [texts["at_boxes"].fill(unit=pack.units[volleys[0].shooter].name)]
    else:
        captions = [_result_line(pack, volley) for volley in volleys]
    return _cell(rows, [*captions, *([texts["others"].fill(n=others)] if others else [])])


def _result_line(pack: Pack, volley: Volley) -> Words:
    """Return a sentence about the result of fire or bombardment."""
    texts, unit = words()["worked"], pack.units[volley.shooter].name
    if not volley.target:
        return texts["breaches"].fill(unit=unit, n=sum(hit == "breach" for hit in volley.results))
    target = pack.units[volley.target].name
    return texts[f"shot_{volley.result}"].fill(unit=unit, target=target)


def _charge_cell(pack: Pack, charges: Sequence[ChargeRoll], figure_of: Mapping[str, str]) -> dict[str, object]:
    """Return the dice of charges with their modifiers and results."""
    texts = words()["worked"]
    if not charges:
        return _cell([], [texts["no_charge"]])
    rows = [
        {
            "shooter": figure_of[roll.charger],
            "target": figure_of[roll.target],
            "dice": die_figures([roll.face], [0]),
            "sum": texts["sum"].fill(
                drm=f"{roll.drm:+d}".replace("-", "−"),
                target=f"+{-roll.target_drm}" if roll.target_drm < 0 else f"−{roll.target_drm}",
                n=str(roll.modified).replace("-", "−"),
            ),
            "result": "" if roll.result.defender == "none" else result_name(roll.result.defender),
            "charger": "" if roll.result.charger == "none" else result_name(roll.result.charger),
        }
        for roll in charges
    ]
    pairs = [
        texts["pair"].fill(unit=pack.units[roll.charger].name, target=pack.units[roll.target].name)
        for roll in charges
    ]
    return _cell(rows, pairs, "charges")


def _response_cell(pack: Pack, response: Answer | None) -> dict[str, object]:
    """Return the die of the response with the count of the front and the losses."""
    texts = words()["worked"]
    if not response:
        return _cell([], [texts["no_response"]])
    subtracted = "".join(f" − {n}" for n in response.lost if n)
    column, drm = pack.response.column(response.units)
    bounds = pack.response.bounds()[column]
    count = texts["front"].fill(
        sum=f"{response.there}{subtracted} = {response.units}" if subtracted else str(response.units),
        column=f"{bounds[0]}+" if bounds[1] is None else f"{bounds[0]}–{bounds[1]}",
    )
    rows = [
        {
            "dice": die_figures([response.face], [0]),
            "sum": f"+{drm} = {response.face + drm}" if drm else "",
            "result": loss_name(response.losses) if sum(response.losses) else "",
        }
    ]
    return {**_cell(rows, [*_toll_lines(pack, response.toll)], "response"), "count": count}


def _toll_lines(pack: Pack, toll: Toll) -> list[Words]:
    texts = words()["worked"]
    parts = (("routed", toll.routed), ("eliminated", toll.eliminated))
    return [texts[key].fill(units=format_units(pack, units)) for key, units in parts if units]


def _losses_cell(pack: Pack, of: WorkedRound, left: Words) -> dict[str, object]:
    """Return the losses of both sides in a worked round."""
    texts = words()["worked"]
    captions = [
        texts[key].fill(routed=len(toll.routed), eliminated=len(toll.eliminated))
        for key, toll in (("attacker_lost", of.attacker_lost), ("defender_lost", of.defender_lost))
    ]
    return _cell([], [*captions, left], "end")
