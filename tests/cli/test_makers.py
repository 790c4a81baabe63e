"""Tests for pieces and boards that other makers and virtual tables use. Every file is opened by another program."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import pairwise
from math import dist
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from PIL import Image

from generator import games
from generator.model.words import LANGS
from generator.press.layout.dies import dies
from generator.press.layout.imposition import Layout, lay_out, lay_out_on_die
from generator.press.layout.paper import papers
from generator.press.tabletop import MAX_PIXELS
from tests.cli.run import muster

MM = 72 / 25.4
FEW = {"call_to_arms": "A1,A2", "battlelore": "units", "battling": "machines"}
"""A few cards of each game that has cards."""
TOKENS = {"call_to_arms": "levies", "battlelore": "lore", "battling": "first", "blind_faith": "legates"}
"""A few tokens of each game whose tokens can be printed in parts."""
CARD_CASES = [(game, lang) for game in FEW for lang in LANGS]


def boxes(file: Path) -> Iterator[tuple[list[float], list[float], list[float]]]:
    """Yield the MediaBox, BleedBox and TrimBox of each page, in mm."""
    with pikepdf.open(file) as pdf:
        for page in pdf.pages:
            yield tuple(  # type: ignore[misc]
                [round(float(side) / MM, 2) for side in box] for box in (page.mediabox, page.bleedbox, page.trimbox)
            )


def rendered(file: Path, page: int = 0, dpi: int = 100) -> Image.Image:
    """Return a page as a picture."""
    image: Image.Image = pypdfium2.PdfDocument(file)[page].render(scale=dpi / 72).to_pil()
    return image


def pixel(image: Image.Image, x: float, y: float, dpi: int = 100) -> tuple[int, ...]:
    """Return the colour at a place in mm from the upper left corner."""
    found = image.convert("RGB").getpixel((int(x / 25.4 * dpi), int(y / 25.4 * dpi)))
    assert isinstance(found, tuple)
    return found


def answer(*args: str) -> Any:
    done = muster(*args, "--json")
    assert done.code == 0, done.err
    return done.json


@pytest.mark.parametrize(("game", "lang"), CARD_CASES)
def test_a_print_service_gets_a_page_for_each_side_of_a_card(here: Path, game: str, lang: str) -> None:
    row = answer("cards", game, "--only", FEW[game], "--lang", lang, "--format", "service", "-o", "cards.pdf")
    assert row["files"] == ["cards.pdf"]
    found = list(boxes(here / "cards.pdf"))
    assert len(found) == row["pages"] > 0 and row["pages"] % 2 == 0
    for media, bleed, trim in found:
        assert media == bleed == pytest.approx([0, 0, 69.5, 94.9], abs=0.01)
        assert trim == pytest.approx([3, 3, 66.5, 91.9], abs=0.01)
    # The background fills the bleed on fronts and backs.
    for page in (0, 1):
        image = rendered(here / "cards.pdf", page)
        assert pixel(image, 0.5, 47) == pixel(image, 3.8, 47) == pixel(image, 69, 47) != (255, 255, 255)


def test_a_page_has_the_bleed_and_the_size_that_the_owner_chose(here: Path) -> None:
    answer(
        "cards", "call_to_arms", "--only", "A1", "--format", "service", "--bleed", "1", "--card", "2.5x3.5in",
        "--single", "-o", "one.pdf",
    )  # fmt: skip
    assert {tuple(media) for media, _, _ in boxes(here / "one.pdf")} == {(0.0, 0.0, 65.5, 90.9)}
    answer("cards", "call_to_arms", "--only", "A1", "--card", "63 × 88 mm", "--format", "png", "--dpi", "254")
    with Image.open(next((here / "output" / "call_to_arms-cards").glob("*a1.png"))) as image:
        assert image.size == (630, 880)


@pytest.mark.parametrize(("game", "lang"), CARD_CASES)
def test_pictures_of_cards_have_bleed_at_the_stated_resolution(here: Path, game: str, lang: str) -> None:
    row = answer(
        "cards", game, "--only", FEW[game], "--lang", lang, "--format", "png", "--bleed", "3", "--dpi", "254",
        "-o", "cards",
    )  # fmt: skip
    for name in row["files"]:
        with Image.open(here / "cards" / name) as image:
            assert image.size == (695, 949)
            assert image.info["dpi"] == pytest.approx((254, 254), abs=0.1)
            assert image.convert("RGB").getpixel((1, 400)) == image.convert("RGB").getpixel((32, 400))


@pytest.mark.parametrize("game", TOKENS)
def test_tokens_go_to_print_services_too(here: Path, game: str) -> None:
    row = answer("tokens", game, "--only", TOKENS[game], "--format", "service", "-o", "tokens.pdf")
    sizes = {tuple(trim[2:]) for _, _, trim in boxes(here / "tokens.pdf")}
    assert row["pages"] > 0 and len(sizes) == 1


@pytest.mark.parametrize("game", FEW)
def test_backs_alone_are_where_they_are_behind_the_fronts(here: Path, game: str) -> None:
    both = answer("cards", game, "--only", FEW[game], "-o", "both.pdf")
    backs = answer("cards", game, "--only", FEW[game], "--backs-only", "-o", "backs.pdf")
    assert both["pages"] == 2 * backs["pages"]
    # The lines of text at the edge differ, because they count the pages.
    box = (60, 60, 700, 1000)
    assert rendered(here / "backs.pdf").crop(box).tobytes() == rendered(here / "both.pdf", 1).crop(box).tobytes()


def test_backs_alone_need_backs(here: Path) -> None:
    refused = muster("cards", "call_to_arms", "--backs-only", "--single")
    assert refused.code == 2 and "--single" in refused.err
    service = answer("cards", "call_to_arms", "--only", "A1", "--backs-only", "--format", "service", "-o", "b.pdf")
    assert service["pages"] == 2  # A1 of both sides


def hex_layout(crop_marks: bool = True) -> Layout:
    return lay_out(papers()["a4"], "hex", (18.2, 18.2 * 2 / 3**0.5), 60, crop_marks=crop_marks)


def test_marks_of_hexes_continue_their_sides_outside_every_bleed() -> None:
    layout = hex_layout()
    marks = layout.marks(len(layout.slots))
    assert len(marks) == 12 * len(layout.slots)
    width, height = layout.piece
    centres = [(x + width / 2, y + height / 2) for x, y in layout.slots]
    for mark in marks:
        for point in mark:
            nearest = min(centres, key=lambda centre: dist(centre, point))
            x, y = (abs(a - b) for a, b in zip(point, nearest, strict=True))
            # The distance from the nearest side of a hex with vertical sides, in mm.
            assert max(x, x / 2 + y * 3**0.5 / 2) - width / 2 >= layout.inner - 1e-6
        assert 1.0 <= dist(*mark) <= 4.0
    # The vertical marks of a hex are on the lines of its vertical sides.
    x, _ = layout.slots[0]
    assert {round(a[0] - x, 6) for a, b in marks[:12] if abs(a[0] - b[0]) < 1e-9} == {0.0, round(width, 6)}
    assert not hex_layout(crop_marks=False).marks(10)


@pytest.mark.parametrize("game", ["call_to_arms", "battlelore"])
def test_hexes_have_marks_instead_of_outlines_if_asked(here: Path, game: str) -> None:
    plain = answer("tokens", game, "--only", "lore", "--single", "-o", "plain.pdf")
    marked = answer("tokens", game, "--only", "lore", "--single", "--crop-marks", "-o", "marked.pdf")
    assert marked["pages"] >= plain["pages"]
    assert rendered(here / "marked.pdf").tobytes() != rendered(here / "plain.pdf").tobytes()


@pytest.mark.parametrize("name", dies())
def test_the_places_of_a_die_are_on_its_paper_and_apart(name: str) -> None:
    die = dies()[name]
    assert not list(die.faults())
    layout = lay_out_on_die(die, die.cut)
    assert len(layout.slots) == die.columns * die.rows
    (left, top), (right, bottom) = layout.slots[0], layout.slots[-1]
    # Sheets are symmetric to a few tenths of a millimetre, so that backs are behind their fronts.
    assert left == pytest.approx(layout.page[0] - right - die.width, abs=0.5)
    assert bottom == pytest.approx(layout.page[1] - top - die.height, abs=1.0)
    for one, other in pairwise(layout.rows[0]):
        assert other[0] - one[0] >= die.width - 0.05
    assert layout.marks(len(layout.slots)) == ()


def test_cards_are_printed_in_the_places_of_a_die(here: Path) -> None:
    answer("cards", "call_to_arms", "--only", "A", "--die", "avery-5371", "--single", "-o", "die.pdf")
    (media, _, trim), *_ = boxes(here / "die.pdf")
    assert media[2:] == pytest.approx([279.4, 215.9], abs=0.01)
    assert trim == pytest.approx([12.7, 19.05, 266.7, 196.85], abs=0.01)


def test_an_unknown_die_gets_its_near_match(here: Path) -> None:
    done = muster("cards", "call_to_arms", "--die", "avery-5372")
    assert done.code == 2 and "avery-5371" in done.err
    done = muster("cards", "call_to_arms", "--die", "avery-5371", "--paper", "a4", "--lang", "ja")
    assert done.code == 2 and "--paper" in done.err and "用紙" in done.err
    done = muster("cards", "call_to_arms", "--die", "avery-3111")
    assert done.code == 2 and "Avery 3111" in done.err


OWN_DIE = """name = { en = "My sheet", ja = "自分の用紙" }
cut = "card"
paper = "a4"
width = 60.0
height = 90.0
columns = 3
rows = 3
left = 15.0
top = 13.5
across = 60.0
down = 90.0
"""


def test_a_die_of_the_owner_is_read_and_its_faults_are_reported(here: Path) -> None:
    (here / "mine.toml").write_text(OWN_DIE, encoding="utf-8")
    answer("cards", "call_to_arms", "--only", "A1", "--die", "mine.toml", "--single", "-o", "mine.pdf")
    ((_, _, trim), *_) = boxes(here / "mine.pdf")
    assert trim == pytest.approx([15, 193.5, 135, 283.5], abs=0.01)
    (here / "mine.toml").write_text(OWN_DIE.replace("across = 60.0", "across = 50.0"), encoding="utf-8")
    done = muster("cards", "call_to_arms", "--die", "mine.toml", "--json")
    assert done.code == 3
    assert [(p["file"], p["line"]) for p in done.json["problems"]] == [("mine.toml", 10)]
    (here / "mine.toml").write_text(OWN_DIE.replace('"a4"', '"a44"').replace("rows", "row"), encoding="utf-8")
    assert "rows" in muster("cards", "call_to_arms", "--die", "mine.toml").err


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--card", "63x8800mm"), "25 to 200 mm"),
        (("--card", "pokr"), "poker"),
        (("--card", "63x"), "63x88mm"),
        (("--bleed", "3"), "--format"),
        (("--bleed", "30", "--format", "png"), "0 to 10 mm"),
        (("--format", "service", "--fold"), "--fold"),
        (("--format", "service", "--gap", "2"), "--gap"),
        (("--die", "avery-5371", "--gap", "2"), "--gap"),
        (("--url", "https://example.org"), "tts"),
        (("--format", "tts", "--url", "not an address"), "https://example.org/cards"),
        (("--format", "tts", "--url", "example.org/cards"), "https://example.org/cards"),
        (("--format", "tts", "--url", "https://example.org/cards?dl=1"), "https://example.org/cards"),
        (("--format", "tts", "--url", "https://[cards"), "https://example.org/cards"),
    ],
)
def test_options_that_cannot_be_used_are_refused_with_the_fix(here: Path, args: tuple[str, ...], words: str) -> None:
    done = muster("cards", "call_to_arms", *args)
    assert done.code == 2 and words in done.err
    assert muster("cards", "call_to_arms", *args, "--lang", "ja").err != done.err
    assert not list(here.iterdir())


URL = "https://example.org/cards"


@pytest.mark.parametrize(("game", "lang"), CARD_CASES)
def test_tabletop_simulator_gets_sheets_backs_and_a_saved_object(here: Path, game: str, lang: str) -> None:
    row = answer("cards", game, "--only", FEW[game], "--lang", lang, "--format", "tts", "--url", URL, "-o", "tts")
    assert row["files"][-1] == "tabletop.json"
    saved = json.loads((here / "tts" / "tabletop.json").read_text(encoding="utf-8"))
    *decks, board = saved["ObjectStates"]
    used = set()
    for deck in decks:
        cards = deck.get("ContainedObjects", [deck])
        assert [card["CardID"] for card in cards] == deck.get("DeckIDs", [deck["CardID"]] if "CardID" in deck else [])
        for card in cards:
            sheet, place = divmod(card["CardID"], 100)
            facts = deck["CustomDeck"][str(sheet)]
            assert 2 <= facts["NumWidth"] <= 10 and 2 <= facts["NumHeight"] <= 7
            assert place < facts["NumWidth"] * facts["NumHeight"]
            assert card["Nickname"] and card["Description"]
        for facts in deck["CustomDeck"].values():
            with Image.open(here / "tts" / facts["FaceURL"].removeprefix(f"{URL}/")) as face:
                assert face.mode == "RGB" and max(face.size) <= MAX_PIXELS
                assert face.width % facts["NumWidth"] == face.height % facts["NumHeight"] == 0
                card_size = face.width // facts["NumWidth"], face.height // facts["NumHeight"]
            with Image.open(here / "tts" / facts["BackURL"].removeprefix(f"{URL}/")) as back:
                assert back.size == card_size
            used |= {facts["FaceURL"], facts["BackURL"]}
    used.add(board["CustomImage"]["ImageURL"])
    assert used == {f"{URL}/{name}" for name in row["files"][:-1]}
    guids = [thing["GUID"] for deck in decks for thing in (deck, *deck.get("ContainedObjects", []))]
    assert len(set(guids)) == len(guids)


def on_table(board: dict[str, Any]) -> list[tuple[float, float]]:
    """Return the places of a board's snap points on the table in inches, seen from the player at the near edge."""
    place = board["Transform"]
    assert place["rotY"] == 180.0
    return [
        (place["posX"] - place["scaleX"] * at["Position"]["x"], place["posZ"] - place["scaleZ"] * at["Position"]["z"])
        for at in board["AttachedSnapPoints"]
    ]


