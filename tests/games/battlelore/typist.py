"""A simulated user who writes legal BattleLore files from the shipped box, without code of the generator."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import NamedTuple

from tests.games.call_to_arms.typist import LONG, PLACES, POOL, RACES, Cell, Field, name
from tests.typo import Typo

CAMPS = ("pennant", "standard")
SIZE = {"long_sword": 3}


class Plan(NamedTuple):
    """The content of a scenario file before it is written."""

    field: Field
    units: dict[str, list[tuple[str, Cell]]]
    """Units with their hexes, keyed by camp."""


def box(random: Random, camp: str) -> list[str]:
    """Return random units for which the box has enough figures and banners."""
    figures: Counter[tuple[str, str]] = Counter()
    banners: Counter[tuple[str, str]] = Counter()
    found = []
    for _ in range(random.randrange(4, 15)):
        race = random.choice([race for race in RACES.values() if race in POOL[camp]["figures"]])
        weapon = random.choice(list(POOL[camp]["figures"][race]))
        colour = random.choice(list(POOL[camp]["banners"]))
        size = SIZE.get(weapon, 4)
        if POOL[camp]["figures"][race][weapon] - figures[race, weapon] < size:
            continue
        if POOL[camp]["banners"][colour].get(weapon, 0) <= banners[colour, weapon]:
            continue
        figures[race, weapon] += size
        banners[colour, weapon] += 1
        found.append(f"{colour} {weapon} {race}".removesuffix(" human"))
    return found


def random_plan(seed: int) -> Plan:
    """Return a legal battle that depends only on the seed."""
    random = Random(seed)
    field = Field(random)
    units = {}
    for camp in CAMPS:
        cells = sorted({c for row in range(3) for place in PLACES for c in field.section(camp, place, row)})
        kinds = box(random, camp)
        units[camp] = list(
            zip(kinds, random.sample([c for c in cells if field.passable(c)], len(kinds)), strict=True)
        )
    return Plan(field, units) if all(units.values()) else random_plan(seed + 1_000_003)


def plan_text(plan: Plan, seed: int) -> str:
    """Return the text of a battle's file."""
    random = Random(seed)
    text = f'[muster]\ngame = "battlelore"\n\n[play]\ntitle = "写本"\nfirst = "{random.choice(CAMPS)}"\n'
    text += f"banners = {random.randrange(1, 10)}\n" if random.random() < 0.5 else ""
    profile = f'profile = "{plan.field.profile}"\n' if random.random() < 0.5 else ""
    text += f'\n[board]\n{profile}rows = """\n{plan.field.text()}\n"""\n'
    text += '\n[rulings]\nhill = "plateau"\n' if random.random() < 0.3 else ""
    ids = random.random() < 0.4
    for camp, units in plan.units.items():
        text += f"\n[{camp}]\nunits = [\n"
        for number, (kind, at) in enumerate(units, 1):
            id_part = f'id = "{camp[0]}の{number}", ' if ids else ""
            text += f'  {{ {id_part}hex = "{name(at)}", unit = "{kind}" }},\n'
        text += "]\n"
    return text


def legal_file(seed: int) -> str:
    """Return the text of a legal file that depends only on the seed."""
    return plan_text(random_plan(seed), seed)


def file_with_typo(seed: int) -> Typo:
    """Return a file with one typo."""
    random = Random(seed)
    plan = random_plan(seed)
    camp = random.choice(CAMPS)
    units = plan.units[camp]
    at = random.randrange(len(units))
    taken = [cell for of in plan.units.values() for _, cell in of if cell != units[at][1]]
    long = LONG[plan.field.profile]
    off = (long, random.randrange(9))
    kinds = {
        "on water": [c for c, ground in plan.field.ground.items() if ground == "~"],
        "two in a hex": taken,
        "off the map": [off] if long < 13 else [],
    }
    kind = random.choice([kind for kind, cells in kinds.items() if cells])
    cell = random.choice(kinds[kind])
    units[at] = (units[at][0], cell)
    text = plan_text(plan, seed)
    rows = [n for n, row in enumerate(text.splitlines(), 1) if f'hex = "{name(cell)}"' in row]
    return Typo(text, kind, tuple(rows), (name(cell),))
