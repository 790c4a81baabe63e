"""The record of a campaign, with its battles, the areas that each side holds, and the units that each side has left.

The record is a file that users may read and edit. Each battle depends on the battles before it. All rules of
campaigns are house rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Literal

import msgspec

from generator.common.game import DRAW, Carried, Ended
from generator.common.scenario_file import Short
from generator.errors import DataError, NotInOrderError, WrongUsageError, near
from generator.games.travel_battle.campaign import Area, Campaign, draw_campaign, is_area, parse_size
from generator.games.travel_battle.forces import NO_LOSSES, ArmyFile, Lost, Roster, house_roster
from generator.games.travel_battle.model import OTHER, SIDES, Scenario, Side
from generator.games.travel_battle.tables import numbers, words
from generator.localization import tr
from generator.model.words import Words, in_words, joined, same
from generator.notation import text
from generator.notation.toml import Source
from generator.notation.validation import KeyPath, name_text
from generator.seeds import parse_code

MAX_BATTLES = 60
"""The maximum number of battles in a campaign, which is the number of crossings on the largest map."""
HEAD = "# The armies of a campaign as `muster carry` left them (docs/formats/travel_army.md)."
SUFFIX = "-army.toml"
"""The ending that is added to the record's name for the file with the armies' remaining units."""


class Battle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A battle of the campaign, between two neighbouring areas."""

    blue: Short
    """The area from which Blue came, such as `A1`."""
    red: Short
    """The neighbouring area from which Red came."""
    winner: Literal["blue", "red", "draw"]
    """The side that won."""
    kit: Short = ""
    """The code or content hash on the pages of the kit."""
    lost: Lost = Lost()
    """The units that each side lost in the battle, by kind."""


class RecordFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a campaign's record."""

    title: Annotated[Words | str, name_text()]
    """The title of the campaign, in both languages or as one string for both."""
    grid: Short
    """The campaign's code and its columns and rows of boards, as on its map: `K7Q2M-9FHN5:3x4`."""
    battle: Annotated[tuple[Battle, ...], msgspec.Meta(max_length=MAX_BATTLES)] = ()
    """The battles, in the order in which they were fought."""


class Front(msgspec.Struct, frozen=True):
    """A crossing over which a side may attack next."""

    side: Side
    whence: str
    to: str


class Record(msgspec.Struct, frozen=True, dict=True):
    """A campaign after the battles in its record."""

    name: Words
    campaign: Campaign
    battles: tuple[Battle, ...]
    roster: Roster
    """The army with which each side began, with the losses of both sides."""
    source: str = "own"

    @cached_property
    def held(self) -> dict[str, Side]:
        """The side that holds each area in which a battle was fought, by the area's name."""
        found: dict[str, Side] = {}
        for battle in self.battles:
            for side, area in (("blue", battle.blue), ("red", battle.red)):
                found[area] = _side(battle.winner if battle.winner in SIDES else side)
        return found

    def left(self, side: Side) -> dict[str, int]:
        """Return the number of units of each kind that a side has left, by the kind's id."""
        return {kind.id: kind.count for kind in self.roster.of(side).fighters}

    @property
    def winner(self) -> Side | Literal["draw"] | None:
        """The winner of the campaign, or None if it is not over.

        A side wins if it has more than half of the areas, or if its enemy cannot form three brigades. If neither
        side can form them, the side with more areas wins. If these are equal, the side with more units left wins.
        """
        areas = Counter(self.held.values())
        for side in SIDES:
            if 2 * areas[side] > len(self.campaign.areas):
                return side
        units = {side: sum(self.roster.of(side).counts) for side in SIDES}
        sizes = self.roster.sizes.values()
        spent = [side for side, count in units.items() if not any(size.fit(count) for size in sizes)]
        if len(spent) < len(SIDES):
            return OTHER[spent[0]] if spent else None
        blue, red = ((areas[side], sum(self.left(side).values())) for side in SIDES)
        return DRAW if blue == red else SIDES[int(red > blue)]

    @property
    def fronts(self) -> list[Front]:
        """The possible next attacks from an area that a side holds into an area that it does not hold."""
        found = []
        for crossing in self.campaign.crossings() if self.winner is None else ():
            pair = crossing.left.name, crossing.right.name
            for whence, to in (pair, pair[::-1]):
                side = self.held.get(whence)
                if side and self.held.get(to) != side:
                    found.append(Front(side, whence, to))
        return found

    def area(self, name: str) -> Area:
        """Return the area with this name.

        Raises:
            StopIteration: If there is no such area.
        """
        return next(area for area in self.campaign.areas if area.name == name)

    def boards(self, blue: str, red: str) -> dict[str, str | bool]:
        """Return the options of a kit for the crossing of two areas."""
        names = zip(SIDES, (blue, red), strict=True)
        return {f"board-{side}": self.campaign.known_as(self.area(name)) for side, name in names}


