"""A simulated user who writes legal Blind Faith files from the shipped pack, without code of the generator."""

from __future__ import annotations

import heapq
import tomllib
from collections.abc import Collection
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.typo import Typo

DATA = Path(__file__).resolve().parents[3] / "data" / "blind_faith"
PACK = tomllib.loads((DATA / "pack.toml").read_text("utf-8"))
UNITS = {unit["id"]: unit for unit in PACK["unit"] if not unit.get("crusade")}
COST = {".": 1, "r": 2, "f": 2, "^": 3, "o": 2, "=": 1}
SIDES = ("hussite", "crusader")
BOXES = 4
Cell = tuple[int, int]
"""Index in the row starting at 0, and row starting at 1."""


def name(cell: Cell) -> str:
    return f"{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[cell[0]]}{cell[1]}"


class Stack(NamedTuple):
    """A stack with its hex."""

    at: Cell
    units: dict[str, int]

    @property
    def movement(self) -> int:
        """Return the movement of the slowest unit, in movement points."""
        return min(int(UNITS[kind]["movement"]) for kind in self.units)


class Turn(NamedTuple):
    """The content of a scenario file before it is written."""

    ground: dict[Cell, str]
    stacks: dict[str, list[Stack]]
    marching: str
    path: list[Cell]
    """Path of the marching side's first stack. The path is empty if the stack besieges the enemy's first stack."""
    interception: Cell | None
    """Hex on which the enemy's first stack intercepts the march."""


def neighbours(cell: Cell, ground: Collection[Cell]) -> list[Cell]:
    """Return the neighbours of a hex on the map. Every second row is shifted right by half a hex."""
    c, r = cell
    left = c if r % 2 == 0 else c - 1
    near = [(c - 1, r), (c + 1, r), (left, r - 1), (left + 1, r - 1), (left, r + 1), (left + 1, r + 1)]
    return [other for other in near if other in ground]


def costs(start: Cell, ground: dict[Cell, str], enemies: Collection[Cell]) -> dict[Cell, tuple[int, list[Cell]]]:
    """Return the lowest cost and a path to each hex.

    A path may end at a hex with enemies but not pass through one.
    """
    found: dict[Cell, tuple[int, list[Cell]]] = {}
    heap = [(0, start, [start])]
    while heap:
        cost, cell, way = heapq.heappop(heap)
        if cell in found:
            continue
        found[cell] = cost, way
        if cell in enemies:
            continue
        for other in neighbours(cell, ground):
            if ground[other] != "~" and other not in found:
                heapq.heappush(heap, (cost + COST[ground[other]], other, [*way, other]))
    return found


def units(random: Random, side: str, left: dict[str, int], *, swift: bool) -> dict[str, int]:
    """Return random units of a side. With `swift`, all of them can intercept."""
    kinds = [k for k, u in UNITS.items() if side in u["sides"] and left[k] and (u.get("intercepts") or not swift)]
    chosen = random.sample(kinds, random.randrange(1, 3))
    found = {kind: random.randrange(1, min(left[kind], 6) + 1) for kind in chosen}
    for kind, n in found.items():
        left[kind] -= n
    return found


def random_turn(seed: int) -> Turn:
    """Return a legal turn that depends only on the seed."""
    random = Random(seed)
    wide, deep = random.randrange(6, 15), random.randrange(5, 11)
    ground = {(c, r): random.choice("........rff^~o=") for c in range(wide) for r in range(1, deep + 1)}
    passable = [cell for cell, symbol in ground.items() if symbol != "~"]
    stacks: dict[str, list[Stack]] = {}
    taken: set[Cell] = set()
    for side in SIDES:
        left = {kind: unit.get("most", 40) for kind, unit in UNITS.items()}
        spots = random.sample([cell for cell in passable if cell not in taken], random.randrange(1, 4))
        taken |= set(spots)
        parts = [units(random, side, left, swift=not i and random.random() < 0.7) for i in range(len(spots))]
        stacks[side] = [Stack(at, part) for at, part in zip(spots, parts, strict=True)]
    marching = random.choice(SIDES)
    (other,) = {*SIDES} - {marching}
    mover, foe = stacks[marching][0], stacks[other][0]
    if random.random() < 0.2:
        stacks[marching][0] = mover._replace(at=foe.at)
        return Turn(ground, stacks, marching, [], None)
    held = {side: {stack.at for stack in of} for side, of in stacks.items()}
    ends = [way for cost, way in costs(mover.at, ground, held[other]).values() if 0 < cost <= mover.movement]
    if not ends:
        return random_turn(seed + 1_000_003)
    path = random.choice(ends)
    went = {cell: sum(COST[ground[c]] for c in path[1 : i + 1]) for i, cell in enumerate(path)}
    swift = all(UNITS[kind].get("intercepts") for kind in foe.units)
    comes = costs(foe.at, ground, held[marching])
    points = [
        cell
        for cell in path[1:]
        if swift and cell in comes and cell not in held[other] and comes[cell][0] < went[cell]
        if comes[cell][0] <= foe.movement
    ]
    return Turn(ground, stacks, marching, path, random.choice(points) if points else None)


def counts(of: dict[str, int]) -> str:
    return "{ " + ", ".join(f"{kind} = {n}" for kind, n in of.items() if n) + " }"


def split(of: dict[str, int], maximum: int) -> tuple[dict[str, int], dict[str, int]]:
    """Split units into the first `maximum` units, in front, and the others, in reserve."""
    front, room = dict[str, int](), maximum
    for kind, n in of.items():
        front[kind] = min(n, room)
        room -= front[kind]
    return front, {kind: n - front[kind] for kind, n in of.items()}


