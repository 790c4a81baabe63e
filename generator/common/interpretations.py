"""How the open places of a rule text are read: switches, and readings that are fixed.

Named switches for the readings that the seeds leave open. Fixed readings: what a seed leaves open and we settle
without a switch, from data/<game>/readings.toml.

What hangs on such a reading in a scenario, as its `RulingImpact`s tell: what would be otherwise under another choice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, TypeVar

import msgspec
from msgspec.structs import replace

from generator.common.fairness import Exact, Fairness, certificate
from generator.common.game import GameOption, RulingImpact, option_texts
from generator.common.tables import Listed, place_words, shared_words
from generator.model.scenario import Scenario
from generator.model.words import Words, joined, same
from generator.notation import toml
from generator.notation.option_names import option_name
from generator.rules import Rule, check
from generator.store.folders import shipped_path

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


class Ruling(Listed, frozen=True, forbid_unknown_fields=True):
    """A switch; its first choice is the default."""

    source: Source
    choice: tuple[Choice, ...]
    later: bool = False
    """It came when there were files without it: at its default it is not written down, and they stay as they are."""
    where: str = ""
    """The circumstance in which alone it matters in a battle; empty for one that always may."""

    def __getitem__(self, choice: str) -> Choice:
        return next(c for c in self.choice if c.id == choice)


@lru_cache(16)  # one for each game
def rulings(*games: str) -> Mapping[str, Ruling]:
    """The switches of these games by id, in the order of their files."""
    files = [toml.read(shipped_path("data") / game / "rulings.toml", dict[str, tuple[Ruling, ...]]) for game in games]
    return {ruling.id: ruling for file in files for ruling in file["ruling"]}


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


def ruling_options(switches: Mapping[str, Ruling]) -> tuple[GameOption, ...]:
    """A wish for each switch, named like it."""
    return tuple(
        GameOption(
            option_name(ruling.id),
            option_texts()["ruling"].fill(name=ruling.name),
            tuple(choice.id for choice in ruling.choice),
            default=ruling.choice[0].id,
            names={choice.id: choice.label for choice in ruling.choice},
        )
        for ruling in switches.values()
    )


def chosen(switches: Mapping[str, Ruling], options: Mapping[str, str]) -> dict[str, str]:
    """Every switch as wished for, or else at its default."""
    return defaults(switches) | {
        name: options[option_name(name)] for name in switches if option_name(name) in options
    }


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


@lru_cache(16)  # one for each game
def readings(game: str) -> tuple[Interpretation, ...]:
    """Every fixed reading of the game, in the file's order."""
    return toml.read(shipped_path("data") / game / "readings.toml", dict[str, tuple[Interpretation, ...]])["reading"]


def settled(
    switches: Mapping[str, Ruling], chosen: Mapping[str, str], matters: Mapping[str, Words] = MappingProxyType({})
) -> list[Interpretation]:
    """The switches as they are set: each is a reading too.

    Those on which something hangs stand first, with what.
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


S = TypeVar("S", bound=Scenario)


class Change(msgspec.Struct, frozen=True):
    """One thing that would be otherwise."""

    about: Words
    now: Words
    then: Words


class Outcome(msgspec.Struct, frozen=True):
    """What would be otherwise were a switch set to another choice."""

    ruling: Ruling
    chosen: Choice
    other: Choice
    changes: Mapping[str, tuple[Change, ...]]
    """By stake: all that were compared, those without a change too."""

    @property
    def matters(self) -> bool:
        """Whether anything would be otherwise."""
        return any(self.changes.values())


def all_impacts(
    impacts: Iterable[RulingImpact[S]], rules: tuple[Rule[S], ...], fairness: Fairness[S] | None
) -> tuple[RulingImpact[S], ...]:
    """A game's own stakes, then what may hang on any switch: the findings of a check, and the measures."""
    every = [*impacts, RulingImpact("check", lambda scenario: _findings(rules, scenario))]
    if fairness:
        of = fairness
        every.append(RulingImpact("fairness", lambda scenario: _measures(of, scenario)))
    return tuple(every)


class _Watched(Mapping[str, str]):
    """Rulings that remember for which switches they were asked."""

    def __init__(self, chosen: Mapping[str, str]) -> None:
        self._chosen = chosen
        self.switches_read: set[str] = set()

    def __getitem__(self, switch: str) -> str:
        self.switches_read.add(switch)
        return self._chosen[switch]

    def __iter__(self) -> Iterator[str]:
        self.switches_read.update(self._chosen)
        return iter(self._chosen)

    def __len__(self) -> int:
        return len(self._chosen)


