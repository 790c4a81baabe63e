"""Units and their strength, the pool of figures, and war councils."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from generator.common.scenario_file import NAMELESS, Called, OwnersFile, called
from generator.common.tables import Listed, Range, ReferenceRow, marked
from generator.games.battlelore.ground import Side, words
from generator.games.battlelore.tables import Arm, Banner, Race, Whence, lore
from generator.grid.hexes import Hex
from generator.model.words import Words, joined, same
from generator.notation import toml
from generator.notation.validation import known, named
from generator.seeds import Stream

Placed = Literal["card", "displaced", "reserve", "lost", "special"]


class Kind(msgspec.Struct, frozen=True):
    """What a unit is: its banner, its weapon and its race, each by id."""

    banner: str
    weapon: str
    race: str

    @property
    def arm(self) -> Arm:
        """Foot or mounted."""
        return lore().weapons[self.weapon].arm

    @property
    def figures(self) -> int:
        """Figures of a full unit, the bearer among them."""
        return lore().figures[self.arm]

    @property
    def bow(self) -> bool:
        """Whether it can shoot."""
        return lore().weapons[self.weapon].bow

    @property
    def plain_name(self) -> Words:
        """`Long sword`, `Dwarf crossbow`; humans go without saying."""
        weapon, race = lore().weapons[self.weapon].name, lore().races[self.race]
        if race.id == "human":
            return weapon
        return Words(f"{race.name.en} {weapon.en.lower()}", f"{race.name.ja} {weapon.ja}")

    @property
    def name(self) -> Words:
        """`Red long sword`, `Blue dwarf crossbow`."""
        banner, plain = lore().banners[self.banner].name, self.plain_name
        return Words(f"{banner.en} {plain.en.lower()}", f"{banner.ja} {plain.ja}")


class Unit(Called, msgspec.Struct, frozen=True):
    """A unit of one camp, deployed or not."""

    id: str
    kind: Kind
    card: str
    """The key of the card that brings it."""
    cell: tuple[int, int]
    """Its place on that card: 0-based column and row from the owner's left and baseline."""
    placed: Placed
    """How it came to its hex; `lost` means it is not deployed."""
    hex: Hex | None
    levy: bool = False
    """A Feudal levy token stands in for it."""
    extra: int = 0
    """Figures beyond those of a full unit."""
    name: Words = NAMELESS
    """What its owner calls it; empty where nobody gave it a name."""

    @property
    def figures(self) -> int:
        """Figures it starts with."""
        return self.kind.figures + self.extra


def titled(unit: Unit, kind: Words | None = None) -> Words:
    """What a unit is, and behind it the name that its owner gave it; `kind` where it stands within a sentence."""
    return called(kind or unit.kind.name, unit.name)


def points(kind: Kind) -> int:
    """A unit's points, as [points] in units.toml has it."""
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
    """One camp's share of the box."""

    figures: dict[_Race, dict[_Weapon, _Count]]
    """By race and weapon; banner bearers are counted."""
    banners: dict[_Colour, dict[_Weapon, _Count]]
    """By colour and weapon."""
    levies: dict[_Colour, _Count]
    """Tokens by colour."""


class Shortage(msgspec.Struct, frozen=True):
    """What units ask for beyond what the pool holds."""

    what: Words
    """Figures or banners."""
    of: Words
    """`Dwarf crossbow`, `Green short sword`."""
    asked: int
    held: int


class Pool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pool file; see docs/formats/deck.md."""

    name: Annotated[Words, named()]
    """What the box is called."""
    pennant: Stock
    """What the Pennant camp can put on the table."""
    standard: Stock
    """What the Standard camp can put on the table."""
    source: Literal["house", "owner"] = "owner"
    """Whose it is; `"house"` holds only while the values equal ours."""

    def stock(self, camp: Side) -> Stock:
        """A camp's share."""
        return self.pennant if camp == "pennant" else self.standard

    def levies(self, camp: Side, banner: str) -> int:
        """How many levy tokens of that colour the camp has."""
        return self.stock(camp).levies.get(banner, 0)

    def shortages(self, camp: Side, kinds: Iterable[Kind], extra: Iterable[Kind] = ()) -> tuple[Shortage, ...]:
        """All that runs short when these units stand on the board together; order is no matter.

        `extra` has a kind for each figure added to a unit of that kind.
        """
        return tuple(_shortages(self.stock(camp), *_asked(kinds, extra)))

    def fits(self, camp: Side, kinds: Iterable[Kind], extra: Iterable[Kind] = ()) -> bool:
        """Whether figures and banners suffice for all these units."""
        return not self.shortages(camp, kinds, extra)

    def room(self, camp: Side, kinds: Sequence[Kind]) -> Callable[[Kind], bool]:
        """The same of one unit more beside these, for whoever asks it of many."""
        stock, (figures, banners) = self.stock(camp), _asked(kinds)
        fit = not any(_shortages(stock, figures, banners))

        def fits(kind: Kind) -> bool:
            weapon = _stands(kind)
            few = figures[kind.race, weapon] + kind.figures > _there(stock.figures, kind.race, weapon)
            return fit and not few and banners[kind.banner, weapon] < _there(stock.banners, kind.banner, weapon)

        return fits


POOL = OwnersFile("battlelore/pool.toml", lambda source: source.read(Pool))
load_pool, read_pool, house_pool = POOL.load, POOL.read, POOL.house


def _stands(kind: Kind) -> str:
    """The weapon whose figures and banners a unit stands with."""
    return lore().weapons[kind.weapon].stands or kind.weapon


