"""Kinds of troops, and every legal split of an army into brigades."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import dropwhile, product
from math import comb, prod
from operator import sub
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from generator.common.interpretations import Source as Ownership
from generator.common.scenario_file import OwnersFile
from generator.errors import DataError, NothingLegalError
from generator.games.travel_battle.tables import Arm, numbers
from generator.localization import tr
from generator.model.words import Words
from generator.notation.toml import Source
from generator.notation.validation import KeyPath, once
from generator.seeds import Rng

MAX_PIECES = 24
"""How many units of all kinds, brigadiers too, a user's army may have: more find no room on two boards' edge."""
Symbol = Literal["brigadier", "guard", "line", "heavy", "light", "gun"]
"""The drawings that there are for tokens."""
MAX_SPLITS = 200_000
"""How many ways to deal an army's units out are looked through at most."""

_Few = Annotated[int, msgspec.Meta(ge=0, le=MAX_PIECES)]
_Short = Annotated[
    str, msgspec.Meta(min_length=1, max_length=20, pattern=r"^[a-z_]+$", description="small letters and _")
]
_Letter = Annotated[str, msgspec.Meta(pattern=r"^[A-Z]$", description="one capital letter")]


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of unit; see the head of army.toml."""

    id: _Short
    """By which scenarios and presets know it."""
    name: Words
    """Its name, in both languages."""
    letter: _Letter
    """What stands for it on maps and counters; another for each kind."""
    arm: Arm
    """What it fights as."""
    count: _Few
    """Units of the kind in the army of one side."""
    move: Annotated[int, msgspec.Meta(ge=1, le=3)]
    """Squares a turn."""
    symbol: Symbol
    """The drawing on its token: `brigadier`, `guard`, `line`, `heavy`, `light` or `gun`."""
    rally: Annotated[int, msgspec.Meta(ge=0, le=6)] = 0
    """The least die that rallies it."""
    rerolls: bool = False
    """Whether it may re-roll a die in melee."""
    fights: bool = True
    """`false` for the brigadier alone."""


class Sizes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many units a brigade may have besides its brigadier; `most` 0 is no limit."""

    id: str
    """By which `--sizes` knows them."""
    name: Words
    """What they are called."""
    min_units: _Few = msgspec.field(name="least")
    """The fewest units."""
    max_units: _Few = msgspec.field(default=0, name="most")
    """The most units; 0 for no limit."""
    source: Ownership = "house"
    """Whose they are."""

    def fit(self, units: int) -> bool:
        """Whether so many units can be split into brigades of that size."""
        return numbers().brigades * self.min_units <= units <= numbers().brigades * (self.max_units or units)


class Preset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A split to choose: for each brigade, how many units of each kind, by its id."""

    id: _Short
    """By which it is wished for."""
    name: Words
    """Its name, in both languages."""
    brigades: tuple[dict[str, int], ...]
    """For each brigade, how many units of each kind, by its id."""
    source: str = "own"
    """Whose it is."""


class Lost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the sides have no more of that army, as earlier battles of a campaign left them."""

    blue: dict[str, _Few] = {}
    """How many of Blue's units of each kind, by its id."""
    red: dict[str, _Few] = {}
    """How many of Red's."""


NO_LOSSES = Lost()
"""Nothing is lost."""


class ArmyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An army as it is typed."""

    name: Words
    """What the army is called."""
    unit: Annotated[tuple[Kind, ...], msgspec.Meta(max_length=12), once("id", "letter")]
    """The kinds of units."""
    source: str = "own"
    """Whose it is; what ours says holds only while the values equal ours."""
    sizes: tuple[Sizes, ...] = ()
    """How large brigades may be; those that ship where it is left out."""
    preset: tuple[Preset, ...] = ()
    """Splits to wish for."""
    lost: Lost = Lost()
    """What the sides have no more of it."""


class Roster(msgspec.Struct, frozen=True, dict=True):
    """What an army is made of, and how it may be split into brigades."""

    name: Words
    source: str
    kinds: Mapping[str, Kind]
    """Every kind of unit by its id, in the order of the file."""
    sizes: Mapping[str, Sizes]
    """The limits of a brigade's size by id; the first by which the army can be split is the default."""
    presets: Mapping[str, Preset]
    """The splits to choose, by id."""
    lost: Lost = NO_LOSSES
    """What the sides have no more of it."""

    def of(self, player: str) -> Roster:
        """A side's army, `blue`'s or `red`'s: with what it has lost taken away, it has no splits to choose."""
        lost = self.lost.blue if player == "blue" else self.lost.red
        if not any(lost.values()):
            return self
        kinds = {name: replace(kind, count=kind.count - lost.get(name, 0)) for name, kind in self.kinds.items()}
        return Roster(self.name, self.source, kinds, self.sizes, {})

    @cached_property
    def fighters(self) -> tuple[Kind, ...]:
        """The kinds that are split among brigades, in the order of the file."""
        return tuple(kind for kind in self.kinds.values() if kind.fights)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """How many units of each of the `fighters` an army has."""
        return tuple(kind.count for kind in self.fighters)

    @cached_property
    def fitting(self) -> tuple[Sizes, ...]:
        """The sizes by which the army can be split, in the order of the file."""
        return tuple(sizes for sizes in self.sizes.values() if sizes.fit(sum(self.counts)))

    @cached_property
    def brigadier(self) -> Kind:
        """The kind that leads brigades."""
        return next(kind for kind in self.kinds.values() if not kind.fights)


def _read(source: Source) -> Roster:
    of = source.read(ArmyFile)
    DataError.raise_if_any(source.problem(*fault) for fault in _faults(of))
    sizes = {limits.id: limits for limits in of.sizes} or house_roster().sizes
    presets = {preset.id: preset for preset in of.preset}
    return Roster(of.name, of.source, {kind.id: kind for kind in of.unit}, sizes, presets, of.lost)


ARMY = OwnersFile("travel_battle/army.toml", _read, "own")
load_roster, read_roster, house_roster = ARMY.load, ARMY.read, ARMY.house


def _faults(of: ArmyFile) -> Iterator[tuple[KeyPath, str]]:
    """What keeps an army from being split into brigades: too few units for them, or too many for the table."""
    for i, kind in enumerate(of.unit):
        if kind.fights == (kind.arm == "brigadier"):
            yield ("unit", i, "fights"), tr("a brigadier does not fight; every other unit does")
    brigades = numbers().brigades
    leaders = [i for i, kind in enumerate(of.unit) if not kind.fights]
    fighters = [kind for kind in of.unit if kind.fights]
    if len(leaders) != 1 or of.unit[leaders[0]].count != brigades:
        at: KeyPath = ("unit", leaders[0], "count") if leaders else ("unit",)
        yield at, tr("an army has {brigades} brigadiers of one kind", brigades=brigades)
    yield from _size_faults(of, sum(kind.count for kind in fighters))
    yield from _lost_faults(of, sum(kind.count for kind in fighters))
    if prod(comb(kind.count + brigades - 1, brigades - 1) for kind in fighters) > MAX_SPLITS:
        yield ("unit", 0), tr("there are too many ways to split this army: use fewer kinds of unit")
    for i, preset in enumerate(of.preset):
        dealt = Counter[str]()
        for brigade in preset.brigades:
            dealt.update(brigade)
        if len(preset.brigades) != brigades or dict(+dealt) != {
            kind.id: kind.count for kind in fighters if kind.count
        }:
            yield (
                ("preset", i, "brigades"),
                tr("{name} does not split the army into {brigades} brigades", name=preset.id, brigades=brigades),
            )


