"""Check the legality of a battle, using only the scenario."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache

import msgspec
from msgspec.structs import replace

from generator.common.scenario_file import Step, false_steps, step_text, step_words
from generator.common.search import fair_evidence, fair_steps
from generator.common.tables import RuleBook, ruleset
from generator.games.battling import ground
from generator.games.battling.file import row_text
from generator.games.battling.ground import ACROSS, EDGES, Arena, edge_name, house_arenas
from generator.games.battling.model import PLAYERS, SIDES, Machine, Scenario, Side, set_up, side_name
from generator.games.battling.tables import dice, numbers, words
from generator.grid.columns import Numbered, distance
from generator.model.words import Words, joined, same
from generator.rules import Fault, Rule

rule = RuleBook("battling/rules.toml")


@rule("squad.points")
def even(scenario: Scenario) -> Iterator[Fault]:
    want = scenario.points
    if want is None:
        return
    for side, have in scenario.costs.items():
        values = {"side": side_name(side), "have": have, "want": want, "less": want - have}
        if have > want:
            yield Fault(
                side, "over", values, at=("play", "points"), suggested_fix=f"points = {max(scenario.costs.values())}"
            )
        elif have < want:
            yield Fault(side, "short", values, at=(side, "machines"))


@rule("squad.size")
def size(scenario: Scenario) -> Iterator[Fault]:
    for side, squad in scenario.squads.items():
        if not squad.machines:
            yield Fault(side, "none", {"side": side_name(side)}, at=(side, "machines"))


@rule("squad.most")
def too_many(scenario: Scenario) -> Iterator[Fault]:
    bounds = numbers().machines
    for side, squad in scenario.squads.items():
        if len(squad.machines) > bounds.maximum:
            values = {"side": side_name(side), "n": len(squad.machines), "most": bounds.maximum}
            yield Fault(side, "many", values, at=(side, "machines", bounds.maximum))


@rule("squad.players")
def players(scenario: Scenario) -> Iterator[Fault]:
    first, second = (scenario.squads[side].player for side in SIDES)
    if first == second:
        other = next(player for player in PLAYERS if player != first)
        yield Fault("second", "same", {"player": first}, at=("second", "player"), suggested_fix=f'player = "{other}"')


@rule("deploy.open")
def open_hex(scenario: Scenario) -> Iterator[Fault]:
    for side, machine in scenario.machines:
        if scenario.arena.closed(machine.cell):
            yield _misplaced(scenario, side, machine, "closed")


@rule("deploy.stack")
def alone(scenario: Scenario) -> Iterator[Fault]:
    on: dict[Numbered, list[tuple[Side, Machine]]] = defaultdict(list)
    for side, machine in scenario.machines:
        on[machine.cell].append((side, machine))
    for there in on.values():
        # The machine that is most likely misplaced gets the fault of an occupied hex.
        (_, first), *others = sorted(there, key=lambda of: _doubt(scenario, *of))
        for side, machine in others:
            yield _misplaced(scenario, side, machine, "stacked", other=first.label)


def _doubt(scenario: Scenario, side: Side, machine: Machine) -> tuple[bool, bool]:
    """Return a sort key. The machine with the greatest key is most likely misplaced.

    The criteria are that the log gives another hex, and that the machine is off its edge.
    """
    posts = [post for step in scenario.log if step.what == "deploy" for post in step.result]
    here = f"{machine.id} {scenario.arena.field.name(machine.cell)}"
    elsewhere = here not in posts and any(post.startswith(f"{machine.id} ") for post in posts)
    off = scenario.squads[side].edge not in _edges(scenario.arena, machine.cell)
    return elsewhere, off and not scenario.fixed


@rule("deploy.edge")
def on_edge(scenario: Scenario) -> Iterator[Fault]:
    for side, squad in () if scenario.fixed else scenario.squads.items():
        for machine in squad.machines:
            edges = _edges(scenario.arena, machine.cell)
            if squad.edge not in edges:
                yield _misplaced(scenario, side, machine, "off" if edges else "inside", edge=edge_name(squad.edge))


def _edges(arena: Arena, cell: Numbered) -> list[ground.Edge]:
    """Return the edges of the arena on which a hex is."""
    outermost = {
        "N": cell.r == 1,
        "E": cell.c == arena.field.columns,
        "S": cell.r == arena.field.rows,
        "W": cell.c == 1,
    }
    return [edge for edge in EDGES if outermost[edge]]


def _misplaced(scenario: Scenario, side: Side, machine: Machine, reason: str, **values: object) -> Fault:
    """Return the fault of a machine on an illegal hex, with its legal hexes and a corrected row."""
    name, lawful = scenario.arena.field.name, _lawful(scenario, side, machine)
    values |= {"unit": machine.label, "hex": name(machine.cell)}
    return Fault(
        machine.id,
        reason,
        values,
        at=(side, "machines", scenario.squads[side].machines.index(machine), "hex"),
        cells=(name(machine.cell),),
        lawful=tuple(map(name, lawful)),
        suggested_fix=row_text(scenario, replace(machine, cell=lawful[0])) if lawful else "",
    )


def _lawful(scenario: Scenario, side: Side, machine: Machine) -> list[Numbered]:
    """Return the legal hexes of a machine, the nearest first.

    In a prescribed set-up, only the hexes at the smallest distance are listed.
    """
    taken = {other.cell for _, other in scenario.machines if other is not machine}
    squad, arena = scenario.squads[side], scenario.arena
    cells = [
        cell
        for cell in arena.open_cells
        if cell not in taken and (scenario.fixed or squad.edge in _edges(arena, cell))
    ]
    posts = [post for step in scenario.log if step.what == "deploy" for post in step.result]
    start, name = machine.cell, arena.field.name

    def far(cell: Numbered) -> tuple[bool, int, int, Numbered]:
        # A hex that the log gives comes first. Among equally near hexes, those in the same column or row come first,
        # because a typo usually changes only one character.
        untold = f"{machine.id} {name(cell)}" not in posts
        return untold, distance(cell, start), (cell.c != start.c) + (cell.r != start.r), cell

    cells.sort(key=far)
    if not scenario.fixed:
        return cells
    return [cell for cell in cells if distance(cell, start) == distance(cells[0], start)]


@rule("deploy.opposite")
def opposite(scenario: Scenario) -> Iterator[Fault]:
    first, second = (scenario.squads[side].edge for side in SIDES)
    if ACROSS[second] != first:
        values = {"first": edge_name(first), "second": edge_name(second)}
        yield Fault("first", "other", values, at=("first", "edge"), suggested_fix=f'edge = "{ACROSS[second]}"')


@rule("deploy.offered")
def offered(scenario: Scenario) -> Iterator[Fault]:
    edges = scenario.arena.edges
    for side in () if scenario.fixed else SIDES:
        edge = scenario.squads[side].edge
        # If the squads start from edges that are not opposite, the second player's edge determines the other one.
        if edge not in edges and (side == "second" or ACROSS[edge] != scenario.squads["second"].edge):
            values = {"edge": edge_name(edge), "edges": joined(list(map(edge_name, edges)))}
            suggested_fix = f'edge = "{edges[0] if side == "second" else ACROSS[edges[0]]}"' if edges else ""
            yield Fault(side, "barred", values, at=(side, "edge"), suggested_fix=suggested_fix)


@rule("deploy.order")
def order(scenario: Scenario) -> Iterator[Fault]:
    logged = {step.who: number for number, step in reversed([*enumerate(scenario.log)]) if step.what == "deploy"}
    missing = [side for side in SIDES if side not in logged]
    if scenario.fixed:
        return
    # A set-up that has other faults is not suggested.
    astray = any(True for test in (open_hex, alone, on_edge, opposite) for _ in test(scenario))
    untold = [] if astray else [step_text(set_up(scenario, side)) for side in ("second", "first") if side in missing]
    if len(missing) == len(SIDES):
        yield Fault("log", "untold", unproved=True, suggested_fix="\n\n".join(untold))
    elif missing:
        yield Fault("log", "missing", {"side": side_name(missing[0])}, unproved=True, suggested_fix="".join(untold))
    elif logged["first"] < logged["second"]:
        yield Fault(f"log {logged['first'] + 1}", "late", at=("log", logged["first"]))


@rule("first.dice")
def rolled(scenario: Scenario) -> Iterator[Fault]:
    rolls = [(number, step.result) for number, step in enumerate(scenario.log) if step.what == "dice"]
    player = scenario.squads["first"].player
    if not rolls:
        if not any(step.what == "first" for step in scenario.log):
            yield Fault("log", "missing", unproved=True, suggested_fix=step_text(Step("first", player, "", ())))
        return
    faces = [str(face) for face in dice().faces]
    for number, result in rolls:
        if len(result) != len(PLAYERS) or not all(face in faces for face in result):
            yield Fault(f"log {number + 1}", "sound", {"dice": " ".join(result)}, at=("log", number, "result"))
            return
    *ties, (number, result) = rolls
    for early, roll in ties:
        if len(set(roll)) > 1:
            yield Fault(f"log {early + 1}", "again", {"dice": " ".join(roll)}, at=("log", early, "result"))
    if len(set(result)) == 1:
        yield Fault(f"log {number + 1}", "tie", at=("log", number, "result"))
        return
    higher = PLAYERS[result.index(max(result))]
    if higher != player:
        values = {"higher": higher, "player": player}
        yield Fault("first", "other", values, at=("first", "player"), suggested_fix=f'player = "{higher}"')


@rule("play.turns")
def turns(scenario: Scenario) -> Iterator[Fault]:
    if scenario.turns < 1:
        yield Fault("play", "none", at=("play", "turns"), suggested_fix=f"turns = {numbers().turns.usual}")


@rule("play.longest")
def longest(scenario: Scenario) -> Iterator[Fault]:
    max_turns = numbers().turns.maximum
    if scenario.turns > max_turns:
        values = {"n": scenario.turns, "most": max_turns}
        yield Fault("play", "many", values, at=("play", "turns"), suggested_fix=f"turns = {max_turns}")


@rule("draw.log")
def log(scenario: Scenario) -> Iterator[Fault]:
    house = house_arenas().get(scenario.arena_name)
    arena = scenario.arena_name if not house or house.ground == scenario.arena else ""
    true_steps: set[tuple[str, str | None, tuple[str, ...]]] = {
        ("arena", None, (arena,)),
        ("points", None, (str(scenario.points),)),
        ("first", scenario.squads["first"].player, ()),
        ("edge", "second", (scenario.squads["second"].edge,)),
    }
    for side, squad in scenario.squads.items():
        true_steps.add(("squad", squad.player, tuple(machine.kind for machine in squad.machines)))
        true_steps.add(set_up(scenario, side).evidence)
    known = words()["step"] | fair_steps()
    moved = {number: _moved(scenario, step) for number, step in enumerate(scenario.log, 1)}
    # Dice determine only the first player, which the rule `first.dice` checks.
    for fault in false_steps(
        scenario.log,
        known,
        true_steps | fair_evidence(scenario.log),
        describe=lambda step: _step_words(scenario, step),
        apart=("dice",),
        loose=("deploy", "squad"),
    ):
        yield from moved[int(fault.where.split()[1])] or [fault]


def _moved(scenario: Scenario, step: Step) -> list[Fault]:
    """Return a fault for each machine of a side that has another hex in the log, if the log lists all of them."""
    logged = dict(post.split(" ") for post in step.result if post.count(" ") == 1) if step.what == "deploy" else {}
    side = next((side for side in SIDES if side == step.who), None)
    machines = scenario.squads[side].machines if side else ()
    if side is None or {machine.id for machine in machines} != set(logged):
        return []
    field, found = scenario.arena.field, []
    for i, machine in enumerate(machines):
        there = field.find(logged[machine.id])
        if there is not None and there != machine.cell:
            here = field.name(machine.cell)
            values = {"unit": machine.label, "hex": here, "logged": logged[machine.id]}
            suggested_fix, at = row_text(scenario, replace(machine, cell=there)), (side, "machines", i, "hex")
            lawful = (logged[machine.id],)
            found.append(
                Fault(machine.id, "moved", values, at=at, cells=(here,), lawful=lawful, suggested_fix=suggested_fix)
            )
    return found


def _step_words(scenario: Scenario, step: Step) -> Words:
    """Describe a step, including its player."""
    texts, kinds = words(), scenario.pack.machines
    names = {kind: of.name for kind, of in kinds.items()} if step.what == "squad" else {}
    names |= texts["edge"] if step.what == "edge" else {}
    text = step_words(step, texts["step"] | fair_steps(), lambda part: names.get(part, same(part)))
    who = side_name(step.who) if step.who in SIDES else same(step.who or "")
    return texts["log"]["of"].fill(who=who, step=text) if step.who else text


def _of_arena(test: Callable[[Arena], Iterable[Fault]]) -> Callable[[Scenario], Iterator[Fault]]:
    """Return a rule of arenas as a rule of battles, limited to faults that matter in the battle.

    In a prescribed set-up, edges are not checked. Otherwise, only the edges where squads start are checked.
    """

    def faults(scenario: Scenario) -> Iterator[Fault]:
        used = () if scenario.fixed else {scenario.squads[side].edge for side in SIDES}
        for fault in test(scenario.arena):
            if fault.where in used or fault.where not in EDGES:
                yield msgspec.structs.replace(fault, at=("arena", "buildings"))

    return faults


@cache
def rules() -> tuple[Rule[Scenario], ...]:
    """Return the rules of the arena and of the squads."""
    arena = (Rule(of.text, _of_arena(of.test)) for of in ground.arena_rules())
    return (*arena, *ruleset(rule))
