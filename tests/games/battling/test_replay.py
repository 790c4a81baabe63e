"""Tests for the pictures of a replay: the content of each turn, and whether every sheet fits its page."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, NamedTuple, cast

import msgspec
import pytest
from msgspec.structs import replace

from generator.games.battling.forces import house_pack
from generator.games.battling.post.judge import judge
from generator.games.battling.post.pips import HIT_PIP, LEFT, WIDE, pips
from generator.games.battling.post.random_game import play
from generator.games.battling.post.replay import replay
from generator.games.battling.post.roll_pictures import FALLEN, HURTS
from generator.games.battling.post.turn_view import scenes, turn_views
from generator.model.picture import Path, Picture, Text, Use
from generator.model.views import Kit, MapView, Sheet
from generator.model.words import Lang
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.figures.maps import draw_fitted
from generator.press.figures.tokens import hit_point_strips
from generator.press.layout.print_settings import PrintSettings
from generator.seeds import Rng
from generator.symbols.shapes import Place
from tests.games.battling.fields import arena, plaza, scenario
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
    blocked, clear, _ = views()[0].rays
    assert (blocked.start, blocked.end) == (at("0707"), at("0805"))
    assert blocked.stop_at is not None
    crossing = SCENE.arena.sight(at("0707"), at("0805")).blocked_at
    assert crossing and blocked.stop_at == (float(crossing[0]), float(crossing[1]))
    assert (clear.start, clear.end, clear.stop_at, clear.arrow) == (at("1108"), at("0707"), None, True)
    assert (blocked.arrow, blocked.bend) == (False, 0)


def test_ways_clashes_and_what_was_refused_are_drawn() -> None:
    first, second = views()
    assert {(track.look, track.cells) for track in first.tracks} == {
        ("walk", (at("0907"), at("0806"))),
    }
    blow = first.rays[-1]
    assert (blow.start, blow.end, blow.shot, blow.arrow) == (at("0806"), at("0707"), True, True)
    assert [(track.look, track.cells[-1]) for track in second.tracks] == [
        ("dash", at("1205")),
        ("intercept", at("0108")),
    ]


def test_hexes_with_a_hit_are_marked_once() -> None:
    (shade,) = views()[0].shades
    assert (shade.look, set(shade.cells)) == ("stop", {at("0707"), at("0806")})


def test_a_machine_that_moved_leaves_its_name_where_it_stood() -> None:
    assert [note.text.en for note in views()[0].notes if note.roam and not note.text.en.isdecimal()] == ["S3"]


def test_map_list_and_roll_use_the_same_number() -> None:
    """The second player makes two attacks on 0707. The blocked shot of the first player gets no number."""
    notes = {note.text.en: note for note in views()[0].notes if note.flag}
    assert set(notes) == {"1", "2"}
    field = SCENE.arena.field
    right, up = field.pitch
    x, y = map(float, field.centre(at("0707")))
    for note in notes.values():
        assert 0.9 < math.hypot((note.at[0] - x) * right, (note.at[1] - y) * up) < 1.7
        assert note.flag == "rolled"
    sheet = replay(SCENE, LOG, "").sheets[1]
    assert isinstance(sheet, Sheet)
    sides = cast(Any, sheet.view["sides"])
    assert [row["coins"] for side in sides for row in side["machines"]] == ["", "", "coin_1", "coin_2"]
    shot, melee = cast(Any, sheet.view["rolls"])
    assert (shot["number"], shot["who"].en, shot["said"]) == ("coin_1", "F1 against S2", ["0707 / 1 / H / 1 / HP3"])
    assert (melee["number"], melee["said"]) == ("coin_2", ["0707 / 3 / EX / HP2", "0806 / EX / HP3"])


def test_a_roll_shows_its_chance_the_hitting_faces_and_the_result() -> None:
    """A shot at distance 4 hits on 2 or less and damages on 2 or less. The target dashed before the shot."""
    log = "[turn 1] [first]\n#1: R / 1 / 0707\n[second]\n#1: F / 0707\n"
    of = scenario(house("crossroads"), "scopedog 0708", "brutishdog 1108")
    for reply, fell in (("", 0), ("[first]\n0707 / 1 / H / 2 / HP3\n", 2)):
        sheet = replay(of, log + reply, "").sheets[1]
        assert isinstance(sheet, Sheet)
        (roll,) = cast(Any, sheet.view["rolls"])
        assert roll["text"].en == "shot, distance 4, +1 to hit"
        assert roll["chance"] == f"{round(100 / 6 * 2 / 6)} %"
        dice = cast(Picture, sheet.figures[roll["dice"]])
        drawn = [cast(Use, item).symbol for item in dice.items]
        tinted = [at for at, die in enumerate(drawn) if cast(Path, die.items[0]).fill == HURTS]
        framed = [at for at, die in enumerate(drawn) if cast(Any, die.items[0]).pen.width == FALLEN]
        assert (tinted, framed) == ([0, 6, 7], [0, 7] if fell else [])
    owing = replay(of, log, "").sheets[1]
    assert isinstance(owing, Sheet)
    (note,) = [note for note in cast(MapView, owing.figures["map_0"]).notes if note.flag]
    assert (note.flag, cast(Any, owing.view["rolls"])[0]["said"]) == ("owed", [])


Spots = list[tuple[float, float]]


def courses(view: MapView) -> list[Spots]:
    """Return every line of a picture as a list of points, computed independently.

    Adjacent points are at most a quarter of a hex side apart.
    """
    right, up = view.grid.pitch

    def spot(cell: Any) -> tuple[float, float]:
        x, y = view.grid.centre(cell)
        return float(x) * right, float(y) * up

    def straight(a: tuple[float, float], b: tuple[float, float]) -> Spots:
        count = max(2, round(math.dist(a, b) * 8))
        return [(a[0] + n / count * (b[0] - a[0]), a[1] + n / count * (b[1] - a[1])) for n in range(count + 1)]

    found = []
    for way in view.tracks:
        cells = [(x + way.aside[0], y + way.aside[1]) for x, y in map(spot, way.cells)]
        found.append([point for a, b in pairwise(cells) for point in straight(a, b)])
    for ray in view.rays:
        line = straight(spot(ray.start), spot(ray.end))
        dx, dy = line[-1][0] - line[0][0], line[-1][1] - line[0][1]
        length = math.hypot(dx, dy)
        found.append(
            [
                (x - dy / length * ray.bend * 4 * t * (1 - t), y + dx / length * ray.bend * 4 * t * (1 - t))
                for t, (x, y) in ((n / (len(line) - 1), point) for n, point in enumerate(line))
            ]
        )
    return found


def together(one: Spots, other: Spots) -> int:
    """Return the length of the longest run of points on another line, ignoring the ends under the machines."""
    longest = run = 0
    for point in one:
        inner = min(math.dist(point, one[0]), math.dist(point, one[-1])) > 0.65
        run = run + 1 if inner and min(math.dist(point, p) for p in other) < 0.1 else 0
        longest = max(longest, run)
    return longest


@pytest.mark.parametrize("number", range(4))
def test_overlapping_lines_are_bent_apart(number: int) -> None:
    """In a complete battle of six machines, two lines of a picture share no more points than a crossing needs."""
    log = play(plaza(), Rng(str(number), "v1/test/lines"))
    for scene in scenes(judge(log, plaza())):
        for view in turn_views(plaza(), scene):
            lines = courses(view)
            assert max((together(a, b) for a in lines for b in lines if a is not b), default=0) <= 6


def test_no_roll_is_pending_for_a_machine_destroyed_earlier() -> None:
    of = scenario(arena(), "scopedog 0707", "scopedog 0704, scopedog 0710", hp=1)
    log = "[turn 1] [first]\nD\n[second]\n#1: F / 0707\n#2: F / 0707\n"
    rolled = "[first]\n0707 / 1 / H / 1 / HP0\n"
    for text, looks in ((log, ["owed", "owed"]), (log + rolled, ["rolled", "rolled"])):
        sheet = cast(Sheet, replay(of, text, "").sheets[1])
        notes = cast(MapView, sheet.figures["map_0"]).notes
        assert [note.flag for note in notes if note.flag] == looks
        assert [row["owed"] for row in cast(Any, sheet.view["rolls"])] == [look == "owed" for look in looks]


def test_a_shot_over_a_friend_and_one_that_comes_back_are_bent() -> None:
    of = scenario(arena(), "scopedog 0709, scopedog 0707", "brutishdog 0704")
    log = "[turn 1] [first]\n#1: F / 0704\n[second]\n0704 / 6 / F\nF / 0709\n[first]\n0709 / 6 / F\n"
    (scene,) = scenes(judge(log, of))
    assert scene.findings == ()
    there, back = turn_views(of, scene)[0].rays
    assert there.bend and back.bend
    ahead, again = courses(turn_views(of, scene)[0])
    assert together(ahead, again) == 0
    x, y = map(float, of.arena.field.centre(at("0707")))
    right, up = of.arena.field.pitch
    assert min(math.dist(point, (x * right, y * up)) for point in (*ahead, *again)) > 0.6


def test_the_destroyed_are_wrecks_in_their_last_turn_and_gone_afterwards() -> None:
    weak = scenario(house("crossroads"), "scopedog 0707", "brutishdog 1108, scopedog 0101", hp=1)
    log = "[turn 1] [first]\n[second]\n#1: F / 0707\n#2: D\n[first]\n0707 / 1 / H / 1 / HP0\n"
    (scene,) = scenes(judge(log, weak))
    marks = {token.label: token.mark for _, token in turn_views(weak, scene)[0].tokens if token.shape == "first"}
    assert marks == {"1": "wrecked"}
    long = play(plaza(), Rng("7", "v1/test/play"))
    for scene in scenes(judge(long, plaza())):
        gone = [machine for machine in scene.turn.before if not machine.hp]
        assert len(turn_views(plaza(), scene)[0].tokens) == 6 - len(gone)


def test_the_legend_tells_what_is_on_the_picture_and_no_more() -> None:
    assert [row.sample for row in views()[0].legend] == ["walk", "shot", "blow", "stop", "break"]


def test_faults_stand_with_their_turn() -> None:
    lines = [[finding.line for finding in scene.findings] for scene in scenes(judge(LOG, SCENE))]
    assert lines == [[2], [14]]


def test_pips_show_what_is_left_and_what_went_this_turn() -> None:
    picture = pips(4, 2, 5)
    filled = [item for item in picture.items if isinstance(item, Path) and item.fill not in (None, "#ffffff")]
    struck = [item for item in picture.items if isinstance(item, Path) and not item.fill and item.pen]
    assert (len(filled), len(struck)) == (2, 4)
    assert {item.pen.colour for item in struck if item.pen} == {HIT_PIP}


def test_counters_show_remaining_hit_points() -> None:
    """Four hit points are shown as pips, and the twenty of a user's machine as a number."""
    kinds = house_pack().machines
    pack = replace(house_pack(), machines={**kinds, "brutishdog": replace(kinds["brutishdog"], hp=20)})
    of = msgspec.structs.replace(scenario(arena(), "scopedog 0707", "brutishdog 1108"), pack=pack)
    (giant,) = of.squads["second"].machines
    second = msgspec.structs.replace(of.squads["second"], machines=(msgspec.structs.replace(giant, hp=20),))
    of = msgspec.structs.replace(of, squads={**of.squads, "second": second})
    log = "[turn 1] [first]\nD\n[second]\nF / 0707\n[first]\n0707 / 1 / H / 2 / HP3\n"
    (scene,) = scenes(judge(log, of))
    (view,) = turn_views(of, scene)
    assert {token.shape: token.hp for _, token in view.tokens} == {"first": (3, 4), "second": (20, 20)}
    small, large = hit_point_strips(view, Place.fit(view.grid, 150, 150))
    assert (small.left, small.whole, large.left) == (3, 4, 20)
    drawn = draw_fitted(view, "en", "full", 150, 150).picture.items
    assert [item.text for item in drawn if isinstance(item, Text) and item.text == "20"]