def _lost_faults(of: ArmyFile, total: int) -> Iterator[tuple[KeyPath, str]]:
    """Units that a side cannot have lost, and sides of which too little is left."""
    counts = {kind.id: kind.count for kind in of.unit if kind.fights}
    for player, lost in (("blue", of.lost.blue), ("red", of.lost.red)):
        for name, n in lost.items():
            if n > counts.get(name, 0):
                message = tr("{n} {unit} cannot be lost: there are {have}", n=n, unit=name, have=counts.get(name, 0))
                yield ("lost", player, name), message
        left, needed = total - sum(lost.values()), numbers().brigades * min(s.min_units for s in brigade_sizes(of))
        if lost and left < needed:
            yield (
                ("lost", player),
                tr("{left} units remain, but three brigades need {least}", left=left, least=needed),
            )


def brigade_sizes(of: ArmyFile) -> tuple[Sizes, ...]:
    """How large brigades of an army may be."""
    return of.sizes or tuple(house_roster().sizes.values())


def _size_faults(of: ArmyFile, total: int) -> Iterator[tuple[KeyPath, str]]:
    """What is wrong with the number of an army's units, told where its largest kind is counted."""
    brigades, sizes = numbers().brigades, brigade_sizes(of)
    counts = [kind.count if kind.fights else -1 for kind in of.unit]
    at: KeyPath = ("unit", counts.index(max(counts)), "count") if counts else ("unit",)
    min_units = min(limits.min_units for limits in sizes)
    if total < brigades * min_units:
        yield (
            at,
            tr(
                "{total} units are too few for {brigades} brigades of at least {least}",
                total=total,
                brigades=brigades,
                least=min_units,
            ),
        )
    elif not any(limits.fit(total) for limits in sizes):
        listed = ", ".join(limits.id for limits in sizes)
        yield (
            at,
            tr(
                "{total} units cannot form {brigades} brigades of the available sizes ({told})",
                total=total,
                brigades=brigades,
                told=listed,
            ),
        )
    if total + brigades > MAX_PIECES:
        yield (
            at,
            tr(
                "{total} units and {brigades} brigadiers are more than {pieces}: there is no room for them",
                total=total,
                brigades=brigades,
                pieces=MAX_PIECES,
            ),
        )


Share = tuple[int, ...]
"""How many units of each kind of a roster's `fighters` a brigade has."""

Split = tuple[Share, Share, Share]
"""Three brigades. Drawn ones stand in falling order; which of them is called the first says nothing."""


@lru_cache(64)  # the armies that one run meets
def splits(counts: Share, min_units: int, max_units: int = 0) -> tuple[Split, ...]:
    """The splits of so many units of each kind into brigades of `least` to `most` (0: no limit), in falling order."""
    max_units = max_units or sum(counts)
    sized = range(min_units, max_units + 1)
    return tuple(
        (first, second, third)
        for first in _parts(counts, counts)
        if sum(first) in sized
        for others in [_remainder(counts, first)]
        for second in _parts(others, first)
        if sum(second) in sized and (third := _remainder(others, second)) <= second and sum(third) in sized
    )


def draw_split(stream: Rng, roster: Roster, sizes: Sizes) -> Split:
    """A split of that kind, each as likely as the others; NothingLegalError where there is none."""
    found = splits(roster.counts, sizes.min_units, sizes.max_units)
    if not found:
        raise NothingLegalError(tr("this army has no split into brigades of that size ({name})", name=sizes.id))
    return stream.choice(found)


def preset_split(roster: Roster, preset: Preset) -> Split:
    """A split to choose, in the order of its brigades."""
    first, second, third = (tuple(brigade.get(kind.id, 0) for kind in roster.fighters) for brigade in preset.brigades)
    return first, second, third


def _parts(counts: Share, limit: Share) -> Iterator[Share]:
    """Every brigade that can be made of so many units and stands no higher than `limit`, in falling order."""
    every = product(*(range(count, -1, -1) for count in counts))
    return dropwhile(lambda part: part > limit, every)


def _remainder(counts: Share, taken: Share) -> Share:
    return tuple(map(sub, counts, taken))
