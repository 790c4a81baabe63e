"""A slow implementation of Travel Battle's rules of play: legal decisions, and the result of every roll.

It is written from the seed's text, shares no code with the generator and reads the scenario's text itself. Gaps in
the seed are filled by the readings printed in every kit and, beyond these, by docs/players.md. A decision is the text
that a player types.
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
"""Column from Blue's left and row from Blue's edge, from 0."""

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
"""Result of a lost melee by its difference; from 3 on the loser is removed."""


@dataclass(frozen=True)
class Man:
    """A unit's unchanging data."""

    id: str
    camp: int
    brigade: int
    """Index over the brigades of both camps."""
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
class Book:
    """The data of a battle that do not change."""

    columns: int
    rows: int
    ground: Mapping[Place, str]
    men: Mapping[str, Man]
    """In the order of the armies, Blue's first."""
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
    """A battle at one moment."""

    waits: str
    side: int
    """The player whose turn it is."""
    turns: int
    """Number of completed player turns."""
    at: tuple[tuple[str, Place], ...]
    """The units on the field, in the order of the armies."""
    off: frozenset[str] = frozenset()
    """Units that left by the enemy's edge."""
    squares: frozenset[str] = frozenset()
    """Units in square."""
    held: frozenset[str] = frozenset()
    """Units that cannot move in their player's next or present movement."""
    free: frozenset[str] = frozenset()
    """Units that may still move."""
    forms: frozenset[str] = frozenset()
    """Units that may still form or dissolve square, apart from their surroundings."""
    still: frozenset[str] = frozenset()
    """Guns that have neither moved nor fired."""
    fought: frozenset[str] = frozenset()
    about: tuple[Any, ...] = ()
    """The subject of the present decision or roll."""
    kept: int = 0
    """Number of consecutive rounds in which the zone was held."""
    winner: int | None = None
    """The winner; None before the end and for a draw."""


# The scenario file


def read(text: str) -> Book:
    """Read a scenario's file; units are named by their ids in it."""
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
    return Book(*size, ground, men, *of, rulings, goal, last, first, start, frozenset(squared))


def drawn(rows: str, edge: int) -> dict[Place, str]:
    """Return a board's signs with that edge towards Blue: 1 near, 2 right, 3 far, 4 left.

    The text has the far row first.
    """
    lines = [line.split() for line in rows.split("\n") if line.strip()]
    found = {(c, SIZE - 1 - i): sign for i, line in enumerate(lines) for c, sign in enumerate(line)}
    for _ in range(edge - 1):
        # A quarter turn clockwise brings the right edge down to Blue.
        found = {(r, SIZE - 1 - c): sign for (c, r), sign in found.items()}
    return found


def place(name_: str) -> Place:
    """Return the square of a name."""
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


# The field


def steps(a: Place, b: Place) -> int:
    """Return the distance between two squares, with diagonal steps."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def around(book: Book, here: Place, far: int = 1) -> list[Place]:
    """Return the squares within that distance."""
    ways = product(range(-far, far + 1), repeat=2)
    cells = ((here[0] + c, here[1] + r) for c, r in ways if c or r)
    return [cell for cell in cells if cell in book.ground]


def there(spot: Spot) -> dict[Place, list[str]]:
    """Return the units on each occupied square."""
    found: dict[Place, list[str]] = {}
    for man, cell in spot.at:
        found.setdefault(cell, []).append(man)
    return found


def open_(book: Book, cell: Place) -> bool:
    """Return whether a square is neither building nor wood."""
    return book.ground[cell] not in COVERED


def admits(book: Book, man: str, cell: Place) -> bool:
    """Return whether a unit's arm may be on that terrain."""
    return book.ground[cell] not in BARRED[book.men[man].arm]


def shares(book: Book, spot: Spot, man: str, cell: Place, others: Collection[str]) -> bool:
    """Return whether infantry may share a square: with one other infantry unit, on open terrain, not in square."""
    pair = [book.men[man], *(book.men[other] for other in others)]
    alike = all(one.arm == "foot" and one.camp == pair[0].camp for one in pair)
    return len(pair) == 2 and alike and open_(book, cell) and not spot.squares & set(others)


# Movement


