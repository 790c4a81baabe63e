"""Tests that break a legal battle in every way that a rule forbids. Each change breaks exactly the rules it names."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest
from msgspec.structs import replace

from generator.games.travel_battle.forces import Roster, Sizes, house_roster
from generator.games.travel_battle.ground import SIZE, BoardType
from generator.games.travel_battle.model import Army, Brigade, Scenario, Unit
from generator.games.travel_battle.rules import rules
from generator.grid.squares import Square
from generator.model.words import same
from generator.rules import Report
from tests.games.travel_battle.scenes import (
    Edit,
    Row,
    aims,
    at,
    battle,
    both,
    brigades,
    ground,
    log,
    more,
    order,
    report,
    setting,
    step,
    unit,
    whole,
    with_boards,
    with_log,
    without,
)

SPLIT = (
    "1 guard, 2 line, 1 light, 1 gun",
    "2 line, 1 heavy, 1 gun",
    "1 guard, 2 line, 1 heavy, 1 light",
)


def sized(minimum: int, maximum: int) -> Edit:
    """Return an edit that sets an army whose file allows only brigades of the given sizes."""
    house = house_roster()
    sizes = {"own": Sizes("own", same("own"), minimum, maximum)}
    return setting(roster=Roster(house.name, house.source, house.kinds, sizes, house.presets))


def dissolved(scenario: Scenario) -> Scenario:
    """Remove Blue's last brigade."""
    blue = scenario.armies["blue"]
    armies = {**scenario.armies, "blue": Army("blue", blue.brigades[:-1])}
    return with_log(setting(armies=armies))(scenario)


def renumbered(scenario: Scenario) -> Scenario:
    """Number Blue's brigades from 2."""
    brigades = tuple(Brigade(b.number + 1, b.units) for b in scenario.armies["blue"].brigades)
    return replace(scenario, armies={**scenario.armies, "blue": Army("blue", brigades)})


def leaderless(scenario: Scenario) -> Scenario:
    """Move the units of Blue's second brigadier to the first brigade."""
    blue = scenario.armies["blue"]
    first, second, third = blue.brigades
    cells = {"B2a": "e1", "B2b": "e2", "B2c": "f2", "B2d": "a1"}
    moved = tuple(msgspec.structs.replace(u, cell=at(cells[u.id])) for u in second.fighters)
    alone = Brigade(2, tuple(u for u in second.units if not u.kind.fights))
    army = Army("blue", (Brigade(1, (*first.units, *moved)), alone, third))
    return with_log(setting(armies={**scenario.armies, "blue": army}))(scenario)


def shuffled(scenario: Scenario) -> Scenario:
    """Reverse the order of the brigades and units of both armies, without changing the rest of the log."""
    armies = {
        player: Army(player, tuple(Brigade(b.number, b.units[::-1]) for b in army.brigades[::-1]))
        for player, army in scenario.armies.items()
    }
    return replace(step("split", "red", *SPLIT)(scenario), armies=armies)


def on_four_boards(*types: BoardType) -> Edit:
    """Return an edit that adds two boards behind the others and moves Red's army back to the new edge."""

    def edit(scenario: Scenario) -> Scenario:
        a, b, c, d = types
        boards = with_boards((a, "blue", 1), (b, "red", 1), (c, "blue", 1), (d, "red", 1), rows=2)
        dice = both(step("turn", "blue", "a11", "1"), step("turn", "red", "k11", "3"))
        red = tuple(Brigade(b.number, tuple(map(moved_up, b.units))) for b in scenario.armies["red"].brigades)
        return with_log(both(boards, dice, setting(armies={**scenario.armies, "red": Army("red", red)})))(scenario)

    return edit


def moved_up(of: Unit) -> Unit:
    """Return a unit moved away from Blue by the length of one board."""
    assert of.cell
    return msgspec.structs.replace(of, cell=of.cell + Square(0, SIZE))


def two_brigades(scenario: Scenario) -> Scenario:
    """Place infantry of Blue's first two brigades on e2, where they are linked to both brigadiers."""
    posts = {"B2": "f1", "B2a": "e2", "B2b": "f2", "B2c": "g2", "B2d": "g1", "B1b": "e2"}
    return both(*(unit(name, cell=cell) for name, cell in posts.items()))(scenario)


