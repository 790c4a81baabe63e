"""Orders as people write them, positions, and what a machine may do.

The notation of Battling: orders, replies and headers as values, read from one line and written as one.

Where every machine stands at one moment, and what an order does to it before the dice.

Whether an order is legal in a position, derived from its text alone, and by which way and at whom it goes.

Every legal order of a machine, each in the one form in which it is listed.

What may happen in the arena: orders, positions, sight, and games played at random.

How a battle stands.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import Literal

import msgspec
from msgspec.structs import replace

from generator.common.game import Stake
from generator.common.tables import spread
from generator.games.battling.forces import Pack
from generator.games.battling.ground import Arena
from generator.games.battling.model import OTHER, SIDES, Action, Letter, Scenario, Side, order_words, side_name
from generator.games.battling.tables import Result, words
from generator.grid.columns import DIRECTIONS, Numbered, distance, step
from generator.model.words import LANGS, Lang, Words
from generator.notation.text import late


class Order(msgspec.Struct, frozen=True):
    """An order; hexes by their numbers, whether an arena has them or not."""

    action: Letter
    legs: tuple[int, ...] = ()
    """The hexes of a move, in two straight legs where a roller dash turns; empty where it stays."""
    to: str = ""
    target: str = ""
    turn: str = ""
    """The hex in which a roller dash turns, where it is named."""
    unit: str = ""
    """The AT that it is for as typed after `#`: its number or id."""
    start: str = ""
    """The hex that it is for, where one is named in place of an AT."""


class ShotReply(msgspec.Struct, frozen=True):
    """What the target's side rolled against a shot."""

    own: str
    die: int
    hit: bool
    damage: int | None = None
    hp: int | None = None


class ClashReply(msgspec.Struct, frozen=True):
    """What the attacked side rolled in battling."""

    own: str
    die: int
    result: Result
    hp: int | None = None


class Answer(msgspec.Struct, frozen=True):
    """What the attacker has left after an A or EX."""

    own: str
    result: Result
    hp: int | None = None


class Header(msgspec.Struct, frozen=True):
    """Whose lines follow, and in which turn; either may go without saying."""

    turn: int | None
    """From 1."""
    side: Side | None


Reply = ShotReply | ClashReply | Answer

HEX = r"[0-9]{4}"
_AT = "[A-Z]?[0-9]{1,2}"
_PREFIX = late(rf"#?({_AT}):|(?:#|(?=[FS]))({_AT})(?=[WRFBD](?:/|$))|({HEX}):")
_FORMS: Mapping[Letter, re.Pattern[str]] = {
    "W": re.compile(rf"W/(?P<n>[0-9]{{1,2}})/(?P<to>{HEX})"),
    "R": re.compile(rf"R/(?P<n>[0-9]{{1,2}})(?:@(?P<turn>{HEX}))?(?:/(?P<m>[0-9]{{1,2}}))?/(?P<to>{HEX})"),
    "F": re.compile(rf"F/(?P<target>{HEX})"),
    "B": re.compile(rf"B(?:/(?P<n>[0-9]{{1,2}})/(?P<to>{HEX}))?/(?P<target>{HEX})"),
    "D": re.compile(rf"D(?:/(?P<n>[0-9]{{1,2}})/(?P<to>{HEX}))?(?:します|で(?:いきます|行きます|お願いします))?!*"),
}
_TURN = r"(?:(?:turn|ターン|t(?=[0-9]))([0-9]{1,3})|([0-9]{1,3})(?:(?:st|nd|rd|th)?turn|ターン目?|t))"
_HP = r"(?:/(?:残り?)?HP[:=]?(?P<hp>[0-9]{1,2}))?"
_SHOT = late(rf"(?P<own>{HEX})/(?P<die>[0-9]{{1,2}})/(?P<hit>[HF])(?:/(?P<damage>[0-9]{{1,2}}))?{_HP}")
_CLASH = late(rf"(?P<own>{HEX})/(?P<die>[0-9]{{1,2}})/(?P<result>-+|D|A|EX){_HP}")
_ANSWER = late(rf"(?P<own>{HEX})/(?P<result>A|EX){_HP}")


