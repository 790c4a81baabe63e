"""What may be wished for: cards, reserves, Specialists.

What may be wished for in place of being drawn, and the wishes of one order made sense of.

Wishes for the reserves: which units come, and on which hexes; the second player's two are his own choice.

Wishes for war councils and Specialists made sense of.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from generator.common.game import Wish
from generator.errors import Problem, WrongUsageError, near
from generator.games.battlelore import wishes as battle
from generator.games.battlelore.forces import COMMANDER, Council, Pool, council_tables, councils, load_pool
from generator.games.battlelore.ground import SIDES, Side
from generator.games.battlelore.mirror import drawer, evened
from generator.games.battlelore.model import AGES, LORE, MEDIEVAL, OTHER
from generator.games.battlelore.wishes import Setting
from generator.games.call_to_arms.cards import CardUnit, Deck, cell_name, load_deck
from generator.games.call_to_arms.mirror import alike, twinned
from generator.games.call_to_arms.specialists import specialists
from generator.games.call_to_arms.tables import numbers, switches
from generator.grid.field import HexField
from generator.grid.hexes import Hex
from generator.model.scenario import Request


def listed(text: str) -> tuple[str, ...]:
    """The parts of a list that a person typed."""
    plain = unicodedata.normalize("NFKC", text)
    return tuple(part.strip() for part in re.split(r"[,、]", plain) if part.strip())


def councils_of(order: Request) -> dict[Side, Council]:
    """Each camp's `commander 2, warrior 3, rogue 1`, in the seats' order; empty where nobody wishes for one."""
    return {camp: _council(order, camp) for camp in SIDES}


def _council(order: Request, camp: Side) -> Council:
    option, tables = f"--council-{camp}", council_tables()
    levels: dict[str, int] = {}
    for part in listed(order.wishes.get(f"council-{camp}", "")):
        match = re.fullmatch(r"([a-z]+)[\s=:]*([0-9])", part.lower())
        if not match:
            raise WrongUsageError(f"{option}: {part[:20]!r} is no seat with its level, such as commander 2")
        if match[1] not in tables.seats:
            raise WrongUsageError(Problem(f"{option}: no seat {match[1]!r}", hint=near(match[1], tables.seats)))
        levels[match[1]] = int(match[2])
    if levels and tuple((seat, levels.get(seat, 0)) for seat in tables.seats) not in councils():
        most = (
            f"{COMMANDER} {tables.commander.least} to {tables.commander.most}, the others up to {tables.master.most}"
        )
        raise WrongUsageError(Problem(f"{option}: {tables.levels} levels are shared out in all", hint=most))
    return {seat: levels[seat] for seat in tables.seats if levels.get(seat)}


def picks_of(order: Request, lore_game: bool, wished: Mapping[Side, Council]) -> dict[Side, tuple[str, ...]]:
    """Each camp's Specialists; none twice, none that the age or a wished council forbids."""
    picks = {camp: tuple(_known(f"--specialists-{camp}", n) for n in _names(order, camp)) for camp in SIDES}
    for camp, names in picks.items():
        for i, name in enumerate(names):
            card, option = specialists()[name], f"--specialists-{camp}"
            if name in names[:i] or (camp == SIDES[0] and name in picks[OTHER[camp]]):
                raise WrongUsageError(
                    Problem(f"{option}: {name} is wished for twice", hint="no card is picked twice")
                )
            if card.lore_only and not lore_game:
                raise WrongUsageError(Problem(f"{option}: {name} belongs to Lore games", hint="add --age lore"))
            if wished[camp] and card.level(wished[camp]) <= card.above:
                needs = f"{card.needs} {card.above + 1}"
                raise WrongUsageError(Problem(f"{option}: {name} asks for {needs}", hint=f"see --council-{camp}"))
    return picks


def least_levels(names: tuple[str, ...]) -> dict[str, int]:
    """The Lore Masters without whom these Specialists do nothing, with their least levels."""
    cards = [specialists()[name] for name in names]
    return {card.needs: card.above + 1 for card in cards if card.needs}


