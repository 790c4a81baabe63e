"""Rules for boards, and rules for every battle on a BattleLore board.

Each test of a board yields its faults as hexes with a reason. The map maker and these tests do not use each other.
The rules are house rules unless a seed states them. Each game combines the rules with its own texts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product

from generator.common.tables import Range, RuleBook, connected
from generator.games.battlelore.forces import ByCamp, Council, Shortage, Unit, council_tables
from generator.games.battlelore.ground import (
    BASELINE_ROOM,
    SECTIONS,
    SIDES,
    Board,
    Inventory,
    Side,
    needs,
    shortage,
    side_name,
    words,
)
from generator.games.battlelore.model import MEDIEVAL, OFF_BOARD, Battle, CampUnit, corrected, row_keys
from generator.games.battlelore.tables import Whence, lore
from generator.grid.hexes import DIRECTIONS, STEPS, Hex, flows
from generator.model.words import Words, joined, same
from generator.notation.validation import KeyPath
from generator.rules import Fault

Flaw = tuple[tuple[Hex, ...], Words]


def rivers(board: Board) -> Iterator[Flaw]:
    """Yield rivers that are not a single unbranched course of at least two hexes between two edges of the map."""
    water, texts = frozenset(board.water()), words()["flaw"]
    for course in connected(board.water(), board.field.neighbours):
        adjacent = {cell: sum(n in water for n in board.field.neighbours(cell)) for cell in course}
        ends = tuple(c for c in course if adjacent[c] == 1)
        if len(course) == 1:
            yield course, texts["lone"]
        elif branching := tuple(c for c in course if adjacent[c] > 2):
            yield branching, texts["branches"]
        elif not ends:
            yield course, texts["ring"]
        elif inland := tuple(c for c in ends if len(board.field.neighbours(c)) == len(DIRECTIONS)):
            yield inland, texts["inland"]


def crossings(board: Board) -> Iterator[Flaw]:
    """Yield fords and bridges that are not in a river or cannot be entered from each bank."""
    ways, texts = flows(board.field, board.water()), words()["flaw"]
    for cell in board.water():
        if not board.terrain(cell).crossing:
            continue
        if not any(n in ways for n in board.field.neighbours(cell)):
            yield (cell,), texts["dry"]
        elif len(ways[cell]) == 2 and not all(_open_bank(board, cell, *bank) for bank in _banks(ways[cell])):
            yield (cell,), texts["banks"]


def _banks(ways: tuple[int, ...]) -> list[list[int]]:
    """Return the directions on each side of a course that leaves a hex in two directions."""
    a, b = ways
    right, left = range(a + 1, b), range(b + 1, a + len(DIRECTIONS))
    return [[d % len(DIRECTIONS) for d in bank] for bank in (right, left)]


def _open_bank(board: Board, cell: Hex, *ways: int) -> bool:
    bank = (cell + STEPS[d] for d in ways)
    return any(n in board.field and board.step(cell, n) for n in bank)


def cliffs(board: Board) -> Iterator[Flaw]:
    """Yield cliff hexes that do not have one to five adjacent cliff sides, and other hexes that have cliff sides."""
    texts = words()["flaw"]
    for cell in board.field.cells:
        sides = set(board.walls.get(cell, ()))
        if not board.terrain(cell).sides:
            if sides:
                yield (cell,), texts["sides"]
        elif not 0 < len(sides) < len(DIRECTIONS):
            yield (cell,), texts["cliff"]
        elif sum((side + 1) % len(DIRECTIONS) not in sides for side in sides) > 1:
            yield (cell,), texts["run"]


def features(board: Board, source: Whence | None = None) -> Iterator[Flaw]:
    """Yield features on terrain that terrain.toml does not allow.

    `source` selects the rules of the seed or of the house. None selects all.
    """
    for cell, name in board.features.items():
        feature = lore().features[name]
        if source in (None, feature.source) and board.ground[cell] not in feature.on:
            yield (cell,), words()["flaw"]["feature"].fill(feature=feature.name, ground=board.terrain(cell).name)


def tiles(board: Board, inventory: Inventory) -> Iterator[Flaw]:
    """Yield the hexes whose terrain the inventory has too few pieces for, if each piece shows only one face."""
    if lack := shortage(needs(board), inventory):
        kinds = (*lore().terrain.values(), *lore().features.values())
        names = joined([k.name for face in lack.faces for k in kinds if k.id == face])
        cells = tuple(c for c in board.field.cells if set(_shown(board, c)) & set(lack.faces))
        yield cells, words()["flaw"]["tiles"].fill(needed=lack.needed, names=names, pieces=lack.pieces)


def _shown(board: Board, cell: Hex) -> tuple[str, ...]:
    feature = board.feature(cell)
    return board.terrain(cell).tiles + (feature.tiles if feature else ())


def reachable(board: Board) -> Iterator[Flaw]:
    """Yield passable baseline hexes that are not connected to the largest group of baseline hexes."""
    walked = [c for c in board.field.cells if board.passable(c)]
    ends = {c for camp in SIDES for c in board.plan.baseline(camp)}
    lands = [[c for c in region if c in ends] for region in connected(walked, board.field.neighbours, board.step)]
    main = max(lands, key=len, default=[])
    if cut := tuple(c for c in walked if c in ends and c not in main):
        yield cut, words()["flaw"]["cut"]


def baseline_room(board: Board) -> Iterator[Flaw]:
    """Yield sections of baselines that have too few passable hexes without a feature."""
    for camp, section in product(SIDES, SECTIONS):
        line = board.plan.baseline(camp, section)
        if sum(board.passable(c) and c not in board.features for c in line) < BASELINE_ROOM:
            yield line, words()["flaw"]["room"].fill(room=BASELINE_ROOM)


rule = RuleBook("battlelore/rules.toml")


def _of_ground(test: Callable[[Battle], Iterable[Flaw]], table: str = "rows") -> Callable[[Battle], Iterator[Fault]]:
    """Return a rule for battles that reports the faults of a test for boards.

    `table` is the key under which the faults are in the file.
    """

    def faults(battle: Battle) -> Iterator[Fault]:
        last = len(battle.board.field.rows) - 1
        for cells, reason in test(battle):
            names = tuple(battle.board.field.name(cell) for cell in cells)
            keys: KeyPath = (table, last - cells[0].r if table == "rows" else names[0]) if cells else ()
            yield Fault(" ".join(names), "fault", {"reason": reason}, at=("board", *keys), cells=names)

    return faults


rule("terrain.river")(_of_ground(lambda battle: rivers(battle.board)))
rule("terrain.crossing")(_of_ground(lambda battle: crossings(battle.board)))
rule("terrain.cliff")(_of_ground(lambda battle: cliffs(battle.board)))
rule("terrain.feature")(_of_ground(lambda battle: features(battle.board, "seed"), "features"))
rule("terrain.rampart")(_of_ground(lambda battle: features(battle.board, "house"), "features"))
rule("terrain.tiles")(_of_ground(lambda battle: tiles(battle.board, battle.inventory)))
rule("map.reach")(_of_ground(lambda battle: reachable(battle.board)))


def _has_objectives(battle: Battle) -> bool:
    return bool(battle.board.objectives)


def _of_objective(battle: Battle, cell: Hex, reason: str, **values: object) -> Fault:
    """Return a fault of a victory hex."""
    name = battle.board.field.name(cell)
    return Fault(name, reason, {"hex": name} | values, at=("board", "objectives", name), cells=(name,))


@rule("map.objective", concerns=_has_objectives)
def enterable_objectives(battle: Battle) -> Iterator[Fault]:
    for cell in battle.board.objectives:
        if not battle.board.passable(cell):
            yield _of_objective(battle, cell, "impassable", ground=battle.board.terrain(cell).name.low)


@rule("map.objective_worth", concerns=_has_objectives)
def objective_worth(battle: Battle) -> Iterator[Fault]:
    for cell, of in battle.board.objectives.items():
        winners = [camp for camp in SIDES if of.camp in (None, camp) and of.banners >= battle.banners_of(camp) > 0]
        if of.banners not in lore().play.objective:
            yield _of_objective(battle, cell, "range", banners=of.banners)
        elif winners:
            yield _of_objective(battle, cell, "decides", banners=of.banners, camp=side_name(winners[0]))


@rule("map.objective_start", concerns=_has_objectives)
def undecided_start(battle: Battle) -> Iterator[Fault]:
    name = battle.board.field.name
    for camp in SIDES:
        prizes, held = battle.board.prizes(camp), {unit.hex for of, unit in battle.units if of == camp}
        occupied = [cell for cell in prizes if cell in held]
        have, goal = sum(prizes[cell] for cell in occupied), battle.banners_of(camp)
        if occupied and have >= goal > 0:
            names = tuple(map(name, occupied))
            values = {"camp": side_name(camp), "have": have, "goal": goal, "hexes": " ".join(names)}
            yield Fault(camp, "won", values, at=("board", "objectives", names[0]), cells=names)


@rule("unit.figures", concerns=lambda battle: any(unit.extra for _, unit in battle.units))
def full_units(battle: Battle) -> Iterator[Fault]:
    for camp, unit in battle.units:
        if unit.extra > 0:
            values = {"unit": unit.label, "have": unit.figures, "full": unit.kind.figures}
            cells = (battle.board.field.name(unit.hex),) if unit.hex else ()
            yield Fault(unit.id, "many", values, at=row_keys(battle, camp, unit, "figures"), cells=cells)


def passable(battle: Battle) -> Iterator[Fault]:
    """Check that no unit is on impassable terrain. Reason: `impassable`."""
    for camp, unit in battle.units:
        if unit.hex and not battle.board.passable(unit.hex):
            ground = lore().terrain[battle.board.ground[unit.hex]].name
            yield misplaced(battle, camp, unit, "impassable", ground=ground)


def misplaced(
    battle: Battle, camp: Side, unit: Unit, reason: str, lawful: Iterable[Hex] = (), **values: object
) -> Fault:
    """Return the fault of a unit on a wrong hex. It suggests a correction if there are legal hexes."""
    name, open_ = battle.board.field.name, tuple(lawful)
    shared: dict[str, object] = {"unit": unit.label, "hex": name(unit.hex) if unit.hex else OFF_BOARD}
    shared["lawful"] = joined([same(name(cell)) for cell in open_])
    return Fault(
        unit.id,
        reason,
        shared | values,
        at=row_keys(battle, camp, unit, "hex"),
        cells=(name(unit.hex),) if unit.hex else (),
        lawful=tuple(map(name, open_)),
        suggested_fix=corrected(battle.board, unit, open_[0]) if open_ else "",
    )


def alone(battle: Battle) -> Iterator[Fault]:
    """Check that each hex has at most one unit. Reason: `stacked`, reported once for each hex."""
    on: dict[Hex, list[CampUnit]] = defaultdict(list)
    for camp, unit in battle.units:
        if unit.hex:
            on[unit.hex].append((camp, unit))
    for cell, there in on.items():
        if len(there) > 1:
            name = battle.board.field.name(cell)
            units = joined([unit.label for _, unit in there])
            yield Fault(name, "stacked", {"units": units}, at=row_keys(battle, *there[-1], "hex"), cells=(name,))


def off_shared(battle: Battle) -> Iterator[Fault]:
    """Check that no unit is on a hex that belongs to two sections. Reason: `shared`."""
    for camp, unit in battle.units:
        if unit.hex and battle.board.plan.shared(unit.hex):
            yield misplaced(battle, camp, unit, "shared")


def short_of(camp: Side, short: Shortage) -> dict[str, object]:
    """Return the values for the message about a shortage of a camp's pieces."""
    kinds = {"what": short.what, "kinds": short.of.low, "asked": short.requested, "held": short.held}
    return {"camp": side_name(camp)} | kinds


