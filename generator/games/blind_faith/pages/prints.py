"""What Blind Faith prints without a scenario: reference, blank sheets, counters."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

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
        "page": (say["reference"]["title"], lambda options: reference_sheet()),
        "odds": (say["odds"]["title"], lambda options: chances_sheet()),
    }
    sheets: dict[str, tuple[Words, Make]] = {
        "battle": (blank["battle"], lambda options: blank_battle()),
        "siege": (blank["siege"], lambda options: blank_siege()),
        "intercept": (blank["intercept"], lambda options: blank_worksheet(half="half" in options)),
        "stacks": (blank["records"], lambda options: blank_records(half="half" in options)),
        "tables": (blank["tables"], lambda options: tables_sheet()),
    }
    tokens: dict[str, tuple[Words, Make]] = {side: (side_name(side), partial(_side, side)) for side in SIDES}
    tokens["legates"] = (say["pieces"]["legates"], lambda options: legate_run())
    return (
        printable("reference", game, say["reference"]["title"], reference),
        printable("sheets", game, blank["kit"], sheets, ("half",)),
        printable("tokens", game, say["pieces"]["tokens"], tokens),
        boards().printable(),
    )


def _side(side: Side, options: Mapping[str, str]) -> Run:
    return side_run(side)
