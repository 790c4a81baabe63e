"""The data files of Call to Arms and of the BattleLore it builds on, for `muster data`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from generator.errors import DataError, Problem
from generator.games.battlelore.lore import lore
from generator.games.battlelore.maps import house_maps, load_map, picture, read_map
from generator.games.battlelore.pool import load_pool, pool_problems
from generator.games.battlelore.tiles import house_inventory, load_inventory, read_inventory
from generator.games.call_to_arms.cards import SET_SIZE
from generator.games.call_to_arms.cells import EMPTY
from generator.games.call_to_arms.deck import Deck, deck_problems, load_deck
from generator.games.call_to_arms.evenness import report_rows
from generator.games.capability import Shelf
from generator.model.words import Lang, Words
from generator.notation.toml import Source

Rows = list[list[str]]


def _deck(of: str | Path, lang: Lang) -> Rows:
    deck = load_deck(_own(of))
    rows = [[deck.name[lang]], *report_rows(deck, load_pool())]
    for i, card in enumerate(deck.cards):
        if i % SET_SIZE == 0:
            rows.append([""])
        counts = Counter(unit.kind.name[lang] for unit in card.units)
        kinds = ", ".join(f"{n} {kind}" for kind, n in counts.items()) or EMPTY
        rows.append([card.camp, card.key, card.name[lang], kinds])
    return rows


def _pool(of: str | Path, lang: Lang) -> Rows:
    pool, tables = load_pool(_own(of)), lore()
    rows = [[pool.name[lang]]]
    for camp, stock in (("pennant", pool.pennant), ("standard", pool.standard)):
        rows += [
            [camp, "figures", tables.races[race].name[lang], tables.weapons[weapon].name[lang], str(count)]
            for race, counts in stock.figures.items()
            for weapon, count in counts.items()
        ]
        rows += [
            [camp, "banners", tables.banners[banner].name[lang], tables.weapons[weapon].name[lang], str(count)]
            for banner, counts in stock.banners.items()
            for weapon, count in counts.items()
        ]
        rows += [[camp, "levies", tables.banners[b].name[lang], "", str(n)] for b, n in stock.levies.items()]
    return rows


def _map(of: str | Path, lang: Lang) -> Rows:
    found = load_map(of) if isinstance(of, Path) else house_maps()[of]
    return [[found.name[lang]], [found.note[lang]], *([line] for line in picture(found.board).splitlines())]


def _inventory(of: str | Path, lang: Lang) -> Rows:
    inventory = load_inventory(of) if isinstance(of, Path) else house_inventory()
    return [[inventory.name[lang]], *([" / ".join(tiles.faces), str(tiles.count)] for tiles in inventory.tiles)]


def _terrain(of: str | Path, lang: Lang) -> Rows:
    kinds = (*lore().terrain.values(), *lore().features.values())
    return [
        [k.id, k.name[lang], k.move, str(k.dice_in or "-"), str(k.dice_out or "-"), k.source, k.effect[lang]]
        for k in kinds
    ]


def _units(of: str | Path, lang: Lang) -> Rows:
    return [[w.id, w.name[lang], str(w.range), w.source, w.effect[lang]] for w in lore().weapons.values()]


def _own(of: str | Path) -> Path | None:
    """The user's file; None for what ships."""
    return of if isinstance(of, Path) else None


def _faults(read: Callable[[Source], object]) -> Callable[[Source], list[Problem]]:
    def check(source: Source) -> list[Problem]:
        try:
            read(source)
        except DataError as error:
            return list(error.problems)
        return []

    return check


def _deck_title() -> dict[str, Words]:
    deck: Deck = load_deck()
    return {"house-deck": deck.name}


SHELVES = (
    Shelf("deck", _deck_title, _deck, deck_problems, ("card",)),
    Shelf("pool", lambda: {"house-pool": load_pool().name}, _pool, pool_problems, ("pennant", "standard")),
    Shelf("map", lambda: {name: m.name for name, m in house_maps().items()}, _map, _faults(read_map), ("rows",)),
    Shelf(
        "inventory",
        lambda: {"house-inventory": house_inventory().name},
        _inventory,
        _faults(read_inventory),
        ("tiles",),
    ),
    Shelf("table", lambda: {"terrain": Words("Terrain effects", "地形効果")}, _terrain),
    Shelf("table", lambda: {"weapons": Words("Weapons", "武器")}, _units),
)
