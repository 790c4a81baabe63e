"""Write the next post of a thread: what is pending and what its machines may do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice

from msgspec import Struct

from generator.games.battling.legal_orders import orders
from generator.games.battling.model import OTHER, SIDES, Scenario, Side, side_name
from generator.games.battling.notation import Answer, ClashReply, Header, Order, Reply, ShotReply, write_line
from generator.games.battling.play import Standing
from generator.games.battling.post.chain import mixed, thrown
from generator.games.battling.post.judge import Judged, Pending
from generator.games.battling.tables import Result, Roll, dice, words
from generator.model.words import LANGS, Words, joined, same

BLANK = "?"
"""What is to be filled in; a log in which it was left is told."""


class Owed(Struct, frozen=True):
    """A reply or answer that somebody has still to write."""

    of: Pending
    number: int | None
    """What a shot has to roll at most to hit, before changes."""
    power: int | None
    """What its damage has to roll at most, before changes."""
    change: int
    """What is added to the die that hits, or to that of battling."""
    armour: int
    """What is added to the die of damage."""
    results: tuple[Result, ...]
    """Of battling what each face of the die brings, with its change."""
    hp: int
    """What it has left now; of an answer with the loss."""
    link: str
    """The link of its side's chain that is posted with it; empty where that is not known."""
    said: Reply | None
    """The line itself, where nothing of it hangs on a die that is not known."""

    @property
    def most_to_hit(self) -> int:
        """The highest throw with which a shot hits; 0 where none does."""
        return max(0, (self.number or 0) - self.change)


class Next(Struct, frozen=True):
    """The next post."""

    turn: int
    side: Side
    owed: tuple[Owed, ...]
    """What it owes."""
    others: tuple[Owed, ...]
    """What the other side owes."""
    orders: Mapping[str, tuple[Order, ...]]
    """The legal orders of each of its machines, by its id."""
    idle: tuple[str, ...]
    """The other side's machines that did not act in the phase before, and may still until this post comes."""
    link: str
    """The link of its chain that comes next; empty where it is not known."""


def next_post(scenario: Scenario, judged: Judged, chain: Sequence[str] = ()) -> Next | None:
    """The post that a log waits for, given its writer's chain (`chain.forge`) where he has it; None: it is over."""
    if judged.outcome.over:
        return None
    turn, seat = judged.phase
    side: Side = SIDES[1 - seat] if turn else "first"
    turn = turn + seat if turn else 1
    acts = turn <= scenario.turns
    if not acts:
        owing = {of.side for of in judged.waiting}
        turn, side = scenario.turns, side if side in owing else OTHER[side]
    links = _links(judged, side, chain)
    left = {unit: machine.hp for unit, machine in judged.position.machines.items()}
    owed = tuple(_all_owed(scenario, judged, side, left, links))
    position = judged.position
    return Next(
        turn=turn,
        side=side,
        owed=owed,
        others=tuple(_all_owed(scenario, judged, OTHER[side], left, iter(()))),
        orders={machine.id: orders(position, machine.id) for machine in position.side(side)} if acts else {},
        idle=tuple(m.id for m in position.side(OTHER[side]) if judged.phase[0] and m.id not in judged.acted),
        link=next(links, ""),
    )


def _links(judged: Judged, side: Side, chain: Sequence[str]) -> Iterator[str]:
    """The links of a chain that its side has not used."""
    used = judged.links.get(side)
    return iter(chain[chain.index(used) + 1 :] if used in chain else ())


def _all_owed(
    scenario: Scenario, judged: Judged, side: Side, left: dict[str, int], links: Iterator[str]
) -> Iterator[Owed]:
    """What a side owes; a machine that its chain has destroyed by one attack replies to no other."""
    for of in judged.waiting:
        if of.side == side and (of.stage == "answer" or left[of.target]):
            owed = _owed(scenario, judged, of, left, links)
            if of.stage == "reply" and owed.said and owed.said.hp is not None:
                left[of.target] = owed.said.hp
            yield owed


