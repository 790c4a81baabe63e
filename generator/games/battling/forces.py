"""Machines, packs of machines with their charts (docs/formats/machines.md), and squads."""

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
from generator.games.battling.tables import BattlingRoll, Result, Shot, dice, numbers, words
from generator.localization import tr
from generator.model.words import Words, in_words
from generator.notation.toml import Source
from generator.notation.validation import known, name_text, unique_in_rows, within
from generator.seeds import Rng

NAME_LIMIT = 40
MACHINE_LIMIT = 40
"""The maximum number of machines that are read, so that a file that is far too long is reported quickly."""
RANGE = 60
"""The maximum distance in a chart, which is about the length of the longest line on the largest arena."""

_Name = Annotated[Words | str, name_text(NAME_LIMIT)]
_Short = Annotated[str, name_text(NAME_LIMIT)]
_Symbol = Annotated[str, known(lambda: dice().symbols)]
_Number = Annotated[int, within(lambda: dice().number.ends)]
_Difference = Annotated[int, within(lambda: dice().difference.ends)]
_Armour = Annotated[int, within(lambda: (0, dice().die))]


class MachineRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A machine; the head of machines.toml describes the keys."""

    id: _Short
    """The id of the machine in charts and scenarios."""
    name: _Name
    """The name, in both languages or as one string for both."""
    caption: _Short
    """The type number of the machine, such as `ATM-09-ST`."""
    symbol: _Symbol
    """The silhouette: `standard_machine`, `assault_machine`, `heavy_machine`, `scout_machine` or `elite_machine`."""
    hp: Annotated[int, msgspec.Meta(ge=1, le=20)]
    """The hit points of the machine."""
    points: Annotated[int, msgspec.Meta(ge=1, le=999)]
    """The cost of the machine in a squad, which is a house value."""
    armour: _Armour = 0
    """The number added to the damage die if the machine is the target."""
    shooting: Annotated[tuple[_Number, ...], msgspec.Meta(min_length=1, max_length=RANGE)]
    """The hit numbers at distance 1, 2, 3 and so on. 0 means out of range."""
    damage: dict[str, _Number]
    """The power of the machine against each machine."""
    battling: dict[str, _Difference]
    """The battling difference when the machine attacks each machine."""


class MachineKind(MachineRow, frozen=True, kw_only=True):
    """A type of Armored Trooper with its lines of the charts."""

    name: Words


class ChartsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of machines and charts."""

    name: _Name
    """The name of the charts, in both languages or as one string for both."""
    machine: Annotated[
        tuple[MachineRow, ...], msgspec.Meta(min_length=1, max_length=MACHINE_LIMIT), unique_in_rows("id")
    ]
    """The machines."""
    results: dict[str, tuple[Result, ...]]
    """The results of battling for rolls from 1, by battling difference."""
    source: Literal["house", "owner"] = "owner"
    """Who made the charts. `"house"` is valid only if all values equal those of the shipped charts."""


def _cells(reading: FileReader, machines: Sequence[MachineRow]) -> None:
    """Check that all machines have equally many distances and that the other charts have a cell for every machine."""
    ids = [machine.id for machine in machines]
    longest = max((len(machine.shooting) for machine in machines), default=0)
    for i, machine in enumerate(machines):
        if (have := len(machine.shooting)) < longest:
            message = tr(
                "the number of distances is {have}, but another machine has {longest}", have=have, longest=longest
            )
            reading.fault(("machine", i, "shooting"), message, tr("write 0 for a distance that is out of range"))
        reading.keys(("machine", i, "damage"), machine.damage, ids)
        reading.keys(("machine", i, "battling"), machine.battling, ids)


class Pack(msgspec.Struct, frozen=True):
    """The machines and charts of a battle."""

    name: Words
    source: Literal["house", "owner"]
    machines: Mapping[str, MachineKind]
    results: Mapping[int, tuple[Result, ...]]
    """The results of battling for rolls from 1, by battling difference."""

    @property
    def range(self) -> int:
        """The longest distance in the chart of shooting."""
        return max(len(machine.shooting) for machine in self.machines.values())

    def number(self, shooter: str, distance: int) -> int:
        """Return the hit number at a distance, or 0 if it is out of range. Distances are counted from 1."""
        row = self.machines[shooter].shooting
        return row[distance - 1] if 1 <= distance <= len(row) else 0

    def shot(self, shooter: str, target: str, distance: int, last: str = "") -> Shot:
        """Return a shot at a target whose last action in its own phase was `last`."""
        armour = self.machines[target].armour
        power = self.machines[shooter].damage[target]
        return Shot(self.number(shooter, distance), power, dice().change("hit", last), armour)

    def battling_roll(self, attacker: str, target: str, last: str = "") -> BattlingRoll:
        """Return the odds of battling against a target whose last action in its own phase was `last`."""
        difference = self.machines[attacker].battling[target]
        return BattlingRoll(self.results[difference], dice().change("battling", last))


