"""Compare `muster moves` in BattleLore and Call to Arms with an independent search on the map of the file."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.cli.conftest import CODE
from tests.cli.run import muster

SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1), (-1, 1), (1, -1))
"""Offsets to the neighbours of a hex, as column along a slanted axis and row."""
STOPS, BARRED = set("fomL"), set("~")
MOVES = {
    # Key: banner, and whether mounted. Value: maximum distance in hexes with a battle, and without.
    ("green", False): (2, 2),
    ("blue", False): (1, 2),
    ("red", False): (1, 1),
}


def axial(name: str) -> tuple[int, int]:
    """Return the axial coordinates of a named hex. Every second row is shifted right by half a hex."""
    column, row = ord(name[0]) - ord("A"), int(name[1:]) - 1
    return column - row // 2, row


@pytest.mark.parametrize("game", ["battlelore", "call_to_arms"])
def test_foot_moves_as_far_as_its_banner_says_and_stops_where_the_ground_does(here: Path, game: str) -> None:
    assert muster("draw", game, "--seed", CODE, "--map", "saint_ivo").code == 0
    body = tomllib.loads(Path("scenario.toml").read_text("utf-8"))
    rows = [line.split() for line in reversed(body["board"]["rows"].split("\n")) if line.strip()]
    ground = {
        axial(f"{chr(65 + c)}{r + 1}"): symbol for r, symbols in enumerate(rows) for c, symbol in enumerate(symbols)
    }
    units = [row for camp in ("pennant", "standard") for row in body[camp]["units"]]
    taken = {axial(row["hex"]) for row in units}
    seen = 0
    for unit in units:
        banner, weapon, _ = unit["unit"].split()
        if weapon == "long_sword":
            continue
        battle, maximum = MOVES[banner, False]
        found, edge = {axial(unit["hex"]): 0}, [axial(unit["hex"])]
        for steps in range(1, maximum + 1):
            ahead = []
            for q, r in edge:
                for cell in ((q + dq, r + dr) for dq, dr in SIDES):
                    if cell in ground and cell not in taken | found.keys() and ground[cell] not in BARRED:
                        found[cell] = steps
                        ahead += [] if ground[cell] in STOPS else [cell]
            edge = ahead
        del found[axial(unit["hex"])]
        (answer,) = muster("moves", "scenario.toml", unit["id"].lower(), "--json").json
        assert (answer["unit"], answer["from"]) == (unit["id"], unit["hex"])
        assert {axial(row["to"]): row["steps"] for row in answer["moves"]} == found
        assert all(not row["battles"] for row in answer["moves"] if row["steps"] > battle)
        assert all(
            row["battles"] for row in answer["moves"] if row["steps"] <= battle and ground[axial(row["to"])] == "."
        )
        seen += 1
    assert seen > 5


def test_moves_are_listed_and_drawn(here: Path) -> None:
    muster("draw", "call_to_arms", "--seed", CODE)
    done = muster("moves", "scenario.toml", "P10", "--lang", "ja", "-o", "moves.pdf")
    assert done.code == 0 and "戦闘も可" in done.out
    assert Path("moves.pdf").read_bytes().startswith(b"%PDF-")
    wrong = muster("moves", "scenario.toml", "X9", "--lang", "ja")
    assert wrong.code == 2 and "「X9」" in wrong.err


def test_a_machine_moves_by_the_orders_that_it_may_give(here: Path) -> None:
    muster("draw", "battling", "--seed", CODE)
    (answer,) = muster("moves", "scenario.toml", "f1", "--json").json
    orders = [row for row in muster("orders", "list", "scenario.toml", "F1", "--json").json if row["to"]]
    assert [row["order"] for row in answer["moves"]] == [row["order"] for row in orders if row["action"] in "WRD"]
    output = muster("moves", "scenario.toml", "F1", "--lang", "ja").out
    assert all(row["to"] in output for row in answer["moves"])


def test_a_stack_marches_for_its_points_and_through_no_enemy(here: Path) -> None:
    muster("draw", "blind_faith", "--seed", CODE, "--kind", "march")
    body = tomllib.loads(Path("scenario.toml").read_text("utf-8"))
    march = body["march"]
    (answer,) = muster("moves", "scenario.toml", march["stack"], "--json").json
    costs = {row["to"]: row["cost"] for row in answer["moves"]}
    assert answer["from"] == march["path"][0] and max(costs.values()) <= answer["movement"]
    # The drawn path is one of the possible moves. An independent search finds the same cheapest cost for each hex.
    assert set(march["path"][1:]) <= costs.keys()
    price = {".": 1, "=": 1, "r": 2, "f": 2, "o": 2, "^": 3}
    rows = [line.split() for line in reversed(body["map"]["rows"].split("\n")) if line.strip()]
    ground = {
        axial(f"{chr(65 + c)}{r + 1}"): symbol for r, symbols in enumerate(rows) for c, symbol in enumerate(symbols)
    }
    enemies = {axial(row["hex"]) for row in body["hussite" if march["stack"][0] == "C" else "crusader"]["stacks"]}
    minimum = {axial(answer["from"]): 0}
    for _ in range(answer["movement"]):
        for (q, r), cost in list(minimum.items()):
            for cell in ((q + dq, r + dr) for dq, dr in SIDES):
                if (q, r) not in enemies and ground.get(cell, "~") in price:
                    total = cost + price[ground[cell]]
                    if total <= answer["movement"]:
                        minimum[cell] = min(total, minimum.get(cell, total))
    del minimum[axial(answer["from"])]
    assert {axial(name): cost for name, cost in costs.items()} == minimum
