"""Tests for `muster odds` and the commander's card of every game, in both languages, on paper with either ink."""

from __future__ import annotations

import re
from pathlib import Path

import pypdfium2
import pytest

from generator.games import load
from generator.model.scenario import Request
from generator.model.words import LANGS, Lang
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings
from generator.rules import check
from tests.cli.run import muster

CODE = "K7Q2M-9FHN5"
OTHERS = ("battlelore", "call_to_arms", "travel_battle", "battling")
MODES = [
    ("battlelore", {"age": "lore"}),
    ("call_to_arms", {"mode": "organized", "age": "lore"}),
    ("travel_battle", {}),
    ("battling", {}),
]


@pytest.mark.parametrize("game", OTHERS)
def test_the_terminal_tells_it_from_a_stream_in_both_languages(game: str) -> None:
    drawn = muster("draw", game, "--seed", CODE, "-o", "-").out
    runs = {lang: muster("odds", "-", "--lang", lang, user_input=drawn) for lang in LANGS}
    assert [done.code for done in runs.values()] == [0, 0]
    assert re.search("[ぁ-ん]", runs["ja"].out)
    assert len(runs["en"].out.splitlines()) == len(runs["ja"].out.splitlines()) > 5


def test_a_display_is_for_stacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    muster("draw", "battlelore", "--seed", CODE)
    done = muster("odds", "scenario.toml", "--now", "2 knights : tabor")
    assert (done.code, "--now can be used only in games that have a battle display for stacks" in done.err) == (
        2,
        True,
    )


@pytest.mark.parametrize(("game", "options"), MODES)
@pytest.mark.parametrize(("ink", "lang", "paper"), [("full", "ja", "letter"), ("saver", "en", "a4")])
def test_each_commander_has_a_card(game: str, options: dict[str, str], ink: str, lang: Lang, paper: str) -> None:
    of = load(game)
    scenario = of.draw(Request(CODE, options, {}))
    kit = of.kit(scenario, check(of.rules, scenario), CODE, "muster kit").only(["odds"])
    cards = [sheet for sheet in kit.sheets if getattr(sheet, "side", None)]
    assert len(cards) == 2
    assert preflight(print_kit(kit, PrintSettings(lang, paper, ink)), paper, lang) == []


def test_a_camp_without_targets_has_a_sentence_instead_of_a_table(tmp_path: Path) -> None:
    far = tmp_path / "far.toml"
    units = "[{camp}]\nunits = [{{ hex = '{hex}', unit = 'red short_sword' }}]\n"
    head = "[muster]\ngame = 'battlelore'\n[play]\ntitle = 'Far'\nfirst = 'pennant'\n[board]\nmap = 'harrow_plain'\n"
    far.write_text(head + units.format(camp="pennant", hex="A1") + units.format(camp="standard", hex="L9"), "utf-8")
    assert muster("print", str(far), "--parts", "odds", "-o", str(tmp_path / "kit")).code == 0
    document = pypdfium2.PdfDocument(tmp_path / "kit" / "kit.pdf")
    text = "".join(page.get_textpage().get_text_bounded() for page in document)
    assert text.count("No unit has an enemy in reach yet.") == 2
    assert "hex emptied" not in text
