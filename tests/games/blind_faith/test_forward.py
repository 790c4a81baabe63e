"""Compare bounds with exact odds for small fights of mixed classes, under every policy and ruling."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from msgspec import structs

from generator.common.interpretations import rulings
from generator.games.blind_faith import odds as odds_module
from generator.games.blind_faith.battle import Force
from generator.games.blind_faith.draw import draw
from generator.games.blind_faith.exact_odds import Odds, format_chance_range
from generator.games.blind_faith.forward import Forward, Numbering, Opponent
from generator.games.blind_faith.odds import fight_odds, fight_of, odds_within
from generator.games.blind_faith.rounds import ENDINGS, Budget, odds_settings, policies
from generator.games.blind_faith.tables import ROLES, house_pack
from generator.model.scenario import Request
from generator.seeds import code_for
from tests.prove.parts import odds as proof
from tests.prove.parts.odds import EXACT, WHOLE, Case, small

PACK = house_pack()
NEAR = 3e-6


def small_fights(count: int, seed: int) -> Iterator[Case]:
    """Yield small fights for which bounds are computed: battles, and sieges under the older policies."""
    for case in small(count, seed):
        if case.plays[0].older or not case.fight.wall:
            yield case


def computed_odds(case: Case, within: Budget) -> Odds:
    found = odds_within(*case, within, lambda: False)
    assert found
    return found


def bound_differences(case: Case) -> Iterator[str]:
    """Yield the values for which bounds without omissions differ from the exact odds."""
    exact, found = computed_odds(case, EXACT), computed_odds(case, WHOLE)
    assert exact.exact
    assert not found.exact
    if not 0 <= found.missing < NEAR:
        yield f"missing {found.missing}"
    for number, (one, other) in enumerate(zip(exact.after, found.after, strict=True), 1):
        pairs = [(one.endings[e], other.endings.get(e, Fraction())) for e in ENDINGS] + [(one.going, other.going)]
        if not all(b <= a < b + NEAR for a, b in pairs):
            yield f"round {number}"
        if one.going > NEAR and any(abs(a - b) > NEAR for a, b in zip(one.left, other.left, strict=True)):
            yield f"left after round {number}"
    for role, fate in ((r, f) for r in ROLES for f in ("rout", "eliminate")):
        if abs(exact.losses(role, fate) - found.losses(role, fate)) > NEAR:  # type: ignore[arg-type]
            yield f"{role} {fate}"
    if not case.fight.wall and any(abs(exact.lost.get(k, 0) - found.lost[k]) > NEAR for k in found.lost):
        yield "losses by class"


@pytest.fixture(autouse=True)
def _nothing_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds_module, "_known", {})
    monkeypatch.setattr(odds_module, "read_from_cache", lambda *_: None)
    monkeypatch.setattr(odds_module, "write_to_cache", lambda *_: None)


def test_followed_to_the_last_state_the_bounds_are_the_exact_odds() -> None:
    found = [(case, fault) for case in small_fights(24, 17) for fault in bound_differences(case)]
    assert not found


def test_bounds_hold_the_exact_chances() -> None:
    scant = structs.replace(WHOLE, states=6, min_probability="1/50")
    widths = []
    for case in small_fights(24, 4):
        exact, rough = computed_odds(case, EXACT), computed_odds(case, scant)
        widths.append(rough.missing)
        for one, other in zip(exact.after, rough.after, strict=True):
            for ending in ENDINGS:
                low = other.endings.get(ending, Fraction())
                assert low <= one.endings[ending] <= low + rough.missing
            assert other.going <= one.going <= other.going + rough.missing
    assert max(widths) > Fraction(1, 50)


def test_small_fights_are_those_of_every_die() -> None:
    assert not [fault for fault in map(proof.differs, small(9, 29)) if fault]


def test_no_grade_contradicts_the_odds_of_a_drawn_fight() -> None:
    assert not [one.fault for one in map(proof.drawn, range(3)) if one.fault]


def test_drawn_fights_are_known_closely() -> None:
    for number, kind in enumerate(["battle", "siege"]):
        fight = fight_of(draw(Request(code_for(number * 91_452_383), {"kind": kind}, {})))
        assert fight
        for name in ("half", "careful"):
            plays = policies()[name], policies()[name]
            found = fight_odds(fight, plays)
            assert found.missing <= Fraction(1, 10)
            assert 1 - NEAR < sum(found.endings.values()) + found.undecided + found.missing <= 1


@pytest.mark.parametrize("kind", ["battle", "siege"])
def test_no_fight_that_is_drawn_is_too_large(kind: str) -> None:
    fight = fight_of(draw(Request(code_for(7), {"kind": kind, "points": "200"}, {})))
    assert fight
    found = odds_within(
        fight, (policies()["half"],) * 2, structs.replace(odds_settings().budget, states=300), lambda: False
    )
    assert found
    assert found.missing < Fraction(1, 2)


def test_a_stopped_computation_returns_none() -> None:
    fight = fight_of(draw(Request(code_for(91_452_383), {"kind": "siege"}, {})))
    assert fight
    plays = policies()["half_older"], policies()["half_older"]
    assert odds_within(fight, plays, WHOLE, lambda: True) is None


def test_what_took_long_lies_in_the_cache_by_its_content(monkeypatch: pytest.MonkeyPatch) -> None:
    lying: dict[str, bytes] = {}
    monkeypatch.setattr(
        odds_module, "write_to_cache", lambda _, name, content, maximum: lying.update({name: content})
    )
    monkeypatch.setattr(odds_module, "read_from_cache", lambda _, name: lying.get(name))
    monkeypatch.setattr(odds_module, "LONG", 1)
    case = next(small_fights(2, 3))
    found = computed_odds(case, WHOLE)
    (name,) = lying
    monkeypatch.setattr(odds_module, "_known", {})
    monkeypatch.setattr(Forward, "followed", None)
    assert computed_odds(case, WHOLE) == found
    lying[name] = lying[name][:50]
    monkeypatch.undo()
    assert computed_odds(case, WHOLE) == found


@pytest.mark.parametrize(
    ("chance", "missing", "expected"),
    [
        (Fraction(1, 3), Fraction(), "33"),
        (Fraction(1, 3), Fraction(1, 200), "34"),
        (Fraction(1, 3), Fraction(1, 10), "33–44"),
        (Fraction(), Fraction(1, 1000), "<1"),
        (Fraction(), Fraction(), "–"),
        (Fraction(19, 20), Fraction(1, 20), "95–100"),
    ],
)
def test_bounds_of_odds_are_formatted(chance: Fraction, missing: Fraction, expected: str) -> None:
    assert format_chance_range(chance, missing) == expected


def test_lines_are_numbers_and_back() -> None:
    line = Numbering(PACK, ("tabor", "gun", "gun", "tabor", "hussite_foot"))
    for units in ((), ("tabor",), ("tabor", "hussite_foot", "gun", "gun")):
        assert line.line(line.code(units)) == PACK.line(units)
    with pytest.raises(ValueError, match="more units of more classes"):
        Numbering(PACK, [unit for unit in PACK.units for _ in range(127)])


def test_following_a_fight_again_counts_its_losses_once() -> None:
    policy: Any = policies()["half"]
    chosen = {ruling.id: ruling.choice[0].id for ruling in rulings("blind_faith").values()}
    sides = [Opponent(Force(line), policy, False, 2) for line in (("knights",) * 2, ("tabor",) * 2)]
    course = Forward(PACK, sides[0], sides[1], chosen)
    once, again = course.followed(20, 100, 1e-9), course.followed(20, 100, 1e-9)
    assert once
    assert once.lost
    assert once == again


def test_a_side_knows_what_it_began_with() -> None:
    half: Any = policies()["half"]
    one = Forward(
        PACK,
        Opponent(Force(("knights",)), half, False, 4),
        Opponent(Force(("tabor",)), half, False, 1),
        {ruling.id: ruling.choice[0].id for ruling in rulings("blind_faith").values()},
    )
    found = one.followed(20, 100, 1e-9)
    assert found
    assert found.after[0].going == 0 < found.after[0].endings["attacker_retreats"]
