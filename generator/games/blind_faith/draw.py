"""Drawing a scenario: armies raised, stacks placed, a march, a battle or a siege.

What may be wished for: map, pack, kind of scenario, points, armies, crusade, rulings.

Wishes, or else streams: every choice of a draw, and which random stream it came from.

Raising armies: units of a side up to its points, and how they are shared out over stacks.

Where stacks stand, and which way one of them marches.

A scene: the stacks on the map, and what one of them is about: a march that can be met, its battle, a siege.

The draw of a Blind Faith scenario: what is played and with what, then scenes until one comes to something.

The draw; the rules know nothing of it.
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
def wishes() -> tuple[GameOption, ...]:
    """Every wish of this game."""
    tables, texts = numbers(), option_texts("blind_faith")
    legates = {legate.id: legate.name for legate in house_pack().legates}
    turns = tuple(str(n) for n in range(1, tables.turns + 1))
    return (
        GameOption("title", texts["title"], metavar="TITLE"),
        GameOption("kind", texts["kind"], KINDS),
        GameOption("map", texts["map"], (*house_maps(), RANDOM), file=True),
        GameOption("mover", texts["mover"], SIDES),
        GameOption("points", texts["points"], tuple(map(str, tables.points.numbers)), metavar="N"),
        *(_army_wish(side, texts["army"]) for side in SIDES),
        GameOption("turn", texts["turn"], turns),
        GameOption("crusade", texts["crusade"], ON_OFF),
        GameOption("legate", texts["legate"], metavar="LEGATE", names=legates, known=(*legates,)),
        GameOption("uneven", texts["uneven"], (ON,), flag_value=ON),
        *ruling_options(switches()),
        GameOption("pack", texts["pack"], file=True, metavar="FILE"),
    )


def _army_wish(side: str, text: OptionText) -> GameOption:
    armies = {army.id: army.name for army in numbers().army if army.side == side}
    return GameOption(f"army-{side}", text.fill(side=side_name(side)), (*armies,), names=armies)


class Ground(Struct, frozen=True):
    """The map of a scenario, with the random stream it was drawn from, empty where it was wished for."""

    name: str
    land: OpMap
    stream: str


class Setting(Struct, frozen=True):
    """An order's wishes; what is not wished for is empty or at its default."""

    title: Words | None
    map: str
    drawn_map: DrawnMap | None
    pack: Pack
    rulings: Mapping[str, str]
    crusade: bool | None
    legate: str
    uneven: bool

    @classmethod
    def of(cls, order: Request) -> Setting:
        """Read an order; WrongUsageError for a wish that makes no sense, DataError for a bad file."""
        wish, files = order.options, order.files
        pack = load_pack(files.get("pack"))
        legate, crusade = wish.get("legate", ""), wish.get("crusade", "on" if "legate" in wish else "")
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
            title=requested_title(order),
            map=wish.get("map", ""),
            drawn_map=load_map(files["map"]) if "map" in files else None,
            pack=pack,
            rulings=chosen_rulings(switches(), wish),
            crusade=crusade == "on" if crusade else None,
            legate=legate,
            uneven=wish.get("uneven") == ON,
        )

    def ground(self, streams: RngStreams) -> Ground:
        """The map wished for, or one drawn: as often a house map as a random one."""
        if self.drawn_map:
            return Ground(self.map, self.drawn_map.ground, "")
        choice, stream = self.map, ""
        if not choice:
            draw = streams.at("choice")
            stream = draw.path
            choice = RANDOM if draw.chance(1, 2) else draw.choice(tuple(house_maps()))
        if choice == RANDOM:
            own = streams.under(RANDOM)
            return Ground(RANDOM, make_map(own), own.prefix)
        return Ground(choice, house_maps()[choice].ground, stream)


