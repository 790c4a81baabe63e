"""Check the log of the set-up and its dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from generator.common.scenario_file import Step, false_steps, step_text, step_words
from generator.common.search import fair_evidence, fair_steps
from generator.common.tables import RuleBook, connected
from generator.errors import WrongUsageError
from generator.games.travel_battle.campaign import find_crossing
from generator.games.travel_battle.file import unit_text
from generator.games.travel_battle.ground import EDGES, opposite
from generator.games.travel_battle.model import (
    CROSSING,
    OTHER,
    SIDES,
    WHOLE,
    Brigade,
    Placed,
    Scenario,
    Side,
    Unit,
    board_at,
    board_title,
    placing_step,
    unit_and_square,
)
from generator.games.travel_battle.tables import DIE_FACES, numbers, side_name, words
from generator.grid.squares import STEPS, Square, distance
from generator.model.words import Words, joined, same
from generator.rules import Fault

rule = RuleBook("travel_battle/rules.toml")

ROLLS = ("side_dice", "placer_dice", "mover_dice")
"""The steps in which each player rolls a die. The result lists Blue's die first."""
TURNS = ("turn", "turn_free")
"""The steps that turn a board. The result contains the board's near left square and the die."""
EVIDENCE = (*ROLLS, *TURNS)
UNKNOWN_DIE = "?"
"""The placeholder for an unknown die in suggested lines, which the players replace with the value that they rolled.
"""
FACES = tuple(str(face) for face in range(1, DIE_FACES + 1))


def brigades(scenario: Scenario) -> Iterator[tuple[Side, int, Brigade]]:
    """Yield each brigade with its player and its index in the file."""
    player: Side
    for player, army in scenario.armies.items():
        for i, brigade in enumerate(army.brigades):
            yield player, i, brigade


def keys(scenario: Scenario, unit: Unit, key: str = "at") -> tuple[str | int, ...]:
    """Return the key path of an entry in a unit's row of the file."""
    for player, i, brigade in brigades(scenario):
        if unit in brigade.units:
            return (player, "brigade", i, "units", brigade.units.index(unit), key)
    return ()


def cell_names(scenario: Scenario, there: Iterable[Square]) -> tuple[str, ...]:
    """Return the names of the squares."""
    return tuple(map(scenario.battlefield.terrain_map.field.name, there))


def cells(scenario: Scenario, units: Iterable[Unit]) -> tuple[str, ...]:
    """Return the names of the squares of the units. Units that are off the field are omitted."""
    return cell_names(scenario, [unit.cell for unit in units if unit.cell is not None])


def groups(brigade: Brigade) -> list[list[Unit]]:
    """Return the connected groups of a brigade's units, the largest first.

    If two groups are equally large, the group with the brigadier comes first.
    """
    parts = connected(
        (unit.cell for unit in brigade.units if unit.cell is not None), lambda cell: (cell + step for step in STEPS)
    )
    found = [[unit for unit in brigade.units if unit.cell in part] for part in parts]
    return sorted(found, key=lambda group: (-len(group), brigade.brigadier not in group))


def free_cells(scenario: Scenario, player: Side, unit: Unit) -> list[Square]:
    """Return the squares of a player's home rows that a unit may enter and that no other unit occupies."""
    taken = {
        cell for cell, there in scenario.units_on_board.items() if any(other is not unit for _player, other in there)
    }
    terrain_map = scenario.battlefield.terrain_map
    return [cell for cell in scenario.home(player) if cell not in taken and terrain_map.admits(cell, unit.kind.arm)]


def misplacement_key(scenario: Scenario, unit: Unit) -> tuple[bool, bool, bool, bool]:
    """Return a sort key for the units of a fault, which is greatest for the unit that is most likely misplaced.

    The criteria, in order of weight, are that the log gives another square, that the square is outside the home
    rows, that the unit is not connected to the largest group of its brigade, and that the unit may not share its
    square.
    """
    player, brigade, _unit = scenario.units[unit.id]
    here = f"{unit.id} {' '.join(cells(scenario, [unit]))}"
    posts = [post for step in scenario.log if step.what == "place" for post in step.result]
    elsewhere = here not in posts and any(unit_and_square(post)[0] == unit.id for post in posts)
    there = [other for _player, other in scenario.units_on_board.get(unit.cell, ())] if unit.cell else []
    pair = [other.kind.arm for other in there if other in brigade.units]
    crowded = len(there) > 1 and (pair != ["infantry"] * 2 or len(there) > len(pair))
    return elsewhere, unit.cell not in scenario.home(player), unit not in groups(brigade)[0], crowded


