"""The kinds of troops, and the legal splits of an army into brigades."""

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
from generator.notation.validation import KeyPath, unique_in_rows
from generator.seeds import Rng

MAX_PIECES = 24
"""The maximum number of units of a user's army, including brigadiers. There is no room for more on two boards."""
Symbol = Literal["brigadier", "guard", "line", "heavy", "light", "gun"]
"""The names of the drawings on tokens."""
MAX_SPLITS = 200_000
"""The maximum number of possible splits of an army. It takes too long to list more."""

_Few = Annotated[int, msgspec.Meta(ge=0, le=MAX_PIECES)]
_Short = Annotated[
    str, msgspec.Meta(min_length=1, max_length=20, pattern=r"^[a-z_]+$", description="small letters and _")
]
_Letter = Annotated[str, msgspec.Meta(pattern=r"^[A-Z]$", description="one capital letter")]


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of unit; the head of army.toml describes the keys."""

    id: _Short
    """The id of the kind in scenarios and presets."""
    name: Words
    """The name, in both languages."""
    letter: _Letter
    """The letter of the kind on maps and counters, different for each kind."""
    arm: Arm
    """The arm of the unit."""
    count: _Few
    """The number of units of the kind in one side's army."""
    move: Annotated[int, msgspec.Meta(ge=1, le=3)]
    """The number of squares that the unit can move in a turn."""
    symbol: Symbol
    """The drawing on the token: `brigadier`, `guard`, `line`, `heavy`, `light` or `gun`."""
    rally: Annotated[int, msgspec.Meta(ge=0, le=6)] = 0
    """The lowest roll that rallies the unit."""
    rerolls: bool = False
    """Whether the unit may re-roll a die in melee."""
    fights: bool = True
    """Whether the unit fights; `false` only for the brigadier."""


class Sizes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The limits for the number of units in a brigade besides its brigadier."""

    id: str
    """The id of the size for `--sizes`."""
    name: Words
    """The name, in both languages."""
    min_units: _Few = msgspec.field(name="least")
    """The minimum number of units."""
    max_units: _Few = msgspec.field(default=0, name="most")
    """The maximum number of units, or 0 for no maximum."""
    source: Ownership = "house"
    """Who defined the limits."""

    def fit(self, units: int) -> bool:
        """Return whether a number of units can be split into brigades of these sizes."""
        return numbers().brigades * self.min_units <= units <= numbers().brigades * (self.max_units or units)


class Preset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A predefined division into brigades."""

    id: _Short
    """The id of the preset for `--split-blue` and `--split-red`."""
    name: Words
    """The name, in both languages."""
    brigades: tuple[dict[str, int], ...]
    """For each brigade, the number of units of each kind, by the id of the kind."""
    source: str = "own"
    """Who made the definition."""


class Lost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The units that the sides lost."""

    blue: dict[str, _Few] = {}
    """The number of units of each kind that Blue lost, by the id of the kind."""
    red: dict[str, _Few] = {}
    """The number of units of each kind that Red lost, by the id of the kind."""


NO_LOSSES = Lost()
"""The value for an army without losses."""


class ArmyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An army."""

    name: Words
    """The name of the army."""
    unit: Annotated[tuple[Kind, ...], msgspec.Meta(max_length=12), unique_in_rows("id", "letter")]
    """The kinds of units."""
    source: str = "own"
    """Who made the army; the shipped value applies only while all values equal the shipped army's."""
    sizes: tuple[Sizes, ...] = ()
    """The possible sizes of brigades; the default is the shipped sizes."""
    preset: tuple[Preset, ...] = ()
    """The predefined divisions into brigades."""
    lost: Lost = Lost()
    """The units that the sides have lost in earlier battles."""


class Roster(msgspec.Struct, frozen=True, dict=True):
    """The units of an army, and the ways to split it into brigades."""

    name: Words
    source: str
    kinds: Mapping[str, Kind]
    """The kinds of units by id, in the order of the file."""
    sizes: Mapping[str, Sizes]
    """The limits of a brigade's size by id. The first one that fits the army is the default."""
    presets: Mapping[str, Preset]
    """The predefined splits by id."""
    lost: Lost = NO_LOSSES
    """The units that the sides have lost in earlier battles."""

    def of(self, player: str) -> Roster:
        """Return the army of `blue` or `red` after its losses. An army with losses has no predefined splits."""
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
        """The number of units of each kind in `fighters`."""
        return tuple(kind.count for kind in self.fighters)

    @cached_property
    def fitting(self) -> tuple[Sizes, ...]:
        """The sizes of brigades into which the army can be split, in the order of the file."""
        return tuple(sizes for sizes in self.sizes.values() if sizes.fit(sum(self.counts)))

    @cached_property
    def brigadier(self) -> Kind:
        """The kind of unit of the brigadiers."""
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
    """Yield the reasons why an army cannot be split into brigades or does not fit on the table."""
    for i, kind in enumerate(of.unit):
        if kind.fights == (kind.arm == "brigadier"):
            yield ("unit", i, "fights"), tr("a brigadier cannot fight, and every other unit must be able to fight")
    brigades = numbers().brigades
    leaders = [i for i, kind in enumerate(of.unit) if not kind.fights]
    fighters = [kind for kind in of.unit if kind.fights]
    if len(leaders) != 1 or of.unit[leaders[0]].count != brigades:
        at: KeyPath = ("unit", leaders[0], "count") if leaders else ("unit",)
        yield at, tr("an army must have exactly {brigades} brigadiers, all of one kind", brigades=brigades)
    yield from _size_faults(of, sum(kind.count for kind in fighters))
    yield from _lost_faults(of, sum(kind.count for kind in fighters))
    if prod(comb(kind.count + brigades - 1, brigades - 1) for kind in fighters) > MAX_SPLITS:
        yield ("unit", 0), tr("this army can be divided into brigades in too many ways; use fewer kinds of unit")
    for i, preset in enumerate(of.preset):
        dealt = Counter[str]()
        for brigade in preset.brigades:
            dealt.update(brigade)
        if len(preset.brigades) != brigades or dict(+dealt) != {
            kind.id: kind.count for kind in fighters if kind.count
        }:
            yield (
                ("preset", i, "brigades"),
                tr("{name} does not divide the army into {brigades} brigades", name=preset.id, brigades=brigades),
            )


