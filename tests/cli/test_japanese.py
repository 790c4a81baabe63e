"""Tests that the help of every verb and each kind of error appear in Japanese."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import click
import pytest

from generator import games
from generator.cli import muster as command
from generator.cli.help import group_of, option_help, texts, verb_text
from generator.localization import LANGS, LocalizedStr, display_width
from tests.cli.run import muster, spawn

CODE = "K7Q2M-9FHN5"
DRAWN = ("--seed", CODE, "--lang", "ja")


def english(text: str) -> list[str]:
    """Return runs of three or more English words, ignoring names, options, paths and quoted text."""
    text = re.sub("Call to Arms|Blind Faith|Travel Battle", "T", text)
    text = re.sub(r"`[^`]*`|「[^」]*」|'[^']*'|\"[^\"]*\"", "Q", text)
    text = re.sub(r"\bmuster( [a-z_]+)*", "M", text)
    text = re.sub(r"--?[a-z][\w-]*( [A-Z\[][^\sぁ-ん]*)?", "O", text)
    return re.findall(r"(?:[A-Za-z][a-z']+[,:;]? ){2,}[A-Za-z][a-z']+", text)


def commands(of: click.Command, ctx: click.Context) -> Iterator[tuple[str, click.Command, click.Context]]:
    """Yield the words of every command, with the command and its Click context."""
    yield " ".join(ctx.command_path.split()[1:]), of, ctx
    if isinstance(of, click.Group):
        for name in of.list_commands(ctx):
            below = of.get_command(ctx, name)
            assert below
            yield from commands(below, click.Context(below, info_name=name, parent=ctx))


EVERY: list[tuple[str, click.Command, click.Context]] = list(
    commands(command, click.Context(command, info_name="muster"))
)


def test_the_rule_finds_an_english_sentence() -> None:
    assert english("使い方：muster kit [オプション] `no such thing here` --lang ja 「this is quoted so」") == []
    assert english("誤り：no such file or folder") == ["no such file or folder"]


@pytest.mark.parametrize("words", [words for words, *_ in EVERY])
def test_help_is_japanese(words: str) -> None:
    done = muster(*words.split(), "--help", "--lang", "ja")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("使い方：muster")
    assert english(done.out) == []


def shape(text: str) -> list[list[str]]:
    """Return the first column of each table in a help text. These words are the same in every language."""
    sections = re.split(r"\n\n(?=\S[^\n]*[:：]\n)", text)
    rows = [re.findall(r"^  (\S+(?: \S+)*?)(?=  |$)", section, re.M) for section in sections[1:]]
    return [[one for one in of if re.match(r"-|[a-z_]+$", one)] for of in rows]


def written(text: str) -> None:
    """Check that lines have at most 80 columns and contain no escaped line breaks."""
    assert not re.search(r"\\[nt]", text)
    assert [line for line in text.splitlines() if display_width(line) > 80] == []


@pytest.mark.parametrize("words", [*(words for words, *_ in EVERY), *(f"kit {name}" for name in games.names())])
def test_help_has_the_same_shape_in_both_languages(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    en, ja = (muster(*words.split(), "--help", "--lang", lang).out for lang in LANGS)
    written(en)
    written(ja)
    assert shape(en) == shape(ja)
    assert any(term.endswith("--help") for term in shape(en)[-1])


GROUPS = [words for words, of, _ in EVERY if isinstance(of, click.Group)]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("words", GROUPS)
def test_a_group_without_a_command_prints_its_help(words: str, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    help_of = muster(*words.split(), "--help", "--lang", lang).out
    for arguments in ([*words.split(), "--lang", lang], ["--lang", lang, *words.split()]):
        done = muster(*arguments)
        assert (done.code, done.out, done.err) == (2, "", help_of)
    monkeypatch.setenv("LC_ALL", {"en": "C.UTF-8", "ja": "ja_JP.UTF-8"}[lang])
    done = muster(*words.split())
    assert (done.code, done.out, done.err) == (2, "", help_of)


NEEDING = [words for words, of, _ in EVERY if any(param.required for param in of.params)]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("words", NEEDING)
def test_a_missing_argument_is_reported_in_a_line(words: str, lang: str) -> None:
    done = muster(*words.split(), "--lang", lang)
    assert done.code == 2
    assert not re.search(r"\\[nt]", done.err)
    as_json = muster(*words.split(), "--lang", lang, "--json")
    assert as_json.code == 2 and "\n" not in as_json.json["problems"][0]["message"]


@pytest.mark.parametrize("game", games.names())
def test_help_for_each_game_is_japanese_in_groups_and_begins_with_a_dozen(game: str) -> None:
    output = muster("kit", game, "--help", "--lang", "ja").out
    assert english(output) == []
    of = re.split(r"\n\n(?=\S+：\n)", output)
    first = next(part for part in of if part.startswith("よく使うもの："))
    count = len(re.findall("^  -", first, re.M))
    assert 5 < count <= 12, "give a new option a group other than common (data/help.toml, or wishes.toml of the game)"
    for heading in ("プレイ", "裁定", "印刷", "ファイルと出力"):
        assert any(part.startswith(heading) for part in of), heading


def test_every_verb_and_option_has_help_and_no_help_is_unused() -> None:
    shared, used, found = {**texts("help")["option"], **texts("verbs")["option"]}, set(), set()
    for words, of, ctx in EVERY:
        row = verb_text(ctx)
        found |= {words} if words in texts("verbs")["told"] else set()
        if not row:
            # Only the commands of some games have their help elsewhere.
            assert isinstance(of.help, LocalizedStr), f"add [verb.{words}] to data/help.toml"
        row_options = row.get("option", {})
        assert row_options.keys() <= {param.name for param in of.get_params(ctx)}, words
        for param in of.get_params(ctx):
            if isinstance(param, click.Option) and not param.hidden:
                key = "help" if "--help" in param.opts else str(param.name)
                used.add(key)
                option = hasattr(param.type, "option") or isinstance(param.help, LocalizedStr)
                assert option or key in row_options or key in shared, (
                    f"{words}: add {key} to [option] of data/help.toml"
                )
                assert group_of(param) in texts("verbs")["group"], f"{words} --{key}"
                assert option_help(ctx, param, "ja") != option_help(ctx, param, "en"), f"{words} --{key}"
    assert shared.keys() - used == set()
    assert texts("verbs")["told"].keys() == found
    assert texts("help")["verb"].keys() - {words for words, *_ in EVERY} == set()


def test_the_verbs_in_a_line_need_no_more_than_their_own_file() -> None:
    program = "from generator.cli.help import texts, help_page; import click; from generator.cli import muster as of"
    program += "; help_page(click.Context(of, info_name='muster')); print(texts.cache_info().currsize)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"


def test_metavars_say_what_is_meant() -> None:
    output = muster("kit", "battling", "--help").out
    assert "--columns N " in output and "--charts FILE" in output and "--arena NAME|FILE" in output
    assert "8 to 60; default: 14" in re.sub(r"\s+", " ", output)


def test_the_whole_helps_in_a_japanese_locale(tmp_path: Path) -> None:
    done = spawn("--help", cwd=tmp_path, LC_ALL="ja_JP.UTF-8")
    assert done.stdout.startswith("使い方：muster [オプション] コマンド")
    assert spawn("--help", cwd=tmp_path, LC_ALL="C").stdout.startswith("Usage: muster [OPTIONS] COMMAND")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with faulty files."""
    monkeypatch.chdir(tmp_path)
    assert muster("draw", "--seed", CODE, "-o", "good.toml").code == 0
    assert muster("draw", "battling", "--seed", CODE, "-o", "arena.toml").code == 0
    good = (tmp_path / "good.toml").read_text("utf-8")
    (tmp_path / "syntax.toml").write_text("[muster\ngame = 1\n", "utf-8")
    (tmp_path / "quote.toml").write_text('[muster]\ngame = "call\n', "utf-8")
    (tmp_path / "type.toml").write_text(re.sub(r"banners = \d", 'banners = "six"', good, count=1), "utf-8")
    (tmp_path / "key.toml").write_text(good.replace("banners =", "baners =", 1), "utf-8")
    (tmp_path / "name.toml").write_text(re.sub(r'hex = "\w+"', 'hex = "Z99"', good, count=1), "utf-8")
    (tmp_path / "game.toml").write_text('[muster]\ngame = "chess"\n', "utf-8")
    (tmp_path / "deck.toml").write_text('[[card]]\nkey = "A9"\n', "utf-8")
    (tmp_path / "latin.toml").write_bytes(b"\xe9\xff")
    (tmp_path / "game.txt").write_text("1ターン目\nA1：飛ぶ\n", "utf-8")
    (tmp_path / "pairs.csv").write_text("round,player_a,player_b\n1,Ann,Ann\n", "utf-8")
    (tmp_path / "lacks.csv").write_text("runde,a\n1,Ann\n", "utf-8")
    (tmp_path / "no.pdf").write_bytes(b"no pdf at all")
    (tmp_path / "sheets" / "base").mkdir(parents=True)
    (tmp_path / "sheets" / "base" / "cover.xml").write_text("<sheet><p>{{ nothing.here }}</p>", "utf-8")
    (tmp_path / "broken" / "base").mkdir(parents=True)
    (tmp_path / "broken" / "base" / "cover.xml").write_text("<sheet>{% if %}</sheet>", "utf-8")
    (tmp_path / "tags" / "base").mkdir(parents=True)
    (tmp_path / "tags" / "base" / "cover.xml").write_text("<sheet><blink>x</blink></sheet>", "utf-8")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "scenario.toml").write_text("mine", "utf-8")
    return tmp_path


