"""The rules of play for moves, captures and victory, used by the generator and the checker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from generator.games.tablut.ground import BOARD, CASTLE, EDGE, OTHER, SIDE, Men, Side, start

from generator.grid.squares import STEPS, Square

WAYS = STEPS[::2]
"""Steps to the east, north, west and south."""
Move = tuple[Square, Square]


class Position(msgspec.Struct, frozen=True):
    """The men on the board, and the side to move."""

    men: Men
    mover: Side


def opening() -> Position:
    """Return the opening position, in which the attackers move first."""
    return Position(start(), "attackers")


def reached(men: Men, cell: Square) -> tuple[Square, ...]:
    """Return the squares to which a man may move in a straight line. Only the king may enter the castle."""
    found: list[Square] = []
    for way in WAYS:
        there = cell + way
        while there in BOARD and there not in men and (there != CASTLE or men[cell] == "K"):
            found.append(there)
            there += way
    return tuple(found)


def moves(position: Position) -> Iterator[Move]:
    """Yield every move of the side to move."""
    for cell, man in position.men.items():
        if SIDE[man] == position.mover:
            yield from ((cell, there) for there in reached(position.men, cell))


def held(men: Men, king: Square) -> bool:
    """Return whether a king is captured.

    The king is captured by enemies on four sides in the castle, on three sides next to it, and elsewhere like
    other men.
    """

    def hostile(cell: Square) -> bool:
        return men.get(cell) == "A"

    if king == CASTLE or king in BOARD.side_neighbours(CASTLE):
        return all(hostile(cell) or cell == CASTLE for cell in BOARD.side_neighbours(king))
    return any(hostile(king + way) and hostile(king - way) for way in WAYS[:2])


def taken(men: Men, cell: Square) -> tuple[Square, ...]:
    """Return the squares of the men captured by a move to a square.

    A man is captured between the moved man and another man of its side.
    """
    side = SIDE[men[cell]]
    found: list[Square] = []
    for way in WAYS:
        there, behind = cell + way, men.get(cell + way + way)
        man = men.get(there)
        if man is None or SIDE[man] == side:
            continue
        if held(men, there) if man == "K" else behind is not None and SIDE[behind] == side:
            found.append(there)
    return tuple(found)


def after(position: Position, move: Move) -> Position:
    """Return the position after a move, without the captured men."""
    start, end = move
    men = {end if cell == start else cell: man for cell, man in position.men.items()}
    gone = taken(men, end)
    return Position({cell: man for cell, man in men.items() if cell not in gone}, OTHER[position.mover])


def winner(men: Men) -> Side | None:
    """Return the winner, or None.

    The defenders win when their king is on the edge. The attackers win when the king is captured.
    """
    king = king_of(men)
    return "attackers" if king is None else "defenders" if king in EDGE else None


def king_of(men: Men) -> Square | None:
    """Return the king's square, or None."""
    return next((cell for cell, man in men.items() if man == "K"), None)


def decided(position: Position) -> bool:
    """Return whether the game is over, or the side to move can end it at once."""
    return winner(position.men) is not None or any(
        winner(after(position, move).men) == position.mover for move in moves(position)
    )


def king_needs(men: Men) -> Mapping[Square, int]:
    """Return the number of moves to each square that the king can reach if nothing else moves.

    The result is empty if there is no king.
    """
    king = king_of(men)
    found = {} if king is None else {king: 0}
    for cell in (queue := list(found)):
        rest = {other: man for other, man in men.items() if man != "K"}
        for there in reached({**rest, cell: "K"}, cell):
            if there not in found:
                found[there] = found[cell] + 1
                queue.append(there)
    return found
