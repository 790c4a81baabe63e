"""Two methods agree on the line of sight of every pair of cells under every ruling, and a third on a sample."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from generator import games
from generator.common.interpretations import rulings
from generator.common.proof import prove_all_pairs, verify_claims
from generator.errors import MusterError
from generator.games.battlelore.play import SWITCHES, screens
from generator.games.travel_battle.play import READINGS, SightQuery
from generator.games.travel_battle.tables import artillery
from generator.grid.squares import distance
from generator.model.scenario import Request
from generator.seeds import code_for
from generator.sight.squares import judge
from tests.games.battlelore.sight_oracle import Field, in_sight
from tests.prove.figure import SEED, Figure, counted, spread
from tests.sight import silhouette_oracle
from tests.sight.share_oracle import computed_share, visible_corners

SCENARIOS = 300
"""Number of scenarios of each game."""
SAMPLE = 60
"""Number of lines per scenario that are computed in exact fractions, which is too slow for all lines."""
WISHES: dict[str, tuple[dict[str, str], ...]] = {
    "battlelore": ({"map": "random"}, {}),
    "call_to_arms": ({"map": "random"}, {}, {"mode": "organized"}, {"board": "memoir"}),
    "battling": ({"arena": "random"}, {}, {"arena": "random", "columns": "20", "rows": "16"}),
    "travel_battle": ({"board-blue": "random"}, {}),
}
"""Option sets, which are used cyclically."""


class Case(NamedTuple):
    """A scenario to generate."""

    game: str
    number: int

    @property
    def name(self) -> str:
        """Return the name of the case in fault messages."""
        return f"{self.game} {code_for(SEED + self.number)} {self.options}"

    @property
    def options(self) -> dict[str, str]:
        """Return the options of the case."""
        ways = WISHES[self.game]
        return ways[self.number % len(ways)]


class Outcome(NamedTuple):
    """The outcome of a case."""

    verdicts: int
    """Number of lines judged by two methods."""
    sampled: int
    """Number of lines judged by a third method."""
    faults: tuple[str, ...]


def seeing() -> list[str]:
    """Return the names of the games with lines of sight."""
    return [name for name in games.names() if games.load(name).sight]


def checked_sight(case: Case) -> Outcome:
    """Check a scenario's sight: the lines of its kit, every pair under every ruling, and the third method."""
    game = games.load(case.game)
    assert game.sight
    scenario = game.draw(Request(code_for(SEED + case.number), case.options, {}))
    try:
        verify_claims(game.sight.claims.printed(scenario))
        cases = prove_all_pairs(game.sight, scenario)
    except MusterError as error:
        return Outcome(0, 0, tuple(f"{case.name}: {line}" for line in error.lines()))
    sampled, faults = THIRD[case.game](scenario, random.Random(case.number))
    return Outcome(sum(of.pairs for of in cases), sampled, tuple(f"{case.name}: {fault}" for fault in faults))


def of_hexes(battle: Any, _: random.Random) -> tuple[int, list[str]]:
    """Compare all pairs of a board under all rulings with lines clipped at hexes in integer arithmetic."""
    on = getattr(battle, "final", battle)
    grid, taken = on.board.field, frozenset(unit.hex for _, unit in on.units if unit.hex)
    at = {cell: (2 * grid.column(cell) + cell.r % 2, cell.r) for cell in grid.cells}
    ground = {at[cell]: kind for cell, kind in on.board.ground.items()}
    choices = [[(name, c.id) for c in rulings("battlelore")[name].choice] for name in SWITCHES]
    count, faults = 0, []
    for made in map(dict, product(*choices)):
        ours = set(screens(on.board, taken, made).all_clear())
        expected = set(in_sight(Field(grid.rows, ground, {at[cell] for cell in taken}, made)))
        count += len(grid.cells) * (len(grid.cells) - 1) // 2
        pairs = sorted(ours ^ expected)
        faults += [f"{grid.name(grid.cells[a])} {grid.name(grid.cells[b])} {made}" for a, b in pairs]
    return count, faults


def of_silhouettes(battle: Any, chance: random.Random) -> tuple[int, list[str]]:
    """Compare lines past buildings with lines that are cut at every side, in exact fractions."""
    arena, faults = battle.arena, []
    for _ in range(SAMPLE):
        a, b = chance.sample(arena.open_cells, 2)
        stop = silhouette_oracle.blocked_at(arena.point(a), arena.point(b), arena.silhouettes)
        line = arena.sight(a, b)
        at = line.blocked_at and tuple(part * arena.fine for part in line.blocked_at)
        if not arena.in_sight(a, b) == line.clear == (stop is None) or at != stop:
            faults.append(f"{arena.field.name(a)} {arena.field.name(b)}: {line}, {stop}")
    return SAMPLE, faults


def of_squares(scenario: Any, chance: random.Random) -> tuple[int, list[str]]:
    """Compare visible fractions of squares with rays in exact fractions, with screens by the text of the rules."""
    terrain, faults = scenario.battlefield.terrain_map, []
    query = SightQuery(scenario)
    for _ in range(SAMPLE):
        a = chance.choice(terrain.field.cells)
        b = chance.choice([cell for cell in terrain.field.cells if 1 <= distance(a, cell) <= artillery().range])
        top = max(terrain.height(a), terrain.height(b))
        screening = [
            cell - a
            for cell in terrain.field.cells
            if distance(a, cell) <= artillery().range
            if (terrain.terrain(cell).blocks and (terrain.height(cell) > top or not terrain.height(cell)))
            or (cell in scenario.units_on_board and not top)
        ]
        for reading, oracle in (("share", computed_share), ("corners", visible_corners)):
            look = judge(terrain.field, query.screens, READINGS[reading], a, b)
            if look.share != oracle(b - a, screening):
                faults.append(f"{terrain.field.name(a)} {terrain.field.name(b)} {reading}: {look.share}")
    return 2 * SAMPLE, faults


THIRD = {
    "battlelore": of_hexes,
    "call_to_arms": of_hexes,
    "battling": of_silhouettes,
    "travel_battle": of_squares,
}


def prove() -> Iterator[Figure]:
    """Check 300 scenarios of each game."""
    for name in seeing():
        outcomes = list(spread(checked_sight, [Case(name, number) for number in range(SCENARIOS)], name))
        faults = [fault for of in outcomes for fault in of.faults]
        verdicts, sampled = (sum(of) for of in zip(*((o.verdicts, o.sampled) for o in outcomes), strict=True))
        yield counted(f"{SCENARIOS} scenarios of {name}: whole numbers and Shapely on all pairs", verdicts, faults)
        yield counted(f"{name}: compared with exact fractions as well", sampled, faults)
