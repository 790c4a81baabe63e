"""What the log tells must be what the scenario shows, for the log is printed."""

from __future__ import annotations

from collections.abc import Iterator

from generator.games.call_to_arms.account import shown
from generator.games.call_to_arms.scenario import Scenario
from generator.games.call_to_arms.words import words
from generator.rules.rule import Fault

EVIDENCE = ("shuffle", "hand", "dice")
"""Steps that nothing else in the scenario shows; rules of their own judge them."""


def true(scenario: Scenario) -> Iterator[Fault]:
    """log.true"""
    known = {(step.what, step.camp, step.result) for step in shown(scenario)}
    for number, step in enumerate(scenario.log, 1):
        if step.what not in words()["step"]:
            yield Fault(f"log {number}", "unknown", {"step": step.what})
        elif step.what not in EVIDENCE and (step.what, step.camp, step.result) not in known:
            told = " ".join((step.what, *([step.camp] if step.camp else []), *step.result))
            yield Fault(f"log {number}", "false", {"told": told})


TESTS = {"log.true": true}