def linked(book: Book, spot: Spot, brigade: int) -> set[str]:
    """Return the units of a brigade that are linked to its brigadier."""
    at = {man: cell for man, cell in spot.at if book.men[man].brigade == brigade}
    chain = [book.leaders[brigade]] if book.leaders[brigade] in at else []
    for man in chain:
        chain += [other for other, cell in at.items() if other not in chain and steps(cell, at[man]) <= 1]
    return set(chain)


def walks(book: Book, spot: Spot, man: str) -> dict[Place, int]:
    """Return the squares on which a unit may end a move, with the fewest steps, including the road bonus."""
    taken, speed = there(spot), SPEED[book.men[man].arm]
    every = spread(book, spot, man, taken, roads=False)
    found = {cell: n for cell, n in every.items() if n <= speed}
    if book.ground[dict(spot.at)[man]] == "road":
        longer = spread(book, spot, man, taken, roads=True) if book.rulings["road_strict"] == "yes" else every
        bonus = {cell: n for cell, n in longer.items() if n == speed + 1 and book.ground[cell] == "road"}
        found = bonus | found
    return found


def spread(book: Book, spot: Spot, man: str, taken: Mapping[Place, list[str]], *, roads: bool) -> dict[Place, int]:
    """Return the squares within a unit's steps plus one; with `roads` only those reached by road."""
    here = dict(spot.at)[man]
    found, edge = {here: 0}, [here]
    for n in range(1, SPEED[book.men[man].arm] + 2):
        ahead = {cell for one in edge for cell in around(book, one) if cell not in found}
        ahead = {c for c in ahead if admits(book, man, c) and (not roads or book.ground[c] == "road")}
        found |= {cell: n for cell in ahead if may_end(book, spot, man, cell, taken.get(cell, ()))}
        edge = [cell for cell in ahead if cell not in taken]
    del found[here]
    return found


def may_end(book: Book, spot: Spot, man: str, cell: Place, others: Collection[str]) -> bool:
    """Return whether a move may end on a square with these units: an enemy brigadier makes room."""
    if not others:
        return True
    enemies = [other for other in others if book.men[other].camp != book.men[man].camp]
    return not any(book.men[o].fights for o in enemies) if enemies else shares(book, spot, man, cell, others)


def leaves(book: Book, spot: Spot, man: str) -> bool:
    """Return whether a unit may leave by the enemy's edge: its objective allows it and it has a step left there."""
    own = book.men[man]
    if book.goal.kind != "break" or book.goal.camp != own.camp or not own.fights:
        return False
    last, taken = book.rows - 1 if own.camp == 0 else 0, there(spot)
    near = spread(book, spot, man, taken, roads=False) | {dict(spot.at)[man]: 0}
    ends = [n for cell, n in near.items() if cell[1] == last and (not n or cell not in taken)]
    return min(ends, default=99) < SPEED[own.arm]


def changes(book: Book, spot: Spot, man: str) -> bool:
    """Return whether infantry may dissolve its square, or form one: alone and on open terrain."""
    cell = dict(spot.at)[man]
    return man in spot.squares or (there(spot)[cell] == [man] and open_(book, cell))


def asides(book: Book, spot: Spot) -> list[Place]:
    """Return the squares to which a brigadier may step aside from an enemy."""
    (man,), taken = spot.about, there(spot)
    near = around(book, dict(spot.at)[man], 2)
    return [cell for cell in near if cell not in taken and admits(book, man, cell)]


def marches(book: Book, spot: Spot) -> Iterator[str]:
    """Yield every decision of the movement phase except ending it."""
    for man in spot.free:
        yield from (f"{man} {name(cell)}" for cell in walks(book, spot, man))
        if leaves(book, spot, man):
            yield f"{man} off"
    yield from (f"{man} square" for man in spot.forms if changes(book, spot, man))


# Guns


def shots(book: Book, spot: Spot) -> Iterator[str]:
    """Yield every possible shot."""
    taken, at = there(spot), dict(spot.at)
    for gun in spot.still:
        if touched(book, spot, at[gun], 1 - spot.side):
            continue
        for cell, men in taken.items():
            target = book.men[men[0]]
            if target.camp == spot.side or not target.fights or touched(book, spot, cell, spot.side):
                continue
            if 2 <= steps(at[gun], cell) <= FAR and seen(book, frozenset(taken), at[gun], cell):
                yield f"{gun} > {name(cell)}"


