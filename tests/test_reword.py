"""Tests that `tests/reword.py` changes a sentence in every kind of file, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reword import main, quoted_in_part, reword, reworded

OLD, NEW = "no player {name!r}", 'no player is named "{name!r}"'


def changed(
    text: str, suffix: str, *, old: str = OLD, new: str = NEW, part: bool = False, quoted: bool = False
) -> str:
    return reworded(text, old, new, suffix=suffix, part=part, quoted=quoted)[0]


def test_code_and_data_keep_their_placeholders() -> None:
    assert changed('say("no player {name!r}", name=n)', ".py") == r'say("no player is named \"{name!r}\"", name=n)'
    assert changed('"no player {name!r}" = "{name!r}"', ".toml") == r'"no player is named \"{name!r}\"" = "{name!r}"'


def test_tests_and_docs_keep_the_values_they_quote() -> None:
    line = "assert \"ev: no player 'Ann' (did you mean Anne?)\" in out"
    assert changed(line, ".py", new="unknown player {name!r}", quoted=True) == line.replace(
        "no player", "unknown player"
    )
    assert changed("no player 'Ann'\n", ".md", quoted=True) == "no player is named \"'Ann'\"\n"


def test_a_sentence_is_found_across_line_breaks() -> None:
    old, new = "Every row is taken or refused.", "Every row counts."
    assert changed("Every row\nis taken or refused. More.", ".md", old=old, new=new) == "Every row counts. More."
    assert changed('("Every row is "\n    "taken or refused.")', ".py", old=old, new=new) == '("Every row counts.")'
    assert (
        changed("    # Every row is taken\n    # or refused.", ".py", old=old, new=new) == "    # Every row counts."
    )


def test_longer_sentences_are_left_alone_unless_asked() -> None:
    line = 'en = "this is no map of ours"'
    assert changed(line, ".toml", old="is no map", new="is not a map") == line
    assert (
        changed(line, ".toml", old="is no map", new="is not a map", part=True) == 'en = "this is not a map of ours"'
    )
    assert changed("is no mapping", ".md", old="is no map", new="is not a map", part=True) == "is no mapping"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("generator", "data", "tests"):
        (tmp_path / name).mkdir()
    (tmp_path / "generator" / "a.py").write_text('say("is no map")\n', "utf-8")
    (tmp_path / "data" / "messages.toml").write_text('[ours]\n"is no map" = "マップではありません"\n', "utf-8")
    (tmp_path / "data" / "words.toml").write_text('a = { en = "is no map", ja = "マップではない" }\n', "utf-8")
    (tmp_path / "tests" / "t.py").write_text('assert "quoted: is no" not in x\nassert "is no map" in x\n', "utf-8")
    return tmp_path


def test_the_japanese_beside_it_is_shown(tree: Path) -> None:
    places = reword("is no map", "is not a map", root=tree)
    assert [(str(p.path), p.line, p.japanese) for p in places] == [
        ("generator/a.py", 1, ""),
        ("data/messages.toml", 2, "マップではありません"),
        ("data/words.toml", 1, "マップではない"),
        ("tests/t.py", 2, ""),
    ]
    assert (tree / "data" / "messages.toml").read_text("utf-8") == '[ours]\n"is not a map" = "マップではありません"\n'


def test_nothing_is_written_in_a_dry_run(tree: Path) -> None:
    assert len(reword("is no map", "is not a map", write=False, root=tree)) == 4
    assert "is no map" in (tree / "generator" / "a.py").read_text("utf-8")


def test_tests_that_quote_a_part_are_listed(tree: Path) -> None:
    (tree / "tests" / "t.py").write_text('assert "players may rest" in x\n', "utf-8")
    assert list(quoted_in_part("{n} players may rest in one round", tree)) == [
        (Path("tests/t.py"), 1, "players may rest")
    ]


def test_a_sentence_that_stands_nowhere_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--dry-run", "A sentence" + " of no file.", "x"]) == 1
    assert "stands nowhere" in capsys.readouterr().err
