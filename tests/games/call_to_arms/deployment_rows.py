"""Changes to terrain, cards, deployment, reserves, levies and the first player, with the rules that they break."""

from __future__ import annotations

from msgspec.structs import replace

from generator.games.battlelore.forces import ByCamp, Kind
from generator.games.battlelore.ground import Inventory, Objective
from generator.games.call_to_arms.model import Scenario
from generator.model.words import same
from tests.games.call_to_arms.scenes import (
    Edit,
    Row,
    army,
    both,
    find,
    ground,
    log,
    more,
    pool,
    roll,
    unit,
    without,
)


def rename_cards(**slips: str) -> Edit:
    """Return an edit that renames the Pennant player's set and cards but keeps the units."""
    return lambda scenario: army(scenario, "pennant", typos=slips)


def reserve_from_the_left(scenario: Scenario) -> Scenario:
    """Use the left card also as the reserve. Its units move to the baseline, and the units of card A7 are removed."""
    force = scenario.forces["pennant"]
    fixed = {u.hex for u in force.units if u.card not in ("A4", "A7")}
    line = iter(cell for cell in scenario.board.plan.baseline("pennant") if cell not in fixed)
    units = tuple(
        replace(u, hex=next(line), placed="reserve") if u.card == "A4" else u for u in force.units if u.card != "A7"
    )
    return army(scenario, "pennant", reserve="A4", cards={**force.cards, "right": "A4"}, units=units)


def standard_first(scenario: Scenario) -> Scenario:
    """Return the scenario as if the Standard player moved first."""
    pennant, standard = scenario.forces["pennant"], scenario.forces["standard"]
    brought = {u.cell for u in standard.reserves}
    free = iter(c for c in scenario.board.plan.baseline("standard") if c not in {u.hex for u in standard.units})
    rest = [of for of in scenario.card("standard", standard.reserve).units if (of.column, of.row) not in brought]
    extra = [
        replace(standard.reserves[0], id=f"S9{i}", kind=of.kind, cell=(of.column, of.row), hex=next(free))
        for i, of in enumerate(rest)
    ]
    fewer = army(scenario, "pennant", units=tuple(u for u in pennant.units if u not in pennant.reserves[2:]))
    return replace(army(fewer, "standard", units=(*standard.units, *extra)), first="standard")


def unlogged(scenario: Scenario) -> Scenario:
    return replace(scenario, log=())


def no_tiles(scenario: Scenario) -> Scenario:
    return replace(scenario, inventory=Inventory(same("empty box"), "own", ()))


def prize(banners: int, *, wet: bool = False, units: int = 0) -> Edit:
    """Return an edit that makes victory hexes of a hex in the brook, a free hex, or the first units' hexes."""

    def edit(scenario: Scenario) -> Scenario:
        board, taken = scenario.board, [unit.hex for _, unit in scenario.units if unit.hex]
        open_ = [cell for cell in board.field.cells if board.passable(cell) is not wet and cell not in taken]
        cells = taken[:units] if units else open_[:1]
        return replace(scenario, board=replace(board, objectives=dict.fromkeys(cells, Objective(banners))))

    return edit


def goal(banners: int) -> Edit:
    return lambda scenario: replace(scenario, banners=banners)


DEPLOYMENT_SCENES = ("brook", "tie", "nearest", "flood", "levies", "crowd", "shuffled")
FEW = {"human": {"short_sword": 4, "common_bow": 24, "long_sword": 21}, "dwarf": {"short_sword": 16}}
RED = Kind("red", "short_sword", "human")
RED_HORSE = Kind("red", "long_sword", "human")
BLUE = Kind("blue", "short_sword", "human")
WEST = {"A5": "river", "B5": "river"}
TO_A_CLIFF = ground({"E6": "cliff", "F6": "cliff"}, walls={"E6": ("SW", "SE"), "F6": ("SW", "SE")})
"""Terrain in which no unit on F5 can leave northward."""


def river_across(*crossings: str) -> Edit:
    """Return an edit that puts a river with fords along the fifth row.

    The edit also removes brooks and moves units back to their hexes.
    """

    def edit(scenario: Scenario) -> Scenario:
        board = scenario.board
        course = {board.field.name(cell): "river" for cell in board.field.row(4)} | dict.fromkeys(crossings, "ford")
        scenario = ground(dict.fromkeys(map(board.field.name, board.water()), "countryside") | course)(scenario)
        for place in ("P A5 a4", "S A2 a4"):
            camp, _ = find(scenario, place)
            home = board.field.name(board.plan.card_hex(camp, "left", 0, 3))
            scenario = unit(place, hex=home, placed="card")(scenario)
        return scenario

    return edit