def _side(name: str) -> Side:
    return "blue" if name == "blue" else "red"


def read_record(source: Source) -> Record:
    """Return the campaign of a record.

    Raises:
        DataError: If the record is invalid. The error lists each fault with its line.
    """
    of = source.read(RecordFile)
    code, _, size = of.grid.partition(":")
    columns_rows = parse_size(size)
    if columns_rows is None:
        hint = tr("write the code, the columns and the rows, as on the campaign's map: K7Q2M-9FHN5:3x4")
        raise DataError(source.problem(("grid",), tr("there is no campaign named {grid!r}", grid=of.grid[:40]), hint))
    try:
        code = parse_code(code)
    except WrongUsageError as error:
        raise DataError(*(source.problem(("grid",), p.message, p.hint) for p in error.problems)) from error
    campaign = draw_campaign(*columns_rows, code)
    DataError.raise_if_any(source.problem(*fault) for fault in _faults(of, campaign))
    return Record(in_words(of.title), campaign, of.battle, _roster_after(of.battle))


def _faults(of: RecordFile, campaign: Campaign) -> Iterator[tuple[KeyPath, str, str]]:
    """Yield the faults of unknown areas, areas that are not neighbours, and losses larger than a side's army."""
    areas = [area.name for area in campaign.areas]
    pairs = [{crossing.left.name, crossing.right.name} for crossing in campaign.crossings()]
    for at, battle in enumerate(of.battle):
        come = zip(SIDES, (battle.blue, battle.red), strict=True)
        wrong = [(side, area) for side, area in come if area not in areas]
        for side, area in wrong:
            yield (
                ("battle", at, side),
                tr("there is no area named {name!r} in this campaign", name=area[:40]),
                near(area, areas),
            )
        if not wrong and {battle.blue, battle.red} not in pairs:
            message = tr("{one} and {other} are not neighbours", one=battle.blue, other=battle.red)
            yield ("battle", at, "red"), message, ""
        roster = _roster_after(of.battle[:at])
        for side in SIDES:
            left = {kind.id: kind.count for kind in roster.of(side).fighters}
            for kind, n in _lost(battle.lost, side).items():
                keys = ("battle", at, "lost", side, kind)
                if kind not in left:
                    yield keys, tr("there is no unit named {unit!r} in this army", unit=kind[:40]), near(kind, left)
                elif n > left[kind]:
                    yield (
                        keys,
                        tr(
                            "the number of {unit} lost is {n}, but the army has only {have}",
                            n=n,
                            unit=kind,
                            have=left[kind],
                        ),
                        "",
                    )


def _lost(of: Lost, side: Side) -> dict[str, int]:
    return of.blue if side == "blue" else of.red