@pytest.mark.parametrize("whole", range(1, 21))
def test_any_number_of_hit_points_keeps_to_its_column(whole: int) -> None:
    picture = pips(whole, whole // 2, whole)
    assert picture.width <= WIDE + 1e-9
    assert picture.height <= 12
    assert len(picture.items) == whole + 2 * (whole - whole // 2)


def fits(kit: Kit, lang: Lang, paper: str) -> None:
    assert preflight(print_kit(kit, PrintSettings(lang, paper, "saver")), paper, lang) == []


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


class Shown(NamedTuple):
    """The expected content of the pictures of a thread from the rules' examples."""

    first: str
    second: str
    thread: str
    start: dict[str, str]
    """Hexes of the counters at the start of the last turn, keyed by machine."""
    end: dict[str, str]
    ways: tuple[tuple[str, ...], ...] = ()
    """The paths walked, hex by hex."""
    attacks: tuple[tuple[str, str, str], ...] = ()
    """Attacks as attacking hex, target hex, and `shot` or `blow`."""
    hit: frozenset[str] = frozenset()
    """Hexes of machines that lose a hit point."""
    left: tuple[tuple[str, int], ...] = ()
    """Remaining hit points of damaged machines."""


EXAMPLES = {
    "a walk": Shown(
        "scopedog 0707",
        "brutishdog 1412",
        "1T先攻です、よろしく！\nまずは様子見。 W / 2 / 0908\n",
        {"F1": "0707", "S1": "1412"},
        {"F1": "0908", "S1": "1412"},
        (("0707", "0807", "0908"),),
    ),
    "a roller dash that turns": Shown(
        "scopedog 0707",
        "brutishdog 0112",
        "1T先攻\nどんどん行きます\nR / 1/ 4 / 1205\n\n1T後攻\n速い！ D\n",
        {"F1": "0707", "S1": "0112"},
        {"F1": "1205", "S1": "0112"},
        (("0707", "0807", "0907", "1006", "1106", "1205"),),
    ),
    "a shot and its reply": Shown(
        "brutishdog 1108",
        "scopedog 0707",
        "1T先攻\n距離4だけど撃ちます。 F / 0707 当たれ！\n\n1T後攻\n＞F / 0707\n痛い…\n0707 / 1 / H / 2 / HP3\n",
        {"F1": "1108", "S1": "0707"},
        {"F1": "1108", "S1": "0707"},
        (),
        (("1108", "0707", "shot"),),
        frozenset({"0707"}),
        (("S1", 3),),
    ),
    "battling after a move": Shown(
        "scopedog 0707",
        "brutishdog 0907",
        "1T先攻\n殴りに行きます\nB\n/ 1 / 0806 / 0907\n",
        {"F1": "0707", "S1": "0907"},
        {"F1": "0806", "S1": "0907"},
        (("0707", "0806"),),
        (("0806", "0907", "blow"),),
    ),
    "a guard": Shown(
        "scopedog 0707",
        "brutishdog 1412",
        "1T先攻\nここは守りで。\nＤ／１／０８０６\n",
        {"F1": "0707", "S1": "1412"},
        {"F1": "0806", "S1": "1412"},
        (("0707", "0806"),),
    ),
    "the defender is hit": Shown(
        "brutishdog 0807",
        "scopedog 0707",
        "1T先攻\nB / 0707 くらえ！\n1T後攻\n0707 / 2 / D / HP3 うわ\n",
        {"F1": "0807", "S1": "0707"},
        {"F1": "0807", "S1": "0707"},
        (),
        (("0807", "0707", "blow"),),
        frozenset({"0707"}),
        (("S1", 3),),
    ),
    "both are hit": Shown(
        "brutishdog 0807",
        "scopedog 0707",
        "1T先攻\nB / 0707 くらえ！\n1T後攻\n0707 / 4 / EX / HP3 相打ち！\n先攻：\n0807 / EX / HP3\n",
        {"F1": "0807", "S1": "0707"},
        {"F1": "0807", "S1": "0707"},
        (),
        (("0807", "0707", "blow"),),
        frozenset({"0707", "0807"}),
        (("F1", 3), ("S1", 3)),
    ),
}


def counter_hexes(view: MapView) -> dict[str, str]:
    """Return the hexes of the counters on a map, keyed by machine."""
    drawn = draw_fitted(view, "ja", "full", 150, 150)
    found = {}
    for item in drawn.picture.items:
        data = dict(item.data) if isinstance(item, Use) else {}
        if "cell" in data and "unit" in data:
            cell = at(data["cell"])
            assert math.dist((item.x, item.y), drawn.place.centre(cell)) < 0.4 * drawn.place.side  # type: ignore[union-attr]
            found[f"{data['side'][0].upper()}{data['unit']}"] = data["cell"]
    return found


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_rules_own_examples_as_threads_with_talk_have_the_right_pictures(example: str) -> None:
    case = EXAMPLES[example]
    of = scenario(arena(), case.first, case.second)
    assert judge(case.thread, of).findings == ()
    before, after = (cast(Sheet, sheet) for sheet in replay(of, case.thread, "").sheets)
    start, end = (cast(MapView, sheet.figures["map_0"]) for sheet in (before, after))
    ids = {"first": "F1", "second": "S1"}
    for view, places in ((start, case.start), (end, case.end)):
        assert {ids[token.shape]: of.arena.field.name(cell) for cell, token in view.tokens} == places
        assert counter_hexes(view) == places
    name = of.arena.field.name
    assert (start.tracks, start.rays, start.shades) == ((), (), ())
    assert tuple(tuple(map(name, way.cells)) for way in end.tracks) == case.ways
    drawn = tuple((name(ray.start), name(ray.end), "blow" if ray.shot else "shot") for ray in end.rays)
    assert drawn == case.attacks
    assert {name(cell) for shade in end.shades for cell in shade.cells} == case.hit
    assert len([note for note in end.notes if note.flag]) == len(case.attacks) == len(cast(Any, after.view["rolls"]))
    for unit, hp in case.left:
        row = cast(Picture, after.figures[f"hp_{unit}"])
        full = [item for item in row.items if isinstance(item, Path) and item.fill == LEFT]
        assert len(full) == hp
