"""What may be wished for in a Travel Battle."""

from __future__ import annotations

from functools import cache

from generator.common.game import Wish
from generator.common.interpretations import ruling_wishes
from generator.common.search import MIRROR_WISH
from generator.games.travel_battle.campaign import NAME
from generator.games.travel_battle.forces import house_roster
from generator.games.travel_battle.ground import EDGES, house_boards
from generator.games.travel_battle.model import BRIGADES, RANDOM, SIDES
from generator.games.travel_battle.objectives import kinds as objectives
from generator.games.travel_battle.tables import numbers, switches

HANDS = ("left", "right")


@cache
def wishes() -> tuple[Wish, ...]:
    """Every wish of this game."""
    roster, tables = house_roster(), numbers().tables
    edges = tuple(map(str, EDGES))
    presets = ", ".join(roster.presets)
    return (
        Wish("title", "What the battle is called.", metavar="TITLE"),
        Wish("boards", f"Columns and rows of boards ({tables[0]} unless wished for).", tables),
        *(
            Wish(
                f"board-{player}",
                f"{player.capitalize()}'s board: a house board, `random`, a campaign's area, or a file "
                "(docs/formats/travel_board.md).",
                (*house_boards(), RANDOM),
                file=True,
                pattern=NAME,
            )
            for player in SIDES
        ),
        *(
            Wish(f"side-{p}", f"Where {p.capitalize()} lays the board if the dice leave it to him.", HANDS)
            for p in SIDES
        ),
        *(
            Wish(f"edge-{p}", f"The edge towards {p.capitalize()} of his boards if the die leaves it to him.", edges)
            for p in SIDES
        ),
        Wish("army", "Both sides' army (docs/formats/travel_army.md).", file=True, metavar="FILE"),
        Wish(
            "sizes", f"How large brigades are: {', '.join(roster.sizes)}, or one of your army's own.", metavar="NAME"
        ),
        *(
            Wish(f"split-{p}", f"{p.capitalize()}'s brigades in place of drawn ones: {presets}.", metavar="NAME")
            for p in SIDES
        ),
        Wish("objective", "What wins, in place of destroyed brigades.", (BRIGADES, *objectives(), RANDOM)),
        Wish("turns", "The last turn; 0 for none.", tuple(map(str, numbers().turns))),
        MIRROR_WISH,
        *ruling_wishes(switches()),
    )
