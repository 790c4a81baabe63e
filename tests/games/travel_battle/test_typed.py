"""Tests that legal battle files are accepted as people write them.

The generator of these files uses only the shipped army. Brigades and units are in any order. Ids are the
generated ones, a user's, or omitted, and optional keys are often omitted.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest

from generator.games.travel_battle.file import read
from generator.games.travel_battle.rules import rules
from generator.model.scenario import Origin
from generator.notation.toml import Source
from generator.rules import check

DATA = Path(__file__).resolve().parents[3] / "data" / "travel_battle"
KINDS: list[dict[str, Any]] = tomllib.loads((DATA / "army.toml").read_text("utf-8"))["unit"]
ARMY = [kind["id"] for kind in KINDS if kind["id"] != "brigadier" for _ in range(kind["count"])]
BOARDS = {path.stem: tomllib.loads(path.read_text("utf-8"))["rows"] for path in (DATA / "boards").glob("*.toml")}
PLAIN = "\n".join([". . . . . . . . . ."] * 10)
COLUMNS = "abcdefghijklmnopqrst"


def split(random: Random) -> list[list[str]]:
    """Split the army into three non-empty brigades at random."""
    units = random.sample(ARMY, len(ARMY))
    a, b = sorted(random.sample(range(1, len(units)), 2))
    return [units[:a], units[a:b], units[b:]]


def army(random: Random, side: str) -> tuple[list[str], list[tuple[str, str]]]:
    """Return a side's brigades as TOML tables, and the steps of their set-up."""
    rows = (1, 2) if side == "blue" else (10, 9)
    squares = iter([f"{column}{row}" for column in COLUMNS for row in random.sample(rows, 2)])
    tables, steps = [], []
    for number, units in enumerate(split(random), 1):
        posts, brigade_rows = [], []
        letters = iter("abcdefghijklmn")
        for kind in ["brigadier", *units]:
            id_part = f"{side[0].upper()}{number}" + ("" if kind == "brigadier" else next(letters))
            id_part = f"{'青' if side == 'blue' else '赤'}{id_part[1:]}" if random.random() < 0.3 else id_part
            at = next(squares)
            row = {"id": f'"{id_part}"', "unit": f'"{kind}"', "at": f'"{at}"'}
            row |= {"name": '"古参近衛"'} if random.random() < 0.1 else {}
            row |= {"facing": f'"{"N" if side == "blue" else "SE"}"'} if random.random() < 0.3 else {}
            keys = random.sample(list(row), len(row))
            brigade_rows.append("{ " + ", ".join(f"{key} = {row[key]}" for key in keys) + " }")
            posts.append(f"{id_part} {at}")
        body = ", ".join(random.sample(brigade_rows, len(brigade_rows)))
        tables.append(f"[[{side}.brigade]]\nnumber = {number}\nunits = [{body}]")
        steps.append((side, ", ".join(f'"{post}"' for post in random.sample(posts, len(posts)))))
    return random.sample(tables, len(tables)), random.sample(steps, len(steps))


def legal_file(random: Random) -> str:
    """Return the text of a legal battle file on plain terrain."""
    armies = {side: army(random, side) for side in ("blue", "red")}
    first = random.choice(["blue", "red"])
    other = "red" if first == "blue" else "blue"
    boards = [f'[[board]]\ntype = "{of}"\nrows = """\n{PLAIN}\n"""' for of in "AB"]
    play = ['title = "野戦"', f'places_first = "{first}"', *["turns = 20"] * (random.random() < 0.5)]
    goals = {
        "destroy": 'kind = "destroy"\nplayer = "red"\ncount = 4',
        "hold": 'kind = "hold"\nplayer = "blue"\ncount = 3\nsquares = ["j5", "k5", "l5"]',
        "": "",
    }
    goal = random.choice(list(goals.values()))
    tables = [*armies["blue"][0], *armies["red"][0], *([f"[objective]\n{goal}"] if goal else [])]
    random.shuffle(tables)
    parts = [
        '[muster]\ngame = "travel_battle"',
        "\n".join(["[play]", *random.sample(play, len(play))]),
        *boards,
        *tables,
    ]
    if random.random() < 0.5:
        dice = '["5", "2"]' if first == "blue" else '["2", "5"]'
        parts.append(f'[[log]]\nstep = "placer_dice"\nresult = {dice}')
        for pair in zip(armies[first][1], armies[other][1], strict=True):
            parts += [f'[[log]]\nstep = "place"\nwho = "{who}"\nresult = [{posts}]' for who, posts in pair]
    return "\n\n".join(parts) + "\n"


@pytest.mark.parametrize("number", range(60))
def test_what_a_person_types_by_the_rules_is_legal(number: int) -> None:
    text = legal_file(Random(number))
    found = check(rules(), read(Source("typed.toml", text), Origin("travel_battle"), Path()))
    assert found.illegal == (), text


@pytest.mark.parametrize("name", sorted(BOARDS))
def test_a_house_board_is_brought_as_if_its_rows_were_typed(name: str) -> None:
    text, of = legal_file(Random(1)), tomllib.loads((DATA / "boards" / f"{name}.toml").read_text("utf-8"))["type"]
    drawn = text.replace(PLAIN, BOARDS[name].strip(), 1).replace('type = "A"', f'type = "{of}"', 1)
    brought = text.replace(f'type = "A"\nrows = """\n{PLAIN}\n"""', f'name = "{name}"', 1)
    one, other = (read(Source("t", each), Origin("travel_battle"), Path()) for each in (drawn, brought))
    assert one.battlefield.terrain_map.ground == other.battlefield.terrain_map.ground
