"""Compare the sheets of a kit with the charts, the arena and the lines of sight."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any, cast

import pytest
from msgspec.structs import replace

from generator.common.interpretations import readings
from generator.games.battling.forces import house_pack
from generator.games.battling.maps import sheet_file
from generator.games.battling.pages.reference import (
    DASH,
    DASH_EXAMPLE,
    blank_sheet,
    melee_odds,
    record_sheets,
    reference_sheet,
    shot_odds,
)
from generator.games.battling.pages.sight_sheet import FAR, IN_RANGE, look_view, looks, sight_sheet
from generator.games.battling.play import actions
from generator.games.battling.tables import dice, switches
from generator.grid.columns import columns_field, distance
from generator.model.picture import Path, Picture
from generator.model.views import MapView, Token
from tests.games.battling.scenes import battle, drawn
from tests.games.battling.wordings import item_of


def rows(of: object) -> list[dict[str, Any]]:
    return cast(list[dict[str, Any]], of)


def test_the_reference_has_every_action_modifier_ruling_and_reading() -> None:
    view = reference_sheet(house_pack()).view
    assert [row["id"] for row in rows(view["actions"])] == list(actions())
    assert len(rows(view["modifiers"])) == len(dice().modifier) + 1
    assert len(rows(view["rulings"])) == len(switches()) + len(readings("battling"))


def test_the_reference_shows_machines_of_neither_side() -> None:
    figures = reference_sheet(house_pack()).figures
    shapes = {name: figure.shape for name, figure in figures.items() if isinstance(figure, Token)}
    assert shapes == dict.fromkeys(house_pack().machines, "machine")


def test_the_roller_dash_on_the_reference_is_the_order_below_it() -> None:
    order: Any = item_of(DASH_EXAMPLE)
    field = columns_field(5, 3)
    assert all(distance(a, b) == 1 for a, b in pairwise(DASH))
    names = [field.name(cell) for cell in DASH]
    assert (names[2], names[-1]) == ("0302", "0503") and f"R / 2 @{names[2]} / 2 / {names[-1]}" == DASH_EXAMPLE
    assert order is not None
    strict = reference_sheet(house_pack(), replace(battle(), rulings={"dash": "strict"}))
    assert "dash" in reference_sheet(house_pack()).figures and "dash" not in strict.figures


def test_what_a_ruling_forbids_is_not_on_the_reference() -> None:
    plain, strict = (
        reference_sheet(house_pack(), replace(battle(), rulings={"dash": dash})).view
        for dash in ("one_turn", "strict")
    )
    written = [next(row["form"].en for row in rows(view["actions"]) if row["id"] == "R") for view in (plain, strict)]
    assert "@" in written[0]
    assert written[1] == "R / hexes / HEX"
    assert len(rows(plain["rulings"])) == len(rows(strict["rulings"])) + 1


def test_every_reply_on_the_reference_reads() -> None:
    assert all(item_of(form.example) for form in sheet_file().reply)


def test_the_charts_are_those_of_the_pack() -> None:
    view, pack = cast(dict[str, Any], reference_sheet(house_pack()).view), house_pack()
    for row in view["shooting"]["rows"]:
        assert [n or "–" for n in pack.machines[row["id"]].shooting] == row["cells"]
    for row in view["damage"]:
        assert row["cells"] == list(pack.machines[row["id"]].damage.values())
    for row in view["battling"]:
        assert [int(text) for text in row["cells"]] == list(pack.machines[row["id"]].battling.values())


def test_a_kit_s_reference_has_the_machines_in_play_alone() -> None:
    here = {machine.kind for _, machine in battle().machines}
    assert {row["id"] for row in rows(reference_sheet(house_pack(), battle()).view["kinds"])} == here


def test_odds_of_shots_are_the_product_of_two_dice() -> None:
    table = cast(dict[str, Any], shot_odds())
    for row in table["rows"]:
        for power, cell in zip(table["powers"], row["cells"], strict=True):
            exact = 100 * Fraction(row["number"], 6) * Fraction(power, 6)
            assert abs(int(cell) - exact) <= Fraction(1, 2)


def test_the_bars_of_battling_are_the_chances_of_its_faces() -> None:
    table, bars = melee_odds(house_pack())
    for row in rows(table["rows"]):
        plain, *_ = (cast(Picture, bars[name]) for name in row["bars"])
        upright = [item.steps for item in plain.items if isinstance(item, Path) and len(item.steps) == 2]
        ends = [0.0, *(float(steps[0][1]) for steps in upright), plain.width]
        wide = [b - a for a, b in pairwise(ends)]
        counts = [row["faces"].count(effect) for effect in dice().effects if effect in row["faces"]]
        assert [round(6 * w / plain.width) for w in wide] == counts


def test_a_record_sheet_has_a_block_for_each_machine_with_its_hit_points() -> None:
    (sheet,) = record_sheets(battle())
    blocks = [block for row in rows(sheet.view["rows"]) for block in row["blocks"]]
    assert [(block["id"], block["hp"]) for block in blocks] == [(m.id, m.hp) for _, m in battle().machines]
    assert [letter["id"] for letter in rows(sheet.view["letters"])] == ["W", "R", "F", "B", "D"]
    assert sheet.view["turns"] == battle().turns
    assert [letter["id"] for letter in rows(blank_sheet().view["letters"]) if letter["changes"]] == ["R", "D"]


def charts(block: dict[str, Any]) -> dict[str, list[str]]:
    """Return the numbers in a machine's head by the English label of their line."""
    found: dict[str, list[str]] = {}
    for line in (line for row in block["charts"] for table in row for line in table["lines"]):
        found.setdefault(line["label"].en, []).extend(map(str, line["cells"]))
    return found


