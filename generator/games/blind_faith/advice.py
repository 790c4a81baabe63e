"""Describe the odds of a fight: the probable winner, the state after each round, and advice to the sides."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from generator.common.game import OddsReport
from generator.common.tables import NEVER, percent
from generator.errors import WrongUsageError, near
from generator.games.blind_faith.battle import Force, front_size
from generator.games.blind_faith.choices import Plays, siege_choices
from generator.games.blind_faith.exact_odds import Odds, fire_chances, wins
from generator.games.blind_faith.ground import format_units, side_name, words
from generator.games.blind_faith.model import OTHER, Scenario
from generator.games.blind_faith.odds import Fight, computed, fight_of, no_fight
from generator.games.blind_faith.rounds import Policy, aimed, charging, falls, field_rounds, odds_settings, policies
from generator.games.blind_faith.siege import placed, storming, useless
from generator.games.blind_faith.tables import FATES, ROLES, Fate, Pack, Role, UnitLine
from generator.localization import tr
from generator.model.words import Words, joined

Rule = Literal["best", "useless", "leave", "stay", "shoot", "charge", "column"]
CLOSE = Fraction(1, 100)
"""Missing probability above which chances are printed as ranges."""
MATTERS = Fraction(1, 20)
"""Minimum difference in chances for which one policy is recommended over another."""


_COUNTED = re.compile(r"(?:(?P<before>[0-9]{1,3})\s*)?(?P<name>[^0-9×]+?)(?:\s*×\s*(?P<after>[0-9]{1,3}))?")
"""Matches a class with a number, such as `2 knights`, or `Knights ×2` as printed."""


class Advice(NamedTuple):
    """A piece of advice for a side, and the house rule from which it follows."""

    role: Role
    rule: Rule
    text: Words


class Moves(NamedTuple):
    """The actions of a policy in the next round, counted by the class of the unit and the class of its target."""

    role: Role
    policy: Policy
    name: Words
    shots: Mapping[tuple[str, str], int]
    charges: Mapping[tuple[str, str], int]
    bombards: Mapping[str, int]


class Answer(Struct, frozen=True):
    """The odds of a fight and the texts that pages and the terminal show about them."""

    fight: Fight
    names: Mapping[Role, Words]
    """The names of the sides."""
    table: Mapping[Plays, Odds]
    """The odds for pairs of policies or, in a siege, for the besieger's choices.

    The first row is described in the headline and by round. In a battle it pairs the safest policies of the two
    sides. In a siege it has the boxes of the file or, if there are none, the best choice.
    """
    moves: tuple[Moves, ...]
    leaving: Mapping[Role, Fraction | None]
    """The mean number of units that a retreat now costs each side; None for a side that cannot retreat."""

    @property
    def plays(self) -> Plays:
        """The row of the table that the headline describes."""
        return next(iter(self.table))

    @property
    def odds(self) -> Odds:
        """The odds that the headline describes. `odds.after` contains the state after each round."""
        return self.table[self.plays]

    @property
    def rounds(self) -> int:
        """The number of rounds to report, after which the fight is almost certainly over."""
        left = [n for n, after in enumerate(self.odds.after, 1) if after.going > CLOSE / 2]
        return min(len(self.odds.after), (left[-1] if left else 0) + 1)

    @property
    def headline(self) -> Words:
        """A sentence about the probable winner and the probability of winning."""
        texts, odds = words()["advice"], self.odds
        role: Role = "attack" if odds.attacker >= odds.defender else "defence"
        values = {"side": self.names[role], "n": _in_sentence(_format_win_chance(odds, role))}
        if not self.fight.wall:
            return texts["field"].fill(**values)
        plays, best = self.plays, self.best
        placed = plays.boxes and not plays.boxes.keep
        how = texts["as_placed" if placed else "by_choice"].fill(choice=plays.attacker.name if placed else plays.name)
        line = texts["takes" if role == "attack" else "holds"].fill(how=how, **values)
        if best == plays:
            return line
        n = _in_sentence(_format_win_chance(self.table[best], "attack"))
        return texts["better"].fill(line=line, other=best.name, side=self.names["attack"], n=n)

    @property
    def best(self) -> Plays:
        """The besieger's best choice or, in a battle, the pair of policies in the headline.

        In a siege it differs from the headline only if it is better by more than a point and the error.
        """
        if not self.fight.wall:
            return self.plays
        best = max(self.table, key=lambda plays: self.table[plays].attacker)
        odds = self.table[best]
        certain = odds.bounds(odds.attacker)[0] > self.odds.bounds(self.odds.attacker)[1]
        return best if certain and odds.attacker - self.odds.attacker >= CLOSE else self.plays

    @property
    def both(self) -> Words | None:
        """Sentences about mutual destruction and undecided fights, or None if both are impossible."""
        return self.remainder(self.odds)

    def remainder(self, odds: Odds, *, brief: bool = False) -> Words | None:
        """Return the chances of the endings in which neither side wins, or None if there are none.

        With the chances of the two sides, they add up to 100 %. `brief` is the form for a table.
        """
        texts = words()["advice"]
        if brief:
            chances = (("both_brief", odds.both), ("undecided_brief", odds.undecided))
            parts = [texts[key].fill(n=odds.format_chance(chance)) for key, chance in chances if chance]
            return joined(parts) if parts else None
        both = [texts["both"].fill(n=_in_sentence(odds.format_chance(odds.both)))] if odds.both else []
        going = texts["undecided"].fill(n=_in_sentence(odds.format_chance(odds.undecided)), rounds=len(odds.after))
        return joined([*both, *([going] if odds.undecided else [])], " ", "") if both or odds.undecided else None

    @property
    def exactness(self) -> Words:
        """A sentence about the accuracy of the numbers."""
        texts, odds = words()["advice"], list(self.table.values())
        sentences = []
        if sampled := [one for one in odds if one.sampled]:
            n = max(one.sampled for one in sampled)
            off = max((high - low) / 2 for one in sampled for low, high in [one.bounds(one.attacker)])
            sentences.append(texts["sampled"].fill(n=f"{n:,}", off=mean(100 * off).removeprefix("<")))
        if missing := max(one.missing for one in odds):
            sentences.append(texts["missing"].fill(n=mean(100 * missing).removeprefix("<")))
        return joined(sentences, " ", "") if sentences else texts["exact"]

    @property
    def advice(self) -> tuple[Advice, ...]:
        """The advice for the two sides, with the attacker's first."""
        return tuple(one for role in ROLES for one in _advice(self, role))

    def advice_lines(self, role: Role) -> list[Words]:
        """Return the advice for a side, and the cost of a retreat unless the advice states it."""
        own_advice = [one for one in self.advice if one.role == role]
        cost, has_cost = self.leaving[role], any(one.rule in ("leave", "stay") for one in own_advice)
        costly = [words()["advice"]["leaving"].fill(n=mean(cost))] if cost and not has_cost else []
        return [*(one.text for one in own_advice), *costly]

    def played(self, plays: Plays) -> Words:
        """Return the label of a row: the two policies, or the besieger's choice."""
        if self.fight.wall:
            return plays.name
        return words()["odds"]["plays"].fill(attacker=plays.attacker.name, defender=plays.defender.name)


