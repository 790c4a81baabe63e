"""Choose the objective of a battle, and mirror scenarios by a 180° turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Literal

import msgspec
from msgspec.structs import replace

from generator.common.fairness import without_image
from generator.common.search import MIRROR
from generator.common.tables import Listed, UsualRange, by_id
from generator.errors import NothingLegalError, Problem, WrongUsageError
from generator.games.travel_battle.ground import Battlefield, TerrainMap
from generator.games.travel_battle.model import (
    BRIGADES,
    OTHER,
    PREFIX,
    SIDES,
    Army,
    Brigade,
    Objective,
    Scenario,
    Side,
    Unit,
)
from generator.games.travel_battle.tables import numbers, words
from generator.grid.squares import DIRECTIONS, Square, SquareField
from generator.localization import tr
from generator.model.scenario import Request
from generator.model.words import Words, joined, same
from generator.notation import toml
from generator.seeds import Rng


class Goal(Listed, frozen=True, forbid_unknown_fields=True):
    """A kind of objective, as defined at the head of objectives.toml."""

    about: Literal["nothing", "zone", "units"]
    count: UsualRange
    counts: Literal["turns", "units", "enemies"]
    task: Words
    last: Words | None = None
    limit: Literal["any", "needed", "none"] = "any"
    scales: bool = False


class Zone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The definition of the zone of an objective, as in objectives.toml."""

    size: int
    ends: int
    name: Words


