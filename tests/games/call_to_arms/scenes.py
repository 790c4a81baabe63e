"""Legal scenarios, and functions that break them.

On the brook map the two left corners are under water, which displaces the units on cell a4 of A5 (Pennant) and A2
(Standard). On the flooded map the whole Pennant baseline is under water, so units are lost. In the crowd scene a
river with one ford covers the third row, and water covers two hexes of the left baseline. Card A7 on the left then
has three units to displace, only one free hex, and a unit on the last hex.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from msgspec.structs import replace

from generator import games
from generator.common.scenario_file import Step
from generator.games.battlelore.forces import Pool, Stock, Unit
from generator.games.battlelore.ground import Side, profile
from generator.games.call_to_arms.cards import cell_name
from generator.games.call_to_arms.model import Force, Scenario
from generator.games.call_to_arms.rules import EVIDENCE
from generator.grid.hexes import DIRECTIONS, Hex
from generator.model.scenario import Request
from generator.rules import Report, check
from generator.seeds import code_for
from generator.store.folders import shipped_path

GAME = games.load("call_to_arms")
BROOK = ((0, 2), (0, 3), (-1, 6), (-1, 5))
CROWD = ((0, 0), (1, 0), *((column, 2) for column in range(13)))
FORD = (10, 2)
FLOOD = tuple((column, 0) for column in range(13))
HANDS = {"cards-pennant": "A5,A1,A4,A7", "cards-standard": "A2,A5,A1,A6"}
CROWDED = HANDS | {"cards-pennant": "A7,A5,A4,A1"}
TIED = {"cards-pennant": "A5,A1,A4,A7", "cards-standard": "A2,A1,A6,A5"}

Edit = Callable[[Scenario], Scenario]


class Row(NamedTuple):
    """A change to a legal scenario, with the rules that it breaks."""

    id: str
    scene: str
    edit: Edit
    fires: str
    """Ids of all rules that the change breaks."""


def report(scenario: Scenario) -> Report:
    return check(GAME.rules, scenario)


def fired(scenario: Scenario) -> set[str]:
    return {finding.rule.id for finding in report(scenario).findings}


@cache
def scene(name: str, which: str = "battlelore") -> Scenario:
    """Return a legal scenario with a log that contains only the necessary evidence."""
    scenario = with_evidence_only(drawn_scene(name, which))
    scenario = on_first_free_hexes(scenario) if name in ("brook", "tie") else scenario
    assert fired(scenario) == set()
    return scenario


@cache
def drawn_scene(name: str, which: str = "battlelore") -> Scenario:
    """Return a generated scenario in which the Pennant player moves first.

    `name` is `brook`, `tie`, `nearest`, `flood`, `levies`, `crowd` or `shuffled`.
    """
    cards = {"tie": TIED, "shuffled": {}, "crowd": CROWDED}.get(name, HANDS)
    places = {option.replace("cards", "place"): keys for option, keys in cards.items()}
    ruled = {"displaced": "nearest"} if name == "nearest" else {}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "field.toml"
        path.write_text(field_text(which, {"flood": FLOOD, "crowd": CROWD}.get(name, BROOK)), "utf-8")
        files = {"map": path}
        if name == "levies":
            files["pool"] = path.with_name("pool.toml")
            files["pool"].write_text(_scarce(), "utf-8")
        for code in map(code_for, count(1)):
            options = {"map": "field.toml", **cards, **places, **ruled}
            drawn: Scenario = GAME.draw(Request(code, options, files))
            if drawn.first == "pennant":
                break
    return drawn


def with_evidence_only(scenario: Scenario) -> Scenario:
    """Reduce the log to the steps that prove the scenario, so that a change makes no other step false."""
    return replace(scenario, log=tuple(step for step in scenario.log if step.what in EVIDENCE))


def on_first_free_hexes(scenario: Scenario) -> Scenario:
    """Move displaced units and reserves to the first free hexes of their baselines."""
    for camp, force in scenario.forces.items():
        fixed = {u.hex for u in force.units if u.placed == "card"}
        line = iter(cell for cell in scenario.board.plan.baseline(camp) if cell not in fixed)
        moved = [u if u.placed == "card" else replace(u, hex=next(line)) for u in force.units]
        scenario = army(scenario, camp, units=tuple(moved))
    return scenario


def field_text(which: str, water: tuple[tuple[int, int], ...]) -> str:
    rows = profile(which).rows
    symbols = {(column % rows[row], row): "~" for column, row in water if column < rows[row]}
    if FORD in symbols:
        symbols[FORD] = "o"
    drawn = [[symbols.get((c, r), ".") for c in range(length)] for r, length in enumerate(rows)]
    text = "\n".join(" ".join(row) for row in reversed(drawn))
    return f'name = {{ en = "Brook", ja = "小川" }}\nprofile = "{which}"\nrows = """\n{text}\n"""\n'


def _scarce() -> str:
    """Return a pool with one green bow banner for the Pennant camp and one green levy token."""
    text = (shipped_path("data") / "battlelore" / "pool.toml").read_text("utf-8")
    return text.replace("common_bow = 5,", "common_bow = 1,", 1).replace("green = 2, blue", "green = 1, blue", 1)


def army(scenario: Scenario, camp: Side, **changes: Any) -> Scenario:
    """Return the scenario with changed values of one camp's force."""
    force: Force = replace(scenario.forces[camp], **changes)
    return replace(scenario, forces={**scenario.forces, camp: force})


