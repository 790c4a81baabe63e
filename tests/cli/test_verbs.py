"""Tests that every verb works under normal conditions, in both languages and as JSON."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli import GameVerb
from generator.cli.query import game_command
from generator.errors import WrongUsageError
from generator.localization import Lang
from tests.cli.conftest import CODE
from tests.cli.run import contents, muster, spawn

JAPANESE = pytest.mark.parametrize(("lang", "word"), [("en", "moves first"), ("ja", "先手")])


def test_help_lists_every_verb_and_the_games_options() -> None:
    verbs = muster("--help")
    assert verbs.code == 0
    assert all(verb in verbs.out for verb in ("kit", "draw", "check", "print", "sight", "verify", "data", "games"))
    options = muster("kit", "--help")
    assert options.code == 0
    assert all(option in options.out for option in ("--seed", "--map", "--banners", "--hill", "--place-pennant"))


def test_rules_are_those_that_a_check_holds(here: Path) -> None:
    muster("draw", "battling", "--seed", CODE, "-o", "duel.toml")
    (here / "duel.toml").write_text((here / "duel.toml").read_text("utf-8").replace("turns = ", "turns = 9"), "utf-8")
    (checked,) = muster("check", "duel.toml", "--json").json
    answer = muster("rules", "battling", "--json").json
    assert [row["rule"] for row in answer] == checked["rules"]
    assert [{key: row[key] for key in answer[0]} in answer for row in checked["findings"]] == [True]


@pytest.mark.parametrize(("lang", "expected"), [("en", "(house rule)"), ("ja", "（独自規定）")])
def test_rules_are_named_by_how_their_ids_begin(lang: str, expected: str) -> None:
    one, some = (muster("rules", "battling", begin, "--lang", lang).out for begin in ("squad.points", "squad"))
    assert one.splitlines()[0].startswith("squad.points ") and expected in one and one in some
    assert len(one.splitlines()) == 2 < len(some.splitlines())
    assert "did you mean squad.points?" in muster("rules", "battling", "squad.pionts").err


def test_no_verb_is_an_invitation() -> None:
    assert "Usage: muster" in muster().err


def test_version() -> None:
    assert muster("--version").out.startswith("muster, version ")


@JAPANESE
def test_kit(here: Path, lang: str, word: str) -> None:
    done = muster("kit", "--seed", CODE, "--lang", lang)
    assert (done.code, done.err) == (0, "")
    assert word in done.out
    assert sorted(contents(here / "output" / f"call_to_arms-{CODE}")) == ["kit.pdf", "manifest.json", "scenario.toml"]


def test_without_a_seed_every_draw_has_its_own_code() -> None:
    codes = {muster("draw", "--json").json["code"] for _ in range(2)}
    assert len(codes) == 2


@JAPANESE
def test_draw(here: Path, lang: str, word: str) -> None:
    done = muster("draw", "call_to_arms", "--seed", CODE.lower(), "--lang", lang, "-o", "mine.toml")
    assert done.code == 0
    assert word in done.out
    assert f'code = "{CODE}"' in (here / "mine.toml").read_text(encoding="utf-8")


def test_draw_as_json_writes_nothing(here: Path) -> None:
    assert muster("draw", "--seed", CODE, "--json").json["code"] == CODE
    assert contents(here) == {}


def test_the_locale_chooses_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    assert "先手" in muster("draw", "--seed", CODE).out


def test_check(scenario: Path) -> None:
    assert "legal by" in muster("check", scenario).out
    (row,) = muster("check", scenario, "--json").json
    assert (row["legal"], row["findings"], row["problems"]) == (True, [], [])


def test_check_says_what_is_wrong_and_by_which_rule(scenario: Path) -> None:
    text = scenario.read_text(encoding="utf-8")
    scenario.write_text(text.replace('first = "pennant"', 'first = "standard"'), encoding="utf-8")
    english, japanese = muster("check", scenario), muster("check", scenario, "--lang", "ja")
    assert (english.code, japanese.code) == (1, 1)
    assert "not legal" in english.out
    (row,) = muster("check", scenario, "--json").json
    assert row["findings"][0]["message"] in english.out
    assert row["findings"][0]["message"] not in japanese.out


def test_print_gives_the_kit_that_was_drawn(kit: Path) -> None:
    assert muster("print", kit / "scenario.toml", "-o", "again").code == 0
    assert contents(Path("again")) == contents(kit)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_print_a_scenario_changed_by_hand(scenario: Path, here: Path, lang: str) -> None:
    text = scenario.read_text(encoding="utf-8").replace("banners = 6", "banners = 7")
    scenario.write_text(text, encoding="utf-8")
    assert muster("print", scenario, "--lang", lang).code == 0
    (folder,) = (here / "output").iterdir()
    assert CODE not in folder.name
    assert muster("check", folder / "scenario.toml").code == 0


def test_sight(scenario: Path) -> None:
    line = muster("sight", scenario, "a1", "Ｈ８")
    assert (line.code, line.out.splitlines()[0].count("A1")) == (0, 1)
    assert muster("sight", scenario, "A1", "H8", "--lang", "ja").out != line.out
    assert muster("sight", scenario, "A1", "H8", "--json").json["to"] == "H8"
    every = muster("sight", scenario, "--json").json
    assert len(every) == len(muster("sight", scenario).out.splitlines()) == 104 * 103 // 2


def test_verify(kit: Path) -> None:
    assert "all files are complete and unchanged" in muster("verify", kit).out


def test_data(here: Path) -> None:
    rows = muster("data", "list", "--json").json
    kinds = {"deck", "pool", "map", "inventory", "table", "board", "army", "arena", "charts", "pack"}
    kinds |= {"brigade-campaign", "track-campaign", "map-names", "arena-names", "operational-names"}
    assert {row["kind"] for row in rows} == kinds
    names = [row["name"] for row in rows]
    assert len(set(names)) == len(names)
    for row in rows:
        for lang in ("en", "ja"):
            done = muster("data", "show", row["name"], "--lang", lang)
            assert done.code == 0 and done.out, row
        assert muster("data", "show", row["name"], "--json").json
    assert all(row["name"] in muster("data", "list", "--lang", "ja").out for row in rows)


@pytest.mark.parametrize("name", ["call_to_arms/deck", "battlelore/pool", "battlelore/inventory"])
def test_data_check(name: str) -> None:
    from generator.store.folders import shipped_path

    assert "no faults" in muster("data", "check", shipped_path("data") / f"{name}.toml").out


def test_games() -> None:
    assert "call_to_arms *" in muster("games").out
    assert [game["name"] for game in muster("games", "--json").json if game["default"]] == ["call_to_arms"]
    assert muster("games", "--lang", "ja").out != muster("games").out


def test_games_list_their_players() -> None:
    players = {game["name"]: game["players"] for game in muster("games", "--json").json}
    strong = {name: [player["id"] for player in of if player["strong"]] for name, of in players.items()}
    assert strong["battlelore"] == strong["call_to_arms"] == ["captain", "raider"]
    assert [player["id"] for player in players["battlelore"]][:3] == ["charger", "keeper", "shooter"]


def test_python_m_generator_is_muster(tmp_path: Path) -> None:
    done = spawn("games", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_board_may_be_called_like_a_game(tmp_path: Path) -> None:
    done = muster("draw", "--board", "battlelore", "--map", "random", "--json")
    assert done.json["game"] == "call_to_arms"


def test_data_check_tells_what_makes_a_poor_map(tmp_path: Path) -> None:
    path = tmp_path / "wet.toml"
    rows = "\n".join(" " * (r % 2) + " ".join("." * (12 - r % 2)) for r in reversed(range(9)))
    path.write_text(
        'name = { en = "Wet", ja = "湿" }\nprofile = "battlelore"\nrows = """\n'
        + rows.replace(".", "~", 2)
        + '\n"""\n',
        encoding="utf-8",
    )
    done = muster("data", "check", path)
    assert done.code == 0
    assert "only a remark" in done.out
    assert "D9 C9 B9 A9: this section of the baseline must have at least 3 free hexes" in done.out


