"""What may be wished for in a Travel Battle."""

from __future__ import annotations

from functools import cache
from typing import Any

from generator.common.game import Wish, wish_texts
from generator.common.interpretations import ruling_wishes
from generator.common.search import mirror_wish
from generator.games.travel_battle.campaign import NAME
from generator.games.travel_battle.forces import house_roster
from generator.games.travel_battle.ground import EDGES, house_boards
from generator.games.travel_battle.model import BRIGADES, RANDOM, SIDES
from generator.games.travel_battle.objectives import kinds as objectives
from generator.games.travel_battle.tables import numbers, side_name, switches
from generator.model.words import in_words, joined, same

HANDS = ("left", "right")


@cache
def wishes() -> tuple[Wish, ...]:
    """Every wish of this game."""
    roster, tables, texts = house_roster(), numbers().tables, wish_texts("travel_battle")
    edges, boards = tuple(map(str, EDGES)), (*house_boards(), RANDOM)
    sizes, presets = (joined(map(same, table)) for table in (roster.sizes, roster.presets))
    named = {player: in_words(side_name(player)) for player in SIDES}

    def each(what: str, choices: tuple[str, ...] = (), **more: Any) -> list[Wish]:
        """A wish of each player's own."""
        filled = {player: texts[what].fill(player=name, presets=presets) for player, name in named.items()}
        return [Wish(f"{what}-{player}", text, choices, **more) for player, text in filled.items()]

    return (
        Wish("title", texts["title"], metavar="TITLE"),
        Wish("boards", texts["boards"], tables, default=tables[0]),
        *each("board", boards, file=True, pattern=NAME),
        *each("side", HANDS),
        *each("edge", edges),
        Wish("army", texts["army"], file=True, metavar="FILE"),
        Wish("sizes", texts["sizes"].fill(sizes=sizes), metavar="NAME"),
        *each("split", metavar="NAME"),
        Wish("objective", texts["objective"], (BRIGADES, *objectives(), RANDOM)),
        Wish("turns", texts["turns"], tuple(map(str, numbers().turns))),
        mirror_wish(),
        *ruling_wishes(switches()),
    )