def touched(book: Book, spot: Spot, cell: Place, camp: int) -> bool:
    """Return whether a fighting unit of that camp is next to a square."""
    return any(
        book.men[man].camp == camp and book.men[man].fights and steps(other, cell) == 1 for man, other in spot.at
    )


def seen(book: Book, taken: Collection[Place], gun: Place, target: Place) -> bool:
    """Return whether at least half of a square is visible from a gun."""
    high = max(HEIGHT.get(book.ground[end], 0) for end in (gun, target))
    far = steps(gun, target)
    blocks = set()
    for cell in around(book, gun, far):
        of = book.ground[cell]
        hides = of in COVERED or HEIGHT.get(of, 0) > high or (not high and cell in taken)
        if hides and cell != target:
            blocks.add((cell[0] - gun[0], cell[1] - gun[1]))
    shown = share if book.rulings["sight"] == "share" else corners
    return shown((target[0] - gun[0], target[1] - gun[1]), frozenset(blocks)) >= Fraction(1, 2)


def entry(ray: tuple[Fraction, Fraction], cell: Place) -> Fraction | None:
    """Return the distance at which a ray from the middle of square (0, 0) enters another square, in half squares."""
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
    """Return the share of the target's width that is visible from the middle of square (0, 0)."""
    x, y = 2 * target[0], 2 * target[1]

    def across(cell: Place) -> list[Fraction]:
        # Offset of a corner from the line to the target's middle, relative to its distance along the line.
        return [Fraction(x * b - y * a, x * a + y * b) for a, b in outline(cell) if x * a + y * b > 0]

    left, right = min(across(target)), max(across(target))
    marks = sorted({left, right} | {t for cell in blocks for t in across(cell) if left < t < right})
    shown = Fraction(0)
    for one, next_ in pairwise(marks):
        off = (one + next_) / 2
        ray = x - off * y, y + off * x
        goal = entry(ray, target)
        assert goal is not None
        if not any(met is not None and met < goal for met in (entry(ray, cell) for cell in blocks)):
            shown += next_ - one
    return shown / (right - left)


@lru_cache(100_000)
def corners(target: Place, blocks: frozenset[Place]) -> Fraction:
    """Return the share of the target's corners that are visible from the middle of square (0, 0)."""
    lines = [(Fraction(a), Fraction(b)) for a, b in outline(target)]
    hidden = [any((met := entry(ray, cell)) is not None and met < 1 for cell in blocks) for ray in lines]
    return Fraction(hidden.count(False), len(lines))


# Melee


