"""Exact odds of shots, charges and responses, and of whole battles and sieges as far as they can be computed.

Odds are fractions; nothing is sampled. The course of a fight is followed from round to round, with equal states
merged. A fight not decided after the last computed round counts as undecided; otherwise the fractions would have
thousands of digits.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from heapq import heappop, heappush
from math import ceil, comb, floor, lcm, prod
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from generator.common.tables import percent
from generator.games.blind_faith import battle
from generator.games.blind_faith.battle import (
    FACE,
    Charge,
    Force,
    Harm,
    Toll,
    Tolls,
    charge_parts,
    summed,
    without,
)
from generator.games.blind_faith.interception import retreats
from generator.games.blind_faith.model import OTHER, Scenario
from generator.games.blind_faith.rounds import (
    ENDINGS,
    Budget,
    Ending,
    Limits,
    Loss,
    Policy,
    Reckoned,
    Round,
    Spread,
    charging,
    drawn_up,
    field_rounds,
    reckoning,
    responded,
)
from generator.games.blind_faith.tables import DIE, ROLES, Fate, Hit, Losses, Pack, Role, UnitLine
from generator.store.write import keep, kept

if TYPE_CHECKING:
    from generator.games.blind_faith.forward import Followed


def bombard(pack: Pack, bombarders: Sequence[str], wall: str) -> Mapping[int, Fraction]:
    """Return the probability of each number of breaches that these units make in such a wall, with one die each."""
    spread = {0: Fraction(1)}
    for unit in bombarders:
        p = Fraction(pack.bombard[pack.units[unit].type, wall].count("breach"), DIE)
        after: defaultdict[int, Fraction] = defaultdict(Fraction)
        for breaches, q in spread.items():
            after[breaches] += q * (1 - p)
            after[breaches + 1] += q * p
        spread = {breaches: q for breaches, q in after.items() if q}
    return spread


def breached(pack: Pack, garrison: UnitLine, breaches: int) -> Toll:
    """Return the losses of a garrison by `breaches` breaches: one unit for each, the cheapest first (policy)."""
    return Toll((), pack.line(sorted(garrison, key=lambda unit: pack.units[unit].points)[:breaches]))


def storm(
    pack: Pack, charges: Sequence[Charge], stormers: UnitLine, garrison: UnitLine, chosen: Mapping[str, str]
) -> Mapping[Tolls, Fraction]:
    """Return the probabilities of losses by a storm and the response; `chosen` has the choice for each ruling.

    Without stormers there is no response.
    """
    after: defaultdict[Tolls, int] = defaultdict(int)
    answers = bool(charges) and chosen["storm_response"] == "field"
    # Merging equal results from the start is necessary, because larger storms would have too many of them.
    harm: Harm = "rout" if chosen["storm_losses"] == "rout" else "table"
    storming = tuple(stormers[c.charger] for c in charges)
    for tolls, p in charge_parts(pack, charges, stormers, garrison, harm=harm).items():
        gone = 0 if chosen["response_count"] == "before" else len(tolls.defender.lost)
        first = without(storming, tolls.attacker.lost)
        for more, q in responded(pack, (len(garrison) - gone) * answers, first, (), harm=harm).items():
            after[summed(pack, tolls, more)] += p * q
    of = DIE ** (len(charges) + 1)
    return {tolls: Fraction(p, of) for tolls, p in after.items()}


def siege_round(pack: Pack, chosen: Mapping[str, str], wall: str, attacker: Policy) -> Round:
    """Return the round of a siege: all units that can bombard do so, the others storm as the policy decides."""

    def bombardment(attackers: UnitLine, garrison: UnitLine) -> Spread:
        guns = [unit for unit in attackers if pack.units[unit].bombards]
        after: defaultdict[Tolls, Fraction] = defaultdict(Fraction)
        for breaches, p in bombard(pack, guns, wall).items():
            after[Tolls(defender=breached(pack, garrison, breaches))] += p
        return after

    def storming(attackers: UnitLine, garrison: UnitLine) -> Spread:
        stormers = tuple(unit for unit in attackers if not pack.units[unit].bombards)
        return storm(pack, charging(pack, attacker, stormers, garrison), stormers, garrison, chosen)

    return Round(pack, bombardment, storming)


State = tuple[Force, Force]
"""The attacker and the defender at the beginning of a round."""


class After(NamedTuple):
    """The situation at the end of a round, including its pursuits."""

    endings: Mapping[Ending, Fraction]
    """The probability of each ending up to then."""
    going: Fraction
    """The probability that both sides still fight."""
    left: tuple[Fraction, Fraction]
    """The mean numbers of units that the attacker and the defender then have."""

    @property
    def missing(self) -> Fraction:
        """The probability of everything not followed so far."""
        return max(Fraction(), 1 - sum(self.endings.values()) - self.going)


class Odds(msgspec.Struct, frozen=True):
    """The odds of a battle or siege: exact, or lower bounds if a part of its course was not followed."""

    after: tuple[After, ...]
    """The situation after each round."""
    lost: Mapping[Loss, Fraction]
    """The mean number of units of each class that a side loses, routed and eliminated."""
    missing: Fraction = Fraction()
    """The probability of everything not followed; the probability of any ending may be larger by this amount."""
    exact: bool = True
    """Whether every number is exact."""

    @property
    def endings(self) -> Mapping[Ending, Fraction]:
        """The probability of each ending; these, the undecided and the missing part add up to 1."""
        return self.after[-1].endings

    @property
    def attacker(self) -> Fraction:
        """The probability, or its lower bound, that the attacker holds the field or takes the place."""
        return wins(self.after[-1])[0]

    @property
    def defender(self) -> Fraction:
        """The probability, or its lower bound, that the defender holds the field or the place."""
        return wins(self.after[-1])[1]

    @property
    def undecided(self) -> Fraction:
        """The probability, or its lower bound, that both sides still fight after the last computed round."""
        return self.after[-1].going

    def losses(self, role: Role, fate: Fate) -> Fraction:
        """Return the mean number of units that a side loses in this way."""
        return sum((mean for (r, f, _), mean in self.lost.items() if (r, f) == (role, fate)), Fraction())


def span_told(chance: Fraction, missing: Fraction) -> str:
    """Return a probability that may be larger by `missing`, in percent: `61`, or `57–63` for over a point."""
    if missing <= Fraction(1, 100):
        return percent(min(Fraction(1), chance + missing / 2))
    return f"{floor(100 * chance)}–{min(100, ceil(100 * (chance + missing)))}"


def wins(after: After) -> tuple[Fraction, Fraction]:
    """Return the probabilities that the attacker and the defender have won by then."""
    won = {ending: after.endings.get(ending, Fraction()) for ending in ENDINGS}
    attacker = won["defender_ruined"] + won["defender_retreats"]
    return attacker, won["attacker_ruined"] + won["attacker_retreats"]


class Course(msgspec.Struct, frozen=True):
    """The way in which rounds follow each other."""

    full: Round
    ends: Callable[[Force, Force], tuple[Ending | None, Round | None]]
    """Returns the ending after a round, if any, and the pursuit that then follows."""
    filled: Callable[[Role, Force], Force]
    """Returns a side prepared for the next round."""
    refilled: bool = False
    """Whether the sides are prepared for a pursuit too."""


def follow(course: Course, attacker: Force, defender: Force, rounds: int, most: Limits) -> Odds:
    """Return the odds of a battle over `rounds` rounds; raises ValueError if it exceeds the limits `most`."""
    nodes = _nodes(course, (attacker, defender), most)
    # Use whole numbers on one scale for all probabilities of a round, so that those after n rounds are on its nth
    # power.
    scale = lcm(*(node.of for node in nodes.values()))
    place: dict[State | Ending, int] = {what: i for i, what in enumerate((*ENDINGS, *nodes))}
    ways = [[(place[to], parts * (scale // node.of)) for to, parts in node.next.items()] for node in nodes.values()]
    first = len(ENDINGS)
    mass = [0] * first + [1] + [0] * (len(nodes) - 1)
    visits, told = [0] * len(nodes), list[After]()
    for number in range(1, rounds + 1):
        visits = [visit * scale + weight for visit, weight in zip(visits, mass[first:], strict=True)]
        after = [ended * scale for ended in mass[:first]] + [0] * len(nodes)
        for weight, way in zip(mass[first:], ways, strict=True):
            if weight:
                for to, parts in way:
                    after[to] += weight * parts
        mass = after
        told.append(_after(nodes, mass, scale**number))
    lost: defaultdict[Loss, Fraction] = defaultdict(Fraction)
    for node, visit in zip(nodes.values(), visits, strict=True):
        for what, mean in node.lost.items():
            lost[what] += Fraction(visit * mean, node.of * scale ** (rounds - 1))
    return Odds(tuple(told), dict(lost))


def _after(nodes: Iterable[State], mass: Sequence[int], of: int) -> After:
    """Return the end of a round, given the weights of the endings and of the states in whole numbers."""
    first = len(ENDINGS)
    going = sum(mass[first:])
    left = [sum(w * side[i].left for side, w in zip(nodes, mass[first:], strict=True) if w) for i in (0, 1)]
    return After(
        {ending: Fraction(mass[i], of) for i, ending in enumerate(ENDINGS)},
        Fraction(going, of),
        (Fraction(left[0], going or 1), Fraction(left[1], going or 1)),
    )


class _Node(NamedTuple):
    """The results of a state after a round and its pursuit, as whole numbers of `of`."""

    of: int
    next: Mapping[State | Ending, int]
    lost: Mapping[Loss, int]


def _nodes(course: Course, start: State, most: Limits) -> dict[State, _Node]:
    """Return every state that may occur, the first one first; raises ValueError if there are too many."""
    nodes: dict[State, _Node] = {}
    waiting, met, ways = [(0, 0, start)], {start}, 0
    while len(met) <= most.states and ways <= most.ways:
        if not waiting:
            return nodes
        # Take the largest states first, because most battles that are too large then fail early.
        *_, state = heappop(waiting)
        nodes[state] = node = _node(course, state)
        ways += len(node.next)
        for to in node.next:
            if not isinstance(to, str) and to not in met:
                heappush(waiting, (-to[0].left - to[1].left, len(met), to))
                met.add(to)
    raise ValueError(f"the battle has more than {most.states} states, or {most.ways} ways from one to another")


def _node(course: Course, state: State) -> _Node:
    attacker, defender = state
    fought = course.full.reckoned((attacker.front, defender.front))
    next_: defaultdict[State | Ending, int] = defaultdict(int)
    pursued: list[tuple[int, Reckoned]] = []
    for (front, enemies), parts in fought.left.items():
        a, d = Force(front, attacker.reserve), Force(enemies, defender.reserve)
        ending, pursuit = course.ends(a, d)
        if not ending or (pursuit and course.refilled):
            a, d = course.filled("attack", a), course.filled("defence", d)
        next_[ending or (a, d)] += parts
        if pursuit:
            pursued.append((parts, pursuit.reckoned((a.front, d.front))))
    scale = lcm(*(after.of for _, after in pursued))
    lost = defaultdict(int, {what: mean * scale for what, mean in fought.lost.items()})
    for parts, after in pursued:
        for what, mean in after.lost.items():
            lost[what] += parts * mean * (scale // after.of)
    return _Node(fought.of * scale, {to: parts * scale for to, parts in next_.items()}, lost)


def fire_chances(pack: Pack, shooter: str, target: str) -> Mapping[Hit, Fraction]:
    """Return the probabilities of one shot, by types."""
    return _of(Counter(pack.fire[shooter, target]))


def bombard_chances(pack: Pack, shooter: str, wall: str) -> Mapping[Hit, Fraction]:
    """Return the probabilities of one bombardment, by the type that fires and the kind of wall."""
    return _of(Counter(pack.bombard[shooter, wall]))


def _of(faces: Counter[Hit]) -> Mapping[Hit, Fraction]:
    return {hit: count * FACE for hit, count in faces.items()}


def response_chances(pack: Pack, defenders: int) -> Mapping[Losses, Fraction]:
    """Return the probabilities of the response of `defenders` units in front."""
    return battle.response(pack, defenders)


def battle_odds(
    pack: Pack,
    attacker: Force,
    defender: Force,
    policies: tuple[Policy, Policy],
    chosen: Mapping[str, str],
    *,
    no_way: Collection[Role] = (),
    rounds: int = 0,
    most: Limits | None = None,
    began: tuple[int, int] | None = None,
    width: int | None = None,
) -> Odds:
    """Return the exact odds of a field battle up to retreat or destruction; the attacker's policy comes first.

    `chosen` has the choice for each ruling. The defender keeps the size of the front, or `width`, if refilling is
    allowed. A side in `no_way` cannot retreat; others retreat by the part left of the units that they `began` with
    (None: their present units). After `rounds` (0: the number in battle.toml) the battle is undecided. Raises
    ValueError if it exceeds `most` (None: the limits in battle.toml).
    """
    fought = field_rounds(pack, chosen, *policies)
    units = began or (attacker.left, defender.left)
    least = {"attack": policies[0].least(units[0]), "defence": policies[1].least(units[1])}
    width = len(defender.front) if width is None else width

    @lru_cache(64)  # Enough for the forces of one siege.
    def filled(role: Role, force: Force) -> Force:
        if role == "defence" and chosen["defender_refill"] == "never":
            return force
        return drawn_up(pack, role, force.reserve, width, force.front)

    def ends(a: Force, d: Force) -> tuple[Ending | None, Round | None]:
        """Return the ending after a round, and the pursuit that follows."""
        if not a.left or not d.left:
            return ("both_ruined" if not d.left else "attacker_ruined") if not a.left else "defender_ruined", None
        if not filled("defence", d).front:
            return "defender_ruined", None
        if a.left < least["attack"] and "attack" not in no_way:
            return "attacker_retreats", fought.defender_pursues
        if d.left < least["defence"] and "defence" not in no_way:
            return "defender_retreats", fought.attacker_pursues
        return None, None

    refilled = chosen["pursuit_front"] == "refilled"
    return follow(
        Course(fought.full, ends, filled, refilled),
        attacker,
        defender,
        rounds or reckoning().rounds,
        most or reckoning().budget.exact,
    )


def siege_odds(
    pack: Pack,
    besiegers: UnitLine,
    garrison: UnitLine,
    wall: str,
    attacker: Policy,
    chosen: Mapping[str, str],
    *,
    rounds: int = 0,
    most: Limits | None = None,
    began: int = 0,
) -> Odds:
    """Return the exact odds of a siege until the garrison is lost or the besieger gives up.

    A garrison never retreats, and there is no pursuit. `wall` is the kind of wall, `chosen` has the choice for each
    ruling, and `began` (0: the present number) is the besieger's number of units at the beginning. `rounds`, `most`
    and ValueError are as in `battle_odds`.
    """
    a, d = Force(pack.line(besiegers)), Force(pack.line(garrison))
    least = attacker.least(began or a.left)

    def ends(a: Force, d: Force) -> tuple[Ending | None, Round | None]:
        if not d.left:
            return "both_ruined" if not a.left else "defender_ruined", None
        if not a.left:
            return "attacker_ruined", None
        return "attacker_retreats" if a.left < least else None, None

    course = Course(siege_round(pack, chosen, wall, attacker), ends, lambda role, force: force)
    return follow(course, a, d, rounds or reckoning().rounds, most or reckoning().budget.exact)


def bearable(
    pack: Pack, policy: Policy, besiegers: UnitLine, garrison: UnitLine, chosen: Mapping[str, str], most: int
) -> None:
    """Raise ValueError if a single storm may have more than `most` results."""
    stormers = pack.line(unit for unit in besiegers if not pack.units[unit].bombards)
    charges = charging(pack, policy, stormers, pack.line(garrison))
    stormed = {c.target for c in charges}
    lost = Counter(stormers[c.charger] for c in charges), Counter(pack.line(garrison)[at] for at in stormed)
    # Of n units of a class some may be routed and some eliminated, and the rest stay.
    fates = 1 if chosen["storm_losses"] == "rout" else 2, 2
    results = prod(comb(n + of, of) for of, counts in zip(fates, lost, strict=True) for n in counts.values())
    if results > most:
        raise ValueError("the storm is too large")


class Fight(msgspec.Struct, frozen=True):
    """A battle, or with a `wall` a siege, before a round."""

    pack: Pack
    attack: Force
    defence: Force
    """In a siege the reserve is empty: the policy selects the units for bombardment and storm."""
    rulings: Mapping[str, str]
    wall: str = ""
    no_way: tuple[Role, ...] = ()
    """The sides that cannot retreat."""
    began: tuple[int, int] = (0, 0)
    """The numbers of units with which the attacker and the defender began, which decide when they retreat."""
    width: int = 0
    """The size of the defender's front at the beginning."""

    def of(self, role: Role) -> Force:
        """Return the force of a side."""
        return self.attack if role == "attack" else self.defence


