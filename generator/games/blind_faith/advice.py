"""Describe the odds of a fight: who wins, round by round, and what to do now."""

from __future__ import annotations

import re
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from generator.common.game import OddsReport
from generator.common.tables import NEVER, percent
from generator.errors import WrongUsageError, near
from generator.games.blind_faith.battle import Force, front_size
from generator.games.blind_faith.exact_odds import Odds, bombard_chances, fire_chances, span_told, wins
from generator.games.blind_faith.ground import side_name, units_told, words
from generator.games.blind_faith.model import OTHER, Scenario
from generator.games.blind_faith.odds import Fight, fight_of, odds_within
from generator.games.blind_faith.rounds import Policy, aimed, charging, falls, field_rounds, policies, reckoning
from generator.games.blind_faith.tables import FATES, ROLES, Fate, Pack, Role, UnitLine
from generator.localization import tr
from generator.model.words import Words, joined

Plays = tuple[Policy, Policy]
Rule = Literal["best", "leave", "stay", "shoot", "charge", "column"]
CLOSE = Fraction(1, 100)
"""Bounds that are so near need no more time."""
MATTERS = Fraction(1, 20)
"""By so much must chances differ to be worth a word."""


_COUNTED = re.compile(r"(?:(?P<before>[0-9]{1,3})\s*)?(?P<name>[^0-9×]+?)(?:\s*×\s*(?P<after>[0-9]{1,3}))?")
"""`2 knights`, or as it is told: `Knights ×2`."""


class Advice(NamedTuple):
    """What a side should do now, and by which rule of ours."""

    role: Role
    rule: Rule
    text: Words


class Moves(NamedTuple):
    """What a policy does in the round to come: by class, at which class, how often."""

    role: Role
    policy: Policy
    shots: Mapping[tuple[str, str], int]
    charges: Mapping[tuple[str, str], int]
    bombards: Mapping[str, int]


class Answer(Struct, frozen=True):
    """All that is told of a fight; a sheet needs nothing else."""

    fight: Fight
    names: Mapping[Role, Words]
    """The sides."""
    table: Mapping[Plays, Odds]
    """Policies against each other, the attacker's first; of a siege the besieger's alone, twice. The first pair is
    what the headline and the rounds are of."""
    moves: tuple[Moves, ...]
    leaving: Mapping[Role, Fraction | None]
    """How many units it costs a side on average to retreat now; None where it cannot."""

    @property
    def plays(self) -> Plays:
        """Of whom the headline is."""
        return next(iter(self.table))

    @property
    def odds(self) -> Odds:
        """The headline's odds; `odds.after` are the rounds."""
        return self.table[self.plays]

    @property
    def rounds(self) -> int:
        """How many rounds are worth telling: until nearly every fight is over."""
        left = [n for n, after in enumerate(self.odds.after, 1) if after.going > CLOSE / 2]
        return min(len(self.odds.after), (left[-1] if left else 0) + 1)

    @property
    def headline(self) -> Words:
        """Who wins how often."""
        siege, odds = bool(self.fight.wall), self.odds
        first = odds.attacker >= odds.defender
        told = _said(odds, "attack" if first else "defence")
        key = ("takes" if first else "holds") if siege else "field"
        beyond = {">": "more_than", "<": "less_than"}.get(told[0])
        n = words()["advice"][beyond].fill(n=told[1:]) if beyond else told
        return words()["advice"][key].fill(side=self.names["attack" if first else "defence"], n=n)

    @property
    def advice(self) -> tuple[Advice, ...]:
        """What to do now, the attacker first."""
        return tuple(one for role in ROLES for one in _advice(self, role))

    def told(self, role: Role) -> list[Words]:
        """What a side should know now: what to do, and what a retreat would cost where that says nothing of it."""
        own = [one for one in self.advice if one.role == role]
        cost, said = self.leaving[role], any(one.rule in ("leave", "stay") for one in own)
        costly = [words()["advice"]["leaving"].fill(n=mean(cost))] if cost and not said else []
        return [*(one.text for one in own), *costly]

    def played(self, plays: Plays) -> Words:
        """Who plays how; a garrison has no choice."""
        if self.fight.wall:
            return plays[0].name
        return words()["odds"]["plays"].fill(attacker=plays[0].name, defender=plays[1].name)


