"""Tests that generated scenarios are repeatable, legal and follow the options, and that their guns have targets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import WrongUsageError
from generator.games.travel_battle import ground
from generator.games.travel_battle.deploying import cells_under_fire
from generator.games.travel_battle.draw import draw
from generator.games.travel_battle.ground import EDGES, SIZE, house_boards
from generator.games.travel_battle.model import OTHER, SIDES, Placed, Scenario, Side
from generator.games.travel_battle.rules import rules
from generator.games.travel_battle.tables import numbers
from generator.grid.squares import STEPS, Square
from generator.model.scenario import Request
from generator.rules import check
from generator.seeds import BITS, code_for
from tests.games.travel_battle.test_boards import FILE

FORMATS = Path(__file__).parents[3] / "docs" / "formats"
CODES = [code_for(n * ((1 << BITS) // 40)) for n in range(40)]


@cache
def plain(code: str) -> Scenario:
    """Return the scenario of a code without options."""
    return draw(Request(code, {}, {}))


def drawn(code: str = CODES[1], files: Mapping[str, Path] | None = None, /, **options: str) -> Scenario:
    by_name = {name.replace("_", "-"): value for name, value in options.items()}
    return draw(Request(code, by_name | {name: path.name for name, path in (files or {}).items()}, files or {}))


def fewest_visible_squares(scenario: Scenario) -> int:
    """Return the number of squares visible from the gun that sees the fewest."""
    terrain = scenario.battlefield.terrain_map
    guns = [unit.cell for _, _, unit in scenario.units.values() if unit.kind.arm == "artillery" and unit.cell]
    return min(
        len(cells_under_fire(terrain, tuple(scenario.units_on_board), gun, scenario.rulings["sight"])) for gun in guns
    )


def found(scenario: Scenario) -> list[str]:
    return [finding.rule.id for finding in check(rules(), scenario).findings]


def test_a_sample_of_codes_is_legal_its_roads_joined_and_its_guns_well_placed() -> None:
    well = 0
    for code in CODES:
        scenario = plain(code)
        assert found(scenario) == [], code
        field = scenario.battlefield
        assert ground.roads_meet(field) == ground.network(field.terrain_map) == ground.alternate(field) == []
        well += fewest_visible_squares(scenario) >= numbers().guns_see
    assert well >= 0.95 * len(CODES)


@given(
    number=st.integers(0, (1 << BITS) - 1),
    table=st.sampled_from(numbers().tables),
    sizes=st.sampled_from(["even", "any"]),
)
@settings(max_examples=8, deadline=None)
def test_any_code_on_any_table_is_legal_and_draws_the_same_again(number: int, table: str, sizes: str) -> None:
    scenario = drawn(code_for(number), boards=table, sizes=sizes)
    assert found(scenario) == []
    assert drawn(code_for(number), boards=table, sizes=sizes) == scenario


@pytest.mark.parametrize("table", numbers().tables)
def test_types_alternate_and_armies_multiply(table: str) -> None:
    columns, rows = map(int, table.split("x"))
    scenario = drawn(boards=table)
    types = [[placed.oriented.board.type for placed in row] for row in scenario.boards]
    assert (len(types[0]), len(types)) == (columns, rows)
    for (r, c), step in product(product(range(rows), range(columns)), STEPS[:3:2]):
        if r + step.r < rows and c + step.c < columns:
            assert types[r][c] != types[r + step.r][c + step.c]
    owners = Counter(placed.owner for row in scenario.boards for placed in row)
    assert owners["blue"] == owners["red"] or owners.total() == 1
    armies = numbers().armies_on(columns, rows)
    assert {len(army.brigades) for army in scenario.armies.values()} == {armies * numbers().brigades}
    assert {len(army.units) for army in scenario.armies.values()} == {armies * 17}
    names = [placed.name for row in scenario.boards for placed in row if placed.name in house_boards()]
    assert len(names) == len(set(names))
    assert max(map(len, scenario.units)) <= 3


def test_boards_wished_for_lie_on_the_table_and_the_other_joins() -> None:
    for player, name in product(SIDES, ("kiln_farm", "abbey_walls", "random")):
        scenario = drawn(**{f"board_{player}": name})
        chosen = next(placed for row in scenario.boards for placed in row if placed.owner == player)
        assert chosen.name == name
        assert found(scenario) == []


def test_two_boards_of_one_type_are_accepted_with_findings() -> None:
    of = {b.ground.type: name for name, b in house_boards().items()}["A"]
    scenario = drawn(board_blue=of, board_red=of)
    assert set(found(scenario)) == {"field.types", "field.roads"}


def test_a_users_board_is_stored_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(FILE, "utf-8")
    scenario = drawn(CODES[1], {"board-red": path})
    assert {placed.name for row in scenario.boards for placed in row if placed.owner == "red"} == {"mine.toml"}
    assert set(scenario.origin.files) == {"board-red"}
    assert found(scenario) == []


def step(scenario: Scenario, what: str) -> list[tuple[str | None, tuple[str, ...]]]:
    return [(of.who, of.result) for of in scenario.log if of.what == what]


def test_the_higher_roll_may_choose_the_position_of_the_board() -> None:
    for code, side in product(CODES[:12], ("left", "right")):
        scenario = drawn(code, side_blue=side, side_red=side)
        ((who, result),) = step(scenario, "side")
        assert result == (side,)
        left = scenario.boards[0][0].owner
        assert (left == who) == (side == "left")
        *ties, last = (dice for _, dice in step(scenario, "side_dice"))
        assert all(blue == red for blue, red in ties)
        assert who == ("blue" if last[0] > last[1] else "red")


def test_ties_are_rerolled() -> None:
    thrown = [len(step(plain(code), "mover_dice")) for code in CODES]
    assert max(thrown) > 1


def test_a_mirrored_draw_is_legal_each_side_the_other_s_image_and_its_guns_see() -> None:
    well = 0
    for code in CODES[:20]:
        scenario = drawn(code, mirror="on")
        assert found(scenario) == [], code
        field = scenario.battlefield.terrain_map.field
        stands = [
            {(u.id[1:], u.kind.id, u.cell if p == "blue" else field.turned(u.cell)) for u in army.units if u.cell}
            for p, army in scenario.armies.items()
        ]
        assert stands[0] == stands[1]
        assert len(stands[0]) == 17
        whats = [of.what for of in scenario.log]
        assert whats[:3] == ["whole", "split", "split"]
        assert not {"board", "side", "side_dice", "turn", "turn_free", "edge"} & set(whats)
        well += fewest_visible_squares(scenario) >= numbers().guns_see
    assert well >= 19


def test_a_mirrored_draw_takes_what_is_wished_for_one_army_for_both() -> None:
    for player in SIDES:
        scenario = drawn(**{"mirror": "on", f"split_{player}": "wings", "turns": "8", "sight": "corners"})
        assert found(scenario) == []
        assert step(scenario, "preset") == [("blue", ("wings",)), ("red", ("wings",))]
        assert (scenario.turns, scenario.rulings["sight"]) == (8, "corners")
        assert set(scenario.origin.options) == {"mirror", f"split-{player}", "turns", "sight"}
    alike = drawn(mirror="on", split_blue="wings", split_red="wings", boards="2x1", objective="brigades")
    assert found(alike) == []


def test_the_die_turns_a_board_and_a_high_one_leaves_it_to_its_owner() -> None:
    free = 0
    for code in CODES[:20]:
        scenario = drawn(code, edge_blue="3", edge_red="2")
        lie = dict(zip(("a1", "k1"), scenario.boards[0], strict=True))
        for who, (at, die) in step(scenario, "turn"):
            assert int(die) <= numbers().turned
            assert (who, owner_edge(lie[at])) == (lie[at].owner, int(die))
        for who, (at, die) in step(scenario, "turn_free"):
            free += 1
            assert int(die) > numbers().turned
            assert (who, owner_edge(lie[at])) == (lie[at].owner, {"blue": 3, "red": 2}[lie[at].owner])
    assert free > 5


def owner_edge(placed: Placed) -> int:
    """Return the edge of a board that faces its owner, derived from the terrain."""
    ways = {edge: placed.oriented.board.facing(edge).terrain_map.ground for edge in EDGES}
    south = next(edge for edge, ground in ways.items() if ground == placed.oriented.turned.terrain_map.ground)
    return south if placed.owner == "blue" else {1: 3, 2: 4, 3: 1, 4: 2}[south]


@pytest.mark.parametrize("table", ["2x2", "4x1"])
def test_every_board_of_a_club_table_lies_before_its_owner(table: str) -> None:
    scenario = drawn(boards=table, edge_blue="4", edge_red="1")
    columns = len(scenario.boards[0])
    name = scenario.battlefield.terrain_map.field.name
    chosen = {at: (who, int(edge)) for what in ("turn", "edge") for who, (at, edge) in step(scenario, what)}
    for i, placed in enumerate(placed for row in scenario.boards for placed in row):
        at = name(Square(SIZE * (i % columns), SIZE * (i // columns)))
        assert chosen[at] == (placed.owner, owner_edge(placed))
    assert {edge for who, edge in chosen.values()} > {1}


def test_brigades_are_set_up_by_turns_and_numbered_from_their_player_s_left() -> None:
    for code in CODES[:10]:
        scenario = plain(code)
        turns = [who for who, _ in step(scenario, "place")]
        assert turns[0] == scenario.first_placer
        assert all(one == OTHER[other] for one, other in pairwise(turn for turn in turns if turn in SIDES))
        for player, army in scenario.armies.items():
            middles = [sum(u.cell.c for u in b.units if u.cell) / len(b.units) for b in army.brigades]
            assert middles == sorted(middles, reverse=player == "red")


@pytest.mark.parametrize("player", SIDES)
def test_brigades_wished_for_stand_in_their_order(player: Side) -> None:
    scenario = drawn(**{f"split_{player}": "wings"})
    wanted = scenario.roster.presets["wings"].brigades
    assert tuple(dict(Counter(u.kind.id for u in b.fighters)) for b in scenario.armies[player].brigades) == wanted
    assert found(scenario) == []


def test_infantry_is_in_front_of_cavalry_and_brigadiers() -> None:
    """Deployments resemble those of players.

    Most infantry and guns are in the front row, and most brigadiers in the rear.
    """
    front: Counter[str] = Counter()
    everybody: Counter[str] = Counter()
    for code in CODES:
        scenario = plain(code)
        for player, army in scenario.armies.items():
            rows = {1} if player == "blue" else {8}
            for unit in army.units:
                assert unit.cell
                everybody[unit.kind.id] += 1
                front[unit.kind.id] += unit.cell.r in rows
    shares = {kind: front[kind] / everybody[kind] for kind in everybody}
    assert min(shares["line"], shares["gun"]) > 0.6 > 0.4 > max(shares["brigadier"], shares["guard"])


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({"split_blue": "wing"}, "this army has no division into brigades named 'wing'"),
        ({"objective": "survive", "turns": "8"}, "--turns 8: .* survive has no last turn .omit --turns"),
        (
            {"objective": "protect", "turns": "0"},
            "--turns 0: .* protect ends on another turn .choose one of 12, 6, 8",
        ),
        ({"sizes": "evn"}, "--sizes: this army has no brigade sizes named 'evn' .did you mean even"),
        ({"sizes": "any", "split_blue": "wings", "split_red": "wings"}, "--sizes has no effect"),
        ({"title": "a" * 81}, "--title is longer"),
        (
            {"mirror": "on", "boards": "2x2"},
            "--boards 2x2 cannot be symmetrical .with --mirror, the whole field is drawn as one board of 2x1",
        ),
        ({"mirror": "on", "board_red": "kiln_farm"}, "--board-red has no effect .with --mirror, the whole field is"),
        (
            {"mirror": "on", "side_blue": "left", "edge_blue": "2"},
            "--side-blue has no effect .*\n?.*--edge-blue has no effect",
        ),
        (
            {"mirror": "on", "objective": "hold"},
            "--objective hold cannot be symmetrical .only one player has this objective",
        ),
        ({"mirror": "on", "objective": "random"}, "--objective random cannot be symmetrical"),
        ({"mirror": "on", "split_blue": "wings", "split_red": "by_arm"}, "both armies have the same brigades"),
        ({"mirror": "on", "split_blue": "wings", "sizes": "any"}, "--sizes has no effect"),
        (
            {"boards": "1x1", "board_blue": "kiln_farm", "board_red": "maypole_cross"},
            "cannot have both --board-blue and --board-red",
        ),
        (
            {"boards": "1x1", "board_blue": "kiln_farm", "side_blue": "right", "side_red": "left"},
            "--board-blue has no effect .--side-.* gives the only board to the other player",
        ),
    ],
)
def test_options_that_make_no_sense_are_refused(options: Mapping[str, str], wanted: str) -> None:
    with pytest.raises(WrongUsageError, match=wanted):
        drawn(**options)


@pytest.mark.parametrize("code", CODES[:8])
def test_a_field_of_one_board_is_the_board_of_its_owner(code: str) -> None:
    free, requested = drawn(code, boards="1x1"), drawn(code, boards="1x1", board_red="maypole_cross")
    (board,) = requested.placed.values()
    assert (board.name, board.owner) == ("maypole_cross", "red")
    for scenario in (free, requested):
        assert [step.what for step in scenario.log].count("board") == 1
        assert found(scenario) == []


def test_rulings_title_and_turns_are_as_wished_for() -> None:
    scenario = drawn(title="Home", turns="0", sight="corners", run_edge="own")
    assert (scenario.title.en, scenario.title.ja, scenario.turns) == ("Home", "Home", 0)
    assert (scenario.rulings["sight"], scenario.rulings["run_edge"]) == ("corners", "own")
    assert found(scenario) == []


def test_a_random_objective_is_one_that_the_turns_wished_for_allow() -> None:
    kinds = {turns: {drawn(code, objective="random", turns=turns).objective.kind for code in CODES} for turns in "08"}
    assert kinds == {"0": {"hold", "survive", "break", "destroy"}, "8": {"hold", "break", "protect", "destroy"}}


NINE = re.findall(r"```toml\n(.*?)```", (FORMATS / "travel_army.md").read_text("utf-8"), re.S)[0]
OWN = """
[[sizes]]
id = "thirds_only"
name = { en = "Thirds only", ja = "三等分のみ" }
least = 3
most = 3