def ruling(name: str, choice: str | None) -> Edit:
    """Return an edit that changes or removes the choice for a ruling."""

    def edit(scenario: Scenario) -> Scenario:
        rest = {n: c for n, c in scenario.rulings.items() if n != name}
        return replace(scenario, rulings=rest | ({name: choice} if choice else {}))

    return edit


def with_outdated_log(scenario: Scenario) -> Scenario:
    """Move a unit without updating the log."""
    return replace(unit("B1b", cell="b1")(unit("B1e", cell="b2")(scenario)), log=scenario.log)


def with_broken_link(scenario: Scenario) -> Scenario:
    """Move a unit that linked another unit to its brigade's other end, without updating the log."""
    return replace(unit("B3d", cell="n2")(scenario), log=scenario.log)


THIRD = step("turn", "red", "u1", "3")


def last(what: str) -> Edit:
    """Return an edit that moves the step of the given kind to the end of the log."""
    return lambda scenario: replace(scenario, log=tuple(sorted(scenario.log, key=lambda step: step.what == what)))


def first(what: str) -> Edit:
    """Return an edit that moves the step of the given kind to the beginning of the log."""

    def edit(scenario: Scenario) -> Scenario:
        steps = sorted(scenario.log, key=lambda step: step.what != what)
        return replace(scenario, log=tuple(steps))

    return edit


FIELD = [
    Row("a road ends on the board", ground({"b8": "open"}), "board.roads board.network"),
    Row("an exit fewer", ground({"h10": "open"}), "board.exits board.roads"),
    Row("an exit more", ground({"e1": "road", "e2": "road"}), "board.exits"),
    Row("an exit to the other board fewer", ground({"j3": "open"}), "board.exits board.roads field.roads"),
    Row("a wide road", ground({"g9": "road"}), "board.roads"),
    Row("a ring of road apart", ground(dict.fromkeys(("h6", "i6", "h5", "i5"), "road")), "board.roads board.network"),
    Row("two roads apart", ground(dict.fromkeys(("c4", "c5", "c6", "c7"), "open")), "board.network"),
    Row("a hill of one square", ground({"i6": "hill"}), "board.hills"),
    Row("a steep hill", ground({"f6": "hilltop"}), "board.hills"),
    Row("two boards of one type", with_boards(("A", "blue", 1), ("A", "red", 1)), "field.types field.roads"),
    Row("the boards the other way round", with_boards(("B", "red", 1), ("A", "blue", 1)), "setup.turn log.true"),
    Row("a board turned after its die", with_boards(("A", "blue", 2), ("B", "red", 1)), "setup.turn"),
    Row("a board turned after its owner's choice", with_boards(("A", "blue", 1), ("B", "red", 2)), "log.true"),
    Row(
        "both boards of one player",
        with_boards(("A", "blue", 1), ("B", "blue", 1)),
        "field.boards setup.turn log.true",
    ),
    Row(
        "one board too many",
        both(with_boards(("A", "blue", 1), ("B", "red", 1), ("A", "red", 1)), THIRD),
        "field.boards",
    ),
]

