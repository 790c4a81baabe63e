"""Tests that a scenario file reads back as it was written, and that faults are reported."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from generator import games
from generator.common.interpretations import defaults
from generator.errors import DataError
from generator.games.blind_faith.file import read, write
from generator.games.blind_faith.ground import Place, house_maps
from generator.games.blind_faith.model import KINDS, Scenario
from generator.games.blind_faith.tables import switches
from generator.model.scenario import Origin, Request, UserFile
from generator.model.views import Sheet
from generator.model.words import Words, same
from generator.notation.envelope import compose
from generator.notation.toml import Source
from generator.rules import check
from generator.seeds import code_for
from generator.store.folders import shipped_path
from tests.games.blind_faith.scenes import HEAD, STACKS, TEXTS, fired, scenario, scene

GAME = games.load("blind_faith")
DOCS = Path(__file__).resolve().parents[3] / "docs" / "formats"


def problems(text: str) -> list[str]:
    with pytest.raises(DataError) as caught:
        scenario(text)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("number", range(8))
def test_it_reads_back(kind: str, number: int) -> None:
    of: Scenario = GAME.draw(Request(code_for(number * 7919), {"kind": kind}, {}))
    text = compose(of.origin, write(of))
    assert read(Source("x", text), of.origin, Path()) == of


@pytest.mark.parametrize("name", TEXTS)
def test_a_typed_scene_reads_back(name: str) -> None:
    of = scene(name)
    assert read(Source("x", compose(of.origin, write(of))), of.origin, Path()) == of


def test_what_may_be_left_out() -> None:
    of = scene("march")
    assert [stack.id for stack in of.stacks] == ["H1", "H2", "C1", "C2"]
    assert of.legates == ("lucena", "castiglione", "winchester", "cesarini")
    assert dict(of.rulings) == defaults(switches())
    assert (of.kind, of.map, of.log) == ("march", "hand", ())
    assert (scene("battle").kind, scene("siege").kind) == ("battle", "siege")


NAMED = {
    'leader = "zizka" }': 'leader = "zizka", name = { en = "Orebites", ja = "オレープ派" } }',
    'leader = "pippo" }': 'leader = "pippo", name = "Iron Ring" }',
}


def with_names(name: str) -> Scenario:
    """Return a scene in which the leading stacks have names."""
    text = TEXTS[name]
    for old, new in NAMED.items():
        assert old in text
        text = text.replace(old, new)
    return scenario(text)


@pytest.mark.parametrize("name", TEXTS)
def test_a_users_name_reads_back_and_appears_in_json(name: str) -> None:
    of = with_names(name)
    assert read(Source("x", compose(of.origin, write(of))), of.origin, Path()) == of
    assert [stack.label for stack in of.stacks] == [
        Words("H1 “Orebites”", "H1「オレープ派」"),
        same("H2"),
        Words("C1 “Iron Ring”", "C1「Iron Ring」"),
        same("C2"),
    ]
    sides: Any = GAME.export(of)["sides"]
    names = [stack["name"] for side in sides for stack in side["stacks"]]
    assert names == [{"en": "Orebites", "ja": "オレープ派"}, None, {"en": "Iron Ring", "ja": "Iron Ring"}, None]
    assert fired(of) == set()


def test_a_name_is_short() -> None:
    (problem,) = problems(TEXTS["march"].replace('leader = "pippo" }', f'leader = "pippo", name = "{"x" * 25}" }}'))
    assert problem == "scene.toml:32: crusader.stacks[1].name: is longer than 24 characters"


@pytest.mark.parametrize("name", TEXTS)
def test_names_appear_wherever_stacks_are_mentioned(name: str) -> None:
    """No sentence of a kit or of the terminal output uses the stack's id alone."""
    of = with_names(name)
    kit = GAME.kit(of, check(GAME.rules, of), "a-stamp", "muster print scene.toml")
    texts = list(speech([sheet.view for sheet in kit.sheets if isinstance(sheet, Sheet)]))
    arguments = {"moves": ("H1",)}
    lines = [words for query in GAME.queries for words in query.lines(of, arguments.get(query.verb, ()))]
    texts += [*speech(GAME.story(of)), *lines]
    assert sum("H1 “Orebites”" in words.en for words in texts) > 3
    for words in texts:
        assert not re.search("H1(?! “)", words.en), words
        assert not re.search("H1(?!「)", words.ja), words


