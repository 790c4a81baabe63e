"""What may be wished for in place of being drawn, and the wishes of one order made sense of."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from generator.errors import Problem, WrongUsageError, near
from generator.games.battlelore import setting
from generator.games.battlelore.battle import OTHER
from generator.games.battlelore.board import CAMPS, Camp
from generator.games.battlelore.council import Council, council_tables
from generator.games.battlelore.pool import Pool, load_pool
from generator.games.battlelore.rulings import Ruling, rulings
from generator.games.battlelore.setting import Setting
from generator.games.call_to_arms.deck import Deck, load_deck
from generator.games.call_to_arms.specialists import specialists
from generator.games.call_to_arms.words import numbers
from generator.games.capability import Wish
from generator.model.scenario import Order

IMPROMPTU, ORGANIZED = MODES = ("impromptu", "organized")
MEDIEVAL, LORE = AGES = ("medieval", "lore")
RANDOM, STRONG = PLACES = ("random", "strong")


@cache
def switches() -> Mapping[str, Ruling]:
    """The rulings that a scenario of this game names."""
    return rulings("battlelore", "call_to_arms")


@cache
def wishes() -> tuple[Wish, ...]:
    """Every wish of this game."""
    return (
        Wish("mode", "How armies are raised (impromptu unless wished for).", MODES),
        Wish("age", "Medieval, or Lore with war councils (medieval unless wished for).", AGES),
        Wish("owner", "Who owns the expansion: he has the first say in Organized games.", CAMPS),
        Wish("place", "Where cards go: at random, or where they do most (random unless wished for).", PLACES),
        *(wish for camp in CAMPS for wish in _of_camp(camp)),
        *setting.wishes(switches()),
        Wish("deck", "A deck of your own (docs/formats/deck.md).", file=True, metavar="FILE"),
        Wish("pool", "Your figures and banners (docs/formats/deck.md).", file=True, metavar="FILE"),
    )


def _of_camp(camp: Camp) -> tuple[Wish, ...]:
    places = f"Where the {camp} player's cards go: left, centre, right, reserve."
    picks = f"The {camp} player's Specialists, in the order he takes them."
    plays = f"What the {camp} player's Specialists do, such as 'infiltration: P3>D5 P4>E5; prayer'."
    return (
        Wish(f"set-{camp}", f"The {camp} player's set; two in Organized games: A,C/standard.", metavar="A"),
        Wish(f"cards-{camp}", f"The {camp} player's four cards.", metavar="A1,A2,…"),
        Wish(f"place-{camp}", places, metavar="A1,A2,…"),
        Wish(f"council-{camp}", f"The {camp} player's war council: commander 2, warrior 3 …", metavar="LEVELS"),
        Wish(f"specialists-{camp}", picks, metavar="NAME,NAME"),
        Wish(f"plays-{camp}", plays, metavar="PLAYS"),
    )


@dataclass(frozen=True)
class Asked:
    """An order's wishes, read and checked; what is not wished for is empty or at its default."""

    setting: Setting
    mode: str
    age: str
    owner: Camp | None
    place: str
    sets: Mapping[Camp, tuple[str, ...]]
    cards: Mapping[Camp, tuple[str, ...]]
    places: Mapping[Camp, tuple[str, ...]]
    councils: Mapping[Camp, Council]
    specialists: Mapping[Camp, tuple[str, ...]]
    plays: Mapping[Camp, Mapping[str, tuple[str, ...]]]
    deck: Deck
    pool: Pool

    @classmethod
    def of(cls, order: Order) -> Asked:
        """Read an order; WrongUsageError for a wish that makes no sense, DataError for a bad file."""
        deck = load_deck(order.files.get("deck"))
        wish = order.wishes
        mode, age = wish.get("mode", IMPROMPTU), wish.get("age", MEDIEVAL)
        for camp in CAMPS:
            if mode != ORGANIZED:
                _only(order, (f"specialists-{camp}", f"plays-{camp}"), "Organized games", "--mode organized")
            if age != LORE:
                _only(order, (f"council-{camp}",), "Lore games", "--age lore")
        return cls(
            setting=Setting.of(order, switches()),
            mode=mode,
            age=age,
            owner=next((camp for camp in CAMPS if camp == wish.get("owner")), None),
            place=wish.get("place", RANDOM),
            sets={camp: _sets(order, deck, camp, mode) for camp in CAMPS},
            cards={camp: _cards(order, deck, camp, "cards", mode) for camp in CAMPS},
            places={camp: _cards(order, deck, camp, "place", mode) for camp in CAMPS},
            councils={camp: _council(order, camp) for camp in CAMPS},
            specialists={camp: _specialists(order, camp) for camp in CAMPS},
            plays={camp: _plays(order, camp) for camp in CAMPS},
            deck=deck,
            pool=load_pool(order.files.get("pool")),
        )

    @staticmethod
    def absolute(camp: Camp, ref: str) -> str:
        """What a camp calls `A`, said so that both camps understand it: `A/pennant`."""
        return ref if "/" in ref else f"{ref}/{camp}"

    def sets_for(self, camp: Camp, used: tuple[str, ...]) -> tuple[str, ...]:
        """The sets wished for, directly or by cards; none of them may be among those the other camp uses."""
        sets = self.sets[camp] or tuple(dict.fromkeys(_set_of(ref) for ref in self.cards[camp]))
        if not sets:
            return ()
        count = numbers().mode[self.mode].sets
        if len(sets) < count:  # cards that all come from one set leave the other open
            others = (s for s in self.deck.sets if s not in sets and self.absolute(camp, s) not in used)
            sets = tuple(sorted((*sets, next(others))))
        clash = {self.absolute(OTHER[camp], u) for u in used} & {self.absolute(camp, s) for s in sets}
        if clash:
            taken = ", ".join(sorted(clash))
            raise WrongUsageError(Problem(f"--set-{camp}: the other player uses {taken}", hint="no set serves both"))
        return sets

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