class Dice:
    """Streams under one prefix, with the wishes that take their place."""

    def __init__(self, streams: RngStreams, wishes: Mapping[str, str]) -> None:
        self.streams = streams
        self.wishes = wishes
        self.paths: dict[tuple[str, str | None], str] = {}
        """The path of the stream that each step drew from, by step and side; none where a wish was heard."""

    def under(self, name: str) -> Dice:
        """The same, one step farther down and with no path told yet."""
        return Dice(self.streams.under(name), self.wishes)

    def at(self, step: str, who: Side | None = None) -> Rng:
        """The stream of a step."""
        stream = (self.streams.under(who) if who else self.streams).at(step)
        self.paths[step, who] = stream.path
        return stream

    def one_of(self, step: str, options: tuple[str, ...], who: Side | None = None) -> str:
        """What was wished for, or one of the options."""
        wish = f"{step}-{who}" if who else step
        return self.wishes[wish] if wish in self.wishes else self.at(step, who).choice(options)


def raised(
    pack: Pack,
    recruits: Mapping[str, int],
    points: int,
    stream: Rng,
    *,
    riders: bool = False,
    given: UnitLine = (),
) -> UnitLine:
    """Units until no other can be paid for, those given among them; with `riders` the first one may intercept."""
    units = list(given)
    left = points - pack.points(given)
    while open_ := [u for u in recruits if pack.units[u].points <= left and _another(pack, u, units)]:
        able = [unit for unit in open_ if pack.units[unit].intercepts]
        pool = able if riders and able else open_
        riders = False
        units.append(stream.weighted(pool, [recruits[unit] for unit in pool]))
        left -= pack.units[units[-1]].points
    return pack.line(units)


def shared_out(pack: Pack, units: UnitLine, strengths: Collection[int], stream: Rng) -> list[UnitLine] | None:
    """The units over as many stacks as there are strengths, more to the strong; None where one stays empty."""
    order = range(len(strengths))
    stacks: list[list[str]] = [[] for _ in order]
    for unit in units:
        stacks[stream.weighted(order, tuple(strengths))].append(unit)
    return [pack.line(stack) for stack in stacks] if all(stacks) else None


def some(pack: Pack, units: UnitLine, count: int, stream: Rng) -> tuple[UnitLine, UnitLine]:
    """So many of the units, and the rest."""
    mixed = stream.shuffle(units)
    return pack.line(mixed[:count]), pack.line(mixed[count:])


def between(bounds: Range, stream: Rng) -> int:
    """A number between bounds, both included."""
    return stream.choice(bounds.numbers)


def _another(pack: Pack, unit: str, have: Collection[str]) -> bool:
    most = pack.units[unit].most
    return not most or list(have).count(unit) < most


def march(land: OpMap, allowance: int, stream: Rng) -> Route | None:
    """A cheapest path that uses up the allowance or nearly so, from place to place where it can be."""
    cells = [cell for cell in land.field.cells if land.passable(cell)]
    if not cells:
        return None
    start = _liked(land, cells, stream)
    least = reach(land, start)
    for shortest in (allowance - 1, 1):
        ends = [cell for cell, cost in least.items() if max(1, shortest) <= cost <= allowance]
        if ends:
            return way(land, start, _liked(land, ends, stream))
    return None


def stand(land: OpMap, count: int, around: Collection[Hex], taken: Collection[Hex], stream: Rng) -> list[Hex]:
    """A hex for each of so many stacks, near those hexes and free; fewer where there is no room."""
    near, found, away = numbers().near, list[Hex](), set(taken)
    free = [
        cell
        for cell in land.field.cells
        if land.passable(cell) and cell not in away and any(distance(cell, other) <= near for other in around)
    ]
    for _ in range(count):
        if cells := [cell for cell in free if cell not in found]:
            found.append(_liked(land, cells, stream))
    return found


def _liked(land: OpMap, cells: Sequence[Hex], stream: Rng) -> Hex:
    """One of the hexes; every other time one with a place, where there is one."""
    places = [cell for cell in cells if cell in land.places]
    return stream.choice(places if places and stream.chance(1, 2) else cells)


