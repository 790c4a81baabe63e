"""Tests that reported lines of sight agree with Shapely, and that artificial differences are found and named."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from generator import games
from generator.common.proof import prove_all_pairs, rows, sentence, verify_claims
from generator.games.battling.ground import Arena
from generator.games.battling.sight import sight_tool
from generator.grid.columns import columns_field
from generator.grid.hexes import Hex
from generator.grid.squares import squares as field_of
from generator.model.scenario import Request
from generator.rules import check
from generator.sight import squares, trace
from generator.sight.silhouettes import Past, Polygon, Stopped
from generator.sight.squares import Shown
from generator.sight.trace import Ruled, Traced
from generator.sight.verify import DisagreementError, clear_past, first_stops, verify
from tests.games.battling.scenes import at
from tests.prove.parts.sight import WISHES, Case, checked_sight, seeing
from tests.sight import silhouette_oracle
from tests.sight.towns import town

CODE = "K7Q2M-9FHN5"
Patch = pytest.MonkeyPatch


def drawn(game: str, **options: str) -> tuple[Any, Any]:
    """Return a game and a generated scenario."""
    of = games.load(game)
    return of, of.draw(Request(CODE, options, {}))


@pytest.mark.parametrize("name", seeing())
def test_a_sample_of_the_proof(name: str) -> None:
    for number in range(len(WISHES[name])):
        outcome = checked_sight(Case(name, number))
        assert outcome.faults == ()
        assert outcome.verdicts > 5000 and outcome.sampled > 50


def test_the_verification_is_reported() -> None:
    game, scenario = drawn("call_to_arms")
    every = list(game.sight.pairs(scenario))
    held = verify_claims(game.sight.claims.rows(scenario, every))
    text = sentence(held)
    assert text and text.en == "Lines of sight verified with Shapely: 5,356 of 5,356 agree"
    assert text.ja == "Shapely で射線を検証：5,356本中5,356本が一致"
    assert rows(held) == [{"what": "traces", "held": 191, "lines": 5356, "differences": 0}]
    one = sentence(verify_claims(game.sight.claims.rows(scenario, every[:1])))
    assert one and one.en == "Lines of sight verified with Shapely: 1 of 1 agree"
    assert sentence(verify_claims([])) is None


def test_every_pair_under_every_ruling() -> None:
    game, scenario = drawn("battlelore")
    cases = prove_all_pairs(game.sight, scenario)
    assert len({tuple(of.rulings.items()) for of in cases}) == len(cases) == 2**3
    assert {of.pairs for of in cases} == {104 * 103 // 2}
    now = next(of for of in cases if of.rulings.items() <= scenario.rulings.items())
    assert now.clear == sum(row["clear"] for row in game.sight.pairs(scenario))
    assert len({of.clear for of in cases}) > 2


def test_a_wrong_trace_is_found_and_named(monkeypatch: Patch) -> None:
    game, scenario = drawn("call_to_arms")
    right = trace.trace

    def wrong(offset: Hex) -> trace.Trace:
        found = right(offset)
        return replace(found, through=found.through[1:]) if offset == Hex(2, 2) else found

    monkeypatch.setattr("generator.sight.verify.trace", wrong)
    with pytest.raises(DisagreementError) as raised:
        verify_claims(game.sight.claims.rows(scenario, list(game.sight.pairs(scenario))))
    assert raised.value.exit_code == 70
    [problem] = raised.value.problems
    expected = (
        "the integer calculation gives left A2 C3, right B1 C2, but Shapely gives through B2, left A2 C3, right B1 C2"
    )
    assert problem.message == f"line of sight from A1 to D3: {expected}"
    assert "report it" in problem.hint
    japanese = "整数計算では左 A2 C3、右 B1 C2、Shapely では通過 B2、左 A2 C3、右 B1 C2です"
    assert japanese in problem.describe("ja")


@pytest.mark.parametrize("part", ["left", "right", "touching"])
def test_every_part_of_a_trace_is_held(monkeypatch: Patch, part: str) -> None:
    right = trace.trace
    offset = Hex(1, 1) if part != "touching" else Hex(4, 1)
    assert getattr(right(offset), part)
    monkeypatch.setattr("generator.sight.verify.trace", lambda of: replace(right(of), **{part: ()}))
    with pytest.raises(DisagreementError, match="sight from h00 to h"):
        verify([Traced(((Hex(0, 0), offset),), lambda cell: f"h{cell.q}{cell.r}")])


def test_a_wrong_ruling_is_found(monkeypatch: Patch) -> None:
    """There is one pair too many and one too few. The test changes the ruling's result, not its claim."""
    game, scenario = drawn("battlelore")
    [*_, (_, claims)] = game.sight.claims.proof(scenario)
    ruled = next(claim for claim in claims if isinstance(claim, Ruled))
    pairs = [*ruled.screens.all_clear()]
    unseen = next((0, b) for b in range(1, 104) if (0, b) not in pairs)
    for changed, expected in (
        ([*pairs, unseen], "gives clear, but Shapely gives blocked"),
        (pairs[1:], "gives blocked, but Shapely"),
    ):
        monkeypatch.setattr(trace.Screens, "all_clear", lambda _, of=changed: of)
        with pytest.raises(DisagreementError, match=expected):
            verify([ruled])