def melees(book: Book, spot: Spot) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the possible melees: the units of one square against those of one or more squares next to it."""
    own, foes = (_groups(book, spot, camp) for camp in (spot.side, 1 - spot.side))
    found = set()
    for cell, men in foes.items():
        found |= {(some, men) for some in _together(book, own, cell)}
    for cell, men in own.items():
        found |= {(men, some) for some in _together(book, foes, cell)}
    return found


def _groups(book: Book, spot: Spot, camp: int) -> dict[Place, tuple[str, ...]]:
    """Return the units of a camp that have not fought yet, by square."""
    able = {
        cell: [m for m in men if book.men[m].fights and m not in spot.fought] for cell, men in there(spot).items()
    }
    return {cell: tuple(men) for cell, men in able.items() if men and book.men[men[0]].camp == camp}


def _together(book: Book, groups: Mapping[Place, tuple[str, ...]], cell: Place) -> Iterator[tuple[str, ...]]:
    """Yield every choice of squares next to a square, each with all its units."""
    near = [men for other, men in groups.items() if steps(other, cell) == 1]
    order = list(book.men)
    for n in range(1, len(near) + 1):
        for some in combinations(near, n):
            yield tuple(sorted((man for men in some for man in men), key=order.index))


def dice(book: Book, spot: Spot, man: str, foes: Collection[str], *, defends: bool) -> int:
    """Return the number of dice that a unit rolls against these."""
    own, enemies = book.men[man].arm, [book.men[foe].arm for foe in foes]
    horse = all(arm == "horse" for arm in enemies)
    foot = all(arm == "foot" for arm in enemies)
    boxed, loose = spot.squares.issuperset(foes), not spot.squares.intersection(foes)
    more = own == "horse" and foot and loose
    more |= own == "foot" and man in spot.squares and horse
    more |= own == "foot" and man not in spot.squares and foot and boxed
    housed = defends and own == "foot" and book.ground[dict(spot.at)[man]] == "building"
    return 1 + more + housed


def _all_dice(book: Book, spot: Spot) -> list[int]:
    """Return the number of dice of each unit in a melee, attackers first."""
    own, foes = spot.about[:2]
    return [dice(book, spot, man, foes, defends=False) for man in own] + [
        dice(book, spot, man, own, defends=True) for man in foes
    ]


# Decisions


def begin(book: Book, first: int) -> Spot:
    """Return the battle as it is set up."""
    at = tuple((man, book.start[man]) for man in book.men if man in book.start)
    spot = _settled(book, Spot("", first, 0, at, squares=book.squared))
    return _turn(book, spot)


def moves(book: Book, spot: Spot) -> list[str]:
    """Return every decision that may be typed; none if dice are to be rolled or the battle is over."""
    if spot.waits == "move":
        return [*marches(book, spot), "-"]
    if spot.waits == "aside":
        return [f"{spot.about[0]} {name(cell)}" for cell in asides(book, spot)]
    if spot.waits == "fire":
        return [*shots(book, spot), "-"]
    if spot.waits == "melee":
        return [f"{'+'.join(own)} x {'+'.join(foes)}" for own, foes in melees(book, spot)]
    if spot.waits == "again":
        return ["again", "keep"]
    return list(spot.about[1]) if spot.waits == "lose" else []


def awaits(book: Book, spot: Spot) -> int:
    """Return the player to decide, 0 for Blue and 1 for Red; 2 more if that player rolls dice."""
    if spot.waits in ("aside", "lose"):
        return book.men[spot.about[0] if spot.waits == "aside" else spot.about[1][0]].camp
    if spot.waits == "rally":
        return 2 + book.men[spot.about[0][0]].camp
    if spot.waits == "roll":
        own, foes, values = spot.about
        return 2 + book.men[(own + foes)[len(values)]].camp
    if spot.waits in ("again", "rethrow"):
        return int(spot.about[3]) + 2 * (spot.waits == "rethrow")
    return spot.side + 2 * (spot.waits in ("hit", "effect"))


def act(book: Book, spot: Spot, typed: str) -> Spot:
    """Return the position after a decision."""
    if typed == "-":
        return _fire(book, spot) if spot.waits == "move" else _melee(book, spot)
    if spot.waits == "move":
        return _moved(book, spot, *typed.split())
    if spot.waits == "aside":
        return _move(_placed(replace(spot, about=()), spot.about[0], place(typed.split()[1])))
    if spot.waits == "fire":
        gun, cell = typed.split(" > ")
        return replace(spot, waits="hit", still=spot.still - {gun}, about=(gun, place(cell)))
    if spot.waits == "melee":
        own, foes = (tuple(men.split("+")) for men in typed.split(" x "))
        return replace(spot, waits="roll", about=(own, foes, ()))
    if spot.waits == "again":
        return replace(spot, waits="rethrow") if typed == "again" else _asked(book, spot, *spot.about)
    assert spot.waits == "lose"
    return _suffers(book, spot, spot.about[0], typed)


def _moved(book: Book, spot: Spot, man: str, what: str) -> Spot:
    done = {man}
    spot = replace(spot, free=spot.free - done, forms=spot.forms - done, still=spot.still - done)
    if what == "square":
        return _move(replace(spot, squares=spot.squares ^ done))
    if what == "off":
        return _move(_settled(book, replace(_gone(spot, man), off=spot.off | done)))
    cell = place(what)
    enemy = next((other for other in there(spot).get(cell, ()) if book.men[other].camp != spot.side), None)
    spot = _placed(spot, man, cell)
    if enemy is None:
        return _move(spot)
    come_upon = replace(spot, waits="aside", about=(enemy,))
    return come_upon if asides(book, come_upon) else _move(_settled(book, _gone(spot, enemy)))


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


# The course of a turn


def _turn(book: Book, spot: Spot) -> Spot:
    """Begin a player's turn: linked units may move."""
    if spot.waits == "over":
        return spot
    able = {man for man, _ in spot.at if book.men[man].camp == spot.side}
    chains = set[str]().union(*(linked(book, spot, brigade) for brigade in range(len(book.brigades))))
    return _move(
        replace(
            spot,
            free=frozenset(able & chains - spot.held - spot.squares),
            forms=frozenset(man for man in able - spot.held if book.men[man].arm == "foot"),
            still=frozenset(man for man in able if book.men[man].arm == "gun"),
        ),
    )