def read(text: str) -> Order | Reply | None:
    """The order or reply of a line in plain characters (`log.plain`); None where it is neither."""
    text = re.sub(r"\s", "", text).upper()
    if match := _PREFIX.match(text):
        return _order(text[match.end() :], match[1] or match[2] or "", match[3] or "")
    return _order(text) or _reply(text)


def write_line(of: Order | Reply | Header, lang: Lang = "en") -> str:
    """The line that reads back as this; only headers differ by language."""
    if isinstance(of, Header):
        return _header(of, lang)
    if isinstance(of, Order):
        legs = [str(leg) for leg in of.legs]
        if of.turn:
            legs[0] += f" @{of.turn}"
        prefix = f"#{of.unit}: " if of.unit else f"{of.start}: " if of.start else ""
        return prefix + " / ".join([of.action, *legs, *filter(None, (of.to, of.target))])
    fields: list[object] = [of.own]
    if isinstance(of, ShotReply):
        fields += [of.die, "H" if of.hit else "F", *([] if of.damage is None else [of.damage])]
    else:
        fields += [of.die, of.result] if isinstance(of, ClashReply) else [of.result]
    return " / ".join(map(str, [*fields, *([] if of.hp is None else [f"HP{of.hp}"])]))


def _order(text: str, unit: str = "", start: str = "") -> Order | None:
    for letter, form in _FORMS.items():
        if match := form.fullmatch(text):
            found = match.groupdict()
            legs = tuple(int(found[leg]) for leg in ("n", "m") if found.get(leg))
            if found.get("turn") and len(legs) == 1:
                return None
            hexes = {key: found.get(key) or "" for key in ("to", "target", "turn")}
            return Order(letter, legs, unit=unit, start=start, **hexes)
    return None


def _reply(text: str) -> Reply | None:
    if match := _SHOT.fullmatch(text):
        return ShotReply(
            match["own"], int(match["die"]), match["hit"] == "H", _int(match["damage"]), _int(match["hp"])
        )
    if match := _CLASH.fullmatch(text):
        return ClashReply(match["own"], int(match["die"]), _result(match["result"]), _int(match["hp"]))
    if match := _ANSWER.fullmatch(text):
        return Answer(match["own"], _result(match["result"]), _int(match["hp"]))
    return None


def _int(text: str | None) -> int | None:
    return None if text is None else int(text)


def _result(text: str) -> Result:
    return next((result for result in ("D", "A", "EX") if result == text), "-")


def _header(of: Header, lang: Lang) -> str:
    form: Literal["both", "turn", "side"] = "both" if of.turn and of.side else "turn" if of.turn else "side"
    side = side_name(of.side) if of.side else ""
    return order_words().header[form].fill(turn=of.turn, side=side)[lang]


def read_header(text: str) -> Header | None:
    """The header that a bracket's content is, in plain characters: `turn 3`, `first`, `3ターン 先攻`, `1T先攻`."""
    text = _bare(text)
    match = _heading().fullmatch(text)
    if not match or not text or (match[1] and match[4]):
        return None
    named = match[1] or match[4]
    return Header(_int(match[2] or match[3]), next((side for side in SIDES if named in _names(side)), None))


def says_phase(text: str) -> bool:
    """Whether a header says in so many words that a player's phase begins, so that it needs no turn beside it."""
    return bool(re.search(_PHASE, text, re.IGNORECASE))


def guess_header(text: str) -> Header | None:
    """The header that a mistyped one was meant as, with a turn or without; None where no side's name is near."""
    text = _bare(text)
    turn = re.search(_TURN, text)
    word = text[: turn.start()] + text[turn.end() :] if turn else text
    # Of two characters one may be wrong: 先行 for 先攻.
    cutoff = 0.75 if word.isascii() else 0.5
    near = [side for side in SIDES if _close(word, _names(side), cutoff)]
    return Header(_int(turn[1] or turn[2]) if turn else None, near[0]) if near else None


