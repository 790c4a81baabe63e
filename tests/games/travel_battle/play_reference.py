"""A slow reference implementation of Travel Battle's rules, with legal decisions and the result of every roll.

It is written from the text of the rules, shares no code with the generator and parses the scenario's text itself.
Where the rules are unclear, it follows the rulings printed in every kit and docs/players.md. A decision is the
text that a player types.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any

Place = tuple[int, int]
"""Column from Blue's left and row from Blue's edge, starting at 0."""

PLAYERS = Path(__file__).resolve().parents[3] / "data" / "travel_battle" / "players.toml"
CAMPS = ("blue", "red")
SIZE = 10
FACES = range(1, 7)
SIGNS = {".": "open", "=": "road", "1": "hill", "2": "hilltop", "p": "open", "b": "building", "w": "wood"}
HEIGHT = {"hill": 1, "hilltop": 2}
ARMS = {"guard": "foot", "line": "foot", "heavy": "horse", "light": "horse", "gun": "gun", "brigadier": "brigadier"}
SPEED = {"foot": 1, "gun": 1, "horse": 2, "brigadier": 2}
RALLIES = {"guard": 3, "gun": 5}
RALLY = 4
AGAIN = ("guard", "heavy")
BARRED = {"foot": (), "gun": ("wood",), "brigadier": ("wood",), "horse": ("wood", "building")}
COVERED = ("wood", "building")
FAR = 6
RULINGS = {
    "sight": "share",
    "massed": "effect",
    "run_edge": "nearest",
    "brigadier_rally": "roll",
    "road_strict": "no",
}
BEFALLS = {1: "back", 2: "runs"}
"""Result of a lost melee for each difference. From 3 on the loser is removed."""


@dataclass(frozen=True)
class Man:
    """The constant data of a unit."""

    id: str
    camp: int
    brigade: int
    """Index among the brigades of both camps."""
    kind: str

    @property
    def arm(self) -> str:
        return ARMS[self.kind]

    @property
    def fights(self) -> bool:
        return self.arm != "brigadier"


@dataclass(frozen=True)
class Goal:
    """An objective in addition to destroying brigades."""

    kind: str
    camp: int
    cells: frozenset[Place]
    men: frozenset[str]
    count: int


@dataclass(frozen=True)
class BattleData:
    """The constant data of a battle."""

    columns: int
    rows: int
    ground: Mapping[Place, str]
    men: Mapping[str, Man]
    """Units in the order of the armies, Blue's first."""
    brigades: tuple[tuple[str, ...], ...]
    leaders: tuple[str, ...]
    rulings: Mapping[str, str]
    goal: Goal
    rounds: int
    first: int
    start: Mapping[str, Place]
    squared: frozenset[str]


@dataclass(frozen=True)
class Spot:
    """The state of a battle between two decisions."""

    waits: str
    side: int
    """The player whose turn it is."""
    turns: int
    """Number of completed player turns."""
    at: tuple[tuple[str, Place], ...]
    """Units on the board, in the order of the armies."""
    off: frozenset[str] = frozenset()
    """Units that left by the enemy's edge."""
    squares: frozenset[str] = frozenset()
    """Units in square formation."""
    held: frozenset[str] = frozenset()
    """Units that cannot move in their player's current or next movement phase."""
    free: frozenset[str] = frozenset()
    """Units that may still move."""
    forms: frozenset[str] = frozenset()
    """Units that may still form or dissolve a square, if their surroundings allow it."""
    still: frozenset[str] = frozenset()
    """Guns that have neither moved nor fired."""
    fought: frozenset[str] = frozenset()
    about: tuple[Any, ...] = ()
    """Subject of the current decision or roll."""
    kept: int = 0
    """Number of consecutive rounds in which the zone was occupied."""
    winner: int | None = None
    """Winner of the battle, or None before the end and for a draw."""