[[sizes]]
id = "wide"
name = { en = "Wide", ja = "広め" }
least = 2
most = 5

[[sizes]]
id = "huge"
name = { en = "Huge", ja = "大規模" }
least = 5
"""


def sizes(scenario: Scenario) -> list[list[int]]:
    return [sorted(len(b.fighters) for b in army.brigades) for army in scenario.armies.values()]


def test_the_documented_army_uses_the_first_sizes_that_fit(tmp_path: Path) -> None:
    """Nine units cannot form brigades of the default sizes, four to six."""
    path = tmp_path / "nine.toml"
    path.write_text(NINE, "utf-8")
    for options in ({}, {"split_blue": "thirds"}):
        scenario = drawn(CODES[1], {"army": path}, **options)
        assert found(scenario) == []
        assert {sum(of) for of in sizes(scenario)} == {9}
    assert sizes(scenario)[0] == [3, 3, 3]
    with pytest.raises(
        WrongUsageError, match=r"--sizes even: 9 units cannot form .* .sizes that can be used: uneven, any"
    ):
        drawn(CODES[1], {"army": path}, sizes="even")


def test_an_army_s_own_sizes_may_be_wished_for(tmp_path: Path) -> None:
    path = tmp_path / "nine.toml"
    path.write_text(NINE.replace("[[preset]]", OWN + "\n[[preset]]"), "utf-8")
    assert sizes(drawn(CODES[1], {"army": path})) == [[3, 3, 3]] * 2
    many = [sizes(drawn(code, {"army": path}, sizes="wide")) for code in CODES[:12]]
    assert {n for both in many for of in both for n in of} == {2, 3, 4, 5}
    with pytest.raises(WrongUsageError, match=r"--sizes huge: .*sizes that can be used: thirds_only, wide"):
        drawn(CODES[1], {"army": path}, sizes="huge")
    with pytest.raises(WrongUsageError, match=r"this army has no brigade sizes named 'even'"):
        drawn(CODES[1], {"army": path}, sizes="even")
