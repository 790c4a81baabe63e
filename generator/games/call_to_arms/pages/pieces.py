"""Printable pieces and pages that need no scenario: cards, tokens, tiles, the deployment page and record sheets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from generator.common.catalogue import RANDOM, user_path
from generator.common.game import DRAW, Printable
from generator.common.interpretations import readings
from generator.common.ownership import is_user_content
from generator.games.battlelore.forces import Kind, council_tables
from generator.games.battlelore.ground import (
    CARD_ROWS,
    SECTIONS,
    SIDES,
    Section,
    Side,
    Tiles,
    house_maps,
    load_inventory,
    section_name,
    side_name,
)
from generator.games.battlelore.maps import token
from generator.games.battlelore.pages import pieces as base
from generator.games.battlelore.pages import records
from generator.games.battlelore.pages.pieces import boards_print
from generator.games.battlelore.pages.reference import NO_LIMIT, closing
from generator.games.battlelore.tables import lore
from generator.games.call_to_arms.cards import KEYS, SET_SIZE, SETS, Card, Deck
from generator.games.call_to_arms.decks import load_deck
from generator.games.call_to_arms.fairness import strength
from generator.games.call_to_arms.model import Scenario
from generator.games.call_to_arms.record import read_record
from generator.games.call_to_arms.specialists import Specialist, lore_only, specialists
from generator.games.call_to_arms.tables import numbers, switches, words
from generator.grid.hexes import field
from generator.model.views import (
    ArmyCard,
    Back,
    CardView,
    Kit,
    MapView,
    Piece,
    Run,
    Shade,
    Sheet,
    TextCard,
    Tile,
    Token,
)
from generator.model.words import Words, joined, same
from generator.notation import toml
from generator.notation.toml import Source
from generator.store.folders import shipped_path

Played = Section | Literal["reserve"]
PLACES: tuple[Played, ...] = (*SECTIONS, "reserve")
"""The places of a camp's cards, in the order of the scenario file."""


def card_view(deck: Deck, card: Card, place: Played | Literal["unplaced", "deck"]) -> CardView:
    """Return the face of a card as its owner sees it.

    `place` is the place at which the card is played, `unplaced` for a card in the hand, or `deck`.
    """
    grid = field(CARD_ROWS)
    baseline = tuple(grid.at(column, 0) for column in range(CARD_ROWS[0]))
    counts = Counter(u.kind for u in card.units)
    texts = words()["cards"]
    return CardView(
        key=card.key,
        name=card.name,
        shape=card.camp,
        board=MapView(
            grid,
            dict.fromkeys(grid.cells, "clear"),
            tokens=tuple(
                (grid.at(u.column, u.row), msgspec.structs.replace(token(card.camp, u.kind), name=u.kind.name))
                for u in card.units
            ),
            shades=(Shade("baseline", baseline),),
            names=False,
        ),
        units=tuple((token(card.camp, kind), count) for kind, count in counts.items()),
        note=texts["own_note" if is_user_content(deck) else "note"].fill(points=strength([card])),
        places=() if place == "deck" else (*map(section_name, SECTIONS), texts["reserve"]),
        place=None if place in ("deck", "unplaced") else PLACES.index(place),
    )


