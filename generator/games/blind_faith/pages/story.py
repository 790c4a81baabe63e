"""The facts of a scenario that the text on its cover may state. The wordings are in data/blind_faith/story.toml."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from generator.common.cover_text import Clause, CoverText, compose, listed, one_or_many
from generator.common.tables import numeral
from generator.games.blind_faith.ground import format_hex, side_name, sound, words
from generator.games.blind_faith.interception import all_chances, defenders, going, retreats, staying
from generator.games.blind_faith.maps import paid
from generator.games.blind_faith.model import Scenario, Stack, numbers
from generator.games.blind_faith.rounds import hits
from generator.games.blind_faith.siege import breach_chance
from generator.games.blind_faith.tables import SIDES, UnitLine
from generator.model.words import Words, same
from generator.notation import toml

wordings = toml.shipped_table("blind_faith/story.toml", dict[str, tuple[Words, ...]])
"""Returns the wordings of each fact."""
OUTNUMBERED = Fraction(4, 3)
"""Minimum ratio of the numbers of units at which one side is outnumbered."""
LATE = 2
"""Maximum number of turns before the end at which the text says that little time is left."""
CROSSINGS = ("bridge", "ford")
"""Kinds of terrain that a march crosses a river by."""


def cover_text(scenario: Scenario) -> CoverText:
    """Return the text on the cover: 60 to 90 English words, or 150 to 250 Japanese characters."""
    seed = scenario.origin.code or scenario.title.en
    found = (_leads(scenario), _details(scenario), _opening(scenario), _end(scenario))
    leads, details, opening, end = ([_spelled(clause) for clause in clauses] for clauses in found)
    first = leads or details[:1]
    return compose(seed, first, opening, details, end, wordings())


def spelled(n: int) -> Words:
    """Return a number for the middle of a sentence: in words in English, in digits in Japanese."""
    return Words(numeral(n).en, str(n))


def _spelled(clause: Clause) -> Clause:
    """Return a clause with its numbers as texts."""
    values = {name: spelled(n) if isinstance(n, int) else n for name, n in clause.values.items()}
    return Clause(clause.key, values, clause.topic)


def _sides(scenario: Scenario) -> tuple[tuple[Stack, UnitLine], tuple[Stack, UnitLine]] | None:
    """Return the two stacks that fight with their units there, or None if there is no fight."""
    if battle := scenario.battle:
        other = scenario.stack(battle.defender)
        return (scenario.active, scenario.active.units), (other, tuple(defenders(scenario.pack, other, battle.hex)))
    if siege := scenario.siege:
        other = scenario.stack(siege.garrison)
        return (scenario.active, scenario.active.units), (other, other.units)
    return None


def _leads(scenario: Scenario) -> Iterator[Clause]:
    """Yield the unusual facts, the most unusual first."""
    pack = scenario.pack
    if sides := _sides(scenario):
        (one, units), (other, enemies) = sides
        less, more = sorted(sides, key=lambda side: len(side[1]))
        if len(more[1]) >= OUTNUMBERED * len(less[1]):
            yield Clause("outnumbered", {"who": leader(less[0])})
        persons = [unit for unit in dict.fromkeys((*units, *enemies)) if pack.units[unit].max_count == 1]
        # A legate who is a unit has a sentence of their own below.
        envoys = [legate.unit for legate in pack.legates for stack, _ in sides if legate.id == stack.legate]
        if persons and persons[0] not in envoys:
            where = one if persons[0] in units else other
            name = pack.units[persons[0]].name
            yield Clause("person", {"who": name, "stack": where.label, "side": side_name(where.side)})
    if battle := scenario.battle:
        for stack in (scenario.active, scenario.stack(battle.defender)):
            if not retreats(scenario, stack.side):
                yield Clause("no_way", {"who": leader(stack)})
    if siege := scenario.siege:
        able = [unit for unit in siege.bombard if breach_chance(pack, unit, siege.wall)]
        if siege.placed and not able:
            yield Clause("no_guns", {"who": leader(scenario.active)})
        elif able:
            unit = max(able, key=lambda unit: breach_chance(pack, unit, siege.wall))
            n = siege.bombard.count(unit)
            key = "guns" if n > 1 else "guns_one"
            dice = hits(pack.bombard[pack.units[unit].type, siege.wall])
            yield Clause(key, {"unit": pack.units[unit].name, "n": n, "dice": dice})
    if scenario.kind == "march":
        first = _interceptors(scenario)
        if not first:
            yield Clause("nobody_first", {"who": leader(scenario.active)})
        elif len(first) > 1:
            yield Clause("several_first", {"stacks": listed([stack.label for stack in first]), "n": len(first)})
    wagons = [unit for stack in scenario.stacks for unit in stack.units if pack.units[unit].symbol == "wagon"]
    if wagons:
        values = {"n": len(wagons), "unit": pack.units[wagons[0]].name}
        yield Clause(
            one_or_many("wagons", len(wagons)), {**values, "side": side_name(pack.units[wagons[0]].sides[0])}
        )
    legates = {legate.id: legate for legate in pack.legates}
    for stack in scenario.stacks:
        if stack.legate and stack.legate in legates:
            at = format_hex(scenario.op_map, stack.hex)
            yield Clause("legate", {"legate": legates[stack.legate].name, "stack": stack.label, "hex": at})


def _opening(scenario: Scenario) -> Iterator[Clause]:
    """Yield the fact with which the text begins after the lead."""
    op_map = scenario.op_map
    if battle := scenario.battle:
        active, other = scenario.active, scenario.stack(battle.defender)
        there = defenders(scenario.pack, other, battle.hex)
        yield Clause(
            "battle",
            {
                "who": leader(active),
                "start": format_hex(op_map, active.hex),
                "hex": format_hex(op_map, battle.hex),
                "n": len(active.units),
                "other": leader(other),
                "k": len(there),
            },
        )
    elif siege := scenario.siege:
        garrison = scenario.stack(siege.garrison)
        values = {"who": leader(scenario.active), "n": len(scenario.active.units)}
        values |= {"place": place_name(scenario, garrison), "other": leader(garrison), "k": len(garrison.units)}
        yield Clause("siege", values)
    elif march := scenario.march:
        ends = (march.path[0], march.path[-1]) if march.path else (scenario.active.hex,) * 2
        start, end = (format_hex(op_map, cell) for cell in ends)
        n = len(scenario.active.units)
        yield Clause("march", {"who": leader(scenario.active), "start": start, "end": end, "n": n})
    else:
        n = len(scenario.stacks)
        yield Clause(one_or_many("position", n), {"n": n, "turn": scenario.turn})


def _details(scenario: Scenario) -> Iterator[Clause]:
    """Yield facts of which the text has as many as its length requires."""
    pack, op_map = scenario.pack, scenario.op_map
    fighting = set[str]()
    if sides := _sides(scenario):
        for stack, units in sides:
            fighting.add(stack.id)
            some = words()["units"]["some"]
            arms = [some.fill(unit=pack.units[unit].name, n=n) for unit, n in Counter(units).most_common(3)]
            yield Clause("mix", {"stack": stack.label, "units": listed(arms)}, topic=f"mix {stack.id}")
    if battle := scenario.battle:
        other = scenario.stack(battle.defender)
        if left := staying(pack, other, battle.hex):
            key, at = one_or_many("left", len(left)), format_hex(op_map, other.hex)
            yield Clause(key, {"n": len(left), "who": leader(other), "hex": at})
        yield Clause("fronts", {"n": len(battle.defence.front), "k": len(battle.attack.front)})
        costs = [paid(scenario, role) for role in ("attack", "defence")]
        if costs[0][0] is not None and costs[1][0] is not None:
            key = "paid" if costs[1][0] else one_or_many("waited", costs[0][0])
            yield Clause(key, {"n": costs[0][0], "m": costs[1][0]}, topic="paid")
    if siege := scenario.siege:
        if siege.placed:
            yield Clause("parts", {"n": len(siege.bombard), "k": len(siege.storm), "m": len(siege.reserve)})
        else:
            yield Clause("unplaced", {"who": leader(scenario.active)})
        wall = next(wall.name for wall in pack.walls if wall.id == siege.wall)
        yield Clause("wall", {"wall": wall, "place": place_name(scenario, scenario.stack(siege.garrison))})
    if march := scenario.march:
        fighting.add(march.stack)
        if sound(op_map, march.path) and len(march.path) > 1:
            cost, of = paid(scenario, "attack")
            if not scenario.battle and cost is not None:
                steps = len(march.path) - 1
                yield Clause(one_or_many("way", steps), {"n": steps, "m": cost, "k": of}, topic="way")
            for kind in CROSSINGS:
                cells = [cell for cell in march.path if op_map.ground[cell] == kind]
                if cells:
                    name = op_map.terrain(cells[0]).name
                    at = same(op_map.name(cells[0]))
                    yield Clause("crossed", {"ground": Words(name.en.lower(), name.ja), "hex": at})
    if scenario.kind == "march":
        for stack in _interceptors(scenario)[:2]:
            goes = going(pack, stack.units)
            values = {"stack": stack.label, "n": len(goes), "m": len(stack.units)}
            yield Clause("goes", {**values, "hex": format_hex(op_map, stack.hex)}, topic=f"goes {stack.id}")
    for stack in sorted(scenario.stacks, key=lambda stack: -len(stack.units)):
        if stack.id not in fighting:
            key, at = one_or_many("stands", len(stack.units)), format_hex(op_map, stack.hex)
            yield Clause(key, {"who": leader(stack), "n": len(stack.units), "hex": at}, topic=f"stands {stack.id}")
    for side in SIDES:
        back = [one for one in scenario.routed if one.side == side]
        if back:
            n = sum(len(one.units) for one in back)
            turns = {one.back for one in back}
            values = {"n": n, "side": side_name(side), "turn": min(turns)}
            key = "returning_all" if n > 1 and len(turns) == 1 else one_or_many("returning", n)
            yield Clause(key, values, topic=f"returning {side}")
    last = numbers().turns
    if scenario.turn <= last:
        key = "late" if last - scenario.turn <= LATE else "turn"
        yield Clause(key, {"turn": scenario.turn, "last": last})
    for side in SIDES:
        units = scenario.units_of(side)
        values = {"side": side_name(side), "n": len(units), "points": pack.points(units)}
        yield Clause("army", values, topic=f"army {side}")


def _end(scenario: Scenario) -> Iterator[Clause]:
    """Yield how the action is won."""
    op_map = scenario.op_map
    if battle := scenario.battle:
        yield Clause("win_battle", {"hex": format_hex(op_map, battle.hex)})
        yield Clause("pursuit")
    elif siege := scenario.siege:
        yield Clause("win_siege", {"place": place_name(scenario, scenario.stack(siege.garrison))})
        yield Clause("lifted")
    elif march := scenario.march:
        end = march.path[-1] if march.path else scenario.active.hex
        yield Clause("win_march", {"side": side_name(scenario.active.side), "hex": format_hex(op_map, end)})
    else:
        yield Clause("win_position")


def _interceptors(scenario: Scenario) -> Sequence[Stack]:
    """Return the stacks that can intercept the march."""
    if not scenario.march or not sound(scenario.op_map, scenario.march.path):
        return ()
    return [
        scenario.stack(name)
        for name in dict.fromkeys(c.stack for c in all_chances(scenario) if c.verdict == "intercepts")
    ]


def leader(stack: Stack) -> Words:
    """Return the name of a stack's leader, or the label and side of a stack without a leader."""
    if stack.leader:
        return numbers().leaders[stack.leader].name
    return words()["briefing"]["of"].fill(stack=stack.label, side=side_name(stack.side))


def place_name(scenario: Scenario, stack: Stack) -> Words:
    """Return the name of the place at which a stack stands, or the name of its hex."""
    place = scenario.op_map.places.get(stack.hex)
    return place.name if place else same(scenario.op_map.name(stack.hex))
