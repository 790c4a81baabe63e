"""What may be wished for in place of being drawn, and the wishes of one order made sense of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

from generator.draw.streams import Streams
from generator.errors import Problem, WrongUsageError, near
from generator.games.battlelore.board import CAMPS, Board, Camp, profiles
from generator.games.battlelore.lore import Span, lore
from generator.games.battlelore.maps import DrawnMap, house_maps, load_map
from generator.games.battlelore.names import battle_name
from generator.games.battlelore.rulings import Ruling, defaults, rulings
from generator.games.battlelore.terrain_maker import make_map
from generator.games.battlelore.tiles import Inventory, house_inventory, load_inventory
from generator.games.call_to_arms.deck import Deck, load_deck
from generator.games.call_to_arms.pool import Pool, load_pool
from generator.games.call_to_arms.scenario import Step
from generator.games.call_to_arms.words import numbers
from generator.games.capability import Wish
from generator.model.scenario import Order, UserFile
from generator.model.words import Words, same
from generator.notation.envelope import file_hash
from generator.notation.text import clean_name

T = TypeVar("T")

MODES = ("impromptu",)
RANDOM = "random"


@cache
def switches() -> Mapping[str, Ruling]:
    """The rulings that a scenario of this game names."""
    return rulings("battlelore", "call_to_arms")


def _wishes() -> tuple[Wish, ...]:
    play = lore().play
    per_camp = [
        wish
        for camp in CAMPS
        for wish in (
            Wish(f"set-{camp}", f"The {camp} player's set of cards.", ("A", "B", "C")),
            Wish(f"cards-{camp}", f"The {camp} player's four cards.", metavar="A1,A2,…"),
            Wish(
                f"place-{camp}",
                f"Where the {camp} player's cards go: left, centre, right, reserve.",
                metavar="A1,A2,…",
            ),
        )
    ]
    return (
        Wish("title", "What the battle is called.", metavar="TITLE"),
        Wish("mode", "How armies are raised.", MODES),
        Wish("board", "The board profile.", tuple(profiles())),
        Wish("map", "A house map, `random`, or the path of a drawn map.", (*house_maps(), RANDOM), file=True),
        *per_camp,
        Wish("banners", "Victory banners to win.", _span(play.banners)),
        Wish("hand", "Command cards in a hand.", _span(play.hand)),
        *(
            Wish(ruling.id, f"Ruling: {ruling.name.en.lower()}.", tuple(c.id for c in ruling.choice))
            for ruling in switches().values()
        ),
        Wish("deck", "A deck of your own (docs/formats/deck.md).", file=True, metavar="FILE"),
        Wish("pool", "Your figures and banners (docs/formats/deck.md).", file=True, metavar="FILE"),
        Wish("inventory", "Your terrain pieces (docs/formats/inventory.md).", file=True, metavar="FILE"),
    )


def _span(span: Span) -> tuple[str, ...]:
    return tuple(str(n) for n in range(span.least, span.most + 1))


@cache
def wishes() -> tuple[Wish, ...]:
    """Every wish of this game."""
    return _wishes()


@dataclass(frozen=True)
class Ground:
    """The map of a scenario, with the steps that led to it."""

    name: str
    title: Words
    board: Board
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Asked:
    """An order's wishes, read and checked; what is not wished for is empty or at its default."""

    code: str
    title: Words | None
    profile: str
    map: str
    drawn_map: DrawnMap | None
    sets: Mapping[Camp, str]
    cards: Mapping[Camp, tuple[str, ...]]
    places: Mapping[Camp, tuple[str, ...]]
    banners: int
    hand: int
    rulings: Mapping[str, str]
    deck: Deck
    pool: Pool
    inventory: Inventory
    files: Mapping[str, UserFile]

    @classmethod
    def of(cls, order: Order) -> Asked:
        """Read an order; WrongUsageError for a wish that makes no sense, DataError for a bad file."""
        wish = order.wishes
        deck = _file(order, "deck", load_deck)
        title = wish.get("title", "")
        drawn_map = load_map(order.files["map"]) if "map" in order.files else None
        board = wish.get("board") or (drawn_map.board.profile if drawn_map else "battlelore")
        return cls(
            code=order.code,
            title=same(clean_name(title, "--title")) if title else None,
            profile=board,
            map=wish.get("map", ""),
            drawn_map=drawn_map,
            sets={camp: wish.get(f"set-{camp}", "") for camp in CAMPS},
            cards={camp: _cards(order, deck, camp, "cards") for camp in CAMPS},
            places={camp: _cards(order, deck, camp, "place") for camp in CAMPS},
            banners=int(wish.get("banners", lore().play.banners.usual)),
            hand=int(wish.get("hand", lore().play.hand.usual)),
            rulings=defaults(switches()) | {r: wish[r] for r in switches() if r in wish},
            deck=deck,
            pool=_file(order, "pool", load_pool),
            inventory=load_inventory(order.files["inventory"]) if "inventory" in order.files else house_inventory(),
            files={name: UserFile(path.name, file_hash(path)) for name, path in order.files.items()},
        )

    def placed(self, camp: Camp, hand: tuple[str, ...]) -> tuple[str, ...]:
        """The wished places of a camp's four cards, if any; they must be the cards of its hand."""
        places = self.places[camp]
        if places and sorted(places) != sorted(hand):
            raise WrongUsageError(
                Problem(
                    f"--place-{camp}: the {camp} player's hand is {', '.join(hand)}",
                    hint=f"place these four, or wish for other cards with --cards-{camp}",
                )
            )
        return places

    def ground(self, streams: Streams) -> Ground:
        """The map wished for, or one drawn: as often a house map of this board as a random one."""
        maps = {name: m for name, m in house_maps().items() if m.board.profile == self.profile}
        if self.drawn_map:
            return Ground(self.map, self.drawn_map.name, self.drawn_map.board, (Step("map", None, "", (self.map,)),))
        choice, stream = self.map, ""
        if not choice:
            draw = streams.at("choice")
            stream = draw.path
            choice = RANDOM if draw.chance(1, 2) else draw.choice(tuple(maps))
        if choice == RANDOM:
            own = streams.under(RANDOM)
            board = make_map(self.profile, own, self.inventory)
            step = Step("map", None, own.prefix, (RANDOM,))
            return Ground(RANDOM, battle_name(streams.at("name")), board, (step,))
        if choice not in maps:
            raise WrongUsageError(
                Problem(f"map {choice} is drawn for another board than {self.profile}", hint=near(choice, maps))
            )
        step = Step("map", None, stream, (choice,))
        return Ground(choice, maps[choice].name, maps[choice].board, (step,))


def _file(order: Order, wish: str, load: Callable[[Path | None], T]) -> T:
    return load(order.files.get(wish))


def _cards(order: Order, deck: Deck, camp: Camp, wish: str) -> tuple[str, ...]:
    """Four different cards of one set, as a wish names them."""
    text = order.wishes.get(f"{wish}-{camp}", "")
    if not text:
        return ()
    option = f"--{wish}-{camp}"
    keys = tuple(part.strip().upper() for part in text.replace("、", ",").split(","))
    known = [card.key for card in deck.cards if card.camp == camp]
    for key in keys:
        if key not in known:
            raise WrongUsageError(Problem(f"{option}: no card {key[:20]!r}", hint=near(key, known)))
    if len(keys) != numbers().drawn or len(set(keys)) != len(keys):
        raise WrongUsageError(f"{option}: name four different cards, such as A3,A1,A7,A5")
    if len({key[0] for key in keys}) > 1:
        raise WrongUsageError(f"{option}: the four cards come from one set")
    letter = order.wishes.get(f"set-{camp}")
    if letter and keys[0][0] != letter:
        raise WrongUsageError(f"{option}: these cards are not of set {letter}, which --set-{camp} wishes for")
    return keys