HOOK: Polygon = ((0, 0), (6, 0), (6, 6), (4, 6), (4, 2), (2, 2), (2, 6), (0, 6))
LID: Polygon = ((2, 6), (4, 6), (4, 4), (2, 4))


def test_lines_past_silhouettes_by_shapely_are_those_in_fractions() -> None:
    rng = random.Random(15)
    for _ in range(40):
        shapes = town(rng, 5, 5, 3, rng.randrange(1, 12), 9)
        points = [(rng.randrange(46), -rng.randrange(34)) for _ in range(40)]
        lines = [(a, b) for a, b in pairwise(points) if a != b]
        wanted = [silhouette_oracle.blocked_at(a, b, shapes) is None for a, b in lines]
        assert clear_past(shapes, lines) == wanted
    assert clear_past([HOOK, LID], [((4, 3), (4, 9)), ((4, 3), (4, 4)), ((3, 3), (3, 4))]) == [False, True, True]
    assert clear_past([], [((0, 0), (1, 1))]) == [True]


def test_where_lines_stop_by_shapely_is_where_they_do_in_fractions() -> None:
    rng = random.Random(16)
    stopped = 0
    for _ in range(60):
        shapes = town(rng, 5, 5, 3, rng.randrange(1, 12), 9)
        points = [(rng.randrange(46), -rng.randrange(34)) for _ in range(40)]
        lines = [(a, b) for a, b in pairwise(points) if a != b]
        for (a, b), share in zip(lines, first_stops(shapes, lines), strict=True):
            at = silhouette_oracle.blocked_at(a, b, shapes)
            assert (at is None) == (share == math.inf)
            if at is not None:
                stopped += 1
                axis = 0 if a[0] != b[0] else 1
                assert abs(float((at[axis] - a[axis]) / (b[axis] - a[axis])) - share) < 1e-9
    assert stopped > 300
    # One line runs between two walls that touch along the line, and one along a wall into another wall.
    walls: list[Polygon] = [((2, 0), (4, 0), (4, -2), (2, -2)), ((3, -2), (6, -2), (6, -4), (3, -4))]
    assert first_stops(walls, [((0, -2), (8, -2)), ((8, -2), (0, -2)), ((0, 0), (8, 0))]) == [3 / 8, 4 / 8, math.inf]


def test_a_wrong_place_where_a_line_stops_is_found() -> None:
    shed = Arena(columns_field(14, 12), (((100, -60), (105, -60), (105, -57), (99, -57)),), 5)
    a, b = at("0707"), at("0805")
    x, y = shed.sight(a, b).blocked_at or (0, 0)
    for off, problems in ((0.0, 0), (1e-4, 1)):
        stops = ((a, b, (5 * float(x), 5 * float(y) + off)),)
        claim = Stopped(shed.silhouettes, stops, shed.point, shed.field.name)
        if problems:
            with pytest.raises(
                DisagreementError, match="line of sight from 0707 to 0805: the integer calculation gives blocked at"
            ):
                verify([claim])
        else:
            assert verify([claim])[0].kind == "stops"


def test_a_wrong_line_past_silhouettes_is_found() -> None:
    shed = Arena(columns_field(14, 12), (((100, -60), (105, -60), (105, -57), (99, -57)),), 5)
    lines = [(at("0707"), at("0805"), False), (at("0707"), at("0609"), True)]
    assert verify([Past(shed.silhouettes, tuple(lines), shed.point, shed.field.name)])[0].clear == 1
    wrong = Past(shed.silhouettes, ((*lines[0][:2], True), lines[1]), shed.point, shed.field.name)
    with pytest.raises(
        DisagreementError,
        match="line of sight from 0707 to 0805: the integer calculation gives clear, but Shapely gives blo",
    ):
        verify([wrong])


