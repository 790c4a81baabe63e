"""What makes a battle legal: its dice and its log.

The dice of the set-up: the log is the evidence, and a file without it is not illegal but unproved.

What the log tells must be what the scenario shows, for the log is printed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from generator.common.scenario_file import Step, false_steps
from generator.common.search import fair_evidence, fair_steps
from generator.common.tables import RuleBook, words
from generator.errors import WrongUsageError
from generator.games.travel_battle.campaign import crossing_of
from generator.games.travel_battle.ground import SIZE
from generator.games.travel_battle.model import CROSSING, OTHER, SIDES, WHOLE, Placed, Scenario, Side
from generator.games.travel_battle.tables import DIE, numbers, side_name
from generator.grid.squares import Square
from generator.rules import Fault

rule = RuleBook("travel_battle/rules.toml")

ROLLS = ("side_dice", "placer_dice", "mover_dice")
"""Steps that tell a die of each player, Blue's first."""
TURNS = ("turn", "turn_free")
"""Steps that tell of a board, by its near left square, and its die."""
EVIDENCE = (*ROLLS, *TURNS)
FACES = tuple(str(face) for face in range(1, DIE + 1))


@rule("setup.dice")
def sound(scenario: Scenario) -> Iterator[Fault]:
    for number, step in enumerate(scenario.log, 1):
        if step.what not in EVIDENCE:
            continue
        faces = _faces(step)
        if faces is None:
            yield Fault(f"log {number}", "count", {"step": number})
        else:
            wrong = (face for face in faces if face not in FACES)
            yield from (Fault(f"log {number}", "face", {"step": number, "face": face}) for face in wrong)


@rule("setup.side")
def side(scenario: Scenario) -> Iterator[Fault]:
    # Boards of a campaign lie as on its map, which log.true proves, and nobody chose those of a whole.
    if scenario.battlefield.whole:
        yield from _idle(scenario, ("side_dice",))
    if scenario.battlefield.whole or _crossed(scenario):
        return
    chosen = next((step.who for step in scenario.log if step.what == "side"), None)
    for fault in _roll(scenario, "side_dice", chosen):
        yield Fault(fault.where, "nobody", fault.values) if fault.reason == "other" and chosen is None else fault


@rule("setup.placer")
def placer(scenario: Scenario) -> Iterator[Fault]:
    return _roll(scenario, "placer_dice", scenario.first_placer)


@rule("setup.mover")
def mover(scenario: Scenario) -> Iterator[Fault]:
    return _roll(scenario, "mover_dice", scenario.first_mover)


@rule("setup.turn")
def turned(scenario: Scenario) -> Iterator[Fault]:
    # Boards of a campaign lie as on its map, which log.true proves, and nobody turns those of a whole.
    if scenario.battlefield.whole:
        yield from _idle(scenario, TURNS)
    if scenario.battlefield.whole or _crossed(scenario):
        return
    boards = _placed(scenario)
    seen: list[str] = []
    for number, step in enumerate(scenario.log, 1):
        if step.what in TURNS and _sound(step):
            at, die = step.result
            values = {"at": at, "die": die, "player": side_name(step.who)}
            faults = _turn(boards.get(at), step, int(die)) if at not in seen else ["twice"]
            edge = boards[at].faced if at in boards else ""
            yield from (Fault(f"log {number}", reason, values | {"edge": edge}) for reason in faults)
            seen.append(at)
        elif step.what in TURNS:
            seen += step.result[:1]
    yield from (Fault(at, "unproved", {"at": at}, unproved=True) for at in boards if at not in seen)
    free = {step.result[0] for step in scenario.log if step.what == "turn_free" and step.result}
    free -= {step.result[0] for step in scenario.log if step.what == "edge" and step.result}
    yield from (Fault(at, "unchosen", {"at": at}, unproved=True) for at in boards if at in free)


def _idle(scenario: Scenario, dice: tuple[str, ...]) -> Iterator[Fault]:
    """Dice that a whole leaves nothing to decide."""
    return (Fault(f"log {number}", "whole") for number, step in enumerate(scenario.log, 1) if step.what in dice)


def _crossed(scenario: Scenario) -> bool:
    return any(step.what == CROSSING for step in scenario.log)


def _turn(placed: Placed | None, step: Step, die: int) -> Iterator[str]:
    """The reasons for which one board does not lie as its die has it."""
    if placed is None:
        yield "nowhere"
        return
    if step.who != placed.owner:
        yield "owner"
    free = die > numbers().turned
    if free != (step.what == "turn_free"):
        yield "free" if free else "bound"
    elif not free and placed.faced != die:
        yield "other"


def _roll(scenario: Scenario, what: str, chosen: str | None) -> Iterator[Fault]:
    """A die each, ties thrown again: the one who throws higher must be the one who was chosen."""
    steps = [step for step in scenario.log if step.what == what]
    if not steps:
        yield Fault("log", "unproved", unproved=True)
    if not steps or not all(map(_sound, steps)):
        return
    winners = [_higher(step) for step in steps]
    for winner in winners[:-1]:
        if winner:
            yield Fault("log", "again", {"player": side_name(winner)})
    last = winners[-1]
    if last is None:
        yield Fault("log", "tie")
    elif last != chosen:
        yield Fault("log", "other", {"player": side_name(last), "other": side_name(chosen)})