@pytest.mark.parametrize("game", games.names())
def test_snap_points_are_the_centres_of_cells_at_true_size(here: Path, game: str) -> None:
    name = "random" if game != "travel_battle" else ""
    chosen = ("--board", name) if name else ()
    seed = ("--seed", "K7Q2M-9FHN5") if name else ()
    answer("boards", game, *chosen, *seed, "--format", "tts", "--url", URL, "--dpi", "60", "-o", "tts")
    answer("boards", game, *chosen, *seed, "--format", "vtt", "--dpi", "60", "-o", "vtt")
    board, *_ = json.loads((here / "tts" / "tabletop.json").read_text(encoding="utf-8"))["ObjectStates"]
    file = board["CustomImage"]["ImageURL"].removeprefix(f"{URL}/")
    values = json.loads((here / "vtt" / file.replace(".png", ".json")).read_text(encoding="utf-8"))
    points = on_table(board)
    assert len(points) == len(values["cells"])
    # The distances between neighbouring centres are the same in both exports.
    first, second = values["cells"][:2]
    inches = dist((first["x"], first["y"]), (second["x"], second["y"])) / values["dpi"]
    assert dist(points[0], points[1]) == pytest.approx(inches, abs=0.001)
    assert (points[1][0] > points[0][0]) == (second["x"] > first["x"])
    assert board["Transform"]["scaleX"] * 2 == pytest.approx(values["width"] / values["dpi"], abs=0.02)


