"""Tests for the fairness measures of BattleLore, with values counted by hand, and for asymmetric battles."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from generator import games
from generator.common.fairness import Exact, certificate
from generator.common.interpretations import defaults, rulings
from generator.errors import WrongUsageError
from generator.games.battlelore.base import Scenario
from generator.games.battlelore.fairness import FARTHEST, battle_measures, own_half
from generator.games.battlelore.forces import Kind, Unit, load_pool
from generator.games.battlelore.ground import Board, Side, house_inventory, house_maps, plain
from generator.games.battlelore.ground_rules import rule as ground
from generator.games.battlelore.maker import make_map
from generator.games.battlelore.model import asymmetries, evened, symmetric, turned
from generator.grid.hexes import Hex, distance
from generator.model.scenario import Request
from generator.seeds import RngStreams, code_for

GAME = games.load("battlelore")
assert GAME.fairness
FAIRNESS = GAME.fairness
RULINGS = defaults(rulings("battlelore"))
FOOT, HORSE, BOW = (
    Kind("blue", "short_sword", "human"),
    Kind("green", "long_sword", "human"),
    Kind("green", "common_bow", "human"),
)


def at(on: Board, name: str) -> Hex:
    cell = on.field.find(name)
    assert cell
    return cell


def board(ground: Mapping[str, str] | None = None, **of: Mapping[str, object]) -> Board:
    """Return an open board with the given terrain on some hexes."""
    whole = Board("battlelore", plain("battlelore"))

    def by_hex(part: Mapping[str, Any]) -> dict[Hex, Any]:
        return {at(whole, name): what for name, what in part.items()}

    parts: dict[str, Any] = {key: by_hex(part) for key, part in of.items()}
    return Board("battlelore", {**whole.ground, **by_hex(ground or {})}, **parts)


def units(on: Board, camp: Side, placed: Mapping[str, Kind]) -> list[tuple[Side, Unit]]:
    return [(camp, Unit(name, kind, "", (-1, -1), "card", on.field.find(name))) for name, kind in placed.items()]


def values(on: Board, pennant: Mapping[str, Kind], standard: Mapping[str, Kind]) -> dict[str, tuple[Exact, Exact]]:
    both = [*units(on, "pennant", pennant), *units(on, "standard", standard)]
    return {found.id: found.values for found in battle_measures(on, both, RULINGS) if found.values}


def test_points_dice_and_kinds() -> None:
    found = values(board(), {"C2": FOOT, "D2": HORSE, "E2": BOW}, {"C8": FOOT, "D8": FOOT})
    assert found["strength"] == (3 + 4 + 3, 6)
    assert (found["dice_green"], found["dice_blue"], found["dice_red"]) == ((4, 0), (3, 6), (0, 0))
    assert (found["mounted"], found["bows"], found["displaced"]) == ((1, 0), (1, 0), (0, 0))


def test_units_displaced_and_lost() -> None:
    on = board()
    forces = units(on, "pennant", {"C2": FOOT, "D2": FOOT, "E2": FOOT})
    forces = [(c, replace(u, placed=how)) for (c, u), how in zip(forces, ("card", "displaced", "lost"), strict=True)]
    forces[2] = (forces[2][0], replace(forces[2][1], hex=None))
    [found] = [
        m
        for m in battle_measures(on, [*forces, *units(on, "standard", {"C8": FOOT})], RULINGS)
        if m.id == "displaced"
    ]
    assert found.values == (2, 0)


@pytest.mark.parametrize(
    ("ground", "pennant", "standard", "turns"),
    [
        ({}, {"C3": FOOT}, {"C5": FOOT}, (1, 1)),
        ({}, {"C3": FOOT}, {"C4": FOOT}, (0, 0)),
        # The units are six rows apart. They need five steps to become adjacent, two per turn on foot and four on
        # horseback.
        ({}, {"C1": FOOT}, {"C7": FOOT}, (3, 3)),
        ({}, {"C1": HORSE}, {"C7": FOOT}, (2, 3)),
        # A belt of forest stops every unit that enters. It does not delay the foot unit on its far side.
        ({f"{c}4": "forest" for c in "ABCDEFGHIJK"}, {"C1": FOOT}, {"C7": FOOT}, (3, 3)),
        ({f"{c}4": "river" for c in "ABCDEFGHIJK"}, {"C1": FOOT}, {"C7": FOOT}, (FARTHEST, FARTHEST)),
        ({f"{c}4": "river" for c in "ABCDEFGHIJK"}, {"C3": FOOT}, {"C5": FOOT}, (FARTHEST, FARTHEST)),
    ],
)  # fmt: skip
def test_marches_to_contact(
    ground: Mapping[str, str], pennant: Mapping[str, Kind], standard: Mapping[str, Kind], turns: tuple[int, int]
) -> None:
    assert values(board(ground), pennant, standard)["contact"] == turns


def test_a_cliff_separates_adjacent_units() -> None:
    """Adjacent units separated by a cliff need one step around the cliff to fight."""
    on = board({"C4": "cliff"}, walls={"C4": (1, 2)})
    assert values(on, {"C4": FOOT}, {"C5": FOOT})["contact"] == (1, 1)


def test_cover_and_obstacles_are_counted_in_each_half() -> None:
    on = board(
        {"B2": "hill", "C2": "forest", "D2": "river", "E5": "forest", "B8": "hill", "C9": "cliff"},
        features={"F3": "stakes", "G7": "rampart"},
        walls={"C9": (0,)},
    )
    assert len(own_half(on, "pennant")) == len(own_half(on, "standard")) == 46
    found = values(on, {"A1": FOOT}, {"A9": FOOT})
    assert found["cover"] == (3, 3)
    # River and stakes count as obstacles. Forest does not, because it only limits dice. Behind the middle, C9 and D9
    # count because of the cliff between them.
    assert found["obstacles"] == (3, 2)


def test_firing_positions_in_the_middle_row() -> None:
    """A bow has a range of four hexes.

    All hexes of the middle row within four hexes of C9 count, and no hex nearer to the baseline.
    """
    on = board()
    near = [cell for cell in on.field.row(4) if distance(cell, at(on, "C9")) <= 4]
    assert values(on, {"C1": BOW}, {"C9": FOOT})["fire"] == (len(near), 0)
    assert near


def test_no_unit_fires_at_an_adjacent_hex() -> None:
    """A unit surrounded by forest is visible only from adjacent hexes, and units do not shoot at adjacent hexes."""
    ring = ("C5", "D5", "E5", "C6", "E6", "C7", "D7", "E7")
    for walls in ({}, {"D6": (0, 1, 2, 3, 4, 5)}):
        on = board(dict.fromkeys(ring, "forest"), walls=walls)
        assert values(on, {"A1": BOW}, {"D6": FOOT})["fire"] == (0, 0)


def test_the_weak_flank_faces_the_other_camps_opposite_section() -> None:
    on = board()
    found = values(on, {"A1": FOOT, "F1": FOOT, "L1": FOOT}, {"A9": HORSE, "B9": FOOT, "F9": FOOT})
    assert found["flank"] == (4, 3)
    shared = values(on, {"D2": FOOT}, {"A9": HORSE})
    assert shared["flank"] == (Fraction(5, 2), Fraction(3, 2))


@pytest.mark.parametrize("profile", ["battlelore", "memoir"])
def test_mirrored_random_maps_are_their_own_image_and_lawful(profile: str) -> None:
    rivers = 0
    for number in range(40):
        made = make_map(profile, RngStreams(code_for(number), "v1/test"), house_inventory(), mirrored=True)
        rivers += bool(made.water())
        assert asymmetries(made) == ()
        scenario = replace(drawn(), board=made, map="random")
        assert [fault for test in ground.tests.values() for fault in test(scenario)] == []
    assert 10 < rivers < 35


def test_some_house_maps_are_symmetric_and_a_turn_undone_is_none() -> None:
    even = {name for name, drawn in house_maps().items() if symmetric(drawn.ground)}
    assert even
    assert even < set(house_maps())
    for found in house_maps().values():
        assert turned(turned(found.ground)) == replace(
            found.ground, walls={c: tuple(sorted(sides)) for c, sides in found.ground.walls.items()}
        )


def drawn(**options: str) -> Scenario:
    scenario: Scenario = GAME.draw(Request(code_for(5), options, {}))
    return scenario


@pytest.mark.parametrize("camp", ["pennant", "standard"])
@pytest.mark.parametrize(
    "change",
    [{"kind": Kind("red", "short_sword", "human")}, {"hex": "G5"}, {"extra": 1}, {"levy": True}],
    ids=str,
)
def test_a_changed_unit_breaks_the_symmetry(camp: Side, change: dict[str, object]) -> None:
    scenario = drawn(mirror="on")
    force = scenario.forces[camp]
    unit = next(u for u in force.units if u.kind != change.get("kind"))
    put: dict[str, Any] = {k: at(scenario.board, str(v)) if k == "hex" else v for k, v in change.items()}
    changed = replace(force, units=tuple(replace(u, **put) if u is unit else u for u in force.units))
    found = certificate(FAIRNESS, replace(scenario, forces={**scenario.forces, camp: changed}))
    assert found.grade != "A"
    assert any(unit.id in finding.en for finding in found.differs)


@pytest.mark.parametrize(
    ("part", "finding"), [("ground", "Terrain without"), ("features", "Stakes or"), ("walls", "Cliff sides")]
)
def test_a_changed_hex_breaks_the_symmetry(part: str, finding: str) -> None:
    scenario = drawn(mirror="on")
    cell = at(scenario.board, "B4")
    other = "hill" if scenario.board.ground[cell] == "marsh" else "marsh"
    put: Mapping[str, object] = {"ground": other, "features": "stakes", "walls": (2,)}
    placed: dict[str, Any] = {part: {**getattr(scenario.board, part), cell: put[part]}}
    changed = replace(scenario.board, **placed)
    found = certificate(FAIRNESS, replace(scenario, board=changed))
    assert found.grade != "A"
    assert [text.en.startswith(finding) for text in found.differs] == [True]
    assert "B4" in found.differs[0].en


def test_councils_count() -> None:
    scenario = drawn(mirror="on", age="lore")
    force = scenario.forces["standard"]
    found = certificate(
        FAIRNESS, replace(scenario, forces={**scenario.forces, "standard": replace(force, council={})})
    )
    assert [text.en for text in found.differs] == ["The war councils differ"]


def test_a_pool_evened_is_what_both_have() -> None:
    pool = load_pool()
    even = evened(pool)
    assert even.pennant == even.standard
    assert even.pennant.figures["human"]["common_bow"] == 16
    assert not sum(even.pennant.figures["dwarf"].values())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"map": "marches_keep"}, "marches_keep is not symmetrical"),
        (
            {"plan-pennant": "even", "plan-standard": "strong_left"},
            "--plan-standard cannot be used, because both sides have the same set-up",
        ),
        ({"plan-standard": "even"}, "--plan-standard cannot be used, because both sides have the same set-up"),
    ],
    ids=str,
)
def test_options_that_contradict_a_mirror_are_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(WrongUsageError, match=message):
        drawn(mirror="on", **options)


def test_a_map_of_your_own_must_be_symmetric(tmp_path: Path) -> None:
    maps = Path(__file__).parents[3] / "data" / "battlelore" / "maps"
    for name, even in ((n, symmetric(m.ground)) for n, m in house_maps().items()):
        order = Request(code_for(1), {"map": "own.toml", "mirror": "on"}, {"map": maps / f"{name}.toml"})
        if even:
            assert certificate(FAIRNESS, GAME.draw(order)).grade == "A"
        else:
            with pytest.raises(WrongUsageError, match=r"own\.toml is not symmetrical"):
                GAME.draw(order)


def test_a_plan_for_one_side_applies_to_both() -> None:
    scenario = drawn(mirror="on", **{"plan-pennant": "strong_left"})
    assert {force.plan for force in scenario.forces.values()} == {"strong_left"}
    assert scenario.origin.options == {"mirror": "on", "plan-pennant": "strong_left"}
