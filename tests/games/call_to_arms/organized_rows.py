"""Changes to Organized games, war councils, Specialists and the log, with the rules that they break."""

from __future__ import annotations

from msgspec.structs import replace

from generator.common.scenario_file import Step
from generator.games.battlelore.forces import Kind
from generator.games.battlelore.model import MEDIEVAL
from generator.games.call_to_arms.model import Scenario
from tests.games.call_to_arms.organized import (
    TOKEN,
    banners,
    corner,
    council,
    exchange,
    fill,
    free_hex,
    of,
    play,
    reserve,
)
from tests.games.call_to_arms.scenes import Edit, Row, army, both, ground, pool, unit

GREEN, BLUE = Kind("green", "short_sword", "human"), Kind("blue", "short_sword", "human")
HORSE = Kind("green", "long_sword", "human")
LONG_BOW = Kind("green", "long_bow", "human")
STAKED = ground({}, features={"F4": "stakes", "D5": "stakes", "F5": "stakes"})
WARRIOR = council(commander=1, warrior=2, wizard=3)
"""A war council with which Wizards copy units of any banner."""
KNIGHT = council(commander=1, warrior=3, wizard=2)
ROGUE = council(commander=3, rogue=3)


def sets(*names: str) -> Edit:
    return lambda scenario: army(scenario, "pennant", sets=names)


def picks(*names: str, standard: tuple[str, ...] = ()) -> Edit:
    def edit(scenario: Scenario) -> Scenario:
        return army(army(scenario, "pennant", specialists=names), "standard", specialists=standard)

    return edit


def medieval(scenario: Scenario) -> Scenario:
    return replace(army(army(scenario, "pennant", council={}), "standard", council={}), age=MEDIEVAL)


def vantage_for_brought(scenario: Scenario) -> Scenario:
    """Apply the ruling that Vantage Point is for reserves on the board."""
    return replace(scenario, rulings={**scenario.rulings, "vantage": "brought"})


def ruled(scenario: Scenario) -> Scenario:
    return replace(scenario, rulings={**scenario.rulings, "levy_horse": "lower"})


def last_exchange(scenario: Scenario) -> Scenario:
    """Reverse the order of the exchanges, of which each player has one."""
    assert {exchange.camp for exchange in scenario.exchanges} == {"pennant", "standard"}
    return replace(scenario, exchanges=tuple(reversed(scenario.exchanges)))


def ownerless(scenario: Scenario) -> Scenario:
    return replace(scenario, owner=None)


def picked_by_others(scenario: Scenario) -> Scenario:
    """Record different picks, so that each Specialist is played by a player who did not pick it."""
    return picks("prayer", "archers_stakes", standard=THEIRS_PICKED)(scenario)


def add_step(what: str, *result: str) -> Edit:
    return lambda scenario: replace(scenario, log=(*scenario.log, Step(what, None, "", result)))


def row(name: str, edit: Edit, fires: str, scene: str = "organized") -> Row:
    return Row(name, scene, edit, fires)


THEIRS_PICKED = ("vantage_point", "forced_enrollment")
UPGRADE, THEIRS = play("bow_upgrade"), play("vantage_point", camp="standard")
LOST = both(unit("P reserve 1", hex=None, placed="lost"), fill(), pool(levies={}))
"""There are neither figures nor tokens for the first reserve."""

