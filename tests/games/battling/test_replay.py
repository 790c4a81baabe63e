"""The pictures of a replay: what is drawn of each turn, and that every sheet fits its page."""

from __future__ import annotations

from typing import Any, cast

import pytest

from generator.games.battling.judge import judge
from generator.games.battling.pages.replay import HIT_PIP, pips, replay, scenes, turn_views
from generator.games.battling.selfplay import play
from generator.model.picture import Path
from generator.model.views import Kit, MapView, Sheet
from generator.model.words import Lang
from generator.press.book import print_kit
from generator.press.edition import Edition
from generator.press.preflight import preflight
from generator.seeds import Stream
from tests.games.battling.fields import plaza, scenario
from tests.games.battling.scenes import at, house

SCENE = scenario(house("crossroads"), "scopedog 0707", "brutishdog 0805, brutishdog 1108, scopedog 0907")
LOG = """[turn 1] [first]
#1: F / 0805
[turn 1] [second]
#2: F / 0707
#3: B / 1 / 0806 / 0707
[first]
0707 / 1 / H / 1 / HP3
0707 / 3 / EX / HP2
[second]
0806 / EX / HP3
[turn 2] [first]
#1: R / 1 / 4 / 1205
[second]
#2: W / 2 / 0108
"""


def views(log: str = LOG) -> list[MapView]:
    return [view for scene in scenes(judge(log, SCENE)) for view in turn_views(SCENE, scene)]


def test_a_blocked_shot_ends_at_the_silhouette() -> None:
    blocked, clear = views()[0].rays
    assert (blocked.start, blocked.end) == (at("0707"), at("0805"))
    assert blocked.stop_at is not None
    met = SCENE.arena.sight(at("0707"), at("0805")).blocked_at
    assert met and blocked.stop_at == (float(met[0]), float(met[1]))
    assert (clear.start, clear.end, clear.stop_at) == (at("1108"), at("0707"), None)


def test_ways_clashes_and_what_was_refused_are_drawn() -> None:
    first, second = views()
    assert {(track.look, track.cells) for track in first.tracks} == {
        ("walk", (at("0907"), at("0806"))),
        ("march", (at("0806"), at("0707"))),
    }
    assert [(track.look, track.cells[-1]) for track in second.tracks] == [
        ("dash", at("1205")),
        ("intercept", at("0108")),
    ]


def test_hexes_where_somebody_is_hit_are_marked_once() -> None:
    (shade,) = views()[0].shades
    assert (shade.look, set(shade.cells)) == ("stop", {at("0707"), at("0806")})


def test_a_machine_that_moved_leaves_its_name_where_it_stood() -> None:
    assert [note.text.en for note in views()[0].notes if note.roam and not note.text.en.isdecimal()] == ["S3"]


def test_one_number_joins_an_attacks_line_and_its_row() -> None:
    scene = scenes(judge(LOG, SCENE))[0]
    numbered = {note.text.en: note.at for note in views()[0].notes if note.roam and note.text.en.isdecimal()}
    assert set(numbered) == {"1", "2", "3"}
    sheet = replay(SCENE, LOG, "").sheets[1]
    assert isinstance(sheet, Sheet)
    rows = [row["id"] for side in cast(Any, sheet.view["sides"]) for row in side["deeds"]]
    assert rows == ["1 F1", "2 S2", "3 S3"]
    for number, deed in zip("123", scene.turn.deeds, strict=True):
        assert deed.aim
        ends = [SCENE.arena.field.centre(cell) for cell in (deed.path[-1], deed.aim)]
        for place, one, other in zip(numbered[number], *ends, strict=True):
            assert min(one, other) <= place <= max(one, other)


def test_the_destroyed_are_wrecks_in_their_last_turn_and_gone_afterwards() -> None:
    weak = scenario(house("crossroads"), "scopedog 0707", "brutishdog 1108, scopedog 0101", hp=1)
    log = "[turn 1] [first]\n[second]\n#1: F / 0707\n#2: D\n[first]\n0707 / 1 / H / 1 / HP0\n"
    (scene,) = scenes(judge(log, weak))
    marks = {token.label: token.mark for _, token in turn_views(weak, scene)[0].tokens if token.shape == "first"}
    assert marks == {"1": "wrecked"}
    long = play(plaza(), Stream("7", "v1/test/play"))
    for scene in scenes(judge(long, plaza())):
        gone = [machine for machine in scene.turn.before if not machine.hp]
        assert len(turn_views(plaza(), scene)[0].tokens) == 6 - len(gone)


def test_the_legend_tells_what_is_on_the_picture_and_no_more() -> None:
    assert [row.sample for row in views()[0].legend] == ["walk", "ray", "march", "stop", "break"]


def test_faults_stand_with_their_turn() -> None:
    told = [[finding.line for finding in scene.findings] for scene in scenes(judge(LOG, SCENE))]
    assert told == [[2], [14]]


def test_pips_show_what_is_left_and_what_went_this_turn() -> None:
    picture = pips(4, 2, 5)
    filled = [item for item in picture.items if isinstance(item, Path) and item.fill not in (None, "#ffffff")]
    struck = [item for item in picture.items if isinstance(item, Path) and not item.fill and item.pen]
    assert (len(filled), len(struck)) == (2, 4)
    assert {item.pen.colour for item in struck if item.pen} == {HIT_PIP}


def fits(kit: Kit, lang: Lang, paper: str) -> None:
    assert preflight(print_kit(kit, Edition(lang, paper, "saver")), paper, lang) == []


@pytest.mark.parametrize(("lang", "paper"), [("en", "letter"), ("ja", "a4")])
def test_a_sheet_for_each_turn(lang: Lang, paper: str) -> None:
    kit = replay(SCENE, LOG, "")
    titles = [sheet.title.en for sheet in kit.sheets if isinstance(sheet, Sheet)]
    assert titles == ["Start of turn 1 of 10", "Turn 1", "Start of turn 2 of 10", "Turn 2"]
    fits(kit, lang, paper)


def test_without_orders_the_arena_before_the_first_turn_is_shown() -> None:
    (sheet,) = replay(SCENE, "", "").sheets
    assert sheet.title.en == "Before the first turn"


@pytest.mark.parametrize(("lang", "paper"), [("en", "letter"), ("ja", "letter"), ("ja", "a4")])
def test_a_turn_with_more_than_a_page_holds_still_fits(lang: Lang, paper: str) -> None:
    names = [SCENE.arena.field.name(cell) for cell in house("plaza").open_cells]
    kinds = ("standing_tortoise", "brutishdog", "strikedog", "turbo_custom", "scopedog", "standing_tortoise")
    first, second = (", ".join(f"{kind} {names[20 * k + i]}" for i, kind in enumerate(kinds)) for k in (1, 3))
    crowd = scenario(house("plaza"), first, second)
    log = "[turn 1] [first]\n" + "".join(f"#{1 + i % 6}: B / 1 / 0101 / 0102\n" for i in range(40))
    log += "[turn 1] [second]\n" + "".join(f"#{1 + i % 6}: W / 2 / 0101\n" for i in range(40))
    fits(replay(crowd, log, ""), lang, paper)