USAGE = [
    ("kit", "--frobnicate"),
    ("kit", "--mode", "chess"),
    ("kit", "battling", "--mode", "organized"),
    ("kit", "chess"),
    ("kitt",),
    ("help", "xyzzy"),
    ("check",),
    ("kit", "--paper", "a5"),
    ("kit", "--dpi", "9"),
    ("kit", "--dpi", "many"),
    ("kit", "--seed"),
    ("kit", "a", "b", "c"),
    ("kit", "--seed", "K7Q2M-9FHNA"),
    ("kit", "--seed", "what"),
    ("kit", "--map", "nowhere"),
    ("kit", "--map", "nowhere.toml"),
    ("kit", "--seat", "north"),
    ("kit", "--parts", "soup"),
    ("kit", "--hex", "wide"),
    ("kit", "-o", "good.toml"),
    ("cards", "--gap", "99"),
    ("cards", "--size", "huge"),
    ("cards", "--only", "soup"),
    ("cards", "blind_faith"),
    ("boards", "--board", "soup"),
    ("intercept", "good.toml"),
    ("sight", "good.toml", "Z9"),
    ("sight", "good.toml", "A1", "Z9"),
    ("rules", "battling", "soup"),
    ("data", "show", "soup"),
    ("data", "copy", "soup"),
    ("data", "schema", "soup"),
    ("data", "list", "--frob"),
    ("printer", "show", "attic"),
    ("printer", "set", "attic", "--dx", "999"),
    ("preflight", "--printer", "dx=oops", "no.pdf"),
    ("selftest", "--count", "1", "--codes", "A"),
    ("tournament", "pack", "--players", "4"),
    ("tournament", "pack", "--players", "many", "--rounds", "2"),
    ("orders", "list", "arena.toml", "B99"),
    ("orders", "check", "lost.txt"),
    ("draw", "-o", "full/scenario.toml"),
]
FILES = [
    ("check", "lost.toml"),
    ("check", "syntax.toml"),
    ("check", "quote.toml"),
    ("check", "type.toml"),
    ("check", "key.toml"),
    ("check", "name.toml"),
    ("check", "game.toml"),
    ("check", "latin.toml"),
    ("check", "deck.toml"),
    ("check", "."),
    ("data", "check", "deck.toml"),
    ("data", "check", "good.toml"),
    ("orders", "check", "game.txt", "--scenario", "arena.toml"),
    ("tournament", "pack", "battling", "--pairings", "pairs.csv"),
    ("tournament", "pack", "battling", "--pairings", "lacks.csv"),
    ("tournament", "standings", "pairs.csv"),
    ("tournament", "status", "."),
    ("tournament", "pair", "."),
    ("tournament", "commit", "."),
    ("verify", "full"),
    ("verify", "nowhere"),
    ("preflight", "no.pdf"),
    ("print", "good.toml", "--parts", "cover", "--templates", "sheets"),
    ("print", "good.toml", "--parts", "cover", "--templates", "broken"),
    ("print", "good.toml", "--parts", "cover", "--templates", "tags"),
    ("print", "good.toml", "--templates", "full"),
]
REFUSALS = [
    ("draw", "battling", "--points", "8", "--machines", "6"),
    ("draw", "battling", "--columns", "9", "--arena", "plaza"),
    ("draw", "--set-pennant", "Q"),
    ("draw", "--specialists-pennant", "bow_upgrade"),
    ("draw", "--cards-pennant", "A1,A1,A2,A3"),
    ("draw", "--seed", CODE, "--fair", "B", "--tries", "1", "--map", "widows_wood"),
    ("draw", "--fair", "B", "--tries", "many"),
    ("draw", "--tries", "3"),
    ("draw", "battlelore", "--board", "memoir", "--map", "alder_fords"),
    ("draw", "travel_battle", "--split-blue", "soup"),
    ("draw", "travel_battle", "--turns", "99"),
    ("draw", "blind_faith", "--fair", "A"),
    ("draw", "blind_faith", "--legate", "nobody"),
]


