"""Compute the odds of a battle or siege, either exactly or, if that takes too long, as bounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from fractions import Fraction
from hashlib import sha256
from math import comb, prod
from typing import TYPE_CHECKING

import msgspec

from generator.errors import WrongUsageError
from generator.games.blind_faith.battle import (
    Force,
)
from generator.games.blind_faith.exact_odds import After, Odds, battle_odds, siege_odds
from generator.games.blind_faith.interception import retreats
from generator.games.blind_faith.model import OTHER, Scenario
from generator.games.blind_faith.rounds import (
    Budget,
    Policy,
    charging,
    odds_settings,
)
from generator.games.blind_faith.siege import Boxes, placed, storming
from generator.games.blind_faith.tables import ROLES, Pack, Role, UnitLine
from generator.localization import tr
from generator.store.write import read_from_cache, write_to_cache

if TYPE_CHECKING:
    from generator.games.blind_faith.forward import Followed


def bearable(
    pack: Pack,
    policy: Policy,
    besiegers: UnitLine,
    garrison: UnitLine,
    wall: str,
    boxes: Boxes | None,
    chosen: Mapping[str, str],
    max_results: int,
) -> None:
    """Check that a storm cannot have too many results for an exact computation.

    Raises:
        ValueError: If it may have more than `max_results` results.
    """
    _, stormers = placed(pack, policy, wall, pack.line(besiegers), boxes)
    charges = charging(pack, storming(policy, boxes), stormers, pack.line(garrison))
    stormed = {c.target for c in charges}
    lost = Counter(stormers[c.charger] for c in charges), Counter(pack.line(garrison)[at] for at in stormed)
    # The units of a class are indistinguishable, so only the number with each fate matters.
    fates = 1 if chosen["storm_losses"] == "rout" else 2, 2
    results = prod(comb(n + of, of) for of, counts in zip(fates, lost, strict=True) for n in counts.values())
    if results > max_results:
        raise ValueError("the storm is too large")


class Fight(msgspec.Struct, frozen=True):
    """A battle, or a siege if there is a `wall`, at the beginning of a round."""

    pack: Pack
    attack: Force
    defence: Force
    """The defender's units. A garrison has no reserve."""
    rulings: Mapping[str, str]
    wall: str = ""
    no_way: tuple[Role, ...] = ()
    """The sides that cannot retreat."""
    began: tuple[int, int] = (0, 0)
    """The initial numbers of units of the attacker and the defender, which determine when they retreat."""
    width: int = 0
    """The initial size of the defender's front."""
    boxes: Boxes | None = None
    """The boxes of the besieger's units in the first round, or None in a battle or if they are not chosen yet."""

    def of(self, role: Role) -> Force:
        """Return the force of a side."""
        return self.attack if role == "attack" else self.defence


def fight_of(scenario: Scenario) -> Fight | None:
    """Return the fight in a scenario, or None if there is no battle or siege yet."""
    pack, siege, battle, wall, no_way = scenario.pack, scenario.siege, scenario.battle, "", list[Role]()
    boxes: Boxes | None = None
    if siege:
        garrison = scenario.stack(siege.garrison).units
        attack, defence, wall = Force(pack.line(scenario.active.units)), Force(pack.line(garrison)), siege.wall
        if siege.bombard or siege.storm:
            boxes = Boxes(pack.line(siege.bombard), pack.line(siege.storm), pack.line(siege.reserve))
    elif battle:
        attack, defence = battle.attack, battle.defence
        sides = scenario.active.side, OTHER[scenario.active.side]
        no_way = [role for role, side in zip(ROLES, sides, strict=True) if not retreats(scenario, side)]
    else:
        return None
    began = attack.left, defence.left
    return Fight(pack, attack, defence, scenario.rulings, wall, tuple(no_way), began, len(defence.front), boxes)


def no_fight(scenario: Scenario) -> WrongUsageError:
    """Return the error for a scenario without a fight, with a hint on how to get one."""
    if scenario.kind == "position":
        hint = tr("to fight a battle, add [march] and [battle] to the file; to fight a siege, add [siege]")
    else:
        hint = tr("a march has no odds until it is intercepted")
    return WrongUsageError(tr("this scenario has no fight yet"), hint=hint)


def fight_odds(fight: Fight, plays: tuple[Policy, Policy]) -> Odds:
    """Return the odds of a fight with the budget of battle.toml.

    `plays` are the attacker's and the defender's policies.

    The odds are exact if the fight is small, and lower bounds otherwise.
    """
    return computed(fight, plays, odds_settings().budget)


def computed(fight: Fight, plays: tuple[Policy, Policy], within: Budget) -> Odds:
    """Return the odds of a fight within a budget. `plays` are the attacker's and the defender's policies."""
    odds = odds_within(fight, plays, within, lambda: False)
    assert odds
    return odds


def odds_within(
    fight: Fight, plays: tuple[Policy, Policy], within: Budget, stopped: Callable[[], bool]
) -> Odds | None:
    """Return the odds of a fight within a budget, or None if `stopped` has returned True.

    Results that took long are stored in the user's cache under a hash of the fight. They are lower bounds.
    """
    name = _hash(fight, plays, within)
    if name not in _known:
        odds = _kept(name) or _exact(fight, plays, within) or _bounds(fight, plays, within, name, stopped)
        if odds is None:
            return None
        while len(_known) >= REMEMBERED:
            del _known[next(iter(_known))]
        _known[name] = odds
    return _known[name]


