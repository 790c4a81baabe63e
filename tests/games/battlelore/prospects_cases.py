"""Compare the reported prospects of a turn with the oracle's movement and rolls, in random battles."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from generator.common.interpretations import rulings
from generator.games.battlelore.base import Scenario
from generator.games.battlelore.draw import draw
from generator.games.battlelore.forces import Kind, OwnPiece
from generator.games.battlelore.ground import Board
from generator.games.battlelore.model import Battle
from generator.games.battlelore.prospects import SOMEBODY, AttackOption, Turn
from generator.games.battlelore.tables import lore
from generator.grid.hexes import DIRECTIONS, STEPS, Hex
from generator.model.scenario import Request
from generator.model.words import same
from generator.seeds import code_for
from tests.games.battlelore.prospects_oracle import Man, Own, Table, Way
from tests.sight.oracle import Place

GROUNDS = {"countryside": 50, "forest": 8, "hill": 9, "river": 5, "ford": 4, "bridge": 3, "stone_bridge": 2}
GROUNDS |= {"marsh": 6, "cliff": 7, "landmark": 6}
HEXES = 6
"""Number of empty hexes per battle with a danger that is compared with the oracle."""


def random_scenario(number: int) -> Scenario:
    """Return a generated battle with random terrain, features, cliffs, units and rulings."""
    dice = random.Random(f"scattered {number}")
    battle = draw(Request(code_for(number), {}, {}))
    cells = battle.board.field.cells
    ground = dict(zip(cells, dice.choices(list(GROUNDS), list(GROUNDS.values()), k=len(cells)), strict=True))
    open_ = [cell for cell in cells if ground[cell] != "river"]
    features = {cell: dice.choice(list(lore().features)) for cell in dice.sample(open_, 14)}
    walls = {cell: tuple(sorted(dice.sample(range(len(DIRECTIONS)), 2))) for cell in cells if ground[cell] == "cliff"}
    board = Board(battle.board.profile, ground, features, walls)
    weapons, banners, races = (list(of) for of in (lore().weapons, lore().banners, lore().races))
    free = iter(dice.sample(open_, len(open_)))
    # Many units form crowds that support each other, and few units have space to move.
    many = dice.choice([3, 8, 16])
    forces = {}
    pieces = [own_piece(number, dice) for number in range(dice.choice([0, 0, 2, 4]))]
    for camp, force in battle.forces.items():
        units = []
        for unit in force.units[:many]:
            kind = Kind(dice.choice(banners), dice.choice(weapons), dice.choice(races))
            if pieces and dice.random() < 0.4:
                kind = dice.choice(pieces)
            units.append(replace(unit, kind=kind, hex=next(free), extra=dice.choice([0, 0, -1, -2, 1])))
        forces[camp] = replace(force, units=tuple(units))
    chosen = {ruling.id: dice.choice(ruling.choice).id for ruling in rulings("battlelore").values()}
    return replace(battle, board=board, forces=forces, rulings=chosen)


def own_piece(number: int, dice: random.Random) -> Kind:
    """Return a random piece of an owner."""
    banner, weapon, race = (dice.choice(list(of)) for of in (lore().banners, lore().weapons, lore().races))
    like = Kind(banner, weapon, race)
    move = dice.randrange(6)
    reach, over = (dice.randint(2, 5), dice.random() < 0.5) if like.bow else (1, False)
    count, run, figures = dice.randint(1, 6), dice.randint(move, 5), dice.randint(3, 8)
    return replace(like, piece=OwnPiece(f"own{number}", same(number), count, move, run, reach, over, figures))


def place(battle: Battle, cell: Hex) -> Place:
    """Convert a hex to the oracle's type."""
    return 2 * battle.board.field.column(cell) + cell.r % 2, cell.r


def table(battle: Battle) -> Table:
    """Convert a battle to the oracle's type."""
    board = battle.board

    def at(cell: Hex) -> Place:
        return place(battle, cell)

    walls = {frozenset((at(c), at(c + STEPS[d]))) for c, ways in board.walls.items() for d in ways}
    men = tuple(
        man(battle, camp, unit.hex, unit.kind, unit.figures, unit.id) for camp, unit in battle.units if unit.hex
    )
    ground = {at(cell): what for cell, what in board.ground.items()}
    features = {at(cell): what for cell, what in board.features.items()}
    return Table(board.field.rows, ground, features, walls, men, battle.rulings)


def man(battle: Battle, camp: str, cell: Hex, kind: Kind, figures: int = 4, name: str = "") -> Man:
    """Convert a unit to the oracle's type."""
    mounted = kind.weapon == "long_sword"
    own = Own(kind.dice, kind.move, kind.run, kind.range, kind.over) if kind.piece else None
    return Man(name, camp, place(battle, cell), kind.banner, kind.weapon, kind.race, mounted, figures, own)


def prospect_differences(battle: Battle, seed: object, hexes: int = HEXES) -> Iterator[str]:
    """Yield a description of each reported prospect that differs from the oracle's result."""
    turn, of = Turn(battle), table(battle)
    reported = {(blow.unit.id, blow.target.id): blow for blow in turn.every}
    by_id = {man.id: man for man in of.men}
    for attacker in of.men:
        for target in of.men:
            if attacker.camp == target.camp:
                continue
            ways, blow = list(of.ways(attacker, target)), reported.pop((attacker.id, target.id), None)
            if (why := _blow(battle, of, ways, target, blow)) is not None:
                yield f"{attacker.id} on {target.id}: {why}"
    yield from (f"{pair} is told and cannot be" for pair in reported)
    cells = random.Random(f"hexes {seed}").sample(battle.board.field.cells, hexes)
    cells += [unit.hex for _, unit in battle.units if unit.hex][:hexes]
    for camp in battle.forces:
        for cell in cells:
            there = turn.standing.get(cell)
            if (there and there[0] != camp) or battle.board.ground[cell] == "river":
                wanted, kind = (Fraction(), 0), SOMEBODY["foot"]
            else:
                kind = there[1].kind if there else random.Random(f"{seed} {cell}").choice(list(SOMEBODY.values()))
                wanted = of.danger(by_id[there[1].id] if there else man(battle, camp, cell, kind))
            found = turn.danger(camp, cell, kind)
            if (found.hits, found.units) != wanted:
                yield f"danger to {camp} on {battle.board.field.name(cell)} is {found}, and should be {wanted}"


def _blow(battle: Battle, of: Table, ways: list[Way], target: Man, blow: AttackOption | None) -> str | None:
    """Return why an attack is not the best of the given ways or has different odds, or None if it agrees."""
    if blow is None or not ways:
        return None if blow is None and not ways else f"told {blow}, found {ways}"
    way = blow.way
    tried = {one: of.odds(one, target) for one in ways}
    best = max((odds[1], odds[0], -one.walked) for one, odds in tried.items())
    found = (way.roll.mean, blow.falls, blow.cornered, blow.empties)
    if (found[1], found[0], -way.steps) != best:
        return f"told {found} after {way.steps}, and the best is {best}"
    start = place(battle, way.start)
    same = [odds for one, odds in tried.items() if (one.start, one.walked) == (start, way.steps)]
    if [found] != same or way.roll.dice not in {one.dice for one in ways if one.start == start}:
        return f"told {found}, and from there it is {same}"
    return None
