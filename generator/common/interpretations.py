"""How the open places of a rule text are read: switches, and readings that are fixed.

Named switches for the readings that the seeds leave open.

Fixed readings: what a seed leaves open and we settle without a switch, from data/<game>/readings.toml.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

import msgspec

from generator.common.game import Wish, wish_texts
from generator.model.words import Words, joined, same
from generator.notation import toml
from generator.store.folders import shipped

Source = Literal["seed", "house"]
"""Whose a number, a text or a reading is: the game's own, or ours."""


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to read a rule."""

    id: str
    text: Words
    name: Words = same("")
    """What it comes to in a few words, to choose it by."""

    @property
    def label(self) -> Words:
        """Its name, or where it has none what it says."""
        return self.name if self.name.en else self.text


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A switch; its first choice is the default."""

    id: str
    name: Words
    source: Source
    choice: tuple[Choice, ...]
    later: bool = False
    """It came when there were files without it: at its default it is not written down, and they stay as they are."""
    where: str = ""
    """The circumstance in which alone it matters in a battle; empty for one that always may."""

    def __getitem__(self, choice: str) -> Choice:
        return next(c for c in self.choice if c.id == choice)


class _RulingFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    ruling: tuple[Ruling, ...]


@lru_cache(16)  # one for each game
def rulings(*games: str) -> Mapping[str, Ruling]:
    """The switches of these games by id, in the order of their files."""
    files = [toml.read(shipped("data") / game / "rulings.toml", _RulingFile) for game in games]
    return {ruling.id: ruling for file in files for ruling in file.ruling}


def defaults(switches: Mapping[str, Ruling]) -> dict[str, str]:
    """Every switch at its default."""
    return {ruling.id: ruling.choice[0].id for ruling in switches.values()}


def spelt_out(switches: Iterable[Ruling]) -> dict[str, Words]:
    """What each choice of some switches means, by `switch = choice`."""
    return {f"{of.id} = {choice.id}": choice.text for of in switches for choice in of.choice}


def written(switches: Mapping[str, Ruling], chosen: Mapping[str, str]) -> dict[str, str]:
    """The choices that a scenario file states."""
    usual = defaults(switches)
    return {name: one for name, one in chosen.items() if not switches[name].later or one != usual[name]}


def ruling_wishes(switches: Mapping[str, Ruling]) -> tuple[Wish, ...]:
    """A wish for each switch, named like it."""
    return tuple(
        Wish(
            _option(ruling.id),
            wish_texts()["ruling"].fill(name=ruling.name),
            tuple(choice.id for choice in ruling.choice),
            default=ruling.choice[0].id,
            names={choice.id: choice.label for choice in ruling.choice},
        )
        for ruling in switches.values()
    )


def chosen(switches: Mapping[str, Ruling], wishes: Mapping[str, str]) -> dict[str, str]:
    """Every switch as wished for, or else at its default."""
    return defaults(switches) | {name: wishes[_option(name)] for name in switches if _option(name) in wishes}


def _option(ruling: str) -> str:
    """The name of a switch as an option has it."""
    return ruling.replace("_", "-")


class Interpretation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a rule is read; see docs/formats/readings.md."""

    id: str
    text: Words
    source: Source
    name: Words = same("")
    under: dict[str, str] = {}
    """The choices of rulings with which alone it has a meaning."""
    where: str = ""
    """The circumstance in which alone it matters in a battle; empty for one that always may."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    reading: tuple[Interpretation, ...]


@lru_cache(16)  # one for each game
def readings(game: str) -> tuple[Interpretation, ...]:
    """Every fixed reading of the game, in the file's order."""
    return toml.read(shipped("data") / game / "readings.toml", _File).reading


def settled(
    switches: Mapping[str, Ruling], chosen: Mapping[str, str], matters: Mapping[str, Words] = MappingProxyType({})
) -> list[Interpretation]:
    """The switches as they are set: each is a reading too.

    Those on which something hangs (common/stakes.py) stand first, with what.
    """
    found = []
    for name in sorted(chosen, key=lambda name: name not in matters):
        ruling = switches[name]
        text = ruling[chosen[name]].text
        text = joined([text, matters[name]], " ", "") if name in matters else text
        where = "" if name in matters else ruling.where
        found.append(Interpretation(ruling.id, text, ruling.source, ruling.name, where=where))
    return found


def mattering(of: Iterable[Interpretation], there: Collection[str]) -> list[Interpretation]:
    """Those that may matter in a battle with these circumstances."""
    return [reading for reading in of if not reading.where or reading.where in there]


def interpretation_rows(of: Iterable[Interpretation]) -> list[dict[str, object]]:
    """Readings as a template has them; `house` where one is ours."""
    return [{"name": r.name, "text": r.text, "house": r.source == "house"} for r in of]