def answer(scenario: Scenario, now: str = "", exact: bool = False) -> Answer:
    """Return the odds of the scenario's fight from its beginning, or from the position given by `now`.

    `exact` selects a much larger computing budget than that of a printed page.

    Raises:
        WrongUsageError: If there is no fight yet, or if `now` is not a possible position of this fight.
    """
    fight = fight_of(scenario)
    if not fight:
        raise no_fight(scenario)
    fight = _fight_at(fight, now) if now else fight
    sides = scenario.active.side, OTHER[scenario.active.side]
    table = _table(fight, exact)
    return Answer(
        fight,
        {role: side_name(side) for role, side in zip(ROLES, sides, strict=True)},
        table,
        tuple(_moves(fight, table)),
        {role: _leaving(fight, role) for role in ROLES},
    )


def _table(fight: Fight, exact: bool) -> dict[Plays, Odds]:
    """Return the odds of every pair of policies, or of every choice of the besieger."""
    within = odds_settings().exact if exact else odds_settings().page
    if not fight.wall:
        pairs = (Plays(a, d) for a in _policies("attack") for d in _policies("defence"))
        odds = {plays: computed(fight, plays[:2], within) for plays in pairs}
        return _safest_first(odds)
    found = {
        plays: computed(replace(fight, boxes=plays.boxes), plays[:2], within)
        for plays in siege_choices(fight, odds_settings().search)
    }
    if not fight.boxes:
        # If the file does not place the units in boxes, the best choice comes first.
        best = max(found, key=lambda plays: found[plays].attacker)
        found = {best: found[best]} | found
    return found


