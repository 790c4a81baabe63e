"""An oracle that plays battles and sieges under every policy and ruling, die by die, without code of the generator.

Small fights are enumerated. Each round tries every combination of dice, and the next round starts from the
remaining units. Large fights are sampled, which gives confidence intervals of the chances.
"""

from __future__ import annotations

import random
import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import sqrt
from typing import Any, NamedTuple

from tests.games.blind_faith.battle_oracle import ORDER, ROOT, UNITS, Roll, Side, charged, every, responses, shot

BATTLE = tomllib.loads((ROOT / "data/blind_faith/battle.toml").read_text(encoding="utf-8"))
POLICIES: dict[str, dict[str, Any]] = {policy["id"]: policy for policy in BATTLE["policy"]}
LOST = ("rout", "eliminate")


class Set(NamedTuple):
    """A fight, with front and reserve units, policies, rulings, and the sides that cannot retreat."""

    sides: tuple[tuple[tuple[str, ...], tuple[str, ...]], tuple[tuple[str, ...], tuple[str, ...]]]
    plays: tuple[str, str]
    rulings: Mapping[str, str]
    wall: str
    no_way: tuple[str, ...]
    began: tuple[int, int]
    width: int
    boxes: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]] | None = None
    """Units that bombard, storm and wait in the first round of a siege. None means that the policy decides."""
    keep: bool = False
    """Whether the units stay in these boxes in later rounds."""


class Course(NamedTuple):
    """The chance of each ending by the end of each round, and the mean losses by role and fate."""

    endings: list[Counter[str]]
    lost: dict[tuple[str, str], Fraction]


def course(of: Set, rounds: int) -> Course:
    """Return the course of a fight up to the given number of rounds."""
    known: dict[Any, Any] = {}
    mass: dict[Any, Fraction] = {of.sides: Fraction(1)}
    ended: Counter[str] = Counter()
    endings: list[Counter[str]] = []
    lost: defaultdict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for number in range(rounds):
        after: defaultdict[Any, Fraction] = defaultdict(Fraction)
        first = number == 0
        for state, p in mass.items():
            if (first, state) not in known:
                known[first, state] = every(partial(play_round, of, state, first))
            for (ending, left, gone), q in known[first, state].items():
                for role, fate, n in gone:
                    lost[role, fate] += p * q * n
                if ending:
                    ended[ending] += p * q
                else:
                    after[left] += p * q
        mass = after
        endings.append(Counter(ended))
    return Course(endings, dict(lost))


class Interval(NamedTuple):
    """A confidence interval of a chance."""

    low: float
    high: float


def interval(hits: int, of: int, z: float = 4.5) -> Interval:
    """Return the Wilson interval of a chance. With the default `z`, one of 150,000 samples is outside by accident."""
    p, zz = hits / of, z * z
    middle, half = p + zz / (2 * of), z * sqrt(p * (1 - p) / of + zz / (4 * of * of))
    return Interval((middle - half) / (1 + zz / of), (middle + half) / (1 + zz / of))


def sampled(of: Set, rounds: int, games: int, seed: int) -> dict[str, Interval]:
    """Return intervals of the chance of each ending, from sampled games. The empty key counts undecided games."""
    dice, ended = random.Random(seed), Counter[str]()
    for _ in range(games):
        state, ending = of.sides, ""
        for number in range(rounds):
            ending, state, _ = play_round(of, state, number == 0, dice.choice)
            if ending:
                break
        ended[ending] += 1
    return {ending: interval(ended[ending], games) for ending in ("", *NAMES)}


NAMES = ("attacker_ruined", "attacker_retreats", "defender_ruined", "defender_retreats", "both_ruined")
"""The endings of a fight."""


def play_round(of: Set, state: Any, first: bool, roll: Roll) -> Any:
    """Play a round with its pursuit, and return its ending, the remaining units and the losses."""
    a, d = (Side(list(front), list(reserve)) for front, reserve in state)
    ending = _besieged(roll, of, a, d, first) if of.wall else _fought(roll, of, a, d)
    counts = Counter((role, fate) for role, side in (("attack", a), ("defence", d)) for fate, _ in side.lost)
    left = tuple((tuple(side.front), tuple(sorted(side.reserve))) for side in (a, d))
    return ending, left, tuple(sorted((role, fate, n) for (role, fate), n in counts.items()))


