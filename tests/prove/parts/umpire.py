"""In random battles written as posts, the judge reports every fault that was planted and no other fault.

The writer of the threads shares no code with their reader. The hash chains for dice are computed with hashlib
alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import get_args

from generator.games.battling.draw import draw
from generator.games.battling.model import SIDES, Scenario
from generator.games.battling.post.judge import judge
from generator.games.battling.post.random_game import play
from generator.model.scenario import Request
from generator.model.words import LANGS
from generator.seeds import Rng
from tests.games.battling.chains import chain_posts, chained
from tests.games.battling.fields import arena, plaza, scenario
from tests.games.battling.plants import FORGED, WAYS, Plant, is_reported, opening_of_seal, sealing
from tests.games.battling.test_threads import DUEL
from tests.games.battling.threads import RHYTHMS, Event, Rhythm, events, type_thread
from tests.prove.figure import SEED, Figure, counted, spread

LOGS = 300
"""Number of battles typed in each rhythm."""
FAULTY = 100
"""Number of battles in which each possible kind of fault is planted."""
PART = 98
"""Minimum percentage of planted faults that are the only finding, at the right line."""
ROLLS, FORGERIES = 1_000, 200
STRICT = scenario(
    arena(), "scopedog 0402, brutishdog 0602", "strikedog 0409, scopedog 0609", rulings={"dash": "strict"}
)


def prove() -> Iterator[Figure]:
    """Compute each figure."""
    for rhythm in RHYTHMS:
        cases = [(number, rhythm) for number in range(LOGS)]
        findings = [line for lines in spread(_clean, cases, rhythm) for line in lines]
        yield counted(f"logs {rhythm}, in both languages, with talk between", 2 * LOGS, findings, "0 false findings")
    yield from _planted()
    done = list(spread(_verified, range(60), "chains"))
    rolls = sum(count for count, _ in done)
    findings = [line for _, lines in done for line in lines]
    found = f"{rolls:,} rolls, {len(findings):,} faults"
    holds = rolls >= ROLLS and not findings
    yield Figure("rolls from chains verified", found, f"{ROLLS:,} rolls, 0 faults", holds, tuple(findings))
    findings = [line for line in spread(_forged, range(FORGERIES), "forgeries") if line]
    yield counted("forged rolls reported, one in each battle", FORGERIES, findings, "all")


@cache
def _battle(number: int) -> Scenario:
    """Return a generated battle, a battle between squads of three, a duel, or a battle with strict dashes."""
    match number % 4:
        case 0:
            return plaza()
        case 1:
            return DUEL
        case 2 if number % 8 == 2:
            return STRICT
        case _:
            return draw(Request(f"UMP{number % 40:02}-VMPRE", {}, {}))


@cache
def _events(number: int) -> list[Event]:
    of = _battle(number)
    return events(of, play(of, Rng(str(number), f"v1/prove/{SEED}")))


def _clean(case: tuple[int, Rhythm]) -> list[str]:
    """Return the findings on a thread without faults, in either language."""
    number, rhythm = case
    findings = []
    for lang in LANGS:
        judged = judge(
            type_thread(_events(number), rhythm, lang, Random(f"{SEED}{case}{lang}")).text, _battle(number)
        )
        findings += [f"{number} {rhythm} {lang}: line {f.line}: {f.reason}" for f in judged.findings]
        if not judged.outcome.over:
            findings.append(f"{number} {rhythm} {lang}: not over")
    return findings


def _planted() -> Iterator[Figure]:
    done = [(kind, right) for found in spread(_faulty, range(FAULTY), "planted") for kind, right in found]
    tried, right = Counter(kind for kind, _ in done), Counter(kind for kind, reported in done if reported)
    wrong = [f"{kind}: {tried[kind] - right[kind]} of {tried[kind]}" for kind in tried if right[kind] < tried[kind]]
    every, all_right = sum(tried.values()), sum(right.values())
    share = 100 * all_right / every
    missing = sorted({*WAYS, *FORGED} - set(tried))
    found = f"{all_right:,} of {every:,} ({share:.2f} %), {len(tried)} kinds"
    found += f", not {missing}" if missing else ""
    what = "planted faults, one in each log: only this fault is reported, with the right reason and line"
    yield Figure(what, found, f"≥ {PART} %", share >= PART and not missing, tuple(wrong))


def _faulty(number: int) -> list[tuple[str, bool]]:
    """Plant each kind of fault in a battle, and return whether it is reported correctly."""
    of, found = _battle(number), []
    for kind, way in WAYS.items():
        random = Random(f"{SEED}{kind}{number}")
        plant: Plant | None = next(way(of, _events(number), random), None)
        if plant:
            thread = type_thread(plant.events, random.choice(RHYTHMS), random.choice(LANGS), random, plant.change)
            found.append((kind, is_reported(plant, thread, of)))
    chain, ends = chained(plaza(), f"{SEED} {number}")
    for kind, way in FORGED.items():
        random = Random(f"{SEED}{kind}{number}")
        if plant := next(way(plaza(), chain, random), None):
            rhythm, lang, first = random.choice(RHYTHMS), random.choice(LANGS), plant.first(chain_posts(ends))
            thread = type_thread(plant.events, rhythm, lang, random, plant.change, first=first)
            found.append((kind, is_reported(plant, thread, plaza())))
    return found


def _verified(number: int) -> tuple[int, list[str]]:
    """Return the number of rolls of a battle with chains and a sealed set-up, and the findings on the battle."""
    found, ends = chained(plaza(), f"{SEED} rolls {number}")
    rhythm = get_args(Rhythm)[number % len(get_args(Rhythm))]
    random, side = Random(f"{SEED}{number}"), SIDES[number % 2]
    post, text = sealing(plaza(), side, random)
    opened, _ = opening_of_seal(found, text, side, random)
    thread = type_thread(opened, rhythm, LANGS[number % 2], random, first=[*chain_posts(ends), post])
    judged = judge(thread.text, plaza())
    findings = [f"{number}: line {f.line}: {f.reason}" for f in judged.findings]
    return sum(e.kind == "reply" for e in found), findings if judged.links else [*findings, f"{number}: no chains"]


def _forged(number: int) -> str:
    """Return the wrong findings on a forged roll, or "" if it is reported correctly."""
    found, ends = chained(plaza(), f"{SEED} forged {number}")
    random = Random(f"{SEED}{number}")
    plant = next(FORGED["tells another die"](plaza(), found, random))
    rhythm = get_args(Rhythm)[number % len(get_args(Rhythm))]
    thread = type_thread(plant.events, rhythm, LANGS[number % 2], random, plant.change, first=chain_posts(ends))
    findings = [(f.line, f.reason) for f in judge(thread.text, plaza()).findings]
    return "" if (thread.lines[plant.event], "dice.roll") in findings else f"{number}: {findings[:3]}"