def _safest_first(table: Mapping[Plays, Odds]) -> dict[Plays, Odds]:
    """Return the odds of all pairs of policies, with each side's safest policy as its first."""
    one, other = (
        sorted(dict.fromkeys(p.by(role) for p in table), key=lambda policy: policy != best)
        for role in ROLES
        for best in [_safest(table, role)]
    )
    return {Plays(a, d): table[Plays(a, d)] for a in one for d in other}


def _safest(table: Mapping[Plays, Odds], role: Role) -> Policy:
    """Return the policy of a side that wins most often against the opponent's best reply.

    Of policies that differ by less than a point, it is the first.
    """
    chances = _chances_against_best_reply(table, role)
    best = max(_wins(odds, role) for odds in chances.values())
    return next(policy for policy, odds in chances.items() if _wins(odds, role) > best - CLOSE)


def _chances_against_best_reply(table: Mapping[Plays, Odds], role: Role) -> dict[Policy, Odds]:
    """Return the odds of each policy of a side against the opponent's policy that is worst for the side."""
    rows: dict[Policy, list[Odds]] = {}
    for plays, odds in table.items():
        rows.setdefault(plays.by(role), []).append(odds)
    return {policy: min(row, key=lambda odds: _wins(odds, role)) for policy, row in rows.items()}


def _policies(role: Role) -> Iterator[Policy]:
    """Yield the policies of a side that are compared in a battle."""
    return (policies()[name] for name in odds_settings().advised[role])


def _fight_at(fight: Fight, now: str) -> Fight:
    """Return the fight in a position such as `2 knights, gun + 3 knights : tabor`.

    The attacker's units are before the colon. A plus sign separates a side's front from its reserve.
    """
    sides = unicodedata.normalize("NFKC", now).split(":")
    if len(sides) != len(ROLES):
        hint = tr(
            "for example {example}", example="2 knights, sigismund + 3 crusader_foot : 4 tabor + 2 hussite_foot"
        )
        raise WrongUsageError(tr("--now: write the attacker and the defender, separated by a colon"), hint=hint)
    attack, defence = (_force(fight, role, text) for role, text in zip(ROLES, sides, strict=True))
    if not fight.wall and len(attack.front) != front_size(fight.pack, attack.left):
        wanted = front_size(fight.pack, attack.left)
        raise WrongUsageError(tr("--now: the attacker must fill all boxes of the front ({n})", n=wanted))
    # The boxes in the file are for the first round, which may be over.
    return replace(fight, attack=attack, defence=defence, boxes=None)


def _force(fight: Fight, role: Role, text: str) -> Force:
    lines = [_units(fight.pack, part) for part in text.split("+")]
    began = fight.of(role)
    there = Counter((*began.front, *began.reserve))
    if len(lines) > (1 if fight.wall else 2):
        raise WrongUsageError(tr("--now: write at most one + for each side, and no + in a siege"))
    if not any(lines):
        raise WrongUsageError(tr("--now: one side has no units"))
    for unit, count in Counter(unit for line in lines for unit in line).items():
        if count > there[unit]:
            few = tr(
                "--now: the number of {unit} is {count}, but the fight began with {n}",
                count=count,
                unit=unit,
                n=there[unit],
            )
            raise WrongUsageError(few)
    return Force(*lines)


def _units(pack: Pack, text: str) -> UnitLine:
    """Return the units in a text such as `2 knights, tabor`, which names classes by id or by name."""
    names = {
        name.casefold(): unit.id for unit in pack.units.values() for name in (unit.id, unit.name.en, unit.name.ja)
    }
    found: list[str] = []
    for part in filter(None, (part.strip() for part in text.replace("、", ",").split(","))):
        match = _COUNTED.fullmatch(part)
        name = (match["name"] if match else part).strip()
        unit = names.get(name.casefold())
        if unit is None or match is None:
            raise WrongUsageError(
                tr("--now: there is no unit named {text!r}", text=part), hint=near(name, pack.units)
            )
        found += [unit] * int(match["before"] or match["after"] or 1)
    return pack.line(found)


