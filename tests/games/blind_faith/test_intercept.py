"""Tests for the stack that intercepts first, with fixed cases and an exhaustive search on random maps."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.games.blind_faith.battle import front_size
from generator.games.blind_faith.ground import OpMap, costs, gaps, movement, picture, reach, sound, way
from generator.games.blind_faith.interception import (
    Verdict,
    chances,
    defenders,
    going,
    judge,
    retreats,
    rows,
    staying,
)
from generator.games.blind_faith.maker import make_map
from generator.games.blind_faith.maps import QUERY, figure, lines
from generator.games.blind_faith.maps import scene as cover_map
from generator.games.blind_faith.model import Stack
from generator.games.blind_faith.tables import SIDES, house_pack
from generator.grid.hexes import Hex
from generator.model.words import LANGS
from generator.seeds import RngStreams, code_for
from tests.games.blind_faith import intercept_oracle as oracle
from tests.games.blind_faith.scenes import battle, both, ground, hex_of, path, scene, stack

MAPS = 30
"""Number of maps in this test. A proof uses 1,000."""
PACK = house_pack()


@pytest.mark.parametrize(
    ("mover", "cost", "verdict"),
    [
        (3, 2, "intercepts"),
        (3, 3, "tie"),
        (3, 4, "late"),
        (1, 0, "intercepts"),
        (9, 0, "intercepts"),
        (9, 6, "far"),
        (9, None, "far"),
    ],
)
def test_golden_cases(mover: int, cost: int | None, verdict: Verdict) -> None:
    assert judge(cost, mover, 5) == verdict


def contest(op_map: OpMap, number: int) -> set[tuple[int, str]]:
    """Return the interceptions of a random march by random stacks, after checking them against the oracle."""
    stream = RngStreams(code_for(number), "v1/test").at("contest")
    cells = [cell for cell in op_map.field.cells if op_map.passable(cell)]
    walk = [stream.choice(cells)]
    for _ in range(2 + stream.below(5)):
        walk.append(stream.choice(op_map.passable_neighbours(walk[-1])))
    classes = [unit.id for unit in PACK.of_side("crusader")]
    stacks = []
    for name in ("C1", "C2", "C3"):
        units = PACK.line(stream.choice(classes) for _ in range(1 + stream.below(4)))
        stacks.append(Stack(name, "crusader", stream.choice(cells), units))
    found = {
        (chance.step, chance.stack)
        for chance in chances(op_map, PACK, "hussite", tuple(walk), stacks)
        if chance.verdict == "intercepts"
    }

    def spot(cell: Hex) -> oracle.Spot:
        return op_map.field.column(cell), cell.r

    riders = []
    for one in stacks:
        able = [PACK.units[unit].movement for unit in one.units if PACK.units[unit].intercepts]
        riders.append((one.id, spot(one.hex), able))
    assert found == oracle.interceptions(picture(op_map), [spot(cell) for cell in walk], riders), number
    return found


def test_every_walk_walked_on_random_maps() -> None:
    contests = [contest(make_map(RngStreams(code_for(n * 7919), "v1/test")), n) for n in range(MAPS)]
    assert any(contests)
    assert not all(contests)


@given(st.integers(0, MAPS), st.data())
@settings(max_examples=30, deadline=None)
def test_cheapest_ways(number: int, data: st.DataObject) -> None:
    op_map = make_map(RngStreams(code_for(number * 7919), "v1/test"))
    cells = [cell for cell in op_map.field.cells if op_map.passable(cell)]
    start, end = (data.draw(st.sampled_from(cells)) for _ in range(2))
    minimum, found = reach(op_map, start), way(op_map, start, end)
    assert (found[0], found[-1]) == (start, end)
    assert sound(op_map, found)
    assert costs(op_map, found)[-1] == minimum[end]
    assert set(minimum) == set(cells)
    assert all(abs(minimum[a] - minimum[b]) <= 3 for a in cells for b in op_map.passable_neighbours(a))


def test_a_path_costs_what_its_hexes_cost() -> None:
    march = scene("march").march
    assert march
    op_map = scene("march").op_map
    assert costs(op_map, march.path) == (0, 1, 2, 3, 4)
    assert costs(op_map, march.path[:1]) == (0,)
    assert gaps(march.path) == []
    assert gaps((march.path[0], march.path[2])) == [(march.path[0], march.path[2])]


def test_no_unit_enters_a_river() -> None:
    wet = ground(C1="river")(scene("march"))
    assert wet.march
    assert not sound(wet.op_map, wet.march.path)
    with pytest.raises(ValueError, match="no unit can enter C1"):
        costs(wet.op_map, wet.march.path)
    assert rows(wet) == []
    assert "is not legal" in lines(wet)[0].en
    assert way(wet.op_map, wet.march.path[0], hex_of(wet, "C1")) == ()


def test_the_slowest_who_goes_counts() -> None:
    of = scene("march")
    units = of.stack("C1").units
    assert movement(PACK, units) < movement(PACK, going(PACK, units))
    assert movement(PACK, ()) == 0


def test_infantry_is_left_behind_but_fights_on_its_own_hex() -> None:
    of = scene("march")
    stack_there = of.stack("C1")
    away, cell = hex_of(of, "D1"), stack_there.hex
    assert set(going(PACK, stack_there.units)) == {"knights", "youth_horse"}
    assert set(staying(PACK, stack_there, away)) == {"crusader_foot"}
    assert PACK.line((*going(PACK, stack_there.units), *staying(PACK, stack_there, away))) == stack_there.units
    assert (staying(PACK, stack_there, cell), defenders(PACK, stack_there, cell)) == ((), stack_there.units)


@pytest.mark.parametrize(("units", "front"), [(7, 4), (4, 4), (3, 3), (1, 1)])
def test_front_boxes(units: int, front: int) -> None:
    assert front_size(PACK, units) == front


def test_rows_tell_every_hex_and_every_stack() -> None:
    found = rows(scene("march"))
    assert [(r["step"], r["hex"], r["mover_cost"], r["stack"], r["cost"], r["verdict"]) for r in found] == [
        (1, "B1", 1, "C1", 4, "late"), (1, "B1", 1, "C2", None, "unable"),
        (2, "C1", 2, "C1", 3, "late"), (2, "C1", 2, "C2", None, "unable"),
        (3, "D1", 3, "C1", 2, "intercepts"), (3, "D1", 3, "C2", None, "unable"),
        (4, "E1", 4, "C1", 2, "intercepts"), (4, "E1", 4, "C2", None, "unable"),
    ]  # fmt: skip
    assert found[4]["left_behind"] == ["crusader_foot"] * 4
    assert rows(scene("siege")) == []


def test_lines_tell_it_in_both_languages() -> None:
    for name in ("march", "battle", "siege"):
        for words in lines(scene(name)):
            assert words.en != words.ja
            assert all("{" not in words[lang] for lang in LANGS)
    assert any("D1, reached for 3 MP: C1 comes first (2 MP)" in words.en for words in lines(scene("march")))
    assert QUERY.lines(scene("march"), ()) == lines(scene("march"))
    assert QUERY.sheet(scene("march"), ()).figures


def test_a_path_may_come_back_to_a_hex() -> None:
    of = path("A1", "B1", "A1", "B1", "A1")(scene("march"))
    assert [row["mover_cost"] for row in rows(of) if row["stack"] == "C1"] == [1, 2, 3, 4]


def test_the_figure_shows_the_march_and_who_meets_it() -> None:
    of = scene("march")
    view = figure(of)
    assert [track.look for track in view.tracks] == ["march", "intercept"]
    assert of.march
    assert view.tracks[0].cells == of.march.path
    assert view.tracks[1].cells[0] == of.stack("C1").hex
    assert view.tracks[1].cells[-1] == hex_of(of, "D1")
    (shade,) = view.shades
    assert (shade.look, shade.cells) == ("reach", (hex_of(of, "D1"), hex_of(of, "E1")))
    assert len(view.tokens) == len(of.stacks) + 1
    chosen = battle(hex="E1")(scene("battle"))
    assert figure(chosen).tracks[1].cells[-1] == hex_of(of, "E1")
    assert figure(scene("siege")).tracks == ()


def test_the_cover_of_a_march_shows_who_can_meet_it() -> None:
    of = scene("march")
    view = cover_map(of)
    assert view.tracks == figure(of).tracks and view.shades == ()
    assert {track.look for track in view.tracks} == {"march", "intercept"}


def test_where_a_side_may_retreat() -> None:
    of = scene("battle")
    for side in SIDES:
        assert {of.op_map.name(cell) for cell in retreats(of, side)} == {"C1", "E1", "C2", "D2"}
    # Infantry adjacent to the battle blocks the retreat. A stack that is in the battle with all its units does not.
    near = stack("C1", hex="D2")(of)
    assert {near.op_map.name(cell) for cell in retreats(near, "hussite")} == {"C1", "E1", "C2"}
    whole = both(stack("C1", hex="D2", units="3 knights"), battle(defence=("3 knights", "")))(of)
    assert {whole.op_map.name(cell) for cell in retreats(whole, "hussite")} == {"C1", "E1", "C2", "D2"}
    assert retreats(scene("march"), "hussite") == ()
