"""Generate a Blind Faith scenario: armies, stacks on the map, and a march, battle or siege.

The rules that check scenarios do not depend on this module.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from generator.common.game import GameOption, OptionText, option_texts
from generator.common.interpretations import chosen_rulings, ruling_options
from generator.common.scenario_file import Step
from generator.common.search import requested_title
from generator.common.tables import Range
from generator.errors import NothingLegalError, WrongUsageError, near
from generator.games.blind_faith.battle import Force, front_size
from generator.games.blind_faith.ground import (
    RANDOM,
    DrawnMap,
    OpMap,
    Route,
    house_maps,
    load_map,
    movement,
    place_near,
    reach,
    side_name,
    way,
    words,
)
from generator.games.blind_faith.interception import Chance, barred, chances, defenders
from generator.games.blind_faith.maker import make_map
from generator.games.blind_faith.model import (
    KINDS,
    OTHER,
    PREFIX,
    Army,
    Battle,
    Kind,
    March,
    Routed,
    Scenario,
    Siege,
    Stack,
    account,
    numbers,
)
from generator.games.blind_faith.tables import SIDES, Pack, Side, UnitLine, house_pack, load_pack, switches
from generator.grid.hexes import Hex, distance
from generator.localization import tr, tr_external
from generator.model.scenario import Request
from generator.model.words import Words
from generator.notation.envelope import origin_of_draw
from generator.seeds import Rng, RngStreams

ON = "on"
ON_OFF = (ON, "off")


@cache
def draw_options() -> tuple[GameOption, ...]:
    """Return every option of Blind Faith."""
    tables, texts = numbers(), option_texts("blind_faith")
    legates = {legate.id: legate.name for legate in house_pack().legates}
    turns = tuple(str(n) for n in range(1, tables.turns + 1))
    return (
        GameOption("title", texts["title"], metavar="TITLE"),
        GameOption("kind", texts["kind"], KINDS),
        GameOption("map", texts["map"], (*house_maps(), RANDOM), file=True),
        GameOption("mover", texts["mover"], SIDES),
        GameOption("points", texts["points"], tuple(map(str, tables.points.numbers)), metavar="N"),
        *(_army_option(side, texts["army"]) for side in SIDES),
        GameOption("turn", texts["turn"], turns),
        GameOption("crusade", texts["crusade"], ON_OFF),
        GameOption("legate", texts["legate"], metavar="LEGATE", names=legates, known=(*legates,)),
        GameOption("uneven", texts["uneven"], (ON,), flag_value=ON),
        *ruling_options(switches()),
        GameOption("pack", texts["pack"], file=True, metavar="FILE"),
    )


def _army_option(side: str, text: OptionText) -> GameOption:
    armies = {army.id: army.name for army in numbers().army if army.side == side}
    return GameOption(f"army-{side}", text.fill(side=side_name(side)), (*armies,), names=armies)


class Ground(Struct, frozen=True):
    """The map of a scenario, and the path of the random stream that chose it (empty if it was requested)."""

    name: str
    op_map: OpMap
    stream_path: str


class Setting(Struct, frozen=True):
    """The checked options of a request. Missing options are empty or have their defaults."""

    title: Words | None
    map: str
    drawn_map: DrawnMap | None
    pack: Pack
    rulings: Mapping[str, str]
    crusade: bool | None
    legate: str
    uneven: bool

    @classmethod
    def of(cls, request: Request) -> Setting:
        """Read the options of a request.

        Raises:
            WrongUsageError: If an option is invalid.
            DataError: If a file is invalid.
        """
        options, files = request.options, request.files
        pack = load_pack(files.get("pack"))
        legate, crusade = options.get("legate", ""), options.get("crusade", "on" if "legate" in options else "")
        known = [one.id for one in pack.legates]
        if legate and legate not in known:
            raise WrongUsageError(tr("there is no legate named {legate!r}", legate=legate), hint=near(legate, known))
        if legate and crusade == "off":
            raise WrongUsageError(
                tr("--legate can be used only during a papal crusade"), hint=tr("omit --crusade off")
            )
        if crusade == "on" and not known:
            raise WrongUsageError(tr("there can be no papal crusade, because the pack has no legate"))
        return cls(
            title=requested_title(request),
            map=options.get("map", ""),
            drawn_map=load_map(files["map"]) if "map" in files else None,
            pack=pack,
            rulings=chosen_rulings(switches(), options),
            crusade=crusade == "on" if crusade else None,
            legate=legate,
            uneven=options.get("uneven") == ON,
        )

    def ground(self, streams: RngStreams) -> Ground:
        """Return the requested map. By default choose with equal chances between a house map and a random map."""
        if self.drawn_map:
            return Ground(self.map, self.drawn_map.ground, "")
        choice, path = self.map, ""
        if not choice:
            draw = streams.at("choice")
            path = draw.path
            choice = RANDOM if draw.chance(1, 2) else draw.choice(tuple(house_maps()))
        if choice == RANDOM:
            map_streams = streams.under(RANDOM)
            return Ground(RANDOM, make_map(map_streams), map_streams.prefix)
        return Ground(choice, house_maps()[choice].ground, path)


class Dice:
    """The random streams with a common prefix, and the requested options that replace random choices."""

    def __init__(self, streams: RngStreams, requested: Mapping[str, str]) -> None:
        self.streams = streams
        self.requested = requested
        self.paths: dict[tuple[str, str | None], str] = {}
        """The path of the stream used in each step, by step and side. Steps decided by an option are missing."""

    def under(self, name: str) -> Dice:
        """Return an object for the streams below `name`, without recorded paths."""
        return Dice(self.streams.under(name), self.requested)

    def at(self, step: str, who: Side | None = None) -> Rng:
        """Return the stream for a step and record its path."""
        rng = (self.streams.under(who) if who else self.streams).at(step)
        self.paths[step, who] = rng.path
        return rng

    def one_of(self, step: str, options: tuple[str, ...], who: Side | None = None) -> str:
        """Return the requested option for a step, or a random one of `options`."""
        option = f"{step}-{who}" if who else step
        return self.requested[option] if option in self.requested else self.at(step, who).choice(options)


def raised(
    pack: Pack,
    recruits: Mapping[str, int],
    points: int,
    rng: Rng,
    *,
    riders: bool = False,
    given: UnitLine = (),
) -> UnitLine:
    """Return random units that cost at most `points`. Units are added until no other unit is affordable.

    `given` contains units to begin with. If `riders` is True, the first random unit is one that can intercept, if
    possible.
    """
    units = list(given)
    left = points - pack.points(given)
    while open_ := [u for u in recruits if pack.units[u].points <= left and _another(pack, u, units)]:
        able = [unit for unit in open_ if pack.units[unit].intercepts]
        pool = able if riders and able else open_
        riders = False
        units.append(rng.weighted(pool, [recruits[unit] for unit in pool]))
        left -= pack.units[units[-1]].points
    return pack.line(units)


def shared_out(pack: Pack, units: UnitLine, strengths: Collection[int], rng: Rng) -> list[UnitLine] | None:
    """Return the units divided at random among stacks, or None if a stack remains empty.

    A stack's share is proportional to its entry in `strengths`.
    """
    order = range(len(strengths))
    stacks: list[list[str]] = [[] for _ in order]
    for unit in units:
        stacks[rng.weighted(order, tuple(strengths))].append(unit)
    return [pack.line(stack) for stack in stacks] if all(stacks) else None


def some(pack: Pack, units: UnitLine, count: int, rng: Rng) -> tuple[UnitLine, UnitLine]:
    """Return `count` random units of a line, and the remaining units."""
    mixed = rng.shuffle(units)
    return pack.line(mixed[:count]), pack.line(mixed[count:])


def between(bounds: Range, rng: Rng) -> int:
    """Return a random number within bounds, both included."""
    return rng.choice(bounds.numbers)


def _another(pack: Pack, unit: str, have: Collection[str]) -> bool:
    max_count = pack.units[unit].max_count
    return not max_count or list(have).count(unit) < max_count


def march(op_map: OpMap, allowance: int, rng: Rng) -> Route | None:
    """Return a random march whose cost is at most one less than the allowance, or None.

    The march follows the cheapest path. Hexes with a place are preferred as its ends. If no path costs that much, a
    shorter one is returned. The result is None if no march is possible.
    """
    cells = [cell for cell in op_map.field.cells if op_map.passable(cell)]
    if not cells:
        return None
    start = _liked(op_map, cells, rng)
    min_costs = reach(op_map, start)
    for shortest in (allowance - 1, 1):
        ends = [cell for cell, cost in min_costs.items() if max(1, shortest) <= cost <= allowance]
        if ends:
            return way(op_map, start, _liked(op_map, ends, rng))
    return None


def stand(op_map: OpMap, count: int, around: Collection[Hex], taken: Collection[Hex], rng: Rng) -> list[Hex]:
    """Return random free hexes near those in `around` for `count` stacks, or fewer if there is no room."""
    near, found, away = numbers().near, list[Hex](), set(taken)
    free = [
        cell
        for cell in op_map.field.cells
        if op_map.passable(cell) and cell not in away and any(distance(cell, other) <= near for other in around)
    ]
    for _ in range(count):
        if cells := [cell for cell in free if cell not in found]:
            found.append(_liked(op_map, cells, rng))
    return found


def _liked(op_map: OpMap, cells: Sequence[Hex], rng: Rng) -> Hex:
    """Return one of the hexes at random.

    With a chance of 1 in 2, choose only among hexes with a place, if there are any.
    """
    places = [cell for cell in cells if cell in op_map.places]
    return rng.choice(places if places and rng.chance(1, 2) else cells)


class Plan(Struct, frozen=True):
    """The choices that are made before stacks are placed on the map."""

    map: str
    op_map: OpMap
    pack: Pack
    kind: Kind
    active: Side
    """The side that marches or besieges."""
    points: int
    rulings: Mapping[str, str]
    armies: Mapping[Side, Army]
    units: Mapping[Side, UnitLine]
    """The units of each side except a legate's unit."""
    legate: str
    """The legate of the present crusade; empty if there is none."""
    pile: tuple[str, ...]
    uneven: bool
    """Whether a side in a battle may have twice as many units as the other or more."""

    def legate_units(self, side: Side) -> UnitLine:
        """Return the unit that represents the crusade's legate; empty if the legate is a marker."""
        units = (legate.unit for legate in self.pack.legates if legate.id == self.legate)
        return tuple(unit for unit in units if unit and side in self.pack.units[unit].sides)


