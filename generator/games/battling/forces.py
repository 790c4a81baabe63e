"""Machines, the packs they come from, and squads of them.

Reading a file of machines and charts part by part, so that every fault is named with its line.

Machines and their charts: the house pack, or an owner's own in the same form (docs/formats/machines.md).

Squads of machines: all that come to some points, of which one is drawn.

Machines with their charts, and squads of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from pathlib import Path
from typing import Literal

import msgspec

from generator.common.tables import words
from generator.common.whose import is_owners, owned
from generator.errors import DataError, NothingLegalError, Problem, WrongUsageError, near
from generator.games.battling.tables import Clash, Result, Shot, dice, numbers
from generator.model.words import LANGS, Words, same
from generator.notation.text import name_fault
from generator.notation.toml import Source
from generator.notation.validation import KeyPath, slips
from generator.seeds import Stream
from generator.store.folders import shipped

NAME_LIMIT = 40
MACHINE_LIMIT = 40
"""Machines that are read at most, so that a runaway file gets an answer in good time."""
HP = range(1, 21)
POINTS = range(1, 1000)
RANGE = 60
"""Distances that are read at most: the longest line on the largest arena is not much longer."""

_Text = Words | str
_Values = dict[str, object]
HEAD: Mapping[str, object] = {
    "name": _Text,
    "source": Literal["house", "owner"],
    "machine": list[_Values],
    "results": _Values,
}
FIELDS: Mapping[str, object] = {
    "id": str,
    "name": _Text,
    "caption": str,
    "symbol": str,
    "hp": int,
    "points": int,
    "armour": int,
    "shooting": list[int],
    "damage": dict[str, int],
    "battling": dict[str, int],
}
_MAY_LACK: Mapping[str, object] = {"source": "owner", "armour": 0}
"""What need not be typed, and what it is then."""


class PackReader:
    """Reads a file and notes each fault on the way; without any, its parts are whole."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Problem] = []
        self.machines: list[_Values] = []
        self._ids: set[object] = set()
        head = self._fields((), source.data, HEAD, "a file of machines")
        self.name = self._words(("name",), head.get("name", ""))
        self.source_of: Literal["house", "owner"] = "house" if head.get("source") == "house" else "owner"
        self.results: dict[int, tuple[Result, ...]] = {}
        raws = head.get("machine")
        if isinstance(raws, list):
            if len(raws) > MACHINE_LIMIT:
                self._fault(("machine", MACHINE_LIMIT), f"more than {MACHINE_LIMIT} machines")
            self.machines = [self._machine(("machine", i), raw) for i, raw in enumerate(raws[:MACHINE_LIMIT])]
            self._matrices()
        if isinstance(results := head.get("results"), dict):
            self._results(results)

    def _fault(self, at: KeyPath, message: str, hint: str = "") -> None:
        self.problems.append(Problem(message, self.source.name, self.source.line(at), hint))

    def _fields(self, at: KeyPath, values: _Values, fields: Mapping[str, object], what: str) -> _Values:
        """The values of the right types by field; notes unknown and missing fields and wrong types."""
        for field in values:
            if field not in fields:
                self._fault((*at, field), f"{what} has no {field[:NAME_LIMIT]!r}", near(field[:NAME_LIMIT], fields))
        found = dict(_MAY_LACK)
        for field, kind in fields.items():
            if field not in values:
                if field not in _MAY_LACK:
                    self._fault(at, f"{what} without {field!r}")
                continue
            wrong = list(slips(values[field], kind, (*at, field)))
            for slip in wrong:
                self._fault(slip.keys, f"{field}: {slip.message}", slip.hint)
            if not wrong:
                found[field] = msgspec.convert(values[field], kind)
        return {field: found[field] for field in fields if field in found}

    def _machine(self, at: KeyPath, raw: _Values) -> _Values:
        values = self._fields(at, raw, FIELDS, "a machine")
        if "name" in values:
            values["name"] = self._words((*at, "name"), values["name"])
        for field in ("id", "caption"):
            if field in values and (fault := name_fault(str(values[field]), NAME_LIMIT)):
                self._fault((*at, field), f"its {field} {fault}")
        if values.get("id") in self._ids:
            self._fault((*at, "id"), f"a second machine {values['id']!r}")
        if "id" in values:
            self._ids.add(values["id"])
        if values.get("symbol", dice().symbols[0]) not in dice().symbols:
            self._fault(
                (*at, "symbol"),
                f"no symbol {str(values['symbol'])[:NAME_LIMIT]!r}",
                near(str(values["symbol"])[:NAME_LIMIT], dice().symbols),
            )
        self._within(at, values, "hp", HP)
        self._within(at, values, "points", POINTS)
        self._within(at, values, "armour", range(dice().die + 1))
        return values

    def _within(self, at: KeyPath, values: _Values, field: str, accepted: range) -> None:
        if field in values and values[field] not in accepted:
            self._fault((*at, field), f"{field} is {values[field]}, not {accepted[0]} to {accepted[-1]}")

    def _words(self, at: KeyPath, text: object) -> Words:
        words = text if isinstance(text, Words) else same(text)
        for part in dict.fromkeys(words[lang] for lang in LANGS):
            if at[0] in self.source.data and (fault := name_fault(part, NAME_LIMIT)):
                self._fault(at, f"its name {fault}")
        return words

    def _matrices(self) -> None:
        """The charts' cells: each row as long as the longest, a cell for every machine, numbers in their span."""
        ids = [str(machine["id"]) for machine in self.machines if "id" in machine]
        rows = [machine.get("shooting") for machine in self.machines]
        longest = max((len(row) for row in rows if isinstance(row, list)), default=0)
        for i, machine in enumerate(self.machines):
            row = machine.get("shooting")
            if isinstance(row, list):
                at = ("machine", i, "shooting")
                if not 1 <= len(row) <= RANGE:
                    self._fault(at, f"shooting has {len(row)} distances, not 1 to {RANGE}")
                elif len(row) < longest:
                    self._fault(
                        at, f"shooting has {len(row)} distances, another machine {longest}", "0: out of range"
                    )
                self._numbers(at, {f"distance {n}": number for n, number in enumerate(row, 1)}, "shooting at")
            for field, span in (("damage", "number"), ("battling", "difference")):
                if isinstance(cells := machine.get(field), dict):
                    self._cells(("machine", i, field), cells, ids, field, span)

    def _cells(self, at: KeyPath, cells: dict[str, int], ids: list[str], field: str, span: str) -> None:
        for target in cells:
            if target not in ids:
                self._fault(
                    (*at, target), f"{field}: no machine {target[:NAME_LIMIT]!r}", near(target[:NAME_LIMIT], ids)
                )
        for target in ids:
            if target not in cells:
                self._fault(at, f"{field} has no cell for {target!r}")
        self._numbers(at, {t: n for t, n in cells.items() if t in ids}, f"{field} against", span)

    def _numbers(self, at: KeyPath, cells: Mapping[str, int], what: str, span: str = "number") -> None:
        accepted = dice().number if span == "number" else dice().difference
        for cell, number in cells.items():
            if number not in accepted:
                self._fault((*at, cell), f"{what} {cell} is {number}, not {accepted}")

    def _results(self, raw: _Values) -> None:
        """The table of battling: a row for each difference, a result for each face of the die."""
        wanted = {str(d): d for d in range(dice().difference.least, dice().difference.most + 1)}
        for key in raw:
            if key not in wanted:
                self._fault(
                    ("results", key), f"no battling difference {key[:NAME_LIMIT]!r}", near(key[:NAME_LIMIT], wanted)
                )
        for key, difference in wanted.items():
            at = ("results", key)
            row = raw.get(key)
            if row is None:
                self._fault(("results",), f"results has no row for {key}")
            elif not isinstance(row, list) or len(row) != dice().die:
                self._fault(at, f"results at {key}: not {dice().die} results, one for each face of the die")
            else:
                for die, word in enumerate(row, 1):
                    if word not in list(dice().effects):
                        self._fault(
                            at,
                            f"results at {key}, die {die}: no result {str(word)[:NAME_LIMIT]!r}",
                            near(str(word)[:NAME_LIMIT], dice().effects),
                        )
                self.results[difference] = tuple(row)


