"""The reference page: orders and replies as they are written, the charts in play, odds, and the rulings used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from generator.games.battling.forces.charts import dice
from generator.games.battling.forces.machines import MachineKind, Pack
from generator.games.battling.numbers import play
from generator.games.battling.pages.mapsheet import token
from generator.games.battling.pages.oddsheet import clash_odds, shot_odds
from generator.games.battling.pages.records import key
from generator.games.battling.pages.sheetfile import sheet_file
from generator.games.battling.pages.telling import charts_called
from generator.games.battling.play.orders import Action, actions
from generator.games.battling.play.position import STRICT
from generator.games.battling.scenario import SIDES, Scenario
from generator.games.battling.wishes import switches
from generator.games.readings import readings, settled, told
from generator.games.rulings import defaults
from generator.games.whose import is_owners
from generator.games.words import words
from generator.model.views import Figure, Sheet

NO = "–"
FEW, NEAR = 7, 20
"""As many machines and distances as one page has room for; an owner's charts may have more."""


def reference_sheet(pack: Pack, scenario: Scenario | None = None) -> Sheet:
    """One page to play by: any battle with these charts, or one with its machines and rulings."""
    here = {machine.kind for _, machine in scenario.machines} if scenario else set(pack.machines)
    kinds = [kind for kind in pack.machines.values() if kind.id in here]
    rulings = scenario.rulings if scenario else defaults(switches())
    turns = scenario.turns if scenario else play().turns.usual
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
            "rulings": told([*settled(switches(), rulings), *fixed]),
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