def _owed(scenario: Scenario, judged: Judged, of: Pending, left: Mapping[str, int], links: Iterator[str]) -> Owed:
    pack, machines = scenario.pack, judged.position.machines
    attacker, target = machines[of.attacker], machines[of.target]
    name, hp = scenario.arena.field.name(of.cell), left[of.target]
    if of.stage == "answer":
        answer = Answer(name, of.result, attacker.hp)
        return Owed(of, None, None, 0, 0, (), attacker.hp, "", answer)
    link = next(links, "") if of.link else ""
    rolled = list(islice(thrown(mixed(of.link, link, of.order)), 2)) if link else []
    if of.order.action == "F":
        shot = pack.shot(attacker.kind, target.kind, of.distance, of.last)
        said: Reply | None = None
        if rolled:
            hit = shot.hit(rolled[0])
            lost = hit and shot.hurt(rolled[1])
            said = ShotReply(name, rolled[0], hit, rolled[1] if hit else None, max(0, hp - lost))
        return Owed(of, shot.number, shot.power, shot.change, shot.armour, (), hp, link, said)
    clash = pack.clash(attacker.kind, target.kind, of.last)
    results = tuple(clash.result(face) for face in dice().faces)
    said = None
    if rolled:
        result = clash.result(rolled[0])
        said = ClashReply(name, rolled[0], result, max(0, hp - dice().effects[result].own))
    return Owed(of, None, None, clash.change, 0, results, hp, link, said)


def text(scenario: Scenario, judged: Judged, post: Next | None) -> Words:
    """The post to paste and fill in.

    Remarks stand in brackets, which a log passes over; the lines to fill in stand between.
    """
    if post is None:
        return _aside(judged.outcome.text)
    return joined(_lines(scenario, judged, post), "\n", "\n")


def _lines(scenario: Scenario, judged: Judged, post: Next) -> Iterator[Words]:
    say = words()["next"]
    header = Header(post.turn, post.side)
    yield Words(*(write_line(header, lang) for lang in LANGS))
    for owed in post.owed:
        yield from _owing(scenario, owed)
    if post.others:
        lines = joined([same(owed.of.line) for owed in post.others])
        yield _aside(say["others"].fill(side=side_name(OTHER[post.side]), lines=lines))
    if post.idle:
        idle = joined([scenario.called[unit] for unit in post.idle])
        yield _aside(say["idle"].fill(units=idle))
    for side in SIDES:
        machines = judged.position.side(side)
        yield _aside(say["stand"].fill(side=side_name(side), units=joined(_standing(scenario, m) for m in machines)))
    if post.link:
        yield _aside(say["link"].fill(link=post.link))
    for unit, legal in post.orders.items():
        yield _aside(say["orders"].fill(unit=scenario.called[unit]))
        number = judged.position.machines[unit].number
        for (action, legs), some in groupby(legal, key=lambda order: (order.action, order.legs)):
            head = " / ".join([action, *map(str, legs)])
            yield _aside(same(f"#{number}: {head}: {' '.join(_rest(order) for order in some)}"))


def _rest(order: Order) -> str:
    """An order but for its letter and its number of hexes."""
    turn = f"@{order.turn} " if order.turn else ""
    return turn + " / ".join(filter(None, (order.to, order.target)))


def _standing(scenario: Scenario, machine: Standing) -> Words:
    place = scenario.arena.field.name(machine.cell)
    kind = scenario.pack.machines[machine.kind].name
    return words()["next"]["machine"].fill(unit=scenario.called[machine.id], kind=kind, hex=place, hp=machine.hp)


def _aside(of: Words) -> Words:
    """A remark, which a log passes over."""
    return Words(f"({of.en})", f"（{of.ja}）")