class Scene(Struct, frozen=True):
    """The stacks on the map and the march, battle or siege.

    `focus` is the hex in which the action takes place or ends.
    """

    stacks: tuple[Stack, ...]
    focus: Hex
    march: March | None = None
    battle: Battle | None = None
    siege: Siege | None = None


def scene(plan: Plan, dice: Dice) -> Scene | None:
    """Return a scene for a plan, or None if it fails, for example because no stack can intercept the march."""
    lines = {side: _lines(plan, side, dice) for side in SIDES}
    if not all(lines.values()):
        return None
    return _siege(plan, lines, dice) if plan.kind == "siege" else _march(plan, lines, dice)


def _lines(plan: Plan, side: Side, dice: Dice) -> list[UnitLine]:
    """Return the units of each of a side's stacks, the active stack first; empty if a stack would have no units."""
    tables, rng = numbers(), dice.at("stack", side)
    marching = side == plan.active
    wanted = between(tables.marching if marching else tables.facing, rng)
    strengths = [tables.strong if marching and i == 0 else 1 for i in range(wanted)]
    lines = shared_out(plan.pack, plan.units[side], strengths, rng) or []
    return _with_guns(plan.pack, lines) if lines and marching and plan.kind == "siege" else lines


def _with_guns(pack: Pack, lines: Sequence[UnitLine]) -> list[UnitLine]:
    """Return the stacks with all units that can bombard moved to the first stack, which besieges.

    The result is empty if another stack would lose all its units.
    """
    guns = [unit for line in lines[1:] for unit in line if pack.units[unit].bombards]
    others = [tuple(unit for unit in line if not pack.units[unit].bombards) for line in lines[1:]]
    return [pack.line((*lines[0], *guns)), *others] if all(others) else []


