"""What may be wished for in a battle."""

from __future__ import annotations

from functools import cache

from generator.common.game import Wish, wish_texts
from generator.common.interpretations import ruling_wishes
from generator.games.battling.ground import EDGES, house_arenas
from generator.games.battling.model import PLAYERS, RANDOM, SIDES, side_name
from generator.games.battling.tables import limits, numbers, switches


@cache
def wishes() -> tuple[Wish, ...]:
    """Every wish of this game."""
    ground, tables, texts = limits(), numbers(), wish_texts("battling")
    return (
        Wish("title", texts["title"], metavar="TITLE"),
        Wish("arena", texts["arena"], (*house_arenas(), RANDOM), file=True),
        Wish("columns", texts["columns"], ground.columns.words, default=str(ground.columns.usual)),
        Wish("rows", texts["rows"], ground.rows.words, default=str(ground.rows.usual)),
        Wish("machines", texts["machines"], tables.machines.words, default=str(tables.machines.usual)),
        Wish("points", texts["points"], tables.points.words, default=str(tables.points.usual)),
        *(Wish(f"squad-{p.lower()}", texts["squad"].fill(player=p), metavar="MACHINES") for p in PLAYERS),
        Wish("first", texts["first"], PLAYERS),
        Wish("edge", texts["edge"], EDGES),
        *(Wish(f"place-{side}", texts["place"].fill(side=side_name(side)), metavar="HEXES") for side in SIDES),
        Wish("turns", texts["turns"], tables.turns.words, default=str(tables.turns.usual)),
        Wish("charts", texts["charts"], file=True, metavar="FILE"),
        *ruling_wishes(switches()),
    )