def answer(scenario: Scenario, now: str = "", wait: float = 0) -> Answer:
    """The odds of the scenario's fight, as it begins or as a display stands `now`.

    With `wait` more of it is followed than a kit does, for so many seconds. WrongUsageError where nobody fights, or
    the display cannot be of this fight.
    """
    fight = fight_of(scenario)
    if not fight:
        raise WrongUsageError(tr("there is no fight yet"), hint=tr("a march has no odds until it is intercepted"))
    fight = _standing(fight, now) if now else fight
    sides = scenario.active.side, OTHER[scenario.active.side]
    return Answer(
        fight,
        {role: side_name(side) for role, side in zip(ROLES, sides, strict=True)},
        _table(fight, wait),
        tuple(_moves(fight)),
        {role: _leaving(fight, role) for role in ROLES},
    )


def _table(fight: Fight, wait: float) -> dict[Plays, Odds]:
    """The stated policies; what is not known closely is followed farther, as long as there is time."""
    own, other = (list(_choices(fight, role)) for role in ROLES)
    pairs = [(a, d) for a in own for d in other] if not fight.wall else [(a, a) for a in own]
    until, factor = time.monotonic() + wait, 1
    found: dict[Plays, Odds] = {}
    while True:
        for plays in pairs:
            if plays in found and found[plays].missing <= CLOSE:
                continue
            late: Callable[[], bool] = (lambda: False) if factor == 1 else (lambda: time.monotonic() > until)
            if odds := odds_within(fight, plays, reckoning().budget.times(factor), late):
                found[plays] = odds
        if time.monotonic() > until or all(odds.missing <= CLOSE for odds in found.values()):
            return found
        factor *= 4


def _choices(fight: Fight, role: Role) -> Iterator[Policy]:
    """The policies that a side may choose from; without a gun that may breach the wall somebody has to storm."""
    pack = fight.pack
    guns = (unit for unit in fight.attack.front if fight.wall and pack.units[unit].bombards)
    waits = not fight.wall or any(bombard_chances(pack, pack.units[u].type, fight.wall).get("breach") for u in guns)
    for policy in (policies()[name] for name in reckoning().advised[role]):
        if waits or policy.charge != "none":
            yield policy


def _standing(fight: Fight, now: str) -> Fight:
    """The fight as a display stands: `2 knights, gun + 3 knights : tabor`, fronts before reserves."""
    sides = unicodedata.normalize("NFKC", now).split(":")
    if len(sides) != len(ROLES):
        hint = tr("such as {example}", example="2 knights, sigismund + 3 crusader_foot : 4 tabor + 2 hussite_foot")
        raise WrongUsageError(tr("--now: write the attacker and the defender, separated by :"), hint=hint)
    attack, defence = (_force(fight, role, text) for role, text in zip(ROLES, sides, strict=True))
    if not fight.wall and len(attack.front) != front_size(fight.pack, attack.left):
        wanted = front_size(fight.pack, attack.left)
        raise WrongUsageError(tr("--now: the attacker fills {n} boxes of the front", n=wanted))
    return replace(fight, attack=attack, defence=defence)


def _force(fight: Fight, role: Role, text: str) -> Force:
    lines = [_units(fight.pack, part) for part in text.split("+")]
    began = fight.of(role)
    there = Counter((*began.front, *began.reserve))
    if len(lines) > (1 if fight.wall else 2):
        raise WrongUsageError(tr("--now: at most one + for each side, and not in a siege"))
    if not any(lines):
        raise WrongUsageError(tr("--now: one side has no units"))
    for unit, count in Counter(unit for line in lines for unit in line).items():
        if count > there[unit]:
            few = tr("--now: {count} {unit}, but there were only {n}", count=count, unit=unit, n=there[unit])
            raise WrongUsageError(few)
    return Force(*lines)


