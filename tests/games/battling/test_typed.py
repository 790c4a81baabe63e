"""Tests that legal battle files are accepted as people write them.

The generator of these files uses only the ids of the shipped machines. Rows are in any order. Ids are the
generated ones, a user's, or omitted, and optional keys are often omitted.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from random import Random

import pytest

from generator.games.battling.file import read
from generator.games.battling.rules import rules
from generator.model.scenario import Origin
from generator.notation.toml import Source
from generator.rules import check

DATA = Path(__file__).resolve().parents[3] / "data" / "battling"
MACHINES = [row["id"] for row in tomllib.loads((DATA / "machines.toml").read_text("utf-8"))["machine"]]
NAMES = [
    "キリコ",
    "フィアナ",
    "赤い肩",
    "シャッコ",
    "ゴウト",
    "バニラ",
    "ココナ",
    "イプシロン",
    "ロッチナ",
    "カン・ユー",
]
COLUMNS, ROWS = 14, 12


def legal_file(random: Random) -> str:
    """Return the text of a legal battle file."""
    cells = [f"{c:02}{r:02}" for c in range(1, COLUMNS + 1) for r in range(1, ROWS + 1)]
    inner = [cell for cell in cells if 1 < int(cell[:2]) < COLUMNS and 1 < int(cell[2:]) < ROWS]
    huts = random.sample(inner, random.randrange(30))
    walls = "\n".join(
        " ".join(f"{hut}{x}{y}" for x, y in (("-4", "-4"), ("+4", "-4"), ("+4", "+4"), ("-4", "+4"))) for hut in huts
    )
    fixed = random.random() < 0.4
    edges = random.choice(["NS", "SN", "EW", "WE"])
    lines = {
        "N": [cell for cell in cells if cell[2:] == "01"],
        "S": [cell for cell in cells if cell[2:] == f"{ROWS:02}"],
        "W": [cell for cell in cells if cell[:2] == "01"],
        "E": [cell for cell in cells if cell[:2] == f"{COLUMNS:02}"],
    }
    free = [cell for cell in cells if cell not in huts]
    random.shuffle(free)
    names = random.sample(NAMES, len(NAMES))
    log_steps: dict[str, list[str]] = {}
    tables = []
    for side, edge in zip(("first", "second"), edges, strict=True):
        count = random.randint(1, 4)
        where = [free.pop() for _ in range(count)] if fixed else random.sample(lines[edge], count)
        numbers = random.sample(range(1, 9), count)
        rows = []
        for cell, number in zip(where, numbers, strict=True):
            id_part, label = f"{side[0].upper()}{number}", ""
            if random.random() < 0.3:
                id_part = label = names.pop()
            row = {"id": f'"{id_part}"', "hex": f'"{cell}"', "machine": f'"{random.choice(MACHINES)}"'}
            if not label and random.random() < 0.3:
                row["name"] = f'"{names.pop()}"' if names else '{ en = "A", ja = "あ" }'
            keys = random.sample(list(row), len(row))
            rows.append("{ " + ", ".join(f"{key} = {row[key]}" for key in keys) + " }")
            log_steps.setdefault(side, []).append(f"{id_part} {cell}")
        head = [f'player = "{"AB"[side == "second"]}"'] * (random.random() < 0.5)
        # The edge can be derived only if all machines are on hexes of exactly one edge.
        head += [] if fixed else [f'edge = "{edge}"']
        tables.append("\n".join([f"[{side}]", *head, f"machines = [{', '.join(rows)}]"]))
    random.shuffle(tables)
    play = ['title = "街の一戦"', *['setup = "fixed"'] * fixed, *["turns = 8"] * (random.random() < 0.5)]
    parts = ['[muster]\ngame = "battling"', "\n".join(["[play]", *random.sample(play, len(play))]), *tables]
    parts.append(f'[arena]\nbuildings = """\n{walls}\n"""')
    if random.random() < 0.5:
        parts.append('[[log]]\nstep = "dice"\nresult = ["4", "4"]\n\n[[log]]\nstep = "dice"\nresult = ["6", "4"]')
        for side in ("second", "first"):
            posts = ", ".join(f'"{post}"' for post in random.sample(log_steps[side], len(log_steps[side])))
            parts.append(f'[[log]]\nstep = "deploy"\nwho = "{side}"\nresult = [{posts}]')
    return "\n\n".join(parts) + "\n"


@pytest.mark.parametrize("number", range(60))
def test_what_a_person_types_by_the_rules_is_legal(number: int) -> None:
    text = legal_file(Random(number))
    found = check(rules(), read(Source("typed.toml", text), Origin("battling"), Path()))
    assert found.illegal == (), text
