"""Machines, the packs they come from, and squads of them.

Machines and their charts: the house pack, or an owner's own in the same form (docs/formats/machines.md).

Squads of machines: all that come to some points, of which one is drawn.

Machines with their charts, and squads of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Annotated, Literal

import msgspec
from msgspec.structs import asdict

from generator.common.ownership import is_user_content
from generator.common.scenario_file import FileReader, OwnersFile
from generator.errors import NothingLegalError, WrongUsageError, among
from generator.games.battling.tables import Clash, Result, Shot, dice, numbers, words
from generator.localization import tr
from generator.model.words import Words, in_words
from generator.notation.toml import Source
from generator.notation.validation import known, name_text, once, within
from generator.seeds import Rng

NAME_LIMIT = 40
MACHINE_LIMIT = 40
"""Machines that are read at most, so that a runaway file gets an answer in good time."""
RANGE = 60
"""Distances that are read at most: the longest line on the largest arena is not much longer."""

_Name = Annotated[Words | str, name_text(NAME_LIMIT)]
_Short = Annotated[str, name_text(NAME_LIMIT)]
_Symbol = Annotated[str, known(lambda: dice().symbols)]
_Number = Annotated[int, within(lambda: dice().number.ends)]
_Difference = Annotated[int, within(lambda: dice().difference.ends)]
_Armour = Annotated[int, within(lambda: (0, dice().die))]


class MachineRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A machine as it is typed; see the head of machines.toml."""

    id: _Short
    """By which charts and scenarios know it."""
    name: _Name
    """What it is called, in both languages or in one text for both."""
    caption: _Short
    """Its type number, such as `ATM-09-ST`."""
    symbol: _Symbol
    """Its silhouette: `standard_machine`, `assault_machine`, `heavy_machine` or `scout_machine`."""
    hp: Annotated[int, msgspec.Meta(ge=1, le=20)]
    """Hit points."""
    points: Annotated[int, msgspec.Meta(ge=1, le=999)]
    """What it costs in a squad; a house measure."""
    armour: _Armour = 0
    """Added to the die of damage when it is the target."""
    shooting: Annotated[tuple[_Number, ...], msgspec.Meta(min_length=1, max_length=RANGE)]
    """The hit number at distance 1, 2, 3 …; 0: out of range."""
    damage: dict[str, _Number]
    """Its power against each machine."""
    battling: dict[str, _Difference]
    """The battling difference when it attacks each machine."""


class MachineKind(MachineRow, frozen=True, kw_only=True):
    """A type of Armored Trooper with its lines of the charts."""

    name: Words


class ChartsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of machines and charts as it is typed."""

    name: _Name
    """What the charts are called, in both languages or in one text for both."""
    machine: Annotated[tuple[MachineRow, ...], msgspec.Meta(min_length=1, max_length=MACHINE_LIMIT), once("id")]
    """The machines."""
    results: dict[str, tuple[Result, ...]]
    """The results of battling for the die from 1, by the difference."""
    source: Literal["house", "owner"] = "owner"
    """Whose it is; `"house"` holds only while the values equal ours."""


def _cells(reading: FileReader, machines: Sequence[MachineRow]) -> None:
    """Each row of shooting is as long as the longest, and the other charts have a cell for every machine."""
    ids = [machine.id for machine in machines]
    longest = max((len(machine.shooting) for machine in machines), default=0)
    for i, machine in enumerate(machines):
        if (have := len(machine.shooting)) < longest:
            message = tr("has {have} distances, but another machine has {longest}", have=have, longest=longest)
            reading.fault(("machine", i, "shooting"), message, tr("0: out of range"))
        reading.keys(("machine", i, "damage"), machine.damage, ids)
        reading.keys(("machine", i, "battling"), machine.battling, ids)


class Pack(msgspec.Struct, frozen=True):
    """All machines and charts that a battle is fought by."""

    name: Words
    source: Literal["house", "owner"]
    machines: Mapping[str, MachineKind]
    results: Mapping[int, tuple[Result, ...]]
    """The result of battling by the difference, for the die's faces from 1."""

    @property
    def range(self) -> int:
        """The farthest distance that the chart of shooting knows."""
        return max(len(machine.shooting) for machine in self.machines.values())

    def number(self, shooter: str, distance: int) -> int:
        """The hit number at a distance from 1 on; 0 where it is out of range."""
        row = self.machines[shooter].shooting
        return row[distance - 1] if 1 <= distance <= len(row) else 0

    def shot(self, shooter: str, target: str, distance: int, last: str = "") -> Shot:
        """A shot at a target whose own last action was that."""
        armour = self.machines[target].armour
        power = self.machines[shooter].damage[target]
        return Shot(self.number(shooter, distance), power, dice().change("hit", last), armour)

    def clash(self, attacker: str, target: str, last: str = "") -> Clash:
        """Battling against a target whose own last action was that."""
        difference = self.machines[attacker].battling[target]
        return Clash(self.results[difference], dice().change("battling", last))


