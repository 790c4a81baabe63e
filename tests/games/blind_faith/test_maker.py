"""Tests for random maps, which are connected, with rivers that can be crossed and enough distance between places."""

from __future__ import annotations

from functools import cache

import pytest

from generator.games.blind_faith.ground import DrawnMap, OpMap, map_lines, read_file
from generator.games.blind_faith.maker import make_map
from generator.games.blind_faith.model import numbers
from generator.grid.hexes import distance
from generator.model.words import same
from generator.notation.toml import Source
from generator.seeds import RngStreams, code_for
from tests.games.drawn import file_text

NUMBERS = range(40)


@cache
def made(number: int) -> OpMap:
    return make_map(RngStreams(code_for(number * 7919), "v1/test"))


@pytest.mark.parametrize("number", NUMBERS)
def test_every_part_can_be_reached(number: int) -> None:
    (op_map,) = made(number).parts()
    assert len(op_map) == sum(map(made(number).passable, made(number).field.cells))


@pytest.mark.parametrize("number", NUMBERS)
def test_a_river_is_one_course_with_crossings(number: int) -> None:
    op_map = made(number)
    flows = op_map.flows()
    assert {len(ways) for ways in flows.values()} <= {2}
    crossings = [cell for cell in flows if op_map.passable(cell)]
    assert not flows or len(crossings) in numbers().maker.crossings.numbers
    assert all(distance(a, b) > 1 for a in crossings for b in crossings if a != b)


@pytest.mark.parametrize("number", NUMBERS)
def test_places_are_spread(number: int) -> None:
    op_map, of = made(number), numbers().maker
    kinds = [place.kind for place in op_map.places.values()]
    assert {kind: kinds.count(kind) for kind in of.places} == of.places
    assert all(op_map.ground[cell] == "clear" for cell in op_map.places)
    assert all(distance(a, b) >= of.apart for a in op_map.places for b in op_map.places if a != b)
    names = [place.name for place in op_map.places.values()]
    assert all(names.count(name) == 1 for name in names)


@pytest.mark.parametrize("number", NUMBERS)
def test_ground_has_its_share(number: int) -> None:
    op_map = made(number)
    for clumps in numbers().maker.clumps:
        share = len(op_map.field.cells) * clumps.share // 100
        assert 0 <= share - list(op_map.ground.values()).count(clumps.ground) <= 3


def test_some_maps_have_a_river_and_some_have_none() -> None:
    with_river = sum(bool(made(number).flows()) for number in NUMBERS)
    assert 0 < with_river < len(NUMBERS)


def test_the_same_streams_make_the_same_map() -> None:
    again = make_map(RngStreams(code_for(7919), "v1/test"))
    assert again == made(1)
    assert again != made(2)


def test_a_random_map_can_be_written_down() -> None:
    drawn = DrawnMap(same("Somewhere"), same(""), "own", made(3))
    assert read_file(Source("x", file_text(drawn, map_lines(drawn.ground)))) == drawn


def test_there_are_names_enough() -> None:
    of = numbers().maker
    assert all(len(of.names[kind]) >= count for kind, count in of.places.items())
    every = [name.en for names in of.names.values() for name in names]
    assert len(set(every)) == len(every)