@pytest.mark.parametrize(("game", "lang"), [(game, lang) for game in games.names() for lang in LANGS])
def test_a_board_for_a_virtual_table_has_its_cells_where_they_are_drawn(here: Path, game: str, lang: str) -> None:
    row = answer("boards", game, "--lang", lang, "--format", "vtt", "--dpi", "50", "-o", "vtt")
    for name in row["files"]:
        if name.endswith(".png"):
            continue
        values = json.loads((here / "vtt" / name).read_text(encoding="utf-8"))
        with Image.open(here / "vtt" / values["picture"]) as image:
            assert image.size == (values["width"], values["height"])
        cells = values["cells"]
        assert len({cell["name"] for cell in cells}) == len({(cell["x"], cell["y"]) for cell in cells}) == len(cells)
        assert all(0 < cell["x"] < values["width"] and 0 < cell["y"] < values["height"] for cell in cells)
        assert all(cell["terrain"] and cell["terrain_name"] for cell in cells)
        apart = min(
            dist((one["x"], one["y"]), (other["x"], other["y"]))
            for at, one in enumerate(cells[:40])
            for other in cells[at + 1 : at + 200]
        )
        assert apart == pytest.approx(values["cell_width"], rel=0.01)
        assert values["shape"] == {"travel_battle": "square", "battling": "hex-flat"}.get(game, "hex-pointy")


