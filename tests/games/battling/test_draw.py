"""Tests for generating Battling scenarios with options, and for their logs and files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from generator import games
from generator.errors import DataError, MusterError, NothingLegalError, WrongUsageError
from generator.games.battling.draw import draw
from generator.games.battling.file import export, read, write
from generator.games.battling.forces import machines
from generator.games.battling.game import GAME
from generator.games.battling.ground import house_arenas
from generator.games.battling.model import SIDES, Scenario
from generator.games.battling.pages.battle_words import story
from generator.games.battling.rules import rules
from generator.model.scenario import Origin, Request, UserFile
from generator.notation import envelope
from generator.notation.toml import Source
from generator.rules import check
from generator.seeds import code_for
from generator.store.folders import shipped_path
from tests.games.battling.scenes import CODE, drawn

STRIDE = 34_000_003


def back(scenario: Scenario, old: str = "", new: str = "") -> Scenario:
    """Read the scenario back from its file, after one replacement in the text."""
    text = envelope.compose(scenario.origin, write(scenario))
    assert old in text
    source = Source("battle.toml", text.replace(old, new) if old else text)
    return read(source, envelope.origin_of_head(envelope.head(source)), Path())


def test_the_game_is_listed() -> None:
    assert games.load("battling") is GAME


@pytest.mark.parametrize("part", range(4))
def test_every_code_draws_a_legal_battle_that_reads_back(part: int) -> None:
    for i in range(part, 60, 4):
        scenario = draw(Request(code_for(i * STRIDE % (1 << 35)), {}, {}))
        assert not check(rules(), scenario).findings
        assert back(scenario) == scenario


def test_the_same_code_draws_the_same_battle() -> None:
    assert drawn() == drawn()
    assert drawn() != drawn("22222-22222")


def test_codes_draw_both_kinds_of_arena_both_players_and_every_edge() -> None:
    found = [drawn(code_for(i * STRIDE % (1 << 35))) for i in range(24)]
    assert {s.squads["first"].player for s in found} == {"A", "B"}
    assert {s.squads["second"].edge for s in found} == {"N", "E", "S", "W"}
    assert {s.arena_name for s in found} > {"random"}
    assert {len(s.squads["first"].machines) for s in found} == {2, 3, 4}


def test_squads_are_even_in_points_and_number() -> None:
    for i in range(8):
        first, second = (drawn(code_for(i * STRIDE)).squads[side] for side in SIDES)
        assert len(first.machines) == len(second.machines)
        assert len({sum(machines()[m.kind].points for m in s.machines) for s in (first, second)}) == 1


def test_squads_are_of_several_kinds_where_they_may_be() -> None:
    for i in range(12):
        assert all(len({m.kind for m in s.machines}) > 1 for s in drawn(code_for(i * STRIDE)).squads.values())
    alone = drawn(machines="2", points="20")
    assert {m.kind for _, m in alone.machines} == {"scopedog"}
    assert {m.kind for i in range(40) for _, m in drawn(code_for(i), machines="3").machines} == set(machines())


def test_points_wished_for_may_buy_squads_of_unlike_number() -> None:
    sizes = {len(s.machines) for i in range(12) for s in drawn(code_for(i), points="45").squads.values()}
    assert sizes == {3, 4}


def test_options_are_observed() -> None:
    scenario = drawn(
        title="Duel at Dawn",
        arena="ring",
        squad_a="scopedog, brutishdog",
        squad_b="brutishdog scopedog",
        first="B",
        edge="W",
        place_second="0101 0105",
        turns="6",
        dash="strict",
        tie="hit_points",
    )
    first, second = (scenario.squads[side] for side in SIDES)
    assert (scenario.title.en, scenario.turns, scenario.points) == ("Duel at Dawn", 6, 21)
    assert (first.player, first.edge, second.edge) == ("B", "E", "W")
    assert [(m.id, m.kind) for m in second.machines] == [("S1", "scopedog"), ("S2", "brutishdog")]
    assert [scenario.arena.field.name(m.cell) for m in second.machines] == ["0101", "0105"]
    assert dict(scenario.rulings) == {"dash": "strict", "tie": "hit_points"}
    assert "dice" not in [step.what for step in scenario.log]
    assert not check(rules(), scenario).findings


def test_places_tell_the_edge() -> None:
    scenario = drawn(arena="ring", machines="2", place_first="1401 1405")
    assert (scenario.squads["first"].edge, scenario.squads["second"].edge) == ("E", "W")
    assert next(step.stream for step in scenario.log if step.what == "edge") == ""


def test_squads_of_different_points_and_numbers_are_drawn_where_both_are_wished_for() -> None:
    scenario = drawn(squad_a="scopedog", squad_b="brutishdog strikedog")
    assert (scenario.points, sorted(scenario.costs.values())) == (27, [10, 27])
    found = check(rules(), scenario)
    assert not found.illegal
    assert {finding.rule.id for finding in found.remarks} == {"squad.points"}
    assert back(scenario) == scenario
    assert {lang: line[lang] for line in story(scenario)[:1] for lang in ("en", "ja")}
    assert "10" in story(scenario)[0].en
    short = drawn(squad_a="scopedog", points="30")
    assert short.costs[next(s for s in SIDES if short.squads[s].player == "B")] == 30


def test_hexes_off_the_edges_make_a_set_up_decided_in_advance() -> None:
    both = drawn(arena="crossroads", machines="1", place_first="0707", place_second="1108")
    assert both.fixed
    assert "edge" not in [step.what for step in both.log]
    assert not check(rules(), both).findings
    assert back(both) == both
    one = drawn(arena="crossroads", machines="2", place_first="0707 1112")
    assert one.fixed
    assert {m.cell for m in one.squads["second"].machines} <= set(one.arena.edge(one.squads["second"].edge))
    assert not check(rules(), one).findings
    assert back(one) == one
    for scenario in (both, one):
        assert "decided in advance" in story(scenario)[-1].en
        assert "edge" not in story(scenario)[1].en
    assert not drawn(arena="ring", machines="1", place_first="1401").fixed


def test_the_size_of_a_random_arena() -> None:
    scenario = drawn(columns="20", rows="9")
    assert (scenario.arena_name, scenario.arena.field.columns, scenario.arena.field.rows) == ("random", 20, 9)


@pytest.mark.parametrize(
    ("error", "message", "options"),
    [
        (WrongUsageError, "player A has no machine named 'scopdog' (did you mean scopedog?)", {"squad_a": "scopdog"}),
        (WrongUsageError, "the number of machines of player A is 7", {"squad_a": "scopedog " * 7}),
        (
            WrongUsageError,
            "--points is 9, but the squad of player A has 10 points",
            {"squad_a": "scopedog", "points": "9"},
        ),
        (WrongUsageError, "--machines is 2", {"squad_a": "scopedog", "machines": "2"}),
        (NothingLegalError, "has a total of 9 points (nearest possible points: 10, 11, 12, 13)", {"points": "9"}),
        (WrongUsageError, "--columns can be used only with random arenas", {"arena": "ring", "columns": "20"}),
        (WrongUsageError, "there is no arena named 'rink' (did you mean ring?)", {"arena": "rink"}),
        (
            WrongUsageError,
            "the number of hexes (1) must be the number of machines (2)",
            {"machines": "2", "place_first": "0101"},
        ),
        (WrongUsageError, "lists a hex twice", {"machines": "2", "place_first": "0101 0101"}),
        (WrongUsageError, "there is no hex '9901'", {"machines": "1", "place_first": "9901"}),
        (WrongUsageError, "0202 cannot be entered", {"arena": "ring", "machines": "1", "place_first": "0202"}),
        (
            WrongUsageError,
            "must not use the same hexes (0707)",
            {"arena": "crossroads", "machines": "1", "place_first": "0707", "place_second": "0707"},
        ),
        (
            WrongUsageError,
            "no edge of this arena",
            {"arena": "crossroads", "machines": "1", "edge": "N", "place_first": "0707"},
        ),
    ],
)
def test_impossible_options_are_reported(error: type[MusterError], message: str, options: dict[str, str]) -> None:
    with pytest.raises(error) as raised:
        drawn(**options)
    assert message in str(raised.value)


def test_users_files(tmp_path: Path) -> None:
    data = shipped_path("data") / "battling"
    arena, charts = tmp_path / "my_town.toml", tmp_path / "my_charts.toml"
    arena.write_bytes((data / "arenas" / "canal.toml").read_bytes())
    charts.write_text((data / "machines.toml").read_text("utf-8").replace("hp = 4", "hp = 6"), "utf-8")
    files = {"arena": arena, "charts": charts}
    scenario = draw(Request(CODE, {name: path.name for name, path in files.items()}, files))
    assert scenario.arena == house_arenas()["canal"].ground
    assert {m.hp for _, m in scenario.machines} <= {5, 6}
    assert not check(rules(), scenario).findings
    text = envelope.compose(scenario.origin, write(scenario))
    source = Source("battle.toml", text)
    assert read(source, envelope.origin_of_head(envelope.head(source)), tmp_path) == scenario
    with pytest.raises(DataError, match=r"my_charts\.toml is missing from this folder"):
        read(source, envelope.origin_of_head(envelope.head(source)), tmp_path / "elsewhere")


TYPED = """
[muster]
game = "battling"