def _units(pack: Pack, text: str) -> UnitLine:
    """`2 knights, tabor`: classes by id or by name."""
    names = {
        name.casefold(): unit.id for unit in pack.units.values() for name in (unit.id, unit.name.en, unit.name.ja)
    }
    found: list[str] = []
    for part in filter(None, (part.strip() for part in text.replace("、", ",").split(","))):
        typed = _COUNTED.fullmatch(part)
        name = (typed["name"] if typed else part).strip()
        unit = names.get(name.casefold())
        if unit is None or typed is None:
            raise WrongUsageError(tr("--now: there is no unit {text!r}", text=part), hint=near(name, pack.units))
        found += [unit] * int(typed["before"] or typed["after"] or 1)
    return pack.line(found)


def _moves(fight: Fight) -> Iterator[Moves]:
    """What every policy of the table does now; a garrison only answers."""
    pack = fight.pack
    for role in ROLES if not fight.wall else ROLES[:1]:
        own, enemy = fight.of(role).front, fight.of("defence" if role == "attack" else "attack").front
        guns = [unit for unit in own if fight.wall and pack.units[unit].bombards]
        own = tuple(unit for unit in own if unit not in guns)
        for policy in _choices(fight, role):
            fired = () if fight.wall else aimed(pack, policy, role, own, enemy)
            charged = charging(pack, policy, own, enemy) if role == "attack" else ()
            shots = Counter((shot.shooter, enemy[shot.target]) for shot in fired)
            charges = Counter((own[c.charger], enemy[c.target]) for c in charged)
            yield Moves(role, policy, shots, charges, Counter(guns))


def _leaving(fight: Fight, role: Role) -> Fraction | None:
    """What the pursuit costs whoever retreats now; a besieger just leaves."""
    if role in fight.no_way or (fight.wall and role == "defence"):
        return None
    if fight.wall:
        return Fraction()
    own, other = (policies()[reckoning().advised[one][0]] for one in ROLES)
    rounds = field_rounds(fight.pack, fight.rulings, own, other)
    pursuit = rounds.defender_pursues if role == "attack" else rounds.attacker_pursues
    found = pursuit.reckoned((fight.attack.front, fight.defence.front))
    return Fraction(sum(mean for (who, _, _), mean in found.lost.items() if who == role), found.of)


def _wins(odds: Odds, role: Role) -> Fraction:
    return odds.attacker if role == "attack" else odds.defender


def _said(odds: Odds, role: Role) -> str:
    """The chance within a sentence, where a dash would be none."""
    told = span_told(_wins(odds, role), odds.missing)
    return "0" if told == NEVER else told


def _own(answer_: Answer, role: Role) -> dict[Policy, Odds]:
    """What a side's own policies come to against the one of the headline."""
    at = ROLES.index(role)
    against = answer_.plays[1 - at]
    alone = bool(answer_.fight.wall)
    return {p[at]: odds for p, odds in answer_.table.items() if alone or p[1 - at] == against}


def _advice(of: Answer, role: Role) -> Iterator[Advice]:
    """The rules, each of which says something where its numbers are worth a word."""
    tell, fight = words()["advice"], of.fight
    own = _own(of, role) if role == "attack" or not fight.wall else {}
    if own:
        best = max(own, key=lambda policy: _wins(own[policy], role))
        worst = min(own, key=lambda policy: _wins(own[policy], role))
        high, low = _wins(own[best], role), _wins(own[worst], role) + own[worst].missing
        values = {
            "policy": best.name,
            "p": _said(own[best], role),
            "other": worst.name,
            "q": _said(own[worst], role),
        }
        if high - low >= MATTERS:
            yield Advice(role, "best", tell["best"].fill(**values))
        cost = of.leaving[role]
        if cost is not None and high + own[best].missing < Fraction(1, 5):
            yield Advice(role, "leave", tell["leave"].fill(n=mean(cost), **values))
        elif cost is not None and cost >= 1 and high >= Fraction(1, 2):
            yield Advice(role, "stay", tell["stay"].fill(n=mean(cost), **values))
    yield from _shooting(of, role)
    if role == "attack":
        yield from _charging(of)
    else:
        yield from _column(of)


