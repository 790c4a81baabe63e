"""Tests for `muster fairness`, and for the options of `draw` and `kit` that search for a fair scenario."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.cli import once
from tests.cli.conftest import CODE
from tests.cli.run import contents, muster


def test_a_table(scenario: Path) -> None:
    done = muster("fairness", scenario)
    assert done.code == 0
    assert "Strength: " in done.out
    assert "moves first" in done.out
    japanese = muster("fairness", scenario, "--lang", "ja")
    assert "戦力" in japanese.out


def test_several_files_are_distinguished(scenario: Path, here: Path) -> None:
    assert muster("draw", "battlelore", "--mirror", "--seed", CODE, "-o", "even.toml").code == 0
    done = muster("fairness", scenario, here / "even.toml")
    assert f"{here / 'even.toml'}: Fairness grade A" in done.out
    rows = muster("fairness", scenario, here / "even.toml", "--json").json
    assert [row["game"] for row in rows] == ["call_to_arms", "battlelore"]
    assert (rows[1]["grade"], rows[1]["symmetric"], rows[1]["differs"]) == ("A", True, [])
    assert muster("fairness", scenario, here / "even.toml", "-o", "x.pdf").code == 2


@pytest.mark.parametrize(
    "how", [("--lang", "en"), ("--lang", "ja", "--paper", "letter"), ("--ink", "saver")], ids=" ".join
)
def test_a_page(scenario: Path, here: Path, how: tuple[str, ...]) -> None:
    done = muster("fairness", scenario, "-o", "fair.pdf", *how)
    assert (done.code, done.err) == (0, "")
    assert (here / "fair.pdf").read_bytes().startswith(b"%PDF-")


def test_a_file_changed_by_hand_is_measured_too_and_has_no_grade_where_it_is_illegal(here: Path) -> None:
    assert muster("draw", "battlelore", "--mirror", "--seed", CODE, "-o", "even.toml").code == 0
    even = here / "even.toml"
    [row] = muster("fairness", even, "--json").json
    assert (row["legal"], row["unproved"], row["grade"]) == (True, 0, "A")
    assert "legal by " in muster("fairness", even).out
    text = even.read_text("utf-8")
    even.write_text(re.sub(r'(id = "P[12]", hex = )"\w+"', r'\1"C1"', text), "utf-8")
    done = muster("fairness", even, "-o", "fair.pdf")
    assert done.code == 0
    assert "No fairness grade: the scenario is not legal" in done.out
    assert "muster check" in done.out
    assert "Strength: " in done.out
    [row] = muster("fairness", even, "--json").json
    assert (row["legal"], row["grade"], len(row["measures"])) == (False, "", 12)


def test_a_broken_file_is_reported(here: Path) -> None:
    (here / "bad.toml").write_text("x = ", "utf-8")
    assert muster("fairness", "bad.toml").code == 3


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("battlelore", ("--mirror",)),
        ("battlelore", ("--fair", "b")),
        ("call_to_arms", ("--fair", "A", "--lang", "ja")),
        ("call_to_arms", ("--mirror", "on", "--fair", "B", "--tries", "40")),
    ],
    ids=str,
)
def test_a_fair_kit_is_made_again_by_its_command(
    here: Path, monkeypatch: pytest.MonkeyPatch, game: str, options: tuple[str, ...]
) -> None:
    done = muster("kit", game, "--seed", CODE, *options, "--parts", "map,setup", "-o", "kit")
    assert (done.code, done.err) == (0, "")
    args = shlex.split(json.loads((here / "kit" / "manifest.json").read_text("utf-8"))["command"])[1:]
    monkeypatch.chdir(here / "kit")
    with once.without_cached_results():
        assert muster(*args, "-o", "../again").code == 0
    assert contents(here / "again") == contents(here / "kit")
    [row] = muster("fairness", "scenario.toml", "--json").json
    assert row["grade"] in ("A", "B")


def test_a_search_is_reported(here: Path) -> None:
    done = muster("draw", "--seed", CODE, "--fair", "B")
    assert done.code == 0
    assert "Fairness grade" in done.out
    assert "Drawn with fairness grade B; candidates rejected before it: " in done.out
    assert "Fairness" not in muster("draw", "--seed", CODE, "-o", "plain.toml").out


@pytest.mark.parametrize(
    "args",
    [
        ("--mirror", "battlelore"),
        ("battlelore", "--mirror"),
        ("--mirror", "ON", "battlelore"),
        ("--mirror=on", "battlelore"),
    ],
    ids=" ".join,
)
def test_a_mirror_needs_no_value(args: tuple[str, ...]) -> None:
    drawn = muster("draw", *args, "--seed", CODE, "--json").json
    assert (drawn["game"], drawn["wishes"]) == ("battlelore", {"mirror": "on"})


def test_the_budget_ends(here: Path) -> None:
    done = muster("draw", "--seed", CODE, "--fair", "B", "--tries", "1", "--map", "widows_wood")
    assert done.code == 4
    assert "none of the 1 candidates has grade B; reasons for rejection: " in done.err
    assert f"--seed {CODE} --tries 2" in done.err
    assert not list(here.iterdir())


def test_a_search_that_ended_goes_on_with_the_code_that_it_tells(here: Path) -> None:
    for verb in ("draw", "kit"):
        search = (verb, "--fair", "B", "--tries", "1", "--map", "widows_wood", "--json")
        ended = next(done for done in (muster(*search) for _ in range(30)) if done.code == 4)
        (problem,) = ended.json["problems"]
        (code,) = re.findall("--seed (.{5}-.{5}) --tries 2", problem["hint"])
        assert muster(*search, "--seed", code).json["problems"] == [problem]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--fair", "D"), "accepted: A, B, C"),
        (("--tries", "5"), "--tries can be used only with --fair"),
        (("--fair", "B", "--tries", "0"), "not a valid number of candidates"),
        (("--fair", "B", "--ask"), "--ask and --fair cannot be combined"),
        (("--mirror", "--ask"), "--ask and --mirror cannot be combined"),
    ],
    ids=str,
)
@pytest.mark.parametrize("verb", ["draw", "kit"])
def test_what_cannot_be_asked_for(verb: str, args: tuple[str, ...], message: str) -> None:
    done = muster(verb, *args)
    assert done.code == 2
    assert message in done.err


def test_players_who_choose_are_not_asked_between_candidates() -> None:
    done = muster("kit", "--fair", "B", "--until", "hand")
    assert (done.code, "--until and --fair" in done.err) == (2, True)


@pytest.mark.parametrize("game", ["battlelore", "battling", "call_to_arms", "travel_battle"])
def test_who_wins_depends_only_on_the_scenario(here: Path, game: str) -> None:
    muster("draw", game, "--seed", CODE, "-o", "battle.toml")
    (row,) = muster("fairness", "battle.toml", "--games", "12", "--json").json
    assert (row["games"], row["level"], len(row["sides"])) == (12, "casual", 2)
    assert sum(row["rates"]) + row["draws"] == pytest.approx(1, abs=1e-3)
    middle = row["rates"][0] + row["draws"] / 2
    assert row["interval"][0] <= middle <= row["interval"][1]
    assert muster("fairness", "battle.toml", "--games", "12", "--json").json == [row]
    japanese = muster("fairness", "battle.toml", "--games", "12", "--lang", "ja").out
    assert "12戦" in japanese and f"{round(100 * row['rates'][0])} %" in japanese


def test_who_wins_is_computed_for_a_siege_and_unknown_for_a_march(here: Path) -> None:
    for kind, games_played, level in (("siege", 0, "casual"), ("march", 0, None)):
        muster("draw", "blind_faith", "--seed", CODE, "--kind", kind, "-o", f"{kind}.toml")
        (row,) = muster("fairness", f"{kind}.toml", "--games", "200", "--json").json
        assert (row["games"], row["level"]) == (games_played, level)
        assert (row["rates"] is None) == (level is None) and row["text"]


def test_who_wins_takes_no_other_options(here: Path) -> None:
    muster("draw", "battlelore", "--seed", CODE, "-o", "battle.toml")
    for other in ("--play", "--replay=1", "-o=x.pdf"):
        assert muster("fairness", "battle.toml", "--games", "4", *other.split("=")).code == 2
