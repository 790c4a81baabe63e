"""The scenario, army plans, files and fairness of the base game without deployment cards.

The JSON form is documented in docs/json.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec.structs import asdict

from generator.common.fairness import Fairness
from generator.common.scenario_file import (
    Body,
    Count,
    Number,
    PlayTexts,
    Short,
    Step,
    accompanying_file,
    exported,
    head,
    log_lines,
    steps,
    text_lines,
)
from generator.common.tables import Listed, Range
from generator.games.battlelore import model as shared
from generator.games.battlelore.fairness import battle_measures
from generator.games.battlelore.forces import (
    ByCamp,
    Council,
    Kind,
    Pool,
    Unit,
    by_camp,
    hand_of,
    load_pool,
    one_if_alike,
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
    figures_row,
    kind_text,
    map_name,
    named_row,
    number_in_file,
    uneven,
    uneven_aims,
)
from generator.games.battlelore.own_pieces import Pieces, piece_lines, read_pieces
from generator.games.battlelore.tables import Whence, lore, switches
from generator.model.scenario import AdventureTexts, Origin
from generator.model.words import Words
from generator.notation import text, toml
from generator.notation.toml import Source


class Force(msgspec.Struct, frozen=True):
    """A camp's army with its plan and, in Lore games, its war council."""

    camp: Side
    plan: str
    """The id of the plan of the set-up; empty if unknown."""
    units: tuple[Unit, ...]
    council: Council = msgspec.field(default_factory=dict)

    @property
    def derived(self) -> bool:
        """Whether the file left out the units.

        Always False, because a base-game army cannot be derived from other data.
        """
        return False


class Scenario(msgspec.Struct, frozen=True):
    """A complete base-game battle."""

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
    """The total points of each camp's units."""
    banners: int | ByCamp
    hand: int | ByCamp | None
    """The number of cards in a command hand; None in Lore games, in which the war councils determine it."""
    age: str
    log: tuple[Step, ...]
    texts: AdventureTexts = AdventureTexts()
    """The written briefing and special rules."""
    pieces: tuple[Kind, ...] = ()
    """The pieces that the owner of the scenario added."""

    @property
    def units(self) -> tuple[CampUnit, ...]:
        """All units on the board, each with its camp."""
        return tuple((camp, unit) for camp, force in self.forces.items() for unit in force.units if unit.hex)

    def hand_of(self, camp: Side) -> int:
        """Return the number of cards in a camp's command hand. In a Lore game the commander's level determines it."""
        return hand_of(self.hand, self.forces[camp].council, camp)

    def banners_of(self, camp: Side) -> int:
        """Return the number of victory banners with which a camp wins."""
        return by_camp(self.banners, camp)


class Plan(Listed, frozen=True, forbid_unknown_fields=True):
    """The target share of a camp's points in each section, in percent."""

    left: int
    centre: int
    right: int

    def share(self, section: Section) -> int:
        """Return a section's share of the points, in percent."""
        return {"left": self.left, "centre": self.centre, "right": self.right}[section]


class Recruit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of unit that the generator can choose.

    `weight` is its relative frequency. `row` is the preferred row, counted from the camp's own baseline.
    """

    unit: str
    weight: int
    row: int

    @property
    def kind(self) -> Kind:
        """The kind of unit."""
        banner, weapon, race = self.unit.split()
        return Kind(banner, weapon, race)


class Muster(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The kinds of units from which an army of one camp is generated."""

    units: tuple[Recruit, ...]


class Orders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of orders.toml, the house orders of battle."""

    source: Whence
    points: Range
    rows: int
    most_in_section: int
    slack: int
    """The permitted difference between a section's points and its plan, in percent of all points."""
    plan: tuple[Plan, ...]
    pennant: Muster
    standard: Muster

    def recruits(self, camp: Side) -> tuple[Recruit, ...]:
        """Return the kinds of units from which a camp's army is generated."""
        return (self.pennant if camp == "pennant" else self.standard).units

    @property
    def shared(self) -> tuple[Recruit, ...]:
        """The kinds of units available to both camps, with the weights of the Pennant camp."""
        standard_units = {recruit.unit for recruit in self.standard.units}
        return tuple(recruit for recruit in self.pennant.units if recruit.unit in standard_units)


def plan_name(of: str) -> Words:
    """Return the name of the plan with this id, or a text for an unknown plan."""
    return next((plan.name for plan in orders().plan if plan.id == of), words()["alone"]["unplanned"])


orders = toml.shipped_table("battlelore/orders.toml", Orders)
"""Returns the shipped orders of battle."""


def export(scenario: Scenario) -> dict[str, Any]:
    """Return the scenario as values for JSON."""
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
        **shared.aims(scenario),
        "log": exported(scenario.log),
    }


