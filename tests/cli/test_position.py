"""Tests that every command works on a Blind Faith position, or names what the file lacks."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from pypdfium2 import PdfDocument

from tests.cli.conftest import CODE, Made
from tests.cli.run import muster
from tests.games.blind_faith.scenes import TEXTS

NO_FIGHT = {
    "en": "to fight a battle, add [march] and [battle] to the file; to fight a siege, add [siege]",
    "ja": "野戦にするには [march] と [battle] を、攻城戦にするには [siege] をファイルに書き加えてください",
}
NO_MARCH = {
    "en": "There is no march in this scenario. Add [march] to the file to see who can intercept it.",
    "ja": "このシナリオに行軍はありません。迎撃を調べるには、ファイルに [march] を書き加えてください。",
}


@pytest.fixture
def position(here: Path) -> Path:
    """Return the file of a position with four stacks."""
    path = here / "position.toml"
    path.write_text(TEXTS["position"], "utf-8")
    return path


def pages(path: Path) -> list[str]:
    """Return the text of each page of a PDF, in one line."""
    return [" ".join(page.get_textpage().get_text_bounded().split()) for page in PdfDocument(path)]


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("check",), {"en": "legal by 32 rules", "ja": "32個の規則に適合"}),
        (("moves", "H1"), {"en": "H1 on A1: 4 MP", "ja": "H1：A1、移動力4"}),
        (("rulings",), {"en": "enemy_hexes = end", "ja": "enemy_hexes = end"}),
        (("fairness",), {"en": "Neither side marches or attacks.", "ja": "行軍・攻撃する側はありません。"}),
        (("fairness", "--play"), {"en": "The scenario has no fight yet", "ja": "まだ戦闘がありません"}),
        (("intercept",), NO_MARCH),
        (("edit", "H1>B1"), {"en": 'id = "H1", hex = "B1"', "ja": 'id = "H1", hex = "B1"'}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_commands_that_need_no_fight(
    position: Path, args: tuple[str, ...], expected: dict[str, str], lang: str
) -> None:
    done = muster(args[0], position, *args[1:], "--lang", lang)
    assert (done.code, expected[lang] in done.out + done.err) == (0, True), done.out + done.err


@pytest.mark.parametrize("args", [("odds",), ("odds", "--exact"), ("play",), ("play", "--me", "1")], ids=" ".join)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_commands_that_need_a_fight_name_what_is_missing(position: Path, args: tuple[str, ...], lang: str) -> None:
    done = muster(args[0], position, *args[1:], "--lang", lang)
    assert done.code == 2
    assert NO_FIGHT[lang] in done.err
    assert len(done.err.splitlines()) == 1


def test_other_commands(position: Path, here: Path) -> None:
    assert muster("intercept", position, "--json").json == []
    assert muster("check", position, "--json").json[0]["legal"]
    (moves,) = muster("moves", position, "H1", "--json").json
    assert {("C3", 3)} <= {(move["to"], move["cost"]) for move in moves["moves"]}
    assert next(move["way"] for move in moves["moves"] if move["to"] == "C3")[-1] == "C3"
    assert muster("odds", position, "--json").json["problems"][0]["hint"] == NO_FIGHT["en"]
    done = muster("sight", position, "A1", "B1")
    assert done.code == 2
    assert "blind_faith has no lines of sight" in done.err
    for verb, *more in (("intercept",), ("moves", "H1"), ("fairness",)):
        assert muster(verb, position, *more, "-o", f"{verb}.pdf").code == 0
        assert pages(here / f"{verb}.pdf")


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("ink", ["full", "saver"])
def test_a_kit_has_the_map_and_the_stacks_and_no_fight(position: Path, here: Path, lang: str, ink: str) -> None:
    done = muster("print", position, "-o", "kit", "--lang", lang, "--ink", ink)
    assert done.code == 0, done.err
    cover, *others = pages(here / "kit" / "kit.pdf")
    texts = {
        "en": ("7 units · 29 points", "Operational map", "Stack records", "Battle display"),
        "ja": ("7ユニット·29点", "作戦マップ", "スタック記録シート", "野戦ディスプレイ"),
    }
    army, operational_map, records, display = (text.replace(" ", "") for text in texts[lang])
    assert army in cover.replace(" ", "")
    rest = [page.replace(" ", "") for page in others]
    assert [operational_map in page for page in rest].count(True) == 1
    assert any(records in page for page in rest)
    assert not any(display in page for page in rest)


def test_sheets_of_a_fight_are_not_among_the_parts(position: Path) -> None:
    for part in ("odds", "battle", "siege", "intercept"):
        done = muster("print", position, "-o", "kit", "--parts", part)
        assert done.code == 2
        assert f"{part!r} is not a valid choice" in done.err
    optional = "cover,setup,map,records,reference,audit,tokens,board"
    assert muster("print", position, "-o", "kit", "--parts", optional).code == 0


def test_a_drawn_march_without_its_march_and_log_is_a_position(here: Path, made: Made) -> None:
    drawn = made("draw", "blind_faith", "--seed", CODE, "--kind", "march", "-o", "march.toml") / "march.toml"
    text = Path(shutil.copy(drawn, here)).read_text("utf-8")
    before, _, after = text.partition("\n[march]")
    log = after.partition("\n[[log]]")[2]
    Path("unlogged.toml").write_text(before + "\n", "utf-8")
    assert muster("check", "unlogged.toml").code == 0
    # The log states a march, which the file no longer has.
    Path("logged.toml").write_text(f"{before}\n[[log]]{log}", "utf-8")
    done = muster("check", "logged.toml")
    assert done.code == 1
    assert "log.told" in done.out


def test_a_march_and_a_siege_exclude_each_other(here: Path) -> None:
    (here / "both.toml").write_text(TEXTS["siege"] + '\n[march]\npath = ["C3", "C4"]\n', "utf-8")
    done = muster("check", "both.toml")
    assert done.code == 3
    assert "a file with [march] must not have [siege]" in done.err