def _moves(fight: Fight, table: Iterable[Plays]) -> Iterator[Moves]:
    """Yield the actions of every policy in the table in the next round. A garrison only responds."""
    pack = fight.pack
    if fight.wall:
        for plays in table:
            guns, stormers = placed(pack, plays.attacker, fight.wall, fight.attack.front, plays.boxes)
            charged = charging(pack, storming(plays.attacker, plays.boxes), stormers, fight.defence.front)
            charges = Counter((stormers[c.charger], fight.defence.front[c.target]) for c in charged)
            yield Moves("attack", plays.attacker, plays.name, {}, charges, Counter(guns))
        return
    for role in ROLES:
        front, enemies = fight.of(role).front, fight.of("defence" if role == "attack" else "attack").front
        for policy in _policies(role):
            shots = Counter(
                (shot.shooter, enemies[shot.target]) for shot in aimed(pack, policy, role, front, enemies)
            )
            charged = charging(pack, policy, front, enemies) if role == "attack" else ()
            charges = Counter((front[c.charger], enemies[c.target]) for c in charged)
            yield Moves(role, policy, policy.name, shots, charges, {})


def _leaving(fight: Fight, role: Role) -> Fraction | None:
    """Return the mean losses of a side that retreats now, or None if it cannot. A besieger leaves without loss."""
    if role in fight.no_way or (fight.wall and role == "defence"):
        return None
    if fight.wall:
        return Fraction()
    policy, opponent_policy = (policies()[odds_settings().advised[one][0]] for one in ROLES)
    rounds = field_rounds(fight.pack, fight.rulings, policy, opponent_policy)
    pursuit = rounds.defender_pursues if role == "attack" else rounds.attacker_pursues
    found = pursuit.results_for((fight.attack.front, fight.defence.front))
    return Fraction(sum(mean for (who, _, _), mean in found.lost.items() if who == role), found.of)


def _wins(odds: Odds, role: Role) -> Fraction:
    return odds.attacker if role == "attack" else odds.defender


def _format_win_chance(odds: Odds, role: Role) -> str:
    """Return a side's chance of winning in a form for sentences, which shows an impossible win as 0."""
    chance = odds.format_chance(_wins(odds, role))
    return "0" if chance == NEVER else chance


def _in_sentence(chance: str) -> Words:
    """Return a formatted chance with its sign in words, such as `more than 99`."""
    beyond = {">": "more_than", "<": "less_than"}.get(chance[0])
    number = chance[1:] if beyond else "0" if chance == NEVER else chance
    return words()["advice"][beyond or "times"].fill(n=number)


def _advice(of: Answer, role: Role) -> Iterator[Advice]:
    """Yield the advice for a side from each rule whose difference is large enough."""
    texts, fight = words()["advice"], of.fight
    if role == "attack" or not fight.wall:
        yield from _choice(of) if fight.wall else _policy(of, role)
        # A besieger compares a retreat with the best choice, and other sides with the odds of the headline.
        odds = max(of.table.values(), key=lambda odds: odds.attacker) if fight.wall else of.odds
        low, high = odds.bounds(_wins(odds, role))
        cost, p = of.leaving[role], _format_win_chance(odds, role)
        if cost is not None and high < Fraction(1, 5):
            yield Advice(role, "leave", texts["leave"].fill(n=mean(cost), p=p))
        elif cost is not None and cost >= 1 and low >= Fraction(1, 2):
            yield Advice(role, "stay", texts["stay"].fill(n=mean(cost), p=p))
    yield from _shooting(of, role)
    if role == "attack":
        yield from _charging(of)
    else:
        yield from _column(of)


def _policy(of: Answer, role: Role) -> Iterator[Advice]:
    """Yield the policy of the headline as advice in a battle, if another policy is clearly worse."""
    chances = _chances_against_best_reply(of.table, role)
    best = of.plays.by(role)
    worst = min(chances, key=lambda policy: _wins(chances[policy], role))
    low = chances[best].bounds(_wins(chances[best], role))[0]
    high = chances[worst].bounds(_wins(chances[worst], role))[1]
    if low - high >= MATTERS:
        values: dict[str, object] = {"policy": best.name, "p": _format_win_chance(chances[best], role)}
        values |= {"other": worst.name, "q": _format_win_chance(chances[worst], role)}
        yield Advice(role, "best", words()["advice"]["best"].fill(**values))


