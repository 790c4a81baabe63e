"""Tests for prints of Battling without a scenario: counters, cards, arenas and blank sheets."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from generator.errors import WrongUsageError
from generator.games.battling.forces import house_pack, machines
from generator.games.battling.game import GAME
from generator.games.battling.ground import drawing, house_arenas
from generator.games.battling.maps import sheet_file
from generator.games.battling.pages.reference import boards, machine_cards, printables, side_tokens
from generator.model.picture import Text
from generator.model.scenario import Origin, Request
from generator.model.views import Kit, Poster, TextCard, Token
from generator.model.words import LANGS, Lang, Words
from generator.notation import text
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.figures.cards import frame_inset
from generator.press.figures.text_cards import draw_text_card
from generator.press.layout.print_settings import PrintSettings
from generator.rules import check
from tests.games.battling.scenes import CODE
from tests.games.drawn import file_text

VERBS = {what.verb: what for what in printables()}


def fits(kit: Kit, lang: Lang, paper: str) -> None:
    assert preflight(print_kit(kit, PrintSettings(lang, paper, "saver")), paper, lang) == []


def test_every_machine_has_counters_of_every_number_with_a_wreck_behind() -> None:
    run = side_tokens("second", house_pack())
    fronts = [piece.front for piece in run.pieces]
    assert all(isinstance(front, Token) and front.shape == "second" for front in fronts)
    assert len(fronts) == len(machines()) * sheet_file().numbers
    labels = [front.label for front in fronts if isinstance(front, Token)]
    assert labels[: sheet_file().numbers] == [str(n + 1) for n in range(sheet_file().numbers)]
    assert {piece.back.mark for piece in run.pieces if isinstance(piece.back, Token)} == {"wrecked"}


def test_a_card_has_its_line_of_every_chart() -> None:
    for piece, kind in zip(machine_cards(house_pack()).pieces, machines().values(), strict=True):
        card = piece.front
        assert isinstance(card, TextCard)
        assert card.kind.en == kind.caption
        assert card.facts[0][1].en == str(kind.hp)
        shots, against = card.tables
        assert [head.en for head in shots.heads[1:]] == [str(n + 1) for n in range(len(kind.shooting))]
        assert [cell.en for cell in shots.rows[0][1:]] == [str(n or "–") for n in kind.shooting]
        rows = {name.ja: (damage.en, melee.en) for name, damage, melee in against.rows}
        assert rows == {
            other.name.ja: (str(kind.damage[key]), f"{kind.battling[key]:+}".replace("+0", "0"))
            for key, other in machines().items()
        }
        assert card.facts[2][1].en == (f"{kind.armour:+}" if kind.armour else "–")


@pytest.mark.parametrize("lang", LANGS)
def test_a_usual_card_holds_every_chart(lang: Lang) -> None:
    for piece in machine_cards(house_pack()).pieces:
        assert isinstance(piece.front, TextCard)
        drawn = draw_text_card(piece.front, lang, "full", 63.5, 88.9, frame_inset(63.5))
        texts = {text.text for text in drawn.items if isinstance(text, Text)}
        assert {other.name[lang] for other in machines().values()} <= texts


@pytest.mark.parametrize(("verb", "lang"), [("tokens", "ja"), ("cards", "ja"), ("cards", "en")])
def test_pieces_print_in_order(verb: str, lang: Lang) -> None:
    fits(VERBS[verb].make({}), lang, "letter")


def test_arenas_by_name_from_a_code_and_from_a_file(tmp_path: Path) -> None:
    boards_make = boards().make
    all_of_them = boards_make({"seed": CODE})
    assert len(all_of_them.sheets) == len(house_arenas())
    random = boards_make({"seed": CODE, "board": "random"})
    (poster,) = random.sheets
    assert isinstance(poster, Poster)
    assert (random.stamp, poster.cell) == (CODE, sheet_file().hex)
    assert random.sheets == boards_make({"seed": CODE, "board": "random"}).sheets
    path = tmp_path / "mine.toml"
    path.write_text(file_text(house_arenas()["plaza"], text.lines(drawing(house_arenas()["plaza"].ground))), "utf-8")
    (user_poster,) = boards_make({"seed": CODE, "board": str(path)}).sheets
    (house,) = boards_make({"seed": CODE, "board": "plaza"}).sheets
    assert isinstance(user_poster, Poster)
    assert isinstance(house, Poster)
    assert user_poster.view == house.view
    fits(boards_make({"seed": CODE, "board": "plaza"}), "ja", "a4")
    with pytest.raises(WrongUsageError, match="plaza"):
        boards_make({"seed": CODE, "board": "plazza"})


@pytest.mark.parametrize(("lang", "paper"), [("en", "a4"), ("ja", "letter")])
@pytest.mark.parametrize("fixed", [True, False])
def test_unequal_squads_with_long_names_print_without_problems(lang: Lang, paper: str, fixed: bool) -> None:
    """One machine fights six, each with the longest possible name, with and without a prescribed set-up."""
    options = {"arena": "crossroads", "squad-a": "strikedog", "squad-b": "scopedog " * 6, "first": "A"}
    options |= {"place-first": "0707"} if fixed else {}
    scenario = GAME.draw(Request(CODE, options, {}))
    long = Words("Sergeant of the Long Name", "第四中隊所属・長い名前の軍曹と呼ばれる男だった者")
    assert scenario.fixed == fixed
    squads = {
        side: replace(squad, machines=tuple(replace(m, name=long) for m in squad.machines))
        for side, squad in scenario.squads.items()
    }
    renamed = replace(scenario, squads=squads, origin=Origin("battling"))
    made = print_kit(
        GAME.kit(renamed, check(GAME.rules, renamed), "a-b-c", "muster print x.toml"), PrintSettings(lang, paper)
    )
    assert preflight(made, paper, lang) == []
