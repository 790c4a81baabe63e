"""Compare the sheets of a battle with the battle itself."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from generator.common.fairness import graded_line
from generator.common.interpretations import readings
from generator.common.pages import MAX_FINDINGS_ON_COVER, warning
from generator.games.travel_battle.fairness import FAIRNESS
from generator.games.travel_battle.model import OTHER, SIDES, Scenario
from generator.games.travel_battle.objectives import kinds
from generator.games.travel_battle.pages.gunfields import between, fields_of_fire, fire_map, fire_sheet
from generator.games.travel_battle.pages.posters import BOXES, record_sheets
from generator.games.travel_battle.pages.reference import cases, lines, reference_sheet, setup_readings
from generator.games.travel_battle.pages.scene import boards_words
from generator.games.travel_battle.pages.sheets import checklist, kit, map_sheet, setup_sheet
from generator.games.travel_battle.play import field_of_fire
from generator.games.travel_battle.tables import Arm, artillery
from generator.grid.squares import Square, distance
from generator.model.views import MapView, Sheet
from generator.model.words import Lang, Words, same
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings
from generator.store.folders import shipped_path
from tests.games.travel_battle.scenes import (
    Edit,
    aims,
    battle,
    both,
    brigades,
    ground,
    log,
    report,
    setting,
    unit,
    whole,
    with_boards,
    without,
)
from tests.games.travel_battle.test_draw import CODES, drawn


def step_lines(groups: list[dict[str, Any]]) -> list[str]:
    return [f"{group['who'].en}: {step.en}" for group in groups for step in group["steps"]]


def rows(sheet: Sheet) -> list[dict[str, Any]]:
    brigades: Any = sheet.view["brigades"]
    return [row for brigade in brigades for row in (brigade["leader"], *brigade["units"])]


def test_every_unit_is_set_up_on_its_square_by_its_kind() -> None:
    steps = step_lines(checklist(battle()))
    units = "brigadier c1; guard infantry d1; line infantry b2, c2; light cavalry d2; artillery b1"
    assert f"Blue: sets up brigade B1: {units}" in steps
    assert sum("sets up brigade" in step for step in steps) == 6


def test_two_units_on_a_square_are_listed() -> None:
    steps = step_lines(checklist(unit("B1b", cell="c2")(battle())))
    assert any("line infantry c2 (two)" in step for step in steps)


def test_a_battle_without_a_log_is_set_up_by_turns_from_what_it_shows() -> None:
    steps = step_lines(checklist(replace(battle(), log=(), first_placer="red")))
    assert [step.split()[:2] for step in steps[:2]] == [["Blue:", "lays"], ["Red:", "lays"]]
    assert [step.split(":")[0] for step in steps[2:]] == ["Red", "Blue"] * 3
    assert steps[0].startswith("Blue: lays a random board with its near left corner at a1")
    assert steps[2].startswith("Red: sets up brigade R1: brigadier r10;")


def test_what_is_fetched_is_what_stands_on_the_field() -> None:
    view: Any = setup_sheet(battle()).view
    for player, group in zip(SIDES, view["fetch_rows"], strict=True):
        for row in group["rows"]:
            kind = row["figure"].removeprefix(f"{player}_")
            assert row["counts"][0] == sum(u.kind.id == kind for u in battle().armies[player].units)
        assert group["total"][0] == 17
    assert [(row["figure"], row["edge"].en) for row in view["laid"]] == [
        ("laid_a1", "Edge 1 to Blue"),
        ("laid_k1", "Edge 3 to Red"),
    ]


def test_a_whole_is_laid_without_dice_and_says_so() -> None:
    for scenario in (whole(), replace(whole(), log=())):
        steps = step_lines(checklist(scenario))
        assert steps[0] == ": The field is one board made of two matching halves, laid seam to seam without dice"
        assert not any("edge" in step or "chooses" in step for step in steps)
        view: Any = setup_sheet(scenario).view
        assert view["laid"] == []
        assert "Blue places a1" in view["whole"].en
        assert "k1" in view["whole"].ja
        assert [row["name"].en for row in view["rulings"]] == ["Ties", "Who sets up first"]
    assert setup_sheet(battle()).view["whole"] is None
    assert boards_words(whole()).en == "one board made of two matching halves"


def test_the_map_bears_the_grade_and_marks_a_whole() -> None:
    plain, one = (map_sheet(scenario, graded_line(FAIRNESS, scenario)).view for scenario in (battle(), whole()))
    assert one["whole"] == Words(
        "One board of 20 × 10 squares, made of two matching halves: they join no other boards.",
        "20×10マスの一続きのボードです。左右の半分は、ほかのボードとは組み合わせられません。",
    )
    assert str(one["graded"]).count("Fairness grade A") == 1
    assert plain["whole"] is None
    lone = without("B2b")(battle())
    uneven = map_sheet(lone, graded_line(FAIRNESS, lone))
    assert uneven.view["graded"] == same("")


def test_an_objectives_squares_are_marked_on_the_map() -> None:
    of = aims("hold", "blue", "j5 k5 j6 k6", count=3)(battle())
    marked, unmarked = (map_sheet(scenario, same("")).figures["map"] for scenario in (of, battle()))
    assert isinstance(marked, MapView)
    assert isinstance(unmarked, MapView)
    assert marked.shades[0].cells == of.objective.cells
    assert len(marked.legend) == len(unmarked.legend) + 1


def test_every_unit_has_its_row_and_says_where_it_stands_and_looks() -> None:
    scenario = both(unit("B1b", cell="c2"), unit("R2a", square=True))(battle())
    name = scenario.battlefield.terrain_map.field.name
    found = {row["id"]: row for player in SIDES for sheet in record_sheets(scenario, player) for row in rows(sheet)}
    assert set(found) == set(scenario.units)
    for id_, (_, _, of) in scenario.units.items():
        assert of.cell
        assert (found[id_]["at"], found[id_]["kind"]) == (name(of.cell), of.kind.name)
    assert (found["B1b"]["with"], found["B1c"]["with"], found["B1a"]["with"]) == ("B1c", "B1b", "")
    assert {id_ for id_, row in found.items() if row["foot"]} == {
        id_ for id_, (_, _, of) in scenario.units.items() if of.kind.arm == "infantry"
    }
    assert {"squared", "doubled"} < set(BOXES)
    assert (found["R2a"]["facing"].en, found["R2b"]["facing"].en) == ("in square", "south")


@pytest.mark.parametrize(("kind", "turns"), [("survive", 6), ("hold", 12), ("destroy", 12), ("break", 12)])
def test_the_tracks_count_what_the_objective_counts(kind: str, turns: int) -> None:
    scenario = replace(aims(kind, "red", count=6)(battle()), turns=0 if kinds()[kind].limit == "none" else 12)
    blue, red = (next(record_sheets(scenario, player)).view for player in SIDES)
    assert blue["turns"] == red["turns"] == turns
    assert blue["tracks"] == []
    tracks: Any = red["tracks"]
    assert [track["n"] for track in tracks] == ([] if kind == "survive" else [6])


def test_a_battle_without_a_limit_still_has_turns_to_count() -> None:
    assert next(record_sheets(replace(battle(), turns=0), "blue")).view["turns"] == 12


def walled() -> Scenario:
    """Return the battle with a building in front of one of Blue's guns."""
    return ground({"b4": "building", "h4": "wood"})(battle())


