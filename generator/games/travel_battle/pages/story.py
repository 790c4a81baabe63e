"""The text on the cover of a battle: the facts of its armies and its ground, as clauses of a cover text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from generator.common.cover_text import Clause, CoverText, compose, listed
from generator.common.tables import connected, numeral
from generator.games.travel_battle.ground import SIZE
from generator.games.travel_battle.model import OTHER, SIDES, Army, Brigade, Scenario, Side, Unit
from generator.games.travel_battle.objectives import brigades_to_win, kinds
from generator.games.travel_battle.tables import numbers, words
from generator.grid.squares import STEPS, Square
from generator.model.words import Words, same
from generator.notation import toml

wordings = toml.shipped_table("travel_battle/story.toml", dict[str, tuple[Words, ...]])
"""Return the wordings of each fact."""

MANY_HILLS, VILLAGE, A_FEW = 4, 3, 2
"""Minimum numbers of hills and buildings between the lines, and of units, that make a battle special."""
GROUNDS = ("hill", "building", "wood")
"""The kinds of terrain that are counted between the lines."""


def cover_text(scenario: Scenario) -> CoverText:
    """Return the text on the cover of a battle, never empty."""
    armies = _placed(scenario)
    present = [player for player in SIDES if armies[player]]
    if len(present) < len(SIDES):
        key, values = ("alone", {"player": words()["player"][present[0]]}) if present else ("empty", {})
        return CoverText(wordings()[key][0].fill(**values), same(""), (Clause(key, values),))
    seed = scenario.origin.code or " ".join(f"{unit.id}{unit.cell}" for player in SIDES for unit in armies[player])
    lines = list(_between_lines(scenario))
    leads = [*_special(scenario), *lines, *_places(scenario)] or list(_apart(scenario))
    details = [*_armies(scenario), *_ground(scenario)]
    return compose(seed, leads, list(_opening(scenario)), details, list(_end(scenario)), wordings())


def _players() -> dict[str, Words]:
    return {player: words()["player"][player] for player in SIDES}


def _placed(scenario: Scenario) -> Mapping[Side, list[Unit]]:
    """Return the fighting units of each army on the field."""
    return {
        player: [unit for unit in army.units if unit.cell and unit.kind.fights]
        for player, army in scenario.armies.items()
    }


def _special(scenario: Scenario) -> Iterator[Clause]:
    """Yield an objective, an army that is outnumbered, and the positions of the strongest brigades."""
    of, players = scenario.objective, words()["player"]
    if of.kind in kinds() and of.player:
        yield Clause("task", {"player": players[of.player], "name": kinds()[of.kind].name.low})
    units = {player: sum(len(b.fighters) for b in army.brigades) for player, army in scenario.armies.items()}
    if units["blue"] != units["red"]:
        more = max(SIDES, key=lambda player: units[player])
        values = {"more": players[more], "less": players[OTHER[more]], "n": units[more], "m": units[OTHER[more]]}
        yield Clause("unequal", values, "numbers")
    best = {
        player: brigade
        for player, army in scenario.armies.items()
        if (brigade := strongest(army)) and _columns(brigade)
    }
    astride = [player for player in best if _astride(scenario, best[player])]
    if len(astride) == len(SIDES):
        yield Clause("both_astride", {}, "astride")
    elif astride:
        yield Clause("astride", {"player": players[astride[0]]})
    faced = {player: _faced(of, scenario.armies[OTHER[player]]) for player, of in best.items()}
    if len(best) == len(SIDES) and all(faced[player] == best[OTHER[player]] for player in SIDES):
        yield Clause("each_other", {}, "faces")
    else:
        for player, enemy in faced.items():
            if enemy and (arm := _arm(enemy)):
                values = {"player": players[player], "enemy": players[OTHER[player]]}
                yield Clause(f"faces_{arm}", values, "faces")


def strongest(army: Army) -> Brigade | None:
    """Return the brigade with the most units, or None for a tie.

    Among brigades with equally many units, the one with the most units that may re-roll is the strongest.
    """
    ranked = sorted(army.brigades, key=_strength, reverse=True)
    if not ranked or not ranked[0].fighters or (len(ranked) > 1 and _strength(ranked[0]) == _strength(ranked[1])):
        return None
    return ranked[0]


def _strength(brigade: Brigade) -> tuple[int, int]:
    return len(brigade.fighters), sum(unit.kind.rerolls for unit in brigade.fighters)


def _astride(scenario: Scenario, brigade: Brigade) -> bool:
    """Return whether a brigade has units on both sides of a line between boards."""
    columns, seams = _columns(brigade), range(SIZE, scenario.battlefield.terrain_map.field.columns, SIZE)
    return any(min(columns) < seam <= max(columns) for seam in seams)


def _columns(brigade: Brigade) -> list[int]:
    return [unit.cell.c for unit in brigade.units if unit.cell]


def _faced(brigade: Brigade, enemy: Army) -> Brigade | None:
    """Return the enemy brigade with the most units in a brigade's columns, or None if there is no such brigade."""
    columns = _columns(brigade)
    opposite = {
        other: sum(min(columns) <= column <= max(columns) for column in _columns(other)) for other in enemy.brigades
    }
    found = max(opposite, key=lambda other: opposite[other], default=None)
    return found if found and opposite[found] else None


