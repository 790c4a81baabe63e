"""Tests for reports on a fight's odds: consistent numbers, advice that follows from them, the current display."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from generator.errors import WrongUsageError
from generator.games.blind_faith.advice import Answer, answer, odds_report
from generator.games.blind_faith.battle import Force
from generator.games.blind_faith.draw import draw
from generator.games.blind_faith.exact_odds import Odds, battle_odds, siege_odds
from generator.games.blind_faith.model import Scenario
from generator.games.blind_faith.odds import fight_of
from generator.games.blind_faith.rounds import odds_settings
from generator.games.blind_faith.tables import ROLES, Role
from generator.model.scenario import Request
from generator.seeds import code_for


@cache
def scene(kind: str, number: int = 3) -> Scenario:
    return draw(Request(code_for(number * 91_452_383), {"kind": kind, "points": "30"}, {}))


@cache
def small() -> Scenario:
    """Return a battle between a few units."""
    scenario = scene("battle")
    assert scenario.battle
    mover = scenario.active.side
    attackers, other = (("knights", "crusader_foot"), ("tabor", "hussite_foot"))[:: 1 if mover == "crusader" else -1]
    line = scenario.pack.line
    attack, defence = Force(line(attackers * 2), line(attackers)), Force(line(other * 2), line(other[1:]))
    return replace(scenario, battle=replace(scenario.battle, attack=attack, defence=defence))


def test_the_table_is_that_of_the_odds() -> None:
    scenario = small()
    found, battle = answer(scenario), scenario.battle
    assert battle
    advised = odds_settings().advised
    pairs = [(plays.attacker.id, plays.defender.id) for plays in found.table]
    assert sorted(pairs) == sorted((a, d) for a in advised.attack for d in advised.defence)
    # The table is a rectangle whose first row and column are the policies of the headline.
    one, other = (list(dict.fromkeys(policies)) for policies in zip(*pairs, strict=True))
    assert pairs == [(a, d) for a in one for d in other]
    for plays, odds in found.table.items():
        fight = found.fight
        assert odds == battle_odds(
            scenario.pack, battle.attack, battle.defence, plays[:2], scenario.rulings, no_way=fight.no_way
        )


def test_a_besieger_alone_has_policies() -> None:
    found = answer(scene("siege"))
    assert [plays.attacker.id for plays in found.table] == [*odds_settings().advised.siege, "half"]
    assert {moves.role for moves in found.moves} == {"attack"}
    assert found.leaving == {"attack": 0, "defence": None}


def by_rule(found: Answer) -> dict[tuple[str, str], str]:
    return {(one.role, one.rule): one.text.en for one in found.advice}


def win_chance(odds: Odds, role: Role) -> Fraction:
    return odds.attacker if role == "attack" else odds.defender


def guaranteed(found: Answer, role: Role) -> list[Fraction]:
    """Return the chance of each policy of a side against the opponent's best reply, the headline's policy first."""
    rows: dict[str, list[Fraction]] = {}
    for plays, odds in found.table.items():
        rows.setdefault(plays.by(role).id, []).append(win_chance(odds, role))
    return [min(row) for row in rows.values()]


def battles() -> list[Answer]:
    return [answer(small()), *(answer(scene("battle", number)) for number in (0, 1, 14, 17))]


def test_headline_and_advice_of_a_battle_agree() -> None:
    """The policies of the headline are those that the advice recommends: no other is a point safer."""
    reordered = 0
    for found in battles():
        for role in ROLES:
            wins = guaranteed(found, role)
            assert wins[0] > max(wins) - Fraction(1, 100)
            reordered += found.plays.by(role).id != odds_settings().advised[role][0]
            if best := by_rule(found).get((role, "best")):
                assert f"Play “{found.plays.by(role).name.en}”" in best
        winner: Role = "attack" if found.odds.attacker >= found.odds.defender else "defence"
        assert found.names[winner].en in found.headline.en
    assert reordered


def test_the_chances_of_each_choice_add_up() -> None:
    """With the endings in which neither side wins, which each row states, the chances of a choice are 1."""
    stated = 0
    for found in [*battles(), answer(scene("siege"))]:
        for odds in found.table.values():
            assert abs(odds.attacker + odds.defender + odds.both + odds.undecided + odds.missing - 1) < 1e-9
            text = found.remainder(odds, brief=True)
            for chance, name in ((odds.both, "both"), (odds.undecided, "open")):
                assert bool(chance) == bool(text and f"{name} {odds.format_chance(chance)}" in text.en)
                stated += bool(chance)
    assert stated


def test_the_headline_of_a_siege_is_a_sentence() -> None:
    found = answer(scene("siege"))
    assert found.plays.boxes
    policy = found.plays.attacker.name
    assert found.headline.en.startswith(f"If the besieger begins as placed and then plays “{policy.en}”, the ")
    assert found.headline.ja.startswith(f"攻撃側が最初は配置どおり、以後は「{policy.ja}」で攻めると、")


def test_advice_follows_from_the_numbers() -> None:
    rules: set[tuple[str, str]] = set()
    for found in [answer(small()), *(answer(scene("battle", number)) for number in range(2)), answer(scene("siege"))]:
        advice = by_rule(found)
        rules |= advice.keys()
        for role in ROLES if not found.fight.wall else ROLES[:1]:
            wins = guaranteed(found, role) if not found.fight.wall else [o.attacker for o in found.table.values()]
            assert ((role, "best") in advice) <= (max(wins) - min(wins) >= Fraction(1, 20))
            fighting_on = max(wins) if found.fight.wall else win_chance(found.odds, role)
            if (role, "leave") in advice:
                assert fighting_on < Fraction(1, 5)
            if (role, "stay") in advice:
                assert fighting_on >= Fraction(1, 2)
                assert (found.leaving[role] or 0) >= 1
    assert {rule for _, rule in rules} >= {"best", "charge", "column"}


def test_the_current_display_of_a_battle() -> None:
    scenario = small()
    begun = fight_of(scenario)
    assert begun
    attack, defence = begun.attack.front, begun.defence.front
    now = f"2 {attack[0]}, {attack[-1]} ×2 + {attack[0]} : {defence[0]}、1 {defence[-1]}"
    found = answer(scenario, now)
    line = scenario.pack.line
    assert found.fight.attack == Force(line([attack[0]] * 2 + [attack[-1]] * 2), (attack[0],))
    assert found.fight.defence == Force(line([defence[0], defence[-1]]))
    assert found.fight.began == answer(scenario).fight.began == (6, 5)
    odds = battle_odds(
        scenario.pack,
        found.fight.attack,
        found.fight.defence,
        found.plays[:2],
        scenario.rulings,
        no_way=found.fight.no_way,
        began=(6, 5),
        width=4,
    )
    assert found.odds == odds
    translated = now.replace(attack[0], scenario.pack.units[attack[0]].name.ja)
    assert answer(scenario, translated).odds == odds


def test_the_current_display_of_a_siege() -> None:
    scenario = scene("siege")
    fight = fight_of(scenario)
    assert fight
    one, other = fight.attack.front[:3], fight.defence.front[:2]
    found = answer(scenario, f"{','.join(one)}:{','.join(other)}")
    assert found.plays == max(found.table, key=lambda plays: found.table[plays].attacker)
    for plays, odds in found.table.items():
        assert odds == siege_odds(
            scenario.pack,
            one,
            other,
            fight.wall,
            plays.attacker,
            scenario.rulings,
            began=len(fight.attack.front),
            boxes=plays.boxes,
        )


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("2 knights", "separated by a colon"),
        ("2 knights : tabor : tabor", "separated by a colon"),
        ("9 tabor : hussite_foot", "but the fight began with"),
        ("dragon : tabor", "there is no unit named 'dragon'"),
        ("3 : tabor", "there is no unit named '3'"),
        (" : tabor", "one side has no units"),
        ("{a} + {a} : {d}", "must fill all boxes of the front"),
        ("{a} + {a} + {a} : {d}", "one . for each side"),
    ],
)
def test_what_no_display_can_be(now: str, expected: str) -> None:
    battle = small().battle
    assert battle
    with pytest.raises(WrongUsageError, match=expected):
        answer(small(), now.format(a=battle.attack.front[0], d=battle.defence.front[0]))


def test_a_march_has_no_fight() -> None:
    with pytest.raises(WrongUsageError, match="this scenario has no fight yet"):
        odds_report(scene("march"), "", False)


def test_rows_and_lines_say_the_same() -> None:
    for kind in ("battle", "siege"):
        found = odds_report(scene(kind), "", False)
        rows: Any = found.rows
        assert rows["headline"] == found.lines[0]
        assert all(line.en and line.ja for line in found.lines)
        for row in rows["table"]:
            assert all(0 <= low <= high <= 1.00001 for low, high in (row["attacker"], row["defender"], row["open"]))
            assert row["attacker"][0] == row["attacker"][1] or not row["exact"]
        for one in rows["advice"]:
            assert any(one["text"].en in line.en for line in found.lines)


def test_exact_odds_are_closer_than_those_of_a_page() -> None:
    scenario = scene("siege")
    page, exact = answer(scenario), answer(scenario, exact=True)
    for plays, odds in page.table.items():
        low, high = odds.bounds(odds.attacker)
        lowest, highest = exact.table[plays].bounds(exact.table[plays].attacker)
        assert highest - lowest <= high - low
