"""The text on the cover of a battle: the facts of its squads and its arena, as clauses of a cover text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from generator.common.cover_text import Clause, CoverText, compose, listed
from generator.common.tables import numeral
from generator.games.battling.ground import edge_name
from generator.games.battling.model import OTHER, SIDES, Scenario, Side, side_name
from generator.grid.columns import distance
from generator.model.words import Words, same
from generator.notation import toml

wordings = toml.shipped_table("battling/story.toml", dict[str, tuple[Words, ...]])
"""Return the wordings of each fact."""

CLOSE, FAR = 6, 12
"""Maximum distance of the nearest enemies for squads to be close, and minimum distance for being far apart."""
BUILT_UP = 0.3
"""Minimum share of closed hexes of an arena that is described as built up."""
TOUGHER = 2
"""Minimum difference in hit points for a squad to be described as tougher."""


def cover_text(scenario: Scenario) -> CoverText:
    """Return the text on the cover of a battle, never empty."""
    present = [side for side in SIDES if scenario.squads[side].machines]
    if len(present) < len(SIDES):
        key = "alone" if present else "empty"
        return CoverText(wordings()[key][0], same(""), (Clause(key),))
    field = scenario.arena.field
    seed = scenario.origin.code or " ".join(f"{m.id}{field.name(m.cell)}" for _, m in scenario.machines)
    opening, details = list(_opening(scenario)), [*_squads(scenario), *_arena(scenario)]
    return compose(seed, list(_special(scenario)), opening, details, list(_end(scenario)), wordings())


def _pairs(scenario: Scenario) -> list[tuple[int, bool]]:
    """Return the distance of each pair of enemies, and whether they see each other."""
    first, second = (scenario.squads[side].machines for side in SIDES)
    return [(distance(a.cell, b.cell), scenario.arena.in_sight(a.cell, b.cell)) for a in first for b in second]


def _special(scenario: Scenario) -> Iterator[Clause]:
    """Yield facts that may be the first sentence, the most unusual first. There is always one about sight."""
    pairs, kinds = _pairs(scenario), scenario.pack.machines
    types = {side: Counter(m.kind for m in scenario.squads[side].machines) for side in SIDES}
    if len({kind for of in types.values() for kind in of}) == 1:
        yield Clause("one_type", {"name": kinds[next(iter(types["first"]))].name}, "types")
    elif types["first"] == types["second"] and types["first"].total() > 1:
        yield Clause("same_machines", {}, "types")
    counts = {side: types[side].total() for side in SIDES}
    more = max(SIDES, key=counts.__getitem__)
    if counts[more] > counts[OTHER[more]]:
        values = {"player": side_name(more), "more": counts[more], "less": counts[OTHER[more]]}
        yield Clause("unlike", values, "numbers")
    near = min(far for far, _ in pairs)
    if 1 < near <= CLOSE or near >= FAR:
        yield Clause("close" if near <= CLOSE else "far", {"n": near}, "apart")
    seen = sum(clear for _, clear in pairs)
    key = "none_seen" if not seen else "all_seen" if seen == len(pairs) else "one_seen" if seen == 1 else "some_seen"
    yield Clause(key, {"n": seen, "m": len(pairs)} if key == "some_seen" else {}, "sight")
    closed = _closed(scenario)
    if not closed:
        yield Clause("open", {}, "closed")
    elif closed >= BUILT_UP * len(scenario.arena.field.cells):
        yield Clause("built_up", {"n": closed}, "closed")
    hp = _hit_points(scenario)
    tough = max(SIDES, key=hp.__getitem__)
    if hp[tough] - hp[OTHER[tough]] >= TOUGHER:
        values = {"player": side_name(tough), "n": hp[tough], "m": hp[OTHER[tough]]}
        yield Clause("tougher", values, "hit points")


def _closed(scenario: Scenario) -> int:
    return len(scenario.arena.field.cells) - len(scenario.arena.open_cells)


def _hit_points(scenario: Scenario) -> dict[Side, int]:
    return {side: sum(m.hp for m in scenario.squads[side].machines) for side in SIDES}


def _opening(scenario: Scenario) -> Iterator[Clause]:
    """Yield the number of machines, and the size of the arena as an alternative."""
    first, second = (len(scenario.squads[side].machines) for side in SIDES)
    if first == second:
        yield Clause("who" if first > 1 else "who_one", {"n": first} if first > 1 else {}, "numbers")
    field = scenario.arena.field
    yield Clause("sides", {"columns": field.columns, "rows": field.rows}, "size")


def _squads(scenario: Scenario) -> Iterator[Clause]:
    """Yield the edges, the points, the hit points and the types of both squads."""
    if not scenario.fixed:
        yield Clause("edges", {side: edge_name(scenario.squads[side].edge) for side in SIDES})
    costs = scenario.costs
    if costs["first"] == costs["second"]:
        yield Clause("points", {"n": costs["first"]})
    else:
        yield Clause("points_unlike", {"n": costs["first"], "m": costs["second"]}, "points")
    hp = _hit_points(scenario)
    if hp["first"] == hp["second"]:
        yield Clause("hit_points", {"n": hp["first"]}, "hit points")
    for side in SIDES:
        counts = Counter(machine.kind for machine in scenario.squads[side].machines)
        names = [_counted(n, scenario.pack.machines[kind].name) for kind, n in counts.items()]
        yield Clause("squad", {"player": side_name(side), "list": listed(names)}, "types")


def _counted(n: int, name: Words) -> Words:
    """Return a number of machines of a type, such as `two Scopedogs`."""
    return Words(f"{numeral(n).en} {name.en}{'s' * (n > 1)}", f"{name.ja}{numeral(n).ja}機")


def _arena(scenario: Scenario) -> Iterator[Clause]:
    """Yield the size of the arena, its closed hexes, and the distance of the squads."""
    field, closed = scenario.arena.field, _closed(scenario)
    yield Clause("size", {"columns": field.columns, "rows": field.rows})
    if closed > 1:
        yield Clause("closed", {"n": closed})
    near = min(far for far, _ in _pairs(scenario))
    if near > 1:
        yield Clause("apart", {"n": near})
    if scenario.arena.silhouettes:
        yield Clause("buildings")


def _end(scenario: Scenario) -> Iterator[Clause]:
    """Yield how the battle is won, and the order of play."""
    yield Clause("win", {"turns": max(scenario.turns, 1)})
    yield Clause("first")