def test_a_machine_s_record_has_its_numbers_of_the_charts() -> None:
    scenario, pack = battle(), battle().pack
    kinds = {m.id: pack.machines[m.kind] for _, m in scenario.machines}
    (sheet,) = record_sheets(scenario)
    for block in (block for row in rows(sheet.view["rows"]) for block in row["blocks"]):
        found, kind = charts(block), kinds[block["id"]]
        enemies = [kinds[enemy] for enemy in found["against"]]
        assert len(enemies) == 2 and {enemy[0] for enemy in found["against"]} != {block["id"][0]}
        assert [int(text) for text in found["damage"]] == [kind.damage[enemy.id] for enemy in enemies]
        assert [int(text) for text in found["battling"]] == [kind.battling[enemy.id] for enemy in enemies]
        assert int(found["hits on"][0]) == pack.number(kind.id, 1)


@pytest.mark.parametrize("machines", range(2, 7))
def test_every_record_has_its_numbers_against_every_enemy(machines: int) -> None:
    scenario = drawn(machines=str(machines), points=str(13 * machines))
    sheets = record_sheets(scenario)
    blocks = [block for sheet in sheets for row in rows(sheet.view["rows"]) for block in row["blocks"]]
    assert len(blocks) == 2 * machines
    for block in blocks:
        found = charts(block)
        assert len(found["against"]) == len(found["damage"]) == len(found["battling"]) == machines
        assert len(found["range"]) == len(found["hits on"]) > 0
    assert all(cast(float, sheet.view["tall"]) >= 6 for sheet in [*sheets, blank_sheet(), blank_sheet(half=True)])


def test_long_charts_are_continued_below_each_other() -> None:
    pack = house_pack()
    kind = replace(pack.machines["scopedog"], shooting=tuple(1 + n % 6 for n in range(40)))
    pack = replace(pack, machines={**pack.machines, "scopedog": kind})
    scenario = replace(drawn(machines="4", points="40", squad_a="scopedog " * 4), pack=pack)
    block = next(
        block for sheet in record_sheets(scenario) for row in rows(sheet.view["rows"]) for block in row["blocks"]
    )
    assert len(block["charts"]) == 4
    assert len(charts(block)["range"]) == 40 and len(charts(block)["against"]) == 4


def test_squads_too_large_for_one_page_have_one_each() -> None:
    scenario = drawn(machines="4", points="48")
    assert [sheet.side and sheet.side.en for sheet in record_sheets(scenario)] == ["first", "second"]


def test_looks_part_the_open_hexes_into_near_far_and_hidden() -> None:
    scenario = battle()
    arena = scenario.arena
    for look in looks(scenario):
        seen = [*look.near, *look.far]
        whole = {*seen, *look.hidden, look.machine.cell}
        assert whole == set(arena.open_cells)
        assert all(arena.sight(look.machine.cell, cell).clear for cell in seen)
        far = len(scenario.pack.machines[look.machine.kind].shooting)
        assert all(distance(look.machine.cell, cell) <= far for cell in look.near)
        view = look_view(scenario, look)
        assert {shade.look for shade in view.shades} <= {IN_RANGE, FAR}
        assert len(view.rays) == 2


def test_the_sight_page_has_a_map_for_each_machine_and_all_distances() -> None:
    sheet = sight_sheet(battle())
    assert all(isinstance(figure, MapView) for figure in sheet.figures.values())
    assert set(sheet.figures) == {"key", *(machine.id for _, machine in battle().machines)}
    table = rows(sheet.view["table"])
    first, second = (squad.machines for squad in battle().squads.values())
    for row, distances in zip(table, first, strict=True):
        shown_distances = [int(cell.en.split()[0]) for cell in row["cells"]]
        assert shown_distances == [distance(distances.cell, enemy.cell) for enemy in second]