def _move(spot: Spot) -> Spot:
    return spot if spot.waits == "over" else replace(spot, waits="move")


def _fire(book: Book, spot: Spot) -> Spot:
    held = frozenset(man for man in spot.held if book.men[man].camp != spot.side)
    spot = replace(spot, waits="fire", free=frozenset(), forms=frozenset(), held=held, about=())
    return spot if any(True for _ in shots(book, spot)) else _melee(book, spot)


def _melee(book: Book, spot: Spot) -> Spot:
    spot = replace(spot, waits="melee", still=frozenset(), about=())
    return spot if melees(book, spot) else _ends(book, spot)


def _on(book: Book, spot: Spot, stage: str) -> Spot:
    spot = _settled(book, replace(spot, about=()))
    if spot.waits == "over":
        return spot
    return _fire(book, spot) if stage == "fire" else _melee(book, spot)


def _ends(book: Book, spot: Spot) -> Spot:
    """End a player's turn, and a round after the second player's."""
    spot = replace(spot, turns=spot.turns + 1, fought=frozenset())
    if spot.turns % 2 == 0:
        spot = _round(book, spot)
    return spot if spot.waits == "over" else _turn(book, replace(spot, side=1 - spot.side))


def _round(book: Book, spot: Spot) -> Spot:
    """Decide the objectives at the end of a round."""
    goal, played = book.goal, spot.turns // 2
    if goal.kind == "hold":
        inside = {book.men[man].camp for man, cell in spot.at if cell in goal.cells and book.men[man].fights}
        spot = replace(spot, kept=spot.kept + 1 if inside == {goal.camp} else 0)
    last = replace(spot, turns=spot.turns - 1)
    if (goal.kind == "hold" and spot.kept == goal.count) or (goal.kind == "survive" and played == goal.count):
        return _won(last, goal.camp)
    if played < book.rounds:
        return spot
    if goal.kind in ("brigades", "survive"):
        counts = [len(left(book, spot, camp)) for camp in (0, 1)]
        return _won(last, None if counts[0] == counts[1] else int(counts[1] > counts[0]))
    # A protected unit has survived; any other objective was not reached in time.
    return _won(last, goal.camp if goal.kind == "protect" else 1 - goal.camp)


def left(book: Book, spot: Spot, camp: int) -> list[str]:
    """Return the fighting units of a camp that have not been removed."""
    every = [man for man, _ in spot.at] + list(spot.off)
    return [man for man in every if book.men[man].camp == camp and book.men[man].fights]


def destroyed(book: Book, spot: Spot, camp: int) -> list[int]:
    """Return the destroyed brigades of a camp."""
    whole = {man for man, _ in spot.at} | spot.off
    mine = [i for i, leader in enumerate(book.leaders) if book.men[leader].camp == camp]
    return [i for i in mine if not whole.intersection(book.brigades[i])]


def _settled(book: Book, spot: Spot) -> Spot:
    """Remove brigadiers of destroyed brigades, and end the battle if it is won."""
    goal = book.goal
    for camp in (0, 1):
        lost = destroyed(book, spot, camp)
        for brigade in lost:
            spot = _gone(spot, book.leaders[brigade])
        armies = sum(book.men[leader].camp == camp for leader in book.leaders)
        if 3 * len(lost) >= 2 * armies:
            return _won(spot, 1 - camp)
    if goal.kind == "protect" and not goal.men <= {man for man, _ in spot.at} | spot.off:
        return _won(spot, 1 - goal.camp)
    if goal.kind == "break" and len(spot.off) >= goal.count:
        return _won(spot, goal.camp)
    if goal.kind == "destroy":
        whole = sum(man.camp != goal.camp and man.fights for man in book.men.values())
        if whole - len(left(book, spot, 1 - goal.camp)) >= goal.count:
            return _won(spot, goal.camp)
    return spot