ORGANIZED = [
    row("organized: as drawn", lambda s: s, ""),
    # Rules for sets
    row("two sets in a simple game", sets("A", "B"), "cards.sets", "brook"),
    row("one set", sets("A"), "cards.sets"),
    row("one set twice", sets("A", "A"), "cards.sets"),
    row("a set nobody knows", sets("A", "Q"), "cards.sets"),
    row("the other player's set", sets("A", "A/standard"), "cards.sets"),
    row("a set that he took first", sets("A", "B"), "cards.sets"),
    row("cards of neither set", sets("B/standard", "C"), "cards.set"),
    # Exchanges of levies
    row("a levy token", TOKEN, ""),
    row("a levy for cavalry", both(TOKEN, exchange("P A5 c4", HORSE)), ""),
    row("a levy in a simple game", both(TOKEN, exchange("P A5 c4", HORSE)), "levy.exchange", "tie"),
    row("a levy for cavalry, strictly lower", both(TOKEN, exchange("P A5 c4", HORSE), ruled), "levy.exchange"),
    row("a levy for its betters", both(TOKEN, exchange("P A5 c4", BLUE)), "levy.exchange"),
    row("a levy for a long bow", both(TOKEN, exchange("P A5 c4", LONG_BOW)), "levy.exchange"),
    row("a levy twice", both(TOKEN, exchange("P A5 c4", HORSE), exchange("P A5 c4", HORSE)), "levy.exchange"),
    row("the second player exchanges last", both(TOKEN, exchange("P A5 c4", HORSE), last_exchange), "levy.order"),
    row("no levy", exchange("P A5 c4", HORSE), "levy.exchange"),
    row("a levy for what is short", both(TOKEN, exchange("P A5 c4", GREEN)), "levy.pool"),
    # Rules for the war council
    row("a council in a medieval game", council(commander=3, rogue=3), "council.age", "brook"),
    row("no council in a Lore game", council(), "council.age"),
    row("five levels", council(commander=2, rogue=3), "council.levels"),
    row("no commander", council(warrior=3, rogue=3), "council.levels"),
    row("a master of level 4", council(commander=2, rogue=4), "council.levels"),
    # Picks of Specialists
    row("a Specialist in a simple game", picks("bow_upgrade"), "special.picks", "brook"),
    row("nobody owns the expansion", both(UPGRADE, ownerless), "special.picks"),
    row("nobody owns it, and they have picked", ownerless, "special.picks"),
    row("no word of Specialists", picks(), "special.picks"),
    row("one Specialist", picks("prayer", standard=("bow_upgrade", "vantage_point")), "special.picks"),
    row("three Specialists", picks("bow_upgrade", "prayer", "infiltration", standard=THEIRS_PICKED), "special.picks"),
    row("one Specialist for both", picks("vantage_point", "prayer", standard=THEIRS_PICKED), "special.picks"),
    row("Lore only", both(picks("prayer", "bow_upgrade", standard=THEIRS_PICKED), medieval), "special.lore_only"),
    row("a medieval Specialist", both(UPGRADE, medieval), ""),
    row("not picked", both(UPGRADE, picked_by_others), "special.order"),
    row("played twice", both(UPGRADE, UPGRADE), "special.order"),
    row("the opponent first", both(THEIRS, UPGRADE), "special.order"),
    row("by turns", both(UPGRADE, THEIRS), ""),
    row("twice in a row", both(UPGRADE, play("prayer"), THEIRS), "special.order"),
    row("no Cleric", both(ROGUE, play("prayer")), "special.level"),
    row("no Wizard", both(ROGUE, play("illusionary_troops", of("P A3 c3", "F9"))), "special.level"),
    row("a Cleric of level 1", play("prayer"), ""),
    # Limits of Specialists
    row("four stakes", play("archers_stakes", "E5", "F5", "G5", "H5"), "special.limit"),
    row("stakes twice", play("archers_stakes", "E5", "E5"), "special.limit"),
    row("a choice for bows", play("bow_upgrade", of("P A3 a2")), "special.limit"),
    row("a choice for Clerics", play("prayer", "B2"), "special.limit"),
    row("two enrolled", play("forced_enrollment", reserve(3, free_hex), reserve(4, "B9")), "special.limit"),
    row("moved twice", play("infiltration", of("P A5 a4", "E5"), of("P A5 a4", "F5")), "special.limit"),
    row("a Warrior of level 1", play("kings_allies", of("P A5 a4")), "special.limit"),
    row("one unit helped twice", both(KNIGHT, play("kings_allies", *[of("P A5 a4")] * 2)), ""),
    row("two copies", play("illusionary_troops", of("P A5 a4", "E5"), of("P A5 c4", "G5")), "special.limit"),
    row("three dwarves", play("dwarven_mercenaries", of("P A5 a4"), of("P A5 c4"), of("P A3 c3")), "special.limit"),
    row("one dwarf twice", play("dwarven_mercenaries", of("P A5 a4"), of("P A5 a4")), "special.limit"),
    row(
        "three on vantage points",
        play("vantage_point", *(reserve(n, f"{'EFG'[n - 1]}5") for n in (1, 2, 3))),
        "special.limit",
    ),
    # Rules for Archers' Stakes
    row("stakes nowhere", play("archers_stakes", "Z9"), "special.choice"),
    row("stakes in the water", play("archers_stakes", "A3"), "special.choice"),
    row(
        "stakes on stakes",
        both(ground({}, features={"F5": "stakes"}), play("archers_stakes", "F5")),
        "special.choice",
    ),
    row("stakes in row 6", play("archers_stakes", "F6"), "special.choice"),
    row("stakes in row 5", play("archers_stakes", "F5"), ""),
    row("no stakes left", both(STAKED, play("archers_stakes", "G5")), "special.choice"),
    # Rules for Forced Enrollment
    row("enrolled", play("forced_enrollment", reserve(3, free_hex)), ""),
    row("enrolled by the first player", play("forced_enrollment", "a3>A9", camp="standard"), "special.choice"),
    row("no unit of the card", play("forced_enrollment", "d1>A1"), "special.choice"),
    row("enrolled again", play("forced_enrollment", reserve(1, free_hex)), "special.choice"),
    row("enrolled to the front", play("forced_enrollment", reserve(3, "F5")), "special.choice"),
    row("enrolled nowhere", play("forced_enrollment", reserve(3, "Z9")), "special.choice"),
    row("enrolled into the water", play("forced_enrollment", reserve(3, corner)), "special.choice"),
    row("enrolled onto another", play("forced_enrollment", reserve(3, "E1")), "special.choice"),
    # Rules for Infiltration
    row("nobody moves", play("infiltration", "P99>F5"), "special.choice"),
    row("an enemy moves", play("infiltration", of("S B2/pennant b3", "F5")), "special.choice"),
    row("a lost unit moves", both(LOST, play("infiltration", of("P reserve 1", "F5"))), "special.choice"),
    row("too far", play("infiltration", of("P A5 a4", "E7")), "special.choice"),
    row("onto another", play("infiltration", of("P A5 b3", "E4")), "special.choice"),
    row("to nowhere", play("infiltration", of("P A5 a4", "Z9")), "special.choice"),
    row("into the water", play("infiltration", of("P A3 a2", "A3")), "special.choice"),
    row("in the other's steps", play("infiltration", of("P A5 a4", "E5"), of("P A5 b3", "E4")), ""),
    # Rules for King's Allies
    row("nobody is helped", both(WARRIOR, play("kings_allies", "P99")), "special.choice"),
    row("a levy is helped", both(WARRIOR, TOKEN, play("kings_allies", of("P A5 c4"))), "special.choice"),
    row("cavalry at level 2", both(WARRIOR, play("kings_allies", of("P A5 a1"))), "special.choice"),
    row("cavalry at level 3", both(KNIGHT, play("kings_allies", of("P A5 a1"))), ""),
    row("no figure left", both(WARRIOR, fill(), play("kings_allies", of("P A5 a4"))), "special.pool"),
    # Rules for Illusionary Troops
    row("nobody is copied", play("illusionary_troops", "P99>F5"), "special.choice"),
    row("a red banner at level 1", play("illusionary_troops", of("P A3 c3", "C4")), "special.choice"),
    row("a red banner at level 3", both(WARRIOR, play("illusionary_troops", of("P A3 c3", "C4"))), ""),
    row("a copy two hexes off", play("illusionary_troops", of("P A5 a4", "G5")), "special.choice"),
    row("a copy nowhere", play("illusionary_troops", of("P A5 a4", "Z9")), "special.choice"),
    row("a copy in the water", play("illusionary_troops", of("P A3 a2", "A3")), "special.choice"),
    row("a copy on another", play("illusionary_troops", of("P A5 a4", "F3")), "special.choice"),
    row("no figures for a copy", both(fill(), play("illusionary_troops", of("P A5 a4", "E5"))), "special.pool"),
    row(
        "no banner for a copy",
        both(banners("green", "short_sword", 2), play("illusionary_troops", of("P A5 a4", "E5"))),
        "special.pool",
    ),
    # Rules for mercenaries
    row("nobody is hired", play("dwarven_mercenaries", "P99"), "special.choice"),
    row("cavalry is hired", play("dwarven_mercenaries", of("P A5 a1")), "special.choice"),
    row("no dwarves left", both(fill(), play("dwarven_mercenaries", of("P A5 a4"))), "special.pool"),
    row("dwarf bows", play("dwarven_mercenaries", of("P A3 a2")), "special.pool"),
    row("no dwarves for a levy", both(fill(), TOKEN, play("dwarven_mercenaries", of("P A5 c4"))), "special.pool"),
    row("no goblins", play("goblinoid_mercenaries", "P99>F5"), "special.choice"),
    row("goblin cavalry", play("goblinoid_mercenaries", of("P A5 a1", "F1")), "special.choice"),
    row("goblins nowhere", play("goblinoid_mercenaries", of("P A5 a4")), "special.choice"),
    row("goblins in the water", play("goblinoid_mercenaries", of("P A3 a2", "A3")), "special.choice"),
    row("goblins on another", play("goblinoid_mercenaries", of("P A5 a4", "F3")), "special.choice"),
    row("goblins two hexes off", play("goblinoid_mercenaries", of("P A5 a4", "G5")), "special.choice"),
    row("no goblins left", play("goblinoid_mercenaries", of("P A5 a4", "E5")), "special.pool"),
    # Rules for Vantage Point
    row("a reserve ahead", play("vantage_point", reserve(1, "E5")), ""),
    row("a reserve that did not come", play("vantage_point", reserve(3, "E5")), ""),
    row(
        "a reserve that did not come, brought",
        both(vantage_for_brought, play("vantage_point", reserve(3, "E5"))),
        "special.choice",
    ),
    row("a reserve that came, brought", both(vantage_for_brought, play("vantage_point", reserve(1, "E5"))), ""),
    row("no reserve", play("vantage_point", "d1>E5"), "special.choice"),
    row("a reserve nowhere", play("vantage_point", reserve(1, "Z9")), "special.choice"),
    row("a reserve in the water, placed again", play("vantage_point", reserve(1, "A3")), "special.choice"),
    row("a reserve placed on another", play("vantage_point", reserve(1, "E4")), "special.choice"),
    row("a reserve far ahead", play("vantage_point", reserve(1, "I5")), "special.choice"),
    row("a reserve beside a reserve", play("vantage_point", reserve(1, "H5"), reserve(2, "I5")), ""),
    row("a lost reserve without figures", both(LOST, play("vantage_point", reserve(1, "E5"))), "special.pool"),
    row(
        "a third reserve without figures",
        both(fill(), play("forced_enrollment", reserve(3, free_hex))),
        "special.pool",
    ),
    # Rules for the log
    row("a step of its own", add_step("prayer"), "log.true"),
    row("a false step", add_step("map", "nowhere"), "log.true"),
    row("a true step", add_step("map", "field.toml"), ""),
]
