"""Names along the land on the printed map, which are scenery and not part of the scenario."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from generator.common.cover_text import stable_number
from generator.common.tables import connected
from generator.games.battlelore.model import Battle
from generator.grid.hexes import Hex
from generator.model.views import LandName
from generator.model.words import Words
from generator.notation import toml

names_by_kind = toml.shipped_table("battlelore/land.toml", dict[str, tuple[Words, ...]])
"""Return the names of each kind of land."""

MIN_CELLS = {"hill": 2, "wood": 2, "water": 4}
"""Minimum numbers of hexes of a hill, a wood and a river that have a name."""


def land_names(battle: Battle) -> tuple[LandName, ...]:
    """Return names for the largest hill, wood and water, and for the open ground between the armies.

    The code, or the title of a battle without a code, chooses the names. No name is part of the title.
    """
    return tuple(_names(battle))


def _names(battle: Battle) -> Iterator[LandName]:
    board, seed = battle.board, battle.origin.code or battle.title.en
    kinds: dict[str, Callable[[Hex], bool]] = {
        "water": lambda cell: board.terrain(cell).water,
        "hill": lambda cell: board.terrain(cell).height > 0,
        "wood": lambda cell: board.ground[cell] == "forest",
    }
    for kind, holds in kinds.items():
        groups = connected(filter(holds, board.field.cells), board.field.neighbours)
        largest: Sequence[Hex] = max(groups, key=len, default=())
        if len(largest) >= MIN_CELLS[kind]:
            yield LandName(_chosen(battle, seed, kind), tuple(largest), water=kind == "water")
    rows = len(board.field.rows)
    middle = (cell for cell in board.field.cells if rows / 3 <= cell.r < 2 * rows / 3)
    if clear := tuple(cell for cell in middle if board.ground[cell] == "countryside"):
        yield LandName(_chosen(battle, seed, "open"), (clear[stable_number(seed, "open land") % len(clear)],))


def _chosen(battle: Battle, seed: str, kind: str) -> Words:
    names = [name for name in names_by_kind()[kind] if name.en not in battle.title.en]
    return names[stable_number(seed, f"land {kind}") % len(names)]