def _march(plan: Plan, lines: Mapping[Side, list[UnitLine]], dice: Dice) -> Scene | None:
    active, other = plan.active, OTHER[plan.active]
    path = march(plan.op_map, movement(plan.pack, lines[active][0]), dice.at("path", active))
    if not path:
        return None
    friends = stand(plan.op_map, len(lines[active]) - 1, path[:1], path, dice.at("hex", active))
    # An enemy may be on the last hex of the path, which the march then attacks, but not on an earlier hex.
    foes = stand(plan.op_map, len(lines[other]), path, (*path[:-1], *friends), dice.at("hex", other))
    if len(friends) + 1 < len(lines[active]) or len(foes) < len(lines[other]):
        return None
    stacks = _stacks(plan, lines, {active: [path[0], *friends], other: foes}, dice)
    ends = barred(plan.rulings, stacks, other, _of(stacks, active).id)
    chances_met = [
        c for c in chances(plan.op_map, plan.pack, active, path, stacks, ends) if c.verdict == "intercepts"
    ]
    if not chances_met:
        return None
    found = Scene(stacks, path[-1], March(_of(stacks, active).id, path))
    if plan.kind != "battle":
        return found
    even = chances_met if plan.uneven else [chance for chance in chances_met if not _lopsided(plan, found, chance)]
    return _battle(plan, found, dice.at("meeting", other).choice(even or chances_met), dice)