def speech(value: object) -> Iterator[Words]:
    """Yield every text of a view."""
    if isinstance(value, Words):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from speech(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from speech(inner)


def test_a_finding_calls_a_stack_by_its_name() -> None:
    text = TEXTS["march"].replace('leader = "zizka"', 'name = "Orebites"').replace('"E1"]', '"E1", "F1"]')
    (found,) = check(GAME.rules, scenario(text)).findings
    assert (
        found.why.en == "the path costs 5 movement points, but H1 “Orebites” has only "
        "4, the number of its slowest unit (Tabor)"
    )


@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        ("march", 'hex = "A7"', 'hex = "A9"', "hussite.stacks[2].hex: there is no hex 'A9' (A1 to J7)"),
        (
            "march",
            "hussite_foot = 1 }",
            "husite_foot = 1 }",
            "there is no unit class named 'husite_foot' (did you mean hussite_foot?)",
        ),
        (
            "march",
            '"zizka"',
            '"zizca"',
            "hussite.stacks[1].leader: there is no leader named 'zizca' (did you mean zizka?)",
        ),
        ("march", '"orsini"', '"orsino"', "crusader.stacks[2].legate: there is no legate named 'orsino'"),
        (
            "march",
            'stack = "H1"',
            'stack = "H9"',
            "march.stack: there is no stack named 'H9' (accepted: H1, H2, C1, C2)",
        ),
        ("march", '"C1", "D1"', '"C1", "X1"', "march.path: there is no hex 'X1'"),
        ("march", '{ hex = "A7"', '{ id = "H1", hex = "A7"', "hussite.stacks[2].id: the id H1 is used twice"),
        ("march", '{ hex = "J7"', '{ id = "H2", hex = "J7"', "crusader.stacks[2].id: the id H2 is used twice"),
        ("march", "[march]", "[march_]", ""),
        ("march", "points = 0", "points = -1", "play.points"),
        ("march", "turn = 3", "turn = 3\nlegates = ['pope']", "play.legates: there is no legate named 'pope'"),
        ("march", 'title = "Along the edge"', 'title = ""', "play.title: is empty"),
        ("battle", 'defender = "C1"', 'defender = "D1"', "battle.defender: there is no stack named 'D1'"),
        ("battle", "[march]", "[siege_]", ""),
        (
            "siege",
            '"town"\nbombard',
            '"fence"\nbombard',
            "siege.wall: there is no kind of wall named 'fence' (accepted: town, castle)",
        ),
        ("siege", "[siege]", '[rulings]\nhill = "x"\n[siege]', "rulings.hill: there is no ruling with this name"),
        (
            "siege",
            "[siege]",
            '[march]\nstack = "H1"\npath = ["A1"]\n[siege]',
            "siege: a file with [march] must not have [siege]",
        ),
    ],
)
def test_faults_are_named(name: str, old: str, new: str, expected: str) -> None:
    text = TEXTS[name]
    assert old in text
    assert any(expected in problem for problem in problems(text.replace(old, new, 1)))


def test_a_fault_names_its_line() -> None:
    text = TEXTS["march"]
    line = text.splitlines().index('stack = "H1"') + 1
    assert problems(text.replace('stack = "H1"', 'stack = "H9"'))[0].startswith(f"scene.toml:{line}: ")


