"""Tests that all messages in `messages.toml`, `help.toml` and each `wishes.toml` of data/ exist in both languages."""

from __future__ import annotations

import ast
import re
import string
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from generator import games
from generator.common.game import GameOption, option_texts
from generator.errors import DataError, Problem, near
from generator.localization import (
    bilingual,
    default_lang,
    joined,
    localize,
    map_languages,
    messages,
    set_language,
    tr,
    tr_external,
)
from generator.model.words import Words
from tests.modules import nodes

ROOT = Path(__file__).parents[1]
CODE = sorted((ROOT / "generator").rglob("*.py"))
TOLD_BY = {"Problem", "problem", "fault", "fail", "wrong", "UsageError", "BadParameter"}
ERRORS = {
    "WrongUsageError",
    "DataError",
    "NotInOrderError",
    "CannotWriteError",
    "NothingLegalError",
    "DoesNotFitError",
}


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    """Yield every call with the last part of its function's name."""
    for node in nodes(path):
        if isinstance(node, ast.Call):
            yield getattr(node.func, "attr", getattr(node.func, "id", "")), node


def uses_tr(path: Path) -> bool:
    """Return whether a module imports `tr` from generator.localization."""
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == "generator.localization"
        and "tr" in {a.name for a in node.names}
        for node in nodes(path)
    )


@cache
def templates() -> dict[str, str]:
    """Return every message in the code, with its place."""
    found: dict[str, str] = {}
    for path in filter(uses_tr, CODE):
        for name, call in calls(path):
            if name == "tr" and isinstance(call.func, ast.Name):
                (text,) = call.args
                assert isinstance(text, ast.Constant), f"{path}:{call.lineno}: tr() takes the sentence itself"
                found.setdefault(str(text.value), f"{path}:{call.lineno}")
    return found


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_sentence_of_the_code_has_its_japanese_and_nothing_is_left_over() -> None:
    ours = messages()
    assert {text: at for text, at in templates().items() if text not in ours} == {}
    assert sorted(ours.keys() - templates().keys()) == []


def test_both_languages_tell_the_same_values() -> None:
    for en, ja in messages().items():
        assert fields(en) == fields(ja), f"{en!r}: {ja!r}"
        assert ja.strip(), en


def test_messages_have_their_values() -> None:
    """Each call passes every placeholder of its message by name."""
    for path in filter(uses_tr, CODE):
        for name, call in calls(path):
            if name == "tr" and isinstance(call.func, ast.Name):
                (text,) = call.args
                assert isinstance(text, ast.Constant)
                given = {keyword.arg for keyword in call.keywords}
                assert given == fields(str(text.value)), f"{path}:{call.lineno}: {text.value!r}"


def test_no_error_exists_only_in_english() -> None:
    """Errors must not be created from a plain string or an f-string, which would exist only in English."""
    english_only = []
    for path in CODE:
        if path.name == "localization.py":
            continue
        for name, call in calls(path):
            if name not in TOLD_BY:
                continue
            for text in (*call.args, *(keyword.value for keyword in call.keywords if keyword.arg == "hint")):
                english = isinstance(text, ast.JoinedStr) and re.search("[a-z]{3} [a-z]", ast.unparse(text))
                plain = isinstance(text, ast.Constant) and re.search("[a-z]{2} [a-z]", str(text.value))
                if english or plain:
                    english_only.append(f"{path.relative_to(ROOT)}:{text.lineno}: {ast.unparse(text)}")
    assert english_only == []


def test_a_value_in_both_languages_speaks_each() -> None:
    message = tr("{reason} {count}", reason=Words("river", "川"), count=3)
    assert (message, message.ja) == ("river 3", "川 3件")
    listed = tr("accepted: {words}", words=["A", "B"])
    assert (listed, listed.ja) == ("accepted: A, B", "使えるのは：A、B")
    within = tr("the value {fault}", fault=tr("is empty"))
    assert (within, localize(within, "ja")) == ("the value is empty", "空です")
    assert localize(joined(["A", tr("is empty")], " or ", "か"), "ja") == "Aか空です"
    assert localize("a name", "ja") == "a name"


def test_what_others_say_is_known_by_its_words() -> None:
    assert tr_external("Permission denied").ja == "アクセスが許可されていません"
    assert tr_external("No such option '--x'.").ja == "'--x' というオプションはありません"
    assert tr_external("something new").ja == "something new"


def test_a_problem_is_shown_in_either_language_and_a_plain_one_unchanged() -> None:
    problem = Problem(tr("is not a version number"), "a.toml", 3, near("grene", ["green", "blue"]))
    assert str(problem) == "a.toml:3: is not a version number (did you mean green?)"
    assert problem.describe("ja") == "a.toml:3: バージョン番号ではありません（もしかして：green）"
    assert Problem("as it is", hint="so").describe("ja") == "as it is（so）"
    assert localize(Problem(bilingual("one\ntwo", "一\n二")).message, "ja") == "一\\n二"
    assert DataError(*[problem] * 22).lines("ja")[-1] == "… ほか2件"
    assert localize(map_languages(tr("is empty"), str.upper), "en") == "IS EMPTY"


@pytest.mark.parametrize(
    ("given", "lang"),
    [
        (["kit", "--lang", "ja"], "ja"),
        (["--lang=ja", "kit", "--bad"], "ja"),
        (["kit", "--lang", "JA"], "ja"),
        (["cards", "--lang", "en+ja"], "en"),
        (["kit", "--lang", "fr"], "en"),
        (["kit", "--lang"], "en"),
        ([], "en"),
    ],
)
def test_the_language_of_a_command_line(given: list[str], lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    set_language(given)
    assert default_lang() == lang
    set_language([])
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    assert default_lang() == "ja"


@cache
def described() -> set[str]:
    """Return the descriptions of file forms: values of `description=` and second arguments of `spelt`."""
    found = set()
    for path in CODE:
        for name, call in calls(path):
            texts = [keyword.value for keyword in call.keywords if keyword.arg == "description"]
            texts += call.args[1:] if name == "spelt" else []
            found |= {str(text.value) for text in texts if isinstance(text, ast.Constant)}
    return found


def test_forms_of_files_are_described_in_japanese() -> None:
    assert described()
    assert {text for text in described() if tr_external(text).ja == text} == set()


def all_options() -> list[tuple[str, GameOption]]:
    return [(name, option) for name in games.names() for option in games.load(name).options]


def test_every_option_is_described_in_both_languages() -> None:
    for game, option in all_options():
        for text in (option.text.label, option.text.help):
            assert text.en and re.search("[ぁ-んァ-ヶ一-龠]", text.ja), f"{game} --{option.name}: {text}"
            assert not fields(text.en) | fields(text.ja), f"{game} --{option.name}: {text}"
        assert not option.default or not option.choices or option.default in option.choices, f"{game} --{option.name}"


def test_no_text_of_an_option_is_unused() -> None:
    used = {option.text.help.en for _, option in all_options()}
    folders = [ROOT / "data", *(ROOT / "data" / name for name in games.names())]
    for folder in folders:
        for key, text in tomllib.loads((folder / "wishes.toml").read_text("utf-8")).items():
            form = re.sub(r"\\\{\w+\\\}", ".*", re.escape(text["help"]["en"]))
            assert any(re.fullmatch(form, help_) for help_ in used), f"{folder.name}: {key}"


def test_a_span_is_that_of_its_numbers() -> None:
    spans = {(game, option.name): option.span for game, option in all_options() if option.span}
    assert spans["battling", "machines"] == (1, 6)
    assert ("travel_battle", "boards") not in spans
    assert option_texts()["fair"].common
