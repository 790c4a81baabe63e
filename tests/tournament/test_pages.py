"""Tests for wall lists, cards and result slips of an event, with complete names and slips that can be read back."""

from __future__ import annotations

import io
import unicodedata

import pikepdf
import pypdfium2
import pytest
from msgspec.structs import replace

from generator import games
from generator.errors import DataError
from generator.model.picture import Text
from generator.model.scenario import Request
from generator.model.views import Kit
from generator.model.words import LANGS, Lang
from generator.press.book import print_kit
from generator.press.check.content import filled_fields
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf import fonts
from generator.symbols.theme import INKS
from generator.tournament.event import Deal, Event, Scenarios
from generator.tournament.pages import event_kit, fitted_text, notices, player_day, table_number, wall_list
from generator.tournament.pairings import Pairing, Round
from generator.tournament.scores import read_results
from generator.tournament.slips import Seating, read_slip, slips_kit

NAMES = ("佐藤 健一", "Anna Lindqvist", "Niamh O’Connell", "W" * 80, "無" * 80, "Claire de la " * 6)
ROUNDS = (
    Round(1, (Pairing(1, NAMES[0], NAMES[1]), Pairing(2, NAMES[3], NAMES[4]), Pairing(0, NAMES[2], ""))),
    Round(2, (Pairing(1, NAMES[1], NAMES[4]), Pairing(12, NAMES[2], NAMES[0], "Team " * 4))),
)
SEATED = {(one.number, p.table): (p.a, p.b) for one in ROUNDS for p in one.tables}


def event(bid: str = "", played: int = 2) -> Event:
    return Event(games.load("call_to_arms"), Request("K7Q2M-9FHN5", {}, {}), "秋の大会 2026", games=played, bid=bid)


def deal(of: Event, number: int = 1) -> Deal:
    return Scenarios(of, ROUNDS).deal(number)


