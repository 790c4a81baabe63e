"""What a lawful board is, and rules that hold in every battle of the family.

What a lawful board is: each predicate lists what breaks it, as the hexes and the reason.

Nothing here knows how a board was made; the map maker does not build with it. The rules are house rules
where no seed states them: a river is one unbranched course from edge to edge, as its tiles can show it.

The rules of the ground, as tests of a battle's board against its inventory.

Tests of rules that hold in every battle on a BattleLore board; each game binds them to texts of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product

from generator.common.tables import RuleBook, connected
from generator.games.battlelore.forces import Council, Shortage, Unit, council_tables
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
    """Each river is one course of two hexes or more: no branch, no ring, both ends at the map's edge."""
    water, say = frozenset(board.water()), words()["flaw"]
    for course in connected(board.water(), board.field.neighbours):
        beside = {cell: sum(n in water for n in board.field.neighbours(cell)) for cell in course}
        ends = tuple(c for c in course if beside[c] == 1)
        if len(course) == 1:
            yield course, say["lone"]
        elif branching := tuple(c for c in course if beside[c] > 2):
            yield branching, say["branches"]
        elif not ends:
            yield course, say["ring"]
        elif inland := tuple(c for c in ends if len(board.field.neighbours(c)) == len(DIRECTIONS)):
            yield inland, say["inland"]


def crossings(board: Board) -> Iterator[Flaw]:
    """A ford or bridge lies in a river and can be entered from either bank."""
    ways, say = flows(board.field, board.water()), words()["flaw"]
    for cell in board.water():
        if not board.terrain(cell).crossing:
            continue
        if not any(n in ways for n in board.field.neighbours(cell)):
            yield (cell,), say["dry"]
        elif len(ways[cell]) == 2 and not all(_open_bank(board, cell, *bank) for bank in _banks(ways[cell])):
            yield (cell,), say["banks"]


def _banks(ways: tuple[int, ...]) -> list[list[int]]:
    """The directions on either side of a course that leaves a hex through two of them."""
    a, b = ways
    right, left = range(a + 1, b), range(b + 1, a + len(DIRECTIONS))
    return [[d % len(DIRECTIONS) for d in bank] for bank in (right, left)]


def _open_bank(board: Board, cell: Hex, *ways: int) -> bool:
    bank = (cell + STEPS[d] for d in ways)
    return any(n in board.field and board.step(cell, n) for n in bank)


def cliffs(board: Board) -> Iterator[Flaw]:
    """A cliff hex has one to five cliff sides in one run; no other ground has any."""
    say = words()["flaw"]
    for cell in board.field.cells:
        sides = set(board.walls.get(cell, ()))
        if not board.terrain(cell).sides:
            if sides:
                yield (cell,), say["sides"]
        elif not 0 < len(sides) < len(DIRECTIONS):
            yield (cell,), say["cliff"]
        elif sum((side + 1) % len(DIRECTIONS) not in sides for side in sides) > 1:
            yield (cell,), say["run"]


def features(board: Board, source: Whence | None = None) -> Iterator[Flaw]:
    """Stakes and ramparts lie on the ground that terrain.toml allows; those of the seed, or ours, or both."""
    for cell, name in board.features.items():
        feature = lore().features[name]
        if source in (None, feature.source) and board.ground[cell] not in feature.on:
            yield (cell,), words()["flaw"]["feature"].fill(feature=feature.name, ground=board.terrain(cell).name)


def tiles(board: Board, inventory: Inventory) -> Iterator[Flaw]:
    """The board can be laid with the pieces of the inventory, one face of each."""
    if lack := shortage(needs(board), inventory):
        kinds = (*lore().terrain.values(), *lore().features.values())
        names = joined([k.name for face in lack.faces for k in kinds if k.id == face])
        cells = tuple(c for c in board.field.cells if set(_shown(board, c)) & set(lack.faces))
        yield cells, words()["flaw"]["tiles"].fill(needed=lack.needed, names=names, pieces=lack.pieces)


def _shown(board: Board, cell: Hex) -> tuple[str, ...]:
    feature = board.feature(cell)
    return board.terrain(cell).tiles + (feature.tiles if feature else ())


def reachable(board: Board) -> Iterator[Flaw]:
    """A unit can walk from any passable baseline hex of either camp to any other."""
    walked = [c for c in board.field.cells if board.passable(c)]
    ends = {c for camp in SIDES for c in board.plan.baseline(camp)}
    lands = [[c for c in land if c in ends] for land in connected(walked, board.field.neighbours, board.step)]
    main = max(lands, key=len, default=[])
    if cut := tuple(c for c in walked if c in ends and c not in main):
        yield cut, words()["flaw"]["cut"]


