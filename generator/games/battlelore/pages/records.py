"""Record sheets that players fill in by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec
from msgspec.structs import asdict, replace

from generator.common.catalogue import RECORD, Make, printable, user_path
from generator.common.game import Printable
from generator.common.interpretations import readings, rulings
from generator.common.scenario_file import NAMELESS
from generator.common.tables import mark_house_content
from generator.games.battlelore.forces import COMMANDER, Unit, council_tables, titled
from generator.games.battlelore.ground import SIDES, Side, side_name, words
from generator.games.battlelore.maps import hex_name, unit_token
from generator.games.battlelore.model import Battle
from generator.games.battlelore.pages.odds_page import odds_sheet
from generator.games.battlelore.pages.pieces import boards_print
from generator.games.battlelore.pages.reference import battle_sheet, council_page, moves, moves_of, reach
from generator.games.battlelore.pages.sheets import prize_words
from generator.games.battlelore.tables import lore
from generator.model.views import Figure, Kit, Sheet
from generator.model.words import Words, joined, same
from generator.notation import toml


class Campaign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of rows and columns on a campaign sheet."""

    track: int
    battles: int
    cards: int
    units: int


class Room(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of sheets.toml."""

    units: int
    half_units: int
    notes: int
    campaign: Campaign


room = toml.shipped_table("battlelore/sheets.toml", Room)
"""Returns the numbers of rows on the sheets."""


class Record(msgspec.Struct, frozen=True):
    """The record of a camp: a row for each unit with a remark keyed by unit id, below `lines` of text."""

    camp: Side
    units: tuple[Unit, ...]
    remarks: Mapping[str, Words]
    lines: tuple[Words, ...] = ()


_ON_ONE_PAGE = 22
"""Maximum number of rows for both sides on one page, which leaves room for writing."""


_UNITS = 36
"""Maximum number of rows for a camp's losses on the second page of a campaign sheet."""
_WIDE = 8
"""Maximum length of a unit name that shares a line with other text. Longer names have a line of their own."""
_A_PAGE = 33
"""Minimum number of units of a side whose record needs more than one page."""


def record_sheets(battle: Battle, heading: Words, records: Sequence[Record]) -> list[Sheet]:
    """Return a record sheet for each side, or one sheet for both if they fit.

    `heading` is the heading of the remarks.
    """
    texts, views = words()["record"], [_record(battle, heading, of) for of in records]
    figures: list[dict[str, Figure]] = [{unit.id: unit_token(of.camp, unit) for unit in of.units} for of in records]
    made = partial(Sheet, "records", texts["title"])
    rows = sum(len(of.units) + len(of.lines) + bool(battle.board.objectives) for of in records)
    rows += sum(max(map(len, (unit.name.en, unit.name.ja))) > _WIDE for of in records for unit in of.units)
    if rows <= _ON_ONE_PAGE and not figures[0].keys() & figures[1].keys():
        displayed_ = [view | {"side": side_name(of.camp)} for view, of in zip(views, records, strict=True)]
        return [made("battlelore/both.xml", {"sides": displayed_}, figures[0] | figures[1])]
    return [
        made("battlelore/record.xml", view, displayed_, side=side_name(of.camp), pages=1 + len(of.units) // _A_PAGE)
        for of, view, displayed_ in zip(records, views, figures, strict=True)
    ]


def _record(battle: Battle, heading: Words, of: Record) -> dict[str, object]:
    texts = words()["record"]

    def rows(*, placed: bool) -> list[dict[str, object]]:
        units = (unit for unit in of.units if bool(unit.hex) is placed)
        return [_record_row(battle, unit, of.remarks.get(unit.id, same(""))) for unit in units]

    return {
        "rows": rows(placed=True),
        "lost": rows(placed=False),
        "order": texts["first" if battle.first == of.camp else "second"],
        "hand": texts["hand"].fill(n=battle.hand_of(of.camp)),
        "lines": [*of.lines, *_prize_lines(battle)],
        "heading": heading,
        "track": texts["track"].fill(n=battle.banners_of(of.camp)),
        "banners": battle.banners_of(of.camp),
    }


def _prize_lines(battle: Battle) -> list[Words]:
    """Return the victory hexes and their rule as a line; empty if there are none."""
    if not battle.board.objectives:
        return []
    hexes = joined([text for _, text in prize_words(battle.board)], "; ", "、")
    return [words()["record"]["prizes"].fill(hexes=hexes, rule=words()["cover"]["prize_rule"])]


def _record_row(battle: Battle, unit: Unit, remark: Words) -> dict[str, object]:
    kind = unit.kind
    return {
        "id": unit.id,
        "kind": titled(unit),
        "hex": hex_name(battle.board, unit.hex),
        "dice": kind.dice,
        "move": moves_of(kind.move, kind.run),
        "range": reach(kind.range),
        "figures": unit.figures,
        "remark": joined([text for text in (remark, _strength(unit)) if text.en]),
        "traits": joined(_traits(unit), "; ", "、"),
    }


def _traits(unit: Unit) -> list[Words]:
    """Return a unit's natural morale unless it is steady, and what a move costs it in battle."""
    texts, kind, tables = words()["record"], unit.kind, lore()
    morale = tables.races[kind.race].morale
    found = [] if morale == "steady" else [tables.play.morale[morale].name]
    if lost := tables.weapons[kind.weapon].moved:
        found.append(texts["moved"].fill(n=lost) if lost < kind.dice else texts["moved_none"])
    return found


def _strength(unit: Unit) -> Words:
    """Return the figures at the start of a unit that is not full; empty for a full unit."""
    if not unit.extra:
        return NAMELESS
    return words()["record"]["strength"].fill(n=unit.figures, full=unit.kind.figures)


def side_sheet(*, half: bool = False) -> Sheet:
    """Return a blank sheet with a row for each unit of a side. `half` puts two shorter forms on a page."""
    tables, texts = lore(), words()["blank"]
    figures = tables.figures
    colours = [Words(f"{banner.letter} ({banner.name.en})", banner.name.ja) for banner in tables.banners.values()]
    return Sheet(
        part="sheets",
        title=texts["side"],
        template=f"battlelore/{'half' if half else 'side'}.xml",
        view={
            "rows": room().half_units if half else room().units,
            "camps": [side_name(camp) for camp in SIDES],
            "letters": joined([Words(b.letter, b.name.ja) for b in tables.banners.values()], " ", " "),
            "figures": max(figures.foot, figures.mounted),
            "colours": texts["colours"].fill(
                letters=joined(colours, "/", "・"), foot=figures.foot, mounted=figures.mounted
            ),
            "banners": tables.play.banners.maximum,
            "reminders": [
                texts["reminder"].fill(
                    banner=banner.name,
                    dice=banner.dice,
                    foot=moves(banner.move, banner.run, "foot"),
                    mounted=moves(banner.move, banner.run, "mounted"),
                )
                for banner in tables.banners.values()
            ],
            "notes": room().notes,
        },
    )


class Carried(msgspec.Struct, frozen=True):
    """The contents of a filled-in campaign sheet, with a row for each battle and for each unit that lost figures."""

    name: Words
    track: int
    """The number of spaces on the campaign track."""
    space: int
    """The space of the marker on the campaign track."""
    battles: Sequence[Sequence[Words]]
    losses: Mapping[Side, Mapping[str, Sequence[int | None]]]
    """The figures left after each battle in which a unit lost figures, keyed by camp and unit."""


def campaign_sheet(*, cards: bool, carried: Carried | None = None) -> Sheet:
    """Return a campaign sheet with a track and results of battles, and with cards and Specialists if `cards` is True.

    The sheet is blank unless `carried` is given. A long campaign shows only its latest battles.
    """
    plan, texts = room().campaign, words()["blank"]
    council = council_tables()
    track = carried.track if carried else plan.track
    past = len(carried.battles) if carried else 0
    numbers = range(max(0, past - plan.battles), max(0, past - plan.battles) + plan.battles)
    rows = [{"n": n + 1, "cells": carried.battles[n] if carried and n < past else ()} for n in numbers]
    losses = [_losses(carried.losses[camp] if carried else {}, numbers, plan.units) for camp in SIDES]
    apart = max(map(len, losses)) > plan.units
    return Sheet(
        part="sheets",
        pages=1 + apart,
        title=texts["campaign"],
        template="battlelore/campaign.xml",
        view={
            **asdict(plan),
            "name": carried.name if carried else same(""),
            "at": texts["marker"].fill(space=carried.space) if carried else same(""),
            "rows": rows,
            "losses": losses,
            "apart": apart,
            "track": track,
            "track_note": texts["track"].fill(middle=track // 2 + 1, last=track, one=1),
            "camps": [side_name(camp) for camp in SIDES],
            "cards_of": [texts["cards"].fill(camp=side_name(camp)) for camp in SIDES],
            "with_cards": cards,
            "drawn": texts["drawn"].fill(n=plan.cards),
            "seats": [council.name(seat) for seat in council.seats],
        },
    )


def _losses(of: Mapping[str, Sequence[int | None]], numbers: Sequence[int], room: int) -> list[dict[str, object]]:
    """Return table rows of the units of a camp that lost figures in these battles, padded with empty rows.

    If there are more units than rows, the latest ones are returned.
    """
    there = {unit: [left[n] if n < len(left) else None for n in numbers] for unit, left in of.items()}
    lost = [(unit, left) for unit, left in there.items() if any(n is not None for n in left)]
    found: list[dict[str, object]] = [
        {"unit": unit, "left": ["" if n is None else str(n) for n in left]} for unit, left in lost[-_UNITS:]
    ]
    blank: dict[str, object] = {"unit": "", "left": [""] * len(numbers)}
    return found + [blank] * max(0, room - len(found))


def council_sheet(needed: Mapping[str, Words]) -> Sheet:
    """Return a page with a war council for each player. `needed` names the cards that require a class."""
    tables, texts = council_tables(), words()["blank"]
    return Sheet(
        part="sheets",
        title=mark_house_content(texts["council"], tables.source),
        template="battlelore/warcouncil.xml",
        view={
            "camps": [side_name(camp) for camp in SIDES],
            "levels": tables.levels,
            "spend": texts["council_levels"].fill(n=tables.levels),
            "seats": [
                {"name": tables.name(seat), "max_level": tables.bounds(seat).maximum, "brings": _brings(seat, needed)}
                for seat in tables.seats
            ],
            "rules": [asdict(line) for line in tables.rows],
            "notes": room().notes,
        },
    )


def _brings(seat: str, needed: Mapping[str, Words]) -> Words:
    """Return a description of the benefits of a seat of the council."""
    texts = words()["blank"]
    if seat == COMMANDER:
        return texts["command"].fill(hands=joined([same(n) for n in council_tables().command.values()]))
    return texts["needed"].fill(cards=needed[seat]) if seat in needed else texts["master"]


def reference(game: Words, entry: tuple[str, Words, Callable[[], Sheet]]) -> Printable:
    """Return the quick reference, made of the battle page, one additional page and the odds page.

    `entry` describes the additional page by its option word, title and function that makes it.
    """
    texts = words()
    word, title, make = entry
    parts: dict[str, tuple[Words, Make]] = {
        "battle": (texts["quick"]["battle_page"], lambda options: battle_sheet()),
        word: (title, lambda options: make()),
        "odds": (texts["odds"]["title"], lambda options: odds_sheet()),
    }
    return printable("reference", game, texts["quick"]["title"], parts)


def sheets(
    game: Words,
    *,
    cards: bool = False,
    needed: Callable[[], Mapping[str, Words]] = dict,
    carried: Callable[[Path], Carried] | None = None,
) -> Printable:
    """Return the blank record sheets. `cards` and `needed` are passed to `campaign_sheet` and `council_sheet`.

    If the game has campaigns, `carried` reads their records. The campaign sheet is filled in if the user gives a
    record.
    """
    texts = words()["blank"]

    def campaign(options: Mapping[str, str]) -> Sheet:
        record = user_path(options, RECORD)
        return campaign_sheet(cards=cards, carried=carried(record) if carried and record else None)

    parts: dict[str, tuple[Words, Make]] = {
        "side": (texts["side"], lambda options: side_sheet(half="half" in options)),
        "campaign": (texts["campaign"], campaign),
        "council": (texts["council"], lambda options: council_sheet(needed())),
    }
    made = printable("sheets", game, texts["kit"], parts, ("half", RECORD) if carried else ("half",))

    def make(options: Mapping[str, str]) -> Kit:
        return made.make({"only": "campaign", **options} if RECORD in options else options)

    return replace(made, make=make)


def printables(game: Words) -> tuple[Printable, ...]:
    """Return the reference, sheets and boards of BattleLore. `game` is the title of the game."""
    title = words()["quick"]["council_page"]
    entry = ("council", title, lambda: council_page(rulings("battlelore"), readings("battlelore")))
    return reference(game, entry), sheets(game), boards_print(game)