def _won(spot: Spot, winner: int | None) -> Spot:
    """Return the end of a battle, which keeps only the round and the remaining units."""
    return Spot("over", spot.side, spot.turns, spot.at, spot.off, winner=winner)


def rounds(spot: Spot) -> int:
    """Return the round, from 1."""
    return spot.turns // 2 + 1


# Dice


def fallen(book: Book, spot: Spot) -> Counter[Spot]:
    """Return every position after a roll, with its number of ways."""
    after: Counter[Spot] = Counter()
    for leads, often in outcomes(book, spot):
        after[leads] += often
    return after


def outcomes(book: Book, spot: Spot) -> list[tuple[Spot, int]]:
    """Return the position after each face, or each highest face of a unit's dice, with its number of ways."""
    count = 1
    if spot.waits == "roll":
        count = _all_dice(book, spot)[len(spot.about[2])]
    often = Counter(max(roll) for roll in product(FACES, repeat=count))
    return [(_fell(book, spot, face), often[face]) for face in FACES]


def _fell(book: Book, spot: Spot, face: int) -> Spot:
    if spot.waits == "hit":
        gun, cell = spot.about
        more = massed(book, spot, cell) and book.rulings["massed"] == "hit"
        hits = face + more >= steps(dict(spot.at)[gun], cell)
        return replace(spot, waits="effect") if hits else _on(book, spot, "fire")
    if spot.waits == "effect":
        return _shelled(book, spot, face)
    if spot.waits == "rally":
        (man, *others), stage = spot.about
        stops = face >= RALLIES.get(book.men[man].kind, RALLY)
        spot = _settled(book, replace(_ran(book, spot, man) if stops else _gone(spot, man), about=()))
        if spot.waits == "over" or not others:
            return _on(book, spot, stage)
        return replace(spot, about=(tuple(others), stage))
    own, foes, values = spot.about[:3]
    if spot.waits == "rethrow":
        return _asked(book, spot, own, foes, _again(book, spot, face), spot.about[3])
    assert spot.waits == "roll"
    values = (*values, face)
    if len(values) < len(own) + len(foes):
        return replace(spot, about=(own, foes, values))
    return _asked(book, spot, own, foes, values, -1)


def massed(book: Book, spot: Spot, cell: Place) -> bool:
    """Return whether a square holds a unit in square, or two units."""
    men = there(spot)[cell]
    return len(men) > 1 or men[0] in spot.squares


def _shelled(book: Book, spot: Spot, face: int) -> Spot:
    """Resolve a gun's hit: one die for all units on the square."""
    cell = spot.about[1]
    face += massed(book, spot, cell) and book.rulings["massed"] == "effect"
    face -= book.ground[cell] in COVERED
    men = there(spot)[cell]
    if face == 5:
        return replace(spot, waits="rally", about=(tuple(men), "fire"))
    if face == 4:
        spot = replace(spot, held=spot.held | set(men))
    for man in men if face >= 6 else ():
        spot = _gone(spot, man)
    return _on(book, spot, "fire")


def _ran(book: Book, spot: Spot, man: str) -> Spot:
    """Put a rallied unit on the edge to which it ran; it spends its player's next movement there."""
    cell = _refuge(book, spot, man)
    if cell is None:
        return _gone(spot, man)
    return replace(_placed(spot, man, cell), squares=spot.squares - {man}, held=spot.held | {man})


def _refuge(book: Book, spot: Spot, man: str) -> Place | None:
    """Return the free square on the edge to which a unit runs."""
    camp, taken = book.men[man].camp, there(_gone(spot, man))
    here = _as_owner(book, dict(spot.at)[man], camp)
    right, far = book.columns - 1, book.rows - 1
    ways = {"own": here[1], "left": here[0], "right": right - here[0], "enemy": far - here[1]}
    way = "own" if book.rulings["run_edge"] == "own" else min(ways, key=lambda w: ways[w])
    lines = {
        "own": [(c, 0) for c in range(book.columns)],
        "left": [(0, r) for r in range(book.rows)],
        "right": [(right, r) for r in range(book.rows)],
        "enemy": [(c, far) for c in range(book.columns)],
    }
    along = 0 if way in ("own", "enemy") else 1
    # Nearest to the point straight ahead; then nearer to the player's edge; then to the player's left.
    order = sorted(lines[way], key=lambda cell: (abs(cell[along] - here[along]), cell[1], cell[0]))
    free = (_as_owner(book, cell, camp) for cell in order)
    return next((cell for cell in free if cell not in taken and admits(book, man, cell)), None)


