"""Show the board as a view, and answer the queries `muster moves` and `muster reach`."""

from __future__ import annotations

from collections.abc import Iterable

from generator.games.tablut.ground import BOARD, CASTLE, EDGE, SIDE, SIDES, Man, Men
from generator.games.tablut.model import Scenario, side_name
from generator.games.tablut.play import Position, after, king_needs, reached

from generator.common.game import Query
from generator.common.tables import words
from generator.errors import Problem, WrongUsageError
from generator.grid.squares import Square
from generator.model.views import Legend, MapView, Shade, Sheet, Token
from generator.model.words import Words, joined, same

SHAPE = {"attackers": "muscovite", "defenders": "swede"}


def token(man: Man) -> Token:
    """Return the counter of a man."""
    return Token(SHAPE[SIDE[man]], "plain", "tablut_king" if man == "K" else "tablut_man")


def board_view(men: Men, shaded: Iterable[Square] = ()) -> MapView:
    """Return the board with men and with some squares shaded."""
    texts = words("tablut")["map"]
    ground = {
        cell: "konakis" if cell == CASTLE else "tablut_edge" if cell in EDGE else "tablut" for cell in BOARD.cells
    }
    legend = [Legend("konakis", texts["castle"]), Legend("tablut_edge", texts["edge"])]
    legend += [Legend(token(man), texts[man]) for man in SIDE if man in men.values()]
    return MapView(
        BOARD,
        ground,
        tokens=tuple((cell, token(man)) for cell, man in men.items()),
        shades=(Shade("reach", tuple(shaded)),),
        legend=tuple(legend),
        edges=(side_name(SIDES[1]), side_name(SIDES[0])),
    )


def names(cells: Iterable[Square]) -> Words:
    """Return a list of the names of squares."""
    return joined([same(BOARD.name(cell)) for cell in cells])


def _square_of(scenario: Scenario, args: tuple[str, ...]) -> Square:
    """Return the square of the requested man.

    Raises:
        WrongUsageError: If the square is empty.
    """
    men = scenario.position.men
    cell = BOARD.find(args[0].lower()) if args else None
    if cell is None or cell not in men:
        hint = f"men stand on {', '.join(sorted(map(BOARD.name, men)))}"
        raise WrongUsageError(Problem(f"nobody stands on {args[0]!r}" if args else "no square is named", hint=hint))
    return cell


def _moves(scenario: Scenario, cell: Square) -> dict[Square, tuple[Square, ...]]:
    """Return the squares to which a man may move on its side's turn, each with the squares of captured men."""
    position = Position(scenario.position.men, SIDE[scenario.position.men[cell]])
    found = {}
    for there in reached(position.men, cell):
        left = after(position, (cell, there)).men
        found[there] = tuple(other for other in position.men if other != cell and other not in left)
    return found


def move_rows(scenario: Scenario, args: tuple[str, ...]) -> list[dict[str, object]]:
    """Return a row for each square to which a man may move."""
    cell = _square_of(scenario, args)
    return [
        {"from": BOARD.name(cell), "to": BOARD.name(there), "takes": [BOARD.name(c) for c in gone]}
        for there, gone in _moves(scenario, cell).items()
    ]


def move_lines(scenario: Scenario, args: tuple[str, ...]) -> list[Words]:
    """Return the lines for the terminal about a man's moves."""
    texts, cell = words("tablut")["moves"], _square_of(scenario, args)
    found = _moves(scenario, cell)
    who = words("tablut")["map"][scenario.position.men[cell]]
    lines = [texts["head" if found else "none"].fill(man=who, at=BOARD.name(cell), to=names(found))]
    return lines + [texts["takes"].fill(to=BOARD.name(to), men=names(gone)) for to, gone in found.items() if gone]


def reach_rows(scenario: Scenario, args: tuple[str, ...]) -> list[dict[str, object]]:
    """Return a row for each square that the king can reach."""
    found = king_needs(scenario.position.men)
    return [{"square": BOARD.name(cell), "moves": n, "edge": cell in EDGE} for cell, n in found.items()]


def reach_lines(scenario: Scenario, args: tuple[str, ...]) -> list[Words]:
    """Return the minimum number of moves in which the king reaches the edge, and the squares there."""
    texts, found = words("tablut")["reach"], king_needs(scenario.position.men)
    out = {cell: n for cell, n in found.items() if cell in EDGE}
    if not out:
        return [texts["shut"]]
    fewest = min(out.values())
    return [texts["out"].fill(n=fewest, to=names(cell for cell, n in out.items() if n == fewest))]


def _sheet(scenario: Scenario, title: Words, lines: list[Words], shaded: Iterable[Square]) -> Sheet:
    view = board_view(scenario.position.men, shaded)
    return Sheet("moves", title, "tablut/answer.xml", {"lines": lines}, {"map": view})


QUERIES: tuple[Query[Scenario], ...] = (
    Query(
        "moves",
        move_rows,
        move_lines,
        lambda scenario, args: _sheet(
            scenario,
            words("tablut")["moves"]["title"].fill(at=args[0]),
            move_lines(scenario, args),
            _moves(scenario, _square_of(scenario, args)),
        ),
    ),
    Query(
        "reach",
        reach_rows,
        reach_lines,
        lambda scenario, args: _sheet(
            scenario,
            words("tablut")["reach"]["title"],
            reach_lines(scenario, args),
            [cell for cell, n in king_needs(scenario.position.men).items() if n],
        ),
    ),
)
