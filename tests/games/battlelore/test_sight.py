"""Compare sight on whole boards with the oracle, check its symmetries, and test small boards drawn as text."""

from __future__ import annotations

import random
from itertools import product

import pytest

from generator.common.interpretations import defaults, rulings
from generator.games.battlelore.forces import Kind, Unit
from generator.games.battlelore.ground import Board, plain, profile
from generator.games.battlelore.play import Query, screens
from generator.games.battlelore.tables import lore
from generator.grid.hexes import Hex
from generator.model.words import same
from generator.sight.trace import judge
from tests.games.battlelore.sight_oracle import Field, in_sight
from tests.sight.oracle import name, places

BATCHES, BOARDS = 8, 64
GROUNDS = {"countryside": 8, "forest": 2, "hill": 6, "cliff": 2, "landmark": 1, "river": 1, "ford": 1, "marsh": 1}
SWITCHES = {switch.id: [c.id for c in switch.choice] for switch in rulings("battlelore").values()}
USUAL = defaults(rulings("battlelore"))

Rulings = dict[str, str]
Pairs = set[frozenset[Hex]]


def random_board(dice: random.Random) -> tuple[Board, frozenset[Hex], Rulings]:
    which = dice.choice(["battlelore", "memoir"])
    cells = profile(which).field.cells
    openness = dice.choice([0, 20, 60])
    weights = [openness, *list(GROUNDS.values())[1:]]
    ground = dict(zip(cells, dice.choices(list(GROUNDS), weights, k=len(cells)), strict=True))
    units = frozenset(dice.sample(cells, dice.choice([0, 5, 30])))
    return Board(which, ground), units, {switch: dice.choice(of) for switch, of in SWITCHES.items()}


def seen(board: Board, units: frozenset[Hex], ruled: Rulings) -> Pairs:
    cells = board.field.cells
    return {frozenset((cells[a], cells[b])) for a, b in screens(board, units, ruled).all_clear()}


def mirrored(board: Board, cell: Hex) -> Hex:
    return board.field.at(board.field.rows[cell.r] - 1 - board.field.column(cell), cell.r)


def test_the_random_boards_have_every_terrain_that_blocks() -> None:
    blocking = {name for name, kind in lore().terrain.items() if kind.blocks}
    assert blocking <= GROUNDS.keys(), "list it in GROUNDS, and state how it blocks in sight_oracle.py"


@pytest.mark.parametrize("batch", range(BATCHES))
def test_every_line_of_five_hundred_boards(batch: int) -> None:
    dice = random.Random(batch)
    for _ in range(BOARDS):
        board, units, ruled = random_board(dice)
        grid = board.field
        at = {cell: (2 * grid.column(cell) + cell.r % 2, cell.r) for cell in grid.cells}
        field = Field(grid.rows, {at[c]: g for c, g in board.ground.items()}, {at[c] for c in units}, ruled)
        assert [*screens(board, units, ruled).all_clear()] == in_sight(field)


@pytest.mark.parametrize("which", ["battlelore", "memoir"])
def test_the_oracle_counts_hexes_as_the_field_does(which: str) -> None:
    grid = profile(which).field
    assert [name(place) for place in places(grid.rows)] == [grid.name(cell) for cell in grid.cells]


@pytest.mark.parametrize("seed", range(4))
def test_sight_is_the_same_from_both_ends_and_in_full(seed: int) -> None:
    board, units, ruled = random_board(random.Random(f"ends {seed}"))
    over = screens(board, units, ruled)
    cells = board.field.cells
    clear = set(over.all_clear())
    for a, b in random.Random(seed).sample(list(product(range(len(cells)), repeat=2)), 1500):
        if a == b:
            continue
        forth, back = judge(over, cells[a], cells[b]), judge(over, cells[b], cells[a])
        assert forth.clear == back.clear == ((min(a, b), max(a, b)) in clear)
        assert set(forth.blocked_by) == set(back.blocked_by)
        assert (forth.off_board, forth.left) == (back.off_board, tuple(reversed(back.right)))
        assert forth.clear == (not forth.blocked_by and not forth.off_board)
        assert not {cells[a], cells[b]} & set(forth.blocked_by)


