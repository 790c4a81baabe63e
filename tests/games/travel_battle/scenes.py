"""A legal battle, and functions that break it.

There are two plain boards, of types A and B, each with a hill in the middle and its near edge in the south. The
picture shows Blue's units in rows 2 and 1, columns a to t. Red's units are placed in the same way after a half turn.

    . b c d . . . h i j . . . . o p q r . .      B1b B1c B1d    B2a B2b B2c     B3b B3c B3d B3e
    . b c d . . . h i . . . . . o p . . . .      B1e B1  B1a    B2d B2          B3a B3
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from generator.common.interpretations import defaults, rulings
from generator.common.scenario_file import Step
from generator.games.travel_battle.forces import house_roster
from generator.games.travel_battle.ground import (
    HALF,
    HALVES,
    SIZE,
    Board,
    BoardForm,
    BoardType,
    Edge,
    OrientedBoard,
    TerrainMap,
    read_board,
)
from generator.games.travel_battle.model import (
    FORWARD,
    OTHER,
    PREFIX,
    RANDOM,
    SIDES,
    WHOLE,
    Army,
    Brigade,
    Objective,
    Placed,
    Scenario,
    Side,
    Unit,
    brigade_id,
)
from generator.games.travel_battle.rules import rules
from generator.grid.squares import Square, squares
from generator.model.scenario import Origin
from generator.model.words import same
from generator.notation.toml import Source
from generator.rules import Report, check

BARE = """
. . . . . . . = . .
. . . . . . . = . .
= = = = = = = = . .
. . = . . . . . . .
. . = 1 1 1 . . . .
. . = 1 2 1 . . . .
. . = 1 1 1 . . . .
. . = = = = = = = =
. . = . . . . . . .
. . = . . . . . . .
"""
POSTS = {
    1: {"brigadier": "c1", "guard": "d1", "line": "b2 c2", "light": "d2", "gun": "b1"},
    2: {"brigadier": "i1", "line": "h2 i2", "heavy": "j2", "gun": "h1"},
    3: {"brigadier": "p1", "guard": "o1", "line": "o2 p2", "heavy": "q2", "light": "r2"},
}
EVIDENCE = (
    Step("side_dice", None, "", ("5", "3")),
    Step("side", "blue", "", ("left",)),
    Step("turn", "blue", "", ("a1", "1")),
    Step("turn_free", "red", "", ("k1", "5")),
    Step("edge", "red", "", ("k1", "3")),
    Step("placer_dice", None, "", ("2", "2")),
    Step("placer_dice", None, "", ("6", "1")),
    Step("mover_dice", None, "", ("1", "4")),
)
SETUP = [WHOLE, "board", "side_dice", "side", "turn", "turn_free", "edge", "split", "preset"]
SETUP += ["placer_dice", "placer", "place", "mover_dice", "mover", "objective"]

Edit = Callable[[Scenario], Scenario]


class Row(NamedTuple):
    """A change to the legal battle, with the rules that it breaks."""

    id: str
    edit: Edit
    fires: str
    """Ids of all rules that the change breaks."""


def report(scenario: Scenario) -> Report:
    return check(rules(), scenario)


def fired(scenario: Scenario) -> set[str]:
    return {finding.rule.id for finding in report(scenario).findings}


@cache
def battle() -> Scenario:
    """Return the legal battle with a log of only the necessary evidence. Red moves first, and Blue sets up first."""
    scenario = Scenario(
        origin=Origin("travel_battle"),
        title=same("Plain"),
        boards=(
            (
                Placed(RANDOM, "blue", OrientedBoard(board("A"), 1)),
                Placed(RANDOM, "red", OrientedBoard(board("B"), 1)),
            ),
        ),
        roster=house_roster(),
        armies={player: army(player) for player in SIDES},
        first_placer="blue",
        first_mover="red",
        objective=Objective(),
        turns=12,
        rulings=defaults(rulings("travel_battle")),
        log=EVIDENCE,
    )
    return replace(scenario, log=ordered((*EVIDENCE, *set_up_log(scenario))))


@cache
def whole() -> Scenario:
    """Return the legal battle on one whole board.

    Blue's half has two roads across the seam. Red's half is its rotated image.
    """
    halves = [
        Placed(RANDOM, player, OrientedBoard(board(HALF), edge)) for player, edge in zip(SIDES, HALVES, strict=True)
    ]
    laid_by_dice = ("side_dice", "side", "turn", "turn_free", "edge")
    log = [Step(WHOLE, None, "", ()), *(step for step in battle().log if step.what not in laid_by_dice)]
    return replace(battle(), boards=(tuple(halves),), log=tuple(log))


def ordered(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Sort log steps by their position in the set-up. Unknown steps come last."""
    return tuple(sorted(steps, key=lambda step: SETUP.index(step.what) if step.what in SETUP else len(SETUP)))


