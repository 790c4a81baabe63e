"""Every drawn battle and siege has exact odds or odds with valid bounds, and no fairness grade contradicts them.

In the other games, odds are compared with a count of every roll.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from fractions import Fraction
from statistics import median
from typing import NamedTuple
from unittest.mock import patch

from msgspec import structs

from generator.common.fairness import certificate
from generator.common.interpretations import rulings
from generator.games.blind_faith import exact_odds as exact_module
from generator.games.blind_faith import odds as odds_module
from generator.games.blind_faith.battle import Force
from generator.games.blind_faith.draw import draw
from generator.games.blind_faith.exact_odds import Odds
from generator.games.blind_faith.fairness import FAIRNESS
from generator.games.blind_faith.odds import Fight, fight_odds, fight_of, odds_within
from generator.games.blind_faith.rounds import ENDINGS, Budget, Limits, Policy, odds_settings, policies
from generator.games.blind_faith.tables import ROLES, Role, Side, house_pack
from generator.model.scenario import Request
from generator.seeds import code_for
from tests.games.battlelore import prospects_cases as lore
from tests.games.battling import prospects_cases as duels
from tests.games.blind_faith import fight_oracle
from tests.games.travel_battle import prospects_cases as travel
from tests.prove.figure import SEED, Figure, counted, spread

FIGHTS, SMALL, ROUNDS = 1_000, 300, 4
OTHERS = 400
"""Number of random battles of each of the other games."""
NEAR = Fraction(3, 1_000_000)
"""Tolerance for rounding."""
EXACT = Budget(Limits(10_000, 200_000), 1_000_000, 1, "1")
WHOLE = Budget(Limits(-1, -1), 0, 1_000_000, "1/1" + "0" * 30)
SCANT = structs.replace(WHOLE, states=5, min_probability="1/30")
"""Limits of three searches: everything exact, everything in floating point, almost nothing computed."""
PRESENT, GRADED = ("half", "careful"), ("half_older", "careful_older")
"""Policies used by both sides at the same time: those of `muster odds`, and those on which grade B is based."""


class Drawn(NamedTuple):
    """The outcome for a generated fight: width of the bounds, duration, and whether odds contradict its grade."""

    exact: bool
    missing: Fraction
    seconds: float
    fault: str
    """Why the odds on which the grade is based contradict it, or ""."""
    present: str
    """Why the odds under the present policies contradict it, or "". The certificate states these odds too."""


def prove() -> Iterator[Figure]:
    """Compute the odds of 1,000 generated fights and 300 small fights."""
    found = list(spread(drawn, range(FIGHTS), "drawn fights"))
    close = sum(one.exact or one.missing <= Fraction(1, 10) for one in found)
    share = 100 * close / len(found)
    exact = sum(one.exact for one in found)
    yield Figure(
        "drawn fights, a third sieges: exact or within 10 points",
        f"{share:.1f} % of {len(found):,} ({exact:,} exact)",
        "≥ 90 %",
        share >= 90,
    )
    widest = float(100 * max(one.missing for one in found))
    yield Figure("the widest bounds of a drawn fight", f"{widest:.1f} points", "≤ 25 points", widest <= 25)
    middle = median(one.seconds for one in found)
    yield Figure("median time for a drawn fight", f"{middle:.2f} s", "≤ 1 s", middle <= 1)
    what = "grades that contradict the odds on which they are based"
    yield counted(what, len(found), (one.fault for one in found if one.fault))
    present = [one.present for one in found if one.present]
    yield Figure(
        "grades that the odds under the present policies contradict, as the certificate shows",
        f"{len(present)} of {len(found):,}",
        "measured",
        True,
        tuple(present),
    )
    cases = list(small(SMALL, SEED))
    wrong = [fault for fault in spread(differs, cases, "small fights") if fault]
    yield counted("small fights: exact odds and bounds compared with every result of the dice", len(cases), wrong)
    for name, what in OF_OTHERS.items():
        tried = [RandomBattle(name, number) for number in range(OTHERS)]
        faults = [fault for found in spread(other_differences, tried, name) for fault in found]
        yield counted(f"odds equal to a count of all rolls: {what}", len(tried), faults)


class RandomBattle(NamedTuple):
    """A random battle of another game."""

    game: str
    number: int


OF_OTHERS = {
    "battlelore": "battles of BattleLore, attacks in reach and danger",
    "travel_battle": "battles of Travel Battle, guns and melees",
    "battling": "duels of Battling, by hex",
}


def other_differences(case: RandomBattle) -> list[str]:
    """Return the differences between the odds of a random battle and a count of every roll."""
    number = SEED + case.number
    found = {
        "battlelore": lambda: lore.prospect_differences(lore.random_scenario(number), number),
        "travel_battle": lambda: travel.prospect_differences(travel.random_scenario(number)),
        "battling": lambda: duels.prospect_differences(duels.random_position(number), number),
    }[case.game]()
    return [f"{case.game} {number}: {fault}" for fault in found]


def drawn(number: int) -> Drawn:
    """Compute the odds of a generated fight under both present policies without a cache, and check its grade."""
    kind = ("battle", "battle", "siege")[number % 3]
    scenario = draw(Request(code_for(SEED + number), {"kind": kind}, {}))
    fight = fight_of(scenario)
    assert fight
    with (
        patch.object(odds_module, "read_from_cache", lambda *_: None),
        patch.object(odds_module, "write_to_cache", lambda *_: None),
    ):
        began = time.process_time()
        found = [fight_odds(fight, (policies()[name], policies()[name])) for name in PRESENT]
        seconds = time.process_time() - began
        grade = certificate(FAIRNESS, scenario).grade
        based_on = [fight_odds(fight, (policies()[name], policies()[name])) for name in GRADED if grade]
    code = scenario.origin.code
    faults = (contradiction(code, grade, odds) for odds in (based_on, found))
    return Drawn(all(one.exact for one in found), max(one.missing for one in found), seconds, *faults)


def contradiction(code: str, grade: str, found: list[Odds]) -> str:
    """Return the first reason why one of these odds contradicts a grade, or "" if none does."""
    return next((f"{code}: grade {grade}, {why}" for one in found for why in contradicts(grade, one)), "")


def contradicts(grade: str, odds: Odds) -> Iterator[str]:
    """Yield reasons why a grade contradicts the given odds."""
    if not grade:
        return
    limit = Fraction(2, 5)
    low = abs(odds.attacker - odds.defender) - odds.missing
    if low > limit:
        yield f"and somebody wins {float(max(odds.attacker, odds.defender)):.0%} at least"
    if odds.missing > Fraction(1, 10):
        yield "and who wins is not known within 5 points"


class Case(NamedTuple):
    """A small fight and its policies."""

    fight: Fight
    plays: tuple[Policy, Policy]


def small(count: int, seed: int) -> Iterator[Case]:
    """Yield small fights of mixed classes, cycling through policies and rulings. A third of the fights are sieges."""
    dice, pack = random.Random(seed), house_pack()
    plays, chosen = list(policies().values()), list(rulings("blind_faith").values())

    def line(side: Side, maximum: int) -> tuple[str, ...]:
        found = [dice.choice(pack.of_side(side)).id for _ in range(dice.randint(1, maximum))]
        # A Tabor rolls a die for each box, so several of them would have too many outcomes.
        return pack.line(u for i, u in enumerate(found) if u != "tabor" or u not in found[:i])

    for number in range(count):
        sides: list[Side] = ["hussite", "crusader"]
        dice.shuffle(sides)
        wall = dice.choice(pack.walls).id if number % 3 == 0 else ""
        forces = []
        for side, maximum in zip(sides, (3, 3), strict=True):
            units = list(line(side, maximum))
            dice.shuffle(units)
            front = len(units) if wall or side == sides[0] else dice.randint(1, len(units))
            forces.append(Force(pack.line(units[:front]), pack.line(units[front:])))
        attack, defence = forces
        # All pairs of policies, and both choices of each switch, occur equally often.
        attacker, other = plays[number % len(plays)], plays[number // len(plays) % len(plays)]
        switches = {ruling.id: dice.choice(ruling.choice).id for ruling in chosen}
        no_way: tuple[Role, ...] = tuple(role for role in ROLES if not wall and dice.random() < 0.2)
        began = attack.left + dice.randint(0, 1), defence.left + (0 if wall else dice.randint(0, 1))
        yield Case(Fight(pack, attack, defence, switches, wall, no_way, began, len(defence.front)), (attacker, other))


def oracle_set(fight: Fight, plays: tuple[Policy, Policy]) -> fight_oracle.Set:
    """Convert a fight to the oracle's type."""
    sides = ((fight.attack.front, fight.attack.reserve), (fight.defence.front, fight.defence.reserve))
    boxes = (fight.boxes.bombard, fight.boxes.storm, fight.boxes.reserve) if fight.boxes else None
    keep = bool(fight.boxes and fight.boxes.keep)
    names = plays[0].id, plays[1].id
    return fight_oracle.Set(
        sides, names, fight.rulings, fight.wall, fight.no_way, fight.began, fight.width, boxes, keep
    )