def _close(word: str, names: list[str], cutoff: float) -> bool:
    """Whether a word is nearly one of the names; lengths rule out most words of talk before letters are compared."""
    likely = [name for name in names if 2 * min(len(word), len(name)) >= cutoff * (len(word) + len(name))]
    return bool(likely and difflib.get_close_matches(word, likely, cutoff=cutoff))


_PHASE = r"(?:行動)?フェ[イー]ズ|phase|player"


_ORDINALS = {"1st": "first", "2nd": "second"} | {sign: str(n) for n, sign in enumerate("一二三四五六七八九十", 1)}
"""How people write the sides and the first turns, too."""


def _bare(header: str) -> str:
    ordinals = r"(?:1st|2nd)(?!\s*turn)|[一二三四五六七八九十](?=\s*ターン)"
    text = re.sub(ordinals, lambda found: _ORDINALS[found[0]], header.lower())
    return re.sub(rf"[\s・,、.:の|/()#\-–—―]|第|側|'s|{_PHASE}", "", text)


@cache
def _heading() -> re.Pattern[str]:
    sides = "|".join(re.escape(name) for side in SIDES for name in _names(side))
    return re.compile(rf"({sides})?{_TURN}?({sides})?")


def _names(side: Side) -> list[str]:
    return [side_name(side)[lang] for lang in LANGS]


@cache
def actions() -> Mapping[Letter, Action]:
    """What an AT may do by letter, in the order of the file."""
    return {action.id: action for action in order_words().action}


STRICT = "strict"
"""The choice of the ruling `dash` by which a roller dash never turns."""


class Standing(msgspec.Struct, frozen=True):
    """A machine at one moment."""

    id: str
    side: Side
    kind: str
    cell: Numbered
    hp: int
    """None left: it is destroyed and off the arena."""
    last: str = ""
    """The letter of what it did in its own latest phase; empty where that was nothing."""

    @property
    def number(self) -> str:
        """What its counter shows, as an order may name it."""
        return self.id[1:]


class Position(msgspec.Struct, frozen=True, dict=True):
    """All machines at one moment, and what they are judged by."""

    arena: Arena
    pack: Pack
    strict: bool
    """Whether a roller dash may not turn."""
    machines: Mapping[str, Standing]

    @cached_property
    def at(self) -> Mapping[Numbered, Standing]:
        """The machines that are not destroyed, by hex."""
        return {machine.cell: machine for machine in self.machines.values() if machine.hp > 0}

    def side(self, side: Side) -> tuple[Standing, ...]:
        """A side's machines that are not destroyed."""
        return tuple(machine for machine in self.machines.values() if machine.side == side and machine.hp > 0)

    def after(self, unit: str, order: Order) -> Position:
        """The position when a machine has carried out a legal order, without its dice."""
        machine = self.machines[unit]
        cell = self.arena.field.find(order.to) if order.to else machine.cell
        assert cell is not None, "a legal order keeps to the arena"
        moved = msgspec.structs.replace(machine, cell=cell, last=order.action)
        return replace(self, machines={**self.machines, unit: moved})


def opening(scenario: Scenario) -> Position:
    """The position that a battle begins with."""
    machines = {m.id: Standing(m.id, side, m.kind, m.cell, m.hp) for side, m in scenario.machines}
    return Position(scenario.arena, scenario.pack, scenario.rulings.get("dash") == STRICT, machines)


class Act(msgspec.Struct, frozen=True):
    """A legal order as it is carried out."""

    path: tuple[Numbered, ...]
    """The hexes from where it stood to where it goes, both among them."""
    target: Standing | None = None


class Refusal(msgspec.Struct, frozen=True):
    """Why an order is not legal: a reason of orders.toml, and what fills its words."""

    reason: str
    values: Mapping[str, object] = {}