def page_text(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return "".join("".join(page.get_textpage().get_text_range().split()) for page in document)
    finally:
        document.close()


def without_spaces(text: str) -> str:
    return "".join(unicodedata.normalize("NFC", text).split())


@pytest.mark.parametrize("name", [*NAMES, "Li", "髙﨑" * 40, "@" * 80, "№" * 80, "ﷺ", "Mississippi Illinois"])
@pytest.mark.parametrize(("width", "height"), [(76.0, 18.0), (58.0, 4.4), (16.0, 22.0)])
def test_a_name_of_any_length_stands_whole_in_its_rectangle(name: str, width: float, height: float) -> None:
    fonts.register("ja")
    picture = fitted_text(name, width, height)
    lines = [item for item in picture.items if isinstance(item, Text)]
    assert without_spaces("".join(line.text for line in lines)) == without_spaces(name)
    for line in lines:
        assert fonts.width(line.text, line.size, bold=True) * 25.4 / 72 <= width
        assert line.y - 0.25 * line.size * 25.4 / 72 > -0.5
        assert line.y + 0.8 * line.size * 25.4 / 72 < picture.height + 0.5
        assert line.size >= 7
    assert picture.height == height or len(lines) > 1


@pytest.mark.parametrize("table", [0, 1, 88, 9999])
def test_a_table_s_number_stands_on_one_line(table: int) -> None:
    fonts.register("en")
    texts = [item for item in table_number(table, 18).items if isinstance(item, Text)]
    assert [text.text for text in texts] == [str(table)] * bool(table)
    assert all(fonts.width(text.text, text.size, bold=True) * 25.4 / 72 <= 16 for text in texts)


def test_names_of_several_parts_break_between_them() -> None:
    lines = [item.text for item in fitted_text("-".join(["Anna"] * 16), 76, 18).items if isinstance(item, Text)]
    assert len(lines) > 1 and all(line.endswith("-") for line in lines[:-1])
    lines = [
        item.text
        for item in fitted_text("Claire de la Fontaine-Sainte-Geneviève", 40, 18).items
        if isinstance(item, Text)
    ]
    assert all(line in "Claire de la Fontaine-Sainte-Geneviève" and not line.startswith("-") for line in lines)


def test_a_short_word_before_a_long_one_has_its_own_line() -> None:
    for name in ("Ivo Petrov", "Al Montgomery", "Bartholomew Li"):
        lines = [item.text for item in fitted_text(name, 58, 42, 55, 1.0).items if isinstance(item, Text)]
        assert lines == name.split()


def test_the_names_of_a_wall_list_with_few_tables_have_similar_sizes() -> None:
    pairs = tuple(
        Pairing(n + 1, a, b) for n, (a, b) in enumerate((("Emil Fox", "Carl Ohm"), ("Ivo Petrov", "Bea Ruiz")))
    )
    figures = wall_list(event(), Round(1, pairs)).figures
    texts = [t for key, of in figures.items() if key[0] in "ab" for t in of.items if isinstance(t, Text)]  # type: ignore[union-attr]
    assert max(t.size for t in texts) < 1.4 * min(t.size for t in texts)


def test_short_names_are_legible_from_three_metres() -> None:
    """Six of ten names can be printed in capitals of at least 5 mm."""
    for name in ("佐藤 健一", "Anna Lindqvist", "Marta Kowalczyk", "Niamh O’Connell"):
        assert all(
            item.size * 25.4 / 72 * 0.66 > 5 for item in fitted_text(name, 76, 17).items if isinstance(item, Text)
        )


@pytest.mark.parametrize("players", [2, 24, 64])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_wall_list_fills_whole_pages(players: int, paper: str) -> None:
    pairs = tuple(Pairing(n, f"Player {n}", f"選手 {n}") for n in range(1, players // 2 + 1))
    pdf = print_kit(event_kit(event(), "", wall_list(event(), Round(3, pairs))), PrintSettings("ja", paper))
    assert preflight(pdf, paper, "ja") == []
    assert len(pypdfium2.PdfDocument(pdf)) == 1
    assert all(without_spaces(p.a) in page_text(pdf) and without_spaces(p.b) in page_text(pdf) for p in pairs)


def pages_of_a_day(of: Event) -> Kit:
    day = [player_day(of, name, ROUNDS, {1: deal(of)}) for name in (NAMES[0], NAMES[2], NAMES[3])]
    round_ = notices(replace(of, clock=("9:30-11:10",), notices=("Lunch at 13:00.",)), 1), notices(of, 2)
    return event_kit(of, "", wall_list(of, ROUNDS[0]), wall_list(of, ROUNDS[1]), *round_, *day)


def test_a_wall_list_of_the_longest_names_goes_on_over_pages_and_loses_none() -> None:
    pairs = tuple(Pairing(n, f"{n:02}" + "W" * 78, f"{n:02}" + "無" * 78, "Team " * 15) for n in range(1, 33))
    pdf = print_kit(event_kit(event(), "", wall_list(event(), Round(3, pairs))), PrintSettings("en"))
    assert preflight(pdf, "a4", None) == []
    assert all(p.a in page_text(pdf) and p.b in page_text(pdf) for p in pairs)


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("lang", LANGS)
def test_the_pages_of_a_day_are_in_order(lang: Lang, ink: str) -> None:
    pdf = print_kit(pages_of_a_day(event()), PrintSettings(lang, "letter" if ink == "saver" else "a4", ink))
    assert preflight(pdf, "letter" if ink == "saver" else "a4", lang) == []
    text = page_text(pdf)
    assert all(without_spaces(name) in text for name in NAMES[:5])
    assert "9:30" in text and "11:10" in text and "Lunchat13:00." in text


def fill(pdf: bytes, values: dict[str, str]) -> bytes:
    """Fill form fields as a viewer does, with a state for a tick box and text for a text field."""
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as document:
        for page in document.pages:
            for note in page.get("/Annots", ()):
                value = next((v for name, v in values.items() if str(note.get("/T", "")).endswith(name)), None)
                if value == "tick":
                    note.AS = note.V = pikepdf.Name.On
                elif value is not None:
                    note.V = pikepdf.String(value)
        document.save(out)
    return out.getvalue()


@pytest.mark.parametrize("bid", ["", "banners", "cards"])
@pytest.mark.parametrize("lang", LANGS)
def test_a_filled_slip_is_read_back(lang: Lang, bid: str) -> None:
    of = event(bid)
    blank = print_kit(slips_kit(of, ROUNDS[0], deal(of)), PrintSettings(lang, fillable=True))
    assert preflight(blank, "a4", lang) == []
    assert len(pypdfium2.PdfDocument(blank)) == 2
    assert read_slip("s.pdf", filled_fields(blank), Seating(lambda *at: SEATED.get(at))).rows == ()
    user_input = {
        "/1/a/score/1": "6",
        "/1/b/score/1": "４",
        "/1/a/lost/1": "11",
        "/1/b/lost/1": "20",
        "/1/a/won/1": "tick",
    }
    user_input |= {"/2/a/score/2": "5", "/2/b/score/2": "5", "/1/b/bid/1": "2"}
    table = read_slip("s.pdf", filled_fields(fill(blank, user_input)), Seating(lambda *at: SEATED.get(at)))
    # The slips of both tables were filled in with the same values, for two games each.
    first, second, *others = read_results([table])
    assert (first.round, first.table, first.game, first.a, first.b) == (1, 1, 1, NAMES[0], NAMES[1])
    assert (first.outcome, first.scores, first.lost) == ("a", (6, 4), (11, 20))
    assert first.bids == ((0, 2) if bid else (0, 0))
    assert (second.game, second.outcome, second.scores) == (2, "draw", (5, 5))
    assert [(one.table, one.a) for one in others] == [(2, NAMES[3])] * 2
    assert {row["kit"] for row in table.rows} == {deal(of).kit_by_table[1].stamp}


def test_an_event_of_single_games_has_slips_of_one() -> None:
    of = event(played=1)
    printed = print_kit(slips_kit(of, ROUNDS[1], deal(of, 2)), PrintSettings("en", fillable=True))
    names = {name for page in filled_fields(printed) for name in page if "/won/" in name}
    assert len(names) == 2 * 2 * 2
    assert all("/1/" in name and "/2/a" not in name and "/2/b" not in name for name in names)


def test_faults_of_a_slip_are_reported_with_their_page() -> None:
    of = event()
    blank = print_kit(slips_kit(of, ROUNDS[0], deal(of)), PrintSettings("en", fillable=True))
    both = filled_fields(fill(blank, {"/1/a/won/1": "tick", "/1/b/won/1": "tick"}))
    with pytest.raises(DataError, match="both players are ticked") as caught:
        read_slip("s.pdf", both, Seating(lambda *at: SEATED.get(at)))
    assert [problem.line for problem in caught.value.problems] == [1, 2]
    score = filled_fields(fill(blank, {"/1/a/score/1": "6"}))
    with pytest.raises(DataError, match="is not the slip of A and B"):
        read_slip("s.pdf", score, Seating(lambda *at: ("A", "B")))
    with pytest.raises(DataError, match="no table 1 in round 1"):
        read_slip("s.pdf", score, Seating(lambda *at: None))
    plain = print_kit(slips_kit(of, ROUNDS[0], deal(of)), PrintSettings("en"))
    with pytest.raises(DataError, match="no form fields for a result slip"):
        read_slip("s.pdf", filled_fields(plain), Seating(lambda *at: SEATED.get(at)))
    for broken in (b"", b"%PDF-1.7", blank[: len(blank) // 3]):
        try:
            assert isinstance(filled_fields(broken), tuple)
        except ValueError as error:
            assert str(error)


def test_halves_that_differ_give_no_result() -> None:
    of = event()
    blank = print_kit(slips_kit(of, ROUNDS[0], deal(of)), PrintSettings("en", fillable=True))
    user_input = {f"/1/{seat}/score/{half}": score for seat, half, score in
             (("a", 1, "6"), ("b", 1, "4"), ("a", 2, "4"), ("b", 2, "6"))}  # fmt: skip
    table = read_slip("s.pdf", filled_fields(fill(blank, user_input)), Seating(lambda *at: SEATED.get(at)))
    assert [(row["score_a"], row["score_b"]) for row in table.rows if row["table"] == "1"] == [("6", "4"), ("4", "6")]
    with pytest.raises(DataError, match="this game is already listed"):
        read_results([table])