REMEMBERED = 256
_known: dict[str, Odds] = {}
"""Cached odds by content, the oldest first. A kit, its certificate and the effects of rulings need the same odds."""
REVISION = 3
"""Revision of the cache. Change it whenever the same fight would give different numbers."""
FILES = 400
"""Maximum number of results in the cache. A result has about 10 kB."""
LONG = 1000
"""Minimum number of states for a result to be cached. Computing these takes about a tenth of a second."""


def _hash(fight: Fight, plays: tuple[Policy, Policy], within: Budget) -> str:
    """Return a hash of everything that the odds depend on."""
    pack = fight.pack
    lines = [(f.front, f.reserve) for f in (fight.attack, fight.defence)]
    units = [pack.units[u] for u in dict.fromkeys(u for front, reserve in lines for u in (*front, *reserve))]
    values = [(u.id, u.type, u.drm, u.points, u.fires, u.each_box, u.bombards) for u in units]
    # The rulings for sieges do not affect battles, and the rulings for battles do not affect sieges.
    relevant = sorted(SIEGE_RULINGS if fight.wall else RULINGS)
    chosen = [(switch, fight.rulings[switch]) for switch in relevant if switch in fight.rulings]
    played = [(p.aim, p.charge, p.siege, p.lost, p.older) for p in plays[: 1 if fight.wall else 2]]
    tables = [sorted(pack.fire.items()), sorted(pack.bombard.items()), pack.charge, pack.response, pack.boxes]
    whole = [REVISION, list(pack.units), values, tables, lines, chosen, played, fight.wall, fight.no_way]
    return sha256(
        repr([*whole, fight.boxes, fight.began, fight.width, within, odds_settings().rounds]).encode()
    ).hexdigest()[:32]


RULINGS = ("response_count", "defender_refill", "pursuit", "pursuit_front")
SIEGE_RULINGS = ("response_count", "storm_losses", "storm_response")
"""The rulings that affect the odds of a siege."""


def _exact(fight: Fight, plays: tuple[Policy, Policy], within: Budget) -> Odds | None:
    """Return the exact odds, or None if the fight is too large."""
    pack, chosen = fight.pack, fight.rulings
    if within.conceivable:
        sides = (Counter((*force.front, *force.reserve)) for force in (fight.attack, fight.defence))
        if prod(n + 1 for counts in sides for n in counts.values()) > within.conceivable:
            return None
    try:
        if fight.wall:
            lines = fight.attack.front, fight.defence.front
            for boxes in dict.fromkeys((fight.boxes, fight.boxes if fight.boxes and fight.boxes.keep else None)):
                bearable(pack, plays[0], *lines, fight.wall, boxes, chosen, within.storm)
            began = fight.began[0]
            return siege_odds(
                pack, *lines, fight.wall, plays[0], chosen, limits=within.exact, began=began, boxes=fight.boxes
            )
        return battle_odds(
            pack,
            fight.attack,
            fight.defence,
            plays,
            chosen,
            no_way=fight.no_way,
            limits=within.exact,
            began=fight.began,
            width=fight.width,
        )
    except ValueError:
        return None


def _kept(name: str) -> Odds | None:
    """Return the lower bounds stored in the cache, or None."""
    if not (there := read_from_cache("odds", f"{name}.json")):
        return None
    from generator.games.blind_faith import forward

    with suppress(msgspec.DecodeError):
        return _from_below(msgspec.json.decode(there, type=forward.Followed))
    return None


def _bounds(
    fight: Fight, plays: tuple[Policy, Policy], within: Budget, name: str, stopped: Callable[[], bool]
) -> Odds | None:
    """Return lower bounds of the odds, or shares of simulated sieges, or None if the computation was stopped."""
    if fight.wall and not plays[0].older:
        return _sampled(fight, plays[0], within)
    # Import the module here, because it loads NumPy, which takes a tenth of a second.
    from generator.games.blind_faith import forward

    sides = [
        forward.Opponent(fight.of(role), policy, role in fight.no_way, began)
        for role, policy, began in zip(ROLES, plays, fight.began, strict=True)
    ]
    course = forward.Forward(fight.pack, sides[0], sides[1], fight.rulings, fight.wall, fight.width)
    for more in map(within.times, within.further):
        found = course.followed(odds_settings().rounds, more.states, float(Fraction(more.min_probability)), stopped)
        odds = _from_below(found) if found else None
        if odds is None or odds.missing <= Fraction(within.wide):
            break
    if found and found.states >= LONG:
        write_to_cache("odds", f"{name}.json", msgspec.json.encode(found), FILES)
    return odds


def _sampled(fight: Fight, policy: Policy, within: Budget) -> Odds:
    """Return the odds of a siege as shares of simulated sieges."""
    # Import the module here, because it loads NumPy, which takes a tenth of a second.
    from generator.games.blind_faith.sampling import sampled_siege

    return sampled_siege(
        fight.pack,
        fight.attack.front,
        fight.defence.front,
        fight.wall,
        policy,
        fight.rulings,
        rounds=odds_settings().rounds,
        games=within.games,
        began=fight.began[0],
        boxes=fight.boxes,
    )


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
