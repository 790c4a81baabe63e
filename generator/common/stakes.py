"""What the open readings change in a scenario: whatever may hang on a switch, held against its other choices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from generator.common.fairness import Exact, Fairness, certificate
from generator.common.game import Stake
from generator.common.interpretations import Choice, Interpretation, Ruling, settled
from generator.common.tables import place_words, shared_words
from generator.model.scenario import Scenario
from generator.model.words import Words, joined, same
from generator.rules import Rule, check

S = TypeVar("S", bound=Scenario)


class Change(NamedTuple):
    """One thing that would be otherwise."""

    about: Words
    now: Words
    then: Words


class Outcome(NamedTuple):
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


def stakes(own: Iterable[Stake[S]], rules: tuple[Rule[S], ...], fairness: Fairness[S] | None) -> tuple[Stake[S], ...]:
    """A game's own stakes, then what may hang on any switch: the findings of a check, and the measures."""
    every = [*own, Stake("check", lambda scenario: _findings(rules, scenario))]
    if fairness:
        of = fairness
        every.append(Stake("fairness", lambda scenario: _measures(of, scenario)))
    return tuple(every)


class _Watched(Mapping[str, str]):
    """Rulings that remember for which switches they were asked."""

    def __init__(self, chosen: Mapping[str, str]) -> None:
        self._chosen = chosen
        self.asked: set[str] = set()

    def __getitem__(self, switch: str) -> str:
        self.asked.add(switch)
        return self._chosen[switch]

    def __iter__(self) -> Iterator[str]:
        self.asked.update(self._chosen)
        return iter(self._chosen)

    def __len__(self) -> int:
        return len(self._chosen)


def outcomes(scenario: Any, switches: Mapping[str, Ruling], every: Iterable[Stake[Any]]) -> list[Outcome]:
    """A switch after the other, what each of its other choices would change; raises nothing.

    Where facts come about without a look at a switch, no other choice of it changes them.
    """
    every = tuple(every)
    watched = {stake.id: _Watched(scenario.rulings) for stake in every}
    now = {stake.id: stake.facts(replace(scenario, rulings=watched[stake.id])) for stake in every}
    found = []
    for ruling in switches.values():
        chosen = scenario.rulings[ruling.id]
        asked = [stake for stake in every if not stake.switches or ruling.id in stake.switches]
        for other in ruling.choice:
            if other.id != chosen:
                under = replace(scenario, rulings={**scenario.rulings, ruling.id: other.id})
                changes = {
                    stake.id: tuple(_changes(stake, now[stake.id], stake.facts(under)))
                    if ruling.id in watched[stake.id].asked
                    else ()
                    for stake in asked
                }
                found.append(Outcome(ruling, ruling[chosen], other, changes))
    return found


def _changes(stake: Stake[Any], now: Mapping[Words, Words], then: Mapping[Words, Words]) -> Iterable[Change]:
    for about in dict.fromkeys((*now, *then)):
        was, would = (facts.get(about, stake.words["otherwise"]) for facts in (now, then))
        if was != would:
            yield Change(about, was, would)


def counted(of: Outcome, every: Iterable[Stake[Any]]) -> Words:
    """How much would be otherwise: `14 lines of sight, 1 measure`."""
    by = {stake.id: stake.words for stake in every}
    return joined(
        by[name]["one" if len(changes) == 1 else "many"].fill(n=len(changes))
        for name, changes in of.changes.items()
        if changes
    )


SHOWN = 8
"""As many changes of a kind are told in lines."""


def outcome_lines(found: Iterable[Outcome], every: Iterable[Stake[Any]]) -> list[Words]:
    """What the switches change, those first that change something; of many changes the first ones."""
    say, every = shared_words()["stakes"], tuple(every)
    by: dict[str, list[Outcome]] = {}
    for of in found:
        by.setdefault(of.ruling.id, []).append(of)
    lines: list[Words] = []
    for ways in sorted(by.values(), key=lambda ways: not any(of.matters for of in ways)):
        first = ways[0]
        lines.append(say["head"].fill(name=first.ruling.name, ruling=first.ruling.id, choice=first.chosen.id))
        for of in ways:
            asked = any(first.ruling.id in stake.switches for stake in every)
            what = counted(of, every) if of.matters else say["nothing" if asked else "later"]
            lines.append(say["other"].fill(choice=of.other.id, what=what))
            for changes in of.changes.values():
                lines += [say["change"].fill(**change._asdict()) for change in changes[:SHOWN]]
                lines += [say["more"].fill(n=len(changes) - SHOWN)] if len(changes) > SHOWN else []
    return [*lines, say["compared"].fill(what=joined(stake.words["name"] for stake in every))]


def matters(scenario: Any, switches: Mapping[str, Ruling], every: Iterable[Stake[Any]]) -> dict[str, Words]:
    """The switches on which something hangs in a scenario, each with what: `hill = plateau: 14 lines of sight`."""
    every, say = tuple(every), shared_words()["stakes"]
    found: dict[str, list[Words]] = {}
    for of in outcomes(scenario, switches, every):
        if of.matters:
            told = say["otherwise"].fill(ruling=of.ruling.id, choice=of.other.id, what=counted(of, every))
            found.setdefault(of.ruling.id, []).append(told)
    return {name: joined(told, "; ", "；") for name, told in found.items()}


def weighed(scenario: Any, switches: Mapping[str, Ruling], every: Iterable[Stake[Any]]) -> list[Interpretation]:
    """The switches as a scenario sets them, to print: first those on which something hangs here, with what."""
    return settled(switches, scenario.rulings, matters(scenario, switches, every))


def _findings(rules: tuple[Rule[S], ...], scenario: S) -> dict[Words, Words]:
    """What a check finds, by the rule and the place that it blames."""
    say, found = shared_words()["stakes"], dict[Words, Words]()
    for finding in check(rules, scenario).findings:
        about = say["finding"].fill(rule=finding.rule.id, where=place_words(finding.where))
        found[about] = joined([found[about], finding.why]) if about in found else finding.why
    return found


def _measures(fairness: Fairness[S], scenario: S) -> dict[Words, Words]:
    """The grade, and every measure of both sides."""
    say, found = shared_words()["stakes"], certificate(fairness, scenario)
    rows = {row.measure.name: _pair(row.values) for row in found.rows if row.values}
    return {say["grade"]: same(found.grade or "–"), **rows}


def _pair(values: tuple[Exact, Exact]) -> Words:
    return same(" / ".join(str(value) if value == int(value) else f"{float(value):.4f}" for value in values))