def machines() -> Mapping[str, MachineKind]:
    """The shipped machines by id, in the order of their file."""
    return house_pack().machines


def _read(source: Source) -> Pack:
    file, reading = source.read(ChartsFile), FileReader(source)
    _cells(reading, file.machine)
    reading.keys(("results",), file.results, [str(difference) for difference in _differences()])
    for key, row in file.results.items():
        if len(row) != dice().die:
            reading.fault(("results", key), tr("needs {die} results, one for each face of the die", die=dice().die))
    reading.done()
    kinds = {row.id: MachineKind(**asdict(row) | {"name": in_words(row.name)}) for row in file.machine}
    results = {difference: file.results[str(difference)] for difference in _differences()}
    return Pack(in_words(file.name), file.source, kinds, results)


CHARTS = OwnersFile("battling/machines.toml", _read)
load_pack, read_pack, house_pack = CHARTS.load, CHARTS.read, CHARTS.house


def _differences() -> range:
    return range(dice().difference.minimum, dice().difference.maximum + 1)


Kinds = tuple[str, ...]
"""A squad's machines by their kinds, in the order of the pack."""


def cost(pack: Pack, kinds: Iterable[str]) -> int:
    """What machines come to."""
    return sum(pack.machines[kind].points for kind in kinds)


def squads(pack: Pack, sizes: Iterable[int], points: int | None = None) -> list[Kinds]:
    """Every squad of so many machines, and of so many points where these are given; never none."""
    found = [squad for size in sizes for squad in combinations_with_replacement(pack.machines, size)]
    fit = [squad for squad in found if points is None or cost(pack, squad) == points]
    if not fit:
        sums = sorted({cost(pack, squad) for squad in found}, key=lambda total: (abs(total - (points or 0)), total))
        hint = tr("nearest: {sums}", sums=[*map(str, sorted(sums[:4]))]) if sums else ""
        raise NothingLegalError(tr("no squad of these machines adds up to {points} points", points=points), hint=hint)
    return fit


def draw_squad(stream: Rng, among: Sequence[Kinds]) -> Kinds:
    """One of the squads, as likely as if each machine were drawn by itself, but none of one kind if others may be.

    So a squad of three kinds is six times as likely as one of a single kind would be; that there are more squads of a
    size makes it no likelier.
    """
    varied = [squad for squad in among if len(set(squad)) > 1] or among
    kinds, longest = len({kind for squad in varied for kind in squad}), max(map(len, varied))
    return stream.weighted(varied, [_orders(squad) * kinds ** (longest - len(squad)) for squad in varied])


def _orders(squad: Kinds) -> int:
    """In how many orders its machines can be drawn."""
    return factorial(len(squad)) // prod(map(factorial, Counter(squad).values()))


def parse_squad(pack: Pack, player: str, text: str) -> Kinds:
    """The machines typed for a player; WrongUsageError for one that the pack does not know."""
    kinds = tuple(text.replace(",", " ").split())
    for kind in kinds:
        among(kind, pack.machines, tr("no machine {kind!r} for player {player}", kind=kind, player=player))
    if len(kinds) not in numbers().machines:
        low, high = numbers().machines.minimum, numbers().machines.maximum
        raise WrongUsageError(
            tr(
                "player {player} has {count} machines, but a squad has {least} to {most}",
                player=player,
                count=len(kinds),
                least=low,
                most=high,
            )
        )
    return kinds


def sizes(machines: str | None) -> Sequence[int]:
    """How many machines a squad may have: as wished for, or as many as may be."""
    if machines:
        return (int(machines),)
    return range(numbers().machines.minimum, numbers().machines.maximum + 1)


def charts_name(pack: Pack) -> Words:
    """What the charts are called, and that they are an owner's where they are."""
    return words()["packing"]["own"].fill(name=pack.name) if is_user_content(pack) else pack.name
