"""A slow and simple implementation of Battling, written from the rules alone.

It shares no code with the game. It parses the text of the scenario and the charts, names hexes as the board does,
and lists orders as they are posted.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

Hex = tuple[int, int]
Point = tuple[Fraction, Fraction]
OFF = {"E": (2, 0), "NE": (1, 1), "NW": (-1, 1), "W": (-2, 0), "SW": (-1, -1), "SE": (1, -1)}
TINY = Fraction(1, 10**24)


def middle(hex_: Hex) -> tuple[int, int]:
    """Return the coordinates of a hex centre. Even columns are half a hex lower."""
    column, row = hex_
    return 3 * (column - 1), -2 * row - (1 if column % 2 == 0 else 0)


def steps(a: Hex, b: Hex) -> int:
    """Return the distance between two hexes in steps."""
    (ax, ay), (bx, by) = middle(a), middle(b)
    columns, halves = abs(ax - bx) // 3, abs(ay - by)
    rest = max(0, halves - columns)
    return columns + rest // 2


def ahead(hex_: Hex, way: int) -> Hex:
    """Return the next hex in a direction, computed from centres.

    Direction 0 is up, and numbers increase clockwise.
    """
    x, y = middle(hex_)
    dx, dy = ((0, 2), (3, 1), (3, -1), (0, -2), (-3, -1), (-3, 1))[way]
    x, y = x + dx, y + dy
    column = x // 3 + 1
    return column, (-y - (1 if column % 2 == 0 else 0)) // 2


def corner(text: str, fine: int) -> Point:
    found = re.fullmatch(r"(\d\d)(\d\d)(?::([NESW]+))?(?:([+-]\d+)([+-]\d+))?", text)
    assert found
    x, y = middle((int(found[1]), int(found[2])))
    dx, dy = OFF[found[3]] if found[3] else (0, 0)
    right, down = (int(found[4]), int(found[5])) if found[4] else (0, 0)
    return Fraction(fine * (x + dx) + right, fine), Fraction(fine * (y + dy) - down, fine)


def place(shape: list[Point], point: Point) -> int:
    """Return 1 if a point is inside a shape, 0 if it is on the edge, and -1 if it is outside."""
    x, y = point
    if all(px < x for px, _ in shape) or all(px > x for px, _ in shape) or all(py < y for _, py in shape):
        return -1  # most points are far away
    inside = False
    for (ax, ay), (bx, by) in zip(shape, shape[1:] + shape[:1], strict=True):
        side = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        if side == 0 and min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by):
            return 0
        if (ay > y) != (by > y) and (side > 0) == (by > ay):
            inside = not inside
    return 1 if inside else -1


def meets(a: Point, b: Point, c: Point, d: Point) -> Iterator[Fraction]:
    """Yield the fractions of the line from a to b at which the side from c to d meets the line."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = a, b, c, d
    ux, uy, vx, vy = bx - ax, by - ay, dx - cx, dy - cy
    cross = ux * vy - uy * vx
    if cross:
        t = ((cx - ax) * vy - (cy - ay) * vx) / cross
        s = ((cx - ax) * uy - (cy - ay) * ux) / cross
        if 0 <= t <= 1 and 0 <= s <= 1:
            yield t
    elif (cx - ax) * uy == (cy - ay) * ux:
        for px, py in (c, d):
            t = ((px - ax) * ux + (py - ay) * uy) / (ux * ux + uy * uy)
            if 0 <= t <= 1:
                yield t


@dataclass
class Unit:
    """A machine on the board."""

    name: str
    side: int
    number: str
    kind: str
    hex: Hex
    hp: int
    last: str = ""
    acted: bool = False


