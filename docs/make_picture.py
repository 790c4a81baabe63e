"""Create the pictures for the READMEs, which show pages of the documentation's example code."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from generator import games
from generator.model.scenario import Request
from generator.model.views import Kit
from generator.model.words import Lang
from generator.press.book import print_kit
from generator.press.layout.print_settings import PrintSettings
from generator.press.png import page_png
from generator.rules import check
from generator.store.write import write

CODE = "K7Q2M-9FHN5"
FIRST = "call_to_arms", "cover"
MORE = (
    ("call_to_arms", "setup"),
    ("call_to_arms", "reference"),
    ("travel_battle", "setup"),
    ("blind_faith", "records"),
    ("travel_battle", "cover"),
    ("battling", "cover"),
    ("blind_faith", "cover"),
    ("battling", "records"),
)
"""Four portrait pages, followed by four landscape pages, which are placed below them."""
ACROSS, GAP, SHADOW = 4, 18, 3
"""Number of pages per row, space between pages in pixels, and width of their shadows in pixels."""
FINE, SMALL = 110, 62
"""Resolution of the large picture and of the pages on the small picture, in dots per inch."""


def main() -> None:
    """Write docs/map.png and docs/pages.png, and the Japanese versions with `.ja` in their names."""
    here = Path(__file__).parent
    of: tuple[tuple[Lang, str], ...] = (("en", ""), ("ja", ".ja"))
    for lang, ending in of:
        write(here / f"map{ending}.png", page(*FIRST, lang, FINE))
        write(here / f"pages{ending}.png", together([page(*of, lang, SMALL) for of in MORE]))


def page(name: str, part: str, lang: Lang, dpi: int) -> bytes:
    """Return the first page of a part of a game's kit as a PNG."""
    return page_png(print_kit(_kit(name).only([part]), PrintSettings(lang)), 1, dpi)


def _kit(name: str) -> Kit:
    game = games.load(name)
    scenario = game.draw(Request(CODE, {}, {}))
    return game.kit(scenario, check(game.rules, scenario), CODE, f"muster kit {name} --seed {CODE}")


def together(pages: list[bytes]) -> bytes:
    """Arrange pages in rows on a single picture."""
    images = [Image.open(io.BytesIO(png)).convert("RGB") for png in pages]
    rows = [images[i : i + ACROSS] for i in range(0, len(images), ACROSS)]
    wide = max(sum(image.width for image in row) + GAP * (len(row) + 1) for row in rows)
    whole = Image.new("RGB", (wide, sum(max(i.height for i in row) + GAP for row in rows) + GAP), "#e9e6dd")
    top = GAP
    for row in rows:
        between = (wide - sum(image.width for image in row)) // (len(row) + 1)
        left = between
        for image in row:
            whole.paste(
                "#c2bdb0", (left + SHADOW, top + SHADOW, left + image.width + SHADOW, top + image.height + SHADOW)
            )
            whole.paste(image, (left, top))
            left += image.width + between
        top += max(image.height for image in row) + GAP
    out = io.BytesIO()
    whole.quantize(192).save(out, "PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    main()