class _Force(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A camp: its units and its war council."""

    units: Annotated[tuple[UnitRow, ...], msgspec.Meta(max_length=UNIT_LIMIT)]
    """The units and their hexes."""
    plan: Short = ""
    """The plan of the set-up: an id that `muster data show orders` lists; leave it out if it is unknown."""
    council: dict[str, Number] = {}
    """The level of each member of the war council."""


class _Play(PlayTexts, frozen=True, forbid_unknown_fields=True):
    """The conditions of play."""

    title: Words | str
    """The title of the battle, in both languages or as one text for both."""
    first: Side
    """The camp that moves first."""
    age: Short = MEDIEVAL
    """The age of the battle: `medieval` or `lore`."""
    points: Annotated[int, msgspec.Meta(ge=0, le=999)] | None = None
    """The total points of each army; the default is the total of the Pennant army."""
    banners: Number | ByCamp = lore().play.banners.usual
    """The number of victory banners needed to win, for both camps or for each."""
    hand: Count | ByCamp | None = None
    """The number of command cards in a hand, for both camps or for each; default: 5. In Lore games, the war councils
    determine it."""


class ScenarioFile(Body, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The content of a scenario file."""

    board: BoardTable
    """The board."""
    pennant: _Force
    """The Pennant camp."""
    standard: _Force
    """The Standard camp."""
    play: _Play
    """The conditions of play."""
    piece: Pieces = ()
    """Pieces of the owner's, with numbers of their own."""


def write(scenario: Scenario) -> str:
    """Return the text of the scenario file, without its head."""
    play: dict[str, object] = {"title": asdict(scenario.title), "age": scenario.age}
    play |= {"first": scenario.first, "points": scenario.points}
    play |= {"banners": number_in_file(scenario.banners)}
    play |= {"hand": number_in_file(scenario.hand)} if scenario.hand else {}
    lines = ["[play]", *text.lines(play), *text_lines(scenario.texts), *board_lines(scenario.map, scenario.board)]
    lines += [*piece_lines(scenario.pieces), "", "[rulings]", *text.lines(scenario.rulings)]
    for force in scenario.forces.values():
        head: dict[str, object] = {"plan": force.plan} if force.plan else {}
        head |= {"council": force.council} if force.council else {}
        lines += ["", f"[{force.camp}]", *text.lines(head), "units = ["]
        for unit in force.units:
            at = scenario.board.field.name(unit.hex) if unit.hex else OFF_BOARD
            row = {"id": unit.id, **named_row(unit), "hex": at, "unit": kind_text(unit.kind), **figures_row(unit)}
            lines.append(f"  {text.value(row)},")
        lines.append("]")
    return "\n".join([*lines, *log_lines(scenario.log)]) + "\n"


def read(source: Source, origin: Origin, folder: Path) -> Scenario:
    """Read a scenario file.

    Raises DataError with every fault and its line.
    """
    body = source.read(ScenarioFile)
    reading = BattleReading(source)
    board = reading.board(body.board, origin, folder)
    title = reading.title(body.play.title)
    pieces = read_pieces(reading, body.piece)
    rulings = reading.rulings(body.rulings, switches())
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
        map=map_name(body.board.map),
        board=board,
        inventory=load_inventory(accompanying_file("inventory", origin, folder, source)),
        pool=load_pool(accompanying_file("pool", origin, folder, source)),
        rulings=rulings,
        forces=forces,
        first=body.play.first,
        points=total if body.play.points is None else body.play.points,
        banners=one_if_alike(body.play.banners),
        hand=one_if_alike(body.play.hand) if body.play.hand else None if age == LORE else lore().play.hand.usual,
        age=age,
        log=log,
        texts=body.play.texts,
        pieces=pieces,
    )


def _force(reading: BattleReading, board: Board, camp: Side, table: _Force) -> Force:
    plan = table.plan and reading.one_of((camp, "plan"), table.plan, [plan.id for plan in orders().plan])
    council = reading.council(camp, table.council)
    units = []
    for i, row in enumerate(table.units):
        at = reading.hex((camp, "units", i, "hex"), row.hex, board)
        kind = reading.kind((camp, "units", i, "unit"), row.unit)
        name, unit_name = reading.unit_id((camp, "units", i), row.id, f"{PREFIX[camp]}{i + 1}", row.name)
        if kind:
            units.append(Unit(name, kind, "", (-1, -1), "card", at, extra=row.extra(kind), name=unit_name))
    reading.ids((camp, "units"), [unit.id for unit in units])
    return Force(camp, plan, tuple(units), council)


TABLES = ("battlelore",)


def _units(scenario: Scenario) -> tuple[CampUnit, ...]:
    return tuple((camp, unit) for camp, force in scenario.forces.items() for unit in force.units)


def _mirrored(scenario: Scenario) -> tuple[Words, ...]:
    councils = {camp: dict(scenario.forces[camp].council) for camp in SIDES}
    return (
        *asymmetries(scenario.board),
        *uneven(scenario.board, _units(scenario)),
        *different(councils, "councils"),
        *uneven_aims(scenario),
    )


FAIRNESS: Fairness[Scenario] = Fairness(
    tables=TABLES,
    sides=(side_name(SIDES[0]), side_name(SIDES[1])),
    measures=lambda scenario: battle_measures(scenario.board, _units(scenario), scenario.rulings),
    mirrored=_mirrored,
    first=lambda scenario: words()["mirror"]["first"].fill(camp=side_name(scenario.first)),
    view=lambda scenario: map_view(scenario.board, scenario.units, small=True),
)
