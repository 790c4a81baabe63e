"""The charts on a page, and record sheets.

The odds of the reference page: every shot there is comes down to two numbers, battling to a difference.

Record sheets: a block for each machine, with a line for each turn.

The reference page: orders and replies as they are written, the charts in play, odds, and the rulings used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from generator.common.interpretations import Interpretation, defaults, interpretation_rows, readings, settled
from generator.common.tables import percent, words
from generator.common.whose import is_owners
from generator.games.battling.forces import MachineKind, Pack, charts_called
from generator.games.battling.maps import sheet_file, token
from generator.games.battling.model import SIDES, Action, Machine, Scenario, Side, side_name
from generator.games.battling.play import STRICT, actions
from generator.games.battling.tables import Clash, Shot, dice, numbers, switches
from generator.model.views import Figure, Sheet
from generator.model.words import Words


def shot_odds() -> dict[str, object]:
    """The chance that a shot costs a hit point: a row for each hit number, a column for each power."""
    numbers = range(1, dice().die + 1)
    rows = [
        {
            "number": number,
            "hits": percent(Shot(number, 0).hits),
            "cells": [_hurts(number, power) for power in numbers],
        }
        for number in numbers
    ]
    return {"powers": list(numbers), "rows": rows}


def _hurts(number: int, power: int) -> str:
    return percent(Shot(number, power).hurts)


def clash_odds(pack: Pack) -> dict[str, object]:
    """For each difference the result of each face, and the chances of the results, plain and with each change."""
    say = words("battling")["odds"]
    changes = sorted({0, *(modifier.die for modifier in dice().modifier if modifier.roll == "battling")})
    rows = []
    for difference, faces in sorted(pack.results.items()):
        groups = [[percent(odds) for odds in Clash(faces, change).odds.values()] for change in changes]
        rows.append({"by": f"{difference:+}" if difference else "0", "faces": faces, "groups": groups})
    heads = [say["guarding"].fill(die=f"{change:+}") if change else say["plain"] for change in changes]
    return {"results": list(dice().effects), "heads": heads, "faces": list(dice().faces), "rows": rows}


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
            "turns": max(scenario.turns, 1),
            "letters": letters(),
            "key": key(kinds[name] for name in dict.fromkeys(m.kind for m in squad.machines)),
            "order": say["order_first" if side == "first" else "order_second"],
            "tall": _tall(blocks, scenario.turns),
        },
        figures=figures,
        side=side_name(side),
        pages=max(blocks, 1),
    )


def _tall(blocks: int, turns: int) -> float:
    """The height of a line where so many machines stand below one another."""
    return round(max(TALL, min(TALLEST, (ROOM / max(blocks, 1) - HEAD) / max(turns, 1))), 1)


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
            "turns": numbers().turns.usual,
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
        "head": say["head"].fill(id=machine.called, name=kind.name),
        "start": say["start"].fill(hex=scenario.arena.field.name(machine.cell)),
        "hp": machine.hp,
    }


NO = "–"
FEW, NEAR = 7, 20
"""As many machines and distances as one page has room for; an owner's charts may have more."""


def reference_sheet(pack: Pack, scenario: Scenario | None = None, told: Iterable[Interpretation] = ()) -> Sheet:
    """One page to play by: any battle with these charts, or one with its machines and rulings, as they are `told`."""
    here = {machine.kind for _, machine in scenario.machines} if scenario else set(pack.machines)
    kinds = [kind for kind in pack.machines.values() if kind.id in here]
    rulings = scenario.rulings if scenario else defaults(switches())
    turns = scenario.turns if scenario else numbers().turns.usual
    fixed = [of for of in readings("battling") if of.under.items() <= rulings.items()]
    figures: dict[str, Figure] = {kind.id: token(SIDES[i % 2], kind) for i, kind in enumerate(kinds)}
    return Sheet(
        part="reference",
        title=words("battling")["reference"]["title"],
        template="battling/reference.xml",
        view={
            "turn": [{"name": line.name, "text": line.text.fill(turns=turns)} for line in sheet_file().turn],
            "actions": [_action(of, strict=rulings.get("dash") == STRICT) for of in actions().values()],
            "replies": [{"name": r.name, "form": r.form, "example": r.example} for r in sheet_file().reply],
            "headers": [{"form": head.form, "text": head.text} for head in sheet_file().header],
            "modifiers": key(kinds),
            "kinds": [{"id": kind.id, "name": kind.name, "hp": kind.hp, "points": kind.points} for kind in kinds],
            "shooting": _shooting(pack, kinds),
            "damage": [{"id": k.id, "name": k.name, "cells": [k.damage[t.id] for t in kinds]} for k in kinds],
            "battling": [{"id": k.id, "name": k.name, "cells": _differences(k, kinds)} for k in kinds],
            "odds": shot_odds(),
            "clash": clash_odds(pack),
            "effects": [{"id": effect.id, "name": effect.name} for effect in dice().effects.values()],
            "many": len(kinds) > FEW,
            "charts": charts_called(pack),
            "house": not is_owners(pack),
            "rulings": interpretation_rows([*(told or settled(switches(), rulings)), *fixed]),
        },
        figures=figures,
        pages=1 if len(kinds) <= FEW and pack.range <= NEAR else 4,
    )


def _action(of: Action, *, strict: bool) -> dict[str, object]:
    form = of.straight or of.form if strict else of.form
    return {"id": of.id, "name": of.name, "form": form, "text": of.text.fill(most=of.most)}


def _shooting(pack: Pack, kinds: Sequence[MachineKind]) -> dict[str, object]:
    """The hit numbers by distance; distances at which nothing changes stand in one column."""

    def numbers(distance: int) -> tuple[int, ...]:
        return tuple(pack.number(kind.id, distance) for kind in kinds)

    spans = [list(group) for _, group in groupby(range(1, pack.range + 1), key=numbers)]
    heads = [str(span[0]) if len(span) == 1 else f"{span[0]}–{span[-1]}" for span in spans]
    rows = [
        {"id": kind.id, "name": kind.name, "cells": [pack.number(kind.id, span[0]) or NO for span in spans]}
        for kind in kinds
    ]
    return {"heads": heads, "rows": rows}


def _differences(kind: MachineKind, kinds: Iterable[MachineKind]) -> list[str]:
    return [f"{kind.battling[target.id]:+}" if kind.battling[target.id] else "0" for target in kinds]
