"""Units and their strength, the pool of figures, and war councils."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from generator.common.scenario_file import NAMELESS, Count, Labelled, OwnersFile, unit_label
from generator.common.tables import Listed, Range, ReferenceRow, mark_house_content
from generator.games.battlelore.ground import Side, words
from generator.games.battlelore.tables import Arm, Banner, Race, Whence, lore
from generator.grid.hexes import Hex
from generator.model.words import Words, joined, same
from generator.notation import toml
from generator.notation.validation import known, name_text
from generator.seeds import Rng

Placed = Literal["card", "displaced", "reserve", "lost", "special"]


class OwnPiece(msgspec.Struct, frozen=True):
    """The numbers of a piece that the owner of a scenario added; all else is that of a banner, weapon and race."""

    id: str
    name: Words
    dice: int
    move: int
    """The farthest move, in hexes, after which it may still battle."""
    run: int
    """The farthest move without a battle."""
    range: int
    """The range in hexes; 1 for melee only."""
    over: bool
    """Whether nothing blocks its shots."""
    figures: int


class Kind(msgspec.Struct, frozen=True):
    """A kind of unit, as the ids of its banner, weapon and race."""

    banner: str
    weapon: str
    race: str
    piece: OwnPiece | None = None
    """The numbers of its own that a piece of the owner has; None for a unit of the game."""

    @property
    def dice(self) -> int:
        """The number of its dice, before terrain."""
        return self.piece.dice if self.piece else lore().banners[self.banner].dice

    @property
    def move(self) -> int:
        """The farthest move, in hexes, after which it may still battle."""
        return self.piece.move if self.piece else lore().banners[self.banner].move[self.arm]

    @property
    def run(self) -> int:
        """The farthest move, in hexes, without a battle."""
        return self.piece.run if self.piece else lore().banners[self.banner].run[self.arm]

    @property
    def range(self) -> int:
        """The range in hexes; 1 for melee only."""
        return self.piece.range if self.piece else lore().weapons[self.weapon].range

    @property
    def over(self) -> bool:
        """Whether nothing blocks its shots."""
        return self.piece is not None and self.piece.over

    @property
    def arm(self) -> Arm:
        """The arm, foot or mounted."""
        return lore().weapons[self.weapon].arm

    @property
    def figures(self) -> int:
        """The number of figures of a full unit, including the banner bearer."""
        return self.piece.figures if self.piece else lore().figures[self.arm]

    @property
    def bow(self) -> bool:
        """Whether the unit carries a bow."""
        return lore().weapons[self.weapon].bow

    @property
    def plain_name(self) -> Words:
        """The name without the banner, such as `Long sword` or `Dwarf crossbow`. The human race is not named."""
        if self.piece:
            return self.piece.name
        weapon, race = lore().weapons[self.weapon].name, lore().races[self.race]
        if race.id == "human":
            return weapon
        return Words(f"{race.name.en} {weapon.en.lower()}", f"{race.name.ja} {weapon.ja}")

    @property
    def name(self) -> Words:
        """The full name, such as `Red long sword` or `Blue dwarf crossbow`."""
        if self.piece:
            return self.piece.name
        banner, plain = lore().banners[self.banner].name, self.plain_name
        return Words(f"{banner.en} {plain.en.lower()}", f"{banner.ja} {plain.ja}")


class Unit(Labelled, msgspec.Struct, frozen=True):
    """A unit of a camp, on the board or not."""

    id: str
    kind: Kind
    card: str
    """The key of the card that deploys the unit."""
    cell: tuple[int, int]
    """The unit's 0-based column and row on that card, from the owner's left and baseline."""
    placed: Placed
    """How the unit was placed on its hex. `lost` means that it is not on the board."""
    hex: Hex | None
    levy: bool = False
    """Whether a Feudal levy token represents the unit."""
    extra: int = 0
    """Number of figures added to those of a full unit; negative for a unit below full strength."""
    name: Words = NAMELESS
    """The owner's name for the unit; empty if there is none."""

    @property
    def figures(self) -> int:
        """The number of figures at the start of the battle."""
        return self.kind.figures + self.extra


def missing_figures(units: Iterable[Unit]) -> tuple[Kind, ...]:
    """Return the kinds of units below full strength, once for each missing figure."""
    return tuple(unit.kind for unit in units for _ in range(-unit.extra))


def titled(unit: Unit, kind: Words | None = None) -> Words:
    """Return the label of a unit, made of its kind and its owner's name for it.

    `kind` replaces the name of the kind, for example by its form within a sentence.
    """
    return unit_label(kind or unit.kind.name, unit.name)


def points(kind: Kind) -> int:
    """Return the points of a unit of this kind, from [points] in units.toml.

    Points are a house measure of strength. They count the banner, the mount, the bow and the natural morale.
    """
    measure = lore().points
    mounted = measure.mounted if kind.arm == "mounted" else 0
    bow = measure.bow if kind.bow else 0
    return measure.banner[kind.banner] + mounted + bow + measure.morale[lore().races[kind.race].morale]


FIGURES = Words("figures", "フィギュア")
BANNERS = Words("banners", "旗")


