"""The odds page: how the drawn battle or siege ends under stated policies, what it costs, and single dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb, prod

from generator.games.blind_faith.forces.pack import Pack
from generator.games.blind_faith.forces.tables import Fate
from generator.games.blind_faith.forces.units import ROLES, Line, Role, Side
from generator.games.blind_faith.pages.dicesheet import first_round, mean, single_dice, told
from generator.games.blind_faith.pages.sheetfile import room
from generator.games.blind_faith.pages.tableview import pack_told
from generator.games.blind_faith.play.course import Odds
from generator.games.blind_faith.play.intercept import retreats
from generator.games.blind_faith.play.odds import battle_odds, siege_odds
from generator.games.blind_faith.play.policy import Policy, charging, policies, rounds_reckoned
from generator.games.blind_faith.play.siege import first_storm
from generator.games.blind_faith.scenario import Scenario
from generator.games.blind_faith.words import hex_told, words
from generator.games.chances import percent
from generator.model.views import Sheet
from generator.model.words import Words, same

Case = tuple[tuple[Policy, ...], Odds | None]
"""Who plays how, the attacker first, and what comes of it; None where it is too large to reckon."""


LOST: tuple[Fate, ...] = ("rout", "eliminate")


def odds_sheet(scenario: Scenario) -> Sheet:
    """The odds of the battle or siege that was drawn."""
    say, siege, battle = words()["odds"], scenario.siege, scenario.battle
    assert siege or battle, "a march that is not met yet has no odds"
    other = scenario.stack(siege.garrison if siege else battle.defender if battle else "")
    at = other.hex if siege else battle.hex if battle else other.hex
    lines: dict[Role, Line] = {
        "attack": scenario.active.units,
        "defence": battle.defence.front + battle.defence.reserve if battle else other.units,
    }
    cases = _siege_cases(scenario) if siege else _battle_cases(scenario)
    used = dict.fromkeys(policy for plays, _ in cases for policy in plays)
    known = [(plays, odds) for plays, odds in cases if odds]
    return Sheet(
        part="odds",
        title=say["title"],
        template="blind_faith/odds.xml",
        view={
            "siege": int(siege is not None),
            "intro": say["siege" if siege else "battle"].fill(
                attacker=scenario.active.id,
                defender=other.id,
                hex=hex_told(scenario.land, at),
                rounds=rounds_reckoned(),
            ),
            "cases": [_case(scenario, plays, odds) for plays, odds in cases],
            "policies": [{"name": policy.name, "text": policy.text} for policy in used],
            "rounds": list(range(1, room().odds.rounds + 1)),
            "over": [
                {"name": told(plays), "cells": [percent(p) for p in odds.decided[: room().odds.rounds]]}
                for plays, odds in known
            ],
            "losses": [_losses(scenario, role, lines[role], known[0][1]) for role in ROLES] if known else [],
            "losses_of": say["losses"].fill(policy=told(known[0][0])) if known else "",
            **first_round(scenario),
            **single_dice(scenario, lines),
            "pack": pack_told(scenario.pack),
        },
    )


def _battle_cases(scenario: Scenario) -> list[Case]:
    battle = scenario.battle
    assert battle
    sides: dict[Role, Side] = {"attack": scenario.active.side, "defence": scenario.stack(battle.defender).side}
    no_way = [role for role, side in sides.items() if not retreats(scenario, side)]
    cases: list[Case] = []
    for names in room().odds.battle:
        plays = (policies()[names[0]], policies()[names[1]])
        try:
            odds = battle_odds(
                scenario.pack,
                battle.attack,
                battle.defence,
                plays,
                scenario.rulings,
                no_way=no_way,
                most=room().odds.most,
            )
        except ValueError:
            cases.append((plays, None))
        else:
            cases.append((plays, odds))
    return cases


def _siege_cases(scenario: Scenario) -> list[Case]:
    siege, pack = scenario.siege, scenario.pack
    assert siege
    besiegers, garrison = scenario.active.units, scenario.stack(siege.garrison).units
    cases: list[Case] = []
    for name in room().odds.siege:
        policy = policies()[name]
        try:
            bearable(pack, policy, besiegers, garrison, scenario.rulings, room().odds.storm)
            odds = siege_odds(pack, besiegers, garrison, siege.wall, policy, scenario.rulings, most=room().odds.most)
        except ValueError:
            cases.append(((policy,), None))
        else:
            # Whoever would shoot without guns does nothing.
            cases += [((policy,), odds)] if any(odds.lost.values()) else []
    return cases


def bearable(
    pack: Pack, policy: Policy, besiegers: Line, garrison: Line, chosen: Mapping[str, str], most: int
) -> None:
    """ValueError where a single storm may come to more than so many results."""
    stormers = pack.line(unit for unit in besiegers if not pack.units[unit].bombards)
    charges = charging(pack, policy, stormers, pack.line(garrison))
    stormed = {c.target for c in charges}
    lost = Counter(stormers[c.charger] for c in charges), Counter(pack.line(garrison)[at] for at in stormed)
    # Of n units of a class some may be routed, some eliminated, and the rest stand.
    fates = 1 if chosen["storm_losses"] == "rout" else 2, 2
    results = prod(comb(n + of, of) for of, counts in zip(fates, lost, strict=True) for n in counts.values())
    if results > most:
        raise ValueError("the storm is too large")


def _case(scenario: Scenario, plays: Sequence[Policy], odds: Odds | None) -> dict[str, object]:
    """A line of the endings."""
    names = [policy.name for policy in plays]
    if not odds:
        storm = _first_storm(scenario, plays[0])
        return {"plays": names, "cells": [], "large": words()["odds"]["large"], "storm": storm}
    chances = (odds.attacker, odds.defender, odds.undecided)
    costs = (odds.losses(role, fate) for role in ROLES for fate in LOST)
    return {"plays": names, "cells": [*map(percent, chances), *map(mean, costs)]}


def _first_storm(scenario: Scenario, attacker: Policy) -> Words:
    """What is told of a siege that is too large to reckon to its end; nothing where nobody storms, or of a battle."""
    if not (siege := scenario.siege):
        return same("")
    garrison = scenario.stack(siege.garrison).units
    costs = first_storm(scenario.pack, scenario.active.units, garrison, siege.wall, attacker)
    told = {"garrison": mean(costs[0]), "stormers": mean(costs[1])}
    return words()["odds"]["first_storm"].fill(**told) if any(costs) else same("")


def _losses(scenario: Scenario, role: Role, line: Line, odds: Odds) -> dict[str, object]:
    """What each class of a side loses on average."""
    say, units = words()["odds"], scenario.pack.units
    who = "attacker_loses" if role == "attack" else "garrison_loses" if scenario.siege else "defender_loses"
    rows = [
        {
            "name": units[unit].name,
            "n": n,
            "cells": [mean(odds.lost.get((role, fate, unit), Fraction())) for fate in LOST],
        }
        for unit, n in Counter(line).items()
    ]
    return {"head": say[who], "rows": rows}