def ruled(scenario: Scenario, **changes: str) -> Scenario:
    return replace(scenario, rulings={**scenario.rulings, **changes})


def reserve_twice(scenario: Scenario) -> Scenario:
    """Give two reserves of the first player the same cell of the card."""
    first = scenario.forces["pennant"].reserves[0]
    return unit("P reserve 2", cell=first.cell, kind=first.kind)(scenario)


def last_displaced_first(scenario: Scenario) -> Scenario:
    """Give the free hex to the last of three displaced units in card order, and list this unit before the others."""
    scenario = both(unit("P A7 a3", hex=None, placed="lost"), unit("P A7 c3", hex="C1", placed="displaced"))(scenario)
    return army(scenario, "pennant", units=tuple(reversed(scenario.forces["pennant"].units)))


def six_cards(scenario: Scenario) -> Scenario:
    """Log a shuffle of only six cards of the set, with the same four cards on top."""
    [shuffle] = scenario.steps("shuffle", "pennant")
    return log("shuffle", shuffle.result[:6], camp="pennant")(scenario)


def enough_banners(scenario: Scenario) -> Scenario:
    """Add enough banners to the pool for every green bow."""
    banners = scenario.pool.pennant.banners
    return pool(banners={**banners, "green": {**banners["green"], "common_bow": 3}})(scenario)