DICE = [
    Row("no word of the side dice", log("side_dice"), "setup.side"),
    Row("no word of the side", log("side"), "setup.side"),
    Row("the lower chose the side", log("side", ("right",), who="red"), "setup.side"),
    Row("the side was chosen otherwise", log("side", ("right",), who="blue"), "log.true"),
    Row("a tie decided the side", log("side_dice", ("4", "4")), "setup.side"),
    Row("the side dice thrown again without a tie", log("side_dice", ("5", "3"), ("6", "1")), "setup.side"),
    Row("no word of the first placer's dice", log("placer_dice"), "setup.placer"),
    Row("the lower placed first", log("placer_dice", ("1", "6")), "setup.placer"),
    Row("a tie decided who places first", log("placer_dice", ("1", "1")), "setup.placer"),
    Row("thrown again for the first placer", log("placer_dice", ("1", "6"), ("6", "1")), "setup.placer"),
    Row("no word of the first mover's dice", log("mover_dice"), "setup.mover"),
    Row("the lower moved first", setting(first_mover="blue"), "setup.mover"),
    Row("a tie decided who moves first", log("mover_dice", ("2", "2")), "setup.mover"),
    Row("thrown again for the first mover", log("mover_dice", ("5", "1"), ("1", "4")), "setup.mover"),
    Row("a seven", log("mover_dice", ("1", "7")), "setup.dice"),
    Row("a die with no number", log("mover_dice", ("1", "four")), "setup.dice"),
    Row("a full-width die", log("mover_dice", ("1", "４")), "setup.dice"),
    Row("one die only", log("placer_dice", ("6",)), "setup.dice"),
    Row("three dice", log("side_dice", ("6", "1", "2")), "setup.dice"),
    Row("a board's die is a zero", log("turn", ("a1", "0"), who="blue"), "setup.dice"),
    Row("a board's die says nothing", log("turn", ("a1",), who="blue"), "setup.dice"),
    Row("no word of a board's die", log("turn"), "setup.turn"),
    Row("no word of the edge that was chosen", log("edge"), "setup.turn"),
    Row("two dice for a board", log("turn", ("a1", "1"), ("a1", "1"), who="blue"), "setup.turn"),
    Row("a die for no board", step("turn", "blue", "b1", "1"), "setup.turn"),
    Row("the enemy threw for a board", log("turn", ("a1", "1"), who="red"), "setup.turn"),
    Row("nobody threw for a board", log("turn", ("a1", "1")), "setup.turn"),
    Row("a die of another edge", log("turn", ("a1", "3"), who="blue"), "setup.turn"),
    Row("a high die that binds", log("turn", ("a1", "5"), who="blue"), "setup.turn"),
    Row("a low die that leaves the choice", log("turn_free", ("k1", "1"), who="red"), "setup.turn"),
    Row("a six leaves the choice", log("turn_free", ("k1", "6"), who="red"), ""),
]

ARMIES = [
    Row("a line unit fewer", without("B3c"), "army.units"),
    Row("a gun fewer", without("R2d"), "army.units"),
    Row("a line unit more", more("B2x", "B2b", "g2"), "army.units"),
    Row("a guard in place of a line unit", unit("R1b", kind="guard"), "army.units"),
    Row("no brigadier", without("B2"), "army.leader"),
    Row("two brigadiers", more("R3x", "R3", "g9"), "army.leader"),
    Row("a brigade of one", brigades("B2", lambda units: units[:2]), "army.units army.size"),
    Row("a brigade dissolved", dissolved, "army.brigades army.units setup.order"),
    Row("a brigadier with nobody to lead", leaderless, "army.empty"),
    Row("brigades numbered from 2", renumbered, "army.brigades"),
    Row("brigades too small for their army", sized(5, 6), "army.size"),
    Row("brigades too large for their army", sized(2, 4), "army.size"),
    Row("an army for two boards on four", on_four_boards("A", "B", "B", "A"), "army.brigades army.units"),
]

