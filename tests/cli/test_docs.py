"""Tests that the documentation of JSON output and of scenario files agrees with real output."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from generator.cli import muster as root
from tests.cli.conftest import CODE, SMALL, working
from tests.cli.forms import SECTIONS, documented, leaves, paths
from tests.cli.run import muster, studio

DOCS = Path(__file__).resolve().parents[2] / "docs"
ORGANIZED = (
    "--mode",
    "organized",
    "--age",
    "lore",
    "--set-pennant",
    "A,B",
    "--specialists-pennant",
    "archers_stakes",
)
"""A game with returned levies, Specialists with choices, and stakes left on the board."""


DUEL = """
[muster]
game = "battling"
[play]
title = "Duel"
[arena]
name = "crossroads"
[first]
edge = "N"
machines = [{ hex = "0707", machine = "scopedog" }]
[second]
edge = "S"
machines = [{ hex = "0907", machine = "brutishdog" }, { hex = "0805", machine = "brutishdog" }]
"""
"""Set-up on which the examples of the rules can be played."""


OTHERS = Path(__file__).parents[1] / "imports"
"""The folder with files of other programs."""
FAITH = ("draw", "blind_faith", "--seed", CODE, "--crusade", "on", "--pack", "pack.toml")
TRAVEL = ("draw", "travel_battle", "--seed", CODE, "--army", "army.toml", "--objective")
ARENA = ("draw", "battling", "--seed", CODE, "--arena", "crossroads")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the input files of the examples. It is created once, and each example uses a copy."""
    with working(tmp_path_factory.mktemp("files")) as folder:
        Path("my.toml").write_bytes((DOCS.parent / "data" / "call_to_arms" / "deck.toml").read_bytes())
        muster("draw", "--seed", CODE)
        muster("draw", "--seed", CODE, "-o", "drawn.toml")
        muster("draw", "battlelore", "--seed", CODE, "-o", "lore.toml")
        found = ["C", CODE, "7", "3", "1408", "45.1", "55.3", "512", "51.0", "47.2", "54.8"]
        found += ["player-captain", "player-raider", "51.0"]
        certificate = f'\n[[log]]\nstep = "fair"\nstream = "v1/fair"\nresult = {json.dumps(found)}\n'
        Path("found.toml").write_text(Path("lore.toml").read_text("utf-8") + certificate, "utf-8")
        Path("scenario.toml").write_text(
            Path("scenario.toml").read_text("utf-8").replace("banners = 6", "banners = 9"), "utf-8"
        )
        Path("bad.toml").write_text("x = ", "utf-8")
        muster("data", "copy", "track-campaign", "-o", "campaign.toml")
        Path("end.toml").write_text('winner = "draw"\n', "utf-8")
        # Two reserves are sent to the same hex. The cards determine the hexes of all other units.
        Path("cards.toml").write_text(CARDS.replace('"a3"', '"a3>L9"'), "utf-8")
        Path("empty.toml").write_text("[[card]]\nname = 'x'\n", "utf-8")
        muster("data", "values", "house-inventory", "-o", "box.json")
        Path("map.toml").write_bytes((DOCS.parent / "data" / "battlelore" / "maps" / "eagle_crags.toml").read_bytes())
        Path("pack.toml").write_bytes((DOCS.parent / "data" / "blind_faith" / "pack.toml").read_bytes())
        muster(*FAITH, "--kind", "battle", "-o", "faith.toml")
        muster(*FAITH, "--kind", "siege", "--mover", "hussite", "-o", "siege.toml")
        Path("army.toml").write_bytes((DOCS.parent / "data" / "travel_battle" / "army.toml").read_bytes())
        muster(*TRAVEL, "hold", "-o", "travel.toml")
        blocks = re.findall(r"```toml\n(.*?)```", (DOCS / "formats" / "travel_scenario.md").read_text("utf-8"), re.S)[
            0
        ]
        # One unit may join another but has an enemy next to it, and the path of a second unit is blocked.
        Path("close.toml").write_text(blocks.replace('"line", at = "s9"', '"line", at = "s4"'), "utf-8")
        # An enemy is within range of a gun.
        Path("near.toml").write_text(blocks.replace('"line", at = "s9"', '"line", at = "e5"'), "utf-8")
        Path("charts.toml").write_bytes((DOCS.parent / "data" / "battling" / "machines.toml").read_bytes())
        muster(*ARENA, "-o", "arena.toml")
        Path("duel.toml").write_text(DUEL, "utf-8")
        Path("game.log").write_text(
            "[turn 1] [first]\nF / 0805\nB / 1 / 0806 / 0908\ncorrection: B / 1 / 0806 / 0907\nV / 2 / 1407\n"
            "[second]\n0907 / 4 / EX / HP3\n",
            "utf-8",
        )
        Path("next.log").write_text("[turn 1] [first]\nB / 1 / 0806 / 0907\n", "utf-8")
        Path("wait.log").write_text("[turn 1] [first]\nB / 1 / 0806 / 0907\n[second]\n0907 / 2 / EX / HP3\n", "utf-8")
        Path("idle.log").write_text("[turn 1] [first]\nD\n[turn 1] [second]\n#1: D\n", "utf-8")
        Path("results.csv").write_text("round,player_a,player_b,score_a,score_b,winner\n1,A,B,6,4,b\n", "utf-8")
        sealed = (
            "--players",
            "2",
            "--rounds",
            "2",
            "--sealed",
            "--parts",
            "map",
            "--deck",
            "my.toml",
            "-o",
            "sealed",
        )
        muster("tournament", "pack", "call_to_arms", *sealed, "-o", "sealed")
        promise = muster("tournament", "commit", "sealed", "--json").out
        Path("names.txt").write_text("A\nB\nC\n", "utf-8")
        Path("changed.json").write_text(json.dumps(json.loads(promise) | {"event": "another"}), "utf-8")
    return folder


