"""Tests for the reference sheet of a kit.

The sheet shows only rules and units in play, and its pictures match its tables.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, cast

import pytest
from msgspec.structs import fields, replace

from generator.common.interpretations import applicable, readings
from generator.games import load
from generator.games.battlelore.maps import grounds
from generator.games.battlelore.odds import Attack
from generator.games.battlelore.pages.odds_page import TINTS, bars, kinds
from generator.games.battlelore.pages.reference import FACES, chart_row, reference, swatch
from generator.games.battlelore.tables import Terrain, lore
from generator.model.picture import Path, Picture, Text, Use
from generator.model.scenario import Request
from generator.model.views import Kit, MapView, Sheet, Token
from generator.model.words import same
from generator.rules import check
from generator.seeds import code_for

UNPRINTED = {"id", "name", "printed", "effect", "source", "symbol", "tiles", "height", "water", "crossing"}
"""Fields of a terrain that are not rules, or that its picture and its sentence show."""
PLAIN = Terrain(id="heath", name=same("heath"), move="stop", effect=same("none"), source="seed")
CHANGED: dict[str, tuple[Terrain, object]] = {
    "move": (PLAIN, "free"),
    "battle": (PLAIN, "none"),
    "pursuit": (PLAIN, False),
    "dice_in": (PLAIN, 2),
    "dice_in_from": (replace(PLAIN, dice_in=2), {"hill": 3}),
    "dice_out": (PLAIN, 2),
    "blocks": (PLAIN, True),
    "open_from": (replace(PLAIN, blocks=True), ("hill",)),
    "bold": (PLAIN, True),
    "bold_for": (PLAIN, "foot_bows"),
    "strikes_ignored": (replace(PLAIN, bold_for="foot_bows"), 1),
    "sides": (PLAIN, True),
    "on": (PLAIN, ("hill",)),
}
"""For each rule of a terrain, a terrain and another value of the field."""

CODES = (("call_to_arms", "AS800-00SCJ"), ("call_to_arms", "SW4PP-4PH5B"), ("battlelore", "Q8XA6-5D4S1"))


def drawn(game: str, code: str) -> Any:
    """Return the scenario of a code with its units deployed."""
    scenario = load(game).draw(Request(code, {}, {}))
    return getattr(scenario, "final", scenario)


@pytest.mark.parametrize(("game", "code"), CODES)
def test_weapons_terrain_and_odds_are_those_in_play(game: str, code: str) -> None:
    battle = drawn(game, code)
    carried = {unit.kind.weapon for _, unit in battle.units}
    view, figures = reference(battle.board, (unit.kind for _, unit in battle.units), [])
    page: Any = view
    assert {row["id"] for row in page["weapons"]} == carried
    assert [row["id"] for row in page["terrain"]] == list(grounds(battle.board))
    assert {row["icon"] for row in page["odds"]} <= carried
    for row in page["terrain"]:
        hex_ = figures[row["id"]]
        assert isinstance(hex_, MapView)
        assert len(hex_.grid.cells) == 1


@pytest.mark.parametrize(("game", "code"), CODES)
def test_a_swatch_is_a_hex_of_the_board_itself(game: str, code: str) -> None:
    board = drawn(game, code).board
    for ground in grounds(board):
        view = swatch(board, ground)
        (cell,) = view.grid.cells
        assert cell in board.field
        assert view.ground[cell] == board.ground[cell]
        assert ground in (board.ground[cell], board.features.get(cell))


def test_every_face_of_the_die_is_drawn_in_its_own_way() -> None:
    faces = [FACES[face.id] for face in lore().play.face]
    assert all(isinstance(face, Token) for face in faces)
    assert len(set(faces)) == 6


def test_as_many_dice_and_hexes_are_drawn_as_the_tables_say() -> None:
    battle = drawn(*CODES[0])
    _, figures = reference(battle.board, (unit.kind for _, unit in battle.units), [])

    def counted(name: str) -> tuple[int, int]:
        picture = figures[name]
        assert isinstance(picture, Picture)
        looks = [item.symbol.items[0] for item in picture.items if isinstance(item, Use)]
        filled = sum(isinstance(look, Path) and look.fill is not None for look in looks)
        return filled, len(looks)

    for banner in lore().banners.values():
        assert counted(f"dice{banner.dice}") == (banner.dice, banner.dice)
        for arm in ("foot", "mounted"):
            assert counted(f"move_{banner.id}_{arm}") == (banner.move[arm], banner.run[arm])
    hill = lore().terrain["hill"]
    assert counted(f"dice{hill.dice_in}to3") == (hill.dice_in, 3)


def test_bars_show_the_exact_odds() -> None:
    rows, figures = bars(lore().weapons, behind_stakes=True)
    assert len(rows) == len(kinds())
    for row, (strikes, ignored) in zip(rows, reversed(kinds()), strict=True):
        dice_view: Any = row["dice"]
        for of in dice_view:
            roll = Attack(of["dice"], strikes, ignored)
            mean = sum((n * roll.hits(n) for n in range(5)), Fraction())
            assert roll.mean == mean
            assert of["mean"] == f"{float(mean) + 1e-9:.2f}"
            picture = figures[of["bar"]]
            assert isinstance(picture, Picture)
            widths = {item.fill: shape_width(item) for item in picture.items if isinstance(item, Path) and item.fill}
            for hits in range(1, of["dice"] + 1):
                share = float(roll.hits(hits))
                assert widths.get(TINTS[hits], 0.0) == pytest.approx(share * picture.width, abs=1e-6)
            texts = {item.text for item in picture.items if isinstance(item, Text)}
            assert str(round(float(roll.hits(0)) * 100)) in texts


def shape_width(path: Path) -> float:
    """Return the width of a shape in the unit of its coordinates."""
    xs = [float(step[1]) for step in path.steps if len(step) > 1]
    return max(xs) - min(xs)


def test_a_weapon_stands_at_the_odds_of_each_way_it_strikes() -> None:
    rows, _ = bars({"short_sword", "common_bow", "crossbow"}, behind_stakes=False)
    who: list[list[str]] = [[name.en for name in of["who"]] for of in rows]  # type: ignore[attr-defined]
    assert who == [
        ["Short sword against foot", "Crossbow at range"],
        ["Short sword against mounted"],
        ["Common bow", "Crossbow in melee"],
    ]


def test_readings_that_cannot_matter_are_left_out() -> None:
    every = readings("call_to_arms")
    assert applicable(every, set()) == [reading for reading in every if not reading.where]
    with_levies = {reading.id for reading in applicable(every, {"levies"})}
    assert "green_levies" in with_levies
    assert "allies" not in with_levies
    assert applicable(every, {reading.where for reading in every}) == list(every)


@pytest.mark.parametrize("options", [{}, {"mode": "organized", "age": "lore"}])
def test_the_rest_of_the_readings_is_printed_where_it_is_asked_for(options: dict[str, str]) -> None:
    game = load("call_to_arms")
    scenario = game.draw(Request("SW4PP-4PH5B", options, {}))
    kit: Kit = game.kit(scenario, check(game.rules, scenario), "SW4PP-4PH5B", "muster kit")
    (short,) = rulings(kit.only({"reference"}))
    (whole,) = rulings(kit.only({"readings"}))
    (page,) = [sheet for sheet in kit.only({"readings"}).sheets if isinstance(sheet, Sheet)]
    rows = cast(list[dict[str, Any]], page.view["impacts"])
    # Each ruling whose other choice changes something here is listed with its first changes.
    assert rows and all(row["changes"] and row["count"].en for row in rows)
    assert "readings" not in {sheet.part for sheet in kit.sheets}
    assert short < whole
    assert ("Order of Specialists" in short) is bool(options)
    picked = {card for force in scenario.forces.values() for card in force.specialists}
    assert ("King's Allies" in short) is ("kings_allies" in picked)


def test_the_reading_on_foot_bows_is_printed_where_they_can_meet_riders() -> None:
    """It concerns archers with bonus strikes at range, and mounted enemies."""
    game, stated = load("battlelore"), set[bool]()
    for number in range(8):
        options = {"age": ("medieval", "lore")[number % 2]}
        scenario = game.draw(Request(code_for(number * 91_452_383), options, {}))
        kit: Kit = game.kit(scenario, check(game.rules, scenario), "", "muster kit")
        bows, riders = (
            {camp for camp, unit in scenario.units if unit.kind.weapon in weapons}
            for weapons in ({"crossbow", "long_bow", "arbalest"}, {"long_sword"})
        )
        meet = any(one != other for one in bows for other in riders)
        (short,) = rulings(kit.only({"reference"}))
        (whole,) = rulings(kit.only({"readings"}))
        assert ("Foot bows against mounted units" in short) is meet
        assert "Foot bows against mounted units" in whole
        stated.add(meet)
    assert stated == {False, True}


def rulings(kit: Kit) -> list[set[str]]:
    """Return the names of the rulings on each sheet, except the remark on cliffs, which is not a ruling."""
    views: list[Any] = [sheet.view for sheet in kit.sheets if isinstance(sheet, Sheet)]
    return [{row["name"].en for row in view["rulings"]} - {"Sight over cliffs"} for view in views]


def test_every_rule_of_a_terrain_is_in_the_chart() -> None:
    """A rule that is a field of a terrain would otherwise apply in play without being printed."""
    rules = {field.name for field in fields(Terrain)} - UNPRINTED
    assert rules == CHANGED.keys(), "list each new field of Terrain in CHANGED, or in UNPRINTED if it is not a rule"
    same_row = [
        name for name, (of, value) in CHANGED.items() if chart_row(of) == chart_row(replace(of, **{name: value}))
    ]
    assert not same_row, f"print {same_row} in chart_row() of generator/games/battlelore/pages/reference.py"