def _only(order: Order, names: Iterable[str], where: str, how: str) -> None:
    for name in names:
        if name in order.wishes:
            raise WrongUsageError(Problem(f"--{name} belongs to {where}", hint=f"add {how}"))


def _set_of(ref: str) -> str:
    key, _, other = ref.partition("/")
    return f"{key[0]}/{other}" if other else key[0]


def _listed(text: str) -> tuple[str, ...]:
    plain = unicodedata.normalize("NFKC", text)
    return tuple(part.strip() for part in re.split(r"[,、]", plain) if part.strip())


def _ref(text: str, camp: Camp) -> str:
    """A card or set as its camp calls it: `a3` is A3, and its own camp's name behind it goes without saying."""
    key, _, other = text.partition("/")
    other = other.strip().lower()
    return key.strip().upper() + (f"/{other}" if other and other != camp else "")


def _sets(order: Order, deck: Deck, camp: Camp, mode: str) -> tuple[str, ...]:
    option, count = f"--set-{camp}", numbers().mode[mode].sets
    text = order.wishes.get(f"set-{camp}", "")
    sets = tuple(sorted(_ref(part, camp) for part in _listed(text)))
    known = deck.sets if mode != ORGANIZED else (*deck.sets, *(f"{s}/{OTHER[camp]}" for s in deck.sets))
    for ref in sets:
        if ref not in known:
            raise WrongUsageError(Problem(f"{option}: no set {ref[:20]!r}", hint=near(ref, known)))
    if text and (len(sets) != count or len(set(sets)) != count):
        raise WrongUsageError(f"{option}: name {count} different set{'s' * (count > 1)}")
    return sets


def _cards(order: Order, deck: Deck, camp: Camp, wish: str, mode: str) -> tuple[str, ...]:
    """Four different cards of a camp's sets, as a wish names them."""
    text = order.wishes.get(f"{wish}-{camp}", "")
    if not text:
        return ()
    option, most = f"--{wish}-{camp}", numbers().mode[mode].sets
    keys = tuple(_ref(part, camp) for part in _listed(text))
    camps = (camp,) if mode != ORGANIZED else CAMPS
    known = [c.key if c.camp == camp else f"{c.key}/{c.camp}" for c in deck.cards if c.camp in camps]
    for key in keys:
        if key not in known:
            raise WrongUsageError(Problem(f"{option}: no card {key[:20]!r}", hint=near(key, known)))
    if len(keys) != numbers().drawn or len(set(keys)) != len(keys):
        raise WrongUsageError(f"{option}: name four different cards, such as A3,A1,A7,A5")
    sets = {_set_of(key) for key in keys}
    if len(sets) > most:
        raise WrongUsageError(f"{option}: the four cards come from {'one set' if most == 1 else 'two sets'}")
    wished = _sets(order, deck, camp, mode)
    if wished and not sets <= set(wished):
        raise WrongUsageError(
            f"{option}: these cards are not of set {' '.join(wished)}, which --set-{camp} wishes for"
        )
    return keys


def _council(order: Order, camp: Camp) -> Council:
    """`commander 2, warrior 3, rogue 1`, in the seats' order."""
    option, tables = f"--council-{camp}", council_tables()
    levels: dict[str, int] = {}
    for part in _listed(order.wishes.get(f"council-{camp}", "")):
        match = re.fullmatch(r"([a-z]+)[\s=:]*([0-9])", part.lower())
        if not match:
            raise WrongUsageError(f"{option}: {part[:20]!r} is no seat with its level, such as commander 2")
        if match[1] not in tables.seats:
            raise WrongUsageError(Problem(f"{option}: no seat {match[1]!r}", hint=near(match[1], tables.seats)))
        levels[match[1]] = int(match[2])
    return {seat: levels[seat] for seat in tables.seats if levels.get(seat)}


def _specialists(order: Order, camp: Camp) -> tuple[str, ...]:
    names = _listed(order.wishes.get(f"specialists-{camp}", ""))
    return tuple(_known(f"--specialists-{camp}", name) for name in names)


def _known(option: str, name: str) -> str:
    plain = name.strip().lower().replace(" ", "_").replace("-", "_")
    if plain not in specialists():
        raise WrongUsageError(Problem(f"{option}: no Specialist {name[:30]!r}", hint=near(plain, specialists())))
    return plain


def _plays(order: Order, camp: Camp) -> Mapping[str, tuple[str, ...]]:
    """`infiltration: P3>D5 P4>E5; prayer`: choices by Specialist."""
    plays: dict[str, tuple[str, ...]] = {}
    for part in order.wishes.get(f"plays-{camp}", "").split(";"):
        name, _, choices = part.partition(":")
        if name.strip():
            plays[_known(f"--plays-{camp}", name)] = (
                tuple(re.split(r"[\s,]+", choices.strip())) if choices.strip() else ()
            )
    return plays
