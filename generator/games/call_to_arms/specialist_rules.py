"""Specialists: who picks how many, in which order they are played, and what each may do.

Each choice is judged on the table as it lay before it, by the text of its card alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

from generator.common.tables import RuleBook
from generator.games.battlelore.forces import Kind, Unit, council_tables
from generator.games.battlelore.ground import SIDES, Side, needs, shortage, side_name
from generator.games.battlelore.model import MEDIEVAL, OTHER
from generator.games.battlelore.play import reach, run
from generator.games.battlelore.tables import lore
from generator.games.call_to_arms.cards import read_cell_name
from generator.games.call_to_arms.model import Scenario, Turn
from generator.games.call_to_arms.specialists import Choice, Play, Specialist, Table, from_reserve, specialists
from generator.games.call_to_arms.tables import numbers
from generator.games.call_to_arms.wishes import ORGANIZED
from generator.grid.hexes import Hex
from generator.notation import text
from generator.rules import Fault

rule = RuleBook("call_to_arms/rules.toml")


@rule("special.picks")
def picks(scenario: Scenario) -> Iterator[Fault]:
    if scenario.mode != ORGANIZED:
        if scenario.plays or any(f.specialists for f in scenario.forces.values()):
            yield Fault("play", "mode")
        return
    if not (scenario.plays or any(f.specialists for f in scenario.forces.values())):
        line = text.lines({"specialists": ["?"] * (len(numbers().picks) // len(SIDES))})[0]
        for camp in SIDES:
            told: dict[str, object] = {"camp": side_name(camp), "key": camp}
            yield Fault(camp, "unproved", told, at=(camp, "specialists"), unproved=True, mend=line)
        return
    if scenario.owner is None:
        yield Fault("play", "owner", at=("play",))
        return
    most = Counter(scenario.owner if turn == "owner" else OTHER[scenario.owner] for turn in numbers().picks)
    for camp, force in scenario.forces.items():
        values = {"camp": side_name(camp), "have": len(force.specialists), "most": most[camp]}
        if len(force.specialists) != most[camp]:
            reason = "many" if len(force.specialists) > most[camp] else "few"
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
    """Whether the Lore Master is missing whose sign the card bears; nothing else is asked of such a play."""
    return specialists()[play.card].level(scenario.forces[play.camp].council) == 0


def _most(scenario: Scenario, play: Play) -> int:
    """How many choices a play may make."""
    card = specialists()[play.card]
    return 0 if card.effect in ("upgrade", "lore") else card.limit(scenario.forces[play.camp].council)


def _again(play: Play, number: int) -> bool:
    """Whether a choice names what the play has chosen before, where its card does not allow that."""
    names = [text.partition(">")[0] for text in play.choices]
    return specialists()[play.card].effect != "reinforce" and names[number] in names[:number]


@rule("special.limit")
def limits(scenario: Scenario) -> Iterator[Fault]:
    for place, play in enumerate(scenario.plays):
        if _powerless(scenario, play):
            continue
        have, most = len(play.choices), _most(scenario, play)
        values: dict[str, object] = {"card": specialists()[play.card].label, "have": have, "most": most}
        if have > most:
            yield Fault(play.camp, "many", values, at=("special", place, "choices"))
        if any(_again(play, number) for number in range(have)):
            yield Fault(play.camp, "twice", values, at=("special", place, "choices"))


@rule("special.choice")
def choices(scenario: Scenario) -> Iterator[Fault]:
    # What is beyond a limit or a Lore Master is for the rules of those names.
    for turn in scenario.turns:
        if not _beyond(scenario, turn) and (reason := _reason(scenario, turn)):
            values: dict[str, object] = {"card": specialists()[turn.play.card].label, "choice": turn.choice}
            place = next(i for i, play in enumerate(scenario.plays) if play is turn.play)
            at, board = Choice.of(turn.choice, turn.before.board).at, turn.before.board
            cells = (board.field.name(at),) if at else ()
            yield Fault(turn.choice, reason, values, at=("special", place, "choices"), cells=cells)


def _beyond(scenario: Scenario, turn: Turn) -> bool:
    """Whether a choice should not be there at all."""
    many = turn.number >= _most(scenario, turn.play) or _again(turn.play, turn.number)
    return many or _powerless(scenario, turn.play)


def _reason(scenario: Scenario, turn: Turn) -> str:
    """Why a choice is not lawful; empty where it is."""
    card = specialists()[turn.play.card]
    test = _LAWFUL.get(card.effect)
    return test(scenario, turn, card, Choice.of(turn.choice, turn.before.board)) if test else ""


@rule("special.pool")
def pools(scenario: Scenario) -> Iterator[Fault]:
    # Of plays that are lawful otherwise.
    for place, (play, (before, after)) in enumerate(zip(scenario.plays, pairwise(scenario.tables), strict=True)):
        own = [turn for turn in scenario.turns if turn.play is play]
        if any(_beyond(scenario, turn) or _reason(scenario, turn) for turn in own):
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
    """Whether a unit may be placed on a hex at all."""
    if at is None:
        return "hex"
    if not turn.before.board.passable(at):
        return "impassable"
    return "taken" if at in turn.before.taken() else ""


def _own(turn: Turn, choice: Choice) -> Unit | None:
    """The camp's unit on the board that a choice names."""
    unit = turn.before.find(turn.play.camp, choice.name)
    return unit if unit and unit.hex else None


def _reserve(scenario: Scenario, turn: Turn, choice: Choice) -> tuple[Kind | None, Unit | None]:
    """The kind on the reserve card that a choice names, and the unit that came of it."""
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
