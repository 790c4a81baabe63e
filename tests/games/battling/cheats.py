"""Create cheated logs by editing, inserting or removing lines of a clean log, with the line that must be reported.

A cheat searches the judged log for the first order at which the cheat is possible.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from generator.games.battling.legal_orders import orders
from generator.games.battling.model import OTHER, SIDES, Scenario
from generator.games.battling.play import Position, Standing
from generator.games.battling.post.judge import Judged, judge
from generator.games.battling.post.turns import Deed
from generator.grid.columns import distance


@dataclass(frozen=True)
class Cheat:
    """An edited log and the line at which the cheat must be found."""

    lines: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class Game:
    """A clean log with its scenario."""

    scenario: Scenario
    lines: tuple[str, ...]

    @cached_property
    def judged(self) -> Judged:
        return judge("\n".join(self.lines), self.scenario)

    @property
    def deeds(self) -> Iterator[tuple[Deed, int]]:
        """Yield every order with its turn number."""
        return ((deed, turn.number) for turn in self.judged.turns for deed in turn.deeds)

    def before(self, line: int) -> Position:
        """Return the position before the given line."""
        return judge("\n".join(self.lines[: line - 1]), self.scenario).position

    def edited(self, line: int, text: str, reported: int = 0) -> Cheat:
        return Cheat((*self.lines[: line - 1], text, *self.lines[line:]), reported or line)

    def inserted(self, line: int, *texts: str) -> Cheat:
        """Insert texts before a line. The last inserted line must be reported."""
        return Cheat((*self.lines[: line - 1], *texts, *self.lines[line - 1 :]), line + len(texts) - 1)

    def taken(self, line: int, reported: int) -> Cheat:
        return Cheat((*self.lines[: line - 1], *self.lines[line:]), reported)

    def line_of(self, pattern: str, start: int = 0) -> int | None:
        """Return the number of the first line after `start` that matches the pattern, or None."""
        found = (n for n, text in enumerate(self.lines, 1) if n > start and re.fullmatch(pattern, text))
        return next(found, None)

    def name(self, machine: Standing) -> str:
        return self.scenario.arena.field.name(machine.cell)


Way = Callable[[Game], Cheat | None]


def _replaced(pattern: str, new: str) -> Way:
    """Replace the first line that matches a pattern."""

    def way(game: Game) -> Cheat | None:
        line = game.line_of(pattern)
        return game.edited(line, re.sub(pattern, new, game.lines[line - 1])) if line else None

    return way


def _target(fits: Callable[[Position, Standing, Standing], bool], letter: str) -> Way:
    """Replace a machine's order by an attack on a target that the rules forbid."""

    def way(game: Game) -> Cheat | None:
        for deed, _ in game.deeds:
            position = game.before(deed.line)
            unit = position.machines[deed.unit]
            for other in position.machines.values():
                if other.hp > 0 and other.id != unit.id and fits(position, unit, other):
                    return game.edited(deed.line, f"#{unit.number}: {letter} / {game.name(other)}")
        return None

    return way


def _steps(fits: Callable[[Position, Standing, str], bool], near: int = 2) -> Way:
    """Replace a walk by a walk to a hex that the rules forbid."""

    def way(game: Game) -> Cheat | None:
        field = game.scenario.arena.field
        for deed, _ in game.deeds:
            if deed.order.action == "W":
                position = game.before(deed.line)
                unit = position.machines[deed.unit]
                for cell in field.cells:
                    if distance(unit.cell, cell) == near and fits(position, unit, field.name(cell)):
                        return game.edited(deed.line, f"#{unit.number}: W / {min(near, 2)} / {field.name(cell)}")
        return None

    return way


def _holds(position: Position, name: str, side: str) -> bool:
    there = position.at.get(position.arena.field.find(name))  # type: ignore[arg-type]  # every name is a hex's
    return there is not None and there.side == side


def _passable(position: Position, unit: Standing, name: str) -> bool:
    """Return whether a walk of two hexes could reach the hex if it were empty."""
    field = position.arena.field
    cell = field.find(name)
    assert cell
    between = [n for n in field.neighbours(unit.cell) if distance(n, cell) == 1]
    return any(not position.arena.closed(n) and n not in position.at for n in between)


def _unseen(position: Position, unit: Standing, other: Standing) -> bool:
    far = distance(unit.cell, other.cell)
    in_range = position.pack.number(unit.kind, far) > 0
    return other.side != unit.side and in_range and not position.arena.in_sight(unit.cell, other.cell)


def _too_far(position: Position, unit: Standing, other: Standing) -> bool:
    return other.side != unit.side and not position.pack.number(unit.kind, distance(unit.cell, other.cell))


