"""Tests that any code generates a legal scenario, that options are observed, and that results are repeatable."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from typing import cast

import pytest

from generator import games
from generator.errors import NothingLegalError, WrongUsageError
from generator.games.blind_faith.draw import draw, two_to_one
from generator.games.blind_faith.interception import all_chances, defenders
from generator.games.blind_faith.maps import format_step
from generator.games.blind_faith.model import KINDS, Scenario, numbers
from generator.games.blind_faith.pages.sheets import story
from generator.games.blind_faith.rules import rules
from generator.games.blind_faith.tables import SIDES, switches
from generator.model.scenario import Request
from generator.model.views import Sheet
from generator.model.words import LANGS, Words
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings
from generator.rules import check
from generator.seeds import code_for
from generator.store.folders import shipped_path

GAME = games.load("blind_faith")
STRIDE = 34_000_003
CODES = 100
"""Number of codes in this test. A proof uses 1,000."""
PACK = (shipped_path("data") / "blind_faith" / "pack.toml").read_text("utf-8")


@cache
def drawn(number: int = 1, **options: str) -> Scenario:
    made: Scenario = GAME.draw(Request(code_for(number * STRIDE % (1 << 35)), options, {}))
    return made


def faults(of: Scenario) -> list[str]:
    """Return the ids of broken rules in a generated scenario, except useless bombardment.

    Useless bombardment is allowed so that old codes still generate the same bytes.
    """
    return [finding.rule.id for finding in check(rules(), of).findings if finding.rule.id != "siege.useless"]


def with_files(number: int = 1, options: dict[str, str] | None = None, **files: Path) -> Scenario:
    args = (options or {}) | {name: path.name for name, path in files.items()}
    made: Scenario = GAME.draw(Request(code_for(number), args, files))
    return made


@pytest.mark.parametrize("part", range(5))
def test_every_code_draws_a_legal_scenario(part: int) -> None:
    for number in range(part, CODES, 5):
        of = drawn(number)
        assert faults(of) == [], of.origin.code
        assert of.log


def test_the_same_code_draws_the_same() -> None:
    assert GAME.draw(Request(code_for(7), {}, {})) == GAME.draw(Request(code_for(7), {}, {}))
    assert drawn(1) != drawn(2)


@pytest.mark.parametrize(("kind", "mover", "crusade"), [*product(KINDS, SIDES, ("on", "off"))])
def test_options_are_applied(kind: str, mover: str, crusade: str) -> None:
    armies = {side: [a.id for a in numbers().army if a.side == side][-1] for side in SIDES}
    of = drawn(
        3,
        kind=kind,
        mover=mover,
        crusade=crusade,
        points="55",
        turn="4",
        map="ore_passes",
        title="Winter",
        pursuit="table",
        **{f"army-{side}": army for side, army in armies.items()},
    )
    assert (of.kind, of.active.side, of.crusade, of.points, of.turn) == (kind, mover, crusade == "on", 55, 4)
    assert (of.map, of.title.en, of.armies, of.rulings["pursuit"]) == ("ore_passes", "Winter", armies, "table")
    assert faults(of) == []
    drawn_from = {step.what for step in of.log if step.stream}
    assert drawn_from & {"map", "kind", "mover", "crusade", "points", "turn", "army"} == set()
    assert [legate.id for legate in of.pack.legates if legate.id not in of.legates] == [
        stack.legate for stack in of.stacks if stack.legate
    ]


@pytest.mark.parametrize("seed", range(6))
def test_the_guns_of_the_besiegers_stand_before_the_walls(seed: int) -> None:
    of = drawn(seed, kind="siege", **{"army-crusader": "imperial_train", "mover": "crusader"})
    assert of.siege
    guns = [unit for unit in of.units_of("crusader") if of.pack.units[unit].bombards]
    assert list(of.siege.bombard) == guns


@pytest.mark.parametrize("legate", ["winchester", "orsini"])
def test_a_legate_may_be_wished_for(legate: str) -> None:
    of = drawn(5, legate=legate)
    (escort,) = [stack for stack in of.stacks if stack.legate]
    assert (of.crusade, escort.legate, escort.side) == (True, legate, "crusader")
    assert ("cardinal" in escort.units) == (legate == "winchester")
    assert "cardinal" not in [unit for stack in of.stacks if stack is not escort for unit in stack.units]


def test_every_march_can_be_met_and_every_battle_is() -> None:
    for number in range(CODES):
        of = drawn(number)
        meetings = {(c.stack, c.hex) for c in all_chances(of) if c.verdict == "intercepts"}
        assert bool(meetings) == (of.march is not None)
        if of.battle:
            assert (of.battle.defender, of.battle.hex) in meetings
            assert len(of.battle.attack.front) == min(4, len(of.active.units))
            there = defenders(of.pack, of.stack(of.battle.defender), of.battle.hex)
            assert of.pack.line((*of.battle.defence.front, *of.battle.defence.reserve)) == there


def test_draws_differ() -> None:
    several = [drawn(number) for number in range(CODES)]
    assert {of.kind for of in several} == set(KINDS)
    assert {of.active.side for of in several} == set(SIDES)
    assert {of.crusade for of in several} == {True, False}
    assert any(of.routed for of in several)
    assert not all(of.routed for of in several)
    assert len({of.map for of in several}) > 4
    assert any(len(of.battle.defence.front) > 15 for of in several if of.battle)
    assert any(of.battle.hex == of.stack(of.battle.defender).hex for of in several if of.battle)


def test_every_step_is_described_in_words() -> None:
    for number in range(20):
        of = drawn(number)
        for words in (*story(of), *(format_step(of, step) for step in of.log)):
            assert all(words[lang].strip() and "{" not in words[lang] for lang in LANGS)
            assert words.en != words.ja


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"legate": "orsino"}, "did you mean orsini"),
        ({"legate": "orsini", "crusade": "off"}, "omit --crusade off"),
    ],
)
def test_what_cannot_be(options: dict[str, str], expected: str) -> None:
    with pytest.raises(WrongUsageError, match=expected):
        drawn(1, **options)


def test_too_few_points_for_stacks_find_nothing(tmp_path: Path) -> None:
    dear = tmp_path / "pack.toml"
    dear.write_text(PACK.replace("points = ", "points = 9"), "utf-8")
    with pytest.raises(NothingLegalError, match="other armies"):
        with_files(1, {"points": "30"}, pack=dear)


def test_a_users_map(tmp_path: Path) -> None:
    plain_map = tmp_path / "plain.toml"
    rows = "\n".join([" ".join("." * 9)] * 8)
    plain_map.write_text(f'name = {{ en = "Plain", ja = "平原" }}\nrows = """\n{rows}\n"""\nplaces = {{}}\n', "utf-8")
    kinds = {with_files(number, map=plain_map).kind for number in range(12)}
    assert kinds == {"march", "battle"}
    with pytest.raises(WrongUsageError, match="needs a town"):
        with_files(1, {"kind": "siege"}, map=plain_map)
    of = with_files(1, map=plain_map)
    assert (of.map, of.op_map.columns, of.origin.files["map"].name) == ("plain.toml", 9, "plain.toml")
    assert faults(of) == []


def test_no_siege_of_a_place_in_a_river(tmp_path: Path) -> None:
    wet = tmp_path / "wet.toml"
    text = 'name = { en = "Wet", ja = "水" }\nrows = """\n. . . . .\n. ~ . . .\n. . . . .\n. . . . .\n"""\n[places]\n'
    wet.write_text(text + 'B3 = { kind = "town", name = "Brod" }\n', "utf-8")
    with pytest.raises(WrongUsageError, match="that units can enter"):
        with_files(1, {"kind": "siege"}, map=wet)
    wet.write_text(text.replace(".", "~"), "utf-8")
    with pytest.raises(NothingLegalError, match="another map"):
        with_files(1, {"kind": "march"}, map=wet)


def test_a_users_pack(tmp_path: Path) -> None:
    """The ids of a user's pack are not in the presets, so every class of a side is used.

    Without legates there is no crusade.
    """
    pack = tmp_path / "pack.toml"
    text = PACK.replace('id = "tabor"', 'id = "wagons"').replace('id = "knights"', 'id = "lancers"')
    text = "[[unit]]".join(part for part in text.split("[[unit]]") if 'id = "cardinal"' not in part)
    text = text.split("[[legate]]")[0] + text[text.index("[fire.") :]
    pack.write_text(text, "utf-8")
    several = [with_files(number, pack=pack) for number in range(12)]
    assert not any(map(faults, several))
    assert not any(of.crusade or of.legates for of in several)
    assert any("lancers" in stack.units for of in several for stack in of.stacks)
    for source in ("house", "owner"):
        pack.write_text(text.replace('source = "house"', f'source = "{source}"'), "utf-8")
        of = with_files(1, {"kind": "march"}, pack=pack)
        cover = GAME.kit(of, check(rules(), of), "", "").sheets[0]
        assert isinstance(cover, Sheet)
        ours, house = cast(list[Words], cover.view["content"])
        assert ("unit values and tables" in ours.en, "armies and leaders" in ours.en) == (False, True)
        assert "unit values and tables (pack.toml)" in house.en
    with pytest.raises(WrongUsageError, match="no papal crusade"):
        with_files(1, {"crusade": "on"}, pack=pack)


def test_every_ruling_is_an_option() -> None:
    assert {name.replace("_", "-") for name in switches()} <= {option.name for option in GAME.options}


@pytest.mark.parametrize(
    ("kind", "lang", "paper"), [("march", "en", "letter"), ("battle", "ja", "a4"), ("siege", "ja", "letter")]
)
def test_a_kit_prints_in_order(kind: str, lang: str, paper: str) -> None:
    of = drawn(9, kind=kind, points="30")
    kit = GAME.kit(of, check(rules(), of), of.origin.code, "muster kit blind_faith")
    language = next(known for known in LANGS if known == lang)
    assert preflight(print_kit(kit, PrintSettings(language, paper, "saver")), paper, language) == []


def units_met(number: int, **options: str) -> tuple[int, int]:
    battle = draw(Request(code_for(number * 239_452_381 + 7), {"kind": "battle", **options}, {})).battle
    assert battle
    return battle.attack.left, battle.defence.left


def test_a_battle_two_to_one_is_drawn_only_where_wished_for() -> None:
    even = [units_met(number) for number in range(12)]
    assert not any(two_to_one(*units) for units in even)
    wished = [units_met(number, uneven="on") for number in range(12)]
    assert any(two_to_one(*units) for units in wished)
    # Battles that were balanced without the option are generated unchanged.
    assert sum(a == b for a, b in zip(even, wished, strict=True)) >= 3


def test_where_no_even_battle_is_found_a_lopsided_one_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    lopsided = [number for number in range(12) if two_to_one(*units_met(number, uneven="on"))]
    monkeypatch.setattr("generator.games.blind_faith.draw.two_to_one", lambda one, other: True)
    monkeypatch.setattr("generator.games.blind_faith.draw.TRIES", 30)
    for number in lopsided[:3]:
        assert units_met(number) == units_met(number, uneven="on")