def chain_breaker(scenario: Scenario, player: Side, brigade: Brigade) -> Unit | None:
    """Return the unit that could move to another home square to make its brigade connected again, or None.

    If there are several such units, the one that is most likely misplaced is returned. Among equally likely ones,
    it is the one farthest from the others.
    """
    placed = [unit for unit in brigade.units if unit.cell is not None]

    def mends(unit: Unit) -> bool:
        tried = (
            Brigade(brigade.number, (*(u for u in placed if u is not unit), msgspec.structs.replace(unit, cell=cell)))
            for cell in free_cells(scenario, player, unit)
        )
        return any(len(groups(whole)) == 1 for whole in tried)

    def alone(unit: Unit) -> int:
        others = [other.cell for other in placed if other is not unit and other.cell is not None]
        return min((distance(cell, unit.cell) for cell in others if unit.cell), default=0)

    suspects = [unit for unit in placed if any(misplacement_key(scenario, unit))]
    suspects.sort(key=lambda unit: (misplacement_key(scenario, unit), alone(unit)), reverse=True)
    return next((unit for unit in suspects if mends(unit)), None)


def legal_cells(scenario: Scenario, player: Side, brigade: Brigade, unit: Unit) -> list[Square]:
    """Return the free squares for a unit that are connected to most of its brigade, the nearest first.

    A square that the log gives comes before all others. Among equally near squares, those in the same column or
    row come first, because a typo usually changes only one character.
    """
    rest = Brigade(brigade.number, tuple(other for other in brigade.units if other is not unit))
    near = [other.cell for group in groups(rest)[:1] for other in group if other.cell is not None]
    free = free_cells(scenario, player, unit)
    joined_on = [cell for cell in free if any(distance(cell, other) <= 1 for other in near)] or free
    start = unit.cell or (near[0] if near else Square(0, 0))

    name = scenario.battlefield.terrain_map.field.name
    posts = [post for step in scenario.log if step.what == "place" for post in step.result]

    def far(cell: Square) -> tuple[bool, int, int, Square]:
        untold = f"{unit.id} {name(cell)}" not in posts
        return untold, distance(cell, start), (cell.c != start.c) + (cell.r != start.r), cell

    return sorted(joined_on, key=far)


def unit_values(scenario: Scenario, unit: Unit) -> dict[str, object]:
    """Return the values that a unit and its square contribute to the texts of reasons."""
    values: dict[str, object] = {"unit": unit.label, "kind": unit.kind.name.low}
    if unit.cell is None:
        return values
    terrain_map = scenario.battlefield.terrain_map
    return values | {"cell": terrain_map.field.name(unit.cell), "ground": terrain_map.terrain(unit.cell).name.low}


def misplaced(scenario: Scenario, unit: Unit, reason: str, **values: object) -> Fault:
    """Return the fault of a unit on an illegal square, with its legal squares and a corrected row."""
    player, brigade, _unit = scenario.units[unit.id]
    free = legal_cells(scenario, player, brigade, unit)
    return Fault(
        unit.id,
        reason,
        unit_values(scenario, unit) | values,
        at=keys(scenario, unit),
        cells=cells(scenario, [unit]),
        lawful=cell_names(scenario, free),
        suggested_fix=unit_text(msgspec.structs.replace(unit, cell=free[0]), scenario) if free else "",
    )


@rule("setup.dice")
def sound(scenario: Scenario) -> Iterator[Fault]:
    for number, step in enumerate(scenario.log, 1):
        if step.what not in EVIDENCE:
            continue
        faces, at = _faces(step), ("log", number - 1, "result")
        if faces is None:
            yield Fault(f"log {number}", "count", {"step": number}, at=at)
        else:
            wrong = (face for face in faces if face not in FACES)
            yield from (Fault(f"log {number}", "face", {"step": number, "face": face}, at=at) for face in wrong)


