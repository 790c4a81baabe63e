"""The dice of the set-up: the log is the evidence, and a file without it is not illegal but unproved."""

from __future__ import annotations

from collections.abc import Iterator

from generator.games.logs import Step
from generator.games.ruleset import RuleBook
from generator.games.travel_battle.ground.board import SIZE
from generator.games.travel_battle.numbers import play
from generator.games.travel_battle.play.tables import DIE
from generator.games.travel_battle.rules.names import player_name
from generator.games.travel_battle.scenario import CROSSING, PLAYERS, Placed, Player, Scenario
from generator.grid.squares import Square
from generator.rules.rule import Fault

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
    boards = _boards(scenario)
    seen: list[str] = []
    for number, step in enumerate(scenario.log, 1):
        if step.what in TURNS and _sound(step):
            at, die = step.result
            values = {"at": at, "die": die, "player": player_name(step.who)}
            faults = _turn(boards.get(at), step, int(die)) if at not in seen else ["twice"]
            edge = boards[at].faced if at in boards else ""
            yield from (Fault(f"log {number}", reason, values | {"edge": edge}) for reason in faults)
            seen.append(at)
        elif step.what in TURNS:
            seen += step.result[:1]
    yield from (Fault(at, "unproved", {"at": at}, "unproved") for at in boards if at not in seen)
    free = {step.result[0] for step in scenario.log if step.what == "turn_free" and step.result}
    free -= {step.result[0] for step in scenario.log if step.what == "edge" and step.result}
    yield from (Fault(at, "unchosen", {"at": at}, "unproved") for at in boards if at in free)


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
    free = die > play().turned
    if free != (step.what == "turn_free"):
        yield "free" if free else "bound"
    elif not free and placed.faced != die:
        yield "other"


def _roll(scenario: Scenario, what: str, chosen: str | None) -> Iterator[Fault]:
    """A die each, ties thrown again: the one who throws higher must be the one who was chosen."""
    steps = [step for step in scenario.log if step.what == what]
    if not steps:
        yield Fault("log", "unproved", {}, "unproved")
    if not steps or not all(map(_sound, steps)):
        return
    winners = [_higher(step) for step in steps]
    for winner in winners[:-1]:
        if winner:
            yield Fault("log", "again", {"player": player_name(winner)})
    last = winners[-1]
    if last is None:
        yield Fault("log", "tie")
    elif last != chosen:
        yield Fault("log", "other", {"player": player_name(last), "other": player_name(chosen)})


def _higher(step: Step) -> Player | None:
    """Who threw higher; None for a tie."""
    dice = list(map(int, step.result))
    return None if dice[0] == dice[1] else PLAYERS[dice.index(max(dice))]


def _sound(step: Step) -> bool:
    return all(face in FACES for face in _faces(step) or ("",))


def _faces(step: Step) -> tuple[str, ...] | None:
    """The dice that a step tells; None where it does not tell as many as it takes."""
    if len(step.result) != 2:
        return None
    return step.result if step.what in ROLLS else step.result[1:]


def _boards(scenario: Scenario) -> dict[str, Placed]:
    """The boards by their near left squares."""
    name = scenario.battlefield.land.field.name
    return {
        name(Square(SIZE * c, SIZE * r)): placed
        for r, row in enumerate(scenario.boards)
        for c, placed in enumerate(row)
    }