def _lopsided(plan: Plan, on: Scene, chance: Chance) -> bool:
    """Return whether one side has at least twice as many units as the other if this interception happens."""
    there = next(stack for stack in on.stacks if stack.id == chance.stack)
    return two_to_one(len(_of(on.stacks, plan.active).units), len(defenders(plan.pack, there, chance.hex)))


def two_to_one(one: int, other: int) -> bool:
    """Return whether one of the numbers is at least twice the other."""
    return max(one, other) >= 2 * min(one, other)


def _battle(plan: Plan, on: Scene, chance: Chance, dice: Dice) -> Scene:
    """Return the scene with a battle. The attacker's front is full, and the defender's front has a random size."""
    active, other = plan.active, OTHER[plan.active]
    attackers = _of(on.stacks, active).units
    there = defenders(plan.pack, next(stack for stack in on.stacks if stack.id == chance.stack), chance.hex)
    attack = some(plan.pack, attackers, front_size(plan.pack, len(attackers)), dice.at("front", active))
    rng = dice.at("front", other)
    min_size = (len(there) + 1) // 2
    size = min_size + rng.below(len(there) - min_size + 1)
    defence = some(plan.pack, there, size, rng)
    return replace(on, focus=chance.hex, battle=Battle(chance.hex, chance.stack, Force(*attack), Force(*defence)))