def act(position: Position, unit: Standing, order: Order) -> Act | Refusal:
    """What a machine's order comes to."""
    path = _path(position, unit, order)
    # It shares no code with `orders`, which lists what is legal: each is held against the other.
    if isinstance(path, Refusal) or not actions()[order.action].attack:
        return path if isinstance(path, Refusal) else Act(path)
    target = _target(position, unit, path[-1], order)
    return target if isinstance(target, Refusal) else Act(path, target)


def _path(position: Position, unit: Standing, order: Order) -> tuple[Numbered, ...] | Refusal:
    action, count, field = actions()[order.action], sum(order.legs), position.arena.field
    if count > action.most:
        return Refusal("move.far", {"count": count, "most": action.most})
    if count < action.least or (len(order.legs) > 1 and 0 in order.legs):
        return Refusal("move.none")
    if not order.to:
        return (unit.cell,)
    end = field.find(order.to)
    if end is None:
        return Refusal("move.hex", {"hex": order.to})
    path = _dash(position, unit, order, end) if order.action == "R" else _walk(position, unit, count, end)
    if isinstance(path, Refusal):
        return path
    there = position.at.get(end)
    if there and there.id != unit.id:
        return Refusal("move.stack", {"unit": there.id, "hex": order.to})
    return path


def _walk(position: Position, unit: Standing, count: int, end: Numbered) -> tuple[Numbered, ...] | Refusal:
    """A way of exactly so many hexes; where there is none, what bars the shortest one."""
    ways: dict[Numbered, tuple[Numbered, ...]] = {unit.cell: (unit.cell,)}
    barred: dict[Numbered, Refusal] = {}
    for _ in range(count):
        ahead: dict[Numbered, tuple[Numbered, ...]] = {}
        for cell, way in ways.items():
            for n in position.arena.field.neighbours(cell):
                if bar := _bar(position, unit, n):
                    barred.setdefault(n, bar)
                else:
                    ahead.setdefault(n, (*way, n))
        ways = ahead
    if end in ways:
        return ways[end]
    # What bars it is worth telling only where the count would do on open ground.
    near = [n for n in barred if distance(unit.cell, n) + distance(n, end) <= count]
    if near:
        return barred[end if end in near else near[0]]
    values = {"start": position.arena.field.name(unit.cell), "hex": position.arena.field.name(end), "count": count}
    return Refusal("move.reach", values)


def _dash(position: Position, unit: Standing, order: Order, end: Numbered) -> tuple[Numbered, ...] | Refusal:
    """The straight way, or the one with a single turn of 60 degrees."""
    field, start = position.arena.field, unit.cell
    if position.strict and len(order.legs) > 1:
        return Refusal("dash.strict")
    paths = [path for path in _courses(start, order.legs) if path[-1] == end]
    if not paths:
        legs = " + ".join(map(str, order.legs))
        return Refusal("dash.straight", {"legs": legs, "start": field.name(start), "hex": order.to})
    bends = {field.name(path[order.legs[0]]): path for path in paths}
    if order.turn and order.turn not in bends:
        return Refusal("dash.turn", {"hex": order.turn})
    if len(paths) > 1 and not order.turn:
        return Refusal("dash.where", {"example": f"{order.legs[0]} @{next(iter(bends))}"})
    path = bends[order.turn] if order.turn else paths[0]
    return next((bar for cell in path[1:] if (bar := _bar(position, unit, cell))), path)


def _courses(start: Numbered, legs: tuple[int, ...]) -> list[tuple[Numbered, ...]]:
    """Every way of these straight legs, on the field or not."""
    courses = []
    for direction in range(len(DIRECTIONS)):
        straight = _straight((start,), direction, legs[0])
        turns = (direction - 1, direction + 1)
        courses += [_straight(straight, d % len(DIRECTIONS), legs[1]) for d in turns] if legs[1:] else [straight]
    return courses