@pytest.mark.parametrize("args", [*USAGE, *FILES, *REFUSALS], ids=" ".join)
def test_an_error_is_japanese(args: tuple[str, ...], folder: Path) -> None:
    done = muster(*args, "--lang", "ja")
    assert done.code not in (0, 70), done.err
    output = done.out + done.err
    assert re.search("[ぁ-ん]", output), output
    assert english(output) == []


@pytest.mark.parametrize("args", [*USAGE, *REFUSALS], ids=" ".join)
def test_and_in_english_no_japanese(args: tuple[str, ...], folder: Path) -> None:
    done = muster(*args, "--lang", "en")
    assert done.code not in (0, 70) and not re.search("[ぁ-んァ-ヶ一-龠]", done.err)


def test_the_language_may_stand_anywhere(folder: Path) -> None:
    for args in (
        ("--lang", "ja", "kit", "--frob"),
        ("kit", "--frob", "--lang=ja"),
        ("kit", "--lang", "ja", "--frob"),
    ):
        done = muster(*args)
        assert done.code == 2 and "というオプションはありません" in done.err
        assert muster(*args, "--json").json["problems"][0]["message"].startswith("'--frob'")
    drawn = muster("--lang", "ja", "draw", "--seed", CODE, "-o", "here.toml")
    assert drawn.code == 0 and "先手" in drawn.out