def _lost_faults(of: ArmyFile, total: int) -> Iterator[tuple[KeyPath, str]]:
    """Yield the losses that are larger than the army, and the sides that have too few units left."""
    counts = {kind.id: kind.count for kind in of.unit if kind.fights}
    for player, lost in (("blue", of.lost.blue), ("red", of.lost.red)):
        for name, n in lost.items():
            if n > counts.get(name, 0):
                message = tr(
                    "the number of {unit} lost is {n}, but the army has only {have}",
                    n=n,
                    unit=name,
                    have=counts.get(name, 0),
                )
                yield ("lost", player, name), message
        left, needed = total - sum(lost.values()), numbers().brigades * min(s.min_units for s in brigade_sizes(of))
        if lost and left < needed:
            yield (
                ("lost", player),
                tr("the number of units left is {left}, but 3 brigades need {least}", left=left, least=needed),
            )


def brigade_sizes(of: ArmyFile) -> tuple[Sizes, ...]:
    """Return the possible sizes of an army's brigades."""
    return of.sizes or tuple(house_roster().sizes.values())


def _size_faults(of: ArmyFile, total: int) -> Iterator[tuple[KeyPath, str]]:
    """Yield the faults of the total number of units, reported at the kind with the largest count."""
    brigades, sizes = numbers().brigades, brigade_sizes(of)
    counts = [kind.count if kind.fights else -1 for kind in of.unit]
    at: KeyPath = ("unit", counts.index(max(counts)), "count") if counts else ("unit",)
    min_units = min(limits.min_units for limits in sizes)
    if total < brigades * min_units:
        yield (
            at,
            tr(
                "{total} units are too few for {brigades} brigades of at least {least} units",
                total=total,
                brigades=brigades,
                least=min_units,
            ),
        )
    elif not any(limits.fit(total) for limits in sizes):
        listed = [limits.id for limits in sizes]
        yield (
            at,
            tr(
                "{total} units cannot form {brigades} brigades of the available sizes ({sizes})",
                total=total,
                brigades=brigades,
                sizes=listed,
            ),
        )
    if total + brigades > MAX_PIECES:
        yield (
            at,
            tr(
                "there is room for only {pieces} pieces, but the army has {total} units and {brigades} brigadiers",
                total=total,
                brigades=brigades,
                pieces=MAX_PIECES,
            ),
        )


Share = tuple[int, ...]
"""The number of units of each kind in a brigade, in the order of the roster's `fighters`."""

Split = tuple[Share, Share, Share]
"""The three brigades of an army. Random splits are sorted in descending order, and their order has no meaning."""


@lru_cache(64)  # more than the number of different armies in one run
def splits(counts: Share, min_units: int, max_units: int = 0) -> tuple[Split, ...]:
    """Return all splits into brigades of `min_units` to `max_units` units, in descending order.

    If `max_units` is 0, there is no maximum.
    """
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
    """Return a random split into brigades of these sizes. All splits have equal chances.

    Raises:
        NothingLegalError: If there is no such split.
    """
    found = splits(roster.counts, sizes.min_units, sizes.max_units)
    if not found:
        raise NothingLegalError(tr("this army cannot be divided into brigades of this size ({name})", name=sizes.id))
    return stream.choice(found)


def preset_split(roster: Roster, preset: Preset) -> Split:
    """Return the units of a predefined split, in the order of its brigades."""
    first, second, third = (tuple(brigade.get(kind.id, 0) for kind in roster.fighters) for brigade in preset.brigades)
    return first, second, third


def _parts(counts: Share, limit: Share) -> Iterator[Share]:
    """Yield each brigade that can be formed from these units and is not greater than `limit`, in descending order."""
    every = product(*(range(count, -1, -1) for count in counts))
    return dropwhile(lambda part: part > limit, every)


def _remainder(counts: Share, taken: Share) -> Share:
    return tuple(map(sub, counts, taken))