@pytest.mark.parametrize("reading", [squares.visible_share, squares.four_corners])
def test_a_wrong_share_is_found(reading: squares.Reading) -> None:
    field = field_of(8, 8)
    start, end = (field.find(name) for name in ("a1", "e2"))
    assert start and end
    screens = squares.screens(field, lambda _: 0, [cell for cell in field.cells if field.name(cell) == "c1"])
    look = squares.judge(field, screens, reading, start, end)
    verify([Shown(field, screens, reading, (look,))])
    for share in (look.share + Fraction(1, 10**6), Fraction(1)):
        with pytest.raises(DisagreementError, match="sight from a1 to e2"):
            verify([Shown(field, screens, reading, (replace(look, share=share),))])


def test_no_trace_is_printed_unverified(monkeypatch: Patch) -> None:
    """Every trace that a kit or its certificate uses is also verified."""
    for name in ("battlelore", "call_to_arms"):
        game, scenario = drawn(name)
        [claim] = game.sight.claims.printed(scenario)
        steps = {step for a, b in claim.pairs for step in (b - a, a - b)}
        calls = _spied(monkeypatch, trace.Lines, "between")
        game.kit(scenario, check(game.rules, scenario), "", "")
        cells = scenario.board.field.cells
        assert calls
        assert {cells[b] - cells[a] for _, a, b in calls} <= steps


def test_no_look_is_printed_unverified(monkeypatch: Patch) -> None:
    game, scenario = drawn("travel_battle")
    claims = list(game.sight.claims.printed(scenario))
    assert [claim.reading for claim in claims] == [squares.visible_share, squares.four_corners]
    claimed = {(look.start, look.end) for look in claims[0].looks}
    calls = _spied(monkeypatch, squares.Looks, "in_sight")
    judged = _spied(monkeypatch, squares, "judge", "generator.games.travel_battle.pages.gunfields.judge")
    game.kit(scenario, check(game.rules, scenario), "", "")
    assert judged and {(a, b) for *_, a, b in judged} <= claimed
    assert calls and {start for *_, start in calls} <= {start for start, _ in claimed}


def test_no_line_past_silhouettes_is_printed_unverified(monkeypatch: Patch) -> None:
    game, scenario = drawn("battling")
    claims = list(game.sight.claims.printed(scenario))
    claimed = {frozenset((a, b)) for of in claims if isinstance(of, Past) for a, b, _ in of.lines}
    stops = {(a, b) for of in claims if isinstance(of, Stopped) for a, b, _ in of.stops}
    calls = _spied(monkeypatch, Arena, "in_sight")
    judged = _spied(monkeypatch, Arena, "sight")
    report = check(game.rules, scenario)
    checked = {frozenset((a, b)) for of in game.sight.claims.checked(scenario) for a, b, _ in of.lines}
    assert {frozenset(pair) for _, *pair in calls if pair[0] != pair[1]} <= checked < claimed
    game.kit(scenario, report, "", "")
    assert {frozenset(pair) for _, *pair in calls + judged if pair[0] != pair[1]} <= claimed
    assert {(a, b) for _, a, b in judged if a != b and not scenario.arena.in_sight(a, b)} <= stops


def _spied(monkeypatch: Patch, owner: Any, name: str, where: str = "") -> list[tuple[Any, ...]]:
    """Return a list that records the arguments of all later calls of a function."""
    calls: list[tuple[Any, ...]] = []
    real: Callable[..., Any] = getattr(owner, name)

    def spy(*given: Any) -> Any:
        calls.append(given)
        return real(*given)

    if where:
        monkeypatch.setattr(where, spy)
    else:
        monkeypatch.setattr(owner, name, spy)
    return calls


def test_lines_are_verified_in_batches(monkeypatch: Patch) -> None:
    monkeypatch.setattr("generator.games.battling.sight.AT_ONCE", 7)
    _, scenario = drawn("battling")
    tool = sight_tool()
    rows = tool.claims.rows(scenario, [tool.pair(scenario, "0101", end) for end in ("0102", "0103", "0105")])
    assert [len(of.lines) for of in rows if isinstance(of, Past)] == [3]
    every = [of for _, claims in tool.claims.proof(scenario) for of in claims if isinstance(of, Past)]
    assert {len(of.lines) for of in every[:-1]} == {7}
