"""Tests that every step of the log agrees with the scenario, because the log is printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache

import pytest
from msgspec.structs import replace

from generator.common.scenario_file import Step
from generator.games.battlelore.ground import SIDES
from generator.games.battlelore.model import OTHER
from generator.games.call_to_arms.model import Scenario, account
from generator.games.call_to_arms.rules import EVIDENCE
from generator.games.call_to_arms.tables import words
from generator.model.scenario import Request
from generator.rules import check
from generator.seeds import code_for
from tests.games.call_to_arms.scenes import GAME, drawn_scene, fired

VARIANTS = {"reserve_none"}
"""Alternative texts of a step, which are not steps."""
KINDS = [what for what in words()["step"] if what not in (*EVIDENCE, *VARIANTS)]


@cache
def drawn(number: int) -> Scenario:
    options = {"mode": "organized", "age": "lore", "map": "fenwater"} if number % 4 else {"map": "fenwater"}
    scenario: Scenario = GAME.draw(Request(code_for(number), options, {}))
    return scenario


@cache
def scenarios() -> dict[str, Scenario]:
    """Return a scenario for each kind of log step, from the first code that generates such a step."""
    found = {"lost": drawn_scene("flood")}
    for number in range(1, 200):
        scenario = drawn(number)
        for step in scenario.log:
            found.setdefault(step.what, scenario)
        if set(KINDS) <= set(found):
            break
    return found


def false(step: Step) -> Iterator[Step]:
    """Yield the step with each part made false: a different camp, a different result, an extra result, no result."""
    for camp in SIDES:
        if step.who == camp:
            yield replace(step, who=OTHER[camp])
    for i, part in enumerate(step.result):
        yield replace(step, result=(*step.result[:i], f"{part}?", *step.result[i + 1 :]))
    yield replace(step, result=(*step.result, "more"))
    if step.result:
        yield replace(step, result=())


@pytest.mark.parametrize("what", KINDS)
def test_a_false_step_is_reported(what: str) -> None:
    scenario = scenarios()[what]
    at = next(i for i, step in enumerate(scenario.log) if step.what == what)
    assert fired(scenario) == set()
    for step in false(scenario.log[at]):
        log = (*scenario.log[:at], step, *scenario.log[at + 1 :])
        assert fired(replace(scenario, log=log)) == {"log.true"}, step


@pytest.mark.parametrize("number", range(1, 13))
def test_a_scenario_reproduces_its_log_steps(number: int) -> None:
    """The scenario alone does not show whether a displaced unit was lost for lack of a hex or of a piece."""

    def told_by(steps: Iterable[Step]) -> Counter[tuple[str, str | None, tuple[str, ...]]]:
        lost = ("lost", "short")
        return Counter(("lost", s.who, s.result[:1]) if s.what in lost else (s.what, s.who, s.result) for s in steps)

    scenario = drawn(number)
    log = told_by(step for step in scenario.log if step.what not in EVIDENCE)
    assert told_by(account(replace(scenario, log=()))) == log


def test_an_unknown_step_is_reported() -> None:
    scenario = drawn(1)
    assert fired(replace(scenario, log=(*scenario.log, Step("parley", None, "", ())))) == {"log.true"}


def test_a_log_may_leave_steps_out() -> None:
    scenario = drawn(1)
    kept = tuple(step for step in scenario.log if step.what in EVIDENCE)
    assert fired(replace(scenario, log=kept)) == set()


@pytest.mark.parametrize(
    ("step", "en", "ja"),
    [
        (Step("first", "standard", "", ()), "Standard: Moves first", "スタンダード陣営、先手"),
        (Step("map", None, "", ("random",)), "Map: random map", "マップ：ランダムマップ"),
        (
            Step("play", "pennant", "", ("infiltration", "P3>D5")),
            "Pennant: Specialist played: Infiltration: P3 to D5",
            "ペナント陣営、Specialistカードを使用：Infiltration（浸透移動）：P3をD5へ移動",
        ),
    ],
)
def test_a_false_step_is_described_in_the_players_words(step: Step, en: str, ja: str) -> None:
    scenario = replace(drawn(1), log=(step,), first="pennant")
    [found] = [f for f in check(GAME.rules, scenario).illegal if f.rule.id == "log.true"]
    assert f"this step of the log does not agree with the scenario: {en}" in found.why.en
    assert f"記録のこの手順は、シナリオと一致しません：{ja}" in found.why.ja