@pytest.mark.parametrize("seed", range(6))
def test_a_turned_or_mirrored_board_shows_the_same(seed: int) -> None:
    board, units, ruled = random_board(random.Random(f"turned {seed}"))
    before = seen(board, units, ruled)
    for move in (board.field.turned, lambda cell: mirrored(board, cell)):
        moved = Board(board.profile, {move(c): ground for c, ground in board.ground.items()})
        after = seen(moved, frozenset(map(move, units)), ruled)
        assert after == {frozenset(map(move, pair)) for pair in before}


def test_one_more_unit_opens_no_line() -> None:
    board, units, ruled = random_board(random.Random("one more"))
    more = frozenset({*units, next(c for c in board.field.cells if c not in units)})
    assert seen(board, more, ruled) <= seen(board, units, ruled)


STORIES = {
    "woods": (
        """
        . . . . . .
         . . . . .
        . . . f . .
         . . . . .
        . . . . . .
        """,
        "",
        {},
        """
        C2 D4 blocked by D3 (forest)
        B3 D3 clear
        D3 F3 clear
        C3 E3 blocked by D3 (forest)
        B3 D2 clear
        """,
    ),
    "a friend or foe blocks": (
        ". . . . . .",
        "C1",
        {},
        """
        A1 E1 blocked by C1 (unit)
        A1 C1 clear
        B1 C1 adjacent
        """,
    ),
    "one side of a hexside is not enough": (
        """
        . . . . . .
         . f . . .
        . . . . . .
        """,
        "",
        {},
        """
        C1 C3 clear
        C1 B3 blocked by B2 (forest)
        """,
    ),
    "both sides are": (
        """
        . . . . . .
         . f L . .
        . . . . . .
        """,
        "",
        {},
        "C1 C3 blocked by B2 (forest), C2 (landmark)",
    ),
    "left here and right there, wherever": (
        """
        . . . . . .
         . f . . .
        . . . . . .
         . . f . .
        . . . . . .
        """,
        "",
        {"hexside": "cumulative"},
        "C1 C5 blocked by C2 (forest), B4 (forest)",
    ),
    "left here and right there, each by itself": (
        """
        . . . . . .
         . f . . .
        . . . . . .
         . . f . .
        . . . . . .
        """,
        "",
        {"hexside": "each"},
        "C1 C5 clear",
    ),
    "the edge stands like a wood": (
        """
        . . . . . .
         f . . . .
        . . . . . .
        """,
        "",
        {"edge": "blocks"},
        "A1 A3 blocked by A2 (forest), edge",
    ),
    "the edge is open": (
        """
        . . . . . .
         f . . . .
        . . . . . .
        """,
        "",
        {"edge": "open"},
        "A1 A3 clear",
    ),
    "over the next hill": (
        ". h h . h h h . .",
        "",
        {"hill": "adjacent"},
        """
        A1 D1 blocked by B1 (hill), C1 (hill)
        B1 D1 clear
        A1 C1 clear
        E1 G1 clear
        E1 H1 blocked by G1 (hill)
        D1 G1 blocked by E1 (hill)
        C1 E1 clear
        """,
    ),
    "over one plateau only": (
        ". h h . h h h . .",
        "",
        {"hill": "plateau"},
        """
        B1 D1 blocked by C1 (hill)
        A1 C1 blocked by B1 (hill)
        E1 G1 clear
        B1 G1 blocked by C1 (hill), E1 (hill), F1 (hill)
        """,
    ),
    "over a cliff from a hill or a cliff": (
        ". c c . c h . h c h .",
        "",
        {"hill": "plateau"},
        """
        A1 C1 clear
        A1 D1 blocked by B1 (cliff), C1 (cliff)
        D1 F1 clear
        E1 G1 blocked by F1 (hill)
        H1 J1 clear
        G1 I1 blocked by H1 (hill)
        """,
    ),
    "a unit on a hill blocks all the same": (
        ". h h h . .",
        "C1",
        {},
        """
        B1 D1 blocked by C1 (unit)
        C1 E1 clear
        """,
    ),
    "low ground hides nobody": (
        ". ~ o = s m .",
        "",
        {},
        "A1 G1 clear",
    ),
}
"""Boards drawn from the far to the near baseline, with units, rulings and lines. Plain hexes are omitted."""