def _straight(path: tuple[Numbered, ...], direction: int, count: int) -> tuple[Numbered, ...]:
    for _ in range(count):
        path = (*path, step(path[-1], direction))
    return path


def _bar(position: Position, unit: Standing, cell: Numbered) -> Refusal | None:
    """What keeps a machine out of a hex; its own side's machines do not while it passes."""
    name = position.arena.field.name(cell)
    if cell not in position.arena.field:
        return Refusal("move.hex", {"hex": name})
    if position.arena.closed(cell):
        return Refusal("move.closed", {"hex": name})
    there = position.at.get(cell)
    return Refusal("move.enemy", {"hex": name}) if there and there.side != unit.side else None


def _target(position: Position, unit: Standing, start: Numbered, order: Order) -> Standing | Refusal:
    arena = position.arena
    cell = arena.field.find(order.target)
    if cell is None:
        return Refusal("move.hex", {"hex": order.target})
    values = {"start": arena.field.name(start), "hex": order.target, "distance": distance(start, cell)}
    target = position.at.get(cell)
    if target and target.side == unit.side:
        return Refusal("target.own", {"unit": target.id, **values})
    if not target:
        return Refusal("target.none", values)
    if actions()[order.action].attack == "next":
        return target if distance(start, cell) == 1 else Refusal("target.next", values)
    if not position.pack.number(unit.kind, distance(start, cell)):
        return Refusal("target.range", values)
    return target if arena.in_sight(start, cell) else Refusal("target.sight", values)


def _ordered(scenario: Scenario) -> dict[Words, Words]:
    """The orders that each machine may give at the start."""
    say, position = words()["stake_orders"], opening(scenario)
    named = {machine.id: machine.called for _side, machine in scenario.machines}
    every = ((named[unit], order) for unit in position.machines for order in orders(position, unit))
    return {
        Words(*(f"{unit[lang]}: {write_line(order, lang)}" for lang in LANGS)): say["holds"] for unit, order in every
    }


def own_stakes() -> tuple[Stake[Scenario], ...]:
    """What hangs on how a roller dash is read: orders."""
    return (Stake("orders", _ordered, ("dash",), words()["stake_orders"]),)


def orders(position: Position, unit: str) -> tuple[Order, ...]:
    """The legal orders of a machine, none for a destroyed one: W, R, F, B, D, each by its hexes in order.

    A walk is listed by the fewest hexes that lead to its end, a dash of equal legs by the hex in which it turns.
    """
    machine = position.machines[unit]
    if machine.hp <= 0:
        return ()
    dashes = (order for order, _ in _dashes(position, machine))
    of = (_walks(position, machine), dashes, _shots(position, machine), _clashes(position, machine))
    return tuple(order for found in (*of, _guards(position, machine)) for order in sorted(found, key=_key))


def dashes(position: Position, unit: str) -> list[tuple[Order, tuple[Numbered, ...]]]:
    """The legal roller dashes of a machine as `orders` lists them, each with the hexes that it goes through."""
    return sorted(_dashes(position, position.machines[unit]), key=lambda found: _key(found[0]))


def _key(order: Order) -> tuple[object, ...]:
    return sum(order.legs), order.legs, order.to, order.turn, order.target


def _walks(position: Position, machine: Standing) -> Iterator[Order]:
    for cell, count in _reach(position, machine, "W").items():
        if count >= actions()["W"].least and cell not in position.at:
            yield Order("W", (count,), position.arena.field.name(cell))


def _dashes(position: Position, machine: Standing) -> Iterator[tuple[Order, tuple[Numbered, ...]]]:
    most, name = actions()["R"].most, position.arena.field.name
    for direction in range(len(DIRECTIONS)):
        straight = _run(position, machine, machine.cell, direction, most)
        for first, bend in enumerate(straight, 1):
            if bend not in position.at:
                yield Order("R", (first,), name(bend)), tuple(straight[:first])
            if position.strict:
                continue
            for turned in (direction + 1, direction - 1):
                ahead = _run(position, machine, bend, turned % len(DIRECTIONS), most - first)
                for second, end in enumerate(ahead, 1):
                    if end not in position.at:
                        turn = name(bend) if first == second else ""
                        path = (*straight[:first], *ahead[:second])
                        yield Order("R", (first, second), name(end), turn=turn), path


