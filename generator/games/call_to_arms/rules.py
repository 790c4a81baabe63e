"""What makes a battle legal, derived from the scenario alone: cards, pool, council, log, play.

Which sets and cards may be played.

Levies given back, and war councils.

What the log tells must be what the scenario shows, for the log is printed.

Who moves first, and what the battle is played for.

Figures, banners and Feudal levy tokens.

What makes a Call to Arms scenario legal, derived from the scenario alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

from msgspec.structs import replace

from generator.common.scenario_file import Step, false_steps, step_text
from generator.common.search import fair_evidence, fair_steps
from generator.common.tables import RuleBook, ruleset
from generator.games.battlelore import ground_rules
from generator.games.battlelore.ground import SIDES, Side, side_name
from generator.games.battlelore.ground_rules import short_of
from generator.games.battlelore.model import LORE, OTHER, camps_step, corrected, row_keys
from generator.games.battlelore.tables import lore
from generator.games.call_to_arms import deployment_rules, specialist_rules
from generator.games.call_to_arms.cards import set_of
from generator.games.call_to_arms.model import PLACES, Force, Scenario, named, plain, shown
from generator.games.call_to_arms.tables import numbers, words
from generator.games.call_to_arms.wishes import ORGANIZED
from generator.model.words import Words
from generator.rules import Fault, Rule

rule = RuleBook("call_to_arms/rules.toml")
rule.takes(
    {
        "play.hand": ground_rules.hand,
        "play.goal": ground_rules.goal,
        "play.banners": ground_rules.banners,
    }
)


def _named(force: Force) -> Counter[str]:
    """The cards that the file names, and how often."""
    return Counter(force.head[place] for place in PLACES)


def _of_card(force: Force, reason: str, ref: str, **values: object) -> Fault:
    """A fault of a card that the file names, told where it is a slip, or else where it stands last."""
    places = [place for place in PLACES if force.head[place] == ref]
    at = next((place for place in places if place in force.slips), places[-1])
    return Fault(force.camp, reason, {"card": ref, **values}, at=(force.camp, at), mend=force.meant(at))


@rule("cards.set")
def of_the_sets(scenario: Scenario) -> Iterator[Fault]:
    for camp, force in scenario.forces.items():
        if "set" in force.slips:
            values = {"camp": side_name(camp), "set": force.slips["set"], "other": force.set}
            yield Fault(camp, "none", values, at=(camp, "set"), mend=force.meant("set"))
        for ref in _named(force):
            if set_of(ref) not in force.sets:
                yield _of_card(force, "other", ref, set=force.set)


@rule("cards.sets")
def sets(scenario: Scenario) -> Iterator[Fault]:
    mode = numbers().mode[scenario.mode]
    known = scenario.deck.sets
    used = {camp: {_absolute(camp, ref) for ref in force.sets} for camp, force in scenario.forces.items()}
    for camp, force in scenario.forces.items():
        if len(force.sets) != mode.sets or len(set(force.sets)) != mode.sets:
            values = {"camp": side_name(camp), "sets": force.set or "–", "n": mode.sets}
            yield Fault(camp, "count", values, at=(camp, "set"))
        for ref in dict.fromkeys(force.sets):
            letter, _, whose = ref.partition("/")
            if letter not in known or (whose and (mode.sets == 1 or whose not in SIDES)):
                yield Fault(camp, "other", {"camp": side_name(camp), "set": ref}, at=(camp, "set"))
    for shared in sorted(used["pennant"] & used["standard"]):
        yield Fault("play", "both", {"set": shared}, at=("standard", "set"))


def _absolute(camp: str, ref: str) -> str:
    return ref if "/" in ref else f"{ref}/{camp}"


@rule("cards.twice")
def different(scenario: Scenario) -> Iterator[Fault]:
    for force in scenario.forces.values():
        yield from (_of_card(force, "twice", ref) for ref, count in _named(force).items() if count > 1)


@rule("cards.drawn")
def as_drawn(scenario: Scenario) -> Iterator[Fault]:
    for camp, force in scenario.forces.items():
        hands = scenario.steps("hand", camp)
        values: dict[str, object] = {"camp": side_name(camp)}
        if not hands:
            yield Fault(camp, "unproved", values, unproved=True, mend=step_text(Step("hand", camp, "", force.keys)))
            continue
        drawn = hands[-1].result
        if len(drawn) != numbers().drawn:
            yield Fault(camp, "count", values | {"n": len(drawn)})
        yield from (_of_card(force, "other", ref, **values) for ref in _named(force) if ref not in drawn)
        for shuffle in scenario.steps("shuffle", camp):
            whole = sorted(shuffle.result) == sorted(_whole(scenario, force))
            if shuffle.result[: numbers().drawn] != drawn or not whole:
                yield Fault(camp, "shuffle", values)


def _whole(scenario: Scenario, force: Force) -> list[str]:
    """Every card of the camp's sets."""
    return [ref for of in force.sets for ref in scenario.deck.refs(force.camp, of)]


