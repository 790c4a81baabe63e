"""Tests for the fairness measures of Battling, counted by hand on small arenas, and for symmetric battles."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from generator import games
from generator.common.fairness import Exact, certificate
from generator.errors import WrongUsageError
from generator.games.battling.fairness import FAIRNESS, FARTHEST
from generator.games.battling.ground import Arena, house_arenas
from generator.games.battling.half_turn import asymmetries, turned, turned_shape, turns
from generator.games.battling.model import SIDES, Scenario, Side
from generator.grid.columns import columns_field, distance
from generator.model.scenario import Request
from generator.seeds import BITS, code_for
from tests.games.battling.fields import arena, scenario

GAME = games.load("battling")


def values(of: Scenario) -> dict[str, tuple[Exact, Exact]]:
    return {row.id: row.values for row in FAIRNESS.measures(of) if row.values}


def edged(of: Scenario) -> Scenario:
    """Place the first player at the bottom edge and the second player at the top edge."""
    first, second = of.squads["first"], of.squads["second"]
    return replace(of, squads={"first": replace(first, edge="S"), "second": replace(second, edge="N")})


def drawn(code: str = "MARCH-2WEST", **options: str) -> Scenario:
    found: Scenario = GAME.draw(Request(code, {name.replace("_", "-"): text for name, text in options.items()}, {}))
    return found


def test_an_open_field() -> None:
    found = values(edged(scenario(arena(), "scopedog 0712, brutishdog 0812", "scopedog 0701")))
    assert found["machines"] == (2, 1)
    assert found["room"] == found["exposure"] == (14, 14)
    assert found["watched"] == (28, 14)
    assert found["sighted"] == (2, 1)
    assert found["hiding"] == (FARTHEST, FARTHEST)


def test_lanes_end_at_buildings_and_edges() -> None:
    """The 14 columns are straight lanes. Diagonal lanes start at the hexes with five columns ahead of them."""
    assert values(edged(scenario(arena(), "scopedog 0712", "scopedog 0701")))["lanes"] == (32, 32)
    shut = arena(14, 12, "0603")
    # The building blocks its column, and on each diagonal the lanes of the two nearest edge hexes.
    assert values(edged(scenario(shut, "scopedog 0712", "scopedog 0701")))["lanes"] == (32, 32 - 5)


def test_the_path_to_cover_leads_around_buildings() -> None:
    """A wall across all columns except the first hides the hexes directly behind it."""
    field = columns_field(14, 12)
    (left, _), (right, low) = (field.centre(cell) for cell in (field.row(6)[3], field.row(6)[-1]))
    wall = tuple(
        (5 * x, 5 * y) for x, y in ((left, low - 1), (right + 3, low - 1), (right + 3, low + 1), (left, low + 1))
    )
    ground = arena(14, 12, "", wall)
    found = values(edged(scenario(ground, "scopedog 0112, scopedog 1412", "scopedog 0101")))
    from_edge = [
        min(
            distance(start, cell)
            for cell in ground.open_cells
            if not any(ground.in_sight(cell, enemy) for enemy in ground.edge("N"))
        )
        for start in (ground.edge("S")[0], ground.edge("S")[-1])
    ]
    assert found["hiding"][0] == Fraction(sum(from_edge), 2)
    assert found["exposure"][0] < 14


@given(st.integers(0, (1 << BITS) - 1).map(code_for), st.integers(4, 10), st.integers(8, 14))
@settings(max_examples=15, deadline=None)
def test_mirrored_arenas_of_any_even_size_are_their_own_image(code: str, half: int, rows: int) -> None:
    made = drawn(code, mirror="on", columns=str(2 * half), rows=str(rows))
    field = made.arena.field
    assert all(made.arena.closed(cell) == made.arena.closed(turned(field, cell)) for cell in field.cells)
    assert certificate(FAIRNESS, made).grade == "A"
    assert not [fault for rule in GAME.rules for fault in rule.test(made)]


def test_the_half_turn_needs_an_even_number_of_columns() -> None:
    even, odd = columns_field(8, 9), columns_field(9, 9)
    assert (turns(even), turns(odd)) == (True, False)
    ends = even.centre(even.cells[0]), even.centre(even.cells[-1])
    for cell in even.cells:
        x, y = (a + b for a, b in zip(*ends, strict=True))
        cx, cy = even.centre(cell)
        assert even.centre(turned(even, cell)) == (x - cx, y - cy)
    [why] = asymmetries(arena(9, 9))
    assert why.en.startswith("9 columns")


def test_a_silhouette_is_the_same_from_whatever_corner() -> None:
    shape = ((10, -20), (20, -20), (20, -30), (12, -34))
    field = columns_field(14, 12)
    image = turned_shape(field, 5, shape)
    assert turned_shape(field, 5, image) == shape
    assert list(asymmetries(Arena(field, (shape, image[2:] + image[:2]), 5))) == []
    assert list(asymmetries(Arena(field, (shape, image[::-1]), 5))) == []
    [alone] = asymmetries(Arena(field, (shape,), 5))
    assert alone.en.endswith(": 1")


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("change", ["kind", "cell", "hp"])
def test_a_changed_machine_breaks_the_symmetry(side: Side, change: str) -> None:
    made = drawn(mirror="on")
    squad = made.squads[side]
    one = squad.machines[0]
    taken = {machine.cell for _, machine in made.machines}
    other: dict[str, Any] = {
        "kind": next(kind for kind in made.pack.machines if kind != one.kind),
        "cell": next(cell for cell in made.arena.edge(squad.edge) if cell not in taken),
        "hp": one.hp - 1,
    }
    moved = replace(squad, machines=(replace(one, **{change: other[change]}), *squad.machines[1:]))
    found = certificate(FAIRNESS, replace(made, squads={**made.squads, side: moved}))
    assert found.grade != "A"
    assert any(one.id in text.en for text in found.differs)


def test_options_for_one_squad_apply_to_both() -> None:
    made = drawn(mirror="on", squad_b="scopedog brutishdog", place_first="0101 0501")
    kinds = {tuple(machine.kind for machine in squad.machines) for squad in made.squads.values()}
    assert kinds == {("scopedog", "brutishdog")}
    assert [machine.cell for machine in made.squads["second"].machines] == [
        turned(made.arena.field, machine.cell) for machine in made.squads["first"].machines
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": "9"}, "--columns 9: no arena of this width is symmetrical"),
        ({"squad_a": "scopedog", "squad_b": "brutishdog"}, "both squads have the same set-up"),
        ({"place_first": "0101 0501", "place_second": "0112 0512", "machines": "2"}, "not symmetrical"),
    ],
    ids=str,
)
def test_options_that_contradict_a_mirror_are_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(WrongUsageError, match=message):
        drawn(mirror="on", **options)


@pytest.mark.parametrize("name", house_arenas())
def test_a_house_arena_must_be_symmetric(name: str) -> None:
    if not list(asymmetries(house_arenas()[name].ground)):
        assert certificate(FAIRNESS, drawn(mirror="on", arena=name)).grade == "A"
    else:
        with pytest.raises(WrongUsageError, match=f"{name} is not symmetrical"):
            drawn(mirror="on", arena=name)