def _siege(plan: Plan, lines: Mapping[Side, list[UnitLine]], dice: Dice) -> Scene | None:
    active, other = plan.active, OTHER[plan.active]
    place = dice.at("siege", active).choice(plan.op_map.besiegeable)
    friends = stand(plan.op_map, len(lines[active]) - 1, (place,), (place,), dice.at("hex", active))
    foes = stand(plan.op_map, len(lines[other]) - 1, (place,), (place, *friends), dice.at("hex", other))
    if len(friends) + 1 < len(lines[active]) or len(foes) + 1 < len(lines[other]):
        return None
    stacks = _stacks(plan, lines, {active: [place, *friends], other: [place, *foes]}, dice)
    besieger, garrison = _of(stacks, active), _of(stacks, other)
    guns = tuple(unit for unit in besieger.units if plan.pack.units[unit].bombards)
    rest = tuple(unit for unit in besieger.units if unit not in guns)
    rng = dice.at("storm", active)
    # Without guns the siege can only succeed if units storm.
    min_size = 0 if guns else (len(rest) + 1) // 2
    size = min_size + rng.below(len(rest) - min_size + 1)
    storm, reserve = some(plan.pack, rest, size, rng)
    walls = [wall.id for wall in plan.pack.walls]
    wall = plan.op_map.places[place].what.wall
    wall = wall if wall in walls else walls[0]
    return Scene(stacks, place, siege=Siege(besieger.id, garrison.id, wall, guns, storm, reserve))


def _stacks(
    plan: Plan, lines: Mapping[Side, list[UnitLine]], hexes: Mapping[Side, list[Hex]], dice: Dice
) -> tuple[Stack, ...]:
    """Return all stacks with their leaders. A random stack of the crusaders has the legate."""
    legates = {"crusader": plan.legate} if plan.legate else {}
    made: list[Stack] = []
    for side in SIDES:
        rng = dice.at("leader", side)
        names = rng.shuffle([leader.id for leader in numbers().leader if leader.side == side])
        escort = dice.at("legate", side).below(len(lines[side])) if side in legates else None
        for i, (units, cell) in enumerate(zip(lines[side], hexes[side], strict=True)):
            led = i == 0 or rng.chance(1, 2)
            units = plan.pack.line((*units, *plan.legate_units(side))) if i == escort else units
            legate = plan.legate if i == escort else ""
            made.append(
                Stack(f"{PREFIX[side]}{i + 1}", side, cell, units, names.pop() if led and names else "", legate)
            )
    return tuple(made)


def _of(stacks: tuple[Stack, ...], side: Side) -> Stack:
    """Return the first stack of a side, which marches, besieges or is besieged."""
    return next(stack for stack in stacks if stack.side == side)


STREAMS = "v1/blind_faith"
TRIES = 300


def draw(request: Request) -> Scenario:
    """Generate a scenario."""
    setting = Setting.of(request)
    dice = Dice(RngStreams(request.code, STREAMS), request.options)
    plan = _plan(setting, dice)
    found, scene_dice = _found(plan, dice)
    if not found:
        hint = tr("choose another map, other armies or a different number of points")
        raise NothingLegalError(
            tr("no {kind} could be drawn on this map with these armies", kind=tr_external(plan.kind)), hint=hint
        )
    turn = int(dice.one_of("turn", tuple(str(n) for n in range(1, numbers().turns + 1))))
    title = words()["title"][plan.kind].fill(place=place_near(plan.op_map, found.focus))
    scenario = Scenario(
        origin=origin_of_draw("blind_faith", request),
        title=setting.title or title,
        map=plan.map,
        op_map=plan.op_map,
        pack=plan.pack,
        rulings=setting.rulings,
        turn=turn,
        points=plan.points,
        armies={side: army.id for side, army in plan.armies.items()},
        stacks=found.stacks,
        crusade=bool(plan.legate),
        legates=plan.pile,
        routed=_routed(plan, turn, dice),
        march=found.march,
        battle=found.battle,
        siege=found.siege,
        log=(),
    )
    paths = dice.paths | scene_dice.paths
    log = (Step(what, who, paths.get((what, who), ""), came) for what, who, came in account(scenario))
    return replace(scenario, log=tuple(log))


