"""What may be wished for in a battle."""

from __future__ import annotations

from functools import cache

from generator.common.game import Wish
from generator.common.interpretations import ruling_wishes
from generator.common.tables import UsualRange
from generator.games.battling.ground import EDGES, house_arenas
from generator.games.battling.model import PLAYERS, RANDOM, SIDES
from generator.games.battling.tables import limits, numbers, switches


@cache
def wishes() -> tuple[Wish, ...]:
    """Every wish of this game."""
    ground, tables = limits(), numbers()
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
                f"Where the {side} player's machines start, such as `0101 0501`, in their order; off the edges it "
                "is a set-up decided in advance.",
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