class MachineKind(msgspec.Struct, frozen=True):
    """A type of Armored Trooper with its lines of the charts; see the head of machines.toml."""

    id: str
    name: Words
    caption: str
    """Its type number, such as `ATM-09-ST`."""
    symbol: str
    hp: int
    points: int
    armour: int
    shooting: tuple[int, ...]
    """The hit number at distance 1, 2, 3 …; 0: out of range."""
    damage: Mapping[str, int]
    """Its power against each machine."""
    battling: Mapping[str, int]
    """The battling difference when it attacks each machine."""


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


@cache
def house_pack() -> Pack:
    """The shipped machines and charts."""
    return _read(Source.open(shipped("data") / "battling" / "machines.toml"))


def machines() -> Mapping[str, MachineKind]:
    """The shipped machines by id, in the order of their file."""
    return house_pack().machines


def load_pack(path: Path | None = None) -> Pack:
    """An owner's file, or the house pack; DataError with every fault."""
    return read_pack(Source.open(path)) if path else house_pack()


def read_pack(source: Source) -> Pack:
    """The pack of a TOML text; DataError with every fault, in the order of its lines."""
    return owned(_read(source), source, [house_pack()])


def _read(source: Source) -> Pack:
    reader = PackReader(source)
    if reader.problems:
        raise DataError(*sorted(reader.problems, key=lambda problem: problem.line))
    kinds = {str(values["id"]): msgspec.convert(values, MachineKind) for values in reader.machines}
    return Pack(reader.name, reader.source_of, kinds, reader.results)


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
        hint = f"nearest: {', '.join(map(str, sorted(sums[:4])))}" if sums else ""
        raise NothingLegalError(Problem(f"no squad of these machines comes to {points} points", hint=hint))
    return fit


def drawn(stream: Stream, among: Sequence[Kinds]) -> Kinds:
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


def wished(pack: Pack, player: str, text: str) -> Kinds:
    """The machines typed for a player; WrongUsageError for one that the pack does not know."""
    kinds = tuple(text.replace(",", " ").split())
    for kind in kinds:
        if kind not in pack.machines:
            raise WrongUsageError(Problem(f"no machine {kind!r} for player {player}", hint=near(kind, pack.machines)))
    if len(kinds) not in numbers().machines:
        least, most = numbers().machines.least, numbers().machines.most
        raise WrongUsageError(f"player {player} has {len(kinds)} machines, {least} to {most} make a squad")
    return kinds


def sizes(machines: str | None) -> Sequence[int]:
    """How many machines a squad may have: as wished for, or as many as may be."""
    if machines:
        return (int(machines),)
    return range(numbers().machines.least, numbers().machines.most + 1)


def charts_called(pack: Pack) -> Words:
    """What the charts are called, and that they are an owner's where they are."""
    return words("battling")["packing"]["own"].fill(name=pack.name) if is_owners(pack) else pack.name