[play]
title = "Two on the Plaza"

[arena]
name = "plaza"

[first]
edge = "N"
machines = [
  { hex = "0101", machine = "scopedog" },
]

[second]
edge = "S"
machines = [
  { hex = "0112", machine = "scopedog" },
]
"""


def test_a_battle_typed_by_hand_is_legal_but_for_its_evidence() -> None:
    scenario = read(Source("typed.toml", TYPED), Origin("battling"), Path())
    assert scenario.arena == house_arenas()["plaza"].ground
    assert (scenario.points, scenario.turns, scenario.squads["second"].player) == (None, 10, "B")
    with_log = TYPED + '\n[[log]]\nstep = "points"\nresult = ["12"]\n'
    assert read(Source("typed.toml", with_log), Origin("battling"), Path()).points == 12
    found = check(rules(), scenario)
    assert not found.illegal
    assert {finding.rule.id for finding in found.unproved} == {"deploy.order", "first.dice"}


def test_what_the_machines_tell_may_be_left_out() -> None:
    shortened = TYPED.replace('edge = "N"\n', "").replace('edge = "S"\n', "")
    scenario = read(Source("typed.toml", shortened), Origin("battling"), Path())
    assert scenario == read(Source("typed.toml", TYPED), Origin("battling"), Path())
    turned = shortened.replace('"0112"', '"1401"').replace('"0101"', '"0103"')
    edges = {side: of.edge for side, of in read(Source("t", turned), Origin("battling"), Path()).squads.items()}
    assert edges == {"first": "W", "second": "E"}


def test_owners_call_their_machines_as_they_like() -> None:
    renamed = TYPED.replace('{ hex = "0101"', '{ name = "キリコ", hex = "0101"').replace(
        '{ hex = "0112", machine = "scopedog" },',
        '{ id = "フィアナ", hex = "0112", machine = "scopedog" },\n'
        '{ id = "S1", hex = "0212", machine = "scopedog" },',
    )
    log = '\n[[log]]\nstep = "deploy"\nwho = "second"\nresult = ["フィアナ 0112", "S1 0212"]\n'
    scenario = read(Source("typed.toml", renamed + log), Origin("battling"), Path())
    assert {id_: words.ja for id_, words in scenario.labels.items()} == {
        "F1": "F1「キリコ」", "S1": "S1", "S2": "S2「フィアナ」",
    }  # fmt: skip
    assert scenario.log[0].result == ("S2 0112", "S1 0212")
    assert not check(rules(), scenario).illegal
    assert back(scenario) == scenario
    assert "F1 “キリコ” Scopedog 0101" in story(scenario)[1].en


def test_an_arena_is_brought_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no arena named 'plasa'") as raised:
        read(Source("typed.toml", TYPED.replace('"plaza"', '"plasa"')), Origin("battling"), Path())
    assert raised.value.problems[0].hint == "did you mean plaza?"
    content = (shipped_path("data") / "battling" / "arenas" / "canal.toml").read_bytes()
    (tmp_path / "mine.toml").write_bytes(content)
    text = TYPED.replace('"plaza"', '"mine.toml"')
    with pytest.raises(DataError) as raised:
        read(Source("typed.toml", text), Origin("battling"), tmp_path)
    assert "[muster.files]" in raised.value.problems[0].hint
    origin = Origin("battling", files={"arena": UserFile("mine.toml", "")})
    assert read(Source("typed.toml", text), origin, tmp_path).arena == house_arenas()["canal"].ground


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('"0101"', '"0113"', 14, "there is no hex '0113'"),
        ('"scopedog"', '"scopdog"', 14, "there is no machine named 'scopdog'"),
        ('hex = "0101"', 'id = "S1", hex = "0101"', 14, "'S1' is not an id of this side"),
        ('edge = "N"', 'edge = "up"', 12, "'up' is not valid"),
        ("[arena]\n", "[rulings]\ntie = 'x'\n\n[arena]\n", 9, "this ruling has no choice 'x'"),
        ('name = "plaza"', 'name = "plaza"\nbuildings = "0101 0102"', 10, "fewer than three corners"),
    ],
)
def test_faults_of_a_typed_battle_have_their_lines(old: str, new: str, line: int, message: str) -> None:
    with pytest.raises(DataError) as raised:
        read(Source("typed.toml", TYPED.replace(old, new, 1)), Origin("battling"), Path())
    assert message in raised.value.problems[0].message
    assert raised.value.problems[0].line == line


def test_an_id_that_stands_twice() -> None:
    with pytest.raises(DataError, match="the id F1 is used twice"):
        back(drawn(first="A", machines="2"), 'id = "F2"', 'id = "F1"')


def test_the_json_form() -> None:
    of: Any = export(drawn(arena="plaza", machines="2"))
    assert (of["arena"]["columns"], of["arena"]["name"], of["opening"] <= 10) == (14, "plaza", True)
    assert [squad["side"] for squad in of["squads"]] == ["first", "second"]
    assert of["setup"] == "edges"
    assert {"id", "name", "machine", "hex", "hp"} == set(of["squads"][0]["machines"][0])
    assert "0202" not in of["arena"]["closed"]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_story_tells_arena_squads_and_opening(lang: Any) -> None:
    lines = [line[lang] for line in story(drawn(arena="ring", machines="2"))]
    assert len(lines) == 4
    assert not any("{" in line for line in lines)
