"""Tests that a scenario file of any game may have a briefing and special rules, which are printed unchanged."""

from __future__ import annotations

import re
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from pypdfium2 import PdfDocument

from generator import games
from generator.cli.scenario import Loaded, load
from generator.common.fairness import certificate
from generator.common.pages import LEAD_LIMITS
from generator.errors import DataError
from generator.model.words import Lang
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings
from tests.strangers import typist

LONG = '''
briefing.en = """
The <b>first</b> line & "quotes".

The second line.
"""
briefing.ja = "一行目。\\n二行目。\\n三行目。"
special_rules = "No unit enters row 5."
'''
SHORT = 'briefing = { en = "Autumn 1415.", ja = "1415年秋。" }\n'


@cache
def plain_file(game: str) -> str:
    """Return the legal file of a simulated user."""
    return next(text for seed in count() if "[play]\n" in (text := typist(game).legal_file(seed)))


def with_play(path: Path, game: str, lines: str) -> Path:
    """Write the file with these lines in its table [play]."""
    path.write_text(plain_file(game).replace("[play]\n", f"[play]\n{lines}", 1), "utf-8")
    return path


def printed_text(loaded: Loaded, lang: Lang, *parts: str) -> str:
    """Return the text of these parts, after checking the print."""
    kit = loaded.game.kit(loaded.scenario, loaded.report, loaded.stamp, "")
    pdf = print_kit(kit.only(parts), PrintSettings(lang), packed=False)
    assert preflight(pdf, "a4", lang) == []
    return " ".join(page.get_textpage().get_text_range() for page in PdfDocument(pdf))


@pytest.mark.parametrize("game", games.names())
def test_both_texts_print_as_typed_in_both_languages(tmp_path: Path, game: str) -> None:
    loaded = load(with_play(tmp_path / "long.toml", game, LONG))
    english, japanese = (printed_text(loaded, lang, "briefing") for lang in ("en", "ja"))
    assert 'The <b>first</b> line & "quotes".' in english and "The second line." in english
    assert "Special rules" in english and "No unit enters row 5." in english
    assert "三行目。" in japanese and "特別ルール" in japanese and "No unit enters row 5." in japanese


@pytest.mark.parametrize("game", games.names())
def test_a_short_briefing_stands_on_the_cover(tmp_path: Path, game: str) -> None:
    loaded = load(with_play(tmp_path / "short.toml", game, SHORT))
    kit = loaded.game.kit(loaded.scenario, loaded.report, loaded.stamp, "")
    assert "briefing" not in kit.parts
    assert "Autumn 1415." in printed_text(loaded, "en", "cover")
    assert "年秋。" in printed_text(loaded, "ja", "cover")


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("game", games.names())
def test_a_briefing_as_long_as_our_own_text_stands_on_the_cover(tmp_path: Path, game: str, paper: str) -> None:
    english = ("The king crossed the river at dawn with all his men. " * 9)[: LEAD_LIMITS["en"]].strip()
    japanese = ("夜明けに王の軍勢は川を渡り、敵の正面に布陣した。" * 12)[: LEAD_LIMITS["ja"]]
    text = f'briefing = {{ en = "{english}", ja = "{japanese}" }}\n'
    loaded = load(with_play(tmp_path / "written.toml", game, text))
    kit = loaded.game.kit(loaded.scenario, loaded.report, loaded.stamp, "")
    assert "briefing" not in kit.parts
    words: dict[Lang, tuple[str, str]] = {"en": (english, "river"), "ja": (japanese, "布陣")}
    for lang, (text, word) in words.items():
        pdf = print_kit(kit.only(["cover"]), PrintSettings(lang, paper), packed=False)
        printed = "".join(page.get_textpage().get_text_range() for page in PdfDocument(pdf))
        assert re.sub(r"\s", "", printed).count(word) == text.count(word)


@pytest.mark.parametrize("game", games.names())
def test_texts_survive_writing_and_reading(tmp_path: Path, game: str) -> None:
    loaded = load(with_play(tmp_path / "long.toml", game, LONG))
    written = loaded.game.write(loaded.scenario)
    again = tmp_path / "again.toml"
    again.write_text(plain_file(game)[: plain_file(game).index("[play]")] + written, "utf-8")
    assert loaded.game.write(load(again).scenario) == written


@pytest.mark.parametrize("game", games.names())
def test_a_file_without_texts_is_written_without_them(tmp_path: Path, game: str) -> None:
    loaded = load(with_play(tmp_path / "plain.toml", game, 'briefing = ""\n'))
    assert "briefing" not in loaded.game.write(loaded.scenario)


FAULTS = {
    f'briefing = "{"x" * 2001}"\n': "play.briefing: is longer than 2000 characters",
    "briefing = 1415\n": "play.briefing: expected a table or text in quotation marks",
    'briefing = ["a"]\n': "play.briefing: expected a table or text in quotation marks",
    f'special_rules.en = "a"\nspecial_rules.ja = "{"無" * 2001}"\n': "play.special_rules.ja: is longer than",
    'special_rules = { en = "a", ja = "" }\n': "play.special_rules.ja: is empty",
    'special_rules = { en = "a" }\n': "play.special_rules: `ja` is missing",
    'briefing = "tab\\there"\n': "play.briefing: contains the invisible character U+0009",
    'briefing = "\U0001f3f0"\n': "play.briefing: contains",
    'breifing = "x"\n': "did you mean briefing",
}


@pytest.mark.parametrize("game", games.names())
@pytest.mark.parametrize("lines", FAULTS)
def test_a_wrong_text_is_refused_with_its_key_and_line(tmp_path: Path, game: str, lines: str) -> None:
    path = with_play(tmp_path / "wrong.toml", game, lines)
    with pytest.raises(DataError) as fault:
        load(path)
    (problem,) = fault.value.problems
    assert FAULTS[lines] in f"{problem.message} {problem.hint}"
    text = path.read_text("utf-8").splitlines()
    assert re.match("briefing|special_rules|breifing", text[problem.line - 1])


@pytest.mark.parametrize("game", games.names())
def test_special_rules_allow_no_claim_that_both_sides_are_alike(tmp_path: Path, game: str) -> None:
    loaded = load(with_play(tmp_path / "long.toml", game, LONG))
    if loaded.game.fairness is None or loaded.game.fairness.refused:
        return
    texts = [text.en for text in certificate(loaded.game.fairness, loaded.scenario).differs]
    assert "The special rules of the scenario are not measured" in texts