def _fought(roll: Roll, of: Set, a: Side, d: Side) -> str:
    rulings, (attacker, other) = of.rulings, of.plays
    volley(roll, a, "attack", d, attacker)
    volley(roll, d, "defence", a, other)
    count = len(d.front)
    first, _ = onslaught(roll, a, d, attacker, "table")
    answer(roll, a, count if rulings["response_count"] == "before" else len(d.front), first, True)
    if not a.left or not d.left:
        return "both_ruined" if not a.left and not d.left else "attacker_ruined" if d.left else "defender_ruined"
    refills = rulings["defender_refill"] != "never"
    if not d.front and not refills:
        return "defender_ruined"
    runs = [
        role not in of.no_way and gone(of, at, side.left)
        for at, (role, side) in enumerate((("attack", a), ("defence", d)))
    ]
    if rulings["pursuit_front"] == "refilled" or not any(runs):
        a.refill(4, "attack")
        if refills:
            d.refill(of.width, "defence")
    if runs[0]:
        volley(roll, d, "defence", a, other)
        answer(roll, a, len(d.front), [], True)
        return "attacker_retreats"
    if runs[1]:
        volley(roll, a, "attack", d, attacker)
        onslaught(roll, a, d, attacker, "table" if rulings["pursuit"] == "table" else "none")
        return "defender_retreats"
    return ""


def boxes(of: Set, besiegers: list[str], first: bool) -> tuple[list[str], list[str]]:
    """Return the units that bombard and the units that may storm in this round. All other units are in reserve."""
    if of.boxes and (first or of.keep):
        # Units of the other boxes cannot have been lost.
        bombard, _, waiting = of.boxes
        storm = Counter(besiegers) - Counter(bombard) - Counter(waiting)
        return list(bombard), sorted(storm.elements(), key=ORDER.index)
    policy = POLICIES[of.plays[0]]
    if policy.get("older"):
        guns = [unit for unit in besiegers if UNITS[unit].get("bombards")]
        return guns, [unit for unit in besiegers if unit not in guns]
    if policy["siege"] == "storm":
        return [], besiegers
    guns = [
        u for u in besiegers if UNITS[u].get("bombards") and "breach" in shot("bombard", UNITS[u]["type"], of.wall)
    ]
    return guns, [] if policy["siege"] == "bombard" else [unit for unit in besiegers if unit not in guns]


def _besieged(roll: Roll, of: Set, a: Side, d: Side, first_round: bool) -> str:
    rulings = of.rulings
    guns, storming = boxes(of, a.front, first_round)
    breaches = sum(roll(shot("bombard", UNITS[unit]["type"], of.wall)) == "breach" for unit in guns)
    for unit in sorted(d.front, key=lambda unit: UNITS[unit]["points"])[:breaches]:
        d.lose(unit, "eliminate")
    stormers = Side(storming, [])
    count = len(d.front)
    placed = of.boxes is not None and (first_round or of.keep)
    first, stormed = onslaught(roll, stormers, d, of.plays[0], "table", "all" if placed else "")
    if stormed and rulings["storm_response"] == "field":
        answer(
            roll,
            stormers,
            count if rulings["response_count"] == "before" else len(d.front),
            first,
            False,
            rulings["storm_losses"] == "rout",
        )
    for fate, unit in stormers.lost:
        a.lose(unit, "rout" if rulings["storm_losses"] == "rout" else fate)
    if not d.left:
        return "both_ruined" if not a.left else "defender_ruined"
    if not a.left:
        return "attacker_ruined"
    return "attacker_retreats" if gone(of, 0, a.left) else ""


def gone(of: Set, at: int, left: int) -> bool:
    """Return whether a side's losses have reached the share at which its policy retreats."""
    share = POLICIES[of.plays[at]].get("lost")
    return bool(share) and of.began[at] - left >= of.began[at] * Fraction(share or 0)