def _higher(step: Step) -> Side | None:
    """Who threw higher; None for a tie."""
    dice = list(map(int, step.result))
    return None if dice[0] == dice[1] else SIDES[dice.index(max(dice))]


def _sound(step: Step) -> bool:
    return all(face in FACES for face in _faces(step) or ("",))


def _faces(step: Step) -> tuple[str, ...] | None:
    """The dice that a step tells; None where it does not tell as many as it takes."""
    if len(step.result) != 2:
        return None
    return step.result if step.what in ROLLS else step.result[1:]


def _placed(scenario: Scenario) -> dict[str, Placed]:
    """The boards by their near left squares."""
    name = scenario.battlefield.land.field.name
    return {
        name(Square(SIZE * c, SIZE * r)): placed
        for r, row in enumerate(scenario.boards)
        for c, placed in enumerate(row)
    }


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
"""The steps of the set-up, stage by stage."""
STAGES = {what: stage for stage, steps in enumerate(ORDER) for what in steps}

Shown = tuple[str, str | None, tuple[str, ...]]
"""A step, whose it is, and its result."""


@rule("log.true")
def true(scenario: Scenario) -> Iterator[Fault]:
    # Dice, which nothing else in the scenario shows, are for rules of their own.
    told = (step for step in scenario.log if step.what not in EVIDENCE)
    numbers = [n for n, step in enumerate(scenario.log, 1) if step.what not in EVIDENCE]
    known, shown = words("travel_battle")["step"] | fair_steps(), {*_shown(scenario), *fair_evidence(scenario.log)}
    for fault in false_steps(told, known, shown):
        yield Fault(f"log {numbers[int(fault.where.split()[1]) - 1]}", fault.reason, fault.values)


def _shown(scenario: Scenario) -> Iterator[Shown]:
    """Every step that the scenario bears out."""
    name, of = scenario.battlefield.land.field.name, scenario.objective
    yield from _boards(scenario)
    yield "placer", scenario.first_placer, ()
    yield "mover", scenario.first_mover, ()
    yield "objective", of.player, (of.kind, *map(name, of.cells), *of.units)
    for player, army in scenario.armies.items():
        shares = [Counter(unit.kind.id for unit in brigade.fighters) for brigade in army.brigades]
        yield "split", player, tuple(_told(scenario, share) for share in shares)
        for id_, preset in scenario.roster.presets.items():
            wanted = [+Counter(share) for share in preset.brigades]
            if shares and shares == wanted * (len(shares) // len(wanted)):
                yield "preset", player, (id_,)
        for brigade in army.brigades:
            yield "place", player, tuple(f"{unit.id} {name(unit.cell)}" for unit in brigade.units if unit.cell)


def _boards(scenario: Scenario) -> Iterator[Shown]:
    """Whose boards lie where, and which way; a whole's are nobody's choice."""
    if scenario.battlefield.whole:
        yield WHOLE, None, ()
        return
    name = scenario.battlefield.land.field.name
    yield from _crossing(scenario)
    left = scenario.boards[0][0].owner
    yield "side", left, ("left",)
    yield "side", OTHER[left], ("right",)
    for r, row in enumerate(scenario.boards):
        for c, placed in enumerate(row):
            yield "board", placed.owner, (placed.name,)
            yield "edge", placed.owner, (name(Square(SIZE * c, SIZE * r)), str(placed.faced))


def _crossing(scenario: Scenario) -> Iterator[Shown]:
    """That two boards are neighbours of a campaign and lie as on its map, told by the log or not."""
    placed = scenario.boards[0]
    told = next((step.result for step in scenario.log if step.what == CROSSING), ())
    if told != tuple(board.name for board in placed) or len(placed) != len(SIDES) or len(scenario.boards) > 1:
        return
    try:
        crossing = crossing_of(*told)
    except WrongUsageError:
        return
    if crossing and (crossing.left.laid, crossing.right.laid) == tuple(board.laid for board in placed):
        yield CROSSING, None, told


def _told(scenario: Scenario, share: Counter[str]) -> str:
    """A brigade's units in the order of the army's file."""
    return ", ".join(f"{share[kind.id]} {kind.id}" for kind in scenario.roster.fighters if share[kind.id])


@rule("log.order")
def in_order(scenario: Scenario) -> Iterator[Fault]:
    # A step is held against the one before it, so that one out of place is told once.
    before, last, boards = "", 0, 0
    for number, step in enumerate(scenario.log, 1):
        stage = STAGES.get(step.what)
        if stage is None:
            continue
        if step.what == "board":
            boards += 1
            # In club games the boards beyond each player's first are chosen when the sides are known.
            stage = stage if boards <= len(SIDES) else min(last, STAGES["side"])
        if stage < last:
            yield Fault(f"log {number}", "late", {"step": step.what, "before": before})
        before, last = step.what, stage
