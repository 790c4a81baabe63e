"""Compare the reported prospects of a duel with a count of every roll, for random machines in arenas.

Charts are read from the shipped TOML file. Dice, distances and lines are computed here independently. Orders are
tested elsewhere.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from msgspec.structs import replace
from msgspec.structs import replace as changed

from generator.games.battling.ground import house_arenas
from generator.games.battling.play import Position, Standing, opening
from generator.games.battling.prospects import Duel, HexValue
from generator.grid.columns import Numbered
from generator.store.folders import shipped_path
from tests.games.battling.fields import scenario
from tests.sight.silhouette_oracle import blocked_at

FACES = range(1, 7)
HEXES = 12
"""Number of additional hexes on which each machine's value is compared with the oracle."""


@cache
def charts() -> dict[str, Any]:
    """Return the house charts as TOML data."""
    return tomllib.loads((shipped_path("data") / "battling" / "machines.toml").read_text("utf-8"))


def machine(kind: str) -> dict[str, Any]:
    """Return the data of a kind of machine."""
    return next(row for row in charts()["machine"] if row["id"] == kind)


def random_position(number: int) -> Position:
    """Return random machines in a house arena, each with a random previous action and random hit points."""
    dice = random.Random(f"scattered {number}")
    arenas = house_arenas()
    arena = arenas[dice.choice(sorted(arenas))].ground
    middle = dice.choice(arena.open_cells)
    near = [cell for cell in arena.open_cells if hex_distance(middle, cell) <= dice.choice([2, 5, 9])]
    count = min(6, len(near) // 2)
    cells = iter(dice.sample(near, 2 * count))
    kinds = [row["id"] for row in charts()["machine"]]

    def squad() -> str:
        return ", ".join(f"{dice.choice(kinds)} {arena.field.name(next(cells))}" for _ in range(count))

    begun = opening(scenario(arena, squad(), squad()))
    machines = {
        name: changed(of, last=dice.choice(["", "W", "R", "F", "B", "D"]), hp=dice.choice([0, 1, 2, 3]))
        for name, of in begun.machines.items()
    }
    return replace(begun, machines=machines, strict=dice.random() < 0.5)


def hex_distance(a: Numbered, b: Numbered) -> int:
    """Return the distance between two hexes in steps. Each step to an adjacent column also moves half a row."""
    columns = abs(a.c - b.c)
    halves = abs((2 * a.r - a.c % 2) - (2 * b.r - b.c % 2))
    return columns + max(0, halves - columns) // 2


def shot(shooter: str, target: str, far: int, last: str) -> tuple[Fraction, Fraction]:
    """Return the chance to hit and the chance to remove a hit point, over all 36 rolls."""
    row = machine(shooter)["shooting"]
    number = row[far - 1] if far <= len(row) else 0
    rolls = [(hit + (last in ("R", "D")) <= number, die) for hit, die in product(FACES, FACES)] if number else []
    armour = 1 if target == "standing_tortoise" else 0
    power = machine(shooter)["damage"][target]
    return (
        Fraction(sum(hit for hit, _ in rolls), 36),
        Fraction(sum(hit and die + armour <= power for hit, die in rolls), 36),
    )


def battling_odds(attacker: str, target: str, last: str) -> tuple[Fraction, Fraction]:
    """Return the chances that battling costs the target and the attacker a hit point, over all six faces."""
    row = charts()["results"][str(machine(attacker)["battling"][target])]
    results = [row[min(6, die + (last == "D")) - 1] for die in FACES]
    return Fraction(sum(r in ("D", "EX") for r in results), 6), Fraction(sum(r in ("A", "EX") for r in results), 6)


def sees(position: Position, a: Numbered, b: Numbered) -> bool:
    """Return whether the line between two hexes is free of buildings."""
    arena = position.arena
    return blocked_at(arena.point(a), arena.point(b), arena.silhouettes) is None


def hex_value(position: Position, unit: Standing, cell: Numbered, last: str) -> tuple[Fraction, Fraction, int]:
    """Return the mean damage a machine deals and receives on a hex, and how many enemies can shoot at the machine."""
    deals, takes, shooters = Fraction(), Fraction(), 0
    for enemy in position.machines.values():
        if enemy.side == unit.side or not enemy.hp or not sees(position, cell, enemy.cell):
            continue
        far = hex_distance(cell, enemy.cell)
        deals = max(deals, shot(unit.kind, enemy.kind, far, enemy.last)[1])
        takes += shot(enemy.kind, unit.kind, far, last)[1]
        row = machine(enemy.kind)["shooting"]
        shooters += far <= len(row) and row[far - 1] > 0
    return deals, takes, shooters


def prospect_differences(position: Position, seed: object) -> Iterator[str]:
    """Yield a description of each reported prospect that differs from the oracle's result."""
    duel, name, dice = Duel(position), position.arena.field.name, random.Random(f"hexes {seed}")
    for unit in duel.machines:
        everywhere = {of.cell: of for of in duel.all_hex_values(unit)}
        taken = {m.cell for m in position.machines.values() if m.hp and m.id != unit.id}
        if everywhere.keys() != set(position.arena.open_cells) - taken:
            yield f"{unit.id}: hexes are amiss"
        args: list[tuple[HexValue, str]] = [(of, letter) for (letter, _), of in duel.reach(unit).items()]
        args += [(of, "") for of in dice.sample(list(everywhere.values()), min(HEXES, len(everywhere)))]
        for of, last in args:
            if (of.deals, of.takes, of.shooters) != (wanted := hex_value(position, unit, of.cell, last)):
                yield f"{unit.id} on {name(of.cell)} by {last}: {of}, and should be {wanted}"
        enemies = [m for m in position.machines.values() if m.side != unit.side and m.hp]
        aims = {aim.enemy.id: (aim.hits, aim.hurts) for aim in duel.shots(unit)}
        shots = {}
        for enemy in enemies:
            far, row = hex_distance(unit.cell, enemy.cell), machine(unit.kind)["shooting"]
            if far <= len(row) and row[far - 1] and sees(position, unit.cell, enemy.cell):
                shots[enemy.id] = shot(unit.kind, enemy.kind, far, enemy.last)
        if aims != shots:
            yield f"{unit.id} shoots {aims}, and should {shots}"
        for bout in duel.battling_attacks(unit):
            found = bout.odds.hurts, bout.odds.costs
            near = hex_distance(bout.start, bout.enemy.cell) == 1 and hex_distance(unit.cell, bout.start) <= 1
            if (near, found) != (True, battling_odds(unit.kind, bout.enemy.kind, bout.enemy.last)):
                yield f"{unit.id} battles {bout.enemy.id} from {name(bout.start)}: {found}"
