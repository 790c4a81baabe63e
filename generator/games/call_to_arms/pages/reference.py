"""The procedure on a page, and what is printed without a scenario.

The quick reference's second page: deployment, Specialists, war council, rulings.

What Call to Arms prints without a scenario, to be read and written on: reference and blank sheets.
"""

from __future__ import annotations

from functools import cache
from itertools import groupby
from pathlib import Path

import msgspec
from msgspec import UNSET, UnsetType

from generator.common.catalogue import RANDOM
from generator.common.game import DRAW, Printable
from generator.games.battlelore.forces import council_tables
from generator.games.battlelore.ground import SIDES, section_name, side_name
from generator.games.battlelore.house_maps import house_maps
from generator.games.battlelore.pages import records as base
from generator.games.battlelore.pages.pieces import boards_print
from generator.games.battlelore.pages.reference import NO_LIMIT, closing
from generator.games.call_to_arms.cards import SET_SIZE
from generator.games.call_to_arms.record import load_record
from generator.games.call_to_arms.specialists import Specialist, lore_only, specialists
from generator.games.call_to_arms.tables import fixed_readings, numbers, switches, words
from generator.model.views import Sheet
from generator.model.words import Words, joined, same
from generator.notation import toml
from generator.store.folders import shipped


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step of the deployment: what both modes do, or what each does."""

    name: Words
    both: Words | UnsetType = UNSET
    impromptu: Words | UnsetType = UNSET
    organized: Words | UnsetType = UNSET


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    step: tuple[Step, ...]


@cache
def steps() -> tuple[Step, ...]:
    """procedure.toml as it stands."""
    return toml.read(shipped("data") / "call_to_arms" / "procedure.toml", _File).step


def deployment_sheet() -> Sheet:
    """The page, with the words that a template in this game's folder does not find itself."""
    facts = _facts()
    return Sheet(
        part="reference",
        title=words()["quick"]["page"],
        template="call_to_arms/quick.xml",
        pages=2,
        view={
            **closing(switches(), fixed_readings()),
            "steps": [
                {
                    "name": step.name,
                    "texts": [
                        text.fill(**facts)
                        for text in (step.both, step.impromptu, step.organized)
                        if isinstance(text, Words)
                    ],
                }
                for step in steps()
            ],
            "specialists": [_row(card) for card in specialists().values()],
        },
    )


def _facts() -> dict[str, object]:
    """The numbers of the procedure."""
    tables = numbers()
    one, two = (tables.mode[mode].sets for mode in ("impromptu", "organized"))
    return {
        "one": one,
        "two": two,
        "cards": SET_SIZE,
        "double": two * SET_SIZE,
        "drawn": tables.drawn,
        "tie_dice": tables.tie_dice,
        "second_reserves": tables.second_reserves,
        "reveal": joined(map(section_name, tables.mode["organized"].reveal)).low,
        **{f"pick{i}": len(list(run)) for i, (_, run) in enumerate(groupby(tables.picks))},
    }


def _row(card: Specialist) -> dict[str, object]:
    say = words()["quick"]
    return {
        "name": card.label,
        "master": council_tables().name(card.needs) if card.needs else same(NO_LIMIT),
        "games": lore_only(say["lore_only"]) if card.lore_only else say["any"],
        "effect": card.told,
    }


def needed() -> dict[str, Words]:
    """The Specialists that need a class of Lore Master, by class."""
    cards = specialists().values()
    by_class = {c.id: [card.label for card in cards if card.needs == c.id] for c in council_tables().classes}
    return {name: joined(found) for name, found in by_class.items() if found}


def _carried(path: Path) -> base.Carried:
    """What a campaign's record tells, as its sheet has it; DataError for a bad one."""
    of, maps = load_record(path), {name: found.name for name, found in house_maps().items()} | {RANDOM: same("")}
    winners: dict[str, Words] = {camp: side_name(camp) for camp in SIDES} | {DRAW: words()["campaign"][DRAW]}
    battles = [
        (
            maps.get(battle.map, same(battle.map)),
            *(same(" ".join(cards)) for cards in (battle.cards.pennant, battle.cards.standard)),
            winners[battle.winner],
            same(f"{battle.banners[0]} : {battle.banners[1]}"),
            same(space),
        )
        for battle, space in zip(of.battles, of.spaces, strict=True)
    ]
    return base.Carried(of.name, of.track, of.space, battles, {camp: of.losses(camp) for camp in SIDES})


def printables() -> tuple[Printable, ...]:
    """Quick reference with odds; side, campaign and council sheets; boards."""
    title = words()["game"]["title"]
    own = ("deployment", words()["quick"]["page"], deployment_sheet)
    blank = base.sheets(title, cards=True, needed=needed, carried=_carried)
    return base.reference(title, own), blank, boards_print(title)