@rule("setup.side")
def side(scenario: Scenario) -> Iterator[Fault]:
    # The boards of a campaign are placed as on its map, which the rule log.true checks. The halves of a double board
    # are not chosen.
    if scenario.battlefield.whole:
        yield from _needless_dice(scenario, ("side_dice",))
    if scenario.battlefield.whole or _crossed(scenario):
        return
    steps = [(number, step) for number, step in enumerate(scenario.log) if step.what == "side"]
    number, chosen = (steps[0][0], steps[0][1].who) if steps else (None, None)
    for fault in _roll(scenario, "side_dice", chosen):
        if fault.reason != "other":
            yield fault
            continue
        higher = _higher([step for step in scenario.log if step.what == "side_dice"][-1])
        hand = "left" if scenario.boards[0][0].owner == higher else "right"
        suggested_fix = step_text(Step("side", higher, "", (hand,)))
        reason = "other" if chosen else "nobody"
        yield Fault(
            fault.where,
            reason,
            fault.values,
            at=("log",) if number is None else ("log", number),
            suggested_fix=suggested_fix,
        )


@rule("setup.placer")
def placer(scenario: Scenario) -> Iterator[Fault]:
    return _roll(scenario, "placer_dice", scenario.first_placer, "places_first")


@rule("setup.mover")
def mover(scenario: Scenario) -> Iterator[Fault]:
    return _roll(scenario, "mover_dice", scenario.first_mover, "moves_first")


@rule("setup.turn")
def turned(scenario: Scenario) -> Iterator[Fault]:
    # The boards of a campaign are placed as on its map, which the rule log.true checks. The halves of a double board
    # are not turned.
    if scenario.battlefield.whole:
        yield from _needless_dice(scenario, TURNS)
    if scenario.battlefield.whole or _crossed(scenario):
        return
    boards = scenario.placed
    seen: list[str] = []
    for number, step in enumerate(scenario.log, 1):
        if step.what in TURNS and _sound(step):
            at, die = step.result
            reasons = _turn(boards.get(at), step, int(die)) if at not in seen else ["twice"]
            yield from (_wrong_turn(scenario, number, step, reason) for reason in reasons)
            seen.append(at)
        elif step.what in TURNS:
            seen += step.result[:1]
    yield from _unlogged(scenario, "unproved", "turn", [at for at in boards if at not in seen])
    free = {step.result[0] for step in scenario.log if step.what == "turn_free" and step.result}
    free -= {step.result[0] for step in scenario.log if step.what == "edge" and step.result}
    yield from _unlogged(scenario, "unchosen", "edge", [at for at in boards if at in free])


def _wrong_turn(scenario: Scenario, number: int, step: Step, reason: str) -> Fault:
    """Return the fault of a board that is not turned as its die requires, with a suggested fix."""
    at, die = step.result
    values = {"at": at, "board": board_at(scenario, at), "die": die, "player": side_name(step.who)}
    where: tuple[str | int, ...] = ("log", number - 1)
    boards, suggested_fix = scenario.placed, ""
    if at in boards:
        values["edge"] = boards[at].owner_edge
    if reason == "other":
        # The file contains the edge towards Blue, whichever player owns the board.
        edge = EDGES[int(die) - 1]
        edge = edge if boards[at].owner == SIDES[0] else opposite(edge)
        where, suggested_fix = ("board", list(boards).index(at), "edge"), f"edge = {edge}"
    elif reason in ("free", "bound"):
        where, suggested_fix = (*where, "step"), f'step = "{TURNS[reason == "free"]}"'
    elif reason == "owner":
        where, suggested_fix = (*where, "who"), f'who = "{boards[at].owner}"'
    return Fault(f"log {number}", reason, values, at=where, suggested_fix=suggested_fix)


def _unlogged(scenario: Scenario, reason: str, what: str, boards: list[str]) -> Iterator[Fault]:
    """Yield one fault for all boards for which the log has no step, with the missing steps as the suggested fix."""
    if boards:
        titles, placed = joined([board_at(scenario, at) for at in boards]), scenario.placed
        steps = [Step(what, placed[at].owner, "", (at, str(placed[at].owner_edge))) for at in boards]
        suggested_fix = "\n\n".join(map(step_text, steps))
        yield Fault(" ".join(boards), reason, {"board": titles}, unproved=True, suggested_fix=suggested_fix)