def outcomes(scenario: Any, switches: Mapping[str, Ruling], every: Iterable[RulingImpact[Any]]) -> list[Outcome]:
    """A switch after the other, what each of its other choices would change; raises nothing.

    Where facts come about without a look at a switch, no other choice of it changes them.
    """
    every = tuple(every)
    watched = {stake.id: _Watched(scenario.rulings) for stake in every}
    now = {stake.id: stake.facts(replace(scenario, rulings=watched[stake.id])) for stake in every}
    found = []
    for ruling in switches.values():
        chosen = scenario.rulings[ruling.id]
        relevant = [stake for stake in every if not stake.switches or ruling.id in stake.switches]
        for other in ruling.choice:
            if other.id != chosen:
                under = replace(scenario, rulings={**scenario.rulings, ruling.id: other.id})
                changes = {
                    stake.id: tuple(_changes(stake, now[stake.id], stake.facts(under)))
                    if ruling.id in watched[stake.id].switches_read
                    else ()
                    for stake in relevant
                }
                found.append(Outcome(ruling, ruling[chosen], other, changes))
    return found


def _changes(stake: RulingImpact[Any], now: Mapping[Words, Words], then: Mapping[Words, Words]) -> Iterable[Change]:
    for about in dict.fromkeys((*now, *then)):
        was, would = (facts.get(about, stake.words["otherwise"]) for facts in (now, then))
        if was != would:
            yield Change(about, was, would)


def count_changes(of: Outcome, every: Iterable[RulingImpact[Any]]) -> Words:
    """How much would be otherwise: `14 lines of sight, 1 measure`."""
    by = {stake.id: stake.words for stake in every}
    return joined(
        by[name]["one" if len(changes) == 1 else "many"].fill(n=len(changes))
        for name, changes in of.changes.items()
        if changes
    )


MAX_CHANGES_SHOWN = 8
"""As many changes of a kind are told in lines."""


def outcome_lines(found: Iterable[Outcome], every: Iterable[RulingImpact[Any]]) -> list[Words]:
    """What the switches change, those first that change something; of many changes the first ones."""
    texts, every = shared_words()["stakes"], tuple(every)
    by: dict[str, list[Outcome]] = {}
    for of in found:
        by.setdefault(of.ruling.id, []).append(of)
    lines: list[Words] = []
    for ways in sorted(by.values(), key=lambda ways: not any(of.matters for of in ways)):
        first = ways[0]
        lines.append(texts["head"].fill(name=first.ruling.name, ruling=first.ruling.id, choice=first.chosen.id))
        for of in ways:
            relevant = any(first.ruling.id in stake.switches for stake in every)
            what = count_changes(of, every) if of.matters else texts["nothing" if relevant else "later"]
            lines.append(texts["other"].fill(choice=of.other.id, what=what))
            for changes in of.changes.values():
                lines += [
                    texts["change"].fill(**msgspec.structs.asdict(change)) for change in changes[:MAX_CHANGES_SHOWN]
                ]
                lines += (
                    [texts["more"].fill(n=len(changes) - MAX_CHANGES_SHOWN)]
                    if len(changes) > MAX_CHANGES_SHOWN
                    else []
                )
    return [*lines, texts["compared"].fill(what=joined(stake.words["name"] for stake in every))]


def matters(scenario: Any, switches: Mapping[str, Ruling], every: Iterable[RulingImpact[Any]]) -> dict[str, Words]:
    """The switches on which something hangs in a scenario, each with what: `hill = plateau: 14 lines of sight`."""
    every, texts = tuple(every), shared_words()["stakes"]
    found: dict[str, list[Words]] = {}
    for of in outcomes(scenario, switches, every):
        if of.matters:
            change_words = texts["otherwise"].fill(
                ruling=of.ruling.id, choice=of.other.id, what=count_changes(of, every)
            )
            found.setdefault(of.ruling.id, []).append(change_words)
    return {name: joined(change_words, "; ", "；") for name, change_words in found.items()}


def weighed(
    scenario: Any, switches: Mapping[str, Ruling], every: Iterable[RulingImpact[Any]]
) -> list[Interpretation]:
    """The switches as a scenario sets them, to print: first those on which something hangs here, with what."""
    return settled(switches, scenario.rulings, matters(scenario, switches, every))


def _findings(rules: tuple[Rule[S], ...], scenario: S) -> dict[Words, Words]:
    """What a check finds, by the rule and the place that it blames."""
    texts, found = shared_words()["stakes"], dict[Words, Words]()
    for finding in check(rules, scenario).findings:
        about = texts["finding"].fill(rule=finding.rule.id, where=place_words(finding.where))
        found[about] = joined([found[about], finding.why]) if about in found else finding.why
    return found


def _measures(fairness: Fairness[S], scenario: S) -> dict[Words, Words]:
    """The grade, and every measure of both sides."""
    texts, found = shared_words()["stakes"], certificate(fairness, scenario)
    rows = {row.measure.name: _pair(row.values) for row in found.rows if row.values}
    return {texts["grade"]: same(found.grade or "–"), **rows}


def _pair(values: tuple[Exact, Exact]) -> Words:
    return same(" / ".join(str(value) if value == int(value) else f"{float(value):.4f}" for value in values))