def test_problems_in_json_are_japanese_too(folder: Path) -> None:
    done = muster("check", "type.toml", "--lang", "ja", "--json")
    assert "整数" in done.json[0]["problems"][0]["message"]


@pytest.mark.parametrize(
    "args",
    [
        ("kit", *DRAWN, "--parts", "cover", "-o", "k"),
        ("draw", *DRAWN, "-o", "d.toml"),
        ("draw", *DRAWN, "--fair", "B", "-o", "f.toml"),
        ("check", "good.toml", "--lang", "ja"),
        ("check", "arena.toml", "--prove", "--lang", "ja"),
        ("sight", "good.toml", "A1", "B3", "--lang", "ja"),
        ("rulings", "good.toml", "--lang", "ja"),
        ("fairness", "good.toml", "--lang", "ja"),
        ("rules", "--lang", "ja"),
        ("rules", "blind_faith", "--lang", "ja"),
        ("rules", "travel_battle", "--lang", "ja"),
        ("rules", "battling", "--lang", "ja"),
        ("games", "--lang", "ja"),
        ("data", "list", "--lang", "ja"),
        ("data", "schema", "--lang", "ja"),
        ("data", "show", "house-deck", "--lang", "ja"),
        ("data", "show", "house-charts", "--lang", "ja"),
        ("data", "show", "house-pack", "--lang", "ja"),
        ("data", "show", "rulings", "--lang", "ja"),
        ("printer", "list", "--lang", "ja"),
    ],
    ids=" ".join,
)
def test_output_is_japanese(args: tuple[str, ...], folder: Path) -> None:
    done = muster(*args)
    assert done.code in (0, 1), done.err
    assert english(done.out + done.err) == []
    assert "decisions" not in done.out


