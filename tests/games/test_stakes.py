"""Tests that the changes predicted by `muster rulings` agree with what other verbs report about the changed file."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from generator import games
from generator.common.interpretations import effects_of_rulings, interpretations_of, outcomes, rulings
from generator.model.scenario import Request
from generator.model.words import LANGS, same
from tests.cli.run import muster

CODE = "K7Q2M-9FHN5"
RULED = [name for name in games.names() if games.load(name).switches]
HELD = """
[muster]
game = "blind_faith"
[play]
title = "The long way round"
crusade = false
[map]
rows = '''
. . . . . .
 . . . . . .
~ ~ = ~ ~ ~
 . . . . . .
. . . . . .
'''
[rulings]
[hussite]
stacks = [
  { hex = "A1", units = { tabor = 2, hussite_foot = 2 } },
  { hex = "C3", units = { hussite_foot = 1 } },
]
[crusader]
stacks = [{ hex = "C4", units = { knights = 2 } }]
[march]
stack = "H1"
path = ["A1", "B1", "C1", "D1", "E1"]
"""
"""A scenario in which the only bridge is occupied. The crusaders reach no hex of the march unless they may pass it.
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def verb_answers(game: str, file: str, kinds: Collection[str]) -> dict[str, dict[str, Any]]:
    """Return the answers of other verbs about a scenario, keyed by kind of effect and subject."""
    found: dict[str, dict[str, Any]] = {}
    of = games.load(game)
    if of.sight and "sight" in kinds:
        rows = muster("sight", file, "--json").json
        found["sight"] = {
            f"{r['gun']} {r['from']}–{r['to']}" if "gun" in r else f"{r['from']}–{r['to']}": r.get(
                "clear", r.get("in_sight")
            )
            for r in rows
        }
    if "intercept" in kinds and any(query.verb == "intercept" for query in of.queries):
        rows = muster("intercept", file, "--json").json
        found["intercept"] = {f"{r['stack']} to {r['hex']} (hex {r['step']} of the path)": r["verdict"] for r in rows}
    units = ("B1a", "B1b", "B2a", "B2b", "B2c", "R1a", "R1b", "R2a", "R2b", "R2c", "B2", "R2")
    if "moves" in kinds and any(query.verb == "moves" for query in of.queries):
        rows = [row for unit in units for row in muster("moves", file, unit, "--json").json]
        found["moves"] = {f"{row['unit']} {move['to']}": True for row in rows for move in row["moves"]}
    if of.logbook and "orders" in kinds:
        every = {unit: muster("orders", "list", file, unit, "--json") for unit in ("F1", "S1")}
        rows = [(unit, row["order"]) for unit, done in every.items() if done.code == 0 for row in done.json]
        found["orders"] = {f"{unit}: {order}": True for unit, order in rows}
    certificate = muster("fairness", file, "--json").json[0]
    found["fairness"] = {row["name"]: row["values"] for row in certificate["measures"]}
    found["fairness"]["Grade"] = certificate["grade"]
    return found


def chosen(file: str, ruling: str, choice: str) -> str:
    """Write the file with a different choice for a ruling, and return the file's name."""
    text = Path(file).read_text("utf-8")
    old = next((line for line in text.splitlines() if line.startswith(f"{ruling} = ")), "[rulings]")
    new = f'{ruling} = "{choice}"'
    Path("other.toml").write_text(text.replace(old, f"{old}\n{new}" if old == "[rulings]" else new, 1), "utf-8")
    return "other.toml"


@pytest.mark.parametrize("game", RULED)
def test_what_would_be_otherwise_is_otherwise(game: str, here: Path) -> None:
    assert muster("draw", game, "--seed", CODE, "-o", "s.toml").code == 0
    if game == "blind_faith":
        Path("s.toml").write_text(HELD, "utf-8")
    rows = muster("rulings", "s.toml", "--json").json
    now, compared = verb_answers(game, "s.toml", {stake for row in rows for stake in row["compared"]}), 0
    for row in rows:
        then = verb_answers(game, chosen("s.toml", row["ruling"], row["choice"]), row["compared"])
        for what in now.keys() & set(row["compared"]):
            changes = {change["about"] for change in row["changes"] if change["what"] == what}
            differ = {
                about
                for about in now[what].keys() | then[what].keys()
                if now[what].get(about) != then[what].get(about)
            }
            if what in ("moves", "orders"):  # only these units were requested
                changes = {
                    about
                    for about in changes
                    if about.replace(":", "").split()[0] in {a.replace(":", "").split()[0] for a in now[what]}
                }
            assert changes == differ, (row["ruling"], what)
            compared += len(differ)
    assert compared


def test_an_occupied_bridge_is_reported_in_both_languages(here: Path) -> None:
    Path("s.toml").write_text(HELD, "utf-8")
    output = muster("rulings", "s.toml").out
    assert output.startswith("Hexes that enemies hold: enemy_hexes = end\n  pass: 4 interceptions\n")
    assert "    C1 to E1 (hex 4 of the path): blocked → tie (fails)\n" in output
    assert "  before: this ruling affects only play, not the set-up\n" in output
    spoken = muster("rulings", "s.toml", "--lang", "ja").out
    assert spoken.startswith("敵のいるヘクス：enemy_hexes = end\n  pass：迎撃の判定4件\n")


