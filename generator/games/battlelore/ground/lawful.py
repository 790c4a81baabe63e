"""What a lawful board is: each predicate lists what breaks it, as the hexes and the reason.

Nothing here knows how a board was made; the map maker does not build with it. The rules are house rules
where no seed states them: a river is one unbranched course from edge to edge, as its tiles can show it.
"""

from __future__ import annotations

from generator.games.battlelore.ground.board import BASELINE_ROOM, CAMPS, SECTIONS, Board, flows
from generator.games.battlelore.ground.tiles import Inventory, needs, shortage
from generator.games.battlelore.lore import lore
from generator.games.regions import connected
from generator.grid.hexes import DIRECTIONS, STEPS, Hex
from generator.model.words import Words, joined

Fault = tuple[tuple[Hex, ...], Words]


def rivers(board: Board) -> list[Fault]:
    """Each river is one course of two hexes or more: no branch, no ring, both ends at the map's edge."""
    water = frozenset(board.water())
    faults: list[Fault] = []
    for course in connected(board.water(), board.field.neighbours):
        beside = {cell: sum(n in water for n in board.field.neighbours(cell)) for cell in course}
        if len(course) == 1:
            faults.append((course, Words("a river of a single hex leads nowhere", "1ヘクスだけの川になっている")))
            continue
        if branching := tuple(c for c in course if beside[c] > 2):
            faults.append(
                (
                    branching,
                    Words(
                        "a river must not branch or fold back on itself",
                        "川が枝分かれ、または折り重なっている",
                    ),
                )
            )
            continue
        ends = tuple(c for c in course if beside[c] == 1)
        if not ends:
            faults.append((course, Words("a river must not run in a ring", "川が輪になっている")))
        if inland := tuple(c for c in ends if len(board.field.neighbours(c)) == len(DIRECTIONS)):
            faults.append((inland, Words("a river must end at the map's edge", "川が盤の端に達せず途切れている")))
    return faults


def crossings(board: Board) -> list[Fault]:
    """A ford or bridge lies in a river and can be entered from either bank."""
    ways = flows(board)
    faults: list[Fault] = []
    for cell in board.water():
        if not board.terrain(cell).crossing:
            continue
        if not any(n in ways for n in board.field.neighbours(cell)):
            faults.append(((cell,), Words("a ford or bridge lies in no river", "浅瀬・橋が川の上にない")))
        elif len(ways[cell]) == 2 and not all(_open_bank(board, cell, *bank) for bank in _banks(ways[cell])):
            faults.append(((cell,), Words("a ford or bridge must join two banks", "浅瀬・橋が両岸をつないでいない")))
    return faults


def _banks(ways: tuple[int, ...]) -> list[list[int]]:
    """The directions on either side of a course that leaves a hex through two of them."""
    a, b = ways
    right, left = range(a + 1, b), range(b + 1, a + len(DIRECTIONS))
    return [[d % len(DIRECTIONS) for d in bank] for bank in (right, left)]


def _open_bank(board: Board, cell: Hex, *ways: int) -> bool:
    bank = (cell + STEPS[d] for d in ways)
    return any(n in board.field and board.step(cell, n) for n in bank)


def cliffs(board: Board) -> list[Fault]:
    """A cliff hex has one to five cliff sides in one run; no other ground has any."""
    faults: list[Fault] = []
    for cell in board.field.cells:
        sides = board.walls.get(cell, ())
        if not board.terrain(cell).sides:
            if sides:
                faults.append(
                    (
                        (cell,),
                        Words("cliff sides on ground that is no cliff", "崖でない地形に崖のヘクスサイドがある"),
                    )
                )
        elif not 0 < len(set(sides)) < len(DIRECTIONS):
            faults.append(
                (
                    (cell,),
                    Words("a cliff needs one to five cliff sides", "崖のヘクスサイドは1辺から5辺でなければならない"),
                )
            )
        elif sum((side + 1) % len(DIRECTIONS) not in sides for side in set(sides)) > 1:
            faults.append(((cell,), Words("cliff sides must join in one run", "崖のヘクスサイドが連続していない")))
    return faults


def features(board: Board) -> list[Fault]:
    """Stakes and ramparts lie on the ground that terrain.toml allows."""
    faults: list[Fault] = []
    for cell, name in board.features.items():
        feature = lore().features[name]
        if board.ground[cell] not in feature.on:
            reason = Words("{feature} must not lie on {ground}", "{feature}は{ground}に置けない")
            faults.append(((cell,), reason.fill(feature=feature.name, ground=board.terrain(cell).name)))
    return faults


def tiles(board: Board, inventory: Inventory) -> list[Fault]:
    """The board can be laid with the pieces of the inventory, one face of each."""
    lack = shortage(needs(board), inventory)
    if not lack:
        return []
    kinds = (*lore().terrain.values(), *lore().features.values())
    names = joined([k.name for face in lack.faces for k in kinds if k.id == face])
    cells = tuple(c for c in board.field.cells if set(_shown(board, c)) & set(lack.faces))
    reason = Words(
        "needs {needed} pieces for {names}, the inventory has {pieces}",
        "{names}に{needed}枚必要だが、手持ちは{pieces}枚",
    )
    return [(cells, reason.fill(needed=lack.needed, names=names, pieces=lack.pieces))]


def _shown(board: Board, cell: Hex) -> tuple[str, ...]:
    feature = board.feature(cell)
    return board.terrain(cell).tiles + (feature.tiles if feature else ())


def reachable(board: Board) -> list[Fault]:
    """A unit can walk from any passable baseline hex of either camp to any other."""
    walked = [c for c in board.field.cells if board.passable(c)]
    ends = {c for camp in CAMPS for c in board.plan.baseline(camp)}
    lands = [[c for c in land if c in ends] for land in connected(walked, board.field.neighbours, board.step)]
    main = max(lands, key=len, default=[])
    cut = tuple(c for c in walked if c in ends and c not in main)
    reason = Words("cut off from the other baseline hexes", "両陣営の一番手前の列のほかのヘクスから切り離されている")
    return [(cut, reason)] if cut else []


def baseline_room(board: Board) -> list[Fault]:
    """In each section of each baseline enough hexes are passable and bear no stakes or rampart."""
    faults: list[Fault] = []
    reason = Words(
        "fewer than {room} free hexes on this baseline", "このセクションの一番手前の列に空きヘクスが{room}未満"
    )
    for camp in CAMPS:
        for section in SECTIONS:
            line = board.plan.baseline(camp, section)
            if sum(board.passable(c) and c not in board.features for c in line) < BASELINE_ROOM:
                faults.append((line, reason.fill(room=BASELINE_ROOM)))
    return faults