def _needless_dice(scenario: Scenario, dice: tuple[str, ...]) -> Iterator[Fault]:
    """Yield a fault for each roll that has no effect because the field is a double board."""
    for number, step in enumerate(scenario.log, 1):
        if step.what in dice:
            yield Fault(f"log {number}", "whole", at=("log", number - 1))


def _crossed(scenario: Scenario) -> bool:
    return any(step.what == CROSSING for step in scenario.log)


def _turn(placed: Placed | None, step: Step, die: int) -> Iterator[str]:
    """Yield the reasons why a board is not turned as its die requires."""
    if placed is None:
        yield "nowhere"
        return
    if step.who != placed.owner:
        yield "owner"
    free = die > numbers().turned
    if free != (step.what == "turn_free"):
        yield "free" if free else "bound"
    elif not free and placed.owner_edge != die:
        yield "other"


def _roll(scenario: Scenario, what: str, chosen: str | None, key: str = "") -> Iterator[Fault]:
    """Check a roll-off, in which ties are re-rolled and the player with the higher die must be the chosen one.

    `key` is the key of this player in the table `[play]`.
    """
    steps = [(number, step) for number, step in enumerate(scenario.log) if step.what == what]
    if not steps:
        yield Fault(
            "log",
            "unproved",
            unproved=True,
            suggested_fix=step_text(Step(what, None, "", (UNKNOWN_DIE,) * len(SIDES))),
        )
    if not steps or not all(_sound(step) for _, step in steps):
        return
    for number, step in steps[:-1]:
        if winner := _higher(step):
            values = {"player": side_name(winner)}
            yield Fault(f"log {number + 1}", "again", values, at=("log", number, "result"))
    number, step = steps[-1]
    last = _higher(step)
    if last is None:
        yield Fault(f"log {number + 1}", "tie", at=("log", number, "result"))
    elif last != chosen:
        values = {"player": side_name(last), "other": side_name(chosen)}
        yield Fault(f"log {number + 1}", "other", values, at=("play", key), suggested_fix=f'{key} = "{last}"')


def _higher(step: Step) -> Side | None:
    """Return the player with the higher die, or None if the dice are equal."""
    dice = list(map(int, step.result))
    return None if dice[0] == dice[1] else SIDES[dice.index(max(dice))]


def _sound(step: Step) -> bool:
    return all(face in FACES for face in _faces(step) or ("",))


def _faces(step: Step) -> tuple[str, ...] | None:
    """Return the dice of a step, or None if their number is wrong."""
    if len(step.result) != 2:
        return None
    return step.result if step.what in ROLLS else step.result[1:]


ORDER = (
    ("board", WHOLE),
    ("side_dice",),
    ("side",),
    ("turn", "turn_free", "edge", CROSSING),
    ("split", "preset"),
    ("placer_dice",),
    ("placer",),
    ("place",),
    ("mover_dice",),
    ("mover",),
    ("objective",),
)
"""The steps of the set-up in order, grouped by stage."""
STAGES = {what: stage for stage, steps in enumerate(ORDER) for what in steps}

StepKey = tuple[str, str | None, tuple[str, ...]]
"""A step's name, player and result."""


@rule("log.true")
def true(scenario: Scenario) -> Iterator[Fault]:
    # Dice cannot be derived from the scenario and have their own rules.
    known, true_steps = words()["step"] | fair_steps(), {*_true_steps(scenario), *fair_evidence(scenario.log)}
    moved = {number: _moved(scenario, step) for number, step in enumerate(scenario.log, 1)}
    for fault in false_steps(
        scenario.log,
        known,
        true_steps,
        describe=lambda step: _step_words(scenario, step),
        apart=EVIDENCE,
        loose=("place",),
    ):
        units = moved[int(fault.where.split()[1])]
        yield from [fault] if units is None else units


def _moved(scenario: Scenario, step: Step) -> list[Fault] | None:
    """Return a fault for each unit that has another square in the log, or None if the log lists other units.

    The rule place.all reports units that have no square.
    """
    logged = dict(map(unit_and_square, step.result)) if step.what == "place" else {}
    first = scenario.units.get(next(iter(logged), ""))
    if first is None or first[0] != step.who or {unit.id for unit in first[1].units} != set(logged):
        return None
    name, find, found = (
        scenario.battlefield.terrain_map.field.name,
        scenario.battlefield.terrain_map.field.find,
        list[Fault](),
    )
    for unit in first[1].units:
        right = logged[unit.id]
        there = find(right)
        if there is None:
            return None
        if unit.cell is not None and there != unit.cell:
            values = {"unit": unit.label, "cell": name(unit.cell), "logged": right}
            suggested_fix = unit_text(msgspec.structs.replace(unit, cell=there), scenario)
            at, here = keys(scenario, unit), cells(scenario, [unit])
            found.append(
                Fault(unit.id, "moved", values, at=at, cells=here, lawful=(right,), suggested_fix=suggested_fix)
            )
    return found


