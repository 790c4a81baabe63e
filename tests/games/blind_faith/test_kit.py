"""Tests that the kits of a march, a battle and a siege agree with the rules and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil, floor
from typing import Any

import pypdfium2
import pytest
from msgspec import structs
from msgspec.structs import replace

from generator.common.tables import percent
from generator.games.blind_faith.advice import answer, mean, odds_report
from generator.games.blind_faith.draw import draw
from generator.games.blind_faith.exact_odds import battle_odds, siege_odds, wins
from generator.games.blind_faith.ground import OpMap
from generator.games.blind_faith.interception import all_chances
from generator.games.blind_faith.maps import scene as scene_view
from generator.games.blind_faith.model import Scenario
from generator.games.blind_faith.pages.display import blank_battle
from generator.games.blind_faith.pages.fight_display import battle_display, siege_display
from generator.games.blind_faith.pages.layout import room
from generator.games.blind_faith.pages.odds_page import odds_sheet
from generator.games.blind_faith.pages.records import record_sheet, worksheet
from generator.games.blind_faith.pages.sheets import audit, drawn_run, kit, map_sheet, setup_sheet
from generator.games.blind_faith.rounds import Limits, odds_settings
from generator.games.blind_faith.tables import SIDES
from generator.model.picture import Picture, Text
from generator.model.scenario import Request
from generator.model.views import Kit, Printed, Sheet
from generator.model.words import LANGS, Lang, Words
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings
from generator.seeds import code_for
from tests.games.blind_faith.scenes import report, scene
from tests.games.blind_faith.test_mutations import TABLE

LARGE = Limits(1500, 30000)
BESIEGERS = {
    guns: {"mover": "crusader", "army-crusader": army}
    for guns, army in ((True, "imperial_train"), (False, "church_horse"))
}
"""Besiegers with and without guns."""
MOST_PAGES = 7
"""Maximum number of pages of a default kit."""
SHEETS = {
    "march": ("cover", "setup", "intercept", "display", "records", "reference"),
    "battle": ("cover", "setup", "display", "records", "odds", "reference"),
    "siege": ("cover", "setup", "display", "records", "odds", "reference"),
}
MORE = {
    "march": ("map", "audit", "tokens", "board"),
    "battle": ("map", "audit", "intercept", "tokens", "board"),
    "siege": ("map", "audit", "tokens", "board"),
}
"""Parts printed only on request, because interception no longer matters once a battle is fixed."""


def kit_of(scenario: Scenario) -> Kit:
    return kit(scenario, report(scenario), "a-stamp", "muster print scene.toml")


@cache
def kit_named(name: str) -> Kit:
    return kit_of(scene(name))


def texts(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return "\n".join(page.get_textpage().get_text_range() for page in document)
    finally:
        document.close()


def pages(pdf: bytes) -> int:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return len(document)
    finally:
        document.close()


def view(sheet: Printed) -> dict[str, Any]:
    assert isinstance(sheet, Sheet)
    return dict(sheet.view)


def boxes(display: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Return an iterator over the boxes of the defender's line, in numerical order."""
    by_number = [box for row in display["rows"] for box in row]
    return iter(sorted(by_number, key=lambda box: box["n"]))


@pytest.mark.parametrize("name", SHEETS)
def test_parts(name: str) -> None:
    made = kit_named(name)
    assert tuple(sheet.part for sheet in made.sheets) == SHEETS[name]
    assert tuple(later.part for later in made.more) == MORE[name]


@pytest.mark.parametrize(("lang", "paper", "ink"), [("en", "letter", "full"), ("ja", "a4", "saver")])
@pytest.mark.parametrize("name", SHEETS)
def test_it_prints_in_order(name: str, lang: Lang, paper: str, ink: str) -> None:
    printed = print_kit(kit_named(name), PrintSettings(lang, paper, ink))
    assert preflight(printed, paper, lang) == []
    assert pages(printed) <= MOST_PAGES
    assert "a-stamp" in texts(printed)