def turn_text(turn: Turn, seed: int) -> str:
    """Return the text of the turn's file."""
    random = Random(seed)
    wide, deep = 1 + max(c for c, _ in turn.ground), max(r for _, r in turn.ground)
    rows = [" ".join(turn.ground[c, r] for c in range(wide)) for r in range(deep, 0, -1)]
    text = '[muster]\ngame = "blind_faith"\n\n[play]\ntitle = "橋の向こう"\n'
    text += f"turn = {random.randrange(1, 9)}\n" if random.random() < 0.5 else ""
    text += '\n[map]\nrows = """\n' + "\n".join(rows) + '\n"""\n'
    wall = random.choice(["town", "castle"])
    (other,) = {*SIDES} - {turn.marching}
    if not turn.path:
        text += f'places = {{ {name(turn.stacks[other][0].at)} = {{ kind = "{wall}", name = "城下" }} }}\n'
    labels: dict[tuple[str, int], str] = {}
    with_ids = random.random() < 0.4
    for side, stacks in turn.stacks.items():
        text += f"\n[{side}]\nstacks = [\n"
        for i, stack in enumerate(stacks):
            labels[side, i] = f"{'フ十'[side == 'crusader']}{i + 1}" if with_ids else f"{side[0].upper()}{i + 1}"
            head = f'id = "{labels[side, i]}", ' if with_ids else ""
            text += f'  {{ {head}hex = "{name(stack.at)}", units = {counts(stack.units)} }},\n'
        text += "]\n"
    if turn.path:
        way = ", ".join(f'"{name(cell)}"' for cell in turn.path)
        text += f'\n[march]\nstack = "{labels[turn.marching, 0]}"\npath = [{way}]\n'
    else:
        of = turn.stacks[turn.marching][0].units
        guns = {kind: n for kind, n in of.items() if UNITS[kind].get("bombards")}
        storm = {kind: n for kind, n in of.items() if kind not in guns}
        text += f'\n[siege]\nbesieger = "{labels[turn.marching, 0]}"\n'
        text += f'garrison = "{labels[other, 0]}"\n' if random.random() < 0.5 else ""
        text += f'wall = "{wall}"\n' if random.random() < 0.5 else ""
        text += f"bombard = {counts(guns)}\nstorm = {counts(storm)}\n"
    if turn.interception:
        front, reserve = split(turn.stacks[turn.marching][0].units, BOXES)
        text += f'\n[battle]\nhex = "{name(turn.interception)}"\ndefender = "{labels[other, 0]}"\n'
        held = f", reserve = {counts(reserve)}" if random.random() < 0.5 else ""
        text += f"attack = {{ front = {counts(front)}{held} }}\n"
        text += f"defence = {{ front = {counts(turn.stacks[other][0].units)} }}\n"
    return text


def legal_file(seed: int) -> str:
    """Return the text of a legal file that depends only on the seed."""
    return turn_text(random_turn(seed), seed)


def file_with_typo(seed: int) -> Typo:
    """Return a file with one typo."""
    random = Random(seed)
    turn = random_turn(seed)._replace(interception=None)
    if not turn.path:
        return file_with_typo(seed + 1_000_003)
    side = random.choice(SIDES)
    (other,) = {*SIDES} - {side}
    stacks = turn.stacks[side]
    at = random.randrange(turn.marching == side and bool(turn.path), len(stacks)) if len(stacks) > 1 else 0
    moves = side == turn.marching and turn.path and not at
    wet = [cell for cell, symbol in turn.ground.items() if symbol == "~"]
    foes = [stack.at for stack in turn.stacks[other]]
    kind = random.choice(["water", "enemy", "foreign", "jump", "too far"])
    row = f'hex = "{name(stacks[at].at)}"'
    names: tuple[str, ...]
    if kind in ("water", "enemy") and not moves and (cells := wet if kind == "water" else foes):
        cell = random.choice(cells)
        stacks[at] = stacks[at]._replace(at=cell)
        row, names = f'hex = "{name(cell)}"', (name(cell),)
    elif kind == "foreign":
        strange = "knights" if side == "hussite" else "tabor"
        stacks[at] = stacks[at]._replace(units=stacks[at].units | {strange: 1})
        names = ("Knights" if side == "hussite" else "Tabor",)
    elif kind == "jump" and len(turn.path) > 2:
        del turn.path[1]
        if turn.path[1] in neighbours(turn.path[0], turn.ground):
            return file_with_typo(seed + 1_000_003)
        row, names = "path = ", (name(turn.path[0]), name(turn.path[1]))
    elif kind == "too far" and turn.path:
        mover = turn.stacks[turn.marching][0]
        held = {stack.at for of in turn.stacks.values() for stack in of} - {mover.at}
        if held & {*turn.path}:
            return file_with_typo(seed + 1_000_003)
        far = [w for n, w in costs(mover.at, turn.ground, held).values() if n > mover.movement and not held & {*w}]
        if not far:
            return file_with_typo(seed + 1_000_003)
        turn = turn._replace(path=random.choice(far))
        row, names = "path = ", (str(mover.movement),)
    else:
        return file_with_typo(seed + 1_000_003)
    text = turn_text(turn, seed)
    return Typo(text, kind, tuple(n for n, line in enumerate(text.splitlines(), 1) if row in line), names)