@pytest.mark.parametrize("story", STORIES)
def test_sight_is_described(story: str) -> None:
    picture, units, ruled, wanted = STORIES[story]
    ground = plain("battlelore")
    grid = profile("battlelore").field
    for row, text in enumerate(reversed(picture.strip().splitlines())):
        for column, symbol in enumerate(text.split()):
            ground[grid.at(column, row)] = lore().by_symbol[symbol].id
    stand = {grid.find(unit) for unit in units.split()}
    query = Query(Board("battlelore", ground), frozenset(u for u in stand if u), USUAL | ruled)
    lines = [line.strip() for line in wanted.strip().splitlines()]
    assert [explain_line(query, *line.split()[:2]) for line in lines] == lines


def explain_line(query: Query, start: str, end: str) -> str:
    line = query.line(start, end)
    board, name_of = query.board, query.board.field.name
    what = [f"{name_of(cell)} ({'unit' if cell in query.units else board.ground[cell]})" for cell in line.blocked_by]
    what += ["edge"] if line.off_board else []
    verdict = "adjacent" if query.rule(line) == "adjacent" else "clear"
    assert line.clear == (not what)
    return f"{start} {end} " + (f"blocked by {', '.join(what)}" if what else verdict)


def explained(start: str, end: str, **ruled: str) -> list[str]:
    grid = profile("battlelore").field
    cell = grid.find("H2")
    assert cell
    ground = plain("battlelore") | {cell: "hill"}
    query = Query(Board("battlelore", ground), frozenset(), USUAL | ruled)
    return query.explain(query.line(start, end)).en.splitlines()


def test_a_line_tells_the_rulings_that_have_a_say() -> None:
    assert explained("A1", "D1") == [
        "A1 to D1: 3 hexes",
        "passes through: B1, C1",
        "Clear: no hex it crosses blocks, and hexsides do not block on both sides.",
    ]
    ruled = "Sight over hills (along one group of hills), Lines along hexsides (left and right anywhere)"
    assert explained("H1", "H5", hill="plateau")[-1] == f"Rulings in force: {ruled}."


def test_a_line_along_the_edge_has_the_edge_on_that_side() -> None:
    explanation = explained("A1", "A3")
    assert explanation[2] == "runs along hexsides of: the board's edge on its left, A2 on its right"
    assert explained("A3", "A1")[2] == "runs along hexsides of: A2 on its left, the board's edge on its right"
    ruled = "Lines along hexsides (left and right anywhere), Beyond the board's edge (they block)"
    assert explanation[-1] == f"Rulings in force: {ruled}."


def test_neighbours_have_no_line_to_tell_of() -> None:
    assert explained("A1", "A2") == ["A1 to A2: the next hex", "Adjacent hexes: melee, never a shot."]


def test_a_unit_that_blocks_is_named_with_its_owners_name() -> None:
    grid = profile("battlelore").field
    ends = [grid.find(name) for name in ("A1", "B1", "C1")]
    kind = Kind("green", "common_bow", "human")
    names = ["", "戦友", ""]
    units = [Unit(f"P{i}", kind, "", (-1, -1), "card", at, name=same(names[i])) for i, at in enumerate(ends)]
    query = Query(Board("battlelore", plain("battlelore")), frozenset(at for at in ends if at), USUAL, units)
    line = query.line("P0", "p2")
    assert query.row(line)["blockers"] == [{"hex": "B1", "what": "unit", "unit": "P1"}]
    assert "blocked by: B1 (P1 “戦友”, green common bow)" in query.explain(line).en
    assert "妨害するもの：B1（P1「戦友」、緑 コモンボウ）" in query.explain(line).ja
