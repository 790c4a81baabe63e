"""The base game without cards: its scenario, army plans, files and fairness.

A BattleLore scenario: a board and two armies set up by sections.

The house orders of battle, from orders.toml.

The JSON form of a BattleLore scenario (docs/json.md).

A BattleLore scenario as TOML that a person reads, edits and checks again.

How fair a BattleLore battle by itself is.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec.structs import asdict

from generator.common.fairness import Fairness
from generator.common.interpretations import defaults
from generator.common.scenario_file import Body, Count, Number, Short, Step, beside, exported, head, log_lines, steps
from generator.common.tables import Listed, Range
from generator.games.battlelore import model as shared
from generator.games.battlelore.fairness import battle_measures
from generator.games.battlelore.forces import (
    Council,
    Kind,
    Pool,
    Unit,
    council_tables,
    hand_of,
    load_pool,
    points,
)
from generator.games.battlelore.ground import SIDES, Board, Inventory, Section, Side, load_inventory, side_name, words
from generator.games.battlelore.maps import map_view
from generator.games.battlelore.model import (
    AGES,
    LORE,
    MEDIEVAL,
    OFF_BOARD,
    PREFIX,
    UNIT_LIMIT,
    BattleReading,
    BoardTable,
    CampUnit,
    UnitRow,
    asymmetries,
    board_lines,
    different,
    kind_text,
    named_row,
    uneven,
)
from generator.games.battlelore.tables import Whence, lore, switches
from generator.games.battlelore.wishes import BY_HAND
from generator.model.scenario import Origin
from generator.model.words import Words
from generator.notation import text, toml
from generator.notation.toml import Source


class Force(msgspec.Struct, frozen=True):
    """One camp: its plan, its units, and in Lore games its war council."""

    camp: Side
    plan: str
    """How it was laid out; empty where nobody says."""
    units: tuple[Unit, ...]
    council: Council = msgspec.field(default_factory=dict)

    @property
    def derived(self) -> bool:
        """Whether its file left its units out; nothing would follow without them."""
        return False


class Scenario(msgspec.Struct, frozen=True):
    """A whole scenario, frozen; the one thing that is checked, printed and written down."""

    origin: Origin
    title: Words
    map: str
    board: Board
    inventory: Inventory
    pool: Pool
    rulings: Mapping[str, str]
    forces: Mapping[Side, Force]
    first: Side
    points: int
    """What each camp's units come to."""
    banners: int
    hand: int | None
    """Cards of a command hand; in Lore games the councils have their own, and nothing is read here."""
    age: str
    log: tuple[Step, ...]

    @property
    def units(self) -> tuple[CampUnit, ...]:
        """Every unit on the board with its camp."""
        return tuple((camp, unit) for camp, force in self.forces.items() for unit in force.units if unit.hex)

    def hand_of(self, camp: Side) -> int:
        """A camp's command hand: its commander's in a Lore game."""
        return hand_of(self.hand, self.forces[camp].council)


class Plan(Listed, frozen=True, forbid_unknown_fields=True):
    """How a camp's points are shared out over its sections, in percent."""

    left: int
    centre: int
    right: int

    def share(self, section: Section) -> int:
        """A section's percent."""
        return {"left": self.left, "centre": self.centre, "right": self.right}[section]


class Recruit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of unit, how often it comes, and the own row it likes to stand in."""

    unit: str
    weight: int
    row: int

    @property
    def kind(self) -> Kind:
        """What it is."""
        return Kind(*self.unit.split())


class Muster(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one camp draws from."""

    units: tuple[Recruit, ...]


class Orders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """orders.toml as it stands."""

    source: Whence
    points: Range
    rows: int
    most_in_section: int
    slack: int
    """Percent of all points by which a section may be off its plan."""
    plan: tuple[Plan, ...]
    pennant: Muster
    standard: Muster

    def recruits(self, camp: Side) -> tuple[Recruit, ...]:
        """A camp's units to draw from."""
        return (self.pennant if camp == "pennant" else self.standard).units

    @property
    def shared(self) -> tuple[Recruit, ...]:
        """The units that either camp may draw, as the first one has them."""
        theirs = {recruit.unit for recruit in self.standard.units}
        return tuple(recruit for recruit in self.pennant.units if recruit.unit in theirs)


def plan_name(of: str) -> Words:
    """A plan in words; where nobody says how an army was laid out, that."""
    return next((plan.name for plan in orders().plan if plan.id == of), words()["alone"]["unplanned"])


orders = toml.shipped_table("battlelore/orders.toml", Orders)
"""The shipped orders of battle."""


def export(scenario: Scenario) -> dict[str, Any]:
    """The scenario as plain values."""
    return {
        **head(scenario),
        "age": scenario.age,
        "points": scenario.points,
        "board": shared.field(scenario.map, scenario.board),
        "rulings": dict(scenario.rulings),
        "forces": [
            {
                "camp": camp,
                "plan": force.plan or None,
                "council": dict(force.council),
                "units": [shared.unit(scenario.board, unit) for unit in force.units],
            }
            for camp, force in scenario.forces.items()
        ],
        "first": scenario.first,
        "banners": scenario.banners,
        **shared.hands(scenario),
        "log": exported(scenario.log),
    }