def plays_of(order: Request, camp: Side) -> Mapping[str, tuple[str, ...]]:
    """`infiltration: P3>D5 P4>E5; prayer`: choices by Specialist."""
    plays: dict[str, tuple[str, ...]] = {}
    for part in unicodedata.normalize("NFKC", order.wishes.get(f"plays-{camp}", "")).split(";"):
        name, _, choices = part.partition(":")
        if name.strip():
            plays[_known(f"--plays-{camp}", name)] = (
                tuple(re.split(r"[\s,、]+", choices.strip())) if choices.strip() else ()
            )
    return plays


def _names(order: Request, camp: Side) -> tuple[str, ...]:
    return listed(order.wishes.get(f"specialists-{camp}", ""))


def _known(option: str, name: str) -> str:
    plain = name.strip().lower().replace(" ", "_").replace("-", "_")
    if plain not in specialists():
        raise WrongUsageError(
            Problem(f"{option}: no Specialist {name.strip()[:30]!r}", hint=near(plain, specialists()))
        )
    return plain


Wished = tuple[tuple[str, str], ...]
"""Cells of the reserve card in the order they come, each with the hex it goes to or an empty text."""


def reserves_of(order: Request, camp: Side) -> Wished:
    """`a3>B1, c2`: cells, with hexes where these are wished for too."""
    parts = (part.partition(">") for part in listed(order.wishes.get(f"reserves-{camp}", "")))
    return tuple((cell.strip().lower(), at.strip().upper()) for cell, _, at in parts)


def picked(camp: Side, wished: Wished, units: Sequence[CardUnit], count: int) -> list[CardUnit]:
    """The wished units of the reserve card; WrongUsageError where they are none of it, or not so many."""
    option = f"--reserves-{camp}"
    by_cell = {cell_name((unit.column, unit.row)): unit for unit in units}
    for cell, _ in wished:
        if cell not in by_cell:
            message = f"{option}: the reserve card has no unit on cell {cell[:20]!r}"
            raise WrongUsageError(Problem(message, hint=near(cell, by_cell)))
    cells = [cell for cell, _ in wished]
    if len(set(cells)) < len(cells) or len(cells) > count or (count < len(units) and len(cells) < count):
        raise WrongUsageError(f"{option}: name {count} different cells of the reserve card")
    return [by_cell[cell] for cell in cells]


def place(camp: Side, name: str, room: Sequence[Hex], field: HexField) -> Hex:
    """The wished hex; WrongUsageError where a reserve cannot come there."""
    at = field.find(name)
    if at is None or at not in room:
        free = ", ".join(field.name(cell) for cell in room)
        raise WrongUsageError(
            Problem(f"--reserves-{camp}: no reserve can come on {name[:20]!r}", hint=f"free on the baseline: {free}")
        )
    return at


IMPROMPTU, ORGANIZED = MODES = ("impromptu", "organized")
RANDOM, STRONG = PLACES = ("random", "strong")
STRENGTH = (
    "by a house measure: bows where they see most hexes in range, other units where most hexes next to them "
    "can be entered without a stop, weighed by their points"
)


@cache
def wishes() -> tuple[Wish, ...]:
    """Every wish of this game."""
    return (
        Wish("mode", "How armies are raised (impromptu unless wished for).", MODES),
        Wish("age", "Medieval, or Lore with war councils (medieval unless wished for).", AGES),
        Wish("owner", "Who owns the expansion: he has the first say in Organized games.", SIDES),
        Wish("place", f"Where cards go: at random unless wished for, or {STRENGTH}.", PLACES),
        *(wish for camp in SIDES for wish in _of_camp(camp)),
        *battle.wishes(switches()),
        Wish("deck", "A deck of your own (docs/formats/deck.md).", file=True, metavar="FILE"),
        Wish("pool", "Your figures and banners (docs/formats/deck.md).", file=True, metavar="FILE"),
    )


