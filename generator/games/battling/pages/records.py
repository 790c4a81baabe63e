"""Record sheets: a block for each machine, with a line for each turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from generator.games.battling.forces.charts import dice
from generator.games.battling.forces.machines import MachineKind
from generator.games.battling.numbers import play
from generator.games.battling.pages.mapsheet import token
from generator.games.battling.pages.sheetfile import sheet_file
from generator.games.battling.play.orders import actions, side_name
from generator.games.battling.scenario import SIDES, Machine, Scenario, Side
from generator.games.words import words
from generator.model.views import Figure, Sheet
from generator.model.words import Words

TALL, TALLEST = 6.0, 11.0
"""The height of a line to write on, in mm, and how high lines grow where machines are few."""
ROOM, HEAD = 195.0, 16.0
"""The height that a page has for machines, and what of it the head of each takes, in mm."""


def record_sheet(scenario: Scenario, side: Side) -> Sheet:
    """A squad's record sheet: hit points, and for each turn the order, what was the last action, and the replies."""
    say, squad, kinds = words("battling")["record"], scenario.squads[side], scenario.pack.machines
    figures: Mapping[str, Figure] = {m.id: token(side, kinds[m.kind], m.id[1:]) for m in squad.machines}
    columns = 1 if len(squad.machines) <= sheet_file().across else 2
    blocks = -(-len(squad.machines) // columns)
    return Sheet(
        part="records",
        title=say["title"],
        template="battling/record.xml",
        view={
            "blocks": [_block(scenario, machine) for machine in squad.machines],
            "columns": columns,
            "turns": scenario.turns,
            "letters": letters(),
            "key": key(kinds[name] for name in dict.fromkeys(m.kind for m in squad.machines)),
            "order": say["order_first" if side == "first" else "order_second"],
            "tall": _tall(blocks, scenario.turns),
        },
        figures=figures,
        side=side_name(side),
        pages=blocks,
    )


def _tall(blocks: int, turns: int) -> float:
    """The height of a line where so many machines stand below one another."""
    return round(max(TALL, min(TALLEST, (ROOM / blocks - HEAD) / turns)), 1)


def blank_sheet(*, half: bool = False) -> Sheet:
    """A squad's record sheet to fill in by hand; half sheets have one machine each, two on a page."""
    say = words("battling")
    return Sheet(
        part="sheets",
        title=say["blank"]["squad"],
        template="battling/blank.xml",
        view={
            "half": half,
            "machines": 1 if half else sheet_file().blank,
            "sides": [say["cover"][side] for side in SIDES],
            "turns": play().turns.usual,
            "letters": letters(),
            "key": key(),
        },
    )


def letters() -> list[dict[str, object]]:
    """The actions, to circle the last one; `changes` marks those that change an enemy's dice."""
    change = {modifier.last for modifier in dice().modifier}
    return [{"id": letter, "changes": letter in change} for letter in actions()]


def key(kinds: Iterable[MachineKind] = ()) -> list[Words]:
    """What changes the dice: the last action, and the armour of these machines."""
    lines = [modifier.text.fill(die=f"{modifier.die:+}") for modifier in dice().modifier]
    armoured = (kind for kind in kinds if kind.armour)
    return [*lines, *(dice().armour.text.fill(machine=k.name, die=f"{k.armour:+}") for k in armoured)]


def _block(scenario: Scenario, machine: Machine) -> dict[str, object]:
    say, kind = words("battling")["record"], scenario.pack.machines[machine.kind]
    return {
        "id": machine.id,
        "head": say["head"].fill(id=machine.id, name=kind.name),
        "start": say["start"].fill(hex=scenario.arena.field.name(machine.cell)),
        "hp": machine.hp,
    }