@pytest.mark.parametrize("lang", LANGS)
def test_a_stack_of_five_classes_has_its_odds_printed(lang: Lang) -> None:
    odds = odds_sheet(draw(Request("8C46Q-E4STC", {"kind": "battle"}, {})))
    assert len(odds.view["defenders"]) == 5  # type: ignore[arg-type]
    made = replace(kit_named("battle"), usual=(odds,), more=())
    assert preflight(print_kit(made, PrintSettings(lang)), "a4", lang) == []


@pytest.mark.parametrize("row", TABLE[::12], ids=lambda row: row.id)
def test_an_illegal_scenario_prints_too(row: Any) -> None:
    of = row.edit(scene(row.scene))
    assert print_kit(kit_of(of), PrintSettings("en"))


def test_everybody_stands_in_a_box() -> None:
    of = scene("battle")
    battle = of.battle
    assert battle
    page = view(battle_display(of))
    ids = {unit.name: unit.id for unit in of.pack.units.values()}
    assert [ids[box["name"]] for box in page["boxes"] if box["figure"]] == list(battle.attack.front)
    assert len(page["boxes"]) == of.pack.boxes
    assert [ids[box["name"]] for box in boxes(page) if box["figure"]] == list(battle.defence.front)
    for groups, force in zip(page["reserves"], (battle.attack, battle.defence), strict=True):
        counted = {ids[g["name"]]: int(g["count"].removeprefix("×")) for g in groups}
        assert counted == Counter(force.reserve)


def test_the_line_shows_the_column_of_the_response() -> None:
    of = scene("battle")
    page = view(battle_display(of))
    assert [head["units"] for head in page["heads"]] == ["1–5", "6–10", "11–15", "16–20", "21–25", "26–30"]
    heads = [head["column"].en for head in page["heads"]]
    assert [text for text in heads if "drm" in text] == ["row 16+, +1 drm", "row 16+, +2 drm"]
    assert [str(head["brief"]) and head["brief"].en for head in page["heads"]] == [
        *("", "", ""),
        "(16+)",
        "(16+, +1)",
        "(16+, +2)",
    ]
    for head in page["heads"]:
        for n in map(int, head["units"].split("–")):
            column, drm = of.pack.response.column(n)
            assert (f"+{drm} drm" in head["column"].en) is (drm > 0)
            assert f"row {of.pack.response.columns[column].start}" in head["column"].en


def test_only_present_units_are_listed_as_firing() -> None:
    steps = {step["n"]: step["text"].en for step in view(battle_display(scene("battle")))["steps"]}
    assert steps[1].startswith("Tabor in front")
    assert steps[2].startswith("Youth cavalry in front")
    assert "every occupied box" not in steps[2], "no Tabor defends"
    blank = [step["text"].en for step in view(blank_battle(scene("march").pack))["exchange"]]
    assert "Tabor: one die at each occupied front box" in blank[1]


def test_the_siege_lies_in_its_boxes() -> None:
    of = scene("siege")
    siege = of.siege
    assert siege
    page = view(siege_display(of))
    for box, units in zip(page["boxes"], (siege.bombard, siege.storm, siege.reserve), strict=True):
        counted = Counter({g["figure"].partition(".")[2]: int(g["count"].removeprefix("×")) for g in box["units"]})
        assert counted == Counter(units)
    assert sum(bool(box["figure"]) for box in boxes(page)) == len(of.stack(siege.garrison).units)


def test_the_worksheet_says_what_the_rule_says() -> None:
    of = scene("march")
    parts = view(worksheet(of))["parts"]
    stacks = [stack.id for stack in of.stacks if stack.side == "crusader"]
    printed_rows = {
        (step, stack): cell
        for part in parts
        for step, row in enumerate(part["rows"])
        for stack, cell in zip(stacks, row["cells"], strict=True)
    }
    chances = all_chances(of)
    assert len(chances) == 8
    for chance in chances:
        cell = printed_rows[chance.step, chance.stack]
        assert cell["first"] == (chance.verdict == "intercepts")
        assert cell["cost"] == ("–" if chance.cost is None else chance.cost)
        assert parts[0]["rows"][chance.step]["mover"] == chance.mover


