"""An oracle that plays battles die by die from the text of the pack, without code of the generator."""

from __future__ import annotations

import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
PACK = tomllib.loads((ROOT / "data/blind_faith/pack.toml").read_text(encoding="utf-8"))
UNITS: dict[str, dict[str, Any]] = {unit["id"]: unit for unit in PACK["unit"]}
ORDER = list(UNITS)
CHARGE = {int(die): cell for die, cell in PACK["charge"].items()}

Roll = Callable[[list[str]], str]
"""A function that rolls a die. It takes the results of the six faces and returns one of them."""


def every(play: Callable[[Roll], Any]) -> dict[Any, Fraction]:
    """Return the probability of every outcome of `play`, by trying every die."""
    found: defaultdict[Any, Fraction] = defaultdict(Fraction)
    waiting: list[tuple[list[str], Fraction]] = [([], Fraction(1))]
    while waiting:
        script, p = waiting.pop()
        thrown = 0

        def roll(results: list[str], script: list[str] = script) -> str:
            nonlocal thrown
            thrown += 1
            if thrown > len(script):
                raise Untried(results)
            return script[thrown - 1]

        try:
            found[play(roll)] += p
        except Untried as more:
            waiting += [([*script, r], p * Fraction(n, 6)) for r, n in Counter(more.results).items()]
    return dict(found)


class Untried(Exception):  # noqa: N818 (no error: a die that is yet to be thrown)
    def __init__(self, results: list[str]) -> None:
        self.results = results


def shot(table: str, shooter: str, target: str) -> list[str]:
    """Return the result of a shot for each face of the die."""
    faces = ["none"] * 6
    for word, first, last in re.findall(r"([a-z]+) (\d)(?:-(\d))?", PACK[table][shooter][target]):
        for face in range(int(first), int(last or first) + 1):
            faces[face - 1] = word
    return faces


def charged(charger: str, target: str) -> list[str]:
    drm = UNITS[charger]["drm"] - UNITS[target]["drm"]
    return [CHARGE[max(min(CHARGE), min(max(CHARGE), face + drm))] for face in range(1, 7)]


def responses(count: int) -> list[str]:
    """Return the losses from the response of `count` units, for each face of the die."""
    if count == 0:
        return ["none"] * 6
    column = next(i for i, maximum in enumerate((5, 10, 15, 10**9)) if count <= maximum)
    drm = 0 if count <= 20 else 1 + (count - 21) // 5
    cells = PACK["response"]["column"][column]["results"]
    return [cells[min(face + drm, len(cells)) - 1] for face in range(1, 7)]