def _found(plan: Plan, dice: Dice) -> tuple[Scene | None, Dice]:
    """Return the first scene that succeeds, and its random streams.

    If no battle with similar numbers of units is found, the first uneven battle is returned.
    """
    lopsided: tuple[Scene | None, Dice] = None, dice
    for attempt in range(TRIES):
        scene_dice = dice.under(f"scene/{attempt}")
        found = scene(plan, scene_dice)
        battle = found.battle if found else None
        if found and (plan.uneven or not battle or not two_to_one(battle.attack.left, battle.defence.left)):
            return found, scene_dice
        if found and not lopsided[0]:
            lopsided = found, scene_dice
    return lopsided


def _plan(setting: Setting, dice: Dice) -> Plan:
    ground = setting.ground(dice.streams.under("map"))
    dice.paths["map", None] = ground.stream_path
    kind = _kind(dice, bool(ground.op_map.besiegeable))
    mover = dice.one_of("mover", SIDES)
    active = next(side for side in SIDES if side == mover)
    dice.paths["mover", active] = dice.paths.get(("mover", None), "")
    legates = [legate.id for legate in setting.pack.legates]
    pile = dice.at("legates").shuffle(legates)
    on = setting.crusade if setting.crusade is not None else bool(legates) and dice.at("crusade").chance(1, 2)
    legate = (setting.legate or pile[0]) if on else ""
    points = int(dice.one_of("points", tuple(map(str, numbers().drawn.numbers))))
    # The army of the besieged side is one for field battles.
    kinds: dict[Side, Kind] = {side: kind if side == active else "battle" for side in SIDES}
    armies = {side: _army(kinds[side], side, dice) for side in SIDES}
    plan = Plan(
        map=ground.name,
        op_map=ground.op_map,
        pack=setting.pack,
        kind=kind,
        active=active,
        points=points,
        rulings=setting.rulings,
        armies=armies,
        units={},
        legate=legate,
        pile=tuple(name for name in pile if name != legate),
        uneven=setting.uneven,
    )
    return replace(plan, units={side: _units(plan, side, dice) for side in SIDES})


def _kind(dice: Dice, places: bool) -> Kind:
    """Return the kind of action. A siege needs a map with a place that can be besieged."""
    open_ = tuple(kind for kind in KINDS if places or kind != "siege")
    wished = dice.one_of("kind", open_)
    if wished not in open_:
        raise WrongUsageError(
            tr("a siege needs a town, city or castle that units can enter"), hint=tr("choose another map")
        )
    return next(kind for kind in KINDS if kind == wished)


def _army(kind: Kind, side: Side, dice: Dice) -> Army:
    armies = numbers().armies
    open_ = tuple(army.id for army in armies.values() if army.side == side and kind in army.kinds)
    return armies[dice.one_of("army", open_, side)]


def _units(plan: Plan, side: Side, dice: Dice) -> UnitLine:
    """Return a side's units except a legate's unit. Armies that may intercept begin with a unit that can."""
    recruits = plan.armies[side].recruits(plan.pack, crusade=bool(plan.legate))
    points = plan.points - plan.pack.points(plan.legate_units(side))
    riders = plan.kind != "siege" and side != plan.active
    return raised(plan.pack, recruits, points, dice.at("units", side), riders=riders)


def _routed(plan: Plan, turn: int, dice: Dice) -> tuple[Routed, ...]:
    """Return units that were routed earlier.

    Each side has some with a chance of 1 in 2, in addition to its points.
    """
    found = []
    for side in SIDES:
        rng, recruits = dice.at("routed", side), plan.armies[side].recruits(plan.pack, crusade=bool(plan.legate))
        kinds = [unit for unit in recruits if not plan.pack.units[unit].max_count]
        if kinds and rng.chance(1, 2):
            units = [rng.choice(kinds) for _ in range(between(numbers().routed, rng))]
            found.append(Routed(side, plan.pack.line(units), turn + 1))
    return tuple(found)