DEPLOYMENT = [
    # Terrain rules
    Row("a pond", "brook", ground({"F5": "river"}), "terrain.river"),
    Row("a river that ends inland", "brook", ground(WEST), "terrain.river"),
    Row("a ford on dry land", "brook", ground({"F5": "ford"}), "terrain.river terrain.crossing"),
    Row("a ford", "brook", river_across("F5"), ""),
    Row("a ford to a cliff", "brook", both(river_across("F5"), TO_A_CLIFF), "terrain.crossing map.reach"),
    Row("one of two fords to a cliff", "brook", both(river_across("F5", "J5"), TO_A_CLIFF), "terrain.crossing"),
    Row("no ford", "brook", river_across(), "map.reach"),
    Row("a cliff without sides", "brook", ground({"F5": "cliff"}), "terrain.cliff"),
    Row("cliff sides on plain", "brook", ground({}, walls={"F5": ("E",)}), "terrain.cliff"),
    Row("stakes in a wood", "brook", ground({"F5": "forest"}, features={"F5": "stakes"}), "terrain.feature"),
    Row("a rampart in the brook", "brook", ground({}, features={"A3": "rampart"}), "terrain.rampart"),
    Row("no tile for the brook", "brook", no_tiles, "terrain.tiles"),
    # Card rules
    Row("another set", "brook", lambda s: army(s, "pennant", sets=("B",)), "cards.set"),
    Row("one card for two places", "brook", reserve_from_the_left, "cards.twice"),
    Row("a card that was not drawn", "brook", log("hand", ("A5", "A1", "A4", "A6"), camp="pennant"), "cards.drawn"),
    Row(
        "a hand of five",
        "brook",
        log("hand", ("A5", "A1", "A4", "A6", "A7"), camp="pennant"),
        "cards.drawn",
    ),
    Row("no word of the hand", "brook", log("hand", camp="pennant"), "cards.drawn"),
    Row("the hand from the bottom of the set", "shuffled", log("shuffle", ("B1",), camp="pennant"), "cards.drawn"),
    Row("the hand from a set of six", "shuffled", six_cards, "cards.drawn"),
    # Cards and sets in the file that differ from those of the units on the board
    Row("a card of another set", "brook", rename_cards(reserve="B1"), "cards.set cards.drawn reserve.units"),
    Row("two cards swapped", "levies", rename_cards(left="A1", centre="A5"), "deploy.units"),
    Row(
        "a card and the reserve swapped", "brook", rename_cards(left="A7", reserve="A5"), "deploy.units reserve.units"
    ),
    Row("the name of a card in play", "brook", rename_cards(left="A4"), "cards.twice deploy.units"),
    Row("the name of the reserve", "brook", rename_cards(centre="A7"), "cards.twice deploy.units"),
    Row("a reserve by the name of a card in play", "brook", rename_cards(reserve="A1"), "cards.twice reserve.units"),
    Row("the name of another set", "brook", rename_cards(set="B"), "cards.set"),
    # Deployment of the three cards
    Row("a unit too few", "brook", without("P A1 a3"), "deploy.units"),
    Row("a unit of no card", "brook", more("P A5 b3", card="", hex="F5"), "deploy.units"),
    Row("a reserve of another card", "brook", unit("S A6 c3", kind=BLUE, card=""), "deploy.units reserve.few"),
    Row("a unit twice", "brook", more("P A5 b3", hex="F5"), "deploy.units deploy.hex"),
    Row("a unit of another kind", "brook", unit("P A1 b3", kind=BLUE), "deploy.units"),
    Row("one hex off", "brook", unit("P A1 a3", hex="E4"), "deploy.hex"),
    Row("one hex off, said to be a reserve", "brook", unit("P A1 a3", hex="E4", placed="reserve"), "deploy.hex"),
    Row("displaced without need", "brook", unit("P A1 a3", hex="H1", placed="displaced"), "deploy.displaced"),
    Row("displaced, but not to the baseline", "brook", unit("P A5 a4", hex="B4"), "deploy.refuge"),
    Row("displaced to another section", "brook", unit("P A5 a4", hex="I1"), "deploy.refuge"),
    Row("displaced, and not said to be", "brook", unit("P A5 a4", placed="card"), "deploy.hex"),
    Row("nearest: to the baseline", "nearest", unit("P A5 a4", hex="B1"), "deploy.refuge"),
    Row("nearest: another as near", "nearest", unit("P A5 a4", hex="B4"), ""),
    Row("nearest: two hexes off", "nearest", unit("P A5 a4", hex="A6"), "deploy.refuge"),
    Row("nearest: nowhere", "nearest", unit("S A2 a4", hex=None, placed="lost"), "deploy.lost"),
    Row("nearest: where another stands", "nearest", unit("P A5 a4", hex="B3"), "deploy.stack"),
    Row("baseline: read as nearest", "brook", lambda s: ruled(s, displaced="nearest"), "deploy.refuge"),
    Row("nearest: read as baseline", "nearest", lambda s: ruled(s, displaced="baseline"), "deploy.refuge"),
    Row("not deployed without need", "brook", unit("P A1 a3", hex=None, placed="lost"), "deploy.lost"),
    Row("a reserve that is not placed", "brook", unit("P reserve 1", hex=None, placed="lost"), "reserve.rest"),
    Row("displaced nowhere", "brook", unit("S A2 a4", hex=None, placed="lost"), "deploy.lost"),
    Row("in the water", "brook", unit("P A5 a4", hex="A4", placed="card"), "deploy.impassable"),
    Row("displaced into the water", "brook", unit("P A5 a4", hex="A3"), "deploy.impassable"),
    Row("a reserve in the water", "brook", unit("P reserve 1", hex="A3"), "deploy.impassable reserve.place"),
    Row("displaced onto another unit", "brook", unit("P A5 a4", hex="A1"), "deploy.stack"),
    Row("a reserve on another unit", "brook", unit("P reserve 1", hex="A1"), "deploy.stack"),
    Row("a reserve on an enemy", "brook", unit("P reserve 1", hex="B9"), "deploy.stack reserve.place"),
    Row("displaced to a shared hex", "brook", unit("P A5 a4", hex="D2"), "deploy.shared"),
    Row("nearest: to a shared hex", "nearest", unit("P A5 a4", hex="D4"), "deploy.shared"),
    Row("a reserve on a shared hex", "brook", unit("P reserve 1", hex="D2"), "deploy.shared reserve.place"),
    # Flooded baseline, where displaced units and reserves have no free hex
    Row(
        "flood: displaced all the same",
        "flood",
        unit("P A5 a1", hex="B2", placed="displaced"),
        "deploy.refuge first.dice",
    ),
    Row("flood: reserves elsewhere", "flood", unit("P reserve 2", hex="B2", placed="reserve"), "reserve.place"),
    Row("flood: onto the water", "flood", unit("P reserve 2", hex="B1", placed="reserve"), "deploy.impassable"),
    Row("flood: a unit lost that has a hex", "flood", unit("P A1 a3", hex=None, placed="lost"), "deploy.lost"),
    Row("flood: ebb", "flood", ground({"A1": "countryside"}), "deploy.lost"),
    Row("flood: reserves not named", "flood", without("P reserve 1"), ""),
    Row("a displaced unit too few", "brook", without("P A5 a4"), "deploy.units"),
    # Crowded baseline, with one free hex for three units
    Row("crowd: the last gets the hex", "crowd", last_displaced_first, ""),
    Row("crowd: on one hex", "crowd", unit("P A7 c3", hex="C1", placed="displaced"), "deploy.stack"),
    Row("crowd: ahead of the water", "crowd", unit("P A7 c3", hex="F5", placed="displaced"), "deploy.refuge"),
    # Reserve rules
    Row("a reserve of another kind", "brook", unit("P reserve 2", kind=RED), "reserve.units"),
    Row("a reserve twice", "brook", reserve_twice, "reserve.units"),
    Row("the first player keeps one back", "brook", without("P reserve 1"), "reserve.rest"),
    Row("second's reserve too few", "brook", without("S reserve 1"), "reserve.few"),
    Row("second's reserve not placed", "brook", unit("S reserve 1", hex=None, placed="lost"), "reserve.few"),
    Row(
        "second's reserve too many",
        "brook",
        more("S reserve 1", cell=(2, 1), kind=RED_HORSE, hex="C9"),
        "reserve.count",
    ),
    Row("a reserve off the baseline", "brook", unit("P reserve 1", hex="F5"), "reserve.place"),
    Row("a reserve on the enemy's baseline", "brook", unit("P reserve 1", hex="C9"), "reserve.place"),
    # Figures, banners and levies
    Row("too few figures", "brook", pool(figures=FEW, levies={}), "pool.figures"),
    Row("too few banners", "brook", pool(banners={}, levies={}), "pool.figures"),
    Row("a token without need", "brook", unit("P A1 a3", levy=True), "pool.levy"),
    Row("levies: a token too many", "levies", pool(levies={}), "pool.levy"),
    Row("levies: a token left for a reserve", "levies", pool(levies={"green": 2}), "reserve.rest"),
    Row("levies: a token of another colour", "levies", pool(levies={"green": 1, "red": 2}), ""),
    Row("levies: both by token", "levies", unit("P A7 b3", hex="B1", placed="reserve", levy=True), "pool.levy"),
    Row("levies: no token laid", "levies", unit("P A1 b2", levy=False), "pool.figures"),
    Row("levies: enough banners", "levies", enough_banners, "pool.levy reserve.rest"),
    # Rules for the first player
    Row("fewer greens move first", "brook", standard_first, "first.green"),
    Row("the first player swapped", "brook", lambda s: replace(s, first="standard"), "first.green reserve.count"),
    Row("the dice say otherwise", "tie", log("dice", roll(1, 3)), "first.green"),
    Row("the dice say so at last", "tie", log("dice", roll(2, 2), roll(3, 1)), ""),
    Row("no word of the dice", "tie", log("dice"), "first.dice"),
    Row("no word of anything", "tie", unlogged, "cards.drawn first.dice"),
    Row("dice without a tie", "brook", log("dice", roll(3, 1)), "first.dice"),
    Row("five dice", "tie", log("dice", roll(3, 1, 5)), "first.dice"),
    Row("dice for one camp", "tie", log("dice", roll(3, 1)[:1]), "first.dice"),
    Row("a die with a face of its own", "tie", log("dice", ("green " * 5 + "pink", roll(0, 1)[1])), "first.dice"),
    Row("dice after the tie broke", "tie", log("dice", roll(3, 1), roll(4, 2)), "first.dice"),
    Row("still tied", "tie", log("dice", roll(2, 2)), "first.dice"),
    Row("a green unit gone", "tie", without("P A5 c4"), "deploy.units"),
    # Rules for the goal of the game
    Row("a victory hex in the brook", "brook", prize(1, wet=True), "map.objective"),
    Row("a victory hex for four banners", "brook", prize(4), "map.objective_worth"),
    Row("a victory hex that decides", "brook", both(prize(3), goal(3)), "map.objective_worth play.banners"),
    Row("a battle that is won", "brook", both(prize(3, units=2), goal(6)), "map.objective_start"),
    Row("five figures", "brook", unit("P A7 a3", extra=1), "unit.figures"),
    Row("no banners", "brook", lambda s: replace(s, banners=0), "play.goal"),
    Row("three banners", "brook", lambda s: replace(s, banners=3), "play.banners"),
    Row("eight banners", "brook", lambda s: replace(s, banners=8), "play.banners"),
    Row("eight banners for one camp", "brook", lambda s: replace(s, banners=ByCamp(6, 8)), "play.banners"),
    Row("three cards for one camp", "brook", lambda s: replace(s, hand=ByCamp(3, 5)), "play.hand"),
    Row("a hand of three", "brook", lambda s: replace(s, hand=3), "play.hand"),
    Row("a hand of seven", "brook", lambda s: replace(s, hand=7), "play.hand"),
    # Legal scenarios without any change
    *(Row(f"{name}: as drawn", name, lambda s: s, "") for name in DEPLOYMENT_SCENES),
]