def fight_of(scenario: Scenario) -> Fight | None:
    """Return the scenario's battle or siege; None before a fight."""
    pack, siege, battle, wall, no_way = scenario.pack, scenario.siege, scenario.battle, "", list[Role]()
    if siege:
        garrison = scenario.stack(siege.garrison).units
        attack, defence, wall = Force(pack.line(scenario.active.units)), Force(pack.line(garrison)), siege.wall
    elif battle:
        attack, defence = battle.attack, battle.defence
        sides = scenario.active.side, OTHER[scenario.active.side]
        no_way = [role for role, side in zip(ROLES, sides, strict=True) if not retreats(scenario, side)]
    else:
        return None
    began = attack.left, defence.left
    return Fight(pack, attack, defence, scenario.rulings, wall, tuple(no_way), began, len(defence.front))


def fight_odds(fight: Fight, plays: tuple[Policy, Policy]) -> Odds:
    """Return a fight's odds: exact if it is small, otherwise lower bounds; the attacker's policy comes first.

    The budget of battle.toml applies.
    """
    odds = odds_within(fight, plays, reckoning().budget, lambda: False)
    assert odds
    return odds


def odds_within(
    fight: Fight, plays: tuple[Policy, Policy], within: Budget, stopped: Callable[[], bool]
) -> Odds | None:
    """Return a fight's odds within a budget; None if `stopped` returned True on the way.

    Results that took long are in the user's cache, by the content of the fight; those in the cache are lower bounds.
    """
    name = _named(fight, plays, within)
    if name not in _known:
        odds = _kept(name) or _exact(fight, plays, within) or _bounds(fight, plays, within, name, stopped)
        if odds is None:
            return None
        while len(_known) >= REMEMBERED:
            del _known[next(iter(_known))]
        _known[name] = odds
    return _known[name]


