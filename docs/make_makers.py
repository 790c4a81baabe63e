"""Create the pictures of docs/makers.md, which show the exports for makers with their boxes and centres marked."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pikepdf
import pypdfium2
from PIL import Image, ImageDraw

from generator import games
from generator.model.views import Kit
from generator.model.words import Lang
from generator.press import silent
from generator.press.board_cells import board_files
from generator.press.book import print_kit
from generator.press.layout.dies import find_die
from generator.press.layout.imposition import Imposition
from generator.press.layout.print_settings import PrintSettings
from generator.press.service import print_service_pdf
from generator.press.tabletop import tabletop_files
from generator.store.write import write

GAME = "call_to_arms"
HEIGHT, GAP = 460, 16
"""Height of the pictures and space between them, in pixels."""
TRIM, CENTRE = "#d4009a", "#c00000"


def main() -> None:
    """Write docs/makers.png and docs/makers.ja.png."""
    of: tuple[tuple[Lang, str], ...] = (("en", ""), ("ja", ".ja"))
    for lang, ending in of:
        rows = [
            [service_page(lang), piece_page("tokens", "units", lang, Imposition(crop_marks=True), zoom=2.6)],
            [piece_page("cards", "A", lang, Imposition(die=find_die("avery-5371"))), board_with_centres(lang)],
            [sheet_of_cards(lang)],
        ]
        write(Path(__file__).parent / f"makers{ending}.png", together(rows))


def made(verb: str, only: str | None) -> Kit:
    """Return what the game prints with a command."""
    printable = next(found for found in games.load(GAME).prints if found.verb == verb)
    return printable.make({"paper": "a4"} | ({"only": only} if only else {}))


def service_page(lang: Lang) -> Image.Image:
    """Return a page for a print service, with a line along its TrimBox."""
    pdf = print_service_pdf(made("cards", "A1"), 3.0, PrintSettings(lang), silent)
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        trim = [float(side) for side in opened.pages[0].trimbox]
    image = rendered(pdf)
    scale = image.height / pypdfium2.PdfDocument(pdf)[0].get_height()
    left, bottom, right, top = (scale * side for side in trim)
    ImageDraw.Draw(image).rectangle((left, image.height - top, right, image.height - bottom), outline=TRIM, width=2)
    return image


def piece_page(verb: str, only: str, lang: Lang, imposition: Imposition, zoom: float = 1.0) -> Image.Image:
    """Return the first page of pieces, or its upper left part, `zoom` times as large."""
    paper = imposition.die.paper if imposition.die else "a4"
    image = rendered(print_kit(made(verb, only), PrintSettings(lang, paper, imposition=imposition)), zoom)
    return image.crop((0, 0, min(image.width, int(HEIGHT * 1.55)), HEIGHT)) if zoom > 1 else image


def sheet_of_cards(lang: Lang) -> Image.Image:
    """Return a sheet of cards for Tabletop Simulator."""
    files = tabletop_files(made("cards", "units"), PrintSettings(lang), 90, "", silent)
    return Image.open(io.BytesIO(next(content for name, content in files.items() if name.endswith("cards.png"))))


def board_with_centres(lang: Lang) -> Image.Image:
    """Return a board with a dot at the centre of each cell, as its JSON file gives it."""
    kit = made("boards", None)
    files = board_files(kit.only(["boards"]), PrintSettings(lang), 40, silent)
    values = json.loads(next(content for name, content in files.items() if name.endswith(".json")))
    image = Image.open(io.BytesIO(files[values["picture"]])).convert("RGB")
    draw = ImageDraw.Draw(image)
    for cell in values["cells"]:
        draw.ellipse((cell["x"] - 4, cell["y"] - 4, cell["x"] + 4, cell["y"] + 4), fill=CENTRE)
    return image


def rendered(pdf: bytes, zoom: float = 1.0) -> Image.Image:
    """Return the first page of a PDF as a picture, `zoom` times as high as other pictures."""
    page = pypdfium2.PdfDocument(pdf)[0]
    image: Image.Image = page.render(scale=zoom * HEIGHT / page.get_height()).to_pil()
    return image.convert("RGB")


def together(rows: list[list[Image.Image]]) -> bytes:
    """Arrange pictures in rows of equal width on a single picture."""
    width = 1180
    placed: list[tuple[Image.Image, int, int]] = []
    y = GAP
    for row in rows:
        room = width - GAP * (len(row) + 1)
        height = int(room / sum(image.width / image.height for image in row))
        x = GAP
        for image in row:
            wide = int(height * image.width / image.height)
            placed.append((image.resize((wide, height), Image.Resampling.LANCZOS), x, y))
            x += wide + GAP
        y += height + GAP
    whole = Image.new("RGB", (width, y), "#d8d4c8")
    for image, x, top in placed:
        whole.paste(image, (x, top))
    out = io.BytesIO()
    whole.quantize(256).save(out, "PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    main()
