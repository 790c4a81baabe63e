"""Tests that every sheet of dozens of complete kits, including the fullest, fits its page and passes preflight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import cast

import pytest
from msgspec.structs import replace

from generator import games
from generator.model.scenario import Request
from generator.model.views import Kit, Sheet
from generator.model.words import Lang, Words
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings
from generator.rules import check
from generator.seeds import parse_code

WISHES: dict[str, Mapping[str, str]] = {
    "impromptu": {"mode": "impromptu", "age": "medieval"},
    "organized": {"mode": "organized", "age": "lore"},
    "alone": {"age": "lore"},
}
GAMES = {"impromptu": "call_to_arms", "organized": "call_to_arms", "alone": "battlelore"}
FULLEST = {
    ("en", "letter"): "TRZ9W-ASSDD Z62AH-7JQ1P B3Q27-91G6M PEWWP-JZ1E5 JA19E-00WHW",
    ("ja", "letter"): "MGPN2-A7AKX SP77Z-AMC4K 5XCM8-381RT",
    ("ja", "a4"): "KCMN1-N08TQ",
}
"""Codes of Organized Lore games with a record or set-up sheet that used to overflow, by language and paper."""
RAN_OVER = "setup", "records"
SPREAD = ("TRZ9W-ASSDD", "SP77Z-AMC4K", "K7Q2M-9FHN5")
LANGS, PAPERS = ("en", "ja"), ("a4", "letter")


@cache
def drawn(kind: str, code: str) -> Kit:
    game = games.load(GAMES[kind])
    scenario = game.draw(Request(parse_code(code), WISHES[kind], {}))
    return game.kit(scenario, check(game.rules, scenario), f"{code}+", f"muster kit --seed {code}")


def fits(kit: Kit, lang: Lang, paper: str) -> None:
    assert preflight(print_kit(kit, PrintSettings(lang, paper, "saver"), packed=False), paper, lang) == []


def fullest() -> Iterator[tuple[str, str, str]]:
    for (lang, paper), codes in FULLEST.items():
        for code in codes.split():
            yield code, lang, paper


@pytest.mark.parametrize(("code", "lang", "paper"), [*fullest()])
def test_the_fullest_kits_fit(code: str, lang: Lang, paper: str) -> None:
    fits(drawn("organized", code).only(RAN_OVER), lang, paper)


@pytest.mark.parametrize(("kind", "code"), [*product(WISHES, SPREAD)])
def test_every_kind_of_kit_fits_in_every_language_and_on_every_paper(kind: str, code: str) -> None:
    """Each code is printed in both languages on different papers, and the next code on the opposite papers."""
    kit, number = drawn(kind, code), SPREAD.index(code)
    for at, lang in enumerate(LANGS):
        fits(kit, cast(Lang, lang), PAPERS[(number + at) % 2])


PARTS = "records", "audit"
UNITS, STEPS = 26, 60
"""Maximum units per side and log steps, above those of hundreds of scenarios (22 deployed units, 48 steps)."""


def filled_sheet(sheet: Sheet) -> Sheet:
    """Fill a record or audit sheet with more rows than any scenario has had, each as long as the longest row."""
    view = dict(sheet.view)
    if sheet.part == "records":
        longest = max(cast(list[dict[str, Words]], view["rows"]), key=lambda row: len(row["kind"].en))
        remark = Words("A2, reserve, levy, exchanged", "A2・リザーブ・徴兵・交換")
        view |= {"rows": [longest | {"remark": remark}] * UNITS, "lost": []}
    else:
        halves = cast(list[list[dict[str, list[Words]]]], view["halves"])
        groups = [group for half in halves for group in half]
        lacking = STEPS - sum(len(group["steps"]) for group in groups)
        longest_step = max((step for group in groups for step in group["steps"]), key=lambda step: len(step.en))
        assert view["rules"]
        view["halves"] = [halves[0], [*halves[1], groups[-1] | {"steps": [longest_step] * lacking}]]
    return replace(sheet, view=view)


@pytest.mark.parametrize(("lang", "paper"), [*product(LANGS, PAPERS)])
def test_more_than_any_draw_brings_fits(lang: Lang, paper: str) -> None:
    kit = drawn("organized", "SP77Z-AMC4K")
    sheets = tuple(filled_sheet(s) for s in kit.only(PARTS).sheets if isinstance(s, Sheet))
    assert len(sheets) == 3
    fits(replace(kit, usual=sheets), lang, paper)