class _Force(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A camp: its units and its war council."""

    units: Annotated[tuple[UnitRow, ...], msgspec.Meta(max_length=UNIT_LIMIT)]
    """Its units as they stand."""
    plan: Short = ""
    """How the army was laid out: an id of `muster data show orders`; left out, nobody says."""
    council: dict[str, Number] = {}
    """The level of each seat of its war council."""


class _Play(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How it is played."""

    title: Words | str
    """What the battle is called, in both languages or in one text for both."""
    first: Side
    """The camp that moves first."""
    age: Short = MEDIEVAL
    """`medieval` or `lore`."""
    points: Annotated[int, msgspec.Meta(ge=0, le=999)] | None = None
    """What each army comes to; as many as the Pennant army has where it is left out."""
    banners: Number = lore().play.banners.usual
    """Victory banners that win."""
    hand: Count | None = None
    """Cards of a command hand; 5 where it is left out. In Lore games the councils say it, and not this."""


class ScenarioFile(Body, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A scenario as its file has it."""

    board: BoardTable
    """The field."""
    pennant: _Force
    """The Pennant camp."""
    standard: _Force
    """The Standard camp."""
    play: _Play
    """How it is played."""


def write(scenario: Scenario) -> str:
    """The body of the scenario's file."""
    play: dict[str, object] = {"title": asdict(scenario.title), "age": scenario.age}
    play |= {"first": scenario.first, "points": scenario.points}
    play |= {"banners": scenario.banners} | ({"hand": scenario.hand} if scenario.hand else {})
    lines = ["[play]", *text.lines(play), *board_lines(scenario.map, scenario.board)]
    lines += ["", "[rulings]", *text.lines(scenario.rulings)]
    for force in scenario.forces.values():
        head: dict[str, object] = {"plan": force.plan} if force.plan else {}
        head |= {"council": force.council} if force.council else {}
        lines += ["", f"[{force.camp}]", *text.lines(head), "units = ["]
        for unit in force.units:
            at = scenario.board.field.name(unit.hex) if unit.hex else OFF_BOARD
            row = {"id": unit.id, **named_row(unit), "hex": at, "unit": kind_text(unit.kind)}
            lines.append(f"  {text.value(row)},")
        lines.append("]")
    return "\n".join([*lines, *log_lines(scenario.log)]) + "\n"


def read(source: Source, origin: Origin, folder: Path) -> Scenario:
    """The scenario of a file; DataError names every fault with its line."""
    body = source.read(ScenarioFile)
    reading = BattleReading(source)
    board = reading.board(body.board, origin, folder)
    title = reading.title(body.play.title)
    reading.rulings(body.rulings, switches())
    age = reading.one_of(("play", "age"), body.play.age, AGES)
    forces = {
        camp: _force(reading, board, camp, table)
        for camp, table in zip(SIDES, (body.pennant, body.standard), strict=True)
    }
    log = steps(reading, body.log, SIDES)
    reading.done()
    total = sum(points(u.kind) for u in forces[SIDES[0]].units if u.hex)
    return Scenario(
        origin=origin,
        title=title,
        map=body.board.map or BY_HAND,
        board=board,
        inventory=load_inventory(beside("inventory", origin, folder, source)),
        pool=load_pool(beside("pool", origin, folder, source)),
        rulings=defaults(switches()) | body.rulings,
        forces=forces,
        first=body.play.first,
        points=total if body.play.points is None else body.play.points,
        banners=body.play.banners,
        hand=body.play.hand or (None if age == LORE else lore().play.hand.usual),
        age=age,
        log=log,
    )


def _force(reading: BattleReading, board: Board, camp: Side, table: _Force) -> Force:
    if table.plan:
        reading.one_of((camp, "plan"), table.plan, [plan.id for plan in orders().plan])
    for seat in table.council:
        reading.one_of((camp, "council", seat), seat, council_tables().seats)
    units = []
    for i, row in enumerate(table.units):
        at = reading.hex((camp, "units", i, "hex"), row.hex, board)
        kind = reading.kind((camp, "units", i, "unit"), row.unit)
        name, called = reading.own_id((camp, "units", i), row.id, f"{PREFIX[camp]}{i + 1}", row.name)
        if kind:
            units.append(Unit(name, kind, "", (-1, -1), "card", at, name=called))
    reading.ids((camp, "units"), [unit.id for unit in units])
    return Force(camp, table.plan, tuple(units), table.council)


TABLES = ("battlelore",)


def _units(scenario: Scenario) -> tuple[CampUnit, ...]:
    return tuple((camp, unit) for camp, force in scenario.forces.items() for unit in force.units)


def _mirrored(scenario: Scenario) -> tuple[Words, ...]:
    councils = {camp: dict(scenario.forces[camp].council) for camp in SIDES}
    return (
        *asymmetries(scenario.board),
        *uneven(scenario.board, _units(scenario)),
        *different(councils, "councils"),
    )


FAIRNESS: Fairness[Scenario] = Fairness(
    tables=TABLES,
    sides=(side_name(SIDES[0]), side_name(SIDES[1])),
    measures=lambda scenario: battle_measures(scenario.board, _units(scenario), scenario.rulings),
    mirrored=_mirrored,
    first=lambda scenario: words()["mirror"]["first"].fill(camp=side_name(scenario.first)),
    view=lambda scenario: map_view(scenario.board, scenario.units, small=True),
)