def machines() -> Mapping[str, MachineKind]:
    """Return the shipped machines by id, in the order of their file."""
    return house_pack().machines


def _read(source: Source) -> Pack:
    file, reading = source.read(ChartsFile), FileReader(source)
    _cells(reading, file.machine)
    reading.keys(("results",), file.results, [str(difference) for difference in _differences()])
    for key, row in file.results.items():
        if len(row) != dice().die:
            reading.fault(("results", key), tr("give {die} results, one for each face of the die", die=dice().die))
    reading.done()
    kinds = {row.id: MachineKind(**asdict(row) | {"name": in_words(row.name)}) for row in file.machine}
    results = {difference: file.results[str(difference)] for difference in _differences()}
    return Pack(in_words(file.name), file.source, kinds, results)


CHARTS = OwnersFile("battling/machines.toml", _read)
load_pack, read_pack, house_pack = CHARTS.load, CHARTS.read, CHARTS.house


def _differences() -> range:
    return range(dice().difference.minimum, dice().difference.maximum + 1)


Kinds = tuple[str, ...]
"""The kinds of a squad's machines, in the order of the pack."""


def cost(pack: Pack, kinds: Iterable[str]) -> int:
    """Return the total points of machines."""
    return sum(pack.machines[kind].points for kind in kinds)


def squads(pack: Pack, sizes: Iterable[int], points: int | None = None) -> list[Kinds]:
    """Return all squads that have one of these sizes and, if given, these points.

    Raises:
        NothingLegalError: If there is no such squad.
    """
    found = [squad for size in sizes for squad in combinations_with_replacement(pack.machines, size)]
    fit = [squad for squad in found if points is None or cost(pack, squad) == points]
    if not fit:
        sums = sorted({cost(pack, squad) for squad in found}, key=lambda total: (abs(total - (points or 0)), total))
        hint = tr("nearest possible points: {sums}", sums=[*map(str, sorted(sums[:4]))]) if sums else ""
        raise NothingLegalError(
            tr("no squad of these machines has a total of {points} points", points=points), hint=hint
        )
    return fit


def draw_squad(stream: Rng, among: Sequence[Kinds]) -> Kinds:
    """Return a random squad, with the same chances as if each machine were drawn separately.

    A squad of three kinds is therefore six times as likely as a squad of one kind. The number of squads of a size
    does not change the chances of that size. A squad of only one kind is returned only if there are no others.
    """
    varied = [squad for squad in among if len(set(squad)) > 1] or among
    kinds, longest = len({kind for squad in varied for kind in squad}), max(map(len, varied))
    return stream.weighted(varied, [_orders(squad) * kinds ** (longest - len(squad)) for squad in varied])


def _orders(squad: Kinds) -> int:
    """Return the number of orders in which a squad's machines can be drawn."""
    return factorial(len(squad)) // prod(map(factorial, Counter(squad).values()))


def parse_squad(pack: Pack, player: str, text: str) -> Kinds:
    """Return the machines entered for a player.

    Raises:
        WrongUsageError: If the pack lacks a machine or the squad's size is not allowed.
    """
    kinds = tuple(text.replace(",", " ").split())
    for kind in kinds:
        among(kind, pack.machines, tr("player {player} has no machine named {kind!r}", kind=kind, player=player))
    if len(kinds) not in numbers().machines:
        low, high = numbers().machines.minimum, numbers().machines.maximum
        raise WrongUsageError(
            tr(
                "the number of machines of player {player} is {count}, but a squad must have {least} to {most}",
                player=player,
                count=len(kinds),
                least=low,
                most=high,
            )
        )
    return kinds


def sizes(machines: str | None) -> Sequence[int]:
    """Return the requested size of a squad, or all possible sizes."""
    if machines:
        return (int(machines),)
    return range(numbers().machines.minimum, numbers().machines.maximum + 1)


def charts_name(pack: Pack) -> Words:
    """Return the name of the charts, marked as the user's own if a user supplied them."""
    return words()["packing"]["own"].fill(name=pack.name) if is_user_content(pack) else pack.name