def _choice(of: Answer) -> Iterator[Advice]:
    """Yield advice about the besieger's best choice, with its advantage, and about useless bombardment."""
    texts, pack, fight = words()["advice"], of.fight.pack, of.fight
    best = of.best
    others = [plays for plays in of.table if plays != best]
    if others:
        # Compare with the boxes of the file. If these are the best choice, compare with the second-best choice.
        other = of.plays if best != of.plays else max(others, key=lambda plays: of.table[plays].attacker)
        values = {"policy": best.name, "text": best.text(pack), "other": other.name}
        values["p"] = _in_sentence(_format_win_chance(of.table[best], "attack"))
        values["q"] = _in_sentence(_format_win_chance(of.table[other], "attack"))
        difference = of.table[best].attacker - of.table[other].attacker
        key = "best_choice" if difference >= CLOSE else "best_alike"
        yield Advice("attack", "best", texts[key].fill(**values))
    if fight.boxes and (vain := useless(pack, fight.boxes.bombard, fight.wall)):
        wall = next(wall.name for wall in pack.walls if wall.id == fight.wall)
        yield Advice("attack", "useless", texts["useless"].fill(units=format_units(pack, vain), wall=wall))


def _shooting(of: Answer, role: Role) -> Iterator[Advice]:
    """Yield the best target for each class that fires, if other targets are clearly worse."""
    pack, fight = of.fight.pack, of.fight
    enemies = dict.fromkeys(fight.of("defence" if role == "attack" else "attack").front)
    for shooter in dict.fromkeys(fight.of(role).front) if not fight.wall else ():
        unit = pack.units[shooter]
        if role not in unit.fires or (unit.each_box and role == "defence"):
            continue
        chances = {e: 1 - fire_chances(pack, unit.type, pack.units[e].type).get("none", Fraction()) for e in enemies}
        best, worst = max(chances, key=chances.__getitem__), min(chances.values())
        if chances[best] - worst >= MATTERS:
            values = {
                "unit": unit.name,
                "target": pack.units[best].name,
                "p": percent(chances[best]),
                "q": percent(worst) if worst else "0",
            }
            yield Advice(role, "shoot", words()["advice"]["shoot"].fill(**values))


def _charging(of: Answer) -> Iterator[Advice]:
    """Yield advice about the best charge, or against charging if no charge is favourable."""
    pack, fight = of.fight.pack, of.fight
    front = fight.attack.front
    if fight.wall:
        _, front = placed(pack, of.best.attacker, fight.wall, front, of.best.boxes)
    pairs = [(u, e) for u in dict.fromkeys(front) for e in dict.fromkeys(fight.defence.front)]
    if pairs:
        unit, enemy = max(pairs, key=lambda pair: falls(pack, *pair)[0] - falls(pack, *pair)[1])
        target_loss, charger_loss = falls(pack, unit, enemy)
        values = {
            "unit": pack.units[unit].name,
            "target": pack.units[enemy].name,
            "p": percent(target_loss),
            "q": percent(charger_loss),
        }
        yield Advice(
            "attack",
            "charge",
            words()["advice"]["charge" if target_loss >= charger_loss else "no_charge"].fill(**values),
        )


def _column(of: Answer) -> Iterator[Advice]:
    """Yield advice about how many units to keep in the front, based on the columns of the response table."""
    fight, response = of.fight, of.fight.pack.response
    units = len(fight.defence.front)
    starts = [column.start for column in response.columns]
    here = response.column(units)[0] if units else 0
    if here and fight.rulings["defender_refill"] != "never" and (not fight.wall):
        counts = (starts[here], starts[here] - 1)
        costs = [Fraction(sum(sum(response.at(n, face)) for face in range(1, 7)), 6) for n in counts]
        values = {"n": starts[here], "p": mean(costs[0]), "q": mean(costs[1])}
        yield Advice("defence", "column", words()["advice"]["column"].fill(**values))


def mean(value: Fraction) -> str:
    """Return a mean rounded to one decimal place. A positive mean is never shown as 0."""
    tenths = int(value * 10 + Fraction(1, 2))
    if value and not tenths:
        return "<0.1"
    return f"{tenths // 10}.{tenths % 10}"


def odds_report(scenario: Scenario, now: str, exact: bool) -> OddsReport:
    """Return the result of `muster odds` as values for JSON (docs/json.md) and as lines."""
    of = answer(scenario, now, exact)
    return OddsReport(_rows(of), tuple(_lines(of)))