REMEMBERED = 64
_known: dict[str, Odds] = {}
"""Cached odds by content, the oldest first: a kit, its certificate and the effects of rulings need the same ones."""
REVISION = 2
"""Revision of the cache's contents; change it if the same content would give other numbers."""
FILES = 400
"""Maximum number of results in the cache, of about 10 kB each."""
FURTHER = (1, 4, 16)
"""Factors by which the budget is increased in turn, until no more is missing than `wide` of the budget."""
LONG = 1000
"""Number of states from which a fight is worth caching: it takes a tenth of a second."""


def _named(fight: Fight, plays: tuple[Policy, Policy], within: Budget) -> str:
    """Return a name for everything that the odds depend on."""
    pack = fight.pack
    lines = [(f.front, f.reserve) for f in (fight.attack, fight.defence)]
    units = [pack.units[u] for u in dict.fromkeys(u for front, reserve in lines for u in (*front, *reserve))]
    values = [(u.id, u.type, u.drm, u.points, u.fires, u.each_box, u.bombards) for u in units]
    # The rulings for sieges do not affect battles, nor those for battles sieges.
    asked = sorted(SIEGE_RULINGS if fight.wall else RULINGS)
    chosen = [(switch, fight.rulings[switch]) for switch in asked if switch in fight.rulings]
    played = [(p.aim, p.charge, p.lost) for p in plays[: 1 if fight.wall else 2]]
    tables = [sorted(pack.fire.items()), sorted(pack.bombard.items()), pack.charge, pack.response, pack.boxes]
    whole = [REVISION, list(pack.units), values, tables, lines, chosen, played, fight.wall, fight.no_way]
    return sha256(repr([*whole, fight.began, fight.width, within, reckoning().rounds]).encode()).hexdigest()[:32]


