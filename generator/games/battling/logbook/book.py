"""The logbook of Battling: logs of orders judged, legal orders listed, whole battles played at random, replays."""

from __future__ import annotations

from generator.draw.streams import Streams
from generator.errors import Problem, WrongUsageError, near
from generator.games.battling.draw.draw import STREAMS
from generator.games.battling.logbook import judge, selfplay
from generator.games.battling.logbook.turns import Deed, Turn
from generator.games.battling.pages.replay import replay
from generator.games.battling.play import moves
from generator.games.battling.play.orders import Order, write
from generator.games.battling.play.position import Position, Standing, opening
from generator.games.battling.scenario import Scenario
from generator.games.capability import Judged, Logbook
from generator.games.words import words
from generator.grid.columns import ColumnField
from generator.model.words import LANGS, Lang, Words, joined, same


def judged(scenario: Scenario, text: str) -> Judged:
    """A log held against the rules."""
    found = judge.judge(text, scenario)
    field = scenario.arena.field
    rows: dict[str, object] = {
        "over": found.outcome.over,
        "winner": found.outcome.winner,
        "waiting": list(found.waiting),
        "doubtful": list(found.doubtful),
        "turns": [_turn(field, turn) for turn in found.turns],
        "units": [_unit(field, unit) for unit in found.position.machines.values()],
    }
    orders = sum(len(turn.deeds) for turn in found.turns)
    return Judged(found.findings, orders, _standing(found), rows)


def _standing(of: judge.Judged) -> Words:
    """Who has won or how it stands, what is still to be written, and what may have been passed over."""
    say, notes = words("battling")["log"], [of.outcome.text]
    for key, lines in (("waits", of.waiting), ("doubtful", of.doubtful)):
        if lines:
            notes.append(say[key].fill(lines=joined([same(line) for line in lines])))
    return Words(*("\n".join(note[lang] for note in notes) for lang in LANGS))


def _turn(field: ColumnField, of: Turn) -> dict[str, object]:
    return {
        "turn": of.number,
        "orders": [_deed(field, deed) for deed in of.deeds],
        "units": [_unit(field, unit) for unit in of.after],
    }


def _deed(field: ColumnField, of: Deed) -> dict[str, object]:
    return {
        "line": of.line,
        "side": of.side,
        "unit": of.unit,
        "order": write(of.order),
        "path": [field.name(cell) for cell in of.path],
        "target": of.target or None,
        "reply": write(of.reply) if of.reply else None,
        "answer": write(of.answer) if of.answer else None,
        "refused": of.refused or None,
    }


def _unit(field: ColumnField, of: Standing) -> dict[str, object]:
    return {
        "id": of.id,
        "side": of.side,
        "machine": of.kind,
        "hex": field.name(of.cell),
        "hp": of.hp,
        "last": of.last or None,
    }


def legal(scenario: Scenario, text: str, unit: str) -> list[dict[str, object]]:
    """The legal orders of a machine at the start, or at the end of a log; WrongUsageError for an unknown one."""
    position: Position = judge.judge(text, scenario).position if text else opening(scenario)
    if unit not in position.machines:
        raise WrongUsageError(Problem(f"no AT {unit[:20]!r} in this battle", hint=near(unit, position.machines)))
    return [_order(order) for order in moves.orders(position, unit)]


def _order(of: Order) -> dict[str, object]:
    return {
        "order": write(of),
        "action": of.action,
        "hexes": list(of.legs),
        "turn_hex": of.turn or None,
        "to": of.to or None,
        "target": of.target or None,
    }


def random_log(scenario: Scenario, code: str, lang: Lang) -> str:
    """The log of a whole battle of two random players, the same for the same code."""
    return selfplay.play(scenario, Streams(code, STREAMS).at("play"), lang)


LOGBOOK: Logbook[Scenario] = Logbook(judge=judged, orders=legal, play=random_log, replay=replay)