def differs(case: Case) -> str:
    """Return the differences between exact odds and a count of every die, or values outside the bounds.

    The result is "" if there is no difference.
    """
    fight, plays = case
    wanted = fight_oracle.course(oracle_set(fight, plays), ROUNDS)
    few = structs.replace(odds_settings(), rounds=ROUNDS)
    with (
        patch.object(odds_module, "read_from_cache", lambda *_: None),
        patch.object(odds_module, "write_to_cache", lambda *_: None),
        patch.object(odds_module, "odds_settings", lambda: few),
        patch.object(exact_module, "odds_settings", lambda: few),
        patch.object(odds_module, "_known", {}),
    ):
        exact, whole, scant = (odds_within(fight, plays, within, lambda: False) for within in (EXACT, WHOLE, SCANT))
    assert exact
    assert whole
    assert scant
    where = f"{oracle_set(fight, plays)}"
    for number, (ended, one) in enumerate(zip(wanted.endings, exact.after, strict=True)):
        if any(one.endings[ending] != ended[ending] for ending in ENDINGS):
            return f"{where}: round {number + 1} is {dict(one.endings)}, and should be {dict(ended)}"
        for ending in ENDINGS if whole.sampled else ():
            share = whole.after[number].endings.get(ending, Fraction())
            within = fight_oracle.interval(int(share * whole.sampled), whole.sampled)
            if not within.low - 1e-9 <= one.endings[ending] <= within.high + 1e-9:
                return f"{where}: {ending} after round {number + 1} is sampled as {float(share)}"
        bounds = ((whole.after[number], NEAR), (scant.after[number], scant.missing))
        for rough, width in () if whole.sampled else bounds:
            for ending in ENDINGS:
                low = rough.endings.get(ending, Fraction())
                if not low <= one.endings[ending] <= low + width:
                    return f"{where}: bounds of {ending} after round {number + 1}"
    for role in ROLES:
        for fate in ("rout", "eliminate"):
            if exact.losses(role, fate) != wanted.lost.get((role, fate), 0):
                return f"{where}: {role} loses {exact.losses(role, fate)}"
    return "" if exact.exact and not whole.exact else f"{where}: not as asked"
