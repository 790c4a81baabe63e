"""What Call to Arms prints without a scenario, to be read and written on: reference and blank sheets."""

from __future__ import annotations

from generator.games.battlelore.forces.council import council_tables
from generator.games.battlelore.pages import prints as base
from generator.games.battlelore.pages.posters import boards_print
from generator.games.call_to_arms.forces.specialists import specialists
from generator.games.call_to_arms.pages.quick import deployment_sheet
from generator.games.call_to_arms.words import words
from generator.games.capability import Printable
from generator.model.words import Words, joined


def needed() -> dict[str, Words]:
    """The Specialists that need a class of Lore Master, by class."""
    cards = specialists().values()
    by_class = {c.id: [card.name for card in cards if card.needs == c.id] for c in council_tables().classes}
    return {name: joined(found) for name, found in by_class.items() if found}


def printables() -> tuple[Printable, ...]:
    """Quick reference with odds; side, campaign and council sheets; boards."""
    title = words()["game"]["title"]
    own = ("deployment", words()["quick"]["page"], deployment_sheet)
    return base.reference(title, own), base.sheets(title, cards=True, needed=needed), boards_print(title)
