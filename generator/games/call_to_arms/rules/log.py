"""What the log tells must be what the scenario shows, for the log is printed."""

from __future__ import annotations

from collections.abc import Iterator

from generator.games.call_to_arms.account import shown
from generator.games.call_to_arms.rules.cards import rule
from generator.games.call_to_arms.scenario import Scenario
from generator.games.call_to_arms.words import words
from generator.games.fairsearch import fair_evidence, fair_steps
from generator.games.logs import false_steps
from generator.rules.rule import Fault

EVIDENCE = ("shuffle", "hand", "dice")
"""Steps that nothing else in the scenario shows; rules of their own judge them."""


@rule("log.true")
def true(scenario: Scenario) -> Iterator[Fault]:
    evidence = {step.shown for step in scenario.log if step.what in EVIDENCE}
    known = {step.shown for step in shown(scenario)} | evidence
    known |= fair_evidence(scenario.log)
    yield from false_steps(scenario.log, words()["step"] | fair_steps(), known)
