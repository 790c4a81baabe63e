"""Tests that a sixth game, Tablut, needs only three folders to work from code to paper and in tournaments."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.errors import DataError
from generator.symbols.theme import theme
from tests.cli.run import spawn
from tests.playthroughs import commands
from tests.sixth import FOLDERS, HERE, PLAYED, ROOT, Terminal, planted

CODE = "K7Q2M-9FHN5"
DOC = (ROOT / "docs" / "add_a_game.md").read_text("utf-8")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return planted(tmp_path_factory.mktemp("tree"))


@pytest.fixture(scope="module")
def at(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    """Yield a terminal in a folder with a scenario of Tablut."""
    with Terminal(tree, tmp_path_factory.mktemp("here")) as terminal:
        assert terminal.muster("draw", "tablut", "--seed", CODE, "-o", "s.toml").code == 0
        yield terminal


def test_no_file_outside_its_folders_names_it() -> None:
    shipped = [p for name in FOLDERS for p in (ROOT / name).rglob("*") if p.suffix in (".py", ".toml", ".xml")]
    assert not [p for p in shipped if re.search("tablut|muscovite|konakis", p.read_text("utf-8"), re.IGNORECASE)]


def test_it_imports_no_other_game_and_nothing_above_the_games() -> None:
    for path in (HERE / "generator").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                _, room, *rest = [*str(node.module).split("."), ""]
                assert room not in ("press", "cli", "tournament"), path
                assert room != "games" or rest[0] == "tablut", path


def test_it_is_listed(at: Terminal) -> None:
    assert "tablut  Tablut: " in at.muster("games").out
    output = at.muster("--help").out
    assert re.search(r"reach +Show how soon the king can escape \(tablut\)", output)
    assert "opening" in at.muster("data", "list").out
    assert ". . . A A A . . ." in at.muster("data", "show", "opening").out
    assert "tablut/cover.xml" in at.muster("data", "templates", "tablut").out


def test_the_shell_completes_its_verb_and_its_name(tree: Path) -> None:
    for line, word in (("muster rea", "reach"), ("muster kit tab", "tablut"), ("muster reach s.toml --js", "--json")):
        variables = {"_MUSTER_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
        done = spawn(cwd=tree, **variables)
        assert f"plain,{word}" in done.stdout.splitlines(), done.stderr


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_from_code_to_paper(at: Terminal, lang: str) -> None:
    parts = "cover,map,records,reference,tokens,board"
    done = at.muster("kit", "tablut", "--seed", CODE, "--lang", lang, "--parts", parts, "-o", f"kit-{lang}")
    assert done.code == 0, done.err
    assert at.muster("verify", f"kit-{lang}").code == 0
    assert at.muster("preflight", at.folder / f"kit-{lang}" / "kit.pdf").code == 0
    assert at.muster("check", f"kit-{lang}/scenario.toml", "--json").json[0]["findings"] == []
    again = at.muster("print", f"kit-{lang}/scenario.toml", "--lang", lang, "--parts", parts, "-o", f"again-{lang}")
    assert again.code == 0, again.err
    one, two = (at.folder / folder / "kit.pdf" for folder in (f"kit-{lang}", f"again-{lang}"))
    assert at.muster("preflight", two).code == 0 and one.stat().st_size > 20_000


def test_its_counters_reach_the_process_where_users_templates_are_printed(at: Terminal, tree: Path) -> None:
    user_folder = at.folder / "mine"
    at.muster("data", "templates", "tablut", "--only", "map", "-o", user_folder)
    made = ("kit", "tablut", "--seed", CODE, "--parts", "map,tokens")
    assert at.muster(*made, "--ink", "saver", "-o", "plain").code == 0
    done = at.muster(*made, "--ink", "saver", "--templates", user_folder, "-o", "jailed")
    assert done.code == 0, done.err
    plain, jailed = ((at.folder / folder / "kit.pdf").read_bytes() for folder in ("plain", "jailed"))
    assert plain == jailed


def test_its_file_reads_back_as_it_was_written(at: Terminal) -> None:
    first = at.muster("draw", "tablut", "--seed", CODE, "--moves", "20", "--json")
    at.muster("draw", "tablut", "--seed", CODE, "--moves", "20", "-o", "long.toml")
    assert first.code == 0 and len(first.json["log"]) == 20
    assert at.muster("check", "long.toml").code == 0
    assert at.muster("draw", "tablut", "--seed", CODE, "--moves", "21").code == 2


MUTATIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "men.count": ((". . . . . .", "A D K . . ."),),
    "men.castle": ((r"A A D \. K", "A A D K D"),),
    "king.playing": (("K ", ". "),),
    "log.moves": ((r'"a3"', '"b4"'),),
    "log.position": (("mover = .*", 'mover = "defenders"'), (r"D(?= \. \.)", ".")),
}
"""Changes to a legal file that break each rule."""


@pytest.mark.parametrize("rule", MUTATIONS)
def test_each_rule_finds_what_breaks_it(at: Terminal, rule: str) -> None:
    assert {f'id = "{known}"' for known in MUTATIONS} == set(
        re.findall('id = ".*"', (HERE / "data/tablut/rules.toml").read_text("utf-8"))
    )
    text = (at.folder / "s.toml").read_text("utf-8")
    for old, new in MUTATIONS[rule]:
        broken = re.sub(old, new, text, count=1)
        assert broken != text, old
        (at.folder / "broken.toml").write_text(broken, "utf-8")
        done = at.muster("check", "broken.toml", "--json")
        assert done.code == 1
        assert rule in [finding["rule"] for finding in done.json[0]["findings"]]


def test_unreadable_files_are_reported_with_their_line(at: Terminal) -> None:
    text = (at.folder / "s.toml").read_text("utf-8")
    (at.folder / "unread.toml").write_text(text.replace("K", "Q"), "utf-8")
    done = at.muster("check", "unread.toml")
    assert done.code == 3 and re.search(r"unread.toml:\d+: .*'Q' on e5; accepted: A D K \.", done.err), done.err


def test_a_position_without_a_log_is_not_proved(at: Terminal) -> None:
    text = (at.folder / "s.toml").read_text("utf-8")
    (at.folder / "hand.toml").write_text(text[: text.index("[[log]]")], "utf-8")
    done = at.muster("check", "hand.toml", "--json")
    assert done.code == 0
    assert [(f["rule"], f["level"]) for f in done.json[0]["findings"]] == [("log.position", "unproved")]


def test_its_verbs_answer(at: Terminal) -> None:
    rows = at.muster("moves", "s.toml", "e5", "--json").json
    assert {row["from"] for row in rows} == {"e5"} and all(not row["takes"] for row in rows)
    assert "王は2手で端に着く" in at.muster("reach", "s.toml", "--lang", "ja").out
    assert {row["square"]: row["moves"] for row in at.muster("reach", "s.toml", "--json").json}["e5"] == 0
    for verb in (("moves", "s.toml", "e5"), ("reach", "s.toml")):
        done = at.muster(*verb, "-o", f"{verb[0]}.pdf", "--lang", "ja")
        assert done.code == 0, done.err
        assert at.muster("preflight", f"{verb[0]}.pdf").code == 0
    output = at.muster("moves", "--help").out
    assert "UNIT|SQUARE" in output and "tablut: " in output and "travel_battle: " in output


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("moves", "s.toml", "a1"), "nobody stands on 'a1' (men stand on "),
        (("moves", "s.toml"), "Missing argument 'UNIT|SQUARE'"),
        (("sight", "s.toml"), "tablut has no lines of sight (games that support this: "),
        (("reach", "other.toml"), "battlelore has no reach (games that support this: tablut)"),
        (("intercept", "s.toml"), "tablut has no intercept (games that support this: blind_faith)"),
        (("cards", "tablut"), "tablut has no cards to print (games that support this: "),
        (("campaign", "tablut"), "tablut has no campaign to print (games that support this: travel_battle)"),
        (
            ("orders", "list", "s.toml", "e5"),
            "tablut does not support logs of orders (games that support this: battling)",
        ),
        (("rulings", "s.toml"), "tablut has no rulings (games that support this: battlelore, battling, "),
        (("reech", "s.toml"), "there is no command named 'reech'; did you mean reach?"),
    ],
)
def test_missing_features_are_reported(at: Terminal, words: tuple[str, ...], expected: str) -> None:
    at.muster("draw", "battlelore", "--seed", CODE, "-o", "other.toml", "--force")
    done = at.muster(*words)
    assert done.code == 2 and expected in " ".join(done.err.split()), done.err


@pytest.mark.parametrize("verb", ["reference", "sheets", "tokens", "boards"])
def test_it_prints_without_a_scenario(at: Terminal, verb: str) -> None:
    for lang in ("en", "ja"):
        done = at.muster(verb, "tablut", "--lang", lang, "-o", f"{verb}-{lang}.pdf")
        assert done.code == 0, done.err
        assert at.muster("preflight", f"{verb}-{lang}.pdf").code == 0


def test_it_is_measured_and_a_fair_one_is_found(at: Terminal) -> None:
    assert {row["id"] for row in at.muster("fairness", "s.toml", "--json").json[0]["measures"]} == {"lost", "ways"}
    done = at.muster("draw", "tablut", "--seed", CODE, "--fair", "B", "-o", "fair.toml")
    assert done.code == 0, done.err
    assert at.muster("draw", "tablut", "--fair", "A").code == 2


def test_it_has_tournaments_seats_and_a_place_in_the_gallery(at: Terminal) -> None:
    done = at.muster("tournament", "pack", "tablut", "--players", "4", "--rounds", "1", "--seed", CODE, "-o", "cup")
    assert done.code == 0, done.err
    assert (at.folder / "cup" / "round-1" / "organiser-1.pdf").is_file()
    for seat in ("attackers", "defenders"):
        done = at.muster("kit", "tablut", "--seed", CODE, "--parts", "map", "--seat", seat, "-o", seat)
        assert done.code == 0, done.err
    one, two = ((at.folder / seat / "kit.pdf").read_bytes() for seat in ("attackers", "defenders"))
    assert one != two


def test_it_is_played_as_before(at: Terminal) -> None:
    with Terminal(ROOT, at.folder) as nowhere:
        assert nowhere.muster("draw", "tablut").code == 2
    text = PLAYED.read_text("utf-8")
    assert at.replayed(commands(text)) == text.splitlines()


FENCED = re.compile(r"^`(\S+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_walk_through_says_what_stands_in_the_files() -> None:
    quoted = FENCED.findall(DOC)
    assert len(quoted) == DOC.count("```") // 2 - 1, "every block but that of commands names its file"
    for name, block in quoted:
        text = (HERE / name).read_text("utf-8")
        for piece in block.strip("\n").split("\n…\n"):
            assert piece.strip("\n") in text, f"{name}:\n{piece}"
    files = [p for name in FOLDERS for p in (HERE / name).rglob("*.*") if "__pycache__" not in p.parts]
    assert not [p.name for p in files if not re.search(rf"[`/]{re.escape(p.name)}`", DOC)], "not told of"


def test_the_commands_of_the_walk_through_work(at: Terminal) -> None:
    (block,) = re.findall(r"^```\n(muster .*?)^```$", DOC, re.MULTILINE | re.DOTALL)
    user_input = block.splitlines()
    assert len(user_input) > 5
    for command in user_input:
        done = at.muster(*command.split()[1:])
        assert done.code == 0, f"{command}: {done.err}"


def test_two_looks_of_one_name_are_refused(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "twice" / "x").mkdir(parents=True)
    (tree / "twice" / "theme.toml").write_text((tree / "data" / "theme.toml").read_text("utf-8"), "utf-8")
    (tree / "twice" / "x" / "theme.toml").write_text('[symbol]\nlevy = "pitchfork"\n', "utf-8")
    monkeypatch.setattr("generator.symbols.theme.shipped_path", lambda name: tree / "twice")
    with pytest.raises(DataError, match=r"symbol\.levy already exists"):
        theme.__wrapped__()