def test_every_unit_has_its_boxes() -> None:
    of = scene("battle")
    for side, side_view in zip(SIDES, view(record_sheet(of))["sides"], strict=True):
        assert sum(row["n"] for stack in side_view["stacks"] for row in stack["rows"]) == len(of.units_of(side))
        routed = [one for one in of.routed if one.side == side]
        assert len(side_view["earlier"]) == len(routed)
        due = [n for line in side_view["back"] for n in line["cells"] if n]
        assert sum(due) == sum(side_view["any"]["cells"][n] or 0 for n in range(room().records.back))
        assert sum(due) == sum(len(one.units) for one in routed)
        legates = [line.en for stack in side_view["stacks"] for line in stack["with"] if line.en.startswith("Legate")]
        assert len(legates) == sum(bool(stack.legate) for stack in of.stacks if stack.side == side)


def test_who_stays_behind_is_on_the_record_of_what_splits_off() -> None:
    of = scene("battle")
    _, crusaders = view(record_sheet(of))["sides"]
    first, second = crusaders["split"]
    assert (first["name"], first["at"]) == ("C3", "E3")
    assert "Crusader infantry ×4" in first["text"].en
    assert second["text"] == ""


def test_the_legates_stand_as_they_are_drawn() -> None:
    of = draw(Request("1110RDV1EW", {"kind": "march", "crusade": "on", "legate": "orsini"}, {}))
    _, crusaders = view(record_sheet(of))["sides"]
    names = {legate.name: legate.id for legate in of.pack.legates}
    assert [names[row["name"]] for row in crusaders["legates"]] == ["orsini", *of.legates]
    assert [bool(row["with"]) for row in crusaders["legates"]] == [True, *(False for _ in of.legates)]


def test_printed_odds_are_the_computed_odds() -> None:
    of = scene("battle")
    battle = of.battle
    assert battle
    page = view(next(sheet for sheet in kit_named("battle").sheets if sheet.part == "odds"))
    pairs = [(plays.attacker, plays.defender) for plays in answer(of).table]
    advised = odds_settings().advised
    assert {(a.id, d.id) for a, d in pairs} == {(a, d) for a in advised.attack for d in advised.defence}
    for plays, row in zip(pairs, page["cases"], strict=True):
        odds = battle_odds(of.pack, battle.attack, battle.defence, plays, of.rulings, limits=LARGE)
        assert row["plays"] == [policy.name for policy in plays]
        assert row["cells"] == [percent(odds.attacker), percent(odds.defender)]


def test_printed_odds_of_the_siege_are_the_computed_odds() -> None:
    of = scene("siege")
    siege = of.siege
    assert siege
    page = view(next(sheet for sheet in kit_named("siege").sheets if sheet.part == "odds"))
    rows = {row["plays"][0]: row["cells"] for row in page["cases"]}
    garrison = of.stack(siege.garrison).units
    table = answer(of).table
    assert [plays.name for plays in table] == list(rows)
    for plays, found in table.items():
        odds = siege_odds(
            of.pack,
            of.active.units,
            garrison,
            siege.wall,
            plays.attacker,
            of.rulings,
            limits=LARGE,
            boxes=plays.boxes,
        )
        low, high = found.bounds(found.attacker)
        assert low <= odds.attacker <= high
        assert rows[plays.name] == [found.format_chance(found.attacker), found.format_chance(found.defender)]
    assert len(rows) > 3


def test_each_round_tells_who_has_won_and_who_is_left() -> None:
    of = scene("battle")
    sheet, found = odds_sheet(of), answer(of)
    rows = view(sheet)["rounds"]
    assert len(rows) == min(found.rounds, room().odds.rounds)
    for row, after in zip(rows, found.odds.after, strict=False):
        bar = sheet.figures[row["figure"]]
        assert isinstance(bar, Picture)
        a, d = wins(after)
        shares = [item.text for item in bar.items if isinstance(item, Text)]
        assert set(shares) <= {percent(a), percent(after.going), percent(d)}
        assert row["left"] == ([mean(n) for n in after.left] if after.going else ["–", "–"])


def taller(of: Scenario) -> Scenario:
    """Return the scenario on a map extended beyond its far edge, twice as high as wide."""
    op_map = of.op_map
    wide = OpMap(op_map.columns, 2 * op_map.columns, {}, op_map.places)
    return replace(
        of, op_map=replace(wide, ground={cell: op_map.ground.get(cell, "clear") for cell in wide.field.cells})
    )


