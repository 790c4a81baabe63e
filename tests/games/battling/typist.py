"""A simulated user who writes legal Battling files from the shipped machines, without code of the generator.

The arena contains only sheds that each cover the centre of one hex, so that closed hexes are known without
geometry.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.typo import Typo

DATA = Path(__file__).resolve().parents[3] / "data"
PACK = tomllib.loads((DATA / "battling" / "machines.toml").read_text("utf-8"))
MACHINES = [machine["id"] for machine in PACK["machine"]]
FIXED, ACROSS = "fixed", {"N": "S", "S": "N", "E": "W", "W": "E"}
NAMES = ("赤い肩", "Old Rust", "三番機", "Мышь", "")
Cell = tuple[int, int]
"""Column and row, starting at 1."""


def name(cell: Cell) -> str:
    return f"{cell[0]:02}{cell[1]:02}"


class Duel(NamedTuple):
    """The content of a scenario file before it is written."""

    columns: int
    rows: int
    sheds: list[Cell]
    edge: str
    """Starting edge of the second player, or FIXED for a prescribed set-up."""
    squads: dict[str, list[tuple[Cell, str, str]]]
    """Hex, kind and name of each machine, keyed by side."""


def edge_hexes(edge: str, columns: int, rows: int) -> list[Cell]:
    """Return the outermost hexes of an edge."""
    if edge in "NS":
        return [(column, 1 if edge == "N" else rows) for column in range(1, columns + 1)]
    return [(1 if edge == "W" else columns, row) for row in range(1, rows + 1)]


def random_duel(seed: int) -> Duel:
    """Return a legal duel that depends only on the seed."""
    random = Random(seed)
    columns, rows = random.choice([(14, 12), (8, 8), (20, 15)])
    cells = [(column, row) for column in range(1, columns + 1) for row in range(1, rows + 1)]
    sheds = random.sample(cells, random.randrange(1, len(cells) // 4))
    edge = random.choice([*"NESW", FIXED])
    squads: dict[str, list[tuple[Cell, str, str]]] = {}
    taken = set(sheds)
    for side in ("second", "first"):
        starts = cells if edge == FIXED else edge_hexes(edge if side == "second" else ACROSS[edge], columns, rows)
        free = [cell for cell in starts if cell not in taken]
        stand = random.sample(free, min(len(free), random.randrange(1, 5)))
        taken |= set(stand)
        squads[side] = [(cell, random.choice(MACHINES), random.choice(NAMES)) for cell in stand]
    return Duel(columns, rows, sheds, edge, squads) if all(squads.values()) else random_duel(seed + 1_000_003)


def duel_text(duel: Duel, seed: int) -> str:
    """Return the text of the duel's file."""
    random = Random(seed)
    text = '[muster]\ngame = "battling"\n\n[play]\ntitle = "二機の決闘"\n'
    text += 'setup = "fixed"\n' if duel.edge == FIXED else ""
    text += f"turns = {random.randrange(1, 21)}\n" if random.random() < 0.5 else ""
    text += f"\n[arena]\nsize = {{ columns = {duel.columns}, rows = {duel.rows} }}\nfine = 6\n" + 'buildings = """\n'
    text += "".join(f"{name(c)}-3+0 {name(c)}+0-3 {name(c)}+3+0 {name(c)}+0+3\n" for c in duel.sheds) + '"""\n'
    text += '\n[rulings]\ndash = "strict"\n' if random.random() < 0.3 else ""
    for side in random.sample(["first", "second"], 2):
        text += f"\n[{side}]\n" + (f'player = "{"AB"[side == "second"]}"\n' if random.random() < 0.5 else "")
        if duel.edge != FIXED:
            text += f'edge = "{duel.edge if side == "second" else ACROSS[duel.edge]}"\n'
        text += "machines = [\n"
        for cell, machine, label in duel.squads[side]:
            name_part = f'name = "{label}", ' if label else ""
            text += f'  {{ {name_part}hex = "{name(cell)}", machine = "{machine}" }},\n'
        text += "]\n"
    return text


def legal_file(seed: int) -> str:
    """Return the text of a legal file that depends only on the seed."""
    return duel_text(random_duel(seed), seed)


def file_with_typo(seed: int) -> Typo:
    """Return a file with one typo."""
    random = Random(seed)
    duel = random_duel(seed)
    side = random.choice(list(duel.squads))
    squad = duel.squads[side]
    at = random.randrange(len(squad))
    others = [cell for of in duel.squads.values() for cell, *_ in of if cell != squad[at][0]]
    inner = [
        (c, r)
        for c in range(2, duel.columns)
        for r in range(2, duel.rows)
        if (c, r) not in duel.sheds and (c, r) not in others
    ]
    kinds = {"shed": duel.sheds, "together": others, "off the edge": [] if duel.edge == FIXED else inner}
    kind = random.choice([kind for kind, cells in kinds.items() if cells])
    cell = random.choice(kinds[kind])
    squad[at] = (cell, *squad[at][1:])
    text = duel_text(duel, seed)
    rows = [n for n, row in enumerate(text.splitlines(), 1) if f'hex = "{name(cell)}"' in row]
    return Typo(text, kind, tuple(rows), (name(cell),))