def _shooting(of: Answer, role: Role) -> Iterator[Advice]:
    """At whom to fire: the class that is likeliest to fall, where others are less so."""
    pack, fight = of.fight.pack, of.fight
    enemies = dict.fromkeys(fight.of("defence" if role == "attack" else "attack").front)
    for shooter in dict.fromkeys(fight.of(role).front) if not fight.wall else ():
        unit = pack.units[shooter]
        if role not in unit.fires or (unit.each_box and role == "defence"):
            continue
        chances = {e: 1 - fire_chances(pack, unit.type, pack.units[e].type).get("none", Fraction()) for e in enemies}
        best, least = max(chances, key=chances.__getitem__), min(chances.values())
        if chances[best] - least >= MATTERS:
            told = {
                "unit": unit.name,
                "target": pack.units[best].name,
                "p": percent(chances[best]),
                "q": percent(least) if least else "0",
            }
            yield Advice(role, "shoot", words()["advice"]["shoot"].fill(**told))


def _charging(of: Answer) -> Iterator[Advice]:
    """Which charge pays best, if any does."""
    pack, fight = of.fight.pack, of.fight
    front = [u for u in fight.attack.front if not (fight.wall and pack.units[u].bombards)]
    pairs = [(u, e) for u in dict.fromkeys(front) for e in dict.fromkeys(fight.defence.front)]
    if pairs:
        unit, enemy = max(pairs, key=lambda pair: falls(pack, *pair)[0] - falls(pack, *pair)[1])
        harm, risk = falls(pack, unit, enemy)
        told = {
            "unit": pack.units[unit].name,
            "target": pack.units[enemy].name,
            "p": percent(harm),
            "q": percent(risk),
        }
        yield Advice("attack", "charge", words()["advice"]["charge" if harm >= risk else "no_charge"].fill(**told))


def _column(of: Answer) -> Iterator[Advice]:
    """How many units to keep in front: what a response costs in this column, and in the one below."""
    fight, response = of.fight, of.fight.pack.response
    units = len(fight.defence.front)
    starts = [column.start for column in response.columns]
    here = response.column(units)[0] if units else 0
    if here and fight.rulings["defender_refill"] != "never" and (not fight.wall):
        counts = (starts[here], starts[here] - 1)
        costs = [Fraction(sum(sum(response.at(n, face)) for face in range(1, 7)), 6) for n in counts]
        told = {"n": starts[here], "p": mean(costs[0]), "q": mean(costs[1])}
        yield Advice("defence", "column", words()["advice"]["column"].fill(**told))


def mean(value: Fraction) -> str:
    """An average to one place; nothing is rounded to none."""
    tenths = int(value * 10 + Fraction(1, 2))
    if value and not tenths:
        return "<0.1"
    return f"{tenths // 10}.{tenths % 10}"


def told(scenario: Scenario, now: str, wait: float) -> OddsReport:
    """The answer for `muster odds`: as plain values (docs/json.md), and line by line."""
    of = answer(scenario, now, wait)
    return OddsReport(_rows(of), tuple(_lines(of)))


def _span(chance: Fraction, missing: Fraction) -> list[float]:
    return [round(float(chance), 6), round(float(chance + missing), 6)]