@pytest.mark.parametrize(("lang", "paper"), [("en", "letter"), ("ja", "a4")])
def test_a_high_map_stands_upright_and_names_its_places(lang: Lang, paper: str) -> None:
    of = scene("battle")
    for upright, scenario in ((False, of), (True, taller(of))):
        sheet = map_sheet(scenario)
        assert sheet.landscape is not upright
        printed = print_kit(replace(kit_of(scenario), usual=(sheet,), more=()), PrintSettings(lang, paper, "saver"))
        assert preflight(printed, paper, lang) == []
        text = texts(printed)
        for place in scenario.op_map.places.values():
            # Each name is on the map and in the list below the map.
            assert text.count(place.name[lang]) >= 2


def test_inexact_odds_are_printed_as_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    of = draw(Request("CSPQ0-00P1G", {"kind": "battle"}, {}))
    page = structs.replace(odds_settings().page, states=40, min_probability="1/1000", wide="1")
    little = structs.replace(odds_settings(), page=page)
    monkeypatch.setattr("generator.games.blind_faith.advice.odds_settings", lambda: little)
    monkeypatch.setattr(
        "generator.games.blind_faith.pages.sheets.interpretations_with_effects", lambda *_: []
    )  # other tests cover the effects of rulings
    rough = answer(of).odds
    assert rough.missing > Fraction(1, 20)
    sheet = view(odds_sheet(of))
    cell = sheet["cases"][0]["cells"][0]
    assert cell == f"{floor(100 * rough.attacker)}–{ceil(100 * (rough.attacker + rough.missing))}"
    assert sheet["exactness"].en.startswith("Unlikely courses")
    assert "–" in sheet["headline"].en
    printed = print_kit(kit_of(of).only(["odds"]), PrintSettings("en"))
    assert cell in texts(printed)
    assert preflight(printed, "a4", "en") == []


def test_the_page_of_a_large_siege_gives_the_error_of_its_sample() -> None:
    of = draw(Request("R0000-00T1X", {"kind": "siege", **BESIEGERS[False]}, {}))
    found = answer(of)
    assert any(odds.sampled for odds in found.table.values())
    assert f"simulated in {odds_settings().page.games:,} games" in view(odds_sheet(of))["exactness"].en
    printed = print_kit(kit_of(of).only(["odds"]), PrintSettings("en"))
    assert preflight(printed, "a4", "en") == []


def test_a_siege_without_guns_has_no_table_of_breaches() -> None:
    for seed, guns in (("R0000-00T1X", False), ("30000-001A3", True)):
        of = draw(Request(seed, {"kind": "siege", **BESIEGERS[guns]}, {}))
        assert of.siege
        assert bool(of.siege.bombard) is guns
        assert bool(view(odds_sheet(of))["first_rows"]) is guns


def test_the_legates_to_draw_are_listed_and_have_their_counters() -> None:
    of = draw(Request("1110RDV1EW", {"kind": "march", "crusade": "on", "legate": "orsini"}, {}))
    assert "winchester" in of.legates
    (line,) = (line.en for line in view(setup_sheet(of))["other"] if "legates" in line.en)
    assert all(legate.name.en in line for legate in of.pack.legates)
    cut = Counter(piece.name.en for piece in drawn_run(of).pieces)
    assert all(cut[legate.name.en] == 1 for legate in of.pack.legates)
    with_legate = draw(Request("1110RDV1EW", {"kind": "march", "crusade": "on", "legate": "winchester"}, {}))
    (line,) = (line.en for line in view(setup_sheet(with_legate))["other"] if "legates" in line.en)
    assert "Winchester" not in line
    assert Counter(piece.name.en for piece in drawn_run(with_legate).pieces)["Cardinal of Winchester"] == 1


@pytest.mark.parametrize("n", [1, 30, 31, 90])
def test_many_boxes_find_room(n: int) -> None:
    of = scene("march")
    stack = replace(of.stacks[0], units=("tabor",) * n)
    sheet = record_sheet(replace(of, stacks=(stack,)))
    made = replace(kit_named("march"), usual=(sheet,), more=())
    assert preflight(print_kit(made, PrintSettings("en")), "a4", "en") == []


