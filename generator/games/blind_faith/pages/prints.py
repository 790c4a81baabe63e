"""What Blind Faith prints without a scenario: reference, blank sheets, counters."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from generator.games.blind_faith.forces.pack import Pack, load_pack
from generator.games.blind_faith.forces.units import SIDES, Side
from generator.games.blind_faith.pages.blanks import tables_sheet
from generator.games.blind_faith.pages.chancesheet import chances_sheet
from generator.games.blind_faith.pages.display import blank_battle, blank_siege
from generator.games.blind_faith.pages.pieces import legate_run, side_run
from generator.games.blind_faith.pages.posters import boards
from generator.games.blind_faith.pages.records import blank_records
from generator.games.blind_faith.pages.reference import reference_sheet
from generator.games.blind_faith.pages.worksheet import blank_worksheet
from generator.games.blind_faith.words import side_name, words
from generator.games.capability import Printable
from generator.games.parts import Make, printable
from generator.model.views import Run
from generator.model.words import Words


def printables() -> tuple[Printable, ...]:
    """What each verb prints that needs no scenario."""
    say = words()
    game, blank = say["blind_faith"]["title"], say["blank"]
    reference: dict[str, tuple[Words, Make]] = {
        "page": (say["reference"]["title"], lambda options: reference_sheet(_pack(options))),
        "odds": (say["odds"]["title"], lambda options: chances_sheet(_pack(options))),
    }
    sheets: dict[str, tuple[Words, Make]] = {
        "battle": (blank["battle"], lambda options: blank_battle(_pack(options))),
        "siege": (blank["siege"], lambda options: blank_siege(_pack(options))),
        "intercept": (blank["intercept"], lambda options: blank_worksheet(half="half" in options)),
        "stacks": (blank["records"], lambda options: blank_records(_pack(options), half="half" in options)),
        "tables": (blank["tables"], lambda options: tables_sheet(_pack(options))),
    }
    tokens: dict[str, tuple[Words, Make]] = {side: (side_name(side), partial(_side, side)) for side in SIDES}
    tokens["legates"] = (say["pieces"]["legates"], lambda options: legate_run(_pack(options)))
    return (
        printable("reference", game, say["reference"]["title"], reference, ("pack",)),
        printable("sheets", game, blank["kit"], sheets, ("half", "pack")),
        printable("tokens", game, say["pieces"]["tokens"], tokens, ("pack",)),
        boards().printable(),
    )


def _side(side: Side, options: Mapping[str, str]) -> Run:
    return side_run(_pack(options), side)


def _pack(options: Mapping[str, str]) -> Pack:
    """The user's pack, or the one that ships."""
    return load_pack(Path(options["pack"]) if "pack" in options else None)
