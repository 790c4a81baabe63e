"""Compare the number of legal orders with a second implementation that uses only the tables in the rules."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.games.battling.forces import house_pack
from generator.games.battling.legal_orders import orders
from generator.games.battling.model import OTHER, Letter, Scenario, Side
from generator.games.battling.notation import Order, write_line
from generator.games.battling.play import Act, Position, act, opening
from tests.games.battling.fields import FINE, arena, scenario
from tests.games.battling.wordings import item_of

Cell = tuple[int, int]

ODD = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1))
EVEN = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))


@dataclass(frozen=True)
class Plain:
    """A position of the second implementation, which uses only names and numbers."""

    columns: int
    rows: int
    closed: frozenset[Cell]
    squares: tuple[tuple[int, int], ...]
    """Centres of the small square buildings on the fine lattice. Each building extends 2 units from its centre."""
    units: Mapping[str, tuple[Side, str, Cell]]
    strict: bool = False

    def legal(self, unit: str) -> set[str]:
        return {*self.walks(unit), *self.dashes(unit), *self.shots(unit), *self.clashes(unit), *self.guards(unit)}

    def near(self, cell: Cell) -> list[Cell]:
        around = [self.next(cell, d) for d in range(6)]
        return [c for c in around if 1 <= c[0] <= self.columns and 1 <= c[1] <= self.rows]

    def next(self, cell: Cell, d: int) -> Cell:
        dc, dr = (ODD if cell[0] % 2 else EVEN)[d]
        return cell[0] + dc, cell[1] + dr

    def free(self, unit: str, cell: Cell) -> bool:
        """Return whether a unit may enter a hex, which must be in the arena and free of buildings and enemies."""
        on = 1 <= cell[0] <= self.columns and 1 <= cell[1] <= self.rows and cell not in self.closed
        return on and all(c != cell or side == self.units[unit][0] for side, _, c in self.units.values())

    def empty(self, cell: Cell) -> bool:
        return all(c != cell for _, _, c in self.units.values())

    def within(self, unit: str, maximum: int) -> dict[Cell, int]:
        """Return the hexes within `maximum` steps, found by trying every path."""
        found: dict[Cell, int] = {}

        def go(cell: Cell, count: int) -> None:
            found[cell] = min(count, found.get(cell, count))
            if count < maximum:
                for n in self.near(cell):
                    if self.free(unit, n):
                        go(n, count + 1)

        go(self.units[unit][2], 0)
        return found

    def walks(self, unit: str) -> Iterator[str]:
        for cell, count in self.within(unit, 2).items():
            if count and self.empty(cell):
                yield f"W / {count} / {name(cell)}"

    def guards(self, unit: str) -> Iterator[str]:
        yield "D"
        for cell, count in self.within(unit, 1).items():
            if count and self.empty(cell):
                yield f"D / 1 / {name(cell)}"

    def clashes(self, unit: str) -> Iterator[str]:
        for cell, count in self.within(unit, 1).items():
            if not count or self.empty(cell):
                for side, _, enemy in self.units.values():
                    if side != self.units[unit][0] and enemy in self.near(cell):
                        yield f"B / 1 / {name(cell)} / {name(enemy)}" if count else f"B / {name(enemy)}"

    def dashes(self, unit: str) -> Iterator[str]:
        start = self.units[unit][2]
        for d, bend, first, second in product(range(6), (0, 1, 5), range(1, 6), range(5)):
            if first + second > 5 or (second == 0) != (bend == 0) or (self.strict and bend):
                continue
            path = [start]
            for i in range(first + second):
                path.append(self.next(path[-1], d if i < first else (d + bend) % 6))
            if all(self.free(unit, cell) for cell in path[1:]) and self.empty(path[-1]):
                legs = f"{first}" + (f" @{name(path[first])}" if first == second else "")
                yield f"R / {legs} / " + (f"{second} / " if second else "") + name(path[-1])

    def shots(self, unit: str) -> Iterator[str]:
        side, kind, start = self.units[unit]
        row = house_pack().machines[kind].shooting
        for other, _, enemy in self.units.values():
            if other != side:
                far = next(n for n in range(60) if enemy in self.reach(start, n))
                if (
                    far <= len(row)
                    and row[far - 1]
                    and not any(cuts(start, enemy, square) for square in self.squares)
                ):
                    yield f"F / {name(enemy)}"

    def reach(self, start: Cell, count: int) -> set[Cell]:
        cells = {start}
        for _ in range(count):
            cells |= {n for cell in cells for n in self.near(cell)}
        return cells

    def moved(self, unit: str, text: str) -> Plain:
        order = item_of(text)
        assert isinstance(order, Order)
        side, kind, cell = self.units[unit]
        end = (int(order.to[:2]), int(order.to[2:])) if order.to else cell
        return dataclasses.replace(self, units={**self.units, unit: (side, kind, end)})

    def count(self, side: Side, depth: int) -> int:
        if depth == 0:
            return 1
        other: Side = "second" if side == "first" else "first"
        units = [unit for unit, (of, _, _) in self.units.items() if of == side]
        return sum(self.moved(unit, text).count(other, depth - 1) for unit in units for text in self.legal(unit))


def name(cell: Cell) -> str:
    return f"{cell[0]:02}{cell[1]:02}"


def centre(cell: Cell) -> tuple[int, int]:
    return FINE * 3 * cell[0], FINE * (2 * cell[1] + (cell[0] % 2 == 0))


def cuts(a: Cell, b: Cell, square: tuple[int, int]) -> bool:
    """Return whether the line crosses the interior of a square that extends 2 fine units from its centre."""
    low, high = Fraction(0), Fraction(1)
    for start, end, middle in zip(centre(a), centre(b), square, strict=True):
        lower, upper = middle - 2, middle + 2
        if start == end:
            if not lower < start < upper:
                return False
            continue
        ends = sorted((Fraction(lower - start, end - start), Fraction(upper - start, end - start)))
        low, high = max(low, ends[0]), min(high, ends[1])
    return low < high


def plain(of: Scenario, closed: str) -> Plain:
    cells = [(int(n[:2]), int(n[2:])) for n in closed.split()]
    units = {m.id: (side, m.kind, (m.cell.c, m.cell.r)) for side, m in of.machines}
    field = of.arena.field
    squares = tuple(centre(cell) for cell in cells)
    return Plain(field.columns, field.rows, frozenset(cells), squares, units, of.rulings.get("dash") == "strict")


BOARDS: dict[str, tuple[Scenario, str, tuple[int, int]]] = {
    "open": (scenario(arena(14, 12), "scopedog 0707", "brutishdog 1108"), "", (172, 25616)),
    "street": (
        scenario(
            arena(8, 6, "0303 0304 0503 0603 0205"), "scopedog 0403, scopedog 0404", "strikedog 0604, brutishdog 0405"
        ),
        "0303 0304 0503 0603 0205",
        (74, 7623),
    ),
    "corner": (
        scenario(
            arena(5, 5, "0202 0404"),
            "standing_tortoise 0101, turbo_custom 0201, scopedog 0102",
            "strikedog 0303, brutishdog 0302, scopedog 0505",
        ),
        "0202 0404",
        (50, 4974),
    ),
}


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("dash", ["one_turn", "strict"])
def test_both_codes_list_the_same_orders(board: str, dash: str) -> None:
    of, closed, _ = BOARDS[board]
    of = msgspec.structs.replace(of, rulings={"dash": dash})
    position, other = opening(of), plain(of, closed)
    for unit in position.machines:
        listed = [write_line(order) for order in orders(position, unit)]
        assert len(set(listed)) == len(listed)
        assert set(listed) == other.legal(unit)


def perft(position: Position, side: Side, depth: int) -> int:
    """Return the number of sequences of `depth` orders without dice. The sides alternate after each machine."""
    if depth == 0:
        return 1
    listed = [(m.id, order) for m in position.side(side) for order in orders(position, m.id)]
    if depth == 1:
        return len(listed)
    return sum(perft(position.after(unit, order), OTHER[side], depth - 1) for unit, order in listed)


@pytest.mark.parametrize("board", BOARDS)
def test_perft(board: str) -> None:
    of, closed, counts = BOARDS[board]
    assert tuple(perft(opening(of), "first", depth) for depth in (1, 2)) == counts
    assert tuple(plain(of, closed).count("first", depth) for depth in (1, 2)) == counts


def test_the_facts_walks_and_dashes_from_0707() -> None:
    position = opening(BOARDS["open"][0])
    listed = [write_line(order) for order in orders(position, "F1")]
    assert sum(text.startswith("W / 1") for text in listed) == 6
    assert sum(text.startswith("W / 2") for text in listed) == 12
    assert [text for text in listed if text.endswith("/ 1205")] == ["R / 1 / 4 / 1205", "R / 4 / 1 / 1205"]
    straight = {text for text in listed if text.startswith("R / 5 / ")}
    assert straight == {f"R / 5 / {end}" for end in ("0702", "1204", "1209", "0712", "0209", "0204")}


def test_the_judges_code_accepts_what_is_listed_and_nothing_else() -> None:
    of, _, _ = BOARDS["corner"]
    position = opening(of)
    names = [position.arena.field.name(cell) for cell in position.arena.field.cells]
    for unit, machine in position.machines.items():
        listed = set(orders(position, unit))
        tried = {*listed, Order("D")}
        legs = [(n,) for n in range(7)] + [(n, m) for n in range(5) for m in range(5)]
        tried |= {Order("R", leg, to) for leg in legs for to in names}
        tried |= {Order("R", (n, n), to, turn=turn) for n in (1, 2) for to in names for turn in names}
        tried |= {Order(letter, (n,), to) for letter in letters("WD") for n in range(4) for to in names}
        tried |= {Order(letter, target=to) for letter in letters("FB") for to in names}
        tried |= {Order("B", (1,), to, target) for to in names for target in names}
        accepted = {order for order in tried if isinstance(act(position, machine, order), Act)}
        assert listed <= accepted
        # Detours and explicit turns between unequal legs are also accepted. The list contains them in another form.
        for order in accepted - listed:
            assert order.action in "WRDB"
            assert sum(order.legs) == 0 or order.action == "W" or order.turn
            assert (
                order.action != "W"
                or any((o.action, o.to) == ("W", order.to) for o in listed)
                or order.to == names[position.arena.field.cells.index(machine.cell)]
            )


def letters(text: str) -> list[Letter]:
    return [letter for letter in ("W", "R", "F", "B", "D") if letter in text]


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_both_codes_agree_anywhere(data: st.DataObject) -> None:
    names = [f"{c:02}{r:02}" for c in range(1, 8) for r in range(1, 7)]
    shuffled = data.draw(st.permutations(names))
    count = data.draw(st.integers(0, 10))
    closed, free = " ".join(shuffled[:count]), shuffled[count:]
    kinds = data.draw(st.lists(st.sampled_from(list(house_pack().machines)), min_size=4, max_size=4))
    squads = [f"{kind} {cell}" for kind, cell in zip(kinds, free, strict=False)]
    of = scenario(arena(7, 6, closed), ", ".join(squads[:2]), ", ".join(squads[2:]))
    position, other = opening(of), plain(of, closed)
    for unit in position.machines:
        listed = orders(position, unit)
        assert {write_line(order) for order in listed} == other.legal(unit)
        assert all(isinstance(act(position, position.machines[unit], order), Act) for order in listed)


def test_a_destroyed_machine_has_no_orders() -> None:
    position = opening(BOARDS["open"][0])
    gone = {**position.machines, "F1": msgspec.structs.replace(position.machines["F1"], hp=0)}
    assert orders(msgspec.structs.replace(position, machines=gone), "F1") == ()
    assert not any(order.action == "F" for order in orders(msgspec.structs.replace(position, machines=gone), "S1"))