def _of_camp(camp: Side) -> tuple[Wish, ...]:
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
    owner: Side | None
    place: str
    sets: Mapping[Side, tuple[str, ...]]
    cards: Mapping[Side, tuple[str, ...]]
    places: Mapping[Side, tuple[str, ...]]
    councils: Mapping[Side, Council]
    specialists: Mapping[Side, tuple[str, ...]]
    plays: Mapping[Side, Mapping[str, tuple[str, ...]]]
    reserves: Mapping[Side, Wished]
    deck: Deck
    pool: Pool

    @classmethod
    def of(cls, order: Request) -> Asked:
        """Read an order; WrongUsageError for a wish that makes no sense, DataError for a bad file."""
        order = alike(order, order.wishes.get("mode") == ORGANIZED)
        setting = Setting.of(order, switches())
        deck, pool = load_deck(order.files.get("deck")), load_pool(order.files.get("pool"))
        if setting.mirrored:
            deck, pool = twinned(deck), evened(pool)
        wish = order.wishes
        mode, age = wish.get("mode", IMPROMPTU), wish.get("age", MEDIEVAL)
        if mode != ORGANIZED:
            names = ("owner", *(f"{wish}-{camp}" for wish in ("specialists", "plays") for camp in SIDES))
            _only(order, names, "Organized games", "--mode organized")
        if age != LORE:
            _only(order, [f"council-{camp}" for camp in SIDES], "Lore games", "--age lore")
        councils = councils_of(order)
        return cls(
            setting=setting,
            mode=mode,
            age=age,
            owner=next((camp for camp in SIDES if camp == wish.get("owner")), None),
            place=wish.get("place", RANDOM),
            sets={camp: _sets(order, deck, camp, mode) for camp in SIDES},
            cards={camp: _cards(order, deck, camp, "cards", mode) for camp in SIDES},
            places={camp: _cards(order, deck, camp, "place", mode) for camp in SIDES},
            councils=councils,
            specialists=picks_of(order, age == LORE, councils),
            plays={camp: plays_of(order, camp) for camp in SIDES},
            reserves={camp: reserves_of(order, camp) for camp in SIDES},
            deck=deck,
            pool=pool,
        )

    def drawer(self, camp: Side) -> Side:
        """The camp whose streams draw for a camp."""
        return drawer(camp, mirrored=self.setting.mirrored)

    @staticmethod
    def absolute(camp: Side, ref: str) -> str:
        """What a camp calls `A`, said so that both camps understand it: `A/pennant`."""
        return ref if "/" in ref else f"{ref}/{camp}"

    def sets_of(self, camp: Side) -> tuple[str, ...]:
        """The sets wished for, directly or by their cards; four cards of one set leave the other open."""
        return self.sets[camp] or tuple(dict.fromkeys(_set_of(ref) for ref in self.cards[camp]))

    def settle(self, owner: Side) -> None:
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

    def placed(self, camp: Side, hand: tuple[str, ...]) -> tuple[str, ...]:
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


def _only(order: Request, names: Iterable[str], where: str, how: str) -> None:
    for name in names:
        if name in order.wishes:
            raise WrongUsageError(Problem(f"--{name} belongs to {where}", hint=f"add {how}"))


def _set_of(ref: str) -> str:
    key, _, other = ref.partition("/")
    return f"{key[0]}/{other}" if other else key[0]


def _ref(text: str, camp: Side) -> str:
    """A card or set as its camp calls it: `a3` is A3, and its own camp's name behind it goes without saying."""
    key, _, other = text.partition("/")
    other = other.strip().lower()
    return key.strip().upper() + (f"/{other}" if other and other != camp else "")


def _sets(order: Request, deck: Deck, camp: Side, mode: str) -> tuple[str, ...]:
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


def _cards(order: Request, deck: Deck, camp: Side, wish: str, mode: str) -> tuple[str, ...]:
    """Four different cards of a camp's sets, as a wish names them."""
    text = order.wishes.get(f"{wish}-{camp}", "")
    if not text:
        return ()
    option, most = f"--{wish}-{camp}", numbers().mode[mode].sets
    keys = tuple(_ref(part, camp) for part in listed(text))
    camps = (camp,) if mode != ORGANIZED else SIDES
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
