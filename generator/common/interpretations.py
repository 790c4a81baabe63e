"""Rulings on rules that the rule text leaves open, and their effects on a scenario.

A switch has several choices (data/<game>/rulings.toml). A fixed reading has only one (data/<game>/readings.toml). A
`RulingImpact` compares a scenario under two choices.
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
"""The origin of a number, text or reading: the rules of the game (`seed`) or Muster (`house`)."""


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to read a rule."""

    id: str
    text: Words
    name: Words = same("")
    """A short name by which a user can select the choice."""

    @property
    def label(self) -> Words:
        """The name of the choice, or its text if it has no name."""
        return self.name if self.name.en else self.text


class Ruling(Listed, frozen=True, forbid_unknown_fields=True):
    """A switch between rulings. The first choice is the default."""

    source: Source
    choice: tuple[Choice, ...]
    later: bool = False
    """Whether the switch is newer than some scenario files.

    Scenario files omit such a switch at its default, so that older files stay unchanged.
    """
    where: str = ""
    """The only circumstance in which the switch matters in a battle. Empty if it can always matter."""

    def __getitem__(self, choice: str) -> Choice:
        return next(c for c in self.choice if c.id == choice)


@lru_cache(16)  # One entry per game.
def rulings(*games: str) -> Mapping[str, Ruling]:
    """Return the switches of these games keyed by id, in the order of their files."""
    files = [toml.read(shipped_path("data") / game / "rulings.toml", dict[str, tuple[Ruling, ...]]) for game in games]
    return {ruling.id: ruling for file in files for ruling in file["ruling"]}


def defaults(switches: Mapping[str, Ruling]) -> dict[str, str]:
    """Return the default choice of every switch."""
    return {ruling.id: ruling.choice[0].id for ruling in switches.values()}


def choice_texts(switches: Iterable[Ruling]) -> dict[str, Words]:
    """Return the texts of all choices of these switches, keyed by `switch = choice`."""
    return {f"{of.id} = {choice.id}": choice.text for of in switches for choice in of.choice}