def test_a_battle_needs_a_march() -> None:
    battle = "[battle]" + TEXTS["battle"].split("[battle]")[1]
    assert any("[battle] needs a [march]" in problem for problem in problems(TEXTS["position"] + battle))


def test_a_file_without_a_march_or_siege_is_a_position() -> None:
    of = scene("position")
    assert (of.kind, of.fought, of.march, of.siege) == ("position", False, None, None)
    with pytest.raises(KeyError):
        _ = of.active
    exported: Any = GAME.export(of)
    assert exported["kind"] == "position"
    assert exported.keys() & {"march", "battle", "siege"} == set()


def test_enemies_share_a_hex_of_a_position_only_at_a_place() -> None:
    """A position does not state its sieges."""
    assert fired(scenario(HEAD + STACKS.replace("AT", "C3").replace("IN", "C3"))) == set()
    assert fired(scenario(HEAD + STACKS.replace("AT", "E3").replace("IN", "E3"))) == {"stack.enemy"}


def test_a_pack_beside_it(tmp_path: Path) -> None:
    content = (
        (shipped_path("data") / "blind_faith" / "pack.toml").read_text("utf-8").replace("boxes = 4", "boxes = 3")
    )
    (tmp_path / "mine.toml").write_text(content, "utf-8")
    origin = Origin("blind_faith", files={"pack": UserFile("mine.toml", "")})
    of = read(Source("x", TEXTS["battle"]), origin, tmp_path)
    assert of.pack.boxes == 3
    assert fired(of) == {"battle.front"}
    (tmp_path / "mine.toml").unlink()
    with pytest.raises(DataError, match=r"mine\.toml is missing from this folder"):
        read(Source("x", TEXTS["battle"]), origin, tmp_path)


def test_the_scenario_in_the_document_is_legal() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", (DOCS / "blind_faith_scenario.md").read_text("utf-8"), re.S)
    assert fired(scenario(example)) == {"battle.even"}  # a remark, because six units attack three units


def test_json_holds_what_happens() -> None:
    for name, parts in (("march", {"march"}), ("battle", {"march", "battle"}), ("siege", {"siege"})):
        exported = GAME.export(scene(name))
        assert {"march", "battle", "siege"} & exported.keys() == parts
        assert exported["kind"] == name


LEFT_OUT = {
    "a battle's reserves": (
        "battle",
        [", reserve = { hussite_foot = 2 }", ", reserve = { youth_horse = 1 }"],
        [
            "H1: Hussite infantry ×2 in reserve, because the file does not place these units elsewhere",
            "C1: Youth cavalry ×1 in reserve",
        ],
    ),
    "who alone comes first": ("battle", ['defender = "C1"\n'], ["C1 meets the march on D1"]),
    "who marches": ("battle", ['stack = "H1"\n'], ["H1 marches, because it is on A1, where the path begins"]),
    "who besieges, and whom": (
        "siege",
        ['besieger = "H1"\n', 'garrison = "C1"\n'],
        [
            "H1 besieges, because it is the only stack on C3 that has the units that bombard and storm",
            "C1 is the garrison, because it is also on C3",
        ],
    ),
    "the garrison": ("siege", ['garrison = "C1"\n'], ["C1 is the garrison, because it is also on C3"]),
    "the wall": ("siege", ['wall = "town"\n'], ["Rabi: Town wall, the walls of this place"]),
    "who is left before the walls": (
        "siege",
        ["reserve = { hussite_horse = 1 }\n"],
        ["H1: Hussite cavalry ×1 in reserve"],
    ),
}