def _twice(game: Game) -> Cheat | None:
    """Let a machine walk a second time, to a hex that no other machine can reach."""
    field = game.scenario.arena.field
    for deed, _ in game.deeds:
        later = game.before(deed.line + 1) if deed.order.action == "W" else None
        for order in orders(later, deed.unit) if later else ():
            cell = field.find(order.to)
            others = [m for m in later.machines.values() if m.id != deed.unit and m.hp > 0] if later else []
            if order.action == "W" and cell and all(distance(m.cell, cell) > 3 for m in others):
                return game.inserted(deed.line + 1, f"#{deed.unit[1:]}: W / {order.legs[0]} / {order.to}")
    return None


def _dead_acts(game: Game) -> Cheat | None:
    lost = {turn.number for turn in game.judged.turns if any(machine.hp == 0 for machine in turn.before)}
    for deed in (deed for deed, turn in game.deeds if turn in lost):
        position = game.before(deed.line)
        gone = [m for m in position.machines.values() if m.hp == 0 and m.side == deed.side]
        # The enemy machine with the same number must be out of reach, because the order could otherwise be the
        # enemy's.
        for machine in gone:
            enemies = [m for m in position.side(OTHER[deed.side]) if distance(m.cell, machine.cell) <= 3]
            if not enemies:
                return game.inserted(deed.line, f"#{machine.number}: W / 1 / {game.name(machine)}")
    return None


def _after_its_phase(game: Game) -> Cheat | None:
    for deed, turn in game.deeds:
        if deed.side == "second" and deed.order.action in "WRD" and turn > 1:
            position = game.before(deed.line + 1)
            header, back = f"[turn {turn}] [first]", f"[turn {turn}] [second]"
            for machine in position.side("first"):
                walks = [o for o in orders(position, machine.id) if o.action == "D" and o.to]
                if walks:
                    found = game.inserted(deed.line + 1, header, f"#{machine.number}: D / 1 / {walks[0].to}")
                    lines = (*found.lines[: found.line], back, *found.lines[found.line :])
                    return Cheat(lines, found.line)
    return None


def _reply_by_the_attacker(game: Game) -> Cheat | None:
    """Write a reply above the header of the side that must reply."""
    for line in range(2, len(game.lines)):
        head, reply = game.lines[line - 1], game.lines[line]
        if head.startswith("[turn") and re.match(r"\d{4} / \d", reply) and not game.lines[line - 2]:
            lines = list(game.lines)
            lines[line - 1], lines[line] = reply, head
            return Cheat(tuple(lines), line)
    return None


def _unanswered(game: Game) -> Cheat | None:
    for deed, _ in game.deeds:
        if deed.reply:
            same = [d for d, _ in game.deeds if d.aim == deed.aim and d is not deed and abs(d.line - deed.line) < 8]
            line = game.line_of(re.escape(deed.order.target) + r" / \d / .*", deed.line)
            if line and not same:
                return game.taken(line, deed.line)
    return None


def _answer_kept_silent(game: Game) -> Cheat | None:
    reply = game.line_of(r"\d{4} / \d / (A|EX) / HP\d")
    answer = game.line_of(r"\d{4} / (A|EX) / HP\d", reply or 0)
    heads = [n for n, text in enumerate(game.lines, 1) if text.startswith("[turn") and n > (answer or 0)]
    # The answer is also allowed in that side's next post. It is missing only after the opponent has continued.
    return game.taken(answer, reply) if reply and answer and len(heads) > 6 else None


def _reply_to_nothing(game: Game) -> Cheat | None:
    line = game.line_of(r"\d{4} / 6 / F / HP\d")
    return game.inserted(line + 1, "0101 / 6 / F / HP4") if line else None


def _played_on(game: Game) -> Cheat | None:
    turns = game.judged.turns
    left = game.judged.position.side("first")
    if len(turns) != game.scenario.turns or not left:
        return None
    more = (*game.lines, f"[turn {len(turns) + 1}] [first]", f"#{left[0].number}: D")
    return Cheat(more, len(game.lines) + 2)


def _fought_on(game: Game) -> Cheat | None:
    """Let the surviving side continue after the opponent has lost its last machine."""
    position = game.judged.position
    left = [side for side in SIDES if position.side(side)]
    if len(left) != 1 or len(game.judged.turns) == game.scenario.turns:
        return None
    more = (*game.lines, f"[turn {len(game.judged.turns) + 1}] [first]", "#1: D", "#2: D")
    return Cheat(more, len(game.lines) + 2)


def _skipped_turn(game: Game) -> Cheat | None:
    line = game.line_of(r"\[turn 3\] \[first\]")
    return game.edited(line, "[turn 5] [first]") if line else None


def _hit_as_miss(game: Game) -> Cheat | None:
    """Report a hit as a miss."""
    line = game.line_of(r"\d{4} / 1 / H / \d / HP[1-9]")
    if line is None:
        return None
    return game.edited(line, re.sub(r"H / \d", "F", game.lines[line - 1]))


