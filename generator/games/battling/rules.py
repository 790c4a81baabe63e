"""What makes a battle legal, derived from the scenario alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from generator.common.scenario_file import Step, false_steps
from generator.common.search import fair_evidence, fair_steps
from generator.common.tables import RuleBook, ruleset, words
from generator.games.battling import ground
from generator.games.battling.ground import ACROSS, Arena, edge_name, house_arenas
from generator.games.battling.model import PLAYERS, SIDES, Scenario, side_name
from generator.games.battling.tables import dice, numbers
from generator.grid.columns import Numbered
from generator.rules import Fault, Rule

rule = RuleBook("battling/rules.toml")


@rule("squad.points")
def even(scenario: Scenario) -> Iterator[Fault]:
    for side, squad in scenario.squads.items():
        have = sum(scenario.pack.machines[machine.kind].points for machine in squad.machines)
        if have != scenario.points:
            yield Fault(side, "other", {"side": side_name(side), "have": have, "want": scenario.points})


@rule("squad.size")
def size(scenario: Scenario) -> Iterator[Fault]:
    bounds = numbers().machines
    for side, squad in scenario.squads.items():
        if len(squad.machines) not in bounds:
            values = {"n": len(squad.machines), "least": bounds.least, "most": bounds.most}
            yield Fault(side, "range", {"side": side_name(side), **values})


@rule("squad.players")
def players(scenario: Scenario) -> Iterator[Fault]:
    first, second = (scenario.squads[side].player for side in SIDES)
    if first == second:
        yield Fault("squads", "same", {"player": first})


@rule("deploy.open")
def open_hex(scenario: Scenario) -> Iterator[Fault]:
    for _, machine in scenario.machines:
        if scenario.arena.closed(machine.cell):
            yield Fault(machine.id, "closed", {"unit": machine.id, "hex": scenario.arena.field.name(machine.cell)})


@rule("deploy.stack")
def alone(scenario: Scenario) -> Iterator[Fault]:
    on: dict[Numbered, list[str]] = defaultdict(list)
    for _, machine in scenario.machines:
        on[machine.cell].append(machine.id)
    for cell, ids in on.items():
        if len(ids) > 1:
            yield Fault(scenario.arena.field.name(cell), "stacked", {"units": ", ".join(ids)})


@rule("deploy.edge")
def on_edge(scenario: Scenario) -> Iterator[Fault]:
    field = scenario.arena.field
    outermost = {
        "N": lambda cell: cell.r == 1,
        "E": lambda cell: cell.c == field.columns,
        "S": lambda cell: cell.r == field.rows,
        "W": lambda cell: cell.c == 1,
    }
    for squad in scenario.squads.values():
        for machine in squad.machines:
            if not outermost[squad.edge](machine.cell):
                values = {"unit": machine.id, "hex": field.name(machine.cell), "edge": edge_name(squad.edge)}
                yield Fault(machine.id, "off", values)


@rule("deploy.opposite")
def opposite(scenario: Scenario) -> Iterator[Fault]:
    first, second = (scenario.squads[side].edge for side in SIDES)
    if ACROSS[second] != first:
        yield Fault("edges", "other", {"first": edge_name(first), "second": edge_name(second)})
    elif second not in scenario.arena.edges:
        yield Fault("edges", "barred", {"edge": edge_name(second)})


@rule("deploy.order")
def order(scenario: Scenario) -> Iterator[Fault]:
    told = [step.who for step in scenario.log if step.what == "deploy"]
    missing = [side for side in SIDES if side not in told]
    for side in missing:
        yield Fault("log", "missing", {"side": side_name(side)}, unproved=True)
    if not missing and told.index("first") < told.index("second"):
        yield Fault("log", "late")


@rule("first.dice")
def rolled(scenario: Scenario) -> Iterator[Fault]:
    rolls = [step for step in scenario.log if step.what == "dice"]
    if not rolls:
        if not any(step.what == "first" for step in scenario.log):
            yield Fault("log", "missing", unproved=True)
        return
    faces = [str(face) for face in dice().faces]
    for step in rolls:
        if len(step.result) != len(PLAYERS) or not all(face in faces for face in step.result):
            yield Fault("log", "sound", {"told": " ".join(step.result)})
            return
    *ties, last = [tuple(map(int, step.result)) for step in rolls]
    for roll in ties:
        if len(set(roll)) > 1:
            yield Fault("log", "again", {"told": " ".join(map(str, roll))})
    if len(set(last)) == 1:
        yield Fault("log", "tie")
        return
    higher, player = PLAYERS[last.index(max(last))], scenario.squads["first"].player
    if higher != player:
        yield Fault("log", "other", {"higher": higher, "player": player})


@rule("play.turns")
def turns(scenario: Scenario) -> Iterator[Fault]:
    bounds = numbers().turns
    if scenario.turns not in bounds:
        yield Fault("play", "range", {"n": scenario.turns, "least": bounds.least, "most": bounds.most})


@rule("draw.log")
def log(scenario: Scenario) -> Iterator[Fault]:
    name = scenario.arena.field.name
    house = house_arenas().get(scenario.arena_name)
    arena = scenario.arena_name if not house or house.arena == scenario.arena else ""
    shown: set[tuple[str, str | None, tuple[str, ...]]] = {
        ("arena", None, (arena,)),
        ("points", None, (str(scenario.points),)),
        ("first", scenario.squads["first"].player, ()),
        ("edge", "second", (scenario.squads["second"].edge,)),
    }
    for side, squad in scenario.squads.items():
        shown.add(("squad", squad.player, tuple(machine.kind for machine in squad.machines)))
        shown.add(("deploy", side, tuple(f"{machine.id} {name(machine.cell)}" for machine in squad.machines)))
    # Dice show nothing but who is first, which is for `first.dice`.
    steps: list[Step] = [step for step in scenario.log if step.what != "dice"]
    known = words("battling")["step"] | fair_steps()
    yield from false_steps(steps, known, shown | fair_evidence(scenario.log))


def _of_arena(test: Callable[[Arena], Iterable[Fault]]) -> Callable[[Scenario], Iterable[Fault]]:
    """The test of an arena as one of its battle."""
    return lambda scenario: test(scenario.arena)


@cache
def rules() -> tuple[Rule[Scenario], ...]:
    """The rules of the arena, then those of the squads."""
    arena = (Rule(of.text, _of_arena(of.test)) for of in ground.arena_rules())
    return (*arena, *ruleset(rule))
