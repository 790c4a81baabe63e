"""Battles and sieges of several units have the odds of an oracle, and a kit is printed in three seconds.

Small fights are enumerated, and large ones are sampled. The oracle shares no code with the engines. Each siege is
tried with boxes for the first round, with boxes for all rounds, and without boxes.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from generator.games.blind_faith.choices import best_mix
from generator.games.blind_faith.draw import draw
from generator.games.blind_faith.odds import Fight, computed, fight_of
from generator.games.blind_faith.rounds import ENDINGS, odds_settings, policies
from generator.games.blind_faith.siege import Boxes
from generator.model.scenario import Request
from generator.seeds import code_for
from tests.games.blind_faith import battle_oracle, fight_oracle
from tests.prove.figure import SEED, Figure, counted, spread
from tests.prove.parts.odds import Case, differs, oracle_set, small

SMALL, LARGE, GAMES, MIXES = 300, 40, 200, 30
"""Number of small fights, of generated fights, of sampled games for each generated fight, and of sieges with a
search.
"""
KITS, RULINGS = 100, 20
"""Number of printed codes, and of scenarios with compared rulings."""
KIT_S, RULINGS_S = 3.0, 2.0
"""Maximum CPU seconds for a kit and for `muster rulings` (issue 40)."""
TOLERANCE = Fraction(3, 100)
"""Maximum difference between the mix found and the best mix. The search compares 500 games of each mix."""


def prove() -> Iterator[Figure]:
    """Yield the figures of all parts."""
    cases = list(small_sieges_and_battles(SMALL, SEED))
    faults = [fault for fault in spread(differs, cases, "small fights") if fault]
    yield counted("small battles and sieges compared with every result of the dice", len(cases), faults)
    faults = [fault for fault in spread(sampled_differs, range(LARGE), "drawn fights", size=1) if fault]
    yield counted(f"drawn fights, every policy, within intervals of {GAMES} games", LARGE, faults)
    faults = [fault for fault in spread(mix_differs, range(MIXES), "best mixes") if fault]
    yield counted("best mixes of small sieges compared with every mix", MIXES, faults)
    yield timed("kits", KITS, KIT_S)
    yield timed("rulings", RULINGS, RULINGS_S)


def small_sieges_and_battles(count: int, seed: int) -> Iterator[Case]:
    """Yield small fights of several types. Sieges have boxes for the first round, for all rounds, or none."""
    dice = random.Random(seed)
    for case in small(count, seed + 1):
        fight = case.fight
        if fight.wall and not case.plays[0].older:
            placed: dict[str, list[str]] = {"bombard": [], "storm": [], "reserve": []}
            for unit in fight.attack.front:
                boxes = list(placed) if fight.pack.units[unit].bombards else ["storm", "reserve"]
                placed[dice.choice(boxes)].append(unit)
            bombard, storm, reserve = (fight.pack.line(units) for units in placed.values())
            boxes_ = Boxes(bombard, storm, reserve)
            found = dice.choice([None, boxes_, structs.replace(boxes_, keep=True)])
            fight = structs.replace(fight, boxes=found)
        yield Case(fight, case.plays)


def sampled_differs(number: int) -> str:
    """Return the odds of a generated fight that are outside the oracle's intervals, or "" if there are none."""
    kind = ("battle", "siege")[number % 2]
    scenario = draw(Request(code_for(SEED + 7 * number), {"kind": kind}, {}))
    fight = fight_of(scenario)
    assert fight
    names = [*odds_settings().advised.siege] if fight.wall else [*odds_settings().advised.attack]
    name = names[number // 2 % len(names)]
    plays = policies()[name], policies()["half"]
    odds = computed(fight, plays, odds_settings().page)
    found = fight_oracle.sampled(oracle_set(fight, plays), odds_settings().rounds, GAMES, number)
    chances: dict[str, Fraction] = {ending: odds.endings.get(ending, Fraction()) for ending in ENDINGS}
    for ending, chance in (chances | {"": odds.undecided}).items():
        low, high = odds.bounds(chance)
        if high < found[ending].low - 1e-9 or low > found[ending].high + 1e-9:
            return f"{scenario.origin.code} {name}: {ending or 'undecided'} {float(chance):.3f}, not {found[ending]}"
    return ""


class Mix(NamedTuple):
    """A way to place a besieger's units, with its chance of success."""

    boxes: tuple[tuple[str, ...], tuple[str, ...]]
    chance: Fraction


def mix_differs(number: int) -> str:
    """Return by how much the best mix found falls short of the oracle's best mix, or "" if it does not."""
    fight = siege_of_few(number)
    policy = policies()["half"]
    found = best_mix(fight, policy, odds_settings().search)
    every = list(mixes(fight))
    if not every or found is None:
        return "" if not every and found is None else f"{number}: {found} of {len(every)}"
    best = max(every, key=lambda mix: mix.chance)
    chance = next(mix.chance for mix in every if mix.boxes == (found.bombard, found.storm))
    return f"{number}: {found} takes {float(chance):.3f}, {best}" if chance < best.chance - TOLERANCE else ""


def siege_of_few(number: int) -> Fight:
    """Return a siege of three or four units against two or three."""
    dice = random.Random(SEED + number)
    case = next(case for case in small(9, SEED + number) if case.fight.wall)
    pack = case.fight.pack
    side = dice.choice(["hussite", "crusader"])
    able = [unit.id for unit in pack.units.values() if side in unit.sides]
    others = [unit.id for unit in pack.units.values() if side not in unit.sides]
    besiegers = pack.line(dice.choice(able) for _ in range(dice.randint(3, 4)))
    garrison = pack.line(dice.choice(others) for _ in range(dice.randint(2, 3)))
    attack, defence = (
        structs.replace(case.fight.attack, front=besiegers),
        structs.replace(case.fight.defence, front=garrison),
    )
    began = len(besiegers), len(garrison)
    return structs.replace(case.fight, attack=attack, defence=defence, began=began, width=len(garrison), boxes=None)


def mixes(fight: Fight) -> Iterator[Mix]:
    """Yield every placement in which some units storm and others do not, with the oracle's chance."""
    plays = policies()["half"], policies()["half"]
    seen = set()
    for number in range(3 ** len(fight.attack.front)):
        placed: list[list[str]] = [[], [], []]
        for i, unit in enumerate(fight.attack.front):
            placed[number // 3**i % 3].append(unit)
        bombard, storm, reserve = (fight.pack.line(units) for units in placed)
        useful = all("breach" in _faces(fight, unit) for unit in bombard)
        if (bombard, storm) in seen or not useful or not storm or not (bombard or reserve):
            continue
        seen.add((bombard, storm))
        boxed = structs.replace(fight, boxes=Boxes(bombard, storm, reserve, keep=True))
        course = fight_oracle.course(oracle_set(boxed, plays), odds_settings().rounds)
        won = course.endings[-1]
        yield Mix((bombard, storm), Fraction(won["defender_ruined"]))


def _faces(fight: Fight, unit: str) -> list[str]:
    """Return the result of a bombardment for each face of the die."""
    of = battle_oracle.UNITS[unit]
    return battle_oracle.shot("bombard", of["type"], fight.wall) if of.get("bombards") else []


def timed(what: str, count: int, limit_s: float) -> Figure:
    """Return the figure of commands that finish within `limit_s` seconds.

    Fonts and templates are cached, but odds are not.
    """
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "cache"
        _seconds(what, code_for(SEED), Path(folder), cache)
        seconds = sorted(
            (_seconds(what, code_for(SEED + 1 + number), Path(folder), cache), code_for(SEED + 1 + number))
            for number in range(count)
        )
    slow = [f"{code}: {taken:.1f} s" for taken, code in seconds if taken > limit_s]
    middle, worst = seconds[len(seconds) // 2][0], seconds[-1][0]
    return Figure(
        f"{what} of Blind Faith within {limit_s:g} s on one core",
        f"{count - len(slow)} of {count} (median {middle:.1f} s, longest {worst:.1f} s)",
        "99 of 100",
        len(slow) * 100 <= count,
        tuple(slow),
    )


def _seconds(what: str, code: str, folder: Path, cache: Path) -> float:
    """Return the CPU seconds of a command without cached odds."""
    muster = str(Path(sys.executable).with_name("muster"))
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    file, kit = folder / "scenario.toml", folder / "kit"
    if what == "rulings":
        drawing = [muster, "draw", "blind_faith", "--seed", code, "-o", str(file)]
        subprocess.run(drawing, check=True, capture_output=True, env=environment)
    command = {
        "kits": [muster, "kit", "blind_faith", "--seed", code, "-o", str(kit)],
        "rulings": [muster, "rulings", str(file)],
    }[what]
    shutil.rmtree(cache / "muster" / "odds", ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    shutil.rmtree(kit, ignore_errors=True)
    file.unlink(missing_ok=True)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
