"""The odds of the reference page: every shot there is comes down to two numbers, battling to a difference."""

from __future__ import annotations

from generator.games.battling.forces.charts import Clash, Shot, dice
from generator.games.battling.forces.machines import Pack
from generator.games.chances import percent
from generator.games.words import words


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
