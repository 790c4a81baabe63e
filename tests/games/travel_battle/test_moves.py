"""Tests for moves on generated terrain, and comparison with every path on random boards."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace
from msgspec.structs import replace as replace_struct

from generator.errors import WrongUsageError
from generator.games.travel_battle.forces import house_roster
from generator.games.travel_battle.ground import SIZE, Board, OrientedBoard, TerrainMap
from generator.games.travel_battle.model import FORWARD, SIDES, Army, Brigade, Placed, Scenario, Unit, brigade_id
from generator.games.travel_battle.play import Moves, find_moves, move_lines, move_row, moves, shades
from generator.games.travel_battle.tables import terrains
from generator.grid.squares import Square, distance, squares
from generator.seeds import Rng
from tests.games.travel_battle.scenes import Edit, at, battle, both, ground, setting, unit

FIELD = squares(SIZE, SIZE)
GROUNDS = {"open": 8, "road": 8, "hill": 1, "building": 2, "wood": 3}


def moves_of(id_: str, *edits: Edit) -> Moves:
    scenario = both(*edits)(battle())
    return moves(scenario, scenario.units[id_][2])


def squares_of(found: Moves) -> str:
    return " ".join(battle().battlefield.terrain_map.field.name(move.cell) for move in found.reached)


def test_foot_goes_one_square_in_any_direction() -> None:
    assert squares_of(moves_of("B1b", unit("B1b", cell="f2"), unit("B1", cell="e1"))) == "f1 g1 e2 g2 e3 f3 g3"


def test_horse_goes_two_squares_and_one_more_from_road_to_road() -> None:
    found = moves_of("B3e")
    farther = {move.cell for move in found.reached if move.steps == 3}
    assert farther == {move.cell for move in found.reached if move.road} == {at("o3"), at("r5")}
    assert not any(move.road for move in moves_of("B3d").reached)


def test_a_road_bonus_depends_only_on_both_ends() -> None:
    """The terrain from r2 to the road on t5 is open. The path to r5 is road all the way."""
    end, strict = ground({"t5": "road"}), setting(rulings={**battle().rulings, "road_strict": "yes"})
    free, bound = moves_of("B3e", end), moves_of("B3e", end, strict)
    assert at("t5") in {move.cell for move in free.reached}
    assert bound.barred[at("t5")] == "way"
    assert at("r5") in {move.cell for move in bound.reached}


@pytest.mark.parametrize(
    ("id_", "terrain", "bar"),
    [
        ("B1b", "wood", None),
        ("B1b", "building", None),
        ("B1d", "wood", "ground"),
        ("B1d", "building", "ground"),
        ("B2", "wood", "ground"),
        ("B2", "building", None),
        ("B1e", "wood", "ground"),
        ("B1e", "building", None),
    ],
)
def test_who_may_enter_what(id_: str, terrain: str, bar: str | None) -> None:
    stands = battle().units[id_][2].cell
    assert stands
    free = next(c for c in squares(20, 10).neighbours(stands) if c not in battle().units_on_board)
    found = moves_of(id_, ground({squares(20, 10).name(free): terrain}))
    assert found.barred.get(free) == bar
    assert (free in {move.cell for move in found.reached}) == (bar is None)


def test_foot_may_join_foot_of_any_brigade_on_open_ground() -> None:
    near = unit("B2a", cell="e2"), unit("B2", cell="f1"), unit("B2b", cell="f2")
    joins = {move.cell: move.joins for move in moves_of("B2a", *near, unit("B1c", cell="d3")).reached}
    assert joins[at("d1")] == "B1a"
    assert joins[at("d3")] == "B1c"
    for edit in (unit("B1a", square=True), ground({"d1": "wood"}), ground({"d1": "building"})):
        assert moves_of("B2a", *near, edit).barred[at("d1")] == "full"
    assert moves_of("B2a", *near, unit("B1c", cell="d1")).barred[at("d1")] == "full"
    assert moves_of("B2a", *near).barred[at("d2")] == "full"
    assert moves_of("B2c", *near, unit("B2c", cell="e1")).barred[at("d1")] == "full"


def test_no_unit_passes_through_friends() -> None:
    """Along the road from c8 the only path to e8 leads through d8. Over open terrain there is a path around d8."""
    posts = unit("B2a", cell="c8"), unit("B2", cell="b8"), unit("B2b", cell="d8")
    strict = setting(rulings={**battle().rulings, "road_strict": "yes"})
    free, bound = moves_of("B2a", *posts), moves_of("B2a", *posts, strict)
    assert {move.cell: move.steps for move in free.reached}[at("e8")] == 2
    assert {move.cell: move.joins for move in bound.reached}[at("d8")] == "B2b"
    assert bound.barred[at("e8")] == "way"
    assert at("e8") in {move.cell for move in moves_of("B2a", *posts[:2], strict).reached}


def test_a_pair_may_move_together_or_separately() -> None:
    """Each unit has separate moves. Both may move together to any empty open square that either of them can reach."""
    posts = unit("B2a", cell="f4"), unit("B2b", cell="f4"), unit("B2", cell="g4")
    scenario = both(*posts)(battle())
    first, second = (moves(scenario, scenario.units[id_][2]) for id_ in ("B2a", "B2b"))
    assert [move.cell for move in first.reached] == [move.cell for move in second.reached]
    assert [line.en for line in move_lines(scenario, first)][1].startswith(
        "This unit shares its square with B2b. They may move together"
    )
    alone = moves(scenario, scenario.units["B1a"][2])
    assert not any("shares" in line.en for line in move_lines(scenario, alone))


def test_units_out_of_the_chain_and_squares_stay() -> None:
    assert moves_of("B1b", unit("B1b", cell="f4")).held == "unlinked"
    assert moves_of("B3e", unit("B3d", cell="t4")).held == "unlinked"
    assert moves_of("B1b", unit("B1", cell=None)).held == "unlinked"
    assert moves_of("B1b", unit("B1b", square=True)).held == "square"
    assert moves_of("B1", unit("B1", cell="g5")).held is None
    with pytest.raises(ValueError, match="not on the battlefield"):
        moves_of("B1b", unit("B1b", cell=None))


def test_a_unit_goes_by_its_id() -> None:
    assert find_moves(battle(), "b1B") == moves_of("B1b")
    with pytest.raises(WrongUsageError, match="there is no unit named 'B9' on the battlefield"):
        find_moves(battle(), "B9")
    with pytest.raises(WrongUsageError, match="there is no unit named 'B1b'"):
        find_moves(unit("B1b", cell=None)(battle()), "B1b")


def test_contact_is_reported_and_stops_no_unit() -> None:
    enemies = unit("R1b", cell="k4"), unit("R1", cell="l3")
    found = {move.cell: move for move in moves_of("B2c", *enemies).reached}
    assert found[at("k3")].contacts == found[at("j3")].contacts == ("R1b",)
    assert found[at("l4")].contacts == ("R1b",)
    assert found[at("l3")].drives == "R1"
    assert not found[at("l2")].contacts
    assert moves_of("B2c", *enemies).barred[at("k4")] == "enemy"


def test_rows_words_and_shades_tell_the_same() -> None:
    scenario = both(unit("R1b", cell="l4"), unit("R1", cell="l3"))(battle())
    found = moves(scenario, scenario.units["B2c"][2])
    out = move_row(scenario, found)
    assert (out["unit"], out["from"], out["held"]) == ("B2c", "j2", None)
    assert {"to": "l3", "steps": 2, "road": False, "joins": None, "drives": "R1", "contacts": ["R1b"]} in out["moves"]  # type: ignore[operator] # rows are plain values
    assert {"square": "l4", "why": "enemy"} in out["barred"]  # type: ignore[operator] # rows are plain values
    lines = move_lines(scenario, found)
    assert lines[0].en == "B2c (heavy cavalry) on j2"
    assert "l3: 2 squares, R1 steps aside, in contact with R1b" in [line.en for line in lines]
    assert "cannot move to l4: an enemy stands there" in [line.en for line in lines]
    assert all("{" not in line.en + line.ja and line.en != line.ja for line in lines)
    shaded = [cell for shade in shades(found) for cell in shade.cells]
    assert sorted(shaded) == sorted([*(move.cell for move in found.reached), *found.barred])
    apart = unit("B2c", cell="j4")(scenario)
    held = move_lines(apart, moves(apart, apart.units["B2c"][2]))
    assert held[1].en == "B2c is not linked to its brigadier, so it may not move."


def scattered(code: int) -> Scenario:
    """Return a board of random terrain with two brigades per side, including pairs and square formations."""
    stream = Rng("MOVES", f"test/{code}")
    terrain = TerrainMap(FIELD, {c: stream.weighted(list(GROUNDS), list(GROUNDS.values())) for c in FIELD.cells})
    # Infantry of a user's army may move two squares, and then meets other units on its path.
    kinds = {i: replace_struct(k, move=2) if code % 2 else k for i, k in house_roster().kinds.items()}
    taken: dict[Square, list[tuple[str, str]]] = {}
    armies = {}
    for player in SIDES:
        brigades = []
        for number in (1, 2):
            units: list[Unit] = []
            for letter, kind in zip(
                ("", *"abcdef"), ("brigadier", *stream.sample(2 * list(kinds)[1:], 6)), strict=True
            ):
                home = units[0].cell if units else stream.choice(FIELD.cells)
                assert home
                spots = [
                    c
                    for c in FIELD.cells
                    if distance(c, home) <= 2
                    and terrain.admits(c, kinds[kind].arm)
                    and (
                        c not in taken
                        or (len(taken[c]) == 1 and taken[c][0] == (player, "infantry") == (player, kinds[kind].arm))
                    )
                ]
                if not spots:
                    continue
                cell = stream.choice(spots)
                taken.setdefault(cell, []).append((player, kinds[kind].arm))
                lone = len(taken[cell]) == 1 and kinds[kind].arm == "infantry" and terrain.terrain(cell).open
                square = lone and stream.chance(1, 5)
                if square:
                    taken[cell].append((player, "square"))
                units.append(Unit(brigade_id(player, number) + letter, kinds[kind], cell, FORWARD[player], square))
            brigades.append(Brigade(number, tuple(units)))
        armies[player] = Army(player, tuple(brigades))
    boards = ((Placed("", "blue", OrientedBoard(Board("A", terrain), 1)),),)
    choice = stream.choice(("no", "yes"))
    return replace(battle(), boards=boards, armies=armies, rulings={**battle().rulings, "road_strict": choice})


Walked = dict[str, tuple[int, bool, str, str, frozenset[str]]]


def walked(scenario: Scenario, id_: str) -> Walked | str:
    """Return the moves of a unit according to the text of the rules, found by trying every path of single steps."""
    player, brigade, unit = scenario.units[id_]
    terrain, strict = scenario.battlefield.terrain_map, scenario.rulings["road_strict"] == "yes"
    pieces = [(p, u) for p, _b, u in scenario.units.values()]
    start = unit.cell
    assert start
    if unit.square:
        return "square"
    chain = [u for u in brigade.units if u.kind.arm == "brigadier"]
    for _ in brigade.units:
        chain += [u for u in brigade.units if u not in chain and any(close(u, other) for other in chain)]
    if unit not in chain:
        return "unlinked"
    ends: Walked = {}
    for length in (1, 2, 3):
        for steps in product(range(-1, 2), repeat=2 * length):
            path = [start]
            for dc, dr in zip(steps[::2], steps[1::2], strict=True):
                path.append(path[-1] + Square(dc, dr))
            if len({*path}) < len(path) or not all(fits(scenario, id_, cell) for cell in path[1:]):
                continue
            if any(u.cell in path[1:-1] for _p, u in pieces):
                continue
            roads = [terrains()[terrain.ground[cell]].road for cell in path]
            bonus = all(roads) if strict else roads[0] and roads[-1]
            if length > unit.kind.move + bonus or terrain.field.name(path[-1]) in ends:
                continue
            there = [(p, u.id) for p, u in pieces if u.cell == path[-1]]
            foes = [u for p, u in pieces if p != player and u.kind.arm != "brigadier" and u.cell]
            ends[terrain.field.name(path[-1])] = (
                length,
                length > unit.kind.move,
                "".join(name for p, name in there if p == player),
                "".join(name for p, name in there if p != player),
                frozenset(u.id for u in foes if u.cell and distance(u.cell, path[-1]) == 1),
            )
    return ends


def close(a: Unit, b: Unit) -> bool:
    return a.cell is not None and b.cell is not None and distance(a.cell, b.cell) <= 1


def fits(scenario: Scenario, id_: str, cell: Square) -> bool:
    """Return whether a unit could end its move on a square."""
    player, _brigade, unit = scenario.units[id_]
    if cell not in FIELD:
        return False
    ground, arm = scenario.battlefield.terrain_map.ground[cell], unit.kind.arm
    if (ground == "wood" and arm != "infantry") or (ground == "building" and arm == "cavalry"):
        return False
    others = [(p, u) for p, _b, u in scenario.units.values() if u.cell == cell]
    friends = [u for p, u in others if p == player]
    if any(p != player and u.kind.arm != "brigadier" for p, u in others):
        return False
    if not friends:
        return True
    foot = arm == "infantry" and all(u.kind.arm == "infantry" and not u.square for u in friends)
    return foot and len(friends) == 1 and ground not in ("wood", "building")


def same_as_walked(code: int) -> int:
    scenario, tried = scattered(code), 0
    for id_, (_player, _brigade, mover) in scenario.units.items():
        found, wanted = moves(scenario, mover), walked(scenario, id_)
        if isinstance(wanted, str):
            assert (found.held, found.reached, found.barred) == (wanted, (), {})
            continue
        moves_shown = {
            FIELD.name(m.cell): (m.steps, m.road, m.joins, m.drives, frozenset(m.contacts)) for m in found.reached
        }
        assert (found.held, moves_shown) == (None, wanted)
        tried += len(wanted)
    return tried


@pytest.mark.parametrize("code", range(6))
def test_moves_are_those_of_every_path_walked(code: int) -> None:
    assert same_as_walked(code) > 0
