"""Tests for Organized games and Lore games from any code, with options and from files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest

from generator.cli.scenario import examine, load
from generator.errors import WrongUsageError
from generator.games.battlelore.forces import councils
from generator.games.battlelore.ground import SECTIONS, SIDES, Section
from generator.games.call_to_arms.draw import strong_places, worth
from generator.games.call_to_arms.model import Scenario
from generator.model.scenario import Request
from generator.seeds import code_for
from tests.games.call_to_arms.scenes import GAME, fired

STRIDE = 239_452_381
MODES: tuple[Mapping[str, str], ...] = (
    {"mode": "organized"},
    {"mode": "organized", "age": "lore"},
    {"mode": "organized", "board": "memoir", "map": "random"},
    {"mode": "organized", "age": "lore", "board": "memoir", "displaced": "nearest"},
    {"mode": "organized", "age": "lore", "place": "strong", "levy_horse": "lower"},
    {"age": "lore", "place": "strong"},
)


@cache
def drawn(number: int, **options: str) -> Scenario:
    scenario: Scenario = GAME.draw(Request(code_for(number * STRIDE), options, {}))
    return scenario


def organized(number: int, **options: str) -> Scenario:
    return drawn(number, mode="organized", age="lore", **options)


@pytest.mark.parametrize("options", MODES, ids=str)
@pytest.mark.parametrize("part", range(5))
def test_any_code_draws_a_legal_game(options: Mapping[str, str], part: int) -> None:
    for number in range(6 * part, 6 * part + 6):
        assert fired(drawn(number, **options)) == set(), number


def test_no_set_serves_both() -> None:
    for number in range(30):
        used = {c: {s if "/" in s else f"{s}/{c}" for s in organized(number).forces[c].sets} for c in SIDES}
        assert all(len(sets) == 2 for sets in used.values())
        assert not used["pennant"] & used["standard"]


def test_the_order_of_log_steps() -> None:
    """The order is: reserves and levies of the second player, those of the first player, councils, Specialists."""
    for number in range(12):
        scenario = organized(number)
        order = ("first", "reserve", "exchange", "council", "pick", "play")
        steps = [s for s in scenario.log if s.what in order]
        second = next(camp for camp in SIDES if camp != scenario.first)
        moves = [(s.what, s.who) for s in steps if s.what in ("reserve", "exchange")]
        ranks = [(camp == scenario.first, what == "exchange") for what, camp in moves]
        assert ranks == sorted(ranks)
        assert {camp for _, camp in moves} == {second, scenario.first}
        stages = [
            max(1, order.index(s.what) - (s.what in ("reserve", "exchange"))) for s in steps if s.what != "first"
        ]
        assert [s for s in stages if s > 2] == sorted(s for s in stages if s > 2)
        assert [s.what for s in scenario.log].index("green") < [s.what for s in scenario.log].index("reserve")


def test_specialists_are_picked_and_played_by_turns() -> None:
    for number in range(12):
        scenario = organized(number)
        owner = scenario.owner
        assert owner
        picks = [s.who == owner for s in scenario.log if s.what == "pick"]
        assert picks == [True, False, False, True]
        assert [p.camp == owner for p in scenario.plays] == [True, False, True, False]
        assert len({p.card for p in scenario.plays}) == 4


def test_specialists_do_not_change_the_first_player() -> None:
    """Green units are counted before Specialists.

    In some games, hired or enrolled green units would change the count.
    """
    turned = 0
    for number in range(30):
        scenario = organized(number)
        green = [sum(u.kind.banner == "green" for u in scenario.final.forces[c].units_on_board) for c in SIDES]
        turned += green[SIDES.index(scenario.first)] < max(green)
        assert scenario.final.first == scenario.first
    assert turned


def test_the_owner_may_be_wished_for() -> None:
    for camp in SIDES:
        assert {organized(n, owner=camp).owner for n in range(4)} == {camp}
    assert len({organized(n).owner for n in range(12)}) == 2
    assert drawn(1).owner is None


def test_a_requested_set_is_not_drawn_by_the_other_player() -> None:
    """The owner does not draw the set either, if the owner's sets are random."""
    for number in range(20):
        scenario = organized(number, **{"owner": "pennant", "set-standard": "A,B/pennant"})
        assert scenario.forces["standard"].sets == ("A", "B/pennant")
        assert {"B", "A/standard"}.isdisjoint(scenario.forces["pennant"].sets)
        assert fired(scenario) == set()


def test_cards_of_one_set_leave_the_other_to_chance() -> None:
    options = {"cards-pennant": "A3,A5,A4,A6", "set-standard": "B/pennant,C"}
    sets = {organized(number, **options).forces["pennant"].sets for number in range(20)}
    assert len(sets) > 2
    assert all("A" in sets_drawn and "B" not in sets_drawn and "C/standard" not in sets_drawn for sets_drawn in sets)