def _rows(of: Answer) -> dict[str, object]:
    fight = of.fight
    lost: tuple[Fate, ...] = FATES[1:]

    def counted(line: UnitLine) -> dict[str, int]:
        return dict(Counter(line))

    def moved(pairs: Mapping[tuple[str, str], int]) -> list[dict[str, object]]:
        return [{"unit": unit, "at": at, "n": n} for (unit, at), n in pairs.items()]

    table = []
    for plays, odds in of.table.items():
        rounds = [
            {
                "round": number,
                "attacker": _span(wins(after)[0], after.missing),
                "defender": _span(wins(after)[1], after.missing),
                "going": _span(after.going, after.missing),
                "left": [round(float(n), 3) for n in after.left],
            }
            for number, after in enumerate(odds.after, 1)
        ]
        table.append(
            {
                "attacker_plays": plays[0].id,
                "defender_plays": None if fight.wall else plays[1].id,
                "exact": odds.exact,
                "attacker": _span(odds.attacker, odds.missing),
                "defender": _span(odds.defender, odds.missing),
                "open": _span(odds.undecided, odds.missing),
                "lost": {r: {fate: round(float(odds.losses(r, fate)), 3) for fate in lost} for r in ROLES},
                "rounds": rounds,
            }
        )
    return {
        "siege": bool(fight.wall),
        "sides": [
            {
                "role": role,
                "name": of.names[role],
                "front": counted(fight.of(role).front),
                "reserve": counted(fight.of(role).reserve),
                "began": fight.began[i],
                "leaving": None if (cost := of.leaving[role]) is None else round(float(cost), 3),
            }
            for i, role in enumerate(ROLES)
        ],
        "headline": of.headline,
        "table": table,
        "moves": [
            {
                "role": m.role,
                "policy": m.policy.id,
                "bombards": dict(m.bombards),
                "shots": moved(m.shots),
                "charges": moved(m.charges),
            }
            for m in of.moves
        ],
        "advice": [{"role": one.role, "rule": one.rule, "text": one.text} for one in of.advice],
    }


def _lines(of: Answer) -> Iterator[Words]:
    tell, pack = words()["advice"], of.fight.pack
    yield of.headline
    for role in ROLES:
        force = of.fight.of(role)
        units = units_told(pack, pack.line((*force.front, *force.reserve)))
        yield tell["side"].fill(side=of.names[role], role=tell[role], units=units)
    yield tell["table"]
    for plays, odds in of.table.items():
        yield tell["row"].fill(
            plays=of.played(plays),
            a=span_told(odds.attacker, odds.missing),
            d=span_told(odds.defender, odds.missing),
            open=span_told(odds.undecided, odds.missing),
            lost_a=mean(odds.losses("attack", "rout") + odds.losses("attack", "eliminate")),
            lost_d=mean(odds.losses("defence", "rout") + odds.losses("defence", "eliminate")),
        )
    yield tell["rounds"]
    for number, after in enumerate(of.odds.after[: of.rounds], 1):
        a, d = wins(after)
        left = [mean(n) if after.going else "–" for n in after.left]
        spans = [span_told(chance, after.missing) for chance in (a, after.going, d)]
        yield tell["round"].fill(n=number, a=spans[0], going=spans[1], d=spans[2], left_a=left[0], left_d=left[1])
    yield tell["moves"]
    for moves in of.moves:
        done = [
            tell[kind].fill(n=n, unit=pack.units[unit].name, target=pack.units[at].name)
            for kind, pairs in (("shot", moves.shots), ("charged", moves.charges))
            for (unit, at), n in pairs.items()
        ]
        yield tell["move"].fill(
            side=of.names[moves.role], policy=moves.policy.name, done=joined(done) if done else tell["nothing"]
        )
    yield tell["now"]
    for role in ROLES:
        for text in of.told(role):
            yield tell["line"].fill(side=of.names[role], text=text)
    if any(odds.missing > CLOSE for odds in of.table.values()):
        yield tell["missing"]