def twice(text: str) -> dict[Lang, str]:
    return {"en": text, "ja": text}


def test_games_that_share_a_verb_are_asked_each_with_its_own_words(here: Path) -> None:
    verbs = {
        "travel_battle": GameVerb(twice("Tell."), twice("Tell where."), ("unit",)),
        "blind_faith": GameVerb(twice("Tell."), twice("Tell when."), ("stack", "turn")),
    }
    command = game_command("moves", verbs)
    output = CliRunner().invoke(command, ["--help"]).output
    assert "FILE UNIT|STACK [TURN]" in output and "travel_battle: Tell where." in output
    assert muster("draw", "travel_battle", "--seed", CODE, "-o", "s.toml").code == 0
    assert CliRunner().invoke(command, ["s.toml", "B1"]).exit_code == 0
    with pytest.raises(WrongUsageError, match="usage for travel_battle: muster moves FILE UNIT"):
        CliRunner().invoke(command, ["s.toml", "B1", "2"], catch_exceptions=False)


def test_the_help_lists_each_command_once_and_those_of_every_game_with_the_others() -> None:
    every_game, some_games = muster("--help").out.split("Commands of some games:")
    subjects = every_game.split("Draw and check:")[1]
    listed = re.findall(r"^  ([a-z]+)  ", subjects + some_games.split("Most used:")[0], re.M)
    assert len(listed) == len(set(listed)) >= 30
    assert "\n  moves " in every_game
    assert "\n  intercept " in some_games