def examples(section: str) -> list[Any]:
    """Return real outputs that together contain every field of a section."""
    user_file = Path("my.toml")
    draw = ("draw", "--deck", user_file, "--seed", CODE, "--json", "--map")
    lore = ("draw", "battlelore", "--seed", CODE, "--age", "lore", "--json", "--map")
    orders, log = ("orders", "list", "duel.toml", "F1", "--json"), ("game.log", "--scenario", "duel.toml", "--json")
    packed = ("--players", "2", "--rounds", "1", "--parts", "map", "--deck", user_file)
    listed = Path("names.csv")
    listed.write_text("name,army\nAnn,Elves\nBob,Orcs\n", "utf-8")
    if section == "printer list":
        muster("printer", "set", "office")
    commands: dict[str, list[tuple[str | Path, ...]]] = {
        "orders check": [("orders", "check", *log)],
        "orders list": [orders],
        "orders next": [("orders", "next", name, *log[1:]) for name in ("next.log", "wait.log", "idle.log")],
        "orders dice": [
            ("orders", "dice", "duel.toml", "--json"),
            ("orders", "dice", "duel.toml", "--seal", "S1 0907", "--json"),
            ("orders", "dice", "duel.toml", "--roll", "1a", "2b", "F / 0805", "--json"),
        ],
        "replay": [("replay", *log, "-o", "replay")],
        "Errors": [("sight", "bad.toml", "--json"), ("kit", "-o", "bad.toml/kit", "--json")],
        "draw": [(*draw, "eagle_crags"), (*draw, "harrow_plain"), (*draw, "harrow_plain", *ORGANIZED)],
        "draw battlelore": [(*lore, "eagle_crags"), (*lore, "harrow_plain"), (*lore, "map.toml")],
        "draw -o": [("draw", "--seed", CODE, "--json", "-o", "battle.json")],
        "draw --count": [(*FAITH, "--kind", "march", "--count", "2", "--json")],
        "draw blind_faith": [(*FAITH, "--kind", kind, "--json") for kind in ("march", "battle", "siege")],
        "draw travel_battle": [(*TRAVEL, kind, "--json") for kind in ("hold", "protect")],
        "draw battling": [(*ARENA, "--charts", "charts.toml", "--json")],
        "intercept": [("intercept", "faith.toml", "--json")],
        "check": [
            ("check", "scenario.toml", "cards.toml", "bad.toml", "found.toml", "--json"),
            ("check", "arena.toml", "drawn.toml", "--prove", "--json"),
        ],
        "rules": [("rules", "--json")],
        "import": [
            ("import", OTHERS / "hills.tmx", "--json"),
            ("import", OTHERS / "form.csv", "--json"),
            ("import", OTHERS / "wiki.html", "--json"),
            ("import", OTHERS / "open.trf", "--json"),
        ],
        "rulings": [("rulings", "drawn.toml", "--json")],
        "fairness": [("fairness", "drawn.toml", "faith.toml", "found.toml", "--json")],
        "fairness --games": [("fairness", "arena.toml", "--games", "4", "--json")],
        "fairness --replay": [("fairness", "arena.toml", "--replay", "3-4", "--json")],
        "play": [("play", "arena.toml", "--seed", CODE, "--json"), ("play", "drawn.toml", "--game", "0", "--json")],
        "carry": [("carry", "campaign.toml", "drawn.toml", "end.toml", "--json")],
        "odds": [("odds", "lore.toml", "--json")],
        "odds blind_faith": [("odds", "faith.toml", "--json"), ("odds", "siege.toml", "--json")],
        "odds battling": [("odds", "duel.toml", "--json")],
        "odds travel_battle": [("odds", name, "--json") for name in ("travel.toml", "close.toml", "near.toml")],
        "sight": [("sight", "drawn.toml", pair, "B3", "--json") for pair in ("B1", "H8")],
        "moves": [("moves", name, "P1", "--json") for name in ("drawn.toml", "lore.toml")],
        "moves battling": [("moves", "duel.toml", "F1", "--json")],
        "moves blind_faith": [("moves", "faith.toml", "H1", "--json")],
        "moves travel_battle": [("moves", "close.toml", unit, "--json") for unit in ("B3c", "B3d")],
        "edit": [("edit", "scenario.toml", "--json"), ("edit", "map.toml", "A1=~", "--swatches", "--json")],
        "sight travel_battle": [("sight", "travel.toml", "--json")],
        "sight battling": [("sight", "arena.toml", "0707", end, "--json") for end in ("0609", "0907")],
        "kit": [("kit", "--seed", CODE, "--deck", user_file, "-o", "kit", "--json")],
        "print": [("print", "scenario.toml", "--parts", "cover", "-o", "kit", "--json")],
        "cards, tokens, boards, reference, sheets, campaign": [("sheets", "battling", "--json")],
        "orders play": [("orders", "play", "duel.toml", "--json")],
        "printer calibrate": [("printer", "calibrate", "--json")],
        "printer set, printer show, printer remove": [("printer", "set", "office", "--dx", "1", "--json")],
        "printer list": [("printer", "list", "--json")],
        "completion": [("completion", "bash", "--json")],
        "data show": [("data", "show", "weapons", "--json")],
        "tournament pack": [
            ("tournament", "pack", "--players", listed, *packed[2:], "-o", "open", "--json"),
        ],
        "tournament status, tournament new, tournament join, tournament drop, tournament pair": [
            ("tournament", "new", "call_to_arms", "--players", "names.txt", "-o", "cup", "--json"),
            ("tournament", "pair", "cup", "--json"),
            ("tournament", "status", "cup", "--json"),
        ],
        "tournament commit": [("tournament", "commit", "sealed", "--json")],
        "tournament reveal": [("tournament", "reveal", "changed.json", "sealed/round-1", "--json")],
        "gallery": [("gallery", "blind_faith", "--dpi", "48", "--json")],
        "preflight": [("preflight", "bad.toml", "--json")],
        "selftest": [("selftest", "--count", "1", "--json")],
        "data list": [("data", "list", "--json")],
        "data templates": [("data", "templates", "--json")],
        "data schema": [("data", "schema", "--json")],
        "data copy": [("data", "copy", "house-deck", "--json")],
        "data values": [("data", "values", "house-deck", "--json")],
        "data write": [("data", "write", "box.json", "--json")],
        "data check": [("data", "check", "empty.toml", "--json")],
        "games": [("games", "--json")],
        "games GAME": [("games", "call_to_arms", "--json")],
    }
    if section == "fairness --play":
        # These options are the same as in test_play.py, so that both modules share the games of the trial.
        assert muster("draw", "battling", "--seed", CODE, *SMALL, "-o", "small.toml").code == 0
        (row,) = muster("fairness", "small.toml", "--play", "--jobs", "1", "--json").json
        return [[{"played": row["played"]}]]
    if section in commands:
        return [muster(*command).json for command in commands[section]]
    if section in ("tournament results", "tournament standings", "tournament rename"):
        return event_json(section.split()[1])
    if section == "tournament day":
        muster("tournament", "pack", *packed, "-o", "open")
        return [muster("tournament", "day", "open", "--json").json]
    if section == "studio":
        with studio() as started:
            return [started]
    if section == "opening.json":
        return [json.loads(Path("sealed/round-1/opening.json").read_text("utf-8"))]
    assert muster("kit", "--seed", CODE, "--deck", user_file, "-o", "kit").code == 0
    if section == "manifest.json":
        return [json.loads(Path("kit/manifest.json").read_text("utf-8"))]
    Path("kit/kit.pdf").unlink()
    Path("kit/notes.txt").touch()
    muster("tournament", "pack", *packed, "-o", "open")
    Path("open/round-1/results.csv").write_bytes(Path("results.csv").read_bytes())
    folders = (("kit", "--deep"), ("open",), ("open/round-1",))
    return [muster("verify", *folder, "--json").json for folder in folders]