def test_a_field_of_fire_is_what_the_gun_sees_in_range() -> None:
    scenario = walled()
    fields = fields_of_fire(scenario)
    assert [field.unit.id for field in fields] == ["B1e", "B2d", "R1e", "R2d"]
    terrain = scenario.battlefield.terrain_map
    for field in fields:
        assert field.seen == field_of_fire(terrain, scenario.units_on_board, field.at, scenario.rulings["sight"])
        near = [c for c in terrain.field.cells if artillery().near <= distance(field.at, c) <= artillery().range]
        assert sorted((*field.seen, *(look.end for look in field.dead))) == sorted(near)


def test_the_table_counts_the_squares_between_the_lines_by_distance() -> None:
    scenario = walled()
    view: Any = fire_sheet(scenario).view
    assert [row["die"] for row in view["distances"]] == ["2+", "3+", "4+", "5+", "6"]
    assert [row["chance"] for row in view["distances"]] == ["83", "67", "50", "33", "17"]
    for row, field in zip(view["guns"], fields_of_fire(scenario), strict=True):
        wanted = Counter(distance(field.at, cell) for cell in field.seen if 2 <= cell.r <= 7)
        assert row["counts"] == [wanted[n] or "–" for n in range(2, 7)]
        assert row["all"] == wanted.total()
    assert between(scenario) == range(2, 8)