def _roster_after(battles: tuple[Battle, ...]) -> Roster:
    """Return the shipped army with the losses of these battles. The winner of a battle recovers some losses."""
    house, every = house_roster(), numbers().gathers
    lost: dict[Side, Counter[str]] = {side: Counter() for side in SIDES}
    for battle in battles:
        for side in SIDES:
            for kind, n in _lost(battle.lost, side).items():
                lost[side][kind] += n - (-(-n // every) if battle.winner == side else 0)
    blue, red = (dict(+lost[side]) for side in SIDES)
    return Roster(house.name, house.source, house.kinds, house.sizes, house.presets, Lost(blue, red))


def carry(source: Source, scenario: Scenario, stamp: str, end: Ended) -> Carried:
    """Return the record with one more battle, and the file of the armies' remaining units.

    Raises:
        DataError: If the record is invalid.
        NotInOrderError: If the battle does not belong to the campaign or the campaign is over.
    """
    before = read_record(source)
    if before.winner:
        raise NotInOrderError(tr("this campaign is over"))
    names = {placed.owner: placed.name for placed in scenario.placed.values()}
    grid = before.campaign.known_as(before.campaign.areas[0]).rpartition(":")[0]
    if not all(is_area(name) and name.lower().startswith(f"{grid}:".lower()) for name in names.values()):
        one, other = f"{grid}:A1", f"{grid}:B1"
        hint = tr(
            "use --board-blue {one} --board-red {other}, or choose 2 other areas that are neighbours",
            one=one,
            other=other,
        )
        raise NotInOrderError(
            tr("this battle is not at a border between 2 areas of the campaign {grid}", grid=grid), hint=hint
        )
    lost = {side: Counter[str]() for side in SIDES}
    for player, _, unit in scenario.units.values():
        if unit.kind.fights and not end.left[unit.id]:
            lost[player][unit.kind.id] += 1
    row: dict[str, object] = {"kit": stamp}
    row |= {side: names[side].rpartition(":")[2].upper() for side in SIDES}
    row |= {"winner": DRAW if end.winner is None else SIDES[end.winner]}
    row |= {"lost": {side: dict(of) for side, of in lost.items() if of}} if any(lost.values()) else {}
    whole = "\n".join([source.text.rstrip("\n"), "", "[[battle]]", *text.lines(row), ""])
    after = read_record(Source(source.name, whole))
    army = _army_file(after.roster)
    files = {SUFFIX: army} if after.roster.lost != NO_LOSSES and not after.winner else {}
    return Carried(
        whole, files, tuple(describe_campaign(after)), _next(after, names[_side(str(row["winner"]))], bool(files))
    )


def _army_file(roster: Roster) -> str:
    """Return the text of an army file with the losses of both sides."""
    name = words()["campaign"]["army"]
    of = ArmyFile(name, tuple(roster.kinds.values()), "own", lost=roster.lost)
    table = msgspec.to_builtins(of)
    return "\n".join([HEAD, *text.document({key: table[key] for key in ("name", "source", "unit", "lost")}), ""])


def _next(record: Record, near_: str, army: bool) -> tuple[tuple[list[str], dict[str, str | bool]], ...]:
    """Return the command for a kit of a possible next attack, preferably from the area of the last winner."""
    fronts = sorted(record.fronts, key=lambda front: not near_.upper().endswith(f":{front.whence}"))
    if not fronts:
        return ()
    front = fronts[0]
    pair = (front.whence, front.to) if front.side == "blue" else (front.to, front.whence)
    options = record.boards(*pair)
    return ((["muster", "kit", "travel_battle"], options | ({"army": SUFFIX} if army else {})),)


def describe_campaign(record: Record) -> Iterator[Words]:
    """Yield lines about the state of a campaign."""
    texts, players = words()["campaign"], words()["player"]
    whole = sum(house_roster().counts)
    for side in SIDES:
        held = [same(area) for area, holder in record.held.items() if holder == side]
        yield texts["stands"].fill(
            player=players[side],
            left=sum(record.left(side).values()),
            whole=whole,
            areas=joined(held) if held else texts["nothing"],
        )
    if record.winner == DRAW:
        yield texts["tied"]
    elif record.winner:
        yield texts["won"].fill(player=players[record.winner])
    else:
        fronts = [texts["front"].fill(player=players[of.side], whence=of.whence, to=of.to) for of in record.fronts]
        yield texts["fronts"].fill(fronts=joined(fronts)) if fronts else texts["open"]


def units(scenario: Scenario) -> Mapping[str, int]:
    """Return the strength of each fighting unit of a battle by its id. Each unit has the strength 1."""
    return {name: 1 for name, (_, _, unit) in scenario.units.items() if unit.kind.fights}