class Victory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of the standard objective and of battles without a last turn."""

    task: Words
    last: Words
    never: Words


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    zone: Zone
    brigades: Victory
    objective: tuple[Goal, ...]


_file = toml.shipped_table("travel_battle/objectives.toml", _File)
kinds = by_id(lambda: _file().objective)
"""Return the kinds of objective by id."""


def zone() -> Zone:
    """Return the definition of a zone."""
    return _file().zone


def limits(kind: str) -> tuple[int, ...]:
    """Return the possible last turns of a battle with an objective, beginning with the usual one.

    A last turn of 0 means that the battle has no last turn.
    """
    limit = kinds()[kind].limit if kind in kinds() else "any"
    return (0,) if limit == "none" else tuple(turns for turns in numbers().turns if turns or limit == "any")


def brigades_to_win(brigades: int) -> int:
    """Return the number of brigades that must be destroyed to defeat an army.

    The rules require two of three brigades. For larger armies, the same fraction is a house rule.
    """
    return -(-brigades * numbers().lost // numbers().brigades)


def armies_of(army: Army) -> int:
    """Return the number of armies of three brigades that a player commands."""
    return max(1, len(army.brigades) // numbers().brigades)


def draw_objective(stream: Rng, field: Battlefield, armies: Mapping[Side, Army], kind: str) -> Objective:
    """Return an objective of a kind for a random player.

    Raises:
        NothingLegalError: If the field has no suitable zone.
    """
    if kind == BRIGADES:
        return Objective()
    goal = kinds()[kind]
    player = stream.choice(SIDES)
    cells: tuple[Square, ...] = ()
    units: tuple[str, ...] = ()
    count = goal.count.usual * (armies_of(armies[player]) if goal.scales else 1)
    if goal.about == "zone":
        found = zones(field.terrain_map)
        if not found:
            raise NothingLegalError(tr("this battlefield has no squares in the middle that can be an objective"))
        cells = stream.choice(found)
    if goal.about == "units":
        fighters = [unit.id for unit in armies[player].units if unit.kind.fights and unit.cell is not None]
        units = tuple(sorted(stream.sample(fighters, count)))
    return Objective(kind, player, cells, units, count)


def zones(terrain_map: TerrainMap) -> list[tuple[Square, ...]]:
    """Return all possible zones, which are the blocks of the middle rows that guns may enter."""
    size, ends = zone().size, zone().ends
    low = (terrain_map.field.rows - size) // 2
    blocks = (
        tuple(Square(column + i, low + k) for k in range(size) for i in range(size))
        for column in range(ends, terrain_map.field.columns - ends - size + 1)
    )
    return [block for block in blocks if all(terrain_map.admits(cell, "artillery") for cell in block)]


def victory_lines(scenario: Scenario) -> tuple[Words, ...]:
    """Return sentences that describe how this battle is won and when it ends."""
    victory, of, turns = _file().brigades, scenario.objective, scenario.turns
    brigades = max(len(army.brigades) for army in scenario.armies.values())
    base = victory.task.fill(n=brigades_to_win(brigades), of=brigades)
    if of.kind not in kinds() or of.player is None:
        return base, victory.last.fill(turns=turns) if turns else victory.never
    players, name = words()["player"], scenario.battlefield.terrain_map.field.name
    values = {
        "player": players[of.player],
        "other": players[OTHER[of.player]],
        "zone": zone().name.fill(cells=joined([same(name(cell)) for cell in of.cells])),
        "units": joined([scenario.unit_label(unit) for unit in of.units]),
        "n": of.count,
        "lost": brigades_to_win(brigades),
        "of": brigades,
        "turns": turns,
    }
    goal = kinds()[of.kind]
    last = () if goal.last is None else (goal.last.fill(**values) if turns else victory.never,)
    return goal.task.fill(**values), base, *last


MAX_LISTED = 4
"""The maximum number of squares or units listed as asymmetric."""
_IDLE = ("board", "side", "edge")
"""The options for each player that have no effect on a double board."""


def mirrored_request(request: Request) -> Request:
    """Return a mirrored request in which the options of one player apply to both.

    Raises:
        WrongUsageError: If options have no effect on a double board, or contradict each other.
    """
    options, table = dict(request.options), numbers().tables[0]
    idle = [f"{what}-{player}" for what in _IDLE for player in SIDES if f"{what}-{player}" in options]
    problems = [
        Problem(
            tr("--{option} has no effect", option=option),
            hint=tr("with --{mirror}, the whole field is drawn as one board", mirror=MIRROR),
        )
        for option in idle
    ]
    if options.get("boards", table) != table:
        hint = tr("with --{mirror}, the whole field is drawn as one board of {table}", mirror=MIRROR, table=table)
        problems.append(Problem(tr("--boards {boards} cannot be symmetrical", boards=options["boards"]), hint=hint))
    if options.get("objective", BRIGADES) != BRIGADES:
        hint = tr(
            "only one player has this objective; omit --{mirror}, or use --objective {brigades}",
            mirror=MIRROR,
            brigades=BRIGADES,
        )
        problems.append(
            Problem(tr("--objective {objective} cannot be symmetrical", objective=options["objective"]), hint=hint)
        )
    splits = {options[option] for option in _splits() if option in options}
    if len(splits) > 1:
        hint = tr("give only one of {options}", options=[f"--{name}" for name in _splits()])
        problems.append(
            Problem(tr("these options cannot be combined, because both armies have the same brigades"), hint=hint)
        )
    WrongUsageError.raise_if_any(problems)
    return replace(request, options=options | {option: split for split in splits for option in _splits()})


def _splits() -> tuple[str, ...]:
    return tuple(f"split-{player}" for player in SIDES)


def mirror_image(army: Army, field: SquareField) -> Army:
    """Return the army of the other player that results if this army is turned by 180°."""
    player = OTHER[army.player]

    def mirrored_id(id_: str) -> str:
        return PREFIX[player] + id_.removeprefix(PREFIX[army.player])

    return replace_units(
        army, player, lambda unit: msgspec.structs.replace(half_turn(unit, field), id=mirrored_id(unit.id))
    )


def replace_units(army: Army, player: Side, change: Callable[[Unit], Unit]) -> Army:
    """Return the army with another player and with a function applied to each unit."""
    return Army(player, tuple(Brigade(b.number, tuple(map(change, b.units))) for b in army.brigades))


def half_turn(unit: Unit, field: SquareField) -> Unit:
    """Return a unit after the field has been turned by 180°."""
    facing = (unit.facing + len(DIRECTIONS) // 2) % len(DIRECTIONS)
    return msgspec.structs.replace(unit, cell=field.turned(unit.cell) if unit.cell else None, facing=facing)


def asymmetries(scenario: Scenario) -> Iterator[Words]:
    """Yield the reasons why the terrain and the armies are not symmetrical under a 180° turn."""
    texts, players = words()["mirror"], words()["player"]
    boards, terrain_map = scenario.battlefield.rows, scenario.battlefield.terrain_map
    types = [board.board.type for row in boards for board in row]
    if types != types[::-1]:
        yield texts["types"]
    if astray := [
        cell
        for cell in terrain_map.field.cells
        if terrain_map.ground[cell] != terrain_map.ground[terrain_map.field.turned(cell)]
    ]:
        yield texts["ground"].fill(n=len(astray), cells=_shorten(map(terrain_map.field.name, astray)))
    for player in SIDES:
        if lone := _without_image(scenario, player):
            yield texts["units"].fill(player=players[player], n=len(lone), units=_shorten(lone))
    if scenario.objective.player:
        yield texts["objective"].fill(player=players[scenario.objective.player])


def _without_image(scenario: Scenario, player: Side) -> list[str]:
    """Return the units of a player that have no counterpart in the other player's army."""
    field = scenario.battlefield.terrain_map.field

    def key(brigade: Brigade, unit: Unit) -> tuple[object, ...]:
        return brigade.number, unit.kind.id, unit.cell, unit.facing, unit.square

    opponent_keys = (key(b, half_turn(u, field)) for b in scenario.armies[OTHER[player]].brigades for u in b.units)
    return without_image(
        ((u.id, key(b, u)) for b in scenario.armies[player].brigades for u in b.units), opponent_keys
    )


def _shorten(names: Iterable[str]) -> str:
    """Return the first names as text, with an ellipsis if there are more."""
    first = list(islice(names, MAX_LISTED + 1))
    return " ".join([*first[:MAX_LISTED], *(["…"] if len(first) > MAX_LISTED else [])])