_Count = Annotated[int, msgspec.Meta(ge=0)]
_Race = Annotated[str, known(lambda: lore().races)]
_Colour = Annotated[str, known(lambda: lore().banners)]
_Weapon = Annotated[str, known(lambda: lore().weapons)]


class Stock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pieces of one camp."""

    figures: dict[_Race, dict[_Weapon, _Count]]
    """The numbers of figures, by race and weapon, including banner bearers."""
    banners: dict[_Colour, dict[_Weapon, _Count]]
    """The numbers of banners, by colour and weapon."""
    levies: dict[_Colour, _Count]
    """The numbers of Feudal levy tokens, by colour."""


class Shortage(msgspec.Struct, frozen=True):
    """The figures or banners that units need beyond those in the pool."""

    what: Words
    """The word for figures or for banners."""
    of: Words
    """The kind of the missing pieces, such as `Dwarf crossbow` or `Green short sword`."""
    requested: int
    held: int


class Pool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures, banners and tokens you own; see docs/formats/deck.md."""

    name: Annotated[Words, name_text()]
    """The name of the collection."""
    pennant: Stock
    """The pieces of the Pennant camp."""
    standard: Stock
    """The pieces of the Standard camp."""
    source: Literal["house", "owner"] = "owner"
    """Who made the list; `"house"` applies only while all values equal the shipped pool's."""

    def stock(self, camp: Side) -> Stock:
        """Return a camp's share of the pool."""
        return self.pennant if camp == "pennant" else self.standard

    def levies(self, camp: Side, banner: str) -> int:
        """Return the number of levy tokens of a colour in a camp's share."""
        return self.stock(camp).levies.get(banner, 0)

    def shortages(
        self, camp: Side, kinds: Iterable[Kind], extra: Iterable[Kind] = (), missing: Iterable[Kind] = ()
    ) -> tuple[Shortage, ...]:
        """Return every shortage of figures or banners if these units are on the board at the same time, in any order.

        `extra` contains one kind for each figure that is added to a unit of that kind, `missing` one for each figure
        that such a unit lacks.
        """
        return tuple(_shortages(self.stock(camp), *_asked(kinds, extra, missing)))

    def fits(self, camp: Side, kinds: Iterable[Kind], extra: Iterable[Kind] = ()) -> bool:
        """Return whether the camp has enough figures and banners for all these units."""
        return not self.shortages(camp, kinds, extra)

    def room(self, camp: Side, kinds: Sequence[Kind]) -> Callable[[Kind], bool]:
        """Return a function that tests whether one more unit of a kind fits in addition to these units.

        It is faster than `fits` if many kinds are tested.
        """
        stock, (figures, banners) = self.stock(camp), _asked(kinds)
        fit = not any(_shortages(stock, figures, banners))

        def fits(kind: Kind) -> bool:
            weapon = _representing_weapon(kind)
            few = figures[kind.race, weapon] + kind.figures > _there(stock.figures, kind.race, weapon)
            return fit and not few and banners[kind.banner, weapon] < _there(stock.banners, kind.banner, weapon)

        return fits


POOL = OwnersFile("battlelore/pool.toml", lambda source: source.read(Pool))
load_pool, read_pool, house_pool = POOL.load, POOL.read, POOL.house


def _representing_weapon(kind: Kind) -> str:
    """Return the id of the weapon whose figures and banners represent units of this kind."""
    return lore().weapons[kind.weapon].stands or kind.weapon


_Asked = Counter[tuple[str, str]]


def _asked(kinds: Iterable[Kind], extra: Iterable[Kind] = (), missing: Iterable[Kind] = ()) -> tuple[_Asked, _Asked]:
    """Return the numbers of figures (by race and weapon) and banners (by colour and weapon) that the units need."""
    figures, banners = _Asked(), _Asked()
    # An owner's piece comes from no box of the game.
    for kind, count in Counter(kind for kind in kinds if not kind.piece).items():
        weapon = _representing_weapon(kind)
        figures[kind.race, weapon] += count * kind.figures
        banners[kind.banner, weapon] += count
    for kind in (kind for kind in extra if not kind.piece):
        figures[kind.race, _representing_weapon(kind)] += 1
    for kind in (kind for kind in missing if not kind.piece):
        figures[kind.race, _representing_weapon(kind)] -= 1
    return figures, banners


def _shortages(stock: Stock, figures: _Asked, banners: _Asked) -> Iterator[Shortage]:
    yield from _short(FIGURES, figures, stock.figures, lore().races)
    yield from _short(BANNERS, banners, stock.banners, lore().banners)


def _there(held: Mapping[str, Mapping[str, int]], name: str, weapon: str) -> int:
    return held.get(name, {}).get(weapon, 0)


def _short(
    what: Words,
    requested: Mapping[tuple[str, str], int],
    held: Mapping[str, Mapping[str, int]],
    names: Mapping[str, Race] | Mapping[str, Banner],
) -> Iterator[Shortage]:
    for (name, weapon), count in requested.items():
        if count > (there := _there(held, name, weapon)):
            first, second = names[name].name, lore().weapons[weapon].name
            of = Words(f"{first.en} {second.en.lower()}", f"{first.ja} {second.ja}")
            yield Shortage(what, of, count, there)


