"""The record of a campaign: battles with the same cards, the marker, and the remaining figures of units.

Campaigns, with their track and the losses that carry over, are house rules. The cell of its card identifies a unit
in all battles, so `A5 c4` is the same unit whenever the camp plays card A5. The unit begins a battle with the
figures that it had at the end of the previous battle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Literal

import msgspec

from generator.common.game import DRAW, Carried, Ended
from generator.common.scenario_file import Short
from generator.common.tables import words
from generator.errors import DataError, NotInOrderError
from generator.games.battlelore.forces import Unit
from generator.games.battlelore.ground import SIDES, Side, side_name
from generator.games.battlelore.tables import lore
from generator.games.call_to_arms.cards import cell_name
from generator.games.call_to_arms.model import Scenario
from generator.localization import tr
from generator.model.words import Words, in_words, joined, same
from generator.notation import text
from generator.notation.toml import Source
from generator.notation.validation import KeyPath, name_text

MAX_BATTLES = 20
"""Maximum number of battles in a campaign. The marker usually reaches an end of the track earlier."""
FORM = r"[A-Z][0-9]+(/[a-z]+)? [a-z][0-9]+"
"""The pattern of the name of a unit in a record: a card and a cell on the card."""
_Count = Annotated[int, msgspec.Meta(ge=0, le=99)]
_Left = dict[str, _Count]
_Cards = Annotated[tuple[Short, ...], msgspec.Meta(max_length=4)]


class Cards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cards of both camps in a battle: left, centre, right, reserve."""

    pennant: _Cards = ()
    """The Pennant camp's cards."""
    standard: _Cards = ()
    """The Standard camp's cards."""