def board(kind: BoardType) -> Board:
    """Return the plainest board of a type. Type B mirrors A, and a half has an additional road to its seam."""
    lines = BARE.strip().splitlines()
    if kind == HALF:
        lines[2] = " ".join("=" * SIZE)
    rows = [line[::-1] for line in lines] if kind == "B" else lines
    return read_board(BoardForm(kind, "\n".join(rows)), Source("test.toml", ""), types=[kind])


def army(player: Side) -> Army:
    """Return a player's army as shown in the docstring of this module."""
    return Army(player, tuple(_brigade(player, number, posts) for number, posts in POSTS.items()))


def _brigade(player: Side, number: int, posts: Mapping[str, str]) -> Brigade:
    field, units = squares(2 * SIZE, SIZE), list[Unit]()
    for kind, names in posts.items():
        for name in names.split():
            cell = at(name)
            id_ = brigade_id(player, number) + " abcde"[len(units)].strip()
            place = cell if player == "blue" else field.turned(cell)
            units.append(Unit(id_, house_roster().kinds[kind], place, FORWARD[player]))
    return Brigade(number, tuple(units))


def at(name: str) -> Square:
    """Return a square of the field of two boards."""
    cell = squares(2 * SIZE, SIZE).find(name)
    assert cell
    return cell


def set_up_log(scenario: Scenario) -> list[Step]:
    """Return the log of the set-up with the current squares, in which the players place brigades alternately."""
    name, first = scenario.battlefield.terrain_map.field.name, scenario.first_placer
    placements = {
        player: [
            Step("place", player, "", tuple(f"{u.id} {name(u.cell)}" for u in brigade.units if u.cell))
            for brigade in army.brigades
        ]
        for player, army in scenario.armies.items()
    }
    longest = max(map(len, placements.values()))
    return [step for i in range(longest) for p in (first, OTHER[first]) for step in placements[p][i : i + 1]]


def with_log(edit: Edit) -> Edit:
    """Return an edit that also updates the placing of brigades in the log, so that only the edit is at fault."""

    def relogged(scenario: Scenario) -> Scenario:
        after = edit(scenario)
        return replace(after, log=ordered((*(s for s in after.log if s.what != "place"), *set_up_log(after))))

    return relogged


def both(*edits: Edit) -> Edit:
    """Return an edit that applies the given edits in order."""

    def edit(scenario: Scenario) -> Scenario:
        for one in edits:
            scenario = one(scenario)
        return scenario

    return edit


def setting(**changes: Any) -> Edit:
    """Return an edit that changes the given values of the scenario."""
    return lambda scenario: replace(scenario, **changes)


def aims(kind: str, player: Side | None = None, cells: str = "", units: str = "", count: int = 0) -> Edit:
    """Return an edit that sets the objective. Squares and units are given by name."""
    return setting(objective=Objective(kind, player, tuple(map(at, cells.split())), tuple(units.split()), count))