def baseline_room(board: Board) -> Iterator[Flaw]:
    """In each section of each baseline enough hexes are passable and bear no stakes or rampart."""
    for camp, section in product(SIDES, SECTIONS):
        line = board.plan.baseline(camp, section)
        if sum(board.passable(c) and c not in board.features for c in line) < BASELINE_ROOM:
            yield line, words()["flaw"]["room"].fill(room=BASELINE_ROOM)


rule = RuleBook("battlelore/rules.toml")


def _of_ground(test: Callable[[Battle], Iterable[Flaw]], table: str = "rows") -> Callable[[Battle], Iterator[Fault]]:
    """What a lawful board is, as a rule of its battle; `table` is where in the file its flaws stand."""

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


def passable(battle: Battle) -> Iterator[Fault]:
    """No unit on impassable ground; reason `impassable`."""
    for camp, unit in battle.units:
        if unit.hex and not battle.board.passable(unit.hex):
            ground = lore().terrain[battle.board.ground[unit.hex]].name
            yield misplaced(battle, camp, unit, "impassable", ground=ground)


def misplaced(
    battle: Battle, camp: Side, unit: Unit, reason: str, lawful: Iterable[Hex] = (), **values: object
) -> Fault:
    """A fault of a unit's hex; with a correction where there are hexes on which it might stand."""
    name, open_ = battle.board.field.name, tuple(lawful)
    told: dict[str, object] = {"unit": unit.called, "hex": name(unit.hex) if unit.hex else OFF_BOARD}
    told["lawful"] = joined([same(name(cell)) for cell in open_])
    return Fault(
        unit.id,
        reason,
        told | values,
        at=row_keys(battle, camp, unit, "hex"),
        cells=(name(unit.hex),) if unit.hex else (),
        lawful=tuple(map(name, open_)),
        mend=corrected(battle.board, unit, open_[0]) if open_ else "",
    )


def alone(battle: Battle) -> Iterator[Fault]:
    """One unit a hex; reason `stacked`, told of the later one."""
    on: dict[Hex, list[CampUnit]] = defaultdict(list)
    for camp, unit in battle.units:
        if unit.hex:
            on[unit.hex].append((camp, unit))
    for cell, there in on.items():
        if len(there) > 1:
            name = battle.board.field.name(cell)
            units = joined([unit.called for _, unit in there])
            yield Fault(name, "stacked", {"units": units}, at=row_keys(battle, *there[-1], "hex"), cells=(name,))


def off_shared(battle: Battle) -> Iterator[Fault]:
    """No unit on a hex of two sections; reason `shared`."""
    for camp, unit in battle.units:
        if unit.hex and battle.board.plan.shared(unit.hex):
            yield misplaced(battle, camp, unit, "shared")


def short_of(camp: Side, short: Shortage) -> dict[str, object]:
    """What runs short in a camp's box, for the words of a fault."""
    kinds = {"what": short.what, "kinds": short.of.low, "asked": short.asked, "held": short.held}
    return {"camp": side_name(camp)} | kinds


def goal(battle: Battle) -> Iterator[Fault]:
    """A victory banner to win; reason `none`."""
    if battle.banners < 1:
        yield Fault("play", "none", at=("play", "banners"), mend=f"banners = {lore().play.banners.usual}")


def banners(battle: Battle) -> Iterator[Fault]:
    """Victory banners within bounds, where there are any; reason `range`."""
    if battle.banners >= 1 and battle.banners not in lore().play.banners:
        yield Fault("play", "range", {"banners": battle.banners}, at=("play", "banners"))


def hand(battle: Battle) -> Iterator[Fault]:
    """A command hand within bounds, where no council says it; reason `range`."""
    if battle.hand is not None and battle.age == MEDIEVAL and battle.hand not in lore().play.hand:
        yield Fault("play", "range", {"hand": battle.hand}, at=("play", "hand"))


def council_ages(of: Mapping[Side, Council], lore_game: bool) -> Iterator[Fault]:
    """War councils in Lore games, and in no others; reasons `medieval`, `none`."""
    for camp, council in of.items():
        if bool(council) != lore_game:
            reason = "none" if lore_game else "medieval"
            yield Fault(camp, reason, {"camp": side_name(camp)}, at=(camp, *([] if lore_game else ["council"])))


def councils(of: Mapping[Side, Council]) -> Iterator[Fault]:
    """Every war council shares out all levels; reasons `sum`, `seat`."""
    tables = council_tables()
    for camp, council in of.items():
        at, said = (camp, "council"), side_name(camp)
        if council and (have := sum(council.values())) != tables.levels:
            yield Fault(camp, "sum", {"camp": said, "have": have, "n": tables.levels}, at=at)
        for seat in tables.seats if council else ():
            bounds, level = tables.bounds(seat), council.get(seat, 0)
            if level not in bounds:
                values = {"seat": tables.name(seat), "have": level, "least": bounds.least, "most": bounds.most}
                yield Fault(camp, "seat", {"camp": said} | values, at=at)
