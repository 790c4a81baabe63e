"""A simulated user who writes legal Travel Battle files from the shipped army, without code of the generator."""

from __future__ import annotations

import tomllib
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.typo import Typo

DATA = Path(__file__).resolve().parents[3] / "data"
ARMY = tomllib.loads((DATA / "travel_battle" / "army.toml").read_text("utf-8"))
COUNT = {unit["id"]: unit["count"] for unit in ARMY["unit"]}
ARM = {unit["id"]: unit["arm"] for unit in ARMY["unit"]}
WIDE, DEEP = 20, 10
ROWS = {"blue": (1, 2), "red": (10, 9)}
FORWARD = {"blue": ("N", "NE", "NW"), "red": ("S", "SE", "SW")}
Cell = tuple[int, int]
"""Column starting at 0, and row starting at 1."""


def name(cell: Cell) -> str:
    return f"{'abcdefghijklmnopqrst'[cell[0]]}{cell[1]}"


class Man(NamedTuple):
    """A unit with its square."""

    kind: str
    at: Cell


class Plan(NamedTuple):
    """The content of a scenario file before it is written."""

    ground: dict[Cell, str]
    brigades: dict[str, list[list[Man]]]
    """Three brigades for each player, each with its brigadier first."""


def may_enter(kind: str, ground: str) -> bool:
    """Return whether a unit may be on a terrain.

    Only infantry may enter woods, and no cavalry may enter buildings.
    """
    return ARM[kind] == "infantry" or ground not in "wb"


def brigade(random: Random, kinds: list[str], cells: list[Cell], ground: dict[Cell, str]) -> list[Man] | None:
    """Place units on adjacent squares, including diagonals. Return None if there is not enough space."""
    free = set(cells)
    men: list[Man] = []
    for kind in ["brigadier", *kinds]:
        near = [(c, r) for c, r in free if not men or any(abs(c - m.at[0]) < 2 and abs(r - m.at[1]) < 2 for m in men)]
        able = sorted(cell for cell in near if may_enter(kind, ground[cell]))
        if not able:
            return None
        men.append(Man(kind, random.choice(able)))
        free.discard(men[-1].at)
    foot = [i for i, man in enumerate(men) if ARM[man.kind] == "infantry" and ground[man.at] == "."]
    if len(foot) > 1 and random.random() < 0.3:
        one, other = random.sample(foot, 2)
        alike = [*men[:other], Man(men[other].kind, men[one].at), *men[other + 1 :]]
        men = alike if linked(alike) else men
    return men


def linked(men: list[Man]) -> bool:
    """Return whether all units are linked to the brigadier."""
    held, more = {men[0].at}, True
    while more:
        more = False
        for man in men:
            if man.at not in held and any(abs(man.at[0] - c) < 2 and abs(man.at[1] - r) < 2 for c, r in held):
                held.add(man.at)
                more = True
    return all(man.at in held for man in men)


def random_plan(seed: int) -> Plan:
    """Return a legal set-up that depends only on the seed."""
    random = Random(seed)
    ground = {(c, r): random.choice("......1=pbw") for c in range(WIDE) for r in range(1, DEEP + 1)}
    armies: dict[str, list[list[Man]]] = {}
    for player, rows in ROWS.items():
        units = [kind for kind, count in COUNT.items() if kind != "brigadier" for _ in range(count)]
        random.shuffle(units)
        cuts = sorted(random.sample(range(2, len(units) - 1, 2), 2))
        parts = [units[: cuts[0]], units[cuts[0] : cuts[1]], units[cuts[1] :]]
        taken: set[Cell] = set()
        brigades = []
        for part in parts:
            cells = [(c, r) for c in range(WIDE) for r in rows if (c, r) not in taken]
            men = brigade(random, part, cells, ground)
            if men is None:
                return random_plan(seed + 1_000_003)
            taken |= {man.at for man in men}
            brigades.append(men)
        armies[player] = brigades
    return Plan(ground, armies)


def plan_text(plan: Plan, seed: int) -> str:
    """Return the text of the set-up's file, with the units in random order."""
    random = Random(seed)
    text = '[muster]\ngame = "travel_battle"\n\n[play]\ntitle = "二つの村"\n'
    text += 'moves_first = "red"\n' if random.random() < 0.5 else ""
    for owner, left, kind in (("blue", 0, "A"), ("red", 10, "B")):
        rows = [" ".join(plan.ground[left + c, r] for c in range(10)) for r in range(DEEP, 0, -1)]
        text += f'\n[[board]]\nowner = "{owner}"\ntype = "{kind}"\nrows = """\n' + "\n".join(rows) + '\n"""\n'
    ids, letters = random.random() < 0.4, iter(random.sample(range(1, 100), 60))
    for player, brigades in plan.brigades.items():
        for men in brigades:
            text += f"\n[[{player}.brigade]]\nunits = [\n"
            for man in random.sample(men, len(men)):
                id_part = f'id = "{"青赤"[player == "red"]}{next(letters)}", ' if ids else ""
                looks = random.choice(FORWARD[player])
                turned = f', facing = "{looks}"' if random.random() < 0.3 else ""
                text += f'  {{ {id_part}unit = "{man.kind}", at = "{name(man.at)}"{turned} }},\n'
            text += "]\n"
    return text


def legal_file(seed: int) -> str:
    """Return the text of a legal file that depends only on the seed."""
    return plan_text(random_plan(seed), seed)


def file_with_typo(seed: int) -> Typo:
    """Return a file with one typo."""
    random = Random(seed)
    plan = random_plan(seed)
    player = random.choice(list(ROWS))
    men = random.choice(plan.brigades[player])
    at = random.randrange(1, len(men))
    man = men[at]
    rest = [*men[:at], *men[at + 1 :]]
    held = {m.at for brigades in plan.brigades.values() for of in brigades for m in of}
    third = [(c, 3 if player == "blue" else 8) for c in range(WIDE)]
    adjacent = [c for c in third if may_enter(man.kind, plan.ground[c]) and linked([*rest, Man(man.kind, c)])]
    others = {m.at for brigades in plan.brigades.values() for of in brigades if of is not men for m in of}
    user_squares = {(c, r) for c in range(WIDE) for r in ROWS[player]}
    apart = [
        c
        for c in sorted(user_squares - held)
        if may_enter(man.kind, plan.ground[c]) and not linked([*rest, Man(man.kind, c)])
    ]
    barred = [
        c
        for c in sorted(user_squares - held)
        if not may_enter(man.kind, plan.ground[c]) and linked([*rest, Man(man.kind, c)])
    ]
    kinds = {
        "a third row": adjacent if linked(rest) else [],
        "two brigades in a square": sorted(others & user_squares),
        "apart from its brigadier": apart if linked(rest) else [],
        "on barred ground": barred if linked(rest) and ARM[man.kind] == "cavalry" else [],
    }
    able = [kind for kind, cells in kinds.items() if cells]
    if not able:
        return file_with_typo(seed + 1_000_003)
    kind = random.choice(able)
    cell = random.choice(kinds[kind])
    men[at] = Man(man.kind, cell)
    text = plan_text(plan, seed)
    rows = [n for n, row in enumerate(text.splitlines(), 1) if f'at = "{name(cell)}"' in row]
    return Typo(text, kind, tuple(rows), (name(cell),))