@rule("levy.exchange")
def exchanges(scenario: Scenario) -> Iterator[Fault]:
    banners = list(lore().banners)
    seen: Counter[tuple[str, str]] = Counter()
    for number, exchange in enumerate(scenario.exchanges):
        values = {"unit": exchange.unit, "kind": exchange.kind.name.low}
        at = ("exchange", number)
        unit = next((u for u in scenario.forces[exchange.camp].standing if u.id == exchange.unit), None)
        seen[exchange.camp, exchange.unit] += 1
        if scenario.mode != ORGANIZED:
            yield Fault(exchange.unit, "mode", at=at)
        if unit is None or not unit.levy or seen[exchange.camp, exchange.unit] > 1:
            yield Fault(exchange.unit, "no_levy", values, at=at)
            continue
        fall = banners.index(unit.kind.banner) - banners.index(exchange.kind.banner)
        upgraded = bool(lore().weapons[exchange.kind.weapon].stands)
        rises = unit.kind.arm == "foot" and exchange.kind.arm == "mounted"
        if upgraded or fall < 0 or (rises and fall == 0 and scenario.rulings["levy_horse"] == "lower"):
            yield Fault(exchange.unit, "level", values, at=at)


@rule("levy.order")
def in_turn(scenario: Scenario) -> Iterator[Fault]:
    second, first_came = OTHER[scenario.first], False
    for number, exchange in enumerate(scenario.exchanges):
        first_came = first_came or exchange.camp == scenario.first
        if first_came and exchange.camp == second and scenario.mode == ORGANIZED:
            values = {"camp": side_name(second), "unit": exchange.unit}
            yield Fault(exchange.unit, "late", values, at=("exchange", number))


@rule("levy.pool")
def exchanges_fit(scenario: Scenario) -> Iterator[Fault]:
    for camp, force in scenario.forces.items():
        kinds = [u.kind for u in force.standing if not u.levy]
        tokens = {u.id for u in force.standing if u.levy}
        if not scenario.pool.fits(camp, kinds):
            continue  # pool.figures tells of it
        kinds += {e.unit: e.kind for e in scenario.exchanges if e.camp == camp and e.unit in tokens}.values()
        for short in scenario.pool.shortages(camp, kinds):
            yield Fault(camp, "short", short_of(camp, short), at=("exchange",))


@rule("council.age")
def council_age(scenario: Scenario) -> Iterator[Fault]:
    councils = {camp: force.council for camp, force in scenario.forces.items()}
    return ground_rules.council_ages(councils, scenario.age == LORE)


@rule("council.levels")
def council(scenario: Scenario) -> Iterator[Fault]:
    if scenario.age == LORE:
        yield from ground_rules.councils({camp: force.council for camp, force in scenario.forces.items()})


EVIDENCE = ("shuffle", "hand", "dice")
"""Steps that nothing else in the scenario shows; rules of their own judge them."""


