"""What may be wished for in place of being drawn, and the wishes of one order made sense of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from generator.errors import Problem, WrongUsageError, near
from generator.games.battlelore import wishes as battle
from generator.games.battlelore.battle import OTHER
from generator.games.battlelore.forces.council import Council
from generator.games.battlelore.forces.pool import Pool, load_pool
from generator.games.battlelore.ground.board import CAMPS, Camp
from generator.games.battlelore.mirror import drawer, evened
from generator.games.battlelore.wishes import Setting
from generator.games.call_to_arms.draw.reservewishes import Wished, reserves_of
from generator.games.call_to_arms.draw.specialwishes import councils_of, listed, picks_of, plays_of
from generator.games.call_to_arms.forces.deck import Deck, load_deck
from generator.games.call_to_arms.mirror import alike, twinned
from generator.games.call_to_arms.scenario import AGES, LORE, MEDIEVAL
from generator.games.call_to_arms.words import numbers
from generator.games.capability import Wish
from generator.games.rulings import Ruling, rulings
from generator.model.scenario import Order

IMPROMPTU, ORGANIZED = MODES = ("impromptu", "organized")
RANDOM, STRONG = PLACES = ("random", "strong")
STRENGTH = (
    "by a house measure: bows where they see most hexes in range, other units where most hexes next to them "
    "can be entered without a stop, weighed by their points"
)


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
        Wish("place", f"Where cards go: at random unless wished for, or {STRENGTH}.", PLACES),
        *(wish for camp in CAMPS for wish in _of_camp(camp)),
        *battle.wishes(switches()),
        Wish("deck", "A deck of your own (docs/formats/deck.md).", file=True, metavar="FILE"),
        Wish("pool", "Your figures and banners (docs/formats/deck.md).", file=True, metavar="FILE"),
    )


def _of_camp(camp: Camp) -> tuple[Wish, ...]:
    places = f"Where the {camp} player's cards go: left, centre, right, reserve."
    picks = f"The {camp} player's Specialists, in the order he takes them."
    reserves = f"The {camp} player's reserves by card cell, and their hexes: a3>B1,c2 (the second player's are two)."
    plays = f"What the {camp} player's Specialists do, such as 'infiltration: P3>D5 P4>E5; prayer'."
    return (
        Wish(f"set-{camp}", f"The {camp} player's set; two in Organized games: A,C/standard.", metavar="A"),
        Wish(f"cards-{camp}", f"The {camp} player's four cards.", metavar="A1,A2,…"),
        Wish(f"place-{camp}", places, metavar="A1,A2,…"),
        Wish(f"reserves-{camp}", reserves, metavar="CELL>HEX,…"),
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
    reserves: Mapping[Camp, Wished]
    deck: Deck
    pool: Pool

    @classmethod
    def of(cls, order: Order) -> Asked:
        """Read an order; WrongUsageError for a wish that makes no sense, DataError for a bad file."""
        order = alike(order, order.wishes.get("mode") == ORGANIZED)
        setting = Setting.of(order, switches())
        deck, pool = load_deck(order.files.get("deck")), load_pool(order.files.get("pool"))
        if setting.mirrored:
            deck, pool = twinned(deck), evened(pool)
        wish = order.wishes
        mode, age = wish.get("mode", IMPROMPTU), wish.get("age", MEDIEVAL)
        if mode != ORGANIZED:
            names = ("owner", *(f"{wish}-{camp}" for wish in ("specialists", "plays") for camp in CAMPS))
            _only(order, names, "Organized games", "--mode organized")
        if age != LORE:
            _only(order, [f"council-{camp}" for camp in CAMPS], "Lore games", "--age lore")
        councils = councils_of(order)
        return cls(
            setting=setting,
            mode=mode,
            age=age,
            owner=next((camp for camp in CAMPS if camp == wish.get("owner")), None),
            place=wish.get("place", RANDOM),
            sets={camp: _sets(order, deck, camp, mode) for camp in CAMPS},
            cards={camp: _cards(order, deck, camp, "cards", mode) for camp in CAMPS},
            places={camp: _cards(order, deck, camp, "place", mode) for camp in CAMPS},
            councils=councils,
            specialists=picks_of(order, age == LORE, councils),
            plays={camp: plays_of(order, camp) for camp in CAMPS},
            reserves={camp: reserves_of(order, camp) for camp in CAMPS},
            deck=deck,
            pool=pool,
        )

    def drawer(self, camp: Camp) -> Camp:
        """The camp whose streams draw for a camp."""
        return drawer(camp, mirrored=self.setting.mirrored)

    @staticmethod
    def absolute(camp: Camp, ref: str) -> str:
        """What a camp calls `A`, said so that both camps understand it: `A/pennant`."""
        return ref if "/" in ref else f"{ref}/{camp}"

    def sets_of(self, camp: Camp) -> tuple[str, ...]:
        """The sets wished for, directly or by their cards; four cards of one set leave the other open."""
        return self.sets[camp] or tuple(dict.fromkeys(_set_of(ref) for ref in self.cards[camp]))

    def settle(self, owner: Camp) -> None:
        """WrongUsageError where both players wish for one set."""
        other = OTHER[owner]
        theirs = {self.absolute(other, ref) for ref in self.sets_of(other)}
        both = [ref for ref in self.sets_of(owner) if self.absolute(owner, ref) in theirs]
        if both:
            raise WrongUsageError(
                Problem(
                    f"both players wish for set {self.absolute(owner, both[0])}",
                    hint=f"the {owner} player owns the expansion: another set with --set-{other} or --cards-{other}",
                )
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


def _only(order: Order, names: Iterable[str], where: str, how: str) -> None:
    for name in names:
        if name in order.wishes:
            raise WrongUsageError(Problem(f"--{name} belongs to {where}", hint=f"add {how}"))


def _set_of(ref: str) -> str:
    key, _, other = ref.partition("/")
    return f"{key[0]}/{other}" if other else key[0]


def _ref(text: str, camp: Camp) -> str:
    """A card or set as its camp calls it: `a3` is A3, and its own camp's name behind it goes without saying."""
    key, _, other = text.partition("/")
    other = other.strip().lower()
    return key.strip().upper() + (f"/{other}" if other and other != camp else "")


def _sets(order: Order, deck: Deck, camp: Camp, mode: str) -> tuple[str, ...]:
    option, count = f"--set-{camp}", numbers().mode[mode].sets
    text = order.wishes.get(f"set-{camp}", "")
    sets = tuple(sorted(_ref(part, camp) for part in listed(text)))
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
    keys = tuple(_ref(part, camp) for part in listed(text))
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
