"""What may be wished for in a battle."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from generator.games.battling.ground.arena import EDGES
from generator.games.battling.ground.arenas import house_arenas
from generator.games.battling.numbers import limits, play
from generator.games.battling.scenario import PLAYERS, RANDOM, SIDES
from generator.games.capability import Wish
from generator.games.ranges import UsualRange
from generator.games.rulings import Ruling, ruling_wishes, rulings


@cache
def switches() -> Mapping[str, Ruling]:
    """The rulings that a scenario names."""
    return rulings("battling")


@cache
def wishes() -> tuple[Wish, ...]:
    """Every wish of this game."""
    ground, tables = limits(), play()
    return (
        Wish("title", "What the battle is called.", metavar="TITLE"),
        Wish(
            "arena",
            "A house arena, `random`, or a file (docs/formats/arena.md).",
            (*house_arenas(), RANDOM),
            file=True,
        ),
        Wish(
            "columns", f"Columns of a random arena ({_usual(ground.columns)}).", _numbers(ground.columns), metavar="N"
        ),
        Wish("rows", f"Rows of a random arena ({_usual(ground.rows)}).", _numbers(ground.rows)),
        Wish("machines", f"Machines of each squad ({_usual(tables.machines)}).", _numbers(tables.machines)),
        Wish("points", f"Points of each squad ({_usual(tables.points)}).", _numbers(tables.points)),
        *(
            Wish(
                f"squad-{player.lower()}",
                f"Player {player}'s machines in place of drawn ones, such as `scopedog scopedog`.",
                metavar="MACHINES",
            )
            for player in PLAYERS
        ),
        Wish("first", "The first player, in place of dice.", PLAYERS),
        Wish("edge", "The edge that the second player starts from.", EDGES),
        *(
            Wish(
                f"place-{side}",
                f"Where the {side} player's machines start, such as `0101 0501`, in their order.",
                metavar="HEXES",
            )
            for side in SIDES
        ),
        Wish("turns", f"Turns ({_usual(tables.turns)}).", _numbers(tables.turns)),
        Wish("charts", "Your machines and charts (docs/formats/machines.md).", file=True, metavar="FILE"),
        *ruling_wishes(switches()),
    )


def _usual(span: UsualRange) -> str:
    return f"{span.least} to {span.most}, {span.usual} is usual"


def _numbers(span: UsualRange) -> tuple[str, ...]:
    return tuple(str(n) for n in range(span.least, span.most + 1))
