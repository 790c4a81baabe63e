"""The half turn: one whole of two halves, and two armies that are each other's image on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice

import msgspec

from generator.errors import Problem, WrongUsageError
from generator.games.fairsearch import MIRROR, ON
from generator.games.travel_battle.numbers import play
from generator.games.travel_battle.scenario import (
    BRIGADES,
    OTHER,
    PLAYERS,
    PREFIX,
    Army,
    Brigade,
    Player,
    Scenario,
    Unit,
)
from generator.games.words import words
from generator.grid.squares import DIRECTIONS, SquareField
from generator.model.scenario import Order
from generator.model.words import Words

NAMED = 4
"""How many squares or units are named of those without an image."""
_IDLE = ("board", "side", "edge")
"""What else is wished for each player, and a whole leaves nobody to choose."""


def mirrors(order: Order) -> bool:
    """Whether the draw is to set up each side as the other's image."""
    return order.wishes.get(MIRROR) == ON


def alike(order: Order) -> Order:
    """A mirrored order with what is wished for one player wished for both.

    WrongUsageError for what a whole leaves nobody to choose, and for what would hold for one player alone.
    """
    wishes, table = dict(order.wishes), play().tables[0]
    idle = [f"{what}-{player}" for what in _IDLE for player in PLAYERS if f"{what}-{player}" in wishes]
    problems = [
        Problem(f"--{wish} has nothing to decide", hint=f"with --{MIRROR} the field is drawn as one whole")
        for wish in idle
    ]
    if wishes.get("boards", table) != table:
        hint = f"with --{MIRROR} the field is one whole of {table}"
        problems.append(Problem(f"--boards {wishes['boards']} has no image", hint=hint))
    if wishes.get("objective", BRIGADES) != BRIGADES:
        hint = f"it would be one player's; leave out --{MIRROR}, or wish for --objective {BRIGADES}"
        problems.append(Problem(f"--objective {wishes['objective']} has no image", hint=hint))
    splits = {wishes[wish] for wish in _splits() if wish in wishes}
    if len(splits) > 1:
        hint = f"wish for one of --{' and --'.join(_splits())}"
        problems.append(Problem("both armies are divided alike", hint=hint))
    if problems:
        raise WrongUsageError(*problems)
    return replace(order, wishes=wishes | {wish: split for split in splits for wish in _splits()})


def _splits() -> tuple[str, ...]:
    return tuple(f"split-{player}" for player in PLAYERS)


def image(army: Army, field: SquareField) -> Army:
    """The other player's army that is this one's image: its brigades, turned half round."""
    player = OTHER[army.player]

    def named(id_: str) -> str:
        return PREFIX[player] + id_.removeprefix(PREFIX[army.player])

    return retold(army, player, lambda unit: msgspec.structs.replace(half_round(unit, field), id=named(unit.id)))


def retold(army: Army, player: Player, told: Callable[[Unit], Unit]) -> Army:
    """The army as that player's, each unit told otherwise."""
    return Army(player, tuple(Brigade(b.number, tuple(map(told, b.units))) for b in army.brigades))


def half_round(unit: Unit, field: SquareField) -> Unit:
    """A unit turned half round with the field."""
    facing = (unit.facing + len(DIRECTIONS) // 2) % len(DIRECTIONS)
    return msgspec.structs.replace(unit, cell=field.turned(unit.cell) if unit.cell else None, facing=facing)


def asymmetries(scenario: Scenario) -> Iterator[Words]:
    """Whatever keeps ground and forces from mapping onto each other under the half turn."""
    say, players = words("travel_battle")["mirror"], words("travel_battle")["player"]
    boards, land = scenario.battlefield.rows, scenario.battlefield.land
    types = [laid.board.type for row in boards for laid in row]
    if types != types[::-1]:
        yield say["types"]
    if astray := [cell for cell in land.field.cells if land.ground[cell] != land.ground[land.field.turned(cell)]]:
        yield say["ground"].fill(n=len(astray), cells=_few(map(land.field.name, astray)))
    for player in PLAYERS:
        if lone := _lone(scenario, player):
            yield say["units"].fill(player=players[player], n=len(lone), units=_few(lone))
    if scenario.objective.player:
        yield say["objective"].fill(player=players[scenario.objective.player])


def _lone(scenario: Scenario, player: Player) -> list[str]:
    """The units of a player that have no image in the other's army."""
    field = scenario.battlefield.land.field

    def shown(brigade: Brigade, unit: Unit) -> tuple[object, ...]:
        return brigade.number, unit.kind.id, unit.cell, unit.facing, unit.square

    theirs = Counter(shown(b, half_round(u, field)) for b in scenario.armies[OTHER[player]].brigades for u in b.units)
    lone = []
    for brigade in scenario.armies[player].brigades:
        for unit in brigade.units:
            theirs[shown(brigade, unit)] -= 1
            if theirs[shown(brigade, unit)] < 0:
                lone.append(unit.id)
    return lone


def _few(names: Iterable[str]) -> str:
    """The first of some names."""
    first = list(islice(names, NAMED + 1))
    return " ".join([*first[:NAMED], *(["…"] if len(first) > NAMED else [])])
