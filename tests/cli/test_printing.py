"""Tests for `muster cards` and `muster tokens`, which print without a scenario."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from generator.model.views import Kit, MapView, Sheet
from generator.press.layout.imposition import card_sizes
from generator.press.layout.paper import papers
from tests.cli import once
from tests.cli.conftest import CODE
from tests.cli.run import muster


def pages(path: Path) -> int:
    with pikepdf.open(io.BytesIO(path.read_bytes())) as document:
        return len(document.pages)


def test_the_whole_deck_goes_to_output(here: Path) -> None:
    done = muster("cards", "call_to_arms")
    assert (done.code, done.err) == (0, "")
    assert done.out.strip() == "output/call_to_arms-cards.pdf"
    assert pages(here / done.out.strip()) % 2 == 0


@pytest.mark.parametrize("game", ["battlelore", "call_to_arms"])
@pytest.mark.parametrize("verb", ["cards", "tokens"])
@pytest.mark.parametrize("options", [("--lang", "ja", "--paper", "letter"), ("--ink", "saver", "--flip", "short")])
def test_all_of_it_passes_preflight(here: Path, game: str, verb: str, options: tuple[str, ...]) -> None:
    done = muster(verb, game, *options, "-o", "out.pdf")
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize("size", card_sizes())
@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("game", ["call_to_arms", "battling"])
def test_every_card_face_fits_every_card_size(here: Path, game: str, size: str, lang: str) -> None:
    """On the smallest cards, text that would be smaller than 7 pt moves to the reference.

    The card then refers to the reference.
    """
    done = muster("cards", game, "--size", size, "--lang", lang, "--gap", "0", "-o", "out.pdf")
    assert (done.code, done.err) == (0, "")


def test_a_card_in_both_languages_has_one_on_each_side(here: Path) -> None:
    muster("cards", "call_to_arms", "--only", "A1", "--lang", "en+ja", "-o", "both.pdf")
    muster("tokens", "call_to_arms", "--only", "levies", "--lang", "en+ja", "-o", "tokens.pdf")
    assert (pages(here / "both.pdf"), pages(here / "tokens.pdf")) == (2, 2)
    for page, lang in enumerate(("en", "ja")):
        muster("cards", "call_to_arms", "--only", "A1", "--lang", lang, "-o", "one.pdf")
        assert sorted(words(here / "one.pdf", 0))[:20] == sorted(words(here / "both.pdf", page))[:20]


def words(path: Path, page: int) -> set[str]:
    text = pypdfium2.PdfDocument(path)[page].get_textpage().get_text_range()
    return {word for word in text.split() if not word.isdigit()}


def test_fronts_in_both_languages_come_one_after_the_other(here: Path) -> None:
    muster("cards", "call_to_arms", "--only", "A1", "--lang", "en+ja", "--single", "-o", "fronts.pdf")
    assert pages(here / "fronts.pdf") == 2


def test_fronts_only(here: Path) -> None:
    muster("cards", "call_to_arms", "--only", "A1", "--single", "-o", "one.pdf")
    assert pages(here / "one.pdf") == 1


def test_the_same_bytes_every_time(here: Path) -> None:
    muster("tokens", "call_to_arms", "-o", "a.pdf")
    with once.without_cached_results():
        muster("tokens", "call_to_arms", "-o", "b.pdf")
    assert (here / "a.pdf").read_bytes() == (here / "b.pdf").read_bytes()


@pytest.mark.parametrize(
    ("args", "code", "expected"),
    [
        (("cards", "call_to_arms", "--only", "specalists"), 2, "did you mean specialists?"),
        (("cards", "call_to_arms", "--only", ","), 2, "--only is empty"),
        (("tokens", "call_to_arms", "--only", "A1"), 2, "accepted: levies, tiles"),
        (("cards", "cal_to_arms"), 2, "did you mean call_to_arms?"),
        (("cards", "call_to_arms", "--size", "pokr"), 2, "did you mean poker?"),
        (("cards", "call_to_arms", "--gap", "-1"), 2, "from 0 to 30 mm"),
        (("cards", "call_to_arms", "--gap", "nan"), 2, "from 0 to 30 mm"),
        (
            ("cards", "battlelore", "--deck", __file__),
            2,
            "battlelore: this game has no option --deck; commands that "
            "accept the option: muster kit call_to_arms --deck",
        ),
        (
            ("tokens", "battlelore", "--inventory", __file__),
            2,
            "--inventory has no effect on muster tokens; commands that accept the option: muster kit battlelore",
        ),
        (("cards", "call_to_arms", "--deck", "gone.toml"), 2, "gone.toml"),
        (("cards", "call_to_arms", "--deck", __file__), 3, "test_printing.py"),
        (("tokens", "call_to_arms", "--hex", "5"), 2, "give 8 to 80 mm"),
    ],
)
def test_impossible_prints_are_reported(here: Path, args: tuple[str, ...], code: int, expected: str) -> None:
    done = muster(*args)
    assert done.code == code
    assert expected in done.err
    assert not list(here.iterdir())


def test_words_of_only_are_read_as_people_type_them(here: Path) -> None:
    assert muster("cards", "call_to_arms", "--only", " a1、PRAYER , b2", "-o", "out.pdf").code == 0


def test_a_file_that_is_not_a_pdf_is_not_overwritten(here: Path) -> None:
    (here / "notes.pdf").write_text("mine")
    done = muster("cards", "call_to_arms", "--only", "A1", "-o", "notes.pdf")
    assert done.code == 2
    assert "would be replaced" in done.err
    assert (here / "notes.pdf").read_text() == "mine"
    assert "use the name 'notes.pdf'" in muster("cards", "call_to_arms", "-o", "notes.txt").err


@pytest.mark.parametrize("paper", ["a4", "letter", "a3", "tabloid"])
def test_tokens_are_a_hair_smaller_than_the_map_s_hexes(here: Path, paper: str) -> None:
    from generator.games import load
    from generator.games.battlelore.pages.pieces import pieces
    from generator.model.scenario import Request
    from generator.model.views import MapView, Sheet
    from generator.rules import check
    from generator.seeds import parse_code

    game = load("battlelore")
    scenario = game.draw(Request(parse_code("K7Q2M-9FHN5"), {}, {}))
    kit = game.kit(scenario, check(game.rules, scenario), "", "")
    sheet = next(s for s in kit.whole.sheets if isinstance(s, Sheet) and s.part == "map")
    view = next(f for f in sheet.figures.values() if isinstance(f, MapView))
    drawn = map_hex(kit, sheet, view, paper)
    assert 0.96 < pieces().share * pieces().hex[paper] / drawn < 0.99


def map_hex(kit: Kit, sheet: Sheet, view: MapView, paper: str) -> float:
    """Return the width of a hex of the printed map in mm."""
    from unittest.mock import patch

    from msgspec.structs import replace

    from generator.press.book import print_kit
    from generator.press.layout.print_settings import PrintSettings
    from generator.symbols.shapes import Place

    sides: list[float] = []
    whole = Place.fit.__func__  # type: ignore[attr-defined]

    def fit(cls: type[Place], grid: object, *room: object) -> Place:
        place: Place = whole(cls, grid, *room)
        if grid is view.grid:
            sides.append(place.side)
        return place

    with patch.object(Place, "fit", classmethod(fit)):
        print_kit(replace(kit, usual=(sheet,)), PrintSettings("en", paper))
    return sides[-1] * 3**0.5


def test_a_game_without_cards_names_those_that_have_them() -> None:
    from types import SimpleNamespace
    from typing import Any, cast

    from generator.cli.output import find_printable
    from generator.errors import WrongUsageError

    with pytest.raises(WrongUsageError, match=r"chess has no cards .*support this: .*call_to_arms"):
        find_printable(cast(Any, SimpleNamespace(name="chess", prints=())), "cards")


def test_cards_and_tokens_from_users_files(here: Path) -> None:
    from generator.store.folders import shipped_path

    data = shipped_path("data")
    deck = (data / "call_to_arms" / "deck.toml").read_text(encoding="utf-8")
    (here / "mine.toml").write_text(
        deck.replace("Shield Wall", "Hedgehogs").replace('"house"', '"owner"'), encoding="utf-8"
    )
    assert (
        muster("cards", "call_to_arms", "--deck", "mine.toml", "--only", "A1", "--lang", "en", "-o", "a.pdf").code
        == 0
    )
    box = (data / "battlelore" / "inventory.toml").read_text(encoding="utf-8")
    (here / "box.toml").write_text(box.replace("count = 8", "count = 99"), encoding="utf-8")
    assert muster("tokens", "call_to_arms", "--inventory", "box.toml", "--only", "tiles", "-o", "t.pdf").code == 0
    assert pages(here / "t.pdf") == 2
    (here / "box.toml").write_text(box.replace('"marsh"', '"forest"'), encoding="utf-8")
    none = muster("tokens", "call_to_arms", "--inventory", "box.toml", "--only", "tiles")
    assert (none.code, "there are no tokens to print" in none.err) == (2, True)
    output = pypdfium2.PdfDocument(here / "a.pdf")[0].get_textpage().get_text_range()
    assert "Hedgehogs" in output
    assert "your own deployment cards" in output
    assert "house" not in output


def test_pages_as_pictures_come_with_the_very_pdf(here: Path) -> None:
    words = ("kit", "battling", "--seed", CODE, "--parts", "cover,reference")
    assert muster(*words, "-o", "plain").code == 0
    assert muster(*words, "--format", "pages", "--dpi", "40", "-o", "pages").code == 0
    assert Path("pages/kit.pdf").read_bytes() == Path("plain/kit.pdf").read_bytes()
    with pikepdf.open("plain/kit.pdf") as pdf:
        names = {f"page-{number:03}.png" for number in range(1, len(pdf.pages) + 1)}
    assert {path.name for path in Path("pages").iterdir()} == names | {path.name for path in Path("plain").iterdir()}


@pytest.mark.parametrize("paper", papers())
@pytest.mark.parametrize("game", ["battlelore", "call_to_arms"])
def test_cards_and_tokens_are_printed_on_every_paper(here: Path, game: str, paper: str) -> None:
    for verb in ("cards", "tokens"):
        assert muster(verb, game, "--paper", paper, "-o", f"{verb}.pdf").code == 0


def test_a_kit_that_cannot_be_printed_is_said_to_be_illegal(here: Path) -> None:
    muster("draw", "battlelore", "--seed", CODE, "-o", "s.toml")
    text = re.sub(r'(id = "P\d+", hex = )"\w+"', r'\1"I3"', Path("s.toml").read_text("utf-8"))
    Path("s.toml").write_text(text, "utf-8")
    done = muster("print", "s.toml", "-o", "kit")
    assert done.code == 1 and not Path("kit").exists()
    assert "text overlaps" in done.err
    reason = "s.toml: is not legal, which may be why its kit cannot be printed"
    assert f"{reason} (to list the findings, run muster check s.toml)" in done.err


def test_a_kit_of_other_options_is_not_replaced_without_a_note(here: Path) -> None:
    kit = ("kit", "battling", "--seed", CODE, "--parts", "records", "--lang", "en")
    assert not muster(*kit, "--machines", "2").err
    assert not muster(*kit, "--machines", "2", "--ink", "saver").err
    done = muster(*kit)
    assert "contained a kit with the same code but other options, which was replaced" in done.err
    assert f"muster kit battling --seed {CODE} --machines 2 --lang en" in done.err
    assert not muster(*kit).err