PLACING = [
    Row("a unit in the third row", unit("B1b", cell="b3"), "place.rows"),
    Row("a unit in the enemy's rows", unit("R1b", cell="s8"), "place.rows"),
    Row("a unit nowhere", unit("B1b", cell=None), "place.all"),
    Row("a brigadier nowhere", unit("B2", cell=None), "place.all"),
    Row("a gun in a wood", ground({"h1": "wood"}), "place.ground"),
    Row("a brigadier in a wood", ground({"i1": "wood"}), "place.ground"),
    Row("horse in a wood", ground({"j2": "wood"}), "place.ground"),
    Row("horse in a building", ground({"j2": "building"}), "place.ground"),
    Row("a gun in a building", ground({"h1": "building"}), ""),
    Row("foot in a wood", ground({"h2": "wood"}), ""),
    Row("a brigadier in a building", ground({"i1": "building"}), ""),
    Row("two foot of a brigade on a square", unit("B2b", cell="h2"), ""),
    Row("two foot in a wood", both(unit("B2b", cell="h2"), ground({"h2": "wood"})), "place.stack"),
    Row("two foot in a building", both(unit("B2b", cell="h2"), ground({"h2": "building"})), "place.stack"),
    Row("two foot on a road", unit("B1b", cell="c2"), ""),
    Row("three foot on a square", both(unit("B1b", cell="d1"), unit("B1c", cell="d1")), "place.stack"),
    Row("foot and horse on a square", unit("B1c", cell="d2"), "place.stack"),
    Row("foot with a brigadier", unit("B1c", cell="c1"), "place.stack"),
    Row("foot of two brigades on a square", two_brigades, "place.stack"),
    Row("foot in square", unit("B1a", square=True), ""),
    Row("horse in square", unit("B1d", square=True), "place.square"),
    Row("square in a wood", both(unit("B2a", square=True), ground({"h2": "wood"})), "place.square"),
    Row("square in a building", both(unit("B2a", square=True), ground({"h2": "building"})), "place.square"),
    Row("square on a shared square", both(unit("B2b", cell="h2"), unit("B2a", square=True)), "place.square"),
    Row("a unit apart", unit("B3b", cell="m2"), "place.link"),
    Row("a brigadier apart", unit("B3", cell="t1"), "place.link"),
    Row("rows in another order", shuffled, ""),
    Row("the end of a chain apart", unit("B3d", cell="n2"), "place.link"),
    Row("a brigadier of Red's apart", unit("R1", cell="n9"), "place.link"),
    Row("a unit that looks back", unit("B1b", facing=6), "place.facing"),
    Row("a unit that looks sideways", unit("R1b", facing=0), "place.facing"),
    Row("a unit that looks ahead at a slant", unit("R1b", facing=7), ""),
]

ORDER = [
    Row("no word of the order", log("place"), "setup.order"),
    Row("the second player set up first", order("R1", "B1", "R2", "B2", "R3", "B3"), "setup.order"),
    Row("two brigades of one player in a row", order("B1", "R1", "R2", "B2", "B3", "R3"), "setup.order"),
    Row("a brigade set up twice", order("B1", "R1", "B1", "R2", "B2", "R3", "B3"), "setup.order"),
    Row("a brigade left out", order("B1", "R1", "B2", "R2", "B3"), "setup.order"),
    Row("another order by turns", order("B3", "R1", "B2", "R3", "B1", "R2"), ""),
    Row("a brigade of nobody", step("place", "blue", "B9 a1"), "setup.order log.true"),
    Row("the enemy's brigade", step("place", "blue", "R1 r10"), "setup.order log.true"),
    Row("nothing set up", step("place", "blue"), "setup.order log.true"),
]

PLAY = [
    Row("hold", aims("hold", "red", "k5 l5 k6 l6", count=3), ""),
    Row("survive", both(aims("survive", "blue", count=5), setting(turns=0)), ""),
    Row("break through", aims("break", "red", count=3), ""),
    Row("protect", aims("protect", "red", units="R2d", count=1), ""),
    Row("destroy", aims("destroy", "blue", count=3), ""),
    Row("an unknown objective", aims("capture", "blue", count=3), "play.objective"),
    Row("nobody's objective", aims("destroy", count=3), "play.objective"),
    Row("somebody's brigades", aims("brigades", "blue"), "play.objective"),
    Row("a count of brigades", aims("brigades", count=2), "play.objective"),
    Row("ground to destroy", aims("destroy", "blue", "k5", count=3), "play.objective"),
    Row("units to hold", aims("hold", "red", "k5 l5 k6 l6", "R2d", count=3), "play.objective"),
    Row("hold for ever", aims("hold", "red", "k5 l5 k6 l6", count=9), "play.count"),
    Row(
        "hold longer than the battle lasts",
        both(aims("hold", "red", "k5 l5 k6 l6", count=9), setting(turns=8)),
        "play.count play.reach",
    ),
    Row("destroy more than there are", aims("destroy", "red", count=15), "play.count play.reach"),
    Row("bring more away than there are", aims("break", "blue", count=15), "play.count play.reach"),
    Row("destroy nobody", aims("destroy", "red"), "play.objective"),
    Row("no squares in the middle", aims("hold", "red", count=3), "play.objective"),
    Row("three squares to hold", aims("hold", "red", "k5 l5 k6", count=3), "play.zone"),
    Row("ground to hold nearer to Blue", aims("hold", "red", "k4 l4 k5 l5", count=3), "play.zone"),
    Row("ground to hold at an end", aims("hold", "red", "b5 c5 b6 c6", count=3), "play.zone"),
    Row("woods to hold", both(ground({"k5": "wood"}), aims("hold", "red", "k5 l5 k6 l6", count=3)), "play.zone"),
    Row("protect nobody", aims("protect", "red", count=1), "play.ward"),
    Row("protect a stranger", aims("protect", "red", units="R9a", count=1), "play.ward"),
    Row("protect an enemy", aims("protect", "red", units="B2d", count=1), "play.ward"),
    Row("protect a brigadier", aims("protect", "red", units="R2", count=1), "play.ward"),
    Row(
        "protect who is not there",
        both(unit("R2d", cell=None), aims("protect", "red", units="R2d", count=1)),
        "play.ward place.all",
    ),
    Row("no last turn", setting(turns=0), ""),
    Row("nine turns", setting(turns=9), "play.turns"),
    Row("survive beyond the last turn", aims("survive", "blue", count=5), "play.turns"),
    Row("protect for ever", both(aims("protect", "red", units="R2d", count=1), setting(turns=0)), "play.reach"),
    Row("another choice", ruling("sight", "corners"), ""),
]