def unit(id_: str, **changes: Any) -> Edit:
    """Return an edit that changes one unit. A square is given by name."""
    if changes.get("cell"):
        changes["cell"] = at(changes["cell"])
    if "kind" in changes:
        changes["kind"] = house_roster().kinds[changes["kind"]]
    return brigades(id_, lambda units: [msgspec.structs.replace(u, **changes) if u.id == id_ else u for u in units])


def without(id_: str) -> Edit:
    """Return an edit that removes a unit."""
    return brigades(id_, lambda units: [u for u in units if u.id != id_])


def more(id_: str, like: str, cell: str) -> Edit:
    """Return an edit that adds a copy of a unit."""

    def add(units: list[Unit]) -> list[Unit]:
        model = next(u for u in units if u.id == like)
        return [*units, msgspec.structs.replace(model, id=id_, cell=at(cell))]

    return brigades(like, add)


def brigades(of: str, edit: Callable[[list[Unit]], list[Unit]]) -> Edit:
    """Return an edit that changes the units of a brigade, which is found by its id or a unit's id."""

    def change(scenario: Scenario) -> Scenario:
        player: Side = next(p for p, prefix in PREFIX.items() if of.startswith(prefix))
        changed = tuple(
            Brigade(b.number, tuple(edit(list(b.units)))) if str(b.number) == of[1] else b
            for b in scenario.armies[player].brigades
        )
        return replace(scenario, armies={**scenario.armies, player: Army(player, changed)})

    return with_log(change)


def ground(changes: Mapping[str, str]) -> Edit:
    """Return an edit that changes the terrain of squares, which are given by name."""

    def change(scenario: Scenario) -> Scenario:
        def drawn(column: int, placed: Placed) -> Placed:
            board_terrain = placed.oriented.board.terrain_map
            new = {at(name) - Square(SIZE * column, 0): terrain for name, terrain in changes.items()}
            lies = {cell: placed.oriented.turned_cell(cell) for cell in board_terrain.field.cells}
            inside = {cell: new[there] for cell, there in lies.items() if there in new}
            board = Board(
                placed.oriented.board.type, TerrainMap(board_terrain.field, {**board_terrain.ground, **inside})
            )
            return replace_struct(placed, oriented=OrientedBoard(board, placed.oriented.edge))

        return replace(scenario, boards=(tuple(drawn(c, p) for c, p in enumerate(scenario.boards[0])),))

    return change


def with_boards(*placed: tuple[BoardType, Side, Edge], rows: int = 1) -> Edit:
    """Return an edit that replaces the boards, listed from the left, in the given number of rows."""
    boards = [Placed(RANDOM, owner, OrientedBoard(board(kind), edge)) for kind, owner, edge in placed]
    across = len(boards) // rows
    return setting(boards=tuple(tuple(boards[r * across : (r + 1) * across]) for r in range(rows)))


def replace_struct(placed: Placed, **changes: Any) -> Placed:
    return msgspec.structs.replace(placed, **changes)


def log(what: str, *results: tuple[str, ...], who: str | None = None) -> Edit:
    """Return an edit that replaces the results of every log step of a kind, or removes these steps."""

    def edit(scenario: Scenario) -> Scenario:
        steps = [s for s in scenario.log if s.what != what]
        return replace(scenario, log=ordered((*steps, *(Step(what, who, "", result) for result in results))))

    return edit


def step(what: str, who: str | None, *result: str) -> Edit:
    """Return an edit that adds a log step at its position in the set-up."""
    return lambda scenario: replace(scenario, log=ordered((*scenario.log, Step(what, who, "", result))))


def order(*names: str) -> Edit:
    """Return an edit that logs the set-up of the brigades in the given order."""

    def edit(scenario: Scenario) -> Scenario:
        steps = {s.result[0].split()[0]: s for s in set_up_log(scenario)}
        rest = [s for s in scenario.log if s.what != "place"]
        return replace(scenario, log=ordered((*rest, *(steps[name] for name in names))))

    return edit