@rule("log.true")
def true(scenario: Scenario) -> Iterator[Fault]:
    evidence = {step.shown for step in scenario.log if step.what in EVIDENCE}
    known = {step.shown for step in shown(scenario)} | evidence
    known |= fair_evidence(scenario.log)
    kinds, names = words()["step"] | fair_steps(), named(scenario)

    def told(step: Step) -> Words:
        return camps_step(plain(step), kinds, names)

    yield from false_steps(scenario.log, kinds, known, told=told)


def _rounds(scenario: Scenario) -> list[dict[Side, list[str]]]:
    return [
        {camp: faces.split() for camp, faces in zip(SIDES, step.result, strict=False)}
        for step in scenario.steps("dice")
    ]


@rule("first.green")
def by_green(scenario: Scenario) -> Iterator[Fault]:
    # A tie without dice is for first.dice.
    green, reason = {camp: scenario.green(camp) for camp in SIDES}, "fewer"
    rounds = _rounds(scenario)
    if len(set(green.values())) == 1 and rounds:
        reason = "dice"
        green = {camp: rounds[-1].get(camp, []).count("green") for camp in SIDES}
    best = max(green.values())
    if green[scenario.first] < best:
        values: dict[str, object] = {"camp": side_name(scenario.first)}
        values |= {str(camp): n for camp, n in green.items()}
        yield Fault("play", reason, values, at=("play", "first"))


@rule("first.dice")
def dice(scenario: Scenario) -> Iterator[Fault]:
    green, rounds = {camp: scenario.green(camp) for camp in SIDES}, _rounds(scenario)
    if len(set(green.values())) > 1:
        if rounds:
            yield Fault("play", "needless")
        return
    if not rounds:
        mend = step_text(Step("dice", None, "", (" ".join(["?"] * numbers().tie_dice),) * len(SIDES)))
        yield Fault("play", "unproved", {"green": green["pennant"]}, unproved=True, mend=mend)
        return
    known = {face.id for face in lore().play.face}
    for number, rolled in enumerate(rounds, 1):
        faces = [rolled.get(camp, []) for camp in SIDES]
        if any(len(f) != numbers().tie_dice or not known.issuperset(f) for f in faces):
            yield Fault("play", "count", {"round": number})
        tied = faces[0].count("green") == faces[1].count("green")
        if number < len(rounds) and not tied:
            yield Fault("play", "early", {"round": number})
        if number == len(rounds) and tied:
            yield Fault("play", "tied")


@rule("pool.figures")
def within(scenario: Scenario) -> Iterator[Fault]:
    for camp, force in scenario.forces.items():
        for short in scenario.pool.shortages(camp, [u.kind for u in force.standing if not u.levy]):
            yield Fault(camp, "short", short_of(camp, short), at=(camp, "units"))


@rule("pool.levy")
def levies(scenario: Scenario) -> Iterator[Fault]:
    pool = scenario.pool
    for camp, force in scenario.forces.items():
        real = [u.kind for u in force.standing if not u.levy]
        tokens = [u for u in force.standing if u.levy]
        for unit in tokens:
            if pool.fits(camp, [*real, unit.kind]):
                values = {"unit": unit.called, "kind": unit.kind.name.low}
                cells = (scenario.board.field.name(unit.hex),) if unit.hex else ()
                mend = corrected(scenario.board, replace(unit, levy=False), unit.hex)
                keys = row_keys(scenario, camp, unit)
                yield Fault(unit.id, "needless", values, at=keys, cells=cells, mend=mend)
        for banner, have in Counter(u.kind.banner for u in tokens).items():
            most = pool.levies(camp, banner)
            if have > most:
                colour = lore().banners[banner].name
                told = {"camp": side_name(camp), "have": have, "most": most, "colour": colour}
                yield Fault(camp, "tokens", told, at=(camp, "units"))


@cache
def rules() -> tuple[Rule[Scenario], ...]:
    """BattleLore's rules of the ground, then the rules of deployment, in their files' order."""
    return ruleset(ground_rules.rule, rule, deployment_rules.rule, specialist_rules.rule)
