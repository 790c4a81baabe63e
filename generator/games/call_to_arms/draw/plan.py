"""A plan for the three cards: bows where they see most, heavy units where the ground is open.

The measure, a house one: for a bow, a point for every hex it sees within its range; for any other unit, its
points for each hex next to it that it may enter without stopping; a unit that the ground would displace counts
for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations

from generator.games.battlelore.forces.points import points
from generator.games.battlelore.forces.units import Kind
from generator.games.battlelore.ground.board import SECTIONS, Board, Camp, Section
from generator.games.battlelore.lore import lore
from generator.games.battlelore.play.sight import screens
from generator.games.call_to_arms.forces.deck import Deck
from generator.grid.hexes import Hex, distance
from generator.sight.lines import Screens


def strong_places(
    deck: Deck, board: Board, camp: Camp, keys: tuple[str, ...], rulings: Mapping[str, str]
) -> tuple[str, ...]:
    """The four cards as left, centre, right, reserve, by the best sum of the measure; ties keep the order given."""
    value = worth(deck, board, camp, keys, rulings)
    return max(permutations(keys), key=lambda four: sum(value[k, s] for k, s in zip(four[:3], SECTIONS, strict=True)))


def worth(
    deck: Deck, board: Board, camp: Camp, keys: tuple[str, ...], rulings: Mapping[str, str]
) -> dict[tuple[str, Section], int]:
    """The measure of each card in each section."""
    over = screens(board, (), rulings)
    return {
        (key, section): sum(
            _worth(board, over, unit.kind, board.plan.card_hex(camp, section, unit.column, unit.row))
            for unit in deck.card(camp, key).units
        )
        for key in keys
        for section in SECTIONS
    }


def _worth(board: Board, over: Screens, kind: Kind, at: Hex) -> int:
    if not board.passable(at):
        return 0
    if kind.bow:
        reach = lore().weapons[kind.weapon].range
        index = board.field.index
        return sum(
            not over.stops(index[at], index[cell]) for cell in board.field.cells if 2 <= distance(at, cell) <= reach
        )
    ahead = [n for n in board.field.neighbours(at) if board.step(at, n) and board.terrain(n).move == "free"]
    return points(kind) * len(ahead)