def _unchanged_hit_points(game: Game) -> Cheat | None:
    """Leave the hit points unchanged although the damage roll is a hit."""
    line = game.line_of(r"\d{4} / \d / H / 1 / HP[0-9]")
    if line is None:
        return None
    text = game.lines[line - 1]
    return game.edited(line, f"{text[:-1]}{int(text[-1]) + 1}")


CHEATS: dict[str, tuple[str, Way]] = {
    "walks three hexes": ("move.far", _replaced(r"#(\d): W / 2 / (\d{4})", r"#\1: W / 3 / \2")),
    "dashes seven hexes": ("move.far", _replaced(r"#(\d): R / 3 / (\d{4})", r"#\1: R / 7 / \2")),
    "walks farther than it says": ("move.reach", _steps(lambda p, u, n: _far(p, n), 3)),
    "walks into a building": ("move.closed", _steps(lambda p, u, n: n in _closed(p), 1)),
    "walks into an enemy": ("move.enemy", _steps(lambda p, u, n: _holds(p, n, OTHER[u.side]), 1)),
    "stops on a friend": ("move.stack", _steps(lambda p, u, n: _holds(p, n, u.side) and _passable(p, u, n))),
    "walks off the arena": ("move.hex", _replaced(r"#(\d): W / 2 / \d{4}", r"#\1: W / 2 / 1599")),
    "dashes round the corner": ("dash.straight", _replaced(r"#(\d): R / 1 / (\d) / (\d{4})", r"#\1: R / \2 / \3")),
    "leaves the bend open": ("dash.where", _replaced(r"#(\d): R / (\d) @\d{4} / (.*)", r"#\1: R / \2 / \3")),
    "bends elsewhere": ("dash.turn", _replaced(r"#(\d): R / (\d) @\d{4} / (.*)", r"#\1: R / \2 @0101 / \3")),
    "shoots at nobody": ("target.none", _replaced(r"#(\d): F / \d{4}", r"#\1: F / 0101")),
    "shoots a friend": ("target.own", _target(lambda p, u, o: o.side == u.side, "F")),
    "shoots through a building": ("target.sight", _target(_unseen, "F")),
    "shoots out of range": ("target.range", _target(_too_far, "F")),
    "punches from afar": (
        "target.next",
        _target(lambda p, u, o: o.side != u.side and distance(u.cell, o.cell) > 2, "B"),
    ),
    "acts twice": ("order.twice", _twice),
    "acts when destroyed": ("order.destroyed", _dead_acts),
    "has a fourth machine": ("order.unknown", _replaced(r"#\d: R / (.*)", r"#4: R / \1")),
    "acts after its phase": ("order.phase", _after_its_phase),
    "skips a turn": ("header.turn", _skipped_turn),
    "plays on after the last turn": ("end.turns", _played_on),
    "fights on when all is over": ("end.over", _fought_on),
    "calls a miss a hit": ("reply.hit", _replaced(r"(\d{4}) / \d / H / (.*)", r"\1 / 6 / H / \2")),
    "calls a hit a miss": ("reply.hit", _hit_as_miss),
    "rolls a seven": ("reply.die", _replaced(r"(\d{4}) / \d / F / (HP\d)", r"\1 / 7 / F / \2")),
    "loses no hit point": ("reply.hp", _unchanged_hit_points),
    "heals": ("reply.hp", _replaced(r"(\d{4}) / (\d) / F / HP\d", r"\1 / \2 / F / HP9")),
    "rolls no damage": ("reply.damage", _replaced(r"(\d{4} / \d / H) / \d / (HP\d)", r"\1 / \2")),
    "reads the table wrong": ("reply.result", _replaced(r"(\d{4}) / (\d) / D / (HP\d)", r"\1 / \2 / A / \3")),
    "never replies": ("reply.missing", _unanswered),
    "replies to nothing": ("reply.none", _reply_to_nothing),
    "replies for the other side": ("reply.side", _reply_by_the_attacker),
    "keeps an answer silent": ("answer.missing", _answer_kept_silent),
    "answers with another result": ("answer.result", _replaced(r"(\d{4}) / A / (HP\d)", r"\1 / EX / \2")),
}
"""Function and expected reason of every cheat."""


def _closed(position: Position) -> set[str]:
    arena = position.arena
    return {arena.field.name(cell) for cell in arena.field.cells if arena.closed(cell)}


def _far(position: Position, name: str) -> bool:
    """Return whether a hex is free and out of reach of every enemy machine."""
    cell = position.arena.field.find(name)
    assert cell
    return not position.arena.closed(cell) and cell not in position.at


def games(scenario: Scenario, logs: Sequence[str]) -> list[Game]:
    """Return a Game for each clean log of a scenario."""
    return [Game(scenario, tuple(log.splitlines())) for log in logs]