def test_a_ruling_of_the_play_alone_says_so(here: Path) -> None:
    assert muster("draw", "battling", "--seed", CODE, "-o", "s.toml").code == 0
    output, spoken = muster("rulings", "s.toml").out, muster("rulings", "s.toml", "--lang", "ja").out
    assert "  hit_points: this ruling affects only play, not the set-up\n" in output
    assert "  hit_points：この裁定はプレイ中だけに影響し、セットアップは変わらない\n" in spoken


def near(square: str, other: str) -> bool:
    """Return whether two squares touch at a side or a corner."""
    return max(abs(ord(square[0]) - ord(other[0])), abs(int(square[1:]) - int(other[1:]))) <= 1


def test_massed_units_and_side_edges_depend_on_rulings(here: Path) -> None:
    """The file has two units in one square and a square formation under fire, and a unit in the left column."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "formats" / "travel_scenario.md").read_text("utf-8")
    text = page.split("```toml\n")[1].split("```")[0].replace('at = "b2" }', 'at = "a2", name = "左翼" }')
    Path("s.toml").write_text(text, "utf-8")
    rows = {row["ruling"]: row["changes"] for row in muster("rulings", "s.toml", "--lang", "ja", "--json").json}
    assert [(row["about"], row["what"]) for row in rows["massed"]] == [
        ("B3a（o2）", "shots"),
        ("R3a（f9）", "shots"),
        ("R3b（f9）", "shots"),
    ]
    # At two squares a gun hits 5 times out of 6, always with the +1. On a 5 the target runs and half of the line
    # units rally. On a 6 the target is removed.
    assert rows["massed"][0]["now"] == "距離2〜6からの射撃100回中、平均35、28、21、14、7回失われる"
    assert rows["massed"][0]["then"] == "距離2〜6からの射撃100回中、平均25、21、17、12、8回失われる"
    assert rows["run_edge"] == [
        {"what": "runs", "about": "B1a「左翼」", "now": "左の盤端へ0マス", "then": "自軍の盤端へ1マス"}
    ]
    # The units are adjacent to their brigadier. A guard rallies on four of six faces.
    by = {change["about"]: (change["now"], change["then"]) for change in rows["brigadier_rally"]}
    assert by["接近戦から潰走するB1c（d1）"] == ("100回中、平均67回再集結する", "ダイスを振らずに再集結する")
    brigades = [row for side in ("blue", "red") for row in tomllib.loads(text)[side]["brigade"]]
    assert len(by) == sum(
        near(unit["at"], brigade["units"][0]["at"]) for brigade in brigades for unit in brigade["units"][1:]
    )
    output = muster("rulings", "s.toml").out
    assert "  own: 1 way to run\n    B1a “左翼”: to the left edge, 0 squares → to its own edge, 1 square\n" in output


def test_every_game_here_has_switches_and_says_what_was_compared(here: Path) -> None:
    assert set(RULED) == set(games.names())
    assert muster("draw", "battlelore", "--seed", CODE, "-o", "s.toml").code == 0
    row = muster("rulings", "s.toml", "--json").json[0]
    assert (row["ruling"], row["chosen"], row["choice"]) == ("hill", "adjacent", "plateau")
    assert row["compared"] == ["sight", "check", "fairness"]


@pytest.mark.parametrize("game", RULED)
def test_a_kit_prints_first_the_switches_that_matter(game: str) -> None:
    of = games.load(game)
    scenario, switches = of.draw(Request(CODE, {}, {})), rulings(*of.switches)
    found = effects_of_rulings(scenario, switches, of.ruling_impacts)
    rows = interpretations_of(switches, scenario.rulings, found)
    assert [reading.id in found for reading in rows] == sorted(
        (name in found for name in scenario.rulings), reverse=True
    )
    assert {reading.id for reading in rows} == set(scenario.rulings)
    for reading in rows:
        text = switches[reading.id][scenario.rulings[reading.id]].text
        for lang in LANGS:
            assert reading.text[lang] == text[lang] + (
                {"en": " ", "ja": ""}[lang] + found[reading.id][lang] if reading.id in found else ""
            )
            assert reading.id not in found or f"{reading.id} = " in reading.text[lang]


def test_every_outcome_is_of_another_choice() -> None:
    for game in RULED:
        of = games.load(game)
        scenario, switches = of.draw(Request(CODE, {}, {})), rulings(*of.switches)
        found = outcomes(scenario, switches, of.ruling_impacts)
        assert {(o.ruling.id, o.other.id) for o in found} == {
            (name, choice.id)
            for name, ruling in switches.items()
            for choice in ruling.choice
            if choice.id != scenario.rulings[name]
        }
        assert all(change.now != change.then for o in found for changes in o.changes.values() for change in changes)
        assert same("") not in [change.about for o in found for changes in o.changes.values() for change in changes]