def _step_words(scenario: Scenario, step: Step) -> Words:
    """Describe a step, including its player."""
    texts = words()
    text = step_words(step, texts["step"] | fair_steps(), lambda part: _part(scenario, step, part))
    return texts["setup"]["by"].fill(who=side_name(step.who), step=text) if step.who else text


def _part(scenario: Scenario, step: Step, part: str) -> Words:
    """Describe a part of a step's result."""
    if step.what == "edge" and part == step.result[0]:
        return board_at(scenario, part)
    if step.what == "board":
        return board_title(part)
    return words()["side"].get(part, same(part)) if step.what == "side" else same(part)


def _true_steps(scenario: Scenario) -> Iterator[StepKey]:
    """Yield each step that can be derived from the scenario."""
    name, of, kinds = scenario.battlefield.terrain_map.field.name, scenario.objective, scenario.roster.fighters
    yield from _boards(scenario)
    yield "placer", scenario.first_placer, ()
    yield "mover", scenario.first_mover, ()
    yield "objective", of.player, (of.kind, *map(name, of.cells), *of.units)
    for player, army in scenario.armies.items():
        by_number = sorted(army.brigades, key=lambda brigade: brigade.number)
        shares = [Counter(unit.kind.id for unit in brigade.fighters) for brigade in by_number]
        parts = [[f"{share[kind.id]} {kind.id}" for kind in kinds if share[kind.id]] for share in shares]
        yield "split", player, tuple(map(", ".join, parts))
        for id_, preset in scenario.roster.presets.items():
            wanted = [+Counter(share) for share in preset.brigades]
            if shares and shares == wanted * (len(shares) // len(wanted)):
                yield "preset", player, (id_,)
        for brigade in army.brigades:
            yield placing_step(scenario, player, brigade).evidence


def _boards(scenario: Scenario) -> Iterator[StepKey]:
    """Yield the steps for the owner, position and edge of each board. The halves of a double board have no owner."""
    if scenario.battlefield.whole:
        yield WHOLE, None, ()
        return
    yield from _crossing(scenario)
    left = scenario.boards[0][0].owner
    yield "side", left, ("left",)
    yield "side", OTHER[left], ("right",)
    for at, placed in scenario.placed.items():
        yield "board", placed.owner, (placed.name,)
        yield "edge", placed.owner, (at, str(placed.owner_edge))


def _crossing(scenario: Scenario) -> Iterator[StepKey]:
    """Yield the step for two neighbouring boards of a campaign if they are placed as on the campaign's map."""
    placed = scenario.boards[0]
    logged = next((step.result for step in scenario.log if step.what == CROSSING), ())
    if logged != tuple(board.name for board in placed) or len(placed) != len(SIDES) or len(scenario.boards) > 1:
        return
    try:
        crossing = find_crossing(*logged)
    except WrongUsageError:
        return
    if crossing and (crossing.left.oriented, crossing.right.oriented) == tuple(board.oriented for board in placed):
        yield CROSSING, None, logged


@rule("log.order")
def in_order(scenario: Scenario) -> Iterator[Fault]:
    # Each step is compared with the preceding one, so a single misplaced step is reported only once.
    before: Step | None = None
    last = boards = 0
    for number, step in enumerate(scenario.log, 1):
        stage = STAGES.get(step.what)
        if stage is None:
            continue
        if step.what == "board":
            boards += 1
            # In club games, all boards after each player's first one are chosen after the sides.
            stage = stage if boards <= len(SIDES) else min(last, STAGES["side"])
        if stage < last:
            values = {"step": _step_words(scenario, step), "before": _step_words(scenario, before or step)}
            yield Fault(f"log {number}", "late", values, at=("log", number - 1))
        before, last = step, stage
