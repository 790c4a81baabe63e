"""Deployment cards as card faces."""

from __future__ import annotations

from collections import Counter

from generator.games.battlelore.ground.board import CARD_ROWS
from generator.games.battlelore.pages.mapsheet import token
from generator.games.call_to_arms.forces.deck import Card, Deck
from generator.games.call_to_arms.forces.evenness import strength
from generator.games.call_to_arms.words import words
from generator.games.whose import is_owners
from generator.grid.field import field
from generator.model.views import CardView, MapView
from generator.model.words import Words


def card_view(deck: Deck, card: Card, heading: Words) -> CardView:
    """A card's face as its owner sees it; `heading` tells where it is played."""
    grid = field(CARD_ROWS)
    plain = dict.fromkeys(grid.cells, "countryside")
    tokens = tuple((grid.at(u.column, u.row), token(card.camp, u.kind)) for u in card.units)
    kinds = {u.kind: token(card.camp, u.kind) for u in card.units}
    counts = Counter(u.kind for u in card.units)
    lines = {k: Words(f"{n} {k.name.en}", f"{k.name.ja} {n}") for k, n in counts.items()}
    note = words()["cards"]["own_note" if is_owners(deck) else "note"]
    return CardView(
        key=card.key,
        name=card.name,
        shape=card.camp,
        board=MapView(grid, plain, tokens=tokens, names=False),
        units=tuple((shown, lines[kind]) for kind, shown in kinds.items()),
        note=note.fill(points=strength([card])),
        heading=heading,
    )
