"""Plant a typo or a cheat in a battle before it is written as a thread, for every kind of fault in the rules.

Each function searches for an event at which the fault is possible, and returns the reason that the judge must
report and the event or post of the fault.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from generator.games.battling.model import OTHER, SIDES, Scenario, Side
from generator.games.battling.play import Position, Standing
from generator.games.battling.post.judge import judge
from generator.grid.columns import Numbered, distance
from tests.games.battling.threads import Event, Post, Thread


@dataclass(frozen=True)
class Plant:
    """A battle with a planted fault."""

    events: tuple[Event, ...]
    reasons: tuple[str, ...]
    """Reasons of which the judge must report one. There are several if several typos explain the fault equally well.
    """
    event: int = -1
    """Index of the event at whose line the fault is, or -1 if the fault is in a post."""
    post: int = -1
    """Index of the post at whose header the fault is, or -1."""
    change: Callable[[list[Post]], None] = lambda _: None
    """Function that changes the posts."""
    first: Callable[[list[str]], list[str]] = list
    """Function that changes the opening posts, which publish the chains."""


Way = Callable[[Scenario, Sequence[Event], Random], Iterator[Plant]]
"""A function that yields possible faults in random order."""
Change = Callable[[Scenario, Event, Random], Iterable[str]]
"""A function that returns alternative texts of an order."""


def _shuffled(of: Iterable[int], random: Random) -> list[int]:
    found = list(of)
    random.shuffle(found)
    return found


def _put(of: Sequence[Event], at: int, **changes: object) -> tuple[Event, ...]:
    return (*of[:at], replace(of[at], sure=True, **changes), *of[at + 1 :])  # type: ignore[arg-type]


def _insert(of: Sequence[Event], at: int, event: Event) -> tuple[Event, ...]:
    """Insert an event, and update references to later events."""
    moved = [replace(e, to=e.to + 1) if e.to >= at else e for e in of]
    return (*moved[:at], replace(event, sure=True), *moved[at:])


def _taken(of: Sequence[Event], at: int) -> tuple[Event, ...]:
    moved = [replace(e, to=e.to - 1) if e.to > at else e for e in of]
    return (*moved[:at], *moved[at + 1 :])


def _order(letters: str, change: Change, *reasons: str) -> Way:
    """Replace an order whose letter is in `letters` by a different order."""

    def way(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
        for at in _shuffled((i for i, e in enumerate(of) if e.kind == "order" and e.text[0] in letters), random):
            texts = sorted(change(scenario, of[at], random))
            if texts:
                yield Plant(_put(of, at, text=random.choice(texts)), reasons, at)

    return way


def _reply(pattern: str, new: str, *reasons: str, kind: str = "reply") -> Way:
    """Rewrite a reply that matches a pattern."""

    def way(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
        fit = (i for i, e in enumerate(of) if e.kind == kind and re.fullmatch(pattern, e.text))
        for at in _shuffled(fit, random):
            text = re.sub(pattern, new, of[at].text)
            if text != of[at].text:
                yield Plant(_put(of, at, text=text), reasons, at)

    return way


def _unit(event: Event) -> tuple[Position, Standing]:
    assert event.before
    return event.before, event.before.machines[event.unit]


def _name(scenario: Scenario, cell: Numbered) -> str:
    return scenario.arena.field.name(cell)


def _cells(count: int, near: int, fits: Callable[[Position, Standing, Numbered], bool]) -> Change:
    """Return walks that claim `count` steps to a suitable hex at distance `near`."""

    def change(scenario: Scenario, event: Event, random: Random) -> Iterator[str]:
        position, unit = _unit(event)
        for cell in scenario.arena.field.cells:
            if distance(unit.cell, cell) == near and fits(position, unit, cell):
                yield f"W / {count} / {_name(scenario, cell)}"

    return change


def _targets(letter: str, fits: Callable[[Position, Standing, Standing], bool]) -> Change:
    def change(scenario: Scenario, event: Event, random: Random) -> Iterator[str]:
        position, unit = _unit(event)
        for other in position.machines.values():
            if other.hp > 0 and other.id != unit.id and fits(position, unit, other):
                yield f"{letter} / {_name(scenario, other.cell)}"

    return change


def _free(position: Position, cell: Numbered) -> bool:
    return not position.arena.closed(cell) and cell not in position.at


def _side_at(position: Position, cell: Numbered) -> Side | None:
    return position.at[cell].side if cell in position.at else None


def _between(position: Position, unit: Standing, cell: Numbered) -> bool:
    return any(distance(n, cell) == 1 and _free(position, n) for n in position.arena.field.neighbours(unit.cell))


def _hidden(position: Position, unit: Standing, other: Standing) -> bool:
    near = position.pack.number(unit.kind, distance(unit.cell, other.cell)) > 0
    return other.side != unit.side and near and not position.arena.in_sight(unit.cell, other.cell)


def _beyond(position: Position, unit: Standing, other: Standing) -> bool:
    return other.side != unit.side and not position.pack.number(unit.kind, distance(unit.cell, other.cell))


def _legs(pattern: str, new: str) -> Change:
    return lambda scenario, event, random: [
        re.sub(pattern, new, event.text) for _ in [0] if re.fullmatch(pattern, event.text)
    ]


def _turned(scenario: Scenario, event: Event, random: Random) -> Iterator[str]:
    """Split a straight dash into two legs, although the dash may not turn."""
    if scenario.rulings.get("dash") == "strict" and (found := re.fullmatch(r"R / (\d) / (\d{4})", event.text)):
        yield f"R / {found[1]} / 1 / {found[2]}"


def _crooked(scenario: Scenario, event: Event, random: Random) -> Iterator[str]:
    """Claim that a dash with one turn is straight."""
    if found := re.fullmatch(r"R / (\d) / (\d) / (\d{4})", event.text):
        yield f"R / {int(found[1]) + int(found[2])} / {found[3]}"


def _shot_at_empty_hex(scenario: Scenario, event: Event, random: Random) -> Iterator[str]:
    """Shoot at an empty hex that is not adjacent to any machine."""
    position, _ = _unit(event)
    for cell in scenario.arena.field.cells:
        if cell not in position.at and all(distance(m.cell, cell) > 1 for m in position.at.values()):
            yield f"F / {_name(scenario, cell)}"


def _twice(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
    for at in _shuffled((i for i, e in enumerate(of) if e.kind == "order"), random):
        if of[at].text != "D":
            yield Plant(_insert(of, at + 1, replace(of[at], text="D")), ("order.twice",), at + 1)


def _strange(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
    for at in _shuffled((i for i, e in enumerate(of) if e.kind == "order"), random):
        yield Plant(_put(of, at, unit=f"{of[at].unit[0]}7"), ("order.unknown",), at)


def _dead(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
    for at in _shuffled((i for i, e in enumerate(of) if e.kind == "order"), random):
        position, _ = _unit(of[at])
        for gone in (m for m in position.machines.values() if m.hp == 0 and m.side == of[at].side):
            extra = replace(of[at], unit=gone.id, text="D")
            yield Plant(_insert(of, at, extra), ("order.destroyed",), at)


def _guard_without_number(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
    """Post a guard without a machine number while other machines of the same side have not acted."""
    for at in _shuffled((i for i, e in enumerate(of) if e.kind == "order" and e.text == "D"), random):
        left = [e for e in of[at + 1 :] if e.kind == "order" and e.phase == of[at].phase]
        if left:
            yield Plant(_put(of, at, names_unit=False), ("order.whose",), at)


def _unreachable_walk(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
    """Post a walk without a machine number, to a hex that no machine can reach."""
    for at in _shuffled((i for i, e in enumerate(of) if e.kind == "order" and e.text[0] in "WD"), random):
        position, _ = _unit(of[at])
        left = {e.unit for e in of[at:] if e.kind == "order" and e.phase == of[at].phase}
        for cell in scenario.arena.field.cells:
            far = all(distance(m.cell, cell) > 6 for m in position.at.values())
            if far and _free(position, cell) and len(left) > 1:
                text = f"W / 2 / {_name(scenario, cell)}"
                yield Plant(_put(of, at, text=text, names_unit=False), ("order.nobody",), at)
                break


def _late(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
    """Let the first player give an order to an idle machine after the second player has acted."""
    for phase in _shuffled({e.phase for e in of if e.phase % 2 and e.phase > 2}, random):
        at = max(i for i, e in enumerate(of) if e.phase == phase and e.kind == "order")
        position, _ = _unit(of[at])
        acted = {e.unit for e in of if e.phase == phase - 1 and e.kind == "order"}
        for idle in (m for m in position.side("first") if m.id not in acted):
            extra = Event("order", "first", phase - 1, "D", idle.id, position)
            found = (*of, extra)
            place = len(of)

            def change(dealt: list[Post], at: int = at, place: int = place, turn: int = phase // 2 + 1) -> None:
                for post in dealt:
                    post.items = [i for i in post.items if i != place]
                behind = next(n for n, post in enumerate(dealt) if at in post.items)
                side = dealt[behind].side
                rest = [i for i in dealt[behind].items if i > at or of[i].kind != "order"]
                keep = [i for i in dealt[behind].items if i not in rest]
                dealt[behind].items = [*rest, *keep] if rest[:1] < keep[:1] else [*keep, *rest]
                header = f"[turn {turn}] [first]"
                dealt.insert(behind + 1, Post("first", turn, [place], header))
                if behind + 2 < len(dealt) and dealt[behind + 2].side == side:
                    dealt[behind + 2].header = dealt[behind + 2].header or f"[turn {dealt[behind + 2].turn}] [{side}]"

            yield Plant(found, ("order.phase",), place, change=change)


def _without_header(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
    """Remove the header of the first post."""

    def change(dealt: list[Post]) -> None:
        dealt[0].header = " "

    yield Plant(tuple(of), ("header.none",), 0, change=change)


def _heading(form: str, reason: str, fits: Callable[[Post], bool]) -> Way:
    """Change the header of a post that contains orders."""

    def way(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
        for phase in _shuffled({e.phase for e in of}, random):
            first = min(i for i, e in enumerate(of) if e.phase == phase and e.kind == "order")
            place: list[int] = []

            def change(dealt: list[Post], first: int = first, place: list[int] = place) -> None:
                at = next(n for n, post in enumerate(dealt) if first in post.items)
                place.append(at)
                turn, side = dealt[at].turn, dealt[at].side
                values = {
                    "n": turn,
                    "far": turn + 3,
                    "side": side,
                    "other": OTHER[side],
                    "slip": side[:-2] + side[-1],
                }
                dealt[at].header = form.format(**values)
                # The following posts must state their turn. Otherwise it would be unclear which header is wrong.
                for post in dealt[at + 1 : at + 3]:
                    post.header = post.header or f"[turn {post.turn}] [{post.side}]"
                if at:
                    before = dealt[at - 1]
                    before.header = f"[turn {before.turn}] [{before.side}]"

            post = Post("second" if phase % 2 else "first", phase // 2 + 1)
            if fits(post):
                yield Plant(tuple(of), (reason,), post=first, change=change)

    return way


def _wrong_side(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
    """Post an order without a header for a machine that is far from all enemy machines."""
    for at in _shuffled((i for i, e in enumerate(of) if e.kind == "order" and i), random):
        position, unit = _unit(of[at])
        first = all(e.phase != of[at].phase or e.kind != "order" for e in of[:at])
        pending = any(e.phase == of[at].phase - 1 and e.kind == "reply" for e in of)
        pending |= any(e.phase == of[at].phase - 2 and e.kind == "answer" for e in of)
        far = all(distance(m.cell, unit.cell) > 7 for m in position.side(OTHER[unit.side]))
        if first and far and not pending and of[at].text != "D":

            def change(dealt: list[Post], at: int = at) -> None:
                behind = next(n for n, post in enumerate(dealt) if at in post.items)
                dealt[behind].header = " "

            yield Plant(tuple(of), ("order.side",), at, change=change)


def _omit(kind: str, *reasons: str) -> Way:
    """Omit a reply or answer, although the battle continues long enough to require it."""

    def way(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
        last = max(e.phase for e in of)
        for at in _shuffled((i for i, e in enumerate(of) if e.kind == kind), random):
            twins = [e for e in of if e.kind == kind and e.phase == of[at].phase and e.text[:4] == of[at].text[:4]]
            pending = any(e.to == at for e in of)
            if of[at].phase + 3 <= last and len(twins) == 1 and not pending and "HP0" not in of[at].text:
                attack = of[at].to
                yield Plant(_taken(of, at), reasons, attack)

    return way


def _answer_without_action(text: str, kind: str, reason: str) -> Way:
    """Insert a reply or answer to an action that did not happen, above the orders of a post."""

    def way(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
        for at in _shuffled((i for i, e in enumerate(of) if e.kind == "order" and i), random):
            position, _ = _unit(of[at])
            spots = [
                c for c in scenario.arena.field.cells if all(distance(c, m.cell) > 2 for m in position.at.values())
            ]
            if spots:
                line = text.format(_name(scenario, random.choice(spots)))
                extra = Event("order", of[at].side, of[at].phase, line, of[at].unit, position, names_unit=False)
                yield Plant(_insert(of, at, extra), (reason,), at)

    return way


def _wrong_post(kind: str, reason: str) -> Way:
    """Write a reply or answer in a post of the wrong side."""

    def way(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
        for at in _shuffled((i for i, e in enumerate(of) if e.kind == kind), random):
            pending = [e for e in of if e.kind == kind and e.phase == of[at].phase]
            if len(pending) == 1 and not any(e.to == at for e in of):
                behind = of[at].to

                def change(dealt: list[Post], at: int = at, behind: int = behind) -> None:
                    for post in dealt:
                        post.items = [i for i in post.items if i != at]
                    host = next(post for post in dealt if behind in post.items)
                    host.items.append(at)
                    dealt[:] = [post for post in dealt if post.items]

                yield Plant(tuple(of), (reason,), at, change=change)

    return way


def _correct_unwritten_order(kind: str, line: str, reason: str) -> Way:
    """Correct an order that was never written."""

    def way(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
        for at in _shuffled((i for i, e in enumerate(of) if e.kind == "order" and i), random):
            extra = Event("order", of[at].side, of[at].phase, line, of[at].unit, of[at].before, names_unit=False)
            yield Plant(_insert(of, at, extra), (reason,), at)

    return way


def _too_late(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
    """Correct a shot to a guard after the opponent has replied to the shot."""
    for at in _shuffled((i for i, e in enumerate(of) if e.kind == "order" and e.text[0] == "F"), random):
        replied = next((e for e in of if e.kind == "reply" and e.to == at), None)
        nxt = [i for i, e in enumerate(of) if e.kind == "order" and e.phase == of[at].phase + 2]
        if replied and nxt:
            line = f"correction: #{of[at].unit[1:]}: D"
            extra = Event(
                "order", of[at].side, of[at].phase + 2, line, of[at].unit, of[nxt[0]].before, names_unit=False
            )
            yield Plant(_insert(of, nxt[0], extra), ("correction.late",), nxt[0])


def _played_on(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
    """Add a turn after the last turn."""
    if max(e.phase for e in of) == 2 * scenario.turns - 1:
        place = len(of)
        extra = Event("order", "first", 2 * scenario.turns, "D", "F1", of[-1].before, names_unit=True)

        def change(dealt: list[Post]) -> None:
            for post in dealt:
                post.items = [i for i in post.items if i != place]
            dealt[:] = [post for post in dealt if post.items]
            dealt.append(Post("first", scenario.turns + 1, [place], f"[turn {scenario.turns + 1}] [first]"))

        yield Plant((*of, extra), ("end.turns",), place, change=change)


def _fought_on(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
    """Let the winner continue to act."""
    last = max(e.phase for e in of)
    if last < 2 * scenario.turns - 1 and any("HP0" in e.text for e in of if e.phase == last):
        place = len(of)
        side: Side = "first" if last % 2 else "second"
        left = {e.unit for e in of if e.phase >= last - 1 and e.kind == "order"}
        dead = {e.unit for e in of if e.text.endswith("HP0")}
        alive = sorted(u for u in left - dead if (u[0] == "F") == (side == "first"))
        turn = (last + 1) // 2 + 1
        if not alive:
            return
        extra = Event("order", side, last + 1, "D", alive[0], of[-1].before)

        def change(dealt: list[Post]) -> None:
            for post in dealt:
                post.items = [i for i in post.items if i != place]
            dealt[:] = [post for post in dealt if post.items]
            dealt.append(Post(side, turn, [place], f"[turn {turn}] [{side}]"))

        yield Plant((*of, extra), ("end.over",), place, change=change)


WAYS: dict[str, Way] = {
    "walks three hexes": _order("W", _legs(r"W / \d / (\d{4})", r"W / 3 / \1"), "move.far"),
    "dashes seven": _order("R", _legs(r"R / \d / (\d{4})", r"R / 7 / \1"), "move.far"),
    "walks nowhere": _order("W", lambda s, e, r: [f"W / 0 / {_name(s, _unit(e)[1].cell)}"], "move.none"),
    "walks farther than it says": _order("W", _cells(2, 4, lambda p, u, c: _free(p, c)), "move.reach"),
    "walks into a building": _order("W", _cells(1, 1, lambda p, u, c: p.arena.closed(c)), "move.closed"),
    "walks into an enemy": _order("WRD", _cells(1, 1, lambda p, u, c: _side_at(p, c) == OTHER[u.side]), "move.enemy"),
    "stops on a friend": _order("WRD", _cells(1, 1, lambda p, u, c: _side_at(p, c) == u.side), "move.stack"),
    "walks off the arena": _order("W", lambda s, e, r: ["W / 2 / 9907"], "move.hex"),
    "dashes round the corner": _order("R", _crooked, "dash.straight"),
    "leaves the bend open": _order("R", _legs(r"R / (\d) @\d{4} / (.*)", r"R / \1 / \2"), "dash.where"),
    "turns where dashes are straight": _order("R", _turned, "dash.strict"),
    "bends elsewhere": _order("R", _legs(r"R / (\d) @\d{4} / (.*)", r"R / \1 @0101 / \2"), "dash.turn"),
    "shoots at nobody": _order("F", _shot_at_empty_hex, "target.none"),
    "shoots a friend": _order("FD", _targets("F", lambda p, u, o: o.side == u.side), "target.own"),
    "shoots through a building": _order("FWD", _targets("F", _hidden), "target.sight"),
    "shoots out of range": _order("FWRD", _targets("F", _beyond), "target.range"),
    "punches from afar": _order(
        "BWD", _targets("B", lambda p, u, o: o.side != u.side and distance(u.cell, o.cell) > 2), "target.next"
    ),
    "acts twice": _twice,
    "has a seventh machine": _strange,
    "acts when destroyed": _dead,
    "does not say who": _guard_without_number,
    "orders what nobody can": _unreachable_walk,
    "acts after its phase": _late,
    "writes under the other's header": _wrong_side,
    "writes no header": _without_header,
    "skips turns": _heading("[turn {far}] [{side}]", "header.turn", lambda post: True),
    "names the other in the header": _heading(
        "[turn {n}] [{other}]", "header.first", lambda post: post.side == "first" and post.turn > 1
    ),
    "mistypes a header": _heading("[turn {n}] [{slip}]", "header.misspelt", lambda post: True),
    "calls a miss a hit": _reply(r"(\d{4}) / [56] / F / (HP\d+)", r"\1 / 6 / H / 6 / \2", "reply.hit"),
    "calls a hit a miss": _reply(r"(\d{4}) / 1 / H / \d / (HP\d+)", r"\1 / 1 / F / \2", "reply.hit"),
    "rolls a seven": _reply(r"(\d{4}) / \d / F / (HP\d+)", r"\1 / 7 / F / \2", "reply.die"),
    "heals": _reply(r"(\d{4} / \d / (?:-|D|EX|A)) / HP\d+", r"\1 / HP9", "reply.hp"),
    "takes a hit for nothing": _reply(r"(\d{4} / \d / H / 6) / HP[1-9]\d*", r"\1 / HP0", "reply.hp"),
    "tells no hit points": _reply(r"(\d{4} / \d / H / \d) / HP\d+", r"\1", "reply.no_hp"),
    "rolls no damage": _reply(r"(\d{4} / \d / H) / \d / (HP\d+)", r"\1 / \2", "reply.damage"),
    "rolls damage for a miss": _reply(r"(\d{4} / \d / F) / (HP\d+)", r"\1 / 3 / \2", "reply.no_damage"),
    "reads the table wrong": _reply(r"(\d{4} / \d) / D / (HP\d+)", r"\1 / A / \2", "reply.result"),
    "takes a shot for battling": _reply(r"(\d{4} / \d) / F / (HP\d+)", r"\1 / - / \2", "reply.shot"),
    "takes battling for a shot": _reply(r"(\d{4} / \d) / - / (HP\d+)", r"\1 / F / \2", "reply.clash"),
    "never replies": _omit("reply", "reply.missing"),
    "never answers": _omit("answer", "answer.missing"),
    "replies to nothing": _answer_without_action("{} / 6 / F / HP4", "reply", "reply.none"),
    "answers nothing": _answer_without_action("{} / EX / HP4", "answer", "answer.none"),
    "replies for the other": _wrong_post("reply", "reply.side"),
    "answers for the other": _wrong_post("answer", "answer.side"),
    "answers another result": _reply(r"(\d{4}) / A / (HP\d+)", r"\1 / EX / \2", "answer.result", kind="answer"),
    "answers with more": _reply(r"(\d{4} / (?:A|EX)) / HP\d+", r"\1 / HP9", "reply.hp", kind="answer"),
    "drops a digit": _order("WF", _legs(r"(.*)\d", r"\1"), "text.order"),
    "drops a number": _order("W", _legs(r"W / \d / (\d{4})", r"W / \1"), "text.order"),
    "writes an unknown result": _reply(r"(\d{4} / \d) / [FH] / (.*)", r"\1 / X / \2", "text.unreadable"),
    "corrects nothing": _correct_unwritten_order("order", "correction: 9999 / 3 / F", "correction.none"),
    "corrects too late": _too_late,
    "plays on after the last turn": _played_on,
    "fights on when all is over": _fought_on,
}
"""Every kind of fault that a thread without chains can have."""


def _link(change: Callable[[str, Random], str], kinds: str, reason: str) -> Way:
    """Replace a link of a chain by a different link."""

    def way(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
        for at in _shuffled((i for i, e in enumerate(of) if e.link and e.kind in kinds), random):
            yield Plant(_put(of, at, link=change(of[at].link, random)), (reason,), at)

    return way


def _another(link: str, random: Random) -> str:
    return "".join(random.choice("0123456789abcdef") for _ in link)


def _wrong_roll(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
    """Report a roll in a reply that differs from the roll of the links."""
    for at in _shuffled((i for i, e in enumerate(of) if e.kind == "reply"), random):
        parts = of[at].text.split(" / ")
        place = random.choice([1, *([3] if parts[2] == "H" else [])])
        parts[place] = random.choice([die for die in "123456" if die != parts[place]])
        yield Plant(_put(of, at, text=" / ".join(parts)), ("dice.roll",), at)


def _out_of_order(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
    """Swap two replies so that each has the link of the other reply."""
    for at in _shuffled((i for i, e in enumerate(of[:-1]) if e.kind == "reply"), random):
        one, two = of[at], of[at + 1]
        if two.kind == "reply" and one.phase == two.phase and one.text[:4] != two.text[:4]:
            swapped = replace(two, link=one.link), replace(one, link=two.link)
            yield Plant((*of[:at], *swapped, *of[at + 2 :]), ("dice.order",), at)


def _another_chain(after_orders: bool, reason: str) -> Way:
    """Publish a second chain, either above the side's first orders or after orders were given."""

    def way(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
        for at in _shuffled(
            (i for i, e in enumerate(of) if e.kind == "order" and (e.phase > 1) == after_orders), random
        ):
            if after_orders or not at:
                text = f"chain: {_another('0' * 64, random)}"
                extra = Event("order", of[at].side, of[at].phase, text, before=of[at].before, names_unit=False)
                yield Plant(_insert(of, at, extra), (reason,), at)

    return way


def _without_chain(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
    """Remove the chain of one player. The judge reports the first order."""
    gone = random.choice([0, 1])
    yield Plant(tuple(of), ("dice.alone",), 0, first=lambda posts: [p for i, p in enumerate(posts) if i != gone])


def sealing(scenario: Scenario, side: Side, random: Random, moved: str = "") -> tuple[str, str]:
    """Return the post that seals a side's set-up, and the text that opens the seal.

    The first machine is placed on hex `moved` if given.
    """
    name = scenario.arena.field.name
    placed = [f"{m.id} {name(m.cell)}" for m in scenario.squads[side].machines]
    if moved:
        placed[0] = f"{placed[0].split()[0]} {moved}"
    text = f"{_another('0' * 12, random)} {', '.join(placed)}"
    hashed = hashlib.sha256(text.encode("ascii")).hexdigest()
    return f"[turn 1] [{side}]\nseal: {hashed}\n", f"open: {text}"


def opening_of_seal(of: Sequence[Event], text: str, side: Side, random: Random) -> tuple[tuple[Event, ...], int]:
    """Return a battle in which a side opens its seal above some of its orders, and the index of the new event."""
    at = _shuffled((i for i, e in enumerate(of) if e.kind == "order" and e.side == side), random)[0]
    extra = Event("order", side, of[at].phase, text, before=of[at].before, names_unit=False, exact=True)
    return _insert(of, at, extra), at


def _sealed(reason: str) -> Way:
    """Seal a set-up, then open a different text or a text with a different hex."""

    def way(scenario: Scenario, of: Sequence[Event], random: Random) -> Iterator[Plant]:
        side: Side = random.choice(SIDES)
        free = next(c for c in scenario.arena.open_cells if all(c != m.cell for _, m in scenario.machines))
        post, text = sealing(scenario, side, random, _name(scenario, free) if reason == "seal.place" else "")
        if reason == "seal.other":
            text = text[:-4] + _name(scenario, free)
        events, at = opening_of_seal(of, text, side, random)
        yield Plant(events, (reason,), at, first=lambda posts: [*posts, post])

    return way


FORGED: dict[str, Way] = {
    "tells another die": _wrong_roll,
    "attacks with another link": _link(_another, "order", "dice.link"),
    "replies with another link": _link(_another, "reply", "dice.link"),
    "attacks without a link": _link(lambda link, random: "", "order", "dice.none"),
    "replies without a link": _link(lambda link, random: "", "reply", "dice.none"),
    "swaps replies": _out_of_order,
    "tells two chains": _another_chain(False, "dice.twice"),
    "tells a chain late": _another_chain(True, "dice.late"),
    "tells no chain": _without_chain,
    "opens another text": _sealed("seal.other"),
    "seals another hex": _sealed("seal.place"),
}
"""Every kind of forgery in a battle with chains or with a sealed set-up."""


def is_reported(plant: Plant, thread: Thread, scenario: Scenario) -> bool:
    """Return whether the judge reports exactly the planted fault, at its line."""
    if plant.post >= 0:
        line = max(head for head in thread.heads.values() if head <= thread.lines[plant.post])
    else:
        line = thread.lines[plant.event]
    found = [(finding.line, finding.reason) for finding in judge(thread.text, scenario).findings]
    return found in [[(line, reason)] for reason in plant.reasons]
