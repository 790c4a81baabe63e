"""What a good arena is: each test yields what breaks it, by the rules of data/battling/arena_rules.toml.

Nothing here knows how an arena was made; the maker does not build with it. The numbers are those of ground.toml.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from generator.games.battling.ground.arena import ACROSS, Arena, Edge
from generator.games.battling.numbers import limits
from generator.games.regions import connected
from generator.games.ruleset import RuleBook, ruleset
from generator.games.words import words
from generator.grid.columns import DIRECTIONS, Numbered, step
from generator.model.words import Words
from generator.rules.rule import Fault, Rule

rule = RuleBook("battling/arena_rules.toml")


@dataclass(frozen=True)
class Opening:
    """What one edge sees of the edge across before the first move."""

    cells: tuple[Numbered, ...]
    """The hexes of this edge that may be entered."""
    pairs: int
    """Each of them with each hex across."""
    seen: int
    """How many of the pairs are in sight of each other."""
    covered: tuple[Numbered, ...]
    """The hexes of this edge that see nothing of the edge across."""

    @property
    def percent(self) -> int:
        """How many of the pairs are in sight, rounded up: a bound is met where this meets it."""
        return -(-100 * self.seen // self.pairs) if self.pairs else 0


def opening(arena: Arena, edge: Edge) -> Opening:
    """What an edge sees of the edge across."""
    cells, across = arena.edge(edge), arena.edge(ACROSS[edge])
    seen = {a: sum(arena.in_sight(a, b) for b in across) for a in cells}
    covered = tuple(a for a, count in seen.items() if not count)
    return Opening(cells, len(cells) * len(across), sum(seen.values()), covered)


def edge_name(edge: Edge) -> Words:
    """What an edge is called."""
    return words("battling")["edge"][edge]


@rule("arena.room")
def room(arena: Arena) -> Iterator[Fault]:
    cells = {edge: arena.edge(edge) for edge in arena.edges}
    yield from _enough(cells, limits().room)


@rule("arena.cover")
def cover(arena: Arena) -> Iterator[Fault]:
    cells = {edge: opening(arena, edge).covered for edge in arena.edges}
    yield from _enough(cells, limits().cover)


def _enough(found: dict[Edge, tuple[Numbered, ...]], least: int) -> Iterator[Fault]:
    """Edges with too few hexes of a sort (reason `few`), or with many more than the edge across (`uneven`)."""
    for edge, cells in found.items():
        if len(cells) < least:
            yield Fault(edge, "few", {"edge": edge_name(edge), "n": len(cells), "least": least})
        more = len(cells) - len(found[ACROSS[edge]])
        if more > limits().uneven:
            yield Fault(edge, "uneven", {"edge": edge_name(edge), "n": more})


@rule("arena.opening")
def openings(arena: Arena) -> Iterator[Fault]:
    most = limits().opening
    for edge in arena.edges:
        percent = opening(arena, edge).percent
        # Sight is mutual: one edge of a pair tells for both.
        if edge in ("N", "E") and percent > most:
            yield Fault(edge, "open", {"edge": edge_name(edge), "percent": percent, "most": most})


@rule("arena.reachable")
def reachable(arena: Arena) -> Iterator[Fault]:
    parts = connected(arena.open_cells, arena.field.neighbours)
    main = max(parts, key=len, default=())
    for part in parts:
        if part is not main:
            names = " ".join(arena.field.name(cell) for cell in sorted(part))
            yield Fault(names, "cut", {"hexes": names})


@rule("arena.streets")
def streets(arena: Arena) -> Iterator[Fault]:
    dash, least = limits().dash, limits().streets
    directions = range(len(DIRECTIONS))
    starts = [cell for cell in arena.open_cells if any(_runs(arena, cell, d, dash) for d in directions)]
    share = 100 * len(starts) // max(1, len(arena.open_cells))
    if share < least:
        yield Fault("arena", "few", {"share": share, "dash": dash, "least": least})


def _runs(arena: Arena, cell: Numbered, direction: int, length: int) -> bool:
    for _ in range(length):
        cell = step(cell, direction)
        if cell not in arena.field or arena.closed(cell):
            return False
    return True


@cache
def arena_rules() -> tuple[Rule[Arena], ...]:
    """The rules of arenas by themselves."""
    return ruleset(rule)