@pytest.mark.parametrize("lang", LANGS)
def test_the_audit_tells_every_unit(lang: Lang) -> None:
    of = draw(Request("1110RDV1EW", {"kind": "battle"}, {}))
    page = view(audit(of, report(of)))
    audit_text = "\n".join(text[lang] for half in page["halves"] for group in half for text in group["steps"])
    for stack in of.stacks:
        for unit, count in Counter(stack.units).items():
            assert (
                Words(f"{of.pack.units[unit].name.en} ×{count}", f"{of.pack.units[unit].name.ja}×{count}")[lang]
                in audit_text
            )
    assert "{" not in audit_text


def test_the_set_up_lays_every_unit() -> None:
    of = draw(Request("1110RDV1EW", {"kind": "battle"}, {}))
    steps = view(setup_sheet(of))["steps"]
    assert [step["n"] for step in steps] == list(range(2, len(steps) + 2)), "the map is the first step"
    for step, stack in zip(steps, of.stacks, strict=False):
        placed = {unit["figure"]: unit["n"] for unit in step["units"]}
        assert placed == {f"{stack.side}.{unit}": n for unit, n in Counter(stack.units).items()}
    for side, group in zip(SIDES, view(setup_sheet(of))["groups"], strict=True):
        routed = sum(len(one.units) for one in of.routed if one.side == side)
        assert group["total"] == [len(of.units_of(side)) + routed]


def test_the_map_of_the_sheet_tells_what_the_ways_cost() -> None:
    of = scene("battle")
    map_view = scene_view(of)
    march, way = map_view.tracks
    assert march.marks == ("1", "2", "", "")  # the stacks meet on D1, and the march ends on E1
    assert (march.look, way.look) == ("march", "intercept")
    (shade,) = map_view.shades
    battle = of.battle
    assert battle
    assert (shade.look, shade.cells) == ("meeting", (battle.hex,))
    assert map_view.features[battle.hex] == "clash"
    assert [note.text.en for note in map_view.notes] == ["3 of 4 MP", "2 of 5 MP"]


def test_units_that_stay_behind_are_hollow() -> None:
    made = kit_named("battle").sheets[0]
    assert isinstance(made, Sheet)
    stack_row = next(stack for line in view(made)["lines"] for stack in line if "C1" in stack["head"].en)
    assert [group["tally"] for group in stack_row["groups"]] == ["tally3_0", "tally1_0", "tally0_4"]


@pytest.mark.parametrize("name", ["battle", "siege"])
@pytest.mark.parametrize("lang", LANGS)
def test_the_page_says_what_the_verb_says(name: str, lang: Lang) -> None:
    of = scene(name)
    page, lines = view(odds_sheet(of)), [line[lang] for line in odds_report(of, "", False).lines]
    assert lines.pop() == page["exactness"][lang]
    assert page["headline"][lang] == lines[0]
    texts_of = [line[lang] for side in page["advice"] for line in side["lines"]]
    assert texts_of
    assert [line.split(": " if lang == "en" else "：", 1)[1] for line in lines[-len(texts_of) :]] == texts_of
    assert all(any(sign.isdigit() for sign in line) for line in texts_of)
    for row, tail in zip(page["cases"], lines[4:], strict=False):
        assert all(cell in tail for cell in row["cells"])


def test_only_a_besieger_with_guns_may_bombard() -> None:
    for seed, guns in (("R0000-00T1X", False), ("30000-001A3", True)):
        of = draw(Request(seed, {"kind": "siege", **BESIEGERS[guns]}, {}))
        played = [row["plays"][0] for row in view(odds_sheet(of))["cases"]]
        assert ("Bombard only" in [name.en for name in played]) is guns


@pytest.mark.parametrize("number", [9000, 9009, 9024])
def test_a_cover_with_units_that_return_fits_on_its_page(number: int) -> None:
    """Units that return stood in a narrow column, in which each took two lines."""
    made = kit_of(draw(Request(code_for(number), {"kind": "battle"}, {}))).only(["cover"])
    for lang, paper in product(LANGS, ("a4", "letter")):
        assert preflight(print_kit(made, PrintSettings(lang, paper)), paper, lang) == []
