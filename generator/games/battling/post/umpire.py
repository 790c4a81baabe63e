"""Write the next post of a thread, with pending replies and the legal orders of machines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice

from msgspec import Struct

from generator.games.battling.legal_orders import orders
from generator.games.battling.model import OTHER, SIDES, Scenario, Side, side_name
from generator.games.battling.notation import Answer, BattlingReply, Header, Order, Reply, ShotReply, write_line
from generator.games.battling.play import Standing
from generator.games.battling.post.chain import mixed, thrown
from generator.games.battling.post.judge import Judged, Pending
from generator.games.battling.tables import Result, Roll, dice, words
from generator.model.words import LANGS, Words, joined, same

BLANK = "?"
"""The sign that players replace with a number. The judge reports lines that still contain it."""


class DueReply(Struct, frozen=True):
    """A reply or answer that a player still has to write."""

    of: Pending
    number: int | None
    """The highest unmodified die with which a shot hits, or None for battling."""
    power: int | None
    """The highest unmodified die with which a shot costs a hit point, or None for battling."""
    change: int
    """The modifier of the die that hits, or of battling."""
    armour: int
    """The modifier of the damage die."""
    results: tuple[Result, ...]
    """The result of battling for each face of the die, including the modifier."""
    hp: int
    """The present hit points of the machine. In an answer, the hit points after the loss."""
    link: str
    """The link of the side's chain that is posted with the line, or an empty string if it is unknown."""
    reply: Reply | None
    """The line itself if all of its dice are known, otherwise None."""

    @property
    def max_to_hit(self) -> int:
        """Return the highest roll with which a shot hits, or 0 if no roll hits."""
        return max(0, (self.number or 0) - self.change)


class Next(Struct, frozen=True):
    """The next post."""

    turn: int
    side: Side
    due: tuple[DueReply, ...]
    """The replies and answers that the post must contain."""
    others: tuple[DueReply, ...]
    """The replies and answers that the other side still has to write."""
    orders: Mapping[str, tuple[Order, ...]]
    """The legal orders of each of the side's machines, by id."""
    idle: tuple[str, ...]
    """The other side's machines that did not act in the preceding phase and may still act until this post."""
    link: str
    """The next link of the side's chain, or an empty string if it is unknown."""


def next_post(scenario: Scenario, judged: Judged, chain: Sequence[str] = ()) -> Next | None:
    """Return the next post for a log, or None if the battle is over.

    `chain` is the chain of the post's writer (`chain.forge`), which determines the dice.
    """
    if judged.outcome.over:
        return None
    turn, seat = judged.phase
    side: Side = SIDES[1 - seat] if turn else "first"
    turn = turn + seat if turn else 1
    acts = turn <= scenario.turns
    if not acts:
        waiting_sides = {of.side for of in judged.waiting}
        turn, side = scenario.turns, side if side in waiting_sides else OTHER[side]
    links = _links(judged, side, chain)
    left = {unit: machine.hp for unit, machine in judged.position.machines.items()}
    due = tuple(_all_due(scenario, judged, side, left, links))
    position = judged.position
    return Next(
        turn=turn,
        side=side,
        due=due,
        others=tuple(_all_due(scenario, judged, OTHER[side], left, iter(()))),
        orders={machine.id: orders(position, machine.id) for machine in position.side(side)} if acts else {},
        idle=tuple(m.id for m in position.side(OTHER[side]) if judged.phase[0] and m.id not in judged.acted),
        link=next(links, ""),
    )


def _links(judged: Judged, side: Side, chain: Sequence[str]) -> Iterator[str]:
    """Return the links of a chain that its side has not used."""
    used = judged.links.get(side)
    return iter(chain[chain.index(used) + 1 :] if used in chain else ())


def _all_due(
    scenario: Scenario, judged: Judged, side: Side, left: dict[str, int], links: Iterator[str]
) -> Iterator[DueReply]:
    """Yield the replies and answers that a side must write.

    A machine that is destroyed by a reply writes no further ones.
    """
    for of in judged.waiting:
        if of.side == side and (of.stage == "answer" or left[of.target]):
            due = _due_reply(scenario, judged, of, left, links)
            if of.stage == "reply" and due.reply and due.reply.hp is not None:
                left[of.target] = due.reply.hp
            yield due


