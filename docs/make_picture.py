"""Makes the README's picture: the map page of the documentation's example code, as Muster prints it."""

from __future__ import annotations

from pathlib import Path

from generator import games
from generator.model.scenario import Request
from generator.press.book import print_kit
from generator.press.edition import Edition
from generator.press.svg import page_png
from generator.rules import check
from generator.store.write import write

CODE = "K7Q2M-9FHN5"
MAP_PAGE = 2


def main() -> None:
    """Write docs/map.png."""
    game = games.load("call_to_arms")
    scenario = game.draw(Request(CODE, {}, {}))
    kit = game.kit(scenario, check(game.rules, scenario), CODE, f"muster kit --seed {CODE}")
    write(Path(__file__).parent / "map.png", page_png(print_kit(kit, Edition("en")), MAP_PAGE, 110))


if __name__ == "__main__":
    main()