@pytest.mark.parametrize("card", ["infiltration", "kings_allies", "illusionary_troops", "prayer"])
def test_requesting_a_specialist_adds_its_lore_master(card: str) -> None:
    for number in range(8):
        scenario = organized(number, **{"specialists-standard": card, "owner": "standard"})
        assert card in scenario.forces["standard"].specialists
        assert fired(scenario) == set()


def test_options_for_councils_picks_and_plays() -> None:
    scenario = organized(
        3,
        **{
            "council-pennant": "commander 2、ｒｏｇｕｅ １, wizard 3",
            "specialists-pennant": "Bow Upgrade, archers-stakes",
            "plays-pennant": "archers_stakes: E2 F2",
        },
    )
    assert scenario.forces["pennant"].council == {"commander": 2, "wizard": 3, "rogue": 1}
    assert scenario.forces["pennant"].specialists == ("bow_upgrade", "archers_stakes")
    assert {p.card: p.choices for p in scenario.plays if p.camp == "pennant"} == {
        "bow_upgrade": (),
        "archers_stakes": ("E2", "F2"),
    }
    assert scenario.hand_of("pennant") == 5
    assert len(councils()) > 50


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"set-pennant": "A,B/standard", "set-standard": "B,C"}, "both players choose set B/standard"),
        ({"cards-pennant": "A1,A2,A3,A4", "set-standard": "A/pennant,C"}, "both players choose set A/pennant"),
        ({"set-pennant": "A"}, "give 2 different sets"),
        ({"set-pennant": "A,A"}, "give 2 different sets"),
        ({"specialists-pennant": "prayer", "specialists-standard": "prayer"}, "prayer is listed twice"),
        ({"specialists-pennant": "prayer,prayer"}, "prayer is listed twice"),
        ({"specialists-pennant": "prayer,bow_upgrade,infiltration"}, "the pennant player picks is 2"),
        ({"specialists-pennant": "prayr"}, "there is no Specialist named 'prayr'"),
        ({"specialists-pennant": "prayer", "council-pennant": "commander 3, rogue 3"}, "prayer needs cleric 2"),
        ({"plays-pennant": "prayer", "specialists-pennant": "bow_upgrade,infiltration"}, "has not picked prayer"),
        ({"council-pennant": "commander 3, rogue 2"}, "the levels must add up to 6"),
        ({"council-pennant": "rogue 3, wizard 3"}, "the levels must add up to 6"),
        ({"council-pennant": "captain 3"}, "there is no seat named 'captain'"),
        ({"council-pennant": "commander"}, "write a seat and its level"),
        ({"age": "medieval", "specialists-pennant": "prayer"}, "can be used only in Lore games"),
        ({"age": "medieval", "council-pennant": "commander 3, rogue 3"}, "can be used only in Lore games"),
        ({"mode": "impromptu", "owner": "pennant"}, "can be used only in Organized games"),
        ({"mode": "impromptu", "plays-pennant": "prayer"}, "can be used only in Organized games"),
        ({"mode": "impromptu", "set-pennant": "A,B"}, "give one set"),
    ],
)
def test_invalid_options_are_refused(options: Mapping[str, str], message: str) -> None:
    with pytest.raises(WrongUsageError, match=message):
        drawn(1, **{"mode": "organized", "age": "lore"} | dict(options))


def test_a_conflict_is_settled_for_the_owner() -> None:
    with pytest.raises(WrongUsageError) as caught:
        organized(1, **{"owner": "standard", "set-pennant": "A,B/standard", "set-standard": "B,C"})
    [problem] = caught.value.problems
    assert "the standard player owns the expansion" in problem.hint
    assert "--set-pennant" in problem.hint


def test_strong_places_are_the_best_by_their_own_measure() -> None:
    better = 0
    for number in range(8):
        scenario = organized(number)
        for camp, force in scenario.forces.items():
            value = worth(scenario.deck, scenario.board, camp, force.keys, scenario.rulings)

            def score(four: tuple[str, ...], value: Mapping[tuple[str, Section], int] = value) -> int:
                return sum(value[key, section] for key, section in zip(four[:3], SECTIONS, strict=True))

            best = strong_places(scenario.deck, scenario.board, camp, force.keys, scenario.rulings)
            assert sorted(best) == sorted(force.keys)
            assert score(best) == max(map(score, permutations(force.keys)))
            better += score(best) > score(force.keys)
    assert better > 8


@pytest.mark.parametrize("number", range(8))
def test_a_game_reads_back_as_itself(tmp_path: Path, number: int) -> None:
    before = examine(GAME, organized(number))
    path = tmp_path / "scenario.toml"
    path.write_text(before.text, "utf-8")
    after = load(path)
    assert after.scenario == before.scenario
    assert after.scenario.final == before.scenario.final
    assert (after.text, after.report.findings, after.stamp) == (before.text, (), before.stamp)
    assert after.scenario.exchanges == before.scenario.exchanges
    assert any(f.council for f in after.scenario.forces.values())


def test_reading_back_covers_levies_given_back() -> None:
    assert any(organized(number).exchanges for number in range(8))