class Side:
    """One side of a fight, with its units in the order of the pack."""

    def __init__(self, front: list[str], reserve: list[str]) -> None:
        self.front, self.reserve = sorted(front, key=ORDER.index), list(reserve)
        self.lost: list[tuple[str, str]] = []

    def lose(self, unit: str, fate: str) -> None:
        self.front.remove(unit)
        self.lost.append((fate, unit))

    @property
    def left(self) -> int:
        return len(self.front) + len(self.reserve)

    def refill(self, wanted: int, role: str) -> None:
        while self.reserve and len(self.front) < wanted:

            def worth(unit: str) -> tuple[bool, int, int, int]:
                row = UNITS[unit]
                return role in row.get("fires", ()), row["drm"], row["points"], -ORDER.index(unit)

            best = max(self.reserve, key=worth)
            self.reserve.remove(best)
            self.front = sorted([*self.front, best], key=ORDER.index)

    def tally(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        one, two = ([u for f, u in self.lost if f == fate] for fate in ("rout", "eliminate"))
        return tuple(sorted(one, key=ORDER.index)), tuple(sorted(two, key=ORDER.index))


def best_target(chances: list[int], enemies: list[str], taken: list[int]) -> int:
    """Return the index of the best target among the enemies with the fewest shooters.

    The most likely hit comes first, then the most expensive unit, then the first in the list.
    """
    fewest = min(taken.count(i) for i in range(len(enemies)))
    open_ = [i for i in range(len(enemies)) if taken.count(i) == fewest]
    return max(open_, key=lambda i: (chances[i], UNITS[enemies[i]]["points"], -i))


def volley(roll: Roll, shooters: Side, role: str, targets: Side) -> None:
    enemies = list(targets.front)
    aimed: list[tuple[str, int]] = []
    for unit in shooters.front if enemies else []:
        row = UNITS[unit]
        if role not in row.get("fires", ()):
            continue
        if row.get("each_box") and role == "defence":
            aimed += [(unit, i) for i in range(len(enemies))]
        else:
            chances = [6 - shot("fire", row["type"], UNITS[e]["type"]).count("none") for e in enemies]
            aimed.append((unit, best_target(chances, enemies, [i for _, i in aimed])))
    gone: dict[int, str] = {}
    for unit, i in aimed:
        result = roll(shot("fire", UNITS[unit]["type"], UNITS[enemies[i]]["type"]))
        if result != "none" and i not in gone:
            gone[i] = result
    for i, result in gone.items():
        targets.lose(enemies[i], result)


def onslaught(roll: Roll, attacker: Side, defender: Side, charger_losses: bool = True) -> list[str]:
    """Let all front units of the attacker charge, and return the chargers that survive."""
    enemies = list(defender.front)
    pairs: list[tuple[str, int]] = []
    for unit in attacker.front if enemies else []:
        chances = [sum("defender" in r for r in charged(unit, e)) for e in enemies]
        pairs.append((unit, best_target(chances, enemies, [i for _, i in pairs])))
    chargers = [unit for unit, _ in pairs]
    gone: set[int] = set()
    for unit, i in pairs:
        if i in gone:
            continue
        result = roll(charged(unit, enemies[i]))
        for who, fate in re.findall(r"(defender|charger) (rout|eliminate)", result):
            if who == "defender":
                gone.add(i)
                defender.lose(enemies[i], fate)
            elif charger_losses:
                chargers.remove(unit)
                attacker.lose(unit, fate)
    return chargers


def answer(roll: Roll, attacker: Side, count: int, first: list[str]) -> None:
    """Roll the response. The attacker loses the cheapest units allowed, and chargers before other units."""
    counts = {fate: int(n) for n, fate in re.findall(r"(\d+) (rout|eliminate)", roll(responses(count)))}
    rest = list(attacker.front)
    for unit in first:
        rest.remove(unit)
    total = min(sum(counts.values()), len(first) + len(rest))
    gone = min(counts.get("eliminate", 0), total)
    count_first = min(total, len(first))
    sets = [a + b for a in combinations(first, count_first) for b in combinations(rest, total - count_first)]
    cheap = min(sum(UNITS[u]["points"] for u in s) for s in sets)
    ways = [
        (sum(UNITS[u]["points"] for u in dead), tuple(sorted(s)), dead)
        for s in sets
        if sum(UNITS[u]["points"] for u in s) == cheap
        for dead in combinations(s, gone)
    ]
    _, fallen, dead = min(ways)
    for unit in dead:
        attacker.lose(unit, "eliminate")
    for unit in (Counter(fallen) - Counter(dead)).elements():
        attacker.lose(unit, "rout")


def round_of(roll: Roll, attacker: Side, defender: Side, before: bool = False) -> None:
    volley(roll, attacker, "attack", defender)
    volley(roll, defender, "defence", attacker)
    count = len(defender.front)
    first = onslaught(roll, attacker, defender)
    answer(roll, attacker, count if before else len(defender.front), first)


def battle(
    roll: Roll, forces: Callable[[], tuple[Side, Side]], rounds: int, half: bool, refilled: bool = True
) -> tuple[str, Any, Any]:
    """Play until a side is ruined or retreats at half losses, and return the ending and the losses of each side."""
    attacker, defender = forces()
    starts = attacker.left, defender.left
    width = len(defender.front)
    for _ in range(rounds):
        round_of(roll, attacker, defender)
        if not attacker.left or not defender.left:
            how = (
                ("both_ruined" if not defender.left else "attacker_ruined")
                if not attacker.left
                else "defender_ruined"
            )
            return how, attacker.tally(), defender.tally()
        runs = [
            half and 2 * (start - side.left) >= start
            for start, side in zip(starts, (attacker, defender), strict=True)
        ]
        if refilled or not any(runs):
            attacker.refill(4, "attack")
            defender.refill(width, "defence")
        if runs[0]:
            volley(roll, defender, "defence", attacker)
            answer(roll, attacker, len(defender.front), [])
            return "attacker_retreats", attacker.tally(), defender.tally()
        if runs[1]:
            volley(roll, attacker, "attack", defender)
            onslaught(roll, attacker, defender, charger_losses=False)
            return "defender_retreats", attacker.tally(), defender.tally()
    return "undecided", attacker.tally(), defender.tally()


def siege(roll: Roll, guns: list[str], stormers: Side, garrison: Side, wall: str) -> None:
    """Play a round of a siege. Storming units are routed, never eliminated."""
    breaches = sum(roll(shot("bombard", UNITS[unit]["type"], wall)) == "breach" for unit in guns)
    for unit in sorted(garrison.front, key=lambda u: UNITS[u]["points"])[:breaches]:
        garrison.lose(unit, "eliminate")
    if garrison.front and stormers.front:
        first = onslaught(roll, stormers, garrison)
        answer(roll, stormers, len(garrison.front), first)
    stormers.lost = [("rout", unit) for _, unit in stormers.lost]