class Pieces(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of pieces.toml."""

    copies: int
    summaries: tuple[str, ...]
    tiles: tuple[str, ...]
    rectangles: tuple[str, ...]
    cliff_sides: tuple[int, ...]
    emblems: dict[str, tuple[str, ...]]
    kind: dict[str, Words]
    text: dict[str, Words]


pieces = toml.shipped_table("call_to_arms/pieces.toml", Pieces)
"""Returns the shipped selection of cards and tokens, and their texts."""


def deployment_cards(deck: Deck, wanted: Callable[[str, str], bool]) -> Run:
    """Return the cards of a deck for which `wanted(set, key)` is True."""
    texts = pieces()
    made = tuple(
        Piece(
            Words(f"{side_name(card.camp).en} {card.key}", f"{side_name(card.camp).ja} {card.key}"),
            card_view(deck, card, "deck"),
            Back(card.camp, words()["game"]["title"], texts.text["back_set"].fill(set=card.set)),
        )
        for card in deck.cards
        if wanted(card.set, card.key)
    )
    return Run("cards", texts.kind["deck"], made, "card", note=None if is_user_content(deck) else texts.text["house"])


def battle_cards(scenario: Scenario) -> Run:
    """Return the cards that were played in a battle, and a card with the armies.

    Adjacent cards touch, so one cut separates two cards.
    """
    texts, title = pieces(), words()["game"]["title"]
    made = [
        Piece(
            joined([side_name(camp), card.name], " "),
            card_view(scenario.deck, card, place),
            Back(camp, title, texts.text["back_set"].fill(set=card.set)),
        )
        for camp, force in scenario.forces.items()
        for place, card in zip(PLACES, (scenario.card(camp, key) for key in force.keys), strict=True)
    ]
    armies = ArmyCard(
        texts.text["armies"], base.NEUTRAL, tuple(_army(scenario, camp) for camp in SIDES), texts.text["armies_note"]
    )
    back = Back(base.NEUTRAL, title, texts.text["armies"])
    note = None if is_user_content(scenario.deck) else texts.text["house"]
    return Run(
        "deck", texts.kind["drawn"], (*made, Piece(texts.text["armies"], armies, back)), "card", note=note, gap=0
    )


def _army(scenario: Scenario, camp: Side) -> tuple[Words, Words, tuple[tuple[Token, int], ...]]:
    """Return a camp's name, a text with its number of units, and the number of tokens of each kind on the board."""
    units = [unit for side, unit in scenario.final.units if side == camp and unit.hex]
    counts = Counter(token(camp, unit.kind, levy=unit.levy) for unit in units)
    text = pieces().text["first" if scenario.first == camp else "second"].fill(n=len(units))
    return side_name(camp), text, tuple(counts.items())


def specialist_cards(wanted: Callable[[str], bool]) -> Run:
    """Return the cards of the Specialists for whose id `wanted` returns True."""
    texts = pieces()
    back = Back(base.LORE, words()["game"]["title"], texts.kind["specialists"])
    made = tuple(Piece(card.name, _specialist(card), back) for card in specialists().values() if wanted(card.id))
    return Run("cards", texts.kind["specialists"], made, "card", note=texts.text["own_words"])


def _specialist(card: Specialist) -> TextCard:
    """Return the card of a Specialist.

    The Japanese face also has the English name, which is printed on the original card.
    """
    texts = pieces().text
    kind = texts["of_class"].fill(name=council_tables().name(card.needs)) if card.needs else texts["specialist"]
    kind = Words(kind.en, f"{card.name.en}・{kind.ja}")
    when = lore_only(texts["lore_only"]) if card.lore_only else texts["any_game"]
    emblems = tuple(map(_emblem, pieces().emblems.get(card.id, ())))
    return TextCard(
        card.name, base.LORE, kind, emblems, texts=(card.full_text,), note=when, brief=pieces().text["brief"]
    )


def _emblem(text: str) -> Token | str:
    """Return the picture for an id: a terrain, a Lore token, or a unit given by its banner, weapon and race."""
    if text == base.LORE:
        return base.LORE_TOKEN
    if " " not in text:
        return text
    banner, weapon, race = text.split()
    return token(SIDES[0], Kind(banner, weapon, race))


def summary_cards() -> Run:
    """Return the summary cards for the weapons and terrain of this box, as many copies as pieces.toml states."""
    texts = pieces()
    back = Back(base.NEUTRAL, words()["game"]["title"], texts.kind["summary"])
    made = tuple(Piece(card.name, card, back) for card in map(_summary, texts.summaries) for _ in range(texts.copies))
    return Run("cards", texts.kind["summary"], made, "card", note=texts.text["own_words"])


def _summary(of: str) -> TextCard:
    tables, texts = lore(), pieces().text
    figures: tuple[Token | str, ...]
    if weapon := tables.weapons.get(of):
        figures = tuple(token(camp, Kind("blue", of, "human")) for camp in SIDES)
        name, kind, facts, effect = weapon.name, texts["weapon"], base.weapon_facts(weapon), weapon.effect
    else:
        ground, figures = tables.kind(of), (of,)
        name, kind, facts, effect = ground.label, texts["terrain"], base.terrain_facts(ground), ground.effect
    note, brief = texts["own_words"], texts["brief"]
    return TextCard(name, base.NEUTRAL, kind, figures, facts, texts=(effect,), note=note, brief=brief)


def levy_tokens(options: Mapping[str, str]) -> Run:
    """Return the Feudal levy tokens of each camp and colour."""
    pool, tables, texts = base.pool_of(options), lore(), pieces()
    made = tuple(
        Piece(texts.text["levy"].fill(banner=banner.name), face, face)
        for camp in SIDES
        for banner in tables.banners.values()
        for face in [Token(camp, banner.id, "levy", mark="levy")]
        for _ in range(pool.levies(camp, banner.id))
    )
    return Run("tokens", texts.kind["levies"], made, "hex")


def terrain_tiles(options: Mapping[str, str]) -> Run:
    """Return the double-sided hex tiles of this box. The cliff sides vary from cliff to cliff."""
    texts = pieces()
    every = [tiles for tiles in _boxed(texts.tiles, options) for _ in range(tiles.count)]
    made = tuple(map(_two_faced, every, _cliff_sides(len(every))))
    return Run("tokens", texts.kind["tiles"], made, "hex")


def _two_faced(tiles: Tiles, cliffs: tuple[int, ...] = ()) -> Piece:
    """Return a piece that shows the first face on its front and the second face, if any, on its back."""
    front, *others = [Tile(face, cliffs if lore().kind(face).sides else ()) for face in tiles.faces]
    name = joined([lore().kind(face).label for face in tiles.faces], " / ", "／")
    return Piece(name, front, others[0] if others else None)


def rectangles(options: Mapping[str, str]) -> Run:
    """Return the rectangular pieces that players put on hexes."""
    texts = pieces()
    made = tuple(_two_faced(tiles) for tiles in _boxed(texts.rectangles, options) for _ in range(tiles.count))
    return Run("tokens", texts.kind["rectangles"], made, "tile")


def _boxed(faces: tuple[str, ...], options: Mapping[str, str]) -> Iterator[Tiles]:
    """Yield the pieces of the user's or the house inventory whose first face is in `faces`."""
    box = load_inventory(user_path(options, "inventory"))
    return (tiles for tiles in box.tiles if tiles.faces[0] in faces)


def _cliff_sides(count: int) -> Iterator[tuple[int, ...]]:
    """Yield the directions of the cliff sides for each tile. They are consecutive and start in the east."""
    numbers = pieces().cliff_sides
    return (tuple(range(numbers[i % len(numbers)])) for i in range(count))


def unit_counts(options: Mapping[str, str]) -> dict[Side, dict[Kind, int]]:
    """Return how many tokens of each kind a camp can need, from the pool and from Specialists."""
    counts = base.unit_counts(base.pool_of(options))
    for card in specialists().values():
        if card.effect == "upgrade":
            for found in counts.values():
                archers = [kind for kind in found if kind.bow and kind.race == card.race]
                found.update({replace(kind, weapon=card.to): found[kind] for kind in archers})
    return counts


_CARDS: dict[str, Callable[[], Run]] = {"summary": summary_cards, "units": base.unit_cards}
_TOKENS: dict[str, Callable[[Mapping[str, str]], Run]] = {
    "levies": levy_tokens,
    "tiles": terrain_tiles,
    "rectangles": rectangles,
    "lore": lambda _: base.lore_tokens(),
    "units": lambda options: base.unit_tokens(unit_counts(options)),
}


def _card_kinds() -> dict[str, Words]:
    texts = pieces().kind
    return {
        **{letter: texts["set"].fill(set=letter) for letter in SETS},
        **{key: texts["card"].fill(key=key) for key in KEYS},
        **{name: texts[name] for name in ("specialists", "summary", "units")},
        **{card.id: card.label for card in specialists().values()},
    }


def cards(options: Mapping[str, str]) -> Kit:
    """Return the whole deck, or the parts that the option `only` names: sets, keys, specialists, summary, units."""
    only = base.wanted(options)
    deck = load_deck(user_path(options, "deck"))
    runs = [
        deployment_cards(deck, lambda letter, key: not only or bool(only & {letter, key})),
        specialist_cards(lambda name: not only or bool(only & {"specialists", name})),
        *(make() for name, make in _CARDS.items() if not only or name in only),
    ]
    return base.together(words()["game"]["title"], pieces().text["cards"], runs, options)


def tokens(options: Mapping[str, str]) -> Kit:
    """Return all tokens and tiles, or the kinds that the option `only` names."""
    only = base.wanted(options) or _TOKENS.keys()
    runs = [make(options) for name, make in _TOKENS.items() if name in only]
    return base.together(words()["game"]["title"], pieces().text["tokens"], runs, options)


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step of the deployment, with one text for both modes or a text for each mode."""

    name: Words
    both: Words | UnsetType = UNSET
    impromptu: Words | UnsetType = UNSET
    organized: Words | UnsetType = UNSET


@cache
def steps() -> tuple[Step, ...]:
    """Return the steps of the deployment from procedure.toml."""
    return toml.read(shipped_path("data") / "call_to_arms" / "procedure.toml", dict[str, tuple[Step, ...]])["step"]


def deployment_sheet() -> Sheet:
    """Return the page about deployment, including headings that its template cannot look up."""
    facts = _facts()
    return Sheet(
        part="reference",
        title=words()["quick"]["page"],
        template="call_to_arms/quick.xml",
        pages=2,
        view={
            **closing(switches(), (*readings("battlelore"), *readings("call_to_arms"))),
            "steps": [
                {
                    "name": step.name,
                    "texts": [
                        text.fill(**facts)
                        for text in (step.both, step.impromptu, step.organized)
                        if isinstance(text, Words)
                    ],
                }
                for step in steps()
            ],
            "specialists": [_row(card) for card in specialists().values()],
        },
    )


def _facts() -> dict[str, object]:
    """Return the numbers that the deployment page states."""
    tables = numbers()
    one, two = (tables.mode[mode].sets for mode in ("impromptu", "organized"))
    return {
        "one": one,
        "two": two,
        "cards": SET_SIZE,
        "double": two * SET_SIZE,
        "drawn": tables.drawn,
        "tie_dice": tables.tie_dice,
        "second_reserves": tables.second_reserves,
        "reveal": joined(map(section_name, tables.mode["organized"].reveal)).low,
        **{f"pick{i}": len(list(run)) for i, (_, run) in enumerate(groupby(tables.picks))},
    }


def _row(card: Specialist) -> dict[str, object]:
    texts = words()["quick"]
    return {
        "name": card.label,
        "master": council_tables().name(card.needs) if card.needs else same(NO_LIMIT),
        "games": lore_only(texts["lore_only"]) if card.lore_only else texts["any"],
        "effect": card.full_text,
    }


def needed() -> dict[str, Words]:
    """Return the names of the Specialists that need a class of Lore Master, keyed by class."""
    cards = specialists().values()
    by_class = {c.id: [card.label for card in cards if card.needs == c.id] for c in council_tables().classes}
    return {name: joined(found) for name, found in by_class.items() if found}


def _carried(path: Path) -> records.Carried:
    """Return the contents of a campaign sheet, read from the record of the campaign.

    Raises DataError if the record is invalid.
    """
    maps = {name: found.name for name, found in house_maps().items()} | {RANDOM: same("")}
    of = read_record(Source.open(path))
    winners: dict[str, Words] = {camp: side_name(camp) for camp in SIDES} | {DRAW: words()["campaign"][DRAW]}
    battles = [
        (
            maps.get(battle.map, same(battle.map)),
            *(same(" ".join(cards)) for cards in (battle.cards.pennant, battle.cards.standard)),
            winners[battle.winner],
            same(f"{battle.banners[0]} : {battle.banners[1]}"),
            same(space),
        )
        for battle, space in zip(of.battles, of.spaces, strict=True)
    ]
    return records.Carried(of.name, of.track, of.space, battles, {camp: of.losses(camp) for camp in SIDES})


def printables() -> tuple[Printable, ...]:
    """Return the cards, tokens, quick reference, record sheets and boards, which need no scenario."""
    title, texts = words()["game"]["title"], pieces().kind
    kinds = {name: texts[name] for name in _TOKENS if name != "units"} | {"units": texts["unit_tokens"]}
    entry = ("deployment", words()["quick"]["page"], deployment_sheet)
    return (
        Printable("cards", _card_kinds(), cards, ("deck",)),
        Printable("tokens", kinds, tokens, ("pool", "inventory")),
        records.reference(title, entry),
        records.sheets(title, cards=True, needed=needed, carried=_carried),
        boards_print(title),
    )