def goal(battle: Battle) -> Iterator[Fault]:
    """Check that the number of victory banners to win is at least 1. Reason: `none`."""
    if battle.banners == 0:
        yield Fault("play", "none", at=("play", "banners"), suggested_fix=f"banners = {lore().play.banners.usual}")


def banners(battle: Battle) -> Iterator[Fault]:
    """Check that positive numbers of victory banners are within their limits. Reasons: `range`, `range_of`."""
    if battle.banners != 0:
        yield from _in_range("banners", battle.banners, lore().play.banners)


def hand(battle: Battle) -> Iterator[Fault]:
    """Check that the sizes of the command hands are within their limits. Reasons: `range`, `range_of`.

    Lore games are not checked.
    """
    if battle.hand is not None and battle.age == MEDIEVAL:
        yield from _in_range("hand", battle.hand, lore().play.hand)


def _in_range(key: str, number: int | ByCamp, bounds: Range) -> Iterator[Fault]:
    """Yield a fault if a number of [play] is out of its limits.

    Reasons: `range` if the number applies to both camps, `range_of` if the camp has its own.
    """
    if isinstance(number, int):
        if number not in bounds:
            yield Fault("play", "range", {key: number}, at=("play", key))
        return
    for camp in SIDES:
        if number[camp] not in bounds:
            yield Fault(camp, "range_of", {key: number[camp], "camp": side_name(camp)}, at=("play", key, camp))


def council_ages(of: Mapping[Side, Council], lore_game: bool) -> Iterator[Fault]:
    """Check that every camp has a war council in a Lore game, and none in other games.

    Reasons: `none`, `medieval`.
    """
    for camp, council in of.items():
        if bool(council) != lore_game:
            reason = "none" if lore_game else "medieval"
            yield Fault(camp, reason, {"camp": side_name(camp)}, at=(camp, *([] if lore_game else ["council"])))


def councils(of: Mapping[Side, Council]) -> Iterator[Fault]:
    """Check the levels of every war council. Reasons: `sum` for the total, `seat` for a single seat."""
    tables = council_tables()
    for camp, council in of.items():
        at, camp_name = (camp, "council"), side_name(camp)
        if council and (have := sum(council.values())) != tables.levels:
            yield Fault(camp, "sum", {"camp": camp_name, "have": have, "n": tables.levels}, at=at)
        for seat in tables.seats if council else ():
            bounds, level = tables.bounds(seat), council.get(seat, 0)
            if level not in bounds:
                values = {"seat": tables.name(seat), "have": level, "least": bounds.minimum, "most": bounds.maximum}
                yield Fault(camp, "seat", {"camp": camp_name} | values, at=at)