def _due_reply(
    scenario: Scenario, judged: Judged, of: Pending, left: Mapping[str, int], links: Iterator[str]
) -> DueReply:
    pack, machines = scenario.pack, judged.position.machines
    attacker, target = machines[of.attacker], machines[of.target]
    name, hp = scenario.arena.field.name(of.cell), left[of.target]
    if of.stage == "answer":
        answer = Answer(name, of.result, attacker.hp)
        return DueReply(of, None, None, 0, 0, (), attacker.hp, "", answer)
    link = next(links, "") if of.link else ""
    rolled = list(islice(thrown(mixed(of.link, link, of.order)), 2)) if link else []
    if of.order.action == "F":
        shot = pack.shot(attacker.kind, target.kind, of.distance, of.last)
        reply: Reply | None = None
        if rolled:
            hit = shot.hit(rolled[0])
            lost = hit and shot.hurt(rolled[1])
            reply = ShotReply(name, rolled[0], hit, rolled[1] if hit else None, max(0, hp - lost))
        return DueReply(of, shot.number, shot.power, shot.change, shot.armour, (), hp, link, reply)
    battling = pack.battling_roll(attacker.kind, target.kind, of.last)
    results = tuple(battling.result(face) for face in dice().faces)
    reply = None
    if rolled:
        result = battling.result(rolled[0])
        reply = BattlingReply(name, rolled[0], result, max(0, hp - dice().effects[result].target_loss))
    return DueReply(of, None, None, battling.change, 0, results, hp, link, reply)


def text(scenario: Scenario, judged: Judged, post: Next | None) -> Words:
    """Return the post for pasting and filling in.

    Remarks are in brackets, which are ignored when a log is read. The lines to fill in are between them.
    """
    if post is None:
        return _aside(judged.outcome.text)
    return joined(_lines(scenario, judged, post), "\n", "\n")


def _lines(scenario: Scenario, judged: Judged, post: Next) -> Iterator[Words]:
    texts = words()["next"]
    header = Header(post.turn, post.side)
    yield Words(*(write_line(header, lang) for lang in LANGS))
    for due in post.due:
        yield from _describe_due(scenario, due)
    if post.others:
        lines = joined([same(due.of.line) for due in post.others])
        yield _aside(texts["others"].fill(side=side_name(OTHER[post.side]), lines=lines))
    if post.idle:
        idle = joined([scenario.labels[unit] for unit in post.idle])
        yield _aside(texts["idle"].fill(units=idle))
    for side in SIDES:
        machines = judged.position.side(side)
        yield _aside(
            texts["stand"].fill(side=side_name(side), units=joined(_standing(scenario, m) for m in machines))
        )
    if post.link:
        yield _aside(texts["link"].fill(link=post.link))
    for unit, legal in post.orders.items():
        yield _aside(texts["orders"].fill(unit=scenario.labels[unit]))
        number = judged.position.machines[unit].number
        for (action, legs), some in groupby(legal, key=lambda order: (order.action, order.legs)):
            head = " / ".join([action, *map(str, legs)])
            rests = ", ".join(filter(None, map(_rest, some)))
            yield _aside(same(f"#{number}: {head}: {rests}" if rests else f"#{number}: {head}"))


def _rest(order: Order) -> str:
    """Return an order without its letter and its number of hexes."""
    turn = f"@{order.turn} " if order.turn else ""
    return turn + " / ".join(filter(None, (order.to, order.target)))


def _standing(scenario: Scenario, machine: Standing) -> Words:
    place = scenario.arena.field.name(machine.cell)
    kind = scenario.pack.machines[machine.kind].name
    return words()["next"]["machine"].fill(unit=scenario.labels[machine.id], kind=kind, hex=place, hp=machine.hp)


def _aside(of: Words) -> Words:
    """Return a remark, which is ignored when a log is read."""
    return Words(f"({of.en})", f"（{of.ja}）")