RULINGS = ("response_count", "defender_refill", "pursuit", "pursuit_front")
SIEGE_RULINGS = ("response_count", "storm_losses", "storm_response")
"""The rulings that the odds of a battle and of a siege depend on."""


def _exact(fight: Fight, plays: tuple[Policy, Policy], within: Budget) -> Odds | None:
    """Return the exact odds; None if the fight is too large."""
    pack, chosen = fight.pack, fight.rulings
    try:
        if fight.wall:
            lines = fight.attack.front, fight.defence.front
            bearable(pack, plays[0], *lines, chosen, within.storm)
            return siege_odds(pack, *lines, fight.wall, plays[0], chosen, most=within.exact, began=fight.began[0])
        return battle_odds(
            pack,
            fight.attack,
            fight.defence,
            plays,
            chosen,
            no_way=fight.no_way,
            most=within.exact,
            began=fight.began,
            width=fight.width,
        )
    except ValueError:
        return None


def _kept(name: str) -> Odds | None:
    """Return the lower bounds in the cache, if any."""
    if not (there := kept("odds", f"{name}.json")):
        return None
    from generator.games.blind_faith import forward

    with suppress(msgspec.DecodeError):
        return _from_below(msgspec.json.decode(there, type=forward.Followed))
    return None


def _bounds(
    fight: Fight, plays: tuple[Policy, Policy], within: Budget, name: str, stopped: Callable[[], bool]
) -> Odds | None:
    """Return lower bounds of the odds; None if the computation was stopped."""
    # Import this module only here, because it loads NumPy, which takes a tenth of a second.
    from generator.games.blind_faith import forward

    sides = [
        forward.Opponent(fight.of(role), policy, role in fight.no_way, began)
        for role, policy, began in zip(ROLES, plays, fight.began, strict=True)
    ]
    course = forward.Forward(fight.pack, sides[0], sides[1], fight.rulings, fight.wall, fight.width)
    for more in map(within.times, FURTHER):
        found = course.followed(reckoning().rounds, more.states, float(Fraction(more.least)), stopped)
        odds = _from_below(found) if found else None
        if odds is None or odds.missing <= Fraction(within.wide):
            break
    if found and found.states >= LONG:
        keep("odds", f"{name}.json", msgspec.json.encode(found), FILES)
    return odds


def _from_below(found: Followed) -> Odds:
    after = tuple(
        After(
            {e: Fraction(p) for e, p in one.endings.items()},
            Fraction(one.going),
            (Fraction(one.left[0]), Fraction(one.left[1])),
        )
        for one in found.after
    )
    lost = {(role, fate, unit): Fraction(mean) for role, fate, unit, mean in found.lost}
    return Odds(after, lost, max(one.missing for one in after), exact=False)
