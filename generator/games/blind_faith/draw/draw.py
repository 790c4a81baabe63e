"""The draw of a Blind Faith scenario: what is played and with what, then scenes until one comes to something."""

from __future__ import annotations

from dataclasses import replace

from generator import __version__
from generator.draw.streams import Streams
from generator.errors import NothingLegalError, Problem, WrongUsageError
from generator.games.blind_faith.account import account
from generator.games.blind_faith.draw.dice import Dice
from generator.games.blind_faith.draw.raising import between, raised
from generator.games.blind_faith.draw.scene import Plan, scene
from generator.games.blind_faith.forces.units import SIDES, Line, Side
from generator.games.blind_faith.numbers import Army, play
from generator.games.blind_faith.scenario import KINDS, Kind, Routed, Scenario
from generator.games.blind_faith.wishes import Setting
from generator.games.blind_faith.words import place_near, words
from generator.games.logs import Step
from generator.model.scenario import Order, Origin

STREAMS = "v1/blind_faith"
TRIES = 300


def draw(order: Order) -> Scenario:
    """A whole scenario."""
    setting = Setting.of(order)
    dice = Dice(Streams(order.code, STREAMS), order.wishes)
    plan = _plan(setting, dice)
    for attempt in range(TRIES):
        own = dice.under(f"scene/{attempt}")
        if found := scene(plan, own):
            break
    else:
        hint = "wish for another map, other armies or other points"
        raise NothingLegalError(Problem(f"no {plan.kind} was found on this map with these armies", hint=hint))
    turn = int(dice.one_of("turn", tuple(str(n) for n in range(1, play().turns + 1))))
    title = words()["title"][plan.kind].fill(place=place_near(plan.land, found.focus))
    scenario = Scenario(
        origin=Origin("blind_faith", order.code, __version__, dict(order.wishes), setting.files),
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
    points = int(dice.one_of("points", tuple(map(str, play().drawn.numbers))))
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
        armies=armies,
        units={},
        legate=legate,
        pile=tuple(name for name in pile if name != legate),
    )
    return replace(plan, units={side: _units(plan, side, dice) for side in SIDES})


def _kind(dice: Dice, places: bool) -> Kind:
    """What is played; a siege only where there is something to besiege."""
    open_ = tuple(kind for kind in KINDS if places or kind != "siege")
    wished = dice.one_of("kind", open_)
    if wished not in open_:
        raise WrongUsageError(
            Problem("a siege needs a town, city or castle that can be entered", hint="take another map")
        )
    return next(kind for kind in KINDS if kind == wished)


def _army(kind: Kind, side: Side, dice: Dice) -> Army:
    armies = play().armies
    open_ = tuple(army.id for army in armies.values() if army.side == side and kind in army.kinds)
    return armies[dice.one_of("army", open_, side)]


def _units(plan: Plan, side: Side, dice: Dice) -> Line:
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
            units = [stream.choice(kinds) for _ in range(between(play().routed, stream))]
            found.append(Routed(side, plan.pack.line(units), turn + 1))
    return tuple(found)