def check_notes(scenario: Scenario) -> tuple[Words, ...]:
    """Return the besieger's best choice as advice if units bombard although they cannot breach the wall."""
    siege = scenario.siege
    if not siege or not useless(scenario.pack, siege.bombard, siege.wall):
        return ()
    return tuple(one.text for one in answer(scenario).advice if (one.role, one.rule) == ("attack", "best"))


def _span(chance: Fraction, missing: Fraction) -> list[float]:
    return [round(float(chance), 6), round(float(chance + missing), 6)]


def _bounds(odds: Odds, chance: Fraction) -> list[float]:
    return [round(float(bound), 6) for bound in odds.bounds(chance)]


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
                "name": of.played(plays),
                "attacker_plays": plays.attacker.id,
                "defender_plays": None if fight.wall else plays.defender.id,
                "boxes": _boxes_row(fight, plays),
                "exact": odds.exact,
                "sampled": odds.sampled,
                "attacker": _bounds(odds, odds.attacker),
                "defender": _bounds(odds, odds.defender),
                "both": _bounds(odds, odds.both),
                "open": _bounds(odds, odds.undecided),
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
        "exactness": of.exactness,
        "best": list(of.table).index(of.best) if fight.wall else None,
        "table": table,
        "moves": [
            {
                "role": m.role,
                "policy": m.policy.id,
                "name": m.name,
                "bombards": dict(m.bombards),
                "shots": moved(m.shots),
                "charges": moved(m.charges),
            }
            for m in of.moves
        ],
        "advice": [{"role": one.role, "rule": one.rule, "text": one.text} for one in of.advice],
    }


def _boxes_row(fight: Fight, plays: Plays) -> dict[str, object]:
    """Return the boxes in the first round of a siege as values for JSON; empty boxes for a battle."""
    front = fight.attack.front if fight.wall else ()
    guns, stormers = placed(fight.pack, plays.attacker, fight.wall, front, plays.boxes) if front else ((), ())
    reserve = Counter(front) - Counter(guns) - Counter(stormers)
    lines = {"bombard": Counter(guns), "storm": Counter(stormers), "reserve": reserve}
    return {name: dict(line) for name, line in lines.items()} | {"kept": bool(plays.boxes and plays.boxes.keep)}


def _lines(of: Answer) -> Iterator[Words]:
    texts, pack = words()["advice"], of.fight.pack
    yield of.headline
    for role in ROLES:
        force = of.fight.of(role)
        units = format_units(pack, pack.line((*force.front, *force.reserve)))
        yield texts["side"].fill(side=of.names[role], role=texts[role], units=units)
    yield texts["choices" if of.fight.wall else "table"]
    for plays, odds in of.table.items():
        yield texts["row"].fill(
            plays=of.played(plays),
            a=odds.format_chance(odds.attacker),
            d=odds.format_chance(odds.defender),
            both=odds.format_chance(odds.both),
            open=odds.format_chance(odds.undecided),
            lost_a=mean(odds.losses("attack", "rout") + odds.losses("attack", "eliminate")),
            lost_d=mean(odds.losses("defence", "rout") + odds.losses("defence", "eliminate")),
        )
    yield texts["rounds"]
    for number, after in enumerate(of.odds.after[: of.rounds], 1):
        a, d = wins(after)
        left = [mean(n) if after.going else "–" for n in after.left]
        spans = [of.odds.format_chance(chance, after.missing) for chance in (a, after.going, d)]
        yield texts["round"].fill(n=number, a=spans[0], going=spans[1], d=spans[2], left_a=left[0], left_d=left[1])
    yield texts["moves"]
    for moves in of.moves:
        done = [
            texts[kind].fill(n=n, unit=pack.units[unit].name, target=pack.units[at].name)
            for kind, pairs in (("shot", moves.shots), ("charged", moves.charges))
            for (unit, at), n in pairs.items()
        ]
        done += [texts["bombards"].fill(n=n, unit=pack.units[unit].name) for unit, n in moves.bombards.items()]
        yield texts["move"].fill(
            side=of.names[moves.role], policy=moves.name, done=joined(done) if done else texts["nothing"]
        )
    yield texts["now"]
    for role in ROLES:
        for text in of.advice_lines(role):
            yield texts["line"].fill(side=of.names[role], text=text)
    yield of.exactness