def event_json(verb: str) -> list[Any]:
    """Return the JSON output of a verb for an event that contains every kind of result and correction."""
    names = ["Ann", "Ben", "Cho", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida"]
    Path("nine.txt").write_text("\n".join(names), "utf-8")
    for args in (("new", "battling", "--players", "nine.txt", "-o", "nine"), ("pair", "nine"), ("pack", "nine")):
        assert muster("tournament", *args).code == 0
    file = Path("nine/round-1/results.csv")
    head, *rows = (line.split(",") for line in file.read_text("utf-8-sig").splitlines())
    for row in rows[:6]:
        row[7:11] = ["2", "1", "0", "0"]
    typed_in(file, head, rows)
    assert muster("tournament", "results", "nine").code == 0
    rows[0][7], rows[1][7:11] = "1", [""] * 4
    rows[6][7:11] = ["1", "1", "0", "0"]
    del rows[-1], rows[7], rows[4:6]
    typed_in(file, [*head, "notes"], [[*row, "late"] for row in rows])
    if verb == "standings":
        both = ("nine", "results.csv")
        return [muster("tournament", "standings", of, "--json").json for of in both]
    if verb == "rename":
        return [muster("tournament", "rename", "nine", "Ann", "Anne", "--json").json, *renamed_before_play()]
    rows[2][3] += "x"
    typed_in(file, [*head, "notes"], [[*row, "late"] for row in rows])
    return [muster("tournament", "results", "nine", "--json").json]


def renamed_before_play() -> list[Any]:
    for args in (("new", "battling", "--players", "nine.txt", "-o", "other"), ("pair", "other"), ("pack", "other")):
        assert muster("tournament", *args).code == 0
    return [muster("tournament", "rename", "other", "Ann", "Anne", "--json").json]


def typed_in(file: Path, head: list[str], rows: list[list[str]]) -> None:
    file.write_text("\n".join(",".join(row) for row in (head, *rows)), "utf-8")


SCENARIO = (DOCS / "formats" / "scenario.md").read_text("utf-8")
BLOCK = r"```toml\n(.*?)```"
WHOLE, CARDS, LORE = re.findall(BLOCK, SCENARIO, re.S)
"""A file with every unit, a file in which the units follow from the cards, and a file of BattleLore."""


@pytest.mark.usefixtures("found_once")
@pytest.mark.parametrize("section", SECTIONS)
def test_the_fields_are_those_of_real_output(here: Path, files: Path, section: str) -> None:
    shutil.copytree(files, here, dirs_exist_ok=True)
    fields = documented(section)
    seen: set[str] = set()
    for example in examples(section):
        seen |= paths(example, fields)
    seen = {re.sub(r"\.reserves\[\]\.\w+", ".reserves[]", path) for path in seen}
    leaves = {f for f in fields if not any(o.startswith((f"{f}.", f"{f}[")) for o in fields)}
    findings, again = {"findings[]"}, {"rounds[].again[]"}
    differences = {field for field in leaves if section == "selftest" and "differences[]" in field}
    # The examples contain no conflicting sources and no changed side or team. tests/cli/test_results.py tests these
    # fields.
    unusual = {field for field in leaves if "superseded[]" in field or "unread_cells[]" in field}
    optional = {
        "kit": findings,
        "check": {"[].findings[].lawful[]", "[].notes[]"},
        "draw -o": findings,
        "tournament pack": again | {"frozen[]", "restored[]", "copies[]"},
        "tournament results": unusual,
        "manifest.json": {"fonts[]"},
        "tournament standings": unusual | {"taken.problems[]"},
        "fairness --play": {"[].played.left_out[]", "[].played.refused[]"},
    }.get(section, differences)
    assert seen - leaves == set()
    assert leaves - seen <= optional


LEAVES = leaves(root)


@pytest.mark.parametrize("verb", LEAVES)
def test_every_verb_takes_lang_and_json_and_its_form_is_documented(verb: str) -> None:
    options = {name for option in LEAVES[verb].params for name in option.opts}
    assert {"--lang", "--json"} <= options
    assert verb in {word for section in SECTIONS for word in section.split(", ")}


@pytest.mark.parametrize("section", SECTIONS)
def test_the_examples_are_json_and_have_documented_fields(section: str) -> None:
    fields = documented(section)
    (example,) = re.findall(r"```json\n(.*?)```", SECTIONS[section], re.S)
    assert paths(json.loads(example), fields) <= fields | {"forces[].reserves"}


@pytest.fixture
def typed_file(here: Path) -> Path:
    """Write the documentation's example of a user's file and return its path."""
    path = here / "typed.toml"
    path.write_text(WHOLE, "utf-8")
    return path


def test_the_file_of_battlelore_is_legal_and_the_same_in_both_languages(here: Path) -> None:
    (here / "lore.toml").write_text(LORE, "utf-8")
    (answer,) = muster("check", "lore.toml", "--json").json
    assert (answer["legal"], answer["findings"]) == (True, [])
    assert LORE in (DOCS / "formats" / "scenario.ja.md").read_text("utf-8")


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_units_of_a_file_follow_from_its_cards(here: Path, lang: str) -> None:
    """The second example gets its units from the cards. The kit's scenario file lists these units."""
    (here / "cards.toml").write_text(CARDS, "utf-8")
    checked = muster("check", "cards.toml", "--lang", lang)
    assert (checked.code, "P10" in checked.out, "G1" in checked.out, "✗" in checked.out) == (0, True, True, False)
    assert muster("print", "cards.toml", "-o", "kit", "--lang", lang).code == 0
    assert (here / "kit" / "scenario.toml").read_text("utf-8").count("hex = ") == 30
    done = muster("check", "kit/scenario.toml")
    assert (done.code, "P10" in done.out) == (0, False)


def test_the_scenario_in_the_document_is_legal_but_for_its_evidence(typed_file: Path) -> None:
    done = muster("check", typed_file)
    assert (done.code, "rules as far as it can be proved" in done.out) == (0, True)
    assert muster("check", typed_file, "--strict").code == 1


def test_the_evidence_in_the_document_proves_it(typed_file: Path) -> None:
    for camp in ("pennant", "standard"):
        table = typed_file.read_text("utf-8").partition(f"[{camp}]")[2]
        cards = re.findall(r'^(?:left|centre|right|reserve) = "(..)"', table, re.M)[:4]
        with typed_file.open("a", encoding="utf-8") as file:
            file.write(f'\n[[log]]\nstep = "hand"\nwho = "{camp}"\nresult = {json.dumps(cards)}\n')
    assert muster("check", typed_file, "--strict").code == 0


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_scenario_in_the_document_prints(typed_file: Path, lang: str) -> None:
    assert muster("print", typed_file, "-o", "kit", "--lang", lang).code == 0
    assert muster("verify", "kit").code == 0
    assert muster("check", "kit/scenario.toml").out.replace("kit/scenario", "x") == muster(
        "check", typed_file
    ).out.replace(str(typed_file.with_suffix("")), "x")


def test_a_users_deck_works_with_a_typed_scenario(typed_file: Path, here: Path) -> None:
    (block,) = re.findall(r"```text\n(\[muster\.files\].*?)```", SCENARIO, re.S)
    typed_file.write_text(typed_file.read_text("utf-8").replace("[play]", f"{block}\n[play]"), "utf-8")
    assert "my_deck.toml" in muster("check", typed_file).err
    (here / "my_deck.toml").write_bytes((DOCS.parent / "data" / "call_to_arms" / "deck.toml").read_bytes())
    assert muster("check", typed_file).code == 0
    assert muster("print", typed_file, "-o", "kit").code == 0
    assert (here / "kit" / "my_deck.toml").is_file()


def test_every_key_of_a_drawn_file_is_documented(here: Path) -> None:
    (here / "my.toml").write_bytes((DOCS.parent / "data" / "call_to_arms" / "deck.toml").read_bytes())
    muster("draw", "--seed", CODE, "--map", "eagle_crags", "--deck", "my.toml")
    text = re.sub(r"\[rulings\].*?\n\n", "", (here / "scenario.toml").read_text("utf-8"), flags=re.S)
    keys = set(re.findall(r"^(\w+) = ", text, re.M)) | set(re.findall(r"[{,] (\w+) = ", text))
    board_and_free = {"deck", "map", "ja", "en", "name", "sha256"}
    unknown = {
        key for key in keys - board_and_free if f"`{key}`" not in SCENARIO and not re.fullmatch("[A-M][0-9]", key)
    }
    assert unknown == set()