def find(scenario: Scenario, place: str) -> tuple[Side, Unit]:
    """Return a unit and its camp.

    `place` is a cell of a card, such as `P A5 a4`, or a camp's first or second reserve, such as `S reserve 1`.
    """
    initial, key, cell = place.split()
    camp: Side = "pennant" if initial == "P" else "standard"
    force = scenario.forces[camp]
    if key == "reserve":
        return camp, force.reserves[int(cell) - 1]
    return camp, next(u for u in force.units if u.card == key and cell_name(u.cell) == cell)


def unit(place: str, **changes: Any) -> Edit:
    """Return an edit that changes one unit."""

    def edit(scenario: Scenario) -> Scenario:
        camp, old = find(scenario, place)
        new = changed(scenario, old, changes)
        return army(scenario, camp, units=tuple(new if u is old else u for u in scenario.forces[camp].units))

    return edit


def hex_of(scenario: Scenario, name: str) -> Hex:
    cell = scenario.board.field.find(name)
    assert cell
    return cell


def without(place: str) -> Edit:
    def edit(scenario: Scenario) -> Scenario:
        camp, old = find(scenario, place)
        return army(scenario, camp, units=tuple(u for u in scenario.forces[camp].units if u is not old))

    return edit


def more(place: str, **changes: Any) -> Edit:
    """Return an edit that adds a changed copy of a unit."""

    def edit(scenario: Scenario) -> Scenario:
        camp, old = find(scenario, place)
        copy = replace(old, id=f"{old.id}x")
        return army(scenario, camp, units=(*scenario.forces[camp].units, changed(scenario, copy, changes)))

    return edit


def changed(scenario: Scenario, old: Unit, changes: Mapping[str, Any]) -> Unit:
    """Return the unit with changed values. A hex is given by name."""
    values = dict(changes)
    if values.get("hex"):
        values["hex"] = hex_of(scenario, values["hex"])
    return replace(old, **values)


def ground(changes: Mapping[str, str], **board: Mapping[str, Any]) -> Edit:
    """Return an edit that changes terrain. `features` and `walls` (directions by name) are keyed by hex name."""

    def edit(scenario: Scenario) -> Scenario:
        def by_hex(table: Mapping[str, Any]) -> dict[Hex, Any]:
            return {hex_of(scenario, name): value for name, value in table.items()}

        walls = {name: tuple(map(DIRECTIONS.index, ways)) for name, ways in board.get("walls", {}).items()}
        return replace(
            scenario,
            board=replace(
                scenario.board,
                ground={**scenario.board.ground, **by_hex(changes)},
                features=by_hex(board.get("features", {})),
                walls=by_hex(walls),
            ),
        )

    return edit


def log(what: str, *results: tuple[str, ...], camp: Side | None = None) -> Edit:
    """Return an edit that replaces the results of every log step of a kind and camp, or removes these steps."""

    def edit(scenario: Scenario) -> Scenario:
        rest = [s for s in scenario.log if (s.what, s.who) != (what, camp)]
        return replace(scenario, log=(*rest, *(Step(what, camp, "", result) for result in results)))

    return edit


def roll(pennant: int, standard: int, dice: int = 6) -> tuple[str, str]:
    """Return a round of tie dice, from the number of green faces of each camp."""
    return " ".join(["green"] * pennant + ["red"] * (dice - pennant)), " ".join(
        ["green"] * standard + ["lore"] * (dice - standard)
    )


def pool(**changes: Any) -> Edit:
    """Return an edit that changes `figures`, `banners` or `levies` of the Pennant stock."""

    def edit(scenario: Scenario) -> Scenario:
        old = scenario.pool
        parts: dict[str, Any] = {
            "figures": old.pennant.figures,
            "banners": old.pennant.banners,
            "levies": old.pennant.levies,
        }
        stock = Stock(**(parts | changes))
        return replace(scenario, pool=Pool(old.name, stock, old.standard, old.source))

    return edit


def both(*edits: Edit) -> Edit:
    """Return an edit that applies the given edits in order."""

    def edit(scenario: Scenario) -> Scenario:
        for one in edits:
            scenario = one(scenario)
        return scenario

    return edit