class Board:
    """The state of a battle."""

    def __init__(self, scenario: str, charts: str) -> None:
        file, chart = tomllib.loads(scenario), tomllib.loads(charts)
        self.machines: Mapping[str, Any] = {row["id"]: row for row in chart["machine"]}
        self.results = chart["results"]
        arena = file["arena"]
        self.columns, self.rows = arena["size"]["columns"], arena["size"]["rows"]
        lines = (line.partition("#")[0].split() for line in arena["buildings"].splitlines())
        self.shapes = [[corner(text, arena["fine"]) for text in line] for line in lines if line]
        self.turns, self.rulings = file["play"]["turns"], {"dash": "", "tie": ""} | file["rulings"]
        self.units = [
            Unit(
                row["id"],
                side,
                row["id"][1:],
                row["machine"],
                self.read(row["hex"]),
                self.machines[row["machine"]]["hp"],
            )
            for side, key in enumerate(("first", "second"))
            for row in file[key]["machines"]
        ]
        self.turn, self.side = 1, 0
        self.waiting: list[tuple[Unit, Unit, str]] = []
        self.hit = 0
        """Die of a hit that still needs a damage roll, or 0."""
        self.throwing = False
        self.over = False
        self.sights: dict[tuple[Hex, Hex], bool] = {}
        self.open: dict[Hex, bool] = {}

    @staticmethod
    def read(name: str) -> Hex:
        return int(name[:2]), int(name[2:])

    @staticmethod
    def name(hex_: Hex) -> str:
        return f"{hex_[0]:02}{hex_[1]:02}"

    def enterable(self, hex_: Hex) -> bool:
        """Return whether a hex is in the arena and its centre is not covered by a building."""
        if hex_ not in self.open:
            x, y = middle(hex_)
            on = 1 <= hex_[0] <= self.columns and 1 <= hex_[1] <= self.rows
            self.open[hex_] = on and all(place(s, (Fraction(x), Fraction(y))) < 0 for s in self.shapes)
        return self.open[hex_]

    def sees(self, a: Hex, b: Hex) -> bool:
        """Return whether no part of the line between two centres is inside a building or on a seam."""
        key = (min(a, b), max(a, b))
        if key not in self.sights:
            self.sights[key] = not any(self.dark(*piece) for piece in self.pieces(*key))
        return self.sights[key]

    def pieces(self, a: Hex, b: Hex) -> Iterator[tuple[Point, Point]]:
        """Yield the midpoint of each piece of a line cut by building sides, and a tiny perpendicular vector."""
        (ax, ay), (bx, by) = ((Fraction(n) for n in middle(h)) for h in (a, b))
        cuts = {Fraction(0), Fraction(1)}
        for shape in self.shapes:
            for c, d in zip(shape, shape[1:] + shape[:1], strict=True):
                cuts.update(meets((ax, ay), (bx, by), c, d))
        at = sorted(cuts)
        for one, other in pairwise(at):
            t = (one + other) / 2
            yield (ax + t * (bx - ax), ay + t * (by - ay)), ((by - ay) * TINY, (ax - bx) * TINY)

    def dark(self, point: Point, off: Point) -> bool:
        """Return whether a point is inside a building, or on a seam with buildings on both sides."""
        if any(place(shape, point) > 0 for shape in self.shapes):
            return True
        sides = ((point[0] + sign * off[0], point[1] + sign * off[1]) for sign in (1, -1))
        return all(any(place(shape, side) > 0 for shape in self.shapes) for side in sides)

    def at(self, hex_: Hex) -> Unit | None:
        return next((u for u in self.units if u.hp > 0 and u.hex == hex_), None)

    def passable(self, unit: Unit, hex_: Hex) -> bool:
        there = self.at(hex_)
        return self.enterable(hex_) and (there is None or there.side == unit.side)

    def free(self, hex_: Hex) -> bool:
        return self.enterable(hex_) and self.at(hex_) is None

    def enemies(self, unit: Unit) -> list[Unit]:
        return [u for u in self.units if u.hp > 0 and u.side != unit.side]

    def orders(self) -> set[str]:
        """Return every order that may be posted now, with `-` for ending the phase."""
        if self.over or self.throwing:
            return set()
        found = {"-"}
        for unit in self.units:
            if unit.side == self.side and unit.hp > 0 and not unit.acted:
                for make in (self.walks, self.dashes, self.shots, self.clashes, self.guards):
                    found |= {f"#{unit.number}: {order}" for order in make(unit)}
        return found

    def walks(self, unit: Unit) -> Iterator[str]:
        reached, edge = {unit.hex}, [unit.hex]
        for count in (1, 2):
            edge = [n for h in edge for n in (ahead(h, way) for way in range(6)) if self.passable(unit, n)]
            for hex_ in set(edge) - reached:
                if self.free(hex_):
                    yield f"W / {count} / {self.name(hex_)}"
            reached |= set(edge)

    def straight(self, unit: Unit, hex_: Hex, way: int, count: int) -> Hex | None:
        for _ in range(count):
            hex_ = ahead(hex_, way)
            if not self.passable(unit, hex_):
                return None
        return hex_

    def dashes(self, unit: Unit) -> Iterator[str]:
        for way in range(6):
            for first in range(1, 6):
                bend = self.straight(unit, unit.hex, way, first)
                if bend is None:
                    break
                if self.free(bend):
                    yield f"R / {first} / {self.name(bend)}"
                if self.rulings["dash"] == "strict":
                    continue
                for turn in (1, 5):
                    for second in range(1, 6 - first):
                        end = self.straight(unit, bend, (way + turn) % 6, second)
                        if end is not None and self.free(end):
                            at = f" @{self.name(bend)}" if first == second else ""
                            yield f"R / {first}{at} / {second} / {self.name(end)}"

    def shots(self, unit: Unit) -> Iterator[str]:
        row = self.machines[unit.kind]["shooting"]
        for enemy in self.enemies(unit):
            far = steps(unit.hex, enemy.hex)
            if far <= len(row) and row[far - 1] > 0 and self.sees(unit.hex, enemy.hex):
                yield f"F / {self.name(enemy.hex)}"

    def stands(self, unit: Unit) -> Iterator[tuple[str, Hex]]:
        yield "", unit.hex
        for way in range(6):
            if self.free(to := ahead(unit.hex, way)):
                yield f" / 1 / {self.name(to)}", to

    def clashes(self, unit: Unit) -> Iterator[str]:
        for moved, hex_ in self.stands(unit):
            for enemy in self.enemies(unit):
                if steps(hex_, enemy.hex) == 1:
                    yield f"B{moved} / {self.name(enemy.hex)}"

    def guards(self, unit: Unit) -> Iterator[str]:
        yield from (f"D{moved}" for moved, _ in self.stands(unit))

    def give(self, order: str) -> None:
        """Carry out an order. The dice are rolled after the last order of the phase."""
        if order == "-":
            self.close()
            return
        number, _, rest = order.partition(": ")
        unit = next(u for u in self.units if u.side == self.side and f"#{u.number}" == number and u.hp > 0)
        letter, *parts = rest.split(" / ")
        if letter in "FB":
            target = self.at(self.read(parts.pop()))
            assert target
            self.waiting.append((unit, target, letter))
        if parts:
            unit.hex = self.read(parts[-1])
        unit.acted, unit.last = True, letter
        if all(u.acted for u in self.units if u.side == self.side and u.hp > 0):
            self.close()

    def close(self) -> None:
        for unit in self.units:
            if unit.side == self.side and not unit.acted:
                unit.last = ""
        self.throwing = True
        self.go_on()

    def go_on(self) -> None:
        """Advance to the next attack on a surviving machine, or to the next phase."""
        if not all(any(u.hp > 0 for u in self.units if u.side == side) for side in (0, 1)):
            self.over, self.throwing, self.waiting = True, False, []
            return
        while self.waiting and self.waiting[0][1].hp <= 0:
            self.waiting.pop(0)
        if self.waiting:
            return
        self.throwing = False
        for unit in self.units:
            unit.acted = False
        if self.side == 1 and self.turn == self.turns:
            self.over = True
            return
        self.turn, self.side = self.turn + self.side, 1 - self.side

    def throw(self, die: int) -> None:
        """Resolve a die rolled by the attacked player."""
        attacker, target, letter = self.waiting[0]
        if letter == "B":
            difference = self.machines[attacker.kind]["battling"][target.kind]
            face = min(6, die + (target.last == "D"))
            result = self.results[str(difference)][face - 1]
            target.hp = max(0, target.hp - (result in ("D", "EX")))
            attacker.hp = max(0, attacker.hp - (result in ("A", "EX")))
        elif not self.hit:
            number = self.machines[attacker.kind]["shooting"][steps(attacker.hex, target.hex) - 1]
            if die + (target.last in ("R", "D")) <= number:
                self.hit = die
                return
        else:
            power = self.machines[attacker.kind]["damage"][target.kind]
            target.hp = max(0, target.hp - (die + self.machines[target.kind].get("armour", 0) <= power))
            self.hit = 0
        self.waiting.pop(0)
        self.go_on()

    def winner(self) -> int | None:
        """Return the index of the winner of a finished battle, or None for a draw."""
        machines = [sum(u.hp > 0 for u in self.units if u.side == side) for side in (0, 1)]
        points = [sum(u.hp for u in self.units if u.side == side) for side in (0, 1)]
        for left in (machines, points) if self.rulings["tie"] == "hit_points" else (machines,):
            if left[0] != left[1]:
                return int(left[1] > left[0])
        return None

    def seen(self) -> tuple[object, ...]:
        """Return the visible state, for comparison with the engine."""
        units = tuple((u.name, self.name(u.hex), u.hp, u.last) for u in self.units if u.hp > 0)
        waits = tuple((a.name, t.name, letter) for a, t, letter in self.waiting)
        return self.over or (self.turn, self.side, self.throwing, self.hit), units, waits

    def saved(self) -> tuple[object, ...]:
        """Return a copy of the state that `back` restores."""
        units = tuple((u.hex, u.hp, u.last, u.acted) for u in self.units)
        return units, self.turn, self.side, tuple(self.waiting), self.hit, self.throwing, self.over

    def back(self, saved: Any) -> None:
        """Restore a saved state."""
        units, self.turn, self.side, waiting, self.hit, self.throwing, self.over = saved
        self.waiting = list(waiting)
        for unit, was in zip(self.units, units, strict=True):
            unit.hex, unit.hp, unit.last, unit.acted = was

    def perft(self, depth: int) -> int:
        """Return the number of sequences of `depth` orders and dice."""
        if depth == 0:
            return 1
        if self.over:
            return 0
        saved, found = self.saved(), 0
        for what in range(1, 7) if self.throwing else sorted(self.orders()):
            if isinstance(what, int):
                self.throw(what)
            else:
                self.give(what)
            found += self.perft(depth - 1)
            self.back(saved)
        return found
