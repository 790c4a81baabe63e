"""Tests for kits of all kinds of battles and for prints without a scenario, on every paper and in every language."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest
from msgspec.structs import replace

from generator import games
from generator.games.travel_battle.model import Army, Brigade, Scenario
from generator.games.travel_battle.pages.sheets import setup_sheet
from generator.model.scenario import Origin, Request
from generator.model.views import Kit, Poster
from generator.model.words import Lang, Words
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings
from generator.rules import check
from generator.seeds import parse_code

CODE = "K7Q2M-9FHN5"
GAME = "travel_battle"
HOW: tuple[tuple[Lang, str, str], ...] = (
    ("en", "a4", "full"),
    ("ja", "letter", "full"),
    ("en", "letter", "saver"),
    ("ja", "a4", "saver"),
)


@cache
def drawn(**options: str) -> Kit:
    game = games.load(GAME)
    scenario: Scenario = game.draw(Request(parse_code(CODE), options, {}))
    return game.kit(scenario, check(game.rules, scenario), f"{CODE}+", f"muster kit {GAME} --seed {CODE}")


@pytest.mark.parametrize(("lang", "paper", "ink"), HOW)
def test_a_kit_prints_in_order(lang: Lang, paper: str, ink: str) -> None:
    assert preflight(print_kit(drawn(), PrintSettings(lang, paper, ink), packed=False), paper, lang) == []


@pytest.mark.parametrize(
    "options", [{"boards": "4x3"}, {"boards": "2x2"}, {"objective": "destroy", "sizes": "any"}], ids=str
)
def test_the_fullest_kits_fit(options: dict[str, str]) -> None:
    assert (
        preflight(print_kit(drawn(**options), PrintSettings("en", "letter", "saver"), packed=False), "letter", "en")
        == []
    )


@pytest.mark.parametrize(("lang", "paper", "ink"), HOW)
def test_a_mirrored_kit_prints_in_order_with_its_boards(lang: Lang, paper: str, ink: str) -> None:
    made = drawn(mirror="on")
    made = made.only({*made.parts} - {"tokens"})
    assert sum(isinstance(sheet, Poster) for sheet in made.sheets) == 2
    assert preflight(print_kit(made, PrintSettings(lang, paper, ink), packed=False), paper, lang) == []


@pytest.mark.parametrize("verb", ["reference", "sheets", "tokens"])
@pytest.mark.parametrize(("lang", "paper", "ink"), HOW)
def test_what_needs_no_battle_prints_in_order(verb: str, lang: Lang, paper: str, ink: str) -> None:
    what = next(what for what in games.load(GAME).prints if what.verb == verb)
    made = what.make({"paper": paper, "seed": CODE} | ({"half": "1"} if verb == "sheets" and ink == "full" else {}))
    assert preflight(print_kit(made, PrintSettings(lang, paper, ink), packed=False), paper, lang) == []


def test_the_markers_that_the_packing_list_names_are_printed() -> None:
    scenario: Scenario = games.load(GAME).draw(Request(parse_code(CODE), {}, {}))
    listed = [row["figure"].removeprefix("marker_") for row in setup_sheet(scenario).view["markers"]]  # type: ignore[attr-defined]
    assert listed == ["turned", "held", "runs"]
    what = next(what for what in games.load(GAME).prints if what.verb == "tokens")
    alone = what.make({"paper": "a4", "only": "markers"}).sheets
    of_kit = [run for run in drawn().only(["tokens"]).sheets if run.title == alone[0].title]
    for (run,) in (alone, of_kit):
        assert {getattr(piece.front, "symbol", "") for piece in getattr(run, "pieces", ())} == set(listed)


def test_there_are_tokens_for_every_split_of_an_army() -> None:
    what = next(what for what in games.load(GAME).prints if what.verb == "tokens")
    (run,) = what.make({"paper": "a4", "only": "red"}).sheets
    assert len(getattr(run, "pieces", ())) == 3 * (1 + 14)


@pytest.mark.parametrize(("lang", "paper"), [("en", "a4"), ("ja", "letter")])
def test_long_names_print_without_problems(lang: Lang, paper: str) -> None:
    """Every brigade and unit has the longest possible name."""
    game = games.load(GAME)
    scenario: Scenario = game.draw(Request(parse_code(CODE), {"objective": "protect"}, {}))
    long = Words("Her Majesty's Long Names", "女王陛下の長い名前を持つ第四十二歩兵連隊第一大隊")

    def with_long_names(army: Army) -> Army:
        brigades = tuple(
            Brigade(b.number, tuple(msgspec.structs.replace(u, name=long) for u in b.units), long)
            for b in army.brigades
        )
        return Army(army.player, brigades)

    armies = {player: with_long_names(army) for player, army in scenario.armies.items()}
    whole = replace(scenario, armies=armies, origin=Origin(GAME))
    made = game.kit(whole, check(game.rules, whole), "a-b-c", "muster print x.toml")
    assert preflight(print_kit(made, PrintSettings(lang, paper)), paper, lang) == []
