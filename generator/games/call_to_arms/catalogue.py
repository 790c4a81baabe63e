"""The data files of Call to Arms, for `muster data`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from generator.common.catalogue import Rows, faults, headed, own, ruling_rows, single, table
from generator.common.game import Shelf
from generator.common.interpretations import readings, rulings
from generator.games.battlelore.forces import load_pool
from generator.games.call_to_arms.cards import EMPTY, SET_SIZE, Deck, DeckFile, load_deck, read_deck
from generator.games.call_to_arms.fairness import report_rows
from generator.games.call_to_arms.specialists import specialists
from generator.model.words import Lang, Words


def _deck(of: str | Path, lang: Lang) -> Rows:
    deck = load_deck(own(of))
    rows = [[headed(deck, lang)], *report_rows(deck, load_pool(), lang)]
    for i, card in enumerate(deck.cards):
        if i % SET_SIZE == 0:
            rows.append([""])
        counts = Counter(unit.kind.name[lang] for unit in card.units)
        kinds = ", ".join(f"{n} {kind}" for kind, n in counts.items()) or EMPTY
        rows.append([card.camp, card.key, card.name[lang], kinds])
    return rows


def _specialists(lang: Lang) -> Rows:
    return [[c.id, c.name[lang], c.needs or "-", c.source, c.told[lang]] for c in specialists().values()]


def _rulings(lang: Lang) -> Rows:
    return ruling_rows(rulings("call_to_arms"), lang, readings("call_to_arms"))


def _deck_title() -> dict[str, Words]:
    deck: Deck = load_deck()
    return {"house-deck": deck.name}


SHELVES = (
    Shelf(
        "deck",
        _deck_title,
        _deck,
        faults(read_deck),
        ("card",),
        file=single("call_to_arms", "deck.toml"),
        takes=("deck",),
        what=Words("deployment cards", "編成カード"),
        read=read_deck,
        form=DeckFile,
    ),
    table("specialists", Words("Specialist cards", "Specialistカード"), _specialists),
    table("deployment-rulings", Words("Rulings on deployment", "配置の裁定"), _rulings),
)