LOG = [
    Row("a step that nobody knows", step("prayer", None), "log.true"),
    Row("a board that nobody brought", step("board", "blue", "market_road"), "log.true"),
    Row("a random board", step("board", "blue", "random"), ""),
    Row("the first placer", step("placer", "blue"), ""),
    Row("another first placer", step("placer", "red"), "log.true"),
    Row("another first mover", step("mover", "blue"), "log.true"),
    Row("brigades as they are", step("split", "red", *SPLIT), ""),
    Row("other brigades", step("split", "red", *SPLIT[::-1]), "log.true"),
    Row("a preset as it is", step("preset", "red", "balanced"), ""),
    Row("another preset", step("preset", "red", "by_arm"), "log.true"),
    Row("an objective", both(aims("destroy", "red", count=3), step("objective", "red", "destroy")), ""),
    Row("another objective", step("objective", "red", "destroy"), "log.true"),
    Row("a unit set up elsewhere", with_outdated_log, "log.true"),
    Row("a unit missed where it was set up", with_broken_link, "log.true place.link"),
    Row("the first mover known at once", both(step("mover", "red"), first("mover")), "log.order"),
    Row("brigades set up before the boards", first("place"), "log.order"),
    Row("a side before its dice", first("side"), "log.order"),
    Row("brigades split on the way", both(step("split", "red", *SPLIT), first("split")), "log.order"),
    Row("a board chosen at the end", both(step("board", "red", "random"), last("board")), "log.order"),
]


def of_whole(*edits: Edit) -> Edit:
    """Return an edit that replaces the battle by the changed battle on one whole board."""
    return lambda _: both(*edits)(whole())


NORTH = dict.fromkeys(("i8", "j8"), "open")
SOUTH = dict.fromkeys(("d3", "e3", "f3", "g3", "h3", "i3", "j3"), "open")
"""The roads to the seam on the left half, and their continuation on the right half."""
BEYOND_NORTH = dict.fromkeys(("k8", "l8", "m8", "n8", "o8", "p8", "q8"), "open")
BEYOND_SOUTH = dict.fromkeys(("k3", "l3"), "open")