def test_the_saved_object_of_this_machine_points_at_the_pictures(here: Path) -> None:
    answer("cards", "call_to_arms", "--only", "A1", "--format", "tts", "-o", "tts")
    text = (here / "tts" / "tabletop.json").read_text(encoding="utf-8")
    assert f"{(here / 'tts').as_uri()}/cards-deployment-cards.png" in text


def test_exports_replace_their_own_unchanged_files(here: Path) -> None:
    """The JSON files of an earlier export to the same folder carry Muster's mark, as the pictures do."""
    cards = ("cards", "call_to_arms", "--only", "A1", "--format", "tts", "-o", "tts")
    boards = ("boards", "battling", "--board", "plaza", "--format", "vtt", "-o", "vtt", "--dpi")
    for export in ((*cards,), (*cards, "--url", URL), (*boards, "50"), (*boards, "60")):
        answer(*export)
    saved = here / "tts" / "tabletop.json"
    saved.write_text(saved.read_text(encoding="utf-8").replace("Deck", "My deck"), encoding="utf-8")
    assert muster(*cards).code == 2


def test_pdf_of_a_service_is_written_to_the_standard_output(here: Path) -> None:
    done = muster("cards", "call_to_arms", "--only", "A1", "--format", "service", "--single", "-o", "one.pdf")
    assert done.code == 0
    with pikepdf.open(io.BytesIO((here / "one.pdf").read_bytes())) as pdf:
        assert len(pdf.pages) == 2 and pdf.Root.MarkInfo.Marked


