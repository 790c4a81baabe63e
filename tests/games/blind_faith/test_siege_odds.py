"""Tests on a seeded sample of the proof of battles and sieges with several units, and of a besieger's choices."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec import structs

from generator.common.fairness import certificate
from generator.games.blind_faith.advice import answer, check_notes, odds_report
from generator.games.blind_faith.choices import best_mix
from generator.games.blind_faith.fairness import FAIRNESS, ungraded
from generator.games.blind_faith.odds import computed, fight_of
from generator.games.blind_faith.rounds import odds_settings, policies
from generator.games.blind_faith.sampling import Dice, sampled_siege
from generator.games.blind_faith.siege import Boxes, useless
from tests.games.blind_faith.scenes import scene
from tests.games.blind_faith.test_kit import kit_of
from tests.games.blind_faith.test_mutations import castle
from tests.prove.parts import sieges as proof
from tests.prove.parts.odds import differs


def test_small_fights_have_the_odds_of_every_die() -> None:
    assert not [fault for fault in map(differs, proof.small_sieges_and_battles(12, 5)) if fault]


def test_drawn_fights_have_the_odds_of_a_sample() -> None:
    assert not [fault for fault in map(proof.sampled_differs, range(2)) if fault]


def test_the_best_mix_is_the_best_of_all() -> None:
    assert not [fault for fault in map(proof.mix_differs, range(4)) if fault]


def test_the_boxes_of_the_file_hold_for_the_first_round() -> None:
    fight = fight_of(scene("siege"))
    assert fight
    assert fight.boxes == Boxes(("tabor",) * 2, ("hussite_foot",) * 3, ("hussite_horse",))
    half = policies()["half"], policies()["half"]
    placed, free = (computed(of, half, odds_settings().page) for of in (fight, structs.replace(fight, boxes=None)))
    assert placed.after[0] != free.after[0]


def test_a_siege_without_boxes_compares_bombardment_storm_and_the_best_mix() -> None:
    siege = scene("siege").siege
    assert siege
    open_ = structs.replace(scene("siege"), siege=structs.replace(siege, bombard=(), storm=(), reserve=()))
    found = answer(open_)
    names = [plays.name.en for plays in found.table]
    assert {"Bombard only", "All storm", "Best mix"} < set(names)
    best = max(found.table, key=lambda plays: found.table[plays].attacker)
    assert found.plays == best
    assert best.name.en in found.headline.en


def test_a_bombardment_without_effect_is_advised_against() -> None:
    of = castle(scene("siege"))
    fight = fight_of(of)
    assert fight
    assert fight.boxes
    assert useless(fight.pack, fight.boxes.bombard, fight.wall) == ("tabor",) * 2
    found = answer(of)
    rules = {one.rule: one.text.en for one in found.advice if one.role == "attack"}
    assert rules["useless"].startswith("Do not bombard with Tabor ×2")
    assert "of 100" in rules["best"]
    best = found.best
    assert found.table[best].attacker == max(odds.attacker for odds in found.table.values())
    assert best.name.en in found.headline.en
    assert [note.en for note in check_notes(of)] == [rules["best"]]
    assert check_notes(scene("siege")) == ()


def test_chances_make_one_with_the_destruction_of_both() -> None:
    for kind in ("battle", "siege"):
        for row in odds_report(scene(kind), "", False).rows["table"]:  # type: ignore[attr-defined]
            low, high = (sum(row[key][i] for key in ("attacker", "defender", "both", "open")) for i in (0, 1))
            assert low <= 1.000_01
            assert high >= 0.999_99
            if row["exact"]:
                assert low == pytest.approx(1, abs=1e-5)


def test_dice_are_the_same_on_every_machine_and_even() -> None:
    rolls = Dice(3).roll(60_000)
    assert rolls[:12].tolist() == Dice(3).roll(12).tolist()
    counts = [int((rolls == face).sum()) for face in range(6)]
    assert all(abs(count - 10_000) < 500 for count in counts)


def test_more_sieges_make_shares_more_certain() -> None:
    fight = fight_of(scene("siege"))
    assert fight
    lines = fight.attack.front, fight.defence.front

    def width(games: int) -> Fraction:
        odds = sampled_siege(
            fight.pack, *lines, fight.wall, policies()["half"], fight.rulings, rounds=20, games=games
        )
        low, high = odds.bounds(odds.attacker)
        return high - low

    assert width(10_000) < width(500)


def test_no_odds_are_computed_for_a_map(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.games.blind_faith.odds.odds_within", None)
    for kind in ("battle", "siege"):
        assert [sheet.part for sheet in kit_of(scene(kind)).only(["map"]).sheets] == ["map"]


def test_only_scenarios_without_a_grade_are_passed_over() -> None:
    for kind in ("battle", "siege"):
        if ungraded(scene(kind)):
            assert certificate(FAIRNESS, scene(kind)).grade == ""


def test_one_unit_has_no_mix() -> None:
    fight = fight_of(scene("siege"))
    assert fight
    alone = structs.replace(fight.attack, front=("hussite_foot",))
    assert (
        best_mix(structs.replace(fight, attack=alone, boxes=None), policies()["half"], odds_settings().search) is None
    )