@pytest.mark.parametrize(("name", "gone", "expected"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_derivable_values_may_be_omitted_and_are_shown(name: str, gone: list[str], expected: list[str]) -> None:
    text = TEXTS[name]
    for part in gone:
        assert part in text
        text = text.replace(part, "")
    of = scenario(text)
    assert of == scene(name)
    assert fired(of) == set()
    assert len(of.follows) == len(expected)
    for sentence_words, sentence in zip(GAME.follows(of), expected, strict=True):
        assert sentence_words.en.startswith(sentence)
        assert sentence_words.ja != sentence_words.en


def test_a_side_without_a_choice_need_not_be_drawn_up() -> None:
    attack = (
        "attack = { front = { tabor = 2, hussite_foot = 1, hussite_horse = 1 }, reserve = { hussite_foot = 2 } }\n"
    )
    defence = "defence = { front = { knights = 3 }, reserve = { youth_horse = 1 } }\n"
    text = TEXTS["battle"].replace("tabor = 2, hussite_foot = 3, hussite_horse = 1", "tabor = 2, hussite_horse = 1")
    few = scenario(text.replace(attack, ""))
    assert few.battle
    assert Counter(few.battle.attack.front) == {"tabor": 2, "hussite_horse": 1}
    assert [words.ja for words in GAME.follows(few)] == ["H1：タボール×2、フス派騎兵×1は前線（ほかに選べないため）"]
    alike = scenario(text.replace("tabor = 2, hussite_horse = 1", "hussite_horse = 6").replace(attack, ""))
    assert alike.battle
    assert (len(alike.battle.attack.front), len(alike.battle.attack.reserve)) == (4, 2)
    alone = scenario(TEXTS["battle"].replace("knights = 3, youth_horse = 1", "knights = 1").replace(defence, ""))
    assert alone.battle
    assert alone.battle.defence.front == ("knights",)
    for line in (attack, defence):
        [problem] = [problem for problem in problems(TEXTS["battle"].replace(line, "")) if "is missing" in problem]
        assert f"battle: `{line.split()[0]}` is missing (for example {line.split()[0]} = {{ front = {{" in problem
    unknown = problems(
        TEXTS["siege"].replace('besieger = "H1"\n', "").replace("tabor = 2 }\nstorm", "gun = 2 }\nstorm")
    )
    assert any("siege: `besieger` is missing" in problem for problem in unknown)


def test_the_hex_of_a_battle_is_where_the_march_ends() -> None:
    text = TEXTS["battle"].replace('"D1", "E1"]', '"D1"]').replace('hex = "D1"\n', "")
    assert scenario(text).battle == scene("battle").battle
    unmet = text.replace('"C1", "D1"]', '"C1"]').replace('defender = "C1"\n', "")
    assert any("battle: `defender` is missing" in problem for problem in problems(unmet))


def test_a_map_s_name_brings_its_ground(tmp_path: Path) -> None:
    rows = re.search(r"rows = '''\n.*?'''\n", HEAD, re.S)
    assert rows
    without_rows = TEXTS["siege"].replace(rows[0], 'map = "luznice"\n').replace("places = { C3", "places = { A1")
    without_rows = without_rows.replace('hex = "C3"', 'hex = "A1"')
    of, house = scenario(without_rows), house_maps()["luznice"].ground
    assert (of.op_map.ground, of.map) == (house.ground, "luznice")
    a1 = of.op_map.field.find("A1")
    assert a1
    assert of.op_map.places == {**house.places, a1: Place("town", same("Rabi"))}
    wrong = problems(without_rows.replace("luznice", "luznize"))
    assert any(
        "map.map: there is no map named 'luznize', and `rows` is missing (did you mean luznice?)" in problem
        for problem in wrong
    )
    assert any(
        "map.map: `rows` is missing" in problem for problem in problems(without_rows.replace('map = "luznice"\n', ""))
    )
    ours = shipped_path("data") / "blind_faith" / "maps" / "luznice.toml"
    (tmp_path / "mine.toml").write_text(ours.read_text("utf-8"), "utf-8")
    origin, line = (
        Origin("blind_faith", files={"map": UserFile("mine.toml", "")}),
        without_rows.replace("luznice", "mine.toml"),
    )
    assert read(Source("x", line), origin, tmp_path).op_map == of.op_map