COMMANDER = "commander"


class LoreClass(Listed, frozen=True, forbid_unknown_fields=True):
    """A class of Lore Master."""

    letter: str


class CouncilTables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of council.toml."""

    levels: int
    master: Range
    commander: Range
    source: Whence
    command: dict[str, int]
    classes: tuple[LoreClass, ...] = msgspec.field(name="class")
    brings: tuple[ReferenceRow, ...]

    @property
    def seats(self) -> tuple[str, ...]:
        """The ids of all seats that can have levels: the commander and then each class."""
        return (COMMANDER, *(c.id for c in self.classes))

    @property
    def rows(self) -> tuple[ReferenceRow, ...]:
        """The benefits of a council, with the sizes of the commander's hand filled in."""
        levels, hands = (joined([same(n) for n in row]) for row in (self.command.keys(), self.command.values()))
        return tuple(replace(line, text=line.text.fill(levels=levels, hands=hands)) for line in self.brings)

    def bounds(self, seat: str) -> Range:
        """Return the permitted levels of a seat."""
        return self.commander if seat == COMMANDER else self.master

    def name(self, seat: str) -> Words:
        """Return the name of a seat."""
        if seat == COMMANDER:
            return self.brings[0].name
        return next(c.name for c in self.classes if c.id == seat)


Council = Mapping[str, int]
"""Levels keyed by seat. A missing seat has level 0."""


council_tables = toml.shipped_table("battlelore/council.toml", CouncilTables)
"""Returns the shipped tables of the war council."""


@cache
def councils() -> tuple[tuple[tuple[str, int], ...], ...]:
    """Return every legal distribution of levels over the seats."""
    tables = council_tables()

    def share(seats: tuple[str, ...], left: int) -> list[tuple[tuple[str, int], ...]]:
        if not seats:
            return [()] if left == 0 else []
        bounds = tables.bounds(seats[0])
        return [
            ((seats[0], level), *rest)
            for level in range(bounds.minimum, min(bounds.maximum, left) + 1)
            for rest in share(seats[1:], left - level)
        ]

    return tuple(share(tables.seats, tables.levels))


def draw_council(stream: Rng, min_levels: Mapping[str, int] | None = None) -> Council:
    """Return a random legal council, all equally likely.

    `min_levels` contains the required levels, keyed by seat.
    """
    min_levels = min_levels or {}
    open_ = [council for council in councils() if all(level >= min_levels.get(seat, 0) for seat, level in council)]
    return {seat: level for seat, level in stream.choice(open_) if level}


def command_hand(council: Council) -> int:
    """Return the number of command cards for the commander's level.

    The result is the smallest number in the table if the table lacks the level.
    """
    tables = council_tables()
    return tables.command.get(str(council.get(COMMANDER, 0)), min(tables.command.values()))


class ByCamp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number for each camp, if the camps differ."""

    pennant: Count
    """The number for the Pennant camp."""
    standard: Count
    """The number for the Standard camp."""

    def __getitem__(self, camp: Side) -> int:
        return self.pennant if camp == "pennant" else self.standard


def by_camp(number: int | ByCamp, camp: Side) -> int:
    """Return a camp's number."""
    return number if isinstance(number, int) else number[camp]


def one_if_alike(number: int | ByCamp) -> int | ByCamp:
    """Return a single number if the numbers of both camps are equal."""
    return number.pennant if isinstance(number, ByCamp) and number.pennant == number.standard else number


def hand_of(stated: int | ByCamp | None, council: Council, camp: Side) -> int:
    """Return the size of a camp's command hand.

    A war council determines it. Without a council, the result is as stated, or the usual size if `stated` is None.
    """
    if council:
        return command_hand(council)
    return lore().play.hand.usual if stated is None else by_camp(stated, camp)


def lore_tokens(council: Council) -> int:
    """Return the number of Lore tokens at the start, which is the highest level of any Lore Master."""
    return max((level for seat, level in council.items() if seat != COMMANDER), default=0)


def seat_names(councils: Iterable[Council]) -> dict[str, Words]:
    """Return the name of each seat with its level, keyed by its form in the log, such as `commander 2`."""
    tables = council_tables()
    return {
        f"{seat} {level}": Words(f"{tables.name(seat).en} {level}", f"{tables.name(seat).ja}{level}")
        for council in councils
        for seat, level in council.items()
        if seat in tables.seats
    }


def council_line(council: Council, tokens: int) -> Words:
    """Return the line of the record sheet for a council and its Lore tokens."""
    texts = words()["record"]
    name = mark_house_content(texts["council"], council_tables().source)
    return texts["council_line"].fill(name=name, council=council_words(council), n=tokens)


def council_words(council: Council) -> Words:
    """Return a description of a council in the order of the seats, such as `Commander 2, Warrior 3, Rogue 1`."""
    names = seat_names([council])
    return joined([names[f"{seat} {council[seat]}"] for seat in council_tables().seats if council.get(seat)])