class Plan(Struct, frozen=True):
    """All that is settled before a stack stands on the map."""

    map: str
    land: OpMap
    pack: Pack
    kind: Kind
    active: Side
    """The side that marches or besieges."""
    points: int
    rulings: Mapping[str, str]
    armies: Mapping[Side, Army]
    units: Mapping[Side, UnitLine]
    """Every unit of a side but the legate's own."""
    legate: str
    """The legate of the crusade that is on; empty where none is."""
    pile: tuple[str, ...]
    uneven: bool
    """Whether a battle may be one in which a side has twice the units of the other."""

    def legate_units(self, side: Side) -> UnitLine:
        """The unit that the crusade's legate is, where he is one."""
        units = (legate.unit for legate in self.pack.legates if legate.id == self.legate)
        return tuple(unit for unit in units if unit and side in self.pack.units[unit].sides)


class Scene(Struct, frozen=True):
    """What a plan came to; `focus` is the hex that it is all about."""

    stacks: tuple[Stack, ...]
    focus: Hex
    march: March | None = None
    battle: Battle | None = None
    siege: Siege | None = None


def scene(plan: Plan, dice: Dice) -> Scene | None:
    """A scene; None where it comes to nothing, such as a march that nobody can meet."""
    lines = {side: _lines(plan, side, dice) for side in SIDES}
    if not all(lines.values()):
        return None
    return _siege(plan, lines, dice) if plan.kind == "siege" else _march(plan, lines, dice)


def _lines(plan: Plan, side: Side, dice: Dice) -> list[UnitLine]:
    """A side's units by stacks, those of the stack that marches first; none where one would be empty."""
    tables, stream = numbers(), dice.at("stack", side)
    marching = side == plan.active
    wanted = between(tables.marching if marching else tables.facing, stream)
    strengths = [tables.strong if marching and i == 0 else 1 for i in range(wanted)]
    lines = shared_out(plan.pack, plan.units[side], strengths, stream) or []
    return _with_guns(plan.pack, lines) if lines and marching and plan.kind == "siege" else lines


def _with_guns(pack: Pack, lines: Sequence[UnitLine]) -> list[UnitLine]:
    """The stacks with all that bombard in the first, which lays siege; none where another would be empty."""
    guns = [unit for line in lines[1:] for unit in line if pack.units[unit].bombards]
    others = [tuple(unit for unit in line if not pack.units[unit].bombards) for line in lines[1:]]
    return [pack.line((*lines[0], *guns)), *others] if all(others) else []


def _march(plan: Plan, lines: Mapping[Side, list[UnitLine]], dice: Dice) -> Scene | None:
    own, other = plan.active, OTHER[plan.active]
    path = march(plan.land, movement(plan.pack, lines[own][0]), dice.at("path", own))
    if not path:
        return None
    friends = stand(plan.land, len(lines[own]) - 1, path[:1], path, dice.at("hex", own))
    # An enemy may stand at the end of the path, for the march to attack, but not on the way there.
    foes = stand(plan.land, len(lines[other]), path, (*path[:-1], *friends), dice.at("hex", other))
    if len(friends) + 1 < len(lines[own]) or len(foes) < len(lines[other]):
        return None
    stacks = _stacks(plan, lines, {own: [path[0], *friends], other: foes}, dice)
    ends = barred(plan.rulings, stacks, other, _of(stacks, own).id)
    met = [c for c in chances(plan.land, plan.pack, own, path, stacks, ends) if c.verdict == "intercepts"]
    if not met:
        return None
    found = Scene(stacks, path[-1], March(_of(stacks, own).id, path))
    if plan.kind != "battle":
        return found
    even = met if plan.uneven else [chance for chance in met if not _lopsided(plan, found, chance)]
    return _battle(plan, found, dice.at("meeting", other).choice(even or met), dice)


