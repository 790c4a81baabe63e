"""Compare the reported prospects of guns and melees with a count of every roll, in random battles.

Dice, fields of fire and contacts are computed here independently. Movement is tested elsewhere.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from msgspec.structs import replace

from generator.common.interpretations import rulings
from generator.games.travel_battle.draw import draw
from generator.games.travel_battle.forces import Kind
from generator.games.travel_battle.model import Scenario, Unit
from generator.games.travel_battle.play import moves
from generator.games.travel_battle.prospects import AimedShot, attacks, batteries, exposures
from generator.games.travel_battle.tables import Fight
from generator.grid.squares import Square
from generator.model.scenario import Request
from generator.seeds import code_for
from tests.sight.share_oracle import computed_share, visible_corners

FACES = range(1, 7)
HEIGHT = {"hill": 1, "hilltop": 2}
BARRED = {"cavalry": ("building", "wood"), "artillery": ("wood",), "brigadier": ("wood",), "infantry": ()}
RALLY = {"guard": 3, "line": 4, "heavy": 4, "light": 4, "gun": 5, "brigadier": 0}


def random_scenario(number: int, cells: Sequence[Square] = ()) -> Scenario:
    """Return a generated battle with random squares, formations and rulings, in which some units share a square.

    Blue's units come first. Each unit takes the first of `cells` that its terrain allows. The default is cells in
    the middle.
    """
    dice = random.Random(f"scattered {number}")
    scenario = draw(Request(code_for(number), {}, {}))
    terrain = scenario.battlefield.terrain_map
    free = list(cells)
    if not cells:
        # On a narrow strip many units are in contact.
        free = [
            cell for cell in terrain.field.cells if abs(cell.c - terrain.field.columns // 2) <= dice.choice([3, 5, 9])
        ]
        dice.shuffle(free)
    armies = {}
    for player, army in scenario.armies.items():
        brigades = []
        for brigade in army.brigades:
            units: list[Unit] = []
            for unit in brigade.units:
                last = units[-1] if units else None
                able = last and last.cell and terrain.terrain(last.cell).open and not last.square
                if able and last and last.kind.arm == unit.kind.arm == "infantry" and dice.random() < 0.3:
                    there = sum(other.cell == last.cell for other in units)
                    if there == 1:
                        units.append(replace(unit, cell=last.cell, square=False))
                        continue
                cell = next(c for c in free if terrain.ground[c] not in BARRED[unit.kind.arm])
                free.remove(cell)
                squared = unit.kind.arm == "infantry" and terrain.terrain(cell).open and dice.random() < 0.3
                units.append(replace(unit, cell=cell, square=squared))
            brigades.append(replace(brigade, units=tuple(units)))
        armies[player] = replace(army, brigades=tuple(brigades))
    chosen = {ruling.id: dice.choice(ruling.choice).id for ruling in rulings("travel_battle").values()}
    return replace(scenario, armies=armies, rulings=chosen)


@cache
def shot_chances(distance: int, cover: int, gain: tuple[int, int], rally: int) -> tuple[Fraction, ...]:
    """Return the chances to hit, turn, run, be removed and be lost, over 216 rolls.

    `gain` is added to the two dice.
    """
    found: Counter[str] = Counter()
    for hit, die, stop in product(FACES, FACES, FACES):
        if hit + gain[0] < distance:
            continue
        counts = max(1, min(6, die + gain[1] - cover))
        found["hits"] += 1
        found[{4: "turned", 5: "runs", 6: "removed"}.get(counts, "none")] += 1
        found["lost"] += counts == 6 or (counts == 5 and stop < rally)
    return tuple(Fraction(found[what], 216) for what in ("hits", "turned", "runs", "removed", "lost"))


@cache
def fight_chances(a: int, d: int, again: tuple[bool, bool], rallies: tuple[int, int]) -> tuple[Fraction, ...]:
    """Return the chances of the five results of a fight.

    The results are defender lost, defender pushed back, no result, attacker pushed back, and attacker lost.
    """
    found: Counter[str] = Counter()
    for *rolled, fresh_a, fresh_d in product(FACES, repeat=a + d + 2):
        ours, defence = sorted(rolled[:a]), sorted(rolled[a:])
        if again[1] and defence[-1] < ours[-1]:
            defence[0] = fresh_d
        if again[0] and max(ours) < max(defence):
            ours[0] = fresh_a
        by = max(ours) - max(defence)
        loser, rally = ("d", rallies[1]) if by > 0 else ("a", rallies[0])
        # Number of rally rolls out of six that fail.
        fails = {0: 0, 1: 0, 2: max(0, rally - 1)}.get(abs(by), 6)
        found[f"{loser} lost"] += fails
        found[f"{loser} back"] += 6 * (abs(by) == 1)
        found["on"] += 6 * (by == 0)
    whole = 6 ** (a + d + 3)
    return tuple(Fraction(found[what], whole) for what in ("d lost", "d back", "on", "a back", "a lost"))


def melee(unit: Unit | Kind, other: Unit | Kind, building: bool) -> tuple[Fraction, ...]:
    """Return the chances of a fight between two units, according to the text of the rules."""
    (first, boxed), (second, squared) = (
        (of.kind, of.square) if isinstance(of, Unit) else (of, False) for of in (unit, other)
    )

    def more(kind: Kind, square: bool, enemy: Kind, enemy_square: bool) -> int:
        if kind.arm == "cavalry":
            return int(enemy.arm == "infantry" and not enemy_square)
        if kind.arm != "infantry":
            return 0
        return int(enemy.arm == "cavalry") if square else int(enemy.arm == "infantry" and enemy_square)

    a, d = 1 + more(first, boxed, second, squared), 1 + more(second, squared, first, boxed)
    d += building and second.arm == "infantry"
    again = first.id in ("guard", "heavy"), second.id in ("guard", "heavy")
    return fight_chances(a, d, again, (RALLY[first.id], RALLY[second.id]))


def field(scenario: Scenario, gun: Square) -> Iterator[Square]:
    """Yield the squares into which a gun can fire, based on their visible fraction."""
    ground, width = scenario.battlefield.terrain_map.ground, scenario.battlefield.terrain_map.field
    visible = computed_share if scenario.rulings["sight"] == "share" else visible_corners
    for cell in width.cells:
        far = max(abs(cell.c - gun.c), abs(cell.r - gun.r))
        if not 2 <= far <= 6:
            continue
        high = max(HEIGHT.get(ground[end], 0) for end in (gun, cell))
        blocks = set()
        for c, r in product(range(-far, far + 1), repeat=2):
            there = Square(gun.c + c, gun.r + r)
            if there in (gun, cell) or there not in width:
                continue
            hill = HEIGHT.get(ground[there], 0)
            hides = ground[there] in ("building", "wood") or hill > high
            if hides or (there in scenario.units_on_board and not high):
                blocks.add(Square(c, r))
        if visible(Square(cell.c - gun.c, cell.r - gun.r), blocks) >= Fraction(1, 2):
            yield cell


def near(scenario: Scenario, player: str, cell: Square) -> bool:
    """Return whether a fighting enemy is adjacent to a square."""
    around = [Square(cell.c + c, cell.r + r) for c, r in product((-1, 0, 1), repeat=2) if c or r]
    there = [row for n in around for row in scenario.units_on_board.get(n, ())]
    return any(owner != player and unit.kind.id != "brigadier" for owner, unit in there)


def prospect_differences(scenario: Scenario) -> Iterator[str]:
    """Yield a description of each reported prospect of guns and melees that differs from the oracle's result."""
    name = scenario.battlefield.terrain_map.field.name
    for of in batteries(scenario):
        if of.engaged != near(scenario, of.player, of.cell):
            yield f"{of.gun.id} is engaged: {of.engaged}"
        wanted = [] if of.engaged else list(field(scenario, of.cell))
        other = "red" if of.player == "blue" else "blue"
        for cell in list(wanted):
            there = scenario.units_on_board.get(cell, ())
            if any(owner == of.player for owner, _ in there) or (there and near(scenario, other, cell)):
                wanted.remove(cell)
        if [aim.at for aim in of.shots] != wanted:
            yield f"{of.gun.id} fires into {len(of.shots)} squares, and may into {list(map(name, wanted))}"
        for aim in of.shots:
            yield from (f"{of.gun.id} into {name(aim.at)}: {why}" for why in _shot(scenario, of.cell, aim))
    for one in attacks(scenario):
        found = _told(one.fight, one.unit.kind, one.enemy.kind)
        at = one.enemy.cell
        assert at
        expected = melee(one.unit, one.enemy, building=scenario.battlefield.terrain_map.ground[at] == "building")
        touching = max(abs(at.c - one.start.c), abs(at.r - one.start.r)) == 1
        if (found, touching, (one.won, one.lost)) != (expected, True, (expected[0], expected[-1])):
            yield f"{one.unit.id} on {one.enemy.id}: {found}, and should be {expected}"
        if one.steps and not any(move.cell == one.start for move in moves(scenario, one.unit).reached):
            yield f"{one.unit.id} goes to {name(one.start)}"
    pairs = {(one.unit.id, one.enemy.id) for one in attacks(scenario) if not one.steps}
    for player, unit in (row for there in scenario.units_on_board.values() for row in there):
        for owner, enemy in (row for there in scenario.units_on_board.values() for row in there):
            if owner == player or "brigadier" in (unit.kind.id, enemy.kind.id) or not (unit.cell and enemy.cell):
                continue
            touch = max(abs(unit.cell.c - enemy.cell.c), abs(unit.cell.r - enemy.cell.r)) == 1
            if touch != ((unit.id, enemy.id) in pairs):
                yield f"{unit.id} and {enemy.id} touch: {touch}"
    for stand in exposures(scenario):
        for unit in stand.units:
            assert unit.cell
            building = scenario.battlefield.terrain_map.ground[unit.cell] == "building"
            for kind, fight in stand.by:
                if _told(fight, kind, unit.kind) != melee(kind, unit, building=building):
                    yield f"{unit.id} attacked by {kind.id}"


def _shot(scenario: Scenario, gun: Square, aim: AimedShot) -> Iterator[str]:
    far = max(abs(aim.at.c - gun.c), abs(aim.at.r - gun.r))
    cover = int(scenario.battlefield.terrain_map.ground[aim.at] in ("building", "wood"))
    there = [unit for _, unit in scenario.units_on_board.get(aim.at, ())]
    massed = int(len(there) > 1 or any(unit.square for unit in there))
    gain = (massed, 0) if scenario.rulings["massed"] == "hit" else (0, massed)
    rallies = [RALLY[unit.kind.id] for unit in there] or [RALLY["line"]]
    every = [shot_chances(far, cover, gain, rally) for rally in rallies]
    odds = aim.shot.odds
    found = (aim.shot.hits, odds["turned"], odds["runs"], odds["removed"], aim.pays)
    if found != (*every[0][:4], max(of[4] for of in every)):
        yield f"{found}, and should be {every}"


def _told(of: Fight, kind: Kind, other: Kind) -> tuple[Fraction, ...]:
    back = of.defender_results["back"], of.attacker_results["back"]
    return of.defender_lost(other.rally), back[0], of.odds[0], back[1], of.attacker_lost(kind.rally)