def test_hidden_squares_are_described_by_the_main_obstacle() -> None:
    view: Any = fire_sheet(unit("B1b", cell="a2")(walled())).view
    dead = next(row["dead"].en for row in view["guns"] if row["id"] == "B1e")
    by = {part.rpartition(" (")[2].removesuffix(")"): part.split(" (")[0].split() for part in dead.split(", ")}
    assert {"b5", "b6", "b7"} <= set(by["b4"])


def test_the_enemys_rows_are_out_of_reach_and_the_sheet_says_so() -> None:
    scenario = battle()
    for field in fields_of_fire(scenario):
        assert min(distance(field.at, cell) for cell in scenario.home(OTHER[field.player])) > artillery().range
    intro: Any = fire_sheet(scenario).view["intro"]
    assert "at least 7 squares away" in intro.en


def test_the_map_of_a_field_shows_the_die_in_every_square_that_is_free() -> None:
    scenario = walled()
    for field in fields_of_fire(scenario):
        view = fire_map(scenario, field)
        assert all(distance(field.at, cell) <= artillery().range for cell in view.grid.cells)
        dice = {note.at: note.text.en for note in view.notes if note.text.en in {"2+", "3+", "4+", "5+"}}
        wanted = {
            c for c in field.seen if c not in scenario.units_on_board and distance(field.at, c) < artillery().range
        }
        assert {Square(round(x / 2), round(y / 2)) for x, y in dice} == wanted
        for (x, y), text in dice.items():
            assert text == f"{distance(field.at, Square(round(x / 2), round(y / 2)))}+"


def test_a_battle_without_guns_has_an_empty_sheet() -> None:
    scenario = battle()
    for id_ in ("B1e", "B2d", "R1e", "R2d"):
        scenario = unit(id_, kind="line")(scenario)
    assert fire_sheet(scenario).view["guns"] == []


def test_every_reading_stands_in_one_place() -> None:
    view: Any = reference_sheet().view
    boxed = {row["name"].en for row in view["rulings"]}
    setup: Any = setup_readings(clubs=True, goal=True)
    alone = {row["name"].en for row in setup}
    inline = {reading.name.en for reading in readings("travel_battle") if reading.id in lines().reading_ids}
    names = {reading.name.en for reading in readings("travel_battle")}
    assert lines().reading_ids | set(lines().setup) <= {reading.id for reading in readings("travel_battle")}
    assert not (inline & alone or inline & boxed or alone & boxed)
    assert inline | alone | boxed >= names


def test_readings_of_more_boards_and_of_objectives_stand_where_these_are() -> None:
    def names(scenario: Scenario) -> set[str]:
        view: Any = setup_sheet(scenario).view
        return {row["name"].en for row in view["rulings"]} & {"More than two boards", "Objectives"}

    assert names(battle()) == set()
    assert names(aims("destroy", "blue", count=3)(battle())) == {"Objectives"}
    assert names(
        with_boards(("A", "blue", 1), ("B", "red", 1), ("B", "blue", 1), ("A", "red", 1), rows=2)(battle())
    ) == {"More than two boards"}


def test_a_line_that_tells_a_reading_of_ours_is_marked() -> None:
    view: Any = reference_sheet().view
    marked = {
        row["name"].en for part in ("moving", "formation", "fire", "melee") for row in view[part] if row["house"]
    }
    assert marked == {"Link", "Sharing", "Brigadier", "Victory", "Target", "Dice"}


def test_the_reference_follows_the_rulings_in_force() -> None:
    usual, other = (reference_sheet(None, {**battle().rulings, "massed": on}).view for on in ("effect", "hit"))
    assert usual["fire_odds"] != other["fire_odds"]
    assert usual["changes"] != other["changes"]


def test_a_strict_road_bonus_stands_on_every_sheet_that_tells_of_it() -> None:
    strict = setting(rulings={**battle().rulings, "road_strict": "yes"})(battle())
    for scenario, wanted, reach in (
        (battle(), "from road to road", "road to road"),
        (strict, "every square", "all the way"),
    ):
        page: Any = reference_sheet(None, scenario.rulings).view
        assert wanted in next(row["text"].en for row in page["moving"] if row["name"].en == "Ways")
        record: Any = next(record_sheets(scenario, "red")).view
        assert all(reach in brigade["reach"].en for brigade in record["brigades"])