def duplex(file: Path) -> str:
    with pikepdf.open(file) as pdf:
        return str(pdf.Root.ViewerPreferences.get("/Duplex", ""))


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("cards", "call_to_arms", "--only", "A1"), "/DuplexFlipLongEdge"),
        (("cards", "call_to_arms", "--only", "A1", "--flip", "short"), "/DuplexFlipShortEdge"),
        (("cards", "call_to_arms", "--only", "A1", "--single"), ""),
        (("cards", "call_to_arms", "--only", "A1", "--fold"), ""),
        (("cards", "call_to_arms", "--only", "A1", "--format", "service"), ""),
        (("tokens", "blind_faith", "--only", "legates"), "/DuplexFlipLongEdge"),
        (("reference", "call_to_arms", "--only", "battle"), ""),
        (("printer", "calibrate", "--flip", "short"), "/DuplexFlipShortEdge"),
    ],
)
def test_the_print_dialog_prints_both_sides_if_the_print_has_backs(
    here: Path, args: tuple[str, ...], expected: str
) -> None:
    assert muster(*args, "-o", "print.pdf").code == 0
    assert duplex(here / "print.pdf") == expected


def test_links_have_the_print_flag(here: Path) -> None:
    assert muster("kit", "call_to_arms", "--seed", "K7Q2M-9FHN5", "--parts", "cover,setup", "-o", "kit").code == 0
    with pikepdf.open(here / "kit" / "kit.pdf") as pdf:
        flags = [int(note.get("/F", 0)) for page in pdf.pages for note in page.get("/Annots", [])]
    assert flags and all(flag & 4 for flag in flags)


LARGE = {"a3": (297.0, 420.0), "tabloid": (279.4, 431.8)}
"""Width and height of large papers in mm."""


@pytest.mark.parametrize("game", games.names())
@pytest.mark.parametrize(("at", "lang"), [*enumerate(LANGS)])
def test_kits_on_large_paper_have_larger_text_and_maps(here: Path, game: str, at: int, lang: str) -> None:
    paper = list(LARGE)[(at + games.names().index(game)) % 2]
    kit = ("kit", game, "--seed", "K7Q2M-9FHN5", "--lang", lang, "--parts", "cover,setup,records")
    assert muster(*kit, "--paper", paper, "-o", "large").code == 0
    assert muster(*kit, "-o", "small").code == 0
    with pikepdf.open(here / "large" / "kit.pdf") as large, pikepdf.open(here / "small" / "kit.pdf") as small:
        assert 0 < len(large.pages) <= len(small.pages)
        sides = {tuple(sorted(round(float(side) / MM, 1) for side in page.mediabox[2:])) for page in large.pages}
    assert sides == {LARGE[paper]}
    heights = [largest_text(here / name / "kit.pdf") for name in ("large", "small")]
    assert heights[0] > 1.15 * heights[1]


def largest_text(file: Path) -> float:
    """Return the height of the highest character on the first page, in points."""
    text = pypdfium2.PdfDocument(file)[0].get_textpage()
    boxes_of = (text.get_charbox(at) for at in range(text.count_chars()))
    return max(float(top - bottom) for _, bottom, _, top in boxes_of)


@pytest.mark.parametrize("paper", ["a3", "tabloid"])
def test_booklets_on_large_paper_have_whole_pages(here: Path, paper: str) -> None:
    assert muster("kit", "call_to_arms", "--evening", "--paper", paper, "-o", "kit").code == 0
    sides = {tuple(media[2:]) for media, _, _ in boxes(here / "kit" / "evening.pdf")}
    assert [sorted(size) for size in sides] == [pytest.approx([*LARGE[paper]], abs=0.1)]
