"""Tests for the fairness measures of Blind Faith, which are counted by hand and compared with the odds.

There is no grade A, because the sides have different units.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

import pytest
from msgspec import structs
from msgspec.structs import replace

from generator import games
from generator.common.fairness import Exact, GradeOdds, Measured, PairOdds, certificate, certificate_line
from generator.common.playing import PolicyWords
from generator.common.search import certified
from generator.common.trial_account import account
from generator.common.trials import grade_c
from generator.errors import NothingLegalError, WrongUsageError
from generator.games.blind_faith.battle import Force
from generator.games.blind_faith.exact_odds import battle_odds
from generator.games.blind_faith.fairness import FAIRNESS, first_round_costs, paired, siege_costs, victory_chances
from generator.games.blind_faith.model import OTHER, Scenario
from generator.games.blind_faith.odds import fight_of
from generator.games.blind_faith.rounds import field_rounds, odds_settings, policies
from generator.games.blind_faith.siege import siege_round
from generator.model.scenario import Request
from generator.model.words import LANGS, same
from generator.seeds import code_for
from tests.games.blind_faith.fight_oracle import Set, course
from tests.games.exchanged import EXCHANGED as BY_GAME

GAME = games.load("blind_faith")
EXCHANGED = BY_GAME["blind_faith"]


@cache
def drawn(kind: str, number: int = 0) -> Scenario:
    scenario: Scenario = GAME.draw(Request(code_for(number * 239_452_381), {"kind": kind}, {}))
    return scenario


def values(scenario: Scenario) -> dict[str, tuple[Exact, Exact]]:
    return {row.id: row.values for row in FAIRNESS.measures(scenario) if row.values}


def uncomputed(scenario: Scenario) -> dict[str, str]:
    return {row.id: row.why.en for row in FAIRNESS.measures(scenario) if row.why and not row.values}


def small(scenario: Scenario) -> Scenario:
    """Reduce the battle to two front units on each side without reserves."""
    battle = scenario.battle
    assert battle
    attack, defence = (Force(force.front[:2]) for force in (battle.attack, battle.defence))
    return replace(scenario, battle=replace(battle, attack=attack, defence=defence))


@pytest.mark.parametrize("kind", ["march", "battle", "siege"])
def test_units_are_counted_by_class(kind: str) -> None:
    scenario = drawn(kind)
    found, pack = values(scenario), scenario.pack
    for i, side in enumerate(("hussite", "crusader")):
        units = [pack.units[unit] for stack in scenario.stacks if stack.side == side for unit in stack.units]
        assert found["army"][i] == sum(unit.points for unit in units)
        for name, symbols in (("wagons", ["wagon"]), ("riders", ["cavalry", "handgun_horse"]), ("foot", ["foot"])):
            assert found[name][i] == sum(unit.symbol in symbols for unit in units)
        assert found["guns"][i] == sum(unit.bombards for unit in units)
        assert found["shooters"][i] == sum(bool(unit.fires) for unit in units)


def test_the_pace_is_that_of_the_slowest_of_each_stack() -> None:
    scenario = drawn("march")
    stacks = [stack for stack in scenario.stacks if stack.side == "hussite"]
    slowest = [min(scenario.pack.units[unit].movement for unit in stack.units) for stack in stacks]
    assert values(scenario)["pace"][0] == Fraction(sum(slowest), len(stacks))


def test_the_besieger_stands_before_the_walls_and_a_march_is_not_fought_yet() -> None:
    assert values(drawn("siege"))["approach"] == (0, 0)
    marching = values(drawn("march"))
    assert min(marching["approach"]) > 0
    assert uncomputed(drawn("march")) == dict.fromkeys(("round", "victory"), "there is no fight yet")


def test_the_first_round_is_that_of_the_odds() -> None:
    scenario = small(drawn("battle"))
    battle, pack, careful = scenario.battle, scenario.pack, policies()["careful"]
    assert battle
    cost = first_round_costs(scenario)
    assert cost
    spread = field_rounds(pack, scenario.rulings, careful, careful).full.chances(
        battle.attack.front, battle.defence.front
    )
    attacker = scenario.active.side
    assert sum(spread.values()) == 1
    assert cost[attacker] == sum(p * pack.points(tolls.defender.lost) for tolls, p in spread.items())
    assert cost[OTHER[attacker]] == sum(p * pack.points(tolls.attacker.lost) for tolls, p in spread.items())


def test_victory_is_that_of_the_policy_under_which_the_chances_differ_most() -> None:
    scenario = small(drawn("battle"))
    battle = scenario.battle
    assert battle
    wins = victory_chances(scenario)
    assert wins
    found = []
    for name in ("half", "careful"):
        plays = (policies()[name], policies()[name])
        odds = battle_odds(scenario.pack, battle.attack, battle.defence, plays, scenario.rulings)
        found.append((odds.attacker, odds.defender))
    assert (wins[scenario.active.side], wins[OTHER[scenario.active.side]]) == max(
        found, key=lambda w: abs(w[0] - w[1])
    )
    assert uncomputed(scenario) == {}


def test_grade_c_uses_every_pair_of_policies_on_both_sides() -> None:
    """Compare the grade with an oracle that tries every die of every round and shares no code with the odds."""
    scenario = small(drawn("battle"))
    fight = fight_of(scenario)
    assert fight
    sides = tuple((force.front, force.reserve) for force in (fight.attack, fight.defence))

    def won(*plays: str) -> Fraction:
        """Return the win rate of the first side, whether attacking or defending. A draw counts as half a win."""
        of = Set(sides, plays, fight.rulings, fight.wall, fight.no_way, fight.began, fight.width)  # type: ignore[arg-type] # two each
        ended = course(of, 20).endings[-1]
        attacker, other = ("defender", "attacker") if scenario.active.side == "hussite" else ("attacker", "defender")
        beaten, lost = (sum(p for how, p in ended.items() if how.startswith(role)) for role in (attacker, other))
        return (1 + beaten - lost) / Fraction(2)

    found = list(paired(scenario))
    names = list(dict.fromkeys(name for one in found for name in one.pair))
    assert len(names) >= 3
    assert [one.pair for one in found] == list(combinations_with_replacement(names, 2))
    for one in found:
        assert one.missing == 0
        assert one.min_rate == (won(*one.pair) + won(*one.pair[::-1])) / 2
    assert list(paired(drawn("march"))) == []


@pytest.mark.parametrize(
    ("minimum", "missing", "within"),
    [("2/5", "1/5", True), ("39/100", "0", False), ("2/5", "21/100", False), ("1/2", "0", True)],
)
def test_a_pair_is_within_wherever_between_its_bounds_it_lies(minimum: str, missing: str, within: bool) -> None:
    words = PolicyWords(same("a"), same("b"))
    one = PairOdds(("a", "b"), (words, words), Fraction(minimum), Fraction(missing), Fraction())
    assert one.within is within
    assert GradeOdds("", (one,)).passed is within
    assert not GradeOdds("", ()).passed


def test_a_scenario_of_grade_c_is_found_and_reported() -> None:
    order = Request("JMK8V-C5D2B", {"kind": "battle", "points": "25", "fair": "C", "tries": "1"}, {})
    found = GAME.draw(order)
    assert found.log[0].result[:3] == ("C", "JMK8V-C5D2B", "0")
    came = grade_c(GAME, found, dice="search")
    assert isinstance(came, GradeOdds) and came.strong
    assert came.passed and came.games >= 256
    stated = certified(found.log)
    assert stated and (stated.casual_games, stated.strong_games) == (0, came.games)
    assert [one.rate for one in stated.strong_pairs] == [round(100 * tally.rate, 1) for tally in came.strong]
    account_lines = account(GAME, came)
    assert account_lines.exported["grade"] == "C"
    for lang in LANGS:
        assert not any("{" in line[lang] for line in account_lines.lines)
    refused = {"march": "there is no fight yet 1", "siege": "uneven or uncertain odds 1"}
    for kind, reason in refused.items():
        with pytest.raises(NothingLegalError, match=reason):
            GAME.draw(Request(code_for(0), {"kind": kind, "fair": "C", "tries": "1"}, {}))
    unfought = account(GAME, grade_c(GAME, drawn("march")))
    assert unfought.lines[0].en.startswith("No fairness grade C in games between computer players (test 3).")
    assert unfought.lines[0].en.endswith("The scenario has no fight yet.")
    assert unfought.exported["grade"] == ""


def crowded(scenario: Scenario) -> Scenario:
    """Give the defender a large reserve."""
    battle = scenario.battle
    assert battle
    many = structs.replace(battle.defence, reserve=("tabor",) * 20)
    return replace(scenario, battle=replace(battle, defence=many))


def test_there_is_no_grade_if_bounds_of_victory_are_too_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = crowded(drawn("battle"))
    assert victory_chances(scenario)
    of = odds_settings()
    scant = structs.replace(of, budget=structs.replace(of.budget, states=10, min_probability="1/10"))
    monkeypatch.setattr("generator.games.blind_faith.odds.odds_settings", lambda: scant)
    assert first_round_costs(scenario) is not None
    assert victory_chances(scenario) is None
    assert uncomputed(scenario) == {"victory": "it is not known within ± 5 points"}
    even = structs.replace(FAIRNESS, measures=lambda of: tuple(_even(row) for row in FAIRNESS.measures(of)))
    assert certificate(even, scenario).grade == ""
    line = certificate_line(certificate(even, scenario)).en
    assert line.startswith("No fairness grade: the grade requires Victory")
    assert certificate(even, drawn("march")).grade == "B"


def _even(row: Measured) -> Measured:
    """Set a measure with values to equal values on both sides."""
    return structs.replace(row, values=(0, 0)) if row.values else row


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("rulings", [{}, {"storm_response": "none"}, {"response_count": "before"}], ids=str)
def test_the_first_round_of_a_siege_costs_what_its_chances_make(number: int, rulings: dict[str, str]) -> None:
    scenario = drawn("siege", number)
    siege, pack, careful = scenario.siege, scenario.pack, policies()["careful"]
    assert siege
    chosen = {**scenario.rulings, **rulings}
    besiegers, garrison = scenario.active.units[-9:], scenario.stack(siege.garrison).units[:7]
    lines = pack.line(besiegers), pack.line(garrison)
    spread = siege_round(pack, chosen, siege.wall, careful).chances(*lines)
    costs = siege_costs(pack, lines, siege.wall, careful, chosen, 1500)
    assert costs["attack"] == sum(p * pack.points(tolls.attacker.lost) for tolls, p in spread.items())
    assert costs["defence"] == sum(p * pack.points(tolls.defender.lost) for tolls, p in spread.items())


def test_a_first_storm_that_is_too_large_is_not_computed() -> None:
    scenario = drawn("siege")
    assert scenario.siege
    foot = tuple(unit.id for unit in scenario.pack.units.values() if not unit.bombards)
    many = scenario.pack.line(foot * 9)
    stacks = tuple(replace(stack, units=many) for stack in scenario.stacks)
    crowd = replace(scenario, stacks=stacks)
    assert first_round_costs(crowd) is None
    assert "round" in {row.id for row in FAIRNESS.quick(crowd) if row.why and not row.values}


@pytest.mark.parametrize("kind", ["battle", "siege"])
def test_every_generated_fight_has_odds(kind: str) -> None:
    """Check two of the thousand scenarios for which `make prove` computes the odds."""
    for scenario in (drawn(kind, number) for number in range(2)):
        assert first_round_costs(scenario) and victory_chances(scenario)


@pytest.mark.parametrize("turn", [EXCHANGED, lambda s: EXCHANGED(EXCHANGED(s))], ids=["1", "2"])
def test_exchanged_sides_exchange_the_chances(turn: Callable[[Scenario], Scenario]) -> None:
    scenario = small(drawn("battle"))
    other = turn(scenario)
    step = 1 if other == scenario else -1
    for name, pair in values(scenario).items():
        assert values(other)[name] == pair[::step]


def test_it_is_never_symmetric_and_says_why() -> None:
    found = certificate(FAIRNESS, drawn("march"))
    assert found.grade != "A"
    assert found.differs == (FAIRNESS.refused,)
    with pytest.raises(WrongUsageError, match="--fair A: one side attacks and the other defends"):
        GAME.draw(Request(code_for(1), {"fair": "A"}, {}))