def _arm(brigade: Brigade) -> str:
    """Return `cavalry` or `guard` if at least half of a brigade's units are of this kind, or an empty string."""
    half = len(brigade.fighters) / 2
    if sum(unit.kind.arm == "cavalry" for unit in brigade.fighters) >= half:
        return "cavalry"
    return "guard" if sum(map(_is_guard, brigade.fighters)) >= half else ""


def _is_guard(unit: Unit) -> bool:
    return unit.kind.arm == "infantry" and bool(unit.kind.rerolls)


def _counts(scenario: Scenario) -> dict[str, int]:
    """Return the number of hills, buildings and woods between the rows in which the armies are placed."""
    terrain_map = scenario.battlefield.terrain_map
    between = range(numbers().rows, terrain_map.field.rows - numbers().rows)
    counts = {}
    for kind in GROUNDS:
        there = (cell for cell in terrain_map.field.cells if cell.r in between)
        cells = [c for c in there if (terrain_map.height(c) if kind == "hill" else terrain_map.ground[c] == kind)]
        counts[kind] = len(cells) if kind == "building" else len(connected(cells, terrain_map.field.side_neighbours))
    return counts


def _between_lines(scenario: Scenario) -> Iterator[Clause]:
    """Yield the roads between two boards, and unusual terrain between the lines."""
    terrain_map, counts = scenario.battlefield.terrain_map, _counts(scenario)
    if (terrain_map.field.columns, terrain_map.field.rows) == (2 * SIZE, SIZE) and not scenario.battlefield.whole:
        roads = frozenset(terrain_map.roads())
        over = sum(cell.c == SIZE - 1 and cell + STEPS[0] in roads for cell in roads)
        yield Clause(f"roads_{over}" if over < A_FEW else "roads", {"n": over} if over >= A_FEW else {}, "roads")
    if not any(counts.values()):
        yield Clause("open", {}, "ground")
    if counts["hill"] >= MANY_HILLS:
        yield Clause("hills", {"n": counts["hill"]}, "ground")
    if counts["building"] >= VILLAGE:
        yield Clause("village", {"n": counts["building"]}, "ground")


def _places(scenario: Scenario) -> Iterator[Clause]:
    """Yield units in buildings and on hills."""
    terrain_map = scenario.battlefield.terrain_map
    for player, units in _placed(scenario).items():
        cells = [unit.cell for unit in units if unit.cell]
        name = {"player": words()["player"][player]}
        if (n := sum(terrain_map.ground[cell] == "building" for cell in cells)) >= A_FEW:
            yield Clause("in_buildings", name | {"n": n}, "buildings")
        if (n := sum(terrain_map.height(cell) > 0 for cell in cells)) >= A_FEW:
            yield Clause("on_hills", name | {"n": n}, "high")
        if any(unit.cell and terrain_map.height(unit.cell) and unit.kind.arm == "artillery" for unit in units):
            yield Clause("guns_high", name, "guns")