def _lopsided(plan: Plan, on: Scene, met: Chance) -> bool:
    """Whether the march meets half its units there or fewer, or twice as many or more."""
    there = next(stack for stack in on.stacks if stack.id == met.stack)
    return two_to_one(len(_of(on.stacks, plan.active).units), len(defenders(plan.pack, there, met.hex)))


def two_to_one(one: int, other: int) -> bool:
    """Whether one of these is twice the other or more."""
    return max(one, other) >= 2 * min(one, other)


def _battle(plan: Plan, on: Scene, met: Chance, dice: Dice) -> Scene:
    """The battle where the march is met: the attacker's boxes are full, the defender's line is as he likes."""
    own, other = plan.active, OTHER[plan.active]
    attackers = _of(on.stacks, own).units
    there = defenders(plan.pack, next(stack for stack in on.stacks if stack.id == met.stack), met.hex)
    attack = some(plan.pack, attackers, front_size(plan.pack, len(attackers)), dice.at("front", own))
    stream = dice.at("front", other)
    least = (len(there) + 1) // 2
    size = least + stream.below(len(there) - least + 1)
    defence = some(plan.pack, there, size, stream)
    return replace(on, focus=met.hex, battle=Battle(met.hex, met.stack, Force(*attack), Force(*defence)))


def _siege(plan: Plan, lines: Mapping[Side, list[UnitLine]], dice: Dice) -> Scene | None:
    own, other = plan.active, OTHER[plan.active]
    place = dice.at("siege", own).choice(plan.land.besiegeable)
    friends = stand(plan.land, len(lines[own]) - 1, (place,), (place,), dice.at("hex", own))
    foes = stand(plan.land, len(lines[other]) - 1, (place,), (place, *friends), dice.at("hex", other))
    if len(friends) + 1 < len(lines[own]) or len(foes) + 1 < len(lines[other]):
        return None
    stacks = _stacks(plan, lines, {own: [place, *friends], other: [place, *foes]}, dice)
    besieger, garrison = _of(stacks, own), _of(stacks, other)
    guns = tuple(unit for unit in besieger.units if plan.pack.units[unit].bombards)
    rest = tuple(unit for unit in besieger.units if unit not in guns)
    stream = dice.at("storm", own)
    # Without guns nothing happens unless somebody storms.
    least = 0 if guns else (len(rest) + 1) // 2
    size = least + stream.below(len(rest) - least + 1)
    storm, reserve = some(plan.pack, rest, size, stream)
    walls = [wall.id for wall in plan.pack.walls]
    wall = plan.land.places[place].what.wall
    wall = wall if wall in walls else walls[0]
    return Scene(stacks, place, siege=Siege(besieger.id, garrison.id, wall, guns, storm, reserve))


def _stacks(
    plan: Plan, lines: Mapping[Side, list[UnitLine]], hexes: Mapping[Side, list[Hex]], dice: Dice
) -> tuple[Stack, ...]:
    """The stacks with their leaders, and the legate with one of the crusaders'."""
    legates = {"crusader": plan.legate} if plan.legate else {}
    made: list[Stack] = []
    for side in SIDES:
        stream = dice.at("leader", side)
        names = stream.shuffle([leader.id for leader in numbers().leader if leader.side == side])
        escort = dice.at("legate", side).below(len(lines[side])) if side in legates else None
        for i, (units, cell) in enumerate(zip(lines[side], hexes[side], strict=True)):
            led = i == 0 or stream.chance(1, 2)
            units = plan.pack.line((*units, *plan.legate_units(side))) if i == escort else units
            legate = plan.legate if i == escort else ""
            made.append(
                Stack(f"{PREFIX[side]}{i + 1}", side, cell, units, names.pop() if led and names else "", legate)
            )
    return tuple(made)


def _of(stacks: tuple[Stack, ...], side: Side) -> Stack:
    """A side's first stack: the one that marches, lays siege or is besieged."""
    return next(stack for stack in stacks if stack.side == side)


