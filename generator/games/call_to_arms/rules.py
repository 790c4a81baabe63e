"""Rules that check cards, levies, councils, Specialists, the first player, the pool and the log of a battle.

They use the scenario alone. Each choice of a Specialist is checked in the position before the choice, according to
the text of its card. deployment_rules.py checks the deployment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from itertools import pairwise

from msgspec.structs import replace

from generator.common.scenario_file import Step, false_steps, step_text
from generator.common.search import fair_evidence, fair_steps
from generator.common.tables import RuleBook, ruleset
from generator.games.battlelore import ground_rules
from generator.games.battlelore.forces import Kind, Unit, council_tables, missing_figures
from generator.games.battlelore.ground import SIDES, Side, needs, shortage, side_name
from generator.games.battlelore.ground_rules import short_of
from generator.games.battlelore.model import LORE, MEDIEVAL, OTHER, camps_step, corrected, row_keys
from generator.games.battlelore.play import reach, run
from generator.games.battlelore.tables import lore
from generator.games.call_to_arms import deployment_rules
from generator.games.call_to_arms.cards import read_cell_name, set_of
from generator.games.call_to_arms.model import PLACES, Force, Scenario, Turn, part_names, plain, true_steps
from generator.games.call_to_arms.options import ORGANIZED
from generator.games.call_to_arms.specialists import Choice, Play, Specialist, Table, from_reserve, specialists
from generator.games.call_to_arms.tables import numbers, words
from generator.grid.hexes import Hex
from generator.model.words import Words
from generator.notation import text
from generator.rules import Fault

rule = RuleBook("call_to_arms/rules.toml")
rule.bind_shared(
    {
        "play.hand": ground_rules.hand,
        "play.goal": ground_rules.goal,
        "play.banners": ground_rules.banners,
    }
)


def _named(force: Force) -> Counter[str]:
    """Return the number of times the file names each card."""
    return Counter(force.head[place] for place in PLACES)


def _of_card(force: Force, reason: str, ref: str, **values: object) -> Fault:
    """Return a fault about a card in the file, reported at its wrong entry or else at its last entry."""
    places = [place for place in PLACES if force.head[place] == ref]
    at = next((place for place in places if place in force.typos), places[-1])
    return Fault(force.camp, reason, {"card": ref, **values}, at=(force.camp, at), suggested_fix=force.meant(at))


@rule("cards.set")
def of_the_sets(scenario: Scenario) -> Iterator[Fault]:
    for camp, force in scenario.forces.items():
        if "set" in force.typos:
            values = {"camp": side_name(camp), "set": force.typos["set"], "other": force.set}
            yield Fault(camp, "none", values, at=(camp, "set"), suggested_fix=force.meant("set"))
        for ref in _named(force):
            if set_of(ref) not in force.sets:
                yield _of_card(force, "other", ref, set=force.set)


@rule("cards.sets")
def sets(scenario: Scenario) -> Iterator[Fault]:
    mode = numbers().mode[scenario.mode]
    known = scenario.deck.sets
    # The names of sets with their camp.
    used = {camp: {ref if "/" in ref else f"{ref}/{camp}" for ref in of.sets} for camp, of in scenario.forces.items()}
    for camp, force in scenario.forces.items():
        if len(force.sets) != mode.sets or len(set(force.sets)) != mode.sets:
            values = {"camp": side_name(camp), "sets": force.set or "–", "n": mode.sets}
            yield Fault(camp, "count", values, at=(camp, "set"))
        for ref in dict.fromkeys(force.sets):
            letter, _, owner = ref.partition("/")
            if letter not in known or (owner and (mode.sets == 1 or owner not in SIDES)):
                yield Fault(camp, "other", {"camp": side_name(camp), "set": ref}, at=(camp, "set"))
    for shared in sorted(used["pennant"] & used["standard"]):
        yield Fault("play", "both", {"set": shared}, at=("standard", "set"))


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
            yield Fault(
                camp, "unproved", values, unproved=True, suggested_fix=step_text(Step("hand", camp, "", force.keys))
            )
            continue
        drawn = hands[-1].result
        if len(drawn) != numbers().drawn:
            yield Fault(camp, "count", values | {"n": len(drawn)})
        yield from (_of_card(force, "other", ref, **values) for ref in _named(force) if ref not in drawn)
        for shuffle in scenario.steps("shuffle", camp):
            every = (ref for of in force.sets for ref in scenario.deck.refs(camp, of))
            whole = sorted(shuffle.result) == sorted(every)
            if shuffle.result[: numbers().drawn] != drawn or not whole:
                yield Fault(camp, "shuffle", values)


@rule("levy.exchange")
def exchanges(scenario: Scenario) -> Iterator[Fault]:
    banners = list(lore().banners)
    seen: Counter[tuple[str, str]] = Counter()
    for number, exchange in enumerate(scenario.exchanges):
        values = {"unit": exchange.unit, "kind": exchange.kind.name.low}
        at = ("exchange", number)
        unit = next((u for u in scenario.forces[exchange.camp].units_on_board if u.id == exchange.unit), None)
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
        kinds = [u.kind for u in force.units_on_board if not u.levy]
        tokens = {u.id for u in force.units_on_board if u.levy}
        if not scenario.pool.fits(camp, kinds):
            continue  # The rule pool.figures reports this.
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
"""The kinds of log steps whose content the rest of the scenario does not show. They have separate rules."""


@rule("log.true")
def true(scenario: Scenario) -> Iterator[Fault]:
    evidence = {step.evidence for step in scenario.log if step.what in EVIDENCE}
    known = {step.evidence for step in true_steps(scenario)} | evidence
    known |= fair_evidence(scenario.log)
    kinds, names = words()["step"] | fair_steps(), part_names(scenario)

    def describe(step: Step) -> Words:
        return camps_step(plain(step), kinds, names)

    yield from false_steps(scenario.log, kinds, known, describe=describe)


def _rounds(scenario: Scenario) -> list[dict[Side, list[str]]]:
    return [
        {camp: faces.split() for camp, faces in zip(SIDES, step.result, strict=False)}
        for step in scenario.steps("dice")
    ]


@rule("first.green")
def by_green(scenario: Scenario) -> Iterator[Fault]:
    # The rule first.dice reports a tie without dice.
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
        suggested_fix = step_text(Step("dice", None, "", (" ".join(["?"] * numbers().tie_dice),) * len(SIDES)))
        yield Fault("play", "unproved", {"green": green["pennant"]}, unproved=True, suggested_fix=suggested_fix)
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
        units = [unit for unit in force.units_on_board if not unit.levy]
        for short in scenario.pool.shortages(camp, [u.kind for u in units], missing=missing_figures(units)):
            yield Fault(camp, "short", short_of(camp, short), at=(camp, "units"))


@rule("pool.levy")
def levies(scenario: Scenario) -> Iterator[Fault]:
    pool = scenario.pool
    for camp, force in scenario.forces.items():
        real = [u.kind for u in force.units_on_board if not u.levy]
        tokens = [u for u in force.units_on_board if u.levy]
        fits = pool.room(camp, real)
        for unit in tokens:
            if fits(unit.kind):
                values = {"unit": unit.label, "kind": unit.kind.name.low}
                cells = (scenario.board.field.name(unit.hex),) if unit.hex else ()
                suggested_fix = corrected(scenario.board, replace(unit, levy=False), unit.hex)
                keys = row_keys(scenario, camp, unit)
                yield Fault(unit.id, "needless", values, at=keys, cells=cells, suggested_fix=suggested_fix)
        for banner, have in Counter(u.kind.banner for u in tokens).items():
            max_levies = pool.levies(camp, banner)
            if have > max_levies:
                colour = lore().banners[banner].name
                counts = {"camp": side_name(camp), "have": have, "most": max_levies, "colour": colour}
                yield Fault(camp, "tokens", counts, at=(camp, "units"))


@rule("special.picks")
def picks(scenario: Scenario) -> Iterator[Fault]:
    if scenario.mode != ORGANIZED:
        if scenario.plays or any(f.specialists for f in scenario.forces.values()):
            yield Fault("play", "mode")
        return
    if not (scenario.plays or any(f.specialists for f in scenario.forces.values())):
        line = text.lines({"specialists": ["?"] * (len(numbers().picks) // len(SIDES))})[0]
        for camp in SIDES:
            values: dict[str, object] = {"camp": side_name(camp), "key": camp}
            yield Fault(camp, "unproved", values, at=(camp, "specialists"), unproved=True, suggested_fix=line)
        return
    if scenario.owner is None:
        yield Fault("play", "owner", at=("play",))
        return
    max_picks = Counter(scenario.owner if turn == "owner" else OTHER[scenario.owner] for turn in numbers().picks)
    for camp, force in scenario.forces.items():
        values = {"camp": side_name(camp), "have": len(force.specialists), "most": max_picks[camp]}
        if len(force.specialists) != max_picks[camp]:
            reason = "many" if len(force.specialists) > max_picks[camp] else "few"
            yield Fault(camp, reason, values, at=(camp, "specialists"))
    taken = Counter(name for force in scenario.forces.values() for name in force.specialists)
    for name, count in taken.items():
        if count > 1:
            yield Fault("play", "twice", {"card": specialists()[name].label})


@rule("special.lore_only")
def ages(scenario: Scenario) -> Iterator[Fault]:
    if scenario.age != MEDIEVAL:
        return
    for camp, force in scenario.forces.items():
        for name in dict.fromkeys(force.specialists):
            if specialists()[name].lore_only:
                at = (camp, "specialists", force.specialists.index(name))
                yield Fault(camp, "medieval", {"card": specialists()[name].label}, at=at)


@rule("special.order")
def order(scenario: Scenario) -> Iterator[Fault]:
    for camp in SIDES:
        chosen = scenario.forces[camp].specialists
        names = [play.card for play in scenario.plays if play.camp == camp]
        for name, count in Counter(names).items():
            if name not in chosen or count > 1:
                yield Fault(camp, "not_chosen", {"camp": side_name(camp), "card": specialists()[name].label})
    turns = [play.camp for play in scenario.plays]
    left = Counter(turns)
    expected: Side | None = scenario.owner
    for number, camp in enumerate(turns, 1):
        if expected and camp != expected and left[expected]:
            values = {"camp": side_name(expected), "n": number}
            yield Fault(f"special {number}", "turn", values, at=("special", number - 1))
            return
        left[camp] -= 1
        expected = OTHER[camp]


@rule("special.level")
def levels(scenario: Scenario) -> Iterator[Fault]:
    for number, play in enumerate(scenario.plays):
        card = specialists()[play.card]
        if scenario.age != MEDIEVAL and _powerless(scenario, play):
            values = {"card": card.name, "seat": council_tables().name(card.needs)}
            yield Fault(play.camp, "level", values, at=("special", number))


def _powerless(scenario: Scenario, play: Play) -> bool:
    """Return whether the camp lacks the Lore Master that a Specialist needs. Other rules ignore this play."""
    return specialists()[play.card].level(scenario.forces[play.camp].council) == 0


def _max_choices(scenario: Scenario, play: Play) -> int:
    """Return the maximum number of choices of a play."""
    card = specialists()[play.card]
    return 0 if card.effect in ("upgrade", "lore") else card.limit(scenario.forces[play.camp].council)


def _again(play: Play, number: int) -> bool:
    """Return whether a choice repeats an earlier choice of its play, contrary to the card."""
    names = [text.partition(">")[0] for text in play.choices]
    return specialists()[play.card].effect != "reinforce" and names[number] in names[:number]


@rule("special.limit")
def limits(scenario: Scenario) -> Iterator[Fault]:
    for place, play in enumerate(scenario.plays):
        if _powerless(scenario, play):
            continue
        have, max_choices = len(play.choices), _max_choices(scenario, play)
        values: dict[str, object] = {"card": specialists()[play.card].label, "have": have, "most": max_choices}
        if have > max_choices:
            yield Fault(play.camp, "many", values, at=("special", place, "choices"))
        if any(_again(play, number) for number in range(have)):
            yield Fault(play.camp, "twice", values, at=("special", place, "choices"))


@rule("special.choice")
def choices(scenario: Scenario) -> Iterator[Fault]:
    # Other rules report choices beyond the maximum and choices without a Lore Master.
    for turn in scenario.turns:
        if not _beyond(scenario, turn) and (reason := _reason(scenario, turn)):
            values: dict[str, object] = {"card": specialists()[turn.play.card].label, "choice": turn.choice}
            place = next(i for i, play in enumerate(scenario.plays) if play is turn.play)
            at, board = Choice.of(turn.choice, turn.before.board).at, turn.before.board
            cells = (board.field.name(at),) if at else ()
            yield Fault(turn.choice, reason, values, at=("special", place, "choices"), cells=cells)


def _beyond(scenario: Scenario, turn: Turn) -> bool:
    """Return whether a choice exceeds the maximum, is a repetition, or needs a missing Lore Master."""
    many = turn.number >= _max_choices(scenario, turn.play) or _again(turn.play, turn.number)
    return many or _powerless(scenario, turn.play)


def _reason(scenario: Scenario, turn: Turn) -> str:
    """Return the reason why a choice is illegal, or an empty text if it is legal."""
    card = specialists()[turn.play.card]
    test = _LAWFUL.get(card.effect)
    return test(scenario, turn, card, Choice.of(turn.choice, turn.before.board)) if test else ""


@rule("special.pool")
def pools(scenario: Scenario) -> Iterator[Fault]:
    # Check only plays that are legal in all other respects.
    for place, (play, (before, after)) in enumerate(zip(scenario.plays, pairwise(scenario.tables), strict=True)):
        turns = [turn for turn in scenario.turns if turn.play is play]
        if any(_beyond(scenario, turn) or _reason(scenario, turn) for turn in turns):
            continue
        if not _fits(scenario, after, play.camp) and _fits(scenario, before, play.camp):
            yield Fault(play.camp, "short", {"card": specialists()[play.card].label}, at=("special", place))


def _fits(scenario: Scenario, table: Table, camp: Side) -> bool:
    units = [u for u in table.of(camp) if not u.levy]
    return scenario.pool.fits(camp, [u.kind for u in units], [u.kind for u in units for _ in range(u.extra)])


def _stakes(scenario: Scenario, turn: Turn, card: Specialist, choice: Choice) -> str:
    board, feature = turn.before.board, lore().features["stakes"]
    if choice.at is None:
        return "hex"
    if board.ground[choice.at] not in feature.on or choice.at in board.features:
        return "ground"
    if board.plan.seen(choice.at, turn.play.camp).r >= card.rows:
        return "rows"
    pieces = needs(board)
    pieces.update(feature.tiles)
    return "tiles" if shortage(pieces, scenario.inventory) else ""


def _open(turn: Turn, at: Hex | None) -> str:
    """Return the reason why no unit can be placed on a hex, or an empty text if the hex is available."""
    if at is None:
        return "hex"
    if not turn.before.board.passable(at):
        return "impassable"
    return "taken" if at in turn.before.taken() else ""


def _own(turn: Turn, choice: Choice) -> Unit | None:
    """Return the unit of the camp on the board that a choice names, or None."""
    unit = turn.before.find(turn.play.camp, choice.name)
    return unit if unit and unit.hex else None


def _reserve(scenario: Scenario, turn: Turn, choice: Choice) -> tuple[Kind | None, Unit | None]:
    """Return the kind that a choice names on the reserve card, and the unit placed from this cell, or None."""
    reserve = scenario.reserve(turn.play.camp)
    cell = read_cell_name(choice.name)
    kind = reserve.kinds.get(choice.name)
    came = from_reserve(turn.before, turn.play.camp, reserve.key, cell) if cell else None
    return kind, came


def _enroll(scenario: Scenario, turn: Turn, card: Specialist, choice: Choice) -> str:
    if turn.play.camp == scenario.first:
        return "first"
    kind, came = _reserve(scenario, turn, choice)
    if kind is None:
        return "reserve"
    if came:
        return "came"
    if choice.at not in turn.before.board.plan.baseline(turn.play.camp):
        return "baseline"
    return _open(turn, choice.at)


def _vantage(scenario: Scenario, turn: Turn, card: Specialist, choice: Choice) -> str:
    kind, came = _reserve(scenario, turn, choice)
    if kind is None:
        return "reserve"
    if came is None and scenario.rulings["vantage"] == "brought":
        return "absent"
    if reason := _open(turn, choice.at):
        return reason
    assert choice.at
    others = {u.hex for u in turn.before.of(turn.play.camp) if u != came}
    return "" if others & set(turn.before.board.field.neighbours(choice.at)) else "beside"


def _move(scenario: Scenario, turn: Turn, card: Specialist, choice: Choice) -> str:
    unit = _own(turn, choice)
    if unit is None or unit.hex is None:
        return "unit"
    table = turn.before
    return "" if choice.at in reach(table.board, table.taken(), unit.hex, run(unit.kind)) else "reach"


def _reinforce(scenario: Scenario, turn: Turn, card: Specialist, choice: Choice) -> str:
    unit = _own(turn, choice)
    if unit is None:
        return "unit"
    if unit.levy:
        return "levy"
    level = card.level(scenario.forces[turn.play.camp].council)
    return "mounted" if unit.kind.arm == "mounted" and level < card.mounted_from else ""


def _copy(scenario: Scenario, turn: Turn, card: Specialist, choice: Choice) -> str:
    unit = _own(turn, choice)
    if unit is None or unit.hex is None:
        return "unit"
    level = card.level(scenario.forces[turn.play.camp].council)
    if unit.kind.banner not in card.banners[:level]:
        return "banner"
    if reason := _open(turn, choice.at):
        return reason
    return "" if choice.at in turn.before.board.field.neighbours(unit.hex) else "next"


def _hire(scenario: Scenario, turn: Turn, card: Specialist, choice: Choice) -> str:
    unit = _own(turn, choice)
    if unit is None:
        return "unit"
    return "foot" if unit.kind.arm != "foot" else ""


def _hire_pair(scenario: Scenario, turn: Turn, card: Specialist, choice: Choice) -> str:
    unit = _own(turn, choice)
    if reason := _hire(scenario, turn, card, choice) or _open(turn, choice.at):
        return reason
    assert unit and unit.hex
    return "" if choice.at in turn.before.board.field.neighbours(unit.hex) else "next"


_LAWFUL: Mapping[str, Callable[[Scenario, Turn, Specialist, Choice], str]] = {
    asked.__name__[1:]: asked for asked in (_stakes, _enroll, _vantage, _move, _reinforce, _copy, _hire, _hire_pair)
}


rules = cache(partial(ruleset, ground_rules.rule, rule, deployment_rules.rule))
"""Returns BattleLore's rules for terrain, then the rules in this module, then those for deployment."""