def read(text: str) -> BattleData:
    """Parse the text of a scenario file. Units are identified by their ids in the file."""
    file = tomllib.loads(text)
    across, up = (int(n) for n in file["play"].get("boards", "2x1").split("x"))
    ground = {}
    for number, board in enumerate(file["board"]):
        left, near = SIZE * (number % across), SIZE * (number // across)
        for (c, r), sign in drawn(board["rows"], board.get("edge", 1)).items():
            ground[left + c, near + r] = SIGNS[sign]
    men: dict[str, Man] = {}
    start: dict[str, Place] = {}
    brigades, leaders, squared = list[tuple[str, ...]](), list[str](), set[str]()
    for camp, name_ in enumerate(CAMPS):
        for brigade in file[name_]["brigade"]:
            for row in brigade["units"]:
                man = men[row["id"]] = Man(row["id"], camp, len(brigades), row["unit"])
                if row["at"] != "-":
                    start[man.id] = place(row["at"])
                if row.get("square"):
                    squared.add(man.id)
            every = [men[row["id"]] for row in brigade["units"]]
            brigades.append(tuple(man.id for man in every if man.fights))
            leaders.append(next(man.id for man in every if not man.fights))
    row = file.get("objective", {"kind": "brigades"})
    goal = Goal(
        row["kind"],
        CAMPS.index(row["player"]) if "player" in row else -1,
        frozenset(map(place, row.get("squares", ()))),
        frozenset(row.get("units", ())),
        row.get("count", 0),
    )
    last = file["play"].get("turns", 0) or tomllib.loads(PLAYERS.read_text("utf-8"))["numbers"]["rounds"]
    first = CAMPS.index(file["play"].get("moves_first", "blue"))
    rulings = RULINGS | file.get("rulings", {})
    size = SIZE * across, SIZE * up
    of = tuple(brigades), tuple(leaders)
    return BattleData(*size, ground, men, *of, rulings, goal, last, first, start, frozenset(squared))


def drawn(rows: str, edge: int) -> dict[Place, str]:
    """Return the symbols of a board with the given edge toward Blue: 1 near, 2 right, 3 far, 4 left.

    The far row comes first in `rows`.
    """
    lines = [line.split() for line in rows.split("\n") if line.strip()]
    found = {(c, SIZE - 1 - i): sign for i, line in enumerate(lines) for c, sign in enumerate(line)}
    for _ in range(edge - 1):
        # A clockwise quarter turn brings the right edge to Blue.
        found = {(r, SIZE - 1 - c): sign for (c, r), sign in found.items()}
    return found


def place(name_: str) -> Place:
    """Return the square with the given name."""
    letters = name_.rstrip("0123456789")
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - ord("a") + 1
    return column - 1, int(name_[len(letters) :]) - 1


def name(at: Place) -> str:
    """Return the name of a square."""
    column, letters = at[0] + 1, ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return f"{letters}{at[1] + 1}"


def steps(a: Place, b: Place) -> int:
    """Return the distance between two squares in steps, which may be diagonal."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def around(data: BattleData, here: Place, far: int = 1) -> list[Place]:
    """Return the squares within the given distance."""
    ways = product(range(-far, far + 1), repeat=2)
    cells = ((here[0] + c, here[1] + r) for c, r in ways if c or r)
    return [cell for cell in cells if cell in data.ground]


def there(spot: Spot) -> dict[Place, list[str]]:
    """Return the units on each occupied square."""
    found: dict[Place, list[str]] = {}
    for man, cell in spot.at:
        found.setdefault(cell, []).append(man)
    return found


def open_(data: BattleData, cell: Place) -> bool:
    """Return whether a square is neither a building nor a wood."""
    return data.ground[cell] not in COVERED


def admits(data: BattleData, man: str, cell: Place) -> bool:
    """Return whether a unit may enter the terrain of a square."""
    return data.ground[cell] not in BARRED[data.men[man].arm]


def shares(data: BattleData, spot: Spot, man: str, cell: Place, others: Collection[str]) -> bool:
    """Return whether a unit may share a square with `others`.

    Only two infantry units of the same camp may share a square, on open terrain and not in square formation.
    """
    pair = [data.men[man], *(data.men[other] for other in others)]
    alike = all(one.arm == "foot" and one.camp == pair[0].camp for one in pair)
    return len(pair) == 2 and alike and open_(data, cell) and not spot.squares & set(others)


def linked(data: BattleData, spot: Spot, brigade: int) -> set[str]:
    """Return the units of a brigade that are linked to its brigadier."""
    at = {man: cell for man, cell in spot.at if data.men[man].brigade == brigade}
    chain = [data.leaders[brigade]] if data.leaders[brigade] in at else []
    for man in chain:
        chain += [other for other, cell in at.items() if other not in chain and steps(cell, at[man]) <= 1]
    return set(chain)


def walks(data: BattleData, spot: Spot, man: str) -> dict[Place, int]:
    """Return the squares on which a unit can end a move, with the minimum steps to each, including the road bonus."""
    taken, speed = there(spot), SPEED[data.men[man].arm]
    every = spread(data, spot, man, taken, roads=False)
    found = {cell: n for cell, n in every.items() if n <= speed}
    if data.ground[dict(spot.at)[man]] == "road":
        longer = spread(data, spot, man, taken, roads=True) if data.rulings["road_strict"] == "yes" else every
        bonus = {cell: n for cell, n in longer.items() if n == speed + 1 and data.ground[cell] == "road"}
        found = bonus | found
    return found


def spread(
    data: BattleData, spot: Spot, man: str, taken: Mapping[Place, list[str]], *, roads: bool
) -> dict[Place, int]:
    """Return the squares within one step more than a unit's movement.

    With `roads` only squares reached by road count.
    """
    here = dict(spot.at)[man]
    found, edge = {here: 0}, [here]
    for n in range(1, SPEED[data.men[man].arm] + 2):
        ahead = {cell for one in edge for cell in around(data, one) if cell not in found}
        ahead = {c for c in ahead if admits(data, man, c) and (not roads or data.ground[c] == "road")}
        found |= {cell: n for cell in ahead if may_end(data, spot, man, cell, taken.get(cell, ()))}
        edge = [cell for cell in ahead if cell not in taken]
    del found[here]
    return found


def may_end(data: BattleData, spot: Spot, man: str, cell: Place, others: Collection[str]) -> bool:
    """Return whether a move may end on a square occupied by `others`. An enemy brigadier makes room."""
    if not others:
        return True
    enemies = [other for other in others if data.men[other].camp != data.men[man].camp]
    return not any(data.men[o].fights for o in enemies) if enemies else shares(data, spot, man, cell, others)


def leaves(data: BattleData, spot: Spot, man: str) -> bool:
    """Return whether a unit may leave by the enemy's edge, which needs a fitting objective and one more step."""
    unit = data.men[man]
    if data.goal.kind != "break" or data.goal.camp != unit.camp or not unit.fights:
        return False
    last, taken = data.rows - 1 if unit.camp == 0 else 0, there(spot)
    near = spread(data, spot, man, taken, roads=False) | {dict(spot.at)[man]: 0}
    ends = [n for cell, n in near.items() if cell[1] == last and (not n or cell not in taken)]
    return min(ends, default=99) < SPEED[unit.arm]


def changes(data: BattleData, spot: Spot, man: str) -> bool:
    """Return whether infantry may dissolve or form a square formation.

    A formation can only be formed by a unit that is alone on open terrain.
    """
    cell = dict(spot.at)[man]
    return man in spot.squares or (there(spot)[cell] == [man] and open_(data, cell))


def step_aside_squares(data: BattleData, spot: Spot) -> list[Place]:
    """Return the squares to which a brigadier can step aside from an enemy."""
    (man,), taken = spot.about, there(spot)
    near = around(data, dict(spot.at)[man], 2)
    return [cell for cell in near if cell not in taken and admits(data, man, cell)]


def marches(data: BattleData, spot: Spot) -> Iterator[str]:
    """Yield every decision of the movement phase except ending it."""
    for man in spot.free:
        yield from (f"{man} {name(cell)}" for cell in walks(data, spot, man))
        if leaves(data, spot, man):
            yield f"{man} off"
    yield from (f"{man} square" for man in spot.forms if changes(data, spot, man))


def shots(data: BattleData, spot: Spot) -> Iterator[str]:
    """Yield every possible shot."""
    taken, at = there(spot), dict(spot.at)
    for gun in spot.still:
        if has_adjacent_enemy(data, spot, at[gun], 1 - spot.side):
            continue
        for cell, men in taken.items():
            target = data.men[men[0]]
            if target.camp == spot.side or not target.fights or has_adjacent_enemy(data, spot, cell, spot.side):
                continue
            if 2 <= steps(at[gun], cell) <= FAR and is_visible(data, frozenset(taken), at[gun], cell):
                yield f"{gun} > {name(cell)}"


def has_adjacent_enemy(data: BattleData, spot: Spot, cell: Place, camp: int) -> bool:
    """Return whether a fighting unit of the camp is adjacent to a square."""
    return any(
        data.men[man].camp == camp and data.men[man].fights and steps(other, cell) == 1 for man, other in spot.at
    )


def is_visible(data: BattleData, taken: Collection[Place], gun: Place, target: Place) -> bool:
    """Return whether at least half of a square is visible from a gun."""
    high = max(HEIGHT.get(data.ground[end], 0) for end in (gun, target))
    far = steps(gun, target)
    blocks = set()
    for cell in around(data, gun, far):
        of = data.ground[cell]
        hides = of in COVERED or HEIGHT.get(of, 0) > high or (not high and cell in taken)
        if hides and cell != target:
            blocks.add((cell[0] - gun[0], cell[1] - gun[1]))
    visible = share if data.rulings["sight"] == "share" else corners
    return visible((target[0] - gun[0], target[1] - gun[1]), frozenset(blocks)) >= Fraction(1, 2)


def entry(ray: tuple[Fraction, Fraction], cell: Place) -> Fraction | None:
    """Return the fraction of a ray from the middle of square (0, 0) at which the ray enters a square.

    The result is None if the ray misses the square.
    """
    low, high = Fraction(0), Fraction(10**6)
    for way, middle in zip(ray, (2 * cell[0], 2 * cell[1]), strict=True):
        if not way and abs(middle) >= 1:
            return None
        if way:
            near, far = sorted(((middle - 1) / way, (middle + 1) / way))
            low, high = max(low, near), min(high, far)
    return low if low < high else None


def outline(cell: Place) -> Iterator[Place]:
    """Yield the corners of a square, in half squares."""
    yield from ((2 * cell[0] + u, 2 * cell[1] + v) for u, v in product((-1, 1), repeat=2))


@lru_cache(100_000)
def share(target: Place, blocks: frozenset[Place]) -> Fraction:
    """Return the fraction of the target's width that is visible from the middle of square (0, 0)."""
    x, y = 2 * target[0], 2 * target[1]

    def across(cell: Place) -> list[Fraction]:
        # Offset of a corner from the line to the target's middle, divided by its distance along the line.
        return [Fraction(x * b - y * a, x * a + y * b) for a, b in outline(cell) if x * a + y * b > 0]

    left, right = min(across(target)), max(across(target))
    marks = sorted({left, right} | {t for cell in blocks for t in across(cell) if left < t < right})
    visible = Fraction(0)
    for one, next_ in pairwise(marks):
        off = (one + next_) / 2
        ray = x - off * y, y + off * x
        goal = entry(ray, target)
        assert goal is not None
        if not any(distance is not None and distance < goal for distance in (entry(ray, cell) for cell in blocks)):
            visible += next_ - one
    return visible / (right - left)


@lru_cache(100_000)
def corners(target: Place, blocks: frozenset[Place]) -> Fraction:
    """Return the fraction of the target's corners that are visible from the middle of square (0, 0)."""
    lines = [(Fraction(a), Fraction(b)) for a, b in outline(target)]
    hidden = [any((distance := entry(ray, cell)) is not None and distance < 1 for cell in blocks) for ray in lines]
    return Fraction(hidden.count(False), len(lines))


def melees(data: BattleData, spot: Spot) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the possible melees, each between the units of one square and those of one or more adjacent squares."""
    groups, foes = (_groups(data, spot, camp) for camp in (spot.side, 1 - spot.side))
    found = set()
    for cell, men in foes.items():
        found |= {(some, men) for some in _together(data, groups, cell)}
    for cell, men in groups.items():
        found |= {(men, some) for some in _together(data, foes, cell)}
    return found


def _groups(data: BattleData, spot: Spot, camp: int) -> dict[Place, tuple[str, ...]]:
    """Return the units of a camp that have not fought yet, keyed by square."""
    able = {
        cell: [m for m in men if data.men[m].fights and m not in spot.fought] for cell, men in there(spot).items()
    }
    return {cell: tuple(men) for cell, men in able.items() if men and data.men[men[0]].camp == camp}


def _together(data: BattleData, groups: Mapping[Place, tuple[str, ...]], cell: Place) -> Iterator[tuple[str, ...]]:
    """Yield every combination of squares adjacent to a square, as the units on these squares."""
    near = [men for other, men in groups.items() if steps(other, cell) == 1]
    order = list(data.men)
    for n in range(1, len(near) + 1):
        for some in combinations(near, n):
            yield tuple(sorted((man for men in some for man in men), key=order.index))


def dice(data: BattleData, spot: Spot, man: str, foes: Collection[str], *, defends: bool) -> int:
    """Return the number of dice that a unit rolls against the given enemies."""
    own_arm, enemies = data.men[man].arm, [data.men[foe].arm for foe in foes]
    horse = all(arm == "horse" for arm in enemies)
    foot = all(arm == "foot" for arm in enemies)
    boxed, loose = spot.squares.issuperset(foes), not spot.squares.intersection(foes)
    more = own_arm == "horse" and foot and loose
    more |= own_arm == "foot" and man in spot.squares and horse
    more |= own_arm == "foot" and man not in spot.squares and foot and boxed
    housed = defends and own_arm == "foot" and data.ground[dict(spot.at)[man]] == "building"
    return 1 + more + housed


def _all_dice(data: BattleData, spot: Spot) -> list[int]:
    """Return the number of dice of each unit in a melee, attackers first."""
    attackers, foes = spot.about[:2]
    return [dice(data, spot, man, foes, defends=False) for man in attackers] + [
        dice(data, spot, man, attackers, defends=True) for man in foes
    ]


def begin(data: BattleData, first: int) -> Spot:
    """Return the position at the start of a battle."""
    at = tuple((man, data.start[man]) for man in data.men if man in data.start)
    spot = _settled(data, Spot("", first, 0, at, squares=data.squared))
    return _turn(data, spot)


def moves(data: BattleData, spot: Spot) -> list[str]:
    """Return every decision that may be typed. The list is empty if dice are to be rolled or the battle is over."""
    if spot.waits == "move":
        return [*marches(data, spot), "-"]
    if spot.waits == "aside":
        return [f"{spot.about[0]} {name(cell)}" for cell in step_aside_squares(data, spot)]
    if spot.waits == "fire":
        return [*shots(data, spot), "-"]
    if spot.waits == "melee":
        return [f"{'+'.join(attackers)} x {'+'.join(foes)}" for attackers, foes in melees(data, spot)]
    if spot.waits == "again":
        return ["again", "keep"]
    return list(spot.about[1]) if spot.waits == "lose" else []


def to_move(data: BattleData, spot: Spot) -> int:
    """Return the player to decide, 0 for Blue and 1 for Red. Add 2 if this player rolls dice."""
    if spot.waits in ("aside", "lose"):
        return data.men[spot.about[0] if spot.waits == "aside" else spot.about[1][0]].camp
    if spot.waits == "rally":
        return 2 + data.men[spot.about[0][0]].camp
    if spot.waits == "roll":
        attackers, foes, values = spot.about
        return 2 + data.men[(attackers + foes)[len(values)]].camp
    if spot.waits in ("again", "rethrow"):
        return int(spot.about[3]) + 2 * (spot.waits == "rethrow")
    return spot.side + 2 * (spot.waits in ("hit", "effect"))


def act(data: BattleData, spot: Spot, decision: str) -> Spot:
    """Return the position after a decision."""
    if decision == "-":
        return _fire(data, spot) if spot.waits == "move" else _melee(data, spot)
    if spot.waits == "move":
        return _moved(data, spot, *decision.split())
    if spot.waits == "aside":
        return _move(_placed(replace(spot, about=()), spot.about[0], place(decision.split()[1])))
    if spot.waits == "fire":
        gun, cell = decision.split(" > ")
        return replace(spot, waits="hit", still=spot.still - {gun}, about=(gun, place(cell)))
    if spot.waits == "melee":
        attackers, foes = (tuple(men.split("+")) for men in decision.split(" x "))
        return replace(spot, waits="roll", about=(attackers, foes, ()))
    if spot.waits == "again":
        return replace(spot, waits="rethrow") if decision == "again" else _offer_rerolls(data, spot, *spot.about)
    assert spot.waits == "lose"
    return _apply_loss(data, spot, spot.about[0], decision)


def _moved(data: BattleData, spot: Spot, man: str, what: str) -> Spot:
    done = {man}
    spot = replace(spot, free=spot.free - done, forms=spot.forms - done, still=spot.still - done)
    if what == "square":
        return _move(replace(spot, squares=spot.squares ^ done))
    if what == "off":
        return _move(_settled(data, replace(_gone(spot, man), off=spot.off | done)))
    cell = place(what)
    enemy = next((other for other in there(spot).get(cell, ()) if data.men[other].camp != spot.side), None)
    spot = _placed(spot, man, cell)
    if enemy is None:
        return _move(spot)
    come_upon = replace(spot, waits="aside", about=(enemy,))
    return come_upon if step_aside_squares(data, come_upon) else _move(_settled(data, _gone(spot, enemy)))


def _placed(spot: Spot, man: str, cell: Place) -> Spot:
    return replace(spot, at=tuple((m, cell if m == man else here) for m, here in spot.at))


def _gone(spot: Spot, man: str) -> Spot:
    return replace(
        spot,
        at=tuple((m, here) for m, here in spot.at if m != man),
        squares=spot.squares - {man},
        held=spot.held - {man},
        fought=spot.fought - {man},
    )


def _turn(data: BattleData, spot: Spot) -> Spot:
    """Start a player's turn, in which linked units may move."""
    if spot.waits == "over":
        return spot
    able = {man for man, _ in spot.at if data.men[man].camp == spot.side}
    chains = set[str]().union(*(linked(data, spot, brigade) for brigade in range(len(data.brigades))))
    return _move(
        replace(
            spot,
            free=frozenset(able & chains - spot.held - spot.squares),
            forms=frozenset(man for man in able - spot.held if data.men[man].arm == "foot"),
            still=frozenset(man for man in able if data.men[man].arm == "gun"),
        ),
    )


def _move(spot: Spot) -> Spot:
    return spot if spot.waits == "over" else replace(spot, waits="move")


def _fire(data: BattleData, spot: Spot) -> Spot:
    held = frozenset(man for man in spot.held if data.men[man].camp != spot.side)
    spot = replace(spot, waits="fire", free=frozenset(), forms=frozenset(), held=held, about=())
    return spot if any(True for _ in shots(data, spot)) else _melee(data, spot)


def _melee(data: BattleData, spot: Spot) -> Spot:
    spot = replace(spot, waits="melee", still=frozenset(), about=())
    return spot if melees(data, spot) else _ends(data, spot)


def _on(data: BattleData, spot: Spot, stage: str) -> Spot:
    spot = _settled(data, replace(spot, about=()))
    if spot.waits == "over":
        return spot
    return _fire(data, spot) if stage == "fire" else _melee(data, spot)


def _ends(data: BattleData, spot: Spot) -> Spot:
    """End a player's turn. The second player's turn also ends the round."""
    spot = replace(spot, turns=spot.turns + 1, fought=frozenset())
    if spot.turns % 2 == 0:
        spot = _round(data, spot)
    return spot if spot.waits == "over" else _turn(data, replace(spot, side=1 - spot.side))


def _round(data: BattleData, spot: Spot) -> Spot:
    """Evaluate the objectives at the end of a round."""
    goal, played = data.goal, spot.turns // 2
    if goal.kind == "hold":
        inside = {data.men[man].camp for man, cell in spot.at if cell in goal.cells and data.men[man].fights}
        spot = replace(spot, kept=spot.kept + 1 if inside == {goal.camp} else 0)
    last = replace(spot, turns=spot.turns - 1)
    if (goal.kind == "hold" and spot.kept == goal.count) or (goal.kind == "survive" and played == goal.count):
        return _won(last, goal.camp)
    if played < data.rounds:
        return spot
    if goal.kind in ("brigades", "survive"):
        counts = [len(left(data, spot, camp)) for camp in (0, 1)]
        return _won(last, None if counts[0] == counts[1] else int(counts[1] > counts[0]))
    # A protected unit has survived. Any other objective was not reached in time.
    return _won(last, goal.camp if goal.kind == "protect" else 1 - goal.camp)


def left(data: BattleData, spot: Spot, camp: int) -> list[str]:
    """Return the fighting units of a camp that have not been removed."""
    every = [man for man, _ in spot.at] + list(spot.off)
    return [man for man in every if data.men[man].camp == camp and data.men[man].fights]


def destroyed(data: BattleData, spot: Spot, camp: int) -> list[int]:
    """Return the destroyed brigades of a camp."""
    whole = {man for man, _ in spot.at} | spot.off
    brigades = [i for i, leader in enumerate(data.leaders) if data.men[leader].camp == camp]
    return [i for i in brigades if not whole.intersection(data.brigades[i])]


def _settled(data: BattleData, spot: Spot) -> Spot:
    """Remove brigadiers of destroyed brigades, and end the battle if it is won."""
    goal = data.goal
    for camp in (0, 1):
        lost = destroyed(data, spot, camp)
        for brigade in lost:
            spot = _gone(spot, data.leaders[brigade])
        armies = sum(data.men[leader].camp == camp for leader in data.leaders)
        if 3 * len(lost) >= 2 * armies:
            return _won(spot, 1 - camp)
    if goal.kind == "protect" and not goal.men <= {man for man, _ in spot.at} | spot.off:
        return _won(spot, 1 - goal.camp)
    if goal.kind == "break" and len(spot.off) >= goal.count:
        return _won(spot, goal.camp)
    if goal.kind == "destroy":
        whole = sum(man.camp != goal.camp and man.fights for man in data.men.values())
        if whole - len(left(data, spot, 1 - goal.camp)) >= goal.count:
            return _won(spot, goal.camp)
    return spot


def _won(spot: Spot, winner: int | None) -> Spot:
    """Return the position after the end of a battle, with only the round and the remaining units."""
    return Spot("over", spot.side, spot.turns, spot.at, spot.off, winner=winner)


def rounds(spot: Spot) -> int:
    """Return the number of the current round, starting at 1."""
    return spot.turns // 2 + 1


def results_of_roll(data: BattleData, spot: Spot) -> Counter[Spot]:
    """Return every position after a roll, with the number of ways to reach it."""
    after: Counter[Spot] = Counter()
    for leads, often in outcomes(data, spot):
        after[leads] += often
    return after


def outcomes(data: BattleData, spot: Spot) -> list[tuple[Spot, int]]:
    """Return the position after each face of the highest die, with the number of ways to get it."""
    count = 1
    if spot.waits == "roll":
        count = _all_dice(data, spot)[len(spot.about[2])]
    often = Counter(max(roll) for roll in product(FACES, repeat=count))
    return [(_fell(data, spot, face), often[face]) for face in FACES]


def _fell(data: BattleData, spot: Spot, face: int) -> Spot:
    if spot.waits == "hit":
        gun, cell = spot.about
        more = massed(data, spot, cell) and data.rulings["massed"] == "hit"
        hits = face + more >= steps(dict(spot.at)[gun], cell)
        return replace(spot, waits="effect") if hits else _on(data, spot, "fire")
    if spot.waits == "effect":
        return _resolve_hit(data, spot, face)
    if spot.waits == "rally":
        (man, *others), stage = spot.about
        stops = face >= RALLIES.get(data.men[man].kind, RALLY)
        spot = _settled(data, replace(_placed_at_edge(data, spot, man) if stops else _gone(spot, man), about=()))
        if spot.waits == "over" or not others:
            return _on(data, spot, stage)
        return replace(spot, about=(tuple(others), stage))
    attackers, foes, values = spot.about[:3]
    if spot.waits == "rethrow":
        return _offer_rerolls(data, spot, attackers, foes, _after_reroll(data, spot, face), spot.about[3])
    assert spot.waits == "roll"
    values = (*values, face)
    if len(values) < len(attackers) + len(foes):
        return replace(spot, about=(attackers, foes, values))
    return _offer_rerolls(data, spot, attackers, foes, values, -1)


def massed(data: BattleData, spot: Spot, cell: Place) -> bool:
    """Return whether a square contains two units or a unit in square formation."""
    men = there(spot)[cell]
    return len(men) > 1 or men[0] in spot.squares


def _resolve_hit(data: BattleData, spot: Spot, face: int) -> Spot:
    """Resolve a gun's hit with one die for all units on the square."""
    cell = spot.about[1]
    face += massed(data, spot, cell) and data.rulings["massed"] == "effect"
    face -= data.ground[cell] in COVERED
    men = there(spot)[cell]
    if face == 5:
        return replace(spot, waits="rally", about=(tuple(men), "fire"))
    if face == 4:
        spot = replace(spot, held=spot.held | set(men))
    for man in men if face >= 6 else ():
        spot = _gone(spot, man)
    return _on(data, spot, "fire")


def _placed_at_edge(data: BattleData, spot: Spot, man: str) -> Spot:
    """Place a rallied unit on the edge to which it ran. The unit cannot move in its player's next movement phase."""
    cell = _refuge(data, spot, man)
    if cell is None:
        return _gone(spot, man)
    return replace(_placed(spot, man, cell), squares=spot.squares - {man}, held=spot.held | {man})


def _refuge(data: BattleData, spot: Spot, man: str) -> Place | None:
    """Return the free square on the edge to which a unit runs, or None."""
    camp, taken = data.men[man].camp, there(_gone(spot, man))
    here = _as_owner(data, dict(spot.at)[man], camp)
    right, far = data.columns - 1, data.rows - 1
    ways = {"own": here[1], "left": here[0], "right": right - here[0], "enemy": far - here[1]}
    way = "own" if data.rulings["run_edge"] == "own" else min(ways, key=lambda w: ways[w])
    lines = {
        "own": [(c, 0) for c in range(data.columns)],
        "left": [(0, r) for r in range(data.rows)],
        "right": [(right, r) for r in range(data.rows)],
        "enemy": [(c, far) for c in range(data.columns)],
    }
    along = 0 if way in ("own", "enemy") else 1
    # Prefer the square nearest to the point straight ahead, then nearest to the player's edge, then farthest to the
    # left.
    order = sorted(lines[way], key=lambda cell: (abs(cell[along] - here[along]), cell[1], cell[0]))
    free = (_as_owner(data, cell, camp) for cell in order)
    return next((cell for cell in free if cell not in taken and admits(data, man, cell)), None)


def _as_owner(data: BattleData, cell: Place, camp: int) -> Place:
    """Convert a square to the view of a camp, counted from its left and its edge. The function is its own inverse."""
    return cell if camp == 0 else (data.columns - 1 - cell[0], data.rows - 1 - cell[1])


def _after_reroll(data: BattleData, spot: Spot, face: int) -> tuple[int, ...]:
    """Return the highest die of each unit in a melee after a side has re-rolled its lowest die."""
    attackers, foes, values, who = spot.about
    indices = range(len(attackers)) if who == spot.side else range(len(attackers), len(values))
    if sum(_all_dice(data, spot)[i] for i in indices) > 1:
        at = next(i for i in indices if data.men[(attackers + foes)[i]].kind in AGAIN)
        face = max(face, values[at])
    else:
        (at,) = indices
    return (*values[:at], face, *values[at + 1 :])


def _offer_rerolls(
    data: BattleData,
    spot: Spot,
    attackers: tuple[str, ...],
    foes: tuple[str, ...],
    values: tuple[int, ...],
    previous: int,
) -> Spot:
    """Ask each player who may re-roll, starting with the defender. Then resolve the melee."""
    turn = [(1 - spot.side, foes), (spot.side, attackers)]
    if previous >= 0:
        turn = turn[1:] if previous == 1 - spot.side else []
    for camp, men in turn:
        if any(data.men[man].kind in AGAIN for man in men):
            return replace(spot, waits="again", about=(attackers, foes, values, camp))
    ours, defence_faces = values[: len(attackers)], values[len(attackers) :]
    by = max(ours) - max(defence_faces)
    spot = replace(spot, fought=spot.fought | {*attackers, *foes}, about=())
    if by == 0:
        return _on(data, spot, "melee")
    losers, faces = (foes, defence_faces) if by > 0 else (attackers, ours)
    what = BEFALLS.get(abs(by), "removed")
    if what == "removed":
        losers = tuple(man for man, face in zip(losers, faces, strict=True) if face == max(faces))
    if len(losers) > 1:
        return replace(spot, waits="lose", about=(what, losers))
    return _apply_loss(data, spot, what, losers[0])


def _apply_loss(data: BattleData, spot: Spot, what: str, man: str) -> Spot:
    """Apply the result of a lost melee to a unit."""
    spot = replace(spot, about=())
    at, unit = dict(spot.at), data.men[man]
    if what == "removed":
        return _on(data, _gone(spot, man), "melee")
    if what == "back" and _behind(data, man, at[man]) in data.ground:
        return _on(data, _back(data, spot, man) or spot, "melee")
    # The unit runs. A unit that would be pushed off the board also runs.
    leader = data.leaders[unit.brigade]
    if data.rulings["brigadier_rally"] == "automatic" and leader in at and steps(at[leader], at[man]) == 1:
        return _on(data, _placed_at_edge(data, spot, man), "melee")
    return replace(spot, waits="rally", about=((man,), "melee"))


def _behind(data: BattleData, man: str, cell: Place) -> Place:
    return cell[0], cell[1] - (1 if data.men[man].camp == 0 else -1)


def _back(data: BattleData, spot: Spot, man: str) -> Spot | None:
    """Move a unit back by one square and push friends in the way. Return None if this is impossible."""
    cell = _behind(data, man, dict(spot.at)[man])
    if cell not in data.ground or not admits(data, man, cell):
        return None
    others = there(spot).get(cell, [])
    if any(data.men[other].camp != data.men[man].camp for other in others):
        return None
    if others and not shares(data, spot, man, cell, others):
        # Two units on a square move back together, or neither moves.
        behind = _behind(data, man, cell)
        if len(others) > 1 and not (behind in data.ground and open_(data, behind)):
            return None
        for other in others:
            pushed = _back(data, spot, other)
            if pushed is None:
                return None
            spot = pushed
    return replace(_placed(spot, man, cell), squares=spot.squares - {man})