STREAMS = "v1/blind_faith"
TRIES = 300


def draw(order: Request) -> Scenario:
    """A whole scenario."""
    setting = Setting.of(order)
    dice = Dice(RngStreams(order.code, STREAMS), order.options)
    plan = _plan(setting, dice)
    found, own = _found(plan, dice)
    if not found:
        hint = tr("choose another map, other armies or a different number of points")
        raise NothingLegalError(
            tr("no {kind} could be drawn on this map with these armies", kind=tr_external(plan.kind)), hint=hint
        )
    turn = int(dice.one_of("turn", tuple(str(n) for n in range(1, numbers().turns + 1))))
    title = words()["title"][plan.kind].fill(place=place_near(plan.land, found.focus))
    scenario = Scenario(
        origin=origin_of_draw("blind_faith", order),
        title=setting.title or title,
        map=plan.map,
        land=plan.land,
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
    paths = dice.paths | own.paths
    log = (Step(what, who, paths.get((what, who), ""), came) for what, who, came in account(scenario))
    return replace(scenario, log=tuple(log))


def _found(plan: Plan, dice: Dice) -> tuple[Scene | None, Dice]:
    """The first scene that comes to something, and its dice; a lopsided battle where none else is found."""
    lopsided: tuple[Scene | None, Dice] = None, dice
    for attempt in range(TRIES):
        own = dice.under(f"scene/{attempt}")
        found = scene(plan, own)
        battle = found.battle if found else None
        if found and (plan.uneven or not battle or not two_to_one(battle.attack.left, battle.defence.left)):
            return found, own
        if found and not lopsided[0]:
            lopsided = found, own
    return lopsided


def _plan(setting: Setting, dice: Dice) -> Plan:
    ground = setting.ground(dice.streams.under("map"))
    dice.paths["map", None] = ground.stream
    kind = _kind(dice, bool(ground.land.besiegeable))
    mover = dice.one_of("mover", SIDES)
    active = next(side for side in SIDES if side == mover)
    dice.paths["mover", active] = dice.paths.get(("mover", None), "")
    legates = [legate.id for legate in setting.pack.legates]
    pile = dice.at("legates").shuffle(legates)
    on = setting.crusade if setting.crusade is not None else bool(legates) and dice.at("crusade").chance(1, 2)
    legate = (setting.legate or pile[0]) if on else ""
    points = int(dice.one_of("points", tuple(map(str, numbers().drawn.numbers))))
    # Whoever is besieged was raised for the field.
    kinds: dict[Side, Kind] = {side: kind if side == active else "battle" for side in SIDES}
    armies = {side: _army(kinds[side], side, dice) for side in SIDES}
    plan = Plan(
        map=ground.name,
        land=ground.land,
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
    """What is played; a siege only where there is something to besiege."""
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
    """A side's units, the legate's own left out; whom a march may meet begin with one that may intercept."""
    recruits = plan.armies[side].recruits(plan.pack, crusade=bool(plan.legate))
    points = plan.points - plan.pack.points(plan.legate_units(side))
    riders = plan.kind != "siege" and side != plan.active
    return raised(plan.pack, recruits, points, dice.at("units", side), riders=riders)


def _routed(plan: Plan, turn: int, dice: Dice) -> tuple[Routed, ...]:
    """Every other time some units of a side that were routed earlier in the turn, beyond its points."""
    found = []
    for side in SIDES:
        stream, recruits = dice.at("routed", side), plan.armies[side].recruits(plan.pack, crusade=bool(plan.legate))
        kinds = [unit for unit in recruits if not plan.pack.units[unit].most]
        if kinds and stream.chance(1, 2):
            units = [stream.choice(kinds) for _ in range(between(numbers().routed, stream))]
            found.append(Routed(side, plan.pack.line(units), turn + 1))
    return tuple(found)