def _as_owner(book: Book, cell: Place, camp: int) -> Place:
    """Convert a square to that camp's view, from its left and its edge; the conversion is its own inverse."""
    return cell if camp == 0 else (book.columns - 1 - cell[0], book.rows - 1 - cell[1])


def _again(book: Book, spot: Spot, face: int) -> tuple[int, ...]:
    """Return the highest faces of a melee's units after a side has re-rolled its lowest die."""
    own, foes, values, who = spot.about
    mine = range(len(own)) if who == spot.side else range(len(own), len(values))
    if sum(_all_dice(book, spot)[i] for i in mine) > 1:
        at = next(i for i in mine if book.men[(own + foes)[i]].kind in AGAIN)
        face = max(face, values[at])
    else:
        (at,) = mine
    return (*values[:at], face, *values[at + 1 :])


def _asked(
    book: Book, spot: Spot, own: tuple[str, ...], foes: tuple[str, ...], values: tuple[int, ...], asked: int
) -> Spot:
    """Ask each player who may re-roll, the defender first; then decide the melee."""
    turn = [(1 - spot.side, foes), (spot.side, own)]
    if asked >= 0:
        turn = turn[1:] if asked == 1 - spot.side else []
    for camp, men in turn:
        if any(book.men[man].kind in AGAIN for man in men):
            return replace(spot, waits="again", about=(own, foes, values, camp))
    ours, theirs = values[: len(own)], values[len(own) :]
    by = max(ours) - max(theirs)
    spot = replace(spot, fought=spot.fought | {*own, *foes}, about=())
    if by == 0:
        return _on(book, spot, "melee")
    losers, faces = (foes, theirs) if by > 0 else (own, ours)
    what = BEFALLS.get(abs(by), "removed")
    if what == "removed":
        losers = tuple(man for man, face in zip(losers, faces, strict=True) if face == max(faces))
    if len(losers) > 1:
        return replace(spot, waits="lose", about=(what, losers))
    return _suffers(book, spot, what, losers[0])


def _suffers(book: Book, spot: Spot, what: str, man: str) -> Spot:
    """Apply the result of a lost melee to a unit."""
    spot = replace(spot, about=())
    at, own = dict(spot.at), book.men[man]
    if what == "removed":
        return _on(book, _gone(spot, man), "melee")
    if what == "back" and _behind(book, man, at[man]) in book.ground:
        return _on(book, _back(book, spot, man) or spot, "melee")
    # It runs, or would be pushed off the field, which counts as running.
    leader = book.leaders[own.brigade]
    if book.rulings["brigadier_rally"] == "automatic" and leader in at and steps(at[leader], at[man]) == 1:
        return _on(book, _ran(book, spot, man), "melee")
    return replace(spot, waits="rally", about=((man,), "melee"))


def _behind(book: Book, man: str, cell: Place) -> Place:
    return cell[0], cell[1] - (1 if book.men[man].camp == 0 else -1)


def _back(book: Book, spot: Spot, man: str) -> Spot | None:
    """Move a unit back one square, pushing friends in its way; return None if that is impossible."""
    cell = _behind(book, man, dict(spot.at)[man])
    if cell not in book.ground or not admits(book, man, cell):
        return None
    others = there(spot).get(cell, [])
    if any(book.men[other].camp != book.men[man].camp for other in others):
        return None
    if others and not shares(book, spot, man, cell, others):
        # Two units of one square move back together, or not at all.
        behind = _behind(book, man, cell)
        if len(others) > 1 and not (behind in book.ground and open_(book, behind)):
            return None
        for other in others:
            pushed = _back(book, spot, other)
            if pushed is None:
                return None
            spot = pushed
    return replace(_placed(spot, man, cell), squares=spot.squares - {man})