def test_a_board_of_red_is_described_by_the_edge_toward_red() -> None:
    steps = step_lines(checklist(battle()))
    assert "Blue: die for the left board: 1, so edge 1 lies towards its owner" in steps
    assert "Red: lays the right board with edge 3 towards its owner" in steps
    view: Any = setup_sheet(battle()).view
    assert view["laid"][1]["edge"].en == "Edge 3 to Red"


def test_larger_armies_have_to_lose_more_brigades() -> None:
    view: Any = reference_sheet(brigades=6).view
    assert "4 of the enemy's 6" in next(row["text"].en for row in view["formation"] if row["name"].en == "Victory")


def test_the_kit_holds_every_part_and_tokens_on_demand() -> None:
    made = kit(battle(), report(battle()), "x", "muster kit travel_battle")
    assert tuple(dict.fromkeys(sheet.part for sheet in made.sheets)) == (
        "cover", "setup", "records", "fire", "reference",
    )  # fmt: skip
    assert {*made.parts} - {sheet.part for sheet in made.sheets} == {"map", "audit", "odds", "tokens", "board"}
    assert [sheet.part for sheet in made.sheets].count("records") == 2
    boards = [sheet.title.en for sheet in made.only(["board"]).sheets]
    assert boards == ["a1: a random board (type A)", "k1: a random board (type B)"]


@pytest.mark.parametrize(
    "edit",
    [
        without("B1"),
        brigades("R2", lambda units: []),
        setting(log=()),
        log("place", ("??",), ("X9 q1", "B1a zz"), ()),
        aims("no_such", "red", count=3),
        both(unit("B1a", cell="c2"), unit("B1b", cell="c2")),
        with_boards(("half", "blue", 2), ("B", "red", 1)),
    ],
)
def test_whatever_a_person_writes_still_prints(edit: Edit) -> None:
    scenario = edit(battle())
    made = print_kit(kit(scenario, report(scenario), "x", "muster print"), PrintSettings("en", ink="saver"))
    assert preflight(made, "a4", "en") == []


@pytest.mark.parametrize("arms", [{"cavalry"}, {"artillery", "cavalry"}, {"infantry"}])
def test_armies_with_few_arms_can_be_printed(arms: set[Arm], tmp_path: Path) -> None:
    """The sheets have no column for an impossible target, and none for a number on which no unit rallies."""
    house = (shipped_path("data") / "travel_battle" / "army.toml").read_text("utf-8")
    head, *units = re.split(r"(?=\[\[unit\]\])", house[: house.index("[[sizes]]")])
    kept = [unit for unit in units if any(f'arm = "{arm}"' in unit for arm in (*arms, "brigadier"))]
    text = head + "".join(kept).replace("count = 2", "count = 4").replace("rally = 4", "rally = 0")
    path = tmp_path / "few.toml"
    path.write_text(text, "utf-8")
    scenario = drawn(CODES[2], {"army": path})
    assert {unit.kind.arm for _, _, unit in scenario.units.values()} == {*arms, "brigadier"}
    names = [case.name.en for case in cases(scenario.roster)]
    assert ("Square, two units" in names) == ("infantry" in arms)
    assert ("In building, wood" in names) == (arms != {"cavalry"})
    made = kit(scenario, report(scenario), "x", "muster print").only(("reference", "records"))
    assert preflight(print_kit(made, PrintSettings("en")), "a4", "en") == []


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_cover_of_a_battle_that_is_not_legal_cries_it_out(lang: Lang) -> None:
    broken = unit("B1a", cell="e9")(battle())
    judged = report(broken)
    assert judged.illegal
    pages = kit(broken, judged, "K7Q2M-9FHN5", "muster print b.toml").only(["cover"])
    view: Any = pages.sheets[0].view  # type: ignore[union-attr]
    assert view["illegal"]["head"] == warning(judged)
    assert len(view["illegal"]["findings"]) == min(MAX_FINDINGS_ON_COVER, len(judged.illegal))
    assert judged.illegal[0].why.ja in view["illegal"]["findings"][0].ja
    assert preflight(print_kit(pages, PrintSettings(lang)), "a4", lang) == []
    sound: Any = kit(battle(), report(battle()), "K7Q2M-9FHN5", "").only(["cover"]).sheets[0]
    assert sound.view["illegal"] == {}
    assert warning(report(battle())) is None