class Left(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The remaining figures of units that lost some, by card and cell."""

    pennant: _Left = {}
    """The units of the Pennant camp."""
    standard: _Left = {}
    """The units of the Standard camp."""

    def of(self, camp: Side) -> dict[str, int]:
        """Return the remaining figures of a camp's reduced units, keyed by card and cell."""
        return self.pennant if camp == "pennant" else self.standard


class Battle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A battle of the campaign."""

    winner: Literal["pennant", "standard", "draw"]
    """The side that won."""
    title: Words | str = ""
    """The name of the battle, in both languages."""
    kit: Short = ""
    """The code or content hash on the pages of the kit."""
    map: Short = ""
    """The map of the battle."""
    banners: Annotated[tuple[_Count, ...], msgspec.Meta(min_length=2, max_length=2)] = (0, 0)
    """The victory banners of the Pennant camp and of the Standard camp."""
    cards: Cards = Cards()
    """The cards used in the battle."""
    left: Left = Left()
    """The remaining figures of units that lost some; 0 for lost units."""


class RecordFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The record of a campaign."""

    title: Annotated[Words | str, name_text()]
    """The title of the campaign, in both languages or as one string for both."""
    track: Annotated[int, msgspec.Meta(ge=3, le=21)]
    """The number of spaces of the track, which is odd; the marker starts in the middle."""
    battle: Annotated[tuple[Battle, ...], msgspec.Meta(max_length=MAX_BATTLES)] = ()
    """The battles, in the order in which they were fought."""


class Record(msgspec.Struct, frozen=True, dict=True):
    """A campaign with the battles fought until now."""

    name: Words
    track: int
    battles: tuple[Battle, ...]
    source: str = "own"

    @cached_property
    def spaces(self) -> tuple[int, ...]:
        """The space of the marker after each battle, counted from 1."""
        at, found = self.track // 2 + 1, list[int]()
        for battle in self.battles:
            at += {SIDES[0]: 1, SIDES[1]: -1, DRAW: 0}[battle.winner]
            found.append(at)
        return tuple(found)

    @property
    def space(self) -> int:
        """The present space of the marker, counted from 1."""
        return self.spaces[-1] if self.spaces else self.track // 2 + 1

    @property
    def winner(self) -> Side | None:
        """The camp that has won the campaign by moving the marker to its end of the track, or None."""
        return {1: SIDES[1], self.track: SIDES[0]}.get(self.space)

    def losses(self, camp: Side) -> dict[str, list[int | None]]:
        """Return the figures left after each battle of each reduced unit.

        Battles in which it lost no figures have None.
        """
        found: dict[str, list[int | None]] = {}
        for at, battle in enumerate(self.battles):
            for unit, figures in battle.left.of(camp).items():
                found.setdefault(unit, [None] * len(self.battles))[at] = figures
        return found

    def weak(self, camp: Side) -> dict[str, int]:
        """Return the figures with which a camp's reduced units begin the next battle. Lost units have 0."""
        return {unit: figures for battle in self.battles for unit, figures in battle.left.of(camp).items()}


def read_record(source: Source) -> Record:
    """Read the record of a campaign.

    Raises DataError with every fault and its line.
    """
    of = source.read(RecordFile)
    DataError.raise_if_any(source.problem(*fault) for fault in _faults(of))
    return Record(in_words(of.title), of.track, of.battle)


def _faults(of: RecordFile) -> Iterator[tuple[KeyPath, str]]:
    """Yield faults: a track without a middle, battles after the end, units with impossible names or figures."""
    if not of.track % 2:
        yield ("track",), tr("the number must be odd, because the marker starts in the middle")
    for at, battle in enumerate(of.battle):
        before = Record(same(""), of.track, of.battle[:at])
        if before.winner:
            yield ("battle", at), tr("the campaign ended before this battle")
        for camp in SIDES:
            weak, cards = before.weak(camp), battle.cards.pennant if camp == "pennant" else battle.cards.standard
            for unit, figures in battle.left.of(camp).items():
                keys = ("battle", at, "left", camp, unit)
                max_figures = weak.get(unit, max(lore().figures.foot, lore().figures.mounted) + 1)
                if not re.fullmatch(FORM, unit):
                    yield (
                        keys,
                        tr("{unit!r} is not valid; write a card and a cell on it, such as A5 c4", unit=unit[:40]),
                    )
                if figures > max_figures:
                    yield (
                        keys,
                        tr(
                            "the number of figures left is {n}, but the unit has only {most}",
                            n=figures,
                            most=max_figures,
                        ),
                    )
                if cards and unit.partition(" ")[0] not in cards:
                    yield keys, tr("{card} was not played in this battle", card=unit.partition(" ")[0])


def units(scenario: Scenario) -> Mapping[str, int]:
    """Return the number of figures of every unit on the board after the set-up, keyed by id."""
    return {unit.id: unit.figures for _, unit in scenario.final.units}


def carry(source: Source, scenario: Scenario, stamp: str, end: Ended) -> Carried:
    """Return the record with one more battle.

    Raises:
        DataError: If the record is invalid.
        NotInOrderError: If the campaign is over.
    """
    before = read_record(source)
    if before.winner:
        raise NotInOrderError(tr("this campaign is over"))
    left: dict[str, dict[str, int]] = {}
    for camp, unit in scenario.final.units:
        label, weak = _label(unit), before.weak(camp)
        # The scenario has full units. Subtract the figures that the unit lacked at the start of this battle.
        figures = max(0, end.left[unit.id] - (unit.figures - weak.get(label, unit.figures)))
        if label and figures < weak.get(label, unit.figures):
            left.setdefault(camp, {})[label] = figures
    forces = scenario.forces.items()
    row: dict[str, object] = {"title": msgspec.to_builtins(scenario.title), "kit": stamp, "map": scenario.map}
    row |= {"winner": DRAW if end.winner is None else SIDES[end.winner], "banners": list(end.counted)}
    row |= {"cards": {camp: list(force.keys) for camp, force in forces}}
    row |= {"left": left} if left else {}
    whole = "\n".join([source.text.rstrip("\n"), "", "[[battle]]", *text.lines(row), ""])
    after = read_record(Source(source.name, whole))
    kit: tuple[tuple[list[str], Mapping[str, str | bool]], ...]
    kit = () if after.winner else ((["muster", "kit", "call_to_arms"], {"map": scenario.map}),)
    return Carried(whole, {}, tuple(describe_campaign(after)), kit)


def _label(unit: Unit) -> str:
    """Return the name of a unit in a record, or an empty text if the unit is not from a card."""
    label = f"{unit.card} {cell_name(unit.cell)}" if unit.card else ""
    return label if re.fullmatch(FORM, label) else ""


def describe_campaign(record: Record) -> Iterator[Words]:
    """Yield lines that describe the state of a campaign."""
    say_ = words("call_to_arms")["campaign"]
    yield say_["stands"].fill(space=record.space, track=record.track)
    for camp in SIDES:
        weak = record.weak(camp)
        rows = [say_["weak" if n else "gone"].fill(unit=unit, n=n) for unit, n in weak.items()]
        if rows:
            yield say_["begins"].fill(camp=side_name(camp), units=joined(rows))
    if record.winner:
        yield say_["won"].fill(camp=side_name(record.winner))