def test_a_proof_of_sight_is_reported_in_japanese(folder: Path) -> None:
    assert muster("kit", "battling", *DRAWN, "--parts", "records", "-o", "k").code == 0
    done = muster("verify", "k", "--deep", "--lang", "ja")
    assert (done.code, english(done.out)) == (0, []) and "証明済み" in done.out


ROOT = Path(__file__).parents[2]
JAPANESE_PAGES = [ROOT / "README.ja.md", *sorted((ROOT / "docs").rglob("*.ja.md"))]
SHORTER = ("players.ja.md",)
"""Japanese pages that are shorter than the English page, which also describes how the computer chooses its moves."""
OTHER_EXAMPLES = ("player_lists.ja.md", "tournament_packs.ja.md")
"""Japanese pages whose examples contain Japanese names."""


@pytest.mark.parametrize("page", JAPANESE_PAGES, ids=lambda page: page.name)
def test_pages_in_both_languages_have_the_same_parts(page: Path) -> None:
    english_page = page.with_name(page.name.replace(".ja.md", ".md"))
    en, ja = english_page.read_text("utf-8"), page.read_text("utf-8")
    assert f"[日本語]({page.name})" in en and f"[English]({english_page.name})" in ja
    if page.name in SHORTER:
        return
    assert en.count("\n## ") == ja.count("\n## ") and en.count("\n### ") == ja.count("\n### ")
    blocks = [re.findall(r"```\n(.*?)```", text, re.S) for text in (en, ja)]
    assert len(blocks[0]) == len(blocks[1])
    for one, other in zip(*blocks, strict=True):
        kept = [line for line in one.splitlines() if line.startswith(("muster", "make", "pipx", "uv"))]
        assert [line for line in other.splitlines() if line.startswith(("muster", "make", "pipx", "uv"))] == kept


def examples(page: Path) -> list[tuple[str, list[str]]]:
    """Return the labelled code blocks of a page without comments."""
    blocks = re.findall(r"```(\w+)\n(.*?)```", page.read_text("utf-8"), re.S)
    return [(label, [re.sub(" *#.*", "", line) for line in block.splitlines()]) for label, block in blocks]


def row_keys(page: Path) -> list[set[str]]:
    """Return the code in the first cell of each table row that begins with code."""
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.S).replace(r"\|", "/")
    cells = [set(re.findall("`([^`]+)`", cell)) for cell in re.findall(r"^\|([^|]*)\|", text, re.M)]
    return [keys for keys in cells if keys]


@pytest.mark.parametrize("page", [page for page in JAPANESE_PAGES if page.name not in OTHER_EXAMPLES], ids=str)
def test_pages_in_both_languages_have_the_same_examples_and_keys(page: Path) -> None:
    """The tests of the examples in the English pages therefore apply to the Japanese pages too."""
    english_page = page.with_name(page.name.replace(".ja.md", ".md"))
    assert examples(page) == examples(english_page)
    assert row_keys(page) == row_keys(english_page)


@pytest.mark.parametrize("page", JAPANESE_PAGES, ids=lambda page: page.name)
def test_lines_of_a_japanese_page_do_not_end_inside_a_phrase(page: Path) -> None:
    """Markdown shows the end of a line as a space. In Japanese, the space is visible except after punctuation."""
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.S)
    block = re.compile(r"[|#!<]|- |[0-9]+\. |    ")
    wrong = []
    for line, following in pairwise(text.splitlines()):
        if not line or not following or block.match(following) or re.match(r"[|#!<]|    ", line):
            continue
        before, after = line[-1], following.lstrip()[0]
        if before >= "\u3040" and after >= "\u3040" and before not in "、。：；」）":
            wrong.append(f"{line[-12:]} ⏎ {following.lstrip()[:12]}")
    assert wrong == []


def test_a_wrong_answer_is_reported_in_japanese_and_asked_again(folder: Path) -> None:
    done = muster("draw", *DRAWN, "--ask", "-o", "asked.toml", user_input="soup\n" + "\n" * 20)
    assert done.code == 0, done.err
    assert "--place-pennant：「SOUP」というカードはありません" in done.err
    assert english(done.err) == []