_Asked = Counter[tuple[str, str]]


def _asked(kinds: Iterable[Kind], extra: Iterable[Kind] = ()) -> tuple[_Asked, _Asked]:
    """How many figures and banners that takes, by race or colour and by weapon."""
    figures, banners = _Asked(), _Asked()
    for kind, count in Counter(kinds).items():
        weapon = _stands(kind)
        figures[kind.race, weapon] += count * kind.figures
        banners[kind.banner, weapon] += count
    for kind in extra:
        figures[kind.race, _stands(kind)] += 1
    return figures, banners


def _shortages(stock: Stock, figures: _Asked, banners: _Asked) -> Iterator[Shortage]:
    yield from _short(FIGURES, figures, stock.figures, lore().races)
    yield from _short(BANNERS, banners, stock.banners, lore().banners)


def _there(held: Mapping[str, Mapping[str, int]], name: str, weapon: str) -> int:
    return held.get(name, {}).get(weapon, 0)


def _short(
    what: Words,
    asked: Mapping[tuple[str, str], int],
    held: Mapping[str, Mapping[str, int]],
    names: Mapping[str, Race] | Mapping[str, Banner],
) -> Iterator[Shortage]:
    for (name, weapon), count in asked.items():
        if count > (there := _there(held, name, weapon)):
            first, second = names[name].name, lore().weapons[weapon].name
            of = Words(f"{first.en} {second.en.lower()}", f"{first.ja} {second.ja}")
            yield Shortage(what, of, count, there)


COMMANDER = "commander"


class LoreClass(Listed, frozen=True, forbid_unknown_fields=True):
    """A class of Lore Master."""

    letter: str


class CouncilTables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """council.toml as it stands."""

    levels: int
    master: Range
    commander: Range
    source: Whence
    command: dict[str, int]
    classes: tuple[LoreClass, ...] = msgspec.field(name="class")
    brings: tuple[ReferenceRow, ...]

    @property
    def seats(self) -> tuple[str, ...]:
        """Everybody who may hold levels: the commander, then each class."""
        return (COMMANDER, *(c.id for c in self.classes))

    @property
    def told(self) -> tuple[ReferenceRow, ...]:
        """What a council brings, with the commander's numbers filled in."""
        levels, hands = (joined([same(n) for n in row]) for row in (self.command.keys(), self.command.values()))
        return tuple(replace(line, text=line.text.fill(levels=levels, hands=hands)) for line in self.brings)

    def bounds(self, seat: str) -> Range:
        """The levels somebody may hold."""
        return self.commander if seat == COMMANDER else self.master

    def name(self, seat: str) -> Words:
        """What a seat is called."""
        if seat == COMMANDER:
            return self.brings[0].name
        return next(c.name for c in self.classes if c.id == seat)


Council = Mapping[str, int]
"""Levels by seat; a seat that is left out holds none."""


council_tables = toml.shipped_table("battlelore/council.toml", CouncilTables)
"""The shipped tables."""


@cache
def councils() -> tuple[tuple[tuple[str, int], ...], ...]:
    """Every lawful way to share out all the levels."""
    tables = council_tables()

    def share(seats: tuple[str, ...], left: int) -> list[tuple[tuple[str, int], ...]]:
        if not seats:
            return [()] if left == 0 else []
        bounds = tables.bounds(seats[0])
        return [
            ((seats[0], level), *rest)
            for level in range(bounds.least, min(bounds.most, left) + 1)
            for rest in share(seats[1:], left - level)
        ]

    return tuple(share(tables.seats, tables.levels))


def draw_council(stream: Stream, least: Mapping[str, int] | None = None) -> Council:
    """One of the lawful councils, each as likely as the other; `least` are levels that seats hold at least."""
    least = least or {}
    open_ = [council for council in councils() if all(level >= least.get(seat, 0) for seat, level in council)]
    return {seat: level for seat, level in stream.choice(open_) if level}


def command_hand(council: Council) -> int:
    """Command cards that the commander's level gives; the least where his level is none of the table's."""
    tables = council_tables()
    return tables.command.get(str(council.get(COMMANDER, 0)), min(tables.command.values()))


def hand_of(stated: int | None, council: Council) -> int:
    """A command hand: the commander's where there is a council, else as stated, else the usual one."""
    if council:
        return command_hand(council)
    return lore().play.hand.usual if stated is None else stated


def lore_tokens(council: Council) -> int:
    """Lore tokens at the start: the highest level of all Lore Masters."""
    return max((level for seat, level in council.items() if seat != COMMANDER), default=0)


def seat_names(councils: Iterable[Council]) -> dict[str, Words]:
    """Each seat with its level, as the log tells it (`commander 2`), in words."""
    tables = council_tables()
    return {
        f"{seat} {level}": Words(f"{tables.name(seat).en} {level}", f"{tables.name(seat).ja}{level}")
        for council in councils
        for seat, level in council.items()
        if seat in tables.seats
    }


def council_line(council: Council, tokens: int) -> Words:
    """A council and its Lore tokens, as the record sheet tells them."""
    say = words()["record"]
    name = marked(say["council"], council_tables().source)
    return say["council_line"].fill(name=name, council=council_words(council), n=tokens)


def council_words(council: Council) -> Words:
    """`Commander 2, Warrior 3, Rogue 1`, in the seats' order."""
    told = seat_names([council])
    return joined([told[f"{seat} {council[seat]}"] for seat in council_tables().seats if council.get(seat)])