def _describe_due(scenario: Scenario, due: DueReply) -> Iterator[Words]:
    """Yield the reason for a line and its numbers, and the line itself."""
    texts, of = words()["next"], due.of
    name, labels = scenario.arena.field.name(of.cell), scenario.labels
    values = {"line": of.line, "hex": name, "unit": labels[of.target], "enemy": labels[of.attacker]}
    if of.stage == "answer":
        yield _aside(texts["answer"].fill(result=of.result, **values))
    elif of.order.action == "F":
        yield _aside(texts["shot"].fill(distance=of.distance, **values))
        changed = _changes("hit", due.change, of.last)
        roll = _describe_roll("hit", due.max_to_hit)
        yield _aside(texts["hit"].fill(number=due.number, change=changed, roll=roll))
        if due.max_to_hit:
            roll = _describe_roll("hurt", (due.power or 0) - due.armour)
            yield _aside(texts["hurt"].fill(number=due.power, change=_armour(scenario, due), roll=roll, hp=due.hp))
    else:
        yield _aside(texts["clash"].fill(**values))
        faces = joined(same(f"{face} {result}") for face, result in _faces(due.results))
        change = _changes("battling", due.change, of.last)
        yield _aside(texts["faces"].fill(faces=faces, change=change, hp=due.hp))
    if of.link:
        yield _aside(texts["by_chain"].fill(link=of.link))
    yield same(line(due, name))


def _describe_roll(roll: str, highest: int) -> Words:
    """Describe the rolls that succeed, which may be all rolls, rolls up to a number, or no rolls."""
    texts, faces = words()["next"], dice().faces
    if highest < faces[0]:
        return texts[f"{roll}_none"]
    return texts[f"{roll}_all"] if highest >= faces[-1] else texts[f"{roll}_some"].fill(most=highest)


def line(due: DueReply, name: str) -> str:
    """Return the line of a reply, with blanks for unknown dice. A shot that can hit is written as a hit."""
    if due.reply:
        return f"{write_line(due.reply)} {due.link}".rstrip()
    if due.of.order.action == "F" and not due.max_to_hit:
        return f"{name} / {BLANK} / F / HP{due.hp}"
    shot = [name, BLANK, "H", BLANK, f"HP{BLANK}"]
    return " / ".join(shot if due.of.order.action == "F" else [name, BLANK, BLANK, f"HP{BLANK}"])


def _faces(results: Sequence[Result]) -> Iterator[tuple[str, Result]]:
    """Yield ranges of a die's faces that have the same result."""
    face = 1
    for result, some in groupby(results):
        count = len(list(some))
        yield (str(face) if count == 1 else f"{face}–{face + count - 1}"), result
        face += count


def _changes(roll: Roll, change: int, last: str) -> Words:
    """Describe the modifier of a die and the reason for it."""
    found = [m.text.fill(die=f"{m.die:+}") for m in dice().modifier if (m.roll, m.last) == (roll, last)]
    return joined(found, " ", "") if found and change else words()["next"]["unchanged"]


def _armour(scenario: Scenario, due: DueReply) -> Words:
    if not due.armour:
        return words()["next"]["unchanged"]
    kind = next(m.kind for _, m in scenario.machines if m.id == due.of.target)
    return dice().armour.text.fill(machine=scenario.pack.machines[kind].name, die=f"{due.armour:+}")


def rows(scenario: Scenario, judged: Judged, post: Next | None) -> dict[str, object]:
    """Return the next post as JSON-compatible values (docs/json.md)."""
    field = scenario.arena.field
    return {
        "over": post is None,
        "turn": post.turn if post else None,
        "side": post.side if post else None,
        "owes": [_row(field.name(due.of.cell), due) for due in post.due] if post else [],
        "others": [_row(field.name(due.of.cell), due) for due in post.others] if post else [],
        "idle": list(post.idle) if post else [],
        "link": (post.link if post else "") or None,
        "orders": {unit: list(map(write_line, legal)) for unit, legal in post.orders.items()} if post else {},
    }


def _row(name: str, due: DueReply) -> dict[str, object]:
    of = due.of
    kind = "answer" if of.stage == "answer" else "shot" if of.order.action == "F" else "battling"
    return {
        "line": of.line,
        "kind": kind,
        "hex": name,
        "attacker": of.attacker,
        "target": of.target,
        "distance": of.distance if kind == "shot" else None,
        "last": of.last or None,
        "number": due.number,
        "change": due.change,
        "damage": due.power,
        "armour": due.armour,
        "results": list(due.results),
        "result": of.result if kind == "answer" else None,
        "hp": due.hp,
        "write": line(due, name),
    }