def stated_choices(switches: Mapping[str, Ruling], chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the choices to write to a scenario file, which omits newer switches at their default."""
    usual = defaults(switches)
    return {name: one for name, one in chosen.items() if not switches[name].later or one != usual[name]}


def ruling_options(switches: Mapping[str, Ruling]) -> tuple[GameOption, ...]:
    """Return an option for each switch, named after the switch."""
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


def chosen_rulings(switches: Mapping[str, Ruling], options: Mapping[str, str]) -> dict[str, str]:
    """Return the choice of every switch: the requested one, or else the default."""
    return defaults(switches) | {
        name: options[option_name(name)] for name in switches if option_name(name) in options
    }


class Interpretation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The way in which a rule is read; see docs/formats/readings.md."""

    id: str
    text: Words
    source: Source
    name: Words = same("")
    under: dict[str, str] = {}
    """The choices under which the reading has a meaning, keyed by switch. Empty if it has a meaning under all
    choices.
    """
    where: str = ""
    """The only circumstance in which the reading matters in a battle. Empty if it can always matter."""


@lru_cache(16)  # One entry per game.
def readings(game: str) -> tuple[Interpretation, ...]:
    """Return every fixed reading of the game, in the order of its file."""
    return toml.read(shipped_path("data") / game / "readings.toml", dict[str, tuple[Interpretation, ...]])["reading"]


def interpretations_of(
    switches: Mapping[str, Ruling], chosen: Mapping[str, str], matters: Mapping[str, Words] = MappingProxyType({})
) -> list[Interpretation]:
    """Return the chosen rulings as interpretations. Rulings that affect the scenario come first.

    `matters` maps a switch to its effects on the scenario, which are appended to the text of the ruling.
    """
    found = []
    for name in sorted(chosen, key=lambda name: name not in matters):
        ruling = switches[name]
        text = ruling[chosen[name]].text
        text = joined([text, matters[name]], " ", "") if name in matters else text
        where = "" if name in matters else ruling.where
        found.append(Interpretation(ruling.id, text, ruling.source, ruling.name, where=where))
    return found


def applicable(of: Iterable[Interpretation], there: Collection[str]) -> list[Interpretation]:
    """Return the interpretations that can matter in a battle with the circumstances `there`."""
    return [reading for reading in of if not reading.where or reading.where in there]


def interpretation_rows(of: Iterable[Interpretation]) -> list[dict[str, object]]:
    """Return interpretations as rows for a template. `house` is true for interpretations by Muster."""
    return [{"name": r.name, "text": r.text, "house": r.source == "house"} for r in of]


S = TypeVar("S", bound=Scenario)


class Change(msgspec.Struct, frozen=True):
    """A fact that would differ under another interpretation of the rules."""

    about: Words
    now: Words
    then: Words


class Outcome(msgspec.Struct, frozen=True):
    """The changes that setting a switch to another choice would make."""

    ruling: Ruling
    chosen: Choice
    other: Choice
    changes: Mapping[str, tuple[Change, ...]]
    """The changes keyed by the id of the part. Every compared part has an entry, even if it has no changes."""

    @property
    def matters(self) -> bool:
        """Whether the other choice would change anything."""
        return any(self.changes.values())


def all_impacts(
    impacts: Iterable[RulingImpact[S]], rules: tuple[Rule[S], ...], fairness: Fairness[S] | None
) -> tuple[RulingImpact[S], ...]:
    """Return the impacts specific to a game, followed by the findings of a check and the measures of fairness."""
    every = [*impacts, RulingImpact("check", lambda scenario: _findings(rules, scenario))]
    if fairness:
        of = fairness
        every.append(RulingImpact("fairness", lambda scenario: _measures(of, scenario)))
    return tuple(every)


class _Watched(Mapping[str, str]):
    """The rulings of a scenario, with a record of the switches that were read."""

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
    """Return the changes that each other choice of each switch would make. It raises no errors.

    If a switch was not read while computing the facts, its other choices change nothing and are not tried.
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
    """Return the number of changes of each kind as text, such as `14 lines of sight, 1 measure of fairness`."""
    by = {stake.id: stake.words for stake in every}
    return joined(
        by[name]["one" if len(changes) == 1 else "many"].fill(n=len(changes))
        for name, changes in of.changes.items()
        if changes
    )


MAX_CHANGES_SHOWN = 8
"""The maximum number of listed changes of each kind, in lines."""
MAX_CHANGES_PRINTED = 24
"""The maximum number of changes by another choice on a page, so that several choices fit."""


def outcome_lines(found: Iterable[Outcome], every: Iterable[RulingImpact[Any]]) -> list[Words]:
    """Return the effects of the switches as lines, with the first changes of each.

    The switches that change something come first.
    """
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


def impact_rows(
    scenario: Any, switches: Mapping[str, Ruling], every: Iterable[RulingImpact[Any]]
) -> list[dict[str, object]]:
    """Return the other choices that would change a scenario as rows for a template, with their first changes."""
    every, rows = tuple(every), list[dict[str, object]]()
    for of in outcomes(scenario, switches, every):
        if of.matters:
            changes = [change for found in of.changes.values() for change in found]
            rows.append(
                {
                    "name": of.ruling.name,
                    "other": of.other.text,
                    "count": count_changes(of, every),
                    "changes": [msgspec.structs.asdict(change) for change in changes[:MAX_CHANGES_PRINTED]],
                    "more": len(changes) - MAX_CHANGES_PRINTED,
                }
            )
    return rows


def effects_of_rulings(
    scenario: Any, switches: Mapping[str, Ruling], every: Iterable[RulingImpact[Any]]
) -> dict[str, Words]:
    """Return the effects of the switches that matter in a scenario, keyed by switch.

    A text of effects looks like `hill = plateau changes 14 lines of sight`.
    """
    every, texts = tuple(every), shared_words()["stakes"]
    found: dict[str, list[Words]] = {}
    for of in outcomes(scenario, switches, every):
        if of.matters:
            change_words = texts["otherwise"].fill(
                ruling=of.ruling.id, choice=of.other.id, what=count_changes(of, every)
            )
            found.setdefault(of.ruling.id, []).append(change_words)
    return {name: joined(change_words, "; ", "、") for name, change_words in found.items()}


def interpretations_with_effects(
    scenario: Any, switches: Mapping[str, Ruling], every: Iterable[RulingImpact[Any]]
) -> list[Interpretation]:
    """Return the rulings of a scenario for printing.

    Rulings that affect the scenario come first, with their effects.
    """
    return interpretations_of(switches, scenario.rulings, effects_of_rulings(scenario, switches, every))


def _findings(rules: tuple[Rule[S], ...], scenario: S) -> dict[Words, Words]:
    """Return the findings of a check, keyed by rule and place."""
    texts, found = shared_words()["stakes"], dict[Words, Words]()
    for finding in check(rules, scenario).findings:
        about = texts["finding"].fill(rule=finding.rule.id, where=place_words(finding.where))
        found[about] = joined([found[about], finding.why]) if about in found else finding.why
    return found


def _measures(fairness: Fairness[S], scenario: S) -> dict[Words, Words]:
    """Return the grade and the values of every measure, keyed by name."""
    texts, found = shared_words()["stakes"], certificate(fairness, scenario)
    rows = {row.measure.name: _pair(row.values) for row in found.rows if row.values}
    return {texts["grade"]: same(found.grade or "–"), **rows}


def _pair(values: tuple[Exact, Exact]) -> Words:
    return same(" / ".join(str(value) if value == int(value) else f"{float(value):.4f}" for value in values))