def _owing(scenario: Scenario, owed: Owed) -> Iterator[Words]:
    """Why a line is owed and by which numbers, and the line itself."""
    say, of = words()["next"], owed.of
    name, called = scenario.arena.field.name(of.cell), scenario.called
    told = {"line": of.line, "hex": name, "unit": called[of.target], "enemy": called[of.attacker]}
    if of.stage == "answer":
        yield _aside(say["answer"].fill(result=of.result, **told))
    elif of.order.action == "F":
        yield _aside(say["shot"].fill(distance=of.distance, **told))
        changed = _changes("hit", owed.change, of.last)
        throw = _throw("hit", owed.most_to_hit)
        yield _aside(say["hit"].fill(number=owed.number, change=changed, throw=throw))
        if owed.most_to_hit:
            throw = _throw("hurt", (owed.power or 0) - owed.armour)
            yield _aside(say["hurt"].fill(number=owed.power, change=_armour(scenario, owed), throw=throw, hp=owed.hp))
    else:
        yield _aside(say["clash"].fill(**told))
        faces = joined(same(f"{face} {result}") for face, result in _faces(owed.results))
        change = _changes("battling", owed.change, of.last)
        yield _aside(say["faces"].fill(faces=faces, change=change, hp=owed.hp))
    if of.link:
        yield _aside(say["by_chain"].fill(link=of.link))
    yield same(line(owed, name))


def _throw(roll: str, most: int) -> Words:
    """What has to be thrown; of a die that shows no such face, that any throw does it or none."""
    say, faces = words()["next"], dice().faces
    if most < faces[0]:
        return say[f"{roll}_none"]
    return say[f"{roll}_all"] if most >= faces[-1] else say[f"{roll}_some"].fill(most=most)


def line(owed: Owed, name: str) -> str:
    """What is owed as a line, with blanks for what hangs on a die; the shot as if it hit, where it can."""
    if owed.said:
        return f"{write_line(owed.said)} {owed.link}".rstrip()
    if owed.of.order.action == "F" and not owed.most_to_hit:
        return f"{name} / {BLANK} / F / HP{owed.hp}"
    shot = [name, BLANK, "H", BLANK, f"HP{BLANK}"]
    return " / ".join(shot if owed.of.order.action == "F" else [name, BLANK, BLANK, f"HP{BLANK}"])


def _faces(results: Sequence[Result]) -> Iterator[tuple[str, Result]]:
    """Faces of the die that bring the same, together."""
    face = 1
    for result, some in groupby(results):
        count = len(list(some))
        yield (str(face) if count == 1 else f"{face}–{face + count - 1}"), result
        face += count


def _changes(roll: Roll, change: int, last: str) -> Words:
    """What is added to a die, and why."""
    found = [m.text.fill(die=f"{m.die:+}") for m in dice().modifier if (m.roll, m.last) == (roll, last)]
    return joined(found, " ", "") if found and change else words()["next"]["unchanged"]


def _armour(scenario: Scenario, owed: Owed) -> Words:
    if not owed.armour:
        return words()["next"]["unchanged"]
    kind = next(m.kind for _, m in scenario.machines if m.id == owed.of.target)
    return dice().armour.text.fill(machine=scenario.pack.machines[kind].name, die=f"{owed.armour:+}")


def rows(scenario: Scenario, judged: Judged, post: Next | None) -> dict[str, object]:
    """The same as plain values ready for JSON (docs/json.md)."""
    field = scenario.arena.field
    return {
        "over": post is None,
        "turn": post.turn if post else None,
        "side": post.side if post else None,
        "owes": [_row(field.name(owed.of.cell), owed) for owed in post.owed] if post else [],
        "others": [_row(field.name(owed.of.cell), owed) for owed in post.others] if post else [],
        "idle": list(post.idle) if post else [],
        "link": (post.link if post else "") or None,
        "orders": {unit: list(map(write_line, legal)) for unit, legal in post.orders.items()} if post else {},
    }


def _row(name: str, owed: Owed) -> dict[str, object]:
    of = owed.of
    kind = "answer" if of.stage == "answer" else "shot" if of.order.action == "F" else "battling"
    return {
        "line": of.line,
        "kind": kind,
        "hex": name,
        "attacker": of.attacker,
        "target": of.target,
        "distance": of.distance if kind == "shot" else None,
        "last": of.last or None,
        "number": owed.number,
        "change": owed.change,
        "damage": owed.power,
        "armour": owed.armour,
        "results": list(owed.results),
        "result": of.result if kind == "answer" else None,
        "hp": owed.hp,
        "write": line(owed, name),
    }