def aim(policy: str, hits: list[int], enemies: list[str], taken: list[int]) -> int:
    """Return the index of the best target among the enemies with the fewest attackers.

    Depending on the policy, the best target is the one most likely to be lost, or the most expensive one that can
    be lost. Enemies that cannot be lost count only under the older policies, or if no enemy can be lost.
    """
    able = [i for i in range(len(enemies)) if hits[i] or POLICIES[policy].get("older")] or list(range(len(enemies)))
    fewest = min(taken.count(i) for i in able)
    chance = POLICIES[policy]["aim"] == "chance"

    def worth(i: int) -> tuple[int, int, int, int]:
        return hits[i] if chance else hits[i] > 0, UNITS[enemies[i]]["points"], hits[i], -i

    return max((i for i in able if taken.count(i) == fewest), key=worth)


def volley(roll: Roll, shooters: Side, role: str, targets: Side, policy: str) -> None:
    """Declare every shot, then roll all shots. Only the first hit on a unit counts."""
    enemies = list(targets.front)
    aimed: list[tuple[str, int]] = []
    for unit in shooters.front if enemies else []:
        row = UNITS[unit]
        if role in row.get("fires", ()):
            if row.get("each_box") and role == "defence":
                aimed += [(unit, i) for i in range(len(enemies))]
            else:
                hits = [6 - shot("fire", row["type"], UNITS[e]["type"]).count("none") for e in enemies]
                aimed.append((unit, aim(policy, hits, enemies, [i for _, i in aimed])))
    fallen: dict[int, str] = {}
    for unit, i in aimed:
        if (
            i not in fallen
            and (result := roll(shot("fire", UNITS[unit]["type"], UNITS[enemies[i]]["type"]))) != "none"
        ):
            fallen[i] = result
    for i, result in fallen.items():
        targets.lose(enemies[i], result)


def onslaught(
    roll: Roll, attacker: Side, defender: Side, policy: str, charger_losses: str, charge: str = ""
) -> tuple[list[str], bool]:
    """Return the units that charged and survived, and whether any unit charged. `charge` overrides the policy."""
    enemies, charge = list(defender.front), charge or POLICIES[policy]["charge"]
    pairs: list[tuple[str, int]] = []
    for unit in attacker.front if enemies and charge != "none" else []:
        cells = [charged(unit, enemy) for enemy in enemies]
        hits = [sum("defender" in cell for cell in of) for of in cells]
        if not any(hits) and not POLICIES[policy].get("older"):
            continue
        i = aim(policy, hits, enemies, [i for _, i in pairs])
        if charge == "all" or hits[i] >= sum("charger" in cell for cell in cells[i]):
            pairs.append((unit, i))
    chargers = [unit for unit, _ in pairs]
    fallen: set[int] = set()
    for unit, i in pairs:
        for part in roll(charged(unit, enemies[i])).split(", ") if i not in fallen else []:
            who, _, fate = part.partition(" ")
            if who == "defender":
                fallen.add(i)
                defender.lose(enemies[i], fate)
            elif who == "charger" and charger_losses == "table":
                chargers.remove(unit)
                attacker.lose(unit, fate)
    return chargers, bool(pairs)


def answer(roll: Roll, attacker: Side, count: int, first: list[str], others: bool, only_rout: bool = False) -> None:
    """Roll the response and remove the attacker's losses.

    Chargers are lost first. Among equal choices, the fewest points are lost, then the fewest units are eliminated,
    then names decide.
    """
    counts = Counter(
        {part.split()[1]: int(part.split()[0]) for part in roll(responses(count)).split(", ") if part != "none"}
    )
    rest = list(attacker.front)
    for unit in first:
        rest.remove(unit)
    rest = rest if others else []
    total = min(sum(counts.values()), len(first) + len(rest))
    dead = 0 if only_rout else min(counts["eliminate"], total)
    some = min(total, len(first))
    ways = []
    for part in combinations(first, some):
        for more in combinations(rest, total - some):
            fallen = sorted(part + more, key=ORDER.index)
            for killed in combinations(fallen, dead):
                routed = sorted((Counter(fallen) - Counter(killed)).elements(), key=ORDER.index)
                cost = [sum(UNITS[unit]["points"] for unit in line) for line in (fallen, killed)]
                ways.append((*cost, tuple(routed), tuple(killed)))
    _, _, routed_, killed_ = min(ways)
    for fate, line in zip(LOST, (routed_, killed_), strict=True):
        for unit in line:
            attacker.lose(unit, fate)