def _shots(position: Position, machine: Standing) -> Iterator[Order]:
    for enemy in position.side(OTHER[machine.side]):
        in_range = position.pack.number(machine.kind, distance(machine.cell, enemy.cell)) > 0
        if in_range and position.arena.in_sight(machine.cell, enemy.cell):
            yield Order("F", target=position.arena.field.name(enemy.cell))


def _clashes(position: Position, machine: Standing) -> Iterator[Order]:
    name = position.arena.field.name
    for enemy in position.side(OTHER[machine.side]):
        for cell, count in _stands(position, machine, "B"):
            if distance(cell, enemy.cell) == 1:
                yield Order("B", (count,) if count else (), name(cell) if count else "", name(enemy.cell))


def _guards(position: Position, machine: Standing) -> Iterator[Order]:
    for cell, count in _stands(position, machine, "D"):
        yield Order("D", (count,) if count else (), position.arena.field.name(cell) if count else "")


def _stands(position: Position, machine: Standing, letter: Letter) -> Iterator[tuple[Numbered, int]]:
    """Where a machine may end up, its own hex first, and the hexes that it moves."""
    for cell, count in _reach(position, machine, letter).items():
        if count == 0 or cell not in position.at:
            yield cell, count


def _reach(position: Position, machine: Standing, letter: Letter) -> dict[Numbered, int]:
    """The fewest hexes to each hex that a machine can come through; friends may stand there."""

    def ways(cell: Numbered) -> Iterable[Numbered]:
        return (n for n in position.arena.field.neighbours(cell) if _open(position, machine, n))

    return dict(spread([machine.cell], ways, actions()[letter].most))


def _run(position: Position, machine: Standing, cell: Numbered, direction: int, most: int) -> list[Numbered]:
    """The hexes straight ahead as far as nothing bars them."""
    run: list[Numbered] = []
    while len(run) < most and _open(position, machine, cell := step(cell, direction)):
        run.append(cell)
    return run


def _open(position: Position, machine: Standing, cell: Numbered) -> bool:
    if cell not in position.arena.field or position.arena.closed(cell):
        return False
    there = position.at.get(cell)
    return there is None or there.side == machine.side


class Outcome(msgspec.Struct, frozen=True):
    """How a battle stands."""

    over: bool
    winner: Side | None
    text: Words


HIT_POINTS = "hit_points"
"""The choice of the ruling `tie` by which hit points decide between equal numbers of machines."""


def outcome(position: Position, turn: int, ended: bool, tie: str) -> Outcome:
    """How it stands in a turn; `ended` when its last one is over."""
    left = {side: position.side(side) for side in SIDES}
    over = ended or not all(left.values())
    if not over:
        return Outcome(False, None, order_words().outcome["going"].fill(turn=turn))
    machines = {side: len(left[side]) for side in SIDES}
    if winner := _more(machines):
        return Outcome(True, winner, _told("won", winner, machines))
    hp = {side: sum(machine.hp for machine in left[side]) for side in SIDES}
    if tie == HIT_POINTS and (winner := _more(hp)):
        return Outcome(True, winner, _told("on_points", winner, hp))
    return Outcome(True, None, order_words().outcome["draw"].fill(own=machines["first"]))


def _more(of: dict[Side, int]) -> Side | None:
    return next((side for side in SIDES if of[side] > of[OTHER[side]]), None)


def _told(what: str, winner: Side, of: dict[Side, int]) -> Words:
    return order_words().outcome[what].fill(side=side_name(winner), own=of[winner], enemy=of[OTHER[winner]])
