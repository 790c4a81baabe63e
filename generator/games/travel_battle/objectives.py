"""What wins: the rules' own victory, and the five kinds of objective that may stand beside it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

import msgspec

from generator.draw.streams import Stream
from generator.errors import NothingLegalError
from generator.games.ranges import UsualRange
from generator.games.travel_battle.ground.board import Battlefield, Land
from generator.games.travel_battle.numbers import play
from generator.games.travel_battle.scenario import BRIGADES, OTHER, PLAYERS, Army, Objective, Player, Scenario
from generator.games.words import words
from generator.grid.squares import Square
from generator.model.words import Words, joined, same
from generator.notation import toml
from generator.store.folders import shipped


class Goal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of objective; see the head of objectives.toml."""

    id: str
    name: Words
    about: Literal["nothing", "zone", "units"]
    count: UsualRange
    task: Words
    last: Words | None = None
    limit: Literal["any", "needed", "none"] = "any"
    scales: bool = False


class Zone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a zone is; see objectives.toml."""

    size: int
    ends: int
    name: Words


class Victory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The victory of the rules themselves in words, and that a battle may have no last turn."""

    task: Words
    last: Words
    never: Words


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    zone: Zone
    brigades: Victory
    objective: tuple[Goal, ...]


@cache
def kinds() -> Mapping[str, Goal]:
    """The kinds of objective by id."""
    return {goal.id: goal for goal in _file().objective}


def zone() -> Zone:
    """What a zone is."""
    return _file().zone


def limits(kind: str) -> tuple[int, ...]:
    """The last turns that a battle for that objective may have, the usual one first; 0 is none."""
    limit = kinds()[kind].limit if kind in kinds() else "any"
    return (0,) if limit == "none" else tuple(turns for turns in play().turns if turns or limit == "any")


def fatal(brigades: int) -> int:
    """How many of an army's brigades must be destroyed to beat it: two thirds, as with three (house for more)."""
    return -(-brigades * play().lost // play().brigades)


def armies_of(army: Army) -> int:
    """How many armies of three brigades a player leads."""
    return max(1, len(army.brigades) // play().brigades)


def draw_objective(stream: Stream, field: Battlefield, armies: Mapping[Player, Army], kind: str) -> Objective:
    """An objective of that kind, whose task it is drawn too; NothingLegalError where the field has no zone."""
    if kind == BRIGADES:
        return Objective()
    goal = kinds()[kind]
    player = stream.choice(PLAYERS)
    cells: tuple[Square, ...] = ()
    units: tuple[str, ...] = ()
    count = goal.count.usual * (armies_of(armies[player]) if goal.scales else 1)
    if goal.about == "zone":
        found = _zones(field.land)
        if not found:
            raise NothingLegalError("the middle of this battlefield has no ground to hold")
        cells = stream.choice(found)
    if goal.about == "units":
        fighters = [unit.id for unit in armies[player].units if unit.kind.fights and unit.cell is not None]
        units = tuple(sorted(stream.sample(fighters, count)))
    return Objective(kind, player, cells, units, count)


def _zones(land: Land) -> list[tuple[Square, ...]]:
    """Every block of the middle rows that guns too may enter."""
    size, ends = zone().size, zone().ends
    low = (land.field.rows - size) // 2
    blocks = (
        tuple(Square(column + i, low + k) for k in range(size) for i in range(size))
        for column in range(ends, land.field.columns - ends - size + 1)
    )
    return [block for block in blocks if all(land.admits(cell, "artillery") for cell in block)]


def told(scenario: Scenario) -> tuple[Words, ...]:
    """What wins this battle and what ends it, a sentence each."""
    victory, of, turns = _file().brigades, scenario.objective, scenario.turns
    brigades = max(len(army.brigades) for army in scenario.armies.values())
    base = victory.task.fill(n=fatal(brigades), of=brigades)
    if of.kind not in kinds() or of.player is None:
        return base, victory.last.fill(turns=turns) if turns else victory.never
    players, name = words("travel_battle")["player"], scenario.battlefield.land.field.name
    values = {
        "player": players[of.player],
        "other": players[OTHER[of.player]],
        "zone": zone().name.fill(cells=joined([same(name(cell)) for cell in of.cells])),
        "units": joined([same(unit) for unit in of.units]),
        "n": of.count,
        "lost": fatal(brigades),
        "of": brigades,
        "turns": turns,
    }
    goal = kinds()[of.kind]
    last = () if goal.last is None else (goal.last.fill(**values) if turns else victory.never,)
    return goal.task.fill(**values), base, *last


@cache
def _file() -> _File:
    return toml.read(shipped("data") / "travel_battle" / "objectives.toml", _File)
