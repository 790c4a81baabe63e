"""Tests that rules have a text and a source, and depend on the scenario alone."""

from __future__ import annotations

from generator.common.interpretations import defaults, readings
from generator.games.blind_faith import model, rules
from generator.games.blind_faith.ground import words
from generator.games.blind_faith.pages.display import steps
from generator.games.blind_faith.tables import house_pack, switches
from generator.model.words import Words
from tests.games.blind_faith.scenes import both, changed, fired, path, report, scene, siege, stack


def test_every_rule_states_its_source() -> None:
    sources = [rule.text.source for rule in rules.rules()]
    assert all(source.startswith(("seed: blind_faith, ", "house", "the pack")) for source in sources)
    assert sum(source.startswith("seed") for source in sources) >= 12
    assert len({rule.id for rule in rules.rules()}) == len(sources)


def test_several_faults_are_reported_at_once() -> None:
    of = both(path("A1", "C1"), changed(crusade=False), stack("H2", leader="albert"))(scene("march"))
    assert fired(of) == {"march.path", "legate.crusade", "stack.leader"}


def test_a_fault_says_what_and_how_much() -> None:
    of = stack("C1", hex="E4")(scene("battle"))
    (found,) = report(of).findings
    assert found.why.en == "C1 needs 3 movement points to reach D1, as many as the march, so it comes too late"
    assert found.where == "battle"
    assert found.rule.text.en.startswith("An interception succeeds if")


def test_an_account_tells_only_known_steps() -> None:
    for name in ("march", "battle", "siege"):
        steps = list(model.account(scene(name)))
        assert {what for what, _, _ in steps} <= words()["step"].keys()
        assert steps[:2] == [("map", None, ("hand",)), ("kind", None, (name,))]


def test_a_besieger_may_bombard_alone_or_storm_alone() -> None:
    everybody = "2 tabor, 3 hussite_foot, hussite_horse"
    assert fired(siege(bombard="2 tabor", storm="", reserve="3 hussite_foot, hussite_horse")(scene("siege"))) == set()
    assert fired(siege(bombard="", storm=everybody, reserve="")(scene("siege"))) == set()


TOLD = {
    "stack.hex": "", "stack.enemy": "siege", "stack.leader": "legates", "march.path": "", "march.movement": "march",
    "march.held": "enemy_hexes", "intercept.units": "march", "intercept.first": "Intercept",
    "intercept.reach": "march", "intercept.held": "enemy_hexes", "battle.units": "Who", "battle.front": "few",
    "battle.line": "few", "siege.place": "siege", "siege.wall": "siege", "siege.boxes": "walls",
    "legate.stack": "legates", "legate.pile": "legates", "log.told": "",
}  # fmt: skip
"""Position of the mark for the house part of each rule on the reference: a ruling, or a line with a star.

Terrain costs are marked as house costs, and the log is not a rule of play.
"""


def test_what_is_ours_in_a_rule_stands_on_the_reference() -> None:
    ours = {rule.id for rule in rules.rules() if "house" in rule.text.source and rule.text.tier == "illegal"}
    assert ours == set(TOLD)
    rows = steps("march", house_pack(), defaults(switches()))
    starred = {name.en for row in rows if row["house"] and isinstance(name := row["name"], Words)}
    known = {*switches(), *(of.id for of in readings("blind_faith") if of.source == "house"), *starred}
    assert {where for where in TOLD.values() if where} <= known