def _opening(scenario: Scenario) -> Iterator[Clause]:
    """Yield the sides of the field with the number of units, and without it."""
    units = {player: sum(len(b.fighters) for b in army.brigades) for player, army in scenario.armies.items()}
    if units["blue"] == units["red"] > 1:
        yield Clause("who", _players() | {"n": units["blue"]}, "numbers")
    yield Clause("sides", _players())


def _armies(scenario: Scenario) -> Iterator[Clause]:
    """Yield details of the armies."""
    sizes = {p: sorted((len(b.fighters) for b in a.brigades), reverse=True) for p, a in scenario.armies.items()}
    if sizes["blue"] == sizes["red"]:
        yield Clause("even" if len(set(sizes["blue"])) == 1 else "alike", {}, "sizes")
    elif len(sizes["blue"]) > 1 and len(sizes["red"]) > 1:
        texts = {f"sizes_{player}": listed([numeral(n) for n in of]) for player, of in sizes.items()}
        yield Clause("uneven", _players() | texts, "sizes")
    arms = [
        tuple(sum(map(holds, units)) for holds in (_is_gun, _is_horse, _is_guard))
        for units in _placed(scenario).values()
    ]
    if arms[0] == arms[1]:
        guns, horse, guard = arms[0]
        if min(guns, horse) >= A_FEW:
            yield Clause("arms", {"guns": guns, "horse": horse})
        if guard >= A_FEW:
            yield Clause("guard", {"n": guard})
    largest = [(player, of[0]) for player, of in sizes.items() if len(of) > 1 and of[0] > of[1]]
    for player, n in largest:
        yield Clause("strong", {"player": words()["player"][player], "n": n}, "sizes")


def _is_gun(unit: Unit) -> bool:
    return unit.kind.arm == "artillery"


def _is_horse(unit: Unit) -> bool:
    return unit.kind.arm == "cavalry"


def _ground(scenario: Scenario) -> Iterator[Clause]:
    """Yield the terrain between the lines, and the distance of the lines."""
    texts, counts = words()["brief"], _counts(scenario)
    found = [
        texts[f"{kind}_one"] if n == 1 else texts[f"{kind}_many"].fill(spelt=numeral(n))
        for kind in GROUNDS
        if (n := counts[kind])
    ]
    if sum(counts.values()) > 1:
        yield Clause("ground", {"what": listed(found)})
    if set(scenario.battlefield.terrain_map.ground.values()) >= {"wood", "building"}:
        yield Clause("cover")
    yield from _apart(scenario)


def _apart(scenario: Scenario) -> Iterator[Clause]:
    """Yield the distance of the nearest enemies."""
    cells: dict[Side, list[Square]] = {p: [u.cell for u in units if u.cell] for p, units in _placed(scenario).items()}
    near = min(max(abs(a.c - b.c), abs(a.r - b.r)) for a in cells["blue"] for b in cells["red"])
    if near > 1:
        yield Clause("apart", {"n": near})


def _end(scenario: Scenario) -> Iterator[Clause]:
    """Yield how the battle is won, its length, and the player who places first."""
    players = words()["player"]
    brigades = max(len(army.brigades) for army in scenario.armies.values())
    values = {"first": players[scenario.first_mover], "n": brigades_to_win(brigades), "of": brigades}
    yield Clause("win", values)
    if scenario.objective.kind not in kinds():
        yield Clause("limit", {"turns": scenario.turns}) if scenario.turns else Clause("no_limit")
    yield Clause("places", {"placer": players[scenario.first_placer]})