HALVES = [
    Row("one whole", of_whole(), ""),
    Row("a whole of which the log says nothing", of_whole(log("whole")), ""),
    Row("a half changed by itself", of_whole(ground({"e9": "wood", "s5": "building"})), ""),
    Row("a seam without roads", of_whole(ground(NORTH | SOUTH | BEYOND_NORTH | BEYOND_SOUTH)), ""),
    Row("a seam with one road", of_whole(ground(NORTH | BEYOND_NORTH)), "board.exits"),
    Row("a seam that roads reach from one side", of_whole(ground(NORTH | SOUTH)), "field.roads"),
    Row("a seam that one road reaches from one side", of_whole(ground(NORTH)), "board.exits field.roads"),
    Row("a whole's outer exit astray", of_whole(ground({"c1": "open", "c2": "open"})), "board.exits"),
    Row("side dice on a whole", of_whole(step("side_dice", None, "5", "3")), "setup.side"),
    Row("a half turned by a die", of_whole(step("turn", "blue", "a1", "1")), "setup.turn"),
    Row("a half turned as its owner liked", of_whole(step("turn_free", "red", "k1", "6")), "setup.turn"),
    Row("a half laid on a side", of_whole(step("side", "blue", "left")), "log.true"),
    Row("a half's edge chosen", of_whole(step("edge", "red", "k1", "1")), "log.true"),
    Row("a half chosen", of_whole(step("board", "blue", "random")), "log.true"),
    Row("a whole of somebody's", of_whole(log("whole", (), who="blue")), "log.true"),
    Row("a whole told of two boards", step("whole", None), "log.true"),
    Row("no word of who moves first on a whole", of_whole(log("mover_dice")), "setup.mover"),
    Row(
        "halves laid by dice", with_boards(("half", "blue", 1), ("half", "red", 3)), "setup.side setup.turn log.true"
    ),
    Row("a half beside another board", with_boards(("B", "blue", 1), ("half", "red", 1)), "field.whole"),
    Row("another board along the seam", with_boards(("half", "blue", 1), ("B", "red", 1)), "field.whole field.roads"),
    Row("two halves laid alike", with_boards(("half", "blue", 1), ("half", "red", 1)), "field.whole field.roads"),
    Row(
        "a half among four boards",
        on_four_boards("A", "B", "B", "half"),
        "army.brigades army.units field.whole",
    ),
]

TABLE = [*HALVES, *FIELD, *DICE, *ARMIES, *PLACING, *ORDER, *PLAY, *LOG]
UNPROVED = {row.id for row in TABLE if row.id.startswith("no word of")} - {"no word of the side"}


def test_the_battle_itself_is_legal() -> None:
    assert report(battle()).findings == ()


@cache
def broken(row: Row) -> tuple[Scenario, Report]:
    """Return the changed battle of a row with its report."""
    after = row.edit(battle())
    return after, report(after)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.id)
def test_a_change_fires_just_these_rules(row: Row) -> None:
    found = broken(row)[1].findings
    assert {finding.rule.id for finding in found} == set(row.fires.split())
    for finding in found:
        assert finding.level == ("unproved" if row.id in UNPROVED else finding.rule.tier)


def test_every_rule_can_be_broken_alone() -> None:
    """Two boards of the same type break a second rule, because their roads do not meet either."""
    never = {rule.id for rule in rules()} - {row.fires for row in TABLE} - {"field.types"}
    assert not never, f"add a row to TABLE that breaks only this rule: {sorted(never)}"


def test_every_reason_is_given_by_some_change() -> None:
    known = {(rule.id, reason) for rule in rules() for reason in rule.text.why}
    given = {(rule.id, fault.reason) for row in TABLE for rule in rules() for fault in rule.test(broken(row)[0])}
    assert not given - known
    assert not known - given, f"no row of TABLE gives these reasons of rules.toml: {sorted(known - given)}"


def test_a_unit_that_breaks_the_chain_is_the_only_one_reported() -> None:
    found = report(with_broken_link(battle())).findings
    assert {finding.where for finding in found} == {"B3d"}
    (link,) = [finding for finding in found if finding.rule.id == "place.link"]
    assert link.why.en == "because B3d is on n2, these units are not connected with brigadier B3 on p1: B3e (r2)"
    assert link.lawful[0] == "q2"


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (unit("B2b", cell="p1"), {"B2b"}),  # adjacent to the brigadier of a different brigade
        (unit("B3e", cell="c1"), {"B3e"}),
        (unit("B2c", cell="b1"), {"B2c"}),
        (both(unit("B3e", cell="t4"), unit("B3d", cell="t1")), {"B3d", "B3e"}),
    ],
)
def test_units_moved_to_an_occupied_square_are_reported(edit: Edit, expected: set[str]) -> None:
    assert {finding.where for finding in report(edit(battle())).findings} == expected


def test_every_finding_speaks_both_languages() -> None:
    for row in TABLE:
        for finding in broken(row)[1].findings:
            for text in (finding.why.en, finding.why.ja):
                assert text.strip()
                assert "{" not in text
            assert finding.why.en != finding.why.ja
            assert finding.where
